-- The accelerator. Under LuaJIT, while its compiler is on, Lua loops read actors and copy events
-- through pointers into the core's arrays, and rays are cast through a function pointer, instead of
-- by calls of the C API. The results are the same. Without LuaJIT or its FFI this module is false.

local require = require "collide.relative"
local binding = require "collide.binding"
if not binding.ffi then return false end

local jit = rawget(_G, "jit")
local core = require "collide.core"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"

local M = {}

-- Locals, so that traces look up no globals.
local band = require("bit").band
local pcall, error, type, rawget, select = pcall, error, type, rawget, select
local floor = math.floor

local MAX_COORDINATE, MAX_ANGLE = check.MAX_COORDINATE, check.MAX_ANGLE
local READING = lock.READING

local Place, Pair = binding.struct "place", binding.struct "pair"
local MoveHit = binding.struct("move_hit", { cl_vec = Place })
local _, CorePointer = binding.struct("world", { cl_vec = Place, cl_pair = Pair,
  cl_hit = binding.struct "hit", cl_move_hit = MoveHit })

local LIVE, LIVE_OR_STATIC = core.LIVE, core.LIVE + core.STATIC
local CALL_LEAVE_B, CALL_ENTER_B = core.CALL_LEAVE_B, core.CALL_ENTER_B
local CALL_NUMBERS, CALLS = core.CALL_NUMBERS, core.CALLS
local RAY_IGNORED = core.RAY_IGNORED
local told, partOf = reader.told, reader.part

--- Whether the compiler is on: without it, going through pointers is slower
--- than calling C.
function M.isOn()
  return (jit.status())
end

-- The core's functions, the same for all worlds. Fetching them for each move would make garbage;
-- then a finalizer could change the slots.
local moveNow, moveOn, moveCommit

--- A pointer to the arrays of a core, for `_io` of the world that owns it. The userdata begins with
--- these pointers, and updates them when the arrays move.
function M.open(userdata)
  local io = binding.open(CorePointer, userdata)
  moveNow, moveOn, moveCommit = io.move_now, io.move_on, io.move_commit
  return io
end

-- The names are upvalues that never change, which the compiler treats as constants. All worlds with
-- the usual names share one function.
local function newPull(keyX, keyY, keyAngle, keyAt)
  return function(io, actors, userdata)
    for i = 0, io.slots - 1 do
      if band(io.state[i], LIVE_OR_STATIC) == LIVE then
        local actor = actors[i + 1]
        if keyAt then
          actor = actor[keyAt]
          if type(actor) ~= "table" then return i + 1, keyAt, actor end
        end
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
        local place = io.place[i]
        place.x, place.y = x, y
        if angle ~= 0 or io.angle ~= nil then
          if io.angle == nil then userdata:useAngles() end
          io.angle[i] = angle
        end
      end
    end
  end
end

local usual = newPull("x", "y", "angle", false)

--- Like core:pull, returns nothing, or slot, key and value of the first bad field.
function M.pull(world)
  local pull = world._pull
  if not pull then
    local names = world._names
    pull = reader.areUsual(names) and usual or newPull(names.x, names.y, names.angle, names.at)
    world._pull = pull
  end
  return pull(world._io, world._actors, world._core)
end

-- This has no branches: a side trace that starts in here could not go on outside the pcall. The
-- results are the calls to be made, two slots, and nx, ny, depth.
local function read(io, e)
  local i = io.event[e - 1]
  local pair, hit = io.contact[i], io.hit[i]
  return band(io.calls[i], CALLS), pair.a + 1, pair.b + 1, hit.nx, hit.ny, hit.depth
end

-- The same if some pairs have met only on their way. The last value is t, below 0 for all other
-- pairs.
local function readTimed(io, e)
  local i = io.event[e - 1]
  local pair, hit = io.contact[i], io.hit[i]
  return band(io.calls[i], CALLS), pair.a + 1, pair.b + 1, hit.nx, hit.ny, hit.depth, io.time[i]
end

local function readLeave(io, e)
  local i = io.event[e - 1]
  local pair = io.ended[i]
  return band(io.ended_calls[i], CALLS), pair.a + 1, pair.b + 1, 0, 0, 0
end

--- Like event_at in csrc/lua/step.c. It reads through pointers, and locks the world meanwhile: the
--- collector may run a finalizer, which must not move the events. A dispatch that has yielded may
--- go on while the world is already locked.
function M.event(world, e)
  local io, before = world._io, world._lock
  if e > io.events then return 0 end
  local how = e <= io.leaves and readLeave or io.time ~= nil and readTimed or read
  world._lock = READING
  local ok, calls, i, j, nx, ny, depth, t = pcall(how, io, e)
  world._lock = before
  if not ok then error(calls, 0) end
  local a, b = world._actors[i], world._actors[j]
  if calls < CALL_LEAVE_B then
    if not (a and b) then return 0 end
    if calls < CALL_ENTER_B then io.dispatched = e * CALL_NUMBERS end
  else
    a, b = a or world._ghosts[i], b or world._ghosts[j]
  end
  if t and t >= 0 then return calls, a, b, nx, ny, depth, t end
  return calls, a, b, nx, ny, depth
end

-- Writes the slots of an actor, or of the actors in a list, to `to`, and returns how many there
-- are; nil if the list is too long.
local function ignore(to, slots, ignored)
  local slot = slots[ignored]
  if slot then
    to[0] = slot - 1
    return 1
  end
  local count = 0
  for i = 1, RAY_IGNORED do
    local actor = rawget(ignored, i)
    if actor == nil then return count end
    slot = slots[actor]
    if slot then
      to[count] = slot - 1
      count = count + 1
    end
  end
  return rawget(ignored, RAY_IGNORED + 1) == nil and count or nil
