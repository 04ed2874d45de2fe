-- Makes valid UTF-8 of any text, for the files that are written.

local M = {}

-- UTF-8 as RFC 3629 has it, without the surrogates; "." here is any continuation byte.
local CHARACTERS = {}
for i, pattern in ipairs {
  "[\1-\127]", "[\194-\223].", "\224[\160-\191].", "[\225-\236\238\239]..", "\237[\128-\159].",
  "\240[\144-\191]..", "[\241-\243]...", "\244[\128-\143]..",
} do
  CHARACTERS[i] = "^" .. pattern:gsub("%.", "[\128-\191]")
end

local function character(text, i)
  for _, pattern in ipairs(CHARACTERS) do
    local _, last = text:find(pattern, i)
    if last then return text:sub(i, last) end
  end
end

--- Replaces some characters of a text. Bytes that are not UTF-8, and control characters other than
--- tabs, become U+FFFD unless they are replaced.
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
    if not char or not replacement and char:find("^%c$") and char ~= "\t" then
      char = "\239\191\189"
    end
    out[#out + 1] = replacement or char
  end
  return table.concat(out)
end

return M
