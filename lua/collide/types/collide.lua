---@meta
-- The types of actors, their callbacks, the functions that users pass, and shapes, with the
-- constructors written in C: for language servers; nothing loads this file.

--- A shape at a place: any table with these fields.
---@class collide.Placed
---@field shape collide.Shape
---@field x number world units
---@field y number
---@field angle number? radians; turns the shape about x, y

--- Any placed table, with fields and methods of the game's own.
---@class collide.Actor: collide.Placed
---@field name string|number? its name in errors
---@field group string? default "default"
---@field static boolean? its place is read only by add, refresh and teleport
---@field sensor boolean? stops no moving actor
---@field oneWay boolean? stops moving actors only with its upper side
---@field swept boolean? also meets other actors on its way between two steps
---@field update collide.OnUpdate? in every world:update
---@field enter collide.OnHit? once, when it and another actor begin to overlap
---@field hit collide.OnHit? in every step in which the two overlap
---@field leave collide.OnLeave? once, when they no longer overlap
---@field draw collide.OnDraw? in every world:draw
---@field save collide.OnSave? returns a value for a snapshot
---@field load collide.OnLoad? gets that value when the snapshot is restored
---@field [string] any

--- The names under which a world reads the fields of actors; false: it does not read the field.
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

--- `self` gets free along (nx, ny) by `depth` world units. `t` is given only if one of the two is
--- swept, and they met on their way but are apart again: the moment when they met, as a share of
--- the step.
---@alias collide.OnHit fun(self: collide.Actor, other: collide.Actor, nx: number, ny: number, depth: number, world: collide.World, t: number?)

---@alias collide.OnLeave fun(self: collide.Actor, other: collide.Actor, world: collide.World)

---@alias collide.OnDraw fun(self: collide.Actor, ...: any)

---@alias collide.OnSave fun(self: collide.Actor): any

---@alias collide.OnLoad fun(self: collide.Actor, value: any)

--- Called before each callback. `event` is the callback's name, `frame` the number of the step. For
--- actors, `a` is the actor that gets the callback, and (nx, ny) its way out. For bullets, `a` is
--- the pool, `b` the actor or the other pool, and t stands in place of the depth.
---@alias collide.OnTrace fun(event: collide.Event, frame: integer, a: table, b: table?, nx: number?, ny: number?, depth: number?, bullet: integer?, x: number?, y: number?, other: integer?)

---@alias collide.Event "enter"|"hit"|"leave"|"graze"|"expired"

--- A group, a list of groups, or a function that says whether an actor counts. In moves it also gets
--- the actor that moves.
---@alias collide.Filter string|string[]|fun(actor: collide.Actor, mover: collide.Actor?): boolean

--- An actor, or a list of actors.
---@alias collide.Ignore collide.Actor|collide.Actor[]

--- What a moving actor does where it meets another: "slide" goes on along the surface, "touch"
--- stops, "bounce" is reflected, "cross" goes on through it (the hit is reported), "push" moves the
--- other out of the way, then slides.
---@alias collide.Response "slide"|"touch"|"bounce"|"cross"|"push"

--- Returns the response to an actor that is met, or nil to pass through it without a hit. `value`
--- is that of the cell, if it is tiles.
---@alias collide.Responder fun(actor: collide.Actor, other: collide.Actor, nx: number, ny: number, value: integer?): collide.Response?

--- Returns a, b, nx, ny, depth and, for pairs that met on their way, t.
---@alias collide.HitsLoop fun(state: table, use: integer): collide.Actor, collide.Actor, number, number, number, number?

--- Takes the step, x and y of a cell, and where the line enters it, from 0 to 1. Returns true to
--- end the walk.
---@alias collide.GridVisit fun(step: integer, x: integer, y: integer, t: number): boolean?

---@alias collide.GridVisit3 fun(step: integer, x: integer, y: integer, z: integer, t: number): boolean?

