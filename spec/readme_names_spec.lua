-- Every name of the interface that a document mentions exists: `world:step`, `collide.circle`,
-- `pool.radius`. A name counts wherever it is written, in text, tables and examples.
local collide = require "collide"
local bump = require "collide.bump"
local maps = require "spec.support.tiledmaps"
local scenes = require "collide.scene"
local tiled = require "collide.tiled"
local view = require "collide.love"

local DOCUMENTS = { "README.md", "lua/README.md", "examples/README.md", "spec/bench/README.md",
  "csrc/README.md", "CHANGELOG.md" }

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function nothing() end
local world = collide.newWorld { width = 100, height = 100 }
local actor = world:add { name = "actor", x = 0, y = 0, angle = 0, shape = collide.rectangle(8, 8),
  vx = 0, vy = 0, update = nothing, enter = nothing, hit = nothing, leave = nothing,
  draw = nothing, save = nothing, load = nothing, static = false }
local pool = world:newBullets { capacity = 8, radius = 1, hit = nothing, graze = nothing,
  expired = nothing }
local scene = scenes.load { width = 100, height = 100, input = "1 up" }
scene:run(1)

local map = tiled.load(maps.map { maps.tiles { { 1 } }, maps.objects { maps.object { name = "coin",
  type = "coin", gid = 1, width = 16, height = 16, properties = { group = "item" } } } })

-- What only the file of a scene has.
local OWN = { check = true, draw = true, load = true, save = true, setup = true, update = true,
  input = true, params = true }

-- The words that a name may begin with, and what has such names.
local KNOWN = {
  collide = { collide },
  world = { world, bump.newWorld(64) },
  shape = { collide.circle(1) },
  grid = { collide.newGrid(2, 2) },
  bitmap = { collide.newBitmap(2, 2) },
  pool = { pool },
  snapshot = { world:snapshot() },
  character = { world:newCharacter(actor), { floor = true, wall = true, ceiling = true,
    floorVx = true, floorVy = true, floorNx = true, floorNy = true, floorValue = true } },
  canvas = { require("collide.canvas").new {} },
  view = { view },
  bump = { bump },
  scenes = { scenes },
  scene = { scene, OWN },
  actor = { actor, map:find "ground", map:find "coin" },
  tiled = { tiled },
}

-- Whether something that is called `word` has this name.
local function exists(word, name)
  for _, thing in ipairs(KNOWN[word]) do
    if thing[name] ~= nil then return true end
  end
  return word == "collide" and (pcall(require, "collide." .. name))
end

describe("names in documents", function()
  for _, path in ipairs(DOCUMENTS) do
    it("exist, in " .. path, function()
      local unknown, number = {}, 0
      for line in contents(path):gmatch "([^\n]*)\n" do
        number = number + 1
        for before, word, name, after in line:gmatch "()%f[%w_](%l+)[:.](%a%w*)()" do
          -- A file's name, or a part of a longer one.
          local left, right = line:sub(before - 1, before - 1), line:sub(after, after)
          local part = left:match "[%w_./\"'-]" or right:match "[/-]"
            or name == "lua" or name == "h"
          if KNOWN[word] and not part and not exists(word, name) then
            unknown[#unknown + 1] = ("%s:%d: %s"):format(path, number, line:sub(before, after - 1))
          end
        end
      end
      assert.same({}, unknown)
    end)
  end
end)
