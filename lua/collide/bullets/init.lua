-- Pools of bullets. The bullets are arrays in the core, which moves and tests them; a pool is a
-- table with the core's userdata at index 1. Methods that are called often are written in C; the
-- others are here, followed by the making of pools and the dispatch of the events of bullets.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local lock = require "collide.world.lock"
local filters = require "collide.world.filters"
local reader = require "collide.world.reader"
local ignores = require "collide.world.ignores"
local accelerator = require "collide.ffi.frame"

local M = {}

local own = core.bullets
local MAX, MAX_EXACT, MAX_CAPACITY = check.MAX_COORDINATE, core.MOST_EXACT, core.MAX_BULLETS

--- A pool of bullets. Its options can be read, such as pool.radius; the callbacks `hit`, `graze`,
--- `timer` and `expired`, and `ignore`, can also be set.
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
---@field ignore? collide.Ignore
---@field hit? collide.OnBulletHit
---@field graze? collide.OnGraze
---@field timer? collide.OnTimer
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

local remove = lock.whole(function(world, pool)
  if rawget(pool, "_removed") then return end
  own.remove(pool)
  pool._removed = true
  local pools = world._pools
  for i = #pools, 1, -1 do
    if pools[i] == pool then table.remove(pools, i) end
  end
end)

--- Removes the pool with its bullets from its world, without calling any callback.
function Bullets:remove(...)
  checkPool(self, "pool:remove")
  check.noMore("pool:remove", "no arguments (pool:kill(bullet) ends one bullet)", 0, ...)
  local world = self._world
  lock.checkIdle(world, "pool:remove")
  lock.changing(world, "pool:remove", remove, self)
end

local optional = check.optional

local function checkPoints(fn, name, points)
  check.table(fn, name, points, "list {x1, y1, x2, y2, …}")
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
      check.coordinate(fn, ("points[%d]"):format(i), points[i])
    end
  end
  return points
end

local LASER = {
  points = checkPoints, width = check.size, warmup = optional(check.seconds, 0),
  lifetime = optional(check.duration), tag = optional(check.whole(-MAX_EXACT, MAX_EXACT), 0),
}

local function checkReach(self, fn, width)
  local further = self.grazeRadius and self.grazeRadius - self.radius or 0
  if width / 2 + further > MAX then
    check.fail(fn, "width", ("number up to %g, since grazes of the pool reach %g further than "
      .. "hits, to 1e12 at most"):format(2 * (MAX - further), further), width)
  end
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
  check.noMore(fn, "one table {points = …, width = …, …}", 1, ...)
  local read = check.options(fn, "laser", laser, "table {points = …, width = …, …}", LASER)
  checkReach(self, fn, read.width)
  local bullet, why = own.spawnLaser(self, read.points, read.width, read.warmup,
    read.lifetime or self.lifetime or math.huge, read.tag)
  if bullet == false then
    check.raise(fn .. ": points expected (less than 1e12 apart), got some that are farther")
  end
  return bullet, why
end

--- Calls fn(bullet, x, y, vx, vy, radius, tag) for each bullet and laser that is alive now, in the
--- order of spawning, and with length, tailX, tailY for one that has a length. Bullets that die
--- meanwhile are skipped. With alpha, the places are at that fraction of the straight way from the
--- start to the end of the last step, but the current ones after a spawn, a jump or a bounce.
---@param fn collide.OnEachBullet
---@param alpha number? 0 to 1, as `advance` returns it
function Bullets:each(fn, alpha, ...)
  checkPool(self, "pool:each")
  check.callable("pool:each", "fn", fn)
  if alpha ~= nil then check.share("pool:each", "alpha", alpha) end
  check.noMore("pool:each", "a function and alpha", 2, ...)
  local last = own.last(self)
  local bullet, x, y, vx, vy, radius, tag, length, tailX, tailY = own.next(self, 0, alpha)
  while bullet and bullet <= last do
    fn(bullet, x, y, vx, vy, radius, tag, length, tailX, tailY)
    bullet, x, y, vx, vy, radius, tag, length, tailX, tailY = own.next(self, bullet, alpha)
  end
end

local atan2 = math.atan2 or math.atan -- luacheck: ignore

