-- The first difference between two snapshots, as a sentence.

local core = require "collide.core"
local characters = require "collide.character.state"
local check = require "collide.check"
local each = require "collide.each"
local packs = require "collide.snapshot.pack"
local snapshots = require "collide.snapshot"

local type, rawget, rawequal, ipairs = type, rawget, rawequal, ipairs

local M = {}

---@class collide.Snapshot
local Snapshot = snapshots.class
local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT

local FN = "snapshot:diff"

-- The actors of a snapshot as a list of { actor, slot }, and the index of each in it, by actor.
local function actorsOf(snapshot)
  local list, numbers = {}, { [NOTHING] = 0 }
  for slot, actor in ipairs(snapshot._roster.actors) do
    if actor then
      list[#list + 1] = { actor = actor, slot = slot }
      numbers[actor] = #list
    end
  end
  return list, numbers
end

local function nameOf(snapshot, i, actor)
  local name = snapshot._world._names.name
  name = name and rawget(actor, name)
  if type(name) ~= "string" and type(name) ~= "number" then return ("actor %d"):format(i) end
  return ("actor %d %s"):format(i, core.describe(name, true):gsub("^string ", ""))
end

-- A value as text. A number has 17 digits, so that different numbers have different texts.
local function textOf(value, numbers)
  if value == NOTHING or value == nil then return "nil" end
  if value == LEFT then return "what its save has" end
  if type(value) == "table" then
    return numbers[value] and ("actor %d"):format(numbers[value]) or "a removed actor"
  end
  if type(value) == "number" then return ("%.17g"):format(value) end
  return (core.describe(value):gsub("^boolean ", ""))
end

local function isSame(a, b, numbersA, numbersB)
  if type(a) == "table" and type(b) == "table" then return numbersA[a] == numbersB[b] end
  return a == b or a ~= a and b ~= b
end

-- The words before the second value: for another snapshot, and for an earlier one of the same run.
local OTHER = { is = "in the other", are = "in the other" }
M.EARLIER = { is = "was", are = "there were" }

local function sentence(words, subject, what, a, b)
  return ("%s: %s is %s, %s %s"):format(subject, what, a, words.is, b)
end

local KEPT = { "static", "sensor", "oneWay", "swept" }

local function groupName(snapshot, number)
  for name, other in each.pairs(snapshot._world._groups) do
    if other == number then return ("%q"):format(name) end
  end
end

-- Compares the fields of an actor that add and refresh read.
local function diffRead(words, a, b, subject, slotA, slotB)
  local one, other = { core.entry(a._core, slotA) }, { core.entry(b._core, slotB) }
  local groupA, groupB = groupName(a, one[1]), groupName(b, other[1])
  if groupA ~= groupB then return sentence(words, subject, "group", groupA, groupB) end
  for i, name in ipairs(KEPT) do
    if one[i + 1] ~= other[i + 1] then
      return sentence(words, subject, name, tostring(one[i + 1]), tostring(other[i + 1]))
    end
  end
end

local PLACE = { "x", "y", "angle" }

-- Compares the actors of two snapshots that have equally many.
local function diffActors(words, a, b, listA, numbersA, listB, numbersB)
  local placesA, placesB = {}, {}
  core.places(a._core, placesA)
  core.places(b._core, placesB)
  for i, one in ipairs(listA) do
    local slotA, slotB = one.slot, listB[i].slot
    local subject = nameOf(a, i, one.actor)
    for k, name in ipairs(PLACE) do
      local x, y = placesA[3 * slotA - 3 + k], placesB[3 * slotB - 3 + k]
      if x ~= y then return sentence(words, subject, name, textOf(x or nil), textOf(y or nil)) end
    end
    local text = diffRead(words, a, b, subject, slotA, slotB)
    if text then return text end
    for k, field in ipairs(a._fields) do
      local x = a._values[(k - 1) * #a._roster.actors + slotA]
      local y = b._values[(k - 1) * #b._roster.actors + slotB]
      if not isSame(x, y, numbersA, numbersB) then
        return sentence(words, subject, field, textOf(x, numbersA), textOf(y, numbersB))
      end
    end
  end
end

local function diffFields(words, a, b)
  for k = 1, math.max(#a._fields, #b._fields) do
    if a._fields[k] ~= b._fields[k] then
      return ("field %d is %s, %s %s"):format(k, textOf(a._fields[k]), words.is,
        textOf(b._fields[k]))
    end
  end
end

-- The values that the actors' own `save` returned, by the actors' numbers.
local function savedOf(snapshot, numbers)
  local saved = {}
  for i = 1, snapshot._saverCount do
    local actor = snapshot._roster.actors[snapshot._savers[i]]
    saved[numbers[actor]] = snapshot._saved[i]
  end
  return saved
end

local function diffSaved(words, a, b, listA, numbersA, numbersB)
  local savedA, savedB = savedOf(a, numbersA), savedOf(b, numbersB)
  for i, one in ipairs(listA) do
    local x, y = savedA[i], savedB[i]
    if not isSame(x, y, numbersA, numbersB) then
      return sentence(words, nameOf(a, i, one.actor), "what its save returned", textOf(x, numbersA),
        textOf(y, numbersB))
    end
  end
end

-- The characters of a snapshot as characters.each lists them, by the numbers of their actors.
local function charactersOf(snapshot, numbers)
  local all = {}
  for _, one in ipairs(characters.each(snapshot._characters, snapshot._characterCount)) do
    all[numbers[one.character.actor]] = one
  end
  return all
end

local function diffCharacters(words, a, b, listA, numbersA, numbersB)
  local all, others = charactersOf(a, numbersA), charactersOf(b, numbersB)
  for i, one in ipairs(listA) do
    local x, y = all[i], others[i]
    local subject = nameOf(a, i, one.actor)
    if (x == nil) ~= (y == nil) then
      return sentence(words, subject, "its character", x and "there" or "nil",
        y and "there" or "nil")
    end
    for k = 0, x and math.max(x.last - x.first, y.last - y.first) or -1 do
      local value, other = a._characters[x.first + k], b._characters[y.first + k]
      if not isSame(value, other, numbersA, numbersB) then
        return sentence(words, subject, "its character's " .. characters.nameOf(k + 1),
          textOf(value, numbersA), textOf(other, numbersB))
      end
    end
  end
end

local PARTS = {
  actors = "where actors are for the world, or were before the last step, differs",
  rules = "the rules of groups differ",
  contacts = "the hits of the last step, or their callbacks, differ",
  cells = "the cells of tiles differ",
  pools = "the pools of bullets differ",
  places = "where actors are differs",
}

-- Whether the first n values of two lists are identical.
local function isSameList(a, b, n)
  for i = 1, n do
    local x, y = a[i], b[i]
    -- 0 equals -0, but they are packed differently.
    if not rawequal(x, y) or x == 0 and 1 / x ~= 1 / y then return false end
  end
  return true
end

-- Whether two rosters have the same actors with the same shapes.
local function isSameRoster(a, b)
  local n = #a.actors
  return a == b or n == #b.actors and isSameList(a.actors, b.actors, n)
    and isSameList(a.ghosts, b.ghosts, n) and isSameList(a.shapes, b.shapes, n)
end

-- Whether two snapshots of one world have the same actors with identical values. This is a fast
-- test: snapshots that fail it may still be equal.
local function isSameInWorld(a, b)
  local n, fields = #a._roster.actors, #a._fields
  if a._world ~= b._world or not isSameRoster(a._roster, b._roster) or fields ~= #b._fields
    or a._pulled ~= b._pulled or a._held ~= b._held or a._frame ~= b._frame
    or a._saverCount ~= b._saverCount or a._characterCount ~= b._characterCount
    or not isSameList(a._fields, b._fields, fields)
    or not isSameList(a._values, b._values, fields * n)
    or not isSameList(a._savers, b._savers, a._saverCount)
    or not isSameList(a._saved, b._saved, a._saverCount)
    or not isSameList(a._characters, b._characters, a._characterCount) then
    return false
  end
  local groups = {}
  for i = 1, a._world._groupCount do groups[i] = i - 1 end
  return core.compare(a._core, groups, b._core, groups) == nil
end

-- The name of the actor in a slot of a snapshot.
local function nameAt(snapshot, numbers, slot)
  local actor = snapshot._roster.actors[slot]
  return actor and nameOf(snapshot, numbers[actor], actor) or "a removed actor"
end

local function diffHits(words, a, b, numbersA, numbersB)
  local one, other, what, x, y = core.differingHit(a._core, b._core)
  if not one then return nil end
  local snapshot, numbers = a, numbersA
  if what == "hit" then
    if y then snapshot, numbers = b, numbersB end
    x, y = x and "there" or "nil", y and "there" or "nil"
    what = "its hit with "
  else
    x, y = textOf(x), textOf(y)
    what = what .. " of its hit with "
  end
  return sentence(words, nameAt(snapshot, numbers, one), what .. nameAt(snapshot, numbers, other),
    x, y)
end

local function diffCells(words, a, b, numbersA)
  local slot, column, row, x, y = core.differingCell(a._core, b._core)
  return slot and sentence(words, nameAt(a, numbersA, slot), ("cell %d, %d"):format(column, row), x,
    y)
end

local function diffBullets(words, a, b)
  local pool, bullet, what, x, y = core.differingBullet(a._core, b._core)
  return pool and sentence(words, ("bullet %d of pool %d"):format(bullet, pool), what, textOf(x),
    textOf(y))
end

--- The first difference of a snapshot from another, as a sentence; nil when they are equal.
---@param words table? M.EARLIER if `b` is an earlier snapshot of the same run
---@return string?
function M.first(a, b, words)
  if isSameInWorld(a, b) then return nil end
  words = words or OTHER
  local text = diffFields(words, a, b)
  if text then return text end
  local listA, numbersA = actorsOf(a)
  local listB, numbersB = actorsOf(b)
  if #listA ~= #listB then
    return ("there are %d actors, %s %d"):format(#listA, words.are, #listB)
  end
  text = diffActors(words, a, b, listA, numbersA, listB, numbersB)
    or diffSaved(words, a, b, listA, numbersA, numbersB)
    or diffCharacters(words, a, b, listA, numbersA, numbersB)
  if text then return text end
  local groupsA, groupsB = packs.groups(a), packs.groups(b)
  -- The actors have the same groups here, so other groups can differ only in their rules.
  if #groupsA ~= #groupsB then return PARTS.rules end
  local part = core.compare(a._core, groupsA, b._core, groupsB)
  if part == "contacts" then
    text = diffHits(words, a, b, numbersA, numbersB)
  elseif part == "cells" then
    text = diffCells(words, a, b, numbersA)
  elseif part == "pools" then
    text = diffBullets(words, a, b)
  end
  if part then return text or PARTS[part] end
  if a._held ~= b._held then
    return ("the rest of advance is %s, %s %s"):format(textOf(a._held), words.is, textOf(b._held))
  end
  if a._frame ~= b._frame then
    return ("the number of steps is %d, %s %d"):format(a._frame, words.is, b._frame)
  end
  if a:hash() ~= b:hash() then return "names of groups, or whether places were read, differ" end
end

--- The first difference from another snapshot, as a sentence: an actor's place or field, or
--- something else. nil when they are equal.
---@param other collide.Snapshot
---@return string?
function Snapshot:diff(other, ...)
  snapshots.checkSelf(self, FN)
  if not snapshots.is(other) then check.fail(FN, "other", "snapshot", other) end
  check.noMore(FN, "another snapshot", 1, ...)
  snapshots.checkSelf(other, FN)
  return M.first(self, other)
end

return M
