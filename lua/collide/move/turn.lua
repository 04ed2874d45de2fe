-- The turn of an actor about its place. The core finds how far it goes; for the response "push",
-- this file moves the actors in the way, a piece of the turn at a time.

local require = require "collide.relative"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local queries = require "collide.world.queries"
local moves = require "collide.move"

local type, select, pcall, error = type, select, pcall, error

---@class collide.World
local World = lock.World

local FN = "world:turn"
local TAKES = "an actor, da, filter, response and a table to fill"
local MOST, MAX = 16 * math.pi, check.MAX_COORDINATE

-- Numbers of responses, as in csrc/collide.h.
local NONE = 0
local RESPONSES = { touch = 2, cross = 4, push = 5 }
local RESPONSE = '"touch", "cross", "push" or function'
local ANSWER = '"touch", "cross", "push" or nil'

-- The number of a response; for something callable, NONE and a function that checks its answers.
local function responseOf(response)
  if response == nil then return RESPONSES.touch end
  if RESPONSES[response] then return RESPONSES[response] end
  if not check.isCallable(response) then check.fail(FN, "response", RESPONSE, response) end
  return NONE, function(...)
    local answer = response(...)
    if answer ~= nil and not RESPONSES[answer] then
      check.fail(FN, "what response returns", ANSWER, answer)
    end
    return answer
  end
end

-- Moves an actor that is in the way of a turn, unless that leads out of the world.
local function push(self, how, pushed, dx, dy, turner)
  local actor = self._actors[pushed]
  local x, y = reader.place(FN, self, actor)
  x, y = x + dx, y + dy
  if x >= -MAX and x <= MAX and y >= -MAX and y <= MAX then
    moves.make(self, how, actor, dx, dy, turner)
  end
end

-- Computes a turn of a locked world, and moves the actors that it pushes. Returns the angle and the
-- number of hits.
local function advance(self, how, actor, x, y, angle, da)
  local inner, slot, filter = self._core, self._slots[actor], how.filter
  local low, high, accepts = moves.filter(self, FN, filter, moves.AFTER)
  local number, respond = responseOf(how.response)
  local marks, pushes, putBack = how.marks, 0 -- how long the journal was before each push
  local to, n, pushed, dx, dy = inner:turn(slot, x, y, angle, da, low, high, filter == nil, number,
    moves.decide, accepts, respond, number, self._actors, FN)
  while pushed do
    pushes = pushes + 1
    marks[pushes] = how.journal.n
    push(self, how, pushed, dx, dy, actor)
    to, n, pushed, dx, dy, putBack = inner:turnOn(moves.decide, accepts, respond, number,
      self._actors, FN)
    if putBack > 0 then moves.undo(how.journal, self, marks[pushes - putBack + 1]) end
  end
  return to, n
end

local function turn(self, how, actor, da, into)
  local x, y, angle = reader.place(FN, self, actor)
  if not check.isAngle(angle + da) then check.fail(FN, "angle + da", check.ANGLE, angle + da) end
  local to, n = advance(self, how, actor, x, y, angle, da)
  local hits = moves.fillHits(self, FN, into, n)
  self._core:put(self._slots[actor], x, y, to)
  if to ~= angle then reader.holder(FN, self, actor)[self._names.angle] = to end
  return to, hits, n
end

-- Turns in a locked world; if that fails, it puts all actors back.
local function turnOrUndo(self, actor, da, filter, response, into)
  local how = self._turning or { fn = FN, into = {}, journal = {}, marks = {} }
  self._turning = how
  how.filter, how.response = filter, response
  moves.note(how.journal, self, actor, FN)
  local ok, to, hits, n = pcall(lock.locked, self, FN, turn, how, actor, da, into)
  if not ok then moves.undo(how.journal, self) end
  moves.clearJournal(how.journal)
  queries.drop(self._spareHits, how.into, 0)
  how.filter, how.response = nil, nil
  if not ok then error(to, 0) end
  return to, hits, n
end

local function checkTurn(self, actor, da, into)
  lock.checkOpen(self, FN)
  lock.checkIdle(self, FN)
  reader.slotOf(self, FN, "actor", actor)
  moves.checkMovable(self, FN, actor)
  if not self._names.angle then check.raise(FN .. ": this world reads no angle") end
  if not (type(da) == "number" and da >= -MOST and da <= MOST) then
    check.fail(FN, "da", "angle in radians, within 16 pi", da)
  end
  if into ~= nil then check.list(FN, "into", into, "table to fill") end
end

--- Turns an actor about its x, y, until it would overlap an actor that passes `filter`, and writes
--- its new angle. Without a filter, all actors that it can hit stop it. What it overlaps at the
--- start does not, nor do one-way actors.
---@param actor collide.Actor of this world
---@param da number radians, within 16 pi
---@param filter collide.Filter?
---@param response (collide.TurnResponse|collide.TurnResponder)? default "touch"
---@param into table? a list to fill, in place of a new one
---@return number angle
---@return collide.MoveHit[] hits in the order met; without any, one list for all such calls
---@return integer n
function World:turn(actor, da, filter, response, into, ...)
  if select("#", ...) > 0 then check.noMore(FN, TAKES, 5, ...) end
  checkTurn(self, actor, da, into)
  return lock.locked(self, FN, turnOrUndo, actor, da, filter, response, into)
end
