-- Common faults of collision engines, one spec for each.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near, raises = expect.near, expect.raises
local overlap, distance, polygon = collide.overlap, collide.distance, collide.polygon
local rectangle, circle, segment, chain = collide.rectangle, collide.circle, collide.segment,
  collide.chain

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

-- Checks that the vector separates a convex pair, that no shorter one in its direction does, and
-- that swapping the two reverses it.
local function checkExit(a, b, eps)
  eps = eps or 1e-9
  local nx, ny, depth = overlap(a, b)
  assert(nx, "no overlap")
  near({ 1 }, { nx * nx + ny * ny }, 1e-12)
  local _, _, back = overlap(b, a)
  near({ depth }, { back }, eps)
  local step = depth + eps
  assert(not overlap(at(a.shape, a.x + nx * step, a.y + ny * step, a.angle), b), "not separated")
  step = 0.99 * depth
  assert(overlap(at(a.shape, a.x + nx * step, a.y + ny * step, a.angle), b), "0.99 separates")
  return nx, ny, depth
end

local function ring(n, r, turn)
  local points = {}
  for i = 1, n do
    local angle = (i + (turn or 0)) / n * 2 * math.pi
    points[2 * i - 1], points[2 * i] = r * math.cos(angle), r * math.sin(angle)
  end
  return points
end

