-- Converts shapes to the path data of SVG, for pages.

local numeral = require "collide.scene.numeral"
local canvas = require "collide.canvas"

local M = {}

local Brush = {}
Brush.__index = Brush

-- Digits after the point.
local PLACES = 3

local function points(list, n)
  local out = {}
  for i = 1, n or #list do out[i] = numeral.short(list[i], PLACES) end
  return table.concat(out, " ")
end

function Brush:add(mode, text)
  local out = self.out[mode]
  out[#out + 1] = text
end

function Brush:rectangle(mode, l, t, w, h)
  self:add(mode, ("M%sh%sv%sh%sz"):format(points { l, t }, points { w }, points { h },
    points { -w }))
end

function Brush:circle(mode, x, y, r)
  local half = ("a%s 0 1 0 "):format(points { r, r })
  self:add(mode, ("M%s%s%s%s%sz"):format(points { x - r, y }, half, points { 2 * r, 0 }, half,
    points { -2 * r, 0 }))
end

function Brush:capsule(mode, x1, y1, x2, y2, r)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  local nx, ny = -dy / length * r, dx / length * r
  local arc = ("A%s 0 0 1 "):format(points { r, r })
  self:add(mode, ("M%s%s%sL%s%s%sz"):format(points { x1 + nx, y1 + ny }, arc,
    points { x1 - nx, y1 - ny }, points { x2 - nx, y2 - ny }, arc, points { x2 + nx, y2 + ny }))
end

function Brush:polygon(mode, list)
  self:add(mode, "M" .. points(list) .. "z")
end

function Brush:line(list)
  self:add("line", "M" .. points(list))
end

--- The path data of a shape at 0, 0: its filled area, and its outline.
---@param shape collide.Shape
---@return string fill
---@return string line
function M.of(shape)
  local brush = setmetatable({ out = { fill = {}, line = {} } }, Brush)
  canvas.drawShape(brush, "line", shape, 0, 0)
  local line = table.concat(brush.out.line)
  -- In this mode parts without an inside are added to `line` again, so that was read before.
  canvas.drawShape(brush, "fill", shape, 0, 0)
  return table.concat(brush.out.fill), line
end

return M
