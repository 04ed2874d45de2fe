-- Plans of bullets: the changes at certain ages, steps that they cut, and their callbacks; compared
-- with a plain model that flies piece by piece.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"
local random = require "spec.support.random"

local unpack = table.unpack or unpack -- luacheck: ignore
local near, target = pools.near, pools.target

local function newPool(options)
  local world = collide.newWorld()
  options = options or {}
  options.capacity, options.radius = options.capacity or 100, options.radius or 2
  return world, world:newBullets(options)
end

describe("collide.newPlan", function()
  it("names the entry and the key that are wrong", function()
    expect.raises("entries expected (list of 1 to 10000 tables {at = …, speed = …, …}), got nil",
      collide.newPlan)
    expect.raises("entries[1].at expected", collide.newPlan, { { speed = 1 } })
    expect.raises("entries[2].at expected (number of seconds, no less than in the entry before), "
      .. "got 1", collide.newPlan, { { at = 2 }, { at = 1 } })
    expect.raises("entries[1].speed expected", collide.newPlan, { { at = 0, speed = -1 } })
    expect.raises("key of entries[2] expected", collide.newPlan,
      { { at = 0 }, { at = 0, sped = 1 } })
    expect.raises("entries[1].home expected", collide.newPlan, { { at = 0, home = 1 } })
    expect.raises("entries[1] expected", collide.newPlan, { 1 })
  end)

  it("copies its entries, and a spawn takes only its result", function()
    local world, pool = newPool()
    local entry = { at = 1, vx = 5 }
    local plan = collide.newPlan { entry }
    entry.vx = 100
    assert.equal("plan", tostring(plan))
    local bullet = pool:spawn(0, 0, 1, 0, { plan = plan })
    for _ = 1, 2 do world:update(1) end
    near({ 6, 0, 5, 0 }, pool:get(bullet))
    expect.raises("plan expected (plan made by collide.newPlan), got table", pool.spawn, pool, 0, 0,
      1, 0, { plan = { entry } })
  end)
end)

