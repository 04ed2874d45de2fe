-- What other actors do to a character: responses, pushes, and the list of hits.
local collide = require "collide"
local expect = require "spec.support.expect"
local walker = require "spec.support.walker"

local near, raises = expect.near, expect.raises
local rectangle, polygon = collide.rectangle, collide.polygon
local solid, hero, run, floored = walker.solid, walker.hero, walker.run, walker.floored
local FRAME = walker.FRAME

-- A floor at y = 100, from 0 to 300.
local function ground(options, x, y)
  local world = collide.newWorld()
  local floor = solid(world, "floor", 0, 100, rectangle(300, 20))
  local character, actor = hero(world, x or 50, y or 100, options)
  return world, character, actor, floor
end

describe("a character's hits", function()
  it("have the response that the game chose", function()
    for _, response in ipairs { "slide", "touch", "bounce" } do
      local _, c, _, floor = ground({ response = response }, 50, 98)
      c:move(0, 600, FRAME)
      assert.equal(1, c.n)
      assert.same({ floor, response }, { c.hits[1].actor, c.hits[1].response })
    end
    local _, c = ground(nil, 50, 98)
    c:move(0, 600, FRAME)
    assert.equal("slide", c.hits[1].response)
  end)

  it("have the fraction of the move's time, also after the first surface", function()
    local world, c = ground(nil, 50, 95)
    solid(world, "wall", 96, 0, rectangle(10, 100))
    c:move(40, 10, 1)
    assert.equal(2, c.n)
    near({ 0.5, 0.75 }, { c.hits[1].t, c.hits[2].t })
  end)

  it("list a crossed actor once per move", function()
    local world, c = ground(nil, 45, 98)
    local coin = world:add { x = 60, y = 92, sensor = true, shape = collide.circle(5) }
    solid(world, "wall", 66, 0, rectangle(10, 100))
    for _ = 1, 2 do
      c:move(600, 600, FRAME)
      local n = 0
      for i = 1, c.n do n = n + (c.hits[i].actor == coin and 1 or 0) end
      assert.equal(1, n)
    end
  end)
end)

