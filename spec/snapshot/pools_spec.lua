-- Snapshots restored in place: pools with all that their bullets keep, and characters.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local snapshots = require "collide.snapshot"

local box = collide.rectangle(10, 10)

-- A world whose pool logs its callbacks, with bullets of every kind: they accelerate, pierce,
-- graze, expire by age, or are lasers that warm up.
local function shooting(seed)
  local world, log, rng = collide.newWorld { strict = true }, {}, random.new(seed)
  local function note(what)
    return function(_, bullet, actor, nx, ny, t)
      log[#log + 1] = ("%s %d %s %s %s %s"):format(what, bullet, tostring(actor and actor.name),
        tostring(nx), tostring(ny), tostring(t))
    end
  end
  local pool = world:newBullets { capacity = 40, radius = 2, lifetime = 3, grazeRadius = 6,
    pierce = true, bounds = { -40, -40, 200, 200 }, hit = note "hit", graze = note "graze",
    expired = note "expired" }
  for i = 1, 8 do
    world:add { name = "a" .. i, x = rng:int(0, 150), y = rng:int(0, 150), shape = box,
      update = function(self, dt) self.x = self.x + i * dt end }
  end
  for i = 1, 25 do
    pool:spawn(rng:int(0, 150), rng:int(0, 150), rng:int(-60, 60), rng:int(-60, 60),
      { tag = i, ax = rng:int(-20, 20), ay = rng:int(-20, 20) })
  end
  pool:spawnLaser { points = { 0, 0, 150, 90, 20, 150 }, width = 3, warmup = 0.5, tag = 3 }
  return world, pool, log
end

local function play(world, log, frames)
  for i = #log, 1, -1 do log[i] = nil end
  for _ = 1, frames do world:update(0.125) end
  return table.concat(log, "\n") .. "\n" .. world:hash()
end

local function tilesOf(grid, cells)
  grid:fill(0, 0, 20, 10, 0)
  for _, c in ipairs(cells) do grid:fill(c[1], c[2], c[3], c[4], 1) end
  return collide.tiles(grid)
end

-- During a step, a snapshot also has the legs of bullets whose ways plans change.
describe("the bytes of a snapshot", function()
  it("include the legs that plans cut a step into", function()
    local world, entries, during = collide.newWorld(), {}, nil
    for i = 1, 50 do entries[i] = { at = i / 64, speed = i, call = i == 1 } end
    local pool = world:newBullets { capacity = 100, radius = 1,
      timer = function() during = during or snapshots.bytes(world:snapshot()) end }
    local plan = collide.newPlan(entries)
    world:add { x = 1000, y = 0, shape = box }
    for i = 1, 100 do pool:spawn(0, 10 * i, 1, 0, { plan = plan }) end
    world:step(1)
    local leg = 64 -- the least number of bytes of a leg
    assert.is_true(during - snapshots.bytes(world:snapshot()) > leg * 50 * 100)
  end)
end)

