-- The swarm with a loop over all pairs, as in a first version of a game.

local boxes = require "boxes"

local M = { name = "all pairs" }

function M.open(count)
  local side, size, dt = boxes.side(count), boxes.SIZE, boxes.DT
  local field = { width = side, height = side }
  local list = boxes.list(count)

  local function frame()
    for i = 1, #list do list[i]:update(dt, field) end
    for i = 1, #list do
      local a = list[i]
      local l, t = a.x, a.y
      local r, b = l + size, t + size
      for k = i + 1, #list do
        local other = list[k]
        local x, y = other.x, other.y
        if x < r and l < x + size and y < b and t < y + size then
          a:hit(other)
          other:hit(a)
        end
      end
    end
  end

  return { frame = frame, pairs = boxes.counter(list) }
end

return M
