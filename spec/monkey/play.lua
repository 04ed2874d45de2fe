-- The monkey plays a script, a list of { name of an operation, number }. The number is the seed of
-- all random choices in the operation: the object, the arguments, and what callbacks do. So when
-- operations are left out, the others still do the same, as far as they can. After each operation
-- the worlds are checked (watch.lua).
local besides = require "spec.monkey.besides"
local collide = require "collide"
local interface = require "spec.monkey.interface"
local journal = require "spec.monkey.journal"
local mischief = require "spec.monkey.mischief"
local random = require "spec.support.random"
local scripts = require "spec.monkey.scripts"
local tally = require "spec.monkey.tally"
local values = require "spec.monkey.values"
local watch = require "spec.monkey.watch"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

local Play = {}
Play.__index = Play

-- The most objects of each class that are kept; a further one replaces another.
local KEPT, ACTORS_KEPT = 5, 14
-- Operations inside callbacks: the deepest nesting, and the most in one operation of the script.
local DEEPEST, MOST_INSIDE = 3, 6
-- The most turns of an iterator, and the most results that are noted.
local MOST_TURNS, MOST_NOTED = 12, 12

local HERE = debug.getinfo(1, "S").short_src

local function pack(...)
  return { n = select("#", ...), ... }
end

-- Makes a call, at a line of this file that an error must name.
local function invoke(f, args, n)
  return pack(f(unpack(args, 1, n)))
end

local function iterate(self, results)
  local seen = 0
  for a, b, c, d, e in results[1], results[2], results[3] do
    seen = seen + 1
    journal.note(self, "turn", a, b, c, d, e)
    if seen == MOST_TURNS then break end
  end
end

--- Whether an error is acceptable: raised by mischief.lua, or a sentence that begins with the
--- position of the call, in this file or another, and the name of the function.
function Play:isClean(err, file)
  if mischief.isOurs(err) then return true end
  if type(err) ~= "string" then return false end
  if self.wild and err:find("attempt to yield", 1, true) then return true end
  local place, sentence = err:match("^([^:]+):%d+: (.*)$")
  return place == (file or HERE) and not sentence:find("nil value", 1, true)
    and (sentence:find "^[%a_.]+:?[%w_.]+[: ]" or sentence:find "^attempt to use ") and true
end

-- Whether an error says that an object can no longer be used.
local function isOver(err)
  return type(err) == "string" and (err:find("attempt to use ", 1, true)
    or err:find("its actor has been removed", 1, true)) and true
end

--- Whether f(args) returned, and the error it raised.
function Play.try(_, f, args, n)
  return pcall(invoke, f, args, n)
end

--- Fails the play, because an invariant is broken.
function Play:fail(text, ...)
  self.failure = self.failure or text:format(...)
end

-- ---- things

