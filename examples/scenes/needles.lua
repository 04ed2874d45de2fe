-- Needles wait in a ring around a turret, then fly at a ship one after another, home for a while,
-- and fly on; bombs stop, and burst into rings. All of it is said by plans.
--
--   collide run examples/scenes/needles.lua --set ring=24 --svg needles.svg
--
-- ring: needles in a ring, and half as many splinters of a bomb.

local collide = require "collide"

local TURN, SHIP, WALL = 6.283185307179586, { 0.3, 0.7, 1 }, { 0.5, 0.5, 0.6 }
local PAPER, NEEDLE, BOMB_COLOR = { 0.08, 0.09, 0.12 }, { 1, 0.8, 0.4 }, { 1, 0.4, 0.4 }

-- The plan of the needle number k: it stops, aims, homes for a second, and goes straight on.
local function needlePlan(k)
  local start = 0.6 + k * 0.05
  return collide.newPlan {
    { at = 0, home = false },
    { at = 0.3, speed = 0 },
    { at = start, aim = true, speed = 160, home = true, turnRate = 1.5, tag = 1 },
    { at = start + 1, home = false, turnRate = 0, speed = 240, tag = 2 },
  }
end

local BOMB = collide.newPlan { { at = 0.4, ax = 0, ay = 0, radius = 6 },
  { at = 0.9, speed = 0 }, { at = 1.2, call = true } }

local function updateShip(self, dt)
  self.clock = self.clock + dt
  self.x = 240 + 150 * collide.cos(self.clock)
  self.y = 260 + 30 * collide.sin(2 * self.clock)
end

local function draw(self, canvas)
  canvas:setColor(self.color)
  canvas:shape("fill", self.shape, self.x, self.y)
end

local function fire(scene)
  local ring, angle = scene.params.ring, scene:uniform(0, TURN)
  for k = 1, ring do
    local a = angle + TURN * k / ring
    scene.needles:spawn(240, 90, 150 * scene:cos(a), 150 * scene:sin(a),
      { home = scene.ship, turnRate = 1.5, plan = scene.plans[k], length = 14 })
  end
  scene.bombs:spawn(240, 90, scene:uniform(-150, 150), 100, { ay = 80, plan = BOMB })
end

return {
  name = "needles",
  width = 480,
  height = 320,
  frames = 600,
  params = { ring = 12 },
  world = { rules = { { "needle", "ship" }, { "needle", "wall" } } },
  setup = function(scene)
    local world = scene.world
    scene.plans, scene.hits, scene.bursts = {}, 0, 0
    for k = 1, scene.params.ring do scene.plans[k] = needlePlan(k) end
    scene.ship = world:add { name = "ship", group = "ship", x = 390, y = 260, clock = 0,
      shape = collide.circle(9), color = SHIP, update = updateShip, draw = draw }
    for i = 1, 3 do
      world:add { name = "wall " .. i, group = "wall", x = 120 * i, y = 180, static = true,
        shape = collide.rectangle(-20, -5, 40, 10), color = WALL, draw = draw }
    end
    local bounds = { 0, 0, scene.width, scene.height }
    scene.needles = world:newBullets { capacity = 2000, radius = 2, group = "needle",
      bounds = bounds, hit = function(_, _, actor)
        if actor.group == "wall" then return "bounce" end
        scene.hits = scene.hits + 1
      end }
    scene.bombs = world:newBullets { capacity = 100, radius = 4, group = "needle", bounds = bounds,
      hit = function() return "bounce" end,
      timer = function(pool, bullet)
        local x, y = pool:get(bullet)
        scene.needles:spawnRing(x, y, math.ceil(scene.params.ring / 2), 120)
        scene.bursts = scene.bursts + 1
        pool:kill(bullet)
      end }
  end,
  update = function(scene, dt)
    if scene.frame % 90 == 1 then fire(scene) end
    scene.world:update(dt)
  end,
  draw = function(scene, canvas)
    canvas:setColor(PAPER)
    canvas:rectangle("fill", 0, 0, scene.width, scene.height)
    scene.world:draw(canvas)
    for i, pool in ipairs { scene.needles, scene.bombs } do
      canvas:setColor(i == 1 and NEEDLE or BOMB_COLOR)
      pool:each(function(_, x, y, _, _, radius, _, length, tailX, tailY)
        if not length then return canvas:circle("fill", x, y, radius) end
        canvas:shape("fill", collide.capsule(0, 0, tailX - x, tailY - y, radius), x, y)
      end)
    end
  end,

  -- Bombs burst when they are 1.2 seconds old.
  check = function(scene)
    if scene.frame > 200 and scene.bursts == 0 then return false, "no bomb has burst" end
    return true
  end,
}
