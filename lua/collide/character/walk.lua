-- The motion of a character: sweeps that stop at surfaces, and the response to each surface; the
-- floor, which the character finds, stands on, rides, and falls through; and the walk of one move,
-- along the ground, walls and ceilings and over ledges.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"
local moves = require "collide.move"
local reader = require "collide.world.reader"
local ignores = require "collide.world.ignores"

local type, abs, max, min, sqrt = type, math.abs, math.max, math.min, math.sqrt

local M = {}

local FN = "character:move"

-- Sweeps --------------------------------------------------------------------------

-- Directions that differ by no more than this count as equal.
local ALIKE = core.ALIKE
-- The most surfaces that one move follows.
local MOST_SURFACES = 64

--- Derives `_steep` from maxSlope: the normal of a floor has at least this component along `up`.
function M.takeSlope(self)
  self._steepAt = self.maxSlope
  self._steep = core.cos(self.maxSlope) - ALIKE
end

-- How far to look for surfaces that are touched, as a fraction of the coordinates.
local PROBE = core.PROBE

-- Whether this move has reported a hit already. Several sweeps may meet an obstacle that the actor
-- crosses or is inside; it is reported once.
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

local NO_HITS = moves.NO_HITS

-- Adds a hit to the list of this move, which the first hit creates.
local function append(self, one, t)
  local n, hit = self.n + 1, moves.newHit()
  if n == 1 then self.hits = { hit } else self.hits[n] = hit end
  hit.actor, hit.nx, hit.ny, hit.x, hit.y = one.actor, one.nx, one.ny, one.x, one.y
  hit.px, hit.py, hit.t, hit.response = one.px, one.py, t, one.response
  hit.column, hit.row, hit.value = one.column, one.row, one.value
  hit.inside, hit.crushed, hit.part = one.inside, one.crushed, one.part
  self.n = n
  return hit
end

-- Adds the hits of a sweep to the character's hits. Returns the last one, or nil if it was
-- reported before.
-- param share number the fraction of the move's time that the sweep takes
local function keep(self, met, n, share)
  local hit
  for i = 1, n do
    local one = met[i]
    hit = not isReported(self, one) and append(self, one, self._time + share * one.t) or nil
    if one.crushed then self.crushed = true end
  end
  return hit
end

-- Moves the actor until something stops it. Returns the hit that stopped it, or nil, and the
-- fraction of the way that it went.
-- param ignored table? an actor that does not stop it
-- param share number? the fraction of the move's time that the sweep takes, default 0
local function sweep(self, dx, dy, ignored, share)
  self._how.instead = "touch"
  local _, _, met, n = moves.make(self.world, self._how, self.actor, dx, dy, ignored)
  local hit = keep(self, met, n, share or 0)
  if hit and not hit.inside and hit.response ~= "cross" then return hit, met[n].t end
  return nil, 1
end

-- Removes the hits of this move after the n-th.
local function forget(self, n)
  for i = self.n, n + 1, -1 do self.hits[i] = nil end
  if n == 0 then self.hits = NO_HITS end
  self.n = n
end

--- Empties the scratch lists of a move, so that they keep no actor alive.
function M.tidy(self)
  local pushed, met, others = self._pushed, self._how.into, self._howPushed.into
  for i = 1, #met do met[i].actor = false end
  for i = 1, #others do others[i].actor = false end
  for i = 1, pushed.n do pushed.actors[i] = false end
  pushed.n = 0
end

-- Sweeps without moving the actor. Returns its hits, in a list that the next sweep fills again,
-- and their number. `instead` is "touch" or, to go on along surfaces, "slide".
local function check(self, dx, dy, instead)
  self._how.instead = instead
  local _, _, met, n = moves.compute(self.world, self._how, self.actor, dx, dy)
  return met, n
end

-- The place of an actor by its fields: x, y, angle.
local function placeOf(self, actor)
  return reader.place(FN, self.world, actor)
