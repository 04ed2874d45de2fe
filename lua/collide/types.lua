---@meta
-- What is made in C, for language servers; nothing loads this file.

--- Where a thing is to be overlapped, drawn, measured: any table with these.
---@class collide.Placed
---@field shape collide.Shape
---@field x number world units
---@field y number
---@field angle number? radians; turns the shape about x, y

--- (nx, ny) is the way self gets free by `depth` world units. `t` is there only if one of the two
--- is swept and they met on their way but are apart again: the moment they met, as a share of the
--- step.
---@alias collide.OnHit fun(self: collide.Actor, other: collide.Actor,
---  nx: number, ny: number, depth: number, world: collide.World, t: number?)

--- What a world keeps: a placed table that may have methods.
---@class collide.Actor: collide.Placed
---@field name string|number? what errors call it by
---@field group string? "default" without
---@field static boolean? its place is read only by add and refresh
---@field sensor boolean? stops no actor that moves
---@field oneWay boolean? stops actors that move only with its upper side
---@field swept boolean? meets others on its way from step to step, too
---@field update fun(self: collide.Actor, dt: number, world: collide.World)?
---@field enter collide.OnHit? once, when the two begin to overlap
---@field hit collide.OnHit? in every step in which they do
---@field leave fun(self: collide.Actor, other: collide.Actor, world: collide.World)? once, after
---@field draw fun(self: collide.Actor, ...)?

--- A value that never changes, local to the place of whoever carries it.
---@class collide.Shape
local Shape = {}

---@return "rectangle"|"circle"|"capsule"|"segment"|"polygon"|"chain"|"compound"|"tiles" kind
function Shape:kind() end

--- Bounds where it stands with its carrier at x, y (0, 0 without), turned.
---@param x number?
---@param y number?
---@param angle number?
---@return number left, number top, number width, number height
function Shape:bounds(x, y, angle) end

--- Whether it holds a local point; its boundary belongs to it.
---@param px number
---@param py number
---@return boolean
function Shape:contains(px, py) end

---@return number area in square units; a compound adds up its members', overlaps twice
function Shape:area() end

---@return number[] points {x1, y1, x2, y2, …}; of a circle its centre
function Shape:points() end

---@return number radius 0 when its corners are sharp
function Shape:radius() end

---@return collide.Shape[] parts convex shapes that together are this one
function Shape:parts() end

---@param dx number
---@param dy number
---@return collide.Shape
function Shape:translated(dx, dy) end

--- Turned about 0, 0.
---@param angle number radians
---@return collide.Shape
function Shape:rotated(angle) end

--- Scaled about 0, 0; below 0 mirrors. A round shape takes only equal scales.
---@param sx number
---@param sy number? sx without
---@return collide.Shape
function Shape:scaled(sx, sy) end

--- Moved so that the middle of its bounds is at 0, 0.
---@return collide.Shape
function Shape:centered() end

--- One that ignores its carrier's angle.
---@return collide.Shape
function Shape:upright() end

--- A byte for each cell of a rectangle or box of cells, counted from 0. What stands in
--- brackets is there in 3D alone.
---@class collide.Grid
local Grid = {}

---@return integer w, integer h, integer? d
function Grid:size() end

--- set(x, y[, z], v): a cell's value, from 0 to 255.
---@param ... integer
function Grid:set(...) end

---@param x integer
---@param y integer
---@param z integer? in 3D
---@return integer? v nil outside of the grid
function Grid:get(x, y, z) end

--- fill(x, y[, z], w, h[, d], v): the same value for all cells of a part of the grid.
---@param ... integer
function Grid:fill(...) end

--- All cells at once: a byte for each, x fastest, then y, then z.
---@param bytes string
function Grid:load(bytes) end

---@return string bytes
function Grid:dump() end

--- rayCast(x1, y1[, z1], x2, y2[, z2][, mask]): the first cell on the way, from point to
--- point in world units, that stops the ray: value, x, y[, z], the normal nx, ny[, nz] of
--- the face or corner where it is entered, and t, the share of the way. `mask` is a value
--- or a list of values; all but 0 without.
---@param ... number|integer[]
---@return integer? value
---@return integer x
---@return integer y
---@return number ...
function Grid:rayCast(...) end

--- lineOfSight(x1, y1, x2, y2[, radius]): whether all cells on the way are 0; with a radius,
--- whether a circle of it gets through without overlapping one that is not 0. In 3D
--- lineOfSight(x1, y1, z1, x2, y2, z2).
---@param ... number world units
---@return boolean
function Grid:lineOfSight(...) end

--- Cells, each of which keeps how much of it is covered by what was painted.
---@class collide.Bitmap
local Bitmap = {}

--- Paints a circle: a cell keeps the largest coverage painted.
---@param x number
---@param y number
---@param r number
function Bitmap:addCircle(x, y, r) end

--- Paints many circles; when one of them is no good, none.
---@param xs number[]
---@param ys number[]
---@param r number|number[] one radius for all, or one for each
function Bitmap:addCircles(xs, ys, r) end

---@param x number
---@param y number
---@param w number
---@param h number
function Bitmap:addRectangle(x, y, w, h) end

--- Removes what was painted.
function Bitmap:clear() end

--- How much of a cell is covered, 0 to 1; the first column and row are 0.
---@param col integer
---@param row integer
---@return number
function Bitmap:coverage(col, row) end

