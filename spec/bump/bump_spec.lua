-- collide.bump: each function and answer of bump.lua 3.1.7, and random worlds against a simple
-- model (spec/support/bump_model.lua).
local bump = require "collide.bump"
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local model = require "spec.support.bump_model"
local random = require "spec.support.random"

local huge = math.huge

-- A world with boxes by name: { name = { x, y, w, h } }, added in the order of their names.
local function worldOf(boxes, cellSize)
  local world, names = bump.newWorld(cellSize), {}
  for name in pairs(boxes) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local b = boxes[name]
    world:add(name, b[1], b[2], b[3], b[4])
  end
  return world
end

local function others(cols)
  local names = {}
  for i, col in ipairs(cols) do names[i] = col.other end
  return names
end

local function first2(a, b)
  return a, b
end

local function always(name)
  return function() return name end
end

describe("collide.bump", function()
  it("has the version and descriptions of bump.lua", function()
    assert.equal("bump v3.1.7", bump._VERSION)
    for _, name in ipairs { "_URL", "_DESCRIPTION", "_LICENSE" } do
      assert.equal("string", type(bump[name]))
    end
  end)

  it("sets no global", function()
    local before = {}
    for name in pairs(_G) do before[name] = true end
    local world = worldOf { a = { 0, 0, 9, 9 }, b = { 20, 0, 9, 9 } }
    world:move("a", 30, 0, always "bounce")
    world:querySegmentWithCoords(0, 0, 9, 9)
    for name in pairs(_G) do assert.is_true(before[name], tostring(name)) end
  end)

  it("has worlds that share nothing", function()
    local one, two = bump.newWorld(), bump.newWorld(32)
    one:add("a", 0, 0, 9, 9)
    one:addResponse("odd", always(0))
    assert.is_false(two:hasItem("a"))
    two:add("a", 50, 0, 9, 9)
    assert.equal(0, (one:getRect("a")))
    expect.raises({ "world:check: what the filter returns expected (one of bounce, cross, slide, "
      .. 'touch), got string "odd"' }, function()
      two:add("b", 50, 0, 9, 9)
      two:check("a", 50, 0, always "odd")
    end)
  end)
end)

describe("bump.newWorld", function()
  it("takes the size of a cell, by default 64", function()
    assert.equal(64, bump.newWorld().cellSize)
    assert.equal(10, bump.newWorld(10).cellSize)
    assert.same({ 2, 3 }, { bump.newWorld(10):toCell(10, 29) })
  end)

  it("refuses values that are not sizes", function()
    for _, size in ipairs { 0, -1, "64", huge, 0 / 0, {}, 1e-9 } do
      expect.raises("bump.newWorld: cellSize expected (positive number from 0.001 to 1e12), got",
        bump.newWorld, size)
    end
    expect.raises("bump.newWorld: called with a colon; call it with a dot", bump.newWorld, bump)
  end)
end)

describe("a bump world's items", function()
  it("are added with a rectangle, and returned", function()
    local world, item = bump.newWorld(), {}
    assert.equal(item, world:add(item, 1, 2, 3, 4))
    assert.is_true(world:hasItem(item))
    assert.same({ 1, 2, 3, 4 }, { world:getRect(item) })
    assert.equal(1, world.rects[item].x)
    assert.equal(4, world.rects[item].h)
  end)

  it("may be of any type", function()
    local world = bump.newWorld()
    local thread = coroutine.create(function() end)
    local items = { "text", 7, 1.5, true, false, print, io.stdout, {}, thread }
    for i, item in ipairs(items) do world:add(item, 10 * i, 0, 10, 10) end
    local list, n = world:getItems()
    assert.equal(9, n)
    for i, item in ipairs(items) do
      assert.is_true(rawequal(item, list[i]))
      assert.is_true(world:hasItem(item))
      assert.same({ item }, { (world:queryPoint(10 * i + 5, 5))[1] })
      assert.same(item, world:querySegment(10 * i + 5, -5, 10 * i + 5, 15)[1])
    end
    world:add("mover", 47, -20, 6, 10)
    local cols, len = world:project("mover", 47, -20, 6, 10, 47, 20)
    assert.same({ true, false, 2 }, { cols[1].other, cols[2].other, len })
    assert.same({ 47, -10 }, { first2(world:move("mover", 47, 20)) })
    for _, item in ipairs(items) do world:remove(item) end
    assert.equal(1, world:countItems())
  end)

  it("are counted and listed", function()
    local world = worldOf { a = { 0, 0, 1, 1 }, b = { 5, 5, 1, 1 }, c = { 5, 5, 1, 1 } }
    assert.equal(3, world:countItems())
    local items, n = world:getItems()
    assert.same({ { "a", "b", "c" }, 3 }, { items, n })
    world:remove("b")
    items, n = world:getItems()
    assert.same({ { "a", "c" }, 2 }, { items, n })
    assert.equal(2, world:countItems())
  end)

  it("cannot be added twice, but can be added again after removal", function()
    local world = worldOf { a = { 0, 0, 9, 9 } }
    expect.raises('world:add: item expected (item that is not in this world yet), got string "a"',
      world.add, world, "a", 0, 0, 9, 9)
    world:remove("a")
    assert.is_false(world:hasItem("a"))
    world:add("a", 50, 60, 7, 8)
    assert.same({ 50, 60, 7, 8 }, { world:getRect("a") })
  end)

  it("are gone when they are removed, and nothing is returned", function()
    local world = worldOf { a = { 0, 0, 9, 9 }, b = { 20, 0, 9, 9 } }
    assert.equal(0, select("#", world:remove("b")))
    assert.same({ 100, 0, {}, 0 }, { world:check("a", 100, 0) })
    assert.same({}, (world:queryRect(0, 0, 100, 100, function(item) return item == "b" end)))
    for _, name in ipairs { "remove", "update", "getRect", "move", "check" } do
      expect.raises({ "world:" .. name .. ': item expected (item of this world), got string "b"' },
        world[name], world, "b", 1, 1)
    end
    assert.is_false(world:hasItem("b"))
    assert.is_false(world:hasItem(nil))
  end)

  it("are moved by update, even into other items", function()
    local world = worldOf { a = { 0, 0, 10, 20 }, b = { 100, 0, 10, 10 } }
    assert.equal(0, select("#", world:update("a", 95, 1)))
    assert.same({ 95, 1, 10, 20 }, { world:getRect("a") })
    world:update("a", 300, 400, 5)
    assert.same({ 300, 400, 5, 20 }, { world:getRect("a") })
    world:update("a", 300, 400, nil, 6)
    assert.same({ 300, 400, 5, 6 }, { world:getRect("a") })
    assert.same({ "a" }, (world:queryPoint(304, 405)))
    assert.same({}, (world:queryPoint(304, 407)))
    assert.same({}, (world:queryPoint(96, 5)))
  end)

  it("have rectangles of positive size, at finite coordinates", function()
    local world = worldOf { a = { 0, 0, 10, 10 } }
    for _, call in ipairs { "add", "update" } do
      local item = call == "add" and "new" or "a"
      expect.raises({ "world:" .. call .. ": w expected (positive number up to 1e12), got 0" },
        world[call], world, item, 0, 0, 0, 1)
      expect.raises({ "world:" .. call .. ": h expected (positive number up to 1e12), got -1" },
        world[call], world, item, 0, 0, 1, -1)
      expect.raises({ "world:" .. call .. ": x expected (finite number within ±1e12), got nan" },
        world[call], world, item, 0 / 0, 0, 1, 1)
      expect.raises({ "world:" .. call .. ": y expected (finite number within ±1e12), got nil" },
        world[call], world, item, 0, nil, 1, 1)
    end
    assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
    assert.is_false(world:hasItem("new"))
  end)
end)

