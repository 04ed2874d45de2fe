-- Makes pools of bullets, and lists the pools of a world. The bullets are arrays in the core, which
-- moves and tests them.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local state = require "collide.world.state"
local accelerator = require "collide.ffi.spawn"
local Bullets = require "collide.bullets.pool"

local M = {}

local own = core.bullets

local MAX_CAPACITY = core.MAX_BULLETS
local MAX = check.MAX_COORDINATE

local function toString(self)
  if rawget(self, "_removed") then return "pool(removed)" end
  local n = self:count()
  return ("pool(%d bullet%s)"):format(n, n == 1 and "" or "s")
end

local FN = "world:newBullets"

local OPTIONS = {
  capacity = true, radius = true, group = true, bounds = true, margin = true, lifetime = true,
  grazeRadius = true, pierce = true, hitBullets = true, hit = true, graze = true, expired = true,
}

-- Options that cannot be changed.
local FIXED = {
  "capacity", "radius", "group", "bounds", "margin", "lifetime", "grazeRadius", "pierce",
  "hitBullets",
}

local IS_FIXED = {}
for _, name in ipairs(FIXED) do IS_FIXED[name] = true end

-- In a strict world, a pool takes no other field; but a game may replace a method.
local KNOWN = setmetatable({ hit = true, graze = true, expired = true }, { __index = Bullets })
local setField = check.fixed("pool", FN, IS_FIXED)
local setStrictly = check.fixed("pool", FN, IS_FIXED, KNOWN, "hit, graze or expired")

-- The metatable of a pool. Its __index is a table of the pool's options and all methods, so that
-- no function is called to look one up.
local function metatableOf(world, options)
  for name, method in each.pairs(Bullets) do options[name] = method end
  return {
    __index = options,
    __newindex = world._spelling and setStrictly or setField,
    __tostring = toString,
    __name = "collide.Pool",
    class = Bullets,
  }
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
---@field capacity integer how many bullets can live at once, lasers included
---@field radius number the radius of a new bullet
---@field group? string
---@field bounds? number[] {x, y, w, h}: a bullet expires when its centre leaves it
---@field margin? number how far outside the bounds a bullet expires, default 0
---@field lifetime? number seconds after which a bullet expires
---@field grazeRadius? number actors within this distance of a bullet's centre are grazed
---@field pierce? boolean a hit does not end a bullet
---@field hitBullets? boolean its bullets also hit bullets of other pools
---@field hit? collide.OnBulletHit
---@field graze? collide.OnGraze
---@field expired? collide.OnExpired

---@class collide.World
local World = {}

M.methods = World

--- Makes a pool of bullets.
---@param world collide.World
---@param options collide.BulletOptions
---@return collide.Bullets
function World.newBullets(world, options, ...)
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
  if lifetime == nil then lifetime = math.huge else check.duration(FN, "lifetime", lifetime) end
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
    _removed = false,
    _list = {}, -- scratch of fill
  }
  local pierce, hitBullets = flag("pierce", options.pierce), flag("hitBullets", options.hitBullets)
  state.checkIdle(world, FN)
  local number = state.groupNumber(world, FN, "group", group)
  local pools = world._pools
  pools[#pools + 1] = pool -- first, so that every pool of the core is listed
  local made, userdata = pcall(own.new, world._core, capacity, radius, graze or 0, number,
    left, top, right, bottom, lifetime, pierce, hitBullets)
  if not made then
    pools[#pools] = nil
    error(userdata, 0)
  end
  pool[1] = userdata
  if accelerator then accelerator.equip(pool, Bullets.spawn) end
  return setmetatable(pool, metatableOf(world, {
    capacity = capacity, radius = radius, group = group, margin = margin,
    bounds = bounds and { bounds[1], bounds[2], bounds[3], bounds[4] },
    lifetime = options.lifetime, grazeRadius = graze, pierce = pierce, hitBullets = hitBullets,
  }))
end

--- The pools of a world, in the order in which they were made.
---@param world collide.World
---@return collide.Bullets[] pools a fresh list
function World.pools(world, ...)
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

return M
