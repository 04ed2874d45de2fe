-- The files of the checkout, for specs that read them.
local M = {}

--- The Lua files below a folder, sorted.
---@param folder string
---@return string[]
function M.list(folder)
  local paths = {}
  local find = assert(io.popen("find " .. folder .. " -name '*.lua' | sort"))
  for path in find:lines() do paths[#paths + 1] = path end
  find:close()
  return paths
end

---@param path string
---@return string
function M.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

return M
