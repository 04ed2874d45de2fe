-- Takes snapshots of a World, and packs them. The core copies its own state; this file adds the
-- actors, their fields and the rest of the Lua side's state. A packed snapshot has these as a flat
-- list of values after the core's bytes: a string that is the same on every Lua and machine.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local characters = require "collide.character"
local each = require "collide.each"
local lock = require "collide.world.lock"
local random = require "collide.random"
local ignores = require "collide.world.ignores"
local reader = require "collide.world.reader"
local queries = require "collide.world.queries"
local accelerator = require "collide.ffi.frame"
local fast = require "collide.ffi.fields"

local type, select, ipairs = type, select, ipairs

local FN = "world:snapshot"

--- Values in lists: NOTHING stands for nil, LEFT for a value that is left to the actor's own
--- `toSnapshot`.
local NOTHING, LEFT = {}, {}

--- A world at one moment.
---@class collide.Snapshot
local Snapshot = {}
Snapshot.__index = Snapshot
Snapshot.__name = "collide.Snapshot"

local M = { class = Snapshot, NOTHING = NOTHING, LEFT = LEFT }

function Snapshot:__tostring()
  local n = self._filled and self._count or 0
  return ("snapshot(%d actor%s)"):format(n, n == 1 and "" or "s")
end

function M.is(value)
  return type(value) == "table" and getmetatable(value) == Snapshot
end

--- Raises when `self` is not a snapshot, or when filling it has failed.
function M.checkSelf(self, fn)
  if not M.is(self) then
    check.fail(fn, "self", "snapshot", self, "call it with a colon")
  elseif not self._filled then
    check.raise(fn .. ": attempt to use a snapshot that was not completed")
  end
end

--- Makes an empty snapshot around the core's userdata.
function M.of(userdata)
  return setmetatable({
    _core = userdata,
    _io = fast and fast.open(userdata) or nil,
    _filled = false,
    _count = 0, -- actors
    _fields = {}, -- the names of the held fields
    _values = {}, -- the values of the first field by slot, then those of the second, and so on
    _savers = {}, -- slots of the actors with a `toSnapshot`
    _saved = {}, -- the values that they have saved
    _saverCount = 0,
    _randoms = { [0] = random.class }, -- generators among the values, maybe repeated
    _words = {}, -- their states
    _pools = {},
    _ignored = {}, -- by pool: the list of actors that it ignores, or false
    _characters = {}, -- the lists of characters.keep
    _characterCount = 0,
  }, Snapshot)
end

-- Rosters -----------------------------------------------------------------------

-- A roster lists the actors of a world by slot. Snapshots share it until an actor is added, removed
-- or refreshed, which changes core:edits(): it is current as long as that equals `edits`. `users`
-- counts the snapshots that have it; a roster that only one snapshot has is refilled. Only
-- snapshots keep a roster alive: world._rosters, which holds the current one at 1, is weak.

