-- Reading actors and other placed tables: what counts as a good field, and the
-- messages about bad ones. `names` says under which names a world reads them.

local core = require "collide.core"
local check = require "collide.check"

local type = type

local M = {}

local isShape, isCoordinate, isAngle = core.isShape, check.isCoordinate, check.isAngle

--- The names as they are when a world says nothing else.
M.NAMES = { x = "x", y = "y", angle = "angle", shape = "shape" }

local function failActor(fn, actor, name, expected, got, hint)
  check.fail(("%s: actor %s"):format(fn, tostring(actor)), name, expected, got, hint)
end

--- Raises for a place that has been read as `value` under `name`.
function M.failPlace(fn, actor, names, name, value)
  failActor(fn, actor, name, name == names.angle and check.ANGLE or check.COORDINATE, value)
end

-- The place of an actor.
local function place(fn, actor, names)
  local x, y = actor[names.x], actor[names.y]
  if not isCoordinate(x) then M.failPlace(fn, actor, names, names.x, x) end
  if not isCoordinate(y) then M.failPlace(fn, actor, names, names.y, y) end
  local angle = names.angle and actor[names.angle]
  if angle == nil or not names.angle then
    angle = 0
  elseif not isAngle(angle) then
    M.failPlace(fn, actor, names, names.angle, angle)
  end
  return x, y, angle
end

local function kind(fn, actor, names)
  local shape = actor[names.shape]
  if not isShape(shape) then failActor(fn, actor, names.shape, check.SHAPE, shape) end
  local group = names.group and actor[names.group]
  if group == nil or not names.group then
    group = "default"
  elseif type(group) ~= "string" or group == "*" then
    failActor(fn, actor, names.group, 'string, but not "*"', group)
  end
  local static = names.static and actor[names.static]
  if static == nil or not names.static then
    static = false
  elseif type(static) ~= "boolean" then
    failActor(fn, actor, names.static, "boolean", static)
  end
  return shape, group, static
end

-- Tiles have no insides of their own to be moved or turned: they show a grid.
local function checkTiles(fn, actor, names, static, angle)
  local hint = "its shape is one of tiles"
  if not static then
    failActor(fn, actor, names.static or "static", "true", names.static and actor[names.static],
      hint)
  end
  if angle ~= 0 then failActor(fn, actor, names.angle, "nil or 0", angle, hint) end
end

--- All fields that `add` and `refresh` read; raises for a bad one.
---@return table fields shape, group, static, x, y, angle
function M.actor(fn, actor, names)
  local shape, group, static = kind(fn, actor, names)
  local x, y, angle = place(fn, actor, names)
  if shape:kind() == "tiles" then checkTiles(fn, actor, names, static, angle) end
  return { shape = shape, group = group, static = static, x = x, y = y, angle = angle }
end

--- The actor's method `name`, false or nil; raises when what stands there cannot
--- be called.
function M.method(fn, actor, name)
  local f = actor[name]
  if f and type(f) ~= "function" and not check.isCallable(f) then
    failActor(fn, actor, name, "function", f)
  end
  return f
end

--- Whether the actor has the method `name`, under which the world reads it, if it does.
function M.hasMethod(fn, actor, name)
  return name and M.method(fn, actor, name) and true or false
end

--- Shape, x, y and angle of a placed table, an argument called `arg`.
function M.placed(fn, arg, placed, names)
  if type(placed) ~= "table" then check.table(fn, arg, placed, "table with shape, x and y") end
  local shape = placed[names.shape]
  if not isShape(shape) then check.fail(fn, arg .. "." .. names.shape, check.SHAPE, shape) end
  local x, y = placed[names.x], placed[names.y]
  if not isCoordinate(x) then check.fail(fn, arg .. "." .. names.x, check.COORDINATE, x) end
  if not isCoordinate(y) then check.fail(fn, arg .. "." .. names.y, check.COORDINATE, y) end
  local angle = names.angle and placed[names.angle]
  if angle == nil or not names.angle then return shape, x, y, 0 end
  if not isAngle(angle) then check.fail(fn, arg .. "." .. names.angle, check.ANGLE, angle) end
  return shape, x, y, angle
end

local function checkSame(fn, actor, name, before, now)
  if now == before then return end
  failActor(fn, actor, name, "as it was read, " .. core.describe(before, true), now,
    "world:refresh(actor) reads a change")
end

--- Raises when a field of `seen`, as M.actor gave it, is no longer the same,
--- though it is read only once; of statics that is the place too.
--- `seen.methods` tells of each method whether there was one.
function M.checkUnchanged(fn, actor, names, seen)
  local shape, group, static = kind(fn, actor, names)
  checkSame(fn, actor, names.shape, seen.shape, shape)
  checkSame(fn, actor, names.group, seen.group, group)
  checkSame(fn, actor, names.static, seen.static, static)
  if static then
    local x, y, angle = place(fn, actor, names)
    checkSame(fn, actor, names.x, seen.x, x)
    checkSame(fn, actor, names.y, seen.y, y)
    checkSame(fn, actor, names.angle, seen.angle, angle)
  end
  for field, had in pairs(seen.methods) do
    local name = names[field]
    if M.hasMethod(fn, actor, name) ~= had then
      failActor(fn, actor, name, had and "function, as it was read" or "nil, as it was read",
        actor[name], "world:refresh(actor) reads a change")
    end
  end
end

return M
