-- Queries that fill the caller's table: the same answers, nothing else in the table, and no
-- garbage.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

local circle, rectangle = collide.circle, collide.rectangle
local SEED = random.seed()

-- Every query that takes `into`, as f(world, x, y, size, filter, ignore, into).
local QUERIES = {
  queryPoint = function(world, x, y, _, ...) return world:queryPoint(x, y, ...) end,
  queryRect = function(world, x, y, size, ...) return world:queryRect(x, y, size, size, ...) end,
  queryCircle = function(world, x, y, size, ...) return world:queryCircle(x, y, size, ...) end,
  queryShape = function(world, x, y, size, ...)
    world.probe.x, world.probe.y = x, y
    world.probe.shape = size > 20 and world.large or world.small
    return world:queryShape(world.probe, ...)
  end,
  nearest = function(world, x, y, size, ...) return world:nearest(x, y, size, ...) end,
  rayCastAll = function(world, x, y, size, ...)
    return world:rayCastAll(x, y, x + 9 * size, y + 5 * size, ...)
  end,
}

-- Lua's stack may grow once, so a growth is measured again.
local function growth(f)
  local bytes = gc.growth(f)
  return bytes == 0 and 0 or gc.growth(f)
end

local GROUPS = { "box", "ball" }

-- Shapes of many parts: tiles with a slope, a chain, a concave polygon and a compound.
local function addParts(world)
  local grid = collide.newGrid(9, 9, { cell = 10 })
  for i = 0, 8 do grid:fill(i, 8 - i, 1, 1, i % 2 + 1) end
  local slope = { [2] = collide.polygon(0, 1, 1, 0, 1, 1) }
  local dent = collide.polygon(0, 0, 60, 0, 60, 10, 10, 10, 10, 60, 0, 60)
  local parts = { collide.tiles(grid, slope), collide.chain(0, 0, 50, 30, 90, 10, 200, 150), dent,
    collide.compound(circle(20), rectangle(40, 5)) }
  for i, shape in ipairs(parts) do
    world:add { name = 100 + i, x = 20 * i, y = 30, group = GROUPS[i % 2 + 1], static = true,
      shape = shape }
  end
end

local function newWorld(rng, count)
  local world = collide.newWorld()
  world.probe, world.large, world.small = {}, rectangle(40, 40), circle(9)
  for i = 1, count do
    world:add { name = i, x = rng:int(0, 200), y = rng:int(0, 200), group = GROUPS[i % 2 + 1],
      shape = i % 2 == 0 and rectangle(rng:int(1, 30), rng:int(1, 30)) or circle(rng:int(1, 15)) }
  end
  addParts(world)
  world:step()
  return world
end

-- A copy of an answer.
local function copy(list, n, distances)
  local out = { n = n, length = #list }
  for i = 1, n do
    local one = list[i]
    out[i] = one.actor and { one.actor.name, one.x, one.y, one.nx, one.ny, one.t } or one.name
  end
  for key in pairs(list) do assert(type(key) == "number" and key >= 1 and key <= n, key) end
  for i = 1, distances and n or 0 do out[-i] = distances[i] end
  if distances then assert.equal(n, #distances) end
  return out
end

describe("into", function()
  for name, ask in pairs(QUERIES) do
    it(("of %s gets the same answer as without it (seed %d)"):format(name, SEED), function()
      local rng = random.new(SEED)
      local world = newWorld(rng, 60)
      local into = {}
      local actors = world:actors()
      for _ = 1, 300 do
        local x, y, size = rng:int(-20, 200), rng:int(-20, 200), rng:int(1, 40)
        local filter = ({ nil, "box", GROUPS, function(a) return a.name % 3 > 0 end })[rng:int(4)]
        local ignore = rng:chance(0.5) and { rng:pick(actors), rng:pick(actors) } or nil
        local want = copy(ask(world, x, y, size, filter, ignore))
        local list, n, distances = ask(world, x, y, size, filter, ignore, into)
        assert.equal(into, list)
        assert.same(want, copy(list, n, distances))
      end
    end)

    it("of " .. name .. " makes no garbage", function()
      local rng = random.new(SEED)
      local world = newWorld(rng, 60)
      local into, ignore, size = {}, { world:actors()[1], world:actors()[7] }, 1
      local filters = { GROUPS, function(actor) return actor.name % 3 > 0 end }
      for _, filter in ipairs(filters) do
        local function some()
          size = size % 30 + 7
          return ask(world, 90, 90, size, filter, ignore, into)
        end
        for _ = 1, 40 do some() end
        assert.equal(0, growth(some), name)
      end
      local function all()
        size = size % 30 + 7
        return ask(world, 90, 90, size, nil, nil, into)
      end
      for _ = 1, 40 do all() end
      assert.equal(0, growth(all), name)
    end)

    it("of " .. name .. " must be a table of the caller", function()
      local world = newWorld(random.new(SEED), 3)
      for _, wrong in ipairs { { 5, "number 5" }, { "x", 'string "x"' }, { true, "boolean true" },
        { world, "world" }, { world.large, "shape" } } do
        expect.raises("world:" .. name .. ": into expected (table), got " .. wrong[2], ask, world,
          0, 0, 5, nil, nil, wrong[1])
      end
    end)

    it("of " .. name .. " may also be filled by queries in its filter", function()
      local world, into = newWorld(random.new(SEED), 60), {}
      local function even(actor) return actor.name % 2 == 0 end
      local want = copy(ask(world, 90, 90, 35, even))
      assert.same(want, copy(ask(world, 90, 90, 35, function(actor)
        ask(world, 20, 20, 40, nil, nil, into)
        ask(world, 20, 20, 40, even, nil, into)
        return even(actor)
      end, nil, into)))
    end)
  end

  it("replaces its old contents", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = circle(5) }
    local into = { "one", "two", "three" }
    assert.same({ a }, (world:queryPoint(0, 0, nil, nil, into)))
    assert.same({}, (world:queryPoint(50, 0, nil, nil, into)))
    into[1], into[2] = a, a
    local hit = world:rayCastAll(-9, 0, 9, 0, nil, nil, into)[1]
    assert.equal(a, hit.actor)
    assert.equal(0, a.x)
    assert.equal(hit, world:rayCastAll(-9, 0, 9, 0, nil, nil, into)[1])
    assert.not_equal(hit, world:rayCastAll(-9, 0, 9, 0, nil, nil, {})[1])
    assert.not_equal(hit, world:rayCastAll(-9, 0, 9, 0)[1])
  end)

  it("keeps no actor alive after the table is collected", function()
    local held = setmetatable({}, { __mode = "k" })
    do
      local world = collide.newWorld()
      local into = {}
      held[into], held[world:add { x = 0, y = 0, shape = circle(5) }] = true, true
      world:rayCastAll(-9, 0, 9, 0, nil, nil, into)
      world:nearest(0, 0, 1, nil, nil, into)
      world:nearest(0, 0, 1, function() return true end, nil, into)
    end
    gc.forgetTraces()
    gc.full()
    assert.is_nil(next(held))
  end)
end)
