-- Kinematic character controllers. In each frame the game gives a velocity, and the character moves
-- along the ground and walls, down slopes and on lifts, as world:move does. It applies no
-- gravity and reads no input. This file has the methods that the game calls; walk.lua does
-- the walking.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local moves = require "collide.move"
local walking = require "collide.character.walk"

local type, select, abs, sqrt, max = type, select, math.abs, math.sqrt, math.max

local M = {}

---@class collide.CharacterOptions
---@field up number[]? {x, y}: the direction away from the ground, default {0, -1}
---@field maxSlope number? radians: a steeper slope is a wall; default 46 degrees
---@field snapLength number? how far down it follows a floor, default a quarter of the height
---@field stepHeight number? the highest ledge that it climbs, world units, default 0
---@field filter collide.Filter? the actors that stop it; by default all that it can hit
---@field response (collide.Response|collide.Responder)? what happens at a surface, default "slide"

--- A kinematic character controller of one actor. The fields describe its last move.
---@class collide.Character
---@field actor collide.Actor
---@field world collide.World
---@field floor collide.Actor? the actor under it
---@field wall collide.Actor? the actor at its side that stopped it
---@field ceiling collide.Actor? the actor above that stopped it
---@field floorNx number normal of the floor, 0, 0 without a floor
---@field floorNy number
---@field wallNx number normal of the wall, 0, 0 without a wall
---@field wallNy number
---@field floorVx number velocity of the floor in this move, world units per second
---@field floorVy number
---@field floorValue integer? the value of the cell under it, if the floor is tiles
---@field crushed boolean whether it is inside something and cannot get out
---@field hits collide.MoveHit[] the hits of the last move, in order
---@field n integer the number of hits
---@field maxSlope number an option of newCharacter that may be changed, like the next two
---@field snapLength number
---@field stepHeight number
local Character = {}
Character.__index = Character
Character.__name = "collide.Character"

local FN = "world:newCharacter"
local NO_HITS = moves.NO_HITS

-- Makes the move of a usual frame, or returns nil; see csrc/lua/move.c.
local stride = core.stride(NO_HITS)

-- The fields that last from one move to the next. A failed move restores them, and snapshots hold
-- them.
local KEPT = { "floor", "floorNx", "floorNy", "floorValue", "floorVx", "floorVy", "wall", "wallNx",
  "wallNy", "ceiling", "crushed", "_floorX", "_floorY", "_floorAngle", "_atX", "_atY", "_carriedX",
  "_carriedY", "_dropped" }

-- In a strict world, the class of characters, which refuses unknown fields. The fields of KEPT are
-- known, since the library sets them and they may be nil; and a game may replace a method.
local KNOWN = setmetatable({ maxSlope = true, snapLength = true, stepHeight = true },
  { __index = Character })
for _, name in ipairs(KEPT) do KNOWN[name] = true end
local Strict = {
  __index = Character,
  __newindex = check.fixed("character", FN, { up = true, filter = true, response = true }, KNOWN,
    "maxSlope, snapLength or stepHeight"),
  __name = Character.__name,
}

local OPTIONS = {
  up = true, maxSlope = true, snapLength = true, stepHeight = true, filter = true,
  response = true,
}
local MAX_SLOPE = 46 * math.pi / 180

local function option(value, otherwise)
  if value == nil then return otherwise end
  return value
end

local function checkSlope(fn, name, value)
  if type(value) == "number" and value >= 0 and value <= math.pi / 2 then return value end
  check.fail(fn, name, "number of radians from 0 to pi / 2", value)
end

local function direction(up)
  if up == nil then return 0, -1 end
  check.table(FN, "up", up, "pair of numbers such as {0, -1}")
  local x, y = rawget(up, 1), rawget(up, 2)
  check.coordinate(FN, "up[1]", x)
  check.coordinate(FN, "up[2]", y)
  local most = max(abs(x), abs(y))
  if most == 0 then check.raise(FN .. ": up expected (direction), got 0, 0") end
  x, y = x / most, y / most
  local length = sqrt(x * x + y * y)
  return x / length, y / length
end

