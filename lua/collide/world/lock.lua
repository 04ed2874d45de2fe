-- Whether a world may be used or changed. Each call that changes the world, moves its actors or
-- reads their fields holds its lock. Meanwhile the actors' __index, __newindex, filter functions
-- and responses may run, and finalizers at any time; all of them may query the world, but none may
-- change it. Only this file checks that, and passes their errors on. What a call finds out about a
-- world before it takes the lock may no longer be true afterwards.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local reader = require "collide.world.reader"

local type = type
local jit = rawget(_G, "jit")

local M = {}

--- The class World, to which other files add methods.
M.World = {}

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._slots then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

--- Like checkWorld, for methods that may not call the core: raises also when the core has been
--- collected.
function M.checkOpen(self, fn)
  M.checkWorld(self, fn)
  self._core:check()
end

--- What a locked world is doing, for messages.
local READING, MOVING, CHANGING = "reading its actors", "moving an actor", "being changed"
M.READING, M.MOVING = READING, MOVING

--- Raises while the world is locked.
function M.checkIdle(self, fn)
  local lock = self._lock
  if lock then check.raise(("%s: this world is %s; change it afterwards"):format(fn, lock)) end
end

--- Raises unless `self` is an open world, and for further arguments of `fn`, as check.noMore does.
--- Only methods that are called rarely begin with it: LuaJIT compiles variadic functions only
--- within other traces.
function M.checkCall(self, fn, takes, given, ...)
  M.checkOpen(self, fn)
  check.noMore(fn, takes, given, ...)
end

--- The same for methods that change the world: raises also while it is locked.
function M.checkChange(self, fn, ...)
  M.checkCall(self, fn, ...)
  M.checkIdle(self, fn)
end

-- Whether f(self, …) is running in this coroutine.
local function isRunning(f, self)
  local level = 2
  local caller = debug.getinfo(level, "f")
  while caller and not (caller.func == f and select(2, debug.getlocal(level, 1)) == self) do
    level = level + 1
    caller = debug.getinfo(level, "f")
  end
  return caller ~= nil
end

--- Raises when an actor's `update` updates its world, which would never end. f(self, …) calls the
--- updates of actors, and `_updating` is the actor that it has called. If f is not running,
--- `_updating` is left over from an update that has raised an error or yielded.
function M.checkNotUpdating(self, fn, f)
  local actor = self._updating
  if actor and isRunning(f, self) then
    check.raise(("%s: this world is updating %s; update it afterwards"):format(fn,
      reader.describe(self, actor)))
  end
end

-- The start of Lua's error for a yield across C; the rest differs between the versions of Lua.
local YIELDS = "attempt to yield across"

-- A line of a traceback.
local function lineOf(at)
  local name = at.name and ("function '%s'"):format(at.name)
    or at.what == "main" and "main chunk"
    or ("function <%s:%d>"):format(at.short_src, at.linedefined)
  return ("\n\t%s:%d: in %s"):format(at.short_src, at.currentline, name)
end

--- The functions, besides those of this file, that pass on errors of the functions that they call.
local ends = { [core.protected] = true }
M.ends = ends

--- The handler of all errors that are passed on. A message that begins with a position gets the
--- stack of the game's own functions down to the call that passes it on, since an outer handler
--- cannot find them any more. If several calls pass it on, their lines follow each other. All other
--- values stay as they are, since a game may compare them.
function M.withStack(message)
  if type(message) ~= "string" then return message end
  local first = message:match "^[^\n]*"
  if not (first:find ":%d+: " or first:find(YIELDS, 1, true)) then return message end
  local level, lines = 2, {}
  local at = debug.getinfo(level, "Slnf")
  while at and not ends[at.func] do
    if at.currentline > 0 and not check.isOwn(at.source) then lines[#lines + 1] = lineOf(at) end
    level = level + 1
    at = debug.getinfo(level, "Slnf")
  end
  if not lines[1] then return message end
  local head = message:find("\nstack traceback:\n", 1, true) and "" or "\nstack traceback:"
  return message .. head .. table.concat(lines)
end

local withStack = M.withStack

--- Passes an error on, for the method `fn`.
function M.passOn(fn, message)
  local first = type(message) == "string" and message:match "^[^\n]*"
  if first and first:find(YIELDS, 1, true) then
    check.raise(("%s: no function that it calls may yield%s"):format(fn, message:sub(#first + 1)))
  end
  error(message, 0)
end

local function unlock(self, before, fn, ok, ...)
  self._lock = before
  if not ok then M.passOn(fn, (...)) end
  return ...
end

local function begin(self, lock, f, ...)
  self._lock = lock -- within core.protected, which may fail before it calls this function
  return f(self, ...)
end

local function hold(self, lock, fn, f, ...)
  return unlock(self, self._lock, fn, core.protected(withStack, begin, self, lock, f, ...))
end

--- Calls f(self, …) with the world locked against changes. f may run the actors' own code, which
--- cannot yield, since the world would stay locked. `fn` names the method that the game has called.
function M.guarded(self, fn, f, ...)
  return hold(self, READING, fn, f, ...)
end

--- The same for functions that move actors. They may run filter functions, responses, and __index
--- and __newindex of actors.
function M.locked(self, fn, f, ...)
  return hold(self, MOVING, fn, f, ...)
end

--- The same for functions that run no code of the game except finalizers.
function M.changing(self, fn, f, ...)
  return hold(self, CHANGING, fn, f, ...)
end

--- Returns f, a function that must not stop halfway. Before Lua 5.4, an error in a finalizer is
--- raised wherever the finalizer runs: at an allocation; on Lua 5.2 also at a function call; and on
--- LuaJIT also at an exit from compiled code. So f is not compiled, and makes its changes after its
--- last call, which is that of the core.
function M.whole(f)
  if jit then jit.off(f) end
  return f
end

return M