describe("a bullet with a plan", function()
  it("has its step cut at each entry", function()
    local world, pool = newPool()
    local plan = collide.newPlan { { at = 0.25, vx = 0, vy = 8 }, { at = 0.5, speed = 0 },
      { at = 0.75, angle = 0, speed = 4, tag = 7, radius = 3, ax = 2 } }
    local bullet = pool:spawn(0, 0, 4, 0, { plan = plan })
    world:update(1)
    local x, y, vx, vy, radius, tag, ax = pool:get(bullet)
    near({ 1 + 1 + 0.0625, 2, 4.5, 0 }, x, y, vx, vy)
    assert.same({ 3, 7, 2 }, { radius, tag, ax })
  end)

  it("hits only actors on the pieces of its way", function()
    local hits = {}
    local world, pool = newPool { hit = function(_, _, actor, nx, ny, t)
      hits[#hits + 1] = { actor.name, nx, ny, t }
      return "pass"
    end }
    target(world, "on the straight line", 100, 100)
    target(world, "at the corner", 200, 0)
    local plan = collide.newPlan { { at = 0.5, vx = 0, vy = 400 } }
    local bullet = pool:spawn(0, 0, 400, 0, { plan = plan })
    world:update(1)
    near({ 200, 200 }, pool:get(bullet))
    assert.equal(1, #hits)
    assert.equal("at the corner", hits[1][1])
  end)

  it("calls timer with the number of the entry, in order with its hits, until it ends", function()
    local told = {}
    local world, pool = newPool {
      hit = function() told[#told + 1] = "hit" end,
      timer = function(pool, bullet, index)
        told[#told + 1] = index
        near({ index * 25 }, (pool:get(bullet)))
      end,
    }
    target(world, "wall", 60, 0, collide.rectangle(4, 4))
    local plan = collide.newPlan { { at = 0.25, call = true }, { at = 0.5, call = true },
      { at = 0.75, call = true } }
    pool:spawn(0, 0, 100, 0, { plan = plan })
    world:update(1)
    assert.same({ 1, 2, "hit" }, told)
    assert.equal(0, pool:count())
  end)

  it("may aim at its home, start to home, and stop", function()
    local world, pool = newPool { hit = function() return "pass" end }
    local home = target(world, "home", 0, 100)
    local aims = pool:spawn(0, 0, 10, 0, { home = home, turnRate = 0,
      plan = collide.newPlan { { at = 0, home = false }, { at = 1, aim = true, speed = 20 } } })
    local homes = pool:spawn(50, 100, 0, 5, { home = home,
      plan = collide.newPlan { { at = 0, home = false }, { at = 1, home = true } } })
    for _ = 1, 2 do world:update(1) end
    local x, y = 10, 0
    local length = math.sqrt(10 ^ 2 + 100 ^ 2)
    near({ x - 20 * 10 / length, y + 20 * 100 / length }, pool:get(aims))
    local far = math.sqrt(50 ^ 2 + 5 ^ 2)
    near({ 50 - 5 * 50 / far, 105 - 5 * 5 / far }, pool:get(homes))
  end)

  it("does not start moving if an entry gives only a speed or only a direction", function()
    local world, pool = newPool()
    local bullet = pool:spawn(3, 4, 0, 0, { plan = collide.newPlan { { at = 0.5, angle = 1 },
      { at = 0.6, speed = 5 }, { at = 0.7, turnRate = 2 } }, minSpeed = 3 })
    world:update(1)
    near({ 3, 4, 0, 0 }, pool:get(bullet))
  end)

  it("may hit another bullet on several pieces of its way in one step", function()
    local world, hits = collide.newWorld(), 0
    local pool = world:newBullets { capacity = 9, radius = 2, pierce = true, hitBullets = true,
      hit = function() hits = hits + 1 end }
    local others = world:newBullets { capacity = 9, radius = 2 }
    pool:spawn(-10, 0, 100, 0, { plan = collide.newPlan { { at = 0.5, vx = -76 } } })
    others:spawn(2, 0, 0, 0)
    world:step(1)
    assert.equal(2, hits)
    world:restore(world:snapshot():pack(), function() end)
  end)

  it("packs its plan by value, wherever the plan was made", function()
    local function newGame()
      local world, pool = newPool()
      local plans = {}
      for i = 1, 3 do
        plans[i] = collide.newPlan { { at = 9, speed = i % 2 }, { at = 9, tag = 1 } }
      end
      return world, function(i) pool:spawn(i, 0, 1, 0, { plan = plans[i % 3 + 1] }) end
    end
    local world, play = newGame()
    for i = 1, 5 do play(i) end
    local late, playLate = newGame()
    late:restore(world:snapshot():pack(), function() end)
    for i = 6, 10 do
      play(i)
      playLate(i)
    end
    local snapshot, other = world:snapshot(), late:snapshot()
    assert.equal(snapshot:hash(), other:hash())
    assert.equal(snapshot:pack(), other:pack())
    assert.is_nil(snapshot:diff(other))
  end)

  it("bounces with its state at that moment, and continues with its plan", function()
    local world, pool = newPool { radius = 1, hit = function() return "bounce" end }
    target(world, "wall", 52, 0, collide.rectangle(2, 100))
    local plan = collide.newPlan { { at = 0.25, vx = 100 },
      { at = 0.75, vx = -10, vy = 20, tag = 5 } }
    local bullet = pool:spawn(0, 0, 80, 0, { plan = plan })
    world:update(1)
    -- 20 at 0.25, 51 at 0.56, where it touches the wall, and 32 at 0.75
    local x, y, vx, vy, _, tag = pool:get(bullet)
    near({ 29.5, 5, -10, 20 }, x, y, vx, vy)
    assert.equal(5, tag)
  end)

  -- Two pools, whose bullets home and have plans that cut the step; the bullet of the second one
  -- bounces off a wall after the timer. Actors far away have the first slots.
  local function newGame()
    local game = { world = collide.newWorld(), far = {} }
    for i = 1, 200 do game.far[i] = target(game.world, "far", 1e5 + 20 * i, 1e5) end
    local home = target(game.world, "home", 0, 300)
    target(game.world, "wall", 52, 0, collide.rectangle(2, 100))
    local plan = collide.newPlan { { at = 0.25, vx = 100, call = true }, { at = 0.75, speed = 40 } }
    for i = 1, 2 do
      local pool = game.world:newBullets { capacity = 9, radius = 1, lifetime = 9,
        hit = function() return "bounce" end }
      game[i] = pool
      pool:spawn(0, 200 - 100 * i, 80, 0, { home = home, turnRate = 0.5, plan = plan })
    end
    return game
  end

  it("bounces on its way though another pool and actors in earlier slots are removed", function()
    local expected, game, told = newGame(), newGame(), 0
    for _, actor in ipairs(game.far) do game.world:remove(actor) end
    game[2].timer = function()
      told = told + 1
      if told == 1 then game[1]:remove() end
    end
    for _ = 1, 2 do
      expected.world:update(1)
      game.world:update(1)
      assert.same({ expected[2]:get(2) }, { game[2]:get(2) })
    end
    assert.is_true(told > 0 and game[2]:get(2) < 40)
  end)

  -- A step without a time makes the callbacks that remain.
  it("bounces on its way after its world was packed before the hit", function()
    local expected, game, other, text = newGame(), newGame(), newGame(), nil
    game[2].timer = function() text = text or game.world:snapshot({ "name" }):pack() end
    game.world:update(1)
    expected.world:update(1)
    other.world:restore(text, function(_, fields)
      return { name = fields.name,
        shape = fields.name == "wall" and collide.rectangle(2, 100) or collide.circle(5) }
    end)
    assert.equal(text, other.world:snapshot({ "name" }):pack())
    other.world:step()
    for _ = 1, 2 do
      for i = 1, 2 do assert.same({ expected[i]:get(i) }, { other[i]:get(i) }) end
      expected.world:update(1)
      other.world:update(1)
    end
    assert.equal(expected.world:hash(), other.world:hash())
  end)

  -- The hits that an error leaves are made in the next step, when the legs are those of that step.
  it("bounces the same from a snapshot and a pack taken among hits that an error left", function()
    local plan = collide.newPlan { { at = 0.25, vx = 100 }, { at = 1.1, vy = 30 },
      { at = 1.25, vx = 20 }, { at = 1.75, speed = 40 } }
    local function newShots(hit)
      local world = collide.newWorld()
      target(world, "wall", 52, 0, collide.rectangle(2, 400))
      local pool = world:newBullets { capacity = 9, radius = 1, lifetime = 90, pierce = true,
        hit = hit }
      for i = 1, 3 do pool:spawn(0, 40 * i, 80, 0, { plan = plan }) end
      return world, pool
    end
    local snapshot, world, pool
    local hits = 0
    world, pool = newShots(function()
      hits = hits + 1
      if hits == 1 then error "stop" end
      snapshot = snapshot or world:snapshot { "name" }
      return "bounce"
    end)
    assert.is_false(pcall(world.update, world, 1))
    world:update(1)
    local function bounce() return "bounce" end
    local other, unpacked = newShots(bounce)
    other:restore(snapshot:pack(), function(_, fields)
      return { name = fields.name, shape = collide.rectangle(2, 400) }
    end)
    pool.hit = bounce
    world:restore(snapshot)
    world:step()
    other:step()
    for i = 1, 3 do assert.same({ pool:get(i) }, { unpacked:get(i) }) end
    assert.equal(world:hash(), other:hash())
  end)
end)

-- One piece of straight flight of the model: the same rules, in plain arithmetic.
local function flyPiece(b, dt, home)
  local turn = b.turnRate * dt
  if b.homes then
    local dx, dy = home.x - b.x, home.y - b.y
    local off = collide.atan2(b.vx * dy - b.vy * dx, b.vx * dx + b.vy * dy)
    turn = math.max(-turn, math.min(turn, off))
  end
  local c, s = math.cos(turn), math.sin(turn)
  b.vx, b.vy = b.vx * c - b.vy * s, b.vx * s + b.vy * c
  b.x, b.y = b.x + b.vx * dt + b.ax * dt * dt / 2, b.y + b.vy * dt + b.ay * dt * dt / 2
  b.vx, b.vy = b.vx + b.ax * dt, b.vy + b.ay * dt
end

local function applyEntry(b, e, home)
  local vx, vy = e.vx or b.vx, e.vy or b.vy
  local speed, angle = math.sqrt(vx ^ 2 + vy ^ 2), collide.atan2(vy, vx)
  if e.angle then angle = e.angle end
  if e.aim then angle = collide.atan2(home.y - b.y, home.x - b.x) end
  speed = e.speed or speed
  b.vx, b.vy = speed * math.cos(angle), speed * math.sin(angle)
  b.ax, b.ay, b.turnRate = e.ax or b.ax, e.ay or b.ay, e.turnRate or b.turnRate
  if e.home ~= nil then b.homes = e.home end
  b.tag = e.tag or b.tag
end

local function flyModel(b, entries, dt, home)
  local from, to = b.age, b.age + dt
  while entries[b.stage] and entries[b.stage].at <= to do
    local e = entries[b.stage]
    flyPiece(b, e.at - from, home)
    applyEntry(b, e, home)
    from, b.stage = e.at, b.stage + 1
  end
  flyPiece(b, to - from, home)
  b.age = to
end

local function randomEntries(rng)
  local entries, at = {}, 0
  for i = 1, rng:int(1, 5) do
    if rng:chance(0.8) then at = at + rng:float(0.01, 0.5) end
    local function maybe(a, b) return rng:chance(0.3) and rng:float(a, b) or nil end
    entries[i] = { at = at, vx = maybe(-50, 50), vy = maybe(-50, 50), angle = maybe(-3, 3),
      aim = rng:chance(0.2), speed = maybe(1, 90), ax = maybe(-20, 20), ay = maybe(-20, 20),
      turnRate = maybe(0, 4), tag = rng:chance(0.3) and rng:int(1, 9) or nil }
    if rng:chance(0.4) then entries[i].home = rng:chance(0.5) end
  end
  return entries
end

describe("random plans", function()
  local seed = random.seed()

  it("fly as in a plain model, seed " .. seed, function()
    local rng = random.new(seed)
    for _ = 1, random.rounds(40) do
      local world, pool = newPool { hit = function() return "pass" end }
      -- Too far away to be passed: rounding decides which way a bullet turns from a home behind it.
      local home = target(world, "home", 2000, rng:float(-300, 300))
      local model = {}
      for i = 1, 10 do
        local b = { x = rng:float(-99, 99), y = rng:float(-99, 99), vx = rng:float(5, 50),
          vy = rng:float(-50, 50), ax = 0, ay = 0, turnRate = rng:float(0, 3), homes = true,
          tag = 0, age = 0, stage = 1 }
        local entries = randomEntries(rng)
        model[i] = { b, entries, pool:spawn(b.x, b.y, b.vx, b.vy, { home = home,
          turnRate = b.turnRate, plan = collide.newPlan(entries) }) }
      end
      for _ = 1, 12 do
        local dt = rng:float(0.01, 0.4)
        world:update(dt)
        for _, m in ipairs(model) do
          local b = m[1]
          flyModel(b, m[2], dt, home)
          local x, y, vx, vy, _, tag = pool:get(m[3])
          expect.near({ b.x, b.y, b.vx, b.vy, b.tag }, { x, y, vx, vy, tag }, 1e-6)
        end
      end
    end
  end)

  -- A world with walls, bullets of two pools that meet, and plans; `map` is an image of the plane.
  local function play(rng, map, steps, each)
    local world, told = collide.newWorld(), {}
    local function pool(name, options)
      options.capacity, options.radius, options.hitBullets = 60, 4, true
      function options.hit(p, bullet, other, nx, ny, t, x, y)
        told[#told + 1] = { name, bullet, other.name or "pool", t, nx, ny, x, y, p:get(bullet) }
        return bullet % 3 == 0 and "bounce" or bullet % 3 == 1 and "pass" or nil
      end
      function options.timer(_, bullet, index)
        told[#told + 1] = { name, bullet, "timer", index }
      end
      return world:newBullets(options)
    end
    local one, two = pool("one", { lifetime = 3 }), pool("two", { grazeRadius = 12 })
    local homes = {}
    for i = 1, 8 do
      local x, y = map(rng:int(-200, 200), rng:int(-200, 200))
      homes[i] = target(world, "home " .. i, x, y, collide.circle(rng:int(5, 30)))
    end
    for _ = 1, 40 do
      local entries, at = {}, 0
      for i = 1, rng:int(1, 4) do
        at = at + rng:float(0, 0.4)
        local vx, vy = map(rng:int(-300, 300), rng:int(-300, 300))
        entries[i] = { at = at, call = rng:chance(0.5), aim = rng:chance(0.3),
          speed = rng:chance(0.3) and rng:int(20, 300) or nil,
          radius = rng:chance(0.3) and rng:int(1, 9) or nil }
        if rng:chance(0.5) then entries[i].vx, entries[i].vy = vx, vy end
      end
      local x, y = map(rng:int(-200, 200), rng:int(-200, 200))
      local vx, vy = map(rng:int(-300, 300), rng:int(-300, 300))
      rng:pick { one, two }:spawn(x, y, vx, vy, { home = rng:pick(homes),
        turnRate = rng:float(0, 3), plan = collide.newPlan(entries) })
    end
    for i = 1, steps do
      world:update(1 / 8)
      if each then each(world, i, told) end
    end
    local places = {}
    for _, p in ipairs { one, two } do
      p:each(function(bullet, x, y, vx, vy, radius)
        places[#places + 1] = { bullet, x, y, vx, vy, radius }
      end)
    end
    return places, told, world, homes
  end

  local IMAGES = {
    mirrored = function(x, y) return 0 - x, y end,
    turned = function(x, y) return 0 - y, x end,
  }
  local function plain(x, y) return x, y end

  for name, map in pairs(IMAGES) do
    it("give the image of the result when " .. name .. ", seed " .. seed, function()
      for round = 1, random.rounds(10) do
        local places, told = play(random.new(seed + round), plain, 12)
        local others, toldOthers = play(random.new(seed + round), map, 12)
        assert.equal(#told, #toldOthers)
        assert.equal(#places, #others)
        for i, p in ipairs(places) do
          local x, y = map(p[2], p[3])
          local vx, vy = map(p[4], p[5])
          assert.same({ p[1], x + 0, y + 0, vx + 0, vy + 0, p[6] },
            { others[i][1], others[i][2] + 0, others[i][3] + 0, others[i][4] + 0,
              others[i][5] + 0, others[i][6] })
        end
      end
    end)
  end

  it("continue the same from a snapshot and from a packed one, seed " .. seed, function()
    for round = 1, random.rounds(10) do
      local kept
      local _, told, world = play(random.new(seed + round), plain, 12, function(world, i, log)
        if i == 5 then kept = { world:snapshot(), world:snapshot():pack(), #log } end
      end)
      local hash, ended, all = world:hash(), world:snapshot(), { unpack(told) }
      for k = 1, 2 do
        for i = #told, kept[3] + 1, -1 do told[i] = nil end
        local actors = world:actors()
        if k == 1 then world:restore(kept[1])
        else world:restore(kept[2], function(i) return actors[i] end) end
        for _ = 6, 12 do world:update(1 / 8) end
        assert.equal(hash, world:hash())
        assert.is_nil(world:snapshot():diff(ended))
        assert.same(all, told)
      end
    end
  end)
end)

-- A game of three pools among actors, in which bullets also hit each other, bounce and pass. With
-- `planned`, most bullets have plans that cut their steps but change nothing.
local function newGame(rng, planned)
  local world, log = collide.newWorld(), {}
  local own = {}
  local function hit(_, bullet, actor, _, _, t, x, y, other)
    log[#log + 1] = { bullet, other or actor.name, t, x, y }
    local what = bullet % 4
    return what < 2 and t > 0 and "bounce" or what < 3 and "pass" or nil
  end
  for k = 1, 3 do
    own[k] = world:newBullets { capacity = 30, radius = 2, hit = hit, pierce = rng:chance(0.3),
      hitBullets = k == 1 or rng:chance(0.6) }
  end
  for i = 1, 5 do
    target(world, "actor " .. i, rng:float(-40, 40), rng:float(-40, 40),
      collide.rectangle(rng:float(2, 15), rng:float(2, 15)))
  end
  for i = 1, 18 do
    local entries, at = {}, 0
    for k = 1, rng:int(5) do
      at = at + rng:float(0.05, 0.6)
      entries[k] = { at = at, tag = i }
    end
    local plan = rng:chance(0.8) and planned and collide.newPlan(entries) or nil
    own[i % 3 + 1]:spawn(rng:float(-40, 40), rng:float(-40, 40), rng:float(-60, 60),
      rng:float(-60, 60), { tag = i, plan = plan })
  end
  return world, log
end

local function isAlike(a, b)
  if #a ~= #b then return false end
  for i, p in ipairs(a) do
    local q = b[i]
    if p[1] ~= q[1] or p[2] ~= q[2] then return false end
    for k = 3, 5 do
      if math.abs(p[k] - q[k]) > 1e-6 then return false end
    end
  end
  return true
end

describe("plans that change nothing (seed " .. random.seed() .. ")", function()
  it("change no hit: not with actors, nor with bullets, before and after bounces", function()
    local rounds, differ, hits = random.rounds(100), 0, 0
    for round = 1, rounds do
      local seed = random.seed() * 5000 + round
      local cut, a = newGame(random.new(seed), true)
      local whole, b = newGame(random.new(seed), false)
      for _ = 1, 4 do
        cut:step(0.5)
        whole:step(0.5)
      end
      hits = hits + #b
      differ = differ + (isAlike(a, b) and 0 or 1)
    end
    -- Where a bounce keeps the velocity, rounding decides whether the same meeting is found again.
    assert.is_true(differ <= math.ceil(rounds / 50), differ)
    assert.is_true(hits > rounds * 10)
  end)
end)
