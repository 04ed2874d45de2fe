-- Loads the core, and checks that it was built for the running Lua and has the version of these
-- Lua files. Under LuaJIT it also gives pointers into the core's memory; both sides must agree on
-- the layout of that memory to the byte.

local relative = require "collide.relative"

-- As in csrc/lua/core.c, which explains them.
local BINDING = 36
local BUILT_FOR = "collide.core for "

local ONE_RELEASE = "; the library (core.so) and the Lua files have to be of one release"

local jit = rawget(_G, "jit")

local THIS_LUA = jit and "LuaJIT" or _VERSION

local function failBuild(there, here, path)
  error(("collide.core was built for %s, and this is %s; build it with `make LUA=%s`, or get the "
    .. "library for %s%s"):format(there, here, THIS_LUA:lower():gsub(" ", ""), here,
    path and (" (%s)"):format(path) or ""), 0)
end

local function failLua(lua, path)
  failBuild(lua == "Lua 5.1" and "LuaJIT or Lua 5.1" or lua, THIS_LUA, path)
end

-- The linker's message does not name the Lua or the system that a library is for, so the file
-- itself is read.
local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a") or "" -- nil for a folder
  if file then file:close() end
  return text or ""
end

local function builtFor(path)
  return read(path):match(BUILT_FOR .. "(Lua %d+%.%d+)")
end

-- Processors by their numbers in libraries for Linux, Windows and macOS, and by other names.
local ELF = { [3] = "x86", [40] = "ARM", [62] = "x64", [183] = "ARM64", [22] = "s390x",
  [243] = "RISC-V" }
local PE = { [0x14C] = "x86", [0x1C4] = "ARM", [0x8664] = "x64", [0xAA64] = "ARM64" }
local MACH_O = { [0x1000007] = "x64", [0x100000C] = "ARM64" }
local NAMED = { x86_64 = "x64", AMD64 = "x64", aarch64 = "ARM64", arm64 = "ARM64", arm = "ARM",
  i386 = "x86", i686 = "x86", riscv64 = "RISC-V" }

-- The number in `size` bytes of a text, with the highest byte first or last.
local function number(text, at, size, highestFirst)
  local bytes, sum = text:sub(at, at + size - 1), 0
  if not highestFirst then bytes = bytes:reverse() end
  for i = 1, #bytes do sum = sum * 256 + bytes:byte(i) end
  return sum
end

-- The system that a program or library is for, such as "Linux x64", and maybe a second one; nil if
-- it is neither, or for a processor that is not known here.
local function systemsOf(path)
  local text = read(path)
  local function named(system, processor) return processor and system .. " " .. processor end
  if #text < 64 then
    return nil
  elseif text:find("^\127ELF") then
    return named("Linux", ELF[number(text, 19, 2, text:byte(6) == 2)])
  elseif text:find("^MZ") then
    local at = number(text, 61, 4)
    return text:sub(at + 1, at + 2) == "PE" and named("Windows", PE[number(text, at + 5, 2)])
  elseif text:find("^\207\250\237\254") then
    return named("macOS", MACH_O[number(text, 5, 4)])
  elseif text:find("^\202\254\186\190") then -- libraries for several processors
    return named("macOS", MACH_O[number(text, 9, 4, true)]),
      number(text, 5, 4, true) > 1 and named("macOS", MACH_O[number(text, 29, 4, true)])
  end
end

-- This system: from LuaJIT, or else from the running program or a command of the system.
local function thisSystem()
  local system, processor
  if jit then
    system, processor = jit.os, jit.arch
  elseif package.config:sub(1, 1) == "\\" then
    system, processor = "Windows", os.getenv("PROCESSOR_ARCHITECTURE")
  else
    local program = systemsOf("/proc/self/exe")
    if program then return program end
    local opened, pipe = pcall(io.popen, "uname -s -m")
    if opened and pipe then
      system, processor = pipe:read("*a"):match("^(%S+) (%S+)")
      pipe:close()
    end
  end
  system = ({ Linux = "Linux", Windows = "Windows", OSX = "macOS", Darwin = "macOS" })[system]
  return system and processor and system .. " " .. (NAMED[processor] or processor)
end

