-- The type checker in spec/support, a substitute for a language server: it accepts correct calls,
-- and finds mistakes at their lines.
local readme = require "spec.support.readme"
local annotations = require "spec.support.annotations"
local random = require "spec.support.random"
local sources = require "spec.support.sources"
local typecheck = require "spec.support.typecheck"

local db = annotations.read(sources.list "lua")

local SAMPLE = "spec/support/samplegame.lua"

-- The checker's complaints about a text in which `old` is replaced by `new`.
local function complaints(path, text, old, new)
  if old then
    local from, to = text:find(old, 1, true)
    assert(from, old)
    text = text:sub(1, from - 1) .. new .. text:sub(to + 1)
  end
  local own = { classes = setmetatable({}, { __index = db.classes }), aliases = db.aliases,
    modules = db.modules }
  return typecheck.check(own, path, text, annotations.add(own, path, text))
end

describe("a type checker that uses the annotations", function()
  it("accepts a game that uses much of the interface", function()
    assert.same({}, complaints(SAMPLE, sources.read(SAMPLE)))
  end)

  it("accepts the READMEs' examples and the scenes", function()
    local n = 0
    local function check(path, text)
      n = n + 1
      assert.same({}, complaints(path, text))
    end
    for _, path in ipairs(readme.DOCUMENTS) do
      for example in sources.read(path):gmatch "```lua\n(.-)```" do check(path, example) end
    end
    for _, path in ipairs(sources.list "examples/scenes") do check(path, sources.read(path)) end
    assert.is_true(n > 40)
  end)

  it("finds each of these mistakes", function()
    local text = sources.read(SAMPLE)
    local mistakes = {
      { "world:update(dt)", "world:updat(dt)", "collide.World has no updat" },
      { "world:update(dt)", "world.update(dt)", "update is called with a dot: it takes a colon" },
      { "world:update(dt)", "world:update()", "update: dt is missing" },
      { "world:update(dt)", "world:update('dt')", 'dt expected (number), got "dt"' },
      { "width = 320", "widht = 320", "collide.Options has no field widht" },
      { "strict = true", "strict = 1", "strict: boolean|nil expected, got number" },
      { "capacity = 20, ", "", "collide.BulletOptions lacks capacity" },
      { 'nx * nx + ny * ny', "pool * nx", "arithmetic on collide.Bullets" },
      { '"bounce" or nil', '"bonuce" or nil', 'expected, got "bonuce"' },
      { "pool:tag(bullet)", "pool:tag(actor)", "tag: bullet expected (integer), got" },
      { "collide.circle(8)", "collide.circle(8, 1, 2, 3)", "circle takes 3 arguments, got 4" },
      { "collide.circle(8)", "collide.newGrid(1, 1)", "got collide.Grid" },
      { "{ stepHeight = 4", "{ stepHeigth = 4", "has no field stepHeigth" },
      { 'contact.depth', "contact.deep", "collide.Contact has no deep" },
      { "hit.t + ", "hit.time + ", "collide.MoveHit has no time" },
      { '"touch")', '"tuch")', "response expected" },
      { "hero.vx, hero.vy = game.character:move(60", "hero.vx, hero.vy = game.character:walk(60",
        "collide.Character has no walk" },
      { "vx = 0, vy = 0, coins", "vx = '0', vy = 0, coins", 'vx: number expected, got "0"' },
      { "cols[1].normal.x", "cols[1].norm.x", "collide.bump.Collision has no norm" },
      { "snapshot:hash()", "snapshot:hsah()", "collide.Snapshot has no hsah" },
      { "collide.tiles(map", "collide.tile(map", "collide has no tile" },
    }
    for i = 1, random.crowd(#mistakes) do
      local mistake = mistakes[i]
      local found = complaints(SAMPLE, text, mistake[1], mistake[2])
      assert.equal(1, #found, mistake[2] .. ": " .. table.concat(found, "; "))
      assert.matches(mistake[3], found[1], 1, true)
    end
  end)

  it("is tested on a game that runs", function()
    local samplegame = require "spec.support.samplegame"
    local game = samplegame.new()
    for _ = 1, 120 do samplegame.play(game, 1 / 60) end
    assert.is_true(game.hero.coins > 0 and game.foe.life < 3)
    assert.is_true(samplegame.look(game) > 0)
    local steps, _, same = samplegame.rewind(game, 1 / 60)
    assert.same({ 1, true }, { steps, same })
    assert.same({ 30, -1 }, { samplegame.bump() })
  end)
end)
