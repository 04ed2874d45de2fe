-- Boxes cross a field, turn back at its edges, and are red while they hit another.
--
--   collide run examples/scenes/swarm.lua --set count=2000 --svg swarm.svg
--
-- count: number of boxes; speed: the highest speed on each axis, in pixels per 1/60 second.

local collide = require "collide"

local WIDTH, HEIGHT, SIZE = 500, 500, 10

local shape = collide.rectangle(SIZE, SIZE)

-- The methods are shared by all boxes.

-- A box turns when its x or y leaves the field, unless it is already on its way back.
local function update(self, dt, world)
  local vx, vy = self.vx, self.vy
  local x, y = self.x + vx * dt, self.y + vy * dt
  if x < 0 and vx < 0 or x > world.width and vx > 0 then self.vx = -vx end
  if y < 0 and vy < 0 or y > world.height and vy > 0 then self.vy = -vy end
  self.x, self.y = x, y
  self.red = false
end

local function hit(self)
  self.red = true
end

local function draw(self, canvas)
  if self.red then canvas:setColor(0.85, 0.1, 0.1) else canvas:setColor(0.1, 0.1, 0.12) end
  canvas:shape("fill", self.shape, self.x, self.y)
end

local function overlap(a, b)
  return a.x < b.x + SIZE and b.x < a.x + SIZE and a.y < b.y + SIZE and b.y < a.y + SIZE
end

-- How many pairs are checked: all pairs of up to 1000 boxes, and a part of those of more.
local ENOUGH = 1000 * 1000

return {
  name = "swarm",
  width = WIDTH,
  height = HEIGHT,
  frames = 300,
  params = { count = 1000, speed = 5 },

  -- The scene measures the engine, without the checks of `strict`.
  world = { strict = false },

  setup = function(scene)
    local speed = scene.params.speed * 60
    for _ = 1, scene.params.count do
      scene.world:add {
        shape = shape,
        x = scene:uniform(0, WIDTH),
        y = scene:uniform(0, HEIGHT),
        vx = scene:uniform(-speed, speed),
        vy = scene:uniform(-speed, speed),
        red = false,
        update = update,
        hit = hit,
        draw = draw,
      }
    end
  end,

  -- Exactly the boxes that overlap another are red, by a test of all pairs; and no box has left the
  -- field.
  check = function(scene)
    if scene.frame == 0 then return true end
    local boxes = scene.world:actors()
    local reach = scene.params.speed * 60 * scene.dt
    local every = math.max(1, math.ceil(#boxes * #boxes / ENOUGH))
    for i = 1, #boxes, every do
      local box, overlaps = boxes[i], false
      for k, other in ipairs(boxes) do
        overlaps = overlaps or k ~= i and overlap(box, other)
      end
      if box.red ~= overlaps then
        return false, ("box %d is %s, but overlaps %s"):format(i, box.red and "red" or "black",
          overlaps and "another" or "none")
      end
      if box.x < -reach or box.x > WIDTH + reach or box.y < -reach or box.y > HEIGHT + reach then
        return false, ("box %d has left the field: %g, %g"):format(i, box.x, box.y)
      end
    end
    return true
  end,
}
