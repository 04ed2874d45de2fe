-- A scene at one moment, so that it can be wound back: its world, its state, all fields of its
-- actors, and what the runner keeps.
--
-- State lies in tables. A moment keeps what each holds, and puts it back into the same tables, so
-- that whoever has one of them, has it as it was.

local core = require "collide.core"
local who = require "collide.who"

local type, next, rawget, rawset, rawequal = type, next, rawget, rawset, rawequal

local M = {}

---@class collide.SceneMoment
---@field scene collide.Scene
---@field world collide.Snapshot
---@field actors table[] in the order of adding
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
    scene = scene, frame = scene.frame, world = world:snapshot(), hash = world:hash(),
    contents = {}, actors = world:actors(), state = scene.state, saved = saved,
    generator = { scene._generator() }, held = {},
  }, Moment)
  for key in pairs(scene._keys.held) do moment.held[key] = true end
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

-- Comparing -----------------------------------------------------------------------------

local compare

-- Tables that are made anew when frames are played again correspond if what they hold does.
-- Where they differ, and both values; nil where they do not.
local function compareTables(pair, a, b, path)
  if pair.mates[a] ~= nil then
    if pair.mates[a] == b then return nil end
    return path, a, b
  end
  pair.mates[a] = b
  local first, second = pair.a.contents[a], pair.b.contents[b]
  if not first or not second then
    if a == b then return nil end
    return path, a, b
  end
  -- Of several differences the one that comes first in the alphabet, as tables have no order.
  local where, was, is
  for key, value in next, first do
    local other = second[pair.mates[key] or key]
    if type(value) == "table" or not rawequal(value, other) then
      local at = type(key) == "string" and path .. "." .. key
        or ("%s[%s]"):format(path, tostring(key))
      local found, before, after = compare(pair, value, other, at)
      if found and (not where or found < where) then where, was, is = found, before, after end
    end
  end
  for key, value in next, second do
    if type(key) ~= "table" and first[key] == nil then
      local at = ("%s.%s"):format(path, tostring(key))
      if not where or at < where then where, was, is = at, nil, value end
    end
  end
  return where, was, is
end

function compare(pair, a, b, path)
  if type(a) == "table" and type(b) == "table" then return compareTables(pair, a, b, path) end
  if a == b or a ~= a and b ~= b or type(a) == "function" and type(b) == "function" then
    return nil
  end
  if core.isShape(a) and core.isShape(b) and tostring(a) == tostring(b) then return nil end
  return path, a, b
end

local function text(value)
  return core.describe(value, true)
end

--- In what the moment differs from another of the same scene: a sentence, or nil.
---@param other collide.SceneMoment
---@return string?
function Moment:diff(other)
  local pair = { a = self, b = other, mates = {} }
  for i, actor in ipairs(self.actors) do
    if self.contents[actor] then pair.mates[actor] = other.actors[i] end
  end
  for i, actor in ipairs(self.actors) do
    pair.mates[actor] = nil
    local mate = other.actors[i]
    local where, was, is = nil, nil, nil
    if mate then where, was, is = compareTables(pair, actor, mate, "") end
    if where then
      return ("%s: %s is %s, was %s"):format(who.is(self.scene.world, actor),
        (where:gsub("^%.", "")), text(is), text(was))
    end
    pair.mates[actor] = mate
  end
  if #self.actors ~= #other.actors then
    return ("%d actors, were %d"):format(#other.actors, #self.actors)
  end
  for _, name in ipairs { "state", "saved" } do
    local where, was, is = compare(pair, self[name], other[name], "scene." .. name)
    if where then return ("%s is %s, was %s"):format(where, text(is), text(was)) end
  end
  for i, word in ipairs(self.generator) do
    if word ~= other.generator[i] then return "another count of random numbers was drawn" end
  end
  if self.hash ~= other.hash then
    return ("the world's hash is %s, was %s"):format(other.hash, self.hash)
  end
end

return M
