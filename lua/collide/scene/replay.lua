-- Records a run of a scene, frame by frame, for the page that plays it: the actors with their
-- places, fields and hits, the bullets and the lasers.
--
-- Places are integer multiples of a small unit. A place is written as its difference from the one
-- extrapolated from the two frames before, which is small for steady motion. playerreader.lua reads
-- everything in the same order.

local each = require "collide.each"
local packing = require "collide.scene.packing"
local bullets = require "collide.scene.replaybullets"
local shapes = require "collide.scene.replayshapes"

local floor = math.floor
local count, signed, block = packing.count, packing.signed, packing.block

local M = {}

-- Units per radian, and per 1 in the value of a field.
local ANGLE_UNITS, FIELD_UNITS = 1024, 1000

-- Limits in characters: for all fields, and for the depths of all hits. The rest is left out.
local MOST_FIELDS, MOST_DEPTHS = 250000, 200000

---@class collide.Replay
local Replay = {}
Replay.__index = Replay

-- Units per world unit: a power of 2, fine enough for a scene of this size.
local function unitsFor(scene)
  local size, units = math.max(scene.width, scene.height), 1
  while size * units < 8192 do units = units * 2 end
  while size * units >= 16384 do units = units / 2 end
  return units
end

--- Makes a replay of a scene, without frames.
---@param scene collide.Scene
---@return collide.Replay
function M.new(scene)
  local units, pictures = unitsFor(scene), shapes.new()
  return setmetatable({
    scene = scene, units = units, frames = {}, count = 0, shapes = pictures,
    actors = {}, present = {}, fields = {}, fieldNames = {}, others = {},
    pairs = {}, depths = {}, depthsSize = 0,
    pools = bullets.new(units, pictures),
  }, Replay)
end

local function round(value)
  return floor(value + 0.5)
end

-- Actors ------------------------------------------------------------------------

local SCALARS = { string = true, number = true, boolean = true }

