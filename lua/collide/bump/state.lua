-- Shared by the files of bump's World: checks of arguments, cells, places of rectangles, and the
-- search for items nearby.

local check = require "collide.check"
local core = require "collide.core"

local ceil, floor, huge = math.ceil, math.floor, math.huge
local type = type

local M = {}

-- Arguments.

function M.checkWorld(self, fn)
  if type(self) ~= "table" or not self._rects or not self._world then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

local function checkCoordinate(fn, name, v)
  if not check.isCoordinate(v) then check.fail(fn, name, check.COORDINATE, v) end
end
M.checkCoordinate = checkCoordinate

local function checkRectangle(fn, x, y, w, h)
  checkCoordinate(fn, "x", x)
  checkCoordinate(fn, "y", y)
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
  if right < left then left = huge end
  if bottom < top then top = huge end
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
  local spare = self._spare
  local look = spare[#spare]
  if not look then return { near = {}, seen = setmetatable({}, { __mode = "k" }), serial = 0 } end
  spare[#spare] = nil
  look.serial = look.serial + 1
  return look
end

function M.give(self, look)
  local near = look.near
  for i = 1, #near do near[i] = nil end -- a spare table must not keep items alive
  look.item, look.filter = nil, nil
  self._spare[#self._spare + 1] = look
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
