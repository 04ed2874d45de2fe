-- The report of a run of a scene: collects the figures of each frame, and prints them at the end.

local numeral = require "collide.scene.numeral"

local M = {}

local PARTS = { "update", "pull", "find", "dispatch", "frame" }

---@class collide.Report
local Report = {}
Report.__index = Report

---@return collide.Report
function M.new()
  local self = setmetatable({ frames = 0, hits = 0 }, Report)
  for _, part in ipairs(PARTS) do self[part] = {} end
  return self
end

--- Adds a frame that took `seconds`. `stats` are those of its step, see world:stats.
function Report:add(seconds, stats)
  local n = self.frames + 1
  self.frames = n
  self.hits = self.hits + stats.hits
  self.pull[n], self.find[n], self.dispatch[n] = stats.pull, stats.find, stats.dispatch
  self.update[n] = math.max(0, seconds - stats.pull - stats.find - stats.dispatch)
  self.frame[n] = seconds
end

-- The quantile `share`, 0 to 1, of sorted times in seconds; the result is in milliseconds.
local function quantile(sorted, share)
  if #sorted == 0 then return 0 end
  return 1000 * sorted[math.max(1, math.ceil(share * #sorted))]
end

--- The report as lines of text. Call it after the last frame of the scene.
---@param scene collide.Scene
---@return string
function Report:text(scene)
  local jit = rawget(_G, "jit")
  local lines = {
    ("%s, %d frames of %s s, seed %.0f, %s, %s"):format(scene.name, self.frames,
      numeral.short(scene.dt, 6), scene.seed, scene.world:stats().broadphase,
      jit and jit.version or _VERSION),
    ("actors %d"):format(scene.world:count()),
    ("hits %s a frame"):format(numeral.fixed(self.hits / math.max(1, self.frames), 2)),
    "",
    "ms a frame    median       p99",
  }
  for _, part in ipairs(PARTS) do
    local times = self[part]
    table.sort(times)
    lines[#lines + 1] = ("%-10s%10s%10s"):format(part, numeral.fixed(quantile(times, 0.5), 4),
      numeral.fixed(quantile(times, 0.99), 4))
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "hash " .. scene.world:hash()
  return table.concat(lines, "\n") .. "\n"
end

return M
