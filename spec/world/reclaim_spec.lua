-- Actors that are added and removed without a step: their slots are reused, at any time.
local collide = require "collide"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

local box = collide.rectangle(10, 10)

local function new(name, x, y, methods)
  local actor = methods or {}
  actor.name, actor.x, actor.y, actor.shape = name, x, y or 0, box
  return actor
end

-- Adds and removes so many actors that slots move several times.
local function churn(world)
  for i = 1, 300 do world:remove(world:add(new("passer-by", 1000 + i % 7))) end
end

local function namesOf(list)
  local names = {}
  for i, actor in ipairs(list) do names[i] = actor.name end
  return table.concat(names, " ")
end

describe("actors that come and go without a step", function()
  local world, log

  local function noted(self, other)
    log[#log + 1] = self.name .. "-" .. other.name
  end

  before_each(function()
    world, log = collide.newWorld(), {}
  end)

  it("take no more memory over time", function()
    world:add(new("a", 0))
    local function come()
      local list = {}
      for i = 1, 20 do list[i] = world:add(new("b", i)) end
      assert.equal(21, select(2, world:queryRect(0, 0, 40, 10)))
      for i = 1, 20 do world:remove(list[i]) end
    end
    for _ = 1, 50 do come() end
    gc.full()
    local before = collectgarbage("count")
    for _ = 1, 1000 do come() end
    gc.full()
    local grown = collectgarbage("count") - before
    assert(grown < 100, grown .. " KB in 1000 rounds") -- 20 000 slots would take 800 KB
  end)

  it("leave the others in their order, for queries and for steps", function()
    for i = 1, 5 do world:add(new(tostring(i), 4 * i)) end
    churn(world)
    world:add(new("6", 24))
    assert.equal("1 2 3 4 5 6", namesOf(world:actors()))
    assert.equal("2 3 4", namesOf((world:queryPoint(17, 5))))
    churn(world)
    assert.equal("2 3 4", namesOf((world:queryPoint(17, 5))))
    assert.equal("1", world:rayCast(-50, 5, 50, 5).name)
    world:step()
    local pairsBefore = {}
    for a, b in world:hits() do pairsBefore[#pairsBefore + 1] = a.name .. b.name end
    assert.equal("12 13 23 24 34 35 45 46 56", table.concat(pairsBefore, " "))
    churn(world)
    local pairsAfter = {}
    for a, b in world:hits() do pairsAfter[#pairsAfter + 1] = a.name .. b.name end
    assert.same(pairsBefore, pairsAfter)
    assert.equal(2 * #pairsBefore, #world:candidates())
  end)

  it("keep pending callbacks, in the middle of a step and for the next", function()
    local function all()
      return { enter = noted, hit = noted, leave = noted }
    end
    local a = world:add(new("a", 0, 0, all()))
    local b = world:add(new("b", 4, 0, all()))
    world:add(new("c", 8, 0, all()))
    function a.hit(self, other)
      noted(self, other)
      if other == b then world:remove(b) end
      churn(world)
    end
    world:step()
    assert.equal("a-b b-a a-b a-c c-a a-c c-a", table.concat(log, " "))
    log = {}
    churn(world)
    world:step()
    assert.equal("a-b b-a a-c c-a", table.concat(log, " "))
  end)

  it("do not disturb an update or a draw", function()
    local function update(self)
      log[#log + 1] = self.name
      churn(world)
    end
    for i = 1, 40 do world:add(new(tostring(i), 20 * i, 0, { update = update, draw = update })) end
    for i, actor in ipairs(world:actors()) do
      if i % 4 == 0 then world:remove(actor) end
    end
    local expected = namesOf(world:actors())
    world:update(1)
    assert.equal(expected, table.concat(log, " "))
    log = {}
    world:draw()
    assert.equal(expected, table.concat(log, " "))
  end)

  it("do not disturb a loop over one actor's hits", function()
    for i = 1, 40 do world:add(new("gone " .. i, 500)) end
    local a = world:add(new("a", 0))
    for i = 1, 4 do world:add(new(tostring(i), i)) end
    world:clear()
    world:step()
    for i = 1, 40 do world:add(new("gone " .. i, 500 + 20 * i)) end
    world:add(a)
    for i = 1, 4 do world:add(new(tostring(i), i)) end
    world:step()
    for _, actor in ipairs(world:actors()) do
      if actor.x >= 500 then world:remove(actor) end
    end
    for self, other in world:hits(a) do
      noted(self, other)
      churn(world)
    end
    assert.equal("a-1 a-2 a-3 a-4", table.concat(log, " "))
  end)

  it("do not change what bullets remember about other actors", function()
    local fillers = {}
    for i = 1, 60 do fillers[i] = world:add(new("filler", 500 + 20 * i)) end
    local foe, gone, far = world:add(new("foe", 0)), world:add(new("gone", 0)),
      world:add(new("far", 300))
    local function note(what)
      return function(_, bullet, actor)
        log[#log + 1] = ("%d %s %s"):format(bullet, what, actor.name or "bullet")
      end
    end
    for i = 1, 2 do
      local pool = world:newBullets { capacity = 9, radius = 1, grazeRadius = 2, pierce = true,
        hitBullets = true, hit = note "hit", graze = note "graze" }
      pool:spawn(5, 4 + i, 0, 0)
    end
    local function update()
      log = {}
      world:update(0.125)
      table.sort(log)
      return table.concat(log, ", ")
    end
    assert.equal("1 graze foe, 1 graze gone, 1 hit bullet, 1 hit foe, 1 hit gone, "
      .. "2 graze foe, 2 graze gone, 2 hit bullet, 2 hit foe, 2 hit gone", update())
    assert.equal("", update())
    for _, filler in ipairs(fillers) do world:remove(filler) end
    world:remove(gone)
    for _ = 1, 3 do
      churn(world)
      assert.equal("", update())
    end
    far.x = 0
    assert.equal("1 graze far, 1 hit far, 2 graze far, 2 hit far", update())
    foe.x = 300
    assert.equal("", update())
    foe.x = 0
    assert.equal("1 hit foe, 2 hit foe", update())
  end)

  -- With and without such actors: the same calls, although slots move in between.
  it("do not change the callbacks of bullets, for hits, grazes, bounces and ends", function()
    local function battle(seed, disturbed)
      local rng, fillers = random.new(seed), {}
      world, log = collide.newWorld { rules = { { "red", "blue" }, { "shot", "foe" } } }, {}
      for i = 1, disturbed and 600 or 0 do fillers[i] = world:add(new("filler", 500 + 20 * i)) end
      local function note(what)
        return function(pool, bullet, actor, _, _, t, _, _, other)
          log[#log + 1] = ("%s %d %s %s %.17g"):format(pool.group, bullet, what,
            actor and actor.name or "bullet " .. tostring(other), t or 0)
          if actor and actor.name and bullet % 7 == 0 then world:remove(actor) end
          if disturbed and #log % 4 == 1 then
            for _ = 1, math.min(#fillers, math.max(#fillers / 3, 40)) do
              world:remove(table.remove(fillers))
            end
            churn(world)
          end
          return #log % 5 < 2 and "bounce" or #log % 5 < 4 and "pass" or nil
        end
      end
      for i = 1, 8 do
        local foe = new("foe " .. i, rng:int(0, 60), rng:int(0, 60))
        foe.group = "foe"
        world:add(foe)
      end
      for _, group in ipairs { "red", "blue", "shot" } do
        local pool = world:newBullets { capacity = 30, radius = 1, group = group, lifetime = 1,
          grazeRadius = 3, hitBullets = true, hit = note "hit", graze = note "graze",
          expired = note "expired" }
        for i = 1, 20 do
          pool:spawn(rng:int(0, 60), rng:int(0, 60), rng:int(-200, 200), rng:int(-200, 200), i)
        end
      end
      for _ = 1, 5 do world:update(0.25) end
      return log
    end
    for seed = random.seed(), random.seed() + random.rounds(4) - 1 do
      local quiet = battle(seed, false)
      assert.is_true(#quiet > 60, "seed " .. seed)
      assert.same(quiet, battle(seed, true), "seed " .. seed)
    end
  end)

  it("may be added by finalizers, but not in the middle of an add", function()
    local added, called = 0, 0
    local function finalize()
      called = called + 1
      if pcall(world.add, world, new("late", 5 * called, 100)) then added = added + 1 end
    end
    local function drop()
      if newproxy then -- luacheck: ignore
        getmetatable(newproxy(true)).__gc = finalize -- luacheck: ignore
      else
        setmetatable({}, { __gc = finalize })
      end
    end
    gc.aggressive(function()
      for i = 1, 300 do
        drop()
        world:add(new("a", 5 * i, 0))
      end
    end)
    gc.full()
    assert.equal(300, called)
    assert.is_true(added > 0)
    assert.equal(300 + added, world:count())
    world:step()
    for _, actor in ipairs(world:actors()) do
      local found = world:queryPoint(actor.x, actor.y)
      local there = false
      for _, one in ipairs(found) do there = there or one == actor end
      assert.is_true(there)
    end
  end)
end)
