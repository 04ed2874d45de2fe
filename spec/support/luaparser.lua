-- A parser of Lua 5.1, to read the sources; words that later Luas reserve are not names. A node is
-- a table with its kind, its line, and its parts, which are described below for each kind.

local M = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function if in local nil not or repeat return
  then true until while goto global]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

-- Tokens: kind is "name", "number", "string", "end", or the keyword or symbol itself.

local SYMBOLS = { "^%.%.%.", "^[=~<>]=", "^%.%.", "^[%+%-%*/%%%^#<>=%(%){}%[%];:,%.]" }

local function tokensOf(text)
  local tokens, at, line = {}, 1, 1
  local function skip(to)
    for _ in text:sub(at, to):gmatch "\n" do line = line + 1 end
    at = to + 1
  end
  local function add(kind, value, to)
    tokens[#tokens + 1] = { kind = kind, value = value, line = line }
    if kind == "string" then skip(to) else at = to + 1 end
  end
  while true do
    local blank = text:match("^[ \n]+", at)
    if blank then skip(at + #blank - 1) end
    if at > #text then break end
    local name = text:match("^[%a_][%w_]*", at)
    local first = text:sub(at, at)
    local comment = first == "-" and text:sub(at + 1, at + 1) == "-"
    local from = comment and at + 2 or at
    local level = (comment or first == "[") and text:match("^%[(=*)%[", from)
    local number = not name and text:find("^%.?%d", at) and (text:match("^0[xX]%x+", at)
      or text:match("^%d+%.?%d*[eE][%+%-]?%d+", at) or text:match("^%d+%.?%d*", at)
      or text:match("^%.%d+", at))
    if level then
      local closing = "]" .. level .. "]"
      local start, stop = text:find(closing, from, true)
      assert(start, "a long text without an end")
      local value = text:sub(from + #level + 2, start - 1)
      if comment then skip(stop) else add("string", value, stop) end
    elseif comment then
      skip((text:find("\n", at, true) or #text + 1) - 1)
    elseif number then
      add("number", tonumber(number), at + #number - 1)
    elseif name then
      add(KEYWORDS[name] and name or "name", name, at + #name - 1)
    elseif text:find("^[\"']", at) then
      local quote, stop = text:sub(at, at), at + 1
      while text:sub(stop, stop) ~= quote do
        assert(stop <= #text, "a text without an end")
        stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1)
      end
      add("string", text:sub(at + 1, stop - 1), stop)
    else
      local symbol
      for _, pattern in ipairs(SYMBOLS) do symbol = symbol or text:match(pattern, at) end
      add(assert(symbol, "line " .. line .. ": no token"), nil, at + #symbol - 1)
    end
  end
  tokens[#tokens + 1] = { kind = "end of file", line = line }
  return tokens
end

local Parser = {}
Parser.__index = Parser

function Parser:peek() return self.tokens[self.at].kind end

function Parser:take(kind)
  local token = self.tokens[self.at]
  if token.kind ~= kind then return nil end
  self.at = self.at + 1
  return token
end

function Parser:expect(kind)
  local token = self.tokens[self.at]
  return self:take(kind)
    or error(("%d: %s expected, got %s"):format(token.line, kind, token.kind), 0)
end

function Parser:node(kind, parts)
  parts = parts or {}
  parts.kind, parts.line = kind, parts.line or self.tokens[self.at].line
  return parts
end

local parseBlock, parseExpression

local function parseList(self)
  local list = { parseExpression(self) }
  while self:take "," do list[#list + 1] = parseExpression(self) end
  return list
end

-- function: params (names, "..." among them), body
local function parseFunction(self, hasSelf)
  local node = self:node("function", { params = {} })
  if hasSelf then node.params[1] = "self" end
  self:expect "("
  while self:peek() ~= ")" do
    local token = self:take "..." or self:expect "name"
    node.params[#node.params + 1] = token.value or "..."
    if not self:take "," then break end
  end
  self:expect ")"
  node.body = parseBlock(self)
  self:expect "end"
  return node
end

-- table: items of { key (an expression, or nil in a list), value }
local function parseTable(self)
  local node = self:node("table", { items = {} })
  self:expect "{"
  while self:peek() ~= "}" do
    local item = { line = self.tokens[self.at].line }
    if self:take "[" then
      item.key = parseExpression(self)
      self:expect "]"
      self:expect "="
    elseif self:peek() == "name" and self.tokens[self.at + 1].kind == "=" then
      item.key = self:node("string", { value = self:expect("name").value })
      self:expect "="
    end
    item.value = parseExpression(self)
    node.items[#node.items + 1] = item
    if not (self:take "," or self:take ";") then break end
  end
  self:expect "}"
  return node
end

local function parseArguments(self)
  if self:peek() == "string" then
    return { self:node("string", { value = self:expect("string").value }) }
  elseif self:peek() == "{" then
    return { parseTable(self) }
  end
  self:expect "("
  local list = self:peek() == ")" and {} or parseList(self)
  self:expect ")"
  return list
end

local CALLS = { ["("] = true, ["{"] = true, string = true }

-- name: name. index: object, key. call: object, arguments; of a method also its name.
local function parsePrefix(self)
  local node
  if self:take "(" then
    node = self:node("parentheses", { inner = parseExpression(self) })
    self:expect ")"
  else
    local token = self:expect "name"
    node = self:node("name", { name = token.value, line = token.line })
  end
  while true do
    local line = self.tokens[self.at].line
    if self:take "." then
      local key = self:node("string", { value = self:expect("name").value })
      node = self:node("index", { object = node, key = key, line = line })
    elseif self:take "[" then
      node = self:node("index", { object = node, key = parseExpression(self), line = line })
      self:expect "]"
    elseif self:take ":" then
      local name = self:expect("name").value
      node = self:node("call", { object = node, method = name, arguments = parseArguments(self),
        line = line })
    elseif CALLS[self:peek()] then
      node = self:node("call", { object = node, arguments = parseArguments(self), line = line })
    else
      return node
    end
  end
end

local CONSTANTS = { ["nil"] = true, ["true"] = true, ["false"] = true, ["..."] = true }

local function parseSimple(self)
  local kind = self:peek()
  if CONSTANTS[kind] then
    self.at = self.at + 1
    return self:node(kind)
  elseif kind == "number" or kind == "string" then
    return self:node(kind, { value = self:expect(kind).value })
  elseif kind == "function" then
    self.at = self.at + 1
    return parseFunction(self)
  elseif kind == "{" then
    return parseTable(self)
  end
  return parsePrefix(self)
end

local LEVELS = { ["or"] = { 1, 1 }, ["and"] = { 2, 2 }, ["<"] = { 3, 3 }, [">"] = { 3, 3 },
  ["<="] = { 3, 3 }, [">="] = { 3, 3 }, ["~="] = { 3, 3 }, ["=="] = { 3, 3 }, [".."] = { 5, 4 },
  ["+"] = { 6, 6 }, ["-"] = { 6, 6 }, ["*"] = { 7, 7 }, ["/"] = { 7, 7 }, ["%"] = { 7, 7 },
  ["^"] = { 10, 9 } }
local UNARY = { ["not"] = true, ["-"] = true, ["#"] = true }

-- unary: operator, operand. binary: operator, left, right.
function parseExpression(self, least)
  least = least or 0
  local left
  if UNARY[self:peek()] then
    local operator = self:peek()
    self.at = self.at + 1
    left = self:node("unary", { operator = operator, operand = parseExpression(self, 8) })
  else
    left = parseSimple(self)
  end
  while true do
    local operator = self:peek()
    local level = LEVELS[operator]
    if not level or level[1] <= least then return left end
    self.at = self.at + 1
    left = self:node("binary", { operator = operator, left = left,
      right = parseExpression(self, level[2]) })
  end
end

-- Statements ------------------------------------------------------------------------------

local Statements = {}

Statements["if"] = function(self)
  local node = self:node("if", { clauses = {} })
  repeat
    local condition = parseExpression(self)
    self:expect "then"
    table.insert(node.clauses, { condition = condition, body = parseBlock(self) })
  until not self:take "elseif"
  if self:take "else" then table.insert(node.clauses, { body = parseBlock(self) }) end
  self:expect "end"
  return node
end

Statements["while"] = function(self)
  local node = self:node("while", { condition = parseExpression(self) })
  self:expect "do"
  node.body = parseBlock(self)
  self:expect "end"
  return node
end

Statements["do"] = function(self)
  local node = self:node("do", { body = parseBlock(self) })
  self:expect "end"
  return node
end

-- for: names, and either from (a list of two or three) or iterator (a list)
Statements["for"] = function(self)
  local node = self:node("for", { names = { self:expect("name").value } })
  if self:take "=" then
    node.from = parseList(self)
  else
    while self:take "," do table.insert(node.names, self:expect("name").value) end
    self:expect "in"
    node.iterator = parseList(self)
  end
  self:expect "do"
  node.body = parseBlock(self)
  self:expect "end"
  return node
end

Statements["repeat"] = function(self)
  local node = self:node("repeat", { body = parseBlock(self) })
  self:expect "until"
  node.condition = parseExpression(self)
  return node
end

-- assign: targets, values; `declared` if the values are functions by name
Statements["function"] = function(self)
  local token = self:expect "name"
  local target = self:node("name", { name = token.value, line = token.line })
  local isMethod = false
  while self:peek() == "." or self:peek() == ":" do
    isMethod = self:peek() == ":"
    self.at = self.at + 1
    local key = self:node("string", { value = self:expect("name").value })
    target = self:node("index", { object = target, key = key, line = token.line })
  end
  return self:node("assign", { targets = { target }, declared = true, line = token.line,
    values = { parseFunction(self, isMethod) } })
end

-- local: names, values
Statements["local"] = function(self)
  if self:take "function" then
    local token = self:expect "name"
    return self:node("local", { names = { token.value }, values = { parseFunction(self) },
      line = token.line, isFunction = true })
  end
  local node = self:node("local", { names = { self:expect("name").value } })
  while self:take "," do table.insert(node.names, self:expect("name").value) end
  node.values = self:take "=" and parseList(self) or {}
  return node
end

local ENDS = { ["end"] = true, ["else"] = true, ["elseif"] = true, ["until"] = true,
  ["end of file"] = true }

-- return: values
Statements["return"] = function(self)
  local node = self:node("return", { values = {} })
  if not ENDS[self:peek()] and self:peek() ~= ";" then node.values = parseList(self) end
  self:take ";"
  return node
end

Statements["break"] = function(self) return self:node "break" end

function parseBlock(self)
  local block = {}
  while not ENDS[self:peek()] do
    local kind = self:peek()
    if Statements[kind] then
      self.at = self.at + 1
      block[#block + 1] = Statements[kind](self)
    else
      local first = parsePrefix(self)
      if first.kind == "call" and self:peek() ~= "=" and self:peek() ~= "," then
        block[#block + 1] = first
      else
        local targets = { first }
        while self:take "," do targets[#targets + 1] = parsePrefix(self) end
        self:expect "="
        block[#block + 1] = self:node("assign", { targets = targets, values = parseList(self),
          line = first.line })
      end
    end
    self:take ";"
  end
  return block
end

--- Parses a text of Lua to a block of statements.
---@param text string
---@return table
function M.parse(text)
  local self = setmetatable({ tokens = tokensOf((text:gsub("^#[^\n]*", ""))), at = 1 }, Parser)
  local block = parseBlock(self)
  self:expect "end of file"
  return block
end

return M
