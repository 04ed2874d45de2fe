-- Bitmaps from Lua: what each call does. Heavy random tests are in spec/c/bitmap_*.c.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"
local refuse = require "spec.support.refuse"

local function lines(...)
  return table.concat({ ... }, "\n") .. "\n"
end

describe("bitmap:addRectangle", function()
  it("covers the share of each cell that it overlaps", function()
    local bitmap = collide.newBitmap(4, 3)
    bitmap:addRectangle(0.75, 0.5, 2.5, 2)
    local want = {
      { 0.125, 0.5, 0.5, 0.125 },
      { 0.25, 1, 1, 0.25 },
      { 0.125, 0.5, 0.5, 0.125 },
    }
    for row = 0, 2 do
      for col = 0, 3 do assert.equal(want[row + 1][col + 1], bitmap:coverage(col, row)) end
    end
  end)

  it("takes world units, whatever the cell size", function()
    local bitmap = collide.newBitmap(4, 4, { cell = 10 })
    bitmap:addRectangle(10, 25, 15, 10)
    assert.equal(lines("....", "....", ".52.", ".52."), bitmap:toString())
  end)
end)

describe("bitmap:addCircle", function()
  it("covers 1 inside, 0 outside, and a share of each cell on its rim", function()
    local bitmap = collide.newBitmap(11, 11)
    bitmap:addCircle(5.5, 5.5, 4)
    assert.equal(lines(
      "...........",
      "...03530...",
      "..19###91..",
      ".09#####90.",
      ".3#######3.",
      ".5#######5.",
      ".3#######3.",
      ".09#####90.",
      "..19###91..",
      "...03530...",
      "..........."), bitmap:toString())
  end)

  it("takes as many samples as the option says", function()
    local coarse = collide.newBitmap(9, 9, { samples = 1 })
    coarse:addCircle(4.5, 4.5, 3)
    assert.is_nil(coarse:toString():find("%d"))
    local fine = collide.newBitmap(9, 9, { samples = 32 })
    fine:addCircle(4.5, 4.5, 3)
    local area = 0
    for row = 0, 8 do
      for col = 0, 8 do area = area + fine:coverage(col, row) end
    end
    expect.near({ math.pi * 9 }, { area }, 0.02)
  end)

  it("paints only the part inside the bitmap", function()
    local bitmap = collide.newBitmap(3, 3)
    bitmap:addCircle(-2, 1.5, 3.2)
    bitmap:addCircle(1e12, 1.5, 5)
    bitmap:addCircle(1.5, -1e12, 1)
    assert.is_true(bitmap:coverage(0, 1) > 0.9)
    assert.equal(0, bitmap:coverage(2, 1))
    assert.is_true(bitmap:testCircle(-1, 1.5, 2))
    assert.is_false(bitmap:testCircle(-2, 1.5, 1))
  end)
end)

describe("a cell", function()
  it("keeps the largest coverage, and does not add them up", function()
    local bitmap = collide.newBitmap(1, 1)
    bitmap:addRectangle(0, 0, 0.5, 1)
    bitmap:addRectangle(0.5, 0, 0.25, 1)
    assert.equal(0.5, bitmap:coverage(0, 0))
    bitmap:addRectangle(0, 0, 0.75, 1)
    assert.equal(0.75, bitmap:coverage(0, 0))
  end)
end)

describe("bitmap:testRectangle", function()
  local bitmap = collide.newBitmap(4, 1)
  bitmap:addRectangle(0, 0, 1.5, 1)           -- #5..

  it("hits where its coverage and the cell's are above 1", function()
    assert.is_false(bitmap:testRectangle(1.5, 0, 2, 1))
    assert.is_true(bitmap:testRectangle(1.375, 0, 2, 1))
  end)

  it("hits where they are above the threshold", function()
    assert.is_true(bitmap:testRectangle(1.5, 0, 2, 1, 0.9))
    assert.is_true(bitmap:testRectangle(1.25, 0, 0.75, 1, 1.2))
    assert.is_false(bitmap:testRectangle(1.25, 0, 0.75, 1, 1.25))
    assert.is_false(bitmap:testRectangle(0, 0, 4, 1, 2))
  end)

  it("misses where nothing is painted", function()
    assert.is_false(bitmap:testRectangle(2, 0, 2, 1))
    assert.is_true(bitmap:testRectangle(2, 0, 2, 1, 0.5))
  end)
end)

