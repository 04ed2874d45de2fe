-- Random maps of tiles with shapes, for any object with the constructors of `collide`.
local M = {}

-- The shapes of values in a cell of side 1: slopes, a half, a corner. 1 is a full cell.
local LOOKS = { [2] = { 0, 1, 1, 0, 1, 1 }, [3] = { 0, 0, 1, 1, 0, 1 },
  [4] = { 0, 0.5, 1, 0.5, 1, 1, 0, 1 }, [5] = { 0, 0, 1, 0, 0, 0.5 } }
local EMPTY, LAST = 6, 6

--- Sets a cell of a map to any of the values.
function M.setCell(map, rng)
  map.grid:set(rng:int(0, map.w - 1), rng:int(0, map.h - 1), rng:int(0, LAST))
end

--- Random tiles of `api`, and their map.
function M.random(api, rng)
  local looks = { [EMPTY] = false }
  for value, corners in pairs(LOOKS) do looks[value] = api.polygon(corners) end
  local w, h = rng:int(1, 4), rng:int(1, 3)
  local cell = rng:pick { 2, 4, 6 }
  local map = { w = w, h = h, grid = api.newGrid(w, h, {
    cell = rng:chance(0.5) and cell or { cell, rng:pick { 2, 4, 6 } }, x = rng:int(-4, 4),
    y = rng:int(-4, 4) }) }
  for row = 0, h - 1 do
    for col = 0, w - 1 do map.grid:set(col, row, rng:int(0, LAST)) end
  end
  return api.tiles(map.grid, looks), map
end

return M
