-- collide.tiled on maps that Tiled itself has exported, one map in each of its formats.
-- spec/tools/tiledmaps.lua makes them.
local inflate = require "spec.support.inflate"
local model = require "spec.support.tiledmodel"
local random = require "spec.support.random"
local tiled = require "collide.tiled"

-- Gives the game `love` or the rock lua-zlib while `fn` runs.
local function with(what, fn)
  local before, rock = rawget(_G, "love"), package.loaded.zlib
  if what == "love" then
    rawset(_G, "love", { data = { decompress = function(container, format, text)
      assert(container == "string")
      assert(format == (text:byte() == 31 and "gzip" or "zlib"))
      return inflate(text)
    end } })
  elseif what == "zlib" then
    package.loaded.zlib = { inflate = function()
      return function(text) return inflate(text), true end
    end }
  end
  local ok, message = pcall(fn)
  rawset(_G, "love", before)
  package.loaded.zlib = rock
  if not ok then error(message, 0) end
end

local function load(name)
  local map
  with("love", function() map = tiled.load(("spec/maps/%s.lua"):format(name)) end)
  return map
end

-- The relevant values of an actor, as text.
local function textOf(actor)
  local shape = actor.shape
  local parts = { actor.name or "-", actor.type or "-", actor.layer.name, actor.x, actor.y,
    actor.angle or 0, tostring(actor.static), tostring(actor.collidable),
    shape and shape:kind() or "none" }
  if shape and shape:kind() == "tiles" then
    parts[#parts + 1] = actor.grid:dump()
    for _, kind in ipairs(actor.tiles) do
      parts[#parts + 1] = ("%s %s %s"):format(kind.type or "-", kind.properties.slip or "-",
        kind.shape and kind.shape:kind() .. table.concat(kind.shape:points(), " ") or "full")
    end
  elseif shape then
    for _, part in ipairs(shape:parts()) do
      parts[#parts + 1] = part:kind() .. part:radius() .. table.concat(part:points(), " ")
    end
  end
  return table.concat(parts, "|")
end

local function textsOf(map)
  local all = {}
  for _, list in ipairs { map.actors, map.objects } do
    for _, actor in ipairs(list) do all[#all + 1] = textOf(actor) end
    all[#all + 1] = "--"
  end
  for _, layer in ipairs(map.layers) do
    all[#all + 1] = ("%s %d"):format(layer.name, #layer.actors)
  end
  return all
end

-- Maps that differ from another only in their format.
local SAME = { base64 = "csv", zlib = "csv", gzip = "csv", external = "csv", ["wide-gzip"] = "wide",
  ["infinite-base64"] = "infinite", ["infinite-zlib"] = "infinite" }

describe("a map that Tiled has exported", function()
  for name, plain in pairs(SAME) do
    it(("as %s is the same as %s"):format(name, plain), function()
      local a, b = load(name), load(plain)
      assert.same(textsOf(b), textsOf(a))
      assert.is_true(#a.actors > 20)
      for _, layer in ipairs(a.layers) do
        for column = -1, 16 do
          for row = -1, layer.type == "tilelayer" and 12 or -2 do
            assert.equal(b.layers[layer.name]:gid(column, row), layer:gid(column, row))
          end
        end
      end
    end)
  end

  it("has only its marked objects as actors", function()
    local map = load "csv"
    local solid, data = {}, {}
    for _, actor in ipairs(map.actors) do
      if actor.object then solid[#solid + 1] = actor.name end
    end
    for _, object in ipairs(map.objects) do data[#data + 1] = object.name end
    assert.same({ "wall", "hill", "box", "block", "ball" }, solid)
    assert.same({ "spawn", "zone", "click", "path", "pond", "mirrored", "sign", "ghost", "mark" },
      data)
    local spawn, zone = map:find "spawn", map:byClass "area"[1]
    assert.same({ 23, 28, 0, 0, 0, "player" },
      { spawn.x, spawn.y, spawn.width, spawn.height, spawn.angle, spawn.type })
    assert.is_nil(spawn.shape)
    assert.same({ 13, 18, 40, 30, "rectangle" },
      { zone.x, zone.y, zone.width, zone.height, zone.shape:kind() })
  end)

  it("unpacks its tiles by the rock lua-zlib without LÖVE", function()
    with("zlib", function()
      for _, name in ipairs { "zlib", "gzip", "infinite-zlib" } do
        assert.is_true(#tiled.load(("spec/maps/%s.lua"):format(name)).actors > 20)
      end
    end)
  end)

  local seed = random.seed()
  for _, name in ipairs { "csv", "external", "gzip", "infinite", "infinite-zlib", "wide" } do
    it(("as %s is solid where its bytes and properties are, from seed %d on"):format(name, seed),
      function()
        local map, r = load(name), random.new(seed)
        local from = load(name == "external" and "csv" or name).source
        for _, layer in ipairs(map.layers) do
          if layer.type == "tilelayer" then
            local solid = model.solid(from, layer.source)
            local seen = { [true] = 0, [false] = 0 }
            for _ = 1, random.rounds(300) do
              local x, y = r:float(-110, 240), r:float(-40, 170)
              local want = solid(x, y)
              local near = 1 / 64 -- nearer to a border than this is left out
              local isClear = solid(x - near, y) == want and solid(x + near, y) == want
                and solid(x, y - near) == want and solid(x, y + near) == want
              local got = #map.world:queryPoint(x + layer.x, y + layer.y, function(actor)
                return actor.layer == layer
              end) > 0
              if isClear then
                assert.equal(want, got, ("%s, layer %s at %g, %g"):format(name, layer.name, x, y))
                seen[want] = seen[want] + 1
              end
            end
            assert.is_true(seen[true] > 0 and seen[false] > 0)
          end
        end
      end)
  end
end)
