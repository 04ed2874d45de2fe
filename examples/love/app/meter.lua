-- The times of frames: a history of single frames, and means that stay on the screen long enough to
-- be read.

local M = {}

local HISTORY = 118
local INTERVAL = 0.25 -- seconds that a mean stays on the screen

M.PARTS = { "update", "pull", "find", "dispatch" }

local Meter = {}
Meter.__index = Meter

function M.new()
  return setmetatable({ history = {}, sums = {}, count = 0, means = {}, age = 0 }, Meter)
end

local function addSum(self, part, seconds)
  self.sums[part] = (self.sums[part] or 0) + seconds
end

--- Adds a frame that took `seconds`, with the statistics of its step.
function Meter:add(seconds, stats)
  addSum(self, "frame", seconds)
  addSum(self, "pull", stats.pull)
  addSum(self, "find", stats.find)
  addSum(self, "dispatch", stats.dispatch)
  addSum(self, "update", seconds - stats.pull - stats.find - stats.dispatch)
  self.count = self.count + 1
  table.insert(self.history, seconds)
  if #self.history > HISTORY then table.remove(self.history, 1) end
end

--- Advances the clock by `dt` seconds of real time.
function Meter:update(dt)
  self.age = self.age + dt
  if self.count == 0 or self.age < INTERVAL and next(self.means) then return end
  for part, sum in pairs(self.sums) do
    self.means[part] = sum / self.count
    self.sums[part] = 0
  end
  self.count, self.age = 0, 0
end

--- The mean of a part, or of the whole "frame", in milliseconds; nil before the first frame.
function Meter:mean(part)
  local seconds = self.means[part]
  return seconds and seconds * 1000
end

--- The times of the last frames in seconds, the newest last, and the most that are kept.
function Meter:frames()
  return self.history, HISTORY
end

return M
