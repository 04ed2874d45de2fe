-- Kinematic character controllers: a velocity each frame becomes a motion along the ground, off
-- walls, down slopes and on lifts, by the sweeps of world:move. They apply no gravity and know no
-- input.

local core = require "collide.core"
local check = require "collide.check"
local filters = require "collide.filters"
local reading = require "collide.reading"
local state = require "collide.state"
local sweeps = require "collide.sweeps"

local type, select, abs, sqrt, max = type, select, math.abs, math.sqrt, math.max

---@class collide.CharacterOptions
---@field up number[]? {x, y}: away from the ground, {0, -1} without
---@field maxSlope number? radians: what is steeper is a wall; 46 degrees without
---@field snapLength number? how far below a floor is kept, world units, 0 without
---@field stepHeight number? ledges up to this are climbed, world units, 0 without
---@field filter collide.Filter? who stops it; without one whom it can hit
---@field response (collide.Response|collide.Responder)? what others do to it, "slide" without

--- A kinematic character controller of one actor.
---@class collide.Character
---@field actor table
---@field world collide.World
---@field floor table? the actor that it stands on
---@field wall table? the actor at its side that stopped it
---@field ceiling table? the actor above that stopped it
---@field floorNx number normal of the floor, 0 without one
---@field floorNy number
---@field wallNx number normal of the wall, 0 without one
---@field wallNy number
---@field floorVx number the floor's own motion in this move, world units a second
---@field floorVy number
---@field floorValue integer? of tiles: the value of the cell that it stands on
---@field crushed boolean whether it is in something and cannot get out
---@field hits collide.MoveHit[] what the last move met, in that order
---@field n integer how many
local Character = {}
Character.__index = Character
Character.__name = "collide.Character"

local FN = "world:newCharacter"

-- Directions that differ by no more are the same.
local ALIKE = 1e-9
-- So many surfaces one move follows.
local MOST_SURFACES = 64
-- What counts as touching, as a share of the coordinates: a little more than the core's 2^-40.
local TOUCH = 2 ^ -38

local OPTIONS = {
  up = true, maxSlope = true, snapLength = true, stepHeight = true, filter = true,
  response = true,
}

local function number(name, value, otherwise, most, expected)
  if value == nil then return otherwise end
  if not (type(value) == "number" and value >= 0 and value <= most) then
    check.fail(FN, name, expected, value)
  end
  return value
end

local function direction(up)
  if up == nil then return 0, -1 end
  check.table(FN, "up", up, "pair of numbers such as {0, -1}")
  local x, y = rawget(up, 1), rawget(up, 2)
  filters.coordinate(FN, "up[1]", x)
  filters.coordinate(FN, "up[2]", y)
  local most = max(abs(x), abs(y))
  if most == 0 then check.raise(FN .. ": up expected (direction), got 0, 0") end
  x, y = x / most, y / most
  local length = sqrt(x * x + y * y)
  return x / length, y / length
end

local function clear(self)
  self.floor, self.wall, self.ceiling, self.floorValue = nil, nil, nil, nil
  self.floorNx, self.floorNy, self.wallNx, self.wallNy = 0, 0, 0, 0
end

-- What another does to the character, for a sweep: what it stands on stops it.
local function responder(self, response)
  return function(actor, other, nx, ny, value)
    if self._dropped == other then return nil end
    local answer = response
    if type(response) == "function" then answer = response(actor, other, nx, ny, value) end
    if answer == "push" and (other == self.floor or self:_isFloor(nx, ny)) then return "touch" end
    if answer == "slide" or answer == "bounce" then return "touch" end
    return answer
  end
end

