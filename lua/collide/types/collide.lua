---@meta
-- Types for language servers; nothing loads this file. They are actors, their callbacks, the
-- functions that users pass, and what is written in C: shapes and their constructors, methods of
-- pools, of grids and of bitmaps. At the end: what collide.bump and collide.tiled take and return,
-- and the assertions of collide.assertions.

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
---@field oneWay collide.OneWay? stops moving actors only with the side that looks there
---@field swept boolean? also meets other actors on its way between two steps
---@field ignore collide.Ignore? these and it never hit, stop, push or carry each other
---@field update collide.OnUpdate? in every world:update
---@field enter collide.OnHit? once, when it and another actor begin to overlap
---@field hit collide.OnHit? in every step in which the two overlap
---@field leave collide.OnLeave? once, when they no longer overlap
---@field draw collide.OnDraw? in every world:draw
---@field toSnapshot collide.ToSnapshot? returns a value for a snapshot
---@field fromSnapshot collide.FromSnapshot? gets that value when the snapshot is restored
---@field [string] any

--- The names of the fields that a world reads in actors; false: it does not read the field.
---@class collide.Fields
---@field at string|false? the field with a table of x, y and angle; default: the actor itself
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
---@field ignore string|false?
---@field update string|false?
---@field enter string|false?
---@field hit string|false?
---@field leave string|false?
---@field draw string|false?
---@field toSnapshot string|false?
---@field fromSnapshot string|false?

--- Where a one-way actor or cell looks, relative to its angle: a vector of any length but 0.
--- true: up.
---@alias collide.OneWay boolean|"up"|"down"|"left"|"right"|number[]

---@alias collide.OnUpdate fun(self: collide.Actor, dt: number, world: collide.World)

--- `self` gets free along (nx, ny) by `depth` world units. Only if one of the two is swept, and
--- they met on their way but are apart again, `t` is the moment when they met, as a fraction of the
--- step.
---@alias collide.OnHit fun(self: collide.Actor, other: collide.Actor, nx: number, ny: number, depth: number, world: collide.World, t: number?)

---@alias collide.OnLeave fun(self: collide.Actor, other: collide.Actor, world: collide.World)

---@alias collide.OnDraw fun(self: collide.Actor, ...: any)

---@alias collide.ToSnapshot fun(self: collide.Actor): any

---@alias collide.FromSnapshot fun(self: collide.Actor, value: any)

--- Called before each callback. `event` is the callback's name, `frame` the number of the step. For
--- actors, `a` is the actor that gets the callback, and (nx, ny) its way out. For bullets, `a` is
--- the pool, `b` the actor or the other pool, and t replaces the depth.
---@alias collide.OnTrace fun(event: collide.Event, frame: integer, a: table, b: table?, nx: number?, ny: number?, depth: number?, bullet: integer?, x: number?, y: number?, other: integer?)

---@alias collide.Event "enter"|"hit"|"leave"|"graze"|"timer"|"expired"

--- A group, a list of groups, or a function that says whether an actor counts. In moves the
--- function also gets the moving actor.
---@alias collide.Filter string|string[]|fun(actor: collide.Actor, mover: collide.Actor?): boolean

--- An actor, or a list of actors.
---@alias collide.Ignore collide.Actor|collide.Actor[]

--- What a moving actor does where it meets another: "slide" goes on along the surface, "touch"
--- stops, "bounce" reflects, "cross" goes on through it (the hit is reported), "push" moves the
--- other out of the way, then slides.
---@alias collide.Response "slide"|"touch"|"bounce"|"cross"|"push"

--- Returns the response to the other actor, or nil to pass through it without a hit. `value` is the
--- value of the cell, if it is tiles.
---@alias collide.Responder fun(actor: collide.Actor, other: collide.Actor, nx: number, ny: number, value: integer?): collide.Response?

