-- Counts the code: lines and files of each part, the lengths of its lines and functions, and the
-- fraction of lines that are comments. A part that exceeds its limits is marked.
--   lua spec/tools/count.lua

-- A part: its name, how its files are found, and the most lines and files that it may have.
local PARTS = {
  { "csrc without lua", "find csrc -name '*.[ch]' ! -path 'csrc/lua/*'", 24200 },
  { "csrc/lua", "find csrc/lua -name '*.[ch]'", 4800 },
  { "csrc", "find csrc -name '*.[ch]'", 29000, 120 },
  { "lua", "find lua -name '*.lua'", 13000, 60 },
  { ".ci", "find .ci -type f", 2000, 25 },
  { "Makefile", "find Makefile", 400 },
  { "README.md", "find README.md", 250 },
  { "spec", "find spec -name '*.[ch]' -o -name '*.lua' -o -name '*.js' -o -name '*.mk'" },
}

-- The start of the line that ends the function that begins in this line; nil if none begins here.
local function functionOf(path, line)
  if path:find "%.[ch]$" then
    return line:find "^[%a_].*{$" and not line:find "^typedef" and not line:find "^struct"
      and not line:find "^enum" and not line:find "=" and "}" or nil
  end
  local indent, rest = line:match "^(%s*)(.*)$"
  local begins = rest:find "^local function" or rest:find "^function" or rest:find "= function%("
  return begins and not rest:find "end[,)]*$" and indent .. "end" or nil
end

local function isComment(line)
  return line:find "^%s*//" or line:find "^%s*%-%-" or line:find "^%s*#" and not line:find "^#%a"
end

-- The summary of a list of numbers as it grows: their number, their sum, and the largest.
local function tally() return { n = 0, sum = 0, most = 0 } end

local function add(t, number, where)
  t.n, t.sum = t.n + 1, t.sum + number
  if number > t.most then t.most, t.where = number, where end
end

local function mean(t) return t.n > 0 and t.sum / t.n or 0 end

-- Functions within a long string of Lua are in another language, and are not counted.
local function countFile(path, total)
  local number, began, ending, quote = 0, nil, nil, nil
  for line in io.lines(path) do
    number = number + 1
    local _, later = line:gsub("[\128-\191]", "") -- bytes within a character
    if line ~= "" then add(total.lengths, #line - later) end
    if isComment(line) then total.comments = total.comments + 1 end
    if quote then
      if line:find(quote, 1, true) then quote = nil end
    elseif began and line:sub(1, #ending) == ending then
      add(total.functions, number - began + 1, ("%s:%d"):format(path, began))
      began = nil
    elseif not began then
      local level = path:find "%.lua$" and line:match "%[(=+)%[[^%]]*$"
      quote = level and "]" .. level .. "]"
      ending = functionOf(path, line)
      began = ending and number
    end
  end
  total.lines, total.files = total.lines + number, total.files + 1
end

local function of(count, most)
  if not most then return ("%d"):format(count) end
  return ("%d of %d%s"):format(count, most, count > most and " (!)" or "")
end

print("part | lines | files | line: mean | function: mean | longest | comments")
for _, part in ipairs(PARTS) do
  local total = { lines = 0, files = 0, comments = 0, lengths = tally(), functions = tally() }
  local found = assert(io.popen(part[2]))
  for path in found:lines() do countFile(path, total) end
  found:close()
  print(("%s | %s | %s | %.1f | %.1f | %d %s | %.1f %%"):format(part[1], of(total.lines, part[3]),
    of(total.files, part[4]), mean(total.lengths), mean(total.functions), total.functions.most,
    total.functions.where or "", 100 * total.comments / math.max(1, total.lengths.n)))
end
