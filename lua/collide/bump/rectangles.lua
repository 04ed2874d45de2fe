-- The rectangles of bump's World. First their arithmetic, as in bump.lua 3.1.7 and the same to the
-- bit: where a moving rectangle meets another, and how it gets out of it. Two rectangles overlap if
-- their Minkowski difference contains the origin. A moving one meets the other where the segment of
-- its motion, which starts at the origin, enters that difference. Source of the clipping: Liang and
-- Barsky (1984). Then the rectangles of items, with their places and cells, and the search for
-- those nearby.

local check = require "collide.check"
local core = require "collide.core"

local abs, min, ceil, floor = math.abs, math.min, math.ceil, math.floor
local INFINITE = math.huge
local type = type

local M = {}

-- Gaps below this count as touching, in world units and as shares of the way.
local DELTA = 1e-10

local function sign(v)
  return v > 0 and 1 or v < 0 and -1 or 0
end

-- The one of two values that is nearer to `to`, or the second if both are equally near.
local function nearer(to, a, b)
  if abs(a - to) < abs(b - to) then return a end
  return b
end

local function nearestCorner(x, y, w, h, px, py)
  return nearer(px, x, x + w), nearer(py, y, y + h)
end

local function difference(x1, y1, w1, h1, x2, y2, w2, h2)
  return x2 - x1 - w1, y2 - y1 - h1, w1 + w2, h1 + h2
end

--- Whether the point lies deeper inside than DELTA.
function M.holds(x, y, w, h, px, py)
  return px - x > DELTA and py - y > DELTA and x + w - px > DELTA and y + h - py > DELTA
end

--- Whether two rectangles share more than a boundary.
function M.overlap(x1, y1, w1, h1, x2, y2, w2, h2)
  return x1 < x2 + w2 and x2 < x1 + w1 and y1 < y2 + h2 and y2 < y1 + h1
end

local function squareDistance(x1, y1, w1, h1, x2, y2, w2, h2)
  local dx = x1 - x2 + (w1 - w2) / 2
  local dy = y1 - y2 + (h1 - h2) / 2
  return dx * dx + dy * dy
end
M.squareDistance = squareDistance

-- Where a coordinate that moves from `from` by `way` enters the interval low … high and leaves it
-- again, as shares of the way, and the normal of the side where it enters. nil if the way is 0 and
-- the coordinate is not inside.
local function slab(low, high, from, way)
  if way == 0 then
    if from - low <= 0 or high - from <= 0 then return nil end
    return -INFINITE, INFINITE, 0
  end
  -- Exactly these quotients: equal ones of other numbers would round differently, or give -0 for 0.
  local t1, t2 = (from - low) / -way, (high - from) / way
  if way > 0 then return t1, t2, -1 end
  return t2, t1, 1
end

--- Clips a segment, between the shares t1 and t2 of its way, to a rectangle. Returns the shares
--- where the part inside begins and ends, and the normals of the sides there (0 where t1 or t2 is
--- the end); nil if no part is inside.
---@return number? t1, number? t2, integer? nx1, integer? ny1, integer? nx2, integer? ny2
function M.clip(x, y, w, h, x1, y1, x2, y2, t1, t2)
  local inX, outX, nx = slab(x, x + w, x1, x2 - x1)
  if not inX then return nil end
  local inY, outY, ny = slab(y, y + h, y1, y2 - y1)
  if not inY then return nil end
  local nx1, ny1, nx2, ny2 = 0, 0, 0, 0
  if inX > t1 then t1, nx1 = inX, nx end
  if inY > t1 then t1, nx1, ny1 = inY, 0, ny end
  if outX < t2 then t2, nx2 = outX, -nx end
  if outY < t2 then t2, nx2, ny2 = outY, 0, -ny end
  if t1 > t2 then return nil end
  return t1, t2, nx1, ny1, nx2, ny2
end
local clip = M.clip

