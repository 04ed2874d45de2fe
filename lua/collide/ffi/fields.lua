-- The accelerator of snapshots. Under LuaJIT, while its compiler is on, Lua loops read and write
-- the actors' fields through pointers into a snapshot, instead of csrc/lua/snapshot.c. Without
-- LuaJIT or its FFI this module is false.

local require = require "collide.relative"
local binding = require "collide.binding"
if not binding.ffi then return false end

local core = require "collide.core"
local check = require "collide.check"

local bit = require "bit"

local type, getmetatable, rawequal = type, getmetatable, rawequal
local band = bit.band
local MAX_COORDINATE, MAX_ANGLE = check.MAX_COORDINATE, check.MAX_ANGLE

local M = {}

local _, SnapshotPointer = binding.struct("snapshot", { cl_vec = binding.struct "place" })

local ODD_PLACE, HAS_ANGLE, ODD_ANGLE = core.ODD_PLACE, core.HAS_ANGLE, core.ODD_ANGLE

-- Whether two numbers, neither of them nan, are the same to the bit.
local function same(a, b)
  return a == b and (a ~= 0 or 1 / a == 1 / b)
end

local function add(snapshot, userdata, value)
  if snapshot.numbers == snapshot.number_room then userdata:grow() end
  snapshot.number[snapshot.numbers] = value
  snapshot.numbers = snapshot.numbers + 1
end

-- Makes a function that reads the places of all actors. It returns nothing, or slot, key and value
-- of the first bad field. A place or angle that differs from the core's is written to the list of
-- numbers, with a flag.
local function newReadPlaces(keyX, keyY, keyAngle, keyAt)
  return function(snapshot, userdata, actors)
    for i = 0, snapshot.slots - 1 do
      local actor = actors[i + 1]
      if actor and keyAt then
        actor = actor[keyAt]
        if type(actor) ~= "table" then return i + 1, keyAt, actor end
      end
      if actor then
        local x, y, flag = actor[keyX], actor[keyY], 0
        if not (type(x) == "number" and x >= -MAX_COORDINATE and x <= MAX_COORDINATE) then
          return i + 1, keyX, x
        elseif not (type(y) == "number" and y >= -MAX_COORDINATE and y <= MAX_COORDINATE) then
          return i + 1, keyY, y
        end
        local place = snapshot.place[i]
        if not (same(x, place.x) and same(y, place.y)) then
          flag = ODD_PLACE
          add(snapshot, userdata, x)
          add(snapshot, userdata, y)
        end
        local angle = keyAngle and actor[keyAngle]
        if angle then
          if not (type(angle) == "number" and angle >= -MAX_ANGLE and angle <= MAX_ANGLE) then
            return i + 1, keyAngle, angle
          end
          flag = flag + HAS_ANGLE
          if not same(angle, snapshot.angle ~= nil and snapshot.angle[i] or 0) then
            flag = flag + ODD_ANGLE
            add(snapshot, userdata, angle)
          end
        elseif angle == false and keyAngle then
          return i + 1, keyAngle, angle
        end
        snapshot.flag[i] = flag
      end
    end
  end
end

-- Makes a function that writes the places back into the actors.
local function newWritePlaces(keyX, keyY, keyAngle, keyAt)
  return function(snapshot, actors)
    local odd = 0
    for i = 0, snapshot.slots - 1 do
      local actor = actors[i + 1]
      if actor and keyAt then actor = actor[keyAt] end
      if actor then
        local flag, place, angle = snapshot.flag[i], snapshot.place[i], 0
        local x, y = place.x, place.y
        if band(flag, ODD_PLACE) ~= 0 then
          x, y = snapshot.number[odd], snapshot.number[odd + 1]
          odd = odd + 2
        end
        actor[keyX] = x -- first x, then y: a __newindex may see the order
        actor[keyY] = y
        if snapshot.angle ~= nil then angle = snapshot.angle[i] end
        if band(flag, ODD_ANGLE) ~= 0 then
          angle = snapshot.number[odd]
          odd = odd + 1
        end
        if keyAngle and band(flag, HAS_ANGLE) ~= 0 then
          actor[keyAngle] = angle
        elseif keyAngle and actor[keyAngle] ~= nil then
          actor[keyAngle] = nil
        end
      end
    end
  end
end

-- Returns a function that returns the result of `new` for the names of a world, and calls `new`
-- only once for each set of names.
local function byNames(new)
  local usual, unusual = new("x", "y", "angle", false), setmetatable({}, { __mode = "k" })
  return function(names)
    if names.x == "x" and names.y == "y" and names.angle == "angle" and not names.at then
      return usual
    end
    local made = unusual[names]
    if not made then
      made = new(names.x, names.y, names.angle, names.at)
      unusual[names] = made
    end
    return made
  end
end

local readPlacesOf, writePlacesOf = byNames(newReadPlaces), byNames(newWritePlaces)

-- Lists the slots of the actors that have a `toSnapshot` in `savers`; returns how many there are.
local function readSavers(actors, n, key, savers)
  local count = 0
  for slot = 1, n do
    local actor = actors[slot]
    if actor and actor[key] then
      count = count + 1
      savers[count] = slot
    end
  end
  return count
end

