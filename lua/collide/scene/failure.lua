-- What a failed assertion leaves behind: a picture of the world in the folder of failures.

local core = require "collide.core"
local files = require "collide.scene.files"
local picture = require "collide.scene.picture"

local M = {}

-- How often each name has been used by this process.
local used = {}

local function folder()
  local path = os.getenv "COLLIDE_FAILURES"
  if not path or path == "" then path = "build/failures" end
  return path
end

-- Makes a folder and those that it is in; what cannot be made, writing to it shows.
local function makeFolders(path)
  for at in path:gmatch "()[/\\]" do
    if at > 1 then core.makeFolder(path:sub(1, at - 1)) end
  end
  core.makeFolder(path)
end

--- Writes a file into the folder of failures.
---@param name string
---@param extension string
---@param text string
---@return string told where it is, or why it is not there
local function write(name, extension, text)
  local path = ("%s/%s.%s"):format(folder(), name, extension)
  local written, message = files.write(path, text)
  return written and path or "none, " .. message
end

--- Shows a world as it is when an assertion fails.
---@param assertion string its name
---@param world collide.World
---@param marked table[] the actors that it is about
---@return string lines that say what has been written
function M.show(assertion, world, marked)
  makeFolders(folder())
  local name = ("%s-frame-%d"):format(assertion, world._frame)
  used[name] = (used[name] or 0) + 1
  if used[name] > 1 then name = ("%s-%d"):format(name, used[name]) end
  local made, text = pcall(picture.of, world, marked)
  return "\npicture: " .. (made and write(name, "svg", text) or "none, " .. tostring(text))
end

return M
