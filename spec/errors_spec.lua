-- Bad arguments: every function says its own name, the argument, what it
-- expected and what it got, and changes nothing.
local collide = require "collide"
local expect = require "spec.support.expect"
local refuse = require "spec.support.refuse"

local nan = 0 / 0
local NIL, WRONG = refuse.NIL, refuse.WRONG
local refuses, everyArgument, everyCount = refuse.refuses, refuse.everyArgument, refuse.everyCount

describe("bad arguments of the shapes' constructors", function()
  local w, h, r = { "w", "size", 5 }, { "h", "size", 5 }, { "r", "size", 5 }
  local x, y = { "x", "coordinate", 1 }, { "y", "coordinate", 1 }

  it("are refused by collide.rectangle", function()
    everyArgument("collide.rectangle", collide.rectangle, { w, h })
    everyArgument("collide.rectangle", collide.rectangle, { x, y, w, h })
    everyCount("collide.rectangle", collide.rectangle, { 1, 1, 1, 1 }, { 2, 4 })
  end)

  it("are refused by collide.circle", function()
    everyArgument("collide.circle", collide.circle, { r })
    everyArgument("collide.circle", collide.circle, { x, y, r })
    everyCount("collide.circle", collide.circle, { 1, 1, 1 }, { 1, 3 })
  end)

  local x1, y1 = { "x1", "coordinate", 0 }, { "y1", "coordinate", 0 }
  local x2, y2 = { "x2", "coordinate", 9 }, { "y2", "coordinate", 0 }

  it("are refused by collide.capsule", function()
    everyArgument("collide.capsule", collide.capsule, { x1, y1, x2, y2, r })
    everyCount("collide.capsule", collide.capsule, { 0, 0, 1, 1, 1 }, { 5 })
  end)

  it("are refused by collide.segment", function()
    everyArgument("collide.segment", collide.segment, { x1, y1, x2, y2 })
    everyCount("collide.segment", collide.segment, { 0, 0, 1, 1 }, { 4 })
    expect.raises({ "collide.segment: ", "expected (" }, collide.segment, 5, 6, 5, 6)
  end)

  -- A wrong value at each place of a list of points, which has to be the last
  -- place if it is nil.
  local function everyPoint(name, f, ...)
    for i = 1, 6 do
      for _, wrong in ipairs(WRONG.coordinate) do
        local list = { 0, 0, 9, 0, 0, 9 }
        if wrong[1] ~= NIL then
          list[i] = wrong[1]
          local coordinate = (i % 2 == 1 and "x" or "y") .. math.ceil(i / 2)
          refuses({ name .. ": " .. coordinate .. " expected (", "got " .. wrong[2] }, f,
            { list, ... })
        end
      end
    end
    refuses({ name .. ": ", " expected (", "got" }, f, { { 0, 0, 9, 0, 0 }, ... })
    refuses({ name .. ": ", " expected (", "got" }, f, { { 0, 0, 9, nil, 0, 9 }, ... })
  end

  it("are refused by collide.polygon", function()
    everyPoint("collide.polygon", collide.polygon)
    for i = 2, 6 do
      for _, wrong in ipairs(WRONG.coordinate) do
        local args = { 0, 0, 9, 0, 0, 9 }
        args[i] = wrong[1]
        local coordinate = (i % 2 == 1 and "x" or "y") .. math.ceil(i / 2)
        refuses({ "collide.polygon: " .. coordinate .. " expected (", "got " .. wrong[2] },
          collide.polygon, args)
      end
    end
    expect.raises({ "collide.polygon: y3 expected (", "got nil" }, collide.polygon, 0, 0, 9, 0, 9)
    expect.raises({ "collide.polygon takes ", "got 2 arguments" }, collide.polygon,
      { 0, 0, 9, 0, 0, 9 }, true)
    expect.raises("collide.polygon: ", collide.polygon, "0, 0, 9, 0, 0, 9")
  end)

  it("are refused by collide.chain", function()
    everyPoint("collide.chain", collide.chain)
    everyPoint("collide.chain", collide.chain, true)
    everyArgument("collide.chain", collide.chain, { { "points", "table", { 0, 0, 9, 9, 9, 0 } },
      { "closed", "boolean", true, true } })
    everyCount("collide.chain", collide.chain, { { 0, 0, 9, 9, 9, 0 }, true }, { 1, 2 })
  end)

  it("are refused by collide.compound", function()
    local box = collide.rectangle(1, 1)
    everyArgument("collide.compound", collide.compound, { { "shape 1", "shape", box },
      { "shape 2", "shape", box }, { "shape 3", "shape", box } })
    refuses({ "collide.compound: shape 1 expected (", "got nil" }, collide.compound, {})
  end)
end)

