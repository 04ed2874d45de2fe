-- Plane geometry in plain Lua, by definition, and slow on purpose: the oracle for shapes of every
-- kind. It works on outlines, without decomposition, separating axes or a broad phase.
--
-- A solid is a list of outlines { x1, y1, …, closed =, filled =, r = }: points joined by edges,
-- with `closed` also the last to the first, with `filled` including the area inside; all of it
-- grown by `r`. A convex solid is one outline.
local M = {}

local abs, huge, max, min, sqrt = math.abs, math.huge, math.max, math.min, math.sqrt

--- The solid at x, y, turned about that point.
function M.placed(solid, x, y, angle)
  local c, s = 1, 0
  if angle and angle ~= 0 then c, s = math.cos(angle), math.sin(angle) end
  local out = {}
  for i, outline in ipairs(solid) do
    local moved = { closed = outline.closed, filled = outline.filled, r = outline.r }
    for k = 1, #outline, 2 do
      local px, py = outline[k], outline[k + 1]
      moved[k], moved[k + 1] = x + (c * px - s * py), y + (s * px + c * py)
    end
    out[i] = moved
  end
  return out
end

--- The largest distance of its points from 0, 0.
function M.reach(solid)
  local reach = 0
  for _, outline in ipairs(solid) do
    for k = 1, #outline, 2 do
      reach = max(reach, sqrt(outline[k] ^ 2 + outline[k + 1] ^ 2) + outline.r)
    end
  end
  return reach
end

function M.point(x, y)
  return { { x, y, r = 0 } }
end

function M.circle(x, y, r)
  return { { x, y, r = r } }
end

function M.rectangle(x, y, w, h)
  return { { x, y, x + w, y, x + w, y + h, x, y + h, closed = true, filled = true, r = 0 } }
end

-- Distances ------------------------------------------------------------------------

local function cross(ax, ay, bx, by, cx, cy)
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
end

local function square(px, py, ax, ay, bx, by)
  local dx, dy = bx - ax, by - ay
  local length, t = dx * dx + dy * dy, 0
  if length > 0 then t = max(0, min(1, ((px - ax) * dx + (py - ay) * dy) / length)) end
  local x, y = px - (ax + t * dx), py - (ay + t * dy)
  return x * x + y * y
end

-- The square of the distance between two segments, -1 when they cross.
local function squareApart(ax, ay, bx, by, cx, cy, dx, dy)
  local s, t = cross(ax, ay, bx, by, cx, cy), cross(ax, ay, bx, by, dx, dy)
  local u, v = cross(cx, cy, dx, dy, ax, ay), cross(cx, cy, dx, dy, bx, by)
  if s * t < 0 and u * v < 0 then return -1 end
  return min(square(ax, ay, cx, cy, dx, dy), square(bx, by, cx, cy, dx, dy),
    square(cx, cy, ax, ay, bx, by), square(dx, dy, ax, ay, bx, by))
end

