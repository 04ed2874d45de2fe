-- Reads actors and other placed tables for a world: finds an actor's slot, checks its fields, and
-- raises errors about bad ones. Each world has its own names for the fields. An error describes an
-- actor by its number in the order of adding, its name, group and place. To do so, fields are read
-- raw, along the chain of __index tables, since an __index function may have raised the error.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local filters = require "collide.world.filters"
local ignores = require "collide.world.ignores"

local type, rawget = type, rawget
local describe, isShape = core.describe, core.isShape
local readLook, oneWayOf = core.readOneWay, core.oneWayOf
local isCoordinate, isAngle = check.isCoordinate, check.isAngle
local MAX = check.MAX_COORDINATE

local M = {}

--- The world of each actor. The table is weak, so that it keeps neither alive; a world keeps its
--- own actors alive.
M.worldOf = setmetatable({}, { __mode = "kv" })

-- The longest chain of classes in which a field is looked up.
local MOST = 8

-- The class of an object: the table that is its __index.
local function classOf(object)
  local meta = debug.getmetatable(object)
  local class = type(meta) == "table" and rawget(meta, "__index")
  return type(class) == "table" and class or nil
end

local function raw(object, key)
  for _ = 1, MOST do
    local value = rawget(object, key)
    if value ~= nil then return value end
    object = classOf(object)
    if not object then return nil end
  end
end

-- The number of an actor in the order of adding, or nil if it is not in the world.
local function placeOf(world, actor)
  local slot, place = world._slots[actor], 0
  if not slot then return nil end
  for i = 1, slot do
    if world._actors[i] then place = place + 1 end
  end
  return place
end

--- How many of the first `n` slots of `list` belong to actors with an id of at most `id`. Without a
--- list, `n` counts all slots.
function M.countUpTo(ids, list, n, id)
  local low, high = 0, n
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if ids[list and list[middle] or middle] <= id then low = middle else high = middle - 1 end
  end
  return low
end

-- Stands in for a missing table.
local NOWHERE = {}

--- Describes an actor for errors, such as: actor 3 "boss" (group "foe", at 10, 20). The number is
--- its index in world:actors(), if it is there.
---@param world collide.World whose field names are used
---@return string
function M.describe(world, actor)
  local names = world._names
  local place, name = placeOf(world, actor), names.name and raw(actor, names.name)
  local group = names.group and raw(actor, names.group)
  local text = "actor"
  if place then text = ("%s %d"):format(text, place) end
  if type(name) == "string" then
    text = ("%s %s"):format(text, describe(name):match("^string (.*)$"))
  elseif type(name) == "number" then
    text = ("%s %s"):format(text, describe(name, true))
  end
  local holder = actor
  if names.at then holder = raw(actor, names.at) end
  if type(holder) ~= "table" then holder = NOWHERE end
  local at = ("at %s, %s"):format(describe(raw(holder, names.x), true),
    describe(raw(holder, names.y), true))
  if type(group) == "string" then
    return ("%s (group %s, %s)"):format(text, describe(group):match("^string (.*)$"), at)
  end
  return ("%s (%s)"):format(text, at)
end

--- Whether a value is a table with a shape, and so can be an actor of some world.
function M.isActor(world, value)
  return type(value) == "table" and isShape(raw(value, world._names.shape))
end

--- Raises an error: field `name` of an actor is not as expected.
function M.fail(fn, world, actor, name, expected, got, hint)
  check.fail(("%s: %s"):format(fn, M.describe(world, actor)), name, expected, got, hint)
end

--- Raises the error that argument `arg` of `fn` is not `expected`, an actor of this world in words.
function M.failActor(self, fn, arg, expected, got)
  if not M.isActor(self, got) then check.fail(fn, arg, expected, got) end
  check.raise(("%s: %s expected (%s), got %s, which %s"):format(fn, arg, expected,
    M.describe(self, got),
    M.worldOf[got] and "is in another world" or "was removed or never added"))
end

--- The slot of an actor. Raises when the actor is not in this world.
function M.slotOf(self, fn, arg, actor)
  local slot = type(actor) == "table" and self._slots[actor]
  if slot then return slot end
  M.failActor(self, fn, arg, "actor of this world", actor)
end

--- The shape of an actor as it was last read; its field may have changed since.
function M.shapeOf(self, actor)
  return self._shapes[self._slots[actor]]
