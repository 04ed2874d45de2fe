-- What a run of a scene looked like, frame by frame, for the page that plays it: who was where,
-- what hit what, bullets and lasers, and the fields of actors.
--
-- Places are whole multiples of a small unit. Each frame is written as what the two before do not
-- foretell: of what flies straight, hardly anything. player.lua reads it in the same order.

local core = require "collide.core"
local outline = require "collide.outline"
local packing = require "collide.scene.packing"
local path = require "collide.scene.path"

local floor = math.floor
local count, signed, block = packing.count, packing.signed, packing.block

local M = {}

-- Units in a radian, and in 1 of a field.
local ANGLE_UNITS, FIELD_UNITS = 1024, 1000

-- Fields, and the depths of hits, that take more characters than this altogether are left out.
local MOST_FIELDS, MOST_DEPTHS = 250000, 200000

-- A map of more parts than this is looked at for changes only once in so many frames.
local MANY_PARTS, SELDOM = 256, 30

---@class collide.Replay
local Replay = {}
Replay.__index = Replay

-- Units in 1 of a world: fine enough for a scene of this size.
local function unitsFor(scene)
  local size, units = math.max(scene.width, scene.height), 1
  while size * units < 8192 do units = units * 2 end
  while size * units >= 16384 do units = units / 2 end
  return units
end

--- A replay of a scene, without any frame.
---@param scene collide.Scene
---@return collide.Replay
function M.new(scene)
  return setmetatable({
    scene = scene, units = unitsFor(scene), frames = {}, count = 0,
    shapes = {}, shapeOf = {}, maps = {},
    actors = {}, present = {}, tracks = {}, fields = {}, fieldNames = {}, others = {},
    pairs = {}, depths = {}, depthsSize = 0,
    pools = {}, poolOf = {}, lasers = {},
  }, Replay)
end

local function round(value)
  return floor(value + 0.5)
end

-- Tracks ----------------------------------------------------------------------

-- The last two places of a thing, the same at first. What follows is where it would be next.
local function newTrack()
  return { x = 0, y = 0, angle = 0, x2 = 0, y2 = 0, angle2 = 0, shape = 0 }
end

local function follow(track, name, before, value)
  local last = track[name]
  local rest = value - (2 * last - track[before])
  track[before] = track.isOld and last or value
  track[name] = value
  return rest
end

-- Shapes ------------------------------------------------------------------------

local function addPath(self, shape)
  local fill, line = path.of(shape)
  local n = #self.shapes + 1
  self.shapes[n] = { fill, fill ~= line and line or 0, outline.turns(shape) and 1 or 0 }
  return n
end

