-- swept = true: the actors that an actor meets on its way between two steps.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local recorder = require "spec.support.recorder"

local box, wall = collide.rectangle(4, 4), collide.rectangle(1, 100)

-- A box at 0, 0 and, from x = 50 to 51, a wall:
--
--     0  4            50
--   0 +--+            ||
--     |  | ---------> ||
--   4 +--+            ||
local function scene(options, more)
  local world = collide.newWorld(options)
  local log = recorder.new()
  local fields = { x = 0, y = 0, shape = box, swept = true }
  for k, v in pairs(more or {}) do fields[k] = v end
  local shot = world:add(log:actor("shot", fields))
  local post = world:add(log:actor("wall", { x = 50, y = -50, shape = wall, static = true }))
  world:step()
  return world, shot, post, log
end

local MET = "shot:enter wall, wall:enter shot, shot:hit wall, wall:hit shot"
local LEFT = "shot:leave wall, wall:leave shot"

describe("a swept actor", function()
  it("has a normal, and can be restored, even if rounding leaves no distance", function()
    local world, dot = collide.newWorld(), collide.circle(1e-17)
    local seen = {}
    local function hit(_, _, nx, ny) seen = { nx, ny } end
    world:add { x = 0, y = 0, shape = dot, hit = hit }
    local shot = world:add { x = 1, y = 1, shape = dot, swept = true }
    world:step()
    expect.near({ 0.5 ^ 0.5, 0.5 ^ 0.5, 0.5 },
      { select(4, world:shapeCast(shot, -2, -2)) })
    shot.x, shot.y = -1, -1
    world:step()
    expect.near({ -0.5 ^ 0.5, -0.5 ^ 0.5 }, seen)
    local text, hash = world:snapshot():pack(), world:hash()
    world:restore(text, function() return { shape = dot, hit = hit } end)
    assert.equal(hash, world:hash())
  end)

  it("gets enter and hit for an actor that it passes, and leave in the next step", function()
    local world, shot, _, log = scene()
    shot.x = 100
    world:step()
    for _, k in ipairs { 1, 3 } do
      expect.near({ -1, 0, 0, 0.46 }, { log.args[k][2], log.args[k][3], log.args[k][4],
        log.args[k][6] })
      expect.near({ 1, 0, 0, 0.46 }, { log.args[k + 1][2], log.args[k + 1][3], log.args[k + 1][4],
        log.args[k + 1][6] })
      assert.equal(world, log.args[k][5])
    end
    assert.equal(MET, log:take())
    world:step()
    assert.equal(LEFT, log:take())
    world:step()
    assert.equal("", log:take())
  end)

  it("passes through a wall if it is not swept", function()
    local world, shot, _, log = scene(nil, { swept = false })
    shot.x = 100
    world:step()
    assert.equal("", log:take())
  end)

  it("gets the usual callbacks for overlaps at the end, without t", function()
    local world, shot, _, log = scene()
    shot.x = 48
    world:step()
    for k = 1, 4 do
      assert.equal(5, log.args[k].n)
      assert.equal(2, log.args[k][4])
    end
    assert.equal(MET, log:take())
  end)

  it("does not meet actors that it overlapped at the start", function()
    local world, shot, _, log = scene()
    shot.x = 48
    world:step()
    log:take()
    shot.x = 100
    world:step()
    assert.equal(LEFT, log:take())
  end)

  it("stays in contact with an actor that it meets again", function()
    local world, shot, _, log = scene()
    for _, x in ipairs { 100, 0, 48 } do
      shot.x = x
      world:step()
      assert.equal(x == 100 and MET or "shot:hit wall, wall:hit shot", log:take())
    end
    shot.x = 0
    world:step()
    assert.equal(LEFT, log:take())
  end)

  it("does not meet actors that it only touches on its way, unless touching counts", function()
    for _, touching in ipairs { false, true } do
      local world, shot, _, log = scene({ touching = touching }, { y = 50 })
      shot.x = 100
      world:step()
      assert.equal(touching and MET or "", log:take())
    end
  end)

  it("also considers the motion of others", function()
    local world = collide.newWorld()
    local log = recorder.new()
    world:add(log:actor("still", { x = 0, y = 0, shape = box, swept = true }))
    local other = world:add(log:actor("other", { x = -50, y = 0, shape = box }))
    world:step()
    other.x = 50
    world:step()
    assert.equal(0.46, log.args[1][6])
    assert.equal("still:enter other, other:enter still, still:hit other, other:hit still",
      log:take())
  end)

  it("meets an actor crossing its way only if both are there at the same time", function()
    for swept = 0, 1 do
      local world = collide.newWorld()
      local log = recorder.new()
      local a = world:add(log:actor("a", { x = -50, y = 0, shape = box, swept = swept == 0 }))
      local b = world:add(log:actor("b", { x = 0, y = -50, shape = box, swept = true }))
      world:step()
      a.x, b.y = 50, 50         -- both are at 0, 0 half-way
      world:step()
      expect.near({ 0.46 }, { log.args[1][6] })
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
      world:teleport(a, -80, 0)
      world:teleport(b, 0, -50)
      world:step()
      log:take()
      a.x, b.y = 20, 50         -- b has passed before a arrives
      world:step()
      assert.equal("", log:take())
    end
  end)

  it("uses the angles at the end of the way", function()
    local plank = collide.rectangle(-20, -1, 40, 2)
    for _, angle in ipairs { 0, math.pi / 2 } do
      local world, shot, _, log = scene(nil, { y = 65, shape = plank, angle = math.pi / 2 - angle })
      shot.x, shot.angle = 100, angle
      world:step()
      assert.equal(angle ~= 0 and MET or "", log:take())
    end
  end)

  it("meets no statics if it is static itself, and only groups that it hits", function()
    local world, shot, _, log = scene({ rules = { { "a", "b" } } }, { group = "c" })
    shot.x = 100
    world:step()
    assert.equal("", log:take())
    world, shot, _, log = scene({ rules = { { "a", "*", "first" } } }, { group = "a" })
    shot.x = 100
    world:step()
    assert.equal("shot:enter wall, shot:hit wall", log:take())
    world:step()
    assert.equal("shot:leave wall", log:take())
    world, shot, _, log = scene(nil, { static = true })
    world:move(shot, 100, 0, nil, "cross")
    world:step()
    assert.equal("", log:take())
  end)
end)