--- What an actor that turns does where it meets another: "touch" stops, "cross" goes on through it
--- (the hit is reported), "push" moves the other out of the way.
---@alias collide.TurnResponse "touch"|"cross"|"push"

--- The same as a collide.Responder, for turns.
---@alias collide.TurnResponder fun(actor: collide.Actor, other: collide.Actor, nx: number, ny: number, value: integer?): collide.TurnResponse?

--- Returns a, b, nx, ny, depth and, for pairs that met on their way, t.
---@alias collide.HitsLoop fun(state: table, use: integer): collide.Actor, collide.Actor, number, number, number, number?

--- Gets the step, x and y of a cell, and where the line enters it, from 0 to 1. Returns true to
--- stop.
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
--- list of them. Raises an error that names the points if edges cross or there is no area.
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

--- Several shapes as one: as arguments, in one list, or by names. They are its parts; hits report
--- them by number or name.
---@overload fun(shapes: collide.Shape[]): collide.Shape
---@overload fun(shapes: table<string, collide.Shape>): collide.Shape
---@param shape collide.Shape
---@param ... collide.Shape
---@return collide.Shape
function M.compound(shape, ...) end

--- Sine and cosine of an angle in radians, and the angle of the vector (x, y): the same bits on every
--- Lua and machine.
---@param a number
---@return number
function M.sin(a) end

---@param a number
---@return number
function M.cos(a) end

---@param y number
---@param x number
---@return number
function M.atan2(y, x) end

--- The bullet gets free along (nx, ny). t is the moment of the hit as a fraction of the step, and
--- (x, y) the bullet's centre then. With hitBullets `actor` may be another pool, and `other` its
--- bullet. The result decides what the bullet does: "pass" lets it fly on, "bounce" reflects it,
--- and with nil or false `pierce` decides.
---@alias collide.OnBulletHit fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor|collide.Bullets, nx: number, ny: number, t: number, x: number, y: number, other: integer?, part: (string|integer)?): collide.BulletAnswer?

---@alias collide.BulletAnswer "pass"|"bounce"

---@alias collide.OnGraze fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor)

---@alias collide.OnTimer fun(pool: collide.Bullets, bullet: integer, index: integer)

---@alias collide.OnExpired fun(pool: collide.Bullets, bullet: integer)

---@alias collide.OnEachBullet fun(bullet: integer, x: number, y: number, vx: number, vy: number, radius: number, tag: integer, length: number?, tailX: number?, tailY: number?)

--- What bullets do at certain ages. It never changes.
---@class collide.Plan

---@class collide.PlanEntry
---@field at number the age in seconds, 0 or more, not less than in the entry before
---@field vx? number world units per second
---@field vy? number
---@field angle? number the heading, radians
---@field aim? boolean true: heads for its own home, if it has one
---@field speed? number
---@field ax? number
---@field ay? number
---@field turnRate? number
---@field home? boolean whether it homes on its own home
---@field radius? number
---@field tag? integer
---@field call? boolean true: calls pool.timer

--- A plan for bullets, the option `plan` of a spawn. The entries are checked and copied.
---@param entries collide.PlanEntry[]
---@return collide.Plan
function M.newPlan(entries) end

--- Options of spawned bullets. The table is read at once, and not kept.
---@class collide.SpawnOptions
---@field tag? integer default 0
---@field ax? number acceleration, world units per second squared; default 0
---@field ay? number
---@field radial? number acceleration along its first heading, added to ax, ay
---@field tangential? number acceleration across that heading, turned from x to y
---@field turnRate? number radians a second; with a home the most, 0 or more
---@field minSpeed? number default 0
---@field maxSpeed? number
---@field length? number it is a capsule along its heading, its head at its place; default 0: a circle
---@field plan? collide.Plan what it does at certain ages
---@field home? collide.Actor it turns towards this actor, at once without turnRate

---@class collide.Bullets
local Bullets = {}

