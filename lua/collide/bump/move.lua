-- The arithmetic and the moves of bump's World, as in bump.lua 3.1.7 and the same to the bit. First
-- where a moving rectangle meets another, and how it gets out of it. Two rectangles overlap if
-- their Minkowski difference contains the origin. A moving one meets the other where the segment of
-- its motion, which starts at the origin, enters that difference. Source of the clipping: Liang and
-- Barsky (1984). Then the rectangles of items, with their places and cells, and the search for
-- those nearby. Last the collisions on a way, in their order, and the responses to them.

local check = require "collide.check"
local core = require "collide.core"
local each = require "collide.each"

local abs, max, min, ceil, floor = math.abs, math.max, math.min, math.ceil, math.floor
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
  getNearestCorner = public("getNearestCorner", ONE .. "px py", nearestCorner),
  getSegmentIntersectionIndices = public("getSegmentIntersectionIndices",
    ONE .. "x1 y1 x2 y2 ti1? ti2?", getSegmentIntersectionIndices),
  getDiff = public("getDiff", TWO, difference),
  containsPoint = public("containsPoint", ONE .. "px py", M.holds),
  isIntersecting = public("isIntersecting", TWO, M.overlap),
  getSquareDistance = public("getSquareDistance", TWO, squareDistance),
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

-- Moving --------------------------------------------------------------------------

local meet, newCollision = M.meet, M.collision
local take, give, findNear = M.take, M.give, M.findNear

---@class collide.bump.World
local World = {}
M.World = World

local FILTER = "function (item, other) that returns the name of a response"

local function checkGoal(fn, goalX, goalY)
  if goalX ~= nil then check.coordinate(fn, "goalX", goalX) end
  if goalY ~= nil then check.coordinate(fn, "goalY", goalY) end
end

-- The interval that cells `first` to `last` cover on an axis, with a margin for the rounding when
-- cells are computed.
local REACH = 4 * check.MAX_COORDINATE
local function span(size, first, last)
  local low, high = max((first - 1) * size, -REACH), min(last * size, REACH)
  local margin = (max(-low, high) + size) * 2 ^ -48
  return low - margin, high + margin
end

-- Begins a search along the way of a rectangle to a goal. The first `count` entries of way.near are
-- the items that share a cell with the box around the way.
local function look(self, way, item, x, y, w, h, goalX, goalY, filter)
  goalX, goalY = goalX or x, goalY or y
  local l, t = min(goalX, x), min(goalY, y)
  local wide, high = max(goalX + w, x + w) - l, max(goalY + h, y + h) - t
  local size = self.cellSize
  local left, top, right, bottom = M.cellsOf(size, l, t, wide, high)
  local x1, x2 = span(size, left, right)
  local y1, y2 = span(size, top, bottom)
  way.item, way.filter = item, filter
  way.x, way.y, way.w, way.h, way.goalX, way.goalY = x, y, w, h, goalX, goalY
  way.left, way.top, way.right, way.bottom = left, top, right, bottom
  -- No item outside this box is met. The margin is there because `meet` rounds, and counts a gap
  -- below 1e-10, in units or as a share of the way, as touching.
  local margin = (max(abs(l), abs(t), abs(l + wide), abs(t + high)) + 1) * 2 ^ -29
  way.minX, way.minY, way.maxX, way.maxY =
    l - margin, t - margin, l + wide + margin, t + high + margin
  way.count = findNear(self, way, x1, y1, x2, y2)
end

-- The first item after the i-th of way.near that is met now and was not met before: its index, its
-- rectangle, the name of the response, and the results of `meet`.
local function nextMet(self, way, i)
  local near, seen, serial = way.near, way.seen, way.serial
  local item, filter = way.item, way.filter
  local left, top, right, bottom = way.left, way.top, way.right, way.bottom
  for k = i + 1, way.count do
    local rect = near[k]
    local other = rect.item
    if rect.left <= right and left <= rect.right and rect.top <= bottom and top <= rect.bottom
      and other ~= item and seen[rect] ~= serial then
      local name = "slide"
      if filter then
        -- An earlier call of the filter may have removed it.
        name = self._rects[other] == rect and filter(item, other)
      end
      if name and rect.x <= way.maxX and rect.y <= way.maxY
        and rect.x + rect.w >= way.minX and rect.y + rect.h >= way.minY then
        local overlaps, ti, nx, ny, x, y = meet(way.x, way.y, way.w, way.h,
          rect.x, rect.y, rect.w, rect.h, way.goalX, way.goalY)
        if ti then return k, rect, name, overlaps, ti, nx, ny, x, y end
      end
    end
  end
end

