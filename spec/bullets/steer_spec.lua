-- Bullets that steer: turn, home, and keep limits of speed, compared with a plain model by angles.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"
local random = require "spec.support.random"

local near, target = pools.near, pools.target
local PI = math.pi

local function newPool(options)
  local world = collide.newWorld()
  options = options or {}
  options.capacity, options.radius = 100, 2
  return world, world:newBullets(options)
end

local function headingOf(pool, bullet)
  local _, _, vx, vy = pool:get(bullet)
  return collide.atan2(vy, vx)
end

describe("a bullet that steers", function()
  it("turns by turnRate a second, and flies straight in each step", function()
    local world, pool = newPool()
    local bullet = pool:spawn(0, 0, 10, 0, { turnRate = PI / 2 })
    world:update(1)
    near({ 0, 10, 0, 10 }, pool:get(bullet))
    world:update(0.5)
    near({ -5 * math.sqrt(0.5), 10 + 5 * math.sqrt(0.5) }, pool:get(bullet))
    local back = pool:spawn(0, 0, 10, 0, { turnRate = -PI / 2 })
    world:update(1)
    near({ 0, -10, 0, -10 }, pool:get(back))
  end)

  it("homes by at most turnRate, at once without it, and forgets a removed home", function()
    local world, pool = newPool { hit = function() return "pass" end }
    local home = target(world, "home", 0, 100)
    local slow = pool:spawn(0, 0, 10, 0, { home = home, turnRate = PI / 4 })
    local quick = pool:spawn(0, 0, 10, 0, { home = home })
    local never = pool:spawn(0, 0, 10, 0, { home = home, turnRate = 0 })
    world:update(1)
    near({ PI / 4 }, headingOf(pool, slow))
    near({ 0, 10, 0, 10 }, pool:get(quick))
    near({ 10, 0, 10, 0 }, pool:get(never))
    home.x = 100
    world:update(0)
    near({ PI / 4 }, headingOf(pool, slow))
    near({ collide.atan2(90, 100) }, headingOf(pool, quick))
    world:remove(home)
    world:add(home)
    local before = headingOf(pool, slow)
    for _ = 1, 5 do world:update(1) end
    near({ before }, headingOf(pool, slow))
  end)

  it("always turns to the same side if its home is straight behind it", function()
    local world, pool = newPool()
    local home = target(world, "home", -100, 0)
    local bullet = pool:spawn(0, 0, 10, 0, { home = home, turnRate = PI / 2 })
    world:update(1)
    near({ 0, -10 }, select(3, pool:get(bullet)))
  end)

  it("keeps its speed within the limits, after its acceleration", function()
    local world, pool = newPool()
    local fast = pool:spawn(0, 0, 10, 0, { ax = 10, maxSpeed = 15 })
    local slow = pool:spawn(0, 0, 10, 0, { ax = -4, minSpeed = 8 })
    local far = pool:spawn(0, 0, 60, 80, { maxSpeed = 50 })
    world:update(1)
    near({ 15, 0, 15, 0 }, pool:get(fast))
    near({ 8, 0, 8, 0 }, pool:get(slow))
    near({ 30, 40, 30, 40 }, pool:get(far))
    world:update(1)
    near({ 30, 0, 15, 0 }, pool:get(fast))
  end)

  it("does not steer without speed", function()
    local world, pool = newPool()
    local home = target(world, "home", 0, 100)
    local options = { home = home, turnRate = 1, minSpeed = 5, maxSpeed = 9 }
    local bullet = pool:spawn(30, 0, 0, 0, options)
    for _ = 1, 3 do world:update(1) end
    near({ 30, 0, 0, 0 }, pool:get(bullet))
    options.ay = 6
    local falling = pool:spawn(30, 0, 0, 0, options)
    world:update(1)
    near({ 30, 5, 0, 6 }, pool:get(falling))
  end)

  it("hits only actors on its path", function()
    local hits = {}
    local world, pool = newPool { hit = function(_, _, actor, nx, _, t)
      hits[#hits + 1] = ("%s %g %g"):format(actor.name, nx, t)
    end }
    target(world, "ahead", 50, 0)
    world:add { name = "below", x = 0, y = 60, shape = collide.rectangle(10, 10) }
    pool:spawn(2, 0, 100, 0, { turnRate = PI / 2 })
    world:update(1)
    assert.same({ "below 0 0.58" }, hits)
  end)

  it("keeps its speed limits after a bounce", function()
    local world, pool = newPool { hit = function() return "bounce" end }
    target(world, "wall", 52, -5, collide.rectangle(10, 10))
    local bullet = pool:spawn(0, 0, 100, 0, { ax = -40, minSpeed = 100, maxSpeed = 100 })
    world:update(0.75)
    near({ 25, 0, -100, 0 }, pool:get(bullet))
  end)

  it("keeps its home when slots move", function()
    local world, pool = newPool()
    local others = {}
    for i = 1, 200 do others[i] = target(world, "o", 1000 + 20 * i, 500) end
    local home = target(world, "home", 0, 300)
    local bullet = pool:spawn(0, 0, 10, 0, { home = home })
    for _, other in ipairs(others) do world:remove(other) end
    for _ = 1, 5 do world:update(0.5) end
    for i = 1, 200 do target(world, "n", 1000 + 20 * i, 500) end
    world:update(0.5)
    near({ 0, 30, 0, 10 }, pool:get(bullet))
  end)
end)

-- One step of the model. A difference of angles that is near ±pi may go either way.
local function steer(b, home, dt)
  local speed = math.sqrt(b.vx * b.vx + b.vy * b.vy)
  local vx, vy, open = b.vx, b.vy, false
  local o = b.options
  if speed > 0 and (o.home or o.turnRate) then
    local heading, turn = collide.atan2(vy, vx), (o.turnRate or math.huge) * dt
    if o.home then
      local away = collide.atan2(home.y - b.y, home.x - b.x) - heading
      away = away - 2 * PI * math.floor(away / (2 * PI) + 0.5)
      open = math.abs(away) > PI - 1e-6
      turn = math.max(-turn, math.min(turn, away))
    end
    vx, vy = speed * collide.cos(heading + turn), speed * collide.sin(heading + turn)
  end
  local function limited(x, y, k)
    local length = math.sqrt(x * x + y * y)
    local to = math.max(math.min(length, (o.maxSpeed or math.huge) * k), (o.minSpeed or 0) * k)
    if length == 0 then return x, y end
    return x * to / length, y * to / length
  end
  local ax, ay = o.ax or 0, o.ay or 0
  local x, y = limited(vx * dt + ax * dt * dt / 2, vy * dt + ay * dt * dt / 2, dt)
  vx, vy = limited(vx + ax * dt, vy + ay * dt, 1)
  return b.x + x, b.y + y, vx, vy, open
end

local function randomOptions(r, home)
  local o = { home = r:chance(0.5) and home or nil }
  if r:chance(0.6) then o.turnRate = r:float(o.home and 0 or -9, 9) end
  if r:chance(0.4) then o.ax, o.ay = r:float(-90, 90), r:float(-90, 90) end
  if r:chance(0.4) then o.minSpeed = r:float(0, 60) end
  if r:chance(0.4) then o.maxSpeed = (o.minSpeed or 0) + r:float(0, 60) end
  return o
end

describe("bullets that steer", function()
  it("fly as in a plain model with angles, 50 in each of 8 steps", function()
    for seed = random.seed(), random.seed() + random.rounds(25) - 1 do
      local r = random.new(seed)
      local world, pool = newPool { lifetime = r:chance(0.5) and 99 or nil }
      local home = target(world, "home", 0, 0, collide.circle(1e-3))
      local all = {}
      for i = 1, 50 do
        local b = { options = randomOptions(r, home) }
        b.vx, b.vy = r:float(-50, 50), r:float(-50, 50)
        b.id = pool:spawn(r:float(-99, 99), r:float(-99, 99), b.vx, b.vy, b.options)
        all[i] = b
      end
      for step = 1, 8 do
        local dt = r:float(0, 0.5)
        home.x, home.y = r:float(-99, 99), r:float(-99, 99)
        for _, b in ipairs(all) do b.x, b.y, b.vx, b.vy = pool:get(b.id) end
        world:update(dt)
        for _, b in ipairs(all) do
          if b.x and pool:get(b.id) then
            local x, y, vx, vy, open = steer(b, home, dt)
            local gx, gy, gvx, gvy = pool:get(b.id)
            local far = math.max(math.abs(x - gx), math.abs(y - gy), math.abs(vx - gvx),
              math.abs(vy - gvy))
            assert.is_true(open or far < 1e-6, ("seed %d, step %d, bullet %d: %g")
              :format(seed, step, b.id, far))
          end
        end
      end
    end
  end)

  -- A world with bullets of all kinds around a home that moves.
  local function swarm(image)
    local world, pool = newPool { hit = function() return "pass" end }
    local r = random.new(7)
    local function at(x, y)
      if image == "mirrored" then return -x, y end
      if image == "turned" then return -y, x end
      return x, y
    end
    local home = world:add { x = 0, y = 0, shape = collide.circle(1) }
    home.x, home.y = at(10, 20)
    for _ = 1, 80 do
      local o = randomOptions(r, home)
      local x, y = at(r:float(-99, 99), r:float(-99, 99))
      local vx, vy = at(r:float(-50, 50), r:float(-50, 50))
      if o.ax then o.ax, o.ay = at(o.ax, o.ay) end
      if o.turnRate and not o.home and image == "mirrored" then o.turnRate = -o.turnRate end
      pool:spawn(x, y, vx, vy, o)
    end
    return world, pool, home, at
  end

  it("fly mirrored and turned paths in mirrored and turned scenes, to the bit", function()
    for _, image in ipairs { "mirrored", "turned" } do
      local world, pool = swarm()
      local other, second, _, at = swarm(image)
      for _ = 1, 20 do
        world:update(0.125)
        other:update(0.125)
        local places = {}
        pool:each(function(bullet, x, y, vx, vy)
          local p, q = at(x, y)
          local u, v = at(vx, vy)
          places[bullet] = { p, q, u, v }
        end)
        second:each(function(bullet, x, y, vx, vy)
          assert.same(places[bullet], { x, y, vx, vy })
        end)
      end
    end
  end)

  it("fly the same after a restore, also of a packed snapshot", function()
    local world, pool, home = swarm()
    local function play(h)
      for i = 1, 10 do
        h.x = 3 * i
        world:update(0.125)
      end
      return world:hash()
    end
    for _ = 1, 5 do world:update(0.125) end
    pool:kill(7)
    local snapshot = world:snapshot()
    local packed = snapshot:pack()
    local first = play(home)
    world:restore(snapshot)
    assert.equal(packed, world:snapshot():pack())
    assert.equal(first, play(home))
    world:restore(packed, function() return home end)
    assert.equal(packed, world:snapshot():pack())
    assert.equal(first, play(world:actors()[1]))
    pool:clear()
    pool:spawn(0, 0, 1, 1)
    local plain = world:snapshot()
    world:restore(snapshot)
    world:restore(plain)
    world:update(0.125)
    near({ 0.125, 0.125 }, pool:get(select(2, pool:spawnRing(0, 0, 1, 1)) - 1))
    world:remove(world:actors()[1])
    world:restore(world:snapshot():pack(), error)
  end)

  it("are the same on every Lua and machine", function()
    local world, _, home = swarm()
    for i = 1, 50 do
      home.x = 100 - 7 * i
      world:update(0.125)
    end
    assert.equal("3254004792115825859", world:hash())
  end)
end)

describe("the options of a spawn", function()
  local world, pool = newPool()
  local home = target(world, "home", 0, 0)
  local elsewhere = target(collide.newWorld(), "elsewhere", 0, 0)
  local function refuses(text, options)
    expect.raises("pool:spawn: " .. text, function() pool:spawn(0, 0, 1, 1, options) end)
    assert.equal(0, pool:count())
  end

  it("are checked together", function()
    refuses("turnRate expected (number of radians, 0 or more, with home), got -1",
      { home = home, turnRate = -1 })
    refuses("maxSpeed expected (number from minSpeed to 1e12), got 4",
      { minSpeed = 5, maxSpeed = 4 })
    refuses("home expected (actor of this world), got table", { home = {} })
    refuses("home expected (actor of this world), got table", { home = elsewhere })
    refuses("home expected (actor of this world), got string", { home = "home" })
    refuses("minSpeed expected (number from 0 to 1e12), got -1", { minSpeed = -1 })
  end)
end)
