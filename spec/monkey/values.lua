-- What the monkey gives as an argument, by the argument's name: mostly right, sometimes nothing of
-- the sort.
local M = {}

local nan, inf = 0 / 0, 1 / 0
local MINUS_ZERO = tonumber "-0.0" -- as a constant Lua 5.1 takes it for 0
local thread = coroutine.create(function() end)

local ODD_NUMBERS = { 1e12, -1e12, 1e-300, MINUS_ZERO, 2 ^ 50, 0.1, 1e9 + 0.5, -3.25e5, 2 ^ -40 }
local GROUPS = { "default", "red", "green", "blue" }
local BROADPHASES = { "auto", "grid", "quadtree", "incremental", "brute" }
local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }

--- Never right, or hardly ever.
local WRONG = { nan, inf, -inf, 1e13, -1, 0, 1.5, 2 ^ 60, "", "no such name", true, false, thread,
  io.stdout, function() return true end, "\255\0" }
local WRONG_TABLES = { function() return {} end, function() return { 1, nan } end,
  function() return { x = 0, y = 0 } end }

-- ---- numbers

local function coordinate(play)
  local rng = play.rng
  if rng:chance(0.6) then return rng:int(-10, 50) end
  if rng:chance(0.9) then return rng:float(-10, 50) end
  return rng:pick(ODD_NUMBERS)
end

local function size(play)
  local rng = play.rng
  if rng:chance(0.7) then return rng:int(12) end
  if rng:chance(0.95) then return rng:float(0.01, 20) end
  return rng:pick { 1e12, 1e-9, 1e4 }
end

local function angle(play)
  local rng = play.rng
  return rng:chance(0.3) and 0 or rng:chance(0.9) and rng:float(-7, 7) or rng:pick { 1e6, -1e-9 }
end

local function seconds(play) return play.rng:pick { 0, 1 / 60, 0.1, 0.5, 1, 3 } end
local function speed(play) return play.rng:float(-300, 300) end
local function few(play) return play.rng:int(8) end
local function share(play) return play.rng:pick { 0, 0.25, 0.5, 1 } end
local function boolean(play) return play.rng:chance(0.5) end
local function whole(play) return play.rng:int(0, 5) end

-- ---- the library's objects and what is made of them

local function group(play) return play.rng:pick(GROUPS) end

local function placed(play)
  if play.rng:chance(0.6) then return play:actor() end
  return { x = coordinate(play), y = coordinate(play), angle = play.rng:chance(0.3) and angle(play)
    or nil, shape = play:any "Shape" }
end

local function filter(play)
  local way = play.rng:int(5)
  if way == 1 then return nil end
  if way == 2 then return group(play) end
  if way == 3 then return { group(play), group(play) } end
  if way == 4 then return "*" end
  return play:callback "filter"
end

local function response(play)
  if play.rng:chance(0.6) then return play.rng:pick(RESPONSES) end
  return play:callback "response"
end

local function points(play)
  local list = {}
  for i = 1, 2 * play.rng:int(3, 8) do list[i] = coordinate(play) end
  return list
end

-- A polygon about its middle, convex or like a star.
local function ring(play)
  local rng, list, n = play.rng, {}, play.rng:int(3, 8)
  for i = 1, n do
    local a, r = (i + rng:float(0, 0.8)) / n * 6.2831853, rng:float(rng:pick { 2, 9 }, 12)
    list[2 * i - 1], list[2 * i] = r * math.floor(100 * math.cos(a)) / 100,
      r * math.floor(100 * math.sin(a)) / 100
  end
  return list
end

local function bytes(play)
  local list = {}
  for i = 1, play.rng:int(64) do list[i] = string.char(play.rng:int(0, 3)) end
  return table.concat(list)
end

local function looks(play)
  local list = {}
  for value = 1, 3 do
    local way = play.rng:int(3)
    if way == 1 then list[value] = false end
    if way == 2 then list[value] = play.unit end
  end
  return list
end

local function numbers(play)
  local list = {}
  for i = 1, 4 do list[i] = coordinate(play) end
  return list
end

local function item(play) return play.rng:pick { 1, 2, 3, "four", "five", play.unit } end

