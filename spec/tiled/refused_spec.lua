-- collide.tiled refuses unsupported data, and names the layer and the object.
local expect = require "spec.support.expect"
local maps = require "spec.support.tiledmaps"
local tiled = require "collide.tiled"

local object = maps.object

-- The message that a map raises, without its position, which must be in this file.
local function message(source)
  local text = expect.raises("tiled.load: ", function() tiled.load(source) end)
  return text:match "^%S-refused_spec%.lua:%d+: tiled%.load: (.*)$" or error(text, 0)
end

-- A map of one layer of tiles, with changed fields of the layer and the map.
local function tiles(rows, layer, map)
  return maps.map({ maps.tiles(rows, layer) }, map)
end

local function shaped(...)
  return tiles({ { 3 } }, nil, { tilesets = { maps.tileset { [2] = { ... } } } })
end

local function things(...)
  return maps.map { maps.objects { ... } }
end

local IN_TILE = 'layer "ground", tileset "rocks", tile 2'

-- Maps that are refused, and the messages.
local CASES = {
  ["an isometric map"] = { maps.map({}, { orientation = "isometric" }),
    'map: orientation expected (orthogonal), got string "isometric"' },
  ["a hexagonal map"] = { maps.map({}, { orientation = "hexagonal" }),
    'map: orientation expected (orthogonal), got string "hexagonal"' },
  ["a table that is no map"] = { {}, "map: layers expected (table), got nil" },
  ["cells without a size"] = { maps.map({}, { tilewidth = 0 }),
    "map: tilewidth expected (positive number up to 1e12), got 0" },
  ["zstd"] = { tiles({ { 1 } }, { encoding = "base64", compression = "zstd", data = "KLUv/Q==" }),
    'layer "ground": its tiles are compressed by zstd; choose zlib or gzip as Tile Layer Format' },
  ["another compression"] = { tiles({ { 1 } }, { encoding = "base64", compression = "lzma",
    data = "AQAAAA==" }), 'layer "ground": compression expected ("zlib" or "gzip"), got string' },
  ["base64 of fewer tiles"] = { tiles({ { 1, 1 } }, { encoding = "base64", data = "AQAAAA==" }),
    'layer "ground": data expected (text of 2 tiles), got number 1' },
  ["text that is not base64"] = { tiles({ { 1 } }, { encoding = "base64", data = "AQ-AAA==" }),
    'layer "ground": data expected (text in base64), got string "AQ-AAA=="' },
  ["base64 that is cut off in a chunk"] = { tiles({}, { encoding = "base64", chunks = {
    { x = 0, y = 0, width = 1, height = 1, data = "AQAAAA=" } } }),
    'layer "ground": data expected (text in base64), got string "AQAAAA="' },
  ["chunks far from each other"] = { tiles({}, { chunks = {
    { x = 0, y = 0, width = 1, height = 1, data = { 1 } },
    { x = 1e8, y = -1e8, width = 1, height = 1, data = { 1 } } } }),
    'layer "ground": its chunks span 100000001 x 100000001 cells, more than 2^24; export' },
  ["too few tiles"] = { tiles({ { 1, 1 } }, { width = 3 }),
    'layer "ground": data expected (list of 3 x 1 tiles), got number 2' },
  ["a hole among the tiles"] = { tiles({ { 1, false, 1 } }),
    'layer "ground": gid expected (whole number from 1 to 2^32 - 1), got boolean false' },
  ["no tiles"] = { tiles({ { 1 } }, { data = 7 }),
    'layer "ground": data expected (list of tiles), got number 7' },
  ["a number of no tile"] = { tiles { { 0, 1001 } },
    'layer "ground": gid expected (number of a tile in one of the tilesets), got 1001' },
  ["a number before all tilesets"] = { tiles({ { 4 } }, nil,
    { tilesets = { maps.tileset(nil, { firstgid = 5 }) } }),
    'layer "ground": gid expected (number of a tile in one of the tilesets), got 4' },
  ["a gid that is no number"] = { tiles { { 0.5 } },
    'layer "ground": gid expected (whole number from 1 to 2^32 - 1), got 0.5' },
  ["a tileset in a file of its own"] = { tiles({ { 1 } }, nil,
    { tilesets = { { name = "castle", firstgid = 1, filename = "castle.tsx" } } }),
    'layer "ground": tileset "castle" is in a file of its own, castle.tsx; export the map with' },
  ["a tile's polygon that crosses itself"] = { shaped(object { shape = "polygon",
    polygon = { { x = 0, y = 0 }, { x = 16, y = 16 }, { x = 16, y = 0 }, { x = 0, y = 16 } } }),
    IN_TILE .. ', object 1: collide.polygon: points expected' },
  ["a capsule stretched"] = { maps.map({ maps.objects { object { gid = 3, x = 0, y = 0, width = 16,
    height = 32 } } }, { tilesets = { maps.tileset { [2] = { object { shape = "capsule", width = 9,
    height = 4 } } } } }),
    'layer "things", object 7, tileset "rocks", tile 2, object 1: a capsule cannot be stretched' },
  ["a layer of an unknown type"] = { maps.map { { type = "voxels", name = "rock" } },
    'layer "rock": type expected (one of group, imagelayer, objectgroup, tilelayer), got string' },
  ["an object of an unknown kind"] = { things(object { shape = "star", name = "s" }),
    'layer "things", object 7 "s": shape expected (one of capsule, ellipse, point, polygon' },
  ["an object without a size"] = { things(object { name = "box", width = 5 }),
    'layer "things", object 7 "box": height expected (positive number up to 1e12), got 0' },
  ["an object without a place"] = { things(object { width = 5, height = 5, x = "left" }),
    'layer "things", object 7: x expected (finite number within ±1e12), got string "left"' },
  ["an angle too large"] = { things(object { width = 5, height = 5, rotation = 1e11 }),
    'layer "things", object 7: rotation expected (number of degrees, less than 2^30 radians)' },
  ["a polygon without corners"] = { things(object { shape = "polygon", polygon = {} }),
    'layer "things", object 7: collide.polygon: ' },
  ["a corner that is none"] = { things(object { shape = "polyline", polyline = { 5 } }),
    'layer "things", object 7: polyline[1] expected (table), got number 5' },
  ["a polyline of one point"] = { things(object { shape = "polyline",
    polyline = { { x = 0, y = 0 } } }), 'layer "things", object 7: collide.chain: ' },
  ["a group that is no string"] = { things(object { width = 5, height = 5,
    properties = { collidable = true, group = 5 } }),
    'layer "things", object 7: property group expected (string), got number 5' },
  ["oneWay that is no boolean"] = { tiles({ { 1 } },
    { properties = { collidable = true, oneWay = "yes" } }),
    'layer "ground": property oneWay expected (boolean, "up", "down", "left" or "right"), got' },
  ["an alignment of no kind"] = { maps.map({ maps.objects { object { gid = 1, width = 5,
    height = 5 } } }, { tilesets = { maps.tileset(nil, { objectalignment = "middle" }) } }),
    'layer "things", object 7: objectalignment expected (one of Tiled\'s), got string "middle"' },
  ["objects that are no tables"] = { things(5),
    'layer "things": objects[1] expected (table), got number 5' },
  ["layers that are no tables"] = { maps.map { 5 },
    "map: layers[1] expected (table), got number 5" },
  ["tilesets that are no tables"] = { tiles({ { 1 } }, nil, { tilesets = { 5 } }),
    "map: tilesets[1] expected (table), got number 5" },
  ["tiles of a tileset that are no tables"] = { tiles({ { 1 } }, nil,
    { tilesets = { maps.tileset(nil, { tiles = { 5 } }) } }),
    'tileset "rocks": tiles[1] expected (table), got number 5' },
  ["chunks that are no tables"] = { tiles({}, { chunks = { 5 } }),
    'layer "ground": chunks[1] expected (table), got number 5' },
  ["a chunk between cells"] = { tiles({}, { chunks = { { x = 0.5 } } }),
    'layer "ground", chunk 1: x expected (whole number), got 0.5' },
  ["a tileset's collision shapes that are no tables"] = { shaped(5),
    'tileset "rocks", tile 2: objects[1] expected (table), got number 5' },
  ["a tileset's offset that is no table"] = { tiles({ { 1 } }, nil,
    { tilesets = { maps.tileset(nil, { tileoffset = 5 }) } }),
    'tileset "rocks", tile 0: tileoffset expected (table), got number 5' },
  ["collidable that is no boolean"] = { tiles({ { 1 } }, { properties = { collidable = "yes" } }),
    'layer "ground": property collidable expected (boolean), got string "yes"' },
  ["a tile's collidable that is no boolean"] = { tiles({ { 1 } }, nil, { tilesets = {
    maps.tileset(nil, { tiles = { { id = 7, properties = { collidable = 1 } } } }) } }),
    'tileset "rocks", tile 7: property collidable expected (boolean), got number 1' },
  ["a layer without a name"] = { maps.map { maps.tiles({ { 1 } }, { name = "", data = 5 }) },
    "layer 1: data expected (list of tiles), got number 5" },
}

