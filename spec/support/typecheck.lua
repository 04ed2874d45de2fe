-- Checks calls, fields and options against annotations, in place of a language server. Like one, it
-- reports nothing where it does not know a type.
local annotations = require "spec.support.annotations"
local parser = require "spec.support.luaparser"
local rules = require "spec.support.typerules"

local M = {}

local function named(name) return { kind = "name", name = name } end
local ANY, STRING = rules.ANY, rules.STRING
local NUMBER, BOOLEAN = named "number", named "boolean"
local NIL, INTEGER = named "nil", named "integer"

local Checker = setmetatable({}, { __index = rules })
Checker.__index = Checker

function Checker:complain(line, text, ...)
  table.insert(self.complaints, ("%s:%d: "):format(self.path, line) .. text:format(...))
end

-- Variables -------------------------------------------------------------------------------

function Checker:declare(name, type) self.scope.names[name] = type end

function Checker:lookUp(name)
  local scope = self.scope
  while scope do
    if scope.names[name] then return scope.names[name] end
    scope = scope.outer
  end
  return ANY
end

function Checker:block(block, names)
  self.scope = { names = names or {}, outer = self.scope }
  for _, statement in ipairs(block) do self:statement(statement) end
  self.scope = self.scope.outer
end

-- Expressions -----------------------------------------------------------------------------

local Expressions = {}

-- The type of an expression. `wanted` is the type that is expected there, if it is known.
function Checker:type(node, wanted)
  local types = self:types(node, wanted)
  return types[1] or NIL
end

function Checker:types(node, wanted)
  local types = Expressions[node.kind](self, node, wanted)
  return types.kind and { types } or types
end

Expressions["nil"] = function() return NIL end
Expressions["true"] = function() return BOOLEAN end
Expressions["false"] = function() return BOOLEAN end
Expressions["..."] = function() return ANY end
function Expressions.number() return NUMBER end
function Expressions.string(_, node) return { kind = "literal", value = node.value } end
function Expressions.name(self, node) return self:lookUp(node.name) end
function Expressions.parentheses(self, node, wanted) return self:type(node.inner, wanted) end

function Expressions.unary(self, node)
  self:type(node.operand)
  return node.operator == "not" and BOOLEAN or node.operator == "#" and INTEGER or NUMBER
end

local COMPARES = { ["<"] = true, [">"] = true, ["<="] = true, [">="] = true, ["=="] = true,
  ["~="] = true }

function Expressions.binary(self, node, wanted)
  local operator = node.operator
  local left, right = self:type(node.left, wanted), self:type(node.right, wanted)
  if operator == "and" then return right.name == "boolean" and BOOLEAN or right end
  if operator == "or" then
    if left.name == "any" or right.name == "any" then return ANY end
    if left.name == "boolean" then return right end -- `a and b or c`
    return annotations.union { left, right }
  end
  if COMPARES[operator] then return BOOLEAN end
  if operator == ".." then return STRING end
  for _, operand in ipairs { left, right } do
    local class = self:classOf(operand)
    if class or operand.kind == "fun" or operand.name == "boolean" then
      self:complain(node.line, "arithmetic on %s", annotations.show(operand))
    end
  end
  return NUMBER
end

-- A function's parameters get the types of the expected function.
Expressions["function"] = function(self, node, wanted)
  local fun = self:only(wanted, function(t) return t.kind == "fun" end)
  local names, returns = {}, self.returns
  for i, name in ipairs(node.params) do
    local param = fun and fun.params[i]
    if param then names[name] = param.type else names[name] = ANY end
  end
  self.returns = fun and #fun.returns > 0 and fun.returns or nil
  self:block(node.body, names)
  self.returns = returns
  return { kind = "fun", params = {}, returns = {}, open = true }
end

-- A table where an object of a class is expected may have only the fields of that class.
function Expressions.table(self, node, wanted)
  local record = { kind = "record", fields = {} }
  local goal = self:only(wanted, function(t)
    return t.kind == "array" or t.kind == "name" and (self.db.classes[t.name] ~= nil or t.args)
  end)
  local class = goal and self:classOf(goal)
  for _, item in ipairs(node.items) do
    local key = item.key and item.key.kind == "string" and item.key.value
    local field = class and key and annotations.field(self.db, class.name, key)
    local element = goal and (goal.of or goal.args and goal.args[2])
    local expected = field and field.type or not key and element or nil
    local type = self:type(item.value, expected)
    if item.key and not key then
      self:type(item.key)
    elseif key then
      record.fields[key] = type
      if class and not field and not self:hasIndex(class) and #node.items > 0 then
        self:complain(item.line, "%s has no field %s", class.name, key)
      end
    else
      record.items = type
    end
    if expected and not self:fits(type, expected) then
      self:complain(item.line, "%s%s expected, got %s", key and key .. ": " or "",
        annotations.show(expected), annotations.show(type))
      if key then record.fields[key] = ANY else record.items = nil end
    end
  end
  if class and not self.isPartial then self:checkComplete(node, record, class) end
  return record
