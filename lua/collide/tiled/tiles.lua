-- Makes one shape of tiles of each tile layer of Tiled's maps.

local core = require "collide.core"
local grids = require "collide.grid"
local read = require "collide.tiled.read"
local tilesets = require "collide.tiled.sets"

local M = {}

-- A cell of a grid holds a byte, and 0 is an empty cell.
local MOST_VALUES = 255

local function checkEncoding(where, layer, data)
  if type(data) == "string" or layer.encoding == "base64" then
    read.refuse(where, ("its tiles are in base64%s; set Tile Layer Format to CSV in the map's "
      .. "properties and export it again"):format(layer.compression and ", compressed" or ""))
  end
end

local function checkData(where, layer, data, w, h)
  checkEncoding(where, layer, data)
  if type(data) ~= "table" then read.fail(where, "data", "list of tiles", data) end
  if #data ~= w * h then
    read.fail(where, "data", ("list of %d x %d tiles"):format(w, h), #data)
  end
end

-- The pieces of a layer: its chunks if the map is infinite, else the whole layer.
local function piecesOf(where, layer)
  local pieces = {}
  if layer.chunks == nil then
    pieces[1] = { x = 0, y = 0, w = read.count(where, layer, "width", 1),
      h = read.count(where, layer, "height", 1), data = layer.data }
  else
    for i, chunk in ipairs(read.tables(where, layer, "chunks")) do
      local at = ("%s, chunk %d"):format(where, i)
      pieces[i] = { x = read.whole(at, chunk, "x"), y = read.whole(at, chunk, "y"),
        w = read.count(at, chunk, "width", 1), h = read.count(at, chunk, "height", 1),
        data = chunk.data }
    end
  end
  for _, piece in ipairs(pieces) do checkData(where, layer, piece.data, piece.w, piece.h) end
  return pieces
end

-- The bounds of all pieces in columns and rows: left, top, width, height.
local function extent(pieces)
  if #pieces == 0 then return 0, 0, 1, 1 end
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, p in ipairs(pieces) do
    left, top = math.min(left, p.x), math.min(top, p.y)
    right, bottom = math.max(right, p.x + p.w), math.max(bottom, p.y + p.h)
  end
  return left, top, right - left, bottom - top
end

-- Numbers the tiles of a layer. Returns two tables by value of a cell, the tiles and their shapes,
-- and a function that returns the value for a number in the layer.
local function numbering(where, sets, side)
  local values, tiles, looks = {}, {}, {}
  return tiles, looks, function(gid)
    local value = values[gid]
    if value then return value end
    local tile = sets:tile(where, gid)
    value = #tiles + 1
    if value > MOST_VALUES then
      read.refuse(where, ("more than %d different tiles, each flip being one of its own; put "
        .. "those that do not collide on another layer"):format(MOST_VALUES))
    end
    if read.collidable(tile._where, tile.properties) == false then
      looks[value] = false
    else
      tilesets.fit(where, tile, side)
      looks[value] = tile.shape
    end
    tiles[value], values[gid] = tile, value
    return value
  end
end

--- Reads a tile layer. Returns a shape of tiles, its grid, and the tiles by the value of a cell.
function M.read(where, layer, sets, map)
  local side = map.tilewidth
  if map.tileheight ~= side then
    read.refuse(where, ("the map's cells are %g x %g; those of a layer that collides are square")
      :format(side, map.tileheight))
  end
  local pieces = piecesOf(where, layer)
  local left, top, w, h = extent(pieces)
  local grid = read.try(where, grids.newGrid, w, h,
    { cell = side, x = left * side, y = top * side })
  local tiles, looks, valueOf = numbering(where, sets, side)
  for _, p in ipairs(pieces) do
    for i = 1, p.w * p.h do
      local gid = p.data[i]
      if gid ~= 0 then
        local column, row = (i - 1) % p.w, math.floor((i - 1) / p.w)
        grid:set(p.x - left + column, p.y - top + row, valueOf(gid))
      end
    end
  end
  return core.tiles(grid, looks), grid, tiles
end

return M
