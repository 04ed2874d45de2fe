-- A boss fires rings that bend, fans, a spiral, aimed bursts and lasers. Each pattern is a few
-- numbers. The player shoots back and dodges by a simple rule; bullets that pass closely count as
-- grazes.
--
--   collide run examples/scenes/danmaku.lua --set count=90 --svg danmaku.svg
--
-- count: bullets per ring; the other patterns scale with it. 1200 make about 10 000 bullets.

local collide = require "collide"

local WIDTH, HEIGHT = 480, 640
local TURN = 6.283185307179586

local HOME = { x = WIDTH / 2, y = 540 }
local PACE = 170 -- the player's speed, in pixels per second
local SAFE, HORIZON = 20, 0.5 -- it dodges bullets that come so near within so many seconds
local SIGHT = 130

local NIGHT, STAR = { 0.05, 0.06, 0.11 }, { 0.55, 0.62, 0.8 }
local PALE, MUTED, WHITE = { 0.86, 0.88, 0.94 }, { 0.55, 0.58, 0.68 }, { 1, 1, 1 }
local STEEL, FLAME = { 0.36, 0.42, 0.58 }, { 0.98, 0.46, 0.42 }
local MINT, BEAM = { 0.55, 0.95, 0.75 }, { 0.98, 0.42, 0.62 }

-- The enemy's pools: the look and the size of their bullets.
local KINDS = {
  ring = { color = { 0.98, 0.40, 0.55 }, radius = 4 },
  spiral = { color = { 0.42, 0.76, 0.99 }, radius = 3 },
  fan = { color = { 0.99, 0.75, 0.35 }, radius = 3.5 },
  aimed = { color = { 0.74, 0.56, 0.99 }, radius = 5 },
}
local LASER = 1 -- the tag of lasers
local ORDER = { "ring", "spiral", "fan", "aimed" }

local SHIP = collide.polygon(0, -11, 8, 9, 0, 5, -8, 9)
local HEART = collide.circle(3)

local function star(points, outer, inner)
  local list = {}
  for i = 1, 2 * points do
    local angle, r = TURN / 2 / points * i, i % 2 == 0 and inner or outer
    list[2 * i - 1], list[2 * i] = r * collide.cos(angle), r * collide.sin(angle)
  end
  return collide.polygon(list)
end

-- Patterns ---------------------------------------------------------------------

-- The number of bullets in a part of a pattern, if a ring has `count`.
local function share(scene, part)
  return math.floor(scene.params.count * part + 0.5)
end

-- Each function makes one step of a pattern, and returns the seconds until the next. The progress
-- is in a table of the scene's state, where `turn` counts the steps from 0.
local patterns = {}

-- Rings that bend to alternate sides.
local SIDEWAYS = { [0] = { tangential = 33.25 }, { tangential = -33.25 } }
function patterns.ring(scene, own)
  local n, boss, state = share(scene, 1), scene.boss, scene.state
  local phase, sideways = scene:uniform(0, TURN), SIDEWAYS[own.turn % 2]
  if n > 0 then
    state.spawned = state.spawned
      + scene.pools.ring:spawnRing(boss.x, boss.y, n, 95, phase, sideways)
  end
  return 0.85
end

function patterns.spiral(scene, own)
  if own.turn == 0 then
    own.angle = 0
    return 0.4
  end
  local n, state = share(scene, 1 / 8), scene.state
  if n > 0 then
    state.spawned = state.spawned
      + scene.pools.spiral:spawnRing(scene.boss.x, scene.boss.y, n, 120, own.angle)
  end
  own.angle = own.angle + 0.21
  if own.angle > TURN then own.angle = own.angle - TURN end
  return 0.1
end

-- Five fans on one side, then on the other.
function patterns.fan(scene, own)
  if own.turn == 0 then
    own.side = 1
    return 1.1
  end
  local i = (own.turn - 1) % 6 + 1
  if i == 6 then
    own.side = -own.side
    return 1.2
  end
  local n, boss, side, state = share(scene, 1 / 3), scene.boss, own.side, scene.state
  if n > 0 then
    state.spawned = state.spawned + scene.pools.fan:spawnFan(boss.x + 70 * side, boss.y + 10, n,
      TURN / 4 + side * 0.12 * (i - 3), 1.3, 110 + 22 * i)
  end
  return 0.09
end

-- Four pairs of shots, then a rest.
function patterns.aimed(scene, own)
  if own.turn == 0 then return 0.8 end
  if own.turn % 5 == 0 then return 1 end
  local boss, player, state = scene.boss, scene.player, scene.state
  for side = -1, 1, 2 do
    if share(scene, 1 / 8) > 0 then
      local x, y = boss.x + 46 * side, boss.y + 26
      local bullet = scene.pools.aimed:spawnAimed(x, y, player.x, player.y, 215)
      if bullet then state.spawned = state.spawned + 1 end
    end
  end
  return 0.12
