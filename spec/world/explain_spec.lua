-- world:explain: the exact text of its sentences, and that they agree with a step.
local collide = require "collide"
local random = require "spec.support.random"
local zoo = require "spec.support.zoo"

local box = collide.rectangle(10, 10)

local function nothing() end

describe("world:explain", function()
  local world, ball, wall

  before_each(function()
    world = collide.newWorld()
    ball = world:add { name = "ball", x = 0, y = 0, shape = box, hit = nothing }
    wall = world:add { name = "wall", x = 13.2, y = 0, shape = box, static = true }
  end)

  local function check(expected, a, b)
    local got = world:explain(a or ball, b or wall)
    assert.equal(expected, got)
  end

  local function moved(x, y)
    ball.x, ball.y = x, y or 0
  end

  it("names both actors, and says how far apart their boxes are", function()
    check('actor 1 "ball" (at 0, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes are apart by 3.2 on x")
    moved(13.2, -30)
    check('actor 1 "ball" (at 13.2, -30) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes are apart by 20 on y")
    moved(50, 60)
    check('actor 1 "ball" (at 50, 60) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes are apart by 26.8 on x and 50 on y")
  end)

  it("says how deep they overlap, and the way out of the first", function()
    moved(11.8, -8.6)
    check('actor 1 "ball" (at 11.8, -8.6) hits actor 2 "wall" (at 13.2, 0): '
      .. "depth 1.4, the first gets free along 0, -1")
    check('actor 2 "wall" (at 13.2, 0) hits actor 1 "ball" (at 11.8, -8.6): '
      .. "depth 1.4, the first gets free along 0, 1", wall, ball)
  end)

  --     0+--------+
  --      |      / |      the box of a circle of radius 5 at 5, 5 reaches to 10, 10, where the
  --      |    o   |      corner at 9, 9 is inside the box, but not inside the circle
  --      | /      |
  --     10--------+
  it("says which axis separates convex shapes whose boxes overlap", function()
    ball.shape = collide.circle(5)
    moved(8.2 + 0.5, -4.5)
    world:refresh(ball)
    check('actor 1 "ball" (at 8.7, -4.5) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "the axis 0.707, 0.707 parts them by 1.36396")
  end)

  it("says how far apart shapes of several parts are", function()
    ball.shape = collide.chain(0, 0, 0, 40, 40, 40)
    moved(10, 0)
    world:refresh(ball)
    check('actor 1 "ball" (at 10, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes overlap, but they are apart by 3.2 along 1, 0")
    ball.shape = collide.polygon(0, 0, 2, 0, 2, 38, 40, 38, 40, 40, 0, 40)
    world:refresh(ball)
    check('actor 1 "ball" (at 10, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes overlap, but they are apart by 1.2 along 1, 0")
  end)

  it("says how far apart shapes are if their boxes touch", function()
    local a = world:add { x = 0, y = 100, shape = collide.circle(5) }
    for _, at in ipairs { { 10, 104 }, { 4, 110 } } do
      local b = world:add { x = at[1], y = at[2], shape = collide.circle(5) }
      assert.matches("the axis 0%.%d+, 0%.%d+ parts them by 0%.77033$", world:explain(a, b))
      world:remove(b)
    end
  end)

  it("says whether touching is a hit", function()
    moved(3.2)
    check('actor 1 "ball" (at 3.2, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "they only touch, which is no hit in this world (touching = false)")
    world = collide.newWorld { touching = true }
    ball = world:add { x = 0, y = 0, shape = box, leave = nothing }
    wall = world:add { x = 10, y = 0, shape = box }
    check("actor 1 (at 0, 0) hits actor 2 (at 10, 0): "
      .. "they touch, which is a hit in this world (touching = true)")
  end)

  it("says that both are static", function()
    local other = world:add { x = 13, y = 0, shape = box, static = true }
    check('actor 2 "wall" (at 13.2, 0) does not hit actor 3 (at 13, 0): both are static', wall,
      other)
  end)

  it("says which actor is missing", function()
    world:remove(wall)
    check('actor 1 "ball" (at 0, 0) does not hit actor "wall" (at 13.2, 0): '
      .. "the second is not in this world: removed, or never added")
    check('actor "wall" (at 13.2, 0) does not hit actor 1 "ball" (at 0, 0): '
      .. "the first is not in this world: removed, or never added", wall, ball)
    world:remove(ball)
    check('actor "ball" (at 0, 0) does not hit actor "wall" (at 13.2, 0): '
      .. "neither is in this world: removed, or never added")
  end)

  it("says that an actor does not hit itself", function()
    check('actor 1 "ball" (at 0, 0) does not hit actor 1 "ball" (at 0, 0): '
      .. "an actor does not hit itself", ball, ball)
  end)

  describe("of groups", function()
    local view, mob

    before_each(function()
      world = collide.newWorld { rules = { { "view", "mob", "first" } } }
      view = world:add { x = 0, y = 0, shape = box, group = "view", enter = nothing }
      mob = world:add { x = 8, y = 0, shape = box, group = "mob", hit = nothing }
    end)

    it("says that they do not hit each other", function()
      local thing = world:add { x = 0, y = 0, shape = box }
      local other = world:add { x = 0, y = 0, shape = box }
      check('actor 1 (group "view", at 0, 0) does not hit actor 3 (at 0, 0): '
        .. 'the groups "view" and "default" do not hit each other', view, thing)
      check("actor 3 (at 0, 0) does not hit actor 4 (at 0, 0): "
        .. 'actors of group "default" do not hit each other', thing, other)
    end)

    it("says that only one of them gets callbacks, and which", function()
      check('actor 1 (group "view", at 0, 0) hits actor 2 (group "mob", at 8, 0): '
        .. "depth 2, the first gets free along -1, 0; "
        .. "by the rule of their groups only the first gets callbacks", view, mob)
      view.enter = nil
      world:refresh(view)
      check('actor 2 (group "mob", at 8, 0) hits actor 1 (group "view", at 0, 0): '
        .. "depth 2, the first gets free along 1, 0; "
        .. "by the rule of their groups only the second gets callbacks; "
        .. "it has no enter, hit or leave", mob, view)
    end)
  end)

  it("says that neither has a callback", function()
    ball.hit = nil
    moved(5)
    check('actor 1 "ball" (at 5, 0) hits actor 2 "wall" (at 13.2, 0): '
      .. "depth 1.8, the first gets free along -1, 0; "
      .. "neither has an enter, hit or leave")
  end)

  it("says that an actor stops no movers, or only some", function()
    world:add { name = "coin", x = 5, y = 0, shape = box, sensor = true }
    world:add { name = "shelf", x = 5, y = 8, shape = box, oneWay = true }
    local actors = world:actors()
    check('actor 1 "ball" (at 0, 0) hits actor 3 "coin" (at 5, 0): '
      .. "depth 5, the first gets free along -1, 0; "
      .. "the second is a sensor, which stops no moving actor", ball, actors[3])
    check('actor 4 "shelf" (at 5, 8) hits actor 1 "ball" (at 0, 0): '
      .. "depth 2, the first gets free along 0, 1; "
      .. "the first is one-way, and stops moving actors only with its upper side", actors[4], ball)
  end)

  it("says when a swept actor meets the other on its way", function()
    wall.swept = true
    check('actor 1 "ball" (at 0, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes are apart by 3.2 on x; "
      .. "the second changed in swept and was not read again: call world:refresh(actor)")
    world:refresh(wall)
    world:step()
    moved(40)
    check('actor 1 "ball" (at 40, 0) hits actor 2 "wall" (at 13.2, 0): '
      .. "they meet on their way, at t = 0.08, the first gets free along -1, 0")
    check('actor 2 "wall" (at 13.2, 0) hits actor 1 "ball" (at 40, 0): '
      .. "they meet on their way, at t = 0.08, the first gets free along 1, 0", wall, ball)
    world:step()
    check('actor 1 "ball" (at 40, 0) does not hit actor 2 "wall" (at 13.2, 0): '
      .. "their boxes are apart by 16.8 on x")
  end)

  it("uses what a step would read, and names changes that it would miss", function()
    wall.x = 0
    check('actor 1 "ball" (at 0, 0) does not hit actor 2 "wall" (at 0, 0): '
      .. "their boxes are apart by 3.2 on x; "
      .. "the second changed in x and was not read again: call world:refresh(actor)")
    world:refresh(wall)
    world:step()
    ball.group, ball.shape, ball.leave = "team", collide.circle(1), nothing
    check('actor 1 "ball" (group "team", at 0, 0) hits actor 2 "wall" (at 0, 0): '
      .. "depth 10, the first gets free along -1, 0; "
      .. "the first changed in shape, group, leave and was not read again: "
      .. "call world:refresh(actor)")
    world:refresh(ball)
    check('actor 1 "ball" (group "team", at 0, 0) hits actor 2 "wall" (at 0, 0): '
      .. "depth 1, the first gets free along -1, 0")
  end)

  it("uses the field names of the world", function()
    world = collide.newWorld { fields = { x = "left", y = "top", angle = false, name = "id",
      hit = "onHit" } }
    ball = world:add { id = 7, left = 0, top = 0, shape = box, onHit = nothing }
    wall = world:add { id = 8, left = 5, top = 0, shape = box }
    world:step()
    wall.onHit = nothing
    check("actor 1 7 (at 0, 0) hits actor 2 8 (at 5, 0): "
      .. "depth 5, the first gets free along -1, 0; "
      .. "the second changed in onHit and was not read again: call world:refresh(actor)")
  end)

  it("raises for a place that no step would accept", function()
    ball.x = 0 / 0
    assert.has_error(function() world:explain(ball, wall) end,
      'world:explain: actor 1 "ball" (at nan, 0): '
      .. "x expected (finite number within ±1e12), got nan")
  end)

  it("locks the world while an actor's own code runs", function()
    local said
    local odd = setmetatable({ x = 0, y = 0, shape = box }, { __index = function(actor, key)
      if key == "leave" then said = select(2, pcall(world.remove, world, actor)) end
    end })
    world:add(odd)
    world:explain(odd, wall)
    assert.matches("world:remove: this world is reading its actors", said, 1, true)
    assert.is_true(world:remove(odd))
  end)
end)

local SEED = random.seed()

describe("world:explain, of all pairs of random actors,", function()
  local GROUPS = { "red", "green", "blue" }

  local function randomWorld(rng)
    local world = collide.newWorld { touching = rng:chance(0.3),
      rules = rng:chance(0.5) and { { "red", "*" }, { "green", "blue", "first" } } or nil }
    for _ = 1, 10 do
      local whole = rng:chance(0.3)
      world:add { x = whole and rng:int(0, 4) * 5 or rng:float(0, 40),
        y = whole and rng:int(0, 4) * 5 or rng:float(0, 40), group = rng:pick(GROUPS),
        angle = not whole and rng:chance(0.5) and rng:float(-4, 4) or nil,
        shape = whole and box or (zoo.any(rng, 10)), static = rng:chance(0.3) }
    end
    return world
  end

  local function pairsOf(list)
    local found = {}
    for i = 1, #list, 2 do found[list[i]] = found[list[i]] or {} end
    for i = 1, #list, 2 do found[list[i]][list[i + 1]] = true end
    return function(a, b) return found[a] and found[a][b] or found[b] and found[b][a] or false end
  end

  local function hitsOf(world)
    local list, numbers = {}, {}
    for a, b, nx, ny, depth in world:hits() do
      list[#list + 1], list[#list + 2] = a, b
      numbers[a] = numbers[a] or {}
      numbers[a][b] = { nx, ny, depth }
    end
    return pairsOf(list), numbers
  end

  -- The support of a placed convex shape along an axis, from its corners and radius.
  local function reach(actor, ux, uy)
    local shape = actor.shape:rotated(actor.angle or 0):translated(actor.x, actor.y)
    local points, most = shape:points(), -math.huge
    for i = 1, #points, 2 do most = math.max(most, points[i] * ux + points[i + 1] * uy) end
    return most + shape:radius()
  end

  local check = {}

  function check.static(_, a, b)
    assert.is_true(a.static and b.static)
  end

  function check.groups(world, a, b)
    assert.is_false(world:canHit(a, b))
  end

  function check.boxes(_, a, b, reason)
    local l, t, w, h = a.shape:bounds(a.x, a.y, a.angle)
    local l2, t2, w2, h2 = b.shape:bounds(b.x, b.y, b.angle)
    local x, y = math.max(l2 - l - w, l - l2 - w2), math.max(t2 - t - h, t - t2 - h2)
    assert.is_true(x > 0 or y > 0)
    local on = {}
    if x > 0 then on[1] = ("%.6g on x"):format(x) end
    if y > 0 then on[#on + 1] = ("%.6g on y"):format(y) end
    assert.equal("their boxes are apart by " .. table.concat(on, " and "), reason)
  end

  function check.axis(_, a, b, reason)
    local ux, uy, by = reason:match "^the axis (%S+), (%S+) parts them by (%S+)$"
    local between = -reach(b, -ux, -uy) - reach(a, ux, uy)
    assert.is_true(math.abs(between - by) < 0.2, reason .. ": " .. between)
  end

  function check.parts(world, a, b, reason)
    local d, ax, ay, bx, by = world:distance(a, b)
    assert.is_true(d > 0)
    assert.equal(("their boxes overlap, but they are apart by %.6g along %.3g, %.3g"):format(d,
      (bx - ax) / d + 0, (by - ay) / d + 0), reason)
  end

  function check.touch(world, a, b)
    assert.is_nil(world:overlap(a, b))
    assert.equal(0, (select(3, collide.overlap(a, b, true))))
  end

  local BEGINS = {
    static = "both are static", boxes = "their boxes are ",
    axis = "the axis ", parts = "their boxes overlap", touch = "they only touch",
  }

  local function classOf(reason)
    if reason:find("do not hit each other", 1, true) then return "groups" end
    for class, begin in pairs(BEGINS) do
      if reason:find(begin, 1, true) == 1 then return class end
    end
  end

  local count, seen = random.rounds(20), {}

  local function checkPair(world, a, b, hit, numbers, isCandidate)
    local sentence = world:explain(a, b)
    local verdict, reason = sentence:match "^actor.-%) (%l[%l ]+) actor.-%): (.*)$"
    assert.equal(hit and "hits" or "does not hit", verdict, sentence)
    if hit then
      local nx, ny, depth = numbers[1], numbers[2], numbers[3]
      seen.hit = (seen.hit or 0) + 1
      assert.is_true(isCandidate)
      if depth > 0 then
        local expected = ("depth %.6g, the first gets free along %.3g, %.3g"):format(depth,
          nx + 0, ny + 0)
        assert.equal(expected, (reason:match "^[^;]*"))
      end
    else
      local class = classOf(reason)
      seen[class] = (seen[class] or 0) + 1
      check[class](world, a, b, reason)
      assert.equal(isCandidate, isCandidate and class ~= "static" and class ~= "groups")
    end
    return sentence
  end

  it(("agrees with the step (seeds %d to %d)"):format(SEED, SEED + count - 1), function()
    for seed = SEED, SEED + count - 1 do
      local world = randomWorld(random.new(seed))
      local actors, before = world:actors(), {}
      for i = 1, #actors do
        for j = i + 1, #actors do
          before[#before + 1] = world:explain(actors[i], actors[j])
        end
      end
      world:step()
      local isHit, numbers = hitsOf(world)
      local isCandidate, k = pairsOf(world:candidates()), 0
      for i = 1, #actors do
        for j = i + 1, #actors do
          local a, b = actors[i], actors[j]
          k = k + 1
          local hit = isHit(a, b)
          assert.equal(before[k], checkPair(world, a, b, hit, hit and numbers[a][b],
            isCandidate(a, b)), "seed " .. seed)
        end
      end
    end
    for class in pairs(check) do assert.is_true((seen[class] or 0) > random.often(3), class) end
  end)
end)
