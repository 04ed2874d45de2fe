-- No script may crash the process or leave a world half changed. Each of these scripts once did.

local bump = require "collide.bump"
local collide = require "collide"
local core = require "collide.core"
local script = require "spec.support.script"

local unpack = table.unpack or unpack -- luacheck: ignore

local box = collide.rectangle(10, 10)

-- Finalisers run at any allocation, so also while the lists of an answer are made. The script runs
-- in a process of its own: with few objects, an aggressive collector finishes its cycles quickly.
local CHURN = [[
local collide = require "collide"
local proxy = rawget(_G, "newproxy")
local function onCollection(f)
  if not proxy then return setmetatable({}, { __gc = f }) end
  getmetatable(proxy(true)).__gc = f
end
local box = collide.rectangle(10, 10)
local world = collide.newWorld()
local actors = {}
for i = 1, 200 do actors[i] = world:add { x = i, y = 0, shape = box } end
world:step()
local times, over = 0, false
local function disturb()
  if over then return end -- the process ends, and the module may be unloaded
  times = times + 1
  world:remove(table.remove(actors, 1))
  actors[#actors + 1] = world:add { x = 300, y = 0, shape = box }
  world:queryRect(0, 0, 500, 10)
  world:step()
end
local function allActors(list, n)
  assert(#list == n)
  for i = 1, n do assert(world:has(list[i].actor or list[i]) or times > 0) end
end
require("spec.support.gc").makeAggressive()
local into = {}
for _ = 1, 30000 do
  onCollection(disturb)
  %s
  if times > 20 then break end
end
over = true
assert(times > 20, "too few finalisers ran: " .. times)
print "sound"
]]

local function sound(ask)
  assert.equal("sound\n", script.run((CHURN:gsub("%%s", ask, 1))))
end

describe("a result holds actors, whatever finalisers do meanwhile", function()
  it("of queries", function()
    sound "allActors(world:queryRect(0, 0, 500, 10)); allActors(world:queryPoint(100, 5))"
  end)

  it("of nearest", function()
    sound "local list, n, d = world:nearest(0, 0, 50); allActors(list, n); assert(#d == n)"
  end)

  it("of rayCastAll", function()
    sound "allActors(world:rayCastAll(-10, 5, 500, 5))"
  end)

  it("of queries into a given table", function()
    sound [[allActors(world:queryRect(0, 0, 500, 10, nil, nil, into))
      allActors(world:rayCastAll(-10, 5, 500, 5, nil, nil, {}))
      local list, n, d = world:nearest(0, 0, 50, nil, nil, into)
      allActors(list, n)
      assert(#d == n)]]
  end)

  it("of candidates and cells", function()
    sound "local list = world:candidates(); allActors(list, #list); world:cells()"
  end)
end)

describe("a shape", function()
  it("is refused if compounds are nested beyond 64 levels", function()
    local shape = collide.circle(1)
    for _ = 1, 64 do shape = collide.compound(shape) end
    local ok, message = pcall(collide.compound, shape)
    assert.is_false(ok)
    assert.truthy(message:find("collide.compound: shape 1 expected (at most 64 levels", 1, true))
  end)

  it("hides its metatable, which could free it or another object", function()
    assert.is_false(getmetatable(box))
    assert.is_false(getmetatable(collide.newWorld()._core))
    assert.is_false(pcall(core.protected))
  end)

  it("cannot have both upright members and others", function()
    local ok, message = pcall(collide.compound, box, box:upright())
    assert.is_false(ok)
    assert.truthy(message:find("collide.compound: shape 2 expected (upright", 1, true))
    local upright = collide.compound(box:upright(), box:upright())
    assert.same({ box:bounds() }, { upright:bounds(0, 0, 1) })
  end)

  it("is refused with a message that says nil if an argument is missing", function()
    local ok, message = pcall(collide.rectangle, 5)
    assert.is_false(ok)
    assert.truthy(message:find("h expected (positive number up to 1e12), got nil", 1, true))
  end)
end)

describe("a world", function()
  it("can be changed after a stack overflow inside its steps", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, shape = box }
    local function dive(n)
      world:step()
      return dive(n + 1) + 1
    end
    collectgarbage("stop") -- it would traverse the whole stack again and again
    local ok = pcall(dive, 1)
    collectgarbage("restart")
    assert.is_false(ok)
    world:add { x = 50, y = 0, shape = box }
    world:step()
    assert.equal(2, world:count())
  end)

  it("refuses a 65th group, also in canHit", function()
    local world = collide.newWorld()
    for i = 1, 64 do world:setRule("group " .. i, "group 1", true) end
    local ok, message = pcall(world.canHit, world, "nobody", "group 1")
    assert.is_false(ok)
    local says = "world:canHit: a expected (group in use, as a world has at most 64), got "
    assert.truthy(message:find(says, 1, true))
  end)

  it("names the argument of queryRect that is lost in rounding", function()
    local ok, message = pcall(function() collide.newWorld():queryRect(1e11, 0, 1e-9, 10) end)
    assert.is_false(ok)
    assert.truthy(message:find("safety_spec.lua:%d+: world:queryRect: w expected %("))
  end)
end)

-- Lua files check what a game passes, but a script may get hold of the core and of a world's part
-- of it. There each wrong number that could be an index or a size is refused.
describe("a script that calls the core itself gets an error", function()
  local INF, NAN = math.huge, 0 / 0

  local function refuses(text, f, ...)
    local ok, message = pcall(f, ...)
    assert.is_false(ok, text)
    assert.matches(text, message, 1, true)
  end

  it("for sizes out of range", function()
    for _, wrong in ipairs { { 0, 1, 1, 1 }, { 1, 0, 1, 1 }, { 2 ^ 30, 1, 1, 1 },
      { 1, 2 ^ 30, 1, 1 }, { 1, 1, 0, 1 }, { 1, 1, 2e12, 1 }, { 1, 1, NAN, 1 }, { 1, 1, 1, 0 },
      { 1, 1, 1, 1000 } } do
      refuses("out of range", core.newBitmap, unpack(wrong))
    end
    refuses("too many cells", core.newBitmap, 16385, 16384, 1, 1)
    for _, size in ipairs { 0, 1e-4, 2e12, NAN } do
      refuses("size of a cell expected", core.newBump, size)
    end
    refuses('no broad phase "none"', core.newWorld, 0, 0, "none", 0)
    refuses("too deep", core.newWorld, 0, 0, "auto", 1000)
    refuses("two or three expected", core.gridCells, false, 4, 0, 0, 0, 0, 0, 0)
    refuses("two or three expected", core.gridCells, false, 1, 0, 0, 0, 0, 0, 0)
    refuses("too large", core.gridCells, false, 2, 0, 0, 0, 1e300, 0, 0)
  end)

  it("for values that are no shapes and no grids", function()
    local grid, deep = collide.newGrid(2, 2), collide.newGrid(2, 2, 2)
    refuses("shape expected", core.partNames, grid)
    refuses("shape expected", core.wrongForm, grid, grid)
    refuses("grid expected", core.wrongForm, box, box)
    refuses("grid expected", core.newTiles, box, {})
    refuses("grid expected", core.newTiles, deep, {})
    local looks = {}
    for i = 1, 5 * 256 do looks[i] = 1 end
    refuses("too many looks", core.newTiles, grid, looks)
    for what, object in pairs { shape = box, grid = grid, bitmap = collide.newBitmap(1, 1) } do
      local metatable = debug.getmetatable(object)
      for _, wrong in ipairs { {}, 1, io.stdout } do
        refuses("tostring: self expected (" .. what .. "; call it with a colon)",
          metatable.__tostring, wrong)
      end
    end
  end)

  it("for slots without an actor, and hits that are not there", function()
    local world = collide.newWorld()
    local gone = world:add { x = 0, y = 0, shape = box }
    for i = 1, 2 do world:add { x = 5 * i, y = 0, shape = box } end
    world:remove(gone)
    world:step()
    local own = world._core
    for _, method in ipairs { "remove", "group", "hitGroups", "whereabouts", "motion" } do
      for slot, text in pairs { [0] = "no such slot", [-5] = "no such slot", [4] = "no such slot",
        [2 ^ 40] = "no such slot", [1] = "dead slot" } do
        refuses(text, own[method], own, slot)
      end
    end
    assert.equal(1, own:hits(2))
    for _, k in ipairs { 0, -1, 2, 2 ^ 40 } do refuses("no such hit", own.hit, own, 2, k) end
    for _, i in ipairs { 0, -1, 1, 2 ^ 40, INF } do
      refuses("no such hit", own.moveHit, own, i)
    end
    for _, number in ipairs { 0, -9, 2 ^ 40, INF } do
      refuses("no such event", own.present, own, number)
    end
    refuses("not a time", own.step, own, world._actors, {}, {}, {}, {}, -1)
    assert.equal(2, world:count())
  end)

  it("for responses and angles that no move has", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, shape = box }
    local own = world._core
    for _, response in ipairs { -1, 6, INF } do
      refuses("no such response", own.move, own, 1, 0, 0, 0, 1, 1, 0, 0, false, response, 1, 0)
      refuses("no such response", own.move, own, 1, 0, 0, 0, 1, 1, 0, 0, false, 1, response, 0)
      refuses("no such response", own.turn, own, 1, 0, 0, 0, 1, 0, 0, false, response)
    end
    for _, by in ipairs { 2 ^ 40, -2 ^ 40, INF } do
      refuses("too large", own.turn, own, 1, 0, 0, 0, by, 0, 0, false, 1)
    end
  end)

  local function collect(object) debug.getmetatable(object).__gc(object) end

  it("for fields, slots and cells out of range", function()
    local world = collide.newWorld()
    local pool, own = world:newBullets { capacity = 9, radius = 1 }, world._core
    for _, each in ipairs { -3, 0, 1, 6 } do
      refuses("no such fields", core.bullets.fill, pool, {}, each)
    end
    for _, slot in ipairs { 0, 1, 9 } do
      refuses("no such slot", core.bullets.setIgnored, pool, { slot })
    end
    for _, size in ipairs { -1, 0, 2 ^ 40 } do
      refuses("no such size", core.newGrid, 8, 8, 0, 0, 0, size, 1)
      refuses("no such size", core.newGrid, 8, 8, 0, 0, 0, 1, size)
    end
    world:move(world:add { x = 0, y = 0, shape = box }, 1, 0)
    for _, i in ipairs { -1, 0 } do refuses("no such actor", own.moved, own, i) end
    assert.equal(0, select("#", own:moved(2)))
    collect(own)
    refuses("attempt to use a world that has been closed", world.step, world)
    refuses("attempt to use bullets of a world that has been closed", pool.count, pool)
  end)

  it("for objects of another class, and for those that were collected", function()
    local world = bump.newWorld()
    local own, search, snapshot = world._core, world._core:search(), collide.newWorld():snapshot()
    local calls = { ["a world that has been collected"] = { own.count, own },
      ["a search that has been collected"] = { search.first, search },
      ["a snapshot that has been collected"] = { core.touches, snapshot._core } }
    for text, call in pairs(calls) do
      for _, wrong in ipairs { {}, io.stdout, box } do refuses(text, call[1], wrong) end
    end
    for text, call in pairs(calls) do
      call[1](call[2])
      collect(call[2])
      refuses(text, call[1], call[2])
    end
    refuses("a world that has been collected", world.countCells, world)
    refuses("a snapshot that has been collected", snapshot.pack, snapshot)
  end)

  it("for the searches of a world of bump's that were collected", function()
    local world = bump.newWorld()
    for i = 1, 3 do world:add(i, 20 * i, 0, 10, 10) end
    local function cross() return "cross" end
    local calls = { add = { 9, 0, 0, 1, 1 }, update = { 2, 5, 5 },
      check = { 1, 60, 0 }, project = { 1, 20, 0, 10, 10, 60, 0 }, queryRect = { 0, 0, 99, 9 },
      queryPoint = { 25, 5 }, querySegment = { 0, 5, 99, 5 }, remove = { 3 }, getItems = {} }
    world:check(1, 60, 0, cross)
    world:check(1, 60, 0)
    local way = world._spare
    while way do
      collect(way.search.search or way.search)
      way = way[2]
    end
    collect(world._search.search or world._search)
    -- Without a search at hand, a call that changes nothing makes a new one.
    local changes = { add = true, update = true, remove = true }
    for name, arguments in pairs(calls) do
      local ok, message = pcall(world[name], world, unpack(arguments))
      assert.is_true(not ok or not changes[name], name)
      if not ok then
        assert.is_true(message:find("has been collected", 1, true) ~= nil
          or message:find("not enough memory", 1, true) ~= nil, message)
      end
    end
    assert.same({ 3, 20, 0, 10, 10 }, { world:countItems(), world:getRect(1) })
    assert.is_false(world:hasItem(9))
  end)

  it("for slots, groups and pools that a snapshot has not", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, shape = box }
    world:newBullets { capacity = 9, radius = 1 }
    local snapshot = world:snapshot()._core
    for _, slot in ipairs { 0, -1, 2, 2 ^ 40 } do
      refuses("no such slot", core.entry, snapshot, slot)
    end
    for _, i in ipairs { 0, -1, 2 } do assert.equal(0, select("#", core.poolAt(snapshot, i))) end
    refuses("too many groups", core.numbered, snapshot, 65)
    local groups = {}
    for i = 1, 65 do groups[i] = i end
    refuses("too many groups", core.complete, snapshot, { box }, groups, world._pools)
    for _, group in ipairs { -1, 64 } do
      refuses("no such group", core.complete, snapshot, { box }, { group }, world._pools)
    end
    for _, shapes in ipairs { {}, { io.stdout } } do
      refuses("shapes of the live expected", core.complete, snapshot, shapes, {}, world._pools)
    end
    for _, pools in ipairs { {}, { 1 }, { {} }, { { box } } } do
      refuses("a pool has lost its bullets", core.complete, snapshot, { box }, {}, pools)
    end
    refuses("as many pools expected", world._core.restore, world._core, snapshot, {}, {})
  end)

  it("for items and hits that a world of bump's has not", function()
    local world = bump.newWorld()
    world:add("a", 0, 0, 10, 10)
    world:add("b", 20, 0, 10, 10)
    world:add("c", 40, 0, 10, 10)
    world:remove "c"
    local own, search = world._core, world._core:search()
    for _, slot in ipairs { 0, -1, 3, 4, 2 ^ 40 } do
      refuses("no such item", own.cells, own, slot)
      refuses("no such item", search.remove, search, slot)
      refuses("no such item", search.place, search, slot, 0, 0, 1, 1)
      refuses("not enough memory", search.setMet, search, slot)
      assert.is_false(search:wasMet(slot))
    end
    assert.equal(1, search:look(1, 0, 0, 0, 10, 10, 100, 0))
    for _, i in ipairs { 0, -1, 2, 2 ^ 40, INF } do
      assert.same({ 0, 0 }, { search:candidate(i), search:meet(i) })
      refuses("no such hit", search.hit, search, i)
      refuses("no such hit", search.passed, search, i)
    end
    for _, far in ipairs { 2e12, -2e12, INF } do
      refuses("not enough memory", search.querySegment, search, {}, {}, far, 0, 0, 0)
      refuses("not enough memory", search.querySegment, search, {}, {}, 0, 0, 0, far)
    end
    for _, slot in ipairs { -1, 2 ^ 40, INF } do
      refuses("not enough memory", search.look, search, slot, 0, 0, 0, 10, 10, 100, 0)
      refuses("not enough memory", search.meetAll, search, slot, 0, 0, 0, 10, 10, 100, 0)
    end
    assert.same({ 2, 0, 0, 10, 10 }, { world:countItems(), world:getRect "a" })
  end)
end)
