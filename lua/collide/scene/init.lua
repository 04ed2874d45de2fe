-- Scenes: small programs around one world that run the same in a terminal and in a window.

local collide = require "collide"
local core = require "collide.core"
local check = require "collide.check"
local definition = require "collide.scene.definition"
local input = require "collide.scene.input"
local moments = require "collide.scene.moment"
local random = require "collide.scene.random"
local traceback = require "collide.scene.traceback"

---@alias collide.SceneSource string|collide.SceneDefinition|collide.Scene a path, or a table

---@class collide.scene
local M = {}

---@class collide.Scene
---@field name string
---@field width number
---@field height number
---@field frames integer how many `run` plays without an argument
---@field dt number seconds a frame
---@field seed integer
---@field params table<string, number|string|boolean> the scene's defaults with overrides applied
---@field world collide.World
---@field state table what the scene keeps from frame to frame
---@field frame integer frames played; in the first frame's callbacks already 1
---@field random fun(a?: number, b?: number): number as math.random, the same everywhere
---@field uniform fun(a: number, b: number): number a float in [a, b)
---@field sin fun(x: number): number
---@field cos fun(x: number): number
---@field down fun(key: string): boolean whether a key is held in this frame
---@field pressed fun(key: string): boolean whether it is held since this frame
---@field input? string its keys, for where there is no keyboard
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

-- What a scene's errors begin with.
local function moment(scene)
  return ("frame %d, seed %.0f: "):format(scene.frame, scene.seed)
end

-- What `called` is to call, and for which scene: arguments that xpcall does not pass on in
-- Lua 5.1, without a closure for each frame.
local pending = {}

local function call()
  local f, scene, argument = pending.f, pending.scene, pending.argument
  pending.f, pending.scene, pending.argument = nil, nil, nil
  return f(scene, argument)
end

-- Calls f(scene, argument), a scene's own code: an error of it begins with frame and seed.
local function called(f, scene, argument)
  pending.f, pending.scene, pending.argument = f, scene, argument
  local ok, first, second = xpcall(call, traceback.handler)
  if ok then return first, second end
  traceback.pass(first, moment(scene))
end

--- Plays `frames` more frames (without it, as many as the scene has) and then checks; raises when
--- the check fails.
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

--- Plays until fn(scene) is true, and returns the frame; when that is not so after `most` frames
--- (without it, as many as the scene has), it raises.
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

--- Draws the scene as it is; scenes with a `draw` of their own replace this.
---@param canvas collide.Canvas
function Scene:draw(canvas)
  self.world:draw(canvas)
end

function Scene:__tostring()
  return ("scene %s, frame %d"):format(self.name, self.frame)
end

-- No methods, as scenes keep their own data in the object, under names of their choice.

local function play(scene)
  scene._keys:begin(scene.frame)
  if scene.update then scene.update(scene, scene.dt) end
  scene.world:update(scene.dt)
end

--- Plays one frame: the scene's own update, then the world's. It doesn't check.
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

--- Asks the scene's check how it went.
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

-- With what the scene itself saves.
local function take(scene)
  return moments.take(scene, scene.save and scene.save(scene))
end

--- A scene as it is, to wind back to: its world, its state, the fields of its actors, its
--- random numbers and keys. What cannot be kept raises.
---@param scene collide.Scene
---@return collide.SceneMoment
function M.snapshot(scene)
  return (called(take, scene))
end

local function restore(scene, past)
  past:restore()
  if scene.load then scene.load(scene, past.saved) end
end

--- Winds a scene back to a moment of it.
---@param scene collide.Scene
---@param past collide.SceneMoment
function M.restore(scene, past)
  called(restore, scene, past)
end

local function nameOf(path)
  return path:match("([^/\\]+)%.lua$") or path
end

local sceneOf = setmetatable({}, { __mode = "kv" })

--- The scene that a world is of, if it is still there.
---@param world collide.World
---@return collide.Scene?
function M.of(world)
  return sceneOf[world]
end

--- A scene as one began that was not played by hand, no frame played. Nil where that cannot be.
---@param scene collide.Scene
---@return collide.Scene?
function M.again(scene)
  if scene._origin then return (M.open(scene._origin.source, scene._origin.overrides)) end
end

--- As `load`, but a mistake in the file, the table or the overrides comes back as nil and a
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

  local made, world = pcall(collide.newWorld, scene.world)
  if not made then
    -- Without the position, which would be the caller of this function.
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

--- A new scene from a file or a table, which isn't changed: its world is there and set up, no
--- frame played. `overrides` are fields and params of the scene to use in place of its own:
--- `load("swarm.lua", { seed = 7, count = 50 })`.
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
