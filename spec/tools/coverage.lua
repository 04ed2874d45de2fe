-- Adds up which lines and branches of csrc were executed, by gcov's output for the objects of a
-- build, and which lines of lua/collide, by the records of spec/support/lines.c. Writes the lines
-- that were not reached to BUILD/unreached. Fails if a fraction is below its limit, for a line that
-- is neither reached nor listed in spec/tools/unreached, and for a line that is listed there but
-- was reached. For Lua 5.4.
--   lua5.4 spec/tools/coverage.lua BUILD
local build = arg[1]

local LEAST_LINES, LEAST_BRANCHES, LEAST_LUA = 99, 93, 99

-- By file and line: how often it was executed, its text, and how often each branch was taken. Lines
-- of a header are in many objects.
local files = {}

local function lineOf(path, number)
  files[path] = files[path] or {}
  local line = files[path][number]
  if not line then
    line = { count = 0, branches = {} }
    files[path][number] = line
  end
  return line
end

local function readObject(object)
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
        line.count = line.count + (tonumber(count:match "^%d+") or 0)
      end
    elseif line and text:find "^branch" then
      branch = branch + 1
      local taken = tonumber(text:match "taken (%d+)") or 0
      line.branches[branch] = (line.branches[branch] or 0) + taken
    end
  end
  gcov:close()
end

local function readC()
  local objects = assert(io.popen(("find %s/c/csrc %s/c/lua5.4 %s/c/luajit -name '*.gcno'")
    :format(build, build, build)))
  for object in objects:lines() do readObject(object) end
  objects:close()
end

-- Whether a line of Lua counts: not one that closes a function, where Lua adds a `return` even if
-- it cannot be reached, and not one that only closes an expression.
local function isOwn(text)
  return not text:find "^%s*end%f[%W]" and not text:find "^%s*[%]%)}]+[,;]?$"
end

-- Finds the lines that have instructions, with Lua's compiler.
local function readLua()
  local modules = assert(io.popen "find lua/collide -name '*.lua'")
  for path in modules:lines() do
    local texts = {}
    for text in io.lines(path) do texts[#texts + 1] = text end
    local isCode = texts[1] ~= "---@meta" -- declarations for language servers
    local code = assert(io.popen(("luac5.4 -l -p '%s'"):format(path)))
    for instruction in code:lines() do
      local number, operation = instruction:match "^%s+%d+%s+%[(%d+)%]%s+(%u%w*)"
      number = tonumber(number)
      if isCode and number and operation ~= "VARARGPREP" and isOwn(texts[number]) then
        lineOf(path, number).text = texts[number]
      end
    end
    code:close()
  end
  modules:close()
  local notes = assert(io.popen(("sort -u %s/lines/*"):format(build)))
  for note in notes:lines() do
    local path, number = note:match "^(.*) (%d+)$"
    local line = files[path] and files[path][tonumber(number)]
    if line then line.count = 1 end
  end
  notes:close()
end

-- By path and text: how many unreached lines are listed. A line of spec/tools/unreached is
-- "# reason", which applies to the lines up to the next reason; or a path and the text of a line,
-- repeated for each line with that text:
--   lua/collide/ffi/frame.lua: if not binding.ffi then return false end
local listed = {}

local function readListed()
  local reason
  for text in io.lines "spec/tools/unreached" do
    if text:find "^# " then
      reason = text
    elseif text ~= "" then
      assert(reason, "spec/tools/unreached: no reason for " .. text)
      listed[text] = (listed[text] or 0) + 1
    end
  end
end

local function isListed(path, line)
  local key = path .. ": " .. line.text:match "^%s*(.-)%s*$"
  if (listed[key] or 0) == 0 then return false end
  listed[key] = listed[key] - 1
  return true
end

local complaints = {}
local function complain(...)
  complaints[#complaints + 1] = string.format(...)
end

-- Sums by language.
local function sum()
  return { lines = 0, reached = 0, branches = 0, taken = 0 }
end
local sums = { C = sum(), Lua = sum() }

local function keysOf(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

local function count()
  local out = assert(io.open(build .. "/unreached", "w"))
  for _, path in ipairs(keysOf(files)) do
    local total = path:find "%.lua$" and sums.Lua or sums.C
    for _, number in ipairs(keysOf(files[path])) do
      local line = files[path][number]
      local missed = 0
      for _, times in ipairs(line.branches) do
        missed = missed + (times == 0 and 1 or 0)
      end
      total.lines = total.lines + 1
      total.branches = total.branches + #line.branches
      total.taken = total.taken + #line.branches - missed
      if line.count > 0 then
        total.reached = total.reached + 1
        if missed > 0 then
          out:write(("%s:%d: %d of %d branches not taken: %s\n"):format(path, number, missed,
            #line.branches, line.text))
        end
      else
        out:write(("%s:%d: not executed: %s\n"):format(path, number, line.text))
        if not isListed(path, line) then
          complain("%s:%d: neither reached nor listed: %s", path, number, line.text)
        end
      end
    end
  end
  out:close()
  for _, text in ipairs(keysOf(listed)) do
    if listed[text] > 0 then complain("spec/tools/unreached: reached, or not there: %s", text) end
  end
end

local function share(part, whole, least, what)
  local percent = 100 * part / whole
  if percent < least then complain("%s: fewer than %g %%", what, least) end
  return ("%.1f %% of %d %s"):format(percent, whole, what)
end

readC()
readLua()
readListed()
count()
local C, Lua = sums.C, sums.Lua
print(("coverage: %s, %s, %s"):format(
  share(C.reached, C.lines, LEAST_LINES, "lines of C"),
  share(C.taken, C.branches, LEAST_BRANCHES, "branches of C"),
  share(Lua.reached, Lua.lines, LEAST_LUA, "lines of Lua")))
for _, text in ipairs(complaints) do print(text) end
if #complaints > 0 then print(("%s/unreached lists all that is not reached"):format(build)) end
print(#complaints == 0 and "1 passed, 0 failed" or "0 passed, 1 failed")
os.exit(#complaints == 0)
