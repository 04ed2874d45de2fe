-- A boss of named parts. Bullets tell which part they have hit: the head counts three times, plates
-- throw bullets back, and a part without strength left breaks off. Rocks fall on it, and a step
-- only tells that they have met: which part it was, the world is asked.
--
--   collide run examples/scenes/boss.lua --set count=4 --svg boss.svg
--
-- count: bullets in a burst.

local collide = require "collide"

local WIDTH, HEIGHT = 480, 360
local GUNS = { { x = WIDTH / 2, y = HEIGHT - 24 }, { x = 20, y = 30 }, { x = WIDTH - 20, y = 30 } }
local SPEED, RADIUS = 420, 2

local NIGHT, PALE, BULLET = { 0.07, 0.08, 0.13 }, { 0.80, 0.82, 0.88 }, { 0.99, 0.82, 0.42 }
local STONE, SPARK = { 0.46, 0.44, 0.42 }, { 0.98, 0.45, 0.40 }

-- The members of the boss, what they are worth, and their colours.
local PARTS = {
  body = collide.polygon(-34, -18, 34, -18, 22, 26, 0, 34, -22, 26),
  head = collide.circle(0, -34, 17),
  ["left arm"] = collide.capsule(-40, -10, -62, 30, 8),
  ["right arm"] = collide.capsule(40, -10, 62, 30, 8),
  plates = collide.compound(collide.rectangle(-30, 30, 24, 7), collide.rectangle(6, 30, 24, 7)),
}
local NAMES = { "body", "head", "left arm", "plates", "right arm" }
local STRENGTH = { body = 60, head = 24, ["left arm"] = 12, ["right arm"] = 12 }
local DAMAGE = { head = 3 }
local COLORS = {
  body = { 0.45, 0.38, 0.66 }, head = { 0.85, 0.55, 0.75 }, ["left arm"] = { 0.40, 0.52, 0.78 },
  ["right arm"] = { 0.40, 0.52, 0.78 }, plates = { 0.60, 0.64, 0.70 },
}

-- The shape of those parts that have strength left.
local function shapeOf(state)
  local left = { plates = PARTS.plates }
  for name, strength in pairs(state.strength) do
    if strength > 0 then left[name] = PARTS[name] end
  end
  return collide.compound(left)
end

local function heal(state)
  for name, strength in pairs(STRENGTH) do state.strength[name] = strength end
end

-- A part of the boss has been hit.
local function wound(scene, part)
  local state, boss = scene.state, scene.boss
  state.hits[part] = (state.hits[part] or 0) + 1
  state.flash[part] = scene.frame
  if not STRENGTH[part] then return end
  state.strength[part] = state.strength[part] - (DAMAGE[part] or 1)
  if state.strength.body <= 0 then
    state.beaten = state.beaten + 1
    heal(state)
  elseif state.strength[part] > 0 then
    return
  end
  boss.shape = shapeOf(state)
  scene.world:refresh(boss)
end

-- Keeps the hit for the check, unless the part has broken off since the bullet met it.
local function hit(scene, actor, nx, ny, x, y, part)
  if actor ~= scene.boss or not part then return nil end
  local last = scene.state.last
  last.x, last.y, last.part = x - nx * RADIUS, y - ny * RADIUS, part
  wound(scene, part)
  return part == "plates" and "bounce" or nil
end

-- A step tells of whole actors: the deepest of their parts counts.
local function enter(rock, boss)
  local met = rock.scene.world:partOverlaps(boss, rock)[1]
  if met then rock.scene.state.struck[met.part] = (rock.scene.state.struck[met.part] or 0) + 1 end
  rock.vy = -0.5 * math.abs(rock.vy)
end

local function fall(rock, dt)
  rock.vy = rock.vy + 160 * dt
  rock.x, rock.y = rock.x + rock.vx * dt, rock.y + rock.vy * dt
  if rock.y < HEIGHT + 20 then return end
  rock.x, rock.y = rock.scene.boss.x + rock.scene:uniform(-60, 60), -20
  rock.vx, rock.vy = rock.scene:uniform(-30, 30), 0
