-- The accelerator: under LuaJIT, while its compiler is on, actors are read and
-- events copied by Lua loops that go through pointers into the core's arrays,
-- instead of by calls through the C API. It answers as the plain path does.
-- Without LuaJIT or its FFI this module is false.

local jit = rawget(_G, "jit")
local found, ffi = pcall(require, "ffi")
if not (jit and found) then return false end

local core = require "collide.core"
local check = require "collide.check"

local M = {}

local MAX_COORDINATE, MAX_ANGLE = check.MAX_COORDINATE, check.MAX_ANGLE

-- The beginning of a core, as csrc/lua/world.h and csrc/world/world.h have it.
local Event = ffi.typeof [[struct {
  double nx, ny, depth;
  uint32_t a, b, calls, record;
}]]
local Core = ffi.typeof([[struct {
  double *x, *y, *angle;
  const uint8_t *state;
  uint32_t slots;
  const $ *event;
  uint32_t events;
  double told;
}]], Event)
local CorePointer = ffi.typeof("$ *", Core)

for name, at in pairs(core.layout) do
  local field = name:match("^event%.(.*)")
  local here = name == "next event" and ffi.sizeof(Event)
    or field and ffi.offsetof(Event, field) or ffi.offsetof(Core, name)
  if here ~= at then
    error(("collide.core has %s at %d, collide.jit at %s"):format(name, at, here))
  end
end

local LIVE = core.LIVE -- and not static
local CALL_LEAVE_B, CALL_ENTER_B = core.CALL_LEAVE_B, core.CALL_ENTER_B
local CALL_NUMBERS, ALL_TOLD = core.CALL_NUMBERS, core.ALL_TOLD

--- Whether the compiler is on: without it, going through pointers is slower
--- than calling C.
function M.isOn()
  return (jit.status())
end

--- The arrays of a core, for `_io` of the world that owns it. The userdata
--- begins with them and keeps them right when they move.
function M.open(userdata)
  return ffi.cast(CorePointer, userdata)
end

-- The names are upvalues that never change, which the compiler takes for
-- constants; so all worlds with the usual names share one function.
local function newPull(keyX, keyY, keyAngle)
  return function(io, actors)
    for i = 0, io.slots - 1 do
      if io.state[i] == LIVE then
        local actor = actors[i + 1]
        local x = actor[keyX]
        if not (type(x) == "number" and x >= -MAX_COORDINATE and x <= MAX_COORDINATE) then
          return i + 1, keyX, x
        end
        local y = actor[keyY]
        if not (type(y) == "number" and y >= -MAX_COORDINATE and y <= MAX_COORDINATE) then
          return i + 1, keyY, y
        end
        local angle = keyAngle and actor[keyAngle]
        if not angle then
          if angle == false and keyAngle then return i + 1, keyAngle, angle end
          angle = 0
        elseif not (type(angle) == "number" and angle >= -MAX_ANGLE and angle <= MAX_ANGLE) then
          return i + 1, keyAngle, angle
        end
        io.x[i], io.y[i], io.angle[i] = x, y, angle
      end
    end
  end
end

local usual = newPull("x", "y", "angle")

--- As core:pull: nothing, or slot, key and value of the first bad field.
function M.pull(world)
  local pull = world._pull
  if not pull then
    local names = world._names
    local plain = names.x == "x" and names.y == "y" and names.angle == "angle"
    pull = plain and usual or newPull(names.x, names.y, names.angle)
    world._pull = pull
  end
  return pull(world._io, world._actors)
end

-- The event that comes after the first `told` call numbers. As core:turns says it.
local function read(world, told)
  local io, actors = world._io, world._actors
  local e = told / CALL_NUMBERS
  if e >= io.events then
    io.told = ALL_TOLD
    return
  end
  local event = io.event[e]
  local calls, i, j = event.calls, event.a + 1, event.b + 1
  local a, b = actors[i], actors[j]
  if calls >= CALL_LEAVE_B then
    a, b = a or world._ghosts[i], b or world._ghosts[j]
  elseif not (a and b) then
    return read(world, told + CALL_NUMBERS)
  end
  told = told + CALL_NUMBERS
  if calls < CALL_ENTER_B then io.told = told end
  return told, calls, a, b, event.nx, event.ny, event.depth
end

-- By pointers, under a lock: the collector may run meanwhile, and finalisers with
-- it, and the events must not move under the pointers.
function M.turn(world, done)
  world._reading = true
  local ok, told, calls, a, b, nx, ny, depth = pcall(read, world, done)
  world._reading = false
  if not ok then error(told, 0) end
  return told, calls, a, b, nx, ny, depth
end

return M
