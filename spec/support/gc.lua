-- Running code under a collector that leaves nothing alone. Also a helper for
-- the whole suite: COLLIDE_GC=aggressive (or generational, on Lua 5.4)
-- busted --helper=spec/support/gc.lua.
local M = {}

-- Lua 5.2 has the word too, for an experiment that was given up.
M.hasGenerational = not _VERSION:find("5%.[123]$")

--- Never pauses, and marks far more than was allocated in each of its steps.
function M.makeAggressive()
  collectgarbage("setpause", 1)
  collectgarbage("setstepmul", 1000)
end

local function restore(pause, stepmul, ...)
  if M.hasGenerational then collectgarbage("incremental") end
  collectgarbage("setpause", pause)
  collectgarbage("setstepmul", stepmul)
  collectgarbage("restart")
  return ...
end

local function finish(pause, stepmul, ok, ...)
  restore(pause, stepmul)
  if not ok then error((...), 0) end
  return ...
end

local function under(prepare, f, ...)
  local pause, stepmul = collectgarbage("setpause", 200), collectgarbage("setstepmul", 200)
  prepare()
  return finish(pause, stepmul, pcall(f, ...))
end

--- f(...) with the collector running all the time.
function M.aggressive(f, ...)
  return under(M.makeAggressive, f, ...)
end

--- f(...) with Lua 5.4's generational collector.
function M.generational(f, ...)
  return under(function() collectgarbage("generational") end, f, ...)
end

--- Drops what LuaJIT's compiler has made of the code, which counts as memory too.
function M.forgetTraces()
  local jit = rawget(_G, "jit")
  if jit then jit.flush() end
end

--- Everything that can be collected, things with finalizers included.
function M.full()
  for _ = 1, 4 do collectgarbage() end
end

local mode = os.getenv("COLLIDE_GC")
if mode == "aggressive" then
  M.makeAggressive()
elseif mode == "generational" and M.hasGenerational then
  collectgarbage("generational")
end

return M