describe("bad arguments of a shape's methods", function()
  local shapes = {
    rectangle = collide.rectangle(20, 10), circle = collide.circle(5),
    capsule = collide.capsule(0, 0, 9, 9, 2), segment = collide.segment(0, 0, 9, 9),
    polygon = collide.polygon(0, 0, 9, 0, 0, 9), chain = collide.chain { 0, 0, 9, 0, 0, 9 },
    compound = collide.compound(collide.circle(3), collide.rectangle(2, 2)),
  }
  for kind, shape in pairs(shapes) do
    it("are refused (" .. kind .. ")", function()
      everyArgument("shape:contains", shape.contains,
        { { "px", "coordinate", 1 }, { "py", "coordinate", 1 } }, shape)
      everyCount("shape:contains", shape.contains, { 1, 1 }, { 2 }, shape)
      everyArgument("shape:bounds", shape.bounds, { { "x", "coordinate", 1 },
        { "y", "coordinate", 1 }, { "angle", "angle", 1, true } }, shape)
      everyCount("shape:bounds", shape.bounds, { 1, 1, 1 }, { 0, 2, 3 }, shape)
      everyArgument("shape:translated", shape.translated,
        { { "dx", "coordinate", 1 }, { "dy", "coordinate", 1 } }, shape)
      everyCount("shape:translated", shape.translated, { 1, 1 }, { 2 }, shape)
      everyArgument("shape:rotated", shape.rotated, { { "angle", "angle", 1 } }, shape)
      everyCount("shape:rotated", shape.rotated, { 1 }, { 1 }, shape)
      everyArgument("shape:scaled", shape.scaled,
        { { "sx", "scale", 2 }, { "sy", "scale", 2, true } }, shape)
      everyCount("shape:scaled", shape.scaled, { 2, 2 }, { 1, 2 }, shape)
    end)

    it("are refused where there are none (" .. kind .. ")", function()
      for _, method in ipairs { "kind", "area", "points", "radius", "parts", "centered",
        "upright" } do
        everyCount("shape:" .. method, shape[method], {}, { 0 }, shape)
      end
    end)
  end

  it("are refused when the result would be too large or too small", function()
    local large = collide.rectangle(1e11, 0, 1e12, 1)
    expect.raises("shape:translated", large.translated, large, 1e12, 0)
    expect.raises("shape:scaled", large.scaled, large, 10)
    local small = collide.circle(1e-200)
    expect.raises("shape:scaled", small.scaled, small, 1e-200)
  end)

  it("are refused as self", function()
    local shape = collide.rectangle(1, 1)
    for _, self in ipairs { 5, "shape", {}, io.stdout, collide.newWorld() } do
      for _, method in ipairs { "kind", "area", "bounds", "points" } do
        local message = expect.raises("got", shape[method], self)
        assert.matches("shape", message, 1, true)
      end
    end
    assert.is_false(pcall(shape.kind))
  end)
end)

describe("bad arguments of collide.overlap", function()
  local box = collide.rectangle(1, 1)
  local good = { x = 0, y = 0, shape = box }

  it("are refused", function()
    everyArgument("collide.overlap", collide.overlap, { { "a", "table", good },
      { "b", "table", good }, { "touching", "boolean", true, true } })
    everyCount("collide.overlap", collide.overlap, { good, good, true }, { 2, 3 })
  end)

  it("are refused inside of the placed tables", function()
    for i = 1, 2 do
      for field, kind in pairs { x = "coordinate", y = "coordinate", angle = "angle" } do
        for _, wrong in ipairs(WRONG[kind]) do
          if not (field == "angle" and wrong[1] == NIL) then
            local placed = { x = 0, y = 0, shape = box }
            placed[field] = wrong[1] ~= NIL and wrong[1] or nil
            local args = { good, good }
            args[i] = placed
            refuses({ "collide.overlap", field .. " expected (", "got " .. wrong[2] },
              collide.overlap, args)
          end
        end
      end
      for _, wrong in ipairs { { nil, "nil" }, { 7, "number 7" }, { {}, "table" } } do
        local args = { good, good }
        args[i] = { x = 0, y = 0, shape = wrong[1] }
        refuses({ "collide.overlap", "shape expected (", "got " .. wrong[2] },
          collide.overlap, args)
      end
    end
  end)
end)

