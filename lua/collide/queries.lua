-- Asking a World what lies where: queries and casts. They see the world as of the
-- last step, with what was added, refreshed or removed since. A filter function
-- is called here, over the core's answer, and never from inside of it.

local core = require "collide.core"
local check = require "collide.check"
local filters = require "collide.filters"
local reading = require "collide.reading"
local state = require "collide.state"

local checkWorld = state.checkWorld
local checkFilter, checkIgnored, coordinate = filters.groups, filters.ignored, filters.coordinate
-- What short calls use often, not to be looked up each time.
local select = select
local ALL = filters.ALL

---@class collide.World
local M = {}

-- What the methods take, in words.
local TAKES_MORE = "filter and ignore"
local TAKES_POINT = "x, y, " .. TAKES_MORE
local TAKES_RECTANGLE = "x, y, w, h, " .. TAKES_MORE
local TAKES_CIRCLE = "x, y, r, " .. TAKES_MORE
local TAKES_PLACED = "a placed table, " .. TAKES_MORE
local TAKES_NEAREST = "x, y, k, " .. TAKES_MORE
local TAKES_RAY = "x1, y1, x2, y2, " .. TAKES_MORE
local TAKES_CAST = "a placed table, dx, dy, " .. TAKES_MORE

-- Takes what the filter function refuses out of a list, of actors or of tables that have
-- them under a key.
local function sift(list, n, accepts, key)
  if not accepts then return list, n end
  local kept = 0
  for i = 1, n do
    local one = list[i]
    if accepts(key and one[key] or one) then
      kept = kept + 1
      list[kept] = one
    end
  end
  for i = kept + 1, n do list[i] = nil end
  return list, kept
end

---@param x number
---@param y number
---@param filter collide.Filter?
---@param ignore collide.Ignore? who is never in the answer
---@return table[] actors in the order of adding, integer n
function M:queryPoint(x, y, filter, ignore, ...)
  local fn = "world:queryPoint"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_POINT, 4, ...) end
  local list, n = self._core:queryPoint(self._actors, self._slots, low, high, ignored, 0, x, y)
  return sift(list, n, accepts)
end

local function queryShape(self, fn, filter, ignore, placed, shape, x, y, angle)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  local list, n = self._core:queryShape(self._actors, self._slots, low, high, ignored,
    placed and self._slots[placed] or 0, shape, x, y, angle)
  return sift(list, n, accepts)
end

---@param x number its left edge
---@param y number its top edge
---@param w number
---@param h number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table[] actors, integer n
function M:queryRect(x, y, w, h, filter, ignore, ...)
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
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RECTANGLE, 6, ...) end
  return queryShape(self, fn, filter, ignore, nil, core.rectangle(x, y, w, h), 0, 0, 0)
end

---@param x number its centre
---@param y number
---@param r number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table[] actors, integer n
function M:queryCircle(x, y, r, filter, ignore, ...)
  local fn = "world:queryCircle"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  check.size(fn, "r", r)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_CIRCLE, 5, ...) end
  return queryShape(self, fn, filter, ignore, nil, core.circle(r), x, y, 0)
end

---@param placed table with shape, x, y; an actor of this world is not in its own answer
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table[] actors, integer n
function M:queryShape(placed, filter, ignore, ...)
  local fn = "world:queryShape"
  checkWorld(self, fn)
  local shape, x, y, angle = reading.placed(fn, "placed", placed, self._names)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_PLACED, 3, ...) end
  return queryShape(self, fn, filter, ignore, placed, shape, x, y, angle)
end

-- How many a filter function is asked about at first, for each that is wanted.
local MARGIN = 4

