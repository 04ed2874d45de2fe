-- Whether rectangles and circles of whole coordinates overlap at some moment of a step, from
-- school geometry: seen from one of them the other goes a straight way, and a rectangle or disc
-- grown by the other is boxes and discs that a point enters. No decision is rounded: fractions are
-- compared by their products, and roots by their squares. Answers are those of oracle.lua with
-- the share `t` of the way.
local oracle = require "spec.support.oracle"

local M = {}

-- Fractions { over, under } with under > 0.
local function less(p, q) return p[1] * q[2] < q[1] * p[2] end

-- While a point that is at p and goes by d is between low and high: nil for never.
local function slab(p, d, low, high, touching)
  if d == 0 then
    if p < low or p > high or not touching and (p == low or p == high) then return nil end
    return { -1e6, 1 }, { 1e6, 1 }
  elseif d < 0 then
    p, d, low, high = -p, -d, -high, -low
  end
  return { low - p, d }, { high - p, d }
end

-- When the point (x, y) on its way enters a box: t, and whether by x and by y.
local function box(x, y, dx, dy, l, t, r, b, touching)
  local inX, outX = slab(x, dx, l, r, touching)
  local inY, outY = slab(y, dy, t, b, touching)
  if not (inX and inY) then return nil end
  local first, last = less(inX, inY) and inY or inX, less(outX, outY) and outX or outY
  local none, all = { 0, 1 }, { 1, 1 }
  if touching and (less(last, first) or less(all, first) or less(last, none)) then return nil end
  if not touching and not (less(first, last) and less(first, all) and less(none, last)) then
    return nil
  end
  return math.max(first[1] / first[2], 0), not less(inX, inY), not less(inY, inX)
end

local function disc(x, y, dx, dy, r, touching)
  local a, b, c = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - r * r
  local root = b * b - a * c
  if b >= 0 or root < 0 or root == 0 and not touching then return nil end
  local late = -b - a -- below the root where it comes to that before the end
  if late > 0 and late * late > root or late >= 0 and late * late == root and not touching then
    return nil
  end
  return (-b - math.sqrt(root)) / a
end

local function sign(v) return v > 0 and 1 or v < 0 and -1 or 0 end

local function rectangles(a, b, x, y, dx, dy, touching)
  local t, byX, byY = box(x + a.x, y + a.y, dx, dy, b.x - a.w, b.y - a.h, b.x + b.w, b.y + b.h,
    touching)
  if not t then return nil end
  local ways = {}
  if byX then ways[#ways + 1] = { -sign(dx), 0 } end
  if byY then ways[#ways + 1] = { 0, -sign(dy) } end
  return { nx = ways[1][1], ny = ways[1][2], depth = 0, ways = ways, cone = true, t = t }
end

local function round(nx, ny, t)
  local length = math.sqrt(nx * nx + ny * ny)
  nx, ny = nx / length, ny / length
  return { nx = nx, ny = ny, depth = 0, ways = { { nx, ny } }, t = t }
end

local function circles(a, b, x, y, dx, dy, touching)
  local px, py = x + a.x - b.x, y + a.y - b.y
  local t = disc(px, py, dx, dy, a.r + b.r, touching)
  return t and round(px + t * dx, py + t * dy, t)
end

local function circleRectangle(a, b, x, y, dx, dy, touching)
  local px, py, r, w, h = x + a.x - b.x, y + a.y - b.y, a.r, b.w, b.h
  local t
  local function take(other)
    if other and not (t and t <= other) then t = other end
  end
  take((box(px, py, dx, dy, -r, 0, w + r, h, touching)))
  take((box(px, py, dx, dy, 0, -r, w, h + r, touching)))
  take(disc(px, py, dx, dy, r, touching))
  take(disc(px - w, py, dx, dy, r, touching))
  take(disc(px, py - h, dx, dy, r, touching))
  take(disc(px - w, py - h, dx, dy, r, touching))
  if not t then return nil end
  px, py = px + t * dx, py + t * dy
  return round(px - math.max(0, math.min(w, px)), py - math.max(0, math.min(h, py)), t)
end

--- nil, or how `a`, at ax, ay (relative to b) and on its way by dx, dy, first touches b, if the
--- two then overlap (with `touching`: touch) and do not do so at the start.
function M.meet(a, b, ax, ay, dx, dy, touching)
  if oracle.overlap(a, ax, ay, b, 0, 0, touching) or dx == 0 and dy == 0 then return nil end
  if a.kind == "rectangle" and b.kind == "rectangle" then
    return rectangles(a, b, ax, ay, dx, dy, touching)
  elseif a.kind == "circle" and b.kind == "circle" then
    return circles(a, b, ax, ay, dx, dy, touching)
  elseif a.kind == "circle" then
    return circleRectangle(a, b, ax, ay, dx, dy, touching)
  end
  return oracle.reversed(circleRectangle(b, a, -ax, -ay, -dx, -dy, touching))
end

return M
