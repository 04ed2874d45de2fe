-- Counts the calls that returned, and what callbacks did. A function whose calls have all raised
-- counts as untested.
local M = {}

-- The operations that callbacks must have done, besides raising, yielding and collecting.
local IN_CALLBACKS = { "world:add", "world:remove", "world:clear", "world:step", "world:update",
  "world:move", "world:carry", "world:teleport", "world:snapshot", "world:restore",
  "character:move", "pool:spawn", "raise", "yield", "collect" }
-- Functions that work only on some Luas: pool:arrays needs LuaJIT with its compiler on.
local jit = rawget(_G, "jit")
local HERE = { ["pool:arrays"] = jit and jit.status() or false }

local counts = {}

function M.clear() counts = {} end

--- Counts a call that returned, or an operation of a callback.
function M.count(name, isInCallback)
  counts[name] = (counts[name] or 0) + 1
  if isInCallback then M.count(name .. " in a callback") end
end

--- The names of what has never happened: calls of these entries, and operations of callbacks.
---@param entries table
---@return string[]
function M.missing(entries)
  local list = {}
  for _, entry in ipairs(entries) do
    if not counts[entry.name] and HERE[entry.name] ~= false then list[#list + 1] = entry.name end
  end
  for _, kind in ipairs(IN_CALLBACKS) do
    local name = kind .. " in a callback"
    if not counts[name] then list[#list + 1] = name end
  end
  return list
end

return M
