-- world:teleport, world:interpolate and world:distance: jumps, places between two steps, and the
-- distance of two actors.
local collide = require "collide"
local expect = require "spec.support.expect"

local near, raises = expect.near, expect.raises
local box, circle = collide.rectangle(10, 10), collide.circle(5)

local function names(list)
  local out = {}
  for i, actor in ipairs(list) do out[i] = actor.name end
  return table.concat(out, " ")
end

describe("world:teleport", function()
  it("writes the place into the actor, and queries find it there at once", function()
    local world = collide.newWorld()
    local a = world:add { name = "a", x = 0, y = 0, angle = 0.5, shape = box }
    world:add { name = "b", x = 500, y = 0, shape = box }
    world:step()
    assert.equal(0, select("#", world:teleport(a, 100, 50)))
    assert.same({ 100, 50, 0.5 }, { a.x, a.y, a.angle })
    assert.equal("", names(world:queryPoint(2, 2)))
    assert.equal("a", names(world:queryPoint(101, 55)))
    assert.equal(a, (world:rayCast(100, 0, 100, 200)))
    world:teleport(a, 100, 50, math.pi)
    assert.equal(math.pi, a.angle)
    assert.equal("a", names(world:queryPoint(95, 45)))
    assert.equal("", names(world:queryPoint(105, 55)))
  end)

  it("moves no other actor, and hits come in the next step", function()
    local world = collide.newWorld()
    local log = {}
    local function say(what) return function(_, other) log[#log + 1] = what .. other.name end end
    local a = world:add { name = "a", x = 0, y = 0, shape = box, enter = say "enter ",
      leave = say "leave " }
    world:add { name = "b", x = 8, y = 0, shape = box }
    world:add { name = "c", x = 108, y = 0, shape = box }
    world:step()
    world:teleport(a, 100, 0)
    assert.same({ "enter b" }, log)
    world:step()
    assert.same({ "enter b", "leave b", "enter c" }, log)
  end)

  it("moves a static, and counts as its refresh", function()
    local world = collide.newWorld { strict = true }
    local wall = world:add { name = "wall", x = 0, y = 0, shape = box, static = true }
    world:add { name = "b", x = 100, y = 0, shape = box }
    world:step()
    world:teleport(wall, 95, 0)
    assert.equal("wall b", names(world:queryPoint(100, 5)))
    world:step()
    assert.equal("wall-b", expect.pairNames(world))
    world:teleport(wall, 95, 0, 0.25)
    world:step()
    wall.x = 0
    raises("x was changed from 95 to 0 after world:add; call world:refresh(actor)", world.step,
      world)
  end)

  it("uses the field names of the world, and reads the angle if it is not given", function()
    local world = collide.newWorld { fields = { x = "left", y = "top", angle = "turn" } }
    local a = world:add { name = "a", left = 0, top = 0, shape = box }
    world:step()
    a.turn = math.pi
    world:teleport(a, 50, 60)
    assert.same({ 50, 60, math.pi }, { a.left, a.top, a.turn })
    assert.equal("a", names(world:queryPoint(45, 55)))
    world = collide.newWorld { fields = { angle = false } }
    a = world:add { x = 0, y = 0, angle = "any", shape = box }
    world:teleport(a, 1, 2)
    raises("world:teleport: angle expected (nothing, since this world reads no angle), got number "
      .. "1", world.teleport, world, a, 1, 2, 1)
  end)

  it("refuses wrong arguments, and changes nothing then", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = box }
    local tiles = collide.tiles(collide.newGrid(2, 2))
    local map = world:add { x = 0, y = 0, static = true, shape = tiles }
    raises("world:teleport: x expected (finite number within ±1e12), got nan", world.teleport,
      world, a, 0 / 0, 1)
    raises("world:teleport: angle expected (nothing or 0, since tiles do not turn), got number 1",
      world.teleport, world, map, 5, 5, 1)
    world:teleport(map, 5, 5, 0)
    a.angle = "up"
    raises({ "world:teleport: actor 1 (at 0, 0): angle expected (number of radians", "got string" },
      world.teleport, world, a, 5, 5)
    assert.same({ 0, 0 }, { a.x, a.y })
    a.angle = nil
    world:remove(a)
    raises("world:teleport: actor expected (actor of this world), got actor (at 0, 0)",
      world.teleport, world, a, 5, 5)
    assert.same({ 0, 0 }, { a.x, a.y })
  end)

  it("may be called in a callback, and on an actor whose __newindex removes it", function()
    local world = collide.newWorld()
    local hidden = { x = 0, y = 0, shape = box }
    local a = world:add(setmetatable({}, { __index = hidden, __newindex = function(t, key, v)
      hidden[key] = v
      world:remove(t)
    end }))
    world:teleport(a, 5, 6)
    assert.same({ 5, 6 }, { hidden.x, hidden.y })
    assert.is_false(world:has(a))
    local told = 0
    local b = world:add { x = 0, y = 0, shape = box }
    world:add { x = 5, y = 0, shape = box, hit = function(_, other, _, _, _, w)
      told = told + 1
      w:teleport(other, 500, 0)
    end }
    world:step()
    world:step()
    assert.same({ 1, 500 }, { told, b.x })
  end)

  -- A wall of bullets at rest: an actor that crosses it in a step meets them, one that jumps does
  -- not.
  it("is not a motion for bullets, unlike an assignment or a move", function()
    for _, how in ipairs { "assign", "move", "teleport", "refresh" } do
      local world = collide.newWorld()
      local hits = 0
      local function hit() hits = hits + 1 end
      local pool = world:newBullets { capacity = 10, radius = 1, hit = hit }
      local hero = world:add { x = 0, y = 0, shape = box }
      pool:spawn(100, 5, 0, 0)
      world:update(1)
      if how == "assign" then
        hero.x = 200
      elseif how == "move" then
        world:move(hero, 120, 0)
        world:move(hero, 80, 0)
      elseif how == "teleport" then
        world:teleport(hero, 200, 0)
      else
        hero.x = 200
        world:refresh(hero)
      end
      world:update(1)
      assert.equal((how == "assign" or how == "move") and 1 or 0, hits, how)
    end
  end)
end)

