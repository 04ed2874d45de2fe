-- The interface and answers of bump.lua 3.1.7 over a world of collide, for games that were written
-- for it. The world's broad phase finds the items near a move, and bump's own arithmetic computes
-- where they meet, including at seams and for items that overlap at the start. Bump returns ties in
-- any order; here the item that was added first comes first.

local collide = require "collide"
local check = require "collide.check"
local each = require "collide.each"
local moving = require "collide.bump.move"

local abs, max, min, huge = math.abs, math.max, math.min, math.huge
local checkWorld, checkRectangle, checkFilter =
  moving.checkWorld, moving.checkRectangle, moving.checkFilter
local clip, take, give, findNear = moving.clip, moving.take, moving.give, moving.findNear

---@class collide.bump.World
---@field cellSize number
---@field rects table<any, collide.bump.Rectangle> by item; read-only, as are the next three
---@field rows table<integer, table<integer, collide.bump.Cell>> the cells that have items
---@field cells table<integer, table<integer, collide.bump.Cell>> the same table as `rows`
---@field nonEmptyCells table<collide.bump.Cell, true>
---@field responses table<any, collide.bump.Response> by name
local World = moving.World

---@class collide.bump
local M = {
  _VERSION = "bump v3.1.7",
  _URL = "https://github.com/kikito/bump.lua",
  _DESCRIPTION = "bump.lua's interface and answers, over a world of collide",
  _LICENSE = "MIT",
  rect = moving.rect,
  responses = moving.responses,
}

-- What games and bump_debug.lua read of a world. `pairs` of Lua 5.1 walks only what is in a table,
-- so these are tables like bump's, and what they refuse is each new entry: a write to an old entry
-- is not seen, and changes nothing in the world.

local READ_ONLY = "world.%s can only be read: change the world by add, remove, update and move"

local guards = {}
for _, name in ipairs { "rects", "rows", "nonEmptyCells" } do
  guards[name] = { __newindex = function() check.raise(READ_ONLY:format(name)) end }
end

-- A rectangle as it can be read: always where its item is.
local function viewOf(rect)
  return setmetatable({}, { __index = rect, __newindex = guards.rects.__newindex })
end

-- The rectangles by item. From the first reading on, add and remove keep the table up to date.
local function rectsOf(self)
  if not self._views then
    local views = {}
    for item, rect in each.pairs(self._rects) do views[item] = viewOf(rect) end
    self._views = setmetatable(views, guards.rects)
  end
  return self._views
end

-- So many cells of items can be listed: with more, they would take all memory.
local MOST_CELLS = 2 ^ 20

local function checkCells(self, fn)
  local n = 0
  for _, rect in ipairs(self._world:actors()) do
    local columns, rows = rect.right - rect.left + 1.0, rect.bottom - rect.top + 1.0
    if columns > 0 and rows > 0 then n = n + columns * rows end
  end
  if n > MOST_CELLS then
    check.raise(("%s: the items have %.0f cells, and at most %d can be listed"):format(fn, n,
      MOST_CELLS))
  end
end

local function addToCell(rows, nonEmpty, item, cx, cy)
  local row = rows[cy] or setmetatable({}, guards.rows)
  rawset(rows, cy, row)
  local cell = row[cx]
  if not cell then
    cell = setmetatable({ itemCount = 0, x = cx, y = cy, items = {} }, guards.rows)
    rawset(row, cx, cell)
    rawset(nonEmpty, cell, true)
  end
  cell.items[item], cell.itemCount = true, cell.itemCount + 1
end

-- The cells by row and column, and the set of them. Both are made again after a change.
local function rowsOf(self)
  if not self._rows then
    checkCells(self, "world.rows")
    local rows, nonEmpty = setmetatable({}, guards.rows), setmetatable({}, guards.nonEmptyCells)
    for _, rect in ipairs(self._world:actors()) do
      for cy = rect.top, rect.bottom do
        for cx = rect.left, rect.right do addToCell(rows, nonEmpty, rect.item, cx, cy) end
      end
    end
    self._rows, self._nonEmpty = rows, nonEmpty
  end
  return self._rows
end

local fields = {
  rects = rectsOf,
  rows = rowsOf,
  cells = rowsOf,
  nonEmptyCells = function(self) return rowsOf(self) and self._nonEmpty end,
}

