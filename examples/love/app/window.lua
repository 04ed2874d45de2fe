-- The window: passes events to the menu or to the scene that it shows.

local files = require "collide.files"
local input = require "collide.scene.input"
local menu = require "app.menu"
local stage = require "app.stage"
local theme = require "app.theme"

local M = {}

local screen

local function quit()
  love.event.quit()
end

-- Plays frames without waiting.
local function playTo(frame)
  for _ = 1, frame do screen:step() end
end

-- Plays the frames before the picture, and leaves when it has been saved.
local function takePicture(options)
  if screen.scene then
    screen.paused = true
    playTo(options.at or screen.scene.frames)
  end
  local drawn = love.draw
  function love.draw()
    drawn()
    love.draw = drawn
    love.graphics.captureScreenshot(function(image)
      local file, why = io.open(options.screenshot, "wb")
      if file then
        file:write(image:encode("png"):getString())
        file:close()
      end
      if why then io.stderr:write("collide: ", why, "\n") end
      love.event.quit((screen.failure or why) and 1 or 0)
    end)
  end
end

local function forward(event)
  love[event] = function(x, y)
    if screen[event] then screen[event](screen, x, y, love.graphics.getDimensions()) end
  end
end

-- Writes the keys of the scene that is shown to a file, for `collide run --input`.
local function writeRecord(path)
  if not screen.scene then return end
  local written, why = files.write(path, input.record(screen.scene))
  if not written then io.stderr:write("collide: cannot write the record: ", why, "\n") end
end

local function showMenu(options)
  screen = menu.new(function(path)
    screen = stage.new(path, options, function()
      if options.record then writeRecord(options.record) end
      showMenu(options)
    end)
  end, quit)
end

--- Takes over LÖVE's callbacks and shows the scene named in the options, or else the menu.
---@param options table of the command line
function M.open(options)
  love.graphics.setBackgroundColor(theme.GROUND)
  love.keyboard.setKeyRepeat(true)

  function love.update(dt)
    screen:update(dt)
  end

  function love.draw()
    screen:draw(love.graphics.getDimensions())
  end

  function love.keypressed(key, _, repeated)
    screen:keypressed(key, repeated)
  end

  forward "keyreleased"
  forward "mousemoved"
  forward "mousepressed"
  forward "mousereleased"
  forward "wheelmoved"

  if options[1] then
    screen = stage.new(options[1], options, quit)
  else
    showMenu(options)
  end
  if options.record then
    function love.quit() writeRecord(options.record) end
  end
  if options.screenshot then
    takePicture(options)
  elseif options.at and screen.scene then
    playTo(options.at)
  end
end

return M
