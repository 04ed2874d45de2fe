-- Reads and writes decimal numbers, the same on every Lua. On some Luas tonumber also takes "inf",
-- "nan" and "0b1", and string.format rounds halves in different ways.

local M = {}

local floor = math.floor

--- Reads a finite decimal number, or returns nil. A whole number becomes an integer on Luas that
--- have integers, even if it is written as 1e3.
---@param text string
---@return number?
function M.read(text)
  local digits, exponent = text:match("^[+-]?([%d.]+)(.*)$")
  if not digits or not (digits:find("^%d+%.?%d*$") or digits:find("^%.%d+$")) then return nil end
  if exponent ~= "" and not exponent:find("^[eE][+-]?%d+$") then return nil end
  local value = tonumber((text:gsub("^%+", "")))
  if not value or value - value ~= 0 then return nil end
  if value == floor(value) and value >= -2 ^ 53 and value <= 2 ^ 53 then return floor(value) end
  return value
end

--- A number as text with `digits` digits after the point. Halves are rounded away from 0.
---@param value number finite
---@param digits integer
---@return string
function M.fixed(value, digits)
  local unit = 1
  for _ = 1, digits do unit = unit * 10 end
  local units = floor(math.abs(value) * unit + 0.5)
  local whole = floor(units / unit)
  local text = ("%.0f"):format(whole)
  if digits > 0 then
    text = text .. "." .. ("%0" .. digits .. ".0f"):format(units - whole * unit)
  end
  return value < 0 and units > 0 and "-" .. text or text
end

--- The same without trailing zeros after the point.
function M.short(value, digits)
  local text = M.fixed(value, digits)
  if digits > 0 then text = text:gsub("%.?0+$", "") end
  return text
end

--- The shortest of the decimal forms with 15, 16 or 17 digits that reads as exactly this number. -0
--- is 0: on a Lua with integers, -1 * 0 is not -0.
---@param value number finite
---@return string
function M.exact(value)
  if value == 0 then return "0" end
  for digits = 15, 17 do
    local text = ("%." .. digits .. "g"):format(value)
    if tonumber(text) == value then return text end
  end
end

return M