local function fillRoster(roster, world, edits)
  local actors, ghosts, shapes = world._actors, world._ghosts, world._shapes
  local stated = next(world._stated) and world._stated
  roster.world, roster.edits, roster.kinds = nil, edits, nil
  for slot = 1, #actors do
    roster.actors[slot], roster.ghosts[slot] = actors[slot], ghosts[slot]
    roster.shapes[slot] = shapes[slot]
    roster.stated[slot] = stated and stated[actors[slot]] or 0
  end
  for _, name in ipairs { "actors", "ghosts", "shapes", "stated" } do
    queries.cut(roster[name], #actors)
  end
  roster.ignores = ignores.copy(world)
  roster.world = world
end

--- Whether a roster lists the present actors of a world.
function M.isCurrent(world, roster)
  return roster and world._rosters[1] == roster and roster.world == world
    and roster.edits == world._core:edits()
end

local function setRoster(snapshot, world, edits)
  local roster, old = world._rosters[1], snapshot._roster
  if not (roster and roster.world == world and roster.edits == edits) then
    roster = old and old.users == 1 and old
      or { actors = {}, ghosts = {}, shapes = {}, stated = {}, users = 0 }
    fillRoster(roster, world, edits)
    world._rosters[1] = roster
  end
  if roster == old then return end
  if old then old.users = old.users - 1 end
  roster.users = roster.users + 1
  snapshot._roster = roster
end

-- Fields --------------------------------------------------------------------------

local VALUE = "number, string, boolean, nil, random or actor of this world"

local function failField(world, actor, name, value)
  local names = world._names
  if names.at then
    reader.place(FN, world, actor)
  elseif name == names.x or name == names.y or name == names.angle then
    reader.failPlace(FN, world, actor, name, value)
  end
  local to, from = names.toSnapshot, names.fromSnapshot
  local hint = to and from and ("methods %s and %s of the actor could take it"):format(to, from)
  reader.fail(FN, world, actor, name, VALUE, value, hint)
end

-- The names of a world's fields without `toSnapshot`.
local function plainNames(world)
  if not world._plainNames then
    local names = {}
    for field, name in each.pairs(world._names) do names[field] = name end
    names.toSnapshot = false
    world._plainNames = names
  end
  return world._plainNames
end

local function readFields(snapshot, world, isPlain)
  local names = isPlain and plainNames(world) or world._names
  local fields, values = snapshot._fields, snapshot._values
  local need = #fields * #world._actors
  for i = #values + 1, need do values[i] = NOTHING end
  local on = fast and accelerator.isOn()
  local read, from = core.readFields, world._core
  if on then read, from = fast.readFields, snapshot._io end
  local n, slot, name, value = read(from, snapshot._core, world._actors, names, fields,
    values, NOTHING, LEFT, world._slots, snapshot._savers, snapshot._randoms)
  if not n then failField(world, world._actors[slot], name, value) end
  queries.cut(values, need)
  queries.cut(snapshot._savers, n)
  queries.cut(snapshot._randoms, slot)
  snapshot._saverCount = n
end

local function isValue(world, value)
  local kind = type(value)
  return kind == "number" or kind == "string" or kind == "boolean" or value == nil
    or world._slots[value] ~= nil or random.is(value)
end

-- Calls the actors' own `toSnapshot`.
local function save(snapshot, world)
  local to, from, saved = world._names.toSnapshot, world._names.fromSnapshot, snapshot._saved
  for i = 1, snapshot._saverCount do
    local actor = world._actors[snapshot._savers[i]]
    if not (from and reader.method(FN, world, actor, from)) then
      reader.fail(FN, world, actor, from or "fromSnapshot",
        ("function, since it has %s"):format(to), from and actor[from])
    end
    local value = reader.method(FN, world, actor, to)(actor)
    if not isValue(world, value) then
      reader.fail(FN, world, actor, "what " .. to .. " returns", VALUE, value)
    end
    if random.is(value) then snapshot._randoms[#snapshot._randoms + 1] = value end
    if value == nil then value = NOTHING end
    saved[i] = value
  end
  queries.cut(saved, snapshot._saverCount)
end

-- Copies the states of the generators.
local function keepRandoms(snapshot)
  local randoms, words = snapshot._randoms, snapshot._words
  local size = random.WORDS
  for i = 1, #randoms do
    for k = 1, size do words[(i - 1) * size + k] = randoms[i][k] end
  end
  queries.cut(words, #randoms * size)
end

--- Writes the states of a snapshot's generators back into them.
function M.putRandoms(snapshot)
  local randoms, words = snapshot._randoms, snapshot._words
  local size = random.WORDS
  for i = 1, #randoms do
    for k = 1, size do randoms[i][k] = words[(i - 1) * size + k] end
  end
end

-- Taking snapshots ------------------------------------------------------------------

local function setFields(snapshot, fields)
  local kept = snapshot._fields
  local n = fields and #fields or 0
  for i = 1, n do kept[i] = fields[i] end
  queries.cut(kept, n)
end

local function fill(world, snapshot, fields, isPlain)
  snapshot._filled = false
  setFields(snapshot, fields)
  setRoster(snapshot, world, world._core:snapshot(snapshot._core))
  readFields(snapshot, world, isPlain)
  save(snapshot, world)
  keepRandoms(snapshot)
  snapshot._count = world._core:counts()
  local pools = world._pools
  for i = 1, #pools do snapshot._pools[i], snapshot._ignored[i] = pools[i], pools[i]._ignored end
  queries.cut(snapshot._pools, #pools)
  queries.cut(snapshot._ignored, #pools)
  snapshot._characterCount = characters.keep(world, snapshot._characters, NOTHING)
  snapshot._world = world
  snapshot._held, snapshot._pulled, snapshot._frame = world._held, world._pulled, world._frame
  snapshot._checked = reader.countUpTo(world._ids, nil, #world._ids, world._checkedId)
  snapshot._filled = true
end

--- Checks the argument `fields` of `fn`: nil, or a list of names.
function M.checkFields(fn, fields)
  if fields == nil then return end
  check.list(fn, "fields", fields, "list of names of fields")
  for i = 1, check.length(fn, "fields", fields) do
    if type(fields[i]) ~= "string" then
      check.fail(fn, ("fields[%d]"):format(i), "string", fields[i])
    end
  end
end

--- As World.snapshot, for checked arguments. If `isPlain`, as in the films of tests, the actors'
--- own `toSnapshot` is not called.
function M.take(world, fields, into, isPlain)
  local snapshot = into or M.of(core.newSnapshot())
  lock.checkIdle(world, FN)
  if snapshot._world then lock.checkIdle(snapshot._world, FN) end -- it may be reading this one
  lock.guarded(world, FN, fill, snapshot, fields, isPlain)
  return snapshot
end

---@class collide.World
local World = lock.World

--- Takes a snapshot of the world. It holds the actors in their order with their present and last
--- places, the callbacks that have been called and those still to be called, the rules of groups,
--- pools, characters, the grids of tiles, and the named fields of each actor. The value of a field
--- may be a number, string, boolean, nil, a generator of random numbers, whose state is kept, or an
--- actor of this world. For other values an actor needs methods `toSnapshot(self)`, which returns
--- such a value, and `fromSnapshot(self, value)`.
---@param world collide.World
---@param fields string[]? names of further fields of the actors
---@param into collide.Snapshot? an old snapshot to refill, of any world
---@return collide.Snapshot
function World.snapshot(world, fields, into, ...)
  lock.checkOpen(world, FN)
  M.checkFields(FN, fields)
  if into ~= nil and not M.is(into) then check.fail(FN, "into", "snapshot", into) end
  if select("#", ...) > 0 then check.noMore(FN, "fields and a snapshot", 2, ...) end
  return M.take(world, fields, into, false)
end

-- The memory that a value takes in a Lua list, on 64-bit machines.
local VALUE_BYTES = 16

--- The number of bytes that a snapshot takes, without the data that snapshots share: the actors,
--- cells of tiles, and the contents of strings.
function M.bytes(snapshot)
  local values = #snapshot._values + #snapshot._savers + #snapshot._saved + #snapshot._words
  for i = 1, snapshot._characterCount do values = values + snapshot._characters[i].n end
  return snapshot._core:bytes() + VALUE_BYTES * values
end

local WHOLE = "whole number within ±2^53"

-- Strings -------------------------------------------------------------------------

--- The names of the groups, by number plus 1.
function M.groupNames(world)
  local list = {}
  for name, number in each.pairs(world._groups) do list[number + 1] = name end
  return list
end

-- The names of the groups with these numbers, sorted, and their numbers in that order.
local function sortedGroups(world, numbers)
  local byNumber, names, order = M.groupNames(world), {}, {}
  for i, number in ipairs(numbers) do names[i] = byNumber[number + 1] end
  table.sort(names)
  for i, name in ipairs(names) do order[i] = world._groups[name] end
  return names, order
end

--- The declared groups of a world as one string; NOTHING if the world has not declared its groups.
function M.declared(world)
  if not world._declared then return NOTHING end
  local list = {}
  for name in each.pairs(world._groups) do
    if name ~= "*" then list[#list + 1] = name end
  end
  table.sort(list)
  return table.concat(list, "\0")
end

-- Raises for a character whose state cannot be packed.
local function checkCharacter(snapshot, list)
  local i, expected = characters.firstWrong(list, list.n, NOTHING)
  if not i then return end
  local value = list[i]
  if value == NOTHING then value = nil end
  reader.fail("snapshot:pack", snapshot._world, list.character.actor,
    "its character's " .. characters.nameOf(i), expected, value)
end

-- How many actors are in the first `slots` slots. Strings leave out slots of removed actors.
local function liveUpTo(roster, slots)
  local count = 0
  for slot = 1, slots do
    if roster.actors[slot] then count = count + 1 end
  end
  return count
end

-- The values to write, in order; their number; the order of the groups; and the actor and field
-- that the value at place `at` belongs to, if it is the value of a field. The states of generators
-- come last.
local function listOf(snapshot, numbered, loose, at)
  local roster, names, order = snapshot._roster, sortedGroups(snapshot._world, numbered.groups)
  local list, n, owner, name = {}, 0, nil, nil
  local function add(value, actor, field)
    n = n + 1
    list[n] = value
    if n == at then owner, name = actor, field end
  end
  add(M.declared(snapshot._world))
  add(#names)
  for _, group in ipairs(names) do add(group) end
  add(snapshot._held)
  add(snapshot._pulled)
  add(snapshot._frame)
  if not loose then add(liveUpTo(roster, snapshot._checked)) end
  add(#snapshot._fields)
  for k, field in ipairs(snapshot._fields) do
    add(field)
    for slot, actor in ipairs(roster.actors) do
      if actor then add(snapshot._values[(k - 1) * #roster.actors + slot], actor, field) end
    end
  end
  add(snapshot._saverCount)
  for i = 1, snapshot._saverCount do
    local actor = roster.actors[snapshot._savers[i]]
    add(actor)
    add(snapshot._saved[i], actor, snapshot._world._names.toSnapshot)
  end
  add(snapshot._characterCount)
  for i = 1, snapshot._characterCount do
    local one = snapshot._characters[i]
    if not loose then checkCharacter(snapshot, one) end
    add(one.character.actor)
    add(one.n)
    for k = 1, one.n do add(one[k]) end
  end
  for i = 1, #snapshot._pools do
    local ignored = ignores.among(snapshot._ignored[i], roster.actors)
    add(#ignored)
    for _, actor in ipairs(ignored) do add(actor) end
  end
  for _, generator in ipairs(numbered.randoms) do
    for _, word in ipairs(generator.words) do add(word) end
  end
  return list, n, order, owner, name
end

-- The generators of a snapshot, in the order in which it writes its values, with their states.
local function randomsOf(snapshot)
  local first, list = {}, {}
  for i = #snapshot._randoms, 1, -1 do first[snapshot._randoms[i]] = i end
  local function look(value)
    local i = first[value]
    if not i then return end
    first[value] = nil
    list[#list + 1] = { generator = value, words = {} }
    for k = 1, random.WORDS do
      list[#list].words[k] = snapshot._words[(i - 1) * random.WORDS + k]
    end
  end
  local actors = snapshot._roster.actors
  if next(first) == nil then return list end
  for k = 1, #snapshot._fields do
    for slot, actor in ipairs(actors) do
      if actor then look(snapshot._values[(k - 1) * #actors + slot]) end
    end
  end
  for i = 1, snapshot._saverCount do look(snapshot._saved[i]) end
  return list
end

-- The numbers of the actors, including removed actors whose events are not dispatched yet, and the
-- numbers of the groups in use. Generators have the numbers after those of the actors.
local function numbersOf(snapshot)
  local roster, world = snapshot._roster, snapshot._world
  local slots, groups = core.numbered(snapshot._core, world._groupCount)
  local numbers, count = {}, 0
  for slot, number in ipairs(slots) do
    local actor = number and (roster.actors[slot] or roster.ghosts[slot])
    if actor then numbers[actor] = number end
    if number then count = math.max(count, number + 1) end
  end
  local randoms = randomsOf(snapshot)
  for i, one in ipairs(randoms) do numbers[one.generator] = count + i - 1 end
  return { groups = groups, numbers = numbers, randoms = randoms }
end

--- The forms in which the generators of a snapshot are compared, by generator: the number of each
--- among them, and its state.
function M.randoms(snapshot)
  local forms = {}
  for i, one in ipairs(randomsOf(snapshot)) do
    forms[one.generator] = ("generator %d, %s"):format(i, random.textOf(one.words))
  end
  return forms
end

--- The numbers of a snapshot's groups, in the order in which they are written.
function M.groups(snapshot)
  local _, order = sortedGroups(snapshot._world, numbersOf(snapshot).groups)
  return order
end

local function write(_, snapshot, loose, delta, before)
  local numbered = numbersOf(snapshot)
  local list, n, order = listOf(snapshot, numbered, loose)
  local text, at = core.pack(snapshot._core, order, list, n, numbered.numbers, NOTHING, LEFT, loose,
    delta, before)
  if text then return text end
  local _, _, _, actor, field = listOf(snapshot, numbered, loose, at)
  if not actor then check.fail("snapshot:pack", "a number", WHOLE, list[at]) end
  reader.fail("snapshot:pack", snapshot._world, actor, field, WHOLE, list[at])
end

--- The snapshot as a string that `world:restore` takes, the same on every Lua and machine. Numbers
--- are packed as doubles; an integer beyond 2^53 raises.
---@return string
function Snapshot:pack(...)
  M.checkSelf(self, "snapshot:pack")
  check.noMore("snapshot:pack", "no arguments", 0, ...)
  return lock.guarded(self._world, "snapshot:pack", write, self, false)
end

--- The difference of the packed string, and of a list of numbers before it, from those of the last
--- call with this userdata of core.newDelta.
---@return string
function M.difference(snapshot, delta, before)
  return lock.guarded(snapshot._world, "film:save", write, snapshot, false, delta, before)
end

--- The snapshot's hash, in decimal digits. Equal snapshots have equal hashes.
---@return string
function Snapshot:hash(...)
  M.checkSelf(self, "snapshot:hash")
  check.noMore("snapshot:hash", "no arguments", 0, ...)
  return lock.guarded(self._world, "snapshot:hash", write, self, true)
end

return M
