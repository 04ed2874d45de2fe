-- Which actors ignore each other: the actors, in the world or not, that each actor of a world names
-- in its field `ignore`, as `add` or `refresh` read it. The core has the pairs of those that are in
-- the world now, and this file adds the pairs of new actors. A list keeps no actor alive.
--
-- A list of named actors is never changed, since snapshots share it. It has `n` entries; those that
-- have been collected are nil. world._ignores is false until an actor of the world names another.
-- Then it has `lists`, by actor, and `namers`: for each named actor, the lists that name it, by the
-- actor that they belong to. Such a list counts while it is still that actor's one in `lists`.

local require = require "collide.relative"
local check = require "collide.check"
local each = require "collide.each"
local filters = require "collide.world.filters"

local rawget, rawequal, type, next, ipairs = rawget, rawequal, type, next, ipairs

local M = {}

local WEAK_KEYS, WEAK_VALUES = { __mode = "k" }, { __mode = "v" }

--- A list of the actors that a valid value of an `ignore` names; nil for none.
function M.listOf(world, value)
  if value == nil then return nil end
  local list = setmetatable({ n = 1 }, WEAK_VALUES)
  if filters.isActor(world, value) then
    list[1] = value
    return list
  end
  list.n = check.lengthOf(value)
  for i = 1, list.n do list[i] = rawget(value, i) end
  return list.n > 0 and list or nil
end

--- Whether a value of an `ignore` is the list that was read, as far as a quick test can tell.
function M.looksSame(list, value)
  if not list or value == nil then return not list and value == nil end
  if list.n == 1 and rawequal(list[1], value) then return true end
  if type(value) ~= "table" or rawget(value, list.n + 1) ~= nil then return false end
  for i = 1, list.n do
    local named = rawget(value, i)
    if named == nil or not rawequal(named, list[i]) then return false end
  end
  return true
end

-- Whether each entry of a list is also in another list.
local function isWithin(list, other)
  local has = {}
  for i = 1, other and other.n or 0 do
    if other[i] then has[other[i]] = true end
  end
  for i = 1, list.n do
    if not (list[i] and has[list[i]]) then return false end
  end
  return true
end

--- Whether two lists, or nil, name the same actors.
function M.areSame(a, b)
  if not (a and b) then return a == b end
  return M.looksSame(a, b) or isWithin(a, b) and isWithin(b, a)
end

-- Makes room to record the list of an actor, without changing anything.
local function reserve(state, actor, list)
  state.lists[actor] = state.lists[actor] or false
  for i = 1, list and list.n or 0 do
    local named = list[i]
    if named then
      local namers = state.namers[named] or setmetatable({}, WEAK_KEYS)
      namers[actor] = namers[actor] or false
      state.namers[named] = namers
    end
  end
end

-- Stores the actors that an actor ignores. `reserve` has already allocated the memory.
local function note(state, actor, list)
  for i = 1, list and list.n or 0 do
    local named = list[i]
    if named then state.namers[named][actor] = list end
  end
  state.lists[actor] = list
end

local function newState()
  return { lists = setmetatable({}, WEAK_KEYS), namers = setmetatable({}, WEAK_KEYS) }
end

-- Appends the pairs of the actor in a slot and those actors of its list that are in the world.
local function addPairs(world, joined, slot, list)
  local slots, n = world._slots, #joined
  for i = 1, list and list.n or 0 do
    local named = list[i]
    local other = named and slots[named]
    if other and other ~= slot then
      joined[n + 1], joined[n + 2] = slot, other
      n = n + 2
    end
  end
end

