-- The shapes of a replay: a picture of each shape that a frame shows, as path data.

local canvas = require "collide.canvas"
local path = require "collide.scene.path"

local M = {}

-- A map with more than MANY_PARTS parts is checked for changes only every SELDOM frames.
local MANY_PARTS, SELDOM = 256, 30

--- Makes the state of a replay's shapes.
---@return table
function M.new()
  return { list = {}, numbers = {}, maps = {} }
end

--- Adds the picture of a shape.
---@param shapes table from M.new
---@param shape collide.Shape
---@return integer number
function M.add(shapes, shape)
  local fill, line = path.of(shape)
  local n = #shapes.list + 1
  shapes.list[n] = { fill, fill ~= line and line or 0, canvas.turns(shape) and 1 or 0 }
  return n
end

-- The number of a map's picture, which changes with its grid.
local function mapNumber(shapes, shape, frame)
  local map = shapes.maps[shape]
  if map and map.parts > MANY_PARTS and frame % SELDOM ~= 0 then return map.number end
  local fill = path.of(shape)
  if not map or map.fill ~= fill then
    map = { fill = fill, number = M.add(shapes, shape), parts = #shape:parts() }
    shapes.maps[shape] = map
  end
  return map.number
end

--- The number of a shape's picture.
---@param shapes table from M.new
---@param shape collide.Shape
---@param frame integer counted from 0
---@return integer
function M.numberOf(shapes, shape, frame)
  local number = shapes.numbers[shape]
  if number then return number end
  if shape:kind() == "tiles" then return mapNumber(shapes, shape, frame) end
  number = M.add(shapes, shape)
  shapes.numbers[shape] = number
  return number
end

return M
