-- The game in a window: love examples/game
--   arrows, or a and d: run; space: jump; x: shoot; down: drop through a plank
--   return: begin again; f1: show what collide sees; f8: save the last ten seconds as a film

local films = require "collide.film"
local keys = require "collide.keys"
local rules = require "rules"
local view = require "collide.love"

local TILE, HEIGHT = 16, 240 -- the side of a tile and the visible height of the map, in pixels
local KEYS = {
  left = { "left", "a" }, right = { "right", "d" }, down = { "down", "s" },
  jump = { "space", "up", "w" }, shoot = { "x", "lctrl" },
}
local HELP = [[
arrows: run   space: jump   x: shoot
down: drop through a plank   f1: show shapes]]
local HELP_TIME = 8 -- how long the help is shown, in seconds
local MESSAGES = { won = "You have won! Press return", lost = "Lost! Press return" }

local game, film, saved, image, quads, tiles, time, font, fontScale, isDebugging

-- Paints all tile layers of the map into one picture. The map has only horizontal flips.
local function paint(map)
  local batch = love.graphics.newSpriteBatch(image)
  for _, layer in ipairs(map.layers) do
    local source = layer.source
    for i, gid in ipairs(source.data or {}) do
      local isFlipped = gid >= 2 ^ 31
      local quad = quads[gid % 2 ^ 28 - 1]
      if quad then
        local column, row = (i - 1) % source.width, math.floor((i - 1) / source.width)
        batch:add(quad, (column + (isFlipped and 1 or 0)) * TILE, row * TILE, 0,
          isFlipped and -1 or 1, 1)
      end
    end
  end
  return batch
end

local function isDown(name)
  return love.keyboard.isDown(unpack(KEYS[name]))
end

local function start()
  game, time = rules.new("map.lua", keys.live(isDown)), 0
  film = films.new(game.world, { fields = { "vx", "vy", "faces" } })
  film:input(game.keys)
  tiles = paint(game.map)
end

function love.load()
  love.graphics.setDefaultFilter("nearest")
  image, quads = love.graphics.newImage "tiles.png", {}
  for id = 0, 31 do
    local column, row = id % 8, math.floor(id / 8)
    quads[id] = love.graphics.newQuad(column * TILE, row * TILE, TILE, TILE, image)
  end
  start()
end

-- Saves the last 600 frames: `collide film` shows them, and its keys play the game again.
local function save()
  love.filesystem.createDirectory ""
  local path = love.filesystem.getSaveDirectory() .. "/game.film"
  film:save(path)
  saved = { text = "Saved " .. path, time = time }
end

function love.keypressed(key)
  if key == "return" then start() end
  if key == "f1" then isDebugging = not isDebugging end
  if key == "f8" then save() end
end

function love.update(dt)
  game:update(dt)
  time = time + dt
end

-- The tile that shows an actor now: its own, or one of those after it in the tileset.
local function frameOf(actor)
  local id = actor.tile.id
  if actor.type == "flag" then return id end
  if actor.type ~= "hero" then return id + math.floor(time * 4) % 2 end
  if not actor.character.floor then return id + 3 end
  return actor.vx == 0 and id or id + 1 + math.floor(time * 10) % 2
end

local function drawActor(actor)
  local x, y = game.world:interpolate(actor, game.alpha)
  if actor.safe and actor.safe > 0 and math.floor(time * 10) % 2 == 0 then return end
  if actor.tile then
    local isLeft = actor.faces < 0
    love.graphics.draw(image, quads[frameOf(actor)], isLeft and x + TILE or x, y, 0,
      isLeft and -1 or 1, 1)
  elseif actor.type == "lift" then
    for i = 0, actor.width / TILE - 1 do love.graphics.draw(image, quads[26], x + i * TILE, y) end
  end
end

local function drawSky(left, width)
  for i = 0, 5 do
    love.graphics.setColor(0.45 + 0.08 * i, 0.71 + 0.04 * i, 0.95)
    love.graphics.rectangle("fill", 0, i * HEIGHT / 6, width, HEIGHT / 6 + 1)
  end
  love.graphics.setColor(0.47, 0.72, 0.62)
  for i = 0, 12 do
    love.graphics.circle("fill", i * 190 - left * 0.3, HEIGHT + 20 + i % 3 * 15, 110)
  end
end

-- Writes at the size of the window, so that letters are sharp.
local function write(text, x, y, width, scale, align)
  if fontScale ~= scale then font, fontScale = love.graphics.newFont(10 * scale), scale end
  love.graphics.setFont(font)
  love.graphics.setColor(1, 1, 1, 0.7)
  for dx = -1, 1 do
    for dy = -1, 1 do
      love.graphics.printf(text, x * scale + dx, y * scale + dy, width * scale, align)
    end
  end
  love.graphics.setColor(0.1, 0.1, 0.18)
  love.graphics.printf(text, x * scale, y * scale, width * scale, align)
end

function love.draw()
  local scale = love.graphics.getHeight() / HEIGHT
  local width = love.graphics.getWidth() / scale
  local heroX = game.world:interpolate(game.hero, game.alpha)
  local left = math.max(0, math.min(game.map.width - width, heroX + TILE / 2 - width / 2))
  left = math.floor(left * scale + 0.5) / scale
  love.graphics.scale(scale)
  drawSky(left, width)

  love.graphics.push()
  love.graphics.translate(-left, 0)
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(tiles)
  for _, actor in ipairs(game.world:actors()) do drawActor(actor) end
  game.shots:each(function(_, x, y)
    love.graphics.draw(image, quads[25], x - TILE / 2, y - TILE / 2)
  end)
  if isDebugging then view.draw(game.world, { hits = true }) end
  love.graphics.pop()

  love.graphics.origin()
  write(("Hearts %d   Coins %d/%d"):format(game.hearts, game.coins, game.total), 8, 6, width, scale,
    "left")
  local message = MESSAGES[game.state] or time < HELP_TIME and HELP or ""
  if saved and time >= saved.time and time < saved.time + 3 then message = saved.text end
  write(message, 0, 30, width, scale, "center")
end
