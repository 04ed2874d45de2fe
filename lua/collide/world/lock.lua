-- Whether a world may be used or changed. It is locked while it reads or moves actors: their
-- __index, __newindex, filter functions and responses may run then, and finalizers at any time; all
-- of them may ask the world, and none may change it. This is the one place that checks that, and
-- passes their errors on.

local core = require "collide.core"
local check = require "collide.check"
local reader = require "collide.world.reader"

local type = type

local M = {}

--- The class World: each file of it adds methods.
M.World = {}

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
      actor == self and "its actors" or reader.describe(self, actor)))
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

local function unlock(self, lock, before, fn, ok, ...)
  self[lock] = before
  if not ok then raise(fn, (...)) end
  return ...
end

local function begin(f, self, ...)
  self._reading = true -- within core.protected, which may fail before it calls this function
  return f(self, ...)
end

--- Calls f(self, …), which may run the actors' own code, with the world locked against changes.
--- That code cannot yield, as the world would stay locked. `fn` names what the game has called.
function M.guarded(self, fn, f, ...)
  return unlock(self, "_reading", false, fn, core.protected(withStack, begin, f, self, ...))
end

--- The same for f(…), which moves actors: filter functions, responses, and __index and __newindex
--- of actors may run in it.
function M.locked(self, fn, f, ...)
  local before = self._moving
  self._moving = true
  return unlock(self, "_moving", before, fn, core.protected(withStack, f, ...))
end

--- Called when the core has moved slots: loops over slots in progress must find their place again.
function M.slotsMoved(self)
  self._layout = self._layout + 1
  self._updatersStale = true
end

return M