-- Adds the batch's texture for each bullet, or the quad of its tag, centred on the bullet and
-- turned to its direction.
local function fillBatch(self, batch, alpha, quads)
  local size, list = quads and 5 or 4, self._list
  local n = own.fill(self, list, size, alpha)
  for at = 5, quads and 5 * n or 0, 5 do
    local kind = type(quads[list[at]])
    if kind ~= "userdata" and kind ~= "table" then
      check.fail("pool:fill", ("quads[%.0f]"):format(list[at]),
        "quad for the bullets with this tag", quads[list[at]])
    end
  end
  local ox, oy = 0, 0
  if not quads and batch.getTexture then
    local w, h = batch:getTexture():getDimensions()
    ox, oy = w / 2, h / 2
  end
  if batch.clear then batch:clear() end
  for at = 1, size * n, size do
    local x, y, angle = list[at], list[at + 1], atan2(list[at + 3], list[at + 2])
    if quads then
      local quad = quads[list[at + 4]]
      local _, _, w, h = nil, nil, 0, 0
      if quad.getViewport then _, _, w, h = quad:getViewport() end
      batch:add(quad, x, y, angle, 1, 1, w / 2, h / 2)
    else
      batch:add(x, y, angle, 1, 1, ox, oy)
    end
  end
  return n
end

local function indexed(v, key)
  return v[key]
end

-- Indexing a userdata may raise an error.
local function isBatch(target)
  local kind = type(target)
  if kind == "userdata" then
    local found, add = pcall(indexed, target, "add")
    return found and check.isCallable(add)
  end
  return kind == "table" and not core.ownName(target) and check.isCallable(target.add)
end

local TARGET = "table, or something with a method add such as a SpriteBatch"

--- Writes the places of the bullets that are not lasers, in the order of spawning, and returns
--- their number. A table becomes the list x1, y1, x2, y2, …. For a SpriteBatch, or anything else
--- with a method `add`, it calls `clear` once and then `add` for each bullet, with the quad of its
--- tag if there are quads. With alpha, places are between two steps, as in `each`.
---@param target table|userdata
---@param alpha number? 0 to 1, as `advance` returns it
---@param quads table<integer, any>? by tag, for a batch
---@return integer n
function Bullets:fill(target, alpha, quads, ...)
  local fn = "pool:fill"
  checkPool(self, fn)
  local batch = isBatch(target)
  if not batch then check.list(fn, "target", target, TARGET) end
  if alpha ~= nil then check.share(fn, "alpha", alpha) end
  check.noMore(fn, "a target, alpha and quads", 3, ...)
  if not batch then
    if quads ~= nil then check.fail(fn, "quads", "nothing, since a list takes none", quads) end
    return own.fill(self, target, 2, alpha)
  end
  if quads ~= nil then check.table(fn, "quads", quads, "table of quads by tag") end
  return fillBatch(self, target, alpha, quads)
end

-- Reading pointers may run finalizers, which must not remove the pool.
local function arraysOf(_, self)
  return own.show(self), accelerator.arrays(self)
end

--- On LuaJIT: the number of the bullets that are not lasers and their arrays, in the order of
--- spawning. Indices count from 0. The arrays are valid until the pool next changes.
---@return integer n
---@return number[] x, number[] y, number[] vx, number[] vy, number[] radius, integer[] tag
function Bullets:arrays(...)
  local fn = "pool:arrays"
  checkPool(self, fn)
  check.noMore(fn, "no arguments", 0, ...)
  if not accelerator then
    check.raise "pool:arrays: this Lua has no FFI to read arrays by; pool:fill(list) copies places"
  end
  return lock.changing(self._world, fn, arraysOf, self)
end

-- Making pools --------------------------------------------------------------------

local function toString(self)
  if rawget(self, "_removed") then return "pool(removed)" end
  local n = self:count()
  return ("pool(%d bullet%s)"):format(n, n == 1 and "" or "s")
end

local FN = "world:newBullets"

-- Options that cannot be changed.
local FIXED = {
  capacity = true, radius = true, group = true, bounds = true, margin = true, lifetime = true,
  grazeRadius = true, pierce = true, hitBullets = true,
}

-- In a strict world, a pool takes no other field; but a game may replace a method.
local KNOWN = setmetatable({ hit = true, graze = true, timer = true, expired = true },
  { __index = Bullets })
local setField = check.fixed("pool", FN, FIXED)
local setStrictly = check.fixed("pool", FN, FIXED, KNOWN, "hit, graze, timer, expired or ignore")

-- An empty list of ignored actors.
local NOBODY = { n = 0 }

--- Sets the list of the actors that a pool ignores, from ignores.listOf, or nil. Reading the option
--- gives the actor, if it is one, or that list. The option is not a field of the pool, since that
--- would keep the actors alive, and the pool would not notice when it is set again.
function M.setIgnored(pool, list)
  pool._ignored, pool._shown.ignore = list or NOBODY, list and (list.n == 1 and list[1] or list)
end

-- Checks an `ignore`, the argument or field `name` of `fn`, and returns its list.
local function ignoredOf(world, fn, name, ignore)
  if ignore == nil then return nil end
  local part, expected, got = filters.wrongIgnore(world, name, ignore)
  if part then check.fail(fn, part, expected, got) end
  return ignores.listOf(world, ignore)
end

