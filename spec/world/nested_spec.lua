-- Actors whose x, y and angle are in a table of their own: fields = { at = "position" }.
local collide = require "collide"
local expect = require "spec.support.expect"
local maps = require "spec.support.tiledmaps"
local random = require "spec.support.random"
local replay = require "collide.scene.replay"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"
local texts = require "collide.scene.text"
local tiled = require "collide.tiled"
local trace = require "collide.scene.trace"

local raises = expect.raises
local unpack = table.unpack or unpack -- luacheck: ignore

-- Two worlds with the same actors, one plain, one with tables for the places. The same calls must
-- have the same results in both.
local SHAPES = { collide.rectangle(-5, -5, 10, 10), collide.circle(5),
  collide.polygon(-6, 4, 6, 4, 0, -7), collide.capsule(-4, 0, 4, 0, 3) }

local Twins = {}
Twins.__index = Twins

local function newTwins(seed)
  local self = setmetatable({ rng = random.new(seed), list = {}, made = 0 }, Twins)
  self.plain = collide.newWorld { strict = true }
  self.nested = collide.newWorld { strict = true,
    fields = { at = "at", x = "left", angle = "turn" } }
  return self
end

-- Sets the places of a pair of actors; sometimes in a new table.
local function put(self, pair, x, y, angle)
  local plain, nested = pair[1], pair[2]
  plain.x, plain.y, plain.angle = x, y, angle
  if not nested.at or self.rng:chance(0.3) then nested.at = {} end
  nested.at.left, nested.at.y, nested.at.turn = x, y, angle
end

-- A value of one world in a form that both share: actors as their numbers.
local function form(value)
  if type(value) ~= "table" then return value end
  if value.number then return "actor " .. value.number end
  local copy = {}
  for key, part in pairs(value) do copy[key] = form(part) end
  return copy
end

-- The result of a call in both worlds, which must be the same.
local function both(self, f)
  local results = {}
  for i, world in ipairs { self.plain, self.nested } do
    local function one(pair) return pair and pair[i] end
    results[i] = { f(world, one) }
  end
  assert.same(form(results[1]), form(results[2]))
end

local function compare(self)
  for _, pair in ipairs(self.list) do
    local plain, at = pair[1], pair[2].at
    assert.is_true(plain.x == at.left and plain.y == at.y and plain.angle == at.turn)
    assert.is_nil(pair[2].x)
  end
  assert.equal(self.plain:hash(), self.nested:hash())
end

local CALLS = {}

function CALLS.add(self)
  if #self.list > 25 then return end
  self.made = self.made + 1
  local rng, pair = self.rng, { {}, {} }
  put(self, pair, rng:int(0, 80), rng:int(0, 80), rng:chance(0.3) and rng:float(-3, 3) or nil)
  local shape, static = rng:pick(SHAPES), rng:chance(0.3) or nil
  for _, actor in ipairs(pair) do
    actor.number, actor.shape, actor.static = self.made, shape, static
    actor.hit = function(one, other, nx, ny, depth)
      table.insert(actor, { one.number, other.number, nx, ny, depth })
    end
  end
  table.insert(self.list, pair)
  both(self, function(world, one) world:add(one(pair)) end)
end

function CALLS.remove(self, pair)
  if self.rng:chance(0.7) then return end
  for i, other in ipairs(self.list) do
    if other == pair then table.remove(self.list, i) end
  end
  both(self, function(world, one) return world:remove(one(pair)) end)
end

function CALLS.step(self)
  local rng = self.rng
  for _, pair in ipairs(self.list) do
    if not pair[1].static and rng:chance(0.5) then
      put(self, pair, rng:float(0, 80), rng:int(0, 80), pair[1].angle)
    end
  end
  both(self, function(world) world:step() end)
  for _, pair in ipairs(self.list) do
    local plain, nested = pair[1], pair[2]
    assert.same({ unpack(plain) }, { unpack(nested) }) -- the calls of hit
  end
end

function CALLS.refresh(self, pair)
  put(self, pair, self.rng:int(0, 80), self.rng:int(0, 80), self.rng:float(-1, 1))
  both(self, function(world, one) world:refresh(one(pair)) end)
end

function CALLS.teleport(self, pair)
  local x, y, angle = self.rng:int(0, 80), self.rng:int(0, 80), self.rng:float(-1, 1)
  both(self, function(world, one) world:teleport(one(pair), x, y, angle) end)
