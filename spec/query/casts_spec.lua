-- world:rayCast and rayCastAll.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"

local near, raises = expect.near, expect.raises
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

describe("world:rayCast", function()
  --   0    20   30
  --   *--->+----+
  --        |    |
  --        +----+
  local world = worldOf(rectangle(20, -5, 10, 10))

  it("returns the actor, the point, the normal and the fraction of the way", function()
    hits(1, { 20, 0, -1, 0, 0.5 }, world:rayCast(0, 0, 40, 0))
    hits(1, { 30, 1, 1, 0, 0.25 }, world:rayCast(40, 1, 0, 1))
    hits(1, { 25, -5, 0, -1, 0.75 }, world:rayCast(25, -20, 25, 0))
    hits(1, { 25, 5, 0, 1, 0.75 }, world:rayCast(25, 20, 25, 0))
    hits(1, { 20, 2, -1, 0, 0.5 }, world:rayCast(10, -3, 30, 7))
  end)

  it("returns the same number of values with a part and without, on every Lua", function()
    local parts = worldOf(collide.compound { side = rectangle(20, -5, 10, 10) })
    assert.equal(7, select("#", world:rayCast(0, 0, 40, 0)))
    assert.equal(7, select("#", parts:rayCast(0, 0, 40, 0)))
    assert.equal("side", (select(7, parts:rayCast(0, 0, 40, 0))))
  end)

  it("returns nil when the segment stops short of the box, or misses it", function()
    assert.is_nil((world:rayCast(0, 0, 19.999, 0)))
    assert.is_nil((world:rayCast(0, 6, 40, 6)))
    assert.is_nil((world:rayCast(40, 0, 60, 0)))
    assert.is_nil((world:rayCast(0, 0, -40, 0)))
  end)

  it("hits shapes that it only touches: with its end, at a corner, along a side", function()
    hits(1, { 20, 0, -1, 0, 1 }, world:rayCast(0, 0, 20, 0))
    local actor, x, y, nx, ny, t = world:rayCast(0, 5, 40, 5)
    assert.is_truthy(actor)
    near({ 20, 5, 0.5 }, { x, y, t })
    unit(nx, ny)
    actor, x, y, nx, ny, t = world:rayCast(15, 0, 25, -10)
    assert.is_truthy(actor)
    near({ 20, -5, 0.5 }, { x, y, t })
    unit(nx, ny)
    assert(nx <= 0 and ny <= 0)
    local round = worldOf(circle(0, 0, 5))
    hits(1, { 0, 5, 0, 1, 0.5 }, round:rayCast(-10, 5, 10, 5))
    hits(1, { 3, 4, 0.6, 0.8, 1 }, round:rayCast(9, 12, 3, 4))
    assert.is_nil((round:rayCast(-10, 5 + 1e-12, 10, 5 + 1e-12)))
    assert.is_nil((round:rayCast(9, 12, 3 + 1e-12, 4 + 1e-12)))
  end)

  it("from inside returns t = 0 and a zero normal", function()
    hits(1, { 25, 0, 0, 0, 0 }, world:rayCast(25, 0, 40, 0))
    hits(1, { 20.001, 0, 0, 0, 0 }, world:rayCast(20.001, 0, 0, 0))
    hits(1, { 1, 1, 0, 0, 0 }, worldOf(circle(0, 0, 5)):rayCast(1, 1, 50, 1))
    hits(1, { 1, 1, 0, 0, 0 }, worldOf(collide.capsule(-9, 0, 9, 0, 2)):rayCast(1, 1, 50, 1))
  end)

  --   <-*----+        from the boundary, outward or along it nothing is hit, inward it is at once
  --     |    |
  --     +----+
  it("from the boundary hits only if it goes inward", function()
    assert.is_nil((world:rayCast(20, 0, 0, 0)))
    assert.is_nil((world:rayCast(20, 0, 10, 5)))
    assert.is_nil((world:rayCast(20, 0, 20, 40)))
    assert.is_nil((world:rayCast(20, -5, 40, -5)))       -- along the whole of an edge
    assert.is_nil((world:rayCast(20, -5, 0, -5)))
    assert.is_nil((world:rayCast(20, -5, 25, -10)))
    local actor, x, y, _, _, t = world:rayCast(20, 0, 40, 0)
    assert.is_truthy(actor)
    near({ 20, 0, 0 }, { x, y, t }, 0)
    assert.equal(0, (select(6, world:rayCast(20, -5, 30, 5))))
    assert.equal(0, (select(6, world:rayCast(20, 5, 20.001, 4))))
    local round = worldOf(circle(0, 0, 5))
    assert.is_nil((round:rayCast(3, 4, 6, 8)))
    assert.is_nil((round:rayCast(0, 5, 10, 5)))          -- along the tangent
    assert.equal(0, (select(6, round:rayCast(3, 4, 3, -4))))
    assert.equal(0, (select(6, round:rayCast(0, 5, 10, 4.9))))
  end)

  it("of zero length hits only shapes that contain it", function()
    hits(1, { 25, 0, 0, 0, 0 }, world:rayCast(25, 0, 25, 0))
    assert.is_nil((world:rayCast(10, 0, 10, 0)))
    assert.is_nil((world:rayCast(20, 0, 20, 0)))
    assert.is_nil((world:rayCast(20, 5, 20, 5)))
    assert.is_nil((worldOf(segment(0, 0, 9, 0)):rayCast(5, 0, 5, 0)))
  end)

  it("meets a segment from both sides", function()
    local line = worldOf(segment(10, -10, 10, 10))
    hits(1, { 10, 0, -1, 0, 0.5 }, line:rayCast(0, 0, 20, 0))
    hits(1, { 10, 0, 1, 0, 0.5 }, line:rayCast(20, 0, 0, 0))
    hits(1, { 10, 0, -1, 0, 1 }, line:rayCast(0, 0, 10, 0))
    hits(1, { 10, 10, -1, 0, 0.5 }, line:rayCast(0, 0, 20, 20))
    assert.is_nil((line:rayCast(0, 11, 20, 11)))
    -- along it: its end is hit
    local actor, x, y, nx, ny, t = line:rayCast(10, -20, 10, 20)
    assert.is_truthy(actor)
    near({ 10, -10, 0.25 }, { x, y, t })
    unit(nx, ny)
    assert(ny <= 0)
  end)

  it("meets every kind of shape", function()
    hits(1, { 15, 0, -1, 0, 0.75 }, worldOf(circle(20, 0, 5)):rayCast(0, 0, 20, 0))
    hits(1, { 17, -4, -0.6, -0.8, 0.85 }, worldOf(circle(20, 0, 5)):rayCast(0, -4, 20, -4))
    local capsule = worldOf(collide.capsule(20, -10, 20, 10, 5))
    hits(1, { 15, 7, -1, 0, 0.75 }, capsule:rayCast(0, 7, 20, 7))
    hits(1, { 17, 14, -0.6, 0.8, 0.85 }, capsule:rayCast(0, 14, 20, 14))
    local r = math.sqrt(0.5)
    hits(1, { 15, 5, -r, -r, 0.75 }, worldOf(collide.polygon(20, 0, 30, 10, 20, 20, 10, 10))
      :rayCast(0, 5, 20, 5))
    local chain = collide.chain({ 20, -10, 30, 0, 20, 10 }, true)
    hits(1, { 20, 0, -1, 0, 0.5, 3 }, worldOf(chain):rayCast(0, 0, 40, 0))
    hits(1, { 20, 0, 1, 0, 0.5, 3 }, worldOf(chain):rayCast(22, 0, 18, 0))    -- from inside of it
    local both = worldOf(collide.compound(circle(30, 0, 5), rectangle(10, -2, 4, 4)))
    hits(1, { 10, 0, -1, 0, 0.25, 2 }, both:rayCast(0, 0, 40, 0))
    hits(1, { 35, 0, 1, 0, 0.125, 1 }, both:rayCast(40, 0, 0, 0))
    hits(1, { 14, 0, 1, 0, 0.25, 2 }, both:rayCast(20, 0, -4, 0))
  end)

  it("turns shapes with their actors", function()
    local turned = collide.newWorld()
    turned:add { name = 1, x = 20, y = 0, angle = math.pi / 2, shape = rectangle(30, 4) }
    hits(1, { 16, 10, -1, 0, 0.4 }, turned:rayCast(0, 10, 40, 10))
    assert.is_nil((turned:rayCast(0, 31, 40, 31)))
  end)

  --    +---+   +---+
  --    | *-----> x |      out of one arm and into the other
  --    |   +---+   |
  --    +-----------+
  it("hits the other arm of a shape that it leaves", function()
    local U = worldOf(collide.polygon(0, 0, 10, 0, 10, 20, 30, 20, 30, 0, 40, 0, 40, 30, 0, 30))
    hits(1, { 30, 5, -1, 0, 0.5 }, U:rayCast(10, 5, 50, 5))
    assert.is_nil((U:rayCast(10, 5, 29, 5)))
    assert.is_nil((U:rayCast(10, 5, 10, -5)))
    hits(1, { 5, 5, 0, 0, 0 }, U:rayCast(5, 5, 50, 5))
    local room = worldOf(collide.chain({ 0, 0, 40, 0, 40, 20, 0, 20 }, true))
    hits(1, { 40, 10, -1, 0, 0.8, 2 }, room:rayCast(0, 10, 50, 10))
    hits(1, { 20, 20, 0, -1, 0.5, 3 }, room:rayCast(20, 0, 20, 40))
  end)

  --    +-------+      a cut gives no hit of its own
  --    |   :   |
  --    +---:---+---
  it("from inside does not hit the cuts of a polygon", function()
    local L = collide.polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30)
    local inside = worldOf(L)
    hits(1, { 2, 5, 0, 0, 0 }, inside:rayCast(2, 5, 28, 5))
    hits(1, { 10, 5, 0, 0, 0 }, inside:rayCast(10, 5, 28, 5))     -- starts on the cut
    hits(1, { 5, 10, 0, 0, 0 }, inside:rayCast(5, 10, 5, 28))
    hits(1, { 10, 5, 0, 0, 0 }, inside:rayCast(10, 5, 10, 5))
    hits(1, { 0, 5, -1, 0, 0.25 }, inside:rayCast(-10, 5, 30, 5))
  end)

  it("returns the nearest of several, and at equal t the one added first", function()
    local several = worldOf(rectangle(50, -5, 10, 10), rectangle(20, -5, 10, 10),
      rectangle(20, -5, 30, 10), circle(25, 0, 5))
    hits(2, { 20, 0, -1, 0, 0.2 }, several:rayCast(0, 0, 100, 0))
    hits(1, { 60, 0, 1, 0, 0.4 }, several:rayCast(100, 0, 0, 0))
    hits(2, { 25, 0, 0, 0, 0 }, several:rayCast(25, 0, 0, 0))
  end)

  it("takes filters of each kind, and an actor to ignore", function()
    local row = collide.newWorld()
    local made = {}
    for i = 1, 4 do
      made[i] = row:add { name = i, x = 10 * i, y = 0, shape = circle(1),
        group = i % 2 == 0 and "even" or nil }
    end
    hits(2, { 19, 0, -1, 0, 0.38 }, row:rayCast(0, 0, 50, 0, "even"))
    hits(1, { 9, 0, -1, 0, 0.18 }, row:rayCast(0, 0, 50, 0, { "default", "even" }))
    hits(2, { 19, 0, -1, 0, 0.38 }, row:rayCast(0, 0, 50, 0, nil, made[1]))
    hits(4, { 39, 0, -1, 0, 0.78 }, row:rayCast(0, 0, 50, 0, "even", made[2]))
    hits(3, { 29, 0, -1, 0, 0.58 }, row:rayCast(0, 0, 50, 0, function(o) return o.name > 2 end))
    assert.is_nil((row:rayCast(0, 0, 50, 0, "nobody")))
    assert.is_nil((row:rayCast(0, 0, 50, 0, function() return false end)))
    raises({ "world:rayCast: filter expected (" }, function()
      collide.newWorld { strict = true }:rayCast(0, 0, 1, 1, "nobody")
    end)
  end)

  it("calls a filter function in the order of the hits, until it accepts one", function()
    local row = collide.newWorld()
    for i = 1, 5 do row:add { name = i, x = 60 - 10 * i, y = 0, shape = circle(1) } end
    local asked = {}
    hits(3, { 29, 0, -1, 0, 0.29 }, row:rayCast(0, 0, 100, 0, function(actor)
      asked[#asked + 1] = actor.name
      row:remove(actor)
      return actor.name == 3
    end))
    assert.same({ 5, 4, 3 }, asked)
    assert.equal(2, row:count())
    raises("stop here", row.rayCast, row, 0, 0, 100, 0, function() error("stop here") end)
  end)

  it("may be called by a filter function, which may also raise or yield", function()
    local row = collide.newWorld()
    for i = 1, 5 do row:add { name = i, x = 60 - 10 * i, y = 0, shape = circle(1) } end
    local function third(actor) return actor.name == 3 end
    local want = { 29, 0, -1, 0, 0.29 }
    for depth = 1, 3 do
      local left, inner = depth, nil
      local function ask(actor)
        if actor.name == 4 and left > 0 then
          left = left - 1
          hits(3, want, row:rayCast(0, 0, 100, 0, left > 0 and ask or third))
          inner = left
          pcall(row.rayCast, row, 0, 0, 100, 0, function() error("stop here") end)
          hits(1, { 51, 0, 1, 0, 0.49 }, row:rayCast(100, 0, 0, 0, function() return true end))
        end
        return actor.name == 3
      end
      hits(3, want, row:rayCast(0, 0, 100, 0, ask))
      assert.equal(0, inner)
    end
    local sleeper = coroutine.wrap(function()
      return row:rayCast(0, 0, 100, 0, function(actor)
        if actor.name == 5 then coroutine.yield() end
        return third(actor)
      end)
    end)
    sleeper()
    assert.is_nil((row:rayCast(0, 0, 100, 0, function() return false end)))
    hits(3, want, sleeper())
  end)

  it("keeps no reference to an actor that the filter was called with", function()
    local row = collide.newWorld()
    local seen = setmetatable({}, { __mode = "k" })
    for i = 1, 5 do seen[row:add { x = 10 * i, y = 0, shape = circle(1) }] = true end
    row:rayCast(0, 0, 100, 0, function() return false end)
    row:clear()
    row:step()
    row:step()
    for _ = 1, 3 do collectgarbage() end
    assert.is_nil(next(seen))
  end)

  it("sees the world as of the last step, and later additions", function()
    for _, broadphase in ipairs(broadphases) do
      local w = collide.newWorld { broadphase = broadphase }
      local a = w:add { name = "a", x = 20, y = 0, shape = circle(1) }
      hits("a", { 19, 0, -1, 0, 0.19 }, w:rayCast(0, 0, 100, 0))
      w:step()
      a.x = 50
      hits("a", { 19, 0, -1, 0, 0.19 }, w:rayCast(0, 0, 100, 0))
      w:refresh(a)
      hits("a", { 49, 0, -1, 0, 0.49 }, w:rayCast(0, 0, 100, 0))
      local b = w:add { name = "b", x = 30, y = 0, shape = circle(1) }
      hits("b", { 29, 0, -1, 0, 0.29 }, w:rayCast(0, 0, 100, 0))
      w:remove(b)
      hits("a", { 49, 0, -1, 0, 0.49 }, w:rayCast(0, 0, 100, 0))
      w:clear()
      assert.is_nil((w:rayCast(0, 0, 100, 0)))
    end
  end)

  it("may reach from one end of the world to the other", function()
    for _, broadphase in ipairs(broadphases) do
      local w = collide.newWorld { width = 100, height = 100, broadphase = broadphase }
      for i, x in ipairs { -1e9, -5e5, 50, 1e6, 1e11 } do
        w:add { name = i, x = x, y = 0, shape = rectangle(-8, -8, 16, 16) }
      end
      local list, n = w:rayCastAll(-1e12, 0, 1e12, 0)
      assert.equal(5, n)
      for i = 1, 5 do assert.equal(i, list[i].actor.name) end
      local actor, x = w:rayCast(1e9, 7, -1e9, 7)
      assert.equal(4, actor.name)
      near({ 1e6 + 8 }, { x }, 1e-3)
      actor = w:rayCast(60, 0, 5e6, 0)
      assert.equal(4, actor.name)
    end
  end)
end)

