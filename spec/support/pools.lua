-- Worlds with pools of bullets that record their callbacks.
local collide = require "collide"
local expect = require "spec.support.expect"

local M = {}

local dot = collide.circle(5)

--- Checks that the first numbers of `...` are those in `want`.
function M.near(want, ...)
  local got = {}
  for i = 1, #want do got[i] = (select(i, ...)) end
  expect.near(want, got)
end

--- A world, and a pool in it that logs its callbacks.
function M.noting(options)
  local world, log = collide.newWorld(), {}
  options.capacity = options.capacity or 20
  options.radius = options.radius or 2
  local function note(what)
    return function(_, bullet, actor)
      log[#log + 1] = what .. " " .. bullet .. (actor and " " .. actor.name or "")
    end
  end
  for _, what in ipairs { "hit", "graze", "expired" } do
    if options[what] == nil then options[what] = note(what) end
    if options[what] == false then options[what] = nil end
  end
  return world, world:newBullets(options), log
end

function M.target(world, name, x, y, shape)
  return world:add { name = name, x = x, y = y, shape = shape or dot }
end

--- A world with a pool that logs its hits; their result is that of `answer`.
function M.answering(answer, options)
  local world, log = collide.newWorld(), {}
  options = options or {}
  options.capacity, options.radius = options.capacity or 20, options.radius or 2
  function options.hit(pool, bullet, actor, nx, ny, t, x, y, other)
    log[#log + 1] = { bullet = bullet, actor = actor, nx = nx, ny = ny, t = t, x = x, y = y,
      other = other, state = { pool:get(bullet) } }
    if type(answer) == "function" then return answer(pool, bullet, actor, #log) end
    return answer
  end
  return world, world:newBullets(options), log
end

function M.wall(world, x, y, shape, fields)
  local actor = fields or {}
  actor.x, actor.y, actor.shape = x, y, shape
  return world:add(actor)
end

return M
