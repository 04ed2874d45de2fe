-- Runs code under an aggressive collector. Also a helper for the whole suite: COLLIDE_GC=aggressive
-- (or generational, on Lua 5.4 and 5.5) busted --helper=spec/support/gc.lua.
local M = {}

local jit = rawget(_G, "jit")

-- Lua 5.2 has the option too, for an abandoned experiment.
M.hasGenerational = not _VERSION:find("5%.[123]$")

-- Sets the collector's pause or its work per step, in percent; returns the value before.
local function set(name, value)
  if _VERSION == "Lua 5.5" then return collectgarbage("param", name, value) end
  return collectgarbage("set" .. name, value)
end

--- Makes the collector aggressive: it never pauses, and does far more work per step than was
--- allocated. With a pause below 100, Lua 5.2 and 5.3 make a whole cycle at each allocation.
function M.makeAggressive()
  set("pause", 100)
  set("stepmul", 1000)
end

local function restore(pause, stepmul, ...)
  if M.hasGenerational then collectgarbage("incremental") end
  set("pause", pause)
  set("stepmul", stepmul)
  collectgarbage("restart")
  return ...
end

local function finish(pause, stepmul, ok, ...)
  restore(pause, stepmul)
  if not ok then error((...), 0) end
  return ...
end

local function under(prepare, f, ...)
  local pause, stepmul = set("pause", 200), set("stepmul", 200)
  prepare()
  return finish(pause, stepmul, pcall(f, ...))
end

--- f(...) with the collector running all the time.
function M.aggressive(f, ...)
  return under(M.makeAggressive, f, ...)
end

--- f(...) with the generational collector.
function M.generational(f, ...)
  return under(function() collectgarbage("generational") end, f, ...)
end

--- Drops LuaJIT's compiled code, which counts as memory too.
function M.forgetTraces()
  if jit then jit.flush() end
end

--- Collects everything that can be collected, objects with finalizers included.
function M.full()
  for _ = 1, 4 do collectgarbage() end
end

local FRAMES, TRIES, STARTS = 300, 1, 1
if jit and jit.status() then FRAMES, TRIES, STARTS = 48, 12, 4 end

--- The bytes by which Lua's memory grows over some calls of frame() while the collector is stopped.
--- A JIT compiler allocates at any time and picks at random what it compiles, so with one this is
--- the least of many tries; some tries reset the compiler.
function M.growth(frame)
  local least = math.huge
  for _ = 1, STARTS do
    M.forgetTraces()
    for _ = 1, 200 do frame() end
    for _ = 1, TRIES do
      M.full()
      collectgarbage("stop")
      for _ = 1, 16 do frame() end -- a full collection has shrunk Lua's stack: it grows again here
      local before = collectgarbage("count")
      for _ = 1, FRAMES do frame() end
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
    end
    if least == 0 then break end
  end
  return least * 1024
end

--- An object that calls f when it is collected.
function M.finalized(f)
  if newproxy then -- luacheck: ignore
    local proxy = newproxy(true) -- luacheck: ignore
    getmetatable(proxy).__gc = f
    return proxy
  end
  return setmetatable({}, { __gc = f })
end

local mode = os.getenv("COLLIDE_GC")
if mode == "aggressive" then
  M.makeAggressive()
elseif mode == "generational" and M.hasGenerational then
  collectgarbage("generational")
end

return M
