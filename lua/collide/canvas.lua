-- The canvas that a scene draws on: it checks the arguments and passes them to a brush. Also draws
-- whole worlds with a brush.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local reader = require "collide.world.reader"

local nextLaser = core.bullets.nextLaser
local MOST = check.MAX_COORDINATE

local M = {}

-- Outlines ------------------------------------------------------------------------

-- Breaks a placed shape down into rectangles, circles, capsules, polygons and lines, and draws them
-- with a brush, on the screen or into a file.
--
-- A brush has `rectangle(mode, l, t, w, h)`, `circle(mode, x, y, r)`, `capsule(mode, x1, y1, x2,
-- y2, r)`, `polygon(mode, points)` and `line(points)`. A brush with `convexOnly` cannot fill a
-- concave polygon, and gets its convex parts. One with `beginArea` and `endArea` fills all areas
-- drawn between these at once, without seams. The next call reuses the lists of points.

-- The record of each shape. Shapes never change, so each is read only once.
local known = setmetatable({}, { __mode = "k" })

-- Kinds that are read again each time: tiles show a grid, which may change.
local LIVE = { tiles = true }

local record

local function records(shapes)
  local list = {}
  for i, shape in ipairs(shapes) do list[i] = record(shape) end
  return list
end

--- Whether an actor's angle turns a shape. A shape with the same bounds at these two angles ignores
--- the angle, or is a circle about 0, 0, for which the angle does not matter.
function M.turns(shape)
  local l, t, w, h = shape:bounds(0, 0, 0)
  local l2, t2, w2, h2 = shape:bounds(0, 0, 0.5)
  return l ~= l2 or t ~= t2 or w ~= w2 or h ~= h2
end

-- The key of an edge. Parts of one shape that share an edge have the same ends to the bit.
local function edgeName(x1, y1, x2, y2)
  return ("%.17g %.17g %.17g %.17g"):format(x1, y1, x2, y2)
end

