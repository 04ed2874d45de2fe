-- Encodes values as JSON, for a script in a page.

local each = require "collide.each"
local numeral = require "collide.scene.numeral"
local unicode = require "collide.scene.unicode"

local M = {}

-- "<" may begin the tag that ends the script.
local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["<"] = "\\u003c", ["\t"] = "\\t",
  ["\n"] = "\\n" }

local function number(value)
  return value - value == 0 and numeral.exact(value) or '"' .. tostring(value) .. '"'
end

local encode

local function list(values)
  local out = {}
  for i = 1, values.n or #values do out[i] = encode(values[i]) end
  return "[" .. table.concat(out, ",") .. "]"
end

local function object(values)
  local names = {}
  for name in each.pairs(values) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do names[i] = encode(name) .. ":" .. encode(values[name]) end
  return "{" .. table.concat(names, ",") .. "}"
end

--- Encodes strings, numbers, booleans, nil, and tables of them. A table with a key 1 or a field
--- `n`, its length, is a list; any other table is an object, whose keys are strings.
---@return string
function encode(value)
  local kind = type(value)
  if kind == "string" then return '"' .. unicode.escape(value, ESCAPES) .. '"' end
  if kind == "number" then return number(value) end
  if kind == "table" then return (value.n or value[1] ~= nil) and list(value) or object(value) end
  return kind == "nil" and "null" or tostring(value)
end

M.encode = encode

return M
