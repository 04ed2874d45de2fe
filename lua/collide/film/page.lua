-- Shows a film: makes a page that plays it, and pictures of its last frame, in SVG and in ASCII.
-- They may mark some actors. For the first two they show the parts, and how deep the first is
-- inside the other, or how far away from it.

local require = require "collide.relative"
local collide = require "collide"
local core = require "collide.core"
local drawing = require "collide.canvas"
local file = require "collide.film.file"
local page = require "collide.scene.page"
local reader = require "collide.world.reader"
local replay = require "collide.scene.replay"
local svg = require "collide.scene.svg"
local texts = require "collide.scene.text"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

local placeOf = reader.placeOf

-- Two actors --------------------------------------------------------------------------

local function number(v)
  return ("%.6g"):format(v)
end

local function boundsOf(world, actor)
  local shape, x, y, angle = placeOf(actor, world._names)
  local l, t, w, h = shape:bounds(x, y, angle)
  return { l, t, l + w, t + h }
end

local function join(a, b)
  return { math.min(a[1], b[1]), math.min(a[2], b[2]), math.max(a[3], b[3]), math.max(a[4], b[4]) }
end

local function meet(a, b)
  local l, t, r, c = math.max(a[1], b[1]), math.max(a[2], b[2]), math.min(a[3], b[3]),
    math.min(a[4], b[4])
  return l <= r and t <= c and { l, t, r, c } or nil
end

local function grown(b, by)
  return { b[1] - by, b[2] - by, b[3] + by, b[4] + by }
end

local function sizeOf(b)
  return math.max(b[3] - b[1], b[4] - b[2])
end

-- The way out for the first actor, from where it is deepest in the other, or the gap between them:
-- x, y, the direction, the length, and a text; and whether it is a gap. nil if they just touch.
local function wayOf(world, a, b)
  local shape, x, y, angle = placeOf(a, world._names)
  local other, x2, y2, angle2 = placeOf(b, world._names)
  local nx, ny, depth = core.overlap(shape, x, y, angle, other, x2, y2, angle2, true)
  if not depth then
    local gap, x1, y1, toX, toY = core.distance(shape, x, y, angle, other, x2, y2, angle2)
    if gap == 0 then return nil end
    return { x1, y1, (toX - x1) / gap, (toY - y1) / gap, gap, number(gap) }, true
  end
  if depth == 0 then return nil end
  local deepest
  for _, contact in ipairs(core.contacts(shape, x, y, angle, other, x2, y2, angle2, true)) do
    if not deepest or contact.depth > deepest.depth then deepest = contact end
  end
  local box = meet(boundsOf(world, a), boundsOf(world, b)) or boundsOf(world, a)
  local fromX = deepest and deepest.x or (box[1] + box[3]) / 2
  local fromY = deepest and deepest.y or (box[2] + box[4]) / 2
  return { fromX, fromY, nx, ny, depth, number(depth) .. " deep" }, false
end

-- Draws the outlines of an actor's parts, if it has several. The parts of a map are its cells,
-- which are drawn anyway.
local function drawParts(brush, world, actor)
  local shape, x, y, angle = placeOf(actor, world._names)
  local parts = shape:kind() ~= "tiles" and shape:parts() or {}
  for i = 1, #parts > 1 and #parts or 0 do
    drawing.drawShape(brush, "line", parts[i], x, y, angle)
  end
end

-- Pictures ----------------------------------------------------------------------------

-- A view around marked actors: the whole smaller one, the nearby part of the other, and a margin,
-- given as a share of the view.
local function viewOf(world, marked, field, margin)
  local a, b = marked[1], marked[2]
  if not a then return field end
  local near, far = boundsOf(world, a), b and boundsOf(world, b)
  if far and sizeOf(far) < sizeOf(near) then near, far = far, near end
  local view = near
  if far then
    local size = sizeOf(near)
    view = join(view, meet(far, grown(near, 2 * size)) or sizeOf(far) < 4 * size and far or near)
    local way = wayOf(world, a, b)
    if way then
      local x, y = way[1] + way[3] * way[5], way[2] + way[4] * way[5]
      view = join(join(view, { way[1], way[2], way[1], way[2] }), { x, y, x, y })
    end
  end
  return grown(view, margin * sizeOf(view) + 1e-6 * sizeOf(field))
end

-- Widens a view to at least the width that a text needs.
local function widened(view)
  local more = math.max(0, (view[4] - view[2]) * 1.2 - (view[3] - view[1])) / 2
  return { view[1] - more, view[2], view[3] + more, view[4] }
end

