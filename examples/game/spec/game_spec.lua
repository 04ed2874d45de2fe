-- Plays the game without a window, with keys that are held in certain frames. In the game's folder,
-- run: busted --lua=luajit
local folder = debug.getinfo(1, "S").source:match "^@(.*)spec[/\\]"
package.path = ("%s?.lua;%s?/init.lua;"):format(folder, folder) .. package.path

require "collide.assertions"
local films = require "collide.film"
local keys = require "collide.keys"
local rules = require "rules"

-- The keys that take the hero to the flag.
local WAY = [[
1-440 right
180-181 shoot
292-320 jump
345-346 shoot
375-395 jump
425-450 jump
440-452 right
466-480 right
505-506 shoot
515-548 right
566-584 right
700-772 right
715-735 jump
855-869 right
1010-1055 right
1030-1060 jump
1056-1350 right
1072-1073 shoot
1170-1190 jump
1226-1227 shoot
]]

-- Plays until the game is over, for at most `most` frames. Returns the last frame played.
local function play(game, script, most, check)
  game.keys = keys.script(script)
  for frame = 1, most do
    game:update(1 / 60)
    if check then check(frame) end
    if game.state ~= "playing" then return frame end
  end
end

describe("the game", function()
  local game
  before_each(function() game = rules.new(folder .. "map.lua", keys.script "") end)

  -- The number of actors of a class that are left.
  local function count(class)
    local n = 0
    for _, actor in ipairs(game.map:byClass(class)) do
      if game.world:has(actor) then n = n + 1 end
    end
    return n
  end

  it("is won at the flag, and no hero or enemy is ever inside the ground or a lift", function()
    local solids, walkers = game.map:byClass "lift", game.map:byClass "enemy"
    walkers[#walkers + 1] = game.hero
    solids[#solids + 1] = game.map:find "ground"
    local frame = play(game, WAY, 1500, function(frame)
      for _, walker in ipairs(frame % 10 == 0 and walkers or {}) do
        for _, solid in ipairs(solids) do
          if game.world:overlap(walker, solid) then
            error(("frame %d: %s at %g, %g is in the ground"):format(frame, walker.type, walker.x,
              walker.y))
          end
        end
      end
    end)
    assert.equal("won", game.state)
    assert.equal(1237, frame)
    assert.equal(0, count "enemy")
    assert.equal(game.total - count "coin", game.coins)
    assert.equal(13, game.coins)
  end)

  it("replays from the keys in its film, to the same end", function()
    local path, held = os.tmpname(), keys.script(WAY)
    game.keys = held
    local film = films.new(game.world)
    film:input(held)
    repeat game:update(1 / 60) until game.state ~= "playing"
    film:save(path)
    local loaded, again = films.load(path), rules.new(folder .. "map.lua", keys.script "")
    os.remove(path)
    local first, last = loaded:range()
    assert.equal(600, last - first + 1)
    assert.equal(last, play(again, loaded:input(), 1500))
    assert.equal("won", again.state)
    assert.equal(game.world:hash(), again.world:hash())
  end)

  it("takes a heart when the hero runs into an enemy, and is lost with the last one", function()
    local enemy = game.map:byClass "enemy"[1]
    play(game, "1-600 right", 199)
    assert.overlaps(game.hero, enemy)
    assert.equal(2, game.hearts)
    game.hearts = 1
    local function meet()
      game.world:teleport(game.hero, enemy.x, enemy.y - 400)
      play(game, "", 1)
      game.world:teleport(game.hero, enemy.x, enemy.y)
      game.hero.vy = 0
      return play(game, "", 1)
    end
    assert.is_nil(meet())
    game.hero.safe = 0
    assert.equal(1, meet())
    assert.equal("lost", game.state)
    local x = game.hero.x
    game:finish "won"
    play(game, "1-9 left", 9)
    assert.equal("lost", game.state)
    assert.equal(x, game.hero.x)
  end)

  it("is lost if the hero falls into a pit", function()
    game.world:teleport(game.hero, 36 * 16, 10 * 16)
    play(game, "", 60)
    assert.equal("lost", game.state)
    assert.is_true(game.hero.y > game.map.height)
  end)

  it("is lost if the hero stands on spikes", function()
    game.world:teleport(game.hero, 46 * 16, 10 * 16)
    play(game, "", 60)
    assert.equal("lost", game.state)
    assert.is_true(game.hero.y < game.map.height)
  end)

  it("lets the hero jump on enemies", function()
    local enemy = game.map:byClass "enemy"[1]
    game.world:teleport(game.hero, enemy.x, enemy.y - 40)
    play(game, "", 40, function() game.hero.x = enemy.x end)
    assert.equal("playing", game.state)
    assert.is_false(game.world:has(enemy))
  end)

  it("lets the hero stand on planks, jump up through them and drop down", function()
    local planks = game.map:find "planks"
    game.world:teleport(game.hero, 51 * 16, 10 * 16)
    play(game, "5-40 jump", 80)
    assert.equal(planks, game.hero.character.floor)
    play(game, "1-1 down", 60)
    assert.equal("ground", game.hero.character.floor.name)
  end)
end)
