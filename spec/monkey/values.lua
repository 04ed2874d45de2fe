-- The monkey's values for an argument, by the argument's name: mostly right ones, sometimes wrong
-- ones.
local collide = require "collide"

local M = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local nan, inf = 0 / 0, 1 / 0
local MINUS_ZERO = tonumber "-0.0" -- Lua 5.1 reads the constant -0.0 as 0
local thread = coroutine.create(function() end)

local ODD_NUMBERS = { 1e12, -1e12, 1e-300, MINUS_ZERO, 2 ^ 50, 0.1, 1e9 + 0.5, -3.25e5, 2 ^ -40 }
local GROUPS = { "default", "red", "green", "blue" }
local BROADPHASES = { "auto", "grid", "quadtree", "incremental", "brute" }
local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }

-- Values that are hardly ever right.
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

-- A polygon around a centre, convex or star-shaped.
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

local function entries(play)
  local list, at = {}, 0
  for i = 1, play.rng:int(3) do
    at = at + play.rng:float(0, 0.1)
    list[i] = { at = at, speed = size(play), aim = play.rng:chance(0.5),
      call = play.rng:chance(0.5),
      home = play.rng:chance(0.5), radius = play.rng:chance(0.3) and size(play) or nil }
  end
  return list
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

local function item(play) return play.rng:pick { 1, 2, "three", play.unit } end

-- Whether an actor's shape is tiles. Reading the shape may run the actor's code, which is kept
-- quiet.
local function isMap(play, actor)
  local before = play.quiet
  play.quiet = 0
  local shape = actor.shape
  play.quiet = before
  local meta = debug.getmetatable(shape)
  return meta and meta.__name == "collide.Shape" and shape:kind() == "tiles"
end

-- An actor that can be moved.
local function mover(play)
  local actor = play:actor()
  if actor and isMap(play, actor) then actor = play:actor() end
  return actor
end