end

-- The names of the parts of shapes, by shape; false for a shape whose parts have none.
local namesOf = setmetatable({}, { __mode = "k" })

--- The part of an actor with this number in the core: its name, if it has one, or the number.
---@param slot integer of the actor
---@param number integer? nil for none
---@return (string|integer)?
function M.part(world, slot, number)
  local shape = number and world._shapes[slot]
  if not shape then return number end
  local names = namesOf[shape]
  if names == nil then
    names = core.partNames(shape)
    namesOf[shape] = names
  end
  return names and names[number] or number
end

--- The answer of a cast; the core has given the part by its number.
function M.told(world, actor, x, y, nx, ny, t, number)
  if actor == nil then return nil end
  return actor, x, y, nx, ny, t, number and M.part(world, world._slots[actor], number)
end

--- The default names of the fields.
M.NAMES = { x = "x", y = "y", angle = "angle", shape = "shape", at = false }

-- A place is in a table: the actor, or the one in its field `names.at`.

-- The name of x, y or angle of a place in messages.
local function nameIn(names, name)
  return names.at and names.at .. "." .. name or name
end

local function holderText(names)
  return ("table with %s and %s"):format(names.x, names.y)
end

--- Raises the error that the coordinate or angle `name` of an actor, or their table, is `value`.
function M.failPlace(fn, world, actor, name, value)
  local names = world._names
  if name == names.at then M.fail(fn, world, actor, name, holderText(names), value) end
  M.fail(fn, world, actor, nameIn(names, name),
    name == names.angle and check.ANGLE or check.COORDINATE, value)
end

--- The table with the place of an actor: the actor, or in a world with a name for `at` the table in
--- that field. Raises an error if there is none.
function M.holder(fn, world, actor)
  local at = world._names.at
  if not at then return actor end
  local holder = actor[at]
  if type(holder) ~= "table" then M.failPlace(fn, world, actor, at, holder) end
  return holder
end

-- The place of an actor: x, y, angle; `holder` is the actor by default.
local function placeIn(fn, world, actor, holder)
  local names = world._names
  if not holder then holder = actor end
  local x, y = holder[names.x], holder[names.y]
  if not (type(x) == "number" and x >= -MAX and x <= MAX) then
    M.failPlace(fn, world, actor, names.x, x)
  end
  if not (type(y) == "number" and y >= -MAX and y <= MAX) then
    M.failPlace(fn, world, actor, names.y, y)
  end
  local angle = names.angle and holder[names.angle]
  if angle == nil or not names.angle then
    angle = 0
  elseif not isAngle(angle) then
    M.failPlace(fn, world, actor, names.angle, angle)
  end
  return x, y, angle
end

--- The function that reads the place of an actor, for `_place` of worlds with these names.
function M.placeReader(names)
  return not names.at and placeIn or function(fn, world, actor)
    return placeIn(fn, world, actor, M.holder(fn, world, actor))
  end
end

--- Whether these are the usual names of the fields of a place.
function M.areUsual(names)
  return names.x == "x" and names.y == "y" and names.angle == "angle" and not names.at
end

--- The place of an actor: x, y, angle.
function M.place(fn, world, actor)
  return world._place(fn, world, actor)
end

--- Shape, x, y and angle of an actor or another placed table, under these names, unchecked.
function M.placeOf(actor, names)
  local holder = names.at and actor[names.at] or actor
  return actor[names.shape], holder[names.x], holder[names.y],
    names.angle and holder[names.angle] or 0
end

-- The fields that are true, false or nil, and their bits of `stated`, as in csrc/lua/binding.h.
local FLAGS = { "static", "sensor", "swept" }
local STATES = { static = core.STATES_STATIC, sensor = core.STATES_SENSOR,
  oneWay = core.STATES_ONE_WAY, swept = core.STATES_SWEPT }

--- The direction that a one-way actor faces, as a boolean or string that is equal for equal ones.
function M.oneWay(x, y)
  local value = oneWayOf(x, y)
  return type(value) == "table" and ("{%.17g, %.17g}"):format(x, y) or value
end

