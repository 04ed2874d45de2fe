-- The move of a platform: it goes all the way, may turn, carries its riders, and pushes other
-- actors out of its way.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local filters = require "collide.world.filters"
local ignores = require "collide.world.ignores"
local walking = require "collide.character.walk"
local queries = require "collide.world.queries"
local moves = require "collide.move"

local select, ipairs, sort = select, ipairs, table.sort

---@class collide.World
local World = lock.World

local FN = "world:carry"
local TAKES = "an actor, dx, dy, da and filter"

-- The scratch tables of a world's carries: only one carry runs at a time.
local function newScratch()
  return {
    way = {}, -- how far the platform goes, and from where
    list = {}, entries = {}, -- the entries of actors to be moved, in order; and all that were made
    found = {}, -- by rider: what carries it; and the platform
    wayX = {}, wayY = {}, -- by rider: how far it goes
    how = { fn = FN, into = {}, journal = {} },
    crushed = nil, -- the list of the actors that could not be freed, if there are any
    placed = {}, near = {}, -- the platform at its new place, and the actors there
  }
end

local function empty(t)
  for key in each.pairs(t) do t[key] = nil end
end

-- Adds an actor to the list, with its way.
local function append(scratch, actor, dx, dy)
  local list, entries = scratch.list, scratch.entries
  local n = #list + 1
  local entry = entries[n] or {}
  entries[n], list[n] = entry, entry
  entry.actor, entry.dx, entry.dy = actor, dx, dy
end

-- This takes no memory, so it cannot fail after a carry has been made.
local function clear(scratch)
  local list = scratch.list
  for i = #list, 1, -1 do
    list[i].actor = nil
    list[i] = nil
  end
end

-- Empties the scratch tables, except for the answer, so that they keep no actor alive.
local function tidy(self, scratch)
  local how = scratch.how
  clear(scratch)
  empty(scratch.found)
  empty(scratch.wayX)
  empty(scratch.wayY)
  empty(scratch.near)
  queries.drop(self._spareHits, how.into, 0)
  moves.clearJournal(how.journal)
  how.filter, how.response = nil, nil
end

-- The point of a platform under a rider: where a character stands; for other actors the middle of
-- the lower side of their bounds.
local function pointUnder(self, rider)
  local character = self._characters[rider]
  if character then return walking.standsAt(character) end
  local l, t, w, h = reader.shapeOf(self, rider):bounds(reader.place(FN, self, rider))
  return l + w / 2, t + h
end

-- Adds a rider to the list. On a platform that turns it goes where the point under it goes.
local function addRider(self, scratch, rider, platform, way)
  local dx, dy = way.dx, way.dy
  if way.da and way.da ~= 0 then
    local x, y = pointUnder(self, rider)
    local c, s = core.cos(way.da), core.sin(way.da)
    x, y = x - way.x, y - way.y
    dx, dy = dx + (c * x - s * y - x), dy + (s * x + c * y - y)
  end
  scratch.found[rider] = platform
  scratch.wayX[rider], scratch.wayY[rider] = dx, dy
  append(scratch, rider, dx, dy)
end

-- Adds the riders of one actor to the list: characters on it, and actors on its upper side.
local function addRiders(self, scratch, platform, way)
  local actors, characters, found = self._actors, self._characters, scratch.found
  for _, character in ipairs(walking.on(self, platform)) do
    local actor = character.actor
    if character.floor == platform and not found[actor] and moves.isMovable(self, actor)
      and walking.standsOn(character, platform) then
      addRider(self, scratch, actor, platform, way)
    end
  end
  local slots = self._carried
  for i = 1, 3 * self._core:riders(slots, self._slots[platform]), 3 do
    local actor = actors[slots[i]]
    local character = characters[actor]
    if not found[actor]
      and (not character or walking.rides(character, slots[i + 1], slots[i + 2])) then
      addRider(self, scratch, actor, platform, way)
    end
  end
end

local function isBefore(a, b)
  for i = 1, 9 do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

