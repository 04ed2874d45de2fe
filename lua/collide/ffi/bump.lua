-- The searches of collide.bump under LuaJIT, while its compiler is on: they call the core and read
-- what it has found through pointers. Without LuaJIT or its FFI this module is false.

local require = require "collide.relative"
local binding = require "collide.binding"
if not binding.ffi then return false end

local jit = rawget(_G, "jit")
local check = require "collide.check"

local _, SearchPointer = binding.struct("bump",
  { cl_bump_hit = binding.struct("found", { cl_vec = binding.struct "place" }) })

local function checked(count)
  if count < 0 then check.raise "not enough memory" end
  return count
end

-- The methods are as those of the core's searches in csrc/lua/bump.c. A pointer in a local variable
-- would be garbage where the loop behind it is a trace of its own, so loops read `found` each time.
local Search = {}
Search.__index = Search

local function fill(near, list, io, n)
  for i = 1, checked(n) do near[i] = list[io.found[i - 1].slot + 1] end
  return n
end

function Search:look(near, list, own, goesOn, x, y, w, h, goalX, goalY)
  return fill(near, list, self.io,
    self.lookNow(self.io, own, goesOn and 1 or 0, 1, x, y, w, h, goalX, goalY))
end

function Search:queryRect(near, list, x, y, w, h)
  return fill(near, list, self.io, self.queryNow(self.io, x, y, w, h))
end

function Search:queryPoint(near, list, x, y)
  return fill(near, list, self.io, self.queryNow(self.io, x, y, 0, 0))
end

local function first(self)
  local i = checked(self.firstNow(self.io))
  if i == 0 then return nil end
  local f = self.io.found[i - 1]
  return f.slot + 1, f.at + 1, f.overlaps, f.ti, f.normal.x, f.normal.y, f.touch.x, f.touch.y
end

function Search:first(names, n)
  local io = self.io
  for i = 1, n do
    if not names[i] then io.found[i - 1].met = false end
  end
  return first(self)
end

function Search:meet(own, goesOn, x, y, w, h, goalX, goalY)
  local n = checked(self.lookNow(self.io, own, goesOn and 1 or 0, 0, x, y, w, h, goalX, goalY))
  if n == 0 then return nil end
  return first(self)
end

function Search:place(slot, x, y, w, h)
  checked(self.placeNow(self.io, slot, x, y, w, h))
end

--- A search of the core, with the methods above while the compiler is on.
return function(search)
  if not jit.status() then return search end
  local io = binding.open(SearchPointer, search)
  return setmetatable({ io = io, lookNow = io.look_now, firstNow = io.first_now,
    placeNow = io.place_now, queryNow = io.query_now }, Search)
end
