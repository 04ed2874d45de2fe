-- The actors of a world, and what it reports about them. Steps, updates and groups have their own
-- specs.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

local function actor(name, x, y)
  return { name = name, x = x, y = y or 0, shape = box }
end

describe("collide.newWorld", function()
  it("accepts no argument, an empty table, or all options", function()
    assert.equal(0, collide.newWorld():count())
    assert.equal(0, collide.newWorld({}):count())
    local world = collide.newWorld { width = 500, height = 400, broadphase = "quadtree", depth = 4,
      touching = false, rules = { { "a", "b" } }, fields = { hit = "onHit" }, strict = true }
    assert.same({ 500, 400 }, { world.width, world.height })
  end)

  it("makes worlds whose tostring shows the number of actors", function()
    local world = collide.newWorld()
    assert.equal("world(0 actors)", tostring(world))
    world:add(actor("a", 0))
    assert.equal("world(1 actor)", tostring(world))
    for i = 2, 12 do world:add(actor("b", i)) end
    assert.equal("world(12 actors)", tostring(world))
  end)

  it("makes worlds whose other options cannot be set", function()
    local world = collide.newWorld { width = 500 }
    for _, name in ipairs { "broadphase", "depth", "loose", "touching", "groups", "fields",
      "strict" } do
      local message = expect.raises(
        ("world.%s can't be changed; it is given to collide.newWorld"):format(name),
        function() world[name] = true end)
      assert.matches("^spec/world/world_spec.lua:%d+: ", message)
    end
    world.width, world.height, world.camera = 5, 6, 7
    assert.same({ 5, 6, 7 }, { world.width, world.height, world.camera })
  end)

  it("does not limit actors to width and height", function()
    local world = collide.newWorld { width = 50, height = 50, broadphase = "quadtree" }
    world:add(actor("a", -1e6, 3e6))
    world:add(actor("b", -1e6 + 4, 3e6 + 4))
    world:add(actor("c", 45, 45))
    world:add(actor("d", 50, 50))
    world:step()
    assert.equal("a-b c-d", expect.pairNames(world))
  end)

  it("makes worlds that are independent", function()
    local one, two = collide.newWorld(), collide.newWorld()
    local a = one:add(actor("a", 0))
    two:add(actor("b", 0))
    assert.is_true(one:has(a))
    assert.is_false(two:has(a))
    one:step()
    assert.equal("", expect.pairNames(one))
  end)
end)

