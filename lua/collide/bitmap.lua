-- collide.newBitmap: checks the arguments and fills in the defaults. The bitmaps are made in C.

local core = require "collide.core"
local check = require "collide.check"

---@class collide
local M = {}

local FN = "collide.newBitmap"

local OPTIONS = { cell = true, samples = true, mode = true }

local MAX_SIDE, MAX_CELLS = core.BITMAP_MAX_SIDE, core.BITMAP_MAX_CELLS
local MAX_SAMPLES, MIN_CELL = core.BITMAP_MAX_SAMPLES, core.BITMAP_MIN_CELL

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
  core.checkDot(w, FN)
  check.integer(FN, "w", w, 1, MAX_SIDE)
  check.integer(FN, "h", h, 1, math.min(MAX_SIDE, math.floor(MAX_CELLS / w)))
  if options == nil then options = {} end
  check.table(FN, "options", options, "table {cell = …, samples = …, mode = …}")
  check.noMore(FN, "w, h and a table of options", 3, ...)
  check.keys(FN, "option", options, OPTIONS)
  local cell, samples, mode = options.cell, options.samples, options.mode
  if cell == nil then cell = 1 end
  if not (check.isCoordinate(cell) and cell >= MIN_CELL) then
    check.fail(FN, "cell", "number from 1e-12 to 1e12", cell)
  end
  if samples == nil then samples = 4 else check.integer(FN, "samples", samples, 1, MAX_SAMPLES) end
  if mode ~= nil and mode ~= "coverage" and mode ~= "conservative" then
    check.fail(FN, "mode", '"coverage" or "conservative"', mode)
  end
  return core.newBitmap(w, h, cell, samples, mode == "conservative")
end

return M
