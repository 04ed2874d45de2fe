-- world:hits: the pairs of the last step, of all actors or of one.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

local function actor(name, x)
  return { name = name, x = x, y = 0, shape = box }
end

for _, broadphase in ipairs(broadphases) do
  describe("world:hits (" .. broadphase .. ")", function()
    local world, a, b, c

    before_each(function()
      world = collide.newWorld { broadphase = broadphase }
      a, b, c = world:add(actor("a", 0)), world:add(actor("b", 8)), world:add(actor("c", 5))
    end)

    it("is empty before the first step", function()
      assert.equal("", expect.pairNames(world))
    end)

    it("iterates the last step's pairs with the first one's vector", function()
      world:step()
      local out = {}
      for p, q, nx, ny, depth in world:hits() do out[#out + 1] = { p, q, nx, ny, depth } end
      assert.same({ { a, b, -1, 0, 2 }, { a, c, -1, 0, 5 }, { b, c, 1, 0, 7 } }, out)
    end)

    it("iterates one actor's pairs, with it as the first", function()
      world:step()
      local out = {}
      for p, q, nx, ny, depth in world:hits(b) do out[#out + 1] = { p, q, nx, ny, depth } end
      assert.same({ { b, a, 1, 0, 2 }, { b, c, 1, 0, 7 } }, out)
      assert.equal("c-a c-b", expect.pairNames(world, c))
    end)

    it("ignores later assignments, additions and refreshes", function()
      world:step()
      a.x = 1000
      world:refresh(a)
      world:add(actor("d", 5))
      assert.equal("a-b a-c b-c", expect.pairNames(world))
      world:step()
      assert.equal("b-c b-d c-d", expect.pairNames(world))
    end)

    it("skips pairs with an actor since removed, in the loop itself too", function()
      world:step()
      for _, q in world:hits() do world:remove(q) end
      assert.is_false(world:has(b))
      assert.equal("", expect.pairNames(world))
      assert.is_true(world:has(a))
    end)

    it("skips pairs of an actor removed and added again", function()
      world:step()
      world:remove(a)
      world:add(a)
      assert.equal("b-c", expect.pairNames(world))
    end)

    it("of one actor ends if it is removed in the loop, or removed and added again", function()
      for _, again in ipairs { false, true } do
        local rounds = 0
        world:step()
        for p in world:hits(b) do
          rounds = rounds + 1
          world:remove(p)
          if again then world:add(p) end
        end
        assert.equal(1, rounds)
        assert.equal("a-c", expect.pairNames(world))
        if not again then world:add(b) end
      end
    end)

    it("may be nested, and left early", function()
      world:step()
      local n = 0
      for p in world:hits() do
        for _ in world:hits(p) do n = n + 1 end
      end
      assert.equal(6, n)
      for _ in world:hits() do break end -- luacheck: ignore
      assert.equal("a-b a-c b-c", expect.pairNames(world))
    end)

    it("may be called again after its end, without affecting other loops", function()
      world:step()
      local f, s, k = world:hits()
      local n = 0
      while f(s, k) do n = n + 1 end
      assert.is_nil(f(s, k))
      assert.is_nil(f(s, k))
      n = 0
      for _ in world:hits() do
        for _ in world:hits() do n = n + 1 end
      end
      assert.equal(9, n)
      n = 0
      for _ in world:hits() do
        assert.is_nil(f(s, k))
        n = n + 1
      end
      assert.equal(3, n)
    end)

    it("continues after a step that raised while it read the actors", function()
      world:step()
      local n = 0
      for _ in world:hits() do
        c.x = 0 / 0
        assert.is_false(pcall(world.step, world))
        c.x = 5
        n = n + 1
      end
      assert.equal(3, n)
    end)

    it("refuses to continue after another step", function()
      world:step()
      local message = expect.raises("world:hits", function()
        for _ in world:hits() do world:step() end
      end)
      assert.matches("step", message, 1, true)
    end)

    it("has the running step's pairs inside a callback", function()
      local seen
      function a.enter() seen = seen or expect.pairNames(world) end
      world:step()
      assert.equal("a-b a-c b-c", seen)
    end)

    it("keeps the earlier step's pairs after a step that raised while reading", function()
      world:step()
      b.x = 0 / 0
      assert.is_false(pcall(world.step, world))
      assert.equal("a-b a-c b-c", expect.pairNames(world))
    end)
  end)
end
