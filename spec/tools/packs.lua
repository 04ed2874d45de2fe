-- Writes a file of random games as strings, and of films of scenes. If the file exists, continues
-- each game instead, and checks that it goes on as it did where the file was written, and that
-- films show the same as there.
--   lua spec/tools/packs.lua FILE

local collide = require "collide"
local filmFile = require "collide.film.file"
local films = require "collide.film"
local files = require "collide.files"
local scenes = require "collide.scene"
local random = require "spec.support.random"
local saved_play = require "spec.support.saved_play"

local GAMES, FRAMES = random.rounds(50), 16
local path = arg[1]

local function hex(text)
  return (text:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

local function unhex(text)
  return (text:gsub("%x%x", function(c) return string.char(tonumber(c, 16)) end))
end

-- Writes lines of: a seed, the number of frames that are left, a game, and how it ends.
local function write()
  local lines = {}
  for seed = 1, GAMES do
    local rng = random.new(seed)
    local at, inside = rng:int(FRAMES - 4), rng:chance(0.5) and rng:int(12) or nil
    local game = saved_play.new(collide, seed)
    game:play(FRAMES, at, inside)
    lines[seed] = ("%d %d %s %s\n"):format(seed, FRAMES - at, hex(game.taken:pack()),
      hex(game:pack()))
  end
  for _, name in ipairs { "tank", "danmaku", "polygons" } do
    local scene = scenes.load(("examples/scenes/%s.lua"):format(name))
    local film = films.new(scene.world)
    for _ = 1, 40 do scenes.step(scene) end
    lines[#lines + 1] = ("film %s %s\n"):format(hex((films._textOf(film))),
      scene.world:snapshot():hash())
  end
  assert(files.write(path, table.concat(lines)))
end

local function read(text)
  local count = 0
  for seed, left, packed, ending in text:gmatch "(%d+) (%d+) (%x+) (%x+)\n" do
    local game = saved_play.unpack(collide, tonumber(seed), unhex(packed))
    game:play(tonumber(left))
    if hex(game:pack()) ~= ending then error(("seed %s ends otherwise"):format(seed), 0) end
    count = count + 1
  end
  assert(count == GAMES)
  for packed, hash in text:gmatch "film (%x+) (%d+)\n" do
    local film = assert(filmFile.read(unhex(packed)))
    local stage = filmFile.stage(film)
    stage:show(#film.frames)
    assert(stage.world:snapshot():hash() == hash, "a film ends otherwise")
    count = count + 1
  end
  assert(count == GAMES + 3)
end

local text = files.read(path)
if text then read(text) else write() end