end

function CALLS.move(self, pair)
  local rng = self.rng
  local dx, dy = rng:int(-30, 30), rng:int(-30, 30)
  local response = rng:pick { "slide", "push", "bounce" }
  local asks, checks = rng:chance(0.3), rng:chance(0.3)
  both(self, function(world, one)
    local filter = asks and function(actor) return actor.number % 3 > 0 end or nil
    return (checks and world.check or world.move)(world, one(pair), dx, dy, filter, response)
  end)
end

function CALLS.carry(self, pair)
  local dx, dy = self.rng:int(-9, 9), self.rng:int(-9, 9)
  both(self, function(world, one) return world:carry(one(pair), dx, dy) end)
  if pair[1].static then both(self, function(world, one) world:refresh(one(pair)) end) end
end

function CALLS.walk(self, pair)
  if pair[1].static then return end
  local vx, vy = self.rng:int(-60, 60), self.rng:int(-60, 90)
  both(self, function(world, one)
    local actor = one(pair)
    actor.character = actor.character or world:newCharacter(actor,
      { stepHeight = 4, response = "push" })
    local c = actor.character
    local leftX, leftY = c:move(vx, vy, 0.1)
    return leftX, leftY, c.floor, c.wall, c.ceiling, c.crushed, c.n
  end)
end

function CALLS.ask(self, pair)
  local other = self.rng:pick(self.list)
  both(self, function(world, one)
    local a, b = one(pair), one(other)
    local list = { world:queryShape(a), world:overlap(a, b), world:fits(a), world:explain(a, b) }
    return list, world:shapeCast(a, 20, -9)
  end)
  both(self, function(world, one) return world:distance(one(pair), one(other)) end)
end

function CALLS.restore(self)
  local snapshots = { self.plain:snapshot(), self.nested:snapshot() }
  assert.equal(snapshots[1]:hash(), snapshots[2]:hash())
  CALLS.step(self)
  for _, pair in ipairs(self.list) do CALLS.move(self, pair) end
  if self.rng:chance(0.5) then
    both(self, function(world) world:restore(snapshots[world == self.plain and 1 or 2]) end)
    return
  end
  local text = snapshots[1]:pack()
  assert.equal(text, snapshots[2]:pack())
  both(self, function(world, one)
    world:restore(text, function(i)
      return one(self.list[i]) or { shape = SHAPES[1], at = {} } -- the last are removed ones
    end)
  end)
end