describe("bad arguments of collide.distance", function()
  it("are refused", function()
    local good = { x = 0, y = 0, shape = collide.rectangle(1, 1) }
    everyArgument("collide.distance", collide.distance, { { "a", "table", good },
      { "b", "table", good } })
    everyCount("collide.distance", collide.distance, { good, good }, { 2 })
    expect.raises({ "collide.distance: a.shape expected (", "got nil" }, collide.distance,
      { x = 0, y = 0 }, good)
    expect.raises({ "collide.distance: b.y expected (", "got inf" }, collide.distance, good,
      { x = 0, y = math.huge, shape = good.shape })
    expect.raises({ "collide.distance: b.angle expected (", 'got string "up"' }, collide.distance,
      good, { x = 0, y = 0, angle = "up", shape = good.shape })
  end)
end)

describe("bad options of collide.newWorld", function()
  it("are refused", function()
    for _, wrong in ipairs { { 7, "number 7" }, { "big", 'string "big"' }, { true, "boolean true" },
      { print, "function" } } do
      refuses({ "collide.newWorld", "expected (", "got " .. wrong[2] }, collide.newWorld,
        { wrong[1] })
    end
    everyCount("collide.newWorld", collide.newWorld, { {} }, { 0, 1 })
    local kinds = { width = "size", height = "size", broadphase = "string", touching = "boolean",
      strict = "boolean", depth = "number", hits = "string", fields = "string" }
    for option, kind in pairs(kinds) do
      local list = WRONG[kind]
      if kind == "string" then list = { { 7, "number 7" }, { true, "boolean true" } } end
      for _, wrong in ipairs(list) do
        if wrong[1] ~= NIL then
          refuses({ "collide.newWorld", option .. " expected (", "got " .. wrong[2] },
            collide.newWorld, { { [option] = wrong[1] } })
        end
      end
    end
  end)

  it("are refused when unknown", function()
    expect.raises({ "collide.newWorld", "widht" }, collide.newWorld, { widht = 5 })
    expect.raises("collide.newWorld", collide.newWorld, { 500, 500 })
    expect.raises({ "collide.newWorld", "broadphase expected (", 'got string "octree"' },
      collide.newWorld, { broadphase = "octree" })
  end)

  it("are refused inside of a pair of groups, beside the two names", function()
    expect.raises({ "collide.newWorld: key of hits[2] expected", 'got string "only"' },
      collide.newWorld, { hits = { { "a", "b" }, { "a", "c", only = true } } })
  end)

  it("are refused inside of hits and fields", function()
    for _, hits in ipairs { { "player", "foe" }, { { "player" } }, { { "a", "b", "c" } },
      { { "a", 5 } }, { { "a", {} } } } do
      expect.raises({ "collide.newWorld", "hits" }, collide.newWorld, { hits = hits })
    end
    for _, fields in ipairs { { hit = 5 }, { hit = true }, { x = {} }, { colour = "c" },
      { "x" } } do
      expect.raises({ "collide.newWorld", "fields" }, collide.newWorld, { fields = fields })
    end
  end)
end)

