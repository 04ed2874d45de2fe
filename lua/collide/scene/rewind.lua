-- After every frame of a run, winds the scene back by some frames, plays them again with the same
-- input, and compares. A game with rollback has to pass this test.

local scenes = require "collide.scene"

local M = {}

---@class collide.Rewinder
local Rewinder = {}
Rewinder.__index = Rewinder

--- Makes a rewinder for a scene that is about to be played.
---@param scene collide.Scene
---@param count integer how many frames it is wound back each time
---@return collide.Rewinder
function M.new(scene, count)
  return setmetatable({
    scene = scene, count = count, start = scene.frame,
    moments = { [scene.frame] = scenes.snapshot(scene) },
  }, Rewinder)
end

--- Call this after each frame: winds back, and plays again up to the same frame.
---@return string? different the first difference, as a sentence
function Rewinder:finish()
  local scene, moments = self.scene, self.moments
  local last = scene.frame
  local first = math.max(self.start, last - self.count)
  moments[last], moments[first - 1] = scenes.snapshot(scene), nil
  scenes.restore(scene, moments[first])
  for frame = first + 1, last do
    scenes.step(scene)
    local isSame
    isSame, self.spare = moments[frame]:isNow(self.spare)
    if not isSame then
      local again = scenes.snapshot(scene)
      local difference = moments[frame]:diff(again)
      if difference then
        return ("frame %d, played again from frame %d: %s"):format(frame, first, difference)
      end
      moments[frame] = again
    end
  end
end

return M
