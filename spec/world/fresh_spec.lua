-- A world caches much between calls: boxes, trees, contacts, and which shapes are placed alike.
-- Whatever has happened to it, it must answer like a fresh world with the same actors. The shapes
-- resemble each other, because it could confuse shapes that look alike.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local explain = require "collide.world.hits"
local random = require "spec.support.random"

local polygon = collide.polygon
local GROUPS = { "a", "b", "c" }
local ANGLES = { 0, -0.0, math.pi / 2, 2 * math.pi, -math.pi, 1e-9, 0.3 }
local READ = { "shape", "group", "static", "sensor", "oneWay", "swept" }

local triangle = polygon(0, 0, 1, 1, 0, 1)
local SHAPES = {
  collide.rectangle(10, 10), polygon(0, 0, 10, 0, 10, 10, 0, 10), collide.rectangle(-5, -5, 10, 10),
  polygon(0, 0, 10, 0, 10, 10), polygon(0, 0, 10, 10, 0, 10), polygon(10, 0, 10, 10, 0, 10),
  polygon(0, 0, 10, 0, 0, 10), polygon(0, 0, 10, 0, 10, 9.5, 9.5, 10, 0, 10),
  polygon(0, 0, 10, 0, 10, 9, 9.5, 10, 0, 10), polygon(0, 0, 10, 0, 10, 10):upright(),
  collide.circle(5), collide.circle(5, 5, 5), collide.circle(5, 5, 4.5),
  collide.capsule(5, 0, 5, 10, 2), collide.capsule(5, 0, 5, 10, 2.25),
  collide.segment(0, 0, 10, 10), collide.segment(0, 10, 10, 0),
  collide.chain(0, 0, 10, 0, 10, 10), collide.chain(0, 0, 0, 10, 10, 10),
  polygon(0, 0, 10, 0, 10, 4, 4, 4, 4, 10, 0, 10), polygon(0, 0, 10, 0, 10, 10, 6, 10, 6, 4, 0, 4),
}

-- A random game: a world, and what it has read of each actor.
local Play = {}
Play.__index = Play

local function newPlay(seed)
  local rng = random.new(seed)
  local self = setmetatable({ rng = rng, known = {}, saved = {}, touching = rng:chance(0.5),
    turns = rng:chance(0.5), sweeps = rng:chance(0.3), serial = 0, bullets = {} }, Play)
  self.grid = collide.newGrid(4, 4, { cell = 5 })
  self.maps = { collide.tiles(self.grid),
    collide.tiles(self.grid, { [2] = triangle, [3] = false }) }
  self.world = collide.newWorld { touching = self.touching, broadphase = rng:pick(broadphases) }
  self.pool = self:newPool(self.world)
  for _ = 1, rng:pick { 8, 25 } do self:add() end
  return self
end

function Play:newPool(world)
  return world:newBullets { capacity = 40, radius = 1.5, group = "a",
    hit = function(_, _, actor, nx, ny, t)
      table.insert(self.bullets, ("%d %.17g %.17g %.17g"):format(actor.id, nx, ny, t))
    end }
end

function Play:coordinate()
  return self.rng:int(0, 80) / 2
end

function Play:angle()
  return self.turns and self.rng:pick(ANGLES) or 0
end

function Play:change(actor)
  local rng = self.rng
  actor.shape, actor.static = rng:pick(SHAPES), rng:chance(0.25)
  actor.angle = self:angle()
  if rng:chance(0.08) then actor.shape, actor.static, actor.angle = rng:pick(self.maps), true, 0 end
  actor.group = rng:pick(GROUPS)
  actor.sensor, actor.oneWay = rng:chance(0.1), rng:chance(0.1)
  actor.swept = self.sweeps and rng:chance(0.3) and actor.shape:kind() ~= "tiles"
  actor.ignore = self.serial > 1 and rng:chance(0.2) and { self:pick(), self:pick() } or nil
end

function Play:know(actor)
  local known = { id = actor.id, x = actor.x, y = actor.y, angle = actor.angle }
  for _, field in ipairs(READ) do known[field] = actor[field] end
  known.ignored = actor.ignore
  self.known[actor] = known