describe("bad arguments of a world's methods", function()
  local world, a, b, before

  local function state()
    local pairsOfStep = {}
    for p, q, nx, ny, depth in world:hits() do
      pairsOfStep[#pairsOfStep + 1] = p.name .. q.name .. nx .. "," .. ny .. "," .. depth
    end
    return { world:count(), world:hash(), table.concat(pairsOfStep, " "), world:actors(),
      world:canHit("default", "other") }
  end

  before_each(function()
    world = collide.newWorld()
    a = world:add { name = "a", x = 0, y = 0, shape = collide.rectangle(10, 10) }
    b = world:add { name = "b", x = 8, y = 0, shape = collide.circle(10) }
    world:step()
    before = state()
  end)

  after_each(function()
    assert.same(before, state())
    world:step()
    assert.same(before, state())
  end)

  it("are refused by those that take an actor", function()
    for _, method in ipairs { "remove", "has" } do
      everyArgument("world:" .. method, world[method], { { "actor", "table", {} } }, world)
      everyCount("world:" .. method, world[method], { {} }, { 1 }, world)
    end
    everyArgument("world:refresh", world.refresh, { { "actor", "table", {}, true } }, world)
    everyCount("world:refresh", world.refresh, { a }, { 0, 1 }, world)
    everyArgument("world:hits", world.hits, { { "actor", "table", {}, true } }, world)
    everyCount("world:hits", world.hits, { a }, { 0, 1 }, world)
  end)

  it("are refused by add, which says what it takes", function()
    for _, wrong in ipairs(WRONG.table) do
      refuses({ "world:add", "got " .. wrong[2] }, world.add, { world, wrong[1] })
    end
    expect.raises("world:add takes one table {x, y, shape, …}, got 6 arguments",
      world.add, world, 1, 2, 3, 4, 5, 6)
    expect.raises({ "world:add takes one table {x, y, shape, …}, got 5 arguments" },
      world.add, world, { name = "box" }, 0, 0, 10, 10)
    expect.raises({ "world:add", "got" }, world.add, world)
    expect.raises({ "world:add", "shape" }, world.add, world, collide.rectangle(1, 1))
    expect.raises({ "world:add", "shape expected (", "got nil" }, world.add, world,
      { x = 0, y = 0 })
  end)

  it("are refused by update, which says what to do instead", function()
    everyArgument("world:update", world.update, { { "dt", "duration", 1 } }, world)
    everyCount("world:update", world.update, { 1 }, { 1 }, world)
    expect.raises("world:update: dt expected (number), got table; assign x, y on the actor instead",
      world.update, world, a)
  end)

  it("are refused by advance", function()
    everyArgument("world:advance", world.advance, { { "dt", "duration", 0 },
      { "fixed", "positive", 1, true }, { "max", "positive", 8, true } }, world)
    everyCount("world:advance", world.advance, { 0, 1, 8 }, { 1, 2, 3 }, world)
  end)

  it("are refused by those that take nothing", function()
    for _, method in ipairs { "step", "clear", "count", "actors", "candidates", "hash" } do
      everyCount("world:" .. method, world[method], {}, { 0 }, world)
    end
  end)

  it("are refused by overlap", function()
    everyArgument("world:overlap", world.overlap,
      { { "a", "table", a }, { "b", "table", b } }, world)
    everyCount("world:overlap", world.overlap, { a, b }, { 2 }, world)
    expect.raises({ "world:overlap", "x expected (", "got nan" }, world.overlap, world, a,
      { x = nan, y = 0, shape = a.shape })
  end)

  it("are refused by setHits and canHit", function()
    everyArgument("world:setHits", world.setHits, { { "groupA", "string", "x" },
      { "groupB", "string", "y" }, { "bool", "boolean", true } }, world)
    everyCount("world:setHits", world.setHits, { "x", "y", true }, { 3 }, world)
    for _, args in ipairs { { a, 5 }, { 5, a }, { 5, 5 }, { a, {} }, { {}, a }, { NIL, a },
      { "default", true }, { "default", nan } } do
      refuses({ "world:canHit", "expected (", "got" }, world.canHit, { world, args[1], args[2] })
    end
    everyCount("world:canHit", world.canHit, { "x", "y" }, { 2 }, world)
  end)

  it("are refused by stats", function()
    everyArgument("world:stats", world.stats, { { "into", "table", {}, true } }, world)
    everyCount("world:stats", world.stats, { {} }, { 0, 1 }, world)
  end)

  it("are refused as self", function()
    for _, method in ipairs { "add", "remove", "clear", "has", "count", "actors", "refresh",
      "update", "step", "advance", "draw", "hits", "candidates", "overlap", "setHits", "canHit",
      "stats", "hash" } do
      for _, self in ipairs { {}, 5, "world", a.shape } do
        expect.raises("world:" .. method, world[method], self, 1, 1, 1)
      end
      assert.is_false(pcall(world[method]))
    end
  end)

  it("carry the position of the caller", function()
    local here = "errors_spec.lua:" .. debug.getinfo(1, "l").currentline + 2
    local calls = {
      function() local ok = collide.rectangle(-1, 1) return ok end,
    }
    assert.matches(here, expect.raises("got", calls[1]), 1, true)
    local _, message = pcall(function() world:add(5) end)
    assert.matches("errors_spec.lua:", message, 1, true)
    _, message = pcall(function() world:update() end)
    assert.matches("errors_spec.lua:", message, 1, true)
    _, message = pcall(function() local x = a.shape:bounds("x", 1) return x end)
    assert.matches("errors_spec.lua:", message, 1, true)
  end)
end)
