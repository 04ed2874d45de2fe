-- Records the bullets and lasers of a replay.

local core = require "collide.core"
local packing = require "collide.scene.packing"
local shapes = require "collide.scene.replayshapes"

local floor = math.floor
local count, signed, block = packing.count, packing.signed, packing.block

local M = {}

local function round(value)
  return floor(value + 0.5)
end

--- Makes the state of a replay's pools.
---@param units number units per world unit
---@param pictures table the replay's shapes
---@return table
function M.new(units, pictures)
  return { list = {}, entries = {}, units = units, shapes = pictures }
end

local function noteLasers(self, out, pool, isLaser)
  local before, now, gone, added, i = pool.lasers, {}, {}, {}, 1
  local bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, 0)
  while bullet do
    isLaser[bullet] = true
    while before[i] and before[i].bullet < bullet do
      gone[#gone + 1] = i
      i = i + 1
    end
    local same = before[i] and before[i].bullet == bullet and before[i]
    if same and same.x == x and same.y == y and same.hot == hot then
      now[#now + 1] = same
    else
      if same then gone[#gone + 1] = i end
      local laser = { bullet = bullet, x = x, y = y, hot = hot,
        shape = same and same.shape or shapes.add(self.shapes, shape) }
      now[#now + 1] = laser
      added[#added + 1] = laser
    end
    if same then i = i + 1 end
    bullet, x, y, shape, hot = core.bullets.nextLaser(pool.pool, bullet)
  end
  for k = i, #before do gone[#gone + 1] = k end
  pool.lasers = now
  packing.list(out, gone, #added)
  for _, laser in ipairs(added) do
    count(out, laser.shape)
    signed(out, round(laser.x * self.units))
    signed(out, round(laser.y * self.units))
    count(out, laser.hot and 1 or 0)
  end
end

local function writePool(self, out, pool)
  local isLaser = {}
  noteLasers(self, out, pool, isLaser)
  local before, now, gone, added, i = pool.bullets, {}, {}, 0, 1
  local xs, ys, radii, n = {}, {}, {}, 0
  pool.pool:each(function(bullet, x, y, _, _, radius)
    if isLaser[bullet] then return end
    while before[i] and before[i].bullet < bullet do
      gone[#gone + 1] = i
      i = i + 1
    end
    local track = before[i]
    if track and track.bullet == bullet then
      i = i + 1
    else
      track = packing.newTrack()
      track.bullet, track.radius = bullet, 0
      added = added + 1
    end
    n = n + 1
    now[n] = track
    local size = round((radius - pool.pool.radius) * self.units)
    xs[n] = packing.follow(track, "x", "x2", round(x * self.units))
    ys[n] = packing.follow(track, "y", "y2", round(y * self.units))
    radii[n] = size - track.radius
    track.radius, track.isOld = size, true
  end)
  for k = i, #before do gone[#gone + 1] = k end
  pool.bullets = now
  packing.list(out, gone, added)
  block(out, xs, n)
  block(out, ys, n)
  block(out, radii, n)
end

--- Writes the pools of a world in one frame.
---@param self table from M.new
---@param out string[]
---@param world collide.World
function M.write(self, out, world)
  local pools = world:pools()
  for _, pool in ipairs(pools) do
    if not self.entries[pool] then
      self.entries[pool] = { pool = pool, bullets = {}, lasers = {}, number = #self.list + 1 }
      self.list[#self.list + 1] = { radius = pool.radius }
    end
  end
  count(out, #pools)
  for _, pool in ipairs(pools) do
    count(out, self.entries[pool].number - 1)
    writePool(self, out, self.entries[pool])
  end
end

return M
