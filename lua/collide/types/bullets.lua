---@meta
-- The callbacks of bullets, and the methods of a pool that are written in C: for language servers;
-- nothing loads this file. The other methods are in bullets/init.lua.

--- The bullet gets free along (nx, ny). t is the moment of the hit as a share of the step, and
--- (x, y) the bullet's centre then. With hitBullets `actor` may be another pool, and `other` its
--- bullet. The result decides what the bullet does: "pass" lets it fly on, "bounce" reflects it,
--- and nil or false leaves it to `pierce`.
---@alias collide.OnBulletHit fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor|collide.Bullets, nx: number, ny: number, t: number, x: number, y: number, other: integer?): collide.BulletAnswer?

---@alias collide.BulletAnswer "pass"|"bounce"

---@alias collide.OnGraze fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor)

---@alias collide.OnExpired fun(pool: collide.Bullets, bullet: integer)

---@alias collide.OnEachBullet fun(bullet: integer, x: number, y: number, vx: number, vy: number, radius: number, tag: integer)

---@class collide.Bullets
local Bullets = {}

---@param x number
---@param y number
---@param vx number world units per second
---@param vy number
---@param tag integer? default 0
---@param ax number? acceleration, world units per second squared; default 0
---@param ay number?
---@return integer? bullet nil when the pool is full
---@return string? why
function Bullets:spawn(x, y, vx, vy, tag, ax, ay) end

--- Spawns a bullet that flies towards a point, or along x if it starts at that point.
---@param x number
---@param y number
---@param tx number
---@param ty number
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? acceleration along its first heading, added to ax, ay
---@param tangential number? acceleration across that heading, turned from x to y
---@return integer? bullet, string? why
function Bullets:spawnAimed(x, y, tx, ty, speed, tag, ax, ay, radial, tangential) end

--- Spawns a ring of n bullets, or as many as there is room for, with consecutive numbers.
---@param x number
---@param y number
---@param n integer
---@param speed number
---@param phase number? angle of the first, radians within ±2^28
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? acceleration along its first heading, added to ax, ay
---@param tangential number? acceleration across that heading, turned from x to y
---@return integer spawned, integer? first
function Bullets:spawnRing(x, y, n, speed, phase, tag, ax, ay, radial, tangential) end

--- Spawns n bullets spread evenly from angle - spread / 2 to angle + spread / 2.
---@param x number
---@param y number
---@param n integer
---@param angle number radians
---@param spread number radians
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? acceleration along its first heading, added to ax, ay
---@param tangential number? acceleration across that heading, turned from x to y
---@return integer spawned, integer? first
function Bullets:spawnFan(x, y, n, angle, spread, speed, tag, ax, ay, radial, tangential) end

--- Kills a bullet without calling any callback.
---@param bullet integer
---@return boolean alive false when it was already dead
function Bullets:kill(bullet) end

--- Kills the round bullets that touch a circle.
---@param x number
---@param y number
---@param r number
---@return integer killed
function Bullets:killCircle(x, y, r) end

--- Kills all bullets of the pool.
---@return integer killed
function Bullets:clear() end

---@return integer alive lasers included
function Bullets:count() end

--- The state of a bullet, nil for a dead one. A laser has its first point as x, y and half its
--- width as radius. `age` is in seconds.
---@param bullet integer
---@return number? x, number? y, number? vx, number? vy, number? radius, integer? tag, number? ax, number? ay, number? age
function Bullets:get(bullet) end

---@param bullet integer
---@return integer? tag nil for a dead bullet
function Bullets:tag(bullet) end