--- Records the list of an actor that is about to be added in a slot. Returns the pairs that it will
--- be in, as the core takes them, or nil. If the actor is not added after all, the list is unused.
function M.enter(world, actor, slot, list)
  local state = world._ignores or newState()
  world._ignores = state
  reserve(state, actor, list)
  note(state, actor, list)
  local joined = {}
  addPairs(world, joined, slot, list)
  for namer, named in each.pairs(state.namers[actor] or {}) do
    if named and world._slots[namer] and state.lists[namer] == named then
      joined[#joined + 1] = world._slots[namer]
      joined[#joined + 1] = slot
    end
  end
  return joined[1] and joined or nil
end

--- Replaces the lists of some actors, in the order of their slots, by their `read[i].ignore`.
function M.replace(world, actors, read)
  local state = world._ignores or newState()
  local changed, namers, joined = {}, {}, {}
  for i, actor in ipairs(actors) do
    local list, old = read[i].ignore, state.lists[actor]
    if not M.areSame(list, old or nil) then
      local slot = world._slots[actor]
      changed[#changed + 1], namers[#namers + 1] = i, slot
      addPairs(world, joined, slot, list)
      reserve(state, actor, list)
    end
  end
  if not changed[1] then return end
  world._ignores = state
  world._core:setIgnored(namers, joined)
  for _, i in ipairs(changed) do note(state, actors[i], read[i].ignore) end
end

--- Clears the lists of all actors at once: removing the actors one by one would look at all pairs
--- each time.
function M.clear(world)
  local slots, lists = {}, world._ignores.lists
  for slot, actor in ipairs(world._actors) do
    if actor then slots[#slots + 1], lists[actor] = slot, nil end
  end
  world._core:setIgnored(slots, {})
end

--- The list of an actor of the world, nil if it names nobody.
function M.of(world, actor)
  return world._ignores and world._ignores.lists[actor] or nil
end

--- Whether two actors of the world, by their slots, ignore each other.
function M.between(world, slot, other)
  return world._ignores and world._core:ignores(slot, other)
end

--- The same in words.
function M.explain(world, slot, other)
  local a, b = world._actors[slot], world._actors[other]
  local first = isWithin({ b, n = 1 }, M.of(world, a))
  local second = isWithin({ a, n = 1 }, M.of(world, b))
  if first and second then return "they ignore each other" end
  return first and "the first ignores the second" or "the second ignores the first"
end

--- The lists by actor, for a snapshot; nil if there are none.
function M.copy(world)
  local copy = {}
  for actor, list in each.pairs(world._ignores and world._ignores.lists or copy) do
    if list and world._slots[actor] then copy[actor] = list end
  end
  return next(copy) ~= nil and copy or nil
end

--- The value of world._ignores for such lists.
function M.restored(world, lists)
  if not (lists or world._ignores) then return false end
  local state = newState()
  for actor, list in each.pairs(lists or {}) do
    reserve(state, actor, list)
    note(state, actor, list)
  end
  return state
end

--- The actors of a list that are also in `actors`, in the order of `actors`.
function M.among(list, actors)
  local has, some = {}, {}
  for i = 1, list and list.n or 0 do
    if list[i] then has[list[i]] = true end
  end
  for _, actor in ipairs(next(has) ~= nil and actors or some) do
    if has[actor] then some[#some + 1] = actor end
  end
  return some
end

-- A list as a value of the field: nil, an actor or a new list for the game.
local function valueOf(list)
  if not list then return nil end
  if list.n == 1 then return list[1] end
  local value = {}
  for i = 1, list.n do value[#value + 1] = list[i] end
  return value
end

-- Whether an actor's field still says what was read from it.
local function isAsRead(world, key, list, value)
  if M.looksSame(list, value) then return true end
  return not filters.wrongIgnore(world, key, value) and M.areSame(list, M.listOf(world, value))
end

--- Writes the lists back into the fields of all actors whose fields name other actors now. An empty
--- list is written as nil, or as an empty list if the actor's class names any actor.
function M.write(world)
  local state, key = world._ignores, world._names.ignore
  if not (state and key) then return end
  for _, actor in ipairs(world._actors) do
    local list = actor and state.lists[actor] or nil
    if actor and not isAsRead(world, key, list, actor[key]) then
      actor[key] = valueOf(list)
      if not list and actor[key] ~= nil then actor[key] = {} end
    end
  end
end

return M
