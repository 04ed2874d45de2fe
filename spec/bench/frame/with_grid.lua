-- The swarm with a carefully written grid in plain Lua: no garbage, flat lists, each box in one
-- cell, and each pair tested once.

local boxes = require "boxes"

local M = { name = "a grid in Lua" }

-- Not smaller than a box, so that boxes that overlap are in the same cell or in neighbouring ones.
local CELL = boxes.SIZE

local floor = math.floor

function M.open(count)
  local side, size, dt = boxes.side(count), boxes.SIZE, boxes.DT
  local field = { width = side, height = side }
  local list = boxes.list(count)

  -- Boxes may be a step outside; the cells at the edge hold boxes that are further out.
  local columns = floor(side / CELL) + 4
  local first, next = {}, {} -- of a cell, and of a box: the number of a box, or 0
  local xs, ys, cells = {}, {}, {}
  for c = 1, columns * columns do first[c] = 0 end

  local function look(cell, i, x, y)
    local k = first[cell]
    while k ~= 0 do
      local u, v = xs[k], ys[k]
      if u < x + size and x < u + size and v < y + size and y < v + size then
        local a, b = list[k], list[i]
        a:hit(b)
        b:hit(a)
      end
      k = next[k]
    end
  end

  local function frame()
    for i = 1, count do list[i]:update(dt, field) end
    for i = 1, count do
      local box = list[i]
      local x, y = box.x, box.y
      local column, row = floor(x / CELL) + 2, floor(y / CELL) + 2
      if column < 2 then column = 2 elseif column > columns - 1 then column = columns - 1 end
      if row < 1 then row = 1 elseif row > columns - 2 then row = columns - 2 end
      local cell = row * columns + column
      xs[i], ys[i], cells[i] = x, y, cell
      -- Only boxes that were inserted before.
      for c = cell - columns - 1, cell + columns - 1, columns do
        look(c, i, x, y)
        look(c + 1, i, x, y)
        look(c + 2, i, x, y)
      end
      next[i] = first[cell]
      first[cell] = i
    end
    for i = 1, count do first[cells[i]] = 0 end
  end

  return { frame = frame, pairs = boxes.counter(list) }
end

return M
