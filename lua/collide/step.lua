-- The World's step: reading the actors, letting the core find what hits what,
-- and telling the actors; and update, advance and draw around it.

local core = require "collide.core"
local check = require "collide.check"
local reading = require "collide.reading"
local state = require "collide.state"
local accelerator = require "collide.jit"
local shots = require "collide.shots"
local tracing = require "collide.tracing"

local checkWorld, checkOpen, checkIdle = state.checkWorld, state.checkOpen, state.checkIdle
local guarded = state.guarded

local ENTER, HIT, LEAVE, UPDATE = state.ENTER, state.HIT, state.LEAVE, state.UPDATE
local METHODS = state.METHODS
local CALL_LEAVE_A, CALL_LEAVE_B = state.CALL_LEAVE_A, state.CALL_LEAVE_B
local CALL_ENTER_A, CALL_ENTER_B = state.CALL_ENTER_A, state.CALL_ENTER_B
local CALL_HIT_A, CALL_HIT_B = state.CALL_HIT_A, state.CALL_HIT_B
local CALL_NUMBERS, ALL_TOLD = core.CALL_NUMBERS, core.ALL_TOLD

local clock = core.clock

local BITS = { enter = ENTER, hit = HIT, leave = LEAVE, update = UPDATE }

local function has(bits, bit)
  return math.floor(bits / bit) % 2 == 1
end

---@class collide.World
local M = {}

-- Reading -------------------------------------------------------------------

-- Which methods the actors have that came or were refreshed since the last
-- step. Only when all has been read is it told to the core.
local function readMethods(self)
  local names, actors, pending, heard = self._names, self._actors, self._pending, self._heard
  local n = self._core:unread(pending, METHODS)
  for i = 1, n do
    local actor = actors[pending[i]]
    heard[i] = (reading.hasMethod("world:step", self, actor, names.enter) and ENTER or 0)
      + (reading.hasMethod("world:step", self, actor, names.hit) and HIT or 0)
      + (reading.hasMethod("world:step", self, actor, names.leave) and LEAVE or 0)
  end
  return n
end

local function readUpdates(self)
  local name, actors, pending, heard = self._names.update, self._actors, self._pending, self._heard
  local n = self._core:unread(pending, UPDATE)
  for i = 1, n do
    local actor = actors[pending[i]]
    heard[i] = reading.hasMethod("world:update", self, actor, name) and UPDATE or 0
  end
  return n
end

local function setEventMasks(self, n, mask)
  local pending, heard = self._pending, self._heard
  for i = 1, n do
    self._core:setEventMask(pending[i], mask, heard[i])
    if self._seen then
      local methods = self._seen[self._actors[pending[i]]].methods
      for field, bit in pairs(BITS) do
        if has(mask, bit) then methods[field] = has(heard[i], bit) end
      end
    end
  end
end

-- A strict world: whether all that was read once is still the same.
local function checkUnchanged(self)
  for slot = 1, #self._actors do
    local actor = self._actors[slot]
    if actor then reading.checkUnchanged("world:step", self, actor, self._seen[actor]) end
  end
end

local function plainPull(self)
  local names = self._names
  return self._core:pull(self._actors, names.x, names.y, names.angle)
end

local function accelerated(self)
  return self._io and accelerator.isOn()
end

local function readForStep(self)
  local n = readMethods(self)
  if self._seen then checkUnchanged(self) end
  self._pulled = true -- over the places before, which only a step that begins replaces
  local slot, name, value = (accelerated(self) and accelerator.pull or plainPull)(self)
  if slot then
    reading.failPlace("world:step", self, self._actors[slot], name, value)
  end
  return n
end

-- Telling -------------------------------------------------------------------

-- How far the telling has got stands in the core: the number of the last call
-- that has begun, as csrc/collide.h counts them. From that the core knows at
-- the next step who has been told what, even if this telling ends early. It does
-- when a callback steps this world.
local function begun(self, told)
  if self._io then self._io.told = told else self._core:begun(told) end
end

-- A method is looked up, and the trace called, before its call counts as begun: that may run
-- the user's code, and what is not told since this raised, yielded or stepped the world the
-- next step tells. `t` is nil but for two that have met on their way alone: then `enter` and
-- `hit` have it for a last argument. All of these return false when the telling is over.

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

