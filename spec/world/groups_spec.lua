-- Groups, and the rules that say which groups hit each other.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

-- A world with one actor of each named group, all at one place.
local function crowd(options, ...)
  local world = collide.newWorld(options)
  local list = {}
  for i, group in ipairs { ... } do
    list[i] = world:add { name = group, x = 0, y = 0, shape = box,
      group = group ~= "default" and group or nil }
  end
  return world, list
end

local function hitting(world)
  world:step()
  return expect.pairNames(world)
end

for _, broadphase in ipairs(broadphases) do
  describe("groups (" .. broadphase .. ")", function()
    local function options(rules)
      return { broadphase = broadphase, rules = rules }
    end

    it("all hit each other without options", function()
      local world = crowd(options(), "default", "one", "two", "one")
      assert.equal("default-one default-two default-one one-two one-one two-one", hitting(world))
    end)

    it("hit only as listed when rules are given", function()
      local world = crowd(options { { "player", "foe" }, { "foe", "foe" } },
        "player", "foe", "player", "foe", "default")
      assert.equal("player-foe player-foe foe-player foe-foe player-foe", hitting(world))
    end)

    it("hit nobody with an empty list", function()
      assert.equal("", hitting((crowd(options {}, "default", "one", "default"))))
    end)

    it("may be listed in either order", function()
      assert.equal("foe-player", hitting((crowd(options { { "player", "foe" } }, "foe", "player"))))
    end)

    it("accept * for every group, including the same one and later ones", function()
      local world = crowd(options { { "wall", "*" } }, "wall", "one", "two", "wall")
      assert.equal("wall-one wall-two wall-wall one-wall two-wall", hitting(world))
      world:add { name = "new", x = 0, y = 0, shape = box, group = "new" }
      assert.equal("wall-one wall-two wall-wall wall-new one-wall two-wall wall-new",
        hitting(world))
    end)

    it('are "default" without a name', function()
      local world = crowd(options { { "default", "one" } }, "default", "one", "default")
      assert.equal("default-one one-default", hitting(world))
    end)

    it("follow setRule from the next step on", function()
      local world = crowd(options(), "one", "two", "one")
      world:setRule("one", "two", false)
      assert.equal("one-one", hitting(world))
      world:setRule("one", "one", false)
      assert.equal("", hitting(world))
      world:setRule("two", "one", true)
      assert.equal("one-two two-one", hitting(world))
    end)

    it("follow setRule with *, also for groups that are added later", function()
      local world = crowd(options(), "ghost", "one", "two")
      world:setRule("ghost", "*", false)
      assert.equal("one-two", hitting(world))
      world:add { name = "new", x = 0, y = 0, shape = box, group = "new" }
      assert.equal("one-two one-new two-new", hitting(world))
      world:setRule("ghost", "one", true)
      assert.equal("ghost-one one-two one-new two-new", hitting(world))
      world:setRule("*", "*", false)
      assert.equal("", hitting(world))
    end)

    it("may be named in a rule before any actor is in them", function()
      local world = crowd(options(), "one")
      world:setRule("one", "late", false)
      world:add { name = "late", x = 0, y = 0, shape = box, group = "late" }
      assert.equal("", hitting(world))
    end)

    it("are not used up by calls that raise", function()
      local world, list = crowd(options(), "default", "one")
      for i = 3, 63 do world:setRule("g" .. i, "one", true) end
      list[1].group, list[2].group = "x", "y"               -- two names, with room for one
      expect.raises({ "world:refresh", "64" }, world.refresh, world)
      expect.raises({ "world:setRule", "64" }, world.setRule, world, "v", "w", false)
      list[1].group, list[2].group = nil, "last"
      world:refresh()
      assert.equal("default-one", hitting(world))
      assert.is_true(world:canHit("last", "default"))
      world:setRule("last", "default", false)
      assert.equal("", hitting(world))
    end)

    it("are named in the error of setRule if they are one too many", function()
      local world = collide.newWorld()
      for i = 1, 63 do world:setRule("g" .. i, "*", true) end
      local function refuses(arg, a, b)
        expect.raises(("world:setRule: group%s expected (group in use, as a world has at most "
          .. '64), got string "%s"'):format(arg:upper(), arg), world.setRule, world, a, b, true)
      end
      refuses("b", "a", "b")
      world:setRule("last", "g1", true) -- "a" has not become a group
      refuses("a", "a", "g1")
      refuses("a", "a", "b")
      refuses("b", "g1", "b")
    end)

    it("are limited to 64 in a world", function()
      local world = collide.newWorld(options())
      world:add { name = "default", x = 0, y = 0, shape = box }
      for i = 1, 63 do
        world:add { name = "g" .. i, x = 20 * i, y = 0, shape = box, group = "g" .. i }
      end
      assert.equal(64, world:count())
      local extra = { name = "extra", x = 20 * 63, y = 0, shape = box, group = "extra" }
      expect.raises({ "world:add", "64" }, world.add, world, extra)
      assert.is_false(world:has(extra))
      assert.equal(64, world:count())
      expect.raises({ "world:setRule", "64" }, world.setRule, world, "g1", "extra", false)
      extra.group = "g63"
      world:add(extra)
      assert.equal("g63-extra", hitting(world))
      world:setRule("g63", "g63", false)
      assert.equal("", hitting(world))
      extra.group = "other"
      expect.raises({ "world:refresh", "64" }, world.refresh, world, extra)
      extra.group = "g63"
      assert.equal("", hitting(world))
      extra.group = "g62"
      world:refresh(extra)
      assert.equal("g63-extra", hitting(world))
    end)
  end)
