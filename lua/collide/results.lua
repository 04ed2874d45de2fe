-- The tables for the answers of queries: the caller's `into` with its companions, and scratch
-- tables of a world, so that queries make no garbage.

local check = require "collide.check"
local each = require "collide.each"

local rawset = rawset

local M = {}

-- By `into`: `records`, the tables of rayCastAll's hits, and `distances` of nearest. They live as
-- long as `into`, so the next answer uses them again, even if a shorter one came in between.
local companions = setmetatable({}, { __mode = "k" })

--- The companion tables of `into`; new ones if `into` is nil.
---@return table companion records, distances
function M.companion(into)
  local companion = into and companions[into]
  if not companion then
    companion = { records = {}, distances = {} }
    if into then companions[into] = companion end
  end
  return companion
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