-- The metatable of a world. Its __index is a table, as in bump: a copy of the methods, so that the
-- fields above are looked up last.
local function newMeta(self)
  local methods = {}
  for name, method in each.pairs(World) do methods[name] = method end
  setmetatable(methods, { __index = function(_, key)
    local read = fields[key]
    return read and read(self)
  end })
  return {
    __index = methods,
    __newindex = function(_, key, value)
      if fields[key] then check.raise(READ_ONLY:format(key)) end
      rawset(self, key, value)
    end,
  }
end

--- Adds an item of any type, with its rectangle.
---@param item any
---@param x number
---@param y number
---@param w number
---@param h number
---@return any item
function World:add(item, x, y, w, h)
  local fn = "world:add"
  checkWorld(self, fn)
  if item == nil or item ~= item then check.fail(fn, "item", "any value but nil and nan", item) end
  if self._rects[item] then check.fail(fn, "item", "item that is not in this world yet", item) end
  checkRectangle(fn, x, y, w, h)
  self._rects[item] = false -- allocates the entry before anything changes
  local rect = moving.newRectangle(self, item, x, y, w, h)
  if self._views then rawset(self._views, item, viewOf(rect)) end
  self._rects[item] = self._world:add(rect)
  return item
end

--- Removes an item. Raises when it is not in this world.
---@param item any
function World:remove(item)
  checkWorld(self, "world:remove")
  self._world:remove(moving.rectangleOf(self, "world:remove", item))
  self._rects[item], self._rows = nil, false
  if self._views then self._views[item] = nil end
end

--- Gives an item another rectangle, even if something is there.
---@param item any
---@param x number
---@param y number
---@param w number? by default as it was
---@param h number?
function World:update(item, x, y, w, h)
  local fn = "world:update"
  checkWorld(self, fn)
  local rect = moving.rectangleOf(self, fn, item)
  moving.update(self, fn, rect, x, y, w or rect.w, h or rect.h)
end

---@param item any
---@return boolean
function World:hasItem(item)
  checkWorld(self, "world:hasItem")
  return self._rects[item] and true or false
end

---@return integer
function World:countItems()
  checkWorld(self, "world:countItems")
  return self._world:count()
end

---@return any[] items in the order of adding
---@return integer len
function World:getItems()
  checkWorld(self, "world:getItems")
  local items = self._world:actors()
  local n = #items
  for i = 1, n do items[i] = items[i].item end
  return items, n
end

---@param item any
---@return number x, number y, number w, number h
function World:getRect(item)
  checkWorld(self, "world:getRect")
  local rect = moving.rectangleOf(self, "world:getRect", item)
  return rect.x, rect.y, rect.w, rect.h
end

-- How many columns have one of the rectangles, which are sorted by their first column.
local function countColumns(rects)
  local n, last = 0, -math.huge
  for _, rect in ipairs(rects) do
    local left = rect.left > last and rect.left or last + 1
    if rect.right >= left then
      n, last = n + 1.0 * (rect.right - left) + 1, rect.right
    end
  end
  return n
end

-- Removes the rectangles that end above a row.
local function removeEnded(rects, row)
  for i = #rects, 1, -1 do
    if rects[i].bottom < row then table.remove(rects, i) end
  end
end

local function insertByColumn(rects, rect)
  local low, high = 1, #rects + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if rects[middle].left <= rect.left then low = middle + 1 else high = middle end
  end
  table.insert(rects, low, rect)
end

