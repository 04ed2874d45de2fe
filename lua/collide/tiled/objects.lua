-- Makes actors of the objects in Tiled's maps.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local read = require "collide.tiled.read"
local shapes = require "collide.tiled.shape"

local M = {}

-- The flags that an actor takes from its own properties, or else from its layer's.
local FLAGS = { "static", "sensor", "oneWay", "swept" }

-- Where the point x, y lies in a tile object, as shares of its width and height. It is the bottom
-- left corner unless the tileset says otherwise.
local ALIGNMENTS = {
  unspecified = { 0, 1 }, topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 },
  left = { 0, 0.5 }, center = { 0.5, 0.5 }, right = { 1, 0.5 },
  bottomleft = { 0, 1 }, bottom = { 0.5, 1 }, bottomright = { 1, 1 },
}

local function property(where, properties, layer, name, kind)
  local value = properties[name]
  if value == nil then value = layer.properties[name] end
  if value ~= nil and type(value) ~= kind then
    read.fail(where, "property " .. name, kind, value)
  end
  return value
end

--- Sets an actor's group and flags from its properties and those of its layer. `names` are the
--- world's names of fields.
function M.setProperties(where, actor, names, properties, layer)
  local group = property(where, properties, layer, "group", "string")
  if names.group and group then actor[names.group] = group end
  for _, flag in ipairs(FLAGS) do
    local value = property(where, properties, layer, flag, "boolean")
    if names[flag] and value ~= nil then actor[names[flag]] = value end
  end
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
    read.fail(where, "objectalignment", "one of Tiled's", tile.tileset.objectalignment)
  end
  local dx, dy = -alignment[1] * width, -alignment[2] * height
  if angle ~= 0 then
    local s, c = core.sin(angle), core.cos(angle)
    dx, dy = c * dx - s * dy, s * dx + c * dy
  end
  return shapes.ofTile(where, tile, width, height) or core.rectangle(width, height), dx, dy
end

--- The description of an object in errors.
function M.where(layerWhere, object, i)
  local name = read.name(object)
  local number = check.isCoordinate(object.id) and ("object %d"):format(object.id)
    or ("objects[%d]"):format(i)
  return ("%s, %s%s"):format(layerWhere, number, name and (" %q"):format(name) or "")
end

--- Makes the actor of an object.
function M.read(where, object, layer, sets, names)
  local properties, class = read.properties(where, object), read.class(object)
  local angle = shapes.angle(where, object)
  local tile, shape
  local dx, dy = 0, 0
  if object.gid ~= nil then
    tile = sets:tile(where, object.gid)
    properties, class = merged(tile, properties), class or tile.type
    shape, dx, dy = tileShape(where, tile, read.size(where, object, "width"),
      read.size(where, object, "height"), angle)
  else
    shape = shapes.of(where, object)
  end
  if angle ~= 0 and not names.angle then shape = shape:rotated(angle) end

  local actor = {
    type = class, properties = properties, layer = layer, object = object, tile = tile,
    width = object.width, height = object.height,
  }
  if names.name then actor[names.name] = read.name(object) end
  actor[names.x] = layer.x + read.number(where, object, "x") + dx
  actor[names.y] = layer.y + read.number(where, object, "y") + dy
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
