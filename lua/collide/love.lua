-- collide in LÖVE: draws a whole world or a single shape, and makes the canvas for scenes.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "love" ~= ... then return require "collide.love" end

local canvas = require "collide.canvas"
local check = require "collide.check"
local each = require "collide.each"

local atan2 = math.atan2 or math.atan -- luacheck: ignore

---@class collide.love
local M = {}

local graphics = love and love.graphics
local image = love and love.image

-- The brush of all drawing here. Its only state is LÖVE's own.
local brush = { convexOnly = true }

for name, method in each.pairs { color = "setColor", rectangle = "rectangle", circle = "circle",
  polygon = "polygon", line = "line" } do
  brush[name] = function(_, ...) graphics[method](...) end
end

-- The batch draws many copies of a white disc at once. The disc is DISC pixels wide. The batch is
-- made when it is first needed.
local DISC = 64
local batch

local function disc(x, y)
  local dx, dy = x + 0.5 - DISC / 2, y + 0.5 - DISC / 2
  local inside = DISC / 2 - math.sqrt(dx * dx + dy * dy)
  return 1, 1, 1, math.max(0, math.min(1, inside))
end

local function makeBatch()
  local data = image.newImageData(DISC, DISC)
  data:mapPixel(disc)
  return graphics.newSpriteBatch(graphics.newImage(data, { mipmaps = true }), 1000, "stream")
end

-- A game may switch off love.image; then circles are drawn one by one.
if image then
  function brush.beginDiscs()
    batch = batch or makeBatch()
    batch:clear()
  end

  function brush.disc(_, x, y, r)
    local scale = 2 * r / DISC
    batch:add(x, y, 0, scale, scale, DISC / 2, DISC / 2)
  end

  function brush.endDiscs() graphics.draw(batch) end

  function brush.circles(_, centres, r)
    brush.beginDiscs()
    for i = 1, #centres, 2 do brush.disc(_, centres[i], centres[i + 1], r) end
    brush.endDiscs()
  end
end

-- How many edges approximate half a circle.
local STEPS = 16

local corners = {}

-- A capsule is one polygon: overlapping pieces would show in a translucent colour.
function brush.capsule(_, mode, x1, y1, x2, y2, r)
  local start = atan2(y2 - y1, x2 - x1) + math.pi / 2
  local n = 0
  for side = 0, 1 do
    local x, y = side == 0 and x1 or x2, side == 0 and y1 or y2
    for step = 0, STEPS do
      local angle = start + math.pi * (side + step / STEPS)
      corners[n + 1], corners[n + 2] = x + r * math.cos(angle), y + r * math.sin(angle)
      n = n + 2
    end
  end
  graphics.polygon(mode, corners)
end

-- The size of a pixel of the window, in the units of the current transformation.
local function pixel()
  local x0, y0 = graphics.transformPoint(0, 0)
  local x1, y1 = graphics.transformPoint(1, 0)
  local length = math.sqrt((x1 - x0) ^ 2 + (y1 - y0) ^ 2)
  return length > 0 and 1 / length or 1
end

function brush.text(_, text, x, y)
  local size = pixel()
  graphics.print(text, x, y, 0, size, size)
end

-- Raises an error without a window, and for further arguments of `fn` like check.noMore.
local function checkCall(fn, takes, given, ...)
  check.noMore(fn, takes, given, ...)
  if not graphics then check.raise(fn .. " needs love.graphics, which is not there") end
end

--- The canvas for a scene's `draw`. It draws with LÖVE's current font, line width and
--- transformation.
---@return collide.Canvas
function M.canvas(...)
  checkCall("love.canvas", "no arguments", 0, ...)
  return canvas.new(brush)
end

--- Draws one shape in the current colour, as love.graphics.rectangle draws a rectangle.
---@param mode "fill"|"line"
---@param shape collide.Shape
---@param x? number the place of its actor, default 0
---@param y? number
---@param angle? number radians
function M.drawShape(mode, shape, x, y, angle, ...)
  checkCall("love.drawShape", "mode, shape, x, y and angle", 5, ...)
  if x == nil then x = 0 end
  if y == nil then y = 0 end
  canvas.checkShape("love.drawShape", mode, shape, x, y, angle)
  canvas.drawShape(brush, mode, shape, x, y, angle)
end

local OPTIONS = { cells = true, hits = true }
local NONE = {}

---@class collide.DrawOptions
---@field cells? boolean also draw the broad phase's cells
---@field hits? boolean also draw the hits of the last step, in red, with the ways out

--- Draws the shapes of all actors, sensors only in outline, and the bullets of all pools. It does
--- not call the actors' `draw`.
---@param world collide.World
---@param options? collide.DrawOptions
function M.draw(world, options, ...)
  checkCall("love.draw", "a world and a table of options", 2, ...)
  check.world("love.draw", "world", world)
  if options == nil then options = NONE end
  check.keys("love.draw", "option", check.table("love.draw", "options", options), OPTIONS)
  graphics.push("all")
  local size = pixel()
  graphics.setLineWidth(size)
  if options.cells then canvas.drawCells(brush, world) end
  canvas.drawWorld(brush, world, options.hits and canvas.hitColors(world) or NONE)
  if options.hits then canvas.drawHits(brush, world, size) end
  graphics.pop()
end

return M
