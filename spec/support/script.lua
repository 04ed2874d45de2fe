-- Lua programs run in processes of their own: by the Lua that runs the specs, with its options.
local M = {}

-- That Lua: what stands before the script's name and its options.
local function interpreter()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  local command = arg[i]
  for k = i + 1, -1 do command = command .. " " .. arg[k] end
  return command
end

--- What a program writes, errors included.
---@param program string
---@return string
function M.run(program)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(program)
  file:close()
  local child = assert(io.popen(("%s %s 2>&1"):format(interpreter(), name)))
  local said = child:read("*a")
  child:close()
  os.remove(name)
  return said
end

return M
