-- The lists, queries and casts of a World. Queries see the world as of the last step, with all
-- actors that have been added, refreshed, teleported or removed since. The core checks the numbers
-- in arguments. Filter functions are called here, on the answers of the core, never from the core.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local filters = require "collide.world.filters"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"

local checkWorld = lock.checkWorld
local checkFilter, checkIgnored = filters.groups, filters.ignored
-- Locals, so that short calls look up no globals.
local select, rawget, rawset = select, rawget, rawset
local ALL = filters.ALL

local M = {}

-- Lists ---------------------------------------------------------------------------

-- The tables for the answers of queries and moves: the caller's `into` with the records in it, and
-- scratch tables of a world, so that queries and moves make no garbage.

-- By `into`: the distances of `nearest`. They live as long as `into`. They are numbers, so they
-- keep nothing alive.
local distancesOf = setmetatable({}, { __mode = "k" })

-- The list of distances that belongs to `into`; a new one if `into` is nil.
local function distancesIn(into)
  local distances = into and distancesOf[into]
  if not distances then
    distances = {}
    if into then distancesOf[into] = distances end
  end
  return distances
end

-- The list that each record belongs to. A list that is filled again reuses its records, and the
-- world keeps those that a shorter answer leaves over as spare ones: so it makes no garbage. The
-- table keeps neither alive, since a record holds an actor, which may hold the list.
local listOf = setmetatable({}, { __mode = "kv" })
M.listOf = listOf

--- Record i of a list that may be filled again: the table there, if it is a record of the list.
---@param spare table[] records that no list holds
function M.record(spare, list, i)
  local record = rawget(list, i)
  if record ~= nil and listOf[record] == list then return record end
  local n = #spare
  record = spare[n] or {}
  spare[n] = nil
  listOf[record] = list
  rawset(list, i, record)
  return record
end

-- Takes value i off the end of a list. If it is a record of the list, it becomes the spare record
-- number `at`. Returns the number of the next spare record.
local function free(spare, list, i, at)
  local record = rawget(list, i)
  if listOf[record] == list then
    spare[at] = record -- first, since memory may run out here
    listOf[record] = nil
    record.actor = false
    at = at + 1
  end
  rawset(list, i, nil)
  return at
end

--- Removes the records of a list after the n-th. If memory runs out, nothing has changed.
function M.drop(spare, list, n)
  local last, at = n + 1, #spare + 1
  if rawget(list, last) == nil then return end
  if rawget(list, last + 1) ~= nil then -- LuaJIT compiles no loop where there is one record
    local room = at
    spare[room] = false
    repeat
      last, room = last + 1, room + 1
      spare[room] = false
    until rawget(list, last + 1) == nil
    for i = last, n + 2, -1 do at = free(spare, list, i, at) end
  end
  free(spare, list, n + 1, at)
end

--- Removes the values of a list after the n-th.
function M.cut(list, n)
  for i = #list, n + 1, -1 do rawset(list, i, nil) end
end

-- Takes a scratch table of a world, for the answers that a filter function gets. The function may
-- make a query too, which takes another table. `give` puts the table back; after an error it
-- becomes garbage.
local function take(world)
  local kept = world._spareKept or { far = {}, asked = {}, accepted = {}, places = {} }
  world._spareKept = nil
  return kept
end

-- Puts a scratch table with `n` answers back, and clears it so that it keeps no actor alive.
local function give(world, kept, n)
  for i = 1, n do kept[i] = false end
  world._spareKept = kept
end

-- Queries -------------------------------------------------------------------------

---@class collide.World
local World = lock.World

local TAKES_MORE = "filter, ignore and into"

-- Copies the answers that a filter function accepts from a scratch table into a list.
local function sift(self, kept, n, accepts, into)
  local list, count = into or {}, 0
  for i = 1, n do
    if accepts(kept[i]) then
      count = count + 1
      kept[count] = kept[i]
    end
  end
  for i = 1, count do rawset(list, i, kept[i]) end
  M.cut(list, count)
  give(self, kept, n)
  return list, count
end

-- Asks a method of the core for the actors at a place, which the last arguments describe: those
-- that pass the filter, except `placed`.
local function ask(self, fn, method, filter, ignore, into, placed, ...)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then check.list(fn, "into", into) end
  local kept = accepts and take(self)
  local list, n = self._core[method](self._core, self._actors, self._slots, low, high, ignored,
    placed and self._slots[placed] or 0, kept or into, ...)
  if kept then return sift(self, kept, n, accepts, into) end
  return list, n
end

--- The actors that pass a filter; all actors without a filter.
---@param filter collide.Filter?
---@return collide.Actor[] actors a fresh list, in the order of adding
function World:actors(filter, ...)
  lock.checkCall(self, "world:actors", "a filter", 1, ...)
  return (ask(self, "world:actors", "all", filter))
end

--- The number of actors that pass a filter; of all actors without a filter.
---@param filter collide.Filter?
---@return integer
function World:count(filter, ...)
  lock.checkCall(self, "world:count", "a filter", 1, ...)
  if filter == nil then return (self._core:counts()) end
  local low, high, accepts = checkFilter(self, "world:count", filter)
  local kept = accepts and take(self)
  local _, n = self._core:all(self._actors, self._slots, low, high, nil, 0, kept or false)
  if kept then _, n = sift(self, kept, n, accepts, kept) end
  return n
