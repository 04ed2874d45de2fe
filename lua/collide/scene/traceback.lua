-- Errors of a scene's own code, with the stack on which they were raised.

local M = {}

---@class collide.Failure
---@field message string
---@field err any the error value
---@field trace string the stack, down to the call by catch; "" if there is none

-- The last error that was passed on, and its stack.
local passed = {}

-- A handler for xpcall: makes a Failure of an error.
local function handler(err)
  local lines = {}
  if rawequal(err, passed.err) then lines[1] = passed.trace end
  for line in debug.traceback("", 2):gmatch("[^\n]+") do
    if line:find("in function 'xpcall'", 1, true) then break end
    lines[#lines + 1] = line
  end
  return { err = err, message = tostring(err), trace = table.concat(lines, "\n") }
end

M.handler = handler

-- When there is no memory or stack left for the handler, xpcall returns an error of its own.
local function settled(result)
  if type(result) == "table" and result.trace then return result end
  return { err = result, message = tostring(result), trace = "" }
end

--- Raises the error that `handler` was given again, with a prefix if it is a string. An outer
--- `catch` reports the stack of the first error.
---@param failure collide.Failure
---@param prefix string
function M.pass(failure, prefix)
  failure = settled(failure)
  local err = failure.err
  if type(err) == "string" then err = prefix .. err end
  passed.err, passed.trace = err, failure.trace
  error(err, 0)
end

--- Calls f(...). Returns true and its first three results, or false and a Failure.
---@param f function
---@return boolean ok
---@return any|collide.Failure
function M.catch(f, ...)
  local n, args = select("#", ...), { ... }
  -- xpcall passes no arguments in Lua 5.1. This is not a tail call, since some Luas would leave the
  -- name xpcall out of the stack.
  local ok, first, second, third = xpcall(function()
    return f((table.unpack or unpack)(args, 1, n))
  end, handler)
  if not ok then return false, settled(first) end
  return true, first, second, third
end

return M
