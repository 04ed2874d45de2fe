-- Pools of bullets: spawning and killing, what a step does to them and tells of them.
local collide = require "collide"
local expect = require "spec.support.expect"

local box, dot = collide.rectangle(10, 10), collide.circle(5)

-- The first numbers of what is given.
local function near(want, ...)
  local got = {}
  for i = 1, #want do got[i] = (select(i, ...)) end
  expect.near(want, got)
end

-- A world, and a pool in it that notes what it tells.
local function setup(options)
  local world, log = collide.newWorld(), {}
  options.capacity = options.capacity or 20
  options.radius = options.radius or 2
  local function note(what)
    return function(_, bullet, actor)
      log[#log + 1] = what .. " " .. bullet .. (actor and " " .. actor.name or "")
    end
  end
  for _, what in ipairs { "hit", "graze", "expired" } do
    if options[what] == nil then options[what] = note(what) end
    if options[what] == false then options[what] = nil end
  end
  return world, world:newBullets(options), log
end

local function target(world, name, x, y, shape)
  return world:add { name = name, x = x, y = y, shape = shape or dot }
end

describe("pool:spawn", function()
  it("gives bullets that get tells the state of", function()
    local _, pool = setup {}
    local a = pool:spawn(1, 2, 3, 4)
    local b = pool:spawn(5, 6, 7, 8, -9)
    near({ 1, 2, 3, 4, 2, 0 }, pool:get(a))
    near({ 5, 6, 7, 8, 2, -9 }, pool:get(b))
    assert.equal(2, pool:count())
  end)

  it("returns nil and why when the pool is full, and works again when it isn't", function()
    local _, pool = setup { capacity = 3 }
    local a = pool:spawn(0, 0, 0, 0)
    pool:spawn(1, 0, 0, 0)
    pool:spawnLaser { points = { 0, 0, 9, 9 }, width = 1 }
    local bullet, why = pool:spawn(2, 0, 0, 0)
    assert.is_nil(bullet)
    assert.equal("the pool is full", why)
    assert.same({ nil, "the pool is full" }, { pool:spawnAimed(0, 0, 1, 1, 5) })
    assert.same({ nil, "the pool is full" },
      { pool:spawnLaser { points = { 0, 0, 9, 9 }, width = 1 } })
    assert.same({ 0 }, { pool:spawnRing(0, 0, 5, 1) })
    assert.equal(3, pool:count())
    pool:kill(a)
    assert.equal(3, pool:spawnRing(0, 0, 5, 1) + 2)
    assert.equal(3, pool:count())
  end)

  it("never gives a number again, nor one that another pool of the world has", function()
    local world, pool = setup { capacity = 50 }
    local other = world:newBullets { capacity = 50, radius = 1 }
    local had = {}
    for round = 1, 40 do
      for _ = 1, 50 do
        local p = round % 2 == 0 and pool or other
        local bullet = p:spawn(0, 0, 0, 0)
        if bullet then
          assert.is_nil(had[bullet])
          had[bullet] = true
          assert.is_nil((p == pool and other or pool):get(bullet))
          if bullet % 3 == 0 then p:kill(bullet) end
        end
      end
      if round % 5 == 0 then pool:clear() end
    end
  end)

  it("aims, and makes rings and fans", function()
    local _, pool = setup {}
    local function velocity(bullet)
      local _, _, vx, vy = pool:get(bullet)
      return vx, vy
    end
    near({ 3, 4 }, velocity(pool:spawnAimed(10, 10, 13, 14, 5)))
    near({ 5, 0 }, velocity(pool:spawnAimed(10, 10, 10, 10, 5)))
    local n, first = pool:spawnRing(1, 1, 4, 10, 0, 7)
    assert.equal(4, n)
    near({ 10, 0 }, velocity(first))
    near({ 0, 10 }, velocity(first + 1))
    near({ 0, -10 }, velocity(first + 3))
    assert.equal(7, (select(6, pool:get(first + 3))))
    n, first = pool:spawnFan(1, 1, 3, 0, math.pi, 10)
    assert.equal(3, n)
    near({ 0, -10 }, velocity(first))
    near({ 10, 0 }, velocity(first + 1))
    near({ 0, 10 }, velocity(first + 2))
    n, first = pool:spawnFan(1, 1, 1, math.pi / 2, 1, 10)
    assert.equal(1, n)
    near({ 0, 10 }, velocity(first))
  end)
end)

describe("a pool", function()
  it("knows the dead from the living", function()
    local _, pool = setup {}
    local a, b = pool:spawn(0, 0, 0, 0), pool:spawn(0, 0, 0, 0)
    assert.is_true(pool:kill(a))
    assert.is_false(pool:kill(a))
    assert.is_nil(pool:get(a))
    assert.is_false(pool:set(a, { x = 1 }))
    assert.is_true(pool:set(b, { x = 1, radius = 4, tag = 3 }))
    near({ 1, 0, 0, 0, 4, 3 }, pool:get(b))
    assert.equal(1, pool:count())
    assert.equal(1, pool:clear())
    assert.is_nil(pool:get(b))
    assert.equal("pool(0 bullets)", tostring(pool))
  end)

  it("kills those that touch a circle, but no laser", function()
    local _, pool = setup {}
    local a, b, c = pool:spawn(0, 0, 0, 0), pool:spawn(11.9, 0, 0, 0), pool:spawn(0, 12.1, 0, 0)
    local laser = pool:spawnLaser { points = { -5, 0, 5, 0 }, width = 2 }
    assert.equal(2, pool:killCircle(0, 0, 10))
    assert.is_nil(pool:get(a) or pool:get(b))
    assert.is_truthy(pool:get(c) and pool:get(laser))
  end)

  it("goes through its bullets in the order of spawning, whatever is done meanwhile", function()
    local _, pool = setup {}
    local seen = {}
    for i = 1, 9 do
      if i == 4 then
        pool:spawnLaser { points = { 0, 0, 1, 0 }, width = 1 }
      else
        pool:spawn(i, 0, 0, 0)
      end
    end
    pool:each(function(bullet, x, _, _, _, radius)
      seen[#seen + 1] = bullet
      assert.equal(bullet == 4 and 0 or bullet, x)
      assert.equal(bullet == 4 and 0.5 or 2, radius)
      if bullet == 2 then
        pool:kill(3)
        pool:kill(2)
        pool:kill(4)
        for _ = 1, 10 do pool:spawn(0, 0, 0, 0) end
      end
    end)
    assert.same({ 1, 2, 5, 6, 7, 8, 9 }, seen)
  end)

  it("is filled into a list, of which nothing older remains", function()
    local _, pool = setup {}
    local list = { 9, 9, 9, 9, 9, 9, 9, 9 }
    pool:spawn(1, 2, 0, 0)
    local b = pool:spawn(3, 4, 0, 0)
    pool:spawn(5, 6, 0, 0)
    pool:spawnLaser { points = { 0, 0, 1, 0 }, width = 1 }
    pool:kill(b)
    assert.equal(2, pool:fill(list))
    assert.same({ 1, 2, 5, 6 }, list)
  end)

  it("is filled into what has a method add, as a SpriteBatch", function()
    local _, pool = setup {}
    pool:spawn(1, 2, 0, 5)
    pool:spawn(3, 4, -5, 0)
    local texture = { getDimensions = function() return 8, 6 end }
    local batch = {
      getTexture = function() return texture end,
      clear = function(self) self.n = 0 end,
      add = function(self, ...)
        self.n = self.n + 1
        self[self.n] = { ... }
      end,
    }
    assert.equal(2, pool:fill(batch))
    near({ 1, 2, math.pi / 2, 1, 1, 4, 3 }, (table.unpack or unpack)(batch[1])) -- luacheck: ignore
    near({ 3, 4, math.pi, 1, 1, 4, 3 }, (table.unpack or unpack)(batch[2])) -- luacheck: ignore
    assert.equal(2, pool:fill(batch))
    assert.equal(2, batch.n)
  end)

  it("hands out its arrays on LuaJIT", function()
    local _, pool = setup {}
    local a = pool:spawn(1, 2, 3, 4)
    pool:spawn(5, 6, 7, 8, 9)
    pool:kill(a)
    if not rawget(_G, "jit") then
      expect.raises("pool:fill: target expected (", pool.fill, pool)
      return
    end
    local n, x, y, vx, vy, radius, tag = pool:arrays()
    assert.equal(1, n)
    near({ 5, 6, 7, 8, 2, 9 }, x[0], y[0], vx[0], vy[0], radius[0], tag[0])
  end)
end)

describe("bullets", function()
  it("are moved by update, after the actors' updates, and not by step", function()
    local world, pool = setup {}
    local a = pool:spawn(0, 0, 60, -30)
    local spawned
    world:add { x = 50, y = 50, shape = box, update = function()
      if not spawned then spawned = pool:spawn(0, 10, 10, 0) end
    end }
    world:step()
    near({ 0, 0 }, pool:get(a))
    world:update(0.5)
    near({ 30, -15, 60, -30 }, pool:get(a))
    near({ 5, 10 }, pool:get(spawned))
  end)

  it("accelerate evenly", function()
    local world, pool = setup {}
    local a, b = pool:spawn(0, 0, 1, 0), pool:spawn(0, 0, 1, 0)
    pool:set(a, { ax = 2, ay = -4 })
    for _ = 1, 4 do world:update(0.25) end
    near({ 2, -2, 3, -4 }, pool:get(a))
    near({ 1, 0, 1, 0 }, pool:get(b))
    near({ 9, 0, 1, 0 }, pool:get(pool:spawn(9, 0, 1, 0)))
  end)

  it("expire beyond the bounds and the margin", function()
    local world, pool, log = setup { bounds = { 10, 10, 80, 80 }, margin = 5 }
    for _, x in ipairs { 5, 4.9, 95.1 } do pool:spawn(x, 50, 0, 0) end
    for _, y in ipairs { 95, 95.1, 4 } do pool:spawn(50, y, 0, 0) end
    world:step()
    assert.same({ "expired 2", "expired 3", "expired 5", "expired 6" }, log)
    assert.equal(2, pool:count())
  end)

  it("expire when their lifetime is over, to the step", function()
    local world, pool, log = setup { lifetime = 1 }
    pool:spawn(0, 0, 0, 0)
    for _ = 1, 30 do world:update(1 / 60) end
    pool:spawn(0, 0, 0, 0)
    for _ = 1, 29 do world:update(1 / 60) end
    assert.same({}, log)
    world:update(1 / 60)
    assert.same({ "expired 1" }, log)
    for _ = 1, 29 do world:update(1 / 60) end
    assert.equal(1, #log)
    world:update(1 / 60)
    assert.same({ "expired 1", "expired 2" }, log)
  end)

  it("are told of what they hit on their way, however fast, and die of it", function()
    --  o ------------> | -->        the wall is thinner than a bullet's step
    local world, pool = setup { hit = false }
    local wall = target(world, "wall", 100, -20, collide.segment(0, 0, 0, 40))
    function wall.hit() error "an actor's own hit is not called" end
    local seen
    function pool.hit(p, bullet, actor, nx, ny, t, x, y)
      assert.equal(pool, p)
      assert.equal(wall, actor)
      near({ 98, 0 }, p:get(bullet))
      seen = { nx, ny, t, x, y }
    end
    local bullet = pool:spawn(0, 0, 500, 0)
    world:update(1)
    near({ -1, 0, 98 / 500, 98, 0 }, seen[1], seen[2], seen[3], seen[4], seen[5])
    assert.is_nil(pool:get(bullet))
    assert.equal(0, pool:count())
  end)

  it("die of a hit though nobody listens", function()
    local world, pool = setup { hit = false, graze = false, expired = false }
    target(world, "a", 20, 0)
    pool:spawn(0, 0, 30, 0)
    pool:spawn(0, 50, 30, 0)
    world:update(1)
    assert.equal(1, pool:count())
  end)

  it("hit at t = 0 where they are spawned inside, with the way out", function()
    local world, pool = setup { hit = false }
    target(world, "a", 0, 0, box)
    local seen
    function pool.hit(_, _, _, ...) seen = { ... } end
    pool:spawn(1, 5, 10, 0)
    world:update(1)
    near({ -1, 0, 0 }, seen[1], seen[2], seen[3])
  end)

  it("are met by what moves into them, also in a bare step", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 0, 0)
    pool:spawn(50, 0, 0, 0)
    world:step()
    a.x = 100
    world:step()
    assert.same({ "hit 1 a" }, log)
  end)

  it("aren't met by what jumps over them", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 0, 0)
    pool:spawn(50, 0, 0, 0)
    world:step()
    a.x = 100
    world:refresh(a)
    world:step()
    world:remove(a)
    a.x = 0
    world:add(a)
    world:step()
    assert.same({}, log)
    a.x = 46
    world:refresh(a)
    world:step()
    assert.same({ "hit 1 a" }, log)
  end)

  it("don't sweep over what lies between when they are set elsewhere", function()
    local world, pool, log = setup {}
    target(world, "a", 50, 0)
    local bullet = pool:spawn(0, 0, 0, 0)
    world:step()
    pool:set(bullet, { x = 100 })
    world:step()
    assert.same({}, log)
  end)

  it("hit only groups that their pool's may hit", function()
    local world = collide.newWorld { hits = { { "shot", "foe" } } }
    local log = {}
    local pool = world:newBullets { capacity = 5, radius = 1, group = "shot",
      hit = function(_, _, actor) log[#log + 1] = actor.name end }
    world:add { name = "friend", x = 10, y = 0, shape = dot, group = "friend" }
    world:add { name = "foe", x = 30, y = 0, shape = dot, group = "foe", static = true }
    pool:spawn(0, 0, 100, 0)
    world:update(1)
    assert.same({ "foe" }, log)
    world:setHits("shot", "foe", false)
    pool:spawn(0, 0, 100, 0)
    world:update(1)
    assert.same({ "foe" }, log)
  end)

  it("graze each actor once, and before they hit it", function()
    local world, pool, log = setup { grazeRadius = 20 }
    target(world, "a", 50, 0)
    target(world, "b", 0, 22)
    for i = 1, 3 do
      pool:spawn(0, 0, 5, 0)
      if i < 3 then world:update(1) end
    end
    assert.same({ "graze 1 b", "graze 2 b" }, log)
    for _ = 1, 9 do world:update(1) end
    table.sort(log)
    assert.same({ "graze 1 a", "graze 1 b", "graze 2 a", "graze 2 b", "graze 3 a", "graze 3 b",
      "hit 1 a", "hit 2 a", "hit 3 a" }, log)
  end)

  it("that pierce go on, and hit an actor again only after they have left it", function()
    local world, pool, log = setup { pierce = true }
    target(world, "a", 50, 0, dot)
    target(world, "b", 60, 0, dot)
    local bullet = pool:spawn(40, 0, 4, 0)
    for _ = 1, 12 do world:update(1) end
    assert.same({ "hit 1 a", "hit 1 b" }, log)
    near({ 88, 0 }, pool:get(bullet))
    pool:set(bullet, { vx = -100 })
    world:update(1)
    assert.same({ "hit 1 a", "hit 1 b", "hit 1 b", "hit 1 a" }, log)
    pool:set(bullet, { vx = 0, x = 50 })
    world:update(1)
    pool:set(bullet, { x = 51 })
    world:update(1)
    assert.same({ "hit 1 a", "hit 1 b", "hit 1 b", "hit 1 a", "hit 1 a" }, log)
  end)
end)

describe("a step tells of bullets", function()
  it("after all pairs, by pool, bullet and t", function()
    local world, log = collide.newWorld(), {}
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

  it("but no more of an actor that a callback has removed: the others fly on", function()
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

  it("and callbacks may kill and spawn", function()
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

  -- Four bullets hit at once; the telling ends in the middle of the second's.
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
    world:step()
    assert.same({ 1, 2, 3, 4 }, log)
    assert.equal(0, pool:count())
  end)

  it("in a step inside of a callback, which ends the outer one", function()
    local world, pool, log = interrupted(function(world) world:step() end)
    world:update(1)
    assert.same({ 1, 2, 3, 4 }, log)
    assert.equal(0, pool:count())
    world:step()
    assert.equal(4, #log)
  end)

  it("when a callback sleeps, in the next step", function()
    local world, pool, log = interrupted(function() coroutine.yield() end)
    local co = coroutine.create(function() world:update(1) end)
    assert(coroutine.resume(co))
    assert.same({ 1, 2 }, log)
    world:step()
    assert.same({ 1, 2, 3, 4 }, log)
    assert(coroutine.resume(co))
    assert.equal("dead", coroutine.status(co))
    assert.equal(4, #log)
    assert.equal(0, pool:count())
  end)

  it("in the next step, when an error has ended the telling of the pairs", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    target(world, "b", 55, 0)
    function a.hit()
      a.hit = nil
      error("stop", 0)
    end
    pool:spawn(0, 0, 100, 0)
    expect.raises("stop", world.update, world, 1)
    assert.same({}, log)
    world:step()
    assert.same({ "hit 1 a" }, log)
  end)

  it("what is owed before what is new, and not of actors that have gone", function()
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

  it("of the actors that were hit, though callbacks have moved their slots", function()
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
    world:step()
    assert.equal(8, #log)
  end)

  it("nothing when the pull of the actors raises: then nothing has moved", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    local bullet = pool:spawn(0, 0, 100, 0)
    a.x = "here"
    expect.raises("x expected", world.update, world, 1)
    near({ 0, 0 }, pool:get(bullet))
    a.x = 50
    world:step()
    near({ 0, 0 }, pool:get(bullet))
    world:update(1)
    assert.same({ "hit 1 a" }, log)
  end)
end)

describe("a laser", function()
  it("hits when it has warmed up, once until its target has left it, and stays", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    local laser = pool:spawnLaser { points = { 0, -40, 100, 40, 200, -40 }, width = 4, warmup = 0.5,
      lifetime = 2, tag = 5 }
    near({ 0, -40, 0, 0, 2, 5 }, pool:get(laser))
    for _ = 1, 4 do world:update(0.1) end
    assert.same({}, log)
    for _ = 1, 5 do world:update(0.1) end
    assert.same({ "hit 1 a" }, log)
    a.y = 200
    world:update(0.1)
    a.x = 160
    world:update(0.1)
    assert.equal(1, #log)
    a.y = -200 -- through it in one step
    world:update(0.1)
    assert.same({ "hit 1 a", "hit 1 a" }, log)
    for _ = 1, 8 do world:update(0.1) end
    assert.equal("expired 1", log[3])
    assert.equal(0, pool:count())
  end)

  it("doesn't hit who left while it warmed up", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    pool:spawnLaser { points = { 0, 0, 100, 0 }, width = 4, warmup = 0.1 }
    world:step()
    a.y = 30
    world:update(0.2)
    assert.same({}, log)
    world:update(0.2)
    assert.same({}, log)
  end)

  it("moves, grazes, and is killed like a bullet", function()
    local world, pool, log = setup { grazeRadius = 10 }
    target(world, "a", 50, 0)
    target(world, "b", 50, 40)
    local laser = pool:spawnLaser { points = { 0, -30, 100, -30 }, width = 4 }
    pool:set(laser, { vy = 9 })
    world:update(1)
    assert.same({}, log)
    world:update(1)
    assert.same({ "graze 1 a" }, log)
    world:update(1)
    world:update(1)
    assert.same({ "graze 1 a", "hit 1 a" }, log)
    near({ 0, 6, 0, 9, 2, 0 }, pool:get(laser))
    assert.is_true(pool:kill(laser))
    world:update(1)
    assert.equal(2, #log)
  end)
end)

describe("hitBullets", function()
  it("lets two pools that both ask end each other's bullets, and tells both", function()
    local world, log = collide.newWorld(), {}
    local one, two
    local function hit(name)
      return function(pool, bullet, other, nx, ny, t, x, y, number)
        log[#log + 1] = ("%s %d %s %d %g %g %g at %g %g"):format(name, bullet,
          other == one and "one" or "two", number, nx, ny, t, x, y)
        assert.is_truthy(pool:get(bullet))
      end
    end
    one = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit "one" }
    two = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit "two" }
    one:spawn(0, 0, 100, 0)
    two:spawn(100, 0, -100, 0)
    two:spawn(200, 0, -100, 0)
    one:spawn(0, 2.5, 0, 0)
    world:update(1)
    assert.same({ "one 1 two 2 -1 0 0.49 at 49 0", "two 2 one 1 1 0 0.49 at 51 0" }, log)
    assert.same({ 1, 1 }, { one:count(), two:count() })
  end)

  it("tells only the pool that asks, whose bullets may pierce", function()
    local world, log = collide.newWorld(), {}
    local foes = world:newBullets { capacity = 5, radius = 1,
      hit = function() error "not asked" end }
    local bombs = world:newBullets { capacity = 5, radius = 20, pierce = true, hitBullets = true,
      hit = function(_, _, pool, _, _, _, _, _, bullet)
        log[#log + 1] = bullet
        pool:kill(bullet)
      end }
    for i = 1, 3 do foes:spawn(10 * i, 0, 0, 0) end
    foes:spawn(100, 0, 0, 0)
    bombs:spawn(10, 0, 0, 0)
    world:step()
    world:step()
    assert.same({ 1, 2, 3 }, log)
    assert.same({ 1, 1 }, { foes:count(), bombs:count() })
  end)

  it("counts one that pierces once, until the two have parted", function()
    local world, n = collide.newWorld(), 0
    local one = world:newBullets { capacity = 5, radius = 2 }
    local two = world:newBullets { capacity = 5, radius = 2, pierce = true, hitBullets = true,
      hit = function() n = n + 1 end }
    one:spawn(0, 0, 0, 0)
    local bullet = two:spawn(-10, 0, 2, 0)
    for _ = 1, 12 do world:update(1) end
    assert.equal(1, n)
    two:set(bullet, { vx = -100 })
    world:update(1)
    assert.equal(2, n)
  end)

  it("ends a bullet where it first meets something, actor or bullet", function()
    local world, log = collide.newWorld(), {}
    local function hit(_, bullet, other)
      log[#log + 1] = bullet .. " " .. (other.name or "bullet")
    end
    local one = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit }
    local two = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit }
    target(world, "wall", 20, 0)
    one:spawn(0, 0, 100, 0)     -- ends at the wall
    two:spawn(100, 0, -100, 0)  -- and so does this
    two:spawn(0, 50, 0, 0)      -- met by two, the nearer one first
    one:spawn(-50, 50, 100, 0)
    one:spawn(-30, 50, 100, 0)
    world:update(1)
    assert.same({ "1 wall", "5 bullet", "2 wall", "3 bullet" }, log)
    assert.same({ 1, 0 }, { one:count(), two:count() })
  end)

  it("is no matter of groups that don't hit, nor of one pool alone", function()
    local world = collide.newWorld { hits = { { "a", "c" } } }
    local function fail() error "hit" end
    for _, group in ipairs { "a", "b" } do
      local pool = world:newBullets { capacity = 5, radius = 5, group = group, hitBullets = true,
        hit = fail }
      pool:spawn(0, 0, 0, 0)
      pool:spawn(1, 0, 0, 0)
    end
    world:update(1)
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

  it("leaves pools that can be used, and numbers that go on", function()
    local world, pool, log = setup { capacity = 2 }
    pool:spawn(0, 0, 1, 0)
    pool:spawn(0, 0, 1, 0)
    world:clear()
    target(world, "a", 20, 0)
    assert.equal(3, pool:spawn(0, 0, 20, 0))
    world:update(1)
    assert.same({ "hit 3 a" }, log)
  end)

  it("in a callback drops what is still to be told of bullets", function()
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

  it("is of the last step alone, whatever was hit before it", function()
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

  it("tells a step in which a pool hit from one in which it hit nobody", function()
    local hashes = {}
    for i = 1, 2 do
      local world = collide.newWorld()
      target(world, "a", 50, 0)
      local pool = world:newBullets { capacity = 9, radius = 2 }
      pool:spawn(i == 1 and 40 or 0, 0, 10, 0)
      world:update(1)
      pool:clear()
      hashes[i] = world:hash()
      world:update(1) -- without a bullet: nothing lives and nothing was hit
      hashes[i + 2] = world:hash()
    end
    assert.not_equal(hashes[1], hashes[2])
    assert.equal(hashes[3], hashes[4])
  end)

  it("is as it was in a world without bullets", function()
    local world = collide.newWorld()
    target(world, "a", 50, 0)
    world:step()
    local hash = world:hash()
    local fresh = collide.newWorld()
    target(fresh, "a", 50, 0)
    fresh:step()
    assert.equal(hash, fresh:hash())
  end)
end)
