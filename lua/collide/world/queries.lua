-- The queries of a World. They see the world as of the last step, with all that was added,
-- refreshed, teleported or removed since. Filter functions are called here, on the answers of the
-- core, never from within the core.

local core = require "collide.core"
local check = require "collide.check"
local filters = require "collide.world.filters"
local reading = require "collide.world.fields"
local results = require "collide.world.lists"
local state = require "collide.world.state"

local checkWorld = state.checkWorld
local checkFilter, checkIgnored, coordinate = filters.groups, filters.ignored, filters.coordinate
-- Locals, so that short calls look up no globals.
local select, rawset = select, rawset
local ALL = filters.ALL

---@class collide.World
local M = {}

-- The arguments of the methods, for errors.
local TAKES_MORE = "filter, ignore and into"
local TAKES_POINT = "x, y, " .. TAKES_MORE
local TAKES_RECTANGLE = "x, y, w, h, " .. TAKES_MORE
local TAKES_CIRCLE = "x, y, r, " .. TAKES_MORE
local TAKES_PLACED = "a placed table, " .. TAKES_MORE
local TAKES_NEAREST = "x, y, k, " .. TAKES_MORE

-- Puts the answers in a scratch table that a filter function accepts into a list.
local function sift(self, kept, n, accepts, into)
  local list, count = into or {}, 0
  for i = 1, n do
    if accepts(kept[i]) then
      count = count + 1
      kept[count] = kept[i]
    end
  end
  for i = 1, count do rawset(list, i, kept[i]) end
  results.cut(list, count)
  results.give(self, kept, n)
  return list, count
end

--- The actors that contain a point. The boundary belongs to an actor.
---@param x number
---@param y number
---@param filter collide.Filter?
---@param ignore collide.Ignore? actors to leave out
---@param into table? to be filled and returned, instead of a new one
---@return collide.Actor[] actors in the order of adding
---@return integer n
function M:queryPoint(x, y, filter, ignore, into, ...)
  local fn = "world:queryPoint"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then results.check(fn, into) end
  if select("#", ...) > 0 then check.noMore(fn, TAKES_POINT, 5, ...) end
  local kept = accepts and results.take(self)
  local list, n = self._core:queryPoint(self._actors, self._slots, low, high, ignored, 0,
    kept or into, x, y)
  if kept then return sift(self, kept, n, accepts, into) end
  return list, n
end

local function queryShape(self, fn, filter, ignore, into, placed, shape, x, y, angle)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then results.check(fn, into) end
  local kept = accepts and results.take(self)
  local list, n = self._core:queryShape(self._actors, self._slots, low, high, ignored,
    placed and self._slots[placed] or 0, kept or into, shape, x, y, angle)
  if kept then return sift(self, kept, n, accepts, into) end
  return list, n
end

-- Spare shapes for the rectangle or circle of a query. Each call takes its own, since a filter
-- function or finaliser may make a query too.
local probes = {}

local function takeProbe()
  local probe = probes[#probes]
  if not probe then return core.newProbe() end
  probes[#probes] = nil
  return probe
end

local function giveProbe(probe, ...)
  probes[#probes + 1] = probe
  return ...
end

--- The actors that overlap or touch a rectangle.
---@param x number its left edge
---@param y number its top edge
---@param w number
---@param h number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function M:queryRect(x, y, w, h, filter, ignore, into, ...)
  local fn = "world:queryRect"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  check.size(fn, "w", w)
  check.size(fn, "h", h)
  if not (x + w > x and x + w <= check.MAX_COORDINATE) then
    check.fail(fn, "w", "number with x < x + w <= 1e12", w)
  elseif not (y + h > y and y + h <= check.MAX_COORDINATE) then
    check.fail(fn, "h", "number with y < y + h <= 1e12", h)
  end
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RECTANGLE, 7, ...) end
  local probe = takeProbe()
  core.setRectangle(probe, x, y, w, h)
  return giveProbe(probe, queryShape(self, fn, filter, ignore, into, nil, probe, 0, 0, 0))
end

--- The actors that overlap or touch a circle.
---@param x number its centre
---@param y number
---@param r number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function M:queryCircle(x, y, r, filter, ignore, into, ...)
  local fn = "world:queryCircle"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  check.size(fn, "r", r)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_CIRCLE, 6, ...) end
  local probe = takeProbe()
  core.setCircle(probe, r)
  return giveProbe(probe, queryShape(self, fn, filter, ignore, into, nil, probe, x, y, 0))
end

--- The actors that overlap or touch a placed shape.
---@param placed collide.Placed may be an actor of this world, which is not in the answer
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function M:queryShape(placed, filter, ignore, into, ...)
  local fn = "world:queryShape"
  checkWorld(self, fn)
  local shape, x, y, angle = reading.placed(fn, "placed", placed, self._names)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_PLACED, 4, ...) end
  return queryShape(self, fn, filter, ignore, into, placed, shape, x, y, angle)
end

-- How many times the wanted number of actors a filter function gets at first.
local MARGIN = 4

-- The k nearest actors that a filter function accepts. Most functions accept soon, so the core is
-- asked for few actors at first, and for more each time that they are not enough. The function gets
-- no actor twice.
local function nearestAccepted(self, x, y, k, accepts, ignored, into, distances)
  local kept = results.take(self)
  local far, asked, accepted, places = kept.far, kept.asked, kept.accepted, kept.places
  local most, count, longest = MARGIN * k, 0, 0
  repeat
    local _, n = self._core:nearest(self._actors, self._slots, ALL, ALL, ignored, 0, kept, x, y,
      most, far)
    longest = n > longest and n or longest
    for i = 1, n do
      local actor = kept[i]
      if count < k and not asked[actor] then
        asked[actor] = true
        if accepts(actor) then
          count = count + 1
          accepted[count], places[count] = actor, far[i]
        end
      end
    end
    local done = count == k or n < most
    most = most * MARGIN
  until done
  local list = into or {}
  for i = 1, count do
    rawset(list, i, accepted[i])
    distances[i], accepted[i] = places[i], false
  end
  results.cut(list, count)
  results.cut(distances, count)
  results.give(self, kept, longest)
  return list, count, distances
end

--- The k actors that are nearest to a point.
---@param x number
---@param y number
---@param k integer? how many, default 1
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table? for the actors; the distances are then in a table that goes with it
---@return collide.Actor[] actors nearest first
---@return integer n
---@return number[] distances to their shapes
function M:nearest(x, y, k, filter, ignore, into, ...)
  local fn = "world:nearest"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  if k == nil then k = 1 else check.integer(fn, "k", k, 1, 2 ^ 31) end
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then results.check(fn, into) end
  if select("#", ...) > 0 then check.noMore(fn, TAKES_NEAREST, 6, ...) end
  local distances = into and results.distances(into)
  if accepts then
    return nearestAccepted(self, x, y, k, accepts, ignored, into, distances or {})
  end
  return self._core:nearest(self._actors, self._slots, low, high, ignored, 0, into, x, y, k,
    distances)
end

return M
