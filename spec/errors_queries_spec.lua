-- Bad arguments of a world's queries, casts and contact: each says its own name,
-- the argument, what it expected and what it got, and changes nothing.
local collide = require "collide"
local expect = require "spec.support.expect"
local refuse = require "spec.support.refuse"

local nan = 0 / 0
local NIL, WRONG = refuse.NIL, refuse.WRONG
local refuses, everyArgument, everyCount = refuse.refuses, refuse.everyArgument, refuse.everyCount

describe("bad arguments of a world's", function()
  local world, a, b, before
  local placed = { x = 0, y = 0, shape = collide.circle(3) }
  local filter, ignore = { "filter", "filter", "*", true }, { "ignore", "table", {}, true }

  local function state()
    local list, n = world:queryRect(-100, -100, 200, 200)
    return { world:hash(), world:count(), n, list[1], list[2], expect.pairNames(world) }
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

  -- A method with these arguments, after which come filter and ignore.
  local function check(method, params, optional)
    local name = "world:" .. method
    local all, good, counts = {}, {}, {}
    for _, param in ipairs(params) do all[#all + 1] = param end
    all[#all + 1], all[#all + 2] = filter, ignore
    for i, param in ipairs(all) do
      good[i] = param[3]
      if i >= #params - (optional or 0) then counts[#counts + 1] = i end
    end
    everyArgument(name, world[method], all, world)
    everyCount(name, world[method], good, counts, world)
    -- Nothing comes after the one to ignore, and what is wrong in a list is told.
    local args = { world }
    for _, param in ipairs(params) do args[#args + 1] = param[3] end
    args[#args + 1] = { "default", 5 }
    refuses({ name .. ": filter expected (", "got number 5" }, world[method], args)
    args[#args] = { "default", {} }
    refuses({ name .. ": filter expected (", "got table" }, world[method], args)
    args[#args] = placed.shape
    refuses({ name .. ": filter expected (", "got shape" }, world[method], args)
  end

  local function checkPlaced(method, argument, ...)
    local name = "world:" .. method
    for field, kind in pairs { x = "coordinate", y = "coordinate", angle = "angle",
      shape = "shape" } do
      for _, wrong in ipairs(WRONG[kind]) do
        if not (field == "angle" and wrong[1] == NIL) then
          local one = { x = 0, y = 0, shape = placed.shape }
          one[field] = wrong[1] ~= NIL and wrong[1] or nil
          refuses({ ("%s: %s.%s expected ("):format(name, argument, field), "got " .. wrong[2] },
            world[method], { world, one, ... })
        end
      end
    end
  end

  local x, y = { "x", "coordinate", 1 }, { "y", "coordinate", 1 }

  it("queryPoint are refused", function()
    check("queryPoint", { x, y })
  end)

  it("queryRect are refused", function()
    check("queryRect", { x, y, { "w", "size", 1 }, { "h", "size", 1 } })
  end)

  it("queryCircle are refused", function()
    check("queryCircle", { x, y, { "r", "size", 1 } })
  end)

  it("queryShape are refused", function()
    check("queryShape", { { "placed", "table", placed } })
    checkPlaced("queryShape", "placed")
  end)

  it("nearest are refused", function()
    check("nearest", { x, y, { "k", "count", 1, true } }, 1)
    expect.raises({ "world:nearest: k expected (", "got 0" }, world.nearest, world, 0, 0, 0)
    expect.raises({ "world:nearest: k expected (", "got nan" }, world.nearest, world, 0, 0, nan)
  end)

  it("rayCast and rayCastAll are refused", function()
    for _, method in ipairs { "rayCast", "rayCastAll" } do
      check(method, { { "x1", "coordinate", 1 }, { "y1", "coordinate", 1 },
        { "x2", "coordinate", 50 }, { "y2", "coordinate", 50 } })
    end
  end)

  it("shapeCast are refused", function()
    check("shapeCast", { { "placed", "table", placed }, { "dx", "coordinate", 5 },
      { "dy", "coordinate", 5 } })
    checkPlaced("shapeCast", "placed", 5, 5)
  end)

  it("contact are refused", function()
    everyArgument("world:contact", world.contact, { { "a", "table", a }, { "b", "table", b } },
      world)
    everyCount("world:contact", world.contact, { a, b }, { 2 }, world)
    checkPlaced("contact", "a", placed)
  end)

  it("queries are refused as self", function()
    for _, method in ipairs { "queryPoint", "queryRect", "queryCircle", "queryShape", "nearest",
      "rayCast", "rayCastAll", "shapeCast", "contact" } do
      for _, self in ipairs { {}, 5, "world", placed.shape } do
        expect.raises("world:" .. method, world[method], self, 1, 1, 1, 1)
      end
      assert.is_false(pcall(world[method]))
    end
  end)

  it("queries carry the position of the caller", function()
    local calls = {
      function() local list = world:queryPoint("x", 1) return list end,
      function() local list = world:queryRect(0, 0, 0, 1) return list end,
      function() local list = world:queryCircle(0, 0) return list end,
      function() local list = world:queryShape(placed, 5) return list end,
      function() local list = world:nearest(0, 0, -1) return list end,
      function() local actor = world:rayCast(0, 0, 0) return actor end,
      function() local list = world:rayCastAll(0, 0, 0, nan) return list end,
      function() local actor = world:shapeCast(placed, 0, nan) return actor end,
      function() local list = world:contact(a, {}) return list end,
      function() local d = collide.distance(a, {}) return d end,
      function() local shape = collide.polygon(0, 0, 1, 1) return shape end,
      function() local shape = collide.chain({}) return shape end,
      function() local shape = collide.compound(5) return shape end,
    }
    for _, call in ipairs(calls) do
      local here = "errors_queries_spec.lua:" .. debug.getinfo(call, "S").linedefined .. ":"
      assert.matches(here, expect.raises("got", call), 1, true)
    end
  end)
end)
