-- The accelerator of snapshots: under LuaJIT, while its compiler is on, the actors' fields are read
-- by Lua loops that go through pointers into a snapshot, as csrc/lua/fields.c reads them. Without
-- LuaJIT or its FFI this module is false.

local binding = require "collide.binding"
if not binding.ffi then return false end

local core = require "collide.core"
local check = require "collide.check"

local type = type
local MAX_COORDINATE, MAX_ANGLE = check.MAX_COORDINATE, check.MAX_ANGLE

local M = {}

local _, SnapshotPointer = binding.struct("snapshot", {
  { "const cl_vec *", "place" },
  { "const double *", "angle" },
  { "uint8_t *", "flag" },
  { "double *", "number" },
  { "uint32_t", "slots", "numbers", "number_room" },
}, { cl_vec = binding.struct("place", { { "double", "x", "y" } }) })

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

-- Places of all actors; nothing, or slot, key and value of the first bad one.
local function newReadPlaces(keyX, keyY, keyAngle)
  return function(snapshot, userdata, actors)
    for i = 0, snapshot.slots - 1 do
      local actor = actors[i + 1]
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

local usual = newReadPlaces("x", "y", "angle")
-- The readers of worlds with other field names, by those names.
local unusual = setmetatable({}, { __mode = "k" })

local function readPlacesOf(names)
  if names.x == "x" and names.y == "y" and names.angle == "angle" then return usual end
  local read = unusual[names]
  if not read then
    read = newReadPlaces(names.x, names.y, names.angle)
    unusual[names] = read
  end
  return read
end

-- The actors that have a `save`; returns how many.
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

-- One field of all actors; nothing, or slot and value of the first bad one.
local function readField(actors, n, key, save, values, at, nothing, left, slots)
  for slot = 1, n do
    local actor = actors[slot]
    if actor then
      local value = actor[key]
      local kind = type(value)
      if value == nil then
        value = nothing
      elseif kind ~= "number" and kind ~= "string" and kind ~= "boolean"
        and not (kind == "table" and slots[value]) then
        if not (save and actor[save]) then return slot, value end
        value = left
      end
      values[at + slot] = value
    end
  end
end

--- What M.readFields goes through, of a snapshot's userdata.
function M.open(userdata)
  return binding.open(SnapshotPointer, userdata)
end

--- As core.readFields, but for its first argument.
function M.readFields(snapshot, userdata, actors, names, keys, values, nothing, left, slots, savers)
  snapshot.numbers = 0
  local slot, key, value = readPlacesOf(names)(snapshot, userdata, actors)
  local n = snapshot.slots
  for k = 1, #keys do
    if slot then break end
    key = keys[k]
    slot, value = readField(actors, n, key, names.save, values, (k - 1) * n, nothing, left, slots)
  end
  if slot then return nil, slot, key, value end
  return names.save and readSavers(actors, n, names.save, savers) or 0
end

return M