---@param x number
---@param y number
---@param vx number world units per second
---@param vy number
---@param options? integer|collide.SpawnOptions a tag, or a table
---@return integer? bullet nil when the pool is full
---@return string? why
function Bullets:spawn(x, y, vx, vy, options) end

--- Spawns a bullet that flies towards a point, or along x if it starts at that point.
---@param x number
---@param y number
---@param tx number
---@param ty number
---@param speed number
---@param options? integer|collide.SpawnOptions a tag, or a table
---@return integer? bullet, string? why
function Bullets:spawnAimed(x, y, tx, ty, speed, options) end

--- Spawns a ring of n bullets, or as many as there is room for, with consecutive numbers.
---@param x number
---@param y number
---@param n integer
---@param speed number
---@param phase number? angle of the first, radians within ±2^28
---@param options? integer|collide.SpawnOptions a tag, or a table
---@return integer spawned, integer? first
function Bullets:spawnRing(x, y, n, speed, phase, options) end

--- Spawns n bullets spread evenly from angle - spread / 2 to angle + spread / 2.
---@param x number
---@param y number
---@param n integer
---@param angle number radians
---@param spread number radians
---@param speed number
---@param options? integer|collide.SpawnOptions a tag, or a table
---@return integer spawned, integer? first
function Bullets:spawnFan(x, y, n, angle, spread, speed, options) end

--- Kills a bullet without calling any callback.
---@param bullet integer
---@return boolean alive false when it was already dead
function Bullets:kill(bullet) end

--- Kills the round bullets that touch a circle.
---@param x number
---@param y number
---@param r number
---@return integer killed
function Bullets:killCircle(x, y, r) end

--- Kills all bullets of the pool.
---@return integer killed
function Bullets:clear() end

---@return integer alive lasers included
function Bullets:count() end

--- The state of a bullet, nil for a dead one. A laser has its first point as x, y and half its
--- width as radius. `age` is in seconds. Only bullets with a length have the last three.
---@param bullet integer
---@return number? x, number? y, number? vx, number? vy, number? radius, integer? tag, number? ax, number? ay, number? age, number? length, number? tailX, number? tailY
function Bullets:get(bullet) end

---@param bullet integer
---@return integer? tag nil for a dead bullet
function Bullets:tag(bullet) end

---@class collide.BulletChanges
---@field x? number
---@field y? number
---@field vx? number world units per second
---@field vy? number
---@field ax? number acceleration, world units per second squared
---@field ay? number
---@field radius? number
---@field tag? integer
---@field length? number

--- Changes the given values of a bullet. A new x or y is a jump: the bullet hits nothing on the
--- way. A laser keeps its radius, and has no length.
---@param bullet integer
---@param changes collide.BulletChanges
---@return boolean alive false when the bullet is dead; then nothing changes
function Bullets:set(bullet, changes) end

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
--- normal of the face or corner where the ray enters it, and the fraction of the way. In 3D
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

--- Paints many circles. If one of them is invalid, it raises an error and paints none.
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
---@param column integer
---@param row integer
---@return number
function Bitmap:coverage(column, row) end

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

-- Further modules ---------------------------------------------------------------

---@class collide.bump.Rectangle
---@field x number
---@field y number
---@field w number
---@field h number

---@class collide.bump.Cell
---@field x integer its column
---@field y integer its row
---@field itemCount integer
---@field items table<any, true>

---@class collide.bump.Vector
---@field x number
---@field y number

---@class collide.bump.Collision
---@field item any the item that moves
---@field other any the item that is met
---@field type any the name of the response
---@field overlaps boolean whether they overlapped at the start of the way
---@field ti number the fraction of the way at which they meet; below 0 if they overlapped
---@field move collide.bump.Vector the whole way
---@field normal collide.bump.Vector of the side that is met
---@field touch collide.bump.Vector where the item is at that moment
---@field itemRect collide.bump.Rectangle at the start of the way
---@field otherRect collide.bump.Rectangle
---@field slide collide.bump.Vector? where it wants to slide to
---@field bounce collide.bump.Vector? where it wants to bounce to

