-- The field `ignore`: which actors never meet. Random games are compared with a plain model, in
-- which every pair is tested, and random questions with a filter function of the same meaning or
-- with a world without the ignored actors.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"
local random = require "spec.support.random"

local SEED = random.seed()
local box = collide.rectangle(10, 10)
local SHAPES = { box, collide.rectangle(-8, -2, 16, 4), collide.circle(6), collide.circle(3, 3, 4),
  collide.polygon(0, 0, 12, 4, 2, 9) }

local function nothing() end

-- ---- random games

-- Some actors, in the world or not, and what the world has read of each: whom it ignores.
local Game = {}
Game.__index = Game

local function newGame(seed)
  local rng = random.new(seed)
  local self = setmetatable({ rng = rng, all = {}, named = {}, told = {},
    inside = {}, -- by names, the pairs of the last step
    ended = {}, -- those of an actor that has been removed since
  }, Game)
  self.touching = rng:chance(0.5)
  self.world = self:newWorld()
  for i = 1, 8 do
    local actor = { name = i, shape = rng:pick(SHAPES), static = rng:chance(0.2),
      swept = rng:chance(0.2) }
    actor.enter = function(one, other) self:tell("enter", one, other) end
    actor.leave = function(one, other) self:tell("leave", one, other) end
    self.all[i] = actor
    self:place(actor)
  end
  for _, actor in ipairs(self.all) do self:add(actor) end
  return self
end

function Game:newWorld()
  return collide.newWorld { touching = self.touching, broadphase = self.rng:pick(broadphases),
    strict = true }
end

function Game:tell(event, one, other)
  table.insert(self.told, ("%s %d %d"):format(event, one.name, other.name))
end

function Game:place(actor)
  actor.x, actor.y = self.rng:int(0, 30), self.rng:int(0, 30)
end

function Game:pick() return self.rng:pick(self.all) end

-- A new value of the field, and the set of the actors in it.
function Game:name(actor)
  local rng, set = self.rng, {}
  local value = nil
  if rng:chance(0.4) then
    value = self:pick()
    set[value] = true
  elseif rng:chance(0.6) then
    value = {}
    for i = 1, rng:int(0, 3) do
      value[i] = self:pick()
      set[value[i]] = true
    end
  end
  actor.ignore = value
  return set
end

function Game:add(actor)
  if self.world:has(actor) then return end
  self.named[actor] = self:name(actor)
  self.world:add(actor)
end

function Game:remove(actor)
  if not self.world:has(actor) then return end
  self.world:remove(actor)
  self.named[actor] = nil
  for key, pair in pairs(self.inside) do
    if pair[1] == actor or pair[2] == actor then
      self.inside[key] = nil
      table.insert(self.ended, pair)
    end
  end
end

function Game:refresh(actor)
  if not self.world:has(actor) then return end
  self.named[actor] = self:name(actor)
  self.world:refresh(actor)
end

function Game:refreshAll()
  for _, actor in ipairs(self.world:actors()) do
    if self.rng:chance(0.5) then self.named[actor] = self:name(actor) end
  end
  self.world:refresh()
end

function Game:ignores(a, b)
  return self.named[a] and self.named[b]
    and (self.named[a][b] or self.named[b][a]) or false
end

-- The pairs that may meet, by canHit and explain.
function Game:check()
  local a, b = self:pick(), self:pick()
  if a == b or not (self.world:has(a) and self.world:has(b)) then return end
  local ignores = self:ignores(a, b)
  assert.equal(not ignores and not (a.static and b.static), self.world:canHit(a, b))
  local says = self.world:explain(a, b):find "ignore" ~= nil
  assert.equal(ignores and not (a.static and b.static), says)
end

