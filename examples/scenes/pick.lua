-- A ray turns in a map of tiles. Its cells are drawn in the order in which it crosses them, those
-- at a corner together. The first solid cell stops it. The pale cells lie beyond.
--
--   collide run examples/scenes/pick.lua --set fine=1 --svg pick.svg
--
-- fine: the end moves in steps of a cell divided by this. Steps of a whole cell meet many corners.

local collide = require "collide"

local WIDTH, HEIGHT = 720, 480
local CELL = 24
local COLUMNS, ROWS = WIDTH / CELL, HEIGHT / CELL

local PAPER, LINE = { 0.985, 0.98, 0.96 }, { 0.90, 0.89, 0.86 }
local WALL, EDGE = { 0.36, 0.39, 0.45 }, { 0.29, 0.31, 0.37 }
local NEAR, FAR = { 0.99, 0.82, 0.40 }, { 0.94, 0.47, 0.36 }
local CORNER, RAY, HIT = { 0.35, 0.58, 0.86 }, { 0.20, 0.21, 0.25 }, { 0.83, 0.18, 0.24 }

local MAP = {
  "..............................",
  "..............................",
  "...##..............####.......",
  "...##.................#.......",
  "......................#...#...",
  "........#.............#...#...",
  ".......###................#...",
  "........#.................#...",
  "..............................",
  "..#...........................",
  "..#......................##...",
  "..####...................##...",
  ".....#........................",
  "..................#.#.........",
  "...................#..........",
  "......##..........#.#....#....",
  "......##..............#.#.....",
  "...........#####.......#......",
  "..............................",
  "..............................",
}

-- The ray's end, in cells: it goes around the map, through the centres of cells and points between.
local function endOf(scene)
  local w, h = COLUMNS - 1, ROWS - 1
  local way = math.floor(scene.frame / scene.params.pace) / scene.params.fine
  way = way - math.floor(way / (2 * w + 2 * h)) * (2 * w + 2 * h)
  if way < w then return 0.5 + way, 0.5 end
  if way < w + h then return w + 0.5, 0.5 + way - w end
  if way < 2 * w + h then return 0.5 + 2 * w + h - way, h + 0.5 end
  return 0.5, 0.5 + 2 * (w + h) - way
end

