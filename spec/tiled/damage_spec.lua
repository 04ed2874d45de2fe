-- collide.tiled on damaged maps: each loads, or raises an error that names a place and adds
-- nothing, within bounds of work and memory.
local collide = require "collide"
local inflate = require "spec.support.inflate"
local maps = require "spec.support.tiledmaps"
local random = require "spec.support.random"
local tiled = require "collide.tiled"

local object = maps.object

-- 4 x 3 tiles, some of them flipped, in each form.
local CELLS = { 1, 2, 0, 2147483650, 3, 4, 0, 5, 6, 536870919, 7, 8 }
local BASE64 = "AQAAAAIAAAAAAAAAAgAAgAMAAAAEAAAAAAAAAAUAAAAGAAAABwAAIAcAAAAIAAAA"
local ZLIB = "eJxjZGBgYGKAACDdwAykWaB8ViBmA2J2BgYFIGbgAGIAFOAAzg=="

local SETS = { maps.tileset(nil, { tilecount = 8, properties = { by = "me" }, tiles = {
  { id = 0, properties = { collidable = true } },
  { id = 1, objectGroup = { objects = { object { shape = "polygon", polygon = {
    { x = 0, y = 16 }, { x = 16, y = 0 }, { x = 16, y = 16 } } } } } },
  { id = 2, properties = { collidable = "false" } },
  { id = 3, type = "ice", objectGroup = { objects = { object { shape = "ellipse", x = 4, y = 4,
    width = 8, height = 8, properties = { collidable = true } }, object { shape = "point" } } } },
  { id = 6, width = 20, height = 24, objectGroup = { objects = { object { width = 16, height = 9,
    rotation = 30 }, object { shape = "polyline", polyline = { { x = 0, y = 0 },
    { x = 9, y = 5 } } } } } },
} }) }

local function layers(given)
  given.width, given.height = 4, 3
  local unmarked = { properties = {} }
  for key, value in pairs(given) do unmarked[key] = value end
  return { maps.tiles({}, unmarked), { type = "group", name = "all", offsetx = 3,
    properties = { group = "default" }, layers = { maps.tiles({}, given),
    maps.objects({ object { gid = 2, y = 16, width = 16, height = 32 },
      object { width = 5, height = 6, name = "box", properties = { static = false } },
      object { shape = "ellipse", width = 5, height = 7 }, object { shape = "point" } }) } },
    maps.objects({ object { width = 3, height = 5, rotation = 45 },
      object { shape = "polyline", polyline = { { x = 0, y = 0 }, { x = 5, y = 0 } },
        properties = { collidable = true } } }, { properties = {} }) }
end

local SOURCES = {
  maps.map(layers { data = CELLS }, { tilesets = SETS }),
  maps.map(layers { data = BASE64, encoding = "base64" }, { tilesets = SETS, tilewidth = 20 }),
  maps.map(layers { data = ZLIB, encoding = "base64", compression = "zlib" }, { tilesets = {
    { name = "rocks", firstgid = 1, filename = "set.tsx", exportfilename = "set.lua" } } }),
  maps.map(layers { chunks = { { x = -4, y = 0, width = 4, height = 3, data = CELLS },
    { x = 4, y = 3, width = 4, height = 3, data = CELLS } } }, { tilesets = SETS }),
}

-- A copy of a value, with the same cycles.
local function copy(value, known)
  if type(value) ~= "table" then return value end
  known = known or {}
  if known[value] then return known[value] end
  local new = {}
  known[value] = new
  for key, of in pairs(value) do new[key] = copy(of, known) end
  return new
end

-- The keys of a table in a fixed order.
local function keysOf(t)
  local keys = {}
  for i = 1, #t do keys[i] = i end
  if #t > 0 then return keys end
  for key in pairs(t) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