local function keysOf(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- The pairs that a step finds now, by name; if one is swept, explain tests them on their way.
function Game:expected()
  local set, actors = {}, self.world:actors()
  for i, a in ipairs(actors) do
    for k = i + 1, #actors do
      local b = actors[k]
      local may = not self:ignores(a, b) and not (a.static and b.static)
      local hits = may and collide.overlap(a, b, self.touching)
      if may and not hits and (a.swept or b.swept) then
        hits = self.world:explain(a, b):find("they meet on their way", 1, true)
      end
      if hits then set[("%d %d"):format(a.name, b.name)] = { a, b } end
    end
  end
  return set
end

function Game:step()
  for _, actor in ipairs(self.world:actors()) do
    if not actor.static and self.rng:chance(0.5) then self:place(actor) end
  end
  local expected, hits, told = self:expected(), {}, {}
  local function tell(event, pair)
    for k = 1, 2 do told[("%s %d %d"):format(event, pair[k].name, pair[3 - k].name)] = true end
  end
  for _, pair in ipairs(self.ended) do tell("leave", pair) end
  for key, pair in pairs(self.inside) do
    if not expected[key] then tell("leave", pair) end
  end
  for key, pair in pairs(expected) do
    if not self.inside[key] then tell("enter", pair) end
  end
  self.told = {}
  self.world:step()
  for a, b in self.world:hits() do hits[("%d %d"):format(a.name, b.name)] = true end
  assert.same(keysOf(expected), keysOf(hits))
  table.sort(self.told)
  assert.same(keysOf(told), self.told)
  self.inside, self.ended = expected, {}
end

-- Back to a snapshot after other changes.
function Game:rewind()
  local before, inside, ended = {}, {}, {}
  for key, pair in pairs(self.inside) do inside[key] = pair end
  for i, pair in ipairs(self.ended) do ended[i] = pair end
  for actor, set in pairs(self.named) do
    before[actor] = { set = set, value = actor.ignore, x = actor.x, y = actor.y }
  end
  local snapshot = self.world:snapshot()
  local hash = snapshot:hash()
  for _ = 1, self.rng:int(3) do
    self[self.rng:pick { "remove", "add", "refresh" }](self, self:pick())
  end
  if self.rng:chance(0.5) then self.world:step() end
  self.world:restore(snapshot)
  self.named, self.inside, self.ended = {}, inside, ended
  for actor, was in pairs(before) do
    self.named[actor] = was.set
    assert.equal(was.x, actor.x)
  end
  local again = self.world:snapshot()
  assert.equal(hash, again:hash())
  assert.is_nil((snapshot:diff(again)))
end

-- The same world, packed and restored with other tables, ignores the same actors.
function Game:pack()
  local snapshot, other, made = self.world:snapshot(), self:newWorld(), {}
  local actors = self.world:actors()
  other:restore(snapshot:pack(), function(i, fields)
    if fields.removed then return {} end
    made[i] = { name = actors[i].name, shape = actors[i].shape, ignore = self:pick(),
      enter = nothing, leave = nothing }
    return made[i]
  end)
  for i, a in ipairs(made) do
    for k = i + 1, #made do
      assert.equal(self.world:canHit(actors[i], actors[k]), other:canHit(a, made[k]))
    end
  end
  assert.equal(snapshot:hash(), other:snapshot():hash())
  assert.equal(snapshot:pack(), other:snapshot():pack())
  other:step() -- which checks that the fields match what was read
end

local ACTIONS = { "add", "add", "add", "remove", "refresh", "refresh", "refreshAll" }

function Game:play()
  local rng = self.rng
  for _ = 1, rng:int(3) do
    local action = rng:pick(ACTIONS)
    self[action](self, self:pick())
  end
  for _ = 1, 3 do self:check() end
  if rng:chance(0.1) then self:rewind() end
  if rng:chance(0.1) then self:pack() end
end

describe("ignore in steps", function()
  it(("agrees with a plain model, seed %d"):format(SEED), function()
    for seed = SEED, SEED + random.rounds(100) - 1 do
      local game = newGame(seed)
      for _ = 1, 20 do
        local ok, message = pcall(function()
          game:play()
          game:step()
        end)
        if not ok then error(("seed %d: %s"):format(seed, tostring(message)), 0) end
      end
    end
  end)
end)

-- ---- random questions

-- Two worlds of the same actors: in the first, some ignore each other by the field; in the second,
-- filters do that. `ignores(a, b)` accepts actors of either.
local function newTwins(rng)
  local one = collide.newWorld { broadphase = rng:pick(broadphases) }
  local two = collide.newWorld { broadphase = rng:pick(broadphases) }
  local a, b, related = {}, {}, {}
  for i = 1, 9 do
    local fields = { name = i, shape = rng:pick(SHAPES), group = rng:pick { "red", "green" },
      x = rng:int(0, 50), y = rng:int(0, 50), static = i > 2 and rng:chance(0.3),
      sensor = i > 1 and rng:chance(0.1), oneWay = i > 1 and rng:chance(0.1) }
    a[i], b[i] = {}, {}
    for key, value in pairs(fields) do a[i][key], b[i][key] = value, value end
  end
  -- Either actor names the other, alone or in a list, and before or after it is added.
  for _ = 1, rng:int(1, 8) do
    local i, k = rng:int(9), rng:int(9)
    local list = a[i].ignore or {}
    a[i].ignore, list[#list + 1] = list, a[k]
    related[10 * i + k], related[10 * k + i] = true, true
  end
  for i = 1, 9 do
    if a[i].ignore and #a[i].ignore == 1 and rng:chance(0.5) then a[i].ignore = a[i].ignore[1] end
    local late = rng:chance(0.3) and a[i].ignore
    if late then a[i].ignore = nil end
    one:add(a[i])
    two:add(b[i])
    a[i].ignore = late or a[i].ignore
    if late then one:refresh(a[i]) end
  end
  return one, two, a, b, function(p, q) return related[10 * p.name + q.name] or false end
end

local function textOf(value)
  if type(value) == "table" then return "actor " .. value.name end
  return type(value) == "number" and ("%.17g"):format(value) or tostring(value)
end

local function listOf(...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = textOf((select(i, ...))) end
  return table.concat(texts, " ")
end

-- The places of all actors, and the hits.
local function stateOf(actors, hits, n)
  local list = {}
  for _, actor in ipairs(actors) do list[#list + 1] = listOf(actor.name, actor.x, actor.y) end
  for i = 1, n do
    local hit = hits[i]
    list[#list + 1] = listOf(hit.actor, hit.nx, hit.ny, hit.x, hit.y, hit.t, hit.response,
      hit.inside, hit.crushed)
  end
  return list
end

local QUESTIONS = {}

local function copyOf(actor)
  local copy = {}
  for key, value in pairs(actor) do copy[key] = value end
  copy.ignore = nil
  return copy
end

-- A world with copies of the actors that the first does not ignore, and without any `ignore`. Valid
-- only as long as no other actor moves.
local function without(rng, actors, ignores)
  local world, some, mates = collide.newWorld { broadphase = rng:pick(broadphases) }, {}, {}
  for i, actor in ipairs(actors) do
    if i == 1 or not ignores(actors[1], actor) then
      some[#some + 1], mates[#mates + 1] = world:add(copyOf(actor)), actor
    end
  end
  return world, some, mates
end

-- A move with or without a filter.
function QUESTIONS.move(rng, one, _, a, _, ignores)
  local two, b, mates = without(rng, a, ignores)
  local response = rng:pick { "slide", "touch", "bounce", "cross" }
  local filter = rng:pick { "red", "green", "*", false,
    function(actor, mover) return actor.group == "red" and mover.name == 1 end } or nil
  local method = rng:pick { "move", "check" }
  for _ = 1, 3 do
    local dx, dy = rng:int(-30, 30), rng:int(-30, 30)
    local x, y, hits, n = one[method](one, a[1], dx, dy, filter, response)
    local x2, y2, hits2, n2 = two[method](two, b[1], dx, dy, filter, response)
    assert.same(stateOf(b, hits2, n2), stateOf(mates, hits, n))
    assert.equal(listOf(x2, y2), listOf(x, y))
  end
end

-- Actors that are pushed ignore others, too. A move that calls a function more often starts over
-- more often, and is rounded differently.
function QUESTIONS.push(rng, one, two, a, b, ignores)
  local function filter(actor, mover) return not ignores(actor, mover) end
  for _ = 1, 3 do
    local dx, dy = rng:int(-30, 30), rng:int(-30, 30)
    local _, _, hits, n = one:move(a[1], dx, dy, function() return true end, "push")
    local _, _, hits2, n2 = two:move(b[1], dx, dy, filter, "push")
    assert.equal(n2, n)
    for i = 1, n do
      assert.equal(listOf(hits2[i].actor, hits2[i].response),
        listOf(hits[i].actor, hits[i].response))
    end
    for i, actor in ipairs(a) do
      expect.near({ b[i].x, b[i].y }, { actor.x, actor.y }, 1e-6)
    end
  end
end

-- The platform does not move actors that ignore it. The others ignore each other, so that only it
-- moves them.
function QUESTIONS.carry(rng)
  local one, two = collide.newWorld(), collide.newWorld()
  local a, b, free = {}, {}, {}
  for i = 1, 7 do
    a[i] = { name = i, shape = i == 1 and collide.rectangle(60, 10) or rng:pick(SHAPES),
      x = i == 1 and 0 or rng:int(-10, 60), y = i == 1 and 20 or rng:int(0, 30), ignore = {} }
    local _, top, _, height = a[i].shape:bounds()
    if i > 1 and rng:chance(0.6) then a[i].y = 20 - top - height end
    b[i] = copyOf(a[i])
    b[i].ignore = {}
    for k = 2, i > 1 and i - 1 or 0 do
      local first = rng:chance(0.5) and i or k
      table.insert(a[first].ignore, a[i + k - first])
      table.insert(b[first].ignore, b[i + k - first])
    end
    if i > 1 and rng:chance(0.4) then
      local first = rng:chance(0.5) and 1 or i
      table.insert(a[first].ignore, a[i + 1 - first])
      free[i] = listOf(a[i].x, a[i].y)
    end
  end
  for i = 1, 7 do
    one:add(a[i])
    if not free[i] then two:add(b[i]) end
  end
  for i = 2, 7 do
    if rng:chance(0.3) then
      one:newCharacter(a[i]):move(0, 60, 1 / 60)
      if free[i] then free[i] = listOf(a[i].x, a[i].y)
      else two:newCharacter(b[i]):move(0, 60, 1 / 60) end
    end
  end
  local dx, dy = rng:int(-30, 30), rng:int(-30, 30)
  local filter = rng:pick { "default", "*", false } or nil
  local crushed, n = one:carry(a[1], dx, dy, nil, filter)
  local crushed2, n2 = two:carry(b[1], dx, dy, nil, filter)
  assert.equal(listOf((unpack or table.unpack)(crushed2, 1, n2)), -- luacheck: ignore
    listOf((unpack or table.unpack)(crushed, 1, n))) -- luacheck: ignore
  for i = 1, 7 do assert.equal(free[i] or listOf(b[i].x, b[i].y), listOf(a[i].x, a[i].y)) end
end

function QUESTIONS.fits(rng, one, two, a, b, ignores)
  for i, actor in ipairs(a) do
    local list = {}
    for k, other in ipairs(b) do
      if ignores(actor, other) and k ~= i then list[#list + 1] = other end
    end
    local filter = rng:pick { "red", "green", "*" }
    assert.equal(listOf(two:fits(b[i], filter, list)), listOf(one:fits(actor, filter)))
    local placed = { x = actor.x, y = actor.y, shape = actor.shape }
    assert.equal(listOf(two:fits(placed, filter)), listOf(one:fits(placed, filter)))
  end
end

function QUESTIONS.character(rng, one, _, a, _, ignores)
  local two, b, mates = without(rng, a, ignores)
  local hero, twin = one:newCharacter(a[1]), two:newCharacter(b[1])
  local vx, vy, vx2, vy2 = 0, 0, 0, 0
  for _ = 1, 8 do
    local ax = rng:int(-400, 400)
    vx, vy = hero:move(vx + ax, vy + 100, 1 / 30)
    vx2, vy2 = twin:move(vx2 + ax, vy2 + 100, 1 / 30)
    assert.same(stateOf(b, twin.hits, twin.n), stateOf(mates, hero.hits, hero.n))
    assert.equal(listOf(vx2, vy2, twin.floor, twin.wall), listOf(vx, vy, hero.floor, hero.wall))
  end
end

-- Other queries do not use the field.
function QUESTIONS.queries(rng, one, two, a, b)
  local x, y = rng:int(0, 50), rng:int(0, 50)
  local function same(method, ...)
    local args, other = { ... }, { ... }
    for i, value in ipairs(args) do
      if value == a then args[i], other[i] = a[1], b[1] end
    end
    local found, n = one[method](one, (unpack or table.unpack)(args)) -- luacheck: ignore
    local found2, n2 = two[method](two, (unpack or table.unpack)(other)) -- luacheck: ignore
    assert.equal(n2, n)
    for i = 1, n or 0 do assert.equal((found2[i].actor or found2[i]).name,
      (found[i].actor or found[i]).name) end
  end
  same("queryPoint", x, y)
  same("queryRect", x, y, 20, 9)
  same("queryShape", a)
  same("nearest", x, y, 4)
  same("rayCastAll", x, y, 50 - x, y + 5)
  assert.equal(listOf(two:rayCast(x, y, 50, 50)), listOf(one:rayCast(x, y, 50, 50)))
  assert.equal(listOf(two:shapeCast(b[1], 9, 20)), listOf(one:shapeCast(a[1], 9, 20)))
end

function QUESTIONS.bullets(rng, _, _, a)
  local told = { {}, {} }
  local list, one, two = {}, collide.newWorld(), collide.newWorld()
  for i, actor in ipairs(a) do
    local fields = { name = i, x = actor.x, y = actor.y, shape = actor.shape,
      swept = rng:chance(0.2) }
    local same = {}
    for key, value in pairs(fields) do same[key] = value end
    if rng:chance(0.5) then
      list[#list + 1] = fields
    else
      two:add(same)
    end
    one:add(fields)
  end
  local pools = {}
  local options = { capacity = 50, radius = 1.5, grazeRadius = 4, pierce = rng:chance(0.3) }
  local answer = rng:pick { "pass", "bounce", false } or nil
  for k, world in ipairs { one, two } do
    options.hit = function(_, bullet, actor, nx, ny, t)
      table.insert(told[k], listOf("hit", bullet, actor, nx, ny, t))
      return answer
    end
    options.graze = function(_, bullet, actor)
      table.insert(told[k], listOf("graze", bullet, actor))
    end
    pools[k] = world:newBullets(options)
  end
  local which = rng:int(2)
  pools[1].ignore = #list == 1 and list[1] or list
  for _ = 1, 12 do
    local x, y, vx, vy = rng:int(-5, 60), rng:int(-5, 60), rng:int(-900, 900), rng:int(-900, 900)
    for _, pool in ipairs(pools) do pool:spawn(x, y, vx, vy) end
  end
  for _, pool in ipairs(pools) do
    if which == 1 then pool:spawnLaser { points = { 0, 0, 50, 40 }, width = 3 } end
  end
  for _ = 1, 4 do
    one:update(1 / 60)
    two:update(1 / 60)
  end
  assert.same(told[2], told[1])
end

describe("ignore", function()
  local NAMES = { "bullets", "carry", "character", "fits", "move", "push", "queries" }
  it(("acts like a filter in every call, seed %d"):format(SEED), function()
    for seed = SEED, SEED + random.rounds(2500) - 1 do
      local rng = random.new(seed)
      local name = rng:pick(NAMES)
      local ok, message = pcall(function() QUESTIONS[name](rng, newTwins(rng)) end)
      if not ok then error(("%s, seed %d: %s"):format(name, seed, tostring(message)), 0) end
    end
  end)
end)

-- ---- one by one

describe("the field ignore", function()
  local world, told

  before_each(function()
    world, told = collide.newWorld { strict = true }, {}
  end)

  local function add(name, x, ignore, more)
    local actor = { name = name, x = x, y = 0, shape = box, ignore = ignore }
    for _, event in ipairs { "enter", "leave" } do
      actor[event] = function(self, other)
        table.insert(told, ("%s %s %s"):format(event, self.name, other.name))
      end
    end
    for key, value in pairs(more or {}) do actor[key] = value end
    return world:add(actor)
  end

  local function step()
    told = {}
    world:step()
    return table.concat(told, ", ")
  end

  --   0   5   10  15
  --   +-------+
  --   | a +---|---+        b ignores a: in the next step both get a leave
  --   +---|---+ b |
  --       +-------+
  it("ends an overlap with leave, and begins it with enter", function()
    local a = add("a", 0)
    local b = add("b", 5)
    assert.equal("enter a b, enter b a", step())
    b.ignore = a
    world:refresh(b)
    assert.equal("leave a b, leave b a", step())
    assert.equal("", step())
    assert.same({}, world:candidates())
    b.ignore = nil
    world:refresh(b)
    assert.equal("enter a b, enter b a", step())
  end)

  it("applies if either actor names the other, as long as one does", function()
    local a = add("a", 0)
    local b = add("b", 5, { a })
    a.ignore = b
    world:refresh(a)
    assert.is_false(world:canHit(a, b))
    assert.is_truthy(world:explain(a, b):find("they ignore each other", 1, true))
    b.ignore = nil
    world:refresh()
    assert.is_false(world:canHit(b, a))
    assert.is_truthy(world:explain(a, b):find("the first ignores the second", 1, true))
    assert.is_truthy(world:explain(b, a):find("the second ignores the first", 1, true))
    a.ignore = {}
    world:refresh(a)
    assert.is_true(world:canHit(b, a))
  end)

  it("accepts actors that are not in the world, and applies once they are", function()
    local b = { name = "b", x = 5, y = 0, shape = box }
    local c = { name = "c", x = 7, y = 0, shape = box }
    local a = add("a", 0, { b, c })
    world:add(b)
    assert.equal("", step())
    world:remove(b)
    world:add(c)
    world:add(b)
    assert.is_false(world:canHit(a, b))
    assert.is_false(world:canHit(a, c))
    world:remove(a)
    assert.is_true(world:canHit(b, c))
    a.ignore = c
    world:add(a)
    assert.is_true(world:canHit(a, b))
    assert.is_false(world:canHit(a, c))
  end)

  it("is read by add and refresh, and copied", function()
    local a, c = add("a", 0), add("c", 40)
    local list = { a }
    local b = add("b", 5, list)
    list[1] = c
    assert.is_false(world:canHit(a, b))
    expect.raises('world:step: actor 3 "b" (at 5, 0): ignore was changed after world:add; call '
      .. "world:refresh(actor)", world.step, world)
    assert.is_truthy(world:explain(a, b):find("the second changed in ignore", 1, true))
    world:refresh(b)
    assert.is_true(world:canHit(a, b))
    b.ignore = { c, c }
    step()
    b.ignore = c
    step()
    b.ignore = { c, a }
    world:refresh(b)
    b.ignore = { a, c }
    step()
    b.ignore = { a, a }
    expect.raises("ignore was changed after world:refresh", world.step, world)
  end)

  it("has no effect for the actor itself, and two statics never hit", function()
    local a = { name = "a", x = 0, y = 0, shape = box }
    a.ignore = { a, a }
    world:add(a)
    local b, c = add("b", 5, nil, { static = true }), add("c", 5, nil, { static = true })
    assert.equal("enter b a, enter c a", step())
    b.ignore = c
    world:refresh(b)
    assert.is_truthy(world:explain(b, c):find("both are static", 1, true))
    assert.equal(2, world:stats().hits)
  end)

  it("raises for a wrong entry, with its index, and changes nothing", function()
    local a = add("a", 0)
    local function refused(message, ignore)
      expect.raises("world:add: actor (at 1, 0): " .. message, world.add, world,
        { x = 1, y = 0, shape = box, ignore = ignore })
      a.ignore = ignore
      expect.raises('world:refresh: actor 1 "a" (at 0, 0): ' .. message, world.refresh, world, a)
      a.ignore = nil
    end
    refused("ignore expected (actor or list of actors), got number 5", 5)
    refused("ignore expected (actor or list of actors), got boolean false", false)
    refused("ignore expected (actor or list of actors), got shape", box)
    refused("ignore[2] expected (actor), got string \"b\"", { a, "b" })
    refused("ignore[1] expected (actor), got table", { {}, a })
    refused("ignore[2] expected (actor), got nil", { a, nil, a })
    refused("key of ignore expected (number of a place in a list), got string \"a\"",
      { a = { shape = box } })
    assert.equal(1, world:count())
    assert.equal("", step())
  end)

  it("can be renamed or switched off by `fields`", function()
    local named = collide.newWorld { fields = { ignore = "friends" } }
    local a = named:add { x = 0, y = 0, shape = box }
    local b = named:add { x = 0, y = 0, shape = box, ignore = 7, friends = a }
    assert.is_false(named:canHit(a, b))
    expect.raises("friends[1] expected (actor), got number 1", named.add, named,
      { x = 0, y = 0, shape = box, friends = { 1 } })
    local snapshot = named:snapshot()
    b.friends = nil
    named:restore(snapshot)
    assert.equal(a, b.friends)
    local never = collide.newWorld { fields = { ignore = false } }
    local c = never:add { x = 0, y = 0, shape = box, ignore = a }
    assert.is_true(never:canHit(c, never:add { x = 0, y = 0, shape = box, ignore = c }))
  end)

  it("may come from a class, and is restored over it", function()
    local a = add("a", 0)
    local Class = { shape = box, ignore = { a } }
    Class.__index = Class
    local b = world:add(setmetatable({ name = "b", x = 5, y = 0 }, Class))
    assert.is_false(world:canHit(a, b))
    local before = world:snapshot()
    b.ignore = {}
    world:refresh(b)
    local after = world:snapshot()
    assert.is_true(world:canHit(a, b))
    world:restore(before)
    assert.is_false(world:canHit(a, b))
    assert.is_nil(rawget(b, "ignore") and rawget(b, "ignore")[2])
    assert.equal(a, b.ignore[1] or b.ignore)
    world:restore(after)
    assert.same({}, b.ignore)
    world:step()
  end)

  it("does not carry or push an actor that ignores the platform", function()
    local lift = add("lift", 0, nil, { y = 20, static = true, shape = collide.rectangle(40, 5) })
    local rider, free = add("rider", 20, nil, { y = 10 }), add("free", 2, lift, { y = 10 })
    local wall = add("wall", 45, { lift }, { y = 20 })
    local slim = collide.rectangle(4, 10)
    local hero = world:newCharacter(add("hero", 33, nil, { y = 10, shape = slim }))
    hero:move(0, 60, 1 / 60)
    assert.equal(lift, hero.floor)
    local crushed, n = world:carry(lift, 20, 0)
    assert.same({ 20, 40, 2, 45, 53, 0 }, { lift.x, rider.x, free.x, wall.x, hero.actor.x, n })
    assert.same({}, crushed)
    hero.actor.ignore = lift
    world:refresh(hero.actor)
    world:carry(lift, -20, 0)
    assert.same({ 20, 2, 53 }, { rider.x, free.x, hero.actor.x })
    hero:move(0, 60, 1 / 60)
    assert.equal(wall, hero.floor)
  end)

  it("lets a character fall at once if it starts to ignore its floor", function()
    local floor = add("floor", 0, nil, { y = 10, static = true })
    local hero = add("hero", 0)
    local character = world:newCharacter(hero)
    character:move(0, 60, 1 / 60)
    character:move(0, 60, 1 / 60)
    assert.equal(floor, character.floor)
    hero.ignore = floor
    world:refresh(hero)
    character:move(0, 60, 1 / 60)
    assert.equal(1, hero.y)
    assert.is_nil(character.floor)
  end)

  it("makes a character leave a floor that it ignores, and ride another under it", function()
    local slab = collide.rectangle(10, 5)
    local left = add("left", 0, nil, { y = 10, static = true, shape = slab })
    local right = add("right", 10, nil, { y = 10, static = true, shape = slab })
    local hero = add("hero", 5)
    local character = world:newCharacter(hero)
    character:move(0, 60, 1 / 60)
    assert.equal(left, character.floor)
    hero.ignore = left
    world:refresh(hero)
    world:carry(left, 3, 0)
    world:carry(right, 3, 0)
    assert.equal(8, hero.x)
    character:move(0, 60, 1 / 60)
    assert.same({ 8, right, 180 }, { hero.x, character.floor, character.floorVx })
  end)

  it("frees a mover that was crushed before", function()
    local a = add("a", 0)
    add("left", -9, nil, { static = true, shape = collide.rectangle(10, 10) })
    local wall = add("wall", 1, nil, { static = true, shape = collide.rectangle(10, 10) })
    for _, x in ipairs { -20, 0, 20 } do
      for _, y in ipairs { -9.5, 9.5 } do
        add("block", x, nil, { y = y, static = true, shape = collide.rectangle(30, 10) })
      end
    end
    local _, _, hits = world:move(a, 3, 0)
    local x = a.x
    world:move(a, 3, 0)
    assert.is_true(hits[1].crushed)
    assert.equal(x, a.x)
    a.ignore = {}
    for _, other in ipairs(world:actors()) do table.insert(a.ignore, other) end
    world:refresh(a)
    local _, _, _, n = world:move(a, 3, 0)
    assert.same({ x + 3, 0 }, { a.x, n })
    wall.ignore = a
    world:refresh(wall)
    a.ignore = nil
    world:refresh(a)
    assert.is_true(select(4, world:move(a, 3, 0)) > 0)
  end)

  it("does not depend on the order of adding", function()
    for seed = SEED, SEED + random.rounds(50) - 1 do
      local rng, sums = random.new(seed), {}
      local places, related = {}, {}
      for i = 1, 12 do places[i] = { rng:int(0, 40), rng:int(0, 40) } end
      for i = 1, 10 do related[i] = { rng:int(12), rng:int(12) } end
      for turn = 1, 3 do
        local one, actors, order = collide.newWorld { broadphase = rng:pick(broadphases) }, {}, {}
        for i = 1, 12 do
          actors[i] = { name = i, x = places[i][1], y = places[i][2], shape = box, ignore = {} }
          table.insert(order, rng:int(#order + 1), actors[i])
        end
        for _, pair in ipairs(related) do
          local k = rng:int(2)
          table.insert(actors[pair[k]].ignore, actors[pair[3 - k]])
        end
        for _, actor in ipairs(order) do one:add(actor) end
        one:step()
        local hits = {}
        for a, b in one:hits() do
          hits[("%d %d"):format(math.min(a.name, b.name), math.max(a.name, b.name))] = true
        end
        one:move(actors[1], 20, 13, nil, "slide")
        sums[turn] = table.concat(keysOf(hits), ",") .. listOf(actors[1].x, actors[1].y)
      end
      assert.same({ sums[1], sums[1], sums[1] }, sums, "seed " .. seed)
    end
  end)
end)

describe("ignore in snapshots", function()
  local world, a, b

  before_each(function()
    world = collide.newWorld()
    a = world:add { name = "a", x = 0, y = 0, shape = box }
    b = world:add { name = "b", x = 5, y = 0, shape = box, ignore = a }
  end)

  it("is restored, and written into the fields", function()
    local before = world:snapshot()
    b.ignore = nil
    world:refresh(b)
    local after = world:snapshot()
    assert.not_equal(before:hash(), after:hash())
    assert.equal('actor 2 "b": ignore is actor 1, in the other nil', before:diff(after))
    world:restore(before)
    assert.equal(a, b.ignore)
    assert.is_false(world:canHit(a, b))
    world:restore(after)
    assert.is_nil(b.ignore)
    assert.is_true(world:canHit(a, b))
  end)

  it("includes actors that were not in the world, and applies once they are", function()
    local c = { name = "c", x = 5, y = 0, shape = box }
    b.ignore = { a, c }
    world:refresh(b)
    local before = world:snapshot()
    b.ignore = nil
    world:add(c)
    world:refresh()
    world:restore(before)
    assert.same({ a, c }, b.ignore)
    assert.is_false(world:has(c))
    world:add(c)
    assert.is_false(world:canHit(b, c))
  end)

  it("does not depend on removed actors or on the order of a list", function()
    local other = collide.newWorld()
    local gone = other:add { x = 0, y = 0, shape = box }
    local c = other:add { name = "a", x = 0, y = 0, shape = box, ignore = gone }
    other:remove(gone)
    local d = other:add { name = "b", x = 5, y = 0, shape = box, ignore = { c, gone, c } }
    world:step()
    other:step()
    local one, two = world:snapshot { "name" }, other:snapshot { "name" }
    assert.is_nil((one:diff(two)))
    assert.equal(one:hash(), two:hash())
    assert.equal(one:pack(), two:pack())
    d.ignore = nil
    other:refresh(d)
    assert.not_equal(world:snapshot():pack(), other:snapshot():pack())
  end)
end)

describe("ignore of a pool", function()
  local world, a, b, pool, told

  before_each(function()
    world, told = collide.newWorld(), {}
    a = world:add { name = "a", x = 0, y = 0, shape = box }
    b = world:add { name = "b", x = 20, y = 0, shape = box }
    pool = world:newBullets { capacity = 9, radius = 1, grazeRadius = 3, ignore = a,
      hit = function(_, _, actor) table.insert(told, "hit " .. actor.name) end,
      graze = function(_, _, actor) table.insert(told, "graze " .. actor.name) end }
  end)

  local function shoot()
    told = {}
    pool:clear()
    pool:spawn(5, 5, 0, 0)
    pool:spawn(25, 5, 0, 0)
    world:update(1 / 60)
    return table.concat(told, ", ")
  end

  it("may be set, to an actor, a list or nil", function()
    assert.equal(a, pool.ignore)
    assert.equal("graze b, hit b", shoot())
    pool.ignore = { b, a }
    assert.same({ b, a }, { pool.ignore[1], pool.ignore[2] })
    assert.equal("", shoot())
    pool.ignore = nil
    assert.is_nil(pool.ignore)
    assert.equal("graze a, hit a, graze b, hit b", shoot())
    pool.ignore = b
    assert.equal("graze a, hit a", shoot())
  end)

  it("raises for a wrong entry, with its index", function()
    expect.raises("pool: ignore expected (actor or list of actors), got number 3", function()
      pool.ignore = 3
    end)
    expect.raises("pool: ignore[2] expected (actor), got boolean true", function()
      pool.ignore = { a, true }
    end)
    expect.raises("world:newBullets: ignore[1] expected (actor), got number 1", world.newBullets,
      world, { capacity = 1, radius = 1, ignore = { 1 } })
    assert.equal(a, pool.ignore)
    local strict = collide.newWorld { strict = true }:newBullets { capacity = 1, radius = 1 }
    strict.ignore = a
    expect.raises("pool: field expected (hit, graze, timer, expired or ignore)", function()
      strict.ignores = a
    end)
  end)

  it("applies to lasers, and to actors that a bullet meets after a bounce", function()
    pool.hit = function(_, _, actor)
      table.insert(told, actor.name)
      return "bounce"
    end
    pool:spawn(17, 5, 3000, 0) -- bounces off b, back to a
    pool:spawnLaser { points = { -20, 5, 40, 5 }, width = 2 }
    world:update(1 / 60)
    assert.equal("graze b, b, graze b, b", table.concat(told, ", "))
  end)

  it("accepts actors that are not in the world, and follows them to other slots", function()
    local extra = {}
    for i = 1, 100 do extra[i] = world:add { x = 500, y = i, shape = box } end
    local c = { name = "c", x = 0, y = 0, shape = box }
    pool.ignore = { a, c }
    for i = 1, 100 do world:remove(extra[i]) end
    world:add(c)
    assert.equal("graze b, hit b", shoot())
    assert.equal("graze b, hit b", shoot())
    world:remove(a)
    a.name = "again"
    world:add(a)
    assert.equal("graze b, hit b", shoot())
  end)

  it("is part of snapshots, strings and hashes", function()
    local before = world:snapshot()
    pool.ignore = { b, { x = 0, y = 0, shape = box } }
    local after = world:snapshot()
    assert.equal("pool 1: ignore is actor 1, in the other actor 2", before:diff(after))
    assert.not_equal(before:hash(), after:hash())
    world:restore(before)
    assert.equal(a, pool.ignore)
    assert.equal("graze b, hit b", shoot())
    local other, made = collide.newWorld(), {}
    local twin = other:newBullets { capacity = 9, radius = 1, grazeRadius = 3 }
    other:restore(after:pack(), function(i)
      made[i] = { shape = box }
      return made[i]
    end)
    assert.equal(made[2], twin.ignore)
    assert.equal(after:hash(), other:snapshot():hash())
    other:restore(before:pack(), function(i)
      made[i] = { shape = box }
      return made[i]
    end)
    assert.equal(made[1], twin.ignore)
  end)
end)

describe("ignore does not keep objects alive:", function()
  local world = collide.newWorld { strict = false }

  local function newActor()
    return { x = 0, y = 0, shape = box }
  end

  -- Whether the actor that make() returns is collected once it has been removed and dropped.
  local function check(make)
    local seen = setmetatable({}, { __mode = "k" })
    local function use()
      local actor = make()
      seen[actor] = true
      if world:has(actor) then world:remove(actor) end
    end
    use()
    world:step()
    world:step()
    gc.forgetTraces()
    gc.full()
    assert.is_nil(next(seen))
  end

  it("an actor that was ignored, and one that ignores others", function()
    local stays = world:add(newActor())
    local keeper = world:add(newActor())
    check(function()
      local actor = world:add(newActor())
      keeper.ignore = { stays, actor }
      world:refresh(keeper)
      keeper.ignore = nil
      return actor
    end)
    check(function()
      local actor = newActor()
      actor.ignore = { stays, keeper, actor }
      return world:add(actor)
    end)
    check(function() -- was never in the world
      local actor = newActor()
      stays.ignore = actor
      world:refresh(stays)
      stays.ignore = nil
      return actor
    end)
  end)

  it("an actor that a pool ignores", function()
    local pool = world:newBullets { capacity = 1, radius = 1 }
    check(function()
      pool.ignore = world:add(newActor())
      return pool.ignore
    end)
    assert.is_nil(pool.ignore)
    check(function()
      local actor = newActor()
      pool.ignore = { actor }
      return actor
    end)
  end)

  it("an actor that only a snapshot still refers to by its `ignore`", function()
    local namer, snapshot = world:add(newActor()), nil
    check(function()
      local actor = newActor()
      namer.ignore = actor
      world:refresh(namer)
      snapshot = world:snapshot()
      namer.ignore = nil
      world:refresh(namer)
      return actor
    end)
    world:restore(snapshot)
    assert.is_nil(namer.ignore)
    world:step()
  end)

  it("a world, with all of its actors", function()
    local seen = setmetatable({}, { __mode = "k" })
    local function use()
      local one, actors = collide.newWorld(), {}
      for i = 1, 5 do
        actors[i] = newActor()
        actors[i].ignore = actors
        seen[actors[i]] = true
      end
      for i = 1, 5 do one:add(actors[i]) end
      one:newBullets { capacity = 1, radius = 1, ignore = actors }
      one:step()
      seen[one:snapshot()] = true
      seen[one] = true
    end
    use()
    gc.forgetTraces()
    gc.full()
    assert.is_nil(next(seen))
  end)
end)
