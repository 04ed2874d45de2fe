-- Restores a World from a snapshot or a packed string.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character.state"
local floors = require "collide.character.floor"
local each = require "collide.each"
local packs = require "collide.snapshot.pack"
local snapshots = require "collide.snapshot"
local state = require "collide.world.state"
local who = require "collide.world.describe"
local accelerator = require "collide.ffi.frame"
local fast = require "collide.ffi.fields"

local type, select, pcall, error, ipairs = type, select, pcall, error, ipairs

local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT
local worldOf = state.worldOf

local M = {}

local FN = "world:restore"

local function checkActors(world, roster)
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    local owner = actor and worldOf[actor]
    if owner and owner ~= world and owner._slots[actor] then
      check.raise(("%s: %s is in another world now; remove it from that one first"):format(FN,
        who.is(owner, actor)))
    end
  end
end

-- The lists of a world with the actors of a roster. They are new tables, since loops over the old
-- lists may be in progress.
local function listsOf(world, roster)
  local lists = { actors = {}, ghosts = {}, shapes = {}, ids = {}, slots = {}, stated = {},
    seen = world._seen and {} or nil }
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    lists.actors[slot], lists.ghosts[slot] = actor, roster.ghosts[slot]
    lists.shapes[slot], lists.ids[slot] = roster.shapes[slot], world._lastId + slot
    if actor then
      lists.slots[actor] = slot
      worldOf[actor] = world
      if roster.stated[slot] ~= 0 then lists.stated[actor] = roster.stated[slot] end
      if lists.seen then lists.seen[actor] = snapshots.copySeen(roster.seen[slot]) end
    end
  end
  lists.event = world._core:events(lists.actors, lists.ghosts)
  return lists
end

local function setLists(world, lists)
  for actor in each.pairs(world._slots) do
    if not lists.slots[actor] then worldOf[actor] = nil end
  end
  world._actors, world._ghosts, world._shapes = lists.actors, lists.ghosts, lists.shapes
  world._ids, world._slots, world._seen = lists.ids, lists.slots, lists.seen
  world._event, world._stated = lists.event, lists.stated
  world._lastId = world._lastId + #lists.ids
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

