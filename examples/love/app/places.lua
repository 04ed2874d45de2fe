-- Paths: of the checkout that this app is in, of its modules, and of its scenes.

local M = {}

-- The folder of the app, as it was given to LÖVE: two levels below the checkout.
local source = love.filesystem.getSource():gsub("/%./", "/")
local root = source:match("^(.*)/[^/.]+/[^/.]+$") or source .. "/../.."
local scenes = root .. "/examples/scenes"

M.root = root

--- Lets `require` find collide in the checkout, after LUA_PATH and LUA_CPATH and before what is
--- installed on the machine.
function M.findModules()
  local library = jit.os == "Windows" and "?.dll" or "?.so"
  local lua = ("%s/lua/?.lua;%s/lua/?/init.lua"):format(root, root)
  local c = ("%s/build/luajit/%s"):format(root, library)
  local function join(here, path, isSet)
    return isSet and path .. ";" .. here or here .. ";" .. path
  end
  package.path = join(lua, package.path, os.getenv("LUA_PATH"))
  package.cpath = join(c, package.cpath, os.getenv("LUA_CPATH"))
end

--- The path of a scene from its name or path.
---@param name string
---@return string path
function M.scene(name)
  if name:find("[/\\]") or name:find("%.lua$") then return name end
  return ("%s/%s.lua"):format(scenes, name)
end

-- Lists a folder with a command: LÖVE's file system ends at the app's folder, and plain Lua can't
-- list folders.
local function list(folder)
  local command = jit.os == "Windows" and ('dir /b "%s"'):format(folder:gsub("/", "\\"))
    or ("ls '%s'"):format(folder:gsub("'", "'\\''"))
  local names = {}
  local output = io.popen(command)
  if not output then return names end
  for line in output:lines() do
    local name = line:match("^(.+)%.lua%s*$")
    if name then names[#names + 1] = name end
  end
  output:close()
  table.sort(names)
  return names
end

--- The names of all scenes, in alphabetical order.
---@return string[]
function M.scenes()
  return list(scenes)
end

return M