describe("a bump world's cells", function()
  it("are counted from 1, from the corner at 0, 0", function()
    local world = bump.newWorld(32)
    assert.same({ 1, 1 }, { world:toCell(0, 31.9) })
    assert.same({ 2, 0 }, { world:toCell(32, -1) })
    assert.same({ -2, 4 }, { world:toCell(-65, 100) })
    assert.same({ 0, 0 }, { world:toWorld(1, 1) })
    assert.same({ 32, -32 }, { world:toWorld(2, 0) })
    assert.same({ -96, 96 }, { world:toWorld(-2, 4) })
  end)

  --    0    64   128
  --  0 +-a--+----+       a ends where its cell does, b covers a corner: 1 + 4 cells, of which
  --    |  +-b-+  |       they share one
  -- 64 +--|-+-|--+
  --       +---+
  it("are counted if they contain items", function()
    local world = bump.newWorld()
    assert.equal(0, world:countCells())
    world:add("a", 0, 0, 64, 64)
    assert.equal(1, world:countCells())
    world:add("b", 50, 50, 30, 30)
    assert.equal(4, world:countCells())
    world:add("c", -10, -10, 20, 20)
    assert.equal(7, world:countCells())
    world:update("b", 64, 64, 64, 64)
    assert.equal(5, world:countCells())
  end)

  -- A bug that the monkey found: each cell was visited.
  it("are counted without visiting each, however large items are", function()
    local world = bump.newWorld(0.001)
    world:add("huge", -5e11, -5e11, 1e12, 1e12)
    world:add("inside", 0, 0, 10, 10)
    world:add("below", 0, 5e11, 0.002, 0.003)
    assert.equal(1e30 + 6, world:countCells())
  end)

  it("are none for an item so thin that rounding removes its width or height", function()
    local world = bump.newWorld()
    world:add("narrow", 64, 10, 1e-15, 10)
    world:add("flat", 10, 64, 10, 1e-15)
    assert.same({ 2, 0 }, { world:countItems(), world:countCells() })
    assert.is_nil(next(world.nonEmptyCells))
    world:add("wide", 10, 10, 10, 10)
    assert.equal(1, world:countCells())
  end)

  it("are gone after the last item has left and garbage was collected", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 0, 0, 100, 10 } }
    assert.equal(2, world:countCells())
    world:remove("b")
    collectgarbage()
    assert.equal(1, world:countCells())
    world:move("a", 1000, 1000)
    collectgarbage()
    assert.same({ 1, 16 }, { world:countCells(), (world:toCell(1000, 1000)) })
    world:remove("a")
    collectgarbage()
    assert.equal(0, world:countCells())
  end)

  it("decide which items the filter gets: all neighbours, met or not", function()
    local world = worldOf({ a = { 0, 0, 10, 10 }, b = { 40, 40, 10, 10 }, c = { 60, 0, 10, 10 },
      d = { 90, 40, 10, 10 } }, 50)
    local asked = {}
    local filter = function(item, other) asked[#asked + 1] = item .. other return "slide" end
    assert.same({ 5, 0, {}, 0 }, { world:check("a", 5, 0, filter) })
    assert.same({ "ab" }, asked)
    asked = {}
    assert.same({ 41, 0, {}, 0 }, { world:check("a", 41, 0, filter) })
    assert.same({ "ab", "ac", "ad" }, asked)
  end)
end)

