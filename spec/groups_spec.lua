-- Groups and the rules which of them hit each other.
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
    local function options(hits)
      return { broadphase = broadphase, hits = hits }
    end

    it("all hit each other when nothing is said", function()
      local world = crowd(options(), "default", "one", "two", "one")
      assert.equal("default-one default-two default-one one-two one-one two-one", hitting(world))
    end)

    it("hit only as listed when hits is given", function()
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

    it("take * for every group, itself and later ones included", function()
      local world = crowd(options { { "wall", "*" } }, "wall", "one", "two", "wall")
      assert.equal("wall-one wall-two wall-wall one-wall two-wall", hitting(world))
      world:add { name = "new", x = 0, y = 0, shape = box, group = "new" }
      assert.equal("wall-one wall-two wall-wall wall-new one-wall two-wall wall-new",
        hitting(world))
    end)

    it("are default without a name", function()
      local world = crowd(options { { "default", "one" } }, "default", "one", "default")
      assert.equal("default-one one-default", hitting(world))
    end)

    it("follow setHits from the next step on", function()
      local world = crowd(options(), "one", "two", "one")
      world:setHits("one", "two", false)
      assert.equal("one-one", hitting(world))
      world:setHits("one", "one", false)
      assert.equal("", hitting(world))
      world:setHits("two", "one", true)
      assert.equal("one-two two-one", hitting(world))
    end)

    it("follow setHits with *, for groups that come later too", function()
      local world = crowd(options(), "ghost", "one", "two")
      world:setHits("ghost", "*", false)
      assert.equal("one-two", hitting(world))
      world:add { name = "new", x = 0, y = 0, shape = box, group = "new" }
      assert.equal("one-two one-new two-new", hitting(world))
      world:setHits("ghost", "one", true)
      assert.equal("ghost-one one-two one-new two-new", hitting(world))
      world:setHits("*", "*", false)
      assert.equal("", hitting(world))
    end)

    it("may be named in a rule before anybody is in them", function()
      local world = crowd(options(), "one")
      world:setHits("one", "late", false)
      world:add { name = "late", x = 0, y = 0, shape = box, group = "late" }
      assert.equal("", hitting(world))
    end)

    it("are not used up by calls that raise", function()
      local world, list = crowd(options(), "default", "one")
      for i = 3, 63 do world:setHits("g" .. i, "one", true) end
      list[1].group, list[2].group = "x", "y"               -- one name is left, these are two
      expect.raises({ "world:refresh", "64" }, world.refresh, world)
      expect.raises({ "world:setHits", "64" }, world.setHits, world, "v", "w", false)
      list[1].group, list[2].group = nil, "last"
      world:refresh()
      assert.equal("default-one", hitting(world))
      assert.is_true(world:canHit("last", "default"))
      world:setHits("last", "default", false)
      assert.equal("", hitting(world))
    end)

    it("may be 64 a world, and not one more", function()
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
      expect.raises({ "world:setHits", "64" }, world.setHits, world, "g1", "extra", false)
      extra.group = "g63"
      world:add(extra)
      assert.equal("g63-extra", hitting(world))
      world:setHits("g63", "g63", false)
      assert.equal("", hitting(world))
      extra.group = "other"
      expect.raises({ "world:refresh", "64" }, world.refresh, world, extra)
      assert.equal("", hitting(world))
      extra.group = "g62"
      world:refresh(extra)
      assert.equal("g63-extra", hitting(world))
    end)
  end)
end

describe("world:canHit", function()
  it("answers for two groups, named ones and unknown ones", function()
    local world = crowd({ hits = { { "player", "foe" }, { "wall", "*" } } }, "player")
    assert.is_true(world:canHit("player", "foe"))
    assert.is_true(world:canHit("foe", "player"))
    assert.is_false(world:canHit("player", "player"))
    assert.is_true(world:canHit("wall", "never heard of"))
    assert.is_false(world:canHit("foe", "never heard of"))
    world:setHits("player", "foe", false)
    assert.is_false(world:canHit("player", "foe"))
  end)

  it("answers for two actors", function()
    local world, list = crowd({ hits = { { "player", "foe" } } }, "player", "foe", "player")
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

  it("does not name the groups it is asked about", function()
    local world = collide.newWorld()
    for i = 1, 200 do assert.is_true(world:canHit("a" .. i, "b" .. i)) end
    world:add { x = 0, y = 0, shape = box, group = "still free" }
    assert.equal(1, world:count())
  end)
end)
