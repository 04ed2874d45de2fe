-- Checks the rules of this project that no other tool knows: which layer includes which, that files
-- form no cycles, neither by includes nor by calls, where Lua and LÖVE may be named, how loops go
-- through tables, that no loop's variable is assigned, and that the rockspec and the READMEs name
-- files that exist. For Lua 5.4.
--   spec/tools/rules.lua TREE           a build of Lua 5.4, whose symbols show the calls
--   spec/tools/rules.lua loops FOLDER   only the variables of loops in its Lua files; for every Lua

package.path = "./?.lua;" .. package.path
local luaparser = require "spec.support.luaparser"

-- Each layer of csrc/ may include itself and these.
local MAY_INCLUDE = {
  base = {},
  cells = { "base" },
  bitmap = { "base" },
  geom = { "base", "cells", "bitmap" },
  narrow = { "base", "cells", "bitmap", "geom" },
  broad = { "base", "cells", "bitmap", "geom", "narrow" },
  query = { "base", "cells", "bitmap", "geom", "narrow", "broad" },
  world = { "base", "cells", "bitmap", "geom", "narrow", "broad", "query" },
  bullets = { "base", "cells", "bitmap", "geom", "narrow", "broad", "query", "world" },
  bump = { "base" },
  lua = { "base", "cells", "bitmap", "geom", "narrow", "broad", "query", "world", "bullets",
    "bump" },
}

-- Functions that the core never calls; those of memory only in csrc/base/alloc.c.
local FORBIDDEN = {
  "printf", "fprintf", "puts", "abort", "exit", "malloc", "calloc", "realloc", "free",
}

-- The files that may name vector instructions, and patterns that find such names.
local INTRINSICS_IN = {
  ["csrc/base/simd.h"] = true, ["csrc/broad/hgrid_kernels.h"] = true,
}
local INTRINSICS = {
  "%f[%w_]_mm%d*_%w+", "%f[%w_]__m%d+[id]?%f[^%w]", "[%w]*mmintrin%.h", "%f[%w_]arm_neon%.h",
  "%f[%w_]%w+x%d_t%f[^%w]", "%f[%w_]v%w+q?_[fsu]%d+%s*%(",
}

-- The one header for extensions that not every compiler has, and patterns that find extensions.
local EXTENSIONS_IN = "csrc/base/config.h"
local EXTENSIONS = {
  "__attribute__", "__builtin_", "__extension__", "__declspec", "%f[%w_]_*typeof_*%f[^%w_]",
  "%f[%w_]__int128", "%f[%w_]_*asm_*%s*[%(v]", "%f[%w_]__inline", "%f[%w_]__restrict",
  "%(%s*{[^}]*;", "%f[%w_]case%s+[^:]*%.%.%.", "%[[^%]]*%.%.%.[^%]]*%]", "%?%s*:",
  -- Features of C11 that MSVC lacks.
  "%[%s*static%f[^%w_]", "%f[%w_]_Atomic%f[^%w_]", "%f[%w_]_Complex%f[^%w_]", "stdatomic%.h",
  "threads%.h", "%f[%w_]aligned_alloc%f[^%w_]",
}

local complaints = 0

local function complain(path, line, text)
  complaints = complaints + 1
  print(("%s%s: %s"):format(path, line and ":" .. line or "", text))
end

