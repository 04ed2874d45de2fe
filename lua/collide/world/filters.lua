-- The groups of a world, which are numbers in the core; the arguments `filter` and `ignore` of
-- queries, casts and moves; and the check of any `ignore`.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"

local ownName = core.ownName
local type, rawget = type, rawget

local M = {}

-- Groups --------------------------------------------------------------------------

--- Raises when a world has declared its groups and `name` is not one of them.
function M.checkDeclared(self, fn, arg, name)
  if self._declared and not self._groups[name] then
    check.fail(fn, arg, "one of this world's groups: " .. self._declared, name)
  end
end

--- Raises the error that argument `arg` of `fn` names one group more than a world can have.
function M.failFull(fn, arg, name)
  check.fail(fn, arg, ("group in use, as a world has at most %d"):format(core.MAX_GROUPS), name)
end

--- Finds numbers for the groups of a list that have none yet, without changing the world. Returns
--- the numbers by name, and how many groups the world would have. Raises when there are too many.
--- `arg` is the argument that the names come from, or a list with one for each name.
function M.freshGroups(self, fn, arg, names)
  local fresh, count = {}, self._groupCount
  for i, name in ipairs(names) do
    local from = type(arg) == "table" and arg[i] or arg
    M.checkDeclared(self, fn, from, name)
    if not (self._groups[name] or fresh[name]) then
      if count == core.MAX_GROUPS then
        M.failFull(fn, from, name)
      end
      fresh[name] = count
      count = count + 1
    end
  end
  return fresh, count
end

--- Adds the groups that freshGroups has returned. No two groups get the same number, even if an
--- error in a finalizer ends this early.
function M.addGroups(self, fresh, count)
  self._groupCount = count
  for name, number in each.pairs(fresh) do self._groups[name] = number end
end

--- Gives numbers to the groups of a list that have none yet. If there are too many, it raises an
--- error and gives none.
function M.nameGroups(self, fn, arg, names)
  M.addGroups(self, M.freshGroups(self, fn, arg, names))
end

--- The number of a group; a new name gets the next free number.
function M.groupNumber(self, fn, arg, name)
  if not self._groups[name] then M.nameGroups(self, fn, arg, { name }) end
  return self._groups[name]
end

-- Filters -------------------------------------------------------------------------

-- Either of the two masks of all groups; each mask has 32 bits.
local ALL = 2 ^ 32 - 1
M.ALL = ALL

local FILTER, IGNORE = "group, list of groups or function", "actor or list of actors"
M.FILTER = FILTER

-- Whether a value is an actor of this world, or could be added to one.
local function isActor(self, v)
  return type(v) == "table"
    and (self._slots[v] ~= nil or not ownName(v) and v[self._names.shape] ~= nil)
end
M.isActor = isActor

local function failFilter(self, fn, got)
  check.fail(fn, "filter", FILTER, got,
    isActor(self, got) and "an actor goes in `ignore`, after the filter" or nil)
end

-- The two masks of one group. A name that no actor or rule has used matches no actor; in a strict
-- world it raises an error.
local function bitOf(self, fn, name)
  if type(name) ~= "string" then failFilter(self, fn, name) end
  if name == "*" then return ALL, ALL end
  local number = self._groups[name]
  if not number then
    M.checkDeclared(self, fn, "filter", name)
    if self._strict then check.fail(fn, "filter", "group that an actor or a rule has", name) end
    return 0, 0
  end
  if number < 32 then return 2 ^ number, 0 end
  return 0, 2 ^ (number - 32)
end

-- Whether the i-th value of a list also occurs earlier in it.
local function isRepeated(list, i)
  for k = 1, i - 1 do
    if rawget(list, k) == rawget(list, i) then return true end
  end
  return false
end

local function bitsOf(self, fn, list)
  if isActor(self, list) then failFilter(self, fn, list) end
  local n = check.length(fn, "filter", list)
  if n == 0 then check.raise(fn .. ": filter expected (one group or more), got an empty list") end
  local low, high, all = 0, 0, false
  for i = 1, n do
    local l, h = bitOf(self, fn, rawget(list, i))
    all = all or l == ALL
    if not isRepeated(list, i) then low, high = low + l, high + h end
  end
  if all then return ALL, ALL end
  return low, high
end

--- The two masks of the groups that pass a filter, and the filter itself if it can be called.
function M.groups(self, fn, filter)
  if filter == nil then return ALL, ALL end
  if type(filter) == "string" then return bitOf(self, fn, filter) end
  if check.isCallable(filter) then return ALL, ALL, filter end
  if type(filter) == "table" then return bitsOf(self, fn, filter) end
  return failFilter(self, fn, filter)
end

--- Checks an `ignore` of this name, which should be an actor or a list of actors. Returns the wrong
--- part, what is expected there, and what it is instead; nil if nothing is wrong.
function M.wrongIgnore(self, name, ignore)
  if isActor(self, ignore) then return nil end
  if type(ignore) ~= "table" or ownName(ignore) then return name, IGNORE, ignore end
  local n, key = check.lengthOf(ignore)
  if not n then return "key of " .. name, check.PLACE, key end
  for i = 1, n do
    local actor = rawget(ignore, i)
    if not isActor(self, actor) then return ("%s[%d]"):format(name, i), "actor", actor end
  end
end

--- The checked `ignore` in the form that the core takes: an actor of this world, a list, or nil. An
--- actor that is not in this world becomes nil.
function M.ignored(self, fn, ignore)
  if ignore == nil or self._slots[ignore] then return ignore end
  local part, expected, got = M.wrongIgnore(self, "ignore", ignore)
  if part then check.fail(fn, part, expected, got) end
  return not isActor(self, ignore) and ignore or nil
end

return M