-- Reads which way a one-way actor faces. Returns its bit of `stated` if the field is false, else 0.
local function readOneWay(fn, world, actor, fields)
  local name = world._names.oneWay
  local value = name and actor[name]
  if not value or value == true then
    fields.oneWay, fields.lookX, fields.lookY = value or false, 0, value and -1 or 0
    return name and value == false and STATES.oneWay or 0
  end
  local x, y = readLook(value)
  if not x then M.fail(fn, world, actor, name, core.EXPECTED.oneWay, value) end
  fields.oneWay, fields.lookX, fields.lookY = M.oneWay(x, y), x, y
  return 0
end

-- The list of the actors that the value of an actor's field `ignore` names.
local function ignoredBy(fn, world, actor, value)
  local part, expected, got = filters.wrongIgnore(world, world._names.ignore, value)
  if part then M.fail(fn, world, actor, part, expected, got) end
  return ignores.listOf(world, value)
end

-- Reads the fields that no step reads into a table: shape, group, the flags and ignore. `stated`
-- says which of the group and the flags are set, but to a value that means the same as nil.
local function readKind(fn, world, actor, fields)
  local names = world._names
  local shape = actor[names.shape]
  if not isShape(shape) then M.fail(fn, world, actor, names.shape, check.SHAPE, shape) end
  local group = names.group and actor[names.group]
  local stated = group == "default" and core.STATES_GROUP or 0
  if group == nil or not names.group then
    group = "default"
  elseif type(group) ~= "string" or group == "*" then
    M.fail(fn, world, actor, names.group, 'string, but not "*"', group)
  elseif world._declared and not world._groups[group] then
    M.fail(fn, world, actor, names.group, "one of this world's groups: " .. world._declared,
      group)
  end
  for i = 1, #FLAGS do
    local field = FLAGS[i]
    local name = names[field]
    local value = name and actor[name]
    if name and value ~= nil then
      if type(value) ~= "boolean" then M.fail(fn, world, actor, name, "boolean", value) end
      if not value then stated = stated + STATES[field] end
    end
    fields[field] = value or false
  end
  stated = stated + readOneWay(fn, world, actor, fields)
  fields.shape, fields.group, fields.stated = shape, group, stated
  local ignore
  if names.ignore then ignore = actor[names.ignore] end
  if ignore ~= nil then fields.ignore = ignoredBy(fn, world, actor, ignore) end
end

--- Raises the error that an actor of tiles has an angle.
function M.failTurned(fn, world, actor, angle)
  local names = world._names
  M.fail(fn, world, actor, nameIn(names, names.angle), "nil or 0, as its shape is tiles", angle)
end

-- Raises if an actor of tiles is turned or swept.
local function checkTiles(fn, world, actor, swept, angle)
  local names = world._names
  if swept then
    M.fail(fn, world, actor, names.swept, "nil or false, as its shape is tiles", swept)
  end
  if angle ~= 0 then M.failTurned(fn, world, actor, angle) end
end

local IN_PLACE = { x = true, y = true, angle = true }

--- The data that checkSpelling needs about a world's field names: each name by its lower-case form,
--- and the set of names. `place` has the same for the fields of a place, if they are in a table.
---@return table spelling names, isName, place
function M.spelling(names)
  local spelling = { names = {}, isName = {} }
  spelling.place = names.at and { names = {}, isName = {} }
  for field, name in each.pairs(names) do
    local of = names.at and IN_PLACE[field] and spelling.place or spelling
    if name then of.names[name:lower()], of.isName[name] = name, true end
  end
  return spelling
end

-- In a strict world: raises when an actor or one of its classes has a field whose name differs only
-- in case from the name of a field that the world reads, and that one is missing.
local function checkSpelling(fn, world, actor, spelling, holder)
  local object = holder
  for _ = 1, MOST do
    for key in each.next, object do
      local name = type(key) == "string" and spelling.names[key:lower()]
      if name and not spelling.isName[key] and holder[name] == nil then
        M.fail(fn, world, actor, "field", name, key, "upper and lower case differ")
      end
    end
    object = classOf(object)
    if not object then return end
  end
end

--- Reads all fields that `add` and `refresh` read; `fn` is the name of one of the two. Raises an
--- error for a bad field.
---@return table fields as named below; `stated`: which are set, but mean the same as nil
function M.actor(fn, world, actor)
  local spelling = world._spelling
  if spelling then checkSpelling(fn, world, actor, spelling, actor) end
  if spelling and spelling.place then
    checkSpelling(fn, world, actor, spelling.place, M.holder(fn, world, actor))
  end
  local fields = {
    by = fn, shape = false, group = false, static = false, sensor = false, oneWay = false,
    swept = false, x = 0, y = 0, angle = 0, lookX = 0, lookY = 0, stated = 0,
  }
  readKind(fn, world, actor, fields)
  fields.x, fields.y, fields.angle = M.place(fn, world, actor)
  if fields.shape:kind() == "tiles" then
    checkTiles(fn, world, actor, fields.swept, fields.angle)
  end
  return fields
