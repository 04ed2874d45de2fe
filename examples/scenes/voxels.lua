-- 64 × 64 × 64 blocks in first person. Every point of the picture is a ray through the grid. One
-- more ray finds the block in the middle, which is dug out once a second.
--
--   collide run examples/scenes/voxels.lua --set columns=360 --svg voxels.svg
--
-- columns: number of rays side by side; dig: whether blocks are dug out.

local collide = require "collide"

local WIDTH, HEIGHT = 720, 432
local SIZE, WATER = 64, 12
local SIGHT = 84          -- how far the eye sees, in blocks
local START = 2.25        -- where the round begins, in radians
local VIEW = 0.86         -- half the width of the picture at a distance of 1
local SHADES = 12         -- of haze
local TINTS = 3           -- of each block

local GRASS, EARTH, STONE, SAND, SEA, SNOW, TRUNK, LEAF, BRICK, LAMP = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

local COLORS = {
  [GRASS] = { 0.45, 0.66, 0.32 }, [EARTH] = { 0.53, 0.41, 0.30 }, [STONE] = { 0.56, 0.56, 0.58 },
  [SAND] = { 0.88, 0.80, 0.58 }, [SEA] = { 0.30, 0.52, 0.72 }, [SNOW] = { 0.95, 0.96, 0.98 },
  [TRUNK] = { 0.42, 0.31, 0.24 }, [LEAF] = { 0.28, 0.50, 0.27 }, [BRICK] = { 0.74, 0.44, 0.36 },
  [LAMP] = { 1.00, 0.86, 0.48 },
}
local NAMES = {
  [GRASS] = "grass", [EARTH] = "earth", [STONE] = "stone", [SAND] = "sand", [SEA] = "water",
  [SNOW] = "snow", [TRUNK] = "a trunk", [LEAF] = "leaves", [BRICK] = "brick", [LAMP] = "a lamp",
}
local HAZE, ZENITH = { 0.86, 0.90, 0.93 }, { 0.47, 0.66, 0.86 }

-- The light that a face gets, by its normal: from above, from the sides, from below.
local function light(nx, ny, nz)
  return 0.74 + 0.26 * nz + 0.10 * nx - 0.05 * ny
end

local function heightAt(scene, x, y)
  local hills = 4.5 * scene:sin(x / 9 + 0.6) * scene:cos(y / 11) + 3 * scene:sin((x + 2 * y) / 13)
  local dx, dy = (x - 46) / 11, (y - 44) / 11
  local peak = 21 - 15 * (dx * dx + dy * dy)
  return math.floor(14 + hills + math.max(0, peak))
end

local function addColumn(scene, grid, x, y)
  local h = math.min(SIZE - 2, math.max(2, heightAt(scene, x, y)))
  grid:fill(x, y, 0, 1, 1, h, STONE)
  if h >= 31 then
    grid:set(x, y, h - 1, SNOW)
  elseif h <= WATER + 1 then
    grid:set(x, y, h - 1, SAND)
  elseif h < 24 then
    grid:fill(x, y, h - 3, 1, 1, 2, EARTH)
    grid:set(x, y, h - 1, GRASS)
  end
  if h < WATER then grid:fill(x, y, h, 1, 1, WATER - h, SEA) end
end

-- The number of blocks below the first empty one.
local function top(grid, x, y)
  local value, _, _, z = grid:rayCast(x + 0.5, y + 0.5, SIZE, x + 0.5, y + 0.5, 0)
  return value and z + 1 or 0, value
end

local function addTree(scene, grid)
  local x, y = scene:random(3, SIZE - 4), scene:random(3, SIZE - 4)
  local z, ground = top(grid, x, y)
  if ground ~= GRASS then return end
  grid:fill(x - 2, y - 2, z + 3, 5, 5, 2, LEAF)
  grid:fill(x - 1, y - 1, z + 5, 3, 3, 1, LEAF)
  for _, corner in ipairs { -2, 2 } do
    grid:fill(x + corner, y - 2, z + 3, 1, 1, 2, 0)
    grid:fill(x + corner, y + 2, z + 3, 1, 1, 2, 0)
  end
  grid:fill(x, y, z, 1, 1, 4, TRUNK)
