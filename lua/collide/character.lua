-- Kinematic character controllers: a velocity each frame becomes a motion along the ground, off
-- walls, down slopes and on lifts, by the sweeps of world:move. They apply no gravity and know no
-- input. This file has what the game calls; characterwalk.lua does the walking.

local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.charactersweep"
local filters = require "collide.filters"
local floors = require "collide.characterfloor"
local journals = require "collide.journal"
local state = require "collide.state"
local sweeps = require "collide.sweeps"
local walking = require "collide.characterwalk"

local type, select, abs, sqrt, max = type, select, math.abs, math.sqrt, math.max

---@class collide.CharacterOptions
---@field up number[]? {x, y}: away from the ground, {0, -1} without
---@field maxSlope number? radians: a steeper slope is a wall; 46 degrees without
---@field snapLength number? how far below a floor is kept, world units, 0 without
---@field stepHeight number? ledges up to this are climbed, world units, 0 without
---@field filter collide.Filter? the actors that stop it; without one, all that it can hit
---@field response (collide.Response|collide.Responder)? what happens at a surface, "slide" without

--- A kinematic character controller of one actor.
---@class collide.Character
---@field actor collide.Actor
---@field world collide.World
---@field floor collide.Actor? the actor under it
---@field wall collide.Actor? the actor at its side that stopped it
---@field ceiling collide.Actor? the actor above that stopped it
---@field floorNx number normal of the floor, 0 without one
---@field floorNy number
---@field wallNx number normal of the wall, 0 without one
---@field wallNy number
---@field floorVx number the floor's own motion in this move, world units a second
---@field floorVy number
---@field floorValue integer? the value of the cell under it, if the floor is tiles
---@field crushed boolean whether it is inside something and cannot get out
---@field hits collide.MoveHit[] what the last move met, in that order
---@field n integer how many
---@field maxSlope number as newCharacter was given it; may be changed, like the next two
---@field snapLength number
---@field stepHeight number
local Character = {}
Character.__index = Character
Character.__name = "collide.Character"

local FN = "world:newCharacter"

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

-- How much of its normal a floor has along `up`, at least.
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
    _met = {}, _metByPushed = {}, -- hits of the present sweep
    _entries = {}, -- tables for hits
    _asked = { n = 0, actors = {}, values = {}, answers = {} }, -- answers of the responder
    _pushed = { n = 0, actors = {}, gaveWay = {} }, -- actors that the present move has pushed
    _time = 0, -- the share of the present move that is over
    _floorX = 0, _floorY = 0, _floorAngle = 0, -- where the floor was when it was looked at last
    _atX = 0, _atY = 0, -- the point of it that is stood on
    _carriedX = 0, _carriedY = 0, -- how far it was carried since the last move
  }, Character)
  takeSlope(self)
  walking.clear(self)
  if type(options.response) == "function" then
    self._responder = characters.responder(self, options.response)
  end
  world._characters[actor] = self
  return self
end

function Character:__tostring()
  return ("character (of %s)"):format(tostring(self.actor))
end

local function checkCharacter(self, fn)
  if type(self) ~= "table" or getmetatable(self) ~= Character then
    check.fail(fn, "self", "character", self, "call it with a colon")
  end
  state.checkOpen(self.world, fn)
  state.checkIdle(self.world, fn)
  if self.world._characters[self.actor] ~= self then
    check.raise(fn .. ": its actor has been removed from the world")
  end
end

-- The state from one move to the next. A move that fails puts it back, and snapshots keep it.
local KEPT = { "floor", "floorNx", "floorNy", "floorValue", "floorVx", "floorVy", "wall", "wallNx",
  "wallNy", "ceiling", "crushed", "_floorX", "_floorY", "_floorAngle", "_atX", "_atY", "_carriedX",
  "_carriedY", "_dropped" }

local function save(self)
  local kept = self._kept
  for i = 1, #KEPT do kept[KEPT[i]] = self[KEPT[i]] end
  self._journal.n = 0
  journals.note(self._journal, self.world, self.actor)
end

local function restore(self)
  for i = 1, #KEPT do self[KEPT[i]] = self._kept[KEPT[i]] end
  characters.forget(self, 0)
  journals.undo(self._journal, self.world)
end

--- Moves the actor for dt seconds at a velocity, which is the game's: gravity goes into it in
--- every frame, also on the floor. A velocity that points up is a jump.
---@param vx number world units a second
---@param vy number
---@param dt number seconds; 0 rides the floor, and keeps velocity and flags
---@return number vx the velocity that is left
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
  if self.maxSlope ~= self._steepAt then takeSlope(self) end
  state.locked(self.world, save, self)
  characters.forget(self, 0)
  self.crushed = self.crushed and dt == 0 -- a move of 0 seconds frees no one
  self._time, self._pushed.n = 0, 0
  local ok, leftX, leftY = pcall(state.locked, self.world, walking.walk, self, vx, vy, dt)
  if not ok then
    state.locked(self.world, restore, self)
    error(leftX, 0)
  end
  return leftX, leftY
end

--- Falls through a one-way floor in the next move, unless that is a jump; does nothing on another.
function Character:drop(...)
  checkCharacter(self, "character:drop")
  if select("#", ...) > 0 then check.noMore("character:drop", "no arguments", 0, ...) end
  local floor, names = self.floor, self.world._names
  if not (floor and names.oneWay and floor[names.oneWay]) then return end
  self._dropped = floor
  floors.leave(self)
end

-- Called after `carry` has moved its floor, and the character as far as it could follow.
function Character:_floorCarried(dx, dy)
  floors.floorCarried(self, dx, dy)
end

-- Follows its floor, outside of its own moves.
function Character:_shove(dx, dy, carrier, journal)
  local n, own = self.n, self._journal
  self._journal, self._pushed.n = journal, 0
  floors.shove(self, dx, dy, carrier)
  self._journal = own
  characters.forget(self, n)
end

-- Called when its actor was moved by the game.
function Character:_teleported()
  floors.leave(self)
  self._dropped = nil
end

--- STATE: the fields that are its state.
return { newCharacter = new, STATE = KEPT }
