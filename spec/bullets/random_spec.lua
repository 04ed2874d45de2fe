-- Pools of bullets against an independent model, which tests every bullet's way against every actor
-- by elementary geometry (spec/support/swept.lua). Meanwhile bullets are spawned, killed and
-- changed, pass and bounce, actors move and jump, and actors and pools are added and removed.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local swept = require "spec.support.swept"

local SIDE, CLOSE, SAME = 100, 1e-7, 1e-9

local Model = {}
Model.__index = Model

-- Whether rounding decides if a bullet and an actor touch.
local function isDoubtful(a, r, actor)
  local less, more = r - CLOSE, r + CLOSE
  local t = swept.touch(a.x, a.y, a.u, a.v, less, actor)
  local u = swept.touch(a.x, a.y, a.u, a.v, more, actor)
  return (t == nil) ~= (u == nil)
    or swept.inside(a.u, a.v, less, actor) ~= swept.inside(a.u, a.v, more, actor)
    or (t or 1) < SAME and (u or 1) > 0 and u ~= 0 -- at the very start
end

local function byTime(a, b)
  if a.t ~= b.t then return a.t < b.t end
  if a.what ~= b.what then return a.what == "graze" end
  return a.order < b.order
end

-- The polygons of tiles that a bullet may meet again while it leaves the tiles: since they are
-- convex, those that it does not touch now. The second result is true if it moves into one that it
-- touches.
local function withoutNear(bullet, target)
  local far, doubtful = {}, false
  for _, corners in ipairs(target.polygons) do
    local one = setmetatable({ polygons = { corners } }, { __index = target })
    if not swept.inside(bullet.x, bullet.y, bullet.r + 1e-6, one) then
      far[#far + 1] = corners
    elseif swept.touch(bullet.x, bullet.y, bullet.u, bullet.v, bullet.r - 1e-5, one) then
      doubtful = true
    end
  end
  return setmetatable({ polygons = far }, { __index = target }), doubtful
end

-- The hits of a bullet on its way from x, y to u, v, which begins at the share `begins` of the
-- step. It does not hit `left`, which it is leaving.
function Model:meet(pool, bullet, begins, left)
  local found = {}
  for order, actor in ipairs(self.actors) do
    if pool.hits[actor.group] then
      -- The target from its place when the way begins.
      local target = setmetatable({ ox = actor.ox + (actor.x - actor.ox) * begins,
        oy = actor.oy + (actor.y - actor.oy) * begins }, { __index = actor })
      local leaves = actor == left
      if leaves and actor.kind == "tiles" then
        local doubtful
        leaves, target, doubtful = false, withoutNear(bullet, target)
        self.doubtful = self.doubtful or doubtful
      end
      local function note(what, t)
        found[#found + 1] = { what = what, t = t, actor = actor, order = order }
      end
      if not leaves and isDoubtful(bullet, bullet.r, target)
        or pool.graze and isDoubtful(bullet, pool.graze, target) then
        self.doubtful = true
      end
      if pool.graze and not bullet.grazed[actor] then
        local t = swept.touch(bullet.x, bullet.y, bullet.u, bullet.v, pool.graze, target)
        if t then note("graze", t) end
      end
      local t = not leaves
        and swept.touch(bullet.x, bullet.y, bullet.u, bullet.v, bullet.r, target)
      local within = bullet.inside[actor] or begins > 0 and bullet.met[actor]
      if t and not (within and t < SAME) then note("hit", t) end
    end
  end
  table.sort(found, byTime)
  for i = 2, #found do
    if found[i].t > 0 and found[i].t - found[i - 1].t < SAME then self.doubtful = true end
  end
  return found
end

-- The result of `hit` for the n-th hit of a bullet. A bullet that starts inside passes: this spec
-- does not test the way out.
local function answerOf(pool, id, n, inside)
  local answer = pool.answers and (pool.answers[(7 * id + 3 * n) % #pool.answers + 1] or nil)
  return answer == "bounce" and inside and "pass" or answer
end

-- Reflects a bullet at its hit, which is its n-th bounce in this step. Returns whether it goes on.
function Model:bounce(bullet, hit, left, n)
  local actor, t = hit.actor, hit.t
  bullet.x, bullet.y = bullet.x + (bullet.u - bullet.x) * t, bullet.y + (bullet.v - bullet.y) * t
  local when = bullet.begins + (1 - bullet.begins) * t
  local there = setmetatable({ x = actor.ox + (actor.x - actor.ox) * when,
    y = actor.oy + (actor.y - actor.oy) * when }, { __index = actor })
  local nx, ny = swept.normal(bullet.x, bullet.y, there)
  local vn = bullet.vx * nx + bullet.vy * ny
  if math.abs(vn) < CLOSE then self.doubtful = true end
  if vn < 0 then bullet.vx, bullet.vy = bullet.vx - 2 * vn * nx, bullet.vy - 2 * vn * ny end
  bullet.begins = when
  local more = n < 8 and 1 or 0
  bullet.u = bullet.x + bullet.vx * left * more
  bullet.v = bullet.y + bullet.vy * left * more
end

function Model:moveBullet(pool, bullet, dt)
  local h = dt * dt / 2
  bullet.u = bullet.x + (bullet.vx * dt + bullet.ax * h)
  bullet.v = bullet.y + (bullet.vy * dt + bullet.ay * h)
  bullet.begins, bullet.met = 0, {}
  local bounces, left = 0, nil
  repeat
    local bounced
    for _, event in ipairs(self:meet(pool, bullet, bullet.begins, left)) do
      local actor = event.actor
      self.expected[#self.expected + 1] = ("%d %s %d %s"):format(pool.index, event.what, bullet.id,
        actor.name)
      if event.what == "graze" then
        bullet.grazed[actor] = true
      else
        bullet.hits, bullet.met[actor] = bullet.hits + 1, true
        local answer = answerOf(pool, bullet.id, bullet.hits, event.t < SAME)
        if answer == "bounce" then
          bounces, bounced, left = bounces + 1, true, actor
          local t = bullet.begins + (1 - bullet.begins) * event.t
          self:bounce(bullet, event, (1 - t) * dt, bounces)
          break
        elseif not answer and not pool.pierce then
          bullet.dead = true
          break
        end
      end
    end
  until not bounced or self.doubtful
  bullet.inside = {}
  for _, actor in ipairs(self.actors) do
    if pool.hits[actor.group] and swept.inside(bullet.u, bullet.v, bullet.r, actor) then
      bullet.inside[actor] = true
    end
  end
  bullet.x, bullet.y = bullet.u, bullet.v
  bullet.vx, bullet.vy = bullet.vx + bullet.ax * dt, bullet.vy + bullet.ay * dt
  bullet.age = bullet.age + dt
  local out = bullet.x < -10 or bullet.x > SIDE + 10 or bullet.y < -10 or bullet.y > SIDE + 10
  if not bullet.dead and (out or bullet.age > pool.lifetime - 1e-6) then
    self.expected[#self.expected + 1] = ("%d expired %d"):format(pool.index, bullet.id)
    bullet.dead = true
  end
end

function Model:step(dt)
  self.expected = {}
  for _, pool in ipairs(self.pools) do
    for _, bullet in ipairs(pool.bullets) do self:moveBullet(pool, bullet, dt) end
    for i = #pool.bullets, 1, -1 do
      if pool.bullets[i].dead then table.remove(pool.bullets, i) end
    end
  end
end

-- The shapes of the values, in a cell of side 1.
local LOOKS = { [1] = { 0, 0, 1, 0, 1, 1, 0, 1 }, [2] = { 0, 1, 1, 0, 1, 1 },
  [3] = { 0, 0, 1, 1, 0, 1 }, [4] = { 0.5, 0, 1, 0.5, 0.5, 1, 0, 0.5 },
  [5] = { 0, 0.5, 1, 0.5, 1, 1, 0, 1 } }
local SHAPES = { [6] = false }
for value = 2, 5 do SHAPES[value] = collide.polygon(LOOKS[value]) end

-- A map of tiles, and a polygon for each of its cells.
local function makeTiles(r, actor)
  local cell, w, h = r:float(4, 9), r:int(3), r:int(3)
  local grid = collide.newGrid(w, h, { cell = cell })
  actor.polygons = {}
  for row = 0, h - 1 do
    for column = 0, w - 1 do
      local value = r:int(0, 6)
      grid:set(column, row, value)
      if LOOKS[value] then
        local corners = { left = column * cell, right = (column + 1) * cell, top = row * cell,
          bottom = (row + 1) * cell }
        for i, v in ipairs(LOOKS[value]) do
          corners[i] = ((i % 2 == 1 and column or row) + v) * cell
        end
        actor.polygons[#actor.polygons + 1] = corners
      end
    end
  end
  actor.shape, actor.angle, actor.static = collide.tiles(grid, SHAPES), 0, true
end

local function makeShape(r, actor)
  local kind = r:pick { "circle", "rectangle", "rectangle", "segment", "segment", "tiles" }
  actor.kind = kind
  if kind == "tiles" then return makeTiles(r, actor) end
  if kind == "circle" then
    actor.r = r:float(2, 12)
    actor.shape = collide.circle(actor.r)
  elseif kind == "rectangle" then
    actor.w, actor.h = r:float(1, 20), r:float(1, 20)
    actor.shape = collide.rectangle(actor.w, actor.h)
  else
    actor.w = r:float(3, 30)
    actor.shape = collide.segment(0, 0, actor.w, 0)
  end
  actor.angle = r:chance(0.5) and 0 or r:float(-4, 4)
end

local GROUPS = { "foe", "wall", "ghost" }

function Model:addActor(r)
  self.names = self.names + 1
  local actor = { name = "a" .. self.names, x = r:float(0, SIDE), y = r:float(0, SIDE),
    group = r:pick(GROUPS), static = r:chance(0.2) or nil }
  makeShape(r, actor)
  self.world:add(actor)
  actor.ox, actor.oy = actor.x, actor.y
  self.actors[#self.actors + 1] = actor
end

function Model:removeActor(r)
  local i = r:int(#self.actors)
  local actor = table.remove(self.actors, i)
  self.world:remove(actor)
  for _, pool in ipairs(self.pools) do
    for _, bullet in ipairs(pool.bullets) do
      bullet.inside[actor], bullet.grazed[actor] = nil, nil
    end
  end
end

function Model:moveActors(r)
  for _, actor in ipairs(self.actors) do
    actor.ox, actor.oy = actor.x, actor.y
    if not actor.static and r:chance(0.6) then
      local reach = r:pick { 1, 5, 30 }
      actor.x, actor.y = actor.x + r:float(-reach, reach), actor.y + r:float(-reach, reach)
      if r:chance(0.2) then actor.angle = r:float(-4, 4) end
    end
    if r:chance(0.05) then -- a jump
      actor.x, actor.y = r:float(0, SIDE), r:float(0, SIDE)
      actor.ox, actor.oy = actor.x, actor.y
      self.world:refresh(actor)
    end
  end
end

function Model:removePool(r)
  if #self.pools == 1 then return end
  local pool = table.remove(self.pools, r:int(#self.pools))
  pool.real:remove()
end

function Model:clear()
  self.world:clear()
  self.actors = {}
  for _, pool in ipairs(self.pools) do pool.bullets = {} end
end

function Model:note(pool, what, bullet, actor)
  self.told[#self.told + 1] = actor and ("%d %s %d %s"):format(pool.index, what, bullet, actor.name)
    or ("%d %s %d"):format(pool.index, what, bullet)
end

function Model:addPool(r)
  local pool = {
    index = #self.pools + 1, bullets = {}, radius = r:float(0.5, 4), pierce = r:chance(0.4),
    lifetime = r:chance(0.4) and r:float(0.3, 2) or math.huge, capacity = r:int(5, 60),
    hits = r:pick { { foe = true }, { foe = true, wall = true } },
  }
  pool.graze = r:chance(0.5) and pool.radius + r:float(1, 12) or nil
  pool.answers = r:chance(0.3) and r:pick { { "bounce" }, { "bounce", "pass" },
    { "bounce", "bounce", "pass", false }, { "pass", false } } or nil
  local hits, last = {}, {}
  local group = "shots" .. pool.index
  for name in pairs(pool.hits) do self.world:setRule(group, name, true) end
  pool.real = self.world:newBullets {
    capacity = pool.capacity, radius = pool.radius, group = group, pierce = pool.pierce,
    bounds = { 0, 0, SIDE, SIDE }, margin = 10, grazeRadius = pool.graze,
    lifetime = pool.lifetime < math.huge and pool.lifetime or nil,
    hit = function(_, bullet, actor, nx, ny, t, x, y)
      local u, v = pool.real:get(bullet)
      assert(math.abs(nx * nx + ny * ny - 1) < 1e-9 and t >= 0 and t <= 1 and u == x and v == y)
      self:note(pool, "hit", bullet, actor)
      hits[bullet] = (hits[bullet] or 0) + 1
      local from = last[bullet] and last[bullet].step == self.steps and last[bullet].t or 0
      local answer = answerOf(pool, bullet, hits[bullet], t - from < SAME * (1 - from))
      if answer == "bounce" then last[bullet] = { step = self.steps, t = t } end
      return answer
    end,
    graze = function(_, bullet, actor) self:note(pool, "graze", bullet, actor) end,
    expired = function(_, bullet) self:note(pool, "expired", bullet) end,
  }
  self.pools[#self.pools + 1] = pool
end

local function spawn(r, pool)
  local speed = r:pick { 0, 20, 200, 5000 }
  local x, y = r:float(0, SIDE), r:float(0, SIDE)
  local vx, vy = r:float(-speed, speed), r:float(-speed, speed)
  local id, why = pool.real:spawn(x, y, vx, vy, #pool.bullets)
  if #pool.bullets == pool.capacity then
    assert.is_nil(id)
    assert.equal("the pool is full", why)
    return
  end
  pool.bullets[#pool.bullets + 1] = { id = id, x = x, y = y, vx = vx, vy = vy, ax = 0, ay = 0,
    r = pool.radius, age = 0, grazed = {}, inside = {}, hits = 0 }
end

local function change(r, pool)
  if #pool.bullets == 0 then return end
  local bullet = r:pick(pool.bullets)
  if r:chance(0.3) then
    bullet.x, bullet.y = r:float(0, SIDE), r:float(0, SIDE)
  elseif r:chance(0.3) and not pool.answers then -- else the way might lead in
    bullet.ax, bullet.ay = r:float(-300, 300), r:float(-300, 300)
  elseif r:chance(0.3) then
    bullet.r = r:float(0.5, 6)
  else
    bullet.vx, bullet.vy = r:float(-100, 100), r:float(-100, 100)
  end
  assert.is_true(pool.real:set(bullet.id, { x = bullet.x, y = bullet.y, vx = bullet.vx,
    vy = bullet.vy, ax = bullet.ax, ay = bullet.ay, radius = bullet.r }))
end

local function kill(r, pool)
  if #pool.bullets == 0 then return end
  local bullet = table.remove(pool.bullets, r:int(#pool.bullets))
  assert.is_true(pool.real:kill(bullet.id))
  assert.is_false(pool.real:kill(bullet.id))
end

function Model:compare()
  for i = 1, math.max(#self.expected, #self.told) do
    if self.expected[i] ~= self.told[i] then
      error(("event %d: expected %s, got %s"):format(i, tostring(self.expected[i]),
        tostring(self.told[i])))
    end
  end
  for _, pool in ipairs(self.pools) do
    assert.equal(#pool.bullets, pool.real:count())
    local i = 0
    pool.real:each(function(id, x, y, vx, vy, radius)
      i = i + 1
      local bullet = pool.bullets[i]
      assert.equal(bullet.id, id)
      if pool.answers then
        expect.near({ bullet.x, bullet.y, bullet.vx, bullet.vy }, { x, y, vx, vy }, 1e-6)
        -- Taken over, so that rounding errors do not add up.
        bullet.x, bullet.y, bullet.vx, bullet.vy = x, y, vx, vy
      end
      assert(x == bullet.x and y == bullet.y and vx == bullet.vx and vy == bullet.vy
        and radius == bullet.r)
    end)
    assert.equal(#pool.bullets, i)
  end
end

local function play(seed)
  local r = random.new(seed)
  local self = setmetatable({ world = collide.newWorld { rules = {} }, actors = {}, pools = {},
    names = 0, steps = 0, told = {} }, Model)
  for _ = 1, r:int(3) do self:addPool(r) end
  for _ = 1, r:int(0, 12) do self:addActor(r) end
  for _ = 1, 40 do
    for _ = 1, r:int(0, 6) do
      local pool = r:pick(self.pools)
      if r:chance(0.6) then spawn(r, pool)
      elseif r:chance(0.6) then change(r, pool)
      else kill(r, pool) end
    end
    if r:chance(0.2) then self:addActor(r) end
    if r:chance(0.2) and #self.actors > 0 then self:removeActor(r) end
    self:moveActors(r)
    local dt = r:pick { 1 / 60, 1 / 60, 0.1, 0 }
    if r:chance(0.02) then self:removePool(r) end
    if r:chance(0.02) then self:clear() end
    self.told, self.steps = {}, self.steps + 1
    self:step(dt)
    if self.doubtful then return false end
    if dt == 0 then self.world:step(0) else self.world:update(dt) end
    self:compare()
  end
  return true
end

describe("pools of bullets", function()
  local first, rounds = random.seed(), math.max(random.rounds(40), 10)
  it(("hit, graze and expire as in a swept test of all pairs, seeds %d to %d"):format(first,
    first + rounds - 1), function()
    local whole = 0
    for seed = first, first + rounds - 1 do
      local ok, result = pcall(play, seed)
      if not ok then error(("seed %d: %s"):format(seed, tostring(result)), 0) end
      if result then whole = whole + 1 end
    end
    -- A game stops where rounding decides; most are played to the end.
    assert(whole > rounds * 0.8, ("only %d of %d"):format(whole, rounds))
  end)
end)