end

-- How far to look for surfaces that are touched.
local function probe(self)
  local x, y = placeOf(self, self.actor)
  return PROBE * (abs(x) + abs(y) + self._size)
end

-- Puts the actor at x, y, without a sweep.
local function place(self, x, y)
  local actor, names = self.actor, self.world._names
  local holder = reader.holder(FN, self.world, actor)
  holder[names.x], holder[names.y] = x, y
  moves.put(self.world, FN, actor)
end

-- Whether the character can stand on a surface with this normal.
local function isFloor(self, nx, ny)
  return nx * self._upX + ny * self._upY >= self._steep
end

-- A velocity or displacement without the component that leads into a surface.
local function slide(x, y, nx, ny)
  local into = x * nx + y * ny
  if into >= 0 then return x, y end
  return x - into * nx, y - into * ny
end

-- The same at a wall. A wall does not lift the character: if the slide would rise, and faster than
-- before, only the vertical component slides along the wall.
local function slideAtWall(self, x, y, nx, ny)
  local upX, upY = self._upX, self._upY
  local sx, sy = slide(x, y, nx, ny)
  local rises, rose = sx * upX + sy * upY, x * upX + y * upY
  if rises <= max(rose, 0) + ALIKE * (abs(x) + abs(y)) then return sx, sy end
  return slide(rose * upX, rose * upY, nx, ny)
end

-- Whether the character can push an actor. It does not push its own floor.
local function isLoose(self, other)
  local names = self.world._names
  return other ~= self.floor and not (names.static and other[names.static])
    and moves.isMovable(self.world, other)
end

-- Pushes the obstacle of a hit by the component of dx, dy that leads into it. Returns true, or nil
-- if it cannot be pushed or was pushed already, and whether it went the whole distance.
local function push(self, hit, dx, dy)
  local other, nx, ny = hit.actor, hit.nx, hit.ny
  local pushed = self._pushed
  for i = 1, pushed.n do
    if pushed.actors[i] == other then return nil, pushed.gaveWay[i] end
  end
  if not isLoose(self, other) then return nil, false end
  local into = dx * nx + dy * ny
  local x, y = placeOf(self, other)
  moves.make(self.world, self._howPushed, other, nx * into, ny * into)
  local toX, toY = placeOf(self, other)
  local gone = (toX - x) * nx + (toY - y) * ny
  local n = pushed.n + 1
  pushed.n, pushed.actors[n] = n, other
  pushed.gaveWay[n] = gone <= into * (1 - ALIKE)
  return true, pushed.gaveWay[n]
end

-- The floor -----------------------------------------------------------------------

-- How far an actor sinks into a one-way floor to fall through it, as a fraction of the coordinates:
-- deeper than counts as touching.
local SINK = 2 ^ -32

local function notePlace(self)
  self._floorX, self._floorY, self._floorAngle = placeOf(self, self.floor)
end

-- Makes the actor of a hit the character's floor.
local function standOn(self, hit)
  self.floor, self.floorNx, self.floorNy = hit.actor, hit.nx, hit.ny
  self.floorValue = hit.value
  self._atX, self._atY = hit.px, hit.py
  notePlace(self)
end

-- Makes no missing keys, since that may need memory.
function M.leave(self)
  if self.floor ~= nil then self.floor = nil end
  if self.floorValue ~= nil then self.floorValue = nil end
  self.floorNx, self.floorNy = 0, 0
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

--- Adds a character to the list of those on its floor, so that whatever moves the floor looks only
--- at these. Called after each change of `floor`.
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

--- Lists all characters of a world on their floors again, after a restore.
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

--- Whether a character still stands on an actor that was its floor: not if that has been removed,
--- or the two ignore each other.
function M.standsOn(self, floor)
  local world = self.world
  local slot = world._slots[floor]
  return slot and not (world._ignores and ignores.between(world, slot, world._slots[self.actor]))
