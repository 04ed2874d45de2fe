-- A replacement for bump.lua 3.1.7, with its interface and its answers. The core (csrc/bump/) finds
-- the items and computes where they meet. It uses bump's own arithmetic, also at seams and where
-- items overlap at the start. Bump returns ties in any order; here the item that was added first
-- comes first.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "bump" ~= ... then return require "collide.bump" end

local check = require "collide.check"
local core = require "collide.core"
local each = require "collide.each"
local moving = require "collide.bump.move"

local checkWorld, checkRectangle, checkFilter, isPlace =
  moving.checkWorld, moving.checkRectangle, moving.checkFilter, moving.isPlace

local type, floor = type, math.floor

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
  _DESCRIPTION = "bump.lua's interface and answers",
  _LICENSE = "MIT",
  rect = moving.rect,
  responses = moving.responses,
}

-- The tables that games and bump_debug.lua read of a world. `pairs` of Lua 5.1 walks only real
-- entries, so these are tables like bump's. They refuse new entries; a write to an old entry is not
-- noticed, and changes nothing in the world.

local READ_ONLY = "world.%s can only be read: change the world by add, remove, update and move"

local guards = {}
for _, name in ipairs { "rects", "rows", "nonEmptyCells" } do
  guards[name] = { __newindex = function() check.raise(READ_ONLY:format(name)) end }
end

-- A readable rectangle, which is always where its item is.
local function viewOf(rect)
  return setmetatable({}, { __index = rect, __newindex = guards.rects.__newindex })
end

-- The rectangles by item. After the first read, add and remove keep the table up to date.
local function rectsOf(self)
  if not self._views then
    local views = {}
    for item, rect in each.pairs(self._rects) do views[item] = viewOf(rect) end
    self._views = setmetatable(views, guards.rects)
  end
  return self._views
end

local function itemsOf(self)
  local way = moving.take(self)
  local items, n = way.search:all(self._items)
  moving.give(self, way, 0)
  return items, n
end

-- All rectangles, in the order of adding, and their items.
local function rectanglesOf(self)
  local list, items, rects = {}, itemsOf(self), self._rects
  for i, item in ipairs(items) do list[i] = rects[item] end
  return list, items
end

-- The most cells that can be listed: more would take all memory.
local MOST_CELLS = 2 ^ 20

local function checkCells(self, fn)
  local n = 0
  for _, rect in ipairs((rectanglesOf(self))) do
    local left, top, right, bottom = self._core:cells(rect[1])
    local columns, rows = right - left + 1.0, bottom - top + 1.0
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
  local changes = self._core:changes()
  if self._rowsAt ~= changes then
    checkCells(self, "world.rows")
    local rows, nonEmpty = setmetatable({}, guards.rows), setmetatable({}, guards.nonEmptyCells)
    local rects, items = rectanglesOf(self)
    for i, rect in ipairs(rects) do
      local left, top, right, bottom = self._core:cells(rect[1])
      for cy = top, bottom do
        for cx = left, right do addToCell(rows, nonEmpty, items[i], cx, cy) end
      end
    end
    self._rows, self._nonEmpty, self._rowsAt = rows, nonEmpty, changes
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
  local rect = { 0, x = x, y = y, w = w, h = h } -- with its slot in the core
  self._rects[item] = false -- allocates the entry before anything changes
  if self._views then rawset(self._views, item, viewOf(rect)) end
  rect[1] = self._search:add(self._items, item, self._list, rect, x, y, w, h)
  self._rects[item] = rect
  return item
end

--- Removes an item. Raises when it is not in this world.
---@param item any
function World:remove(item)
  checkWorld(self, "world:remove")
  local slot = moving.rectangleOf(self, "world:remove", item)[1]
  self._search:remove(slot)
  self._items[slot], self._rects[item] = false, nil
  if self._views then self._views[item] = nil end
end

--- Gives an item another rectangle, even if something is there.
---@param item any
---@param x number
---@param y number
---@param w number? by default unchanged
---@param h number?
function World:update(item, x, y, w, h)
  local fn = "world:update"
  checkWorld(self, fn)
  local rect = moving.rectangleOf(self, fn, item)
  w, h = w or rect.w, h or rect.h
  checkRectangle(fn, x, y, w, h)
  moving.place(self, rect, x, y, w, h)
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
  return self._core:count()
end

