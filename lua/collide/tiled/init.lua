-- Loads maps that the editor Tiled has exported for Lua. Makes one shape of tiles for each tile
-- layer in which something collides, and an actor for each object, and adds those that collide to a
-- world, or none if anything is wrong. files.lua finds the files and unpacks their tiles; read.lua
-- reads the tables of Tiled, and makes the shapes and actors of objects.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "tiled" ~= ... then return require "collide.tiled" end

local collide = require "collide"
local check = require "collide.check"
local each = require "collide.each"
local read = require "collide.tiled.read"
local files = require "collide.tiled.files"

local FN = read.FN

---@class collide.tiled.Map
---@field world collide.World
---@field actors collide.Actor[] all actors that were added, in the map's order
---@field objects collide.tiled.Actor[] all objects that do not collide, in the map's order
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

---@class collide.tiled.Layer
local Layer = {}
Layer.__index = Layer

---@class collide.tiled
local M = {}

local checkMap = check.receiver(Map, "map of tiled.load")
local checkLayer = check.receiver(Layer, "layer of tiled.load")

-- The actors and objects whose name or class, as `what` says, is the argument `value` of a method.
local function allWith(fn, self, what, value, ...)
  checkMap(self, fn)
  check.string(fn, what, value)
  check.noMore(fn, "a " .. what, 1, ...)
  local list, key = {}, "type"
  if what == "name" then key = self.world._names.name end
  for _, from in ipairs { self.actors, self.objects } do
    for _, actor in ipairs(from) do
      if key and actor[key] == value then list[#list + 1] = actor end
    end
  end
  return list
end

--- The first actor with a name, or else the first object with it that does not collide. It may have
--- been removed from the world since.
---@param name string
---@return collide.tiled.Actor? actor
function Map:find(name, ...)
  return allWith("map:find", self, "name", name, ...)[1]
end

--- All actors of a class, which older versions of Tiled call a type, and after them all objects of
--- that class that do not collide. They may have been removed from the world since.
---@param class string
---@return collide.tiled.Actor[] actors
function Map:byClass(class, ...)
  return allWith("map:byClass", self, "class", class, ...)
end

local OPTIONS = { world = check.optional(check.world), make = check.optional(check.callable),
  load = check.optional(check.callable) }

-- Layers --------------------------------------------------------------------------

local TYPES = { tilelayer = true, objectgroup = true, imagelayer = true, group = true }

-- How deep groups may be nested.
local DEEPEST = 100

-- Reads a list of layers into map.layers. The layers of a group come after it, and inherit the
-- properties that they do not have themselves.
local function readLayers(map, list, parent, depth)
  for _, from in ipairs(list) do
    local name = read.name(from)
    local where = name and ("layer %q"):format(name) or ("layer %d"):format(#map.layers + 1)
    if not TYPES[from.type] then
      read.fail(where, "type", "one of group, imagelayer, objectgroup, tilelayer", from.type)
    elseif depth > DEEPEST then
      read.refuse(where, ("more than %d groups within each other"):format(DEEPEST))
    end
    local layer = setmetatable({
      name = name, type = from.type, class = read.class(from, true), _where = where,
      properties = read.merged(parent.properties, read.properties(where, from)),
      source = from, actors = {}, objects = {},
      x = parent.x + read.number(where, from, "offsetx"),
      y = parent.y + read.number(where, from, "offsety"),
      visible = parent.visible and from.visible ~= false,
    }, Layer)
    map.layers[#map.layers + 1] = layer
    if name and not map.layers[name] then map.layers[name] = layer end
    if from.type == "group" then
      readLayers(map, read.tables(where, from, "layers"), layer, depth + 1)
    elseif from.type == "tilelayer" and from.chunks ~= nil then
      layer._pieces = files.chunks(where, from)
    end
  end
end

-- The bounds of pieces in cells: left, top, width, height; nil if there are none.
local function boundsOf(pieces)
  if #pieces == 0 then return nil end
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, p in ipairs(pieces) do
    left, top = math.min(left, p.x), math.min(top, p.y)
    right, bottom = math.max(right, p.x + p.w), math.max(bottom, p.y + p.h)
  end
  return left, top, right - left, bottom - top
end

-- Sets the place and size of the map. An infinite map has the bounds of the chunks of all layers.
local function setExtent(map)
  local from, all = map.source, {}
  for _, layer in ipairs(map.layers) do
    for _, piece in ipairs(layer._pieces or {}) do all[#all + 1] = piece end
  end
  local left, top, w, h = boundsOf(all)
  if not left then
    left, top = 0, 0
    w, h = read.number("map", from, "width"), read.number("map", from, "height")
  end
  map.tileWidth, map.tileHeight = from.tilewidth, from.tileheight
  map.x, map.y = left * map.tileWidth, top * map.tileHeight
  map.width, map.height = w * map.tileWidth, h * map.tileHeight
end

-- Tile layers ---------------------------------------------------------------------

-- The most cells that the chunks of a layer may span: a grid has a byte for each.
local MOST_CELLS = 2 ^ 24

-- Calls visit(gid, column, row, index) for the cells of a tile layer that have a tile. The index
-- counts cells from 1.
local function eachCell(layer, visit)
  for _, p in ipairs(layer._pieces) do
    local column, row = p.x - layer._left, p.y - layer._top
    for i = 1, p.w * p.h do
      local gid = p.gids[i]
      if gid ~= 0 then
        local x, y = column + (i - 1) % p.w, row + math.floor((i - 1) / p.w)
        visit(gid, x, y, y * layer._w + x + 1)
      end
    end
  end
end

-- Reads the tiles of a layer: sets its bounds in cells, and its tile numbers by index.
local function readTiles(layer)
  local where = layer._where
  local isInfinite = layer._pieces ~= nil
  layer._pieces = layer._pieces or { files.piece(where, layer.source) }
  local left, top, w, h = boundsOf(layer._pieces)
  if not left then left, top, w, h = 0, 0, 1, 1 end
  if isInfinite and w * h > MOST_CELLS then
    read.refuse(where, ("its chunks span %.0f x %.0f cells, more than 2^24; export distant parts "
      .. "as maps of their own"):format(w, h))
  end
  for _, p in ipairs(layer._pieces) do p.gids = files.gids(where, layer.source, p) end
  layer._left, layer._top, layer._w, layer._h = left, top, w, h
  if isInfinite then
    layer._gids = {}
    eachCell(layer, function(gid, _, _, index) layer._gids[index] = gid end)
  else
    layer._gids = layer._pieces[1].gids
  end
end

--- The number of the tile in a cell, with its flip bits, as Tiled writes it: 0 for an empty cell,
--- nil outside the layer. Column and row count from 0, as in the layer's grid.
---@param column integer
---@param row integer
---@return integer? gid
function Layer:gid(column, row, ...)
  local fn = "layer:gid"
  checkLayer(self, fn)
  if self.type ~= "tilelayer" then check.fail(fn, "self", "tile layer", self.type) end
  check.coordinate(fn, "column", column)
  check.coordinate(fn, "row", row)
  check.noMore(fn, "a column and a row", 2, ...)
  if not self._gids then readTiles(self) end
  if column < 0 or row < 0 or column >= self._w or row >= self._h then return nil end
  return self._gids[math.floor(row) * self._w + math.floor(column) + 1] or 0
end

-- A cell of a grid holds a byte, and 0 is an empty cell.
local MOST_VALUES = 255

-- Numbers the kinds of a layer's tiles that collide. Returns a list of the kinds and one of their
-- looks, both by the value of a cell, and a function that returns the value for a tile number in
-- the layer. For a tile that collides and has a shape that no cell can have, the function returns
-- nil, the tile and its shape.
local function numbering(map, layer, tilesets)
  local where, values, known, kinds, looks = layer._where, {}, {}, {}, {}
  local all = read.truth(where, layer.properties, "collidable")

  local function valueOf(kind)
    local key = read.keyOf(where, kind)
    if values[key] then return values[key] end
    if #kinds == MOST_VALUES then
      read.refuse(where, ("more than %d kinds of tiles that collide, which differ in shape, class "
        .. "or properties; put some on another layer"):format(MOST_VALUES))
    end
    kinds[#kinds + 1] = kind
    values[key], looks[#kinds] = #kinds, kind.shape
    if kind.oneWay ~= nil or kind.sensor then
      looks[#kinds] = { shape = kind.shape, oneWay = kind.oneWay, sensor = kind.sensor }
    end
    return #kinds
  end

  return kinds, looks, function(gid)
    local entry = known[gid]
    if entry then return entry.value, entry.tile, entry.shape end
    local tile = tilesets:tile(where, gid)
    local collides = tile._collides
    if collides == nil then collides = all end
    entry = { value = 0 }
    if collides then
      local look, shape = read.tileInLayer(where, tile, map.tileWidth, map.tileHeight)
      if look then
        entry.value = valueOf { type = tile.type, properties = tile.properties,
          shape = look ~= true and look or nil,
          oneWay = read.oneWay(tile._where, tile.properties),
          sensor = read.truth(tile._where, tile.properties, "sensor") }
      else
        entry = { tile = tile, shape = shape }
      end
    end
    known[gid] = entry
    return entry.value, entry.tile, entry.shape
  end
end

-- If a layer is a sensor and some of its tiles are not, makes sensors of its other cells one by
-- one: in a map of tiles an actor's `sensor` overrides that of its cells.
local function divideSensors(actor, names, kinds, looks)
  local isMixed = false
  for _, kind in ipairs(kinds) do isMixed = isMixed or kind.sensor == false end
  if not (isMixed and names.sensor and actor[names.sensor]) then return end
  actor[names.sensor] = false
  for value, kind in ipairs(kinds) do
    looks[value] = { shape = kind.shape, oneWay = kind.oneWay, sensor = kind.sensor ~= false }
  end
end

-- An actor for the tiles of a layer, or for one of them, at x, y in pixels of the layer.
local function newActor(layer, names, x, y, shape, properties)
  local actor = { properties = properties, layer = layer, collidable = true }
  read.place(actor, names, layer.x + x, layer.y + y)
  actor[names.shape] = shape
  read.setProperties(layer._where, actor, names, properties, layer)
  return actor
end

-- Calls visit(actor, where) once for all tiles in the cells of a layer, and for each tile whose
-- shape no cell can have.
local function eachTile(map, layer, names, tilesets, visit)
  readTiles(layer)
  local where, w, h = layer._where, map.tileWidth, map.tileHeight
  local left, top = layer._left, layer._top
  local grid = read.try(where, collide.newGrid, layer._w, layer._h,
    { cell = { w, h }, x = left * w, y = top * h })
  local kinds, looks, valueOf = numbering(map, layer, tilesets)
  local list = {}
  eachCell(layer, function(gid, column, row)
    local value, tile, shape = valueOf(gid)
    if not tile then return grid:set(column, row, value) end
    local actor = newActor(layer, names, (left + column) * w, (top + row) * h, shape,
      tile.properties)
    actor.type, actor.tile = tile.type, tile
    list[#list + 1] = { actor, ("%s, column %d, row %d, %s"):format(where, column, row,
      tile._where) }
  end)
  if #kinds > 0 or read.truth(where, layer.properties, "collidable") then
    local actor = newActor(layer, names, 0, 0, nil, layer.properties)
    divideSensors(actor, names, kinds, looks)
    actor[names.shape] = read.try(where, collide.tiles, grid, looks)
    actor.type, actor.grid, actor.tiles = layer.class, grid, kinds
    if names.name then actor[names.name] = layer.name end
    visit(actor, where)
  end
  for _, entry in ipairs(list) do visit(entry[1], entry[2]) end
end

-- Loading -------------------------------------------------------------------------

-- The actors and objects of a map: a list of { actor, where, layer, source, message }. The message
-- says why an object cannot collide.
local function readActors(map, tilesets)
  local names, list = map.world._names, {}
  local function visit(actor, where, layer, from, message)
    list[#list + 1] = { actor = actor, where = where, layer = layer, source = from,
      message = message }
  end
  for _, layer in ipairs(map.layers) do
    local from = layer.source
    local collides = read.truth(layer._where, layer.properties, "collidable")
    if layer.type == "tilelayer" and (collides or tilesets.collides) then
      eachTile(map, layer, names, tilesets, function(actor, where)
        visit(actor, where, layer, from)
      end)
    elseif layer.type == "objectgroup" then
      for i, object in ipairs(read.tables(layer._where, from, "objects")) do
        local where = read.where(layer._where, object, i)
        local actor, message = read.actor(where, object, layer, tilesets, names)
        visit(actor, where, layer, object, message)
      end
    end
  end
  return list
end

-- The actor that `make` returns for the actor of an entry, and whether it collides.
local function made(make, entry, shape)
  local given = entry.actor
  local actor = given
  if make then actor = make(given, entry.source, entry.layer) end
  if not actor then return nil end
  if type(actor) ~= "table" then
    read.fail(entry.where, "the answer of make", "actor, or nil", actor)
  end
  -- Another table from `make` may lack the field.
  local from = actor.collidable == nil and given or actor
  local collides = read.truth(entry.where, { collidable = from.collidable }, "collidable")
  if collides and entry.message then error(entry.message, 0) end
  if collides and actor.object and actor[shape] == nil then collides = false end -- a point
  return actor, collides
end

-- Reads the map that was given to tiled.load, for a world or a new one. Returns it and a list of
-- its actors and objects; none has been added yet.
local function readMap(given, options, world)
  local path = type(given) == "string" and given or nil
  local from = path and files.load(FN, "source", path, options.load) or given
  if type(from) ~= "table" then
    check.fail(FN, "source", "table that Tiled exports, or its file's name", from)
  end
  read.tables("map", from, "layers")
  if from.orientation ~= "orthogonal" then
    read.fail("map", "orientation", "orthogonal", from.orientation)
  end
  read.size("map", from, "tilewidth")
  read.size("map", from, "tileheight")
  local map = setmetatable({ source = from, layers = {}, actors = {}, objects = {}, _given = given,
    _options = options }, Map)
  map.properties = read.properties("map", from)
  readLayers(map, from.layers, { x = 0, y = 0, visible = true, properties = {} }, 0)
  setExtent(map)
  map.world = world or collide.newWorld {
    width = map.width > 0 and map.width or nil, height = map.height > 0 and map.height or nil,
  }
  local tilesets = read.tilesets(from, function(where, set)
    return path and files.tileset(where, set, path, options.load)
  end)
  local list = {}
  for _, entry in ipairs(readActors(map, tilesets)) do
    entry.actor, entry.collides = made(options.make, entry, map.world._names.shape)
    if entry.actor then list[#list + 1] = entry end
  end
  return map, list
end

-- Adds the actors of a list that collide, or none if one cannot be added. Leaves out those of `old`
-- that are in the world already. Appends all entries to the lists of the map and its layers.
local function addAll(map, list, old)
  local world, added = map.world, {}
  for _, entry in ipairs(list) do
    local actor = entry.actor
    if entry.collides and not (old[actor] and world:has(actor)) then
      local ok, message = pcall(read.try, entry.where, world.add, world, actor)
      if not ok then
        for _, one in ipairs(added) do world:remove(one) end
        error(message, 0)
      end
      added[#added + 1] = actor
    end
  end
  for _, entry in ipairs(list) do
    local into = entry.collides and "actors" or "objects"
    table.insert(map[into], entry.actor)
    table.insert(entry.layer[into], entry.actor)
  end
end

--- Reads the map again, for example after a change in Tiled: new actors replace its old ones; other
--- actors of the world stay. An actor that `make` returns again stays too. The map's fields are
--- replaced. After an error nothing has changed.
function Map:reload(...)
  checkMap(self, "map:reload", "no arguments", 0, ...)
  local fresh, list = readMap(self._given, self._options, self.world)
  local old, kept = {}, {}
  for _, actor in ipairs(self.actors) do old[actor] = true end
  addAll(fresh, list, old)
  for _, actor in ipairs(fresh.actors) do kept[actor] = true end
  for _, actor in ipairs(self.actors) do
    if not kept[actor] then self.world:remove(actor) end
  end
  for key, value in each.pairs(fresh) do self[key] = value end
end

--- Reads a map that Tiled has exported for Lua, and adds the actors that collide to a world.
---@param source string|table the file's name, or the table that it returns
---@param options? collide.tiled.Options
---@return collide.tiled.Map map
function M.load(source, options, ...)
  check.dot(FN, M, source)
  check.noMore(FN, "a map and a table of options", 2, ...)
  local o = check.options(FN, "options", options == nil and {} or options,
    "table {world = …, make = …}", OPTIONS)
  local map, list = readMap(source, o, o.world)
  addAll(map, list, {})
  return map
end

return M
