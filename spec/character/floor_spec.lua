-- The floor of a character: which surfaces count as a floor, ledges, one-way floors, and moving
-- floors.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local walker = require "spec.support.walker"

local near, raises = expect.near, expect.raises
local rectangle, polygon = collide.rectangle, collide.polygon
local solid, hero, run, floored = walker.solid, walker.hero, walker.run, walker.floored
local FRAME = walker.FRAME
local SEED = random.seed()

-- One-way tiles of side 16. Each pair in `rows` is the first and the last row of a filled band.
local function oneWayTiles(world, rows)
  local map = collide.newGrid(10, 12, { cell = 16 })
  for _, row in ipairs(rows) do map:fill(0, row[1], 10, row[2] - row[1] + 1, 1) end
  return solid(world, "tiles", 0, 0, collide.tiles(map), { oneWay = true })
end

describe("a character's floor", function()
  it("is found by a character of any size, with gravity and without", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", -1e6, 100, rectangle(2e6, 50))
    local c = hero(world, 3, 100)
    run(c, 60, 60, floored(c, floor))
    for frame = 1, 60 do
      c:move(60, 0, FRAME)
      floored(c, floor)(frame)
    end
  end)

  -- In every second frame it had no floor, and kept a part of its velocity into the floor.
  it("is the same in every frame between two steep slopes, in any order of adding", function()
    for _, order in ipairs { { 1, 2, 3 }, { 2, 1, 3 }, { 1, 3, 2 }, { 3, 2, 1 } } do
      local world, added = collide.newWorld(), {}
      local shapes = { polygon(74, 114, 119, 141, 119, 194, 74, 194),
        rectangle(119, 143, 8, 60), polygon(127, 143, 158, 114, 158, 223, 127, 223) }
      for _, i in ipairs(order) do added[i] = solid(world, "part " .. i, 0, 0, shapes[i]) end
      local actor = world:add { x = 124.68414577272, y = 136.95032094418,
        shape = collide.circle(6) }
      local c = world:newCharacter(actor, { snapLength = 6, maxSlope = 0.75049157835756 })
      local vy = 8.2828940275454
      for _ = 1, 10 do
        local _
        _, vy = c:move(-100, vy + 600 / 64, 1 / 64)
        assert.same({ added[2], 0 }, { c.floor, vy })
      end
    end
  end)

  it("is the one added first of two flush floors, in every frame", function()
    for first = 1, 2 do
      local world, added = collide.newWorld(), {}
      for k = first, 3 - first, 3 - 2 * first do
        added[#added + 1] = solid(world, "floor " .. k, k * 32, 100, rectangle(32, 20))
      end
      local actor = world:add { x = 64, y = 90, shape = collide.circle(10) }
      local c = world:newCharacter(actor, { snapLength = 4 })
      for _ = 1, 10 do
        c:move(0, 10, 1 / 60)
        assert.same({ added[1], 0, -1 }, { c.floor, c.floorNx, c.floorNy })
      end
    end
  end)

  it("is found beside a steep slope that was added first", function()
    local world = collide.newWorld()
    local steep = solid(world, "steep", 100, 100, polygon(-4, 20, 0, 0, 20, -100, 60, -100, 60, 20))
    local floor = solid(world, "floor", 0, 100, rectangle(300, 20))
    local c = hero(world, 50, 100)
    run(c, 90, 90, function(frame)
      floored(c, floor)(frame)
      assert.equal(frame > 22 and steep or nil, c.wall)
    end)
    run(c, 0, 10, floored(c, floor))
    world:remove(c.actor)
    local ball = world:add { x = 60, y = 92, shape = collide.circle(8) }
    c = world:newCharacter(ball)
    run(c, 90, 90, floored(c, floor))
    assert.equal(steep, c.wall)
  end)

  it("is kept when rounding tilts a velocity across a turned up", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 0, polygon(-400, -300, 400, 300, 340, 380, -460, -220))
    local ball = world:add { x = 4.8, y = -6.4, shape = collide.circle(8) }
    local c = world:newCharacter(ball, { up = { 0.6, -0.8 } })
    local vx, vy = 0, 0
    for frame = 1, 160 do
      local push = frame < 60 and 3 or 0
      local gravity = frame < 100 and 15 or 0
      vx, vy = c:move(vx - 0.6 * gravity + 0.8 * push, vy + 0.8 * gravity + 0.6 * push, FRAME)
      floored(c, floor)(frame)
    end
    near({ 0.8 * 177, 0.6 * 177 }, { vx, vy }, 1e-6)
    near({ 0.6, -0.8 }, { c.floorNx, c.floorNy })
  end)

  it("has its velocity reported also when it is carried, and kept if dt is 0", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local c = hero(world, 40, 100)
    c:move(0, 15, FRAME)
    world:carry(lift, 1, -2)
    world:carry(lift, 1, 1)
    c:move(0, 15, FRAME)
    near({ 120, -60 }, { c.floorVx, c.floorVy })
    c:move(0, 15, 0)
    near({ 120, -60 }, { c.floorVx, c.floorVy })
    c:move(0, 15, FRAME)
    assert.same({ 0, 0 }, { c.floorVx, c.floorVy })
    world:carry(lift, 1, 0)
    c:move(0, -100, FRAME)
    assert.same({ 0, 0 }, { c.floorVx, c.floorVy })
  end)

  it("is left by a character that is teleported", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local c, actor = hero(world, 40, 100)
    c:move(0, 15, FRAME)
    world:teleport(actor, 200, 50)
    assert.is_nil(c.floor)
    lift.x = 30
    c:move(0, 0, FRAME)
    assert.equal(200, actor.x)
  end)

  it("carries no riders when it is removed and added elsewhere", function()
    local world = collide.newWorld()
    solid(world, "ground", -1000, 300, rectangle(3000, 20))
    local floor = solid(world, "floor", 0, 100, rectangle(200, 20))
    local c = hero(world, 50, 100)
    run(c, 0, 2, floored(c, floor))
    local x = c.actor.x
    world:remove(floor)
    floor.x = 500
    world:add(floor)
    c:move(0, 10, FRAME)
    assert.is_nil(c.floor)
    near({ x }, { c.actor.x }, 1e-9)
  end)

  it("is named in errors of character:move and world:carry if its place is invalid", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 100, rectangle(100, 20))
    local c, actor = hero(world, 50, 100)
    c:move(0, 10, FRAME)
    local y = actor.y
    for name, value in pairs { x = "left", y = false, angle = 0 / 0 } do
      local was, message = floor[name], { 'actor 1 "floor"', name .. " expected (" }
      floor[name] = value
      message[3] = "character:move: "
      raises(message, c.move, c, 0, 10, FRAME)
      message[3] = "world:carry: "
      raises(message, world.carry, world, floor, 1, 1)
      floor[name] = was
      assert.same({ 50, y, floor }, { actor.x, actor.y, c.floor })
    end
  end)

  it("carries a character that is about to jump if dt is 0", function()
    local world = collide.newWorld()
    local lift = solid(world, "lift", 0, 100, rectangle(100, 10))
    local c, actor = hero(world, 40, 100)
    c:move(0, 15, FRAME)
    lift.x = 3
    assert.same({ 0, -300 }, { c:move(0, -300, 0) })
    assert.same({ lift, 43 }, { c.floor, actor.x })
  end)