-- Tells a pair that it has parted; `done` is the last of the four numbers that its
-- calls have. Returns the calls that are left, or nothing when the telling is over.
local function tellLeave(self, serial, calls, done, a, b)
  if calls >= CALL_LEAVE_A then
    calls = calls - CALL_LEAVE_A
    if not callLeave(self, serial, done - 3, a, b) then return end
  end
  if calls >= CALL_LEAVE_B and not callLeave(self, serial, done - 2, b, a) then return end
  return 0
end

-- Tells a pair that it has met; an actor that has been removed meanwhile gets
-- no call, and where one was before any call of the pair had begun, neither gets any.
-- Returns the calls that are left, or nothing when the telling is over.
local function tellEnter(self, serial, calls, done, a, b, nx, ny, depth, t)
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
    -- 0 - 0 is 0, where -0 would print as "-0"
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

-- Tells all but hits.
local function tellMeeting(self, serial, calls, done, a, b, nx, ny, depth, t)
  if calls >= CALL_LEAVE_B then return tellLeave(self, serial, calls, done, a, b) end
  return tellEnter(self, serial, calls, done, a, b, nx, ny, depth, t)
end

-- What the loop below compares with: numbers in the text are the fastest.
assert(CALL_HIT_B == 1 and CALL_HIT_A == 2 and CALL_ENTER_B == 4)

-- Tells the events from the first-th to the last-th.
-- False when a callback has stepped this world: then that step tells the rest.
-- The calls of `hit` stand here and not in a function of their own, since there
-- are so many; and both of a pair count as begun at once, since nothing depends on
-- which of the two was the last. No variable but `e` lives from one event to the
-- next: what does, LuaJIT stores and checks anew wherever one of its traces goes
-- over to another, as it does with every second class of actors.
local function tellSome(self, first, last)
  local event = accelerated(self) and accelerator.event or self._event
  local serial, changes, name = self._serial, self._changes, self._names.hit
  for e = first, last do
    local calls, a, b, nx, ny, depth, t = event(self, e)
    if calls > 3 then
      calls = tellMeeting(self, serial, calls, e * CALL_NUMBERS, a, b, nx, ny, depth, t)
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

-- Where the core can tell hits by itself, what else there is comes one event at a time, or
-- only the second's part in one.
local function tellMost(self, events)
  local serial, name, actors = self._serial, self._names.hit, self._actors
  local e = 1
  while e <= events do
    local b, a, nx, ny, depth
    e, b, a, nx, ny, depth = self._core:tellHits(self, name, actors, e)
    if b then
      local hit = b[name]
      if hit then hit(b, a, nx, ny, depth, self) end
      if self._serial ~= serial then return false end
    elseif not e or e <= events and not tellSome(self, e, e) then
      return false
    end
    e = e + 1
  end
  return true
end

local function tellAll(self, events)
  local told
  if self._tracing then
    local event = accelerated(self) and accelerator.event or self._event
    told = tracing.tell(self, events, event, tellMeeting)
  elseif self._core.tellHits then
    told = tellMost(self, events)
  else
    told = tellSome(self, 1, events)
  end
  if told then begun(self, ALL_TOLD) end
  return told
end

-- Bullets move by `dt` seconds.
local function step(self, dt)
  local started = clock()
  setEventMasks(self, guarded(self, readForStep), METHODS)
  shots.setEventMasks(self)
  local pulled = clock()
  local events, moved = self._core:step(self._actors, self._ghosts, self._ids, self._shapes,
    self._slots, dt)
  self._pulled = false
  self._serial, self._changes = self._serial + 1, self._changes + 1
  if moved then state.slotsMoved(self) end
  tracing.begin(self)
  local actors, candidates, hits, broadphase = self._core:counts()
  local found = clock()
  if events > 0 and not tellAll(self, events) then return end
  if not shots.tell(self) then return end
  local stats = self._stats
  stats.actors, stats.candidates, stats.hits = actors, candidates, hits
  stats.broadphase = broadphase
  stats.pull, stats.find, stats.dispatch = pulled - started, found - pulled, clock() - found
  if self._watch then self._watch(self) end
end

function M:step(...)
  checkWorld(self, "world:step")
  check.noMore("world:step", "no arguments", 0, ...)
  checkIdle(self, "world:step")
  step(self, 0)
