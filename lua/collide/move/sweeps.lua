-- The sweeps that move a World's actors. The core computes a move, and returns whenever a filter
-- function or responder has to decide; it is called here, and the core goes on with the answer.

local core = require "collide.core"
local check = require "collide.check"
local filters = require "collide.world.filters"
local journals = require "collide.move.journal"
local reading = require "collide.world.fields"
local results = require "collide.world.lists"
local state = require "collide.world.state"
local accelerator = require "collide.ffi.frame"

local locked, held, listOf = state.locked, state.held, results.listOf

local rawget = rawget

local M = {}

--- An actor that a move met.
---@class collide.MoveHit
---@field actor collide.Actor
---@field nx number the surface's normal
---@field ny number
---@field x number the place of the mover at that moment
---@field y number
---@field px number the point where they touch
---@field py number
---@field t number the moment, as a share of the move's time
---@field response collide.Response
---@field col integer? of tiles: the cell and its value
---@field row integer?
---@field value integer?
---@field inside boolean? true if the mover started inside
---@field crushed boolean? true if it also could not be freed

-- Numbers of responses, as in csrc/collide.h.
local NONE, CROSS = 0, 4
local RESPONSES = { slide = 1, touch = 2, bounce = 3, cross = CROSS, push = 5 }
local BY_RULES = -1 -- as in csrc/lua/move.h
local RESPONSE = '"slide", "touch", "bounce", "cross", "push" or function'
local ANSWER = '"slide", "touch", "bounce", "cross", "push" or nil'

--- The set of all worlds: a look-up is the fastest test whether a value is a world.
M.worlds = setmetatable({}, { __mode = "k" })

--- Raises for a filter that is the name of a response, unless a group has that name. `hint` says
--- where the response goes.
function M.checkFilter(self, fn, filter, hint)
  if RESPONSES[filter] and not self._groups[filter] then
    check.fail(fn, "filter", filters.FILTER, filter, hint)
  end
end

--- The number of a response; for something callable, NONE and that.
function M.response(fn, response)
  if response == nil then return RESPONSES.slide end
  local number = RESPONSES[response]
  if number then return number end
  if not check.isCallable(response) then check.fail(fn, "response", RESPONSE, response) end
  return NONE, response
end

local function checkPassed(fn, passed)
  if type(passed) == "string" then
    check.fail(fn, "what filter returns", "true or false", passed,
      "a response goes after the filter")
  end
end

--- Whether a filter function lets a mover meet an actor.
function M.passes(fn, accepts, met, mover)
  local passed = accepts(met, mover)
  if passed ~= true then checkPassed(fn, passed) end
  return passed
end

local function answer(self, fn, accepts, number, respond, other, mover, nx, ny, value, sensor)
  local actors = self._actors
  local met = actors[other]
  if accepts then
    local passed = accepts(met, actors[mover])
    if not passed then return NONE end
    if passed ~= true then checkPassed(fn, passed) end
  end
  if sensor then return CROSS end
  if not respond then return number end
  local response = respond(actors[mover], met, nx, ny, value)
  if response == nil then return NONE end
  number = RESPONSES[response]
  if not number then check.fail(fn, "what response returns", ANSWER, response) end
  return number
end

-- Answers the core's questions until the move is computed.
local function settle(self, fn, accepts, number, respond, other, mover, nx, ny, value, sensor)
  while other do
    other, mover, nx, ny, value, sensor = self._core:answerMove(
      answer(self, fn, accepts, number, respond, other, mover, nx, ny, value, sensor))
  end
end

--- Puts an actor at the place in its fields, at once.
function M.put(world, actor)
  local x, y, angle = reading.place("world:move", world, actor)
  world._core:put(world._slots[actor], x, y, angle)
  state.notePlace(world, actor, x, y, angle)
end

--- Whether two actors of the world overlap at the places in their fields. Touching does not count.
function M.overlap(world, a, b)
  local x, y, angle = reading.place("world:carry", world, a)
  local ox, oy, turned = reading.place("world:carry", world, b)
  return core.overlaps(state.shapeOf(world, a), x, y, angle, state.shapeOf(world, b), ox, oy,
    turned, false)
end

--- Whether an actor can be moved. Tiles cannot.
function M.isMovable(self, actor)
  return state.shapeOf(self, actor):kind() ~= "tiles"
end

--- Raises for an actor that cannot be moved.
function M.checkMovable(self, fn, actor)
  if not M.isMovable(self, actor) then
    check.fail(fn, "actor." .. self._names.shape, "shape other than tiles, which stand still",
      state.shapeOf(self, actor))
  end
end

