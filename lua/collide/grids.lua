-- Grids of bytes, bitmaps of coverage, and rays through the cells of a grid: checks the arguments.
-- Grids and bitmaps are made in C. The core finds the cells of a ray in blocks; the iterators here
-- return them one by one.

local require = require "collide.relative"
local core = require "collide.core"
local binding = require "collide.binding"
local check = require "collide.check"
local each = require "collide.each"

---@class collide
local M = {}

-- Grids ---------------------------------------------------------------------------

local MOST = core.GRID_MOST

local optional = check.optional

local function cubicCell(fn, name, cell)
  check.size(fn, name, cell)
  return { cell, cell }
end

local FORM = check.SIZE .. ", or {w, h}"

-- The option `cell` in two dimensions: a table of width and height.
local function flatCell(fn, name, cell)
  if type(cell) == "number" then return cubicCell(fn, name, cell) end
  if type(cell) ~= "table" or #cell ~= 2 then check.fail(fn, name, FORM, cell) end
  return { check.size(fn, name .. "[1]", cell[1]), check.size(fn, name .. "[2]", cell[2]) }
end

local FLAT = { cell = optional(flatCell, { 1, 1 }), x = optional(check.coordinate, 0),
  y = optional(check.coordinate, 0) }
local DEEP = { cell = optional(cubicCell, { 1, 1 }), x = FLAT.x, y = FLAT.y, z = FLAT.x }

---@class collide.GridOptions
---@field cell? number|number[] the side of a cell in world units, default 1; in 2D also {w, h}
---@field x? number the corner of cell 0, 0 with the least coordinates; default 0
---@field y? number
---@field z? number in 3D

---@class collide.RowsOptions: collide.GridOptions
---@field values? table<string, integer> by character, 0 to 255; " " and "." are 0 without one

-- Reads the option `values`: a table of the values of bytes, by character.
local function readValues(fn, name, values)
  local read = { [" "] = 0, ["."] = 0 }
  if values == nil then return read end
  check.table(fn, name, values, 'table such as {["#"] = 1}')
  for character, value in each.pairs(values) do
    if type(character) ~= "string" or #character ~= 1 then
      check.fail(fn, "key of " .. name, "string of one character", character)
    end
    local arg = ("%s[%s]"):format(name, core.describe(character):gsub("^string ", ""))
    read[character] = check.integer(fn, arg, value, 0, 255)
  end
  return read
end

local ROWS = { cell = FLAT.cell, x = FLAT.x, y = FLAT.y, values = readValues }