end

-- A hollow tower with lamps inside, windows and battlements.
local function addTower(grid, x, y)
  local z, tall = math.min(top(grid, x, y), 17), 17
  grid:fill(x, y, z - 3, 7, 7, tall + 3, BRICK)
  grid:fill(x + 1, y + 1, z, 5, 5, tall, 0)
  grid:fill(x + 2, y + 2, z, 3, 3, 1, LAMP)
  for floor = 3, 11, 4 do
    grid:fill(x + 3, y, z + floor, 1, 7, 2, 0)
    grid:fill(x, y + 3, z + floor, 7, 1, 2, 0)
  end
  for i = 1, 5, 2 do
    grid:fill(x + i, y, z + tall - 1, 1, 7, 1, 0)
    grid:fill(x, y + i, z + tall - 1, 7, 1, 1, 0)
  end
end

-- The place of the eye, on a circle through the hills, and three directions: ahead, right, down.
local function look(scene)
  local angle = START + 0.06 * scene.frame * scene.dt
  local c, s = scene:cos(angle), scene:sin(angle)
  local turn, pitch = angle + 2.95, 0.40 + 0.04 * scene:sin(0.7 * angle)
  local ct, st, cp, sp = scene:cos(turn), scene:sin(turn), scene:cos(pitch), scene:sin(pitch)
  return {
    x = 32 + 31 * c, y = 32 + 31 * s, z = 34,
    ahead = { ct * cp, st * cp, -sp }, right = { -st, ct, 0 }, down = { -ct * sp, -st * sp, -cp },
  }
end

-- The hit of the ray through a point of the picture, whose middle is 0, 0.
local function cast(grid, eye, u, v)
  local a, r, d = eye.ahead, eye.right, eye.down
  return grid:rayCast(eye.x, eye.y, eye.z,
    eye.x + SIGHT * (a[1] + u * r[1] + v * d[1]),
    eye.y + SIGHT * (a[2] + u * r[2] + v * d[2]),
    eye.z + SIGHT * (a[3] + u * r[3] + v * d[3]))
end

-- The block in the middle of the picture.
local function pick(scene)
  local value, x, y, z, nx, ny, nz, t = cast(scene.grid, scene.eye, 0, 0)
  scene.picked = value and { value = value, x = x, y = y, z = z, nx = nx, ny = ny, nz = nz, t = t }
end

-- The place in the picture of a point of the world; nil behind the eye.
local function project(eye, x, y, z)
  local function along(axis)
    return (x - eye.x) * axis[1] + (y - eye.y) * axis[2] + (z - eye.z) * axis[3]
  end
  local depth = along(eye.ahead)
  if depth < 0.1 then return nil end
  local scale = WIDTH / 2 / VIEW / depth
  return WIDTH / 2 + scale * along(eye.right), HEIGHT / 2 + scale * along(eye.down)
end

local function mix(from, to, share, brightness)
  return brightness * (from[1] + (to[1] - from[1]) * share),
    brightness * (from[2] + (to[2] - from[2]) * share),
    brightness * (from[3] + (to[3] - from[3]) * share)
end

-- A number for the colour of a hit: equal colours have equal numbers.
local function lookOf(value, x, y, z, nx, ny, nz, t)
  if not value then return 0 end
  local face = nz > 0.5 and 0 or nx < -0.5 and 1 or nx > 0.5 and 2 or ny < -0.5 and 3
    or ny > 0.5 and 4 or 5
  local tint = value == SEA and 0 or (7 * x + 13 * y + 29 * z) % TINTS
  local haze = math.floor(SHADES * t * t)
  return 1 + face + 6 * (tint + TINTS * (haze + (SHADES + 1) * value))
end

local NORMALS = { [0] = { 0, 0, 1 }, { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 },
  { 0, 0, -1 } }

