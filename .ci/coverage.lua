-- Adds up what gcov says of the objects of a build: how many lines and branches of csrc have been
-- executed. Leaves what was not in BUILD/unreached, and fails below the shares that are asked for.
-- For Lua 5.4.
--   lua5.4 .ci/coverage.lua BUILD LINES BRANCHES
local build, leastLines, leastBranches = arg[1], tonumber(arg[2]), tonumber(arg[3])

-- By file and line: how often it was executed, its text, and how often each branch was taken. What
-- stands in a header is in many objects.
local files = {}

local function lineOf(path, number)
  files[path] = files[path] or {}
  local line = files[path][number]
  if not line then
    line = { branches = {} }
    files[path][number] = line
  end
  return line
end

local function add(object)
  local path, line, branch
  local gcov = assert(io.popen(("gcov -b -c -t '%s' 2>/dev/null"):format(object)))
  for text in gcov:lines() do
    local count, number, code = text:match "^ *([^ :]+): *(%d+):(.*)$"
    if number == "0" then
      path = code:match "^Source:(csrc/.*)$" or not code:find "^Source:" and path or nil
    elseif number and path then
      line, branch = nil, 0
      if count ~= "-" then
        line = lineOf(path, tonumber(number))
        line.text = code
        line.count = (line.count or 0) + (tonumber(count:match "^%d+") or 0)
      end
    elseif line and text:find "^branch" then
      branch = branch + 1
      local taken = tonumber(text:match "taken (%d+)") or 0
      line.branches[branch] = (line.branches[branch] or 0) + taken
    end
  end
  gcov:close()
end

local objects = assert(io.popen(("find %s/c/csrc %s/c/lua5.4 -name '*.gcda'"):format(build, build)))
for object in objects:lines() do add(object) end
objects:close()

local lines, reached, branches, taken = 0, 0, 0, 0
local out = assert(io.open(build .. "/unreached", "w"))
local paths = {}
for path in pairs(files) do paths[#paths + 1] = path end
table.sort(paths)
for _, path in ipairs(paths) do
  local numbers = {}
  for number in pairs(files[path]) do numbers[#numbers + 1] = number end
  table.sort(numbers)
  for _, number in ipairs(numbers) do
    local line = files[path][number]
    lines, reached = lines + 1, reached + (line.count > 0 and 1 or 0)
    local missed = 0
    for _, times in ipairs(line.branches) do
      branches, taken = branches + 1, taken + (times > 0 and 1 or 0)
      missed = missed + (times == 0 and 1 or 0)
    end
    if line.count == 0 then
      out:write(("%s:%d: not executed: %s\n"):format(path, number, line.text))
    elseif missed > 0 then
      out:write(("%s:%d: %d of %d branches not taken: %s\n"):format(path, number, missed,
        #line.branches, line.text))
    end
  end
end
out:close()

local lineShare, branchShare = 100 * reached / lines, 100 * taken / branches
print(("coverage: %.1f %% of %d lines, %.1f %% of %d branches")
  :format(lineShare, lines, branchShare, branches))
local passed = lineShare >= leastLines and branchShare >= leastBranches
if not passed then
  print(("the aim is %g %% and %g %%; %s/unreached lists what is missing")
    :format(leastLines, leastBranches, build))
end
print(passed and "1 passed, 0 failed" or "0 passed, 1 failed")
os.exit(passed)