local function fieldFor(self, name)
  local field = self.fields[name]
  if not field then
    field = { first = {}, out = {}, empty = self.count }
    self.fields[name] = field
    self.fieldNames[#self.fieldNames + 1] = name
  end
  return field
end

local function isFinite(value)
  return type(value) == "number" and value - value == 0 and value > -1e12 and value < 1e12
end

-- Records a change of a field. Booleans and numbers change often, so each field has packed text for
-- them; other changes are listed one by one.
local function noteField(self, entry, name, value)
  local field = fieldFor(self, name)
  local before = entry.fields[name]
  if before == value then return end
  entry.fields[name] = value
  if type(value) == "boolean" and type(before) == "boolean" then
    field.toggled = field.toggled or {}
    table.insert(field.toggled, entry.number)
  elseif isFinite(value) and isFinite(before) then
    field.moved = field.moved or {}
    table.insert(field.moved, entry.number)
    table.insert(field.moved, round(value * FIELD_UNITS) - round(before * FIELD_UNITS))
  else
    table.insert(self.others, { self.count, entry.number, name, value, n = 4 })
  end
end

-- Whether the page shows a field. The page shows the place separately, and JSON has no nan.
local function isShown(name, value, names)
  return type(name) == "string" and SCALARS[type(value)] and value == value
    and name ~= names.x and name ~= names.y and name ~= names.angle
end

local function noteFields(self, entry, actor, names)
  for name, value in each.next, actor do
    if isShown(name, value, names) then noteField(self, entry, name, value) end
  end
  for name in each.pairs(entry.fields) do
    if not isShown(name, rawget(actor, name), names) then noteField(self, entry, name, nil) end
  end
end

local function describe(actor, names, number)
  local name = names.name and actor[names.name]
  local label = SCALARS[type(name)] and tostring(name) or "actor " .. number
  local group = names.group and actor[names.group]
  return { label, type(group) == "string" and group or 0,
    names.static and actor[names.static] and 1 or 0 }
end

local function addActor(self, actor, names)
  local number = #self.actors + 1
  local entry = { number = number, track = packing.newTrack(), fields = {} }
  self.actors[number] = describe(actor, names, number)
  for name, value in each.next, actor do
    if isShown(name, value, names) then
      fieldFor(self, name).first[number] = value
      entry.fields[name] = value
    end
  end
  return entry
end

local function writeActors(self, out)
  local world = self.scene.world
  local names, actors = world._names, world:actors()
  local entries, gone, added, here = {}, {}, 0, {}
  for _, actor in ipairs(actors) do here[actor] = true end
  for i, entry in ipairs(self.present) do
    -- An actor that was removed and added again now comes at the end.
    if here[entry.actor] and entry.actor == actors[#entries + 1] then
      entries[#entries + 1] = entry
    else
      gone[#gone + 1] = i
    end
  end
  for i = #entries + 1, #actors do
    local entry = addActor(self, actors[i], names)
    entry.actor = actors[i]
    entries[i] = entry
    added = added + 1
  end
  self.present = entries
  packing.list(out, gone, added)

  local n, xs, ys, angles, numbers = #entries, {}, {}, {}, {}
  for i, entry in ipairs(entries) do
    local actor, track = entry.actor, entry.track
    local number = shapes.numberOf(self.shapes, actor[names.shape], self.count)
    local angle = names.angle and actor[names.angle] or 0
    xs[i] = packing.follow(track, "x", "x2", round(actor[names.x] * self.units))
    ys[i] = packing.follow(track, "y", "y2", round(actor[names.y] * self.units))
    angles[i] = packing.follow(track, "angle", "angle2", round(angle * ANGLE_UNITS))
    numbers[i] = number - track.shape
    track.shape, track.isOld = number, true
    noteFields(self, entry, actor, names)
  end
  block(out, xs, n)
  block(out, ys, n)
  block(out, angles, n)
  block(out, numbers, n)
  return entries
end

local function writeFields(self)
  for _, name in ipairs(self.fieldNames) do
    local field = self.fields[name]
    local toggled, moved = field.toggled, field.moved
    if toggled or moved then
      local out = field.out
      count(out, field.empty)
      field.empty = 0
      count(out, toggled and #toggled or 0)
      local at = 0
      for _, number in ipairs(toggled or {}) do
        count(out, number - at - 1)
        at = number
      end
      count(out, moved and #moved / 2 or 0)
      at = 0
      for i = 1, moved and #moved or 0, 2 do
        count(out, moved[i] - at - 1)
        signed(out, moved[i + 1])
        at = moved[i]
      end
      field.toggled, field.moved = nil, nil
    else
      field.empty = field.empty + 1
    end
  end
end

-- Hits ----------------------------------------------------------------------------

local function writeHits(self, out, entries)
  local world, number, now = self.scene.world, {}, {}
  for _, entry in ipairs(entries) do number[entry.actor] = entry.number end
  local depths = {}
  for a, b, nx, ny, depth in world:hits() do
    local first, second = number[a], number[b]
    now[#now + 1] = { first, second }
    if self.depthsSize <= MOST_DEPTHS then
      signed(depths, round(40 * nx))
      signed(depths, round(40 * ny))
      signed(depths, round(depth * self.units))
    end
  end

  local before, gone, added, i = self.pairs, {}, {}, 1
  for _, pair in ipairs(now) do
    while before[i] and (before[i][1] < pair[1]
      or before[i][1] == pair[1] and before[i][2] < pair[2]) do
      gone[#gone + 1] = i
      i = i + 1
    end
    if before[i] and before[i][1] == pair[1] and before[i][2] == pair[2] then
      i = i + 1
    else
      added[#added + 1] = pair
    end
  end
  for k = i, #before do gone[#gone + 1] = k end
  packing.list(out, gone, #added)
  local at = 1
  for _, pair in ipairs(added) do
    count(out, pair[1] - at)
    count(out, pair[2] - pair[1] - 1)
    at = pair[1]
  end
  self.pairs = now
  local text = table.concat(depths)
  self.depths[self.count + 1] = text
  self.depthsSize = self.depthsSize + #text
end

--- Adds the scene's present frame. The first one added may be frame 0, before any has been played,
--- or a later one.
function Replay:add()
  local out = {}
  self.start = self.start or self.scene.frame
  local entries = writeActors(self, out)
  writeFields(self)
  writeHits(self, out, entries)
  bullets.write(self.pools, out, self.scene.world)
  self.count = self.count + 1
  self.frames[self.count] = table.concat(out)
end

-- The fields as data, and the names of those that are left out: the largest, if all together are
-- too large.
local function fieldsOf(self)
  local fields, total, left = {}, 0, {}
  for _, name in ipairs(self.fieldNames) do
    local field = self.fields[name]
    local text = table.concat(field.out)
    fields[#fields + 1] = { name = name, first = field.first, text = text }
    total = total + #text
  end
  table.sort(fields, function(a, b)
    if #a.text ~= #b.text then return #a.text < #b.text end
    return a.name < b.name
  end)
  while total > MOST_FIELDS do
    local largest = table.remove(fields)
    total = total - #largest.text
    left[#left + 1] = largest.name
  end
  for _, field in ipairs(fields) do
    field.first.n = #self.actors
  end
  return fields, left
end

--- The number of an actor in the last frame, or nil.
---@return integer?
function Replay:numberOf(actor)
  for _, entry in ipairs(self.present) do
    if entry.actor == actor then return entry.number end
  end
end

local function list(values)
  values.n = #values
  return values
end

--- The whole replay, in the form that the page's script reads.
---@return table data for json.encode
function Replay:data()
  local scene = self.scene
  local fields, left = fieldsOf(self)
  return {
    name = scene.name, seed = scene.seed, dt = scene.dt, width = scene.width,
    height = scene.height, params = scene.params, start = self.start or 0,
    alphabet = packing.ALPHABET, units = self.units, angleUnits = ANGLE_UNITS,
    fieldUnits = FIELD_UNITS, shapes = list(self.shapes.list), actors = list(self.actors),
    fields = list(fields), left = list(left), others = list(self.others),
    pools = list(self.pools.list), frames = list(self.frames),
    depths = self.depthsSize <= MOST_DEPTHS and list(self.depths) or 0,
  }
end

return M
