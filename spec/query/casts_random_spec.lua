-- Casts against a scan of all actors, and properties of every answer.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local field = require "spec.support.field"
local random = require "spec.support.random"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local SEED = random.seed()
local EPS = 1e-8

-- Checks an answer against that of the scan: at t the mover and the shape must touch at the given
-- point, and a small step along the normal must separate them.
local function checkAnswer(want, answer, mover, dx, dy, body)
  assert(math.abs(answer.t - want.t) <= EPS, ("t %.17g expected, got %.17g"):format(want.t,
    answer.t))
  local point = solid.point(answer.x, answer.y)
  if want.inside then
    assert(answer.t == 0 and answer.nx == 0 and answer.ny == 0, "not as from inside")
    return
  end
  local nx, ny = answer.nx, answer.ny
  assert(math.abs(nx * nx + ny * ny - 1) <= 1e-12, "no unit normal")
  assert(nx * dx + ny * dy <= EPS, "the normal points ahead")
  local moved = solid.placed(mover, answer.t * dx, answer.t * dy)
  assert(math.abs(solid.gap(moved, body)) <= EPS or solid.rim(answer.x, answer.y, body) <= EPS,
    "they do not touch at t")
  assert(solid.rim(answer.x, answer.y, body) <= EPS, "the point is not on the shape")
  assert(solid.gap(point, moved) <= EPS, "the point is not on the mover")
  local step = 1e-5
  local back = solid.gap(solid.placed(moved, step * nx, step * ny), body)
  assert(math.abs(back - step) <= 1e-3 * step, ("the normal leads %g away, not %g"):format(back,
    step))
end

