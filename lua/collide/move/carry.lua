-- The move of a platform: it goes all the way, carries its riders, and pushes other actors out of
-- its way.

local require = require "collide.relative"
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
local TAKES = "an actor, dx, dy and filter"

-- The scratch tables of a world's carries, of which only one can go on at a time.
local function newScratch()
  return {
    list = {}, entries = {}, -- the entries of actors to be moved, in order; and all that were made
    found = {}, -- by rider: what carries it; and the platform
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
  empty(scratch.near)
  queries.drop(self._spareHits, how.into, 0)
  moves.clearJournal(how.journal)
  how.filter, how.response = nil, nil
end

-- Adds the riders of one actor to the list: characters on it, and actors on its upper side.
local function addRiders(self, scratch, platform, dx, dy)
  local actors, characters, found = self._actors, self._characters, scratch.found
  for _, character in ipairs(walking.on(self, platform)) do
    local actor = character.actor
    if character.floor == platform and not found[actor] and moves.isMovable(self, actor)
      and walking.standsOn(character, platform) then
      found[actor] = platform
      append(scratch, actor, dx, dy)
    end
  end
  local slots = self._carried
  for i = 1, 3 * self._core:riders(slots, self._slots[platform]), 3 do
    local actor = actors[slots[i]]
    local character = characters[actor]
    if not found[actor]
      and (not character or walking.rides(character, slots[i + 1], slots[i + 2])) then
      found[actor] = platform
      append(scratch, actor, dx, dy)
    end
  end
end

local function isBefore(a, b)
  for i = 1, 9 do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

-- The actors ahead go first, so that none is in another's way: those whose fronts are ahead, then
-- those whose backs are; of those abreast, the ones with the lower x, then y, then by their bounds.
local function order(self, scratch, dx, dy)
  for _, e in ipairs(scratch.list) do
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
local function takeRiders(self, scratch, platform, dx, dy)
  local list, at = scratch.list, 1
  scratch.found[platform] = platform
  addRiders(self, scratch, platform, dx, dy)
  while list[at] do
    addRiders(self, scratch, list[at].actor, dx, dy)
    at = at + 1
  end
  order(self, scratch, dx, dy)
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

-- Frees the actors that still overlap the platform, and lists those that it cannot free.
local function squeeze(self, scratch, platform, filter)
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
      free(self, scratch, actor)
      if moves.isInWalls(self, actor, platform) then
        scratch.crushed = scratch.crushed or {}
        table.insert(scratch.crushed, actor)
      end
    end
  end
end

local function carry(self, scratch, actor, dx, dy, filter)
  local names = self._names
  reader.slotOf(self, FN, "actor", actor)
  moves.note(scratch.how.journal, self, actor, FN)
  moves.put(self, actor)
  takeRiders(self, scratch, actor, dx, dy)
  pushAway(self, scratch, actor, dx, dy, filter)
  local holder = names.at and reader.holder(FN, self, actor) or actor
  holder[names.x], holder[names.y] = holder[names.x] + dx, holder[names.y] + dy
  moves.put(self, actor)
  squeeze(self, scratch, actor, filter)
  for rider, carrier in each.pairs(scratch.found) do
    local character = self._characters[rider]
    -- One whose floor stays behind has another from now on.
    if character and rider ~= actor and not scratch.found[character.floor] then
      walking.changeFloor(character, carrier)
    end
  end
  for floor in each.pairs(scratch.found) do
    for _, character in ipairs(walking.on(self, floor)) do
      if character.floor == floor then walking.floorCarried(character, dx, dy) end
    end
  end
end

-- Carries in a locked world; if that fails, it puts all actors back.
local function carryOrUndo(self, actor, dx, dy, filter)
  local scratch = self._carrying or newScratch()
  self._carrying = scratch
  local crushed = check.none(FN)
  local ok, message = pcall(lock.locked, self, FN, carry, scratch, actor, dx, dy, filter)
  if not ok then moves.undo(scratch.how.journal, self) end
  crushed, scratch.crushed = scratch.crushed or crushed, nil
  tidy(self, scratch)
  if not ok then error(message, 0) end
  return crushed, #crushed
end

--- Moves a platform by dx, dy, all the way. Its riders go along: characters with this `floor`, or
--- with one that is flush with it, and actors on its upper side, neither static nor sensors; and
--- their riders, too. Actors in its way are pushed out of it.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter? the actors that it pushes; by default all that it can hit
---@return collide.Actor[] crushed actors that still overlap it
---@return integer n
function World:carry(actor, dx, dy, filter, ...)
  if select("#", ...) > 0 then check.noMore(FN, TAKES, 4, ...) end
  moves.checkMove(self, FN, actor, dx, dy, nil, true)
  filters.groups(self, FN, filter)
  return lock.locked(self, FN, carryOrUndo, actor, dx, dy, filter)
end