end

return {
  name = "boss",
  width = WIDTH,
  height = HEIGHT,
  frames = 600,
  params = { count = 2 },
  world = { rules = { { "shot", "boss" }, { "rock", "boss" } } },

  setup = function(scene)
    local state = { strength = {}, hits = {}, struck = {}, flash = {}, last = {}, beaten = 0 }
    scene.state = state
    heal(state)
    scene.boss = scene.world:add { name = "boss", group = "boss", x = WIDTH / 2, y = 110, angle = 0,
      shape = shapeOf(state) }
    for i = 1, 2 do
      scene.world:add { group = "rock", x = 120 * i, y = -40 * i, vx = 5, vy = 0, scene = scene,
        shape = collide.circle(7), update = fall, enter = enter }
    end
    scene.pool = scene.world:newBullets { capacity = 4000, radius = RADIUS, group = "shot",
      bounds = { 0, 0, WIDTH, HEIGHT }, margin = 20,
      hit = function(_, _, actor, nx, ny, _, x, y, _, part)
        return hit(scene, actor, nx, ny, x, y, part)
      end }
  end,

  update = function(scene)
    local boss, time = scene.boss, scene.frame / 60
    boss.x, boss.y = WIDTH / 2 + 110 * scene:sin(0.7 * time), 110 + 24 * scene:sin(1.9 * time)
    boss.angle = 0.5 * scene:sin(1.1 * time)
    if scene.frame % 6 ~= 0 then return end
    local gun = GUNS[scene.frame / 6 % #GUNS + 1]
    for _ = 1, scene.params.count do
      scene.pool:spawnAimed(gun.x, gun.y, boss.x + scene:uniform(-70, 70),
        boss.y + scene:uniform(-50, 40), SPEED)
    end
  end,

  draw = function(scene, canvas)
    local boss, state = scene.boss, scene.state
    canvas:setColor(NIGHT)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    for _, name in ipairs(NAMES) do
      if (state.strength[name] or 1) > 0 then
        canvas:setColor(scene.frame - (state.flash[name] or -9) < 4 and SPARK or COLORS[name])
        canvas:shape("fill", PARTS[name], boss.x, boss.y, boss.angle)
      end
    end
    canvas:setColor(STONE)
    for _, actor in ipairs(scene.world:actors()) do
      if actor.group == "rock" then canvas:shape("fill", actor.shape, actor.x, actor.y) end
    end
    canvas:setColor(BULLET)
    scene.pool:each(function(_, x, y, _, _, radius) canvas:circle("fill", x, y, radius) end)
    for _, gun in ipairs(GUNS) do canvas:circle("fill", gun.x, gun.y, 6) end
    canvas:setColor(PALE)
    for i, name in ipairs(NAMES) do
      local text = ("%s: %d hits, %d rocks"):format(name, state.hits[name] or 0,
        state.struck[name] or 0)
      canvas:print(text, 10, HEIGHT - 14 * i)
    end
  end,

  -- The last hit was on its part, where the boss was within the step.
  check = function(scene)
    local state, boss = scene.state, scene.boss
    for name in pairs(state.hits) do
      if not PARTS[name] then return false, ("%s is no part"):format(name) end
    end
    for name, strength in pairs(state.strength) do
      if strength > STRENGTH[name] then return false, name .. " is too strong" end
    end
    local last = state.last
    if not last.part then return true end
    local part = { shape = PARTS[last.part], x = boss.x, y = boss.y, angle = boss.angle }
    local point = { shape = collide.circle(1e-9), x = last.x, y = last.y }
    local far = collide.distance(point, part)
    if state.flash[last.part] == scene.frame and far > 8 then
      return false, ("the hit of the %s was %g away from it"):format(last.part, far)
    end
    return true
  end,
}