---@return any[] items in the order of adding
---@return integer len
function World:getItems()
  checkWorld(self, "world:getItems")
  return itemsOf(self)
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
    local middle = floor((low + high) / 2)
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
  for _, rect in ipairs((rectanglesOf(self))) do
    local left, top, right, bottom = self._core:cells(rect[1])
    if left <= right and top <= bottom then
      waiting[#waiting + 1] = { left = left, top = top, right = right, bottom = bottom }
      edges[#edges + 1], edges[#edges + 2] = top, bottom + 1
    end
  end
  table.sort(waiting, function(a, b) return a.top < b.top end)
  table.sort(edges)
  -- Between two successive edges all rows have the same rectangles.
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
  return floor(n)
end

--- The cell of a point. Cell 1, 1 begins at 0, 0.
---@param x number
---@param y number
---@return integer cx, integer cy
function World:toCell(x, y)
  local size = type(self) == "table" and self.cellSize or checkWorld(self, "world:toCell")
  if not isPlace(x, y) then check.point("world:toCell", x, y) end
  return floor(x / size) + 1, floor(y / size) + 1
end

--- The corner of a cell with the least coordinates.
---@param cx number
---@param cy number
---@return number x, number y
function World:toWorld(cx, cy)
  local size = type(self) == "table" and self.cellSize or checkWorld(self, "world:toWorld")
  if not isPlace(cx, cy) then
    check.coordinate("world:toWorld", "cx", cx)
    check.coordinate("world:toWorld", "cy", cy)
  end
  return (cx - 1) * size, (cy - 1) * size
end

-- Queries -------------------------------------------------------------------------

local ACCEPTS = "function (item) that returns whether it counts"

-- Leaves out those of n items that the filter refuses.
local function kept(items, n, filter)
  if not filter then return items, n end
  local count = 0
  for i = 1, n do
    local item = items[i]
    if filter(item) then
      count = count + 1
      items[count] = item
    end
  end
  for i = n, count + 1, -1 do items[i] = nil end
  return items, count
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
  local way = moving.take(self)
  local items, n = way.search:query(self._items, x, y, w, h)
  moving.give(self, way, 0)
  return kept(items, n, filter)
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
  local way = moving.take(self)
  local items, n = way.search:query(self._items, x, y, 0, 0)
  moving.give(self, way, 0)
  return kept(items, n, filter)
end

-- What a segment passes through, in the order in which the infinite line enters: the items or, with
-- `coords`, the tables that querySegmentWithCoords returns.
local function querySegment(self, fn, x1, y1, x2, y2, filter, coords)
  checkWorld(self, fn)
  check.coordinate(fn, "x1", x1)
  check.coordinate(fn, "y1", y1)
  check.coordinate(fn, "x2", x2)
  check.coordinate(fn, "y2", y2)
  checkFilter(fn, filter, ACCEPTS)
  local way, items = moving.take(self), self._items
  local search, met, names = way.search, way.met, way.names
  local found = search:querySegment(met, items, x1, y1, x2, y2)
  if filter then
    for i = 1, found do names[i] = filter(met[i]) or false end
  end
  local list, n, dx, dy = {}, 0, x2 - x1, y2 - y1
  for i = 1, search:rank() do
    local at, ti1, ti2 = search:passed(i)
    if not filter or names[at] then
      n = n + 1
      if coords then
        list[n] = { item = met[at], ti1 = ti1, ti2 = ti2, x1 = x1 + dx * ti1, y1 = y1 + dy * ti1,
          x2 = x1 + dx * ti2, y2 = y1 + dy * ti2 }
      else
        list[n] = met[at]
      end
    end
  end
  moving.give(self, way, found)
  return list, n
end

--- The items that a segment passes through, in order from its start.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.bump.Accepts?
---@return any[] items, integer len
function World:querySegment(x1, y1, x2, y2, filter)
  return querySegment(self, "world:querySegment", x1, y1, x2, y2, filter)
end

--- As querySegment, with the points where the segment enters and leaves each item.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.bump.Accepts?
---@return collide.bump.SegmentInfo[] infos, integer len
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  return querySegment(self, "world:querySegmentWithCoords", x1, y1, x2, y2, filter, true)
end

-- Where the core has fronts, they do this for the usual arguments, see csrc/lua/bump_front.c.
if core.bumpFront then
  for _, name in ipairs { "add", "remove", "update", "hasItem", "getRect" } do
    World[name] = core.bumpFront(name, World[name])
  end
  for _, name in ipairs { "queryRect", "queryPoint" } do
    World[name] = core.bumpFront(name, World[name], kept)
  end
end

-- Worlds --------------------------------------------------------------------------

---@param cellSize number? default 64; an item is met only if it shares a cell with the way's box
---@return collide.bump.World
function M.newWorld(cellSize)
  check.dot("bump.newWorld", M, cellSize)
  if cellSize == nil then cellSize = 64 end
  if not check.isCoordinate(cellSize) or cellSize < core.BUMP_MIN_CELL then
    check.fail("bump.newWorld", "cellSize", "positive number from 0.001 to 1e12", cellSize)
  end
  local self = {
    cellSize = cellSize,
    responses = {},
    _core = core.newBump(cellSize),
    _spare = false, -- the unused searches, see move.lua
    _rects = {}, -- by item
    _items = {}, -- by slot
    _list = {}, -- their rectangles; that of a removed one until the slot is used again
    _views = false, -- the table `rects`, once it has been read
    _rows = false, -- the table `rows`, as of that number of changes
    _rowsAt = -1,
  }
  self._search = moving.newSearch(self) -- for calls that no finalizer can interrupt
  for name, respond in each.pairs(moving.responses) do self.responses[name] = respond end
  return setmetatable(self, newMeta(self))
end

return M
