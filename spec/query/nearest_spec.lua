-- world:nearest: the actors whose shapes are nearest to a point.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
local field = require "spec.support.field"
local random = require "spec.support.random"

local near, raises = expect.near, expect.raises
local rectangle, circle = collide.rectangle, collide.circle
local SEED = random.seed()

-- The answer of nearest as text, such as "a:10 c:12".
local function told(list, n, distances)
  local out = {}
  assert.equal(n, #list)
  assert.equal(n, #distances)
  for i = 1, n do out[i] = ("%s:%.6g"):format(list[i].name, distances[i]) end
  return table.concat(out, " ")
end

--      0    10   20   30        100  108
--   0  +----+    +----+          .--.
--      | a  |    | b  |         ( c  )     a circle of radius 4 about 104, 5
--  10  +----+    +----+          '--'
local function newWorld(options)
  local world = collide.newWorld(options)
  local made = {
    a = world:add { name = "a", x = 0, y = 0, shape = rectangle(10, 10), group = "box" },
    b = world:add { name = "b", x = 20, y = 0, shape = rectangle(10, 10), group = "box" },
    c = world:add { name = "c", x = 104, y = 5, shape = circle(4), group = "ball" },
  }
  return world, made
end

describe("world:nearest", function()
  it("returns the actor with the nearest shape", function()
    local world = newWorld()
    assert.equal("a:4", told(world:nearest(14, 5)))
    assert.equal("b:4", told(world:nearest(16, 5)))
    assert.equal("a:5", told(world:nearest(-3, -4)))
    assert.equal("c:5", told(world:nearest(104, 14)))
    assert.equal("c:33", told(world:nearest(67, 5)))
  end)

  it("returns k of them, nearest first", function()
    local world = newWorld()
    assert.equal("b:4 a:6", told(world:nearest(16, 5, 2)))
    assert.equal("b:4 a:6 c:84", told(world:nearest(16, 5, 3)))
    assert.equal("b:4 a:6 c:84", told(world:nearest(16, 5, 99)))
    assert.equal("c:33 b:37 a:57", told(world:nearest(67, 5, 3)))
  end)

  it("returns 0 for a point inside or on the boundary", function()
    local world = newWorld()
    assert.equal("a:0", told(world:nearest(5, 5)))
    assert.equal("a:0", told(world:nearest(10, 10)))
    assert.equal("c:0", told(world:nearest(104, 9)))
    assert.equal("c:0", told(world:nearest(104, 5)))
    -- a chain is hollow
    local room = collide.newWorld()
    room:add { name = "r", x = 0, y = 0,
      shape = collide.chain({ 0, 0, 20, 0, 20, 20, 0, 20 }, true) }
    assert.equal("r:3", told(room:nearest(17, 8)))
  end)

  it("puts the one added earlier first when two are equally near", function()
    local world, made = newWorld()
    assert.equal("a:5 b:5", told(world:nearest(15, 5, 2)))
    assert.equal("a:5", told(world:nearest(15, 5)))
    world:remove(made.a)
    world:add(made.a)
    assert.equal("b:5", told(world:nearest(15, 5)))
    assert.equal("b:5 a:5", told(world:nearest(15, 5, 2)))
    for i = 1, 5 do world:add { name = i, x = 15, y = 5, shape = circle(i) } end
    assert.equal("1:0 2:0 3:0 4:0 5:0 b:5 a:5", told(world:nearest(15, 5, 7)))
    assert.equal("1:0 2:0", told(world:nearest(15, 5, 2)))
  end)

  it("returns empty lists in an empty world", function()
    local world = collide.newWorld()
    local list, n, distances = world:nearest(0, 0, 5)
    assert.same({}, list)
    assert.same({}, distances)
    assert.equal(0, n)
  end)

  it("takes filters of each kind, and an actor to ignore", function()
    local world, made = newWorld()
    assert.equal("c:84", told(world:nearest(16, 5, 1, "ball")))
    assert.equal("b:4 a:6", told(world:nearest(16, 5, 5, { "box" })))
    assert.equal("", told(world:nearest(16, 5, 5, "nobody")))
    assert.equal("b:4 a:6 c:84", told(world:nearest(16, 5, 5, "*")))
    assert.equal("a:6 c:84", told(world:nearest(16, 5, 2, nil, made.b)))
    assert.equal("a:6", told(world:nearest(16, 5, 2, "box", made.b)))
    assert.equal("c:84", told(world:nearest(16, 5, nil, function(o) return o == made.c end)))
    assert.equal("c:84", told(world:nearest(16, 5, 9, function(o) return o ~= made.a end, made.b)))
    raises({ "world:nearest: filter expected (", 'got string "nobody"' }, function()
      newWorld { strict = true }:nearest(0, 0, 1, "nobody")
    end)
  end)

  it("calls a filter function once per actor at most, nearest first, only as needed", function()
    local world = collide.newWorld()
    for i = 1, 300 do world:add { name = i, x = i, y = 0, shape = circle(0.25) } end
    local asked = {}
    local list, n = world:nearest(0, 0, 3, function(actor)
      asked[#asked + 1] = actor.name
      return actor.name % 50 == 0
    end)
    assert.equal(3, n)
    assert.same({ 50, 100, 150 }, { list[1].name, list[2].name, list[3].name })
    assert.equal(150, #asked)
    for i = 1, 150 do assert.equal(i, asked[i]) end
  end)

  it("accepts a filter function that changes the world", function()
    for _, broadphase in ipairs(broadphases) do
      local world = collide.newWorld { broadphase = broadphase }
      local list = {}
      for i = 1, 60 do list[i] = world:add { name = i, x = i, y = 0, shape = circle(0.25) } end
      local asked = {}
      local found, n = world:nearest(0, 0, 2, function(actor)
        asked[actor] = (asked[actor] or 0) + 1
        if actor.name % 7 == 0 then
          world:remove(list[actor.name - 1])
          world:add { name = 1000 + actor.name, x = 55.5, y = 0, shape = circle(0.25) }
        end
        if actor.name == 21 then world:step() end
        return actor.name == 40 or actor.name == 50
      end)
      assert.equal(2, n)
      assert.same({ 40, 50 }, { found[1].name, found[2].name })
      for _, times in pairs(asked) do assert.equal(1, times) end
    end
  end)

  it("passes on the error of a filter function", function()
    local world = newWorld()
    raises("stop here", world.nearest, world, 0, 0, 1, function() error("stop here") end)
    assert.equal("a:0", told(world:nearest(0, 0)))
  end)

  it("sees the world as of the last step, and later additions", function()
    for _, broadphase in ipairs(broadphases) do
      local world, made = newWorld { broadphase = broadphase }
      assert.equal("a:0", told(world:nearest(5, 5)))
      world:step()
      made.a.x = 1000
      assert.equal("a:0", told(world:nearest(5, 5)))
      world:refresh(made.a)
      assert.equal("b:15", told(world:nearest(5, 5)))
      world:add { name = "e", x = 5, y = 8, shape = circle(1) }
      assert.equal("e:2 b:15", told(world:nearest(5, 5, 2)))
      world:remove(made.b)
      assert.equal("e:2 c:95", told(world:nearest(5, 5, 2)))
      world:step()
      assert.equal("e:2 c:95 a:995", told(world:nearest(5, 5, 3)))
    end
  end)

  it("finds actors far away, from far outside", function()
    for _, broadphase in ipairs(broadphases) do
      local world = collide.newWorld { width = 100, height = 100, broadphase = broadphase }
      world:add { name = "a", x = -1e6, y = 0, shape = circle(1) }
      world:add { name = "b", x = 1e9, y = 0, shape = circle(1) }
      for _ = 1, 2 do
        local list, n, distances = world:nearest(0, 0, 2)
        assert.equal(2, n)
        assert.equal("a", list[1].name)
        near({ 1e6 - 1, 1e9 - 1 }, distances, 1e-6)
        list, n, distances = world:nearest(1e11, 1e11, 1)
        assert.equal(1, n)
        assert.equal("b", list[1].name)
        near({ math.sqrt((1e11 - 1e9) ^ 2 + 1e22) - 1 }, distances, 1e-3)
        world:step()
      end
    end
  end)
end)

local function compare(seed, n, size, far, rounds, questions, room)
  local rng = random.new(seed)
  local f, decided = field.new(rng, n, size, far), 0
  for round = 1, rounds do
    if round > 1 then f:stir(0.3) end
    for q = 1, questions do
      local x, y, k = rng:float(-far, far), rng:float(-far, far), rng:pick { 1, 1, 2, 5, 20 }
      local filter, accepts = f:filter()
      local ignored = f:ignored()
      local want = f:nearest(x, y, k, room, accepts, ignored)
      if want then
        decided = decided + 1
        f:ask(function(world, actors, broadphase)
          local list, got, distances = world:nearest(x, y, k, filter, field.ignore(actors, ignored))
          assert(got == #list and got == #distances)
          local ok = got == #want
          for i = 1, got do
            ok = ok and list[i].id == want[i].id
              and math.abs(distances[i] - want[i].distance) <= 1e-9
          end
          if not ok then
            error(("seed %d, round %d, question %d, %s: wrong at (%.17g, %.17g), k %d"):format(seed,
              round, q, broadphase, x, y, k), 0)
          end
        end)
      end
    end
  end
  assert(decided > rounds * questions / 3, decided)
end

describe("nearest agrees with a scan of all actors (seed " .. SEED .. ")", function()
  it("among a few, after adding, refreshing and removing", function()
    for i = 1, random.rounds(6) do compare(200 * SEED + i, 30, 20, 60, 10, 8, math.huge) end
  end)

  it("among some hundreds", function()
    compare(SEED, 300, 20, 300, 6, 8, math.huge)
  end)

  it("among thousands, in metres", function()
    compare(SEED, random.crowd(3000), 0.5, 20, 3, 12, 6)
  end)

  it("among 5000, most of them outside of the hinted field", function()
    compare(SEED, random.crowd(5000), 30, 2500, 3, 12, 500)
  end)
end)
