-- One-way actors that face any direction, and maps whose cells are walls, planks and sensors.
require "collide.assertions"
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local walker = require "spec.support.walker"

local raises = expect.raises
local rectangle, circle = collide.rectangle, collide.circle
local SEED = random.seed()
local NAMES = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }

-- A value of oneWay, and the direction that it means at an angle.
local function anyLook(rng, angle)
  local names = { "up", "down", "left", "right" }
  local name = names[rng:int(1, 6)]
  local x, y
  local value = name
  if name then
    x, y = NAMES[name][1], NAMES[name][2]
    if name == "up" and rng:chance(0.5) then value = true end
  else
    local a, length = rng:float(0, 2 * math.pi), 10 ^ rng:float(-3, 3)
    x, y = math.cos(a), math.sin(a)
    value = { x * length, y * length }
  end
  local c, s = math.cos(angle), math.sin(angle)
  return value, c * x - s * y, s * x + c * y
end

local function anyShape(rng)
  local kind = rng:int(1, 4)
  local w, h = rng:float(10, 40), rng:float(10, 40)
  if kind == 1 then return rectangle(w, h):centered() end
  if kind == 2 then return circle(w / 2) end
  if kind == 3 then return collide.capsule(-w / 2, 0, w / 2, 0, h / 4) end
  return collide.polygon(-w / 2, -h / 2, w / 2, -h / 3, 0, h / 2)
end

