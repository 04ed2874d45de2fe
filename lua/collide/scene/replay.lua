-- Records a run of a scene, frame by frame, for the page that plays it: the actors with their
-- places, fields and hits, the bullets and the lasers.
--
-- Places are integer multiples of a small unit. A place is written as its difference from the one
-- extrapolated from the two frames before, which is small for steady motion. page.lua reads
-- everything in the same order.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"
local canvas = require "collide.canvas"
local texts = require "collide.scene.text"
local reader = require "collide.world.reader"

local M = {}

-- Packing integers ---------------------------------------------------------------

local floor = math.floor

-- Integers become text, in which small ones take few characters; page.lua reads it. A digit is one
-- of 81 characters. A count is written in base 40: its last digit is below 40, the others have 40
-- added.
-- A block of values begins with 0 if all of them are 0, and otherwise with 1: then each digit has
-- two values from -4 to 4, or it is the highest one, 80, and two counts follow.

-- None of these characters needs an escape in a script's string.
local DIGITS = {}
do
  local code = 35
  for digit = 0, 80 do
    while code == 60 or code == 92 do code = code + 1 end
    DIGITS[digit] = string.char(code)
    code = code + 1
  end
end

--- All digits in order.
M.ALPHABET = DIGITS[0] .. table.concat(DIGITS)

--- Appends a count to a list of texts.
---@param out string[]
---@param value integer 0 or more
function M.count(out, value)
  local n, text = #out + 1, DIGITS[value % 40]
  value = floor(value / 40)
  while value > 0 do
    text = DIGITS[40 + value % 40] .. text
    value = floor(value / 40)
  end
  out[n] = text
end

-- Maps integers to counts: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …
local function fold(value)
  return value < 0 and -2 * value - 1 or 2 * value
end

--- Appends an integer that may be negative.
function M.signed(out, value)
  M.count(out, fold(value))
end

-- Whether two values fit into a digit.
local function isPair(a, b)
  return a >= -4 and a <= 4 and b >= -4 and b <= 4 and a + b < 8
end

