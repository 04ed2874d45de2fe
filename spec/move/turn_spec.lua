-- world:turn: against a plain model, which turns in many small steps and asks world:overlap.
local collide = require "collide"
local random = require "spec.support.random"
local zoo = require "spec.support.zoo"

local SEED = random.seed()
local box = collide.rectangle(10, 10)
local rod = collide.rectangle(-2, -30, 4, 60)

-- How far beyond the end the model must find an overlap at most, and where it looks.
local BEYOND = { 2 ^ -20, 2 ^ -22, 2 ^ -25, 2 ^ -30, 2 ^ -35, 2 ^ -40, 2 ^ -43 }
local STEPS = 24

-- A small map of cells with gaps.
local function cells(rng)
  local grid = collide.newGrid(8, 8, { cell = rng:float(4, 12) })
  for _ = 1, rng:int(1, 20) do grid:set(rng:int(0, 7), rng:int(0, 7), rng:int(1, 2)) end
  local tiles = { [2] = collide.polygon(0, 0, 1, 1, 0, 1) }
  return collide.tiles(grid, rng:chance(0.5) and tiles or nil)
end

local function scene(rng)
  local world, others = collide.newWorld(), {}
  local turner = world:add { x = rng:float(-20, 20), y = rng:float(-20, 20),
    angle = rng:float(-4, 4), shape = zoo.any(rng, rng:float(30, 90)) }
  for i = 1, rng:int(1, 5) do
    local tiles = rng:chance(0.15)
    local at, far = rng:float(0, 2 * math.pi), rng:float(15, 60)
    others[i] = world:add { id = i, x = turner.x + far * math.cos(at),
      y = turner.y + far * math.sin(at),
      angle = not tiles and rng:float(-4, 4) or nil, static = tiles or rng:chance(0.5),
      sensor = rng:chance(0.15), shape = tiles and cells(rng) or zoo.any(rng, rng:float(5, 40)) }
  end
  return world, turner, others
end

