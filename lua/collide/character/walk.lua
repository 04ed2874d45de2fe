-- The motion of a character controller: along the ground, along walls and ceilings, over ledges.

local characters = require "collide.character.sweep"
local floors = require "collide.character.floor"
local state = require "collide.world.state"

local abs, sqrt, min = math.abs, math.sqrt, math.min
local ALIKE = characters.ALIKE
local isFloor, slide, slideAtWall = characters.isFloor, characters.slide, characters.slideAtWall

local M = {}

-- How far a round shape must be over a ledge to rest on its edge, as a share of the smaller side of
-- its bounds.
local OVER_EDGE = 0.15

-- Whether a velocity points up.
local function pointsUp(self, vx, vy)
  return vx * self._upX + vy * self._upY > ALIKE * (abs(vx) + abs(vy))
end

-- The vector of length `along` that leads along the floor to the character's right.
local function alongFloor(self, along)
  return -self.floorNy * along, self.floorNx * along
end

-- The component of a vector to the character's right.
local function sideways(self, x, y)
  return x * self._rightX + y * self._rightY
end

-- Moves the lifted actor sideways by `along`, and down onto a floor. Returns how far sideways it
-- went, or nil without a floor; then the actor is back where it was lifted.
local function stepOver(self, along, lifted)
  local actor, names = self.actor, self.world._names
  local x, y, n = actor[names.x], actor[names.y], self.n
  characters.sweep(self, self._rightX * along, self._rightY * along)
  local gone = sideways(self, actor[names.x] - x, actor[names.y] - y)
  if gone * along > 0 then
    local down = lifted + characters.probe(self) -- the floor may be as low as before
    local hit = characters.sweep(self, -self._upX * down, -self._upY * down)
    if hit and isFloor(self, hit.nx, hit.ny) then
      floors.standOn(self, hit)
      return gone
    end
  end
  characters.place(self, x, y)
  characters.forget(self, n)
  return nil
end

-- Climbs a ledge: up, sideways, and down onto a floor. Returns how much of `along` is left, or nil
-- if the ledge cannot be climbed; then the actor is where it was.
local function climb(self, along)
  local actor, names = self.actor, self.world._names
  local x, y, n = actor[names.x], actor[names.y], self.n
  characters.sweep(self, self._upX * self.stepHeight, self._upY * self.stepHeight)
  local lifted = (actor[names.x] - x) * self._upX + (actor[names.y] - y) * self._upY
  local least = self._smaller * OVER_EDGE
  -- The whole way may end beyond a narrow ledge, or before a round shape rests on a wide one: then
  -- the least way onto the ledge is tried.
  local gone = lifted > 0 and (stepOver(self, along, lifted)
    or stepOver(self, along < 0 and -least or least, lifted))
  if not gone then
    characters.place(self, x, y)
    characters.forget(self, n)
    return nil
  end
  return abs(gone) < abs(along) and along - gone or 0
end

-- Records an obstacle as the character's ceiling or wall. `looksUp` is its normal's component along
-- `up`.
local function note(self, hit, looksUp)
  if looksUp <= -self._steep then
    self.ceiling = hit.actor
  else
    self.wall, self.wallNx, self.wallNy = hit.actor, hit.nx, hit.ny
  end
end

-- Lands on a floor, or goes on along it. A character on the ground keeps its speed; one that lands
-- keeps only the sideways part.
local function meetFloor(self, hit, dx, dy, vx, vy, grounded)
  local along = sideways(self, dx, dy)
  if grounded and along ~= 0 then
    local length = sqrt(dx * dx + dy * dy)
    along = along < 0 and -length or length
  end
  floors.standOn(self, hit)
  self._rises = false
  dx, dy = alongFloor(self, along)
  return dx, dy, vx, vy, true
end

-- The floor that the character touches where it meets a wall, if the way leads into that floor.
-- Such a floor is handled before the wall.
local function floorBeside(self, dx, dy)
  if dx * self._upX + dy * self._upY >= 0 then return nil end
  local hit = floors.touched(self)
  local into = hit and dx * hit.nx + dy * hit.ny or 0
  return into < -ALIKE * (abs(dx) + abs(dy)) and hit or nil
end

-- Bounces off a surface, and leaves the ground if the new velocity points up.
local function bounce(self, hit, dx, dy, vx, vy, grounded)
  local nx, ny = hit.nx, hit.ny
  local into, intoV = dx * nx + dy * ny, vx * nx + vy * ny
  if into < 0 then dx, dy = dx - 2 * into * nx, dy - 2 * into * ny end
  if intoV < 0 then vx, vy = vx - 2 * intoV * nx, vy - 2 * intoV * ny end
  if not isFloor(self, nx, ny) then note(self, hit, nx * self._upX + ny * self._upY) end
  if pointsUp(self, vx, vy) then
    self._rises = true
    floors.leave(self)
    return dx, dy, vx, vy, false
  end
  if grounded then dx, dy = alongFloor(self, sideways(self, dx, dy)) end
  return dx, dy, vx, vy, grounded
end

