-- The swarm with love.physics: bodies with sensors that Box2D moves. It calls back, a frame late,
-- when two bodies begin or cease to touch. The other contenders do more: they call both boxes of
-- each pair in every frame.

local boxes = require "boxes"

local M = {
  name = "love.physics",
  late = true,
  why = "Box2D's shapes have a skin",
}

-- Like boxes.update, but with the place of the body, which moves after this.
local function update(self, field)
  local body = self.body
  local x, y = body:getPosition()
  local vx, vy = self.vx, self.vy
  if x < 0 and vx < 0 or x > field.width and vx > 0 then vx = -vx end
  if y < 0 and vy < 0 or y > field.height and vy > 0 then vy = -vy end
  if vx ~= self.vx or vy ~= self.vy then
    self.vx, self.vy = vx, vy
    body:setLinearVelocity(vx, vy)
  end
end

local function enter(self)
  self.touching = self.touching + 1
end

local function leave(self)
  self.touching = self.touching - 1
end

local function begun(a, b)
  local one, two = a:getUserData(), b:getUserData()
  one:enter(two)
  two:enter(one)
end

local function ended(a, b)
  local one, two = a:getUserData(), b:getUserData()
  one:leave(two)
  two:leave(one)
end

function M.open(count)
  local physics = love.physics
  local side, size, dt = boxes.side(count), boxes.SIZE, boxes.DT
  local field = { width = side, height = side }
  local list = boxes.list(count)
  local world = physics.newWorld(0, 0, false)
  world:setCallbacks(begun, ended)
  -- The body is at the corner of the box.
  local shape = physics.newRectangleShape(size / 2, size / 2, size, size)
  for _, box in ipairs(list) do
    box.update, box.enter, box.leave, box.touching = update, enter, leave, 0
    box.body = physics.newBody(world, box.x, box.y, "dynamic")
    box.body:setFixedRotation(true)
    box.body:setLinearVelocity(box.vx, box.vy)
    local fixture = physics.newFixture(box.body, shape)
    fixture:setSensor(true)
    fixture:setUserData(box)
  end

  local function frame()
    for i = 1, count do list[i]:update(field) end
    world:update(dt)
  end

  local function pairsNow()
    local sum = 0
    for _, box in ipairs(list) do sum = sum + box.touching end
    return sum / 2
  end

  return { frame = frame, pairs = pairsNow }
end

return M
