-- Takes snapshots of a World. The core copies its own state; this file adds the actors, their
-- fields and the rest of the Lua side's state.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character.state"
local each = require "collide.each"
local reading = require "collide.world.fields"
local results = require "collide.world.lists"
local state = require "collide.world.state"
local who = require "collide.world.describe"
local accelerator = require "collide.ffi.frame"
local fast = require "collide.ffi.fields"

local type, select = type, select

local FN = "world:snapshot"

--- Values in lists: NOTHING stands for nil, LEFT for a value that is left to the actor's own
--- `save`.
local NOTHING, LEFT = {}, {}

--- A world at one moment.
---@class collide.Snapshot
local Snapshot = {}
Snapshot.__index = Snapshot
Snapshot.__name = "collide.Snapshot"

local M = { class = Snapshot, NOTHING = NOTHING, LEFT = LEFT }

function Snapshot:__tostring()
  local n = self._filled and self._count or 0
  return ("snapshot(%d actor%s)"):format(n, n == 1 and "" or "s")
end

function M.is(value)
  return type(value) == "table" and getmetatable(value) == Snapshot
end

--- Raises when `self` is not a snapshot, or when filling it has failed.
function M.checkSelf(self, fn)
  if not M.is(self) then
    check.fail(fn, "self", "snapshot", self, "call it with a colon")
  elseif not self._filled then
    check.raise(fn .. ": attempt to use a snapshot that was not completed")
  end
end

--- Makes an empty snapshot around the core's userdata.
function M.of(userdata)
  return setmetatable({
    _core = userdata,
    _io = fast and fast.open(userdata) or nil,
    _filled = false,
    _count = 0, -- actors
    _fields = {}, -- the names of the held fields
    _values = {}, -- the values of the first field by slot, then those of the second, and so on
    _savers = {}, -- slots of the actors with a `save`
    _saved = {}, -- the values that they have saved
    _saverCount = 0,
    _pools = {},
    _characters = {}, -- a flat list of the states of characters, see characters.keep
    _characterCount = 0, -- the number of values in it
  }, Snapshot)
end

-- Rosters -----------------------------------------------------------------------

-- A roster lists the actors of a world by slot. Snapshots share it until an actor is added, removed
-- or refreshed, which changes core:edits(): it is current as long as that equals `edits`. `users`
-- counts the snapshots that have it; a roster of one snapshot only is filled again. Only snapshots
-- keep a roster alive: world._rosters, which holds the present one at 1, is weak.

--- Copies the fields of an actor that a strict world remembers.
function M.copySeen(seen)
  local copy = {}
  for key, value in each.pairs(seen) do copy[key] = value end
  copy.methods = {}
  for key, value in each.pairs(seen.methods) do copy.methods[key] = value end
  return copy
end