end

-- Two beams that are first thin lines, so that the player can get away.
function patterns.lasers(scene, own)
  if own.turn == 0 then return 1.6 end
  local boss, state = scene.boss, scene.state
  for side = -1, 1, 2 do
    local x, y = boss.x + 30 * side, boss.y + 20
    local bend, low = x + side * scene:uniform(20, 150), scene:uniform(220, 330)
    local beam = { points = { x, y, bend, low, bend - side * scene:uniform(0, 160), HEIGHT + 40 },
      width = 14, warmup = 0.9, lifetime = 2.1, tag = LASER }
    if scene.params.count > 0 and scene.pools.ring:spawnLaser(beam) then
      state.spawned = state.spawned + 1
      state.beams[#state.beams + 1] = { points = beam.points, born = state.time,
        warmup = beam.warmup, lifetime = beam.lifetime }
    end
  end
  return 3.4
end

-- Continues each pattern that is due.
local function conduct(scene)
  local state = scene.state
  for _, own in ipairs(state.patterns) do
    while own.due <= state.time do
      own.due = own.due + patterns[own.name](scene, own)
      own.turn = own.turn + 1
    end
  end
end

-- The player -------------------------------------------------------------------

-- The danger of a bullet at x, y with velocity vx, vy, both relative to the player.
local function menace(x, y, vx, vy, reach)
  local v2 = vx * vx + vy * vy
  local time = v2 > 0 and -(x * vx + y * vy) / v2 or 0
  time = math.max(0, math.min(HORIZON, time))
  local dx, dy = x + vx * time, y + vy * time
  local gap = math.sqrt(dx * dx + dy * dy) - reach
  if gap > SAFE then return 0 end
  local near = 1 - math.max(gap, 0) / SAFE
  return near * near * (1.3 - time / HORIZON)
end

local function distanceToBeam(points, x, y)
  local best = math.huge
  for i = 1, #points - 2, 2 do
    local px, py = x - points[i], y - points[i + 1]
    local dx, dy = points[i + 2] - points[i], points[i + 3] - points[i + 1]
    local t = math.max(0, math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy)))
    px, py = px - t * dx, py - t * dy
    best = math.min(best, math.sqrt(px * px + py * py))
  end
  return best
end

-- The direction in which to dodge: of nine directions the least dangerous one; if all are equal,
-- towards a place below the boss.
local function dodge(scene)
  local player, threats = scene.player, scene.threats
  scene.threatCount = 0
  for _, name in ipairs(ORDER) do scene.pools[name]:each(scene.look) end
  local best, bestX, bestY = math.huge, 0, 0
  for i = 0, 8 do
    local vx = i == 0 and 0 or PACE * scene:cos(TURN / 8 * i)
    local vy = i == 0 and 0 or PACE * scene:sin(TURN / 8 * i)
    local x, y = player.x + vx * 0.2, player.y + vy * 0.2
    local homeX, homeY = x - scene.boss.x, y - HOME.y
    local cost = 0.003 * math.sqrt(homeX * homeX + homeY * homeY) + scene:uniform(0, 0.02)
    if x < 20 or x > WIDTH - 20 or y < 300 or y > HEIGHT - 20 then cost = cost + 5 end
    for k = 1, 5 * scene.threatCount, 5 do
      cost = cost + menace(threats[k], threats[k + 1], threats[k + 2] - vx, threats[k + 3] - vy,
        threats[k + 4] + 3)
    end
    for _, beam in ipairs(scene.state.beams) do
      local gap = distanceToBeam(beam.points, x, y) - 7
      if gap < SAFE then cost = cost + 3 * (1 - math.max(gap, 0) / SAFE) end
    end
    if cost < best then best, bestX, bestY = cost, vx, vy end
  end
  player.vx, player.vy = bestX, bestY
end

local function updatePlayer(self, dt)
  self.x = math.max(10, math.min(WIDTH - 10, self.x + self.vx * dt))
  self.y = math.max(10, math.min(HEIGHT - 10, self.y + self.vy * dt))
  self.safe = math.max(0, self.safe - dt)
end

local function shoot(scene)
  local player = scene.player
  if scene.frame % 6 ~= 0 then return end
  for side = -1, 1, 2 do
    if scene.shots:spawn(player.x + 5 * side, player.y - 8, 12 * side, -520) then
      scene.state.spawned = scene.state.spawned + 1
    end
  end
end

