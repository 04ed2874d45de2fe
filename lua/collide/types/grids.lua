---@meta
-- The methods of grids and bitmaps, which are written in C: for language servers; nothing loads
-- this file.

--- A byte for each cell of a rectangle or box of cells, counted from 0.
---@class collide.Grid
local Grid = {}

---@return integer w, integer h, integer? d
function Grid:size() end

--- Sets a cell to a value from 0 to 255; in 3D set(x, y, z, v).
---@overload fun(self: collide.Grid, x: integer, y: integer, z: integer, v: integer)
---@param x integer
---@param y integer
---@param v integer
function Grid:set(x, y, v) end

---@param x integer
---@param y integer
---@param z integer? in 3D
---@return integer? v nil outside of the grid
function Grid:get(x, y, z) end

--- Sets all cells of a rectangle to a value; in 3D fill(x, y, z, w, h, d, v).
---@overload fun(self: collide.Grid, x: integer, y: integer, z: integer, w: integer, h: integer, d: integer, v: integer)
---@param x integer
---@param y integer
---@param w integer
---@param h integer
---@param v integer
function Grid:fill(x, y, w, h, v) end

--- Sets all cells from a string of bytes: x runs fastest, then y, then z.
---@param bytes string one byte per cell
function Grid:load(bytes) end

---@return string bytes all cells, as `load` takes them
function Grid:dump() end

--- The first cell that stops a ray between two points in world units: its value, x and y, the
--- normal of the face or corner where the ray enters it, and the share of the way. In 3D
--- rayCast(x1, y1, z1, x2, y2, z2, mask) returns value, x, y, z, nx, ny, nz, t.
---@overload fun(self: collide.Grid, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, mask: (integer|integer[])?): integer?, integer, integer, integer, number, number, number, number
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param mask (integer|integer[])? the values that stop it; by default all but 0
---@return integer? value nil when no cell does
---@return integer x, integer y, number nx, number ny, number t
function Grid:rayCast(x1, y1, x2, y2, mask) end

--- Whether all cells on the way are 0. With a radius: whether a circle of that radius gets through
--- without overlapping a cell that is not 0. In 3D lineOfSight(x1, y1, z1, x2, y2, z2).
---@overload fun(self: collide.Grid, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number): boolean
---@param x1 number world units
---@param y1 number
---@param x2 number
---@param y2 number
---@param radius number?
---@return boolean
function Grid:lineOfSight(x1, y1, x2, y2, radius) end

--- A bitmap of cells. Each cell stores how much of it the painted shapes cover.
---@class collide.Bitmap
local Bitmap = {}

--- Paints a circle. A cell keeps the largest coverage that any painted shape gives it.
---@param x number
---@param y number
---@param r number
function Bitmap:addCircle(x, y, r) end

--- Paints many circles. When one of them is invalid it raises, and paints none.
---@param xs number[]
---@param ys number[]
---@param r number|number[] one radius for all, or one for each
function Bitmap:addCircles(xs, ys, r) end

---@param x number
---@param y number
---@param w number
---@param h number
function Bitmap:addRectangle(x, y, w, h) end

--- Removes all painted shapes.
function Bitmap:clear() end

--- How much of a cell is covered, 0 to 1. Columns and rows count from 0.
---@param col integer
---@param row integer
---@return number
function Bitmap:coverage(col, row) end

--- Whether there is a cell in which the circle's coverage plus the painted one is above the
--- threshold.
---@param x number
---@param y number
---@param r number
---@param threshold number? default 1
---@return boolean
function Bitmap:testCircle(x, y, r, threshold) end

--- Finds the circles of a list for which testCircle would return true.
---@param xs number[]
---@param ys number[]
---@param r number|number[]
---@param threshold number? default 1
---@param into table? the table to fill in place of a new one
---@return integer[] places in the lists, ascending
---@return integer n how many
function Bitmap:testCircles(xs, ys, r, threshold, into) end

---@param x number
---@param y number
---@param w number
---@param h number
---@param threshold number? default 1
---@return boolean
function Bitmap:testRectangle(x, y, w, h, threshold) end

---@return integer columns, integer rows, number cell the side of a cell in world units
function Bitmap:size() end

--- A line of text for each row: "." is an empty cell, "#" a full one, and a digit counts tenths.
---@return string
function Bitmap:toString() end

--- A byte for each cell, row by row, 255 where it is covered: LÖVE's pixel format "r8".
---@return string
function Bitmap:dump() end

--- The contents of a picture file in the format PGM.
---@return string
function Bitmap:pgm() end
