-- Tanks among walls. A tank drives along its heading, and turns by `world:turn` as far as the walls
-- and the others let it; crates are pushed away. The arrow keys drive the first one, which
-- otherwise goes from mark to mark by itself, as the others do.
--
--   collide run examples/scenes/tank.lua --set count=6 --svg tank.svg
--
-- count: number of tanks; crates: number of crates; speed: of the tanks, in pixels per second.

local collide = require "collide"

local WIDTH, HEIGHT, CELL = 640, 480, 32
local COLUMNS, ROWS = WIDTH / CELL, HEIGHT / CELL
local HALF_TURN = 3.141592653589793

local PAPER, ROCK, CRATE = { 0.98, 0.98, 0.96 }, { 0.42, 0.41, 0.45 }, { 0.80, 0.62, 0.36 }
local TANK, MET = { 0.30, 0.50, 0.32 }, { 0.75, 0.10, 0.20 }

-- Tracks at both sides, a hull, and a barrel that reaches out in front.
local TANK_SHAPE = collide.compound(collide.rectangle(-18, -14, 36, 6),
  collide.rectangle(-18, 8, 36, 6), collide.rectangle(-15, -10, 30, 20),
  collide.rectangle(0, -2, 30, 4))
local CRATE_SHAPE = collide.rectangle(-7, -7, 14, 14)

local MAP = {
  "####################",
  "#..................#",
  "#..................#",
  "#....##......#.....#",
  "#....##......#.....#",
  "#............###...#",
  "#..................#",
  "#........#.........#",
  "#.......###........#",
  "#........#.........#",
  "#..............##..#",
  "#...#...........#..#",
  "#...###............#",
  "#..................#",
  "####################",
}

local function drawIn(color)
  return function(self, canvas)
    canvas:setColor(self.blocked and MET or color)
    canvas:shape("fill", self.shape, self.x, self.y, self.angle)
  end
end

-- The nearest turn that leads from one heading to another.
local function between(from, to)
  local turn = to - from
  return turn - 2 * HALF_TURN * math.floor((turn + HALF_TURN) / (2 * HALF_TURN))
end

-- What a tank that goes from mark to mark does: how far it turns, and whether it goes ahead. One
-- that was stopped backs off for a while.
local function steer(self, scene)
  local dx, dy = self.markX - self.x, self.markY - self.y
  if dx * dx + dy * dy < 900 or scene.frame % 400 == self.number then
    self.markX, self.markY = scene:uniform(60, WIDTH - 60), scene:uniform(60, HEIGHT - 60)
  end
  self.backing = self.blocked and 24 or math.max(self.backing - 1, 0)
  local turn = between(self.angle, collide.atan2(dy, dx))
  if self.backing > 0 then return 0, -0.5 end
  return math.max(-0.04, math.min(0.04, turn)), math.abs(turn) < 0.5 and 1 or 0.2
end

local function keys(scene)
  local turn = (scene:down "right" and 0.04 or 0) - (scene:down "left" and 0.04 or 0)
  return turn, (scene:down "up" and 1 or 0) - (scene:down "down" and 1 or 0)
end

local function response(_, other)
  return other.group == "crate" and "push" or "touch"
end

local function drive(self, scene, dt)
  local world = scene.world
  local turn, ahead = keys(scene)
  if self.number > 1 or (turn == 0 and ahead == 0) then turn, ahead = steer(self, scene) end
  local _, hits, n = world:turn(self, turn, nil, response)
  self.blocked = n > 0 and hits[n].response == "touch"
  local way = ahead * scene.params.speed * dt
  local dx, dy = way * collide.cos(self.angle), way * collide.sin(self.angle)
  local _, _, _, met = world:move(self, dx, dy, nil, "push")
  self.blocked = self.blocked or (met > 0 and ahead > 0)
end

local function map()
  local grid = collide.newGrid(COLUMNS, ROWS, { cell = CELL })
  for row = 1, ROWS do
    for column = 1, COLUMNS do
      if MAP[row]:sub(column, column) == "#" then grid:set(column - 1, row - 1, 1) end
    end
  end
  return grid
end

-- Adds an actor at a random place where it fits.
local function addSomewhere(scene, actor)
  repeat
    actor.x, actor.y = scene:uniform(40, WIDTH - 40), scene:uniform(40, HEIGHT - 40)
  until scene.world:fits(actor)
  return scene.world:add(actor)
end

return {
  name = "tank",
  width = WIDTH,
  height = HEIGHT,
  frames = 600,
  params = { count = 4, crates = 24, speed = 70 },

  setup = function(scene)
    scene.world:add { x = 0, y = 0, static = true, group = "rock", draw = drawIn(ROCK),
      shape = collide.tiles(map()) }
    scene.tanks = {}
    for i = 1, scene.params.count do
      scene.tanks[i] = addSomewhere(scene, { group = "tank", shape = TANK_SHAPE, number = i,
        angle = scene:uniform(-3, 3), markX = 0, markY = 0, backing = 0, blocked = false,
        draw = drawIn(TANK) })
      scene.tanks[i].markX, scene.tanks[i].markY = scene.tanks[i].x, scene.tanks[i].y
    end
    for _ = 1, scene.params.crates do
      addSomewhere(scene, { group = "crate", shape = CRATE_SHAPE, angle = scene:uniform(-1, 1),
        draw = drawIn(CRATE) })
    end
  end,

  update = function(scene, dt)
    for _, tank in ipairs(scene.tanks) do drive(tank, scene, dt) end
  end,

  draw = function(scene, canvas)
    canvas:setColor(PAPER)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    scene.world:draw(canvas)
  end,

  -- Nothing overlaps anything: tanks, crates and walls.
  check = function(scene)
    local inside
    for a, b in scene.world:hits() do inside = ("a %s is inside a %s"):format(a.group, b.group) end
    return inside == nil, inside
  end,
}