-- A quarter of the height of the actor's shape.
local function usualSnap(world, actor, upX, upY)
  local _, _, w, h = reader.shapeOf(world, actor):bounds()
  return (abs(upX) * w + abs(upY) * h) / 4
end

function Character:__tostring()
  return ("character (of %s)"):format(tostring(self.actor))
end
Strict.__tostring = Character.__tostring

-- Raises when the game has set an option that cannot be changed.
local function checkFixed(self, fn)
  local name = self.up ~= nil and "up" or self.filter ~= nil and "filter"
    or self.response ~= nil and "response"
  if name then
    check.raise(("%s: character.%s can't be changed; it is given to %s"):format(fn, name, FN))
  end
end

local function isCharacter(self)
  local class = type(self) == "table" and getmetatable(self)
  return class == Character or class == Strict
end

local function checkCharacter(self, fn)
  if not isCharacter(self) then
    check.fail(fn, "self", "character", self, "call it with a colon")
  end
  lock.checkOpen(self.world, fn)
  lock.checkIdle(self.world, fn)
  if self.world._characters[self.actor] ~= self then
    check.raise(fn .. ": its actor has been removed from the world")
  end
end

-- Appends the named fields of a table to a list of n values; returns the new length. `nothing`
-- stands for nil in the list.
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

-- Copies KEPT, the hits and their number. A loop over the names takes three times as long.
local function copy(from, to)
  to.floor, to.floorNx, to.floorNy, to.floorValue = from.floor, from.floorNx, from.floorNy,
    from.floorValue
  to.floorVx, to.floorVy, to.wall, to.wallNx, to.wallNy = from.floorVx, from.floorVy, from.wall,
    from.wallNx, from.wallNy
  to.ceiling, to.crushed, to._dropped = from.ceiling, from.crushed, from._dropped
  to._floorX, to._floorY, to._floorAngle = from._floorX, from._floorY, from._floorAngle
  to._atX, to._atY, to._carriedX, to._carriedY = from._atX, from._atY, from._carriedX,
    from._carriedY
  to.hits, to.n = from.hits, from.n
end

local function save(self)
  copy(self, self._kept)
  self._journal.n = 0
  moves.note(self._journal, self.world, self.actor, "character:move")
  walking.begin(self, self._journal, true)
end

-- Ends a move, and clears what was kept in case it failed, so that this keeps no actor alive.
local function forget(self)
  local kept = self._kept
  kept.floor, kept.wall, kept.ceiling, kept._dropped, kept.hits = false, false, false, false, false
  moves.clearJournal(self._journal)
  walking.tidy(self)
end

local function restore(self)
  copy(self._kept, self)
  moves.undo(self._journal, self.world)
end

local function walk(_, self, vx, vy, dt)
  return walking.walk(self, vx, vy, dt)
end

-- Moves the actor, in a locked world.
local function move(world, self, vx, vy, dt)
  check.none("character:move")
  save(self)
  self.crushed = self.crushed and dt == 0 -- a move of 0 seconds frees no actor
  self._time = 0
  local ok, leftX, leftY = pcall(lock.locked, world, "character:move", walk, self, vx, vy, dt)
  if not ok then restore(self) end
  forget(self)
  if not ok then error(leftX, 0) end
  walking.list(self)
  return leftX, leftY
end

--- Moves the actor for dt seconds at a velocity. The game adds gravity to the velocity in every
--- frame, on the floor too. A velocity that points up is a jump.
---@param vx number world units per second
---@param vy number
---@param dt number seconds; with 0 it only rides its floor, and keeps velocity and flags
---@return number vx the velocity that is left
---@return number vy
function Character:move(vx, vy, dt, ...)
  if isCharacter(self) and select("#", ...) == 0 then
    local world, actor = self.world, self.actor
    if world._characters[actor] == self and reader.shapeOf(world, actor) == self._shape then
      local quick, leftX, leftY = world._stride, nil, nil
      if quick then leftX, leftY = quick(world, self, vx, vy, dt) end
      if not leftX then leftX, leftY = stride(world, self, vx, vy, dt) end
      if leftX then
        walking.list(self)
        return leftX, leftY
      end
    end
  end
  local fn = "character:move"
  checkCharacter(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "vx, vy and dt", 3, ...) end
  walking.measure(self, fn)
  check.coordinate(fn, "vx", vx)
  check.coordinate(fn, "vy", vy)
  check.seconds(fn, "dt", dt)
  check.extent(fn, "character.snapLength", self.snapLength)
  check.extent(fn, "character.stepHeight", self.stepHeight)
  checkSlope(fn, "character.maxSlope", self.maxSlope)
  checkFixed(self, fn)
  if self.maxSlope ~= self._steepAt then walking.takeSlope(self) end
  return lock.locked(self.world, fn, move, self, vx, vy, dt)
