-- collide.overlap of rectangles and circles: whether they overlap, in which direction and how far.
local collide = require "collide"
local expect = require "spec.support.expect"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local near, overlap = expect.near, collide.overlap
local rectangle, circle = collide.rectangle, collide.circle

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

describe("a compound and a circle about the same point", function()
  --  o and O have their centres at 0, 0; the box leaves no way out to the right.
  it("are separated by the shortest way that also leaves the other member", function()
    local target = { x = 0, y = 0, shape = collide.compound(collide.circle(4),
      collide.rectangle(3, -5, 9, 10)) }
    local ball = { x = 0, y = 0, shape = collide.circle(2) }
    for _, pair in ipairs { { ball, target }, { target, ball } } do
      ball.x, ball.y, target.x, target.y = 0, 0, 0, 0
      local a, b = pair[1], pair[2]
      local nx, ny, depth = collide.overlap(a, b)
      assert.equal(6, depth)
      a.x, a.y = nx * depth, ny * depth
      local _, _, left = collide.overlap(a, b)
      assert.is_true((left or 0) <= 2 ^ -36, tostring(left))
    end
  end)
end)

describe("collide.overlap of rectangles", function()
  --   0    8 10   18
  -- 0 +----+-+----+
  --   | a  |.|  b |
  -- 10+----+-+----+
  it("returns the direction in which the first gets free, and the depth", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 8, 0)
    near({ -1, 0, 2 }, { overlap(a, b) }, 0)
    near({ 1, 0, 2 }, { overlap(b, a) }, 0)
    local c = at(rectangle(10, 10), 0, 7)
    near({ 0, -1, 3 }, { overlap(a, c) }, 0)
    near({ 0, 1, 3 }, { overlap(c, a) }, 0)
  end)

  it("is nil for rectangles that are apart", function()
    local a = at(rectangle(10, 10), 0, 0)
    assert.is_nil(overlap(a, at(rectangle(10, 10), 11, 0)))
    assert.is_nil(overlap(a, at(rectangle(10, 10), 0, -11)))
    assert.is_nil(overlap(a, at(rectangle(10, 10), 11, 11), true))
  end)

  it("counts a shared boundary only with touching, at depth 0", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 10, 3)
    assert.is_nil(overlap(a, b))
    assert.is_nil(overlap(a, b, false))
    near({ -1, 0, 0 }, { overlap(a, b, true) }, 0)
    near({ 1, 0, 0 }, { overlap(b, a, true) }, 0)
  end)

  it("gives an outward unit vector where only corners touch", function()
    local nx, ny, depth = overlap(at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 10, 10), true)
    assert.equal(0, depth)
    assert.is_true(nx <= 0 and ny <= 0)
    near({ 1 }, { nx * nx + ny * ny })
  end)

  it("leads out of a whole compound where a corner touches the seam of two members", function()
    local function box(l, t, w, h, turned)
      if turned then return rectangle(t, l, h, w) end
      return rectangle(l, t, w, h)
    end
    for _, turned in ipairs { false, true } do
      local row = collide.compound { box(-10, 0, 10, 10, turned), box(0, 0, 10, 10, turned) }
      local a, out = at(row, 0, 0), turned and { 1, 0, 0 } or { 0, 1, 0 }
      for _, left in ipairs { -5, 0 } do
        near(out, { overlap(a, at(box(left, -5, 5, 5, turned), 0, 0), true) }, 0)
      end
    end
  end)

  it("compares sums of doubles exactly, without a tolerance", function()
    local a = at(rectangle(0.2, 1), 0.1, 0)                   -- 0.1 + 0.2 > 0.3
    near({ -1, 0, 0.1 + 0.2 - 0.3 }, { overlap(a, at(rectangle(1, 1), 0.3, 0)) }, 1e-15)
    assert.is_nil(overlap(a, at(rectangle(1, 1), 0.1 + 0.2, 0)))
    near({ -1, 0, 0 }, { overlap(a, at(rectangle(1, 1), 0.1 + 0.2, 0), true) }, 0)
    assert.is_nil(overlap(at(rectangle(0.5, 1), 0, 0), at(rectangle(1, 1), 0.5 + 2 ^ -53, 0), true))
    local far = 2 ^ 39                                        -- one ulp is 2^-13 there
    assert.is_nil(overlap(at(rectangle(1, 1), far, 0), at(rectangle(1, 1), far + 1, 0)))
    near({ -1, 0, 2 ^ -13 },
      { overlap(at(rectangle(1, 1), far, 0), at(rectangle(1, 1), far + 1 - 2 ^ -13, 0)) }, 0)
  end)

  it("respects the corner of the shape", function()
    local a = at(rectangle(-5, -5, 10, 10), 0, 0)
    near({ -1, 0, 1 }, { overlap(a, at(rectangle(3, -5, 10, 10), 1, 0)) }, 0)
    assert.is_nil(overlap(a, at(rectangle(4, -5, 10, 10), 1, 0)))
  end)

  it("pushes a small rectangle out of a large one by the shortest way", function()
    local large, small = at(rectangle(100, 100), 0, 0), at(rectangle(2, 2), 50, 5)
    near({ 0, -1, 7 }, { overlap(small, large) }, 0)
    near({ 0, 1, 7 }, { overlap(large, small) }, 0)
  end)

  it("always chooses the same one of several shortest ways", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 0, 0)
    local nx, ny, depth = overlap(a, b)
    assert.equal(10, depth)
    assert.equal(1, math.abs(nx) + math.abs(ny))
    for _ = 1, 5 do near({ nx, ny, depth }, { overlap(a, b) }, 0) end
    a.x, b.x = 77, 77
    near({ nx, ny, depth }, { overlap(a, b) }, 0)
  end)
