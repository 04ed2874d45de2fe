-- The app's colours and fonts, and functions that write text.

local graphics = love.graphics

local M = {}

M.GROUND = { 0.925, 0.92, 0.905 }
M.EDGE = { 0.80, 0.79, 0.77 }
M.TEXT = { 0.16, 0.18, 0.21 }
M.MUTED = { 0.48, 0.49, 0.50 }
M.ACCENT = { 0.16, 0.40, 0.72 }
M.ALARM = { 0.74, 0.16, 0.13 }
M.CHOSEN = { 0.985, 0.98, 0.965 }

M.SMALL = graphics.newFont(11)
M.NORMAL = graphics.newFont(13)
M.LARGE = graphics.newFont(22)

--- Writes text; with a width, it is wrapped and aligned in it.
---@param align? "left"|"right"|"center"
function M.write(text, x, y, color, font, width, align)
  graphics.setColor(color)
  graphics.setFont(font or M.NORMAL)
  if width then
    graphics.printf(text, x, y, width, align or "left")
  else
    graphics.print(text, x, y)
  end
end

--- The height of `text` when it is wrapped to `width`.
function M.height(text, font, width)
  local _, lines = font:getWrap(text, width)
  return #lines * font:getHeight()
end

return M
