-- Lasers, and bullets that hit bullets of other pools.
local collide = require "collide"
local pools = require "spec.support.pools"

local near, setup, target = pools.near, pools.noting, pools.target

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
    a.y = -200 -- crosses it in one step
    world:update(0.1)
    assert.same({ "hit 1 a", "hit 1 a" }, log)
    for _ = 1, 8 do world:update(0.1) end
    assert.equal("expired 1", log[3])
    assert.equal(0, pool:count())
  end)

  it("does not hit actors that leave while it warms up", function()
    local world, pool, log = setup {}
    local a = target(world, "a", 50, 0)
    pool:spawnLaser { points = { 0, 0, 100, 0 }, width = 4, warmup = 0.1 }
    world:step(0)
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
  it("calls back about a bullet that ends later in the step, after the two have met", function()
    local world, log = collide.newWorld(), {}
    local one = world:newBullets { capacity = 9, radius = 2 }
    local two = world:newBullets { capacity = 9, radius = 2, hitBullets = true,
      hit = function(_, bullet, _, _, _, t) log[#log + 1] = ("%d %.2f"):format(bullet, t) end }
    world:add { x = 150, y = 0, shape = collide.segment(0, -9, 0, 9) }
    one:spawn(0, 0, 200, 0)
    two:spawn(50, 0, 0, 0)
    world:update(1)
    assert.same({ "2 0.23" }, log)
    assert.same({ 0, 0 }, { one:count(), two:count() })
  end)

  it("lets two pools that both set it end each other's bullets, each with a callback", function()
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

  it("calls back only the pool that sets it, whose bullets may pierce", function()
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
    world:step(0)
    world:step(0)
    assert.same({ 1, 2, 3 }, log)
    assert.same({ 1, 1 }, { foes:count(), bombs:count() })
  end)

  it("reports a piercing bullet once, until the two have parted", function()
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

  it("ends a bullet where it first meets an actor or a bullet", function()
    local world, log = collide.newWorld(), {}
    local function hit(_, bullet, other)
      log[#log + 1] = bullet .. " " .. (other.name or "bullet")
    end
    local one = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit }
    local two = world:newBullets { capacity = 5, radius = 1, hitBullets = true, hit = hit }
    target(world, "wall", 20, 0)
    one:spawn(0, 0, 100, 0)     -- ends at the wall
    two:spawn(100, 0, -100, 0)  -- also ends at the wall
    two:spawn(0, 50, 0, 0)      -- two bullets meet it, the nearer one first
    one:spawn(-50, 50, 100, 0)
    one:spawn(-30, 50, 100, 0)
    world:update(1)
    assert.same({ "1 wall", "5 bullet", "2 wall", "3 bullet" }, log)
    assert.same({ 1, 0 }, { one:count(), two:count() })
  end)

  it("ignores groups that do not hit, and bullets of the same pool", function()
    local world = collide.newWorld { rules = { { "a", "c" } } }
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