--- An immutable shape, relative to the place of its actor.
---@class collide.Shape
local Shape = {}

---@return "rectangle"|"circle"|"capsule"|"segment"|"polygon"|"chain"|"compound"|"tiles" kind
function Shape:kind() end

--- The bounds of the shape of an actor at x, y (default 0, 0), turned by `angle`.
---@param x number?
---@param y number?
---@param angle number? radians
---@return number left, number top, number width, number height
function Shape:bounds(x, y, angle) end

--- Whether the shape contains a point relative to its actor. The boundary belongs to the shape.
---@param px number
---@param py number
---@return boolean
function Shape:contains(px, py) end

---@return number area in square units; of a compound the sum of its members, overlaps counted twice
function Shape:area() end

---@return number[] points {x1, y1, x2, y2, …}; the centre of a circle
function Shape:points() end

---@return number radius 0 when its corners are sharp
function Shape:radius() end

---@return collide.Shape[] parts convex shapes whose union is this shape
function Shape:parts() end

--- A copy that is moved by dx, dy.
---@param dx number
---@param dy number
---@return collide.Shape
function Shape:translated(dx, dy) end

--- A copy that is turned about 0, 0.
---@param angle number radians
---@return collide.Shape
function Shape:rotated(angle) end

--- A copy that is scaled about 0, 0. A negative scale mirrors it. A round shape takes only scales
--- of equal size.
---@param sx number
---@param sy number? default sx
---@return collide.Shape
function Shape:scaled(sx, sy) end

--- A copy whose bounds have their middle at 0, 0.
---@return collide.Shape
function Shape:centered() end

--- A copy that ignores its actor's angle.
---@return collide.Shape
function Shape:upright() end

---@class collide
local M = {}

--- A rectangle with its top left corner at x, y (default 0, 0), as in love.graphics.rectangle.
---@overload fun(w: number, h: number): collide.Shape
---@param x number
---@param y number
---@param w number
---@param h number
---@return collide.Shape
function M.rectangle(x, y, w, h) end

--- A circle with its centre at x, y (default 0, 0).
---@overload fun(r: number): collide.Shape
---@param x number
---@param y number
---@param r number
---@return collide.Shape
function M.circle(x, y, r) end

--- All points within r of the line from x1, y1 to x2, y2. The two ends may be the same point.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param r number
---@return collide.Shape
function M.capsule(x1, y1, x2, y2, r) end

--- A line from x1, y1 to x2, y2. It has no inside.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@return collide.Shape
function M.segment(x1, y1, x2, y2) end

--- A simple polygon, convex or not, with its corners in either direction: x1, y1, x2, y2, … or one
--- list of them. Raises an error that names the points when edges cross or there is no area.
---@overload fun(points: number[]): collide.Shape
---@param x1 number
---@param y1 number
---@param ... number
---@return collide.Shape
function M.polygon(x1, y1, ...) end

--- A chain of segments from point to point: x1, y1, x2, y2, … or one list of them. With true as the
--- last argument it is closed, by a segment from the last point to the first.
---@overload fun(points: number[], closed: boolean?): collide.Shape
---@param x1 number
---@param y1 number
---@param ... number|boolean
---@return collide.Shape
function M.chain(x1, y1, ...) end

--- Several shapes as one: as arguments, or in one list.
---@overload fun(shapes: collide.Shape[]): collide.Shape
---@param shape collide.Shape
---@param ... collide.Shape
---@return collide.Shape
function M.compound(shape, ...) end

--- The cells of a grid that are not 0, for a static actor without an angle. Later changes of the
--- grid change the shape. Neighbouring cells are one piece, without edges between them. A cell is a
--- full square unless `shapes` says otherwise for its value: a convex shape of at most 16 corners
--- within a cell of side 1, or false for an empty cell.
---@param grid collide.Grid a 2D grid
---@param shapes table<integer, collide.Shape|false>? by value, 1 to 255
---@return collide.Shape
function M.tiles(grid, shapes) end
