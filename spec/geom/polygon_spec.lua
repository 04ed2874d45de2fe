-- collide.polygon: the outlines that it accepts and refuses, and the convex parts that it cuts.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local solid = require "spec.support.solid"

local near, raises = expect.near, expect.raises
local polygon = collide.polygon
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

local function reversed(ring)
  local out = {}
  for k = #ring - 1, 1, -2 do out[#out + 1], out[#out + 2] = ring[k], ring[k + 1] end
  return out
end

-- The number of reflex corners of a ring: 0 for a convex one.
local function bendsIn(ring)
  local n, side, count = #ring, solid.area(ring) > 0 and 1 or -1, 0
  for k = 1, n, 2 do
    local ax, ay, bx, by = ring[k], ring[k + 1], ring[(k + 1) % n + 1], ring[(k + 2) % n + 1]
    local cx, cy = ring[(k + 3) % n + 1], ring[(k + 4) % n + 1]
    if side * ((bx - ax) * (cy - by) - (by - ay) * (cx - bx)) < -1e-9 then count = count + 1 end
  end
  return count
end

-- Checks that the parts are convex, few and disjoint, and that their union is the whole.
local function checkParts(ring)
  local shape = polygon(ring)
  local parts, area = shape:parts(), 0
  assert(#parts <= 2 * bendsIn(ring) + 1, #parts .. " parts")
  for i, part in ipairs(parts) do
    assert(bendsIn(part:points()) == 0, "part " .. i .. " is not convex")
    area = area + math.abs(solid.area(part:points()))
    near({ math.abs(solid.area(part:points())) }, { part:area() })
    for k = 1, i - 1 do
      local _, _, depth = collide.overlap(at(part, 0, 0), at(parts[k], 0, 0))
      assert((depth or 0) < 1e-9, ("parts %d and %d overlap by %s"):format(i, k, tostring(depth)))
    end
  end
  near({ area }, { math.abs(solid.area(ring)) }, 1e-9 * area)
  near({ area }, { shape:area() }, 1e-9 * area)
  return #parts
end

local function star(rng, n, least)
  local ring = {}
  for i = 1, n do
    local angle, r = (i + rng:float(0, 0.8)) / n * 2 * math.pi, rng:float(least, 10)
    ring[2 * i - 1], ring[2 * i] = r * math.cos(angle), r * math.sin(angle)
  end
  return ring
end

local L = { 0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30 }

describe("collide.polygon", function()
  it("takes numbers or one list", function()
    for _, shape in ipairs { polygon(0, 0, 20, 0, 0, 10), polygon { 0, 0, 20, 0, 0, 10 } } do
      assert.equal("polygon", shape:kind())
      near({ 100 }, { shape:area() }, 0)
      near({ 0 }, { shape:radius() }, 0)
      near({ 0, 0, 20, 10 }, { shape:bounds() }, 0)
      near({ 0, 0, 20, 0, 0, 10 }, shape:points(), 0)
    end
  end)

  it("copies the list that it is given", function()
    local list = { 0, 0, 20, 0, 0, 10 }
    local shape = polygon(list)
    list[3] = 99
    near({ 0, 0, 20, 0, 0, 10 }, shape:points(), 0)
  end)

  it("takes either winding", function()
    for _, ring in ipairs { L, { 0, 0, 20, 0, 0, 10 } } do
      local one, other = polygon(ring), polygon(reversed(ring))
      near({ one:area() }, { other:area() }, 0)
      near({ one:bounds() }, { other:bounds() }, 0)
      near(reversed(ring), other:points(), 0)
      local ball = at(collide.circle(4), 2, 5)
      near({ collide.overlap(ball, at(one, 0, 0)) }, { collide.overlap(ball, at(other, 0, 0)) })
    end
  end)

  --    0   10  30
  --  0 +-------+
  --    |       |
  -- 10 |   +---+      the corner at 10, 10 bends in
  --    |   |
  -- 30 +---+
  it("contains its inside and its boundary, but not its notches", function()
    local shape = polygon(L)
    near({ 500 }, { shape:area() }, 0)
    near({ 0, 0, 30, 30 }, { shape:bounds() }, 0)
    for _, p in ipairs { { 5, 5 }, { 0, 0 }, { 30, 10 }, { 10, 10 }, { 10, 20 }, { 20, 10 },
      { 10, 5 }, { 5, 10 }, { 9.999, 29.999 } } do
      assert(shape:contains(p[1], p[2]), ("%g, %g is not in it"):format(p[1], p[2]))
    end
    for _, p in ipairs { { 10.001, 10.001 }, { 20, 20 }, { 10.001, 29 }, { 29, 10.001 },
      { -0.001, 5 }, { 5, 30.001 } } do
      assert(not shape:contains(p[1], p[2]), ("%g, %g is in it"):format(p[1], p[2]))
    end
  end)

  it("leaves a convex one whole", function()
    for n = 3, 40 do
      local ring = star(random.new(SEED + n), n, 10)
      assert.equal(1, #polygon(ring):parts())
      assert.equal(1, #polygon(reversed(ring)):parts())
      assert.equal(2 * n, #polygon(ring):parts()[1]:points())
    end
  end)

  it("cuts an L into two", function()
    assert.equal(2, checkParts(L))
    assert.equal(2, checkParts(reversed(L)))
  end)

  --  +--+  +--+  +--+
  --  |  |  |  |  |  |
  --  |  +--+  +--+  |       4 corners bend in
  --  |              |
  --  +--------------+
  it("cuts a comb into few parts", function()
    local comb = { 0, 0, 10, 0, 10, 20, 20, 20, 20, 0, 30, 0, 30, 20, 40, 20, 40, 0, 50, 0,
      50, 40, 0, 40 }
    assert(checkParts(comb) <= 5)
    assert(checkParts(reversed(comb)) <= 5)
  end)

  it("cuts any star into convex parts that fill it (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    for _ = 1, random.rounds(150) do checkParts(star(rng, rng:int(5, 24), rng:float(0.5, 9))) end
  end)

  --  a spiral: half of its corners are reflex
  it("cuts a spiral", function()
    local out, back = {}, {}
    for i = 0, 40 do
      local angle, r = i * 0.45, 40 - 0.8 * i
      out[#out + 1], out[#out + 2] = r * math.cos(angle), r * math.sin(angle)
      back[#back + 1], back[#back + 2] = (r - 3) * math.cos(angle), (r - 3) * math.sin(angle)
    end
    for _, v in ipairs(reversed(back)) do out[#out + 1] = v end
    checkParts(out)
  end)

  it("contains the same points as its outline (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    for _ = 1, 40 do
      local ring = star(rng, rng:int(4, 15), 1)
      local shape = polygon(ring)
      ring.closed, ring.filled, ring.r = true, true, 0
      for _ = 1, 50 do
        local x, y = rng:float(-10, 10), rng:float(-10, 10)
        if solid.rim(x, y, { ring }) > 1e-9 then
          assert.equal(solid.gap(solid.point(x, y), { ring }) < 0, shape:contains(x, y))
        end
      end
    end
  end)
end)

describe("collide.polygon with many or strange points", function()
  it("takes 3 and 500 points, convex and concave", function()
    near({ 0.5 }, { polygon(0, 0, 1, 0, 0, 1):area() }, 0)
    local convex, rough = {}, {}
    for i = 1, 500 do
      local angle = i / 500 * 2 * math.pi
      local r = i % 2 == 0 and 100 or 90
      convex[2 * i - 1], convex[2 * i] = 100 * math.cos(angle), 100 * math.sin(angle)
      rough[2 * i - 1], rough[2 * i] = r * math.cos(angle), r * math.sin(angle)
    end
    local shape = polygon(convex)
    assert.equal(1, #shape:parts())
    assert.equal(1000, #shape:points())
    near({ 1, 0, 5 }, { collide.overlap(at(collide.circle(10), 105, 0), at(shape, 0, 0)) }, 1e-6)
    assert.is_nil(collide.overlap(at(shape, 0, 0), at(shape, 200.01, 0)))
    assert.is_truthy(collide.overlap(at(shape, 0, 0), at(shape, 199.9, 0)))
    shape = polygon(rough)
    assert(#shape:parts() <= 501)
    near({ math.abs(solid.area(rough)) }, { shape:area() }, 1e-6)
    local _, _, depth = collide.overlap(at(collide.circle(10), 105, 0), at(shape, 0, 0))
    near({ 5 }, { depth }, 1e-6)
  end)

  it("takes more than 500 as arguments and in a list", function()
    local unpack = table.unpack or unpack -- luacheck: ignore
    local ring = {}
    for i = 1, 2000 do
      ring[2 * i - 1] = math.cos(i / 2000 * 2 * math.pi)
      ring[2 * i] = math.sin(i / 2000 * 2 * math.pi)
    end
    near({ math.pi }, { polygon(ring):area() }, 1e-4)
    near({ math.pi }, { polygon(unpack(ring)):area() }, 1e-4)
  end)

  it("drops repeated points", function()
    local shape = polygon(0, 0, 0, 0, 20, 0, 20, 0, 20, 0, 0, 10, 0, 10, 0, 0)
    near({ 0, 0, 20, 0, 0, 10 }, shape:points(), 0)
    near({ 100 }, { shape:area() }, 0)
    assert.equal(1, #shape:parts())
  end)

  it("takes points in the middle of an edge", function()
    local shape = polygon(0, 0, 10, 0, 20, 0, 20, 10, 20, 20, 0, 20)
    near({ 400 }, { shape:area() }, 0)
    assert.equal(1, #shape:parts())
    near({ 0, -1, 1 }, { collide.overlap(at(collide.circle(2), 10, -1), at(shape, 0, 0)) })
  end)

  it("takes points that are nearly collinear, whichever way they bend", function()
    for _, bend in ipairs { 1e-15, 1e-13, 1e-9, 1e-6, -1e-15, -1e-13, -1e-9, -1e-6 } do
      local shape = polygon(0, 0, 5, bend, 10, 0, 10, 10, 5, 10 - bend, 0, 10)
      near({ 100 }, { shape:area() }, 1e-4)
      near({ 0, -1, 1 }, { collide.overlap(at(collide.circle(2), 5, -1), at(shape, 0, 0)) }, 1e-5)
      near({ 0, -1, 3 }, { collide.overlap(at(collide.rectangle(2, 4), 4, -1), at(shape, 0, 0)) },
        1e-5)
    end
  end)

  it("takes very thin polygons", function()
    local needle = polygon(0, 0, 10000, 0, 10000, 1, 0, 1)
    near({ 0, -1, 0.5 }, { collide.overlap(at(collide.rectangle(10, 10), 5000, -9.5),
      at(needle, 0, 0)) })
    local tip = polygon(0, 0, 10000, 0.5, 0, 1)
    near({ 5000 }, { tip:area() }, 0)
    assert(tip:contains(9999, 0.5))
    assert(not tip:contains(9999, 0.6))
  end)

  it("works at sizes in metres and at sizes of a map in pixels", function()
    for _, k in ipairs { 1e-3, 1e-2, 1e3, 1e6, 1e10 } do
      local ring = {}
      for i, v in ipairs(L) do ring[i] = v * k end
      local shape = polygon(ring)
      near({ 500 * k * k }, { shape:area() }, 1e-9 * k * k)
      local nx, ny, depth = collide.overlap(at(collide.circle(2 * k), 20 * k, 11 * k),
        at(shape, 0, 0))
      near({ 0, 1, k }, { nx, ny, depth }, 1e-9 * k)
    end
  end)

  it("prints readably", function()
    assert.equal("polygon(0, 0, 20, 0, 0, 10)", tostring(polygon { 0, 0, 20, 0, 0, 10 }))
    assert.equal("polygon(0, 0, 20, 0, 0, 10)", tostring(polygon(0, 0, 20, 0, 0, 10)))
    local ring = star(random.new(SEED), 500, 10)
    local text = tostring(polygon(ring))
    assert(text:find("^polygon%(") and #text < 400, text)
  end)
end)

describe("collide.polygon refuses", function()
  --  a   d
  --   \ /
  --    x         the edges 1-2 and 3-4 cross
  --   / \
  --  c   b
  it("a bow-tie, and names both edges", function()
    raises({ "collide.polygon: points expected (", "1 (0, 0)", "2 (10, 10)", "3 (10, 0)",
      "4 (0, 10)" }, polygon, 0, 0, 10, 10, 10, 0, 0, 10)
    raises({ "1 (0, 0)", "4 (0, 10)" }, polygon, { 0, 0, 10, 10, 10, 0, 0, 10 })
  end)

  it("an outline that touches itself", function()
    -- 5 lies on the edge 1-2
    raises({ "collide.polygon", "5 (10, 0)" }, polygon, 0, 0, 20, 0, 20, 10, 15, 10, 10, 0, 5, 10)
    -- 2 and 5 are one point
    raises({ "collide.polygon", "2 (10, 0)", "5 (10, 0)" }, polygon, 0, 0, 10, 0, 20, 0, 20, 10,
      10, 0, 0, 10)
  end)

  it("an edge that goes back over the last one", function()
    raises({ "collide.polygon", "3 (10, 0)" }, polygon, 0, 0, 20, 0, 10, 0, 10, 10)
    raises({ "collide.polygon", "(30, 0)" }, polygon, 0, 0, 30, 0, 20, 0, 20, 10, 0, 10)
  end)

  it("an outline that goes round twice", function()
    raises("collide.polygon", polygon, 0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10)
    local ring = {}                 -- the star with five points, drawn in one go
    for i = 0, 4 do
      local angle = i * 4 * math.pi / 5
      ring[#ring + 1], ring[#ring + 2] = math.cos(angle), math.sin(angle)
    end
    raises("collide.polygon", polygon, ring)
  end)

  it("zero area, and names the vertices", function()
    raises("collide.polygon: points expected (not all on one line), got points 1 (0, 0) to 3 "
      .. "(10, 10), which lie on one line", polygon, 0, 0, 5, 5, 10, 10)
    raises("collide.polygon: points expected (", polygon, 0, 0, 10, 0, 5, 0, 7, 0)
  end)

  it("fewer than three points that differ", function()
    raises({ "collide.polygon: points expected (3 ", "got" }, polygon, 0, 0, 5, 5)
    raises({ "collide.polygon: points expected (3 ", "got" }, polygon, {})
    raises({ "collide.polygon: points expected (3 ", "got" }, polygon)
    raises({ "collide.polygon: points expected (3 ", "got" }, polygon, 1, 1, 1, 1, 1, 1)
    local message = raises("collide.polygon: points expected (3 ", polygon, 0, 0, 0, 0, 1, 1)
    assert(not message:find("got 3", 1, true), message)
  end)
end)