for _, broadphase in ipairs(broadphases) do
  describe("a world (" .. broadphase .. ")", function()
    local world

    before_each(function()
      world = collide.newWorld { broadphase = broadphase }
    end)

    describe("add", function()
      it("returns the actor", function()
        local a = actor("a", 0)
        assert.equal(a, world:add(a))
        assert.is_true(world:has(a))
        assert.equal(1, world:count())
      end)

      it("writes nothing into the actor", function()
        local a = setmetatable(actor("a", 0), { __newindex = function() error("written to") end })
        world:add(a)
        world:step()
        world:remove(a)
        assert.same({ name = "a", x = 0, y = 0, shape = box }, a)
      end)

      it("refuses an actor that is in this world", function()
        local a = world:add(actor("a", 0))
        expect.raises("world:add", world.add, world, a)
        assert.equal(1, world:count())
      end)

      it("refuses an actor that is in another world, until it is removed there", function()
        local other = collide.newWorld()
        local a = other:add(actor("a", 0))
        expect.raises({ "world:add", "world" }, world.add, world, a)
        assert.is_false(world:has(a))
        assert.is_true(other:has(a))
        other:remove(a)
        world:add(a)
        assert.is_true(world:has(a))
      end)

      it("accepts an actor whose world was cleared or collected", function()
        local a = actor("a", 0)
        local other = collide.newWorld()
        other:add(a)
        other:clear()
        other:add(a)
        other = nil -- luacheck: ignore
        for _ = 1, 3 do collectgarbage() end
        world:add(a)
        assert.is_true(world:has(a))
      end)

      it("accepts many actors, many times", function()
        local list = {}
        for i = 1, 3000 do list[i] = world:add(actor(tostring(i), i * 20)) end
        for i = 1, 3000, 2 do world:remove(list[i]) end
        for i = 1, 3000, 2 do world:add(list[i]) end
        assert.equal(3000, world:count())
        world:step()
        assert.equal("", expect.pairNames(world))
        local all = world:actors()
        assert.equal(list[2], all[1])
        assert.equal(list[3000], all[1500])
        assert.equal(list[1], all[1501])
        assert.equal(list[2999], all[3000])
      end)
    end)

    describe("remove", function()
      it("says whether the actor was there", function()
        local a = world:add(actor("a", 0))
        assert.is_true(world:remove(a))
        assert.is_false(world:remove(a))
        assert.is_false(world:has(a))
        assert.equal(0, world:count())
      end)

      it("returns false for any other table and for another world's actor", function()
        local other = collide.newWorld()
        local a = other:add(actor("a", 0))
        assert.is_false(world:remove(a))
        assert.is_false(world:remove {})
        assert.is_true(other:has(a))
      end)

      it("removes it from the next steps", function()
        local a = world:add(actor("a", 0))
        world:add(actor("b", 5))
        world:add(actor("c", 8))
        world:step()
        world:remove(a)
        world:step()
        assert.equal("b-c", expect.pairNames(world))
      end)
    end)

    it("clear removes all actors, which may be added again", function()
      local a, b = world:add(actor("a", 0)), world:add(actor("b", 5))
      world:step()
      world:clear()
      assert.equal(0, world:count())
      assert.same({}, world:actors())
      assert.is_false(world:has(a))
      world:add(b)
      world:add(a)
      world:step()
      assert.equal("b-a", expect.pairNames(world))
      world:clear()
      world:clear()
      world:step()
      assert.equal("", expect.pairNames(world))
    end)

    it("actors is a new list in the order of adding", function()
      local a, b, c = world:add(actor("a", 0)), world:add(actor("b", 50)), world:add(actor("c", 99))
      local list = world:actors()
      assert.same({ a, b, c }, list)
      list[1] = nil
      assert.equal(a, world:actors()[1])
      world:remove(b)
      world:add(b)
      list = world:actors()
      assert.equal(a, list[1])
      assert.equal(c, list[2])
      assert.equal(b, list[3])
      assert.equal(3, #list)
    end)

    it("candidates holds every hit once, as a flat list of actors", function()
      for i = 1, 60 do world:add(actor(tostring(i), (i * 37) % 101, (i * 53) % 97)) end
      world:step()
      local flat, seen = world:candidates(), {}
      assert.equal(0, #flat % 2)
      for i = 1, #flat, 2 do
        local first, second = tonumber(flat[i].name), tonumber(flat[i + 1].name)
        local key = math.min(first, second) .. "-" .. math.max(first, second)
        assert.is_not.equal(first, second)
        assert.is_nil(seen[key])
        seen[key] = true
      end
      local n = 0
      for p, q in world:hits() do
        n = n + 1
        assert.is_true(seen[p.name .. "-" .. q.name])
      end
      assert.is_true(n > 20)
    end)

    it("overlap tests the current places, with the world's field names and touching", function()
      local a, b = world:add(actor("a", 0)), world:add(actor("b", 8))
      expect.near({ -1, 0, 2 }, { world:overlap(a, b) }, 0)
      b.x = 10
      assert.is_nil(world:overlap(a, b))
      local closed = collide.newWorld { touching = true, fields = { x = "px", shape = "body" } }
      local p = closed:add { px = 0, y = 0, body = box }
      expect.near({ -1, 0, 0 }, { closed:overlap(p, { px = 10, y = 0, body = box }) }, 0)
    end)

    describe("stats", function()
      it("counts the last step", function()
        world:add(actor("a", 0))
        world:add(actor("b", 8))
        world:add(actor("c", 800))
        world:step()
        local s = world:stats()
        assert.equal(3, s.actors)
        assert.equal(1, s.hits)
        assert.equal(#world:candidates() / 2, s.candidates)
        if broadphase ~= "auto" then assert.equal(broadphase, s.broadphase) end
        for _, time in ipairs { "pull", "find", "dispatch" } do
          assert.equal("number", type(s[time]))
          assert.is_true(s[time] >= 0 and s[time] < 10)
        end
      end)

      it("fills and returns the table that it is given", function()
        world:add(actor("a", 0))
        world:step()
        local into = { mine = 1 }
        assert.equal(into, world:stats(into))
        assert.same({ 1, 1 }, { into.mine, into.actors })
      end)

      it("has the time spent in callbacks as dispatch", function()
        local a = world:add(actor("a", 0))
        world:add(actor("b", 0))
        function a.hit()
          local start = os.clock()
          while os.clock() - start < 0.01 do end -- luacheck: ignore
        end
        world:step()
        assert.is_true(world:stats().dispatch > 0.005)
      end)

      it("names the broad phase that auto has chosen", function()
        local auto = collide.newWorld { broadphase = "auto" }
        auto:add(actor("a", 0))
        auto:step()
        assert.equal("string", type(auto:stats().broadphase))
        assert.is_not.equal("auto", auto:stats().broadphase)
      end)
    end)

    describe("hash", function()
      it("depends on the last step alone, not on the steps before", function()
        local function stepped(history)
          local w = collide.newWorld { broadphase = broadphase, strict = false }
          local list = {}
          for i, x in ipairs { 0, 7, 40 } do list[i] = w:add(actor("a" .. i, x)) end
          history(w, list)
          for i, x in ipairs { 0, 7, 40 } do list[i].x, list[i].y = x, 0 end
          w:step()
          return w:hash()
        end
        local plain = stepped(function() end)
        assert.equal(plain, stepped(function(w, list)
          for i = 1, 60 do
            list[i % 3 + 1].x = i
            w:step()
          end
        end))
        assert.equal(plain, stepped(function(w, list)
          for i = 1, 60 do
            local other = w:add(actor("other", i))
            w:step()
            w:teleport(list[1], i, i)
            w:remove(other)
          end
        end))
        assert.equal(plain, stepped(function(w, list)
          list[1].hit = function() error "early" end
          w:refresh(list[1])
          pcall(w.step, w)
          list[1].hit = nil
          w:setRule("default", "default", "first")
        end))
      end)

      local function hashOf(x, y, names)
        local w = collide.newWorld { broadphase = broadphase }
        for i = 1, #names do w:add(actor(names:sub(i, i), x, y)) end
        w:step()
        return w:hash()
      end

      it("is an integer as a string", function()
        assert.equal("string", type(world:hash()))
        assert.matches("^%-?%d+$", hashOf(1, 2, "a"))
      end)

      it("is the same for the same positions and hits", function()
        assert.equal(hashOf(1.5, 2, "ab"), hashOf(1.5, 2, "cd"))
      end)

      it("differs by a position's last bit, and by an extra actor", function()
        assert.is_not.equal(hashOf(1, 2, "ab"), hashOf(1 + 2 ^ -52, 2, "ab"))
        assert.is_not.equal(hashOf(1, 2, "ab"), hashOf(2, 1, "ab"))
        assert.is_not.equal(hashOf(1, 2, "ab"), hashOf(1, 2, "abc"))
      end)

      it("treats -0 as 0", function()
        assert.equal(hashOf(0, 0, "ab"), hashOf(-0.0, 0 * -1, "ab"))
        assert.equal(hashOf(0, 0, "ab"), hashOf(-1 / math.huge, 0, "ab"))
      end)

      it("uses the places read by the step, not those assigned since", function()
        local a = world:add(actor("a", 0))
        world:step()
        local before = world:hash()
        a.x = 5
        assert.equal(before, world:hash())
        world:step()
        assert.is_not.equal(before, world:hash())
      end)
    end)

    describe("refresh", function()
      it("makes no callbacks, and is seen by the next step", function()
        local told = 0
        local a, b = world:add(actor("a", 0)), world:add(actor("b", 8))
        function a.enter() told = told + 1 end
        world:refresh(a)
        world:refresh()
        assert.equal(0, told)
        b.x = 1000
        world:refresh(b)
        world:step()
        assert.equal("", expect.pairNames(world))
        assert.equal(0, told)
      end)

      it("refuses an actor that is not in this world", function()
        local other = collide.newWorld()
        local a = other:add(actor("a", 0))
        expect.raises("world:refresh", world.refresh, world, a)
        expect.raises("world:refresh", world.refresh, world, actor("b", 0))
      end)
    end)
  end)
end
