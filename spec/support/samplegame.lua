-- A small game that uses much of the interface, with the annotations that a user would write. The
-- type checker reads it, and its spec plays it.
local collide = require "collide"
local bump = require "collide.bump"

---@class Hero: collide.Actor
---@field vx number
---@field vy number
---@field coins integer
local Hero = {}
Hero.__index = Hero

function Hero:enter(other)
  if other.group == "coin" then other.taken = self.name end
end

function Hero:leave(other, world)
  if other.taken and world:remove(other) then self.coins = self.coins + 1 end
end

---@class Game
---@field world collide.World
---@field map collide.Grid
---@field ground collide.Actor
---@field lift collide.Actor
---@field foe collide.Actor
---@field hero Hero
---@field character collide.Character
---@field shots collide.Bullets

---@class Sample
local M = {}

---@return Game
function M.new()
  local world = collide.newWorld { width = 320, height = 200, strict = true,
    groups = { "hero", "coin", "foe", "shot", "wall" },
    rules = { { "hero", "coin" }, { "shot", "foe" }, { "hero", "foe", "first" },
      { "hero", "wall" } } }
  local map = collide.newGrid(20, 13, { cell = 16, x = 0, y = 0 })
  map:fill(0, 11, 20, 2, 1)
  map:set(18, 10, 2)
  local slope = collide.polygon(0, 1, 1, 0, 1, 1)
  local ground = world:add { name = "ground", group = "wall", x = 0, y = 0, static = true,
    shape = collide.tiles(map, { [2] = slope, [3] = false }) }
  local lift = world:add { group = "wall", x = 200, y = 150, static = true, oneWay = true,
    shape = collide.rectangle(48, 8) }
  for i = 1, 3 do
    world:add { group = "coin", x = 60 * i, y = 165, sensor = true, shape = collide.circle(5),
      draw = function(self, canvas)
        canvas:circle("fill", self.x, self.y, 5)
      end }
  end
  local foe = world:add { group = "foe", x = 280, y = 168, life = 3, swept = true,
    shape = collide.compound(collide.circle(8), collide.capsule(-8, 0, 8, 0, 3)),
    update = function(self, dt) self.x = self.x - 10 * dt end }
  local hero = world:add(setmetatable({ name = "hero", group = "hero", x = 20, y = 150,
    shape = collide.rectangle(10, 14):centered(), vx = 0, vy = 0, coins = 0 }, Hero))
  local character = world:newCharacter(hero, { stepHeight = 4, snapLength = 4, up = { 0, -1 },
    response = function(_, other, _, ny)
      return other == foe and ny == 0 and "cross" or "slide"
    end })
  local shots = world:newBullets { capacity = 20, radius = 2, group = "shot", lifetime = 2,
    bounds = { 0, 0, 320, 200 },
    hit = function(pool, bullet, actor, nx, ny, t, x, y)
      if actor == foe then foe.life = foe.life - (pool:tag(bullet) or 1) end
      return nx * nx + ny * ny + t + x + y > 1e9 and "bounce" or nil
    end }
  return { world = world, map = map, ground = ground, lift = lift, foe = foe, hero = hero,
    character = character, shots = shots }
end

--- Plays a frame. Returns the depth of the hero in other actors.
---@param game Game
---@param dt number
---@return number
function M.play(game, dt)
  local world, hero = game.world, game.hero
  local crushed, n = world:carry(game.lift, 0, -4 * dt)
  assert(#crushed == n)
  hero.vx, hero.vy = game.character:move(60, hero.vy + 600 * dt, dt)
  local seen, x, y = world:rayCast(hero.x, hero.y, hero.x + 200, hero.y, { "foe", "wall" }, hero)
  if seen == game.foe and x and y and game.shots:count() == 0 then
    game.shots:spawnAimed(hero.x, hero.y, x, y, 240, 1)
  end
  world:update(dt)
  local told = 0
  for a, b, nx, ny, depth in world:hits(hero) do
    if a == hero and b ~= a then told = told + math.abs(nx * depth) + math.abs(ny * depth) end
  end
  return told
end

--- A number that sums up what is around the hero.
---@param game Game
---@return number
function M.look(game)
  local world, hero = game.world, game.hero
  local near, n, distances = world:nearest(hero.x, hero.y, 2, function(actor)
    return actor.group ~= "wall"
  end, hero)
  local least = n > 0 and near[1].x + distances[1] or 0
  for _, contact in ipairs(world:contacts(hero, game.ground)) do least = least + contact.depth end
  local px, py, hits = world:check(hero, 10, 0, "wall", "touch")
  for _, hit in ipairs(hits) do least = least + hit.t + (hit.column or 0) end
  local fits, who = world:fits({ x = hero.x, y = hero.y - 40, shape = hero.shape })
  for step, col, row in collide.gridRay(0, 0, 5, 3) do least = least + step + col * row end
  collide.gridRay(0, 0, 5, 3, function(step) return step > 3 end)
  local value, col = game.map:rayCast(0, 150, 320, 150)
  local list = world:queryRect(0, 0, 100, 100, "coin", nil, {})
  return least + px + py + (fits and 1 or 0) + (who and 1 or 0) + (value and col or 0) + #list
end

--- Plays a frame, and rewinds the game by that frame.
---@param game Game
---@param dt number
---@return integer steps, number x, boolean same
function M.rewind(game, dt)
  local world = game.world
  local fields = { "vx", "vy", "coins", "life", "taken" }
  local snapshot = world:snapshot(fields)
  local steps, alpha = world:advance(dt, dt, 1)
  local x = world:interpolate(game.hero, alpha)
  world:restore(snapshot)
  return steps, x, snapshot:hash() == world:snapshot(fields):hash()
end

--- Moves a box with bump.lua's interface.
---@return number? x, number nx
function M.bump()
  local world = bump.newWorld(64)
  world:add("box", 0, 0, 10, 10)
  world:add("wall", 40, 0, 10, 100)
  local x, _, cols = world:move("box", 100, 0, function() return "touch" end)
  return x, cols[1].normal.x
end

return M
