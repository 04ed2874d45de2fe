-- Pools of bullets and the collector: what it may and may not collect, that a frame makes no
-- garbage, and what finalizers may do.
local collide = require "collide"
local gc = require "spec.support.gc"
local script = require "spec.support.script"

local dot = collide.circle(5)

local function count(t)
  local n = 0
  for _ in pairs(t) do n = n + 1 end
  return n
end

describe("the collector", function()
  it("collects worlds and pools whose callbacks refer to each other", function()
    local worlds, pools = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" })
    coroutine.wrap(function()
      for _ = 1, 200 do
        local world, pool = collide.newWorld(), nil
        pool = world:newBullets { capacity = 50, radius = 1, lifetime = 1,
          hit = function() return nil, world, pool end, expired = function() return pool end }
        pool.mine, world.pool = world, pool
        world:add { x = 5, y = 0, shape = dot, pool = pool }
        pool:spawnRing(0, 0, 20, 9)
        pool:spawnLaser { points = { 0, 0, 9, 9 }, width = 1 }
        world:update(1)
        worlds[world], pools[pool] = true, true
      end
    end)()
    gc.forgetTraces()
    gc.full()
    assert.equal(0, count(worlds))
    assert.equal(0, count(pools))
  end)

  it("keeps a pool that only its world refers to: its bullets fly on", function()
    local world, hits = collide.newWorld(), 0
    world:add { x = 50, y = 0, shape = dot }
    local function make()
      local pool = world:newBullets { capacity = 5, radius = 1,
        hit = function() hits = hits + 1 end }
      pool:spawn(0, 0, 10, 0)
    end
    make()
    for _ = 1, 9 do
      gc.full()
      world:update(1)
    end
    assert.equal(1, hits)
  end)

  it("keeps a world that only a pool refers to", function()
    local pool = collide.newWorld():newBullets { capacity = 5, radius = 1 }
    gc.full()
    local bullet = pool:spawn(1, 2, 3, 4)
    gc.full()
    assert.equal(1, (pool:get(bullet)))
  end)

  -- A bug: this was a crash.
  it("may run a finalizer that removes a pool while its lasers are drawn", function()
    assert.equal("sound\n", script.run [[
      local collide = require "collide"
      local canvas = require "collide.canvas"
      local gc = require "spec.support.gc"
      local function nothing() end
      local brush = { color = nothing, polygon = nothing, circle = nothing, rectangle = nothing,
        line = nothing, capsule = nothing }
      gc.makeAggressive()
      for _ = 1, 500 do
        local world = collide.newWorld()
        local pool = world:newBullets { capacity = 50, radius = 1 }
        for i = 1, 20 do pool:spawnLaser { points = { 0, 0, i, 9 }, width = 1 } end
        gc.finalized(function() pcall(pool.remove, pool) end)
        pcall(canvas.drawWorld, brush, world, {})
      end
      print "sound"
    ]])
  end)

  -- A bug: this was a crash.
  it("may run a finalizer that removes a pool while a laser is spawned", function()
    assert.equal("sound\n", script.run [[
      local collide = require "collide"
      local gc = require "spec.support.gc"
      gc.makeAggressive()
      local points = {}
      for i = 1, 400 do points[i] = i end
      for _ = 1, 1000 do
        local pool = collide.newWorld():newBullets { capacity = 50, radius = 1 }
        gc.finalized(function() pcall(pool.remove, pool) end)
        for _ = 1, 9 do pcall(pool.spawnLaser, pool, { points = points, width = 1 }) end
      end
      print "sound"
    ]])
  end)

  it("may run finalizers that use pools of a world collected with them", function()
    local results = {}
    local function use(pool)
      return function()
        results[#results + 1] = { pcall(function()
          local bullet = pool:spawn(0, 0, 1, 1)
          pool:spawnRing(0, 0, 3, 1)
          pool:spawnLaser { points = { 0, 0, 9, 9 }, width = 1 }
          pool:set(bullet, { x = 5 })
          pool:each(function() end)
          pool:fill {}
          pool:killCircle(0, 0, 5)
          pool.world:update(1)
          return pool:get(bullet), pool:count()
        end) }
      end
    end
    for _ = 1, 20 do
      local world = collide.newWorld()
      local pool = world:newBullets { capacity = 9, radius = 1, lifetime = 5 }
      world.early, pool.world = gc.finalized(use(pool)), world
      world:update(1)
      world.late = gc.finalized(use(pool))
    end
    gc.full()
    assert(#results >= 38)
    for _, result in ipairs(results) do
      assert.is_true(result[1] == true or type(result[2]) == "string")
    end
  end)

  -- LuaJIT may need a second trace to leave a compiled loop over `pairs`, and compiles none in a
  -- finalizer (see lua/collide/each.lua). The wrong option ends each loop early, so that the second
  -- trace is missing.
  it("may run a finalizer that gives options, after compiled calls with wrong ones", function()
    gc.forgetTraces()
    local world, late = collide.newWorld(), nil
    local options = { capacity = 9, radius = 1, bounds = { 0, 0, 9, 9 }, margin = 1, lifetime = 1,
      grazeRadius = 2, pierce = true, hitBullets = true, wrong = true }
    local function refused()
      for _ = 1, 500 do
        if pcall(world.newBullets, world, options) then return false end
      end
      return true
    end
    assert.is_true(refused())
    gc.finalized(function()
      late = world:newBullets { capacity = 9, radius = 1, lifetime = 1, margin = 1 }
    end)
    gc.full()
    assert.equal(9, late.capacity)
  end)
end)

