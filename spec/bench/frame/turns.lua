-- Turns, medians and rows of CSV, as bench.h has them for C.

local core = require "collide.core"

local M = {}

-- Turns that each one gets, the most frames timed in one, and the seconds for which untimed frames
-- come before them.
local TURNS, FRAMES, WARM = 15, 40, 0.0005

local clock = core.clock

local function median(list)
  table.sort(list)
  return list[math.floor(#list / 2) + 1]
end

local function timed(task)
  local frame = task.frame
  local start = clock()
  frame()
  task.last = clock() - start
  return task.last
end

local function turn(task)
  local stop = clock() + WARM
  if task.last < WARM then
    repeat timed(task) until clock() >= stop
  end
  stop = stop + 2 * WARM
  local n = 0
  repeat
    task.times[#task.times + 1] = timed(task)
    n = n + 1
  until n == FRAMES or clock() >= stop
end

--- Gives all tasks their turns, one after the other, and each its median `time`, in seconds.
---@param tasks { frame: fun(), time?: number }[]
function M.run(tasks)
  for _, task in ipairs(tasks) do
    task.times = {}
    -- Enough for LuaJIT's compiler to have seen the loops.
    local stop = clock() + 0.1
    repeat timed(task) until clock() >= stop
  end
  collectgarbage()
  for _ = 1, TURNS do
    for _, task in ipairs(tasks) do turn(task) end
  end
  for _, task in ipairs(tasks) do task.time = median(task.times) end
end

--- Prints a row: `ours` is what `value` is a multiple of, `found` what was found.
function M.row(case, who, n, value, unit, ours, found)
  print(("%s,%s,%d,%.5g,%s,%s,%s"):format(case, who, n, value, unit,
    ours and ("%.3g"):format(value / ours) or "", found and ("%.5g"):format(found) or ""))
  io.stdout:flush()
end

return M
