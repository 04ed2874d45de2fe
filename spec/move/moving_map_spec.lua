-- Maps that move: actors of tiles that are not static.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near, raises = expect.near, expect.raises
local rectangle, circle = collide.rectangle, collide.circle
local SEED = random.seed()
local CELL, COLUMNS, ROWS = 10, 5, 5

local function newMap(rows, looks)
  local values = { ["#"] = 1, ["="] = 2, ["~"] = 3 }
  return collide.tiles(collide.newGrid(rows, { cell = CELL, values = values }), looks)
end

-- Some cells as a map, and as a box for each.
local function anyCells(rng)
  local grid, boxes = collide.newGrid(COLUMNS, ROWS, { cell = CELL }), {}
  for row = 0, ROWS - 1 do
    for column = 0, COLUMNS - 1 do
      if rng:chance(0.4) then
        grid:set(column, row, 1)
        boxes[#boxes + 1] = rectangle(CELL * column, CELL * row, CELL, CELL)
      end
    end
  end
  if #boxes == 0 then
    grid:set(0, 0, 1)
    boxes[1] = rectangle(CELL, CELL)
  end
  return collide.tiles(grid), boxes
end

local function anyMover(rng)
  local size = rng:int(2, 12)
  local kind = rng:int(1, 3)
  local shape = kind == 1 and rectangle(size, size + 1) or kind == 2 and circle(size / 2)
    or collide.polygon(0, 0, size, 2, size / 2, size)
  return { x = rng:int(-10, 55), y = rng:int(-10, 55), shape = shape }
end

-- Whether the last step of a world has found a hit with `actor`.
local function isHit(world, actor)
  local next, state, at = world:hits(actor)
  return next(state, at) ~= nil
end

local function apart(a, b)
  return math.max(math.abs(a.x - b.x), math.abs(a.y - b.y))
end

describe("a map that moves", function()
  it("hits and stops like a box for each cell (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    local hits, met = 0, 0
    for round = 1, random.rounds(2000) do
      local shape, boxes = anyCells(rng)
      local one, many = collide.newWorld(), collide.newWorld()
      local map = one:add { x = 0, y = 0, shape = shape }
      local parts = {}
      for i, box in ipairs(boxes) do parts[i] = many:add { x = 0, y = 0, shape = box } end
      local mover = anyMover(rng)
      local other = { x = mover.x, y = mover.y, shape = mover.shape }
      one:add(mover)
      many:add(other)
      for frame = 1, 5 do
        local dx, dy = rng:int(-4, 4), rng:int(-4, 4)
        map.x, map.y = map.x + dx, map.y + dy
        for _, part in ipairs(parts) do part.x, part.y = part.x + dx, part.y + dy end
        one:step()
        many:step()
        local text = ("round %d, frame %d"):format(round, frame)
        assert.equal(isHit(many, other), isHit(one, mover), text)
        if isHit(one, mover) then
          hits = hits + 1
          break -- the ways out of a map and of its boxes one by one differ
        end
        local wayX, wayY = rng:int(-20, 20), rng:int(-20, 20)
        local n = select(4, one:move(mover, wayX, wayY))
        local m = select(4, many:move(other, wayX, wayY))
        assert.is_true(apart(mover, other) < 1e-6, text)
        assert.equal(m > 0, n > 0, text)
        met = met + (n > 0 and 1 or 0)
      end
    end
    assert.is_true(hits > random.often(200) and met > random.often(500), hits .. met)
  end)

  it("carries and pushes like a compound of boxes (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    local moved, same, other = 0, 0, 0
    for _ = 1, random.rounds(2500) do
      local shape, boxes = anyCells(rng)
      local worlds, maps, riders = {}, {}, {}
      local crowd = {}
      for k = 1, 3 do crowd[k] = anyMover(rng) end
      local wall = rng:int(60, 80)
      for i = 1, 2 do
        local world = collide.newWorld()
        maps[i] = world:add { x = 0, y = 0, shape = i == 1 and shape or collide.compound(boxes) }
        world:add { x = wall, y = -100, shape = rectangle(10, 300), static = true }
        worlds[i], riders[i] = world, {}
        for k, a in ipairs(crowd) do
          riders[i][k] = world:add { x = a.x, y = a.y, shape = a.shape }
          world:move(riders[i][k], 0, 0) -- out of the map and the wall
        end
      end
      local dx, dy = rng:int(-8, 8), rng:int(-8, 8)
      local clear = true
      for k = 1, 3 do
        clear = clear and apart(riders[1][k], riders[2][k]) < 1e-6
        for _, world in ipairs(worlds) do
          local i = world == worlds[1] and 1 or 2
          clear = clear and not world:overlap(riders[i][k], maps[i])
        end
      end
      if clear then
        local _, n = worlds[1]:carry(maps[1], dx, dy)
        local _, m = worlds[2]:carry(maps[2], dx, dy)
        if n == 0 and m == 0 then
          for k = 1, 3 do
            if apart(riders[1][k], crowd[k]) > 0.5 then moved = moved + 1 end
            -- If two faces push at the same moment, either may count.
            if apart(riders[1][k], riders[2][k]) > 1e-6 then other = other + 1 end
            same = same + 1
          end
        end
      end
    end
    assert.is_true(moved > random.often(500) and same > random.often(2000))
    assert.is_true(other <= same / 1000, other)
  end)

  it("has riders, also characters, and pushes only with its walls and planks", function()
    local world = collide.newWorld()
    local map = world:add { x = 0, y = 0,
      shape = newMap({ "....", "#..#", "#==#", "#~~#" },
        { [2] = { oneWay = "up" }, [3] = { sensor = true } }) }
    local rider = world:add { x = 12, y = 10, shape = rectangle(10, 10) }
    local inner = world:add { x = 12, y = 32, shape = rectangle(6, 6) }
    local hero = world:add { x = 24, y = 12, shape = rectangle(4, 8) }
    local character = world:newCharacter(hero)
    character:move(0, 1, 1 / 60)
    assert.same({ map, 2 }, { character.floor, character.floorValue })
    world:carry(map, 0, -5)
    assert.same({ 5, 7, 32 }, { rider.y, hero.y, inner.y }) -- water pushes nothing
    world:carry(map, 0, 5)
    assert.same({ 10, 12, 32 }, { rider.y, hero.y, inner.y })
    world:carry(map, 8, 0)
    assert.same({ 20, 18 }, { rider.x, inner.x })
    world:carry(map, -12, 0)
    assert.same({ 8, 18 }, { rider.x, inner.x })
    map.x, map.y = map.x + 6, map.y - 3 -- a character also follows a floor that was assigned to
    local x, y = hero.x, hero.y
    character:move(0, 0, 0)
    near({ x + 6, y - 3 }, { hero.x, hero.y })
  end)

  it("crushes actors that it cannot push out, but none in its planks and sensors", function()
    local world = collide.newWorld()
    world:add { x = 40, y = 0, shape = rectangle(10, 40), static = true }
    local map = world:add { x = 0, y = 0,
      shape = newMap({ "#", "=", "~" }, { [2] = { oneWay = "left" }, [3] = { sensor = true } }) }
    local actors = {}
    for i = 1, 3 do
      actors[i] = world:add { x = 30, y = 10 * i - 9, shape = rectangle(8, 8) }
    end
    local crushed, n = world:carry(map, 25, 0)
    assert.same({ 1, 1 }, { n, crushed[1] == actors[1] and 1 or 0 })
    assert.same({ 30, 30 }, { actors[2].x, actors[3].x })
  end)

  it("hits no other map, and forms one surface with a flush one", function()
    for order = 1, 2 do
      for _, oneWay in ipairs { false, true } do
        local world, maps = collide.newWorld(), {}
        for k = order, 3 - order, 3 - 2 * order do
          maps[k] = world:add { x = 40 * (k - 1), y = 100, shape = newMap { "####" },
            oneWay = oneWay, static = k == 1 }
        end
        local box = world:add { x = 20, y = 80, shape = rectangle(10, 20) }
        maps[2].y = 104
        world:step()
        local _, _, hits, n = world:move(box, -20, 5) -- towards the lower one there is a step down
        assert.same({ 0, 80, 1 }, { box.x, box.y, n })
        assert.equal(maps[1], hits[1].actor)
        maps[2].y = 100
        world:step()
        assert.equal(0, world:stats().hits)
        world:move(box, 60, 5)
        assert.same({ 60, 80 }, { box.x, box.y })
        world:move(box, -50, 5)
        assert.same({ 10, 80 }, { box.x, box.y })
        maps[2].x = 30 -- they overlap
        world:step()
        assert.equal(0, world:stats().hits)
        assert.matches("both are maps of tiles", world:explain(maps[1], maps[2]))
      end
    end
  end)

  it("cannot be pushed", function()
    local world = collide.newWorld()
    local map = world:add { x = 20, y = 0, shape = newMap { "#" } }
    local box = world:add { x = 0, y = 0, shape = rectangle(10, 10) }
    assert.equal(10, (world:move(box, 30, 0, nil, "push")))
    world:carry(box, 30, 0)
    assert.equal(20, map.x)
  end)

  it("has no angle, is not swept, and is not moved by move", function()
    local world = collide.newWorld()
    local shape = newMap { "#" }
    raises({ "swept expected (nil or false, as its shape is tiles), got boolean true" }, world.add,
      world, { x = 0, y = 0, shape = shape, swept = true })
    raises({ "angle expected (nil or 0, as its shape is tiles), got number 1" }, world.add, world,
      { x = 0, y = 0, shape = shape, angle = 1 })
    local map = world:add { name = "map", x = 0, y = 0, shape = shape }
    world:step()
    map.x, map.angle = 5, 1
    raises({ 'world:step: actor 1 "map" (at 5, 0): angle expected (nil or 0' }, world.step, world)
    map.angle = 0
    world:step()
    assert.equal(map, (world:queryPoint(12, 5)[1]))
    local why = ": actor.shape expected (shape other than tiles; assign"
    raises({ "world:move" .. why }, world.move, world, map, 1, 1)
    raises({ "world:check" .. why }, world.check, world, map, 1, 1)
    raises({ "world:newCharacter" .. why }, world.newCharacter, world, map)
    raises({ "angle" }, world.teleport, world, map, 0, 0, 1)
  end)

  it("continues from snapshots and packs", function()
    local shape = newMap { "#=", "~#" }
    local world = collide.newWorld()
    local map = world:add { x = 0, y = 0, shape = shape }
    local box = world:add { x = 30, y = 0, shape = rectangle(10, 10), hit = function(self, _, nx)
      self.x = self.x + nx
    end }
    local function play()
      local hashes = {}
      for i = 1, 20 do
        map.x = map.x + 2
        world:step()
        hashes[i] = world:hash()
      end
      return hashes
    end
    local snapshot = world:snapshot()
    local first, at = play(), box.x
    world:restore(snapshot)
    assert.same(first, play())
    assert.equal(at, box.x)
    local other = collide.newWorld()
    local shapes = { shape, box.shape }
    other:restore(snapshot:pack(), function(i, given)
      assert.is_false(given.static)
      return { shape = shapes[i] }
    end)
    assert.is_nil(snapshot:diff(other:snapshot()))
    raises({ "shape" }, other.restore, other, snapshot:pack(), function()
      return { shape = rectangle(20, 20) }
    end)
  end)
end)
