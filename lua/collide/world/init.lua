-- The World class: creates a world from its options, and adds and removes actors. The geometry is
-- in the core. Other files add further methods to the class.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local filters = require "collide.world.filters"
local ignores = require "collide.world.ignores"
local accelerator = require "collide.ffi.frame"
local bullets = require "collide.bullets"
local moves = require "collide.move"
local walking = require "collide.character.walk"
local strides = require "collide.ffi.stride"
local each = require "collide.each"
local steps = require "collide.world.step"

local select = select

local checkOpen, checkIdle = lock.checkOpen, lock.checkIdle
local checkCall, checkChange, changing = lock.checkCall, lock.checkChange, lock.changing
local slotOf, groupNumber, worldOf = reader.slotOf, filters.groupNumber, reader.worldOf

---@class collide
local M = {}

-- Options -------------------------------------------------------------------------

local NEW = "collide.newWorld"

-- The options that cannot be changed later. A game may set width and height to any value, since
-- they are only hints.
local FIXED = {
  broadphase = true, depth = true, loose = true, touching = true, groups = true, rules = true,
  fields = true, strict = true,
}

--- The names of the broad phases; "auto" lets the world choose.
M.BROADPHASES = { "auto", "grid", "quadtree", "incremental", "brute" }

local IS_BROADPHASE = {}
for _, name in ipairs(M.BROADPHASES) do IS_BROADPHASE[name] = true end

-- The optional fields of an actor, and below all fields that a world reads. Usually `at` has no
-- name, and x, y and angle are in the actor; otherwise they are in the table in that field.
local OPTIONAL = {
  at = true, angle = true, group = true, static = true, sensor = true, oneWay = true, swept = true,
  ignore = true,
  name = true, hit = true, enter = true, leave = true, update = true, draw = true,
  toSnapshot = true, fromSnapshot = true,
}
local FIELDS = { x = true, y = true, shape = true }
for field in each.pairs(OPTIONAL) do FIELDS[field] = true end

-- The default names, by field.
local USUAL = {}
for field in each.pairs(FIELDS) do USUAL[field] = field ~= "at" and field end

local function fieldsOf(_, _, given)
  if given == nil then return USUAL end
  local names = {}
  for field, name in each.pairs(USUAL) do names[field] = name end
  check.table(NEW, "fields", given)
  check.keys(NEW, "key of fields", given, FIELDS)
  for field, name in each.pairs(given) do
    if not (type(name) == "string" or name == false and OPTIONAL[field]) then
      check.fail(NEW, "fields." .. field, OPTIONAL[field] and "string or false" or "string", name)
    end
    names[field] = name
  end
  return names
end

