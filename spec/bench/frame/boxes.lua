-- The swarm: boxes of 10 x 10 that cross a field and turn round at its edges. Their density does
-- not depend on their number.

local collide = require "collide"

local M = {}

M.SIZE = 10
M.DT = 1 / 60

local SPEED = 300 -- at most, on each axis, in units a second

--- The side of the square field for `count` boxes.
function M.side(count)
  return 500 * math.sqrt(count / 1000)
end

--- A box turns when its x or y leaves the field, unless it is already on its way back.
function M.update(self, dt, field)
  local vx, vy = self.vx, self.vy
  local x, y = self.x + vx * dt, self.y + vy * dt
  if x < 0 and vx < 0 or x > field.width and vx > 0 then self.vx = -vx end
  if y < 0 and vy < 0 or y > field.height and vy > 0 then self.vy = -vy end
  self.x, self.y = x, y
end

function M.hit(self)
  self.hits = self.hits + 1
end

--- A list of boxes, the same each time.
function M.list(count)
  local numbers = collide.newRandom(1)
  local side = M.side(count)
  local list = {}
  for i = 1, count do
    list[i] = {
      x = numbers:uniform(0, side),
      y = numbers:uniform(0, side),
      vx = numbers:uniform(-SPEED, SPEED),
      vy = numbers:uniform(-SPEED, SPEED),
      hits = 0,
      update = M.update,
      hit = M.hit,
    }
  end
  return list
end

--- A function that returns the number of pairs reported since its last call.
function M.counter(list)
  local before = 0
  return function()
    local sum = 0
    for _, box in ipairs(list) do sum = sum + box.hits end
    local told = sum - before
    before = sum
    return told / 2
  end
end

return M