describe("hard cases of convex shapes:", function()
  --   +------+
  --   | a +--|---+
  --   +---|--+ b |      all edges parallel, at any angle
  --       +------+
  it("parallel edges", function()
    for i = 0, 40 do
      local angle = i * 0.157
      local c, s = math.cos(angle), math.sin(angle)
      local a = at(rectangle(20, 10), 0, 0, angle)
      local b = at(polygon(0, 0, 20, 0, 20, 10, 0, 10), 15 * c - 2 * s, 15 * s + 2 * c, angle)
      near({ -c, -s, 5 }, { checkExit(a, b) })
      b.x, b.y = 4 * c - 8 * s, 4 * s + 8 * c
      near({ s, -c, 2 }, { checkExit(a, b) })
      b.x, b.y = 20.001 * c, 20.001 * s
      assert.is_nil(overlap(a, b))
    end
  end)

  --   +-----------+
  --   |   +--+    |     a lies in b: the depth includes a's own size
  --   |   |a |  b |
  --   |   +--+    |
  --   +-----------+
  it("containment", function()
    local b = at(rectangle(100, 80), 0, 0)
    near({ -1, 0, 40 }, { checkExit(at(rectangle(10, 10), 30, 35), b) })
    near({ 0, 1, 25 }, { checkExit(at(polygon(0, 0, 10, 0, 5, 10), 50, 55), b) })
    near({ 1, 0, 15 }, { checkExit(at(circle(5), 90, 40), b) })
    near({ 0, -1, 22 }, { checkExit(at(collide.capsule(-9, 0, 9, 0, 2), 50, 20), b) })
    near({ 1, 0, 13 }, { checkExit(at(segment(0, 0, 3, 3), 87, 40), b) })
    near({ -1, 0, 40 }, { checkExit(b, at(circle(5), 65, 40)) })
    near({ 0 }, { (distance(at(circle(5), 50, 40), b)) }, 0)
  end)

  --   +------+
  --   |a == b|      any of the shortest ways is right, but it must always be the same one
  --   +------+
  it("equal shapes at the same place", function()
    for _, shape in ipairs { rectangle(20, 10), circle(5), collide.capsule(0, 0, 9, 4, 3),
      polygon(0, 0, 20, 0, 5, 10), polygon(ring(9, 10)), rectangle(20, 10):rotated(0.3) } do
      local a, b = at(shape, 3, 4, 0.5), at(shape, 3, 4, 0.5)
      local nx, ny, depth = checkExit(a, b)
      assert(depth > 0)
      near({ nx, ny, depth }, { overlap(a, b) }, 0)
      near({ nx, ny, depth }, { overlap(a, a) }, 0)
      near({ 0 }, { (distance(a, b)) }, 0)
    end
    near({ 10 }, { (select(3, overlap(at(circle(5), 0, 0), at(circle(5), 0, 0)))) }, 0)
    near({ 10 }, { (select(3, overlap(at(rectangle(20, 10), 7, 7), at(rectangle(20, 10), 7, 7)))) },
      0)
  end)

  it("equal thin shapes at the same place, which only touch", function()
    local a = at(segment(0, 0, 10, 5), 3, 4, 0.5)
    assert.is_nil(overlap(a, a))
    local nx, ny, depth = overlap(a, a, true)
    near({ 1, 0 }, { nx * nx + ny * ny, depth }, 1e-12)
    near({ 0 }, { (distance(a, a)) }, 0)
  end)

  --   +----+
  --   | a  |
  --   +----+----+
  --        | b  |
  --        +----+
  it("touching corners", function()
    local a = at(rectangle(10, 10), 0, 0)
    for _, b in ipairs { at(rectangle(10, 10), 10, 10), at(polygon(0, 0, 10, 0, 0, 10), 10, 10),
      at(polygon(0, 0, 10, 3, 3, 10), 10, 10), at(segment(0, 0, 4, 5), 10, 10),
      at(segment(-5, 5, 5, -5), 10, 10) } do
      assert.is_nil(overlap(a, b))
      assert.is_nil(overlap(b, a))
      local nx, ny, depth = overlap(a, b, true)
      near({ 1, 0 }, { nx * nx + ny * ny, depth }, 1e-12)
      assert(nx <= 0 and ny <= 0, "no outward vector")
      assert(overlap(b, a, true))
      assert.equal(0, (distance(a, b)))
      near({ 0, 10, 10, 10, 10 }, { distance(a, b) })
      b.x = b.x + 1e-9
      assert.is_nil(overlap(a, b, true))
    end
  end)

  --       /\
  --  +---+  +          the corner of one against the edge of the other
  --  |   |\/
  --  +---+
  it("a corner that touches an edge", function()
    local tip = at(polygon(0, 0, 4, -4, 8, 0, 4, 4), 10, 5)
    local box = at(rectangle(10, 10), 0, 0)
    assert.is_nil(overlap(box, tip))
    near({ -1, 0, 0 }, { overlap(box, tip, true) }, 0)
    near({ 1, 0, 0 }, { overlap(tip, box, true) }, 0)
    tip.x = 10 - 2 ^ -40
    near({ -1, 0, 2 ^ -40 }, { overlap(box, tip) }, 0)
  end)

  --  ------------------- 10000 x 1 -------------------
  it("needles", function()
    local needle = rectangle(10000, 1)
    for i = 0, 24 do
      local angle = i * 0.26
      local c, s = math.cos(angle), math.sin(angle)
      -- beside the needle's middle, 0.25 deep from the side where y < 0
      local x, y = 5000 * c + 9.75 * s, 5000 * s - 9.75 * c
      near({ s, -c, 0.25 }, { checkExit(at(circle(10), x, y), at(needle, 0, 0, angle)) }, 1e-8)
    end
    local thin = polygon(-5000, 0, 5000, -0.5, 5000, 0.5)
    local _, ny, depth = checkExit(at(thin, 0, 0), at(thin, 0, -0.4))
    near({ 1, 0.6 }, { ny, depth }, 1e-3)
    for _, turn in ipairs { 1e-4, 1e-3, 0.01, 0.1, 1, 1.5707 } do
      checkExit(at(needle, 0, 0), at(needle, 20, 0.3, turn), 1e-7)
      checkExit(at(thin, 0, 0), at(thin, 20, 0.1, turn), 1e-7)
    end
    assert.is_nil(overlap(at(thin, 0, 0), at(circle(1), -5001.0001, 0)))
    near({ 1e-4 }, { (distance(at(thin, 0, 0), at(circle(1), -5001.0001, 0))) }, 1e-9)
  end)

  --   +----.----+     the middle point of each side is off by about 1e-12
  --   |         |
  it("near-collinear vertices", function()
    for _, off in ipairs { 0, 1e-16, -1e-16, 1e-13, -1e-13, 1e-12, -1e-12, 1e-10, -1e-10, 1e-8 } do
      local shape = polygon(0, 0, 50, off, 100, 0, 100 + off, 50, 100, 100, 50, 100 + off, 0, 100,
        -off, 50)
      near({ 0, -1, 3 }, { overlap(at(rectangle(10, 10), 45, -7), at(shape, 0, 0)) }, 1e-6)
      near({ 1, 0, 2 }, { overlap(at(circle(5), 103, 50), at(shape, 0, 0)) }, 1e-6)
      near({ 1, 0, 2 }, { overlap(at(circle(5), 103, 20), at(shape, 0, 0)) }, 1e-6)
    end
  end)

  --   *==+    the same vertex two and three times
  it("repeated vertices", function()
    local a = at(polygon(0, 0, 0, 0, 20, 0, 20, 10, 20, 10, 20, 10, 0, 10, 0, 0), 0, 0)
    local b = at(rectangle(20, 10), 0, 0)
    for _, other in ipairs { at(circle(4), -2, -1), at(rectangle(5, 5), 18, 3),
      at(circle(2), 10, 4), at(segment(0, 0, 9, 9), 13, 7) } do
      near({ overlap(b, other) }, { overlap(a, other) })
    end
  end)

  it("bow-ties and zero area, whose vertices are named", function()
    --  1   4
    --  | \/ |
    --  | /\ |
    --  3   2
    raises({ "(0, 0)", "(10, 10)", "(0, 10)", "(10, 0)" }, polygon, 0, 0, 10, 10, 0, 10, 10, 0)
    --  1---2---3
    raises({ "collide.polygon", "1 (1, 1)" }, polygon, 1, 1, 2, 1, 3, 1)
  end)

  --   a triangle, and a polygon that is nearly a circle
  it("3 and 500 vertices", function()
    local triangle, round = polygon(0, -10, 10, 10, -10, 10), polygon(ring(500, 100, 0.5))
    near({ 0, 1, 5 }, { checkExit(at(triangle, 0, 105), at(round, 0, 0)) }, 1e-2)
    near({ 0, 1, 5 }, { overlap(at(circle(10), 0, 105), at(round, 0, 0)) }, 1e-2)
    checkExit(at(round, 0, 0), at(round, 150, 70, 1))
    checkExit(at(round, 0, 0), at(round, 0, 0.5, 0.3))
    local _, _, depth = checkExit(at(round, 3, 0), at(round, 0, 0))
    near({ 197 }, { depth }, 0.1)
    near({ 10 }, { (distance(at(round, 0, 0), at(round, 0, 210, 0))) }, 0.1)
  end)
end)