-- Makes the pools that have been removed since a snapshot again, and appends them to `revived`.
local function revive(world, snapshot, revived)
  for i, pool in ipairs(snapshot._pools) do
    if rawget(pool, "_removed") then
      revived[#revived + 1] = pool
      world._core:revive(snapshot._core, i, pool)
    end
  end
end

local function restoreCore(world, snapshot, since, revived)
  revive(world, snapshot, revived)
  return world._core:restore(snapshot._core, snapshot._pools, since)
end

local function copyOf(list)
  local copy = {}
  for i = 1, #list do copy[i] = list[i] end
  return copy
end

-- Restores the core and the world's lists. Everything that can fail comes before the core changes.
local function commit(world, snapshot)
  local roster = snapshot._roster
  local lists = not snapshots.isCurrent(world, roster) and listsOf(world, roster) or nil
  local since, revived, pools = poolsSince(world, snapshot), {}, copyOf(snapshot._pools)
  local controllers = characters.listed(snapshot._characters, snapshot._characterCount)
  local ok, edits = pcall(restoreCore, world, snapshot, since, revived)
  if not ok then
    for _, pool in ipairs(revived) do core.dropRevived(pool) end
    error(edits, 0)
  end
  for _, pool in ipairs(since) do pool._removed = true end
  for _, pool in ipairs(revived) do pool._removed = false end
  if lists then setLists(world, lists) end
  world._pools, world._characters, world._rosters[1] = pools, controllers, roster
  roster.world, roster.edits = world, edits
  world._serial, world._changes = world._serial + 1, world._changes + 1
  world._restores = world._restores + 1
  state.slotsMoved(world)
  world._held, world._pulled, world._frame = snapshot._held, snapshot._pulled, snapshot._frame
end

-- The names of the groups, by number plus 1.
local function groupNames(world)
  local list = {}
  for name, number in each.pairs(world._groups) do list[number + 1] = name end
  return list
end

-- Writes the fields, characters and saved values of the snapshot back to the actors.
local function writeBack(world, snapshot)
  local roster, names = snapshot._roster, world._names
  characters.put(snapshot._characters, snapshot._characterCount, NOTHING)
  floors.listAll(world)
  local groups = groupNames(world)
  if fast and accelerator.isOn() then
    fast.writeFields(snapshot._io, snapshot._core, roster, names, snapshot._fields,
      snapshot._values, NOTHING, LEFT, groups)
  else
    core.writeFields(world._core, snapshot._core, world._actors, names, snapshot._fields,
      snapshot._values, NOTHING, LEFT, roster.shapes, groups, roster.stated)
  end
  for i = 1, snapshot._saverCount do
    local value = snapshot._saved[i]
    if value == NOTHING then value = nil end
    local actor = roster.actors[snapshot._savers[i]]
    actor[names.load](actor, value)
  end
end

-- `waiting` has the states of characters that are still to be made, or is nil.
local function restore(world, snapshot, waiting)
  checkActors(world, snapshot._roster)
  commit(world, snapshot)
  world._waiting = waiting
  state.guarded(world, FN, writeBack, snapshot)
end

-- From a string -------------------------------------------------------------------

local function checkPools(world, read)
  for i, pool in ipairs(world._pools) do
    local capacity, radius, ages = core.poolAt(read.core, i)
    if capacity ~= pool.capacity or radius ~= pool.radius or ages ~= (pool.lifetime ~= nil) then
      packs.refuse("one of a world whose pools are alike", ("another pool %d"):format(i))
    end
  end
  if core.poolAt(read.core, #world._pools + 1) then
    packs.refuse("one of a world with as many pools", "one with more")
  end
end

-- The argument `fields` of `make`: the actor's fields in the snapshot, except those whose values
-- are actors.
local function givenOf(read, slot)
  local group, static, sensor, oneWay, swept, x, y, angle = core.entry(read.core, slot)
  if not group then return { removed = true } end
  local given = { group = read.groups[group + 1], static = static, sensor = sensor,
    oneWay = oneWay, swept = swept, x = x, y = y, angle = angle }
  for _, field in ipairs(read.fields) do
    local value = field.values[slot]
    if not field.actors[slot] and value ~= NOTHING and value ~= LEFT then
      given[field.name] = value
    end
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
  if not live then return end
  local shape = made[world._names.shape]
  if not core.isShape(shape) then
    check.fail(FN, ("%s: %s"):format(arg, world._names.shape), check.SHAPE, shape)
  end
  return shape
end

-- Calls `make` for all tables: first for the actors in their order, then for removed actors with
-- events that are not dispatched yet. Returns a roster.
local function makeAll(world, read, make)
  local seen, i = {}, 0
  local roster = { actors = {}, ghosts = {}, shapes = {}, seen = {}, stated = {}, users = 1 }
  for slot in ipairs(read.live) do
    roster.actors[slot], roster.ghosts[slot] = false, false
    roster.shapes[slot], roster.seen[slot], roster.stated[slot] = false, false, 0
  end
  for _, live in ipairs { true, false } do
    for slot, isLive in ipairs(read.live) do
      if isLive == live then
        i = i + 1
        local made = make(i, givenOf(read, slot))
        roster.shapes[slot] = checkMade(world, made, seen, i, live) or false
        roster[live and "actors" or "ghosts"][slot] = made
      end
    end
  end
  return roster
end

-- Checks that each actor that was saved by its own `save` has a `load`, before anything changes.
local function checkLoads(world, read, roster)
  local name = world._names.load
  for _, saver in ipairs(read.savers) do
    local actor = roster.actors[saver.slot]
    if not (name and check.isCallable(actor[name])) then
      who.fail(FN, world, actor, name or "load", "function, for what its save returned",
        name and actor[name])
    end
  end
end

-- The fields of an actor that a strict world remembers, as reading.actor gives them.
local function seenOf(world, snapshot, slot)
  local number, static, sensor, oneWay, swept, x, y, angle = core.entry(snapshot._core, slot)
  local seen = { by = FN, shape = snapshot._roster.shapes[slot], static = static, sensor = sensor,
    oneWay = oneWay, swept = swept, x = x, y = y, angle = angle, methods = {} }
  for name, other in each.pairs(world._groups) do
    if other == number then seen.group = name end
  end
  return seen
end

local function valueOf(roster, value, number)
  if not number then return value end
  return roster.actors[number] or roster.ghosts[number]
end

-- Makes a snapshot from the values that were read and the tables that were made.
local function complete(world, read, roster)
  local fresh, count = state.freshGroups(world, FN, "group", read.groups)
  local groups = {}
  for i, name in ipairs(read.groups) do groups[i] = world._groups[name] or fresh[name] end
  local ok, what, at = core.complete(read.core, roster.shapes, groups, world._pools)
  if not ok and what == "pool" then
    packs.refuse("one of a world whose pools are alike", ("another pool %d"):format(at))
  elseif not ok and what == "grids" then
    packs.refuse("one of actors with as many grids of tiles", "one with more")
  elseif not ok then
    who.fail(FN, world, roster.actors[at], world._names.shape,
      "shape with the bounds and cells of the one that was packed", roster.shapes[at])
  end
  state.addGroups(world, fresh, count)
  local snapshot = snapshots.of(read.core)
  snapshot._roster, snapshot._world = roster, world
  for k, field in ipairs(read.fields) do
    snapshot._fields[k] = field.name
    for slot = 1, #read.live do
      local value = valueOf(roster, field.values[slot], field.actors[slot])
      if value == nil then value = NOTHING end
      snapshot._values[(k - 1) * #read.live + slot] = value
    end
  end
  for i, saver in ipairs(read.savers) do
    snapshot._savers[i] = saver.slot
    snapshot._saved[i] = valueOf(roster, saver.value, saver.actor)
  end
  snapshot._saverCount = #read.savers
  for i, pool in ipairs(world._pools) do snapshot._pools[i] = pool end
  snapshot._held, snapshot._pulled, snapshot._frame = read.held, read.pulled, read.frame
  snapshot._filled, snapshot._count = true, #read.live
  if world._seen then
    for slot, live in ipairs(read.live) do
      if live then roster.seen[slot] = seenOf(world, snapshot, slot) end
    end
  end
  return snapshot
end

-- What a state holds of actors must not keep them alive, once they are removed.
local WEAK = { __mode = "v" }

-- The states of characters, by actor: for those that the actors have, and for when newCharacter
-- makes others.
local function waitingOf(read, roster)
  local waiting = {}
  for _, one in ipairs(read.characters) do
    for k, number in each.pairs(one.actors) do one.values[k] = valueOf(roster, nil, number) end
    local values = setmetatable(one.values, WEAK)
    waiting[roster.actors[one.slot]] = { values = values, nothing = NOTHING }
  end
  return waiting
end

-- Adds the characters of the actors to the snapshot, each with its state in the string; one without
-- a state there is as new.
local function keepCharacters(world, snapshot, waiting)
  local n = 0
  for _, actor in ipairs(snapshot._roster.actors) do
    local character = actor and world._characters[actor]
    if character then
      local kept = waiting[actor]
      waiting[actor] = nil
      n = characters.append(snapshot._characters, n, character, kept and kept.values, NOTHING)
    end
  end
  snapshot._characterCount = n
end

local function restoreString(world, text, make)
  if not check.isCallable(make) then check.fail(FN, "make", "function, with a string", make) end
  local read = packs.read(world, text)
  if core.touches(read.core) ~= world._touching then
    packs.refuse("one of a world with the same `touching`", "another")
  end
  checkPools(world, read)
  local roster = state.guarded(world, FN, makeAll, read, make)
  checkLoads(world, read, roster)
  local snapshot = complete(world, read, roster)
  local waiting = waitingOf(read, roster)
  keepCharacters(world, snapshot, waiting)
  restore(world, snapshot, waiting)
end

---@class collide.World
local World = {}

M.methods = World

--- Goes back to a snapshot: the world has the same actors again, in the same order and at the same
--- places, and their fields are written back into the same tables. Actors that were added since are
--- removed. From there everything repeats to the bit. Within a callback this ends the dispatch of
--- that step, and within an `update` the whole update; the calls that were left are dropped.
---
--- A string from `snapshot:pack` can be restored in any world with the same `touching`, groups and
--- pools. Then `make(i, fields)` returns the table of the i-th actor, with its shape; `fields`
--- holds its fields in the snapshot. All calls of `make` come before any change. The last calls,
--- with `fields.removed`, are for removed actors whose events are not dispatched yet.
---@param world collide.World
---@param snapshot collide.Snapshot|string a snapshot of this world, or a packed string
---@param make (fun(i: integer, fields: table): table)? only with a string
function World.restore(world, snapshot, make, ...)
  state.checkOpen(world, FN)
  if type(snapshot) ~= "string" and not snapshots.is(snapshot) then
    check.fail(FN, "snapshot", "snapshot or string", snapshot)
  end
  if select("#", ...) > 0 then check.noMore(FN, "a snapshot, or a string and make", 2, ...) end
  state.checkIdle(world, FN)
  if type(snapshot) == "string" then
    restoreString(world, snapshot, make)
    return
  end
  if make ~= nil then check.fail(FN, "make", "nothing, without a string", make) end
  if not snapshot._filled then
    check.raise(FN .. ": attempt to use a snapshot that was not completed")
  elseif snapshot._world ~= world then
    check.raise(FN .. ": snapshot expected (one of this world), got one of another world")
  end
  restore(world, snapshot)
end

return M
