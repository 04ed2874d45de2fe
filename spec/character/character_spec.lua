-- world:newCharacter: walking, jumping, riding.
require "collide.assertions"
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"
local walker = require "spec.support.walker"

local near, raises = expect.near, expect.raises
local rectangle, polygon, overlap = collide.rectangle, collide.polygon, collide.overlap

local solid, hero, run, floored = walker.solid, walker.hero, walker.run, walker.floored
local FRAME, GRAVITY = walker.FRAME, walker.GRAVITY
local CUTS = { "1/60", "1/144", "jittered", "alternating with 0", "0.25", "1e-5", "1/30" }

describe("a character", function()
  it("falls, lands, walks, and stops at walls, without a flicker", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 100, rectangle(300, 20))
    local wall = solid(world, "wall", 300, 0, rectangle(20, 120))
    local c, actor = hero(world, 10, 60)
    local landed
    local vy = run(c, 60, 120, function(frame)
      if c.floor and not landed then landed = frame end
      assert.equal(landed ~= nil, c.floor ~= nil)
    end)
    assert.is_truthy(landed)
    assert.same({ 84, 0 }, { actor.y, vy })
    assert.same({ floor, 0, -1 }, { c.floor, c.floorNx, c.floorNy })
    assert.is_nil(c.wall)
    local vx
    run(c, 200, 120, function(frame, left)
      floored(c, floor)(frame)
      vx = left
    end)
    assert.same({ 284, 84, 0 }, { actor.x, actor.y, vx })
    assert.same({ wall, -1, 0 }, { c.wall, c.wallNx, c.wallNy })
    assert.is_nil(c.ceiling)
    run(c, -60, 1)
    assert.is_nil(c.wall)
  end)

  it("has a tostring that names its actor", function()
    local c, actor = hero(collide.newWorld(), 0, 0)
    setmetatable(actor, { __tostring = function() return "the hero" end })
    assert.equal("character (of the hero)", tostring(c))
  end)

  it("snaps to floors within a quarter of its height by default", function()
    local world = collide.newWorld()
    local function snap(shape, options, angle)
      return world:newCharacter(world:add { x = 5, y = 7, angle = angle, shape = shape },
        options).snapLength
    end
    local box, right, slant = rectangle(-3, 2, 24, 16), { up = { 1, 0 } }, { up = { 3, -4 } }
    assert.same({ 4, 6, 4 }, { snap(box), snap(box, right), snap(box, { up = { 0, 2 } }) })
    near({ (0.6 * 24 + 0.8 * 16) / 4 }, { snap(box, slant) })
    assert.same({ 4, 4 }, { snap(box, nil, 1), snap(collide.circle(8), nil, 1) })
    assert.same({ 0, 40 }, { snap(box, { snapLength = 0 }), snap(box, { snapLength = 40 }) })
    -- Read once: another shape leaves it as it is.
    local c, actor = hero(world, 40, 100)
    actor.shape = rectangle(16, 100)
    world:refresh(actor)
    c:move(0, 0, FRAME)
    assert.equal(4, c.snapLength)
    raises("snapLength expected (number from 0 to 1e12), got boolean", snap, box,
      { snapLength = false })
  end)

  it("jumps with a velocity that points up, and hits its head", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(100, 20))
    local roof = solid(world, "roof", 0, 50, rectangle(100, 10))
    local c, actor = hero(world, 40, 100, { snapLength = 8 })
    run(c, 0, 2)
    assert.is_truthy(c.floor)
    local _, vy = c:move(0, -600, FRAME)
    assert.same({ -600, 74 }, { vy, actor.y })
    assert.is_nil(c.floor)
    local ceiling
    run(c, 0, 30, function(_, _, now)
      ceiling = ceiling or c.ceiling
      if c.ceiling then assert.is_true(now >= 0) end
    end, vy)
    assert.equal(roof, ceiling)
    assert.is_truthy(c.floor)
  end)

  it("keeps its speed on slopes up and down, and stands still on them", function()
    local world = collide.newWorld()
    solid(world, "left", -200, 100, rectangle(200, 20))
    local up = solid(world, "up", 0, 100, polygon(0, 0, 100, -75, 200, 0, 200, 20, 0, 20))
    solid(world, "right", 200, 100, rectangle(200, 20))
    local c, actor = hero(world, -60, 100, { snapLength = 4 })
    run(c, 0, 3)
    local x, y = actor.x, actor.y
    run(c, 120, 240, function(frame)
      assert.is_truthy(c.floor, "flies in frame " .. frame)
      local way = math.sqrt((actor.x - x) ^ 2 + (actor.y - y) ^ 2)
      local onSlope = actor.x > 3 and actor.x < 80 or actor.x > 105 and actor.x < 180
      if onSlope then near({ 2 }, { way }) else assert.is_true(way > 1 and way < 6) end
      x, y = actor.x, actor.y
    end)
    assert.is_true(actor.x > 250)
    actor.x, actor.y = 20, 60
    run(c, 0, 60)
    x, y = actor.x, actor.y
    assert.equal(up, c.floor)
    run(c, 0, 600, floored(c, up))
    near({ x, y }, { actor.x, actor.y }, 1e-9)
  end)

  it("slides down slopes that are too steep, and is not lifted by them", function()
    local world = collide.newWorld()
    solid(world, "floor", -100, 100, rectangle(200, 20))
    local cliff = solid(world, "cliff", 100, 100, polygon(0, 20, 0, 0, 50, -100, 80, -100, 80, 20))
    local c, actor = hero(world, 0, 100)
    run(c, 0, 2)
    run(c, 200, 60, function() assert.equal(84, actor.y) end)
    assert.equal(cliff, c.wall)
    near({ 84 }, { actor.x })
    actor.x, actor.y = 110, 20
    run(c, 0, 12)
    assert.is_nil(c.floor)
    assert.equal(cliff, c.wall)
    run(c, 0, 60)
    assert.is_truthy(c.floor)
    assert.equal(84, actor.y)
    -- It flies against the slope: it stops, and never rises.
    actor.x, actor.y = 60, 60
    local top = actor.y
    run(c, 400, 20, function() assert.is_true(actor.y >= top) end)
  end)

  it("climbs ledges up to its step height, and no higher ones", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(400, 20))
    local ledge = solid(world, "ledge", 100, 92, rectangle(50, 8))
    local high = solid(world, "high", 200, 88, rectangle(50, 12))
    local c, actor = hero(world, 20, 100, { stepHeight = 10, snapLength = 10 })
    run(c, 0, 2)
    run(c, 120, 45, function() assert.is_truthy(c.floor) end)
    assert.equal(ledge, c.floor)
    near({ 110, 76 }, { actor.x, actor.y })
    run(c, 120, 100, function() assert.is_truthy(c.floor) end)
    assert.same({ 184, 84, high }, { actor.x, actor.y, c.wall })
  end)

  it("falls through a one-way floor that it drops from", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 200, rectangle(100, 20))
    local plate = solid(world, "plate", 0, 100, rectangle(100, 10), { oneWay = true })
    local c, actor = hero(world, 40, 90, { snapLength = 4 })
    run(c, 0, 30)
    assert.equal(plate, c.floor)
    c:drop()
    assert.is_nil(c.floor)
    run(c, 0, 60)
    assert.same({ floor, 184 }, { c.floor, actor.y })
    c:drop()
    run(c, 0, 5, floored(c, floor))
    local vy = select(2, c:move(0, -700, FRAME))
    run(c, 0, 120, nil, vy)
    assert.same({ plate, 84 }, { c.floor, actor.y })
  end)

  -- In proportion to the coordinates of the floor and the character's size.
  it("sinks only slightly into the floor that it drops from", function()
    local function sinks(x, y, w, h, angle, up)
      local world, box = collide.newWorld(), rectangle(10, 10)
      local floor = world:add { x = x, y = y, shape = rectangle(w, h), angle = angle,
        static = true, oneWay = true }
      local l, t, width = floor.shape:bounds(x, y, angle)
      local actor = world:add { x = l + 2, y = t - 10, shape = box }
      if up[1] == 1 then actor.x, actor.y = l + width, t + 2 end
      local c = world:newCharacter(actor, { up = up })
      c:move(-up[1], -up[2], FRAME)
      assert.equal(floor, c.floor)
      local atX, atY = actor.x, actor.y
      c:drop()
      c:move(0, 0, FRAME)
      assert.is_nil(c.floor)
      return { (atX - actor.x) * 2 ^ 32, (actor.y - atY) * 2 ^ 32 }
    end
    assert.same({ 0, 120 }, sinks(0, 10, 100, 5, 0, { 0, -1 }))
    assert.same({ 0, 110 }, sinks(-90, 10, 100, 5, 0, { 0, -1 }))
    assert.same({ 0, 530 }, sinks(0, 10, 20, 500, 0, { 0, -1 }))
    assert.same({ 0, 320 }, sinks(5, -300, 20, 300, 0, { 0, -1 }))
    assert.same({ 50, 0 }, sinks(10, 0, 30, 5, math.pi / 2, { 1, 0 }))
  end)

  for how, lift in pairs {
    assignment = function(_, platform, dx, dy)
      platform.x, platform.y = platform.x + dx, platform.y + dy
    end,
    carry = function(world, platform, dx, dy) world:carry(platform, dx, dy) end,
  } do
    for _, cut in ipairs(CUTS) do
      it(("rides a lift that turns round, moved by %s, dt %s"):format(how, cut), function()
        local times = { ["1/60"] = 1 / 60, ["1/144"] = 1 / 144, ["0.25"] = 0.25, ["1e-5"] = 1e-5,
          ["1/30"] = 1 / 30 }
        local world = collide.newWorld()
        local platform = solid(world, "lift", 0, 100, rectangle(100, 10))
        local c, actor = hero(world, 40.3, 100, { snapLength = 0.5 })
        c:move(0, 1, FRAME)
        assert.equal(platform, c.floor)
        local offX, offY = actor.x - platform.x, actor.y - platform.y
        local t, vy, worst = 0, 0, 0
        for frame = 1, random.crowd(10000) do
          local dt = times[cut] or cut == "jittered" and (1 + frame % 7) / 240
            or frame % 2 == 0 and 0 or 1 / 60
          t = t + dt
          local phase = t % 4
          local y = 100 - 30 * (phase < 2 and phase or 4 - phase)
          local x = 20 * (phase < 1 and phase or phase < 3 and 2 - phase or phase - 4)
          lift(world, platform, x - platform.x, y - platform.y)
          local _, left = c:move(0, vy + GRAVITY * dt, dt)
          vy = dt > 0 and left or vy
          if c.floor ~= platform then error(("frame %d: off the lift"):format(frame)) end
          if frame % 16 == 0 and overlap(actor, platform) then
            error(("frame %d: inside the lift"):format(frame))
          end
          worst = math.max(worst, math.abs(actor.x - platform.x - offX),
            math.abs(actor.y - platform.y - offY))
        end
        assert.is_true(worst < 1e-9, ("drifts by %g"):format(worst))
      end)
    end
  end

  it("stays where it is when its floor is teleported", function()
    local world = collide.newWorld()
    local plate = solid(world, "plate", 0, 100, rectangle(100, 10))
    local c, actor = hero(world, 40, 100)
    run(c, 0, 2)
    world:teleport(plate, 50, 150)
    c:move(0, 0, FRAME)
    assert.at(actor, 40, 84)
    assert.is_nil(c.floor)
  end)

  it("gets the floor's velocity, and is carried by a floor that turns", function()
    local world = collide.newWorld()
    local wheel = solid(world, "wheel", 0, 100, rectangle(-60, -5, 120, 10))
    local c, actor = hero(world, 30, 95, { snapLength = 2 })
    run(c, 0, 2)
    wheel.x = 2
    c:move(0, 1, FRAME)
    near({ 120, 0, 32 }, { c.floorVx, c.floorVy, actor.x })
    local x, y = actor.x + 16, actor.y + 16 -- a corner, which must go down
    wheel.angle = 0.02
    c:move(0, 1, FRAME)
    assert.equal(wheel, c.floor)
    assert.is_true(actor.y + 16 > y and c.floorVy > 0)
    near({ x }, { actor.x + 16 }, 0.2)
    c:move(0, 1, FRAME)
    near({ 0, 0 }, { c.floorVx, c.floorVy })
  end)

  it("pushes what it walks into if the response says so, but not its floor", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(300, 20))
    local crate = world:add { name = "crate", x = 60, y = 84, shape = rectangle(16, 16) }
    local c, actor = hero(world, 20, 100, { response = "push", snapLength = 2 })
    run(c, 0, 2)
    run(c, 60, 60)
    near({ 80, 96 }, { actor.x, crate.x })
    actor.x, actor.y = crate.x, crate.y - 16
    run(c, 0, 2)
    assert.equal(crate, c.floor)
    run(c, 60, 5)
    near({ 96 }, { crate.x })
  end)

  it("reports what it crosses, and that it is crushed", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(300, 20))
    local coin = world:add { name = "coin", x = 60, y = 90, sensor = true,
      shape = collide.circle(5) }
    local c, actor = hero(world, 40, 100)
    local met
    run(c, 300, 10, function()
      for i = 1, c.n do met = met or c.hits[i].actor == coin end
      assert.equal(c.n, #c.hits)
    end)
    assert.is_true(met)
    solid(world, "press", 0, 0, rectangle(300, 95))
    actor.x = 150
    c:move(0, 1, FRAME)
    assert.is_true(c.crushed)
    c:move(0, 1, 0)
    assert.is_true(c.crushed)
  end)

  it("keeps velocity and flags if dt is 0", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 100, rectangle(300, 20))
    local c = hero(world, 40, 100)
    run(c, 0, 2)
    assert.same({ 12, 34 }, { c:move(12, 34, 0) })
    assert.equal(floor, c.floor)
  end)

  it("accepts another direction for up", function()
    local world = collide.newWorld()
    local wall = solid(world, "wall", 100, -100, rectangle(20, 200))
    local actor = world:add { x = 50, y = 0, shape = rectangle(16, 16) }
    local c = world:newCharacter(actor, { up = { -2, 0 } })
    for _ = 1, 60 do c:move(300, 60, FRAME) end
    assert.equal(wall, c.floor)
    near({ 84, 60 }, { actor.x, actor.y }, 1e-6)
  end)

  it("exists once for each actor, and ends with world:remove", function()
    local world = collide.newWorld()
    local c, actor = hero(world, 0, 0)
    raises("has a character already", world.newCharacter, world, actor)
    world:remove(actor)
    raises("has been removed", c.move, c, 0, 0, FRAME)
    world:add(actor)
    raises("has been removed", c.move, c, 0, 0, FRAME)
    assert.is_truthy(world:newCharacter(actor))
  end)

  it("refuses changes of options that only newCharacter takes", function()
    local c, actor = hero(collide.newWorld(), 0, 0)
    for _, name in ipairs { "up", "filter", "response" } do
      c[name] = "slide"
      raises("character:move: character." .. name .. " can't be changed; it is given to "
        .. "world:newCharacter", c.move, c, 1, 0, 1)
      c[name] = nil
    end
    c:move(1, 0, 1)
    assert.equal(1, actor.x)
  end)

  it("refuses invalid options", function()
    local world = collide.newWorld()
    local _, actor = hero(world, 0, 0)
    world:remove(actor)
    for option, value in pairs { up = 1, maxSlope = 2, snapLength = -1, stepHeight = "x",
      response = "stop", filter = 1, jump = true } do
      world:add(actor)
      raises({ "world:newCharacter", option }, world.newCharacter, world, actor,
        { [option] = value })
      world:remove(actor)
    end
  end)

  it("makes no garbage except its hits", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(300, 20))
    solid(world, "wall", 100, 0, rectangle(300, 120))
    local c, actor = hero(world, 20, 100, { snapLength = 4 })
    local records = {}
    local function frame()
      for i = 1, 20 do
        c:move(300, 30, FRAME)
        records[i] = c.n
      end
      actor.x = 20
    end
    local function fall()
      c:move(3, 3, FRAME)
      actor.y = 20
    end
    frame()
    local n, kept = 0, {}
    for i = 1, 20 do n = n + records[i] end
    local most = gc.growth(function() -- lists and records as many as the hits need
      for i = 1, 20 do
        local list = {}
        kept[i] = list
        for k = 1, records[i] do
          list[k] = { 1, actor = actor, nx = 1, ny = 1, x = 1, y = 1, px = 1, py = 1, t = 1,
            response = 1, column = 1 }
        end
      end
    end)
    assert.equal(20, #kept)
    assert.is_true(n > 5 and gc.growth(frame) <= most)
    actor.y = 20
    assert.is_true(gc.growth(fall) <= 0)
  end)

  it("keeps its hits when a move fails, and gives each move a list of its own", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(300, 20))
    local fails = false
    local c = hero(world, 20, 100, { response = function()
      if fails then error "no answer" end
      return "slide"
    end })
    c:move(300, 30, FRAME)
    local hits, n = c.hits, c.n
    assert.equal("floor", hits[1].actor.name)
    fails = true
    raises({ "no answer" }, c.move, c, 300, 30, FRAME)
    assert.equal(hits, c.hits)
    assert.equal(n, c.n)
    fails = false
    c:move(300, 30, FRAME)
    assert.is_true(hits ~= c.hits and hits[1] ~= c.hits[1])
    c:move(0, -300, FRAME)
    assert.same({ 0, 0 }, { c.n, #c.hits })
    assert.equal(n, #hits)
  end)
end)