local function loseLife(scene)
  local player = scene.player
  if player.safe > 0 then return end
  player.safe = 2
  scene.state.deaths = scene.state.deaths + 1
  for _, name in ipairs(ORDER) do
    scene.state.ended = scene.state.ended + scene.pools[name]:killCircle(player.x, player.y, 70)
  end
end

-- The scene --------------------------------------------------------------------

local function addPools(scene)
  local world = scene.world
  local function expired() scene.state.ended = scene.state.ended + 1 end
  local function graze() scene.state.grazes = scene.state.grazes + 1 end
  for _, name in ipairs(ORDER) do
    scene.pools[name] = world:newBullets {
      capacity = 6000, radius = KINDS[name].radius, group = "danger",
      bounds = { 0, 0, WIDTH, HEIGHT }, margin = 12, grazeRadius = 16, expired = expired,
      graze = graze,
      hit = function(pool, bullet)
        if pool:tag(bullet) ~= LASER then
          pool:kill(bullet) -- at once, so that loseLife does not count it again
          scene.state.ended = scene.state.ended + 1
        end
        loseLife(scene)
      end,
    }
  end
  scene.shots = world:newBullets {
    capacity = 400, radius = 3, group = "shot", bounds = { 0, 0, WIDTH, HEIGHT }, expired = expired,
    hit = function(_, _, boss)
      scene.state.ended = scene.state.ended + 1
      boss.harm = boss.harm + 1
    end,
  }
end

local function updateBoss(self)
  local time = self.scene.state.time
  self.x = WIDTH / 2 + 110 * self.scene:sin(0.7 * time)
  self.y = 120 + 26 * self.scene:sin(1.3 * time)
  self.angle = 0.6 * time
end

local function drawStars(scene, canvas)
  canvas:setColor(NIGHT)
  canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
  canvas:setColor(STAR, 0.5)
  for _, group in ipairs(scene.stars) do
    local list = {}
    for i = 1, #group, 2 do
      local y = group[i + 1] + group.speed * scene.state.time
      list[i], list[i + 1] = group[i], y - HEIGHT * math.floor(y / HEIGHT)
    end
    canvas:circles(list, group.size)
  end
end

local function drawBeams(scene, canvas)
  for _, beam in ipairs(scene.state.beams) do
    local age = scene.state.time - beam.born
    local hot, points = age >= beam.warmup, beam.points
    for i = 1, #points - 2, 2 do
      local x1, y1, x2, y2 = points[i], points[i + 1], points[i + 2], points[i + 3]
      if hot then
        local left = math.min(1, (beam.lifetime - age) / 0.3)
        for _, layer in ipairs { { 11, 0.16, BEAM }, { 7, 0.85, BEAM }, { 3, 0.9, WHITE } } do
          canvas:setColor(layer[3], layer[2] * math.max(left, 0))
          canvas:shape("fill", collide.capsule(x1, y1, x2, y2, layer[1]), 0, 0)
        end
      else
        canvas:setColor(BEAM, 0.25 + 0.5 * age / beam.warmup)
        canvas:line(x1, y1, x2, y2)
      end
    end
  end
end

-- Draws all bullets of a pool at once: a glow, the bullet, and its bright middle.
local function drawPool(scene, canvas, pool, color, radius)
  local list = scene.list
  if pool:fill(list) == 0 then return end
  canvas:setColor(color, 0.22)
  canvas:circles(list, radius * 1.8)
  canvas:setColor(color)
  canvas:circles(list, radius)
  canvas:setColor(WHITE, 0.85)
  canvas:circles(list, radius * 0.5)
end

local function drawPlayer(player, canvas)
  if player.safe > 0 then
    canvas:setColor(MINT, 0.3)
    canvas:circle("fill", player.x, player.y, 18)
  end
  canvas:setColor(MINT, 0.12)
  canvas:circle("fill", player.x, player.y, 18)
  canvas:setColor(PALE)
  canvas:shape("fill", SHIP, player.x, player.y)
  canvas:setColor(FLAME)
  canvas:circle("fill", player.x, player.y, 3)
end

local function drawBoss(scene, canvas)
  local boss = scene.boss
  for side = -1, 1, 2 do
    canvas:setColor(KINDS.aimed.color, 0.8)
    canvas:circle("fill", boss.x + 46 * side, boss.y + 26, 7)
    canvas:setColor(KINDS.fan.color, 0.8)
    canvas:circle("fill", boss.x + 70 * side, boss.y + 10, 7)
  end
  canvas:setColor(FLAME, 0.12)
  canvas:circle("fill", boss.x, boss.y, 52)
  canvas:setColor(STEEL)
  canvas:shape("fill", boss.shape, boss.x, boss.y, boss.angle)
  canvas:setColor(PALE)
  canvas:shape("line", boss.shape, boss.x, boss.y, boss.angle)
  canvas:setColor(FLAME)
  canvas:shape("fill", scene.core, boss.x, boss.y, -2 * boss.angle)
