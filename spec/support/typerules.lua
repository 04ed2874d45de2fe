-- The rules of types by the annotations: whether one fits another, and the members of a type.
-- `db` of a checker is the result of annotations.lua.
--
-- Types are those of annotations.lua, and also: record (a table of the checked file's own, with
-- `fields`; `items` is the type of its elements), and generic.

local annotations = require "spec.support.annotations"

local Rules = {}

local ANY, STRING = { kind = "name", name = "any" }, { kind = "name", name = "string" }

Rules.ANY, Rules.STRING = ANY, STRING

-- The type that a name stands for.
function Rules:resolve(type)
  local alias = type.kind == "name" and self.db.aliases[type.name]
  return alias and self:resolve(alias.type) or type
end

function Rules:classOf(type)
  type = self:resolve(type)
  return type.kind == "name" and self.db.classes[type.name] or nil
end

local function isClass(db, name, wanted)
  if name == wanted then return true end
  for _, parent in ipairs(db.classes[name] and db.classes[name].parents or {}) do
    if isClass(db, parent, wanted) then return true end
  end
  return false
end

-- The members of a type, without nil.
function Rules:members(type)
  type = self:resolve(type)
  if type.kind ~= "union" then return { type } end
  local list = {}
  for _, member in ipairs(type) do
    for _, each in ipairs(self:members(member)) do
      if each.name ~= "nil" then list[#list + 1] = each end
    end
  end
  return list
end

-- The only member of a type that `accepts` is true for, or nil.
function Rules:only(type, accepts)
  if not type then return nil end
  for _, member in ipairs(self:members(type)) do
    if accepts(member) then return member end
  end
end

local TABLES = { record = true, array = true }

-- Whether a value of one type can be given where another is wanted.
function Rules:fits(type, wanted)
  type, wanted = self:resolve(type), self:resolve(wanted)
  if type.kind == "unknown" or type.name == "any" or wanted.name == "any" then return true end
  if wanted.kind == "generic" then return true end
  if type.kind == "union" then
    for _, member in ipairs(type) do -- nil among the members is not checked
      if member.name ~= "nil" and not self:fits(member, wanted) then return false end
    end
    return true
  elseif wanted.kind == "union" then
    for _, member in ipairs(wanted) do
      if self:fits(type, member) then return true end
    end
    return false
  elseif wanted.kind == "literal" then
    return type.name == "string" or type.kind == "literal" and type.value == wanted.value
  elseif wanted.kind == "fun" or wanted.name == "function" then
    return type.kind == "fun" or type.name == "function"
  elseif wanted.kind == "array" then
    if type.kind == "array" then return self:fits(type.of, wanted.of) end
    return type.name == "table" or type.kind == "record"
      and (not type.items or self:fits(type.items, wanted.of))
  elseif wanted.name == "table" then
    return TABLES[type.kind] or type.name == "table" or self:classOf(type) ~= nil
  elseif self.db.classes[wanted.name] then
    if type.kind == "record" then return self:fitsRecord(type, wanted) end
    return type.name == "table" or isClass(self.db, type.name, wanted.name)
  elseif wanted.name == "number" or wanted.name == "integer" then
    return type.name == "number" or type.name == "integer"
  elseif wanted.name == "string" then
    return type.kind == "literal" or type.name == "string"
  end
  return type.name == wanted.name or type.name == "boolean" and wanted.name == "false"
end

function Rules:fitsRecord(record, wanted)
  if record.items and not self.db.classes[wanted.name].index then return false end
  for name, type in pairs(record.fields) do
    local field = annotations.field(self.db, wanted.name, name)
    if field and not self:fits(type, field.type) then return false end
  end
  return true
end

function Rules:hasIndex(class)
  if class.index then return true end
  for _, parent in ipairs(class.parents) do
    if self:hasIndex(self.db.classes[parent]) then return true end
  end
  return false
end

-- The type with the names of generics replaced by generic types.
function Rules.generic(type, generics)
  if type.kind == "name" and generics[type.name] then
    return { kind = "generic", name = type.name }
  end
  if type.kind ~= "union" then return type end
  local members = {}
  for i, member in ipairs(type) do members[i] = Rules.generic(member, generics) end
  return annotations.union(members)
end

-- The type of a variable that gets a value: a literal becomes its kind, since the variable may
-- change.
function Rules.kept(_, type)
  if type.kind == "literal" then return STRING end
  return (type.name == "nil" or type.open) and ANY or type
end

return Rules
