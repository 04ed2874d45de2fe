-- collide.tiled: the actors of each kind of layer and object, and the errors.
local collide = require "collide"
local expect = require "spec.support.expect"
local maps = require "spec.support.tiledmaps"
local tiled = require "collide.tiled"

local object = maps.object

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

-- The actor of a map with one object.
local function one(given, options, layer)
  local map = tiled.load(maps.map({ maps.objects({ object(given) }, layer) }, {
    tilesets = { maps.tileset({ [3] = { object { x = 4, y = 8, width = 8, height = 8 } } }) },
  }), options)
  assert.equal(1, #map.actors)
  return map.actors[1], map
end

local function boundsOf(actor)
  return { actor.shape:bounds(actor.x, actor.y, actor.angle) }
end

-- The shape, in its cell, of a tile with a collision shape and the given flips.
local function cornersOf(shape, flips)
  local map = tiled.load(maps.map({ maps.tiles { { 1 + (flips or 0) } } },
    { tilesets = { maps.tileset { [0] = { object(shape) } } } }))
  return map.actors[1].tiles[1].shape
end

describe("a map of Tiled", function()
  it("has its size, its properties and a world of that size", function()
    local source = maps.map({}, { properties = { music = "a.ogg" } })
    local map = tiled.load(source)
    assert.same({ 0, 0, 160, 128, 16, 16 },
      { map.x, map.y, map.width, map.height, map.tileWidth, map.tileHeight })
    assert.same({ 160, 128 }, { map.world.width, map.world.height })
    assert.equal("a.ogg", map.properties.music)
    assert.equal(source, map.source)
    assert.equal(0, map.world:count())
  end)

  it("is added to a given world, in its order", function()
    local world = collide.newWorld {}
    local map = tiled.load(maps.map { maps.tiles { { 1 } },
      maps.objects { object { width = 5, height = 5 }, object { shape = "point" } } },
      { world = world })
    assert.equal(world, map.world)
    assert.same(map.actors, world:actors())
    assert.same({ "ground" }, { map.actors[1].name })
  end)

  it("leaves its source unchanged", function()
    local function source()
      return maps.map { maps.tiles { { 1, 2 + FLIP_X } },
        maps.objects { object { gid = 1, width = 16, height = 16 } } }
    end
    local first = source()
    tiled.load(first)
    assert.same(source(), first)
  end)

  it("finds actors by name and class", function()
    local map = tiled.load(maps.map { maps.tiles { { 1 } }, maps.objects {
      object { name = "door", type = "exit", width = 5, height = 5 },
      object { name = "door", type = "exit", width = 6, height = 5 },
      object { name = "key", class = "item", width = 7, height = 5 },
    }, maps.objects({ object { name = "key", type = "item" },
      object { class = "", type = "exit" } }, { properties = {} }) })
    assert.equal(5, map:find("door").width)
    assert.equal(map.layers.ground.actors[1], map:find "ground")
    assert.is_nil(map:find "dour")
    assert.equal(3, #map:byClass "exit")
    assert.same({ map:find "key", map.objects[1] }, map:byClass "item")
    assert.same({}, map:byClass "exits")
    map.world:remove(map:find "key")
    assert.equal("key", map:find("key").name)
  end)

  it("names fields as its world does", function()
    local world = collide.newWorld { fields = { x = "left", shape = "body", angle = false,
      static = "fixed", oneWay = "hop", name = "id", group = false } }
    local actor = one({ x = 10, y = 20, width = 8, height = 4, rotation = 90, name = "n" },
      { world = world }, { properties = { collidable = true, oneWay = true, group = "g" } })
    assert.same({ 10, 20, true, true, "n" },
      { actor.left, actor.y, actor.fixed, actor.hop, actor.id })
    assert.is_nil(actor.angle or actor.x or actor.shape or actor.static or actor.group)
    assert.is_nil(actor[false])
    expect.near({ 6, 20, 4, 8 }, { actor.body:bounds(actor.left, actor.y) })
  end)

  it("consists of what make returns", function()
    local seen = {}
    local map = tiled.load(maps.map { maps.tiles { { 1 } }, maps.objects {
      object { name = "a", width = 5, height = 5 }, object { name = "b", width = 5, height = 5 },
      object { name = "c", width = 5, height = 5 } } },
      { make = function(actor, source, layer)
        seen[#seen + 1] = { actor.name, source.type, layer.name }
        if actor.name == "a" then return nil end
        if actor.name == "b" then return false end
        if actor.name == "c" then return { x = 1, y = 2, shape = actor.shape, name = "new" } end
        return actor
      end })
    assert.same({ { "ground", "tilelayer", "ground" }, { "a", "", "things" }, { "b", "", "things" },
      { "c", "", "things" } }, seen)
    assert.equal(2, map.world:count())
    assert.equal(1, map:find("new").x)
    assert.equal(map:find "new", map.layers.things.actors[1])
  end)

  it("is added completely or not at all", function()
    local world = collide.newWorld { groups = { "wall" } }
    local source = maps.map { maps.objects { object { width = 5, height = 5 },
      object { id = 8, name = "odd", width = 5, height = 5, properties = { group = "wal" } } } }
    expect.raises({ 'tiled.load: layer "things", object 8 "odd": world:add: ',
      "group expected (one of this world's groups" }, tiled.load, source, { world = world })
    assert.equal(0, world:count())
  end)
end)

describe("the file of a map", function()
  it("is found by its path, or as a module", function()
    assert.equal(1664, tiled.load("examples/game/map.lua").width)
    package.preload["levels.first"] = function() return maps.map { maps.tiles { { 1 } } } end
    assert.equal(1, tiled.load("levels/first.lua").world:count())
    assert.equal(1, tiled.load("./levels/first.lua").world:count())
    package.preload["levels.first"] = nil
    local path = package.path
    package.path = "spec/?.lua;" .. path
    local map = tiled.load "maps/csv.lua"
    package.path = path
    assert.equal(192, map.width)
  end)

  it("is loaded by the option load if that is given", function()
    for _, answer in ipairs { maps.map {}, function() return maps.map {} end } do
      local map = tiled.load("a map", { load = function(name)
        assert.equal("a map", name)
        return answer
      end })
      assert.equal(160, map.width)
    end
    expect.raises({ "tiled.load: a map expected (table that Tiled exports), got nil; not there" },
      tiled.load, "a map", { load = function() return nil, "not there" end })
  end)

  it("raises errors that say what is wrong with it", function()
    for _, name in ipairs { "examples/game/map.tmx", "level.TMJ", "maps/level.json" } do
      expect.raises("tiled.load: source expected (file that Tiled exports for Lua), got string "
        .. ('"%s"; in Tiled, use File > Export As > Lua files'):format(name), tiled.load, name)
    end
    expect.raises("tiled.load: source expected (table, or the name of a file that exists), got "
      .. 'string "nowhere/map.lua"', tiled.load, "nowhere/map.lua")
    expect.raises("tiled.load: called with a colon; call it with a dot", tiled.load, tiled, "map")
    expect.raises({ "tiled.load: README.md:", " near '" }, tiled.load, "README.md")
    package.preload["levels.odd"] = function() error "odd" end
    expect.raises("odd", tiled.load, "levels/odd.lua")
    package.preload["levels.odd"] = nil
    local path = "lua/collide/types/collide.lua"
    expect.raises(("tiled.load: %s expected (table that Tiled exports), got nil"):format(path),
      tiled.load, path)
  end)
end)

describe("a tile layer", function()
  it("is a single actor of tiles if it is collidable", function()
    local map = tiled.load(maps.map {
      maps.tiles({ { 0, 1, 2 }, { 3, 0, 1 } }, { offsetx = 100, offsety = -50, class = "" }),
      maps.tiles({ { 1 } }, { name = "sky", properties = {} }),
      maps.tiles({ { 1 } }, { name = "more", properties = { collidable = false } }),
    })
    assert.equal(1, map.world:count())
    local actor = map:find "ground"
    assert.same({ "tiles" }, { actor.shape:kind(), actor.type })
    assert.same({ 100, -50, true }, { actor.x, actor.y, actor.static })
    assert.same({ 3, 2 }, { actor.grid:size() })
    assert.equal("\0\1\1\1\0\1", actor.grid:dump())
    local text = maps.tiles({ { 0 } }, { encoding = "base64", compression = "",
      data = "\n  AQAA\nAA==\n" })
    assert.equal("\1", tiled.load(maps.map { text }).actors[1].grid:dump())
    assert.same({ { properties = {} } }, actor.tiles)
    assert.is_true(#map.world:queryPoint(120, -45) == 1 and #map.world:queryPoint(110, -45) == 0)
    assert.same({}, map.layers.sky.actors)
  end)

  it("collides whether it is visible or not", function()
    local map = tiled.load(maps.map { maps.tiles({ { 1 } }, { visible = false }) })
    assert.equal(1, map.world:count())
    assert.is_false(map.layers[1].visible)
  end)

  it("has the shapes of its tiles, and leaves out those that are not collidable", function()
    local set = maps.tileset { [1] = { object { shape = "polygon", x = 0, y = 16,
      polygon = { { x = 0, y = 0 }, { x = 16, y = -16 }, { x = 16, y = 0 } } } } }
    set.tiles[2] = { id = 2, type = "grass", width = 99,
      properties = { collidable = false, height = 3 } }
    local map = tiled.load(maps.map({ maps.tiles { { 1, 2, 3 } } }, { tilesets = { set } }))
    local function isAt(x, y) return #map.world:queryPoint(x, y) == 1 end
    assert.is_true(isAt(1, 1))
    assert.is_true(isAt(31, 2) and isAt(17, 15.5))
    assert.is_false(isAt(17, 10))
    assert.is_false(isAt(40, 8))
    assert.equal("\1\2\0", map.actors[1].grid:dump())
    assert.equal(3, map.layers.ground:gid(2, 0))
  end)

  it("turns shapes as Tiled turns tiles", function()
    local wedge = { shape = "polygon", x = 16, y = 4,
      polygon = { { x = 0, y = 0 }, { x = 0, y = 12 }, { x = -8, y = 12 } } }
    -- Two corners on the right, at 1, 1/4 and 1, 1; the third at 1/2, 1.
    for flips, third in pairs {
      [0] = { 0.5, 1 }, [FLIP_X] = { 0.5, 1 }, [FLIP_Y] = { 0.5, 0 },
      [FLIP_X + FLIP_Y] = { 0.5, 0 }, [FLIP_DIAGONAL] = { 1, 0.5 },
      [FLIP_X + FLIP_DIAGONAL] = { 0, 0.5 }, [FLIP_Y + FLIP_DIAGONAL] = { 1, 0.5 },
    } do
      local shape = cornersOf(wedge, flips)
      local points, has = shape:points(), false
      for i = 1, #points, 2 do
        has = has or points[i] == third[1] and points[i + 1] == third[2]
      end
      assert.is_true(has, ("%x: %s"):format(flips, table.concat(points, " ")))
      assert.equal(0.1875, shape:area())
    end
    local right = { FLIP_DIAGONAL + FLIP_X, 0, 0.6, 0.6 } -- a quarter turn clockwise
    assert.is_true(cornersOf({ width = 16, height = 4 }, right[1]):contains(0.9, 0.5))
    assert.is_false(cornersOf({ width = 16, height = 4 }, right[1]):contains(0.5, 0.1))
  end)

  it("numbers kinds of tiles: shape, class and properties, by content", function()
    local wedge = { object { shape = "polygon", polygon = { { x = 0, y = 0 }, { x = 16, y = 0 },
      { x = 0, y = 16 } } } }
    local set = maps.tileset { [0] = wedge, [1] = wedge }
    local slip, same = {}, {}
    for i = 1, 99 do slip["x" .. i], same["x" .. 100 - i] = i, 100 - i end
    set.tiles[#set.tiles + 1] = { id = 4, type = "ice", properties = { slip = slip } }
    set.tiles[#set.tiles + 1] = { id = 5, type = "ice", properties = { slip = same } }
    set.tiles[#set.tiles + 1] = { id = 6, type = "ice", properties = { slip = { y = 2, x = "1" } } }
    local map = tiled.load(maps.map({ maps.tiles { { 1, 2, 1 + FLIP_X, 2 + FLIP_X, 1 + FLIP_Y, 3,
      4 + FLIP_DIAGONAL, 5, 6, 7 } } }, { tilesets = { set } }))
    local actor, layer = map.actors[1], map.layers.ground
    assert.equal("\1\1\2\2\3\4\4\5\5\6", actor.grid:dump())
    assert.same({ { properties = {} }, { type = "ice", properties = { slip = slip } } },
      { actor.tiles[4], actor.tiles[5] })
    assert.is_true(actor.tiles[2].shape:contains(0.9, 0.05))
    assert.same({ 1, 2 + FLIP_X, 4 + FLIP_DIAGONAL },
      { layer:gid(0, 0), layer:gid(3, 0), layer:gid(6, 0) })
    assert.same({}, { layer:gid(10, 0), layer:gid(0, -1) })
  end)

  it("takes circles, ellipses, capsules, turned rectangles, and tilesets after others", function()
    local circle = cornersOf { shape = "ellipse", x = 4, y = 6, width = 8, height = 8 }
    assert.equal("circle", circle:kind())
    assert.same({ 0.25, 0.375, 0.5, 0.5 }, { circle:bounds() })
    local rings = tiled.load(maps.map({ maps.tiles { { 1, 2 } } }, { tilesets = { maps.tileset {
      [0] = { object { shape = "ellipse", x = 4, y = 4, width = 8, height = 8 } },
      [1] = { object { shape = "ellipse", x = 6, y = 6, width = 4, height = 4 } } } } }))
    assert.equal("\1\2", rings.actors[1].grid:dump())
    local ellipse = cornersOf { shape = "ellipse", width = 16, height = 8 }
    assert.equal(32, #ellipse:points())
    expect.near({ 0, 0, 1, 0.5 }, { ellipse:bounds() })
    local capsule = cornersOf({ shape = "capsule", width = 8, height = 16 }, FLIP_DIAGONAL)
    assert.equal("capsule", capsule:kind())
    assert.same({ 0, 0, 1, 0.5 }, { capsule:bounds() })
    local turned = cornersOf { x = 16, y = 0, width = 8, height = 16, rotation = 90 }
    assert.same({ 0, 0, 1, 0.5 }, { turned:bounds() })
    local map = tiled.load(maps.map({ maps.tiles { { 5, 105 } } }, {
      tilesets = { maps.tileset(nil, { firstgid = 101, name = "second" }), maps.tileset() } }))
    assert.equal("\1\1", map.actors[1].grid:dump())
  end)

  it("has tiles of a collection of images, each with its number and its size", function()
    local set = maps.tileset(nil, { tilewidth = 40, tileheight = 16, tilecount = 2, tiles = {
      { id = 0, width = 16, height = 12 }, { id = 7, width = 40, height = 9 } } })
    local map = tiled.load(maps.map({ maps.tiles { { 1, 8 } } }, { tilesets = { set } }))
    assert.same({ 0, 0.25, 1, 0.75 }, { map.actors[1].tiles[1].shape:bounds() })
    assert.same({ 16, 7, 40, 9 }, boundsOf(map.actors[2]))
    expect.raises("gid expected (number of a tile in one of the tilesets), got 7", tiled.load,
      maps.map({ maps.tiles { { 7 } } }, { tilesets = { set } }))
  end)

  it("closes gaps between shapes that Tiled wrote with few digits", function()
    local shape = cornersOf { shape = "polygon", x = 0.0049, y = 15.998,
      polygon = { { x = 0, y = 0 }, { x = 15.9961, y = -16.0032 }, { x = 15.99, y = 0 } } }
    assert.same({ 0, 0, 1, 1 }, { shape:bounds() })
  end)

  it("of an infinite map is made of chunks", function()
    local layer = maps.tiles({}, { width = 10, height = 8, data = false, chunks = {
      { x = -2, y = 1, width = 2, height = 2, data = { 1, 0, 0, 2 } },
      { x = 3, y = -1, width = 1, height = 2, data = { 3, 1 } },
    } })
    layer.data = nil
    local map = tiled.load(maps.map { layer })
    assert.same({ -32, -16, 96, 64 }, { map.x, map.y, map.width, map.height })
    local grid = map.actors[1].grid
    assert.same({ 6, 4 }, { grid:size() })
    assert.equal("\0\0\0\0\0\1" .. "\0\0\0\0\0\1" .. "\1\0\0\0\0\0" .. "\0\1\0\0\0\0", grid:dump())
    local ground = map.layers.ground
    assert.same({ 3, 1, 2, 0 },
      { ground:gid(5, 0), ground:gid(0, 2), ground:gid(1, 3), ground:gid(2, 2) })
    assert.equal(1, #map.world:queryRect(-31, 17, 14, 14))
    assert.equal(0, #map.world:queryRect(-15, 17, 14, 14))
    layer.chunks = {}
    map = tiled.load(maps.map { layer })
    assert.equal("\0", map.actors[1].grid:dump())
    assert.same({ 0, 160 }, { map.x, map.width })
  end)
end)

describe("layers", function()
  it("in groups add up offsets, and are hidden with them", function()
    local map = tiled.load(maps.map {
      { type = "imagelayer", name = "sky", image = "sky.png" },
      { type = "group", name = "all", offsetx = 10, offsety = 5, visible = false, layers = {
        { type = "group", name = "inner", offsetx = 1, class = "part", layers = {
          maps.tiles({ { 1 } }, { offsety = 2 }),
          maps.objects({ object { x = 3, y = 4, width = 5, height = 5 } }, { parallaxx = 0.5 }),
        } } } },
      maps.objects({}, { name = "inner" }),
    })
    local names = {}
    for i, layer in ipairs(map.layers) do
      names[i] = ("%s %d %d"):format(layer.name, layer.x, layer.y)
    end
    assert.same({ "sky 0 0", "all 10 5", "inner 11 5", "ground 11 7", "things 11 5", "inner 0 0" },
      names)
    assert.equal(map.layers[3], map.layers.inner)
    assert.equal("part", map.layers.inner.class)
    assert.is_false(map.layers.ground.visible)
    assert.same({ 11, 7 }, { map.actors[1].x, map.actors[1].y })
    assert.same({ 14, 9 }, { map.actors[2].x, map.actors[2].y })
  end)
end)

describe("an object of Tiled", function()
  it("as a rectangle is a static rectangle", function()
    local actor, map = one { name = "crate", type = "box", x = 5, y = 6, width = 20, height = 10,
      properties = { hp = 3 } }
    assert.same({ 5, 6, 20, 10 }, boundsOf(actor))
    assert.equal("rectangle", actor.shape:kind())
    assert.same({ "crate", "box", 3, true, 20, 10 }, { actor.name, actor.type,
      actor.properties.hp, actor.static, actor.width, actor.height })
    assert.equal(map.layers.things, actor.layer)
    assert.equal(map.source.layers[1].objects[1], actor.object)
    assert.is_nil(actor.angle or actor.group or actor.sensor or actor.tile)
  end)

  it("is turned about its x, y, clockwise", function()
    local actor = one { x = 100, y = 50, width = 20, height = 10, rotation = 90 }
    assert.equal(math.pi / 2, actor.angle)
    expect.near({ 90, 50, 10, 20 }, boundsOf(actor))
  end)

  it("as an ellipse is a circle, or a polygon of 16 corners", function()
    local circle = one { shape = "ellipse", x = 10, y = 10, width = 8, height = 8 }
    assert.equal("circle", circle.shape:kind())
    assert.same({ 10, 10, 8, 8 }, boundsOf(circle))
    local ellipse = one { shape = "ellipse", x = 10, y = 10, width = 20, height = 8 }
    assert.equal("polygon", ellipse.shape:kind())
    local points = ellipse.shape:points()
    assert.equal(32, #points)
    for i = 1, 32, 2 do
      assert.is_true(math.abs((points[i] / 10 - 1) ^ 2 + (points[i + 1] / 4 - 1) ^ 2 - 1) < 1e-9)
    end
  end)

  it("as a polygon, polyline or capsule", function()
    local corners = { { x = 0, y = 0 }, { x = 30, y = 0 }, { x = 15, y = 10 }, { x = 0, y = 20 } }
    local polygon = one { shape = "polygon", x = 1, y = 2, polygon = corners }
    assert.same({ "polygon", 300 }, { polygon.shape:kind(), polygon.shape:area() })
    local chain = one { shape = "polyline", x = 1, y = 2, polyline = corners }
    assert.equal("chain", chain.shape:kind())
    assert.same({ 1, 2, 30, 20 }, boundsOf(chain))
    local capsule = one { shape = "capsule", x = 1, y = 2, width = 30, height = 10 }
    assert.same({ "capsule", 5 }, { capsule.shape:kind(), capsule.shape:radius() })
    assert.same({ 1, 2, 30, 10 }, boundsOf(capsule))
  end)

  it("takes collision fields from its properties, or from its layer's", function()
    local own = { collidable = true, group = "foe", static = false, sensor = true, oneWay = true,
      swept = true }
    local function fields(actor)
      return { collidable = actor.collidable, group = actor.group, static = actor.static,
        sensor = actor.sensor, oneWay = actor.oneWay, swept = actor.swept }
    end
    assert.same(own, fields(one({ width = 5, height = 5, properties = own })))
    assert.same(own, fields(one({ width = 5, height = 5 }, nil, { properties = own })))
    local other = { collidable = true, group = "a", static = true, sensor = false, oneWay = false,
      swept = false }
    assert.same(other, fields(one({ width = 5, height = 5, properties = other }, nil,
      { properties = own })))
    local map = tiled.load(maps.map { maps.tiles({ { 1 } }, { class = "rock",
      properties = { collidable = true, group = "wall", oneWay = true, static = false } }) })
    local actor = map.actors[1]
    assert.same({ "wall", true, false, "rock" },
      { actor.group, actor.oneWay, actor.static, actor.type })
  end)

  it("as a tile is placed by its lower left corner, with the tile's shape and fields", function()
    local actor = one { gid = 4, x = 32, y = 64, width = 16, height = 16 }
    assert.same({ 32, 48 }, { actor.x, actor.y })
    assert.same({ 36, 56, 8, 8 }, boundsOf(actor))
    assert.equal(3, actor.tile.id)
    local plain = one { gid = 1, x = 32, y = 64, width = 32, height = 48 }
    assert.same({ 32, 16, 32, 48 }, boundsOf(plain))
    local large = one { gid = 4, x = 0, y = 64, width = 32, height = 64 }
    assert.same({ 8, 32, 16, 32 }, boundsOf(large))
    local flipped = one { gid = 4 + FLIP_Y, x = 0, y = 16, width = 16, height = 16 }
    assert.same({ 4, 0, 8, 8 }, boundsOf(flipped))
    local turned = one { gid = 1, x = 100, y = 100, width = 20, height = 10, rotation = 90 }
    expect.near({ 100, 100, 10, 20 }, boundsOf(turned))

    local set = maps.tileset(nil, { objectalignment = "center" })
    set.tiles = { { id = 0, type = "coin", properties = { worth = 1, group = "item" } } }
    local map = tiled.load(maps.map({ maps.objects { object { gid = 1, x = 50, y = 50, width = 16,
      height = 16, properties = { worth = 5 } } } }, { tilesets = { set } }))
    local coin = map.actors[1]
    assert.same({ 42, 42, "coin", 5, "item" },
      { coin.x, coin.y, coin.type, coin.properties.worth, coin.group })
  end)

  it("as a tile is placed as Tiled draws it: with its offset, turned, fit into its size", function()
    local function load(gid, set, w, h, rotation)
      local given = { gid = gid, x = 50, y = 60, width = w, height = h, rotation = rotation }
      return tiled.load(maps.map({ maps.objects { object(given) } },
        { tilesets = { maps.tileset(nil, set) } })).actors[1]
    end
    local trees = { tilewidth = 24, tileheight = 40, tileoffset = { x = -4, y = 6 } }
    assert.same({ 42, 43, 48, 20 }, boundsOf(load(1, trees, 48, 20)))
    assert.same({ 42, 15, 20, 48 }, boundsOf(load(1 + FLIP_DIAGONAL, trees, 48, 20)))
    local turned = load(1, trees, 48, 20, 90)
    expect.near({ 47, 52, 20, 48 }, boundsOf(turned))
    expect.near({ 67, 52 }, { turned.x, turned.y })
    trees.objectalignment = "topleft"
    assert.same({ 42, 63, 48, 20 }, boundsOf(load(1, trees, 48, 20)))
    local fit = { tileheight = 32, fillmode = "preserve-aspect-fit" }
    assert.same({ 58, 28, 16, 32 }, boundsOf(load(1, fit, 32, 32)))
  end)

  it("as a tile with several collision shapes has all of them", function()
    local set = maps.tileset { [0] = { object { width = 16, height = 4 },
      object { shape = "ellipse", x = 0, y = 8, width = 8, height = 8 },
      object { shape = "polyline", y = 6, polyline = { { x = 0, y = 0 }, { x = 9, y = 1 } } },
    } }
    local map = tiled.load(maps.map({ maps.objects { object { gid = 1, x = 0, y = 16, width = 16,
      height = 16 } } }, { tilesets = { set } }))
    local shape = map.actors[1].shape
    assert.equal("compound", shape:kind())
    assert.is_true(shape:contains(15, 3) and shape:contains(4, 12))
    assert.is_false(shape:contains(12, 12))
    map.source.layers[1].objects[1].height = 32
    assert.equal(32, #tiled.load(map.source).actors[1].shape:parts()[2]:points())
    map.source.layers[1].objects[1].width = 32
    local ball = tiled.load(map.source).actors[1].shape:parts()[2]
    assert.same({ 0, 16, 16, 16 }, { ball:bounds() })
  end)

  it("as a text has no actor, and neither has one in a layer that is not collidable", function()
    local text = object { shape = "text", text = "hello", width = 50, height = 10 }
    local map = tiled.load(maps.map { maps.objects { text },
      maps.objects({ object { width = 5, height = 5 } }, { properties = { collidable = false } }) })
    assert.equal(0, map.world:count())
  end)
end)