-- The indices of the edges' first and last points. A single point is an edge from itself to itself.
local function edges(outline)
  local from, to, n = {}, {}, #outline
  for k = 1, n - 2, 2 do from[#from + 1], to[#to + 1] = k, k + 2 end
  if n == 2 or outline.closed then from[#from + 1], to[#to + 1] = n - 1, 1 end
  return from, to
end

local function inside(ring, x, y)
  local odd, n = false, #ring
  local px, py = ring[n - 1], ring[n]
  for k = 1, n, 2 do
    local qx, qy = ring[k], ring[k + 1]
    if (py > y) ~= (qy > y) and x < px + (y - py) / (qy - py) * (qx - px) then odd = not odd end
    px, py = qx, qy
  end
  return odd
end

local function outlineGap(a, b)
  if a.filled and inside(a, b[1], b[2]) or b.filled and inside(b, a[1], a[2]) then return -1 end
  local least = huge
  local fromA, toA = edges(a)
  local fromB, toB = edges(b)
  for i, p in ipairs(fromA) do
    local q = toA[i]
    local ax, ay, bx, by = a[p], a[p + 1], a[q], a[q + 1]
    for k, v in ipairs(fromB) do
      local w = toB[k]
      local d = squareApart(ax, ay, bx, by, b[v], b[v + 1], b[w], b[w + 1])
      if d < least then
        if d < 0 then return -1 end
        least = d
      end
    end
  end
  return sqrt(least) - (a.r + b.r)
end

--- The distance between two placed solids; near 0 when they nearly touch, and a negative number,
--- but not the depth, when they overlap.
function M.gap(a, b)
  local least = huge
  for _, p in ipairs(a) do
    for _, q in ipairs(b) do least = min(least, outlineGap(p, q)) end
  end
  return least
end

--- The distance of a point from the boundary of a solid, inside or outside.
function M.rim(x, y, solid)
  local least = huge
  for _, outline in ipairs(solid) do
    local from, to = edges(outline)
    local nearest = huge
    for i, p in ipairs(from) do
      local q = to[i]
      nearest = min(nearest,
        square(x, y, outline[p], outline[p + 1], outline[q], outline[q + 1]))
    end
    least = min(least, abs(sqrt(nearest) - outline.r))
  end
  return least
end

-- The Minkowski difference ------------------------------------------------------------

-- The convex hull of points, counter-clockwise, without collinear points.
local function hull(points)
  table.sort(points, function(p, q)
    if p[1] ~= q[1] then return p[1] < q[1] end
    return p[2] < q[2]
  end)
  local ring = {}
  local function grow(point, least)
    while #ring > least do
      local p, q = ring[#ring - 1], ring[#ring]
      if cross(p[1], p[2], q[1], q[2], point[1], point[2]) > 0 then break end
      ring[#ring] = nil
    end
    ring[#ring + 1] = point
  end
  for i = 1, #points do grow(points[i], 1) end
  local lower = #ring
  for i = #points - 1, 1, -1 do grow(points[i], lower) end
  if #ring > 1 then ring[#ring] = nil end
  return ring
end

-- The hull of all differences b - a of points of the two lists.
local function difference(a, b)
  local points, last = {}, nil
  for i = 1, #a, 2 do
    for k = 1, #b, 2 do points[#points + 1] = { b[k] - a[i], b[k + 1] - a[i + 1] } end
  end
  local ring = hull(points)
  -- Equal points are now adjacent.
  local out = {}
  for _, p in ipairs(ring) do
    if not last or p[1] ~= last[1] or p[2] ~= last[2] then out[#out + 1] = p end
    last = p
  end
  return out
end

--- The depth of 0, 0 in the Minkowski difference of two convex outlines (below 0: outside), and the
--- direction of the nearest point of its boundary.
function M.depth(a, b)
  local ring, r = difference(a, b), a.r + b.r
  local n = #ring
  local within, depth, nx, ny = n > 2, huge, 0, 0
  local out, ox, oy = huge, 0, 0
  for i = 1, n do
    local p, q = ring[i], ring[i % n + 1]
    local ex, ey = q[1] - p[1], q[2] - p[2]
    local length = sqrt(ex * ex + ey * ey)
    if length > 0 then
      local d = (p[1] * ey - p[2] * ex) / length
      if d <= 0 then within = false end
      if d < depth then depth, nx, ny = d, ey / length, -ex / length end
    end
    local t = length > 0 and max(0, min(1, -(p[1] * ex + p[2] * ey) / length ^ 2)) or 0
    local cx, cy = p[1] + t * ex, p[2] + t * ey
    local d = sqrt(cx * cx + cy * cy)
    if d < out then out, ox, oy = d, cx, cy end
  end
  if within then return r + depth, nx, ny end
  if out > 0 then return r - out, -ox / out, -oy / out end
  return r, nx, ny
end

-- Touching, decided exactly ------------------------------------------------------------

local function between(ax, ay, bx, by, x, y)
  return min(ax, bx) <= x and x <= max(ax, bx) and min(ay, by) <= y and y <= max(ay, by)
end

local function segmentsMeet(ax, ay, bx, by, cx, cy, dx, dy)
  local s, t = cross(ax, ay, bx, by, cx, cy), cross(ax, ay, bx, by, dx, dy)
  local u, v = cross(cx, cy, dx, dy, ax, ay), cross(cx, cy, dx, dy, bx, by)
  return s * t < 0 and u * v < 0
    or s == 0 and between(ax, ay, bx, by, cx, cy) or t == 0 and between(ax, ay, bx, by, dx, dy)
    or u == 0 and between(cx, cy, dx, dy, ax, ay) or v == 0 and between(cx, cy, dx, dy, bx, by)
end

local function outlinesMeet(a, b)
  if a.filled and inside(a, b[1], b[2]) or b.filled and inside(b, a[1], a[2]) then return true end
  local fromA, toA = edges(a)
  local fromB, toB = edges(b)
  for i, p in ipairs(fromA) do
    local q = toA[i]
    for k, v in ipairs(fromB) do
      local w = toB[k]
      if segmentsMeet(a[p], a[p + 1], a[q], a[q + 1], b[v], b[v + 1], b[w], b[w + 1]) then
        return true
      end
    end
  end
  return false
end

--- Whether two placed solids without radius have a common point, boundaries included. Exact for
--- coordinates of few bits.
function M.meet(a, b)
  for _, p in ipairs(a) do
    for _, q in ipairs(b) do
      if outlinesMeet(p, q) then return true end
    end
  end
  return false
end

--- Whether edges of two placed solids cross; if not, at how many points a corner of one lies on an
--- edge of the other.
function M.contacts(a, b)
  local seen, n = {}, 0
  local function note(x, y)
    local key = x .. " " .. y
    if not seen[key] then seen[key], n = true, n + 1 end
  end
  for _, p in ipairs(a) do
    local fromP, toP = edges(p)
    for _, q in ipairs(b) do
      local fromQ, toQ = edges(q)
      for i, f in ipairs(fromP) do
        local ax, ay, bx, by = p[f], p[f + 1], p[toP[i]], p[toP[i] + 1]
        for k, g in ipairs(fromQ) do
          local cx, cy, dx, dy = q[g], q[g + 1], q[toQ[k]], q[toQ[k] + 1]
          local s, t = cross(ax, ay, bx, by, cx, cy), cross(ax, ay, bx, by, dx, dy)
          local u, v = cross(cx, cy, dx, dy, ax, ay), cross(cx, cy, dx, dy, bx, by)
          if s * t < 0 and u * v < 0 then return true, 0 end
          if s == 0 and between(ax, ay, bx, by, cx, cy) then note(cx, cy) end
          if t == 0 and between(ax, ay, bx, by, dx, dy) then note(dx, dy) end
          if u == 0 and between(cx, cy, dx, dy, ax, ay) then note(ax, ay) end
          if v == 0 and between(cx, cy, dx, dy, bx, by) then note(bx, by) end
        end
      end
    end
  end
  return false, n
end

-- The directions of all edges, both ways, and of the axes, sorted by angle.
local function directions(...)
  local list = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }
  for _, one in ipairs { ... } do
    for _, outline in ipairs(one) do
      local from, to = edges(outline)
      for i, p in ipairs(from) do
        local x, y = outline[to[i]] - outline[p], outline[to[i] + 1] - outline[p + 1]
        if x ~= 0 or y ~= 0 then
          list[#list + 1], list[#list + 2] = { x, y }, { -x, -y }
        end
      end
    end
  end
  local function half(v) return (v[2] < 0 or v[2] == 0 and v[1] < 0) and 1 or 0 end
  table.sort(list, function(v, w)
    if half(v) ~= half(w) then return half(v) < half(w) end
    return cross(0, 0, v[1], v[2], w[1], w[2]) > 0
  end)
  return list
end

--- Whether 0, 0 lies in the interior of the Minkowski difference of two placed solids: whether they
--- still meet after a tiny move in any direction. One direction between every two directions of
--- edges is enough. Exact for small integers.
function M.meetInside(a, b)
  local list = directions(a, b)
  for i, v in ipairs(list) do
    local w = list[i % #list + 1]
    local x, y = (v[1] + w[1]) / 65536, (v[2] + w[2]) / 65536
    if not M.meet(M.placed(a, x, y), b) then return false end
  end
  return true
end

-- Casts ------------------------------------------------------------------------------

-- The t at which the ray from 0, 0 along dx, dy enters a ring grown by r; or nil.
local function enters(ring, r, dx, dy)
  local n, first = #ring, nil
  for i = 1, n do
    local p, q = ring[i], ring[i % n + 1]
    local ex, ey = q[1] - p[1], q[2] - p[2]
    local length = sqrt(ex * ex + ey * ey)
    if length > 0 then
      local nx, ny = ey / length, -ex / length
      local speed = nx * dx + ny * dy
      if speed < 0 then
        local t = (nx * p[1] + ny * p[2] + r) / speed
        local x, y = t * dx - p[1] - r * nx, t * dy - p[2] - r * ny
        local along = (x * ex + y * ey) / length
        if along >= -1e-12 and along <= length + 1e-12 and t >= 0 and t <= 1 then
          first = min(first or huge, t)
        end
      end
    end
    if r > 0 then
      local a, b = dx * dx + dy * dy, dx * p[1] + dy * p[2]
      local c = p[1] * p[1] + p[2] * p[2] - r * r
      local root = b * b - a * c
      if root >= 0 and a > 0 then
        local t = (b - sqrt(root)) / a
        if t >= 0 and t <= 1 then first = min(first or huge, t) end
      end
    end
  end
  return first
end

--- When `a`, which moves by dx, dy, first touches `b`: t in 0 … 1, or nil; 0 and true when they
--- overlap at the start. Not for solids that touch at the start.
function M.cast(a, dx, dy, b)
  if M.gap(a, b) <= 0 then return 0, true end
  local first
  for _, p in ipairs(a) do
    local fromP, toP = edges(p)
    for _, q in ipairs(b) do
      local fromQ, toQ = edges(q)
      for i, v in ipairs(fromP) do
        for k, w in ipairs(fromQ) do
          local u, x = toP[i], toQ[k]
          local one = u == v and { p[v], p[v + 1] } or { p[v], p[v + 1], p[u], p[u + 1] }
          local two = w == x and { q[w], q[w + 1] } or { q[w], q[w + 1], q[x], q[x + 1] }
          local t = enters(difference(one, two), p.r + q.r, dx, dy)
          if t and t < (first or huge) then first = t end
        end
      end
    end
  end
  return first
end

-- Areas ------------------------------------------------------------------------------

--- The signed area of a ring (a flat list of points).
function M.area(ring)
  local sum, n = 0, #ring
  local px, py = ring[n - 1], ring[n]
  for k = 1, n, 2 do
    sum = sum + px * ring[k + 1] - py * ring[k]
    px, py = ring[k], ring[k + 1]
  end
  return sum / 2
end

--- The common area of a ring, convex or not, and a convex ring. Source: Sutherland and Hodgman
--- (clips by one side after the other).
function M.commonArea(ring, convex)
  local turn = M.area(convex) > 0 and 1 or -1
  local n = #convex
  for k = 1, n, 2 do
    local ax, ay = convex[k], convex[k + 1]
    local bx, by = convex[(k + 1) % n + 1], convex[(k + 2) % n + 1]
    local out, m = {}, #ring
    for i = 1, m, 2 do
      local px, py = ring[i], ring[i + 1]
      local qx, qy = ring[(i + 1) % m + 1], ring[(i + 2) % m + 1]
      local p, q = turn * cross(ax, ay, bx, by, px, py), turn * cross(ax, ay, bx, by, qx, qy)
      if p >= 0 then out[#out + 1], out[#out + 2] = px, py end
      if p < 0 and q > 0 or p > 0 and q < 0 then
        local t = p / (p - q)
        out[#out + 1], out[#out + 2] = px + t * (qx - px), py + t * (qy - py)
      end
    end
    if #out == 0 then return 0 end
    ring = out
  end
  return abs(M.area(ring))
end

return M