-- The fields of bump's worlds that games read. The loops are those of bump_debug.lua.
describe("a bump world's tables", function()
  local function cellsOf(world)
    local list = {}
    for cy, row in pairs(world.rows) do
      for cx, cell in pairs(row) do
        assert.same({ cx, cy }, { cell.x, cell.y })
        local l, t = world:toWorld(cx, cy)
        local names = {}
        for item in pairs(cell.items) do names[#names + 1] = item end
        table.sort(names)
        list[#list + 1] = ("%d,%d: %d %s"):format(l, t, cell.itemCount, table.concat(names))
      end
    end
    table.sort(list)
    return list
  end

  it("rows has the cells by row and column, as they are now", function()
    local world = worldOf({ a = { 0, 0, 10, 10 }, b = { 5, 5, 10, 10 } }, 10)
    assert.same({ "0,0: 2 ab", "0,10: 1 b", "10,0: 1 b", "10,10: 1 b" }, cellsOf(world))
    world:remove("b")
    world:move("a", -10, 0)
    assert.same({ "-10,0: 1 a" }, cellsOf(world))
    world:add("c", -10, -20, 1, 1)
    assert.same({ "-10,-20: 1 c", "-10,0: 1 a" }, cellsOf(world))
    world:update("c", -1, 1)
    assert.same({ "-10,0: 2 ac" }, cellsOf(world))
  end)

  it("cells is rows, and nonEmptyCells the set of its cells", function()
    local world = worldOf { a = { 0, 0, 100, 10 } }
    assert.equal(world.rows, world.cells)
    local n = 0
    for cell, value in pairs(world.nonEmptyCells) do
      assert.is_true(value)
      assert.equal(cell, world.rows[cell.y][cell.x])
      n = n + 1
    end
    assert.equal(world:countCells(), n)
  end)

  it("rects has the rectangle of each item, before and after changes", function()
    local world = worldOf { a = { 1, 2, 3, 4 } }
    local rects = world.rects
    world:add("b", 5, 6, 7, 8)
    world:update("a", 10, 20)
    local list = {}
    for item, rect in pairs(rects) do
      list[item] = { rect.x, rect.y, rect.w, rect.h }
      assert.equal(rect, world.rects[item])
    end
    assert.same({ a = { 10, 20, 3, 4 }, b = { 5, 6, 7, 8 } }, list)
    for item in pairs(world.rects) do world:remove(item) end
    assert.is_nil(next(rects))
    assert.equal(0, world:countItems())
  end)

  it("cannot be replaced or get new entries", function()
    local world = worldOf { a = { 0, 0, 10, 10 } }
    local function refused(name, write)
      expect.raises({ "world." .. name .. " can only be read: change the world by add, remove, "
        .. "update and move" }, write)
    end
    for _, name in ipairs { "rects", "rows", "cells", "nonEmptyCells" } do
      refused(name, function() world[name] = {} end)
      refused(name, function() world[name] = nil end)
      refused(name == "cells" and "rows" or name, function() world[name].new = {} end)
    end
    refused("rows", function() world.rows[1][2] = {} end)
    refused("rects", function() world.rects.a.x = 5 end)
    -- Removing entries cannot be noticed, since pairs of Lua 5.1 needs them in the table itself. It
    -- changes nothing in the world.
    world.rects.a, world.rows[1] = nil, nil
    assert.same({ 0, 0, 10, 10 }, { world:getRect "a" })
    assert.same({ "a" }, (world:queryPoint(5, 5)))
    world.mine = 1
    assert.equal(1, world.mine)
  end)

  it("list at most 2^20 cells", function()
    local world = worldOf({ a = { 0, 0, 1e9, 1 } }, 1)
    expect.raises({ "world.rows: the items have 1000000000 cells, and at most 1048576 can be "
      .. "listed" }, function() return world.rows end)
    assert.equal(1e9, world:countCells())
    world:update("a", 0, 0, 1, 1)
    assert.same({ "0,0: 1 a" }, cellsOf(world))
  end)
end)

describe("world:queryRect of bump", function()
  local world = worldOf { a = { 10, 10, 10, 10 }, b = { 30, 10, 10, 10 }, c = { 200, 200, 5, 5 } }

  it("finds items that share more than a boundary with the rectangle", function()
    assert.same({ { "a" }, 1 }, { world:queryRect(0, 0, 11, 11) })
    assert.same({ { "a", "b" }, 2 }, { world:queryRect(19, 0, 12, 100) })
    assert.same({ {}, 0 }, { world:queryRect(20, 0, 10, 100) })
    assert.same({ { "a", "b", "c" }, 3 }, { world:queryRect(-1e6, -1e6, 2e6, 2e6) })
  end)

  it("leaves out items that the filter refuses", function()
    local filter = function(item) return item ~= "a" and "yes" end
    assert.same({ { "b" }, 1 }, { world:queryRect(0, 0, 100, 100, filter) })
    assert.same({ {}, 0 }, { world:queryRect(0, 0, 100, 100, function() end) })
  end)

  it("refuses rectangles of zero size", function()
    for _, size in ipairs { 0, -5 } do
      expect.raises({ "world:queryRect: w expected (positive number up to 1e12), got " .. size },
        world.queryRect, world, 0, 0, size, 5)
      expect.raises({ "world:queryRect: h expected (positive number up to 1e12), got " .. size },
        world.queryRect, world, 0, 0, 5, size)
    end
  end)
end)

describe("world:queryPoint of bump", function()
  local world = worldOf { a = { 10, 10, 10, 10 }, b = { 15, 10, 10, 10 }, c = { 20, 20, 5, 5 } }

  it("finds items that contain the point", function()
    assert.same({ { "a" }, 1 }, { world:queryPoint(12, 12) })
    assert.same({ { "a", "b" }, 2 }, { world:queryPoint(17, 12) })
    assert.same({ {}, 0 }, { world:queryPoint(0, 0) })
  end)

  it("finds no item at its boundary, or nearer to it than 1e-10", function()
    assert.same({ {}, 0 }, { world:queryPoint(10, 15) })
    assert.same({ { "b" }, 1 }, { world:queryPoint(20, 15) })
    assert.same({ {}, 0 }, { world:queryPoint(20, 20) })
    assert.same({ {}, 0 }, { world:queryPoint(10 + 9e-11, 15) })
    assert.same({ { "a" }, 1 }, { world:queryPoint(10 + 2e-10, 15) })
  end)

  it("leaves out items that the filter refuses", function()
    assert.same({ { "b" }, 1 }, { world:queryPoint(17, 12, function(item) return item == "b" end) })
  end)
end)

describe("world:querySegment of bump", function()
  --    0    10   20   30   40
  --  0      +-a--+    +-b--+
  --  5 ----------------------------->
  -- 10      +----+    +----+
  local world = worldOf { b = { 30, 0, 10, 10 }, a = { 10, 0, 10, 10 }, c = { 10, 100, 10, 10 } }

  it("finds items that the segment passes through, from its start on", function()
    assert.same({ { "a", "b" }, 2 }, { world:querySegment(0, 5, 50, 5) })
    assert.same({ { "b", "a" }, 2 }, { world:querySegment(50, 5, 0, 5) })
    assert.same({ { "a" }, 1 }, { world:querySegment(0, 5, 29, 5) })
    assert.same({ { "a", "c" }, 2 }, { world:querySegment(15, -5, 15, 200) })
    assert.same({ {}, 0 }, { world:querySegment(0, 20, 50, 20) })
  end)

  it("begins with items that contain its start: the line counts, not the segment", function()
    assert.same({ { "a", "b" }, 2 }, { world:querySegment(15, 5, 50, 5) })
    assert.same({ { "b", "a" }, 2 }, { world:querySegment(35, 5, 0, 5) })
    local nested = worldOf { outer = { -10, -10, 40, 40 }, inner = { 0, 0, 20, 20 } }
    assert.same({ "outer", "inner" }, (nested:querySegment(10, 10, 50, 10)))
  end)

  it("does not find items that contain the whole segment, or that it only touches", function()
    assert.same({ {}, 0 }, { world:querySegment(12, 5, 18, 5) })
    assert.same({ {}, 0 }, { world:querySegment(0, 5, 10, 5) })
    assert.same({ {}, 0 }, { world:querySegment(20, 5, 30, 5) })
    assert.same({ {}, 0 }, { world:querySegment(0, 0, 50, 0) })
    assert.same({ {}, 0 }, { world:querySegment(15, 5, 15, 5) })
  end)

  -- bump tests the items in the cells that it visits. Where both borders of cells are equally far
  -- away by its sums, it visits both cells beside a corner; where rounding makes one nearer, only
  -- that.
  --         64
  --    |  \ | c |       The line goes through the corner of c, which is a corner of cells. bump
  -- 64 +---\+---+       visits the cell of c on the way down, and not on the way up.
  --    |    \   |
  it("finds an item touched at a corner only if bump visits its cell", function()
    assert.same({ { "a" }, 1 }, { world:querySegment(5, 5, 15, -5) })
    local aligned = worldOf({ c = { 16, -32, 96, 96 } }, 16)
    assert.same({}, (aligned:querySegment(48, -176, -16, 112)))
    aligned = worldOf({ c = { 448, -64, 256, 128 } }, 64)
    assert.same({}, (aligned:querySegment(-640, -1024, 2048, 896)))
  end)

  it("does not find items that it touches only with an end, or along a rounded side", function()
    assert.same({}, (world:querySegment(20, 10, 25, 15)))
    assert.same({}, (world:querySegment(25, 15, 20, 10)))
    -- The lower side of c is rounded to just below -8, where no cell of c is.
    local size, third = 8 / 3, 1 / 3
    local thirds = worldOf({ c = { 16 * third, -40 * third, 40 * third, 16 * third } }, size)
    assert.same({}, (thirds:querySegment(40 * third, -24 * third, 80 * third, -24 * third)))
  end)

  it("is fast in a huge world", function()
    local fine = worldOf({ c = { 0, 0, 1, 1 } }, 0.001)
    assert.same({ "c" }, (fine:querySegment(-1e12, -1e12, 1e12, 1e12)))
    assert.same({ "c" }, (fine:querySegment(-1e12, 1e12, 1e12, -1e12)))
  end)

  it("leaves out items that the filter refuses", function()
    local filter = function(item) return item ~= "a" end
    assert.same({ { "b" }, 1 }, { world:querySegment(0, 5, 50, 5, filter) })
    local infos, n = world:querySegmentWithCoords(0, 5, 50, 5, filter)
    assert.same({ "b", 1, 1 }, { infos[1].item, #infos, n })
  end)

  it("has a variant WithCoords that returns where it enters and leaves", function()
    local infos, n = world:querySegmentWithCoords(0, 5, 50, 5)
    assert.equal(2, n)
    assert.same({ item = "a", x1 = 10, y1 = 5, x2 = 20, y2 = 5, ti1 = 0.2, ti2 = 0.4 }, infos[1])
    assert.same({ item = "b", x1 = 30, y1 = 5, x2 = 40, y2 = 5, ti1 = 0.6, ti2 = 0.8 }, infos[2])
    infos = world:querySegmentWithCoords(15, 5, 15, -15)
    assert.same({ { item = "a", x1 = 15, y1 = 5, x2 = 15, y2 = 0, ti1 = 0, ti2 = 0.25 } }, infos)
  end)
end)

describe("bump.rect", function()
  local rect = bump.rect

  it("getNearestCorner: the nearest corner, and the last of several equally near", function()
    assert.same({ 0, 0 }, { rect.getNearestCorner(0, 0, 10, 20, 2, 3) })
    assert.same({ 10, 0 }, { rect.getNearestCorner(0, 0, 10, 20, 6, -50) })
    assert.same({ 10, 20 }, { rect.getNearestCorner(0, 0, 10, 20, 5, 10) })
    assert.same({ 0, 20 }, { rect.getNearestCorner(0, 0, 10, 20, -9, 99) })
  end)

  it("getSegmentIntersectionIndices: fractions of the segment, and normals", function()
    assert.same({ 0.25, 0.5, -1, 0, 1, 0 },
      { rect.getSegmentIntersectionIndices(10, 0, 10, 10, 0, 5, 40, 5) })
    assert.same({ 0.5, 0.75, 1, 0, -1, 0 },
      { rect.getSegmentIntersectionIndices(10, 0, 10, 10, 40, 5, 0, 5) })
    assert.same({ 0.2, 0.4, 0, -1, 0, 1 },
      { rect.getSegmentIntersectionIndices(0, 10, 10, 10, 5, 0, 5, 50) })
    assert.same({ 0.6, 0.8, 0, 1, 0, -1 },
      { rect.getSegmentIntersectionIndices(0, 10, 10, 10, 5, 50, 5, 0) })
  end)

  it("getSegmentIntersectionIndices: within 0 … 1, or other limits", function()
    assert.same({ 0, 1, 0, 0, 0, 0 },
      { rect.getSegmentIntersectionIndices(0, 0, 9, 9, 3, 3, 6, 6) })
    assert.same({ -1, 2, -1, 0, 1, 0 },
      { rect.getSegmentIntersectionIndices(0, 0, 9, 9, 3, 3, 6, 6, -huge, huge) })
    assert.same({}, { rect.getSegmentIntersectionIndices(20, 0, 9, 9, 0, 3, 10, 3) })
    assert.same({ 2, 2.9 },
      { first2(rect.getSegmentIntersectionIndices(20, 0, 9, 9, 0, 3, 10, 3, 0, huge)) })
  end)

  it("getSegmentIntersectionIndices: nothing along a side, a corner in one point", function()
    assert.is_nil((rect.getSegmentIntersectionIndices(0, 0, 9, 9, -5, 0, 20, 0)))
    assert.is_nil((rect.getSegmentIntersectionIndices(0, 0, 9, 9, 9, -5, 9, 20)))
    local t1, t2 = rect.getSegmentIntersectionIndices(0, 0, 10, 10, -5, 5, 5, -5)
    assert.same({ 0.5, 0.5 }, { t1, t2 })
  end)

  it("getDiff: the Minkowski difference", function()
    assert.same({ 15, 27, 22, 24 }, { rect.getDiff(3, 1, 2, 2, 20, 30, 20, 22) })
  end)

  it("containsPoint: inside by more than 1e-10", function()
    assert.is_true(rect.containsPoint(0, 0, 10, 10, 5, 5))
    assert.is_false(rect.containsPoint(0, 0, 10, 10, 0, 5))
    assert.is_false(rect.containsPoint(0, 0, 10, 10, 5, 10))
    assert.is_false(rect.containsPoint(0, 0, 10, 10, 1e-11, 5))
    assert.is_false(rect.containsPoint(0, 0, 10, 10, 11, 5))
  end)

  it("isIntersecting: sharing more than a boundary", function()
    assert.is_true(rect.isIntersecting(0, 0, 10, 10, 9, 9, 10, 10))
    assert.is_false(rect.isIntersecting(0, 0, 10, 10, 10, 0, 10, 10))
    assert.is_false(rect.isIntersecting(0, 0, 10, 10, 0, 50, 10, 10))
    assert.is_true(rect.isIntersecting(0, 0, 10, 10, 2, 2, 1, 1))
  end)

  it("getSquareDistance: between the centres", function()
    assert.equal(117, rect.getSquareDistance(0, 0, 10, 10, 5, 5, 12, 18))
    assert.equal(0, rect.getSquareDistance(1, 1, 4, 4, 2, 2, 2, 2))
  end)

  it("refuses values that are not numbers", function()
    expect.raises({ "bump.rect.getDiff: h2 expected (number), got nil" },
      rect.getDiff, 1, 2, 3, 4, 5, 6, 7)
    expect.raises({ 'bump.rect.detectCollision: goalX expected (number), got string "x"' },
      rect.detectCollision, 0, 0, 1, 1, 0, 0, 1, 1, "x")
    expect.raises({ "bump.rect.containsPoint: px expected (number), got nan" },
      rect.containsPoint, 0, 0, 1, 1, 0 / 0, 1)
  end)
end)

describe("bump.rect.detectCollision", function()
  local detect = bump.rect.detectCollision

  it("finds nothing where nothing is met", function()
    assert.is_nil(detect(0, 0, 1, 1, 5, 5, 1, 1, 0, 0))
    assert.is_nil(detect(0, 0, 1, 1, 5, 5, 1, 1, 0, 10))
    assert.is_nil(detect(0, 0, 10, 10, 10, 0, 10, 10))
  end)

  --  0 +-a-+      +-b-+
  -- 10 +---+ ---> +---+
  --    0   10     40      a gets to b after 0.6 of its way
  it("returns all fields of a collision on the way", function()
    assert.same({
      overlaps = false, ti = 0.6,
      move = { x = 50, y = 0 }, normal = { x = -1, y = 0 }, touch = { x = 30, y = 0 },
      itemRect = { x = 0, y = 0, w = 10, h = 10 }, otherRect = { x = 40, y = 0, w = 10, h = 10 },
    }, detect(0, 0, 10, 10, 40, 0, 10, 10, 50, 0))
  end)

  it("gives the side that is met", function()
    local function normal(...)
      local col = detect(0, 0, 10, 10, ...)
      return { col.normal.x, col.normal.y, col.touch.x, col.touch.y, col.ti }
    end
    assert.same({ -1, 0, 10, 0, 0.5 }, normal(20, 5, 10, 10, 20, 0))
    assert.same({ 1, 0, -10, 0, 0.5 }, normal(-20, 5, 10, 10, -20, 0))
    assert.same({ 0, -1, 0, 10, 0.5 }, normal(5, 20, 10, 10, 0, 20))
    assert.same({ 0, 1, 0, -10, 0.5 }, normal(5, -20, 10, 10, 0, -20))
  end)

  it("finds items that a fast item would tunnel through", function()
    local col = detect(0, 0, 1, 1, 100, 0, 1, 1, 1000, 0)
    assert.same({ false, 0.099, 99 }, { col.overlaps, col.ti, col.touch.x })
  end)

  it("finds a touching item at ti 0, if the move leads into it", function()
    local col = detect(0, 0, 10, 10, 10, 0, 10, 10, 5, 0)
    assert.same({ false, 0, -1, 0 }, { col.overlaps, col.ti, col.touch.x - 1, col.touch.y })
    assert.is_nil(detect(0, 0, 10, 10, 10, 0, 10, 10, -5, 0))
    assert.is_nil(detect(0, 0, 10, 10, 10, 0, 10, 10, 0, 50))
  end)

  it("finds nothing that it only touches at the end of its way", function()
    assert.is_nil(detect(0, 0, 10, 10, 20, 0, 10, 10, 10, 0))
    assert.is_truthy(detect(0, 0, 10, 10, 20, 0, 10, 10, 10.5, 0))
  end)

  it("ignores a corner that it only touches", function()
    assert.is_nil(detect(0, 0, 10, 10, 10, 10, 10, 10, 5, -5))
    assert.is_nil(detect(0, 20, 10, 10, 20, 20, 10, 10, 20, 0))
    assert.is_nil(detect(0, 0, 10, 10, 20, -20, 10, 10, 30, 10, 0))
  end)

  it("gives a negative area as ti on overlap; without motion, the shortest way out", function()
    local col = detect(0, 0, 10, 10, 7, 2, 20, 20)
    assert.same({ true, -24, { x = -1, y = 0 }, { x = -3, y = 0 }, { x = 0, y = 0 } },
      { col.overlaps, col.ti, col.normal, col.touch, col.move })
    col = detect(0, 0, 10, 10, 2, 7, 20, 20)
    assert.same({ true, -24, { x = 0, y = -1 }, { x = 0, y = -3 } },
      { col.overlaps, col.ti, col.normal, col.touch })
    col = detect(25, 0, 10, 10, 7, 2, 20, 20)
    assert.same({ true, -16, { x = 1, y = 0 }, { x = 27, y = 0 } },
      { col.overlaps, col.ti, col.normal, col.touch })
  end)

  it("gives the way out backwards on overlap, if the item moves", function()
    local col = detect(3, 2, 4, 4, 0, 0, 10, 10, 4, 2)
    assert.same({ true, -4 * 4, { x = -1, y = 0 }, { x = -4, y = 2 } },
      { col.overlaps, col.ti, col.normal, col.touch })
    col = detect(3, 2, 4, 4, 0, 0, 10, 10, 3, 1)
    assert.same({ { x = 0, y = 1 }, { x = 3, y = 10 } }, { col.normal, col.touch })
  end)
end)

describe("world:project of bump", function()
  it("returns all collisions on a straight way, and moves nothing", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 30, 0, 10, 10 }, c = { 60, 5, 10, 10 },
      d = { 0, 60, 10, 10 } }
    local cols, n = world:project("a", 0, 0, 10, 10, 100, 0)
    assert.equal(2, n)
    assert.same({ "b", "c" }, others(cols))
    assert.same({ "a", "slide", 0.2, { x = 100, y = 0 }, { x = 20, y = 0 } },
      { cols[1].item, cols[1].type, cols[1].ti, cols[1].move, cols[1].touch })
    assert.is_nil(cols[1].slide)
    assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
  end)

  it("takes any rectangle, with an item or without", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 30, 0, 10, 10 } }
    assert.same({ "a", "b" }, others((world:project(nil, -20, 0, 10, 10, 100, 0))))
    assert.same({ "b" }, others((world:project("a", -20, 0, 10, 10, 100, 0))))
    assert.same({ "a", "b" }, others((world:project("none", -20, 0, 10, 10, 100, 0))))
  end)

  it("without a goal returns the overlaps", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 9, 9, 10, 10 }, c = { 10, 0, 10, 10 } }
    local cols, n = world:project("a", 0, 0, 10, 10)
    assert.same({ 1, { "b" }, true, -1 }, { n, others(cols), cols[1].overlaps, cols[1].ti })
  end)

  it("orders collisions by ti, deepest overlaps first", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 9, 0, 10, 10 }, c = { 5, 5, 10, 10 },
      d = { 12, 0, 10, 10 }, e = { 11, 0, 10, 10 } }
    local cols = world:project("a", 0, 0, 10, 10, 20, 0)
    assert.same({ "c", "b", "e", "d" }, others(cols))
    assert.same({ -25, -10, 0.05, 0.1 }, { cols[1].ti, cols[2].ti, cols[3].ti, cols[4].ti })
  end)

  --    0   10   20   30
  -- 30 +-l-++-m--++-r-+
  --       a mover falls onto all three at once: nearest centre first, then in the order of adding
  it("orders equal ti by the distance of the centres, then by the order of adding", function()
    local world = worldOf { l = { 0, 30, 10, 10 }, m = { 10, 30, 10, 10 }, r = { 20, 30, 10, 10 } }
    assert.same({ "m", "l", "r" }, others((world:project(nil, 7, 0, 16, 10, 7, 40))))
    assert.same({ "m", "r", "l" }, others((world:project(nil, 8, 0, 16, 10, 8, 40))))
    assert.same({ "l", "m", "r" }, others((world:project(nil, -1, 0, 22, 10, -1, 40))))
  end)

  it("calls the filter with both items, and skips the other on nil or false", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 30, 0, 10, 10 }, c = { 45, 0, 10, 10 } }
    local cols = world:project("a", 0, 0, 10, 10, 60, 0, function(item, other)
      assert.equal("a", item)
      return other == "c" and "whatever"
    end)
    assert.same({ "c" }, others(cols))
    assert.equal("whatever", cols[1].type)
    assert.same({ {}, 0 }, { world:project("a", 0, 0, 10, 10, 60, 0, function() end) })
  end)