describe("hard cases of rays:", function()
  -- 8 boxes around the origin, 20 to 30 away, and rays to each of them:
  --   . . .
  --   . + .
  --   . . .
  it("along +x and +y, backwards, and along each diagonal", function()
    for _, broadphase in ipairs(require "spec.support.broadphases") do
      local world = collide.newWorld { broadphase = broadphase }
      for dx = -1, 1 do
        for dy = -1, 1 do
          if dx ~= 0 or dy ~= 0 then
            local box = world:add { x = 25 * dx - 5, y = 25 * dy - 5, shape = rectangle(10, 10) }
            local actor, x, y, nx, ny, t = world:rayCast(0, 0, 100 * dx, 100 * dy)
            assert.equal(box, actor)
            near({ 20 * dx, 20 * dy, 0.2 }, { x, y, t }, 1e-12)
            if dx == 0 or dy == 0 then
              near({ -dx, -dy }, { nx, ny }, 0)
            else
              near({ 1 }, { nx * nx + ny * ny })
              assert(nx * dx <= 0 and ny * dy <= 0)
            end
          end
        end
      end
      -- and again with all boxes, from far outside
      local n = select(2, world:rayCastAll(-500, 25, 500, 25))
      assert.equal(3, n)
      n = select(2, world:rayCastAll(-25, 500, -25, -500))
      assert.equal(3, n)
      n = select(2, world:rayCastAll(-500, -500, 500, 500))
      assert.equal(2, n)
      n = select(2, world:rayCastAll(500, -500, -500, 500))
      assert.equal(2, n)
    end
  end)

  --   ->---+-----+---      the ray runs along the upper edge, or past a corner
  --        |     |
  it("along an edge and through a vertex", function()
    local world = collide.newWorld()
    local box = world:add { x = 10, y = 10, shape = rectangle(20, 10) }
    local actor, x, y, nx, ny, t = world:rayCast(0, 10, 100, 10)
    assert.equal(box, actor)
    near({ 10, 10, 0.1 }, { x, y, t })
    near({ 1 }, { nx * nx + ny * ny })
    assert(nx <= 0 and ny <= 0)
    assert.equal(box, (world:rayCast(0, 20, 100, 20)))
    assert.equal(box, (world:rayCast(30, 0, 30, 100)))
    assert.equal(box, (world:rayCast(0, 20, 20, 0)))       -- past the corner at 10, 10
    actor, x, y = world:rayCast(0, 20, 20, 0)
    assert.equal(box, actor)
    near({ 10, 10 }, { x, y })
    assert.is_nil((world:rayCast(0, 20 - 1e-9, 20 - 1e-9, 0)))
    assert.is_nil((world:rayCast(0, 10 - 1e-9, 100, 10 - 1e-9)))
    assert.equal(box, (world:rayCast(0, 0, 10, 10)))       -- ends in the corner
  end)

  --   a ray through the very joint of two segments, and of two boxes
  it("through a joint", function()
    local world = collide.newWorld()
    local line = world:add { x = 0, y = 0, shape = chain { 0, 0, 10, 0, 20, 0 } }
    for _, x in ipairs { 0, 5, 10, 15, 20 } do
      local actor, px, py, nx, ny, t = world:rayCast(x, -10, x, 10)
      assert.equal(line, actor)
      near({ x, 0, 0, -1, 0.5 }, { px, py, nx, ny, t })
      actor, px, py, nx, ny, t = world:rayCast(x, 10, x, -10)
      assert.equal(line, actor)
      near({ x, 0, 0, 1, 0.5 }, { px, py, nx, ny, t })
    end
    assert.is_nil((world:rayCast(20 + 1e-9, -10, 20 + 1e-9, 10)))
  end)
end)

