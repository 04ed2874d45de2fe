-- Methods of a World that report its state: the hits and figures of the last step, the rules of
-- groups, whether two actors overlap now, and, in a sentence, why they hit each other or do not.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local filters = require "collide.world.filters"
local ignores = require "collide.world.ignores"

local checkOpen, checkCall = lock.checkOpen, lock.checkCall
local slotOf = reader.slotOf

local type, select = type, select

local M = {}

---@class collide.World
local World = lock.World

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
    local i, j, nx, ny, depth, t = world._core:hit(slot or 0, loop.k)
    if i and j == slot then
      return world._actors[j], world._actors[i], 0 - nx, 0 - ny, depth, t
    elseif i then
      return world._actors[i], world._actors[j], nx, ny, depth, t
    end
  end
  loop.done, loop.actor, world._spareLoop = true, nil, loop
end

--- Iterates over the hits of the last step: `for a, b, nx, ny, depth, t in world:hits() do`.
---@param actor collide.Actor? only hits of this actor, with it as `a`
---@return collide.HitsLoop
---@return table state
---@return integer use
function World:hits(actor, ...)
  lock.checkWorld(self, "world:hits")
  if select("#", ...) > 0 then check.noMore("world:hits", "one actor or none", 1, ...) end
  local loop, slot = self._spareLoop or { world = self, use = 0 }, nil
  if actor ~= nil then slot = slotOf(self, "world:hits", "actor", actor) end
  loop.use, self._spareLoop = loop.use + 1, nil
  loop.done, loop.serial, loop.k = false, self._serial, 0
  loop.actor, loop.id = actor, slot and self._ids[slot]
  loop.count = self._core:hits(slot or 0)
  return nextHit, loop, loop.use
end

--- The broad phase's pairs of the last step: {a1, b1, a2, b2, …}.
---@return collide.Actor[]
function World:candidates(...)
  checkCall(self, "world:candidates", "no arguments", 0, ...)
  return self._core:candidates(self._actors)
end

--- The broad phase's cells that held actors in the last step, for drawing:
--- {left, top, width, height, number of actors, …}.
---@return number[]
function World:cells(...)
  checkCall(self, "world:cells", "no arguments", 0, ...)
  return self._core:cells()
end

--- Statistics of the last completed step.
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
  checkCall(self, "world:stats", "one table or none", 1, ...)
  if into == nil then into = {} else check.list("world:stats", "into", into) end
  for key, value in each.pairs(self._stats) do into[key] = value end
  return into
end

--- A hash of all places and hits of the last step, in decimal digits. Equal worlds have equal
--- hashes.
---@return string
function World:hash(...)
  checkCall(self, "world:hash", "no arguments", 0, ...)
  return self._core:hash()
end

-- Rules of groups ---------------------------------------------------------------

local function setRule(self, groupA, groupB, hit)
  filters.nameGroups(self, "world:setRule", { "groupA", "groupB" }, { groupA, groupB })
  self._core:setRule(self._groups[groupA], self._groups[groupB], hit, hit == "first")
end

--- Sets whether actors of two groups hit each other, from the next step on. "*" stands for every
--- group. With "first" they hit each other, but only actors of groupA get callbacks.
---@param groupA string
---@param groupB string
---@param hit boolean|"first"
function World:setRule(groupA, groupB, hit, ...)
  local fn = "world:setRule"
  lock.checkChange(self, fn, 'two groups and true, false or "first"', 3, ...)
  check.string(fn, "groupA", groupA)
  check.string(fn, "groupB", groupB)
  if type(hit) ~= "boolean" and hit ~= "first" then
    check.fail(fn, "hit", 'true, false or "first"', hit)
  end
  lock.changing(self, fn, setRule, groupA, groupB, hit)
end

-- The group number of an actor, whether it is static, and whether it is a map; for the name of a
-- group, its number and false. The next free number stands for all groups that are not in use yet:
-- the same rules apply to all of them.
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
  local number, static = self._core:group(slot)
  return number, static, self._shapes[slot]:kind() == "tiles"
end

--- Whether the rules let two actors, or actors of two groups, hit each other. Two static actors
--- never do, nor do two maps of tiles.
---@param a collide.Actor|string an actor of this world, or a group
---@param b collide.Actor|string
---@return boolean
function World:canHit(a, b, ...)
  checkCall(self, "world:canHit", "two actors or groups", 2, ...)
  local groupA, staticA, isMapA = groupOf(self, "a", a)
  local groupB, staticB, isMapB = groupOf(self, "b", b)
  if staticA and staticB or isMapA and isMapB or type(a) == "table" and a == b then return false end
  local slotA, slotB = self._slots[a], self._slots[b]
  if slotA and slotB and ignores.between(self, slotA, slotB) then return false end
  return self._core:canHit(groupA, groupB)