end)

describe("a character in a valley as wide as it is", function()
  it("continues up the other slope, and stops at a wall", function()
    for start = 101, 180 do
      local tall = start % 2 == 0
      local world = collide.newWorld()
      solid(world, "left", 0, 100, tall and rectangle(100, 50) or polygon(0, -25, 100, 0, 100, 50))
      solid(world, "middle", 100, 100, rectangle(16, 50))
      solid(world, "right", 116, 100, polygon(0, 0, 100, -100, 100, 50, 0, 50))
      local wall = tall and solid(world, "wall", 80, 0, rectangle(20, 100)) or nil
      local c, actor = hero(world, start, 200 - start, { snapLength = 40 })
      c:move(0, 1, FRAME)
      local vx = c:move(-600, 15, 0.25)
      assert.same({ tall and 0 or -600, wall }, { vx, c.wall })
      if tall then assert.same({ 100, 84 }, { actor.x, actor.y }) end
      if not tall then assert.is_true(actor.x < 85) end
    end
  end)
end)

describe("a character that rides", function()
  --    \   /\   /
  --     \ /..\ /        the ceiling: its sides meet above the middle of the hero,
  --      |hero|         and touch both its upper corners
  --   +----------+
  --   |   lift   |
  it("stays between two sides of a steep ceiling, crushed by the lift", function()
    for _, degrees in ipairs { 30, 35, 40, 44 } do
      local world = collide.newWorld()
      local lift = solid(world, "lift", -50, 0, rectangle(100, 10))
      local c, actor = hero(world, -8, 0)
      local t = math.tan(math.rad(degrees))
      local top = -16 - 8 / t - 1e-10 -- no rounding puts them inside
      for side = -1, 1, 2 do
        solid(world, "side", 0, 0, polygon(0, top, side * 99 * t, top + 99, side * 999, top))
      end
      c:move(0, 15, FRAME)
      assert.equal(lift, c.floor)
      lift.y = -5
      c:move(0, 15, FRAME)
      near({ -8, -16 }, { actor.x, actor.y })
      assert.same({ lift, true }, { c.floor, c.crushed })
    end
  end)

  it("does not end inside its floor by rounding", function()
    local world = collide.newWorld()
    local ball = solid(world, "ball", 253.84356311510214, 138.42684266205404,
      collide.capsule(0, -4, 0, 4, 5))
    local rider = world:add { x = 254.69745882048699, y = 115.50029598874166,
      shape = rectangle(10, 14) }
    local c = world:newCharacter(rider, { snapLength = 5 })
    c:move(0, 15, FRAME)
    ball.x, ball.y = 254.5380075595466, 139.19556050742159
    c:move(0, 15, 1 / 144)
    assert.equal(ball, c.floor)
    assert.is_nil(collide.overlap(rider, ball))
  end)
end)

