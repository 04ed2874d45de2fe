-- Shrinks a failing script: leaves out operations as long as it still fails.
local M = {}

local function without(script, from, to)
  local rest = {}
  for i, operation in ipairs(script) do
    if i < from or i > to then rest[#rest + 1] = operation end
  end
  return rest
end

--- The shrunk script. First halves are left out, then ever smaller parts, at last single
--- operations.
---@param script table
---@param fails fun(script: table): boolean
function M.shrink(script, fails)
  local size = math.floor(#script / 2)
  while size >= 1 do
    local from, shorter = 1, false
    while from <= #script do
      local rest = without(script, from, from + size - 1)
      if fails(rest) then
        script, shorter = rest, true
      else
        from = from + size
      end
    end
    if size > 1 or not shorter then size = math.floor(size / 2) end
  end
  return script
end

--- The script as Lua, to be pasted into a file that plays it.
function M.text(script, wild)
  local lines = { 'require("spec.monkey.main").replay({' }
  for _, operation in ipairs(script) do
    lines[#lines + 1] = ('  { "%s", %d },'):format(operation[1], operation[2])
  end
  lines[#lines + 1] = wild and "}, true)" or "})"
  return table.concat(lines, "\n")
end

return M