end

local function askPair(self, fn, ask, a, b, ...)
  checkOpen(self, fn)
  local shapeA, xA, yA, angleA, shapeB, xB, yB, angleB = reader.pair(fn, a, b, self._names)
  if select("#", ...) > 0 then check.noMore(fn, "two placed tables", 2, ...) end
  return ask(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, self._touching)
end

--- Like collide.overlap, but with this world's fields and its `touching`.
---@param a collide.Placed
---@param b collide.Placed
---@return number? nx, number? ny, number? depth nil without overlap
function World:overlap(a, b, ...)
  return askPair(self, "world:overlap", core.overlap, a, b, ...)
end

--- Like collide.distance, but with this world's fields.
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

--- Where to draw an actor between two steps: at the fraction `alpha` of the way from its place in
--- the step before the last to its place in the last step. The angle takes the shorter way. After
--- a jump (add, refresh or teleport) the result is the actor's current place.
---@param actor collide.Actor
---@param alpha number 0 to 1, as `advance` returns it
---@return number x, number y, number angle
function World:interpolate(actor, alpha, ...)
  local fn = "world:interpolate"
  checkOpen(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "an actor and alpha", 2, ...) end
  local slot = slotOf(self, fn, "actor", actor)
  check.share(fn, "alpha", alpha)
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
---@field part (string|integer)? the part of the first shape that overlaps there
---@field otherPart (string|integer)? that of the second
---@field column integer? against tiles: the cell, and its value
---@field row integer?
---@field value integer?

--- The points where two placed tables overlap: one or two, or against tiles one for each face of a
--- cell, at most 256. The list is empty when they do not overlap.
---@param a collide.Placed
---@param b collide.Placed
---@return collide.Contact[]
function World:contacts(a, b, ...)
  return askPair(self, "world:contacts", core.contacts, a, b, ...)
end

--- Two parts that overlap.
---@class collide.PartOverlap
---@field part (string|integer)? the part of the first shape, nil if it has none
---@field otherPart (string|integer)? that of the second
---@field depth number how deep these two alone overlap

--- All pairs of parts of two placed tables that overlap, the deepest first, and equally deep ones
--- in the order of the numbers of the parts.
---@param a collide.Placed
---@param b collide.Placed
---@return collide.PartOverlap[]
function World:partOverlaps(a, b, ...)
  return askPair(self, "world:partOverlaps", core.partOverlaps, a, b, ...)
end

-- Why -----------------------------------------------------------------------------

local FN = "world:explain"
local WORDS = { "the first", "the second" }

local EVENTS = { "enter", "hit", "leave" }

-- An actor as a step would find it now: the fields that the last add or refresh read and, unless it
-- is static, its current place. `changes` are those of reader.seen.
local function look(world, actor)
  local now = reader.actor(FN, world, actor)
  local seen, changes = reader.seen(FN, world, actor, now, EVENTS)
  if not seen.static then seen.x, seen.y, seen.angle = now.x, now.y, now.angle end
  seen.changes = changes
  return seen
end

local function number(v)
  return ("%.6g"):format(v)
end

-- A direction as text. The core returns no -0.
local function way(x, y)
  return ("%.3g, %.3g"):format(x, y)
end

-- The gap between two intervals, given by start and length; below 0 if they overlap.
local function gap(a, length, b, other)
  return math.max(b - (a + length), a - (b + other))
end

local CONVEX = { rectangle = true, circle = true, capsule = true, segment = true }

local function isConvex(shape)
  local kind = shape:kind()
  return CONVEX[kind] or kind == "polygon" and #shape:parts() == 1
end

-- Why two actors do not hit although the rules of their groups allow it.
local function apart(a, b)
  if core.overlap(a.shape, a.x, a.y, a.angle, b.shape, b.x, b.y, b.angle, true) then
    return "they only touch, which is no hit in this world (touching = false)"
  end
  local left, top, width, height = a.shape:bounds(a.x, a.y, a.angle)
  local left2, top2, width2, height2 = b.shape:bounds(b.x, b.y, b.angle)
  local onX, onY = gap(left, width, left2, width2), gap(top, height, top2, height2)
  if onX > 0 and onY > 0 then
    return ("their boxes are apart by %s on x and %s on y"):format(number(onX), number(onY))
  elseif onX > 0 or onY > 0 then
    return ("their boxes are apart by %s on %s"):format(number(math.max(onX, onY)),
      onX > 0 and "x" or "y")
  end
  local d, ax, ay, bx, by = core.distance(a.shape, a.x, a.y, a.angle, b.shape, b.x, b.y, b.angle)
  if not (d > 0) then return "they are apart, by less than a rounding error" end
  local axis = way((bx - ax) / d, (by - ay) / d)
  if isConvex(a.shape) and isConvex(b.shape) then
    return ("the axis %s parts them by %s"):format(axis, number(d))
  end
  return ("their boxes overlap, but they are apart by %s along %s"):format(number(d), axis)
