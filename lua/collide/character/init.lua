-- Kinematic character controllers. In each frame the game gives a velocity, and the character moves
-- along the ground and walls, down slopes and on lifts, by the sweeps of world:move. It applies no
-- gravity and reads no input. This file has the methods that the game calls; walk.lua does
-- the walking.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character.sweep"
local filters = require "collide.world.filters"
local floors = require "collide.character.floor"
local journals = require "collide.move.journal"
local state = require "collide.world.state"
local sweeps = require "collide.move.sweeps"
local walking = require "collide.character.walk"

local type, select, abs, sqrt, max = type, select, math.abs, math.sqrt, math.max

---@class collide.CharacterOptions
---@field up number[]? {x, y}: the direction away from the ground, default {0, -1}
---@field maxSlope number? radians: a steeper slope is a wall; default 46 degrees
---@field snapLength number? how far down it follows a floor, world units, default 0
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
---@field hits collide.MoveHit[] what the last move met, in the order met
---@field n integer the number of hits
---@field maxSlope number an option of newCharacter that may be changed, like the next two
---@field snapLength number
---@field stepHeight number
local Character = {}
Character.__index = Character
Character.__name = "collide.Character"

local FN = "world:newCharacter"

-- The fields that last from one move to the next. A failed move restores them, and snapshots hold
-- them.
local KEPT = { "floor", "floorNx", "floorNy", "floorValue", "floorVx", "floorVy", "wall", "wallNx",
  "wallNy", "ceiling", "crushed", "_floorX", "_floorY", "_floorAngle", "_atX", "_atY", "_carriedX",
  "_carriedY", "_dropped" }

-- In a strict world, the class of characters without unknown fields. Those of KEPT may be nil, so
-- the library sets them too; and a game may replace a method.
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

local function checkLength(fn, name, value)
  if check.isCoordinate(value) and value >= 0 then return value end
  check.fail(fn, name, check.LENGTH, value)
end

local function checkSlope(fn, name, value)
  if type(value) == "number" and value >= 0 and value <= math.pi / 2 then return value end
  check.fail(fn, name, "number of radians from 0 to pi / 2", value)
end

local function direction(up)
  if up == nil then return 0, -1 end
  check.table(FN, "up", up, "pair of numbers such as {0, -1}")
  local x, y = rawget(up, 1), rawget(up, 2)
  filters.coordinate(FN, "up[1]", x)
  filters.coordinate(FN, "up[2]", y)
  local most = max(abs(x), abs(y))
  if most == 0 then check.raise(FN .. ": up expected (direction), got 0, 0") end
  x, y = x / most, y / most
  local length = sqrt(x * x + y * y)
  return x / length, y / length
end

-- Derives `_steep` from maxSlope: the normal of a floor has at least this component along `up`.
local function takeSlope(self)
  self._steepAt = self.maxSlope
  self._steep = core.cos(self.maxSlope) - characters.ALIKE
end

local function new(world, actor, options, ...)
  state.checkOpen(world, FN)
  state.checkIdle(world, FN)
  if select("#", ...) > 0 then check.noMore(FN, "an actor and options", 2, ...) end
  state.slotOf(world, FN, "actor", actor)
  sweeps.checkMovable(world, FN, actor)
  if options == nil then options = {} end
  check.table(FN, "options", options)
  check.keys(FN, "option", options, OPTIONS)
  if world._characters[actor] then
    check.raise(FN .. ": actor has a character already; it ends with world:remove")
  end
  local upX, upY = direction(options.up)
  sweeps.checkFilter(world, FN, options.filter, "a response goes in `response`")
  filters.groups(world, FN, options.filter)
  sweeps.response(FN, options.response)
  local self = setmetatable({
    actor = actor, world = world, hits = {}, n = 0, crushed = false,
    floorVx = 0, floorVy = 0,
    snapLength = checkLength(FN, "snapLength", option(options.snapLength, 0)),
    stepHeight = checkLength(FN, "stepHeight", option(options.stepHeight, 0)),
    maxSlope = checkSlope(FN, "maxSlope", option(options.maxSlope, MAX_SLOPE)),
    _filter = options.filter,
    _response = options.response or "slide",
    _upX = upX, _upY = upY,
    _rightX = -upY, _rightY = upX,
    _kept = {}, _journal = {}, -- the state before a move, in case it fails
    _met = {}, _metByPushed = {}, -- hits of the current sweep
    _asked = { n = 0, actors = {}, values = {}, answers = {} }, -- answers of the responder
    _pushed = { n = 0, actors = {}, gaveWay = {} }, -- actors that the current move has pushed
    _time = 0, -- the share of the current move that is over
    _floorX = 0, _floorY = 0, _floorAngle = 0, -- where the floor was when last looked at
    _atX = 0, _atY = 0, -- the point of the floor that it stands on
    _carriedX = 0, _carriedY = 0, -- how far its floor was carried since the last move
  }, world._spelling and Strict or Character)
  takeSlope(self)
  walking.clear(self)
  if check.isCallable(options.response) then
    self._responder = characters.responder(self, options.response)
  end
  world._characters[actor] = self
  return self
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