-- Floors that are cut into convex parts: a step, a pit, a groove and teeth, each with the height of
-- its surface at places where a box of width 4 stands on one level.
local FLOORS = {
  --        +----
  --   -----+            a step: the corner at 50, 0 bends in
  step = { points = { 0, 0, 50, 0, 50, -20, 100, -20, 100, 40, 0, 40 },
    stands = { { 1, 0 }, { 20, 0 }, { 45.5, 0 }, { 46, 0 }, { 50, -20 }, { 51, -20 },
      { 70, -20 } } },
  --   ---+   +---
  --      |   |          a pit
  --      +---+
  pit = { points = { 0, 0, 40, 0, 40, 15, 60, 15, 60, 0, 100, 0, 100, 60, 0, 60 },
    stands = { { 10, 0 }, { 30, 0 }, { 35.9, 0 }, { 41, 15 }, { 48, 15 }, { 55, 15 }, { 60.5, 0 },
      { 80, 0 } } },
  --   ---\ /---
  --       V             a groove
  groove = { points = { 0, 0, 45, 0, 50, 8, 55, 0, 100, 0, 100, 60, 0, 60 },
    stands = { { 5, 0 }, { 30, 0 }, { 40, 0 }, { 41, 0 }, { 55, 0 }, { 56, 0 }, { 80, 0 } } },
  --   -------------     flat above, with teeth below: cuts come up to the surface
  teeth = { points = { 0, 0, 100, 0, 100, 60, 90, 60, 85, 5, 80, 60, 70, 60, 65, 5, 60, 60, 40, 60,
    35, 5, 30, 60, 0, 60 }, stands = {} },
}
for x = 3, 93 do
  local stands = FLOORS.teeth.stands
  stands[#stands + 1] = { x, 0 }
end

describe("hard cases of concave shapes:", function()
  --      +--+
  --  ----|--|-.----        sunk by a little beside a cut (the dots): up again,
  --      +--+ .            never sideways
  it("a box sunk into a concave floor beside a cut", function()
    for name, floor in pairs(FLOORS) do
      local shape = at(polygon(floor.points), 0, 0)
      for _, stand in ipairs(floor.stands) do
        local x, top = stand[1], stand[2]
        for _, depth in ipairs { 0.01, 0.5, 1 } do
          local box = at(rectangle(4, 6), x, top - 6 + depth)
          local nx, ny, d = overlap(box, shape)
          local what = ("%s: a box at %g sunk by %g"):format(name, x, depth)
          assert(nx, what)
          assert(math.abs(nx) < 1e-12 and ny == -1 and math.abs(d - depth) < 1e-9,
            ("%s is pushed along %g, %g by %g"):format(what, nx, ny, d))
          nx, ny, d = overlap(shape, box)
          assert(math.abs(nx) < 1e-12 and ny == 1 and math.abs(d - depth) < 1e-9, what)
          nx, ny, d = overlap(at(circle(2), x + 2, top - 2 + depth), shape)
          assert(nx and math.abs(nx) < 1e-9 and math.abs(ny + 1) < 1e-12
            and math.abs(d - depth) < 1e-9, what)
        end
      end
    end
  end)

  --  the same at an angle, with the floor mirrored and of the other winding
  it("a box sunk into such a floor that is rotated", function()
    for i = 0, 12 do
      local angle = i * 0.5
      local c, s = math.cos(angle), math.sin(angle)
      for name, floor in pairs(FLOORS) do
        for _, shape in ipairs { polygon(floor.points), polygon(floor.points):scaled(-1, 1) } do
          local mirror = shape:contains(-1, 30) and -1 or 1
          for _, stand in ipairs(floor.stands) do
            local x, y = stand[1] + 2, stand[2] - 2
            x = mirror * x
            local box = at(rectangle(-2, -3, 4, 5.5), c * x - s * y, s * x + c * y, angle)
            local nx, ny, d = overlap(box, at(shape, 0, 0, angle))
            near({ s, -c, 0.5 }, { nx or name, ny, d }, 1e-9)
          end
        end
      end
    end
  end)

  --  +---------+
  --  |  .---.  |
  --  |  |ball| |       in the corner of an L the ball gets free of both arms
  it("a ball deep in a concave shape gets out of the whole shape", function()
    local L = polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    local rng = random.new(1)
    for _ = 1, 300 do
      local ball = at(circle(rng:float(0.5, 4)), rng:float(0, 30), rng:float(0, 30))
      local nx, ny, depth = overlap(ball, at(L, 0, 0))
      if nx then
        for _ = 1, 4 do     -- the way out of one arm may lead into the other, but not forever
          if not nx then break end
          ball.x, ball.y = ball.x + nx * (depth + 1e-9), ball.y + ny * (depth + 1e-9)
          nx, ny, depth = overlap(ball, at(L, 0, 0))
        end
        assert.is_nil(nx)
      end
    end
  end)

  --   +----:----+
  --   |  --:--  |      a segment inside overlaps, also exactly on the cut
  --   +----:----+
  it("a segment along a cut, and across it", function()
    local L = polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    for _, s in ipairs { { 10, 2, 10, 8 }, { 2, 10, 8, 10 }, { 1, 1, 9, 9 }, { 10, 10, 5, 5 },
      { 10, 0, 10, 10 }, { 0, 10, 10, 10 }, { 0, 0, 10, 10 }, { 5, 5, 15, 5 }, { 5, 5, 5, 15 } } do
      local _, _, depth = overlap(at(segment(s[1], s[2], s[3], s[4]), 0, 0), at(L, 0, 0))
      assert(depth and depth > 0, ("(%g, %g) - (%g, %g)"):format(s[1], s[2], s[3], s[4]))
    end
    for _, s in ipairs { { 10, 10, 10, 30 }, { 10, 10, 20, 10 }, { 10, 10, 20, 20 },
      { 0, 0, 30, 0 } } do
      assert.is_nil(overlap(at(segment(s[1], s[2], s[3], s[4]), 0, 0), at(L, 0, 0)))
      assert(overlap(at(segment(s[1], s[2], s[3], s[4]), 0, 0), at(L, 0, 0), true))
    end
  end)

  --   identical concave shapes at one place
  it("equal concave shapes and chains at the same place", function()
    local L = at(polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30), 5, 5, 1)
    local nx, ny, depth = overlap(L, L)
    near({ 1 }, { nx * nx + ny * ny })
    assert(depth >= 10, depth)
    near({ nx, ny, depth }, { overlap(L, at(L.shape, 5, 5, 1)) }, 0)
    local line = at(chain { 0, 0, 10, 0, 20, 5 }, 5, 5, 1)
    assert(overlap(line, line, true))
    near({ 0 }, { (distance(line, line)) }, 0)
  end)

  --  the circles have the same centre: all directions are equal, so -x is chosen
  it("equal compounds with a circle at the same place", function()
    local shape = collide.compound(circle(5), rectangle(-1, -1, 2, 2))
    local a, b = at(shape, 3, 4, 0.5), at(shape, 3, 4, 0.5)
    near({ -1, 0, 10 }, { overlap(a, b) }, 1e-9)
    near({ -1, 0, 10 }, { overlap(a, b, true) }, 1e-9)
    -- if a rectangle covers that side, another direction is chosen
    local half = at(collide.compound(circle(5), rectangle(-20, -6, 20, 12)), 0, 0)
    near({ 1, 0, 10 }, { overlap(at(circle(5), 0, 0), half) }, 1e-9)
    near({ -1, 0, 10 }, { overlap(half, at(circle(5), 0, 0)) }, 1e-9)
  end)

  --  +---+
  --  | b +---+---+
  --  |   |a# |   |     a is 2 deep in one part (#) of b and touches another along a
  --  +---+---+---+     side: the touch adds nothing
  it("parts that merely touch beside others that overlap", function()
    local a = at(rectangle(10, 10), 0, 0)
    for _, other in ipairs { rectangle(-10, 8, 30, 10), circle(5, 14, 6) } do
      local b = at(collide.compound(rectangle(10, -50, 10, 52), other), 0, 0)
      local want = { overlap(a, b) }
      assert(#want == 3)
      near(want, { overlap(a, b, true) }, 0)
    end
  end)

  --  it partly lies on itself, and crosses itself there by rounding errors
  it("a chain that crosses and covers itself, and an equal one", function()
    for _, points in ipairs { { 0, 0, 10, 10, 10, 0, 0, 10 },
      { 1, 1, 3, 1, 3, 2, 2, 1, 0, 1 }, { 3, 2, 2, 3, 2, 1, 2, 4, 2, 0 } } do
      for i = 0, 40 do
        local line = at(chain(points, i % 2 == 1), 3, 7, 0.157 * i)
        local nx, ny, depth = overlap(line, line, true)
        near({ 1 }, { nx * nx + ny * ny })
        local _, _, open = overlap(line, line)
        assert(not open and depth == 0 or open == depth)
        assert.equal(0, (distance(line, line)))
      end
    end
    near({ math.sqrt(50) }, { (select(3, overlap(at(chain { 0, 0, 10, 10, 10, 0, 0, 10 }, 0, 0),
      at(chain { 0, 0, 10, 10, 10, 0, 0, 10 }, 0, 0)))) })
  end)

  --  \ /
  --   V     a V lies in a V and touches both its sides; or two chains touch at an end
  it("chains that only touch", function()
    local wide, peak = chain { -10, -10, 0, 0, 10, -10 }, chain { -4, -6, 0, 0, 4, -6 }
    for _, pair in ipairs { { at(wide, 0, 0), at(wide, 0, 0) }, { at(wide, 0, 0), at(peak, 0, 0) },
      { at(wide, 0, 0), at(chain { 10, -10, 20, 0, 30, 5 }, 0, 0) },
      { at(chain({ 0, 0, 9, 0, 9, 9 }, true), 0, 0), at(chain { 3, 0, 6, 0, 5, -4 }, 0, 0) } } do
      assert.is_nil(overlap(pair[1], pair[2]))
      local nx, ny, depth = overlap(pair[1], pair[2], true)
      near({ 1, 0 }, { nx * nx + ny * ny, depth }, 1e-12)
      assert.equal(0, depth)
      assert.equal(0, (select(3, overlap(pair[2], pair[1], true))))
    end
  end)

  --     o →
  --  +-----+-----+
  it("a ball sliding over a joint of collinear segments", function()
    for i = 0, 12 do
      local angle = i * 0.5
      local c, s = math.cos(angle), math.sin(angle)
      local floor = at(chain { 0, 0, 7, 0, 20, 0, 20.5, 0, 21, 0, 40, 0 }, 3, -4, angle)
      for k = 0, 160 do
        local u, v = k / 4, -1.75
        local ball = at(circle(2), 3 + c * u - s * v, -4 + s * u + c * v)
        near({ s, -c, 0.25 }, { overlap(ball, floor) }, 1e-9)
      end
    end
  end)

  --  in a world: a ball that falls and slides never moves back
  it("a ball sliding over the ground for a while", function()
    local world = collide.newWorld()
    local points = {}
    for i = 0, 50 do points[2 * i + 1], points[2 * i + 2] = 8 * i, 100 end
    world:add { x = 0, y = 0, static = true, shape = chain(points) }
    local ball = world:add { x = 10, y = 97.9, shape = circle(2),
      update = function(self) self.x, self.y = self.x + 0.7, self.y + 0.3 end,
      hit = function(self, _, nx, ny, depth)
        assert.equal(0, nx)
        self.x, self.y = self.x + nx * depth, self.y + ny * depth
      end }
    for i = 1, 500 do
      world:update(1)
      near({ 10 + 0.7 * i, 98 }, { ball.x, ball.y }, 1e-6)
    end
  end)
end)

describe("in a strict world, assigning a field", function()
  local world = collide.newWorld { strict = true }
  local character = world:newCharacter(world:add { x = 0, y = 0, shape = collide.circle(5) })
  local pool = world:newBullets { capacity = 9, radius = 1 }

  local function refused(message, object, field)
    local ok, got = pcall(function() object[field] = 1 end)
    assert.is_false(ok)
    assert.matches(message, got, 1, true)
    assert.matches("traps_spec%.lua:%d+: ", got)
  end

  it("of a character raises if it has no such field", function()
    refused('field expected (maxSlope, snapLength or stepHeight), got string "snaplength"',
      character, "snaplength")
    refused("character.filter can't be changed", character, "filter")
    character.snapLength, character.floor = 3, nil
    character:move(1, 1, 0.1)
    assert.matches("^character %(of ", tostring(character))
  end)

  it("of a pool raises if it has no such field", function()
    refused('pool: field expected (hit, graze, timer, expired or ignore), got string "Hit"',
      pool, "Hit")
    refused("pool.radius can't be changed", pool, "radius")
    function pool.hit() end
    pool.hit, pool.graze, pool.expired = nil, print, nil
    pool:remove()
  end)

  it("is checked, but not in other worlds", function()
    world = collide.newWorld()
    world:newCharacter(world:add { x = 0, y = 0, shape = collide.circle(5) }).mine = 1
    world:newBullets { capacity = 9, radius = 1 }.mine = 1
  end)
end)
