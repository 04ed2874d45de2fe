-- One map has walls, water, and planks that look in four directions: balls bounce off a plank that
-- looks at them, and fly through it from behind. A raft, a map too, goes round with its riders.
--
--   collide run examples/scenes/planks.lua --set count=60 --svg planks.svg
--
-- count: number of balls; speed: their speed in pixels per second.

local collide = require "collide"

local CELL = 32
local LEVEL = {
  "####################",
  "#......v....v......#",
  "#..>..........<....#",
  "#..>...~~.....<..^.#",
  "#......~~..........#",
  "#..................#",
  "#..................#",
  "#.^^..........v....#",
  "#....>.............#",
  "#.<..>......##..^..#",
  "#.<................#",
  "#.......^^^....>...#",
  "#..................#",
  "####################",
}
local RAFT = { "#..#", "====" }
local VALUES = { ["#"] = 1, ["^"] = 2, ["v"] = 3, ["<"] = 4, [">"] = 5, ["~"] = 6, ["="] = 2 }

-- By value: a plank is at the side of its cell that it looks to.
local LOOKS = {
  [2] = { shape = collide.rectangle(0, 0, 1, 0.25), oneWay = "up" },
  [3] = { shape = collide.rectangle(0, 0.75, 1, 0.25), oneWay = "down" },
  [4] = { shape = collide.rectangle(0, 0, 0.25, 1), oneWay = "left" },
  [5] = { shape = collide.rectangle(0.75, 0, 0.25, 1), oneWay = "right" },
  [6] = { sensor = true },
}
local NORMALS = { [2] = { 0, -1 }, [3] = { 0, 1 }, [4] = { -1, 0 }, [5] = { 1, 0 } }

local PAPER, WALL, PLANK = { 0.98, 0.98, 0.96 }, { 0.42, 0.41, 0.45 }, { 0.72, 0.53, 0.30 }
local WATER, BALL, MET = { 0.55, 0.78, 0.90 }, { 0.16, 0.45, 0.70 }, { 0.75, 0.10, 0.20 }
local WET, RIDER = { 0.10, 0.60, 0.50 }, { 0.85, 0.40, 0.15 }

local SHAPES = { collide.circle(6), collide.rectangle(-5, -5, 10, 10),
  collide.capsule(-4, 0, 4, 0, 4) }

-- Notes what a ball has met, and reflects its velocity. A plank that it meets looks at it.
local function respond(self, scene, hits, n)
  for i = 1, n do
    local hit = hits[i]
    local look = NORMALS[hit.value]
    if hit.response == "cross" then
      self.wet = true
    elseif not hit.inside then
      local into = self.vx * hit.nx + self.vy * hit.ny
      if into < 0 then
        self.vx, self.vy = self.vx - 2 * into * hit.nx, self.vy - 2 * into * hit.ny
      end
      self.met = true
      if look then
        scene.planks[hit.value] = scene.planks[hit.value] + 1
        if look[1] * hit.nx + look[2] * hit.ny < 0.5 then self.wrong = hit.value end
      end
    end
  end
end

local function updateBall(self, dt, world)
  self.met, self.wet = false, false
  local _, _, hits, n = world:move(self, self.vx * dt, self.vy * dt, "wall", "bounce")
  respond(self, self.scene, hits, n)
end

-- The raft goes round in a square, and takes along what is on its planks.
local function updateRaft(self, dt, world)
  local side = math.floor(self.clock / 120) % 4
  self.clock = self.clock + 1
  local way = 60 * dt
  world:carry(self, side == 0 and way or side == 2 and -way or 0,
    side == 1 and way or side == 3 and -way or 0)
end

local function drawBall(self, canvas)
  canvas:setColor(self.met and MET or self.wet and WET or self.color)
  canvas:shape("fill", self.shape, self.x, self.y)
end

local function drawMap(self, canvas)
  for value, look in pairs { WALL, PLANK, PLANK, PLANK, PLANK, WATER } do
    canvas:setColor(look)
    canvas:shape("fill", self.looks[value], self.x, self.y)
  end
end

-- A map of these rows, and for each value a shape of its cells alone, to draw.
local function mapOf(rows)
  local grid = collide.newGrid(rows, { cell = CELL, values = VALUES })
  local looks = {}
  for value = 1, 6 do
    local only = {}
    for other = 1, 6 do only[other] = false end
    only[value] = LOOKS[value] and LOOKS[value].shape
    looks[value] = collide.tiles(grid, only)
  end
  return collide.tiles(grid, LOOKS), looks
end

local function addMap(scene, rows, fields)
  fields.shape, fields.looks = mapOf(rows)
  fields.group, fields.draw = "wall", drawMap
  return scene.world:add(fields)
end

local function addBall(scene, i)
  local ball = { group = "ball", shape = SHAPES[i % #SHAPES + 1], update = updateBall,
    draw = drawBall, color = BALL, scene = scene, met = false, wet = false }
  repeat
    ball.x = scene:uniform(CELL, scene.width - CELL)
    ball.y = scene:uniform(CELL, scene.height - CELL)
  until scene.world:fits(ball, "wall")
  local angle = scene:uniform(0, 6.283185307179586)
  ball.vx, ball.vy = scene.params.speed * scene:cos(angle), scene.params.speed * scene:sin(angle)
  scene.world:add(ball)
end

return {
  name = "planks",
  width = CELL * #LEVEL[1],
  height = CELL * #LEVEL,
  frames = 600,
  params = { count = 40, speed = 150 },

  setup = function(scene)
    scene.world:setRule("ball", "ball", false)
    scene.world:setRule("ball", "rider", false)
    scene.planks = { [2] = 0, [3] = 0, [4] = 0, [5] = 0 }
    scene.map = addMap(scene, LEVEL, { name = "level", x = 0, y = 0, static = true })
    scene.raft = addMap(scene, RAFT, { name = "raft", x = 160, y = 160, clock = 0,
      update = updateRaft })
    scene.rider = scene.world:add { name = "rider", group = "rider", x = 216, y = 180,
      shape = collide.rectangle(12, 12), color = RIDER, draw = drawBall }
    for i = 1, scene.params.count do addBall(scene, i) end
  end,

  draw = function(scene, canvas)
    canvas:setColor(PAPER)
    canvas:rectangle("fill", 0, 0, scene.width, scene.height)
    scene.world:draw(canvas)
  end,

  -- No plank has stopped a ball from behind, none is in a wall, and the rider is on the raft.
  check = function(scene)
    for i, ball in ipairs(scene.world:actors("ball")) do
      if ball.wrong then
        return false, ("ball %d met plank %d from behind"):format(i, ball.wrong)
      end
      if not scene.world:fits(ball, "wall", scene.raft) then
        return false, ("ball %d is in a wall"):format(i)
      end
    end
    local x, y = scene.rider.x - scene.raft.x, scene.rider.y - scene.raft.y
    if math.abs(x - 56) + math.abs(y - 20) > 1e-9 then
      return false, ("the rider is at %g, %g of the raft"):format(x, y)
    end
    return true
  end,
}
