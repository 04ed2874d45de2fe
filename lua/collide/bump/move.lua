-- Moving and querying in bump's World: finds the collisions on a way, in their order, applies the
-- responses, and answers what a rectangle, a point or a segment meets.

local check = require "collide.check"
local rectangles = require "collide.bump.rectangles"
local each = require "collide.each"

local abs, max, min, huge = math.abs, math.max, math.min, math.huge
local clip, meet, newCollision = rectangles.clip, rectangles.meet, rectangles.collision
local squareDistance = rectangles.squareDistance
local checkWorld, checkCoordinate = rectangles.checkWorld, check.coordinate
local checkRectangle = rectangles.checkRectangle
local take, give, findNear = rectangles.take, rectangles.give, rectangles.findNear

---@class collide.bump.World
local World = {}

local FILTER = "function (item, other) that returns the name of a response"

local function checkGoal(fn, goalX, goalY)
  if goalX ~= nil then checkCoordinate(fn, "goalX", goalX) end
  if goalY ~= nil then checkCoordinate(fn, "goalY", goalY) end
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
  local left, top, right, bottom = rectangles.cellsOf(size, l, t, wide, high)
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
  checkWorld(self, fn)
  checkRectangle(fn, x, y, w, h)
  checkGoal(fn, goalX, goalY)
  rectangles.checkFilter(fn, filter, FILTER)
  local way = take(self)
  look(self, way, item, x, y, w, h, goalX, goalY, filter)
  local cols, n = {}, 0
  local i, rect, name, overlaps, ti, nx, ny, touchX, touchY = nextMet(self, way, 0)
  while i do
    local col = newCollision(way, rect, name, overlaps, ti, nx, ny, touchX, touchY)
    rectangles.insert(cols, n, col, isSooner)
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
    rectangles.checkFilter(fn, filter, FILTER)
    local toX, toY, fromX, fromY = plan(col, x, y, goalX, goalY)
    local cols, n = world:project(col.item, fromX, fromY, w, h, toX, toY, filter)
    return toX, toY, cols, n
  end
  planOf[respond] = plan
  return respond
end

