-- Pools: their options, fields and methods, their removal, and a world's list of pools.
local collide = require "collide"
local expect = require "spec.support.expect"
local near = require("spec.support.pools").near
local random = require "spec.support.random"

local dot = collide.circle(5)

describe("spawning with an acceleration", function()
  it("is an option of every kind of spawn, like the tag", function()
    local pool = collide.newWorld():newBullets { capacity = 20, radius = 2 }
    local plain = pool:spawn(0, 0, 1, 0)
    near({ 1, 2, 3, 4, 2, 9, 5, 6, 0 },
      pool:get(pool:spawn(1, 2, 3, 4, { tag = 9, ax = 5, ay = 6 })))
    near({ 0, 0, 0, 10, 2, 9, 5, 0 },
      pool:get(pool:spawnAimed(0, 0, 0, 3, 10, { tag = 9, ax = 5 })))
    local n, first = pool:spawnRing(0, 0, 4, 10, 0, { tag = 9, ax = 5, ay = 6 })
    for bullet = first, first + n - 1 do
      near({ 2, 9, 5, 6 }, select(5, pool:get(bullet)))
    end
    n, first = pool:spawnFan(0, 0, 3, 0, 1, 10, { ay = 6 })
    for bullet = first, first + n - 1 do
      near({ 2, 0, 0, 6 }, select(5, pool:get(bullet)))
    end
    near({ 0, 0, 1, 0, 2, 0, 0, 0 }, pool:get(plain))
  end)

  it("reads the table at once, and does not keep it", function()
    local pool = collide.newWorld():newBullets { capacity = 20, radius = 2 }
    local options = { tag = 3, ax = 1 }
    local a = pool:spawn(0, 0, 1, 0, options)
    options.tag, options.ax = 4, nil
    local b = pool:spawn(0, 0, 1, 0, options)
    near({ 3, 1, 0 }, select(6, pool:get(a)))
    near({ 4, 0, 0 }, select(6, pool:get(b)))
  end)

  it("raises if reading the table removes the pool", function()
    local pool = collide.newWorld():newBullets { capacity = 20, radius = 2 }
    local options = setmetatable({}, { __index = function() pool:remove() end })
    expect.raises("attempt to use a pool that has been removed", pool.spawnRing, pool, 0, 0, 9, 1,
      0, options)
  end)

  it("may be along the heading and at a right angle to it", function()
    local pool = collide.newWorld():newBullets { capacity = 20, radius = 2 }
    local function acceleration(bullet)
      return select(7, pool:get(bullet))
    end
    -- Down: radial is down, tangential to the left.
    near({ -4 + 1, 3 + 2 }, acceleration(pool:spawnAimed(0, 0, 0, 9, 10,
      { ax = 1, ay = 2, radial = 3, tangential = 4 })))
    local turned = { radial = 3, tangential = 4 }
    near({ -4, 3 }, acceleration(pool:spawn(0, 0, 0, 9, turned)))
    near({ 3, 4 }, acceleration(pool:spawn(0, 0, 0, 0, turned))) -- along x
    near({ 3, 4 }, acceleration(pool:spawnAimed(5, 5, 5, 5, 10, turned))) -- along x
    local n, first = pool:spawnRing(0, 0, 8, 20, 0.3, { radial = 3, tangential = -4 })
    for bullet = first, first + n - 1 do
      local _, _, vx, vy, _, _, ax, ay = pool:get(bullet)
      near({ 60, 20 * -4 }, vx * ax + vy * ay, vx * ay - vy * ax)
    end
    n, first = pool:spawnFan(0, 0, 5, 1, 2, -10, { radial = 5 }) -- they fly back
    for bullet = first, first + n - 1 do
      local _, _, vx, vy, _, _, ax, ay = pool:get(bullet)
      near({ -vx / 2, -vy / 2 }, ax, ay)
    end
  end)

  it("accelerates the bullet from the first step on", function()
    local world = collide.newWorld()
    local pool = world:newBullets { capacity = 20, radius = 2 }
    local bullet = pool:spawn(0, 0, 10, 0, { ay = 8 })
    world:update(0.5)
    near({ 5, 1, 10, 4, 2, 0, 0, 8, 0.5 }, pool:get(bullet))
  end)

  it("is the same on LuaJIT's compiled path", function()
    local world = collide.newWorld()
    local one = world:newBullets { capacity = 400, radius = 2 }
    local two = world:newBullets { capacity = 400, radius = 2 }
    for i = 1, 300 do
      local ax, ay = i > 100 and i % 7 or nil, i > 200 and i % 5 or nil
      local options = i > 100 and { tag = i, ax = ax, ay = ay } or i
      one:spawn(i, 0, 1, 0, options)
      getmetatable(two).__index.spawn(two, i, 0, 1, 0, options)
    end
    world:update(1)
    local places = {}
    one:each(function(bullet) places[#places + 1] = { one:get(bullet) } end)
    local i = 0
    two:each(function(bullet)
      i = i + 1
      assert.same(places[i], { two:get(bullet) })
    end)
  end)
end)

describe("pool:get", function()
  it("gives the age in pools with a lifetime and without", function()
    local world = collide.newWorld()
    for _, lifetime in ipairs { false, 100 } do
      local pool = world:newBullets { capacity = 9, radius = 1, lifetime = lifetime or nil }
      local a = pool:spawn(0, 0, 1, 0)
      world:update(0.25)
      local b = pool:spawn(0, 0, 1, 0)
      local laser = pool:spawnLaser { points = { 0, 0, 9, 0 }, width = 1 }
      near({ 0.25, 0 }, (select(9, pool:get(a))), (select(9, pool:get(b))))
      for _ = 1, 3 do world:update(0.5) end
      near({ 1.75, 1.5, 1.5 }, (select(9, pool:get(a))), (select(9, pool:get(b))),
        (select(9, pool:get(laser))))
      pool:clear()
      near({ 0 }, (select(9, pool:get(pool:spawn(0, 0, 0, 0)))))
    end
  end)
end)

describe("pool:tag", function()
  it("returns the bullet's tag, nil for a dead one", function()
    local pool = collide.newWorld():newBullets { capacity = 9, radius = 1 }
    local a, b = pool:spawn(0, 0, 0, 0, -7), pool:spawn(0, 0, 0, 0)
    local laser = pool:spawnLaser { points = { 0, 0, 9, 0 }, width = 1, tag = 3 }
    assert.same({ -7, 0, 3 }, { pool:tag(a), pool:tag(b), pool:tag(laser) })
    pool:set(b, { tag = 5 })
    assert.equal(5, pool:tag(b))
    pool:kill(a)
    assert.is_nil(pool:tag(a))
  end)
end)

describe("a pool's options", function()
  local options = { capacity = 7, radius = 3, group = "shot", bounds = { 0, 1, 20, 30 }, margin = 4,
    lifetime = 5, grazeRadius = 6, pierce = true, hitBullets = true }

  it("can be read", function()
    local pool = collide.newWorld():newBullets(options)
    for name, value in pairs(options) do assert.same(value, pool[name]) end
    pool = collide.newWorld():newBullets { capacity = 7, radius = 3 }
    assert.same({ "default", 0, false, false },
      { pool.group, pool.margin, pool.pierce, pool.hitBullets })
    assert.is_nil(pool.bounds or pool.lifetime or pool.grazeRadius)
  end)

  it("cannot be set", function()
    local pool = collide.newWorld():newBullets { capacity = 7, radius = 3 }
    for name, value in pairs(options) do
      local message = expect.raises(
        ("pool.%s can't be changed; it is given to world:newBullets"):format(name),
        function() pool[name] = value end)
      assert.matches("^spec/bullets/pools_spec.lua:%d+: ", message)
    end
    assert.equal(3, pool.radius)
  end)

  it("can be set if they are callbacks or the game's own fields", function()
    local world = collide.newWorld()
    local pool = world:newBullets { capacity = 7, radius = 3 }
    local n = 0
    function pool.hit() n = n + 1 end
    pool.name = "mine"
    world:add { x = 0, y = 0, shape = dot }
    pool:spawn(0, 0, 0, 0)
    world:step(0)
    assert.same({ 1, "mine" }, { n, pool.name })
  end)
end)

describe("pool:arrays", function()
  it("exists only on LuaJIT; the error on other Luas names the alternative", function()
    local pool = collide.newWorld():newBullets { capacity = 7, radius = 3 }
    pool:spawn(1, 2, 3, 4, 5)
    if require "collide.ffi.frame" then
      local n, x, y, vx, vy, radius, tag = pool:arrays()
      near({ 1, 1, 2, 3, 4, 3, 5 }, n, x[0], y[0], vx[0], vy[0], radius[0], tag[0])
    else
      expect.raises("pool:arrays: this Lua has no FFI to read arrays by; pool:fill(list)",
        function() pool:arrays() end)
    end
    expect.raises("pool:fill: target expected", function() pool:fill() end)
  end)
end)

describe("world:pools", function()
  it("lists the pools in the order of creation", function()
    local world = collide.newWorld()
    assert.same({}, world:pools())
    local a = world:newBullets { capacity = 1, radius = 1 }
    local b = world:newBullets { capacity = 1, radius = 1 }
    local list = world:pools()
    assert.equal(a, list[1])
    assert.equal(b, list[2])
    list[1] = nil
    assert.equal(2, #world:pools())
    a:remove()
    assert.same({ b }, world:pools())
  end)
end)

describe("pool:remove", function()
  it("removes the pool and its bullets, without callbacks", function()
    local world = collide.newWorld()
    local pool = world:newBullets { capacity = 9, radius = 1, hit = error, expired = error }
    local other = world:newBullets { capacity = 9, radius = 1 }
    world:add { x = 0, y = 0, shape = dot }
    pool:spawn(0, 0, 0, 0)
    pool:spawnLaser { points = { 0, 0, 9, 0 }, width = 1 }
    local bullet = other:spawn(50, 0, 10, 0)
    pool:remove()
    world:update(1)
    near({ 60 }, other:get(bullet))
    assert.equal("pool(removed)", tostring(pool))
    for name, args in pairs { spawn = { 0, 0, 0, 0 }, get = { 1 }, count = {}, each = { print },
      remove = {}, fill = { {} }, arrays = {}, set = { 1, {} }, tag = { 1 }, clear = {},
      spawnLaser = { { points = { 0, 0, 9, 0 }, width = 1 } } } do
      expect.raises("attempt to use a pool that has been removed",
        pool[name], pool, (table.unpack or unpack)(args)) -- luacheck: ignore
    end
  end)

  it("in a callback drops the pool's remaining callbacks", function()
    local log = {}
    local world = collide.newWorld()
    local pools = {}
    for i = 1, 3 do
      pools[i] = world:newBullets { capacity = 9, radius = 1, hit = function(pool, bullet)
        log[#log + 1] = i .. " " .. bullet
        if bullet == 1 then
          pool:remove()
          return "bounce"
        elseif bullet == 3 then
          pools[3]:remove()
        end
      end }
    end
    world:add { x = 0, y = 0, shape = dot }
    for i = 1, 3 do
      for _ = 1, 2 do pools[i]:spawn(0, 0, 0, 0) end
    end
    world:step(0)
    assert.same({ "1 1", "2 3", "2 4" }, log)
    assert.same({ pools[2] }, world:pools())
    assert.equal(0, pools[2]:count())
  end)

  it("may be done at any time, in any order", function()
    local first = random.seed()
    for seed = first, first + random.rounds(60) - 1 do
      local r = random.new(seed)
      local world, pools = collide.newWorld(), {}
      local function anything()
        local pool = #pools > 0 and r:pick(pools)
        if not pool or r:chance(0.2) then
          pools[#pools + 1] = world:newBullets { capacity = 30, radius = r:float(1, 4),
            hitBullets = r:chance(0.5), pierce = r:chance(0.3), grazeRadius = 9,
            graze = function() end, hit = function()
              if r:chance(0.1) then world.anything() end
              return r:pick { "bounce", "pass", false } or nil
            end }
        elseif r:chance(0.1) then
          for i = #pools, 1, -1 do
            if pools[i] == pool then table.remove(pools, i) end
          end
          pool:remove()
        elseif r:chance(0.05) then
          world:clear()
        elseif r:chance(0.2) then
          world:add { x = r:float(0, 60), y = r:float(0, 60), shape = r:pick { dot,
            collide.segment(0, 0, 20, 5), collide.rectangle(9, 4) } }
        else
          pool:spawn(r:float(0, 60), r:float(0, 60), r:float(-90, 90), r:float(-90, 90))
        end
      end
      world.anything = anything
      for _ = 1, 25 do
        for _ = 1, r:int(0, 8) do anything() end
        world:update(0.2)
        local list = world:pools()
        assert.equal(#pools, #list)
        for i, pool in ipairs(pools) do assert.equal(pool, list[i]) end
      end
    end
  end)
end)
