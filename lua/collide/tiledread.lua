-- What the files of collide.tiled share: errors that say where in the map something stands, and
-- reading the fields of its tables.

local check = require "collide.check"

local M = {}

M.FN = "tiled.load"

--- Raises: `name` of what stands at `where` in the map is not what is expected.
function M.fail(where, name, expected, got, hint)
  check.fail(("%s: %s"):format(M.FN, where), name, expected, got, hint)
end

--- Raises: what stands at `where` in the map cannot be taken, for a reason.
function M.refuse(where, reason)
  check.raise(("%s: %s: %s"):format(M.FN, where, reason))
end

--- Calls a function of the library's; its error says where in the map it happened.
function M.try(where, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if type(result) ~= "string" then error(result, 0) end
  M.refuse(where, result:match "^.-:%d+: (.*)$" or result)
end

--- A field that has to be there.
function M.field(where, t, name, kind)
  local value = t[name]
  if type(value) ~= kind then M.fail(where, name, kind, value) end
  return value
end

--- A coordinate, 0 where there is none.
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

--- How many cells, columns or rows there are.
function M.count(where, t, name, least)
  local value = t[name]
  local fits = check.isCoordinate(value) and value >= least and value == math.floor(value)
  if not fits then M.fail(where, name, "whole number from " .. least, value) end
  return value
end

--- A number of columns or rows that may be negative.
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

--- The table of a layer's, tile's or object's own properties; an empty one where there is none.
function M.properties(where, t)
  if t.properties == nil then return {} end
  return M.field(where, t, "properties", "table")
end

--- The class of a layer, tile or object: Tiled 1.9 calls it `class` everywhere, others `type`,
--- but `class` of layers, whose `type` is their kind.
function M.class(t, isLayer)
  local class = t.class
  if not isLayer and (class == nil or class == "") then class = t.type end
  return type(class) == "string" and class ~= "" and class or nil
end

--- A name, or nil where Tiled wrote none.
function M.name(t)
  return type(t.name) == "string" and t.name ~= "" and t.name or nil
end

return M
