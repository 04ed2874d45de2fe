-- Snapshots as strings, the same on every Lua and machine. The core writes its own part; the rest
-- is a flat list of values. A string may come from anywhere, so everything is checked when it is
-- read.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character.state"
local each = require "collide.each"
local snapshots = require "collide.snapshot"
local who = require "collide.world.describe"

local type, ipairs = type, ipairs

local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT
---@class collide.Snapshot
local Snapshot = snapshots.class

local M = {}

local WHOLE = "whole number within ±2^53"

-- Writing -----------------------------------------------------------------------

-- The names of the groups with these numbers, sorted, and their numbers in that order.
local function sortedGroups(world, numbers)
  local byNumber, names, order = {}, {}, {}
  for name, number in each.pairs(world._groups) do byNumber[number] = name end
  for i, number in ipairs(numbers) do names[i] = byNumber[number] end
  table.sort(names)
  for i, name in ipairs(names) do order[i] = world._groups[name] end
  return names, order
end

-- The declared groups of a world as one string; NOTHING if the world has not declared its groups.
local function declared(world)
  if not world._declared then return NOTHING end
  local list = {}
  for name in each.pairs(world._groups) do
    if name ~= "*" then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, "\0")
end

-- Raises for a character whose state cannot be packed.
local function checkCharacter(snapshot, one)
  local list = snapshot._characters
  local i, expected = characters.firstWrong(list, one.first, one.last, NOTHING)
  if not i then return end
  local value = list[i]
  if value == NOTHING then value = nil end
  who.fail("snapshot:pack", snapshot._world, one.character.actor,
    "its character's " .. characters.nameOf(i - one.first + 1), expected, value)
end

