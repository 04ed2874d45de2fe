-- The dispatch of a step's events: the calls of enter, hit and leave, in their order.

local core = require "collide.core"
local state = require "collide.world.state"
local tracing = require "collide.world.tracing"

local CALL_LEAVE_A, CALL_LEAVE_B = state.CALL_LEAVE_A, state.CALL_LEAVE_B
local CALL_ENTER_A, CALL_ENTER_B = state.CALL_ENTER_A, state.CALL_ENTER_B
local CALL_HIT_A, CALL_HIT_B = state.CALL_HIT_A, state.CALL_HIT_B
local CALL_NUMBERS, ALL_DISPATCHED = core.CALL_NUMBERS, core.ALL_DISPATCHED

local M = {}

-- Records in the core how far the dispatch has got: the number of the last call that has begun, as
-- csrc/collide.h counts calls. So the next step knows which calls are left when this dispatch ends
-- early, as it does when a callback steps this world or raises.
local function begun(self, dispatched)
  if self._io then self._io.dispatched = dispatched else self._core:begun(dispatched) end
end

-- A call counts as begun only after its method has been looked up and the trace called. Both may
-- run the user's code. If that raises, yields or steps the world, the next step makes the call.
-- `t` is nil except for two actors that have met only on their way: it is the last argument of
-- their `enter` and `hit`. The next two functions return false when the dispatch is over.

local function callLeave(self, serial, number, a, b)
  local leave = a[self._names.leave]
  if leave and self._tracing then tracing.note(self, "leave", a, b) end
  if self._serial ~= serial then return false end
  begun(self, number)
  if leave then leave(a, b, self) end
  return self._serial == serial
end

local function callEnter(self, serial, number, enter, a, b, nx, ny, depth, t)
  begun(self, number)
  if t and enter then
    enter(a, b, nx, ny, depth, self, t)
  elseif enter then
    enter(a, b, nx, ny, depth, self)
  end
  return self._serial == serial
end

-- Calls `leave` of a pair that has parted; `done` is the last of the four numbers of its calls.
-- Returns the calls that are left, or nothing when the dispatch is over.
local function dispatchLeave(self, serial, calls, done, a, b)
  if calls >= CALL_LEAVE_A then
    calls = calls - CALL_LEAVE_A
    if not callLeave(self, serial, done - 3, a, b) then return end
  end
  if calls >= CALL_LEAVE_B and not callLeave(self, serial, done - 2, b, a) then return end
  return 0
end

-- Calls `enter` of a pair that has met. An actor that has been removed meanwhile gets no call. If
-- one was removed before the first call of the pair, neither gets one.
-- Returns the calls that are left, or nothing when the dispatch is over.
local function dispatchEnter(self, serial, calls, done, a, b, nx, ny, depth, t)
  local name, changes, first = self._names.enter, self._changes, true
  if calls >= CALL_ENTER_A then
    calls = calls - CALL_ENTER_A
    local enter = a[name]
    if enter and self._tracing then tracing.note(self, "enter", a, b, nx, ny, depth) end
    if self._changes ~= changes then
      if self._serial ~= serial then return end
      local presentA, presentB = self._core:present(done)
      if not (presentA and presentB) then return 0 end
    end
    first = false
    if not callEnter(self, serial, done - 3, enter, a, b, nx, ny, depth, t) then return end
  end
  if calls >= CALL_ENTER_B then
    calls = calls - CALL_ENTER_B
    local presentA
    local _, presentB = self._core:present(done)
    local enter = presentB and b[name]
    -- 0 - nx gives 0 for 0, where -nx would give -0, which prints as "-0"
    local outX, outY = 0 - nx, 0 - ny
    if enter and self._tracing then tracing.note(self, "enter", b, a, outX, outY, depth) end
    if self._changes ~= changes then
      if self._serial ~= serial then return end
      presentA, presentB = self._core:present(done)
      if first and not (presentA and presentB) then return 0 end
    end
    if presentB and not callEnter(self, serial, done - 2, enter, b, a, outX, outY, depth, t) then
      return
    end
  end
  if calls > 0 then
    local presentA, presentB = self._core:present(done)
    if calls >= CALL_HIT_A and not presentA then calls = calls - CALL_HIT_A end
    if calls % 2 >= CALL_HIT_B and not presentB then calls = calls - CALL_HIT_B end
    begun(self, done)
  end
  return calls