end

--- Whether a character rides an actor other than its floor, on which it lies at a side with this
--- normal: a side like that of its floor. Once carried, it moves only with its floor until its next
--- move: a platform of two pieces that are carried one after the other carries it once.
function M.rides(self, nx, ny)
  local alike = nx * self.floorNx + ny * self.floorNy > 1 - ALIKE
  return self.floor ~= nil and alike and self._carriedX == 0 and self._carriedY == 0
end

--- Makes another actor on which the character lies its floor, since that one is carried while the
--- old one stays. Called before floorCarried.
function M.changeFloor(self, floor)
  self.floor, self.floorValue = floor, nil
  notePlace(self)
  M.list(self)
end

--- The point that a character stands on.
function M.standsAt(self) return self._atX, self._atY end

--- Called when world:carry has moved the character with its floor, and the point that it stands on
--- by dx, dy.
function M.floorCarried(self, dx, dy)
  notePlace(self)
  self._atX, self._atY = self._atX + dx, self._atY + dy
  self._carriedX, self._carriedY = self._carriedX + dx, self._carriedY + dy
end

-- How far the point that the character stands on has moved with the floor since it was last looked
-- at.
local function floorMotion(self)
  local toX, toY, angle = placeOf(self, self.floor)
  local dx, dy, turned = toX - self._floorX, toY - self._floorY, angle - self._floorAngle
  if turned ~= 0 then
    local x, y = self._atX - self._floorX, self._atY - self._floorY
    local c, s = core.cos(turned), core.sin(turned)
    dx, dy = dx + (c * x - s * y) - x, dy + (s * x + c * y) - y
  end
  return dx, dy
end

-- Moves the actor with its floor. It slides along obstacles, but not up a wall.
local function shove(self, dx, dy, carrier)
  local beforeX, beforeY = 0, 0
  for _ = 1, MOST_SURFACES do
    if dx == 0 and dy == 0 then return end
    local hit, gone = sweep(self, dx, dy, carrier)
    if not hit or hit.response == "touch" then return end
    local nx, ny = hit.nx, hit.ny
    dx, dy = dx * (1 - gone), dy * (1 - gone)
    if not (hit.response == "push" and push(self, hit, dx, dy)) then
      if isFloor(self, nx, ny) then
        dx, dy = slide(dx, dy, nx, ny)
      else
        dx, dy = slideAtWall(self, dx, dy, nx, ny)
      end
      if gone == 0 and dx * beforeX + dy * beforeY < -ALIKE * (abs(dx) + abs(dy)) then
        return
      end
      beforeX, beforeY = nx, ny
    end
  end
end

--- Begins a move. `journal` gets the places before it; with `noted`, it has the actor's own
--- already. The hits of the last move belong to the game.
function M.begin(self, journal, noted)
  self._how.journal = not noted and journal or nil -- its sweeps push nothing
  self._howPushed.journal, self._pushed.n = journal, 0
  self._how.low, self._howPushed.low = nil, nil
  self.hits, self.n = NO_HITS, 0
end

--- Moves the character with its floor, outside of its own moves.
function M.carry(self, dx, dy, carrier, journal)
  local hits, n = self.hits, self.n
  M.begin(self, journal)
  shove(self, dx, dy, carrier)
  self.hits, self.n = hits, n
  M.tidy(self)
end

--- Called when the game has moved the actor.
function M.teleported(self)
  M.leave(self)
  M.list(self)
  self._dropped = nil
end

-- Clears the motion of the floor, for a character that does not ride one.
local function stay(self)
  self.floorVx, self.floorVy, self._carriedX, self._carriedY = 0, 0, 0, 0
end

