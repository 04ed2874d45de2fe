-- A world that strings are restored into. A string that is not a snapshot changes nothing; from a
-- snapshot, the world continues, and packs to bytes that restore to the same world.

local collide = require "collide"

local box, disc = collide.rectangle(10, 10), collide.circle(5)
local SHAPES = { box = box, disc = disc }
local FIELDS = { "name", "kind", "vx", "mate" }

local function update(self, dt)
  local x = self.x + (type(self.vx) == "number" and self.vx or 0) * dt
  if not self.static and x > -1e9 and x < 1e9 then self.x = x end
end

local function nothing() end

local grid = collide.newGrid(6, 2, { cell = 20, y = 30 })
local map = collide.tiles(grid)

local function make(_, fields)
  local shape = SHAPES[fields.kind] or box
  return { shape = fields.kind == "map" and map or shape, update = update, hit = nothing,
    enter = nothing, leave = nothing }
end

local function newWorld()
  local world = collide.newWorld()
  world:newBullets { capacity = 8, radius = 1, group = "shots", lifetime = 5, grazeRadius = 3,
    hit = nothing }
  return world
end

-- A small game with some of each feature.
local function populate(world)
  grid:fill(0, 0, 6, 2, 0)
  grid:fill(0, 0, 6, 1, 1)
  local pool = world:pools()[1]
  for i, kind in ipairs { "map", "box", "disc", "box" } do
    local actor = make(i, { kind = kind })
    actor.name, actor.kind, actor.group = "a" .. i, kind, i % 2 == 0 and "red" or "blue"
    actor.x, actor.y, actor.vx = i == 1 and 0 or 12 * i, i == 1 and 0 or 22, 30
    actor.static = i == 1
    if i == 3 then actor.angle = 0.5 end
    actor.ignore = i == 4 and world:actors() or nil
    world:add(actor)
    actor.mate = i
  end
  pool.ignore = world:actors()[4]
  world:setRule("red", "red", "first")
  for i = 1, 4 do pool:spawn(10 * i, 20, 30, 9, i) end
  pool:spawnLaser { points = { 0, 0, 50, 9, 60, 20 }, width = 2 }
  for _ = 1, 3 do world:update(0.125) end
  world:remove(world:actors()[2])
end

local world = newWorld()
local whole

local function reset()
  world = newWorld()
  populate(world)
  whole = world:snapshot(FIELDS):pack()
end

reset()
return function(text)
  local restored, message = pcall(world.restore, world, text, make)
  if not restored then
    assert(message:find("world:restore: ", 1, true), message)
    assert(world:snapshot(FIELDS):pack() == whole, "a refused string has changed the world")
    return
  end
  local packed = world:snapshot(FIELDS):pack()
  world:restore(packed, make)
  assert(world:snapshot(FIELDS):pack() == packed, "a packed snapshot is not restored as it was")
  for _ = 1, 2 do world:update(0.125) end
  reset()
end
