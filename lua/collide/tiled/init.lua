-- Loads maps that the editor Tiled has exported for Lua: makes one shape of tiles of each tile
-- layer and an actor of each object, and adds the actors to a world, or none if anything is wrong.
-- read.lua reads the tables of Tiled, and makes the shapes and actors of objects.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "tiled" ~= ... then return require "collide.tiled" end

local collide = require "collide"
local core = require "collide.core"
local check = require "collide.check"
local read = require "collide.tiled.read"

local FN = read.FN

---@class collide.tiled.Map
---@field world collide.World
---@field actors collide.Actor[] all actors that were added, in the map's order
---@field layers table<any, collide.tiled.Layer> by number and by name; a group precedes its layers
---@field x number the left edge in pixels: 0, unless the map is infinite
---@field y number
---@field width number in pixels
---@field height number
---@field tileWidth number the width of a cell in pixels
---@field tileHeight number
---@field properties table<string, any>
---@field source table the map as Tiled exports it
local Map = {}
Map.__index = Map

---@class collide.tiled
local M = {}

-- The actors whose name or class is `value`, the argument `what` of a method.
local function actorsWith(fn, self, what, value, ...)
  if getmetatable(self) ~= Map then
    check.fail(fn, "self", "map of tiled.load", self, "call it with a colon")
  end
  check.string(fn, what, value)
  check.noMore(fn, "a " .. what, 1, ...)
  local list, key = {}, "type"
  if what == "name" then key = self.world._names.name end
  for _, actor in ipairs(self.actors) do
    if key and actor[key] == value then list[#list + 1] = actor end
  end
  return list
end

--- The first actor with a name. It may have been removed from the world since.
---@param name string
---@return collide.tiled.Actor? actor
function Map:find(name, ...)
  return actorsWith("map:find", self, "name", name, ...)[1]
end

--- All actors of a class, which older versions of Tiled call a type. They may have been removed
--- from the world since.
---@param class string
---@return collide.tiled.Actor[] actors
function Map:all(class, ...)
  return actorsWith("map:all", self, "class", class, ...)
end

-- Finds a module as `require` does, so that a file in the archive of a packed game is found too.
local function searchModule(name)
  for _, search in ipairs(package.searchers or package.loaders) do -- luacheck: ignore
    local found, extra = search(name)
    if type(found) == "function" then
      return function() return found(name, extra) end
    end
  end
end

-- The endings of Tiled's own files, which are XML or JSON.
local OTHER_FORMATS = { tmx = true, tmj = true, json = true, xml = true, tsx = true, tsj = true }

-- Loads a file that `require` would find, or else the file at the path.
local function loadFile(path)
  if OTHER_FORMATS[(path:match "%.(%w+)$" or ""):lower()] then
    check.fail(FN, "source", "file that Tiled exports for Lua", path,
      "in Tiled, use File > Export As > Lua files")
  end
  local module = path:gsub("%.lua$", ""):gsub("^%./", ""):gsub("[/\\]", ".")
  local ok, chunk = pcall(searchModule, module)
  if not ok then check.raise(("%s: %s"):format(FN, chunk)) end
  if chunk then return chunk end
  local file = io.open(path, "rb")
  if not file then check.fail(FN, "source", "table, or the name of a file that exists", path) end
  file:close()
  local loaded, message = loadfile(path)
  return loaded or check.raise(("%s: %s"):format(FN, message))
end

local function sourceOf(source, load)
  if type(source) == "table" then return source end
  if type(source) ~= "string" then
    check.fail(FN, "source", "table that Tiled exports, or its file's name", source)
  end
  local loaded, message = (load or loadFile)(source)
  if type(loaded) ~= "table" and check.isCallable(loaded) then loaded = loaded() end
  if type(loaded) ~= "table" then
    check.fail(FN, source, "table that Tiled exports", loaded,
      type(message) == "string" and message or nil)
  end
  return loaded
end

local OPTIONS = { world = true, make = true, load = true }

local function checkOptions(options)
  if options == nil then return {} end
  check.table(FN, "options", options, "table {world = …, make = …}")
  check.keys(FN, "option", options, OPTIONS)
  local world = options.world
  if world ~= nil and (type(world) ~= "table" or not rawget(world, "_names")) then
    check.fail(FN, "world", "world", world)
  end
  for _, name in ipairs { "make", "load" } do
    local f = options[name]
    if f ~= nil and not check.isCallable(f) then check.fail(FN, name, "function", f) end
  end
  return options
end

local function checkSource(source)
  read.tables("map", source, "layers")
  if source.orientation ~= "orthogonal" then
    read.fail("map", "orientation", "orthogonal", source.orientation)
  end
  read.size("map", source, "tilewidth")
  read.size("map", source, "tileheight")
end

local TYPES = { tilelayer = true, objectgroup = true, imagelayer = true, group = true }

-- Reads the layers of a map or group into self.layers. The layers of a group come after it.
local function readLayers(self, list, parent)
  for _, source in ipairs(list) do
    local name = read.name(source)
    local where = name and ("layer %q"):format(name) or ("layer %d"):format(#self.layers + 1)
    if not TYPES[source.type] then
      read.fail(where, "type", "one of group, imagelayer, objectgroup, tilelayer", source.type)
    end
    local layer = {
      name = name, type = source.type, class = read.class(source, true), _where = where,
      properties = read.properties(where, source), source = source, actors = {},
      x = parent.x + read.number(where, source, "offsetx"),
      y = parent.y + read.number(where, source, "offsety"),
      visible = parent.visible and source.visible ~= false,
    }
    self.layers[#self.layers + 1] = layer
    if name and not self.layers[name] then self.layers[name] = layer end
    if source.type == "group" then
      readLayers(self, read.tables(where, source, "layers"), layer)
    end
  end
end

-- The chunks of a layer in an infinite map. Places and sizes are in cells.
local function chunksOf(where, layer)
  local chunks = {}
  for i, chunk in ipairs(read.tables(where, layer, "chunks")) do
    local at = ("%s, chunk %d"):format(where, i)
    chunks[i] = { x = read.whole(at, chunk, "x"), y = read.whole(at, chunk, "y"),
      w = read.count(at, chunk, "width", 1), h = read.count(at, chunk, "height", 1),
      data = chunk.data }
  end
  return chunks
end

-- The bounds of chunks in cells: left, top, width, height; nil if there are none.
local function boundsOf(chunks)
  if #chunks == 0 then return nil end
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, c in ipairs(chunks) do
    left, top = math.min(left, c.x), math.min(top, c.y)
    right, bottom = math.max(right, c.x + c.w), math.max(bottom, c.y + c.h)
  end
  return left, top, right - left, bottom - top
end

-- Sets the place and size of the map. An infinite map has the bounds of the chunks of all layers.
local function setExtent(self)
  local source, all = self.source, {}
  for _, layer in ipairs(self.layers) do
    layer._chunks = layer.source.chunks and chunksOf(layer._where, layer.source)
    for _, chunk in ipairs(layer._chunks or {}) do all[#all + 1] = chunk end
  end
  local left, top, w, h = boundsOf(all)
  if not left then
    left, top = 0, 0
    w, h = read.number("map", source, "width"), read.number("map", source, "height")
  end
  self.tileWidth, self.tileHeight = source.tilewidth, source.tileheight
  self.x, self.y = left * self.tileWidth, top * self.tileHeight
  self.width, self.height = w * self.tileWidth, h * self.tileHeight
end

-- Tile layers ---------------------------------------------------------------------

-- A cell of a grid holds a byte, and 0 is an empty cell.
local MOST_VALUES = 255

local function checkData(where, layer, piece)
  local data, w, h = piece.data, piece.w, piece.h
  if type(data) == "string" or layer.encoding == "base64" then
    read.refuse(where, ("its tiles are in base64%s; set Tile Layer Format to CSV in the map's "
      .. "properties and export it again"):format(layer.compression and ", compressed" or ""))
  elseif type(data) ~= "table" then
    read.fail(where, "data", "list of tiles", data)
  elseif #data ~= w * h then
    read.fail(where, "data", ("list of %d x %d tiles"):format(w, h), #data)
  end
end

-- The chunks of a layer; a layer of a finite map is one chunk.
local function piecesOf(where, layer)
  local source = layer.source
  local pieces = layer._chunks or { { x = 0, y = 0, w = read.count(where, source, "width", 1),
    h = read.count(where, source, "height", 1), data = source.data } }
  for _, piece in ipairs(pieces) do checkData(where, source, piece) end
  return pieces
end

-- Raises when a tile does not fill a cell.
local function checkFit(where, tile, side)
  if tile.width ~= side or tile.height ~= side then
    read.refuse(where, ("%s is %g x %g large, the map's cells are %g x %g"):format(tile._where,
      tile.width, tile.height, side, side))
  end
  local set = tile.tileset
  local offset = set.tileoffset and read.field(tile._where, set, "tileoffset", "table") or {}
  if (offset.x or 0) ~= 0 or (offset.y or 0) ~= 0 then
    read.refuse(where, tile._where .. " is drawn beside its cell: its tileset has a drawing offset")
  end
end

-- Numbers the tiles of a layer. Returns two tables by value of a cell, the tiles and their shapes,
-- and a function that returns the value for a number in the layer.
local function numbering(where, tilesets, side)
  local values, tiles, looks = {}, {}, {}
  return tiles, looks, function(gid)
    local value = values[gid]
    if value then return value end
    local tile = tilesets:tile(where, gid)
    value = #tiles + 1
    if value > MOST_VALUES then
      read.refuse(where, ("more than %d different tiles, each flip being one of its own; put "
        .. "those that do not collide on another layer"):format(MOST_VALUES))
    end
    if read.collidable(tile._where, tile.properties) == false then
      looks[value] = false
    else
      checkFit(where, tile, side)
      tile.shape = tile.shape or read.inCell(where, tile)
      looks[value] = tile.shape
    end
    tiles[value], values[gid] = tile, value
    return value
  end
end

-- Reads a tile layer. Returns a shape of tiles, its grid, and the tiles by the value of a cell.
local function readTiles(self, layer, tilesets)
  local where, side = layer._where, self.tileWidth
  if self.tileHeight ~= side then
    read.refuse(where, ("the map's cells are %g x %g; those of a layer that collides are square")
      :format(side, self.tileHeight))
  end
  local pieces = piecesOf(where, layer)
  local left, top, w, h = boundsOf(pieces)
  if not left then left, top, w, h = 0, 0, 1, 1 end
  local grid = read.try(where, collide.newGrid, w, h,
    { cell = side, x = left * side, y = top * side })
  local tiles, looks, valueOf = numbering(where, tilesets, side)
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

local function tileActor(self, layer, names, tilesets)
  local shape, grid, tiles = readTiles(self, layer, tilesets)
  local actor = {
    type = layer.class, properties = layer.properties, layer = layer, grid = grid, tiles = tiles,
  }
  if names.name then actor[names.name] = layer.name end
  actor[names.x], actor[names.y], actor[names.shape] = layer.x, layer.y, shape
  read.setProperties(layer._where, actor, names, layer.properties, layer)
  if names.static then actor[names.static] = true end
  return actor
end

-- Loading -------------------------------------------------------------------------

-- Calls visit(actor, layer, where, source) for each actor of the map.
local function eachActor(self, names, visit)
  local tilesets = read.tilesets(self.source)
  for _, layer in ipairs(self.layers) do
    local source = layer.source
    local collidable = read.collidable(layer._where, layer.properties)
    if layer.type == "tilelayer" and collidable == true then
      visit(tileActor(self, layer, names, tilesets), layer, layer._where, source)
    elseif layer.type == "objectgroup" and collidable ~= false then
      for i, object in ipairs(read.tables(layer._where, source, "objects")) do
        local where = read.where(layer._where, object, i)
        if read.hasShape(object) then
          visit(read.actor(where, object, layer, tilesets, names), layer, where, object)
        end
      end
    end
  end
end

-- Adds all actors, or none if one cannot be added.
local function addAll(world, list)
  for i, entry in ipairs(list) do
    local ok, message = pcall(read.try, entry.where, world.add, world, entry.actor)
    if not ok then
      for k = 1, i - 1 do world:remove(list[k].actor) end
      error(message, 0)
    end
  end
end

--- Reads a map that Tiled has exported for Lua, and adds its actors to a world.
---@param source string|table the file's name, or the table that it returns
---@param options? collide.tiled.Options
---@return collide.tiled.Map map
function M.load(source, options, ...)
  check.dot(FN, M, source)
  check.noMore(FN, "a map and a table of options", 2, ...)
  options = checkOptions(options)
  source = sourceOf(source, options.load)
  checkSource(source)
  local self = setmetatable({ source = source, layers = {}, actors = {} }, Map)
  self.properties = read.properties("map", source)
  readLayers(self, source.layers, { x = 0, y = 0, visible = true })
  setExtent(self)
  self.world = options.world or collide.newWorld {
    width = self.width > 0 and self.width or nil, height = self.height > 0 and self.height or nil,
  }

  local make, list = options.make, {}
  eachActor(self, self.world._names, function(actor, layer, where, from)
    if make then
      actor = make(actor, from, layer)
      if not actor then return end
      if type(actor) ~= "table" then
        read.fail(where, "the answer of make", "actor, or nil", actor)
      end
    end
    list[#list + 1] = { actor = actor, where = where, layer = layer }
  end)
  addAll(self.world, list)
  for i, entry in ipairs(list) do
    self.actors[i] = entry.actor
    table.insert(entry.layer.actors, entry.actor)
  end
  return self
end

return M
