-- collide: collision detection. This is the public table; see README.md.

local require = require(((...):match "^(.-)[./]init$" or ...) .. ".relative")
if require.root ~= ... then return require "collide" end

local core = require "collide.core"
local check = require "collide.check"
local grids = require "collide.grids"
local random = require "collide.random"
local reader = require "collide.world.reader"
local world = require "collide.world"

---@class collide
---@field _VERSION string name and version, as "collide 1.2.3", or "collide scm" between releases
local M = {
  _VERSION = "collide " .. core.VERSION,
  rectangle = core.rectangle,
  newPlan = core.newPlan,
  circle = core.circle,
  capsule = core.capsule,
  segment = core.segment,
  polygon = core.polygon,
  chain = core.chain,
  compound = core.compound,
  tiles = grids.tiles,
  gridRay = grids.gridRay,
  gridRay3 = grids.gridRay3,
  newGrid = grids.newGrid,
  newBitmap = grids.newBitmap,
  newWorld = world.newWorld,
  sin = core.sin,
  cos = core.cos,
  atan2 = core.atan2,
}

--- Whether two placed tables (any with shape, x, y and optionally angle) overlap: returns nil, or
--- the unit vector along which `a` gets free, and how far it has to go.
---@param a collide.Placed
---@param b collide.Placed
---@param touching boolean? sharing only a boundary counts
---@return number? nx, number? ny, number? depth
function M.overlap(a, b, touching, ...)
  core.checkDot(a, "collide.overlap")
  local shapeA, xA, yA, angleA, shapeB, xB, yB, angleB =
    reader.pair("collide.overlap", a, b, reader.NAMES)
  if touching ~= nil then check.boolean("collide.overlap", "touching", touching) end
  check.noMore("collide.overlap", "two placed tables and a boolean", 3, ...)
  return core.overlap(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, touching)
end

--- The distance between two placed tables, 0 when they overlap or touch, and the point of each that
--- is nearest to the other.
---@param a collide.Placed
---@param b collide.Placed
---@return number distance, number ax, number ay, number bx, number by
function M.distance(a, b, ...)
  core.checkDot(a, "collide.distance")
  local shapeA, xA, yA, angleA, shapeB, xB, yB, angleB =
    reader.pair("collide.distance", a, b, reader.NAMES)
  check.noMore("collide.distance", "two placed tables", 2, ...)
  return core.distance(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB)
end

--- Makes a generator of random numbers, the same on every Lua and machine.
---@param seed integer within ±2^53
---@return collide.Random
function M.newRandom(seed, ...)
  core.checkDot(seed, "collide.newRandom")
  check.noMore("collide.newRandom", "a seed", 1, ...)
  return random.new("collide.newRandom", seed)
end

core.setModule(M)

return M