---@param actor table of this world
---@param options collide.CharacterOptions?
---@return collide.Character
local function new(world, actor, options, ...)
  state.checkOpen(world, FN)
  state.checkIdle(world, FN)
  if select("#", ...) > 0 then check.noMore(FN, "an actor and options", 2, ...) end
  state.slotOf(world, FN, "actor", actor)
  if options == nil then options = {} end
  check.table(FN, "options", options)
  check.keys(FN, "option", options, OPTIONS)
  if world._characters[actor] then
    check.raise(FN .. ": actor has a character already; it ends with world:remove")
  end
  local upX, upY = direction(options.up)
  local slope = number("maxSlope", options.maxSlope, 46 * math.pi / 180, math.pi / 2,
    "number of radians from 0 to pi / 2")
  filters.groups(world, FN, options.filter)
  sweeps.response(FN, options.response)
  local self = setmetatable({
    actor = actor, world = world, hits = {}, n = 0, crushed = false,
    floorVx = 0, floorVy = 0,
    snapLength = number("snapLength", options.snapLength, 0, check.MAX_COORDINATE, check.LENGTH),
    stepHeight = number("stepHeight", options.stepHeight, 0, check.MAX_COORDINATE, check.LENGTH),
    maxSlope = slope,
    _filter = options.filter,
    _upX = upX, _upY = upY,
    _rightX = -upY, _rightY = upX,
    _steep = core.cos(slope) - ALIKE,
    _kept = {}, -- what a move that fails puts back
    _met = {}, -- what the present sweep meets
    _entries = {}, -- tables for hits
    _floorX = 0, _floorY = 0, _floorAngle = 0, -- where the floor was when it was looked at last
    _atX = 0, _atY = 0, -- the point of it that is stood on
  }, Character)
  clear(self)
  local response = options.response or "slide"
  self._response = response == "slide" and "touch" or responder(self, response)
  self._falling = responder(self, response) -- in place of that while a floor is fallen through
  world._characters[actor] = self
  return self
end

function Character:__tostring()
  return ("character (of %s)"):format(tostring(self.actor))
end

function Character:_isFloor(nx, ny)
  return nx * self._upX + ny * self._upY >= self._steep
end

local function checkCharacter(self, fn)
  if type(self) ~= "table" or getmetatable(self) ~= Character then
    check.fail(fn, "self", "character", self, "call it with a colon")
  end
  state.checkOpen(self.world, fn)
  state.checkIdle(self.world, fn)
  if self.world._characters[self.actor] ~= self then
    check.raise(fn .. ": its actor has been removed from the world")
  end
end

-- Keeps what a sweep has met.
local function keep(self, met, n)
  local hits, entries = self.hits, self._entries
  for i = 1, n do
    local at = self.n + 1
    local hit = entries[at]
    if not hit then
      hit = {}
      entries[at] = hit
    end
    local one = met[i]
    hit.actor, hit.nx, hit.ny, hit.x, hit.y = one.actor, one.nx, one.ny, one.x, one.y
    hit.px, hit.py, hit.t, hit.response = one.px, one.py, one.t, one.response
    hit.col, hit.row, hit.value = one.col, one.row, one.value
    hit.inside, hit.crushed = one.inside, one.crushed
    hits[at], self.n = hit, at
    if one.crushed then self.crushed = true end
  end
end

local function how(self)
  return self._dropped and self._falling or self._response
end

-- Moves the actor until something stops it; `ignored` is nobody, or passed. Returns what stopped
-- it, or nil.
local function sweep(self, dx, dy, ignored)
  local met = self._met
  local _, _, _, n = sweeps.sweep(self.world, "character:move", self.actor, dx, dy, self._filter,
    how(self), met, ignored)
  keep(self, met, n)
  local last = met[n]
  return last and last.response == "touch" and not last.inside and last or nil
end

local function notePlace(self, floor)
  local names = self.world._names
  self._floorX, self._floorY = floor[names.x], floor[names.y]
  self._floorAngle = names.angle and floor[names.angle] or 0
end

local function standOn(self, hit)
  self.floor, self.floorNx, self.floorNy = hit.actor, hit.nx, hit.ny
  self.floorValue = hit.value
  self._atX, self._atY = hit.px, hit.py
  notePlace(self, hit.actor)
