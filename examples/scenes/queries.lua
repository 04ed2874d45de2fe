-- Four kinds of queries over a field of shapes at night: the beam of a lighthouse, a circle that
-- wanders, a spot that finds the nearest shapes, and a capsule that is cast from below. The shapes
-- that they find turn.
--
--   collide run examples/scenes/queries.lua --set rays=120 --svg queries.svg
--
-- count: number of shapes; rays: number of rays in the beam.

local collide = require "collide"

local WIDTH, HEIGHT, FLOOR = 720, 480, 440
local TURN = 6.283185307179586

-- The lighthouse: the length of its beam, its width in radians, and its speed in radians per
-- second.
local LIGHT = { x = 222, y = 222, reach = 215, spread = 1.9, pace = 0.6 }
-- The cannon from which capsules are cast, and how far.
local CANNON = { x = 470, y = 412, reach = 330 }
local CLEAR = 34 -- distance that shapes keep from them

local CAPSULE = { x1 = -15, y1 = 0, x2 = 15, y2 = 0, r = 7 }
local RADIUS = 58
local NEAREST = 3

local SOLID = collide.capsule(CAPSULE.x1, CAPSULE.y1, CAPSULE.x2, CAPSULE.y2, CAPSULE.r)
local CIRCLE, SPOT = collide.circle(RADIUS), collide.circle(4)

local NIGHT, SLATE = { 0.10, 0.12, 0.17 }, { 0.42, 0.47, 0.56 }
local PALE = { 0.78, 0.80, 0.84 }
local BEAM, RING = { 0.99, 0.84, 0.45 }, { 0.40, 0.76, 0.95 }
local NEAR, CAST = { 0.52, 0.86, 0.56 }, { 0.95, 0.52, 0.66 }

local function regular(n, inner)
  return function(scene)
    local points = {}
    for i = 1, n do
      local angle, radius = TURN / n * i, i % 2 == 0 and inner or 1
      points[2 * i - 1], points[2 * i] = radius * scene:cos(angle), radius * scene:sin(angle)
    end
    return collide.polygon(points)
  end
end