---@class collide.bump.SegmentInfo
---@field item any
---@field x1 number where the segment enters, or begins
---@field y1 number
---@field x2 number where it leaves, or ends
---@field y2 number
---@field ti1 number the share of the way at x1, y1
---@field ti2 number the share of the way at x2, y2

--- Returns the name of a response, or nil to pass through the other item.
---@alias collide.bump.Filter fun(item: any, other: any): any

--- Whether an item counts.
---@alias collide.bump.Accepts fun(item: any): any

--- Gets the rectangle at the start of the whole move. Returns the new goal, the collisions on the
--- way to it, and their number.
---@alias collide.bump.Response fun(world: collide.bump.World, col: collide.bump.Collision, x: number, y: number, w: number, h: number, goalX: number?, goalY: number?, filter: collide.bump.Filter?): number?, number?, collide.bump.Collision[], integer

--- The functions that bump.lua offers to the game's own responses. A segment is clipped between the
--- fractions ti1 and ti2 (0 and 1 by default); the results are the fractions where the part inside
--- begins and ends, and the normals of the sides there, or nil if no part is inside.
---@class collide.bump.rect
---@field getNearestCorner fun(x: number, y: number, w: number, h: number, px: number, py: number): number, number
---@field getSegmentIntersectionIndices fun(x: number, y: number, w: number, h: number, x1: number, y1: number, x2: number, y2: number, ti1: number?, ti2: number?): number?, number?, integer?, integer?, integer?, integer?
---@field getDiff fun(x1: number, y1: number, w1: number, h1: number, x2: number, y2: number, w2: number, h2: number): number, number, number, number the Minkowski difference of the second and the first rectangle
---@field containsPoint fun(x: number, y: number, w: number, h: number, px: number, py: number): boolean points on the boundary do not count
---@field isIntersecting fun(x1: number, y1: number, w1: number, h1: number, x2: number, y2: number, w2: number, h2: number): boolean whether they share more than a boundary
---@field getSquareDistance fun(x1: number, y1: number, w1: number, h1: number, x2: number, y2: number, w2: number, h2: number): number the square of the distance between the centres
---@field detectCollision fun(x1: number, y1: number, w1: number, h1: number, x2: number, y2: number, w2: number, h2: number, goalX: number?, goalY: number?): collide.bump.Collision? without a goal, the first stays

---@class collide.bump
---@field rect collide.bump.rect
---@field responses table<any, collide.bump.Response> "touch", "cross", "slide" and "bounce"
local bump = {}

---@class collide.tiled.Options
---@field world? collide.World to which the actors are added; default: a new one of the map's size
---@field make? collide.tiled.Make
---@field load? collide.tiled.Loader

--- Called with each actor and object before any is added, and with its object or layer as Tiled
--- exports it. Returns the table to use, which is added if its `collidable` is true; or nil or
--- false to leave it out.
---@alias collide.tiled.Make fun(actor: collide.tiled.Actor, source: table, layer: collide.tiled.Layer): collide.Actor|false?

--- Loads the file of a map or of a tileset: returns its table, or a function that returns it.
---@alias collide.tiled.Loader fun(path: string): any

--- A layer of a map. It also has `gid(column, row)`.
---@class collide.tiled.Layer
---@field name string?
---@field type "tilelayer"|"objectgroup"|"imagelayer"|"group"
---@field class string?
---@field properties table<string, any> its own, and those of its groups
---@field x number its offset in pixels, plus the offsets of the groups that it is in
---@field y number
---@field visible boolean whether it and the groups that it is in are visible
---@field actors collide.Actor[] the actors made of it
---@field objects collide.tiled.Actor[] its objects that do not collide
---@field source table the layer as Tiled exports it

