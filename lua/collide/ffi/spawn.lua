-- The accelerator of pools of bullets. Under LuaJIT a Lua function spawns bullets by writing into
-- the core's arrays. It gives the same results as the core's own function, and calls that one for
-- all unusual cases. Without LuaJIT or its FFI this module is false.

local binding = require "collide.binding"
if not binding.ffi then return false end

local jit = rawget(_G, "jit")
local core = require "collide.core"
local check = require "collide.check"

local M = {}

local MAX, MAX_EXACT = check.MAX_COORDINATE, core.MOST_EXACT
local floor, select, type = math.floor, select, type

local Bullets = binding.struct("bullets", {
  { "double *", "x", "y", "vx", "vy", "ax", "ay", "radius", "age", "tag", "number" },
  { "uint8_t *", "dead", "survived" },
  { "uint32_t", "used", "live", "cap", "most" },
  { "double", "radius_new" },
  { "double *", "last" },
  { "double", "clock" },
  { "bool", "accelerates", "survives" },
})
local _, PoolPointer = binding.struct("pool", {
  { "cl_bullets *", "pool" },
  { "cl_world *const *", "world" },
}, { cl_bullets = Bullets })

local function isTag(tag)
  return type(tag) == "number" and tag >= -MAX_EXACT and tag <= MAX_EXACT and tag == floor(tag)
end

-- Spawns a bullet and returns its number, or nothing if the core has to do it. This is not part of
-- `spawn`, which is variadic: LuaJIT compiles a variadic function only as part of another trace,
-- and in the interpreter every pointer that is read makes garbage.
--
-- Each read of a pointer may start the collector, and a finaliser may use this pool. So the
-- pointers, which never change, are all read before `used`. After that no other code runs.
local function put(handle, x, y, vx, vy, tag, ax, ay)
  if handle.world[0] == nil or handle.pool == nil then return end
  local pool = handle.pool
  local xs, ys, vxs, vys, axs, ays = pool.x, pool.y, pool.vx, pool.vy, pool.ax, pool.ay
  local radii, tags, ages, dead = pool.radius, pool.tag, pool.age, pool.dead
  local survived, accelerates = pool.survived, pool.accelerates
  local numbers, last = pool.number, pool.last
  local i = pool.used
  if pool.live >= pool.most or i == pool.cap then return end
  if not accelerates and (ax ~= 0 or ay ~= 0) then return end
  pool.used, pool.live = i + 1, pool.live + 1
  xs[i], ys[i], vxs[i], vys[i] = x, y, vx, vy
  radii[i], tags[i], dead[i], ages[i] = pool.radius_new, tag, 0, pool.clock
  if accelerates then axs[i], ays[i] = ax, ay end
  if pool.survives then survived[i] = 0 end
  local number = last[0] + 1
  last[0], numbers[i] = number, number
  return number
end

-- The core's own function. It gets all calls with bad arguments, by a tail call, so that errors
-- have the caller's position.
local spawnInCore

local function spawn(self, x, y, vx, vy, tag, ax, ay, ...)
  if tag == nil then tag = 0 end
  if ax == nil then ax = 0 end
  if ay == nil then ay = 0 end
  if not (type(self) == "table" and type(x) == "number" and x >= -MAX and x <= MAX
    and type(y) == "number" and y >= -MAX and y <= MAX
    and type(vx) == "number" and vx >= -MAX and vx <= MAX
    and type(vy) == "number" and vy >= -MAX and vy <= MAX
    and type(ax) == "number" and ax >= -MAX and ax <= MAX
    and type(ay) == "number" and ay >= -MAX and ay <= MAX
    and isTag(tag) and select("#", ...) == 0) then
    return spawnInCore(self, x, y, vx, vy, tag, ax, ay, ...)
  end
  local handle = self._handle
  local bullet = handle and put(handle, x, y, vx, vy, tag, ax, ay)
  if bullet then return bullet end
  return spawnInCore(self, x, y, vx, vy, tag, ax, ay)
end

--- Gives a new pool the fast `spawn`, if the compiler is on. `own` is the core's `spawn`.
function M.equip(pool, own)
  spawnInCore = own
  pool._handle = binding.open(PoolPointer, pool[1])
  if jit.status() then pool.spawn = spawn end
end

--- The core's arrays of the bullets: x, y, vx, vy, radius, tag. Indices count from 0.
function M.arrays(pool)
  local io = pool._handle.pool
  return io.x, io.y, io.vx, io.vy, io.radius, io.tag
end

return M