local function checkList(want, got, mover, dx, dy, bodyOf)
  assert(#want == #got, ("%d hits expected, got %d"):format(#want, #got))
  for i, w in ipairs(want) do
    assert(w.id == got[i].actor.id, "another actor at place " .. i)
    checkAnswer(w, got[i], mover, dx, dy, bodyOf(w.id))
  end
end

local function answerOf(actor, x, y, nx, ny, t)
  return actor and { actor = actor, x = x, y = y, nx = nx, ny = ny, t = t }
end

-- Casts in every world: a ray, for all hits and for the first, and a shape.
local function askRay(f, x, y, dx, dy)
  local filter, accepts = f:filter()
  local ignored = f:ignored()
  local point = solid.point(x, y)
  local want = f:casts(point, x, y, 0, dx, dy, accepts, ignored)
  if not want then return nil end
  local function bodyOf(id) return f:bodyOf(id) end
  f:ask(function(world, actors, broadphase)
    local ignore = field.ignore(actors, ignored)
    local list, n = world:rayCastAll(x, y, x + dx, y + dy, filter, ignore)
    assert(n == #list)
    local ok, what = pcall(checkList, want, list, point, dx, dy, bodyOf)
    assert(ok, broadphase .. ", all: " .. tostring(what))
    local first = answerOf(world:rayCast(x, y, x + dx, y + dy, filter, ignore))
    ok, what = pcall(checkList, { want[1] }, { first }, point, dx, dy, bodyOf)
    assert(ok, broadphase .. ", first: " .. tostring(what))
    for _, c in ipairs(list) do
      assert(math.abs(c.x - (x + c.t * dx)) + math.abs(c.y - (y + c.t * dy)) <= EPS)
    end
  end)
  return #want
end

local function askShape(f, x, y, dx, dy, rng)
  local shape, body = zoo.any(rng, 0.7 * f.size)
  local placed = zoo.placed(rng, shape, body, 0)
  placed.x, placed.y = x, y
  placed.solid = solid.placed(body, x, y, placed.angle)
  local filter, accepts = f:filter()
  local ignored = f:ignored()
  local want = f:casts(placed.solid, x, y, solid.reach(body), dx, dy, accepts, ignored)
  if not want then return nil end
  f:ask(function(world, actors, broadphase)
    local first = answerOf(world:shapeCast(placed, dx, dy, filter, field.ignore(actors, ignored)))
    local ok, what = pcall(checkList, { want[1] }, { first }, placed.solid, dx, dy,
      function(id) return f:bodyOf(id) end)
    assert(ok, ("%s, %s: %s"):format(broadphase, tostring(shape), tostring(what)))
    if first and first.t > 0 then
      -- moved by t they touch, and overlap by no more than rounding
      local other = f:seenPlaced(first.actor.id)
      local there = { shape = shape, x = x + first.t * dx, y = y + first.t * dy,
        angle = placed.angle }
      local _, _, depth = collide.overlap(there, other)
      assert((depth or 0) <= EPS, "in one another by " .. tostring(depth))
      assert((collide.distance(there, other)) <= EPS, "apart")
    end
  end)
  return want[1] and 1 or 0
end

-- Asks in some rounds, and in more if the scan has decided few questions or nothing was met: in
-- some fields rounding leaves most answers open.
local function compare(seed, n, size, far, rounds, questions, way, ask)
  local rng = random.new(seed)
  local f = field.new(rng, n, size, far)
  local usual, decided, met, round = rounds * questions, 0, 0, 0
  local function isEnough() return decided > usual / 2 and met > usual / 16 end
  while round < rounds or round < 40 * rounds and not isEnough() do
    round = round + 1
    if round > 1 then f:stir(0.3) end
    for q = 1, questions do
      local x, y = rng:float(-far, far), rng:float(-far, far)
      local dx, dy = rng:float(-way, way), rng:float(-way, way)
      if rng:chance(0.1) then dx = 0 elseif rng:chance(0.1) then dy = 0 end
      local ok, answer = pcall(ask, f, x, y, dx, dy, rng)
      if not ok then
        error(("seed %d, round %d, question %d from (%.17g, %.17g) by (%.17g, %.17g), %s"):format(
          seed, round, q, x, y, dx, dy, tostring(answer)), 0)
      end
      if answer then decided, met = decided + 1, met + answer end
    end
  end
  assert(isEnough(), ("%d decided, %d met"):format(decided, met))
end

describe("casts agree with a scan of all actors (seed " .. SEED .. "):", function()
  it("rays among a few, after adding, refreshing and removing", function()
    for i = 1, random.rounds(5) do compare(300 * SEED + i, 30, 20, 60, 8, 10, 80, askRay) end
  end)

  it("rays among some hundreds", function()
    compare(SEED, 300, 20, 300, 5, 15, 300, askRay)
  end)

  it("rays among thousands, in metres", function()
    compare(SEED, random.crowd(3000), 0.5, 20, 3, 10, 10, askRay)
  end)

  it("rays among 5000, most of them outside of the hinted field", function()
    compare(SEED, random.crowd(5000), 30, 2500, 3, 15, 1500, askRay)
  end)

  it("shapes among a few, after adding, refreshing and removing", function()
    for i = 1, random.rounds(5) do compare(400 * SEED + i, 30, 20, 80, 8, 6, 60, askShape) end
  end)

  it("shapes among some hundreds", function()
    compare(SEED, 300, 20, 400, 4, 10, 200, askShape)
  end)

  it("shapes among 5000, most of them outside of the hinted field", function()
    compare(SEED, random.crowd(5000), 20, 2500, 2, 10, 300, askShape)
  end)
end)

-- Rays that start and end on integers, in worlds of integers, often touch and graze. Here all broad
-- phases must give the same answers; casts_spec.lua checks such answers for single boxes.
describe("casts and queries on integer coordinates (seed " .. SEED .. ")", function()
  it("are the same for every broad phase", function()
    local rng = random.new(SEED)
    for _ = 1, random.rounds(4) do
      local worlds = {}
      local shapes, places = {}, {}
      for i = 1, 60 do
        shapes[i] = zoo.whole(rng, rng:pick(zoo.SHARP), 6)
        places[i] = { rng:int(-40, 40), rng:int(-40, 40) }
      end
      for k, broadphase in ipairs(broadphases) do
        worlds[k] = collide.newWorld { width = 40, height = 40, broadphase = broadphase }
        for i, shape in ipairs(shapes) do
          worlds[k]:add { id = i, x = places[i][1], y = places[i][2], shape = shape }
        end
      end
      local function same(method, ...)
        local first
        for k, world in ipairs(worlds) do
          local list, n = world[method](world, ...)
          local text = {}
          for i = 1, n do
            local c = list[i]
            text[i] = c.actor and ("%d %.17g %.17g %.17g %.17g %.17g"):format(c.actor.id, c.x, c.y,
              c.nx, c.ny, c.t) or tostring(c.id)
          end
          text = table.concat(text, "\n")
          first = first or text
          assert(text == first, ("%s: %s and %s differ:\n%s\n--\n%s"):format(method,
            broadphases[1], broadphases[k], first, text))
        end
      end
      for _ = 1, 60 do
        local x, y = rng:int(-45, 45), rng:int(-45, 45)
        same("rayCastAll", x, y, x + rng:int(-30, 30), y + rng:int(-30, 30))
        same("rayCastAll", x, y, x, rng:int(-50, 50))
        same("rayCastAll", x, y, rng:int(-50, 50), y)
        same("queryPoint", x, y)
        same("queryRect", x, y, rng:int(20), rng:int(20))
        same("nearest", x, y, 7)
      end
    end
  end)
end)