describe("collide.tiled refuses", function()
  for name, case in pairs(CASES) do
    it(name, function()
      local text = message(case[1])
      assert.equal(case[2], text:sub(1, #case[2]))
    end)
  end

  it("more than 255 kinds of tiles that collide in a layer, however many tiles it has", function()
    local row, set = {}, maps.tileset()
    for i = 1, 300 do row[i] = i end
    for i = 1, 254 do set.tiles[i] = { id = i, type = "kind " .. i } end
    local source = tiles({ row }, nil, { tilesets = { set } })
    assert.equal(255, #tiled.load(source).actors[1].tiles)
    set.tiles[255] = { id = 255, type = "kind 255", properties = { collidable = false } }
    assert.equal(255, #tiled.load(source).actors[1].tiles)
    set.tiles[255].properties = { slip = 1 }
    assert.matches('layer "ground": more than 255 kinds of tiles that collide',
      message(source), 1, true)
  end)

  it("results of make that are not actors", function()
    local function make() return 5 end
    expect.raises('layer "ground": the answer of make expected (actor, or nil), got number 5',
      tiled.load, tiles { { 1 } }, { make = make })
  end)

  it("unreadable tiles, but only if some may collide", function()
    local source = tiles({ { 1 } }, { properties = {}, encoding = "base64", compression = "zstd",
      data = "KLUv/Q==" })
    local map = tiled.load(source)
    assert.equal(0, map.world:count())
    expect.raises('layer "ground": its tiles are compressed by zstd', map.layers[1].gid,
      map.layers[1], 0, 0)
    source.tilesets[1].tiles[1] = { id = 0, properties = { collidable = "true" } }
    assert.matches("compressed by zstd", message(source))
  end)

  it("zlib if there is nothing to unpack it", function()
    local before, rock, preload = rawget(_G, "love"), package.loaded.zlib, package.preload.zlib
    rawset(_G, "love", nil)
    package.loaded.zlib = nil
    package.preload.zlib = function() error "there is none" end
    local text = message(tiles({ { 1 } }, { encoding = "base64", compression = "zlib",
      data = "eJxjBAAAAgAB" }))
    rawset(_G, "love", before)
    package.loaded.zlib, package.preload.zlib = rock, preload
    assert.equal('layer "ground": its tiles are compressed, which takes love.data of LÖVE 11 or '
      .. "the rock lua-zlib; or choose CSV or Base64 (uncompressed) as Tile Layer Format in the "
      .. "map's properties", text)
  end)

  it("groups and properties that contain themselves", function()
    local group = { type = "group", name = "g" }
    group.layers = { group }
    assert.matches('layer "g": more than 100 groups within each other', message(maps.map { group }))
    local properties = {}
    properties.self = properties
    local set = maps.tileset(nil, { tiles = { { id = 0, properties = properties } } })
    assert.matches('layer "ground": its properties have more than 20 levels',
      message(tiles({ { 1 } }, nil, { tilesets = { set } })))
  end)

  it("tiles that unpack to too many or none, and data much longer than a layer", function()
    local answer = ("\1\0\0\0"):rep(2)
    local source = tiles({ { 1 } }, { encoding = "base64", compression = "zlib",
      data = "eJxjBAAAAgAB" })
    local before = rawget(_G, "love")
    rawset(_G, "love", { data = { decompress = function() return answer or error "damaged" end } })
    local more = message(source)
    answer = false
    local none = message(source)
    source.layers[1].data = ("AAAA"):rep(1000)
    answer = "\1\0\0\0"
    local long = message(source)
    rawset(_G, "love", before)
    assert.equal('layer "ground": data expected (text of 1 tiles), got number 2', more)
    assert.matches('layer "ground": its data is damaged: it cannot be unpacked by zlib', none)
    assert.equal(none, long)
  end)
end)
