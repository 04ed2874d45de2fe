-- `pairs` and `next` for the loops of the library. On LuaJIT such a loop is not compiled; elsewhere
-- they are Lua's own.
--
-- LuaJIT knows both by their names and compiles loops over them in a way of its own. Before August
-- 2023 it could leave such a loop, at its end for one, only with the help of a second trace
-- (github.com/LuaJIT/LuaJIT/issues/1000). It compiles nothing in a finalizer, which may call this
-- library: a loop that lacked the second trace never ended there. By another name the loop calls
-- `next`, which may leave out an element where it is compiled (issue 1510).

local jit = rawget(_G, "jit")
if not jit then return { pairs = pairs, next = next } end

local M = {}

function M.next(t, key)
  return next(t, key)
end
jit.off(M.next)

function M.pairs(t)
  local step, state, first = pairs(t)
  if step == next then step = M.next end
  return step, state, first
end

return M
