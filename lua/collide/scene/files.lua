-- Reads and writes whole files. A failure returns nil and a message that begins with the path.

local require = require "collide.relative"
local core = require "collide.core"

local M = {}

---@param path string
---@return string? text
---@return string? message
function M.read(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read("*a")
  file:close()
  -- A folder can be opened, but not read.
  if not text then return nil, ("%s: %s"):format(path, tostring(problem or "not a file")) end
  return text
end

---@param path string
---@param text string
---@return boolean? written
---@return string? message
function M.write(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written
  written, why = file:write(text)
  local closed, problem = file:close()
  if not written or not closed then return nil, path .. ": " .. tostring(why or problem) end
  return true
end

--- Whether there is a file that can be read.
---@param path string
function M.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- Makes a folder and its parents. An error shows when a file is written.
---@param path string
function M.makeFolders(path)
  for at in path:gmatch "()[/\\]" do
    if at > 1 then core.makeFolder(path:sub(1, at - 1)) end
  end
  core.makeFolder(path)
end

--- The folder for the files that show what has failed, which it makes.
---@return string
function M.failures()
  local path = os.getenv "COLLIDE_FAILURES"
  if not path or path == "" then path = "build/failures" end
  M.makeFolders(path)
  return path
end

--- The name of a file about a scene, without its folder and extension: the scene's path, in letters
--- that all systems take.
---@param path string
---@return string
function M.nameOf(path)
  local name = path:gsub("%.lua$", ""):gsub("^[./\\]+", ""):gsub("[^%w._-]", "-")
  return name:sub(-100)
end

-- The command that lists a folder, after a line "/": plain Lua cannot do that.
local function command(folder)
  if package.config:sub(1, 1) == "\\" then
    local name = folder:gsub("/", "\\")
    return ('if exist "%s\\" (echo /& dir /b "%s" 2>nul)'):format(name, name)
  end
  local quoted = "'" .. folder:gsub("'", "'\\''") .. "'"
  return ("[ -d %s ] && echo / && ls -- %s 2>/dev/null"):format(quoted, quoted)
end

--- The paths of a folder's files with an extension, in alphabetical order.
---@param folder string
---@param extension string
---@return string[]? paths nil if there is no such folder; empty if it cannot be listed
function M.list(folder, extension)
  local paths = {}
  -- io.popen raises an error on systems that cannot start programs.
  local started, output = pcall(io.popen, command(folder))
  if not started or not output then return paths end
  if (output:read "*l" or ""):sub(1, 1) ~= "/" then
    output:close()
    return nil
  end
  for line in output:lines() do
    local name = line:match("^(.-)%s*$")
    if name:sub(-#extension - 1) == "." .. extension then
      paths[#paths + 1] = folder:gsub("[/\\]$", "") .. "/" .. name
    end
  end
  output:close()
  table.sort(paths)
  return paths
end

return M