-- The values to write, in order; their number; the order of the groups; and for values of fields
-- the actor and field that they belong to.
local function listOf(snapshot, numbered, loose)
  local roster, names, order = snapshot._roster, sortedGroups(snapshot._world, numbered.groups)
  local list, owners, n = {}, {}, 0
  local function add(value, actor, field)
    n = n + 1
    list[n] = value
    if actor then owners[n] = { actor = actor, field = field } end
  end
  add(declared(snapshot._world))
  add(#names)
  for _, name in ipairs(names) do add(name) end
  add(snapshot._held)
  add(snapshot._pulled)
  add(snapshot._frame)
  add(#snapshot._fields)
  for k, field in ipairs(snapshot._fields) do
    add(field)
    for slot, actor in ipairs(roster.actors) do
      if actor then add(snapshot._values[(k - 1) * #roster.actors + slot], actor, field) end
    end
  end
  add(snapshot._saverCount)
  for i = 1, snapshot._saverCount do
    local actor = roster.actors[snapshot._savers[i]]
    add(actor)
    add(snapshot._saved[i], actor, snapshot._world._names.save)
  end
  local controllers = characters.each(snapshot._characters, snapshot._characterCount)
  add(#controllers)
  for _, one in ipairs(controllers) do
    if not loose then checkCharacter(snapshot, one) end
    add(one.character.actor)
    add(one.last - one.first + 1)
    for i = one.first, one.last do add(snapshot._characters[i]) end
  end
  return list, n, order, owners
end

-- The numbers of the actors, including removed actors whose events are not dispatched yet, and the
-- numbers of the groups in use.
local function numbersOf(snapshot)
  local roster, world = snapshot._roster, snapshot._world
  local slots, groups = core.numbered(snapshot._core, world._groupCount)
  local numbers = {}
  for slot, number in ipairs(slots) do
    local actor = number and (roster.actors[slot] or roster.ghosts[slot])
    if actor then numbers[actor] = number end
  end
  return { groups = groups, numbers = numbers }
end

--- The numbers of a snapshot's groups, in the order in which they are written.
function M.groups(snapshot)
  local _, order = sortedGroups(snapshot._world, numbersOf(snapshot).groups)
  return order
end

local function write(snapshot, loose)
  local numbered = numbersOf(snapshot)
  local list, n, order, owners = listOf(snapshot, numbered, loose)
  local text, at = core.pack(snapshot._core, order, list, n, numbered.numbers, NOTHING, LEFT, loose)
  if text then return text end
  local owner = owners[at]
  if not owner then check.fail("snapshot:pack", "a number", WHOLE, list[at]) end
  who.fail("snapshot:pack", snapshot._world, owner.actor, owner.field, WHOLE, list[at])
end

--- The snapshot as a string that `world:restore` takes, the same on every Lua and machine. Numbers
--- are packed as doubles; an integer beyond 2^53 raises.
---@return string
function Snapshot:pack(...)
  snapshots.checkSelf(self, "snapshot:pack")
  check.noMore("snapshot:pack", "no arguments", 0, ...)
  return write(self, false)
end

--- The snapshot's hash, in decimal digits. Equal snapshots have equal hashes.
---@return string
function Snapshot:hash(...)
  snapshots.checkSelf(self, "snapshot:hash")
  check.noMore("snapshot:hash", "no arguments", 0, ...)
  return write(self, true)
end

-- Reading -----------------------------------------------------------------------

local FN = "world:restore"
local EXPECTED = FN .. ": snapshot expected (%s), got %s"

local function refuse(expected, got)
  check.raise(EXPECTED:format(expected, got))
end

local FAULTS = {
  foreign = "a string that is none",
  newer = "one of a newer release",
  damaged = "a damaged one",
}

local function fault(what)
  refuse("string that snapshot:pack gave", FAULTS[what])
end

-- Takes the values of a list one after the other, and raises when one is not of the expected type.
local Cursor = {}
Cursor.__index = Cursor

function Cursor:take(kind, least)
  self.at = self.at + 1
  local value = self.list[self.at]
  local right = self.at <= self.n
    and (kind == nil or type(value) == kind and not self.actors[self.at])
  if right and least then right = value >= least and value == math.floor(value) end
  if not right then fault "damaged" end
  return value
end

-- The number of items that follow. Each takes at least one value, so there cannot be more items
-- than values.
function Cursor:count()
  local count = self:take("number", 0)
  if count > self.n - self.at then fault "damaged" end
  return count
end

-- A live actor, as its number from 1.
function Cursor:actor()
  self:take()
  local number = self.actors[self.at]
  if not (number and self.live[number + 1]) then fault "damaged" end
  return number + 1
end

-- A value of a field. For an actor the second result is its number, from 1.
function Cursor:value()
  local value = self:take()
  local number = self.actors[self.at]
  if number and number >= #self.live then fault "damaged" end
  return value, number and number + 1
end

local function readGroups(cursor, world, count)
  local wanted = cursor:take()
  if cursor.actors[cursor.at] or wanted ~= NOTHING and type(wanted) ~= "string" then
    fault "damaged"
  end
  if wanted ~= declared(world) then refuse("one of a world with the same groups", "another") end
  if cursor:count() ~= count then fault "damaged" end
  local names, known = {}, {}
  for i = 1, count do
    local name = cursor:take "string"
    if known[name] or name == "*" or world._declared and not world._groups[name] then
      fault "damaged"
    end
    names[i], known[name] = name, true
  end
  return names
end

-- The named fields: a list of { name, values by slot, actors' numbers by slot }.
local function readFields(cursor)
  local fields = {}
  for k = 1, cursor:count() do
    local field = { name = cursor:take "string", values = {}, actors = {} }
    for slot, live in ipairs(cursor.live) do
      if live then field.values[slot], field.actors[slot] = cursor:value() end
    end
    fields[k] = field
  end
  return fields
end

local function readSavers(cursor)
  local savers = {}
  for i = 1, cursor:count() do
    local slot = cursor:actor()
    local value, number = cursor:value()
    if value == LEFT then fault "damaged" end
    savers[i] = { slot = slot, value = value, actor = number }
  end
  return savers
end

local function readCharacters(cursor)
  local all = {}
  for i = 1, cursor:count() do
    local one = { slot = cursor:actor(), values = {}, actors = {} }
    for k = 1, cursor:count() do one.values[k], one.actors[k] = cursor:value() end
    if not characters.isState(one.values, one.actors, NOTHING) then fault "damaged" end
    all[i] = one
  end
  return all
end

--- Reads a string for a world, without changing the world. Raises when the string is damaged or
--- does not fit the world.
---@return table read
function M.read(world, text)
  local userdata, list, actors = core.newSnapshot(), {}, {}
  local n, groups, slots = core.unpack(userdata, text, list, actors, NOTHING, LEFT)
  if not n then fault(groups) end
  local live = {}
  for slot = 1, slots do live[slot] = core.entry(userdata, slot) ~= nil end
  local cursor = setmetatable({ list = list, actors = actors, n = n, at = 0, live = live }, Cursor)
  local read = { core = userdata, live = live }
  read.groups = readGroups(cursor, world, groups)
  read.held = cursor:take "number"
  if not (read.held >= 0 and read.held < math.huge) then fault "damaged" end
  read.pulled = cursor:take "boolean"
  read.frame = cursor:take("number", 0)
  read.fields = readFields(cursor)
  read.savers = readSavers(cursor)
  read.characters = readCharacters(cursor)
  if cursor.at ~= n then fault "damaged" end
  return read
end

M.refuse = refuse

return M
