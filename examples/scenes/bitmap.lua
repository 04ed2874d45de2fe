-- Two groups of circles cross a field, like the shots of both sides in a shooter. The first group
-- is painted into a bitmap, and each circle of the second is looked up in it.
--
--   collide run examples/scenes/bitmap.lua --set method=conservative --svg bitmap.svg
--
-- method: how hits are found: circle or rectangle (coverages that add up to more than a cell),
-- conservative (cells that both may touch, then an exact test), naive (an exact test of all pairs)
-- or world (a world of collide). count: number of circles in both groups; radius: their average
-- radius; speed: their average speed in pixels per second; cell: the side of a cell; samples: the
-- samples on each side of a cell.

local collide = require "collide"

local WIDTH, HEIGHT, LEGEND = 480, 640, 46
local TURN = 6.283185307179586

local NIGHT, STRIP = { 0.075, 0.09, 0.135 }, { 0.12, 0.14, 0.19 }
local BLUE, SAND, RED = { 0.30, 0.60, 0.92 }, { 0.96, 0.80, 0.48 }, { 0.98, 0.36, 0.32 }
local PALE, DIM = { 0.86, 0.88, 0.92 }, { 0.56, 0.60, 0.68 }
local MISSED, FALSE = { 0.45, 0.95, 0.55 }, { 0.92, 0.45, 0.95 }

-- Moves a circle, and turns it round where it would leave the field.
local function update(self, dt, world)
  local x, y, r = self.x + self.vx * dt, self.y + self.vy * dt, self.radius
  if x < r and self.vx < 0 or x > WIDTH - r and self.vx > 0 then self.vx = -self.vx end
  if y < r and self.vy < 0 or y > world.height - r and self.vy > 0 then self.vy = -self.vy end
  self.x, self.y = x, y
end

-- Makes a group: a list of circles, and separate lists of their coordinates for the bitmap.
local function makeGroup(scene, name, n)
  local group = { xs = {}, ys = {}, rs = {} }
  for i = 1, n do
    local radius = scene.params.radius * scene:uniform(0.6, 1.4)
    local heading = scene:uniform(0, TURN)
    local speed = scene.params.speed * scene:uniform(0.5, 1.5)
    group.rs[i] = radius
    group[i] = scene.world:add {
      group = name, number = i, radius = radius, shape = collide.circle(radius), update = update,
      x = scene:uniform(radius, WIDTH - radius), y = scene:uniform(radius, HEIGHT - radius),
      vx = speed * scene:cos(heading), vy = speed * scene:sin(heading),
    }
  end
  return group
end

local function readPlaces(group)
  for i, circle in ipairs(group) do group.xs[i], group.ys[i] = circle.x, circle.y end
end

-- Each method fills `pairs`, a list of the circles of the second group that hit, together with the
-- circles that they hit if the method finds these; and `isHit`, by number in the second group.

