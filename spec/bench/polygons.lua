-- The time to make a polygon of thousands of points, in the worst cases: points exactly or nearly
-- in a line; one point repeated; teeth, where all ears are equally good; a spiral, where every edge
-- is near others; and edges that cross only at the end. Each in two sizes, the second twice the
-- first. Prints the fastest of some rounds, in ms, as CSV.

local collide = require "collide"
local core = require "collide.core"

local ROUNDS, N = 5, 3000

local clock = core.clock

local function line(n)
  local list = {}
  for i = 0, n do list[#list + 1], list[#list + 2] = i, 0 end
  list[#list + 1], list[#list + 2] = n / 2, n / 2 -- the roof of a house
  list[#list + 1], list[#list + 2] = n / 3, 5 -- bends in: so it is not convex
  return list
end

-- Sums of tenths lie in a line only up to rounding.
local function slanted(n)
  local list = line(n)
  for i = 1, #list, 2 do
    list[i], list[i + 1] = 0.1 * list[i] - 0.3 * list[i + 1], 0.3 * list[i] + 0.1 * list[i + 1]
  end
  return list
end

local function repeated(n)
  local list = {}
  for i = 0, 4 do
    for _ = 1, n / 5 do
      list[#list + 1], list[#list + 2] = i * i, (i - 3) * (i - 3)
    end
  end
  return list
end

local function teeth(n)
  local list = { 0, 0 }
  for i = 0, n / 4 do
    for _, corner in ipairs { { 0, 9 }, { 2, 9 }, { 2, 5 }, { 4, 5 } } do
      list[#list + 1], list[#list + 2] = 4 * i + corner[1], corner[2]
    end
  end
  list[#list + 1], list[#list + 2] = n + 4, 0
  return list
end

local function spiral(n)
  local list, back = {}, {}
  for i = 0, n / 2 - 1 do
    local angle = 6.283185307179586 * i / 100
    local c, s, r = core.cos(angle), core.sin(angle), 5 + angle
    list[#list + 1], list[#list + 2] = r * c, r * s
    back[#back + 1], back[#back + 2] = (r + 3) * s, (r + 3) * c
  end
  for i = #back, 1, -1 do list[#list + 1] = back[i] end
  return list
end

local function rough(n)
  local numbers = collide.newRandom(1)
  local list = {}
  for i = 0, n - 1 do
    local angle, r = 6.283185307179586 * i / n, numbers:uniform(50, 100)
    list[#list + 1], list[#list + 2] = r * core.cos(angle), r * core.sin(angle)
  end
  return list
end

local function crossed(n)
  local list = rough(n)
  local last = #list
  list[last - 1], list[last - 3] = list[last - 3], list[last - 1]
  list[last], list[last - 2] = list[last - 2], list[last]
  return list
end

local function time(points)
  local best = math.huge
  for _ = 1, ROUNDS do
    local start = clock()
    pcall(collide.polygon, points)
    best = math.min(best, clock() - start)
  end
  return best * 1000
end

local cases = {
  { "in a line", line }, { "nearly in a line", slanted }, { "repeated", repeated },
  { "teeth", teeth }, { "spiral", spiral }, { "rough", rough }, { "crossed", crossed },
}

local jit = rawget(_G, "jit")
local name = jit and jit.version .. (jit.status() and "" or " -joff") or _VERSION
print("lua,polygon,points,ms,ms of twice as many,ratio")
for _, case in ipairs(cases) do
  local once, twice = time(case[2](N)), time(case[2](2 * N))
  print(("%s,%s,%d,%.3f,%.3f,%.1f"):format(name, case[1], N, once, twice, twice / once))
end
