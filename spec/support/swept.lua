-- When a moving circle first touches an object at rest, by elementary geometry. A shape grown by
-- the circle's radius is a union of discs and boxes. A point enters a disc at the root of a
-- quadratic, and a box at the last of the edges that it crosses.
local pieces = require "spec.support.pieces"

local edges = pieces.edges

local M = {}

-- The fraction of the way from (x, y) by (dx, dy) at which a point is first within r of (cx, cy);
-- nil if it never is.
local function disc(x, y, dx, dy, cx, cy, r)
  local px, py = x - cx, y - cy
  local c = px * px + py * py - r * r
  if c <= 0 then return 0 end
  local a, b = dx * dx + dy * dy, px * dx + py * dy
  local root = b * b - a * c
  if a == 0 or b >= 0 or root < 0 then return nil end
  local t = c / (-b + math.sqrt(root))
  return t <= 1 and t or nil
end

-- The same for a box by its edges.
local function box(x, y, dx, dy, l, t, r, b)
  local enter, leave = 0, 1
  for axis = 1, 2 do
    local p, d = axis == 1 and x or y, axis == 1 and dx or dy
    local low, high = axis == 1 and l or t, axis == 1 and r or b
    if d == 0 then
      if p < low or p > high then return nil end
    else
      local first, last = (low - p) / d, (high - p) / d
      if first > last then first, last = last, first end
      enter, leave = math.max(enter, first), math.min(leave, last)
    end
  end
  return enter <= leave and enter or nil
end

local function least(...)
  local best
  for i = 1, select("#", ...) do
    local t = (select(i, ...))
    if t and (not best or t < best) then best = t end
  end
  return best
end

-- Turns a vector into the frame of an object with an angle.
local function toLocal(x, y, angle)
  local s, c = math.sin(angle), math.cos(angle)
  return c * x + s * y, -s * x + c * y
end

local kinds = {}

function kinds.circle(x, y, dx, dy, r, target)
  return disc(x, y, dx, dy, 0, 0, r + target.r)
end

function kinds.rectangle(x, y, dx, dy, r, target)
  local w, h = target.w, target.h
  return least(
    box(x, y, dx, dy, -r, 0, w + r, h), box(x, y, dx, dy, 0, -r, w, h + r),
    disc(x, y, dx, dy, 0, 0, r), disc(x, y, dx, dy, w, 0, r),
    disc(x, y, dx, dy, 0, h, r), disc(x, y, dx, dy, w, h, r))
end

-- From 0, 0 to w, 0.
function kinds.segment(x, y, dx, dy, r, target)
  return least(box(x, y, dx, dy, 0, -r, target.w, r), disc(x, y, dx, dy, 0, 0, r),
    disc(x, y, dx, dy, target.w, 0, r))
end

-- Corners are in the order in which the inside lies to the right of each edge, with y pointing
-- down.
local function touchPolygon(x, y, dx, dy, r, corners)
  local best, within = nil, true
  for x1, y1, x2, y2 in edges(corners) do
    local ex, ey = x2 - x1, y2 - y1
    local length = math.sqrt(ex * ex + ey * ey)
    local c, s = ex / length, ey / length
    local px, py = c * (x - x1) + s * (y - y1), c * (y - y1) - s * (x - x1)
    local t = kinds.segment(px, py, c * dx + s * dy, c * dy - s * dx, r, { w = length })
    best = least(best, t)
    within = within and py >= 0
  end
  return within and 0 or best
end

-- `polygons` lists the corners of convex polygons, each within left, top, right and bottom.
function kinds.tiles(x, y, dx, dy, r, target)
  local best
  local left, right = math.min(x, x + dx) - r, math.max(x, x + dx) + r
  local top, bottom = math.min(y, y + dy) - r, math.max(y, y + dy) + r
  for _, corners in ipairs(target.polygons) do
    if corners.left <= right and corners.right >= left and corners.top <= bottom
      and corners.bottom >= top then
      best = least(best, touchPolygon(x, y, dx, dy, r, corners))
    end
  end
  return best
end

--- When a circle of radius r that moves from x, y to u, v first touches `target`: a fraction of the
--- way, or nil. The target moves from ox, oy to x, y with a fixed angle. `target.kind` is circle
--- (r), rectangle (w, h; from its corner), segment (w; from its end) or tiles (polygons, not
--- turned).
function M.touch(x, y, u, v, r, target)
  local mx, my = target.x - target.ox, target.y - target.oy
  local px, py = toLocal(x - target.ox, y - target.oy, target.angle)
  local dx, dy = toLocal(u - x - mx, v - y - my, target.angle)
  return kinds[target.kind](px, py, dx, dy, r, target)
end

--- Whether the circle touches the target where both end.
function M.inside(u, v, r, target)
  local px, py = toLocal(u - target.x, v - target.y, target.angle)
  return kinds[target.kind](px, py, 0, 0, r, target) ~= nil
end

local nearest = {}

function nearest.circle() return 0, 0 end

function nearest.rectangle(x, y, target)
  return math.max(0, math.min(target.w, x)), math.max(0, math.min(target.h, y))
end

function nearest.segment(x, _, target)
  return math.max(0, math.min(target.w, x)), 0
end

function nearest.tiles(x, y, target)
  local best, bestX, bestY = math.huge, nil, nil
  for _, corners in ipairs(target.polygons) do
    for x1, y1, x2, y2 in edges(corners) do
      local ex, ey = x2 - x1, y2 - y1
      local t = math.max(0, math.min(1, ((x - x1) * ex + (y - y1) * ey) / (ex * ex + ey * ey)))
      local px, py = x1 + t * ex, y1 + t * ey
      local far = (x - px) ^ 2 + (y - py) ^ 2
      if far < best then best, bestX, bestY = far, px, py end
    end
  end
  return bestX, bestY
end

--- The unit vector from the nearest point of `target`, at its current place, to (u, v), which is
--- outside the target.
function M.normal(u, v, target)
  local px, py = toLocal(u - target.x, v - target.y, target.angle)
  local qx, qy = nearest[target.kind](px, py, target)
  local nx, ny = toLocal(px - qx, py - qy, -target.angle)
  local length = math.sqrt(nx * nx + ny * ny)
  return nx / length, ny / length
end

return M