describe("a frame with bullets in steady state", function()
  it("allocates no Lua memory", function()
    local world, hits, grazes, ends = collide.newWorld(), 0, 0, 0
    for i = 1, 8 do world:add { x = 40 * i, y = 60, shape = dot, i = i } end
    local pool
    pool = world:newBullets { capacity = 500, radius = 2, grazeRadius = 8, lifetime = 1,
      bounds = { 0, 0, 400, 100 },
      hit = function(_, bullet, actor, nx)
        hits = hits + actor.i * nx * pool:get(bullet)
      end,
      graze = function() grazes = grazes + 1 end,
      expired = function() ends = ends + 1 end }
    local list, angle = {}, 0
    local function look(_, x) hits = hits + x end
    local function frame()
      angle = angle + 0.1
      for i = 1, 4 do pool:spawn(90 * i, 10, 30 * i, 60, i) end
      pool:spawnRing(200, 50, 3, 80, angle)
      world:update(1 / 30)
      pool:each(look)
    end
    frame()
    pool:fill(list)
    local grown = gc.growth(frame)
    assert(grazes > 100 and ends > 100 and hits ~= 0)
    assert.equal(0, grown)
  end)

  -- LuaJIT sometimes gives up on compiling a caller. Then spawning must be compiled on its own.
  it("allocates no Lua memory where a script that is not compiled spawns", function()
    local pool = collide.newWorld():newBullets { capacity = 500, radius = 2 }
    local function spawn()
      for _ = 1, 400 do pool:spawn(1, 2, 3, 4, 5) end
      pool:clear()
    end
    local jit = rawget(_G, "jit")
    if jit then jit.off(spawn) end
    assert.equal(0, gc.growth(spawn))
  end)
end)

describe("bullets under an aggressive collector", function()
  local function play()
    local world, log = collide.newWorld(), {}
    for i = 1, 5 do world:add { x = 40 * i, y = 60, shape = dot, name = i } end
    local pool = world:newBullets { capacity = 60, radius = 2, grazeRadius = 8, lifetime = 1,
      hit = function(pool, bullet, actor)
        collectgarbage()
        log[#log + 1] = bullet .. ":" .. actor.name .. ":" .. pool:count()
      end,
      expired = function(pool, bullet)
        local list = {}
        pool:fill(list)
        log[#log + 1] = bullet .. " " .. #list
      end }
    for i = 1, 40 do
      pool:spawnRing(100, 60, 5, 90, i)
      world:update(1 / 30)
    end
    return table.concat(log, ",") .. world:hash()
  end

  it("are the same as under the normal collector", function()
    local calm = play()
    assert.equal(calm, gc.aggressive(play))
    if gc.hasGenerational then assert.equal(calm, gc.generational(play)) end
  end)
end)