-- Actors ahead go first, so that none is in another's way: sorted by their fronts, then by their
-- backs; actors abreast by lower x, then y, then by their bounds. Without dx and dy, ahead is where
-- each goes.
local function order(self, scratch, wayX, wayY)
  for _, e in ipairs(scratch.list) do
    local dx, dy = wayX or e.dx, wayY or e.dy
    local x, y, angle = reader.place(FN, self, e.actor)
    local l, t, w, h = reader.shapeOf(self, e.actor):bounds(x, y, angle)
    e[1] = -(dx > 0 and l + w or l) * dx - (dy > 0 and t + h or t) * dy -- its front
    e[2] = -(dx > 0 and l or l + w) * dx - (dy > 0 and t or t + h) * dy -- its back
    e[3], e[4], e[5], e[6], e[7], e[8] = x, y, l, t, w, h
    e[9] = self._slots[e.actor]
  end
  sort(scratch.list, isBefore)
end

-- Moves an actor of the list with the platform, or out of its way. The platform is no obstacle to
-- it.
local function take(self, scratch, entry, response, platform)
  local character, how = self._characters[entry.actor], scratch.how
  if character then return walking.carry(character, entry.dx, entry.dy, platform, how.journal) end
  how.filter, how.response = nil, response
  moves.make(self, how, entry.actor, entry.dx, entry.dy, platform)
end

-- Takes the riders of the platform along, their riders, and so on.
local function takeRiders(self, scratch, platform, way)
  local list, at = scratch.list, 1
  scratch.found[platform] = platform
  addRiders(self, scratch, platform, way)
  while list[at] do
    addRiders(self, scratch, list[at].actor, list[at]) -- they keep their angle
    at = at + 1
  end
  order(self, scratch)
  for _, entry in ipairs(list) do take(self, scratch, entry, "slide", platform) end
end

-- Pushes the actors that the platform meets on its way, and the actors that they meet.
local function pushAway(self, scratch, platform, dx, dy, filter)
  local low, high, accepts = filters.groups(self, FN, filter)
  if filter == nil then low, high = self._core:hitGroups(self._slots[platform]) end
  local met = self._carried
  clear(scratch)
  for i = 1, 3 * self._core:inTheWay(met, self._slots[platform], dx, dy, low, high), 3 do
    local actor = self._actors[met[i]]
    if not scratch.found[actor] then append(scratch, actor, met[i + 1], met[i + 2]) end
  end
  order(self, scratch, dx, dy)
  for _, entry in ipairs(scratch.list) do
    if not accepts or moves.passes(FN, accepts, entry.actor, platform) then
      take(self, scratch, entry, "push", platform)
    end
  end
end

-- Moves an actor out of its overlaps.
local function free(self, scratch, actor)
  local character, how = self._characters[actor], scratch.how
  how.filter, how.response = nil, "slide"
  if character then how.filter, how.response = character._filter, character._response end
  moves.make(self, how, actor, 0, 0)
end

-- Whether the platform would have to push the actor out.
local function isIn(self, actor, platform, filter, accepts)
  local names = self._names
  if ignores.between(self, self._slots[platform], self._slots[actor]) then return false end
  if accepts and not moves.passes(FN, accepts, actor, platform) then return false end
  if not moves.isMovable(self, actor) then return false end
  if names.static and actor[names.static] or names.sensor and actor[names.sensor] then
    return false
  end
  return (filter or self:canHit(platform, actor)) and moves.isInWalls(self, actor, platform)
end

-- Moves an actor by the shortest way out of a platform that has turned into it. It pushes the
-- actors that it meets.
local function lift(self, scratch, entry, platform)
  local nx, ny, depth = moves.wayOut(self, entry.actor, platform)
  entry.dx, entry.dy = nx * depth, ny * depth
  take(self, scratch, entry, "push", platform)
end

-- Frees the actors that still overlap the platform, and lists those that it cannot free.
local function squeeze(self, scratch, platform, filter, turns)
  local names, placed = self._names, scratch.placed
  if moves.isMovable(self, platform) and names.oneWay and platform[names.oneWay] then return end
  placed[names.shape] = reader.shapeOf(self, platform)
  if names.at then
    placed[names.at] = reader.holder(FN, self, platform)
  else
    placed[names.x], placed[names.y] = platform[names.x], platform[names.y]
    if names.angle then placed[names.angle] = platform[names.angle] end
  end
  local _, _, accepts = filters.groups(self, FN, filter)
  local groups = not accepts and filter or nil
  clear(scratch)
  for _, actor in ipairs(self:queryShape(placed, groups, platform, scratch.near)) do
    append(scratch, actor, 0, 0)
  end
  order(self, scratch, 0, 0)
  for _, entry in ipairs(scratch.list) do
    local actor = entry.actor
    if isIn(self, actor, platform, filter, accepts) then
      if turns then lift(self, scratch, entry, platform) end
      if moves.isInWalls(self, actor, platform) then free(self, scratch, actor) end
      if moves.isInWalls(self, actor, platform) then
        scratch.crushed = scratch.crushed or {}
        table.insert(scratch.crushed, actor)
      end
    end
  end
