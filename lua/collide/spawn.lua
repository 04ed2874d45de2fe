-- The accelerator of pools of bullets: under LuaJIT, spawning by a Lua function that
-- writes into the core's arrays. It does as the core's own does, and leaves all that is
-- out of the ordinary to that. Without LuaJIT or its FFI this module is false.

local jit = rawget(_G, "jit")
local found, ffi = pcall(require, "ffi")
if not (jit and found) then return false end

local check = require "collide.check"

local M = {}

local MAX, MAX_EXACT = check.MAX_COORDINATE, 2 ^ 53
local floor, select, type = math.floor, select, type

-- As csrc/lua/bullets.c and csrc/world/bullets_state.h have them.
local Handle = ffi.typeof [[struct {
  struct {
    double *x, *y, *vx, *vy, *ax, *ay, *radius, *age, *tag, *number;
    uint8_t *dead;
    uint32_t used, live, room, most;
    double newRadius;
    double *last;
    bool accelerates, ages;
  } *pool;
  void *const *world;
} *]]

local function isTag(tag)
  return type(tag) == "number" and tag >= -MAX_EXACT and tag <= MAX_EXACT and tag == floor(tag)
end

-- The bullet's number, or nothing where the core has to do it. Not part of `spawn`, which is
-- variadic: LuaJIT compiles such functions only as parts of other traces, and what it
-- interprets makes garbage of every pointer that it reads.
local function put(handle, x, y, vx, vy, tag)
  if handle.world[0] == nil then return end
  local pool = handle.pool
  local i = pool.used
  if pool.live >= pool.most or i == pool.room then return end
  pool.used, pool.live = i + 1, pool.live + 1
  pool.x[i], pool.y[i], pool.vx[i], pool.vy[i] = x, y, vx, vy
  pool.radius[i], pool.tag[i], pool.dead[i] = pool.newRadius, tag, 0
  if pool.accelerates then pool.ax[i], pool.ay[i] = 0, 0 end
  if pool.ages then pool.age[i] = 0 end
  local number = pool.last[0] + 1
  pool.last[0], pool.number[i] = number, number
  return number
end

-- The core's own, which a call that is not as it should be goes to, as a tail call:
-- errors then have the caller's position.
local spawnInCore

local function spawn(self, x, y, vx, vy, tag, ...)
  if tag == nil then tag = 0 end
  if not (type(self) == "table" and type(x) == "number" and x >= -MAX and x <= MAX
    and type(y) == "number" and y >= -MAX and y <= MAX
    and type(vx) == "number" and vx >= -MAX and vx <= MAX
    and type(vy) == "number" and vy >= -MAX and vy <= MAX
    and isTag(tag) and select("#", ...) == 0) then
    return spawnInCore(self, x, y, vx, vy, tag, ...)
  end
  local handle = self._handle
  local bullet = handle and put(handle, x, y, vx, vy, tag)
  if bullet then return bullet end
  return spawnInCore(self, x, y, vx, vy, tag)
end

--- Gives a new pool the fast way, when the compiler is on. `own` is the core's.
function M.equip(pool, own)
  spawnInCore = own
  pool._handle = ffi.cast(Handle, pool[1])
  if jit.status() then pool.spawn = spawn end
end

--- Where the core has the bullets: x, y, vx, vy, radius, tag, from 0.
function M.arrays(pool)
  local io = pool._handle.pool
  return io.x, io.y, io.vx, io.vy, io.radius, io.tag
end

return M
