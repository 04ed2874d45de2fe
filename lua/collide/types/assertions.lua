---@meta
-- The assertions that collide.assertions gives luassert, which busted uses: for language servers;
-- nothing loads this file. Each has two forms, such as assert.hits and assert.is_not.hits.

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
