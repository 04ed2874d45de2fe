-- Plays scenes and prints a line for each: scene, hits per frame, hash. With `all`, every broad
-- phase plays them, and it fails if two differ. With a file of such lines, it compares each line,
-- and prints a closing line with the number of equal ones.
--   lua .ci/hashes.lua all|BROADPHASE [FILE]

local options = require "collide.options"
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

for _, entry in ipairs(SCENES) do
  local name, frames = entry[1], entry[2]
  local first
  for _, phase in ipairs(phases) do
    local answer = ("%s: %s"):format(name, play(name, frames, phase))
    first = first or answer
    if answer ~= first then report(("%s with %s"):format(answer, phase), first) end
  end
  print(first)
  if expected then report(first, expected()) end
end
if expected then print(("%d passed, %d failed"):format(passed, failed)) end
os.exit(failed == 0 and 0 or 1)