end)

describe("world:check and world:move of bump", function()
  it("get to the goal when nothing is in the way", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 0, 20, 10, 10 } }
    assert.same({ 100, 3, {}, 0 }, { world:check("a", 100, 3) })
    assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
    assert.same({ 100, 3, {}, 0 }, { world:move("a", 100, 3) })
    assert.same({ 100, 3, 10, 10 }, { world:getRect("a") })
  end)

  it("return the same results, but only move moves the item", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 5, 10, 10 } }
    local x, y, cols, n = world:check("a", 30, 20)
    assert.same({ 0, 0 }, { first2(world:getRect("a")) })
    assert.same({ x, y, cols, n }, { world:move("a", 30, 20) })
    assert.same({ x, y, 10, 10 }, { world:getRect("a") })
  end)

  it("without a goal return the overlaps, and their ways out", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 8, 1, 10, 10 } }
    local x, y, cols, n = world:check("a")
    assert.same({ 0, 0, 1, true }, { x, y, n, cols[1].overlaps })
    assert.same({ { x = -2, y = 0 }, { x = 0, y = 0 } }, { cols[1].touch, cols[1].slide })
    world:remove("b")
    x, y, cols, n = world:check("a")
    assert.same({ {}, 0 }, { cols, n })
    assert.is_nil(x)
    assert.is_nil(y)
    expect.raises({ "world:move: goalX expected (finite number within ±1e12), got nil" },
      world.move, world, "a")
  end)

  -- Bugs: these raised errors about queryBounds, since cells end beyond 1e12 and ways out may be
  -- infinite.
  it("go to the limits of coordinates, and check may return places beyond them", function()
    local world = worldOf({ a = { 9.9e11, 0, 1e9, 10 }, b = { 9.97e11, 0, 1e9, 10 } }, 64e9)
    assert.same({ 9.96e11, 0, { "b" } }, (function(x, y, cols) return { x, y, others(cols) } end)(
      world:move("a", 1e12, 0)))
    world = worldOf { a = { 0, 0, 10, 10 }, b = { -5, -5, 20, 20 } }
    local x, y, cols = world:check("a", 5e-324, 0)
    assert.same({ 5e-324, true, -huge }, { x, y ~= y, cols[1].touch.x })
    expect.raises({ "world:move: goalY expected (finite number within ±1e12), got nan" },
      world.move, world, "a", 5e-324, 0)
    assert.same({ 0, 0, 10, 10 }, { world:getRect "a" })
  end)

  it("tell items apart that are equal by __eq", function()
    local world, same = bump.newWorld(), { __eq = function() return true end }
    local a, b = setmetatable({}, same), setmetatable({}, same)
    world:add(a, 0, 0, 10, 10)
    world:add(b, 20, 0, 10, 10)
    local _, _, cols = world:check(a, 100, 0)
    assert.is_true(rawequal(b, cols[1].other))
  end)

  it("raise for an unknown response", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 5, 0, 10, 10 } }
    for _, name in ipairs { "glide", true, 7, print } do
      expect.raises({ "world:move: what the filter returns expected (one of bounce, cross, slide, "
        .. "touch), got " .. type(name) }, world.move, world, "a", 9, 9, always(name))
    end
    assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
  end)

  it("report each item once", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 100 }, c = { -20, 0, 10, 100 } }
    local _, _, cols, n = world:check("a", 1000, 0, always "bounce")
    assert.same({ 2, { "b", "c" } }, { n, others(cols) })
  end)
