-- Shared by the files of collide.tiled: errors that say where in the map the fault is, and
-- functions that read the fields of its tables.

local check = require "collide.check"

local M = {}

M.FN = "tiled.load"

--- Raises: field `name` at `where` in the map is not as expected.
function M.fail(where, name, expected, got, hint)
  check.fail(("%s: %s"):format(M.FN, where), name, expected, got, hint)
end

--- Raises: the map cannot be loaded because of something at `where`.
function M.refuse(where, reason)
  check.raise(("%s: %s: %s"):format(M.FN, where, reason))
end

--- Calls a function of the library. An error that it raises says where in the map it happened.
function M.try(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if type(result) ~= "string" then error(result, 0) end
  M.refuse(where, result:match "^.-:%d+: (.*)$" or result)
end

--- A required field of type `kind`.
function M.field(where, t, name, kind)
  local value = t[name]
  if type(value) ~= kind then M.fail(where, name, kind, value) end
  return value
end

--- A coordinate, 0 if it is missing.
function M.number(where, t, name)
  local value = t[name]
  if value == nil then return 0 end
  if not check.isCoordinate(value) then M.fail(where, name, check.COORDINATE, value) end
  return value
end

function M.size(where, t, name)
  local value = t[name]
  if not (check.isCoordinate(value) and value > 0) then M.fail(where, name, check.SIZE, value) end
  return value
end

--- A number of cells, columns or rows, at least `least`.
function M.count(where, t, name, least)
  local value = t[name]
  local fits = check.isCoordinate(value) and value >= least and value == math.floor(value)
  if not fits then M.fail(where, name, "whole number from " .. least, value) end
  return value
end

--- A position in columns or rows, which may be negative; 0 if it is missing.
function M.whole(where, t, name)
  local value = M.number(where, t, name)
  if value ~= math.floor(value) then M.fail(where, name, "whole number", value) end
  return value
end

--- A list of tables.
function M.tables(where, t, name)
  local list = M.field(where, t, name, "table")
  for i, value in ipairs(list) do
    if type(value) ~= "table" then M.fail(where, ("%s[%d]"):format(name, i), "table", value) end
  end
  return list
end

--- The property `collidable`, or nil.
function M.collidable(where, properties)
  local value = properties.collidable
  if value ~= nil and type(value) ~= "boolean" then
    M.fail(where, "property collidable", "boolean", value)
  end
  return value
end

--- The properties of a layer, tile or object; an empty table if it has none.
function M.properties(where, t)
  if t.properties == nil then return {} end
  return M.field(where, t, "properties", "table")
end

--- The class of a layer, tile or object. Tiled 1.9 calls it `class` everywhere. Other versions call
--- it `type`, except for layers, whose `type` is their kind.
function M.class(t, isLayer)
  local class = t.class
  if not isLayer and (class == nil or class == "") then class = t.type end
  return type(class) == "string" and class ~= "" and class or nil
end

--- The name of a layer, object or tileset, or nil if it has none.
function M.name(t)
  return type(t.name) == "string" and t.name ~= "" and t.name or nil
end

return M
