-- collide.tiles with shapes by value: slopes, half blocks and round shapes. The reference is a
-- shape for each cell. (10^5 more cases are in spec/c/narrow_tile_shapes.c.)
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near, raises, overlap = expect.near, expect.raises, collide.overlap
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

-- By value of a cell: the corners of its shape in a cell of side 1.
local LOOKS = {
  ["#"] = 1,
  ["/"] = 2, ["\\"] = 3, ["_"] = 4, ["-"] = 5, ["<"] = 6, [">"] = 7, ["o"] = 8, ["|"] = 9,
  [","] = 10,
}
local CORNERS = {
  [1] = { 0, 0, 1, 0, 1, 1, 0, 1 },
  [2] = { 0, 1, 1, 0, 1, 1 },           -- a slope up to the right
  [3] = { 0, 0, 1, 1, 0, 1 },           -- and down
  [4] = { 0, 0.5, 1, 0.5, 1, 1, 0, 1 }, -- the lower half
  [5] = { 0, 0, 1, 0, 1, 0.5, 0, 0.5 }, -- the upper half
  [6] = { 0, 1, 1, 0.5, 1, 1 },         -- a gentle slope in two cells
  [7] = { 0, 0.5, 1, 0, 1, 1, 0, 1 },
  [9] = { 0, 0, 0.5, 0, 0.5, 1, 0, 1 }, -- the left half
}

local function shapes()
  local list = { [8] = collide.circle(0.5, 0.5, 0.5), [10] = false }
  for value, corners in pairs(CORNERS) do
    if value > 1 then list[value] = collide.polygon(corners) end
  end
  list[4] = collide.rectangle(0, 0.5, 1, 0.5)
  return list
end

