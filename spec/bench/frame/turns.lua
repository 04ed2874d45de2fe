-- Turns, medians and rows of CSV, like those of bench.h in C.

local M = {}

-- The turns of each task, the measurements in each turn, the seconds that a measurement and a turn
-- should last, and the seconds in which LuaJIT compiles all tasks first.
local TURNS, TIMES, TIME, TURN, WARM_UP = 15, 10, 0.0002, 0.002, 0.15

-- Processor time, with a resolution of a microsecond.
local clock = os.clock

local function median(list)
  table.sort(list)
  return list[math.floor(#list / 2) + 1]
end

local function timed(task, frames)
  local frame = task.frame
  local start = clock()
  for _ = 1, frames do frame() end
  task.last = (clock() - start) / frames
end

local function turn(task)
  local frames = 1 + math.floor(TIME / task.last)
  if frames > 1 then timed(task, frames) end
  local stop, times = clock() + TURN, 0
  repeat
    timed(task, frames)
    task.times[#task.times + 1] = task.last
    times = times + 1
  until times == TIMES or clock() >= stop
end

--- Gives all tasks their turns, and sets the median `time` of each, in seconds.
---@param tasks { frame: fun(), time?: number }[]
function M.run(tasks)
  for _, task in ipairs(tasks) do
    task.times = {}
    local stop, frames = clock() + WARM_UP, 1
    repeat
      timed(task, frames)
      frames = frames * 2
    until clock() >= stop
  end
  collectgarbage()
  for _ = 1, TURNS do
    for _, task in ipairs(tasks) do turn(task) end
  end
  for _, task in ipairs(tasks) do task.time = median(task.times) end
end

function M.header()
  print "case,who,n,value,unit,times,found"
end

--- Prints a row. `value` is also printed as a multiple of `ours`; `found` is a figure of the
--- results, for comparing them.
function M.row(case, who, n, value, unit, ours, found)
  print(("%s,%s,%d,%.5g,%s,%s,%s"):format(case, who, n, value, unit,
    ours and ("%.3g"):format(value / ours) or "", found and ("%.5g"):format(found) or ""))
  io.stdout:flush()
end

return M
