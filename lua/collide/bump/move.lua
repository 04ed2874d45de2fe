-- The moves of bump's World: the collisions on a way, in their order, and the responses to them.
-- The core (csrc/bump/) finds the hits; this file asks filters, and makes the tables that games
-- get. From Lua 5.3 on a front in csrc/lua/bump_front.c does this for the usual moves.

local require = require "collide.relative"
local check = require "collide.check"
local core = require "collide.core"
local each = require "collide.each"
local accelerate = require "collide.ffi.bump"

local type = type

local M = {}

---@class collide.bump.World
local World = {}
M.World = World

-- Arguments -----------------------------------------------------------------------

local MOST, LEAST = check.MAX_COORDINATE, -check.MAX_COORDINATE
local FILTER = "function (item, other) that returns the name of a response"

local function checkWorld(self, fn)
  if type(self) ~= "table" or not self._rects then
    check.fail(fn, "self", "world", self, "call it with a colon")
  end
end

-- Whether it is a usual place or size, in one test.
local function isPlace(x, y)
  return type(x) == "number" and type(y) == "number" and x >= LEAST and x <= MOST
    and y >= LEAST and y <= MOST
end

local function checkRectangle(fn, x, y, w, h)
  if isPlace(x, y) and isPlace(w, h) and w > 0 and h > 0 then return end
  check.point(fn, x, y)
  check.size(fn, "w", w)
  check.size(fn, "h", h)
end

local function checkGoal(fn, x, y)
  if isPlace(x, y) then return end
  if x ~= nil then check.coordinate(fn, "goalX", x) end
  if y ~= nil then check.coordinate(fn, "goalY", y) end
end

local function checkFilter(fn, filter, what)
  if filter ~= nil and not check.isCallable(filter) then check.fail(fn, "filter", what, filter) end
end

--- The rectangle of an item: x, y, w, h, and its slot in the core. Raises when the item is not in
--- this world.
local function rectangleOf(self, fn, item)
  local rect = self._rects[item]
  if not rect then check.fail(fn, "item", "item of this world", item) end
  return rect
end

--- Gives a rectangle another place and size.
local function place(self, rect, x, y, w, h)
  if x == rect.x and y == rect.y and w == rect.w and h == rect.h then return end
  self._search:place(rect[1], x, y, w, h)
  rect.x, rect.y, rect.w, rect.h = x, y, w, h
end

-- Searches ------------------------------------------------------------------------

-- Asks the filter about each of the n items that a search has found. If a way is given, fills its
-- lists with the items that are met, and the answers. Returns the number of the first hit, or 0;
-- its item, the item's rectangle, and the response's name.
local function ask(search, n, items, list, item, filter, way)
  local candidate, meet, count, at = search.candidate, search.meet, 0, 0
  local first, firstRect, firstName
  for i = 1, n do
    local slot = candidate(search, i)
    if slot > 0 then
      local other = items[slot]
      local name = filter(item, other)
      local hit = name and meet(search, i) or 0
      if hit > 0 then at, first, firstRect, firstName = hit, other, list[slot], name end
      if way and hit ~= 0 then
        count = count + 1
        way.met[count], way.rects[count], way.names[count] = other, list[slot], name
      end
    end
  end
  return at, first, firstRect, firstName
end

--- A search of the core, accelerated by LuaJIT while its compiler is on.
local function newSearch(self)
  local search = self._core:search()
  return accelerate and accelerate(search, ask) or search
end

--- A search, with lists of the items that it has met, of their rectangles and of the filter's
--- answers about them. A filter may begin another search, which takes another one. Unused searches
--- form a linked list: the World has the first, each has the next at 2.
local function take(self)
  local way = self._spare
  if way then
    self._spare = way[2]
    return way
  end
  local search = newSearch(self)
  return { search, false, search = search, met = {}, rects = {}, names = {} }
end

--- Gives back a search that has met n items.
local function give(self, way, n)
  local met, rects, names = way.met, way.rects, way.names
  for i = 1, n do met[i], rects[i], names[i] = nil, nil, nil end -- items must not be kept
  way[2], self._spare = self._spare, way
