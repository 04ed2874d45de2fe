-- Pools of bullets. The bullets are arrays in the core, which moves and tests them;
-- only what happens to them comes here. A pool is a table with the core's userdata at
-- 1; its methods that are called often are the core's own.

local core = require "collide.core"
local check = require "collide.check"
local state = require "collide.state"
local accelerator = require "collide.spawn"

local M = {}

local own = core.bullets
local nextShot = own.nextShot

local MAX_CAPACITY, MAX_EXACT = core.MAX_BULLETS, core.MOST_EXACT
local MAX = check.MAX_COORDINATE

local BULLET_EVENT_HIT, BULLET_EVENT_GRAZE, BULLET_EVENT_EXPIRED =
  core.BULLET_EVENT_HIT, core.BULLET_EVENT_GRAZE, core.BULLET_EVENT_EXPIRED
local GRAZE, HIT = core.SHOT_GRAZE, core.SHOT_HIT

--- (nx, ny) is the way the bullet gets free, t when as a share of the step, (x, y) where its
--- centre is then. With hitBullets `actor` may be another pool, and `other` a bullet of it.
--- What is returned says what the bullet does: "pass", it flies on; "bounce", it is reflected;
--- nothing, as `pierce` has it.
---@alias collide.OnBulletHit fun(pool: collide.Bullets, bullet: integer, actor: table,
---  nx: number, ny: number, t: number, x: number, y: number, other?: integer): string?

--- Its options can be read, as pool.radius; `hit`, `graze` and `expired` can be set, too.
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
---@field graze? fun(pool: collide.Bullets, bullet: integer, actor: table)
---@field expired? fun(pool: collide.Bullets, bullet: integer)
local Bullets = {}

for name, method in pairs(core.bulletMethods) do Bullets[name] = method end

local function toString(self)
  if rawget(self, "_removed") then return "pool(removed)" end
  local n = self:count()
  return ("pool(%d bullet%s)"):format(n, n == 1 and "" or "s")
end

-- Making a pool ---------------------------------------------------------------

local FN = "world:newBullets"

local OPTIONS = {
  capacity = true, radius = true, group = true, bounds = true, margin = true, lifetime = true,
  grazeRadius = true, pierce = true, hitBullets = true, hit = true, graze = true, expired = true,
}

-- Those that stay as they were given.
local FIXED = {
  "capacity", "radius", "group", "bounds", "margin", "lifetime", "grazeRadius", "pierce",
  "hitBullets",
}

local IS_FIXED = {}
for _, name in ipairs(FIXED) do IS_FIXED[name] = true end

local function setField(pool, key, value)
  if IS_FIXED[key] then
    check.raise(("pool.%s can't be changed; it is given to %s"):format(key, FN))
  end
  rawset(pool, key, value)
end

-- What a pool finds by its metatable: its options and the methods, in a table of its own, so
-- that no function need be called to look one up.
local function metatableOf(options)
  for name, method in pairs(Bullets) do options[name] = method end
  return {
    __index = options,
    __newindex = setField,
    __tostring = toString,
    __name = "collide.Pool",
    class = Bullets,
  }
end

local SECONDS = "positive finite number of seconds"

local function positiveSeconds(fn, name, v)
  if not (type(v) == "number" and v > 0 and v < math.huge) then check.fail(fn, name, SECONDS, v) end
  return v
end

local function flag(name, value)
  return value ~= nil and check.boolean(FN, name, value) or false
end

-- Left, top, right and bottom beyond which a bullet expires.
local function checkBounds(bounds, margin)
  if not (check.isCoordinate(margin) and margin >= 0) then
    check.fail(FN, "margin", "number from 0 to 1e12", margin)
  end
  if bounds == nil then return -MAX, -MAX, MAX, MAX end
  check.table(FN, "bounds", bounds, "table {x, y, w, h}")
  for i = 1, 4 do
    local v, name = bounds[i], ("bounds[%d]"):format(i)
    if i > 2 then
      check.size(FN, name, v)
    elseif not check.isCoordinate(v) then
      check.fail(FN, name, check.COORDINATE, v)
    end
  end
  local x, y = bounds[1], bounds[2]
  return math.max(-MAX, x - margin), math.max(-MAX, y - margin),
    math.min(MAX, x + bounds[3] + margin), math.min(MAX, y + bounds[4] + margin)
end

local function checkCallback(name, f)
  if f ~= nil and not check.isCallable(f) then check.fail(FN, name, "function", f) end
  return f
end

---@class collide.BulletOptions
---@field capacity integer as many live at once, lasers included
---@field radius number of a bullet when it is spawned
---@field group? string
---@field bounds? number[] {x, y, w, h}: a bullet whose centre leaves it expires
---@field margin? number by how much it must have left it
---@field lifetime? number seconds after which a bullet expires
---@field grazeRadius? number who comes within this of a bullet's centre is grazed
---@field pierce? boolean a hit does not end a bullet
---@field hitBullets? boolean its bullets hit those of other pools, too
---@field hit? collide.OnBulletHit
---@field graze? fun(pool: collide.Bullets, bullet: integer, actor: table)
---@field expired? fun(pool: collide.Bullets, bullet: integer)

