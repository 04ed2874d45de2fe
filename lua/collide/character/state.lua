-- The characters of a World in a snapshot: writes them to a flat list of values, and restores them.
-- A character takes: itself, the fields of HELD, the number of its hits, and the fields of HIT for
-- each hit. `nothing` stands for nil in the list.

local characters = require "collide.character"
local floors = require "collide.character.floor"
local results = require "collide.world.lists"

local ipairs, next, type = ipairs, next, type

local M = {}

-- The fields of a character, except the hits of its last move.
local HELD = { "snapLength", "stepHeight", "maxSlope" }
local OPTIONS = #HELD
for _, name in ipairs(characters.STATE) do HELD[#HELD + 1] = name end

-- The fields of a hit, in the order in which they are written.
local HIT = { "actor", "nx", "ny", "x", "y", "px", "py", "t", "response", "col", "row", "value",
  "inside", "crushed" }

-- Appends the named fields of a table to a list of n values; returns the new length.
local function write(list, n, names, from, nothing)
  for i = 1, #names do
    local value = from[names[i]]
    if value == nil then value = nothing end
    list[n + i] = value
  end
  return n + #names
end

local function read(list, n, names, to, nothing)
  for i = 1, #names do
    local value = list[n + i]
    if value == nothing then value = nil end
    to[names[i]] = value
  end
  return n + #names
end

--- Writes all characters of a world, in the order of their actors. Returns the number of values.
function M.keep(world, list, nothing)
  local all, actors, n = world._characters, world._actors, 0
  if not next(all) then return 0 end
  for slot = 1, #actors do
    local character = all[actors[slot]]
    if character then
      list[n + 1] = character
      n = write(list, n + 1, HELD, character, nothing)
      n = n + 1
      list[n] = character.n
      for i = 1, character.n do n = write(list, n, HIT, character.hits[i], nothing) end
    end
  end
  return n
end

-- The index at which the next character begins.
local function following(list, at)
  local hits = at + 1 + #HELD
  return hits + 1 + list[hits] * #HIT
end

--- The characters of a written list, by actor.
function M.listed(list, n)
  local all, at = {}, 1
  while at <= n do
    all[list[at].actor] = list[at]
    at = following(list, at)
  end
  return all
end

--- Restores the state of a character from the values after index `at`.
function M.putOne(character, list, at, nothing)
  local n = read(list, at, HELD, character, nothing) + 1
  for i = 1, list[n] do
    n = read(list, n, HIT, results.record(character.world._spareHits, character.hits, i), nothing)
  end
  local count = list[at + #HELD + 1]
  results.drop(character.world._spareHits, character.hits, count)
  character.n = count
  floors.list(character)
end

--- Restores all characters of a written list.
function M.put(list, n, nothing)
  local at = 1
  while at <= n do
    M.putOne(list[at], list, at, nothing)
    at = following(list, at)
  end
end

---@class collide.World
local World = {}

M.methods = World

--- Makes a character controller for an actor. If a restored string holds a state for the actor, the
--- controller starts from it.
---@param world collide.World
---@param actor collide.Actor of this world
---@param options collide.CharacterOptions?
---@return collide.Character
function World.newCharacter(world, actor, options, ...)
  local character = characters.newCharacter(world, actor, options, ...)
  local waiting = world._waiting and world._waiting[character.actor]
  if waiting then
    world._waiting[character.actor] = nil
    M.putOne(character, waiting.values, 0, waiting.nothing)
  end
  return character
end

--- All characters of a written list, as { character, first, last }: `first` and `last` are the
--- indices of its values.
function M.each(list, n)
  local all, at = {}, 1
  while at <= n do
    local after = following(list, at)
    all[#all + 1] = { character = list[at], first = at + 1, last = after - 1 }
    at = after
  end
  return all
end

--- The name of the i-th value of a character.
function M.nameOf(i)
  if i <= #HELD then return HELD[i] end
  if i == #HELD + 1 then return "n" end
  local after = i - #HELD - 2
  local field = after % #HIT
  return ("hits[%d].%s"):format((after - field) / #HIT + 1, HIT[field + 1])
end

-- The types of the fields: actors or nil, booleans or nil, and numbers or nil. `response` is a
-- string, and all other fields are numbers.
local ACTOR = { floor = true, wall = true, ceiling = true, actor = true, _dropped = true }
local FLAG = { crushed = true, inside = true }
local OPTIONAL = { floorValue = true, col = true, row = true, value = true }

local function isRight(name, value, isActor, nothing)
  if ACTOR[name] then return isActor or value == nothing end
  if isActor then return false end
  if FLAG[name] then return value == nothing or type(value) == "boolean" end
  if name == "response" then return type(value) == "string" end
  return type(value) == "number" or OPTIONAL[name] and value == nothing
end

--- The index of the first bad value in the state of a character, which is list[first] to
--- list[last], and what is expected there; nil if there is none. A game may have put any value into
--- the fields of a character, but a string takes only values that `isState` accepts.
function M.firstWrong(list, first, last, nothing)
  for i = first, last do
    local k, value = i - first + 1, list[i]
    local name = k <= #HELD and HELD[k] or k > #HELD + 1 and HIT[(k - #HELD - 2) % #HIT + 1]
    local isActor = type(value) == "table" and value ~= nothing
    if name and not isRight(name, value, isActor, nothing) then
      return i, ACTOR[name] and "actor or nil" or FLAG[name] and "boolean"
        or name == "response" and "string" or "number"
    end
  end
end

--- Appends a character to a list of n values: with a state, as `isState` accepts it, or as it was
--- when it was made. Returns the new length.
function M.append(list, n, character, state, nothing)
  list[n + 1] = character
  for i = 1, #HELD do
    local name, value = HELD[i], nothing
    if state then
      value = state[i]
    elseif FLAG[name] then
      value = false
    elseif i <= OPTIONS then
      value = character[name]
    elseif not (ACTOR[name] or OPTIONAL[name]) then
      value = 0
    end
    list[n + 1 + i] = value == nil and nothing or value
  end
  n = n + 2 + #HELD
  list[n] = state and state[#HELD + 1] or 0
  for i = 1, list[n] * #HIT do
    local value = state[#HELD + 1 + i]
    list[n + i] = value == nil and nothing or value
  end
  return n + list[n] * #HIT
end

--- Whether a list of values can be the state of a character. `actors` has an entry at each index
--- where the value is an actor.
function M.isState(values, actors, nothing)
  local hits = values[#HELD + 1]
  for i, name in ipairs(HELD) do
    if values[i] == nil or not isRight(name, values[i], actors[i], nothing) then return false end
  end
  if type(hits) ~= "number" or #values ~= #HELD + 1 + hits * #HIT then return false end
  for i = #HELD + 2, #values do
    local name = HIT[(i - #HELD - 2) % #HIT + 1]
    if not isRight(name, values[i], actors[i], nothing) then return false end
  end
  return true
end

return M