end

M.checkWorld, M.checkRectangle, M.checkFilter = checkWorld, checkRectangle, checkFilter
M.isPlace = isPlace
M.rectangleOf, M.place = rectangleOf, place
M.newSearch, M.take, M.give = newSearch, take, give

--- A collision as bump.lua returns it, of an item that moves from x, y to a goal. It takes the
--- other item and its rectangle, the name of the response, and the hit from the core.
local function newCollision(item, x, y, w, h, goalX, goalY, other, rect, name, _, _, overlaps, ti,
    nx, ny, toX, toY)
  return {
    item = item,
    other = other,
    type = name,
    overlaps = overlaps,
    ti = ti,
    move = { x = goalX - x, y = goalY - y },
    normal = { x = nx, y = ny },
    touch = { x = toX, y = toY },
    itemRect = { x = x, y = y, w = w, h = h },
    otherRect = { x = rect.x, y = rect.y, w = rect.w, h = rect.h },
  }
end

-- A collision with an item that is slid along if there is no filter.
local function slideAlong(self, item, x, y, w, h, goalX, goalY, slot, at, overlaps, ti, nx, ny, toX,
    toY)
  return newCollision(item, x, y, w, h, goalX, goalY, self._items[slot], self._list[slot], "slide",
    slot, at, overlaps, ti, nx, ny, toX, toY)
end

-- A collision with an item from the lists of a way.
local function asAnswered(way, item, x, y, w, h, goalX, goalY, slot, at, overlaps, ti, nx, ny, toX,
    toY)
  return newCollision(item, x, y, w, h, goalX, goalY, way.met[at], way.rects[at], way.names[at],
    slot, at, overlaps, ti, nx, ny, toX, toY)
end

-- The first collision on a way, as in the list of World:project. It makes no table for the
-- others.
local function firstCollision(self, way, goesOn, item, x, y, w, h, goalX, goalY, filter)
  goalX, goalY = goalX or x, goalY or y
  local search, own = way.search, self._rects[item]
  local slot = own and own[1] or 0
  if filter then
    local n = search:look(slot, goesOn, x, y, w, h, goalX, goalY)
    if n == 0 then return nil end
    local at, other, rect, name = ask(search, n, self._items, self._list, item, filter)
    if at == 0 then return nil end
    return newCollision(item, x, y, w, h, goalX, goalY, other, rect, name, search:hit(at))
  end
  local i = search:meetAll(slot, goesOn, x, y, w, h, goalX, goalY)
  return i > 0 and slideAlong(self, item, x, y, w, h, goalX, goalY, search:hit(i)) or nil
end

--- The collisions of a rectangle on the straight way to a goal, by ti and then by the distance
--- of the centres.
---@param item any the item that moves, which the rectangle does not meet; or nil
---@param x number
---@param y number
---@param w number
---@param h number
---@param goalX number? without a goal, it stays
---@param goalY number?
---@param filter collide.bump.Filter? without one, everything is slid along
---@return collide.bump.Collision[] cols, integer len
function World:project(item, x, y, w, h, goalX, goalY, filter)
  local fn = "world:project"
  checkWorld(self, fn)
  checkRectangle(fn, x, y, w, h)
  checkGoal(fn, goalX, goalY)
  checkFilter(fn, filter, FILTER)
  goalX, goalY = goalX or x, goalY or y
  local way, own = take(self), self._rects[item]
  local search, slot, cols, n = way.search, own and own[1] or 0, {}
  if filter then
    local found = search:look(slot, false, x, y, w, h, goalX, goalY)
    ask(search, found, self._items, self._list, item, filter, way)
    n = search:rank()
    for i = 1, n do
      cols[i] = asAnswered(way, item, x, y, w, h, goalX, goalY, search:hit(i))
    end
  else
    search:meetAll(slot, false, x, y, w, h, goalX, goalY)
    n = search:rank()
    for i = 1, n do
      cols[i] = slideAlong(self, item, x, y, w, h, goalX, goalY, search:hit(i))
    end
  end
  give(self, way, filter and n or 0)
  return cols, n
end

