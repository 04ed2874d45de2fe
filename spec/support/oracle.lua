-- Overlap of rectangles and circles at angle 0, by definition: the depth of the origin in the
-- Minkowski difference, and the nearest way out.
-- Shapes are { kind = "rectangle", x, y, w, h } or { kind = "circle", x, y, r }; one of the two may
-- be tiles (pieces.lua).
--
-- An answer is { nx, ny, depth, ways, cone, any }: `ways` lists all directions that are equally
-- short; with `cone` these include every direction between them, with `any` every direction.
local pieces = require "spec.support.pieces"

local M = {}

function M.rectangle(...)
  local x, y, w, h = ...
  if select("#", ...) == 2 then x, y, w, h = 0, 0, x, y end
  return { kind = "rectangle", x = x, y = y, w = w, h = h }
end

function M.circle(...)
  local x, y, r = ...
  if select("#", ...) == 1 then x, y, r = 0, 0, x end
  return { kind = "circle", x = x, y = y, r = r }
end

local function answer(depth, ways, cone)
  return { nx = ways[1][1], ny = ways[1][2], depth = depth, ways = ways, cone = cone }
end

local function shortest(left, right, up, down)
  local exits = { { -1, 0, left }, { 1, 0, right }, { 0, -1, up }, { 0, 1, down } }
  local depth = math.min(left, right, up, down)
  local ways = {}
  for _, e in ipairs(exits) do
    if e[3] <= depth + 1e-9 then ways[#ways + 1] = e end
  end
  return depth, ways
end

local function rectangles(a, ax, ay, b, bx, by, touching)
  local al, at, ar, ab = ax + a.x, ay + a.y, ax + (a.x + a.w), ay + (a.y + a.h)
  local bl, bt, br, bb = bx + b.x, by + b.y, bx + (b.x + b.w), by + (b.y + b.h)
  local open = al < br and bl < ar and at < bb and bt < ab
  local closed = al <= br and bl <= ar and at <= bb and bt <= ab
  if not (open or touching and closed) then return nil end
  local depth, ways = shortest(ar - bl, br - al, ab - bt, bb - at)
  return answer(depth, ways, depth == 0)
end

local function circles(a, ax, ay, b, bx, by, touching)
  local dx, dy = (ax + a.x) - (bx + b.x), (ay + a.y) - (by + b.y)
  local reach, square = a.r + b.r, dx * dx + dy * dy
  if square > reach * reach or square == reach * reach and not touching then return nil end
  local d = math.sqrt(square)
  if d == 0 then return { nx = 1, ny = 0, depth = reach, ways = {}, any = true } end
  return answer(reach - d, { { dx / d, dy / d } })
end

-- How circle a gets free of rectangle b.
local function circleRectangle(a, ax, ay, b, bx, by, touching)
  local x, y = ax + a.x, ay + a.y
  local l, t, r, bottom = bx + b.x, by + b.y, bx + (b.x + b.w), by + (b.y + b.h)
  if x >= l and x <= r and y >= t and y <= bottom then
    local depth, ways = shortest(x - l, r - x, y - t, bottom - y)
    return answer(depth + a.r, ways, depth == 0)
  end
  local dx = x - math.max(l, math.min(r, x))
  local dy = y - math.max(t, math.min(bottom, y))
  local square = dx * dx + dy * dy
  if square > a.r * a.r or square == a.r * a.r and not touching then return nil end
  local d = math.sqrt(square)
  return answer(a.r - d, { { dx / d, dy / d } })
end

--- The same answer seen from the other shape.
function M.reversed(hit)
  if not hit then return nil end
  if hit.pieces then return pieces.reversed(hit) end
  local ways = {}
  for i, way in ipairs(hit.ways) do ways[i] = { -way[1], -way[2] } end
  return { nx = -hit.nx, ny = -hit.ny, depth = hit.depth, ways = ways,
    cone = hit.cone, any = hit.any, t = hit.t, slack = hit.slack }
end

--- How the first shape gets free of the second; nil without overlap.
function M.overlap(a, ax, ay, b, bx, by, touching)
  if b.kind == "tiles" then return pieces.overlap(a, ax - bx, ay - by, b, touching) end
  if a.kind == "tiles" then
    return M.reversed(pieces.overlap(b, bx - ax, by - ay, a, touching))
  end
  if a.kind == "rectangle" and b.kind == "rectangle" then
    return rectangles(a, ax, ay, b, bx, by, touching)
  elseif a.kind == "circle" and b.kind == "circle" then
    return circles(a, ax, ay, b, bx, by, touching)
  elseif a.kind == "circle" then
    return circleRectangle(a, ax, ay, b, bx, by, touching)
  end
  return M.reversed(circleRectangle(b, bx, by, a, ax, ay, touching))
end

--- Whether nx, ny, depth and, if there is one, the fraction `t` of the way are a right answer where
--- the oracle's answer is `hit`. Otherwise returns nil and what is wrong.
function M.agrees(hit, nx, ny, depth, t)
  local function wrong(what)
    return nil, ("%s: got (%s, %s) by %s, the oracle says (%s, %s) by %s"):format(what,
      tostring(nx), tostring(ny), tostring(depth),
      tostring(hit.nx), tostring(hit.ny), tostring(hit.depth))
  end
  local slack = hit.slack or 1e-9
  if (t and hit.t and math.abs(t - hit.t) or 0) > slack or not t ~= not hit.t then
    return wrong(("t is %s, not %s"):format(tostring(t), tostring(hit.t)))
  end
  if hit.pieces then return pieces.agrees(hit, nx, ny, depth) end
  if not (type(depth) == "number" and math.abs(depth - hit.depth) <= 1e-9) then
    return wrong("depth")
  end
  local unit = math.abs(nx * nx + ny * ny - 1) <= 1e-9
  if not unit then return wrong("not a unit vector") end
  if hit.any then return true end
  local between = hit.cone
  for _, way in ipairs(hit.ways) do
    if math.abs(way[1] - nx) <= slack and math.abs(way[2] - ny) <= slack then return true end
    if way[1] * nx + way[2] * ny < -1e-9 then between = false end
  end
  if between and #hit.ways > 1 then return true end
  return wrong("direction")
end

return M
