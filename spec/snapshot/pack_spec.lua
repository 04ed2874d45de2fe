-- snapshot:pack, hash and diff, and world:restore from a string.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

local box, disc = collide.rectangle(10, 10), collide.circle(5)
local SHAPES = { box = box, disc = disc }
local FIELDS = { "name", "kind", "vx", "mate" }

local function update(self, dt)
  if not self.static then self.x = self.x + self.vx * dt end
end

local function nothing() end

-- A kind of actor that appends its calls to `log`.
local function newKind(log)
  local class = {}
  class.__index = class
  class.update = update
  for _, event in ipairs { "enter", "hit", "leave" } do
    class[event] = function(self, other, ...)
      log[#log + 1] = ("%s %s %s %s %s %s"):format(self.name, event, other.name, tostring((...)),
        tostring(select(2, ...) and 1), tostring(self.mate and self.mate.name))
    end
  end
  return function(_, fields)
    return setmetatable({ name = fields.name or "gone", shape = SHAPES[fields.kind] or box }, class)
  end
end

local function newWorld(options)
  local log = {}
  local world = collide.newWorld(options or { strict = true })
  local grid = collide.newGrid(6, 2, { cell = 20, y = 30 })
  grid:fill(0, 0, 6, 1, 1)
  local make = newKind(log)
  local pool = world:newBullets { capacity = 30, radius = 1, group = "shots", lifetime = 5,
    grazeRadius = 3, hit = function(_, bullet, actor, nx, ny, t)
      log[#log + 1] = ("%d %s %.17g %.17g %.17g"):format(bullet, actor.name, nx, ny, t)
    end }
  return world, function(i, fields)
    local made = make(i, fields)
    if fields.kind == "map" then made.shape = collide.tiles(grid) end
    return made
  end, log, pool, grid
end

local function populate(seed, world, make, pool)
  local rng = random.new(seed)
  for i = 1, 12 do
    local kind = i == 1 and "map" or rng:pick { "box", "disc" }
    local actor = make(i, { name = "a" .. i, kind = kind })
    actor.kind, actor.group = kind, rng:pick { "red", "blue" }
    actor.x, actor.y = i == 1 and 0 or rng:int(0, 100), i == 1 and 0 or rng:int(0, 40)
    actor.vx, actor.static = rng:int(-9, 9), i == 1 or rng:chance(0.2)
    if i > 1 and rng:chance(0.5) then actor.angle = rng:float(-3, 3) end
    world:add(actor)
    actor.mate = rng:pick(world:actors())
  end
  for i = 1, 10 do pool:spawn(rng:int(0, 100), rng:int(-20, 20), 30, 9, i) end
  pool:spawnLaser { points = { 0, 0, 50, 9, 60, 20 }, width = 2 }
  world:setRule("red", "red", "first")
end

local function play(world, n)
  for _ = 1, n do world:update(0.125) end
end

-- Adler-32, whose sums doubles hold exactly.
local function checksum(text)
  local a, b = 1, 0
  for i = 1, #text do
    a = (a + text:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b * 65536 + a
end

describe("snapshot:pack", function()
  it("continues in a new world like in the old one, and packs to the same string", function()
    for seed = random.seed(), random.seed() + random.rounds(20) - 1 do
      local world, make, log, pool = newWorld()
      populate(seed, world, make, pool)
      play(world, 5)
      local gone = world:actors()[4]
      world:remove(gone)
      gone.name, gone.mate = "gone", nil
      for _, actor in ipairs(world:actors()) do
        if actor.mate == gone then actor.mate = nil end
      end
      local text = world:snapshot(FIELDS):pack()
      local other, makeOther, logOther = newWorld()
      other:restore(text, makeOther)
      assert.equal(world:hash(), other:hash())
      assert.equal(text, other:snapshot(FIELDS):pack(), "seed " .. seed)
      local before = #log
      play(world, 8)
      play(other, 8)
      for i = 1, math.max(#log - before, #logOther) do
        assert.equal(log[before + i], logOther[i], ("seed %d, call %d"):format(seed, i))
      end
      assert.equal(world:snapshot(FIELDS):hash(), other:snapshot(FIELDS):hash())
      assert.is_nil((world:snapshot(FIELDS):diff(other:snapshot(FIELDS))))
    end
  end)

  -- All Luas pack the same bytes, so each can restore the strings of the others.
  it("is the same on every Lua and machine, and so are the steps after it", function()
    local world, make, _, pool = newWorld()
    populate(7, world, make, pool)
    play(world, 6)
    local text = world:snapshot(FIELDS):pack()
    assert.same({ 2797, 4275511992 }, { #text, checksum(text) })
    assert.equal("12518925603709717947", world:snapshot(FIELDS):hash())
    local other, makeOther = newWorld()
    other:restore(text, makeOther)
    play(other, 6)
    assert.equal("15705150947787740329", other:hash())
  end)

  it("gives x, y and angle as floats, and whole numbers in fields as integers", function()
    local world = collide.newWorld()
    world:add { x = 3, y = 4, angle = 1, hp = 7, speed = 0.5, shape = box }
    local text = world:snapshot({ "hp", "speed" }):pack()
    local made
    world:restore(text, function(i, fields)
      assert.same({ 1, 3, 4, 1, 7, 0.5, "default", false }, { i, fields.x, fields.y, fields.angle,
        fields.hp, fields.speed, fields.group, fields.static })
      made = { shape = box }
      return made
    end)
    assert.equal(("%s %s"):format(3.0, 7), ("%s %s"):format(made.x, made.hp))
  end)

  it("raises for a whole number beyond 2^53", function()
    local world = collide.newWorld()
    local a = world:add { x = 3, y = 4, name = "a", hp = 2 ^ 53, shape = box }
    world:snapshot({ "hp" }):pack()
    a.hp = 2 ^ 54
    expect.raises('snapshot:pack: actor 1 "a" (at 3, 4): hp expected (whole number within ±2^53)',
      function() local _ = world:snapshot({ "hp" }):pack() end)
    a.hp = math.huge
    world:snapshot({ "hp" }):pack()
  end)

  it("has the rules of the largest number of groups", function()
    for most = 62, 64 do
      local rng, world, other = random.new(most), collide.newWorld(), collide.newWorld()
      for i = 1, most do
        world:add { x = rng:int(0, 60), y = rng:int(0, 60), group = "group " .. i, shape = box }
      end
      for _ = 1, 300 do
        world:setRule("group " .. rng:int(most), "group " .. rng:int(most),
          rng:pick { true, false, "first" })
      end
      world:step()
      local text = world:snapshot():pack()
      other:restore(text, function() return { shape = box } end)
      assert.equal(text, other:snapshot():pack())
      for i = 1, most do
        for k = 1, most do
          local a, b = "group " .. i, "group " .. k
          assert.equal(world:canHit(a, b), other:canHit(a, b), a .. ", " .. b)
        end
      end
      world:step()
      other:step()
      assert.equal(world:hash(), other:hash())
    end
  end)

  it("is the same in both worlds after a step that drops an actor removed earlier", function()
    local function newGame()
      local world, game = collide.newWorld(), {}
      local function hit()
        if game.mate and world:has(game.mate) then world:remove(game.mate) end
      end
      function game.make(i)
        game[i] = { id = i, x = i + 0.5, y = 0, shape = box, leave = nothing, hit = hit }
        return game[i]
      end
      return world, game
    end
    local world, game = newGame()
    for i = 1, 3 do world:add(game.make(i)) end
    game.mate = game[2]
    world:step()
    local other, same = newGame()
    other:restore(world:snapshot({ "id" }):pack(), function(_, fields)
      return same.make(fields.removed and 2 or fields.id)
    end)
    game.mate, same.mate = game[3], same[3]
    world:step()
    other:step()
    assert.equal(world:snapshot():hash(), other:snapshot():hash())
    assert.equal(world:snapshot():pack(), other:snapshot():pack())
  end)

  it("has removed actors whose leave is still to be made", function()
    local world, make, log = newWorld()
    for i = 1, 2 do
      local actor = make(i, { name = "a" .. i })
      actor.x, actor.y, actor.vx = 5 * i, 0, 0
      world:add(actor)
    end
    world:step()
    world:remove(world:actors()[1])
    local text = world:snapshot({ "name" }):pack()
    log[1] = nil
    local other, makeOther, logOther = newWorld()
    local removed = {}
    other:restore(text, function(i, fields)
      removed[i] = fields.removed or false
      return makeOther(i, fields)
    end)
    assert.same({ false, true }, removed)
    other:step()
    assert.same({ "gone leave a2", "a2 leave gone" }, { logOther[1]:match "^%w+ %w+ %w+",
      logOther[2]:match "^%w+ %w+ %w+" })
  end)

  -- In a bullet's hit, most of a step's calls are still to come, and some bullets have bounced.
  it("has the callbacks of bullets that are still to come", function()
    local midway = 0
    for seed = random.seed(), random.seed() + random.rounds(6) - 1 do
      local world, make, log, pool = newWorld()
      populate(seed, world, make, pool)
      for i = 1, 15 do pool:spawn(50, 20, 50 - 7 * i, 6 * i - 40, i) end
      local other, makeOther, logOther, poolOther = newWorld()
      local hit, told, snapshot, text = pool.hit, 0, nil, nil
      local function answer(_, bullet, ...)
        hit(_, bullet, ...)
        return bullet % 2 == 0 and "bounce" or bullet % 5 == 0 and "pass" or nil
      end
      poolOther.hit = answer
      pool.hit = function(...)
        told = told + 1
        if told == 2 then
          snapshot = world:snapshot(FIELDS)
          text = snapshot:pack()
        end
        return answer(...)
      end
      for _ = 1, 6 do world:update(0.125) end
      assert.is_true(told > 3, "seed " .. seed)
      world:restore(snapshot)
      for i = #log, 1, -1 do log[i] = nil end
      for _ = 1, 6 do world:update(0.125) end
      other:restore(text, makeOther)
      assert.equal(text, other:snapshot(FIELDS):pack(), "seed " .. seed)
      hit = function(_, bullet, actor, nx, ny, t)
        logOther[#logOther + 1] = ("%d %s %.17g %.17g %.17g"):format(bullet, actor.name, nx, ny, t)
      end
      for _ = 1, 6 do other:update(0.125) end
      assert.same(log, logOther, "seed " .. seed)
      assert.equal(world:hash(), other:hash())
      midway = midway + #log
    end
    assert.is_true(midway > 0)
  end)

  -- Bullets that hit each other, graze and expire, and callbacks that remove actors.
  it("has the remaining events of bullets that hit bullets", function()
    local function battle(seed)
      local rng, world, log = random.new(seed), collide.newWorld(), {}
      local one = { world = world, log = log, told = 0 }
      local function note(pool, what, bullet, other, _, _, t, _, _, rest)
        local who = other and (other.name or "bullet " .. tostring(rest)) or ""
        log[#log + 1] = ("%s %d %s %s %.17g"):format(pool, bullet, what, who, t or 0)
        one.told = one.told + 1
        if one.told == one.at then
          one.snapshot = world:snapshot { "name" }
          one.text = one.snapshot:pack()
        end
        if other and other.name and bullet % 5 == 0 then world:remove(other) end
        return bullet % 4 == 0 and "bounce" or bullet % 4 == 1 and "pass" or nil
      end
      for _, name in ipairs { "red", "blue" } do
        world:newBullets { capacity = 40, radius = 1, group = name, grazeRadius = 3, lifetime = 3,
          hitBullets = true, bounds = { 0, 0, 60, 60 },
          hit = function(_, ...) return note(name, "hit", ...) end,
          graze = function(_, ...) note(name, "graze", ...) end,
          expired = function(_, ...) note(name, "expired", ...) end }
      end
      function one.fill()
        for i = 1, 6 do
          world:add { name = "foe " .. i, x = rng:int(0, 60), y = rng:int(0, 60), shape = disc }
        end
        for _, pool in ipairs(world:pools()) do
          for i = 1, 25 do
            pool:spawn(rng:int(0, 60), rng:int(0, 60), rng:int(-60, 60), rng:int(-60, 60), i)
          end
        end
      end
      function one.play(frames)
        for i = #log, 1, -1 do log[i] = nil end
        for _ = 1, frames do world:update(0.25) end
        return table.concat(log, "\n")
      end
      return one
    end
    -- The first call in which a bullet that has bounced in the same step meets another bullet.
    local function afterBounce(text)
      local before, i = nil, 0
      for line in text:gmatch "[^\n]+" do
        local who, what = line:match "^(%a+ %d+) (%a+ %a*)"
        i = i + 1
        if who == before and what == "hit bullet" then return i end
        before = what == "hit foe" and tonumber(who:match "%d+") % 4 == 0 and who or nil
      end
    end
    local kinds, seeds = {}, { 18 } -- there the calls that are left are a heap that is not sorted
    for i = 1, random.rounds(12) do seeds[i + 1] = random.seed() + i - 1 end
    for _, seed in ipairs(seeds) do
      local dry, one, other = battle(seed), battle(seed), battle(seed)
      dry.fill()
      one.at = afterBounce(dry.play(4)) or 1 + seed % 12
      one.fill()
      one.play(4)
      assert.is_truthy(one.snapshot, "seed " .. seed)
      one.world:restore(one.snapshot)
      local expected = one.play(5)
      other.world:restore(one.text, function(_, fields)
        return { name = fields.name or "gone", shape = disc }
      end)
      assert.equal(one.text, other.world:snapshot({ "name" }):pack(), "seed " .. seed)
      assert.equal(expected, other.play(5), "seed " .. seed)
      assert.equal(one.world:hash(), other.world:hash(), "seed " .. seed)
      for kind in expected:gmatch " (%a+ %a*)" do kinds[kind] = true end
    end
    for _, kind in ipairs { "hit bullet", "hit foe", "graze foe", "expired " } do
      assert.is_true(kinds[kind], kind)
    end
  end)

  it("keeps a character's state for newCharacter", function()
    local function game()
      local world = collide.newWorld()
      local function make(_, fields)
        return { name = fields.name, shape = fields.name == "floor" and collide.rectangle(100, 10)
          or box }
      end
      return world, make
    end
    local world, make = game()
    local floor, hero = make(1, { name = "floor" }), make(2, { name = "hero" })
    floor.x, floor.y, floor.static, hero.x, hero.y = 0, 50, true, 10, 39
    world:add(floor)
    world:add(hero)
    local character = world:newCharacter(hero, { snapLength = 3 })
    for _ = 1, 9 do character:move(40, 50, 0.1) end
    local other, makeOther = game()
    other:restore(world:snapshot({ "name" }):pack(), makeOther)
    local twin = other:newCharacter(other:actors()[2], {})
    assert.equal("floor", twin.floor.name)
    assert.same({ 3, character.floorNy, character.n }, { twin.snapLength, twin.floorNy, twin.n })
    assert.is_nil(world:snapshot({ "name" }):diff(other:snapshot { "name" }))
    assert.same({ character:move(40, 0, 0.1) }, { twin:move(40, 0, 0.1) })
    assert.equal(hero.x, other:actors()[2].x)
  end)

  it("raises for a character with an invalid field, but has a hash", function()
    local world = collide.newWorld()
    local character = world:newCharacter(world:add { name = "hero", x = 0, y = 0, shape = box })
    world:add { x = 15, y = 0, static = true, shape = box }
    character:move(80, 0, 1)
    local function raises(expected)
      expect.raises('snapshot:pack: actor 1 "hero" (at 5, 0): its character\'s ' .. expected,
        function() world:snapshot():pack() end)
      assert.matches("^%d+$", world:snapshot():hash())
    end
    for name, expected in pairs { snapLength = "number", stepHeight = "number", wallNx = "number",
      floor = "actor or nil", crushed = "boolean" } do
      local before = character[name]
      character[name] = print
      raises(name .. " expected (" .. expected .. "), got function")
      character[name] = before
    end
    character.maxSlope = { 1 }
    raises("maxSlope expected (number), got table")
    character.maxSlope, character.hits[1].response = 1, nil
    raises("hits[1].response expected (string), got nil")
    character.hits[1].response, character.floor = "slide", {}
    local other = collide.newWorld()
    other:restore(world:snapshot():pack(), function() return { shape = box } end)
    assert.is_nil(other:newCharacter(other:actors()[1]).floor)
  end)
end)

describe("world:restore from a string", function()
  local function refuses(message, world, ...)
    local before = world:snapshot(FIELDS):pack()
    expect.raises(message, world.restore, world, ...)
    assert.equal(before, world:snapshot(FIELDS):pack())
  end

  it("raises for a string that does not fit the world, and changes nothing", function()
    local world, make, _, pool = newWorld()
    populate(3, world, make, pool)
    play(world, 3)
    local text = world:snapshot(FIELDS):pack()
    local none = "world:restore: snapshot expected (string that snapshot:pack gave), got "
    refuses(none .. "a string that is none", world, "", make)
    refuses(none .. "a string that is none", world, ("x"):rep(500), make)
    refuses(none .. "a damaged one", world, text:sub(1, -2), make)
    refuses(none .. "a damaged one", world, text .. "\0", make)
    refuses(none .. "one of a newer release", world, text:sub(1, 8) .. "\9" .. text:sub(10), make)
    local function other(options, capacity)
      local w = collide.newWorld(options)
      if capacity then w:newBullets { capacity = capacity, radius = 1, lifetime = 5 } end
      return w
    end
    refuses("snapshot expected (one of a world with the same `touching`), got another",
      other({ touching = true }, 30), text, make)
    refuses("snapshot expected (one of a world with the same groups), got another",
      other({ groups = { "red" } }, 30), text, make)
    refuses("snapshot expected (one of a world with as many pools), got one with more", other(),
      text, make)
    refuses("snapshot expected (one of a world whose pools are alike), got another pool 1",
      other(nil, 31), text, make)
    refuses("world:restore: make expected (function, with a string), got nil", world, text)
  end)

  it("raises for wrong results of make before anything changes", function()
    local world, make, _, pool = newWorld()
    populate(3, world, make, pool)
    local text, n = world:snapshot(FIELDS):pack(), 0
    local function with(f)
      n = 0
      return function(i, fields)
        n = n + 1
        return i == 12 and f(fields) or make(i, fields)
      end
    end
    refuses("actor 12 that make returned expected (table), got number 5", world, text,
      with(function() return 5 end))
    refuses("actor 12 that make returned: shape expected (shape", world, text,
      with(function() return {} end))
    refuses("is in another world", world, text, with(function()
      return collide.newWorld():add { x = 0, y = 0, shape = box }
    end))
    refuses("shape expected (shape with the bounds and cells of the one that was packed)", world,
      text, with(function() return { shape = collide.circle(9) } end))
    refuses("oh no", world, text, with(function() error "oh no" end))
    refuses("this world is reading its actors", world, text, with(function() world:clear() end))
    assert.equal(12, n)
  end)

  it("creates no group when it raises", function()
    local world, other = collide.newWorld(), collide.newWorld()
    world:add { x = 0, y = 0, group = "foe", shape = box }
    expect.raises("shape expected", other.restore, other, world:snapshot():pack(),
      function() return { shape = disc } end)
    -- The largest number of groups beside "default".
    for i = 1, 63 do other:setRule("group " .. i, "default", true) end
    expect.raises("expected (group in use, as a world has at most 64), got string", other.setRule,
      other, "foe", "default", true)
  end)

  it("validates every value in the string", function()
    local core = require "collide.core"
    local world, make, _, pool = newWorld()
    populate(3, world, make, pool)
    local hero = world:actors()[2]
    world:newCharacter(hero):move(1, 1, 0.1)
    hero.toSnapshot, hero.fromSnapshot = function() return 3 end, nothing
    hero.mate, world:actors()[3].mate = collide.newRandom(1), collide.newRandom(2)
    local text, unpacked = world:snapshot(FIELDS):pack(), core.unpack
    local function load(i, fields)
      local made = make(i, fields)
      made.fromSnapshot = nothing
      return made
    end
    local rng, refused, taken = random.new(random.seed()), 0, 0
    local odd = { 0, -1, 0.5, 1e300, 1 / 0, 0 / 0, "", "vx", true, false, {} }
    for _ = 1, random.rounds(300) do
      core.unpack = function(userdata, string, list, actors, ...)
        local n, groups, slots = unpacked(userdata, string, list, actors, ...)
        for _ = 1, rng:int(3) do
          local at = rng:int(n)
          if rng:chance(0.3) then actors[at] = rng:int(0, 30)
          else list[at] = rng:pick(odd) end
        end
        return rng:chance(0.1) and rng:int(0, n) or n, groups, slots
      end
      local target, _, _ = newWorld { strict = false }
      local ok, message = pcall(target.restore, target, text, load)
      core.unpack = unpacked
      if ok then
        taken = taken + 1
        for _, actor in ipairs(target:actors()) do
          actor.enter, actor.hit, actor.leave = nothing, nothing, nothing
        end
        for _, each in ipairs(target:pools()) do each.hit = nothing end
        target:step()
      else
        refused = refused + 1
        assert.matches("world:restore: ", message)
        assert.equal(0, target:count())
      end
    end
    local least = random.often(20)
    assert.is_true(refused > least and taken > least, refused .. " " .. taken)
  end)

  it("refuses flipped bits, cut strings and noise", function()
    local world, make, _, pool = newWorld()
    populate(3, world, make, pool)
    local text, rng = world:snapshot(FIELDS):pack(), random.new(random.seed())
    for _ = 1, random.rounds(300) do
      local bad
      local at = rng:int(#text)
      if rng:chance(0.5) then
        bad = text:sub(1, at - 1) .. string.char((text:byte(at) + rng:int(255)) % 256)
          .. text:sub(at + 1)
      else
        bad = text:sub(1, at - 1) .. (rng:chance(0.5) and ("\200"):rep(rng:int(90)) or "")
      end
      expect.raises("world:restore: snapshot expected (string that snapshot:pack gave), got ",
        world.restore, world, bad, make)
    end
  end)
end)

describe("a generator of random numbers in a field", function()
  local shape = collide.circle(1)

  -- Two actors share a generator, the second has another, and a third that its `toSnapshot`
  -- returns.
  local function game()
    local world, shared = collide.newWorld(), collide.newRandom(5)
    shared:random()
    local a = world:add { x = 0, y = 0, shape = shape, dice = shared }
    local b = world:add { x = 9, y = 0, shape = shape, dice = shared, coin = collide.newRandom(-3),
      own = collide.newRandom(9), toSnapshot = function(self) return self.own end,
      fromSnapshot = function(self, value) self.own = value end }
    return world, a, b
  end

  local function draws(a, b)
    return { a.dice:random(6), b.dice:random(), b.coin:random(2 ^ 40), b.own:uniform(3, 4) }
  end

  it("gets its state back in the same generator", function()
    local world, a, b = game()
    local snapshot, dice, coin, own = world:snapshot { "dice", "coin" }, a.dice, b.coin, b.own
    local want, hash = draws(a, b), snapshot:hash()
    assert.not_equal(hash, world:snapshot({ "dice", "coin" }):hash())
    a.dice, b.own = nil, nil
    world:restore(snapshot)
    assert.is_true(a.dice == dice and b.dice == dice and b.coin == coin and b.own == own)
    assert.equal(hash, world:snapshot({ "dice", "coin" }):hash())
    assert.same(want, draws(a, b))
  end)

  it("is created anew from a string, shared as before", function()
    local world, a, b = game()
    local snapshot, other, made = world:snapshot { "dice", "coin" }, collide.newWorld(), {}
    other:restore(snapshot:pack(), function(i, fields)
      made[i] = { shape = shape, dice = fields.dice, toSnapshot = i == 2 and b.toSnapshot,
        fromSnapshot = i == 2 and b.fromSnapshot }
      return made[i]
    end)
    local c, d = made[1], made[2]
    assert.is_true(c.dice == d.dice and c.dice ~= a.dice and d.coin ~= b.coin and d.own ~= b.own)
    assert.equal(snapshot:hash(), other:snapshot({ "dice", "coin" }):hash())
    assert.same(draws(a, b), draws(c, d))
    assert.equal(world:snapshot({ "dice" }):pack(), other:snapshot({ "dice" }):pack())
    other:restore(snapshot:pack(), function(i) return i == 2 and d or { shape = shape } end)
    assert.not_equal(other:actors()[1].dice, c.dice)
  end)

  it("is compared by its state, and by the fields that share it", function()
    local world, a, b = game()
    local first = world:snapshot { "dice" }
    a.dice:random()
    assert.matches("^actor 1: dice is generator 1, random%(.-%), in the other generator 1, ran",
      first:diff(world:snapshot { "dice" }))
    world:restore(first)
    b.dice = collide.newRandom(5)
    b.dice:random()
    assert.matches("^actor 2: dice is generator 1, .* in the other generator 2, ",
      first:diff(world:snapshot { "dice" }))
  end)

  it("makes no garbage in a snapshot that is filled again", function()
    local world = game()
    local fields, into = { "dice", "coin" }, world:snapshot { "dice", "coin" }
    local function fill() world:snapshot(fields, into) end
    assert.equal(0, gc.growth(fill))
  end)
end)

describe("snapshot:diff", function()
  local shape = collide.rectangle(10, 10)

  -- Three boxes in a row. The arguments are the depths by which each overlaps the one before. After
  -- the step all are put where they do not overlap.
  local function stepped(...)
    local world = collide.newWorld()
    local x = 0
    for i, depth in ipairs { 10, ... } do
      x = x + 10 - depth
      world:add { x = x, y = 0, name = "b" .. i, shape = shape, hit = function() end }
    end
    world:step()
    for i, actor in ipairs(world:actors()) do world:teleport(actor, 20 * i, 0) end
    return world
  end

  it("names the pair of a hit that differs", function()
    local function differs(want, a, b)
      assert.equal(want, (a:snapshot():diff(b:snapshot())))
    end
    differs(nil, stepped(2, 1), stepped(2, 1))
    differs('actor 1 "b1": depth of its hit with actor 2 "b2" is 2, in the other 3', stepped(2, 1),
      stepped(3, 1))
    differs('actor 1 "b1": its hit with actor 2 "b2" is there, in the other nil', stepped(2, 1),
      stepped(-1, 1))
    differs('actor 2 "b2": its hit with actor 3 "b3" is nil, in the other there', stepped(2, -1),
      stepped(2, 1))
    local a, b = stepped(2, 1), stepped(3, 1)
    a:remove(a:actors()[2])
    b:remove(b:actors()[2])
    differs('actor 1 "b1": depth of its hit with a removed actor is 2, in the other 3', a, b)
  end)

  it("names the moment of a hit that differs", function()
    local function passed(x)
      local world = collide.newWorld()
      local shot = world:add { x = 0, y = 0, name = "shot", swept = true, shape = shape }
      world:add { x = x, y = 0, name = "wall", static = true, shape = collide.rectangle(1, 1) }
      world:step()
      shot.x = 200
      world:step()
      world:teleport(shot, 0, 0)
      world:teleport(world:actors()[2], 100, 0)
      return world:snapshot()
    end
    assert.is_nil((passed(60):diff(passed(60))))
    assert.equal('actor 1 "shot": t of its hit with actor 2 "wall" is 0.25, in the other 0.5',
      passed(60):diff(passed(110)))
  end)

  it("names the cell of tiles that differs", function()
    local world, map = collide.newWorld(), collide.newGrid(7, 5)
    world:add { x = 9, y = 0, shape = shape }
    world:add { x = 0, y = 0, name = "map", static = true, shape = collide.tiles(map) }
    map:set(4, 2, 1)
    local snapshot = world:snapshot()
    map:set(4, 2, 0)
    map:set(5, 2, 3)
    assert.equal('actor 2 "map": cell 4, 2 is 1, in the other 0', snapshot:diff(world:snapshot()))
  end)

  it("reports that callbacks differ if the hits are the same", function()
    local world, within = collide.newWorld(), nil
    for i = 1, 3 do
      world:add { x = 4 * i, y = 0, shape = box, hit = function()
        within = within or world:snapshot()
      end }
    end
    world:step()
    assert.equal("the hits of the last step, or their callbacks, differ",
      within:diff(world:snapshot()))
  end)

  it("reports that cells differ if a map of the same size has smaller ones", function()
    local function taken(rows)
      local grid = collide.newGrid(2 * rows, rows, { cell = 12 / rows })
      local world = collide.newWorld()
      grid:fill(0, 0, 2 * rows, rows, 1)
      world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
      return world:snapshot()
    end
    assert.is_nil(taken(2):diff(taken(2)))
    assert.equal("the cells of tiles differ", taken(2):diff(taken(3)))
    assert.equal("the cells of tiles differ", taken(3):diff(taken(2)))
  end)

  it("names the difference in the hits of characters", function()
    local function after(width, height, hits)
      local world = collide.newWorld()
      local hero = world:add { name = "hero", x = 0, y = 0, shape = box }
      world:add { x = 60, y = 0, static = true, shape = collide.rectangle(10, 50) }
      world:add { x = 22, y = -40, sensor = true, static = true,
        shape = collide.rectangle(-width / 2, 0, width, height) }
      local character = world:newCharacter(hero)
      character:move(80, 0, 1)
      assert.same({ 50, hits }, { hero.x, character.n })
      return world:snapshot()
    end
    local crossed = after(8, 50, 2)
    assert.is_nil(crossed:diff(after(8, 50, 2)))
    assert.equal('actor 1 "hero": its character\'s hits[1].x is 8, in the other 10',
      crossed:diff(after(4, 50, 2)))
    assert.equal('actor 1 "hero": its character\'s n is 2, in the other 1',
      crossed:diff(after(8, 30, 1)))
  end)

  it("reports that names of groups differ if nothing else does", function()
    local function taken(...)
      return collide.newWorld({ groups = { ... } }):snapshot()
    end
    assert.is_nil(taken("wall", "shots"):diff(taken("wall", "shots")))
    assert.equal("names of groups, or whether places were read, differ",
      taken("wall", "shots"):diff(taken("wall", "foes")))
  end)

  it("compares the homes of bullets by the numbers of actors, and names them", function()
    -- Without the first actor of three, whose slot stays empty.
    local function newGame(home)
      local world, actors = collide.newWorld(), {}
      local pool = world:newBullets { capacity = 9, radius = 1 }
      for i, name in ipairs { "gone", "left", "right" } do
        actors[i] = world:add { name = name, x = 90 * i, y = 0, shape = box }
      end
      world:remove(actors[1])
      pool:spawn(0, 50, 1, 0, { home = actors[home], turnRate = 1 })
      return world, pool
    end
    local world, pool = newGame(2)
    local other, names = collide.newWorld(), { "left", "right" }
    other:newBullets { capacity = 9, radius = 1 }
    other:restore(world:snapshot():pack(), function(i) return { name = names[i], shape = box } end)
    local snapshot = other:snapshot()
    assert.is_nil(snapshot:diff(world:snapshot()))
    assert.equal('bullet 1 of pool 1: home is actor 1 "left", in the other actor 2 "right"',
      snapshot:diff(newGame(3):snapshot()))
    pool:spawn(0, 0, 1, 0)
    assert.equal("bullet 2 of pool 1: alive is false, in the other true",
      snapshot:diff(world:snapshot()))
  end)

  it("names the plan of a bullet that differs", function()
    local function with(...)
      local world = collide.newWorld()
      local pool = world:newBullets { capacity = 9, radius = 1 }
      pool:spawn(0, 0, 1, 0)
      pool:spawn(0, 50, 1, 0, { plan = ... and collide.newPlan { ... } })
      return world:snapshot()
    end
    local a, b, c = { at = 1, speed = 2 }, { at = 3, speed = 2 }, { at = 3, speed = 4 }
    local function differs(want, one, other)
      assert.equal(want and "bullet 2 of pool 1: plan is " .. want, (one:diff(other)))
    end
    differs(nil, with(), with())
    differs(nil, with(a, b), with(a, b))
    differs("2, in the other 1", with(a, b), with(a))
    differs("1, in the other 3", with(a, b), with(b, c))
    differs("3, in the other 3", with(a, b), with(a, c))
    differs("0, in the other 1", with(), with(a))
    differs("2, in the other 0", with(a, b), with())
  end)

  it("names the first difference", function()
    local function game()
      local world, make, _, pool = newWorld()
      populate(5, world, make, pool)
      play(world, 2)
      return world, world:actors(), pool
    end
    local world = game()
    local snapshot = world:snapshot(FIELDS)
    local function differs(want, change, fields)
      local other, actors, pool = game()
      change(other, actors, pool)
      local got = snapshot:diff(other:snapshot(fields or FIELDS))
      if want and want:find("%*", 1, true) then got = got and got:gsub("is [^,]*,", "is %%*,") end
      assert.equal(want, got)
    end
    differs(nil, function() end)
    differs("field 4 is string \"mate\", in the other nil", nothing, { "name", "kind", "vx" })
    differs("there are 12 actors, in the other 11", function(w, actors)
      w:remove(actors[5])
      for _, actor in ipairs(actors) do actor.mate = nil end
    end)
    differs('actor 3 "a3": vx is %*, in the other 77', function(_, actors) actors[3].vx = 77 end)
    differs('actor 4 "a4": mate is %*, in the other nil', function(_, a) a[4].mate = nil end)
    differs("the rules of groups differ", function(w) w:setRule("blue", "red", false) end)
    differs("bullet 3 of pool 1: alive is true, in the other false",
      function(_, _, pool) pool:kill(3) end)
    differs("bullet 12 of pool 1: alive is false, in the other true",
      function(_, _, pool) pool:spawn(0, 0, 1, 1) end)
    differs("bullet 2 of pool 1: tag is 2, in the other 70",
      function(_, _, pool) pool:set(2, { tag = 70 }) end)
    differs("the pools of bullets differ", function(_, _, pool) pool:kill(11) end) -- the laser
    differs("the rest of advance is 0, in the other 0.0625",
      function(w) w:advance(0.0625, 0.125) end)
    differs('actor 2 "a2": its character is nil, in the other there',
      function(w, actors) w:newCharacter(actors[2]) end)
    differs('actor 2 "a2": what its toSnapshot returned is nil, in the other actor 3',
      function(_, actors)
        actors[2].toSnapshot, actors[2].fromSnapshot = function() return actors[3] end, nothing
      end)
  end)
end)

-- A bug: the character of an actor that `make` returned ended.
describe("a string restored with actors of the world", function()
  local world, floor, hero, character

  before_each(function()
    world = collide.newWorld()
    floor = world:add { x = 0, y = 20, static = true, shape = collide.rectangle(100, 10) }
    hero = world:add { x = 5, y = 10, shape = box }
    local function filter(a) return a == floor end
    character = world:newCharacter(hero, { snapLength = 3, filter = filter })
    character:move(10, 50, 0.1)
  end)

  it("keeps their characters, with their options, and restores their state", function()
    local text = world:snapshot():pack()
    character.snapLength = 7
    character:move(0, -500, 0.1)
    world:add { x = 5, y = 0, shape = box } -- the filter still lets it pass
    assert.is_nil(character.floor)
    world:restore(text, function(i) return i == 1 and floor or hero end)
    assert.equal(floor, character.floor)
    assert.equal(3, character.snapLength)
    assert.equal(1, character.n)
    assert.equal(floor, character.hits[1].actor)
    assert.equal(2, world:count())
    assert.same({ 10, 0 }, { character:move(10, 50, 0.1) })
    assert.has_error(function() world:newCharacter(hero) end)
  end)

  it("resets a character that was not packed", function()
    world:restore(world:snapshot(), nil)
    local other = world:add { x = 50, y = 10, shape = box }
    local text = world:snapshot():pack()
    local late = world:newCharacter(other, { stepHeight = 2 })
    late:move(5, 50, 0.1)
    local list = { floor, hero, other }
    world:restore(text, function(i) return list[i] end)
    assert.is_nil(late.floor)
    assert.same({ 0, 2, 0 }, { late.n, late.stepHeight, late.floorNx })
    late:move(5, 50, 0.1)
    assert.equal(floor, late.floor)
  end)

  it("raises before any change for the same actor twice, or one of another world", function()
    local text = world:snapshot():pack()
    local elsewhere = collide.newWorld() -- as long as it is there, so is its actor
    local stranger = elsewhere:add { x = 0, y = 0, shape = box }
    character:move(50, 50, 0.1)
    local x = hero.x
    for _, second in ipairs { floor, stranger } do
      local list = { floor, second }
      assert.is_false(pcall(world.restore, world, text, function(i) return list[i] end))
      assert.equal(x, hero.x)
      assert.equal(floor, character.floor)
      character:move(0, 50, 0.1)
    end
    assert.equal(1, elsewhere:count())
  end)
end)
