-- The examples of each README.md do what they say. A block of Lua that stands
-- under the comment <!-- runs --> is run; what it prints must be what follows its `-->`s.

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a"):gsub("\r\n", "\n")
  file:close()
  return text
end

-- The blocks that run, each with the line it begins at.
local function examples(text)
  local found = {}
  local number = 0
  local block
  local marked = false
  for line in text:gmatch("([^\n]*)\n") do
    number = number + 1
    if block and line == "```" then
      found[#found + 1] = block
      block = nil
    elseif block then
      block.lines[#block.lines + 1] = line
    elseif marked and line == "```lua" then
      block = { line = number + 1, lines = {} }
    end
    marked = line == "<!-- runs -->"
  end
  return found
end

-- What the comments `--> text` say that the block prints, in order.
local function expected(block)
  local out = {}
  for _, line in ipairs(block.lines) do
    out[#out + 1] = line:match("%-%-> (.*)$")
  end
  return out
end

local function run(path, block)
  local out = {}
  local function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    out[#out + 1] = table.concat(words, " ")
  end
  local env = setmetatable({ print = print }, { __index = _G })
  -- Blank lines before it, so that an error names its line.
  local source = ("\n"):rep(block.line - 1) .. table.concat(block.lines, "\n")
  local chunk
  if setfenv then -- Lua 5.1
    chunk = setfenv(assert(loadstring(source, "=" .. path)), env)
  else
    chunk = assert(load(source, "=" .. path, "t", env))
  end
  chunk()
  return out
end

local function runExamples(path, blocks)
  for _, block in ipairs(blocks) do
    it("prints what the example of line " .. block.line .. " says", function()
      assert.same(expected(block), run(path, block))
    end)
  end
end

describe("README.md", function()
  local blocks = examples(contents "README.md")

  it("has an example that runs within its first 30 lines", function()
    assert.is_true(blocks[1].line + #blocks[1].lines <= 30)
  end)

  it("has at most 300 lines", function()
    assert.is_true(select(2, contents("README.md"):gsub("\n", "")) <= 300)
  end)

  runExamples("README.md", blocks)
end)

for _, path in ipairs { "lua/README.md", "examples/README.md" } do
  describe(path, function()
    local blocks = examples(contents(path))

    it("has examples that run", function()
      assert.is_true(#blocks >= 1)
    end)

    runExamples(path, blocks)
  end)
end
