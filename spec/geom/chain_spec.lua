-- collide.chain: connected segments, open or closed, without an inside and
-- without false normals at the joints.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near, raises, overlap = expect.near, expect.raises, collide.overlap
local chain, circle, rectangle = collide.chain, collide.circle, collide.rectangle
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

describe("collide.chain", function()
  --  0,10        20,10
  --     \        /
  --      \      /
  --    5,0 --- 15,0
  local bowl = { 0, 10, 5, 0, 15, 0, 20, 10 }

  it("has a kind, points, bounds and parts", function()
    local shape = chain(bowl)
    assert.equal("chain", shape:kind())
    near({ 0, 0 }, { shape:area(), shape:radius() }, 0)
    near({ 0, 0, 20, 10 }, { shape:bounds() }, 0)
    near(bowl, shape:points(), 0)
    assert.equal(3, #shape:parts())
    for i, part in ipairs(shape:parts()) do
      assert.equal("segment", part:kind())
      near({ bowl[2 * i - 1], bowl[2 * i], bowl[2 * i + 1], bowl[2 * i + 2] }, part:points(), 0)
    end
  end)

  it("also takes the points as separate arguments", function()
    assert.equal(tostring(chain(bowl)), tostring(chain(0, 10, 5, 0, 15, 0, 20, 10)))
    assert.equal(tostring(chain(bowl, true)), tostring(chain(0, 10, 5, 0, 15, 0, 20, 10, true)))
    assert.equal(tostring(chain(bowl)), tostring(chain(0, 10, 5, 0, 15, 0, 20, 10, false)))
    raises("collide.chain: y2 expected (finite number within ±1e12), got nil", chain, 0, 0, 9)
    raises("collide.chain: y2 expected (finite number within ±1e12), got boolean true", chain,
      0, 0, 9, true)
    raises("collide.chain: x2 expected (finite number within ±1e12), got boolean true", chain, 0, 0,
      true, 5)
    raises("collide.chain: points expected (3 different ones or more), got 1", chain, 0, 0, true)
  end)

  it("joins its ends when it is closed", function()
    local shape = chain(bowl, true)
    near(bowl, shape:points(), 0)
    near({ 0 }, { shape:area() }, 0)
    assert.equal(4, #shape:parts())
    assert.equal(3, #chain(bowl, false):parts())
    assert(shape:contains(10, 10))
    assert(not chain(bowl):contains(10, 10))
  end)

  it("has a part between each two consecutive points, and repeating the first closes it", function()
    assert.equal(1, #chain({ 0, 0, 10, 0 }):parts())
    assert.equal(4, #chain({ 0, 0, 9, 0, 9, 9, 0, 9, 0, 0 }):parts())
    assert.equal(4, #chain({ 0, 0, 9, 0, 9, 9, 0, 9, 0, 0 }, true):parts())
  end)

  it("drops repeated points", function()
    local shape = chain { 0, 0, 0, 0, 10, 0, 10, 0, 10, 10, 10, 10 }
    near({ 0, 0, 10, 0, 10, 10 }, shape:points(), 0)
    assert.equal(2, #shape:parts())
  end)

  it("may cross itself and go back the way it came", function()
    assert.equal(3, #chain({ 0, 0, 10, 10, 10, 0, 0, 10 }):parts())
    assert.equal(2, #chain({ 0, 0, 10, 0, 5, 0 }):parts())
  end)

  it("contains points exactly on it, and no others", function()
    local shape = chain(bowl, true)
    for _, p in ipairs { { 0, 10 }, { 5, 0 }, { 10, 0 }, { 2.5, 5 }, { 10, 10 }, { 20, 10 } } do
      assert(shape:contains(p[1], p[2]))
    end
    for _, p in ipairs { { 10, 5 }, { 10, 1e-12 }, { 2.5, 5 + 1e-12 }, { 10, -1 } } do
      assert(not shape:contains(p[1], p[2]))
    end
  end)

  it("is translated, rotated, scaled and centred", function()
    local shape = chain(bowl)
    near({ 1, 12, 6, 2, 16, 2, 21, 12 }, shape:translated(1, 2):points(), 0)
    near({ -10, 0, 0, 5, 0, 15, -10, 20 }, shape:rotated(math.pi / 2):points())
    near({ 0, -10, 10, 0, 30, 0, 40, -10 }, shape:scaled(2, -1):points(), 0)
    near({ -10, 5, -5, -5, 5, -5, 10, 5 }, shape:centered():points(), 0)
    near({ 0, 0, 20, 10 }, { shape:upright():bounds(0, 0, 1) }, 0)
    near({ -10, 0, 10, 20 }, { shape:bounds(0, 0, math.pi / 2) })
    assert.equal(4, #chain(bowl, true):scaled(2):parts())
    assert.equal("chain", shape:rotated(1):kind())
  end)

  it("prints readably", function()
    local text = tostring(chain(bowl))
    assert(text:find("chain", 1, true) and text:find("0, 10, 5, 0", 1, true), text)
    assert.are_not.equal(text, tostring(chain(bowl, true)))
  end)

  it("refuses fewer than two points that differ, closed three", function()
    raises({ "collide.chain: points expected (2 ", "got" }, chain, { 0, 0 })
    raises({ "collide.chain: points expected (2 ", "got" }, chain, {})
    raises({ "collide.chain: points expected (2 ", "got" }, chain, { 1, 1, 1, 1 })
    raises({ "collide.chain: points expected (3 ", "got" }, chain, { 0, 0, 1, 1 }, true)
  end)
end)

describe("overlap with a chain", function()
  --   +--------+
  --   |  o     |     closed, but hollow
  --   +--------+
  it("is nil inside a closed one", function()
    local room = at(chain({ 0, 0, 100, 0, 100, 50, 0, 50 }, true), 0, 0)
    assert.is_nil(overlap(at(circle(5), 50, 25), room, true))
    near({ 20 }, { (collide.distance(at(circle(5), 50, 25), room)) })
    near({ 0, 1, 2 }, { overlap(at(circle(5), 50, 3), room) })
    near({ 1, 0, 1 }, { overlap(at(circle(5), 4, 25), room) })
    near({ 0, -1, 2 }, { overlap(at(circle(5), 50, 47), room) })
    near({ 0, -1, 2 }, { overlap(at(circle(5), 50, -3), room) })
  end)

  --      o →
  --  +---+---+---+       no sideways normal at the joints of a straight line
  it("pushes a ball on a straight line up, at the joints too", function()
    local floor = at(chain { 0, 0, 10, 0, 20, 0, 30, 0, 40, 0 }, 0, 0)
    for i = 0, 80 do
      near({ 0, -1, 0.5 }, { overlap(at(circle(3), i / 2, -2.5), floor) }, 1e-12)
      near({ 0, 1, 0.5 }, { overlap(floor, at(circle(3), i / 2, -2.5)) }, 1e-12)
      near({ 0, 1, 0.5 }, { overlap(at(circle(3), i / 2, 2.5), floor) }, 1e-12)
    end
  end)

  --  the same floor in any direction, with joints anywhere, and balls of any size
  it("pushes a ball at a right angle off a straight line (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    for _ = 1, random.rounds(200) do
      local angle, list, along = rng:float(-3, 3), {}, 0
      for i = 1, 12 do
        list[2 * i - 1], list[2 * i] = along, 0
        along = along + rng:float(0.5, 9)
      end
      local c, s = math.cos(angle), math.sin(angle)
      local floor = at(chain(list), rng:float(-99, 99), rng:float(-99, 99), angle)
      local r, depth = rng:float(1, 5), rng:float(0.01, 0.9)
      local u, v = rng:float(0, along), rng:pick { -1, 1 } * (r - depth)
      local ball = at(circle(r), floor.x + c * u - s * v, floor.y + s * u + c * v)
      if u > 0 and u < list[23] then
        local side = v > 0 and 1 or -1
        near({ -s * side, c * side, depth }, { overlap(ball, floor) }, 1e-9)
      end
    end
  end)

  --     +--+ →
  --  +--|--|---+       a box slides over the joint
  --     +--+
  it("pushes a box on a straight line up, at the joints too", function()
    local floor = at(chain { 0, 0, 10, 0, 20, 0, 30, 0, 40, 0 }, 0, 0)
    for i = 4, 60 do
      near({ 0, -1, 0.5 }, { overlap(at(rectangle(4, 6), i / 2, -5.5), floor) }, 1e-12)
      near({ 0, 1, 0.5 }, { overlap(at(rectangle(4, 6), i / 2, -0.5), floor) }, 1e-12)
    end
  end)

  --  a ridge: above a side its normal, above the corner any direction between the two
  --        .
  --      /   \.
  it("gives directions between the two normals at a corner", function()
    local ridge = at(chain { -10, 10, 0, 0, 10, 10 }, 0, 0)
    near({ 0, -1, 1 }, { overlap(at(circle(2), 0, -1), ridge) })
    local r = math.sqrt(0.5)
    near({ r, -r, 1 }, { overlap(at(circle(2), 5 + r, 5 - r), ridge) })
    near({ -r, -r, 1 }, { overlap(at(circle(2), -5 - r, 5 - r), ridge) })
    -- from below it is a valley, and the ball has sunk into both sides
    near({ 0, 1, 0.5 }, { overlap(at(circle(2), 0, 2 * math.sqrt(2) - 0.5), ridge) })
  end)

  --  |
  --  +--      a segment through the joint crosses the chain, though it only
  --  |        touches each of its parts
  it("is found where a segment crosses exactly at a joint", function()
    local bent = at(chain { 0, 0, 10, 0, 20, 0 }, 0, 0)
    local across = at(collide.segment(10, -3, 10, 8), 0, 0)
    near({ 0, 1, 3 }, { overlap(across, bent) })
    near({ 0, -1, 3 }, { overlap(bent, across) })
    -- but not where it ends there, or comes from one side
    assert.is_nil(overlap(at(collide.segment(10, 0, 10, 8), 0, 0), bent))
    assert.is_nil(overlap(at(collide.chain { 5, -5, 10, 0, 15, -5 }, 0, 0), bent))
    assert.is_truthy(overlap(at(collide.chain { 5, -5, 10, 0, 15, -5 }, 0, 1), bent))
  end)

  it("finds where two chains touch", function()
    local flat = at(chain { 0, 0, 10, 0, 20, 0 }, 0, 0)
    local tip = at(chain { 5, 5, 7, 0, 9, 5 }, 0, 0)
    assert.is_nil(overlap(flat, tip))
    near({ 0, -1, 0 }, { overlap(flat, tip, true) }, 0)
    near({ 0 }, { (collide.distance(flat, tip)) }, 0)
    tip.y = 1e-9
    assert.is_nil(overlap(flat, tip, true))
    near({ 1e-9 }, { (collide.distance(flat, tip)) }, 1e-15)
    tip.y = -1
    near({ 0, -1, 1 }, { overlap(flat, tip) })
  end)

  it("turns with the actor", function()
    local floor = at(chain { 0, 0, 10, 0, 20, 0 }, 0, 0, math.pi / 2)
    near({ 1, 0, 1 }, { overlap(at(circle(2), 1, 10), floor) })
    near({ -1, 0, 1 }, { overlap(at(circle(2), -1, 15), floor) })
    floor.shape = floor.shape:upright()
    assert.is_nil(overlap(at(circle(2), 1, 10), floor))
  end)
end)
