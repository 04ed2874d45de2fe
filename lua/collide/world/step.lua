-- The World's step: reads the actors, lets the core find the contacts, and dispatches the events,
-- that is, calls enter, hit and leave in their order, with a trace before each if there is one.
-- This file also has update, advance and draw.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local accelerator = require "collide.ffi.frame"
local bullets = require "collide.bullets"

local checkCall, checkChange, checkIdle = lock.checkCall, lock.checkChange, lock.checkIdle
local guarded, checkNotUpdating = lock.guarded, lock.checkNotUpdating

local BITS, countUpTo = reader.EVENT_BITS, reader.countUpTo
local CALLBACKS, UPDATES = { "enter", "hit", "leave" }, { "update" }
local METHODS, UPDATE = BITS.enter + BITS.hit + BITS.leave, BITS.update
local CALL_LEAVE_A, CALL_LEAVE_B = core.CALL_LEAVE_A, core.CALL_LEAVE_B
local CALL_ENTER_A, CALL_ENTER_B = core.CALL_ENTER_A, core.CALL_ENTER_B
local CALL_HIT_A, CALL_HIT_B = core.CALL_HIT_A, core.CALL_HIT_B
local CALL_NUMBERS, ALL_DISPATCHED = core.CALL_NUMBERS, core.ALL_DISPATCHED

local clock = core.clock

local M = {}

---@class collide.World
local World = lock.World

-- Reading -------------------------------------------------------------------

-- Reads which of the methods `fields` the actors added or refreshed since the last step have.
-- Returns the number of these actors. setEventMasks tells the core only after all have been read.
local function readMethods(self, fn, fields, mask)
  local names, actors, pending, heard = self._names, self._actors, self._pending, self._heard
  local n = self._core:unread(pending, mask)
  for i = 1, n do
    local actor, bits = actors[pending[i]], 0
    for k = 1, #fields do
      local field = fields[k]
      if reader.hasMethod(fn, self, actor, names[field]) then bits = bits + BITS[field] end
    end
    heard[i] = bits
  end
  return n
end

local function setEventMasks(self, n, mask)
  local pending, heard = self._pending, self._heard
  for i = 1, n do
    self._core:setEventMask(pending[i], mask, heard[i])
  end
end

-- How many actors a step checks for a forgotten refresh, unless the world is strict.
local SOME = 32