end

local function leaveFloor(_, self, floor)
  self._dropped = floor
  walking.leave(self)
  walking.list(self)
end

--- Falls through a one-way floor in the next move, unless that is a jump. On any other floor it
--- does nothing.
function Character:drop(...)
  checkCharacter(self, "character:drop")
  if select("#", ...) > 0 then check.noMore("character:drop", "no arguments", 0, ...) end
  local floor, world = self.floor, self.world
  local slot = floor and world._slots[floor]
  if not (slot and world._core:isOneWay(slot, self.floorValue or 0)) then return end
  lock.changing(self.world, "character:drop", leaveFloor, self, floor)
end

-- How it moves, see move/init.lua.
local function howOf(self)
  return { fn = "character:move", filter = self._filter, response = self._response, into = {},
    keeps = true }
end

---@class collide.World
local World = lock.World

-- Raises unless the actor can have a character.
local function checkActor(world, actor)
  reader.slotOf(world, FN, "actor", actor)
  moves.checkMovable(world, FN, actor)
  if world._characters[actor] then
    check.raise(FN .. ": actor has a character already; it ends with world:remove")
  end
end

-- Adds a new character to the world.
local function attach(world, self)
  local actor = self.actor
  checkActor(world, actor)
  world._characters[actor] = self
  local waiting = world._waiting and world._waiting[actor]
  if waiting then
    world._waiting[actor] = nil
    M.put(self, waiting.values, waiting.nothing)
  end
  return self
end

--- Makes a character controller for an actor. If a restored string holds a state for the actor, the
--- controller starts from it.
---@param world collide.World
---@param actor collide.Actor of this world
---@param options collide.CharacterOptions?
---@return collide.Character
function World.newCharacter(world, actor, options, ...)
  lock.checkOpen(world, FN)
  lock.checkIdle(world, FN)
  if select("#", ...) > 0 then check.noMore(FN, "an actor and options", 2, ...) end
  checkActor(world, actor)
  if options == nil then options = {} end
  check.table(FN, "options", options)
  check.keys(FN, "option", options, OPTIONS)
  local upX, upY = direction(options.up)
  moves.filter(world, FN, options.filter, "a response goes in `response`")
  moves.response(FN, options.response)
  local self = setmetatable({
    actor = actor, world = world, hits = NO_HITS, n = 0, crushed = false,
    floorVx = 0, floorVy = 0,
    snapLength = check.extent(FN, "snapLength",
      option(options.snapLength, usualSnap(world, actor, upX, upY))),
    stepHeight = check.extent(FN, "stepHeight", option(options.stepHeight, 0)),
    maxSlope = checkSlope(FN, "maxSlope", option(options.maxSlope, MAX_SLOPE)),
    _filter = options.filter,
    _response = options.response or "slide",
    _upX = upX, _upY = upY,
    _rightX = -upY, _rightY = upX,
    _kept = {}, _journal = {}, -- the state before a move, in case it fails
    _pushed = { n = 0, actors = {}, gaveWay = {} }, -- actors that the current move has pushed
    _time = 0, -- the fraction of the current move that is over
    _shape = false, _size = 0, _smaller = 0, -- see walking.measure
    _floorX = 0, _floorY = 0, _floorAngle = 0, -- where the floor was when last looked at
    _atX = 0, _atY = 0, -- the point of the floor that it stands on
    _carriedX = 0, _carriedY = 0, -- how far its floor was carried since the last move
  }, world._spelling and Strict or Character)
  walking.takeSlope(self)
  walking.clear(self)
  self._how, self._howPushed = howOf(self), howOf(self) -- sweeps of it, and of what it pushes
  return lock.changing(world, FN, attach, self)
