-- Takes a placed shape apart into rectangles, circles, capsules, polygons and lines, and draws them
-- with a brush, on the screen or into a file.
--
-- A brush has `rectangle(mode, l, t, w, h)`, `circle(mode, x, y, r)`, `capsule(mode, x1, y1, x2,
-- y2, r)`, `polygon(mode, points)` and `line(points)`. A brush with `convexOnly` cannot fill a
-- concave polygon, and gets its convex parts. The next call uses the lists of points again.

local core = require "collide.core"

local M = {}

-- The record of each shape. Shapes never change, so each is read only once.
local known = setmetatable({}, { __mode = "k" })

-- Kinds that are read anew each time: tiles show a grid, which changes.
local LIVE = { tiles = true }

local record

local function records(shapes)
  local list = {}
  for i, shape in ipairs(shapes) do list[i] = record(shape) end
  return list
end

--- Whether an actor's angle turns a shape. A shape with the same bounds at these two angles ignores
--- the angle, or is a circle about 0, 0, for which the angle does not matter.
function M.turns(shape)
  local l, t, w, h = shape:bounds(0, 0, 0)
  local l2, t2, w2, h2 = shape:bounds(0, 0, 0.5)
  return l ~= l2 or t ~= t2 or w ~= w2 or h ~= h2
end

-- The key of an edge. Parts of one shape that share an edge have the same ends to the bit.
local function edgeName(x1, y1, x2, y2)
  return ("%.17g %.17g %.17g %.17g"):format(x1, y1, x2, y2)
end

local function eachEdge(r, visit)
  local points = r.points
  local x1, y1 = points[#points - 1], points[#points]
  for i = 1, #points, 2 do
    visit(x1, y1, points[i], points[i + 1])
    x1, y1 = points[i], points[i + 1]
  end
end

local AREAS = { polygon = true, rectangle = true }

-- The pieces of a part's outline that are left without the edges shared with another part, which
-- `has` lists in the other direction; nil if no edge is shared.
local function linesOf(part, has)
  local lines, line, isCut = {}, nil, false
  eachEdge(part, function(x1, y1, x2, y2)
    if has[edgeName(x2, y2, x1, y1)] then
      line, isCut = nil, true
    elseif line then
      table.insert(line, x2)
      table.insert(line, y2)
    else
      line = { x1, y1, x2, y2 }
      table.insert(lines, line)
    end
  end)
  if not isCut then return nil end
  -- A piece that was cut in two where the walk began is joined again.
  local first = lines[1]
  if #lines > 1 and line and line[#line - 1] == first[1] and line[#line] == first[2] then
    for i = 3, #first do table.insert(line, first[i]) end
    table.remove(lines, 1)
  end
  for i, points in ipairs(lines) do lines[i] = { points = points, placed = {} } end
  return lines
end

-- An edge between two parts, such as a cut through a concave polygon, is not part of the outline. A
-- part with such edges gets its other edges as `lines`.
local function findLines(parts)
  local has = {}
  for _, part in ipairs(parts) do
    if AREAS[part.kind] then
      eachEdge(part, function(x1, y1, x2, y2) has[edgeName(x1, y1, x2, y2)] = true end)
    end
  end
  for _, part in ipairs(parts) do
    if AREAS[part.kind] then part.lines = linesOf(part, has) end
  end
end

function record(shape)
  local r = { kind = shape:kind(), turns = M.turns(shape), placed = {} }
  r.l, r.t, r.w, r.h = shape:bounds()
  if r.kind == "circle" or r.kind == "capsule" then r.radius = shape:radius() end
  if r.kind == "compound" or LIVE[r.kind] then
    r.parts = records(shape:parts())
    if r.kind == "compound" then findLines(r.parts) end
    return r
  end
  r.points = shape:points()
  if r.kind == "polygon" then
    local parts = shape:parts()
    if #parts > 1 then r.parts = records(parts) end
  elseif r.kind == "chain" then
    -- An open chain has one segment fewer than points.
    r.closed = #shape:parts() * 2 == #r.points
  end
  return r
end

-- The record's points, turned by an angle with cosine c and sine s, and moved to x, y.
local function place(r, x, y, c, s)
  local from, to = r.points, r.placed
  for i = 1, #from, 2 do
    local px, py = from[i], from[i + 1]
    to[i], to[i + 1] = x + (c * px - s * py), y + (s * px + c * py)
  end
  return to
end

local draw = {}

function draw.rectangle(brush, mode, r, x, y, c, s)
  if c == 1 then
    brush:rectangle(mode, x + r.l, y + r.t, r.w, r.h)
  else
    brush:polygon(mode, place(r, x, y, c, s))
  end
end

function draw.circle(brush, mode, r, x, y, c, s)
  local at = place(r, x, y, c, s)
  brush:circle(mode, at[1], at[2], r.radius)
end

function draw.capsule(brush, mode, r, x, y, c, s)
  local at = place(r, x, y, c, s)
  if at[1] == at[3] and at[2] == at[4] then
    brush:circle(mode, at[1], at[2], r.radius)
  else
    brush:capsule(mode, at[1], at[2], at[3], at[4], r.radius)
  end
end

function draw.segment(brush, _, r, x, y, c, s)
  brush:line(place(r, x, y, c, s))
end

function draw.chain(brush, _, r, x, y, c, s)
  local points = place(r, x, y, c, s)
  if r.closed then
    local n = #r.points
    points[n + 1], points[n + 2] = points[1], points[2]
  end
  brush:line(points)
end

function draw.compound(brush, mode, r, x, y, c, s)
  for _, part in ipairs(r.parts) do
    if mode == "line" and part.lines then
      for _, line in ipairs(part.lines) do brush:line(place(line, x, y, c, s)) end
    else
      draw[part.kind](brush, mode, part, x, y, c, s)
    end
  end
end

draw.tiles = draw.compound

function draw.polygon(brush, mode, r, x, y, c, s)
  if mode == "fill" and brush.convexOnly and r.parts then
    draw.compound(brush, mode, r, x, y, c, s)
  else
    brush:polygon(mode, place(r, x, y, c, s))
  end
end

--- Draws the shape of an actor at x, y with an angle.
---@param brush table
---@param mode "fill"|"line" segments and chains have no inside: they are lines in both modes
---@param shape collide.Shape
---@param x number
---@param y number
---@param angle? number radians
function M.draw(brush, mode, shape, x, y, angle)
  local r = known[shape]
  if not r then
    r = record(shape)
    if not LIVE[r.kind] then known[shape] = r end
  end
  if angle and angle ~= 0 and r.turns then
    draw[r.kind](brush, mode, r, x, y, core.cos(angle), core.sin(angle))
  else
    draw[r.kind](brush, mode, r, x, y, 1, 0)
  end
end

return M
