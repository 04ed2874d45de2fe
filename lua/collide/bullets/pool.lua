-- The methods of a pool of bullets. A pool is a table with the core's userdata at index 1. Methods
-- that are called often are written in C.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local state = require "collide.world.state"
local accelerator = require "collide.ffi.spawn"

local own = core.bullets

local MAX_EXACT = core.MOST_EXACT

--- A pool of bullets. Its options can be read, such as pool.radius; the callbacks `hit`, `graze`
--- and `expired` can also be set.
---@class collide.Bullets
---@field capacity integer
---@field radius number
---@field group string
---@field bounds? number[]
---@field margin number
---@field lifetime? number
---@field grazeRadius? number
---@field pierce boolean
---@field hitBullets boolean
---@field hit? collide.OnBulletHit
---@field graze? collide.OnGraze
---@field expired? collide.OnExpired
local Bullets = {}

for name, method in each.pairs(core.bulletMethods) do Bullets[name] = method end

local function checkPool(self, fn)
  local meta = type(self) == "table" and getmetatable(self)
  if type(meta) ~= "table" or rawget(meta, "class") ~= Bullets then
    check.fail(fn, "self", "pool", self, "call it with a colon")
  elseif rawget(self, "_removed") then
    check.raise "attempt to use a pool that has been removed"
  end
end

--- Removes the pool with its bullets from its world, without calling any callback.
function Bullets:remove(...)
  checkPool(self, "pool:remove")
  check.noMore("pool:remove", "no arguments", 0, ...)
  local world = self._world
  state.checkIdle(world, "pool:remove")
  own.remove(self)
  self._removed = true
  local pools = world._pools
  for i = #pools, 1, -1 do
    if pools[i] == self then table.remove(pools, i) end
  end
end

local LASER = { points = true, width = true, warmup = true, lifetime = true, tag = true }

local function checkTag(fn, tag)
  return check.integer(fn, "tag", tag, -MAX_EXACT, MAX_EXACT)
end

local function checkPoints(fn, points)
  check.table(fn, "points", points, "list {x1, y1, x2, y2, …}")
  local n = #points
  if type(points[1]) == "table" then
    check.fail(fn, "points[1]", check.COORDINATE, points[1],
      "a list of points has numbers alone, {x1, y1, x2, y2, …}")
  end
  if n < 4 or n % 2 == 1 then
    check.raise(("%s: points expected (list of two points or more), got %d numbers"):format(fn, n))
  end
  for i = 1, n do
    if not check.isCoordinate(points[i]) then
      check.fail(fn, ("points[%d]"):format(i), check.COORDINATE, points[i])
    end
  end
  return points
end

local function checkWidth(self, fn, width)
  check.size(fn, "width", width)
  local further = self.grazeRadius and self.grazeRadius - self.radius or 0
  if width / 2 + further > check.MAX_COORDINATE then
    check.fail(fn, "width", ("number up to %g, since grazes of the pool reach %g further than "
      .. "hits, to 1e12 at most"):format(2 * (check.MAX_COORDINATE - further), further), width)
  end
  return width
end

---@class collide.Laser
---@field points number[] {x1, y1, x2, y2, …}
---@field width number world units
---@field warmup? number seconds before it hits, default 0
---@field lifetime? number seconds until it expires, warmup included; default: the pool's lifetime
---@field tag? integer default 0

--- Spawns a laser along a line of points. It stays until its lifetime is over. After `warmup`
--- seconds it hits each actor in it, and hits an actor again only after the actor has left it.
---@param laser collide.Laser
---@return integer? bullet nil when the pool is full
---@return string? why
function Bullets:spawnLaser(laser, ...)
  local fn = "pool:spawnLaser"
  checkPool(self, fn)
  check.table(fn, "laser", laser, "table {points = …, width = …, …}")
  check.noMore(fn, "one table {points = …, width = …, …}", 1, ...)
  check.keys(fn, "key of laser", laser, LASER)
  local points, width = checkPoints(fn, laser.points), checkWidth(self, fn, laser.width)
  local warmup, lifetime, tag = laser.warmup, laser.lifetime, laser.tag
  if warmup == nil then warmup = 0 else check.seconds(fn, "warmup", warmup) end
  if lifetime == nil then
    lifetime = self.lifetime or math.huge
  else
    check.duration(fn, "lifetime", lifetime)
  end
  if tag == nil then tag = 0 else checkTag(fn, tag) end
  local bullet, why = own.spawnLaser(self, points, width, warmup, lifetime, tag)
  if bullet == false then
    check.raise(fn .. ": points expected (less than 1e12 apart), got some that are farther")
  end
  return bullet, why
end

