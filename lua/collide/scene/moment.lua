-- A scene at one moment, so that it can be wound back: its world, its state, all fields of its
-- actors, and what the runner keeps.
--
-- State lies in tables. A moment keeps what each holds, and puts it back into the same tables, so
-- that whoever has one of them, has it as it was.

local core = require "collide.core"
local changes = require "collide.scene.changes"
local who = require "collide.who"

local type, next, rawget, rawset = type, next, rawget, rawset

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
---@field contents table<table, table> what each table holds
---@field state any
---@field saved any what the scene's `save` has given
local Moment = {}
Moment.__index = Moment

-- What can be told apart by itself.
local PLAIN = { number = true, string = true, boolean = true, ["nil"] = true }

local STATE = "number, string, boolean, table, actor or shape"

-- What a world's snapshot has of its own.
local HELD = { pool = true, character = true }

-- Tables that have their own turn, or never change.
local function isKept(moment, value)
  local scene = moment.scene
  return moment.contents[value] or value == scene or value == scene.world
    or value == scene.params or scene.world:has(value)
end

local keep

-- Keeps what a table holds. One with a shape is an actor that is in no world now.
local function keepTable(moment, value, path, owner)
  local copy = {}
  moment.contents[value] = copy
  owner = owner or core.isShape(rawget(value, moment.scene.world._names.shape)) and value or nil
  for key, part in next, value do
    copy[key] = part
    local at = type(key) == "string" and path .. "." .. key
      or ("%s[%s]"):format(path, core.describe(key, true))
    if type(key) == "table" then keep(moment, key, at, owner) end
    keep(moment, part, at, owner)
  end
end

-- Keeps what can change of a value. `owner` is the actor that has it: that has methods, too, and
-- whatever else of the library's it was given.
function keep(moment, value, path, owner)
  local kind = type(value)
  if PLAIN[kind] or owner and kind == "function" or core.isShape(value) then return end
  local name = core.ownName(value)
  if kind == "table" and (not name or value == moment.scene or value == moment.scene.world) then
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
      local copy = {}
      moment.contents[actor] = copy
      for key, value in next, actor do
        copy[key] = value
        keep(moment, value, type(key) == "string" and key or "[" .. tostring(key) .. "]", actor)
      end
    end
  end
end

--- A scene as it stands. What cannot be kept raises.
---@param scene collide.Scene
---@param saved any what its own `save` has given
---@return collide.SceneMoment
function M.take(scene, saved)
  local world = scene.world
  local moment = setmetatable({
    scene = scene, frame = scene.frame, world = world:snapshot(), contents = {},
    actors = world:actors(), pools = world:pools(), characters = {}, state = scene.state,
    saved = saved, generator = { scene._generator() }, held = {},
  }, Moment)
  for key in pairs(scene._keys.held) do moment.held[key] = true end
  for actor, character in pairs(world._characters) do moment.characters[actor] = character end
  keepActors(moment)
  keep(moment, scene.state, "scene.state", nil)
  keep(moment, saved, "what scene.save returns", nil)
  return moment
end

-- Gives a table what it held.
local function refill(object, copy)
  for key in next, object do
    if copy[key] == nil then rawset(object, key, nil) end
  end
  for key, value in next, copy do rawset(object, key, value) end
end

--- Winds the scene back. What the scene's own `load` takes is left to that.
function Moment:restore()
  local scene = self.scene
  scene.world:restore(self.world)
  for object, copy in next, self.contents do refill(object, copy) end
  scene.state, scene.frame = self.state, self.frame
  scene._generator((table.unpack or unpack)(self.generator))
  local held = scene._keys.held
  for key in pairs(held) do held[key] = nil end
  for key in pairs(self.held) do held[key] = true end
end

--- In what the moment differs from another of the same scene: a sentence, or nil.
---@param other collide.SceneMoment
---@return string?
function Moment:diff(other)
  return changes.first(self, other)
end

return M