end

function Play:add()
  local actor = { id = self.serial, x = self:coordinate(), y = self:coordinate() }
  self.serial = self.serial + 1
  self:change(actor)
  self:know(self.world:add(actor))
end

function Play:pick()
  return self.rng:pick(self.world:actors())
end

-- A fresh world with the same actors, and its actors by the original ones.
function Play:fresh()
  local world = collide.newWorld { touching = self.touching,
    broadphase = self.rng:pick(broadphases) }
  local copies = {}
  for _, actor in ipairs(self.world:actors()) do
    local copy = {}
    for field, value in pairs(self.known[actor]) do copy[field] = value end
    copy.moved = nil
    copies[actor] = copy
  end
  for _, actor in ipairs(self.world:actors()) do
    local copy = copies[actor]
    if copy.ignored then
      copy.ignore = {}
      for i, ignored in ipairs(copy.ignored) do
        copy.ignore[i] = copies[ignored] or { shape = actor.shape }
      end
    end
    world:add(copy)
  end
  return world, copies
end

local function textOf(value)
  if type(value) == "table" then return "actor " .. value.id end
  return type(value) == "number" and ("%.17g"):format(value) or tostring(value)
end

local function listOf(...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = textOf((select(i, ...))) end
  return table.concat(texts, " ")
end

local function idsOf(actors, n)
  return listOf((unpack or table.unpack)(actors, 1, n)) -- luacheck: ignore
end

local function hitsOf(world)
  local list = {}
  for a, b, nx, ny, depth, t in world:hits() do list[#list + 1] = listOf(a, b, nx, ny, depth, t) end
  return list
end

local function moveOf(x, y, hits, n)
  local list = { listOf(x, y) }
  for i = 1, n do
    local hit = hits[i]
    list[i + 1] = listOf(hit.actor, hit.nx, hit.ny, hit.x, hit.y, hit.t, hit.response, hit.value)
  end
  return table.concat(list, "; ")
end

-- The answers of a world to questions that follow from `seed`. `actor` is one of that world.
local function answersOf(world, actor, seed)
  local rng = random.new(seed)
  local x, y, dx, dy = rng:int(0, 40), rng:int(0, 40), rng:int(-30, 30), rng:int(-30, 30)
  local filter = rng:chance(0.5) and rng:pick(GROUPS) or nil
  local placed = { x = x, y = y, shape = rng:pick(SHAPES), angle = rng:pick(ANGLES) }
  local list = {
    idsOf(world:queryPoint(x, y, filter)), idsOf(world:queryRect(x, y, 7, 3, filter)),
    idsOf(world:queryShape(placed, filter, actor)), idsOf(world:nearest(x, y, 3, filter)),
    listOf(world:rayCast(x, y, x + dx, y + dy, filter)),
    listOf(world:shapeCast(placed, dx, dy, filter)), listOf(world:fits(placed, filter)),
  }
  if actor.shape:kind() ~= "tiles" then
    list[#list + 1] = moveOf(world:check(actor, dx, dy, filter, rng:pick { "slide", "push" }))
  end
  return list
end

function Play:ask()
  local seed, actor = self.rng:int(1e6), self:pick()
  local world, copies = self:fresh()
  local copy = copies[actor]
  copy.x, copy.y, copy.angle = actor.x, actor.y, actor.angle -- a mover is read at once
  assert.same(answersOf(world, copy, seed), answersOf(self.world, actor, seed))
end

-- The pairs that now hit according to `explain`.
function Play:explained()
  local all, said = self.world:actors(), {}
  for i, a in ipairs(all) do
    for k = i + 1, #all do
      if explain.verdict(self.world, a, all[k]) then said[#said + 1] = listOf(a, all[k]) end
    end
  end
  return said
end

-- Makes a step of both worlds, with bullets that are spawned now. Returns the events of each.
function Play:stepBoth(world)
  local pool, events = self:newPool(world), {}
  for _ = 1, self.rng:pick { 0, 3, 40 } do
    local x, y = self:coordinate(), self:coordinate()
    local vx, vy = self.rng:int(-1e3, 1e3), self.rng:int(-1e3, 1e3)
    pool:spawn(x, y, vx, vy)
    self.pool:spawn(x, y, vx, vy)
  end
  for i, one in ipairs { world, self.world } do
    self.bullets = {}
    one:update(1 / 60)
    events[i] = self.bullets
  end
  self.pool:clear()
  return events[1], events[2]
end

-- Between two steps a move has a way, which a fresh world lacks.
function Play:step()
  local world, copies = self:fresh()
  local said, moved = self:explained(), false
  for actor, copy in pairs(copies) do
    local known = self.known[actor]
    moved, known.moved = moved or known.moved, nil
    if not known.static then
      copy.x, copy.y, copy.angle = actor.x, actor.y, actor.angle
      known.x, known.y, known.angle = actor.x, actor.y, actor.angle
    end
  end
  local want, got = self:stepBoth(world)
  local hits = {}
  for a, b, nx, ny, depth, t in self.world:hits() do
    hits[#hits + 1] = listOf(a, b)
    if not t then
      assert.equal(listOf(collide.overlap(a, b, self.touching)), listOf(nx, ny, depth))
    end
  end
  assert.same(said, hits)
  if moved then return end
  assert.same(hitsOf(world), hitsOf(self.world))
  assert.same(want, got)
end

local ACTIONS = { "add", "add", "remove", "remove", "refresh", "refresh", "assign", "assign",
  "teleport", "move", "move", "edit", "save", "load" }

function Play:remove()
  local actor = self:pick()
  if self.world:count() > 5 then self.world:remove(actor) end
end

function Play:refresh()
  local actor = self:pick()
  self:change(actor)
  self.world:refresh(actor)
  self:know(actor)
end

function Play:assign()
  for _, actor in ipairs(self.world:actors()) do
    if not self.known[actor].static and self.rng:chance(0.5) then
      actor.x, actor.y, actor.angle = self:coordinate(), self:coordinate(), self:angle()
    end
  end
end

function Play:teleport()
  local actor = self:pick()
  local angle = self.known[actor].shape:kind() == "tiles" and 0 or self:angle()
  self.world:teleport(actor, self:coordinate(), self:coordinate(), angle)
  self:know(actor)
end

function Play:move()
  local mover, before = self:pick(), {}
  if mover.shape:kind() == "tiles" then return end
  for _, actor in ipairs(self.world:actors()) do before[actor] = { actor.x, actor.y } end
  self.world:move(mover, self.rng:int(-20, 20), self.rng:int(-20, 20), nil,
    self.rng:pick { "slide", "push" })
  self.known[mover].angle = mover.angle
  for actor, at in pairs(before) do
    local known = self.known[actor]
    if actor == mover or actor.x ~= at[1] or actor.y ~= at[2] then
      known.x, known.y, known.moved = actor.x, actor.y, true
    end
  end
end

function Play:edit()
  self.grid:set(self.rng:int(0, 3), self.rng:int(0, 3), self.rng:int(0, 3))
end

function Play:save()
  local known, into = {}, #self.saved > 1 and table.remove(self.saved, 1).snapshot or nil
  for actor, fields in pairs(self.known) do
    known[actor] = {}
    for field, value in pairs(fields) do known[actor][field] = value end
  end
  table.insert(self.saved, { known = known, snapshot = self.world:snapshot(nil, into) })
end

function Play:load()
  local saved = table.remove(self.saved)
  if not saved then return end
  self.world:restore(saved.snapshot)
  self.known = saved.known
end

describe("a world after many changes", function()
  for seed = random.seed(), random.seed() + random.rounds(2) - 1 do
    it("answers like a fresh one, seed " .. seed, function()
      local play = newPlay(seed)
      for _ = 1, random.crowd(40) do
        play[play.rng:pick(ACTIONS)](play)
        if play.rng:chance(0.3) then play:ask() end
        if play.rng:chance(0.3) then play:step() end
      end
    end)
  end
end)