end

-- Updating ------------------------------------------------------------------

local function listUpdaters(self)
  local n = guarded(self, readUpdates)
  if n == 0 and not self._updatersStale then return end
  self._updatersStale = true -- until all is done, for which there may be no memory
  setEventMasks(self, n, UPDATE)
  self._updaterCount = self._core:withEvents(self._updaters, UPDATE)
  self._updatersStale = false
  self._layout = self._layout + 1
end

-- How many of the first `n` slots of `list` (of all, without a list) belong to
-- actors that were added no later than the id-th.
local function countUpTo(ids, list, n, id)
  local low, high = 0, n
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if ids[list and list[middle] or middle] <= id then low = middle else high = middle - 1 end
  end
  return low
end

-- Calls update of the updaters from the first-th to the count-th. When a step or an
-- update inside of a callback has moved or relisted slots it returns the id of the
-- actor that it was at.
local function updateSome(self, dt, first, count)
  local name, actors, ids, list = self._names.update, self._actors, self._ids, self._updaters
  local layout = self._layout
  for k = first, count do
    local slot = list[k]
    local actor = actors[slot]
    local update = actor and actor[name]
    if update then
      local id = ids[slot]
      update(actor, dt, self)
      if self._layout ~= layout then return id end
    end
  end
end

-- Calls update of all that had one when the pass began; ids tell who had. False when the world
-- has been restored in one: then the update is over.
local function updateAll(self, dt)
  listUpdaters(self)
  local ids, list, last, restores = self._ids, self._updaters, self._lastId, self._restores
  local at = updateSome(self, dt, 1, self._updaterCount)
  while at do
    if self._restores ~= restores then return false end
    listUpdaters(self)
    local count = self._updaterCount
    at = updateSome(self, dt, countUpTo(ids, list, count, at) + 1,
      countUpTo(ids, list, count, last))
  end
  return true
end

---@param dt number seconds
function M:update(dt, ...)
  checkWorld(self, "world:update")
  check.seconds("world:update", "dt", dt,
    type(dt) == "table" and "assign x, y on the actor instead" or nil)
  check.noMore("world:update", "one number", 1, ...)
  checkIdle(self, "world:update")
  if updateAll(self, dt) then step(self, dt) end
end

---@param dt number seconds that have passed
---@param fixed number? seconds of one update, 1/60 without
---@param most integer? updates at a time, 8 without; time beyond is dropped
---@return integer steps
---@return number alpha share of an update that is left over, 0 to below 1, unless a callback has
---  restored the world: then as that has it
function M:advance(dt, fixed, most, ...)
  checkOpen(self, "world:advance")
  check.seconds("world:advance", "dt", dt)
  if fixed == nil then fixed = 1 / 60 else check.size("world:advance", "fixed", fixed) end
  if most == nil then most = 8 else check.integer("world:advance", "max", most, 1, 2 ^ 53) end
  check.noMore("world:advance", "dt, fixed and max", 3, ...)
  checkIdle(self, "world:advance")
  self._held = self._held + dt
  local steps, restores = 0, self._restores
  while self._held >= fixed and steps < most do
    self._held = self._held - fixed
    steps = steps + 1
    self:update(fixed)
    if self._restores ~= restores then return steps, self._held / fixed end
  end
  if self._held >= fixed then
    local left = self._held / fixed
    self._held = (left - math.floor(left)) * fixed
    if not (self._held < fixed) then self._held = 0 end
  end
  return steps, self._held / fixed
end

--- Calls draw(actor, ...) of each actor that has one, in the order of adding.
function M:draw(...)
  checkOpen(self, "world:draw")
  local name, actors, ids = self._names.draw, self._actors, self._ids
  if not name then return end
  local last, layout, slot = self._lastId, self._layout, 1
  while slot <= #actors and ids[slot] <= last do
    local id, actor = ids[slot], actors[slot]
    local draw = actor and reading.method("world:draw", self, actor, name)
    if draw then
      draw(actor, ...)
      if self._layout ~= layout then
        layout, actors, ids = self._layout, self._actors, self._ids
        slot = countUpTo(ids, nil, #actors, id)
      end
    end
    slot = slot + 1
  end
end

return M