local function filesOf(folder, pattern)
  local files = {}
  local find = assert(io.popen(("find %s -type f -name '%s'"):format(folder, pattern)))
  for path in find:lines() do files[#files + 1] = path end
  find:close()
  table.sort(files)
  return files
end

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Iterates over the lines of a text, with their numbers.
local function lines(text)
  local number = 0
  local next = text:gmatch("([^\n]*)\n")
  return function()
    number = number + 1
    local line = next()
    if line then return number, line end
  end
end

local function contains(list, value)
  for _, v in ipairs(list) do
    if v == value then return true end
  end
  return false
end

local function checkInclude(path, number, layer, included)
  if included:match("^lua") or included == "lauxlib.h" then
    if layer ~= "lua" then complain(path, number, "a Lua header outside csrc/lua") end
    return
  end
  local from = included:match("^(%w+)/")
  if MAY_INCLUDE[from] and from ~= layer and not contains(MAY_INCLUDE[layer], from) then
    complain(path, number, ("%s may not include %s"):format(layer, included))
  end
end

-- The header for programs in C includes no other header of the project. The core includes it in one
-- place, where its symbols are hidden.
local PUBLIC, PUBLIC_FROM = "csrc/collide.h", "csrc/base/config.h"

local function checkPublic()
  for number, line in lines(contents(PUBLIC)) do
    if line:find('^%s*#%s*include%s*"') then
      complain(PUBLIC, number, "includes a header of ours")
    end
  end
end

-- Checks that base/config.h comes before every header that is not ours: each file includes one of
-- ours first, and the only one without is config.h.
local FIRST = { ["csrc/base/config.h"] = true, [PUBLIC] = true }

local function checkFirst(path, text)
  local included = ("\n" .. text):match('\n%s*#%s*include%s*([^%s]+)')
  if not FIRST[path] and (not included or included:sub(1, 1) == "<") then
    complain(path, nil, "does not include a header of ours first, and so base/config.h")
  end
end

local function checkCore()
  for _, path in ipairs(filesOf("csrc/*/", "*.[ch]")) do
    local layer = path:match("^csrc/(%w+)/")
    local text = contents(path)
    if not MAY_INCLUDE[layer] then complain(path, nil, "not in a layer") end
    if not text:find("^// collide, MIT licence %(see LICENSE%)\n//\n") then
      complain(path, 1, "no licence line")
    end
    if not text:find("Layer: " .. layer .. ".", 1, true) then
      complain(path, nil, ("does not say 'Layer: %s.' in its first comment"):format(layer))
    end
    checkFirst(path, text)
    for number, line in lines(text) do
      local included = line:match('^%s*#%s*include%s*["<]([^">]+)[">]')
      if included then checkInclude(path, number, layer, included) end
      if included == "collide.h" and path ~= PUBLIC_FROM then
        complain(path, number, "only " .. PUBLIC_FROM .. " includes " .. included)
      end
      local code = line:gsub("//.*", ""):gsub('"[^"]*"', '""')
      for _, pattern in ipairs(INTRINSICS_IN[path] and {} or INTRINSICS) do
        if code:find(pattern) then
          complain(path, number, "vector instructions outside of base/simd.h")
        end
      end
      for _, pattern in ipairs(path == EXTENSIONS_IN and {} or EXTENSIONS) do
        if code:find(pattern) then
          complain(path, number, "not every compiler has it: see " .. EXTENSIONS_IN)
        end
      end
      if code:find("%f[%w_]qsort%s*%(") then
        complain(path, number, "qsort may take memory: see base/alloc.h")
      end
      for _, name in ipairs(layer == "lua" and {} or FORBIDDEN) do
        if path ~= "csrc/base/alloc.c" and code:find("%f[%w_]" .. name .. "%s*%(") then
          complain(path, number, "calls " .. name)
        end
      end
    end
  end
end

-- Calls that read the next value of a stream, or raise errors about arguments: C does not define in
-- which order it evaluates arguments, initialisers and operands, so each takes its own statement.
local READS = {
  ["csrc/lua/"] = {
    "luaL_check[%w_]*%(", "luaL_opt[%w_]*%(", "cll_check[%w_]*%(", "cll_number%(", "cll_whole%(",
    "check_[%w_]*%(", "read%(",
  },
  cl_archive = { "[%a_][%w_]*%(&?a[,)]", "a%.next" },
}
local NO_READS = { ["cl_archive_check("] = true, ["cl_archive_note("] = true }

-- The reads in a text that are in no other read: what is inside the parentheses of each.
local function readsIn(text, patterns)
  local reads, at = {}, 1
  while true do
    local first, last
    for _, pattern in ipairs(patterns) do
      local i, k = text:find("%f[%w_]" .. pattern, at)
      if i and (not first or i < first) then first, last = i, k end
    end
    if not first then return reads end
    local name = text:sub(first, last):match("^[^(]*%(?")
    local open = text:find("(", first, true)
    local inside = open and open <= last and text:match("^%b()", open)
    if NO_READS[name] then
      at = last + 1
    else
      reads[#reads + 1] = inside or ""
      at = inside and open + #inside or last + 1
    end
  end
end

-- Whether two reads of an expression may be made in either order. &&, || and ? come before what
-- follows them.
local function isUnordered(text, patterns)
  for part in (text:gsub("&&", ";"):gsub("||", ";"):gsub("[?:]", ";") .. ";"):gmatch("[^;]*") do
    local reads = readsIn(part, patterns)
    if #reads > 1 then return true end
    if reads[1] and isUnordered(reads[1]:sub(2, -2), patterns) then return true end
  end
  return false
end

-- Iterates over the expressions of a text: statements, and declarators on their own, with the
-- numbers of their last lines. A brace after a blank, but not after = or a comma, begins a block.
local function expressions(text)
  return coroutine.wrap(function()
    local depth, from, number = 0, 1, 1
    for i = 1, #text do
      local c = text:sub(i, i)
      if c == "\n" then number = number + 1 end
      local isBlock = c == "{" and text:sub(1, i - 1):match("([=,({]?)%s+$") == ""
      if c == "(" or c == "[" or c == "{" and not isBlock then depth = depth + 1 end
      if (c == ")" or c == "]" or c == "}") and depth > 0 then
        depth = depth - 1
      elseif isBlock or c == "}" or depth == 0 and (c == "," or c == ";") then
        coroutine.yield(number, text:sub(from, i - 1))
        from = i + 1
      end
    end
  end)
end

local function checkOrder()
  for _, path in ipairs(filesOf("csrc", "*.[ch]")) do
    local text = contents(path):gsub("//[^\n]*", ""):gsub('"[^"\n]*"', '""')
    text = text:gsub("\n%s*#[^\n]*", "\n")
    for where, patterns in pairs(READS) do
      local reads = where == "cl_archive" and text:find "cl_archive %*?a%f[^%w]"
      if reads or path:find(where, 1, true) then
        for number, expression in expressions(text) do
          if isUnordered(expression, patterns) then
            complain(path, number, "reads in an order that C leaves open: one statement a read")
          end
        end
      end
    end
  end
end

-- The types that a text of C defines.
local function typesOf(text)
  local types = {}
  for name in text:gmatch("\n} (cl_[%w_]+);") do types[name] = true end
  return types
end

-- A type name must be unique: two types of the same name mislead, even if no file includes both.
local function checkTypes()
  local definedIn = {}
  for _, path in ipairs(filesOf("csrc", "*.[ch]")) do
    for name in pairs(typesOf(contents(path))) do
      if definedIn[name] then
        complain(path, nil, ("%s is a type of %s too"):format(name, definedIn[name]))
      end
      definedIn[name] = path
    end
  end
end

-- For each file of a layer: the files that it includes, without extensions.
local function includesOf(layer)
  local includes = {}
  for _, path in ipairs(filesOf("csrc/" .. layer, "*.[ch]")) do
    local name = path:match("([^/]+)%.[ch]$")
    includes[name] = includes[name] or {}
    for included in contents(path):gmatch('\n%s*#%s*include%s*"([^"]+)%.h"') do
      local own = included:match("^" .. layer .. "/(.*)") or included
      if own ~= name then table.insert(includes[name], own) end
    end
  end
  return includes
end

-- A cycle that can be reached from a file, as text, or nil. `way` lists the files that lead to it,
-- `done` has files that lead to no cycle.
local function findCircle(uses, name, way, done)
  for i, passed in ipairs(way) do
    if passed == name then return table.concat(way, " -> ", i) .. " -> " .. name end
  end
  if done[name] or not uses[name] then return nil end
  way[#way + 1] = name
  for _, used in ipairs(uses[name]) do
    local circle = findCircle(uses, used, way, done)
    if circle then return circle end
  end
  way[#way] = nil
  done[name] = true
end

-- Checks that files of a layer form no cycle, where `uses` has for each file those that it uses.
local function checkCircle(layer, uses, how)
  local names, done = {}, {}
  for name in pairs(uses) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local circle = findCircle(uses, name, {}, done)
    if circle then
      return complain("csrc/" .. layer, nil, ("files in a circle of %s: %s"):format(how, circle))
    end
  end
end

-- A header and the source of the same name count as one file.
local function checkIncludes()
  for layer in pairs(MAY_INCLUDE) do checkCircle(layer, includesOf(layer), "includes") end
end

-- Calls from file to file, by the symbols of a build's objects: calls by pointer do not count.
local function checkCalls(tree)
  local definedIn, wants = {}, {}
  for _, object in ipairs(filesOf(("%s/c/csrc %s/c/lua5.4"):format(tree, tree), "*.o")) do
    local layer, name = object:match("([^/]+)/([^/]+)%.o$")
    local file = { layer = layer == "lua5.4" and "lua" or layer, name = name, symbols = {} }
    wants[#wants + 1] = file
    local nm = assert(io.popen("nm " .. object))
    for line in nm:lines() do
      local kind, symbol = line:match("(%a) ([%w_.]+)$")
      if kind == "U" then table.insert(file.symbols, symbol) end
      if kind == "T" or kind == "D" or kind == "R" then definedIn[symbol] = file end
    end
    nm:close()
  end
  if #wants == 0 then complain(tree, nil, "no objects") end
  local uses = {}
  for _, file in ipairs(wants) do
    local used = {}
    for _, symbol in ipairs(file.symbols) do
      local from = definedIn[symbol]
      if from and from.layer == file.layer then used[#used + 1] = from.name end
    end
    uses[file.layer] = uses[file.layer] or {}
    uses[file.layer][file.name] = used
  end
  for layer, files in pairs(uses) do checkCircle(layer, files, "calls") end
end

-- In a layer, functions of two files do not share a name, though C would allow it for static ones.
local function checkNames()
  for layer in pairs(MAY_INCLUDE) do
    local definedIn = {}
    for _, path in ipairs(filesOf("csrc/" .. layer, "*.c")) do
      for number, line in lines(contents(path)) do
        local name = line:match("^static [^=;]-([%w_]+)%(")
        if name and definedIn[name] and definedIn[name] ~= path then
          complain(path, number, ("%s is a function of %s too"):format(name, definedIn[name]))
        end
        if name then definedIn[name] = path end
      end
    end
  end
end

-- The only files outside of examples/love that may name LÖVE: the second finds the core in a game,
-- the third asks for the files of maps.
local NAMES_LOVE = { ["lua/collide/love.lua"] = true, ["lua/collide/relative.lua"] = true,
  ["lua/collide/tiled/files.lua"] = true }

local function checkLove()
  for _, folder in ipairs { "lua", "examples/scenes", "csrc" } do
    for _, path in ipairs(filesOf(folder, "*.*")) do
      if not NAMES_LOVE[path] and not path:find "%.md$" then
        for number, line in lines(contents(path)) do
          -- Comments may name it.
          local code = line:gsub(folder == "csrc" and "//.*" or "%-%-.*", "")
          if code:find("%f[%w]love%f[%W]") then
            complain(path, number, "names love: only love.lua, relative.lua, tiled/files.lua "
              .. "and examples/love may")
          end
        end
      end
    end
  end
end

-- Files require each other by collide.relative, all but the program `collide`.
local function checkRequires()
  for _, path in ipairs(filesOf("lua", "*.lua")) do
    local isRelative = path == "lua/collide/relative.lua" or path == "lua/collide/scene/main.lua"
    for number, line in lines(contents(path)) do
      local code = line:gsub("%-%-.*", "")
      isRelative = isRelative or code:find "^local re%l+ = require.*relative"
      if not isRelative and code:find "%f[%w]require%f[%W]" then
        complain(path, number, "requires others before collide.relative")
        break
      end
    end
  end
end

-- A game may ship without the folder scene, so no file outside requires it, except for those that
-- show what a test or a film has.
local SCENE_METHODS = {
  random = true, uniform = true, sin = true, cos = true, down = true, pressed = true,
}
local SHOWS = { ["lua/collide/assertions.lua"] = true, ["lua/collide/film/page.lua"] = true,
  ["lua/collide/film/failures.lua"] = true }

local function checkScene()
  for _, path in ipairs(filesOf("lua", "*.lua")) do
    if not path:find("^lua/collide/scene/") and not SHOWS[path] then
      for number, line in lines(contents(path)) do
        if line:gsub("%-%-.*", ""):find('"collide%.scene') then
          complain(path, number, "names collide.scene: a game may ship without it")
        end
      end
    end
  end
end

-- Names that were changed before the first release.
local OLD_NAMES = {
  "setHits", ":contact%(", "collide%.Pool%f[^%w]", "[{%s]hits = {%s*{ ?[\"']", "hit%.col%f[^%w]",
  "actor%.save%f[^%w]", "actor%.load%f[^%w]",
}

-- The methods of scenes are called with a colon, and no old name is left, in code and in documents.
local function checkNamesInUse()
  local files = filesOf("lua examples spec", "*.lua")
  for _, path in ipairs { "README.md", "examples/README.md", "examples/cookbook.md",
    "examples/reference.md" } do
    files[#files + 1] = path
  end
  for _, path in ipairs(files) do
    for number, line in lines(contents(path)) do
      local name = line:match "%f[%w]scene%.(%l+) ?[(\"]"
      if SCENE_METHODS[name] then complain(path, number, "a dot in place of scene:" .. name) end
      for _, old in ipairs(path == "spec/tools/rules.lua" and {} or OLD_NAMES) do
        if line:find(old) then complain(path, number, "an old name, as in " .. line:match(old)) end
      end
    end
  end
end

-- Checks that loops use collide.each. The reason is in lua/collide/each.lua.
local function checkLoops()
  for _, path in ipairs(filesOf("lua", "*.lua")) do
    for number, line in lines(contents(path)) do
      local name = line:gsub("%-%-.*", ""):match("%f[%w]in%s+(%w+)")
      if name == "pairs" or name == "next" then
        complain(path, number, "loops over " .. name .. ": take that of collide.each")
      end
    end
  end
end

-- Complains about assignments to variables of loops, which Lua 5.5 refuses. `names` says of each
-- name that the node sees whether it belongs to a loop.
local function checkVariables(path, node, names)
  local inner = names
  if node.kind == "for" or node.kind == "function" then
    inner = setmetatable({}, { __index = names })
    for _, name in ipairs(node.names or node.params) do inner[name] = node.kind == "for" end
  elseif not node.kind then
    inner = setmetatable({}, { __index = names }) -- a block
    for _, part in ipairs(node) do
      if type(part) == "table" then checkVariables(path, part, inner) end
    end
  end
  for _, target in ipairs(node.kind == "assign" and node.targets or {}) do
    if target.kind == "name" and names[target.name] then
      complain(path, target.line, ("assigns %s, the variable of a loop"):format(target.name))
    end
  end
  for key, part in pairs(node) do
    if type(key) == "string" and type(part) == "table" then checkVariables(path, part, inner) end
  end
  for _, name in ipairs(node.kind == "local" and node.names or {}) do names[name] = false end
end

-- The parser knows the words that Lua 5.5 reserves, so that each file is also valid in Lua 5.5.
local function checkSources(...)
  for _, folder in ipairs { ... } do
    for _, path in ipairs(filesOf(folder, "*.lua")) do
      local parsed, block = pcall(luaparser.parse, contents(path))
      if parsed then checkVariables(path, block, {}) else complain(path, nil, block) end
    end
  end
end

-- The tables that the rockspec sets.
local function rockspec(path)
  local spec = {}
  assert(loadfile(path, "t", spec))()
  return spec
end

-- Complains about listed names that do not exist, and about existing names that are not listed.
local function compare(path, listed, present)
  table.sort(listed)
  for _, name in ipairs(listed) do
    if not contains(present, name) then complain(path, nil, name .. " is listed and not there") end
  end
  for _, name in ipairs(present) do
    if not contains(listed, name) then complain(path, nil, name .. " is not listed") end
  end
end

local function checkRockspec()
  local path = "rockspec/collide-scm-1.rockspec"
  local listed, sources = {}, {}
  for name, module in pairs(rockspec(path).build.modules) do
    if type(module) == "string" then
      listed[#listed + 1] = module
      local expected = "lua/" .. name:gsub("%.", "/")
      if module ~= expected .. ".lua" and module ~= expected .. "/init.lua" then
        complain(path, nil, ("module %s is in %s"):format(name, module))
      end
    else
      for _, source in ipairs(module.sources) do sources[#sources + 1] = source end
    end
  end
  compare(path, listed, filesOf("lua", "*")) -- LuaRocks installs whatever is there
  compare(path, sources, filesOf("csrc", "*.c"))
end

-- The anchors that GitHub makes of a document's headings.
local function anchorsOf(text)
  local anchors = {}
  for _, line in lines(text) do
    local heading = line:match("^#+%s+(.*)")
    if heading then
      local anchor = heading:lower():gsub("Ö", "ö"):gsub("[^%w%s_\128-\255-]", ""):gsub("%s", "-")
      anchors[anchor] = true
    end
  end
  return anchors
end

local function isFile(path)
  local file = io.open(path, "rb")
  return file and file:close()
end

-- Checks that every link of a README leads to one of its headings, or to an existing file with that
-- heading. So the walk through the core in csrc/README.md names only files that exist.
local function checkReadme(readme)
  local text, folder = contents(readme), readme:match("^(.*/)[^/]*$") or ""
  for number, line in lines(text) do
    for path, anchor in line:gmatch("%]%(([%w_./-]*)#?([^):]*)%)") do
      local target = path == "" and readme or folder .. path
      if not isFile(target) then
        complain(readme, number, "no file " .. path)
      elseif anchor ~= "" and not anchorsOf(contents(target))[anchor] then
        complain(readme, number, ("no heading in %s for #%s"):format(target, anchor))
      end
    end
    -- The text of a link to csrc is its target.
    for name, path in line:gmatch("%[`csrc/([^`]*)`%]%(([^)]*)%)") do
      if readme == "csrc/README.md" and name ~= path then
        complain(readme, number, ("csrc/%s leads to %s"):format(name, path))
      end
    end
  end
end

-- The tables with weak keys, and why no value of theirs can reach its key: on Lua 5.1 and LuaJIT
-- such a value would keep it alive forever. Weak values alone, and both weak, are harmless.
local WEAK_KEYS = {
  ["lua/collide/world/queries.lua"] = 1, -- the distances of `nearest`: numbers
  ["lua/collide/move/init.lua"] = 1, -- the set of worlds: true
  ["lua/collide/scene/moment.lua"] = 1, -- the forms of shapes: strings
  ["lua/collide/ffi/fields.lua"] = 1, -- functions that hold the names of fields
  ["lua/collide/world/ignores.lua"] = 1, -- lists with weak values, and such tables of those
  ["lua/collide/world/reader.lua"] = 2, -- functions with the names of fields; names of parts
  ["lua/collide/binding.lua"] = 1, -- userdata, which hold no pointers to themselves
  ["lua/collide/canvas.lua"] = 1, -- numbers
}

local function checkWeakTables()
  for _, path in ipairs(filesOf("lua", "*.lua")) do
    local found = select(2, contents(path):gsub("__mode%s*=%s*[\"']k[\"']", ""))
    if found ~= (WEAK_KEYS[path] or 0) then
      complain(path, nil, ("%d tables with weak keys; spec/tools/rules.lua lists %d"):format(found,
        WEAK_KEYS[path] or 0))
    end
  end
end

if arg[1] == "loops" then
  checkSources(arg[2])
  os.exit(complaints == 0 and 0 or 1)
end
checkCalls(arg[1])
checkNames()
checkWeakTables()
checkCore()
checkOrder()
checkPublic()
checkTypes()
checkIncludes()
checkLove()
checkRequires()
checkScene()
checkNamesInUse()
checkLoops()
checkSources("lua", "examples", "spec")
checkRockspec()
checkReadme("README.md")
checkReadme("examples/cookbook.md")
checkReadme("examples/reference.md")
checkReadme("spec/bench/README.md")
checkReadme("csrc/README.md")
checkReadme("examples/README.md")
checkReadme("spec/README.md")
os.exit(complaints == 0 and 0 or 1)
