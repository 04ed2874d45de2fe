-- Writes the core and the binding as one C file and one header, for programs that link collide in:
-- BUILD/single/collide.c and collide.h. Names that belong to one file of csrc/ get the name of the
-- file where two files have them. Loops for AVX2 are left out, since they need files of their own;
-- SSE2 and NEON stay, and every answer is the same to the bit. For Lua 5.4.
--   lua5.4 spec/tools/single.lua BUILD

local build = arg[1]
local LAYERS = { "base", "cells", "bitmap", "geom", "narrow", "broad", "query", "world", "bullets",
  "bump", "lua" }

local HOST = "csrc/lua/host.c"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- Splits C into tokens: blanks, comments, directives' lines, strings, words and signs.
local PATTERNS = { "^%s+", "^//[^\n]*", "^/%*.-%*/", '^"[^"\\]*"', "^'[^'\\]*'", "^[%a_][%w_]*",
  "^%.?%d[%w_.]*", "^%->", "^%.%.%.", "^." }

local function quoted(text, at)
  local mark, i = text:sub(at, at), at + 1
  while text:sub(i, i) ~= mark do i = i + (text:sub(i, i) == "\\" and 2 or 1) end
  return i
end

local function tokens(text)
  local list, at = {}, 1
  while at <= #text do
    local last
    if text:find("^[\"']", at) then
      last = quoted(text, at)
    else
      for _, pattern in ipairs(PATTERNS) do
        last = select(2, text:find(pattern, at))
        if last then break end
      end
    end
    list[#list + 1] = text:sub(at, last)
    at = last + 1
  end
  return list
end

local function isWord(token) return token:find "^[%a_]" ~= nil end

local function isBlank(token) return token:find "^%s" ~= nil or token:find "^//" ~= nil end

-- The index of the next token that is neither blank nor a comment, in the direction `step`.
local function neighbour(list, i, step)
  repeat i = i + step until not list[i] or not isBlank(list[i])
  return i
end

-- How declarations of functions and variables of one file begin, and patterns of the names in them.
local BEGINS = { "^static", "^CL_INLINE", "^CL_SELDOM", "^CL_WIDE" }
local DECLARES = { "^[^=]-([%w_]+)%(", "([%w_]+) =", "([%w_]+)%[[^=]* =", "([%w_]+)%[[^%]]*%];" }

-- Patterns of lines that name a type.
local TYPES = { "^typedef struct ([%w_]+)", "^typedef .-%(%*([%w_]+)%)", "^typedef .- ([%w_]+);$",
  "^typedef .- ([%w_]+)%(", "^struct ([%w_]+) {", "^union ([%w_]+) {", "^} ([%w_]+);" }

-- The names that a file has at file scope: macros, static functions and variables, types, tags,
-- enumerators. Those that begin with cl_ or cll_ belong to all files.
local function ownNames(text)
  local names = {}
  local function add(name)
    if name and not name:lower():find "^cll?_" then names[name] = true end
  end
  local function addAll(line, pattern)
    if pattern:find "^%^" then return add(line:match(pattern)) end
    for name in line:gmatch(pattern) do add(name) end
  end
  local code = "\n" .. text
  addAll(code, "\n#%s*define ([%w_]+)")
  for line in code:gmatch "\n([%a_}][^\n]*)" do
    for _, begin in ipairs(BEGINS) do
      for _, pattern in ipairs(line:find(begin) and DECLARES or {}) do addAll(line, pattern) end
    end
    for _, pattern in ipairs(TYPES) do addAll(line, pattern) end
  end
  for body in code:gmatch "\n[%w ]*enum [%w_]*%s*(%b{})" do
    addAll("," .. body:sub(2, -2):gsub("//[^\n]*", ""), ",%s*([%a_][%w_]*)")
  end
  return names
end

-- The words before the braces of a record, with or without a tag.
local RECORD = { struct = true, union = true }

-- Macros that take the names of members.
local TAKES_MEMBERS = { offsetof = true, CL_FIELD = true }

-- The index of the token that closes the parenthesis after token i.
local function closing(list, i)
  local depth = 0
  repeat
    i = i + 1
    depth = depth + (list[i] == "(" and 1 or list[i] == ")" and -1 or 0)
  until depth == 0
  return i
end

-- The text with some names replaced, but not those of members.
local function renamed(text, names)
  local list, depths, depth, from = tokens(text), {}, 0, 1
  for i, token in ipairs(list) do
    if TAKES_MEMBERS[token] and list[i + 1] == "(" then from = closing(list, i) end
    local before, after = list[neighbour(list, i, -1)], list[neighbour(list, i, 1)]
    if token == "{" then
      depth = depth + 1
      local back = neighbour(list, i, -1)
      depths[depth] = list[back] and (RECORD[list[back]] or RECORD[list[neighbour(list, back, -1)]])
    elseif token == "}" then
      depths[depth] = nil
      depth = depth - 1
    elseif i >= from and isWord(token) and names[token] and before ~= "." and before ~= "->" then
      local isMember = depths[depth] and after and after:find "^[;,%[:)]"
      if not isMember then list[i] = names[token] end
    end
  end
  return table.concat(list)
end

-- Reading the sources ------------------------------------------------------------

local headers, sources, isHeader = {}, {}, {}

local function addHeader(path)
  if isHeader[path] then return end
  isHeader[path] = true
  local text = read(path)
  for name in text:gmatch '\n#include "([^"]+)"' do addHeader("csrc/" .. name) end
  headers[#headers + 1] = { path = path, text = text }
end

for _, layer in ipairs(LAYERS) do
  local list = assert(io.popen(("ls csrc/%s/*.c"):format(layer)))
  for path in list:lines() do
    if not path:find "_avx2%.c$" then
      local text = read(path)
      text = text:gsub('#include "([^"]+_kernels%.h)"\n', function(name)
        local body = read("csrc/" .. name)
        for other in body:gmatch '\n#include "([^"]+)"' do addHeader("csrc/" .. other) end
        return body
      end)
      for name in text:gmatch '\n#include "([^"]+)"' do addHeader("csrc/" .. name) end
      sources[#sources + 1] = { path = path, text = text, order = #sources,
        names = ownNames(text) }
    end
  end
  list:close()
end
-- The file that includes the system's headers comes last, since they define names such as near.
table.sort(sources, function(a, b)
  local first, second = a.path == HOST, b.path == HOST
  if first ~= second then return second end
  return a.order < b.order
end)

-- Writing ------------------------------------------------------------------------

-- The number of files that have a name. Headers of systems, which come last, have some too.
local uses = { clock = 1, tell = 1, read = 1, write = 1, open = 1, close = 1, access = 1, link = 1,
  remove = 1, near = 1, far = 1, small = 1, interface = 1, POINT = 1, SIZE = 1 }
for _, header in ipairs(headers) do
  for name in pairs(ownNames(header.text)) do uses[name] = 1 end
end
for _, source in ipairs(sources) do
  for name in pairs(source.names) do uses[name] = (uses[name] or 0) + 1 end
end

local out = { "// collide, MIT licence: the whole library in one file, made by `make single`.\n",
  "#if !defined(_WIN32) && !defined(_GNU_SOURCE)\n#define _GNU_SOURCE\n#endif\n",
  "#define CL_SIMD_MOST 1\n" }

local function write(text)
  out[#out + 1] = (text:gsub('\n#include "[^"]+"', ""))
end

for _, header in ipairs(headers) do
  if header.path ~= "csrc/collide.h" then
    write(header.text:gsub('\n#include "collide%.h"', '\n@PUBLIC@'))
  end
end
for _, source in ipairs(sources) do
  local names = {}
  local suffix = source.path:match "csrc/(.*)%.c$":gsub("/", "_")
  for name in pairs(source.names) do
    if uses[name] > 1 then names[name] = name .. "_" .. suffix end
  end
  write(("\n// %s\n"):format(source.path) .. renamed(source.text, names))
  for name in source.text:gmatch "\n#define ([%w_]+)" do
    out[#out + 1] = ("#undef %s\n"):format(names[name] or name)
  end
end

os.execute(("mkdir -p '%s/single'"):format(build))
local function save(name, text)
  local file = assert(io.open(("%s/single/%s"):format(build, name), "wb"))
  file:write(text)
  file:close()
end
save("collide.h", read "csrc/collide.h")
save("collide.c", (table.concat(out):gsub("@PUBLIC@", '#include "collide.h"')))