-- Computes a move. `ignored` is an actor that does not stop it, or nil.
local function compute(self, fn, actor, dx, dy, filter, response, ignored)
  local slot = self._slots[actor]
  local x, y, angle = reading.place(fn, self, actor)
  filters.coordinate(fn, "x + dx", x + dx)
  filters.coordinate(fn, "y + dy", y + dy)
  M.checkFilter(self, fn, filter, "a response goes after the filter")
  local low, high, accepts = filters.groups(self, fn, filter)
  local number, respond = M.response(fn, response)
  local asks = accepts ~= nil or respond ~= nil
  settle(self, fn, accepts, number, respond, self._core:move(slot, x, y, angle, dx, dy, low, high,
    filter == nil, asks, accepts ~= nil, number, ignored and self._slots[ignored] or 0))
end

--- Computes a move of a locked world without making it: where it would end, and its hits in the
--- list `into`.
---@return number x, number y, table into, integer n
function M.look(self, fn, actor, dx, dy, filter, response, into, ignored)
  compute(self, fn, actor, dx, dy, filter, response, ignored)
  local x, y, n = self._core:movedTo(self._actors, into, self._spareHits, listOf)
  return x, y, into, n
end

-- Writes the new places of the first `count` actors that the last move has moved into their fields.
local function write(self, count)
  local names, actors, inner = self._names, self._actors, self._core
  for i = 1, count do
    local slot, toX, toY = inner:moved(i)
    local moved = actors[slot]
    moved[names.x], moved[names.y] = toX, toY
    local _, _, angle = inner:place(slot)
    state.notePlace(self, moved, toX, toY, angle)
  end
end

-- Fills the list with the hits of a move, and commits the move if there are any. Returns how many
-- actors were moved.
local function commit(self, into, count)
  if not self._moves then
    self._core:movedTo(self._actors, into, self._spareHits, listOf)
    return count > 0 and self._core:commitMove() or 1
  end
  for i = 1, count do results.record(self._spareHits, into, i) end
  results.drop(self._spareHits, into, count)
  accelerator.fillHits(self, into, count)
  if count == 0 then return 1 end
  local moved = accelerator.commitMove(self)
  return moved >= 0 and moved or self._core:commitMove()
end

-- The same; also writes the places if several actors were moved.
local function fill(self, into, count)
  local moved = commit(self, into, count)
  if moved > 1 then write(self, moved) end
  return moved
end

--- The fast path of world:move, for valid arguments without a filter function or responder. For any
--- other move it returns nil and does nothing.
---@return number? x, number? y, table? into, integer? n
function M.now(self, actor, dx, dy, filter, response, into)
  if not self._slots[actor] then return nil end
  local number = response == nil and RESPONSES.slide or RESPONSES[response]
  local group = filter == nil and BY_RULES or self._groups[filter]
  if not (number and group) or self._moving or self._reading or self._seen then return nil end
  local names = self._names
  local angle = names.angle and actor[names.angle]
  if angle == nil or not names.angle then angle = 0 end
  local slot = self._slots[actor] -- reading the fields may have changed it
  if not slot then return nil end
  -- x and y are there, or else it returns nil: so they are read and written without metamethods,
  -- which could yield.
  local x, y, toX, toY, n
  if self._moves then
    x, y = rawget(actor, names.x), rawget(actor, names.y)
    toX, toY, n = self._moves(self, slot, x, y, angle, dx, dy, group, number)
  else
    toX, toY, n = self._core:moveNow(actor, names.x, names.y, slot, angle, dx, dy, group, number)
  end
  if not toX then return nil end
  if n == 0 and into[1] == nil then
    actor[names.x], actor[names.y] = toX, toY
    return toX, toY, into, 0
  end
  local moved
  if number == RESPONSES.push then
    moved = locked(self, "world:move", fill, self, into, n)
  else
    moved = held(self, commit, self, into, n)
  end
  if moved == 1 then actor[names.x], actor[names.y] = toX, toY end
  return toX, toY, into, n
end

-- Records the places of the actors that a move is about to change.
local function noteAll(self, journal)
  local i, slot = 1, self._core:moved(1)
  while slot do
    journals.note(journal, self, self._actors[slot])
    i = i + 1
    slot = self._core:moved(i)
  end
end

--- Makes a move of a locked world. If a journal is given, it records the places before.
---@return number x, number y, table into, integer n
function M.sweep(self, fn, actor, dx, dy, filter, response, into, ignored, journal)
  local x, y, _, n = M.look(self, fn, actor, dx, dy, filter, response, into, ignored)
  if journal then noteAll(self, journal) end
  write(self, self._core:commitMove())
  return x, y, into, n
end

--- Checks the arguments of a move. Returns the list for its hits.
---@return table into
function M.checkMove(self, fn, actor, dx, dy, into)
  state.checkOpen(self, fn)
  state.checkIdle(self, fn)
  state.slotOf(self, fn, "actor", actor)
  M.checkMovable(self, fn, actor)
  filters.coordinate(fn, "dx", dx)
  filters.coordinate(fn, "dy", dy)
  if into == nil then return self._moveHits end
  return check.list(fn, "into", into, "table to fill")
end

return M
