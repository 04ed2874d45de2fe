-- Snapshots of a scene, to wind it back to: its world, its state, all fields of its actors, its
-- keys and random numbers.
--
-- A moment copies the contents of each table, and restores them into the same tables, so that
-- references to these stay valid.

local require = require "collide.relative"
local core = require "collide.core"
local diff = require "collide.snapshot.diff"
local each = require "collide.each"
local random = require "collide.random"
local reader = require "collide.world.reader"

local M = {}

-- The form of a moment -----------------------------------------------------------

-- Moments are compared by their forms: a list of lines for each actor and for the state, the same
-- for equal moments, whichever tables their values are in. A line has the `path` of a value, the
-- full path as `where`, the `value`, and its `form`, which is equal for equal values. A table is
-- written where it first occurs; later lines name that place.

local type, ipairs, rawequal = type, ipairs, rawequal

-- The forms of shapes, by shape: a repeated call may make a new, equal shape.
local formOfShape = setmetatable({}, { __mode = "k" })

local function shapeForm(shape)
  local form = formOfShape[shape]
  if form then return form end
  local out = { shape:kind() }
  for _, part in ipairs(shape:parts()) do
    out[#out + 1] = ("%.17g"):format(part:radius())
    for _, v in ipairs(part:points()) do out[#out + 1] = ("%.17g"):format(v) end
    out[#out + 1] = ";"
  end
  form = table.concat(out, " ")
  formOfShape[shape] = form
  return form
end

-- The form of a value that is not a table: numbers and objects of the library are their own form.
local function plainForm(value)
  if value ~= value then return "nan" end
  if type(value) == "string" then return "string " .. value end
  if type(value) == "function" then return "function" end
  return core.isShape(value) and shapeForm(value) or value
end

local writeTable

local function write(form, path, where, value)
  local line = { path = path, where = where, value = value }
  form[#form + 1] = line
  if type(value) ~= "table" then
    line.form = plainForm(value)
  elseif form.names[value] or not form.contents[value] then
    line.form = form.names[value] or value
  else
    line.form, form.names[value] = "table", "the table at " .. where
    writeTable(form, path, where, form.contents[value])
  end
end

-- A key of a table: its text in a path, and its text for sorting. A key that is a table without a
-- name has its contents and its value in place of a name.
local function keyForm(form, key, value)
  if type(key) ~= "table" then
    if type(key) == "string" then return "." .. key, "2" .. key end
    local text = core.describe(key, true)
    return ("[%s]"):format(text), type(key) == "number" and ("1%30.10f"):format(key) or "3" .. text
  end
  local name = form.names[key]
  if name then return ("[%s]"):format(name:find "^actor" and name or "table"), "4" .. name end
  local inner = { contents = form.contents, names = setmetatable({}, { __index = form.names }) }
  write(inner, "", "", key)
  write(inner, "", "", value)
  for i, line in ipairs(inner) do inner[i] = line.where .. "=" .. tostring(line.form) end
  return "[table]", "5" .. table.concat(inner, ",")
end

function writeTable(form, path, where, contents)
  local order = {}
  for key, value in each.next, contents do
    local at, by = keyForm(form, key, value)
    order[#order + 1] = { key = key, value = value, at = at, by = by }
  end
  table.sort(order, function(a, b) return a.by < b.by end)
  for _, one in ipairs(order) do
    if type(one.key) == "table" and not form.names[one.key] then
      form.names[one.key] = "the key at " .. where .. one.by
    end
    write(form, path .. one.at, where .. one.by, one.value)
  end
end

-- The first line in which two forms differ: its path, and both values. A line that is only in the
-- first form comes before one that is only in the second.
local function compare(first, second)
  local i = 1
  while first[i] and second[i] and first[i].where == second[i].where
    and first[i].form == second[i].form do
    i = i + 1
  end
  local a, b = first[i], second[i]
  if not a and not b then return nil end
  if a and b and a.where == b.where then return a.path, a.value, b.value end
  local isInBoth = false
  for k = i, #second do isInBoth = isInBoth or a and second[k].where == a.where end
  if a and not isInBoth then return a.path, a.value, nil end
  return b.path, nil, b.value
end

-- Writes the form of a moment. Objects that the library has made for a scene are named by their
-- place in the world. Actors with a `toSnapshot` have no contents here: the world's snapshot
-- compares their values.
local function formOf(moment)
  if moment.form then return moment.form end
  local scene, names, form = moment.scene, {}, { actors = {} }
  names[scene], names[scene.world], names[scene.params] = "the scene", "the world", "its params"
  for i, pool in ipairs(moment.pools) do names[pool] = "pool " .. i end
  for i, actor in ipairs(moment.actors) do
    names[actor] = "actor " .. i
    local character = moment.characters[actor]
    if character then names[character] = "the character of actor " .. i end
  end
  for i, actor in ipairs(moment.actors) do
    form.actors[i] = { contents = moment.contents, names = names }
    writeTable(form.actors[i], "", names[actor], moment.contents[actor] or {})
  end
  for _, name in ipairs { "state", "saved" } do
    local what = name == "state" and "scene.state" or "what scene.save returns"
    form[name] = { contents = moment.contents, names = names }
    write(form[name], what, what, moment[name])
  end
  moment.form = form
  return form
end

-- The first difference between two moments ---------------------------------------

local function text(value)
  return core.isShape(value) and tostring(value) or core.describe(value, true)
end

local function sentence(what, is, was)
  return ("%s is %s, was %s"):format(what, text(is), text(was))
end

local function diffActors(a, b)
  for i = 1, math.min(#a.actors, #b.actors) do
    local where, was, is = compare(formOf(a).actors[i], formOf(b).actors[i])
    if where then
      return ("%s: %s"):format(reader.describe(b.scene.world, b.actors[i]),
        sentence(where:gsub("^%.", ""), is, was))
    end
  end
end

local function diffState(a, b)
  for _, name in ipairs { "state", "saved" } do
    local where, was, is = compare(formOf(a)[name], formOf(b)[name])
    if where then return sentence(where, is, was) end
  end
end

local function diffGenerator(a, b)
  local generator = a.scene._random
  for i, word in ipairs(a.contents[generator]) do
    if word ~= b.contents[generator][i] then return "another count of random numbers was drawn" end
  end
end

-- The first key in alphabetical order that is held in only one of two moments.
local function diffKeys(a, b)
  local first
  for _, sets in ipairs { { a, b }, { b, a } } do
    for key in each.next, sets[1] do
      if not sets[2][key] and (not first or key < first) then first = key end
    end
  end
  return first and ("key %s is %s, was %s"):format(core.describe(first):gsub("^string ", ""),
    b[first] and "held" or "not held", a[first] and "held" or "not held")
end

-- Taking and restoring -----------------------------------------------------------

---@class collide.SceneMoment
---@field scene collide.Scene
---@field frame integer
---@field world collide.Snapshot
---@field actors table[] in the order of adding
---@field pools collide.Bullets[]
---@field characters table<table, collide.Character> by actor
---@field held table<string, boolean> the keys that are held
---@field contents table<table, table> a copy of each table
---@field state any
---@field saved any the value that the scene's `save` returned
---@field form? table its form, once it has been compared
local Moment = {}
Moment.__index = Moment

-- The types whose values can be compared directly.
local PLAIN = { number = true, string = true, boolean = true, ["nil"] = true }

local STATE = "number, string, boolean, table, random, actor, character, pool or shape"

-- Objects of the library whose state is in the world's snapshot.
local HELD = { bullets = true, character = true }

-- Whether a table is kept already, is kept elsewhere, or never changes.
local function isKept(moment, value)
  local scene = moment.scene
  return moment.contents[value] or rawequal(value, scene) or rawequal(value, scene.world)
    or rawequal(value, scene.params) or scene.world:has(value)
end

local keep

-- Keeps the contents of a table; the path of an actor is "". A table with a shape is an actor that
-- is not in a world now.
local function keepTable(moment, value, path, owner)
  local copy = {}
  moment.contents[value] = copy
  owner = owner or core.isShape(rawget(value, moment.scene.world._names.shape)) and value or nil
  for key, part in each.next, value do
    copy[key] = part
    local at = ("%s[%s]"):format(path, core.describe(key, true))
    if type(key) == "string" then at = path == "" and key or path .. "." .. key end
    if type(key) == "table" then keep(moment, key, at, owner) end
    keep(moment, part, at, owner)
  end
end

-- Keeps the parts of a value that can change; raises if that is impossible. `owner` is the actor
-- whose field it is, if any: such a value may also be a function or any object of the library.
function keep(moment, value, path, owner)
  local kind = type(value)
  if PLAIN[kind] or owner and kind == "function" or core.isShape(value) then return end
  local name = core.ownName(value)
  if kind == "table" and (not name or random.is(value) or rawequal(value, moment.scene)
    or rawequal(value, moment.scene.world)) then
    if not isKept(moment, value) then keepTable(moment, value, path, owner) end
  elseif not HELD[name] and (not owner or kind == "thread") then
    if owner then path = ("%s: %s"):format(reader.describe(moment.scene.world, owner), path) end
    error(("%s expected (%s), got %s"):format(path,
      owner and "anything but a coroutine" or STATE, core.describe(value)), 0)
  end
end

-- Keeps the fields of the actors. An actor with a `toSnapshot` is left to the world's snapshot,
-- which calls it.
local function keepActors(moment)
  local world = moment.scene.world
  local toSnapshot = world._names.toSnapshot
  for _, actor in ipairs(moment.actors) do
    if not (toSnapshot and actor[toSnapshot]) then keepTable(moment, actor, "", actor) end
  end
end

--- Takes a snapshot of a scene. Raises for a value that cannot be kept.
---@param scene collide.Scene
---@param saved any the value that its own `save` returned
---@return collide.SceneMoment
function M.take(scene, saved)
  local world = scene.world
  local moment = setmetatable({
    scene = scene, frame = scene.frame, world = world:snapshot(), contents = {},
    actors = world:actors(), pools = world:pools(), characters = {}, state = scene.state,
    saved = saved, held = {},
  }, Moment)
  for key in each.pairs(scene._keys._held) do moment.held[key] = true end
  for actor, character in each.pairs(world._characters) do moment.characters[actor] = character end
  keepTable(moment, scene._random, "", nil)
  keepActors(moment)
  keep(moment, scene.state, "scene.state", nil)
  keep(moment, saved, "what scene.save returns", nil)
  return moment
end

-- Restores the contents of a table from its copy.
local function refill(object, copy)
  for key in each.next, object do
    if copy[key] == nil then rawset(object, key, nil) end
  end
  for key, value in each.next, copy do rawset(object, key, value) end
end

--- Winds the scene back. Does not call the scene's own `load`.
function Moment:restore()
  local scene = self.scene
  scene.world:restore(self.world)
  for object, copy in each.next, self.contents do refill(object, copy) end
  scene.state, scene.frame = self.state, self.frame
  local held = scene._keys._held
  for key in each.pairs(held) do held[key] = nil end
  for key in each.pairs(self.held) do held[key] = true end
end

local function isSubset(first, second)
  for key, value in each.next, first do
    if not rawequal(second[key], value) then return false end
  end
  return true
end

-- Whether two moments hold the same tables with identical values, as most do. Then their forms,
-- which take longer to make, are equal too.
local function holdTheSame(a, b)
  if not (rawequal(a.state, b.state) and rawequal(a.saved, b.saved)) then return false end
  for object, copy in each.next, a.contents do
    local other = b.contents[object]
    if not (other and isSubset(copy, other) and isSubset(other, copy)) then return false end
  end
  return true
end

--- The first difference between this moment and a later one of the same frame, as a sentence, or
--- nil.
---@param other collide.SceneMoment
---@return string?
function Moment:diff(other)
  local isSame = holdTheSame(self, other)
  return diffKeys(self.held, other.held) or not isSame and diffActors(self, other)
    or diff.first(other.world, self.world, diff.EARLIER) or not isSame and diffState(self, other)
    or diffGenerator(self, other)
end

return M