describe("world:restore of pools", function()
  it("brings back every bullet with its number, age, acceleration and earlier hits", function()
    for seed = random.seed(), random.seed() + random.rounds(5) - 1 do
      local world, pool, log = shooting(seed)
      for frame = 1, 12 do
        local snapshot = world:snapshot()
        local expected = play(world, log, 8)
        world:restore(snapshot)
        assert.equal(expected, play(world, log, 8), ("seed %d, frame %d"):format(seed, frame))
        pool:clear()
        pool:spawn(0, 0, 1, 1)
        world:restore(snapshot)
        world:update(0.125)
      end
    end
  end)

  it("brings back a removed pool, with its bullets, as the same object", function()
    for seed = random.seed(), random.seed() + random.rounds(3) - 1 do
      local world, pool, log = shooting(seed)
      play(world, log, 3)
      local snapshot, count = world:snapshot(), pool:count()
      local expected = play(world, log, 12)
      for _ = 1, 2 do
        pool:remove()
        expect.raises("attempt to use a pool that has been removed", pool.spawn, pool, 0, 0)
        assert.same({}, world:pools())
        play(world, log, 2)
        assert.same({}, log)
        world:restore(snapshot)
        assert.is_true(rawequal(pool, world:pools()[1]))
        assert.equal(count, pool:count())
        assert.equal(expected, play(world, log, 12), "seed " .. seed)
      end
    end
  end)

  it("keeps pools in their order, and removes newer ones", function()
    local world = collide.newWorld()
    local a = world:newBullets { capacity = 5, radius = 1 }
    local b = world:newBullets { capacity = 6, radius = 2 }
    a:spawn(1, 2, 0, 0)
    local snapshot = world:snapshot()
    a:remove()
    local c = world:newBullets { capacity = 7, radius = 3 }
    c:spawn(0, 0, 0, 0)
    world:restore(snapshot)
    assert.equal(2, #world:pools())
    assert.is_true(rawequal(a, world:pools()[1]) and rawequal(b, world:pools()[2]))
    assert.same({ 1, 0 }, { a:count(), b:count() })
    expect.raises("attempt to use a pool that has been removed", c.count, c)
  end)

  -- A bug: this crashed, or wrote past the end of a smaller pool.
  it("raises for a pool in whose table a script has put something else", function()
    local function newPool(world, capacity)
      return world:newBullets { capacity = capacity, radius = 1 }
    end
    local foreign = newPool(collide.newWorld(), 9)[1]
    for what, put in pairs {
      ["nothing"] = function(pool) pool[1] = nil end,
      ["false"] = function(pool) pool[1] = false end,
      ["a file"] = function(pool) pool[1] = io.stdout end,
      ["a shape"] = function(pool) pool[1] = box end,
      ["a pool of another world"] = function(pool) pool[1] = foreign end,
      ["another pool of the world"] = function(pool, other) pool[1] = other[1] end,
      ["a newer pool"] = function(pool, _, newer) pool[1] = newer[1] end,
      ["a larger pool"] = function(pool, _, _, larger)
        pool[1], larger[1] = larger[1], pool[1]
      end,
    } do
      local world = collide.newWorld()
      local pool, other, larger = newPool(world, 9), newPool(world, 9), newPool(world, 99)
      for i = 1, 9 do pool:spawn(i, 0, 1, 0) end
      local snapshot, packed = world:snapshot(), world:snapshot():pack()
      local newer, was, wasLarger = newPool(world, 9), pool[1], larger[1]
      local before = world:hash()
      put(pool, other, newer, larger)
      expect.raises("a pool has lost its bullets", world.restore, world, snapshot)
      pool[1], larger[1] = was, wasLarger
      assert.same({ before, 4, 9 }, { world:hash(), #world:pools(), pool:count() }, what)
      pool:clear()
      newer:remove()
      pool[1] = nil
      expect.raises("a pool has lost its bullets", world.restore, world, packed, print)
      pool[1] = was
      world:restore(packed, print)
      assert.equal(9, pool:count())
      pool:clear()
      world:restore(snapshot)
      assert.same({ 9, 3 }, { pool:count(), #world:pools() })
    end
  end)

  it("does not change callbacks that were set on a pool", function()
    local world, pool = shooting(1)
    local snapshot = world:snapshot()
    local function hit() end
    pool.hit = hit
    world:restore(snapshot)
    assert.equal(hit, pool.hit)
  end)

  it("ends the callbacks if it is called in a bullet's hit", function()
    local world, pool, log = shooting(2)
    local snapshot = world:snapshot()
    local expected = play(world, log, 10)
    world:restore(snapshot)
    local note, told = pool.hit, 0
    pool.hit = function()
      told = told + 1
      world:restore(snapshot)
    end
    for _ = 1, 10 do world:update(0.125) end
    assert.is_true(told > 0)
    world:restore(snapshot)
    pool.hit = note
    assert.equal(expected, play(world, log, 10))
  end)
end)

describe("world:restore of characters", function()
  -- A hero on a platform that moves back and forth above a floor with a step.
  local function game()
    local world, grid = collide.newWorld(), collide.newGrid(20, 10, { cell = 10 })
    world:add { name = "map", x = 0, y = 0, static = true,
      shape = tilesOf(grid, { { 0, 8, 20, 2 }, { 12, 7, 8, 1 } }) }
    local platform = world:add { name = "platform", x = 40, y = 50, static = true,
      shape = collide.rectangle(30, 5) }
    local hero = world:add { name = "hero", x = 45, y = 38, shape = collide.rectangle(8, 12) }
    local character = world:newCharacter(hero, { snapLength = 4, stepHeight = 11 })
    return { world = world, platform = platform, hero = hero, character = character, frame = 0 }
  end

  local FIELDS = { "floor", "wall", "ceiling", "floorNx", "floorNy", "n" }

  local function frame(g)
    local c = g.character
    g.frame = g.frame + 1
    g.world:carry(g.platform, g.frame % 20 < 10 and 1.5 or -1.5, 0)
    local out = { c:move(g.frame > 25 and 60 or 5, g.frame > 25 and 300 or 20, 1 / 30) }
    for i, value in ipairs { g.hero.x, g.hero.y, g.platform.x } do out[#out + i] = value end
    for _, name in ipairs(FIELDS) do
      local value = c[name]
      out[#out + 1] = tostring(type(value) == "table" and value.name or value)
    end
    for i = 1, c.n do out[#out + 1] = ("%s %.17g %.17g"):format(c.hits[i].actor.name, c.hits[i].nx,
      c.hits[i].t) end
    for i, value in ipairs(out) do
      out[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
    end
    return table.concat(out, " ")
  end

  local function frames(g, n)
    local list = {}
    for i = 1, n do list[i] = frame(g) end
    g.world:step()
    list[#list + 1] = g.world:hash()
    return list
  end

  it("continues to the bit: floor, flags, hits of the last move, riding", function()
    local g, ridden, walls = game(), 0, 0
    for i = 1, 70 do
      local snapshot, at = g.world:snapshot(), g.frame
      local expected = frames(g, 6)
      g.world:restore(snapshot)
      g.frame = at
      assert.same(expected, frames(g, 6), "frame " .. i)
      g.world:restore(snapshot)
      g.frame = at
      frame(g)
      if g.character.floor == g.platform then ridden = ridden + 1 end
      if g.character.floor and g.character.floor.name == "map" then walls = walls + 1 end
    end
    assert.is_true(ridden > 5 and walls > 5, ridden .. " " .. walls)
  end)

  it("brings back options that were set, and a floor that was removed", function()
    local g = game()
    frames(g, 8)
    assert.equal("platform", g.character.floor.name)
    local snapshot, at = g.world:snapshot(), g.frame
    local expected = frames(g, 9)
    g.world:restore(snapshot)
    g.world:remove(g.platform)
    g.character.snapLength, g.character.stepHeight, g.character.maxSlope = 0, 0, 0.1
    g.character:move(0, 100, 0.1)
    g.world:restore(snapshot)
    g.frame = at
    assert.same({ 4, 11 }, { g.character.snapLength, g.character.stepHeight })
    assert.equal(g.platform, g.character.floor)
    assert.same(expected, frames(g, 9))
  end)

  it("brings back the character of an actor that was removed", function()
    local g = game()
    frames(g, 8)
    local snapshot, at = g.world:snapshot(), g.frame
    local expected = frames(g, 5)
    g.world:remove(g.hero)
    g.world:restore(snapshot)
    g.frame = at
    assert.same(expected, frames(g, 5))
    assert.equal(g.platform, g.character.floor)
  end)

  it("removes a character that was made since", function()
    local world = collide.newWorld()
    local actor = world:add { x = 0, y = 0, shape = box }
    local snapshot = world:snapshot()
    world:newCharacter(actor)
    world:restore(snapshot)
    world:newCharacter(actor)
  end)
end)
