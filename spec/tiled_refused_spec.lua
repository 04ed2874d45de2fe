-- collide.tiled refuses unsupported data, and names the layer and the object.
local expect = require "spec.support.expect"
local maps = require "spec.support.tiledmaps"
local tiled = require "collide.tiled"

local object = maps.object

-- The message that a map raises, without its position, which must be in this file.
local function message(source)
  local text = expect.raises("tiled.load: ", function() tiled.load(source) end)
  return text:match "^%S-tiled_refused_spec%.lua:%d+: tiled%.load: (.*)$" or error(text, 0)
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
  ["cells that are not square"] = { tiles({ { 1 } }, nil, { tileheight = 8 }),
    'layer "ground": the map\'s cells are 16 x 8; those of a layer that collides are square' },
  ["cells without a size"] = { maps.map({}, { tilewidth = 0 }),
    "map: tilewidth expected (positive number up to 1e12), got 0" },
  ["base64"] = { tiles({ { 1 } }, { encoding = "base64", data = "AQAAAA==" }),
    'layer "ground": its tiles are in base64; set Tile Layer Format to CSV' },
  ["compressed base64"] = { tiles({ { 1 } }, { encoding = "base64", compression = "zlib",
    data = "eJxjBAAAAgAB" }), 'layer "ground": its tiles are in base64, compressed; set' },
  ["base64 in a chunk"] = { tiles({}, { encoding = "base64", width = 1, height = 1,
    chunks = { { x = 0, y = 0, width = 1, height = 1, data = "AQAAAA==" } } }),
    'layer "ground": its tiles are in base64; set' },
  ["too few tiles"] = { tiles({ { 1, 1 } }, { width = 3 }),
    'layer "ground": data expected (list of 3 x 1 tiles), got number 2' },
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
  ["tiles of another size"] = { tiles({ { 1 } }, nil,
    { tilesets = { maps.tileset(nil, { tileheight = 32 }) } }),
    'layer "ground": tileset "rocks", tile 0 is 16 x 32 large, the map\'s cells are 16 x 16' },
  ["a drawing offset"] = { tiles({ { 1 } }, nil,
    { tilesets = { maps.tileset(nil, { tileoffset = { x = 0, y = 3 } }) } }),
    'layer "ground": tileset "rocks", tile 0 is drawn beside its cell' },
  ["several shapes of a tile"] = { shaped(object { width = 8, height = 8 },
    object { x = 8, width = 8, height = 16 }),
    IN_TILE .. ': 2 collision shapes; in a tile layer a tile has one, a convex one' },
  ["a tile's polygon that crosses itself"] = { shaped(object { shape = "polygon",
    polygon = { { x = 0, y = 0 }, { x = 16, y = 16 }, { x = 16, y = 0 }, { x = 0, y = 16 } } }),
    IN_TILE .. ', object 1: collide.polygon: points expected' },
  ["a tile's concave polygon"] = { shaped(object { shape = "polygon",
    polygon = { { x = 0, y = 0 }, { x = 16, y = 0 }, { x = 4, y = 4 }, { x = 0, y = 16 } } }),
    IN_TILE .. ', object 1: collide.tiles: shapes[1] expected (convex shape)' },
  ["a shape larger than its tile"] = { shaped(object { width = 20, height = 8 }),
    IN_TILE .. ', object 1: collide.tiles: shapes[1] expected (shape within a cell of side 1' },
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
    properties = { group = 5 } }),
    'layer "things", object 7: property group expected (string), got number 5' },
  ["oneWay that is no boolean"] = { tiles({ { 1 } },
    { properties = { collidable = true, oneWay = "yes" } }),
    'layer "ground": property oneWay expected (boolean), got string "yes"' },
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
  ["collidable that is no boolean"] = { tiles({ { 1 } }, { properties = { collidable = "true" } }),
    'layer "ground": property collidable expected (boolean), got string "true"' },
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

  it("more than 255 different tiles in a layer", function()
    local row = {}
    for i = 1, 255 do row[i] = i end
    assert.equal(255, #tiled.load(tiles { row }).actors[1].tiles)
    row[256] = 1 + 2 ^ 31
    assert.matches('layer "ground": more than 255 different tiles, each flip',
      message(tiles { row }), 1, true)
  end)

  it("results of make that are no actors", function()
    local function make() return 5 end
    expect.raises('layer "ground": the answer of make expected (actor, or nil), got number 5',
      tiled.load, tiles { { 1 } }, { make = make })
  end)

  it("only layers that it uses", function()
    local map = tiled.load(maps.map({
      maps.tiles({ { 1, 99 } }, { properties = {}, encoding = "base64", data = "AQAAAA==" }),
      maps.objects { object { width = 5, height = 5 } },
    }, { tilesets = { { name = "castle", firstgid = 1, filename = "castle.tsx" } } }))
    assert.equal(1, map.world:count())
  end)
end)
