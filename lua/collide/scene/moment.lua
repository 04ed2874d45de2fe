-- Snapshots of a scene, to wind it back to: its world, its state, all fields of its actors, its
-- keys and random numbers.
--
-- A moment copies the contents of each table, and restores them into the same tables, so that
-- references to these stay valid.

local core = require "collide.core"
local diff = require "collide.snapshot.diff"
local each = require "collide.each"
local reader = require "collide.world.reader"

local M = {}

-- The first difference of two moments --------------------------------------------

local type, ipairs, rawget, rawset, rawequal = type, ipairs, rawget, rawset, rawequal

local compare

-- Whether two shapes are equal, even if they were made by different calls.
local function isSameShape(a, b)
  if rawequal(a, b) then return true end
  local parts, others = a:parts(), b:parts()
  if a:kind() ~= b:kind() or #parts ~= #others then return false end
  for i, part in ipairs(parts) do
    local points, mates = part:points(), others[i]:points()
    if part:radius() ~= others[i]:radius() or #points ~= #mates then return false end
    for k, v in ipairs(points) do
      if v ~= mates[k] then return false end
    end
  end
  return true
end

local function setMate(pair, a, b)
  pair.mates[a], pair.owners[b] = b, a
end

-- Finds a mate for a table that is a key of the first table: a key of `second` without an owner,
-- with equal contents and an equal value.
local function findMate(pair, key, value, second)
  for other, otherValue in each.next, second do
    if type(other) == "table" and pair.owners[other] == nil then
      local trial = { a = pair.a, b = pair.b, numbers = pair.numbers,
        mates = setmetatable({}, { __index = pair.mates }),
        owners = setmetatable({}, { __index = pair.owners }) }
      if not compare(trial, key, other, "") and not compare(trial, value, otherValue, "") then
        for one, mate in each.next, trial.mates do setMate(pair, one, mate) end
        return
      end
    end
  end
end

local function pathOf(pair, path, key)
  if type(key) == "string" then return path .. "." .. key end
  local number = pair.numbers[key]
  return ("%s[%s]"):format(path, number and "actor " .. number or core.describe(key, true))
end

-- The path at which two tables differ, and both values; nil if they do not differ. Tables have no
-- order, so the first path in alphabetical order is returned.
local function compareContents(pair, first, second, path)
  local where, was, is, known = nil, nil, nil, {}
  local function note(found, before, after)
    if found and (not where or found < where) then where, was, is = found, before, after end
  end
  for key, value in each.next, first do
    if type(key) == "table" then
      if pair.mates[key] == nil and second[key] == nil then findMate(pair, key, value, second) end
      local mate = pair.mates[key] or key
      if second[mate] ~= nil then note(compare(pair, key, mate, pathOf(pair, path, key))) end
    end
    local mate = pair.mates[key] or key
    local other = second[mate]
    known[mate] = true
    if type(value) == "table" or not rawequal(value, other) then
      note(compare(pair, value, other, pathOf(pair, path, key)))
    end
  end
  for key, value in each.next, second do
    if not known[key] then note(pathOf(pair, path, key), nil, value) end
  end
  return where, was, is
end

local function compareTables(pair, a, b, path)
  if pair.mates[a] ~= nil then
    if pair.mates[a] == b then return nil end
    return path, a, b
  end
  setMate(pair, a, b)
  local first, second = pair.a.contents[a], pair.b.contents[b]
  if first and second then return compareContents(pair, first, second, path) end
  if a == b then return nil end
  return path, a, b
end

function compare(pair, a, b, path)
  if type(a) == "table" and type(b) == "table" then return compareTables(pair, a, b, path) end
  if a == b or a ~= a and b ~= b or type(a) == "function" and type(b) == "function" then
    return nil
  end
  if core.isShape(a) and core.isShape(b) and isSameShape(a, b) then return nil end
  return path, a, b
end

local function text(value)
  return core.isShape(value) and tostring(value) or core.describe(value, true)
end

local function sentence(what, is, was)
  return ("%s is %s, was %s"):format(what, text(is), text(was))
end

-- Objects that the library has made for a scene correspond by their place in the world.
local function matchOwn(pair)
  local a, b = pair.a, pair.b
  for i = 1, math.min(#a.pools, #b.pools) do setMate(pair, a.pools[i], b.pools[i]) end
  for i = 1, math.min(#a.actors, #b.actors) do
    local actor, mate = a.actors[i], b.actors[i]
    setMate(pair, actor, mate)
    pair.numbers[actor], pair.numbers[mate] = i, i
    local one, other = a.characters[actor], b.characters[mate]
    if one and other then setMate(pair, one, other) end
  end
end

-- Compares the fields of actors. Actors with a `save` have no contents here: their values are
-- compared by the world's snapshot.
local function diffActors(pair)
  local a, b = pair.a, pair.b
  for i, actor in ipairs(a.actors) do
    local mate = b.actors[i]
    local first, second = a.contents[actor], mate and b.contents[mate]
    if first and second then
      local where, was, is = compareContents(pair, first, second, "")
      if where then
        return ("%s: %s"):format(reader.describe(b.scene.world, mate),
          sentence(where:gsub("^%.", ""), is, was))
      end
    end
  end
end

local function diffState(pair)
  for _, name in ipairs { "state", "saved" } do
    local what = name == "state" and "scene.state" or "what scene.save returns"
    local where, was, is = compare(pair, pair.a[name], pair.b[name], what)
    if where then return sentence(where, is, was) end
  end
end

local function diffGenerator(a, b)
  for i, word in ipairs(a.generator) do
    if word ~= b.generator[i] then return "another count of random numbers was drawn" end
  end
end

-- The first key in alphabetical order that is held in only one of two moments.
local function diffKeys(a, b)
  local first
  for _, sets in ipairs { { a, b }, { b, a } } do
    for key in each.next, sets[1] do
      if not sets[2][key] and (not first or key < first) then first = key end
    end
  end
  return first and ("key %s is %s, was %s"):format(core.describe(first):gsub("^string ", ""),
    b[first] and "held" or "not held", a[first] and "held" or "not held")
end

--- The first difference between a moment and a later moment of the same frame.
---@param a collide.SceneMoment
---@param b collide.SceneMoment
---@return string?
local function firstDifference(a, b)
  local pair = { a = a, b = b, mates = {}, owners = {}, numbers = {} }
  matchOwn(pair)
  return diffKeys(a.held, b.held) or diffActors(pair)
    or diff.first(b.world, a.world, diff.EARLIER) or diffState(pair) or diffGenerator(a, b)
end

-- Taking and restoring -----------------------------------------------------------

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
    if owner then path = ("%s: %s"):format(reader.describe(moment.scene.world, owner), path) end
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
  return firstDifference(self, other)
end

return M
