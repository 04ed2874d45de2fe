---@meta
-- Actors, what their callbacks and the functions that users give are called with, shapes, and the
-- constructors in C: for language servers; nothing loads this file.

--- A shape at a place: any table with these fields.
---@class collide.Placed
---@field shape collide.Shape
---@field x number world units
---@field y number
---@field angle number? radians; turns the shape about x, y

--- Any placed table, with fields and methods of the game.
---@class collide.Actor: collide.Placed
---@field name string|number? its name in errors
---@field group string? "default" without
---@field static boolean? its place is read only by add, refresh and teleport
---@field sensor boolean? stops no actor that moves
---@field oneWay boolean? stops actors that move only with its upper side
---@field swept boolean? also meets others on its way between two steps
---@field update collide.OnUpdate? in every world:update
---@field enter collide.OnHit? once, when the two begin to overlap
---@field hit collide.OnHit? in every step in which the two overlap
---@field leave collide.OnLeave? once, when they no longer overlap
---@field draw collide.OnDraw? in every world:draw
---@field save collide.OnSave? returns a value for a snapshot
---@field load collide.OnLoad? gets that value back
---@field [string] any

--- The names under which a world reads actors; false: never.
---@class collide.Fields
---@field x string?
---@field y string?
---@field shape string?
---@field angle string|false?
---@field name string|false?
---@field group string|false?
---@field static string|false?
---@field sensor string|false?
---@field oneWay string|false?
---@field swept string|false?
---@field update string|false?
---@field enter string|false?
---@field hit string|false?
---@field leave string|false?
---@field draw string|false?
---@field save string|false?
---@field load string|false?

---@alias collide.OnUpdate fun(self: collide.Actor, dt: number, world: collide.World)

--- self gets free along (nx, ny) by `depth` world units. `t` is there only if one of the two
--- is swept and they met on their way but are apart again: the moment they met, as a share of the
--- step.
---@alias collide.OnHit fun(self: collide.Actor, other: collide.Actor, nx: number, ny: number, depth: number, world: collide.World, t: number?)

---@alias collide.OnLeave fun(self: collide.Actor, other: collide.Actor, world: collide.World)

---@alias collide.OnDraw fun(self: collide.Actor, ...: any)

---@alias collide.OnSave fun(self: collide.Actor): any

---@alias collide.OnLoad fun(self: collide.Actor, value: any)

--- Called before each callback. `event` is its name, `frame` the number of the step. For actors,
--- `a` is the actor that gets the callback, and (nx, ny) its way out. For bullets, `a` is the pool
--- and `b` the actor or the other pool, with t in place of the depth, and the rest after it.
---@alias collide.OnTrace fun(event: collide.Event, frame: integer, a: table, b: table?, nx: number?, ny: number?, depth: number?, bullet: integer?, x: number?, y: number?, other: integer?)

---@alias collide.Event "enter"|"hit"|"leave"|"graze"|"expired"

--- A group, a list of groups, or a function that says whether an actor counts.
---@alias collide.Filter string|string[]|fun(actor: collide.Actor): boolean

--- An actor, or a list of actors.
---@alias collide.Ignore collide.Actor|collide.Actor[]

--- What a moving actor does at another: "slide" goes on along the surface, "touch" stops, "bounce"
--- is reflected, "cross" goes on and is reported, "push" moves the other out of the way, then
--- slides.
---@alias collide.Response "slide"|"touch"|"bounce"|"cross"|"push"

--- The response to each actor met; `value` is that of a cell of tiles. nil: it is not in the way.
---@alias collide.Responder fun(actor: collide.Actor, other: collide.Actor, nx: number, ny: number, value: integer?): collide.Response?

--- Returns a, b, nx, ny, depth and, for pairs that met on their way, t.
---@alias collide.HitsLoop fun(state: table, use: integer): collide.Actor, collide.Actor, number, number, number, number?

--- Gets the cell's step, x, y and where the line enters, from 0 to 1; true ends the walk.
---@alias collide.GridVisit fun(step: integer, x: integer, y: integer, t: number): boolean?

---@alias collide.GridVisit3 fun(step: integer, x: integer, y: integer, z: integer, t: number): boolean?

--- A value that never changes, relative to the place of its actor.
---@class collide.Shape
local Shape = {}

---@return "rectangle"|"circle"|"capsule"|"segment"|"polygon"|"chain"|"compound"|"tiles" kind
function Shape:kind() end

--- Bounds of the shape of an actor at x, y (0, 0 without), turned by `angle`.
---@param x number?
---@param y number?
---@param angle number?
---@return number left, number top, number width, number height
function Shape:bounds(x, y, angle) end

--- Whether it contains a point relative to the actor; the boundary belongs to it.
---@param px number
---@param py number
---@return boolean
function Shape:contains(px, py) end

---@return number area in square units; a compound adds up its members', overlaps twice
function Shape:area() end

---@return number[] points {x1, y1, x2, y2, …}; the centre of a circle
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

--- The same shape, but it ignores its actor's angle.
---@return collide.Shape
function Shape:upright() end

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
--- false for an empty cell.
---@param grid collide.Grid a 2D grid
---@param shapes table<integer, collide.Shape|false>? by value, 1 to 255
---@return collide.Shape
function M.tiles(grid, shapes) end
