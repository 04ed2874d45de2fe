-- Moving the actors of a World against others. The core computes a move and stops where it
-- has a question; filters and responses that are functions are called here, between.

local check = require "collide.check"
local filters = require "collide.filters"
local reading = require "collide.reading"
local state = require "collide.state"

local type, select = type, select

---@class collide.World
local M = {}

---@alias collide.Response
---| "slide" # goes on along the surface
---| "touch" # stops
---| "bounce" # is mirrored by the surface
---| "cross" # goes on, and is reported
---| "push" # moves the other out of the way, then slides

---@alias collide.Responder fun(actor: table, other: table, nx: number, ny: number,
---  value: integer?): collide.Response?

--- What a move met.
---@class collide.MoveHit
---@field actor table
---@field nx number the surface's normal
---@field ny number
---@field x number where the mover stood
---@field y number
---@field px number the point touched
---@field py number
---@field t number share of the time
---@field response collide.Response
---@field col integer? of tiles: the cell and its value
---@field row integer?
---@field value integer?
---@field inside true? the mover started inside
---@field crushed true? and was not freed

-- Numbers of responses, as in csrc/world/move.h.
local NONE, CROSS = 0, 4
local RESPONSES = { slide = 1, touch = 2, bounce = 3, cross = CROSS, push = 5 }
local RESPONSE = '"slide", "touch", "bounce", "cross", "push" or function'
local ANSWER = '"slide", "touch", "bounce", "cross", "push" or nil'
local TAKES = "an actor, dx, dy, filter, response and a table to fill"

-- The tables of a list's hits, more than there are now, so that a list that is filled again
-- makes no garbage.
local entriesOf = setmetatable({}, { __mode = "k" })

local function entries(list)
  local e = entriesOf[list]
  if not e then
    e = {}
    entriesOf[list] = e
  end
  return e
end

local function responseNumber(fn, response)
  if response == nil then return RESPONSES.slide end
  if type(response) == "function" then return NONE, response end
  local number = RESPONSES[response]
  if not number then check.fail(fn, "response", RESPONSE, response) end
  return number
end

local function answer(self, fn, accepts, number, respond, other, mover, nx, ny, value, sensor)
  local actors = self._actors
  local met = actors[other]
  if accepts and not accepts(met) then return NONE end
  if sensor then return CROSS end
  if not respond then return number end
  local response = respond(actors[mover], met, nx, ny, value)
  if response == nil then return NONE end
  number = RESPONSES[response]
  if not number then check.fail(fn, "what response returns", ANSWER, response) end
  return number
end

-- Goes on with a move as long as it asks. While that goes on the world may not change.
local function settle(self, fn, accepts, number, respond, other, mover, nx, ny, value, sensor)
  while other do
    self._moving = true
    local ok, result = pcall(answer, self, fn, accepts, number, respond, other, mover, nx, ny,
      value, sensor)
    self._moving = false
    if not ok then error(result, 0) end
    other, mover, nx, ny, value, sensor = self._core:answerMove(result)
  end
end

-- Computes a move.
local function sweep(self, fn, actor, dx, dy, filter, response)
  state.checkOpen(self, fn)
  state.checkIdle(self, fn)
  local slot = state.slotOf(self, fn, "actor", actor)
  local x, y, angle = reading.place(fn, self, actor)
  if actor[self._names.shape]:kind() == "tiles" then
    check.fail(fn, "actor." .. self._names.shape, "shape other than tiles, which stand still",
      actor[self._names.shape])
  end
  filters.coordinate(fn, "dx", dx)
  filters.coordinate(fn, "dy", dy)
  filters.coordinate(fn, "x + dx", x + dx)
  filters.coordinate(fn, "y + dy", y + dy)
  local low, high, accepts = filters.groups(self, fn, filter)
  local number, respond = responseNumber(fn, response)
  local asks = accepts ~= nil or respond ~= nil
  settle(self, fn, accepts, number, respond, self._core:move(slot, x, y, angle, dx, dy, low, high,
    filter == nil, asks, accepts ~= nil, number))
end

local function result(self, fn, into)
  if into == nil then into = self._moveHits
  elseif type(into) ~= "table" then check.table(fn, "into", into, "table to fill") end
  local x, y, n = self._core:movedTo(self._actors, into, entries(into))
  return x, y, into, n
end

--- Moves an actor by dx, dy against what `filter` lets stop it, and writes where it gets to
--- into its x and y. Without a filter those stop it that it can hit.
---@param actor table of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)? "slide" without
---@param into table? a list to fill in place of the world's own
---@return number x
---@return number y
---@return collide.MoveHit[] hits in the order met
---@return integer n
function M:move(actor, dx, dy, filter, response, into, ...)
  local fn = "world:move"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  sweep(self, fn, actor, dx, dy, filter, response)
  local x, y, hits, n = result(self, fn, into)
  local names, actors, inner = self._names, self._actors, self._core
  for i = 1, inner:commitMove() do
    local slot, toX, toY = inner:moved(i)
    local moved = actors[slot]
    moved[names.x], moved[names.y] = toX, toY
  end
  return x, y, hits, n
end

--- As world:move, but moves nobody.
---@param actor table of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)?
---@param into table?
---@return number x
---@return number y
---@return collide.MoveHit[] hits
---@return integer n
function M:check(actor, dx, dy, filter, response, into, ...)
  local fn = "world:check"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  sweep(self, fn, actor, dx, dy, filter, response)
  return result(self, fn, into)
end

--- Whether a placed table would overlap nobody. Touching fits; sensors do not count.
---@param placed table with shape, x, y; an actor of this world is not in its own way
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return boolean
---@return table? actor that it would overlap
function M:fits(placed, filter, ignore, ...)
  local fn = "world:fits"
  state.checkWorld(self, fn)
  local shape, x, y, angle = reading.placed(fn, "placed", placed, self._names)
  local low, high, accepts = filters.groups(self, fn, filter)
  local ignored = filters.ignored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, "a placed table, filter and ignore", 3, ...) end
  local slot = self._slots[placed]
  if filter == nil and slot then low, high = self._core:hitGroups(slot) end
  local from = 1
  while true do
    local other = self._core:fits(self._actors, self._slots, low, high, ignored, slot or 0, shape,
      x, y, angle, from)
    if not other then return true end
    local actor = self._actors[other]
    if not accepts or accepts(actor) then return false, actor end
    from = other + 1
  end
end

return M
