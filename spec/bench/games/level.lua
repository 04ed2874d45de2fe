-- A platform game's level: a floor, walls, and rows of blocks with holes, of tiles of 16. Walkers
-- of 12 x 14 fall, walk, and turn where a wall stops them, so most moves hit something: the floor.

local M = {}

M.WIDTH, M.HEIGHT, M.CELL = 100, 60, 16
M.W, M.H = 12, 14
M.DT = 1 / 60

local SPEED, GRAVITY = 60, 600
local ROWS, SHARE = 6, 0.6 -- rows per row of blocks; the fraction of blocks that are there

local floor, ceil, abs = math.floor, math.ceil, math.abs

local state = 1
local function uniform(least, most)
  state = state * 48271 % 2147483647
  return least + (most - least) * (state / 2147483647)
end

-- Whether each tile is solid, by x + WIDTH * y.
local solid = {}
for i = 0, M.WIDTH * M.HEIGHT - 1 do
  local x, y = i % M.WIDTH, floor(i / M.WIDTH)
  local isBorder = x == 0 or y == 0 or x == M.WIDTH - 1 or y == M.HEIGHT - 1
  solid[i] = isBorder or y % ROWS == ROWS - 1 and uniform(0, 1) < SHARE
end

--- Calls add(column, row) for each tile that is solid.
function M.eachWall(add)
  for i = 0, M.WIDTH * M.HEIGHT - 1 do
    if solid[i] then add(i % M.WIDTH, floor(i / M.WIDTH)) end
  end
end

--- A list of walkers at free places, the same for all contenders.
function M.newWalkers(count)
  local list = {}
  state = 7
  for i = 1, count do
    local x, y
    repeat
      x, y = floor(uniform(1, M.WIDTH - 1)), floor(uniform(1, M.HEIGHT - 1))
    until not solid[x + M.WIDTH * y]
    x, y = x * M.CELL + uniform(0, M.CELL - M.W), y * M.CELL + uniform(0, M.CELL - M.H)
    list[i] = { x = x, y = y, vx = uniform(0, 1) < 0.5 and -SPEED or SPEED, vy = 0 }
  end
  return list
end

--- Applies gravity. Returns the displacement of a frame.
function M.fall(m)
  m.vy = m.vy + GRAVITY * M.DT
  return m.vx * M.DT, m.vy * M.DT
end

--- The response of a walker to a surface: it stops falling at floors, and turns at walls.
function M.meet(m, nx, ny)
  if abs(ny) > abs(nx) then
    m.vy = 0
  else
    m.vx = nx < 0 and -SPEED or SPEED
  end
end

--- Moves a walker by a look-up of the tiles in its way, along each axis in turn. Returns the number
--- of axes on which it was stopped, 0 to 2.
function M.moveByHand(m)
  local dx, dy = M.fall(m)
  local cell, width, hits = M.CELL, M.WIDTH, 0
  local x, y = m.x + dx, m.y
  local column = dx > 0 and ceil((x + M.W) / cell) - 1 or floor(x / cell)
  for row = floor(y / cell), ceil((y + M.H) / cell) - 1 do
    if solid[column + width * row] then
      x = dx > 0 and column * cell - M.W or (column + 1) * cell
      hits = 1
      M.meet(m, dx > 0 and -1 or 1, 0)
      break
    end
  end
  y = y + dy
  local row = dy > 0 and ceil((y + M.H) / cell) - 1 or floor(y / cell)
  for at = floor(x / cell), ceil((x + M.W) / cell) - 1 do
    if solid[at + width * row] then
      y = dy > 0 and row * cell - M.H or (row + 1) * cell
      hits = hits + 1
      M.meet(m, 0, dy > 0 and -1 or 1)
      break
    end
  end
  m.x, m.y = x, y
  return hits
end

return M