-- The option `groups` as a list without repetitions, with "default" first.
local function groupsOf(_, _, given)
  check.table(NEW, "groups", given, "list of group names")
  local list, known = { "default" }, { default = true }
  for i = 1, check.length(NEW, "groups", given) do
    local name = check.group(NEW, ("groups[%d]"):format(i), given[i])
    if not known[name] then list[#list + 1] = name end
    known[name] = true
  end
  if #list > core.MAX_GROUPS then
    check.raise(("%s: groups expected (at most %d, \"default\" among them), got %d"):format(NEW,
      core.MAX_GROUPS, #list))
  end
  return list
end

local function rulesOf(_, _, given)
  check.table(NEW, "rules", given)
  local list = {}
  for i = 1, check.length(NEW, "rules", given) do
    local pair, name = given[i], ("rules[%d]"):format(i)
    check.table(NEW, name, pair, 'pair of group names such as {"player", "foe"}')
    local n = check.length(NEW, name, pair)
    if n == 3 and pair[3] ~= "first" then
      check.fail(NEW, name .. "[3]", '"first" or nothing', pair[3])
    elseif n ~= 2 and n ~= 3 then
      check.raise(("%s: %s expected (pair of group names), got %d names"):format(NEW, name, n))
    end
    list[i] = {
      check.string(NEW, name .. "[1]", pair[1]),
      check.string(NEW, name .. "[2]", pair[2]),
      pair[3],
    }
  end
  return list
end

---@class collide.Options
---@field width? number a hint for the broad phase; game code can read it as world.width
---@field height? number
---@field broadphase? "auto"|"grid"|"quadtree"|"incremental"|"brute"
---@field depth? integer levels of a quadtree below the whole field, 1 to 16
---@field loose? boolean a quadtree's cells overlap
---@field touching? boolean sharing only a boundary is a hit
---@field groups? string[] all groups that exist, besides "default": any other name raises an error
---@field rules? string[][] {a, b[, "first"]}: groups that hit, "*": any; "first": only a gets calls
---@field fields? collide.Fields the names under which actors are read
---@field strict? boolean finds a forgotten refresh; nil: of 32 actors; true: also misspellings

local optional = check.optional

local OPTIONS = {
  width = optional(check.size), height = optional(check.size),
  broadphase = optional(check.choice("one of " .. table.concat(M.BROADPHASES, ", "), IS_BROADPHASE),
    "auto"),
  depth = optional(check.whole(1, core.BROAD_MAX_DEPTH), 0),
  loose = check.flag, touching = check.flag, strict = optional(check.boolean),
  groups = optional(groupsOf), rules = optional(rulesOf), fields = fieldsOf,
}

-- The world -----------------------------------------------------------------------

---@class collide.World
---@field width number? the option of newWorld
---@field height number?
local World = lock.World

local META = {
  __index = World,
  __newindex = check.fixed("world", NEW, FIXED),
  __name = "collide.World",
}

for _, part in ipairs { "world.step", "world.hits", "world.queries", "move.carry", "move.turn",
  "character", "snapshot.restore", "snapshot.diff" } do
  require("collide." .. part) -- they add methods
end

local WEAK = { __mode = "v" }

-- Adds the groups that exist, and the rules for which of them hit each other, from the options.
local function addRules(self, groups, rules)
  if groups then
    filters.nameGroups(self, NEW, "groups", groups)
    self._declared = table.concat(groups, ", ")
  end
  for i, pair in ipairs(rules or {}) do
    local name = ("rules[%d]"):format(i)
    self._core:setRule(groupNumber(self, NEW, name, pair[1]),
      groupNumber(self, NEW, name, pair[2]), true, pair[3] == "first")
  end
end

-- The fields of a new world, for checked options.
local function fieldsFor(o)
  return {
    width = o.width,
    height = o.height,
    _core = core.newWorld(o.width or 0, o.height or 0, o.broadphase, o.depth, o.loose, o.touching,
      o.rules ~= nil),
    _touching = o.touching,
    _names = o.fields, _place = reader.placeReader(o.fields),
    _actors = {}, -- by slot: the actor, or false when it was removed
    _ghosts = {}, -- by slot: a removed actor with a pending `leave`, or false
    _ids = {}, -- by slot: its actor's id; ids count the calls of add
    _shapes = {}, -- by slot: the shape as it was read
    _lastId = 0,
    _slots = {}, -- by actor: its slot
    _strict = o.strict,
    _checks = {}, -- scratch of steps: what was read from the actors that they check
    _checkedId = 0, -- of the last actor that a step has checked
    _updates = false, -- methods `update` have been read
    _readBy = {}, -- by actor: "world:refresh" or "world:restore", or nil if add has read it
    _ignores = false, -- the actors that actors ignore, see ignores.lua
    _stated = {}, -- by actor: which fields state their default, see reader.lua
    _spelling = o.strict and reader.spelling(o.fields), -- to find misspelled fields
    _groups = { ["*"] = core.MAX_GROUPS },
    _groupCount = 0,
    _pulled = false, -- places have been read for a step that has not begun
    _lock = false, -- what the call that holds the lock does, see lock.lua
    _updating = false, -- the actor whose update has begun and not ended
    _how = {}, -- see move/init.lua
    _carried = {}, -- scratch of carry: slots
    _characters = {}, -- by actor: its character controller
    _riders = {}, -- by floor: the list of the characters on it
    _spareRiders = {}, -- empty lists to reuse
    _serial = 0, -- counts steps
    _changes = 0, -- counts steps and removals
    _restores = 0, -- counts restores, each of which ends an update
    _rosters = setmetatable({}, WEAK), -- its actors in the last snapshot, see snapshot/init.lua
    _waiting = nil, -- by actor: the restored state of characters that are not made yet
    _frame = 0, -- counts steps, for a trace
    _pools = {}, -- of bullets, in the order in which they were made
    _layout = 0, -- counts what moves slots: loops over slots in progress must find their place
    _updaters = {}, -- slots of actors with an update
    _updaterCount = 0,
    _updatersStale = false,
    _pending = {}, -- scratch: slots of actors whose methods have not been read yet
    _heard = {}, -- scratch: the event masks of these actors
    _spareLoop = nil, -- the state of a finished hits() loop to reuse
    _spareHits = {}, _spareRays = {}, -- records that no list holds, see queries.lua
    _spareKept = nil, -- a scratch table of queries with a filter function, see queries.lua
    _filmed = nil, -- its film under tests, see film/failures.lua
    _held = 0, -- seconds that advance has not used yet
    _stats = {
      actors = 0, candidates = 0, hits = 0, pull = 0, find = 0, dispatch = 0,
      broadphase = o.broadphase == "auto" and "grid" or o.broadphase,
    },
  }
end

--- Makes a world without actors.
---@param options collide.Options?
---@return collide.World
function M.newWorld(options, ...)
  core.checkDot(options, NEW)
  check.noMore(NEW, "one table {width = …, height = …, …}", 1, ...)
  if options == nil then options = {} end
  local o = check.options(NEW, "options", options, "table {width = …, height = …, …}", OPTIONS)
  local self = setmetatable(fieldsFor(o), META)
  self._event = self._core:events(self._actors, self._ghosts)
  local names = self._names
  -- For fronts, as in csrc/lua/binding.h. Without a name for x they leave moves to Lua.
  self._direct = { self._core, self._actors, self._slots, self._groups, not names.at and names.x,
    names.y, names.angle, self._spareHits }
  self._io = accelerator and accelerator.open(self._core)
  self._rays = accelerator and accelerator.isOn() and accelerator.rays(self._io)
  moves.open(self)
  self._stride = strides and self._isFast and strides.of(names)
  addRules(self, o.groups, o.rules)
  if steps.onNew then steps.onNew(self) end
  return self
end

function META:__tostring()
  local n = self:count()
  return ("world(%d actor%s)"):format(n, n == 1 and "" or "s")
end

-- Keeps what snapshots need to know about the fields that were read.
local function see(self, actor, fields)
  if fields.stated > 0 or self._stated[actor] then
    self._stated[actor] = fields.stated > 0 and fields.stated or nil
  end
end

-- After an actor has jumped: the characters on it stay where they are.
local function leaveRiders(self, actor)
  for _, character in ipairs(walking.on(self, actor)) do
    if character.floor == actor then walking.floorCarried(character, 0, 0) end
  end
end

-- Gives an actor a slot in the core and in the lists. All allocations of Lua come first: if one
-- fails, nothing has changed.
local insert = lock.whole(function(self, actor, fields)
  local owner = worldOf[actor]
  if owner and owner._slots[actor] then
    check.raise(("world:add: %s is already in %s"):format(reader.describe(owner, actor),
      owner == self and "this world" or "another world; remove it from that one first"))
  end
  local number = groupNumber(self, "world:add", "group", fields.group)
  leaveRiders(self, actor) -- if it was their floor before it was removed
  worldOf[actor] = self
  local slot, moved =
    self._core:makeRoom(self._actors, self._ghosts, self._ids, self._shapes, self._slots)
  if moved then self._layout, self._updatersStale = self._layout + 1, true end
  self._actors[slot], self._ghosts[slot], self._ids[slot] = false, false, self._lastId + 1
  self._shapes[slot] = fields.shape
  see(self, actor, fields)
  local joined = (fields.ignore or self._ignores)
    and ignores.enter(self, actor, slot, fields.ignore) or nil
  self._slots[actor] = slot
  self._slots[actor] = nil -- now the table has room
  local added = self._core:add(fields.shape, fields.x, fields.y, fields.angle, number,
    fields.static, fields.sensor, fields.swept, fields.lookX, fields.lookY, joined)
  if not added then error "not enough memory" end
  self._slots[actor], self._actors[slot], self._lastId = slot, actor, self._lastId + 1
end)

--- Adds an actor: any table with shape, x and y.
---@generic T: table
---@param actor T|collide.Actor
---@return T actor
function World:add(actor, ...)
  lock.checkWorld(self, "world:add")
  if select("#", ...) > 0 then check.noMore("world:add", "one table {x, y, shape, …}", 1, ...) end
  check.table("world:add", "actor", actor, "table {x, y, shape, …}")
  local fields = reader.actor("world:add", self, actor)
  checkIdle(self, "world:add")
  changing(self, "world:add", insert, actor, fields)
  return actor
end

-- The angle of an actor after a teleport: the given one, or else the current one.
local function angleAfter(self, fn, actor, holder, angle)
  local name = self._names.angle
  if angle == nil then
    angle = name and holder[name]
    if angle == nil or not name then return 0 end
    if not check.isAngle(angle) then reader.failPlace(fn, self, actor, name, angle) end
    if angle ~= 0 and reader.shapeOf(self, actor):kind() == "tiles" then
      reader.failTurned(fn, self, actor, angle)
    end
    return angle
  end
  if not name then
    check.fail(fn, "angle", "nothing, since this world reads no angle", angle)
  elseif not check.isAngle(angle) then
    check.fail(fn, "angle", check.ANGLE, angle)
  end
  if angle ~= 0 and reader.shapeOf(self, actor):kind() == "tiles" then
    check.fail(fn, "angle", "nothing or 0, since tiles do not turn", angle)
  end
  return angle
end

-- Puts an actor at its new place in the core.
local function jump(self, actor, x, y, angle)
  local slot = self._slots[actor]
  if not slot then return end -- a __newindex has removed it
  self._core:teleport(slot, x, y, angle)
  local character = self._characters[actor]
  if character then walking.teleported(character) end
  leaveRiders(self, actor)
end

--- Moves an actor at once: writes the place into its fields, and queries find it there. This is a
--- jump: bullets, swept actors and interpolate ignore the path in between.
---@param actor collide.Actor
---@param x number
---@param y number
---@param angle number? radians; by default unchanged
function World:teleport(actor, x, y, angle, ...)
  local fn = "world:teleport"
  checkOpen(self, fn)
  slotOf(self, fn, "actor", actor)
  check.point(fn, x, y)
  if select("#", ...) > 0 then check.noMore(fn, "an actor, x, y and an angle", 4, ...) end
  checkIdle(self, fn)
  local names = self._names
  local holder = reader.holder(fn, self, actor)
  local after = angleAfter(self, fn, actor, holder, angle)
  holder[names.x], holder[names.y] = x, y
  if angle ~= nil then holder[names.angle] = angle end
  changing(self, fn, jump, actor, x, y, after)
end

local remove = lock.whole(function(self, actor)
  local slot = self._slots[actor]
  if not slot then return false end
  if self._characters[actor] then walking.unlist(self._characters[actor]) end
  local pending = self._core:remove(slot)
  self._changes = self._changes + 1
  self._actors[slot] = false
  self._ghosts[slot] = pending and actor
  self._shapes[slot] = false
  self._slots[actor] = nil
  worldOf[actor] = nil
  self._characters[actor] = nil
  if self._waiting then self._waiting[actor] = nil end
  self._stated[actor], self._readBy[actor] = nil, nil
  if self._ignores then self._ignores.lists[actor] = nil end
  return true
end)

--- Removes an actor. If it overlapped others, its `leave` comes in the next step.
---@param actor collide.Actor
---@return boolean removed false when it was not in this world
function World:remove(actor, ...)
  checkOpen(self, "world:remove")
  check.table("world:remove", "actor", actor)
  if select("#", ...) > 0 then check.noMore("world:remove", "one actor", 1, ...) end
  checkIdle(self, "world:remove")
  return changing(self, "world:remove", remove, actor)
end

local function clear(self)
  local actors = self._actors
  if self._ignores then ignores.clear(self) end
  for slot = 1, #actors do
    if actors[slot] then remove(self, actors[slot]) end
  end
  bullets.clear(self)
end

--- Removes all actors and empties the pools of bullets.
function World:clear(...)
  checkChange(self, "world:clear", "no arguments", 0, ...)
  changing(self, "world:clear", clear)
end

--- Whether an actor is in this world.
---@param actor collide.Actor
---@return boolean
function World:has(actor, ...)
  checkCall(self, "world:has", "one actor", 1, ...)
  check.table("world:has", "actor", actor)
  return self._slots[actor] ~= nil
end

local function readAll(self)
  local actors = self:actors()
  local list = {}
  for i, actor in ipairs(actors) do
    list[i] = reader.actor("world:refresh", self, actor)
  end
  return actors, list
end

-- Everything that can fail comes before the first change.
local refresh = lock.whole(function(self, actors, list)
  local slots, groups = {}, {}
  for i, actor in ipairs(actors) do
    slots[i] = slotOf(self, "world:refresh", "actor", actor)
    groups[i] = list[i].group
    self._readBy[actor] = self._strict ~= false and "world:refresh" or nil
  end
  filters.nameGroups(self, "world:refresh", "group", groups)
  local ignoring = self._ignores
  for _, r in ipairs(list) do
    if r.angle ~= 0 then self._core:useAngles() end
    ignoring = ignoring or r.ignore
  end
  if ignoring then ignores.replace(self, actors, list) end
  for i, r in ipairs(list) do
    self._core:refresh(slots[i], r.shape, r.x, r.y, r.angle, self._groups[r.group], r.static,
      r.sensor, r.swept, r.lookX, r.lookY)
    self._shapes[slots[i]] = r.shape
    see(self, actors[i], r)
  end
end)

local function refreshAll(self)
  refresh(self, readAll(self))
end

--- Reads again the fields of an actor that are otherwise read only once, such as shape and group;
--- for a static actor also its place.
---@param actor collide.Actor? default: all actors
function World:refresh(actor, ...)
  checkChange(self, "world:refresh", "one actor or none", 1, ...)
  if actor == nil then
    lock.guarded(self, "world:refresh", refreshAll)
  else
    slotOf(self, "world:refresh", "actor", actor)
    local read = reader.actor("world:refresh", self, actor)
    checkIdle(self, "world:refresh")
    changing(self, "world:refresh", refresh, { actor }, { read })
  end
end

return M
