-- Shapes of every kind turn and drift in a cave, and are pushed apart where they overlap. Each
-- overlap is drawn with its contact points and its way out.
--
--   collide run examples/scenes/polygons.lua --set count=60 --svg polygons.svg
--
-- count: number of bodies; speed: their speed in pixels per second.

local collide = require "collide"

local WIDTH, HEIGHT = 720, 480
local LEFT, RIGHT, TOP = 14, 706, 14
local TURN = 6.283185307179586

-- The acceleration by an overlap, in pixels per second² per pixel of depth. Bodies are soft, so
-- that overlaps are visible; walls are harder.
local SOFT, HARD = 30, 300

-- The share of the cave that is filled with bodies, and the largest radius of a body.
local FILLED, LARGEST = 0.26, 28

local PAPER, GROUND = { 0.99, 0.985, 0.97 }, { 0.86, 0.84, 0.80 }
local INK, WAY = { 0.30, 0.29, 0.27 }, { 0.80, 0.16, 0.18 }

-- A polygon with its corners on a circle is convex.
local function convex(scene)
  local n, points = scene:random(3, 8), {}
  for i = 1, n do
    local angle = TURN / n * (i + scene:uniform(-0.25, 0.25))
    points[2 * i - 1], points[2 * i] = scene:cos(angle), scene:sin(angle)
  end
  return collide.polygon(points)
end

local function star(scene)
  local n, points = 2 * scene:random(4, 6), {}
  for i = 1, n do
    local angle, radius = TURN / n * i, i % 2 == 0 and 1.15 or 0.5
    points[2 * i - 1], points[2 * i] = radius * scene:cos(angle), radius * scene:sin(angle)
  end
  return collide.polygon(points)
end

local ARROW = collide.polygon(
  1.2, 0, 0.1, 0.9, 0.1, 0.35, -1, 0.35, -1, -0.35, 0.1, -0.35, 0.1, -0.9)
local ANGLE = collide.polygon(
  -0.75, -1.2, -0.05, -1.2, -0.05, 0.2, 0.85, 0.2, 0.85, 0.9, -0.75, 0.9)
local HORSESHOE = collide.polygon(
  -0.9, -1, -0.35, -1, -0.35, 0.3, 0.35, 0.3, 0.35, -1, 0.9, -1, 0.9, 0.9, -0.9, 0.9)
local CIRCLE, CAPSULE = collide.circle(0.8), collide.capsule(-0.7, 0, 0.7, 0, 0.45)
local HAMMER = collide.compound(
  collide.rectangle(-0.2, -0.45, 0.4, 1.6), collide.rectangle(-0.85, -1.05, 1.7, 0.6))
local BARBELL = collide.compound(
  collide.circle(-0.8, 0, 0.5), collide.circle(0.8, 0, 0.5), collide.segment(-0.3, 0, 0.3, 0))

local CONVEX = { name = "convex", legend = 28, color = { 0.36, 0.55, 0.78 } }
local CONCAVE = { name = "concave", legend = 108, color = { 0.30, 0.62, 0.52 } }
local ROUND = { name = "round", legend = 196, color = { 0.87, 0.66, 0.27 } }
local COMPOUND = { name = "compound", legend = 268, color = { 0.62, 0.47, 0.70 } }

local LOOKS = { CONVEX, CONCAVE, ROUND, COMPOUND }
for _, look in ipairs(LOOKS) do
  local color = look.color
  look.dark = { 0.7 * color[1], 0.7 * color[2], 0.7 * color[3] }
end

-- The kinds of bodies, in turn: how they look, and a shape about as large as a circle of radius 1,
-- or what makes one.
local KINDS = {
  { CONVEX, convex }, { CONCAVE, star }, { ROUND, CIRCLE }, { CONVEX, convex },
  { COMPOUND, HAMMER }, { CONCAVE, ARROW }, { CONVEX, convex }, { ROUND, CAPSULE },
  { CONCAVE, ANGLE }, { CONVEX, convex }, { COMPOUND, BARBELL }, { CONCAVE, HORSESHOE },
}

