-- collide.tiled: what collides, by the convention of STI; tiles that do not fit into a cell; files;
-- and reload.
local collide = require "collide"
local expect = require "spec.support.expect"
local maps = require "spec.support.tiledmaps"
local tiled = require "collide.tiled"

local object = maps.object

local NONE = { properties = {} }

-- A map of objects, in a layer with these properties.
local function things(properties, ...)
  return maps.map { maps.objects({ ... }, { properties = properties }) }
end

local function box(given)
  given.width, given.height = given.width or 10, given.height or 10
  return object(given)
end

local function namesOf(list)
  local names = {}
  for i, actor in ipairs(list) do names[i] = actor.name end
  return table.concat(names, " ")
end

-- The bytes of the grid of a layer of these tiles.
local function dump(row, layer, ...)
  local set = maps.tileset(nil, { tiles = { ... } })
  local map = tiled.load(maps.map({ maps.tiles({ row }, layer) }, { tilesets = { set } }))
  return map.actors[1] and map.actors[1].grid and map.actors[1].grid:dump(), map
end

describe("what collides in a map of Tiled:", function()
  it("objects that are marked, or whose layer is", function()
    local no, yes, text = { collidable = false }, { collidable = true }, { collidable = "true" }
    local map = tiled.load(things({}, box { name = "a" }, box { name = "b", properties = yes },
      box { name = "c", properties = no }, box { name = "d", properties = text }))
    assert.same({ "b d", "a c" }, { namesOf(map.actors), namesOf(map.objects) })
    assert.same({ true, true }, { map:find("b").collidable, map:find("d").collidable })
    assert.is_nil(map:find("a").collidable)
    assert.is_false(map:find("c").collidable)
    assert.equal(2, map.world:count())
    map = tiled.load(things(text, box { name = "a" }, box { name = "b", properties = no },
      box { name = "c", properties = { collidable = "false" } }))
    assert.same({ "a", "b c" }, { namesOf(map.actors), namesOf(map.objects) })
    assert.same({ "a", "b c" },
      { namesOf(map.layers.things.actors), namesOf(map.layers.things.objects) })
  end)

  it("layers in a group that is marked", function()
    local map = tiled.load(maps.map { { type = "group", name = "level",
      properties = { collidable = true, group = "wall" }, layers = {
        maps.tiles({ { 1 } }, NONE), maps.tiles({ { 1 } }, { properties = { collidable = false } }),
        maps.objects({ box {} }, { properties = { group = "box" } }) } } })
    assert.same({ 2, "wall", "box" }, { #map.actors, map.actors[1].group, map.actors[2].group })
  end)

  it("tiles that are marked, or whose layer is", function()
    local on, off = { id = 1, properties = { collidable = true } }, { id = 2,
      properties = { collidable = false } }
    assert.equal("\0\0\1\0\0", (dump({ 0, 1, 2, 3, 4 }, NONE, on, off)))
    assert.equal("\0\1\1\0\1", (dump({ 0, 1, 2, 3, 4 }, { properties = { collidable = "true" } },
      { id = 1, properties = {} }, off)))
    on.properties.collidable = "true"
    assert.equal("\1\0", (dump({ 2, 3 }, { properties = { collidable = false } }, on, off)))
    local bytes, map = dump({ 1, 3 }, NONE, on, off)
    assert.same({ nil, 0 }, { bytes, #map.actors })
  end)

  it("tiles with a marked collision shape; one that is not marked is the tile's shape", function()
    local function tile(...)
      return { id = 0, objectGroup = { objects = { ... } } }
    end
    local lower = box { y = 8, width = 16, height = 8 }
    assert.is_nil((dump({ 1, 2 }, NONE, tile(lower))))
    local bytes, map = dump({ 1, 2 }, nil, tile(lower))
    assert.equal("\1\2", bytes)
    assert.same({ 0, 0.5, 1, 0.5 }, { map.actors[1].tiles[1].shape:bounds() })
    lower.properties = { collidable = true }
    bytes, map = dump({ 1, 2 }, NONE, tile(lower))
    assert.equal("\1\0", bytes)
    assert.equal(0, #map.world:queryPoint(8, 7))
    -- The tile's own property overrides its shapes; a shape that is marked false does not count.
    local off = tile(lower)
    off.properties = { collidable = false }
    assert.equal("\0\1", (dump({ 1, 2 }, nil, off)))
    lower.properties = { collidable = false }
    assert.equal("\0\1", (dump({ 1, 2 }, nil, tile(lower))))
    bytes, map = dump({ 1 }, nil, tile(lower, box { width = 4, height = 16 }, object {
      shape = "point" }, object { properties = { collidable = true } }))
    assert.equal("\1", bytes)
    assert.same({ 0, 0, 0.25, 1 }, { map.actors[1].tiles[1].shape:bounds() })
  end)

  it("tile objects: by their own property, their tile's, then their layer's", function()
    local set = maps.tileset { [1] = { box { properties = { collidable = true } } } }
    set.tiles[2] = { id = 2, properties = { collidable = false } }
    local function load(properties)
      return tiled.load(maps.map({ maps.objects({
        box { gid = 1, name = "plain" }, box { gid = 2, name = "marked" },
        box { gid = 3, name = "off" },
        box { gid = 3, name = "on", properties = { collidable = true } },
      }, { properties = properties }) }, { tilesets = { set } }))
    end
    assert.equal("marked on", namesOf(load({}).actors))
    assert.equal("plain marked on", namesOf(load({ collidable = true }).actors))
  end)

  it("no points, and nothing of size 0", function()
    local map = tiled.load(things({ collidable = true }, object { shape = "point", name = "a" },
      object { name = "b", properties = { collidable = true } },
      object { shape = "ellipse", name = "c", x = 5, y = 6 },
      object { shape = "text", name = "d", width = 5, height = 5 },
      object { shape = "capsule", name = "e" }))
    assert.equal("a b c d e", namesOf(map.objects))
    assert.equal(0, map.world:count())
    local c = map:find "c"
    assert.same({ 5, 6, 0, 0, 0 }, { c.x, c.y, c.width, c.height, c.angle })
    for _, o in ipairs(map.objects) do assert.is_nil(o.shape or o.collidable) end
    local old = tiled.load(things({ collidable = true }, object { gid = 1, y = 16 })).actors[1]
    assert.same({ 0, 0, 16, 16 }, { old.shape:bounds(old.x, old.y) })
    assert.same({ 16, 16 }, { old.width, old.height })
  end)

  it("what make marks or returns", function()
    local seen = {}
    local source = things({}, box { name = "stone" }, object { name = "spawn", shape = "point" },
      box { name = "gone", properties = { collidable = true } },
      box { name = "soft", properties = { collidable = true } },
      box { name = "other", properties = { collidable = true } }, object { name = "mark" })
    local map = tiled.load(source, { make = function(actor, from, layer)
      seen[#seen + 1] = from.name
      assert.equal("things", layer.name)
      if actor.name == "stone" then actor.collidable = true end
      if actor.name == "spawn" then actor.shape, actor.collidable = collide.circle(3), "true" end
      if actor.name == "gone" then return nil end
      if actor.name == "soft" then actor.collidable = nil end
      if actor.name == "other" then
        return { name = "another", x = 1, y = 2, shape = actor.shape }
      end
      if actor.name == "mark" then actor.collidable = true end -- a point has no shape
      return actor
    end })
    assert.same({ "stone", "spawn", "gone", "soft", "other", "mark" }, seen)
    assert.same({ "stone spawn another", "soft mark" },
      { namesOf(map.actors), namesOf(map.objects) })
    assert.same(map.actors, map.world:actors())
    expect.raises('object 7 "stone": property collidable expected (boolean), got number 1',
      tiled.load, source, { make = function() return { collidable = 1 } end })
  end)

  it("not objects kept as data, which may be invalid as actors", function()
    local list = { box { name = "group", properties = { group = 5 } },
      object { name = "polygon", shape = "polygon", polygon = {} },
      box { name = "turned", rotation = 1e12 }, object { name = "line", width = 5 } }
    local source = maps.map { maps.objects(list, NONE) }
    local map = tiled.load(source)
    assert.equal("group polygon turned line", namesOf(map.objects))
    for _, name in ipairs { "group", "polygon", "turned", "line" } do
      expect.raises(('layer "things", object 7 "%s": '):format(name), tiled.load,
        source, { make = function(actor)
          actor.collidable = actor.name == name
          return actor
        end })
    end
  end)
end)

describe("a tile with oneWay or sensor", function()
  local function load(layer, ...)
    local tiles = {}
    for i, properties in ipairs { ... } do tiles[i] = { id = i - 1, properties = properties } end
    return tiled.load(maps.map({ maps.tiles({ { 1, 2, 3, 4 } }, { properties = layer }) },
      { tilesets = { maps.tileset(nil, { tiles = tiles }) } }))
  end

  -- The responses of an actor that falls onto the map from above, and of one that rises from below,
  -- in each of the four cells.
  local function meet(map)
    local falls, rises = {}, {}
    local hero = map.world:add { x = 0, y = 0, shape = collide.rectangle(8, 8) }
    for i = 1, 4 do
      for list, from in pairs { [falls] = -20, [rises] = 28 } do
        map.world:teleport(hero, 16 * i - 12, from)
        local _, _, hits = map.world:move(hero, 0, from < 0 and 100 or -100)
        list[i] = hits[1] and hits[1].response or "none"
      end
    end
    map.world:remove(hero)
    return table.concat(falls, " "), table.concat(rises, " ")
  end

  it("is a plank or sensor in the map of its layer", function()
    local map = load({ collidable = true }, { oneWay = true }, { sensor = "true" },
      { oneWay = "down" }, {})
    assert.equal(1, #map.actors)
    assert.same({ "slide cross none slide", "none cross slide slide" }, { meet(map) })
    local kinds = map.actors[1].tiles
    assert.same({ true, "down", true },
      { kinds[1].oneWay, kinds[3].oneWay, kinds[2].sensor })
    assert.is_nil(kinds[4].oneWay or kinds[4].sensor or kinds[1].sensor)
  end)

  it("overrides its layer", function()
    local map = load({ collidable = true, oneWay = "true" }, {}, { oneWay = false },
      { oneWay = "down" }, { oneWay = "false" })
    assert.is_true(map.actors[1].oneWay)
    assert.same({ "slide slide none slide", "none slide slide slide" }, { meet(map) })
    map = load({ collidable = true, sensor = true }, {}, { sensor = false }, { oneWay = true },
      { sensor = "false", oneWay = true })
    assert.is_false(map.actors[1].sensor)
    assert.same({ "cross slide cross slide", "cross slide cross none" }, { meet(map) })
    map = load({ collidable = true, sensor = true }, {}, {}, {}, {})
    assert.is_true(map.actors[1].sensor)
  end)

  it("sets the field of an actor of its own", function()
    local shape = { objects = { box { x = -2 } } }
    local set = maps.tileset(nil, { tiles = {
      { id = 0, objectGroup = shape, properties = { oneWay = "left" } },
      { id = 1, objectGroup = shape, properties = { oneWay = false, sensor = true } } } })
    local map = tiled.load(maps.map({ maps.tiles({ { 1, 2 } }, { properties = { collidable = true,
      oneWay = "right" } }) }, { tilesets = { set } }))
    assert.same({ "left", false, true },
      { map.actors[2].oneWay, map.actors[3].oneWay, map.actors[3].sensor })
  end)
end)

describe("a tile that a cell cannot have", function()
  local function load(tile, cell, set, gid)
    local tiles = maps.tileset(nil, { tiles = { tile } })
    for key, value in pairs(set or {}) do tiles[key] = value end
    local layer = maps.tiles({ { 0, 0 }, { 0, gid or 1 } }, { offsetx = 100 })
    cell = cell or { 16, 16 }
    return tiled.load(maps.map({ layer }, { tilesets = { tiles }, tilewidth = cell[1],
      tileheight = cell[2] }))
  end

  local function shaped(...)
    return { id = 0, type = "odd", properties = { group = "rock" }, objectGroup = {
      objects = { ... } } }
  end

  local function boundsOf(actor) return { actor.shape:bounds(actor.x, actor.y) } end

  it("is a static actor of its own", function()
    local map = load(shaped(box { x = -4, y = 2, width = 12, height = 20 }))
    assert.equal(2, #map.layers.ground.actors)
    local actor = map.actors[2]
    assert.same({ 112, 18, 12, 20 }, boundsOf(actor))
    assert.same({ true, "odd", "rock", 0, map.layers.ground, "polygon" }, { actor.static,
      actor.type, actor.group, actor.tile.id, actor.layer, actor.shape:kind() })
    assert.equal("\0\0\0\0", map.actors[1].grid:dump())
    assert.equal(2, map.world:count())
  end)

  it("may have several shapes, a concave one or a line", function()
    local several = load(shaped(box { width = 16, height = 4 }, box { width = 4, height = 16 }))
    assert.equal("compound", several.actors[2].shape:kind())
    local line = load(shaped(object { shape = "polyline", polyline = { { x = 0, y = 0 },
      { x = 16, y = 0 }, { x = 0, y = 16 } } }))
    assert.equal("chain", line.actors[2].shape:kind())
    local concave = load(shaped(object { shape = "polygon", polygon = { { x = 0, y = 0 },
      { x = 16, y = 0 }, { x = 4, y = 4 }, { x = 0, y = 16 } } }))
    assert.same({ 116, 16, 16, 16 }, boundsOf(concave.actors[2]))
  end)

  it("may be larger, or drawn beside its cell", function()
    local tall = load(nil, nil, { tilewidth = 24, tileheight = 32 })
    assert.same({ 116, 0, 24, 32 }, boundsOf(tall.actors[2]))
    local trunk = load(shaped(box { x = 4, y = 20, width = 8, height = 12 }), nil,
      { tilewidth = 24, tileheight = 32 })
    assert.equal(1, #trunk.actors)
    assert.same({ 0.25, 0.25, 0.5, 0.75 }, { trunk.actors[1].tiles[1].shape:bounds() })
    local beside = load(nil, nil, { tileoffset = { x = 3, y = -2 } })
    assert.same({ 119, 14, 16, 16 }, boundsOf(beside.actors[2]))
    local small = load(nil, nil, { tilewidth = 8, tileheight = 4 })
    assert.same({ 0, 0.75, 0.5, 0.25 }, { small.actors[1].tiles[1].shape:bounds() })
    local fit = load(nil, nil, { tilewidth = 8, tileheight = 4, tilerendersize = "grid" })
    assert.same({ properties = {} }, fit.actors[1].tiles[1])
    local whole = load(nil, nil, { tileheight = 32, tilerendersize = "grid", tileoffset = { x = 8,
      y = 0 }, fillmode = "preserve-aspect-fit" })
    assert.same({ 0.5, 0, 0.5, 1 }, { whole.actors[1].tiles[1].shape:bounds() })
  end)

  it("may be round in cells that are not square", function()
    local circle = object { shape = "ellipse", x = 2, y = 1, width = 6, height = 6 }
    local map = load(shaped(circle), { 20, 10 }, { tilewidth = 20, tileheight = 10 })
    assert.equal("circle", map.actors[2].shape:kind())
    assert.same({ 122, 11, 6, 6 }, boundsOf(map.actors[2]))
    circle.width = 8 -- a polygon of 16 corners
    map = load(shaped(circle), { 20, 10 }, { tilewidth = 20, tileheight = 10 })
    assert.equal(1, #map.actors)
    assert.equal(1, #map.world:queryPoint(126, 14))
    assert.equal(0, #map.world:queryPoint(122.1, 11.1))
  end)

  it("is no rectangle in cells that are not square", function()
    local map = load(nil, { 20, 12 }, { tilewidth = 20, tileheight = 12 })
    assert.same({ 20, 12, 200, 96 }, { map.tileWidth, map.tileHeight, map.width, map.height })
    assert.equal("\0\0\0\1", map.actors[1].grid:dump())
    assert.equal(1, #map.world:queryPoint(139, 23))
    assert.equal(0, #map.world:queryPoint(119, 13))
    local turned = load(nil, { 20, 12 }, { tilewidth = 20, tileheight = 12 }, 1 + 2 ^ 29)
    assert.same({ 120, 4, 12, 20 }, boundsOf(turned.actors[2]))
  end)
end)

describe("the file of a map", function()
  local function withFiles(files, fn)
    local before = rawget(_G, "love")
    rawset(_G, "love", { filesystem = { read = function(path) return files[path] end } })
    local ok, message = pcall(fn)
    rawset(_G, "love", before)
    if not ok then error(message, 0) end
  end

  local HEAD = 'return { orientation = "orthogonal", width = 2, height = 1, tilewidth = 16, '
    .. "tileheight = 16, properties = {}, "
  local LAYERS = 'layers = { { type = "tilelayer", name = "ground", width = 2, height = 1, '
    .. "properties = {}, data = { 1, 2 } } } }"

  it("is read through LÖVE, and so are tilesets in files of their own beside it", function()
    local set = 'return { name = "%s", tilewidth = 16, tileheight = 16, tilecount = 1, '
      .. "tiles = { { id = 0, properties = { collidable = true } } } }"
    withFiles({
      ["maps/a/first.lua"] = HEAD .. 'tilesets = { { firstgid = 1, filename = "a.tsx", '
        .. 'exportfilename = "../sets/a.lua" }, { firstgid = 2, filename = "./b.lua" } }, '
        .. LAYERS,
      ["maps/sets/a.lua"] = set:format "a", ["maps/a/b.lua"] = set:format "b",
    }, function()
      local map = tiled.load "maps/a/first.lua"
      assert.equal("\1\1", map.actors[1].grid:dump())
      local asked = {}
      tiled.load("maps\\a\\first.lua", { load = function(path)
        asked[#asked + 1] = path
        local text = rawget(_G, "love").filesystem.read((path:gsub("\\", "/")))
        return (setfenv and loadstring or load)(text) -- luacheck: ignore
      end })
      assert.same({ "maps\\a\\first.lua", "maps/sets/a.lua", "maps/a/b.lua" }, asked)
    end)
  end)

  it("names tilesets relative to its own folder, however that is written", function()
    local function asked(path, name)
      local last
      tiled.load(path, { load = function(given)
        last = given
        if given ~= path then return maps.tileset() end
        return maps.map({}, { tilesets = { { firstgid = 1, exportfilename = name } } })
      end })
      return last
    end
    for _, case in ipairs { { "a/m.lua", "../../s.lua", "../s.lua" }, { "m.lua", "s.lua", "s.lua" },
      { "../../a/m.lua", "../s.lua", "../../s.lua" }, { "/a/m.lua", ".\\s.lua", "/a/s.lua" },
      { "a/m.lua", "/b/s.lua", "/b/s.lua" }, { "a/m.lua", "C:\\b\\s.lua", "C:/b/s.lua" } } do
      assert.equal(case[3], asked(case[1], case[2]))
    end
  end)

  it("raises if a tileset cannot be loaded", function()
    local function with(set, path)
      withFiles({ ["maps/first.lua"] = HEAD .. "tilesets = { " .. set .. " }, " .. LAYERS,
        ["maps/odd.lua"] = "return 5" }, function() tiled.load(path or "maps/first.lua") end)
    end
    expect.raises('tiled.load: layer "ground": tileset "a" is in a file of its own, a.tsx; export '
      .. "the map with Embed Tilesets, or the tileset as a Lua file too",
      with, '{ name = "a", firstgid = 1, filename = "a.tsx" }')
    expect.raises('tiled.load: tileset "a": exportfilename expected (name of a file that exists), '
      .. 'got string "maps/a.lua"',
      with, '{ name = "a", firstgid = 1, exportfilename = "a.lua" }')
    expect.raises('tiled.load: tileset "a": maps/odd.lua expected (table that Tiled exports), got '
      .. "number 5", with, '{ name = "a", firstgid = 1, exportfilename = "odd.lua" }')
    expect.raises('tiled.load: tileset "a": exportfilename expected (string), got number 7',
      with, '{ name = "a", firstgid = 1, exportfilename = 7 }')
    local external = { name = "a", firstgid = 1, exportfilename = "a.lua" }
    expect.raises('layer "ground": tileset "a" is in a file of its own', tiled.load,
      maps.map({ maps.tiles { { 1 } } }, { tilesets = { external } }))
  end)

  it("raises a clear error if it has more constants than this Lua can load", function()
    if _VERSION ~= "Lua 5.1" then return end -- later ones load 2^25 constants and more
    local parts = {}
    if rawget(_G, "jit") then
      for i = 1, 70000 do parts[i] = "{x=1}" end
    else
      for i = 1, 270000 do parts[i] = i .. ".5" end
    end
    withFiles({ ["huge.lua"] = "return {" .. table.concat(parts, ",") .. "}" }, function()
      local found = expect.raises("tiled.load: ", tiled.load, "huge.lua")
      assert.matches("constant.*; it has more .* divide it into several maps", found)
    end)
  end)

  it("is data: it runs with an empty environment, and cannot be compiled code", function()
    withFiles({ ["evil.lua"] = "os.exit(3)", ["code.lua"] = string.dump(function() return {} end),
      ["odd.lua"] = "error()", ["set.lua"] = "x = 5 return 7" }, function()
      local found = expect.raises("tiled.load: evil.lua:1: attempt to index", tiled.load,
        "evil.lua")
      assert.matches("a map is data, and runs without Lua's functions", found, 1, true)
      expect.raises("tiled.load: code.lua is compiled; a map is text", tiled.load, "code.lua")
      expect.raises("tiled.load: odd.lua:1: attempt to call", tiled.load, "odd.lua")
      expect.raises("tiled.load: set.lua expected (table that Tiled exports), got number 7",
        tiled.load, "set.lua")
      assert.is_nil(rawget(_G, "x"))
    end)
    local env = {}
    local chunk = setfenv and setfenv(loadstring "y = 1 return ...", env)
      or load("y = 1 return ...", "c", "t", env)
    expect.raises("expected (table that Tiled exports), got nil", tiled.load, "any",
      { load = function() return chunk end })
    assert.equal(1, env.y) -- what load returns is called as it is
  end)
end)

describe("several maps in a world", function()
  it("form one floor if they are side by side", function()
    local world = collide.newWorld()
    for i = 0, 3 do
      tiled.load(maps.map { maps.tiles { { 0, 0, 0 }, { 1, 1, 1 } } }, { world = world,
        make = function(actor)
          actor.x = actor.x + i * 48
          return actor
        end })
    end
    local hero = world:add { x = 0, y = 2, shape = collide.rectangle(10, 10) }
    local x, y, hits = world:move(hero, 150, 20)
    assert.same({ 150, 6, 1, "slide" }, { x, y, #hits, hits[1].response })
  end)
end)

describe("map:reload", function()
  local function level()
    return maps.map { maps.tiles { { 1, 0 } }, maps.objects { box { name = "a" },
      box { name = "b", x = 50 } } }
  end

  it("replaces the map's own actors and keeps the others", function()
    local source = level()
    local map = tiled.load("level", { load = function() return source end })
    local world = map.world
    local hero = world:add { name = "hero", x = 0, y = 0, shape = collide.circle(3) }
    local ground, b = map:find "ground", map:find "b"
    world:remove(map:find "a")
    source = level()
    source.layers[1].data = { 0, 2 }
    source.layers[2].objects[2] = box { name = "c", x = 70, properties = { collidable = false } }
    assert.is_nil(map:reload())
    assert.same({ "hero ground a", "ground a", "c" },
      { namesOf(world:actors()), namesOf(map.actors), namesOf(map.objects) })
    assert.equal(world, map.world)
    assert.equal(source, map.source)
    assert.is_true(world:has(hero) and not world:has(ground) and not world:has(b))
    assert.equal(1, #world:queryPoint(24, 8))
    assert.equal(2, map.layers.ground:gid(1, 0))
    assert.equal(map:find "a", map.layers.things.actors[1])
  end)

  it("calls make again, and keeps an actor that it returns again", function()
    local hero
    local map = tiled.load(level(), { make = function(actor)
      if actor.name == "a" then
        hero = hero or actor
        return hero
      end
      return actor
    end })
    local b = map:find "b"
    hero.x = 33
    map:reload()
    assert.same({ hero, 33 }, { map:find "a", hero.x })
    assert.is_true(map.world:has(hero) and not map.world:has(b))
    map.world:remove(hero)
    map:reload()
    assert.is_true(map.world:has(hero))
    assert.equal(3, map.world:count())
  end)

  it("changes nothing if anything is wrong", function()
    local source = level()
    local world = collide.newWorld { groups = { "wall" } }
    local map = tiled.load("level", { world = world, load = function() return source end })
    local actors, list, layers = world:actors(), map.actors, map.layers
    local function wrong(change, text)
      source = level()
      change(source)
      expect.raises(text, function() map:reload() end)
      assert.same(actors, world:actors())
      assert.is_true(list == map.actors and layers == map.layers)
      for i, actor in ipairs(list) do assert.equal(actor, actors[i]) end
    end
    wrong(function(s) s.layers[1].data = {} end, 'layer "ground": data expected')
    wrong(function(s) s.layers[2].objects[2].properties.group = "nowhere" end,
      'layer "things", object 7 "b": world:add: ')
    wrong(function(s) s.layers = nil end, "map: layers expected (table), got nil")
    source = nil
    expect.raises("level expected (table that Tiled exports), got nil", map.reload, map)
    expect.raises("map:reload: self expected (map of tiled.load), got nil", map.reload)
    expect.raises("map:reload takes no arguments, got 1 argument", map.reload, map, 1)
  end)
end)