describe("oneWay in any direction", function()
  -- 60 degrees, and how near to it cases are left out.
  local COSINE, DOUBT = 0.5, 1e-6

  it("stops a mover by the angle of the face alone (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    local stopped, passed = 0, 0
    for round = 1, random.rounds(10000) do
      local angle = rng:chance(0.5) and rng:float(-4, 4) or 0
      local shape = anyShape(rng)
      local value, lookX, lookY = anyLook(rng, angle)
      local world, solid = collide.newWorld(), collide.newWorld()
      local plank = { x = 0, y = 0, angle = angle, shape = shape, static = true, oneWay = value }
      world:add(plank)
      solid:add { x = 0, y = 0, angle = angle, shape = shape, static = true }
      local a = rng:float(0, 2 * math.pi)
      local mover = { x = 60 * math.cos(a), y = 60 * math.sin(a), shape = anyShape(rng) }
      local other = { x = mover.x, y = mover.y, shape = mover.shape }
      world:add(mover)
      solid:add(other)
      local dx, dy = -1.5 * mover.x + rng:float(-20, 20), -1.5 * mover.y + rng:float(-20, 20)
      local _, _, hits, n = solid:check(other, dx, dy, nil, "touch")
      local cosine = n > 0 and hits[1].nx * lookX + hits[1].ny * lookY or -1
      if math.abs(cosine - COSINE) > DOUBT and not (n > 0 and hits[1].inside) then
        local toX, toY = mover.x + dx, mover.y + dy
        if cosine > COSINE then
          toX, toY, stopped = hits[1].x, hits[1].y, stopped + 1
        elseif n > 0 then
          passed = passed + 1
        end
        local x, y = world:move(mover, dx, dy, nil, "touch")
        local apart = math.abs(x - toX) + math.abs(y - toY)
        assert.is_true(apart < 1e-6,
          ("round %d: %.17g, %.17g, not %.17g, %.17g"):format(round, x, y, toX, toY))
      end
    end
    assert.is_true(stopped > random.often(1000) and passed > random.often(1000))
  end)

  it("does not stop a mover that begins inside, in any direction", function()
    for _, look in ipairs { true, "up", "down", "left", "right", { 3, -4 } } do
      local world = collide.newWorld()
      world:add { x = 0, y = 0, shape = rectangle(20, 20), oneWay = look, static = true }
      for _, way in ipairs { { 40, 0 }, { -40, 0 }, { 0, 40 }, { 0, -40 } } do
        local mover = world:add { x = 5, y = 5, shape = rectangle(10, 10) }
        local x, y = world:move(mover, way[1], way[2])
        assert.same({ 5 + way[1], 5 + way[2] }, { x, y })
        world:remove(mover)
      end
    end
  end)

  it("is read only by add and refresh, and a strict step notices a change", function()
    local world = collide.newWorld { strict = true }
    local way = { 0, 2 }
    local plank = world:add { x = 0, y = 0, shape = rectangle(20, 4), oneWay = way, static = true }
    local mover = world:add { x = 5, y = 20, shape = rectangle(4, 4) }
    assert.equal(4, select(2, world:move(mover, 0, -30)))
    way[2] = -2
    raises({ "oneWay was changed from string \"{0, 2}\" to string \"{0, -2}\"" }, world.step, world)
    assert.equal(4, select(2, world:move(mover, 0, -30)))
    world:refresh(plank)
    world:step()
    assert.equal(-26, select(2, world:move(mover, 0, -30)))
    plank.oneWay = { 0, -1 } -- another value of the same meaning is no change
    world:refresh(plank)
    plank.oneWay = "up"
    world:step()
    plank.oneWay = "left"
    raises({ 'oneWay was changed from boolean true to string "left"' }, world.step, world)
  end)

  it("is named in errors", function()
    local world = collide.newWorld()
    for _, bad in ipairs { "Up", 1, { 0, 0 }, { 1 }, { 1 / 0, 1 }, { "1", 2 }, {} } do
      raises({ 'oneWay expected (boolean, "up", "down", "left", "right" or {nx, ny}), got ' },
        world.add, world, { x = 0, y = 0, shape = circle(1), oneWay = bad })
    end
  end)

  it("is part of snapshots, packs and differences", function()
    local looks = { true, "down", "left", "right", { 3, -4 }, { -0.5, 1e-9 }, false }
    local world, planks = collide.newWorld(), {}
    for i = 1, 7 do
      planks[i] = world:add { name = "p" .. i, x = 30 * i, y = 0, shape = rectangle(20, 4),
        oneWay = looks[i], static = true }
    end
    local snapshot = world:snapshot()
    local packed = snapshot:pack()
    for i = 1, 7 do planks[i].oneWay = i % 2 == 0 or nil end
    world:refresh()
    assert.matches('p1": oneWay is true, in the other false', snapshot:diff(world:snapshot()))
    local function isBack(list)
      for i = 1, 7 do assert.same(looks[i], list[i].oneWay or false) end
    end
    world:restore(snapshot)
    isBack(planks)
    local other, made = collide.newWorld(), {}
    other:restore(packed, function(i, given)
      made[i] = { shape = rectangle(20, 4), oneWay = given.oneWay }
      return made[i]
    end)
    isBack(made)
    assert.is_nil(snapshot:diff(other:snapshot()))
    planks[5].oneWay = { 3, -5 }
    world:refresh()
    assert.matches("oneWay is {3, %-5}, in the other {3, %-4}", world:snapshot():diff(snapshot))
  end)

  it("has its direction in the text of explain", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = rectangle(9, 9) }
    local b = world:add { x = 0, y = 0, shape = rectangle(9, 9), oneWay = "left" }
    assert.matches("the second is one%-way, .* only with the side that looks left",
      world:explain(a, b))
  end)

  it("carries only actors that it stops", function()
    for _, look in ipairs { "up", "down", { 1, -1 } } do
      local world = collide.newWorld()
      local plank = world:add { x = 0, y = 10, shape = rectangle(40, 4), oneWay = look }
      local rider = world:add { x = 10, y = 0, shape = rectangle(10, 10) }
      world:carry(plank, 5, 0)
      assert.equal(look == "down" and 10 or 15, rider.x)
    end
  end)
end)

-- Maps of planks ------------------------------------------------------------------

local KINDS = {
  ["#"] = 1, ["^"] = 2, ["v"] = 3, ["<"] = 4, [">"] = 5, ["~"] = 6, ["/"] = 7, ["-"] = 8, ["%"] = 9,
}
local LOOKS = {
  [2] = { oneWay = "up" },
  [3] = { oneWay = "down" },
  [4] = { oneWay = "left" },
  [5] = { oneWay = { 2, 0 } },
  [6] = { sensor = true, oneWay = "up" },
  [7] = collide.polygon(0, 1, 1, 0, 1, 1),
  [8] = { shape = rectangle(0, 0, 1, 0.25), oneWay = true },
  [9] = { shape = rectangle(0, 0.5, 1, 0.5), sensor = true },
}

