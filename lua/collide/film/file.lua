-- Films as files. A film is a list of values, which core.packList packs into a string, the same on
-- every Lua and machine:
--
--   touching, the declared groups, width, height, the keys that were held, the world's names of
--   fields, the names of the fields in the snapshots;
--   the shapes, each as core.packShape returns it and with the number of its grid, or 0;
--   the roles: an actor with a shape, as its number, its name, and the number of its shape;
--   the frames: their number, and the snapshot as its difference from the one before.
--
-- A list of numbers precedes each snapshot: how many pools there are, the capacity and radius of
-- each, and whether its bullets have ages; then the role of each actor, in the order of adding.
--
-- A film that has been read is shown on a stage: a world of its own that is restored to one frame
-- after another.

local require = require "collide.relative"
local collide = require "collide"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local files = require "collide.files"
local restores = require "collide.snapshot.restore"
local snapshots = require "collide.snapshot"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

local NOTHING = snapshots.NOTHING

-- One frame in FRAMES does not refer to the one before, so showing a frame reads at most FRAMES.
local FRAMES = 300

-- Writing ---------------------------------------------------------------------------

-- The number of a thing in a list; a new thing is appended.
local function numberIn(list, numbers, thing)
  local number = numbers[thing]
  if not number then
    number = #list + 1
    list[number], numbers[thing] = thing, number
  end
  return number
end

local function newCast(names)
  return { names = names, shapes = {}, shapeNumbers = {}, actors = {}, actorNumbers = {},
    roles = {}, roleNumbers = {} }
end

-- The number of the role of an actor with a shape.
local function roleOf(cast, actor, shape)
  local numbers = cast.roleNumbers[actor] or {}
  cast.roleNumbers[actor] = numbers
  if not numbers[shape] then
    local key = cast.names.name
    local name = key and rawget(actor, key)
    if type(name) ~= "string" and type(name) ~= "number" or name ~= name then name = NOTHING end
    cast.roles[#cast.roles + 1] = { numberIn(cast.actors, cast.actorNumbers, actor), name,
      numberIn(cast.shapes, cast.shapeNumbers, shape) }
    numbers[shape] = #cast.roles
  end
  return numbers[shape]
end