-- Moves the floor to the place in its fields, and the character with it.
local function ride(self, dt)
  local floor = self.floor
  local dx, dy = floorMotion(self)
  -- A move of 0 seconds has no velocity: the last one is kept.
  if dt > 0 then
    self.floorVx, self.floorVy = (self._carriedX + dx) / dt, (self._carriedY + dy) / dt
    self._carriedX, self._carriedY = 0, 0
  end
  if dx == 0 and dy == 0 then return end
  moves.put(self.world, FN, floor)
  notePlace(self)
  self._atX, self._atY = self._atX + dx, self._atY + dy
  shove(self, dx, dy, floor)
end

-- The last hit, if it is a floor at most `far` below the actor; `reach` is the length of the sweep.
local function floorOf(self, met, n, reach, far)
  local hit = met[n]
  local stops = hit and hit.response ~= "cross" and isFloor(self, hit.nx, hit.ny)
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
  local met, n = check(self, dx, dy, "touch")
  local around = inside(met, n)
  if around then
    -- This hit already says that there is no way out: the slow search for one need not run again.
    if around.crushed then keep(self, met, n, 0) end
    return nil, around
  end
  local hit = met[n]
  local floor = floorOf(self, met, n, reach, far)
  if floor or not hit or hit.response == "cross" or hit.t > 0 and hit.t * reach > far then
    return floor
  end
  met, n = check(self, dx, dy, "slide")
  return floorOf(self, met, n, reach, far)
end

-- The hit of a floor that is touched, or nil.
local function touched(self)
  return (lookDown(self, probe(self), 0))
end

-- Looks for a floor that is touched or, if the character had one before, within the snap length.
local function findFloor(self, had)
  local far = had and self.snapLength or 0
  local reach = max(far, probe(self))
  local hit, around = lookDown(self, reach, far)
  if around and not self.crushed then
    -- It stood still, or something has moved into it since: it gets out, and looks once more.
    sweep(self, 0, 0)
    hit, around = lookDown(self, reach, far)
  end
  if around then return end
  if not hit then return M.leave(self) end
  -- Rounding may have put it into the floor that it rides, by no more than counts as touching.
  local x, y = placeOf(self, self.actor)
  if hit.x ~= x or hit.y ~= y then place(self, hit.x, hit.y) end
  standOn(self, hit)
end

-- Moves the actor so far into a one-way floor that the floor no longer stops it.
local function sink(self, floor)
  local l, t, w, h = reader.shapeOf(self.world, floor):bounds(placeOf(self, floor))
  local most = max(abs(l), abs(l + w), abs(t), abs(t + h)) + self._size
  self._how.through = floor
  sweep(self, -self._upX * SINK * most, -self._upY * SINK * most)
end

-- Walking -------------------------------------------------------------------------

-- How far a round shape must be over a ledge to rest on its edge, as a fraction of the smaller side
-- of its bounds.
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
  local n, x, y = self.n, placeOf(self, self.actor)
  sweep(self, self._rightX * along, self._rightY * along)
  local toX, toY = placeOf(self, self.actor)
  local gone = sideways(self, toX - x, toY - y)
  if gone * along > 0 then
    local down = lifted + probe(self) -- the floor may be as low as before
    local hit = sweep(self, -self._upX * down, -self._upY * down)
    if hit and isFloor(self, hit.nx, hit.ny) then
      standOn(self, hit)
      return gone
    end
  end
  place(self, x, y)
  forget(self, n)
  return nil
end

-- Climbs a ledge: up, sideways, and down onto a floor. Returns how much of `along` is left, or nil
-- if the ledge cannot be climbed; then the actor is where it was.
local function climb(self, along)
  local n, x, y = self.n, placeOf(self, self.actor)
  sweep(self, self._upX * self.stepHeight, self._upY * self.stepHeight)
  local toX, toY = placeOf(self, self.actor)
  local lifted = (toX - x) * self._upX + (toY - y) * self._upY
  local least = self._smaller * OVER_EDGE
  -- The whole way may end beyond a narrow ledge, or before a round shape rests on a wide one: then
  -- the shortest way onto the ledge is tried.
  local gone = lifted > 0 and (stepOver(self, along, lifted)
    or stepOver(self, along < 0 and -least or least, lifted))
  if not gone then
    place(self, x, y)
    forget(self, n)
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