end

--- The bits of event masks, as in csrc/collide.h, by the names of the fields.
M.EVENT_BITS = { enter = core.EVENT_ENTER, hit = core.EVENT_HIT, leave = core.EVENT_LEAVE,
  update = core.EVENT_UPDATE }

function M.hasBit(bits, bit)
  return math.floor(bits / bit) % 2 == 1
end

--- The actor's method `name`, false or nil; raises an error for a value that cannot be called.
function M.method(fn, world, actor, name)
  local f = actor[name]
  if f and type(f) ~= "function" and not check.isCallable(f) then
    M.fail(fn, world, actor, name, "function", f)
  end
  return f
end

--- Whether the actor has the method `name`; false if the world reads no such method (name is
--- false).
function M.hasMethod(fn, world, actor, name)
  return name and M.method(fn, world, actor, name) and true or false
end

--- Shape, x, y and angle of a placed table, which is the argument `arg` of `fn`.
function M.placed(fn, arg, placed, names)
  if type(placed) ~= "table" then check.table(fn, arg, placed, "table with shape, x and y") end
  local shape = placed[names.shape]
  if not isShape(shape) then check.fail(fn, arg .. "." .. names.shape, check.SHAPE, shape) end
  local holder = placed
  if names.at then
    arg, holder = arg .. "." .. names.at, placed[names.at]
    check.table(fn, arg, holder, holderText(names))
  end
  local x, y = holder[names.x], holder[names.y]
  if not isCoordinate(x) then check.fail(fn, arg .. "." .. names.x, check.COORDINATE, x) end
  if not isCoordinate(y) then check.fail(fn, arg .. "." .. names.y, check.COORDINATE, y) end
  local angle = names.angle and holder[names.angle]
  if angle == nil or not names.angle then return shape, x, y, 0 end
  if not isAngle(angle) then check.fail(fn, arg .. "." .. names.angle, check.ANGLE, angle) end
  return shape, x, y, angle
end

--- The same for two placed tables, the arguments `a` and `b`.
function M.pair(fn, a, b, names)
  local shape, x, y, angle = M.placed(fn, "a", a, names)
  return shape, x, y, angle, M.placed(fn, "b", b, names)
end

-- What was read -------------------------------------------------------------------

