-- Going back to a snapshot of a World.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.characterstate"
local snapshots = require "collide.snapshot"
local state = require "collide.state"
local who = require "collide.who"

local select, pcall, error = select, pcall, error

local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT
local worldOf = state.worldOf

local M = {}

local FN = "world:restore"

local function checkActors(world, roster)
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    local owner = actor and worldOf[actor]
    if owner and owner ~= world and owner._slots[actor] then
      check.raise(("%s: %s is in another world by now; remove it from that one first"):format(FN,
        who.is(owner, actor)))
    end
  end
end

-- The lists of a world with the actors of a roster, who are added anew as far as walks through
-- the slots go.
local function listsOf(world, roster)
  local lists = { actors = {}, ghosts = {}, shapes = {}, ids = {}, slots = {},
    seen = world._seen and {} or nil }
  for slot = 1, #roster.actors do
    local actor = roster.actors[slot]
    lists.actors[slot], lists.ghosts[slot] = actor, roster.ghosts[slot]
    lists.shapes[slot], lists.ids[slot] = roster.shapes[slot], world._lastId + slot
    if actor then
      lists.slots[actor] = slot
      worldOf[actor] = world
      if lists.seen then lists.seen[actor] = snapshots.copySeen(roster.seen[slot]) end
    end
  end
  lists.event = world._core:events(lists.actors, lists.ghosts)
  return lists
end

local function setLists(world, lists)
  for actor in pairs(world._slots) do
    if not lists.slots[actor] then worldOf[actor] = nil end
  end
  world._actors, world._ghosts, world._shapes = lists.actors, lists.ghosts, lists.shapes
  world._ids, world._slots, world._seen = lists.ids, lists.slots, lists.seen
  world._event = lists.event
  world._lastId = world._lastId + #lists.ids
end

-- Pools of a world that a snapshot has not.
local function poolsSince(world, snapshot)
  local kept, since = {}, {}
  for _, pool in ipairs(snapshot._pools) do kept[pool] = true end
  for _, pool in ipairs(world._pools) do
    if not kept[pool] then since[#since + 1] = pool end
  end
  return since
end

-- Makes pools again that have been removed since; a list of them.
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

-- All that can fail comes before the core is restored.
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
  world._pools, world._characters, world._roster = pools, controllers, roster
  roster.world, roster.edits = world, edits
  world._serial, world._changes = world._serial + 1, world._changes + 1
  world._restores = world._restores + 1
  state.slotsMoved(world)
  world._held, world._pulled, world._frame = snapshot._held, snapshot._pulled, snapshot._frame
end

-- The names of groups by their numbers, from 1.
local function groupNames(world)
  local list = {}
  for name, number in pairs(world._groups) do list[number + 1] = name end
  return list
end

local function writeBack(world)
  local snapshot = world._taking
  local roster, names = snapshot._roster, world._names
  characters.put(snapshot._characters, snapshot._characterCount, NOTHING)
  core.writeFields(world._core, snapshot._core, world._actors, names, snapshot._fields,
    snapshot._values, NOTHING, LEFT, roster.shapes, groupNames(world))
  for i = 1, snapshot._saverCount do
    local value = snapshot._saved[i]
    if value == NOTHING then value = nil end
    local actor = roster.actors[snapshot._savers[i]]
    actor[names.load](actor, value)
  end
end

--- Goes back to a snapshot: its actors are in the world in their order, where and as they were,
--- and their fields are written back into the same tables; who came since is taken out. From there
--- everything happens again. In a callback this ends the telling of that step, and in an `update`
--- the whole update; nothing of either is told later.
---@param snapshot collide.Snapshot of this world
function M.restore(world, snapshot, ...)
  state.checkOpen(world, FN)
  if not snapshots.is(snapshot) then check.fail(FN, "snapshot", "snapshot", snapshot) end
  if select("#", ...) > 0 then check.noMore(FN, "a snapshot", 1, ...) end
  state.checkIdle(world, FN)
  if not snapshot._filled then
    check.raise(FN .. ": attempt to use a snapshot that was not completed")
  elseif snapshot._world ~= world then
    check.raise(FN .. ": snapshot expected (one of this world), got one of another world")
  end
  checkActors(world, snapshot._roster)
  commit(world, snapshot)
  world._taking = snapshot
  state.guarded(world, writeBack)
  world._taking = nil
end

return M