end

-- Remarks about two actors that hit: which of them gets no callbacks or stops no moving actor.
local function remarks(world, a, b)
  local list = {}
  local notifiedA = world._core:isNotified(a.number, b.number)
  local notifiedB = world._core:isNotified(b.number, a.number)
  if notifiedA ~= notifiedB then
    list[1] = ("by the rule of their groups only %s gets callbacks"):format(
      WORDS[notifiedA and 1 or 2])
  end
  if not (notifiedA and a.heard or notifiedB and b.heard) then
    list[#list + 1] = notifiedA == notifiedB and "neither has an enter, hit or leave"
      or "it has no enter, hit or leave"
  end
  for i, seen in ipairs { a, b } do
    if seen.sensor then
      list[#list + 1] = WORDS[i] .. " is a sensor, which stops no moving actor"
    elseif seen.oneWay then
      list[#list + 1] = ("%s is one-way, and stops moving actors only with %s"):format(WORDS[i],
        seen.oneWay == true and "its upper side" or "the side that looks " .. seen.oneWay)
    end
  end
  return list
end

-- Where two actors would meet on their way, if one of them is swept: nx, ny and t, or nil.
local function meet(world, a, b, slotA, slotB)
  return world._core:wouldMeet(slotA, a.x, a.y, a.angle, slotB, b.x, b.y, b.angle)
end

local function explainPair(world, a, b, slotA, slotB)
  local nx, ny, depth, t
  local reason
  local more = {}
  if a.static and b.static then
    reason = "both are static"
  elseif a.shape:kind() == "tiles" and b.shape:kind() == "tiles" then
    reason = "both are maps of tiles"
  elseif ignores.between(world, slotA, slotB) then
    reason = ignores.explain(world, slotA, slotB)
  elseif not world._core:canHit(a.number, b.number) then
    reason = a.group == b.group and ("actors of group %q do not hit each other"):format(a.group)
      or ("the groups %q and %q do not hit each other"):format(a.group, b.group)
  else
    nx, ny, depth = core.overlap(a.shape, a.x, a.y, a.angle, b.shape, b.x, b.y, b.angle,
      world._touching)
    if not nx then
      nx, ny, t = meet(world, a, b, slotA, slotB)
    end
    if not nx then
      reason = apart(a, b)
    elseif t then
      reason = ("they meet on their way, at t = %s, the first gets free along %s"):format(number(t),
        way(nx, ny))
      more = remarks(world, a, b)
    else
      reason = depth == 0 and "they touch, which is a hit in this world (touching = true)"
        or ("depth %s, the first gets free along %s"):format(number(depth), way(nx, ny))
      more = remarks(world, a, b)
    end
  end
  for i, seen in ipairs { a, b } do
    if seen.changes[1] then
      local names = {}
      for k, change in ipairs(seen.changes) do names[k] = change.name end
      more[#more + 1] = ("%s changed in %s and was not read again: call world:refresh(actor)")
        :format(WORDS[i], table.concat(names, ", "))
    end
  end
  table.insert(more, 1, reason)
  return nx ~= nil, table.concat(more, "; ")
end

local function verdict(world, a, b)
  local hasA, hasB = world._slots[a], world._slots[b]
  if a == b then
    return false, "an actor does not hit itself"
  elseif not (hasA or hasB) then
    return false, "neither is in this world: removed, or never added"
  elseif not (hasA and hasB) then
    return false,
      ("%s is not in this world: removed, or never added"):format(WORDS[hasA and 2 or 1])
  end
  return explainPair(world, look(world, a), look(world, b), hasA, hasB)
end

--- Whether a step made now would find that two actors hit each other, and why.
---@return boolean hit
---@return string reason
function M.verdict(world, a, b)
  return lock.guarded(world, FN, verdict, a, b)
end

local function checkActor(world, arg, actor)
  if not (type(actor) == "table" and world._slots[actor] or reader.isActor(world, actor)) then
    check.fail(FN, arg, "actor", actor)
  end
end

--- Explains in one sentence why a step made now would or would not find that two actors hit each
--- other. Numbers in it are rounded to six digits.
---@param world collide.World
---@param a collide.Actor may have been removed
---@param b collide.Actor
---@return string
function World.explain(world, a, b, ...)
  checkCall(world, FN, "two actors", 2, ...)
  checkActor(world, "a", a)
  checkActor(world, "b", b)
  local hit, reason = M.verdict(world, a, b)
  return ("%s %s %s: %s"):format(reader.describe(world, a), hit and "hits" or "does not hit",
    reader.describe(world, b), reason)
end

return M
