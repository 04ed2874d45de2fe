-- The first difference between two snapshots, as a sentence. The held values of each actor are
-- listed in one form, the same for equal snapshots even if their actors are different tables; the
-- core compares its own part.

local require = require "collide.relative"
local core = require "collide.core"
local characters = require "collide.character"
local check = require "collide.check"
local ignores = require "collide.world.ignores"
local lock = require "collide.world.lock"
local random = require "collide.random"
local reader = require "collide.world.reader"
local snapshots = require "collide.snapshot"

local type, rawget, ipairs = type, rawget, ipairs

local M = {}

---@class collide.Snapshot
local Snapshot = snapshots.class
local NOTHING, LEFT = snapshots.NOTHING, snapshots.LEFT

local FN = "snapshot:diff"

-- A snapshot, with its held values by slot, the slots of its actors, and the actors' numbers.
local function sideOf(snapshot)
  local side = { snapshot = snapshot, slots = {}, numbers = {}, places = {}, saved = {},
    characters = {}, groups = snapshots.groupNames(snapshot._world),
    randoms = snapshots.randoms(snapshot) }
  for slot, actor in ipairs(snapshot._roster.actors) do
    if actor then
      side.slots[#side.slots + 1] = slot
      side.numbers[actor] = #side.slots
    end
  end
  for i = 1, snapshot._saverCount do side.saved[snapshot._savers[i]] = snapshot._saved[i] end
  for i = 1, snapshot._characterCount do
    local list = snapshot._characters[i]
    side.characters[list.character.actor] = list
  end
  core.places(snapshot._core, side.places)
  return side
end

-- The name of the actor in a slot.
local function nameAt(side, slot)
  local actor, key = side.snapshot._roster.actors[slot], side.snapshot._world._names.name
  if not actor then return "a removed actor" end
  local name, number = key and rawget(actor, key), side.numbers[actor]
  if type(name) ~= "string" and type(name) ~= "number" then return ("actor %d"):format(number) end
  return ("actor %d %s"):format(number, core.describe(name, true):gsub("^string ", ""))
end

-- The form in which a value is compared: a number, or text that differs for different values. It
-- does not depend on which table an actor is.
local function plain(value, side)
  if type(value) == "number" and value == value then return value end
  if value == NOTHING or value == nil then return "nil" end
  if value == LEFT then return "what its toSnapshot has" end
  if random.is(value) then return side.randoms[value] end
  if type(value) == "table" then
    local number = side.numbers[value]
    return number and ("actor %d"):format(number) or "a removed actor"
  end
  if value ~= value then return "nan" end
  return (core.describe(value):gsub("^boolean ", ""))
end

-- A result of plain as text: a number gets 17 digits, so that different numbers differ.
local function shown(value)
  return type(value) == "number" and ("%.17g"):format(value) or value
end

local function textOf(value)
  return shown(plain(value))
end

-- The words before the second value: for another snapshot, and for an earlier one of the same run.
local OTHER = { is = "in the other", are = "in the other" }
M.EARLIER = { is = "was", are = "there were" }

local function sentence(words, subject, what, a, b)
  return ("%s: %s is %s, %s %s"):format(subject, what, a, words.is, b)
end

-- Each of these functions lists the held values of the actor in a slot: the name of a value, the
-- form in which it is compared, the next name, and so on.

local PLACE, READ = { "x", "y", "angle" }, { "static", "sensor", "oneWay", "swept" }
local ONE_WAY = 4 -- its place among the results of core.entry

-- The names of the ignored actors in a list that are in a snapshot.
local function namesOf(side, list)
  local names = {}
  for i, actor in ipairs(ignores.among(list, side.snapshot._roster.actors)) do
    names[i] = plain(actor, side)
  end
  return names[1] and table.concat(names, " and ") or "nil"
end

-- The actor's place, the fields that add and refresh read, and the named fields.
local function fieldsOf(side, slot)
  local snapshot = side.snapshot
  local fields, read = snapshot._fields, { core.entry(snapshot._core, slot) }
  local list = {}
  local function add(name, value)
    list[#list + 1] = name
    list[#list + 1] = value
  end
  for k, name in ipairs(PLACE) do add(name, plain(side.places[3 * slot - 3 + k] or nil)) end
  add("group", ("%q"):format(side.groups[read[1] + 1]))
  read[ONE_WAY] = reader.oneWay(core.readOneWay(read[ONE_WAY]))
  for k, name in ipairs(READ) do add(name, tostring(read[k + 1])) end
  local lists = snapshot._roster.ignores
  add("ignore", namesOf(side, lists and lists[snapshot._roster.actors[slot]]))
  for k, name in ipairs(fields) do
    add(name, plain(snapshot._values[(k - 1) * #snapshot._roster.actors + slot], side))
  end
  return list
end

-- The value that the actor's own `toSnapshot` returned.
local function savedOf(side, slot)
  return { "what its toSnapshot returned", plain(side.saved[slot], side) }
end

local function characterOf(side, slot)
  local held = side.characters[side.snapshot._roster.actors[slot]]
  local list = { "its character", held and "there" or "nil" }
  for k = 1, held and held.n or 0 do
    list[2 * k + 1], list[2 * k + 2] = "its character's " .. characters.nameOf(k),
      plain(held[k], side)
  end
  return list
end

local function diffActors(words, a, b)
  for _, listOf in ipairs { fieldsOf, savedOf, characterOf } do
    for i, slot in ipairs(a.slots) do
      local one, other = listOf(a, slot), listOf(b, b.slots[i])
      for k = 2, #one, 2 do
        if one[k] ~= other[k] then
          return sentence(words, nameAt(a, slot), one[k - 1], shown(one[k]), shown(other[k]))
        end
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

local function diffPools(words, a, b)
  for i = 1, math.min(#a.snapshot._pools, #b.snapshot._pools) do
    local one = namesOf(a, a.snapshot._ignored[i])
    local other = namesOf(b, b.snapshot._ignored[i])
    if one ~= other then return sentence(words, ("pool %d"):format(i), "ignore", one, other) end
  end
end

-- Each of these functions makes a sentence of the values that core.compare returns with a part. It
-- returns nil if there are none.

local function hitSentence(words, a, b, one, other, _, what, x, y)
  if not one then return nil end
  local side = what == "hit" and y == 1 and b or a
  local whose = "its hit with " .. nameAt(side, other)
  if what == "hit" then
    x, y = x == 1 and "there" or "nil", y == 1 and "there" or "nil"
  else
    whose, x, y = what .. " of " .. whose, textOf(x), textOf(y)
  end
  return sentence(words, nameAt(side, one), whose, x, y)
end

local function cellSentence(words, a, _, slot, column, row, _, x, y)
  return slot and sentence(words, nameAt(a, slot), ("cell %d, %d"):format(column, row), textOf(x),
    textOf(y))
end

local function homeAt(side, slot)
  return side.snapshot._roster.actors[slot + 1] and nameAt(side, slot + 1) or "nil"
end

local function bulletSentence(words, a, b, pool, bullet, _, what, x, y)
  if not pool then return nil end
  if what == "alive" then x, y = x == 1, y == 1 end
  local textAt = what == "home" and homeAt or function(_, value) return textOf(value) end
  return sentence(words, ("bullet %d of pool %d"):format(bullet, pool), what, textAt(a, x),
    textAt(b, y))
end

-- The parts of the core's state in which snapshots may differ, each with a sentence that is used if
-- no function makes a better one.
local SENTENCES = { contacts = hitSentence, cells = cellSentence, pools = bulletSentence }
local PARTS = {
  actors = "where actors are for the world, or were before the last step, differs",
  rules = "the rules of groups differ",
  contacts = "the hits of the last step, or their callbacks, differ",
  cells = "the cells of tiles differ",
  pools = "the pools of bullets differ",
  places = "where actors are differs",
}

local function partSentence(words, a, b, part, ...)
  local sentenceOf = SENTENCES[part]
  return sentenceOf and sentenceOf(words, a, b, ...) or PARTS[part]
end

-- As M.first, while the worlds of both snapshots are locked, so that no code refills these.
local function first(_, a, b, words)
  if a:hash() == b:hash() then return nil end
  words = words or OTHER
  local text = diffFields(words, a, b)
  if text then return text end
  local sideA, sideB = sideOf(a), sideOf(b)
  if #sideA.slots ~= #sideB.slots then
    return ("there are %d actors, %s %d"):format(#sideA.slots, words.are, #sideB.slots)
  end
  text = diffActors(words, sideA, sideB)
  if text then return text end
  local groupsA, groupsB = snapshots.groups(a), snapshots.groups(b)
  -- The actors have the same groups here, so other groups can differ only in their rules.
  if #groupsA ~= #groupsB then return PARTS.rules end
  text = partSentence(words, sideA, sideB, core.compare(a._core, groupsA, b._core, groupsB))
  if text then return text end
  text = diffPools(words, sideA, sideB)
  if text then return text end
  if a._held ~= b._held then
    return ("the rest of advance is %s, %s %s"):format(textOf(a._held), words.is, textOf(b._held))
  end
  if a._frame ~= b._frame then
    return ("the number of steps is %d, %s %d"):format(a._frame, words.is, b._frame)
  end
  return "names of groups, or whether places were read, differ"
end

local function lockOther(_, a, b, words)
  return lock.guarded(b._world, FN, first, a, b, words)
end

--- The first difference of a snapshot from another, as a sentence; nil when they are equal.
---@param words table? M.EARLIER if `b` is an earlier snapshot of the same run
---@return string?
function M.first(a, b, words)
  return lock.guarded(a._world, FN, lockOther, a, b, words)
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
