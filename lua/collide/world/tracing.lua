-- world:trace, and the dispatch of a step's events while there is a trace.

local core = require "collide.core"
local check = require "collide.check"
local state = require "collide.world.state"

local CALL_NUMBERS = core.CALL_NUMBERS

local M = {}

---@class collide.World
local World = {}

M.methods = World

--- Sets a function that is called before each callback, from the next step on. nil removes it.
---@param world collide.World
---@param fn collide.OnTrace?
function World.trace(world, fn, ...)
  state.checkOpen(world, "world:trace")
  if fn ~= nil and not check.isCallable(fn) then
    check.fail("world:trace", "fn", "function", fn)
  end
  check.noMore("world:trace", "a function or nil", 1, ...)
  world._trace = fn
  -- A dispatch that began without a trace goes on without one.
  if world._tracing or fn == nil then world._tracing = fn end
end

--- Called before the dispatch of a step.
function M.begin(world)
  world._frame = world._frame + 1
  world._tracing = world._trace
end

--- Calls the trace function. It may do all that a callback may.
function M.note(world, event, ...)
  world._tracing(event, world._frame, ...)
end

--- The same for an event of a bullet. Returns false when the callback must not be called: the trace
--- has stepped the world, or removed the bullet or its target.
function M.shot(world, event, pool, bullet, target, nx, ny, t, x, y, other)
  local serial = world._serial
  M.note(world, event, pool, target, nx, ny, t, bullet, x, y, other)
  if world._serial ~= serial or rawget(pool, "_removed") or not pool:get(bullet) then
    return false
  end
  if other then return not rawget(target, "_removed") end
  return target == nil or world._slots[target] ~= nil
end

-- Calls `hit` of `a`, the first or second actor of an event. An actor that the trace removes gets
-- no call. Returns false when the dispatch is over.
local function callHit(world, serial, done, isSecond, a, b, nx, ny, depth, t)
  local hit, changes = a[world._names.hit], world._changes
  if hit and world._tracing then
    M.note(world, "hit", a, b, nx, ny, depth)
    if world._serial ~= serial then return false end
    if world._changes ~= changes then
      local presentA, presentB = world._core:present(done)
      if not presentA and not isSecond or not presentB and isSecond then hit = nil end
    end
  end
  if t and hit then
    hit(a, b, nx, ny, depth, world, t)
  elseif hit then
    hit(a, b, nx, ny, depth, world)
  end
  return world._serial == serial
end

--- Dispatches the events of a step with a call of the trace before each callback. There are two
--- such loops because the one without a trace is faster. `event` fetches an event, `dispatchOthers`
--- makes all calls except those of `hit`.
function M.dispatch(world, events, event, dispatchOthers)
  local serial = world._serial
  for e = 1, events do
    local done = e * CALL_NUMBERS
    local calls, a, b, nx, ny, depth, t = event(world, e)
    if calls > 3 then
      calls = dispatchOthers(world, serial, calls, done, a, b, nx, ny, depth, t)
      if not calls then return false end
    end
    if calls > 1 then
      calls = calls - 2
      if not callHit(world, serial, done, false, a, b, nx, ny, depth, t) then return false end
      local _, present = world._core:present(done)
      if not present then calls = 0 end
    end
    -- 0 - nx gives 0 for 0, where -nx would give -0, which prints as "-0"
    if calls == 1 and not callHit(world, serial, done, true, b, a, 0 - nx, 0 - ny, depth, t) then
      return false
    end
  end
  return true
end

return M
