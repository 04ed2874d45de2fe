-- collide.capsule and collide.segment.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near, raises, overlap = expect.near, expect.raises, collide.overlap
local capsule, segment = collide.capsule, collide.segment

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

describe("collide.capsule", function()
  --      .---------.
  --     ( 0,0   20,0 )     radius 5
  --      '---------'
  local flat = capsule(0, 0, 20, 0, 5)

  it("has a kind, area, radius, bounds and ends", function()
    assert.equal("capsule", flat:kind())
    near({ 200 + 25 * math.pi }, { flat:area() })
    near({ 5 }, { flat:radius() }, 0)
    near({ -5, -5, 30, 10 }, { flat:bounds() }, 0)
    near({ 0, 0, 20, 0 }, flat:points(), 0)
    assert.equal("capsule(0, 0, 20, 0, 5)", tostring(flat))
    assert.equal("capsule", flat:parts()[1]:kind())
    assert.equal(1, #flat:parts())
  end)

  it("contains its inside and its boundary", function()
    for _, p in ipairs { { 10, 0 }, { 10, 5 }, { 10, -5 }, { -5, 0 }, { 25, 0 }, { 23, 4 },
      { -3, -4 }, { 0, 0 } } do
      assert(flat:contains(p[1], p[2]), ("%g, %g is not in it"):format(p[1], p[2]))
    end
    for _, p in ipairs { { 10, 5.001 }, { -5.001, 0 }, { 23.01, 4.01 }, { -4, -4 }, { 25, 5 } } do
      assert(not flat:contains(p[1], p[2]), ("%g, %g is in it"):format(p[1], p[2]))
    end
  end)

  it("may have zero length, and is a circle then", function()
    local dot, ball = capsule(3, 4, 3, 4, 5), collide.circle(3, 4, 5)
    assert.equal("capsule", dot:kind())
    near({ 25 * math.pi }, { dot:area() })
    near({ -2, -1, 10, 10 }, { dot:bounds() }, 0)
    local rng = random.new(1)
    for _ = 1, 100 do
      local other = at(collide.rectangle(6, 3), rng:float(-9, 9), rng:float(-9, 9), rng:float(0, 6))
      local nx, ny, depth = overlap(at(dot, 0, 0), other)
      local mx, my, deep = overlap(at(ball, 0, 0), other)
      near({ mx or 0, my or 0, deep or 0 }, { nx or 0, ny or 0, depth or 0 })
    end
    assert(overlap(at(dot, 0, 0), at(ball, 0, 0)))
    near({ 10 }, { (select(3, overlap(at(dot, 0, 0), at(ball, 0, 0)))) })
  end)

  it("turns with the actor, about its position", function()
    near({ -5, -5, 10, 30 }, { flat:bounds(0, 0, math.pi / 2) })
    near({ 1, 0, 2 }, { overlap(at(collide.circle(1), 4, 10), at(flat, 0, 0, math.pi / 2)) })
    assert.is_nil(overlap(at(collide.circle(1), 10, 0), at(flat, 0, 0, math.pi / 2)))
  end)

  it("is translated, rotated, scaled and centred", function()
    near({ 10, -7, 30, 10 }, { flat:translated(15, -2):bounds() }, 0)
    near({ -5, -5, 10, 30 }, { flat:rotated(math.pi / 2):bounds() })
    near({ -10, -10, 60, 20 }, { flat:scaled(2):bounds() }, 0)
    near({ -25, -5, 30, 10 }, { flat:scaled(-1, 1):bounds() }, 0)
    near({ -15, -5, 30, 10 }, { flat:centered():bounds() }, 0)
    for _, shape in ipairs { flat:translated(1, 1), flat:rotated(1), flat:scaled(3),
      flat:centered(), flat:upright() } do
      assert.equal("capsule", shape:kind())
    end
    near({ 15 }, { flat:scaled(3):radius() }, 0)
    near({ -5, -5, 30, 10 }, { flat:upright():bounds(0, 0, 1) }, 0)
  end)

  it("refuses unequal scales", function()
    raises({ "shape:scaled: sy expected (", "got 3" }, flat.scaled, flat, 2, 3)
  end)

  --   ( a        )
  --       |  b   )       end to side
  it("is pushed out by a side or by an end", function()
    near({ 0, -1, 4 }, { overlap(at(flat, 0, 0), at(flat, 0, 6)) })
    near({ -1, 0, 3 }, { overlap(at(flat, 0, 0), at(flat, 27, 0)) })
    near({ -0.6, -0.8, 5 }, { overlap(at(flat, 0, 0), at(flat, 23, 4)) })
    near({ -0.6, -0.8, 2.5 }, { overlap(at(flat, 0, 0), at(collide.rectangle(30, 30), 21.5, 2)) })
    near({ 0, -1, 2 }, { overlap(at(flat, 0, 0), at(collide.rectangle(60, 30), -20, 3)) })
  end)

  it("is pushed out the shortest way if it crosses another", function()
    local upright = capsule(0, -10, 0, 10, 5)
    local nx, ny, depth = overlap(at(upright, 8, 0), at(flat, 0, 0))
    near({ 18 }, { depth })                  -- to the left: 8 + 5 + 5
    near({ -1, 0 }, { nx, ny })
    nx, ny, depth = overlap(at(upright, 10, 2), at(flat, 0, 0))
    near({ 0, 1, 18 }, { nx, ny, depth })    -- down: 20 - 2, upright's half + 5 + 5
  end)

  it("touches exactly, at integer coordinates", function()
    assert.is_nil(overlap(at(flat, 0, 0), at(flat, 0, 10)))
    near({ 0, -1, 0 }, { overlap(at(flat, 0, 0), at(flat, 0, 10), true) }, 0)
    assert.is_nil(overlap(at(flat, 0, 0), at(flat, 26, 8)))
    near({ -0.6, -0.8, 0 }, { overlap(at(flat, 0, 0), at(flat, 26, 8), true) }, 1e-15)
    near({ 0 }, { (collide.distance(at(flat, 0, 0), at(flat, 26, 8))) }, 0)
    assert.is_nil(overlap(at(flat, 0, 0), at(flat, 26, 8 + 1e-9), true))
  end)
end)