end

-- How far the point of the floor that is stood on has come since.
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

-- The world sees the floor where its fields say, and the character goes along.
local function ride(self, dt)
  local floor, world = self.floor, self.world
  self.floorVx, self.floorVy = 0, 0
  if not (floor and world._slots[floor]) then return end
  local dx, dy = floorMotion(self)
  if dx == 0 and dy == 0 then return end
  sweeps.put(world, floor)
  notePlace(self, floor)
  self._atX, self._atY = self._atX + dx, self._atY + dy
  if dt > 0 then self.floorVx, self.floorVy = dx / dt, dy / dt end
  local met = self._met
  local _, _, _, n = sweeps.sweep(world, "character:move", self.actor, dx, dy, self._filter,
    "slide", met, floor)
  keep(self, met, n)
end

-- The floor was carried, and the character with it.
function Character:_carried(dx, dy)
  notePlace(self, self.floor)
  self._atX, self._atY = self._atX + dx, self._atY + dy
end

-- The direction along the floor, to the character's right.
local function tangent(self)
  return -self.floorNy, self.floorNx
end

-- The part of a velocity or way that leads into a surface, taken out.
local function slide(x, y, nx, ny)
  local into = x * nx + y * ny
  if into >= 0 then return x, y end
  return x - into * nx, y - into * ny
end

-- A wall takes what leads into it, and lifts nobody: a steep slope counts by its side alone.
local function slideAtWall(self, x, y, nx, ny)
  local upX, upY = self._upX, self._upY
  local sx, sy = slide(x, y, nx, ny)
  local rises, rose = sx * upX + sy * upY, x * upX + y * upY
  if rises <= max(rose, 0) + ALIKE * (abs(x) + abs(y)) then return sx, sy end
  return slide(rose * upX, rose * upY, nx, ny)
end

-- Over a ledge: up, on, and down onto a floor. Returns what is left of the way along, or nil
-- where that leads nowhere; then the actor is where it was.
local function climb(self, along)
  local world, actor, names = self.world, self.actor, self.world._names
  local x, y, n = actor[names.x], actor[names.y], self.n
  local height, upX, upY = self.stepHeight, self._upX, self._upY
  local sign = along < 0 and -1 or 1
  local rightX, rightY = self._rightX, self._rightY
  sweep(self, upX * height, upY * height)
  local fromX, fromY = actor[names.x], actor[names.y]
  local lifted = (fromX - x) * upX + (fromY - y) * upY
  sweep(self, rightX * along, rightY * along)
  local gone = (actor[names.x] - fromX) * rightX + (actor[names.y] - fromY) * rightY
  local down = lifted + TOUCH * (abs(x) + abs(y) + height)
  local hit = gone * sign > 0 and sweep(self, -upX * down, -upY * down)
  if hit and self:_isFloor(hit.nx, hit.ny) then
    standOn(self, hit)
    return along - gone
  end
  actor[names.x], actor[names.y] = x, y
  sweeps.put(world, actor)
  for i = n + 1, self.n do self.hits[i] = nil end
  self.n = n
  return nil
end

