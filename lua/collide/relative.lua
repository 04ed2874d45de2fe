-- How the files of this library require each other: relative to their own folder, so that the
-- folder `collide` may be in any other, as `lib.collide`. Each file uses this instead of `require`,
-- and names the others as if `collide` was in no folder. The prefix of the first file that is
-- required counts: requiring files under another prefix gives the same modules.

local FIRST, CORE = "collide.relative", "collide.core"

local first = package.loaded[FIRST]
if type(first) == "table" then return first end -- Lua 5.1 has a userdata there while loading

local prefix = (...):match "^(.-)[^./]*$"

--- The names of all modules, such as `lib.collide.tiled`, begin with `prefix`; `root` is the first.
local M = { prefix = prefix, root = prefix:sub(1, -2) }
package.loaded[FIRST] = M

-- Loads the core from a file called `name`: Lua, and LÖVE too, search for that file first.
local function loadAs(name)
  local love, places = rawget(_G, "love"), {}
  local files, path = love and love.filesystem, package.cpath
  local gamePath = files and files.getCRequirePath()
  for template in path:gmatch "[^;]*%?[^;]*" do
    places[#places + 1] = template:gsub("%?", function() return name end)
  end
  package.cpath = table.concat(places, ";") .. ";" .. path
  if files then files.setCRequirePath(("%s.so;%s.dll;%s"):format(name, name, gamePath)) end
  local loaded, core = pcall(require, CORE)
  package.cpath = path
  if files then files.setCRequirePath(gamePath) end
  return loaded, core
end

--- LÖVE's name for the system, such as "Windows" and "Android"; nil in plain Lua.
function M.system()
  local love = rawget(_G, "love")
  return love and love._os
end

--- Loads the core: the one beside these files, or else any that Lua finds.
---@return boolean loaded
---@return table|string core the core, or an error
function M.loadCore()
  if prefix == "collide." then return pcall(require, CORE) end
  return loadAs(prefix:gsub("[./]", package.config:sub(1, 1)) .. "core")
end

local function requireOwn(_, name)
  if name == CORE then
    require(prefix .. "binding") -- it says why a core cannot be loaded
    return package.loaded[CORE]
  elseif name == "collide" then
    return require(M.root)
  end
  local own = name:match "^collide%.(.*)"
  return (require(own and prefix .. own or name))
end

return setmetatable(M, { __call = requireOwn })