-- The files that may be the library that did not load: the one that a message names; or else those
-- where Lua looked, and beside these Lua files, also with the extensions of other systems. LÖVE
-- looks in the game's folder, which is often its first argument.
local function librariesIn(message)
  local path = message:match("from file '([^']*)'")
  if path then return { path } end
  local places, paths = {}, {}
  for place in message:gmatch("no file '([^'\n]*collide[/\\]core)%.%w+'") do
    places[#places + 1] = place
  end
  local home = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or "collide/"
  places[#places + 1] = home .. "core"
  local arguments = rawget(_G, "arg")
  local game = message:find("LOVE paths", 1, true) and type(arguments) == "table" and arguments[1]
  if type(game) == "string" then places[#places + 1] = game .. "/" .. home .. "core" end
  for _, place in ipairs(places) do
    for _, kind in ipairs { ".so", ".dll", ".dylib" } do paths[#paths + 1] = place .. kind end
  end
  return paths
end

-- Raises an error if one of these files is for another system.
local function checkSystem(message)
  local this = thisSystem()
  for _, path in ipairs(librariesIn(message)) do
    local first, second = systemsOf(path)
    if this and first and first ~= this and second ~= this then
      failBuild(second and first .. " and " .. second or first, this, path)
    end
  end
end

-- LÖVE's message lists only where it looked, even if it found the library and could not load it. So
-- this says where the library belongs, by LÖVE's name for the system.
local function inLove()
  local folder, system = relative.root:gsub("%.", "/"), relative.system() or "this system"
  local where = ("`%s/core.%s` in the game's folder, or beside its archive or executable, if "
    .. "package.cpath says so"):format(folder, system == "Windows" and "dll" or "so")
  if system == "Android" then where = "`lib/<abi>/libcollide.core.so` in the APK" end
  if system == "iOS" then where = "linked into LÖVE itself, from `make single`" end
  return ("collide.core cannot be loaded; on %s, LÖVE needs it built for LuaJIT: %s. See LÖVE in "
    .. "collide's reference\n"):format(system, where)
end

local function load()
  local loaded, core = relative.loadCore()
  if loaded then return core end
  local message = tostring(core)
  checkSystem(message)
  local path = message:match("from file '([^']*)'")
  local lua = path and builtFor(path)
  if lua and lua ~= _VERSION then failLua(lua, path) end
  error(message:find("LOVE paths", 1, true) and inLove() .. message or message, 0)
end

local core = load()

local M = {}

if core.BINDING ~= BINDING then
  local text = "collide.core is of another version: its binding is %s, that of the Lua files %d%s"
  error(text:format(core.BINDING or "none", BINDING, ONE_RELEASE), 0)
end

-- A library for another Lua may still load, if this Lua has every function that it calls.
if core.BUILD ~= BUILT_FOR .. _VERSION then failLua(core.BUILD:sub(#BUILT_FOR + 1)) end

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

local function checkPlace(name, there, here)
  if there == here then return end
  error(("collide.core has %s at %d, LuaJIT has it at %d%s"):format(name, there, here,
    ONE_RELEASE), 0)
end

--- The types of the struct `name` of core.layouts, or of its first fields, and of a pointer to it.
--- Every offset is compared with the core's. `structs` maps C's names to the structs that it points
--- to.
---@param name string
---@param structs? table
---@return ffi.ctype* struct, ffi.ctype* pointer
function M.struct(name, structs)
  local layout, declared, used = core.layouts[name], {}, {}
  for i, field in ipairs(layout) do declared[i] = declare(field.type, field.name, structs, used) end
  local text = ("struct { %s; }"):format(table.concat(declared, "; "))
  local struct = ffi.typeof(text, unpack(used)) -- luacheck: ignore
  for _, field in ipairs(layout) do
    checkPlace(name .. "." .. field.name, field.at, ffi.offsetof(struct, field.name))
  end
  if layout.size then checkPlace("the end of " .. name, layout.size, ffi.sizeof(struct)) end
  return struct, ffi.typeof(text .. " *", unpack(used)) -- luacheck: ignore
end

-- The userdata that each pointer points into, by pointer.
local anchors = setmetatable({}, { __mode = "k" })

--- A pointer to the contents of a userdata, which is valid while the userdata lives.
---@return ffi.cdata*
function M.pointer(pointerType, userdata)
  return ffi.cast(pointerType, userdata)
end

--- The same, but the pointer keeps the userdata alive. The collector frees the userdata one cycle
--- after the pointer.
---@return ffi.cdata*
function M.open(pointerType, userdata)
  local pointer = M.pointer(pointerType, userdata)
  anchors[pointer] = userdata
  return pointer
end

return M