end

--- The actors that contain a point. The boundary belongs to an actor.
---@param x number
---@param y number
---@param filter collide.Filter?
---@param ignore collide.Ignore? actors to leave out
---@param into table? to be filled and returned, instead of a new one
---@return collide.Actor[] actors in the order of adding
---@return integer n
function World:queryPoint(x, y, filter, ignore, into, ...)
  local fn = "world:queryPoint"
  checkWorld(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "x, y, " .. TAKES_MORE, 5, ...) end
  return ask(self, fn, "queryPoint", filter, ignore, into, nil, x, y)
end

--- The actors that overlap or touch a rectangle.
---@param x number its left edge
---@param y number its top edge
---@param w number
---@param h number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function World:queryRect(x, y, w, h, filter, ignore, into, ...)
  local fn = "world:queryRect"
  checkWorld(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "x, y, w, h, " .. TAKES_MORE, 7, ...) end
  return ask(self, fn, "queryRect", filter, ignore, into, nil, x, y, w, h)
end

--- The actors that overlap or touch a circle.
---@param x number its centre
---@param y number
---@param r number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function World:queryCircle(x, y, r, filter, ignore, into, ...)
  local fn = "world:queryCircle"
  checkWorld(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "x, y, r, " .. TAKES_MORE, 6, ...) end
  return ask(self, fn, "queryCircle", filter, ignore, into, nil, x, y, r)
end

--- The actors that overlap or touch a placed shape.
---@param placed collide.Placed may be an actor of this world, which is then left out
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table?
---@return collide.Actor[] actors, integer n
function World:queryShape(placed, filter, ignore, into, ...)
  local fn = "world:queryShape"
  checkWorld(self, fn)
  local shape, x, y, angle = reader.placed(fn, "placed", placed, self._names)
  if select("#", ...) > 0 then check.noMore(fn, "a placed table, " .. TAKES_MORE, 4, ...) end
  return ask(self, fn, "queryShape", filter, ignore, into, placed, shape, x, y, angle)
end

-- At first, a filter function gets this many times the wanted number of actors.
local MARGIN = 4

-- The k nearest actors that a filter function accepts. Most functions soon accept enough, so the
-- core is asked for few actors at first, and for more each time that they are not enough. The
-- function gets no actor twice.
local function nearestAccepted(self, x, y, k, accepts, ignored, into, distances)
  local kept = take(self)
  local far, asked, accepted, places = kept.far, kept.asked, kept.accepted, kept.places
  local most, count, longest = MARGIN * k, 0, 0
  repeat
    local _, n = self._core:nearest(self._actors, self._slots, ALL, ALL, ignored, 0, kept, x, y,
      most, far)
    longest = n > longest and n or longest
    for i = 1, n do
      local actor = kept[i]
      if count < k and not asked[actor] then
        asked[actor] = true
        if accepts(actor) then
          count = count + 1
          accepted[count], places[count] = actor, far[i]
        end
      end
    end
    local done = count == k or n < most
    most = most * MARGIN
  until done
  local list = into or {}
  for i = 1, count do
    rawset(list, i, accepted[i])
    distances[i], accepted[i] = places[i], false
  end
  for actor in each.pairs(asked) do asked[actor] = nil end
  M.cut(list, count)
  M.cut(distances, count)
  give(self, kept, longest)
  return list, count, distances
end

--- The k actors that are nearest to a point.
---@param x number
---@param y number
---@param k integer? how many, default 1
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table? for the actors; the distances are then in a table that belongs to it
---@return collide.Actor[] actors nearest first
---@return integer n
---@return number[] distances to their shapes
function World:nearest(x, y, k, filter, ignore, into, ...)
  local fn = "world:nearest"
  checkWorld(self, fn)
  if k == nil then k = 1 else check.integer(fn, "k", k, 1, 2 ^ 31) end
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then check.list(fn, "into", into) end
  if select("#", ...) > 0 then check.noMore(fn, "x, y, k, " .. TAKES_MORE, 6, ...) end
  local distances = into and distancesIn(into)
  if accepts then
    return nearestAccepted(self, x, y, k, accepts, ignored, into, distances or {})
  end
  return self._core:nearest(self._actors, self._slots, low, high, ignored, 0, into, x, y, k,
    distances)
end

-- Casts ---------------------------------------------------------------------------

--- One hit of a ray.
---@class collide.RayHit
---@field actor collide.Actor
---@field x number where the ray enters it
---@field y number
---@field nx number the normal there; 0, 0 if the ray began inside
---@field ny number
---@field t number the fraction of the way
---@field part (string|integer)? the part of its shape that it entered

local TAKES_RAY = "x1, y1, x2, y2, filter and ignore"
local TAKES_RAYS = "x1, y1, x2, y2, filter, ignore and into"
local TAKES_CAST = "a placed table, dx, dy, filter and ignore"