local byName = {
  alpha = share, threshold = share, color = share,
  angle = angle, da = angle, phase = angle, spread = angle, maxSlope = share,
  w = size, h = size, d = size, r = size, radius = size, width = size, height = size, cell = size,
  cellSize = size, sx = size, sy = size, margin = size, snapLength = size, stepHeight = size,
  grazeRadius = function(play) return 20 + size(play) end,
  dt = seconds, fixed = seconds, warmup = seconds, lifetime = seconds,
  k = few, n = few, max = few, samples = few, depth = few, bullet = few, tag = few,
  capacity = function(play) return play.rng:int(40) end,
  v = whole, mask = whole, column = whole, row = whole,
  vx = speed, vy = speed, speed = speed, radial = speed, tangential = speed,
  ti1 = share, ti2 = share,
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
  plan = function(play) return collide.newPlan(entries(play)) end, entries = entries,
  home = function(play) return play:actor() end, turnRate = size, minSpeed = share, length = size,
  maxSpeed = function(play) return 1 + size(play) end,
  into = function(play) return play.rng:chance(0.5) and play.filled or nil end,
  make = function(play) return play:callback "make" end,
  fn = function(play) return play:callback "each" end,
  visit = function(play) return play:callback "visit" end,
  hit = function(play) return play.rng:chance(0.2) and "first" or play.rng:chance(0.7) end,
  target = function() return {} end, quads = function() return nil end,
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

-- Options that have the name of an argument but another meaning.
local byOption = { hit = bulletCallback, graze = bulletCallback, timer = bulletCallback,
  expired = bulletCallback,
  fields = function(play) return play.rng:chance(0.5) and { at = "me" } or { angle = false } end }

--- A value for an argument or option of that name; any value for an unknown name.
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

local function judge(play) return play.rng:chance(0.6) and play:callback "response" or nil end
local function accept(play) return play.rng:chance(0.6) and play:callback "filter" or nil end

--- Arguments with another meaning than others of the same name, by function and name.
M.given = {
  ["world:snapshot into"] = function(play)
    return play.rng:chance(0.5) and play:any "Snapshot" or nil
  end,
  ["world:turn response"] = function(play)
    if play.rng:chance(0.4) then return play:callback "response" end
    return play.rng:pick { "touch", "cross", "push" }
  end,
  ["collide.sin a"] = angle, ["collide.cos a"] = angle, ["collide.newRandom seed"] = whole,
  ["random:uniform a"] = share, ["random:uniform b"] = size,
  ["world:teleport angle"] = function(play) return play.rng:chance(0.5) and angle(play) or nil end,
  ["bump.newworld:project anything"] = item,
  ["bump.newworld:addResponse anything"] = function() return "mine" end,
  ["bump.newworld:addResponse response"] = function(play) return play:callback "response" end,
  ["bump.newworld:hasItem anything"] = item,
}
for _, name in ipairs { "move", "check", "turn", "carry", "newCharacter" } do
  M.given["world:" .. name .. " actor"] = mover
end
for _, name in ipairs { "move", "check", "project" } do
  M.given["bump.newworld:" .. name .. " filter"] = judge
end
for _, name in ipairs { "queryPoint", "queryRect", "querySegment", "querySegmentWithCoords" } do
  M.given["bump.newworld:" .. name .. " filter"] = accept
end

-- A cell of a grid, and the sides of a part of the grid that begins there.
local function part(play, grid)
  local at, sides = {}, {}
  for i, length in ipairs { grid:size() } do
    at[i] = play.rng:int(0, length - 1)
    sides[i] = play.rng:int(length - at[i])
  end
  return at, sides
end

local function ofSameKind(play)
  if play.rng:chance(0.5) then return { play:actor(), play:actor() } end
  return { group(play), group(play) }
end

-- A snapshot, mostly one of this world.
local function toRestore(play, world)
  local known = play:any "Snapshot"
  play:each("Snapshot", function(snapshot)
    local of = play.snapshots[snapshot]
    if of and of.world == world and play.rng:chance(0.7) then known = snapshot end
  end)
  if play.rng:chance(0.2) then return { play:any "packed", play:callback "make", n = 2 } end
  return { known }
end

local function collision(play)
  local met = play:any "collision"
  if not met then return {} end
  local args = { met.world, met.col }
  for i = 3, 8 do args[i] = i == 5 and size(play) or i == 6 and size(play) or coordinate(play) end
  args[9] = judge(play)
  return args
end

--- By function: all arguments, where they cannot be drawn independently. Those of methods come
--- without the object; `n` is their number if one may be nil.
M.whole = {
  ["collide.polygon"] = ring,
  ["collide.chain"] = function(play) return { points(play), play.rng:chance(0.3) } end,
  ["collide.compound"] = function(play)
    local list = {}
    for _ = 1, 6 do
      local shape = play:any "Shape"
      if shape and shape:kind() ~= "tiles" then list[#list + 1] = shape end
    end
    if play.rng:chance(0.3) then return { { head = list[1], body = list[2] } } end
    return { unpack(list, 1, play.rng:int(3)) }
  end,
  ["bump.newworld:add"] = function(play)
    return { item(play), coordinate(play), coordinate(play), size(play), size(play) }
  end,
  ["grid:set"] = function(play, grid)
    local args = part(play, grid)
    args[#args + 1] = whole(play)
    return args
  end,
  ["grid:fill"] = function(play, grid)
    local args, sides = part(play, grid)
    for _, side in ipairs(sides) do args[#args + 1] = side end
    args[#args + 1] = whole(play)
    return args
  end,
  ["grid:load"] = function(play, grid)
    local w, h, d = grid:size()
    return { string.char(play.rng:int(0, 3)):rep(w * h * (d or 1)) }
  end,
  ["world:canHit"] = ofSameKind,
  ["world:restore"] = toRestore,
}
for _, name in ipairs { "bounce", "cross", "slide", "touch" } do
  M.whole["bump.responses." .. name] = collision
end

M.coordinate, M.angle, M.group, M.points = coordinate, angle, group, points

--- A right value of oneWay.
function M.oneWay(play)
  local rng = play.rng
  local function way() return { rng:int(-2, 2), rng:pick { -1, 1, 1e-3 } } end
  return rng:pick { false, false, false, false, false, true, "up", "down", "left", "right", way() }
end

--- A field of an actor: its name, and a value that is right with probability `right`.
function M.field(play, right)
  local rng = play.rng
  local name = rng:pick { "x", "y", "x", "y", "angle", "shape", "group", "static", "sensor",
    "oneWay", "swept", "ignore", "score", "friend" }
  if not rng:chance(right) then return name, M.wrong(play) end
  if name == "x" or name == "y" then return name, coordinate(play) end
  if name == "angle" then return name, angle(play) end
  if name == "shape" then return name, play:any "Shape" end
  if name == "group" then return name, group(play) end
  if name == "ignore" then return name, rng:chance(0.8) and M.named(play, "ignore") or nil end
  if name == "score" then return name, rng:int(100) end
  if name == "oneWay" then return name, M.oneWay(play) end
  if name == "friend" then return name, rng:chance(0.7) and play:actor() or nil end
  return name, rng:chance(0.3)
end

return M
