-- No script may crash the process or leave a world half changed. Each of these scripts once did.

local collide = require "collide"
local core = require "collide.core"
local script = require "spec.support.script"

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