--- A tile of a tileset in one of its eight orientations.
---@class collide.tiled.Tile
---@field gid integer its number in the map, with the bits for flips
---@field id integer its number in the tileset, from 0
---@field tileset table as Tiled exports it
---@field type string?
---@field properties table<string, any>
---@field flipX boolean
---@field flipY boolean
---@field flipDiagonal boolean x and y are swapped, before the other flips
---@field width number in pixels, not flipped
---@field height number

--- A kind of colliding tiles in a layer: tiles of a kind have the same values in these fields.
---@class collide.tiled.Kind
---@field type string? the class
---@field properties table<string, any>
---@field shape collide.Shape? in a cell of side 1; nil if it fills the cell
---@field oneWay boolean|"up"|"down"|"left"|"right"|nil the tile's own
---@field sensor boolean?

--- An actor made of a layer, an object or a tile, or an object that does not collide, as data.
---@class collide.tiled.Actor: collide.Actor
---@field type string? the class of the object, its tile or the layer
---@field properties table<string, any>
---@field layer collide.tiled.Layer
---@field object table? for an object: the object as Tiled exports it
---@field collidable boolean? whether it collides; nil: nothing in the map says so
---@field tile collide.tiled.Tile? for a tile object, or a tile that is an actor of its own
---@field width number? for an object: in pixels, before it is rotated
---@field height number?
---@field grid collide.Grid? for a tile layer
---@field tiles collide.tiled.Kind[]? for a tile layer: by the value of a cell

-- The assertions that collide.assertions gives luassert, which busted uses. Each has two forms, such
-- as assert.hits and assert.is_not.hits.

---@class luassert.internal
local assertions = {}

--- The last step found that a and b hit each other.
---@param world collide.World
---@param a collide.Actor
---@param b collide.Actor
function assertions.hits(world, a, b) end

--- The actors overlap where they are now.
---@param a collide.Actor
---@param b collide.Actor
function assertions.overlaps(a, b) end

--- The actors do not overlap; with a distance, they are at least that far apart.
---@param a collide.Actor
---@param b collide.Actor
---@param distance number? world units
function assertions.apart(a, b, distance) end

--- No actor of one group is deeper than the tolerance in an actor of the other. "*" is all groups.
--- One-way actors of groupB, and planks and sensors of its maps, do not count.
---@param world collide.World
---@param groupA string
---@param groupB string
---@param tolerance number? world units, default 0
function assertions.keeps_out(world, groupA, groupB, tolerance) end

--- The actor's bounds are within a rectangle.
---@param actor collide.Actor
---@param x number
---@param y number
---@param w number
---@param h number
function assertions.inside(actor, x, y, w, h) end

--- The actor is at x, y, or at most the tolerance away.
---@param actor collide.Actor
---@param x number
---@param y number
---@param tolerance number? world units, default 0
function assertions.at(actor, x, y, tolerance) end

--- No actor that passes the filter is between the centres of the two.
---@param world collide.World
---@param a collide.Actor
---@param b collide.Actor
---@param filter collide.Filter?
function assertions.sees(world, a, b, filter) end

--- Plays frames, with the world's scene or updates of 1/60 seconds: a function is true after each.
---@param world collide.World
---@param frames integer
---@param fn fun(world: collide.World): any, string? a second result says why it is false
function assertions.always(world, frames, fn) end

--- Plays frames until a function is true; it may be true at once.
---@param world collide.World
---@param frames integer
---@param fn fun(world: collide.World): any, string?
function assertions.eventually(world, frames, fn) end

--- Two scenes have the same events and hash in every frame.
---@param sceneA collide.SceneSource
---@param sceneB collide.SceneSource
---@param frames integer? by default as many as the first scene has
function assertions.same_run(sceneA, sceneB, frames) end

--- A scene repeats the trace in a file. A missing file is written; with COLLIDE_UPDATE=1 in the
--- environment, every file is.
---@param scene collide.SceneSource
---@param file string
function assertions.matches_trace(scene, file) end