-- A random path from a map to a table in it: the tables on the path.
local function randomWay(r, map)
  local way = { map }
  while r:chance(0.85) do
    local last, inner = way[#way], {}
    for _, key in ipairs(keysOf(last)) do
      if type(last[key]) == "table" then inner[#inner + 1] = last[key] end
    end
    if #inner == 0 then break end
    way[#way + 1] = r:pick(inner)
  end
  return way
end

local ODD = { false, true, 0, -1, 1, 0.5, 3, 255, 256, 1e5, 1e8, -1e8, 2 ^ 31, 2 ^ 32, 2 ^ 53, 1e12,
  1e13, 1e300, -1e300, 1 / 0, -1 / 0, 0 / 0, "", "x", "true", "false", "base64", "zlib", "zstd",
  "polygon", "point", "group", "tilelayer", "objectgroup", "../x.lua", "\0" }

local function oddValue(r, way)
  local n = r:int(1, #ODD + 3)
  if n <= #ODD then return ODD[n] end
  if n == #ODD + 1 then return {} end
  if n == #ODD + 2 then return { {}, 5, {} } end
  return r:pick(way) -- within itself
end

local function anyKey(r, t)
  local keys = keysOf(t)
  return #keys > 0 and r:pick(keys) or "x"
end

-- Changes a few bytes of a text, or cuts it off.
local function damageText(r, text)
  if #text == 0 or r:chance(0.2) then return text:sub(1, r:int(0, #text)) end
  local at = r:int(1, #text)
  return text:sub(1, at - 1) .. r:pick { "A", "/", "=", "?", "zzzz", "" } .. text:sub(at + 1)
end

local function damage(r, map)
  for _ = 1, r:int(1, 3) do
    local way = randomWay(r, map)
    local t = way[#way]
    local key = anyKey(r, t)
    local value = t[key]
    if type(value) == "string" and r:chance(0.7) then
      t[key] = damageText(r, value)
    elseif type(value) == "number" and r:chance(0.3) then
      t[key] = value + r:pick { 1, -1, 1e8, -1e8, 2 ^ 29, 0.5 }
    elseif r:chance(0.2) then
      t[key] = nil
    elseif r:chance(0.1) then
      table.insert(t, copy(r:pick(way)))
    else
      t[key] = oddValue(r, way)
    end
  end
  return map
end

-- Words at the beginning of a place in errors.
local PLACES = { "layer", "tileset", "map: ", "map.lua" }

local function namesPlace(message)
  local place = message:match "tiled%.load: (.*)$"
  for _, word in ipairs(PLACES) do
    if place and place:sub(1, #word) == word then return true end
  end
  return false
end

-- The limits of Lua instructions, which take far less than 50 ms, and of KB.
local MOST_STEPS, MOST_MEMORY = 1e6, 50 * 1024

-- Calls a function, and fails if it runs for too long.
local function within(steps, f)
  local isLate = false
  debug.sethook(function()
    isLate = true
    error "too many steps"
  end, "", steps)
  local ok, result = pcall(f)
  debug.sethook()
  assert.is_false(isLate, "too many steps")
  return ok, result
end

describe("a damaged map of Tiled", function()
  local before
  setup(function()
    before = rawget(_G, "love")
    rawset(_G, "love", { data = { decompress = function(_, _, text) return inflate(text) end } })
  end)
  teardown(function() rawset(_G, "love", before) end)

  local seed = random.seed()
  it(("loads, or raises with a place and adds nothing, from seed %d on"):format(seed), function()
    local raised, rounds = 0, random.rounds(10000)
    for round = 1, rounds do
      local r = random.new(seed + round)
      local files = { ["map.lua"] = copy(r:pick(SOURCES)), ["set.lua"] = copy(SETS[1]) }
      damage(r, files[r:chance(0.9) and "map.lua" or "set.lua"])
      local world = collide.newWorld()
      local hero = world:add { x = 0, y = 0, shape = collide.circle(3) }
      local memory = collectgarbage "count"
      local ok, result = within(MOST_STEPS, function()
        return tiled.load("map.lua", { world = world,
          load = function(path) return files[path] end })
      end)
      local told = ("seed %d: %s"):format(seed + round, tostring(result))
      assert.is_true(collectgarbage "count" - memory < MOST_MEMORY, told)
      if ok then
        assert.equal(#result.actors + 1, world:count(), told)
      else
        raised = raised + 1
        assert.is_true(namesPlace(result), told)
        assert.same({ hero }, world:actors())
      end
    end
    assert.is_true(raised > rounds / 10 and raised < rounds)
  end)
end)
