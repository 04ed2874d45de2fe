-- world:carry: platforms and their riders.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local walker = require "spec.support.walker"

local near, raises, rectangle = expect.near, expect.raises, collide.rectangle
local solid, hero, run, FRAME = walker.solid, walker.hero, walker.run, walker.FRAME

describe("world:carry", function()
  local function shaft()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local crates = {}
    for i = 1, 3 do
      crates[i] = world:add { name = "crate" .. i, x = 20, y = 100 - 16 * i,
        shape = rectangle(16, 16) }
    end
    return world, lift, crates
  end

  it("carries actors that lie on it, and those on them, each once", function()
    local world, lift, crates = shaft()
    for _, way in ipairs { { 10, 0 }, { -3, -20 }, { 0, 30 }, { 7.5, -1.25 } } do
      local x, y = lift.x, lift.y
      local list, n = world:carry(lift, way[1], way[2])
      assert.same({ 0, 0 }, { n, #list })
      near({ x + way[1], y + way[2] }, { lift.x, lift.y })
      for i, crate in ipairs(crates) do
        near({ lift.x + 20, lift.y - 16 * i }, { crate.x, crate.y })
      end
    end
  end)

  it("leaves behind riders that a wall stops", function()
    local world, lift, crates = shaft()
    solid(world, "wall", 40, 0, rectangle(10, 100 - 32))
    local _, n = world:carry(lift, 30, 0)
    near({ 50, 50, 24 }, { crates[1].x, crates[2].x, crates[3].x })
    assert.equal(0, n)
  end)

  it("pushes actors in its way, and lists those that cannot get out", function()
    local world, lift = shaft()
    local ahead = world:add { name = "ahead", x = 130, y = 95, shape = rectangle(16, 16) }
    solid(world, "roof", 120, 45, rectangle(100, 50))
    solid(world, "floor", 120, 111, rectangle(100, 50))
    local _, n = world:carry(lift, 50, 0)
    near({ 150, 95, 0 }, { ahead.x, ahead.y, n })
    solid(world, "wall", 180, 95, rectangle(10, 16))
    local crushed, m = world:carry(lift, 20, 0)
    assert.same({ 1, ahead }, { m, crushed[1] })
    near({ 164 }, { ahead.x })
    assert.equal(70, lift.x)
  end)

  it("pushes only with the upper side if it is one-way", function()
    local world = collide.newWorld()
    local plate = solid(world, "plate", 0, 100, rectangle(100, 10), { oneWay = true })
    local side = world:add { x = 110, y = 95, shape = rectangle(16, 16) }
    local above = world:add { x = 50, y = 60, shape = rectangle(16, 16) }
    local _, n = world:carry(plate, 20, 0)
    assert.same({ 110, 0 }, { side.x, n })
    world:carry(plate, 0, -50)
    near({ 34, 50 }, { above.y, plate.y })
  end)

  it("does not carry a character again in its own move", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local c, actor = hero(world, 40, 100)
    run(c, 0, 2)
    world:carry(lift, 10, -5)
    near({ 50, 79 }, { actor.x, actor.y })
    c:move(0, 10, FRAME)
    near({ 50, 79 }, { actor.x, actor.y })
    assert.equal(lift, c.floor)
  end)

  it("pushes a row, in whatever order its members were added", function()
    for _, order in ipairs { { 1, 2, 3 }, { 3, 2, 1 }, { 2, 3, 1 } } do
      local world, row = collide.newWorld(), {}
      local ram = solid(world, "ram", 0, 0, rectangle(10, 10))
      for _, i in ipairs(order) do
        row[i] = world:add { x = 6 * i + 6 * i, y = 0, shape = rectangle(10, 10) }
      end
      local _, n = world:carry(ram, 30, 0)
      near({ 0, 30, 40, 50, 60 }, { n, ram.x, row[1].x, row[2].x, row[3].x })
    end
  end)

  it("carries a rider whose shape is beside its x and y", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local left = world:add { x = 300, y = 84, shape = rectangle(-280, 0, 16, 16) }
    local right = world:add { x = 36, y = 84, shape = rectangle(16, 16) }
    world:carry(lift, 10, 0)
    near({ 310, 46 }, { left.x, right.x })
  end)

  it("moves nobody if a filter raises", function()
    local world = collide.newWorld()
    local ram = solid(world, "ram", 0, 0, rectangle(10, 10))
    local rider = world:add { x = 0, y = -10, shape = rectangle(10, 10) }
    local first = world:add { x = 12, y = 0, shape = rectangle(10, 10) }
    local second = world:add { x = 12, y = 4, shape = rectangle(10, 10) }
    raises("not that one", world.carry, world, ram, 20, 0, function(other)
      if other == second then error "not that one" end
      return true
    end)
    assert.same({ 0, 0, 12, 12 }, { ram.x, rider.x, first.x, second.x })
    assert.equal(0, select(2, world:carry(ram, -20, 0)))
    assert.same({ -20, -20 }, { ram.x, rider.x })
  end)

  -- A bug: `carry` lost the platform in the middle, and raised an internal error.
  it("moves nobody of a strict world if a filter raises late", function()
    local world = collide.newWorld { strict = true }
    local lift = solid(world, "lift", 0, 0, rectangle(10, 10))
    local crate = world:add { name = "crate", x = 15, y = 0, shape = rectangle(10, 10) }
    local asked = 0
    raises("no more", world.carry, world, lift, 10, 0, function()
      asked = asked + 1
      return asked < 2 or error("no more", 0)
    end)
    near({ 0, 15 }, { lift.x, crate.x })
    world:step() -- strict: raises unless the tables agree with the world
  end)

  it("lets nobody change the world meanwhile, neither a filter nor a field's code", function()
    local world, lift, crates = shaft()
    local inTheWay = world:add { name = "cart", x = 100, y = 100, shape = rectangle(10, 10) }
    local message = "world:remove: this world is moving an actor; change it afterwards"
    raises(message, world.carry, world, lift, 5, 0, function() world:remove(lift) end)
    local x = inTheWay.x
    inTheWay.x = nil
    setmetatable(inTheWay, { __index = function(_, name)
      return name == "x" and (world:remove(crates[1]) and x or x) or nil
    end })
    raises(message, world.carry, world, lift, 5, 0)
    near({ 5, 0, 20 }, { world:count(), lift.x, crates[1].x })
  end)

  it("makes no garbage", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    for i = 0, 2 do world:add { x = 30 * i, y = 84, shape = rectangle(16, 16) } end
    local c = hero(world, 5, 84, { snapLength = 2 })
    world:add { x = 110, y = 100, shape = rectangle(16, 16) }
    c:move(0, 15, FRAME)
    local function frame()
      for way = -5, 5, 10 do
        world:carry(lift, way, way / 5)
        c:move(0, 15, FRAME)
      end
    end
    assert.is_true(gc.growth(frame) <= 0)
  end)

  -- How many instructions of Lua a call takes.
  local function instructions(call)
    local jit, n = rawget(_G, "jit"), 0
    local hook, mask, count = debug.gethook()
    if jit then jit.off() end
    debug.sethook(function() n = n + 1 end, "", 1)
    call()
    debug.sethook(hook, mask, count)
    if jit then jit.on() end
    return n
  end

  it("takes no longer with a thousand characters elsewhere, and no more does a teleport", function()
    local function cost(characters)
      local world = collide.newWorld()
      local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
      local rider = hero(world, 20, 100)
      rider:move(0, 15, FRAME)
      for i = 1, characters do
        solid(world, "island", 100 * i, 500, rectangle(50, 10))
        local other = hero(world, 100 * i + 10, 500)
        other:move(0, 15, FRAME)
        assert.is_truthy(other.floor)
      end
      world:carry(lift, 1, 0)
      return instructions(function()
        world:carry(lift, 1, 0)
        world:teleport(lift, 0, 100)
      end)
    end
    local few = cost(1)
    assert.is_true(few > 50)
    assert.is_true(cost(1000) <= few)
  end)
end)