local CHANGES = { "x", "y", "vx", "vy", "ax", "ay", "radius", "tag" }
local IS_CHANGE = {}
for _, name in ipairs(CHANGES) do IS_CHANGE[name] = true end

local function change(fn, changes, name)
  local v = changes[name]
  if v == nil then return nil end
  if name == "radius" then return check.size(fn, name, v) end
  if name == "tag" then return checkTag(fn, v) end
  if not check.isCoordinate(v) then check.fail(fn, name, check.COORDINATE, v) end
  return v
end

---@class collide.BulletChanges
---@field x? number
---@field y? number
---@field vx? number world units per second
---@field vy? number
---@field ax? number acceleration, world units per second squared
---@field ay? number
---@field radius? number
---@field tag? integer

--- Changes the given values of a bullet. A new x or y is a jump: the bullet hits nothing on the
--- way. A laser keeps its radius.
---@param bullet integer
---@param changes collide.BulletChanges
---@return boolean alive false when the bullet is dead; then nothing changes
function Bullets:set(bullet, changes, ...)
  local fn = "pool:set"
  checkPool(self, fn)
  own.change(self, bullet)
  check.table(fn, "changes", changes, "table {x = …, vx = …, …}")
  check.noMore(fn, "a bullet and a table", 2, ...)
  check.keys(fn, "key of changes", changes, IS_CHANGE)
  local x, y = change(fn, changes, "x"), change(fn, changes, "y")
  local vx, vy = change(fn, changes, "vx"), change(fn, changes, "vy")
  local ax, ay = change(fn, changes, "ax"), change(fn, changes, "ay")
  local radius, tag = change(fn, changes, "radius"), change(fn, changes, "tag")
  return own.change(self, bullet, x, y, vx, vy, ax, ay, radius, tag)
end

--- Calls fn(bullet, x, y, vx, vy, radius, tag) for each bullet and laser that is alive now, in the
--- order of spawning. Bullets that die meanwhile are skipped.
---@param fn collide.OnEachBullet
function Bullets:each(fn, ...)
  checkPool(self, "pool:each")
  if not check.isCallable(fn) then check.fail("pool:each", "fn", "function", fn) end
  check.noMore("pool:each", "a function", 1, ...)
  local last = own.last(self)
  local bullet, x, y, vx, vy, radius, tag = own.next(self, 0)
  while bullet and bullet <= last do
    fn(bullet, x, y, vx, vy, radius, tag)
    bullet, x, y, vx, vy, radius, tag = own.next(self, bullet)
  end
end

local atan2 = math.atan2 or math.atan -- luacheck: ignore

-- Adds the batch's texture for each bullet, centred on the bullet and turned to its direction.
local function fillBatch(self, batch)
  local ox, oy = 0, 0
  if batch.getTexture then
    local w, h = batch:getTexture():getDimensions()
    ox, oy = w / 2, h / 2
  end
  if batch.clear then batch:clear() end
  local list = self._list
  local n = own.fill(self, list, true)
  for at = 1, 4 * n, 4 do
    batch:add(list[at], list[at + 1], atan2(list[at + 3], list[at + 2]), 1, 1, ox, oy)
  end
  return n
end

local function indexed(v, key)
  return v[key]
end

-- Indexing a userdata may raise.
local function isBatch(target)
  local kind = type(target)
  if kind == "userdata" then
    local found, add = pcall(indexed, target, "add")
    return found and check.isCallable(add)
  end
  return kind == "table" and not core.ownName(target) and check.isCallable(target.add)
end

local TARGET = "table, or something with a method add such as a SpriteBatch"

--- Writes the places of the round bullets, in the order of spawning, and returns how many there
--- are. A table becomes the list x1, y1, x2, y2, …. For a SpriteBatch, or anything else with a
--- method `add`, it calls `clear` once and then `add` for each bullet.
---@param target table|userdata
---@return integer n
function Bullets:fill(target, ...)
  local fn = "pool:fill"
  checkPool(self, fn)
  check.noMore(fn, "one target", 1, ...)
  if isBatch(target) then return fillBatch(self, target) end
  return own.fill(self, check.list(fn, "target", target, TARGET), false)
end

--- On LuaJIT: the number of the round bullets and their arrays, in the order of spawning. Indices
--- count from 0. The arrays are valid until the pool next changes.
---@return integer n
---@return number[] x, number[] y, number[] vx, number[] vy, number[] radius, integer[] tag
function Bullets:arrays(...)
  local fn = "pool:arrays"
  checkPool(self, fn)
  check.noMore(fn, "no arguments", 0, ...)
  if not accelerator then
    check.raise "pool:arrays: this Lua has no FFI to read arrays by; pool:fill(list) copies places"
  end
  return own.show(self), accelerator.arrays(self)
end

return Bullets