describe("world:rayCastAll", function()
  it("lists everything that it hits, by t, then in the order of adding", function()
    local world = worldOf(rectangle(50, -5, 10, 10), rectangle(20, -5, 10, 10),
      rectangle(20, -5, 30, 10), circle(25, 0, 5), rectangle(20, 6, 30, 10), circle(0, 0, 1))
    local list, n = world:rayCastAll(0, 0, 100, 0)
    assert.equal(5, n)
    assert.equal(5, #list)
    local want = { { 6, 0, 0, 0, 0, 0 }, { 2, 20, 0, -1, 0, 0.2 }, { 3, 20, 0, -1, 0, 0.2 },
      { 4, 20, 0, -1, 0, 0.2 }, { 1, 50, 0, -1, 0, 0.5 } }
    for i, w in ipairs(want) do
      local c = list[i]
      near(w, { c.actor.name, c.x, c.y, c.nx, c.ny, c.t }, 1e-12)
    end
  end)

  it("returns an empty list and 0 if it hits nothing", function()
    local list, n = worldOf(circle(3)):rayCastAll(10, 0, 20, 0)
    assert.same({}, list)
    assert.equal(0, n)
  end)

  it("takes filters of each kind, and an actor to ignore", function()
    local row, made = collide.newWorld(), {}
    for i = 1, 6 do
      made[i] = row:add { name = i, x = 10 * i, y = 0, shape = circle(1),
        group = i % 2 == 0 and "even" or nil }
    end
    local function names(list, n)
      local out = {}
      for i = 1, n do out[i] = list[i].actor.name end
      assert.equal(n, #list)
      return table.concat(out, " ")
    end
    assert.equal("2 4 6", names(row:rayCastAll(0, 0, 99, 0, "even")))
    assert.equal("6 2", names(row:rayCastAll(99, 0, 0, 0, "even", made[4])))
    assert.equal("1 2 3 4 5 6", names(row:rayCastAll(0, 0, 99, 0, { "default", "even" })))
    local asked = {}
    assert.equal("5 2", names(row:rayCastAll(99, 0, 0, 0, function(actor)
      asked[#asked + 1] = actor.name
      return actor.name % 3 == 2
    end)))
    assert.same({ 6, 5, 4, 3, 2, 1 }, asked)
  end)
end)
