-- The definition of a scene: reads its file, checks each field, and applies overrides.
--
-- Mistakes are returned as nil and a message. Errors that a scene's own code raises pass through,
-- so the command line can tell the two apart.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local files = require "collide.scene.files"
local texts = require "collide.scene.text"
local random = require "collide.scene.random"
local traceback = require "collide.scene.traceback"

local M = {}

local describe = core.describe

local function expected(what, kind, value)
  return nil, ("%s expected (%s), got %s"):format(what, kind,
    describe(value, kind:find("number", 1, true) ~= nil))
end

local function isCount(v)
  return type(v) == "number" and v >= 0 and v <= 2 ^ 53 and v == math.floor(v)
end

local function isSize(v)
  return check.isCoordinate(v) and v > 0
end

local function isSeconds(v)
  return type(v) == "number" and v > 0 and v < math.huge
end

local function isType(name)
  return function(v) return type(v) == name end
end

-- Each field of a scene: a test, what the test expects in words, and the default. A field with
-- `override` can be overridden.
local FIELDS = {
  name = { isType "string", "string" },
  width = { isSize, check.SIZE, default = 800, override = true },
  height = { isSize, check.SIZE, default = 600, override = true },
  frames = { isCount, "whole number from 0", default = 300, override = true },
  dt = { isSeconds, "positive number of seconds", default = 1 / 60, override = true },
  seed = { random.isSeed, "whole number from 0 to 2^52 - 1", default = 1, override = true },
  input = { isType "string", "text of lines, such as 10-80 right", override = true },
  params = { isType "table", "table of defaults" },
  world = { isType "table", "table of newWorld's options" },
  setup = { check.isCallable, "function" },
  update = { check.isCallable, "function" },
  draw = { check.isCallable, "function" },
  check = { check.isCallable, "function" },
  save = { check.isCallable, "function" },
  load = { check.isCallable, "function" },
}

