-- A random game with all its state in snapshots: even the state of the random numbers is in fields
-- of an actor. So a game that continues from a snapshot, in the same world or another one, repeats
-- the original. It adds, removes and refreshes actors, sets rules of groups, raises errors, yields
-- forever, and has bullets that hit, pass, bounce and graze, lasers, moves, carries, jumps, a
-- character and tiles.
local random = require "spec.support.random"

local M = {}

local FIELDS = { "name", "kind", "vx", "mate", "score", "state", "born", "frame" }
local GROUPS = { "red", "green", "blue" }
local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }
local BROADPHASES = { "auto", "grid", "brute", "quadtree", "incremental" }
local ANSWERS = { "pass", "bounce", "bounce" } -- or nothing
local BOOM = { "an error that is a table" }
local SIZE = 60

local Game = {}
Game.__index = Game

-- Random numbers, in the snapshot ------------------------------------------------

local function draw(game, n)
  local director = game.director
  director.state = director.state * 16807 % 2147483647
  return 1 + director.state % n
end

local function chance(game, one_in)
  return draw(game, one_in) == 1
end

local function pick(game, list)
  return list[draw(game, #list)]
end

-- The log -------------------------------------------------------------------------

local function text(value)
  if type(value) == "number" then return ("%.17g"):format(value) end
  return type(value) == "table" and (value.name or "a table") or tostring(value)
end

local function note(game, ...)
  local line = {}
  for i = 1, select("#", ...) do line[i] = text((select(i, ...))) end
  game.log[#game.log + 1] = table.concat(line, " ")
end

-- The name of an actor; "gone" for a removed one, since a restored world does not know its name.
local function nameOf(game, actor)
  return game.world:has(actor) and actor.name or "gone"
end

-- The actors ----------------------------------------------------------------------

local Actor, Deaf = {}, {}
Actor.__index, Deaf.__index = Actor, Deaf

local function newActor(game, kind)
  local api = game.api
  local shape = game.shapes[kind]
  if kind == "map" then
    game.grid = api.newGrid(8, 8, { cell = 10, x = -10, y = -10 })
    shape = api.tiles(game.grid, { [2] = api.polygon(0, 1, 1, 0, 1, 1), [3] = false })
  end
  return setmetatable({ kind = kind, shape = shape, game = game },
    kind == "deaf" and Deaf or Actor)
end

-- The kinds that are added and removed. The director, the map and the hero stay.
local KINDS = { "box", "disc", "wall", "deaf" }
local MAY_GO = { box = true, disc = true, wall = true, deaf = true }

local function others(game)
  local list = {}
  for _, actor in ipairs(game.world:actors()) do
    if MAY_GO[actor.kind] then list[#list + 1] = actor end
  end
  return list
end

local function place(game, actor)
  actor.x, actor.y = draw(game, SIZE) - 1, draw(game, SIZE) - 1
  if chance(game, 4) then actor.angle = draw(game, 100) / 16 end
end

local function addSomebody(game)
  if game.world:count() > 20 then return end
  local director = game.director
  local kind = pick(game, KINDS)
  local actor = newActor(game, kind)
  director.born = director.born + 1
  actor.name, actor.score, actor.vx = kind .. director.born, 0, draw(game, 9) - 5
  actor.group = pick(game, GROUPS)
  actor.static, actor.swept = kind == "wall", kind ~= "wall" and chance(game, 4)
  actor.sensor, actor.oneWay = chance(game, 8), chance(game, 8)
  if director.born % 4 == 0 then actor.ignore = game.world:actors() end
  place(game, actor)
  game.world:add(actor)
  note(game, "add", actor)
end

-- Disruptions, in a callback or between two frames ------------------------------------

local mischief = {
  addSomebody,
  function(game, me)
    local actor = me and chance(game, 2) and me or pick(game, others(game))
    if actor and game.world:has(actor) and MAY_GO[actor.kind] then
      note(game, "remove", actor)
      game.world:remove(actor)
    end
  end,
  function(game)
    local actor = pick(game, others(game))
    actor.group, actor.sensor = pick(game, GROUPS), chance(game, 4)
    actor.swept = not actor.static and chance(game, 3)
    if chance(game, 3) then place(game, actor) end
    note(game, "refresh", actor)
    game.world:refresh(actor)
  end,
  function(game)
    local rule = pick(game, { true, true, false, "first" })
    local a, b = pick(game, GROUPS), pick(game, { "red", "green", "blue", "shots", "*" })
    note(game, "setRule", a, b, rule)
    game.world:setRule(a, b, rule)
  end,
  function(game)
    local actor = pick(game, others(game))
    local x, y, hits, n = game.world:move(actor, draw(game, 41) - 21, draw(game, 41) - 21, nil,
      pick(game, RESPONSES))
    note(game, "move", actor, x, y, n, n > 0 and hits[n].actor or nil)
  end,
  function(game)
    local actor = pick(game, others(game))
    note(game, "teleport", actor)
    game.world:teleport(actor, draw(game, SIZE) - 1, draw(game, SIZE) - 1)
  end,
  function(game)
    local actor = pick(game, others(game))
    local crushed, n = game.world:carry(actor, draw(game, 9) - 5, draw(game, 9) - 5)
    note(game, "carry", actor, n, crushed[1])
  end,
  function(game)
    local shots = pick(game, game.world:pools())
    if shots:count() > 20 then return end
    note(game, "spawn", shots:spawn(draw(game, SIZE), draw(game, SIZE), 10 * draw(game, 41) - 210,
      10 * draw(game, 41) - 210, { tag = draw(game, 99), ax = chance(game, 2) and 50 or nil,
        ay = chance(game, 2) and -30 or nil }))
  end,
  function(game)
    if not chance(game, 4) then return end
    note(game, "laser", pick(game, game.world:pools()):spawnLaser { width = 2, warmup = 0.1,
      lifetime = 0.4, points = { draw(game, SIZE), draw(game, SIZE), draw(game, SIZE), 30, 0, 0 } })
  end,
  function(game)
    game.grid:set(draw(game, 8) - 1, draw(game, 8) - 1, draw(game, 4) - 1)
    note(game, "cell")
  end,
  function(game, me)
    if not me or not chance(game, 3) then return end
    note(game, "raise")
    error(BOOM)
  end,
  function(game, me)
    if not me or not chance(game, 3) then return end
    note(game, "yield")
    coroutine.yield()
  end,
}

local function doMischief(game, me)
  if #others(game) == 0 then addSomebody(game) end
  pick(game, mischief)(game, me)
end

-- Callbacks -------------------------------------------------------------------------

-- Clears fields with removed actors: a snapshot can hold only actors of the world.
local function forgetGone(game)
  for _, actor in ipairs(game.world:actors()) do
    if actor.mate and not game.world:has(actor.mate) then actor.mate = nil end
  end
end

local function takeSnapshot(game)
  forgetGone(game)
  game.taken = game.world:snapshot(FIELDS)
  game.takenAt = #game.log
end

-- Takes a snapshot in a callback, if one is wanted, and ends the dispatch or update: a restored
-- world does not go on with it either.
local function takeInside(game)
  if not game.wanted then return end
  game.wanted = game.wanted - 1
  if game.wanted > 0 then return end
  game.wanted = nil
  note(game, "taken inside")
  takeSnapshot(game)
  coroutine.yield()
end

local function told(event)
  return function(me, other, nx, ny, depth, world, t)
    local game = me.game
    if event == "leave" then nx, t = nil, nil end
    note(game, event, nameOf(game, me), nameOf(game, other), nx, nx and ny, nx and depth,
      world and t)
    if game.world:has(me) then
      me.score = me.score + 1
      if chance(game, 6) then me.mate = other end
    end
    takeInside(game)
    if chance(game, 8) then doMischief(game, me) end
  end
end

for _, event in ipairs { "enter", "hit", "leave" } do Actor[event] = told(event) end
Deaf.hit = Actor.hit

function Actor:update(dt)
  local game = self.game
  if self.kind == "box" or self.kind == "disc" then self.x = (self.x + 9 * self.vx * dt) % SIZE end
  takeInside(game)
  if chance(game, 40) then doMischief(game, self) end
end
Deaf.update = Actor.update

local function newPools(game)
  local function hit(_, bullet, actor, nx, ny, t, x, y, mate)
    note(game, "shot", bullet, actor.kind and nameOf(game, actor), nx, ny, t, x, y, mate)
    takeInside(game)
    if chance(game, 8) then doMischief(game, game.director) end
    return ANSWERS[draw(game, 4)]
  end
  for i = 1, 2 do
    game.world:newBullets { capacity = 24, radius = i, group = "shots",
      bounds = { -20, -20, 110, 110 }, lifetime = i == 1 and 2 or nil,
      grazeRadius = i == 2 and 6 or nil, pierce = i == 2, hitBullets = i == 1, hit = hit,
      graze = function(_, bullet, actor) note(game, "graze", bullet, nameOf(game, actor)) end,
      expired = function(_, bullet) note(game, "expired", bullet) end }
  end
end

-- Games ------------------------------------------------------------------------------

local function open(api, options)
  local game = setmetatable({ api = api, log = {}, world = api.newWorld(options) }, Game)
  game.shapes = { box = api.rectangle(8, 6), disc = api.circle(4), wall = api.rectangle(14, 3),
    deaf = api.capsule(-3, 0, 3, 0, 3), director = api.circle(1), hero = api.rectangle(5, 8) }
  newPools(game)
  return game
end

local function optionsOf(seed, rng)
  return { touching = seed % 3 == 0, strict = seed % 4 == 1,
    groups = seed % 5 == 0 and { "red", "green", "blue", "shots", "quiet" } or nil,
    broadphase = rng:pick(BROADPHASES) }
end

local function addHero(game)
  game.character = game.world:newCharacter(game.hero, { snapLength = 2, stepHeight = 3 })
end

--- A new game.
---@param api table collide
function M.new(api, seed)
  local rng = random.new(seed)
  local game = open(api, optionsOf(seed, rng))
  game.seed = seed
  for i, kind in ipairs { "director", "map", "hero" } do
    local actor = newActor(game, kind)
    actor.name, actor.score, actor.vx, actor.x, actor.y = kind, 0, 0, 0, 0
    actor.static, actor.group = i < 3, i == 1 and "quiet" or "red"
    game[kind] = actor
    if i == 1 then actor.state, actor.born, actor.frame = rng:next(), 0, 0 end
    if i == 3 then actor.x, actor.y = 30, 20 end
    game.world:add(actor)
  end
  game.world:setRule("quiet", "*", false)
  game.grid:fill(0, 6, 8, 2, 1)
  addHero(game)
  for _ = 1, draw(game, 12) do addSomebody(game) end
  return game
end

--- Restores the game of a packed snapshot in a new world.
---@param text string
function M.unpack(api, seed, packed)
  local rng = random.new(seed + 1)
  local options = optionsOf(seed, rng)
  local game = open(api, options)
  game.seed = seed
  game.world:restore(packed, function(_, fields)
    local actor = newActor(game, fields.removed and "box" or fields.kind)
    if game.shapes[fields.kind] or fields.kind == "map" then game[fields.kind] = actor end
    return actor
  end)
  addHero(game)
  return game
end

local HOW = {
  function(world) world:step() end,
  function(world) world:update(0.125) end,
  function(world) world:update(0.0625) end,
  function(world) world:advance(0.15, 0.1) end,
}

local function frame(game)
  local world, director = game.world, game.director
  director.frame = director.frame + 1
  note(game, "frame", director.frame, world:hash())
  for _ = 1, draw(game, 4) - 1 do doMischief(game, nil) end
  local character = game.character
  note(game, "walk", character:move(draw(game, 81) - 41, draw(game, 60), 0.125))
  note(game, "hero", game.hero.x, game.hero.y, character.floor and nameOf(game, character.floor),
    character.n)
  local _, err = coroutine.resume(coroutine.create(pick(game, HOW)), world)
  if err and err ~= BOOM then error(err, 0) end
end

--- Plays some frames. If `at` is given, takes a snapshot in that frame, after `inside` callbacks,
--- or after that frame.
function Game:play(frames, at, inside)
  for i = 1, frames do
    self.wanted = i == at and inside or nil
    frame(self)
    self.wanted = nil
    if i == at and not self.taken then takeSnapshot(self) end
  end
end

--- The world as a string.
function Game:pack()
  forgetGone(self)
  return self.world:snapshot(FIELDS):pack()
end

--- Restores the snapshot that was taken.
function Game:rewind()
  self.world:restore(self.taken)
  for i = #self.log, self.takenAt + 1, -1 do self.log[i] = nil end
end

return M
