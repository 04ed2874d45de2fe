-- The visible part of a scene's field: all of it, or an enlarged part.

local M = {}

local MOST = 64

---@class collide.Camera
local Camera = {}
Camera.__index = Camera

--- Makes a camera that shows the whole field.
function M.new(width, height)
  return setmetatable({ width = width, height = height, zoom = 1, x = width / 2, y = height / 2 },
    Camera)
end

--- The place of the field on the screen, as large as the given part of the screen allows.
---@return integer x, integer y, number scale if the whole field is visible
function Camera:frame(left, top, width, height)
  local scale = math.min(width / self.width, height / self.height)
  return math.floor(left + (width - scale * self.width) / 2),
    math.floor(top + (height - scale * self.height) / 2), scale
end

-- Only the field is visible.
local function keepInside(self)
  local w, h = self.width / self.zoom / 2, self.height / self.zoom / 2
  self.x = math.max(w, math.min(self.width - w, self.x))
  self.y = math.max(h, math.min(self.height - h, self.y))
end

--- Enlarges by a factor; the point x, y of the field stays where it is on the screen.
function Camera:zoomBy(factor, x, y)
  local before = self.zoom
  self.zoom = math.max(1, math.min(MOST, before * factor))
  local kept = before / self.zoom
  self.x, self.y = x + (self.x - x) * kept, y + (self.y - y) * kept
  keepInside(self)
end

--- Moves the view by dx, dy in units of the field.
function Camera:moveBy(dx, dy)
  self.x, self.y = self.x + dx, self.y + dy
  keepInside(self)
end

--- Shows the whole field again.
function Camera:reset()
  self.zoom, self.x, self.y = 1, self.width / 2, self.height / 2
end

--- The corner of the visible part of the field.
function Camera:corner()
  return self.x - self.width / self.zoom / 2, self.y - self.height / self.zoom / 2
end

return M
