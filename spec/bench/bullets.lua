-- 100 000 bullets against 50 actors from Lua: the time of a frame, and Lua's part of it; the time
-- to spawn a bullet; and the bytes that Lua allocated over all frames. Prints medians as CSV.

local collide = require "collide"
local core = require "collide.core"

local COUNT, ACTORS, WARM_UP, FRAMES = 100000, 50, 30, 300
local WIDTH, HEIGHT, SPEED, DT = 1280, 960, 150, 1 / 60
local TURN = 6.283185307179586

local clock = core.clock

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

local numbers = collide.newRandom(1)

local world = collide.newWorld { rules = { { "actor", "bullet" } } }
local shape = collide.circle(8)
for _ = 1, ACTORS do
  world:add { x = numbers:uniform(0, WIDTH), y = numbers:uniform(0, HEIGHT), shape = shape,
    group = "actor" }
end
local hits = 0
local pool = world:newBullets {
  capacity = COUNT, radius = 3, group = "bullet", bounds = { 0, 0, WIDTH, HEIGHT },
  hit = function() hits = hits + 1 end,
}

local function refill()
  while pool:count() < COUNT do
    local angle, speed = numbers:uniform(0, TURN), SPEED * numbers:uniform(0.5, 1.5)
    pool:spawn(numbers:uniform(0, WIDTH), numbers:uniform(0, HEIGHT), speed * core.cos(angle),
      speed * core.sin(angle))
  end
end

-- Nanoseconds of a spawn, without the time of the loop.
local function spawnTime()
  local best = math.huge
  for _ = 1, 15 do
    pool:clear()
    local start = clock()
    for i = 1, COUNT do pool:spawn(i, 5, 3, 4) end
    best = math.min(best, (clock() - start) / COUNT * 1e9)
  end
  pool:clear()
  return best
end

local spawn = spawnTime()
local frames, outside, stats = {}, {}, {}
for i = 1, FRAMES do frames[i], outside[i] = 0, 0 end
local before
for i = 1 - WARM_UP, FRAMES do
  refill()
  if i == 1 then
    hits = 0
    collectgarbage()
    collectgarbage("stop")
    world:update(0) -- a full collection has shrunk Lua's stack, which grows again
    before = collectgarbage("count")
  end
  local start = clock()
  world:update(DT)
  local frame = clock() - start
  world:stats(stats)
  if i > 0 then frames[i], outside[i] = frame, frame - stats.find end
end
local garbage = collectgarbage("count") - before

local jit = rawget(_G, "jit")
local name = jit and jit.version .. (jit.status() and "" or " -joff") or _VERSION
print("lua,bullets,actors,hits a frame,frame ms,in Lua ms,spawn ns,garbage bytes")
print(("%s,%d,%d,%.1f,%.4f,%.4f,%.0f,%.0f"):format(name, COUNT, ACTORS, hits / FRAMES,
  median(frames) * 1000, median(outside) * 1000, spawn, garbage * 1024))