-- The colour for a number of lookOf.
local function colorOf(number)
  local face, rest = (number - 1) % 6, math.floor((number - 1) / 6)
  local tint, haze = rest % TINTS, math.floor(rest / TINTS) % (SHADES + 1)
  local value = math.floor(rest / TINTS / (SHADES + 1))
  local n = NORMALS[face]
  local brightness = value == LAMP and 1 or light(n[1], n[2], n[3]) * (0.96 + 0.04 * tint)
  local r, g, b = mix(COLORS[value], COLORS[value], 0, brightness)
  return { mix({ r, g, b }, HAZE, haze / SHADES, 1) }
end

local colors = {} -- those that have been drawn

local function setLook(canvas, number)
  colors[number] = colors[number] or colorOf(number)
  canvas:setColor(colors[number])
end

-- A rectangle of some points of the picture, a little larger so that no gaps show between them.
local function stripe(canvas, x, y, width, height)
  canvas:rectangle("fill", x, y, width + 1, height + 1)
end

local function drawSky(canvas)
  local rows = 36
  for i = 0, rows - 1 do
    canvas:setColor(mix(ZENITH, HAZE, math.min(1, 1.9 * i / rows), 1))
    stripe(canvas, 0, i * HEIGHT / rows, WIDTH, HEIGHT / rows)
  end
end

-- A row of points of the picture: the numbers of their colours. v is the row's place, with 0 in the
-- middle of the picture.
local function lookAlong(scene, v, columns)
  local grid, eye, looks = scene.grid, scene.eye, {}
  local x, y, z, a, r, d = eye.x, eye.y, eye.z, eye.ahead, eye.right, eye.down
  local step = 2 * SIGHT * VIEW / columns
  local dx, dy, dz = step * r[1], step * r[2], step * r[3]
  local toX = x + SIGHT * (a[1] + v * d[1]) - dx * (columns + 1) / 2
  local toY = y + SIGHT * (a[2] + v * d[2]) - dy * (columns + 1) / 2
  local toZ = z + SIGHT * (a[3] + v * d[3]) - dz * (columns + 1) / 2
  for i = 1, columns do
    looks[i] = lookOf(grid:rayCast(x, y, z, toX + i * dx, toY + i * dy, toZ + i * dz))
  end
  return looks
end

local function drawBlocks(scene, canvas)
  local columns = scene.params.columns
  local edge = WIDTH / columns
  local rows = math.ceil(HEIGHT / edge)
  for row = 0, rows - 1 do
    local v = (row + 0.5 - HEIGHT / edge / 2) * edge / (WIDTH / 2) * VIEW
    local looks, from = lookAlong(scene, v, columns), 1
    for i = 1, columns do
      if looks[i + 1] ~= looks[i] then
        if looks[i] ~= 0 then
          setLook(canvas, looks[i])
          stripe(canvas, (from - 1) * edge, row * edge, (i + 1 - from) * edge, edge)
        end
        from = i + 1
      end
    end
  end
end

-- The corners of a face in order, relative to the block's corner with the least coordinates.
local function faceOf(picked)
  local x, y, z = math.max(0, picked.nx), math.max(0, picked.ny), math.max(0, picked.nz)
  if picked.nz ~= 0 then return { 0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z } end
  if picked.nx ~= 0 then return { x, 0, 0, x, 1, 0, x, 1, 1, x, 0, 1 } end
  return { 0, y, 0, 1, y, 0, 1, y, 1, 0, y, 1 }
end

local EDGES = {
  { 0, 0, 0, 1, 0, 0 }, { 0, 1, 0, 1, 1, 0 }, { 0, 0, 1, 1, 0, 1 }, { 0, 1, 1, 1, 1, 1 },
  { 0, 0, 0, 0, 1, 0 }, { 1, 0, 0, 1, 1, 0 }, { 0, 0, 1, 0, 1, 1 }, { 1, 0, 1, 1, 1, 1 },
  { 0, 0, 0, 0, 0, 1 }, { 1, 0, 0, 1, 0, 1 }, { 0, 1, 0, 0, 1, 1 }, { 1, 1, 0, 1, 1, 1 },
}