local function distanceTo(way, rect)
  return squareDistance(way.x, way.y, way.w, way.h, rect.x, rect.y, rect.w, rect.h)
end

-- The first collision on a way, the one with which the list of World:project begins. No table is
-- made for the others.
local function firstCollision(self, way, item, fromX, fromY, w, h, goalX, goalY, filter)
  look(self, way, item, fromX, fromY, w, h, goalX, goalY, filter)
  local first, firstName, firstOverlaps, firstTi, firstNx, firstNy, firstX, firstY
  local i, rect, name, overlaps, ti, nx, ny, x, y = nextMet(self, way, 0)
  while i do
    if not first or ti < firstTi
      or ti == firstTi and distanceTo(way, rect) < distanceTo(way, first) then
      first, firstName, firstOverlaps, firstTi = rect, name, overlaps, ti
      firstNx, firstNy, firstX, firstY = nx, ny, x, y
    end
    i, rect, name, overlaps, ti, nx, ny, x, y = nextMet(self, way, i)
  end
  return first
    and newCollision(way, first, firstName, firstOverlaps, firstTi, firstNx, firstNy, firstX,
      firstY)
end

local function distanceOf(collision)
  local a, b = collision.itemRect, collision.otherRect
  return squareDistance(a.x, a.y, a.w, a.h, b.x, b.y, b.w, b.h)
end

local function isSooner(a, b)
  if a.ti == b.ti then return distanceOf(a) < distanceOf(b) end
  return a.ti < b.ti
end

--- The collisions of a rectangle on the straight way to a goal, by ti and then by the distance
--- of the centres.
---@param item any the item that moves, which the rectangle does not meet; or nil
---@param x number
---@param y number
---@param w number
---@param h number
---@param goalX number? without a goal, it stays
---@param goalY number?
---@param filter collide.bump.Filter? without one, everything is slid along
---@return collide.bump.Collision[] cols, integer len
function World:project(item, x, y, w, h, goalX, goalY, filter)
  local fn = "world:project"
  M.checkWorld(self, fn)
  checkRectangle(fn, x, y, w, h)
  checkGoal(fn, goalX, goalY)
  M.checkFilter(fn, filter, FILTER)
  local way = take(self)
  look(self, way, item, x, y, w, h, goalX, goalY, filter)
  local cols, n = {}, 0
  local i, rect, name, overlaps, ti, nx, ny, touchX, touchY = nextMet(self, way, 0)
  while i do
    local col = newCollision(way, rect, name, overlaps, ti, nx, ny, touchX, touchY)
    M.insert(cols, n, col, isSooner)
    n = n + 1
    i, rect, name, overlaps, ti, nx, ny, touchX, touchY = nextMet(self, way, i)
  end
  give(self, way)
  return cols, n
end

-- Responses. A plan takes a collision and returns the goal that is left, and the point from which
-- the rest of the way leads to it; without that point the item stops.

local function touch(col)
  return col.touch.x, col.touch.y
end

-- As in bump, the rest of the way begins where the whole move began.
local function cross(_, x, y, goalX, goalY)
  return goalX, goalY, x, y
end

local function isMoving(col)
  return col.move.x ~= 0 or col.move.y ~= 0
end

-- Of the two files that call themselves bump 3.1.7, the later one leaves the goal as it is where
-- nothing moves; the earlier one takes the item out to col.touch, as bounce does in both.
local function slide(col, x, y, goalX, goalY)
  local fromX, fromY = col.touch.x, col.touch.y
  local toX, toY = goalX or x, goalY or y
  if isMoving(col) then
    if col.normal.x == 0 then toY = fromY else toX = fromX end
  end
  col.slide = { x = toX, y = toY }
  return toX, toY, fromX, fromY
end

local function bounce(col, x, y, goalX, goalY)
  local fromX, fromY = col.touch.x, col.touch.y
  local toX, toY = fromX, fromY
  if isMoving(col) then
    local restX, restY = (goalX or x) - fromX, (goalY or y) - fromY
    if col.normal.x == 0 then restY = -restY else restX = -restX end
    toX, toY = fromX + restX, fromY + restY
  end
  col.bounce = { x = toX, y = toY }
  return toX, toY, fromX, fromY
end

local planOf = {} -- by response