-- The same cells as maps of one kind of cell each, in the order of the layers.
local function addLayers(world, grid)
  local function layer(values, fields)
    local looks = {}
    for value = 1, 9 do
      if not values[value] then looks[value] = false
      elseif LOOKS[value] then
        local look = LOOKS[value]
        looks[value] = type(look) == "table" and { shape = look.shape } or look
      end
    end
    fields.x, fields.y, fields.static, fields.shape = 0, 0, true, collide.tiles(grid, looks)
    return world:add(fields)
  end
  layer({ true, [7] = true }, {})
  layer({ [6] = true, [9] = true }, { sensor = true })
  layer({ [2] = true, [8] = true }, { oneWay = true })
  layer({ [3] = true }, { oneWay = "down" })
  layer({ [4] = true }, { oneWay = "left" })
  layer({ [5] = true }, { oneWay = "right" })
end

local function gridOf(rows)
  return collide.newGrid(rows, { cell = 10, values = KINDS })
end

local function randomGrid(rng)
  local grid = collide.newGrid(8, 8, { cell = 10 })
  local most = rng:int(1, 9)
  for column = 0, 7 do
    for row = 0, 7 do
      if rng:chance(0.4) then grid:set(column, row, rng:int(1, most)) end
    end
  end
  return grid
end

local function randomMover(rng)
  local kind, size = rng:int(1, 3), rng:int(2, 12)
  local shape = kind == 1 and rectangle(size, size + 1) or kind == 2 and circle(size / 2)
    or collide.polygon(0, 0, size, 2, size / 2, size)
  local whole = rng:chance(0.5)
  local function place() return whole and rng:int(-10, 85) or rng:float(-10, 85) end
  return { x = place(), y = place(), shape = shape }
end