end

for _, broadphase in ipairs(broadphases) do
  describe("groups of which only the first gets callbacks (" .. broadphase .. ")", function()
    local log

    local function listener(world, name, group, x)
      local function say(what)
        return function(self, other) log[#log + 1] = self.name .. what .. other.name end
      end
      return world:add { name = name, group = group, x = x or 0, y = 0, shape = box,
        enter = say " enters ", hit = say " hits ", leave = say " leaves " }
    end

    local function told(world)
      log = {}
      world:step()
      return table.concat(log, ", ")
    end

    it("are found like any other pair", function()
      local world = collide.newWorld { broadphase = broadphase,
        rules = { { "view", "mob", "first" } } }
      local mob, view = listener(world, "mob", "mob"), listener(world, "view", "view")
      assert.equal("view enters mob, view hits mob", told(world))
      assert.equal("view hits mob", told(world))
      assert.equal("mob-view", expect.pairNames(world))
      assert.equal("mob-view", expect.pairNames(world, mob))
      assert.equal(1, world:stats().hits)
      assert.is_true(world:canHit("view", "mob") and world:canHit(mob, view))
      view.x = 100
      assert.equal("view leaves mob", told(world))
      assert.equal("", told(world))
    end)

    it("may be named with *, and with themselves", function()
      local world = collide.newWorld { broadphase = broadphase }
      world:setRule("*", "mob", "first")
      listener(world, "a", "mob")
      listener(world, "b", "mob")
      listener(world, "c", "other")
      assert.equal("a enters b, b enters a, a hits b, b hits a, c enters a, c hits a, "
        .. "c enters b, c hits b", told(world))
    end)

    it("send leave and enter when the rule changes", function()
      local world = collide.newWorld { broadphase = broadphase }
      listener(world, "a", "one")
      listener(world, "b", "two")
      assert.equal("a enters b, b enters a, a hits b, b hits a", told(world))
      world:setRule("one", "two", "first")
      assert.equal("b leaves a, a hits b", told(world))
      assert.equal("a hits b", told(world))
      world:setRule("two", "one", "first")
      assert.equal("a leaves b, b enters a, b hits a", told(world))
      world:setRule("two", "one", true)
      assert.equal("a enters b, a hits b, b hits a", told(world))
      world:setRule("one", "two", false)
      assert.equal("a leaves b, b leaves a", told(world))
      world:setRule("one", "two", "first")
      assert.equal("a enters b, a hits b", told(world))
    end)

    it("send leave for a removed actor only to those that got enter", function()
      local world = collide.newWorld { broadphase = broadphase,
        rules = { { "view", "mob", "first" } } }
      local mob, view = listener(world, "mob", "mob"), listener(world, "view", "view")
      told(world)
      world:remove(mob)
      assert.equal("view leaves mob", told(world))
      world:add(mob)
      assert.equal("view enters mob, view hits mob", told(world))
      world:remove(view)
      assert.equal("view leaves mob", told(world))
      assert.equal("", told(world))
    end)

    it("make the remaining calls after an error", function()
      local world = collide.newWorld { broadphase = broadphase,
        rules = { { "view", "mob", "first" } } }
      listener(world, "mob", "mob")
      local view = listener(world, "view", "view")
      local enter = view.enter
      view.enter = function(...)
        view.enter = enter
        enter(...)
        error "early"
      end
      assert.is_false(pcall(told, world))
      assert.same({ "view enters mob" }, log)
      assert.equal("view hits mob", told(world))
      view.x = 100
      assert.equal("view leaves mob", told(world))
    end)
  end)
end

describe("groups that are declared", function()
  local pieces = { "one of this world's groups: default, player, foe), got ", "fo" }
  local function refuses(start, f, ...)
    expect.raises({ start .. " expected (" .. pieces[1] .. 'string "fo"' }, f, ...)
  end

  it("are the only groups: any other name raises wherever it is given", function()
    local world = collide.newWorld { groups = { "player", "foe" } }
    local foe = world:add { name = "f", x = 0, y = 0, shape = box, group = "foe" }
    local other = world:add { name = "d", x = 0, y = 0, shape = box }
    world:step()
    refuses('world:add: actor "x" (group "fo", at 0, 0): group', world.add, world,
      { name = "x", x = 0, y = 0, shape = box, group = "fo" })
    assert.equal(2, world:count())
    foe.group = "fo"
    refuses('world:refresh: actor 1 "f" (group "fo", at 0, 0): group', world.refresh, world, foe)
    refuses('world:refresh: actor 1 "f" (group "fo", at 0, 0): group', world.refresh, world)
    foe.group = "foe"
    refuses("world:setRule: groupB", world.setRule, world, "player", "fo", true)
    refuses("world:setRule: groupA", world.setRule, world, "fo", "player", true)
    refuses("world:canHit: a", world.canHit, world, "fo", "player")
    refuses("world:canHit: b", world.canHit, world, "player", "fo")
    refuses("world:newBullets: group", world.newBullets, world,
      { capacity = 1, radius = 1, group = "fo" })
    refuses("collide.newWorld: rules[2]", collide.newWorld,
      { groups = { "player", "foe" }, rules = { { "player", "*" }, { "foe", "fo" } } })
    for name, args in pairs { queryPoint = { 0, 0 }, queryRect = { 0, 0, 1, 1 },
      queryCircle = { 0, 0, 1 }, queryShape = { foe }, nearest = { 0, 0, 1 },
      rayCast = { 0, 0, 9, 9 }, rayCastAll = { 0, 0, 9, 9 }, shapeCast = { foe, 9, 9 },
      move = { foe, 0, 0 }, check = { foe, 9, 9 }, fits = { foe }, carry = { foe, 0, 0, 0 } } do
      local function ask(filter)
        local all = { world, (table.unpack or unpack)(args) } -- luacheck: ignore
        all[#all + 1] = filter
        return world[name]((table.unpack or unpack)(all)) -- luacheck: ignore
      end
      refuses("world:" .. name .. ": filter", ask, "fo")
      refuses("world:" .. name .. ": filter", ask, { "foe", "fo" })
      ask("foe")
      ask({ "player", "default", "*" })
    end
    refuses("world:newCharacter: filter", world.newCharacter, world, foe, { filter = "fo" })
    foe.x, foe.y, other.x, other.y = 0, 0, 0, 0 -- undoes the moves of move and carry
    world:step()
    assert.equal("f-d", expect.pairNames(world))
  end)

  it("hit as listed, and may be as many as a world can have", function()
    local names = {}
    for i = 1, 63 do names[i] = "g" .. i end
    local rules = { { "g1", "g63" }, { "default", "*" } }
    local world = collide.newWorld { groups = names, rules = rules }
    for i, group in ipairs { "g1", "g63", "g2" } do
      world:add { name = i, x = 0, y = 0, shape = box, group = group }
    end
    world:step()
    assert.equal("1-2", expect.pairNames(world))
    names[64] = "g64"
    expect.raises('collide.newWorld: groups expected (at most 64, "default" among them), got 65',
      collide.newWorld, { groups = names })
    names[64] = "default"
    collide.newWorld { groups = names }
    collide.newWorld { groups = {} }
  end)

  it("must be names", function()
    expect.raises('collide.newWorld: groups[2] expected (string, but not "*"), got string "*"',
      collide.newWorld, { groups = { "a", "*" } })
    expect.raises("collide.newWorld: groups[1] expected (string, but", collide.newWorld,
      { groups = { 5 } })
    expect.raises("collide.newWorld: key of groups expected (number of a place", collide.newWorld,
      { groups = { a = true } })
    expect.raises('collide.newWorld: rules[1][3] expected ("first" or nothing), '
      .. 'got string "second"', collide.newWorld, { rules = { { "a", "b", "second" } } })
    expect.raises("collide.newWorld: rules[1] expected (pair of group names), got 1 names",
      collide.newWorld, { rules = { { "a" } } })
    expect.raises('world:setRule: hit expected (true, false or "first"), got nil',
      function() collide.newWorld():setRule("a", "b") end)
  end)
end)

describe("world:canHit", function()
  it("answers for two groups, named ones and unknown ones", function()
    local world = crowd({ rules = { { "player", "foe" }, { "wall", "*" } } }, "player")
    assert.is_true(world:canHit("player", "foe"))
    assert.is_true(world:canHit("foe", "player"))
    assert.is_false(world:canHit("player", "player"))
    assert.is_true(world:canHit("wall", "never heard of"))
    assert.is_false(world:canHit("foe", "never heard of"))
    world:setRule("player", "foe", false)
    assert.is_false(world:canHit("player", "foe"))
  end)

  it("answers for two actors", function()
    local world, list = crowd({ rules = { { "player", "foe" } } }, "player", "foe", "player")
    assert.is_true(world:canHit(list[1], list[2]))
    assert.is_true(world:canHit(list[2], list[1]))
    assert.is_false(world:canHit(list[1], list[3]))
  end)

  it("knows that two statics never hit", function()
    local world, list = crowd({}, "one", "two", "three")
    list[1].static, list[2].static = true, true
    world:refresh()
    assert.is_false(world:canHit(list[1], list[2]))
    assert.is_true(world:canHit(list[1], list[3]))
  end)

  it("creates no groups", function()
    local world = collide.newWorld()
    for i = 1, 200 do assert.is_true(world:canHit("a" .. i, "b" .. i)) end
    world:add { x = 0, y = 0, shape = box, group = "still free" }
    assert.equal(1, world:count())
  end)
end)
