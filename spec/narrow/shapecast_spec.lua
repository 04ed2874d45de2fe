-- world:shapeCast.
local collide = require "collide"
local expect = require "spec.support.expect"

local near = expect.near
local rectangle, circle, segment = collide.rectangle, collide.circle, collide.segment

-- A world with one actor at 0, 0 for each of the shapes, named 1, 2, ….
local function worldOf(...)
  local world = collide.newWorld()
  for i, shape in ipairs { ... } do world:add { name = i, x = 0, y = 0, shape = shape } end
  return world
end

-- Checks that a cast returns the actor of this name and these numbers.
local function hits(name, want, actor, ...)
  if not actor then error("no hit", 2) end
  assert.equal(name, actor.name)
  near(want, { ... }, 1e-12)
end

local function unit(nx, ny)
  near({ 1 }, { nx * nx + ny * ny }, 1e-12)
end

describe("world:shapeCast", function()
  --   +---+        +----+
  --   | a |  --->  | b  |
  --   +---+        |    |
  it("returns the actor, the contact point, the normal and the fraction of the way", function()
    local world = worldOf(rectangle(30, -20, 10, 40))
    local a = { x = 0, y = 0, shape = rectangle(10, 10) }
    local actor, x, y, nx, ny, t = world:shapeCast(a, 40, 0)
    assert.equal(1, actor.name)
    near({ 30, -1, 0, 0.5 }, { x, nx, ny, t })
    assert(y >= 0 and y <= 10)
    assert.is_nil((world:shapeCast(a, 19.999, 0)))
    assert.is_nil((world:shapeCast(a, 0, 100)))
    assert.is_nil((world:shapeCast(a, -100, 0)))
    actor, x, y, nx, ny, t = world:shapeCast({ x = 80, y = 5, shape = circle(5) }, -100, 0)
    assert.equal(1, actor.name)
    near({ 40, 5, 1, 0, 0.35 }, { x, y, nx, ny, t })
  end)

  --       [a] →
  --   +---+   +---+     off the first part, then past the second's upper side
  it("hits a second part that it only touches, if it starts touching a first one", function()
    local world = worldOf(collide.compound(rectangle(0, 0, 10, 10), rectangle(20, 0, 10, 10)))
    local a = { x = 5, y = -4, shape = rectangle(4, 4) }
    local actor, _, _, nx, ny, t = world:shapeCast(a, 55, 0)
    assert.is_truthy(actor)
    near({ 11 / 55 }, { t })
    unit(nx, ny)
    -- along the same surface, the contact at the start continues
    world = worldOf(collide.compound(rectangle(0, 0, 10, 10), rectangle(10, 0, 10, 10)))
    assert.is_nil((world:shapeCast(a, 55, 0)))
  end)

  it("hits a shape that it only touches on its way", function()
    local world = worldOf(rectangle(30, 10, 10, 10))
    local a = { x = 0, y = 0, shape = rectangle(10, 10) }
    local actor, x, y, nx, ny, t = world:shapeCast(a, 40, 0)     -- slides past the upper side
    assert.is_truthy(actor)
    near({ 30, 10, 0.5 }, { x, y, t })
    unit(nx, ny)
    assert.is_truthy((world:shapeCast(a, 20, 0)))
    a.y = -1e-9
    assert.is_nil((world:shapeCast(a, 40, 0)))
    a.y = 0
    assert.is_truthy((world:shapeCast(a, 20, 0)))
    assert.is_nil((world:shapeCast(a, 20 - 1e-9, 0)))
    local round = worldOf(circle(20, 0, 5))
    hits(1, { 20, -5, 0, -1, 0.5 }, round:shapeCast({ x = 0, y = -8, shape = circle(3) }, 40, 0))
    assert.is_nil((round:shapeCast({ x = 0, y = -8 - 1e-9, shape = circle(3) }, 40, 0)))
  end)

  it("gives t = 0 and a zero normal when it starts inside", function()
    local world = worldOf(rectangle(30, 30))
    for _, placed in ipairs { { x = 20, y = 20, shape = rectangle(20, 20) },
      { x = 15, y = 15, shape = circle(3) }, { x = -50, y = -50, shape = circle(100) },
      { x = 5, y = 5, shape = segment(0, 0, 2, 2) },
      { x = 0, y = 0, shape = rectangle(30, 30) } } do
      for _, d in ipairs { { 50, 0 }, { -50, 3 }, { 0, 0 } } do
        local actor, _, _, nx, ny, t = world:shapeCast(placed, d[1], d[2])
        assert.is_truthy(actor)
        near({ 0, 0, 0 }, { nx, ny, t }, 0)
      end
    end
  end)

  --       +---+
  --   <---| a |--->      a stands on the floor: it is free in all directions except downwards
  --  +----+---+----+
  it("hits a shape that it touches at the start only if it moves inward", function()
    local world = worldOf(rectangle(0, 10, 100, 10))
    for _, shape in ipairs { rectangle(-5, 0, 10, 10), circle(0, 5, 5), collide.polygon(0, 10, 5, 0,
      -5, 0), collide.capsule(-4, 5, 4, 5, 5) } do
      local a = { x = 50, y = 0, shape = shape }
      for _, d in ipairs { { 30, 0 }, { -30, 0 }, { 0, -30 }, { 20, -1e-6 }, { 0, 0 } } do
        assert.is_nil((world:shapeCast(a, d[1], d[2])))
      end
      for _, d in ipairs { { 0, 30 }, { 30, 1 }, { -30, 1e-6 } } do
        local actor, _, y, _, _, t = world:shapeCast(a, d[1], d[2])
        assert.is_truthy(actor)
        near({ 10, 0 }, { y, t }, 0)
      end
    end
    -- for a shape with an area, a floor without thickness is the same
    local line = worldOf(segment(0, 10, 100, 10))
    local a = { x = 50, y = 0, shape = rectangle(10, 10) }
    assert.is_nil((line:shapeCast(a, 30, 0)))
    assert.equal(0, (select(6, line:shapeCast(a, 0, 5))))
  end)

  it("slides along one shape and meets the next", function()
    local world = worldOf(rectangle(0, 10, 100, 10), rectangle(80, -50, 10, 60))
    local actor, x, _, nx, ny, t = world:shapeCast({ x = 20, y = 0, shape = rectangle(10, 10) },
      100, 0)
    assert.equal(2, actor.name)
    near({ 80, -1, 0, 0.5 }, { x, nx, ny, t })
  end)

  --   |wall|+---+
  --   |----||box|  the box slides down along three parts
  --   |----|+---+
  it("slides along the seams of a wall on any side of it", function()
    for _, turned in ipairs { function(x, y) return x, y end, function(x, y) return -x, y end,
      function(x, y) return y, x end, function(x, y) return y, -x end } do
      local function box(left, top, right, bottom)
        local x1, y1 = turned(left, top)
        local x2, y2 = turned(right, bottom)
        return rectangle(math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1))
      end
      local world = worldOf(collide.compound(box(0, 0, 10, 10), box(0, 10, 10, 20),
        box(0, 20, 10, 30)))
      local mover = { x = 0, y = 0, shape = collide.compound(box(10, 2, 15, 5), box(10, 5, 15, 8)) }
      assert.is_nil(world:shapeCast(mover, turned(0, 100)))
    end
  end)

  it("leaves one part of a shape and meets another", function()
    local room = worldOf(collide.chain({ 0, 0, 40, 0, 40, 20, 0, 20 }, true))
    local box = { x = 10, y = 10, shape = rectangle(10, 10) }      -- stands on the floor
    local actor, _, y, nx, ny, t = room:shapeCast(box, 0, -30)
    assert.is_truthy(actor)
    near({ 0, 0, 1, 1 / 3 }, { y, nx, ny, t })
    actor, y, _, nx, ny, t = room:shapeCast(box, 40, 0)
    assert.is_truthy(actor)
    near({ 40, -1, 0, 0.5 }, { y, nx, ny, t })
  end)

  it("of zero length hits only shapes that it overlaps", function()
    local world = worldOf(rectangle(0, 0, 10, 10), rectangle(10, 0, 10, 10))
    assert.is_nil((world:shapeCast({ x = 20, y = 0, shape = rectangle(10, 10) }, 0, 0)))
    assert.is_nil((world:shapeCast({ x = 30, y = 0, shape = rectangle(10, 10) }, 0, 0)))
    local actor, _, _, _, _, t = world:shapeCast({ x = 15, y = 0, shape = rectangle(1, 1) }, 0, 0)
    assert.equal(2, actor.name)
    assert.equal(0, t)
  end)

  it("of an actor never meets that actor, nor actors that it ignores", function()
    local world = collide.newWorld()
    local a = world:add { name = "a", x = 0, y = 0, shape = circle(5) }
    local b = world:add { name = "b", x = 20, y = 0, shape = circle(5) }
    world:add { name = "c", x = 40, y = 0, shape = circle(5), group = "far" }
    hits("b", { 15, 0, -1, 0, 0.1 }, world:shapeCast(a, 100, 0))
    hits("c", { 35, 0, -1, 0, 0.3 }, world:shapeCast(a, 100, 0, nil, b))
    hits("c", { 35, 0, -1, 0, 0.3 }, world:shapeCast(a, 100, 0, "far"))
    hits("c", { 35, 0, -1, 0, 0.3 }, world:shapeCast(a, 100, 0, function(o) return o ~= b end))
    assert.is_nil((world:shapeCast(a, 100, 0, "far", world:actors()[3])))
    hits("a", { 5, 0, 1, 0, 0.1 }, world:shapeCast(b, -100, 0))
  end)

  it("turns the shape by its angle, which does not change on the way", function()
    local world = worldOf(rectangle(30, -50, 10, 100))
    local _, _, _, _, _, t = world:shapeCast({ x = 0, y = 0, angle = math.pi / 2,
      shape = rectangle(20, 4) }, 60, 0)
    near({ 0.5 }, { t })
    local r = 5 * math.sqrt(2)
    _, _, _, _, _, t = world:shapeCast({ x = 0, y = 0, angle = math.pi / 4,
      shape = rectangle(10, 10):centered() }, 60, 0)
    near({ (30 - r) / 60 }, { t })
  end)

  it("reads by the field names of the world", function()
    local world = collide.newWorld { fields = { x = "left", shape = "collider" } }
    world:add { name = "a", left = 20, y = 0, collider = circle(5) }
    hits("a", { 15, 0, -1, 0, 0.1 },
      world:shapeCast({ left = 0, y = 0, collider = circle(5) }, 100, 0))
  end)

  it("returns the one added first of several at equal t", function()
    local world = worldOf(rectangle(60, 0, 10, 10), rectangle(30, 6, 10, 10),
      rectangle(30, -6, 10, 10))
    local actor = world:shapeCast({ x = 0, y = 0, shape = rectangle(10, 10) }, 100, 0)
    assert.equal(2, actor.name)
  end)

  -- A bug: if the first of many cells on the way was not met, no later one was met either. The cell
  -- at 5, 85 is within the circle's bounds at the start, but not in its way.
  it("meets a wall behind many cells that it misses", function()
    local grid, world = collide.newGrid(200, 200), collide.newWorld()
    grid:fill(150, 0, 1, 200, 1)
    grid:set(5, 85, 1)
    world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local actor, x, y = world:shapeCast({ shape = collide.circle(15), x = 20.5, y = 100.5 }, 170, 0)
    assert.is_not_nil(actor)
    assert.same({ 150, 100.5 }, { x, y })
  end)

  -- A bug: tiles were taken for a shape without cells.
  it("refuses tiles", function()
    local grid = collide.newGrid(2, 2)
    grid:set(0, 0, 1)
    local world = collide.newWorld()
    local message = "world:shapeCast: placed.shape expected (shape other than tiles"
    expect.raises(message, function()
      world:shapeCast({ shape = collide.tiles(grid), x = 0, y = 0 }, 10, 0)
    end)
  end)
end)
