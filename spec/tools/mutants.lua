-- Plants random faults of one token in csrc and lua, one at a time, each in a copy of the sources,
-- and tests it there, as spec/tools/mutant says. A fault that no test finds is printed: it needs a
-- test, or the code that it changed is not needed, or spec/tools/listed_mutants should list it,
-- with the reason why no answer changes. A fault that does not change the compiled program counts
-- as listed. The result of each fault is written to BUILD/mutants/log at once, and only faults that
-- are not there are tested.
--   lua spec/tools/mutants.lua BUILD COUNT SEED JOBS
local build, count, seed, jobs = arg[1], tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])
local lua = arg[-1]

-- The replacement of each token. A number is replaced by the next one.
local SWAPS = {
  ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">",
  ["=="] = "!=", ["!="] = "==", ["~="] = "==",
  ["+"] = "-", ["-"] = "+", ["*"] = "+",
  ["&&"] = "||", ["||"] = "&&", ["and"] = "or", ["or"] = "and",
  ["true"] = "false", ["false"] = "true",
  cl_min = "cl_max", cl_max = "cl_min", min = "max", max = "min",
}
local TWO = { ["<="] = 1, [">="] = 1, ["=="] = 1, ["!="] = 1, ["~="] = 1, ["&&"] = 1, ["||"] = 1 }
-- Pairs of signs that mean something else, and are left alone.
local OTHER = { ["->"] = 1, ["++"] = 1, ["--"] = 1, ["<<"] = 1, [">>"] = 1, ["+="] = 1, ["-="] = 1,
  ["*="] = 1, ["::"] = 1, [".."] = 1, ["//"] = 1 }

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- Where the text, comment or directive that begins at `at` ends; nil if there is none.
local function skipped(text, at, is_lua)
  local function past(pattern) return select(2, text:find(pattern, at)) end
  local c, two = text:sub(at, at), text:sub(at, at + 1)
  if is_lua then
    local level = text:match("^%-?%-?%[(=*)%[", at)
    if level and (two == "--" or c == "[") then return past("%]" .. level .. "%]") end
    if two == "--" then return past "[^\n]*" end
  else
    if two == "//" then return past "[^\n]*" end
    if two == "/*" then return past "%*/" end
    if c == "#" then
      local last = past "[^\n]*"
      while text:sub(last, last) == "\\" do last = select(2, text:find("[^\n]*", last + 2)) end
      return last
    end
  end
  if c ~= '"' and c ~= "'" then return nil end
  local i = at + 1
  while i < #text and text:sub(i, i) ~= c do i = i + (text:sub(i, i) == "\\" and 2 or 1) end
  return i
end

-- The end of a text without effect that begins at `at`, or nil. C ignores the length of a parameter
-- that is declared as an array, in parentheses and outside of braces. In Lua, check.noMore tests
-- again whether there are further arguments: testing before it only saves time.
local function needless(text, at, is_lua, depth)
  if is_lua then
    return select(2, text:find('^select%("#", %.%.%.%) > 0 then check%.noMore', at))
  end
  return depth["{"] == 0 and depth["("] > 0 and select(2, text:find("^%[[^%]]*%]", at)) or nil
end

local CLOSED = { ["}"] = "{", [")"] = "(" }

-- Counts the braces and parentheses that are open after a token.
local function count_open(depth, token)
  if depth[token] then depth[token] = depth[token] + 1 end
  local opener = CLOSED[token]
  if opener then depth[opener] = depth[opener] - 1 end
end

