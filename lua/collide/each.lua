-- `pairs` and `next` for the loops of the library. On LuaJIT these loops are never compiled; on
-- other Luas both are Lua's own.
--
-- LuaJIT recognizes `pairs` and `next` by name, and compiles loops over them in a special way.
-- Before August 2023, leaving such a compiled loop needed a second trace
-- (github.com/LuaJIT/LuaJIT/issues/1000). LuaJIT compiles nothing inside a finalizer, and
-- finalizers may call this library: a loop without its second trace never ended there. A loop over
-- a function of another name calls `next`, which may skip an element when it is compiled
-- (issue 1510); so M.next is never compiled.

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
