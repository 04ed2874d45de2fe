-- Rays through cells from Lua, in nanoseconds per cell: iterators, visitors and casts over about
-- 200 cells in 1024 x 1024 and 100 cells in 256 x 256 x 256; and short rays, whose cost is mostly
-- that of the call.

local collide = require "collide"
local turns = require "turns"

local RAYS = 512

local case = "grid rays " .. (rawget(_G, "jit") and "LuaJIT" or _VERSION)

local state = 1
local function uniform()
  state = state * 48271 % 2147483647
  return state / 2147483647
end

-- A list of rays of `cells` cells within a grid of this size.
local function rays(dims, size, cells)
  local list = {}
  while #list < RAYS do
    local way, length, ray, inside = {}, 0, {}, true
    for a = 1, dims do
      way[a] = 2 * uniform() - 1
      length = length + math.abs(way[a])
    end
    for a = 1, dims do
      ray[a] = uniform() * size
      ray[dims + a] = ray[a] + way[a] / length * cells
      inside = inside and ray[dims + a] > 0 and ray[dims + a] < size
    end
    if inside then list[#list + 1] = ray end
  end
  return list
end

local function iterate2(list)
  local n, sum = 0, 0
  for i = 1, #list do
    local r = list[i]
    for _, x, y in collide.gridRay(r[1], r[2], r[3], r[4]) do
      n, sum = n + 1, sum + x - y
    end
  end
  return n, sum
end

local function iterate3(list)
  local n, sum = 0, 0
  for i = 1, #list do
    local r = list[i]
    for _, x, y in collide.gridRay3(r[1], r[2], r[3], r[4], r[5], r[6]) do
      n, sum = n + 1, sum + x - y
    end
  end
  return n, sum
end

local visited = 0
local function visitor() visited = visited + 1 end

local function visit2(list)
  visited = 0
  for i = 1, #list do
    local r = list[i]
    collide.gridRay(r[1], r[2], r[3], r[4], visitor)
  end
  return visited
end

local flat, deep

local function cast2(list)
  for i = 1, #list do
    local r = list[i]
    flat:rayCast(r[1], r[2], r[3], r[4])
  end
end

local function cast3(list)
  for i = 1, #list do
    local r = list[i]
    deep:rayCast(r[1], r[2], r[3], r[4], r[5], r[6])
  end
end

flat, deep = collide.newGrid(1024, 1024), collide.newGrid(256, 256, 256)
local list2, list3, short = rays(2, 1024, 200), rays(3, 256, 100), rays(2, 1024, 10)

local function task(name, list, f, count)
  return { name = name, cells = count(list), frame = function() f(list) end }
end

local tasks = {
  task("cast 2D", list2, cast2, iterate2),
  task("iterator 2D", list2, iterate2, iterate2),
  task("visitor 2D", list2, visit2, iterate2),
  task("cast 2D of 10 cells", short, cast2, iterate2),
  task("iterator 2D of 10 cells", short, iterate2, iterate2),
  task("cast 3D", list3, cast3, iterate3),
  task("iterator 3D", list3, iterate3, iterate3),
}
turns.run(tasks)
turns.header()
for _, one in ipairs(tasks) do
  turns.row(case, one.name, RAYS, one.time * 1e9 / one.cells, "ns a cell", nil, one.cells)
end