describe("the way of a swept actor", function()
  it("is empty after a teleport, a refresh, or its addition", function()
    local world, shot, _, log = scene()
    world:teleport(shot, 100, 0)
    world:step()
    shot.x = 0
    world:refresh(shot)
    world:step()
    world:remove(shot)
    shot.x = 100
    world:add(shot)
    world:step()
    assert.equal("", log:take())
    shot.x = 0                              -- but from where it was added
    world:remove(shot)
    world:add(shot)
    shot.x = 100
    world:step()
    assert.equal(MET, log:take():gsub("wall:(%l+) shot, shot:(%l+) wall",
      "shot:%1 wall, wall:%2 shot"))
  end)

  it("is considered if `swept` was true at add or refresh", function()
    local world, shot, _, log = scene({ strict = false }, { swept = false })
    shot.x = 48
    shot.swept = true
    world:step()
    log:take()
    shot.x = 100
    world:refresh(shot)
    world:step()
    shot.x = 0
    world:step()
    assert.equal(LEFT .. ", " .. MET, log:take())
    shot.swept = false
    world:refresh(shot)
    world:step()
    shot.x = 100
    world:step()
    assert.equal(LEFT, log:take())
  end)

  it("includes moves and carries between two steps, also of statics", function()
    local world, shot, post, log = scene(nil, { sensor = true })
    world:move(shot, 100, 0, nil, "cross")
    world:step()
    assert.equal(MET, log:take())
    world:step()
    log:take()
    world:carry(post, 100, 0)
    assert.equal(150, post.x)
    world:step()
    assert.equal(MET, log:take())
    world:step()
    assert.equal(LEFT, log:take())
    world:step()
    assert.equal("", log:take())
    assert.equal(0, #world:candidates())
  end)

  it("agrees with interpolate, which gives the place of the touch at t", function()
    local world, shot, _, log = scene()
    shot.x = 100
    world:step()
    expect.near({ 46, 0, 0 }, { world:interpolate(shot, log.args[1][6]) })
    world:teleport(shot, world:interpolate(shot, log.args[1][6]))
    log:take()
    world:step()
    assert.equal(LEFT, log:take())
  end)

  it("meets tiles with slopes, chains, compounds and circles", function()
    local map = collide.newGrid(1, 4, { cell = 10 })
    map:fill(0, 0, 1, 4, 2)
    local slope = collide.polygon(0, 1, 1, 0, 1, 1)
    for _, other in ipairs {
      collide.tiles(map), collide.tiles(map, { [2] = slope }), collide.chain(3, -9, 5, 9, 3, 30),
      collide.compound(collide.circle(3, 0, 9), collide.rectangle(0, -5, 3, 12)),
      collide.circle(5, 2, 5),
    } do
      for _, mine in ipairs {
        collide.circle(2, 2, 2), collide.polygon(0, 0, 4, 0, 2, 4), collide.segment(0, 2, 4, 2),
        collide.compound(collide.circle(1, 1, 1), collide.segment(0, 0, 4, 4)),
      } do
        local world, shot, post, log = scene(nil, { shape = mine })
        post.shape, post.y = other, 0
        world:refresh(post)
        world:step()
        log:take()
        shot.x = 100
        world:step()
        local told = log.args[1]
        assert.equal(MET, log:take())
        assert.is_true(told[6] > 0.35 and told[6] < 0.6 and told[2] < 0, tostring(other))
      end
    end
  end)
end)

describe("a meeting on the way", function()
  it("is a hit of the step, with its t", function()
    local world, shot, post = scene()
    shot.x = 100
    local before = world:hash()
    world:step()
    assert.equal(1, world:stats().hits)
    for a, b, nx, ny, depth, t in world:hits() do
      assert.same({ shot, post, -1, 0, 0, 0.46 }, { a, b, nx, ny, depth, t })
    end
    for a, b, nx, ny, depth, t in world:hits(post) do
      assert.same({ post, shot, 1, 0, 0, 0.46 }, { a, b, nx, ny, depth, t })
    end
    local met = world:hash()
    world:teleport(shot, 100, 0)
    world:step()
    assert.are_not.equal(met, world:hash())
    assert.are_not.equal(before, world:hash())
  end)

  it("is reported to a trace", function()
    local world, shot, _, log = scene()
    local told = {}
    world:trace(function(event, _, a, _, nx, _, depth)
      told[#told + 1] = table.concat({ event, a.name, nx or "", depth or "" }, " ")
    end)
    shot.x = 100
    world:step()
    assert.equal(0.46, log.args[3][6])
    assert.equal(MET, log:take())
    assert.equal(4, #told)
  end)

  it("has callbacks that may raise, yield, remove and step like any others", function()
    for _, event in ipairs { "enter", "hit" } do
      local world, shot, post, log = scene()
      local post2 = world:add(log:actor("far", { x = 70, y = -50, shape = wall, static = true }))
      local method = shot[event]
      shot[event] = function(...)
        method(...)
        error "stop"
      end
      shot.x = 100
      expect.raises("stop", world.step, world)
      shot[event] = method
      log:take()
      world:step()
      assert.equal(event == "enter" and "shot:leave wall" or LEFT, log:take())

      shot.x = 0
      shot[event] = function(...)
        method(...)
        world:remove(post)
      end
      world:step()
      assert.is_true(log:take():find("wall:hit", 1, true) == nil)
      shot[event] = method
      world:step()
      assert.is_truthy(log:take():find("shot:leave wall", 1, true))

      shot.x = 100
      local co = coroutine.create(function() world:step() end)
      shot[event] = function(...)
        method(...)
        coroutine.yield()
      end
      coroutine.resume(co)
      assert.equal("suspended", coroutine.status(co))
      shot[event] = method
      coroutine.resume(co)
      assert.equal("dead", coroutine.status(co))
      assert.is_truthy(log:take():find("far:hit shot$"))
      world:remove(post2)
      world:step()
      assert.is_truthy(log:take():find("shot:leave far", 1, true))
    end
  end)

  it("is also reported to an actor that has only hit", function()
    local world, shot, post, log = scene()
    for _, actor in ipairs { shot, post } do
      actor.enter, actor.leave = nil, nil
      world:refresh(actor)
    end
    for _, x in ipairs { 100, 0 } do
      shot.x = x
      world:step()
      for k = 1, 2 do
        expect.near({ x == 100 and 0.46 or 0.49 }, { log.args[k][6] })
        assert.equal(6, log.args[k].n)
      end
      assert.equal("shot:hit wall, wall:hit shot", log:take())
    end
  end)

  it("follows the renamed field, or none", function()
    local world, shot, _, log = scene({ fields = { swept = "fast" } }, { fast = true })
    shot.x = 100
    world:step()
    assert.equal(MET, log:take())
    world, shot, _, log = scene({ fields = { swept = false } })
    shot.x = 100
    world:step()
    assert.equal("", log:take())
    expect.raises({ "world:add", "swept expected (boolean), got number 1" }, function()
      collide.newWorld():add { x = 0, y = 0, shape = box, swept = 1 }
    end)
    world, shot = scene { strict = true }
    shot.swept = nil
    expect.raises("swept was changed from boolean true to boolean false after world:add; "
      .. "call world:refresh(actor)", world.step, world)
  end)
end)

-- A crowd of fast actors of every kind, which turn, jump, and are moved, added and removed.
local function newShape(rng)
  local kind = rng:int(6)
  if kind == 1 then return collide.circle(rng:int(1, 6)) end
  if kind == 2 then return collide.rectangle(rng:int(1, 9), rng:int(1, 9)) end
  if kind == 3 then return collide.capsule(-3, 0, 4, 1, rng:int(1, 3)) end
  if kind == 4 then return collide.segment(-5, 0, 5, rng:int(-3, 3)) end
  if kind == 5 then return collide.polygon(0, 0, 9, 0, 9, 9, 5, 2, 0, 9) end
  return collide.chain(-6, 2, 0, -3, 6, 2)
end

local function play(seed, broadphase)
  local rng, log = random.new(seed), {}
  local world = collide.newWorld { broadphase = broadphase, touching = seed % 2 == 0,
    strict = false }
  local map = collide.newGrid(4, 4, { cell = 16 })
  map:fill(1, 1, 2, 2, 1)
  world:add { name = 0, x = 80, y = 80, static = true, shape = collide.tiles(map) }
  local actors, met = {}, 0
  local function note(event)
    return function(self, other, nx, ny, depth, _, t)
      if t then met = met + 1 end
      log[#log + 1] = ("%s %d %d"):format(event, self.name, other.name)
      if type(ny) == "number" then
        log[#log] = ("%s %.17g %.17g %.17g %.17g"):format(log[#log], nx, ny, depth, t or -1)
      end
    end
  end
  local enter, hit, leave = note "enter", note "hit", note "leave"
  for i = 1, 40 do
    actors[i] = { name = i, x = rng:int(0, 200), y = rng:int(0, 200), shape = newShape(rng),
      angle = rng:chance(0.3) and rng:int(0, 6) or nil, static = rng:chance(0.2),
      swept = rng:chance(0.4), enter = enter, hit = hit, leave = leave }
    world:add(actors[i])
  end
  for _ = 1, 12 do
    for _, actor in ipairs(actors) do
      local what = rng:int(20)
      if what == 1 and world:has(actor) then
        world:remove(actor)
      elseif what <= 3 and not world:has(actor) then
        world:add(actor)
      elseif what == 4 and world:has(actor) then
        world:teleport(actor, rng:int(0, 200), rng:int(0, 200))
      elseif what == 5 and world:has(actor) then
        world:move(actor, rng:int(-50, 50), rng:int(-50, 50))
      elseif what == 6 then
        actor.x, actor.y = rng:int(0, 200), rng:int(0, 200)
      elseif what < 15 then
        actor.x, actor.y = actor.x + rng:int(-20, 20), actor.y + rng:int(-20, 20)
      end
    end
    world:step()
    log[#log + 1] = world:hash()
  end
  return log, met
end

-- Compares what explain says about some pairs before a step with their hits after it.
local function checkExplained(rng, world, actors)
  local said = {}
  for i = 1, 30 do
    local a, b = rng:pick(actors), rng:pick(actors)
    if a ~= b then said[i] = { a, b, world:explain(a, b):find(") hits ", 1, true) ~= nil } end
  end
  world:step()
  local hits = {}
  for a, b in world:hits() do hits[a.name .. " " .. b.name] = true end
  for _, s in pairs(said) do
    local key, back = s[1].name .. " " .. s[2].name, s[2].name .. " " .. s[1].name
    assert.equal(s[3], (hits[key] or hits[back]) == true, key)
  end
end

describe("random play with swept actors", function()
  local seed, rounds = random.seed(), random.rounds(3)

  it(("is the same on every broad phase (seeds %d to %d)"):format(seed, seed + rounds - 1),
    function()
      local all = 0
      for s = seed, seed + rounds - 1 do
        local want, met = play(s, "brute")
        all = all + met
        for _, broadphase in ipairs(broadphases) do
          assert.equal(table.concat(want, "\n"), table.concat(play(s, broadphase), "\n"))
        end
      end
      assert.is_true(all > 100 * rounds, "only " .. all .. " meetings")
    end)

  it(("agrees with explain (seeds %d to %d)"):format(seed, seed + rounds - 1), function()
    for s = seed, seed + rounds - 1 do
      local rng = random.new(s)
      local world, actors = collide.newWorld { touching = s % 2 == 0 }, {}
      for i = 1, 40 do
        actors[i] = world:add { name = i, x = rng:int(0, 200), y = rng:int(0, 200),
          shape = newShape(rng), static = rng:chance(0.2), swept = rng:chance(0.4) }
      end
      for _ = 1, 8 do
        for _, actor in ipairs(actors) do
          if rng:chance(0.1) then world:move(actor, rng:int(-60, 60), 0, nil, "cross") end
          if not actor.static then
            actor.x, actor.y = actor.x + rng:int(-60, 60), actor.y + rng:int(-60, 60)
          end
          actor.angle = rng:chance(0.2) and not actor.static and rng:int(0, 6) or actor.angle
        end
        checkExplained(rng, world, actors)
      end
    end
  end)
end)
