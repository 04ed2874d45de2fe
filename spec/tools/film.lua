-- The end of main.lua in a copy of examples/game, for `make film`: the game is played by the keys
-- of its spec, and 25 pictures a second are saved. F1 is on for some of them.
-- luacheck: globals game keys time isDebugging

local RATE, F1_FROM, F1_TO = 25, 50, 150
local folder = os.getenv "FILM"

local start = love.load
function love.load()
  love.window.setMode(480, 240)
  start()
  game.keys = keys.script(love.filesystem.read "spec/game_spec.lua":match "WAY = %[%[\n(.-)%]%]")
end

local picture = 0
function love.update()
  picture = picture + 1
  isDebugging = picture >= F1_FROM and picture <= F1_TO
  game:update(1 / RATE)
  time = time + 1 / RATE
  local path = ("%s/%04d.png"):format(folder, picture)
  love.graphics.captureScreenshot(function(image)
    local file = assert(io.open(path, "wb"))
    file:write(image:encode "png":getString())
    file:close()
  end)
  if game.state ~= "playing" then love.event.quit() end
end
