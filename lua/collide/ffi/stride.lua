-- The usual frame of a character under LuaJIT, while its compiler is on. It does the same as
-- `stride` in csrc/lua/move.c, which explains it, but Lua reads and writes the fields. A frame in
-- which the floor changes to another actor is left to that function. Without LuaJIT or its FFI this
-- module is false.

local require = require "collide.relative"
local accelerator = require "collide.ffi.frame"
if not accelerator then return false end

local check = require "collide.check"
local lock = require "collide.world.lock"
local moves = require "collide.move"
local reader = require "collide.world.reader"

local M = {}

local MOVING = lock.MOVING
local BY_RULES = -1 -- in place of a group
local NO_HITS = check.none "character:move"
local type, next, rawget, rawset = type, next, rawget, rawset
local pcall, error = pcall, error
local RESPONSES = moves.RESPONSES

local function areNumbers(a, b, c)
  return type(a) == "number" and type(b) == "number" and type(c) == "number"
end

-- Writes three fields of a character to `to`, from index `at` on; false if one is not a number.
local function copy(to, at, a, b, c)
  if not areNumbers(a, b, c) then return false end
  to[at], to[at + 1], to[at + 2] = a, b, c
  return true
end

-- Writes the fields of a character for cll_stride of csrc/lua/move.c; false if they are unusual.
local function describe(self, to)
  return copy(to, 0, rawget(self, "snapLength"), rawget(self, "stepHeight"),
      rawget(self, "maxSlope"))
    and copy(to, 3, rawget(self, "_steepAt"), rawget(self, "_steep"), rawget(self, "_size"))
    and copy(to, 6, rawget(self, "_upX"), rawget(self, "_upY"), rawget(self, "_carriedX"))
    and copy(to, 9, rawget(self, "_carriedY"), rawget(self, "floorNx"), rawget(self, "floorNy"))
    and copy(to, 12, rawget(self, "_floorX"), rawget(self, "_floorY"), rawget(self, "_floorAngle"))
    and rawget(self, "up") == nil and rawget(self, "filter") == nil
    and rawget(self, "response") == nil and rawget(self, "_dropped") == nil
end

-- The same for its filter, response and actor.
local function describeMove(world, self, to, actor)
  local group, response = rawget(self, "_filter"), RESPONSES[rawget(self, "_response")]
  if group == nil then group = BY_RULES else group = world._groups[group] end
  return copy(to, 15, world._slots[actor], group, response)
end

-- Records that the character has met nothing, and the velocity of its floor.
local function writeFree(self, carries, dt)
  rawset(self, "hits", NO_HITS)
  rawset(self, "n", 0)
  rawset(self, "crushed", false)
  if rawget(self, "wall") ~= nil then rawset(self, "wall", nil) end
  if rawget(self, "ceiling") ~= nil then rawset(self, "ceiling", nil) end
  rawset(self, "wallNx", 0)
  rawset(self, "wallNy", 0)
  rawset(self, "floorVx", carries and (rawget(self, "_carriedX") + 0) / dt or 0)
  rawset(self, "floorVy", carries and (rawget(self, "_carriedY") + 0) / dt or 0)
  rawset(self, "_carriedX", 0)
  rawset(self, "_carriedY", 0)
end

-- Records the floor that the character stands on, or that there is none.
local function writeFloor(self, hit)
  if hit then
    rawset(self, "floorNx", hit.normal.x)
    rawset(self, "floorNy", hit.normal.y)
    rawset(self, "_atX", hit.point.x)
    rawset(self, "_atY", hit.point.y)
    if hit.value >= 0 then rawset(self, "floorValue", hit.value) end
  else
    if rawget(self, "floor") ~= nil then rawset(self, "floor", nil) end
    if rawget(self, "floorValue") ~= nil then rawset(self, "floorValue", nil) end
    rawset(self, "floorNx", 0)
    rawset(self, "floorNy", 0)
  end
end

local function newStride(keyX, keyY, keyAngle)
  -- Runs in a locked world.
  local function go(world, self, actor, angle, floor, floorAngle, vx, vy, dt)
    local io = world._io
    local to = io.stride_in
    if not (copy(to, 18, rawget(actor, keyX), rawget(actor, keyY), angle)
      and copy(to, 21, vx, vy, dt) and describe(self, to)
      and describeMove(world, self, to, actor)) then
      return nil
    end
    to[24] = 0
    if floor ~= nil then
      if not copy(to, 24, world._slots[floor], rawget(floor, keyX), rawget(floor, keyY))
        or type(floorAngle) ~= "number" then
        return nil
      end
      to[27] = floorAngle
    end
    to[28] = rawget(self, "floorValue") ~= nil and 1 or 0
    local found = io.stride(io)
    if found < 0 then return nil end
    rawset(actor, keyX, io.moved_x)
    rawset(actor, keyY, io.moved_y)
    writeFree(self, io.along, to[23])
    writeFloor(self, found > 0 and io.move_hit[found - 1])
    local upX, upY = to[6], to[7]
    if found == 0 then return vx + 0, vy + 0 end -- no -0
    local along = vx * -upY + vy * upX
    return along * -upY + 0, along * upX + 0
  end
  return function(world, self, vx, vy, dt)
    local actor, floor = rawget(self, "actor"), rawget(self, "floor")
    if floor ~= nil and not world._slots[floor] then return nil end
    local angle, floorAngle = keyAngle and actor[keyAngle], keyAngle and floor and floor[keyAngle]
    if angle == nil or not keyAngle then angle = 0 end
    if floorAngle == nil or not keyAngle then floorAngle = 0 end
    -- Not earlier: reading a field may run code that yields.
    if world._lock or next(NO_HITS) ~= nil then return nil end
    world._lock = MOVING
    local ok, leftX, leftY = pcall(go, world, self, actor, angle, floor, floorAngle, vx, vy,
      dt)
    world._lock = false
    if not ok then error(leftX, 0) end
    return leftX, leftY
  end
end

local usual = newStride("x", "y", "angle")

--- The function that makes usual frames in worlds with these names; false if there is none.
function M.of(names)
  if names.at then return false end
  return reader.areUsual(names) and usual or newStride(names.x, names.y, names.angle)
end

return M