local function checkCharacter(self, fn)
  local class = type(self) == "table" and getmetatable(self)
  if class ~= Character and class ~= Strict then
    check.fail(fn, "self", "character", self, "call it with a colon")
  end
  state.checkOpen(self.world, fn)
  state.checkIdle(self.world, fn)
  if self.world._characters[self.actor] ~= self then
    check.raise(fn .. ": its actor has been removed from the world")
  end
end

local function save(self)
  local kept = self._kept
  for i = 1, #KEPT do kept[KEPT[i]] = self[KEPT[i]] end
  self._journal.n = 0
  journals.note(self._journal, self.world, self.actor)
end

local ACTORS = { "floor", "wall", "ceiling", "_dropped" }

-- Ends a move: what is kept for its failure keeps no actor alive.
local function forget(self)
  for i = 1, #ACTORS do self._kept[ACTORS[i]] = false end
  journals.clear(self._journal)
  characters.tidy(self)
end

local function restore(self)
  for i = 1, #KEPT do self[KEPT[i]] = self._kept[KEPT[i]] end
  characters.forget(self, 0)
  journals.undo(self._journal, self.world)
end

--- Moves the actor for dt seconds at a velocity. The game adds gravity to the velocity in every
--- frame, on the floor too. A velocity that points up is a jump.
---@param vx number world units per second
---@param vy number
---@param dt number seconds; with 0 it only rides its floor, and keeps velocity and flags
---@return number vx what is left of the velocity
---@return number vy
function Character:move(vx, vy, dt, ...)
  local fn = "character:move"
  checkCharacter(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "vx, vy and dt", 3, ...) end
  sweeps.checkMovable(self.world, fn, self.actor)
  filters.coordinate(fn, "vx", vx)
  filters.coordinate(fn, "vy", vy)
  check.seconds(fn, "dt", dt)
  checkLength(fn, "character.snapLength", self.snapLength)
  checkLength(fn, "character.stepHeight", self.stepHeight)
  checkSlope(fn, "character.maxSlope", self.maxSlope)
  checkFixed(self, fn)
  if self.maxSlope ~= self._steepAt then takeSlope(self) end
  state.locked(self.world, fn, save, self)
  characters.forget(self, 0)
  self.crushed = self.crushed and dt == 0 -- a move of 0 seconds frees nobody
  self._time, self._pushed.n = 0, 0
  local ok, leftX, leftY = pcall(state.locked, self.world, fn, walking.walk, self, vx, vy, dt)
  if not ok then state.locked(self.world, fn, restore, self) end
  forget(self)
  if not ok then error(leftX, 0) end
  floors.list(self)
  return leftX, leftY
end

--- Falls through a one-way floor in the next move, unless that is a jump. On any other floor it
--- does nothing.
function Character:drop(...)
  checkCharacter(self, "character:drop")
  if select("#", ...) > 0 then check.noMore("character:drop", "no arguments", 0, ...) end
  local floor, names = self.floor, self.world._names
  if not (floor and names.oneWay and floor[names.oneWay]) then return end
  self._dropped = floor
  floors.leave(self)
  floors.list(self)
end

-- Whether it rides an actor other than its floor, on which it lies at a side with this normal.
function Character:_rides(nx, ny)
  return floors.isLike(self, nx, ny)
end

-- Called when that actor is carried, and its floor is not.
function Character:_changeFloor(floor)
  floors.change(self, floor)
  floors.list(self)
end

-- Called after world:carry has moved the floor, and the character with it as far as it could go.
function Character:_floorCarried(dx, dy)
  floors.floorCarried(self, dx, dy)
end

-- Moves with its floor, outside its own moves. The places before go into `journal`.
function Character:_shove(dx, dy, carrier, journal)
  local n, own = self.n, self._journal
  self._journal, self._pushed.n = journal, 0
  floors.shove(self, dx, dy, carrier)
  self._journal = own
  characters.forget(self, n)
  characters.tidy(self)
end

-- Called when the game has moved the actor.
function Character:_teleported()
  floors.leave(self)
  floors.list(self)
  self._dropped = nil
end

--- STATE lists the fields that last from one move to the next.
return { newCharacter = new, STATE = KEPT }