--- Appends a block of n values.
---@param out string[]
---@param values integer[]
---@param n integer
function M.block(out, values, n)
  local start = #out + 1
  out[start] = DIGITS[0]
  for i = 1, n, 2 do
    local a, b = values[i], i < n and values[i + 1] or 0
    if a ~= 0 or b ~= 0 then out[start] = DIGITS[1] end
    if isPair(a, b) then
      out[#out + 1] = DIGITS[40 + 9 * a + b]
    else
      out[#out + 1] = DIGITS[80]
      M.signed(out, a)
      M.signed(out, b)
    end
  end
  if out[start] == DIGITS[0] then
    for i = #out, start + 1, -1 do out[i] = nil end
  end
end

--- Appends the changes of a list of ascending numbers: the gaps between the members that are gone,
--- and how many are new. Returns the new ones.
---@param out string[]
---@param before number[]
---@param now number[]
---@return number[] added
function M.list(out, before, now)
  local gone, added, i = {}, {}, 1
  local function skipTo(member)
    while before[i] and before[i] < member do
      gone[#gone + 1] = i
      i = i + 1
    end
  end
  for _, member in ipairs(now) do
    skipTo(member)
    if before[i] == member then i = i + 1 else added[#added + 1] = member end
  end
  skipTo(math.huge)
  M.count(out, #gone)
  local at = 0
  for _, place in ipairs(gone) do
    M.count(out, place - at - 1)
    at = place
  end
  M.count(out, #added)
  return added
end

-- A track: the last two places of an object. At first both are 0.
local function newTrack()
  return { x = 0, y = 0, angle = 0, x2 = 0, y2 = 0, angle2 = 0, shape = 0, radius = 0 }
end

-- Moves a track to the next value of its object's "x", "y" or "angle"; `before` is the same name
-- with a 2. Returns the difference from the value extrapolated from the two before.
local function follow(track, name, before, value)
  local last = track[name]
  local rest = value - (2 * last - track[before])
  track[before] = track.isOld and last or value
  track[name] = value
  return rest
end

local count, signed, block = M.count, M.signed, M.block

local function round(value)
  return floor(value + 0.5)
end

-- Shapes as path data ------------------------------------------------------------

local Brush = {}
Brush.__index = Brush

-- Digits after the point.
local PLACES = 3

local function listed(list, n)
  local out = {}
  for i = 1, n or #list do out[i] = texts.short(list[i], PLACES) end
  return table.concat(out, " ")
end

function Brush:add(mode, text)
  local out = self.out[mode]
  out[#out + 1] = text
end

function Brush:rectangle(mode, l, t, w, h)
  self:add(mode, ("M%sh%sv%sh%sz"):format(listed { l, t }, listed { w }, listed { h },
    listed { -w }))
end

function Brush:circle(mode, x, y, r)
  local half = ("a%s 0 1 0 "):format(listed { r, r })
  self:add(mode, ("M%s%s%s%s%sz"):format(listed { x - r, y }, half, listed { 2 * r, 0 }, half,
    listed { -2 * r, 0 }))
end

function Brush:capsule(mode, x1, y1, x2, y2, r)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  local nx, ny = -dy / length * r, dx / length * r
  local arc = ("A%s 0 0 1 "):format(listed { r, r })
  self:add(mode, ("M%s%s%sL%s%s%sz"):format(listed { x1 + nx, y1 + ny }, arc,
    listed { x1 - nx, y1 - ny }, listed { x2 - nx, y2 - ny }, arc, listed { x2 + nx, y2 + ny }))
end

function Brush:polygon(mode, list)
  self:add(mode, "M" .. listed(list) .. "z")
end

function Brush:line(list)
  self:add("line", "M" .. listed(list))
end

--- A brush that makes path data of outlines, and its text so far.
function M.pathBrush()
  local brush = setmetatable({ out = { fill = {}, line = {} } }, Brush)
  return brush, function() return table.concat(brush.out.line) end
end

--- The path data of a shape at 0, 0: its filled area, and its outline.
---@param shape collide.Shape
---@return string fill
---@return string line
function M.pathOf(shape)
  local brush, text = M.pathBrush()
  canvas.drawShape(brush, "line", shape, 0, 0)
  local line = text()
  -- This mode adds parts without an interior to `line` again, so `line` was read before.
  canvas.drawShape(brush, "fill", shape, 0, 0)
  return table.concat(brush.out.fill), line
end

-- Shapes -------------------------------------------------------------------------

-- A map with more than MANY_PARTS parts is checked for changes only every SELDOM frames.
local MANY_PARTS, SELDOM = 256, 30

-- Adds the picture of a shape; returns its number.
local function addShape(shapes, shape)
  local fill, line = M.pathOf(shape)
  local n = #shapes.list + 1
  local l, t, w, h = shape:bounds()
  shapes.list[n] = { fill, fill ~= line and line or 0, canvas.turns(shape) and 1 or 0,
    { l, t, l + w, t + h } }
  return n
end

-- The number of a map's picture, which changes with its grid.
local function mapNumber(shapes, shape, frame)
  local map = shapes.maps[shape]
  if map and map.parts > MANY_PARTS and frame % SELDOM ~= 0 then return map.number end
  local fill = M.pathOf(shape)
  if not map or map.fill ~= fill then
    map = { fill = fill, number = addShape(shapes, shape), parts = #shape:parts() }
    shapes.maps[shape] = map
  end
  return map.number
end

-- The number of a shape's picture.
local function shapeNumber(shapes, shape, frame)
  local number = shapes.numbers[shape]
  if number then return number end
  if shape:kind() == "tiles" then return mapNumber(shapes, shape, frame) end
  number = addShape(shapes, shape)
  shapes.numbers[shape] = number
  return number
end

-- Bullets ------------------------------------------------------------------------

--- Makes the state of a replay's pools.
---@param units number units per world unit
---@param shapes table the replay's shapes
---@return table
function M.newPools(units, shapes)
  return { list = {}, entries = {}, units = units, shapes = shapes }
end

-- Writes all lasers of a pool. Returns the set of their numbers.
local function writeLasers(self, out, pool)
  local pictures, lasers, n = {}, {}, 0
  local bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, 0)
  while bullet do
    pictures[bullet] = pool.pictures[bullet] or addShape(self.shapes, shape)
    count(lasers, pictures[bullet])
    signed(lasers, round(x * self.units))
    signed(lasers, round(y * self.units))
    count(lasers, hot and 1 or 0)
    n = n + 1
    bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, bullet)
  end
  pool.pictures = pictures
  count(out, n)
  out[#out + 1] = table.concat(lasers)
  return pictures
end

local function writePool(self, out, pool)
  local isLaser = writeLasers(self, out, pool)
  local bullets, tracks = {}, {}
  local xs, ys, radii, tails, n, long = {}, {}, {}, {}, 0, 0
  pool.pool:each(function(bullet, x, y, _, _, radius, _, _, tailX, tailY)
    if isLaser[bullet] then return end
    local track = pool.tracks[bullet] or newTrack()
    n = n + 1
    bullets[n], tracks[bullet] = bullet, track
    local size = round((radius - pool.pool.radius) * self.units)
    xs[n] = follow(track, "x", "x2", round(x * self.units))
    ys[n] = follow(track, "y", "y2", round(y * self.units))
    radii[n] = size - track.radius
    if tailX and (tailX ~= x or tailY ~= y) then
      count(tails, n - 1)
      signed(tails, round((tailX - x) * self.units))
      signed(tails, round((tailY - y) * self.units))
      long = long + 1
    end
    track.radius, track.isOld = size, true
  end)
  M.list(out, pool.bullets, bullets)
  pool.bullets, pool.tracks = bullets, tracks
  block(out, xs, n)
  block(out, ys, n)
  block(out, radii, n)
  count(out, long)
  out[#out + 1] = table.concat(tails)
end

--- Writes the pools of a world in one frame.
---@param self table from M.newPools
---@param out string[]
---@param world collide.World
function M.writePools(self, out, world)
  local pools = world:pools()
  for _, pool in ipairs(pools) do
    if not self.entries[pool] then
      self.entries[pool] = { pool = pool, bullets = {}, tracks = {}, pictures = {},
        number = #self.list + 1 }
      self.list[#self.list + 1] = { radius = pool.radius }
    end
  end
  count(out, #pools)
  for _, pool in ipairs(pools) do
    count(out, self.entries[pool].number - 1)
    writePool(self, out, self.entries[pool])
  end
end

-- Frames -------------------------------------------------------------------------

-- Units per radian, and per 1 in a number of a field.
local ANGLE_UNITS, FIELD_UNITS = 1024, 1000

-- Limits in characters: for the changes of all fields, and for the depths of all hits. The rest is
-- left out.
local MOST_FIELDS, MOST_DEPTHS = 250000, 200000

---@class collide.Replay
local Replay = {}
Replay.__index = Replay

-- Units per world unit: a power of 2, fine enough for a scene of this size.
local function unitsFor(scene)
  local size, units = math.max(scene.width, scene.height), 1
  while size * units < 2 ^ 19 do units = units * 2 end
  while size * units >= 2 ^ 20 do units = units / 2 end
  return units
end

--- Makes a replay of a scene, without frames.
---@param scene collide.Scene
---@return collide.Replay
function M.new(scene)
  local units, shapes = unitsFor(scene), { list = {}, numbers = {}, maps = {} }
  return setmetatable({
    scene = scene, units = units, frames = {}, count = 0, shapes = shapes,
    actors = {}, entries = {}, present = {}, fields = {}, fieldsByName = {},
    pairs = {}, depths = {}, depthsSize = 0, pools = M.newPools(units, shapes),
  }, Replay)
end

-- Fields ------------------------------------------------------------------------

-- A field has the first value of each actor, and packed text: for each frame with changes the gap
-- from the last such frame, and how many; for each change the gap from the previous actor, and the
-- index of the new value in the field's `values`, or 0 for none.

local SCALARS = { string = true, number = true, boolean = true }

local function fieldFor(self, name)
  local field = self.fieldsByName[name]
  if not field then
    field = { name = name, first = {}, values = {}, places = {}, out = {}, size = 0,
      frame = -1, changes = {} }
    self.fieldsByName[name] = field
    self.fields[#self.fields + 1] = field
  end
  return field
end

-- The index of a value in the list of a field's values.
local function placeOf(field, value)
  if value == nil then return 0 end
  local place = field.places[value]
  if not place then
    place = #field.values + 1
    field.places[value] = place
    if type(value) == "number" and math.abs(value) < 1e12 then
      value = round(value * FIELD_UNITS) / FIELD_UNITS
    end
    field.values[place] = value
    field.size = field.size + #texts.json(value) + 1
  end
  return place
end

local function noteField(self, entry, name, value)
  if entry.fields[name] == value then return end
  entry.fields[name] = value
  local field = fieldFor(self, name)
  if field.size > MOST_FIELDS then return end
  table.insert(field.changes, entry.number)
  table.insert(field.changes, placeOf(field, value))
end

-- Whether the page shows a field. The page shows the place separately, and JSON has no nan.
local function isShown(name, value, names)
  return type(name) == "string" and SCALARS[type(value)] and value == value
    and (names.at or name ~= names.x and name ~= names.y and name ~= names.angle)
end

local function noteFields(self, entry, actor, names)
  for name, value in each.next, actor do
    if isShown(name, value, names) then noteField(self, entry, name, value) end
  end
  for name in each.pairs(entry.fields) do
    if not isShown(name, rawget(actor, name), names) then noteField(self, entry, name, nil) end
  end
end

local function writeField(self, field)
  local changes, out = field.changes, {}
  if not changes[1] then return end
  count(out, self.count - field.frame - 1)
  count(out, #changes / 2)
  local at = 0
  for i = 1, #changes, 2 do
    count(out, changes[i] - at - 1)
    count(out, changes[i + 1])
    at = changes[i]
  end
  local text = table.concat(out)
  table.insert(field.out, text)
  field.size, field.frame, field.changes = field.size + #text, self.count, {}
end

-- Actors ------------------------------------------------------------------------

-- Describes an actor. The label is 0 without a name: the page then shows its place, as errors do.
local function describe(actor, names)
  local name = names.name and actor[names.name]
  local label = SCALARS[type(name)] and tostring(name) or 0
  local group = names.group and actor[names.group]
  return { label, type(group) == "string" and group or 0,
    names.static and actor[names.static] and 1 or 0 }
end

local function addActor(self, actor, names)
  local number = #self.actors + 1
  local entry = { number = number, track = newTrack(), fields = {} }
  self.actors[number] = describe(actor, names)
  for name, value in each.next, actor do
    if isShown(name, value, names) then
      fieldFor(self, name).first[number] = value
      entry.fields[name] = value
    end
  end
  return entry
end

-- The entries of all actors, by actor, and their numbers, which ascend: an actor that was removed
-- and added again gets a new number.
local function findEntries(self, actors, names)
  local entries, numbers, last = {}, {}, 0
  for i, actor in ipairs(actors) do
    local entry = self.entries[actor]
    if not entry or entry.number <= last then entry = addActor(self, actor, names) end
    last = entry.number
    entries[actor], numbers[i] = entry, last
  end
  return entries, numbers
end

local function writeActors(self, out)
  local world = self.scene.world
  local names, actors = world._names, world:actors()
  local entries, present = findEntries(self, actors, names)
  M.list(out, self.present, present)
  self.entries, self.present = entries, present

  local n, xs, ys, angles, numbers = #actors, {}, {}, {}, {}
  for i, actor in ipairs(actors) do
    local entry = entries[actor]
    local track = entry.track
    local shape, x, y, angle = reader.placeOf(actor, names)
    local number = shapeNumber(self.shapes, shape, self.count)
    xs[i] = follow(track, "x", "x2", round(x * self.units))
    ys[i] = follow(track, "y", "y2", round(y * self.units))
    angles[i] = follow(track, "angle", "angle2", round(angle * ANGLE_UNITS))
    numbers[i] = number - track.shape
    track.shape, track.isOld = number, true
    noteFields(self, entry, actor, names)
  end
  block(out, xs, n)
  block(out, ys, n)
  block(out, angles, n)
  block(out, numbers, n)
end

-- Hits ----------------------------------------------------------------------------

-- A pair of actors is one number: the number of the first times this, plus that of the second.
local PAIR = 2 ^ 26

local function writeHits(self, out)
  local entries, now, depths = self.entries, {}, {}
  for a, b, nx, ny, depth in self.scene.world:hits() do
    now[#now + 1] = entries[a].number * PAIR + entries[b].number
    if self.depthsSize <= MOST_DEPTHS then
      signed(depths, round(40 * nx))
      signed(depths, round(40 * ny))
      signed(depths, round(depth * self.units))
    end
  end
  local at = 1
  for _, pair in ipairs(M.list(out, self.pairs, now)) do
    local first = floor(pair / PAIR)
    count(out, first - at)
    count(out, pair - first * PAIR - first - 1)
    at = first
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
  writeActors(self, out)
  for _, field in ipairs(self.fields) do writeField(self, field) end
  writeHits(self, out)
  M.writePools(self.pools, out, self.scene.world)
  self.count = self.count + 1
  self.frames[self.count] = table.concat(out)
end

local function list(values, n)
  values.n = n or #values
  return values
end

-- The fields as data, and the names of those that are left out: the largest, if all together are
-- too large.
local function fieldsOf(self)
  local fields, total, left = {}, 0, {}
  for i, field in ipairs(self.fields) do
    fields[i] = field
    total = total + field.size
  end
  table.sort(fields, function(a, b)
    if a.size ~= b.size then return a.size < b.size end
    return a.name < b.name
  end)
  while total > MOST_FIELDS do
    local largest = table.remove(fields)
    total = total - largest.size
    left[#left + 1] = largest.name
  end
  for i, field in ipairs(fields) do
    fields[i] = { name = field.name, first = list(field.first, #self.actors),
      values = list(field.values), text = table.concat(field.out) }
  end
  return list(fields), list(left)
end

--- The number of an actor in the last frame, or nil.
---@return integer?
function Replay:numberOf(actor)
  local entry = actor and self.entries[actor]
  return entry and entry.number
end

--- The whole replay, in the form that the page's script reads.
---@return table data for texts.json
function Replay:data()
  local scene = self.scene
  local fields, left = fieldsOf(self)
  return {
    name = scene.name, seed = scene.seed, dt = scene.dt, width = scene.width,
    height = scene.height, field = scene.field ~= false,
    params = scene.params, start = self.start or 0,
    alphabet = M.ALPHABET, units = self.units, angleUnits = ANGLE_UNITS,
    shapes = list(self.shapes.list), actors = list(self.actors), fields = fields, left = left,
    pools = list(self.pools.list), frames = list(self.frames),
    depths = self.depthsSize <= MOST_DEPTHS and list(self.depths) or 0,
  }
end

return M
