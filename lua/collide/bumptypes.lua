---@meta
-- What collide.bump takes and returns, for language servers; nothing loads this file.

---@class collide.bump.Rectangle
---@field x number
---@field y number
---@field w number
---@field h number

---@class collide.bump.Vector
---@field x number
---@field y number

---@class collide.bump.Collision
---@field item any who moves
---@field other any who is met
---@field type any the name of the response
---@field overlaps boolean whether they overlapped at the start of the way
---@field ti number the share of the way at which they meet; below 0 if they overlapped
---@field move collide.bump.Vector the whole way
---@field normal collide.bump.Vector of the side that is met
---@field touch collide.bump.Vector where the item is then
---@field itemRect collide.bump.Rectangle at the start of the way
---@field otherRect collide.bump.Rectangle
---@field slide collide.bump.Vector? where it wants to slide to
---@field bounce collide.bump.Vector? where it wants to bounce to

---@class collide.bump.SegmentInfo
---@field item any
---@field x1 number where the segment gets in, or begins
---@field y1 number
---@field x2 number where it gets out, or ends
---@field y2 number
---@field ti1 number the share of the way at the first
---@field ti2 number the share of the way at the second

--- Returns the name of a response, or nil to pass.
---@alias collide.bump.Filter fun(item: any, other: any): any

--- Whether an item counts.
---@alias collide.bump.Accepts fun(item: any): any

--- Takes world, col, x, y, w, h, goalX, goalY, filter, with the rectangle at the start of the whole
--- move; returns the new goal, the collisions on the way to it, and how many there are.
---@alias collide.bump.Response fun(...): number?, number?, collide.bump.Collision[], integer
