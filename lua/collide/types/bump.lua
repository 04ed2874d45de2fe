---@meta
-- The types that collide.bump takes and returns, for language servers; nothing loads this file.

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
local M = {}
