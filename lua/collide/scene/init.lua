-- Scenes: small programs with one world, which run the same in a terminal and in a window.

local collide = require "collide"
local core = require "collide.core"
local canvases = require "collide.canvas"
local check = require "collide.check"
local definition = require "collide.scene.definition"
local input = require "collide.scene.input"
local moments = require "collide.scene.moment"
local random = require "collide.scene.random"
local traceback = require "collide.scene.traceback"
local texts = require "collide.scene.text"

---@alias collide.SceneSource string|collide.SceneDefinition|collide.Scene a path, or a table

---@class collide.scene
local M = {}

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
---@field random fun(a?: number, b?: number): number as math.random, the same everywhere
---@field uniform fun(a: number, b: number): number a float in [a, b)
---@field sin fun(x: number): number
---@field cos fun(x: number): number
---@field down fun(key: string): boolean whether a key is held in this frame
---@field pressed fun(key: string): boolean whether a key went down in this frame
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

local function checkScene(self, fn)
  if not M.isScene(self) then
    check.fail(fn, "self", "scene", self, "call it with a colon")
  end
end

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
  local ok, first, second = xpcall(call, traceback.handler)
  if ok then return first, second end
  traceback.pass(first, moment(scene))
end

--- Plays `frames` more frames (by default as many as the scene has), and then calls the scene's
--- check. Raises when the check fails.
---@param frames? integer
---@return collide.Scene self
function Scene:run(frames, ...)
  checkScene(self, "scene:run")
  check.noMore("scene:run", "a number of frames", 1, ...)
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
  if not check.isCallable(fn) then check.fail(name, "fn", "function", fn) end
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

--- Draws the scene by its actors' `draw`; if none has one, their shapes, and the bullets. A scene's
--- own `draw` replaces this method.
---@param canvas collide.Canvas
function Scene:draw(canvas)
  canvases.drawActors(canvas, self.world)
end

function Scene:__tostring()
  return ("scene %s, frame %d"):format(self.name, self.frame)
end

-- The rest are functions, not methods: a scene may have fields of the same names.

local function play(scene)
  scene._keys:begin(scene.frame)
  if scene.update then scene.update(scene, scene.dt) end
  scene.world:update(scene.dt)
end

--- Plays one frame: the scene's own update, then the world's. Does not call the scene's check.
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
---@return string? message what the check said when it failed
function M.verify(scene)
  if not scene.check then return true end
  local passed, message = called(scene.check, scene)
  if passed == false or passed == nil and message ~= nil then
    return false, message == nil and "it returned false" or tostring(message)
  end
  return true
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

--- Opens a scene again, as it was before its first frame. nil if it cannot be opened, or if its
--- keys come from a keyboard.
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
function M.open(source, overrides, keys)
  local given, prefix = source, ""
  if type(source) == "string" then
    local read, message = definition.read(source)
    if not read then return nil, message end
    given, prefix = read, source .. ": "
  end
  local scene, mistake = definition.settle(given, overrides)
  if not scene then return nil, prefix .. mistake end
  if not scene.name then scene.name = type(source) == "string" and nameOf(source) or "scene" end
  scene.name = texts.line(scene.name)

  local made, world = pcall(collide.newWorld, scene.world)
  if not made then
    -- The message is cut free of its position, which would be the caller of this function.
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
  scene._keys = keys
  scene.down, scene.pressed = input.functions(keys)
  scene.random, scene.uniform, scene._generator = random.new(scene.seed)
  scene.sin, scene.cos = core.sin, core.cos
  scene.frame, scene.state = 0, {}
  setmetatable(scene, Scene)
  if scene.setup then called(scene.setup, scene) end
  return scene
end

--- Makes a scene from a file or a table, which does not change. Its world is set up, and no frame
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
