-- Makes shapes of Tiled's objects: both objects in layers and the collision shapes of tiles.

local core = require "collide.core"
local check = require "collide.check"
local grids = require "collide.grid"
local read = require "collide.tiled.read"

local M = {}

local sin, cos, PI = core.sin, core.cos, math.pi

-- The corners of the polygon that approximates an ellipse: as many as a tile's shape may have.
local CORNERS = 16

-- The radius of a point object, which has no size in Tiled: it becomes a circle one pixel wide.
local POINT = 0.5

-- A corner within SNAP pixels of the border of a cell is moved onto it, since Tiled writes few
-- digits. All corners are rounded to 1 / PARTS of a cell, so that those of neighbours meet however
-- the tiles are flipped.
local SNAP, PARTS = 0.01, 2 ^ 30

local function ellipse(w, h)
  local points = {}
  for i = 0, CORNERS - 1 do
    local angle = 2 * PI * i / CORNERS
    points[2 * i + 1], points[2 * i + 2] = w / 2 * (1 + cos(angle)), h / 2 * (1 + sin(angle))
  end
  return points
end

local function corners(where, object, name)
  local points = {}
  for i, point in ipairs(read.tables(where, object, name)) do
    points[2 * i - 1] = read.number(where, point, "x")
    points[2 * i] = read.number(where, point, "y")
  end
  return points
end

local makers = {}

function makers.rectangle(where, object)
  return core.rectangle(read.size(where, object, "width"), read.size(where, object, "height"))
end

-- A circle that is stretched unequally becomes a polygon.
function makers.ellipse(where, object, isStretched)
  local w, h = read.size(where, object, "width"), read.size(where, object, "height")
  if w == h and not isStretched then return core.circle(w / 2, w / 2, w / 2) end
  return core.polygon(ellipse(w, h))
end

function makers.capsule(where, object, isStretched)
  local w, h = read.size(where, object, "width"), read.size(where, object, "height")
  if isStretched then read.refuse(where, "a capsule cannot be stretched unequally") end
  local r = math.min(w, h) / 2
  return core.capsule(r, r, w - r, h - r, r)
end

function makers.polygon(where, object)
  return read.try(where, core.polygon, corners(where, object, "polygon"))
end

function makers.polyline(where, object)
  return read.try(where, core.chain, corners(where, object, "polyline"))
end

function makers.point()
  return core.circle(POINT)
end

--- Whether an object of this kind has a shape: a text has none.
function M.hasShape(object)
  return object.shape ~= "text"
end

--- The shape of an object relative to its x, y, before it is rotated. `isStretched`: it will be
--- scaled unequally.
function M.of(where, object, isStretched)
  local kind = object.shape
  local make = makers[kind]
  if not make then
    read.fail(where, "shape",
      "one of capsule, ellipse, point, polygon, polyline, rectangle, text", kind)
  end
  return make(where, object, isStretched)
end

--- An object's angle in radians. Tiled has degrees, in the same direction.
function M.angle(where, object)
  local degrees = read.number(where, object, "rotation")
  local angle = degrees * PI / 180
  if not check.isAngle(angle) then
    read.fail(where, "rotation", "number of degrees, less than 2^30 radians", degrees)
  end
  return angle
end

-- A collision shape of a tile, flipped as the tile is, for a tile of size w × h: its kind, its
-- points in the tile's own pixels, its radius in those of w × h, and the scales.
local function flipped(where, object, tile, w, h)
  local tileWidth, tileHeight = tile.width, tile.height
  if tile.flipDiagonal then tileWidth, tileHeight = tileHeight, tileWidth end
  local sx, sy = w / tileWidth, h / tileHeight
  local shape = M.of(where, object, sx ~= sy)
  local angle = M.angle(where, object)
  if angle ~= 0 then shape = shape:rotated(angle) end
  local left, top = read.number(where, object, "x"), read.number(where, object, "y")
  local points = shape:points()
  for i = 1, #points, 2 do
    local x, y = left + points[i], top + points[i + 1]
    if tile.flipDiagonal then x, y = y, x end
    if tile.flipX then x = tileWidth - x end
    if tile.flipY then y = tileHeight - y end
    points[i], points[i + 1] = x, y
  end
  return shape:kind(), points, shape:radius() * sx, sx, sy
end

local function build(where, kind, points, radius)
  local x1, y1, x2, y2 = points[1], points[2], points[3], points[4]
  if kind == "circle" then return read.try(where, core.circle, x1, y1, radius) end
  if kind == "capsule" then return read.try(where, core.capsule, x1, y1, x2, y2, radius) end
  return read.try(where, kind == "chain" and core.chain or core.polygon, points)
end

--- The collision shapes of a tile as one shape, from 0, 0 to w, h; nil if it has none.
function M.ofTile(where, tile, w, h)
  local shapes = {}
  for i, object in ipairs(tile._objects) do
    local at = ("%s, %s, object %d"):format(where, tile._where, i)
    local kind, points, radius, sx, sy = flipped(at, object, tile, w, h)
    for k = 1, #points, 2 do points[k], points[k + 1] = points[k] * sx, points[k + 1] * sy end
    shapes[i] = build(at, kind, points, radius)
  end
  if #shapes <= 1 then return shapes[1] end
  return read.try(where, core.compound, shapes)
end

local function snapped(v, side)
  if math.abs(v) <= SNAP then return 0 end
  if math.abs(v - side) <= SNAP then return 1 end
  return math.floor(v / side * PARTS + 0.5) / PARTS
end

-- A grid for trying a tile's shape, so that an error names the tile.
local probe = grids.newGrid(1, 1)

--- The collision shape of a tile in a layer, in a cell of side 1; nil if it has none.
function M.inCell(where, tile)
  local object, side = tile._objects[1], tile.width
  if not object then return nil end
  where = ("%s, %s"):format(where, tile._where)
  if #tile._objects > 1 then
    read.refuse(where, ("%d collision shapes; in a tile layer a tile has one, a convex one")
      :format(#tile._objects))
  end
  where = where .. ", object 1"
  local kind, points, radius = flipped(where, object, tile, side, side)
  for k = 1, #points do points[k] = snapped(points[k], side) end
  local shape = build(where, kind, points, radius / side)
  read.try(where, core.tiles, probe, { shape })
  return shape
end

return M
