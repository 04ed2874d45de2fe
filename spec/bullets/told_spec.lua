-- The callbacks of bullets in a step and their order, world:clear, and the hash.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"

local dot = collide.circle(5)

local near, setup, target = pools.near, pools.noting, pools.target

describe("a step makes the callbacks of bullets", function()
  it("after all pairs, by pool, bullet and t", function()
    local world, log = collide.newWorld { strict = false }, {}
    local function note(name)
      return function(_, bullet, actor, _, _, t)
        log[#log + 1] = ("%s %d %s %.2f"):format(name, bullet, actor.name, t)
      end
    end
    local one = world:newBullets { capacity = 9, radius = 1, pierce = true, hit = note "one" }
    local two = world:newBullets { capacity = 9, radius = 1, pierce = true, hit = note "two" }
    for i = 1, 2 do
      world:add { name = "a" .. i, x = 30 * i, y = 0, shape = dot,
        hit = function(self) log[#log + 1] = "pair " .. self.name end }
    end
    world:add { name = "c", x = 30, y = 9, shape = dot }
    two:spawn(0, 0, 100, 0)
    one:spawn(0, 0, 100, 0)
    two:spawn(100, 0, -100, 0)
    one:spawn(100, 0, -100, 0)
    world:update(1)
    assert.same({
      "pair a1",
      "one 2 a1 0.24", "one 2 a2 0.54", "one 4 a2 0.34", "one 4 a1 0.64",
      "two 1 a1 0.24", "two 1 a2 0.54", "two 3 a2 0.34", "two 3 a1 0.64",
    }, log)
  end)

  it("except for an actor that a callback has removed: its bullets fly on", function()
    local world, pool = setup {}
    local log = {}
    local foe = target(world, "foe", 50, 0)
    local wall = target(world, "wall", 90, 0)
    function pool.hit(_, bullet, actor)
      log[#log + 1] = bullet .. " " .. actor.name
      if actor == foe then world:remove(foe) end
    end
    for _ = 1, 3 do pool:spawn(0, 0, 200, 0) end
    world:update(1)
    assert.same({ "1 foe", "2 wall", "3 wall" }, log)
    assert.equal(0, pool:count())
    assert.is_true(world:has(wall))
  end)

  it("that may kill and spawn", function()
    local world, pool = setup { capacity = 4 }
    local log = {}
    target(world, "a", 50, 0)
    local spawned
    function pool.hit(_, bullet)
      log[#log + 1] = bullet
      assert.is_true(pool:kill(bullet))
      assert.is_true(pool:kill(bullet + 2))
      spawned = pool:spawn(0, 0, 100, 0)
      assert.is_truthy(spawned and pool:spawn(0, 200, 100, 0))
      assert.is_nil(pool:spawn(0, 200, 100, 0))
      pool.hit = function(_, b) log[#log + 1] = b end
    end
    for _ = 1, 4 do pool:spawn(0, 0, 100, 0) end
    world:update(1)
    assert.same({ 1, 2, 4 }, log)
    assert.same({ 5, 6 }, { spawned, pool:count() + 4 })
    world:update(1)
    assert.same({ 1, 2, 4, 5 }, log)
  end)

  -- Four bullets hit at once; the dispatch ends in the middle of the second's callback.
  local function interrupted(stop)
    local world, pool = setup {}
    local log, broken = {}, false
    target(world, "a", 50, 0)
    function pool.hit(_, bullet)
      log[#log + 1] = bullet
      if bullet == 2 and not broken then
        broken = true
        stop(world)
      end
    end
    for _ = 1, 4 do pool:spawn(0, 0, 100, 0) end
    return world, pool, log
  end

  it("in the next step, when an error has ended it", function()
    local world, pool, log = interrupted(function() error("stop", 0) end)
    expect.raises("stop", world.update, world, 1)
    assert.same({ 1, 2 }, log)
    assert.is_truthy(pool:get(3))
    world:step(0)
    assert.same({ 1, 2, 3, 4 }, log)
    assert.equal(0, pool:count())
  end)

  it("in a step inside of a callback, which ends the outer one", function()
    local world, pool, log = interrupted(function(world) world:step(0) end)
    world:update(1)
    assert.same({ 1, 2, 3, 4 }, log)
    assert.equal(0, pool:count())
    world:step(0)
    assert.equal(4, #log)
  end)

  it("in the next step, when a callback yields and is never resumed", function()
    local world, pool, log = interrupted(function() coroutine.yield() end)
    local co = coroutine.create(function() world:update(1) end)
    assert(coroutine.resume(co))
    assert.same({ 1, 2 }, log)
    world:step(0)
    assert.same({ 1, 2, 3, 4 }, log)
    assert(coroutine.resume(co))
    assert.equal("dead", coroutine.status(co))
    assert.equal(4, #log)
    assert.equal(0, pool:count())
  end)

  it("in the next step, when an error has ended the callbacks of the pairs", function()
    local world, pool, log = setup {}
    local a, stops = target(world, "a", 50, 0), true
    target(world, "b", 55, 0)
    function a.hit()
      if not stops then return end
      stops = false
      error("stop", 0)
    end
    pool:spawn(0, 0, 100, 0)
    expect.raises("stop", world.update, world, 1)
    assert.same({}, log)
    world:step(0)
    assert.same({ "hit 1 a" }, log)
  end)

  it("with the remaining ones of an earlier step first, and none for removed actors", function()
    local world, pool = setup { pierce = true }
    local log = {}
    local gone = target(world, "gone", 30, 0)
    target(world, "a", 50, 0)
    target(world, "b", 150, 0)
    function pool.hit(_, bullet, actor)
      log[#log + 1] = bullet .. " " .. actor.name
      if #log == 1 then error("stop", 0) end
    end
    pool:spawn(0, 0, 100, 0)
    pool:spawn(0, 0, 100, 0)
    expect.raises("stop", world.update, world, 1)
    world:remove(gone)
    for _ = 1, 60 do world:add { x = 0, y = 900, shape = dot } end
    for _, actor in ipairs(world:actors()) do
      if actor.y == 900 then world:remove(actor) end
    end
    world:update(1)
    assert.same({ "1 gone", "1 a", "1 b", "2 a", "2 b" }, log)
  end)

  it("for the actors that were hit, even if callbacks have moved their slots", function()
    local world, pool = setup { pierce = true, grazeRadius = 10, graze = false }
    local log, fillers = {}, {}
    for i = 1, 300 do fillers[i] = world:add { x = 20 * i, y = 900, shape = dot } end
    local first = target(world, "first", 30, 0)
    for i = 1, 3 do target(world, "a" .. i, 30 + 30 * i, 0) end
    local last = target(world, "last", 200, 0)
    function pool.hit(_, bullet, actor)
      log[#log + 1] = bullet .. " " .. actor.name
      if actor == first and bullet == 1 then
        for _, filler in ipairs(fillers) do world:remove(filler) end
        world:remove(last)
        for _ = 1, 2000 do world:remove(world:add { x = 0, y = 900, shape = dot }) end
      end
    end
    for _ = 1, 2 do pool:spawn(0, 0, 250, 0) end
    world:update(1)
    assert.same({ "1 first", "1 a1", "1 a2", "1 a3", "2 first", "2 a1", "2 a2", "2 a3" }, log)
    world:step(0)
    assert.equal(8, #log)
  end)

  it("only if reading the actors does not raise: otherwise nothing moves", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    local bullet = pool:spawn(0, 0, 100, 0)
    a.x = "here"
    expect.raises("x expected", world.update, world, 1)
    near({ 0, 0 }, pool:get(bullet))
    a.x = 50
    world:step(0)
    near({ 0, 0 }, pool:get(bullet))
    world:update(1)
    assert.same({ "hit 1 a" }, log)
  end)
end)

describe("world:clear", function()
  it("empties the pools, lasers included", function()
    local world, pool = setup {}
    local other = world:newBullets { capacity = 5, radius = 1 }
    target(world, "a", 50, 0)
    local first = pool:spawn(0, 0, 1, 0)
    pool:spawnLaser { points = { 0, 0, 5, 5 }, width = 1 }
    other:spawn(0, 0, 1, 0)
    world:clear()
    assert.same({ 0, 0, 0 }, { world:count(), pool:count(), other:count() })
    assert.is_nil((pool:get(first)))
  end)

  it("leaves the pools usable, and their numbers continue", function()
    local world, pool, log = setup { capacity = 2 }
    pool:spawn(0, 0, 1, 0)
    pool:spawn(0, 0, 1, 0)
    world:clear()
    target(world, "a", 20, 0)
    assert.equal(3, pool:spawn(0, 0, 20, 0))
    world:update(1)
    assert.same({ "hit 3 a" }, log)
  end)

  it("in a callback drops the remaining callbacks of bullets", function()
    local world, pool, log
    world, pool, log = setup { hit = function(_, bullet)
      log[#log + 1] = "hit " .. bullet
      world:clear()
    end }
    target(world, "a", 20, 0)
    pool:spawn(0, 0, 20, 0)
    pool:spawn(0, 1, 20, 0)
    world:update(1)
    assert.same({ "hit 1" }, log)
    world:update(1)
    assert.same({ "hit 1" }, log)
  end)
end)

describe("world:hash", function()
  local function play(x, hash)
    local world = collide.newWorld()
    target(world, "a", 50, 0)
    local pool = world:newBullets { capacity = 9, radius = 2 }
    pool:spawn(x, 0, 10, 0)
    world:update(1)
    return hash and world:hash()
  end

  it("tells bullets apart", function()
    assert.equal(play(0, true), play(0, true))
    assert.not_equal(play(0, true), play(1, true))
  end)

  it("depends only on the last step, not on earlier hits", function()
    local hashes = {}
    for i = 1, 2 do
      local world = collide.newWorld()
      target(world, "a", 50, 0)
      local pool = world:newBullets { capacity = 9, radius = 2, grazeRadius = 10 }
      pool.graze = function() end
      if i == 2 then
        pool:spawn(40, 0, 10, 0) -- hits
        pool:spawn(40, 15, 10, 0) -- grazes
      end
      world:update(1)
      pool:clear()
      pool:spawn(0, 0, 10, 0)
      world:update(1)
      hashes[i] = world:hash()
    end
    assert.equal(hashes[1], hashes[2])
  end)

  it("differs between a step with hits of a pool and one without", function()
    local hashes = {}
    for i = 1, 2 do
      local world = collide.newWorld()
      target(world, "a", 50, 0)
      local pool = world:newBullets { capacity = 9, radius = 2 }
      pool:spawn(i == 1 and 40 or 0, 0, 10, 0)
      world:update(1)
      pool:clear()
      hashes[i] = world:hash()
      world:update(1) -- no bullet is alive, and nothing was hit
      hashes[i + 2] = world:hash()
    end
    assert.not_equal(hashes[1], hashes[2])
    assert.equal(hashes[3], hashes[4])
  end)

  it("without bullets is the same as without pools", function()
    local world = collide.newWorld()
    target(world, "a", 50, 0)
    world:step(0)
    local hash = world:hash()
    local fresh = collide.newWorld()
    target(fresh, "a", 50, 0)
    fresh:step()
    assert.equal(hash, fresh:hash())
  end)
end)