-- A crescent: half a circle, and within it a flatter arc.
local function moon(scene)
  local points = {}
  for i = 0, 8 do
    local angle = TURN / 4 + TURN / 16 * i
    points[#points + 1], points[#points + 2] = 0.3 + scene:cos(angle), scene:sin(angle)
  end
  for i = 7, 1, -1 do
    local angle = TURN / 4 + TURN / 16 * i
    points[#points + 1], points[#points + 2] = 0.3 + 0.4 * scene:cos(angle), scene:sin(angle)
  end
  return collide.polygon(points)
end

-- The shapes of the field, in turn, each within a circle of radius 1; or functions that make them.
local KINDS = {
  collide.rectangle(-0.9, -0.4, 1.8, 0.8), regular(10, 0.45), collide.circle(0.8), regular(3, 1),
  collide.capsule(-0.6, 0, 0.6, 0, 0.35), moon, regular(6, 1), collide.segment(-1, 0, 1, 0),
  collide.compound(collide.circle(-0.6, 0, 0.4), collide.circle(0.6, 0, 0.4),
    collide.segment(-0.2, 0, 0.2, 0)), regular(5, 1),
  collide.chain { -0.9, -0.4, -0.45, 0.4, 0, -0.4, 0.45, 0.4, 0.9, -0.4 }, regular(8, 0.6),
}

-- Turns at a speed that depends on the queries that found it.
local function update(self, dt)
  self.spin = self.spin + (self.interest - self.spin) * 2 * dt
  self.angle = self.angle + self.spin * dt
end

local function isClear(x, y, radius, place)
  local dx, dy, room = x - place.x, y - place.y, CLEAR + radius
  return dx * dx + dy * dy > room * room
end

-- A free place; in a full field, a place over others.
local function findPlace(scene, radius)
  local tries = 0
  while true do
    local x = scene:uniform(radius, WIDTH - radius)
    local y = scene:uniform(radius, FLOOR - radius)
    local _, n, distances = scene.world:nearest(x, y)
    tries = tries + 1
    if isClear(x, y, radius, LIGHT) and isClear(x, y, radius, CANNON)
      and (n == 0 or distances[1] > radius + 5 or tries > 200) then
      return x, y
    end
  end
end

local function addShape(scene, i, size)
  local shape, radius = KINDS[(i - 1) % #KINDS + 1], size * scene:uniform(0.75, 1.25)
  if type(shape) == "function" then shape = shape(scene) end
  local x, y = findPlace(scene, radius)
  scene.world:add {
    shape = shape:scaled(radius), x = x, y = y, angle = scene:uniform(0, TURN),
    spin = 0, interest = 0, update = update,
  }
end

local function castRays(scene, time)
  local n = #scene.rays
  for i, ray in ipairs(scene.rays) do
    local angle = LIGHT.pace * time + LIGHT.spread * ((i - 0.5) / n - 0.5)
    ray.dx, ray.dy = LIGHT.reach * scene:cos(angle), LIGHT.reach * scene:sin(angle)
    local x, y = LIGHT.x + ray.dx, LIGHT.y + ray.dy
    ray.actor, ray.x, ray.y, ray.nx, ray.ny, ray.t = scene.world:rayCast(LIGHT.x, LIGHT.y, x, y)
    if not ray.actor then ray.x, ray.y, ray.t = x, y, 1 end
  end
end

local function castCapsule(scene, time)
  local cast, aim = scene.cast, scene:sin(0.55 * time)
  cast.angle = time
  cast.dx, cast.dy = CANNON.reach * scene:sin(aim), -CANNON.reach * scene:cos(aim)
  cast.actor, cast.hitX, cast.hitY, cast.nx, cast.ny, cast.t =
    scene.world:shapeCast(cast, cast.dx, cast.dy)
  if not cast.actor then cast.t = 1 end
end

-- Makes all queries of the world as it is now.
local function look(scene)
  local time, circle, spot = scene.frame * scene.dt, scene.circle, scene.spot
  castRays(scene, time)
  circle.x, circle.y = 548 + 95 * scene:cos(0.5 * time), 150 + 75 * scene:sin(0.8 * time)
  circle.found = scene.world:queryCircle(circle.x, circle.y, RADIUS)
  spot.x, spot.y = 240 - 150 * scene:cos(0.37 * time), 330 + 70 * scene:sin(0.7 * time)
  spot.found, spot.n, spot.distances = scene.world:nearest(spot.x, spot.y, NEAREST)
  castCapsule(scene, time)
end

local function highlight(canvas, actor, color)
  canvas:setColor(color, 0.4)
  canvas:shape("fill", actor.shape, actor.x, actor.y, actor.angle)
  canvas:setColor(color)
  canvas:shape("line", actor.shape, actor.x, actor.y, actor.angle)
end

-- A point where something was hit, and the normal there.
local function drawHit(canvas, x, y, nx, ny)
  canvas:circle("fill", x, y, 1.7)
  canvas:line(x, y, x + 9 * nx, y + 9 * ny)
end

local function drawBeam(scene, canvas)
  local points = { LIGHT.x, LIGHT.y }
  for i, ray in ipairs(scene.rays) do points[2 * i + 1], points[2 * i + 2] = ray.x, ray.y end
  if #scene.rays > 1 then
    canvas:setColor(BEAM, 0.13)
    canvas:shape("fill", collide.polygon(points), 0, 0)
  end
  canvas:setColor(BEAM, 0.22)
  for _, ray in ipairs(scene.rays) do canvas:line(LIGHT.x, LIGHT.y, ray.x, ray.y) end
end

local function drawRayHits(scene, canvas)
  local isLit = {}
  for _, ray in ipairs(scene.rays) do
    if ray.actor and not isLit[ray.actor] then
      isLit[ray.actor] = true
      highlight(canvas, ray.actor, BEAM)
    end
  end
  canvas:setColor(BEAM)
  for _, ray in ipairs(scene.rays) do
    if ray.actor then drawHit(canvas, ray.x, ray.y, ray.nx, ray.ny) end
  end
  canvas:circle("fill", LIGHT.x, LIGHT.y, 5)
end

local function drawCircle(circle, canvas)
  for _, actor in ipairs(circle.found) do highlight(canvas, actor, RING) end
  canvas:setColor(RING, 0.1)
  canvas:circle("fill", circle.x, circle.y, RADIUS)
  canvas:setColor(RING)
  canvas:circle("line", circle.x, circle.y, RADIUS)
end

local function drawNearest(spot, canvas)
  for _, actor in ipairs(spot.found) do highlight(canvas, actor, NEAR) end
  canvas:setColor(NEAR)
  canvas:circle("fill", spot.x, spot.y, 4)
  for i = 1, spot.n do
    local d, x1, y1, x2, y2 = collide.distance(spot, spot.found[i])
    if d > 0 then
      canvas:line(x1, y1, x2, y2)
      canvas:circle("fill", x2, y2, 1.7)
    end
  end
end

-- The capsule at both ends of its way, and the edges of the area that it sweeps.
local function drawCast(scene, canvas)
  local cast = scene.cast
  local stopX, stopY = cast.x + cast.t * cast.dx, cast.y + cast.t * cast.dy
  local ux, uy = cast.dx / CANNON.reach, cast.dy / CANNON.reach
  local hx, hy = CAPSULE.x2 * scene:cos(cast.angle), CAPSULE.x2 * scene:sin(cast.angle)
  if hx * uy - hy * ux < 0 then hx, hy = -hx, -hy end
  canvas:setColor(CAST, 0.45)
  for side = -1, 1, 2 do
    local ex, ey = side * (hx + CAPSULE.r * uy), side * (hy - CAPSULE.r * ux)
    canvas:line(cast.x + ex, cast.y + ey, stopX + ex, stopY + ey)
  end
  canvas:shape("fill", SOLID, cast.x, cast.y, cast.angle)
  canvas:setColor(CAST, 0.2)
  canvas:shape("fill", SOLID, stopX, stopY, cast.angle)
  canvas:setColor(CAST)
  canvas:shape("line", SOLID, stopX, stopY, cast.angle)
  if cast.actor then
    highlight(canvas, cast.actor, CAST)
    drawHit(canvas, cast.hitX, cast.hitY, cast.nx, cast.ny)
  end
end

local LEGEND = {
  { 24, BEAM, "rayCast and normals" }, { 204, RING, "queryCircle" },
  { 330, NEAR, "nearest, k = " .. NEAREST }, { 470, CAST, "shapeCast of a capsule" },
}

local function drawLegend(canvas)
  for _, entry in ipairs(LEGEND) do
    canvas:setColor(entry[2])
    canvas:circle("fill", entry[1], 462, 5)
    canvas:setColor(PALE)
    canvas:print(entry[3], entry[1] + 11, 455)
  end
end

-- The tolerance for rounding, in pixels.
local CLOSE = 1e-6

local function overlaps(placed, actors)
  for _, actor in ipairs(actors) do
    if collide.overlap(placed, actor, true) then return true end
  end
  return false
end

-- Checks a ray: a segment that ends shortly before the hit must meet nothing, and one that ends
-- shortly behind it must meet the actor that was hit.
local function checkRay(ray, actors)
  local function upTo(length)
    local part = length / LIGHT.reach
    return { x = LIGHT.x, y = LIGHT.y, shape = collide.segment(0, 0, part * ray.dx, part * ray.dy) }
  end
  local length = ray.t * LIGHT.reach
  if not ray.actor then return not overlaps(upTo(length), actors) end
  return not overlaps(upTo(length - CLOSE), actors)
    and collide.overlap(upTo(length + CLOSE), ray.actor, true)
end

local function checkCircle(circle, actors)
  local n = 0
  for _, actor in ipairs(actors) do
    if collide.overlap(circle, actor, true) then
      n = n + 1
      if circle.found[n] ~= actor then return false end
    end
  end
  return n == #circle.found
end

-- Checks that no other actor is nearer than the last of the nearest.
local function checkNearest(spot, actors)
  local point, isFound = { x = spot.x, y = spot.y, shape = collide.circle(CLOSE) }, {}
  for i = 1, spot.n do
    isFound[spot.found[i]] = true
    local distance = collide.distance(point, spot.found[i])
    if math.abs(distance - spot.distances[i]) > 2 * CLOSE then return false end
  end
  for _, actor in ipairs(actors) do
    if not isFound[actor]
      and collide.distance(point, actor) < spot.distances[spot.n] - 2 * CLOSE then
      return false
    end
  end
  return spot.n == math.min(NEAREST, #actors)
end

-- Checks that the capsule meets no actor on its way, and shortly after it the actor that was hit.
local function checkCast(cast, actors)
  local function at(length)
    local part = length / CANNON.reach
    return { shape = SOLID, angle = cast.angle,
      x = cast.x + part * cast.dx, y = cast.y + part * cast.dy }
  end
  local length, steps = cast.t * CANNON.reach, 300
  for i = 0, steps do
    if overlaps(at((length - CLOSE) / steps * i), actors) then return false end
  end
  return not cast.actor or collide.overlap(at(length + CLOSE), cast.actor, true)
end

return {
  name = "queries",
  width = WIDTH,
  height = HEIGHT,
  frames = 300,
  params = { count = 56, rays = 64 },

  setup = function(scene)
    scene.rays = {}
    for i = 1, scene.params.rays do scene.rays[i] = {} end
    scene.circle, scene.spot = { shape = CIRCLE }, { shape = SPOT }
    scene.cast = { shape = SOLID, x = CANNON.x, y = CANNON.y }
    local room = 0.17 * WIDTH * FLOOR / math.max(1, scene.params.count)
    local size = math.min(20, math.sqrt(room / TURN * 2))
    for i = 1, scene.params.count do addShape(scene, i, size) end
  end,

  update = function(scene)
    for _, actor in ipairs(scene.world:actors()) do actor.interest = 0 end
    look(scene)
    for _, ray in ipairs(scene.rays) do
      if ray.actor then ray.actor.interest = ray.actor.interest + 0.1 end
    end
    for _, actor in ipairs(scene.circle.found) do actor.interest = actor.interest - 0.5 end
    for i, actor in ipairs(scene.spot.found) do
      actor.interest = actor.interest + 5 / (5 + scene.spot.distances[i])
    end
    local caught = scene.cast.actor
    if caught then caught.interest = caught.interest + 1 - scene.cast.t end
  end,

  draw = function(scene, canvas)
    look(scene)
    canvas:setColor(NIGHT)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    drawBeam(scene, canvas)
    canvas:setColor(SLATE)
    for _, actor in ipairs(scene.world:actors()) do
      canvas:shape("fill", actor.shape, actor.x, actor.y, actor.angle)
    end
    drawRayHits(scene, canvas)
    drawCircle(scene.circle, canvas)
    drawNearest(scene.spot, canvas)
    drawCast(scene, canvas)
    drawLegend(canvas)
  end,

  -- The answers of the world, against a loop over all actors.
  check = function(scene)
    look(scene)
    local actors = scene.world:actors()
    for i, ray in ipairs(scene.rays) do
      if not checkRay(ray, actors) then return false, ("ray %d stops elsewhere"):format(i) end
    end
    if not checkCircle(scene.circle, actors) then return false, "queryCircle finds others" end
    if not checkNearest(scene.spot, actors) then return false, "there are nearer ones" end
    if not checkCast(scene.cast, actors) then return false, "the capsule stops elsewhere" end
    return true
  end,
}
