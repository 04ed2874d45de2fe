-- How often the monkey has got somewhere: calls that returned, and what callbacks did. A function
-- that only ever raised has not been tried.
local M = {}

-- What callbacks have to do, besides raising, yielding and collecting.
local IN_CALLBACKS = { "world:add", "world:remove", "world:clear", "world:step", "world:update",
  "world:move", "world:carry", "world:teleport", "world:snapshot", "world:restore",
  "character:move", "pool:spawn", "raise", "yield", "collect" }
-- It needs LuaJIT with its compiler on.
local jit = rawget(_G, "jit")
local HERE = { ["pool:arrays"] = jit and jit.status() or false }

local counts = {}

function M.clear() counts = {} end

--- Counts a call that returned, or what a callback does.
function M.count(name, isInCallback)
  counts[name] = (counts[name] or 0) + 1
  if isInCallback then M.count(name .. " in a callback") end
end

--- What has never happened, of calls of all these entries and of what callbacks do.
---@param entries table
---@return string[]
function M.missing(entries)
  local list = {}
  for _, entry in ipairs(entries) do
    if not counts[entry.name] and HERE[entry.name] ~= false then list[#list + 1] = entry.name end
  end
  for _, name in ipairs(IN_CALLBACKS) do
    name = name .. " in a callback"
    if not counts[name] then list[#list + 1] = name end
  end
  return list
end

return M
