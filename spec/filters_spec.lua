-- Filters of queries: groups, lists of groups and functions; and whom to ignore.
local collide = require "collide"
local expect = require "spec.support.expect"

local raises = expect.raises
local rectangle, circle = collide.rectangle, collide.circle

-- The names of what a query answers, in its order.
local function names(list, n)
  local out = {}
  for i = 1, n do out[i] = list[i].name end
  assert.equal(n, #list)
  return table.concat(out, " ")
end

--      0    10   20   30
--   0  +----+    +----+
--      | a  |    | b  |      c is a ball of 5 about 15, 5, d a closed chain
--  10  +----+    +----+      round everything
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
  it("is the name of a group", function()
    local world = newWorld()
    assert.equal("a b", names(world:queryRect(-20, -20, 80, 50, "box")))
    assert.equal("c", names(world:queryRect(-20, -20, 80, 50, "ball")))
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, "*")))
    assert.equal("", names(world:queryRect(-20, -20, 80, 50, "default")))
  end)

  it("is a list of them", function()
    local world = newWorld()
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, { "ball", "box" })))
    assert.equal("c", names(world:queryRect(-20, -20, 80, 50, { "ball", "ball" })))
    assert.equal("", names(world:queryRect(-20, -20, 80, 50, {})))
    assert.equal("a b c", names(world:queryRect(-20, -20, 80, 50, { "ball", "*" })))
  end)

  it("that nobody has named matches nobody, and raises in a strict world", function()
    assert.equal("", names(newWorld():queryPoint(5, 5, "nobody")))
    assert.equal("a", names(newWorld():queryPoint(5, 5, { "nobody", "box" })))
    local world = newWorld { strict = true }
    raises({ "world:queryPoint: filter expected (", 'got string "nobody"' }, world.queryPoint,
      world, 5, 5, "nobody")
    raises({ "world:queryPoint: filter expected (", 'got string "nobody"' }, world.queryPoint,
      world, 5, 5, { "box", "nobody" })
    assert.equal("a", names(world:queryPoint(5, 5, "box")))
    world:setHits("nobody", "box", false)
    assert.equal("", names(world:queryPoint(5, 5, "nobody")))
    world = collide.newWorld { strict = true, hits = { { "ghost", "box" } } }
    assert.equal("", names(world:queryPoint(5, 5, "ghost")))
  end)

  it("is a function, asked once about each that it would be", function()
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

  it("that is a function may change the world, ask it and step it", function()
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
    assert.equal("a b c", names(list, n))     -- who was there at the call
    assert.equal("a c e", names(world:queryRect(-20, -20, 80, 50)))
  end)

  it("that raises passes its error on and leaves the world as it was", function()
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

describe("an ignored actor", function()
  it("is never in the answer", function()
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

  it("may be one that is in no world, or in another", function()
    local world = newWorld()
    local _, other = newWorld()
    assert.equal("a", names(world:queryPoint(5, 5, nil, {})))
    assert.equal("a", names(world:queryPoint(5, 5, nil, other.a)))
  end)
end)
