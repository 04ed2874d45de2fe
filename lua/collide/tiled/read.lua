-- Reads the tables that Tiled exports: the fields of layers, objects and tiles, with errors that
-- say where in the map the fault is; and tilesets, which say which tile a number stands for.

local check = require "collide.check"

local M = {}

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

--- A coordinate, 0 if it is missing.
function M.number(where, t, name)
  local value = t[name]
  if value == nil then return 0 end
  if not check.isCoordinate(value) then M.fail(where, name, check.COORDINATE, value) end
  return value
end

function M.size(where, t, name)
  local value = t[name]
  if not (check.isCoordinate(value) and value > 0) then M.fail(where, name, check.SIZE, value) end
  return value
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

--- The property `collidable`, or nil.
function M.collidable(where, properties)
  local value = properties.collidable
  if value ~= nil and type(value) ~= "boolean" then
    M.fail(where, "property collidable", "boolean", value)
  end
  return value
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

local function make(self, where, given)
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
  tile = make(self, where, gid)
  self._known[gid] = tile
  return tile
end

return M