end)

describe("bump's response", function()
  --      0   10  20  30
  --    0 +-a-+   +-b-+
  --   10 +---+   |   |   a goes to 40, 30 and meets b after a quarter of the way
  --  100         +---+
  local function met(name)
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 100 } }
    local x, y, cols, n = world:move("a", 40, 30, always(name))
    assert.equal(1, n)
    local col = cols[1]
    assert.same({ "a", "b", name, false, 0.25 },
      { col.item, col.other, col.type, col.overlaps, col.ti })
    assert.same({ { x = 40, y = 30 }, { x = -1, y = 0 }, { x = 10, y = 7.5 } },
      { col.move, col.normal, col.touch })
    assert.same({ { x = 0, y = 0, w = 10, h = 10 }, { x = 20, y = 0, w = 10, h = 100 } },
      { col.itemRect, col.otherRect })
    assert.same({ x, y, 10, 10 }, { world:getRect("a") })
    return x, y, col
  end

  it("touch stops", function()
    local x, y, col = met "touch"
    assert.same({ 10, 7.5 }, { x, y })
    assert.is_nil(col.slide)
    assert.is_nil(col.bounce)
  end)

  it("cross continues", function()
    local x, y, col = met "cross"
    assert.same({ 40, 30 }, { x, y })
    assert.is_nil(col.slide)
    assert.is_nil(col.bounce)
  end)

  it("slide continues along the side", function()
    local x, y, col = met "slide"
    assert.same({ 10, 30 }, { x, y })
    assert.same({ x = 10, y = 30 }, col.slide)
    assert.is_nil(col.bounce)
  end)

  it("bounce reflects the motion", function()
    local x, y, col = met "bounce"
    assert.same({ -20, 30 }, { x, y })
    assert.same({ x = -20, y = 30 }, col.bounce)
    assert.is_nil(col.slide)
  end)

  it("slide is the default", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 0, 20, 100, 10 } }
    local x, y, cols, n = world:move("a", 30, 30)
    assert.same({ 30, 10, 1, "slide" }, { x, y, n, cols[1].type })
    assert.same({ x = 30, y = 10 }, cols[1].slide)
  end)

  it("slide meets items along the side, and keeps its first goal in col.slide", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, -50, 10, 200 }, c = { 0, 40, 50, 10 } }
    local x, y, cols, n = world:move("a", 60, 60)
    assert.same({ 10, 30, 2 }, { x, y, n })
    assert.same({ { "b", "c" }, { x = 10, y = 60 }, { x = 10, y = 30 } },
      { others(cols), cols[1].slide, cols[2].slide })
    assert.same({ x = 10, y = 10, w = 10, h = 10 }, cols[2].itemRect)
    assert.same({ x = 0, y = 50 }, cols[2].move)
  end)

  it("bounce bounces between two items", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { -15, 0, 10, 10 } }
    local x, y, cols, n = world:move("a", 40, 0, always "bounce")
    assert.same({ 10, 0, 2 }, { x, y, n })
    assert.same({ { "b", "c" }, { x = -20, y = 0 }, { x = 10, y = 0 } },
      { others(cols), cols[1].bounce, cols[2].bounce })
  end)

  it("cross reports all items crossed, up to the one that stops the item", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 },
      d = { 60, 0, 10, 10 }, e = { 80, 0, 10, 10 } }
    local x, y, cols = world:move("a", 100, 0, function(_, other)
      return other == "d" and "touch" or "cross"
    end)
    assert.same({ 50, 0, { "b", "c", "d" } }, { x, y, others(cols) })
  end)

  it("cross after a slide sweeps from where the move began", function()
    -- It slides down b at x = 10, where it meets c and not d, which lies on the straight way from
    -- 0, 0 to the new goal.
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 100 }, c = { 10, 40, 5, 5 },
      d = { 6, 30, 3, 3 } }
    local x, y, cols = world:move("a", 40, 60, function(_, other)
      return other == "b" and "slide" or "cross"
    end)
    assert.same({ 10, 60, { "b", "c", "d" } }, { x, y, others(cols) })
  end)

  it("pushes an item without motion out of another by the shortest way", function()
    for _, name in ipairs { "bounce", "touch" } do
      local world = worldOf { a = { 0, 0, 10, 10 }, b = { 4, 7, 10, 10 } }
      local x, y, cols = world:move("a", 0, 0, always(name))
      assert.same({ 0, -3, true, { x = 0, y = -1 } }, { x, y, cols[1].overlaps, cols[1].normal })
      if name == "bounce" then assert.same({ x = 0, y = -3 }, cols[1].bounce) end
    end
  end)

  -- The earlier of the two files that call themselves 3.1.7 takes it out to col.touch.
  it("but slide leaves it where it is, as the later bump 3.1.7 does", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 4, 7, 10, 10 } }
    local x, y, cols, n = world:move("a", 0, 0)
    assert.same({ 0, 0, 1 }, { x, y, n })
    assert.same({ { x = 0, y = 0 }, { x = 0, y = -3 }, { x = 0, y = -1 }, { x = 0, y = 0 } },
      { cols[1].slide, cols[1].touch, cols[1].normal, cols[1].move })
    -- On the way back in from col.touch, it meets what is there.
    world:add("c", 0, 8, 3, 1)
    x, y, cols = world:check("a", 0, 0)
    assert.same({ 0, -2, { "b", "c" } }, { x, y, others(cols) })
  end)

  it("functions are the same in all worlds, and can be called directly", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 100 }, c = { 0, 40, 50, 10 } }
    for name, respond in pairs(bump.responses) do
      assert.equal(respond, world.responses[name])
    end
    local col = world:project("a", 0, 0, 10, 10, 40, 60)[1]
    local x, y, cols, n = bump.responses.slide(world, col, 0, 0, 10, 10, 40, 60)
    assert.same({ 10, 30, { "c" }, 1 }, { x, cols[1].touch.y, others(cols), n })
    assert.equal(60, y)
    assert.same({ x = 10, y = 60 }, col.slide)
    assert.same({ 10, 15, {}, 0 }, { bump.responses.touch(world, col, 0, 0, 10, 10, 40, 60) })
    assert.same({ 10, 15, {}, 0 }, { bump.responses.touch(world, col) })
    x, y, cols = bump.responses.cross(world, col, 0, 0, 10, 10, 40, 60)
    assert.same({ 40, 60, { "b", "c" } }, { x, y, others(cols) })
    x, y = bump.responses.bounce(world, col, 0, 0, 10, 10, 40, 60)
    assert.same({ -20, 60, { x = -20, y = 60 } }, { x, y, col.bounce })
    expect.raises({ "bump.responses.slide: col expected (collision), got nil" },
      bump.responses.slide, world)
    expect.raises({ "bump.responses.touch: world expected (world), got nil" }, bump.responses.touch)
  end)
