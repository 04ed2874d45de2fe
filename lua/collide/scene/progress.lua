-- A progress bar that rewrites one line of a terminal. On other streams it writes nothing.

local core = require "collide.core"

local M = {}

local WIDTH = 32
local INTERVAL = 0.1 -- seconds between two drawings

---@class collide.Progress
local Progress = {}
Progress.__index = Progress

---@param stream file*
---@param terminal boolean whether `stream` is a terminal
---@param total integer
---@param before? string the text that stands in the line already
---@return collide.Progress
function M.new(stream, terminal, total, before)
  return setmetatable({
    stream = terminal and total > 0 and stream or nil, before = before or "",
    total = total, drawn = 0, due = core.clock() + INTERVAL,
  }, Progress)
end

--- Shows how many are done, unless the bar was drawn less than INTERVAL ago.
function Progress:show(done)
  if not self.stream or core.clock() < self.due then return end
  local filled = math.floor(WIDTH * done / self.total)
  local line = ("[%s%s] %3d%%  %d of %d"):format(("#"):rep(filled), ("-"):rep(WIDTH - filled),
    math.floor(100 * done / self.total), done, self.total)
  self.stream:write("\r", self.before, line, (" "):rep(self.drawn - #line))
  self.stream:flush()
  self.drawn = #line
  self.due = core.clock() + INTERVAL
end

--- Removes the bar from the line, so that other text can follow `before`.
function Progress:clear()
  if self.drawn == 0 then return end
  self.stream:write("\r", self.before, (" "):rep(self.drawn), "\r", self.before)
  self.stream:flush()
  self.drawn = 0
end

return M