local function fillRoster(roster, world, edits)
  local actors, ghosts, shapes = world._actors, world._ghosts, world._shapes
  local stated = next(world._stated) and world._stated
  roster.world, roster.edits, roster.kinds = nil, edits, nil
  for slot = 1, #actors do
    roster.actors[slot], roster.ghosts[slot] = actors[slot], ghosts[slot]
    roster.shapes[slot] = shapes[slot]
    roster.stated[slot] = stated and stated[actors[slot]] or 0
    roster.seen[slot] = world._seen and actors[slot] and M.copySeen(world._seen[actors[slot]])
      or false
  end
  for _, name in ipairs { "actors", "ghosts", "shapes", "seen", "stated" } do
    results.cut(roster[name], #actors)
  end
  roster.world = world
end

--- Whether a roster lists the present actors of a world.
function M.isCurrent(world, roster)
  return roster and world._rosters[1] == roster and roster.world == world
    and roster.edits == world._core:edits()
end

local function setRoster(snapshot, world, edits)
  local roster, old = world._rosters[1], snapshot._roster
  if not (roster and roster.world == world and roster.edits == edits) then
    roster = old and old.users == 1 and old
      or { actors = {}, ghosts = {}, shapes = {}, seen = {}, stated = {}, users = 0 }
    fillRoster(roster, world, edits)
    world._rosters[1] = roster
  end
  if roster == old then return end
  if old then old.users = old.users - 1 end
  roster.users = roster.users + 1
  snapshot._roster = roster
end

-- Fields --------------------------------------------------------------------------

local VALUE = "number, string, boolean, nil or actor of this world"

local function failField(world, actor, name, value)
  local names = world._names
  if name == names.x or name == names.y or name == names.angle then
    reading.failPlace(FN, world, actor, name, value)
  end
  local hint = names.save and names.load
    and ("methods %s and %s of the actor could take it"):format(names.save, names.load) or nil
  who.fail(FN, world, actor, name, VALUE, value, hint)
end

local function readFields(snapshot, world)
  local fields, values = snapshot._fields, snapshot._values
  local need = #fields * #world._actors
  for i = #values + 1, need do values[i] = NOTHING end
  local on = fast and accelerator.isOn()
  local read, from = core.readFields, world._core
  if on then read, from = fast.readFields, snapshot._io end
  local n, slot, name, value = read(from, snapshot._core, world._actors, world._names, fields,
    values, NOTHING, LEFT, world._slots, snapshot._savers)
  if not n then failField(world, world._actors[slot], name, value) end
  results.cut(values, need)
  results.cut(snapshot._savers, n)
  snapshot._saverCount = n
end

local function isValue(world, value)
  local kind = type(value)
  return kind == "number" or kind == "string" or kind == "boolean" or value == nil
    or world._slots[value] ~= nil
end

-- Calls the actors' own `save`.
local function save(snapshot, world)
  local names, saved = world._names, snapshot._saved
  for i = 1, snapshot._saverCount do
    local actor = world._actors[snapshot._savers[i]]
    if not (names.load and reading.method(FN, world, actor, names.load)) then
      who.fail(FN, world, actor, names.load or "load",
        ("function, since it has %s"):format(names.save), names.load and actor[names.load])
    end
    local value = reading.method(FN, world, actor, names.save)(actor)
    if not isValue(world, value) then
      who.fail(FN, world, actor, "what " .. names.save .. " returns", VALUE, value)
    end
    if value == nil then value = NOTHING end
    saved[i] = value
  end
  results.cut(saved, snapshot._saverCount)
end

-- Taking one ------------------------------------------------------------------------

local function fill(world, snapshot)
  snapshot._filled = false
  setRoster(snapshot, world, world._core:snapshot(snapshot._core))
  readFields(snapshot, world)
  save(snapshot, world)
  snapshot._count = world._core:counts()
  local pools = world._pools
  for i = 1, #pools do snapshot._pools[i] = pools[i] end
  results.cut(snapshot._pools, #pools)
  snapshot._characterCount = characters.keep(world, snapshot._characters, NOTHING)
  snapshot._world = world
  snapshot._held, snapshot._pulled, snapshot._frame = world._held, world._pulled, world._frame
  snapshot._filled = true
end

local function setFields(snapshot, fields)
  local kept = snapshot._fields
  local n = fields and #fields or 0
  for i = 1, n do kept[i] = fields[i] end
  results.cut(kept, n)
end

local function checkFields(fields)
  if fields == nil then return end
  check.list(FN, "fields", fields, "list of names of fields")
  for i = 1, check.length(FN, "fields", fields) do
    if type(fields[i]) ~= "string" then
      check.fail(FN, ("fields[%d]"):format(i), "string", fields[i])
    end
  end
end

---@class collide.World
local World = {}

M.methods = World

--- Takes a snapshot of the world. It holds the actors in their order with their present and last
--- places, the callbacks that have been called and those that are left, the rules of groups, pools,
--- characters, the grids of tiles, and the named fields of each actor. The value of a field may be
--- a number, string, boolean, nil or an actor of this world. For other values an actor needs
--- methods `save(self)`, which returns such a value, and `load(self, value)`.
---@param world collide.World
---@param fields string[]? names of further fields of the actors
---@param into collide.Snapshot? an old snapshot to be filled, of any world
---@return collide.Snapshot
function World.snapshot(world, fields, into, ...)
  state.checkOpen(world, FN)
  checkFields(fields)
  if into ~= nil and not M.is(into) then check.fail(FN, "into", "snapshot", into) end
  if select("#", ...) > 0 then check.noMore(FN, "fields and a snapshot", 2, ...) end
  state.checkIdle(world, FN)
  local snapshot = into or M.of(core.newSnapshot())
  setFields(snapshot, fields)
  state.guarded(world, FN, fill, snapshot)
  return snapshot
end

return M