--- Whether and where a rectangle that moves to goalX, goalY meets a second one. Returns nil if it
--- does not; else whether they overlap at the start, the share of the way at which they meet, the
--- normal, and the place of the first where it touches the second. If they overlap at the start,
--- the share is minus an area that grows with the overlap, and the first is taken out against the
--- direction of motion or, if it does not move, by the shortest way.
---@return boolean? overlaps, number? ti, number? nx, number? ny, number? x, number? y
function M.meet(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  local dx, dy = goalX - x1, goalY - y1
  local x, y, w, h = difference(x1, y1, w1, h1, x2, y2, w2, h2)
  if not M.holds(x, y, w, h, 0, 0) then
    local t1, t2, nx, ny = clip(x, y, w, h, 0, 0, dx, dy, -INFINITE, INFINITE)
    -- A rectangle that passes a corner only touches.
    if t1 and t1 < 1 and t1 + DELTA > 0 and abs(t1 - t2) >= DELTA then
      return false, t1, nx, ny, x1 + dx * t1, y1 + dy * t1
    end
    return nil
  end
  local px, py = nearestCorner(x, y, w, h, 0, 0)
  local ti = -min(w1, abs(px)) * min(h1, abs(py))
  if dx ~= 0 or dy ~= 0 then
    local t, _, nx, ny = clip(x, y, w, h, 0, 0, dx, dy, -INFINITE, 1)
    if not t then return nil end
    return true, ti, nx, ny, x1 + dx * t, y1 + dy * t
  end
  if abs(px) < abs(py) then py = 0 else px = 0 end
  return true, ti, sign(px), sign(py), x1 + px, y1 + py
end

--- A collision as bump.lua returns it: `way` has the rectangle that moves, its item and its goal;
--- `rect` is the other; the rest are the name of the response and the results of M.meet.
---@return collide.bump.Collision
function M.collision(way, rect, name, overlaps, ti, nx, ny, x, y)
  return {
    item = way.item,
    other = rect.item,
    type = name,
    overlaps = overlaps,
    ti = ti,
    move = { x = way.goalX - way.x, y = way.goalY - way.y },
    normal = { x = nx, y = ny },
    touch = { x = x, y = y },
    itemRect = { x = way.x, y = way.y, w = way.w, h = way.h },
    otherRect = { x = rect.x, y = rect.y, w = rect.w, h = rect.h },
  }
end

local function getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  return clip(x, y, w, h, x1, y1, x2, y2, ti1 or 0, ti2 or 1)
end

local function detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  goalX, goalY = goalX or x1, goalY or y1
  local overlaps, ti, nx, ny, x, y = M.meet(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  if not ti then return nil end
  return M.collision({ x = x1, y = y1, w = w1, h = h1, goalX = goalX, goalY = goalY },
    { x = x2, y = y2, w = w2, h = h2 }, nil, overlaps, ti, nx, ny, x, y)
end

-- The arguments of the public functions; "?" marks an optional one.
local ONE, TWO = "x y w h ", "x1 y1 w1 h1 x2 y2 w2 h2 "

-- Wraps `f` in a check that all its arguments are numbers.
local function public(name, signature, f)
  local fn = "bump.rect." .. name
  local names, optional = {}, {}
  for arg, mark in signature:gmatch "(%w+)(%??)" do
    names[#names + 1] = arg
    optional[#names] = mark == "?"
  end
  return function(...)
    for i = 1, #names do
      local v = select(i, ...)
      if not (v == nil and optional[i]) and not (type(v) == "number" and v == v) then
        check.fail(fn, names[i], "number", v)
      end
    end
    return f(...)
  end
end

--- bump.rect: the functions that bump.lua offers to the user's own responses.
M.rect = {
  --- The corner nearest to a point.
  getNearestCorner = public("getNearestCorner", ONE .. "px py", nearestCorner),
  --- M.clip, by default from 0 to 1.
  getSegmentIntersectionIndices = public("getSegmentIntersectionIndices",
    ONE .. "x1 y1 x2 y2 ti1? ti2?", getSegmentIntersectionIndices),
  --- The Minkowski difference of the second and the first rectangle.
  getDiff = public("getDiff", TWO, difference),
  --- Whether a point lies inside; points on the boundary do not count.
  containsPoint = public("containsPoint", ONE .. "px py", M.holds),
  --- Whether two rectangles share more than a boundary.
  isIntersecting = public("isIntersecting", TWO, M.overlap),
  --- The square of the distance between the centres.
  getSquareDistance = public("getSquareDistance", TWO, squareDistance),
  --- The collision of a rectangle that moves to goalX, goalY with another one, or nil.
  detectCollision = public("detectCollision", TWO .. "goalX? goalY?", detectCollision),
}

-- Items ---------------------------------------------------------------------------

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._rects or not self._world then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

local function checkRectangle(fn, x, y, w, h)
  check.point(fn, x, y)
  check.size(fn, "w", w)
  check.size(fn, "h", h)
end
M.checkRectangle = checkRectangle

function M.checkFilter(fn, filter, what)
  if filter ~= nil and not check.isCallable(filter) then check.fail(fn, "filter", what, filter) end
end

--- The rectangle of an item. Raises when the item is not in this world.
function M.rectangleOf(self, fn, item)
  local rect = self._rects[item]
  if not rect then check.fail(fn, "item", "item of this world", item) end
  return rect
end

-- Cells. Columns and rows count from 1. A rectangle meets only rectangles that share a cell with
-- it, whatever is rounded.

local function toCell(size, x, y)
  return floor(x / size) + 1, floor(y / size) + 1
end
M.toCell = toCell

--- The left, top, right and bottom cell of a rectangle. A rectangle whose width or height is lost
--- in rounding is in no cell: then left or top is infinite.
local function cellsOf(size, x, y, w, h)
  local left, top = toCell(size, x, y)
  local right, bottom = ceil((x + w) / size), ceil((y + h) / size)
  if right < left then left = INFINITE end
  if bottom < top then top = INFINITE end
  return left, top, right, bottom
end
M.cellsOf = cellsOf

function M.sharesCell(rect, left, top, right, bottom)
  return rect.left <= right and left <= rect.right and rect.top <= bottom and top <= rect.bottom
end

-- Places.

--- Gives a rectangle its place and cells.
local function place(self, rect, x, y, w, h)
  self._rows = false -- bump.lua makes them again when they are read
  rect.x, rect.y, rect.w, rect.h = x, y, w, h
  rect.left, rect.top, rect.right, rect.bottom = cellsOf(self.cellSize, x, y, w, h)
end

-- Consecutive rectangles of one size, such as those of a map, share a shape.
local function shapeOf(self, w, h)
  if w ~= self._shapeW or h ~= self._shapeH then
    self._shape, self._shapeW, self._shapeH = core.rectangle(w, h), w, h
  end
  return self._shape
end

function M.newRectangle(self, item, x, y, w, h)
  local rect = { item = item, shape = shapeOf(self, w, h) }
  place(self, rect, x, y, w, h)
  return rect
end

function M.update(self, fn, rect, x, y, w, h)
  checkRectangle(fn, x, y, w, h)
  local world = self._world
  if w ~= rect.w or h ~= rect.h then
    rect.shape, rect.x, rect.y = shapeOf(self, w, h), x, y
    world:refresh(rect)
    place(self, rect, x, y, w, h)
  elseif x ~= rect.x or y ~= rect.y then
    place(self, rect, x, y, w, h)
    world:teleport(rect, x, y)
  end
end

-- Searches. Each takes a scratch table of the world: `near` lists rectangles, and `seen` maps each
-- rectangle that this search has met to `serial`. A filter may begin another search, which takes
-- another table.

function M.take(self)
  local look = self._spare
    or { near = {}, seen = setmetatable({}, { __mode = "k" }), serial = 0 }
  self._spare, look.serial = false, look.serial + 1
  return look
end

function M.give(self, look)
  local near = look.near
  for i = 1, #near do near[i] = nil end -- a spare table must not keep items alive
  look.item, look.filter = nil, nil
  self._spare = look
end

-- The masks of all groups: two numbers of 32 bits.
local ALL = 2 ^ 32 - 1

--- Puts the rectangles that may touch a box into look.near, in the order of adding, and returns
--- their number.
function M.findNear(self, look, left, top, right, bottom)
  local world, near = self._world, look.near
  local _, n = world._core:queryBounds(world._actors, world._slots, ALL, ALL, nil, 0, near,
    left, top, right, bottom)
  return n
end

-- Lists.

--- Inserts a value into a sorted list of length n, after all values that are not greater.
function M.insert(list, n, value, isBefore)
  local low, high = 1, n + 1
  while low < high do
    local middle = floor((low + high) / 2)
    if isBefore(value, list[middle]) then high = middle else low = middle + 1 end
  end
  table.insert(list, low, value)
end

return M