-- The outline of the cave, with hills for a floor.
local function outline(scene)
  local points = { LEFT, TOP, RIGHT, TOP }
  local steps = 32
  for i = 0, steps do
    local x = RIGHT + (LEFT - RIGHT) / steps * i
    local y = 392 + 17 * scene:sin(x / 47) + 13 * scene:sin(x / 103 + 2)
    points[#points + 1], points[#points + 2] = x, y
  end
  return points
end

local function update(self, dt)
  local vx, vy = self.vx, self.vy
  local x, y = self.x + vx * dt, self.y + vy * dt
  -- A body that many others push into the wall does not get through it.
  if self.cave:contains(x, y) then
    self.x, self.y = x, y
  else
    vx, vy = -vx, -vy
  end
  self.angle = self.angle + self.spin * dt
  -- The speed slowly returns to the usual one after pushes.
  local speed = math.sqrt(vx * vx + vy * vy)
  local scale = 1 + (self.speed / math.max(speed, 1) - 1) * dt
  self.vx, self.vy = vx * scale, vy * scale
  self.spin = self.spin + (self.usualSpin - self.spin) * dt
end

local function fill(self, canvas)
  canvas:setColor(self.look.color, 0.5)
  canvas:shape("fill", self.shape, self.x, self.y, self.angle)
end

local function line(self, canvas)
  canvas:setColor(self.look.dark)
  canvas:shape("line", self.shape, self.x, self.y, self.angle)
end

-- Gives a body a place where it overlaps no other; when the cave is full, any place inside it.
local function place(scene, body)
  local tries = 0
  repeat
    body.x, body.y = scene:uniform(LEFT, RIGHT), scene:uniform(TOP, HEIGHT)
    tries = tries + 1
    local _, n = scene.world:queryShape(body)
  until body.cave:contains(body.x, body.y) and (n == 0 or tries > 200)
end

local function addBody(scene, i, size, cave)
  local kind = KINDS[(i - 1) % #KINDS + 1]
  local shape = type(kind[2]) == "function" and kind[2](scene) or kind[2]
  local radius = size * scene:uniform(0.8, 1.2)
  local heading, speed = scene:uniform(0, TURN), scene.params.speed * scene:uniform(0.6, 1.4)
  local body = {
    look = kind[1],
    cave = cave,
    shape = shape:scaled(radius),
    angle = scene:uniform(0, TURN),
    speed = speed,
    vx = speed * scene:cos(heading),
    vy = speed * scene:sin(heading),
    usualSpin = scene:uniform(-1, 1),
    spin = 0,
    mass = radius * radius,
    -- Its moment of inertia, for a mass of 1.
    inertia = radius * radius / 2,
    update = update,
  }
  place(scene, body)
  scene.world:add(body)
end

-- Applies the push of an overlap for one frame: changes the velocity of a body, and its spin if the
-- push does not go through its centre.
local function push(body, other, nx, ny, depth, x, y, dt)
  local change = other.static and HARD * depth * dt
    or SOFT * depth * dt * 2 * other.mass / (body.mass + other.mass)
  body.vx, body.vy = body.vx + nx * change, body.vy + ny * change
  body.spin = body.spin + ((x - body.x) * ny - (y - body.y) * nx) * change / body.inertia
end

-- The middle of two bodies' contact points.
local function middle(points)
  local first, last = points[1], points[#points]
  return (first.x + last.x) / 2, (first.y + last.y) / 2
end

local function arrow(canvas, x, y, dx, dy)
  local length = math.sqrt(dx * dx + dy * dy)
  local ux, uy, head = dx / length, dy / length, math.min(4, 0.7 * length)
  local tx, ty = x + dx, y + dy
  canvas:line(x, y, tx, ty)
  canvas:line(tx - head * (ux - 0.5 * uy), ty - head * (uy + 0.5 * ux), tx, ty,
    tx - head * (ux + 0.5 * uy), ty - head * (uy - 0.5 * ux))
end

local function drawContacts(world, canvas)
  canvas:setColor(WAY)
  for a, b, nx, ny, depth in world:hits() do
    local points = world:contacts(a, b)
    for _, point in ipairs(points) do canvas:circle("fill", point.x, point.y, 1.8) end
    local x, y = middle(points)
    if not a.static then arrow(canvas, x, y, nx * depth, ny * depth) end
    if not b.static then arrow(canvas, x, y, -nx * depth, -ny * depth) end
  end
end

local function drawLegend(canvas)
  local y = 456
  for _, look in ipairs(LOOKS) do
    canvas:setColor(look.color)
    canvas:circle("fill", look.legend, y, 5)
    canvas:setColor(INK)
    canvas:print(look.name, look.legend + 11, y - 7)
  end
  canvas:setColor(WAY)
  canvas:circle("fill", 392, y, 1.8)
  arrow(canvas, 392, y, 16, 0)
  arrow(canvas, 392, y, -16, 0)
  canvas:setColor(INK)
  canvas:print("contact, and the way that frees either", 418, y - 7)
end

-- The hits of the last step equal those of a loop over all pairs, in the same order.
local function checkHits(world)
  local actors, hits, found = world:actors(), {}, 0
  for a, b, nx, ny, depth in world:hits() do
    hits[#hits + 1] = { a = a, b = b, nx = nx, ny = ny, depth = depth }
  end
  for i, a in ipairs(actors) do
    for k = i + 1, #actors do
      local nx, ny, depth = collide.overlap(a, actors[k])
      if nx then
        found = found + 1
        local hit = hits[found]
        if not hit or hit.a ~= a or hit.b ~= actors[k]
          or hit.nx ~= nx or hit.ny ~= ny or hit.depth ~= depth then
          return false, ("actors %d and %d overlap, but have not hit like that"):format(i, k)
        end
      end
    end
  end
  return found == #hits, ("%d pairs overlap, and %d have hit"):format(found, #hits)
end

-- The tolerance for rounding, in pixels.
local CLOSE = 1e-6

local function isConvex(shape)
  return shape:kind() ~= "chain" and #shape:parts() == 1
end

-- Whether two convex bodies come apart when the first moves by the vector of their hit, and not
-- when it moves by less.
local function comesApart(a, b, nx, ny, depth)
  local function after(way)
    local moved = { shape = a.shape, x = a.x + nx * way, y = a.y + ny * way, angle = a.angle }
    return collide.overlap(moved, b)
  end
  return not after(depth + CLOSE) and (depth < 2 * CLOSE or after(depth - CLOSE))
end

-- Whether there are one or two contact points, which lie on both bodies and are not deeper than the
-- overlap.
local function touchesBoth(world, a, b, depth)
  local points = world:contacts(a, b)
  for _, point in ipairs(points) do
    local spot = { shape = collide.circle(depth / 2 + CLOSE), x = point.x, y = point.y }
    if point.depth > depth + CLOSE or collide.distance(spot, a) > 0
      or collide.distance(spot, b) > 0 then
      return false
    end
  end
  return #points == 1 or #points == 2
end

local function checkVectors(world)
  for a, b, nx, ny, depth in world:hits() do
    if isConvex(a.shape) and isConvex(b.shape) and not comesApart(a, b, nx, ny, depth) then
      return false, ("%s and %s don't come apart by (%g, %g)"):format(tostring(a.shape),
        tostring(b.shape), nx * depth, ny * depth)
    end
    if not touchesBoth(world, a, b, depth) then
      return false, ("the contacts of %s and %s are not on both"):format(tostring(a.shape),
        tostring(b.shape))
    end
  end
  return true
end

return {
  name = "polygons",
  width = WIDTH,
  height = HEIGHT,
  frames = 300,
  params = { count = 60, speed = 60 },

  setup = function(scene)
    local points = outline(scene)
    scene.cave = collide.polygon(points)
    scene.world:add { x = 0, y = 0, shape = collide.chain(points, true), static = true }
    local room = FILLED * scene.cave:area() / math.max(1, scene.params.count)
    local size = math.min(LARGEST, math.sqrt(room / TURN * 2))
    for i = 1, scene.params.count do addBody(scene, i, size, scene.cave) end
  end,

  -- Applies the hits of the last step, while every body is still where the step saw it.
  update = function(scene, dt)
    for a, b, nx, ny, depth in scene.world:hits() do
      local x, y = middle(scene.world:contacts(a, b))
      if not a.static then push(a, b, nx, ny, depth, x, y, dt) end
      if not b.static then push(b, a, -nx, -ny, depth, x, y, dt) end
    end
  end,

  draw = function(scene, canvas)
    canvas:setColor(GROUND)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    canvas:setColor(PAPER)
    canvas:shape("fill", scene.cave, 0, 0)
    local actors = scene.world:actors()
    for i = 2, #actors do fill(actors[i], canvas) end
    for i = 2, #actors do line(actors[i], canvas) end
    canvas:setColor(INK)
    canvas:shape("line", actors[1].shape, 0, 0)
    drawContacts(scene.world, canvas)
    drawLegend(canvas)
  end,

  check = function(scene)
    if scene.frame == 0 then return true end
    for i, actor in ipairs(scene.world:actors()) do
      if not actor.static and not scene.cave:contains(actor.x, actor.y) then
        return false, ("actor %d has left the cave: %g, %g"):format(i, actor.x, actor.y)
      end
    end
    local passed, message = checkHits(scene.world)
    if not passed then return false, message end
    return checkVectors(scene.world)
  end,
}
