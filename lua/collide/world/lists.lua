-- The tables for the answers of queries and moves: the caller's `into` with the records in it, and
-- scratch tables of a world, so that queries and moves make no garbage.

local check = require "collide.check"
local each = require "collide.each"

local rawget, rawset = rawget, rawset

local M = {}

-- By `into`: the distances of `nearest`. They live as long as `into`. They are numbers, so they
-- keep nothing alive.
local distancesOf = setmetatable({}, { __mode = "k" })

--- The list of distances that goes with `into`; a new one if `into` is nil.
function M.distances(into)
  local distances = into and distancesOf[into]
  if not distances then
    distances = {}
    if into then distancesOf[into] = distances end
  end
  return distances
end

-- The list that each record belongs to. A list that is filled again uses its records again, and
-- those of a longer answer go to the world's spare ones in between: so it makes no garbage. The
-- table keeps neither alive, since a record holds an actor, which may hold the list.
local listOf = setmetatable({}, { __mode = "kv" })
M.listOf = listOf

--- Record i of a list: the table that the list holds there, if it is a record of its own.
---@param spare table[] records that no list holds
function M.record(spare, list, i)
  local record = rawget(list, i)
  if record ~= nil and listOf[record] == list then return record end
  local n = #spare
  record = spare[n] or {}
  spare[n] = nil
  listOf[record] = list
  rawset(list, i, record)
  return record
end

--- Cuts a list of records off after the n-th. Makes room among the spare ones first, so that
--- nothing has changed if memory runs out.
function M.drop(spare, list, n)
  local last = n
  while rawget(list, last + 1) ~= nil do last = last + 1 end
  local free = #spare
  for i = free + 1, free + last - n do spare[i] = false end
  for i = last, n + 1, -1 do
    local record = rawget(list, i)
    if listOf[record] == list then
      listOf[record] = nil
      record.actor = false
      free = free + 1
      spare[free] = record
    end
    rawset(list, i, nil)
  end
end

--- Raises when `into` cannot be filled.
function M.check(fn, into)
  if into ~= nil then check.list(fn, "into", into) end
  return into
end

--- Cuts a list off after its n-th value.
function M.cut(list, n)
  for i = #list, n + 1, -1 do rawset(list, i, nil) end
end

--- Takes a scratch table of a world, for the answers that a filter function gets. The function may
--- make a query too, which takes another table. `give` puts the table back; after an error it
--- becomes garbage.
function M.take(world)
  local spare = world._spareKept
  local kept = spare[#spare]
  if not kept then return { far = {}, asked = {}, accepted = {}, places = {} } end
  spare[#spare] = nil
  return kept
end

--- Puts a scratch table with `n` answers back, and clears it so that it keeps no actor alive.
function M.give(world, kept, n)
  for i = 1, n do kept[i] = false end
  for actor in each.pairs(kept.asked) do kept.asked[actor] = nil end
  local spare = world._spareKept
  spare[#spare + 1] = kept
end

return M
