-- Films: the last frames of a world, as snapshots that are taken after each step. They are kept in
-- a ring buffer, which drops the oldest frames first. A film that was loaded from a file has frames
-- of file.lua, and no world.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "film" ~= ... then return require "collide.film" end

local core = require "collide.core"
local check = require "collide.check"
local file = require "collide.film.file"
local files = require "collide.files"
local lock = require "collide.world.lock"
local snapshots = require "collide.snapshot"
local steps = require "collide.world.step"

---@class collide.film
local M = {}

---@class collide.FilmOptions
---@field frames? integer the most frames that it keeps, default 600
---@field bytes? integer the most bytes that its snapshots take, default 64 MiB
---@field fields? string[] names of further fields of the actors

---@class collide.Film
local Film = {}
Film.__index = Film
Film.__name = "collide.Film"

function Film:__tostring()
  local n = self._read and #self._read.frames or self._count
  return ("film(%d frame%s)"):format(n, n == 1 and "" or "s")
end

local checkFilm = check.receiver(Film, "film")

-- The ring ------------------------------------------------------------------------

-- The place in the lists of the i-th frame, from 1.
local function placeOf(self, i)
  return (self._first + i - 2) % self._most + 1
end

-- Drops the frame at a place, which is the first or the last one. The next step refills its
-- snapshot.
local function drop(self, place)
  self._spare, self._shots[place] = self._shots[place], nil
  self._bytes, self._count = self._bytes - self._sizes[place], self._count - 1
end

local function dropFirst(self)
  drop(self, self._first)
  self._first = placeOf(self, 2)
end

-- Drops the frames from a number on: the world has gone back to before them.
local function dropFrom(self, frame)
  while self._count > 0 and self._numbers[placeOf(self, self._count)] >= frame do
    drop(self, placeOf(self, self._count))
  end
end

-- Adds the frame of the latest step. The newest frame stays even if it takes too much memory by
-- itself.
local function add(self, world)
  local shot = snapshots.take(world, self._fields, self._spare, self._isPlain)
  local size = snapshots.bytes(shot)
  self._spare = nil
  dropFrom(self, world._frame)
  if self._count == self._most then dropFirst(self) end
  local place = placeOf(self, self._count + 1)
  self._shots[place], self._sizes[place], self._numbers[place] = shot, size, world._frame
  self._count, self._bytes = self._count + 1, self._bytes + size -- memory may run out above
  while self._bytes > self._room and self._count > 1 do dropFirst(self) end
end

-- The place of a frame in the lists, or nil.
local function find(self, frame)
  for i = self._count, 1, -1 do
    if self._numbers[placeOf(self, i)] == frame then return placeOf(self, i) end
  end
end

-- Films ---------------------------------------------------------------------------

local COUNT = check.whole(1, 2 ^ 53)

local OPTIONS = {
  frames = check.optional(COUNT, 600),
  bytes = check.optional(COUNT, 64 * 2 ^ 20),
  fields = function(fn, _, fields)
    snapshots.checkFields(fn, fields)
    local copy = {}
    for i = 1, fields and #fields or 0 do copy[i] = fields[i] end
    return copy
  end,
}

--- Films a world: from now on, each step is followed by a snapshot, after its callbacks.
---@param world collide.World
---@param options? collide.FilmOptions
---@return collide.Film
function M.new(world, options, ...)
  local fn = "films.new"
  check.world(fn, "world", world)
  lock.checkOpen(world, fn)
  check.noMore(fn, "a world and a table of options", 2, ...)
  local o = check.options(fn, "options", options == nil and {} or options,
    "table {frames = …, bytes = …, fields = …}", OPTIONS)
  local self = setmetatable({
    _world = world, _fields = o.fields, _most = o.frames, _room = o.bytes,
    _first = 1, -- the place of the oldest frame
    _count = 0,
    _bytes = 0, -- the sum of the sizes
    _shots = {}, _sizes = {}, _numbers = {}, -- by place: the snapshot, its bytes, its frame
    _spare = nil, -- a snapshot to refill
    _isPlain = false, -- does not call the actors' `toSnapshot`
  }, Film)
  self._watch = function() add(self, world) end
  steps.watch(world, self._watch)
  return self
