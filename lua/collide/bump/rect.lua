-- The arithmetic of rectangles of bump.lua 3.1.7, the same to the bit: where a moving rectangle
-- meets another, and how it gets out of it. Two rectangles overlap if their Minkowski difference
-- contains the origin. A moving one meets the other where the segment of its motion, which starts
-- at the origin, enters that difference. Source of the clipping: Liang and Barsky (1984).

local check = require "collide.check"

local abs, min = math.abs, math.min
local INFINITE = math.huge

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

--- A collision as bump.lua returns it, from the results of M.meet.
---@return collide.bump.Collision
function M.collision(item, other, name, x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY,
    overlaps, ti, nx, ny, touchX, touchY)
  return {
    item = item,
    other = other,
    type = name,
    overlaps = overlaps,
    ti = ti,
    move = { x = goalX - x1, y = goalY - y1 },
    normal = { x = nx, y = ny },
    touch = { x = touchX, y = touchY },
    itemRect = { x = x1, y = y1, w = w1, h = h1 },
    otherRect = { x = x2, y = y2, w = w2, h = h2 },
  }
end

local function getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  return clip(x, y, w, h, x1, y1, x2, y2, ti1 or 0, ti2 or 1)
end

local function detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  goalX, goalY = goalX or x1, goalY or y1
  local overlaps, ti, nx, ny, x, y = M.meet(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  if not ti then return nil end
  return M.collision(nil, nil, nil, x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY,
    overlaps, ti, nx, ny, x, y)
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

return M