end)

describe("world:addResponse of bump", function()
  it("adds a response of the game, which gets all arguments", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 50, 0, 10, 10 } }
    local heard = {}
    world:addResponse("half", function(...)
      local self, col, x, y, w, h, goalX, goalY, filter = ...
      heard[#heard + 1] = { self == world, col.other, x, y, w, h, goalX, goalY, select("#", ...) }
      col.half = true
      local toX = x + (goalX - x) / 2
      local cols, n = self:project(col.item, col.touch.x, col.touch.y, w, h, toX, goalY, filter)
      return toX, goalY, cols, n
    end)
    local x, y, cols, n = world:move("a", 100, 0, always "half")
    assert.same({ 25, 0, 2, { "b", "c" } }, { x, y, n, others(cols) })
    assert.same({ true, true }, { cols[1].half, cols[2].half })
    assert.same({ { true, "b", 0, 0, 10, 10, 100, 0, 9 }, { true, "c", 0, 0, 10, 10, 50, 0, 9 } },
      heard)
  end)

  it("passes it a filter that skips items already met", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 50, 0, 10, 10 } }
    local passed = {}
    world:addResponse("look", function(_, col, _, _, _, _, goalX, goalY, filter)
      passed[col.other] = { b = filter("a", "b"), c = filter("a", "c") }
      return goalX, goalY, {}, 0
    end)
    world:check("a", 100, 0, always "look")
    assert.same({ b = { b = false, c = "look" } }, passed)
    world:addResponse("slide", world.responses.look)
    world:check("a", 100, 0)
    assert.same({ b = { b = false, c = "slide" } }, passed)
  end)

  it("replaces a response in this world only", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 } }
    world:addResponse("slide", bump.responses.cross)
    assert.same({ 100, 0 }, { first2(world:check("a", 100, 0)) })
    local other = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 } }
    assert.equal(10, (other:check("a", 100, 0)))
  end)

  it("adds a response that may call others", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 50, -5, 10, 100 } }
    world:addResponse("tunnel", function(w, col, ...)
      return bump.responses.cross(w, col, ...)
    end)
    local x, y, cols = world:move("a", 100, 50, function(_, other)
      return other == "b" and "tunnel" or "slide"
    end)
    assert.same({ 40, 50, { "b", "c" } }, { x, y, others(cols) })
  end)

  it("adds a response that may yield", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 50, 0, 10, 10 } }
    world:addResponse("wait", function(self, col, ...)
      coroutine.yield(col.other)
      return self.responses.cross(self, col, ...)
    end)
    for _ = 1, 2 do -- Lua makes the first move of a world, and the core the next
      local waits = coroutine.wrap(function() return world:move("a", 100, 0, always "wait") end)
      assert.same({ "b", "c" }, { waits(), (waits()) })
      assert.equal(0, (world:getRect("a")))
      local x, y, cols, n = waits()
      assert.same({ 100, 0, { "b", "c" }, 2 }, { x, y, others(cols), n })
      assert.equal(100, (world:getRect("a")))
      world:update("a", 0, 0)
    end
  end)

  it("refuses values that cannot be called", function()
    local world = bump.newWorld()
    expect.raises({ "world:addResponse: response expected (function), got nil" },
      world.addResponse, world, "odd")
    expect.raises({ "world:addResponse: name expected (name of a response), got nil" },
      world.addResponse, world, nil, print)
    world = worldOf { a = { 0, 0, 10, 10 }, b = { 5, 0, 10, 10 } }
    world:addResponse("odd", function() return 1, 2 end)
    expect.raises({ "what the response returns expected (goalX, goalY, a list of collisions and "
      .. "its length), got nil" }, world.check, world, "a", 1, 1, always "odd")
  end)
end)

