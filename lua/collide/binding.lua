-- Loads the core, and checks that it was built for the running Lua and has the version of these
-- Lua files. Under LuaJIT it also gives pointers into the core's memory; both sides must agree on
-- the layout of that memory to the byte.

-- As in csrc/lua/binding.c, which explains them.
local BINDING = 17
local BUILT_FOR = "collide.core for "

local ONE_RELEASE = "; the library (core.so) and the Lua files have to be of one release"

local jit = rawget(_G, "jit")

-- The Lua that a library was built for. The linker's message names only a missing function, so the
-- file itself is searched.
local function builtFor(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a") or ""
  if file then file:close() end
  return text:match(BUILT_FOR .. "(Lua %d+%.%d+)")
end

local function failBuild(lua, path)
  local this = jit and "LuaJIT" or _VERSION
  if lua == "Lua 5.1" then lua = "LuaJIT or Lua 5.1" end
  error(("collide.core was built for %s, and this is %s; build it with `make LUA=%s`, or get the "
    .. "library for %s%s"):format(lua, this, this:lower():gsub(" ", ""), this,
    path and (" (%s)"):format(path) or ""), 0)
end

-- LÖVE's message lists only where it looked, even when it found the library and could not load it.
local IN_A_GAME = "collide.core cannot be loaded; LÖVE needs a core.so (on Windows core.dll) built "
  .. "for LuaJIT, in the game's folder `collide`, outside of any archive\n"

local function load()
  local loaded, core = pcall(require, "collide.core")
  if loaded then return core end
  local message = tostring(core)
  local path = message:match("from file '([^']*)'")
  local lua = path and builtFor(path)
  if lua and lua ~= _VERSION then failBuild(lua, path) end
  error(message:find("LOVE paths", 1, true) and IN_A_GAME .. message or message, 0)
end

local core = load()
local each = require "collide.each"

local M = {}

if core.BINDING ~= BINDING then
  local text = "collide.core is of another version: its binding is %s, that of the Lua files %d%s"
  error(text:format(core.BINDING or "none", BINDING, ONE_RELEASE), 0)
end

-- A library for another Lua may load all the same, if this Lua has every function that it calls.
if core.BUILD ~= BUILT_FOR .. _VERSION then failBuild(core.BUILD:sub(#BUILT_FOR + 1)) end

local found, ffi = pcall(require, "ffi")

--- LuaJIT's foreign functions; false elsewhere.
M.ffi = jit and found and ffi or false

-- The declaration of a field for LuaJIT. "$" stands for a struct of `structs`, which is appended to
-- `used`; other structs are opaque.
local function declare(type, name, structs, used)
  local text = type:gsub("%f[%w_]cll?_[%w_]+", function(struct)
    used[#used + 1] = structs and structs[struct]
    return structs and structs[struct] and "$" or "void"
  end)
  local declared, isFunction = text:gsub("%(%*%)", "(*" .. name .. ")", 1)
  return isFunction > 0 and declared or text .. " " .. name
end

local function fail(name, field, there, here)
  error(("collide.core has %s.%s as %s, the Lua files have it as %s%s"):format(name, field,
    there or "nothing", here or "nothing", ONE_RELEASE), 0)
end

--- The types of the struct `name` of core.layouts, or of its first fields, and of a pointer to it.
--- `fields` lists { type, name, name, … } in order, with the types as C writes them. Every offset
--- and type is compared with the core's. `structs` maps C's names to the structs that it points to.
---@param name string
---@param fields string[][]
---@param structs? table
---@return ffi.ctype* struct, ffi.ctype* pointer
function M.struct(name, fields, structs)
  local types, declared, used = {}, {}, {}
  for _, list in ipairs(fields) do
    for i = 2, #list do
      types[list[i]] = list[1]
      declared[#declared + 1] = declare(list[1], list[i], structs, used)
    end
  end
  local text = ("struct { %s; }"):format(table.concat(declared, "; "))
  local struct = ffi.typeof(text, unpack(used)) -- luacheck: ignore
  local there, here = core.layouts[name] or {}, {}
  for field, type in each.pairs(types) do
    here[field] = ("%s at %d"):format(type, ffi.offsetof(struct, field))
  end
  here.size = there.size and ffi.sizeof(struct)
  for field, place in each.pairs(here) do
    if place ~= there[field] then fail(name, field, there[field], place) end
  end
  for field, place in each.pairs(there) do
    if not here[field] then fail(name, field, place) end
  end
  return struct, ffi.typeof(text .. " *", unpack(used)) -- luacheck: ignore
end

-- The userdata that each pointer points into, by pointer.
local anchors = setmetatable({}, { __mode = "k" })

--- A pointer to the contents of a userdata, which is valid while the userdata lives.
---@return ffi.cdata*
function M.pointer(pointerType, userdata)
  return ffi.cast(pointerType, userdata)
end

--- The same, but the pointer keeps the userdata alive. The collector takes the userdata one cycle
--- after the pointer.
---@return ffi.cdata*
function M.open(pointerType, userdata)
  local pointer = M.pointer(pointerType, userdata)
  anchors[pointer] = userdata
  return pointer
end

return M
