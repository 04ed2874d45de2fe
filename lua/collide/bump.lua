-- The interface and answers of bump.lua 3.1.7 over a world of collide, for games that were written
-- for it. The world's broad phase finds the items near a move, and bump's own arithmetic computes
-- where they meet, including at seams and for items that overlap at the start. Bump returns ties in
-- any order; here the item that was added first comes first.

local collide = require "collide"
local check = require "collide.check"
local moving = require "collide.bumpmove"
local queries = require "collide.bumpquery"
local rectangles = require "collide.bumprect"
local state = require "collide.bumpstate"
local each = require "collide.each"

local checkWorld = state.checkWorld

---@class collide.bump.World
---@field cellSize number
---@field rects table<any, collide.bump.Rectangle> by item
---@field responses table<any, collide.bump.Response> by name
local World = {}
World.__index = World

for _, part in ipairs { moving.methods, queries } do
  for name, method in each.pairs(part) do World[name] = method end
end

---@class collide.bump
local M = {
  _VERSION = "bump v3.1.7",
  _URL = "https://github.com/kikito/bump.lua",
  _DESCRIPTION = "bump.lua's interface and answers, over a world of collide",
  _LICENSE = "MIT",
  rect = rectangles.rect,
  responses = moving.responses,
}

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
  if self.rects[item] then check.fail(fn, "item", "item that is not in this world yet", item) end
  state.checkRectangle(fn, x, y, w, h)
  self.rects[item] = false -- allocates the entry before anything changes
  self.rects[item] = self._world:add(state.newRectangle(self, item, x, y, w, h))
  return item
end

--- Removes an item. Raises when it is not in this world.
---@param item any
function World:remove(item)
  checkWorld(self, "world:remove")
  self._world:remove(state.rectangleOf(self, "world:remove", item))
  self.rects[item] = nil
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
  local rect = state.rectangleOf(self, fn, item)
  state.update(self, fn, rect, x, y, w or rect.w, h or rect.h)
end

---@param item any
---@return boolean
function World:hasItem(item)
  checkWorld(self, "world:hasItem")
  return self.rects[item] and true or false
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
  local rect = state.rectangleOf(self, "world:getRect", item)
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
  return math.floor(n)
end

--- The cell of a point. Cell 1, 1 begins at 0, 0.
---@param x number
---@param y number
---@return integer cx, integer cy
function World:toCell(x, y)
  local fn = "world:toCell"
  checkWorld(self, fn)
  state.checkCoordinate(fn, "x", x)
  state.checkCoordinate(fn, "y", y)
  return state.toCell(self.cellSize, x, y)
end

--- The corner of a cell with the least coordinates.
---@param cx number
---@param cy number
---@return number x, number y
function World:toWorld(cx, cy)
  local fn = "world:toWorld"
  checkWorld(self, fn)
  state.checkCoordinate(fn, "cx", cx)
  state.checkCoordinate(fn, "cy", cy)
  return (cx - 1) * self.cellSize, (cy - 1) * self.cellSize
end

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
  local self = setmetatable({
    cellSize = cellSize,
    rects = {},
    responses = {},
    _world = collide.newWorld { fields = FIELDS },
    _spare = {}, -- scratch tables of searches, see bumpstate.lua
  }, World)
  for name, respond in each.pairs(moving.responses) do self.responses[name] = respond end
  return self
end

return M
