-- Plays scenes and prints a line for each: scene, hits per frame, hash. With `all`, every broad
-- phase plays them, and it fails if two differ. With a file of such lines, it compares each line,
-- and prints a closing line with the number of equal ones.
--   lua spec/tools/hashes.lua all|BROADPHASE [FILE]

local collide = require "collide"
local options = require "collide.world"
local scenes = require "collide.scene"

-- The scenes, with enough frames for bodies to meet, turn round and part.
local SCENES = {
  { "swarm", 120 },
  { "polygons", 120 },
  { "danmaku", 360 },
  { "movers", 120 },
  { "platformer", 1180 },
  { "rollback", 240 },
}

local function play(name, frames, phase)
  local scene = scenes.load(("examples/scenes/%s.lua"):format(name), { broadphase = phase })
  local hits, stats = 0, nil
  for _ = 1, frames do
    scenes.step(scene)
    stats = scene.world:stats(stats)
    hits = hits + stats.hits
  end
  return ("%.2f hits a frame, hash %s"):format(hits / frames, scene.world:hash())
end

-- Spawns bullets with every kind of acceleration, whose products compilers have fused with sums.
local function spawn(phase)
  local world = collide.newWorld { broadphase = phase }
  local pool = world:newBullets { capacity = 200, radius = 2 }
  pool:spawnRing(100, 100, 24, 95, 0.3, { ax = 3, ay = 4, radial = 17.3, tangential = 55.1 })
  pool:spawnFan(50, 70, 9, 110, 0.7, 1.1,
    { ax = 5, ay = -6, radial = 31.7, tangential = -12.9 })
  pool:spawnAimed(-30, 20, 70, -50, 80, { ax = 1, ay = 2, radial = -9.3, tangential = 4.1 })
  for _ = 1, 100 do world:update(1 / 60) end
  return ("hash %s"):format(world:hash())
end

local phases = arg[1] == "all" and options.BROADPHASES or { arg[1] }
local expected = arg[2] and io.lines(arg[2])
local passed, failed = 0, 0

local function report(answer, wanted)
  if answer == wanted then
    passed = passed + 1
  else
    failed = failed + 1
    print(("%s, where %s is expected"):format(answer, wanted))
  end
end

SCENES[#SCENES + 1] = { "spawned" }
for _, entry in ipairs(SCENES) do
  local name, frames = entry[1], entry[2]
  local first
  for _, phase in ipairs(phases) do
    local answer = ("%s: %s"):format(name, frames and play(name, frames, phase) or spawn(phase))
    first = first or answer
    if answer ~= first then report(("%s with %s"):format(answer, phase), first) end
  end
  print(first)
  if expected then report(first, expected()) end
end
if expected then print(("%d passed, %d failed"):format(passed, failed)) end
os.exit(failed == 0 and 0 or 1)
