-- What all files of the World class share: who may touch a world, and when.

local core = require "collide.core"
local check = require "collide.check"

local M = {}

-- What a method wants to hear and which calls an event asks for: bits as in
-- csrc/world/world.h.
M.ENTER, M.HIT, M.LEAVE, M.UPDATE = 1, 2, 4, 8
M.METHODS = M.ENTER + M.HIT + M.LEAVE
M.CALL_LEAVE_A, M.CALL_LEAVE_B = 32, 16
M.CALL_ENTER_A, M.CALL_ENTER_B, M.CALL_HIT_A, M.CALL_HIT_B = 8, 4, 2, 1

--- In place of a number of calls: all of them have begun.
M.ALL_TOLD = 2 ^ 53

M.MAX_GROUPS = 64

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._core then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

--- While a step reads the actors, their own __index may run; it must find the
--- world as it is.
function M.checkIdle(self, fn)
  if self._reading then
    check.raise(fn .. ": this world is reading its actors; it can be changed when it has")
  end
end

--- Calls f(self), in which actors' own code may run, with the world kept from
--- changing. It may not yield, or the world would stay so.
function M.guarded(self, f)
  self._reading = true
  local ok, result = pcall(core.unyielding, f, self)
  self._reading = false
  if not ok then error(result, 0) end
  return result
end

function M.slotOf(self, fn, arg, actor)
  local slot = type(actor) == "table" and self._slots[actor]
  if not slot then check.fail(fn, arg, "actor of this world", actor) end
  return slot
end

--- The number of a group; a new name gets the next one.
function M.groupNumber(self, fn, arg, name)
  local number = self._groups[name]
  if number then return number end
  number = self._groupCount
  if number == M.MAX_GROUPS then
    check.fail(fn, arg, ("one of the %d groups that a world can have"):format(number), name)
  end
  self._groups[name] = number
  self._groupCount = number + 1
  return number
end

return M
