-- Which places are solid in the tile layers of a map of Tiled: an independent reader, which knows
-- only bytes, properties and where Tiled draws tiles.
local inflate = require "spec.support.inflate"

local M = {}

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function bytesOf(text)
  local out, bits, n = {}, 0, 0
  for digit in text:gmatch "[%w+/]" do
    bits, n = bits * 64 + DIGITS:find(digit, 1, true) - 1, n + 6
    if n >= 8 then
      n = n - 8
      out[#out + 1] = string.char(math.floor(bits / 2 ^ n))
      bits = bits % 2 ^ n
    end
  end
  return table.concat(out)
end

-- The number in cell i, from 0, of a layer's or chunk's data.
local function numbersOf(layer, data)
  if type(data) == "table" then return function(i) return data[i + 1] end end
  local bytes = bytesOf(data)
  if layer.compression then bytes = inflate(bytes) end
  return function(i)
    local a, b, c, d = bytes:byte(4 * i + 1, 4 * i + 4)
    return a + b * 256 + c * 65536 + d * 16777216
  end
end

local function isTrue(value) return value == true or value == "true" end
local function isFalse(value) return value == false or value == "false" end

-- Whether a point is in an object of a tile; x and y are relative to the tile.
local function isIn(object, x, y)
  local s, c = math.sin(math.rad(object.rotation)), math.cos(math.rad(object.rotation))
  x, y = x - object.x, y - object.y
  x, y = c * x + s * y, c * y - s * x
  if object.shape == "polygon" then
    local inside, p = false, object.polygon
    for i, a in ipairs(p) do
      local b = p[i % #p + 1]
      if (a.y > y) ~= (b.y > y) and x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) then
        inside = not inside
      end
    end
    return inside
  elseif object.shape == "ellipse" then
    local u, v = 2 * x / object.width - 1, 2 * y / object.height - 1
    return u * u + v * v < 1
  end
  return object.shape == "rectangle" and x > 0 and y > 0 and x < object.width and y < object.height
end

local function hasArea(object)
  return object.shape == "polygon" or object.width > 0 and object.shape ~= "text"
end

-- The tileset of a number, and its entry for the tile.
local function tileOf(map, gid)
  local set
  for _, one in ipairs(map.tilesets) do
    if one.firstgid <= gid and not (set and set.firstgid > one.firstgid) then set = one end
  end
  for _, tile in ipairs(set.tiles) do
    if set.firstgid + tile.id == gid then return set, tile end
  end
  return set, {}
end

-- Whether a tile collides, and its objects that have an area.
local function look(tile, layerCollides)
  local own = tile.properties and tile.properties.collidable
  local objects, marked = {}, false
  for _, object in ipairs(tile.objectGroup and tile.objectGroup.objects or {}) do
    if hasArea(object) and not isFalse(object.properties.collidable) then
      objects[#objects + 1] = object
      marked = marked or isTrue(object.properties.collidable)
    end
  end
  if isTrue(own) or isFalse(own) then return isTrue(own), objects end
  return marked or layerCollides, objects
end

-- Whether the tile that stands in a cell covers a point; x and y are relative to the cell.
local function covers(map, layer, gid, x, y)
  local flipX = gid >= 2 ^ 31
  if flipX then gid = gid - 2 ^ 31 end
  local flipY = gid >= 2 ^ 30
  if flipY then gid = gid - 2 ^ 30 end
  local turned = gid >= 2 ^ 29
  if turned then gid = gid - 2 ^ 29 end
  local set, tile = tileOf(map, gid)
  local collides, objects = look(tile, isTrue(layer.properties.collidable))
  if not collides then return false end
  local w, h = tile.width or set.tilewidth, tile.height or set.tileheight
  if turned then w, h = h, w end
  x, y = x - set.tileoffset.x, y - set.tileoffset.y - map.tileheight + h
  if #objects == 0 then return x > 0 and y > 0 and x < w and y < h end
  if flipX then x = w - x end
  if flipY then y = h - y end
  if turned then x, y = y, x end
  for _, object in ipairs(objects) do
    if isIn(object, x, y) then return true end
  end
  return false
end

--- A function that says whether a place in a tile layer is solid, relative to the layer.
function M.solid(map, layer)
  local cells, reach = {}, 0
  for _, piece in ipairs(layer.chunks or { layer }) do
    local number = numbersOf(layer, piece.data)
    local left, top = layer.chunks and piece.x or 0, layer.chunks and piece.y or 0
    for i = 0, piece.width * piece.height - 1 do
      local column, row = left + i % piece.width, top + math.floor(i / piece.width)
      if number(i) > 0 then cells[column .. " " .. row] = number(i) end
    end
  end
  for _, set in ipairs(map.tilesets) do reach = math.max(reach, set.tilewidth, set.tileheight) end
  local w, h = map.tilewidth, map.tileheight
  local columns, rows = math.ceil(reach / w) + 1, math.ceil(reach / h) + 1
  return function(x, y)
    local column, row = math.floor(x / w), math.floor(y / h)
    for c = column - columns, column + columns do
      for r = row - rows, row + rows do
        local gid = cells[c .. " " .. r]
        if gid and covers(map, layer, gid, x - c * w, y - r * h) then return true end
      end
    end
    return false
  end
end

return M
