-- The examples of each README.md work as written. Each block of Lua under the comment <!-- runs -->
-- is run, and must print the texts after its `-->`s.

local readme = require "spec.support.readme"
local unpack = table.unpack or unpack -- luacheck: ignore

local function run(path, block)
  local out = {}
  local function print(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    out[#out + 1] = table.concat(words, " ")
  end
  local env = setmetatable({ print = print }, { __index = _G })
  -- Blank lines come before it, so that errors have the line numbers of the document.
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
      assert.same(readme.expected(block), run(path, block))
    end)
  end
end

describe("README.md", function()
  local blocks, lines = readme.examples "README.md"

  it("has an example that runs within its first 30 lines", function()
    assert.is_true(blocks[1].line + #blocks[1].lines <= 30)
  end)

  it("has at most 250 lines", function()
    assert.is_true(lines <= 250)
  end)

  runExamples("README.md", blocks)
end)

describe("examples/cookbook.md", function()
  it("has programs of at most 40 lines", function()
    for _, block in ipairs(readme.examples "examples/cookbook.md") do
      assert.is_true(#block.lines <= 40, ("line %d: %d lines"):format(block.line, #block.lines))
    end
  end)
end)

for _, path in ipairs { unpack(readme.DOCUMENTS, 2) } do
  describe(path, function()
    local blocks = readme.examples(path)

    it("has examples that run", function()
      assert.is_true(#blocks >= 1)
    end)

    runExamples(path, blocks)
  end)
end
