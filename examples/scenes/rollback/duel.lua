-- The game of the scene rollback: two ships in an arena, crates that they push, shots that bounce.
--
-- A frame depends only on the snapshot before it and on the two inputs, so two copies of the game
-- that get the same inputs stay equal. The game does not draw, and does not know the network.

local collide = require "collide"

local M = { WIDTH = 380, HEIGHT = 280, DT = 1 / 60 }

local THRUST, DRAG = 900, 0.94
local SHOT_SPEED, COOLDOWN, SHIELD = 260, 24, 90
local DIAGONAL = math.sqrt(0.5)

local SHIP, CRATE = collide.circle(9), collide.rectangle(18, 18)

-- Fields of actors that a frame changes, beside x and y.
local FIELDS = { "vx", "vy", "aimX", "aimY", "cooldown", "shield", "score" }

--- The input of a player for one frame: a whole number from 0 to 17.
---@param dx integer -1 left, 1 right, 0 neither
---@param dy integer -1 up, 1 down, 0 neither
---@param fires boolean
---@return integer
function M.input(dx, dy, fires)
  return (dy + 1) * 3 + dx + 1 + (fires and 9 or 0)
end

--- The input of a player who touches no key.
M.IDLE = M.input(0, 0, false)

-- The arguments from which M.input made an input.
local function keysOf(input)
  local keys = input % 9
  return keys % 3 - 1, math.floor(keys / 3) - 1, input >= 9
end

local function shoot(ship)
  ship.cooldown = COOLDOWN
  ship.shots:spawn(ship.x + 8 * ship.aimX, ship.y + 8 * ship.aimY,
    SHOT_SPEED * ship.aimX, SHOT_SPEED * ship.aimY)
end

local function updateShip(ship, dt, world)
  local dx, dy, fires = keysOf(ship.input)
  if dx ~= 0 and dy ~= 0 then dx, dy = dx * DIAGONAL, dy * DIAGONAL end
  if dx ~= 0 or dy ~= 0 then ship.aimX, ship.aimY = dx, dy end
  ship.vx, ship.vy = DRAG * (ship.vx + THRUST * dx * dt), DRAG * (ship.vy + THRUST * dy * dt)
  local _, _, hits, n = world:move(ship, ship.vx * dt, ship.vy * dt, nil, "push")
  for i = 1, n do
    local nx, ny = hits[i].nx, hits[i].ny
    local into = ship.vx * nx + ship.vy * ny
    if into < 0 and hits[i].response == "slide" then
      ship.vx, ship.vy = ship.vx - into * nx, ship.vy - into * ny
    end
  end
  ship.shield = math.max(0, ship.shield - 1)
  ship.cooldown = math.max(0, ship.cooldown - 1)
  if fires and ship.cooldown == 0 then shoot(ship) end
end

local function addRock(world, shape, x, y)
  world:add { name = "rock", group = "rock", x = x, y = y, shape = shape, static = true }
end

local function addWalls(world)
  local w, h = M.WIDTH, M.HEIGHT
  addRock(world, collide.rectangle(w, 6), 0, 0)
  addRock(world, collide.rectangle(w, 6), 0, h - 6)
  addRock(world, collide.rectangle(6, h - 12), 0, 6)
  addRock(world, collide.rectangle(6, h - 12), w - 6, 6)
end

-- Rocks and crates, symmetric between the two ends of the arena.
local function addObstacles(world)
  local w, h = M.WIDTH, M.HEIGHT
  addRock(world, collide.circle(24), w / 2, h / 2)
  addRock(world, collide.polygon(0, 0, 54, 0, 0, 54), 76, 48)
  addRock(world, collide.polygon(0, 0, -54, 0, 0, -54), w - 76, h - 48)
  addRock(world, collide.capsule(0, 0, 0, 44, 9), w - 96, 60)
  addRock(world, collide.capsule(0, 0, 0, -44, 9), 96, h - 60)
  for side = -1, 1, 2 do
    for row = -1, 1, 2 do
      world:add { name = "crate", group = "crate", shape = CRATE,
        x = w / 2 + 58 * side - 9, y = h / 2 + 60 * row - 9 }
    end
  end
end

local function addShip(world, i)
  local side = i == 1 and -1 or 1
  local x, y = M.WIDTH / 2 + 150 * side, M.HEIGHT / 2
  return world:add { name = "ship " .. i, group = "ship " .. i, shape = SHIP, x = x, y = y,
    homeX = x, homeY = y, vx = 0, vy = 0, aimX = -side, aimY = 0, cooldown = 0, shield = 0,
    score = 0, input = M.IDLE, update = updateShip }
end

-- Shots bounce off everything except the rival, which goes back to its start.
local function addShots(world, i, ship, rival)
  ship.shots = world:newBullets { capacity = 16, radius = 3, group = "shot " .. i, lifetime = 1.5,
    hit = function(_, _, target)
      if target ~= rival or rival.shield > 0 then return "bounce" end
      ship.score = ship.score + 1
      rival.shield, rival.vx, rival.vy = SHIELD, 0, 0
      world:teleport(rival, rival.homeX, rival.homeY)
    end }
end

---@class rollback.Game
---@field world collide.World
---@field ships table[] both, in the order of the players

--- A new game.
---@param broadphase? string
---@return rollback.Game
function M.new(broadphase)
  local world = collide.newWorld {
    width = M.WIDTH, height = M.HEIGHT, broadphase = broadphase, strict = true,
    rules = { { "rock", "*" }, { "crate", "*" }, { "ship 1", "ship 2" }, { "shot 1", "ship 2" },
      { "shot 2", "ship 1" } },
  }
  addWalls(world)
  addObstacles(world)
  local ships = { addShip(world, 1), addShip(world, 2) }
  addShots(world, 1, ships[1], ships[2])
  addShots(world, 2, ships[2], ships[1])
  return { world = world, ships = ships }
end

--- Plays a frame.
---@param game rollback.Game
---@param first integer the input of player 1
---@param second integer of player 2
function M.step(game, first, second)
  game.ships[1].input, game.ships[2].input = first, second
  game.world:update(M.DT)
end

--- Takes a snapshot of everything that the next frames depend on.
---@param game rollback.Game
---@param into? collide.Snapshot
---@return collide.Snapshot
function M.snapshot(game, into)
  return game.world:snapshot(FIELDS, into)
end

--- Goes back to a snapshot, or to the string that one was packed into.
---@param game rollback.Game
---@param snapshot collide.Snapshot|string
function M.restore(game, snapshot)
  if type(snapshot) ~= "string" then return game.world:restore(snapshot) end
  local actors = game.world:actors()
  game.world:restore(snapshot, function(i) return actors[i] end)
end

return M
