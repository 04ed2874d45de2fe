-- A scene being played: its time, what the keys do to it, and the picture of it.

local core = require "collide.core"
local canvas = require "collide.canvas"
local scenes = require "collide.scene"
local input = require "collide.scene.input"
local arguments = require "collide.scene.arguments"
local broadphases = require("collide.options").BROADPHASES
local traceback = require "collide.scene.traceback"
local view = require "collide.love"
local meter = require "app.meter"
local panel = require "app.panel"
local theme = require "app.theme"

local graphics = love.graphics

local M = {}

local MARGIN = 24
local PANEL = 236

-- What the key b goes through.
local BROADPHASES = {}
for _, name in ipairs(broadphases) do
  if name ~= "auto" then BROADPHASES[#BROADPHASES + 1] = name end
end

-- A computer too slow for a scene shows it slowed down, rather than ever later.
local MOST_STEPS = 4

local Stage = {}
Stage.__index = Stage

-- Calls f with the stage; what the scene's code raises is kept, to be shown.
local function guarded(self, f)
  local ok, result = traceback.catch(f, self)
  if ok then return result end
  self.failure = result
end

local function load(self)
  local scene, mistake = scenes.open(self.path, self.overrides, self.keys)
  if not scene then self.failure = { message = mistake, trace = "" } end
  return scene
end

function Stage:restart()
  self.failure, self.held = nil, 0
  self.meter, self.stats = meter.new(), {}
  self.keys = self.lines and input.scripted(self.lines) or input.typed()
  self.scene = guarded(self, load)
  self.canvas = view.canvas()
end

--- A stage on which the scene of a file is played.
---@param path string
---@param options table of the command line
---@param leave fun() what the key escape does
function M.new(path, options, leave)
  local self = setmetatable({
    path = path, leave = leave, overrides = arguments.overrides(options, options.settings),
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
end

--- Plays one frame, whatever the time.
function Stage:step()
  if not self.failure then guarded(self, step) end
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

local keys = {
  space = function(self) self.paused = not self.paused end,
  s = function(self)
    self.paused = true
    self:step()
  end,
  b = nextBroadphase,
  c = function(self) self.cells = not self.cells end,
  h = function(self) self.hits = not self.hits end,
  r = Stage.restart,
  escape = function(self) self.leave() end,
}
keys.right = keys.s

local REPEATED = { s = true, right = true }

-- A scene gets all keys; what it asks for is no command then.
function Stage:keypressed(key, repeated)
  if not repeated then self.keys:press(key) end
  if self.keys.asked[key] then return end
  if keys[key] and (REPEATED[key] or not repeated) then keys[key](self) end
end

function Stage:keyreleased(key)
  self.keys:release(key)
end

local function drawScene(self)
  if self.cells or self.hits then
    view.draw(self.scene.world, { cells = self.cells, hits = self.hits })
  else
    scenes.draw(self.scene, self.canvas)
  end
end

-- Where the scene's field is on the screen: left, top and what a unit of it measures.
local function place(scene, width, height)
  local room, high = width - PANEL - 3 * MARGIN, height - 2 * MARGIN
  local scale = math.min(room / scene.width, high / scene.height)
  return math.floor(MARGIN + (room - scale * scene.width) / 2),
    math.floor(MARGIN + (high - scale * scene.height) / 2), scale
end

local function drawField(self, width, height)
  local scene = self.scene
  local x, y, scale = place(scene, width, height)
  local w, h = math.floor(scene.width * scale), math.floor(scene.height * scale)
  graphics.setColor(canvas.PAPER)
  graphics.rectangle("fill", x, y, w, h)
  -- The scene may leave whatever it likes behind; all of it is put back.
  graphics.push("all")
  graphics.setScissor(x, y, w, h)
  graphics.translate(x, y)
  graphics.scale(scale)
  graphics.setLineWidth(1 / scale)
  graphics.setFont(theme.NORMAL)
  graphics.setColor(0, 0, 0)
  local depth = graphics.getStackDepth()
  guarded(self, drawScene)
  while graphics.getStackDepth() > depth do graphics.pop() end
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