-- The actors that overlap the turner at its start, and the sensors.
local function model(world, turner, others)
  local inside, sensors = {}, {}
  for _, other in ipairs(others) do
    if other.sensor then sensors[#sensors + 1] = other
    elseif world:overlap(turner, other) then inside[#inside + 1] = other end
  end
  return inside, sensors
end

local function play(seed)
  local rng = random.new(seed)
  local world, turner, others = scene(rng)
  local start, da = turner.angle, rng:float(-1, 1) * rng:pick { 0.1, 2, 7 }
  local inside, sensors = model(world, turner, others)
  local to, hits, n = world:turn(turner, da)
  assert(turner.angle == to and n == #hits, "angle and number")
  local last = hits[n]
  local stopped = last and last.response == "touch"
  local turned = to - start
  assert(stopped or to == start + da, "it ends early")
  assert(turned * da >= 0 and math.abs(turned) <= math.abs(da) + 1e-12, "too far")
  local crossed = {}
  for k = 0, STEPS do
    turner.angle = k == STEPS and to or start + turned * (k / STEPS)
    assert(world:fits(turner, nil, inside), "it overlaps something on the way")
    for _, sensor in ipairs(sensors) do
      crossed[sensor] = crossed[sensor] or world:overlap(turner, sensor)
    end
  end
  if stopped then
    local beyond
    for _, by in ipairs(BEYOND) do
      turner.angle = to + (da > 0 and by or -by)
      beyond = beyond or world:overlap(turner, last.actor)
    end
    assert(beyond, "nothing is beyond")
    assert(math.abs(last.nx ^ 2 + last.ny ^ 2 - 1) < 1e-12, "no unit normal")
    assert(last.t <= 1 and math.abs(last.t * da - turned) < 1e-9, "t")
  end
  for i, hit in ipairs(hits) do
    assert(hit.actor.sensor or (stopped and i == n), "a hit of what neither stops nor is a sensor")
    crossed[hit.actor] = nil
    assert(i == 1 or hits[i - 1].t <= hit.t, "the order of hits")
  end
  assert(not next(crossed), "a sensor is missing")
  return stopped
end

describe("world:turn", function()
  it("names the part that it met", function()
    local world = collide.newWorld()
    local turner = world:add { x = 0, y = 0, shape = collide.rectangle(0, -1, 20, 2) }
    world:add { x = 10, y = 10, static = true, shape = collide.compound {
      foot = collide.rectangle(-4, 4, 8, 4), head = collide.circle(4) } }
    local _, hits = world:turn(turner, 2)
    assert.equal("head", hits[1].part)
  end)

  it("ends where the small steps of a model end, for seeds from " .. SEED, function()
    local stops = 0
    for seed = SEED, SEED + random.rounds(10000) - 1 do
      local ok, stopped = pcall(play, seed)
      assert(ok, ("seed %d: %s"):format(seed, tostring(stopped)))
      if stopped then stops = stops + 1 end
    end
    assert.is_true(stops >= random.often(2000), stops)
  end)
end)

describe("a turn", function()
  local world, wall, turner
  before_each(function()
    world = collide.newWorld()
    wall = world:add { name = "wall", group = "wall", x = 20, y = -50, static = true,
      shape = collide.rectangle(10, 100) }
    turner = world:add { group = "rod", x = 0, y = 0, shape = rod }
  end)

  it("ends at the first contact, and queries see that at once", function()
    local to, hits, n = world:turn(turner, 3)
    assert.equal(turner.angle, to)
    assert.is_true(math.abs(to - 0.661180228075068) < 1e-12)
    local hit = hits[1]
    assert.same({ 1, wall, "touch", -1, 0, 0, 0 },
      { n, hit.actor, hit.response, hit.nx, hit.ny, hit.x, hit.y })
    assert.is_true(math.abs(hit.px - 20) < 1e-9 and math.abs(hit.t - to / 3) < 1e-12)
    assert.same({ turner }, (world:queryPoint(19.99, hit.py, "rod")))
    assert.equal(to, world:turn(turner, 1), "where it is stopped, it stays")
    assert.equal(0, turner.x)
  end)

  it("is complete if nothing is in the way", function()
    local to, hits, n = world:turn(turner, -0.5)
    assert.same({ -0.5, 0, -0.5 }, { to, n, turner.angle })
    assert.equal(hits, select(2, world:turn(turner, 0)))
    assert.error_matches(function() hits[1] = {} end, "can't be changed")
    turner.angle = 1e6
    assert.equal(1e6 + 0.01, (world:turn(turner, 0.01, "none of these")))
  end)

  it("fills a given list", function()
    local list = { 1, 2, 3 }
    local _, hits, n = world:turn(turner, 3, nil, nil, list)
    assert.same({ list, 1, 1 }, { hits, n, #list })
    world:turn(turner, -0.1, nil, nil, list)
    assert.equal(0, #list)
  end)

  it("is not stopped by actors that it overlaps at its start", function()
    turner.angle = math.pi / 2
    local _, _, n = world:turn(turner, 3)
    assert.same({ math.pi / 2 + 3, 0 }, { turner.angle, n })
  end)

  it("crosses sensors, and reports sensors that it starts in", function()
    local near = world:add { x = 0, y = -5, sensor = true, shape = box }
    local far = world:add { x = 8, y = -30, sensor = true, shape = collide.circle(3) }
    local _, hits, n = world:turn(turner, 3)
    assert.same({ 3, near, far, wall }, { n, hits[1].actor, hits[2].actor, hits[3].actor })
    assert.same({ "cross", true, 0 }, { hits[1].response, hits[1].inside, hits[1].t })
    assert.same({ "cross", "touch" }, { hits[2].response, hits[3].response })
  end)

  it("is not stopped by one-way actors, and never stopped for an upright shape", function()
    wall.oneWay = true
    world:refresh(wall)
    assert.equal(3, (world:turn(turner, 3)))
    local upright = world:add { x = 0, y = 0, shape = rod:upright() }
    assert.equal(50, (world:turn(upright, 50)))
    assert.equal(50, upright.angle)
  end)

  it("is stopped only by actors that pass its filter", function()
    assert.equal(3, (world:turn(turner, 3, "rod")))
    assert.equal(1, select(3, world:turn(turner, -3, { "wall" })))
    turner.angle = 0
    local asked = {}
    world:turn(turner, 3, function(...) asked = { ... }; return false end)
    assert.same({ 3, wall, turner }, { turner.angle, asked[1], asked[2] })
    turner.angle = 0
    assert.error_matches(function() world:turn(turner, 3, function() return "touch" end) end,
      "a response goes after the filter")
    assert.error_matches(function() world:turn(turner, 3, "touch") end,
      "a response goes after the filter")
    assert.equal(0, turner.angle)
  end)

  it("calls a function for each actor that it meets", function()
    local asked
    local function respond(...) asked = { ... }; return "cross" end
    local _, hits, n = world:turn(turner, 3, nil, respond)
    assert.same({ turner, wall, -1, 0 }, asked)
    assert.same({ 3, 1, "cross" }, { turner.angle, n, hits[1].response })
    turner.angle = 0
    assert.equal(0, select(3, world:turn(turner, 3, nil, function() end)))
  end)

  it("changes nothing if a function raises or yields", function()
    for _, respond in ipairs { function() error "oh" end, coroutine.yield } do
      assert.error(coroutine.wrap(function() world:turn(turner, 3, nil, respond) end))
      assert.is_nil(turner.angle)
      world:move(turner, 0, 0)
    end
    world:turn(turner, 3, nil, function()
      assert.error_matches(function() world:turn(turner, 1) end, "moving an actor")
    end)
  end)

  it("calls the function with the values of cells, and sees changes of the cells", function()
    local grid = collide.newGrid(10, 10, { cell = 5 })
    local map = world:add { x = 10, y = -25, static = true, shape = collide.tiles(grid) }
    grid:set(0, 0, 7)
    grid:set(1, 0, 3)
    local values = {}
    local _, hits, n = world:turn(turner, 3, nil, function(_, other, _, _, value)
      if other ~= map then return "touch" end
      values[#values + 1] = value
      grid:set(0, 1, 9)
      return value == 7 and "cross" or nil
    end)
    assert.same({ 7, 9, 3 }, values)
    assert.same({ 2, 7, 0, 0, "cross" }, { n, hits[1].value, hits[1].column, hits[1].row,
      hits[1].response })
    assert.same({ wall, "touch" }, { hits[2].actor, hits[2].response })
  end)

  it("distinguishes walls, planks and sensors in one map", function()
    local grid = collide.newGrid(10, 10, { cell = 5 })
    local tiles = collide.tiles(grid, { [2] = { oneWay = true }, [3] = { sensor = true },
      [4] = { sensor = true } })
    local map = world:add { x = 10, y = -25, static = true, shape = tiles }
    grid:set(0, 0, 2)
    grid:set(0, 1, 3)
    grid:set(0, 2, 4)
    local _, hits, n = world:turn(turner, 3)
    assert.same({ 3, map, map, wall }, { n, hits[1].actor, hits[2].actor, hits[3].actor })
    assert.same({ "cross", "cross", 3, 4 }, { hits[1].response, hits[2].response, hits[1].value,
      hits[2].value })
    turner.angle = 0
    grid:set(1, 1, 1)
    _, hits, n = world:turn(turner, 3)
    assert.same({ 3, map, 1, "touch" }, { n, hits[3].actor, hits[3].value, hits[3].response })
    turner.angle, wall.sensor = 0.6, true
    world:refresh(wall)
    _, hits = world:turn(turner, 0.01)
    assert.same({ true, 3 }, { hits[1].inside, hits[1].value })
  end)

  it("is not stopped at a hinge that touches a post", function()
    world:add { x = -10, y = -100, static = true, shape = collide.rectangle(10, 100) }
    local door = world:add { x = 0, y = 0, shape = collide.rectangle(0, 0, 15, 2) }
    assert.equal(math.pi / 2, (world:turn(door, math.pi / 2, "default")))
    assert.equal(0, (world:turn(door, -math.pi / 2, "default")))
  end)

  it("is refused", function()
    for _, response in ipairs { "slide", "bounce", 7 } do
      assert.error_matches(function() world:turn(turner, 1, nil, response) end,
        'response expected %("touch", "cross", "push" or function%)')
      local function respond() return response end
      assert.error_matches(function() world:turn(turner, 3, nil, respond) end,
        'what response returns expected %("touch", "cross", "push" or nil%)')
    end
    for _, da in ipairs { 16 * math.pi + 1e-9, -51, 0 / 0, "1" } do
      assert.error_matches(function() world:turn(turner, da) end, "da expected %(angle in radians")
    end
    assert.equal(16 * math.pi, (world:turn(turner, 16 * math.pi, "rod")))
    turner.angle = 2 ^ 30
    assert.error_matches(function() world:turn(turner, 1) end, "angle %+ da expected")
    local map = world:add { x = 0, y = 900, static = true,
      shape = collide.tiles(collide.newGrid(2, 2)) }
    assert.error_matches(function() world:turn(map, 1) end, "tiles")
    local still = collide.newWorld { fields = { angle = false } }
    local actor = still:add { x = 0, y = 0, shape = box }
    assert.error_matches(function() still:turn(actor, 1) end, "this world reads no angle")
  end)
end)

describe("a turn that pushes", function()
  local world, turner, crate
  before_each(function()
    world = collide.newWorld()
    turner = world:add { name = "rod", x = 0, y = 0, shape = rod }
    crate = world:add { name = "crate", x = 12, y = -26, shape = collide.rectangle(-3, -3, 6, 6) }
  end)

  it("pushes actors out of its way, all the way round", function()
    for _, da in ipairs { 3, -6, 12 } do
      local to, hits, n = world:turn(turner, da, nil, "push")
      assert.same({ turner.angle, 1, crate, "push" }, { to, n, hits[1].actor, hits[1].response })
      assert.is_nil(world:overlap(turner, crate))
    end
    assert.equal(9, turner.angle)
  end)

  it("ends before an actor that cannot get out of the way", function()
    local x = crate.x
    world:add { x = 18, y = -60, static = true, shape = collide.rectangle(20, 80) }
    local to, hits, n = world:turn(turner, 3, nil, "push")
    assert.is_true(to > 0 and to < 0.6)
    assert.same({ 1, crate }, { n, hits[1].actor })
    assert.is_true(crate.x >= x and crate.x <= 15)
    assert.is_nil(world:overlap(turner, crate))
    for _, actor in ipairs(world:actors()) do
      assert.is_true(actor == crate or not world:overlap(crate, actor))
    end
    crate.static = true
    world:refresh(crate)
    assert.equal("touch", select(2, world:turn(turner, 3, nil, "push"))[1].response)
  end)

  it("pushes actors that a pushed actor runs into", function()
    local second = world:add { x = 22, y = -20, shape = collide.circle(4) }
    local x = second.x
    world:turn(turner, 1.5, nil, "push")
    assert.equal(1.5, turner.angle)
    assert.is_true(second.x ~= x)
    assert.is_nil(world:overlap(crate, second))
    assert.is_nil(world:overlap(turner, second))
  end)

  it("moves everything back if a function raises", function()
    local x, y, asked = crate.x, crate.y, 0
    world:add { x = 22, y = -20, shape = collide.circle(4) }
    local function respond()
      asked = asked + 1
      if asked > 4 then error "enough" end
      return "push"
    end
    assert.error_matches(function() world:turn(turner, 3, nil, respond) end, "enough")
    assert.same({ x, y }, { crate.x, crate.y })
    assert.is_nil(turner.angle)
    assert.same({ crate }, (world:queryPoint(x, y)))
  end)

  it("leaves no overlap, for seeds from " .. SEED, function()
    for seed = SEED, SEED + random.rounds(400) - 1 do
      local rng = random.new(seed)
      local w = collide.newWorld()
      local t = w:add { x = 0, y = 0, shape = zoo.any(rng, 60) }
      local others = {}
      for i = 1, 6 do
        local at, far = rng:float(0, 7), rng:float(15, 60)
        local other = { id = i, x = far * math.cos(at), y = far * math.sin(at),
          static = rng:chance(0.3), shape = zoo.shape(rng, rng:pick { "circle", "rectangle" }, 20) }
        if w:fits(other) then others[#others + 1] = w:add(other) end
      end
      local da = rng:float(-7, 7)
      local to = w:turn(t, da, nil, "push")
      assert(math.abs(to) <= math.abs(da) and to * da >= 0)
      for i, other in ipairs(others) do
        assert(not w:overlap(t, other), ("seed %d: %d is in the turner"):format(seed, i))
        for k = 1, i - 1 do
          assert(not w:overlap(others[k], other), ("seed %d: %d, %d"):format(seed, k, i))
        end
      end
    end
  end)
end)
