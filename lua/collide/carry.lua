-- A platform's own move: it goes all the way, with those who ride it, and pushes who is in it.

local check = require "collide.check"
local filters = require "collide.filters"
local journals = require "collide.journal"
local sweeps = require "collide.sweeps"

local select = select

---@class collide.World
local M = {}

local FN = "world:carry"
local TAKES = "an actor, dx, dy and filter"

-- Adds the riders of one actor to the list: characters that stand on it, and who lies on it.
local function addRiders(self, list, n, found, platform)
  local actors, slots = self._actors, self._slots
  for actor, character in pairs(self._characters) do
    if character.floor == platform and not found[actor] then
      found[actor] = true
      n = n + 1
      list[n] = actor
    end
  end
  local scratch = self._carried
  for i = 1, self._core:riders(scratch, slots[platform]) do
    local actor = actors[scratch[i]]
    local character = self._characters[actor]
    -- A character says itself what it stands on.
    if not found[actor] and not (character and character.floor ~= platform) then
      found[actor] = true
      n = n + 1
      list[n] = actor
    end
  end
  return n
end

-- Who rides it, in turn with those who ride them.
local function ridersOf(self, platform)
  local list, found = {}, { [platform] = true }
  local n, at = addRiders(self, list, 0, found, platform), 0
  while at < n do
    at = at + 1
    n = addRiders(self, list, n, found, list[at])
  end
  return list, found
end

-- Those ahead go first, so that nobody is in another's way.
local function sort(self, list, dx, dy)
  local names, slots = self._names, self._slots
  local ahead = {}
  for _, actor in ipairs(list) do ahead[actor] = actor[names.x] * dx + actor[names.y] * dy end
  table.sort(list, function(a, b)
    if ahead[a] ~= ahead[b] then return ahead[a] > ahead[b] end
    return slots[a] < slots[b]
  end)
end

-- Moves one rider along; what it rides is no obstacle to it.
local function take(self, journal, actor, dx, dy, platform)
  local character = self._characters[actor]
  if character then return character:_shove(dx, dy, platform, journal) end
  sweeps.sweep(self, FN, actor, dx, dy, nil, "slide", self._moveHits, platform, journal)
end

local function push(self, journal, platform, dx, dy, low, high, accepts, found)
  local list = self._carried
  local pushed = {}
  local n = self._core:inTheWay(list, self._slots[platform], dx, dy, low, high)
  for i = 1, n do
    local actor = self._actors[list[3 * i - 2]]
    if not found[actor] and (not accepts or accepts(actor)) then
      pushed[#pushed + 1] = { actor = actor, dx = list[3 * i - 1], dy = list[3 * i] }
    end
  end
  for _, one in ipairs(pushed) do take(self, journal, one.actor, one.dx, one.dy, platform) end
end

-- Moves who is in something out of it.
local function free(self, journal, actor)
  local character = self._characters[actor]
  local filter, response = nil, "slide"
  if character then filter, response = character._filter, character._response end
  sweeps.sweep(self, FN, actor, 0, 0, filter, response, self._moveHits, nil, journal)
end

-- Frees who still overlaps the platform; returns those who cannot be.
local function squeeze(self, journal, platform, filter)
  local names, crushed = self._names, {}
  if names.oneWay and platform[names.oneWay] then return crushed, 0 end
  local list, n = self:queryShape(platform, filter)
  for i = 1, n do
    local actor = list[i]
    local loose = not (names.static and actor[names.static] or names.sensor and actor[names.sensor])
    if loose and (filter or self:canHit(platform, actor))
      and sweeps.overlap(self, platform, actor) then
      free(self, journal, actor)
      if sweeps.overlap(self, platform, actor) then crushed[#crushed + 1] = actor end
    end
  end
  return crushed, #crushed
end

local function carry(self, journal, actor, dx, dy, filter)
  local low, high, accepts = filters.groups(self, FN, filter)
  if filter == nil then low, high = self._core:hitGroups(self._slots[actor]) end
  journals.note(journal, self, actor)
  sweeps.put(self, actor)
  local list, found = ridersOf(self, actor)
  sort(self, list, dx, dy)
  for _, rider in ipairs(list) do take(self, journal, rider, dx, dy, actor) end
  push(self, journal, actor, dx, dy, low, high, accepts, found)
  local names = self._names
  actor[names.x], actor[names.y] = actor[names.x] + dx, actor[names.y] + dy
  sweeps.put(self, actor)
  local crushed, n = squeeze(self, journal, actor, filter)
  for _, character in pairs(self._characters) do
    if found[character.floor] then character:_floorCarried(dx, dy) end
  end
  return crushed, n
end

--- Moves a platform by dx, dy, all the way. Who rides it goes along: characters whose `floor` it
--- is, and what lies on its upper side and is neither static nor a sensor; and who rides them. Who
--- is in its way is pushed out of it.
---@param actor table of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter? whom it pushes; without one whom it can hit
---@return table[] crushed who still overlaps it
---@return integer n
function M:carry(actor, dx, dy, filter, ...)
  if select("#", ...) > 0 then check.noMore(FN, TAKES, 4, ...) end
  sweeps.checkMove(self, FN, actor, dx, dy)
  filters.groups(self, FN, filter)
  local journal = {}
  local ok, crushed, n = pcall(carry, self, journal, actor, dx, dy, filter)
  if not ok then
    journals.undo(journal, self)
    error(crushed, 0)
  end
  return crushed, n
end

return M
