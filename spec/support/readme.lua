-- The examples of a document: the blocks of Lua under the comment <!-- runs -->.
local M = {}

--- The documents with examples, in the order of the page for browsers.
M.DOCUMENTS = { "README.md", "examples/cookbook.md", "examples/reference.md",
  "examples/README.md" }

---@class readme.Example
---@field line integer the line of the document at which it begins
---@field lines string[]
---@field heading string the heading above it

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a"):gsub("\r\n", "\n")
  file:close()
  return text
end

--- The examples of a document, in their order.
---@param path string
---@return readme.Example[]
---@return integer lines of the document
function M.examples(path)
  local found, number = {}, 0
  local example, heading
  local isMarked = false
  for line in contents(path):gmatch("([^\n]*)\n") do
    number = number + 1
    if example and line == "```" then
      found[#found + 1] = example
      example = nil
    elseif example then
      example.lines[#example.lines + 1] = line
    elseif isMarked and line == "```lua" then
      example = { line = number + 1, lines = {}, heading = heading }
    end
    if not example then heading = line:match("^#+ (.*)") or heading end
    isMarked = line == "<!-- runs -->"
  end
  return found, number
end

--- The output of an example according to its comments `--> text`, in order.
---@param example readme.Example
---@return string[]
function M.expected(example)
  local out = {}
  for _, line in ipairs(example.lines) do out[#out + 1] = line:match("%-%-> (.*)$") end
  return out
end

return M
