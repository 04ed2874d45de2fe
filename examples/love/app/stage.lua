-- A scene that is being played: its time, its keys, and its picture.

local core = require "collide.core"
local canvas = require "collide.canvas"
local scenes = require "collide.scene"
local input = require "collide.scene.input"
local texts = require "collide.scene.text"
local broadphases = require("collide.world").BROADPHASES
local traceback = require "collide.scene.traceback"
local reader = require "collide.world.reader"
local view = require "collide.love"
local camera = require "app.camera"
local details = require "app.details"
local history = require "app.history"
local meter = require "app.meter"
local panel = require "app.panel"
local theme = require "app.theme"

local graphics = love.graphics

local M = {}

local MARGIN = 24
local PANEL = 236

-- How far the mouse may move in a click, in pixels.
local CLICK = 4

-- The broad phases that the key b switches through.
local BROADPHASES = {}
for _, name in ipairs(broadphases) do
  if name ~= "auto" then BROADPHASES[#BROADPHASES + 1] = name end
end

-- On a computer that is too slow for a scene, the scene slows down and does not fall behind more
-- and more.
local MOST_STEPS = 4

local Stage = {}
Stage.__index = Stage

-- Keeps a failure, which is shown, and tells the terminal of it.
local function fail(self, failure)
  self.failure = failure
  io.stderr:write("collide: ", traceback.text(failure), "\n")
end

-- Calls f with the stage. An error of the scene's code is kept, and shown.
local function guarded(self, f)
  local ok, result = traceback.catch(f, self)
  if ok then return result end
  fail(self, result)
end

local function load(self)
  local scene, mistake = scenes.open(self.path, self.overrides, self.keys)
  if not scene then fail(self, { message = mistake, trace = "" }) end
  return scene
end

function Stage:restart()
  self.failure, self.held = nil, 0
  self.meter, self.stats = meter.new(), {}
  self.keys = self.lines and input.scripted(self.lines) or input.typed()
  self.scene = guarded(self, load)
  self.canvas = view.canvas()
  self.chosen, self.pressedAt = nil, nil
  if not self.scene then return end
  self.camera = camera.new(self.scene.width, self.scene.height)
  self.history = history.new(self.scene, function()
    for key in pairs(self.keys._held) do self.keys._held[key] = nil end
    return load(self)
  end)
end

--- Makes a stage that plays the scene of a file.
---@param path string
---@param options table of the command line
---@param leave fun() called for the key escape
function M.new(path, options, leave)
  local self = setmetatable({
    path = path, leave = leave, overrides = input.overrides(options, options.settings),
    lines = options.lines,
    paused = options.paused or false,
    cells = options.cells or false, hits = options.hits or false,
  }, Stage)
  self:restart()
  return self
end

local function step(self)
  local start = core.clock()
  scenes.step(self.scene)
  local seconds = core.clock() - start
  self.meter:add(seconds, self.scene.world:stats(self.stats))
  self.history:note(self.scene)
end

--- Plays one frame, whatever the time.
function Stage:step()
  if not self.failure then guarded(self, step) end
end

local function goBack(self)
  local frame = self.scene.frame - 1
  local before = self.scene
  self.scene = self.history:go(before, frame)
  self.scene.world:stats(self.stats)
  if self.scene ~= before then self.chosen = nil end
end

--- Goes one frame back. Steps from there play the typed keys again, until the scene plays on.
function Stage:stepBack()
  if not self.scene or self.scene.frame == 0 then return end
  self.paused, self.failure = true, nil
  guarded(self, goBack)
end

function Stage:pause()
  self.paused = not self.paused
  if self.paused or not self.scene then return end
  input.forget(self.keys, self.scene.frame)
  self.history:forget(self.scene.frame)
end

function Stage:update(dt)
  self.meter:update(dt)
  if self.paused or self.failure then return end
  self.held = self.held + dt
  local steps = 0
  while self.held >= self.scene.dt and not self.failure do
    self.held = self.held - self.scene.dt
    if steps == MOST_STEPS then
      self.held = 0
    else
      self:step()
      steps = steps + 1
    end
  end
end

local function nextBroadphase(self)
  local place = 0
  for i, name in ipairs(BROADPHASES) do
    if name == self.stats.broadphase then place = i end
  end
  self.overrides.broadphase = BROADPHASES[place % #BROADPHASES + 1]
  self:restart()
end

-- The key that no scene gets.
local ALWAYS = "tab"

local keys = {
  space = Stage.pause,
  s = function(self)
    self.paused = true
    self:step()
  end,
  b = nextBroadphase,
  c = function(self) self.cells = not self.cells end,
  h = function(self) self.hits = not self.hits end,
  r = Stage.restart,
  a = Stage.stepBack,
  z = function(self) self.camera:reset() end,
  escape = function(self) self.leave() end,
}
keys.right, keys.left, keys[ALWAYS] = keys.s, keys.a, keys.space

local REPEATED = { s = true, right = true, a = true, left = true }

--- The keys that the scene takes from the keyboard, sorted.
function Stage:taken()
  return self.lines and {} or texts.names(self.keys._asked)
end

--- Whether a key is not one of the scene's.
function Stage:isFree(key)
  return key == ALWAYS or self.lines or not self.keys._asked[key]
end

-- The scene gets all keys but one. A key that it uses is not a command.
function Stage:keypressed(key, repeated)
  if not repeated and key ~= ALWAYS then input.press(self.keys, key) end
  if not self:isFree(key) then return end
  if keys[key] and (REPEATED[key] or not repeated) then keys[key](self) end
end

function Stage:keyreleased(key)
  input.release(self.keys, key)
end

local function drawScene(self)
  if self.cells or self.hits then
    view.draw(self.scene.world, { cells = self.cells, hits = self.hits })
  else
    scenes.draw(self.scene, self.canvas)
  end
end

-- The place of the scene's field on the screen: left, top, and the scale at which the whole field
-- is visible; and the present scale.
local function place(self, width, height)
  local x, y, scale = self.camera:frame(MARGIN, MARGIN, width - PANEL - 3 * MARGIN,
    height - 2 * MARGIN)
  return x, y, scale, scale * self.camera.zoom
end

-- The point of the field at a place on the screen; nil outside the field.
local function pointAt(self, screenX, screenY, width, height)
  if not self.scene or self.failure then return nil end
  local x, y, scale, zoomed = place(self, width, height)
  local dx, dy = screenX - x, screenY - y
  if dx < 0 or dy < 0 or dx > self.scene.width * scale or dy > self.scene.height * scale then
    return nil
  end
  local left, top = self.camera:corner()
  return left + dx / zoomed, top + dy / zoomed
end

function Stage:wheelmoved(_, up, width, height)
  local x, y = pointAt(self, self.mouseX or 0, self.mouseY or 0, width, height)
  if x then self.camera:zoomBy(2 ^ (up / 4), x, y) end
end

function Stage:mousepressed(x, y, width, height)
  if pointAt(self, x, y, width, height) then self.pressedAt = { x, y } end
end

-- Pans, while a button is down.
function Stage:mousemoved(x, y, width, height)
  local from = self.pressedAt
  if from and (from.isDrag or math.abs(x - from[1]) + math.abs(y - from[2]) > CLICK) then
    local _, _, _, zoomed = place(self, width, height)
    self.camera:moveBy((from[1] - x) / zoomed, (from[2] - y) / zoomed)
    self.pressedAt = { x, y, isDrag = true }
  end
  self.mouseX, self.mouseY = x, y
end

-- A click selects the actor there, or none.
function Stage:mousereleased(screenX, screenY, width, height)
  local from = self.pressedAt
  self.pressedAt = nil
  if not from or from.isDrag then return end
  local x, y = pointAt(self, screenX, screenY, width, height)
  if x then self.chosen = details.at(self.scene.world, x, y) end
end

local function drawChosen(self)
  local actor, world = self.chosen, self.scene.world
  if not actor or not world:has(actor) then return end
  graphics.setColor(theme.ALARM)
  view.drawShape("line", reader.placeOf(actor, world._names))
end

local function drawField(self, width, height)
  local scene = self.scene
  local x, y, scale, zoomed = place(self, width, height)
  local w, h = math.floor(scene.width * scale), math.floor(scene.height * scale)
  local left, top = self.camera:corner()
  graphics.setColor(canvas.PAPER)
  graphics.rectangle("fill", x, y, w, h)
  -- The scene may change any state of love.graphics; pop restores all of it.
  graphics.push("all")
  graphics.setScissor(x, y, w, h)
  graphics.translate(x, y)
  graphics.scale(zoomed)
  graphics.translate(-left, -top)
  graphics.setLineWidth(1 / zoomed)
  graphics.setFont(theme.NORMAL)
  graphics.setColor(0, 0, 0)
  local depth = graphics.getStackDepth()
  graphics.push("all")
  guarded(self, drawScene)
  while graphics.getStackDepth() > depth do graphics.pop() end
  graphics.setLineWidth(3 / zoomed)
  if not self.failure then drawChosen(self) end
  graphics.pop()
  graphics.setColor(theme.EDGE)
  graphics.setLineWidth(1)
  graphics.rectangle("line", x - 0.5, y - 0.5, w + 1, h + 1)
end

local function drawFailure(self, width)
  local room = width - PANEL - 3 * MARGIN
  local y = MARGIN
  theme.write("This scene can't go on", MARGIN, y, theme.ALARM, theme.LARGE)
  y = y + theme.LARGE:getHeight() + 12
  theme.write(self.failure.message, MARGIN, y, theme.TEXT, theme.NORMAL, room)
  y = y + theme.height(self.failure.message, theme.NORMAL, room) + 12
  theme.write(self.failure.trace, MARGIN, y, theme.MUTED, theme.SMALL, room)
end

function Stage:draw(width, height)
  if not self.failure then drawField(self, width, height) end
  if self.failure then drawFailure(self, width) end
  panel.draw(self, width - PANEL - MARGIN, MARGIN, PANEL, height - 2 * MARGIN)
end

return M
