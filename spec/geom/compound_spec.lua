-- collide.compound, and properties of the methods of every kind of shape.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local near, raises, overlap = expect.near, expect.raises, collide.overlap
local compound, circle, rectangle = collide.compound, collide.circle, collide.rectangle
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

describe("collide.compound", function()
  --        ( )           a ball of 3 on a box, hung with a line
  --      +-----+
  --      |     |
  --      +-----+
  --         |
  local man = compound(circle(0, -13, 3), rectangle(-5, -10, 10, 10), collide.segment(0, 0, 0, 6))

  it("has a kind, area, bounds and parts", function()
    assert.equal("compound", man:kind())
    near({ 100 + 9 * math.pi }, { man:area() })
    near({ -5, -16, 10, 22 }, { man:bounds() }, 0)
    near({ 0 }, { man:radius() }, 0)
    local kinds = {}
    for i, part in ipairs(man:parts()) do kinds[i] = part:kind() end
    assert.same({ "circle", "rectangle", "segment" }, kinds)
    near({ 0, -13, -5, -10, 5, -10, 5, 0, -5, 0, 0, 0, 0, 6 }, man:points(), 0)
  end)

  it("also takes a list of shapes", function()
    local ball, plank = circle(0, -13, 3), rectangle(-5, -10, 10, 10)
    assert.equal(tostring(compound(ball, plank)), tostring(compound { ball, plank }))
    raises("collide.compound: shape 2 expected (shape), got number 5", compound, { ball, 5 })
    raises("collide.compound: shape 1 expected (shape), got nil", compound, {})
    local holed = { ball, nil, plank }
    if #holed == 3 then -- Lua 5.5 may count 1
      raises("collide.compound: shape 2 expected (shape), got nil", compound, holed)
    end
    raises("collide.compound takes one table of shapes, or shapes, got 2 arguments", compound,
      { ball }, plank)
    raises("collide.compound: shape 2 expected (shape), got table", compound, ball, { plank })
  end)

  it("contains the points that any member contains", function()
    for _, p in ipairs { { 0, -13 }, { 3, -13 }, { -5, -10 }, { 4, -1 }, { 0, 6 }, { 0, 3 } } do
      assert(man:contains(p[1], p[2]))
    end
    for _, p in ipairs { { 5, -13 }, { 0.001, 3 }, { 5.001, -5 }, { 0, 6.001 } } do
      assert(not man:contains(p[1], p[2]))
    end
  end)

  it("may hold a single shape, and compounds", function()
    local one = compound(circle(3))
    assert.equal("compound", one:kind())
    near({ -1, 0, 1 }, { overlap(at(one, 0, 0), at(rectangle(10, 10), 2, -5)) })
    local nested = compound(man, compound(man:translated(100, 0), circle(50, 0, 1)))
    assert.equal(7, #nested:parts())
    near({ -5, -16, 110, 22 }, { nested:bounds() }, 0)
    assert(nested:contains(100, -13) and nested:contains(50, 1))
  end)

  it("contains the parts of concave polygons and chains", function()
    local L = collide.polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    local shape = compound(L, collide.chain { 0, 0, -5, 0, -5, 5 })
    assert.equal(#L:parts() + 2, #shape:parts())
    near({ 500 }, { shape:area() }, 0)
    near({ -5, 0, 35, 30 }, { shape:bounds() }, 0)
    assert(shape:contains(10, 5) and not shape:contains(20, 20))
  end)

  it("is translated, rotated, scaled and centred as a whole", function()
    near({ 5, -16, 10, 22 }, { man:translated(10, 0):bounds() }, 0)
    near({ -6, -5, 22, 10 }, { man:rotated(math.pi / 2):bounds() })
    near({ -10, -32, 20, 44 }, { man:scaled(2):bounds() }, 0)
    near({ -5, -6, 10, 22 }, { man:scaled(1, -1):bounds() }, 0)
    near({ -5, -11, 10, 22 }, { man:centered():bounds() }, 0)
    near({ -6, -5, 22, 10 }, { man:bounds(0, 0, math.pi / 2) })
    near({ -5, -16, 10, 22 }, { man:upright():bounds(0, 0, 1) }, 0)
    for _, shape in ipairs { man:translated(1, 1), man:rotated(1), man:scaled(2), man:centered(),
      man:upright() } do
      assert.equal("compound", shape:kind())
      assert.equal(3, #shape:parts())
    end
  end)

  it("refuses unequal scales only if a member is round", function()
    raises({ "shape:scaled: sy expected (", "got 3" }, man.scaled, man, 2, 3)
    local boxes = compound(rectangle(4, 2), collide.segment(0, 0, 5, 5))
    near({ 0, 0, 10, 15 }, { boxes:scaled(2, 3):bounds() }, 0)
  end)

  it("prints readably", function()
    local many = {}
    for i = 1, 300 do many[i] = circle(i) end
    assert.equal("compound(circle(0, 0, 1), circle(0, 0, 2), circle(0, 0, 3), circle(0, 0, 4), "
      .. "circle(0, 0, 5), circle(0, 0, 6), circle(0, 0, 7), circle(0, 0, 8), …)",
      tostring(compound(many)))
    local deep = circle(1)
    for _ = 1, 60 do deep = compound(circle(2), deep) end
    assert.is_true(#tostring(deep) < 300)
    local text = tostring(compound(circle(3), rectangle(4, 2)))
    assert(text:find("^compound%(") and text:find("circle", 1, true)
      and text:find("rectangle", 1, true), text)
  end)

  it("stays valid after its members were collected", function()
    local shape = compound(circle(3), collide.polygon(0, 0, 9, 0, 0, 9))
    local parts = shape:parts()
    for _ = 1, 3 do collectgarbage() end
    near({ -3, -3, 12, 12 }, { shape:bounds() }, 0)
    shape = nil -- luacheck: ignore
    for _ = 1, 3 do collectgarbage() end
    near({ 3 }, { parts[1]:radius() }, 0)
    near({ 40.5 }, { parts[2]:area() }, 0)
  end)
end)

describe("overlap with a compound", function()
  local pair = compound(circle(-10, 0, 5), circle(10, 0, 5))

  it("is overlap with any of its members, and not with the space between them", function()
    assert.is_nil(overlap(at(circle(4), 0, 0), at(pair, 0, 0), true))
    near({ 1 }, { (collide.distance(at(circle(4), 0, 0), at(pair, 0, 0))) })
    near({ -1, 0, 1 }, { overlap(at(circle(4), 2, 0), at(pair, 0, 0)) })
    near({ 1, 0, 1 }, { overlap(at(circle(4), -2, 0), at(pair, 0, 0)) })
  end)

  it("is one hit, with the depth of the deepest member", function()
    local big = at(rectangle(40, 10), -19, 2)      -- right: 21 - 10, up: 3 for both
    near({ 0, 1, 3 }, { overlap(big, at(pair, 0, 0)) })
    local lower = compound(circle(-10, 0, 5), circle(10, 1, 5))
    near({ 0, 1, 4 }, { overlap(big, at(lower, 0, 0)) })
    local world = collide.newWorld()
    local n = 0
    world:add(big).hit = nil
    world:add { x = 0, y = 0, shape = lower, hit = function() n = n + 1 end }
    world:step()
    assert.equal(1, n)
  end)

  it("turns about the actor's position", function()
    near({ 0, 1, 1 }, { overlap(at(circle(4), 0, -2), at(pair, 0, 0, math.pi / 2)) })
    assert.is_nil(overlap(at(circle(4), 2, 0), at(pair, 0, 0, math.pi / 2), true))
  end)

  --   +----+----+
  --   |   (|)   |     two boxes side by side are one wall to a ball on top
  --   +----+----+
  it("does not push sideways where members lie edge to edge", function()
    local wall = at(compound(rectangle(0, 0, 10, 10), rectangle(10, 0, 10, 10)), 0, 0)
    for _, x in ipairs { 8, 9.5, 10, 10.5, 12 } do
      near({ 0, -1, 2 }, { overlap(at(circle(3), x, -1), wall) }, 1e-9)
      near({ 0, -1, 2 }, { overlap(at(rectangle(-1, -1, 2, 3), x, 0), wall) }, 1e-9)
    end
  end)
end)

-- Properties of every kind --------------------------------------------------------

-- Compares shape and body at random points that are not too near the boundary.
local function sameInside(shape, body, rng, size)
  for _ = 1, 30 do
    local x, y = rng:float(-size, size), rng:float(-size, size)
    if solid.rim(x, y, body) > 1e-7 then
      assert.equal(solid.gap(solid.point(x, y), body) < 0, shape:contains(x, y))
    end
  end
end

local function boundsOf(body)
  local l, t, r, b = math.huge, math.huge, -math.huge, -math.huge
  for _, outline in ipairs(body) do
    for k = 1, #outline, 2 do
      l, r = math.min(l, outline[k] - outline.r), math.max(r, outline[k] + outline.r)
      t, b = math.min(t, outline[k + 1] - outline.r), math.max(b, outline[k + 1] + outline.r)
    end
  end
  return { l, t, r - l, b - t }
end

local function areaOf(body)
  local area = 0
  for _, o in ipairs(body) do
    if o.filled then area = area + math.abs(solid.area(o)) end
    area = area + math.pi * o.r * o.r
    if #o == 4 then area = area + 2 * o.r * math.sqrt((o[3] - o[1]) ^ 2 + (o[4] - o[2]) ^ 2) end
  end
  return area
end

-- The body with f applied to each point, and with its radii multiplied by k.
local function mapped(body, k, f)
  local out = {}
  for i, outline in ipairs(body) do
    local new = { closed = outline.closed, filled = outline.filled, r = outline.r * k }
    for p = 1, #outline, 2 do new[p], new[p + 1] = f(outline[p], outline[p + 1]) end
    out[i] = new
  end
  return out
end

local function same(shape, body, rng)
  near(boundsOf(body), { shape:bounds() })
  near({ areaOf(body) }, { shape:area() })
  sameInside(shape, body, rng, 30)
end

describe("a shape (seed " .. SEED .. ")", function()
  for _, kind in ipairs(zoo.KINDS) do
    it("of the kind " .. kind .. " agrees with its outline, also moved and turned", function()
      local rng = random.new(SEED)
      for _ = 1, random.rounds(15) do
        local shape, body = zoo.shape(rng, kind, 20)
        same(shape, body, rng)
        local x, y, a = rng:float(-9, 9), rng:float(-9, 9), rng:float(-7, 7)
        near(boundsOf(solid.placed(body, x, y, a)), { shape:bounds(x, y, a) })
        same(shape:translated(x, y), solid.placed(body, x, y), rng)
        same(shape:rotated(a), solid.placed(body, 0, 0, a), rng)
        for _, k in ipairs { 2, -0.5 } do
          same(shape:scaled(k), mapped(body, math.abs(k), function(u, v) return k * u, k * v end),
            rng)
        end
        same(shape:scaled(-1, 1), mapped(body, 1, function(u, v) return -u, v end), rng)
        local l, t, w, h = shape:bounds()
        same(shape:centered(), solid.placed(body, -l - w / 2, -t - h / 2), rng)
        near({ -w / 2, -h / 2, w, h }, { shape:centered():bounds() })
      end
    end)

    it("of the kind " .. kind .. " is the union of its parts", function()
      local rng = random.new(SEED)
      for _ = 1, random.rounds(15) do
        local shape, body = zoo.shape(rng, kind, 20)
        local parts = shape:parts()
        for _ = 1, 30 do
          local x, y = rng:float(-20, 20), rng:float(-20, 20)
          local inside = false
          for _, part in ipairs(parts) do inside = inside or part:contains(x, y) end
          if solid.rim(x, y, body) > 1e-9 then assert.equal(inside, shape:contains(x, y)) end
        end
        if zoo.CONVEX[kind] then assert.equal(1, #parts) end
        for _, part in ipairs(parts) do
          assert.equal(1, #part:parts())
          assert(zoo.CONVEX[part:kind()], part:kind())
        end
      end
    end)

    it("of the kind " .. kind .. " returns its points, radius and kind", function()
      local rng = random.new(SEED)
      for _ = 1, 20 do
        local shape, body = zoo.shape(rng, kind, 20)
        local points = {}
        for _, outline in ipairs(body) do
          for _, v in ipairs(outline) do points[#points + 1] = v end
        end
        near(points, shape:points(), 0)
        local round = kind == "circle" or kind == "capsule"
        near({ round and body[1].r or 0 }, { shape:radius() }, 0)
        local name = kind == "concave" and "polygon" or kind
        assert.equal(name, shape:kind())
        local text = tostring(shape)
        assert(text:sub(1, #name + 1) == name .. "(" and #text < 1000 and not text:find("\n"), text)
      end
    end)
  end
end)

describe("a compound that holds one polygon many times", function()
  local points = {}
  for i = 0, 65533 do points[2 * i + 1], points[2 * i + 2] = i, 0 end
  points[#points + 1], points[#points + 2] = 0, 9

  it("raises if its list of points would be too long", function()
    local shape = collide.polygon(points)
    for _ = 1, 3 do
      local members = {}
      for i = 1, 30 do members[i] = shape end
      shape = compound((unpack or table.unpack)(members)) -- luacheck: ignore
    end
    assert.equal(27000, #shape:parts())
    raises("not enough memory", shape.points, shape)
  end)
end)
