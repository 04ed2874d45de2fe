-- Filters of queries: groups, lists of groups and functions; and ignored actors.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

local raises = expect.raises
local rectangle, circle = collide.rectangle, collide.circle

-- The names of the actors in a query's answer, in order.
local function names(list, n)
  local out = {}
  for i = 1, n do out[i] = list[i].name end
  assert.equal(n, #list)
  return table.concat(out, " ")
end

--      0    10   20   30
--   0  +----+    +----+
--      | a  |    | b  |      c is a circle of radius 5 about 15, 5, d a closed chain
--  10  +----+    +----+      around everything
local function newWorld(options)
  local world = collide.newWorld(options)
  local made = {
    a = world:add { name = "a", x = 0, y = 0, shape = rectangle(10, 10), group = "box" },
    b = world:add { name = "b", x = 20, y = 0, shape = rectangle(10, 10), group = "box" },
    c = world:add { name = "c", x = 15, y = 5, shape = circle(5), group = "ball" },
    d = world:add { name = "d", x = 0, y = 0, group = "wall",
      shape = collide.chain({ -50, -50, 80, -50, 80, 60, -50, 60 }, true) },
  }
  return world, made
end

describe("a filter", function()
  it("may be any of 64 groups", function()
    local world, all = collide.newWorld(), {}
    for i = 1, 64 do
      local name = "group " .. i
      world:add { name = name, x = 0, y = 0, shape = rectangle(9, 9), group = name }
      all[i] = name
    end
    for _, name in ipairs(all) do
      assert.equal(name, names(world:queryPoint(5, 5, name)))
    end
    assert.equal(table.concat(all, " "), names(world:queryPoint(5, 5, all)))
  end)

  it("may be the name of a group", function()
    local world = newWorld()
    assert.equal("a b", names(world:queryRect(-20, -20, 80, 50, "box")))
    assert.equal("c", names(world:queryRect(-20, -20, 80, 50, "ball")))
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, "*")))
    assert.equal("", names(world:queryRect(-20, -20, 80, 50, "default")))
  end)

  it("may be a list of groups", function()
    local world = newWorld()
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, { "ball", "box" })))
    assert.equal("c", names(world:queryRect(-20, -20, 80, 50, { "ball", "ball" })))
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, { "ball", "*" })))
  end)

  it("that is not a group matches no actors, and raises in a strict world", function()
    assert.equal("", names(newWorld():queryPoint(5, 5, "nobody")))
    assert.equal("a", names(newWorld():queryPoint(5, 5, { "nobody", "box" })))
    local world = newWorld { strict = true }
    raises({ "world:queryPoint: filter expected (", 'got string "nobody"' }, world.queryPoint,
      world, 5, 5, "nobody")
    raises({ "world:queryPoint: filter expected (", 'got string "nobody"' }, world.queryPoint,
      world, 5, 5, { "box", "nobody" })
    assert.equal("a", names(world:queryPoint(5, 5, "box")))
    world:setRule("nobody", "box", false)
    assert.equal("", names(world:queryPoint(5, 5, "nobody")))
    world = collide.newWorld { strict = true, rules = { { "ghost", "box" } } }
    assert.equal("", names(world:queryPoint(5, 5, "ghost")))
  end)

  it("may be a function, called once for each candidate", function()
    local world = newWorld()
    local asked = {}
    local list, n = world:queryRect(-20, -20, 80, 50, function(actor)
      asked[#asked + 1] = actor.name
      return actor.name ~= "b"
    end)
    assert.equal("a c", names(list, n))
    assert.same({ "a", "b", "c" }, asked)
    assert.equal("", names(world:queryPoint(5, 5, function() return nil end)))
    assert.equal("a", names(world:queryPoint(5, 5, function() return 0 end)))
  end)

  it("that is a function may change, query and step the world", function()
    local world, made = newWorld()
    local list, n = world:queryRect(-20, -20, 80, 50, function(actor)
      if actor == made.a then
        world:remove(made.b)
        world:add { name = "e", x = 0, y = 0, shape = rectangle(10, 10) }
        world:step()
        assert.equal("a e", names(world:queryPoint(5, 5)))
      end
      return true
    end)
    assert.equal("a b c", names(list, n))     -- the actors at the time of the call
    assert.equal("a c e", names(world:queryRect(-20, -20, 80, 50)))
  end)

  it("that raises passes its error on, and does not change the world", function()
    local world = newWorld()
    local hash = world:hash()
    local thrown = {}
    local ok, caught = pcall(world.queryRect, world, -20, -20, 80, 50, function() error(thrown) end)
    assert.is_false(ok)
    assert.equal(thrown, caught)
    assert.equal("a", names(world:queryPoint(5, 5)))
    assert.equal(hash, world:hash())
    world:step()
  end)

  it("that is a function may yield", function()
    local world = newWorld()
    local thread = coroutine.wrap(function()
      return names(world:queryRect(-20, -20, 80, 50, function(actor)
        return coroutine.yield(actor.name)
      end))
    end)
    assert.equal("a", thread())
    assert.equal("b", thread(true))
    assert.equal("c", thread(false))
    assert.equal("a c", thread(true))
  end)
end)

