-- The queries of bump's World.

local rectangles = require "collide.bump.rect"
local state = require "collide.bump.state"

local abs, max, min, huge = math.abs, math.max, math.min, math.huge
local clip = rectangles.clip
local checkWorld, checkCoordinate, sharesCell = state.checkWorld, state.checkCoordinate,
  state.sharesCell
local take, give, findNear = state.take, state.give, state.findNear

---@class collide.bump.World
local World = {}

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
  local look = take(self)
  local items, n = {}, 0
  for i = 1, findNear(self, look, x, y, x + w, y + h) do
    local rect = look.near[i]
    if sharesCell(rect, left, top, right, bottom) and meets(rect, x, y, w, h)
      and (not filter or filter(rect.item)) then
      n = n + 1
      items[n] = rect.item
    end
  end
  give(self, look)
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
  state.checkRectangle(fn, x, y, w, h)
  state.checkFilter(fn, filter, ACCEPTS)
  return collect(self, filter, overlaps, x, y, w, h,
    state.cellsOf(self.cellSize, x, y, w, h))
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
  checkCoordinate(fn, "x", x)
  checkCoordinate(fn, "y", y)
  state.checkFilter(fn, filter, ACCEPTS)
  local column, row = state.toCell(self.cellSize, x, y)
  return collect(self, filter, holds, x, y, 0, 0, column, row, column, row)
end

local function isNearer(a, b) return a.weight < b.weight end

-- bump asks only the items in the cells that it visits along a segment, which are all cells that it
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
  local column, row = state.toCell(size, x1, y1)
  local lastColumn, lastRow = state.toCell(size, x2, y2)
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
  state.checkFilter(fn, filter, ACCEPTS)
  local look = take(self)
  local near = findNear(self, look, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
  local size, dx, dy = self.cellSize, x2 - x1, y2 - y1
  local margin = rounding(size, x1, y1, x2, y2)
  local walked
  local infos, n = {}, 0
  for i = 1, near do
    local rect = look.near[i]
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
      state.insert(infos, n, info, isNearer)
      n = n + 1
    end
  end
  give(self, look)
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

return World
