-- The World's step reads the actors, lets the core find the contacts, and dispatches the events.
-- This file also has update, advance and draw.

local core = require "collide.core"
local check = require "collide.check"
local reading = require "collide.world.fields"
local state = require "collide.world.state"
local accelerator = require "collide.ffi.frame"
local dispatch = require "collide.world.dispatch"
local each = require "collide.each"
local bullets = require "collide.bullets"
local tracing = require "collide.world.tracing"

local checkWorld, checkOpen, checkIdle = state.checkWorld, state.checkOpen, state.checkIdle
local guarded, checkNotUpdating = state.guarded, state.checkNotUpdating

local ENTER, HIT, LEAVE, UPDATE = state.ENTER, state.HIT, state.LEAVE, state.UPDATE
local METHODS = state.METHODS

local clock = core.clock

local BITS = { enter = ENTER, hit = HIT, leave = LEAVE, update = UPDATE }

---@class collide.World
local M = {}

-- Reading -------------------------------------------------------------------

-- Reads which methods the actors have that were added or refreshed since the last step, and returns
-- how many actors. setEventMasks tells the core only after all have been read.
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
      for field, bit in each.pairs(BITS) do
        if state.hasBit(mask, bit) then methods[field] = state.hasBit(heard[i], bit) end
      end
    end
  end
end

-- In a strict world: raises when a field that is read only once has changed.
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
  self._pulled = true -- places are overwritten here, those of the step before only by core:step
  local slot, name, value = (accelerated(self) and accelerator.pull or plainPull)(self)
  if slot then
    reading.failPlace("world:step", self, self._actors[slot], name, value)
  end
  return n
end

-- Bullets move by `dt` seconds.
local function step(self, dt)
  local started = clock()
  setEventMasks(self, guarded(self, "world:step", readForStep), METHODS)
  bullets.setEventMasks(self)
  local pulled = clock()
  local events, moved = self._core:step(self._actors, self._ghosts, self._ids, self._shapes,
    self._slots, dt)
  self._pulled = false
  self._serial, self._changes = self._serial + 1, self._changes + 1
  if moved then state.slotsMoved(self) end
  tracing.begin(self)
  local actors, candidates, hits, broadphase = self._core:counts()
  local found = clock()
  if events > 0 then
    local event = accelerated(self) and accelerator.event or self._event
    if not dispatch.all(self, events, event) then return end
  end
  if not bullets.dispatch(self) then return end
  local stats = self._stats
  stats.actors, stats.candidates, stats.hits = actors, candidates, hits
  stats.broadphase = broadphase
  stats.pull, stats.find, stats.dispatch = pulled - started, found - pulled, clock() - found
  if self._watch then self._watch(self) end
end

--- Reads the actors, finds all pairs that overlap, and calls their callbacks. Bullets do not move.
function M:step(...)
  checkWorld(self, "world:step")
  check.noMore("world:step", "no arguments", 0, ...)
  checkIdle(self, "world:step")
  step(self, 0)
end

-- Updating ------------------------------------------------------------------

local function listUpdaters(self)
  local n = guarded(self, "world:update", readUpdates)
  if n == 0 and not self._updatersStale then return end
  self._updatersStale = true -- until all is done, since memory may run out
  setEventMasks(self, n, UPDATE)
  self._updaterCount = self._core:withEvents(self._updaters, UPDATE)
  self._updatersStale = false
  self._layout = self._layout + 1
end

-- How many of the first `n` slots of `list` belong to actors with an id of at most `id`. Without a
-- list, `n` counts all slots.
local function countUpTo(ids, list, n, id)
  local low, high = 0, n
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if ids[list and list[middle] or middle] <= id then low = middle else high = middle - 1 end
  end
  return low
end

-- Calls update of the updaters `first` to `count`. When a step or update within a callback has
-- moved slots or listed the updaters anew, it stops and returns the id of the actor that it called.
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

-- Calls update of all actors that had one when the pass began; actors that were added later have
-- larger ids. Returns false when a callback has restored the world: then the update is over.
local function updateAll(self, dt)
  listUpdaters(self)
  self._updating = true
  local ids, list, last, restores = self._ids, self._updaters, self._lastId, self._restores
  local at = updateSome(self, dt, 1, self._updaterCount)
  while at and self._restores == restores do
    listUpdaters(self)
    local count = self._updaterCount
    at = updateSome(self, dt, countUpTo(ids, list, count, at) + 1,
      countUpTo(ids, list, count, last))
  end
  self._updating = false
  return not at
end

--- Calls `update` of all actors, then makes a step in which bullets move by dt seconds.
---@param dt number seconds
function M:update(dt, ...)
  checkWorld(self, "world:update")
  check.seconds("world:update", "dt", dt,
    type(dt) == "table" and "assign x, y on the actor instead" or nil)
  check.noMore("world:update", "one number", 1, ...)
  checkIdle(self, "world:update")
  checkNotUpdating(self, "world:update", updateSome)
  if updateAll(self, dt) then step(self, dt) end
end

--- Makes as many updates of a fixed length as the time that has passed allows, and keeps the rest
--- for the next call.
---@param dt number seconds that have passed
---@param fixed number? seconds of one update, default 1/60
---@param most integer? the most updates of one call, default 8; further time is dropped
---@return integer steps
---@return number alpha the share of an update that is left over, or as `restore` has set it
function M:advance(dt, fixed, most, ...)
  checkOpen(self, "world:advance")
  check.seconds("world:advance", "dt", dt)
  if fixed == nil then fixed = 1 / 60 else check.size("world:advance", "fixed", fixed) end
  if most == nil then most = 8 else check.integer("world:advance", "max", most, 1, 2 ^ 53) end
  check.noMore("world:advance", "dt, fixed and max", 3, ...)
  checkIdle(self, "world:advance")
  checkNotUpdating(self, "world:advance", updateSome)
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
