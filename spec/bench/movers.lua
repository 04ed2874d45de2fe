-- Boxes that slide through a map of tiles from Lua and turn back where they are stopped, in
-- milliseconds per frame: a hand-written look-up of tiles, world:move against the same tiles and
-- against a wall actor for each tile, and collide.bump with as many walls. Also the garbage of a
-- frame, in bytes.

local collide = require "collide"
local bump = require "collide.bump"
local turns = require "turns"

local MAP, CELL, SIZE, MOVERS, FASTEST = 64, 32, 16, 1000, 3

local case = "movers " .. (rawget(_G, "jit") and "LuaJIT" or _VERSION)
local floor, ceil = math.floor, math.ceil

local state = 1
local function uniform(least, most)
  state = state * 48271 % 2147483647
  return least + (most - least) * (state / 2147483647)
end

local solid = {}
for i = 0, MAP * MAP - 1 do
  local x, y = i % MAP, floor(i / MAP)
  solid[i] = uniform(0, 1) < 0.3 or x == 0 or y == 0 or x == MAP - 1 or y == MAP - 1
end

-- Movers at free places, the same for all contenders.
local function newMovers()
  local list = {}
  state = 7
  for i = 1, MOVERS do
    local x, y
    repeat
      x, y = floor(uniform(1, MAP - 1)), floor(uniform(1, MAP - 1))
    until not solid[x + MAP * y]
    list[i] = {
      x = x * CELL + uniform(0, CELL - SIZE), y = y * CELL + uniform(0, CELL - SIZE),
      vx = uniform(-FASTEST, FASTEST), vy = uniform(-FASTEST, FASTEST),
    }
  end
  return list
end

-- Moves along each axis in turn, up to the tiles in the way.
local function moveByHand(m)
  local x, y, vx, vy = m.x, m.y, m.vx, m.vy
  local to = x + vx
  local column = vx > 0 and ceil((to + SIZE) / CELL) - 1 or floor(to / CELL)
  for row = floor(y / CELL), ceil((y + SIZE) / CELL) - 1 do
    if solid[column + MAP * row] then
      to = vx > 0 and column * CELL - SIZE or (column + 1) * CELL
      m.vx = -vx
      break
    end
  end
  x, to = to, y + vy
  local row = vy > 0 and ceil((to + SIZE) / CELL) - 1 or floor(to / CELL)
  for c = floor(x / CELL), ceil((x + SIZE) / CELL) - 1 do
    if solid[c + MAP * row] then
      to = vy > 0 and row * CELL - SIZE or (row + 1) * CELL
      m.vy = -vy
      break
    end
  end
  m.x, m.y = x, to
end

local function turnBack(m, nx, ny)
  if nx * m.vx < 0 then m.vx = -m.vx end
  if ny * m.vy < 0 then m.vy = -m.vy end
end

local function byHand()
  local list = newMovers()
  return function()
    for i = 1, MOVERS do moveByHand(list[i]) end
  end
end

-- Calls add(x, y) for each tile that is solid.
local function eachWall(add)
  for i = 0, MAP * MAP - 1 do
    if solid[i] then add(i % MAP * CELL, floor(i / MAP) * CELL) end
  end
end

local function newTiles(world)
  local grid = collide.newGrid(MAP, MAP, { cell = CELL })
  for i = 0, MAP * MAP - 1 do grid:set(i % MAP, floor(i / MAP), solid[i] and 1 or 0) end
  world:add { x = 0, y = 0, shape = collide.tiles(grid), static = true, group = "wall" }
end

local function newWalls(world)
  local shape = collide.rectangle(CELL, CELL)
  eachWall(function(x, y)
    world:add { x = x, y = y, shape = shape, static = true, group = "wall" }
  end)
end

local function byWorld(addWalls)
  local world, list = collide.newWorld { rules = { { "mover", "wall" } } }, newMovers()
  local shape = collide.rectangle(SIZE, SIZE)
  addWalls(world)
  for _, m in ipairs(list) do
    m.shape, m.group = shape, "mover"
    world:add(m)
  end
  return function()
    for i = 1, MOVERS do
      local m = list[i]
      local _, _, hits, n = world:move(m, m.vx, m.vy)
      for k = 1, n do turnBack(m, hits[k].nx, hits[k].ny) end
    end
  end
end

local function meetWalls(_, other)
  return not other.isMover and "slide" or nil
end

local function byBump()
  local world, list = bump.newWorld(CELL), newMovers()
  eachWall(function(x, y) world:add({}, x, y, CELL, CELL) end)
  for _, m in ipairs(list) do
    m.isMover = true
    world:add(m, m.x, m.y, SIZE, SIZE)
  end
  return function()
    for i = 1, MOVERS do
      local m = list[i]
      local x, y, cols, n = world:move(m, m.x + m.vx, m.y + m.vy, meetWalls)
      m.x, m.y = x, y
      for k = 1, n do turnBack(m, cols[k].normal.x, cols[k].normal.y) end
    end
  end
end

local tasks = {
  { name = "by hand", frame = byHand() },
  { name = "tiles", frame = byWorld(newTiles) },
  { name = "a wall each", frame = byWorld(newWalls) },
  { name = "collide.bump", frame = byBump() },
}
turns.run(tasks)
turns.header()
for _, task in ipairs(tasks) do
  turns.row(case, task.name, MOVERS, task.time * 1e3, "ms", tasks[1].time * 1e3)
end

-- The garbage of a frame, measured after enough frames for all lists to have been made.
for i = 2, 3 do
  local frame = tasks[i].frame
  for _ = 1, 100 do frame() end
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  for _ = 1, 100 do frame() end
  local made = (collectgarbage "count" - before) * 1024 / 100
  collectgarbage "restart"
  turns.row(case .. ": garbage", tasks[i].name, MOVERS, made, "bytes")
end
