-- world:move, world:check and world:fits.
require "collide.assertions"
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"
local zoo = require "spec.support.zoo"

local near, raises = expect.near, expect.raises
local rectangle, circle = collide.rectangle, collide.circle

-- The first box that stops a box on its way, by plain arithmetic: the fraction of the way, the box,
-- and whether its left or right side is met. The box may touch others at the start, but overlap
-- none. Returns nothing if corners meet, since then more than one answer is right.
local function firstStop(x, y, w, h, dx, dy, boxes)
  local first, stopper, across = 1, nil, nil
  for _, b in ipairs(boxes) do
    local inX, outX, inY, outY = -math.huge, math.huge, -math.huge, math.huge
    local apart = dx == 0 and (x + w <= b.x or x >= b.x + b.w)
      or dy == 0 and (y + h <= b.y or y >= b.y + b.h)
    if dx ~= 0 then
      inX = dx > 0 and (b.x - x - w) / dx or (b.x + b.w - x) / dx
      outX = dx > 0 and (b.x + b.w - x) / dx or (b.x - x - w) / dx
    end
    if dy ~= 0 then
      inY = dy > 0 and (b.y - y - h) / dy or (b.y + b.h - y) / dy
      outY = dy > 0 and (b.y + b.h - y) / dy or (b.y - y - h) / dy
    end
    local enter, leave = math.max(inX, inY), math.min(outX, outY)
    if math.abs(inX - inY) < 1e-9 then return nil end
    if not apart and enter >= 0 and enter < first and enter < leave then
      first, stopper, across = enter, b, inX > inY
    end
  end
  return first, stopper, across
end

-- The place that a box slides to, if that is certain: if it is stopped at most once on each axis.
local function slide(x, y, w, h, dx, dy, boxes)
  for _ = 1, 2 do
    local t, b, across = firstStop(x, y, w, h, dx, dy, boxes)
    if not t then return nil end
    x, y = x + dx * t, y + dy * t
    if not b then return x, y end
    if across then
      x = dx > 0 and b.x - w or b.x + b.w
      dx, dy = 0, dy * (1 - t)
    else
      y = dy > 0 and b.y - h or b.y + b.h
      dx, dy = dx * (1 - t), 0
    end
  end
  return x, y
end

-- A floor from x = 0 to 1000 at y = 100, a wall at x = 200, and a box of side 16 at 0, 84.
local function room(options)
  local world = collide.newWorld(options)
  local floor = world:add { name = "floor", x = 0, y = 100, static = true,
    shape = rectangle(1000, 20) }
  local wall = world:add { name = "wall", x = 200, y = 0, static = true,
    shape = rectangle(20, 200) }
  local box = world:add { name = "box", x = 0, y = 84, shape = rectangle(16, 16) }
  return world, box, floor, wall
end

local function names(hits)
  local list = {}
  for i, hit in ipairs(hits) do list[i] = hit.actor.name .. ":" .. hit.response end
  return table.concat(list, " ")
end