-- The bytes of a grid from its rows, and the number of bytes in each row.
local function bytesOf(fn, rows, values)
  local bytes, width = {}, nil
  for i = 1, check.length(fn, "rows", rows) do
    local row = rows[i]
    if type(row) ~= "string" then check.fail(fn, ("rows[%d]"):format(i), "string", row) end
    width = width or #row
    if #row ~= width or width == 0 then
      check.raise(("%s: rows[%d] expected (string of %s), got one of %d"):format(fn, i,
        width == 0 and "1 character or more" or width .. " characters, as rows[1]", #row))
    end
    for column = 1, width do
      local value = values[row:sub(column, column)]
      if not value then
        check.fail(fn, ("rows[%d], column %d"):format(i, column),
          'character of values, " " or "."', row:sub(column, column))
      end
      bytes[#bytes + 1] = string.char(value)
    end
  end
  if not width then
    check.raise(fn .. ": rows expected (list of one string or more), got an empty list")
  end
  return table.concat(bytes), width
end

local function newGridOfRows(fn, rows, options)
  check.list(fn, "rows", rows, "list of strings")
  if options == nil then options = {} end
  local o = check.options(fn, "options", options, "table {cell = …, values = …}", ROWS)
  local bytes, width = bytesOf(fn, rows, o.values)
  local grid = core.newGrid(o.cell[1], o.cell[2], o.x, o.y, 0, width, #bytes / width)
    or check.raise("not enough memory")
  grid:load(bytes)
  return grid
end

--- Makes a grid of w × h or w × h × d bytes, all 0; or a grid from rows, strings of equal length
--- with a character for each cell.
---@overload fun(w: integer, h: integer, options: collide.GridOptions?): collide.Grid
---@overload fun(rows: string[], options: collide.RowsOptions?): collide.Grid
---@param w integer
---@param h integer
---@param d? integer
---@param options? collide.GridOptions
---@return collide.Grid
function M.newGrid(w, h, d, options, ...)
  local fn = "collide.newGrid"
  core.checkDot(w, fn)
  if type(w) == "table" and type(h) ~= "number" then
    if options ~= nil then check.noMore(fn, "rows and options", 2, d, options, ...) end
    if d ~= nil then check.noMore(fn, "rows and options", 2, d) end
    return newGridOfRows(fn, w, h)
  end
  if type(d) == "table" then
    if options ~= nil then check.noMore(fn, "w, h and options", 3, options, ...) end
    d, options = nil, d
  end
  check.integer(fn, "w", w, 1, MOST)
  check.integer(fn, "h", h, 1, MOST)
  if d ~= nil then check.integer(fn, "d", d, 1, MOST) end
  check.noMore(fn, "w, h, d and options", 4, ...)
  if w * h * (d or 1) > MOST then
    check.raise(("%s: sizes expected (2^31 cells or fewer), got %s"):format(fn,
      d and ("%d x %d x %d"):format(w, h, d) or ("%d x %d"):format(w, h)))
  end
  if options == nil then options = {} end
  local o = check.options(fn, "options", options, "table {cell = …, x = …, y = …}",
    d and DEEP or FLAT)
  return core.newGrid(o.cell[1], o.cell[2], o.x, o.y, o.z or 0, w, h, d)
    or check.raise("not enough memory")
end

-- Tiles ---------------------------------------------------------------------------

local TILES = "collide.tiles"
local IN_CELL = "convex shape within a cell of side 1"
local LOOK = IN_CELL .. ", false, or table {shape =, oneWay =, sensor =}"
local LOOKS = "table: a shape, false, or {shape =, oneWay =, sensor =} for each value that is not "
  .. "a full square"
local KEYS = { shape = true, oneWay = true, sensor = true }

local function checkForm(grid, name, expected, shape)
  if not core.isShape(shape) then check.fail(TILES, name, expected, shape) end
  local wrong = core.wrongForm(shape, grid)
  if wrong then check.fail(TILES, name, wrong, shape) end
  return shape
end

-- The form of cells with a value: a shape or false, flags, and where they face. `look` is a table.
local function lookOf(grid, name, look)
  check.keys(TILES, "key of " .. name, look, KEYS)
  local shape, oneWay = rawget(look, "shape"), rawget(look, "oneWay")
  local flags = shape == nil and core.TILE_FULL_SQUARE or 0
  if shape ~= nil then checkForm(grid, name .. ".shape", IN_CELL, shape) end
  local x, y = core.readOneWay(oneWay)
  if not x then check.fail(TILES, name .. ".oneWay", core.EXPECTED.oneWay, oneWay) end
  if oneWay ~= nil then flags = flags + core.TILE_OWN_WAY end
  local sensor = check.flag(TILES, name .. ".sensor", rawget(look, "sensor"))
  if sensor then flags = flags + core.TILE_SENSOR end
  return shape or false, flags, x, y
end

-- The looks of the values in a grid, as core.newTiles takes them.
local function looksOf(grid, shapes)
  local looks = {}
  check.table(TILES, "shapes", shapes, LOOKS)
  for value in each.next, shapes do
    if not (type(value) == "number" and value >= 1 and value <= 255 and value % 1 == 0) then
      check.fail(TILES, "key of shapes", "value of cells, a whole number from 1 to 255", value)
    end
  end
  for value = 1, 255 do
    local look, name, n = rawget(shapes, value), ("shapes[%d]"):format(value), #looks
    if type(look) == "table" then
      looks[n + 1], looks[n + 2], looks[n + 3], looks[n + 4], looks[n + 5] =
        value, lookOf(grid, name, look)
    elseif look ~= nil then
      looks[n + 1], looks[n + 3], looks[n + 4], looks[n + 5] = value, 0, 0, 0
      looks[n + 2] = look ~= false and checkForm(grid, name, LOOK, look)
    end
  end
  return looks
end

--- The form of cells with a value. `sensor` overrides `oneWay`, and that overrides the actor's.
---@class collide.TileLook
---@field shape collide.Shape? without it, the full square
---@field oneWay collide.OneWay? false: they stop from all sides
---@field sensor boolean? they stop no moving actor

--- The cells of a grid that are not 0, for an actor without an angle. Later changes of the
--- grid change the shape. Neighbouring cells are one piece, without edges between them. A cell is a
--- full square unless `shapes` says otherwise for its value: a convex shape of at most 16 corners
--- within a cell of side 1, or false for an empty cell. It is stretched with its cell; a round one
--- needs square cells. For more options, give a table: see collide.TileLook.
---@param grid collide.Grid a 2D grid
---@param shapes table<integer, collide.TileLook|collide.Shape|false>? by value, 1 to 255
---@return collide.Shape
function M.tiles(grid, shapes, ...)
  core.checkDot(grid, TILES)
  check.noMore(TILES, "a grid and shapes by value", 2, ...)
  if core.ownName(grid) ~= "grid" then check.fail(TILES, "grid", "grid", grid) end
  if select("#", grid:size()) == 3 then
    check.raise(TILES .. ": grid expected (grid of two dimensions), got one of three; newGrid(w, "
      .. "h, d) makes it 3D; a cell's size goes into options, { cell = 32 }")
  end
  return core.newTiles(grid, shapes == nil and {} or looksOf(grid, shapes))
end

-- Bitmaps -------------------------------------------------------------------------

local MAX_SIDE, MAX_CELLS = core.BITMAP_MAX_SIDE, core.BITMAP_MAX_CELLS

local function bitmapCell(fn, name, cell)
  if not (check.isCoordinate(cell) and cell >= core.BITMAP_MIN_CELL) then
    check.fail(fn, name, "number from 1e-12 to 1e12", cell)
  end
  return cell
end

local BITMAP = {
  cell = optional(bitmapCell, 1), samples = optional(check.whole(1, core.BITMAP_MAX_SAMPLES), 4),
  mode = optional(check.choice('"coverage" or "conservative"', { coverage = true,
    conservative = true })),
}

---@class collide.BitmapOptions
---@field cell? number the side of a cell in world units, default 1
---@field samples? integer sample points along each side of a cell, default 4
---@field mode? "coverage"|"conservative"

--- A bitmap of w x h cells, which covers 0 <= x < w * cell, 0 <= y < h * cell.
---@param w integer
---@param h integer
---@param options collide.BitmapOptions?
---@return collide.Bitmap
function M.newBitmap(w, h, options, ...)
  local fn = "collide.newBitmap"
  core.checkDot(w, fn)
  check.integer(fn, "w", w, 1, MAX_SIDE)
  check.integer(fn, "h", h, 1, math.min(MAX_SIDE, math.floor(MAX_CELLS / w)))
  if options == nil then options = {} end
  check.noMore(fn, "w, h and a table of options", 3, ...)
  local o = check.options(fn, "options", options, "table {cell = …, samples = …, mode = …}", BITMAP)
  return core.newBitmap(w, h, o.cell, o.samples, o.mode == "conservative")
end

-- Grid rays -----------------------------------------------------------------------

local MAX = core.MAX_CELL
local COORDINATE = "finite number within ±2^50"

local OPTIONS = { corners = true }

local function coordinate(fn, name, v)
  if not (type(v) == "number" and v >= -MAX and v <= MAX) then
    core.checkDot(v, fn)
    check.fail(fn, name, COORDINATE, v)
  end
end

-- Checks the optional arguments. Returns whether only the diagonal cells of corners are wanted, and
-- the visitor.
local function checkMore(fn, takes, given, options, visit, ...)
  check.noMore(fn, takes, given + 2, ...)
  if check.isCallable(options) then
    if visit ~= nil then check.noMore(fn, takes, given + 1, visit) end
    options, visit = nil, options
  end
  if visit ~= nil and not check.isCallable(visit) then
    check.fail(fn, "visit", "function", visit)
  end
  if options == nil then return false, visit end
  check.table(fn, "options", options, 'table {corners = "all" or "diagonal"}, or a function')
  check.keys(fn, "option", options, OPTIONS)
  local corners = options.corners
  if corners ~= nil and corners ~= "all" and corners ~= "diagonal" then
    check.fail(fn, "corners", '"all" or "diagonal"', corners)
  end
  return corners == "diagonal", visit
end

-- Under LuaJIT, while its compiler is on, walks run through pointers to the core's functions and
-- blocks.
local jit = require "collide.ffi.frame"
local _, WalkPointer
if jit then
  _, WalkPointer = binding.struct "walk"
end

-- A finished walk to reuse, by dimension. Each use of a walk has a number, which is all that
-- scripts get: with the number of an earlier use, an iterator returns nil.
local idle = {}

local function endWalk(walk)
  walk.use = walk.use + 1
  idle[walk.dims] = walk
end

-- The iterators of walks. Scripts cannot reach the pointers in them. There are two, since LuaJIT
-- compiles a common one to code that takes twice as long.

local function flatIterator(walk, io)
  return function(use)
    if use ~= walk.use then return nil end
    if io.at == io.stop and io.fill(io) == 0 then return endWalk(walk) end
    local at = io.at
    io.at = at + 4
    local cell = io.cells + at
    return cell[0], cell[1], cell[2], cell[3]
  end
end

local function deepIterator(walk, io)
  return function(use)
    if use ~= walk.use then return nil end
    if io.at == io.stop and io.fill(io) == 0 then return endWalk(walk) end
    local at = io.at
    io.at = at + 5
    local cell = io.cells + at
    return cell[0], cell[1], cell[2], cell[3], cell[4]
  end
end

local function newWalk(dims)
  local io = binding.open(WalkPointer, core.gridWalk())
  local walk = { io = io, dims = dims, use = 1 }
  walk.iterate = (dims == 2 and flatIterator or deepIterator)(walk, io)
  return walk
end

-- The iterator and control value for a for loop over the cells; and the walk, if the caller has to
-- end it when it leaves the loop early.
local function start(diagonal, dims, x1, y1, z1, x2, y2, z2)
  if not (jit and jit.isOn()) then return core.gridCells(diagonal, dims, x1, y1, z1, x2, y2, z2) end
  local walk = idle[dims] or newWalk(dims)
  idle[dims] = nil
  walk.io.set(walk.io, diagonal and 1 or 0, dims, x1, y1, z1, x2, y2, z2)
  return walk.iterate, walk.use, walk
end

-- The cells of a ray, for a loop or a visitor. `takes` says what `fn` takes.
local function ray(fn, takes, dims, x1, y1, z1, x2, y2, z2, options, visit, ...)
  coordinate(fn, "x1", x1)
  coordinate(fn, "y1", y1)
  if dims == 3 then coordinate(fn, "z1", z1) end
  coordinate(fn, "x2", x2)
  coordinate(fn, "y2", y2)
  if dims == 3 then coordinate(fn, "z2", z2) end
  local diagonal
  diagonal, visit = checkMore(fn, takes, 2 * dims, options, visit, ...)
  local iterate, use, walk = start(diagonal, dims, x1, y1, z1, x2, y2, z2)
  if not visit then return iterate, use end
  for step, x, y, z, t in iterate, use do
    local found
    if dims == 2 then found = visit(step, x, y, z) else found = visit(step, x, y, z, t) end
    if found then
      if walk and walk.use == use then endWalk(walk) end
      if dims == 2 then return x, y end
      return x, y, z
    end
  end
end

---@class collide.GridRayOptions
---@field corners? "all"|"diagonal" which cells of a corner are reported; default "all"

--- Iterates over the cells that a segment passes through, in order:
---   for step, x, y, t in collide.gridRay(x1, y1, x2, y2) do
--- The cells at a corner share one step and t. With a function `visit(step, x, y, t)`, in place of
--- the options or after them, there is no loop: the function is called for each cell until it
--- returns true, and that cell is returned.
---@param x1 number in cells
---@param y1 number
---@param x2 number
---@param y2 number
---@param options? collide.GridRayOptions|collide.GridVisit
---@param visit? collide.GridVisit
---@return any ... an iterator; with a function, x and y of the cell where it returned true
function M.gridRay(x1, y1, x2, y2, options, visit, ...)
  return ray("collide.gridRay", "x1, y1, x2, y2, options and a function", 2, x1, y1, 0, x2, y2, 0,
    options, visit, ...)
end

--- Like gridRay, in 3D: `for step, x, y, z, t in collide.gridRay3(x1, y1, z1, x2, y2, z2) do`.
---@param x1 number in cells
---@param y1 number
---@param z1 number
---@param x2 number
---@param y2 number
---@param z2 number
---@param options? collide.GridRayOptions|collide.GridVisit3
---@param visit? collide.GridVisit3
---@return any ...
function M.gridRay3(x1, y1, z1, x2, y2, z2, options, visit, ...)
  return ray("collide.gridRay3", "x1, y1, z1, x2, y2, z2, options and a function", 3, x1, y1, z1,
    x2, y2, z2, options, visit, ...)
end

return M