-- The __newindex of pools, which leaves all fields but `ignore` to another one.
local function settingIgnore(setOther)
  return function(pool, key, value)
    if key ~= "ignore" then return setOther(pool, key, value) end
    M.setIgnored(pool, ignoredOf(pool._world, "pool", "ignore", value))
  end
end
setField, setStrictly = settingIgnore(setField), settingIgnore(setStrictly)

-- The metatable of a pool. Its __index has the options, which cannot be set, and all methods: a
-- call of `spawn` takes 8 % longer on Lua 5.4 if methods are looked up in a table of their own.
-- `shown` has the option `ignore`.
local function metatableOf(world, options, shown)
  for name, method in each.pairs(Bullets) do options[name] = method end
  setmetatable(options, { __index = shown })
  return {
    __index = options,
    __newindex = world._spelling and setStrictly or setField,
    __tostring = toString,
    __name = "collide.Bullets",
    class = Bullets,
  }
end

local function checkBounds(fn, name, bounds)
  check.table(fn, name, bounds, "table {x, y, w, h}")
  for i = 1, 4 do
    local checked = i > 2 and check.size or check.coordinate
    checked(fn, ("bounds[%d]"):format(i), bounds[i])
  end
  return { bounds[1], bounds[2], bounds[3], bounds[4] }
end

local OPTIONS = {
  capacity = check.whole(1, MAX_CAPACITY), radius = check.size,
  group = optional(check.group, "default"), bounds = optional(checkBounds),
  margin = optional(check.extent, 0), lifetime = optional(check.duration),
  grazeRadius = optional(check.size), pierce = check.flag, hitBullets = check.flag,
  hit = optional(check.callable), graze = optional(check.callable),
  timer = optional(check.callable), expired = optional(check.callable),
  ignore = function(_, _, ignore) return ignore end,
}

-- Left, top, right and bottom beyond which a bullet expires.
local function edgesOf(bounds, margin)
  if not bounds then return -MAX, -MAX, MAX, MAX end
  local x, y = bounds[1], bounds[2]
  return math.max(-MAX, x - margin), math.max(-MAX, y - margin),
    math.min(MAX, x + bounds[3] + margin), math.min(MAX, y + bounds[4] + margin)
end

---@class collide.BulletOptions
---@field capacity integer how many bullets can live at once, lasers included
---@field radius number the radius of a new bullet
---@field group? string
---@field bounds? number[] {x, y, w, h}: a bullet expires when its centre leaves it
---@field margin? number how far outside the bounds a bullet expires, default 0
---@field lifetime? number seconds after which a bullet expires
---@field grazeRadius? number actors within this distance of a bullet's centre are grazed
---@field pierce? boolean a hit does not end a bullet
---@field hitBullets? boolean its bullets also hit bullets of other pools
---@field ignore? collide.Ignore actors that its bullets neither hit nor graze
---@field hit? collide.OnBulletHit
---@field graze? collide.OnGraze
---@field timer? collide.OnTimer
---@field expired? collide.OnExpired

-- Makes a pool from checked options.
local make = lock.whole(function(world, o)
  local number = filters.groupNumber(world, FN, "group", o.group)
  local pool = {
    false, -- the userdata
    hit = o.hit, graze = o.graze, timer = o.timer, expired = o.expired,
    _world = world,
    _removed = false,
    _list = {}, -- scratch of fill
    _ignored = false, -- a list from ignores.listOf, once it has ignored an actor
    _shown = setmetatable({}, { __mode = "v" }),
  }
  if o.ignore then M.setIgnored(pool, o.ignore) end
  o.hit, o.graze, o.timer, o.expired, o.ignore = nil, nil, nil, nil, nil
  setmetatable(pool, metatableOf(world, o, pool._shown))
  local pools = world._pools
  local place = #pools + 1
  pools[place] = pool -- makes room, so that every pool of the core is listed, and no other
  pools[place] = nil
  local left, top, right, bottom = edgesOf(o.bounds, o.margin)
  pool[1] = world._core:newPool(o.capacity, o.radius, o.grazeRadius or 0, number, left, top, right,
    bottom, o.lifetime or math.huge, o.pierce, o.hitBullets)
  pools[place] = pool
  if accelerator then accelerator.equip(pool, Bullets.spawn) end
  return pool
end)

---@class collide.World
local World = lock.World

--- Makes a pool of bullets.
---@param world collide.World
---@param options collide.BulletOptions
---@return collide.Bullets
function World.newBullets(world, options, ...)
  lock.checkChange(world, FN, "one table {capacity = …, radius = …, …}", 1, ...)
  local o = check.options(FN, "options", options, "table {capacity = …, radius = …, …}", OPTIONS)
  local graze = o.grazeRadius
  if graze and not (graze > o.radius) then
    check.fail(FN, "grazeRadius", ("number above the radius, %g, up to 1e12"):format(o.radius),
      graze)
  end
  o.ignore = ignoredOf(world, FN, "ignore", o.ignore)
  return lock.changing(world, FN, make, o)