end)

describe("collide.overlap of circles", function()
  it("is along the line of centres", function()
    local a, b = at(circle(5), 0, 0), at(circle(10), 9, 12)
    assert.is_nil(overlap(a, b))
    assert.is_nil(overlap(a, b, false))
    near({ -0.6, -0.8, 0 }, { overlap(a, b, true) })
    near({ -0.6, -0.8, 5 }, { overlap(a, at(circle(10), 6, 8)) })
    near({ 0.6, 0.8, 5 }, { overlap(at(circle(10), 6, 8), a) })
  end)

  it("returns a depth and some direction for the same centre", function()
    local nx, ny, depth = overlap(at(circle(5), 3, 4), at(circle(2), 3, 4))
    near({ 1, 7 }, { nx * nx + ny * ny, depth })
  end)

  it("respects the centre, and turns it with the angle", function()
    near({ -1, 0, 1 }, { overlap(at(circle(10, 0, 5), 0, 0), at(circle(-5, 0, 5), 24, 0)) })
    near({ 0, -1, 1 }, { overlap(at(circle(10, 0, 5), 0, 0, math.pi / 2), at(circle(5), 0, 19)) })
  end)
end)

describe("collide.overlap of a circle and a rectangle", function()
  local wall = at(rectangle(20, 20), 0, 0)

  it("is by a side", function()
    near({ 0, -1, 2 }, { overlap(at(circle(5), 10, -3), wall) })
    near({ 0, 1, 2 }, { overlap(wall, at(circle(5), 10, -3)) })
    assert.is_nil(overlap(at(circle(5), 10, -5), wall))
    near({ 0, -1, 0 }, { overlap(at(circle(5), 10, -5), wall, true) })
  end)

  it("is by a corner", function()
    near({ -0.6, -0.8, 5 }, { overlap(at(circle(10), -3, -4), wall) })
    assert.is_nil(overlap(at(circle(5), -3, -4), wall))
    near({ -0.6, -0.8, 0 }, { overlap(at(circle(5), -3, -4), wall, true) })
    assert.is_nil(overlap(at(circle(4.9), -3, -4), wall, true))
  end)

  it("is the nearest side when the centre lies inside", function()
    near({ 1, 0, 8 }, { overlap(at(circle(5), 17, 10), wall) })
    near({ -1, 0, 8 }, { overlap(wall, at(circle(5), 17, 10)) })
  end)
end)

