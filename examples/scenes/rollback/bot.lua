-- A bot: it looks at a copy of the game, and chooses the keys to hold.

local duel = require "rollback.duel"

local M = {}

-- The rival is in the line of fire if it is nearer than this on an axis.
local LINE = 14

local function sign(v, least)
  return v > least and 1 or v < -least and -1 or 0
end

---@class rollback.Mind
---@field input integer what it holds now
---@field left integer frames until it thinks again

---@return rollback.Mind
function M.new()
  return { input = duel.IDLE, left = 0 }
end

--- The input of ship `me` for the next frame.
---@param mind rollback.Mind
---@param game rollback.Game
---@param me integer
---@param source collide.Scene|collide.Random of random numbers
---@return integer
function M.input(mind, game, me, source)
  mind.left = mind.left - 1
  if mind.left >= 0 then return mind.input end
  local ship, rival = game.ships[me], game.ships[3 - me]
  local dx, dy = rival.x - ship.x, rival.y - ship.y
  local towardsX, towardsY = sign(dx, LINE), sign(dy, LINE)
  mind.left = source:random(5, 18)
  local plan = source:random(4)
  if plan == 1 then
    mind.input = duel.input(source:random(-1, 1), source:random(-1, 1), false)
  elseif plan == 2 then -- round the rival
    local turn = 2 * source:random(2) - 3
    mind.input = duel.input(-turn * towardsY, turn * towardsX, source:random(2) == 1)
  else
    mind.input = duel.input(towardsX, towardsY, true)
  end
  return mind.input
end

return M
