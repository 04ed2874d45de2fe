-- Errors of a scene's own code, with the stack they were raised on.

local M = {}

---@class collide.Failure
---@field message string
---@field trace string the stack, down to the call that catch made; "" when there is none

local function handler(err)
  local lines = {}
  for line in debug.traceback("", 2):gmatch("[^\n]+") do
    if line:find("in function 'xpcall'", 1, true) then break end
    lines[#lines + 1] = line
  end
  return { message = tostring(err), trace = table.concat(lines, "\n") }
end

--- Calls f(...): true and the first three of its results, or false and what went wrong.
---@param f function
---@return boolean ok
---@return any|collide.Failure
function M.catch(f, ...)
  local n, args = select("#", ...), { ... }
  -- xpcall passes arguments on since Lua 5.2 only. It is no tail call here, or some Luas would
  -- leave its name out of the stack.
  local ok, first, second, third = xpcall(function()
    return f((table.unpack or unpack)(args, 1, n))
  end, handler)
  return ok, first, second, third
end

return M