-- Raises when a field that is read only once has changed: of any actor in a strict world, else of
-- the next ones in the order of adding.
local function checkUnchanged(self)
  local ids, seen, updates = self._ids, self._checks, self._updates
  self._compare = self._compare or reader.compareOf(self)
  if self._strict then
    self._compare(self, seen, self._core:seen(seen, 0, #ids, updates), updates)
    return
  end
  local n, last = self._core:seen(seen, countUpTo(ids, nil, #ids, self._checkedId), SOME, updates)
  self._compare(self, seen, n, updates)
  self._checkedId = last and ids[last] or 0
end

local function plainPull(self)
  local names = self._names
  return self._core:pull(self._actors, names.x, names.y, names.angle, names.at)
end

local function accelerated(self)
  return self._io and accelerator.isOn()
end

local function readForStep(self)
  local n = readMethods(self, "world:step", CALLBACKS, METHODS)
  if self._strict ~= false then checkUnchanged(self) end
  self._pulled = true -- this overwrites the places, but only core:step the previous ones
  local slot, name, value = (accelerated(self) and accelerator.pull or plainPull)(self)
  if slot then
    reader.failPlace("world:step", self, self._actors[slot], name, value)
  end
  setEventMasks(self, n, METHODS)
  bullets.prepare(self)
end

-- Events ------------------------------------------------------------------------

-- Records in the core how far the dispatch has got: the number of the last call that has begun, as
-- csrc/collide.h counts calls. So the next step knows which calls are left when this dispatch ends
-- early, as it does when a callback steps this world or raises.
local function begun(self, dispatched)
  if self._io then self._io.dispatched = dispatched else self._core:begun(dispatched) end
end

-- A call counts as begun only after its method has been looked up and the trace called. Both may
-- run the user's code. If that raises, yields or steps the world, the next step makes the call. The
-- functions that make calls return false when the dispatch is over.

local function callLeave(self, serial, number, a, b)
  local leave = a[self._names.leave]
  if leave and self._tracing then self._tracing("leave", self._frame, a, b) end
  if self._serial ~= serial then return false end
  begun(self, number)
  if leave then leave(a, b, self) end
  return self._serial == serial
end

-- Whether the first or second actor of the event that ends with number `done` is in the world, and
-- whether both are.
local function present(self, done, isSecond)
  local a, b = self._core:present(done)
  if isSecond then return b, a and b end
  return a, a and b
end

-- Calls `enter` or `hit` of an actor, unless it has been removed since the event was fetched, when
-- `changes` was read. `t` is nil except for two actors that have met only on their way. Returns
-- nothing if one has been removed before the first `enter` of a pair: then neither gets a call.
local function callMet(self, serial, changes, event, number, done, isSecond, isFirst, a, b, nx, ny,
    depth, t)
  if self._changes ~= changes and not present(self, done, isSecond) then return true end
  local f = a[self._names[event]]
  if f and self._tracing then self._tracing(event, self._frame, a, b, nx, ny, depth) end
  if self._changes ~= changes then
    if self._serial ~= serial then return false end
    local isHere, areBoth = present(self, done, isSecond)
    if isFirst and not areBoth then return end
    if not isHere then return true end
  end
  begun(self, number)
  if t and f then
    f(a, b, nx, ny, depth, self, t)
  elseif f then
    f(a, b, nx, ny, depth, self)
  end
  return self._serial == serial
end

-- Makes the calls of an event. Returns the calls of `hit` that are left, which dispatch makes
-- faster; or false when the dispatch is over.
local function makeCalls(self, serial, calls, done, a, b, nx, ny, depth, t)
  if calls >= CALL_LEAVE_B then
    return (calls < CALL_LEAVE_A or callLeave(self, serial, done - 3, a, b))
      and (calls % CALL_LEAVE_A < CALL_LEAVE_B or callLeave(self, serial, done - 2, b, a)) and 0
  end
  local changes, goesOn = self._changes, true
  -- 0 - nx gives 0 for 0, where -nx would give -0, which prints as "-0"
  local outX, outY = 0 - nx, 0 - ny
  if calls >= CALL_ENTER_A then
    goesOn = callMet(self, serial, changes, "enter", done - 3, done, false, true, a, b, nx, ny,
      depth, t)
  end
  if goesOn and calls % CALL_ENTER_A >= CALL_ENTER_B then
    goesOn = callMet(self, serial, changes, "enter", done - 2, done, true, calls < CALL_ENTER_A, b,
      a, outX, outY, depth, t)
  end
  calls = calls % CALL_ENTER_B
  if not goesOn then return goesOn == nil and 0 end
  if calls > 0 then begun(self, done) end -- both at once: nothing depends on which was the last
  if self._changes == changes and not self._tracing then return calls end
  return (calls < CALL_HIT_A
      or callMet(self, serial, changes, "hit", done, done, false, false, a, b, nx, ny, depth, t))
    and (calls % CALL_HIT_A < CALL_HIT_B
      or callMet(self, serial, changes, "hit", done, done, true, false, b, a, outX, outY, depth, t))
    and 0
end

-- The loop below uses these as literal numbers, which are the fastest.
assert(CALL_HIT_B == 1 and CALL_HIT_A == 2)

-- Dispatches all events of a step. `event` takes the world and a number, and returns that event.
-- Returns false when a callback has stepped this world: that step has then made the calls that were
-- left.
-- Without a trace, the calls of `hit` are inline where an event has no others, because there are so
-- many. Both calls of a pair count as begun at once, since nothing depends on which of the two was
-- the last. Few variables live from one event to the next: LuaJIT stores and checks each again
-- wherever one of its traces joins another, which happens as soon as there are two classes of
-- actors.
local function dispatch(self, event, events)
  local serial, changes, name = self._serial, self._changes, self._names.hit
  local inline = self._tracing and 0 or 3
  for e = 1, events do
    local calls, a, b, nx, ny, depth, t = event(self, e)
    if calls > inline then
      calls = makeCalls(self, serial, calls, e * CALL_NUMBERS, a, b, nx, ny, depth, t)
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
        local _, isPresent = self._core:present(e * CALL_NUMBERS)
        if not isPresent then calls = 0 end
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

-- Stepping ----------------------------------------------------------------------

-- The step itself, without the calls. Returns the number of events, and when reading had ended.
local stepCore = lock.whole(function(self, dt)
  readForStep(self)
  local pulled = clock()
  local events, moved = self._core:step(self._actors, self._ghosts, self._ids, self._shapes,
    self._slots, dt)
  if not events then
    local map = self._actors[moved]
    local _, _, angle = reader.place("world:step", self, map)
    reader.failTurned("world:step", self, map, angle)
  end
  self._pulled = false
  self._serial, self._changes = self._serial + 1, self._changes + 1
  if moved then self._layout, self._updatersStale = self._layout + 1, true end
  self._frame = self._frame + 1
  self._tracing = self._trace
  return events, pulled
end)

-- Bullets fly for `dt` seconds, if it is given.
local function step(self, dt)
  local started = clock()
  local events, pulled = guarded(self, "world:step", stepCore, dt)
  local actors, candidates, hits, broadphase = self._core:counts()
  local found = clock()
  if events > 0 then
    local event = accelerated(self) and accelerator.event or self._event
    if not dispatch(self, event, events) then return end
    begun(self, ALL_DISPATCHED)
  end
  if not bullets.dispatch(self) then return end
  local stats = self._stats
  stats.actors, stats.candidates, stats.hits = actors, candidates, hits
  stats.broadphase = broadphase
  stats.pull, stats.find, stats.dispatch = pulled - started, found - pulled, clock() - found
  local watchers = self._watchers
  for i = 1, watchers and #watchers or 0 do watchers[i](self) end
end

-- Sets the watchers of a world: the present ones without `watch`, and then `more`. The list is
-- new, since a step may be going through the old one.
local function setWatchers(world, watch, more)
  local watchers = {}
  for _, other in ipairs(world._watchers or {}) do
    if other ~= watch then watchers[#watchers + 1] = other end
  end
  watchers[#watchers + 1] = more
  world._watchers = watchers
end

--- Calls watch(world) after each step of a world and its callbacks, from now on.
function M.watch(world, watch)
  setWatchers(world, watch, watch)
end

--- Stops these calls.
function M.unwatch(world, watch)
  setWatchers(world, watch, nil)
end

--- Reads the actors, finds all pairs that overlap, and calls their callbacks. With dt, bullets fly
--- for that many seconds; without it, no bullet moves or hits.
---@param dt number? seconds
function World:step(dt, ...)
  checkChange(self, "world:step", "one number", 1, ...)
  if dt ~= nil then check.seconds("world:step", "dt", dt) end
  step(self, dt)
end

--- Sets a function that is called before each callback, from the next step on. nil removes it.
---@param world collide.World
---@param fn collide.OnTrace?
function World.trace(world, fn, ...)
  checkCall(world, "world:trace", "a function or nil", 1, ...)
  if fn ~= nil then check.callable("world:trace", "fn", fn) end
  world._trace = fn
  -- A dispatch that began without a trace goes on without one.
  if world._tracing or fn == nil then world._tracing = fn end
end

-- Updating ------------------------------------------------------------------

local function listUpdaters(self)
  local n = readMethods(self, "world:update", UPDATES, UPDATE)
  if n == 0 and not self._updatersStale then return end
  self._updatersStale = true -- until all is done, since memory may run out
  setEventMasks(self, n, UPDATE)
  self._updates = true
  self._updaterCount = self._core:withEvents(self._updaters, UPDATE)
  self._updatersStale = false
  self._layout = self._layout + 1
end

-- Calls update of the updaters `first` to `count`. If a step or update within a callback has moved
-- slots or listed the updaters again, it stops and returns the id of the actor that it called.
local function updateSome(self, dt, first, count)
  local name, actors, ids, list = self._names.update, self._actors, self._ids, self._updaters
  local layout = self._layout
  for k = first, count do
    local slot = list[k]
    local actor = actors[slot]
    local update = actor and actor[name]
    if update then
      local id = ids[slot]
      self._updating = actor
      update(actor, dt, self)
      if self._layout ~= layout then return id end
    end
  end
end

-- Calls update of all actors that had one when the pass began; actors that were added later have
-- larger ids. Returns false when a callback has restored the world: then the update is over.
local function updateAll(self, dt)
  guarded(self, "world:update", listUpdaters)
  local ids, list, last, restores = self._ids, self._updaters, self._lastId, self._restores
  local at = updateSome(self, dt, 1, self._updaterCount)
  while at and self._restores == restores do
    guarded(self, "world:update", listUpdaters)
    local count = self._updaterCount
    at = updateSome(self, dt, countUpTo(ids, list, count, at) + 1,
      countUpTo(ids, list, count, last))
  end
  self._updating = false
  return not at
end

--- Calls `update` of all actors, then makes a step in which bullets fly for dt seconds.
---@param dt number seconds
function World:update(dt, ...)
  local fn = "world:update"
  checkChange(self, fn, "one number", 1, ...)
  check.seconds(fn, "dt", dt, type(dt) == "table" and "assign x, y on the actor instead" or nil)
  checkNotUpdating(self, fn, updateSome)
  if not updateAll(self, dt) then return end
  checkIdle(self, fn) -- an update may have yielded, and go on while the world is locked
  step(self, dt)
end

--- Makes as many updates of a fixed length as fit into the time that has passed, and keeps the rest
--- for the next call.
---@param dt number seconds that have passed
---@param fixed number? seconds of one update, default 1/60
---@param most integer? the most updates of one call, default 8; further time is dropped
---@return integer steps
---@return number alpha the fraction of an update that is left over, or as `restore` has set it
function World:advance(dt, fixed, most, ...)
  local fn = "world:advance"
  checkChange(self, fn, "dt, fixed and max", 3, ...)
  check.seconds(fn, "dt", dt)
  if fixed == nil then fixed = 1 / 60 else check.size(fn, "fixed", fixed) end
  if most == nil then most = 8 else check.integer(fn, "max", most, 1, 2 ^ 53) end
  checkNotUpdating(self, fn, updateSome)
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

--- Calls actor:draw(...) of each actor that has a `draw`, in the order of adding.
---@param ... any
function World:draw(...)
  lock.checkOpen(self, "world:draw")
  local name, actors, ids = self._names.draw, self._actors, self._ids
  if not name then return end
  local last, layout, slot = self._lastId, self._layout, 1
  while slot <= #actors and ids[slot] <= last do
    local id, actor = ids[slot], actors[slot]
    local draw = actor and reader.method("world:draw", self, actor, name)
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