describe("collide.overlap with angles", function()
  --      a square of 10 on its tip: half its diagonal is 7.07
  it("turns a rectangle about its corner", function()
    local tip = at(rectangle(10, 10), 0, 0, math.pi / 4)
    local half = 5 * math.sqrt(2)
    near({ 1, 0, half - 5 }, { overlap(at(rectangle(10, 4), 5, half - 2), tip) })
    assert.is_nil(overlap(at(rectangle(10, 4), half + 0.001, half - 2), tip))
    assert.is_nil(overlap(at(rectangle(3, 3), 4, 0), tip))
  end)

  it("is by the turned side where that is the shortest way", function()
    local tip = at(rectangle(10, 10):centered(), 0, 0, math.pi / 4)
    local r = math.sqrt(0.5)
    near({ r, r, 1 }, { overlap(at(circle(2), 6 * r, 6 * r), tip) })
  end)

  it("takes nil for 0", function()
    local a, b = at(rectangle(10, 10), 0, 0, 0), at(rectangle(10, 10), 8, 0)
    near({ -1, 0, 2 }, { overlap(a, b) }, 0)
    a.angle = nil
    near({ -1, 0, 2 }, { overlap(a, b) }, 0)
  end)

  it("separates, and moves no farther than needed (seed " .. random.seed() .. ")", function()
    local rng = random.new(random.seed())
    local hits = 0
    for i = 1, 1000 do
      local list = {}
      for k = 1, 2 do
        local x, y = rng:float(-9, 9), rng:float(-9, 9)
        local shape = rng:chance(0.7) and rectangle(x, y, rng:float(1, 20), rng:float(1, 20))
          or circle(x, y, rng:float(1, 9))
        list[k] = at(shape, rng:float(-15, 15), rng:float(-15, 15), rng:float(-4, 4))
      end
      local a, b = list[1], list[2]
      local nx, ny, depth = overlap(a, b)
      local mx, my, back = overlap(b, a)
      assert.equal(nx == nil, mx == nil)
      if nx then
        hits = hits + 1
        near({ 1 }, { nx * nx + ny * ny })
        near({ -nx, -ny, depth }, { mx, my, back }, 1e-6)
        local more, less = depth + 1e-6, depth - 1e-6
        local free = at(a.shape, a.x + nx * more, a.y + ny * more, a.angle)
        assert(not overlap(free, b), "case " .. i .. " is not separated")
        free.x, free.y = a.x + nx * less, a.y + ny * less
        assert(depth < 1e-6 or overlap(free, b), "case " .. i .. " is moved too far")
        -- No other direction is shorter.
        for k = 1, 16 do
          local turn = k * math.pi / 8
          free.x, free.y = a.x + math.cos(turn) * less, a.y + math.sin(turn) * less
          assert(depth < 1e-6 or overlap(free, b), "case " .. i .. " has a shorter way out")
        end
      end
    end
    assert.is_true(hits > 150 and hits < 900, hits .. " hits")
  end)
end)

describe("collide.overlap without angles", function()
  it("agrees with the definition (seed " .. random.seed() .. ")", function()
    local rng = random.new(random.seed())
    local function any(int)
      local number = int and rng.int or rng.float
      local x, y = number(rng, -8, 8), number(rng, -8, 8)
      if rng:chance(0.6) then
        local w, h = number(rng, 1, 12), number(rng, 1, 12)
        return rectangle(x, y, w, h), oracle.rectangle(x, y, w, h)
      end
      local r = number(rng, 1, 7)
      return circle(x, y, r), oracle.circle(x, y, r)
    end
    for i = 1, 2000 do
      local int, touching = rng:chance(0.6), rng:chance(0.5)
      local number = int and rng.int or rng.float
      local a, A = any(int)
      local b, B = any(int)
      local ax, ay = number(rng, -10, 10), number(rng, -10, 10)
      local bx, by = number(rng, -10, 10), number(rng, -10, 10)
      local want = oracle.overlap(A, ax, ay, B, bx, by, touching)
      local nx, ny, depth = overlap(at(a, ax, ay), at(b, bx, by), touching)
      if not want then
        assert(nx == nil, "case " .. i .. " should not overlap")
      else
        assert(nx, "case " .. i .. " should overlap")
        local ok, what = oracle.agrees(want, nx, ny, depth)
        assert(ok, "case " .. i .. ": " .. tostring(what))
      end
    end
  end)
end)

describe("collide.overlap", function()
  it("reads any table with shape, x and y at the time of the call", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 8, 0)
    assert.equal(2, (select(3, overlap(a, b))))
    b.x = 100
    assert.is_nil(overlap(a, b))
    b.x = 5
    a.shape = circle(3)
    assert.is_nil(overlap(a, b))
  end)

  it("reads through __index", function()
    local class = { shape = rectangle(10, 10), x = 0, y = 0 }
    class.__index = class
    near({ -1, 0, 2 }, { overlap(setmetatable({}, class), setmetatable({ x = 8 }, class)) }, 0)
  end)

  it("also takes actors of a world, and the same table twice", function()
    local world = collide.newWorld()
    local a = world:add(at(rectangle(10, 4), 0, 0))
    assert.equal(4, (select(3, overlap(a, a))))
    a.x = 50
    near({ -1, 0, 2 }, { overlap(a, at(rectangle(10, 4), 58, 0)) }, 0)
  end)
end)
