-- Bad elements of lists and tables in arguments, and errors of single functions. All other bad
-- arguments are tested in interface_spec.lua.
local collide = require "collide"
local expect = require "spec.support.expect"
local refuse = require "spec.support.refuse"

local nan = 0 / 0
local NIL, WRONG = refuse.NIL, refuse.WRONG
local refuses = refuse.refuses

describe("an error", function()
  it("shows the beginning of a long string", function()
    local ok, message = pcall(collide.circle, ("long "):rep(1000))
    assert.is_false(ok)
    assert.matches('collide%.circle: [^"]*, got string "long long [long ]*…"$', message)
    assert.is_true(#message < 200)
  end)

  it("shows a text on one line, with control characters escaped", function()
    for text, shown in pairs { ["a\nb"] = "a\\010b", ["\27[31mred"] = "\\027[31mred",
      ["\0\127"] = "\\000\\127",
      ["\194\155\194\160"] = "\\194\\155\194\160", ["c:\\d"] = "c:\\d" } do
      local _, message = pcall(collide.circle, text)
      assert.matches(('got string "%s"'):format(shown), message, 1, true)
    end
  end)

  it("names objects by the classes of this library only", function()
    for class, name in pairs { ["collide.Thing"] = "thing", ["collide.Z"] = "z",
      ["collide.thing"] = "table", ["collide.[x"] = "table", ["collide."] = "table",
      ["other.Thing"] = "table", [5] = "table" } do
      local ok, message = pcall(collide.circle, setmetatable({}, { __name = class }))
      assert.is_false(ok)
      assert.matches(", got " .. name .. "$", message)
    end
  end)

  it("has no position if its caller is code without line numbers", function()
    local function try(f) return (f(-1)) end
    local code = string.dump(try, true)
    if #code == #string.dump(try) then return end -- Lua 5.1 and 5.2 keep the lines
    local _, message = pcall((loadstring or load)(code), collide.circle)
    assert.matches("^collide%.circle: ", message)
  end)

  it("has no position without a caller in Lua", function()
    local able, thread = pcall(coroutine.create, collide.circle)
    if not able then return end -- Lua 5.1 takes only functions in Lua here
    local ok, message = coroutine.resume(thread, -1)
    assert.is_false(ok)
    assert.matches("^collide%.circle: ", message)
  end)
end)

describe("bad arguments of the shapes' constructors", function()
  it("are refused by collide.segment when both points are equal", function()
    expect.raises({ "collide.segment: ", "expected (" }, collide.segment, 5, 6, 5, 6)
  end)

  -- Tries a wrong value at each index of a list of points; nil only at the last index.
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

  it("are refused if each point is a list", function()
    for _, name in ipairs { "polygon", "chain" } do
      expect.raises("collide." .. name .. ": x1 expected (finite number within ±1e12), got table; "
        .. "a list of points has numbers alone, {x1, y1, x2, y2, …}", collide[name],
        { { 0, 0 }, { 1, 0 }, { 1, 1 } })
    end
    local pool = collide.newWorld():newBullets { capacity = 1, radius = 1 }
    expect.raises("pool:spawnLaser: points[1] expected (finite number within ±1e12), got table; "
      .. "a list of points has numbers alone, {x1, y1, x2, y2, …}", pool.spawnLaser, pool,
      { points = { { 0, 0 }, { 1, 0 } }, width = 1 })
  end)

  it("are refused by collide.chain", function()
    everyPoint("collide.chain", collide.chain)
    everyPoint("collide.chain", collide.chain, true)
  end)
end)

describe("bad arguments of a shape's methods", function()
  it("are refused when the result would be too large or too small", function()
    local large = collide.rectangle(1e11, 0, 1e12, 1)
    expect.raises("shape:translated", large.translated, large, 1e12, 0)
    expect.raises("shape:scaled", large.scaled, large, 10)
    local small = collide.circle(1e-50)
    expect.raises("shape:scaled", small.scaled, small, 1e-20)
  end)
end)

describe("bad arguments of collide.overlap", function()
  local box = collide.rectangle(1, 1)
  local good = { x = 0, y = 0, shape = box }

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
    expect.raises({ "collide.distance: a.shape expected (", "got nil" }, collide.distance,
      { x = 0, y = 0 }, good)
    expect.raises({ "collide.distance: b.y expected (", "got inf" }, collide.distance, good,
      { x = 0, y = math.huge, shape = good.shape })
    expect.raises({ "collide.distance: b.angle expected (", 'got string "up"' }, collide.distance,
      good, { x = 0, y = 0, angle = "up", shape = good.shape })
  end)
end)