-- The first k of the nearest that a function accepts. The core is asked for
-- more and more of them, since most functions accept soon; nobody is asked
-- about twice.
local function nearestAccepted(self, x, y, k, accepts, ignored)
  local list, distances, kept, asked = {}, {}, 0, {}
  local most = MARGIN * k
  while true do
    local all, n, far = self._core:nearest(self._actors, self._slots, ALL, ALL, ignored, 0,
      x, y, most)
    for i = 1, n do
      local actor = all[i]
      if not asked[actor] then
        asked[actor] = true
        if accepts(actor) then
          kept = kept + 1
          list[kept], distances[kept] = actor, far[i]
          if kept == k then return list, kept, distances end
        end
      end
    end
    if n < most then return list, kept, distances end
    most = most * MARGIN
  end
end

---@param x number
---@param y number
---@param k integer? how many, 1 without
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table[] actors nearest first, integer n, number[] distances to their shapes
function M:nearest(x, y, k, filter, ignore, ...)
  local fn = "world:nearest"
  checkWorld(self, fn)
  coordinate(fn, "x", x)
  coordinate(fn, "y", y)
  if k == nil then k = 1 else check.integer(fn, "k", k, 1, 2 ^ 31) end
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_NEAREST, 5, ...) end
  if accepts then return nearestAccepted(self, x, y, k, accepts, ignored) end
  return self._core:nearest(self._actors, self._slots, low, high, ignored, 0, x, y, k)
end

-- A table for the core to keep a cast's answers in, while a function is asked
-- about them. It is used again by a later cast, so that none makes garbage; a
-- function that casts too gets another.
local function takeKept(self)
  local spare = self._spareKept
  local kept = spare[#spare]
  if kept then spare[#spare] = nil else kept = {} end
  return kept
end

-- The first of n kept answers that a function accepts, as the core gives it.
local function firstAccepted(self, accepts, kept, n)
  local accepted = 0
  for i = 1, n do
    if accepts(kept[i]) then
      accepted = i
      break
    end
  end
  local actor = kept[accepted]
  for i = 1, n do kept[i] = false end -- it keeps no actor
  local spare = self._spareKept
  spare[#spare + 1] = kept
  if actor then return actor, self._core:kept(kept.answers, accepted) end
  return nil
end

local function checkRay(self, fn, x1, y1, x2, y2, filter, ignore, ...)
  checkWorld(self, fn)
  coordinate(fn, "x1", x1)
  coordinate(fn, "y1", y1)
  coordinate(fn, "x2", x2)
  coordinate(fn, "y2", y2)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RAY, 6, ...) end
  return low, high, accepts, ignored
end

--- The first actor on the way from x1, y1 to x2, y2, touching included.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table? actor nil when there is none
---@return number? x, number? y, number? nx, number? ny, number? t a share of the way
function M:rayCast(x1, y1, x2, y2, filter, ignore, ...)
  local low, high, accepts, ignored =
    checkRay(self, "world:rayCast", x1, y1, x2, y2, filter, ignore, ...)
  local kept = accepts and takeKept(self)
  if not kept then
    if self._rays then
      return self._rays(self, low, high, ignored, x1, y1, x2, y2)
    end
    return self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, false,
      x1, y1, x2, y2)
  end
  local n = self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, kept,
    x1, y1, x2, y2)
  return firstAccepted(self, accepts, kept, n)
end

---@return table[] list of {actor =, x =, y =, nx =, ny =, t =}, by t
---@return integer n
function M:rayCastAll(x1, y1, x2, y2, filter, ignore, ...)
  local low, high, accepts, ignored =
    checkRay(self, "world:rayCastAll", x1, y1, x2, y2, filter, ignore, ...)
  local list, n = self._core:rayCast(self._actors, self._slots, low, high, ignored, 0, true,
    x1, y1, x2, y2)
  return sift(list, n, accepts, "actor")
end

--- The first actor that a placed shape touches on its way by dx, dy.
---@param placed table
---@param dx number
---@param dy number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return table? actor
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
  local kept = accepts and takeKept(self)
  local first, cx, cy, nx, ny, t = self._core:shapeCast(self._actors, self._slots, low, high,
    ignored, self._slots[placed] or 0, kept or false, dx, dy, shape, x, y, angle)
  if kept then return firstAccepted(self, accepts, kept, first) end
  return first, cx, cy, nx, ny, t
end

return M
