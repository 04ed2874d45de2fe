-- Scripts for the monkey: lists of { name of an operation, number }, drawn from a seed.
local random = require "spec.support.random"

local M = {}

-- The weights of operations that are drawn more often, since nothing happens without them.
local OFTEN = { ["world:add"] = 12, ["world:step"] = 10, ["world:update"] = 8, ["world:move"] = 4,
  ["world:remove"] = 3, ["world:snapshot"] = 3, ["world:restore"] = 3, ["character:move"] = 5,
  ["pool:spawn"] = 4, ["world:newCharacter"] = 2, ["world:newBullets"] = 2,
  ["bump.newworld:add"] = 4, ["bump.newworld:check"] = 2, ["bump.newworld:move"] = 2,
  actor = 6, change = 14, collect = 2, forget = 1, asleep = 5, wake = 4, look = 3 }
local FIRST = { "collide.newWorld", "collide.rectangle", "collide.circle", "collide.polygon",
  "collide.newGrid", "collide.newGrid", "collide.tiles", "collide.newBitmap", "bump.newWorld",
  "bump.newworld:add", "bump.newworld:add",
  "actor", "actor", "actor", "actor", "actor", "actor", "world:add", "world:add", "world:add",
  "world:add", "world:newBullets", "pool:spawnRing", "world:newCharacter", "world:snapshot" }

-- The operations that callbacks prefer.
local MISCHIEF = { "world:add", "world:remove", "world:remove", "world:clear", "world:step",
  "world:update", "world:move", "world:turn", "world:carry", "world:teleport", "world:refresh",
  "world:snapshot", "world:restore", "character:move", "pool:spawn", "pool:clear", "pool:remove" }

local urn = {}

--- Sets the operations that are drawn: calls of these entries of the interface, and others.
function M.fill(entries)
  local names = {}
  for _, entry in ipairs(entries) do names[#names + 1] = entry.name end
  for _, name in ipairs { "actor", "asleep", "change", "collect", "forget", "look", "wake" } do
    names[#names + 1] = name
  end
  for _, name in ipairs(names) do
    for _ = 1, OFTEN[name] or 1 do urn[#urn + 1] = name end
  end
end

--- Draws the name of an operation.
function M.draw(rng)
  return #urn > 0 and rng:pick(urn) or "collect"
end

--- Draws the name of an operation for a callback.
function M.drawMischief(rng)
  return #urn > 0 and rng:chance(0.6) and rng:pick(MISCHIEF) or M.draw(rng)
end

--- The script of a seed, with `count` operations.
function M.new(seed, count)
  local rng, script = random.new(seed), {}
  for i = 1, count do
    local name = FIRST[i] or M.draw(rng)
    script[i] = { name, rng:int(1000000) }
  end
  return script
end

return M