describe("a character at ledges", function()
  it("climbs them at any speed, even if it is round", function()
    for _, speed in ipairs { 6, 60, 200, 1500 } do
      local world = collide.newWorld()
      solid(world, "floor", 0, 100, rectangle(300, 20))
      local ledge = solid(world, "ledge", 60, 94, rectangle(400, 6))
      local ball = world:add { x = 40, y = 92, shape = collide.circle(8) }
      local c = world:newCharacter(ball, { stepHeight = 7, snapLength = 7 })
      run(c, speed, math.ceil(30 / (speed * FRAME)), function(frame)
        assert.is_truthy(c.floor, "in the air in frame " .. frame)
      end)
      assert.equal(ledge, c.floor)
      near({ 86 }, { ball.y })
    end
  end)

  it("flies over a fence before a pit, if it is fast enough to pass it in one frame", function()
    local world = collide.newWorld()
    solid(world, "floor", 0, 100, rectangle(100, 20))
    solid(world, "fence", 98, 96, rectangle(2, 4))
    local c, actor = hero(world, 40, 100, { stepHeight = 5, snapLength = 5 })
    run(c, 1500, 8)
    assert.is_true(actor.x > 120)
  end)

  it("uses its options as they change", function()
    local world = collide.newWorld()
    local floor = solid(world, "floor", 0, 100, rectangle(100, 20))
    local ledge = solid(world, "ledge", 60, 92, rectangle(40, 8))
    local c = hero(world, 20, 100)
    run(c, 120, 30)
    assert.same({ floor, ledge }, { c.floor, c.wall })
    c.stepHeight = 8
    run(c, 120, 10)
    assert.equal(ledge, c.floor)
    local slope = solid(world, "slope", 200, 100, polygon(0, 0, 100, -100, 100, 0))
    world:teleport(c.actor, 240, 30)
    run(c, 0, 20)
    assert.equal(slope, c.floor)
    c.maxSlope = math.rad(44)
    run(c, 0, 1)
    assert.is_nil(c.floor)
    for option, value in pairs { stepHeight = -1, snapLength = "x", maxSlope = 2 } do
      local before = c[option]
      c[option] = value
      raises({ "character:move: character." .. option .. " expected (" }, c.move, c, 0, 0, FRAME)
      c[option] = before
    end
  end)
end)

