-- Shared by all files of the World class: checks whether a world may be used or changed, locks it,
-- and gives numbers to groups.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local who = require "collide.world.describe"

local type = type

local M = {}

-- The bits of event masks and of the calls of events, as in csrc/collide.h.
M.ENTER, M.HIT, M.LEAVE, M.UPDATE = core.EVENT_ENTER, core.EVENT_HIT, core.EVENT_LEAVE,
  core.EVENT_UPDATE
M.METHODS = M.ENTER + M.HIT + M.LEAVE

function M.hasBit(bits, bit)
  return math.floor(bits / bit) % 2 == 1
end

M.CALL_LEAVE_A, M.CALL_LEAVE_B = core.CALL_LEAVE_A, core.CALL_LEAVE_B
M.CALL_ENTER_A, M.CALL_ENTER_B = core.CALL_ENTER_A, core.CALL_ENTER_B
M.CALL_HIT_A, M.CALL_HIT_B = core.CALL_HIT_A, core.CALL_HIT_B

M.MAX_GROUPS = core.MAX_GROUPS

--- The world of each actor. The table is weak, so that it keeps neither alive; a world keeps its
--- own actors alive.
M.worldOf = setmetatable({}, { __mode = "kv" })

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._slots then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

--- As checkWorld, for methods that may not call the core: raises also when the core has been
--- collected.
function M.checkOpen(self, fn)
  M.checkWorld(self, fn)
  self._core:check()
end

--- Raises while the world is locked. While it reads actors, their __index may run, and while it
--- moves them, filters and responses; these must not change the world.
function M.checkIdle(self, fn)
  if self._reading then
    check.raise(fn .. ": this world is reading its actors; change it afterwards")
  end
  if self._moving then
    check.raise(fn .. ": this world is moving an actor; change it afterwards")
  end
end

-- The value of the local variable `name` of the running f(self, …), or nil if none runs in this
-- coroutine. Without debug information it is `self`.
local function localOf(f, self, name)
  local level = 2
  local caller = debug.getinfo(level, "f")
  while caller and not (caller.func == f and select(2, debug.getlocal(level, 1)) == self) do
    level = level + 1
    caller = debug.getinfo(level, "f")
  end
  if not caller then return nil end
  local i, found, value = 1, debug.getlocal(level, 1)
  while found and found ~= name do
    i = i + 1
    found, value = debug.getlocal(level, i)
  end
  return found and value or self
end

--- Raises when an actor's `update` updates its world, which would never end. f(self, …) calls the
--- updates of actors, each of which is its local variable `actor` meanwhile. If it is not running,
--- `_updating` is left over from an update that has raised an error or yields.
function M.checkNotUpdating(self, fn, f)
  local actor = self._updating and localOf(f, self, "actor")
  if actor then
    check.raise(("%s: this world is updating %s; update it afterwards"):format(fn,
      actor == self and "its actors" or who.is(self, actor)))
  end
end

-- How Lua's error for a yield across C begins; the rest differs between the Luas.
local YIELDS = "attempt to yield across"

-- A line of a traceback.
local function lineOf(at)
  local name = at.name and ("function '%s'"):format(at.name)
    or at.what == "main" and "main chunk"
    or ("function <%s:%d>"):format(at.short_src, at.linedefined)
  return ("\n\t%s:%d: in %s"):format(at.short_src, at.currentline, name)
end