end

local function count(scene)
  local n = scene.shots:count()
  for _, name in ipairs(ORDER) do n = n + scene.pools[name]:count() end
  return n
end

return {
  name = "danmaku",
  width = WIDTH,
  height = HEIGHT,
  frames = 600,
  params = { count = 48 },

  world = { rules = { { "danger", "player" }, { "shot", "boss" } } },

  setup = function(scene)
    scene.state = { time = 0, spawned = 0, ended = 0, grazes = 0, deaths = 0, beams = {},
      patterns = {} }
    scene.pools, scene.list = {}, {}
    addPools(scene)
    scene.core = star(4, 13, 5)
    scene.boss = scene.world:add { shape = star(8, 36, 25), group = "boss",
      x = WIDTH / 2, y = 120, angle = 0, harm = 0, scene = scene, update = updateBoss }
    scene.player = scene.world:add { shape = HEART, group = "player", x = HOME.x, y = HOME.y,
      vx = 0, vy = 0, safe = 0, update = updatePlayer }
    for _, name in ipairs { "ring", "spiral", "fan", "aimed", "lasers" } do
      table.insert(scene.state.patterns, { name = name, due = 0, turn = 0 })
    end
    scene.stars = {}
    for layer = 1, 3 do
      local group = { speed = 12 * layer, size = 0.4 + 0.3 * layer }
      for i = 1, 40, 2 do
        group[i], group[i + 1] = scene:uniform(0, WIDTH), scene:uniform(0, HEIGHT)
      end
      scene.stars[layer] = group
    end
    scene.threats, scene.threatCount = {}, 0
    function scene.look(_, x, y, vx, vy, radius, tag)
      local dx, dy = x - scene.player.x, y - scene.player.y
      if dx * dx + dy * dy > SIGHT * SIGHT or tag == LASER then return end
      local threats, k = scene.threats, 5 * scene.threatCount
      threats[k + 1], threats[k + 2], threats[k + 3], threats[k + 4] = dx, dy, vx, vy
      threats[k + 5] = radius
      scene.threatCount = scene.threatCount + 1
    end
  end,

  update = function(scene, dt)
    local state = scene.state
    state.time = state.time + dt
    conduct(scene)
    shoot(scene)
    if scene.frame % 2 == 0 then dodge(scene) end
    for i = #state.beams, 1, -1 do
      if state.time - state.beams[i].born >= state.beams[i].lifetime then
        table.remove(state.beams, i)
      end
    end
  end,

  draw = function(scene, canvas)
    drawStars(scene, canvas)
    drawBeams(scene, canvas)
    drawPool(scene, canvas, scene.shots, MINT, 2.5)
    drawBoss(scene, canvas)
    for _, name in ipairs(ORDER) do
      drawPool(scene, canvas, scene.pools[name], KINDS[name].color, KINDS[name].radius)
    end
    drawPlayer(scene.player, canvas)
    canvas:setColor(NIGHT, 0.75)
    canvas:rectangle("fill", 6, 6, 136, 82)
    canvas:setColor(MUTED)
    canvas:print("bullets", 14, 12)
    canvas:print("graze", 14, 30)
    canvas:print("hit the boss", 14, 48)
    canvas:print("was hit", 14, 66)
    canvas:setColor(PALE)
    canvas:print(("%d"):format(count(scene)), 104, 12)
    canvas:print(("%d"):format(scene.state.grazes), 104, 30)
    canvas:print(("%d"):format(scene.boss.harm), 104, 48)
    canvas:print(("%d"):format(scene.state.deaths), 104, 66)
  end,

  -- No bullet is lost, and no living one touches an actor that it may hit.
  check = function(scene)
    local state = scene.state
    if state.spawned - state.ended ~= count(scene) then
      return false, ("%d bullets were spawned and %d have ended, but %d are there"):format(
        state.spawned, state.ended, count(scene))
    end
    local player, touching = scene.player, nil
    for _, name in ipairs(ORDER) do
      scene.pools[name]:each(function(bullet, x, y, _, _, radius, tag)
        local dx, dy, reach = x - player.x, y - player.y, radius + 3 - 1e-9
        if tag ~= LASER and dx * dx + dy * dy < reach * reach then touching = bullet end
      end)
    end
    if touching and scene.frame > 0 then
      return false, ("bullet %d touches the player without a hit"):format(touching)
    end
    return true
  end,
}