local function gridOf(rows, options)
  local grid = collide.newGrid(#rows[1], #rows, options or { cell = 10 })
  for y, row in ipairs(rows) do
    for x = 1, #row do grid:set(x - 1, y - 1, LOOKS[row:sub(x, x)] or 0) end
  end
  return grid
end

local function tilesOf(rows, options)
  return collide.tiles(gridOf(rows, options), shapes())
end

-- A shape for each cell that is not empty, at its place.
local function cellsOf(rows, cell, left, top)
  local cells = {}
  for y, row in ipairs(rows) do
    for x = 1, #row do
      local value = LOOKS[row:sub(x, x)]
      if value == 8 then
        table.insert(cells, collide.circle(left + (x - 0.5) * cell, top + (y - 0.5) * cell,
          0.5 * cell))
      elseif CORNERS[value] then
        local points = {}
        for i, c in ipairs(CORNERS[value]) do
          points[i] = i % 2 == 1 and left + (x - 1 + c) * cell or top + (y - 1 + c) * cell
        end
        table.insert(cells, collide.polygon(points))
      end
    end
  end
  return cells
end

-- Maps that differ only in the shapes of their values need a fixed order, so that swapping them
-- reverses the vector.
describe("maps that differ only in the shapes of values", function()
  it("give the opposite vector when they are swapped", function()
    local looks = { { [1] = false }, {}, { [1] = collide.circle(0.5, 0.5, 0.5) },
      { [1] = collide.circle(0.5, 0.5, 0.25) }, { [1] = collide.polygon(CORNERS[2]) },
      { [1] = collide.polygon(CORNERS[3]) }, { [1] = collide.polygon(CORNERS[4]) } }
    local grid, maps = collide.newGrid(3, 2, { cell = 10 }), {}
    grid:fill(0, 0, 3, 1, 1)
    for i, look in ipairs(looks) do maps[i] = collide.tiles(grid, look) end
    for i, p in ipairs(maps) do
      for k, q in ipairs(maps) do
        local nx, ny, depth = overlap(at(p, 0, 0), at(q, 0, 0))
        local mx, my, other = overlap(at(q, 0, 0), at(p, 0, 0))
        assert.equal(depth, other, i .. " and " .. k)
        assert.equal(i > 1 and k > 1, depth ~= nil)
        if depth and i ~= k then
          assert.equal(0, nx + mx, i .. " and " .. k)
          assert.equal(0, ny + my, i .. " and " .. k)
        end
      end
    end
  end)
end)

describe("collide.tiles with shapes", function()
  --     0    10   20   30
  --   0 +----+----+----+
  --     |    |   /|    |
  --  10 +----+--/-+----+
  --     |    |////|####|
  --  20 +----+----+----+
  local tiles = tilesOf { "./#", "_,o" }

  it("has an area, bounds and a name", function()
    near({ 50 + 100 + 50 + 25 * math.pi }, { tiles:area() })
    near({ 0, 0, 30, 20 }, { tiles:bounds() }, 0)
    assert.equal("tiles(grid 3 x 2, cell 10 at 0, 0, 9 values with a look of their own)",
      tostring(tiles))
  end)

  it("contains the points of its cells, edges included", function()
    for _, p in ipairs { { 15, 5 }, { 20, 0 }, { 19, 9 }, { 5, 15 }, { 25, 11 }, { 30, 15 } } do
      assert(tiles:contains(p[1], p[2]), p[1])
    end
    for _, p in ipairs { { 14.9, 5 }, { 15, 15 }, { 5, 14.9 }, { 21, 11 }, { 29, 19.5 } } do
      assert(not tiles:contains(p[1], p[2]), p[1])
    end
  end)

  it("has parts of all kinds", function()
    local kinds = {}
    for _, part in ipairs(tiles:parts()) do table.insert(kinds, part:kind()) end
    table.sort(kinds)
    assert.same({ "circle", "polygon", "rectangle", "rectangle" }, kinds)
  end)

  it("keeps its shapes when it is moved or scaled", function()
    local moved = tiles:translated(100, 0)
    assert(moved:contains(115, 5) and not moved:contains(114, 5))
    assert(tiles:scaled(2):contains(30, 10) and not tiles:scaled(2):contains(29, 10))
    near({ tiles:area() * 4 }, { tiles:scaled(2):area() })
  end)

  it("follows the grid", function()
    local grid = gridOf { "#" }
    local live = collide.tiles(grid, shapes())
    assert(live:contains(1, 1))
    grid:set(0, 0, 2)
    assert(not live:contains(1, 1) and live:contains(9, 9))
    grid:set(0, 0, 10)
    assert(not live:contains(9, 9))
  end)

  it("ignores later changes of the table", function()
    local looks = shapes()
    local kept = collide.tiles(gridOf { "/" }, looks)
    looks[2] = nil
    collectgarbage()
    collectgarbage()
    assert(not kept:contains(1, 1))
  end)

  it("refuses invalid shapes of values", function()
    local grid = collide.newGrid(2, 2)
    local function refused(looks, ...)
      raises({ "collide.tiles: ", ... }, collide.tiles, grid, looks)
    end
    refused(5, "shapes expected (table", "got number 5")
    refused({ [0] = false }, "key of shapes expected (value of cells, a whole number from 1 to 255",
      "got 0")
    refused({ [256] = false }, "key of shapes expected", "got 256")
    refused({ slope = false }, "key of shapes expected", 'got string "slope"')
    local function bad(shape, expected)
      refused({ [2] = shape }, "shapes[2] expected " .. expected)
    end
    bad(true, "(convex shape within a cell of side 1, false, or table {shape =, oneWay =, "
      .. "sensor =}), got boolean true")
    bad(collide.polygon(0, 0, 1, 0, 0.2, 0.2, 0, 1), "(convex shape)")
    bad(collide.compound(collide.circle(0.2, 0.2, 0.1), collide.circle(0.5, 0.5, 0.1)),
      "(convex shape)")
    bad(collide.segment(0, 0, 1, 1), "(shape with an area)")
    bad(collide.rectangle(10, 10), "(shape within a cell of side 1")
    bad(collide.circle(0.5), "(shape within a cell of side 1")
    bad(collide.tiles(grid), "(convex shape)")
    local many = {}
    for i = 0, 16 do
      local angle = i * 2 * math.pi / 17
      many[2 * i + 1], many[2 * i + 2] = 0.5 + 0.4 * math.cos(angle), 0.5 + 0.4 * math.sin(angle)
    end
    bad(collide.polygon(many), "(shape of at most 16 corners)")
  end)

  it("raises at the caller's line", function()
    assert.matches("^[^:]*tile_shapes_spec.lua:%d+: collide.tiles: ",
      raises("shapes", function() collide.tiles(collide.newGrid(2, 2), 5) end))
  end)
end)

describe("tiles with shapes in a world", function()
  local world = collide.newWorld()
  --     0    10   20   30   40
  --  10 +         /----+
  --     |       / |    |----+
  --  20 +----+----+----+----+
  local map = world:add { x = 0, y = 0, shape = tilesOf { "....", "./#_", "####" }, static = true }

  it("push out along the slope's normal", function()
    local nx, ny, depth = world:overlap(at(collide.circle(2), 14, 14), map)
    near({ -math.sqrt(0.5), -math.sqrt(0.5), 2 - math.sqrt(2) }, { nx, ny, depth })
  end)

  it("push out of a half block by its height", function()
    near({ 0, -1, 3 }, { world:overlap(at(collide.rectangle(4, 4), 34, 14), map) })
  end)

  it("stop rays on the shapes", function()
    local actor, x, y, nx, ny = world:rayCast(0, 15, 40, 15)
    assert.equal(map, actor)
    near({ 15, 15, -math.sqrt(0.5), -math.sqrt(0.5) }, { x, y, nx, ny })
    near({ 35, 15, 0, -1, 0.5, 4 }, { select(2, world:rayCast(35, 0, 35, 30)) })
    near({ 30, 12, 1, 0, 9 / 39, 1 }, { select(2, world:rayCast(39, 12, 0, 12)) })
  end)

  it("stop moving shapes on the shapes", function()
    local _, x, y, nx, ny, t = world:shapeCast(at(collide.rectangle(2, 2), 34, 0), 0, 20)
    near({ 0, -1, 13 / 20 }, { nx, ny, t })
    near({ 15 }, { y })
    assert(x >= 34 and x <= 36)
    _, _, _, nx, ny, t = world:shapeCast(at(collide.circle(1), 0, 15), 20, 0)
    near({ -math.sqrt(0.5), -math.sqrt(0.5), (15 - math.sqrt(2)) / 20 }, { nx, ny, t })
  end)

  it("have the distance of the shapes", function()
    near({ math.sqrt(50) }, { (collide.distance(at(collide.circle(1e-3), 10, 10), map)) }, 1e-2)
    local list, _, distances = world:nearest(35, 5)
    assert.equal(map, list[1])
    near({ math.sqrt(50) }, distances)
  end)

  it("stop bullets on the slope", function()
    local w = collide.newWorld {}
    w:add { x = 0, y = 0, shape = tilesOf { "....", "./#_", "####" }, static = true }
    local got
    local pool = w:newBullets { capacity = 4, radius = 1,
      hit = function(_, _, _, nx, ny, t) got = { nx, ny, t } end }
    pool:spawn(0, 15, 20, 0)
    w:update(1)
    near({ -math.sqrt(0.5), -math.sqrt(0.5), (15 - math.sqrt(2)) / 20 }, got)
  end)

  it("never snag a box that slides over their seams", function()
    -- Up a gentle slope, over a flat, down a steep one; the ball is always pushed along one of
    -- the three normals.
    local hills = tilesOf { ".......", ".<>##\\.", "#######" }
    local k = math.sqrt(1 + 0.25)
    local known = { { 0, -1 }, { -0.5 / k, -1 / k }, { math.sqrt(0.5), -math.sqrt(0.5) } }
    for i = 0, 600 do
      local x = 12 + i * 0.08
      local surface = x < 30 and 20 - (x - 10) / 2 or x < 50 and 10 or 10 + (x - 50)
      local nx, ny = overlap(at(collide.circle(0.5), x, surface - 0.4), at(hills, 0, 0))
      local fits = false
      for _, n in ipairs(known) do
        fits = fits or math.abs(nx - n[1]) < 1e-9 and math.abs(ny - n[2]) < 1e-9
      end
      -- At the ridge before the steep slope, any normal between the two slopes is right.
      assert(fits or x > 49 and x < 51 or x > 29 and x < 31 and ny < -0.9,
        ("%g, %g at %g"):format(nx, ny, x))
    end
  end)
end)

describe("tiles with shapes and their cells one by one", function()
  local LETTERS = { ".", ",", "#", "/", "\\", "_", "-", "<", ">", "o", "|" }

  local function randomRows(rng, w, h)
    local rows = {}
    for y = 1, h do
      local row = {}
      for x = 1, w do row[x] = rng:chance(0.4) and "." or rng:pick(LETTERS) end
      rows[y] = table.concat(row)
    end
    return rows
  end

  local function pickShape(rng)
    local kind = rng:int(1, 4)
    if kind == 1 then return collide.rectangle(rng:int(1, 30) / 2, rng:int(1, 30) / 2) end
    if kind == 2 then return collide.circle(rng:int(1, 16) / 2) end
    local x, y, r = rng:int(1, 9), rng:int(1, 9), rng:int(1, 6)
    if kind == 3 then return collide.capsule(0, 0, x, -y, r) end
    return collide.polygon(0, -r, x, rng:int(0, 9), -y, rng:int(1, 9))
  end

  it("agree in overlap, distance, casts and the way out (seed " .. SEED .. ")", function()
    local rng, hits = random.new(SEED), 0
    for round = 1, random.rounds(100) do
      local rows = randomRows(rng, rng:int(1, 6), rng:int(1, 6))
      local cell, left, top = rng:pick { 10, 4, 0.3 }, rng:int(-9, 9), rng:int(-9, 9)
      local tiles = tilesOf(rows, { cell = cell, x = left, y = top })
      local cells = cellsOf(rows, cell, left, top)
      local world, apart = collide.newWorld {}, collide.newWorld {}
      world:add { x = 0, y = 0, shape = tiles, static = true }
      for _, shape in ipairs(cells) do apart:add { x = 0, y = 0, shape = shape, static = true } end
      for _ = 1, 10 do
        local shape = pickShape(rng):scaled(cell / 10)
        local x, y = rng:int(-4, 28) * cell / 4 + left, rng:int(-4, 28) * cell / 4 + top
        local body, what = at(shape, x, y), ("round %d: %s"):format(round, table.concat(rows, " "))
        local any, least = false, math.huge
        for _, other in ipairs(cells) do
          any = any or overlap(body, at(other, 0, 0)) ~= nil
          least = math.min(least, (collide.distance(body, at(other, 0, 0))))
        end
        local nx, ny, depth = overlap(body, at(tiles, 0, 0))
        assert.equal(any, nx ~= nil, what)
        if #cells > 0 then near({ least }, { (collide.distance(body, at(tiles, 0, 0))) }, 1e-9) end
        if nx then
          hits = hits + 1
          local out = at(shape, x + nx * depth, y + ny * depth)
          for _, other in ipairs(cells) do
            local _, _, left_ = overlap(out, at(other, 0, 0))
            assert((left_ or 0) <= 64 * 2 ^ -40, what)
          end
        end
        local dx, dy = rng:int(-30, 30) * cell / 4, rng:int(-30, 30) * cell / 4
        local who, _, _, _, _, t = world:rayCast(x, y, x + dx, y + dy)
        local cellWho, _, _, _, _, cellT = apart:rayCast(x, y, x + dx, y + dy)
        local inside = #apart:queryPoint(x, y) > 0
        if not inside then
          assert.equal(cellWho ~= nil, who ~= nil, what)
          if who then near({ cellT }, { t }, 1e-9) end
        end
        if least > 0 then
          who, _, _, _, _, t = world:shapeCast(body, dx, dy)
          cellWho, _, _, _, _, cellT = apart:shapeCast(body, dx, dy)
          assert.equal(cellWho ~= nil, who ~= nil, what)
          if who then near({ cellT }, { t }, 1e-9) end
        end
      end
    end
    assert(hits > random.often(100), hits)
  end)
end)

describe("world:contacts with tiles", function()
  local world, closed = collide.newWorld {}, collide.newWorld { touching = true }

  local function entries(list)
    local out = {}
    for i, c in ipairs(list) do
      out[i] = ("%d, %d = %d: %.4g, %.4g by %.4g at %.4g, %.4g"):format(c.column, c.row, c.value,
        c.nx + 0, c.ny + 0, c.depth, c.x, c.y)
    end
    return out
  end

  --     0    10   20   30
  --   0 +         |####|
  --     |   +---+ |####|      a box in the corner: two cells of floor, one of wall
  --  10 +---|---|-+####|
  --     |###+---+#|####|
  --  20 +----+----+----+
  local corner = at(tilesOf { "..#", "###" }, 0, 0)
  local box = at(collide.rectangle(14, 8), 8, 4)

  it("lists floor and wall separately, cell by cell", function()
    assert.same({ "2, 0 = 1: -1, 0 by 2 at 21, 7", "0, 1 = 1: 0, -1 by 2 at 9, 11",
      "1, 1 = 1: 0, -1 by 2 at 15, 11" }, entries(world:contacts(box, corner)))
    assert.same({ "2, 0 = 1: 1, 0 by 2 at 21, 7", "0, 1 = 1: 0, 1 by 2 at 9, 11",
      "1, 1 = 1: 0, 1 by 2 at 15, 11" }, entries(world:contacts(corner, box)))
  end)

  it("is empty without overlap, and of depth 0 where they touch", function()
    local beside = at(collide.rectangle(8, 6), 11, 4)
    assert.same({}, world:contacts(beside, corner))
    assert.same({ "1, 1 = 1: 0, -1 by 0 at 15, 10" }, entries(closed:contacts(beside, corner)))
  end)

  it("lists only overlapped faces, even where touching counts", function()
    -- In a world with `touching`, faces that are only touched are left out if others overlap.
    local flush = at(collide.rectangle(10, 8), 0, 4)
    assert.same({ "0, 1 = 1: 0, -1 by 2 at 5, 11" }, entries(closed:contacts(flush, corner)))
  end)

  it("gives the value of a slope", function()
    local slope = at(tilesOf { "./", "##" }, 0, 0)
    assert.same({ "1, 0 = 2: -0.7071, -0.7071 by 0.5858 at 15.21, 5.207" },
      entries(world:contacts(at(collide.circle(2), 14, 4), slope)))
  end)

  it("leaves out the sides between cells, also where a neighbour covers a part of one", function()
    --     0    10   20
    --   0 +    |####|      the lower half beside a full cell: of the full cell only the upper
    --     |----|####|      half of the left side is there
    --  10 +----+----+
    local step = at(tilesOf { "_#" }, 0, 0)
    assert.same({ "0, 0 = 4: 0, -1 by 1 at 8.5, 5.5", "1, 0 = 1: -1, 0 by 2 at 11, 4.5" },
      entries(world:contacts(at(collide.rectangle(5, 3), 7, 3), step)))
  end)

  it("gives the way out of the whole map if a shape is so deep that it meets no face", function()
    local rock = at(tilesOf { "#####", "#####", "#####", "#####", "#####" }, 0, 0)
    local deep = at(collide.circle(2), 25, 24)
    local nx, ny, depth = world:overlap(deep, rock)
    local list = world:contacts(deep, rock)
    assert.equal(1, #list)
    near({ nx, ny, depth }, { list[1].nx, list[1].ny, list[1].depth })
    assert.same({ 2, 2, 1 }, { list[1].column, list[1].row, list[1].value })
  end)

  it("has no more than 256 entries", function()
    local map = collide.newGrid(60, 60)
    for y = 0, 59 do for x = y % 2, 59, 2 do map:set(x, y, 1) end end
    local all = at(collide.tiles(map), 0, 0)
    assert.equal(256, #world:contacts(at(collide.rectangle(60.5, 60.5), -0.25, -0.25), all))
  end)

  it("gives the way out for other shapes, too", function()
    local a, b = at(collide.rectangle(20, 10), 0, 0), at(collide.rectangle(20, 10), 5, 9)
    for _, c in ipairs(world:contacts(a, b)) do
      near({ 0, -1 }, { c.nx, c.ny }, 0)
      assert.is_nil(c.column)
    end
    near({ 0, 1 }, { world:contacts(b, a)[1].nx, world:contacts(b, a)[1].ny }, 0)
  end)

  it("has entries that lead out of their own cells (seed " .. SEED .. ")", function()
    local rng = random.new(SEED)
    for round = 1, random.rounds(300) do
      local rows = {}
      for y = 1, 4 do
        local row = {}
        for x = 1, 5 do row[x] = rng:pick { ".", ".", "#", "/", "\\", "_", "-", "<", ">", "o" } end
        rows[y] = table.concat(row)
      end
      local tiles = at(tilesOf(rows), 0, 0)
      local body = at(rng:chance(0.5) and collide.rectangle(rng:int(1, 15), rng:int(1, 15)) or
        collide.circle(rng:int(1, 9)), rng:int(-5, 50), rng:int(-5, 40), rng:pick { 0, 0.5, 1 })
      local list, back = world:contacts(body, tiles), world:contacts(tiles, body)
      assert.equal(#list, #back)
      assert.equal(overlap(body, tiles) ~= nil, #list > 0)
      for i, c in ipairs(list) do
        local what = ("round %d: %s"):format(round, table.concat(rows, " "))
        near({ c.x, c.y, c.depth, -c.nx, -c.ny }, { back[i].x, back[i].y, back[i].depth,
          back[i].nx, back[i].ny }, 1e-9)
        near({ 1 }, { c.nx * c.nx + c.ny * c.ny })
        local letter = rows[c.row + 1]:sub(c.column + 1, c.column + 1)
        assert.equal(LOOKS[letter], c.value, what)
        -- Moved out by this entry, the shape no longer overlaps its cell.
        if #list > 1 then
          local lone = {}
          for y = 1, 4 do lone[y] = ("."):rep(5) end
          lone[c.row + 1] = ("."):rep(c.column) .. letter .. ("."):rep(4 - c.column)
          local _, _, left = overlap(at(body.shape, body.x + c.nx * c.depth,
            body.y + c.ny * c.depth, body.angle), at(tilesOf(lone), 0, 0))
          assert((left or 0) < 1e-9, what)
        end
      end
    end
  end)
end)
