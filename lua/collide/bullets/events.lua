-- The events of bullets. The core returns them one by one; this file calls the pools' callbacks and
-- passes their results to the core.

local core = require "collide.core"
local check = require "collide.check"
local tracing = require "collide.world.tracing"

local M = {}

local own = core.bullets
local nextShot = own.nextShot

local BULLET_EVENT_HIT, BULLET_EVENT_GRAZE, BULLET_EVENT_EXPIRED =
  core.BULLET_EVENT_HIT, core.BULLET_EVENT_GRAZE, core.BULLET_EVENT_EXPIRED
local GRAZE, HIT, EXPIRED = core.SHOT_GRAZE, core.SHOT_HIT, core.SHOT_EXPIRED
local NAMES = { [GRAZE] = "graze", [HIT] = "hit", [EXPIRED] = "expired" }

-- A callback of a pool, which may be set at any time; raises when it cannot be called.
local function callback(pool, name)
  local f = pool[name]
  if f and type(f) ~= "function" and not check.isCallable(f) then
    check.fail("world:step", "pool." .. name, "function", f)
  end
  return f
end

--- Before a step: sets which events the pools have callbacks for.
function M.setEventMasks(world)
  local pools = world._pools
  for i = 1, #pools do
    local pool = pools[i]
    own.setEventMask(pool, (callback(pool, "hit") and BULLET_EVENT_HIT or 0)
      + (callback(pool, "graze") and BULLET_EVENT_GRAZE or 0)
      + (callback(pool, "expired") and BULLET_EVENT_EXPIRED or 0))
  end
end

-- Tells the core what the bullet does after its hit.
local function answer(world, result)
  if result == "bounce" then
    own.answer(world._core, true)
  elseif result == "pass" then
    own.answer(world._core, false)
  else
    check.fail("world:step", "result of pool.hit", '"pass", "bounce" or nothing', result)
  end
end

--- Dispatches the events of bullets, after those of pairs. Returns false when a callback has
--- stepped the world: then that step has dispatched the rest.
function M.dispatch(world)
  local pools, actors, serial = world._pools, world._actors, world._serial
  if #pools == 0 then return true end
  local kind, index, bullet, slot, nx, ny, t, x, y, otherIndex, other = nextShot(world._core)
  while kind do
    local pool = pools[index]
    local target = kind ~= EXPIRED and (slot > 0 and actors[slot] or pools[otherIndex]) or nil
    if world._tracing and callback(pool, NAMES[kind])
      and not tracing.shot(world, NAMES[kind], pool, bullet, target, nx, ny, t, x, y, other) then
      kind = nil
    end
    if kind == HIT then
      local hit = callback(pool, "hit")
      if hit then
        local result
        if slot > 0 then
          result = hit(pool, bullet, target, nx, ny, t, x, y)
        else
          result = hit(pool, bullet, target, nx, ny, t, x, y, other)
        end
        if result and world._serial == serial then answer(world, result) end
      end
    elseif kind == GRAZE then
      local graze = callback(pool, "graze")
      if graze then graze(pool, bullet, target) end
    elseif kind == EXPIRED then
      local expired = callback(pool, "expired")
      if expired then expired(pool, bullet) end
    end
    if world._serial ~= serial then return false end
    kind, index, bullet, slot, nx, ny, t, x, y, otherIndex, other = nextShot(world._core)
  end
  return true
end

return M
