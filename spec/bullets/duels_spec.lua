-- Bullets that survive a hit and meet other bullets on the rest of their way.
local collide = require "collide"
local expect = require "spec.support.expect"

local upright = collide.segment(0, -50, 0, 50)

-- A world, a function that makes pools in it, and a log of what their bullets hit and when.
local function setup()
  local hits, log = { { "one", "*" }, { "two", "one" }, { "three", "*" } }, {}
  local world = collide.newWorld { rules = hits }
  local function make(group, answer, options)
    options = options or {}
    options.capacity, options.radius, options.group = 20, options.radius or 2, group
    if options.hitBullets == nil then options.hitBullets = true end
    function options.hit(pool, bullet, other, nx, ny, t, x, y, number)
      local u, v = pool:get(bullet)
      expect.near({ x, y }, { u, v })
      assert(math.abs(nx * nx + ny * ny - 1) < 1e-9)
      log[#log + 1] = ("%d %s %.2f"):format(bullet, number or other.name, t)
      if type(answer) == "function" then return answer(number or other.name) end
      return answer
    end
    return world:newBullets(options)
  end
  return world, make, log
end

local function wall(world, x, name)
  return world:add { x = x, y = 0, name = name or "wall", shape = upright, static = true }
end

local function passWalls(other)
  return other == "wall" and "pass" or nil
end

local function bounceOffWalls(other)
  return other == "wall" and "bounce" or nil
end

describe("a bullet that passes an actor", function()
  --   0      50     100
  --   1 ---->|----> 2
  it("meets a bullet on the rest of its way, and both get the callback", function()
    local world, make, log = setup()
    wall(world, 50)
    local one, two = make("one", passWalls), make "two"
    one:spawn(0, 0, 200, 0)
    two:spawn(100, 0, 0, 0)
    world:update(1)
    assert.same({ "1 wall 0.24", "1 2 0.48", "2 1 0.48" }, log)
    assert.equal(0, one:count() + two:count())
  end)

  it("meets bullets of a pool with hitBullets, up to where it ends", function()
    local world, make, log = setup()
    wall(world, 50)
    wall(world, 120, "end")
    local one = make("one", passWalls, { hitBullets = false })
    local two = make "two"
    one:spawn(0, 0, 200, 0)
    two:spawn(100, 0, 0, 0)
    two:spawn(150, 0, 0, 0)
    two:spawn(20, 0, 0, 0)
    world:update(1)
    assert.same({ "1 wall 0.24", "1 end 0.59", "2 1 0.48", "4 1 0.08" }, log)
    assert.equal(1, two:count())
  end)

  it("is not met by bullets that have ended or were set elsewhere", function()
    local world, make, log = setup()
    wall(world, 50)
    local three = make("three", nil)
    local one, two = make("one", passWalls), make "two"
    local away = two:spawn(80, 0, 0, 0)
    two:spawn(100, 0, 0, 0)
    three:spawn(100, 20, 0, -100) -- hits the second at 0.16
    one:spawn(0, 0, 200, 0)
    local hit = one.hit
    one.hit = function(...)
      two:set(away, { x = 500 })
      return hit(...)
    end
    world:setRule("three", "two", true)
    world:setRule("three", "one", false)
    world:update(1)
    assert.same({ "3 2 0.16", "4 wall 0.24", "2 3 0.16" }, log)
    assert.same({ 0, 1, 1 }, { three:count(), one:count(), two:count() })
  end)

  it("meets the same bullets as a bullet of a piercing pool", function()
    local logs = {}
    for i, options in ipairs { { pierce = true }, {} } do
      local world, make, log = setup()
      wall(world, 50)
      wall(world, 150, "far")
      local one = make("one", i == 2 and "pass" or nil, options)
      local two = make "two"
      one:spawn(0, 0, 200, 0)
      two:spawn(100, 0, 0, 0)
      two:spawn(120, 0, 0, 0)
      world:update(1)
      assert.equal(0, two:count())
      world:update(0.1)
      logs[i] = log
    end
    assert.same({ "1 wall 0.24", "1 2 0.48", "1 3 0.58", "1 far 0.74", "2 1 0.48", "3 1 0.58" },
      logs[1])
    assert.same(logs[1], logs[2])
  end)
end)

describe("a bullet that bounces", function()
  --   -50            50
  --    2    1 ------>|
  --    <-------------|
  it("meets a bullet on the rest of its way, and both get the callback", function()
    local world, make, log = setup()
    wall(world, 50)
    local one, two = make("one", bounceOffWalls), make("two", "bounce")
    one:spawn(0, 0, 200, 0)
    local other = two:spawn(-50, 0, 10, 0)
    world:update(1)
    -- Back from 48 at 0.24: 48 - 200 (t - 0.24) = -46 + 10 t
    assert.same({ "1 wall 0.24", "1 2 0.68", "2 1 0.68" }, log)
    assert.equal(0, one:count())
    local t = (46 + 96) / 210
    local x, _, vx = two:get(other)
    expect.near({ -50 + 10 * t - 10 * (1 - t), -10 }, { x, vx })
  end)

  it("is met on the rest of its way if only the other pool has hitBullets", function()
    local world, make, log = setup()
    wall(world, 50)
    local one, two = make("one", "bounce", { hitBullets = false }), make "two"
    one:spawn(0, 0, 200, 0)
    two:spawn(-50, 0, 10, 0)
    world:update(1)
    assert.same({ "1 wall 0.24", "2 1 0.68" }, log)
    assert.same({ 1, 0 }, { one:count(), two:count() })
  end)

  it("is not met where it would have ended", function()
    local world, make, log = setup()
    wall(world, 50)
    local one = make("one", bounceOffWalls, { pierce = true })
    local two = make "two"
    one:spawn(0, 0, 200, 0)
    two:spawn(100, 0, 0, 0)
    two:spawn(20, 0, 0, 0) -- on the way to the wall, and gone when it comes back
    world:update(1)
    assert.same({ "1 3 0.08", "1 wall 0.24", "3 1 0.08" }, log)
    assert.equal(1, two:count())
  end)

  it("meets another bounced bullet on that one's new way", function()
    --  |  1 ->      <- 2  |     first both fly outward to their walls, then back to the middle
    local world, make, log = setup()
    wall(world, -100, "left")
    wall(world, 100, "right")
    world:setRule("two", "default", true)
    local one, two = make("one", "bounce"), make("two", "bounce")
    one:spawn(-50, 0, -200, 0)
    two:spawn(50, 0, 200, 0)
    world:update(1)
    -- The first meets nothing on the second's old way; the second meets the first.
    assert.same({ "1 left 0.24", "2 right 0.24", "2 1 0.72", "1 2 0.72" }, log)
    expect.near({ -2 - 56, -200 }, { one:get(1), (select(3, one:get(1))) })
    expect.near({ 2 + 56, 200 }, { two:get(2), (select(3, two:get(2))) })
  end)

  it("bounces at most 8 times a step, however many bullets there are", function()
    local world, make, log = setup()
    local one, two = make("one", "bounce"), make("two", "bounce")
    one:spawn(0, 0, 3000, 0)
    for _, x in ipairs { -10, 10 } do two:spawn(x, 0, 0, 0) end
    local most = 0
    for _ = 1, 20 do
      for i = #log, 1, -1 do log[i] = nil end
      world:update(0.1)
      most = math.max(most, #log)
      assert.equal(3, one:count() + two:count())
    end
    assert(most >= 3 and most <= 3 * 9, most)
  end)

  it("gets its callback in the next step if an error has ended this one", function()
    local world, make, log = setup()
    wall(world, 50)
    local fails = true
    local one = make("one", function(other)
      if other ~= "wall" and fails then
        fails = false
        error "oh"
      end
      return "bounce"
    end)
    local two = make "two"
    one:spawn(0, 0, 200, 0)
    two:spawn(-50, 0, 10, 0)
    assert.has_error(function() world:update(1) end)
    assert.same({ "1 wall 0.24", "1 2 0.68" }, log)
    world:step(0)
    assert.same({ "1 wall 0.24", "1 2 0.68", "2 1 0.68" }, log)
    assert.equal(0, one:count() + two:count())
  end)

  it("may be removed with its pool before the other gets its callback", function()
    local world, make, log = setup()
    wall(world, 50)
    local gone = make("three")
    local one, two
    one = make("one", function(other)
      if other == "wall" then return "bounce" end
      gone:remove()
      one:remove()
    end)
    two = make("two")
    one:spawn(0, 0, 200, 0)
    two:spawn(-50, 0, 10, 0)
    world:update(1)
    assert.same({ "1 wall 0.24", "1 2 0.68" }, log)
    world:update(1)
    assert.equal(1, two:count())
  end)
end)

describe("many bullets that bounce off each other", function()
  it("stay apart, each with its speed, while nothing else is in the way", function()
    local world = collide.newWorld()
    local pools = {}
    for k = 1, 2 do
      pools[k] = world:newBullets { capacity = 100, radius = 1, hitBullets = true,
        hit = function() return "bounce" end }
    end
    for i = 0, 49 do
      local pool = pools[i % 2 + 1]
      pool:spawn(10 * (i % 7), 10 * math.floor(i / 7), 3 * (i % 5) - 6, 3 * (i % 4) - 4)
    end
    local speeds = {}
    for k = 1, 2 do
      pools[k]:each(function(id, _, _, vx, vy) speeds[id] = vx * vx + vy * vy end)
    end
    for _ = 1, 100 do
      world:update(1 / 30)
      for k = 1, 2 do
        pools[k]:each(function(id, _, _, vx, vy)
          assert(math.abs(vx * vx + vy * vy - speeds[id]) < 1e-9)
        end)
      end
    end
    assert.equal(50, pools[1]:count() + pools[2]:count())
  end)
end)