-- The public form of a response, which also finds the collisions on the rest of the way.
local function response(name, plan)
  local fn = "bump.responses." .. name
  local function respond(world, col, x, y, w, h, goalX, goalY, filter)
    if type(world) ~= "table" or not world._rects then check.fail(fn, "world", "world", world) end
    if type(col) ~= "table" or not col.touch then check.fail(fn, "col", "collision", col) end
    if plan == touch then return col.touch.x, col.touch.y, {}, 0 end -- it reads nothing else
    checkRectangle(fn, x, y, w, h)
    checkGoal(fn, goalX, goalY)
    M.checkFilter(fn, filter, FILTER)
    local toX, toY, fromX, fromY = plan(col, x, y, goalX, goalY)
    local cols, n = world:project(col.item, fromX, fromY, w, h, toX, toY, filter)
    return toX, toY, cols, n
  end
  planOf[respond] = plan
  return respond
end

---@type table<string, collide.bump.Response>
M.responses = {
  touch = response("touch", touch),
  cross = response("cross", cross),
  slide = response("slide", slide),
  bounce = response("bounce", bounce),
}

--- Adds a response to this world, or replaces the one of that name.
---@param name any what a filter returns
---@param respond collide.bump.Response
function World:addResponse(name, respond)
  local fn = "world:addResponse"
  M.checkWorld(self, fn)
  if name == nil or name ~= name then check.fail(fn, "name", "name of a response", name) end
  if not check.isCallable(respond) then check.fail(fn, "response", "function", respond) end
  self.responses[name] = respond
end

local function responseOf(self, fn, name)
  local respond = self.responses[name]
  if not respond then
    local names = {}
    for known in each.pairs(self.responses) do names[#names + 1] = tostring(known) end
    table.sort(names)
    check.fail(fn, "what the filter returns", "one of " .. table.concat(names, ", "), name)
  end
  return respond
end

-- The filter that is passed to a user's response: it skips items that were met before.
local function unmet(self, way, filter)
  local seen, serial = way.seen, way.serial
  return function(item, other)
    local rect = self._rects[other]
    if rect and seen[rect] == serial then return false end
    if not filter then return "slide" end
    return filter(item, other)
  end
end

-- Calls a user's response. Returns the new goal, and the next collision, if there is one.
local function respondWith(self, respond, col, x, y, w, h, goalX, goalY, filter)
  local toX, toY, cols, n = respond(self, col, x, y, w, h, goalX, goalY, filter)
  if type(n) ~= "number" or n > 0 and type(cols) ~= "table" then
    check.fail("world:addResponse", "what the response returns",
      "goalX, goalY, a list of collisions and its length", type(n) ~= "number" and n or cols)
  end
  return toX, toY, n > 0 and cols[1]
end

local function simulate(self, fn, item, goalX, goalY, filter)
  local rect = M.rectangleOf(self, fn, item)
  checkGoal(fn, goalX, goalY)
  M.checkFilter(fn, filter, FILTER)
  local way = take(self)
  local x, y, w, h = rect.x, rect.y, rect.w, rect.h
  local cols, n, passed = {}, 0, nil
  local col = firstCollision(self, way, item, x, y, w, h, goalX, goalY, filter)
  while col do
    n = n + 1
    cols[n] = col
    local met = self._rects[col.other]
    if met then way.seen[met] = way.serial end
    local respond = responseOf(self, fn, col.type)
    local plan = planOf[respond]
    if plan then
      local fromX, fromY
      goalX, goalY, fromX, fromY = plan(col, x, y, goalX, goalY)
      col = fromX and firstCollision(self, way, item, fromX, fromY, w, h, goalX, goalY, filter)
    else
      passed = passed or unmet(self, way, filter)
      goalX, goalY, col = respondWith(self, respond, col, x, y, w, h, goalX, goalY, passed)
    end
  end
  give(self, way)
  return goalX, goalY, cols, n
end

--- Where an item would end on its way to a goal, and the items that it would meet.
---@param item any
---@param goalX number? without a goal, it stays
---@param goalY number?
---@param filter collide.bump.Filter? without one, everything is slid along
---@return number? x, number? y, collide.bump.Collision[] cols, integer len
function World:check(item, goalX, goalY, filter)
  M.checkWorld(self, "world:check")
  return simulate(self, "world:check", item, goalX, goalY, filter)
end

--- Moves an item towards a goal, as far as other items let it.
---@param item any
---@param goalX number
---@param goalY number
---@param filter collide.bump.Filter?
---@return number x, number y, collide.bump.Collision[] cols, integer len
function World:move(item, goalX, goalY, filter)
  local fn = "world:move"
  M.checkWorld(self, fn)
  local x, y, cols, n = simulate(self, fn, item, goalX, goalY, filter)
  check.coordinate(fn, "goalX", x)
  check.coordinate(fn, "goalY", y)
  local rect = M.rectangleOf(self, fn, item)
  M.update(self, fn, rect, x, y, rect.w, rect.h)
  return x, y, cols, n
end

return M
