-- The casts of a World: what a ray or a moving shape meets. Casts see the same actors as queries.
-- Filter functions are called here, never by the core.

local check = require "collide.check"
local filters = require "collide.world.filters"
local reading = require "collide.world.fields"
local results = require "collide.world.lists"
local state = require "collide.world.state"

local checkWorld = state.checkWorld
local checkFilter, checkIgnored, coordinate = filters.groups, filters.ignored, filters.coordinate
-- Locals, so that short calls look up no globals.
local select = select

--- What a ray met.
---@class collide.RayHit
---@field actor collide.Actor
---@field x number where the ray enters it
---@field y number
---@field nx number the normal there; 0, 0 if the ray began inside
---@field ny number
---@field t number the share of the way

---@class collide.World
local M = {}

-- The arguments of the methods, for errors.
local TAKES_RAY = "x1, y1, x2, y2, filter and ignore"
local TAKES_RAYS = "x1, y1, x2, y2, filter, ignore and into"
local TAKES_CAST = "a placed table, dx, dy, filter and ignore"

-- The first of n answers in a scratch table that a filter function accepts, in the form in which
-- the core returns it.
local function firstAccepted(self, accepts, kept, n)
  local accepted = 0
  for i = 1, n do
    if accepts(kept[i]) then
      accepted = i
      break
    end
  end
  local actor = kept[accepted]
  results.give(self, kept, n)
  if actor then return actor, self._core:kept(kept.answers, accepted) end
  return nil
end

local function checkRay(self, fn, x1, y1, x2, y2, filter, ignore)
  checkWorld(self, fn)
  coordinate(fn, "x1", x1)
  coordinate(fn, "y1", y1)
  coordinate(fn, "x2", x2)
  coordinate(fn, "y2", y2)
  local low, high, accepts = checkFilter(self, fn, filter)
  return low, high, accepts, checkIgnored(self, fn, ignore)
end

--- The first actor that a ray from x1, y1 to x2, y2 meets. Touching counts.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return collide.Actor? actor nil when there is none
---@return number? x, number? y, number? nx, number? ny, number? t a share of the way
function M:rayCast(x1, y1, x2, y2, filter, ignore, ...)
  local low, high, accepts, ignored =
    checkRay(self, "world:rayCast", x1, y1, x2, y2, filter, ignore)
  if select("#", ...) > 0 then check.noMore("world:rayCast", TAKES_RAY, 6, ...) end
  local kept = accepts and results.take(self)
  if not kept then
    if self._rays then
      return self._rays(self, low, high, ignored, x1, y1, x2, y2)
    end
    return self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, false, nil, nil,
      x1, y1, x2, y2)
  end
  local n = self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, kept, nil, nil,
    x1, y1, x2, y2)
  return firstAccepted(self, accepts, kept, n)
end

-- Fills a list with records of the answers that a filter function accepts, of n in a scratch table.
local function listAccepted(self, accepts, kept, n, list)
  local count, places = 0, kept.places
  for i = 1, n do
    if accepts(kept[i]) then
      count = count + 1
      places[count] = i
    end
  end
  self._core:records(list, self._spareRays, results.listOf, kept, places, count)
  results.give(self, kept, n)
  return list, count
end

--- All actors that a ray from x1, y1 to x2, y2 meets.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table? to be filled and returned, the tables in it too
---@return collide.RayHit[] list sorted by t
---@return integer n
function M:rayCastAll(x1, y1, x2, y2, filter, ignore, into, ...)
  local fn = "world:rayCastAll"
  local low, high, accepts, ignored = checkRay(self, fn, x1, y1, x2, y2, filter, ignore)
  if into ~= nil then results.check(fn, into) end
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RAYS, 7, ...) end
  local list = into or {}
  if not accepts then
    return self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, list,
      self._spareRays, results.listOf, x1, y1, x2, y2)
  end
  local kept = results.take(self)
  local n = self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, kept, nil, nil,
    x1, y1, x2, y2)
  return listAccepted(self, accepts, kept, n, list)
end

--- The first actor that a placed shape touches on its way by dx, dy.
---@param placed collide.Placed
---@param dx number
---@param dy number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return collide.Actor? actor
---@return number? x, number? y, number? nx, number? ny, number? t
function M:shapeCast(placed, dx, dy, filter, ignore, ...)
  local fn = "world:shapeCast"
  checkWorld(self, fn)
  local shape, x, y, angle = reading.placed(fn, "placed", placed, self._names)
  if shape:kind() == "tiles" then
    check.fail(fn, "placed." .. self._names.shape, "shape other than tiles, which stand still",
      shape)
  end
  coordinate(fn, "dx", dx)
  coordinate(fn, "dy", dy)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_CAST, 5, ...) end
  local kept = accepts and results.take(self)
  local first, cx, cy, nx, ny, t = self._core:shapeCast(self._actors, self._slots, low, high,
    ignored, self._slots[placed] or 0, kept or false, dx, dy, shape, x, y, angle)
  if kept then return firstAccepted(self, accepts, kept, first) end
  return first, cx, cy, nx, ny, t
end

return M
