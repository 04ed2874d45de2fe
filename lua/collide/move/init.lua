-- The methods of a World that move an actor against others.

local check = require "collide.check"
local filters = require "collide.world.filters"
local reading = require "collide.world.fields"
local state = require "collide.world.state"
local sweeps = require "collide.move.sweeps"

local select = select
local worlds, locked = sweeps.worlds, state.locked

---@class collide.World
local M = {}

local TAKES = "an actor, dx, dy, filter, response and a table to fill"

--- Moves an actor by dx, dy, stopped by the actors that pass `filter`, and writes its new place
--- into its x and y. Without a filter, all actors that it can hit stop it.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)? default "slide"
---@param into table? a list to fill in place of the world's own
---@return number x
---@return number y
---@return collide.MoveHit[] hits in the order met
---@return integer n
function M:move(actor, dx, dy, filter, response, into, ...)
  if into == nil and worlds[self] and select("#", ...) == 0 then
    local x, y, hits, n = sweeps.now(self, actor, dx, dy, filter, response, self._moveHits)
    if x then return x, y, hits, n end
  end
  local fn = "world:move"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  into = sweeps.checkMove(self, fn, actor, dx, dy, into)
  return locked(self, fn, sweeps.sweep, self, fn, actor, dx, dy, filter, response, into)
end

--- As world:move, but nothing moves.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)?
---@param into table?
---@return number x
---@return number y
---@return collide.MoveHit[] hits
---@return integer n
function M:check(actor, dx, dy, filter, response, into, ...)
  local fn = "world:check"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  into = sweeps.checkMove(self, fn, actor, dx, dy, into)
  return locked(self, fn, sweeps.look, self, fn, actor, dx, dy, filter, response, into)
end

--- Whether a placed table would overlap no actor. It may touch actors; sensors do not count.
---@param placed collide.Placed may be an actor of this world, which does not obstruct itself
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return boolean
---@return collide.Actor? actor that it would overlap
function M:fits(placed, filter, ignore, ...)
  local fn = "world:fits"
  state.checkWorld(self, fn)
  local shape, x, y, angle = reading.placed(fn, "placed", placed, self._names)
  local low, high, accepts = filters.groups(self, fn, filter)
  local ignored = filters.ignored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, "a placed table, filter and ignore", 3, ...) end
  local slot = self._slots[placed]
  if filter == nil and slot then low, high = self._core:hitGroups(slot) end
  local from = 1
  while true do
    local other = self._core:fits(self._actors, self._slots, low, high, ignored, slot or 0, shape,
      x, y, angle, from)
    if not other then return true end
    local actor = self._actors[other]
    if not accepts or accepts(actor) then return false, actor end
    from = other + 1
  end
end

return M
