-- The tilesets of one of Tiled's maps: finds the tile that a number in a layer stands for.

local read = require "collide.tiled.read"
local shapes = require "collide.tiled.shape"

local M = {}
M.__index = M

-- The highest three of the 32 bits of a number say how the tile is flipped.
local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

local function readSet(set, i)
  local where = ("tileset %s"):format(read.name(set) and ("%q"):format(set.name) or i)
  local tiles = {}
  for _, tile in ipairs(set.tiles and read.tables(where, set, "tiles") or {}) do
    tiles[read.count(where, tile, "id", 0)] = tile
  end
  return { set = set, where = where, first = read.count(where, set, "firstgid", 1), tiles = tiles }
end

--- Reads the tilesets of a map.
function M.new(map)
  local self = setmetatable({ _sets = {}, _known = {} }, M)
  for i, set in ipairs(read.tables("map", map, "tilesets")) do self._sets[i] = readSet(set, i) end
  return self
end

-- The tileset that a number belongs to, and the tile's number in it. `given` is the number with its
-- flip bits, for errors.
local function find(self, where, gid, given)
  local found
  for _, one in ipairs(self._sets) do
    if one.first <= gid and (not found or one.first > found.first) then found = one end
  end
  if not found then read.fail(where, "gid", "number of a tile in one of the tilesets", given) end
  local set = found.set
  if type(set.tilewidth) ~= "number" then
    read.refuse(where, ("%s is in a file of its own, %s; export the map with Embed Tilesets")
      :format(found.where, set.filename or set.source or "which is not given"))
  end
  local id = gid - found.first
  if type(set.tilecount) == "number" and id >= set.tilecount and not found.tiles[id] then
    read.fail(where, "gid", "number of a tile in one of the tilesets", given)
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
  local group = raw.objectGroup and read.field(own, raw, "objectGroup", "table")
  return {
    gid = given, id = id, tileset = set, type = read.class(raw),
    properties = read.properties(own, raw),
    flipX = flipX, flipY = flipY, flipDiagonal = flipDiagonal,
    width = read.size(own, { width = width }, "width"),
    height = read.size(own, { height = height }, "height"),
    _objects = group and read.tables(own, group, "objects") or {},
    _where = own,
  }
end

--- The tile that a number in a layer or object stands for.
function M:tile(where, gid)
  local tile = self._known[gid]
  if tile then return tile end
  if not (type(gid) == "number" and gid > 0 and gid < 2 ^ 32 and gid == math.floor(gid)) then
    read.fail(where, "gid", "whole number from 1 to 2^32 - 1", gid)
  end
  tile = make(self, where, gid)
  self._known[gid] = tile
  return tile
end

--- Sets a tile's shape for the cells of a layer. Raises when the tile does not fit the cells.
function M.fit(where, tile, side)
  if tile.width ~= side or tile.height ~= side then
    read.refuse(where, ("%s is %g x %g large, the map's cells are %g x %g"):format(tile._where,
      tile.width, tile.height, side, side))
  end
  local set = tile.tileset
  local offset = set.tileoffset and read.field(tile._where, set, "tileoffset", "table") or {}
  if (offset.x or 0) ~= 0 or (offset.y or 0) ~= 0 then
    read.refuse(where, tile._where .. " is drawn beside its cell: its tileset has a drawing offset")
  end
  tile.shape = tile.shape or shapes.inCell(where, tile)
end

return M
