-- The first difference between two snapshots, as a sentence.

local core = require "collide.core"
local check = require "collide.check"
local packs = require "collide.pack"
local snapshots = require "collide.snapshot"

local type, rawget, ipairs = type, rawget, ipairs

local Snapshot = snapshots.class
local NOTHING = snapshots.NOTHING

local FN = "snapshot:diff"

-- The actors of a snapshot with their slots, and their numbers in that order.
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

-- A number with all its digits, so that different numbers have different texts.
local function told(value, numbers)
  if value == NOTHING or value == nil then return "nil" end
  if type(value) == "table" then
    return numbers[value] and ("actor %d"):format(numbers[value]) or "what its save has"
  end
  if type(value) == "number" then return ("%.17g"):format(value) end
  return (core.describe(value):gsub("^boolean ", ""))
end

local function isSame(a, b, numbersA, numbersB)
  if type(a) == "table" and type(b) == "table" then return numbersA[a] == numbersB[b] end
  return a == b or a ~= a and b ~= b
end

local function sentence(subject, what, a, b)
  return ("%s: %s is %s, in the other %s"):format(subject, what, a, b)
end

local KEPT = { "static", "sensor", "oneWay", "swept" }

local function groupName(snapshot, number)
  for name, other in pairs(snapshot._world._groups) do
    if other == number then return ("%q"):format(name) end
  end
end

-- The fields of an actor that add and refresh have read.
local function diffRead(a, b, subject, slotA, slotB)
  local one, other = { core.entry(a._core, slotA) }, { core.entry(b._core, slotB) }
  local groupA, groupB = groupName(a, one[1]), groupName(b, other[1])
  if groupA ~= groupB then return sentence(subject, "group", groupA, groupB) end
  for i, name in ipairs(KEPT) do
    if one[i + 1] ~= other[i + 1] then
      return sentence(subject, name, tostring(one[i + 1]), tostring(other[i + 1]))
    end
  end
end

local PLACE = { "x", "y", "angle" }

local function diffActors(a, b)
  local listA, numbersA = actorsOf(a)
  local listB, numbersB = actorsOf(b)
  if #listA ~= #listB then
    return ("there are %d actors, in the other %d"):format(#listA, #listB)
  end
  local placesA, placesB = {}, {}
  core.places(a._core, placesA)
  core.places(b._core, placesB)
  for i, one in ipairs(listA) do
    local slotA, slotB = one.slot, listB[i].slot
    local subject = nameOf(a, i, one.actor)
    for k, name in ipairs(PLACE) do
      local x, y = placesA[3 * slotA - 3 + k], placesB[3 * slotB - 3 + k]
      if x ~= y then return sentence(subject, name, told(x or nil), told(y or nil)) end
    end
    local text = diffRead(a, b, subject, slotA, slotB)
    if text then return text end
    for k, field in ipairs(a._fields) do
      local x = a._values[(k - 1) * #a._roster.actors + slotA]
      local y = b._values[(k - 1) * #b._roster.actors + slotB]
      if not isSame(x, y, numbersA, numbersB) then
        return sentence(subject, field, told(x, numbersA), told(y, numbersB))
      end
    end
  end
end

local function diffFields(a, b)
  for k = 1, math.max(#a._fields, #b._fields) do
    if a._fields[k] ~= b._fields[k] then
      return ("field %d is %s, in the other %s"):format(k, told(a._fields[k]), told(b._fields[k]))
    end
  end
end

local PARTS = {
  actors = "where actors are for the world, or were before the last step, differs",
  rules = "the rules of groups differ",
  contacts = "the hits of the last step, or what was told of them, differ",
  cells = "the cells of tiles differ",
  pools = "the pools of bullets differ",
  places = "where actors are differs",
}

--- The first difference from another snapshot, as a sentence: an actor's place or field, or
--- something else. nil when they are equal.
---@param other collide.Snapshot
---@return string?
function Snapshot:diff(other, ...)
  snapshots.checkSelf(self, FN)
  if not snapshots.is(other) then check.fail(FN, "other", "snapshot", other) end
  check.noMore(FN, "another snapshot", 1, ...)
  snapshots.checkSelf(other, FN)
  local text = diffFields(self, other) or diffActors(self, other)
  if text then return text end
  local part = core.compare(self._core, packs.groups(self), other._core, packs.groups(other))
  if part then return PARTS[part] end
  if self:hash() ~= other:hash() then
    return "what save returned, characters, or the rest of advance differ"
  end
  return nil
end