---@param options collide.BulletOptions
---@return collide.Bullets
function M.newBullets(world, options, ...)
  state.checkWorld(world, FN)
  check.table(FN, "options", options, "table {capacity = …, radius = …, …}")
  check.noMore(FN, "one table {capacity = …, radius = …, …}", 1, ...)
  check.keys(FN, "option", options, OPTIONS)
  local capacity = check.integer(FN, "capacity", options.capacity, 1, MAX_CAPACITY)
  local radius = check.size(FN, "radius", options.radius)
  local graze = options.grazeRadius
  if graze ~= nil and not (check.isCoordinate(graze) and graze > radius) then
    check.fail(FN, "grazeRadius", ("number above the radius, %g, up to 1e12"):format(radius), graze)
  end
  local margin, bounds = options.margin or 0, options.bounds
  local left, top, right, bottom = checkBounds(bounds, margin)
  local lifetime = options.lifetime
  if lifetime == nil then lifetime = math.huge else positiveSeconds(FN, "lifetime", lifetime) end
  local group = options.group
  if group == nil then
    group = "default"
  elseif type(group) ~= "string" or group == "*" then
    check.fail(FN, "group", 'string, but not "*"', group)
  end
  local pool = {
    hit = checkCallback("hit", options.hit),
    graze = checkCallback("graze", options.graze),
    expired = checkCallback("expired", options.expired),
    _world = world,
    _list = {}, -- scratch of fill
  }
  local pierce, hitBullets = flag("pierce", options.pierce), flag("hitBullets", options.hitBullets)
  state.checkIdle(world, FN)
  local number = state.groupNumber(world, FN, "group", group)
  local pools = world._pools
  pools[#pools + 1] = pool -- first, so that all that the core has is listed
  local made, userdata = pcall(own.new, world._core, capacity, radius, graze or 0, number,
    left, top, right, bottom, lifetime, pierce, hitBullets)
  if not made then
    pools[#pools] = nil
    error(userdata, 0)
  end
  pool[1] = userdata
  if accelerator then accelerator.equip(pool, Bullets.spawn) end
  return setmetatable(pool, metatableOf {
    capacity = capacity, radius = radius, group = group, margin = margin,
    bounds = bounds and { bounds[1], bounds[2], bounds[3], bounds[4] },
    lifetime = options.lifetime, grazeRadius = graze, pierce = pierce, hitBullets = hitBullets,
  })
end

--- The pools of a world, in the order of making.
---@return collide.Bullets[] pools a fresh list
function M.pools(world, ...)
  state.checkOpen(world, "world:pools")
  check.noMore("world:pools", "no arguments", 0, ...)
  local list = {}
  for i, pool in ipairs(world._pools) do list[i] = pool end
  return list
end

--- Kills the bullets of all pools of a world.
function M.clear(world)
  own.clearAll(world._core)
end

-- Steps -----------------------------------------------------------------------

-- What is told of a pool, by the name of the callback, which may be set at any time.
local function callback(pool, name)
  local f = pool[name]
  if f and type(f) ~= "function" and not check.isCallable(f) then
    check.fail("world:step", "pool." .. name, "function", f)
  end
  return f
end

--- Before a step: which events are to be told.
function M.setEventMasks(world)
  local pools = world._pools
  for i = 1, #pools do
    local pool = pools[i]
    own.setEventMask(pool, (callback(pool, "hit") and BULLET_EVENT_HIT or 0)
      + (callback(pool, "graze") and BULLET_EVENT_GRAZE or 0)
      + (callback(pool, "expired") and BULLET_EVENT_EXPIRED or 0))
  end
end

-- What the bullet does whose hit was told.
local function answer(world, result)
  if result == "bounce" then
    own.answer(world._core, true)
  elseif result == "pass" then
    own.answer(world._core, false)
  elseif type(result) == "string" then
    check.fail("world:step", "result of pool.hit", '"pass", "bounce" or nothing', result)
  end
end

--- After a step's pairs: tells what happened to bullets, one by one as the core gives
--- them out. False when a callback has stepped the world: that step has the rest.
function M.tell(world)
  local pools, actors, serial = world._pools, world._actors, world._serial
  if #pools == 0 then return true end
  local kind, index, bullet, slot, nx, ny, t, x, y, otherIndex, other = nextShot(world._core)
  while kind do
    local pool = pools[index]
    if kind == HIT then
      local hit = callback(pool, "hit")
      if hit then
        local result
        if slot > 0 then
          result = hit(pool, bullet, actors[slot], nx, ny, t, x, y)
        else
          result = hit(pool, bullet, pools[otherIndex], nx, ny, t, x, y, other)
        end
        if result and world._serial == serial then answer(world, result) end
      end
    elseif kind == GRAZE then
      local graze = callback(pool, "graze")
      if graze then graze(pool, bullet, actors[slot]) end
    else
      local expired = callback(pool, "expired")
      if expired then expired(pool, bullet) end
    end
    if world._serial ~= serial then return false end
    kind, index, bullet, slot, nx, ny, t, x, y, otherIndex, other = nextShot(world._core)
  end
  return true
end

-- Methods ---------------------------------------------------------------------

local function checkPool(self, fn)
  local meta = type(self) == "table" and getmetatable(self)
  if type(meta) ~= "table" or rawget(meta, "class") ~= Bullets then
    check.fail(fn, "self", "pool", self, "call it with a colon")
  elseif rawget(self, "_removed") then
    check.raise "attempt to use a pool that has been removed"
  end
end

--- Removes the pool from its world, with its bullets; nobody is told.
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

---@class collide.Laser
---@field points number[] {x1, y1, x2, y2, …}
---@field width number
---@field warmup? number seconds before it hits
---@field lifetime? number seconds until it expires, the warmup included; else the pool's
---@field tag? integer

--- A laser along a line of points: it stays until its lifetime is over, and hits what
--- is in it, once until that has left it, when `warmup` seconds have passed.
---@param laser collide.Laser
---@return integer? bullet, string? why
function Bullets:spawnLaser(laser, ...)
  local fn = "pool:spawnLaser"
  checkPool(self, fn)
  check.table(fn, "laser", laser, "table {points = …, width = …, …}")
  check.noMore(fn, "one table {points = …, width = …, …}", 1, ...)
  check.keys(fn, "key of laser", laser, LASER)
  local points, width = checkPoints(fn, laser.points), check.size(fn, "width", laser.width)
  local warmup, lifetime, tag = laser.warmup, laser.lifetime, laser.tag
  if warmup == nil then warmup = 0 else check.seconds(fn, "warmup", warmup) end
  if lifetime == nil then
    lifetime = self.lifetime or math.huge
  else
    positiveSeconds(fn, "lifetime", lifetime)
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
---@field vx? number units a second
---@field vy? number
---@field ax? number units a second, each second; 0 when it is spawned
---@field ay? number
---@field radius? number
---@field tag? integer

--- Changes what is given of a bullet. A new x or y is a jump, not a motion; a laser
--- keeps its radius.
---@param bullet integer
---@param changes collide.BulletChanges
---@return boolean alive false, and nothing done, when the bullet is dead
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

--- Calls fn(bullet, x, y, vx, vy, radius, tag) for each bullet and laser that is there
--- now, in the order of spawning; those that die meanwhile are passed over.
function Bullets:each(fn, ...)
  checkPool(self, "pool:each")
  if type(fn) ~= "function" then check.fail("pool:each", "fn", "function", fn) end
  check.noMore("pool:each", "a function", 1, ...)
  local last = own.last(self)
  local bullet, x, y, vx, vy, radius, tag = own.next(self, 0)
  while bullet and bullet <= last do
    fn(bullet, x, y, vx, vy, radius, tag)
    bullet, x, y, vx, vy, radius, tag = own.next(self, bullet)
  end
end

local atan2 = math.atan2 or math.atan -- luacheck: ignore

-- Draws every bullet as the batch's texture, its middle at the bullet and turned to
-- where it flies.
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

-- A userdata need not let itself be indexed.
local function isBatch(target)
  local kind = type(target)
  if kind == "userdata" then
    local found, add = pcall(indexed, target, "add")
    return found and check.isCallable(add)
  end
  return kind == "table" and not core.ownName(target) and check.isCallable(target.add)
end

local TARGET = "table, or something with a method add such as a SpriteBatch"

--- Writes where the round bullets are, in the order of spawning, and returns how many
--- there are. A table becomes the list x1, y1, x2, y2, …; of what has a method `add`, a
--- SpriteBatch, that is called for each, after its `clear`.
function Bullets:fill(target, ...)
  local fn = "pool:fill"
  checkPool(self, fn)
  check.noMore(fn, "one target", 1, ...)
  if isBatch(target) then return fillBatch(self, target) end
  return own.fill(self, check.list(fn, "target", target, TARGET), false)
end

--- On LuaJIT the arrays of the round bullets: n, x, y, vx, vy, radius, tag. They are in the
--- order of spawning, count from 0, and are good until the pool next changes.
function Bullets:arrays(...)
  local fn = "pool:arrays"
  checkPool(self, fn)
  check.noMore(fn, "no arguments", 0, ...)
  if not accelerator then
    check.raise "pool:arrays: this Lua has no FFI to read arrays by; pool:fill(list) copies places"
  end
  return own.show(self), accelerator.arrays(self)
end

return M