end

--- The numbers of the first and the last frame; nil if there is none.
---@return integer? first
---@return integer? last
function Film:range(...)
  checkFilm(self, "film:range", "no arguments", 0, ...)
  local frames = self._read and self._read.frames
  if frames then return frames[1] and frames[1].number, frames[1] and frames[#frames].number end
  if self._count == 0 then return nil end
  return self._numbers[self._first], self._numbers[placeOf(self, self._count)]
end

--- Goes back to a frame, as `world:restore` does, and drops the later ones.
---@param frame integer
function Film:restore(frame, ...)
  local fn = "film:restore"
  checkFilm(self, fn, "a frame", 1, ...)
  check.integer(fn, "frame", frame, 0, 2 ^ 53)
  if self._read then
    check.raise(fn .. ": attempt to go back in a film that was loaded: it has no world")
  end
  local place = find(self, frame)
  if not place then
    local first, last = self:range()
    check.fail(fn, "frame", first and ("number of a frame of this film, from %d to %d"):format(
      first, last) or "number of a frame; this film has none yet", frame)
  end
  self._world:restore(self._shots[place])
  dropFrom(self, frame + 1)
end

--- Ends filming. The film keeps its frames.
function Film:stop(...)
  checkFilm(self, "film:stop", "no arguments", 0, ...)
  if self._world then steps.unwatch(self._world, self._watch) end
end

-- Files ---------------------------------------------------------------------------

-- The film as the text of a file, and the list of its actors, which a loaded film lacks.
local function textOf(self)
  if self._text then return self._text end
  local shots = {}
  for i = 1, self._count do
    local place = placeOf(self, i)
    shots[i] = { self._numbers[place], self._shots[place] }
  end
  return file.write(self._world, shots, self._fields, self._keys and self._keys:text())
end

M._textOf = textOf

--- Keeps the keys of a game: film:save writes their script up to then, so that the game can be
--- played again. Returns the film's script; a loaded film has the one that was saved.
---@param keys? collide.Keys
---@return string?
function Film:input(keys, ...)
  local fn = "film:input"
  checkFilm(self, fn, "keys", 1, ...)
  if keys ~= nil then
    if core.ownName(keys) ~= "keys" then check.fail(fn, "keys", "keys of collide.keys", keys) end
    if self._read then check.raise(fn .. ": attempt to change a film that was loaded") end
    self._keys = keys
  end
  if self._read then return self._read.keys end
  return self._keys and self._keys:text()
end

local function checkPath(fn, self, path, ...)
  checkFilm(self, fn)
  check.string(fn, "path", path)
  check.noMore(fn, "a path", 1, ...)
end

local function write(fn, path, text)
  local written, why = files.write(path, text)
  if not written then check.raise(("%s: cannot write it: %s"):format(fn, why)) end
end

--- Writes the film to a file, for films.load and `collide film`: its frames bit for bit, with the
--- shapes, names and groups of the actors, the same on every Lua and machine.
---@param path string
function Film:save(path, ...)
  checkPath("film:save", self, path, ...)
  write("film:save", path, (textOf(self)))
end

--- Writes a page that plays the film, one file for any browser. It needs collide.scene.
---@param path string
function Film:page(path, ...)
  checkPath("film:page", self, path, ...)
  local read = self._read or file.read((textOf(self)))
  local html = require("collide.film.page").make(read, { name = path:match "([^/\\]*)$" })
  write("film:page", path, html)
end

--- Reads a film that film:save has written. It has no world to restore, and no step adds to it.
---@param path string
---@return collide.Film
function M.load(path, ...)
  local fn = "films.load"
  check.string(fn, "path", path)
  check.noMore(fn, "a path", 1, ...)
  local read, text = file.load(path, "cannot read it: ")
  if not read then check.raise(("%s: %s"):format(fn, text)) end
  return setmetatable({ _text = text, _read = read }, Film)
end

return M
