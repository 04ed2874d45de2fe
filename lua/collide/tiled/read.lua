-- Reads the tables that Tiled exports, with errors that say where in the map the fault is: fields
-- of layers, objects and tiles; the tilesets, which say which tile a number stands for; the shapes
-- of objects, of those in layers and of the collision shapes of tiles; and the actors of the
-- objects in layers.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local grids = require "collide.grids"

local M = {}

-- Fields --------------------------------------------------------------------------

M.FN = "tiled.load"

--- Raises: field `name` at `where` in the map is not as expected.
function M.fail(where, name, expected, got, hint)
  check.fail(("%s: %s"):format(M.FN, where), name, expected, got, hint)
end

--- Raises: the map cannot be loaded because of something at `where`.
function M.refuse(where, reason)
  check.raise(("%s: %s: %s"):format(M.FN, where, reason))
end

--- Calls a function of the library. An error that it raises says where in the map it happened.
function M.try(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if type(result) ~= "string" then error(result, 0) end
  M.refuse(where, result:match "^.-:%d+: (.*)$" or result)
end

--- A required field of type `kind`.
function M.field(where, t, name, kind)
  local value = t[name]
  if type(value) ~= kind then M.fail(where, name, kind, value) end
  return value
end

-- What is checked at `where`, in the place of a function's name.
local function checkedAt(where)
  return ("%s: %s"):format(M.FN, where)
end

--- A coordinate, 0 if it is missing.
function M.number(where, t, name)
  return t[name] == nil and 0 or check.coordinate(checkedAt(where), name, t[name])
end

function M.size(where, t, name)
  return check.size(checkedAt(where), name, t[name])
end

--- A number of cells, columns or rows, at least `least`.
function M.count(where, t, name, least)
  local value = t[name]
  local fits = check.isCoordinate(value) and value >= least and value == math.floor(value)
  if not fits then M.fail(where, name, "whole number from " .. least, value) end
  return value
end

--- A position in columns or rows, which may be negative; 0 if it is missing.
function M.whole(where, t, name)
  local value = M.number(where, t, name)
  if value ~= math.floor(value) then M.fail(where, name, "whole number", value) end
  return value
end

--- A list of tables.
function M.tables(where, t, name)
  local list = M.field(where, t, name, "table")
  for i, value in ipairs(list) do
    if type(value) ~= "table" then M.fail(where, ("%s[%d]"):format(name, i), "table", value) end
  end
  return list
end

--- A property of type `kind`, or nil.
function M.property(where, properties, name, kind)
  local value = properties[name]
  if value ~= nil and type(value) ~= kind then M.fail(where, "property " .. name, kind, value) end
  return value
end

--- The property `collidable`, or nil.
function M.collidable(where, properties)
  return M.property(where, properties, "collidable", "boolean")
end

--- The properties of a layer, tile or object; an empty table if it has none.
function M.properties(where, t)
  if t.properties == nil then return {} end
  return M.field(where, t, "properties", "table")
end

--- The class of a layer, tile or object. Tiled 1.9 calls it `class` everywhere. Other versions call
--- it `type`, except for layers, whose `type` is their kind.
function M.class(t, isLayer)
  local class = t.class
  if not isLayer and (class == nil or class == "") then class = t.type end
  return type(class) == "string" and class ~= "" and class or nil
end

--- The name of a layer, object or tileset, or nil if it has none.
function M.name(t)
  return type(t.name) == "string" and t.name ~= "" and t.name or nil
end

-- Tilesets ------------------------------------------------------------------------

local Tilesets = {}
Tilesets.__index = Tilesets

-- The highest three of the 32 bits of a number say how the tile is flipped.
local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

local function readSet(set, i)
  local where = ("tileset %s"):format(M.name(set) and ("%q"):format(set.name) or i)
  local tiles = {}
  for _, tile in ipairs(set.tiles and M.tables(where, set, "tiles") or {}) do
    tiles[M.count(where, tile, "id", 0)] = tile
  end
  return { set = set, where = where, first = M.count(where, set, "firstgid", 1), tiles = tiles }
end

--- Reads the tilesets of a map.
function M.tilesets(map)
  local self = setmetatable({ _sets = {}, _known = {} }, Tilesets)
  for i, set in ipairs(M.tables("map", map, "tilesets")) do self._sets[i] = readSet(set, i) end
  return self
end

-- The tileset that a number belongs to, and the tile's number in it. `given` is the number with its
-- flip bits, for errors.
local function find(self, where, gid, given)
  local found
  for _, one in ipairs(self._sets) do
    if one.first <= gid and (not found or one.first > found.first) then found = one end
  end
  if not found then M.fail(where, "gid", "number of a tile in one of the tilesets", given) end
  local set = found.set
  if type(set.tilewidth) ~= "number" then
    M.refuse(where, ("%s is in a file of its own, %s; export the map with Embed Tilesets")
      :format(found.where, set.filename or set.source or "which is not given"))
  end
  local id = gid - found.first
  if type(set.tilecount) == "number" and id >= set.tilecount and not found.tiles[id] then
    M.fail(where, "gid", "number of a tile in one of the tilesets", given)
  end
  return found, id
end

local function newTile(self, where, given)
  local gid = given
  local flipX, flipY, flipDiagonal = gid >= FLIP_X, false, false
  if flipX then gid = gid - FLIP_X end
  if gid >= FLIP_Y then gid, flipY = gid - FLIP_Y, true end
  if gid >= FLIP_DIAGONAL then gid, flipDiagonal = gid - FLIP_DIAGONAL, true end
  local found, id = find(self, where, gid, given)
  local set, raw = found.set, found.tiles[id] or {}
  local own = ("%s, tile %d"):format(found.where, id)
  -- In a collection of images each tile has its own size.
  local width, height = raw.width or set.tilewidth, raw.height or set.tileheight
  local group = raw.objectGroup and M.field(own, raw, "objectGroup", "table")
  return {
    gid = given, id = id, tileset = set, type = M.class(raw),
    properties = M.properties(own, raw),
    flipX = flipX, flipY = flipY, flipDiagonal = flipDiagonal,
    width = M.size(own, { width = width }, "width"),
    height = M.size(own, { height = height }, "height"),
    _objects = group and M.tables(own, group, "objects") or {},
    _where = own,
  }
end

--- The tile that a number in a layer or object stands for.
function Tilesets:tile(where, gid)
  local tile = self._known[gid]
  if tile then return tile end
  if not (type(gid) == "number" and gid > 0 and gid < 2 ^ 32 and gid == math.floor(gid)) then
    M.fail(where, "gid", "whole number from 1 to 2^32 - 1", gid)
  end
  tile = newTile(self, where, gid)
  self._known[gid] = tile
  return tile
end

-- Shapes --------------------------------------------------------------------------

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
  for i, point in ipairs(M.tables(where, object, name)) do
    points[2 * i - 1] = M.number(where, point, "x")
    points[2 * i] = M.number(where, point, "y")
  end
  return points
end

local makers = {}

function makers.rectangle(where, object)
  return core.rectangle(M.size(where, object, "width"), M.size(where, object, "height"))
end

-- A circle that is stretched unequally becomes a polygon.
function makers.ellipse(where, object, isStretched)
  local w, h = M.size(where, object, "width"), M.size(where, object, "height")
  if w == h and not isStretched then return core.circle(w / 2, w / 2, w / 2) end
  return core.polygon(ellipse(w, h))
end

function makers.capsule(where, object, isStretched)
  local w, h = M.size(where, object, "width"), M.size(where, object, "height")
  if isStretched then M.refuse(where, "a capsule cannot be stretched unequally") end
  local r = math.min(w, h) / 2
  return core.capsule(r, r, w - r, h - r, r)
end

function makers.polygon(where, object)
  return M.try(where, core.polygon, corners(where, object, "polygon"))
end

function makers.polyline(where, object)
  return M.try(where, core.chain, corners(where, object, "polyline"))
end

function makers.point()
  return core.circle(POINT)
end

--- Whether an object of this kind has a shape: a text has none.
function M.hasShape(object)
  return object.shape ~= "text"
end

-- The shape of an object relative to its x, y, before it is rotated. `isStretched`: it will be
-- scaled unequally.
local function shapeOf(where, object, isStretched)
  local kind = object.shape
  local make = makers[kind]
  if not make then
    M.fail(where, "shape",
      "one of capsule, ellipse, point, polygon, polyline, rectangle, text", kind)
  end
  return make(where, object, isStretched)
end

-- An object's angle in radians. Tiled has degrees, in the same direction.
local function angleOf(where, object)
  local degrees = M.number(where, object, "rotation")
  local angle = degrees * PI / 180
  if not check.isAngle(angle) then
    M.fail(where, "rotation", "number of degrees, less than 2^30 radians", degrees)
  end
  return angle
end

-- A collision shape of a tile, flipped as the tile is, for a tile of size w × h: its kind, its
-- points in the tile's own pixels, its radius in those of w × h, and the scales.
local function flipped(where, object, tile, w, h)
  local tileWidth, tileHeight = tile.width, tile.height
  if tile.flipDiagonal then tileWidth, tileHeight = tileHeight, tileWidth end
  local sx, sy = w / tileWidth, h / tileHeight
  local shape = shapeOf(where, object, sx ~= sy)
  local angle = angleOf(where, object)
  if angle ~= 0 then shape = shape:rotated(angle) end
  local left, top = M.number(where, object, "x"), M.number(where, object, "y")
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
  if kind == "circle" then return M.try(where, core.circle, x1, y1, radius) end
  if kind == "capsule" then return M.try(where, core.capsule, x1, y1, x2, y2, radius) end
  return M.try(where, kind == "chain" and core.chain or core.polygon, points)
end

-- The collision shapes of a tile as one shape, from 0, 0 to w, h; nil if it has none.
local function ofTile(where, tile, w, h)
  local shapes = {}
  for i, object in ipairs(tile._objects) do
    local at = ("%s, %s, object %d"):format(where, tile._where, i)
    local kind, points, radius, sx, sy = flipped(at, object, tile, w, h)
    for k = 1, #points, 2 do points[k], points[k + 1] = points[k] * sx, points[k + 1] * sy end
    shapes[i] = build(at, kind, points, radius)
  end
  if #shapes <= 1 then return shapes[1] end
  return M.try(where, core.compound, shapes)
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
    M.refuse(where, ("%d collision shapes; in a tile layer a tile has one, a convex one")
      :format(#tile._objects))
  end
  where = where .. ", object 1"
  local kind, points, radius = flipped(where, object, tile, side, side)
  for k = 1, #points do points[k] = snapped(points[k], side) end
  local shape = build(where, kind, points, radius / side)
  M.try(where, core.tiles, probe, { shape })
  return shape
end

-- Actors --------------------------------------------------------------------------

-- The flags that an actor takes from its own properties, or else from its layer's.
local FLAGS = { "static", "sensor", "oneWay", "swept" }

-- Where the point x, y lies in a tile object, as shares of its width and height. It is the bottom
-- left corner unless the tileset says otherwise.
local ALIGNMENTS = {
  unspecified = { 0, 1 }, topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
}

--- Sets an actor's group and flags from its properties and those of its layer. `names` are the
--- world's names of fields.
function M.setProperties(where, actor, names, properties, layer)
  local function set(name, kind)
    local value = M.property(where, properties, name, kind)
    if value == nil then value = M.property(where, layer.properties, name, kind) end
    if names[name] and value ~= nil then actor[names[name]] = value end
  end
  set("group", "string")
  for _, flag in ipairs(FLAGS) do set(flag, "boolean") end
end

-- A tile's properties, overridden by the object's own.
local function merged(tile, own)
  local all = {}
  for name, value in each.pairs(tile.properties) do all[name] = value end
  for name, value in each.pairs(own) do all[name] = value end
  return all
end

-- The shape of a tile object, with its top left corner at 0, 0, and the offset of that corner from
-- the object's x, y.
local function tileShape(where, tile, width, height, angle)
  local alignment = ALIGNMENTS[tile.tileset.objectalignment or "unspecified"]
  if not alignment then
    M.fail(where, "objectalignment", "one of Tiled's", tile.tileset.objectalignment)
  end
  local dx, dy = -alignment[1] * width, -alignment[2] * height
  if angle ~= 0 then
    local s, c = core.sin(angle), core.cos(angle)
    dx, dy = c * dx - s * dy, s * dx + c * dy
  end
  return ofTile(where, tile, width, height) or core.rectangle(width, height), dx, dy
end

--- The description of an object in errors.
function M.where(layerWhere, object, i)
  local name = M.name(object)
  local number = check.isCoordinate(object.id) and ("object %d"):format(object.id)
    or ("objects[%d]"):format(i)
  return ("%s, %s%s"):format(layerWhere, number, name and (" %q"):format(name) or "")
end

--- Makes the actor of an object.
function M.actor(where, object, layer, tilesets, names)
  local properties, class = M.properties(where, object), M.class(object)
  local angle = angleOf(where, object)
  local tile, shape
  local dx, dy = 0, 0
  if object.gid ~= nil then
    tile = tilesets:tile(where, object.gid)
    properties, class = merged(tile, properties), class or tile.type
    shape, dx, dy = tileShape(where, tile, M.size(where, object, "width"),
      M.size(where, object, "height"), angle)
  else
    shape = shapeOf(where, object)
  end
  if angle ~= 0 and not names.angle then shape = shape:rotated(angle) end

  local actor = {
    type = class, properties = properties, layer = layer, object = object, tile = tile,
    width = object.width, height = object.height,
  }
  if names.name then actor[names.name] = M.name(object) end
  actor[names.x] = layer.x + M.number(where, object, "x") + dx
  actor[names.y] = layer.y + M.number(where, object, "y") + dy
  if names.angle and angle ~= 0 then actor[names.angle] = angle end
  actor[names.shape] = shape
  M.setProperties(where, actor, names, properties, layer)
  if names.static and actor[names.static] == nil then actor[names.static] = true end
  if names.sensor and actor[names.sensor] == nil and object.shape == "point" and not tile then
    actor[names.sensor] = true
  end
  return actor
end

return M