describe("a place that is assigned in a callback", function()
  --   0         100        200
  --   +-+ hero    o          +-+      in its enter, the hero appears on the right
  it("counts as motion of the next step, unlike a teleport", function()
    for _, how in ipairs { "assign", "teleport" } do
      local world, hits = collide.newWorld(), 0
      local pool = world:newBullets { capacity = 10, radius = 1,
        hit = function() hits = hits + 1 end }
      local hero = world:add { x = 0, y = 0, shape = box, enter = function(self)
        if how == "assign" then self.x = 200 else world:teleport(self, 200, 0) end
      end }
      world:add { x = 5, y = 0, shape = box }
      pool:spawn(100, 5, 0, 0)
      world:update(1)
      assert.same({ 200, 0 }, { hero.x, hits })
      world:update(1)
      assert.equal(how == "assign" and 1 or 0, hits, how)
    end
  end)
end)

describe("world:interpolate", function()
  it("is between an actor's places in the last two steps, exact at both ends", function()
    local world = collide.newWorld()
    local a = world:add { x = 0.1, y = 20, shape = box }
    world:step()
    a.x, a.y = 0.7, 10
    world:step()
    assert.same({ 0.1, 20, 0 }, { world:interpolate(a, 0) })
    assert.same({ 0.7, 10, 0 }, { world:interpolate(a, 1) })
    near({ 0.4, 15, 0 }, { world:interpolate(a, 0.5) })
    world:step()
    assert.same({ 0.7, 10, 0 }, { world:interpolate(a, 0.3) })
  end)

  it("turns by the shorter way", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, angle = 3, shape = box }
    world:step()
    a.angle = -3
    world:step()
    near({ 3 + (2 * math.pi - 6) / 2 }, { select(3, world:interpolate(a, 0.5)) })
    assert.equal(3, (select(3, world:interpolate(a, 0))))
    assert.equal(-3, (select(3, world:interpolate(a, 1))))
    a.angle = -3 + 20 * math.pi
    world:step()
    near({ -3 }, { select(3, world:interpolate(a, 0.5)) }, 1e-12)
  end)

  it("does not move after a jump, for statics, and in a step that has not begun", function()
    local world = collide.newWorld { strict = false }
    local a = world:add { x = 5, y = 5, shape = box }
    local wall = world:add { x = 1, y = 2, shape = box, static = true }
    assert.same({ 5, 5, 0 }, { world:interpolate(a, 0.5) })
    world:step()
    a.x = 15
    world:step()
    world:teleport(a, 100, 100)
    assert.same({ 100, 100, 0 }, { world:interpolate(a, 0.5) })
    world:step()
    assert.same({ 100, 100, 0 }, { world:interpolate(a, 0.5) })
    wall.x = 50
    world:step()
    assert.same({ 1, 2, 0 }, { world:interpolate(wall, 0.5) })
    world:refresh(wall)
    assert.same({ 50, 2, 0 }, { world:interpolate(wall, 0.5) })
    local late = world:add { x = 0, y = 0, shape = box }
    a.x, late.x = 150, 0 / 0
    assert.is_false(pcall(world.step, world))
    assert.same({ 100, 100, 0 }, { world:interpolate(a, 0.5) })
    late.x = 0
    world:step()
    assert.same({ 125, 100, 0 }, { world:interpolate(a, 0.5) })
  end)

  it("counts moves as motion, several between two steps as one", function()
    local world = collide.newWorld()
    local map = world:add { x = 500, y = 0, shape = box, static = true }
    local a = world:add { x = 0, y = 0, angle = 1, shape = box }
    local others = {}
    for i = 1, 60 do others[i] = world:add { x = 20 * i, y = 500, shape = box } end
    world:step()
    for frame = 1, 20 do
      for i = 3 * frame - 2, 3 * frame do world:remove(others[i]) end -- slots move
      local x = a.x
      world:move(a, 4, 0)
      world:move(a, 6, 2)
      a.angle = a.angle + 0.5
      world:step()
      near({ x + 5, 2 * frame - 1, 0.75 + 0.5 * frame }, { world:interpolate(a, 0.5) })
      near({ a.x, a.y, a.angle }, { world:interpolate(a, 1) })
    end
    world:move(map, 10, 0)
    world:step()
    near({ 505, 0, 0 }, { world:interpolate(map, 0.5) })
    world:step()
    near({ 510, 0, 0 }, { world:interpolate(map, 0.5) })
    world:move(a, 10, 0)
    world:teleport(a, 0, 0)
    world:step()
    near({ 0, 0, a.angle }, { world:interpolate(a, 0.5) })
    world:move(a, 10, 0)
    a.x = 30
    world:step()
    near({ 15, 0, a.angle }, { world:interpolate(a, 0.5) })
  end)

  it("works with the alpha of world:advance", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = box, update = function(self, dt)
      self.x = self.x + 60 * dt
    end }
    for frame = 1, 100 do
      local _, alpha = world:advance(1 / 144)
      if world:stats().actors > 0 and a.x > 2 then
        -- one update behind the clock
        near({ 60 * (frame / 144 - 1 / 60) }, { (world:interpolate(a, alpha)) }, 1e-9)
      end
    end
    assert.is_true(a.x > 30)
  end)
end)

describe("world:distance", function()
  it("is the same as collide.distance, with the world's fields", function()
    local world = collide.newWorld { fields = { x = "left", y = "top", angle = false } }
    local a = { left = 0, top = 0, angle = 1, shape = box }
    local b = { left = 33, top = 5, shape = circle }
    local p, q = { x = 0, y = 0, shape = box }, { x = 33, y = 5, shape = circle }
    assert.same({ collide.distance(p, q) }, { world:distance(a, b) })
    near({ 18, 10, 5, 28, 5 }, { world:distance(a, b) })
    b.left = 5
    assert.equal(0, (world:distance(a, b)))
    raises("world:distance: b.left expected (", world.distance, world, a, { shape = box })
  end)
end)
