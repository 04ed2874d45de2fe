-- collide.newGrid: checks the arguments. The grids are made in C.

local core = require "collide.core"
local check = require "collide.check"

---@class collide
local M = {}

local FN = "collide.newGrid"

local MOST = core.GRID_MOST

local FLAT = { cell = true, x = true, y = true }
local DEEP = { cell = true, x = true, y = true, z = true }

local function origin(options, name)
  local v = options[name]
  if v == nil then return 0 end
  if not check.isCoordinate(v) then check.fail(FN, name, check.COORDINATE, v) end
  return v
end

---@class collide.GridOptions
---@field cell? number the side of a cell in world units, default 1
---@field x? number the corner of cell 0, 0 with the least coordinates; default 0
---@field y? number
---@field z? number in 3D

--- Makes a grid of bytes, all 0: w × h cells, or w × h × d.
---@overload fun(w: integer, h: integer, options: collide.GridOptions?): collide.Grid
---@param w integer
---@param h integer
---@param d? integer
---@param options? collide.GridOptions
---@return collide.Grid
function M.newGrid(w, h, d, options, ...)
  core.checkDot(w, FN)
  if type(d) == "table" then
    if options ~= nil then check.noMore(FN, "w, h and options", 3, options, ...) end
    d, options = nil, d
  end
  check.integer(FN, "w", w, 1, MOST)
  check.integer(FN, "h", h, 1, MOST)
  if d ~= nil then check.integer(FN, "d", d, 1, MOST) end
  check.noMore(FN, "w, h, d and options", 4, ...)
  if w * h * (d or 1) > MOST then
    check.raise(("%s: sizes expected (2^31 cells or fewer), got %s"):format(FN,
      d and ("%d x %d x %d"):format(w, h, d) or ("%d x %d"):format(w, h)))
  end
  if options == nil then options = {} end
  check.table(FN, "options", options, "table {cell = …, x = …, y = …}")
  check.keys(FN, "option", options, d and DEEP or FLAT)
  local cell = options.cell == nil and 1 or check.size(FN, "cell", options.cell)
  local x, y, z = origin(options, "x"), origin(options, "y"), origin(options, "z")
  local grid
  if d then
    grid = core.newGrid(cell, x, y, z, w, h, d)
  else
    grid = core.newGrid(cell, x, y, z, w, h)
  end
  return grid or check.raise("not enough memory")
end

return M
