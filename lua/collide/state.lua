-- Shared by all files of the World class: when a world may be used and changed.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local who = require "collide.who"

local type = type

local M = {}

-- The bits of event masks and of the calls of events, as in csrc/collide.h.
M.ENTER, M.HIT, M.LEAVE, M.UPDATE = core.EVENT_ENTER, core.EVENT_HIT, core.EVENT_LEAVE,
  core.EVENT_UPDATE
M.METHODS = M.ENTER + M.HIT + M.LEAVE
M.CALL_LEAVE_A, M.CALL_LEAVE_B = core.CALL_LEAVE_A, core.CALL_LEAVE_B
M.CALL_ENTER_A, M.CALL_ENTER_B = core.CALL_ENTER_A, core.CALL_ENTER_B
M.CALL_HIT_A, M.CALL_HIT_B = core.CALL_HIT_A, core.CALL_HIT_B

M.MAX_GROUPS = core.MAX_GROUPS

--- The world of each actor. Weak, so that neither keeps the other; the world itself keeps its
--- actors.
M.worldOf = setmetatable({}, { __mode = "kv" })

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._slots then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

--- As checkWorld, for what would not ask the core otherwise: it raises when the core has
--- been collected.
function M.checkOpen(self, fn)
  M.checkWorld(self, fn)
  self._core:check()
end

--- While a step reads the actors, their own __index may run; it must find the
--- world as it is.
function M.checkIdle(self, fn)
  if self._reading then
    check.raise(fn .. ": this world is reading its actors; change it afterwards")
  end
  if self._moving then
    check.raise(fn .. ": this world is moving an actor; change it afterwards")
  end
end

local function begin(f, self, ...)
  self._reading = true -- inside of the pcall, which may fail before it calls
  return f(self, ...)
end

--- Calls f(self, …), which may run code of actors, with the world locked against changes. It must
--- not yield, or the world would stay locked.
function M.guarded(self, f, ...)
  local ok, result, second = pcall(core.unyielding, begin, f, self, ...)
  self._reading = false
  if not ok then error(result, 0) end
  return result, second
end

local function unlock(self, before, ok, ...)
  self._moving = before
  if not ok then error((...), 0) end
  return ...
end

--- Calls f(…), which moves actors, with the world locked against changes: filter functions,
--- responses, and __index and __newindex of actors may run meanwhile.
function M.locked(self, f, ...)
  local before = self._moving
  self._moving = true
  return unlock(self, before, pcall(f, ...))
end

--- The core has moved slots: walks through them must look again.
function M.slotsMoved(self)
  self._layout = self._layout + 1
  self._updatersStale = true
end

function M.slotOf(self, fn, arg, actor)
  local slot = type(actor) == "table" and self._slots[actor]
  if slot then return slot end
  if not who.isActor(self, actor) then check.fail(fn, arg, "actor of this world", actor) end
  check.raise(("%s: %s expected (actor of this world), got %s"):format(fn, arg,
    who.is(self, actor)))
end

--- The shape of an actor of the world as it was read last, which its field may no longer be.
function M.shapeOf(self, actor)
  return self._shapes[self._slots[actor]]
end

--- Raises for a group that a world has not been made with, if that named all of its groups.
function M.checkDeclared(self, fn, arg, name)
  if self._declared and not self._groups[name] then
    check.fail(fn, arg, "one of this world's groups: " .. self._declared, name)
  end
end

--- The numbers that the groups of a list would get that have none yet, by name, and how many groups
--- there would be. Raises when there are not enough. `arg` is the argument that the names are from,
--- or a list with one for each.
function M.freshGroups(self, fn, arg, names)
  local fresh, count = {}, self._groupCount
  for i, name in ipairs(names) do
    local from = type(arg) == "table" and arg[i] or arg
    M.checkDeclared(self, fn, from, name)
    if not (self._groups[name] or fresh[name]) then
      if count == M.MAX_GROUPS then
        check.fail(fn, from, ("one of the %d groups that a world can have"):format(count), name)
      end
      fresh[name] = count
      count = count + 1
    end
  end
  return fresh, count
end

--- Takes over what freshGroups has returned.
function M.addGroups(self, fresh, count)
  for name, number in each.pairs(fresh) do self._groups[name] = number end
  self._groupCount = count
end

--- Gives numbers to the groups of a list that have none yet: to all of them or,
--- when there are not enough, to none; then it raises.
function M.nameGroups(self, fn, arg, names)
  M.addGroups(self, M.freshGroups(self, fn, arg, names))
end

--- The number of a group; a new name gets the next one.
function M.groupNumber(self, fn, arg, name)
  if not self._groups[name] then M.nameGroups(self, fn, arg, { name }) end
  return self._groups[name]
end

return M