-- The number of a map's picture, which changes with its grid.
local function mapNumber(self, shape)
  local map = self.maps[shape]
  if map and map.parts > MANY_PARTS and self.count % SELDOM ~= 0 then return map.number end
  local fill = path.of(shape)
  if not map or map.fill ~= fill then
    map = { fill = fill, number = addPath(self, shape), parts = #shape:parts() }
    self.maps[shape] = map
  end
  return map.number
end

local function shapeNumber(self, shape)
  local number = self.shapeOf[shape]
  if number then return number end
  if shape:kind() == "tiles" then return mapNumber(self, shape) end
  number = addPath(self, shape)
  self.shapeOf[shape] = number
  return number
end

-- Actors ------------------------------------------------------------------------

local SCALARS = { string = true, number = true, boolean = true }

local function fieldFor(self, name)
  local field = self.fields[name]
  if not field then
    field = { first = {}, out = {}, empty = 0, changed = false }
    self.fields[name] = field
    self.fieldNames[#self.fieldNames + 1] = name
  end
  return field
end

local function isFinite(value)
  return type(value) == "number" and value - value == 0 and value > -1e12 and value < 1e12
end

-- What changes often, booleans and numbers, each field has texts of its own for; the rest is told
-- one by one.
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

-- Whether it is shown as a field: not the place, nor nan.
local function isShown(name, value, names)
  return type(name) == "string" and SCALARS[type(value)] and value == value
    and name ~= names.x and name ~= names.y and name ~= names.angle
end

local function noteFields(self, entry, actor, names)
  for name, value in next, actor do
    if isShown(name, value, names) then noteField(self, entry, name, value) end
  end
  for name in pairs(entry.fields) do
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
  local entry = { number = number, track = newTrack(), fields = {} }
  self.actors[number] = describe(actor, names, number)
  for name, value in next, actor do
    if isShown(name, value, names) then
      fieldFor(self, name).first[number] = value
      entry.fields[name] = value
    end
  end
  return entry
end

-- Writes which of the old list are in the new one no more, by their gaps, and how many are new.
local function writeList(out, gone, added)
  count(out, #gone)
  local at = 0
  for _, place in ipairs(gone) do
    count(out, place - at - 1)
    at = place
  end
  count(out, added)
end

local function writeActors(self, out)
  local world = self.scene.world
  local names, actors = world._names, world:actors()
  local entries, gone, added, here = {}, {}, 0, {}
  for _, actor in ipairs(actors) do here[actor] = true end
  for i, entry in ipairs(self.present) do
    -- One that was taken out and put back stands at the end again.
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
  writeList(out, gone, added)

  local n, xs, ys, angles, shapes = #entries, {}, {}, {}, {}
  for i, entry in ipairs(entries) do
    local actor, track = entry.actor, entry.track
    local shape = shapeNumber(self, actor[names.shape])
    local angle = names.angle and actor[names.angle] or 0
    xs[i] = follow(track, "x", "x2", round(actor[names.x] * self.units))
    ys[i] = follow(track, "y", "y2", round(actor[names.y] * self.units))
    angles[i] = follow(track, "angle", "angle2", round(angle * ANGLE_UNITS))
    shapes[i] = shape - track.shape
    track.shape, track.isOld = shape, true
    noteFields(self, entry, actor, names)
  end
  block(out, xs, n)
  block(out, ys, n)
  block(out, angles, n)
  block(out, shapes, n)
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
  writeList(out, gone, #added)
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

-- Bullets --------------------------------------------------------------------------

local function noteLasers(self, out, pool, isLaser)
  local before, now, gone, added, i = pool.lasers, {}, {}, {}, 1
  local bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, 0)
  while bullet do
    isLaser[bullet] = true
    while before[i] and before[i].bullet < bullet do
      gone[#gone + 1] = i
      i = i + 1
    end
    local same = before[i] and before[i].bullet == bullet and before[i]
    if same and same.x == x and same.y == y and same.hot == hot then
      now[#now + 1] = same
    else
      if same then gone[#gone + 1] = i end
      local laser = { bullet = bullet, x = x, y = y, hot = hot,
        shape = same and same.shape or addPath(self, shape) }
      now[#now + 1] = laser
      added[#added + 1] = laser
    end
    if same then i = i + 1 end
    bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, bullet)
  end
  for k = i, #before do gone[#gone + 1] = k end
  pool.lasers = now
  writeList(out, gone, #added)
  for _, laser in ipairs(added) do
    count(out, laser.shape)
    signed(out, round(laser.x * self.units))
    signed(out, round(laser.y * self.units))
    count(out, laser.hot and 1 or 0)
  end
end

local function writePool(self, out, pool)
  local isLaser = {}
  noteLasers(self, out, pool, isLaser)
  local before, now, gone, added, i = pool.bullets, {}, {}, 0, 1
  local xs, ys, radii, n = {}, {}, {}, 0
  pool.pool:each(function(bullet, x, y, _, _, radius)
    if isLaser[bullet] then return end
    while before[i] and before[i].bullet < bullet do
      gone[#gone + 1] = i
      i = i + 1
    end
    local track = before[i]
    if track and track.bullet == bullet then
      i = i + 1
    else
      track = newTrack()
      track.bullet, track.radius = bullet, 0
      added = added + 1
    end
    n = n + 1
    now[n] = track
    local size = round((radius - pool.pool.radius) * self.units)
    xs[n] = follow(track, "x", "x2", round(x * self.units))
    ys[n] = follow(track, "y", "y2", round(y * self.units))
    radii[n] = size - track.radius
    track.radius, track.isOld = size, true
  end)
  for k = i, #before do gone[#gone + 1] = k end
  pool.bullets = now
  writeList(out, gone, added)
  block(out, xs, n)
  block(out, ys, n)
  block(out, radii, n)
end

local function writePools(self, out)
  for _, pool in ipairs(self.scene.world:pools()) do
    if not self.poolOf[pool] then
      self.poolOf[pool] = { pool = pool, bullets = {}, lasers = {}, number = #self.pools + 1 }
      self.pools[#self.pools + 1] = { radius = pool.radius }
    end
  end
  local pools = self.scene.world:pools()
  count(out, #pools)
  for _, pool in ipairs(pools) do
    count(out, self.poolOf[pool].number - 1)
    writePool(self, out, self.poolOf[pool])
  end
end

--- Adds a frame: the scene as it stands. The first is frame 0, before any has been played, or
--- whichever the scene is at.
function Replay:add()
  local out = {}
  self.start = self.start or self.scene.frame
  local entries = writeActors(self, out)
  writeFields(self)
  writeHits(self, out, entries)
  writePools(self, out)
  self.count = self.count + 1
  self.frames[self.count] = table.concat(out)
end

-- The fields, the largest of which are left out where all are too much.
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

--- The number of an actor that is in the last frame.
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

--- All of it, as the page's script takes it.
---@return table data for json.encode
function Replay:data()
  local scene = self.scene
  local fields, left = fieldsOf(self)
  return {
    name = scene.name, seed = scene.seed, dt = scene.dt, width = scene.width,
    height = scene.height, params = scene.params, start = self.start or 0,
    alphabet = packing.ALPHABET, units = self.units, angleUnits = ANGLE_UNITS,
    fieldUnits = FIELD_UNITS, shapes = list(self.shapes), actors = list(self.actors),
    fields = list(fields), left = list(left), others = list(self.others), pools = list(self.pools),
    frames = list(self.frames),
    depths = self.depthsSize <= MOST_DEPTHS and list(self.depths) or 0,
  }
end

return M
