-- Whether rectangles and circles with integer coordinates overlap at some moment of a step, by
-- elementary geometry. Relative to one of them the other moves in a straight line. One shape grown
-- by the other is a union of boxes and discs, which a point enters. No decision is rounded:
-- fractions are compared by cross products, and roots by their squares. Answers are like those of
-- oracle.lua, with the fraction `t` of the way. Tiles are tested as convex polygons, one by one.
local oracle = require "spec.support.oracle"
local pieces = require "spec.support.pieces"

local M = {}

-- Fractions { over, under } with under > 0.
local function less(p, q) return p[1] * q[2] < q[1] * p[2] end

-- The interval of time in which a point that starts at p and moves by d is between low and high;
-- nil for never.
local function slab(p, d, low, high, touching)
  if d == 0 then
    if p < low or p > high or not touching and (p == low or p == high) then return nil end
    return { -1e6, 1 }, { 1e6, 1 }
  elseif d < 0 then
    p, d, low, high = -p, -d, -high, -low
  end
  return { low - p, d }, { high - p, d }
end

-- The fraction of the way at which an interval begins, if that is within this step.
local function beginning(first, last, touching)
  if not first then return nil end
  local none, all = { 0, 1 }, { 1, 1 }
  if touching and (less(last, first) or less(all, first) or less(last, none)) then return nil end
  if not touching and not (less(first, last) and less(first, all) and less(none, last)) then
    return nil
  end
  return math.max(first[1] / first[2], 0)
end

-- When the point (x, y) on its way enters a box: t, and whether by x and by y.
local function box(x, y, dx, dy, l, t, r, b, touching)
  local inX, outX = slab(x, dx, l, r, touching)
  local inY, outY = slab(y, dy, t, b, touching)
  if not (inX and inY) then return nil end
  local begins = beginning(less(inX, inY) and inY or inX, less(outX, outY) and outX or outY,
    touching)
  if not begins then return nil end
  return begins, not less(inX, inY), not less(inY, inX)
end

-- When it enters a disc about 0, 0: t, and whether it only grazes it.
local function disc(x, y, dx, dy, r, touching)
  local a, b, c = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - r * r
  local root = b * b - a * c
  if b >= 0 or root < 0 or root == 0 and not touching then return nil end
  local late = -b - a -- below the root if the point gets there before the end
  if late > 0 and late * late > root or late >= 0 and late * late == root and not touching then
    return nil
  end
  return (-b - math.sqrt(root)) / a, root == 0
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

-- The answer for a round contact. Where the way grazes, the last bits of a distance decide the
-- seventh digit of t, so the answer is marked.
local function round(nx, ny, t, grazes)
  local length = math.sqrt(nx * nx + ny * ny)
  nx, ny = nx / length, ny / length
  return { nx = nx, ny = ny, depth = 0, ways = { { nx, ny } }, t = t,
    slack = grazes and 1e-6 or nil }
end

-- The earlier of two moments, with its mark. If the same moment is a graze as well as the border of
-- a box, as where a circle passes the end of a side along the other one, it is a graze: until then
-- the corner is the nearest point, whose distance falls to the radius without a slope.
local function earlier(t, mark, other, otherMark)
  if not other or t and t < other then return t, mark end
  if t == other then return t, mark or otherMark end
  return other, otherMark
end

local function circles(a, b, x, y, dx, dy, touching)
  local px, py = x + a.x - b.x, y + a.y - b.y
  local t, grazes = disc(px, py, dx, dy, a.r + b.r, touching)
  return t and round(px + t * dx, py + t * dy, t, grazes)
end

local function circleRectangle(a, b, x, y, dx, dy, touching)
  local px, py, r, w, h = x + a.x - b.x, y + a.y - b.y, a.r, b.w, b.h
  local t, grazes
  local function take(other, only)
    t, grazes = earlier(t, grazes, other, only)
  end
  take((box(px, py, dx, dy, -r, 0, w + r, h, touching)))
  take((box(px, py, dx, dy, 0, -r, w, h + r, touching)))
  take(disc(px, py, dx, dy, r, touching))
  take(disc(px - w, py, dx, dy, r, touching))
  take(disc(px, py - h, dx, dy, r, touching))
  take(disc(px - w, py - h, dx, dy, r, touching))
  if not t then return nil end
  px, py = px + t * dx, py + t * dy
  return round(px - math.max(0, math.min(w, px)), py - math.max(0, math.min(h, py)), t,
    grazes)