end

-- Checks that a table has all required fields of its class.
function Checker:checkComplete(node, record, class)
  for name, field in pairs(class.fields) do
    local isNeeded = not field.isFunction and not annotations.isOptional(self:resolve(field.type))
    if isNeeded and not record.fields[name] then
      self:complain(node.line, "%s lacks %s", class.name, name)
    end
  end
  for _, parent in ipairs(class.parents) do
    self:checkComplete(node, record, self.db.classes[parent])
  end
end

function Checker:fieldOf(object, name, line)
  local type = self:only(object, function(t)
    return t.kind == "record" or t.kind == "array" or self:classOf(t)
  end)
  if not type or not name then return type and type.kind == "array" and type.of or ANY end
  if type.kind == "record" then return type.fields[name] or ANY end
  local class = self:classOf(type)
  if not class then return ANY end
  local field = annotations.field(self.db, class.name, name)
  if field then return field.type end
  if not self:hasIndex(class) and not name:find "^__" then
    self:complain(line, "%s has no %s", class.name, name)
  end
  return ANY
end

function Expressions.index(self, node)
  local key = node.key.kind == "string" and node.key.value
  if not key then self:type(node.key) end
  local object = self:type(node.object)
  return self:fieldOf(object, key, node.line)
end

-- Calls -----------------------------------------------------------------------------------