-- The numbers that precede a snapshot.
local function numbersOf(cast, shot)
  local list, i = { 0 }, 1
  local capacity, radius, ages = core.poolAt(shot._core, i)
  while capacity do
    list[1] = i
    list[#list + 1], list[#list + 2], list[#list + 3] = capacity, radius, ages and 1 or 0
    i = i + 1
    capacity, radius, ages = core.poolAt(shot._core, i)
  end
  for slot, actor in ipairs(shot._roster.actors) do
    if actor then list[#list + 1] = roleOf(cast, actor, shot._roster.shapes[slot]) end
  end
  return list
end

local function namesOf(names)
  local list = {}
  for field, name in each.pairs(names) do list[#list + 1] = { field, name } end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

-- The shapes of a cast as strings, with the numbers of their grids.
local function shapesOf(cast)
  local list, grids, count = {}, { [0] = 0 }, 0
  for i, shape in ipairs(cast.shapes) do
    local text, grid = core.packShape(shape)
    if not grids[grid] then grids[grid], count = count + 1, count + 1 end
    list[i] = { text, grids[grid] }
  end
  return list
end

--- Writes a film.
---@param world collide.World
---@param shots table[] the frames: the number and snapshot of each
---@param fields string[] the names of the fields that the snapshots have
---@param keys string? the keys that were held
---@return string
---@return table[] actors all actors of the frames, by the number in their roles
function M.write(world, shots, fields, keys)
  local cast, delta, frames = newCast(world._names), core.newDelta(), {}
  for i, shot in ipairs(shots) do
    if i % FRAMES == 1 then core.restartDelta(delta) end
    frames[i] = { shot[1], snapshots.difference(shot[2], delta, numbersOf(cast, shot[2])) }
  end
  local named = {}
  for i, name in ipairs(fields) do named[i] = { name } end
  local list, n = {}, 0
  local function add(...)
    for i = 1, select("#", ...) do list[n + i] = select(i, ...) end
    n = n + select("#", ...)
  end
  add(world._touching and true or false, snapshots.declared(world), world.width or NOTHING,
    world.height or NOTHING, keys or NOTHING)
  for _, rows in ipairs { namesOf(world._names), named, shapesOf(cast), cast.roles,
    frames } do
    add(#rows)
    for _, row in ipairs(rows) do add(unpack(row)) end
  end
  return assert(core.packList(list, n, NOTHING)), cast.actors
end

-- Reading ---------------------------------------------------------------------------

local FAULTS = {
  foreign = "something else", newer = "one of a newer release", damaged = "a damaged one",
}

-- Takes the values of a list one by one, and checks their types.
local Reader = {}
Reader.__index = Reader

function Reader:take(kind, other)
  self.at = self.at + 1
  local value = self.at <= self.n and self.list[self.at]
  if self.at > self.n then error(FAULTS, 0) end
  if value == NOTHING then value = nil end
  if type(value) ~= kind and type(value) ~= other then error(FAULTS, 0) end
  return value
end

function Reader:whole(most)
  local value = self:take "number"
  if not (value >= 0 and value <= most and value == math.floor(value)) then error(FAULTS, 0) end
  return value
end

function Reader:extent()
  local value = self:take("number", "nil")
  if value and not (value > 0 and value < math.huge) then error(FAULTS, 0) end
  return value
end

-- A list of the values that f reads: as many as the next number says.
function Reader:rows(f)
  local rows = {}
  for i = 1, self:whole(self.n - self.at) do rows[i] = f(self, rows, i) end
  return rows
end

local function readName(self)
  return { self:take "string", self:take("string", "boolean") }
end

-- The cells are also in the frames, where up to 64 equal cells take a byte or two.
local function readShape(self, rows, i)
  local text, grid = self:take "string", self:whole(i)
  rows.grids = rows.grids or {}
  local shape = core.unpackShape(text, 64 * self.size, rows.grids[grid])
  if not shape then error(FAULTS, 0) end
  if grid > 0 then rows.grids[grid] = rows.grids[grid] or shape end
  return shape
end

local function readRole(self)
  local actor = self:whole(2 ^ 31)
  self.at = self.at + 1
  local name = self.list[self.at]
  if type(name) ~= "string" and type(name) ~= "number" then name = nil end
  local shape = self.shapes[self:whole(#self.shapes)]
  return shape and { actor = actor, name = name, shape = shape } or error(FAULTS, 0)
end

local function readFrame(self, rows, i)
  local number, text = self:whole(2 ^ 53), self:take "string"
  if i > 1 and number <= rows[i - 1].number then error(FAULTS, 0) end
  return { number = number, text = text }
end

local function readAll(self)
  local film = { touching = self:take "boolean", groups = self:take("string", "nil") }
  film.width, film.height = self:extent(), self:extent()
  film.keys = self:take("string", "nil")
  film.names = {}
  for _, row in ipairs(self:rows(readName)) do film.names[row[1]] = row[2] end
  film.fields = self:rows(function() return self:take "string" end)
  film.shapes = self:rows(readShape)
  self.shapes = film.shapes
  film.roles = self:rows(readRole)
  film.frames = self:rows(readFrame)
  if self.at ~= self.n then error(FAULTS, 0) end
  return film
end

--- Reads a film. If the text is not a film, returns nil and says what it is.
---@param text string
---@return table? film
---@return string? instead
function M.read(text)
  local list = {}
  local n, fault = core.unpackList(text, list, NOTHING)
  if not n then return nil, FAULTS[fault] end
  local reader = setmetatable({ list = list, n = n, at = 0, size = #text }, Reader)
  local ok, film = pcall(readAll, reader)
  if ok then return film end
  if film ~= FAULTS then error(film, 0) end
  return nil, FAULTS.damaged
end

--- Reads the film in a file. Returns it and its text, or nil and a message. `unread` begins the
--- message when the file cannot be read.
---@param path string
---@param unread string
---@return table? film
---@return string text
function M.load(path, unread)
  local text, why = files.read(path)
  if not text then return nil, unread .. why end
  local film, instead = M.read(text)
  if not film then return nil, ("%s: film expected, got %s"):format(path, instead) end
  return film, text
end

-- Showing ---------------------------------------------------------------------------

---@class collide.Stage
---@field world collide.World at the frame that is shown
---@field frame integer its number
---@field actors table<integer, table> by the number in their roles
local Stage = {}
Stage.__index = Stage

local function newStageWorld(film)
  local groups
  if film.groups then
    groups = {}
    for name in (film.groups .. "\0"):gmatch "(%Z*)%z" do groups[#groups + 1] = name end
  end
  local names = {}
  for field, name in each.pairs(film.names) do
    if field ~= "at" or name then names[field] = name end
  end
  return collide.newWorld { touching = film.touching, groups = groups, fields = names,
    strict = false }
end

--- Makes a stage for a film.
---@return collide.Stage
function M.stage(film)
  return setmetatable({ film = film, delta = core.newDelta(), at = 0, actors = {}, numbers = {},
    world = newStageWorld(film) }, Stage)
end

-- Gives the world pools like those of a frame. Returns the place of the first role.
local function setPools(self, numbers)
  local count, pools = numbers[1] or 0, self.world:pools()
  for i = #pools, 1, -1 do
    local at = 3 * i - 1
    local ages = pools[i].lifetime ~= nil
    local like = i <= count and pools[i].capacity == numbers[at]
      and pools[i].radius == numbers[at + 1] and ages == (numbers[at + 2] == 1)
    if not like then
      for k = #pools, i, -1 do
        pools[k]:remove()
        pools[k] = nil
      end
    end
  end
  for i = #pools + 1, count do
    local at = 3 * i - 1
    self.world:newBullets { capacity = numbers[at], radius = numbers[at + 1],
      lifetime = numbers[at + 2] == 1 and 1 or nil }
  end
  return 3 * count + 2
end

-- The stage's actor for a role, with the shape and name of that role.
local function actorOf(self, role)
  local actor, names = self.actors[role.actor] or {}, self.film.names
  self.actors[role.actor] = actor
  if names.at then actor[names.at] = actor[names.at] or {} end
  if names.fromSnapshot then actor[names.fromSnapshot] = function() end end
  if names.name then actor[names.name] = role.name end
  actor[names.shape] = role.shape
  return actor
end

local function restore(self, text, n)
  local numbers, roles = self.numbers, self.film.roles
  for i = n + 1, #numbers do numbers[i] = nil end
  local first = setPools(self, numbers)
  restores.frame(self.world, text, function(i, fields)
    if fields.removed then return {} end
    return actorOf(self, roles[numbers[first + i - 1]] or error(FAULTS, 0))
  end)
end

--- Shows the i-th frame.
---@param i integer
function Stage:show(i)
  local frames, delta = self.film.frames, self.delta
  if i <= self.at or i - self.at > FRAMES then self.at = i - 1 - (i - 1) % FRAMES end
  local text, n
  for k = self.at + 1, i do
    if k % FRAMES == 1 then core.restartDelta(delta) end
    self.at = #frames -- if memory runs out, the next call starts afresh
    text, n = core.unpackDelta(delta, frames[k].text, self.numbers)
    if not text then check.raise "films.load: the film is damaged" end
    self.at = k
  end
  restore(self, text, n)
  self.frame = frames[i].number
end

return M
