-- The sweeps of a character controller: what stops it, how the game responds to that, and the list
-- of its hits.

local results = require "collide.world.lists"
local sweeps = require "collide.move.sweeps"

local abs, max = math.abs, math.max

local M = {}

--- Directions that differ by no more than this count as equal.
M.ALIKE = 1e-9
--- The most surfaces that one move follows.
M.MOST_SURFACES = 64

local FN = "character:move"

-- How far to look for surfaces that are touched, as a share of the coordinates: more than the skin
-- of any shape, which is a share of the shape's own coordinates.
local PROBE = 2 ^ -20

-- Responses that stop a sweep. The controller then decides how the move goes on.
local STOPS = { slide = true, touch = true, bounce = true, push = true }

--- A responder for sweeps: calls the game's responder, and records its answers in `_asked`.
---@param response collide.Responder
function M.responder(self, response)
  local asked = self._asked
  return function(actor, other, nx, ny, value)
    local answer = response(actor, other, nx, ny, value)
    if not STOPS[answer] then return answer end
    local n = asked.n + 1
    asked.n = n
    asked.actors[n], asked.values[n], asked.answers[n] = other, value or -1, answer
    return self._stop
  end
end

-- The response argument for a sweep. `stop` says what happens at an obstacle: "touch" or "slide".
local function stopping(self, stop)
  if self._responder then
    self._stop, self._asked.n = stop, 0
    return self._responder
  end
  return self._response == "cross" and "cross" or stop
end

-- The game's response to an actor that was met.
local function responseOf(self, one)
  if one.response == "cross" or not self._responder then
    return one.response == "cross" and "cross" or self._response
  end
  local asked, value = self._asked, one.value or -1
  for i = asked.n, 1, -1 do
    if asked.actors[i] == one.actor and asked.values[i] == value then return asked.answers[i] end
  end
end

-- Whether this move has reported a hit already. Several sweeps may meet what the actor crosses or
-- is inside; it is reported once.
local function isReported(self, one)
  if not (one.inside or one.response == "cross") then return false end
  for i = 1, self.n do
    local hit = self.hits[i]
    if hit.actor == one.actor and hit.value == one.value and hit.inside == one.inside
      and hit.crushed == one.crushed then
      return hit.inside or hit.response == "cross"
    end
  end
  return false
end

local function append(self, one, t)
  local n = self.n + 1
  local hit = results.record(self.world._spareHits, self.hits, n)
  hit.actor, hit.nx, hit.ny, hit.x, hit.y = one.actor, one.nx, one.ny, one.x, one.y
  hit.px, hit.py, hit.t, hit.response = one.px, one.py, t, responseOf(self, one)
  hit.col, hit.row, hit.value = one.col, one.row, one.value
  hit.inside, hit.crushed = one.inside, one.crushed
  self.n = n
  return hit
end

--- Adds the hits of a sweep to the character's hits. Returns the last one, or nil if it was
--- reported before.
---@param share number the share of the move's time that the sweep takes
function M.keep(self, met, n, share)
  local hit
  for i = 1, n do
    local one = met[i]
    hit = not isReported(self, one) and append(self, one, self._time + share * one.t) or nil
    if one.crushed then self.crushed = true end
  end
  return hit
end

--- Moves the actor until something stops it. Returns the hit that stopped it, or nil, and the share
--- of the way that it went.
---@param ignored table? an actor that does not stop it
---@param share number? the share of the move's time that the sweep takes, default 0
function M.sweep(self, dx, dy, ignored, share)
  local met = self._met
  local _, _, _, n = sweeps.sweep(self.world, FN, self.actor, dx, dy, self._filter,
    stopping(self, "touch"), met, ignored, self._journal)
  local hit = M.keep(self, met, n, share or 0)
  if hit and not hit.inside and hit.response ~= "cross" then return hit, met[n].t end
  return nil, 1
end

--- Removes the character's hits after the n-th.
function M.forget(self, n)
  results.drop(self.world._spareHits, self.hits, n)
  self.n = n
end

--- Empties the scratch lists of a move, so that they keep no actor alive.
function M.tidy(self)
  local asked, pushed, spare = self._asked, self._pushed, self.world._spareHits
  results.drop(spare, self._met, 0)
  results.drop(spare, self._metByPushed, 0)
  for i = 1, asked.n do asked.actors[i] = false end
  for i = 1, pushed.n do pushed.actors[i] = false end
  asked.n, pushed.n = 0, 0
end

--- Sweeps without moving the actor. Returns its hits, in a list that the next sweep fills again,
--- and their number. `stop` is "touch" or, to go on along surfaces, "slide".
function M.look(self, dx, dy, stop)
  local _, _, met, n = sweeps.look(self.world, FN, self.actor, dx, dy, self._filter,
    stopping(self, stop), self._met)
  return met, n
end

--- How far to look for surfaces that are touched.
function M.probe(self)
  local actor, names = self.actor, self.world._names
  return PROBE * (abs(actor[names.x]) + abs(actor[names.y]) + self._size)
end

--- Puts the actor at x, y, without a sweep.
function M.place(self, x, y)
  local names = self.world._names
  self.actor[names.x], self.actor[names.y] = x, y
  sweeps.put(self.world, self.actor)
end

--- Whether the character can stand on a surface with this normal.
function M.isFloor(self, nx, ny)
  return nx * self._upX + ny * self._upY >= self._steep
end

-- A velocity or way without the part that leads into a surface.
local function slide(x, y, nx, ny)
  local into = x * nx + y * ny
  if into >= 0 then return x, y end
  return x - into * nx, y - into * ny
end
M.slide = slide

--- The same at a wall. A wall lifts nothing: where the slide would rise, and faster than the way
--- did, only the vertical part of the way slides along the wall.
function M.slideAtWall(self, x, y, nx, ny)
  local upX, upY = self._upX, self._upY
  local sx, sy = slide(x, y, nx, ny)
  local rises, rose = sx * upX + sy * upY, x * upX + y * upY
  if rises <= max(rose, 0) + M.ALIKE * (abs(x) + abs(y)) then return sx, sy end
  return slide(rose * upX, rose * upY, nx, ny)
end

-- Whether the character can push an actor. It does not push its own floor.
local function isLoose(self, other)
  local names = self.world._names
  return other ~= self.floor and not (names.static and other[names.static])
    and sweeps.isMovable(self.world, other)
end

--- Pushes the obstacle of a hit by the part of a way that leads into it. Returns true, or nil if it
--- cannot be pushed or was pushed already, and whether it went all of that way.
function M.push(self, hit, dx, dy)
  local other, nx, ny = hit.actor, hit.nx, hit.ny
  local pushed = self._pushed
  for i = 1, pushed.n do
    if pushed.actors[i] == other then return nil, pushed.gaveWay[i] end
  end
  if not isLoose(self, other) then return nil, false end
  local into = dx * nx + dy * ny
  local names = self.world._names
  local x, y = other[names.x], other[names.y]
  sweeps.sweep(self.world, FN, other, nx * into, ny * into, self._filter, self._response,
    self._metByPushed, nil, self._journal)
  local gone = (other[names.x] - x) * nx + (other[names.y] - y) * ny
  local n = pushed.n + 1
  pushed.n, pushed.actors[n] = n, other
  pushed.gaveWay[n] = gone <= into * (1 - M.ALIKE)
  return true, pushed.gaveWay[n]
end

return M