describe("a map with walls, planks and sensors", function()
  it("stops moves like a map for each kind of cell (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    local met, crossed = 0, 0
    for round = 1, random.rounds(2500) do
      local grid = randomGrid(rng)
      local one, many = collide.newWorld(), collide.newWorld()
      one:add { x = 0, y = 0, static = true, shape = collide.tiles(grid, LOOKS) }
      addLayers(many, grid)
      local mover = randomMover(rng)
      local other = { x = mover.x, y = mover.y, shape = mover.shape }
      one:add(mover)
      many:add(other)
      local response = ({ "slide", "touch", "bounce", "cross" })[rng:int(1, 4)]
      for _ = 1, 4 do
        local dx, dy = rng:float(-30, 30), rng:float(-30, 30)
        if rng:chance(0.3) then dx, dy = rng:int(-3, 3) * 10, rng:int(-3, 3) * 10 end
        local text = ("round %d, from %.17g, %.17g by %.17g, %.17g"):format(round, mover.x, mover.y,
          dx, dy)
        local _, _, hits, n = one:move(mover, dx, dy, nil, response)
        local _, _, others, m = many:move(other, dx, dy, nil, response)
        assert.is_true(math.abs(other.x - mover.x) + math.abs(other.y - mover.y) < 1e-6,
          ("%s: %.17g, %.17g, not %.17g, %.17g"):format(text, mover.x, mover.y, other.x, other.y))
        if n > 0 and m > 0 and hits[n].response ~= "cross" and not hits[n].inside then
          local hit, want = hits[n], others[m]
          assert.is_true(math.abs(hit.nx - want.nx) + math.abs(hit.ny - want.ny) < 1e-6, text)
        end
        for i = 1, n do
          met = met + 1
          local isSensor = hits[i].value == 6 or hits[i].value == 9
          if isSensor then
            crossed = crossed + 1
            assert.equal("cross", hits[i].response)
          end
        end
      end
    end
    assert.is_true(met > random.often(1000) and crossed > random.often(200))
  end)

  it("has the way out of its solid cells, or else of its sensors (seed " .. SEED .. ")",
    function()
      local rng = random.new(SEED)
      local bodies, sensors = {}, {}
      for value = 1, 9 do
        local look, isSensor = LOOKS[value], value == 6 or value == 9
        local shape = look
        if type(look) == "table" then shape = look.shape end
        bodies[value], sensors[value] = shape, shape
        if isSensor then bodies[value] = false else sensors[value] = false end
      end
      for round = 1, random.rounds(1500) do
        local grid = randomGrid(rng)
        local map = { x = 0, y = 0, shape = collide.tiles(grid, LOOKS) }
        local body = { x = 0, y = 0, shape = collide.tiles(grid, bodies) }
        local water = { x = 0, y = 0, shape = collide.tiles(grid, sensors) }
        local mover = randomMover(rng)
        local want = { collide.overlap(mover, body) }
        if not want[1] then want = { collide.overlap(mover, water) } end
        assert.same(want, { collide.overlap(mover, map) }, "round " .. round)
        local world = collide.newWorld()
        local seen = {}
        for _, contact in ipairs(world:contacts(mover, map)) do seen[contact.value or 0] = true end
        assert.equal(collide.overlap(mover, body) ~= nil,
          next(seen) ~= nil and (seen[1] or seen[2] or seen[3] or seen[4] or seen[5] or seen[7]
            or seen[8] or false), "round " .. round)
        assert.equal(collide.overlap(mover, water) ~= nil, seen[6] or seen[9] or false,
          "round " .. round)
      end
    end)

  it("lists the faces of walls and sensors in contacts, with values", function()
    local map = { x = 0, y = 0, shape = collide.tiles(gridOf { "~~", "##" }, LOOKS) }
    local list = collide.newWorld():contacts({ x = 2, y = 6, shape = rectangle(5, 5) }, map)
    assert.equal(2, #list)
    assert.same({ 1, 1 }, { list[1].value, list[1].depth })
    assert.same({ 6, 4 }, { list[2].value, list[2].depth })
    assert.same({ 0, 1 }, { list[2].nx + 0, list[2].ny })
  end)

  it("has a face beside a sensor, and beside a plank", function()
    for _, other in ipairs { "~", "^", "v" } do
      local world = collide.newWorld()
      world:add { x = 0, y = 0, static = true, shape = collide.tiles(gridOf { other, "#" }, LOOKS) }
      local mover = world:add { x = 2, y = -20, shape = rectangle(4, 4) }
      local _, _, hits, n = world:move(mover, 0, 40)
      assert.equal(other == "^" and -4 or 6, mover.y)
      assert.equal(other == "~" and 2 or 1, n)
      assert.equal(KINDS[other == "^" and "^" or "#"], hits[n].value)
    end
  end)

  it("has planks that stop only movers that did not overlap their cell", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, static = true,
      shape = collide.tiles(gridOf { "^.", "..", "^^", "##" }, LOOKS) }
    local mover = world:add { x = 2, y = 5, shape = rectangle(4, 4) }
    assert.equal(16, select(2, world:move(mover, 0, 40))) -- it leaves the upper plank
    mover.y = 22
    assert.equal(26, select(2, world:move(mover, 0, 40))) -- within the lower one, to the floor
    mover.y = 22
    assert.equal(-18, select(2, world:move(mover, 0, -40)))
  end)

  it("prefers a value's own oneWay to the actor's, also if it is false", function()
    local grid = gridOf { "#^-" }
    local world = collide.newWorld()
    world:add { x = 0, y = 0, static = true, oneWay = "down",
      shape = collide.tiles(grid, { [8] = { oneWay = false }, [2] = { oneWay = "up" } }) }
    local function go(x, y, dy)
      local mover = world:add { x = x, y = y, shape = rectangle(4, 4) }
      local _, to = world:move(mover, 0, dy)
      world:remove(mover)
      return to
    end
    assert.same({ 16, 10 }, { go(3, -20, 36), go(3, 20, -36) })
    assert.same({ -24, -4 }, { go(13, 20, -44), go(13, -20, 36) })
    assert.same({ -4, 10 }, { go(23, -20, 36), go(23, 20, -36) })
    assert.is_true(world:fits { x = 3, y = 3, shape = rectangle(4, 4) })
    assert.is_false((world:fits { x = 23, y = 3, shape = rectangle(4, 4) }))
  end)

  it("calls the response for each value except sensors, and a filter for all", function()
    local world = collide.newWorld()
    local map = world:add { name = "map", x = 0, y = 0, static = true,
      shape = collide.tiles(gridOf { "~", "^", "#" }, LOOKS) }
    local mover = world:add { x = 2, y = -20, shape = rectangle(4, 4) }
    local asked = {}
    local _, _, hits, n = world:check(mover, 0, 60, nil, function(_, other, _, _, value)
      assert.equal(map, other)
      asked[#asked + 1] = value
      return value == 2 and "cross" or "slide"
    end)
    assert.same({ 2, 1 }, asked)
    local responses = {}
    for i = 1, n do responses[i] = hits[i].response .. hits[i].value end
    assert.same({ "cross6", "cross2", "slide1" }, responses)
    local count = 0
    world:check(mover, 0, 60, function() count = count + 1; return true end)
    assert.equal(2, count)
  end)

  it("is crossed, and reported once, if the actor is a sensor", function()
    local world = collide.newWorld()
    local map = world:add { x = 0, y = 0, static = true, sensor = true, shape = collide.tiles(
      collide.newGrid({ "~", "#" }, { cell = 10, values = KINDS }), { [6] = { sensor = true } }) }
    local mover = world:add { x = 2, y = -10, shape = rectangle(5, 5) }
    local x, y, hits, n = world:move(mover, 0, 30)
    assert.same({ 2, 20, map, "cross", 1 }, { x, y, hits[1].actor, hits[1].response, n })
  end)

  it("has errors that name the wrong key of a value", function()
    local grid = gridOf { "#" }
    for message, look in pairs {
      ['key of shapes[3] expected (one of oneWay, sensor, shape), got string "x"'] = { x = 1 },
      ['shapes[3].oneWay expected (boolean, "up"'] = { oneWay = 5 },
      ["shapes[3].sensor expected (boolean), got number 1"] = { sensor = 1 },
      ["shapes[3].shape expected (convex shape within a cell of side 1), got"] = { shape = 1 },
    } do
      raises({ "collide.tiles: " .. message }, collide.tiles, grid, { [3] = look })
    end
  end)
end)

describe("assert.keeps_out", function()
  it("accepts actors in planks and sensors of a map, but not in its walls", function()
    local world = collide.newWorld()
    world:add { group = "wall", x = 0, y = 0, static = true,
      shape = collide.tiles(gridOf { "^~#" }, LOOKS) }
    local mover = world:add { group = "ball", x = 2, y = 2, shape = rectangle(5, 5) }
    assert.keeps_out(world, "ball", "wall")
    mover.x = 12
    assert.keeps_out(world, "ball", "wall")
    mover.x = 18
    assert.is_false((pcall(assert.keeps_out, world, "ball", "wall")))
  end)
end)

describe("a character on planks of a map", function()
  it("drops through them, and not through the walls of the same map", function()
    local world = collide.newWorld()
    local map = collide.newGrid({ "......", "^^^###", "......", "######" }, { cell = 32,
      values = KINDS })
    local ground = walker.solid(world, "map", 0, 0, collide.tiles(map, LOOKS))
    local c, actor = walker.hero(world, 40, 32)
    c:move(0, 15, walker.FRAME)
    assert.same({ ground, 2 }, { c.floor, c.floorValue })
    c:drop()
    walker.run(c, 0, 60)
    assert.same({ 96, 1 }, { actor.y + 16, c.floorValue })
    c:drop()
    assert.equal(ground, c.floor)
    world:teleport(actor, 92, 16)
    c:move(0, 15, walker.FRAME)
    c:drop()
    walker.run(c, 0, 60)
    assert.equal(32, actor.y + 16) -- half on the wall
  end)
end)