end

--- The pools of a world, in the order in which they were made.
---@param world collide.World
---@return collide.Bullets[] pools a fresh list
function World.pools(world, ...)
  lock.checkCall(world, "world:pools", "no arguments", 0, ...)
  local list = {}
  for i, pool in ipairs(world._pools) do list[i] = pool end
  return list
end

--- Kills the bullets of all pools of a world.
function M.clear(world)
  world._core:clearPools()
end

-- Events --------------------------------------------------------------------------

local BULLET_EVENT_HIT, BULLET_EVENT_GRAZE = core.BULLET_EVENT_HIT, core.BULLET_EVENT_GRAZE
local BULLET_EVENT_EXPIRED, BULLET_EVENT_TIMER = core.BULLET_EVENT_EXPIRED, core.BULLET_EVENT_TIMER
local GRAZE, HIT, TIMER, EXPIRED =
  core.SHOT_GRAZE, core.SHOT_HIT, core.SHOT_TIMER, core.SHOT_EXPIRED
local NAMES = { [GRAZE] = "graze", [HIT] = "hit", [TIMER] = "timer", [EXPIRED] = "expired" }

-- A callback of a pool, which may be set at any time; raises when it cannot be called.
local function callback(pool, name)
  local f = pool[name]
  if f and type(f) ~= "function" and not check.isCallable(f) then
    check.fail("world:step", "pool." .. name, "function", f)
  end
  return f
end

-- Tells the core which actors of the world a pool ignores.
local function setIgnored(world, pool, list)
  local slots, n = {}, 0
  for i = 1, list.n do
    local slot = list[i] and world._slots[list[i]]
    if slot then
      n = n + 1
      slots[n] = slot
    end
  end
  own.setIgnored(pool, slots)
end

--- Before a step: sets which events the pools have callbacks for, and which actors they ignore.
function M.prepare(world)
  local pools = world._pools
  for i = 1, #pools do
    local pool = pools[i]
    own.setEventMask(pool, (callback(pool, "hit") and BULLET_EVENT_HIT or 0)
      + (callback(pool, "graze") and BULLET_EVENT_GRAZE or 0)
      + (callback(pool, "timer") and BULLET_EVENT_TIMER or 0)
      + (callback(pool, "expired") and BULLET_EVENT_EXPIRED or 0))
    if pool._ignored then setIgnored(world, pool, pool._ignored) end
  end
end

-- Calls the trace function before the callback of a bullet. Returns false when the callback must
-- not be called: the trace has stepped the world, or removed the bullet or its target.
local function isTraced(world, event, pool, bullet, target, nx, ny, t, x, y, other)
  local serial = world._serial
  world._tracing(event, world._frame, pool, target, nx, ny, t, bullet, x, y, other)
  if world._serial ~= serial or rawget(pool, "_removed") or not pool:get(bullet) then
    return false
  end
  if other then return not rawget(target, "_removed") end
  return target == nil or world._slots[target] ~= nil
end

-- Tells the core what the bullet does after its hit.
local function answer(world, result)
  if result == "bounce" then
    world._core:answerShot(true)
  elseif result == "pass" then
    world._core:answerShot(false)
  else
    check.fail("world:step", "result of pool.hit", '"pass", "bounce" or nothing', result)
  end
end

--- Dispatches the events of bullets, after those of pairs. Returns false when a callback has
--- stepped the world: then that step has dispatched the rest.
function M.dispatch(world)
  local pools, actors, serial = world._pools, world._actors, world._serial
  if #pools == 0 then return true end
  -- `which` is the number of the part that was hit, or of the pool whose bullet was hit.
  local kind, index, bullet, slot, nx, ny, t, x, y, which, other = world._core:nextShot()
  while kind do
    local pool = pools[index]
    local target = kind <= HIT and (slot > 0 and actors[slot] or pools[which]) or nil
    local name = NAMES[kind]
    local f = callback(pool, name)
    if f and world._tracing then
      f = isTraced(world, name, pool, bullet, target, nx, ny, t, x, y, other)
        and callback(pool, name)
    end
    if f and kind == HIT then
      local result
      if slot > 0 then
        local part = which > 0 and reader.part(world, slot, which) or nil
        result = f(pool, bullet, target, nx, ny, t, x, y, nil, part)
      else
        result = f(pool, bullet, target, nx, ny, t, x, y, other)
      end
      if result and world._serial == serial then answer(world, result) end
    elseif f and kind == GRAZE then
      f(pool, bullet, target)
    elseif f and kind == TIMER then
      f(pool, bullet, nx)
    elseif f then
      f(pool, bullet)
    end
    if world._serial ~= serial then return false end
    kind, index, bullet, slot, nx, ny, t, x, y, which, other = world._core:nextShot()
  end
  return true
end

return M