local byName = {
  alpha = share, threshold = share, color = share,
  angle = angle, phase = angle, spread = angle, maxSlope = share,
  w = size, h = size, d = size, r = size, radius = size, width = size, height = size, cell = size,
  cellSize = size, sx = size, sy = size, margin = size, snapLength = size, stepHeight = size,
  grazeRadius = function(play) return 20 + size(play) end,
  dt = seconds, fixed = seconds, warmup = seconds, lifetime = seconds,
  k = few, n = few, max = few, samples = few, depth = few, bullet = few, tag = few,
  capacity = function(play) return play.rng:int(40) end,
  v = whole, mask = whole, col = whole, row = whole,
  vx = speed, vy = speed, speed = speed,
  touching = boolean, loose = boolean, strict = boolean, closed = boolean, pierce = boolean,
  hitBullets = boolean,
  actor = function(play) return play:actor() end, a = placed, b = placed, placed = placed,
  ignore = function(play)
    if play.rng:chance(0.5) then return play:actor() end
    return { play:actor(), play:actor() }
  end,
  group = group, groupA = group, groupB = group,
  groups = function() return { "red", "green", "blue" } end,
  hits = function(play)
    return { { group(play), group(play) }, { group(play), "*" },
      { group(play), group(play), play.rng:chance(0.3) and "first" or nil } }
  end,
  filter = filter, response = response,
  broadphase = function(play) return play.rng:pick(BROADPHASES) end,
  mode = function(play) return play.rng:pick { "coverage", "conservative" } end,
  corners = function(play) return play.rng:pick { "all", "diagonal" } end,
  fields = function(play) return play.rng:chance(0.5) and { "score" } or { "score", "friend" } end,
  snapshot = function(play)
    return play.rng:chance(0.7) and play:any "Snapshot" or play:any "packed"
  end,
  other = function(play) return play:any "Snapshot" end,
  into = function(play)
    if play.rng:chance(0.5) then return nil end
    return play.rng:chance(0.5) and play:any "Snapshot" or play.filled
  end,
  make = function(play) return play:callback "make" end,
  fn = function(play) return play:callback "each" end,
  visit = function(play) return play:callback "visit" end,
  hit = function(play) return play.rng:chance(0.2) and "first" or play.rng:chance(0.7) end,
  target = function() return {} end,
  bounds = function() return { -20, -20, 90, 90 } end,
  up = function(play) return play.rng:pick { { 0, -1 }, { 1, 0 }, { 0.6, -0.8 } } end,
  points = points, xs = numbers, ys = numbers,
  shape = function(play) return play:any "Shape" end,
  shapes = looks, bytes = bytes,
  grid = function(play) return play:any "Grid" end,
  item = item, name = function() return "mine" end,
  world = function(play) return play:any "bump.newWorld" end,
  anything = function(play) return play.rng:chance(0.5) and item(play) or M.wrong(play) end,
  options = function() return {} end,
}
byName["shape 1"], byName["shape 2"], byName["shape 3"] = byName.shape, byName.shape, byName.shape

local function bulletCallback(play) return play:callback "bullet" end

-- Options that are called as an argument is and are something else.
local byOption = { hit = bulletCallback, graze = bulletCallback, expired = bulletCallback,
  fields = function() return { angle = false } end }

--- A value for an argument or an option of that name; of one that nobody knows, any.
function M.named(play, name, isOption)
  local make = isOption and byOption[name] or byName[name]
  if make then return make(play) end
  if #name <= 2 or name:find "^%l%d?$" or name:find "^goal" then return coordinate(play) end
  local way = play.rng:int(6)
  if way == 1 then return coordinate(play) end
  if way == 2 then return play:any "Shape" end
  if way == 3 then return {} end
  if way == 4 then return boolean(play) end
  if way == 5 then return group(play) end
  return play:callback(name)
end

function M.wrong(play)
  local rng = play.rng
  if rng:chance(0.15) then return nil end
  if rng:chance(0.2) then return play:any(rng:pick(play:classes())) end
  if rng:chance(0.2) then return rng:pick(WRONG_TABLES)() end
  return rng:pick(WRONG)
end

--- All arguments of calls for which it is not enough to draw each by itself.
M.whole = {
  ["collide.polygon"] = ring,
  ["collide.chain"] = function(play) return { points(play), play.rng:chance(0.3) } end,
}

M.coordinate, M.angle, M.group, M.points = coordinate, angle, group, points

--- A field of an actor: its name, and a value that is right with the chance `right`.
function M.field(play, right)
  local rng = play.rng
  local name = rng:pick { "x", "y", "x", "y", "angle", "shape", "group", "static", "sensor",
    "oneWay", "swept", "score", "friend" }
  if not rng:chance(right) then return name, M.wrong(play) end
  if name == "x" or name == "y" then return name, coordinate(play) end
  if name == "angle" then return name, angle(play) end
  if name == "shape" then return name, play:any "Shape" end
  if name == "group" then return name, group(play) end
  if name == "score" then return name, rng:int(100) end
  if name == "friend" then return name, rng:chance(0.7) and play:actor() or nil end
  return name, rng:chance(0.3)
end

return M