-- Meets a wall or ceiling while on the ground: climbs it if it is a low ledge, else stops.
local function meetWallOnGround(self, hit, dx, dy, vx, vy, looksUp)
  local along = sideways(self, dx, dy)
  if self.stepHeight > 0 and looksUp > -self._steep and along ~= 0 then
    local left = climb(self, along)
    if left then
      dx, dy = alongFloor(self, left)
      return dx, dy, vx, vy, true
    end
  end
  note(self, hit, looksUp)
  local v, side = sideways(self, vx, vy), sideways(self, hit.nx, hit.ny)
  if v * side < 0 then vx, vy = vx - v * self._rightX, vy - v * self._rightY end
  return 0, 0, vx, vy, true
end

-- Handles one surface that stops the character. Returns the rest of the way, the velocity, and
-- whether the character is on the ground.
local function meet(self, hit, dx, dy, vx, vy, grounded)
  local nx, ny, response = hit.nx, hit.ny, hit.response
  local looksUp = nx * self._upX + ny * self._upY
  if response == "bounce" then return bounce(self, hit, dx, dy, vx, vy, grounded) end
  if isFloor(self, nx, ny) then
    if response == "push" then hit.response = "slide" end
    if response == "touch" then dx, dy = 0, 0 end
    return meetFloor(self, hit, dx, dy, vx, vy, grounded)
  end
  if response == "push" then
    local pushes, gaveWay = characters.push(self, hit, dx, dy)
    if pushes then return dx, dy, vx, vy, grounded end
    if gaveWay then return 0, 0, vx, vy, grounded end
    hit.response = "slide"
  end
  if response == "touch" then dx, dy = 0, 0 end
  local floor = looksUp > -self._steep and floorBeside(self, dx, dy)
  if floor then return meetFloor(self, floor, dx, dy, vx, vy, grounded) end
  if grounded then return meetWallOnGround(self, hit, dx, dy, vx, vy, looksUp) end
  note(self, hit, looksUp)
  if looksUp <= -self._steep then
    vx, vy = slide(vx, vy, nx, ny)
    dx, dy = slide(dx, dy, nx, ny)
  else
    vx, vy = slideAtWall(self, vx, vy, nx, ny)
    dx, dy = slideAtWall(self, dx, dy, nx, ny)
  end
  return dx, dy, vx, vy, false
end

-- Follows surfaces until the way is used up.
local function follow(self, dx, dy, vx, vy, grounded)
  local beforeX, beforeY = 0, 0
  for _ = 1, characters.MOST_SURFACES do
    if dx == 0 and dy == 0 or self.crushed then break end
    local hit, gone = characters.sweep(self, dx, dy, nil, 1 - self._time)
    if not hit then break end
    self._time = hit.t
    dx, dy, vx, vy, grounded = meet(self, hit, dx * (1 - gone), dy * (1 - gone), vx, vy, grounded)
    -- In a corner in the air, each of two surfaces leads into the other.
    if not grounded and gone == 0
      and dx * beforeX + dy * beforeY < -ALIKE * (abs(dx) + abs(dy)) then
      break
    end
    beforeX, beforeY = hit.nx, hit.ny
  end
  return vx, vy, grounded
end

local function clear(self)
  floors.leave(self)
  self.wall, self.ceiling, self.wallNx, self.wallNy = nil, nil, 0, 0
end
M.clear = clear

-- Sets `_size` and `_smaller` from the bounds of the actor's shape.
local function measure(self)
  local _, _, w, h = state.shapeOf(self.world, self.actor):bounds()
  self._size, self._smaller = w + h, min(w, h)
end

-- The floor that the character walks along; nil if it jumps, or if the floor has been removed.
local function floorBefore(self)
  local floor = self.floor
  return not self._rises and floor and self.world._slots[floor] and floor or nil
end

-- A move of 0 seconds begins no jump: a character with an upward velocity still rides its floor.
local function moveInNoTime(self)
  if self.floor and self.world._slots[self.floor] then floors.ride(self, 0) end
end

--- Moves the character along its floor if it has one, else through the air, and then down onto a
--- floor within reach. Returns what is left of the velocity.
function M.walk(self, vx, vy, dt)
  measure(self)
  if dt == 0 then
    moveInNoTime(self)
    return vx, vy
  end
  self._rises = pointsUp(self, vx, vy)
  local had = floorBefore(self)
  if had then floors.ride(self, dt) else floors.stay(self) end
  local dropped = self._dropped
  if dropped and not self._rises and self.world._slots[dropped] then floors.sink(self, dropped) end
  self._dropped = nil
  local floorNx, floorNy = self.floorNx, self.floorNy
  clear(self)
  local dx, dy = vx * dt, vy * dt
  if had then
    self.floor, self.floorNx, self.floorNy = had, floorNx, floorNy
    dx, dy = alongFloor(self, sideways(self, dx, dy))
  end
  local grounded
  vx, vy, grounded = follow(self, dx, dy, vx, vy, had ~= nil)
  if self._rises and not grounded then
    floors.leave(self)
  elseif not self.crushed then
    floors.findFloor(self, had and grounded)
  end
  if self.floor then
    local v = sideways(self, vx, vy)
    vx, vy = v * self._rightX, v * self._rightY
  end
  return vx + 0, vy + 0 -- no -0
end

return M
