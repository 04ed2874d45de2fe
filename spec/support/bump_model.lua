-- A simple model of bump.lua 3.1.7, of the later of the two files with this number: it tests
-- every item, counts cells one by one, and treats each axis as a pair of times, at which two boxes
-- begin and cease to overlap. It is slow, and independent of lua/collide, except for the order of
-- operations, which decides the last bit.
local M = {}
M.__index = M

local DELTA, INFINITE = 1e-10, math.huge
local SIDES = { x = { "x", "w" }, y = { "y", "h" } }

--- A world of items added in turn; `cellSize` as bump.newWorld takes it.
function M.new(cellSize)
  return setmetatable({ size = cellSize or 64, items = {}, boxes = {} }, M)
end

function M:add(item, x, y, w, h)
  self.items[#self.items + 1] = item
  self.boxes[item] = { x = x, y = y, w = w, h = h }
end

function M:remove(item)
  for i = #self.items, 1, -1 do
    if self.items[i] == item then table.remove(self.items, i) end
  end
  self.boxes[item] = nil
end

-- The cells of a box, as keys of a table.
local function cells(size, box)
  local set = {}
  for column = math.floor(box.x / size), math.ceil((box.x + box.w) / size) - 1 do
    for row = math.floor(box.y / size), math.ceil((box.y + box.h) / size) - 1 do
      set[("%d %d"):format(column, row)] = true
    end
  end
  return set
end

-- Whether an item is in one of the cells.
local function isIn(self, item, around)
  for cell in pairs(cells(self.size, self.boxes[item])) do
    if around[cell] then return true end
  end
  return false
end

--- The number of cells that have an item.
function M:countCells()
  local all, n = {}, 0
  for _, item in ipairs(self.items) do
    for cell in pairs(cells(self.size, self.boxes[item])) do
      n = n + (all[cell] and 0 or 1)
      all[cell] = true
    end
  end
  return n
end

-- How far `a` can move up an axis until it touches `b`, and until it has left it.
local function gaps(a, b, axis)
  local at, size = SIDES[axis][1], SIDES[axis][2]
  local enter = b[at] - a[at] - a[size]
  return enter, enter + (a[size] + b[size])
end

-- The times between which the boxes overlap on an axis, and the normal where they touch; nil for
-- never.
local function times(enter, leave, way)
  if way == 0 then
    if enter < 0 and leave > 0 then return -INFINITE, INFINITE, 0 end
    return nil
  elseif way > 0 then
    return enter / way, leave / way, -1
  end
  return leave / way, enter / way, 1
end

local function distance(a, b)
  local dx, dy = a.x - b.x + (a.w - b.w) / 2, a.y - b.y + (a.h - b.h) / 2
  return dx * dx + dy * dy
end

local function sign(v)
  return v > 0 and 1 or v < 0 and -1 or 0
end

-- The later of the two axes' first times, that of x if they are equal.
local function latest(tx, nx, ty, ny)
  if ty > tx then return ty, 0, ny end
  return tx, nx, 0
end

--- The collision of box `a`, on its way to a goal, with box `b`; or nil.
function M.meet(a, b, goalX, goalY)
  local wayX, wayY = goalX - a.x, goalY - a.y
  local enterX, leaveX = gaps(a, b, "x")
  local enterY, leaveY = gaps(a, b, "y")
  local inX, outX, nx = times(enterX, leaveX, wayX)
  local inY, outY, ny = times(enterY, leaveY, wayY)
  local col = { move = { x = wayX, y = wayY }, itemRect = a, otherRect = b, overlaps = false }
  local deepest = math.min(-enterX, leaveX, -enterY, leaveY)
  if deepest > DELTA then
    col.overlaps = true
    local outOfX = -enterX < leaveX and enterX or leaveX
    local outOfY = -enterY < leaveY and enterY or leaveY
    col.ti = -(math.min(a.w, math.abs(outOfX)) * math.min(a.h, math.abs(outOfY)))
    if wayX == 0 and wayY == 0 then
      local byX = math.abs(outOfX) < math.abs(outOfY)
      local sx, sy = byX and outOfX or 0, byX and 0 or outOfY
      col.normal = { x = sign(sx), y = sign(sy) }
      col.touch = { x = a.x + sx, y = a.y + sy }
      return col
    end
  elseif not inX or not inY then
    return nil
  end
  local t, normalX, normalY = latest(inX, nx, inY, ny)
  if not col.overlaps then
    local last = math.min(outX, outY)
    if t >= 1 or t <= -DELTA or last < t or last - t < DELTA then return nil end
    col.ti = t
  end
  col.normal = { x = normalX, y = normalY }
  col.touch = { x = a.x + wayX * t, y = a.y + wayY * t }
  return col
end

local function copy(box)
  return { x = box.x, y = box.y, w = box.w, h = box.h }
end

-- Collisions are ordered by ti, then by the distance of the centres.
local function isSooner(a, b)
  if a.ti ~= b.ti then return a.ti < b.ti end
  return distance(a.itemRect, a.otherRect) < distance(b.itemRect, b.otherRect)
end

--- All collisions of a box on its way, in order; equal ones in the order of adding.
function M:project(item, box, goalX, goalY, filter)
  goalX, goalY = goalX or box.x, goalY or box.y
  local left, top = math.min(box.x, goalX), math.min(box.y, goalY)
  local around = cells(self.size, { x = left, y = top,
    w = math.max(goalX + box.w, box.x + box.w) - left,
    h = math.max(goalY + box.h, box.y + box.h) - top })
  local cols = {}
  for _, other in ipairs(self.items) do
    local name = isIn(self, other, around) and other ~= item and filter(item, other)
    local col = name and M.meet(copy(box), copy(self.boxes[other]), goalX, goalY)
    if col then
      col.item, col.other, col.type = item, other, name
      local place = #cols + 1
      while place > 1 and isSooner(col, cols[place - 1]) do place = place - 1 end
      table.insert(cols, place, col)
    end
  end
  return cols
end

--- The place that an item reaches, and its collisions.
function M:check(item, goalX, goalY, filter)
  filter = filter or function() return "slide" end
  local box, met, cols = self.boxes[item], {}, {}
  local from = box
  while true do
    local col = self:project(item, from, goalX, goalY, function(_, other)
      return not met[other] and filter(item, other)
    end)[1]
    if not col then return goalX, goalY, cols end
    cols[#cols + 1] = col
    met[col.other] = true
    local touch, still = col.touch, col.move.x == 0 and col.move.y == 0
    local across = col.normal.x ~= 0
    if col.type == "touch" then return touch.x, touch.y, cols end
    if col.type == "cross" then
      from = box
    else
      goalX, goalY = goalX or box.x, goalY or box.y
      local toX, toY = touch.x, touch.y
      if col.type == "slide" then
        if still or across then toY = goalY end
        if still or not across then toX = goalX end
      elseif not still then
        toX = touch.x + (goalX - touch.x) * (across and -1 or 1)
        toY = touch.y + (goalY - touch.y) * (across and 1 or -1)
      end
      col[col.type] = { x = toX, y = toY }
      goalX, goalY = toX, toY
      from = { x = touch.x, y = touch.y, w = box.w, h = box.h }
    end
  end
end

-- The items in some cells whose boxes pass a test, in the order of adding.
local function query(self, around, test)
  local found = {}
  for _, item in ipairs(self.items) do
    local b = self.boxes[item]
    if isIn(self, item, around) and test(b.x, b.y, b.x + b.w, b.y + b.h) then
      found[#found + 1] = item
    end
  end
  return found
end

--- The items that overlap a box.
function M:queryRect(box)
  return query(self, cells(self.size, box), function(left, top, right, bottom)
    return box.x < right and left < box.x + box.w and box.y < bottom and top < box.y + box.h
  end)
end

--- The items that contain a point.
function M:queryPoint(x, y)
  local cell = ("%d %d"):format(math.floor(x / self.size), math.floor(y / self.size))
  return query(self, { [cell] = true }, function(left, top, right, bottom)
    return math.min(x - left, y - top, right - x, bottom - y) > DELTA
  end)
end

-- The columns and rows that bump visits along a segment, as keys of a table. It goes from border to
-- border by sums, so these keep bump's order of operations; if both borders are equally near, it
-- also visits the neighbouring cell.
local function walk(size, x1, y1, x2, y2)
  local at = { math.floor(x1 / size) + 1, math.floor(y1 / size) + 1 }
  local last = { math.floor(x2 / size) + 1, math.floor(y2 / size) + 1 }
  local from, to, ahead, step, next = { x1, y1 }, { x2, y2 }, {}, {}, {}
  for axis = 1, 2 do
    local way = to[axis] - from[axis]
    ahead[axis] = way > 0 and 1 or way < 0 and -1 or 0
    local border = at[axis] + way - (way < 0 and 1 or 0)
    step[axis] = way == 0 and INFINITE or ahead[axis] * size / way
    next[axis] = way == 0 and INFINITE or (border * size - from[axis]) / way
  end
  local visited = {}
  local function visit(column, row) visited[("%d %d"):format(column - 1, row - 1)] = true end
  visit(at[1], at[2])
  visit(last[1], last[2])
  while math.abs(at[1] - last[1]) + math.abs(at[2] - last[2]) > 1 do
    if next[1] == next[2] then visit(at[1] + ahead[1], at[2]) end
    local axis = next[1] < next[2] and 1 or 2
    at[axis], next[axis] = at[axis] + ahead[axis], next[axis] + step[axis]
    visit(at[1], at[2])
  end
  return visited
end

-- The times between which a moving point is between two sides; nil for never. A side itself counts
-- only for a point that crosses it.
local function between(low, high, from, way)
  if way == 0 then
    if from <= low or from >= high then return nil end
    return -INFINITE, INFINITE
  end
  local a, b = (from - low) / -way, (high - from) / way
  return math.min(a, b), math.max(a, b)
end

--- The items that a segment passes, in the order in which the whole line enters them.
function M:querySegment(x1, y1, x2, y2)
  local visited = walk(self.size, x1, y1, x2, y2)
  local found = {}
  for _, item in ipairs(self.items) do
    local box, near = self.boxes[item], isIn(self, item, visited)
    local inX, outX = between(box.x, box.x + box.w, x1, x2 - x1)
    local inY, outY = between(box.y, box.y + box.h, y1, y2 - y1)
    if near and inX and inY then
      local enter, leave = math.max(inX, inY), math.min(outX, outY)
      local first, last = math.max(enter, 0), math.min(leave, 1)
      if first <= last and (first > 0 and first < 1 or last > 0 and last < 1) then
        local place = #found + 1
        while place > 1 and enter < found[place - 1].enter do place = place - 1 end
        table.insert(found, place, { item = item, enter = enter })
      end
    end
  end
  for i, entry in ipairs(found) do found[i] = entry.item end
  return found
end

return M
