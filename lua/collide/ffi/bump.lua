-- The searches of collide.bump under LuaJIT, while its compiler is on: they call the core and read
-- its results through pointers. Without LuaJIT or its FFI this module is false.

local require = require "collide.relative"
local binding = require "collide.binding"
if not binding.ffi then return false end

local jit = rawget(_G, "jit")
local check = require "collide.check"
local core = require "collide.core"
local each = require "collide.each"

local _, SearchPointer = binding.struct("bump", { cl_bump_found = binding.struct "found",
  cl_bump_hit = binding.struct("bump_hit", { cl_vec = binding.struct "place" }) })

-- table.new creates a table with room for its entries. Some versions of LuaJIT lack it.
local found, newTable = pcall(require, "table.new")
if not found then newTable = function() return {} end end

local function checked(count)
  if count < 0 then check.raise "not enough memory" end
  return count
end

-- The methods are like those of the core's searches in csrc/lua/bump.c. Where a loop is a trace of
-- its own, a pointer in a local variable would make garbage, so loops read `found` each time.
local Search = {}

function Search:look(own, goesOn, x, y, w, h, goalX, goalY)
  return checked(self.lookNow(self.io, own, goesOn and 1 or 0, x, y, w, h, goalX, goalY))
end

function Search:meetAll(own, goesOn, x, y, w, h, goalX, goalY)
  return checked(self.meetAllNow(self.io, own, goesOn and 1 or 0, x, y, w, h, goalX, goalY))
end

-- After a change, some of the items that were found may be gone.
function Search:candidate(i)
  local io = self.io
  if io.changes[0] ~= io.seen then return self.candidateNow(io, i) end
  return io.found[i - 1].slot + 1
end

function Search:meet(i)
  return self.meetNow(self.io, i)
end

function Search:first() return checked(self.firstNow(self.io)) end

function Search:rank() return checked(self.rankNow(self.io)) end

function Search:hit(i)
  local hit = self.io.hit[i - 1]
  return hit.slot + 1, hit.at + 1, hit.overlaps, hit.ti, hit.normal.x, hit.normal.y, hit.touch.x,
    hit.touch.y
end

function Search:passed(i)
  local hit = self.io.hit[i - 1]
  return hit.at + 1, hit.normal.x, hit.normal.y
end

-- If memory runs out for the tables, nothing has changed.
function Search:add(items, item, list, rect, x, y, w, h)
  local slot = checked(self.reserveNow(self.io))
  items[slot], list[slot] = item, rect
  return checked(self.addNow(self.io, x, y, w, h))
end

function Search:remove(slot) checked(self.removeNow(self.io, slot)) end

function Search:place(slot, x, y, w, h)
  checked(self.placeNow(self.io, slot, x, y, w, h))
end

function Search:wasMet(slot) return self.wasMetNow(self.io, slot) end

function Search:setMet(slot) checked(self.setMetNow(self.io, slot)) end

local function listOf(items, io, n)
  local list = newTable(checked(n), 0)
  for i = 1, n do list[i] = items[io.found[i - 1].slot + 1] end
  return list, n
end

function Search:all(items) return listOf(items, self.io, self.allNow(self.io)) end

function Search:query(items, x, y, w, h)
  return listOf(items, self.io, self.queryNow(self.io, x, y, w, h))
end

function Search:querySegment(list, items, x1, y1, x2, y2)
  local io, n = self.io, self.segmentNow(self.io, x1, y1, x2, y2)
  for i = 1, checked(n) do list[i] = items[io.hit[i - 1].slot + 1] end
  return n
end

-- The methods are in the table itself, so that a trace has fewer tests.
local function open(search)
  local io = binding.open(SearchPointer, search)
  local opened = { io = io, search = search, lookNow = io.look_now,
    meetAllNow = io.meet_all_now, candidateNow = io.candidate_now, meetNow = io.meet_now,
    firstNow = io.first_now, rankNow = io.rank_now, setMetNow = io.set_met_now,
    wasMetNow = io.was_met_now, reserveNow = io.reserve_now, addNow = io.add_now,
    removeNow = io.remove_now, placeNow = io.place_now, allNow = io.all_now,
    queryNow = io.query_now, segmentNow = io.segment_now }
  for name, method in each.pairs(Search) do opened[name] = method end
  return opened
end

-- A loop of few iterations gets no trace of its own: LuaJIT would compile it into the traces of the
-- game's loop, again for each sequence of answers, until its memory is full. So it is compiled here
-- with many iterations; again for each search, since LuaJIT may have dropped all traces meanwhile.
local many, items = nil, {}
local function never() return false end
local function compile(ask)
  if not many then
    many = open(core.newBump(1):search())
    for _ = 1, 200 do many:add(items, {}, {}, {}, 0, 0, 1, 1) end
  end
  ask(many, many:look(0, false, 0, 0, 1, 1, 0, 0), items, items, nil, never)
end

--- A search of the core, with the methods above while the compiler is on. `ask` is the loop in
--- bump/move.lua.
return function(search, ask)
  if not jit.status() then return search end
  compile(ask)
  return open(search)
end
