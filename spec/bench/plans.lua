-- 100 000 bullets against 50 actors, with plans and without: the time of a frame of each, in turn.
-- Every plan has one entry per second, at its own moment. Prints medians and their ratio as CSV.
--   lua spec/bench/plans.lua [frames]

local collide = require "collide"
local core = require "collide.core"

local COUNT, ACTORS, WARM_UP, FRAMES = 100000, 50, 10, tonumber(arg and arg[1]) or 120
local WIDTH, HEIGHT, DT, KINDS = 1280, 960, 1 / 60, 64
local TURN = 6.283185307179586

local function planOf(numbers)
  local first, entries = numbers:uniform(0, 1), {}
  for i = 1, FRAMES do
    entries[i] = { at = first + i - 1, angle = numbers:uniform(0, TURN), speed = 100 }
  end
  return collide.newPlan(entries)
end

local function newWorld(planned)
  local numbers, plans = collide.newRandom(1), {}
  local world = collide.newWorld { rules = { { "actor", "bullet" } } }
  for _ = 1, ACTORS do
    world:add { x = numbers:uniform(0, WIDTH), y = numbers:uniform(0, HEIGHT), group = "actor",
      shape = collide.circle(8) }
  end
  local pool = world:newBullets { capacity = COUNT, radius = 3, group = "bullet", pierce = true }
  for i = 1, KINDS do plans[i] = planned and planOf(numbers) or 0 end
  for i = 1, COUNT do
    local angle, plan = numbers:uniform(0, TURN), plans[i % KINDS + 1]
    pool:spawn(numbers:uniform(0, WIDTH), numbers:uniform(0, HEIGHT), 100 * core.cos(angle),
      100 * core.sin(angle), planned and { plan = plan } or nil)
  end
  return world
end

local worlds, times = { newWorld(true), newWorld(false) }, { {}, {} }
for i = 1 - WARM_UP, FRAMES do
  for k, world in ipairs(worlds) do
    local start = core.clock()
    world:update(DT)
    if i > 0 then times[k][i] = core.clock() - start end
  end
end
for _, list in ipairs(times) do table.sort(list) end
local with, without = times[1][math.ceil(FRAMES / 2)], times[2][math.ceil(FRAMES / 2)]
print("bullets,with ms,without ms,ratio")
print(("%d,%.4f,%.4f,%.3f"):format(COUNT, with * 1000, without * 1000, with / without))