end

-- Puts the platform at its end.
local function arrive(self, actor, way)
  local names = self._names
  local holder = reader.holder(FN, self, actor)
  holder[names.x], holder[names.y] = holder[names.x] + way.dx, holder[names.y] + way.dy
  if way.da ~= 0 then holder[names.angle] = (holder[names.angle] or 0) + way.da end
  moves.put(self, FN, actor)
end

-- Tells the characters whose floors were carried.
local function tellCharacters(self, scratch, platform, way)
  local found, wayX, wayY = scratch.found, scratch.wayX, scratch.wayY
  for rider, carrier in each.pairs(found) do
    local character = self._characters[rider]
    -- A character whose floor stays behind has another floor from now on.
    if character and rider ~= platform
      and not (found[character.floor] and walking.standsOn(character, character.floor)) then
      walking.changeFloor(character, carrier)
    end
  end
  for floor in each.pairs(found) do
    for _, character in ipairs(walking.on(self, floor)) do
      local rider = character.actor
      if character.floor == floor and walking.standsOn(character, floor) then
        walking.floorCarried(character, wayX[rider] or way.dx, wayY[rider] or way.dy)
      end
    end
  end
end

local function carry(self, scratch, actor, way, filter)
  reader.slotOf(self, FN, "actor", actor)
  moves.note(scratch.how.journal, self, actor, FN)
  moves.put(self, FN, actor)
  local angle
  way.x, way.y, angle = reader.place(FN, self, actor)
  if not check.isAngle(angle + way.da) then
    check.fail(FN, "angle + da", check.ANGLE, angle + way.da)
  end
  takeRiders(self, scratch, actor, way)
  pushAway(self, scratch, actor, way.dx, way.dy, filter)
  arrive(self, actor, way)
  squeeze(self, scratch, actor, filter, way.da ~= 0)
  tellCharacters(self, scratch, actor, way)
end

-- Carries in a locked world; if that fails, it puts all actors back.
local function carryOrUndo(self, actor, dx, dy, da, filter)
  local scratch = self._carrying or newScratch()
  self._carrying = scratch
  local crushed = check.none(FN)
  local way = scratch.way
  way.dx, way.dy, way.da = dx, dy, da
  local ok, message = pcall(lock.locked, self, FN, carry, scratch, actor, way, filter)
  if not ok then moves.undo(scratch.how.journal, self) end
  crushed, scratch.crushed = scratch.crushed or crushed, nil
  tidy(self, scratch)
  if not ok then error(message, 0) end
  return crushed, #crushed
end

local function checkAngle(self, actor, da)
  if not check.isAngle(da) then
    check.fail(FN, "da", check.ANGLE, da, "the filter goes after it")
  elseif da ~= 0 then
    if not self._names.angle then check.raise(FN .. ": this world reads no angle") end
    if not moves.isMovable(self, actor) then
      check.fail(FN, "da", "nothing or 0, since tiles do not turn", da)
    end
  end
end

--- Moves a platform by dx, dy, all the way, and turns it by da. Its riders go along: characters
--- with this `floor`, or with one that is flush with it, and actors on its upper side, neither
--- static nor sensors; and their riders, too. Actors in its way are pushed out of it.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param da number? radians; riders go where the point under them goes, and keep their angle
---@param filter collide.Filter? the actors that it pushes; by default all that it can hit
---@return collide.Actor[] crushed actors that still overlap it
---@return integer n
function World:carry(actor, dx, dy, da, filter, ...)
  if select("#", ...) > 0 then check.noMore(FN, TAKES, 5, ...) end
  moves.checkMove(self, FN, actor, dx, dy, nil, true)
  if da ~= nil then checkAngle(self, actor, da) end
  filters.groups(self, FN, filter)
  return lock.locked(self, FN, carryOrUndo, actor, dx, dy, da or 0, filter)
end
