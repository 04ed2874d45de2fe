-- world:explain: why two actors hit each other now, or do not.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"

local type = type

local M = {}

local FN = "world:explain"
local WORDS = { "the first", "the second" }

-- Whether an actor has methods that a step calls: as they were last read or, if they have not been
-- read yet, as they are now. Appends the methods that have changed since to `changed`.
local function readHeard(world, actor, seen, changed)
  local heard = false
  for _, event in ipairs { "enter", "hit", "leave" } do
    local name, bit = world._names[event], reader.EVENT_BITS[event]
    local now = reader.hasMethod(FN, world, actor, name)
    local read = reader.hasBit(seen.mask, bit)
    if reader.hasBit(seen.unread, bit) then
      read = now
    elseif read ~= now then
      changed[#changed + 1] = name
    end
    heard = heard or read
  end
  return heard
end

-- An actor as a step would find it now: the fields that the last add or refresh read and, unless it
-- is static, its present place. `changed` lists the changed fields that only a refresh would read.
local function look(world, actor)
  local now = reader.actor(FN, world, actor)
  local seen, changed = {}, {}
  local isSame
  seen.shape, isSame, seen.x, seen.y, seen.angle, seen.number, seen.static, seen.sensor,
    seen.oneWay, seen.swept, seen.mask, seen.unread =
    world._core:actor(world._slots[actor], now.shape)
  for name, n in each.pairs(world._groups) do
    if n == seen.number and name ~= "*" then seen.group = name end
  end
  if not isSame then changed[1] = world._names.shape end
  for _, field in ipairs { "group", "static", "sensor", "oneWay", "swept" } do
    if now[field] ~= seen[field] then changed[#changed + 1] = world._names[field] end
  end
  for _, field in ipairs { "x", "y", "angle" } do
    if not seen.static then
      seen[field] = now[field]
    elseif now[field] ~= seen[field] then
      changed[#changed + 1] = world._names[field]
    end
  end
  seen.heard = readHeard(world, actor, seen, changed)
  seen.changed = changed
  return seen
end

local function number(v)
  return ("%.6g"):format(v)
end

-- A direction as text. Adding 0 turns -0 into 0.
local function way(x, y)
  return ("%.3g, %.3g"):format(x + 0, y + 0)
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

-- Remarks about two actors that hit: who gets no callbacks, and who stops no moving actor.
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
      list[#list + 1] = WORDS[i] .. " is one-way, and stops moving actors only with its upper side"
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
    if seen.changed[1] then
      more[#more + 1] = ("%s changed in %s and was not read again: call world:refresh(actor)")
        :format(WORDS[i], table.concat(seen.changed, ", "))
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
  if world._reading then return verdict(world, a, b) end
  return lock.guarded(world, FN, function() return verdict(world, a, b) end)
end

local function checkActor(world, arg, actor)
  if not (type(actor) == "table" and world._slots[actor] or reader.isActor(world, actor)) then
    check.fail(FN, arg, "actor", actor)
  end
end

---@class collide.World
local World = {}

M.methods = World

--- Explains in one sentence why a step made now would or would not find that two actors hit each
--- other. Numbers in it are rounded to six digits.
---@param world collide.World
---@param a collide.Actor may have been removed
---@param b collide.Actor
---@return string
function World.explain(world, a, b, ...)
  lock.checkOpen(world, FN)
  checkActor(world, "a", a)
  checkActor(world, "b", b)
  check.noMore(FN, "two actors", 2, ...)
  local hit, reason = M.verdict(world, a, b)
  return ("%s %s %s: %s"):format(reader.describe(world, a), hit and "hits" or "does not hit",
    reader.describe(world, b), reason)
end

return M