-- While it walks, _dx, _dy are the rest of its way, _vx, _vy its velocity, and _grounded says
-- whether it is on the ground.

-- Lands on a floor, or goes on along it. A character on the ground keeps its speed; one that lands
-- keeps only the sideways part.
local function meetFloor(self, hit)
  local dx, dy = self._dx, self._dy
  local along = sideways(self, dx, dy)
  if self._grounded and along ~= 0 then
    local length = sqrt(dx * dx + dy * dy)
    along = along < 0 and -length or length
  end
  standOn(self, hit)
  self._rises, self._grounded = false, true
  self._dx, self._dy = alongFloor(self, along)
end

-- The floor that the character touches where it meets a wall, if the way leads into that floor.
-- Such a floor is handled before the wall.
local function floorBeside(self)
  local dx, dy = self._dx, self._dy
  if dx * self._upX + dy * self._upY >= 0 then return nil end
  local hit = touched(self)
  local into = hit and dx * hit.nx + dy * hit.ny or 0
  return into < -ALIKE * (abs(dx) + abs(dy)) and hit or nil
end

-- Bounces off a surface, and leaves the ground if the new velocity points up.
local function bounce(self, hit)
  local nx, ny, dx, dy, vx, vy = hit.nx, hit.ny, self._dx, self._dy, self._vx, self._vy
  local into, intoV = dx * nx + dy * ny, vx * nx + vy * ny
  if into < 0 then dx, dy = dx - 2 * into * nx, dy - 2 * into * ny end
  if intoV < 0 then vx, vy = vx - 2 * intoV * nx, vy - 2 * intoV * ny end
  if not isFloor(self, nx, ny) then note(self, hit, nx * self._upX + ny * self._upY) end
  if pointsUp(self, vx, vy) then
    self._rises, self._grounded = true, false
    M.leave(self)
  elseif self._grounded then
    dx, dy = alongFloor(self, sideways(self, dx, dy))
  end
  self._dx, self._dy, self._vx, self._vy = dx, dy, vx, vy
end

-- Meets a wall or ceiling while on the ground: climbs it if it is a low ledge, else stops.
local function meetWallOnGround(self, hit, looksUp)
  local along, v = sideways(self, self._dx, self._dy), sideways(self, self._vx, self._vy)
  local isLedge = self.stepHeight > 0 and looksUp > -self._steep and along ~= 0
  local left = isLedge and climb(self, along)
  if left then
    self._dx, self._dy = alongFloor(self, left)
    return
  end
  note(self, hit, looksUp)
  if v * sideways(self, hit.nx, hit.ny) < 0 then
    self._vx, self._vy = self._vx - v * self._rightX, self._vy - v * self._rightY
  end
  self._dx, self._dy = 0, 0
end

-- Meets a wall or ceiling in the air: slides along it.
local function meetWallInAir(self, hit, looksUp)
  local nx, ny = hit.nx, hit.ny
  note(self, hit, looksUp)
  if looksUp <= -self._steep then
    self._vx, self._vy = slide(self._vx, self._vy, nx, ny)
    self._dx, self._dy = slide(self._dx, self._dy, nx, ny)
  else
    self._vx, self._vy = slideAtWall(self, self._vx, self._vy, nx, ny)
    self._dx, self._dy = slideAtWall(self, self._dx, self._dy, nx, ny)
  end
end

