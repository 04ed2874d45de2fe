-- Overlap of a rectangle or circle with maps of tiles whose cells are convex polygons, by plain
-- arithmetic: products of integers decide everything. It computes no way out, but tests the world's
-- answer.
local M = {}

local Grid = {}
Grid.__index = Grid

--- Like collide.newGrid: a grid of zeros.
function M.newGrid(w, h, options)
  local cell = options.cell
  if type(cell) == "number" then cell = { cell, cell } end
  return setmetatable({ w = w, h = h, cell = cell, x = options.x, y = options.y,
    values = {}, changes = 0 }, Grid)
end

function Grid:set(col, row, value)
  self.values[row * self.w + col] = value
  self.changes = self.changes + 1
end

--- Sets all cells to those of an earlier `values`.
function Grid:load(values)
  self.values, self.changes = values, self.changes + 1
end

--- Like collide.polygon: corners in the order in which the inside lies where `M.side` is above 0.
function M.polygon(corners)
  return { kind = "polygon", corners = corners }
end

--- Like collide.tiles: it shows the grid as it is.
function M.tiles(grid, looks)
  return { kind = "tiles", grid = grid, looks = looks }
end

local FULL = { corners = { 0, 0, 1, 0, 1, 1, 0, 1 } }

local function polygons(tiles)
  local list, grid = {}, tiles.grid
  for row = 0, grid.h - 1 do
    for col = 0, grid.w - 1 do
      local value = grid.values[row * grid.w + col] or 0
      local look = tiles.looks[value]
      if look == nil and value > 0 then look = FULL end
      if look then
        local piece = {}
        for i, v in ipairs(look.corners) do
          piece[i] = i % 2 == 1 and grid.x + (col + v) * grid.cell[1]
            or grid.y + (row + v) * grid.cell[2]
        end
        list[#list + 1] = piece
      end
    end
  end
  return list
end

--- The current polygons of the tiles.
function M.of(tiles)
  if tiles.changes ~= tiles.grid.changes then
    tiles.list, tiles.changes = polygons(tiles), tiles.grid.changes
  end
  return tiles.list
end

--- Whether a body at x, y that moves by dx, dy never comes near the cells.
function M.isFar(body, x, y, dx, dy, tiles)
  local grid, l, t = tiles.grid, x + body.x, y + body.y
  local r, b = l + (body.w or body.r), t + (body.h or body.r)
  if body.kind == "circle" then l, t = l - body.r, t - body.r end
  return r + math.max(0, dx) < grid.x or l + math.min(0, dx) > grid.x + grid.w * grid.cell[1]
    or b + math.max(0, dy) < grid.y or t + math.min(0, dy) > grid.y + grid.h * grid.cell[2]
end

--- The edges of a polygon: from a corner to the next, and the last one to the first.
function M.edges(corners)
  local i = -1
  return function()
    i = i + 2
    local x1, y1 = corners[i], corners[i + 1]
    if x1 then return x1, y1, corners[i + 2] or corners[1], corners[i + 3] or corners[2] end
  end
end

--- The signed distance of a point from an edge, times the edge's length; above 0 on the inner side.
function M.side(x1, y1, x2, y2, x, y)
  return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
end

--- The corner of a rectangle that is farthest to the inside of an edge.
function M.corner(x1, y1, x2, y2, l, t, r, b)
  return y2 - y1 > 0 and l or r, x2 - x1 > 0 and b or t
end

-- Above 0 where they overlap, 0 where they touch, below 0 where they are apart.
local function withRectangle(corners, l, t, r, b)
  local least, left, top, right, bottom = math.huge, math.huge, math.huge, -math.huge, -math.huge
  for x1, y1, x2, y2 in M.edges(corners) do
    least = math.min(least, M.side(x1, y1, x2, y2, M.corner(x1, y1, x2, y2, l, t, r, b)))
    left, right = math.min(left, x1), math.max(right, x1)
    top, bottom = math.min(top, y1), math.max(bottom, y1)
  end
  return math.min(least, right - l, r - left, bottom - t, b - top)
end

local function withCircle(corners, x, y, r)
  local within, best = true, -math.huge
  for x1, y1, x2, y2 in M.edges(corners) do
    local dx, dy = x2 - x1, y2 - y1
    local length, along = dx * dx + dy * dy, (x - x1) * dx + (y - y1) * dy
    local side = M.side(x1, y1, x2, y2, x, y)
    within = within and side > 0
    best = math.max(best, r * r - (x - x1) ^ 2 - (y - y1) ^ 2)
    if along > 0 and along < length then best = math.max(best, r * r * length - side * side) end
  end
  return within and 1 or best
end

-- Whether a body at x, y, made smaller by `less` on every side, overlaps or touches one of the
-- pieces: above 0, or 0.
local function meets(body, x, y, pieces, less)
  local best = -math.huge
  for _, corners in ipairs(pieces) do
    if body.kind == "circle" then
      best = math.max(best, withCircle(corners, x + body.x, y + body.y, body.r - less))
    else
      local l, t = x + body.x, y + body.y
      best = math.max(best, withRectangle(corners, l + less, t + less, l + body.w - less,
        t + body.h - less))
    end
  end
  return best
end

--- The argument of `agrees` for a body at x, y that overlaps or touches pieces. nx, ny and depth
--- are unknown, and so 0.
function M.answer(pieces, body, x, y, open, t)
  return { nx = 0, ny = 0, depth = 0, pieces = pieces, body = body, x = x, y = y, open = open,
    sign = 1, t = t }
end

--- The same answer seen from the tiles.
function M.reversed(hit)
  local back = M.answer(hit.pieces, hit.body, hit.x, hit.y, hit.open, hit.t)
  back.sign, back.slack = -hit.sign, hit.slack
  return back
end

--- The argument of `agrees` for a body at x, y and tiles at 0, 0; nil if they do not overlap.
function M.overlap(body, x, y, tiles, touching)
  if M.isFar(body, x, y, 0, 0, tiles) then return nil end
  local pieces = M.of(tiles)
  local how = meets(body, x, y, pieces, 0)
  if how < 0 or how == 0 and not touching then return nil end
  return M.answer(pieces, body, x, y, how > 0)
end

local CLOSE, WAYS = 1e-6, 12

--- Whether the world's answer is right: a unit vector that frees the body from all pieces, and no
--- shorter one does. Otherwise returns nil and what is wrong.
function M.agrees(hit, nx, ny, depth)
  nx, ny = nx * hit.sign, ny * hit.sign
  if math.abs(nx * nx + ny * ny - 1) > 1e-9 then return nil, "not a unit vector" end
  local body, pieces = hit.body, hit.pieces
  if not hit.open then
    if math.abs(depth) > 1e-9 then return nil, "a depth where they only touch" end
    for _, corners in ipairs(pieces) do
      if meets(body, hit.x, hit.y, { corners }, -CLOSE) > 0
        and meets(body, hit.x + nx / 1000, hit.y + ny / 1000, { corners }, CLOSE) <= 0 then
        return true
      end
    end
    return nil, ("(%.17g, %.17g) leads away from no touched tile"):format(nx, ny)
  end
  if meets(body, hit.x + nx * depth, hit.y + ny * depth, pieces, CLOSE) > 0 then
    return nil, ("(%.17g, %.17g) by %.17g doesn't lead out of tiles"):format(nx, ny, depth)
  end
  for i = 1, WAYS do
    local angle, short = 2 * math.pi * i / WAYS, depth - CLOSE
    if meets(body, hit.x + math.cos(angle) * short, hit.y + math.sin(angle) * short, pieces, 0)
      <= 0 then
      return nil, ("%.17g is no shortest way out of tiles"):format(depth)
    end
  end
  return true
end

return M
