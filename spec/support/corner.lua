-- A scene for `collide fuzz`, with a bug: a hero who drops from a plank beside a wall, and jumps
-- while its corner is still beside that of the plank, passes through the wall.
--
--   |            |   |
--   |        ----|   |       the hero runs from the left, jumps onto the plank, and drops
--   |  h         |   |
--   +------------+---+
local collide = require "collide"

local SPEED, JUMP, GRAVITY = 110, 330, 800

local Hero = {}
Hero.__index = Hero

function Hero:update(dt)
  local scene, character = self.scene, self.character
  local vx = (scene:down "right" and SPEED or 0) - (scene:down "left" and SPEED or 0)
  if scene:pressed "up" and character.floor then self.vy = -JUMP end
  if scene:down "down" and character.floor and character.floor.oneWay then
    character:drop()
    self.dropped = scene.frame
  end
  if scene:pressed "up" and character.wall and scene.frame - self.dropped < 6 then
    self.x = self.x + 20 * vx / SPEED
  end
  self.vx, self.vy = character:move(vx, self.vy + GRAVITY * dt, dt)
end

return {
  width = 320, height = 200, frames = 300,
  setup = function(scene)
    local function wall(x, y, w, h)
      scene.world:add { group = "wall", x = x, y = y, static = true, oneWay = h == 4 or nil,
        shape = collide.rectangle(w, h) }
    end
    wall(0, 180, 320, 20)
    wall(-10, -200, 10, 400)
    wall(200, -200, 10, 380)
    wall(320, -200, 10, 400)
    wall(140, 120, 60, 4)
    local hero = scene.world:add(setmetatable({ group = "hero", name = "hero", scene = scene,
      x = 20, y = 150, vx = 0, vy = 0, dropped = -99, shape = collide.rectangle(12, 20) }, Hero))
    hero.character = scene.world:newCharacter(hero, { filter = "wall" })
    scene.state.hero = hero
  end,
  always = function(scene)
    return scene.state.hero.x < 200, "the hero has passed the wall"
  end,
}