-- Checks a call of one function; returns its results.
function Checker:try(node, fun, name)
  local generics, bound = fun.generics or {}, {}
  local params, given, count = fun.params, node.arguments, 0
  local first = 1
  if params[1] and params[1].name == "self" then first = 2 end
  if fun.open then first = 1 end
  local types = {}
  for i, argument in ipairs(given) do
    local param = params[first + i - 1] or params[#params] and params[#params].name == "..."
      and params[#params]
    local wanted = param and rules.generic(param.type, generics)
    local list = self:types(argument, wanted)
    for k = 1, i == #given and math.max(1, #list) or 1 do
      count = count + 1
      types[count] = list[k] or NIL
    end
    if i == #given and (argument.kind == "call" or argument.kind == "...") then
      types.isOpen = true
    end
  end
  if fun.open then return {} end
  local last = params[#params]
  local most = last and last.name == "..." and math.huge or #params - first + 1
  if #given > most then
    self:complain(node.line, "%s takes %d arguments, got %d", name, most, #given)
  end
  for i = 1, math.min(most, math.max(count, #params - first + 1)) do
    local param = params[math.min(first + i - 1, #params)]
    local wanted, type = rules.generic(param.type, generics), types[i]
    if not type then
      local isOptional = param.name == "..." or annotations.isOptional(self:resolve(wanted))
      if not (isOptional or types.isOpen) then
        self:complain(node.line, "%s: %s is missing", name, param.name)
      end
    elseif i > #given and types.isOpen or self:fits(type, wanted) then
      local member = self:only(wanted, function(t) return t.kind == "generic" end)
      if member then bound[member.name] = type end
    else
      self:complain(node.line, "%s: %s expected (%s), got %s", name, param.name,
        annotations.show(wanted), annotations.show(type))
    end
  end
  local results = {}
  for i, result in ipairs(fun.returns) do
    results[i] = result.kind == "name" and bound[result.name] or result
  end
  return results
end

-- Checks a call of a function with overloads: takes the one that fits; if none does, reports the
-- errors of the first.
function Checker:call(node, fun, name)
  local kept = self.complaints
  local results, complaints
  for i = 0, #(fun.overloads or {}) do
    self.complaints = {}
    local found = self:try(node, i == 0 and fun or fun.overloads[i], name)
    if #self.complaints == 0 then
      self.complaints = kept
      return found
    end
    results, complaints = results or found, complaints or self.complaints
  end
  self.complaints = kept
  for _, text in ipairs(complaints) do table.insert(kept, text) end
  return results
end

-- Lua's functions that determine types.
local KNOWN = {}

function KNOWN.require(self, node)
  local name = node.arguments[1] and node.arguments[1].value
  return name and self.db.modules[name] and named(self.db.modules[name]) or ANY
end

function KNOWN.ipairs(self, node)
  local list = self:only(self:type(node.arguments[1]), function(t)
    return t.kind == "array" or t.kind == "record"
  end)
  return { { kind = "fun", params = {}, open = true,
    returns = { INTEGER, list and (list.of or list.items) or ANY } } }
end

-- A table with a class as metatable is an object of the class.
function KNOWN.setmetatable(self, node)
  local class = node.arguments[2] and self:type(node.arguments[2])
  local of = class and self:classOf(class)
  local isPartial = self.isPartial
  self.isPartial = true -- it may get some fields later
  self:type(node.arguments[1], of and class)
  self.isPartial = isPartial
  return of and class or ANY
end

function Expressions.call(self, node)
  local known = node.object.kind == "name" and not node.method and KNOWN[node.object.name]
  if known and self:lookUp(node.object.name) == ANY then return known(self, node) end
  local object = self:type(node.object)
  local fun = node.method and self:fieldOf(object, node.method, node.line) or object
  fun = self:only(fun, function(t) return t.kind == "fun" end)
  if not fun then
    for _, argument in ipairs(node.arguments) do self:type(argument) end
    return ANY
  end
  local name = node.method or node.object.key and node.object.key.value or node.object.name or "it"
  if fun.method and not node.method then
    self:complain(node.line, "%s is called with a dot: it takes a colon", name)
    return ANY
  end
  local results = self:call(node, fun, name)
  return fun.open and ANY or results
end

-- Statements ------------------------------------------------------------------------------

-- The types of n values of a list of expressions.
function Checker:values(nodes, n, wanted)
  local types = {}
  for i, node in ipairs(nodes) do
    local list = self:types(node, wanted and wanted[i])
    for k = 1, i == #nodes and math.max(n - i + 1, 1) or 1 do
      types[i + k - 1] = list[k] or (list[1] == ANY and ANY) or (k > 1 and ANY) or NIL
    end
  end
  return types
end

local Statements = {}

function Checker:statement(node)
  if node.kind == "call" then self:types(node) else Statements[node.kind](self, node) end
end

Statements["local"] = function(self, node)
  local class = self.bound[node.line]
  if node.isFunction then self:declare(node.names[1], ANY) end
  local types = self:values(node.values, #node.names)
  for i, name in ipairs(node.names) do
    self:declare(name, class and i == 1 and named(class) or self:kept(types[i] or ANY))
  end
end

function Statements.assign(self, node)
  local wanted = {}
  for i, target in ipairs(node.targets) do
    if not node.declared then
      local type = target.kind == "index" and self:type(target)
      wanted[i] = type and type.name ~= "any" and type or nil
    elseif target.kind == "index" then
      local class = self:classOf(self:type(target.object))
      local field = class and annotations.field(self.db, class.name, target.key.value)
      wanted[i] = field and field.type
      if wanted[i] and wanted[i].method then -- what a class's own method gets
        local fun = { kind = "fun", returns = wanted[i].returns,
          params = { { name = "self", type = named(class.name) } } }
        for k, param in ipairs(wanted[i].params) do fun.params[k + 1] = param end
        wanted[i] = fun
      end
    end
  end
  local types = self:values(node.values, #node.targets, wanted)
  for i, target in ipairs(node.targets) do
    local type = types[i] or ANY
    if wanted[i] and type.name ~= "nil" and not self:fits(type, wanted[i]) then
      self:complain(target.line, "%s expected, got %s", annotations.show(wanted[i]),
        annotations.show(type))
    elseif target.kind == "index" and target.key.kind == "string" then
      local object = self:type(target.object)
      if object.kind == "record" and not object.fields[target.key.value] then
        object.fields[target.key.value] = self:kept(type)
      end
    end
  end
end

Statements["if"] = function(self, node)
  for _, clause in ipairs(node.clauses) do
    if clause.condition then self:type(clause.condition) end
    self:block(clause.body)
  end
end

Statements["while"] = function(self, node)
  self:type(node.condition)
  self:block(node.body)
end

Statements["repeat"] = function(self, node)
  self:block(node.body)
end

Statements["do"] = function(self, node) self:block(node.body) end

Statements["for"] = function(self, node)
  local names = {}
  if node.from then
    for _, value in ipairs(node.from) do self:type(value) end
    names[node.names[1]] = NUMBER
  else
    local loop = self:values(node.iterator, 1)[1]
    local fun = self:only(loop, function(t) return t.kind == "fun" end)
    for i, name in ipairs(node.names) do names[name] = fun and fun.returns[i] or ANY end
  end
  self:block(node.body, names)
end

Statements["return"] = function(self, node)
  local types = self:values(node.values, #node.values, self.returns)
  for i, type in ipairs(types) do
    local wanted = self.returns and self.returns[i]
    if wanted and type.name ~= "nil" and not self:fits(type, wanted) then
      self:complain(node.line, "%s expected, got %s", annotations.show(wanted),
        annotations.show(type))
    end
  end
end

Statements["break"] = function() end

--- The complaints about a text of Lua, as "path:line: …".
---@param db table of annotations, as annotations.read gives it; those of the text are in it
---@param path string the name in messages
---@param text string
---@param bound table? by line: the class of the local that it declares
---@return string[]
function M.check(db, path, text, bound)
  local self = setmetatable({ db = db, path = path, complaints = {}, bound = bound or {} }, Checker)
  self:block(parser.parse(text))
  return self.complaints
end

return M