-- All tokens of a file that can be swapped: { first, last, what they become }.
local function tokens_of(path, text)
  local is_lua, found, at = path:find "%.lua$", {}, 1
  local depth = { ["{"] = 0, ["("] = 0 }
  if not is_lua then text = text:gsub('extern "C" {', 'extern "C"  ') end
  while at <= #text do
    local last = skipped(text, at, is_lua) or needless(text, at, is_lua, depth)
    local two = text:sub(at, at + 1)
    if not last then
      local word = text:match("^[%a_][%w_]*", at) or text:match("^%d[%w_.]*", at)
      local token = word or ((TWO[two] or OTHER[two]) and two) or text:sub(at, at)
      last = at + #token - 1
      count_open(depth, token)
      local to = SWAPS[token]
      if is_lua and to == "!=" then to = "~=" end
      if token:find "^%d+$" then to = ("%d"):format(token + 1) end
      -- A star right before a name mostly belongs to a pointer.
      if token == "*" and not text:find("^ ", last + 1) then to = nil end
      if to then found[#found + 1] = { at, last, to } end
    end
    at = last + 1
  end
  return found
end

-- A generator of its own, so that a seed gives the same faults everywhere.
local function picker(state)
  return function(n)
    state = (state * 48271) % 2147483647
    return state % n + 1
  end
end

local function line_at(text, at)
  local _, number = text:sub(1, at - 1):gsub("\n", "")
  local first = text:sub(1, at - 1):match ".*\n()" or 1
  return number + 1, at - first + 1, text:match("[^\n]*", first):match "^%s*(.-)%s*$"
end

local function choose()
  local pick, files, faults, taken = picker(seed), {}, {}, {}
  for path in io.popen("git ls-files csrc lua | grep -E '\\.(c|h|lua)$' | grep -v types"):lines() do
    local text = read(path)
    for _, token in ipairs(tokens_of(path, text)) do files[#files + 1] = { path, text, token } end
  end
  while #faults < count do
    local i = pick(#files)
    if not taken[i] then
      taken[i] = true
      local path, text, token = files[i][1], files[i][2], files[i][3]
      local number, column, line = line_at(text, token[1])
      local change = ("%s -> %s: %s"):format(text:sub(token[1], token[2]), token[3], line)
      faults[#faults + 1] = { path = path, line = line, change = change,
        name = ("%s:%d:%d: %s"):format(path, number, column, change),
        text = text:sub(1, token[1] - 1) .. token[3] .. text:sub(token[2] + 1) }
    end
  end
  return faults
end

-- The lines of spec/tools/listed_mutants, as { ["file: line"] = true }, for all faults in the line,
-- or { ["file: token -> token: line"] = true }. Other lines are the reasons.
local function listed()
  local lines = {}
  for line in io.lines "spec/tools/listed_mutants" do lines[line] = true end
  return lines
end

local NO_FAULT = "no fault"

-- Words of file names that stand for others in the names of tests.
local KIN = { queries = "query find answers casts", save = "snapshot pack hash", tiles = "narrow",
  shape = "geom", move = "character", turn = "carry", walk = "character", grids = "cells maps",
  pack = "snapshot", restore = "snapshot", edit = "fresh", trees = "find", step = "bullets" }

-- The words of a path, without its first folder and its ending.
local function words_of(path, kin)
  local words = {}
  for word in path:match "^%a+/(.*)%.%a+$":gmatch "%a+" do
    words[word] = true
    for other in (kin[word] or ""):gmatch "%a+" do words[other] = true end
  end
  return words
end

-- The tests whose names are most like the path: they share words that few tests have.
local function kin_of(path, tests)
  local words, kin, likeness, having = words_of(path, KIN), {}, {}, {}
  for _, test in ipairs(tests) do
    for word in pairs(words_of(test, {})) do having[word] = (having[word] or 0) + 1 end
  end
  for i, test in ipairs(tests) do
    local sum = 0
    for word in pairs(words_of(test, {})) do sum = sum + (words[word] and 1 / having[word] or 0) end
    if sum > 0 then kin[#kin + 1], likeness[test] = test, sum - i * 1e-9 end
  end
  table.sort(kin, function(a, b) return likeness[a] > likeness[b] end)
  return table.concat(kin, " ", 1, math.min(#kin, 12))
end

-- The results in the log: { [name] = "found" or "not found" }.
local function judged(log)
  local verdicts = {}
  for line in io.lines(log) do
    local verdict, name = line:match "^([%a ]-), %d+ s: (.*)$"
    if verdict then verdicts[name] = verdict end
  end
  return verdicts
end

-- Tests all faults that are not in the log, `jobs` at a time, each job in a copy of its own.
local function run(faults, dir, known)
  local tests, numbers, init = {}, {}, "lua/collide/init.lua"
  -- The last one is no fault, to see that all tests pass without one.
  faults[#faults + 1] = { path = init, name = NO_FAULT, text = read(init) }
  for path in io.popen("git ls-files 'spec/c/*_*.c' '*_spec.lua'"):lines() do
    tests[#tests + 1] = path
  end
  for i, fault in ipairs(faults) do
    if not known[fault.name] then
      numbers[#numbers + 1] = i
      local about = ("%s/%d"):format(dir, i)
      write(about .. ".planted", fault.text)
      write(about .. ".fault", ("%s\n%s\n%s\n"):format(
        fault.path, kin_of(fault.path, tests), fault.name))
    end
  end
  write(dir .. "/numbers", table.concat(numbers, "\n") .. "\n")
  -- With that variable, nproc tells each job to use its share of the processors.
  os.execute(("rm -rf %s/copy*; OMP_NUM_THREADS=$(( ($(nproc) + %d - 1) / %d )) " ..
    "xargs -r -a %s/numbers -P %d --process-slot-var=SLOT -n 1 bash spec/tools/mutant %s %s")
    :format(dir, jobs, jobs, dir, jobs, lua, dir))
end

local dir = build .. "/mutants"
os.execute(("mkdir -p %s && touch %s/log"):format(dir, dir))
local faults, known, found, passed, survived, left = choose(), listed(), 0, 0, 0, 0
run(faults, dir, judged(dir .. "/log"))
local verdicts = judged(dir .. "/log")
if verdicts[NO_FAULT] == "found" then
  io.stderr:write(("tests fail without a fault: see %s/%d.out, and remove the log\n"):format(
    dir, #faults))
  os.exit(1)
end
for i = 1, count do
  local fault = faults[i]
  local verdict = verdicts[fault.name]
  if not verdict then left = left + 1
  elseif verdict == "found" then found = found + 1
  elseif verdict == "same" or known[fault.path .. ": " .. fault.line]
    or known[fault.path .. ": " .. fault.change] then passed = passed + 1
  else
    survived = survived + 1
    print("not found: " .. fault.name)
  end
end
print(("%d faults with seed %d: %d found, %d listed, %d not found%s"):format(count, seed,
  found, passed, survived, left > 0 and (", %d not tested"):format(left) or ""))
os.exit(survived + left == 0)