-- One surface that stops the character. Returns what is left of the way and of the velocity.
local function meet(self, hit, dx, dy, vx, vy, grounded)
  local nx, ny, upX, upY = hit.nx, hit.ny, self._upX, self._upY
  local rest = 1 - hit.t
  dx, dy = dx * rest, dy * rest
  if self:_isFloor(nx, ny) then
    -- On the ground the speed along it is kept, from the air what leads along.
    local along = dx * self._rightX + dy * self._rightY
    if grounded and along ~= 0 then
      local length = sqrt(dx * dx + dy * dy)
      along = along < 0 and -length or length
    end
    standOn(self, hit)
    local tx, ty = tangent(self)
    return tx * along, ty * along, vx, vy, true
  end
  local looks = nx * upX + ny * upY
  if looks <= -self._steep and not grounded then
    self.ceiling = hit.actor
    vx, vy = slide(vx, vy, nx, ny)
    dx, dy = slide(dx, dy, nx, ny)
    return dx, dy, vx, vy, false
  end
  if looks <= -self._steep then self.ceiling = hit.actor
  else self.wall, self.wallNx, self.wallNy = hit.actor, nx, ny end
  if grounded then
    local along = dx * self._rightX + dy * self._rightY
    local left = self.stepHeight > 0 and looks > -self._steep and climb(self, along)
    if left then
      self.wall, self.wallNx, self.wallNy = nil, 0, 0
      local tx, ty = tangent(self)
      return tx * left, ty * left, vx, vy, true
    end
    local v = vx * self._rightX + vy * self._rightY
    local side = nx * self._rightX + ny * self._rightY
    if v * side < 0 then vx, vy = vx - v * self._rightX, vy - v * self._rightY end
    return 0, 0, vx, vy, true
  end
  vx, vy = slideAtWall(self, vx, vy, nx, ny)
  dx, dy = slideAtWall(self, dx, dy, nx, ny)
  return dx, dy, vx, vy, false
end

-- Follows surfaces until the way is used up.
local function follow(self, dx, dy, vx, vy, grounded)
  local beforeX, beforeY = 0, 0
  for _ = 1, MOST_SURFACES do
    if dx == 0 and dy == 0 or self.crushed then break end
    local hit = sweep(self, dx, dy)
    if not hit then break end
    dx, dy, vx, vy, grounded = meet(self, hit, dx, dy, vx, vy, grounded)
    -- In a corner each of the two surfaces leads into the other.
    local nx, ny = hit.nx, hit.ny
    if hit.t == 0 and dx * beforeX + dy * beforeY < -ALIKE * (abs(dx) + abs(dy)) then break end
    beforeX, beforeY = nx, ny
  end
  return vx, vy, grounded
end

-- What lies below the actor, no farther than that.
local function look(self, far)
  return sweeps.look(self.world, "character:move", self.actor, -self._upX * far, -self._upY * far,
    self._filter, how(self), self._met)
end

-- Whether there is a floor below, no farther than the snap length if it had one.
local function findFloor(self, had, grounded)
  local actor, names = self.actor, self.world._names
  local x, y = actor[names.x], actor[names.y]
  local near = TOUCH * (abs(x) + abs(y) + self._size)
  local far = had and grounded and max(self.snapLength, near) or near
  local met = self._met
  local _, _, _, n = look(self, far)
  local hit = met[n]
  if n > 0 and met[1].inside then
    -- It stood still, or was moved into something since: out of that, and once more.
    sweep(self, 0, 0)
    if self.crushed then return end
    _, _, _, n = look(self, far)
    hit = met[n]
  end
  if not (hit and hit.response == "touch" and self:_isFloor(hit.nx, hit.ny)) then
    self.floor, self.floorNx, self.floorNy, self.floorValue = nil, 0, 0, nil
    return
  end
  if hit.t > 0 and hit.t * far > near then
    actor[names.x], actor[names.y] = hit.x, hit.y
    sweeps.put(self.world, actor)
  end
  standOn(self, hit)
end

-- How large the actor is, for what counts as touching.
local function measure(self)
  local actor, names = self.actor, self.world._names
  local _, _, w, h = actor[names.shape]:bounds()
  self._size = w + h
end

-- What a move that fails puts back.
local KEPT = { "floor", "floorNx", "floorNy", "floorValue", "floorVx", "floorVy", "wall", "wallNx",
  "wallNy", "ceiling", "crushed", "_floorX", "_floorY", "_floorAngle", "_atX", "_atY", "_dropped" }

