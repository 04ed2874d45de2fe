-- Plays scenes with every broad phase and prints a line for each: scene, broad phase, hits a
-- frame, hash. Broad phases must agree; this fails where they don't.
--   lua .ci/hashes.lua

local options = require "collide.options"
local scenes = require "collide.scene"

-- Frames enough for things to meet, turn round and part.
local SCENES = {
  { "swarm", 120 },
  { "polygons", 120 },
  { "danmaku", 360 },
  { "movers", 120 },
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

local agree = true
for _, entry in ipairs(SCENES) do
  local name, frames = entry[1], entry[2]
  local expected
  for _, phase in ipairs(options.BROADPHASES) do
    local answer = play(name, frames, phase)
    expected = expected or answer
    if answer ~= expected then
      agree = false
      print(("%s with %s: %s"):format(name, phase, answer))
    end
  end
  print(("%s: %s"):format(name, expected))
end
os.exit(agree and 0 or 1)