describe("bad options of collide.newWorld", function()
  it("are refused when unknown", function()
    expect.raises({ "collide.newWorld", "widht" }, collide.newWorld, { widht = 5 })
    expect.raises("collide.newWorld", collide.newWorld, { 500, 500 })
    expect.raises({ "collide.newWorld", "broadphase expected (", 'got string "octree"' },
      collide.newWorld, { broadphase = "octree" })
  end)

  it("are refused inside of a pair of groups, beside the two names", function()
    expect.raises({ "collide.newWorld: key of rules[2] expected", 'got string "only"' },
      collide.newWorld, { rules = { { "a", "b" }, { "a", "c", only = true } } })
  end)

  it("are refused inside of rules and fields", function()
    for _, rules in ipairs { { "player", "foe" }, { { "player" } }, { { "a", "b", "c" } },
      { { "a", 5 } }, { { "a", {} } } } do
      expect.raises({ "collide.newWorld", "rules" }, collide.newWorld, { rules = rules })
    end
    for _, fields in ipairs { { hit = 5 }, { hit = true }, { x = {} }, { colour = "c" },
      { "x" } } do
      expect.raises({ "collide.newWorld", "fields" }, collide.newWorld, { fields = fields })
    end
  end)
end)

describe("bad arguments of a world's methods", function()
  local world, a, before

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
    world:add { name = "b", x = 8, y = 0, shape = collide.circle(10) }
    world:step()
    before = state()
  end)

  after_each(function()
    assert.same(before, state())
    world:step()
    assert.same(before, state())
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
    expect.raises("world:update: dt expected (number), got table; assign x, y on the actor instead",
      world.update, world, a)
  end)

  it("are refused by overlap", function()
    expect.raises({ "world:overlap", "x expected (", "got nan" }, world.overlap, world, a,
      { x = nan, y = 0, shape = a.shape })
  end)

  it("are refused by canHit", function()
    for _, args in ipairs { { a, 5 }, { 5, a }, { 5, 5 }, { a, {} }, { {}, a }, { NIL, a },
      { "default", true }, { "default", nan } } do
      refuses({ "world:canHit", "expected (", "got" }, world.canHit, { world, args[1], args[2] })
    end
  end)

  it("carry the position of the caller whichever kind of slash paths have", function()
    local core = require "collide.core"
    local home = debug.getinfo(collide.overlap, "S").source:match("^(.*)init%.lua$")
    local line = debug.getinfo(1, "l").currentline + 2
    core.setHome((home:gsub("/", "\\")))
    local ok, message = pcall(function() collide.newWorld(7) end)
    core.setHome(home)
    assert.is_false(ok)
    assert.matches(("errors_spec.lua:%d: collide.newWorld"):format(line), message, 1, true)
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

describe("a long text in a message", function()
  it("is cut between two characters", function()
    for before = 35, 41 do
      for _, char in ipairs { "\195\164", "\226\130\172", "\240\159\152\128" } do
        local text = ("x"):rep(before) .. char .. ("y"):rep(20)
        local _, message = pcall(collide.circle, text)
        local shown = message:match 'string "(x*[^y]-)y*…"$'
        assert.is_truthy(shown == ("x"):rep(#shown) or shown == ("x"):rep(before) .. char, message)
      end
    end
  end)
end)