local function sortedKeys(t)
  local names = {}
  for name in each.pairs(t) do names[#names + 1] = tostring(name) end
  table.sort(names)
  return table.concat(names, ", ")
end

-- Runs the chunk of a scene file. Meanwhile `require` also finds modules in the file's folder.
local function run(chunk, path)
  local folder = path:match("^(.*[/\\])") or "./"
  local own = ("%s?.lua;%s?/init.lua;"):format(folder, folder)
  package.path = own .. package.path
  local ok, given = xpcall(function() return chunk(path) end, traceback.handler)
  -- The file may have set the path as well.
  local first, last = package.path:find(own, 1, true)
  if first then package.path = package.path:sub(1, first - 1) .. package.path:sub(last + 1) end
  if not ok then traceback.pass(given, "") end
  return given
end

-- For a path that does not exist: the end of a message that suggests a scene of a similar name.
local function suggestion(path)
  local folder, name = path:match("^(.*[/\\])(.*)$")
  if not folder then folder, name = "", path end
  local names = {}
  for i, found in ipairs(files.list(folder == "" and "." or folder, "lua") or {}) do
    names[i] = found:match("([^/\\]*)%.lua$")
  end
  local meant = texts.nearest(name:gsub("%.lua$", ""), names)
  return meant and ("; did you mean %s%s.lua?"):format(folder, meant) or ""
end

--- Runs the scene file at `path`, and returns its table unchecked.
---@return table? given nil with a message when the file can't be read or returns no table
---@return string? message
function M.read(path)
  -- On some Luas loadfile's message repeats the path and lacks the reason.
  local file, why = io.open(path, "rb")
  if not file then
    why = why:sub(1, #path + 2) == path .. ": " and why:sub(#path + 3) or why
    return nil, ("%s: cannot read it: %s%s"):format(path, why, suggestion(path))
  end
  local readable = file:read(0) or file:seek("end") == 0
  file:close()
  if not readable then return nil, path .. ": cannot read it: not a file" end
  local chunk, syntax = loadfile(path)
  if not chunk then return nil, syntax end
  local given = run(chunk, path)
  if type(given) ~= "table" then
    return nil, ("%s: a scene file returns a table {setup = …, update = …}, got %s"):format(path,
      describe(given))
  end
  return given
end

-- A checked copy of a scene's fields, with the defaults filled in.
local function fields(given)
  local settled = {}
  for name, value in each.pairs(given) do
    local field = FIELDS[name]
    if not field then return expected("field", "one of " .. sortedKeys(FIELDS), name) end
    if not field[1](value) then return expected(name, field[2], value) end
    settled[name] = value
  end
  for name, field in each.pairs(FIELDS) do
    if settled[name] == nil then settled[name] = field.default end
  end
  for name, other in each.pairs { save = "load", load = "save" } do
    if settled[name] and not settled[other] then
      return expected(other, "function, since there is " .. name, nil)
    end
  end
  return settled
end

local PARAM_TYPES = { number = true, string = true, boolean = true }

local function isNumber(v)
  return type(v) == "number" and v - v == 0
end

-- A checked copy of a scene's params.
local function params(given)
  local copy = {}
  for name, value in each.pairs(given or {}) do
    if type(name) ~= "string" then return expected("name in params", "string", name) end
    if name:find "[%c=]" or name:find "^%s" or name:find "%s$" then
      return expected("name in params", "string without = and line breaks, and blanks only inside",
        name)
    end
    if not PARAM_TYPES[type(value)] or type(value) == "number" and not isNumber(value) then
      return expected("params." .. name, "finite number, string or boolean", value)
    end
    copy[name] = value
  end
  return copy
end

-- Converts `value` to the type of the default: on a command line it is text.
local function convert(name, default, value)
  local kind = type(default)
  if kind == "number" then
    local number = value
    if type(value) == "string" then number = texts.number(value) end
    if not isNumber(number) then
      return expected("params." .. name, "finite number", value)
    end
    return number
  end
  if kind == "boolean" and (value == "true" or value == "false") then return value == "true" end
  if type(value) ~= kind then
    return expected("params." .. name, kind == "boolean" and "true or false" or kind, value)
  end
  return value
end

local function overrideParam(settled, name, value)
  local default = settled.params[name]
  if default == nil then
    local known = next(settled.params) and "one of " .. sortedKeys(settled.params)
      or "none, as this scene has no params"
    return expected("param", known, name)
  end
  local converted, message = convert(name, default, value)
  if converted == nil then return nil, message end
  settled.params[name] = converted
  return true
end

local function copyInto(to, from)
  for key, value in each.pairs(from or {}) do to[key] = value end
  return to
end

-- Applies an override other than `world`, `params` and `broadphase`.
local function override(settled, name, value)
  local field = FIELDS[name]
  if field and field.override then
    if not field[1](value) then return expected(name, field[2], value) end
    settled[name] = value
    return true
  end
  if settled.params[name] ~= nil then return overrideParam(settled, name, value) end
  local known = { params = true, world = true, broadphase = true }
  for key, f in each.pairs(FIELDS) do known[key] = known[key] or f.override end
  return expected("override", "one of " .. sortedKeys(copyInto(known, settled.params)), name)
end

local TABLES = { world = true, params = true }

local function overrideAll(settled, overrides)
  for name in each.pairs(TABLES) do
    local given = overrides[name]
    if given ~= nil and type(given) ~= "table" then return expected(name, "table", given) end
  end
  copyInto(settled.world, overrides.world)
  if overrides.broadphase ~= nil then settled.world.broadphase = overrides.broadphase end
  for name, value in each.pairs(overrides) do
    if not TABLES[name] and name ~= "broadphase" then
      local ok, message = override(settled, name, value)
      if not ok then return nil, message end
    end
  end
  for name, value in each.pairs(overrides.params or {}) do
    local ok, message = overrideParam(settled, name, value)
    if not ok then return nil, message end
  end
  return true
end

--- The table that a scene file returns. All fields are optional.
---@class collide.SceneDefinition
---@field name? string
---@field width? number world units, default 800
---@field height? number world units, default 600
---@field frames? integer how many frames a run plays, default 300
---@field dt? number seconds per frame, default 1/60
---@field seed? integer of its random numbers, default 1
---@field params? table<string, number|string|boolean> parameters that overrides may change
---@field world? collide.Options
---@field input? string the keys that are held when there is no keyboard
---@field setup? fun(scene: collide.Scene)
---@field update? fun(scene: collide.Scene, dt: number) before each update of the world
---@field draw? fun(scene: collide.Scene, canvas: collide.Canvas)
---@field check? fun(scene: collide.Scene): boolean?, string? after the last frame
---@field save? fun(scene: collide.Scene): any
---@field load? fun(scene: collide.Scene, value: any)

---@class collide.Overrides
---@field width? number
---@field height? number
---@field frames? integer
---@field dt? number
---@field seed? integer
---@field broadphase? string
---@field input? string
---@field world? collide.Options added to the scene's own
---@field params? table<string, number|string|boolean> text is converted to the default's type

--- Completes a scene's table, in a copy. Overrides may have the fields above, and each of the
--- scene's params, unless a field has that name.
---@param given table
---@param overrides? collide.Overrides
---@return table? settled nil with a message when there is a mistake in either
---@return string? message
function M.settle(given, overrides)
  local settled, message = fields(given)
  if not settled then return nil, message end
  settled.params, message = params(given.params)
  if not settled.params then return nil, message end
  settled.world = copyInto({ strict = true }, given.world)
  if overrides ~= nil then
    if type(overrides) ~= "table" then return expected("overrides", "table", overrides) end
    local ok
    ok, message = overrideAll(settled, overrides)
    if not ok then return nil, message end
  end
  if settled.world.width == nil then settled.world.width = settled.width end
  if settled.world.height == nil then settled.world.height = settled.height end
  return settled
end

return M