local function drawPicked(scene, canvas)
  local picked, eye = scene.picked, scene.eye
  if picked then
    local points, corners = {}, faceOf(picked)
    for i = 1, #corners, 3 do
      local x, y = project(eye, picked.x + corners[i], picked.y + corners[i + 1],
        picked.z + corners[i + 2])
      if x then points[#points + 1], points[#points + 2] = x, y end
    end
    if #points == 8 then
      canvas:setColor(1, 1, 1, 0.35)
      canvas:shape("fill", collide.polygon(points), 0, 0)
    end
    canvas:setColor(0.10, 0.10, 0.12, 0.9)
    for _, e in ipairs(EDGES) do
      local x1, y1 = project(eye, picked.x + e[1], picked.y + e[2], picked.z + e[3])
      local x2, y2 = project(eye, picked.x + e[4], picked.y + e[5], picked.z + e[6])
      if x1 and x2 then canvas:line(x1, y1, x2, y2) end
    end
  end
  canvas:setColor(1, 1, 1)
  canvas:line(WIDTH / 2 - 9, HEIGHT / 2, WIDTH / 2 + 9, HEIGHT / 2)
  canvas:line(WIDTH / 2, HEIGHT / 2 - 9, WIDTH / 2, HEIGHT / 2 + 9)
end

local function drawCaption(scene, canvas)
  local picked = scene.picked
  canvas:setColor(0.10, 0.12, 0.16, 0.75)
  canvas:rectangle("fill", 0, HEIGHT - 24, WIDTH, 24)
  canvas:setColor(0.95, 0.95, 0.93)
  canvas:print(picked and ("%s at %d, %d, %d, %.1f blocks away"):format(NAMES[picked.value],
    picked.x, picked.y, picked.z, picked.t * SIGHT) or "nothing but sky", 12, HEIGHT - 18)
  canvas:print(("%d dug out"):format(#scene.dug), WIDTH - 80, HEIGHT - 18)
end

return {
  name = "voxels", width = WIDTH, height = HEIGHT, frames = 300, dt = 1 / 60, seed = 3,
  params = { columns = 90, dig = true },

  setup = function(scene)
    scene.grid = collide.newGrid(SIZE, SIZE, SIZE)
    for x = 0, SIZE - 1 do
      for y = 0, SIZE - 1 do addColumn(scene, scene.grid, x, y) end
    end
    addTower(scene.grid, 27, 25)
    for _ = 1, 90 do addTree(scene, scene.grid) end
    scene.dug = {}
    scene.eye = look(scene)
    pick(scene)
  end,

  -- The grid is not in the scene's state, so `load` puts blocks back that were dug out since.
  save = function(scene) return #scene.dug end,

  load = function(scene, count)
    for _ = count + 1, #scene.dug do
      local block = table.remove(scene.dug)
      scene.grid:set(block.x, block.y, block.z, block.value)
    end
    scene.eye = look(scene)
    pick(scene)
  end,

  update = function(scene)
    scene.eye = look(scene)
    pick(scene)
    local picked = scene.picked
    if scene.params.dig and picked and scene.frame % 60 == 59 then
      scene.grid:set(picked.x, picked.y, picked.z, 0)
      table.insert(scene.dug, picked)
      pick(scene)
    end
  end,

  draw = function(scene, canvas)
    drawSky(canvas)
    drawBlocks(scene, canvas)
    drawPicked(scene, canvas)
    drawCaption(scene, canvas)
  end,

  -- The picked block must be the first one on the ray that is not empty.
  check = function(scene)
    local eye, picked = scene.eye, scene.picked
    local a = eye.ahead
    local x, y, z = collide.gridRay3(eye.x, eye.y, eye.z,
      eye.x + SIGHT * a[1], eye.y + SIGHT * a[2], eye.z + SIGHT * a[3],
      function(_, x, y, z)
        local inside = x >= 0 and y >= 0 and z >= 0 and x < SIZE and y < SIZE and z < SIZE
        return inside and scene.grid:get(x, y, z) ~= 0
      end)
    if x ~= (picked and picked.x) or y ~= (picked and picked.y) or z ~= (picked and picked.z) then
      return false, ("the ray meets %s, %s, %s first"):format(tostring(x), tostring(y), tostring(z))
    end
  end,
}