describe("places in separate tables", function()
  for seed = random.seed(), random.seed() + random.rounds(20) - 1 do
    it("give the same results as places in actors, seed " .. seed, function()
      local self, names = newTwins(seed), {}
      for name in pairs(CALLS) do names[#names + 1] = name end
      table.sort(names)
      for _ = 1, 60 do
        local pair = #self.list > 0 and self.rng:pick(self.list)
        local name = pair and self.rng:pick(names) or "add"
        CALLS[name](self, pair)
        compare(self)
      end
    end)
  end
end)

describe("a table with a place", function()
  local box = SHAPES[1]
  local world, wall, hero, character

  before_each(function()
    world = collide.newWorld { fields = { at = "position" }, strict = true }
    wall = world:add { name = "wall", position = { x = 0, y = 30 }, shape = box, static = true }
    hero = world:add { name = "hero", position = { x = 0, y = 0 }, shape = box }
    character = world:newCharacter(hero)
    world:step()
  end)

  it("may be replaced, also while the actor moves", function()
    local first = hero.position
    hero.position = { x = 50, y = 60 }
    world:step()
    assert.equal(hero, world:queryPoint(50, 60)[1])
    hero.position = { x = 0, y = 10 }
    local old = hero.position
    world:move(hero, 0, 50, function()
      hero.position = { x = 0, y = 10 }
      return true
    end)
    assert.same({ { x = 0, y = 20 }, { x = 0, y = 10 }, { x = 0, y = 0 } },
      { hero.position, old, first })
  end)

  it("must exist: each call that needs it raises without it, and changes nothing", function()
    local snapshot, hash = world:snapshot(), world:hash()
    local at = hero.position
    local calls = {
      ["world:step"] = { world.step, world }, ["world:refresh"] = { world.refresh, world, hero },
      ["world:move"] = { world.move, world, hero, 1, 1 },
      ["world:check"] = { world.check, world, hero, 1, 1 },
      ["world:carry"] = { world.carry, world, hero, 1, 1 },
      ["world:teleport"] = { world.teleport, world, hero, 1, 1 },
      ["character:move"] = { character.move, character, 1, 1, 0.1 },
      ["world:snapshot"] = { world.snapshot, world },
      ["world:restore"] = { world.restore, world, snapshot },
    }
    for _, bad in ipairs { "none", "text", 5, true } do
      hero.position = bad ~= "none" and bad or nil
      for name, call in pairs(calls) do
        raises(name .. ': actor 2 "hero" (at nil, nil): position expected (table with x and y)',
          unpack(call))
      end
      raises("world:queryShape: placed.position expected (table with x and y), got",
        world.queryShape, world, hero)
      raises("world:add: actor (at nil, nil): position expected (table with x and y), got",
        world.add, world, { position = hero.position, shape = box, x = 1, y = 2 })
    end
    hero.position = at
    world:step()
    assert.equal(hash, world:hash())
    assert.same({ x = 0, y = 0 }, at)
  end)

  it("is named in messages about its fields", function()
    hero.position.y = "low"
    local text = 'position.y expected (finite number within ±1e12), got string "low"'
    raises({ 'world:step: actor 2 "hero" (at 0, string "low"): ', text }, world.step, world)
    raises({ "world:snapshot: ", text }, world.snapshot, world)
    raises({ "world:overlap: a.", text }, world.overlap, world, hero, wall)
    hero.position = { x = 1, y = 1, Angle = 1 }
    raises({ 'field expected (angle), got string "Angle"' }, world.refresh, world, hero)
    hero.position = { x = 1, y = 1 }
    hero.X = 5 -- not a field that the world reads
    world:refresh(hero)
    wall.position.x = 9
    raises('actor 1 "wall" (at 9, 30): position.x was changed from 0 to 9', world.step, world)
    wall.position = nil
    raises('actor 1 "wall" (at nil, nil): position expected', world.step, world)
  end)

  it("is required of the results of make before anything changes", function()
    local text = world:snapshot():pack()
    hero.position.x = 7
    world:step()
    local hash = world:hash()
    raises("world:restore: actor (at nil, nil): position expected (table with x and y), got nil",
      world.restore, world, text, function(i) return i == 1 and wall or { shape = box } end)
    assert.equal(hash, world:hash())
  end)

  it("is drawn, traced, replayed and loaded from maps like other places", function()
    local function play(at)
      local scene = scenes.load { width = 200, height = 100, world = { fields = { at = at } },
        setup = function(scene)
          for i = 1, 5 do
            local place, actor = { x = 30 * i, y = 50, angle = i / 2 }, { name = i, shape = box }
            if at then actor[at] = place end
            for key, value in pairs(at and {} or place) do actor[key] = value end
            actor.update = function()
              local holder = at and actor[at] or actor
              holder.x = 30 * i + scene.frame * (i - 3)
            end
            scene.world:add(actor)
          end
        end }
      local recorder, player = trace.recorder(scene), replay.new(scene)
      scene.world:trace(function(...) recorder:note(...) end)
      local frames = {}
      for i = 1, 6 do
        scene:run(1)
        frames[i] = recorder:finish()
        player:add()
      end
      local canvas = svg.canvas(200, 100)
      scenes.draw(scene, canvas)
      return frames, player:data(), canvas.text()
    end
    local frames, data, picture = play()
    local nested, nestedData, nestedPicture = play "position"
    assert.same(frames, nested)
    assert.same(texts.json(data), texts.json(nestedData))
    assert.equal(picture, nestedPicture)

    local map = tiled.load(maps.map { maps.tiles { { 1 } },
      maps.objects { maps.object { x = 5, y = 7, width = 5, height = 5, rotation = 90 } } },
      { world = world })
    assert.same({ { x = 0, y = 0 }, { x = 5, y = 7, angle = math.pi / 2 } },
      { map.actors[1].position, map.actors[2].position })
  end)

  it("has a field name that is a string or false", function()
    for _, at in ipairs { 1, true, {} } do
      raises("collide.newWorld: fields.at expected (string or false), got", collide.newWorld,
        { fields = { at = at } })
    end
    local plain = collide.newWorld { fields = { at = false } }
    plain:add { x = 1, y = 2, shape = box }
    plain:step()
  end)
end)
