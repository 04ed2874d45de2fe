---@meta
-- The types of the further modules, for language servers; nothing loads this file: what
-- collide.bump and collide.tiled take and return, and the assertions of collide.assertions.

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
---@field ti number the share of the way at which they meet; below 0 if they overlapped
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

--- Takes the rectangle as it was at the start of the whole move. Returns the new goal, the
--- collisions on the way to it, and how many there are.
---@alias collide.bump.Response fun(world: collide.bump.World, col: collide.bump.Collision, x: number, y: number, w: number, h: number, goalX: number?, goalY: number?, filter: collide.bump.Filter?): number?, number?, collide.bump.Collision[], integer

--- The functions that bump.lua offers to the game's own responses.
---@class collide.bump.rect
local rect = {}

--- The corner nearest to a point.
---@param x number
---@param y number
---@param w number
---@param h number
---@param px number
---@param py number
---@return number x, number y
function rect.getNearestCorner(x, y, w, h, px, py) end

--- Clips a segment, between the shares ti1 and ti2 of its way (0 and 1 by default), to a rectangle.
--- Returns the shares where the part inside begins and ends, and the normals of the sides there;
--- nil if no part is inside.
---@param x number
---@param y number
---@param w number
---@param h number
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param ti1 number?
---@param ti2 number?
---@return number? t1, number? t2, integer? nx1, integer? ny1, integer? nx2, integer? ny2
function rect.getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2) end

--- The Minkowski difference of the second and the first rectangle.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return number x, number y, number w, number h
function rect.getDiff(x1, y1, w1, h1, x2, y2, w2, h2) end

--- Whether a point lies inside; points on the boundary do not count.
---@param x number
---@param y number
---@param w number
---@param h number
---@param px number
---@param py number
---@return boolean
function rect.containsPoint(x, y, w, h, px, py) end

--- Whether two rectangles share more than a boundary.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return boolean
function rect.isIntersecting(x1, y1, w1, h1, x2, y2, w2, h2) end

--- The square of the distance between the centres.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@return number
function rect.getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2) end

--- The collision of a rectangle that moves to goalX, goalY with another one, or nil.
---@param x1 number
---@param y1 number
---@param w1 number
---@param h1 number
---@param x2 number
---@param y2 number
---@param w2 number
---@param h2 number
---@param goalX number? without a goal, it stays
---@param goalY number?
---@return collide.bump.Collision?
function rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY) end

---@class collide.bump
---@field rect collide.bump.rect
---@field responses table<any, collide.bump.Response> "touch", "cross", "slide" and "bounce"
local bump = {}

---@class collide.tiled.Options
---@field world? collide.World to which the actors are added; default: a new one of the map's size
---@field make? collide.tiled.Make
---@field load? collide.tiled.Loader

--- Called with each actor before it is added, and with its object or tile as Tiled exports it.
--- Returns the table to add, or nil or false to add none.
---@alias collide.tiled.Make fun(actor: collide.tiled.Actor, source: table, layer: collide.tiled.Layer): collide.Actor|false?

--- Loads a map's file: returns the map's table, or a function that returns it.
---@alias collide.tiled.Loader fun(path: string): any

--- A layer of a map.
---@class collide.tiled.Layer
---@field name string?
---@field type "tilelayer"|"objectgroup"|"imagelayer"|"group"
---@field class string?
---@field properties table<string, any>
---@field x number its offset in pixels, plus the offsets of the groups that it is in
---@field y number
---@field visible boolean whether it and the groups that it is in are visible
---@field actors collide.Actor[] the actors made of it
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
---@field shape collide.Shape? its shape in a cell of side 1; nil if it fills the cell

--- An actor made of a layer or an object.
---@class collide.tiled.Actor: collide.Actor
---@field type string? the class of the object, its tile or the layer
---@field properties table<string, any>
---@field layer collide.tiled.Layer
---@field object table? for an object: the object as Tiled exports it
---@field tile collide.tiled.Tile? for a tile object
---@field width number? for an object: in pixels, before it is rotated
---@field height number?
---@field grid collide.Grid? for a tile layer
---@field tiles collide.tiled.Tile[]? for a tile layer: by the value of a cell

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
--- One-way actors of groupB do not count.
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

--- Two scenes have the same events and hash in every frame.
---@param sceneA collide.SceneSource
---@param sceneB collide.SceneSource
---@param frames integer? by default as many as the first scene has
function assertions.same_run(sceneA, sceneB, frames) end

--- A scene repeats the trace in a file.
---@param scene collide.SceneSource
---@param file string
function assertions.matches_trace(scene, file) end