describe("a character's response", function()
  it('"touch" stops it for the rest of the move', function()
    local _, c, actor, floor = ground({ response = "touch" }, 50, 98)
    local vx, vy = c:move(600, 600, FRAME)
    near({ 52, 84, 600, 0 }, { actor.x, actor.y, vx, vy }, 1e-6)
    assert.equal(floor, c.floor)
    c:move(600, 600, FRAME)
    near({ 62, 84 }, { actor.x, actor.y }, 1e-6)
  end)

  it('"bounce" throws it back, off floors, walls and ceilings', function()
    local world, c, actor, floor = ground({
      response = function(_, other) return other.springy and "bounce" or "slide" end,
    }, 50, 60)
    floor.springy = true
    local vy, top = 0, 0
    for _ = 1, 200 do
      local _, left = c:move(0, vy + 15, FRAME)
      if vy > 0 and left < 0 then
        near({ -(vy + 15) }, { left })
        assert.is_nil(c.floor)
        top = top + 1
      end
      vy = left
    end
    assert.is_true(top >= 2)
    floor.springy = false
    run(c, 0, 120)
    assert.equal(floor, c.floor)
    local wall = solid(world, "wall", 90, 0, rectangle(10, 100), { springy = true })
    local vx
    vx, vy = c:move(2400, 15, FRAME)
    near({ -2400, 0, 74 - 16 }, { vx, vy, actor.x }, 1e-6)
    assert.same({ wall, floor }, { c.wall, c.floor })
    local roof = solid(world, "roof", 0, 60, rectangle(80, 10), { springy = true })
    local _, down = c:move(0, -1200, FRAME)
    near({ 1200 }, { down })
    assert.equal(roof, c.ceiling)
  end)

  it("nil lets it pass through, also while it is carried", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local ghost = solid(world, "ghost", 60, 60, rectangle(10, 30))
    local c, actor = hero(world, 40, 100, {
      response = function(_, other) if other ~= ghost then return "slide" end end,
    })
    c:move(0, 15, FRAME)
    lift.x = 20
    c:move(0, 15, FRAME)
    assert.equal(60, actor.x)
    world:carry(lift, 10, 0)
    assert.equal(70, actor.x)
  end)

  it("is a function that may depend on the value of a tile", function()
    local world = collide.newWorld()
    local map = collide.newGrid(20, 8, { cell = 16 })
    map:fill(0, 6, 20, 1, 1)
    map:fill(8, 4, 1, 2, 2)
    map:fill(12, 4, 1, 2, 3)
    local level = solid(world, "level", 0, 0, collide.tiles(map))
    local seen = {}
    local c, actor = hero(world, 20, 96, {
      response = function(_, other, _, _, value)
        assert.equal(level, other)
        seen[value] = true
        if value ~= 2 then return "slide" end
      end,
    })
    run(c, 200, 90, function(frame)
      if frame > 1 then floored(c, level)(frame) end
    end)
    assert.same({ true, true, true }, seen)
    near({ 192 - 16, 80 }, { actor.x, actor.y })
    assert.same({ level, 1 }, { c.wall, c.floorValue })
    assert.equal(3, c.hits[c.n].value)
  end)

  it("that is invalid raises, and nothing has moved", function()
    local world, c, actor = ground({
      response = function(_, other) return other.answer or "slide" end,
    }, 40)
    local crate = world:add { x = 60, y = 84, shape = rectangle(16, 16), answer = "push" }
    solid(world, "wall", 90, 0, rectangle(20, 100), { answer = "pull" })
    c:move(0, 15, FRAME)
    local floor, hits, n = c.floor, c.hits, c.n
    raises({ "character:move: what response returns expected", '"pull"' }, c.move, c, 2400, 15,
      FRAME)
    assert.same({ 40, 60, n, n }, { actor.x, crate.x, c.n, #c.hits })
    assert.equal(hits, c.hits)
    assert.equal(floor, c.floor)
    assert.equal(crate, world:queryPoint(61, 90)[1])
    assert.equal(0, select(2, world:queryPoint(77, 90)))
  end)

  -- A bug: what it had pushed stayed there, if a carry had raised before.
  it("that is invalid after a push raises, and nothing has moved", function()
    local world, c, actor, floor = ground({
      response = function(_, other) return other.answer or "slide" end,
    }, 40)
    local crate = world:add { x = 60, y = 92, shape = rectangle(16, 8), answer = "push" }
    for _, x in ipairs { 10, 90 } do
      solid(world, "beam", x, 0, rectangle(20, 90), { answer = "pull" })
    end
    c:move(0, 15, FRAME)
    raises({ "what response returns expected", '"pull"' }, world.carry, world, floor, -20, 0)
    raises({ "what response returns expected", '"pull"' }, c.move, c, 2400, 15, FRAME)
    assert.same({ 40, 60 }, { actor.x, crate.x })
  end)
end)

describe("a character that pushes", function()
  it("is not slowed by actors that give way, and stopped by others", function()
    local world, c, actor, floor = ground({ response = "push" })
    local wall = solid(world, "wall", 200, 0, rectangle(20, 100))
    local crate = world:add { name = "crate", x = 100, y = 84, shape = rectangle(16, 16) }
    run(c, 90, 200, function(frame, vx)
      floored(c, floor)(frame)
      local free = crate.x < 184 - 1e-9
      assert.equal(free and 90 or 0, vx)
      assert.equal(not free and crate or nil, c.wall)
    end)
    near({ 168, 184, 84 }, { actor.x, crate.x, crate.y })
    world:remove(crate)
    run(c, 90, 60)
    assert.same({ wall, 184 }, { c.wall, actor.x })
  end)

  it("pushes rows, and reports the push", function()
    local world, c, actor, floor = ground({ response = "push" })
    local crates = {}
    for i = 1, 4 do
      crates[i] = world:add { x = 80 + 20 * i, y = 84, shape = rectangle(16, 16) }
    end
    run(c, 90, 60, floored(c, floor))
    near({ 140, 156, 172, 188, 204 },
      { actor.x, crates[1].x, crates[2].x, crates[3].x, crates[4].x }, 1e-6)
    assert.same({ crates[1], "push" }, { c.hits[c.n].actor, c.hits[c.n].response })
  end)

  it("is not lifted by steep slopes, and stands on the actor that it lands on", function()
    local world, c, actor, floor = ground({ response = "push" })
    local slope = solid(world, "slope", 150, 100, polygon(0, 0, 40, -80, 60, -80, 60, 0))
    run(c, 90, 100, function() assert.equal(84, actor.y) end)
    assert.same({ slope, floor, "slide" }, { c.wall, c.floor, c.hits[c.n].response })
    local crate = world:add { name = "crate", x = 20, y = 84, shape = rectangle(16, 16) }
    world:teleport(actor, 20, 30)
    run(c, 0, 60)
    assert.equal(crate, c.floor)
    near({ 20, 84, 68 }, { crate.x, crate.y, actor.y })
  end)
end)
