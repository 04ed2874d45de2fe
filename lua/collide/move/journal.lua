-- A journal of the places that actors had before a call moved them. If the call fails, they are put
-- back.

local state = require "collide.world.state"

local M = {}

--- Records the place of an actor of the world. A journal is a list of `n` entries; tables after the
--- n-th are spare ones.
function M.note(journal, world, actor)
  local n, names = (journal.n or 0) + 1, world._names
  local was = journal[n]
  if not was then
    was = {}
    journal[n] = was
  end
  was.actor, was.x, was.y = actor, actor[names.x], actor[names.y]
  was.placeX, was.placeY, was.angle = world._core:place(world._slots[actor])
  journal.n = n -- last, since memory may run out above, and undo must not read half an entry
end

--- Forgets all entries: they keep no actor alive.
function M.clear(journal)
  for i = 1, journal.n or 0 do journal[i].actor = false end
  journal.n = 0
end

--- Puts all actors back, in reverse order.
function M.undo(journal, world)
  local names = world._names
  for i = journal.n or 0, 1, -1 do
    local was = journal[i]
    was.actor[names.x], was.actor[names.y] = was.x, was.y
    world._core:put(world._slots[was.actor], was.placeX, was.placeY, was.angle)
    state.notePlace(world, was.actor, was.placeX, was.placeY, was.angle)
  end
end

return M