describe("world:actors and world:count", function()
  it("accept a filter as queries do", function()
    local world, made = newWorld()
    local function all(filter)
      local list = world:actors(filter)
      assert.equal(#list, world:count(filter))
      return names(list, #list)
    end
    assert.equal("a b c d", all())
    assert.equal("a b c d", all "*")
    assert.equal("a b", all "box")
    assert.equal("c d", all { "wall", "ball" })
    assert.equal("", all "nobody")
    assert.equal("b d", all(function(actor) return actor == made.b or actor == made.d end))
    made.a.group = "ball" -- counts from refresh on
    assert.equal("a b", all "box")
    world:refresh(made.a)
    assert.equal("b", all "box")
    assert.equal("a c", all "ball")
    assert.equal("a c", names(world:actors(function(actor)
      if actor == made.a then world:remove(made.d) end
      return actor.group == "ball"
    end), 2))
    assert.equal(3, world:count())
  end)

  for seed = random.seed(), random.seed() + random.rounds(5) - 1 do
    it("agree with a plain list, seed " .. seed, function()
      local rng, world, list = random.new(seed), collide.newWorld(), {}
      local function name() return "group " .. rng:int(64) end
      for _ = 1, 200 do
        local i = rng:int(#list + 1)
        if rng:chance(0.6) then
          list[#list + 1] = world:add { x = 0, y = 0, shape = circle(1), group = name() }
        elseif list[i] and rng:chance(0.5) then
          world:remove(table.remove(list, i))
        elseif list[i] then
          list[i].group = name()
          world:refresh(list[i])
        end
        if rng:chance(0.1) then world:step() end
        local wanted, filter = {}, { name(), name(), name() }
        for _, actor in ipairs(list) do
          local g = actor.group
          if g == filter[1] or g == filter[2] or g == filter[3] then wanted[#wanted + 1] = actor end
        end
        assert.same(wanted, world:actors(filter))
        assert.equal(#wanted, world:count(filter))
      end
    end)
  end
end)

describe("an invalid filter", function()
  local world, made = newWorld { strict = true }
  local methods = {
    queryPoint = { 5, 5 }, queryRect = { -20, -20, 80, 50 }, queryCircle = { 5, 5, 9 },
    queryShape = { made.c }, nearest = { 5, 5, 1 }, rayCast = { -9, 5, 50, 5 },
    rayCastAll = { -9, 5, 50, 5 }, shapeCast = { made.c, 9, 9 }, actors = {}, count = {},
  }
  local function refuses(pieces, filter)
    for name, args in pairs(methods) do
      local message
      if #args == 0 then
        message = raises(pieces, world[name], world, filter)
      elseif #args == 1 then
        message = raises(pieces, world[name], world, args[1], filter)
      elseif #args == 2 then
        message = raises(pieces, world[name], world, args[1], args[2], filter)
      elseif #args == 3 then
        message = raises(pieces, world[name], world, args[1], args[2], args[3], filter)
      else
        message = raises(pieces, world[name], world, args[1], args[2], args[3], args[4], filter)
      end
      assert.matches("world:" .. name .. ": ", message, 1, true)
    end
  end
  local HINT = "; an actor goes in `ignore`, after the filter"

  it("raises: an actor in its place, of this world or not", function()
    refuses({ "filter expected (group, list of groups or function), got table" .. HINT }, made.a)
    refuses({ "filter expected (", HINT }, { x = 0, y = 0, shape = circle(1) })
    refuses({ "filter expected (", HINT }, { made.a })
    refuses({ "filter expected (", HINT }, { "box", made.a })
  end)

  it("raises: an empty list", function()
    refuses("filter expected (one group or more), got an empty list", {})
  end)

  it("raises: keys that are not indices, and indices without a group", function()
    refuses({ "key of filter expected (number of a place in a list), got string \"foe\"" },
      { foe = true })
    refuses({ "key of filter expected (", 'got string "also"' }, { "box", also = "ball" })
    refuses({ "key of filter expected (", "got 0" }, { [0] = "box", "ball" })
    refuses({ "key of filter expected (", "got 1.5" }, { "ball", [1.5] = "box" })
    refuses({ "filter expected (", "got nil" }, { "ball", [3] = "box" })
    refuses({ "filter expected (", "got nil" }, { [1e9] = "box" })
  end)

  it("raises: a value that is neither a name, a list nor a function", function()
    for _, filter in ipairs { 5, true, io.stdout, made.a.shape } do
      refuses({ "filter expected (group, list of groups or function), got " }, filter)
    end
    refuses({ "key of filter expected (" }, world)
  end)
end)

describe("an ignored actor", function()
  it("is never in the result", function()
    local world, made = newWorld()
    assert.equal("c", names(world:queryPoint(10, 5, nil, made.a)))
    assert.equal("", names(world:queryPoint(10, 5, "box", made.a)))
    assert.equal("b c", names(world:queryRect(-20, -20, 80, 50, nil, made.a)))
    assert.equal("a c", names(world:queryRect(-20, -20, 80, 50, nil, made.b)))
    assert.equal("a", names(world:queryCircle(15, 5, 100, "box", made.b)))
    assert.equal("b", names(world:queryShape(made.c, nil, made.a)))
    world:queryRect(-20, -20, 80, 50, function(actor)
      assert.are_not.equal(made.a, actor)
    end, made.a)
  end)

  it("may be in no world, or in another", function()
    local world = newWorld()
    local second, other = newWorld()
    assert.equal("a", names(world:queryPoint(5, 5, nil, { x = 0, y = 0, shape = circle(1) })))
    assert.equal("a", names(world:queryPoint(5, 5, nil, other.a)))
    local removed = other.b
    second:remove(removed)
    assert.equal("a", names(world:queryPoint(5, 5, nil, removed)))
  end)
end)

describe("a list of ignored actors", function()
  it("excludes all of them from the result", function()
    local world, made = newWorld()
    local _, other = newWorld()
    local ab, abc = { made.a, made.b }, { made.c, made.a, made.b, made.a }
    assert.equal("c", names(world:queryPoint(10, 5, nil, ab)))
    assert.equal("", names(world:queryPoint(10, 5, nil, abc)))
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, nil, {})))
    assert.equal("c", names(world:queryRect(-20, -20, 80, 50, nil, ab)))
    assert.equal("c", names(world:queryCircle(15, 5, 20, nil, { made.b, made.a, other.c })))
    assert.equal("b", names(world:queryShape(made.c, nil, { made.a })))
    assert.equal("", names(world:queryShape(made.c, nil, ab)))
    assert.equal("c", (world:nearest(0, 5, 1, nil, ab))[1].name)
    assert.equal("d", (world:nearest(0, 5, 1, function() return true end, abc))[1].name)
    assert.equal("c", world:rayCast(-9, 5, 50, 5, nil, ab).name)
    assert.equal("b", world:rayCast(-9, 5, 50, 5, function() return true end,
      { made.a, made.c }).name)
    local list, n = world:rayCastAll(-9, 5, 50, 5, nil, ab)
    assert.equal(1, n)
    assert.equal("c", list[1].actor.name)
    assert.equal("b", world:shapeCast({ x = -9, y = 5, shape = circle(1) }, 50, 0, nil,
      { made.a, made.c }).name)
    assert.equal("d", world:shapeCast(made.a, 100, 0, nil, { made.b, made.c }).name)
  end)

  it("may be of any length, and may hold actors of other worlds", function()
    local world = collide.newWorld()
    local _, other = newWorld()
    local row = {}
    for i = 1, 200 do row[i] = world:add { x = i, y = 0, shape = circle(0.1) } end
    -- Repeats the query so often that LuaJIT compiles it.
    local function ask(expected, ignore)
      for _ = 1, 100 do assert.equal(expected, (world:rayCast(0, 0, 300, 0, nil, ignore))) end
    end
    for _, length in ipairs { 1, 2, 63, 64, 65, 66, 150 } do
      local ignore = {}
      for i = 1, length do ignore[i] = row[length + 1 - i] end
      ask(row[length + 1], ignore)
      ignore[length + 1] = other.a
      ask(row[length + 1], ignore)
    end
    assert.is_nil((world:rayCast(0, 0, 300, 0, nil, row)))
    ask(row[2], row[1])
    ask(row[1], other.a)
  end)

  it("makes no garbage", function()
    local world, made = newWorld()
    local ignore, filter = { made.a, made.c }, { "box", "ball", "box" }
    local function ask() return world:rayCast(-9, 5, 50, 5, filter, ignore) end
    assert.equal(made.b, ask())
    assert.equal(0, gc.growth(ask))
  end)

  it("raises if it is not a list, or contains anything but actors", function()
    local world, made = newWorld()
    local pool = world:newBullets { capacity = 1, radius = 1 }
    for _, wrong in ipairs { { 5, "number 5" }, { "box", 'string "box"' }, { true, "boolean" },
      { print, "function" }, { io.stdout, "userdata" }, { made.a.shape, "shape" },
      { world, "world" }, { pool, "bullets" } } do
      raises({ "world:rayCast: ignore expected (actor or list of actors), got " .. wrong[2] },
        world.rayCast, world, 0, 0, 1, 1, nil, wrong[1])
      raises({ "world:rayCast: ignore[2] expected (actor), got " .. wrong[2] },
        world.rayCast, world, 0, 0, 1, 1, nil, { made.a, wrong[1] })
    end
    raises({ "world:nearest: key of ignore expected (number of a place", 'string "foe"' },
      world.nearest, world, 0, 0, 1, nil, { foe = true })
    raises("world:nearest: ignore[1] expected (actor), got table", world.nearest, world, 0, 0, 1,
      nil, { {} })
    raises("world:nearest: ignore[2] expected (actor), got nil", world.nearest, world, 0, 0, 1, nil,
      { made.a, [3] = made.b })
  end)
end)

-- Functions of the game that a move calls, and what they may do.
describe("a function that a move calls", function()
  local world, hero, wall

  before_each(function()
    world = collide.newWorld()
    hero = world:add { name = "hero", x = 0, y = 0, shape = collide.rectangle(10, 10) }
    wall = world:add { name = "wall", x = 20, y = 0, shape = collide.rectangle(10, 10) }
    world:step()
  end)

  local function yields() coroutine.yield() end

  -- All calls that lock a world, with a function that yields in the middle.
  local YIELDING = {
    ["world:move"] = {
      function() world:move(hero, 30, 0, yields) end,
      function() world:move(hero, 30, 0, nil, yields) end,
      function()
        local raw = { name = "odd", y = 90, shape = hero.shape }
        local odd = world:add(setmetatable({}, { __index = function(_, key)
          return key == "x" and 0 or raw[key]
        end, __newindex = yields }))
        world:move(odd, 1, 0)
      end,
      function()
        local fields = { x = 10, y = 0 }
        world:add(setmetatable({ shape = hero.shape }, { __index = fields, __newindex = yields }))
        world:move(hero, 5, 0, nil, "push")
      end,
    },
    ["world:check"] = { function() world:check(hero, 30, 0, yields) end },
    ["world:carry"] = { function() world:carry(hero, 30, 0, nil, yields) end },
    ["character:move"] = {
      function() world:newCharacter(hero, { filter = yields }):move(300, 0, 0.1) end,
    },
    ["world:snapshot"] = {
      function()
        wall.toSnapshot, wall.fromSnapshot = yields, yields
        world:refresh(wall)
        world:snapshot()
      end,
    },
    ["world:restore"] = {
      function() world:restore(world:snapshot():pack(), yields) end,
      function()
        wall.toSnapshot, wall.fromSnapshot = function() return 1 end, yields
        world:restore(world:snapshot())
      end,
    },
    ["world:step"] = {
      function()
        setmetatable(wall, { __index = function(_, key) if key == "hit" then yields() end end })
        world:refresh(wall)
        world:step()
      end,
    },
  }

  -- A bug: such a yield, if it was never resumed, locked the world for ever.
  for name, calls in pairs(YIELDING) do
    for i, call in ipairs(calls) do
      it(("cannot yield in %s (%d)"):format(name, i), function()
        local co = coroutine.create(call)
        local ok, message = coroutine.resume(co)
        assert.is_false(ok)
        assert.matches(name .. ": no function that it calls may yield", message, 1, true)
        setmetatable(wall, nil)
        world:move(hero, 1, 0)
        world:remove(wall)
        world:step()
      end)
    end
  end

  local function burn() error "no fuel" end
  local function deep() burn() return 1 end

  -- A bug: the error was raised again without its stack.
  it("may raise an error, which keeps its stack", function()
    for _, call in ipairs {
      function() world:move(hero, 30, 0, function() return deep() end) end,
      function() world:check(hero, 30, 0, nil, function() return deep() end) end,
      function() world:carry(hero, 30, 0, nil, function() return deep() end) end,
      function()
        world:newCharacter(world:add { x = 0, y = 50, shape = hero.shape },
          { filter = function() return deep() end }):move(0, -600, 0.1)
      end,
      function() world:restore(world:snapshot():pack(), deep) end,
    } do
      local ok, trace = xpcall(call, debug.traceback)
      assert.is_false(ok)
      assert.matches("^[^\n]*filters_spec%.lua:%d+: no fuel\n", trace)
      assert.matches("in function 'burn'\n\t[^\n]*filters_spec%.lua:%d+: in ", trace)
    end
  end)

  it("may raise any value, which is passed on unchanged", function()
    for _, value in ipairs { "a word", {}, 7 } do
      local ok, got = pcall(world.move, world, hero, 30, 0, function() error(value, 0) end)
      assert.is_false(ok)
      assert.equal(value, got)
    end
  end)

  it("gets the actor and the mover, which in a push is the pushed actor", function()
    local crate = world:add { name = "crate", x = 40, y = 0, shape = collide.rectangle(10, 10) }
    local asked = {}
    local function note(actor, mover)
      asked[#asked + 1] = mover.name .. "-" .. actor.name
      return true
    end
    world:move(hero, 25, 0, note, "push")
    assert.matches("hero-wall", table.concat(asked, " "), 1, true)
    assert.matches("wall-crate", table.concat(asked, " "), 1, true)
    asked = {}
    world:newCharacter(hero, { filter = note }):move(600, 0, 0.1)
    assert.matches("hero-wall", table.concat(asked, " "), 1, true)
    asked = {}
    world:carry(crate, -5, 0, 0, note)
    assert.matches("crate-wall", table.concat(asked, " "), 1, true)
  end)

  it("raises if a filter returns a response", function()
    local function slide() return "slide" end
    local message = 'what filter returns expected (true or false), got string "slide"; '
      .. "a response goes after the filter"
    expect.raises(message, world.move, world, hero, 30, 0, slide)
    expect.raises(message, world.check, world, hero, 30, 0, slide)
    expect.raises(message, world.carry, world, hero, 15, 0, nil, slide)
    local character = world:newCharacter(hero, { filter = slide })
    expect.raises(message, character.move, character, 300, 0, 0.1)
  end)

  it("applies to pushed actors; without a filter, their groups decide", function()
    world = collide.newWorld { rules = { { "hero", "crate" }, { "hero", "fence" } } }
    local function add(group, x)
      return world:add { group = group, x = x, y = 0, shape = collide.rectangle(10, 10) }
    end
    hero = add("hero", 0)
    local crate, fence = add("crate", 12), add("fence", 30)
    world:step()
    world:move(hero, 20, 0, nil, "push") -- crates pass fences
    assert.same({ 20, 30, 30 }, { hero.x, crate.x, fence.x })
    world:teleport(hero, 0, 0)
    world:teleport(crate, 12, 0)
    world:move(hero, 20, 0, { "crate", "fence" }, "push") -- by this filter they do not
    assert.is_true(fence.x > 30 or crate.x < 30)
    assert.is_nil(world:overlap(crate, fence))
  end)
end)

describe("any callable value is accepted as a function by", function()
  local world, hero, wall, called, f

  before_each(function()
    world, called = collide.newWorld(), 0
    hero = world:add { x = 0, y = 0, shape = collide.rectangle(10, 10) }
    wall = world:add { x = 20, y = 0, shape = collide.rectangle(10, 10) }
    world:step()
    f = setmetatable({}, { __call = function() called = called + 1; return nil end })
  end)

  local TAKES = {
    queryRect = function() world:queryRect(0, 0, 99, 99, f) end,
    nearest = function() world:nearest(0, 0, 2, f) end,
    rayCast = function() world:rayCast(-9, 5, 99, 5, f) end,
    rayCastAll = function() world:rayCastAll(-9, 5, 99, 5, f) end,
    shapeCast = function() world:shapeCast(hero, 30, 0, f) end,
    fits = function() world:fits({ x = 20, y = 0, shape = hero.shape }, f) end,
    ["move's filter"] = function() world:move(hero, 30, 0, f) end,
    ["move's response"] = function() world:move(hero, 30, 0, nil, f) end,
    check = function() world:check(hero, 30, 0, nil, f) end,
    carry = function() world:carry(hero, 15, 0, nil, f) end,
    ["newCharacter's filter"] = function()
      world:newCharacter(hero, { filter = f }):move(300, 0, 0.1)
    end,
    ["newCharacter's response"] = function()
      world:newCharacter(hero, { response = f }):move(300, 0, 0.1)
    end,
    trace = function() hero.hit, hero.x = f, 15; world:trace(f); world:refresh(); world:step() end,
    ["an actor's methods"] = function()
      hero.hit, hero.update, hero.draw, hero.x = f, f, f, 15
      world:refresh()
      world:update(1)
      world:draw()
    end,
    ["a pool"] = function()
      local pool = world:newBullets { capacity = 9, radius = 1, hit = f }
      pool:spawn(5, -5, 0, 9)
      pool:each(f)
      world:update(1)
    end,
    gridRay = function() collide.gridRay(0, 0, 3, 3, f) end,
    ["gridRay with options"] = function() collide.gridRay(0, 0, 3, 3, {}, f) end,
    restore = function()
      local list, i = { hero, wall }, 0
      world:restore(world:snapshot():pack(), setmetatable({}, { __call = function()
        called, i = called + 1, i + 1
        return list[i]
      end }))
    end,
  }

  for name, call in pairs(TAKES) do
    it(name, function()
      call()
      assert.is_true(called > 0)
    end)
  end
end)
