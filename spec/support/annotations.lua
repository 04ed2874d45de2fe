-- Reads the annotations of Lua files (---@class, @field, @param, @return …) as language servers
-- do: classes with their fields and methods, and aliases.
--
-- A type is a table with a kind: name (of a class, alias or Lua's own type, with `args`), union,
-- array, fun, literal (text, true, false).

local sources = require "spec.support.sources"

local M = {}

-- Types as text ---------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader

local function readerOf(text)
  return setmetatable({ text = text, at = 1 }, Reader)
end

function Reader:skip()
  self.at = self.text:find("%S", self.at) or #self.text + 1
end

-- Takes the text at this place if it matches the pattern.
function Reader:take(pattern)
  self:skip()
  local from, to = self.text:find("^" .. pattern, self.at)
  if not from then return nil end
  self.at = to + 1
  return self.text:sub(from, to)
end

function Reader:expect(pattern, what)
  return self:take(pattern)
    or error(("%s expected at %q"):format(what, self.text:sub(self.at)), 0)
end

local NIL = { kind = "name", name = "nil" }

function M.union(types)
  if #types == 1 then return types[1] end
  local flat = { kind = "union" }
  for _, t in ipairs(types) do
    for _, member in ipairs(t.kind == "union" and t or { t }) do flat[#flat + 1] = member end
  end
  return flat
end

local readType

local function readParams(reader)
  local params = {}
  if reader:take "%)" then return params end
  repeat
    local name = reader:expect("%.?%.?[%.%a_][%w_]*", "name of a parameter")
    local optional = reader:take "%?" ~= nil
    local type = reader:take ":" and readType(reader) or { kind = "name", name = "any" }
    params[#params + 1] = { name = name, type = optional and M.union { type, NIL } or type }
  until not reader:take ","
  reader:expect("%)", ")")
  return params
end

local function readReturns(reader)
  local returns = {}
  if not reader:take ":" then return returns end
  repeat returns[#returns + 1] = readType(reader) until not reader:take ","
  return returns
end

local function readPrimary(reader)
  if reader:take "fun%f[^%w_]" then
    reader:expect("%(", "(")
    return { kind = "fun", params = readParams(reader), returns = readReturns(reader) }
  elseif reader:take "%(" then
    local type = readType(reader)
    reader:expect("%)", ")")
    return type
  end
  local literal = reader:take '"[^"]*"'
  if literal then return { kind = "literal", value = literal:sub(2, -2) } end
  local name = reader:expect("[%a_][%w_]*[%.%w_%*]*", "type")
  local type = { kind = "name", name = name }
  if reader:take "<" then
    type.args = {}
    repeat type.args[#type.args + 1] = readType(reader) until not reader:take ","
    reader:expect(">", ">")
  end
  return type
end

function readType(reader)
  local members = {}
  repeat
    local type = readPrimary(reader)
    while true do
      if reader.text:find("^%[%]", reader.at) then
        reader.at = reader.at + 2
        type = { kind = "array", of = type }
      elseif reader.text:find("^%?", reader.at) then
        reader.at = reader.at + 1
        type = M.union { type, NIL }
      else
        break
      end
    end
    members[#members + 1] = type
  until not reader:take "|"
  return M.union(members)
end

--- The type that a text begins with, and the text after it.
function M.parse(text)
  local reader = readerOf(text)
  local type = readType(reader)
  reader:skip()
  return type, text:sub(reader.at)
end

--- A type as text.
function M.show(type)
  if type.kind == "literal" then return ("%q"):format(type.value) end
  if type.kind == "array" then return M.show(type.of) .. "[]" end
  if type.kind == "fun" then return "function" end
  if type.kind ~= "union" then return type.name or type.kind end
  local list = {}
  for i, member in ipairs(type) do list[i] = M.show(member) end
  return table.concat(list, "|")
end

-- Files -----------------------------------------------------------------------------

local Tags = {}

local function classOf(db, name)
  db.classes[name] = db.classes[name] or { name = name, parents = {}, fields = {} }
  return db.classes[name]
end

function Tags.class(db, state, text)
  local name, parents = text:match "^([%w_%.]+)%s*:?%s*(.*)$"
  local class = classOf(db, name)
  for parent in parents:gmatch "[%w_%.]+" do class.parents[#class.parents + 1] = parent end
  state.class = class
end

function Tags.field(_, state, text)
  local class = assert(state.class, "a @field without a @class")
  local index, rest = text:match "^%[(.-)%]%s+(.*)$"
  if index then
    assert(index == "string", "only [string] is known")
    class.index = M.parse(rest)
    return
  end
  local name, mark, after = text:match "^([%a_][%w_]*)(%??)%s+(.*)$"
  assert(name, "a name and a type expected")
  assert(not class.fields[name], name .. " is there twice")
  local type, about = M.parse(after)
  if mark == "?" then type = M.union { type, NIL } end
  class.fields[name] = { type = type, about = about, where = state.where }
end

function Tags.alias(db, state, text)
  local name, rest = text:match "^([%w_%.]+)%s+(.*)$"
  assert(name, "a name and a type expected")
  assert(not db.aliases[name], name .. " is there twice")
  db.aliases[name] = { type = M.parse(rest), where = state.where }
end

function Tags.param(_, state, text)
  local name, mark, rest = text:match "^([%.%w_]+)(%??)%s+(.*)$"
  assert(name, "a name and a type expected")
  local type = M.parse(rest)
  if mark == "?" then type = M.union { type, NIL } end
  table.insert(state.params, { name = name, type = type })
end

Tags["return"] = function(_, state, text)
  repeat
    local type, rest = M.parse(text)
    local name, after = rest:match "^([%a_%.][%w_%.]*)(.*)$"
    table.insert(state.returns, { type = type, name = name })
    text = (after or rest):match "^%s*,%s*(.*)$"
  until not text
end

function Tags.generic(_, state, text)
  local name, bound = text:match "^([%w_]+)%s*:?%s*(.*)$"
  state.generics[name] = bound == "" and true or M.parse(bound)
end

function Tags.overload(_, state, text)
  table.insert(state.overloads, (M.parse(text)))
end

function Tags.type() end
function Tags.meta() end

local function fresh(state)
  state.params, state.returns, state.generics, state.overloads = {}, {}, {}, {}
  state.class, state.documented = nil, false
end

-- A function of a class, by the line that begins it.
local function addFunction(state, owner, mark, name, arguments)
  local class = state.bound[owner]
  if not class or name:find "^_" then return end
  local fun = { kind = "fun", params = {}, returns = {}, generics = state.generics,
    overloads = state.overloads, method = mark == ":" }
  local given = {}
  for _, param in ipairs(state.params) do given[param.name] = param.type end
  local order = 0
  for argument in arguments:gmatch "[%w_%.]+" do
    local type = given[argument]
    if #fun.params == 0 and not fun.method and type and type.name == class.name then
      fun.method = true
      order = order + 1
    elseif type then
      order = order + 1
      assert(state.params[order] and state.params[order].name == argument,
        name .. ": @param in another order")
      table.insert(fun.params, { name = argument, type = type })
    elseif argument ~= "..." then
      fun.missing = argument
    end
  end
  assert(order == #state.params, name .. ": more @param than parameters")
  for i, r in ipairs(state.returns) do fun.returns[i] = r.type end
  assert(not class.fields[name], name .. " is there twice")
  class.fields[name] = { type = fun, where = state.where, isFunction = true }
end

local function readLine(db, state, line)
  local tag, text = line:match "^%s*%-%-%-@(%a+)%s*(.-)%s*$"
  if tag then
    state.documented = true
    return assert(Tags[tag], "unknown tag @" .. tag)(db, state, text)
  elseif line:find "^%s*%-%-%-" then
    assert(not state.documented, "an annotation goes on in a second line")
    return
  end
  local name = line:match "^local ([%a_][%w_]*) = "
  if name and state.class then
    state.bound[name] = state.class
    state.locals[state.line] = state.class.name
  end
  local owner, mark, fn, arguments =
    line:match "^function ([%a_][%w_]*)([%.:])([%a_][%w_]*)%((.-)%)"
  if owner then addFunction(state, owner, mark, fn, arguments) end
  local returned = line:match "^return ([%a_][%w_]*)$"
  if returned and state.bound[returned] then
    db.modules[state.module] = state.bound[returned].name
  end
  fresh(state)
end

--- Adds the annotations of a file. A mistake in one raises an error with its line.
---@param db table with classes, aliases, and by module the class of what `require` returns
---@param path string such as lua/collide/world/init.lua
---@param text string
---@return table locals by line, the class of the one that it declares
function M.add(db, path, text)
  local state = { bound = {}, locals = {}, line = 0,
    module = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".") }
  fresh(state)
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    state.line = state.line + 1
    state.where = ("%s:%d"):format(path, state.line)
    local ok, message = pcall(readLine, db, state, line)
    if not ok then error(("%s: %s"):format(state.where, message), 0) end
  end
  return state.locals
end

--- Reads the annotations of files.
---@param paths string[]
function M.read(paths)
  local db = { classes = {}, aliases = {}, modules = {} }
  for _, path in ipairs(paths) do
    M.add(db, path, sources.read(path))
  end
  return db
end

--- The field of a class or of its parents.
function M.field(db, name, field)
  local class = db.classes[name]
  if not class then return nil end
  if class.fields[field] then return class.fields[field] end
  for _, parent in ipairs(class.parents) do
    local found = M.field(db, parent, field)
    if found then return found end
  end
end

--- Whether a type takes nil.
function M.isOptional(type)
  if type.kind == "union" then
    for _, member in ipairs(type) do
      if M.isOptional(member) then return true end
    end
  end
  return type.kind == "name" and (type.name == "nil" or type.name == "any")
end

return M