describe("world:move", function()
  it("moves all the way if nothing is in the way", function()
    local world, box = room()
    local x, y, hits, n = world:move(box, 10, -20)
    assert.same({ 10, 64, 0, 0 }, { x, y, #hits, n })
    assert.at(box, 10, 64)
  end)

  it("slides along a surface, and reports it", function()
    local world, box, floor, wall = room()
    box.y = 0
    local x, y, hits, n = world:move(box, 300, 168)
    assert.same({ 184, 84, 2 }, { x, y, n })
    assert.at(box, 184, 84)
    assert.equal("floor:slide wall:slide", names(hits))
    assert.equal(floor, hits[1].actor)
    assert.equal(wall, hits[2].actor)
    near({ 0, -1, 150, 84, 0.5 }, { hits[1].nx, hits[1].ny, hits[1].x, hits[1].y, hits[1].t })
    near({ -1, 0, 184, 84 }, { hits[2].nx, hits[2].ny, hits[2].x, hits[2].y })
    near({ 100, 200 }, { hits[1].py, hits[2].px })
    assert.is_nil(hits[1].inside)
    assert.is_nil(hits[1].column)
  end)

  it("does not move into an actor that it touches, not even by a bit", function()
    local world, box = room()
    for _ = 1, 3 do world:move(box, 1000, 77.7) end
    local x, y = box.x, box.y
    for _ = 1, 10 do world:move(box, 12.3, 0.1) end
    assert.same({ x, y }, { box.x, box.y })
  end)

  it("is seen at once by queries, other moves and the next step", function()
    local world, box, _, wall = room()
    local other = world:add { name = "other", x = 0, y = 40, shape = rectangle(16, 16) }
    world:step()
    world:move(box, 100, 0)
    assert.same({ box }, (world:queryRect(101, 85, 1, 1)))
    assert.same({}, (world:queryRect(1, 85, 1, 1)))
    world:move(other, 60, 44)
    local _, _, hits = world:move(other, 100, 0)
    assert.equal("box:slide", names(hits))
    assert.at(other, 84, 84)
    world:step()
    assert.same({ wall, box, other }, (world:queryRect(90, 80, 200, 10)))
  end)

  it("moves from where the actor stands now", function()
    local world, box = room()
    world:step()
    box.x, box.y = 150, 20
    world:move(box, 0, 500)
    assert.at(box, 150, 84)
  end)

  it("turns with the actor's angle", function()
    local world = room()
    local stick = world:add { x = 100, y = 0, angle = math.pi / 2,
      shape = rectangle(-20, -1, 40, 2) }
    local _, y = world:move(stick, 0, 200)
    near({ 80 }, { y })
    stick.angle = 0
    _, y = world:move(stick, 0, 200)
    near({ 99 }, { y })
  end)

  it("reads an angle even if no actor had one before", function()
    local world = collide.newWorld()
    local stick = world:add { x = 0, y = 0, shape = rectangle(-20, -1, 40, 2) }
    world:step()
    stick.angle = math.pi / 2
    for _, response in ipairs { "slide", "push" } do
      world:move(stick, 50, 0, nil, response)
      assert.same({ stick }, (world:queryPoint(stick.x, 19)))
      assert.same({}, (world:queryPoint(stick.x + 19, 0)))
    end
  end)

  it("treats each obstacle by its response", function()
    for response, want in pairs { slide = { 184, 84 }, touch = { 184, 64 }, bounce = { 68, 44 },
      cross = { 300, 44 } } do
      local world, box = room()
      box.y = 64
      local dy = response == "slide" and 100 or response == "touch" and 0 or -20
      local x, y, hits = world:move(box, 300, dy, "default", response)
      if response == "slide" then assert.equal("floor:slide wall:slide", names(hits))
      else assert.equal("wall:" .. response, names(hits)) end
      near(want, { x, y }, 1e-9)
    end
  end)

  it("pushes actors that can be pushed, and rows of them", function()
    local world, box = room()
    local crates = {}
    for i = 1, 3 do
      crates[i] = world:add { name = "crate" .. i, x = 30 * i, y = 84, shape = rectangle(16, 16) }
    end
    local _, _, hits = world:move(box, 60, 0, nil, "push")
    assert.equal("crate1:push", names(hits))
    near({ 60, 76, 92, 108 }, { box.x, crates[1].x, crates[2].x, crates[3].x })
    world:move(box, 500, 0, nil, "push")
    near({ 136, 152, 168, 184 }, { box.x, crates[1].x, crates[2].x, crates[3].x })
    assert.is_true(world:fits(box))
    world:move(box, -50, 0, nil, "push")
    near({ 86, 152 }, { box.x, crates[1].x })
  end)

  -- A bug: it went on with actors that had been removed.
  it("is not disturbed by what happens when it writes x and y", function()
    local world, fields = collide.newWorld(), { x = 0, y = 0, shape = rectangle(10, 10) }
    local mover = setmetatable({}, { __index = fields, __newindex = function(_, name, value)
      fields[name] = value
      world:clear()
    end })
    world:add(mover)
    for i = 1, 2 do world:add { x = 10 * i, y = 0, shape = rectangle(10, 10) } end
    raises("world:clear: this world is moving an actor; change it afterwards", world.move, world,
      mover, 5, 0, nil, "push")
    assert.equal(3, world:count())
  end)

  it("writes x of what it pushes, then y", function()
    local world, fields, written = collide.newWorld(), { x = 10, y = 0 }, {}
    local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
    world:add(setmetatable({ shape = rectangle(10, 10) }, { __index = fields,
      __newindex = function(_, name, value)
        written[#written + 1] = name
        fields[name] = value
      end }))
    for i = 1, 2 do
      world:move(box, 5, 0, nil, "push")
      assert.same({ 10 + 5 * i, 0 }, { fields.x, fields.y })
    end
    assert.equal("x y x y", table.concat(written, " "))
  end)

  it("calls a function once for each obstacle, in the order in which they are met", function()
    local world, box, floor, wall = room()
    local water = world:add { name = "water", x = 100, y = 60, shape = rectangle(20, 40) }
    local asked = {}
    local function respond(actor, other, nx, ny, value)
      asked[#asked + 1] = other.name
      assert.equal(box, actor)
      assert.is_true(nx * nx + ny * ny > 0.99)
      assert.is_nil(value)
      return other == water and "cross" or other ~= floor and "touch" or "slide"
    end
    local x, _, hits = world:move(box, 300, 20, nil, respond)
    assert.equal("floor water wall", table.concat(asked, " "))
    assert.equal("floor:slide water:cross wall:touch", names(hits))
    assert.equal(184, x)
    assert.equal(wall, hits[3].actor)
    world:move(box, -300, 0, nil, function() return nil end)
    assert.equal(-116, box.x)
  end)

  it("ignores actors that the filter, or else the groups, exclude", function()
    local world = collide.newWorld { rules = { { "ghost", "holy" } } }
    local wall = world:add { name = "wall", x = 50, y = 0, group = "wall", static = true,
      shape = rectangle(10, 100) }
    local holy = world:add { name = "holy", x = 80, y = 0, group = "holy", static = true,
      shape = rectangle(10, 100) }
    local ghost = world:add { x = 0, y = 50, group = "ghost", shape = circle(5) }
    assert.equal(75, (world:check(ghost, 200, 0)))
    assert.equal(45, (world:check(ghost, 200, 0, "wall")))
    assert.equal(45, (world:check(ghost, 200, 0, { "wall", "holy" })))
    assert.equal(45, (world:check(ghost, 200, 0, "*")))
    assert.equal(75, (world:check(ghost, 200, 0, function(other) return other ~= wall end)))
    assert.equal(200, (world:check(ghost, 200, 0, function() return false end)))
    assert.is_true(holy.static)
  end)

  it("crosses sensors, and reports those that pass the filter", function()
    local world, box = room()
    local coin = world:add { name = "coin", x = 100, y = 90, sensor = true, shape = circle(5) }
    local x, _, hits = world:move(box, 150, 0)
    assert.equal(150, x)
    assert.equal("coin:cross", names(hits))
    near({ 1 }, { (hits[1].px - 100) ^ 2 / 25 + (hits[1].py - 90) ^ 2 / 25 })
    box.x = 0
    _, _, hits = world:move(box, 150, 0, function(other) return other ~= coin end)
    assert.equal("", names(hits))
    box.x = 90
    _, _, hits = world:move(box, 50, 0, nil, function() error "not asked about a sensor" end)
    assert.equal("coin:cross", names(hits))
    assert.is_true(hits[1].inside)
    assert.equal(0, hits[1].t)
  end)

  --  -12.5    -0.5 0    8  10   18
  --   +--------+   +----+--+----+
  --   |  other |   | box|..|wall|     the box is pushed out to -2, where it overlaps the other
  --   +--------+   +----+--+----+
  it("reports actors crossed where it is pushed out to", function()
    local grid = collide.newGrid(4, 5, { cell = 3 })
    for col = 0, 3 do grid:fill(col, 0, 1, 5, 1 + col) end
    local others = { sensor = collide.rectangle(12, 15), cross = collide.rectangle(12, 15),
      tiles = collide.tiles(grid) }
    for what, shape in pairs(others) do
      local world = collide.newWorld()
      local box = world:add { name = "box", x = 0, y = 0, shape = collide.rectangle(10, 10) }
      world:add { name = "wall", x = 8, y = 0, static = true, shape = collide.rectangle(10, 10) }
      local other = world:add { name = what, x = -12.5, y = -2, static = true,
        sensor = what == "sensor", shape = shape }
      local values = {}
      local function response(_, met, _, _, value)
        if met == other then
          values[#values + 1] = value
          return "cross"
        end
        return "slide"
      end
      local x, y, hits = world:move(box, 0, 4, nil, what ~= "sensor" and response or nil)
      assert.same({ -2, 4 }, { x, y })
      assert.equal(("wall:slide %s:cross"):format(what), names(hits))
      assert.same({ true, true }, { hits[1].inside, hits[2].inside })
      assert.same({ -2, 0, 0 }, { hits[2].x, hits[2].y, hits[2].t })
      assert.same(what == "tiles" and { 4 } or {}, values)
    end
  end)

  it("meets actors that have moved or changed since the step like newly added ones", function()
    local rng = random.new(random.seed())
    for _ = 1, 12 do
      local world, twin, crowd = collide.newWorld(), collide.newWorld(), {}
      for i = 1, 90 do
        crowd[i] = world:add { name = i, x = rng:int(0, 400), y = rng:int(-200, 200),
          shape = rng:chance(0.5) and circle(6) or collide.rectangle(9, 9) }
      end
      world:step()
      for i = 1, 60 do world:move(crowd[i], rng:int(-90, 90), rng:int(-90, 90), nil, "cross") end
      for i = 61, 66 do
        crowd[i].x, crowd[i].shape = rng:int(0, 400), circle(rng:int(1, 20))
        world:refresh(crowd[i])
      end
      for i = 91, 94 do
        crowd[i] = world:add { name = i, x = rng:int(0, 400), y = 0, shape = circle(9) }
      end
      for i = 1, 94 do
        twin:add { name = i, x = crowd[i].x, y = crowd[i].y, shape = crowd[i].shape }
      end
      local function cross(w)
        local x, y, hits = w:move(w:actors()[1], 500, 300, nil, "cross")
        local met = { x, y }
        for _, hit in ipairs(hits) do met[#met + 1] = ("%s %.17g"):format(hit.actor.name, hit.t) end
        return met
      end
      assert.same(cross(twin), cross(world), "seed " .. random.seed())
      assert.same({ select(2, twin:queryRect(0, -200, 400, 400)) },
        { select(2, world:queryRect(0, -200, 400, 400)) })
    end
  end)

  it("reports the cell of tiles, and calls a function once for each value", function()
    local world = collide.newWorld()
    local grid = collide.newGrid(10, 5, { cell = 10 })
    grid:fill(0, 4, 10, 1, 1)
    grid:fill(5, 0, 1, 4, 2)
    grid:set(8, 3, 3)
    world:add { name = "map", x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local box = world:add { x = 20, y = 31, shape = rectangle(8, 8) }
    local _, _, hits = world:move(box, 100, 5)
    assert.equal("map:slide map:slide", names(hits))
    assert.same({ 4, 1 }, { hits[1].row, hits[1].value })
    assert.same({ 5, 3, 2 }, { hits[2].column, hits[2].row, hits[2].value })
    assert.at(box, 42, 32)
    local asked = {}
    local function respond(_, _, _, _, value)
      asked[#asked + 1] = value
      return value == 2 and "cross" or "slide"
    end
    _, _, hits = world:move(box, 100, 5, nil, respond)
    assert.equal("2 1 3", table.concat(asked, " "))
    assert.equal("map:cross map:slide map:slide", names(hits))
    assert.at(box, 72, 32)
  end)

  it("frees an actor that starts inside, or reports it as crushed", function()
    local world, box, floor, wall = room()
    box.y = 90
    local _, _, hits = world:move(box, 10, 0)
    assert.at(box, 10, 84)
    assert.equal(floor, hits[1].actor)
    assert.is_true(hits[1].inside)
    assert.is_nil(hits[1].crushed)
    assert.equal(0, hits[1].t)
    world:add { name = "press", x = 150, y = 0, static = true, shape = rectangle(50, 95) }
    box.x, box.y = 170, 90
    _, _, hits = world:move(box, 10, 0)
    assert.at(box, 170, 90)
    assert.is_true(hits[1].crushed)
    assert.is_true(wall.static)
  end)

  it("gives each move with hits a list of its own, or fills the given one", function()
    local world, box = room()
    local _, _, first, n = world:move(box, 500, 10)
    assert.same({ 2, 2 }, { n, #first })
    local before = { first[1].actor, first[2].actor, first[1].x, first[2].t }
    local _, _, second = world:move(box, 1, 1, nil, function() return "touch" end)
    local _, _, third = world:check(box, 1, 1)
    assert.is_true(first ~= second and second ~= third and first[1] ~= second[1])
    assert.same({ first[1].actor, first[2].actor, first[1].x, first[2].t }, before)
    local mine = { "old", "older", "oldest" }
    local _, _, filled, m = world:move(box, 500, 10, nil, nil, mine)
    assert.equal(mine, filled)
    assert.same({ m, m }, { #mine, 2 })
  end)

  it("keeps the hits of a move while a responder makes another", function()
    local world, box, floor = room()
    local other = collide.newWorld()
    local ball = other:add { x = 0, y = 0, shape = circle(5) }
    other:add { name = "inner", x = 20, y = 0, shape = circle(5) }
    local inner
    local _, _, outer = world:move(box, 0, 500, nil, function()
      inner = select(3, other:move(ball, 50, 0))
      return "slide"
    end)
    assert.equal(floor, outer[1].actor)
    assert.equal("inner", inner[1].actor.name)
  end)

  it("shares one read-only list without hits", function()
    local world, box = room()
    local _, _, none, n = world:move(box, -1, -1)
    local _, _, checked = world:check(box, 1, 0)
    local _, _, decided = world:move(box, -1, -1, function() return true end)
    local c = world:newCharacter(box)
    local lists = { checked, decided, c.hits, (world:carry(box, 0, 0)) }
    for i = 1, 4 do assert.equal(none, lists[i]) end
    assert.same({ 0, 0 }, { n, #none })
    raises({ "a list without hits can't be changed" }, function() none[1] = box end)
    raises({ "a list without hits can't be changed" }, function() none.n = 3 end)
    raises({ "world:move: into expected (table of your own)" }, world.move, world, box, 1, 1, nil,
      nil, none)
    raises({ "world:queryPoint: into expected (table of your own)" }, world.queryPoint, world, 1, 1,
      nil, nil, none)
    local x, y = box.x, box.y
    for fn, call in pairs {
      ["world:move"] = function() world:move(box, -1, -1) end,
      ["world:check"] = function() world:check(box, -1, -1) end,
      ["world:carry"] = function() world:carry(box, -1, -1) end,
      ["character:move"] = function() c:move(-1, -1, 1) end,
    } do
      for _, key in ipairs { 1, "name" } do
        rawset(none, key, box)
        raises({ fn .. ": something was put into a list without hits" }, call)
        assert.is_nil(rawget(none, key))
        assert.same({ x, y }, { box.x, box.y })
      end
    end
    world:move(box, -1, -1)
    assert.same({ x - 1, y - 1 }, { box.x, box.y })
  end)

  it("makes no garbage", function()
    local world, box = room()
    local function respond() return "slide" end
    local into = {}
    local function frame()
      world:move(box, 3, -3)
      world:check(box, -1, -1)
      world:move(box, 300, 30, nil, nil, into)
      world:move(box, -300, -30, "*", "bounce", into)
      world:move(box, 30, 30, nil, respond, into)
      world:check(box, 300, 30, "*", "slide", into)
      box.x, box.y = 0, 60
    end
    assert.is_true(gc.growth(frame) <= 0)
  end)

  it("counts as refresh for a static in a strict world", function()
    local world, _, floor, wall = room { strict = true }
    world:step()
    world:move(wall, 5, 0)
    world:step()
    world:carry(floor, 0, 3)
    world:step()
    assert.same({ 205, 103 }, { wall.x, floor.y })
    assert.same({ floor }, (world:queryRect(500, 121, 1, 1)))
  end)

  it("writes to the names under which the world reads", function()
    local world = collide.newWorld { fields = { x = "px", y = "py", sensor = "ghostly" } }
    local a = world:add { px = 0, py = 0, shape = circle(5) }
    world:add { px = 50, py = 0, static = true, shape = circle(5) }
    world:add { px = 30, py = 0, ghostly = true, shape = circle(5) }
    local _, _, hits = world:move(a, 100, 0)
    near({ 40, 0 }, { a.px, a.py })
    assert.equal(2, #hits)
  end)

  it("raises if a function changes the world, and moves nothing", function()
    local world, box, floor = room()
    for what, change in pairs {
      add = function() world:add { x = 0, y = 0, shape = circle(1) } end,
      remove = function() world:remove(floor) end,
      refresh = function() world:refresh(floor) end,
      step = function() world:step() end,
      clear = function() world:clear() end,
      setRule = function() world:setRule("a", "b", true) end,
      move = function() world:move(box, 1, 1) end,
      check = function() world:check(box, 1, 1) end,
    } do
      local message = raises("moving an actor", world.move, world, box, 10, 10, nil, change)
      assert.is_truthy(message:find(what, 1, true))
      assert.at(box, 0, 84)
    end
    local thrown = {}
    local ok, err = pcall(world.move, world, box, 10, 10, nil, function() error(thrown) end)
    assert.is_false(ok)
    assert.equal(thrown, err)
    assert.is_true(world:remove(floor))
  end)

  it("raises for a response in place of the filter, unless a group has that name", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = rectangle(2, 2) }
    world:add { x = 5, y = 0, shape = rectangle(2, 2), group = "push" }
    for _, name in ipairs { "slide", "touch", "bounce", "cross" } do
      for _, call in ipairs { "move", "check" } do
        raises(("world:%s: filter expected (group, list of groups or function), got string %q; a "
          .. "response goes after the filter"):format(call, name), world[call], world, a, 9, 0,
          name)
      end
      raises("got string \"" .. name .. "\"; a response goes in `response`", world.newCharacter,
        world, a, { filter = name })
    end
    assert.equal(0, a.x)
    assert.equal(3, (world:move(a, 9, 0, "push")))
    world:newCharacter(a, { filter = "push" })
  end)

  it("raises for an invalid response", function()
    local world, box = room()
    raises({ "world:move", "what response returns expected", "got string \"stop\"" },
      world.move, world, box, 10, 10, nil, function() return "stop" end)
    raises({ "world:move: response expected", 'got string "stop"' }, world.move, world, box, 1, 1,
      nil, "stop")
    local map = world:add { x = 0, y = 0, static = true,
      shape = collide.tiles(collide.newGrid(2, 2)) }
    raises({ "world:move: actor.shape", "tiles" }, world.move, world, map, 1, 1)
    box.x = 1e12
    raises("world:move: x + dx", world.move, world, box, 1e12, 0)
  end)

  it("sees cells of tiles that the response function changed", function()
    local grid = collide.newGrid(10, 10, { cell = 10 })
    grid:fill(5, 0, 5, 10, 1)
    local world = collide.newWorld()
    world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local box = world:add { x = 20, y = 20, shape = rectangle(5, 5) }
    local asked = 0
    world:move(box, 70, 0, nil, function()
      asked = asked + 1
      grid:fill(5, 0, 5, 10, 0)
      return "slide"
    end)
    near({ 90, 20, 1 }, { box.x, box.y, asked })
  end)

  -- Moves find out what is around the box, and the next ones know.
  it("sees cells that the function changed in later moves beside the same map, too", function()
    for moves = 0, 4 do
      local grid = collide.newGrid(5, 1, { cell = 40 })
      grid:set(1, 0, 1)
      local world = collide.newWorld()
      world:add { x = 0, y = 0, group = "map", static = true, shape = collide.tiles(grid) }
      local box = world:add { x = 10, y = 20, group = "box", shape = rectangle(5, 5) }
      for _ = 1, moves do world:move(box, 1, 0, "map", function() return "slide" end) end
      local asked = 0
      local _, _, hits = world:move(box, 130, 0, "map", function()
        asked = asked + 1
        grid:fill(0, 0, 5, 1, 0)
        grid:set(3, 0, 2)
        return "slide"
      end)
      near({ 115, 20, 2 }, { box.x, box.y, asked })
      assert.same({ 1, 3, 2 }, { #hits, hits[1].column, hits[1].value })
    end
  end)

  it("raises for a sensor that is not a boolean", function()
    raises({ "sensor expected (boolean)", "got number 1" }, function()
      collide.newWorld():add { x = 0, y = 0, shape = circle(1), sensor = 1 }
    end)
  end)

  local seed = random.seed()
  it("slides boxes as in plain arithmetic, seed " .. seed, function()
    local rng = random.new(seed)
    local met = 0
    for _ = 1, random.rounds(100) do
      local world, boxes = collide.newWorld(), {}
      local grid = collide.newGrid(6, 6, { cell = 11, x = -90.3, y = -40.7 })
      for _ = 1, 12 do
        local column, row = rng:int(0, 5), rng:int(0, 5)
        grid:set(column, row, 1)
        boxes[#boxes + 1] = { x = -90.3 + 11 * column, y = -40.7 + 11 * row, w = 11, h = 11 }
      end
      world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
      for _ = 1, rng:int(2, 8) do
        local b = { x = rng:float(-20, 60), y = rng:float(-60, 60), w = rng:float(2, 30),
          h = rng:float(2, 30) }
        boxes[#boxes + 1] = b
        world:add { x = b.x, y = b.y, static = rng:chance(0.5), shape = rectangle(b.w, b.h) }
      end
      local w, h = rng:float(2, 9), rng:float(2, 9)
      local mover = world:add { x = rng:float(-90, 60), y = rng:float(-60, 60),
        shape = rectangle(w, h) }
      for _ = 1, 10 do
        local x, y, dx, dy = mover.x, mover.y, rng:float(-50, 50), rng:float(-50, 50)
        local _, _, hits, n = world:move(mover, dx, dy)
        if n > 0 and hits[1].inside then break end
        local toX, toY = slide(x, y, w, h, dx, dy, boxes)
        if toX then near({ toX, toY }, { mover.x, mover.y }) end
        met = met + n
      end
    end
    assert.is_true(met > random.often(50))
  end)

  it("ends within 1e12, wherever it starts and whatever it meets, seed " .. seed, function()
    local rng = random.new(seed)
    local responses = { "slide", "bounce", "push", "touch" }
    local function huge() return (zoo.any(rng, 10)):scaled(rng:float(1e8, 2e10)) end
    local function far() return rng:float(-1e12, 1e12) end
    local function way(from) return math.max(-1e12, math.min(1e12, far() - from)) end
    local moved = 0
    for _ = 1, random.rounds(60) do
      local world = collide.newWorld()
      local actors = {}
      for i = 1, 6 do
        local ok, shape = pcall(huge)
        if ok then
          local static = i % 2 == 0
          actors[#actors + 1] = world:add { x = far(), y = far(), static = static, shape = shape }
        end
      end
      for _, mover in ipairs(actors) do
        local x, y = world:move(mover, way(mover.x), way(mover.y), nil, rng:pick(responses))
        for _, actor in ipairs(actors) do
          assert.is_true(math.abs(actor.x) <= 1e12 and math.abs(actor.y) <= 1e12)
        end
        assert.same({ x, y }, { mover.x, mover.y })
        moved = moved + 1
      end
      world:step()
    end
    assert.is_true(moved > random.often(100))
  end)

  it("is pushed out sideways if the shortest way leads beyond 1e12", function()
    for _, axis in ipairs { "x", "y" } do
      for sign = -1, 1, 2 do
        for inside = 200, 400, 200 do
          local world, across = collide.newWorld(), axis == "x" and "y" or "x"
          local box = world:add { x = 0, y = 0, shape = rectangle(-500, -500, 1000, 1000) }
          local wall = world:add { x = 0, y = 0, static = true,
            shape = rectangle(-400, -400, 800, 800) }
          box[axis], wall[axis] = sign * 1e12, sign * (1e12 - 900 + inside)
          wall[across] = 10
          world:refresh(wall)
          world:refresh(box)
          local _, _, hits = world:move(box, 0, 0)
          assert.equal(1, #hits)
          assert.is_nil(hits[1].crushed)
          assert.equal(sign * 1e12, box[axis])
          near({ -890 }, { box[across] }, 1)
          assert.is_nil(collide.overlap(box, wall))
        end
      end
    end
  end)

  it("pushes up to seven in a row, and slides at the eighth", function()
    for count = 6, 9 do
      local world, row = collide.newWorld(), {}
      local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
      for i = 1, count do
        row[i] = world:add { x = 12 * i - 2, y = 0, shape = rectangle(10, 10) }
      end
      world:move(box, 60, 0, nil, "push")
      for i = 1, count do
        local x = count < 8 and 60 + 10 * i or i < 8 and 14 + 10 * i or 12 * i - 2
        assert.equal(x, row[i].x, ("%d of %d"):format(i, count))
      end
      assert.equal(count < 8 and 60 or 14, box.x)
    end
  end)

  it("follows at most 64 surfaces, and ends where it is free", function()
    local points = {}
    for i = 0, 400 do
      local t = i / 400 * math.pi
      points[2 * i + 1], points[2 * i + 2] = 1000 * math.cos(t), 1000 * math.sin(t)
    end
    local world = collide.newWorld()
    local bowl = world:add { x = 0, y = 0, static = true, shape = collide.chain(points) }
    local ball, most = world:add { x = -900, y = 0, shape = circle(20) }, 0
    for _ = 1, 8 do
      local x, y, hits = world:move(ball, 1500, 900)
      most = math.max(most, #hits)
      assert.is_true(x * x + y * y < 980 ^ 2)
      assert.is_nil(collide.overlap(ball, bowl))
    end
    assert.equal(65, most) -- the last one stops it
  end)

  it("ends free of what stopped it, among shapes of every kind, seed " .. seed, function()
    local rng = random.new(seed)
    local met = 0
    for _ = 1, random.rounds(100) do
      local world = collide.newWorld()
      local solids = {}
      for i = 1, rng:int(3, 8) do
        solids[i] = world:add { x = rng:int(-60, 60), y = rng:int(-60, 60), static = true,
          angle = rng:chance(0.5) and rng:float(-3, 3) or 0, shape = (zoo.any(rng, 30)) }
      end
      local mover = world:add { x = rng:int(-60, 60), y = rng:int(-60, 60),
        shape = (zoo.any(rng, 10)) }
      for _ = 1, 10 do
        local _, _, hits, n = world:move(mover, rng:float(-50, 50), rng:float(-50, 50))
        if not (n > 0 and hits[1].crushed) then
          for _, solid in ipairs(solids) do assert.is_nil((collide.overlap(mover, solid))) end
        end
        met = met + n
      end
    end
    assert.is_true(met > random.often(50))
  end)
end)

describe("a one-way platform", function()
  local function platform(extra)
    local world = collide.newWorld()
    local plate = { name = "plate", x = 0, y = 100, static = true, oneWay = true,
      shape = rectangle(100, 10) }
    for key, value in pairs(extra or {}) do plate[key] = value end
    world:add(plate)
    return world, world:add { name = "box", x = 50, y = 130, shape = rectangle(10, 10) }
  end

  it("stops movers only from above", function()
    local world, box = platform()
    for _, way in ipairs { { 0, -25 }, { 0, -5 }, { 7, 3 }, { 0, -38 } } do
      assert.equal(0, select(4, world:move(box, way[1], way[2])))
    end
    local _, y, hits, n = world:move(box, 3, 100)
    assert.same({ 90, 1, -1 }, { y, n, hits[1].ny })
    assert.equal(60, box.x)
    _, _, _, n = world:move(box, -100, 0)
    assert.equal(0, n)
    world:move(box, 0, 15)
    assert.equal(0, select(4, world:move(box, 100, 0)))
    assert.at(box, 60, 105)
  end)

  it("has no inner sides, between cells of a map or parts of a polygon", function()
    local map = collide.newGrid(10, 12, { cell = 16 })
    map:fill(0, 4, 10, 3, 1)
    local hourglass = collide.polygon(0, 0, 200, 0, 120, 60, 200, 120, 0, 120, 80, 60)
    for _, thick in ipairs { { x = 0, y = 0, shape = collide.tiles(map) },
      { x = -40, y = 64, shape = hourglass } } do
      local world = collide.newWorld()
      thick.static, thick.oneWay = true, true
      world:add(thick)
      local box = world:add { x = 55, y = 60, shape = rectangle(10, 10) }
      assert.equal(0, select(4, world:move(box, 0, 200)))
      assert.equal(260, box.y)
      box.y = 50
      world:move(box, 0, 200)
      assert.equal(54, box.y)
    end
  end)

  it("lets an actor fall that was inside when the move began", function()
    local world, box = platform()
    box.y = 95
    assert.equal(0, select(4, world:move(box, 0, 50)))
    assert.equal(145, box.y)
    assert.is_true(world:fits(box))
  end)

  it("does not push out actors inside it, and does not affect world:fits", function()
    local world, box = platform()
    box.y = 95
    assert.equal(0, select(4, world:move(box, 1, 0)))
    assert.at(box, 51, 95)
    assert.is_true(world:fits(box))
  end)

  it("turns with its angle", function()
    local world, box = platform { angle = math.pi / 2, x = 100, y = 0 }
    box.x, box.y = 60, 30 -- its up is to the right
    assert.equal(0, select(4, world:move(box, 60, 0)))
    local _, _, hits = world:move(box, -60, 0)
    near({ 100, 1, 0 }, { box.x, hits[1].nx, hits[1].ny })
  end)

  it("stops a mover at each of its parts", function()
    -- Two plates of one shape, one above the other: from inside the upper one onto the lower.
    local plates = collide.compound(rectangle(0, 0, 100, 10), rectangle(0, 50, 100, 10))
    local world, box = platform { shape = plates }
    box.y = 95
    local _, _, _, n = world:move(box, 0, 200)
    assert.same({ 140, 1 }, { box.y, n })
  end)
end)

-- Two pieces, each a plank (one-way) or solid, and a box of side 10, all turned about 0, 0. Each
-- piece is { l, t, w, h, one-way }.
describe("one-way faces join one-way faces of the same direction, and no others:", function()
  local function shapeOf(kind, w, h)
    if kind == "box" then return rectangle(w, h) end
    if kind == "polygon" then return collide.polygon(0, 0, w, 0, w, h, 0, h) end
    local map = collide.newGrid(w / 5, h / 5, { cell = 5 })
    map:fill(0, 0, w / 5, h / 5, 1)
    return collide.tiles(map)
  end

  local function try(pieces, from, way, to)
    for _, kind in ipairs { "box", "polygon", "map" } do
      for turn = 0, kind == "map" and 0 or 3 do
        local c, s = math.cos(turn * math.pi / 2), math.sin(turn * math.pi / 2)
        for first = 1, 2 do
          local world = collide.newWorld()
          for k = first, 3 - first, 3 - 2 * first do
            local p = pieces[k]
            world:add { x = c * p[1] - s * p[2], y = s * p[1] + c * p[2], static = true,
              angle = turn * math.pi / 2, oneWay = p[5], shape = shapeOf(kind, p[3], p[4]) }
          end
          local box = world:add { x = c * from[1] - s * from[2], y = s * from[1] + c * from[2],
            angle = turn * math.pi / 2, shape = shapeOf(kind == "map" and "box" or kind, 10, 10) }
          world:move(box, c * way[1] - s * way[2], s * way[1] + c * way[2])
          near(to, { c * box.x + s * box.y, c * box.y - s * box.x })
        end
      end
    end
  end

  it("two planks side by side act as one", function()
    local planks = { { 0, 0, 20, 5, true }, { 20, 0, 20, 5, true } }
    try(planks, { 5, -10 }, { 20, 5 }, { 25, -10 })
    try(planks, { 25, -10 }, { -20, 5 }, { 5, -10 })
    try(planks, { 15, -15 }, { 0, 20 }, { 15, -10 })
    try(planks, { 5, 6 }, { 20, -20 }, { 25, -14 })
    try(planks, { 5, -3 }, { 20, 3 }, { 25, 0 }) -- it is inside the first from the start
  end)

  it("a plank covers no side of a solid box beside it", function()
    local pieces = { { 0, 0, 20, 5, true }, { 20, 0, 20, 5, nil } }
    try(pieces, { 5, -10 }, { 20, 5 }, { 25, -10 })
    try(pieces, { 25, -10 }, { -20, 5 }, { 5, -10 })
    try(pieces, { 8, -3 }, { 10, 3 }, { 10, 0 })
    try(pieces, { 5, 6 }, { 10, -4 }, { 10, 2 })
  end)

  it("two planks, one on the other, act as one", function()
    local planks = { { 0, 0, 20, 5, true }, { 0, 5, 20, 5, true } }
    try(planks, { -15, -7 }, { 20, 4 }, { 5, -3 })
    try(planks, { 25, -7 }, { -20, 4 }, { 5, -3 })
    try(planks, { 5, -3 }, { 0, 8 }, { 5, 5 }) -- from inside the upper one
    try(planks, { 5, -3 }, { 0, -8 }, { 5, -11 })
    try(planks, { 5, -12 }, { 0, 20 }, { 5, -10 })
    -- It lands on the part of the lower plank that sticks out.
    try(planks, { -16, -7 }, { 10, 4 }, { -6, -3 })
    try({ { 5, 0, 15, 5, true }, { 0, 5, 20, 5, true } }, { -8, -7 }, { 8, 4 }, { 0, -5 })
    try({ { 0, 0, 20, 5, true }, { 0, 5.01, 20, 5, true } }, { -15, -7 }, { 20, 4 }, { 5, -4.99 })
  end)

  it("a plank on two others covers both", function()
    for _, upper in ipairs { true, false } do
      local planks = { { 0, 5, 10, 5, true }, { 10, 5, 10, 5, true }, { 0, 0, 20, 5, upper } }
      local world = collide.newWorld()
      for _, p in ipairs(planks) do
        world:add { x = p[1], y = p[2], static = true, oneWay = p[5],
          shape = rectangle(p[3], p[4]) }
      end
      local box = world:add { x = -15, y = -7, shape = rectangle(10, 10) }
      world:move(box, 20, 4)
      assert.same(upper and { 5, -3 } or { -10, -3 }, { box.x, box.y })
    end
  end)

  it("planks that face another way, or that the mover passes through, cover nothing", function()
    for _, upper in ipairs { { angle = math.pi, x = 20, y = 5 }, { group = "ghost" },
      { sensor = true } } do
      local world = collide.newWorld()
      local ghost = { x = 0, y = 0, static = true, oneWay = true, shape = rectangle(20, 5) }
      for key, value in pairs(upper) do ghost[key] = value end
      world:add(ghost)
      world:add { x = 0, y = 5, static = true, oneWay = true, shape = rectangle(20, 5) }
      local box = world:add { x = -15, y = -7, shape = rectangle(10, 10) }
      local asked = {}
      world:move(box, 20, 4, nil, upper.group and function(_, met)
        asked[#asked + 1] = met == ghost and "ghost" or "plank"
        return met == ghost and "cross" or "slide"
      end or nil)
      near({ 5, -5 }, { box.x, box.y })
      assert.same(upper.group and { "ghost", "plank" } or {}, asked)
    end
  end)

  it("a plank does not cover the top of a solid box under it", function()
    try({ { 0, 0, 20, 5, true }, { 0, 5, 20, 5, nil } }, { -15, -8 }, { 20, 6 }, { 5, -5 })
  end)
end)

-- A floor whose upper side is at y = 0 from x = -64 to 64, in two pieces that meet at x = 0.
local function pieces(world, kinds, first)
  local x = { -64, 0 }
  for k = first, 3 - first, 3 - 2 * first do
    local shape, at
    if kinds[k] == "box" then
      shape, at = rectangle(64, 8), 0
    elseif kinds[k] == "chain" then
      shape, at = collide.chain(0, 0, 32, 0, 64, 0), 0
    elseif kinds[k] == "polygon" then
      shape, at = collide.polygon(0, 0, 64, 0, 64, 8, 32, 12, 0, 8), 0
    else
      local grid = collide.newGrid(4, 1, { cell = 16 })
      grid:fill(0, 0, 4, 1, 1)
      shape, at = collide.tiles(grid), 0
    end
    world:add { name = kinds[k] .. k, x = x[k], y = at, static = true, shape = shape }
  end
end

describe("world:move where several things are touched at once", function()
  local KINDS = { "box", "polygon", "chain", "tiles" }
  local MOVERS = {
    rectangle(-8, -16, 8, 16), rectangle(0, -16, 8, 16), circle(0, -8, 8),
    collide.polygon(0, 0, 8, -8, 0, -16, -8, -8), collide.segment(0, 0, 0, -9),
  }

  it("does not snag on a joint, whichever side was added first", function()
    for _, left in ipairs(KINDS) do
      for _, right in ipairs(KINDS) do
        for first = 1, 2 do
          for i, shape in ipairs(MOVERS) do
            for dx = -5, 5, 10 do
              local world = collide.newWorld()
              pieces(world, { left, right }, first)
              local mover = world:add { x = 0, y = 0, shape = shape }
              local x, y, hits, n = world:move(mover, dx, 28)
              local what = ("%s, %s, mover %d"):format(left, right, i)
              assert.near(dx, x, 1e-9, what)
              assert.near(0, y, 1e-9, what)
              assert.same({ 1, 0, -1 }, { n, hits[1].nx, hits[1].ny }, what)
            end
          end
        end
      end
    end
  end)

  --       |          a segment, or a chain, on the corner of two triangles
  -- 28 +--+--+
  --    |  \\  |       that are a box together
  -- 32 +---\\-+
  it("if thin, leaves a corner of two triangles as the corner of the box that they form", function()
    local chain, polygon, segment = collide.chain, collide.polygon, collide.segment
    local function go(solids, shape, dx, dy)
      local world = collide.newWorld()
      for _, solid in ipairs(solids) do world:add { x = 0, y = 0, static = true, shape = solid } end
      local mover = world:add { x = 17, y = 26, shape = shape }
      local x, y, _, n = world:move(mover, dx, dy)
      return { x, y, n }
    end
    local box = { collide.rectangle(16, 28, 4, 4) }
    local triangles = { polygon(16, 28, 20, 28, 20, 32), polygon(16, 28, 20, 32, 16, 32) }
    for i, shape in ipairs { chain({ -1, -2, 1, -2, 1, 2, -1, 2 }, true), segment(-1, 2, 1, 2),
      segment(-1, 2, -1, -2), segment(-1, 2, 1, -1) } do
      for _, way in ipairs { { 28, -10 }, { 5, -1 }, { -5, -1 }, { 5, 0 }, { -5, 0 }, { 0, -3 },
        { 1, -5 } } do
        local want, got = go(box, shape, way[1], way[2]), go(triangles, shape, way[1], way[2])
        local what = ("mover %d by %d, %d"):format(i, way[1], way[2])
        assert.is_true(math.abs(got[1] - want[1]) + math.abs(got[2] - want[2]) < 1e-9, what)
        assert.equal(want[3], got[3], what)
      end
    end
  end)

  it("walks along boxes that were added from right to left", function()
    local world = collide.newWorld()
    for k = 9, 0, -1 do
      world:add { x = 32 * k, y = 100, shape = rectangle(32, 32), static = true }
    end
    local hero = world:add { x = 112, y = 84, shape = rectangle(16, 16) }
    assert.same({ 117, 84 }, { world:move(hero, 5, 28), hero.y })
  end)

  it("goes to the end of a wedge far away, where rounding pushes it off both sides", function()
    local rng, at = random.new(random.seed()), 1e6
    for _ = 1, 100 do
      local world, sides = collide.newWorld(), {}
      for i, angle in ipairs { math.pi + rng:float(0.8, 1.3), -rng:float(0.8, 1.3) } do
        local x, y = 50 * math.cos(angle), 50 * math.sin(angle)
        sides[i] = world:add { x = at, y = at, static = true,
          shape = collide.polygon(0, 0, x, y, x > 0 and x + 5 or x - 5, 10) }
      end
      local ball = world:add { x = at, y = at - 40, shape = circle(rng:float(1, 5)) }
      world:move(ball, 0, 60)
      for _, side in ipairs(sides) do assert.is_true(collide.distance(ball, side) < 1e-7) end
    end
  end)

  it("ends in a wedge at the last actor of its hits, and a second move goes no farther", function()
    local function try(shape, x, y, dx, dy, walls)
      local world = collide.newWorld()
      for _, wall in ipairs(walls) do
        world:add { x = wall[2], y = wall[3], shape = wall[1], static = true }
      end
      local mover = world:add { x = x, y = y, shape = shape }
      local toX, toY, hits, n = world:move(mover, dx, dy)
      local last = hits[n]
      assert.is_true((collide.distance(mover, last.actor)) < 1e-9)
      assert.same({ toX, toY }, { last.x, last.y })
      local left = 1 - last.t
      world:move(mover, dx * left, dy * left)
      near({ toX, toY }, { mover.x, mover.y })
    end
    try(circle(3), -3, 1, 39, 20, { { collide.capsule(-4, -3, 1, 1, 6), 9, 16 },
      { collide.capsule(-3, 0, 7, 9, 3), 13, -3 } })
    try(rectangle(8, 6), -19, 1, 38, -45, { { rectangle(-5, -9, 8, 7), -1, 13 },
      { collide.capsule(-3, 0, 3, 2, 5), -3, -8 } })
  end)

  it("slides along the longer component at a corner, and along x if both are equal", function()
    local function corner(dx, dy)
      local world = collide.newWorld()
      world:add { x = 10, y = 10, static = true, shape = rectangle(10, 10) }
      local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
      return { world:move(box, dx, dy), box.y }
    end
    assert.same({ 6, 0 }, corner(6, 5))
    assert.same({ 0, 6 }, corner(5, 6))
    assert.same({ 5, 0 }, corner(5, 5))
  end)

  it("stops in a corner, and reports both sides", function()
    for first = 1, 2 do
      local world, list = collide.newWorld(), {}
      local add = { { "floor", -50, 10, 60 }, { "wall", 10, -50, 10 } }
      for k = first, 3 - first, 3 - 2 * first do
        world:add { name = add[k][1], x = add[k][2], y = add[k][3], static = true,
          shape = rectangle(add[k][4], 60) }
      end
      local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
      local x, y, hits, n = world:move(box, 5, 28)
      for i = 1, n do list[i] = hits[i].actor.name end
      assert.same({ 0, 0, "floor wall" }, { x, y, table.concat(list, " ") })
    end
  end)

  --             | upper
  --      +-----+|
  --      | box || wall      `upper` touches only the corner of the box
  --      +-----+|
  --       floor
  it("reports the half of a wall that it moves into, also if the other was added first", function()
    local world = collide.newWorld()
    world:add { name = "upper", x = 10, y = -60, static = true, shape = rectangle(10, 60) }
    world:add { name = "wall", x = 10, y = 0, static = true, shape = rectangle(10, 60) }
    world:add { name = "floor", x = -50, y = 10, static = true, shape = rectangle(60, 60) }
    local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
    for _, way in ipairs { { 28, 5, 1 }, { 5, 28, 2 }, { 20, 20, 2 } } do
      local x, y, hits, n = world:move(box, way[1], way[2])
      assert.same({ 0, 0, 2, "wall" }, { x, y, n, hits[way[3]].actor.name })
    end
  end)

  -- A bug: it reported cells that the box touches only with another corner.
  it("reports the two cells that it moves into in the corner of a map", function()
    local world, grid = collide.newWorld(), collide.newGrid(4, 6, { cell = 10 })
    for row = 0, 5 do grid:set(3, row, 1) end
    for column = 0, 3 do grid:set(column, 3, 1) end
    world:add { x = -20, y = -20, static = true, shape = collide.tiles(grid) }
    local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
    for _, way in ipairs { { 28, 5 }, { 5, 28 }, { 20, 20 } } do
      local _, _, hits, n = world:move(box, way[1], way[2])
      local cells = {}
      for i = 1, n do cells[i] = hits[i].column .. ", " .. hits[i].row end
      table.sort(cells)
      assert.same({ "2, 3", "3, 2" }, cells)
    end
  end)

  it("compares three in pairs, and stops in their corner in any order of adding", function()
    local boxes = { { 68, 100, 32, 32 }, { 100, 100, 32, 32 }, { 100, 60, 16, 40 } }
    for _, order in ipairs { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 },
      { 3, 2, 1 } } do
      local world = collide.newWorld()
      for _, i in ipairs(order) do
        world:add { name = i, x = boxes[i][1], y = boxes[i][2], static = true,
          shape = collide.rectangle(boxes[i][3], boxes[i][4]) }
      end
      local hero = world:add { x = 79, y = 56, shape = collide.rectangle(16, 16) }
      local x, y, hits, n = world:move(hero, 10, 56)
      assert.same({ 84, 84 }, { x, y })
      local normals = {}
      for i = 1, n do
        normals[i] = ("%d %d of %d"):format(hits[i].nx, hits[i].ny, hits[i].actor.name)
      end
      table.sort(normals)
      assert.same({ "-1 0 of 3", "0 -1 of 1" }, normals)
    end
  end)

  it("calls the function for each in the order of adding, and ranks the responses", function()
    local order = { "slide", "push", "bounce", "touch" }
    for strong = 2, 4 do
      for weak = 1, strong - 1 do
        for swap = 0, 1 do
          local world, asked = collide.newWorld(), {}
          local left = { name = "left", x = -16, y = 16, shape = rectangle(16, 16) }
          local right = { name = "right", x = 0, y = 16, shape = rectangle(16, 16) }
          local does = { [left] = order[weak], [right] = order[strong] }
          world:add(swap == 1 and right or left)
          world:add(swap == 1 and left or right)
          local mover = world:add { x = -8, y = 0, shape = rectangle(16, 16) }
          local _, _, hits = world:move(mover, 1, 10, nil, function(_, other)
            asked[#asked + 1] = other.name
            return does[other]
          end)
          assert.equal(swap == 1 and "right left" or "left right", table.concat(asked, " ", 1, 2))
          assert.equal(order[strong], hits[1].response)
          assert.equal(right, hits[1].actor)
        end
      end
    end
  end)

  it("pushes several in the order of their x, then y", function()
    local function push(letters, dx, dy)
      local at = dx > 0 and { a = { 16, -16 }, b = { 16, 0 } } or { a = { -16, 16 }, b = { 0, 16 } }
      local world, list = collide.newWorld(), {}
      for name in letters:gmatch "%a" do
        world:add { name = name, x = at[name][1], y = at[name][2], shape = rectangle(16, 16) }
      end
      local mover = world:add { x = dx > 0 and 0 or -8, y = dx > 0 and -8 or 0,
        shape = rectangle(16, 16) }
      local _, _, hits, n = world:move(mover, dx, dy, nil, "push")
      for i = 1, n do list[i] = hits[i].actor.name end
      assert.equal(10, dx > 0 and mover.x or mover.y)
      return table.concat(list)
    end
    for _, letters in ipairs { "ab", "ba" } do
      assert.same({ "ab", "ab" }, { push(letters, 0, 10), push(letters, 10, 0) })
    end
  end)

  it("reports crossings at the same moment before the stop", function()
    for first = 1, 2 do
      local world = collide.newWorld()
      local add = {
        { name = "coin", x = 20, y = 0, sensor = true, shape = rectangle(10, 10) },
        { name = "wall", x = 20, y = 0, static = true, shape = rectangle(10, 10) },
      }
      world:add(add[first])
      world:add(add[3 - first])
      local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
      local _, _, hits = world:move(box, 30, 0)
      assert.equal("coin:cross wall:slide", names(hits))
    end
  end)

  it("ignores flush faces of actors that do not stop it", function()
    for _, other in ipairs { { sensor = true }, { group = "ghost" }, { oneWay = true } } do
      for first = 1, 2 do
        local world = collide.newWorld { rules = { { "hero", "solid" } } }
        -- The other is flush with the left side of the wall, as high as the mover.
        other.x, other.y, other.static, other.shape = -20, 0, true, rectangle(20, 40)
        other.group = other.group or "solid"
        local wall = { x = 0, y = 0, static = true, group = "solid", shape = rectangle(20, 40) }
        world:add(first == 1 and other or wall)
        world:add(first == 1 and wall or other)
        local box = world:add { x = -15, y = 10, group = "hero", shape = rectangle(15, 20) }
        local x, _, hits, n = world:move(box, 9, 0)
        assert.same({ -15, wall }, { x, hits[n].actor })
        world:remove(other)
      end
    end
  end)

  it("is pushed out along x before y", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, static = true, shape = rectangle(10, 10):centered() }
    local box = world:add { x = 0, y = 0, shape = rectangle(12, 12):centered() }
    assert.same({ 11, 0 }, { math.abs((world:move(box, 0, 0))), box.y })
  end)
end)

describe("world:check", function()
  it("returns the results of move, and moves nothing", function()
    local world, box = room()
    local crate = world:add { name = "crate", x = 50, y = 84, shape = rectangle(16, 16) }
    local x, y, hits, n = world:check(box, 100, 10, nil, "push")
    near({ 100, 84, 2 }, { x, y, n })
    assert.equal("floor:slide crate:push", names(hits))
    assert.same({ 0, 84, 50 }, { box.x, box.y, crate.x })
    assert.same({ box }, (world:queryRect(1, 85, 1, 1)))
    world:move(box, 100, 10, nil, "push")
    near({ 100, 84, 116 }, { box.x, box.y, crate.x })
  end)
end)

-- A bug that the monkey found: "*" shifted a bit out of its word, so that only the first group was
-- left.
it('world:move with the filter "*" is stopped by every group', function()
  local world = collide.newWorld()
  local box = world:add { x = 0, y = 0, group = "first", shape = rectangle(10, 10) }
  world:add { x = 30, y = 0, group = "second", static = true, shape = rectangle(10, 10) }
  assert.equal(20, (world:move(box, 100, 0, "*")))
end)

-- Bugs that the monkey found: moves used a new shape in the field before a refresh had read it.
describe("a move of an actor whose shape field has changed since", function()
  local grid = collide.newGrid(2, 2, { cell = 10 })

  it("uses the shape that was read last", function()
    local world = collide.newWorld()
    world:add { x = 30, y = 0, static = true, shape = rectangle(10, 10) }
    local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
    for _, shape in ipairs { 5, "none", collide.tiles(grid), circle(3) } do
      box.x, box.shape = 0, shape
      assert.equal(20, (world:move(box, 100, 0)))
      assert.same({}, (world:carry(box, -20, 0)))
      assert.equal(0, box.x)
    end
  end)

  it("is refused if the shape that was read is tiles", function()
    local world = collide.newWorld()
    local map = world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    map.shape = rectangle(10, 10)
    raises("actor.shape expected (shape other than tiles; assign x and y, or call world:carry)",
      world.move, world, map, 5, 0)
    assert.same({ 5, 0 }, { select(2, world:carry(map, 5, 0)) == 0 and map.x, map.y })
    raises("angle expected (nothing or 0, since tiles do not turn), got number 1", world.teleport,
      world, map, 0, 0, 1)
    map.angle = 1
    raises("angle expected (nil or 0, as its shape is tiles), got number 1", world.teleport, world,
      map, 0, 0)
  end)

  it("is refused for a character of tiles, which a platform does not carry", function()
    local world = collide.newWorld()
    local map = world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local why = "actor.shape expected (shape other than tiles; assign x and y, or call "
      .. "world:carry), got shape"
    raises("world:newCharacter: " .. why, world.newCharacter, world, map)
    local lift = world:add { x = 0, y = 100, static = true, shape = rectangle(100, 10) }
    local hero = world:add { x = 60, y = 84, shape = rectangle(16, 16) }
    local character = world:newCharacter(hero)
    character:move(0, 60, 1 / 60)
    hero.shape, hero.static = map.shape, true
    world:refresh(hero)
    raises("character:move: " .. why, character.move, character, 0, 60, 1 / 60)
    hero.static = false -- has not been read; the hero overlaps the platform
    world:carry(lift, 0, -10)
    assert.equal(84, hero.y)
  end)

  it("pushes and carries riders and characters with the shapes that were read", function()
    local world = collide.newWorld()
    local lift = world:add { x = 0, y = 100, static = true, shape = rectangle(100, 10) }
    local crate = world:add { x = 20, y = 84, shape = rectangle(16, 16) }
    local hero = world:add { x = 60, y = 84, shape = rectangle(16, 16) }
    local character = world:newCharacter(hero)
    character:move(0, 60, 1 / 60)
    crate.shape, hero.shape, lift.shape = false, nil, 7
    world:carry(lift, 0, -10)
    character:move(0, 60, 1 / 60)
    assert.same({ 74, 74, lift }, { crate.y, hero.y, character.floor })
  end)
end)

describe("world:fits", function()
  it("is true if it touches, false if it would overlap", function()
    local world, box, floor, wall = room()
    assert.is_true(world:fits(box))
    assert.is_true(world:fits { x = 16, y = 84, shape = rectangle(16, 16) })
    local fits, other = world:fits { x = 15, y = 84, shape = rectangle(16, 16) }
    assert.is_false(fits)
    assert.equal(box, other)
    assert.same({ false, floor }, { world:fits { x = 50, y = 90, shape = circle(11) } })
    assert.is_true(world:fits({ x = 50, y = 90, shape = circle(11) }, nil, floor))
    assert.same({ false, wall }, { world:fits({ x = 195, y = 95, shape = circle(11) },
      function(actor) return actor ~= floor end) })
  end)

  it("ignores sensors, and for an actor also those that it cannot hit", function()
    local world = collide.newWorld { rules = { { "a", "b" } } }
    world:add { x = 0, y = 0, group = "c", shape = circle(5) }
    local b = world:add { x = 50, y = 0, group = "b", shape = circle(5) }
    world:add { x = 100, y = 0, group = "b", sensor = true, shape = circle(5) }
    local a = world:add { x = 0, y = 0, group = "a", shape = circle(5) }
    assert.is_true(world:fits(a))
    a.x = 50
    assert.same({ false, b }, { world:fits(a) })
    a.x = 100
    assert.is_true(world:fits(a))
  end)
end)