-- Replaces the part numbers of n answers in a scratch table by what the game gets instead.
local function tellParts(self, kept, n)
  local far, slots = kept.far, self._slots
  for i = 1, n do
    local number = far[6 * i]
    far[6 * i] = number > 0 and reader.part(self, slots[kept[i]], number) or false
  end
end

-- The first of n answers in a scratch table that a filter function accepts, as reader.told returns
-- it. `any` says whether answers may have a part.
local function firstAccepted(self, accepts, kept, n, any)
  local accepted = 0
  if any then tellParts(self, kept, n) end
  for i = 1, n do
    if accepts(kept[i]) then
      accepted = i
      break
    end
  end
  local actor, far, at = kept[accepted], kept.far, 6 * accepted
  local x, y, nx, ny, t = far[at - 5], far[at - 4], far[at - 3], far[at - 2], far[at - 1]
  local part = any and far[at] or nil
  give(self, kept, n)
  if actor then return actor, x, y, nx, ny, t, part end
  return nil
end

--- The first actor that a ray from x1, y1 to x2, y2 meets. Touching counts.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return collide.Actor? actor nil when there is none
---@return number? x, number? y, number? nx, number? ny, number? t a fraction of the way
---@return (string|integer)? part the part of its shape that it enters
function World:rayCast(x1, y1, x2, y2, filter, ignore, ...)
  local fn = "world:rayCast"
  checkWorld(self, fn)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RAY, 6, ...) end
  if accepts then
    local kept = take(self)
    return firstAccepted(self, accepts, kept, self._core:rayCast(self._actors, self._slots, low,
      high, ignored, 0, kept, kept.far, x1, y1, x2, y2))
  elseif self._rays then
    return self._rays(self, low, high, ignored, x1, y1, x2, y2)
  end
  return reader.told(self, self._core:rayCast(self._actors, self._slots, low, high, ignored, 0,
    false, nil, x1, y1, x2, y2))
end

-- Fills a list with records of those of n answers in a scratch table that the filter accepts.
local function listAccepted(self, accepts, kept, list, n, any)
  local count, places, far, spare = 0, kept.places, kept.far, self._spareRays
  if any then tellParts(self, kept, n) end
  for i = 1, n do
    if accepts(kept[i]) then
      count = count + 1
      places[count] = i
    end
  end
  for i = 1, count do
    local record, at = M.record(spare, list, i), 6 * places[i]
    record.actor, record.x, record.y = kept[places[i]], far[at - 5], far[at - 4]
    record.nx, record.ny, record.t = far[at - 3], far[at - 2], far[at - 1]
    record.part = any and far[at] or nil
  end
  M.drop(spare, list, count)
  give(self, kept, n)
  return list, count
end

--- All actors that a ray from x1, y1 to x2, y2 meets.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@param into table? to be filled and returned; its tables are reused
---@return collide.RayHit[] list sorted by t
---@return integer n
function World:rayCastAll(x1, y1, x2, y2, filter, ignore, into, ...)
  local fn = "world:rayCastAll"
  checkWorld(self, fn)
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if into ~= nil then check.list(fn, "into", into) end
  if select("#", ...) > 0 then check.noMore(fn, TAKES_RAYS, 7, ...) end
  local list = into or {}
  if not accepts then
    local _, n, any = self._core:rayCastAll(self._actors, self._slots, low, high, ignored, 0, list,
      self._spareRays, listOf, x1, y1, x2, y2)
    for i = 1, any and n or 0 do
      local record = rawget(list, i)
      record.part = reader.part(self, self._slots[record.actor], record.part)
    end
    return list, n
  end
  local kept = take(self)
  return listAccepted(self, accepts, kept, list, self._core:rayCastAll(self._actors, self._slots,
    low, high, ignored, 0, kept, kept.far, nil, x1, y1, x2, y2))
end

--- The first actor that a placed shape touches when it moves by dx, dy.
---@param placed collide.Placed
---@param dx number
---@param dy number
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return collide.Actor? actor
---@return number? x, number? y, number? nx, number? ny, number? t
---@return (string|integer)? part the part of its shape that it touches
function World:shapeCast(placed, dx, dy, filter, ignore, ...)
  local fn = "world:shapeCast"
  checkWorld(self, fn)
  local shape, x, y, angle = reader.placed(fn, "placed", placed, self._names)
  if shape:kind() == "tiles" then
    check.fail(fn, "placed." .. self._names.shape, "shape other than tiles",
      shape)
  end
  local low, high, accepts = checkFilter(self, fn, filter)
  local ignored = checkIgnored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, TAKES_CAST, 5, ...) end
  local kept = accepts and take(self)
  local first, cx, cy, nx, ny, t, part = self._core:shapeCast(self._actors, self._slots, low, high,
    ignored, self._slots[placed] or 0, kept or false, kept and kept.far, dx, dy, shape, x, y, angle)
  if kept then return firstAccepted(self, accepts, kept, first, cx) end
  return reader.told(self, first, cx, cy, nx, ny, t, part)
end

if core.queryFront then
  for _, name in ipairs { "queryPoint", "queryRect", "queryCircle", "rayCast" } do
    World[name] = core.queryFront(name, World[name])
  end
end

return M
