-- The World's step: reading the actors, letting the core find what hits what,
-- and telling the actors; and update, advance and draw around it.

local core = require "collide.core"
local check = require "collide.check"
local reading = require "collide.reading"
local state = require "collide.state"
local accelerator = require "collide.jit"

local checkWorld, checkIdle, guarded = state.checkWorld, state.checkIdle, state.guarded

local ENTER, HIT, LEAVE, UPDATE = state.ENTER, state.HIT, state.LEAVE, state.UPDATE
local METHODS, ALL_TOLD = state.METHODS, state.ALL_TOLD
local CALL_LEAVE_A, CALL_LEAVE_B = state.CALL_LEAVE_A, state.CALL_LEAVE_B
local CALL_ENTER_A, CALL_ENTER_B = state.CALL_ENTER_A, state.CALL_ENTER_B
local CALL_HIT_A, CALL_HIT_B = state.CALL_HIT_A, state.CALL_HIT_B

-- Events are copied into a flat table this many at a time: few enough to stay
-- in the processor's first cache.
local BLOCK, EVENT_FIELDS = 128, 6

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
  local n = self._core:unheard(pending, METHODS)
  for i = 1, n do
    local actor = actors[pending[i]]
    heard[i] = (reading.hasMethod("world:step", actor, names.enter) and ENTER or 0)
      + (reading.hasMethod("world:step", actor, names.hit) and HIT or 0)
      + (reading.hasMethod("world:step", actor, names.leave) and LEAVE or 0)
  end
  return n
end

local function readUpdates(self)
  local name, actors, pending, heard = self._names.update, self._actors, self._pending, self._heard
  local n = self._core:unheard(pending, UPDATE)
  for i = 1, n do
    heard[i] = reading.hasMethod("world:update", actors[pending[i]], name) and UPDATE or 0
  end
  return n
end

local function listen(self, n, mask)
  local pending, heard = self._pending, self._heard
  for i = 1, n do
    self._core:listen(pending[i], mask, heard[i])
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
    if actor then reading.checkUnchanged("world:step", actor, self._names, self._seen[actor]) end
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
  local slot, name, value = (accelerated(self) and accelerator.pull or plainPull)(self)
  if slot then
    reading.failPlace("world:step", self._actors[slot], self._names, name, value)
  end
  return n
end

-- Telling -------------------------------------------------------------------

local function plainEvents(self, first, most)
  return self._core:events(self._buffer, first, most)
end

-- How far the telling has got stands in `_told` before each call: the place of
-- the call's event in the table of all events, plus 0 to 3 for which of its
-- calls it is. From that the core knows at the next step who has been told what,
-- even if this telling ends early. It does when a callback steps this world.

-- Tells a pair that it has parted. False when the telling is over.
local function tellLeave(self, serial, calls, place, a, b)
  local name = self._names.leave
  if calls >= CALL_LEAVE_A then
    calls = calls - CALL_LEAVE_A
    self._told = place
    local leave = a[name]
    if leave then
      leave(a, b, self)
      if self._serial ~= serial then return false end
    end
  end
  if calls >= CALL_LEAVE_B then
    self._told = place + 1
    local leave = b[name]
    if leave then
      leave(b, a, self)
      if self._serial ~= serial then return false end
    end
  end
  return true
end

-- Tells a pair that it has met; an actor that has been removed meanwhile gets
-- no call. Returns the calls that are left, or nothing when the telling is over.
local function tellEnter(self, serial, calls, place, i, j, nx, ny, depth)
  local actors, name = self._actors, self._names.enter
  local a, b = actors[i], actors[j]
  if calls >= CALL_ENTER_A then
    calls = calls - CALL_ENTER_A
    self._told = place
    local enter = a[name]
    if enter then
      enter(a, b, nx, ny, depth, self)
      if self._serial ~= serial then return end
    end
  end
  if calls >= CALL_ENTER_B then
    calls = calls - CALL_ENTER_B
    if actors[j] then
      self._told = place + 1
      local enter = b[name]
      if enter then
        enter(b, a, 0 - nx, 0 - ny, depth, self) -- 0 - 0 is 0, where -0 would print as "-0"
        if self._serial ~= serial then return end
      end
    end
  end
  if calls >= CALL_HIT_A and not actors[i] then calls = calls - CALL_HIT_A end
  return calls
end

-- Tells `n` events of the buffer, the first of which has the place `base` + 1.
-- False when the telling is over. The calls of `hit` stand here and not in a
-- function of their own, since there are so many; and both are counted at once,
-- since nothing hangs on which of the two was the last.
local function tellBlock(self, serial, base, n)
  local buffer, actors, ghosts, name = self._buffer, self._actors, self._ghosts, self._names.hit
  for at = 1, n * EVENT_FIELDS, EVENT_FIELDS do
    local calls, i, j = buffer[at], buffer[at + 1], buffer[at + 2]
    local a, b = actors[i], actors[j]
    if calls >= CALL_LEAVE_B then
      if not tellLeave(self, serial, calls, base + at, a or ghosts[i], b or ghosts[j]) then
        return false
      end
    elseif a and b then
      local nx, ny, depth = buffer[at + 3], buffer[at + 4], buffer[at + 5]
      if calls >= CALL_ENTER_B then
        calls = tellEnter(self, serial, calls, base + at, i, j, nx, ny, depth)
        if not calls then return false end
      end
      self._told = base + at + 3
      if calls >= CALL_HIT_A then
        calls = calls - CALL_HIT_A
        local hit = a[name]
        if hit then
          hit(a, b, nx, ny, depth, self)
          if self._serial ~= serial then return false end
        end
      end
      if calls == CALL_HIT_B and actors[j] then
        local hit = b[name]
        if hit then
          hit(b, a, 0 - nx, 0 - ny, depth, self)
          if self._serial ~= serial then return false end
        end
      end
    end
  end
  return true