-- Responses -----------------------------------------------------------------------

-- A plan takes a collision and returns the new goal, and the point from which the rest of the way
-- leads to it; without that point the item stops.

local function touch(col)
  return col.touch.x, col.touch.y
end

-- As in bump, the rest of the way begins where the whole move began.
local function cross(_, x, y, goalX, goalY)
  return goalX, goalY, x, y
end

local function isMoving(col)
  return col.move.x ~= 0 or col.move.y ~= 0
end

-- Of the two files that call themselves bump 3.1.7, the later one keeps the goal if nothing moves;
-- the earlier one takes the item out to col.touch, as bounce does in both.
local function slide(col, x, y, goalX, goalY)
  local fromX, fromY = col.touch.x, col.touch.y
  local toX, toY = goalX or x, goalY or y
  if isMoving(col) then
    if col.normal.x == 0 then toY = fromY else toX = fromX end
  end
  col.slide = { x = toX, y = toY }
  return toX, toY, fromX, fromY
end

local function bounce(col, x, y, goalX, goalY)
  local fromX, fromY = col.touch.x, col.touch.y
  local toX, toY = fromX, fromY
  if isMoving(col) then
    local restX, restY = (goalX or x) - fromX, (goalY or y) - fromY
    if col.normal.x == 0 then restY = -restY else restX = -restX end
    toX, toY = fromX + restX, fromY + restY
  end
  col.bounce = { x = toX, y = toY }
  return toX, toY, fromX, fromY
end

local planOf = {} -- by response

-- The public form of a response, which also finds the collisions on the rest of the way.
local function response(name, plan)
  local fn = "bump.responses." .. name
  local function respond(world, col, x, y, w, h, goalX, goalY, filter)
    if type(world) ~= "table" or not world._rects then check.fail(fn, "world", "world", world) end
    if type(col) ~= "table" or not col.touch then check.fail(fn, "col", "collision", col) end
    if plan == touch then return col.touch.x, col.touch.y, {}, 0 end -- reads no other argument
    checkRectangle(fn, x, y, w, h)
    checkGoal(fn, goalX, goalY)
    checkFilter(fn, filter, FILTER)
    local toX, toY, fromX, fromY = plan(col, x, y, goalX, goalY)
    local cols, n = world:project(col.item, fromX, fromY, w, h, toX, toY, filter)
    return toX, toY, cols, n
  end
  planOf[respond] = plan
  return respond
end

---@type table<string, collide.bump.Response>
M.responses = {
  touch = response("touch", touch),
  cross = response("cross", cross),
  slide = response("slide", slide),
  bounce = response("bounce", bounce),
}

--- Adds a response to this world, or replaces the one of that name.
---@param name any the value that a filter returns
---@param respond collide.bump.Response
function World:addResponse(name, respond)
  local fn = "world:addResponse"
  checkWorld(self, fn)
  if name == nil or name ~= name then check.fail(fn, "name", "name of a response", name) end
  if not check.isCallable(respond) then check.fail(fn, "response", "function", respond) end
  self.responses[name] = respond
end