describe("collide.segment", function()
  local line = segment(0, 0, 20, 10)

  it("has a kind, area, radius, bounds and ends", function()
    assert.equal("segment", line:kind())
    near({ 0, 0 }, { line:area(), line:radius() }, 0)
    near({ 0, 0, 20, 10 }, { line:bounds() }, 0)
    near({ 5, -3, 0, 7 }, { segment(5, 4, 5, -3):bounds() }, 0)
    near({ 0, 0, 20, 10 }, line:points(), 0)
    assert.equal("segment(0, 0, 20, 10)", tostring(line))
    assert.equal("segment", line:parts()[1]:kind())
    assert.equal(1, #line:parts())
  end)

  it("contains points exactly on it", function()
    for _, p in ipairs { { 0, 0 }, { 20, 10 }, { 10, 5 }, { 2, 1 }, { 0.5, 0.25 } } do
      assert(line:contains(p[1], p[2]), ("%g, %g is not in it"):format(p[1], p[2]))
    end
    for _, p in ipairs { { 22, 11 }, { -2, -1 }, { 10, 5 + 1e-12 }, { 10, 5 - 1e-12 } } do
      assert(not line:contains(p[1], p[2]), ("%g, %g is in it"):format(p[1], p[2]))
    end
  end)

  it("is translated, rotated and scaled, unequally too", function()
    near({ 5, 5, 25, 15 }, line:translated(5, 5):points(), 0)
    near({ 0, 0, -10, 20 }, line:rotated(math.pi / 2):points())
    near({ 0, 0, 40, -10 }, line:scaled(2, -1):points(), 0)
    near({ -10, -5, 10, 5 }, line:centered():points(), 0)
    near({ -10, 0, 10, 20 }, { line:bounds(0, 0, math.pi / 2) })
    near({ 0, 0, 20, 10 }, { line:upright():bounds(0, 0, 1) }, 0)
  end)

  it("refuses zero length", function()
    raises({ "collide.segment: ", "expected (" }, segment, 3, 4, 3, 4)
  end)

  --        |
  --    ----+----    crosses, depth is the shorter way
  --        |
  it("hits a segment that it crosses", function()
    local flat, steep = at(segment(0, 0, 20, 0), 0, 0), at(segment(0, -3, 0, 30), 10, 0)
    near({ 0, -1, 3 }, { overlap(flat, steep) })
    near({ 0, 1, 3 }, { overlap(steep, flat) })
  end)

  it("only touches a segment that it meets in a T, or lies along", function()
    local flat = at(segment(0, 0, 20, 0), 0, 0)
    for _, other in ipairs { segment(10, 0, 10, 30), segment(20, 0, 40, 7), segment(5, 0, 30, 0),
      segment(0, 0, 20, 0), segment(20, 0, 30, 0), segment(4, 0, 6, 0) } do
      assert.is_nil(overlap(flat, at(other, 0, 0)))
      assert.is_nil(overlap(at(other, 0, 0), flat))
      local nx, ny, depth = overlap(flat, at(other, 0, 0), true)
      assert.equal(0, depth)
      near({ 1 }, { nx * nx + ny * ny })
    end
    assert.is_nil(overlap(flat, at(segment(21, 0, 30, 0), 0, 0), true))
    assert.is_nil(overlap(flat, at(segment(0, 1, 20, 1), 0, 0), true))
  end)

  --   +------+
  --   | ---- |--     partly inside an area
  --   +------+
  it("hits an area that contains it or a part of it", function()
    local box = at(collide.rectangle(40, 20), 0, 0)
    near({ 0, -1, 5 }, { overlap(at(segment(0, 0, 10, 0), 15, 5), box) })
    near({ 1, 0, 2 }, { overlap(at(segment(0, 0, 30, 0), 38, 10), box) })
    near({ 0, 1, 2 }, { overlap(at(segment(0, 0, 0, 30), 20, 18), box) })
    assert.is_nil(overlap(at(segment(0, 0, 10, 0), 15, 0), box))       -- along an edge
    assert.is_nil(overlap(at(segment(-5, 5, 5, -5), 0, 0), box))       -- over a corner
    near({ 0, -1, 0 }, { overlap(at(segment(0, 0, 10, 0), 15, 0), box, true) }, 0)
    assert.equal(0, (select(3, overlap(at(segment(-5, 5, 5, -5), 0, 0), box, true))))
  end)

  it("hits a circle by its middle and by its ends", function()
    local ball = at(collide.circle(5), 0, 0)
    near({ 0, 1, 2 }, { overlap(at(segment(-20, 3, 20, 3), 0, 0), ball) })
    near({ 0.6, 0.8, 0 }, { overlap(at(segment(3, 4, 9, 12), 0, 0), ball, true) }, 1e-15)
    assert.is_nil(overlap(at(segment(3, 4, 9, 12), 0, 0), ball))
    near({ 0, 1, 0 }, { overlap(at(segment(-20, 5, 20, 5), 0, 0), ball, true) }, 0)
    assert.is_nil(overlap(at(segment(-20, 5, 20, 5), 0, 0), ball))
    local nx, ny, depth = overlap(at(segment(-20, 0, 20, 0), 0, 0), ball)
    near({ 0, 1, 5 }, { nx, math.abs(ny), depth })
  end)
end)
