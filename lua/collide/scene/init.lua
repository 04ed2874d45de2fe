-- Scenes: small programs with one world, which run the same in a terminal and in a window. First
-- their definitions: how files are read, fields checked, and overrides applied. Then the scene
-- itself, and the functions that open and play it.
--
-- Mistakes in a definition are returned as nil and a message. Errors that a scene's own code raises
-- pass through, so the command line can tell the two apart.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "scene" ~= ... then return require "collide.scene" end

local collide = require "collide"
local core = require "collide.core"
local canvases = require "collide.canvas"
local check = require "collide.check"
local each = require "collide.each"
local files = require "collide.files"
local input = require "collide.scene.input"
local moments = require "collide.scene.moment"
local random = require "collide.random"
local traceback = require "collide.scene.traceback"
local texts = require "collide.scene.text"

---@alias collide.SceneSource string|collide.SceneDefinition|collide.Scene a path, or a table

---@class collide.scene
local M = {}

-- Calling a scene's code ----------------------------------------------------------

--- The most Lua instructions that a frame, the file and its setup may each take; nil: no limit.
--- LuaJIT does not count them in compiled code.
---@type integer?
M.limit = nil

-- After the first error, another one is raised every so many instructions, for loops that catch it.
local AGAIN = 99991

local function stop()
  debug.sethook(stop, "", AGAIN)
  error(("no end within %.0f instructions of Lua (--instructions)"):format(M.limit), 0)
end

local function unhooked(...)
  debug.sethook()
  return ...
end

-- Calls f() as xpcall does, within the limit.
local function guarded(f)
  if not M.limit then return xpcall(f, traceback.handler) end
  debug.sethook(stop, "", M.limit)
  return unhooked(xpcall(f, traceback.handler))
end

-- Definitions -------------------------------------------------------------------

local describe = core.describe

-- Raises a mistake in a definition, without a position: M.open returns it as a message.
local function expected(what, kind, value)
  error(("%s expected (%s), got %s"):format(what, kind,
    describe(value, kind:find("number", 1, true) ~= nil)), 0)
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
  seed = { input.isSeed, input.SEED, default = 1, override = true },
  input = { isType "string", "text of lines, such as 10-80 right", override = true },
  params = { isType "table", "table of defaults" },
  world = { isType "table", "table of newWorld's options" },
  setup = { check.isCallable, "function" },
  update = { check.isCallable, "function" },
  draw = { check.isCallable, "function" },
  always = { check.isCallable, "function" },
  check = { check.isCallable, "function" },
  save = { check.isCallable, "function" },
  load = { check.isCallable, "function" },
}

local function oneOf(t)
  return "one of " .. table.concat(texts.names(t), ", ")
end

-- Runs the chunk of a scene file. Meanwhile `require` also finds modules in the file's folder.
local function runFile(chunk, path)
  local folder = path:match("^(.*[/\\])") or "./"
  local own = ("%s?.lua;%s?/init.lua;"):format(folder, folder)
  package.path = own .. package.path
  local ok, given = guarded(function() return chunk(path) end)
  -- The file may have set the path as well.
  local first, last = package.path:find(own, 1, true)
  if first then package.path = package.path:sub(1, first - 1) .. package.path:sub(last + 1) end
  if not ok then traceback.pass(given, "") end
  return given
end

-- For a path that does not exist: the end of a message that suggests a scene with a similar name.
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

