-- Restores a World from a snapshot, or from a packed string. A string may come from anywhere, so
-- everything in it is checked while it is read. Only then is it made into a snapshot of the world,
-- with the tables that the game makes.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character"
local walking = require "collide.character.walk"
local each = require "collide.each"
local random = require "collide.random"
local snapshots = require "collide.snapshot"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local bullets = require "collide.bullets"
local ignores = require "collide.world.ignores"
local filters = require "collide.world.filters"
local accelerator = require "collide.ffi.frame"
local fast = require "collide.ffi.fields"

local type, select, ipairs = type, select, ipairs

local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT
local worldOf = reader.worldOf

local FN = "world:restore"

local function checkActors(world, roster)
  for slot = 1, world._names.at and #roster.actors or 0 do
    local actor = roster.actors[slot]
    if actor then reader.holder(FN, world, actor) end
  end
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    local owner = actor and worldOf[actor]
    if owner and owner ~= world and owner._slots[actor] then
      check.raise(("%s: %s is in another world now; remove it from that one first"):format(FN,
        reader.describe(owner, actor)))
    end
  end
end

-- The lists of a world with the actors of a roster. They are new tables, since loops over the old
-- lists may be in progress.
local function listsOf(world, roster)
  local lists = { actors = {}, ghosts = {}, shapes = {}, ids = {}, slots = {}, stated = {} }
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    lists.actors[slot], lists.ghosts[slot] = actor, roster.ghosts[slot]
    lists.shapes[slot], lists.ids[slot] = roster.shapes[slot], world._lastId + slot
    if actor then
      lists.slots[actor] = slot
      worldOf[actor] = world
      if roster.stated[slot] ~= 0 then lists.stated[actor] = roster.stated[slot] end
    end
  end
  lists.ignores = ignores.restored(world, roster.ignores)
  lists.event = world._core:events(lists.actors, lists.ghosts)
  return lists
end

-- Forgets the world of the actors that were in it and no longer are.
local function leave(slots, after)
  for actor in each.pairs(slots) do
    if not after[actor] then worldOf[actor] = nil end
  end
end