local function responseOf(self, fn, name)
  local respond = self.responses[name]
  if not respond then
    local names = {}
    for known in each.pairs(self.responses) do names[#names + 1] = tostring(known) end
    table.sort(names)
    check.fail(fn, "what the filter returns", "one of " .. table.concat(names, ", "), name)
  end
  return respond
end

-- The filter that is passed to a user's response: it skips items that were met before.
local function unmet(self, search, filter)
  return function(item, other)
    local rect = self._rects[other]
    if rect and search:wasMet(rect[1]) then return false end
    if not filter then return "slide" end
    return filter(item, other)
  end
end

-- Calls a user's response. Returns the new goal, and the next collision, if there is one.
local function respondWith(self, search, respond, col, x, y, w, h, goalX, goalY, filter)
  local toX, toY, cols, n = respond(self, col, x, y, w, h, goalX, goalY, filter)
  if type(n) ~= "number" or n > 0 and type(cols) ~= "table" then
    check.fail("world:addResponse", "what the response returns",
      "goalX, goalY, a list of collisions and its length", type(n) ~= "number" and n or cols)
  end
  local next = n > 0 and cols[1]
  local met = next and self._rects[next.other]
  if met then search:setMet(met[1]) end
  return toX, toY, next
end

-- Continues with a collision, and all that follow; appends them to a list, if given.
local function follow(self, fn, way, item, x, y, w, h, goalX, goalY, filter, cols, n, col)
  local search, passed = way.search, nil
  while col do
    n = n + 1
    if cols then cols[n] = col else cols = { col } end
    local respond = responseOf(self, fn, col.type)
    local plan = planOf[respond]
    if plan then
      local atX, atY
      goalX, goalY, atX, atY = plan(col, x, y, goalX, goalY)
      col = atX and firstCollision(self, way, true, item, atX, atY, w, h, goalX, goalY, filter)
    else
      search:first()
      passed = passed or unmet(self, search, filter)
      goalX, goalY, col = respondWith(self, search, respond, col, x, y, w, h, goalX, goalY, passed)
    end
  end
  give(self, way, 0)
  return goalX, goalY, cols or {}, n
end

local function simulate(self, fn, item, goalX, goalY, filter)
  checkWorld(self, fn)
  local rect = rectangleOf(self, fn, item)
  checkGoal(fn, goalX, goalY)
  checkFilter(fn, filter, FILTER)
  local way = take(self)
  local x, y, w, h = rect.x, rect.y, rect.w, rect.h
  local col = firstCollision(self, way, false, item, x, y, w, h, goalX, goalY, filter)
  return follow(self, fn, way, item, x, y, w, h, goalX, goalY, filter, nil, 0, col)
end

-- Moves an item to the end of its way.
local function commit(self, item, x, y)
  local fn = "world:move"
  if not isPlace(x, y) then
    check.coordinate(fn, "goalX", x)
    check.coordinate(fn, "goalY", y)
  end
  local rect = rectangleOf(self, fn, item)
  place(self, rect, x, y, rect.w, rect.h)
end

--- Where an item would end on its way to a goal, and the items that it would meet.
---@param item any
---@param goalX number? without a goal, it stays
---@param goalY number?
---@param filter collide.bump.Filter? without one, everything is slid along
---@return number? x, number? y, collide.bump.Collision[] cols, integer len
function World:check(item, goalX, goalY, filter)
  return simulate(self, "world:check", item, goalX, goalY, filter)
end

--- Moves an item towards a goal, as far as other items let it.
---@param item any
---@param goalX number
---@param goalY number
---@param filter collide.bump.Filter?
---@return number x, number y, collide.bump.Collision[] cols, integer len
function World:move(item, goalX, goalY, filter)
  local x, y, cols, n = simulate(self, "world:move", item, goalX, goalY, filter)
  commit(self, item, x, y)
  return x, y, cols, n
end

-- Where the core has fronts, it makes the usual moves without these methods, see
-- csrc/lua/bump_front.c.
if core.bumpFront then
  local respond = M.responses
  local function frontOf(method, goOn, finish)
    return core.bumpFront("move", method, goOn, finish, respond.touch, respond.cross, respond.slide,
      respond.bounce)
  end
  World.project = core.bumpFront("project", World.project)
  World.check = frontOf(World.check, function(self, ...)
    return follow(self, "world:check", ...)
  end)
  World.move = frontOf(World.move, function(self, way, item, ...)
    local x, y, cols, n = follow(self, "world:move", way, item, ...)
    commit(self, item, x, y)
    return x, y, cols, n
  end, commit)
end

-- bump.rect -----------------------------------------------------------------------

--- The functions that bump.lua offers to the user's own responses.
M.rect = {}
for name, f in each.pairs(core.rect) do M.rect[name] = f end

function M.rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  local overlaps, ti, nx, ny, x, y =
    core.rect.detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  return ti and newCollision(nil, x1, y1, w1, h1, goalX or x1, goalY or y1,
    nil, { x = x2, y = y2, w = w2, h = h2 }, nil, nil, nil, overlaps, ti, nx, ny, x, y) or nil
end

return M