-- Reads one field of all actors into values[at + slot]. `nothing` stands for nil, `left` for a
-- value that is left to the actor's `toSnapshot`, whose name is `to`. Returns the length of
-- `randoms` and, if a field is bad, the slot and value of the first one.
local function readField(actors, n, key, to, values, at, nothing, left, slots, randoms, count)
  for slot = 1, n do
    local actor = actors[slot]
    if actor then
      local value = actor[key]
      local kind = type(value)
      if value == nil then
        value = nothing
      elseif kind == "table" and getmetatable(value) == randoms[0] then
        count = count + 1
        randoms[count] = value
      elseif kind ~= "number" and kind ~= "string" and kind ~= "boolean"
        and not (kind == "table" and slots[value]) then
        if not (to and actor[to]) then return count, slot, value end
        value = left
      end
      values[at + slot] = value
    end
  end
  return count
end

--- The pointer into a snapshot's userdata that M.readFields and M.writeFields take. The snapshot
--- holds both, and their callers hold the snapshot.
function M.open(userdata)
  return binding.pointer(SnapshotPointer, userdata)
end

--- Like core.readFields, except for the first argument, which is from M.open.
function M.readFields(snapshot, userdata, actors, names, keys, values, nothing, left, slots, savers,
    randoms)
  snapshot.numbers = 0
  local slot, key, value = readPlacesOf(names)(snapshot, userdata, actors)
  local n, count, to = snapshot.slots, 0, names.toSnapshot
  for k = 1, #keys do
    if slot then break end
    key = keys[k]
    count, slot, value = readField(actors, n, key, to, values, (k - 1) * n, nothing, left, slots,
      randoms, count)
  end
  if slot then return nil, slot, key, value end
  return to and readSavers(actors, n, to, savers) or 0, count
end

-- Writing --------------------------------------------------------------------------

local function writeShapes(actors, n, key, shapes)
  for slot = 1, n do
    local actor = actors[slot]
    if actor and not rawequal(actor[key], shapes[slot]) then actor[key] = shapes[slot] end
  end
end

-- Writes a flag to the actors whose field means something else. False is written as nil, unless the
-- bit in `stated` says that the field was false, or the actor's class says otherwise.
local function writeFlags(actors, n, key, flags, stated, bitOf)
  for slot = 1, n do
    local actor, flag = actors[slot], flags[slot]
    if actor and (actor[key] and true or false) ~= flag then
      if not flag and band(stated[slot], bitOf) == 0 then actor[key] = nil end
      if (actor[key] and true or false) ~= flag then actor[key] = flag end
    end
  end
end

-- Whether a value of `oneWay` means the same as one of core.entry.
local function sameLook(value, look)
  if not (value and look) then return not value == not look end
  local x, y = core.readOneWay(value)
  local lookX, lookY = core.readOneWay(look)
  return x == lookX and y == lookY
end

-- The same for the direction that one-way actors face. Each actor gets a table of its own.
local function writeLooks(actors, n, key, looks, stated)
  for slot = 1, n do
    local actor, look = actors[slot], looks[slot]
    if actor and not sameLook(actor[key], look) then
      if not look and band(stated[slot], core.STATES_ONE_WAY) == 0 then actor[key] = nil end
      if not sameLook(actor[key], look) then
        actor[key] = type(look) == "table" and { look[1], look[2] } or look
      end
    end
  end
end

local function groupOf(actor, key)
  local group = actor[key]
  if group == nil then return "default" end
  return group
end

-- The same for groups: "default" becomes nil.
local function writeGroups(actors, n, key, groups, stated, bitOf)
  for slot = 1, n do
    local actor, group = actors[slot], groups[slot]
    if actor and groupOf(actor, key) ~= group then
      if group == "default" and band(stated[slot], bitOf) == 0 then actor[key] = nil end
      if groupOf(actor, key) ~= group then actor[key] = group end
    end
  end
end

local function writeField(actors, n, key, values, at, nothing, left)
  for slot = 1, n do
    local actor = actors[slot]
    if actor then
      local value = values[at + slot]
      if value == nothing then
        actor[key] = nil
      elseif value ~= left then
        actor[key] = value
      end
    end
  end
end

local FLAGS = { "static", "sensor", "swept" }
local FLAG_BITS = { core.STATES_STATIC, core.STATES_SENSOR, core.STATES_SWEPT }

-- The flags and groups of a roster's actors, by slot.
local function kindsOf(roster, userdata, groups)
  local kinds = { group = {}, static = {}, sensor = {}, oneWay = {}, swept = {} }
  for slot = 1, #roster.actors do
    local group, static, sensor, oneWay, swept = core.entry(userdata, slot)
    kinds.group[slot] = group and groups[group + 1] or false
    kinds.static[slot], kinds.sensor[slot] = static or false, sensor or false
    kinds.oneWay[slot], kinds.swept[slot] = oneWay or false, swept or false
  end
  return kinds
end

--- Like core.writeFields, for the actors of a roster. Their flags and groups are cached in
--- roster.kinds.
function M.writeFields(snapshot, userdata, roster, names, keys, values, nothing, left, groups)
  local actors, n, stated = roster.actors, snapshot.slots, roster.stated
  local kinds = roster.kinds or kindsOf(roster, userdata, groups)
  roster.kinds = kinds
  writePlacesOf(names)(snapshot, actors)
  writeShapes(actors, n, names.shape, roster.shapes)
  for i = 1, #FLAGS do
    local flag = FLAGS[i]
    if names[flag] then writeFlags(actors, n, names[flag], kinds[flag], stated, FLAG_BITS[i]) end
  end
  if names.oneWay then writeLooks(actors, n, names.oneWay, kinds.oneWay, stated) end
  if names.group then
    writeGroups(actors, n, names.group, kinds.group, stated, core.STATES_GROUP)
  end
  for k = 1, #keys do
    writeField(actors, n, keys[k], values, (k - 1) * n, nothing, left)
  end
end

return M
