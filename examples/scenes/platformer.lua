-- A platformer: slopes, stairs, a crate to push, a lift, one-way plates, a carousel, and a press at
-- the end. Without a keyboard it plays by itself, round after round.
--
--   collide run examples/scenes/platformer.lua --svg platformer.svg
--   love examples/love platformer        left, right, space: jump, down: drop through a plate

local collide = require "collide"

local CELL, WIDTH, HEIGHT = 16, 800, 448
local SPEED, JUMP, GRAVITY = 120, 340, 900
local ROUND = 1260 -- frames until everything is back at its start

-- # rock, / \ steep and ab, cd gentle slopes, _ - stairs, = plates that are one-way; H and C where
-- hero and crate begin.
local MAP = [[
##################################################
#................................................#
#................................................#
#................................................#
#................................................#
#................................................#
#................................................#
#................................................#
#................................................#
#................................................#
#...............................===========......#
##################...............................#
##################...............................#
#.....................................======.....#
#................................................#
#................................................#
#................................#################
#................................#################
#................................#################
#................................#################
#................................#################
#................................#################
#................................#################
#................................#################
#......./###\....................#################
#.H...ab#####cd...__-__.C........#################
############################.....#################
##################################################
]]

-- By mark for rock: how far the ground is below the top of the cell, on its left and right.
local ROCKS = {
  ["#"] = { 0, 0 }, ["/"] = { 1, 0 }, ["\\"] = { 0, 1 }, ["-"] = { 0.5, 0.5 }, _ = { 0.75, 0.75 },
  a = { 1, 0.5 }, b = { 0.5, 0 }, c = { 0, 0.5 }, d = { 0.5, 1 },
}
local PLATE = collide.rectangle(0, 0, 1, 0.375)

-- The keys of a round, as a script of input.
local KEYS = [[
10-282 right
262 space
475-530 right
540 space
585 space
625 down
650 space
655-709 left
714 space
714-736 left
935 space
935-1060 left
]]

local CAROUSEL = { x = 392, y = 160, radius = 72, count = 4, turns = 3 }

