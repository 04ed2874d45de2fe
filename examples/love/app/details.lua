-- The details of one actor: rows of a name and a value.

local reader = require "collide.world.reader"

local M = {}

local function text(value)
  if type(value) == "number" then return ("%.6g"):format(value) end
  return tostring(value)
end

local function nameOf(world, actor)
  local name = world._names.name and actor[world._names.name]
  if type(name) == "string" or type(name) == "number" then return tostring(name) end
  for i, other in ipairs(world:actors()) do
    if other == actor then return "actor " .. i end
  end
  return "an actor"
end

-- The fields of an actor that can be shown, by name.
local function fieldsOf(actor, skipped)
  local names = {}
  for name, value in pairs(actor) do
    local kind = type(value)
    if type(name) == "string" and not skipped[name]
      and (kind == "number" or kind == "string" or kind == "boolean") then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

--- The topmost actor at a point, by the places of the last step.
---@return table? actor
function M.at(world, x, y)
  local list, n = world:queryPoint(x, y)
  return list[n]
end

--- The name of an actor, and rows { name, value }: place, shape, fields and hits.
---@return string title
---@return string[][] rows
function M.of(world, actor)
  local names = world._names
  local title = nameOf(world, actor)
  if not world:has(actor) then return title, { { "has been removed", "" } } end
  local rows = {}
  local function add(name, value) rows[#rows + 1] = { name, text(value) } end
  local shape, x, y, angle = reader.placeOf(actor, names)
  add("x", x)
  add("y", y)
  if angle ~= 0 then add("angle", angle) end
  add("shape", shape:kind())
  local skipped = {}
  for _, field in ipairs { "x", "y", "angle", "name" } do
    if names[field] then skipped[names[field]] = true end
  end
  for _, name in ipairs(fieldsOf(actor, skipped)) do add(name, actor[name]) end
  for _, other, nx, ny, depth in world:hits(actor) do
    rows[#rows + 1] = { "hits " .. nameOf(world, other),
      ("%.3g deep, out %.2g, %.2g"):format(depth, nx + 0, ny + 0) }
  end
  return title, rows
end

return M
