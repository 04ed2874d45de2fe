-- The whole frame of a swarm of N boxes: move boxes, find all pairs, call both boxes of each. It
-- runs on any Lua, and as an app of LÖVE, where love.physics takes part. All contenders get the
-- same boxes and motion; the pairs of the first frames are compared, and differences are reported
-- on stderr. Each N runs in a process of its own, so that traces of one N do not affect another.
--   lua main.lua N

local turns = require "turns"

local love = rawget(_G, "love")
local jit = rawget(_G, "jit")

-- LÖVE puts its own arguments before ours.
local COUNT = tonumber(arg[#arg])
local COMPARED = 10

-- How often garbage is counted, and the most frames and seconds of each count.
local STRETCHES, FRAMES, SECONDS = 5, 100, 0.1

local contenders = {}

local function take(name)
  contenders[#contenders + 1] = require(name)
end

take "with_collide"
take "with_grid"
-- All pairs of 5000 take a quarter of a second.
if COUNT <= 2000 then take "with_all_pairs" end
if love then take "with_physics" end

local case = love and "LÖVE" or jit and "LuaJIT" or _VERSION

local function say(...)
  io.stderr:write(("%s, %d boxes: "):format(case, COUNT), string.format(...), "\n")
end

-- The number of pairs in the first frames; from the second frame on for a contender that is a frame
-- late.
local function pairsOf(contender)
  local swarm = contender.swarm
  local sum = 0
  if contender.late then swarm.frame() end
  for _ = 1, COMPARED do
    swarm.frame()
    sum = sum + swarm.pairs()
  end
  return sum
end

-- Bytes that Lua allocates per frame: the least of several counts, since new traces of LuaJIT count
-- too.
local function garbageOf(contender)
  local least = math.huge
  collectgarbage("stop")
  for _ = 1, STRETCHES do
    local before, stop, frames = collectgarbage("count"), os.clock() + SECONDS, 0
    repeat
      contender.frame()
      frames = frames + 1
    until frames == FRAMES or os.clock() > stop
    least = math.min(least, (collectgarbage("count") - before) * 1024 / frames)
  end
  collectgarbage("restart")
  return least
end

local first
for _, contender in ipairs(contenders) do
  contender.swarm = contender.open(COUNT)
  contender.frame = contender.swarm.frame
  contender.found = pairsOf(contender)
  first = first or contender.found
  if contender.found ~= first then
    say("%s tells %g pairs a frame instead of %g%s", contender.name, contender.found / COMPARED,
      first / COMPARED, contender.why and ": " .. contender.why or "")
  end
end

turns.header()
turns.run(contenders)
for _, contender in ipairs(contenders) do
  turns.row("frame " .. case, contender.name, COUNT, contender.time * 1000, "ms",
    contenders[1].time * 1000, contender.found / COMPARED)
end
for _, contender in ipairs(contenders) do
  turns.row("garbage " .. case, contender.name, COUNT, garbageOf(contender), "bytes a frame")
end

-- The aims: how many times faster a frame is than that of the hand-written grid in the same Lua.
local AIMS = { LuaJIT = 3.0, ["Lua 5.4"] = 2.9 }
if AIMS[case] and COUNT >= 1000 then
  print(("a frame of %d boxes on %s: %.2f times faster than the grid (aim: at least %.1f)"):format(
    COUNT, case, contenders[2].time / contenders[1].time, AIMS[case]))
end

-- LÖVE would run its main loop forever.
os.exit(0)
