---@meta
-- What is called for bullets, and the methods of a pool that are made in C: for language servers;
-- nothing loads this file. The other methods are in pool.lua.

--- The bullet gets free along (nx, ny). t is the moment as a share of the step, and (x, y) the
--- bullet's centre then. With hitBullets `actor` may be another pool, and `other` a bullet of it. The
--- result decides about the bullet: "pass" lets it fly on, "bounce" reflects it, and nil leaves it
--- to `pierce`.
---@alias collide.OnBulletHit fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor|collide.Bullets, nx: number, ny: number, t: number, x: number, y: number, other: integer?): collide.BulletAnswer?

---@alias collide.BulletAnswer "pass"|"bounce"

---@alias collide.OnGraze fun(pool: collide.Bullets, bullet: integer, actor: collide.Actor)

---@alias collide.OnExpired fun(pool: collide.Bullets, bullet: integer)

---@alias collide.OnEachBullet fun(bullet: integer, x: number, y: number, vx: number, vy: number, radius: number, tag: integer)

---@class collide.Bullets
local Bullets = {}

---@param x number
---@param y number
---@param vx number world units a second
---@param vy number
---@param tag integer? 0 without
---@param ax number? world units a second, each second; 0 without
---@param ay number?
---@return integer? bullet nil when the pool is full
---@return string? why
function Bullets:spawn(x, y, vx, vy, tag, ax, ay) end

--- A bullet that flies towards a point; along x if it starts there.
---@param x number
---@param y number
---@param tx number
---@param ty number
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer? bullet, string? why
function Bullets:spawnAimed(x, y, tx, ty, speed, tag, ax, ay, radial, tangential) end

--- Bullets all round, as many as there is room for, with consecutive numbers.
---@param x number
---@param y number
---@param n integer
---@param speed number
---@param phase number? angle of the first, radians within ±2^28
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer spawned, integer? first
function Bullets:spawnRing(x, y, n, speed, phase, tag, ax, ay, radial, tangential) end

--- Bullets spread evenly from angle - spread / 2 to angle + spread / 2.
---@param x number
---@param y number
---@param n integer
---@param angle number
---@param spread number
---@param speed number
---@param tag integer?
---@param ax number?
---@param ay number?
---@param radial number? along its heading, as it is spawned, besides ax, ay
---@param tangential number? at a right angle to that: from x to y
---@return integer spawned, integer? first
function Bullets:spawnFan(x, y, n, angle, spread, speed, tag, ax, ay, radial, tangential) end

--- Without callbacks.
---@param bullet integer
---@return boolean alive false when it was dead already
function Bullets:kill(bullet) end

--- Kills the round bullets that touch a circle.
---@param x number
---@param y number
---@param r number
---@return integer killed
function Bullets:killCircle(x, y, r) end

---@return integer killed
function Bullets:clear() end

---@return integer alive lasers included
function Bullets:count() end

--- nil for a dead bullet. A laser has its first point for x, y and half of its width for a radius.
---@param bullet integer
---@return number? x, number? y, number? vx, number? vy, number? radius, integer? tag, number? ax, number? ay, number? age
function Bullets:get(bullet) end

---@param bullet integer
---@return integer? tag nil for a dead bullet
function Bullets:tag(bullet) end
