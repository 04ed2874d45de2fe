-- The description of an actor in errors: its number in the order of adding, its name, group and
-- place. Fields are read raw, along the chain of __index tables, since an __index function may be
-- what has raised.

local core = require "collide.core"
local check = require "collide.check"

local type, rawget = type, rawget
local describe, isShape = core.describe, core.isShape

local M = {}

-- The longest chain of __index tables in which a field is looked up.
local MOST = 8

local function raw(object, key)
  for _ = 1, MOST do
    local value = rawget(object, key)
    if value ~= nil then return value end
    local meta = debug.getmetatable(object)
    object = type(meta) == "table" and rawget(meta, "__index")
    if type(object) ~= "table" then return nil end
  end
end

-- The number of an actor in the order of adding, or nil if it is not in the world.
local function placeOf(world, actor)
  local slot, place = world._slots[actor], 0
  if not slot then return nil end
  for i = 1, slot do
    if world._actors[i] then place = place + 1 end
  end
  return place
end

--- Describes an actor for errors, such as: actor 3 "boss" (group "foe", at 10, 20). The number is
--- its index in world:actors(), if it is there.
---@param world collide.World whose names of fields are used
---@return string
function M.is(world, actor)
  local names = world._names
  local place, name = placeOf(world, actor), names.name and raw(actor, names.name)
  local group = names.group and raw(actor, names.group)
  local text = "actor"
  if place then text = ("%s %d"):format(text, place) end
  if type(name) == "string" then
    text = ("%s %s"):format(text, describe(name):match("^string (.*)$"))
  elseif type(name) == "number" then
    text = ("%s %s"):format(text, describe(name, true))
  end
  local at = ("at %s, %s"):format(describe(raw(actor, names.x), true),
    describe(raw(actor, names.y), true))
  if type(group) == "string" then
    return ("%s (group %s, %s)"):format(text, describe(group):match("^string (.*)$"), at)
  end
  return ("%s (%s)"):format(text, at)
end

--- Whether a value is a table with a shape, and so can be an actor of some world.
function M.isActor(world, value)
  return type(value) == "table" and isShape(raw(value, world._names.shape))
end

--- Raises an error: field `name` of an actor is not as expected.
function M.fail(fn, world, actor, name, expected, got, hint)
  check.fail(("%s: %s"):format(fn, M.is(world, actor)), name, expected, got, hint)
end

return M
