-- Checks of arguments in Lua. Errors have the same form as those of the C side:
--   <function>: <argument> expected (<type and range>), got <value>[; <hint>]

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"

local M = {}

local describe = core.describe
local type, select = type, select
local MAX_COORDINATE, MAX_ANGLE = core.MAX_COORD, core.MAX_ANGLE

-- The path that all files of this library begin with. An error carries the position of the
-- innermost caller outside them.
local home = debug.getinfo(1, "S").source:match("^(.*)check%.lua$")
if home then core.setHome(home) end

--- Whether a chunk is a file of this library, by its `source`. On Windows, Lua's paths may have
--- either kind of slash.
function M.isOwn(source)
  return home ~= nil and source:gsub("\\", "/"):find(home:gsub("\\", "/"), 1, true) == 1
end

--- Raises an error at the position of the user's call.
M.raise = core.raise

--- Raises the error that argument `name` of `fn` is not as expected.
function M.fail(fn, name, expected, got, hint)
  local numeric = expected:find("number", 1, true) ~= nil
  M.raise(("%s: %s expected (%s), got %s%s"):format(
    fn, name, expected, describe(got, numeric), hint and "; " .. hint or ""))
end

--- Raises when `fn`, a function of `module`, was called with a colon.
function M.dot(fn, module, first)
  if first == module then M.raise(fn .. ": called with a colon; call it with a dot") end
end

--- Raises when there are further arguments in `...`. `takes` says in words what `fn` takes, `given`
--- how many arguments came before.
function M.noMore(fn, takes, given, ...)
  local n = select("#", ...)
  if n == 0 then return end
  given = given + n
  M.raise(("%s takes %s, got %d argument%s"):format(fn, takes, given, given == 1 and "" or "s"))
end

--- Returns a check of a method's `self`, which `kind` names, and that no further arguments follow:
--- a function(self, fn), or function(self, fn, takes, given, ...) like noMore.
function M.receiver(class, kind)
  return function(self, fn, takes, given, ...)
    if type(self) ~= "table" or getmetatable(self) ~= class then
      M.fail(fn, "self", kind, self, "call it with a colon")
    end
    M.noMore(fn, takes, given, ...)
  end
end

--- Coordinates and sizes lie within this many world units.
M.MAX_COORDINATE = MAX_COORDINATE
--- Angles lie within this many radians.
M.MAX_ANGLE = MAX_ANGLE

M.COORDINATE, M.SIZE = core.EXPECTED.coordinate, core.EXPECTED.positive
M.LENGTH = "number from 0 to 1e12"
M.ANGLE = core.EXPECTED.angle
M.SHAPE = "shape, such as collide.rectangle(10, 10)"

function M.isCoordinate(v)
  return type(v) == "number" and v >= -MAX_COORDINATE and v <= MAX_COORDINATE
end

function M.isAngle(v)
  return type(v) == "number" and v >= -MAX_ANGLE and v <= MAX_ANGLE
end

function M.coordinate(fn, name, v)
  if not (type(v) == "number" and v >= -MAX_COORDINATE and v <= MAX_COORDINATE) then
    M.fail(fn, name, M.COORDINATE, v)
  end
  return v
end

function M.point(fn, x, y)
  M.coordinate(fn, "x", x)
  M.coordinate(fn, "y", y)
end

-- Returns the check of a kind of values: those that `test` accepts, which `expected` describes. It
-- returns the value, or raises an error.
local function checkOf(expected, test)
  return function(fn, name, v)
    if not test(v) then M.fail(fn, name, expected, v) end
    return v
  end
end

M.size = checkOf(M.SIZE, function(v) return M.isCoordinate(v) and v > 0 end)

--- A length, which may be 0.
M.extent = checkOf(M.LENGTH, function(v) return M.isCoordinate(v) and v >= 0 end)

--- How far a step has come, as `advance` returns it.
M.share = checkOf("number from 0 to 1", function(v)
  return type(v) == "number" and v >= 0 and v <= 1
end)

--- How long something lasts.
M.duration = checkOf("positive finite number of seconds", function(v)
  return type(v) == "number" and v > 0 and v < math.huge
end)

M.world = checkOf("world", function(v) return type(v) == "table" and rawget(v, "_slots") ~= nil end)
M.string = checkOf("string", function(v) return type(v) == "string" end)
M.boolean = checkOf("boolean", function(v) return type(v) == "boolean" end)

--- The name of a group that an actor can be in: "*" stands for all groups.
M.group = checkOf('string, but not "*"', function(v) return type(v) == "string" and v ~= "*" end)

function M.seconds(fn, name, v, hint)
  if not (type(v) == "number" and v >= 0 and v < math.huge) then
    M.fail(fn, name, type(v) == "number" and "finite number of seconds, 0 or more" or "number", v,
      hint)
  end
  return v
