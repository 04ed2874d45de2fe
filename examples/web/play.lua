-- The Lua part of the page: runs the text in the editor and, if it returns a scene, plays that.
-- Each function that is returned here takes a string from worker.js, and returns a string of JSON.

local draw = ...

package.path = "/lua/?.lua;/lua/?/init.lua;/examples/scenes/?.lua;./?.lua"

local canvas = require "collide.canvas"
local input = require "collide.scene.input"
local texts = require "collide.scene.text"
local scenes = require "collide.scene"
local traceback = require "collide.scene.traceback"

local M = {}

-- The name of the editor's text in errors.
local NAME = "main.lua"

-- On a computer that is too slow for a scene, the scene slows down and does not fall behind more
-- and more.
local MOST_STEPS = 4

-- Drawing -----------------------------------------------------------------------

-- The numbers of the drawing commands, as in canvas.js.
local COLOR, RECTANGLE, CIRCLE, CAPSULE, POLYGON, LINE, CIRCLES, TEXT = 0, 1, 2, 3, 4, 5, 6, 7
local FILLS = { fill = 1, line = 0 }

local brush = {}

function brush.color(_, r, g, b, a) draw(COLOR, r, g, b, a) end

function brush.rectangle(_, mode, l, t, w, h) draw(RECTANGLE, FILLS[mode], l, t, w, h) end

function brush.circle(_, mode, x, y, r) draw(CIRCLE, FILLS[mode], x, y, r) end

function brush.capsule(_, mode, x1, y1, x2, y2, r) draw(CAPSULE, FILLS[mode], x1, y1, x2, y2, r) end

function brush.polygon(_, mode, points) draw(POLYGON, FILLS[mode], points) end

function brush.line(_, points) draw(LINE, points) end

function brush.circles(_, centres, r) draw(CIRCLES, r, centres) end

function brush.text(_, text, x, y) draw(TEXT, x, y, text) end

local paper = canvas.new(brush)

-- Playing -----------------------------------------------------------------------

local scene, held
local keys, isTyped = nil, false

-- The line of the editor that an error is about, if it names one.
local function lineOf(text)
  return tonumber(text:match("%f[%w]" .. NAME:gsub("%.", "%%.") .. ":(%d+)"))
end

local function failed(message, trace)
  return texts.json {
    failure = message, trace = trace, line = lineOf(message) or trace and lineOf(trace),
    frame = scene and scene.frame or nil,
  }
end

-- Calls f(argument), which may run the user's code. Returns its result or its error, as JSON.
local function guarded(f, argument)
  local ok, result = traceback.catch(f, argument)
  if ok then return texts.json(result) end
  -- The stack below this file is the page's own, and is cut off. It may have no frame above.
  local trace = result.trace:gsub("\n[^\n]*/examples/web/play%.lua.*", "")
  return failed(result.message, trace:find(":%d+: in ") and trace or nil)
end

local function asked()
  local names = { n = 0 }
  for key in pairs(keys._asked) do
    names.n = names.n + 1
    names[names.n] = key
  end
  table.sort(names)
  return names
end

-- Draws the scene, and returns its state.
local function show()
  local color = canvas.PAPER
  brush:color(color[1], color[2], color[3], 1)
  brush:rectangle("fill", 0, 0, scene.width, scene.height)
  brush:color(0, 0, 0, 1)
  scenes.draw(scene, paper)
  return {
    name = scene.name, width = scene.width, height = scene.height, frame = scene.frame,
    actors = scene.world:count(), hash = scene.world:hash(), keys = asked(),
    isTyped = isTyped, isScripted = scene.input ~= nil,
  }
end

-- A scene checks itself after its last frame, as it does on the command line.
local function step()
  scenes.step(scene)
  if scene.frame ~= scene.frames or isTyped and scene.input then return end
  local passed, message = scenes.verify(scene)
  if not passed then error("check failed: " .. message, 0) end
end

local function begin(code)
  local chunk, message = load(code, "@" .. NAME, "t")
  if not chunk then error(message, 0) end
  local result = chunk()
  if type(result) ~= "table" then return { done = true } end
  isTyped = isTyped or result.input == nil
  keys = isTyped and input.typed() or nil
  scene, message = scenes.open(result, nil, keys)
  if not scene then error(message, 0) end
  keys, held = scene._keys, 0
  return show()
end

--- Lets the keyboard play the scene, even if it has a script of keys.
function M.typed()
  isTyped = true
  return "true"
end

--- Runs a text, and sets up the scene that it returns.
function M.run(code) return guarded(begin, code) end

local function play(seconds)
  held = held + tonumber(seconds)
  for _ = 1, MOST_STEPS do
    if held < scene.dt then break end
    held = held - scene.dt
    step()
  end
  if held >= scene.dt then held = 0 end
  return show()
end

--- Plays the frames for a number of seconds.
function M.play(seconds) return guarded(play, seconds) end

local function advance(frames)
  for _ = 1, tonumber(frames) do step() end
  return show()
end

--- Plays a number of frames.
function M.advance(frames) return guarded(advance, frames) end

--- A key goes down or up: `+left`, `-left`.
function M.key(change)
  local key = change:sub(2)
  if change:sub(1, 1) == "+" then input.press(keys, key) else input.release(keys, key) end
  return "true"
end

return M