describe("where bump differs from world:move,", function()
  --  0.1 +-me-+-->            0.1 + 0.2 is more than 0.3 in doubles
  --  0.3 +--+--+--+--+
  --      0 0.3 0.6 0.9
  it("a mover snags on the joints of a row at fractional coordinates", function()
    local world, plain = bump.newWorld(), model.new()
    for _, w in ipairs { world, plain } do
      w:add("me", 0, 0.1, 0.2, 0.2)
      for i = 0, 9 do w:add("tile " .. i, i * 0.3, 0.3, 0.3, 0.3) end
    end
    local x, y, cols, n = world:move("me", 2.5, 0.1)
    local px, py, pcols = plain:check("me", 2.5, 0.1)
    assert.same({ px, py, pcols, #pcols }, { x, y, cols, n })
    assert.same({ { "tile 1" }, { x = -1, y = 0 } }, { others(cols), cols[1].normal })
    assert.is_true(math.abs(x - 0.1) < 1e-15)
    -- An exact test sees that the two share at most a boundary.
    local me = { x = 0, y = 0.1, shape = collide.rectangle(0.2, 0.2) }
    local floor = { x = 0, y = me.y + 0.2, shape = collide.rectangle(3, 0.3) }
    assert.is_nil((collide.overlap(me, floor)))
  end)

  it("but not at whole coordinates", function()
    local world = bump.newWorld()
    world:add("me", 0, 8, 16, 24)
    for i = 0, 9 do world:add("tile " .. i, i * 32, 32, 32, 32) end
    assert.same({ 280, 8, {}, 0 }, { world:move("me", 280, 8) })
    local x, y, _, n = world:move("me", 0, 20)
    assert.same({ 0, 8 }, { x, y })
    assert.is_true(n >= 1)
  end)

  it("an item that starts inside another is moved out backwards, however far", function()
    local boxes = { wall = { 0, 0, 100, 100 }, z = { 80, 20, 10, 10 } }
    local world, plain = worldOf(boxes), model.new()
    plain:add("wall", 0, 0, 100, 100)
    plain:add("z", 80, 20, 10, 10)
    for _, goal in ipairs { { 85, 20, -10, 20 }, { 75, 20, 100, 20 }, { 80, 21, 80, -10 },
      { 82, 22, 82, -10 } } do
      local x, y, cols = world:check("z", goal[1], goal[2])
      local px, py, pcols = plain:check("z", goal[1], goal[2])
      assert.same({ px, py, pcols }, { x, y, cols })
      assert.same({ goal[3], goal[4] }, { x, y })
    end
    -- Without motion it stays, or leaves by the nearest side.
    assert.same({ 80, 20 }, { first2(world:check("z", 80, 20)) })
    assert.same({ 100, 20 }, { first2(world:check("z", 80, 20, always "touch")) })
  end)

  it("an item already met is passed through later in the same move", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { -20, 0, 10, 10 } }
    local x, _, cols = world:move("a", 200, 0, always "bounce")
    assert.same({ 160, { "b", "c" } }, { x, others(cols) })
  end)

  it("an item that shares no cell with the box around the way is missed", function()
    -- FROM + HIGH is rounded to 64, where a cell ends. But 64 - FROM - HIGH is below 0, so the
    -- floor would stop an item that slides along it, if they shared a cell.
    local FROM, HIGH = 32.2, 31.8
    local function cols(size)
      local world = bump.newWorld(size)
      world:add("me", 0, FROM, 10, HIGH)
      world:add("floor", 20, 64, 10, 10)
      return select(4, world:check("me", 50, FROM))
    end
    assert.equal(64, FROM + HIGH)
    assert.is_true(64 - FROM - HIGH < 0)
    assert.is_truthy(bump.rect.detectCollision(0, FROM, 10, HIGH, 20, 64, 10, 10, 50, FROM))
    assert.equal(0, cols(64))
    assert.equal(1, cols(50))
  end)
end)

describe("a filter of bump's", function()
  it("may move and query", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 },
      z = { 0, 100, 10, 10 } }
    local inner = {}
    local x, _, cols = world:move("a", 100, 0, function(_, other)
      if other ~= "z" then
        inner[#inner + 1] = others((select(3, world:check("c", 0, 0, always "cross"))))
        world:move("z", (world:getRect("z")) + 1, 100)
      end
      return "cross"
    end)
    assert.same({ 100, { "b", "c" } }, { x, others(cols) })
    for _, names in ipairs(inner) do assert.same({ "b", "a" }, names) end
    assert.is_true((world:getRect("z")) > 1)
  end)

  it("may remove neighbours", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 } }
    local x, _, cols = world:move("a", 100, 0, function(_, other)
      if other == "b" then world:remove("c") end
      return "cross"
    end)
    assert.same({ 100, { "b" } }, { x, others(cols) })
  end)

  it("is not called for an item that it has removed", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 } }
    for _ = 1, 2 do -- Lua makes the first move of a world, and the core the next
      local asked = {}
      local _, _, cols = world:check("a", 100, 0, function(_, other)
        if not asked[1] then world:remove(other == "b" and "c" or "b") end
        asked[#asked + 1] = tostring(other)
        return "touch"
      end)
      assert.equal(1, #asked)
      assert.same(asked, others(cols))
      if asked[1] == "b" then world:add("c", 40, 0, 10, 10) else world:add("b", 20, 0, 10, 10) end
    end
  end)

  it("may remove the other item, and the mover", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 } }
    local x, _, cols, n = world:move("a", 100, 0, function(_, other)
      if other == "b" then world:remove("b") end
      return "cross"
    end)
    assert.same({ 100, { "b", "c" }, 2, false }, { x, others(cols), n, world:hasItem("b") })
    assert.same({ x = 20, y = 0, w = 10, h = 10 }, cols[1].otherRect)
    expect.raises({ 'world:move: item expected (item of this world), got string "a"' },
      world.move, world, "a", 0, 0, function(item)
        if world:hasItem(item) then world:remove(item) end
        return "slide"
      end)
    -- If it is added again, its own move does not meet it, and it ends where the move ends.
    world:add("a", 100, 0, 10, 10)
    x, _, cols = world:move("a", 0, 0, function(item)
      world:remove(item)
      world:add(item, 90, 0, 10, 10)
      return "slide"
    end)
    assert.same({ 50, { "c" }, 50 }, { x, others(cols), (world:getRect("a")) })
  end)

  it("may add items, which are met in the next part of the way, and move items at once", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 } }
    local _, _, cols = world:move("a", 100, 0, function(_, other)
      if other == "b" and not world:hasItem("d") then
        world:add("d", 80, 0, 10, 10)
        world:update("c", 15, 0)
      end
      return "cross"
    end)
    assert.same({ { "c", "b", "d" }, 5 }, { others(cols), cols[1].touch.x })
  end)

  it("may yield, while others move in the same world", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 },
      z = { 100, 30, 10, 10 } }
    local function filter(item, other)
      coroutine.yield(item .. other)
      return other == "c" and "slide" or "cross"
    end
    for _, call in ipairs { "check", "move" } do
      local asked, ended = {}, {}
      local routine = coroutine.wrap(function()
        ended = { world[call](world, "a", 100, 0, filter) }
      end)
      for i = 1, 8 do
        asked[i] = routine()
        local x, _, cols = world:move("z", i, 30, always "cross")
        assert.same({ i, {} }, { x, others(cols) })
        if not asked[i] then break end
      end
      assert.same({ "ab", "ac", "az", "ac", "az", "az" }, asked)
      assert.same({ 30, 0, { "b", "c" }, 2 }, { ended[1], ended[2], others(ended[3]), ended[4] })
      world:update("z", 100, 30)
    end
    assert.equal(30, (world:getRect("a")))
  end)

  it("may yield when world:project calls it", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 }, c = { 40, 0, 10, 10 } }
    local expected = { world:project("a", 0, 0, 10, 10, 100, 0, always "touch") }
    local project = coroutine.wrap(function()
      return world:project("a", 0, 0, 10, 10, 100, 0, function(_, other)
        coroutine.yield(other)
        return "touch"
      end)
    end)
    local asked = { project(), (project()) }
    world:project(nil, 0, 0, 10, 10, 50, 0)
    assert.same({ "b", "c", expected }, { asked[1], asked[2], { project() } })
  end)

  it("that raises leaves the world unchanged", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 } }
    for _ = 1, 3 do
      assert.is_false(pcall(world.move, world, "a", 100, 0, function() error "no" end))
      assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
      assert.same({ 10, 0 }, { first2(world:check("a", 100, 0)) })
    end
  end)

  it("may be anything that can be called, or nothing", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 20, 0, 10, 10 } }
    local filter = setmetatable({}, { __call = function(_, item, other)
      return item == "a" and other == "b" and "touch"
    end })
    local x, _, cols = world:check("a", 100, 0, filter)
    assert.same({ 10, "touch" }, { x, cols[1].type })
    expect.raises({ "world:check: filter expected (function (item, other) that returns the name of "
      .. 'a response), got string "slide"' }, world.check, world, "a", 1, 1, "slide")
    expect.raises({ "world:queryPoint: filter expected (function (item) that returns whether it "
      .. "counts), got table" }, world.queryPoint, world, 1, 1, {})
  end)
