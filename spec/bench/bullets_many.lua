-- Cases in which the work of a step could grow faster than the number of bullets: all against one
-- that pierces, a pool for each bullet, and thousands of lasers, alone or all ending at once. Each
-- in two sizes, the second twice the first. Prints the fastest of some rounds, in ms, as CSV.

local collide = require "collide"
local core = require "collide.core"

local ROUNDS, DT = 5, 1 / 60

local clock = core.clock

local function nothing() end

-- The fastest time of `f`, in milliseconds; `prepare` makes its arguments.
local function time(prepare, f)
  local best = math.huge
  for _ = 1, ROUNDS do
    local world, pool = prepare()
    local start = clock()
    f(world, pool)
    best = math.min(best, clock() - start)
  end
  return best * 1000
end

local function update(world) world:update(DT) end

local function piercing(world, capacity)
  return world:newBullets { capacity = capacity, radius = 5, pierce = true, hitBullets = true,
    hit = nothing }
end

local function allOnOne(n, first)
  return function()
    local world = collide.newWorld {}
    local one = first and piercing(world, 1)
    local all = world:newBullets { capacity = n, radius = 5, hitBullets = true, hit = nothing }
    one = one or piercing(world, 1)
    one:spawn(0, 0, 0, 0)
    for i = 1, n do all:spawn(i % 7, i % 3, i % 11, 0) end
    return world
  end
end

local function alone(n)
  return function()
    local world = collide.newWorld {}
    for i = 1, n do piercing(world, 1):spawn(i, 0, 5, 0) end
    return world
  end
end

local function lasers(n, lifetime)
  return function()
    local world = collide.newWorld {}
    local pool = world:newBullets { capacity = n, radius = 1, expired = nothing }
    for i = 1, n do
      pool:spawnLaser { points = { i, 0, i, 50 }, width = 0.5, lifetime = lifetime }
    end
    return world, pool
  end
end

local function each(_, pool) pool:each(nothing) end

local function kill(_, pool)
  for bullet = 1, pool:count() do pool:kill(bullet) end
end

local cases = {
  { "all on one that pierces", 15000, function(n) return time(allOnOne(n), update) end },
  { "one that pierces on all", 15000, function(n) return time(allOnOne(n, true), update) end },
  { "pools of one bullet", 200, function(n) return time(alone(n), update) end },
  { "each of lasers", 4000, function(n) return time(lasers(n, 9), each) end },
  { "lasers killed", 4000, function(n) return time(lasers(n, 9), kill) end },
  { "lasers that expire", 4000, function(n) return time(lasers(n, DT), update) end },
}

local jit = rawget(_G, "jit")
local name = jit and jit.version .. (jit.status() and "" or " -joff") or _VERSION
print("lua,case,n,ms,ms of 2n,ratio")
for _, case in ipairs(cases) do
  local n = case[2]
  local once, twice = case[3](n), case[3](2 * n)
  print(("%s,%s,%d,%.3f,%.3f,%.1f"):format(name, case[1], n, once, twice, twice / once))
end