end

-- Snapshots -----------------------------------------------------------------------

-- A snapshot holds a character as a list of values: the fields of HELD, the number of its hits, and
-- the fields of HIT for each hit. Beside the values the list has `character`, and `n`, the number
-- of the values.

-- The fields of a character, except the hits of its last move.
local HELD = { "snapLength", "stepHeight", "maxSlope" }
local OPTION_COUNT = #HELD
for _, name in ipairs(KEPT) do HELD[#HELD + 1] = name end

-- The fields of a hit, in the order in which they are written.
local HIT = { "actor", "nx", "ny", "x", "y", "px", "py", "t", "response", "column", "row", "value",
  "inside", "crushed", "part" }

--- Fills the lists in `all` with all characters of a world, in the order of their actors. Returns
--- the number of characters.
function M.keep(world, all, nothing)
  local characters, actors, count = world._characters, world._actors, 0
  if not next(characters) then return 0 end
  for slot = 1, #actors do
    local character = characters[actors[slot]]
    if character then
      count = count + 1
      local list = all[count] or {}
      all[count] = list
      local n = write(list, 0, HELD, character, nothing) + 1
      list[n] = character.n
      for i = 1, character.n do n = write(list, n, HIT, character.hits[i], nothing) end
      list.character, list.n = character, n
    end
  end
  return count
end

--- Restores the state of a character from a list of values.
function M.put(character, list, nothing)
  local n = read(list, 0, HELD, character, nothing) + 1
  local count, hits = list[n], {}
  for i = 1, count do
    hits[i] = moves.newHit()
    n = read(list, n, HIT, hits[i], nothing)
  end
  character.hits, character.n = count > 0 and hits or NO_HITS, count
  walking.list(character)
end

-- The name of the i-th value of a character's list, and the number of the hit that it belongs to.
local function fieldOf(i)
  if i <= #HELD then return HELD[i] end
  local k = i - #HELD - 2
  if k < 0 then return "n" end
  return HIT[k % #HIT + 1], (k - k % #HIT) / #HIT + 1
end

--- The same as text.
function M.nameOf(i)
  local name, hit = fieldOf(i)
  return hit and ("hits[%d].%s"):format(hit, name) or name
end

-- The types of the fields that are not numbers, and the fields that may be nil.
local ACTOR = "actor or nil"
local KIND = { floor = ACTOR, wall = ACTOR, ceiling = ACTOR, actor = ACTOR, _dropped = ACTOR,
  crushed = "boolean", inside = "boolean", response = "string", part = "number or string" }
local OPTIONAL = { floor = true, wall = true, ceiling = true, actor = true, _dropped = true,
  crushed = true, inside = true, floorValue = true, column = true, row = true, value = true,
  part = true }

local function isRight(name, value, nothing)
  if value == nothing then return OPTIONAL[name] end
  if type(value) == "table" then return KIND[name] == ACTOR end
  if name == "part" then return type(value) == "number" or type(value) == "string" end
  return type(value) == (KIND[name] or "number")
end

--- The index of the first bad value of a character's list, and what is expected there; nil if there
--- is none. A game may have put any value into the fields of a character, but a string takes only
--- these. Any table counts as an actor.
function M.firstWrong(list, n, nothing)
  for i = 1, n do
    local name, value = fieldOf(i), list[i]
    if not isRight(name, value, nothing) then return i, KIND[name] or "number" end
  end
end

--- Whether a list of values can be the state of a character.
function M.isState(list, nothing)
  local hits = list[#HELD + 1]
  return type(hits) == "number" and #list == #HELD + 1 + hits * #HIT
    and not M.firstWrong(list, #list, nothing)
end

--- The list of a character as it was when it was made.
function M.fresh(character, nothing)
  local list = { character = character, n = #HELD + 1, [#HELD + 1] = 0 }
  for i, name in ipairs(HELD) do
    list[i] = nothing
    if KIND[name] == "boolean" then
      list[i] = false
    elseif i <= OPTION_COUNT then
      list[i] = character[name]
    elseif not OPTIONAL[name] then
      list[i] = 0
    end
  end
  return list
end

return M
