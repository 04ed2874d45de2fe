-- Reads and writes whole files, lists folders, starts programs. A failure to read or write returns
-- nil and a message that begins with the path.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"

local M = {}

-- Like io.open, which would cut off a name at a zero byte.
local function open(path, mode)
  if not path:find("\0", 1, true) then return io.open(path, mode) end
  return nil, path:gsub("%z", "\\0") .. ": the name of a file has no zero bytes"
end

---@param path string
---@return string? text
---@return string? message
function M.read(path)
  local file, why = open(path, "rb")
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
  local file, why = open(path, "wb")
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
  local file = open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- Makes a folder and its parents. An error shows up only when a file is written.
---@param path string
function M.makeFolders(path)
  for at in path:gmatch "()[/\\]" do
    if at > 1 then core.makeFolder(path:sub(1, at - 1)) end
  end
  core.makeFolder(path)
end

--- Makes the folder for the files that show failures, and returns its path.
---@return string
function M.failures()
  local path = os.getenv "COLLIDE_FAILURES"
  if not path or path == "" then path = "build/failures" end
  M.makeFolders(path)
  return path
end

local LONGEST = 88 -- with a number and an extension at most 100 bytes

--- A name for files about a test or a scene, in characters that all systems accept.
---@param text string the test's name, or the path of the scene
---@param used? table<string, boolean> names that are taken: the new one gets a number if needed
---@return string
function M.nameOf(text, used)
  local base = text:gsub("%.lua$", ""):gsub("[^%w._-]+", "-"):gsub("^[-.]+", ""):sub(1, LONGEST)
  if base == "" then base = "unnamed" end
  local name, number = base, 1
  while used and used[name] do
    number = number + 1
    name = ("%s-%d"):format(base, number)
  end
  if used then used[name] = true end
  return name
end

-- Modules -----------------------------------------------------------------------

--- The names of the modules that are loaded.
---@return table<string, boolean>
function M.loadedModules()
  local names = {}
  for name in each.pairs(package.loaded) do names[name] = true end
  return names
end

--- Unloads the modules that have been loaded since then from files in a folder.
---@param before table<string, boolean> as loadedModules returned
---@param folder string
function M.unloadModules(before, folder)
  for name in each.pairs(M.loadedModules()) do
    local path = type(name) == "string" and ("%s/%s"):format(folder, (name:gsub("%.", "/")))
    if path and not before[name]
      and (M.exists(path .. ".lua") or M.exists(path .. "/init.lua")) then
      package.loaded[name] = nil
    end
  end
end

-- Programs and folders -------------------------------------------------------------

local isWindows = package.config:sub(1, 1) == "\\"

-- Quotes a word of a command line for a program that reads its arguments.
local function quoted(word)
  if not isWindows then return "'" .. word:gsub("'", "'\\''") .. "'" end
  -- Programs read \" as a quote, and each pair of backslashes before a quote as one. The shell must
  -- see no quotes: it treats text between two of them differently from the rest.
  local text = word:gsub('(\\*)"', '%1%1\\"'):gsub("\\+$", "%0%0")
  return (('"%s"'):format(text):gsub('[()%%!^"<>&|]', "^%0"))
end

-- Quotes the name of a program, which the shell itself reads.
local function quotedProgram(name)
  if not isWindows then return quoted(name) end
  return '"' .. name:gsub("%%", '"^%%"') .. '"'
end

--- Starts a program. Raises an error on systems that cannot do that.
---@param words string[] its name and its arguments
---@return file* output
function M.start(words)
  local line = { quotedProgram(words[1]) }
  for i = 2, #words do line[i] = quoted(words[i]) end
  -- The shell of Windows removes the first and the last quote of a line that begins with one.
  return assert(io.popen((isWindows and "cd . & " or "exec ") .. table.concat(line, " ")))
end

-- The command that lists a folder: a line "/", its files, "/" again, its folders. Plain Lua cannot
-- do that.
local function command(folder)
  if isWindows then
    local name = folder:gsub("/", "\\")
    return ('if exist "%s\\" (echo /& dir /b /a-d "%s" 2>nul& echo /& dir /b /ad "%s" 2>nul)')
      :format(name, name, name)
  end
  local name = quoted(folder)
  return ("[ -d %s ] && echo / && ls -p -- %s 2>/dev/null"):format(name, name)
end

-- The names of the files and of the folders in a folder, or nil if there is no such folder; none if
-- it cannot be listed.
local function namesIn(folder)
  local names, folders = {}, {}
  -- io.popen raises an error on systems that cannot start programs.
  local started, output = pcall(io.popen, command(folder))
  if not started or not output then return names, folders end
  if (output:read "*l" or ""):sub(1, 1) ~= "/" then
    output:close()
    return nil
  end
  local list = names
  for line in output:lines() do
    local name = line:match "^(.-)%s*$"
    if name == "/" then
      list = folders
    elseif name:sub(-1) == "/" then
      folders[#folders + 1] = name:sub(1, -2)
    else
      list[#list + 1] = name
    end
  end
  output:close()
  return names, folders
end

local function addFiles(paths, folder, extension, isDeep)
  local names, folders = namesIn(folder)
  if not names then return false end
  local prefix = folder:gsub("[/\\]$", "") .. "/"
  for _, name in ipairs(names) do
    if name:sub(-#extension - 1) == "." .. extension then paths[#paths + 1] = prefix .. name end
  end
  for _, name in ipairs(isDeep and folders or {}) do
    if name:sub(1, 1) ~= "." then addFiles(paths, prefix .. name, extension, true) end
  end
  return true
end

--- The paths of a folder's files with an extension, in alphabetical order.
---@param folder string
---@param extension string
---@param isDeep? boolean also those in its folders, but not in those that begin with a dot
---@return string[]? paths nil if there is no such folder; empty if it cannot be listed
function M.list(folder, extension, isDeep)
  local paths = {}
  if not addFiles(paths, folder, extension, isDeep) then return nil end
  table.sort(paths)
  return paths
end

return M
