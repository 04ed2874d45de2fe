-- Makes valid UTF-8 of any text, for the files that are written, and one line of it.

local M = {}

-- UTF-8 as RFC 3629 has it, without the surrogates; "." here is any continuation byte.
local CHARACTERS = {}
for i, pattern in ipairs {
  "[\1-\127]", "[\194-\223].", "\224[\160-\191].", "[\225-\236\238\239]..", "\237[\128-\159].",
  "\240[\144-\191]..", "[\241-\243]...", "\244[\128-\143]..",
} do
  CHARACTERS[i] = "^" .. pattern:gsub("%.", "[\128-\191]")
end

-- XML does not have these two characters.
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

--- A text in quotes, on one line, and the text of that.
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

return M
