-- Plants random faults of one token in csrc and lua, one at a time, each in a copy of the sources,
-- and runs `make test` there. A fault that no test finds is printed: it needs a test, or the code
-- does not need what it changed, or spec/tools/listed_mutants lists it, with the reason why no
-- answer changes.
--   lua spec/tools/mutants.lua BUILD COUNT SEED JOBS
local build, count, seed, jobs = arg[1], tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])

-- What a token may become. Numbers become the next one.
local SWAPS = {
  ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">",
  ["=="] = "!=", ["!="] = "==", ["~="] = "==",
  ["+"] = "-", ["-"] = "+", ["*"] = "+",
  ["&&"] = "||", ["||"] = "&&", ["and"] = "or", ["or"] = "and",
  ["true"] = "false", ["false"] = "true",
  cl_min = "cl_max", cl_max = "cl_min", min = "max", max = "min",
}
local TWO = { ["<="] = 1, [">="] = 1, ["=="] = 1, ["!="] = 1, ["~="] = 1, ["&&"] = 1, ["||"] = 1 }
-- Two signs that mean something else: they are left alone.
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

-- Where what says nothing ends that begins at `at`; nil if it does not. C ignores how long a
-- parameter is that is declared as an array: outside of braces, that is in parentheses. In Lua,
-- check.noMore asks again whether there are further arguments: asking before it only saves time.
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
      -- A star right before a name is mostly a pointer's.
      if token == "*" and not text:find("^ ", last + 1) then to = nil end
      if to then found[#found + 1] = { at, last, to } end
    end
    at = last + 1
  end
  return found
end

-- A generator of its own, so that a seed means the same faults everywhere.
local function picker(state)
  return function(n)
    state = (state * 48271) % 2147483647
    return state % n + 1
  end
end

local function line_at(text, at)
  local _, number = text:sub(1, at - 1):gsub("\n", "")
  local first = text:sub(1, at - 1):match ".*\n()" or 1
  return number + 1, text:match("[^\n]*", first):match "^%s*(.-)%s*$"
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
      local number, line = line_at(text, token[1])
      faults[#faults + 1] = { path = path, line = line,
        name = ("%s:%d: %s -> %s: %s"):format(
          path, number, text:sub(token[1], token[2]), token[3], line),
        text = text:sub(1, token[1] - 1) .. token[3] .. text:sub(token[2] + 1) }
    end
  end
  return faults
end

-- The lines of spec/tools/listed_mutants, as { ["file: line"] = true }. Others are the reasons.
local function listed()
  local lines = {}
  for line in io.lines "spec/tools/listed_mutants" do lines[line] = true end
  return lines
end

-- Starts `jobs` copies of the sources, each with a build, and plants every fault in one of them.
local function run(faults)
  local dir = build .. "/mutants"
  os.execute(("rm -rf %s && mkdir -p %s"):format(dir, dir))
  local shell = { "set -u" }
  for j = 1, jobs do
    local copy = ("%s/%d"):format(dir, j)
    shell[#shell + 1] = ("(mkdir %s && git ls-files -z | xargs -0 cp --parents -t %s && cd %s")
      :format(copy, copy, copy)
    for i = j, #faults, jobs do
      local path = faults[i].path
      write(("%s/%d.planted"):format(dir, i), faults[i].text)
      shell[#shell + 1] = ("cp %s keep && cp ../%d.planted %s"):format(path, i, path)
      shell[#shell + 1] =
      ("FAIL_FAST=1 timeout 600 make test CC='ccache gcc' >../%d.log 2>&1"):format(i)
      shell[#shell + 1] = "echo $? >../" .. i .. ".exit"
      shell[#shell + 1] = ("cp keep %s"):format(path)
    end
    shell[#shell + 1] = ") &"
  end
  shell[#shell + 1] = "wait"
  write(dir .. "/run.sh", table.concat(shell, "\n") .. "\n")
  os.execute("bash " .. dir .. "/run.sh")
  return dir
end

local faults = choose()
local dir, known, found, passed, survived = run(faults), listed(), 0, 0, 0
for i, fault in ipairs(faults) do
  local status = tonumber((read(("%s/%d.exit"):format(dir, i))))
  if status ~= 0 then found = found + 1
  elseif known[fault.path .. ": " .. fault.line] then passed = passed + 1
  else
    survived = survived + 1
    print("not found: " .. fault.name)
  end
end
print(("%d faults with seed %d: %d found, %d listed, %d not found")
  :format(count, seed, found, passed, survived))
os.exit(survived == 0)
