-- The swarm with collide.

local boxes = require "boxes"
local collide = require "collide"

local M = { name = "collide" }

function M.open(count)
  local side = boxes.side(count)
  local world = collide.newWorld { width = side, height = side }
  local shape = collide.rectangle(boxes.SIZE, boxes.SIZE)
  local list = boxes.list(count)
  for _, box in ipairs(list) do
    box.shape = shape
    world:add(box)
  end
  return {
    frame = function() world:update(boxes.DT) end,
    pairs = boxes.counter(list),
  }
end

return M