-- Groups have colours in the order of their names, as on pages.
local function colorsOf(world)
  local names, colors, groups, numbers = world._names, {}, {}, {}
  for _, actor in ipairs(world:actors()) do
    local group = names.group and actor[names.group] or ""
    if not numbers[group] then groups[#groups + 1], numbers[group] = group, true end
  end
  table.sort(groups)
  for i, group in ipairs(groups) do numbers[group] = (i - 1) % #page.GROUPS + 1 end
  for _, actor in ipairs(world:actors()) do
    local group = names.group and actor[names.group] or ""
    local isPlain = group == "" and names.static and actor[names.static]
    colors[actor] = isPlain and drawing.STATIC or page.GROUPS[numbers[group]]
  end
  return colors
end

-- Breaks a text into lines of at most so many characters.
local function wrap(text, most)
  local lines = {}
  for whole in (text .. "\n"):gmatch "([^\n]*)\n" do
    local line = whole
    while #line > most do
      local cut = line:sub(1, most):match "^.*() " or most
      lines[#lines + 1], line = line:sub(1, cut), line:sub(cut + 1)
    end
    lines[#lines + 1] = line
  end
  return lines
end

local LETTER, LINE = 6.4, 14 -- pixels

local function drawWay(brush, way, isGap)
  local x, y, dx, dy, length, text = unpack(way)
  local size = isGap and length or math.max(length, 20 * brush.pixel)
  local x2, y2, head = x + dx * size, y + dy * size, 6 * brush.pixel
  brush:color(0.1, 0.1, 0.12, 1)
  brush:line { x, y, x2, y2 }
  if not isGap then
    brush:line { x2 - head * (dx + 0.6 * dy), y2 - head * (dy - 0.6 * dx), x2, y2,
      x2 - head * (dx - 0.6 * dy), y2 - head * (dy + 0.6 * dx) }
  end
  local at = isGap and 0.5 or 1
  brush:text(text, x + (x2 - x) * at + 6 * brush.pixel, y + (y2 - y) * at + 6 * brush.pixel)
end

local function printName(brush, world, actor)
  local x, y = unpack(boundsOf(world, actor))
  local name = world._names.name and actor[world._names.name]
  if type(name) == "number" then name = tostring(name) end
  if type(name) ~= "string" then return end
  brush:color(0, 0, 0, 1)
  brush:text(name, x, y - LINE * brush.pixel)
end

--- A picture of a world as SVG, cut to the marked actors, with a message above.
local function pictureOf(world, marked, field, message)
  local view = widened(viewOf(world, marked, field, 0.25))
  local w, h = view[3] - view[1], view[4] - view[2]
  local pixel = sizeOf(view) / 800
  local lines = message and wrap(message, math.max(24, math.floor(w / pixel / LETTER))) or {}
  local head = #lines > 0 and (LINE * #lines + 8) * pixel or 0
  local canvas = svg.canvas(w, h + head, view[1], view[2] - head, 1 / pixel)
  local brush = canvas._brush
  drawing.drawWorld(brush, world, colorsOf(world))
  for i = 1, math.min(2, #marked) do
    drawing.drawActor(brush, world, marked[i], drawing.MARKED)
    drawParts(brush, world, marked[i])
    printName(brush, world, marked[i])
  end
  if marked[2] then
    local way, isGap = wayOf(world, marked[1], marked[2])
    if way then drawWay(brush, way, isGap) end
  end
  if head > 0 then
    brush:color(drawing.PAPER[1], drawing.PAPER[2], drawing.PAPER[3], 1)
    brush:rectangle("fill", view[1], view[2] - head, w, head)
    brush:color(0.8, 0.15, 0.1, 1)
    brush:text(table.concat(lines, "\n"), view[1] + 4 * pixel, view[2] - head + 4 * pixel)
  end
  return canvas.text()
end

-- ASCII pictures ----------------------------------------------------------------------

local ROWS, MOST_COLUMNS = 12, 76

-- The character that an actor is drawn with: for a marked one the first letter of its name, if any.
local function letterOf(world, actor, marked)
  local name = world._names.name and actor[world._names.name]
  local letter = type(name) == "string" and name:match "^%w"
  for i = 1, math.min(2, #marked) do
    if marked[i] == actor then return letter and letter:upper() or i == 1 and "A" or "B" end
  end
  local isStatic = world._names.static and actor[world._names.static]
  return isStatic and "#" or letter and letter:lower() or "o"
end

--- An ASCII picture of 12 lines: marked actors as capitals, cells with both as *, static actors as
--- #, others as the first letters of their names or o.
local function charactersOf(world, marked, field)
  local view = viewOf(world, marked, field, 0.1)
  local w, h = view[3] - view[1], view[4] - view[2]
  local cell = math.max(h / ROWS, 2 * w / MOST_COLUMNS)
  local columns = math.max(1, math.min(MOST_COLUMNS, math.ceil(2 * w / cell)))
  local top = (view[2] + view[4] - ROWS * cell) / 2
  local pen, list = collide.rectangle(-0.2 * cell, -0.4 * cell, 0.4 * cell, 0.8 * cell), {}
  for _, actor in ipairs(world:actors()) do
    if meet(boundsOf(world, actor), { view[1], top, view[3], top + ROWS * cell }) then
      list[#list + 1] = { letter = letterOf(world, actor, marked),
        isMarked = actor == marked[1] or actor == marked[2], placeOf(actor, world._names) }
    end
  end
  local lines = {}
  for row = 1, ROWS do
    local line = {}
    for column = 1, columns do
      local x, y, char = view[1] + (column - 0.5) * cell / 2, top + (row - 0.5) * cell, " "
      local isMarked = false
      for _, one in ipairs(list) do
        local covers = (one.isMarked or not isMarked)
          and core.overlaps(pen, x, y, 0, one[1], one[2], one[3], one[4], false)
        if covers then char = isMarked and "*" or one.letter end
        isMarked = isMarked or covers and one.isMarked
      end
      line[column] = char
    end
    lines[row] = table.concat(line):gsub(" +$", "")
  end
  return table.concat(lines, "\n")
end

-- Pages -------------------------------------------------------------------------------

-- A scene for a replay. Its field has the world's size, or else that of the bounds of all actors.
local function sceneOf(film, stage, name)
  local l, t, r, b = math.huge, math.huge, -math.huge, -math.huge
  for _, actor in ipairs(stage.world:actors()) do
    local box = boundsOf(stage.world, actor)
    l, t, r, b = math.min(l, box[1]), math.min(t, box[2]), math.max(r, box[3]), math.max(b, box[4])
  end
  if not (l < r or t < b) then l, t, r, b = 0, 0, 800, 600 end
  local size = math.max(r - l, b - t)
  local field = film.width and film.height and { 0, 0, film.width, film.height }
  return { name = name, dt = 1 / 60, params = {}, world = stage.world, field = field ~= nil,
    width = film.width or size, height = film.height or size,
    view = field or grown({ l, t, r, b }, 0.04 * size) }
end

--- The subject of a page and its pictures.
---@class collide.FilmShown
---@field name string
---@field title? string
---@field message? string
---@field line? string
---@field marked? integer[] the numbers of actors in the file
---@field first? integer the first frame, counted from 1
---@field finish? fun(stage: collide.Stage) adds to the actors of the last frame

local function markedOf(stage, shown)
  local list = {}
  for _, number_ in ipairs(shown.marked or {}) do
    local actor = stage.actors[number_]
    if actor and stage.world:has(actor) then list[#list + 1] = actor end
  end
  return list
end

local function markOf(world, marked, recorded)
  local brush, text = replay.pathBrush()
  for i = 1, math.min(2, #marked) do drawParts(brush, world, marked[i]) end
  local way, isGap
  if marked[2] then way, isGap = wayOf(world, marked[1], marked[2]) end
  local exact = { n = #marked }
  for i, actor in ipairs(marked) do
    local _, x, y, angle = placeOf(actor, world._names)
    exact[i] = { recorded:numberOf(actor) - 1, texts.exact(x), texts.exact(y), texts.exact(angle) }
  end
  return { parts = text(), way = way or 0, gap = isGap and 1 or 0, exact = exact }
end

--- Shows a film: makes its page, and the SVG picture and the ASCII picture of its last frame.
---@param film table as file.read returns it
---@param shown collide.FilmShown
---@return string html
---@return string picture
---@return string characters
function M.make(film, shown)
  local stage, last = file.stage(film), #film.frames
  if last > 0 then stage:show(last) end
  local scene = sceneOf(film, stage, shown.name)
  local recorded = replay.new(scene)
  for i = shown.first or 1, last do
    stage:show(i)
    scene.frame = stage.frame
    if i == last and shown.finish then shown.finish(stage) end
    recorded:add()
  end
  local marked = markedOf(stage, shown)
  local html = page.text(recorded, { at = shown.message and stage.frame or nil,
    actor = marked[1], title = shown.title, message = shown.message, line = shown.line,
    mark = shown.message and markOf(stage.world, marked, recorded) })
  return html, pictureOf(stage.world, marked, scene.view, shown.message),
    charactersOf(stage.world, marked, scene.view)
end

return M