-- The pools of a world that were made since a snapshot.
local function poolsSince(world, snapshot)
  local kept, since = {}, {}
  for _, pool in ipairs(snapshot._pools) do kept[pool] = true end
  for _, pool in ipairs(world._pools) do
    if not kept[pool] then since[#since + 1] = pool end
  end
  return since
end

local function copyOf(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

-- Restores the core and the world's lists. Everything that can fail comes before the core changes.
local commit = lock.whole(function(world, snapshot)
  local roster = snapshot._roster
  local lists = not snapshots.isCurrent(world, roster) and listsOf(world, roster) or nil
  local since, pools = poolsSince(world, snapshot), copyOf(snapshot._pools)
  local controllers = {} -- by actor
  for i = 1, snapshot._characterCount do
    local character = snapshot._characters[i].character
    controllers[character.actor] = character
  end
  local before = world._slots
  local edits = world._core:restore(snapshot._core, pools, since)
  for i = 1, #since do since[i]._removed = true end
  for i = 1, #pools do pools[i]._removed = false end
  if lists then
    world._actors, world._ghosts, world._shapes = lists.actors, lists.ghosts, lists.shapes
    world._ids, world._slots = lists.ids, lists.slots
    world._event, world._stated, world._ignores = lists.event, lists.stated, lists.ignores
    world._direct[2], world._direct[3] = lists.actors, lists.slots
    world._lastId = world._lastId + #lists.ids
  end
  world._pools, world._characters, world._rosters[1] = pools, controllers, roster
  roster.world, roster.edits = world, edits
  world._serial, world._changes = world._serial + 1, world._changes + 1
  world._restores = world._restores + 1
  world._layout, world._updatersStale = world._layout + 1, true
  world._held, world._pulled, world._frame = snapshot._held, snapshot._pulled, snapshot._frame
  world._checkedId = world._ids[snapshot._checked] or 0
  if lists then leave(before, lists.slots) end
end)

-- Writes the fields, characters and saved values of the snapshot back to the actors.
local function writeBack(world, snapshot)
  local roster, names = snapshot._roster, world._names
  for i = 1, snapshot._characterCount do
    local list = snapshot._characters[i]
    characters.put(list.character, list, NOTHING)
  end
  walking.listAll(world)
  snapshots.putRandoms(snapshot)
  for i, pool in ipairs(snapshot._pools) do
    if pool._ignored or snapshot._ignored[i] then
      bullets.setIgnored(pool, snapshot._ignored[i] or nil)
    end
  end
  local groups = snapshots.groupNames(world)
  if fast and accelerator.isOn() then
    fast.writeFields(snapshot._io, snapshot._core, roster, names, snapshot._fields,
      snapshot._values, NOTHING, LEFT, groups)
  else
    world._core:writeFields(snapshot._core, world._actors, names, snapshot._fields,
      snapshot._values, NOTHING, LEFT, roster.shapes, groups, roster.stated)
  end
  ignores.write(world)
  for i = 1, snapshot._saverCount do
    local value = snapshot._saved[i]
    if value == NOTHING then value = nil end
    local actor = roster.actors[snapshot._savers[i]]
    actor[names.fromSnapshot](actor, value)
  end
end

-- `waiting` has the states of characters that are still to be made, or is nil.
local function restore(world, snapshot, waiting)
  checkActors(world, snapshot._roster)
  commit(world, snapshot)
  world._waiting = waiting
  writeBack(world, snapshot)
end

-- From a string -------------------------------------------------------------------

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

-- The slot of a live actor.
function Cursor:slot()
  self:take()
  local number = self.actors[self.at]
  if not (number and self.live[number + 1]) then fault "damaged" end
  return number + 1
end

-- Stands for an actor that `make` has not returned yet.
local COMING = {}

-- Puts a value into a list. An actor is put there by `complete`, when all are made.
function Cursor:value(to, key)
  to[key] = self:take()
  local number = self.actors[self.at]
  if not number then return end
  if number >= #self.live then fault "damaged" end
  to[key] = COMING
  self.coming[#self.coming + 1] = { to = to, key = key, slot = number + 1 }
end

-- Puts a value or a generator into a list. The generator is a new one, without a state until
-- readRandoms. Generators have the numbers after those of the actors, in the order of appearance.
function Cursor:held(to, key)
  local number = self.actors[self.at + 1]
  local at = number and number - #self.live + 1
  if not number or at < 1 then return self:value(to, key) end
  self:take()
  if at == #self.randoms + 1 then self.randoms[at] = random.empty() end
  to[key] = self.randoms[at]
  if not to[key] then fault "damaged" end
end

local function readGroups(cursor, world, count)
  local wanted = cursor:take()
  if cursor.actors[cursor.at] or wanted ~= NOTHING and type(wanted) ~= "string" then
    fault "damaged"
  end
  if wanted ~= snapshots.declared(world) then
    refuse("one of a world with the same groups", "another")
  end
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

local function readFields(cursor, snapshot)
  local slots, values = #cursor.live, snapshot._values
  for k = 1, cursor:count() do
    snapshot._fields[k] = cursor:take "string"
    for slot, live in ipairs(cursor.live) do
      local at = (k - 1) * slots + slot
      values[at] = NOTHING
      if live then cursor:held(values, at) end
    end
  end
end

local function readSaved(cursor, snapshot)
  snapshot._saverCount = cursor:count()
  for i = 1, snapshot._saverCount do
    snapshot._savers[i] = cursor:slot()
    cursor:held(snapshot._saved, i)
    if snapshot._saved[i] == LEFT then fault "damaged" end
  end
end

-- The states of characters, by the slots of their actors.
local function readCharacters(cursor)
  local states = {}
  for _ = 1, cursor:count() do
    local slot, list = cursor:slot(), {}
    for k = 1, cursor:count() do cursor:value(list, k) end
    if not characters.isState(list, NOTHING) then fault "damaged" end
    states[slot] = list
  end
  return states
end

-- The slots of the actors that the pools ignore.
local function readIgnored(cursor, userdata)
  local lists = {}
  while core.poolAt(userdata, #lists + 1) do
    local slots = {}
    for k = 1, cursor:count() do slots[k] = cursor:slot() end
    lists[#lists + 1] = slots
  end
  return lists
end

-- The states of the generators.
local function readRandoms(cursor, snapshot)
  local words = snapshot._words
  for i, generator in ipairs(cursor.randoms) do
    for _ = 1, random.WORDS do words[#words + 1] = cursor:take "number" end
    if not random.isState(words, #words - random.WORDS) then fault "damaged" end
    snapshot._randoms[i] = generator
  end
  snapshots.putRandoms(snapshot)
end

-- The slot of the n-th live actor; 0 for none.
local function slotOf(live, n)
  if n == 0 then return 0 end
  for slot, isLive in ipairs(live) do
    if isLive then n = n - 1 end
    if n == 0 then return slot end
  end
  fault "damaged"
end

-- Reads a string for a world, without changing the world. Raises when the string is damaged or
-- does not fit the world. Returns a snapshot without actors, and the other data that was read.
local function read(world, text, brief)
  local userdata, list, actors = core.newSnapshot(), {}, {}
  local n, groups, slots = core.unpack(userdata, text, list, actors, NOTHING, LEFT, brief)
  if not n then fault(groups) end
  local live = {}
  for slot = 1, slots do live[slot] = core.entry(userdata, slot) ~= nil end
  local cursor = setmetatable({ list = list, actors = actors, n = n, at = 0, live = live,
    coming = {}, randoms = {} }, Cursor)
  local snapshot, rest = snapshots.of(userdata), { live = live, coming = cursor.coming }
  rest.groups = readGroups(cursor, world, groups)
  snapshot._held = cursor:take "number"
  if not (snapshot._held >= 0 and snapshot._held < math.huge) then fault "damaged" end
  snapshot._pulled = cursor:take "boolean"
  snapshot._frame = cursor:take("number", 0)
  snapshot._checked = slotOf(live, cursor:take("number", 0))
  readFields(cursor, snapshot)
  readSaved(cursor, snapshot)
  rest.characters = readCharacters(cursor)
  rest.ignored = readIgnored(cursor, userdata)
  readRandoms(cursor, snapshot)
  if cursor.at ~= n then fault "damaged" end
  return snapshot, rest
end

local function checkPools(world, userdata)
  for i, pool in ipairs(world._pools) do
    local capacity, radius, ages = core.poolAt(userdata, i)
    if capacity ~= pool.capacity or radius ~= pool.radius or ages ~= (pool.lifetime ~= nil) then
      refuse("one of a world whose pools are alike", ("another pool %d"):format(i))
    end
  end
  if core.poolAt(userdata, #world._pools + 1) then
    refuse("one of a world with as many pools", "one with more")
  end
end

-- The values that a snapshot holds of the actor in a slot; nil for a removed actor. `groups` are
-- the names of the snapshot's groups.
local function entryOf(snapshot, slot, groups)
  local group, static, sensor, oneWay, swept, x, y, angle = core.entry(snapshot._core, slot)
  return group and { group = groups[group + 1], static = static, sensor = sensor, oneWay = oneWay,
    swept = swept, x = x, y = y, angle = angle }
end

-- The argument `fields` of `make`: the actor's fields in the snapshot, except those whose values
-- are actors.
local function givenOf(snapshot, rest, slot)
  local given = entryOf(snapshot, slot, rest.groups)
  if not given then return { removed = true } end
  for k, field in ipairs(snapshot._fields) do
    local value = snapshot._values[(k - 1) * #rest.live + slot]
    if type(value) ~= "table" or random.is(value) then given[field] = value end
  end
  return given
end

local function checkMade(world, made, seen, i, live)
  local arg = ("actor %d that make returned"):format(i)
  check.table(FN, arg, made)
  if seen[made] then check.raise(("%s: %s is actor %d already"):format(FN, arg, seen[made])) end
  seen[made] = i
  local owner = worldOf[made]
  if owner and owner ~= world and owner._slots[made] then
    check.raise(("%s: %s is in another world"):format(FN, arg))
  end
  if not live then return false end
  local shape = made[world._names.shape]
  if not core.isShape(shape) then
    check.fail(FN, ("%s: %s"):format(arg, world._names.shape), check.SHAPE, shape)
  end
  reader.holder(FN, world, made)
  return shape
end

-- Calls `make` for all tables: first for the actors in their order, then for removed actors with
-- events that are not dispatched yet. Returns a roster.
local function makeAll(world, snapshot, rest, make)
  local seen, i = {}, 0
  local roster = { actors = {}, ghosts = {}, shapes = {}, stated = {}, users = 1 }
  for slot in ipairs(rest.live) do
    roster.actors[slot], roster.ghosts[slot] = false, false
    roster.shapes[slot], roster.stated[slot] = false, 0
  end
  for _, live in ipairs { true, false } do
    for slot, isLive in ipairs(rest.live) do
      if isLive == live then
        i = i + 1
        local made = make(i, givenOf(snapshot, rest, slot))
        roster.shapes[slot] = checkMade(world, made, seen, i, live)
        roster[live and "actors" or "ghosts"][slot] = made
      end
    end
  end
  return roster
end

-- Checks that each actor that was saved by its own `toSnapshot` has a `fromSnapshot`, before
-- anything changes.
local function checkLoads(world, snapshot, roster)
  local name = world._names.fromSnapshot
  for i = 1, snapshot._saverCount do
    local actor = roster.actors[snapshot._savers[i]]
    if not (name and check.isCallable(actor[name])) then
      reader.fail(FN, world, actor, name or "fromSnapshot",
        "function, for what its toSnapshot returned", name and actor[name])
    end
  end
end

-- Completes the core's part of a snapshot with the groups of a world and the shapes that were made.
local function completeCore(world, snapshot, names, roster)
  local fresh, count = filters.freshGroups(world, FN, "group", names)
  local groups = {}
  for i, name in ipairs(names) do groups[i] = world._groups[name] or fresh[name] end
  local ok, what, at = core.complete(snapshot._core, roster.shapes, groups, world._pools)
  if not ok and what == "pool" then
    refuse("one of a world whose pools are alike", ("another pool %d"):format(at))
  elseif not ok and what == "grids" then
    refuse("one of actors with as many grids of tiles", "one with more")
  elseif not ok then
    reader.fail(FN, world, roster.actors[at], world._names.shape,
      "shape with the bounds and cells of the one that was packed", roster.shapes[at])
  end
  filters.addGroups(world, fresh, count)
end

local function actorsOf(roster, slots)
  local actors = {}
  for i, slot in ipairs(slots) do actors[i] = roster.actors[slot] end
  return actors
end

-- The actors that those of a roster ignore, from pairs of slots, in the form of ignores.copy.
local function ignoresOf(world, pairs, actors)
  local named, lists = {}, {}
  for i = 1, #pairs, 2 do
    local actor = actors[pairs[i]]
    named[actor] = named[actor] or {}
    table.insert(named[actor], actors[pairs[i + 1]])
  end
  for actor, list in each.pairs(named) do lists[actor] = ignores.listOf(world, list) end
  return lists
end

-- Makes a snapshot of this world from the data that was read and the tables that were made.
local function complete(world, snapshot, rest, roster)
  completeCore(world, snapshot, rest.groups, roster)
  for _, one in ipairs(rest.coming) do
    one.to[one.key] = roster.actors[one.slot] or roster.ghosts[one.slot]
  end
  snapshot._roster, snapshot._world = roster, world
  roster.ignores = ignoresOf(world, core.ignored(snapshot._core), roster.actors)
  for i, pool in ipairs(world._pools) do
    snapshot._pools[i] = pool
    snapshot._ignored[i] = ignores.listOf(world, actorsOf(roster, rest.ignored[i] or {})) or false
  end
  snapshot._filled, snapshot._count = true, #rest.live
end

-- A state must not keep the actors that it holds alive once they are removed.
local WEAK = { __mode = "v" }

-- Adds the actors' characters to the snapshot, each with its state from the string, or else with
-- that of a new one. Returns the other states, by actor, for characters that are made later.
local function keepCharacters(world, snapshot, states)
  local waiting = {}
  for slot, actor in ipairs(snapshot._roster.actors) do
    local character, list = world._characters[actor], states[slot]
    if character then
      list = list or characters.fresh(character, NOTHING)
      list.character, list.n = character, #list
      snapshot._characterCount = snapshot._characterCount + 1
      snapshot._characters[snapshot._characterCount] = list
    elseif list then
      waiting[actor] = { values = setmetatable(list, WEAK), nothing = NOTHING }
    end
  end
  return waiting
end

local function restoreString(world, text, make, brief)
  local snapshot, rest = read(world, text, brief)
  if core.touches(snapshot._core) ~= world._touching then
    refuse("one of a world with the same `touching`", "another")
  end
  checkPools(world, snapshot._core)
  local roster = makeAll(world, snapshot, rest, make)
  checkLoads(world, snapshot, roster)
  complete(world, snapshot, rest, roster)
  restore(world, snapshot, keepCharacters(world, snapshot, rest.characters))
  for _, actor in ipairs(roster.actors) do
    if actor then world._readBy[actor] = FN end
  end
end

local M = {}

--- As World.restore, for a frame of a film.
function M.frame(world, text, make)
  lock.guarded(world, "film", restoreString, text, make, true)
end

---@class collide.World
local World = lock.World

--- Goes back to a snapshot: the world has the same actors again, in the same order and at the same
--- places, and their fields are written back into the same tables. Actors that were added since are
--- removed. From there everything repeats bit for bit. Within a callback this ends the dispatch of
--- that step, and within an `update` the whole update; the remaining calls are dropped.
---
--- A string from `snapshot:pack` can be restored in any world with the same `touching`, groups and
--- pools. Then `make(i, fields)` returns the table of the i-th actor, with its shape; `fields`
--- holds its fields in the snapshot. All calls of `make` come before any change. The last calls,
--- with `fields.removed`, are for removed actors whose events are not dispatched yet.
---@param world collide.World
---@param snapshot collide.Snapshot|string a snapshot of this world, or a packed string
---@param make (fun(i: integer, fields: table): table)? only with a string
function World.restore(world, snapshot, make, ...)
  lock.checkOpen(world, FN)
  if type(snapshot) ~= "string" and not snapshots.is(snapshot) then
    check.fail(FN, "snapshot", "snapshot or string", snapshot)
  end
  if select("#", ...) > 0 then check.noMore(FN, "a snapshot, or a string and make", 2, ...) end
  lock.checkIdle(world, FN)
  if type(snapshot) == "string" then
    if not check.isCallable(make) then check.fail(FN, "make", "function, with a string", make) end
    lock.guarded(world, FN, restoreString, snapshot, make)
    return
  end
  if make ~= nil then check.fail(FN, "make", "nothing, without a string", make) end
  if not snapshot._filled then
    check.raise(FN .. ": attempt to use a snapshot that was not completed")
  elseif snapshot._world ~= world then
    check.raise(FN .. ": snapshot expected (one of this world), got one of another world")
  end
  lock.guarded(world, FN, restore, snapshot)
end

return M
