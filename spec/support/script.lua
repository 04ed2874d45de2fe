-- Runs Lua programs in processes of their own, with the Lua that runs the specs and its options.
local M = {}

--- The command line of that Lua, up to the script's name.
---@return string
function M.interpreter()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  local command = arg[i]
  for k = i + 1, -1 do command = command .. " " .. arg[k] end
  return command
end

-- Lua does not finalize objects that are made while it closes, so their memory is never freed. The
-- sanitizers must not report it as a leak.
local LEAKS = 'ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" '

--- The output of a program, errors included.
---@param program string
---@param makesLast boolean? whether its finalizers make objects at the very end
---@return string
function M.run(program, makesLast)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(program)
  file:close()
  local settings = makesLast and LEAKS or ""
  local child = assert(io.popen(("%s%s %s 2>&1"):format(settings, M.interpreter(), name)))
  local said = child:read("*a")
  child:close()
  os.remove(name)
  return said
end

return M