-- Runs the scene file at `path`, and returns its table unchecked; nil and a message if the file
-- can't be read; nil, a message and true if it returns no table.
local function readFile(path)
  -- On some Luas loadfile's message repeats the path and lacks the reason.
  local text, why = files.read(path)
  if not text then
    why = why:sub(1, #path + 2) == path .. ": " and why:sub(#path + 3) or why
    return nil, ("%s: cannot read it: %s%s"):format(path, why, suggestion(path))
  end
  local chunk, syntax = loadfile(path)
  if not chunk then return nil, syntax end
  local given = runFile(chunk, path)
  if type(given) ~= "table" then
    return nil, ("%s: a scene file returns a table {setup = …, update = …}, got %s"):format(path,
      describe(given)), true
  end
  return given
end

-- Whether a table that is not a valid scene is meant to be a module: it has no `setup`, and fields
-- that scenes do not have.
local function isModule(given)
  if given.setup ~= nil then return false end
  for name in each.pairs(given) do
    if not FIELDS[name] then return true end
  end
  return false
end

-- A checked copy of a scene's fields, with the defaults filled in.
local function fields(given)
  local settled = {}
  for name, value in each.pairs(given) do
    local field = FIELDS[name]
    if not field then expected("field", oneOf(FIELDS), name) end
    if not field[1](value) then expected(name, field[2], value) end
    settled[name] = value
  end
  for name, field in each.pairs(FIELDS) do
    if settled[name] == nil then settled[name] = field.default end
  end
  for name, other in each.pairs { save = "load", load = "save" } do
    if settled[name] and not settled[other] then
      expected(other, "function, since there is " .. name, nil)
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
    if type(name) ~= "string" then expected("name in params", "string", name) end
    if name:find "[%c=]" or name:find "^%s" or name:find "%s$" then
      expected("name in params", "string without = and line breaks, and blanks only inside", name)
    end
    if not PARAM_TYPES[type(value)] or type(value) == "number" and not isNumber(value) then
      expected("params." .. name, "finite number, string or boolean", value)
    end
    copy[name] = value
  end
  return copy
end

-- Converts `value` to the type of the default: on a command line it is text.
local function convert(name, default, value)
  local kind, converted = type(default), value
  if kind == "number" then
    if type(value) == "string" then converted = texts.number(value) end
    if not isNumber(converted) then expected("params." .. name, "finite number", value) end
  elseif kind == "boolean" and (value == "true" or value == "false") then
    converted = value == "true"
  elseif type(value) ~= kind then
    expected("params." .. name, kind == "boolean" and "true or false" or kind, value)
  end
  return converted
end

local function overrideParam(settled, name, value)
  local default = settled.params[name]
  if default == nil then
    expected("param", next(settled.params) and oneOf(settled.params)
      or "none, as this scene has no params", name)
  end
  settled.params[name] = convert(name, default, value)
end

local function copyInto(to, from)
  for key, value in each.pairs(from or {}) do to[key] = value end
  return to
end

-- The overrides that are not fields or params.
local OTHERS = { world = true, params = true, broadphase = true }

-- Applies an override of a field, or of a param.
local function override(settled, name, value)
  local field = FIELDS[name]
  if field and field.override then
    if not field[1](value) then expected(name, field[2], value) end
    settled[name] = value
  elseif settled.params[name] ~= nil then
    overrideParam(settled, name, value)
  else
    local known = copyInto({}, OTHERS)
    for key, f in each.pairs(FIELDS) do known[key] = known[key] or f.override end
    expected("override", oneOf(copyInto(known, settled.params)), name)
  end
end

local function overrideAll(settled, overrides)
  if type(overrides) ~= "table" then expected("overrides", "table", overrides) end
  for _, name in ipairs { "world", "params" } do
    local given = overrides[name]
    if given ~= nil and type(given) ~= "table" then expected(name, "table", given) end
  end
  copyInto(settled.world, overrides.world)
  if overrides.broadphase ~= nil then settled.world.broadphase = overrides.broadphase end
  for name, value in each.pairs(overrides) do
    if not OTHERS[name] then override(settled, name, value) end
  end
  for name, value in each.pairs(overrides.params or {}) do overrideParam(settled, name, value) end
end

-- A completed copy of a scene's table. Overrides may have the fields above, and each of the
-- scene's params, unless a field has that name.
local function settle(given, overrides)
  local settled = fields(given)
  settled.params = params(given.params)
  settled.world = copyInto({ strict = true }, given.world)
  if overrides ~= nil then overrideAll(settled, overrides) end
  if settled.world.width == nil then settled.world.width = settled.width end
  if settled.world.height == nil then settled.world.height = settled.height end
  return settled
end

--- The table that a scene file returns. All fields are optional.
---@class collide.SceneDefinition
---@field name? string
---@field width? number world units, default 800
---@field height? number world units, default 600
---@field frames? integer how many frames a run plays, default 300
---@field dt? number seconds per frame, default 1/60
---@field seed? integer the seed of its random numbers, default 1
---@field params? table<string, number|string|boolean> parameters that overrides may change
---@field world? collide.Options
---@field input? string the keys that are held when there is no keyboard
---@field setup? fun(scene: collide.Scene)
---@field update? fun(scene: collide.Scene, dt: number) before each update of the world
---@field draw? fun(scene: collide.Scene, canvas: collide.Canvas)
---@field always? fun(scene: collide.Scene): boolean?, string? after each frame
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

-- Scenes ------------------------------------------------------------------------

---@class collide.Scene
---@field name string
---@field width number
---@field height number
---@field frames integer how many frames `run` plays by default
---@field dt number seconds per frame
---@field seed integer
---@field params table<string, number|string|boolean> the scene's defaults with overrides applied
---@field world collide.World
---@field state table the scene's own values that last from frame to frame
---@field frame integer the number of frames played; already 1 in the callbacks of the first frame
---@field input? string its keys when there is no keyboard
local Scene = {}
Scene.__index = Scene
Scene.__name = "collide.Scene"

--- Whether a value is a scene that has been loaded.
---@param v any
---@return boolean
function M.isScene(v)
  return type(v) == "table" and getmetatable(v) == Scene
end

local checkScene = check.receiver(Scene, "scene")

-- The text with which a scene's errors begin.
local function moment(scene)
  return ("frame %d, seed %.0f: "):format(scene.frame, scene.seed)
end

-- The function and arguments that `called` calls. xpcall passes no arguments in Lua 5.1, and a
-- closure would be garbage in each frame.
local pending = {}

local function call()
  local f, scene, argument = pending.f, pending.scene, pending.argument
  pending.f, pending.scene, pending.argument = nil, nil, nil
  return f(scene, argument)
end

-- Calls f(scene, argument), which is a scene's own code. Its errors begin with frame and seed.
local function called(f, scene, argument)
  pending.f, pending.scene, pending.argument = f, scene, argument
  local ok, first, second = guarded(call)
  if ok then return first, second end
  traceback.pass(first, moment(scene))
end

--- Plays `frames` more frames (by default as many as the scene has), and then calls the scene's
--- check. Raises when the check fails.
---@param frames? integer
---@return collide.Scene self
function Scene:run(frames, ...)
  checkScene(self, "scene:run", "a number of frames", 1, ...)
  if frames ~= nil then check.integer("scene:run", "frames", frames, 0, 2 ^ 53) end
  for _ = 1, frames or self.frames do M.step(self) end
  local passed, message = M.verify(self)
  if not passed then
    check.raise(("%sscene %s: check failed: %s"):format(moment(self), self.name, message))
  end
  return self
end

--- Plays until fn(scene) is true, and returns the frame. Raises if it is not true after `most`
--- frames (by default as many as the scene has).
---@param fn fun(scene: collide.Scene): any
---@param most? integer
---@return integer frame
function Scene:runUntil(fn, most, ...)
  local name = "scene:runUntil"
  checkScene(self, name)
  check.callable(name, "fn", fn)
  if most == nil then most = self.frames else check.integer(name, "most", most, 0, 2 ^ 53) end
  check.noMore(name, "a function and a number of frames", 2, ...)
  for _ = 1, most do
    if called(fn, self) then return self.frame end
    M.step(self)
  end
  if called(fn, self) then return self.frame end
  check.raise(("%sscene %s: what scene:runUntil waits for has not come within %d frames"):format(
    moment(self), self.name, most))
end

--- Draws the scene by its actors' `draw`; if none has one, draws their shapes and the bullets. A
--- scene's own `draw` replaces this method.
---@param canvas collide.Canvas
function Scene:draw(canvas)
  canvases.drawActors(canvas, self.world)
end

--- As math.random, from the scene's own generator: `random()`, `random(n)` or `random(m, n)`, the
--- same on every Lua and machine.
---@param ... integer
---@return number
function Scene:random(...)
  checkScene(self, "scene:random")
  return random.random(self._random, "scene:random", ...)
end

--- A float in [a, b), or a if both are equal, from the scene's own generator.
---@param a number
---@param b number
---@return number
function Scene:uniform(a, b, ...)
  checkScene(self, "scene:uniform")
  return random.uniform(self._random, "scene:uniform", a, b, ...)
end

local function checkAngle(self, fn, a, ...)
  checkScene(self, fn)
  if not check.isAngle(a) then check.fail(fn, "a", check.ANGLE, a) end
  check.noMore(fn, "an angle", 1, ...)
end

--- As collide.sin.
---@param a number
---@return number
function Scene:sin(a, ...)
  checkAngle(self, "scene:sin", a, ...)
  return core.sin(a)
end

--- As collide.cos.
---@param a number
---@return number
function Scene:cos(a, ...)
  checkAngle(self, "scene:cos", a, ...)
  return core.cos(a)
end

--- Whether a key is down in this frame.
---@param key string
---@return boolean
function Scene:down(key, ...)
  checkScene(self, "scene:down")
  return self._keys:_down("scene:down", key, ...)
end

--- Whether a key went down in this frame.
---@param key string
---@return boolean
function Scene:pressed(key, ...)
  checkScene(self, "scene:pressed")
  return self._keys:_pressed("scene:pressed", key, ...)
end

function Scene:__tostring()
  return ("scene %s, frame %d"):format(self.name, self.frame)
end

-- The rest are functions, not methods: a scene may have fields of the same names.

-- The message of a `check` or `always` that failed, which returns false, or nil and a message; nil
-- if it passed.
local function failureOf(passed, message)
  if passed == false or passed == nil and message ~= nil then
    return message == nil and "it returned false" or tostring(message)
  end
end

local function play(scene)
  scene._keys:_begin(scene.frame)
  if scene.update then scene.update(scene, scene.dt) end
  scene.world:update(scene.dt)
  scene._played = scene.frame
  local failure = scene.always and failureOf(scene.always(scene))
  if failure then error("always failed: " .. failure, 0) end
end

--- Plays one frame: the scene's own update, then the world's, then its `always`, and raises if that
--- fails. Does not call the scene's check.
---@param scene collide.Scene
function M.step(scene)
  scene.frame = scene.frame + 1
  called(play, scene)
end

--- Draws a scene.
---@param scene collide.Scene
---@param canvas collide.Canvas
function M.draw(scene, canvas)
  called(scene.draw, scene, canvas)
end

--- Calls the scene's check, if there is one.
---@param scene collide.Scene
---@return boolean passed
---@return string? message the message of a check that failed
function M.verify(scene)
  if not scene.check then return true end
  local failure = failureOf(called(scene.check, scene))
  return not failure, failure
end

-- Takes a moment, with the value of the scene's own `save`.
local function take(scene)
  return moments.take(scene, scene.save and scene.save(scene))
end

--- Takes a snapshot of a scene, to wind back to: its world, its state, the fields of its actors,
--- its random numbers and keys. Raises for a value that cannot be kept.
---@param scene collide.Scene
---@return collide.SceneMoment
function M.snapshot(scene)
  return (called(take, scene))
end

local function restore(scene, past)
  past:restore()
  if scene.load then scene.load(scene, past.saved) end
end

--- Winds a scene back to one of its snapshots.
---@param scene collide.Scene
---@param past collide.SceneMoment
function M.restore(scene, past)
  called(restore, scene, past)
end

local function nameOf(path)
  return path:match("([^/\\]+)%.lua$") or path
end

local sceneOf = setmetatable({}, { __mode = "kv" })

--- The scene that a world belongs to, or nil.
---@param world collide.World
---@return collide.Scene?
function M.of(world)
  return sceneOf[world]
end

--- Opens a scene again, as it was before its first frame. Returns nil if it cannot be opened, or if
--- its keys come from a keyboard.
---@param scene collide.Scene
---@return collide.Scene?
function M.again(scene)
  if scene._origin then return (M.open(scene._origin.source, scene._origin.overrides)) end
end

--- As `load`, but a mistake in the file, the table or the overrides is returned as nil and a
--- message. An error in the scene's own code is raised.
---@param source string|collide.SceneDefinition
---@param overrides? collide.Overrides
---@param keys? collide.Keys in place of the scene's `input`
---@return collide.Scene? scene
---@return string? message
---@return boolean? isOther true if the file returns something other than a scene
function M.open(source, overrides, keys)
  local given, prefix = source, ""
  if type(source) == "string" then
    local read, message, isOther = readFile(source)
    if not read then return nil, message, isOther end
    given, prefix = read, source .. ": "
  end
  local settled, scene = pcall(settle, given, overrides)
  if not settled then return nil, prefix .. scene, isModule(given) end
  if not scene.name then scene.name = type(source) == "string" and nameOf(source) or "scene" end
  scene.name = texts.line(scene.name)

  local made, world = pcall(collide.newWorld, scene.world)
  if not made then
    -- Cuts off the position of the message, which would be the caller of this function.
    return nil, prefix .. (tostring(world):match("collide%.newWorld.*") or tostring(world))
  end
  scene.world = world
  sceneOf[world] = scene
  if not keys then
    scene._origin = { source = source, overrides = overrides }
    local lines, problem = input.parse(scene.input or "", "line %d of input")
    if not lines then return nil, prefix .. problem end
    keys = input.scripted(lines)
  end
  scene._keys, scene._random = keys, random.new("scene", scene.seed)
  scene.frame, scene.state = 0, {}
  setmetatable(scene, Scene)
  if scene.setup then called(scene.setup, scene) end
  return scene
end

--- Makes a scene from a file or a table, which is not changed. Its world is set up, and no frame
--- has been played. `overrides` replace fields and params of the scene: `load("swarm.lua", { seed =
--- 7, count = 50 })`.
---@param source string|collide.SceneDefinition
---@param overrides? collide.Overrides
---@return collide.Scene
function M.load(source, overrides, ...)
  check.noMore("scene.load", "a path or table and overrides", 2, ...)
  if type(source) ~= "string" and type(source) ~= "table" then
    check.fail("scene.load", "source", "path or table", source)
  end
  local scene, message = M.open(source, overrides)
  if not scene then check.raise("scene.load: " .. message) end
  return scene
end

return M
