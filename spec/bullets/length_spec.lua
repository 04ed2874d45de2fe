-- Bullets with a length: capsules along their heading; compared with a plain model, which looks for
-- the first moment when a segment that moves is within the radius of a shape.
local collide = require "collide"
local expect = require "spec.support.expect"
local pools = require "spec.support.pools"
local random = require "spec.support.random"

local near, target = pools.near, pools.target
local CLOSE = 1e-6
local unpack = table.unpack or unpack -- luacheck: ignore

local function newPool(options)
  local world = collide.newWorld()
  options = options or {}
  options.capacity, options.radius = options.capacity or 100, options.radius or 2
  return world, world:newBullets(options)
end

local function noting(answer)
  local hits = {}
  return hits, function(pool, bullet, actor, nx, ny, t, x, y)
    hits[#hits + 1] = { bullet = bullet, name = actor.name, nx = nx, ny = ny, t = t, x = x, y = y,
      tail = { select(10, pool:get(bullet)) } }
    return answer
  end
end

-- The distance of a point from a segment, and of two segments.
local function apart(px, py, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local long = dx * dx + dy * dy
  local s = long > 0 and math.max(0, math.min(1, ((px - x1) * dx + (py - y1) * dy) / long)) or 0
  return math.sqrt((px - x1 - s * dx) ^ 2 + (py - y1 - s * dy) ^ 2)
end

local function side(px, py, x1, y1, x2, y2)
  return (x2 - x1) * (py - y1) - (y2 - y1) * (px - x1)
end

local function between(a, b)
  local x1, y1, x2, y2, u1, v1, u2, v2 = a[1], a[2], a[3], a[4], b[1], b[2], b[3], b[4]
  if side(u1, v1, x1, y1, x2, y2) * side(u2, v2, x1, y1, x2, y2) < 0
    and side(x1, y1, u1, v1, u2, v2) * side(x2, y2, u1, v1, u2, v2) < 0 then return 0 end
  return math.min(apart(x1, y1, u1, v1, u2, v2), apart(x2, y2, u1, v1, u2, v2),
    apart(u1, v1, x1, y1, x2, y2), apart(u2, v2, x1, y1, x2, y2))
end

-- The distance of a needle from a thing of the model at a place. A thing is a list of segments with
-- a radius; if it has an inside, that is a rectangle.
local function distance(needle, thing, x, y)
  local d = math.huge
  local inside = thing.w and needle[1] > x and needle[1] < x + thing.w and needle[2] > y
    and needle[2] < y + thing.h
  if inside then return 0 end
  for _, s in ipairs(thing.segments) do
    d = math.min(d, between(needle, { s[1] + x, s[2] + y, s[3] + x, s[4] + y }))
  end
  return d - thing.r
end

-- When a needle from x, y that flies along u, v first comes within `r` of a thing that moves, or
-- nil; the second result is whether rounding decides. Distances of convex shapes are convex in t.
local function touch(n, thing)
  local function at(t)
    local x, y = n.x + t * n.u, n.y + t * n.v
    local needle = { x, y, x - n.hx * n.length, y - n.hy * n.length }
    return distance(needle, thing, thing.x + t * thing.dx, thing.y + t * thing.dy) - n.r
  end
  local first = at(0)
  if first <= 0 then return 0, first > -CLOSE end
  local way = math.sqrt((thing.dx - n.u) ^ 2 + (thing.dy - n.v) ^ 2)
  if first > way + CLOSE then return nil, false end
  local low, high = 0, 1
  for _ = 1, 45 do
    local p, q = low + (high - low) / 3, high - (high - low) / 3
    if at(p) <= 0 then high = p break end
    if at(p) < at(q) then high = q else low = p end
  end
  local least, best = at(high), high
  if least > 0 then return nil, least < CLOSE end
  low, high = 0, best
  for _ = 1, 45 do
    local middle = (low + high) / 2
    if at(middle) <= 0 then high = middle else low = middle end
  end
  return high, least > -CLOSE
end

local function newThing(rng, world, i)
  local x, y, thing = rng:float(-40, 40), rng:float(-40, 40), { r = 0, dx = 0, dy = 0 }
  local shape
  if rng:chance(0.5) then
    thing.r, thing.segments = rng:float(1, 8), { { 0, 0, 0, 0 } }
    shape = collide.circle(thing.r)
  else
    local w, h = rng:float(1, 20), rng:float(1, 20)
    thing.w, thing.h = w, h
    thing.segments = { { 0, 0, w, 0 }, { w, 0, w, h }, { w, h, 0, h }, { 0, h, 0, 0 } }
    shape = collide.rectangle(w, h)
  end
  thing.x, thing.y = x, y
  thing.actor = world:add { name = i, x = x, y = y, shape = shape }
  if rng:chance(0.4) then thing.dx, thing.dy = rng:float(-30, 30), rng:float(-30, 30) end
  return thing
end

local function limited(x, y, least, most)
  local long = math.sqrt(x * x + y * y)
  if long == 0 or long >= least and long <= most then return x, y end
  local to = long < least and least or most
  return x / long * to, y / long * to
end

-- Spawns a needle, and returns how it flies in a step of `dt` seconds.
local function newNeedle(rng, pool, dt)
  local x, y, vx, vy = rng:float(-40, 40), rng:float(-40, 40), 0, 0
  if rng:chance(0.9) then vx, vy = rng:float(-80, 80), rng:float(-80, 80) end
  local o, turn, least, most = { length = rng:float(0.5, 30) }, 0, 0, math.huge
  if rng:chance(0.3) then o.ax, o.ay = rng:float(-60, 60), rng:float(-60, 60) end
  if rng:chance(0.3) then turn = rng:float(-3, 3) o.turnRate = turn end
  if rng:chance(0.3) then most = rng:float(5, 60) o.maxSpeed = most end
  local n = { x = x, y = y, r = 2, length = o.length, ax = o.ax or 0, ay = o.ay or 0 }
  n.bullet = pool:spawn(x, y, vx, vy, o)
  local c, s = math.cos(turn * dt), math.sin(turn * dt)
  local wx, wy = c * vx - s * vy, s * vx + c * vy
  n.u, n.v = limited(wx * dt + n.ax * dt * dt / 2, wy * dt + n.ay * dt * dt / 2, least * dt,
    most * dt)
  local hx, hy = limited(wx + n.ax * dt, wy + n.ay * dt, least, most)
  local long = math.sqrt(hx * hx + hy * hy)
  n.hx, n.hy = long > 0 and hx / long or 1, long > 0 and hy / long or 0
  return n
end

describe("a bullet with a length", function()
  -- 0    10   20   30
  --       o====>
  --         |W|          the wall comes down on the tail
  it("hits with its whole capsule, head at its place", function()
    local hits, hit = noting "pass"
    local world, pool = newPool { radius = 1, hit = hit }
    local wall = target(world, "wall", 12, -50, collide.rectangle(4, 10))
    local bullet = pool:spawn(20, 0, 8, 0, { length = 20 })
    near({ 20, 0, 8, 0, 1, 0, 0, 0, 0, 20, 0, 0 }, pool:get(bullet))
    wall.y = -10
    world:step(0.5)
    assert.equal(1, #hits)
    near({ 39 / 40, 0, 1, 23.9, 0 }, hits[1].t, hits[1].nx, hits[1].ny, hits[1].x, hits[1].y)
    assert.same({ 20 }, { hits[1].tail[1] })
    near({ 3.9, 0 }, hits[1].tail[2], hits[1].tail[3])
  end)

  it("is drawn along its heading, between steps too, and keeps it while it stands", function()
    local world, pool = newPool()
    local plan = collide.newPlan { { at = 0.5, speed = 0 } }
    local bullet = pool:spawn(0, 0, 0, 10, { length = 4, plan = plan })
    local still = pool:spawn(50, 0, 0, 0, { length = 3 })
    local aimed = pool:spawnAimed(50, 50, 50, 0, 0, { length = 3 })
    local round = pool:spawn(90, 0, 5, 0)
    world:step(1)
    near({ 0, 5, 0, 0, 2, 0, 0, 0, 1, 4, 0, 1 }, pool:get(bullet))
    near({ 3, 47, 0 }, select(10, pool:get(still)))
    near({ 3, 50, 53 }, select(10, pool:get(aimed)))
    assert.equal(9, select("#", pool:get(round)))
    local seen = {}
    pool:each(function(number, ...) seen[number] = { ... } end, 0.5)
    near({ 0, 2.5, 0, 0, 2, 0, 4, 0, -1.5 }, unpack(seen[bullet]))
    assert.equal(6, #seen[round])
    local angles = {}
    local batch = { add = function(_, _, _, angle) angles[#angles + 1] = angle end }
    pool:fill(batch)
    near({ math.pi / 2, 0, -math.pi / 2, 0 }, unpack(angles))
  end)

  it("gets another length from set, and becomes round with 0", function()
    local world, pool = newPool()
    local bullet = pool:spawn(0, 0, 0, -10)
    assert.is_true(pool:set(bullet, { length = 6 }))
    near({ 6, 0, 6 }, select(10, pool:get(bullet)))
    pool:set(bullet, { vx = 3, vy = 0 })
    near({ 6, -6, 0 }, select(10, pool:get(bullet)))
    pool:set(bullet, { vx = 0 })
    near({ 6, -6, 0 }, select(10, pool:get(bullet)))
    pool:set(bullet, { length = 0 })
    assert.equal(9, select("#", pool:get(bullet)))
    world:step(1)
    local laser = pool:spawnLaser { points = { 0, 0, 9, 0 }, width = 1 }
    assert.is_true(pool:set(laser, { length = 5 }))
    assert.equal(9, select("#", pool:get(laser)))
    expect.raises("length expected", pool.spawn, pool, 0, 0, 1, 0, { length = -1 })
    expect.raises("length expected", pool.set, pool, bullet, { length = "long" })
  end)

  it("grazes along its whole length, and is killed by a circle at its tail", function()
    local grazes = {}
    local world, pool = newPool { grazeRadius = 6, graze = function(_, bullet, actor)
      grazes[#grazes + 1] = bullet .. " " .. actor.name
    end }
    target(world, "beside the tail", 5, 10)
    local long, short = pool:spawn(40, 0, 0, 0, { length = 40 }), pool:spawn(40, 0, 0, 0)
    world:step(1)
    assert.same({ long .. " beside the tail" }, grazes)
    assert.equal(0, pool:killCircle(0, 5, 2.9))
    assert.equal(1, pool:killCircle(0, 5, 3))
    assert.is_nil(pool:get(long))
    assert.is_truthy(pool:get(short))
  end)

  it("grows its tail again after a bounce, and does not meet the wall again", function()
    local hits, hit = noting "bounce"
    local world, pool = newPool { radius = 1, hit = hit }
    target(world, "floor", -100, 10, collide.rectangle(200, 5))
    local bullet = pool:spawn(0, 0, 30, 40, { length = 20 })
    for _ = 1, 45 do
      world:step(1 / 60)
      local x, y, _, vy, _, _, _, _, _, length, tailX, tailY = pool:get(bullet)
      local tail = math.sqrt((tailX - x) ^ 2 + (tailY - y) ^ 2)
      local flown = vy < 0 and (9 - y) / 0.8 - 1 or 20
      near({ 20, math.max(0, math.min(20, flown)) }, length, tail)
    end
    assert.equal(1, #hits)
    near({ 30, -40 }, select(3, pool:get(bullet)))
  end)

  it("hits an actor that it passes through once", function()
    local hits, hit = noting "pass"
    local world, pool = newPool { radius = 1, hit = hit }
    target(world, "thin", 50, -20, collide.rectangle(1, 40))
    pool:spawn(0, 0, 60, 0, { length = 30 })
    for _ = 1, 30 do world:step(0.1) end
    assert.equal(1, #hits)
    near({ 49 }, hits[1].x)
  end)

  it("meets other bullets with its tail", function()
    local told = {}
    local world = collide.newWorld()
    local function pool(name, radius)
      return world:newBullets { capacity = 9, radius = radius, hitBullets = true,
        hit = function(_, bullet, _, nx, ny, t) told[#told + 1] = { name, bullet, nx, ny, t } end }
    end
    local needle = pool("needles", 1):spawn(20, 0, 0.5, 0, { length = 40 })
    local shot = pool("shots", 2):spawn(0, 13, 0, -20)
    world:step(1)
    assert.equal(2, #told)
    assert.same({ "needles", needle }, { told[1][1], told[1][2] })
    assert.same({ "shots", shot }, { told[2][1], told[2][2] })
    near({ 0, -1, 0.5 }, told[1][3], told[1][4], told[1][5])
    near({ 0, 1, 0.5 }, told[2][3], told[2][4], told[2][5])
  end)
end)

describe("bullets with lengths (seed " .. random.seed() .. ")", function()
  local DT = 0.5

  it("hit the actors that a plain model predicts, at the same times", function()
    local cases, doubtful = 0, 0
    for round = 1, random.rounds(25) do
      local rng = random.new(random.seed() * 1000 + round)
      local found, world = {}, collide.newWorld()
      local pool = world:newBullets { capacity = 20, radius = 2, pierce = true,
        hit = function(_, bullet, actor, _, _, t) found[bullet .. " " .. actor.name] = t end }
      local things, needles = {}, {}
      for i = 1, 5 do things[i] = newThing(rng, world, i) end
      world:step()
      for i = 1, 8 do needles[i] = newNeedle(rng, pool, DT) end
      for _, thing in ipairs(things) do
        thing.actor.x, thing.actor.y = thing.x + thing.dx, thing.y + thing.dy
      end
      world:step(DT)
      for _, n in ipairs(needles) do
        near({ n.x + n.u, n.y + n.v }, pool:get(n.bullet))
        near({ n.x + n.u - n.hx * n.length, n.y + n.v - n.hy * n.length },
          select(11, pool:get(n.bullet)))
        for i, thing in ipairs(things) do
          local t, doubt = touch(n, thing)
          local got = found[n.bullet .. " " .. i]
          local what = ("round %d, %d %d"):format(round, n.bullet, i)
          cases, doubtful = cases + 1, doubtful + (doubt and 1 or 0)
          if not doubt then
            assert.equal(t ~= nil, got ~= nil, what)
            if t then assert.is_true(math.abs(t - got) < 1e-5, what) end
          end
        end
      end
    end
    assert.is_true(cases >= random.rounds(25) * 40 and doubtful <= cases / 100)
  end)

  it("hit each other as the model predicts", function()
    local hits = 0
    for round = 1, math.max(random.rounds(25), 10) do
      local rng = random.new(random.seed() * 2000 + round)
      local found, world = {}, collide.newWorld()
      local pool = world:newBullets { capacity = 20, radius = 2, pierce = true, hitBullets = true,
        hit = function(_, bullet, _, _, _, t, _, _, other) found[bullet .. " " .. other] = t end }
      local others = world:newBullets { capacity = 20, radius = 2, pierce = true }
      local needles, against = {}, {}
      for i = 1, 6 do
        needles[i], against[i] = newNeedle(rng, pool, DT), newNeedle(rng, others, DT)
      end
      world:step(DT)
      for _, n in ipairs(needles) do
        for _, o in ipairs(against) do
          local thing = { x = o.x, y = o.y, dx = o.u, dy = o.v, r = o.r,
            segments = { { 0, 0, -o.hx * o.length, -o.hy * o.length } } }
          local t, doubt = touch(n, thing)
          local got = found[n.bullet .. " " .. o.bullet]
          local what = ("round %d, %d %d"):format(round, n.bullet, o.bullet)
          if not doubt then
            assert.equal(t ~= nil, got ~= nil, what)
            if t then assert.is_true(math.abs(t - got) < 1e-5, what) end
            hits = hits + (t and 1 or 0)
          end
        end
      end
    end
    assert.is_true(hits > random.often(100))
  end)

  it("repeat the same play from a snapshot and from its pack", function()
    for round = 1, random.rounds(20) do
      local rng = random.new(random.seed() * 3000 + round)
      local log, names = {}, {}
      local world = collide.newWorld()
      local function pool(name)
        return world:newBullets { capacity = 30, radius = 2, hitBullets = true, grazeRadius = 4,
          hit = function(own, bullet, actor, nx, ny, t, x, y)
            log[#log + 1] = table.concat({ name, bullet, actor.name or "bullet", nx, ny, t, x, y,
              select(10, own:get(bullet)) }, " ")
            return bullet % 3 > 0 and "bounce" or "pass"
          end }
      end
      local one, two = pool "one", pool "two"
      for i = 1, 6 do names[i] = newThing(rng, world, i).actor end
      local plan = collide.newPlan { { at = 0.3, angle = rng:float(-3, 3) },
        { at = 0.55, radius = 3, speed = 0 }, { at = 0.8, angle = 2, speed = 40 } }
      for i = 1, 12 do
        local n = newNeedle(rng, i % 2 == 0 and one or two, 1)
        if i % 3 == 0 then
          one:spawn(n.x, n.y, 30, 20, { length = rng:float(0, 20), plan = plan })
        end
      end
      local function play()
        log = {}
        for _ = 1, 8 do world:step(0.1) end
        return table.concat(log, "\n"), world:snapshot():pack()
      end
      for _ = 1, 4 do world:step(0.1) end
      local snapshot = world:snapshot()
      local packed = snapshot:pack()
      local told, after = play()
      world:restore(snapshot)
      assert.equal(packed, world:snapshot():pack())
      local again, then_ = play()
      assert.equal(told, again, "round " .. round)
      assert.equal(after, then_, "round " .. round)
      world:restore(packed, function(i) return names[i] end)
      again, then_ = play()
      assert.equal(told, again, "round " .. round)
      assert.equal(after, then_, "round " .. round)
      assert.is_nil((world:snapshot():diff(world:snapshot())))
    end
  end)

  it("are compared by length in snapshot:diff", function()
    local world, pool = newPool()
    local bullet = pool:spawn(0, 0, 1, 0, { length = 3 })
    local before = world:snapshot()
    pool:set(bullet, { length = 5 })
    assert.truthy(before:diff(world:snapshot()):find("length is 3, in the other 5", 1, true))
  end)
end)
