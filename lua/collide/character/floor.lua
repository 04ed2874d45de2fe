-- The floor of a character controller: finding it, standing on it, riding it, and falling
-- through it.

local core = require "collide.core"
local each = require "collide.each"
local characters = require "collide.character.sweep"
local reading = require "collide.world.fields"
local state = require "collide.world.state"
local sweeps = require "collide.move.sweeps"

local type, abs, max = type, math.abs, math.max

local M = {}

-- How far an actor sinks into a one-way floor to fall through it, as a share of the coordinates:
-- farther than counts as touching.
local SINK = 2 ^ -32

local function notePlace(self)
  local names, floor = self.world._names, self.floor
  self._floorX, self._floorY = floor[names.x], floor[names.y]
  self._floorAngle = names.angle and floor[names.angle] or 0
end

--- Makes the actor of a hit the character's floor.
function M.standOn(self, hit)
  self.floor, self.floorNx, self.floorNy = hit.actor, hit.nx, hit.ny
  self.floorValue = hit.value
  self._atX, self._atY = hit.px, hit.py
  notePlace(self)
end

function M.leave(self)
  self.floor, self.floorValue, self.floorNx, self.floorNy = nil, nil, 0, 0
end

--- Takes a character out of the list of those on its floor.
function M.unlist(self)
  local riders, floor, at = self.world._riders, self._listedOn, self._listedAt
  local list = floor ~= nil and riders[floor]
  self._listedOn = nil
  if not list or list[at] ~= self then return end -- it was not in the world that was restored
  local last = list[#list]
  list[at], last._listedAt = last, at
  list[#list] = nil
  if at == 1 and not list[1] then
    riders[floor] = nil
    local spare = self.world._spareRiders
    spare[#spare + 1] = list
  end
end

--- Notes a character among those on its floor, so that whatever moves the floor looks only at them.
--- Called after each change of `floor`.
function M.list(self)
  local floor, world = self.floor, self.world
  if floor == self._listedOn then return end
  M.unlist(self)
  if type(floor) ~= "table" then return end -- none, or a game has put something else there
  local list, spare = world._riders[floor], world._spareRiders
  if not list then
    list = spare[#spare] or {}
    spare[#spare] = nil
    world._riders[floor] = list
  end
  list[#list + 1] = self
  self._listedOn, self._listedAt = floor, #list
end

local NOBODY = {}

--- Lists all characters of a world anew, after a restore.
function M.listAll(world)
  world._riders = {}
  for _, character in each.pairs(world._characters) do
    character._listedOn = nil
    M.list(character)
  end
end

--- The characters on a floor, in no order. A game may have set the field `floor` of some since.
function M.on(world, floor)
  return world._riders[floor] or NOBODY
end

--- Whether a side with this normal, on which the character lies, is a floor like its own. Once it
--- has been carried, it goes on only with its floor until its next move: a platform of two pieces
--- that are carried one after the other carries it once.
function M.isLike(self, nx, ny)
  local alike = nx * self.floorNx + ny * self.floorNy > 1 - characters.ALIKE
  return self.floor ~= nil and alike and self._carriedX == 0 and self._carriedY == 0
end

--- Makes another actor that it lies on its floor. Called before floorCarried.
function M.change(self, floor)
  self.floor, self.floorValue = floor, nil
  notePlace(self)
end

--- Called when world:carry has moved the floor by dx, dy, and its riders with it.
function M.floorCarried(self, dx, dy)
  notePlace(self)
  self._atX, self._atY = self._atX + dx, self._atY + dy
  self._carriedX, self._carriedY = self._carriedX + dx, self._carriedY + dy
end

-- How far the point that the character stands on has moved with the floor since it was last looked
-- at.
local function floorMotion(self)
  local floor, names = self.floor, self.world._names
  local dx, dy = floor[names.x] - self._floorX, floor[names.y] - self._floorY
  local turned = (names.angle and floor[names.angle] or 0) - self._floorAngle
  if turned ~= 0 then
    local x, y = self._atX - self._floorX, self._atY - self._floorY
    local c, s = core.cos(turned), core.sin(turned)
    dx, dy = dx + (c * x - s * y) - x, dy + (s * x + c * y) - y
  end
  return dx, dy
end

--- Moves the actor with its floor. It slides along obstacles, but not up a wall.
function M.shove(self, dx, dy, carrier)
  local beforeX, beforeY = 0, 0
  for _ = 1, characters.MOST_SURFACES do
    if dx == 0 and dy == 0 then return end
    local hit, gone = characters.sweep(self, dx, dy, carrier)
    if not hit or hit.response == "touch" then return end
    local nx, ny = hit.nx, hit.ny
    dx, dy = dx * (1 - gone), dy * (1 - gone)
    if not (hit.response == "push" and characters.push(self, hit, dx, dy)) then
      if characters.isFloor(self, nx, ny) then
        dx, dy = characters.slide(dx, dy, nx, ny)
      else
        dx, dy = characters.slideAtWall(self, dx, dy, nx, ny)
      end
      if gone == 0 and dx * beforeX + dy * beforeY < -characters.ALIKE * (abs(dx) + abs(dy)) then
        return
      end
      beforeX, beforeY = nx, ny
    end
  end
end

--- Clears the motion of the floor, for a character that does not ride one.
function M.stay(self)
  self.floorVx, self.floorVy, self._carriedX, self._carriedY = 0, 0, 0, 0
end

--- Moves the floor to the place in its fields, and the character with it.
function M.ride(self, dt)
  local floor, world = self.floor, self.world
  local dx, dy = floorMotion(self)
  -- A move of 0 seconds has no velocity: the last one stays.
  if dt > 0 then
    self.floorVx, self.floorVy = (self._carriedX + dx) / dt, (self._carriedY + dy) / dt
    self._carriedX, self._carriedY = 0, 0
  end
  if dx == 0 and dy == 0 then return end
  sweeps.put(world, floor)
  notePlace(self)
  self._atX, self._atY = self._atX + dx, self._atY + dy
  M.shove(self, dx, dy, floor)
end

-- The last hit, if it is a floor at most `far` below the actor; `reach` is the length of the sweep.
local function floorOf(self, met, n, reach, far)
  local hit = met[n]
  local stops = hit and hit.response ~= "cross" and characters.isFloor(self, hit.nx, hit.ny)
  return stops and (hit.t == 0 or hit.t * reach <= far) and hit or nil
end

-- The first hit of an obstacle that the actor is inside.
local function inside(met, n)
  for i = 1, n do
    local hit = met[i]
    if not hit.inside then return nil end
    if hit.response ~= "cross" then return hit end
  end
end

-- Looks for a floor at most `far` below, by a sweep of length `reach`. A steep slope may be met
-- before the floor next to it: then a second sweep slides along the slope. Returns the hit of the
-- floor or nil, and the hit of an obstacle that the actor is inside, or nil.
local function lookDown(self, reach, far)
  local dx, dy = -self._upX * reach, -self._upY * reach
  local met, n = characters.look(self, dx, dy, "touch")
  local around = inside(met, n)
  if around then
    -- This hit already says that there is no way out: the slow search for one need not run again.
    if around.crushed then characters.keep(self, met, n, 0) end
    return nil, around
  end
  local hit = met[n]
  local floor = floorOf(self, met, n, reach, far)
  if floor or not hit or hit.response ~= "touch" or hit.t > 0 and hit.t * reach > far then
    return floor
  end
  met, n = characters.look(self, dx, dy, "slide")
  return floorOf(self, met, n, reach, far)
end

--- The hit of a floor that is touched, or nil.
function M.touched(self)
  return (lookDown(self, characters.probe(self), 0))
end

--- Looks for a floor that is touched or, if the character had one before, within the snap length.
function M.findFloor(self, had)
  local far = had and self.snapLength or 0
  local reach = max(far, characters.probe(self))
  local hit, around = lookDown(self, reach, far)
  if around and not self.crushed then
    -- It stood still, or something has moved into it since: it gets out, and looks once more.
    characters.sweep(self, 0, 0)
    hit, around = lookDown(self, reach, far)
  end
  if around then return end
  if not hit then return M.leave(self) end
  -- Rounding may have put it into the floor that it rides, by no more than counts as touching.
  local actor, names = self.actor, self.world._names
  if hit.x ~= actor[names.x] or hit.y ~= actor[names.y] then
    characters.place(self, hit.x, hit.y)
  end
  M.standOn(self, hit)
end

--- Moves the actor so far into a one-way floor that the floor no longer stops it.
function M.sink(self, floor)
  local world = self.world
  local l, t, w, h =
    state.shapeOf(world, floor):bounds(reading.place("character:move", world, floor))
  local most = max(abs(l), abs(l + w), abs(t), abs(t + h)) + self._size
  characters.sweep(self, -self._upX * SINK * most, -self._upY * SINK * most, floor)
end

return M