end

-- Narrows the interval from first to last to the times t at which over + t * change is above 0
-- (with `touching`: at least 0); nil when nothing is left.
local function narrow(first, last, over, change, touching)
  if not first or change == 0 and (over < 0 or over == 0 and not touching) then return nil end
  if change > 0 and less(first, { -over, change }) then first = { -over, change } end
  if change < 0 and less({ over, -change }, last) then last = { over, -change } end
  return first, last
end

local function rectangleMeets(corners, a, x, y, dx, dy, touching)
  local l, t, r, b = x + a.x, y + a.y, x + a.x + a.w, y + a.y + a.h
  local first, last = { -1e6, 1 }, { 1e6, 1 }
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for x1, y1, x2, y2 in pieces.edges(corners) do
    local over = pieces.side(x1, y1, x2, y2, pieces.corner(x1, y1, x2, y2, l, t, r, b))
    first, last = narrow(first, last, over, (x2 - x1) * dy - (y2 - y1) * dx, touching)
    left, right = math.min(left, x1), math.max(right, x1)
    top, bottom = math.min(top, y1), math.max(bottom, y1)
  end
  first, last = narrow(first, last, right - l, -dx, touching)
  first, last = narrow(first, last, r - left, dx, touching)
  first, last = narrow(first, last, bottom - t, -dy, touching)
  first, last = narrow(first, last, b - top, dy, touching)
  return beginning(first, last, touching)
end

-- When a circle meets a polygon from outside: the grown polygon has a disc at each corner, and a
-- box along each edge.
local function circleMeets(corners, a, x, y, dx, dy, touching)
  local best, slack
  local px, py, r = x + a.x, y + a.y, a.r
  for x1, y1, x2, y2 in pieces.edges(corners) do
    local t, grazes = disc(px - x1, py - y1, dx, dy, r, touching)
    best, slack = earlier(best, slack, t, grazes and 1e-6 or nil)
    local ex, ey = x2 - x1, y2 - y1
    local square = ex * ex + ey * ey
    local along, goes = (px - x1) * ex + (py - y1) * ey, dx * ex + dy * ey
    local side, sinks = pieces.side(x1, y1, x2, y2, px, py), ex * dy - ey * dx
    local first, last = narrow({ -1e6, 1 }, { 1e6, 1 }, along, goes, touching)
    first, last = narrow(first, last, square - along, -goes, touching)
    first, last = narrow(first, last, side + r * math.sqrt(square), sinks, touching)
    first, last = narrow(first, last, -side, -sinks, touching)
    best, slack = earlier(best, slack, beginning(first, last, touching))
  end
  return best, slack
end

local function withTiles(a, tiles, x, y, dx, dy, touching)
  if pieces.isFar(a, x, y, dx, dy, tiles) then return nil end
  local best, slack
  local list = pieces.of(tiles)
  local meets = a.kind == "circle" and circleMeets or rectangleMeets
  for _, corners in ipairs(list) do
    best, slack = earlier(best, slack, meets(corners, a, x, y, dx, dy, touching))
  end
  if not best then return nil end
  local hit = pieces.answer(list, a, x + best * dx, y + best * dy, false, best)
  hit.slack = slack
  return hit
end

--- How `a`, which starts at ax, ay relative to b and moves by dx, dy, first touches b; nil if the
--- two overlap at the start, or do not overlap on the way (with `touching`: touch).
function M.meet(a, b, ax, ay, dx, dy, touching)
  if oracle.overlap(a, ax, ay, b, 0, 0, touching) or dx == 0 and dy == 0 then return nil end
  if b.kind == "tiles" then return withTiles(a, b, ax, ay, dx, dy, touching) end
  if a.kind == "tiles" then
    return oracle.reversed(withTiles(b, a, -ax, -ay, -dx, -dy, touching))
  end
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
