-- Finds the first difference of two moments of a scene, as a sentence.
--
-- A game that is wound back and played again makes some of its tables anew. Two such tables
-- correspond if their contents do. A `pair` of moments a, b has the correspondences found so far:
-- `mates` maps tables of a to tables of b, `owners` maps them back. `numbers` has actors' numbers.

local core = require "collide.core"
local diff = require "collide.snapshot.diff"
local each = require "collide.each"
local who = require "collide.world.describe"

local type, ipairs, rawequal = type, ipairs, rawequal

local M = {}

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
        return ("%s: %s"):format(who.is(b.scene.world, mate), sentence(where:gsub("^%.", ""), is,
          was))
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
function M.first(a, b)
  local pair = { a = a, b = b, mates = {}, owners = {}, numbers = {} }
  matchOwn(pair)
  return diffKeys(a.held, b.held) or diffActors(pair)
    or diff.first(b.world, a.world, diff.EARLIER) or diffState(pair) or diffGenerator(a, b)
end

return M