end)

describe("random bump worlds", function()
  local NAMES = { "slide", "bounce", "cross", "touch" }
  local SCALES = { 1, 0.25, 0.1, 16, 1e7 / 3, 3e-10 }

  -- Queries at a box and at its corner, without a filter and with one.
  local function compareQueries(plain, world, at, filter)
    local function compare(all, ask)
      assert.same({ all, #all }, { ask() })
      local some = {}
      for _, name in ipairs(all) do some[#some + 1] = filter(name) and name or nil end
      assert.same({ some, #some }, { ask(filter) })
    end
    compare(plain:queryRect(at), function(accepts)
      return world:queryRect(at.x, at.y, at.w, at.h, accepts)
    end)
    compare(plain:queryPoint(at.x, at.y), function(accepts)
      return world:queryPoint(at.x, at.y, accepts)
    end)
    assert.same({ plain.items, #plain.items }, { world:getItems() })
  end

  for round = 1, random.rounds(40) do
    local seed = random.seed() * 1000 + round
    it("give the answers of the model, seed " .. seed, function()
      local r = random.new(seed)
      local scale, size = r:pick(SCALES), r:pick { 64, 32, 10 }
      if scale > 100 then size = size * scale end
      local function some(low, high) return r:int(low, high) * scale end
      local world, plain = bump.newWorld(size), model.new(size)
      local items, kinds, own, asked = {}, {}, {}, {}
      for name, respond in pairs(bump.responses) do
        world:addResponse("my " .. name, function(...) return respond(...) end)
      end
      for i = 1, r:int(2, 12) do
        local x, y, w, h = some(-30, 30), some(-30, 30), some(1, 12), some(1, 12)
        items[i] = "item " .. i
        kinds[items[i]], own[items[i]] = r:pick(NAMES), r:chance(0.1)
        world:add(items[i], x, y, w, h)
        plain:add(items[i], x, y, w, h)
      end
      local function mixed(item, other)
        asked[#asked + 1] = item .. " " .. other
        return kinds[other]
      end
      -- Some items have responses of the game, which do the same as bump's.
      local function mine(item, other)
        local name = mixed(item, other)
        return own[other] and "my " .. name or name
      end
      -- The results of a call, and the pairs for which it has called the filter.
      local function results(object, call, ...)
        asked = {}
        local x, y, cols, n = object[call](object, ...)
        for _, col in ipairs(cols) do col.type = col.type:gsub("^my ", "") end
        return { x, y, cols, n or #cols, asked }
      end
      for _ = 1, 25 do
        local item = r:pick(items)
        local x, y = world:getRect(item)
        local goalX, goalY = x + some(-20, 20), y + some(-20, 20)
        if r:chance(0.2) then goalX = x end
        if r:chance(0.2) then goalY = y end
        local filter = r:chance(0.5) and mixed or nil
        local expected = results(plain, "check", item, goalX, goalY, filter)
        assert.same(expected, results(world, "check", item, goalX, goalY, filter and mine))
        local px, py = expected[1], expected[2]
        local box = plain.boxes[item]
        assert.same(plain:project(item, box, goalX, goalY, mixed),
          (world:project(item, x, y, box.w, box.h, goalX, goalY, mixed)))
        assert.same(plain:project(nil, box, x, y, always "slide"),
          (world:project(nil, x, y, box.w, box.h)))
        assert.same(expected, results(world, "move", item, goalX, goalY, filter and mine))
        box.x, box.y = px, py
        if math.max(math.abs(px), math.abs(py)) > 100 * math.max(scale, 1) then
          box.x, box.y = 0, 0
          world:update(item, 0, 0)
        end
        assert.equal(plain:countCells(), world:countCells())
        if r:chance(0.2) then
          local again = r:pick(items)
          local at = { some(-30, 30), some(-30, 30), some(1, 12), some(1, 12) }
          for _, object in ipairs { world, plain } do
            object:remove(again)
            object:add(again, at[1], at[2], at[3], at[4])
          end
        end
        compareQueries(plain, world, { x = some(-40, 40), y = some(-40, 40), w = some(1, 40),
          h = some(1, 40) }, function(name) return kinds[name] ~= "slide" end)
        local x1, y1, x2, y2 = some(-40, 40), some(-40, 40), some(-40, 40), some(-40, 40)
        if r:chance(0.5) then -- through a corner
          local at, dx, dy = plain.boxes[r:pick(items)], some(-9, 9), some(-9, 9)
          local before, after = r:int(0, 3), r:int(0, 3)
          x1, y1 = at.x + r:int(0, 1) * at.w, at.y + r:int(0, 1) * at.h
          x1, y1, x2, y2 = x1 - before * dx, y1 - before * dy, x1 + after * dx, y1 + after * dy
        end
        assert.same(plain:querySegment(x1, y1, x2, y2), (world:querySegment(x1, y1, x2, y2)))
      end
    end)
  end
end)

describe("bump's garbage", function()
  -- Tables as large as the results of a move, made in the same way.
  local function copyOf(cols)
    local list
    for i, c in ipairs(cols) do
      local col = {
        item = c.item, other = c.other, type = c.type, overlaps = c.overlaps, ti = c.ti,
        move = { x = c.move.x, y = c.move.y }, normal = { x = c.normal.x, y = c.normal.y },
        touch = { x = c.touch.x, y = c.touch.y },
        itemRect = { x = c.itemRect.x, y = c.itemRect.y, w = c.itemRect.w, h = c.itemRect.h },
        otherRect = { x = c.otherRect.x, y = c.otherRect.y, w = c.otherRect.w, h = c.otherRect.h },
      }
      if list then list[i] = col else list = { col } end
      if c.slide then col.slide = { x = c.slide.x, y = c.slide.y } end
    end
    return list
  end

  it("is the list of collisions alone", function()
    local boxes = { me = { 0, 0, 10, 10 } }
    for i = 1, 40 do boxes["coin " .. i] = { 15 * i, 4, 3, 3 } end
    boxes.floor = { -50, 12, 1000, 20 }
    local world = worldOf(boxes)
    local function filter(_, other) return other == "floor" and "slide" or "cross" end
    local _, _, cols, n = world:check("me", 200, 30, filter)
    assert.equal(14, n)
    local kept
    local allowed = gc.growth(function() kept = copyOf(cols) end)
    local grown = gc.growth(function()
      world:update("me", 0, 0)
      kept = select(3, world:move("me", 200, 30, filter))
    end)
    assert.equal(14, #kept)
    assert.is_true(grown <= allowed, ("%d bytes, not %d"):format(grown, allowed))
  end)

  it("is an empty list if nothing is met", function()
    local world = worldOf { a = { 0, 0, 10, 10 }, b = { 100, 0, 10, 10 } }
    local kept
    local allowed = gc.growth(function() kept = {} end)
    local to = 0
    local grown = gc.growth(function()
      to = 1 - to
      kept = select(3, world:move("a", to, 0))
    end)
    assert.same({}, kept)
    assert.is_true(grown <= allowed, ("%d bytes, not %d"):format(grown, allowed))
  end)

  it("keeps no item that was removed", function()
    local held = setmetatable({}, { __mode = "k" })
    local world = bump.newWorld()
    local function play()
      local items = {}
      for i = 1, 20 do
        items[i] = {}
        held[items[i]] = true
        world:add(items[i], i, 0, 10, 10)
      end
      world:move(items[1], 5, 5, always "cross")
      world:queryRect(0, 0, 100, 100)
      world:querySegment(0, 0, 100, 5)
      for _, item in ipairs(items) do world:remove(item) end
    end
    coroutine.wrap(play)()
    gc.forgetTraces()
    gc.full()
    assert.is_nil(next(held))
    assert.equal(0, world:countItems())
  end)
end)
