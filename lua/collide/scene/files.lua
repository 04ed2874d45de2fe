-- Whole files: what is wrong comes back as nil and a message that begins with the path.

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

return M