--- Whether in some cell its coverage plus the cell's is above the threshold.
---@param x number
---@param y number
---@param r number
---@param threshold number? 1 without
---@return boolean
function Bitmap:testCircle(x, y, r, threshold) end

--- Which of many circles testCircle finds to hit.
---@param xs number[]
---@param ys number[]
---@param r number|number[]
---@param threshold number? 1 without
---@param into table? for the answer, in place of a new table
---@return integer[] places in the lists, ascending
---@return integer n how many
function Bitmap:testCircles(xs, ys, r, threshold, into) end

---@param x number
---@param y number
---@param w number
---@param h number
---@param threshold number? 1 without
---@return boolean
function Bitmap:testRectangle(x, y, w, h, threshold) end

---@return integer columns, integer rows, number cell the side of a cell in world units
function Bitmap:size() end

--- A line of text for each row: "." is an empty cell, "#" a full one, a digit its tenths.
---@return string
function Bitmap:toString() end

--- A byte for each cell, row by row, 255 where it is covered: the "r8" of LÖVE's image data.
---@return string
function Bitmap:dump() end

--- A picture in the format PGM, to be written to a file.
---@return string
function Bitmap:pgm() end

---@class collide
local M = {}

--- Its top left corner at x, y (0, 0 without), as love.graphics.rectangle.
---@overload fun(w: number, h: number): collide.Shape
---@param x number
---@param y number
---@param w number
---@param h number
---@return collide.Shape
function M.rectangle(x, y, w, h) end

--- Its centre at x, y (0, 0 without).
---@overload fun(r: number): collide.Shape
---@param x number
---@param y number
---@param r number
---@return collide.Shape
function M.circle(x, y, r) end

--- All that is within r of the line from x1, y1 to x2, y2, which may be one point.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param r number
---@return collide.Shape
function M.capsule(x1, y1, x2, y2, r) end

--- A line, without an inside.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return collide.Shape
function M.segment(x1, y1, x2, y2) end

--- A simple polygon, in either direction, convex or not: x1, y1, x2, y2, … or one list
--- of them. Raises, naming points, when edges cross or there is no area.
---@overload fun(points: number[]): collide.Shape
---@param x1 number
---@param y1 number
---@param ... number
---@return collide.Shape
function M.polygon(x1, y1, ...) end

--- Segments from point to point, and with true at the end also from the last to the first:
--- x1, y1, x2, y2, … or one list of them.
---@overload fun(points: number[], closed: boolean?): collide.Shape
---@param x1 number
---@param y1 number
---@param ... number|boolean
---@return collide.Shape
function M.chain(x1, y1, ...) end

--- Several shapes as one: themselves, or one list of them.
---@overload fun(shapes: collide.Shape[]): collide.Shape
---@param shape collide.Shape
---@param ... collide.Shape
---@return collide.Shape
function M.compound(shape, ...) end

--- The cells of a grid that are not 0, as they are at any moment, for a static actor without an
--- angle. Neighbours are one piece, without edges between them. A value is a full square unless
--- `shapes` says otherwise: a convex shape of at most 16 corners within a cell of side 1, or
--- false for nothing.
---@param grid collide.Grid of two dimensions
---@param shapes table<integer, collide.Shape|false>? by value, 1 to 255
---@return collide.Shape
function M.tiles(grid, shapes) end

--- What a pool's methods that are made in C take; the others are in bullets.lua.
---@class collide.Bullets
local Bullets = {}

---@param x number
---@param y number
---@param vx number world units a second
---@param vy number
---@param tag integer? 0 without
---@param ax number? world units a second, each second; 0 without
---@param ay number?
---@return integer? bullet nil when the pool is full
---@return string? why
function Bullets:spawn(x, y, vx, vy, tag, ax, ay) end

--- Towards a point, or along x when it is there already.
---@param x number
---@param y number
---@param tx number
---@param ty number
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer? bullet, string? why
function Bullets:spawnAimed(x, y, tx, ty, speed, tag, ax, ay, radial, tangential) end

--- All round; as many as there is room for, whose numbers follow each other.
---@param x number
---@param y number
---@param n integer
---@param speed number
---@param phase number? angle of the first, radians within ±2^28
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer spawned, integer? first
function Bullets:spawnRing(x, y, n, speed, phase, tag, ax, ay, radial, tangential) end

--- Evenly from angle - spread / 2 to angle + spread / 2.
---@param x number
---@param y number
---@param n integer
---@param angle number
---@param spread number
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer spawned, integer? first
function Bullets:spawnFan(x, y, n, angle, spread, speed, tag, ax, ay, radial, tangential) end

--- Nobody is told.
---@param bullet integer
---@return boolean alive false when it was dead already
function Bullets:kill(bullet) end

--- Kills the round bullets that touch a circle.
---@param x number
---@param y number
---@param r number
---@return integer killed
function Bullets:killCircle(x, y, r) end

---@return integer killed
function Bullets:clear() end

---@return integer alive lasers included
function Bullets:count() end

--- nil of a dead one; a laser's first point, half of its width.
---@param bullet integer
---@return number? x, number? y, number? vx, number? vy, number? radius, integer? tag,
---  number? ax, number? ay, number? age
function Bullets:get(bullet) end

---@param bullet integer
---@return integer? tag nil of a dead one
function Bullets:tag(bullet) end
