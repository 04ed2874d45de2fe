-- Text for files and terminals, the same on every Lua: decimal numbers, valid UTF-8, JSON, and the
-- name that a misspelled one was meant to be.

local require = require "collide.relative"
local each = require "collide.each"

local M = {}

-- Numbers ------------------------------------------------------------------------

local floor = math.floor

-- On some Luas tonumber also takes "inf", "nan" and "0b1", and string.format rounds halves in
-- different ways.

--- Reads a finite decimal number, or returns nil. A whole number becomes an integer on Luas that
--- have integers, even if it is written as 1e3.
---@param text string
---@return number?
function M.number(text)
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

--- A number of things: "1 run", "2 runs".
---@param count integer
---@param one string
---@param more? string the plural, by default `one` with an s
---@return string
function M.plural(count, one, more)
  return ("%d %s"):format(count, count == 1 and one or more or one .. "s")
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

-- Characters ---------------------------------------------------------------------

-- UTF-8 as RFC 3629 defines it, without the surrogates; "." here is any continuation byte.
local CHARACTERS = {}
for i, pattern in ipairs {
  "[\1-\127]", "[\194-\223].", "\224[\160-\191].", "[\225-\236\238\239]..", "\237[\128-\159].",
  "\240[\144-\191]..", "[\241-\243]...", "\244[\128-\143]..",
} do
  CHARACTERS[i] = "^" .. pattern:gsub("%.", "[\128-\191]")
end

-- XML does not allow these two characters.
local MISSING = { ["\239\191\190"] = true, ["\239\191\191"] = true }

local function character(text, i)
  for _, pattern in ipairs(CHARACTERS) do
    local _, last = text:find(pattern, i)
    if last then return text:sub(i, last) end
  end
end

--- Replaces some characters of a text. Bytes that are not UTF-8, control characters other than
--- tabs, U+FFFE and U+FFFF become U+FFFD unless they are replaced.
---@param text string
---@param replacements table<string, string>
---@return string
function M.escape(text, replacements)
  if not text:find("[^\32-\126]") then return (text:gsub(".", replacements)) end
  local out, i = {}, 1
  while i <= #text do
    local char = character(text, i)
    i = i + (char and #char or 1)
    local replacement = replacements[char or ""]
    local isControl = char and (char:find("^%c$") and char ~= "\t" or char:find("^\194[\128-\159]"))
    if not char or not replacement and (isControl or MISSING[char]) then
      char = "\239\191\189"
    end
    out[#out + 1] = replacement or char
  end
  return table.concat(out)
end

local BLANKS = { ["\t"] = " ", ["\n"] = " ", ["\r"] = " " }

--- A text as one line without control characters.
---@param text string
---@return string
function M.line(text)
  return M.escape(text, BLANKS)
end

-- Backslashes are escaped, too, so that the text can be read again.
local function code(char)
  return ("\\%03d"):format(char:byte())
end

--- A text in quotes, on one line; `unquote` reverses this.
---@param text string
---@return string
function M.quote(text)
  return '"' .. text:gsub('[%c"\\]', code) .. '"'
end

---@param quoted string
---@return string? text nil if it is not in quotes
function M.unquote(quoted)
  local text = quoted:match('^"(.*)"$')
  return text and (text:gsub("\\(%d%d%d)", function(digits) return string.char(digits % 256) end))
end

-- Names --------------------------------------------------------------------------

--- The keys of a table as text, sorted.
---@param t table
---@return string[]
function M.names(t)
  local names = {}
  for name in each.pairs(t) do names[#names + 1] = tostring(name) end
  table.sort(names)
  return names
end

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

-- JSON ---------------------------------------------------------------------------

-- "<" may begin the tag that ends the script.
local JSON_ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["<"] = "\\u003c", ["\t"] = "\\t",
  ["\n"] = "\\n" }

local function jsonNumber(value)
  return value - value == 0 and M.exact(value) or '"' .. tostring(value) .. '"'
end

local encode

local function jsonList(values)
  local out = {}
  for i = 1, values.n or #values do out[i] = encode(values[i]) end
  return "[" .. table.concat(out, ",") .. "]"
end

local function jsonObject(values)
  local names = M.names(values)
  for i, name in ipairs(names) do names[i] = encode(name) .. ":" .. encode(values[name]) end
  return "{" .. table.concat(names, ",") .. "}"
end

--- Encodes strings, numbers, booleans, nil, and tables of them. A table with a key 1 or a field
--- `n`, its length, is a list; any other table is an object, whose keys are strings.
---@return string
function encode(value)
  local kind = type(value)
  if kind == "string" then return '"' .. M.escape(value, JSON_ESCAPES) .. '"' end
  if kind == "number" then return jsonNumber(value) end
  if kind == "table" then
    return (value.n or value[1] ~= nil) and jsonList(value) or jsonObject(value)
  end
  return kind == "nil" and "null" or tostring(value)
end

M.json = encode

return M
