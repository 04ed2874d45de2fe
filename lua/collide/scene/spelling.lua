-- Finds the name that a misspelled one was meant to be.

local M = {}

-- The optimal string alignment distance: how many letters must be inserted, deleted, replaced or
-- swapped with the next.
local function distance(a, b)
  local before, last, row = {}, {}, {}
  for k = 0, #b do row[k] = k end
  for i = 1, #a do
    before, last, row = last, row, before
    row[0] = i
    for k = 1, #b do
      local same = a:byte(i) == b:byte(k)
      row[k] = math.min(last[k] + 1, row[k - 1] + 1, last[k - 1] + (same and 0 or 1))
      if i > 1 and k > 1 and a:byte(i) == b:byte(k - 1) and a:byte(i - 1) == b:byte(k) then
        row[k] = math.min(row[k], before[k - 2] + 1)
      end
    end
  end
  return row[#b]
end

--- The name nearest to `name`, the first of several, if at most a third of its letters differ.
---@param name string
---@param names string[]
---@return string?
function M.nearest(name, names)
  local best, least
  for _, known in ipairs(names) do
    local d = distance(name, known)
    if d <= math.ceil(#name / 3) and (not least or d < least) then best, least = known, d end
  end
  return best
end

return M