local function eachEdge(r, visit)
  local points = r.points
  local x1, y1 = points[#points - 1], points[#points]
  for i = 1, #points, 2 do
    visit(x1, y1, points[i], points[i + 1])
    x1, y1 = points[i], points[i + 1]
  end
end

local AREAS = { polygon = true, rectangle = true }

-- The pieces of a part's outline that are left without the edges shared with another part, which
-- `has` lists in the other direction; nil if no edge is shared.
local function linesOf(part, has)
  local lines, line, isCut = {}, nil, false
  eachEdge(part, function(x1, y1, x2, y2)
    if has[edgeName(x2, y2, x1, y1)] then
      line, isCut = nil, true
    elseif line then
      table.insert(line, x2)
      table.insert(line, y2)
    else
      line = { x1, y1, x2, y2 }
      table.insert(lines, line)
    end
  end)
  if not isCut then return nil end
  -- A piece that was cut in two where the walk began is joined again.
  local first = lines[1]
  if #lines > 1 and line and line[#line - 1] == first[1] and line[#line] == first[2] then
    for i = 3, #first do table.insert(line, first[i]) end
    table.remove(lines, 1)
  end
  for i, points in ipairs(lines) do lines[i] = { points = points, placed = {} } end
  return lines
end

-- An edge between two parts, such as a cut through a concave polygon, is not part of the outline. A
-- part with such edges gets its other edges as `lines`.
local function findLines(parts)
  local has = {}
  for _, part in ipairs(parts) do
    if AREAS[part.kind] then
      eachEdge(part, function(x1, y1, x2, y2) has[edgeName(x1, y1, x2, y2)] = true end)
    end
  end
  for _, part in ipairs(parts) do
    if AREAS[part.kind] then part.lines = linesOf(part, has) end
  end
end

function record(shape)
  local r = { kind = shape:kind(), turns = M.turns(shape), placed = {} }
  r.l, r.t, r.w, r.h = shape:bounds()
  if r.kind == "circle" or r.kind == "capsule" then r.radius = shape:radius() end
  if r.kind == "compound" or LIVE[r.kind] then
    local parts, sensors = core.layers(shape)
    r.parts, r.sensors = records(parts or shape:parts()), sensors and records(sensors)
    if r.kind == "compound" then findLines(r.parts) end
    return r
  end
  r.points = shape:points()
  if r.kind == "polygon" then
    local parts = shape:parts()
    if #parts > 1 then r.parts = records(parts) end
  elseif r.kind == "chain" then
    -- An open chain has one segment fewer than points.
    r.closed = #shape:parts() * 2 == #r.points
  end
  return r
end

-- The record's points, turned by an angle with cosine c and sine s, and moved to x, y.
local function place(r, x, y, c, s)
  local from, to = r.points, r.placed
  for i = 1, #from, 2 do
    local px, py = from[i], from[i + 1]
    to[i], to[i + 1] = x + (c * px - s * py), y + (s * px + c * py)
  end
  return to
end

local draw = {}

function draw.rectangle(brush, mode, r, x, y, c, s)
  if c == 1 then
    brush:rectangle(mode, x + r.l, y + r.t, r.w, r.h)
  else
    brush:polygon(mode, place(r, x, y, c, s))
  end
end

function draw.circle(brush, mode, r, x, y, c, s)
  local at = place(r, x, y, c, s)
  brush:circle(mode, at[1], at[2], r.radius)
end

function draw.capsule(brush, mode, r, x, y, c, s)
  local at = place(r, x, y, c, s)
  if at[1] == at[3] and at[2] == at[4] then
    brush:circle(mode, at[1], at[2], r.radius)
  else
    brush:capsule(mode, at[1], at[2], at[3], at[4], r.radius)
  end
end

function draw.segment(brush, _, r, x, y, c, s)
  brush:line(place(r, x, y, c, s))
end

function draw.chain(brush, _, r, x, y, c, s)
  local points = place(r, x, y, c, s)
  if r.closed then
    local n = #r.points
    points[n + 1], points[n + 2] = points[1], points[2]
  end
  brush:line(points)
end

function draw.compound(brush, mode, r, x, y, c, s)
  local isArea = mode == "fill" and brush.beginArea
  if isArea then brush:beginArea() end
  for _, part in ipairs(r.parts) do
    if mode == "line" and part.lines then
      for _, line in ipairs(part.lines) do brush:line(place(line, x, y, c, s)) end
    else
      draw[part.kind](brush, mode, part, x, y, c, s)
    end
  end
  if isArea then brush:endArea() end
end

-- The cells of a map that are sensors are drawn as outlines in both modes.
function draw.tiles(brush, mode, r, x, y, c, s)
  draw.compound(brush, mode, r, x, y, c, s)
  for _, part in ipairs(r.sensors or {}) do draw[part.kind](brush, "line", part, x, y, c, s) end
end

function draw.polygon(brush, mode, r, x, y, c, s)
  if mode == "fill" and brush.convexOnly and r.parts then
    draw.compound(brush, mode, r, x, y, c, s)
  else
    brush:polygon(mode, place(r, x, y, c, s))
  end
end

--- Draws the shape of an actor at x, y with an angle.
---@param brush table
---@param mode "fill"|"line" segments and chains have no inside: they are lines in both modes
---@param shape collide.Shape
---@param x number
---@param y number
---@param angle? number radians
function M.drawShape(brush, mode, shape, x, y, angle)
  local r = known[shape]
  if not r then
    r = record(shape)
    if not LIVE[r.kind] then known[shape] = r end
  end
  if angle and angle ~= 0 and r.turns then
    draw[r.kind](brush, mode, r, x, y, core.cos(angle), core.sin(angle))
  else
    draw[r.kind](brush, mode, r, x, y, 1, 0)
  end
end

-- The canvas ----------------------------------------------------------------------

--- The background colour of scenes.
M.PAPER = { 0.99, 0.985, 0.97 }

---@class collide.Canvas
local Canvas = {}
Canvas.__index = Canvas
Canvas.__name = "collide.Canvas"

--- A canvas for a brush, which has the methods listed above, `color(r, g, b, a)` and
--- `text(text, x, y)`.
---@return collide.Canvas
function M.new(brush)
  return setmetatable({ _brush = brush }, Canvas)
end

local checkCanvas = check.receiver(Canvas, "canvas")

local function number(fn, name, v)
  if not (type(v) == "number" and v - v == 0) then check.fail(fn, name, "finite number", v) end
  return v
end

-- A function that a scene calls thousands of times in a frame checks all arguments in one
-- expression. Only if that fails, a function like this one finds out which argument is wrong.

local function areNumbers(a, b, c, d)
  return type(a) == "number" and type(b) == "number" and type(c) == "number" and type(d) == "number"
end

local function checkColor(self, r, g, ...)
  local fn = "canvas:setColor"
  checkCanvas(self, fn)
  if type(r) == "table" then
    for i = 1, r[4] and g == nil and 4 or 3 do number(fn, ("color[%d]"):format(i), r[i]) end
    if g ~= nil then number(fn, "alpha", g) end
    return check.noMore(fn, "a list and an alpha", 2, ...)
  end
  local b, a = ...
  number(fn, "r", r)
  number(fn, "g", g)
  number(fn, "b", b)
  if a ~= nil then number(fn, "a", a) end
  check.noMore(fn, "three or four numbers, or a list", 4, select(3, ...))
end

--- Sets the colour of all drawing from here on: r, g, b and optionally a, each from 0 to 1, or a
--- list of them. After a list, a second argument replaces its alpha.
---@param r number|number[]
---@param g? number after a list, the alpha
---@param ... number b, a
function Canvas:setColor(r, g, ...)
  local red, green, blue, alpha = r, g, ...
  local most = 2
  if type(r) == "table" then
    red, green, blue, alpha, most = r[1], r[2], r[3], g, 0
    if g == nil then alpha = r[4] or 1 end
  elseif alpha == nil then
    alpha = 1
  end
  -- If any of them is not finite, their sum is not.
  local sum = areNumbers(red, green, blue, alpha) and red + green + blue + alpha
  if not sum or sum - sum ~= 0 or select("#", ...) > most or getmetatable(self) ~= Canvas then
    checkColor(self, r, g, ...)
  end
  self._brush:color(red, green, blue, alpha)
end

local function checkMode(fn, mode)
  if mode ~= "fill" and mode ~= "line" then check.fail(fn, "mode", '"fill" or "line"', mode) end
end

--- Checks the arguments of Canvas:shape, and of drawShape in love.lua.
function M.checkShape(fn, mode, shape, x, y, angle)
  checkMode(fn, mode)
  if not core.isShape(shape) then check.fail(fn, "shape", check.SHAPE, shape) end
  check.point(fn, x, y)
  if angle ~= nil and not check.isAngle(angle) then check.fail(fn, "angle", check.ANGLE, angle) end
end

--- Draws the shape of an actor at x, y, filled or in outline.
---@param mode "fill"|"line"
---@param shape collide.Shape
---@param x number
---@param y number
---@param angle? number radians
function Canvas:shape(mode, shape, x, y, angle, ...)
  checkCanvas(self, "canvas:shape", "mode, shape, x, y and angle", 5, ...)
  M.checkShape("canvas:shape", mode, shape, x, y, angle)
  M.drawShape(self._brush, mode, shape, x, y, angle)
end

local function checkRectangle(self, mode, x, y, w, h, ...)
  local fn = "canvas:rectangle"
  checkCanvas(self, fn, "mode, x, y, w and h", 5, ...)
  checkMode(fn, mode)
  check.point(fn, x, y)
  check.extent(fn, "w", w)
  check.extent(fn, "h", h)
end

--- Draws a rectangle with its top left corner at x, y, filled or in outline.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param w number
---@param h number
function Canvas:rectangle(mode, x, y, w, h, ...)
  if not (areNumbers(x, y, w, h) and x >= -MOST and x <= MOST and y >= -MOST and y <= MOST
    and w >= 0 and w <= MOST and h >= 0 and h <= MOST and (mode == "fill" or mode == "line")
    and select("#", ...) == 0 and getmetatable(self) == Canvas) then
    checkRectangle(self, mode, x, y, w, h, ...)
  end
  self._brush:rectangle(mode, x, y, w, h)
end

--- Draws a circle about x, y, filled or in outline.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param r number
function Canvas:circle(mode, x, y, r, ...)
  local fn = "canvas:circle"
  checkCanvas(self, fn, "mode, x, y and r", 4, ...)
  checkMode(fn, mode)
  check.point(fn, x, y)
  check.extent(fn, "r", r)
  self._brush:circle(mode, x, y, r)
end

--- Draws lines from point to point: x1, y1, x2, y2, … or a list of them.
---@param ... number
function Canvas:line(...)
  checkCanvas(self, "canvas:line")
  local points, n = (...), select("#", ...)
  if type(points) == "table" and n == 1 then n = #points else points = { ... } end
  if n < 4 or n % 2 == 1 then
    check.raise(("canvas:line takes x, y of two points or more, got %d numbers"):format(n))
  end
  for i = 1, n, 2 do
    number("canvas:line", ("x%d"):format((i + 1) / 2), points[i])
    number("canvas:line", ("y%d"):format((i + 1) / 2), points[i + 1])
  end
  self._brush:line(points)
end

--- Draws filled circles of one radius about x1, y1, x2, y2, …, a list such as pool:fill writes.
---@param centres number[]
---@param r number
function Canvas:circles(centres, r, ...)
  local fn = "canvas:circles"
  checkCanvas(self, fn, "a list and a radius", 2, ...)
  check.table(fn, "centres", centres, "list {x1, y1, x2, y2, …}")
  check.size(fn, "r", r)
  local n = #centres
  if n % 2 == 1 then
    check.raise(("%s: centres expected (x, y of each), got %d numbers"):format(fn, n))
  end
  for i = 1, n do
    if type(centres[i]) ~= "number" or centres[i] - centres[i] ~= 0 then
      number(fn, ("centres[%d]"):format(i), centres[i])
    end
  end
  if self._brush.circles then
    self._brush:circles(centres, r)
  else
    for i = 1, n, 2 do self._brush:circle("fill", centres[i], centres[i + 1], r) end
  end
end

--- Draws text with its top left corner at x, y. Its size on the screen does not depend on the
--- scale.
---@param text string|number
---@param x number
---@param y number
function Canvas:print(text, x, y, ...)
  checkCanvas(self, "canvas:print", "text, x and y", 3, ...)
  if type(text) ~= "string" and type(text) ~= "number" then
    check.fail("canvas:print", "text", "string", text)
  end
  self._brush:text(tostring(text), number("canvas:print", "x", x), number("canvas:print", "y", y))
end

-- Worlds --------------------------------------------------------------------------

-- The colours are visible on light and on dark backgrounds.

M.FREE, M.STATIC = { 0.25, 0.52, 0.90 }, { 0.50, 0.52, 0.56 }
M.MARKED = { 0.90, 0.24, 0.20 }

local BULLET = { 0.86, 0.52, 0.10 }

-- The opacity of filled areas.
local FILL = 0.25

local function setColor(brush, color, alpha)
  brush:color(color[1], color[2], color[3], alpha)
end

--- Draws the shape of an actor, in a colour or in that of its kind; a sensor only in outline.
function M.drawActor(brush, world, actor, color)
  local names = world._names
  local shape, x, y, angle = actor[names.shape], reader.place("draw", world, actor)
  if not core.isShape(shape) then
    reader.fail("draw", world, actor, names.shape, check.SHAPE, shape)
  end
  color = color or names.static and actor[names.static] and M.STATIC or M.FREE
  if not (names.sensor and actor[names.sensor]) then
    setColor(brush, color, FILL)
    M.drawShape(brush, "fill", shape, x, y, angle)
  end
  setColor(brush, color, 1)
  M.drawShape(brush, "line", shape, x, y, angle)
end

local isLaser = {}

-- Draws the lasers of a pool: filled when they are hot, in outline while they warm up. Puts their
-- numbers into `isLaser`, so that they are not drawn again as bullets.
local function drawLasers(brush, pool)
  for bullet in each.pairs(isLaser) do isLaser[bullet] = nil end
  local bullet, x, y, shape, hot = nextLaser(pool, 0)
  while bullet do
    isLaser[bullet] = true
    setColor(brush, BULLET, hot and 0.5 or FILL)
    if hot then M.drawShape(brush, "fill", shape, x, y) end
    setColor(brush, BULLET, 1)
    M.drawShape(brush, "line", shape, x, y)
    bullet, x, y, shape, hot = nextLaser(pool, bullet)
  end
end

local drawing -- the brush for drawBullet

local function drawBullet(bullet, x, y, _, _, r, _, _, tailX, tailY)
  if isLaser[bullet] then return end
  if tailX and (tailX ~= x or tailY ~= y) then
    drawing:capsule("fill", x, y, tailX, tailY, r)
  elseif drawing.disc then
    drawing:disc(x, y, r)
  else
    drawing:circle("fill", x, y, r)
  end
end

-- A brush may draw all round bullets at once, with `beginDiscs`, `disc(x, y, r)` for each, and
-- `endDiscs`.
local function drawPool(brush, pool)
  drawLasers(brush, pool)
  setColor(brush, BULLET, 1)
  drawing = brush
  if brush.disc then brush:beginDiscs() end
  pool:each(drawBullet)
  if brush.disc then brush:endDiscs() end
end

--- Draws the shapes of all actors of a world, and its bullets. `colors` may have the colours of
--- some actors, and false for those that are left out.
function M.drawWorld(brush, world, colors)
  for _, actor in ipairs(world:actors()) do
    local color = colors[actor]
    if color ~= false then M.drawActor(brush, world, actor, color) end
  end
  for _, pool in ipairs(world._pools) do drawPool(brush, pool) end
end

local CELL = { 0.20, 0.62, 0.42 }

--- Draws the cells of a world's broad phase.
function M.drawCells(brush, world)
  local cells = world:cells()
  for i = 1, #cells, 5 do
    local l, t, w, h = cells[i], cells[i + 1], cells[i + 2], cells[i + 3]
    setColor(brush, CELL, 0.03)
    brush:rectangle("fill", l, t, w, h)
    setColor(brush, CELL, 0.5)
    brush:rectangle("line", l, t, w, h)
  end
end

-- The points where two actors touch. If they have moved since the step and no longer touch: the
-- middle of the overlap of their bounds.
local function placesOf(world, a, b)
  local points = world:contacts(a, b)
  if #points > 0 then return points end
  local shapeA, ax, ay, angleA = reader.placeOf(a, world._names)
  local shapeB, bx, by, angleB = reader.placeOf(b, world._names)
  local l, t, w, h = shapeA:bounds(ax, ay, angleA)
  local l2, t2, w2, h2 = shapeB:bounds(bx, by, angleB)
  points[1] = {
    x = (math.max(l, l2) + math.min(l + w, l2 + w2)) / 2,
    y = (math.max(t, t2) + math.min(t + h, t2 + h2)) / 2,
  }
  return points
end

--- Draws the points of each hit of the last step, and the direction in which the first actor gets
--- free. `size` is the size of a pixel.
function M.drawHits(brush, world, size)
  setColor(brush, M.MARKED, 1)
  for a, b, nx, ny, depth in world:hits() do
    local points = placesOf(world, a, b)
    for _, point in ipairs(points) do brush:circle("fill", point.x, point.y, 1.5 * size) end
    local first, last = points[1], points[#points]
    local x, y = (first.x + last.x) / 2, (first.y + last.y) / 2
    local length = math.max(depth, 5 * size)
    brush:line { x, y, x + nx * length, y + ny * length }
  end
end

--- The colours of actors that hit another in the last step, for drawWorld.
function M.hitColors(world)
  local colors = {}
  for a, b in world:hits() do colors[a], colors[b] = M.MARKED, M.MARKED end
  return colors
end

local NONE = {}

-- Whether any actor of a world has a `draw`.
local function hasDraw(world)
  local name = world._names.draw
  if not name then return false end
  for _, actor in ipairs(world:actors()) do
    if reader.method("world:draw", world, actor, name) then return true end
  end
  return false
end

--- Draws a world with the `draw` of its actors; if none has one, their shapes and the bullets.
function M.drawActors(canvas, world)
  if hasDraw(world) then return world:draw(canvas) end
  checkCanvas(canvas, "scene:draw")
  M.drawWorld(canvas._brush, world, NONE)
end

return M