-- The handler of all errors that are passed on. A message that begins with a position gets the
-- stack of the game's own functions down to the call that passes it on, since an outer handler no
-- longer finds them. Where several calls pass it on, their lines follow each other. All other
-- values stay as they are, as a game may compare them.
local function withStack(message)
  if type(message) ~= "string" then return message end
  local first = message:match "^[^\n]*"
  if not (first:find ":%d+: " or first:find(YIELDS, 1, true)) then return message end
  local level, lines = 2, {}
  local at = debug.getinfo(level, "Slnf")
  while at and at.func ~= core.protected do
    if at.currentline > 0 and not check.isOwn(at.source) then lines[#lines + 1] = lineOf(at) end
    level = level + 1
    at = debug.getinfo(level, "Slnf")
  end
  if not lines[1] then return message end
  local head = message:find("\nstack traceback:\n", 1, true) and "" or "\nstack traceback:"
  return message .. head .. table.concat(lines)
end

local function raise(fn, message)
  local first = type(message) == "string" and message:match "^[^\n]*"
  if first and first:find(YIELDS, 1, true) then
    check.raise(("%s: no function that it calls may yield%s"):format(fn, message:sub(#first + 1)))
  end
  error(message, 0)
end

local function begin(f, self, ...)
  self._reading = true -- within core.protected, which may fail before it calls this function
  return f(self, ...)
end

--- Calls f(self, …), which may run the actors' own code, with the world locked against changes.
--- That code cannot yield, as the world would stay locked. `fn` names what the game has called.
function M.guarded(self, fn, f, ...)
  local ok, result, second = core.protected(withStack, begin, f, self, ...)
  self._reading = false
  if not ok then raise(fn, result) end
  return result, second
end

local function unlock(self, before, fn, ok, ...)
  self._moving = before
  if not ok then raise(fn, (...)) end
  return ...
end

--- The same for f(…), which moves actors: filter functions, responses, and __index and __newindex
--- of actors may run in it.
function M.locked(self, fn, f, ...)
  local before = self._moving
  self._moving = true
  return unlock(self, before, fn, core.protected(withStack, f, ...))
end

--- The same for f(…) that runs no code of the game's but finalizers. LuaJIT compiles it.
function M.held(self, f, ...)
  local before = self._moving
  self._moving = true
  return unlock(self, before, nil, pcall(f, ...))
end

--- Called when the core has moved slots: loops over slots in progress must find their place again.
function M.slotsMoved(self)
  self._layout = self._layout + 1
  self._updatersStale = true
end

--- Raises: argument `arg` of `fn` is no actor of this world. `expected` says so in words.
function M.failActor(self, fn, arg, expected, got)
  if not who.isActor(self, got) then check.fail(fn, arg, expected, got) end
  check.raise(("%s: %s expected (%s), got %s, which %s"):format(fn, arg, expected,
    who.is(self, got), M.worldOf[got] and "is in another world" or "was removed or never added"))
end

--- The slot of an actor. Raises when the actor is not in this world.
function M.slotOf(self, fn, arg, actor)
  local slot = type(actor) == "table" and self._slots[actor]
  if slot then return slot end
  M.failActor(self, fn, arg, "actor of this world", actor)
end

--- The shape of an actor as it was last read; its field may have changed since.
function M.shapeOf(self, actor)
  return self._shapes[self._slots[actor]]
end

--- Notes the place that the world has given an actor. A strict world compares a static actor's
--- fields with it.
function M.notePlace(self, actor, x, y, angle)
  local seen = self._seen and self._seen[actor]
  if not seen then return end
  seen.x, seen.y, seen.angle = x, y, angle
  if seen.static then self._rosters[1] = nil end -- it has a copy of the old `seen`
end

--- Raises when a world has declared its groups and `name` is not one of them.
function M.checkDeclared(self, fn, arg, name)
  if self._declared and not self._groups[name] then
    check.fail(fn, arg, "one of this world's groups: " .. self._declared, name)
  end
end

--- Raises: argument `arg` of `fn` names one group more than a world can have.
function M.failFull(fn, arg, name)
  check.fail(fn, arg, ("group in use, as a world has at most %d"):format(M.MAX_GROUPS), name)
end

--- Finds numbers for the groups of a list that have none yet, without changing the world. Returns
--- the numbers by name, and how many groups the world would have. Raises when there are too many.
--- `arg` is the argument that the names come from, or a list with one for each name.
function M.freshGroups(self, fn, arg, names)
  local fresh, count = {}, self._groupCount
  for i, name in ipairs(names) do
    local from = type(arg) == "table" and arg[i] or arg
    M.checkDeclared(self, fn, from, name)
    if not (self._groups[name] or fresh[name]) then
      if count == M.MAX_GROUPS then
        M.failFull(fn, from, name)
      end
      fresh[name] = count
      count = count + 1
    end
  end
  return fresh, count
end

--- Adds the groups that freshGroups has returned.
function M.addGroups(self, fresh, count)
  for name, number in each.pairs(fresh) do self._groups[name] = number end
  self._groupCount = count
end

--- Gives numbers to the groups of a list that have none yet. When there are too many it raises, and
--- gives none.
function M.nameGroups(self, fn, arg, names)
  M.addGroups(self, M.freshGroups(self, fn, arg, names))
end

--- The number of a group; a new name gets the next free number.
function M.groupNumber(self, fn, arg, name)
  if not self._groups[name] then M.nameGroups(self, fn, arg, { name }) end
  return self._groups[name]
end

return M