--- How many cells have an item. The time grows with the number of items that lie side by side, not
--- with the number of cells: a sweep over the edges of rows.
---@return integer
function World:countCells()
  checkWorld(self, "world:countCells")
  local waiting, edges = {}, {}
  for _, rect in ipairs(self._world:actors()) do
    if rect.left <= rect.right and rect.top <= rect.bottom then
      waiting[#waiting + 1] = rect
      edges[#edges + 1], edges[#edges + 2] = rect.top, rect.bottom + 1
    end
  end
  table.sort(waiting, function(a, b) return a.top < b.top end)
  table.sort(edges)
  -- Between two successive edges all rows have the same moving.
  local n, begun, rects = 0, 0, {}
  for i = 1, #edges - 1 do
    local row, next = edges[i], edges[i + 1]
    if next > row then
      removeEnded(rects, row)
      while waiting[begun + 1] and waiting[begun + 1].top <= row do
        begun = begun + 1
        insertByColumn(rects, waiting[begun])
      end
      n = n + countColumns(rects) * (next - row)
    end
  end
  return math.floor(n)
end

--- The cell of a point. Cell 1, 1 begins at 0, 0.
---@param x number
---@param y number
---@return integer cx, integer cy
function World:toCell(x, y)
  local fn = "world:toCell"
  checkWorld(self, fn)
  check.point(fn, x, y)
  return moving.toCell(self.cellSize, x, y)
end

--- The corner of a cell with the least coordinates.
---@param cx number
---@param cy number
---@return number x, number y
function World:toWorld(cx, cy)
  local fn = "world:toWorld"
  checkWorld(self, fn)
  check.coordinate(fn, "cx", cx)
  check.coordinate(fn, "cy", cy)
  return (cx - 1) * self.cellSize, (cy - 1) * self.cellSize
end

-- Queries -------------------------------------------------------------------------

local ACCEPTS = "function (item) that returns whether it counts"

local function overlaps(rect, x, y, w, h)
  return moving.overlap(x, y, w, h, rect.x, rect.y, rect.w, rect.h)
end

local function holds(rect, x, y)
  return moving.holds(rect.x, rect.y, rect.w, rect.h, x, y)
end

-- The items that share a cell with the given range of cells, and for which `meets` is true of the
-- rectangle x, y, w, h, in the order of adding.
local function collect(self, filter, meets, x, y, w, h, left, top, right, bottom)
  local search = take(self)
  local items, n = {}, 0
  for i = 1, findNear(self, search, x, y, x + w, y + h) do
    local rect = search.near[i]
    if moving.sharesCell(rect, left, top, right, bottom) and meets(rect, x, y, w, h)
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
  checkRectangle(fn, x, y, w, h)
  checkFilter(fn, filter, ACCEPTS)
  return collect(self, filter, overlaps, x, y, w, h,
    moving.cellsOf(self.cellSize, x, y, w, h))
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
  checkFilter(fn, filter, ACCEPTS)
  local column, row = moving.toCell(self.cellSize, x, y)
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
local MOST_WALKED = 2 ^ 16

-- The cells that bump visits along a segment: the first and last column, by row. nil if they are
-- more than MOST_WALKED.
local function walk(size, x1, y1, x2, y2)
  local column, row = moving.toCell(size, x1, y1)
  local lastColumn, lastRow = moving.toCell(size, x2, y2)
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
    if cells > MOST_WALKED then return nil end
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
  check.coordinate(fn, "x1", x1)
  check.coordinate(fn, "y1", y1)
  check.coordinate(fn, "x2", x2)
  check.coordinate(fn, "y2", y2)
  checkFilter(fn, filter, ACCEPTS)
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
      moving.insert(infos, n, info, isNearer)
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

-- Worlds --------------------------------------------------------------------------

-- The rectangles have only x, y and shape: the world is to read no other field of them.
local FIELDS = {
  angle = false, group = false, static = false, update = false, draw = false, enter = false,
  hit = false, leave = false,
}

-- With smaller cells, different cells far from the origin would get the same number.
local LEAST_CELL = 1e-3

---@param cellSize number? default 64; an item is met only if it shares a cell with the way's box
---@return collide.bump.World
function M.newWorld(cellSize)
  check.dot("bump.newWorld", M, cellSize)
  if cellSize == nil then cellSize = 64 end
  if not check.isCoordinate(cellSize) or cellSize < LEAST_CELL then
    check.fail("bump.newWorld", "cellSize", "positive number from 0.001 to 1e12", cellSize)
  end
  local self = {
    cellSize = cellSize,
    responses = {},
    _world = collide.newWorld { fields = FIELDS },
    _rects = {}, -- by item
    _views = false, -- what `rects` is, once it has been read
    _rows = false, -- what `rows` is, until something changes
    _spare = false, -- a scratch table of searches, see move.lua
  }
  for name, respond in each.pairs(moving.responses) do self.responses[name] = respond end
  return setmetatable(self, newMeta(self))
end

return M