-- Follows the ray: finds its cells, and which one stops it.
local function look(scene)
  local ray = scene.ray
  ray.x2, ray.y2 = endOf(scene)
  ray.cells, ray.stop, ray.last = {}, nil, 1
  for step, x, y, t in collide.gridRay(ray.x1, ray.y1, ray.x2, ray.y2) do
    local solid = scene.grid:get(x, y) ~= 0
    local cell = { step = step, x = x, y = y, t = t, solid = solid }
    ray.cells[#ray.cells + 1] = cell
    ray.last = step
    if solid and not ray.stop then ray.stop = cell end
  end
  -- A step with several cells is a corner.
  for i, cell in ipairs(ray.cells) do
    local before, after = ray.cells[i - 1], ray.cells[i + 1]
    cell.corner = before and before.step == cell.step or after and after.step == cell.step
  end
end

local function drawMap(scene, canvas)
  canvas:setColor(PAPER)
  canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
  canvas:setColor(LINE)
  for x = 1, COLUMNS - 1 do canvas:line(x * CELL, 0, x * CELL, HEIGHT) end
  for y = 1, ROWS - 1 do canvas:line(0, y * CELL, WIDTH, y * CELL) end
  for y = 0, ROWS - 1 do
    for x = 0, COLUMNS - 1 do
      if scene.grid:get(x, y) ~= 0 then
        canvas:setColor(WALL)
        canvas:rectangle("fill", x * CELL, y * CELL, CELL, CELL)
        canvas:setColor(EDGE)
        canvas:rectangle("line", x * CELL, y * CELL, CELL, CELL)
      end
    end
  end
end

-- Draws cells before the stop in a colour that depends on their position in the walk, and cells
-- after it pale.
local function drawCells(ray, canvas)
  local stop = ray.stop and ray.stop.step or ray.last + 1
  for _, cell in ipairs(ray.cells) do
    local x, y, share = cell.x * CELL, cell.y * CELL, cell.t
    local before = cell.step < stop
    if not cell.solid then
      canvas:setColor(NEAR[1] + (FAR[1] - NEAR[1]) * share, NEAR[2] + (FAR[2] - NEAR[2]) * share,
        NEAR[3] + (FAR[3] - NEAR[3]) * share, before and 0.85 or 0.16)
      canvas:rectangle("fill", x, y, CELL, CELL)
    end
    if cell.corner and cell.step <= stop then
      canvas:setColor(CORNER)
      canvas:rectangle("line", x + 2, y + 2, CELL - 4, CELL - 4)
    end
    if before and not cell.solid then
      canvas:setColor(RAY, 0.55)
      canvas:print(cell.step, x + (cell.step < 10 and 8.5 or 5), y + 5)
    end
  end
end

local function drawRay(scene, canvas)
  local ray = scene.ray
  local x1, y1, x2, y2 = ray.x1 * CELL, ray.y1 * CELL, ray.x2 * CELL, ray.y2 * CELL
  local value, hx, hy, nx, ny, t = scene.grid:rayCast(ray.x1, ray.y1, ray.x2, ray.y2)
  local x, y = x2, y2
  if value then
    x, y = x1 + t * (x2 - x1), y1 + t * (y2 - y1)
    canvas:setColor(RAY, 0.2)
    canvas:line(x, y, x2, y2)
    canvas:setColor(HIT)
    canvas:rectangle("fill", hx * CELL + 2, hy * CELL + 2, CELL - 4, CELL - 4)
  end
  canvas:setColor(RAY)
  canvas:line(x1, y1, x, y)
  canvas:circle("fill", x1, y1, 6)
  if value then
    canvas:setColor(HIT)
    canvas:line(x, y, x + 16 * nx, y + 16 * ny)
  end
  canvas:circle("fill", x, y, 2.5)
end

local function drawCaption(ray, canvas)
  local corners, last = 0, 0
  for _, cell in ipairs(ray.cells) do
    if cell.corner and cell.step ~= last and not (ray.stop and cell.step > ray.stop.step) then
      corners, last = corners + 1, cell.step
    end
  end
  canvas:setColor(RAY)
  canvas:rectangle("fill", 0, HEIGHT - CELL, WIDTH, CELL)
  canvas:setColor(PAPER)
  canvas:print(ray.stop and ("stopped by %d, %d at t = %.3f"):format(ray.stop.x, ray.stop.y,
    ray.stop.t) or "nothing in the way", 12, HEIGHT - 18)
  canvas:print(("to %.2f, %.2f through %d corner%s"):format(ray.x2, ray.y2, corners,
    corners == 1 and "" or "s"), WIDTH - 230, HEIGHT - 18)
end

return {
  name = "pick", width = WIDTH, height = HEIGHT, frames = 400, dt = 1 / 60, seed = 1,
  params = { fine = 2, pace = 4 },

  setup = function(scene)
    scene.grid = collide.newGrid(COLUMNS, ROWS)
    for y, row in ipairs(MAP) do
      for x = 1, #row do
        if row:sub(x, x) == "#" then scene.grid:set(x - 1, y - 1, 1) end
      end
    end
    scene.ray = { x1 = 14.5, y1 = 9.5 }
    look(scene)
  end,

  update = look,

  draw = function(scene, canvas)
    drawMap(scene, canvas)
    drawCells(scene.ray, canvas)
    drawRay(scene, canvas)
    drawCaption(scene.ray, canvas)
  end,

  -- The grid's own ray must find the first solid cell of the walk.
  check = function(scene)
    local ray, stop = scene.ray, scene.ray.stop
    local value, x, y, _, _, t = scene.grid:rayCast(ray.x1, ray.y1, ray.x2, ray.y2)
    if (value ~= nil) ~= (stop ~= nil) or stop and (x ~= stop.x or y ~= stop.y or t ~= stop.t) then
      return false, "the ray is stopped elsewhere"
    end
  end,
}
