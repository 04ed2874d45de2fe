-- The places of actors before a call moved them. When the call fails they are put back.

local M = {}

--- Keeps where an actor of the world is. A journal is a list that may be used again: its `n`
--- entries count, and those beyond are spare tables.
function M.note(journal, world, actor)
  local n, names = (journal.n or 0) + 1, world._names
  local was = journal[n]
  if not was then
    was = {}
    journal[n] = was
  end
  was.actor, was.x, was.y = actor, actor[names.x], actor[names.y]
  was.placeX, was.placeY, was.angle = world._core:place(world._slots[actor])
  journal.n = n -- last: memory may run out before, and undo must not read half an entry
end

--- Puts all actors back, the last that was moved first.
function M.undo(journal, world)
  local names = world._names
  for i = journal.n or 0, 1, -1 do
    local was = journal[i]
    was.actor[names.x], was.actor[names.y] = was.x, was.y
    world._core:put(world._slots[was.actor], was.placeX, was.placeY, was.angle)
  end
end

return M
