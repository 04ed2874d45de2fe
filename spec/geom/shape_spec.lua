-- Rectangles and circles: construction and the methods of shapes.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near = expect.near

-- The points of a flat list in sorted order.
local function sorted(flat)
  local points = {}
  for i = 1, #flat, 2 do points[#points + 1] = { flat[i], flat[i + 1] } end
  table.sort(points, function(p, q)
    if math.abs(p[1] - q[1]) > 1e-9 then return p[1] < q[1] end
    return p[2] < q[2]
  end)
  local out = {}
  for _, p in ipairs(points) do
    out[#out + 1] = p[1]
    out[#out + 1] = p[2]
  end
  return out
end

describe("collide.rectangle", function()
  it("has its top-left corner at 0, 0 when given a size", function()
    near({ 0, 0, 20, 10 }, { collide.rectangle(20, 10):bounds() }, 0)
  end)

  it("has its top-left corner at a given point", function()
    near({ -3, 4, 20, 10 }, { collide.rectangle(-3, 4, 20, 10):bounds() }, 0)
  end)

  it("has a kind, area, radius and corners", function()
    local shape = collide.rectangle(-3, 4, 20, 10)
    assert.equal("rectangle", shape:kind())
    near({ 200 }, { shape:area() }, 0)
    near({ 0 }, { shape:radius() }, 0)
    near({ -3, 4, -3, 14, 17, 4, 17, 14 }, sorted(shape:points()), 0)
  end)

  it("contains its inside and its boundary", function()
    local shape = collide.rectangle(-3, 4, 20, 10)
    for _, p in ipairs { { 0, 10 }, { -3, 4 }, { 17, 14 }, { -3, 9 }, { 5, 14 } } do
      assert.is_true(shape:contains(p[1], p[2]))
    end
    for _, p in ipairs { { -3.001, 9 }, { 17.001, 9 }, { 5, 3.999 }, { 5, 14.001 }, { 99, 99 } } do
      assert.is_false(shape:contains(p[1], p[2]))
    end
  end)

  it("takes the largest sizes and coordinates", function()
    near({ -1e12, -1e12, 1e12, 1e12 }, { collide.rectangle(-1e12, -1e12, 1e12, 1e12):bounds() }, 0)
  end)

  it("takes a tiny size", function()
    near({ 1e-9 * 1e-9 }, { collide.rectangle(1e-9, 1e-9):area() }, 1e-24)
  end)
end)

describe("collide.circle", function()
  it("has its centre at 0, 0 when given a radius", function()
    near({ -5, -5, 10, 10 }, { collide.circle(5):bounds() }, 0)
  end)

  it("has its centre at a given point", function()
    near({ 5, -3, 10, 10 }, { collide.circle(10, 2, 5):bounds() }, 0)
  end)

  it("has a kind, area, radius and centre", function()
    local shape = collide.circle(10, 2, 5)
    assert.equal("circle", shape:kind())
    near({ math.pi * 25 }, { shape:area() })
    near({ 5 }, { shape:radius() }, 0)
    near({ 10, 2 }, shape:points(), 0)
  end)

  it("contains its inside and its boundary", function()
    local shape = collide.circle(10, 2, 5)
    for _, p in ipairs { { 10, 2 }, { 15, 2 }, { 13, 6 }, { 10, -3 } } do
      assert.is_true(shape:contains(p[1], p[2]))
    end
    for _, p in ipairs { { 15.001, 2 }, { 14, 6 }, { 5, -3 } } do
      assert.is_false(shape:contains(p[1], p[2]))
    end
  end)
end)

describe("shape:bounds", function()
  it("takes a position", function()
    near({ 7, 24, 20, 10 }, { collide.rectangle(-3, 4, 20, 10):bounds(10, 20) }, 0)
    near({ 15, 17, 10, 10 }, { collide.circle(10, 2, 5):bounds(10, 20) }, 0)
  end)

  --   the corner stays at 10, 20; turned by 90° the width points down
  it("turns a rectangle about the position, which is its corner", function()
    near({ 5, 20, 5, 30 }, { collide.rectangle(30, 5):bounds(10, 20, math.pi / 2) })
    near({ -20, 15, 30, 5 }, { collide.rectangle(30, 5):bounds(10, 20, math.pi) })
  end)

  it("turns a circle that is off its position", function()
    near({ -7, 5, 10, 10 }, { collide.circle(10, 2, 5):bounds(0, 0, math.pi / 2) })
  end)

  it("contains every corner, at any angle (seed " .. random.seed() .. ")", function()
    local rng = random.new(random.seed())
    for _ = 1, 200 do
      local w, h = rng:float(1, 50), rng:float(1, 50)
      local x, y, angle = rng:float(-99, 99), rng:float(-99, 99), rng:float(-7, 7)
      local l, t, bw, bh = collide.rectangle(w, h):bounds(x, y, angle)
      local c, s = math.cos(angle), math.sin(angle)
      local xs = { x, x + w * c, x - h * s, x + w * c - h * s }
      local ys = { y, y + w * s, y + h * c, y + w * s + h * c }
      near({ math.min(xs[1], xs[2], xs[3], xs[4]), math.min(ys[1], ys[2], ys[3], ys[4]),
        math.max(xs[1], xs[2], xs[3], xs[4]), math.max(ys[1], ys[2], ys[3], ys[4]) },
        { l, t, l + bw, t + bh })
    end
  end)
end)

describe("shape:translated", function()
  it("returns a moved shape and leaves the old one unchanged", function()
    local old = collide.rectangle(1, 2, 3, 4)
    near({ 11, -18, 3, 4 }, { old:translated(10, -20):bounds() }, 0)
    near({ 1, 2, 3, 4 }, { old:bounds() }, 0)
    near({ 11, -18 }, collide.circle(1, 2, 5):translated(10, -20):points(), 0)
  end)

  it("keeps the kind", function()
    assert.equal("rectangle", collide.rectangle(3, 4):translated(1, 1):kind())
    assert.equal("circle", collide.circle(3):translated(1, 1):kind())
  end)
end)

describe("shape:rotated", function()
  it("turns about 0, 0", function()
    near({ -5, 0, 5, 30 }, { collide.rectangle(30, 5):rotated(math.pi / 2):bounds() })
    near({ -2, 10 }, collide.circle(10, 2, 5):rotated(math.pi / 2):points())
  end)

  it("keeps area and corners", function()
    local shape = collide.rectangle(2, 2):rotated(math.pi / 4)
    near({ 4 }, { shape:area() })
    local r = math.sqrt(2)
    near({ -r, r, 0, 0, 0, 2 * r, r, r }, sorted(shape:points()))
    assert.is_true(shape:contains(0, 1))
    assert.is_false(shape:contains(1, 0.5))
  end)

  it("is undone by the opposite angle", function()
    near({ 1, 2, 3, 4 }, { collide.rectangle(1, 2, 3, 4):rotated(0.7):rotated(-0.7):bounds() })
  end)
end)

describe("shape:scaled", function()
  it("scales about 0, 0, by one factor or by one for each axis", function()
    near({ 2, 4, 6, 8 }, { collide.rectangle(1, 2, 3, 4):scaled(2):bounds() }, 0)
    near({ 2, 6, 6, 12 }, { collide.rectangle(1, 2, 3, 4):scaled(2, 3):bounds() }, 0)
    local large = collide.circle(1, 2, 5):scaled(10)
    near({ 50 }, { large:radius() }, 0)
    near({ 10, 20 }, large:points(), 0)
    near({ 10, 20 }, collide.circle(1, 2, 5):scaled(10, 10):points(), 0)
  end)

  it("refuses unequal scales for a round shape", function()
    expect.raises("shape:scaled", function() collide.circle(5):scaled(2, 3) end)
  end)
end)

describe("shape:centered", function()
  it("puts the middle of the bounds at 0, 0", function()
    near({ -15, -2.5, 30, 5 }, { collide.rectangle(30, 5):centered():bounds() }, 0)
    near({ -5, -5, 10, 10 }, { collide.circle(7, 8, 5):centered():bounds() }, 0)
  end)
end)

describe("shape:upright", function()
  it("ignores the angle", function()
    local shape = collide.rectangle(30, 5):upright()
    near({ 10, 20, 30, 5 }, { shape:bounds(10, 20, 1) }, 0)
    local floor = { x = 0, y = 56, shape = collide.rectangle(100, 10) }
    assert.is_nil(collide.overlap({ x = 0, y = 50, angle = 0.1, shape = shape }, floor))
    local turning = { x = 0, y = 50, angle = 0.1, shape = collide.rectangle(30, 5) }
    assert.is_truthy(collide.overlap(turning, floor))
    near({ 5, -3, 10, 10 }, { collide.circle(10, 2, 5):upright():bounds(0, 0, 1) }, 0)
  end)

  it("leaves the old one unchanged", function()
    local old = collide.rectangle(30, 5)
    old:upright()
    near({ 5, 20, 5, 30 }, { old:bounds(10, 20, math.pi / 2) })
  end)

  it("stays upright when it is moved or scaled", function()
    local shape = collide.rectangle(30, 5):upright():translated(1, 1):scaled(2)
    near({ 2, 2, 60, 10 }, { shape:bounds(0, 0, 1) }, 0)
  end)
end)

describe("shape:parts", function()
  it("is a list of one shape for a convex shape", function()
    local parts = collide.rectangle(1, 2, 3, 4):parts()
    assert.equal(1, #parts)
    near({ 1, 2, 3, 4 }, { parts[1]:bounds() }, 0)
    parts = collide.circle(1, 2, 5):parts()
    assert.equal(1, #parts)
    near({ 5 }, { parts[1]:radius() }, 0)
  end)
end)

describe("a shape", function()
  it("has a readable tostring", function()
    local text = tostring(collide.rectangle(1, 2, 30, 40))
    assert.matches("rectangle", text, 1, true)
    assert.matches("30", text, 1, true)
    assert.matches("40", text, 1, true)
    text = tostring(collide.circle(7))
    assert.matches("circle", text, 1, true)
    assert.matches("7", text, 1, true)
  end)

  it("returns new lists that may be changed", function()
    local shape = collide.rectangle(3, 4)
    shape:points()[1] = 99
    near({ 0, 0, 0, 4, 3, 0, 3, 4 }, sorted(shape:points()), 0)
  end)

  it("cannot be changed", function()
    local shape = collide.rectangle(3, 4)
    assert.is_false(pcall(function() shape.w = 5 end))
    near({ 0, 0, 3, 4 }, { shape:bounds() }, 0)
  end)

  it("stays alive in a world if nothing else refers to it", function()
    local world = collide.newWorld { strict = false }
    local a = world:add { x = 0, y = 0, shape = collide.rectangle(10, 10) }
    world:add { x = 5, y = 5, shape = collide.circle(10) }
    a.shape = nil
    collectgarbage()
    collectgarbage()
    world:step()
    local n = 0
    for _ in world:hits() do n = n + 1 end
    assert.equal(1, n)
  end)
end)

describe("a size that is too small", function()
  it("is refused by its constructor", function()
    local small = " expected (number from 1e-60 to 1e12), got "
    expect.raises("collide.circle: r" .. small .. "9e-61", collide.circle, 9e-61)
    expect.raises("collide.rectangle: h" .. small .. "1e-300", collide.rectangle, 1, 1e-300)
    expect.raises("collide.capsule: r" .. small .. "1e-170", collide.capsule, 0, 0, 1, 0, 1e-170)
    expect.raises("collide.polygon: ", collide.polygon, 0, 0, 1e-170, 0, 0, 1e-170)
    expect.raises("sizes from 1e-60 on", function() collide.circle(1e-60):scaled(0.5) end)
  end)

  it("is accepted from 1e-60 on; smaller coordinates are 0", function()
    local dot = collide.circle(1e-60)
    assert.is_nil((collide.overlap({ x = 0, y = 0, shape = dot },
      { x = 3e-60, y = 0, shape = dot })))
    assert.is_number((collide.overlap({ x = 0, y = 0, shape = dot },
      { x = 1e-60, y = 0, shape = dot })))
    assert.same({ 0, 0, 1, 0 }, collide.segment(1e-200, -1e-61, 1, 1e-61):points())
  end)
end)
