-- The accelerator: under LuaJIT, while its compiler is on, actors are read and
-- events copied by Lua loops that go through pointers into the core's arrays,
-- instead of by calls through the C API. It answers as the plain path does.
-- Without LuaJIT or its FFI this module is false.

local jit = rawget(_G, "jit")
local found, ffi = pcall(require, "ffi")
if not (jit and found) then return false end

local check = require "collide.check"

local M = {}

local MAX_COORDINATE, MAX_ANGLE = check.MAX_COORDINATE, check.MAX_ANGLE

-- As csrc/world/world.h has them.
local Io = ffi.typeof [[struct {
  double *x, *y, *angle;
  const uint8_t *state;
  uint32_t slots;
  const struct {
    double nx, ny, depth;
    uint32_t a, b, calls, record;
  } *event;
  uint32_t events;
} *]]
local LIVE = 1 -- and not static

--- Whether the compiler is on: without it, going through pointers is slower
--- than calling C.
function M.isOn()
  return (jit.status())
end

--- The arrays of a core, for `_io` of the world that owns it. The userdata
--- begins with them and keeps them right when they move.
function M.open(core)
  return ffi.cast(Io, core)
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

--- As core:events, into the world's own buffer.
function M.events(world, first, most)
  local io, buffer = world._io, world._buffer
  local n = math.min(io.events - first, most)
  local at = 0
  for i = first, first + n - 1 do
    local event = io.event[i]
    buffer[at + 1], buffer[at + 2], buffer[at + 3] = event.calls, event.a + 1, event.b + 1
    buffer[at + 4], buffer[at + 5], buffer[at + 6] = event.nx, event.ny, event.depth
    at = at + 6
  end
  return n
end

return M