end

function M.integer(fn, name, v, least, most)
  if not (type(v) == "number" and v >= least and v <= most and v == math.floor(v)) then
    M.fail(fn, name, ("whole number from %d to %d"):format(least, most), v)
  end
  return v
end

--- Whether a value can be called: a function, or one with a __call that is a function. Wherever the
--- library takes a function, it takes these.
function M.isCallable(v)
  if type(v) == "function" then return true end
  local meta = debug.getmetatable(v)
  return type(meta) == "table" and type(meta.__call) == "function"
end

M.callable = checkOf("function", M.isCallable)

--- A flag that is false if it is nil.
function M.flag(fn, name, v)
  return v ~= nil and M.boolean(fn, name, v)
end

function M.table(fn, name, v, what, hint)
  if type(v) ~= "table" then M.fail(fn, name, what or "table", v, hint) end
  return v
end

-- The list that all answers without entries share, so that such calls make no garbage. Anything
-- that a game put into it would be in all of them.
local NONE = setmetatable({}, { __newindex = function()
  M.raise "a list without hits can't be changed; all such calls share it"
end })

--- The empty list that answers share. If a game put something into it, removes that and raises.
function M.none(fn)
  if next(NONE) == nil then return NONE end
  for key in each.pairs(NONE) do rawset(NONE, key, nil) end
  M.raise(fn .. ": something was put into a list without hits, which all such calls share")
end

--- Checks a table to be filled. It must not be an object of this library.
function M.list(fn, name, v, what)
  if type(v) ~= "table" or core.ownName(v) then M.fail(fn, name, what or "table", v) end
  if v == NONE then
    M.raise(("%s: %s expected (table of your own), got the list of a call without hits"):format(fn,
      name))
  end
  return v
end

--- The kind of keys that a list has, for messages.
M.PLACE = "number of a place in a list"

--- The length of a list: its largest key; or nil and a key that is not a positive integer, if there
--- is one. It calls no metamethods, so that C reads the same list.
function M.lengthOf(list)
  local length, after = 0, next(list)
  while after == length + 1 do length, after = after, next(list, after) end
  if after == nil then return length end -- most lists end here, and LuaJIT compiles this loop
  for key in each.next, list do
    if not (type(key) == "number" and key >= 1 and key == math.floor(key)) then return nil, key end
    if key > length then length = key end
  end
  return length
end

--- The same; raises for such a key.
function M.length(fn, name, list)
  local length, key = M.lengthOf(list)
  if not length then M.fail(fn, "key of " .. name, M.PLACE, key) end
  return length
end

--- The __newindex of objects of a kind, such as "world". It raises for the names that are true in
--- `fixed`: the options that only `fn`, which makes the objects, takes. If `known` is given, as in
--- a strict world, it also raises for all names but those that are true in it and the library's
--- own, which begin with "_". `expected` lists those that a game may set.
function M.fixed(kind, fn, fixed, known, expected)
  return function(object, key, value)
    if fixed[key] then
      M.raise(("%s.%s can't be changed; it is given to %s"):format(kind, key, fn))
    elseif known and not (known[key] or type(key) == "string" and key:sub(1, 1) == "_") then
      M.fail(kind, "field", expected, key, "this world is strict")
    end
    rawset(object, key, value)
  end
end

local function sortedKeys(t)
  local names = {}
  for name in each.pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Raises when `t` has a key that `known` does not have. `what` names a key in the error.
function M.keys(fn, what, t, known)
  local key = next(t)
  while key ~= nil do -- LuaJIT compiles this loop, but not that of each.pairs
    if not known[key] then
      M.fail(fn, what, "one of " .. table.concat(sortedKeys(known), ", "), key)
    end
    key = next(t, key)
  end
end

--- Reads a table of options: the argument `arg`, which `text` describes. `known` maps each name to
--- a function(fn, name, value) that checks the value, or nil, and returns it. Returns a table of
--- their results.
function M.options(fn, arg, t, text, known)
  M.table(fn, arg, t, text)
  M.keys(fn, arg == "options" and "option" or "key of " .. arg, t, known)
  local read = {}
  for _, name in ipairs(sortedKeys(known)) do read[name] = known[name](fn, name, t[name]) end
  return read
end

--- For M.options: the check `of` for an option that may be left out, and is then `default`.
function M.optional(of, default)
  return function(fn, name, v)
    if v == nil then return default end
    return of(fn, name, v)
  end
end

--- For M.options: the check of a whole number in a range.
function M.whole(least, most)
  return function(fn, name, v) return M.integer(fn, name, v, least, most) end
end

--- For M.options: the check of a value that is true in `set`; `expected` lists these.
function M.choice(expected, set)
  return function(fn, name, v)
    if v == nil or not set[v] then M.fail(fn, name, expected, v) end
    return v
  end
end

return M