-- Lists the methods `events` that an actor has gained or lost since they were read. A method that
-- has not been read yet has not changed. Returns whether the actor had any.
local function addMethods(fn, world, actor, seen, events, changes)
  local heard = false
  for i = 1, #events do
    local name, bit = world._names[events[i]], M.EVENT_BITS[events[i]]
    local has = M.hasMethod(fn, world, actor, name)
    local had = has
    if not M.hasBit(seen.unread, bit) then had = M.hasBit(seen.mask, bit) end
    if has ~= had then
      changes[#changes + 1] = { name = name, what = had and " was removed" or " was added" }
    end
    heard = heard or had
  end
  return heard
end

local function textOf(value)
  return isShape(value) and tostring(value) or core.describe(value, true)
end

local KIND, PLACE = { "group", "static", "sensor", "oneWay", "swept" }, { "x", "y", "angle" }

-- Lists the fields that now differ from what was read.
local function addFields(world, seen, now, fields, changes)
  for i = 1, #fields do
    local field = fields[i]
    if now[field] ~= seen[field] then
      local name = world._names[field]
      if IN_PLACE[field] then name = nameIn(world._names, name) end
      changes[#changes + 1] = { name = name, what = (" was changed from %s to %s")
        :format(textOf(seen[field]), textOf(now[field])) }
    end
  end
end

--- Returns what add and refresh have read from an actor, by field, and `heard`: whether it has any
--- of the methods `events`; and a list of the changes since, { name =, what = in words }, a static
--- actor's place included. `now` has the current values of the fields, as M.actor returns them.
function M.seen(fn, world, actor, now, events)
  local seen, changes = {}, {}
  local isSame
  seen.shape, isSame, seen.x, seen.y, seen.angle, seen.number, seen.static, seen.sensor,
    seen.swept, seen.lookX, seen.lookY, seen.mask, seen.unread =
    world._core:actor(world._slots[actor], now.shape)
  seen.oneWay = M.oneWay(seen.lookX, seen.lookY)
  for name, number in each.pairs(world._groups) do
    if number == seen.number and name ~= "*" then seen.group = name end
  end
  if not isSame then addFields(world, seen, now, { "shape" }, changes) end
  addFields(world, seen, now, KIND, changes)
  if not ignores.areSame(ignores.of(world, actor), now.ignore) then
    changes[#changes + 1] = { name = world._names.ignore, what = " was changed" }
  end
  if seen.static then addFields(world, seen, now, PLACE, changes) end
  seen.heard = addMethods(fn, world, actor, seen, events, changes)
  return seen, changes
end

local EVENTS = { "enter", "hit", "leave", "update" }

--- Raises when a field that is read only once has changed since.
function M.checkUnchanged(fn, world, actor)
  local now = {}
  readKind(fn, world, actor, now)
  if now.static then now.x, now.y, now.angle = M.place(fn, world, actor) end
  local _, changes = M.seen(fn, world, actor, now, EVENTS)
  local first = changes[1]
  if not first then return end
  check.raise(("%s: %s: %s%s after %s; call world:refresh(actor)"):format(fn,
    M.describe(world, actor), first.name, first.what, world._readBy[actor] or "world:add"))
end

-- The bits that core:seen returns for each actor, as in csrc/lua/world.c, plus GROUP * its group.
local STATIC, SENSOR, ONE_WAY, SWEPT = 1, 2, 4, 8
local ENTER, HIT, LEAVE, UPDATE, GROUP = 16, 32, 64, 128, 256

local looksSame = ignores.looksSame

-- Each name is an upvalue that never changes, which LuaJIT treats as a constant.
local function newCompare(names)
  local shape, group, x, y, angle = names.shape, names.group, names.x, names.y, names.angle
  local static, sensor, oneWay, swept = names.static, names.sensor, names.oneWay, names.swept
  local enter, hit, leave, update = names.enter, names.hit, names.leave, names.update
  local ignore, at = names.ignore, names.at
  return function(world, seen, count, updates)
    local actors, shapes, groups = world._actors, world._shapes, world._groups
    local lists = world._ignores and world._ignores.lists
    for i = 1, 7 * count, 7 do
      local slot = seen[i]
      local actor = actors[slot]
      local kind = GROUP * (groups[group and actor[group] or "default"] or -1)
      local isStatic = static and actor[static]
      local holder = actor
      if isStatic then
        kind = kind + STATIC
        if at then holder = type(actor[at]) == "table" and actor[at] or NOWHERE end
      end
      if sensor and actor[sensor] then kind = kind + SENSOR end
      local look, lookX, lookY = oneWay and actor[oneWay], 0, -1
      if look then kind = kind + ONE_WAY end
      if look and look ~= true then lookX, lookY = readLook(look) end
      if swept and actor[swept] then kind = kind + SWEPT end
      if enter and actor[enter] then kind = kind + ENTER end
      if hit and actor[hit] then kind = kind + HIT end
      if leave and actor[leave] then kind = kind + LEAVE end
      if updates and update and actor[update] then kind = kind + UPDATE end
      local named = ignore and actor[ignore]
      if kind ~= seen[i + 1] or actor[shape] ~= shapes[slot]
        or look and (lookX ~= seen[i + 5] or lookY ~= seen[i + 6])
        or (named or lists) and not looksSame(lists and lists[actor], named or nil)
        or isStatic and (holder[x] ~= seen[i + 2] or holder[y] ~= seen[i + 3]
          or (angle and holder[angle] or 0) ~= seen[i + 4]) then
        M.checkUnchanged("world:step", world, actor)
      end
    end
  end
end

-- By table of names. All worlds with the usual names share one.
local compareOf = setmetatable({}, { __mode = "k" })

--- A function(world, seen, count, updates) that raises when a field that is read only once has
--- changed: it compares `count` actors with what core:seen returned. Without `updates` it ignores
--- the method update.
function M.compareOf(world)
  local compare = compareOf[world._names] or newCompare(world._names)
  compareOf[world._names] = compare
  return compare
end

return M
