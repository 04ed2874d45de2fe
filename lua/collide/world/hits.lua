-- Methods of a World that report its state: the hits and figures of the last step, the rules of
-- groups, and whether two actors overlap now.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local filters = require "collide.world.filters"

local checkWorld, checkOpen, checkIdle = lock.checkWorld, lock.checkOpen, lock.checkIdle
local slotOf = reader.slotOf

local type, select = type, select

---@class collide.World
local World = {}

-- Hits ------------------------------------------------------------------------

-- The iterator of hits(). A finished loop leaves its state table to a later loop, so that a loop
-- in each frame makes no garbage. Every use of the table has a number, and Lua passes it to the
-- first call of the iterator: the number of an earlier use ends the loop at once.
local function nextHit(loop, control)
  local world, actor = loop.world, loop.actor
  if loop.done or type(control) == "number" and control ~= loop.use then return end
  if loop.serial ~= world._serial then
    check.raise("world:hits: this world has been stepped since the loop began")
  end
  local slot = actor and world._slots[actor]
  if actor and not (slot and world._ids[slot] == loop.id) then
    loop.k = loop.count -- it has been removed, and perhaps added again
  end
  while loop.k < loop.count do
    loop.k = loop.k + 1
    local k = slot and world._core:hitOf(slot, loop.k) or loop.k
    local i, j, nx, ny, depth, t = world._core:hit(k)
    if i and j == slot then
      return world._actors[j], world._actors[i], 0 - nx, 0 - ny, depth, t
    elseif i then
      return world._actors[i], world._actors[j], nx, ny, depth, t
    end
  end
  loop.done, loop.actor = true, nil
  local loops = world._loops
  loops[#loops + 1] = loop
end

--- Iterates over the hits of the last step: `for a, b, nx, ny, depth, t in world:hits() do`.
---@param actor collide.Actor? only hits of this actor, with it as `a`
---@return collide.HitsLoop
---@return table state
---@return integer use
function World:hits(actor, ...)
  checkWorld(self, "world:hits")
  if select("#", ...) > 0 then check.noMore("world:hits", "one actor or none", 1, ...) end
  local slot
  if actor ~= nil then slot = slotOf(self, "world:hits", "actor", actor) end
  local loops = self._loops
  local loop = loops[#loops]
  if loop then loops[#loops] = nil else loop = { world = self, use = 0 } end
  loop.use = loop.use + 1
  local _, _, hits = self._core:counts()
  loop.done, loop.serial, loop.k = false, self._serial, 0
  loop.actor, loop.id = actor, slot and self._ids[slot]
  loop.count = slot and self._core:hitsOf(slot) or hits
  return nextHit, loop, loop.use
end

--- The broad phase's pairs of the last step: {a1, b1, a2, b2, …}.
---@return collide.Actor[]
function World:candidates(...)
  checkWorld(self, "world:candidates")
  check.noMore("world:candidates", "no arguments", 0, ...)
  return self._core:candidates(self._actors)
end

--- The broad phase's cells that held actors in the last step, for pictures:
--- {left, top, width, height, number of actors, …}.
---@return number[]
function World:cells(...)
  checkWorld(self, "world:cells")
  check.noMore("world:cells", "no arguments", 0, ...)
  return self._core:cells()
end

--- Figures of the last completed step.
---@class collide.Stats
---@field actors integer
---@field candidates integer pairs that the broad phase found
---@field hits integer
---@field pull number seconds to read the actors
---@field find number seconds to find the hits
---@field dispatch number seconds in callbacks
---@field broadphase string

---@param into table? to be filled and returned, instead of a new one
---@return collide.Stats
function World:stats(into, ...)
  checkOpen(self, "world:stats")
  if into == nil then into = {} else check.list("world:stats", "into", into) end
  check.noMore("world:stats", "one table or none", 1, ...)
  for key, value in each.pairs(self._stats) do into[key] = value end
  return into
end

--- A hash of all places and hits of the last step, in decimal digits. Equal worlds have equal
--- hashes.
---@return string
function World:hash(...)
  checkWorld(self, "world:hash")
  check.noMore("world:hash", "no arguments", 0, ...)
  return self._core:hash()
end

-- Rules of groups ---------------------------------------------------------------

--- Sets whether actors of two groups hit each other, from the next step on. "*" stands for every
--- group. With "first" they hit each other, but only actors of groupA get callbacks.
---@param groupA string
---@param groupB string
---@param hit boolean|"first"
function World:setHits(groupA, groupB, hit, ...)
  checkWorld(self, "world:setHits")
  check.string("world:setHits", "groupA", groupA)
  check.string("world:setHits", "groupB", groupB)
  if type(hit) ~= "boolean" and hit ~= "first" then
    check.fail("world:setHits", "hit", 'true, false or "first"', hit)
  end
  check.noMore("world:setHits", 'two groups and true, false or "first"', 3, ...)
  checkIdle(self, "world:setHits")
  filters.nameGroups(self, "world:setHits", { "groupA", "groupB" }, { groupA, groupB })
  self._core:setHits(self._groups[groupA], self._groups[groupB], hit, hit == "first")
end

-- The group number of an actor and whether it is static; for the name of a group, its number and
-- false. The next free number stands for all groups that are not in use yet: the same rules apply
-- to all of them.
local function groupOf(self, arg, v)
  if type(v) == "string" and v ~= "*" then
    local number = self._groups[v] or self._groupCount
    filters.checkDeclared(self, "world:canHit", arg, v)
    if number < core.MAX_GROUPS then return number, false end
    filters.failFull("world:canHit", arg, v)
  end
  local slot = type(v) == "table" and self._slots[v]
  if not slot then
    reader.failActor(self, "world:canHit", arg, "actor of this world or name of a group", v)
  end
  return self._core:group(slot)
end

--- Whether the rules let two actors, or actors of two groups, hit each other. Two static actors
--- never do.
---@param a collide.Actor|string an actor of this world, or a group
---@param b collide.Actor|string
---@return boolean
function World:canHit(a, b, ...)
  checkWorld(self, "world:canHit")
  local groupA, staticA = groupOf(self, "a", a)
  local groupB, staticB = groupOf(self, "b", b)
  check.noMore("world:canHit", "two actors or groups", 2, ...)
  if staticA and staticB or type(a) == "table" and a == b then return false end
  return self._core:canHit(groupA, groupB)
end

local function askPair(self, fn, ask, a, b, ...)
  checkOpen(self, fn)
  local shapeA, xA, yA, angleA = reader.placed(fn, "a", a, self._names)
  local shapeB, xB, yB, angleB = reader.placed(fn, "b", b, self._names)
  if select("#", ...) > 0 then check.noMore(fn, "two placed tables", 2, ...) end
  return ask(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, self._touching)
end

--- As collide.overlap, with this world's fields and its `touching`.
---@param a collide.Placed
---@param b collide.Placed
---@return number? nx, number? ny, number? depth nil without overlap
function World:overlap(a, b, ...)
  return askPair(self, "world:overlap", core.overlap, a, b, ...)
end

--- As collide.distance, with this world's fields.
---@param a collide.Placed
---@param b collide.Placed
---@return number distance, number ax, number ay, number bx, number by
function World:distance(a, b, ...)
  return askPair(self, "world:distance", core.distance, a, b, ...)
end

local TURN = 2 * math.pi

local function between(from, to, alpha)
  if alpha == 1 then return to end
  return from + (to - from) * alpha
end

--- Where to draw an actor between two steps: at the share `alpha` of the way from its place in
--- the step before the last to its place in the last step. The angle takes the shorter way. After
--- a jump (add, refresh or teleport) the result is the actor's present place.
---@param actor collide.Actor
---@param alpha number 0 to 1, as `advance` returns it
---@return number x, number y, number angle
function World:interpolate(actor, alpha, ...)
  local fn = "world:interpolate"
  checkOpen(self, fn)
  local slot = slotOf(self, fn, "actor", actor)
  if not (type(alpha) == "number" and alpha >= 0 and alpha <= 1) then
    check.fail(fn, "alpha", "number from 0 to 1", alpha)
  end
  if select("#", ...) > 0 then check.noMore(fn, "an actor and alpha", 2, ...) end
  local fromX, fromY, from, x, y, angle = self._core:motion(slot)
  if self._pulled then return x, y, angle end
  local turned = angle - from
  turned = turned - TURN * math.floor(turned / TURN + 0.5)
  return between(fromX, x, alpha), between(fromY, y, alpha),
    alpha == 1 and angle or from + turned * alpha
end

--- A point where two shapes overlap.
---@class collide.Contact
---@field x number
---@field y number
---@field depth number how deep they overlap there
---@field nx number unit vector along which the first shape gets free there
---@field ny number
---@field col integer? against tiles: the cell, and its value
---@field row integer?
---@field value integer?

--- The points where two placed tables overlap: one or two, or against tiles one for each face of a
--- cell, at most 256. The list is empty when they do not overlap.
---@param a collide.Placed
---@param b collide.Placed
---@return collide.Contact[]
function World:contact(a, b, ...)
  return askPair(self, "world:contact", core.contact, a, b, ...)
end

return { methods = World }
