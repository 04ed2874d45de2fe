-- Boxes, circles and capsules slide and bounce through a cave of tiles, slopes and a bowl, and
-- never end up inside any of them.
--
--   collide run examples/scenes/movers.lua --set count=400 --svg movers.svg
--
-- count: number of movers; speed: their speed in pixels per second.

local collide = require "collide"

local WIDTH, HEIGHT, CELL = 768, 512, 32
local COLUMNS, ROWS = WIDTH / CELL, HEIGHT / CELL

local PAPER, ROCK, SLOPE = { 0.98, 0.98, 0.96 }, { 0.42, 0.41, 0.45 }, { 0.55, 0.52, 0.47 }
local LOOKS = { slide = { 0.16, 0.45, 0.70 }, bounce = { 0.85, 0.40, 0.15 } }
local MET = { 0.75, 0.10, 0.20 }

local SHAPES = {
  collide.rectangle(-6, -6, 12, 12), collide.circle(6), collide.capsule(0, -4, 0, 4, 4),
  collide.rectangle(-9, -3, 18, 6), collide.polygon(0, -7, 7, 5, -7, 5),
}

-- Changes the velocity after a move: a slider loses the part that leads into a surface, a bouncer
-- is reflected.
local function respond(self, hits, n)
  for i = 1, n do
    local nx, ny = hits[i].nx, hits[i].ny
    local into = self.vx * nx + self.vy * ny
    if into < 0 then
      local share = self.response == "bounce" and 2 or 1
      self.vx, self.vy = self.vx - share * into * nx, self.vy - share * into * ny
    end
  end
end

local function update(self, dt, world)
  local _, _, hits, n = world:move(self, self.vx * dt, self.vy * dt, "rock", self.response)
  self.met = n > 0
  respond(self, hits, n)
  self.clock = self.clock + 1
  if self.response == "slide" and self.clock % 90 == 0 then
    -- Off again, another way.
    self.heading = (self.heading + 5) % 8
    local ways = self.ways
    self.vx, self.vy = self.speed * ways[self.heading + 1], self.speed * ways[self.heading + 9]
  end
end

-- A step finds every mover that is inside a rock, however slightly.
local function enter(self, other, _, _, depth)
  if other.group == "rock" then self.deep = self.deep or depth end
end

local function draw(self, canvas)
  canvas:setColor(self.met and MET or LOOKS[self.response])
  canvas:shape("fill", self.shape, self.x, self.y, self.angle)
end

local function drawRock(self, canvas)
  canvas:setColor(self.color)
  canvas:shape("fill", self.shape, self.x, self.y)
end

-- Eight directions: their cosines, then their sines.
local function ways(scene)
  local list = {}
  for i = 0, 7 do
    list[i + 1], list[i + 9] = scene:cos(i * 0.7853981633974483), scene:sin(i * 0.7853981633974483)
  end
  return list
end

local function map(scene)
  local grid = collide.newGrid(COLUMNS, ROWS, { cell = CELL })
  grid:fill(0, 0, COLUMNS, 1, 1)
  grid:fill(0, ROWS - 1, COLUMNS, 1, 1)
  grid:fill(0, 0, 1, ROWS, 1)
  grid:fill(COLUMNS - 1, 0, 1, ROWS, 1)
  for _ = 1, 40 do
    local x, y = scene:random(1, COLUMNS - 2), scene:random(1, ROWS - 2)
    grid:set(x, y, scene:random(1, 3))
  end
  return grid
end

-- By value: a full cell, and two slopes.
local BY_VALUE = {
  [2] = collide.polygon(0, 1, 1, 0, 1, 1), [3] = collide.polygon(0, 0, 1, 1, 0, 1),
}

local function bowl(scene)
  local points = {}
  for i = 0, 32 do
    local angle = 3.141592653589793 * i / 32
    points[2 * i + 1] = 384 + 90 * scene:cos(angle)
    points[2 * i + 2] = 256 + 70 * scene:sin(angle)
  end
  return collide.chain(points)
end

return {
  name = "movers",
  width = WIDTH,
  height = HEIGHT,
  frames = 300,
  params = { count = 300, speed = 220 },

  setup = function(scene)
    local world, rocks = scene.world, {}
    scene.grid = map(scene)
    rocks[1] = world:add { x = 0, y = 0, static = true, group = "rock", draw = drawRock,
      color = ROCK,
      shape = collide.tiles(scene.grid, BY_VALUE) }
    rocks[2] = world:add { x = 0, y = 0, static = true, group = "rock", draw = drawRock,
      color = SLOPE, shape = bowl(scene) }
    scene.rocks = rocks
    local directions = ways(scene)
    for i = 1, scene.params.count do
      local heading = scene:random(0, 7)
      local mover = {
        group = "mover", shape = SHAPES[i % #SHAPES + 1], heading = heading, clock = i, met = false,
        response = i % 3 == 0 and "bounce" or "slide", update = update, enter = enter, draw = draw,
        angle = i % 4 == 0 and scene:uniform(-3, 3) or 0, ways = directions,
        speed = scene.params.speed,
      }
      repeat
        mover.x, mover.y = scene:uniform(CELL, WIDTH - CELL), scene:uniform(CELL, HEIGHT - CELL)
      until world:fits(mover, "rock")
      local angle = scene:uniform(0, 6.283185307179586)
      mover.vx, mover.vy = mover.speed * scene:cos(angle), mover.speed * scene:sin(angle)
      world:add(mover)
    end
  end,

  draw = function(scene, canvas)
    canvas:setColor(PAPER)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    scene.world:draw(canvas)
  end,

  -- No actor is or was inside a rock in any frame, and each bouncer is as fast as at the start.
  check = function(scene)
    for i, mover in ipairs(scene.world:actors()) do
      if mover.group == "mover" then
        local deep = mover.deep
        for _, rock in ipairs(scene.rocks) do
          deep = deep or select(3, collide.overlap(mover, rock))
        end
        if deep then return false, ("mover %d is inside a rock, %g deep"):format(i, deep) end
        local speed = math.sqrt(mover.vx * mover.vx + mover.vy * mover.vy)
        if mover.response == "bounce" and math.abs(speed - mover.speed) > 1e-6 then
          return false, ("mover %d is %g fast"):format(i, speed)
        end
      end
    end
    return true
  end,
}
