-- Draws a picture of a world: every actor and bullet, with some actors marked.

local drawing = require "collide.canvas"
local reader = require "collide.world.reader"
local svg = require "collide.scene.svg"

local placeOf = reader.placeOf

local M = {}

-- The margin around marked actors: at least so many world units, or a multiple of their size.
local LEAST_AROUND, SIZES_AROUND = 50, 1.5

-- Widens a view { left, top, right, bottom } to some bounds.
local function include(view, l, t, w, h)
  view[1], view[2] = math.min(view[1], l), math.min(view[2], t)
  view[3], view[4] = math.max(view[3], l + w), math.max(view[4], t + h)
end

-- The view { left, top, right, bottom }: the field of the world if it has one and all marked actors
-- are in it; else the marked actors with a margin.
local function viewOf(world, marked)
  local view = { math.huge, math.huge, -math.huge, -math.huge }
  for _, actor in ipairs(marked) do
    local shape, x, y, angle = placeOf(actor, world._names)
    include(view, shape:bounds(x, y, angle))
  end
  local w, h = world.width, world.height
  local isInside = w and h
    and view[1] >= 0 and view[2] >= 0 and view[3] <= w and view[4] <= h
  if isInside or not marked[1] then return { 0, 0, w or 800, h or 600 } end
  local size = math.max(view[3] - view[1], view[4] - view[2])
  local around = math.max(LEAST_AROUND, SIZES_AROUND * size)
  return { view[1] - around, view[2] - around, view[3] + around, view[4] + around }
end

local function printName(canvas, world, actor)
  local names = world._names
  local name = names.name and actor[names.name]
  if type(name) ~= "string" and type(name) ~= "number" then return end
  local shape, x, y, angle = placeOf(actor, names)
  local l, t, w, h = shape:bounds(x, y, angle)
  canvas:setColor(0, 0, 0)
  canvas:print(name, l + w / 2, t + h / 2)
end

--- A picture of a world, as SVG.
---@param world collide.World
---@param marked table[] actors, of this world or with its fields, that are drawn in red
---@return string
function M.of(world, marked)
  local view = viewOf(world, marked)
  local canvas = svg.canvas(view[3] - view[1], view[4] - view[2], view[1], view[2])
  local brush, colors = canvas._brush, {}
  for _, actor in ipairs(marked) do colors[actor] = false end -- drawn below, on top
  drawing.drawWorld(brush, world, colors)
  for _, actor in ipairs(marked) do
    drawing.drawActor(brush, world, actor, drawing.MARKED)
    printName(canvas, world, actor)
  end
  return canvas.text()
end

return M