--- Keeps an object under its class, for later operations.
function Play:keep(class, value)
  local list = self.things[class]
  if not list then
    list = {}
    self.things[class] = list
    self.classNames[#self.classNames + 1] = class
    table.sort(self.classNames)
  end
  list[self.rng:int(class == "actor" and ACTORS_KEPT or KEPT)] = value
end

--- Drops an object.
function Play:lose(class, value)
  local list = self.things[class] or {}
  for i = 1, KEPT do
    if list[i] == value then list[i] = nil end
  end
end

--- Any object of a class, or nil if there is none.
function Play:any(class)
  local list, most = self.things[class], class == "actor" and ACTORS_KEPT or KEPT
  local at = self.rng:int(most)
  if not list then return nil end
  for i = 0, most - 1 do
    local value = list[(at + i - 1) % most + 1]
    if value ~= nil then return value end
  end
end

--- Calls f with each object of a class.
function Play:each(class, f)
  local list = self.things[class] or {}
  for i = 1, KEPT do
    local value = list[i]
    if value ~= nil then f(value) end
  end
end

--- An actor, mostly one of the world of the current operation.
function Play:actor()
  local known = self.worlds[self.world]
  if known and #known.order > 0 and self.rng:chance(0.8) then return self.rng:pick(known.order) end
  return self:any "actor"
end

--- The names of the classes that have had objects.
function Play:classes() return self.classNames end

function Play:value(name, isOption) return values.named(self, name, isOption) end

function Play:callback(kind) return mischief.callback(self, kind) end

-- The functions that return collisions of bump.lua.
local COLLIDES = { ["bump.newworld:check"] = true, ["bump.newworld:move"] = true,
  ["bump.newworld:project"] = true }

-- Keeps the objects in a result of a call.
local function adopt(self, entry, value)
  if journal.isActor(self, value) then return end
  local meta = type(value) == "table" and debug.getmetatable(value)
  -- Each world of bump has a metatable of its own.
  if meta and (rawget(meta, "__index") == meta or rawget(value, "_rects"))
    and not rawget(meta, "__name") then
    self.names[meta] = self.names[meta] or entry.name
  end
  local class = interface.classOf(value, self.names)
  if class then
    self:keep(class, value)
  elseif entry.name == "snapshot:pack" and type(value) == "string" then
    self:keep("packed", value)
  elseif COLLIDES[entry.name] and type(value) == "table" and value[1] then
    self:keep("collision", { world = self.world, col = value[1] })
  end
end

-- ---- calls

local function optionsFor(self, param)
  local options = {}
  for _, name in ipairs(param.options) do
    if param.options.required[name] or self.rng:chance(0.35) then
      options[name] = self:value(name, true)
    end
  end
  if self.rng:chance(0.05) then
    options[self.rng:pick(param.options) or "none"] = values.wrong(self)
  end
  return options
end

--- A right value for the i-th argument of an entry of the interface.
function Play:argument(entry, i)
  local param = entry[i]
  if entry.name == "world:add" then return self:any "actor" end
  if param.options and not (param.name == "d" and self.rng:chance(0.3)) then
    return optionsFor(self, param)
  end
  local value
  local given = values.given[entry.name .. " " .. param.name]
  if given then value = given(self) else value = self:value(param.name) end
  -- Adding 0 turns -0 into 0: in Lua 5.3 there is no integer -0.
  if param.isWhole and type(value) == "number" then value = math.floor(value) + 0 end
  return value
end

-- The arguments of a call, and their number. Sometimes one is wrong, missing or surplus.
local function argumentsFor(self, entry, object)
  local rng, args, n = self.rng, {}, 0
  if entry.class then
    n = 1
    args[1] = object or (entry.class == "World" and rng:chance(0.7) and self.caller)
      or self:any(entry.class)
    if args[1] == nil then return nil end
    self.world = args[1]
  end
  local first, count = n + 1, #entry
  if entry.anything then count = count + rng:int(0, 3) end
  for i = 1, count do
    n = n + 1
    if entry[i] then args[n] = self:argument(entry, i) else args[n] = values.wrong(self) end
    if entry[i] and entry[i].options and type(args[n]) == "table" then break end
  end
  if values.whole[entry.name] and rng:chance(0.8) then
    local list = values.whole[entry.name](self, args[1])
    for i, value in ipairs(list) do args[first + i - 1] = value end
    n = first + (list.n or #list) - 1
  end
  if rng:chance(0.1) then
    local way = rng:int(4)
    if way == 1 then
      n = rng:int(0, n)
    elseif way == 2 then
      n = n + 1
      args[n] = values.wrong(self)
    else
      local at = rng:int(entry.class and rng:chance(0.1) and 1 or first, math.max(first, n))
      args[at] = values.wrong(self)
      n = math.max(n, at)
    end
  end
  return args, n
end

-- Functions whose results differ between Luas.
local UNLIKE = { ["pool:arrays"] = true }

local function noteResults(self, entry, results)
  if UNLIKE[entry.name] then return end
  if entry.name == "world:stats" then
    for _, name in ipairs { "pull", "find", "dispatch" } do results[1][name] = nil end -- times
  end
  -- The state and control value of an iterator are not looked at.
  local count = type(results[1]) == "function" and 1 or math.min(results.n, MOST_NOTED)
  for i = 1, count do adopt(self, entry, results[i]) end
  journal.note(self, "->", unpack(results, 1, count))
end

--- As pcall; callbacks do not yield inside.
function Play:protected(f, ...)
  local before = self.mayYield
  self.mayYield = false
  local ok, result = pcall(f, ...)
  self.mayYield = before
  return ok, result
end

-- Makes a call, and checks its results or its error.
local function carryOut(self, entry, args, n)
  self.operations = self.operations + 1
  journal.note(self, entry.name, unpack(args, 1, n))
  local ok, results = self:protected(invoke, entry.f, args, n)
  if ok then
    tally.count(entry.name, self.depth > 0)
    noteResults(self, entry, results)
    if type(results[1]) == "function" then
      local fine, err = self:protected(iterate, self, results)
      if not fine then
        ok, results = false, err
      end
    end
  end
  if not ok then
    if not UNLIKE[entry.name] then journal.note(self, "error " .. journal.message(results)) end
    if isOver(results) and not self.explores then self:lose(entry.class, args[1]) end
    if not self:isClean(results) then
      self:fail("%s: not a clean error: %s", entry.name, tostring(results))
    end
  end
  watch.after(self, entry, args, ok and results or nil, not ok and mischief.isOurs(results))
end

--- Makes a call of an entry for interface.explore, as a method of `object` if that is given.
function Play:make(entry, object)
  self.rng = random.new(self.numbers:int(1000000))
  local args, n = argumentsFor(self, entry, object)
  if args then carryOut(self, entry, args, n) end
end

--- Makes an actor for interface.explore.
function Play:newActor()
  self.rng = random.new(self.numbers:int(1000000))
  self:keep("actor", mischief.newActor(self))
end

--- Carries out an operation inside a callback, unless the nesting is too deep; mostly on the world
--- that calls.
function Play:inside(world)
  if self.depth >= DEEPEST or self.left <= 0 then return end
  local before = self.caller
  self.left, self.depth, self.caller = self.left - 1, self.depth + 1, world
  self:operate(scripts.drawMischief(self.rng))
  self.depth, self.caller = self.depth - 1, before
end

--- Carries out the operation of that name.
function Play:operate(name)
  if besides[name] then return besides[name](self) end
  local entry = M.entry(name)
  local args, n = argumentsFor(self, entry)
  if args then carryOut(self, entry, args, n) end
end

-- ---- scripts

local function newPlay(wild)
  local self = setmetatable({ rng = random.new(1), things = {}, classNames = {}, names = {},
    asleep = {}, filled = {}, operations = 0, depth = 0, left = 0, mayYield = false, wild = wild,
    unit = collide.polygon(0, 0, 1, 0, 0.5, 1) }, Play)
  journal.open(self)
  watch.open(self)
  for _ = 1, 6 do besides.actor(self) end
  return self
end

local entries, byName

-- The interface, explored once.
local function all()
  if not entries then
    local play = newPlay(false)
    play.left, play.numbers, play.explores = 0, random.new(1), true
    entries, byName = interface.explore(play), {}
    scripts.fill(entries)
    tally.clear()
    for _, entry in ipairs(entries) do byName[entry.name] = entry end
  end
  return entries
end

--- All functions and methods that are tested.
M.entries = all

--- The entry with a name.
function M.entry(name)
  all()
  return byName[name] or error("the interface has no " .. name)
end

--- The script of a seed, with `count` operations.
function M.script(seed, count)
  all()
  return scripts.new(seed, count)
end

--- Plays a script. Returns the failure, or nil; a hash of the journal; and the number of
--- operations, with those in callbacks. With `wild`, callbacks yield everywhere, which not every
--- Lua can.
---@param script table
---@param wild boolean?
---@param lines table? gets the journal's lines
function M.run(script, wild, lines)
  all()
  local self = newPlay(wild)
  self.lines = lines
  for i, operation in ipairs(script) do
    self.rng, self.left = random.new(operation[2]), MOST_INSIDE
    journal.note(self, "----", i)
    self:operate(operation[1])
    watch.all(self)
    if self.failure then
      return ("operation %d, %s: %s"):format(i, operation[1], self.failure), journal.hash(self),
        self.operations
    end
  end
  self.rng = random.new(1)
  watch.finish(self)
  return self.failure, journal.hash(self), self.operations
end

return M
