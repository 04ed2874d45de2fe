-- collide.tiles: the solid cells of a grid as the shape of a static actor. The references are a
-- solid rectangle for each cell, and for the way out a search through all places of a box.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local near, raises, overlap = expect.near, expect.raises, collide.overlap
local unpack = table.unpack or unpack -- luacheck: ignore
local SEED = random.seed()
local EPS = 1e-9

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

-- A grid from rows of text, in which "#" is solid; the options are those of newGrid.
local function gridOf(rows, options)
  local grid = collide.newGrid(#rows[1], #rows, options)
  for y, row in ipairs(rows) do
    for x = 1, #row do grid:set(x - 1, y - 1, row:sub(x, x) == "#" and 1 or 0) end
  end
  return grid
end

local function tilesOf(rows, options)
  return collide.tiles(gridOf(rows, options or { cell = 10 }))
end

local function randomRows(rng, w, h, share)
  local rows = {}
  for y = 1, h do
    local row = {}
    for x = 1, w do row[x] = rng:chance(share) and "#" or "." end
    rows[y] = table.concat(row)
  end
  return rows
end

-- Calls found(left, top, right, bottom) for each solid cell.
local function eachCell(rows, cell, found)
  for y, row in ipairs(rows) do
    for x = 1, #row do
      if row:sub(x, x) == "#" then found((x - 1) * cell, (y - 1) * cell, x * cell, y * cell) end
    end
  end
end

describe("collide.tiles", function()
  local rows = { "#.#", "##.", "..." }
  local tiles = tilesOf(rows)

  it("has a kind, area, bounds and corners", function()
    assert.equal("tiles", tiles:kind())
    near({ 400 }, { tiles:area() }, 0)
    near({ 0, 0, 30, 30 }, { tiles:bounds() }, 0)
    near({ 0, 0, 30, 0, 30, 30, 0, 30 }, tiles:points(), 0)
    near({ 0 }, { tiles:radius() }, 0)
  end)

  it("has a tostring that shows its grid", function()
    assert.equal("tiles(grid 3 x 3, cell 10 at 0, 0)", tostring(tiles))
  end)

  it("contains the points of solid cells, edges included", function()
    for _, p in ipairs { { 5, 5 }, { 10, 5 }, { 20, 5 }, { 30, 0 }, { 15, 20 }, { 20, 10 } } do
      assert(tiles:contains(p[1], p[2]))
    end
    for _, p in ipairs { { 15, 5 }, { 25, 15 }, { 5, 25 }, { -0.001, 5 }, { 30.001, 5 } } do
      assert(not tiles:contains(p[1], p[2]))
    end
  end)

  it("has parts that are rectangles and fill the same area", function()
    local sum = 0
    for _, part in ipairs(tiles:parts()) do
      assert.equal("rectangle", part:kind())
      sum = sum + part:area()
    end
    assert.equal(400, sum)
    assert.equal(1, #tilesOf { "##", "##" }:parts())
    assert.equal("rectangle", tilesOf({ "##", "##" }):parts()[1]:kind())
  end)

  it("is placed and sized by the grid's options", function()
    local moved = tilesOf({ "#" }, { cell = 16, x = 100, y = -50 })
    near({ 100, -50, 16, 16 }, { moved:bounds() }, 0)
    near({ 90, -50, 16, 16 }, { moved:translated(-10, 0):bounds() }, 0)
    near({ 200, -100, 32, 32 }, { moved:scaled(2):bounds() }, 0)
    near({ -8, -8, 16, 16 }, { moved:centered():bounds() }, 0)
  end)

  it("follows changes of the grid", function()
    local grid = collide.newGrid(2, 1, { cell = 10 })
    local world = collide.newWorld {}
    world:add { x = 0, y = 0, shape = collide.tiles(grid), static = true }
    local ball = world:add { x = 5, y = 5, shape = collide.circle(3) }
    world:step()
    assert.equal(0, world:stats().hits)
    grid:set(0, 0, 7)
    world:step()
    assert.equal(1, world:stats().hits)
    ball.x = 15
    world:step()
    assert.equal(0, world:stats().hits)
  end)

  it("keeps its grid alive", function()
    local shape = tilesOf { "#" }
    collectgarbage()
    collectgarbage()
    assert(shape:contains(5, 5))
  end)

  it("cannot be turned or mirrored", function()
    raises("shape:rotated: ", tiles.rotated, tiles, 1)
    raises("shape:scaled: ", tiles.scaled, tiles, 2, 1)
    raises("shape:scaled: ", tiles.scaled, tiles, -1)
    assert.equal("tiles", tiles:rotated(0):kind())
    assert.equal("tiles", tiles:upright():kind())
  end)

  it("requires a 2D grid", function()
    raises({ "collide.tiles: grid expected (grid)", "got nil" }, collide.tiles)
    raises({ "collide.tiles: grid expected (grid", "two dimensions" }, collide.tiles,
      collide.newGrid(2, 2, 2))
    raises("collide.tiles takes a grid and shapes by value, got 3", collide.tiles,
      collide.newGrid(2, 2), {}, 1)
    raises("collide.compound: shape 2 expected", collide.compound, collide.circle(1), tiles)
  end)

  it("is refused for actors with an angle or swept", function()
    local world = collide.newWorld {}
    raises({ "world:add: ", "angle", "tiles" }, world.add, world,
      { x = 0, y = 0, angle = 1, shape = tiles, static = true })
    assert.equal(0, world:count())
    local map = world:add { x = 0, y = 0, shape = tiles, static = true }
    map.swept = true
    raises({ "world:refresh: ", "swept", "tiles" }, world.refresh, world, map)
  end)
end)

describe("a box in tiles", function()
  --      0   10   20   30
  --   10 +----+----+----+
  --      | a  | b  | c  |      three cells of floor
  --   20 +----+----+----+
  local floor = tilesOf { "...", "###" }

  it("is pushed up from a floor wherever it stands", function()
    for x = -5, 27, 0.5 do
      near({ 0, -1, 2 }, { overlap(at(collide.rectangle(8, 8), x, 4), at(floor, 0, 0)) }, 0)
    end
  end)

  it("gives the opposite vector for the floor", function()
    near({ 0, 1, 2 }, { overlap(at(floor, 0, 0), at(collide.rectangle(8, 8), 7, 4)) }, 0)
  end)

  it("rests on a floor without a hit, and touches it upward", function()
    for x = -7.5, 29, 0.5 do
      local box = at(collide.rectangle(8, 8), x, 2)
      assert.is_nil((overlap(box, at(floor, 0, 0))))
      near({ 0, -1, 0 }, { overlap(box, at(floor, 0, 0), true) }, 0)
    end
  end)

  it("is pushed out of floor and wall at once", function()
    local corner = tilesOf { "..#", "..#", "###" }
    local nx, ny, depth = overlap(at(collide.rectangle(8, 8), 13, 13.5), at(corner, 0, 0))
    near({ -1, -1.5, math.sqrt(3.25) }, { nx * depth, ny * depth, depth })
  end)

  it("fits into a gap of its own width", function()
    local shaft = tilesOf { "#.#", "#.#", "#.#" }
    assert.is_nil((overlap(at(collide.rectangle(10, 10), 10, 5), at(shaft, 0, 0))))
    near({ 1, 0, 0.5 }, { overlap(at(collide.rectangle(10, 10), 9.5, 5), at(shaft, 0, 0)) })
  end)

  it("finds its way out of a massive block", function()
    local block = tilesOf { "#####", "#####", "#####", "#####", "#####" }
    near({ -1, 0, 24 }, { overlap(at(collide.rectangle(4, 4), 20, 23), at(block, 0, 0)) })
    near({ 0, 1, 12 }, { overlap(at(collide.circle(2), 25, 40), at(block, 0, 0)) })
  end)
end)

-- The offsets that move a side of a box, at `low` or `high`, to a line; and 0.
local function offsets(count, cell, low, high)
  local list = { 0 }
  for i = 0, count do
    list[#list + 1] = i * cell - low
    list[#list + 1] = i * cell - high
  end
  return list
end

-- The length of the shortest way of a box out of all cells. At its end each side is at a line or
-- where it was.
local function shortestWay(rows, cell, l, t, r, b)
  local best
  for _, dx in ipairs(offsets(#rows[1], cell, l, r)) do
    for _, dy in ipairs(offsets(#rows, cell, t, b)) do
      local free = true
      eachCell(rows, cell, function(cl, ct, cr, cb)
        if l + dx < cr - EPS and cl < r + dx - EPS and t + dy < cb - EPS and ct < b + dy - EPS then
          free = false
        end
      end)
      local way = math.sqrt(dx * dx + dy * dy)
      if free and (not best or way < best) then best = way end
    end
  end
  return best
end

local function checkBoxes(seed)
  local rng = random.new(seed)
  local rows = randomRows(rng, rng:int(1, 6), rng:int(1, 6), rng:float(0.2, 0.9))
  local map = at(tilesOf(rows), 0, 0)
  local w, h = rng:int(1, 30), rng:int(1, 30)
  for _ = 1, 4 do
    -- Integers, so that sides often lie on lines.
    local x, y = rng:int(-20, 60), rng:int(-20, 60)
    local box = at(collide.rectangle(w, h), x, y)
    local nx, ny, depth = overlap(box, map)
    local want = shortestWay(rows, 10, x, y, x + w, y + h)
    if not nx then
      assert(want == 0, "no hit, but it is not free")
    else
      near({ want }, { depth })
      near({ 1 }, { nx * nx + ny * ny })
      box.x, box.y = x + nx * depth, y + ny * depth
      local _, _, left = overlap(box, map)
      assert(not left or left < EPS, "it is not free after its way out")
    end
  end
end

-- The solids of all cells near x, y.
local function cellSolids(rows, cell)
  local list = {}
  eachCell(rows, cell, function(l, t, r, b)
    list[#list + 1] = solid.placed(solid.rectangle(l, t, r - l, b - t), 0, 0)
  end)
  return list
end

local function leastGap(body, cells)
  local best = math.huge
  for _, cell in ipairs(cells) do best = math.min(best, solid.gap(body, cell)) end
  return best
end

-- Checks a shape of any kind except segments and chains, whose way out solid.lua cannot check.
local function checkShape(seed)
  local rng = random.new(seed)
  local rows = randomRows(rng, 6, 6, rng:float(0.2, 0.8))
  local map, cells = at(tilesOf(rows), 0, 0), cellSolids(rows, 10)
  local shape, body = zoo.any(rng, 12)
  local what = zoo.placed(rng, shape, body, 60)
  local gap = leastGap(what.solid, cells)
  local distance = collide.distance(what, map)
  if gap > EPS then
    assert.is_nil((overlap(what, map, true)))
    near({ gap }, { distance }, 1e-7)
  elseif gap < -EPS then
    local nx, ny, depth = overlap(what, map)
    assert(nx, "they overlap, but it does not say so")
    near({ 0 }, { distance }, 0)
    local function gapAt(dx, dy)
      return leastGap(solid.placed(body, what.x + dx, what.y + dy, what.angle), cells)
    end
    -- The way may end in a corner of the free space; then some direction leads on.
    local free = false
    for k = 0, 63 do
      local x, y = nx * depth, ny * depth
      local angle = k * math.pi / 32
      free = free or gapAt(x + 1e-6 * math.cos(angle), y + 1e-6 * math.sin(angle)) > -EPS
    end
    assert(free, "it is not free after its way out")
    for k = 0, 63 do
      local angle = k * math.pi / 32
      local far = 0.99 * depth - 1e-6
      assert(gapAt(far * math.cos(angle), far * math.sin(angle)) < EPS,
        "there is a shorter way out")
    end
  end
end

describe("tiles (seed " .. SEED .. ")", function()
  it("give boxes the shortest way out of all cells", function()
    for round = 1, random.rounds(300) do
      local ok, message = pcall(checkBoxes, SEED + round)
      if not ok then error(("seed %d: %s"):format(SEED + round, tostring(message))) end
    end
  end)

  it("overlap shapes of every kind as their cells do", function()
    for round = 1, random.rounds(300) do
      local ok, message = pcall(checkShape, SEED + round)
      if not ok then error(("seed %d: %s"):format(SEED + round, tostring(message))) end
    end
  end)

  -- Cells that have no neighbours, not even at a corner.
  it("answer like separate boxes if no cells are neighbours", function()
    for round = 1, random.rounds(300) do
      local rng = random.new(SEED + round)
      local grid = collide.newGrid(9, 9, { cell = 10 })
      local boxes = {}
      for x = 0, 8, 2 do
        for y = 0, 8, 2 do
          if rng:chance(0.5) then
            grid:set(x, y, 1)
            boxes[#boxes + 1] = at(collide.rectangle(10, 10), 10 * x, 10 * y)
          end
        end
      end
      local map = at(collide.tiles(grid), 0, 0)
      local what = zoo.placed(rng, zoo.shape(rng, rng:pick { "rectangle", "circle", "capsule",
        "polygon" }, 5), nil, 90)
      local found, hit = 0, nil
      for _, box in ipairs(boxes) do
        local nx, ny, depth = overlap(what, box)
        if nx then found, hit = found + 1, { nx, ny, depth } end
      end
      local nx, ny, depth = overlap(what, map)
      assert.equal(found > 0, nx ~= nil)
      if found == 1 then near(hit, { nx, ny, depth }, 1e-9) end
    end
  end)
end)

-- A map with floors, walls and steps, surrounded by solid cells.
local function landscape(rng, w, h)
  local grid = collide.newGrid(w, h, { cell = 16 })
  for x = 0, w - 1 do
    local floor = (x == 0 or x == w - 1) and 0 or rng:int(math.floor(h / 2), h - 1)
    grid:fill(x, floor, 1, h - floor, 1)
    if rng:chance(0.2) then grid:set(x, rng:int(0, h - 1), 1) end
  end
  grid:fill(0, 0, w, 1, 1)
  return grid
end

-- Whether a box that was freed along nx, ny touches a face of solid cells with that normal, and not
-- the inside of a surface that the next cell continues.
local function againstFace(grid, nx, ny, l, t, r, b)
  local function any(x1, y1, x2, y2)
    for y = math.max(0, y1), math.min(y2, 11) do
      for x = math.max(0, x1), math.min(x2, 19) do
        if grid:get(x, y) ~= 0 then return true end
      end
    end
    return false
  end
  local c1, c2 = math.floor((l + EPS) / 16), math.ceil((r - EPS) / 16) - 1
  local r1, r2 = math.floor((t + EPS) / 16), math.ceil((b - EPS) / 16) - 1
  if nx < -EPS and not any(c2 + 1, r1, c2 + 1, r2) then return false end
  if nx > EPS and not any(c1 - 1, r1, c1 - 1, r2) then return false end
  if ny < -EPS and not any(c1, r2 + 1, c2, r2 + 1) then return false end
  if ny > EPS and not any(c1, r1 - 1, c2, r1 - 1) then return false end
  return true
end

describe("a box pushed over tiles (seed " .. SEED .. ")", function()
  it("does not hit edges between neighbouring cells", function()
    local steps = 0
    for map = 1, 5 do
      local rng = random.new(SEED + map)
      local grid = landscape(rng, 20, 12)
      local world = collide.newWorld {}
      world:add { x = 0, y = 0, shape = collide.tiles(grid), static = true }
      local box = world:add { x = 40, y = 20, shape = collide.rectangle(rng:int(6, 14),
        rng:int(6, 14)) }
      local _, _, w, h = box.shape:bounds()
      local vx, vy = 0, 0
      function box:hit(_, nx, ny, depth)
        self.x, self.y = self.x + nx * depth, self.y + ny * depth
        assert(againstFace(grid, nx, ny, self.x, self.y, self.x + w, self.y + h),
          ("seed %d, step %d: normal %g, %g at %.17g, %.17g is of no face"):format(
            SEED + map, steps, nx, ny, self.x, self.y))
        if math.abs(nx) > EPS then vx = 0 end
        if math.abs(ny) > EPS then vy = 0 end
      end
      for _ = 1, random.rounds(1000) do
        steps = steps + 1
        if rng:chance(0.05) then vx = rng:float(-4, 4) end
        if rng:chance(0.05) then vy = rng:float(-4, 4) end
        vy = math.min(vy + 0.2, 4)
        box.x, box.y = box.x + vx, box.y + vy
        world:step()
      end
    end
  end)

  it("slides along a floor at the speed that it is given", function()
    local world = collide.newWorld {}
    world:add { x = 0, y = 0, shape = tilesOf { ("."):rep(50), ("#"):rep(50) }, static = true }
    local box = world:add { x = 0, y = 2, shape = collide.rectangle(8, 8),
      hit = function(self, _, nx, ny, depth)
        assert.equal(0, nx)
        self.y = self.y + ny * depth
      end }
    for step = 1, 480 do
      box.x, box.y = box.x + 1, box.y + 0.5
      world:step()
      assert.equal(step, box.x)
      near({ 2 }, { box.y })
    end
  end)
end)

-- The first hit among casts at each cell separately.
local function firstOf(boxes, cast)
  local best
  for _, box in ipairs(boxes) do
    local t = cast(box)
    if t and (not best or t < best) then best = t end
  end
  return best
end

describe("casts at tiles (seed " .. SEED .. ")", function()
  local function worldOf(list)
    local world = collide.newWorld {}
    for _, actor in ipairs(list) do
      actor.static = true
      world:add(actor)
    end
    return world
  end

  it("meet them where they meet the first of their cells", function()
    for round = 1, random.rounds(100) do
      local rng = random.new(SEED + round)
      local rows = randomRows(rng, 12, 12, rng:float(0.05, 0.4))
      local tiles, boxes = worldOf { at(tilesOf(rows), 0, 0) }, {}
      eachCell(rows, 10, function(l, t)
        boxes[#boxes + 1] = at(collide.rectangle(10, 10), l, t)
      end)
      local cells = worldOf(boxes)
      for _ = 1, 5 do
        local x1, y1 = rng:float(-30, 150), rng:float(-30, 150)
        local dx, dy = rng:float(-150, 150), rng:float(-150, 150)
        local actor, _, _, _, _, t = cells:rayCast(x1, y1, x1 + dx, y1 + dy)
        local hit, px, py, nx, ny, u = tiles:rayCast(x1, y1, x1 + dx, y1 + dy)
        assert.equal(actor ~= nil, hit ~= nil)
        if actor then
          near({ t, x1 + dx * t, y1 + dy * t }, { u, px, py }, 1e-9)
          assert(u == 0 and nx == 0 and ny == 0 or nx * nx + ny * ny > 1 - EPS)
        end
        local what = zoo.placed(rng, zoo.shape(rng, rng:pick { "rectangle", "circle", "capsule",
          "polygon" }, 8), nil, 60)
        local first = firstOf({ cells }, function(w)
          return (select(6, w:shapeCast(what, dx, dy)))
        end)
        local then_ = select(6, tiles:shapeCast(what, dx, dy))
        assert.equal(first ~= nil, then_ ~= nil)
        if first then near({ first }, { then_ }, 1e-8) end
      end
    end
  end)

  it("slide along them without being stopped, and stop at a wall", function()
    local map = worldOf { at(tilesOf { ".....#", "######" }, 0, 0) }
    local box = at(collide.rectangle(8, 8), 0, 2)
    local actor, _, _, nx, ny, t = map:shapeCast(box, 84, 0)
    assert(actor)
    near({ -1, 0, 0.5 }, { nx, ny, t })
    assert.is_nil((map:shapeCast(box, 42, 0)))
    assert.is_nil((map:shapeCast(box, 40, -2)))
    near({ 0, -1, 0, 1 }, { select(4, map:shapeCast(box, 40, 1)) })
  end)

  it("cross a large map without visiting all of its cells", function()
    local grid = collide.newGrid(4000, 4000)
    grid:set(3999, 3999, 1)
    local world = worldOf { at(collide.tiles(grid), 0, 0) }
    local hit, x, y, _, _, t = world:rayCast(0.5, 0.5, 3999.75, 3999.75)
    assert(hit)
    near({ 3999, 3999, 3998.5 / 3999.25 }, { x, y, t }, 1e-9)
  end)
end)

describe("queries of tiles", function()
  local world = collide.newWorld {}
  local map = world:add { x = 100, y = 0, shape = tilesOf { "#.", ".." }, static = true }

  it("find them at solid cells", function()
    assert.equal(map, world:queryPoint(105, 5)[1])
    assert.equal(0, #world:queryPoint(115, 5))
    assert.equal(map, world:queryRect(110, 10, 5, 5)[1])
    assert.equal(0, #world:queryRect(110.5, 10, 5, 5))
    assert.equal(map, world:queryCircle(110, 15, 5)[1])
    assert.equal(0, #world:queryCircle(115, 15, 5))
  end)

  it("give the distance to the nearest solid cell", function()
    local list, n, distances = world:nearest(113, 14)
    assert.equal(1, n)
    assert.equal(map, list[1])
    near({ 5 }, distances)
  end)

  it("ignore maps without solid cells", function()
    local empty = collide.newWorld {}
    empty:add { x = 0, y = 0, shape = tilesOf { ".." }, static = true }
    assert.equal(0, (select(2, empty:nearest(5, 5))))
    assert.is_nil((empty:rayCast(-5, 5, 50, 5)))
    assert.equal(math.huge, (collide.distance(at(tilesOf { ".." }, 0, 0), at(collide.circle(1), 0,
      0))))
  end)

  it("give contacts along a floor", function()
    local floor = collide.newWorld {}
    local ground = floor:add { x = 0, y = 0, shape = tilesOf { "...", "###" }, static = true }
    local box = floor:add { x = 5, y = 4, shape = collide.rectangle(18, 8) }
    local points = floor:contacts(box, ground)
    assert.equal(3, #points)
    for i, x in ipairs { 7.5, 15, 21.5 } do
      local p = points[i]
      near({ x, 11, 2, 0, -1 }, { p.x, p.y, p.depth, p.nx, p.ny })
      assert.same({ i - 1, 1, 1 }, { p.column, p.row, p.value })
    end
    assert.equal(unpack(points), points[1])
  end)
end)