describe("bitmap:addCircles and testCircles", function()
  it("do the same as one call for each circle", function()
    for round = 1, random.rounds(20) do
      local seed = random.seed() + round
      local rng = random.new(seed)
      local xs, ys, rs = {}, {}, {}
      for i = 1, 40 do
        xs[i], ys[i], rs[i] = rng:float(-5, 65), rng:float(-5, 45), rng:float(0.5, 4)
      end
      local mode = rng:pick { "coverage", "conservative" }
      local one = collide.newBitmap(60, 40, { mode = mode })
      local many = collide.newBitmap(60, 40, { mode = mode })
      for i = 1, 40 do one:addCircle(xs[i], ys[i], rs[i]) end
      many:addCircles(xs, ys, rs)
      assert.equal(one:dump(), many:dump(), "seed " .. seed)
      for i = 1, 40 do xs[i], ys[i] = rng:float(-5, 65), rng:float(-5, 45) end
      local want = {}
      for i = 1, 40 do
        if one:testCircle(xs[i], ys[i], rs[i], 1.1) then want[#want + 1] = i end
      end
      local got, n = many:testCircles(xs, ys, rs, 1.1)
      assert.same(want, got, "seed " .. seed)
      assert.equal(#want, n)
    end
  end)

  it("take one radius for all", function()
    local one, many = collide.newBitmap(20, 20), collide.newBitmap(20, 20)
    one:addCircle(5, 5, 3)
    one:addCircle(9, 9, 3)
    many:addCircles({ 5, 9 }, { 5, 9 }, 3)
    assert.equal(one:toString(), many:toString())
    assert.same({ 2 }, (many:testCircles({ 15, 7 }, { 5, 7 }, 2)))
  end)

  it("accept empty lists", function()
    local bitmap = collide.newBitmap(4, 4)
    bitmap:addCircles({}, {}, {})
    bitmap:addCircles({}, {}, 1)
    assert.same({ {}, 0 }, { bitmap:testCircles({}, {}, 1) })
  end)

  it("fill the table that they are given", function()
    local bitmap = collide.newBitmap(20, 20)
    bitmap:addCircle(10, 10, 5)
    local into = { 7, 7, 7, 7 }
    local list, n = bitmap:testCircles({ 10, 1, 12 }, { 10, 1, 12 }, 1, nil, into)
    assert.equal(into, list)
    assert.same({ 1, 3 }, into)
    assert.equal(2, n)
  end)

  it("paint none if one of them is invalid", function()
    local bitmap = collide.newBitmap(20, 20)
    assert.is_false(pcall(bitmap.addCircles, bitmap, { 5, 9 }, { 5, "9" }, 3))
    assert.equal(collide.newBitmap(20, 20):toString(), bitmap:toString())
  end)
end)

describe("bitmap:clear", function()
  it("empties every cell", function()
    for _, mode in ipairs { "coverage", "conservative" } do
      local bitmap = collide.newBitmap(130, 20, { mode = mode })
      local empty = bitmap:toString()
      bitmap:addCircle(64, 10, 9)
      bitmap:addRectangle(1.5, 1.5, 128, 2)
      assert.is_true(bitmap:testCircle(64, 10, 1))
      bitmap:clear()
      assert.equal(empty, bitmap:toString())
      assert.is_false(bitmap:testRectangle(0, 0, 130, 20))
      -- Earlier coverage is not mixed with what is painted now.
      bitmap:addRectangle(64, 10, 0.5, 0.5)
      assert.equal(mode == "coverage" and 0.25 or 1, bitmap:coverage(64, 10))
      bitmap:clear()
      bitmap:clear()
      assert.equal(empty, bitmap:toString())
    end
  end)
end)

describe("a conservative bitmap", function()
  it("paints every cell that a shape touches", function()
    local bitmap = collide.newBitmap(8, 6, { mode = "conservative" })
    bitmap:addRectangle(0.9, 1.2, 2, 0.1)
    bitmap:addCircle(5.5, 3.5, 1.05)
    assert.equal(lines(
      "........",
      "###.....",
      "....###.",
      "....###.",
      "....###.",
      "........"), bitmap:toString())
  end)

  it("hits shapes that touch", function()
    local bitmap = collide.newBitmap(20, 20, { mode = "conservative" })
    bitmap:addRectangle(4, 4, 4, 4)
    assert.is_true(bitmap:testRectangle(8, 8, 4, 4))
    assert.is_true(bitmap:testRectangle(0, 0, 4, 4))
    assert.is_true(bitmap:testCircle(10, 6, 2))
    assert.is_false(bitmap:testRectangle(9, 4, 4, 4))
  end)

  it("misses no overlap of two circles", function()
    for round = 1, random.rounds(50) do
      local seed = random.seed() + round
      local rng = random.new(seed)
      local cell = rng:pick { 0.5, 1, 3, 7 }
      local bitmap = collide.newBitmap(90, 90, { cell = cell, mode = "conservative" })
      local shapes = {}
      for i = 1, 20 do
        shapes[i] = { x = rng:float(20, 60) * cell / 2, y = rng:float(20, 60) * cell / 2,
          shape = collide.circle(rng:float(0.01, 4)) }
        bitmap:addCircle(shapes[i].x, shapes[i].y, shapes[i].shape:radius())
      end
      for _ = 1, 20 do
        local x, y = rng:float(20, 60) * cell / 2, rng:float(20, 60) * cell / 2
        local r = rng:float(0.01, 4)
        local other, overlaps = { x = x, y = y, shape = collide.circle(r) }, false
        for _, s in ipairs(shapes) do overlaps = overlaps or collide.overlap(s, other) ~= nil end
        if overlaps then assert(bitmap:testCircle(x, y, r), "seed " .. seed) end
      end
    end
  end)

  it("has coverages of 0 and 1", function()
    local bitmap = collide.newBitmap(9, 9, { mode = "conservative" })
    bitmap:addCircle(4.5, 4.5, 3.2)
    assert.is_nil(bitmap:toString():find("[^.#\n]"))
    assert.equal(1, bitmap:coverage(4, 1))
    assert.equal(0, bitmap:coverage(0, 0))
  end)
end)

-- Two groups as in a shooter: shots of the player and of the enemies.
describe("two groups of circles", function()
  local RADIUS, N = 4, 300

  local function groups(seed)
    local rng = random.new(seed)
    local xs, ys = { {}, {} }, { {}, {} }
    for g = 1, 2 do
      for i = 1, N do xs[g][i], ys[g][i] = rng:float(5, 475), rng:float(5, 635) end
    end
    return xs, ys
  end

  -- For each circle of the second group, its largest depth in a circle of the first.
  local function depths(xs, ys)
    local deepest = {}
    for k = 1, N do
      deepest[k] = -math.huge
      for i = 1, N do
        local dx, dy = xs[1][i] - xs[2][k], ys[1][i] - ys[2][k]
        deepest[k] = math.max(deepest[k], 2 * RADIUS - math.sqrt(dx * dx + dy * dy))
      end
    end
    return deepest
  end

  local function flagged(list)
    local has = {}
    for _, i in ipairs(list) do has[i] = true end
    return has
  end

  for seed = random.seed(), random.seed() + random.crowd(5) - 1 do
    it("hit each other by coverage, to within a cell's width (seed " .. seed .. ")", function()
      local xs, ys = groups(seed)
      local bitmap = collide.newBitmap(480, 640)
      bitmap:addCircles(xs[1], ys[1], RADIUS)
      local hits = flagged((bitmap:testCircles(xs[2], ys[2], RADIUS)))
      for i, depth in ipairs(depths(xs, ys)) do
        if depth > 1.5 then assert.is_true(hits[i]) end
        if depth < -1.5 then assert.is_nil(hits[i]) end
      end
    end)

    it("hit each other exactly by a conservative filter (seed " .. seed .. ")", function()
      local xs, ys = groups(seed)
      local bitmap = collide.newBitmap(480, 640, { mode = "conservative" })
      bitmap:addCircles(xs[1], ys[1], RADIUS)
      local hits = flagged((bitmap:testCircles(xs[2], ys[2], RADIUS)))
      for i, depth in ipairs(depths(xs, ys)) do
        if depth >= 0 then assert.is_true(hits[i]) end
        if depth < -3 then assert.is_nil(hits[i]) end
      end
    end)
  end
end)

describe("a bitmap's output", function()
  local bitmap = collide.newBitmap(3, 2)
  bitmap:addRectangle(0, 0, 1.5, 1)
  bitmap:addRectangle(2, 1, 0.05, 1)

  it("is text with a character for each cell", function()
    assert.equal("#5.\n..0\n", bitmap:toString())
  end)

  it("is a PGM file", function()
    assert.equal("P5\n3 2\n255\n\255\128\0\0\0\13", bitmap:pgm())
  end)

  it("is a string of bytes", function()
    assert.equal("\255\128\0\0\0\13", bitmap:dump())
  end)

  it("includes a readable tostring", function()
    assert.equal("bitmap(3 x 2 cells of 1, coverage)", tostring(bitmap))
    assert.equal("bitmap(5 x 6 cells of 0.5, conservative)",
      tostring(collide.newBitmap(5, 6, { cell = 0.5, mode = "conservative" })))
    local w, h, cell = collide.newBitmap(5, 6, { cell = 0.5 }):size()
    assert.equal(5, w)
    assert.equal(6, h)
    assert.equal(0.5, cell)
  end)
end)

describe("bad arguments", function()
  local everyArgument, everyCount = refuse.everyArgument, refuse.everyCount
  local bitmap = collide.newBitmap(8, 8)
  local x, y, r = { "x", "coordinate", 1 }, { "y", "coordinate", 1 }, { "r", "size", 1 }
  local w, h = { "w", "size", 1 }, { "h", "size", 1 }
  local threshold = { "threshold", "duration", 1, true }

  it("are refused by collide.newBitmap", function()
    local fn = "collide.newBitmap"
    everyArgument(fn, collide.newBitmap, { { "w", "count", 8 }, { "h", "count", 8 },
      { "options", "table", {}, true } })
    everyCount(fn, collide.newBitmap, { 8, 8, {} }, { 2, 3 })
    for key, values in pairs {
      cell = { 0, -1, "1", 1e13, 1e-13, 0 / 0 }, samples = { 0, 1.5, 65, "4" },
      mode = { "exact", 1, true }, option = {},
    } do
      for _, value in ipairs(values) do
        refuse.refuses({ fn .. ": " .. key .. " expected (", "got" }, collide.newBitmap,
          { 8, 8, { [key] = value } })
      end
    end
    refuse.refuses({ fn .. ": option expected (one of cell, mode, samples), got", "size" },
      collide.newBitmap, { 8, 8, { size = 4 } })
    refuse.refuses({ fn .. ": w expected (whole number from 1 to 65536), got 65537" },
      collide.newBitmap, { 65537, 8 })
    refuse.refuses({ fn .. ": h expected (whole number from 1 to 4096), got 4097" },
      collide.newBitmap, { 65536, 4097 })
  end)

  it("are refused by methods for one shape", function()
    everyArgument("bitmap:addCircle", bitmap.addCircle, { x, y, r }, bitmap)
    everyCount("bitmap:addCircle", bitmap.addCircle, { 1, 1, 1 }, { 3 }, bitmap)
    everyArgument("bitmap:addRectangle", bitmap.addRectangle, { x, y, w, h }, bitmap)
    everyCount("bitmap:addRectangle", bitmap.addRectangle, { 1, 1, 1, 1 }, { 4 }, bitmap)
    everyArgument("bitmap:testCircle", bitmap.testCircle, { x, y, r, threshold }, bitmap)
    everyCount("bitmap:testCircle", bitmap.testCircle, { 1, 1, 1, 1 }, { 3, 4 }, bitmap)
    everyArgument("bitmap:testRectangle", bitmap.testRectangle, { x, y, w, h, threshold }, bitmap)
    everyCount("bitmap:testRectangle", bitmap.testRectangle, { 1, 1, 1, 1, 1 }, { 4, 5 }, bitmap)
    refuse.refuses({ "bitmap:testCircle: threshold expected (number from 0 to 2), got 50" },
      bitmap.testCircle, { bitmap, 1, 1, 1, 50 })
  end)

  it("are refused by methods for many shapes", function()
    for _, name in ipairs { "addCircles", "testCircles" } do
      local fn, f = "bitmap:" .. name, bitmap[name]
      everyArgument(fn, f, { { "xs", "table", { 1 } }, { "ys", "table", { 1 } } }, bitmap)
      for _, wrong in ipairs(refuse.WRONG.coordinate) do
        if wrong[1] ~= refuse.NIL then
          refuse.refuses({ fn .. ": xs[2] expected (", "got " .. wrong[2] }, f,
            { bitmap, { 1, wrong[1], 1 }, { 1, 1, 1 }, 1 })
          refuse.refuses({ fn .. ": ys[3] expected (", "got " .. wrong[2] }, f,
            { bitmap, { 1, 1, 1 }, { 1, 1, wrong[1] }, 1 })
        end
      end
      for _, wrong in ipairs(refuse.WRONG.size) do
        if type(wrong[1]) ~= "table" then
          refuse.refuses({ fn .. ": r expected (", "got " .. wrong[2] }, f,
            { bitmap, { 1 }, { 1 }, wrong[1] })
        end
        if wrong[1] ~= refuse.NIL then
          refuse.refuses({ fn .. ": r[1] expected (", "got " .. wrong[2] }, f,
            { bitmap, { 1 }, { 1 }, { wrong[1] } })
        end
      end
      refuse.refuses({ fn .. ": r[2] expected (number from 1e-60 to 1e12), got 1e-61" }, f,
        { bitmap, { 1, 2 }, { 1, 2 }, { 1, 1e-61 } })
      refuse.refuses({ fn .. ": ys expected (list of 2 numbers, as xs has), got 1" }, f,
        { bitmap, { 1, 2 }, { 1 }, 1 })
      refuse.refuses({ fn .. ": r expected (list of 2 numbers, as xs has), got 3" }, f,
        { bitmap, { 1, 2 }, { 1, 2 }, { 1, 1, 1 } })
    end
    everyCount("bitmap:addCircles", bitmap.addCircles, { { 1 }, { 1 }, 1 }, { 3 }, bitmap)
    everyCount("bitmap:testCircles", bitmap.testCircles, { { 1 }, { 1 }, 1, 1, {} }, { 3, 4, 5 },
      bitmap)
    refuse.refuses({ "bitmap:testCircles: into expected (table), got number 5" },
      bitmap.testCircles, { bitmap, { 1 }, { 1 }, 1, 1, 5 })
  end)

  it("are refused by coverage, and so is a cell outside", function()
    local fn = "bitmap:coverage"
    for _, wrong in ipairs { -1, 8, 0.5, 1e300, 0 / 0 } do
      refuse.refuses({ fn .. ": column expected (whole number from 0 to 7), got" }, bitmap.coverage,
        { bitmap, wrong, 0 })
      refuse.refuses({ fn .. ": row expected (whole number from 0 to 7), got" }, bitmap.coverage,
        { bitmap, 0, wrong })
    end
    everyArgument(fn, bitmap.coverage, { { "column", "number", 0 }, { "row", "number", 0 } },
      bitmap)
    everyCount(fn, bitmap.coverage, { 0, 0 }, { 2 }, bitmap)
  end)

  it("are refused by methods without arguments, and as self", function()
    for _, name in ipairs { "clear", "size", "toString", "pgm", "dump" } do
      everyCount("bitmap:" .. name, bitmap[name], {}, { 0 }, bitmap)
    end
    for _, name in ipairs { "clear", "size", "toString", "pgm", "dump", "addCircle", "addCircles",
      "addRectangle", "testCircle", "testCircles", "testRectangle", "coverage" } do
      for _, self in ipairs { 5, "bitmap", {}, io.stdout, collide.circle(1) } do
        expect.raises("bitmap:" .. name .. ": self expected (bitmap; call it with a colon), got",
          bitmap[name], self, 1, 1, 1)
      end
      assert.is_false(pcall(bitmap[name]))
    end
  end)

  it("name bitmaps in their messages", function()
    expect.raises("got bitmap", collide.newWorld, bitmap)
    expect.raises("got bitmap", bitmap.addCircle, bitmap, bitmap, 1, 1)
  end)

  it("carry the position of the caller", function()
    local here = "bitmap_spec.lua:" .. debug.getinfo(1, "l").currentline + 1
    local message = expect.raises("got", function() local b = collide.newBitmap(0, 1) return b end)
    assert.matches(here, message, 1, true)
    message = expect.raises("got", function() local v = bitmap:coverage(9, 1) return v end)
    assert.matches("bitmap_spec.lua:", message, 1, true)
  end)
end)

describe("a bitmap and the collector", function()
  it("makes no garbage", function()
    local bitmap = collide.newBitmap(100, 100)
    local xs, ys, into = {}, {}, {}
    for i = 1, 50 do xs[i], ys[i] = i * 2.5, i * 1.5 end
    local function frame()
      bitmap:clear()
      bitmap:addCircles(xs, ys, 3)
      bitmap:addCircle(50.5, 40.25, 2)
      bitmap:addRectangle(1.5, 2.5, 9, 9)
      bitmap:testCircles(xs, ys, 2, 1, into)
      return bitmap:testCircle(50, 40, 2), bitmap:testRectangle(1, 1, 1, 1), bitmap:coverage(5, 5)
    end
    for _ = 1, 20 do frame() end
    gc.forgetTraces()
    gc.full()
    collectgarbage("stop")
    local before = collectgarbage("count")
    for _ = 1, 200 do frame() end
    local grown = collectgarbage("count") - before
    collectgarbage("restart")
    assert(grown < 20, ("%.1f KB"):format(grown))
  end)

  -- The number of memory pages of this process, or nil if the system does not tell.
  local function pages()
    -- Under wine, /proc is that of the host.
    local file = package.config:sub(1, 1) == "/" and io.open("/proc/self/statm", "r")
    if not file then return nil end
    local _, resident = file:read("*n", "*n")
    file:close()
    return resident
  end

  it("frees its memory soon, though Lua does not know its size", function()
    if not pages() then return pending "no /proc here" end
    -- Freed pages are reused first, so the size of a bitmap is the most that any of ten took.
    local kept, each, took = {}, 0, 0
    while took < 10 do
      local before = pages()
      kept[#kept + 1] = collide.newBitmap(480, 640)
      local more = pages() - before
      each, took = math.max(each, more), took + (more > 0 and 1 or 0)
    end
    local before = pages()
    for _ = 1, 400 do collide.newBitmap(480, 640) end
    local grown = (pages() - before) / each
    assert(grown < 200, ("%.0f bitmaps at a time"):format(grown))
  end)

  it("is collected", function()
    local seen = setmetatable({}, { __mode = "k" })
    coroutine.wrap(function()
      for _ = 1, 50 do
        local bitmap = collide.newBitmap(200, 200)
        bitmap:addCircles({ 1 }, { 1 }, 1)
        seen[bitmap] = true
      end
    end)()
    gc.full()
    assert.is_nil(next(seen))
  end)
end)
