-- collide.newGrid: bytes in cells, and rays through them.
local collide = require "collide"
local cells = require "spec.support.cells"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

-- A grid from a picture: "#" is 1, "." is 0, and a digit is its own value.
local function draw(rows, options)
  local grid = collide.newGrid(#rows[1], #rows, options)
  for y, row in ipairs(rows) do
    for x = 1, #row do
      local c = row:sub(x, x)
      grid:set(x - 1, y - 1, c == "#" and 1 or tonumber(c) or 0)
    end
  end
  return grid
end

describe("a grid whose cells are not square", function()
  local box = collide.rectangle(2, 2)

  it("has rays and lines of sight in its cells", function()
    local grid = collide.newGrid({ "...", "..#" }, { cell = { 10, 4 }, x = 5, y = -4,
      values = { ["#"] = 7 } })
    local value, x, y, nx, ny, t = grid:rayCast(5, 2, 35, 2)
    assert.same({ 7, 2, 1, -1, 0 }, { value, x, y, nx, ny })
    expect.near({ 2 / 3 }, { t }, 1e-15)
    assert.is_nil(grid:rayCast(5, -1, 35, -1))
    assert.is_true(grid:lineOfSight(5, -1, 35, -1))
    assert.is_false(grid:lineOfSight(30, -4, 30, 4))
    expect.raises("grid:lineOfSight: radius expected (nil where cells are not square), got number "
      .. "1", function() grid:lineOfSight(5, -1, 35, -1, 1) end)
  end)

  it("becomes tiles with cells of that size", function()
    local grid = collide.newGrid({ "/#" }, { cell = { 10, 4 }, values = { ["/"] = 2, ["#"] = 1 } })
    local tiles = collide.tiles(grid, { [2] = collide.polygon(0, 1, 1, 0, 1, 1) })
    assert.equal("tiles(grid 2 x 1, cell 10 x 4 at 0, 0, 1 value with a look of its own)",
      tostring(tiles))
    assert.equal(60, tiles:area())
    assert.same({ 0, 0, 20, 4 }, { tiles:bounds() })
    assert.same({ 0, 0, 40, 8 }, { tiles:scaled(2):bounds() })
    local world = collide.newWorld()
    local ground = world:add { x = 0, y = 100, shape = tiles, static = true }
    local mover = world:add { x = 1, y = 90, shape = box }
    world:move(mover, 0, 50, nil, "touch")
    expect.near({ 100 + 4 - 3 * 0.4 - 2 }, { mover.y }, 1e-9)
    mover.x, mover.y = 14, 97
    assert.equal(0, #world:contacts(mover, ground))
    world:move(mover, 0, 50, nil, "touch")
    expect.near({ 98 }, { mover.y }, 1e-9)
  end)

  it("is refused for round shapes, and with invalid sizes", function()
    local grid = collide.newGrid(2, 2, { cell = { 10, 4 } })
    expect.raises("collide.tiles: shapes[3] expected (shape without rounding, as the cells are not "
      .. "square), got shape", collide.tiles, grid, { [3] = collide.circle(0.5, 0.5, 0.5) })
    for _, bad in ipairs { {}, { 1 }, { 1, 2, 3 }, "10" } do
      expect.raises("collide.newGrid: cell expected (positive number up to 1e12, or {w, h}), got ",
        collide.newGrid, 2, 2, { cell = bad })
    end
    expect.raises("collide.newGrid: cell[2] expected (positive number up to 1e12), got 0",
      collide.newGrid, 2, 2, { cell = { 1, 0 } })
    expect.raises("collide.newGrid: cell expected (positive number up to 1e12), got table",
      collide.newGrid, 2, 2, 2, { cell = { 1, 1 } })
  end)
end)

describe("collide.newGrid of rows", function()
  local function refuses(message, ...)
    expect.raises("collide.newGrid: " .. message, collide.newGrid, ...)
  end

  it("has a cell for each character, with its value", function()
    local grid = collide.newGrid({ "#. ", "~#." }, { cell = 10, x = 5, y = -5,
      values = { ["#"] = 1, ["~"] = 255 } })
    assert.same({ 3, 2 }, { grid:size() })
    assert.equal("\1\0\0\255\1\0", grid:dump())
    local value, x, y = grid:rayCast(10, 0, 10, 100, 255)
    assert.same({ 255, 0, 1 }, { value, x, y })
  end)

  it("takes any bytes, and spaces and dots are 0 without a value", function()
    local rows, values = { {}, {} }, {}
    for byte = 0, 255 do
      local row = rows[byte < 128 and 1 or 2]
      row[#row + 1], values[string.char(byte)] = string.char(byte), 255 - byte
    end
    local grid = collide.newGrid({ table.concat(rows[1]), table.concat(rows[2]) },
      { values = values })
    for byte = 0, 255 do
      assert.equal(255 - byte, grid:get(byte % 128, math.floor(byte / 128)))
    end
    assert.equal("\0\0", collide.newGrid({ " ." }):dump())
  end)

  it("names the row and column of a character without a value", function()
    local values = { ["#"] = 1 }
    refuses('rows[2], column 3 expected (character of values, " " or "."), got string "x"',
      { "###", "##x" }, { values = values })
    refuses('rows[1], column 1 expected (character of values, " " or "."), got string "#"', { "#" })
    refuses('rows[1], column 1 expected (character of values, " " or "."), got string "\\010"',
      { "\n" })
  end)

  it("refuses invalid rows and values", function()
    refuses("rows expected (list of one string or more), got an empty list", {})
    refuses("rows[2] expected (string of 3 characters, as rows[1]), got one of 2", { "...", ".." })
    refuses("rows[1] expected (string of 1 character or more), got one of 0", { "" })
    refuses("rows[2] expected (string), got number 3", { "...", 3 })
    refuses("rows[2] expected (string), got nil", { "...", nil, "..." })
    refuses("rows expected (list of strings), got world", collide.newWorld())
    refuses('key of values expected (string of one character), got string "##"', { "." },
      { values = { ["##"] = 1 } })
    refuses('values["#"] expected (whole number from 0 to 255), got 256', { "." },
      { values = { ["#"] = 256 } })
    refuses('values expected (table such as {["#"] = 1}), got number 1', { "." }, { values = 1 })
    refuses("option expected (one of cell, values, x, y), got string \"z\"", { "." }, { z = 1 })
    expect.raises("collide.newGrid takes rows and options, got 3 arguments", collide.newGrid,
      { "." }, {}, 1)
    refuses("option expected (one of cell, x, y), got string \"values\"", 1, 1, { values = {} })
  end)
end)

describe("a grid", function()
  it("starts with zeros, and keeps what is set", function()
    local grid = collide.newGrid(3, 2)
    assert.equal(0, grid:get(2, 1))
    grid:set(2, 1, 255)
    grid:set(0, 0, 7)
    assert.equal(255, grid:get(2, 1))
    assert.equal(7, grid:get(0, 0))
    assert.equal(0, grid:get(1, 1))
  end)

  it("returns nil outside", function()
    local grid, deep = collide.newGrid(3, 2), collide.newGrid(3, 2, 4)
    for _, cell in ipairs { { -1, 0 }, { 3, 0 }, { 0, -1 }, { 0, 2 }, { 1e300, 0 } } do
      assert.is_nil(grid:get(cell[1], cell[2]))
      assert.is_nil(deep:get(cell[1], cell[2], 0))
      assert.equal(1, select("#", grid:get(cell[1], cell[2])))
    end
    assert.is_nil(deep:get(0, 0, 4))
    assert.is_nil(deep:get(0, 0, -1))
    assert.equal(0, deep:get(2, 1, 3))
  end)

  it("dumps and loads its bytes, x fastest", function()
    local grid = collide.newGrid(3, 2)
    grid:load("abc\0ef")
    assert.equal("abc\0ef", grid:dump())
    assert.equal(("c"):byte(), grid:get(2, 0))
    assert.equal(("e"):byte(), grid:get(1, 1))
    local deep = collide.newGrid(2, 1, 3)
    deep:set(1, 0, 2, ("z"):byte())
    assert.equal("\0\0\0\0\0z", deep:dump())
  end)

  it("fills rectangles and boxes", function()
    local grid = collide.newGrid(4, 3)
    grid:fill(1, 1, 2, 2, 49)
    assert.equal("\0\0\0\0" .. "\00011\0" .. "\00011\0", grid:dump())
    grid:fill(0, 0, 4, 3, 0)
    assert.equal(("\0"):rep(12), grid:dump())
    local deep = collide.newGrid(2, 2, 2)
    deep:fill(0, 1, 0, 2, 1, 2, 49)
    assert.equal("\0\00011\0\00011", deep:dump())
  end)

  it("has a size and a readable name", function()
    assert.same({ 4, 3 }, { collide.newGrid(4, 3):size() })
    assert.same({ 4, 3, 2 }, { collide.newGrid(4, 3, 2, { cell = 5 }):size() })
    assert.equal("grid(4, 3)", tostring(collide.newGrid(4, 3)))
    assert.equal("grid(4, 3, 2)", tostring(collide.newGrid(4, 3, 2)))
    assert.is_false(getmetatable(collide.newGrid(1, 1)))
  end)

  it("frees its memory", function()
    local function resident()
      local file = io.open("/proc/self/statm")
      local pages = file and tonumber(file:read("*a"):match("^%d+ (%d+)")) or 0
      if file then file:close() end
      return pages * 4096
    end
    local before = resident()
    for _ = 1, 400 do collide.newGrid(1024, 1024):set(1, 1, 1) end
    local grown = (resident() - before) / 2 ^ 20
    assert(grown < 100, grown .. " MB for 400 grids of 1 MB, made one after the other")
  end)

  it("survives an aggressive collector", function()
    local function play()
      local sum = 0
      for i = 1, 30 do
        local grid = collide.newGrid(i, 20)
        grid:fill(0, 10, i, 1, i)
        sum = sum + grid:rayCast(i / 2, 0, i / 2, 19)
        for _, x, y in collide.gridRay(0.5, 0.5, i, 19) do sum = sum + x + y + #{} end
      end
      return sum
    end
    assert.equal(play(), gc.aggressive(play))
  end)
end)

describe("grid:rayCast", function()
  --     0   1   2   3   4
  --   0 .   .   .   .   .
  --   1 .   .   #   .   .
  --   2 .   2   .   .   .
  --   3 .   .   .   .   3
  local grid = draw { ".....", "..#..", ".2...", "....3" }

  it("returns the first solid cell, the face's normal and t", function()
    assert.same({ 1, 2, 1, -1, 0, 0.5 }, { grid:rayCast(0, 1.5, 4, 1.5) })
    assert.same({ 1, 2, 1, 1, 0, 0.25 }, { grid:rayCast(4, 1.5, 0, 1.5) })
    assert.same({ 1, 2, 1, 0, -1, 0.25 }, { grid:rayCast(2.5, 0, 2.5, 4) })
    assert.same({ 1, 2, 1, 0, 1, 0.5 }, { grid:rayCast(2.5, 4, 2.5, 0) })
  end)

  it("returns nil if nothing is in the way", function()
    assert.is_nil(grid:rayCast(0, 0.5, 5, 0.5))
    assert.is_nil(grid:rayCast(0, 1.5, 1.999, 1.5))
    assert.equal(1, select("#", grid:rayCast(0, 0.5, 5, 0.5)))
  end)

  it("ends on a boundary with the cell behind it", function()
    assert.same({ 1, 2, 1, -1, 0, 1 }, { grid:rayCast(0, 1.5, 2, 1.5) })
    assert.same({ 1, 2, 1, 1, 0, 1 }, { grid:rayCast(4, 1.5, 3, 1.5) })
  end)

  it("can be stopped at its start, without a normal", function()
    assert.same({ 1, 2, 1, 0, 0, 0 }, { grid:rayCast(2.5, 1.5, 5, 1.5) })
    assert.same({ 1, 2, 1, 0, 0, 0 }, { grid:rayCast(2.5, 1.5, 2.5, 1.5) })
    -- Towards lower coordinates, a ray that starts on a boundary crosses it at once.
    assert.same({ 1, 2, 1, 1, 0, 0 }, { grid:rayCast(3, 1.5, 1, 1.5) })
  end)

  it("does not slip through corners: sides first, then the diagonal with its own normal", function()
    local d = math.sqrt(0.5)
    local function cast(rows) return { draw(rows):rayCast(0.5, 0.5, 1.5, 1.5) } end
    expect.near({ 3, 1, 1, -d, -d, 0.5 }, cast { "..", ".3" }, 1e-15)
    assert.same({ 2, 0, 1, 0, -1, 0.5 }, cast { "..", "23" })
    assert.same({ 1, 1, 0, -1, 0, 0.5 }, cast { ".1", "23" })
  end)

  it("stops at the values of a mask", function()
    assert.equal(2, (grid:rayCast(0.5, 2.5, 4.5, 2.5, 2)))
    assert.is_nil(grid:rayCast(0.5, 2.5, 4.5, 2.5, 1))
    assert.equal(2, (grid:rayCast(0.5, 2.5, 4.5, 2.5, { 1, 2 })))
    assert.is_nil(grid:rayCast(0.5, 2.5, 4.5, 2.5, {}))
    assert.same({ 0, 2, 2, -1, 0, 0.25 }, { grid:rayCast(1.5, 2.5, 3.5, 2.5, 0) })
  end)

  it("enters from outside, and hits at the border", function()
    assert.same({ 3, 4, 3, 1, 0, 0.5 }, { grid:rayCast(15, 3.5, -5, 3.5) })
    assert.same({ 3, 4, 3, 0, 1, 0.25 }, { grid:rayCast(4.5, 5, 4.5, 1) })
    assert.same({ 1, 2, 1, -1, 0, 0.5 }, { grid:rayCast(-1e12, 1.5, 1e12 + 4, 1.5) })
  end)

  it("enters through a corner", function()
    local d = math.sqrt(0.5)
    local one = draw { "#" }
    expect.near({ 1, 0, 0, -d, -d, 0.5 }, { one:rayCast(-1, -1, 1, 1) }, 1e-15)
    expect.near({ 1, 0, 0, d, -d, 0.5 }, { one:rayCast(2, -1, 0, 1) }, 1e-15)
    -- This ray passes the grid's corner outside, and only touches the cell there.
    assert.same({ 1, 0, 0, 0, 1, 0.5 }, { one:rayCast(0.5, 1.5, 1.5, 0.5) })
  end)

  it("returns nil for a ray that never enters", function()
    assert.is_nil(grid:rayCast(-5, -5, -1, 9))
    assert.is_nil(grid:rayCast(-5, 1, 4, -9))
    assert.is_nil(grid:rayCast(9, 1.5, 5.001, 1.5))
    assert.is_nil(grid:rayCast(-1, 1.5, -1, 1.5))
  end)

  it("takes world units", function()
    local big = draw({ ".....", "..#..", ".2...", "....3" }, { cell = 32, x = -64, y = 10 })
    assert.same({ 1, 2, 1, -1, 0, 0.5 }, { big:rayCast(-64, 58, 64, 58) })
    assert.is_true(big:lineOfSight(-64, 20, 90, 20))
  end)

  it("keeps ends on boundaries exact in world units", function()
    local fine = draw({ ".#" }, { cell = 0.1 })
    assert.same({ 1, 1, 0, -1, 0, 1 }, { fine:rayCast(0.05, 0.05, 0.1, 0.05) })
  end)

  it("works in 3D", function()
    local deep = collide.newGrid(4, 4, 4)
    deep:set(2, 2, 2, 9)
    assert.same({ 9, 2, 2, 2, 0, 0, -1, 0.5 }, { deep:rayCast(2.5, 2.5, 0, 2.5, 2.5, 4) })
    local d = 1 / math.sqrt(3)
    expect.near({ 9, 2, 2, 2, d, d, d, 0.25 }, { deep:rayCast(4, 4, 4, 0, 0, 0) }, 1e-15)
    assert.is_nil(deep:rayCast(0, 0, 0, 4, 4, 1))
    assert.is_false(deep:lineOfSight(4, 4, 4, 0, 0, 0))
    assert.is_true(deep:lineOfSight(0, 0, 0, 4, 4, 1))
  end)

  -- The first cell of a list that is in the grid and not 0.
  local function walked(grid2, w, h, list)
    local before, last, step
    for _, cell in ipairs(list) do
      local s, x, y, t = cell[1], cell[2], cell[3], cell[4]
      if s ~= step then before, step = last, s end
      last = { x, y }
      local v = x >= 0 and y >= 0 and x < w and y < h and grid2:get(x, y) or 0
      if v ~= 0 then
        local nx, ny = 0, 0
        if before then nx, ny = before[1] - x, before[2] - y end
        local length = math.max(1, math.sqrt(nx * nx + ny * ny))
        return { v, x, y, nx / length, ny / length, t }
      end
    end
    return {}
  end

  local seed = random.seed()

  it("is the first solid cell of the walk, seed " .. seed, function()
    local numbers = random.new(seed)
    local hits = 0
    for i = 1, random.rounds(200) do
      local w, h = numbers:int(1, 9), numbers:int(1, 9)
      local random2 = collide.newGrid(w, h)
      for _ = 1, numbers:int(1, w * h) do
        random2:set(numbers:int(0, w - 1), numbers:int(0, h - 1), numbers:int(0, 3))
      end
      for _ = 1, 5 do
        local from, to = cells.ends(numbers, 2, 12)
        local a, b = cells.scaled(from), cells.scaled(to)
        local want = walked(random2, w, h, cells.walk(2, from, to))
        local got = { random2:rayCast(a[1], a[2], b[1], b[2]) }
        local ok, message = pcall(expect.near, want, got, 1e-15)
        if not ok then
          error(("case %d, %d x %d, %s to %s: %s"):format(i, w, h, table.concat(a, " "),
            table.concat(b, " "), message))
        end
        assert.equal(#want == 0, random2:lineOfSight(a[1], a[2], b[1], b[2]))
        if #want > 0 then hits = hits + 1 end
      end
    end
    assert(hits > random.often(100), hits .. " hits")
  end)
end)

describe("grid:lineOfSight", function()
  local grid = draw { "....", ".##.", "...." }

  it("is true if all cells on the way are 0", function()
    assert.is_true(grid:lineOfSight(0.5, 0.5, 3.5, 0.5))
    assert.is_false(grid:lineOfSight(0.5, 1.5, 3.5, 1.5))
    assert.is_false(grid:lineOfSight(1.5, 1.5, 0.5, 0.5))
  end)

  it("does not pass through a gap without a width", function()
    local checks = draw { "#.", ".#" }
    assert.is_false(checks:lineOfSight(1.5, 0.5, 0.5, 1.5))
  end)

  --    0  1  2  3
  -- 0  .  .  .  .     a corridor of width 2 between two walls, and a bend
  -- 1  #  #  #  .
  -- 2  .  .  .  .
  -- 3  .  .  .  .
  -- 4  #  #  #  #
  describe("with a radius", function()
    local corridor = draw({ "....", "###.", "....", "....", "####" }, { cell = 10, x = 5, y = -5 })

    it("is true if a circle of that radius fits through; it may touch cells", function()
      assert.is_true(corridor:lineOfSight(-50, 25, 100, 25, 10))
      assert.is_false(corridor:lineOfSight(-50, 25, 100, 25, 10.000001))
      assert.is_false(corridor:lineOfSight(-50, 25.5, 100, 25.5, 10))
      assert.is_true(corridor:lineOfSight(-50, 25.5, 100, 25.5, 9.5))
    end)

    it("includes the round ends of the circle's path", function()
      assert.is_true(corridor:lineOfSight(40, -20, 40, 25, 5))
      assert.is_false(corridor:lineOfSight(40, -20, 40, 25.1, 10))
      assert.is_false(corridor:lineOfSight(15, 15, 15, 15, 1))
      assert.is_true(corridor:lineOfSight(38, 12, 38, 12, 3))
      assert.is_false(corridor:lineOfSight(38, 12, 38, 12, 3.000001))
    end)

    it("of 0 or nil is the same as none", function()
      for _, radius in ipairs { 0, false } do
        assert.is_true(corridor:lineOfSight(6, 25, 44, 25, radius or nil))
        assert.is_false(corridor:lineOfSight(15, 5, 15, 25, radius or nil))
      end
    end)

    it("is only allowed in 2D grids", function()
      local deep = collide.newGrid(3, 3, 3)
      expect.raises({ "grid:lineOfSight", "x1, y1, z1, x2, y2, z2" }, deep.lineOfSight, deep,
        0, 0, 0, 1, 1, 1, 1)
    end)

    local seed = random.seed()

    it("agrees with a capsule against each solid cell, seed " .. seed, function()
      local numbers = random.new(seed)
      local clear, cases = 0, random.rounds(1000)
      for _ = 1, cases do
        local w, h = numbers:int(1, 9), numbers:int(1, 9)
        local side, left, top = numbers:pick { 1, 32, 10, 0.3 }, numbers:int(-3, 3), 0.7
        local map = collide.newGrid(w, h, { cell = side, x = left, y = top })
        local function place(start, n)
          local v = numbers:float(-2, n + 2)
          return start + side * (numbers:int(0, 2) == 0 and math.floor(2 * v) / 2 or v)
        end
        for _ = 1, numbers:int(1, 4) do
          map:set(numbers:int(0, w - 1), numbers:int(0, h - 1), numbers:int(0, 2))
        end
        local x1, y1, x2, y2 = place(left, w), place(top, h), place(left, w), place(top, h)
        local r = side * (numbers:int(0, 1) == 0 and numbers:int(1, 4) / 2 or numbers:float(0.1, 2))
        local capsule = { x = 0, y = 0, shape = collide.capsule(x1, y1, x2, y2, r) }
        local want = not collide.overlap(capsule, { x = 0, y = 0, shape = collide.tiles(map) })
        for y = 0, h - 1 do
          for x = 0, w - 1 do
            local l, t = left + x * side, top + y * side
            local r2, b = left + (x + 1) * side, top + (y + 1) * side
            if map:get(x, y) ~= 0 then
              local cell = { x = 0, y = 0, shape = collide.polygon(l, t, r2, t, r2, b, l, b) }
              want = want and not collide.overlap(capsule, cell)
            end
          end
        end
        if map:lineOfSight(x1, y1, x2, y2, r) ~= want then
          error(("%s expected: from %.17g, %.17g to %.17g, %.17g by %.17g, cells of %g"):format(
            tostring(want), x1, y1, x2, y2, r, side))
        end
        if want then clear = clear + 1 end
      end
      assert(clear > cases / 5 and clear < cases * 4 / 5, clear .. " are clear")
    end)
  end)
end)

describe("bad arguments of", function()
  local nan, inf = 0 / 0, 1 / 0
  local grid, deep = collide.newGrid(4, 3), collide.newGrid(4, 3, 2)
  local shape = collide.circle(1)

  local function refused(pieces, f, ...)
    return expect.raises(pieces, f, ...)
  end

  it("newGrid are refused", function()
    local new = collide.newGrid
    local whole = " expected (whole number from 1 to 2147483648), got "
    refused("collide.newGrid: w" .. whole .. "nil", new)
    refused("collide.newGrid: w" .. whole .. "0", new, 0, 1)
    refused("collide.newGrid: w" .. whole .. "table", new, {}, 1)
    refused("collide.newGrid: w" .. whole .. "nan", new, nan, 1)
    refused("collide.newGrid: h" .. whole .. "2.5", new, 1, 2.5)
    refused("collide.newGrid: h" .. whole .. "nil", new, 1)
    refused("collide.newGrid: h" .. whole .. "table", new, 1, {})
    refused("collide.newGrid: d" .. whole .. "-1", new, 1, 1, -1)
    refused("collide.newGrid: d" .. whole .. 'string "3"', new, 1, 1, "3")
    refused("collide.newGrid: sizes expected (2^31 cells or fewer), got 65536 x 32769",
      new, 65536, 32769)
    refused("collide.newGrid: sizes expected (2^31 cells or fewer), got 65536 x 256 x 129",
      new, 65536, 256, 129)
    refused("collide.newGrid: options expected (table", new, 1, 1, 1, 5)
    refused("collide.newGrid: option expected (one of cell, x, y), got string \"z\"",
      new, 1, 1, { z = 1 })
    refused("collide.newGrid: option expected (one of cell, x, y, z), got string \"w\"",
      new, 1, 1, 1, { w = 1 })
    refused("collide.newGrid: cell expected (positive number up to 1e12), got 0",
      new, 1, 1, { cell = 0 })
    refused("collide.newGrid: x expected (finite number within ±1e12), got inf",
      new, 1, 1, { x = inf })
    refused("collide.newGrid: z expected (finite number within ±1e12), got table",
      new, 1, 1, 1, { z = {} })
    refused({ "collide.newGrid takes ", "got 5 arguments" }, new, 1, 1, 1, {}, 1)
    refused({ "collide.newGrid takes ", "got 4 arguments" }, new, 1, 1, {}, {})
  end)

  it("set and get are refused", function()
    local name = "grid:set: "
    refused(name .. "x expected (whole number from 0 to 3), got 4", grid.set, grid, 4, 0, 1)
    refused(name .. "x expected (whole number from 0 to 3), got -1", grid.set, grid, -1, 0, 1)
    refused(name .. "x expected (whole number from 0 to 3), got 0.5", grid.set, grid, 0.5, 0, 1)
    refused(name .. "y expected (whole number from 0 to 2), got 3", grid.set, grid, 0, 3, 1)
    refused(name .. "y expected (whole number from 0 to 2), got nan", grid.set, grid, 0, nan, 1)
    refused(name .. "z expected (whole number from 0 to 1), got 2", deep.set, deep, 0, 0, 2, 1)
    refused(name .. "z expected (whole number from 0 to 1), got nil", deep.set, deep, 0, 0, nil, 1)
    refused("grid:get: x expected (whole number), got 0.5", grid.get, grid, 0.5, 0)
    refused("grid:get: x expected (whole number), got -inf", grid.get, grid, -math.huge, 0)
    refused("grid:get: y expected (whole number), got nan", grid.get, grid, 9, nan)
    refused('grid:get: y expected (whole number), got string "1"', grid.get, grid, 9, "1")
    refused("grid:get: z expected (whole number), got nil", deep.get, deep, 0, 0, nil)
    for _, method in ipairs { "set", "get" } do
      local takes, f = "grid:" .. method .. " takes x, y", grid[method]
      refused({ takes, "got 5 arguments" }, f, grid, 0, 0, 1, 1, 1)
      refused({ takes .. ", z", "got 5 arguments" }, f, deep, 0, 0, 1, 1, 1)
    end
    local value = "grid:set: v expected (whole number from 0 to 255), got "
    refused(value .. "256", grid.set, grid, 0, 0, 256)
    refused(value .. "nil", grid.set, grid, 0, 0)
    refused(value .. "boolean true", deep.set, deep, 0, 0, 0, true)
  end)

  it("a 3D grid that was meant to be flat are refused with a hint", function()
    local made = collide.newGrid(20, 15, 32)
    local hint = "; newGrid(w, h, d) makes it 3D; a cell's size goes into options, { cell = 32 }"
    refused("grid:get takes x, y, z in a grid of three dimensions, got 2 arguments" .. hint,
      made.get, made, 1, 1)
    refused({ "grid:set takes ", "got 3 arguments" .. hint }, made.set, made, 1, 1, 1)
    refused({ "grid:fill takes ", "got 5 arguments" .. hint }, made.fill, made, 1, 1, 2, 2, 1)
    refused({ "grid:rayCast takes ", "got 4 arguments" .. hint }, made.rayCast, made, 1, 1, 2, 2)
    refused({ "grid:lineOfSight takes ", "got 4 arguments" .. hint }, made.lineOfSight, made, 1,
      1, 2, 2)
    refused({ "collide.tiles: grid expected (grid of two dimensions)", hint }, collide.tiles, made)
  end)

  it("fill are refused", function()
    refused("grid:fill: x expected (whole number from 0 to 3), got 4",
      grid.fill, grid, 4, 0, 1, 1, 1)
    refused("grid:fill: w expected (whole number from 1 to 2), got 3",
      grid.fill, grid, 2, 0, 3, 1, 1)
    refused("grid:fill: h expected (whole number from 1 to 3), got 0",
      grid.fill, grid, 2, 0, 2, 0, 1)
    refused("grid:fill: d expected (whole number from 1 to 1), got 2",
      deep.fill, deep, 0, 0, 1, 1, 1, 2, 1)
    refused("grid:fill: v expected (whole number from 0 to 255), got nil",
      grid.fill, grid, 0, 0, 1, 1)
    refused("grid:fill takes x, y, w, h, v, got 6 arguments", grid.fill, grid, 0, 0, 1, 1, 1, 1)
    assert.equal(("\0"):rep(12), grid:dump())
  end)

  it("load and dump are refused", function()
    refused("grid:load: bytes expected (string of 12 bytes, one for each cell), got 11",
      grid.load, grid, ("x"):rep(11))
    refused("grid:load: bytes expected (string, a byte for each cell), got number 5",
      grid.load, grid, 5)
    refused("grid:load takes one string, got 2 arguments", grid.load, grid, "", "")
    refused("grid:dump takes no arguments, got 1 argument", grid.dump, grid, 1)
    refused("grid:size takes no arguments, got 1 argument", grid.size, grid, 1)
  end)

  it("rayCast and lineOfSight are refused", function()
    for _, method in ipairs { "rayCast", "lineOfSight" } do
      local name, f = "grid:" .. method, grid[method]
      local what = " expected (finite number within 2^50 cells of the grid's corner), got "
      refused(name .. ": x1" .. what .. "nan", f, grid, nan, 0, 0, 0)
      refused(name .. ": y1" .. what .. "inf", f, grid, 0, inf, 0, 0)
      refused(name .. ": x2" .. what .. 'string "0"', f, grid, 0, 0, "0", 0)
      refused(name .. ": y2" .. what .. "nil", f, grid, 0, 0, 0)
      refused(name .. ": y2" .. what .. "2e+15", f, grid, 0, 0, 0, 2e15)
      refused(name .. ": z2" .. what .. "1e+300", f, deep, 0, 0, 0, 0, 0, 1e300)
      refused({ name .. " takes x1, y1, x2, y2", "got 6 arguments" }, f, grid, 0, 0, 0, 0, 0, 0)
    end
    local cast = grid.rayCast
    refused("grid:rayCast: mask expected (value from 0 to 255, or list of values), got string",
      cast, grid, 0, 0, 1, 1, "1")
    refused("grid:rayCast: mask expected (whole number from 0 to 255), got 256",
      cast, grid, 0, 0, 1, 1, 256)
    refused("grid:rayCast: mask[2] expected (whole number from 0 to 255), got 0.5",
      cast, grid, 0, 0, 1, 1, { 1, 0.5 })
  end)

  it("all methods are refused as their self", function()
    for _, method in ipairs { "set", "get", "fill", "load", "dump", "rayCast", "lineOfSight",
      "size" } do
      local says = ("grid:%s: self expected (grid; call it with a colon), got "):format(method)
      refused(says .. "table", grid[method], {}, 1, 1, 1, 1)
      refused(says .. "shape", grid[method], shape, 1, 1, 1, 1)
      refused(says .. "nil", grid[method])
    end
    refused("got grid", shape.kind, grid)
  end)

  it("all carry the position of the caller", function()
    for _, call in ipairs {
      function() local made = collide.newGrid(0, 0) return made end,
      function() local value = grid:get(9) return value end,
      function() local value = grid:set(9, 9, 1) return value end,
      function() local value = grid:rayCast(9, 9) return value end,
    } do
      local here = "grid_spec.lua:" .. debug.getinfo(call, "S").linedefined .. ":"
      assert.matches(here, expect.raises("got", call), 1, true)
    end
  end)
end)