end

--- A function for `_rays` of the world that owns a core: returns the first actor on a ray, as
--- core:rayCast does. It calls core:rayCast when a ray ignores too many actors, and when there is
--- an error to raise: a bad argument, no memory, or a closed world.
function M.rays(io)
  -- These pointers never change. Fetching them for each ray would make garbage; then the collector
  -- could run between filling `to` and the cast, and a finalizer might cast a ray too.
  local cast, to = io.ray_cast, io.rays_ignore
  return function(world, low, high, ignored, x1, y1, x2, y2)
    local count = type(x1) == "number" and type(y1) == "number" and type(x2) == "number"
      and type(y2) == "number" and (ignored == nil and 0 or ignore(to, world._slots, ignored))
    local slot = count and cast(io, low, high, count, x1, y1, x2, y2) or -1
    if slot > 0 then
      local member = io.cast_member
      return world._actors[slot], io.cast_x, io.cast_y, io.cast_nx, io.cast_ny, io.cast_t,
        member > 0 and partOf(world, slot, member) or nil
    elseif slot == 0 then
      return nil
    end
    return told(world, world._core:rayCast(world._actors, world._slots, low, high, ignored, 0,
      false, nil, x1, y1, x2, y2))
  end
end

local ASKS = core.ASKS

--- Like core:moveNow, from a place; returns nil if the slower path has to take over. `asks`: 0, or
--- 1 if the response is a function, or 2 if the filter is; then it returns false if the move has to
--- wait for an answer.
function M.move(io, slot, x, y, angle, dx, dy, group, response, asks)
  if not (type(x) == "number" and type(y) == "number" and type(angle) == "number"
    and type(dx) == "number" and type(dy) == "number") then
    return nil
  end
  local hits = moveNow(io, slot, x, y, angle, dx, dy, group, response, asks)
  if hits == ASKS then return false end
  if hits < 0 then return nil end
  return io.moved_x, io.moved_y, hits
end

--- Continues a move that waits. decide(…) gives the answers, as in lua/collide/move/init.lua.
function M.moveOn(world, decide, accepts, respond, number)
  local io, actors, hits = world._io, world._actors, ASKS
  while hits == ASKS do
    local value = io.asked_value
    hits = moveOn(io, decide(accepts, respond, number, actors, "world:move", io.asked_other + 1,
      io.asked_mover + 1, io.asked_nx, io.asked_ny, value >= 0 and value or nil, io.asked_sensor))
  end
  if hits < 0 then check.raise "not enough memory" end
  return io.moved_x, io.moved_y, hits
end

local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }

--- Fills the records of a list with the hits of the last move, as core:moveHit returns them. The
--- world may not change meanwhile.
function M.fillHits(world, list, count)
  local io, actors = world._io, world._actors
  for i = 1, count do
    local entry = rawget(list, i)
    local hit = io.move_hit[i - 1]
    local member = hit.member
    entry.actor = actors[hit.slot + 1]
    entry.nx, entry.ny = hit.normal.x, hit.normal.y
    entry.x, entry.y = hit.at.x, hit.at.y
    entry.px, entry.py = hit.point.x, hit.point.y
    entry.t, entry.response = hit.t, RESPONSES[hit.response]
    -- Fields that few hits have are stored only if set now or before: storing nil may make a key.
    if hit.column >= 0 then
      entry.column, entry.row, entry.value = hit.column, hit.row, hit.value
    elseif hit.value >= 0 or entry.value then
      entry.column, entry.row = nil, nil
      entry.value = hit.value >= 0 and hit.value or nil
    end
    if hit.inside or entry.inside then
      entry.inside, entry.crushed = hit.inside or nil, hit.crushed or nil
    end
    if member > 0 then entry.part = partOf(world, hit.slot + 1, member)
    elseif entry.part then entry.part = nil end
  end
end

--- Like core:commitMove; returns a number below 0 when out of memory.
function M.commitMove(world)
  return moveCommit(world._io)
end

-- Spawning ------------------------------------------------------------------------

-- A Lua function checks what is spawned, and calls the core through a function pointer. The core's
-- own function gets all unusual cases.

local MAX, MAX_EXACT = MAX_COORDINATE, core.MOST_EXACT

local _, PoolPointer = binding.struct("pool", { cl_bullets = binding.struct "bullets" })

local function isTag(tag)
  return type(tag) == "number" and tag >= -MAX_EXACT and tag <= MAX_EXACT and tag == floor(tag)
end

-- The core's function, the same for all pools. Fetching it for each bullet would make garbage.
local spawnNow

-- The core's own function. It gets all calls with bad arguments, by a tail call, so that errors
-- have the caller's position.
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
  local bullet = handle and spawnNow(handle, x, y, vx, vy, tag) or 0
  if bullet > 0 then return bullet end
  return spawnInCore(self, x, y, vx, vy, tag)
end

--- Gives a new pool the fast `spawn`, if the compiler is on. `own` is the core's `spawn`.
function M.equip(pool, own)
  spawnInCore = own
  pool._handle = binding.open(PoolPointer, pool[1])
  spawnNow = pool._handle.spawn
  if M.isOn() then pool.spawn = spawn end
end

--- The core's arrays of the bullets: x, y, vx, vy, radius, tag. Indices count from 0.
function M.arrays(pool)
  local io = pool._handle.pool
  return io.x, io.y, io.vx, io.vy, io.radius, io.tag
end

return M