local function save(self)
  local kept, actor, names = self._kept, self.actor, self.world._names
  for i = 1, #KEPT do kept[KEPT[i]] = self[KEPT[i]] end
  kept.x, kept.y = actor[names.x], actor[names.y]
  kept.placeX, kept.placeY, kept.angle = self.world._core:place(self.world._slots[actor])
end

local function restore(self)
  local kept, actor, names = self._kept, self.actor, self.world._names
  for i = 1, #KEPT do self[KEPT[i]] = kept[KEPT[i]] end
  actor[names.x], actor[names.y] = kept.x, kept.y
  self.world._core:put(self.world._slots[actor], kept.placeX, kept.placeY, kept.angle)
end

-- Along its floor where it has one, else through the air, and onto a floor below.
local function walk(self, vx, vy, dt)
  local jumps = vx * self._upX + vy * self._upY > 0
  local had = self.floor
  if had and not self.world._slots[had] then had = nil end
  if jumps then self.floorVx, self.floorVy = 0, 0 else ride(self, dt) end
  if dt == 0 then return vx, vy end
  local floorNx, floorNy = self.floorNx, self.floorNy
  clear(self)
  local grounded = had ~= nil and not jumps
  local dx, dy = vx * dt, vy * dt
  if grounded then
    self.floor, self.floorNx, self.floorNy = had, floorNx, floorNy
    local along = dx * self._rightX + dy * self._rightY
    local tx, ty = tangent(self)
    dx, dy = tx * along, ty * along
  end
  vx, vy, grounded = follow(self, dx, dy, vx, vy, grounded)
  if jumps and not grounded then
    self.floor, self.floorNx, self.floorNy, self.floorValue = nil, 0, 0, nil
  else
    findFloor(self, had, grounded)
  end
  if self._dropped then self:_land() end
  if self.floor then
    local v = vx * self._rightX + vy * self._rightY
    vx, vy = v * self._rightX, v * self._rightY
  end
  return vx, vy
end

--- Moves the actor for dt seconds at a velocity, which is the game's: gravity goes into it in
--- every frame, also on the floor. A velocity that points up is a jump.
---@param vx number world units a second
---@param vy number
---@param dt number seconds; 0 rides the floor, and keeps velocity and flags
---@return number vx what is left of the velocity
---@return number vy
function Character:move(vx, vy, dt, ...)
  local fn = "character:move"
  checkCharacter(self, fn)
  if select("#", ...) > 0 then check.noMore(fn, "vx, vy and dt", 3, ...) end
  filters.coordinate(fn, "vx", vx)
  filters.coordinate(fn, "vy", vy)
  check.seconds(fn, "dt", dt)
  save(self)
  for i = 1, self.n do self.hits[i] = nil end
  self.n, self.crushed = 0, false
  measure(self)
  local ok, leftX, leftY = pcall(walk, self, vx, vy, dt)
  if not ok then
    restore(self)
    error(leftX, 0)
  end
  return leftX, leftY
end

-- A floor that is fallen through counts again once it is behind.
function Character:_land()
  local world, dropped = self.world, self._dropped
  if world._slots[dropped] and not world:overlap(self.actor, dropped) then
    local shape, x, y, angle = reading.placed("character:move", "actor", self.actor, world._names)
    local other, ox, oy, turned = reading.placed("character:move", "floor", dropped, world._names)
    if core.distance(shape, x, y, angle, other, ox, oy, turned) == 0 then return end
  end
  self._dropped = nil
end

--- Falls through a one-way floor; does nothing on another.
function Character:drop(...)
  checkCharacter(self, "character:drop")
  if select("#", ...) > 0 then check.noMore("character:drop", "no arguments", 0, ...) end
  local floor, names = self.floor, self.world._names
  if not (floor and names.oneWay and floor[names.oneWay]) then return end
  self._dropped = floor
  self.floor, self.floorNx, self.floorNy, self.floorValue = nil, 0, 0, nil
end

return { newCharacter = new }