local function note(scene, other, one)
  scene.isHit[other.number] = true
  if one then scene.pairs[#scene.pairs + 1] = { one, other } end
end

-- All circles of the first group that overlap one of the second. Most are too far apart for that,
-- in x or in y.
local function testExactly(scene, other)
  local x, y, r = other.x, other.y, other.radius + 1
  for _, one in ipairs(scene.first) do
    local reach = one.radius + r
    if math.abs(one.x - x) < reach and math.abs(one.y - y) < reach
      and collide.overlap(one, other) then
      note(scene, other, one)
    end
  end
end

-- Paints the first group's circles into the bitmap. Returns the numbers of the circles of the
-- second group that hit there.
local function hitBitmap(scene)
  local first, second = scene.first, scene.second
  scene.bitmap:addCircles(first.xs, first.ys, first.rs)
  return scene.bitmap:testCircles(second.xs, second.ys, second.rs, 1, scene.hits)
end

local methods = {}

function methods.naive(scene)
  for _, other in ipairs(scene.second) do testExactly(scene, other) end
end

function methods.world(scene)
  for a, b in scene.world:hits() do note(scene, b, a) end
end

function methods.circle(scene)
  for _, i in ipairs(hitBitmap(scene)) do note(scene, scene.second[i]) end
end

-- As methods.circle, with the squares around the circles.
function methods.rectangle(scene)
  local bitmap = scene.bitmap
  for _, one in ipairs(scene.first) do
    local r = one.radius
    bitmap:addRectangle(one.x - r, one.y - r, 2 * r, 2 * r)
  end
  for _, other in ipairs(scene.second) do
    local r = other.radius
    if bitmap:testRectangle(other.x - r, other.y - r, 2 * r, 2 * r) then note(scene, other) end
  end
end

function methods.conservative(scene)
  for _, i in ipairs(hitBitmap(scene)) do testExactly(scene, scene.second[i]) end
end

local IS_EXACT = { naive = true, world = true, conservative = true }

local function newBitmap(scene, method)
  local cell = scene.params.cell
  return collide.newBitmap(math.ceil(WIDTH / cell), math.ceil(HEIGHT / cell), {
    cell = cell, samples = scene.params.samples,
    mode = method == "conservative" and "conservative" or "coverage",
  })
end

-- Runs a method on the present circles.
local function findHits(scene, method)
  readPlaces(scene.first)
  readPlaces(scene.second)
  scene.bitmap:clear()
  scene.pairs, scene.isHit = {}, {}
  methods[method](scene)
end

-- Draws, in each row, the runs of cells with the same value of `of`, except 0: of all cells, or of
-- those within a distance of x, y.
local function drawCells(bitmap, canvas, color, of, x, y, distance)
  local w, h, cell = bitmap:size()
  local left, right, top, bottom = 0, w, 0, h - 1
  if x then
    left = math.max(0, math.floor((x - distance) / cell))
    right = math.min(w, math.floor((x + distance) / cell) + 1)
    top = math.max(0, math.floor((y - distance) / cell))
    bottom = math.min(h - 1, math.floor((y + distance) / cell))
  end
  for row = top, bottom do
    local from, value = left, 0
    for col = left, right do
      local v = col < right and of(col, row) or 0
      if v ~= value then
        if value > 0 then
          canvas:setColor(color, value)
          canvas:rectangle("fill", from * cell, row * cell, (col - from) * cell, cell)
        end
        from, value = col, v
      end
    end
  end
end

-- The cells in which a circle of the second group and the bitmap add up to more than 1.
local function drawSum(scene, other, canvas)
  local bitmap, own = scene.bitmap, scene.own
  local x, y, r = other.x, other.y, other.radius
  own:clear()
  if scene.params.method == "rectangle" then
    own:addRectangle(x - r, y - r, 2 * r, 2 * r)
  else
    own:addCircle(x, y, r)
  end
  drawCells(own, canvas, RED, function(col, row)
    local mine = own:coverage(col, row)
    return mine > 0 and mine + bitmap:coverage(col, row) > 1 and 0.9 or 0
  end, x, y, r + scene.params.cell)
end

local function drawFirst(scene, canvas)
  local bitmap = scene.bitmap
  if scene.usesBitmap then
    drawCells(bitmap, canvas, BLUE, function(col, row) return bitmap:coverage(col, row) * 0.75 end)
  else
    canvas:setColor(BLUE, 0.75)
    for _, one in ipairs(scene.first) do canvas:shape("fill", one.shape, one.x, one.y) end
  end
  canvas:setColor(BLUE)
  for _, one in ipairs(scene.first) do canvas:shape("line", one.shape, one.x, one.y) end
end

-- Circles that hit are filled, and the cells that decide it are marked.
local function drawSecond(scene, canvas)
  for _, other in ipairs(scene.second) do
    local isHit = scene.isHit[other.number]
    canvas:setColor(SAND, isHit and 0.45 or 0.07)
    canvas:shape("fill", other.shape, other.x, other.y)
    if isHit and scene.usesBitmap then drawSum(scene, other, canvas) end
  end
  canvas:setColor(SAND)
  for _, other in ipairs(scene.second) do
    canvas:shape("line", other.shape, other.x, other.y)
  end
end

-- Draws rings around the circles that the method misjudges, and returns how many there are.
local function drawMistakes(scene, canvas)
  local hits, missed, wrong = 0, 0, 0
  for i, other in ipairs(scene.second) do
    local isHit, isTrue = scene.isHit[i], scene.isTrue[i]
    if isHit then hits = hits + 1 end
    if isHit and not isTrue then wrong = wrong + 1 end
    if isTrue and not isHit then missed = missed + 1 end
    if isHit ~= isTrue then
      canvas:setColor(isHit and FALSE or MISSED)
      for more = 4, 5 do
        canvas:circle("line", other.x, other.y, other.radius + more)
      end
    end
  end
  return hits, missed, wrong
end

local function drawEntry(canvas, x, y, mode, color, text)
  canvas:setColor(color)
  canvas:circle(mode, x, y, 5)
  canvas:setColor(PALE)
  canvas:print(text, x + 11, y - 7)
end

local function drawLegend(scene, canvas, hits, missed, wrong)
  canvas:setColor(STRIP)
  canvas:rectangle("fill", 0, HEIGHT, WIDTH, LEGEND)
  local high, low = HEIGHT + 14, HEIGHT + 33
  drawEntry(canvas, 16, high, "fill", BLUE, scene.usesBitmap and "painted" or "first group")
  drawEntry(canvas, 118, high, "line", SAND, scene.usesBitmap and "looked up" or "second group")
  if scene.usesBitmap then
    local cells = scene.params.method == "conservative" and "cells of both" or "sum above 1"
    drawEntry(canvas, 228, high, "fill", RED, cells)
  end
  drawEntry(canvas, 16, low, "fill", SAND, hits .. " hit")
  drawEntry(canvas, 118, low, "line", MISSED, missed .. " missed")
  drawEntry(canvas, 228, low, "line", FALSE, wrong .. " falsely hit")
  canvas:setColor(DIM)
  canvas:print("by " .. scene.params.method, 368, high - 7)
  canvas:print(#scene.first + #scene.second .. " circles", 368, low - 7)
end

-- Every pair that hits, as a key, and their number.
local function setOf(list)
  local set, n = {}, 0
  for _, pair in ipairs(list) do
    local key = pair[1].number .. " and " .. pair[2].number
    if not set[key] then n = n + 1 end
    set[key] = true
  end
  return set, n
end

-- Whether a circle may be found by a method that uses coverage: whether it and a circle of the
-- first group, or the squares around them, can cover parts of the same cell.
local function isNear(scene, other)
  local reach = 1.4143 * scene.params.cell
  for _, one in ipairs(scene.first) do
    local corners = scene.params.method == "rectangle" and 0.4143 * (one.radius + other.radius) or 0
    if collide.distance(one, other) <= reach + corners then return true end
  end
  return false
end

return {
  name = "bitmap",
  width = WIDTH,
  height = HEIGHT + LEGEND,
  frames = 300,
  params = {
    method = "circle", count = 120, radius = 14, speed = 50, cell = 8, samples = 4,
  },
  world = { height = HEIGHT, rules = { { "first", "second" } } },

  setup = function(scene)
    local method, count = scene.params.method, scene.params.count
    if not methods[method] then
      error("method expected (circle, rectangle, conservative, naive or world), got " .. method, 0)
    end
    scene.usesBitmap = method ~= "naive" and method ~= "world"
    scene.first = makeGroup(scene, "first", math.ceil(count / 2))
    scene.second = makeGroup(scene, "second", math.floor(count / 2))
    scene.bitmap, scene.own = newBitmap(scene, method), newBitmap(scene, method)
    scene.hits = {}
  end,

  update = function(scene)
    findHits(scene, scene.params.method)
  end,

  draw = function(scene, canvas)
    findHits(scene, "naive")
    scene.isTrue = scene.isHit
    if scene.params.method ~= "naive" then findHits(scene, scene.params.method) end
    canvas:setColor(NIGHT)
    canvas:rectangle("fill", 0, 0, WIDTH, HEIGHT)
    drawFirst(scene, canvas)
    drawSecond(scene, canvas)
    drawLegend(scene, canvas, drawMistakes(scene, canvas))
  end,

  -- A conservative bitmap with an exact test must find the pairs that the world has found,
  -- whichever method is shown. The method's answer must be right, up to the size of its cells.
  check = function(scene)
    if scene.frame == 0 then return true end
    local bitmap, method = scene.bitmap, scene.params.method
    findHits(scene, "world")
    local found, n = setOf(scene.pairs)
    scene.isTrue = scene.isHit
    scene.bitmap = newBitmap(scene, "conservative")
    findHits(scene, "conservative")
    scene.bitmap = bitmap
    local filtered, m = setOf(scene.pairs)
    for key in pairs(filtered) do
      if not found[key] then return false, key .. " have not hit in the world" end
    end
    if n ~= m then return false, ("%d pairs of %d pass the filter"):format(m, n) end
    findHits(scene, method)
    for i, other in ipairs(scene.second) do
      local isHit, isTrue = scene.isHit[i], scene.isTrue[i]
      if IS_EXACT[method] and isHit ~= isTrue or isHit and not isNear(scene, other) then
        return false, ("%d of the second group is %s by %s"):format(i,
          isHit and "hit" or "not hit", method)
      end
    end
    return true
  end,
}
