-- The rules of the game. This file draws nothing and reads no keyboard, so that a test can play it.

local collide = require "collide"
local tiled = require "collide.tiled"

local SPEED, JUMP, GRAVITY, SHOT = 110, 310, 800, 300
local HEARTS, SAFE_TIME = 3, 2 -- what an enemy takes one of, and the seconds until another may

local Hero, Enemy, Lift = {}, {}, {}
Hero.__index, Enemy.__index, Lift.__index = Hero, Enemy, Lift
local CLASSES = { hero = Hero, enemy = Enemy, lift = Lift }

-- The centre of an actor.
local function middle(actor)
  local x, y, w, h = actor.shape:bounds(actor.x, actor.y)
  return x + w / 2, y + h / 2
end

-- Moves to and fro between its place in the map and dx, dy from there.
function Lift:update(dt, world)
  self.time = self.time + dt / self.properties.seconds
  local share = 1 - math.abs(1 - self.time % 2)
  world:carry(self, self.startX + share * self.properties.dx - self.x,
    self.startY + share * self.properties.dy - self.y)
end

-- Walks, and turns round at walls and edges.
function Enemy:update(dt, world)
  local character = self.character
  self.vy = self.vy + GRAVITY * dt
  character:move(self.vx, self.vy, dt)
  if not character.floor then return end
  self.vy = 0
  local x, y = middle(self)
  local _, ahead = world:queryPoint(x + 9 * self.faces, y + 12, "ground", nil, self.found)
  if character.wall or ahead == 0 then self.faces = -self.faces end
  self.vx = 30 * self.faces
end

function Hero:update(dt)
  local keys, character = self.game.keys, self.character
  keys:advance()
  self.safe = math.max(0, self.safe - dt)
  local vx = (keys:down "right" and SPEED or 0) - (keys:down "left" and SPEED or 0)
  if vx ~= 0 then self.faces = vx > 0 and 1 or -1 end
  if keys:pressed "jump" and character.floor then
    self.vy = character.floorVy - JUMP
  elseif self.vy < -100 and not keys:down "jump" then
    self.vy = -100 -- releasing the key early makes a lower jump
  end
  if keys:down "down" then character:drop() end
  if keys:pressed "shoot" then
    local x, y = middle(self)
    self.game.shots:spawn(x, y, SHOT * self.faces, 0)
  end
  self.vx, self.vy = character:move(vx, self.vy + GRAVITY * dt, dt)

  local tiles = character.floor and character.floor.tiles
  local tile = tiles and tiles[character.floorValue]
  if tile and tile.type == "spikes" or self.y > self.game.map.height or character.crushed then
    self.game:finish "lost"
  end
end

function Hero:enter(other, _, ny, _, world)
  local game = self.game
  if other.type == "coin" then
    game.coins = game.coins + 1
    world:remove(other)
  elseif other.type == "flag" then
    game:finish "won"
  elseif other.type == "enemy" and self.vy > 0 and ny < 0 then -- from above
    world:remove(other)
    self.vy = -JUMP / 2
  elseif other.type == "enemy" then
    game:hurt()
  end
end

local Game = {}
Game.__index = Game

function Game:finish(state)
  if self.state == "playing" then self.state = state end
end

function Game:hurt()
  local hero = self.hero
  if hero.safe > 0 then return end
  self.hearts, hero.safe, hero.vy = self.hearts - 1, SAFE_TIME, -JUMP / 2
  if self.hearts == 0 then self:finish "lost" end
end

-- Advances the game by dt seconds.
function Game:update(dt)
  if self.state ~= "playing" then return end
  local _
  _, self.alpha = self.world:advance(dt)
end

-- A new game, whose keys are called left, right, down, jump and shoot.
local function new(mapFile, keys)
  local self = setmetatable({
    keys = keys, coins = 0, hearts = HEARTS, state = "playing", alpha = 0,
  }, Game)
  self.world = collide.newWorld {
    strict = true, -- raises an error if a refresh was forgotten
    groups = { "ground", "hero", "enemy", "item", "shot" },
    rules = { { "hero", "ground" }, { "hero", "enemy" }, { "hero", "item" }, { "enemy", "ground" },
      { "shot", "enemy" }, { "shot", "ground" } },
  }
  self.map = tiled.load(mapFile, {
    world = self.world,
    make = function(actor)
      actor.game, actor.startX, actor.startY = self, actor.x, actor.y
      actor.vx, actor.vy, actor.time, actor.found = 0, 0, 0, {}
      actor.faces = actor.type == "enemy" and -1 or 1
      return setmetatable(actor, CLASSES[actor.type])
    end,
  })
  self.hero, self.total = self.map:find "hero", #self.map:byClass "coin"
  self.hero.safe = 0
  self.hero.character = self.world:newCharacter(self.hero, { filter = "ground" })
  for _, enemy in ipairs(self.map:byClass "enemy") do
    enemy.character = self.world:newCharacter(enemy, { filter = "ground" })
  end
  self.shots = self.world:newBullets {
    capacity = 20, radius = 3, group = "shot", lifetime = 1,
    hit = function(_, _, actor)
      if actor.type == "enemy" then self.world:remove(actor) end
    end,
  }
  return self
end

return { new = new }
