-- The arguments of a bullet's `hit`: the place of impact, and the bullet's state at that moment.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"
local random = require "spec.support.random"
local swept = require "spec.support.swept"

local unpack = table.unpack or unpack -- luacheck: ignore

local near, setup, wall = pools.near, pools.answering, pools.wall
local upright = collide.segment(0, -50, 0, 50)

describe("a hit", function()
  it("gives the bullet's centre, and get agrees with it, also on velocity and age", function()
    local world, pool, log = setup("pass", { lifetime = 9 })
    wall(world, 100, 0, upright)
    local bullet = pool:spawn(0, 0, 100, 0, { tag = 7, ax = 20, ay = 10 })
    world:update(1)
    local hit = log[1]
    near({ 98 / 110, -1, 0 }, hit.t, hit.nx, hit.ny)
    near({ 98, 5 * 98 / 110 }, hit.x, hit.y)
    near({ hit.x, hit.y, 100 + 20 * hit.t, 10 * hit.t, 2, 7, 20, 10, hit.t }, unpack(hit.state))
    near({ 110, 5, 120, 10, 2, 7, 20, 10, 1 }, pool:get(bullet))
  end)

  it("of a laser gives its first point", function()
    local world, pool, log = setup()
    wall(world, 100, 0, upright)
    local laser = pool:spawnLaser { points = { 0, 0, 50, 0 }, width = 2 }
    pool:set(laser, { vx = 60 })
    world:update(1)
    near({ 49, 0 }, log[1].x, log[1].y)
    near({ 49, 0 }, unpack(log[1].state))
    near({ 60, 0 }, pool:get(laser))
  end)

  it("is where the circle first touches", function()
    local first, rounds, touched = random.seed(), random.rounds(300), 0
    for seed = first, first + rounds - 1 do
      local r = random.new(seed)
      local radius = r:float(0.5, 6)
      local world, pool, log = setup(nil, { radius = radius })
      local actor = { kind = r:pick { "circle", "rectangle", "segment" }, x = r:float(-20, 20),
        y = r:float(-20, 20), w = r:float(2, 30), h = r:float(2, 30), r = r:float(2, 15),
        angle = r:chance(0.5) and r:float(-3, 3) or 0 }
      if actor.kind == "circle" then actor.shape = collide.circle(actor.r)
      elseif actor.kind == "rectangle" then actor.shape = collide.rectangle(actor.w, actor.h)
      else actor.shape = collide.segment(0, 0, actor.w, 0) end
      world:add(actor)
      actor.ox, actor.oy = actor.x, actor.y
      actor.x, actor.y = actor.x + r:float(-9, 9), actor.y + r:float(-9, 9)
      local x, y = r:float(-60, 60), r:float(-60, 60)
      local u, v = r:float(-60, 60), r:float(-60, 60)
      if swept.touch(x, y, x, y, radius, { kind = actor.kind, x = actor.ox, y = actor.oy,
        ox = actor.ox, oy = actor.oy, w = actor.w, h = actor.h, r = actor.r,
        angle = actor.angle }) == nil then
        pool:spawn(x, y, u - x, v - y)
        world:update(1)
        local hit = log[1]
        if hit then
          touched = touched + 1
          -- The actor's place at the moment of the hit.
          local there = { x = actor.ox + (actor.x - actor.ox) * hit.t,
            y = actor.oy + (actor.y - actor.oy) * hit.t, shape = actor.shape, angle = actor.angle }
          local gap = collide.distance({ x = hit.x, y = hit.y, shape = collide.circle(0.1) }, there)
          assert(math.abs(gap - (radius - 0.1)) < 1e-9,
            ("seed %d: %.17g from the centre instead of %.17g"):format(seed, gap + 0.1, radius))
          for share = 0, 0.98, 0.07 do
            local t = hit.t * share
            local before = { x = actor.ox + (actor.x - actor.ox) * t,
              y = actor.oy + (actor.y - actor.oy) * t, shape = actor.shape, angle = actor.angle }
            local centre = { x = x + (u - x) * t, y = y + (v - y) * t, shape = collide.circle(0.1) }
            assert(collide.distance(centre, before) > radius - 0.1, "seed " .. seed)
          end
        end
      end
    end
    assert(touched > rounds / 10, touched)
  end)

  it("may set the bullet: a new place stays, and other values are unaffected", function()
    local world, pool = setup(function(p, bullet)
      p:set(bullet, { y = 70, vx = 5 })
      return "pass"
    end)
    wall(world, 100, 0, upright)
    local bullet = pool:spawn(0, 0, 200, 0)
    world:update(1)
    near({ 98, 70, 5, 0 }, pool:get(bullet))
    pool.hit = function(p, b)
      p:set(b, { vy = 3 })
      return "pass"
    end
    pool:set(bullet, { x = 0, y = 0, vx = 200 })
    world:update(1)
    near({ 200, 0, 200, 3 }, pool:get(bullet))
  end)

  it("that raises an error leaves the bullet at the end of its way", function()
    local world, pool = setup(function() error "oh" end, { pierce = true })
    wall(world, 100, 0, upright)
    local bullet = pool:spawn(0, 0, 200, 0)
    assert.has_error(function() world:update(1) end)
    world:update(0)
    near({ 200, 0 }, pool:get(bullet))
  end)

  it("that returns anything else raises, and counts as nil", function()
    local world, pool = setup "boing"
    wall(world, 100, 0, upright)
    pool:spawn(0, 0, 200, 0)
    expect.raises({ "world:step: result of pool.hit expected (", "got string" },
      function() world:update(1) end)
    pool.hit = nil
    world:step(0)
    assert.equal(0, pool:count())
  end)
end)