local ROWS = {}
for row in MAP:gmatch "%S+" do ROWS[#ROWS + 1] = row end

-- Calls visit(mark, x, y, above) for each cell of the map: x, y is its top left corner, `above` the
-- mark of the cell above it.
local function eachCell(visit)
  for row, marks in ipairs(ROWS) do
    for column = 1, #marks do
      local above = row > 1 and ROWS[row - 1]:sub(column, column) or "#"
      visit(marks:sub(column, column), (column - 1) * CELL, (row - 1) * CELL, above)
    end
  end
end

-- The cells of the map whose marks have a look, as one shape.
local function tiles(looks)
  local grid, byValue = collide.newGrid(WIDTH / CELL, HEIGHT / CELL, { cell = CELL }), {}
  eachCell(function(mark, x, y)
    if not looks[mark] then return end
    grid:set(x / CELL, y / CELL, mark:byte())
    byValue[mark:byte()] = looks[mark]
  end)
  return collide.tiles(grid, byValue)
end

-- The rocks of the map, and the grass that grows on them.
local function landscape()
  local looks, grass = {}, {}
  for mark, down in pairs(ROCKS) do
    looks[mark] = collide.polygon(0, down[1], 1, down[2], 1, 1, 0, 1)
  end
  eachCell(function(mark, x, y, above)
    local down = ROCKS[mark]
    if not down or ROCKS[above] then return end
    local left, right = y + down[1] * CELL, y + down[2] * CELL
    grass[#grass + 1] = collide.polygon(x, left, x + CELL, right, x + CELL, right + 3, x, left + 3)
  end)
  return tiles(looks), collide.compound(grass)
end

-- Puts an actor on the ground of the cell with a mark.
local function toStart(scene, actor, mark)
  local _, _, _, height = actor.shape:bounds()
  eachCell(function(found, x, y)
    if found == mark then scene.world:teleport(actor, x, y + CELL - height) end
  end)
end

-- A ramp from 0 at frame `start` up to `length`, by one per frame.
local function ramp(t, start, length)
  return math.max(0, math.min(length, t - start))
end

local function movePlatforms(scene, t)
  local world, lift, press = scene.world, scene.lift, scene.press
  -- Platforms: `carry` moves them with their riders, and they push actors out of their way.
  world:carry(lift, 0, 416 - ramp(t, 330, 136) + ramp(t, 760, 136) - lift.y)
  world:carry(press, 0, 16 + ramp(t, 1100, 56) - ramp(t, 1190, 56) - press.y)
  -- The boards move by assignment to their fields. The characters on them follow.
  for i, board in ipairs(scene.boards) do
    local angle = 6.283185307179586 * (CAROUSEL.turns * t / ROUND + i / CAROUSEL.count)
    board.x = CAROUSEL.x + CAROUSEL.radius * scene:cos(angle)
    board.y = CAROUSEL.y - CAROUSEL.radius * scene:sin(angle)
    world:refresh(board)
  end
end

local function control(scene, dt)
  local state, character = scene.state, scene.character
  local vx = (scene:down "right" and SPEED or 0) - (scene:down "left" and SPEED or 0)
  state.vy = state.vy + GRAVITY * dt
  if character.floor then
    state.drift = 0
    if scene:pressed "space" then -- a jump keeps the velocity of the floor
      state.vy, state.drift = character.floorVy - JUMP, character.floorVx
      state.since = -4 -- whoever jumps may leave a floor at once
    elseif scene:pressed "down" then
      character:drop()
      state.since = -4
    end
  end
  local _
  _, state.vy = character:move(vx + state.drift, state.vy, dt)
  state.still = vx == 0 and character.floor ~= nil
  if vx ~= 0 then state.faces = vx > 0 and 1 or -1 end
end

-- The message of `check`, if something is wrong after this frame.
local function faultOf(scene)
  local state, hero, character = scene.state, scene.hero, scene.character
  for _, body in ipairs(scene.bodies) do
    for _, solid in ipairs(scene.solids) do
      local _, _, depth = collide.overlap(body, solid)
      if depth and body ~= solid and not (solid == scene.press and character.crushed) then
        return ("%s is inside %s, %g deep"):format(body.name, solid.name, depth)
      end
    end
  end
  local floor = character.floor
  if floor ~= state.floor then
    -- A character that has landed on a floor, or left it, stays so for more than a few frames.
    if scene.frame - state.since < 4 then
      return ("the floor flickers: %s"):format(state.floor and state.floor.name or "none")
    end
    state.floor, state.since, state.offX = floor, scene.frame, nil
  end
  if not state.still then state.offX = nil return end
  local offX, offY = hero.x - floor.x, hero.y - floor.y
  if not state.offX then state.offX, state.offY = offX, offY end
  local drift = math.abs(offX - state.offX) + math.abs(offY - state.offY)
  if drift > 1e-9 then return ("the hero drifts on %s, by %g"):format(floor.name, drift) end
end

local function update(scene, dt)
  local state, t = scene.state, (scene.frame - 1) % ROUND
  if t == 0 then
    toStart(scene, scene.hero, "H")
    toStart(scene, scene.crate, "C")
    state.vy, state.drift, state.offX, state.trail = 0, 0, nil, {}
  end
  movePlatforms(scene, t)
  control(scene, dt)
  local fault = faultOf(scene)
  state.fault = state.fault or fault and ("frame %d: %s"):format(scene.frame, fault)
  if t % 4 == 0 then
    local trail, hero = state.trail, scene.hero
    trail[#trail + 1], trail[#trail + 2] = hero.x + 7, hero.y + 10
  end
end

local INK, PAPER, SUN = { 0.17, 0.19, 0.26 }, { 0.99, 0.96, 0.90 }, { 0.99, 0.83, 0.50 }
local ROCK, GRASS, RED = { 0.30, 0.33, 0.40 }, { 0.46, 0.66, 0.36 }, { 0.80, 0.26, 0.24 }
local WOOD, METAL = { 0.78, 0.57, 0.34 }, { 0.55, 0.59, 0.66 }

local function drawFilled(self, canvas)
  canvas:setColor(self.color)
  canvas:shape("fill", self.shape, self.x, self.y)
  canvas:setColor(INK)
  canvas:shape("line", self.shape, self.x, self.y)
end

local function drawCrate(self, canvas)
  drawFilled(self, canvas)
  canvas:rectangle("line", self.x + 4, self.y + 4, 16, 16)
  canvas:line(self.x + 4, self.y + 20, self.x + 20, self.y + 4)
end

local function drawPress(self, canvas)
  canvas:setColor(METAL)
  canvas:rectangle("fill", self.x + 24, 16, 16, self.y - 16)
  drawFilled(self, canvas)
  canvas:setColor(SUN)
  for x = self.x + 4, self.x + 52, 16 do canvas:rectangle("fill", x, self.y + 84, 8, 8) end
end

local function drawRock(self, canvas)
  canvas:setColor(ROCK)
  canvas:shape("fill", self.shape, 0, 0)
  canvas:setColor(GRASS)
  canvas:shape("fill", self.grass, 0, 0)
end

local function drawHero(self, canvas)
  local state = self.state
  drawFilled(self, canvas)
  local x = self.x + 4 + 3 * state.faces
  canvas:setColor(PAPER)
  canvas:rectangle("fill", x, self.y + 4, 6, 5)
  canvas:setColor(INK)
  canvas:rectangle("fill", x + 2 + state.faces, self.y + 5, 2, 3)
end

local function drawBack(scene, canvas)
  for i = 0, 13 do -- from the blue above to the haze
    local share = i / 13
    canvas:setColor(0.62 + 0.36 * share, 0.78 + 0.15 * share, 0.92 - 0.08 * share)
    canvas:rectangle("fill", 0, i * HEIGHT / 14, WIDTH, HEIGHT / 14 + 1)
  end
  canvas:setColor(SUN)
  canvas:circle("fill", 640, 96, 26)
  canvas:setColor(0.62, 0.74, 0.78)
  canvas:circle("fill", 140, 620, 330)
  canvas:circle("fill", 520, 640, 300)
  canvas:setColor(0.52, 0.66, 0.66)
  canvas:circle("fill", 330, 660, 300)
  canvas:setColor(INK, 0.5)
  for _, board in ipairs(scene.boards) do
    canvas:line(CAROUSEL.x, CAROUSEL.y, board.x, board.y)
  end
  canvas:circle("line", CAROUSEL.x, CAROUSEL.y, CAROUSEL.radius)
  canvas:circle("fill", CAROUSEL.x, CAROUSEL.y, 4)
end

local function draw(scene, canvas)
  drawBack(scene, canvas)
  canvas:setColor(RED, 0.45)
  canvas:circles(scene.state.trail, 1.5)
  scene.world:draw(canvas)
  local character = scene.character
  canvas:setColor(PAPER)
  canvas:print(("frame %d"):format(scene.frame), 552, 280)
  canvas:print(character.floor and "on the " .. character.floor.name or "in the air", 552, 300)
  if character.wall then canvas:print("against the " .. character.wall.name, 552, 320) end
  if character.crushed then canvas:print("crushed", 552, 340) end
end

local function add(scene, name, x, y, shape, extra)
  local actor = { name = name, x = x, y = y, shape = shape, static = true, draw = drawFilled }
  for key, value in pairs(extra) do actor[key] = value end
  return scene.world:add(actor)
end

local function setup(scene)
  local rocks, grass = landscape()
  local rock = add(scene, "rock", 0, 0, rocks, { draw = drawRock, grass = grass })
  add(scene, "plates", 0, 0, tiles { ["="] = PLATE }, { oneWay = true, color = WOOD })
  scene.lift = add(scene, "lift", 448, 416, collide.rectangle(80, 16), { color = METAL })
  scene.press = add(scene, "press", 48, 16, collide.rectangle(64, 96),
    { color = RED, draw = drawPress })
  scene.crate = add(scene, "crate", 0, 0, collide.rectangle(24, 24),
    { static = false, color = WOOD, draw = drawCrate })
  scene.solids, scene.boards = { rock, scene.lift, scene.press, scene.crate }, {}
  for i = 1, CAROUSEL.count do
    local board = add(scene, "board " .. i, 0, 0, collide.rectangle(-24, -4, 48, 8),
      { color = WOOD })
    scene.boards[i], scene.solids[#scene.solids + 1] = board, board
  end
  scene.state = { vy = 0, drift = 0, faces = 1, since = -4, trail = {} }
  scene.hero = add(scene, "hero", 0, 0, collide.rectangle(14, 20),
    { static = false, color = RED, draw = drawHero, state = scene.state })
  scene.bodies = { scene.hero, scene.crate }
  scene.character = scene.world:newCharacter(scene.hero, {
    stepHeight = 6,
    response = function(_, other) return other == scene.crate and "push" or "slide" end,
  })
  toStart(scene, scene.hero, "H")
  toStart(scene, scene.crate, "C")
end

return {
  name = "platformer", width = WIDTH, height = HEIGHT, frames = ROUND, dt = 1 / 60, seed = 1,
  input = KEYS, setup = setup, update = update, draw = draw,

  -- In no frame was the hero or the crate inside anything, did a floor flicker, or did a character
  -- that does not walk drift on its floor.
  check = function(scene)
    return scene.state.fault == nil, scene.state.fault
  end,
}
