-- Snapshots of a scene, to wind it back to: its world, its state, all fields of its actors, its
-- keys and random numbers.
--
-- A moment copies the contents of each table, and restores them into the same tables, so that
-- references to these stay valid.

local core = require "collide.core"
local diff = require "collide.snapshot.diff"
local each = require "collide.each"
local changes = require "collide.scene.changes"
local who = require "collide.world.describe"

local type, rawget, rawset, rawequal = type, rawget, rawset, rawequal

local M = {}

---@class collide.SceneMoment
---@field scene collide.Scene
---@field frame integer
---@field world collide.Snapshot
---@field actors table[] in the order of adding
---@field pools collide.Bullets[]
---@field characters table<table, collide.Character> by actor
---@field generator integer[] the state of the random number generator
---@field held table<string, boolean> the keys that are held
---@field contents table<table, table> a copy of each table
---@field sizes table<table, integer> how many keys each table has
---@field state any
---@field saved any the value that the scene's `save` returned
local Moment = {}
Moment.__index = Moment

-- The types whose values can be compared directly.
local PLAIN = { number = true, string = true, boolean = true, ["nil"] = true }

local STATE = "number, string, boolean, table, actor, character, pool or shape"

-- Objects of the library whose state is in the world's snapshot.
local HELD = { pool = true, character = true }

-- Whether a table is kept already, is kept elsewhere, or never changes.
local function isKept(moment, value)
  local scene = moment.scene
  return moment.contents[value] or rawequal(value, scene) or rawequal(value, scene.world)
    or rawequal(value, scene.params) or scene.world:has(value)
end

local keep

-- Keeps the contents of a table. A table with a shape is an actor that is in no world now.
local function keepTable(moment, value, path, owner)
  local copy, size = {}, 0
  moment.contents[value] = copy
  owner = owner or core.isShape(rawget(value, moment.scene.world._names.shape)) and value or nil
  for key, part in each.next, value do
    copy[key], size = part, size + 1
    local at = type(key) == "string" and path .. "." .. key
      or ("%s[%s]"):format(path, core.describe(key, true))
    if type(key) == "table" then keep(moment, key, at, owner) end
    keep(moment, part, at, owner)
  end
  moment.sizes[value] = size
end

-- Keeps the parts of a value that can change; raises if it cannot. `owner` is the actor whose field
-- it is: such a value may also be a function or any object of the library.
function keep(moment, value, path, owner)
  local kind = type(value)
  if PLAIN[kind] or owner and kind == "function" or core.isShape(value) then return end
  local name = core.ownName(value)
  if kind == "table" and (not name or rawequal(value, moment.scene)
    or rawequal(value, moment.scene.world)) then
    if not isKept(moment, value) then keepTable(moment, value, path, owner) end
  elseif not HELD[name] and (not owner or kind == "thread") then
    if owner then path = ("%s: %s"):format(who.is(moment.scene.world, owner), path) end
    error(("%s expected (%s), got %s"):format(path,
      owner and "anything but a coroutine" or STATE, core.describe(value)), 0)
  end
end

-- Keeps the fields of the actors. An actor with a `save` is left to the world's snapshot, which
-- calls it.
local function keepActors(moment)
  local world = moment.scene.world
  local save = world._names.save
  for _, actor in ipairs(moment.actors) do
    if not (save and actor[save]) then
      local copy, size = {}, 0
      moment.contents[actor] = copy
      for key, value in each.next, actor do
        copy[key], size = value, size + 1
        keep(moment, value, type(key) == "string" and key or "[" .. tostring(key) .. "]", actor)
      end
      moment.sizes[actor] = size
    end
  end
end

--- Takes a snapshot of a scene. Raises for a value that cannot be kept.
---@param scene collide.Scene
---@param saved any the value that its own `save` returned
---@return collide.SceneMoment
function M.take(scene, saved)
  local world = scene.world
  local moment = setmetatable({
    scene = scene, frame = scene.frame, world = world:snapshot(), contents = {}, sizes = {},
    actors = world:actors(), pools = world:pools(), characters = {}, state = scene.state,
    saved = saved, generator = { scene._generator() }, held = {},
  }, Moment)
  for key in each.pairs(scene._keys.held) do moment.held[key] = true end
  for actor, character in each.pairs(world._characters) do moment.characters[actor] = character end
  keepActors(moment)
  keep(moment, scene.state, "scene.state", nil)
  keep(moment, saved, "what scene.save returns", nil)
  return moment
end

-- Restores the contents of a table from its copy.
local function refill(object, copy)
  for key in each.next, object do
    if copy[key] == nil then rawset(object, key, nil) end
  end
  for key, value in each.next, copy do rawset(object, key, value) end
end

--- Winds the scene back. Does not call the scene's own `load`.
function Moment:restore()
  local scene = self.scene
  scene.world:restore(self.world)
  for object, copy in each.next, self.contents do refill(object, copy) end
  scene.state, scene.frame = self.state, self.frame
  scene._generator((table.unpack or unpack)(self.generator))
  local held = scene._keys.held
  for key in each.pairs(held) do held[key] = nil end
  for key in each.pairs(self.held) do held[key] = true end
end

-- Whether a table holds values identical to those of its copy.
local function isCopy(moment, object, copy)
  local contents, size = moment.contents, 0
  for key, value in each.next, object do
    local before = copy[key]
    size = size + 1
    -- Tables are compared raw too, since their class may define __eq.
    if value ~= before or contents[before] and not rawequal(value, before) then return false end
  end
  return size == moment.sizes[object]
end

local function isSameList(a, b)
  for i = 1, math.max(#a, #b) do
    if not rawequal(a[i], b[i]) then return false end
  end
  return true
end

local function isSameSet(a, b)
  for key, value in each.next, a do
    if b[key] ~= value then return false end
  end
  for key in each.next, b do
    if a[key] == nil then return false end
  end
  return true
end

--- A fast test whether the scene is at this moment: the same tables hold identical values. It does
--- not take another moment. If it is false the scene may still be equal, since tables may have been
--- replaced by equal ones; for a scene with a `save` it is always false.
---@param spare collide.Snapshot? a snapshot to be filled
---@return boolean
---@return collide.Snapshot? spare for the next call
function Moment:isNow(spare)
  local scene, world = self.scene, self.scene.world
  if scene.save or scene.state ~= self.state or not isSameSet(scene._keys.held, self.held)
    or not isSameSet(world._characters, self.characters)
    or not isSameList(world:actors(), self.actors) or not isSameList(world:pools(), self.pools)
    or not isSameList({ scene._generator() }, self.generator) then
    return false, spare
  end
  for object, copy in each.next, self.contents do
    if not isCopy(self, object, copy) then return false, spare end
  end
  spare = world:snapshot(nil, spare)
  return diff.first(spare, self.world) == nil, spare
end

--- The first difference between this moment and another of the same scene, as a sentence, or nil.
---@param other collide.SceneMoment
---@return string?
function Moment:diff(other)
  return changes.first(self, other)
end

return M