end

-- Makes all calls of an event except those of `hit`. Returns the calls that are left, or nothing
-- when the dispatch is over.
local function dispatchOthers(self, serial, calls, done, a, b, nx, ny, depth, t)
  if calls >= CALL_LEAVE_B then return dispatchLeave(self, serial, calls, done, a, b) end
  return dispatchEnter(self, serial, calls, done, a, b, nx, ny, depth, t)
end

-- The loop below compares with these as literal numbers, which are the fastest.
assert(CALL_HIT_B == 1 and CALL_HIT_A == 2 and CALL_ENTER_B == 4)

-- Dispatches the events `first` to `last`. Returns false when a callback has stepped this world:
-- that step has then made the calls that were left.
-- The calls of `hit` are inline because there are so many. Both calls of a pair count as begun at
-- once, since nothing depends on which of the two was the last. Few variables live from one event
-- to the next: LuaJIT stores and checks each again wherever one of its traces joins another, which
-- happens as soon as there are two classes of actors.
local function dispatchSome(self, event, first, last)
  local serial, changes, name = self._serial, self._changes, self._names.hit
  for e = first, last do
    local calls, a, b, nx, ny, depth, t = event(self, e)
    if calls > 3 then
      calls = dispatchOthers(self, serial, calls, e * CALL_NUMBERS, a, b, nx, ny, depth, t)
      if not calls then return false end
    end
    if calls > 1 then
      calls = calls - 2
      local hit = a[name]
      if t and hit then
        hit(a, b, nx, ny, depth, self, t)
      elseif hit then
        hit(a, b, nx, ny, depth, self)
      end
      if self._changes ~= changes then
        if self._serial ~= serial then return false end
        changes = self._changes
        local _, present = self._core:present(e * CALL_NUMBERS)
        if not present then calls = 0 end
      end
    end
    if calls == 1 then
      local hit = b[name]
      if t and hit then
        hit(b, a, 0 - nx, 0 - ny, depth, self, t)
      elseif hit then
        hit(b, a, 0 - nx, 0 - ny, depth, self)
      end
      if self._serial ~= serial then return false end
    end
  end
  return true
end

-- For Luas where the core calls `hit` itself. The core returns at each event that needs more than
-- that, and this function makes the calls of that event: all of them, or only that of the second
-- actor.
local function dispatchMost(self, event, events)
  local serial, name, actors = self._serial, self._names.hit, self._actors
  local e = 1
  while e <= events do
    local b, a, nx, ny, depth
    e, b, a, nx, ny, depth = self._core:dispatchHits(self, name, actors, e)
    if b then
      local hit = b[name]
      if hit then hit(b, a, nx, ny, depth, self) end
      if self._serial ~= serial then return false end
    elseif not e or e <= events and not dispatchSome(self, event, e, e) then
      return false
    end
    e = e + 1
  end
  return true
end

--- Dispatches the events of a step.
---@param self collide.World
---@param events integer how many
---@param event function takes the world and a number, and returns that event
---@return boolean finished false when a callback has stepped this world
function M.all(self, events, event)
  local finished
  if self._tracing then
    finished = tracing.dispatch(self, events, event, dispatchOthers)
  elseif self._core.dispatchHits then
    finished = dispatchMost(self, event, events)
  else
    finished = dispatchSome(self, event, 1, events)
  end
  if finished then begun(self, ALL_DISPATCHED) end
  return finished
end

return M
