-- Small levels for characters: solids, a hero, and frames like those of a game.
local collide = require "collide"

local M = {}

M.FRAME, M.GRAVITY = 1 / 60, 900

--- A static actor with a name, and `extra` fields.
function M.solid(world, name, x, y, shape, extra)
  local actor = { name = name, x = x, y = y, shape = shape, static = true }
  for key, value in pairs(extra or {}) do actor[key] = value end
  return world:add(actor)
end

--- A box of side 16 with a character; its bottom left corner is at x, y.
---@return collide.Character character
---@return table actor
function M.hero(world, x, y, options)
  local actor = world:add { name = "hero", x = x, y = y - 16, shape = collide.rectangle(16, 16) }
  return world:newCharacter(actor, options), actor
end

--- Runs a character as a game does, with the given vx, and gravity in every frame. After each frame
--- `each(frame, vx, vy)` gets the velocity that is left. Returns the last vy.
function M.run(character, vx, frames, each, vy)
  vy = vy or 0
  for frame = 1, frames do
    local left
    left, vy = character:move(vx, vy + M.GRAVITY * M.FRAME, M.FRAME)
    if each then each(frame, left, vy) end
  end
  return vy
end

--- A function for `run` that fails when the character is not on that floor.
function M.floored(character, floor)
  return function(frame)
    if character.floor ~= floor then
      local name = character.floor and character.floor.name or "nothing"
      error(("frame %d: on %s"):format(frame, name))
    end
  end
end

return M
