-- The frames of a scene that have been played, to go back to. It keeps moments of the scene, and
-- plays the frames between two moments again. A scene that cannot be saved is played again from its
-- start.

local scenes = require "collide.scene"

local M = {}

-- A moment is kept every USUAL frames; when there are more than MOST, the interval doubles.
local USUAL, MOST = 16, 64

---@class collide.History
local History = {}
History.__index = History

--- Makes a history for a scene that has just been opened.
---@param scene collide.Scene
---@param reopen fun(): collide.Scene the same scene from its start, with the same keys
---@param step? fun(scene: collide.Scene) plays a frame again, in place of scenes.step
function M.new(scene, reopen, step)
  local self = setmetatable({ reopen = reopen, step = step or scenes.step, interval = USUAL,
    moments = {}, count = 0 }, History)
  self:note(scene)
  return self
end

local function thinOut(self)
  self.interval = 2 * self.interval
  for frame in pairs(self.moments) do
    if frame % self.interval ~= 0 then
      self.moments[frame] = nil
      self.count = self.count - 1
    end
  end
end

--- Called after a frame.
function History:note(scene)
  local frame = scene.frame
  if not self.moments or frame % self.interval ~= 0 or self.moments[frame] then return end
  local kept, moment = pcall(scenes.snapshot, scene)
  if not kept then
    self.moments = nil
    return
  end
  self.moments[frame] = moment
  self.count = self.count + 1
  if self.count > MOST then thinOut(self) end
end

--- Forgets everything after a frame: from there on it is played again.
function History:forget(frame)
  for later in pairs(self.moments or {}) do
    if later > frame then
      self.moments[later] = nil
      self.count = self.count - 1
    end
  end
end

--- Goes back to a frame.
---@return collide.Scene scene the same one or, if no moments can be kept, a new one
function History:go(scene, frame)
  if self.moments then
    local from = frame - frame % self.interval
    scenes.restore(scene, self.moments[from])
  else
    scene = self.reopen()
  end
  while scene.frame < frame do self.step(scene) end
  return scene
end

return M