-- Handles one surface that stops the character.
local function meet(self, hit)
  local response, looksUp = hit.response, hit.nx * self._upX + hit.ny * self._upY
  local floor = isFloor(self, hit.nx, hit.ny) and hit
  if response == "bounce" then return bounce(self, hit) end
  if response == "push" then
    local pushes, gaveWay
    if not floor then pushes, gaveWay = push(self, hit, self._dx, self._dy) end
    if gaveWay and not pushes then self._dx, self._dy = 0, 0 end
    if pushes or gaveWay then return end
    hit.response = "slide"
  end
  if response == "touch" then self._dx, self._dy = 0, 0 end
  floor = floor or looksUp > -self._steep and floorBeside(self)
  if floor then return meetFloor(self, floor) end
  if self._grounded then return meetWallOnGround(self, hit, looksUp) end
  return meetWallInAir(self, hit, looksUp)
end

-- Follows surfaces until the way is used up.
local function follow(self)
  local beforeX, beforeY = 0, 0
  for _ = 1, MOST_SURFACES do
    if self._dx == 0 and self._dy == 0 or self.crushed then return end
    local hit, gone = sweep(self, self._dx, self._dy, nil, 1 - self._time)
    if not hit then return end
    self._time = hit.t
    self._dx, self._dy = self._dx * (1 - gone), self._dy * (1 - gone)
    meet(self, hit)
    local dx, dy = self._dx, self._dy
    -- In a corner in the air, each of two surfaces leads into the other.
    if not self._grounded and gone == 0
      and dx * beforeX + dy * beforeY < -ALIKE * (abs(dx) + abs(dy)) then
      return
    end
    beforeX, beforeY = hit.nx, hit.ny
  end
end

local function leaveWalls(self)
  if self.wall ~= nil then self.wall = nil end
  if self.ceiling ~= nil then self.ceiling = nil end
  self.wallNx, self.wallNy = 0, 0
end

--- Forgets the floor, the wall and the ceiling.
function M.clear(self)
  M.leave(self)
  leaveWalls(self)
end

-- Checks the actor's shape, if it is not the same as before, and sets `_size` and `_smaller` from
-- its bounds.
function M.measure(self, fn)
  local shape = reader.shapeOf(self.world, self.actor)
  if shape == self._shape then return end
  moves.checkMovable(self.world, fn, self.actor)
  local _, _, w, h = shape:bounds()
  self._shape, self._size, self._smaller = shape, w + h, min(w, h)
end

-- The floor that the character walks along; nil if it jumps, or no longer stands on it.
local function floorBefore(self)
  local floor = self.floor
  return not self._rises and floor and M.standsOn(self, floor) and floor or nil
end

-- A move of 0 seconds begins no jump: a character with an upward velocity still rides its floor.
local function moveInNoTime(self)
  if self.floor and M.standsOn(self, self.floor) then ride(self, 0) end
end

--- Moves the character along its floor if it has one, else through the air, and then down onto a
--- floor within reach. Returns the velocity that is left.
function M.walk(self, vx, vy, dt)
  if dt == 0 then
    moveInNoTime(self)
    return vx, vy
  end
  self._rises = pointsUp(self, vx, vy)
  local had = floorBefore(self)
  if had then ride(self, dt) else stay(self) end
  local dropped = self._dropped
  if dropped and not self._rises and M.standsOn(self, dropped) then sink(self, dropped) end
  self._dropped = nil
  local floorNx, floorNy = self.floorNx, self.floorNy
  M.clear(self)
  self._dx, self._dy, self._vx, self._vy, self._grounded = vx * dt, vy * dt, vx, vy, had ~= nil
  if had then
    self.floor, self.floorNx, self.floorNy = had, floorNx, floorNy
    self._dx, self._dy = alongFloor(self, sideways(self, self._dx, self._dy))
  end
  follow(self)
  if self._rises and not self._grounded then
    M.leave(self)
  elseif not self.crushed then
    findFloor(self, had and self._grounded)
  end
  vx, vy = self._vx, self._vy
  if self.floor then
    local v = sideways(self, vx, vy)
    vx, vy = v * self._rightX, v * self._rightY
  end
  return vx + 0, vy + 0 -- no -0
end

return M
