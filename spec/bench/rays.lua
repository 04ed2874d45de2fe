-- Rays from Lua, in microseconds each: closest hits of rays of 500 units among 10 000 boxes of 10 x
-- 10 in 5000 x 5000, moving or static; in an empty world, which measures only the call from Lua to
-- C; and at a map of 300 x 300 tiles, and through its grid.

local collide = require "collide"
local turns = require "turns"

local BOXES, RAYS, FIELD, LENGTH = 10000, 4096, 5000, 500
local TILES, TILE, TILES_PER_SOLID = 300, 16, 50

local case = "rays " .. (rawget(_G, "jit") and "LuaJIT" or _VERSION)

local state = 1
local function uniform(most)
  state = state * 48271 % 2147483647
  return most * (state / 2147483647)
end

local function rays(size)
  local list = {}
  for i = 1, RAYS do
    local x, y, angle = uniform(size), uniform(size), uniform(2 * math.pi)
    list[i] = { x, y, x + LENGTH * math.cos(angle), y + LENGTH * math.sin(angle) }
  end
  return list
end

local function worldOf(boxes, static)
  local world, shape = collide.newWorld(), collide.rectangle(0, 0, 10, 10)
  state = 1
  for _ = 1, boxes do
    world:add { x = uniform(FIELD), y = uniform(FIELD), shape = shape, static = static }
  end
  world:step()
  return world
end

local function newMap()
  local grid = collide.newGrid(TILES, TILES, { cell = TILE })
  for _ = 1, TILES * TILES / TILES_PER_SOLID do
    grid:set(math.floor(uniform(TILES)), math.floor(uniform(TILES)), 1)
  end
  local world = collide.newWorld()
  world:add { x = 0, y = 0, shape = collide.tiles(grid), static = true }
  world:step()
  return world, grid
end

-- A task that casts all rays; `target` is a world or a grid.
local function task(name, target, list)
  local self = { name = name, hits = 0 }
  function self.frame()
    local hits = 0
    for i = 1, #list do
      local r = list[i]
      if target:rayCast(r[1], r[2], r[3], r[4]) then hits = hits + 1 end
    end
    self.hits = hits
  end
  return self
end

local none, moving, static = worldOf(0), worldOf(BOXES), worldOf(BOXES, true)
local atBoxes = rays(FIELD)
local map, grid = newMap()
local atTiles = rays(TILES * TILE)

local tasks = {
  task("boxes", moving, atBoxes),
  task("static boxes", static, atBoxes),
  task("nothing", none, atBoxes),
  task("tiles", map, atTiles),
  task("their grid", grid, atTiles),
}
turns.run(tasks)
turns.header()
for _, one in ipairs(tasks) do
  turns.row(case, one.name, RAYS, one.time * 1e6 / RAYS, "us", nil, one.hits)
end
