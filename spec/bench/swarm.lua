-- The swarm's whole frame: 1000 boxes with update and hit in Lua. Prints CSV:
-- medians over the frames in milliseconds, and the bytes that Lua allocated
-- over all of them.

local core = require "collide.core"
local scene = require "collide.scene"

local WARM_UP, FRAMES = 120, 1200

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

local function round(name, broadphase, count)
  local swarm = scene.load("examples/scenes/swarm.lua",
    { seed = 1, params = { count = count }, broadphase = broadphase })
  local world, dt = swarm.world, swarm.dt
  for _ = 1, WARM_UP do world:update(dt) end

  local parts, times, into = { "frame", "pull", "find", "dispatch" }, {}, {}
  for _, part in ipairs(parts) do
    times[part] = {}
    for i = 1, FRAMES do times[part][i] = 0 end
  end
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  for i = 1, FRAMES do
    local start = core.clock()
    world:update(dt)
    times.frame[i] = core.clock() - start
    world:stats(into)
    for k = 2, #parts do times[parts[k]][i] = into[parts[k]] end
  end
  local garbage = (collectgarbage("count") - before) * 1024
  collectgarbage("restart")

  local ms = {}
  for i, part in ipairs(parts) do ms[i] = ("%.4f"):format(median(times[part]) * 1000) end
  print(("%s,%s,%d,%d,%s,%.0f"):format(name, into.broadphase, count, into.hits,
    table.concat(ms, ","), garbage))
end

local jit = rawget(_G, "jit")
local name = jit and jit.version .. (jit.status() and "" or " -joff") or _VERSION
print("lua,broadphase,actors,hits,frame ms,pull ms,find ms,dispatch ms,garbage bytes")
for _, count in ipairs { 100, 1000, 10000 } do round(name, "auto", count) end
round(name, "quadtree", 1000)
round(name, "brute", 1000)
