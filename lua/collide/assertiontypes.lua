---@meta
-- The assertions that collide.assertions gives luassert, which busted uses: for language servers;
-- nothing loads this file. Each is there as assert.hits and as assert.is_not.hits.

---@class luassert.internal
local assertions = {}

--- The last step found that a and b hit each other.
---@param world collide.World
---@param a collide.Actor
---@param b collide.Actor
function assertions.hits(world, a, b) end

--- They overlap where they are now.
---@param a collide.Actor
---@param b collide.Actor
function assertions.overlaps(a, b) end

--- They do not overlap, or are at least so far apart.
---@param a collide.Actor
---@param b collide.Actor
---@param distance number?
function assertions.apart(a, b, distance) end

--- No actor of one group is deeper than the tolerance in one of the other.
---@param world collide.World
---@param groupA string
---@param groupB string
---@param tolerance number? 0 without
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
---@param tolerance number? 0 without
function assertions.at(actor, x, y, tolerance) end

--- No actor that the filter lets through is between the middles of the two.
---@param world collide.World
---@param a collide.Actor
---@param b collide.Actor
---@param filter collide.Filter?
function assertions.sees(world, a, b, filter) end

--- Two scenes have the same events and hash in every frame.
---@param sceneA collide.SceneSource
---@param sceneB collide.SceneSource
---@param frames integer? as many as the first has without
function assertions.same_run(sceneA, sceneB, frames) end

--- A scene goes as the trace in a file.
---@param scene collide.SceneSource
---@param file string
function assertions.matches_trace(scene, file) end
