-- A scene at one moment, so that it can be wound back: its world, its state, all fields of its
-- actors, and what the runner keeps.
--
-- State lies in tables. A moment keeps the contents of each, and puts them back into the same
-- tables, so that every reference to one stays valid.

local core = require "collide.core"
local diff = require "collide.diff"
local each = require "collide.each"
local changes = require "collide.scene.changes"
local who = require "collide.who"

local type, rawget, rawset, rawequal = type, rawget, rawset, rawequal

local M = {}

---@class collide.SceneMoment
---@field scene collide.Scene
---@field frame integer
---@field world collide.Snapshot
---@field actors table[] in the order of adding
---@field pools collide.Bullets[]
---@field characters table<table, collide.Character> by actor
---@field generator integer[] the state of the random numbers
---@field held table<string, boolean> the keys
---@field contents table<table, table> the contents of each table
---@field sizes table<table, integer> how many keys it has
---@field state any
---@field saved any what the scene's `save` has given
local Moment = {}
Moment.__index = Moment

-- The types whose values can be compared directly.
local PLAIN = { number = true, string = true, boolean = true, ["nil"] = true }

local STATE = "number, string, boolean, table, actor or shape"

-- What a world's snapshot has of its own.
local HELD = { pool = true, character = true }

-- Tables that have their own turn, or never change.
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

-- Keeps what can change of a value. `owner` is the actor that has it: that has methods, too, and
-- whatever else of the library's it was given.
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

-- Who saves itself is left to that.
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

--- A scene as it is. A value that cannot be kept raises an error.
---@param scene collide.Scene
---@param saved any what its own `save` has given
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

-- Puts the contents of a table back.
local function refill(object, copy)
  for key in each.next, object do
    if copy[key] == nil then rawset(object, key, nil) end
  end
  for key, value in each.next, copy do rawset(object, key, value) end
end

--- Winds the scene back. What the scene's own `load` takes is left to that.
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

-- Whether a table holds the very same as its copy does.
local function isCopy(moment, object, copy)
  local contents, size = moment.contents, 0
  for key, value in each.next, object do
    local before = copy[key]
    size = size + 1
    -- Tables of a class may have an equality of their own.
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

--- Whether the scene stands at this moment: the very same tables hold the very same values. This
--- takes no other moment. A scene for which it is false may still be equal, if some tables were
--- replaced by equal ones; with a `save`, it always is false.
---@param spare collide.Snapshot? a snapshot to be filled
---@return boolean
---@return collide.Snapshot? spare for the next time
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

--- In what the moment differs from another of the same scene: a sentence, or nil.
---@param other collide.SceneMoment
---@return string?
function Moment:diff(other)
  return changes.first(self, other)
end

return M