end

-- By pointers, under a lock: the collector may run meanwhile, and finalisers with
-- it, and the events must not move under the pointers.
local function acceleratedEvents(self, first, most)
  self._reading = true
  local ok, n = pcall(accelerator.events, self, first, most)
  self._reading = false
  if not ok then error(n, 0) end
  return n
end

-- False when a callback has stepped this world: then that step tells the rest.
local function tellAll(self, events)
  local serial, done = self._serial, 0
  local copy = accelerated(self) and acceleratedEvents or plainEvents
  while done < events do
    local n = copy(self, done, BLOCK)
    if not tellBlock(self, serial, done * EVENT_FIELDS, n) then return false end
    done = done + n
  end
  return true
end

local function step(self)
  local started = clock()
  listen(self, guarded(self, readForStep), METHODS)
  local pulled = clock()
  local events, moved =
    self._core:step(self._told, self._actors, self._ghosts, self._ids, self._slots)
  self._serial = self._serial + 1
  self._told = 0
  if moved then
    self._layout = self._layout + 1
    self._updatersStale = true
  end
  local actors, candidates, hits, broadphase = self._core:counts()
  local found = clock()
  if events > 0 and not tellAll(self, events) then return end
  self._told = ALL_TOLD
  local stats = self._stats
  stats.actors, stats.candidates, stats.hits = actors, candidates, hits
  stats.broadphase = broadphase
  stats.pull, stats.find, stats.dispatch = pulled - started, found - pulled, clock() - found
end

function M:step(...)
  checkWorld(self, "world:step")
  check.noMore("world:step", "no arguments", 0, ...)
  checkIdle(self, "world:step")
  step(self)
end

-- Updating ------------------------------------------------------------------

local function listUpdaters(self)
  local n = guarded(self, readUpdates)
  if n == 0 and not self._updatersStale then return end
  listen(self, n, UPDATE)
  self._updaterCount = self._core:listeners(self._updaters, UPDATE)
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

-- Calls update of all that had one when the pass began. Ids tell where it is
-- when a step or an update inside of a callback has moved or relisted slots.
local function updateAll(self, dt)
  listUpdaters(self)
  local name, actors, ids, list = self._names.update, self._actors, self._ids, self._updaters
  local last, layout, k = self._lastId, self._layout, 1
  while k <= self._updaterCount do
    local slot = list[k]
    local id, actor = ids[slot], actors[slot]
    if id > last then return end
    local update = actor and actor[name]
    if update then
      update(actor, dt, self)
      if self._layout ~= layout then
        listUpdaters(self)
        layout = self._layout
        k = countUpTo(ids, list, self._updaterCount, id)
      end
    end
    k = k + 1
  end
end

---@param dt number seconds
function M:update(dt, ...)
  checkWorld(self, "world:update")
  check.seconds("world:update", "dt", dt,
    type(dt) == "table" and "assign x, y on the actor instead" or nil)
  check.noMore("world:update", "one number", 1, ...)
  checkIdle(self, "world:update")
  updateAll(self, dt)
  step(self)
end

---@param dt number seconds that have passed
---@param fixed number? seconds of one update, 1/60 without
---@param most integer? updates at a time, 8 without; time beyond is dropped
---@return integer steps, number alpha share of an update that is left over, 0 to below 1
function M:advance(dt, fixed, most, ...)
  checkWorld(self, "world:advance")
  check.seconds("world:advance", "dt", dt)
  if fixed == nil then fixed = 1 / 60 else check.size("world:advance", "fixed", fixed) end
  if most == nil then most = 8 else check.integer("world:advance", "max", most, 1, ALL_TOLD) end
  check.noMore("world:advance", "dt, fixed and max", 3, ...)
  checkIdle(self, "world:advance")
  self._held = self._held + dt
  local steps = 0
  while self._held >= fixed and steps < most do
    self._held = self._held - fixed
    steps = steps + 1
    self:update(fixed)
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
  checkWorld(self, "world:draw")
  local name, actors, ids = self._names.draw, self._actors, self._ids
  if not name then return end
  local last, layout, slot = self._lastId, self._layout, 1
  while slot <= #actors and ids[slot] <= last do
    local id, actor = ids[slot], actors[slot]
    local draw = actor and actor[name]
    if draw then
      draw(actor, ...)
      if self._layout ~= layout then
        layout = self._layout
        slot = countUpTo(ids, nil, #actors, id)
      end
    end
    slot = slot + 1
  end
end

return M