describe("a character on one-way tiles", function()
  it("drops from row to row, though it always touches one of them", function()
    local world = collide.newWorld()
    local tiles = oneWayTiles(world, { { 4, 4 }, { 6, 6 }, { 8, 8 } })
    local c, actor = hero(world, 40, 64)
    c:move(0, 15, FRAME)
    for _, y in ipairs { 96, 128 } do
      assert.equal(tiles, c.floor)
      c:drop()
      assert.is_nil(c.floor)
      run(c, 0, 60)
      assert.equal(y, actor.y + 16)
    end
  end)

  it("drops through all of a thick floor, and jumps through it from below", function()
    local world = collide.newWorld()
    oneWayTiles(world, { { 4, 6 }, { 11, 11 } })
    local c, actor = hero(world, 40, 64)
    c:move(0, 15, FRAME)
    c:drop()
    run(c, 0, 90)
    assert.equal(176, actor.y + 16)
    for vy = -600, -420, 20 do
      run(c, 0, 120, nil, vy)
      assert.equal(vy * vy / 2 / walker.GRAVITY + vy / 120 > 113 and 64 or 176, actor.y + 16)
      world:teleport(actor, 40, 160)
      c:move(0, 15, FRAME)
    end
  end)

  it("does not drop while it also stands on something solid", function()
    local world = collide.newWorld()
    local plate = solid(world, "plate", 0, 100, rectangle(100, 10), { oneWay = true })
    solid(world, "rock", 100, 100, rectangle(100, 10))
    local c, actor = hero(world, 90, 100)
    c:move(0, 15, FRAME)
    assert.equal(plate, c.floor)
    c:drop()
    run(c, 0, 5, function() assert.is_truthy(c.floor) end)
    assert.equal(84, actor.y)
  end)

  it("does not drop when it jumps instead", function()
    local world = collide.newWorld()
    local plate = solid(world, "plate", 0, 100, rectangle(100, 10), { oneWay = true })
    local c, actor = hero(world, 40, 100)
    c:move(0, 15, FRAME)
    c:drop()
    local _, vy = c:move(0, -200, FRAME)
    run(c, 0, 60, nil, vy)
    assert.same({ plate, 84 }, { c.floor, actor.y })
  end)

  -- The characters of a world by floor, read from their fields.
  local function byFloor(world)
    local all = {}
    for actor, character in pairs(world._characters) do
      if world:has(actor) and character.floor then
        all[character.floor] = all[character.floor] or {}
        all[character.floor][character] = true
      end
    end
    return all
  end

  it(("carries all characters on it, whatever happened to them (seed %d)"):format(SEED), function()
    for seed = SEED, SEED + random.rounds(20) - 1 do
      local r = random.new(seed)
      local world = collide.newWorld()
      local lifts, actors, kept = {}, {}, nil
      for i = 1, 4 do lifts[i] = solid(world, "lift", 100 * i, 100, rectangle(90, 10)) end
      for i = 1, 12 do
        actors[i] = world:add { x = 100 * r:int(4) + 7 * i, y = 80, shape = rectangle(5, 20) }
        world:newCharacter(actors[i])
      end
      for _ = 1, 200 do
        local actor, what = actors[r:int(12)], r:int(12)
        local character = world._characters[actor]
        if what == 1 then kept = world:snapshot()
        elseif what == 2 and kept then world:restore(kept)
        elseif what == 3 then world:remove(actor)
        elseif what == 4 and not world:has(actor) then world:newCharacter(world:add(actor))
        elseif what == 5 and character then world:teleport(actor, 100 * r:int(4) + 20, 80)
        elseif what == 6 and character then character:drop()
        elseif what == 7 and character then character.floor = lifts[r:int(4)]
        elseif character then character:move(r:int(-200, 200), r:int(-99, 200), FRAME) end
        if what == 7 and character then character:move(0, 0, 0) end
        local lift = lifts[r:int(4)]
        local before, on = {}, byFloor(world)[lift] or {}
        for one in pairs(on) do before[one] = one._carriedX end
        world:carry(lift, 0.5, 0)
        for one in pairs(on) do
          assert.equal(before[one] + 0.5, one._carriedX, "seed " .. seed)
        end
        world:carry(lift, -0.5, 0)
      end
    end
  end)
end)

