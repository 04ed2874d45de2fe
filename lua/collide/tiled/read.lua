-- Reads the tables that Tiled exports, with errors that say where in the map the fault is: fields
-- of layers, objects and tiles; the tilesets, which say which tile a number stands for; the shapes
-- of objects, both those in layers and the collision shapes of tiles; and the actors of the objects
-- in layers.

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

--- The result of a function, or nil and its message if it raised. Raises if memory runs out.
function M.attempt(f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if tostring(result):find("not enough memory", 1, true) then error(result, 0) end
  return nil, result
end

--- A required field of type `kind`.
function M.field(where, t, name, kind)
  local value = t[name]
  if type(value) ~= kind then M.fail(where, name, kind, value) end
  return value
end

-- The prefix of errors at `where`, in place of a function's name.
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

local TRUTHS = { ["true"] = true, ["false"] = false }

--- A property that is true or false, maybe as text, or nil.
function M.truth(where, properties, name)
  local value = properties[name]
  if value == nil or type(value) == "boolean" then return value end
  if TRUTHS[value] == nil then M.fail(where, "property " .. name, "boolean", value) end
  return TRUTHS[value]
end

local WAYS = { up = true, down = true, left = true, right = true }

--- The property `oneWay`: true, false or a direction, or nil.
function M.oneWay(where, properties)
  local value = properties.oneWay
  if WAYS[value] then return value end
  if type(value) == "string" and TRUTHS[value] == nil then
    M.fail(where, "property oneWay", 'boolean, "up", "down", "left" or "right"', value)
  end
  return M.truth(where, properties, "oneWay")
end

--- One table's properties, overridden by those of another.
function M.merged(properties, own)
  if next(properties) == nil then return own end
  local all = {}
  for name, value in each.pairs(properties) do all[name] = value end
  for name, value in each.pairs(own) do all[name] = value end
  return all
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

-- Kinds of objects that are points if they have no size: in Tiled, one click makes such an object.
local AREAS = { rectangle = true, ellipse = true, capsule = true }

-- Whether an object marks a place and has no shape, like points and texts.
local function isPoint(object)
  local w, h = object.width, object.height
  return object.shape == "point" or object.shape == "text"
    or AREAS[object.shape] and (w == nil or w == 0) and (h == nil or h == 0)
end

-- How deep tables in properties may be nested: in Tiled, members of classes may be classes.
local DEEPEST = 20

-- A text for a property's value, or for a table of them, that is equal for equal contents.
local function contentOf(where, value, depth)
  if type(value) == "number" then return ("%.17g"):format(value) end
  if type(value) ~= "table" then return ("%s %q"):format(type(value), tostring(value)) end
  if depth == DEEPEST then
    M.refuse(where, ("its properties have more than %d levels"):format(DEEPEST))
  end
  local parts = {}
  for name, of in each.pairs(value) do
    parts[#parts + 1] = contentOf(where, name, depth + 1) .. "=" .. contentOf(where, of, depth + 1)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

--- A text for a kind of tiles that is equal for equal kinds. Its properties say whether it is
--- one-way or a sensor, and the points of a shape imply the sort of shape.
function M.keyOf(where, kind)
  local shape = kind.shape
  local parts = shape and { shape:radius(), shape:points() } or {}
  return contentOf(where, { kind.type or false, kind.properties, parts }, 0)
end

-- Tilesets ------------------------------------------------------------------------

local Tilesets = {}
Tilesets.__index = Tilesets

-- The highest three of the 32 bits of a number say how the tile is flipped.
local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 0x80000000, 0x40000000, 0x20000000

-- The data of a tileset about one of its tiles. `objects` are the collision shapes that count.
-- `collides` is nil if the layer decides.
local function readTile(setWhere, raw)
  local where = ("%s, tile %d"):format(setWhere, M.count(setWhere, raw, "id", 0))
  local group = raw.objectGroup and M.field(where, raw, "objectGroup", "table")
  local objects, marked, unmarked = {}, false, false
  for i, object in ipairs(group and M.tables(where, group, "objects") or {}) do
    local at = ("%s, object %d"):format(where, i)
    local mark = M.truth(at, M.properties(at, object), "collidable")
    if mark == false then
      unmarked = true
    elseif not isPoint(object) then
      objects[#objects + 1] = { source = object, where = at }
      marked = marked or mark
    end
  end
  local properties = M.properties(where, raw)
  local collides = M.truth(where, properties, "collidable")
  if collides == nil and marked then collides = true end
  if collides == nil and unmarked and #objects == 0 then collides = false end
  return { raw = raw, properties = properties, objects = objects, collides = collides }
end

-- Reads a tileset. `set` is its table in the map. If the tileset has its own file,
-- `fetch(where, set)` returns the table of that file, or nil if the file is not available.
local function readSet(set, i, fetch)
  local where = ("tileset %s"):format(M.name(set) and ("%q"):format(set.name) or i)
  local content = set
  if type(set.tilewidth) ~= "number" then content = fetch(where, set) end
  local self = { set = content or set, where = where, first = M.count(where, set, "firstgid", 1),
    isMissing = not content, tiles = {}, collides = not content }
  for _, raw in ipairs(self.set.tiles and M.tables(where, self.set, "tiles") or {}) do
    local tile = readTile(where, raw)
    self.tiles[raw.id] = tile
    self.collides = self.collides or tile.collides
  end
  return self
end

--- Reads the tilesets of a map. `fetch` returns the table of one in a file of its own.
function M.tilesets(map, fetch)
  local self = setmetatable({ _sets = {}, _known = {}, collides = false }, Tilesets)
  for i, set in ipairs(M.tables("map", map, "tilesets")) do
    self._sets[i] = readSet(set, i, fetch)
    -- Whether some tile may collide though its layer does not.
    self.collides = self.collides or self._sets[i].collides
  end
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
  if found.isMissing then
    M.refuse(where, ("%s is in a file of its own, %s; export the map with Embed Tilesets, or the "
      .. "tileset as a Lua file too, and load the map by its file's name"):format(found.where,
      found.set.filename or found.set.source or "which is not given"))
  end
  local id, count = gid - found.first, found.set.tilecount
  if type(count) == "number" and id >= count and not found.tiles[id] then
    M.fail(where, "gid", "number of a tile in one of the tilesets", given)
  end
  return found, id
end

local PLAIN = { raw = {}, properties = {}, objects = {} }

local function newTile(self, where, given)
  local gid = given
  local flipX, flipY, flipDiagonal = gid >= FLIP_X, false, false
  if flipX then gid = gid - FLIP_X end
  if gid >= FLIP_Y then gid, flipY = gid - FLIP_Y, true end
  if gid >= FLIP_DIAGONAL then gid, flipDiagonal = gid - FLIP_DIAGONAL, true end
  local found, id = find(self, where, gid, given)
  local set, tile = found.set, found.tiles[id] or PLAIN
  local own = ("%s, tile %d"):format(found.where, id)
  -- In a collection of images each tile has its own size.
  local width, height = tile.raw.width or set.tilewidth, tile.raw.height or set.tileheight
  return {
    gid = given, id = id, tileset = set, type = M.class(tile.raw), properties = tile.properties,
    flipX = flipX, flipY = flipY, flipDiagonal = flipDiagonal,
    width = M.size(own, { width = width }, "width"),
    height = M.size(own, { height = height }, "height"),
    _objects = tile.objects, _collides = tile.collides, _where = own,
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

-- The number of corners of a polygon for an ellipse: the most that a tile's shape may have.
local CORNERS = 16

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

-- An object's angle in radians. Tiled uses degrees, in the same direction.
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

-- Where Tiled draws a tile in a frame of w x h: its upper left corner there, and its size. A
-- diagonal flip turns the frame about its lower left corner.
local function drawn(tile, w, h)
  local set, width, height = tile.tileset, w, h
  if set.fillmode == "preserve-aspect-fit" then
    local scale = math.min(w / tile.width, h / tile.height)
    width, height = scale * tile.width, scale * tile.height
  end
  local offset = set.tileoffset and M.field(tile._where, set, "tileoffset", "table") or {}
  local x = M.number(tile._where, offset, "x") * width / tile.width
  local y = M.number(tile._where, offset, "y") * height / tile.height
  if tile.flipDiagonal then
    return x + (h - height) / 2, y + h - (w + width) / 2, height, width
  end
  return x + (w - width) / 2, y + (h - height) / 2, width, height
end

-- The collision shapes of a tile as one shape, or the tile's rectangle if it has none, and the
-- place of the tile's upper left corner in a frame of w x h.
local function ofTile(where, tile, w, h)
  local x, y, width, height = drawn(tile, w, h)
  local shapes = {}
  for i, object in ipairs(tile._objects) do
    local at = ("%s, %s"):format(where, object.where)
    local kind, points, radius, sx, sy = flipped(at, object.source, tile, width, height)
    for k = 1, #points, 2 do points[k], points[k + 1] = points[k] * sx, points[k + 1] * sy end
    shapes[i] = build(at, kind, points, radius)
  end
  if #shapes > 1 then return M.try(where, core.compound, shapes), x, y end
  return shapes[1] or core.rectangle(width, height), x, y
end

local function snapped(v, side)
  if math.abs(v) <= SNAP then return 0 end
  if math.abs(v - side) <= SNAP then return 1 end
  return math.floor(v / side * PARTS + 0.5) / PARTS
end

-- A grid for testing whether a shape fits a cell.
local probe = grids.newGrid(1, 1)

-- Makes a convex shape from its points in a cell of side 1; nil if a cell cannot have it.
local function makeInCell(kind, points, radius)
  local x1, y1, x2, y2 = points[1], points[2], points[3], points[4]
  local shape
  if kind == "circle" then
    shape = core.circle(x1, y1, radius)
  elseif kind == "capsule" then
    shape = core.capsule(x1, y1, x2, y2, radius)
  else
    shape = core.polygon(points)
  end
  return not core.wrongForm(shape, probe) and shape or nil
end

local CONVEX = { circle = true, capsule = true, polygon = true, rectangle = true }

-- Scales a shape in a cell of w x h pixels to a cell of side 1; nil if a cell cannot have it.
local function inCell(shape, w, h)
  local kind = shape:kind()
  if not CONVEX[kind] then return nil end
  local radius = shape:radius()
  if radius > 0 and w ~= h then return nil end -- would be stretched
  local points = shape:points()
  for k = 1, #points, 2 do
    points[k], points[k + 1] = snapped(points[k], w), snapped(points[k + 1], h)
  end
  return M.attempt(makeInCell, kind, points, radius / w)
end

--- The shape of a tile in a layer with cells of w x h, scaled to a cell of side 1; true if it fills
--- the cell; false if no cell can have its shape. Also returns its shape in pixels from the cell's
--- upper left corner. A tile is aligned with the cell's lower left corner.
function M.tileInLayer(where, tile, w, h)
  local frameW, frameH = tile.width, tile.height
  if tile.tileset.tilerendersize == "grid" then frameW, frameH = w, h end
  local shape, x, y = ofTile(where, tile, frameW, frameH)
  shape = M.try(where, shape.translated, shape, x, y + h - frameH)
  local look = inCell(shape, w, h) or false
  if look and look:area() == 1 then look = true end
  return look, shape
end

-- Actors --------------------------------------------------------------------------

-- The flags that an actor takes from its own properties, or else from its layer's.
local FLAGS = { "static", "sensor", "swept" }

-- Where the point x, y is in a tile object, as fractions of its width and height. It is the bottom
-- left corner unless the tileset says otherwise.
local ALIGNMENTS = {
  unspecified = { 0, 1 }, topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
}

--- Sets an actor's group and flags from its properties and those of its layer. `names` are the
--- world's names of fields.
function M.setProperties(where, actor, names, properties, layer)
  local function set(name, get, kind)
    local value = get(where, properties, name, kind)
    if value == nil then value = get(where, layer.properties, name, kind) end
    if names[name] and value ~= nil then actor[names[name]] = value end
  end
  set("group", M.property, "string")
  set("oneWay", M.oneWay)
  for _, flag in ipairs(FLAGS) do set(flag, M.truth) end
  if names.static and actor[names.static] == nil then actor[names.static] = true end
end

-- The shape of a tile object, with its top left corner at 0, 0, and the offset of that corner from
-- the object's x, y. Older versions of Tiled write no size for it.
local function tileShape(where, tile, object, angle)
  local alignment = ALIGNMENTS[tile.tileset.objectalignment or "unspecified"]
  if not alignment then
    M.fail(where, "objectalignment", "one of Tiled's", tile.tileset.objectalignment)
  end
  local width, height = tile.width, tile.height
  if not isPoint(object) then
    width, height = M.size(where, object, "width"), M.size(where, object, "height")
  end
  local shape, x, y = ofTile(where, tile, width, height)
  local dx, dy = x - alignment[1] * width, y - alignment[2] * height
  if angle ~= 0 then
    local s, c = core.sin(angle), core.cos(angle)
    dx, dy = c * dx - s * dy, s * dx + c * dy
  end
  return shape, dx, dy
end

--- The description of an object in errors.
function M.where(layerWhere, object, i)
  local name = M.name(object)
  local number = check.isCoordinate(object.id) and ("object %.14g"):format(object.id)
    or ("objects[%d]"):format(i)
  return ("%s, %s%s"):format(layerWhere, number, name and (" %q"):format(name) or "")
end

--- Sets the place of a new actor.
function M.place(actor, names, x, y)
  local holder = names.at and {} or actor
  if names.at then actor[names.at] = holder end
  holder[names.x], holder[names.y] = x, y
end

-- Sets the fields that only an actor that collides needs: shape, angle, group and flags.
local function complete(where, actor, names)
  local object, tile, holder = actor.object, actor.tile, names.at and actor[names.at] or actor
  local angle = angleOf(where, object)
  local shape
  if tile then
    local dx, dy
    shape, dx, dy = tileShape(where, tile, object, angle)
    holder[names.x], holder[names.y] = holder[names.x] + dx, holder[names.y] + dy
  elseif not isPoint(object) then
    shape = shapeOf(where, object)
  end
  if shape and angle ~= 0 and not names.angle then shape = shape:rotated(angle) end
  if names.angle and (angle ~= 0 or not actor.collidable) then holder[names.angle] = angle end
  actor[names.shape] = shape
  M.setProperties(where, actor, names, actor.properties, actor.layer)
end

--- Makes the actor of an object. Its `collidable` says whether it collides, or is nil. If it does
--- not collide, it may lack fields that could not be made; then a message says why.
---@return table actor, string? message
function M.actor(where, object, layer, tilesets, names)
  local properties, class = M.properties(where, object), M.class(object)
  local collides, tile = M.truth(where, properties, "collidable"), nil
  if object.gid ~= nil then
    tile = tilesets:tile(where, object.gid)
    properties, class = M.merged(tile.properties, properties), class or tile.type
    if collides == nil then collides = tile._collides end
  end
  if collides == nil then collides = M.truth(layer._where, layer.properties, "collidable") end
  if isPoint(object) and not tile then collides = nil end

  local actor = {
    type = class, properties = properties, layer = layer, object = object, tile = tile,
    width = object.width, height = object.height, collidable = collides,
  }
  if tile and isPoint(object) then actor.width, actor.height = tile.width, tile.height end
  if names.name then actor[names.name] = M.name(object) end
  M.place(actor, names, layer.x + M.number(where, object, "x"),
    layer.y + M.number(where, object, "y"))
  if collides then
    complete(where, actor, names)
    return actor
  end
  local _, message = M.attempt(complete, where, actor, names)
  return actor, message
end

return M
