-- Pools of bullets: spawning, killing, and the effects and callbacks of a step.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"

local box, dot = collide.rectangle(10, 10), collide.circle(5)

local near, setup, target = pools.near, pools.noting, pools.target

describe("pool:spawn", function()
  it("makes bullets whose state get returns", function()
    local _, pool = setup {}
    local a = pool:spawn(1, 2, 3, 4)
    local b = pool:spawn(5, 6, 7, 8, -9)
    near({ 1, 2, 3, 4, 2, 0 }, pool:get(a))
    near({ 5, 6, 7, 8, 2, -9 }, pool:get(b))
    assert.equal(2, pool:count())
  end)

  it("returns nil and a reason while the pool is full", function()
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

  it("never uses a number twice, in any pool of the world", function()
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

  it("has variants that aim, and that spawn rings and fans", function()
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
  it("tells dead bullets from living ones", function()
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

  it("sets a bullet that has left the world and has not expired yet", function()
    local world, pool, bullet
    world, pool = setup { hit = function()
      assert.is_true(pool:set(bullet, { vx = 1, tag = 3 }))
      near({ 1.5e12, -1.5e12, 1, -1e12, 2, 3 }, pool:get(bullet))
      assert.is_true(pool:set(bullet, { x = 5 }))
      near({ 5, -1.5e12, 1, -1e12, 2, 3 }, pool:get(bullet))
    end }
    pool:spawn(0, 0, 0, 0)
    bullet = pool:spawn(1e12, -1e12, 1e12, -1e12)
    target(world, "wall", 0, 0)
    world:update(0.5)
    assert.equal(0, pool:count())
  end)

  it("kills those that touch a circle, but no laser", function()
    local _, pool = setup {}
    local a, b, c = pool:spawn(0, 0, 0, 0), pool:spawn(11.9, 0, 0, 0), pool:spawn(0, 12.1, 0, 0)
    local laser = pool:spawnLaser { points = { -5, 0, 5, 0 }, width = 2 }
    assert.equal(2, pool:killCircle(0, 0, 10))
    assert.is_nil(pool:get(a) or pool:get(b))
    assert.is_truthy(pool:get(c) and pool:get(laser))
  end)

  it("iterates its bullets in the order of spawning, whatever changes meanwhile", function()
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

  it("fills a list, and removes its earlier contents", function()
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

  it("fills any object with a method add, such as a SpriteBatch", function()
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

  -- A batch that records its calls.
  local function newBatch()
    return {
      n = 0,
      clear = function(self) self.n = 0 end,
      add = function(self, ...)
        self.n = self.n + 1
        self[self.n] = { ... }
      end,
    }
  end

  it("fills a batch with the quad of each bullet's tag", function()
    local _, pool = setup {}
    pool:spawn(1, 2, 0, 5, 7)
    pool:spawn(3, 4, -5, 0, -3)
    local batch, plain = newBatch(), {}
    local quad = { getViewport = function() return 50, 60, 8, 6 end }
    local quads = { [7] = quad, [-3] = plain }
    assert.equal(2, pool:fill(batch, nil, quads))
    assert.equal(quad, table.remove(batch[1], 1))
    assert.equal(plain, table.remove(batch[2], 1))
    near({ 1, 2, math.pi / 2, 1, 1, 4, 3 }, (table.unpack or unpack)(batch[1])) -- luacheck: ignore
    near({ 3, 4, math.pi, 1, 1, 0, 0 }, (table.unpack or unpack)(batch[2])) -- luacheck: ignore
    quads[-3] = nil
    expect.raises("pool:fill: quads[-3] expected (quad for the bullets with this tag), got nil",
      function() pool:fill(batch, nil, quads) end)
    assert.equal(2, batch.n)
    expect.raises("pool:fill: quads expected (nothing, since a list takes none), got table",
      function() pool:fill({}, 1, quads) end)
  end)

  it("interpolates bullets between the start and the end of the last step", function()
    local world, pool = setup {}
    local a = pool:spawn(0, 0, 8, 16)
    local laser = pool:spawnLaser { points = { 100, 0, 100, 50 }, width = 2 }
    pool:set(laser, { vx = -8 })
    local function at(alpha)
      local list, each = {}, {}
      pool:fill(list, alpha)
      pool:each(function(bullet, x, y)
        if bullet ~= laser then each[#each + 1], each[#each + 2] = x, y end
      end, alpha)
      assert.same(each, list)
      return list
    end
    local function laserAt(alpha)
      local found
      pool:each(function(bullet, x, y) found = bullet == laser and { x, y } or found end, alpha)
      return found
    end
    assert.same({ 0, 0 }, at(0.25))
    assert.same({ 100, 0 }, laserAt(0.25))
    world:update(1)
    assert.same({ 0, 0 }, at(0))
    assert.same({ 2, 4 }, at(0.25))
    assert.same({ 8, 16 }, at(1))
    assert.same({ 8, 16 }, at())
    assert.same({ 98, 0 }, laserAt(0.25))
    local b = pool:spawn(50, 50, 1, 1)
    assert.same({ 2, 4, 50, 50 }, at(0.25))
    pool:set(a, { y = 0 })
    pool:set(b, { tag = 3 })
    pool:set(laser, { x = 5 })
    assert.same({ 8, 0, 50, 50 }, at(0.25))
    assert.same({ 5, 0 }, laserAt(0.25))
    world:update(0.5)
    assert.same({ 10, 4, 50.25, 50.25 }, at(0.5))
    pool:kill(a)
    assert.same({ 50.25, 50.25 }, at(0.5))
    world:step()
    assert.same({ 50.5, 50.5 }, at(0.5))
  end)

  it("interpolates them the same way after a restore, also of a packed snapshot", function()
    local world, pool = setup { capacity = 400 }
    local function places()
      local list = {}
      pool:each(function(bullet, x, y)
        list[#list + 1] = ("%d %.17g %.17g"):format(bullet, x, y)
      end, 0.3)
      return table.concat(list, "\n")
    end
    for i = 1, 300 do pool:spawn(i, 0, i % 7, i / 3) end
    pool:spawnLaser { points = { 100, 0, 100, 50 }, width = 2 }
    world:update(0.125)
    for i = 1, 300, 2 do pool:kill(i) end
    for i = 2, 300, 8 do pool:set(i, { x = -i }) end
    for i = 1, 30 do pool:spawn(i, 5, 1, 1) end
    local before, snapshot = places(), world:snapshot()
    local packed = snapshot:pack()
    for _, moment in ipairs { snapshot, packed } do
      world:update(0.5)
      pool:clear()
      world:restore(moment, moment == packed and error or nil)
      assert.equal(before, places())
      assert.equal(packed, world:snapshot():pack())
      local again = world:snapshot()
      world:update(0.125)
      world:restore(again)
      assert.equal(before, places())
    end
  end)

  it("does not interpolate bullets that have bounced", function()
    local world, pool = setup { hit = function() return "bounce" end }
    target(world, "wall", 20, 0)
    pool:spawn(0, 0, 40, 0)
    world:update(0.5)
    local list, now = {}, {}
    pool:fill(list, 0.25)
    pool:fill(now)
    assert.same(now, list)
    world:update(0.5)
    pool:fill(list, 0.5)
    assert.equal(now[1] - 10, list[1])
  end)

  it("returns its arrays on LuaJIT", function()
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
    world:step(0)
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
    world:step(0)
    assert.same({ "expired 2", "expired 3", "expired 5", "expired 6" }, log)
    assert.equal(2, pool:count())
  end)

  it("expire in the very step in which their lifetime ends", function()
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

  it("hit everything on their way, however fast, and die", function()
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

  it("die of a hit even without a callback", function()
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

  it("are hit by actors that move into them, also in a step with a dt of 0", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 0, 0)
    pool:spawn(50, 0, 0, 0)
    world:step(0)
    a.x = 100
    world:step(0)
    assert.same({ "hit 1 a" }, log)
  end)

  it("fly in a step with dt as in an update, but actors are not updated", function()
    local updates = 0
    local function play(method)
      local world, pool, log = setup { lifetime = 0.5 }
      local a = target(world, "a", 40, 0)
      function a.update() updates = updates + 1 end
      pool:spawn(0, 0, 40, 0)
      pool:spawnLaser { points = { 0, 90, 90, 90 }, width = 2, warmup = 0.25 }
      local hashes = {}
      for i = 1, 6 do
        world[method](world, 0.125)
        hashes[i] = world:hash()
      end
      return table.concat(log, ",") .. table.concat(hashes, ","), updates
    end
    local updated = play "update"
    assert.equal(6, updates)
    assert.equal(updated, (play "step"))
    assert.equal(6, updates)
  end)

  it("neither move nor hit nor age in a step without dt", function()
    local world, pool, log = setup { lifetime = 1 }
    local a = target(world, "a", 0, 0)
    local bullet = pool:spawn(50, 0, 10, 0)
    local laser = pool:spawnLaser { points = { 0, 0, 9, 0 }, width = 2 }
    for x = 0, 100, 10 do
      a.x = x
      world:step()
    end
    assert.same({}, log)
    near({ 50, 0, 10, 0 }, pool:get(bullet))
    assert.equal(0, (select(9, pool:get(laser))))
    a.x = 50
    world:step()
    world:update(0)
    assert.same({ "hit 1 a" }, log)
  end)

  it("get callbacks that an error left over even in a step without dt", function()
    for _, removed in ipairs { false, true } do
      local world = collide.newWorld()
      local a, calls = target(world, "a", 0, 0), 0
      local pool = world:newBullets { capacity = 9, radius = 1, hit = function()
        calls = calls + 1
        if calls == 1 then error "once" end
      end }
      for i = 1, 3 do pool:spawn(i - 2, 0, 0, 0) end
      assert.is_false(pcall(world.update, world, 0.125))
      if removed then world:remove(a) end
      world:step()
      assert.equal(removed and 1 or 3, calls)
      assert.equal(removed and 2 or 0, pool:count())
      world:update(0.125)
      assert.equal(removed and 2 or 0, pool:count())
    end
  end)

  it("are not hit by actors that jump over them", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 0, 0)
    pool:spawn(50, 0, 0, 0)
    world:step(0)
    a.x = 100
    world:refresh(a)
    world:step(0)
    world:remove(a)
    a.x = 0
    world:add(a)
    world:step(0)
    assert.same({}, log)
    a.x = 46
    world:refresh(a)
    world:step(0)
    assert.same({ "hit 1 a" }, log)
  end)

  it("hit nothing in between when they are set to another place", function()
    local world, pool, log = setup {}
    target(world, "a", 50, 0)
    local bullet = pool:spawn(0, 0, 0, 0)
    world:step(0)
    pool:set(bullet, { x = 100 })
    world:step(0)
    assert.same({}, log)
  end)

  it("hit only groups that their pool's group may hit", function()
    local world = collide.newWorld { rules = { { "shot", "foe" } } }
    local log = {}
    local pool = world:newBullets { capacity = 5, radius = 1, group = "shot",
      hit = function(_, _, actor) log[#log + 1] = actor.name end }
    world:add { name = "friend", x = 10, y = 0, shape = dot, group = "friend" }
    world:add { name = "foe", x = 30, y = 0, shape = dot, group = "foe", static = true }
    pool:spawn(0, 0, 100, 0)
    world:update(1)
    assert.same({ "foe" }, log)
    world:setRule("shot", "foe", false)
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