---@type table<string, collide.bump.Response>
local responses = {
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
  checkWorld(self, fn)
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
  local rect = rectangles.rectangleOf(self, fn, item)
  checkGoal(fn, goalX, goalY)
  rectangles.checkFilter(fn, filter, FILTER)
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
  checkWorld(self, "world:check")
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
  checkWorld(self, fn)
  local x, y, cols, n = simulate(self, fn, item, goalX, goalY, filter)
  checkCoordinate(fn, "goalX", x)
  checkCoordinate(fn, "goalY", y)
  local rect = rectangles.rectangleOf(self, fn, item)
  rectangles.update(self, fn, rect, x, y, rect.w, rect.h)
  return x, y, cols, n
end

-- Queries -------------------------------------------------------------------------

local ACCEPTS = "function (item) that returns whether it counts"

local function overlaps(rect, x, y, w, h)
  return rectangles.overlap(x, y, w, h, rect.x, rect.y, rect.w, rect.h)
end

local function holds(rect, x, y)
  return rectangles.holds(rect.x, rect.y, rect.w, rect.h, x, y)
end

-- The items that share a cell with the given range of cells, and for which `meets` is true of the
-- rectangle x, y, w, h, in the order of adding.
local function collect(self, filter, meets, x, y, w, h, left, top, right, bottom)
  local search = take(self)
  local items, n = {}, 0
  for i = 1, findNear(self, search, x, y, x + w, y + h) do
    local rect = search.near[i]
    if rectangles.sharesCell(rect, left, top, right, bottom) and meets(rect, x, y, w, h)
      and (not filter or filter(rect.item)) then
      n = n + 1
      items[n] = rect.item
    end
  end
  give(self, search)
  return items, n
end

--- The items that overlap a rectangle. Touching does not count.
---@param x number
---@param y number
---@param w number
---@param h number
---@param filter collide.bump.Accepts?
---@return any[] items in the order of adding
---@return integer len
function World:queryRect(x, y, w, h, filter)
  local fn = "world:queryRect"
  checkWorld(self, fn)
  rectangles.checkRectangle(fn, x, y, w, h)
  rectangles.checkFilter(fn, filter, ACCEPTS)
  return collect(self, filter, overlaps, x, y, w, h,
    rectangles.cellsOf(self.cellSize, x, y, w, h))
end

--- The items that contain a point. Points on the boundary do not count.
---@param x number
---@param y number
---@param filter collide.bump.Accepts?
---@return any[] items in the order of adding
---@return integer len
function World:queryPoint(x, y, filter)
  local fn = "world:queryPoint"
  checkWorld(self, fn)
  check.point(fn, x, y)
  rectangles.checkFilter(fn, filter, ACCEPTS)
  local column, row = rectangles.toCell(self.cellSize, x, y)
  return collect(self, filter, holds, x, y, 0, 0, column, row, column, row)
end

local function isNearer(a, b) return a.weight < b.weight end

-- Bump asks only the items in the cells that it visits along a segment, which are all cells that it
-- passes through but for rounding. That matters where the segment only touches an item, at a corner
-- or along a side on a border of cells: then its walk is repeated.

-- The step of the column or row, the share of the way from one border to the next, and the share at
-- the first border, to which bump adds the size of a cell.
local function stepsOf(size, cell, from, to)
  local way = to - from
  if way > 0 then return 1, size / way, ((cell + way) * size - from) / way end
  if way < 0 then return -1, -size / way, ((cell + way - 1) * size - from) / way end
  return 0, huge, huge
end

-- A walk over more cells is not repeated: bump would take longer than a frame.
local MOST_CELLS = 2 ^ 16

-- The cells that bump visits along a segment: the first and last column, by row. nil if they are
-- more than MOST_CELLS.
local function walk(size, x1, y1, x2, y2)
  local column, row = rectangles.toCell(size, x1, y1)
  local lastColumn, lastRow = rectangles.toCell(size, x2, y2)
  local stepX, deltaX, nextX = stepsOf(size, column, x1, x2)
  local stepY, deltaY, nextY = stepsOf(size, row, y1, y2)
  local firstRow, first, last, cells = row, {}, {}, 0
  local function visit(cx, cy)
    first[cy], last[cy] = min(cx, first[cy] or cx), max(cx, last[cy] or cx)
    cells = cells + 1
  end
  visit(column, row)
  visit(lastColumn, lastRow)
  while abs(column - lastColumn) + abs(row - lastRow) > 1 do
    if nextX < nextY then
      nextX, column = nextX + deltaX, column + stepX
    else
      if nextX == nextY then visit(column + stepX, row) end
      nextY, row = nextY + deltaY, row + stepY
    end
    visit(column, row)
    if cells > MOST_CELLS then return nil end
  end
  return { first = first, last = last, top = min(firstRow, row, lastRow),
    bottom = max(firstRow, row, lastRow) }
end

-- Whether bump visits a cell of a rectangle on a walk.
local function visits(walked, rect)
  local first, last = walked.first, walked.last
  for row = max(rect.top, walked.top), min(rect.bottom, walked.bottom) do
    if rect.left <= last[row] and first[row] <= rect.right then return true end
  end
  return false
end

-- How far bump's walk may be off, by rounding.
local function rounding(size, x1, y1, x2, y2)
  local way = abs(x2 - x1) + abs(y2 - y1)
  local far = max(abs(x1), abs(y1), abs(x2), abs(y2)) + size
  return way * (way / size + 4) * (1 + size) * 2 ^ -50 + far * 2 ^ -46
end

-- The items that a segment passes through, in the order in which the infinite line enters them.
-- Touching a side or beginning or ending at one does not count, nor does an item that contains the
-- whole segment. A corner that it passes counts if bump visits a cell of the item.
local function querySegment(self, fn, x1, y1, x2, y2, filter)
  checkWorld(self, fn)
  checkCoordinate(fn, "x1", x1)
  checkCoordinate(fn, "y1", y1)
  checkCoordinate(fn, "x2", x2)
  checkCoordinate(fn, "y2", y2)
  rectangles.checkFilter(fn, filter, ACCEPTS)
  local search = take(self)
  local near = findNear(self, search, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
  local size, dx, dy = self.cellSize, x2 - x1, y2 - y1
  local margin = rounding(size, x1, y1, x2, y2)
  local walked
  local infos, n = {}, 0
  for i = 1, near do
    local rect = search.near[i]
    local ti1, ti2 = clip(rect.x, rect.y, rect.w, rect.h, x1, y1, x2, y2, 0, 1)
    if ti1 and (0 < ti1 and ti1 < 1 or 0 < ti2 and ti2 < 1) then
      -- Where the middle of the part inside is deep, bump visits its cell.
      local t = (ti1 + ti2) / 2
      local x, y = x1 + t * dx, y1 + t * dy
      local depth = min(x - rect.x, y - rect.y, rect.x + rect.w - x, rect.y + rect.h - y)
      if depth <= margin then
        if walked == nil then walked = walk(size, x1, y1, x2, y2) or false end
        if walked and not visits(walked, rect) then ti1 = nil end
      end
    else
      ti1 = nil
    end
    if ti1 and (not filter or filter(rect.item)) then
      local weight = clip(rect.x, rect.y, rect.w, rect.h, x1, y1, x2, y2, -huge, huge)
      local info = { item = rect.item, ti1 = ti1, ti2 = ti2, weight = weight }
      rectangles.insert(infos, n, info, isNearer)
      n = n + 1
    end
  end
  give(self, search)
  return infos, n
end

--- The items that a segment passes through, in order from its start.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.bump.Accepts?
---@return any[] items, integer len
function World:querySegment(x1, y1, x2, y2, filter)
  local items, n = querySegment(self, "world:querySegment", x1, y1, x2, y2, filter)
  for i = 1, n do items[i] = items[i].item end
  return items, n
end

--- As querySegment, with the points where the segment enters and leaves each item.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.bump.Accepts?
---@return collide.bump.SegmentInfo[] infos, integer len
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  local infos, n = querySegment(self, "world:querySegmentWithCoords", x1, y1, x2, y2, filter)
  local dx, dy = x2 - x1, y2 - y1
  for i = 1, n do
    local info = infos[i]
    info.weight = nil
    info.x1, info.y1 = x1 + dx * info.ti1, y1 + dy * info.ti1
    info.x2, info.y2 = x1 + dx * info.ti2, y1 + dy * info.ti2
  end
  return infos, n
end

return { World = World, responses = responses }
