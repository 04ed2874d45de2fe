-- Tables that answers are put into: the caller's `into`, with what goes along with it, and
-- scratch tables of a world, so that asking makes no garbage.

local check = require "collide.check"
local each = require "collide.each"

local rawset = rawset

local M = {}

-- By `into`: records, the tables of rayCastAll's answers, and distances. They live as long
-- as it does, and so are used again by the next answer, even where that is longer than
-- the last.
local companions = setmetatable({}, { __mode = "k" })

--- The tables that go along with `into`; fresh ones without it.
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

--- Ends a list after `n`.
function M.cut(list, n)
  for i = #list, n + 1, -1 do rawset(list, i, nil) end
end

--- A scratch table of a world, for answers that a filter function gets. The function may make a
--- query, too, which takes another table. `give` returns it; after an error it becomes garbage.
function M.take(world)
  local spare = world._spareKept
  local kept = spare[#spare]
  if not kept then return { far = {}, asked = {}, accepted = {}, places = {} } end
  spare[#spare] = nil
  return kept
end

--- Gives a scratch table with `n` answers back; it keeps no actor.
function M.give(world, kept, n)
  for i = 1, n do kept[i] = false end
  for actor in each.pairs(kept.asked) do kept.asked[actor] = nil end
  local spare = world._spareKept
  spare[#spare + 1] = kept
end

return M