-- The eight images of a scene: each maps a vector.
local IMAGES = {
  function(x, y) return x, y end, function(x, y) return -x, y end,
  function(x, y) return x, -y end, function(x, y) return -x, -y end,
  function(x, y) return -y, x end, function(x, y) return y, x end,
  function(x, y) return -y, -x end, function(x, y) return y, -x end,
}

describe("a character that is mirrored or turned by a quarter, with its scene and `up`,", function()
  -- Corners of a floor, a slope, a step, a wall, the top of the slope and a ceiling.
  local GROUND = {
    { 0, 40, 120, 40, 120, 60, 0, 60 }, { 120, 40, 160, 24, 160, 60, 120, 60 },
    { 60, 36, 80, 36, 80, 40, 60, 40 }, { 200, -40, 216, -40, 216, 60, 200, 60 },
    { 160, 24, 200, 24, 200, 60, 160, 60 }, { 20, -8, 60, -8, 60, 0, 20, 0 },
  }

  local function play(image)
    local function mapped(points)
      local out = {}
      for i = 1, #points, 2 do out[i], out[i + 1] = image(points[i], points[i + 1]) end
      return out
    end
    local world = collide.newWorld()
    for i, points in ipairs(GROUND) do
      world:add { x = 0, y = 0, static = true, name = i, shape = collide.polygon(mapped(points)) }
    end
    local x, y = image(10, 30)
    local actor = world:add { x = x, y = y,
      shape = collide.polygon(mapped { -4, -8, 4, -8, 4, 8, -4, 8 }) }
    local ux, uy = image(0, -1)
    local character = world:newCharacter(actor, { up = { ux, uy }, snapLength = 4, stepHeight = 6 })
    local log, vx, vy = {}, 0, 0
    for frame = 1, 240 do
      local dx, dy = image(frame < 160 and 64 or -64, 0)
      local gx, gy = image(0, 8)
      -- It walks across `up`, and falls along it.
      local along = vx * ux + vy * uy
      vx, vy = dx + along * ux + gx, dy + along * uy + gy
      if frame % 50 == 0 and character.floor then vx, vy = vx + 128 * ux, vy + 128 * uy end
      vx, vy = character:move(vx, vy, 1 / 64)
      log[frame] = { actor.x, actor.y, vx, vy, character.floor and character.floor.name,
        character.wall and character.wall.name }
    end
    return log
  end

  it("goes the same way to the bit", function()
    local straight = play(IMAGES[1])
    for _, image in ipairs(IMAGES) do
      local log = play(image)
      for frame, expected in ipairs(straight) do
        local x, y = image(expected[1], expected[2])
        local vx, vy = image(expected[3], expected[4])
        assert.same({ x + 0, y + 0, vx + 0, vy + 0, expected[5], expected[6] },
          { log[frame][1] + 0, log[frame][2] + 0, log[frame][3] + 0, log[frame][4] + 0,
            log[frame][5], log[frame][6] })
      end
    end
  end)
end)
