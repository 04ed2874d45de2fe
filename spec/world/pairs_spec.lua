-- Overlap and distance of every pair of kinds, at random, against plain geometry
-- (spec/support/solid.lua): properties of any two shapes at any place.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local random = require "spec.support.random"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local overlap, distance = collide.overlap, collide.distance
local abs, sqrt = math.abs, math.sqrt
-- Enough pairs that some of each two kinds touch.
local SEED, PAIRS = random.seed(), math.max(random.rounds(1000), 250)
local SIZE, FAR = 20, 14
local EPS = 1e-9

-- n shapes of a kind, with their solids.
local function herd(rng, kind, n)
  local list = {}
  for i = 1, n do
    local shape, body = zoo.shape(rng, kind, SIZE)
    list[i] = { shape = shape, body = body }
  end
  return list
end

local function rotated(p, turn)
  local c, s = math.cos(turn), math.sin(turn)
  return { shape = p.shape, x = c * p.x - s * p.y, y = s * p.x + c * p.y,
    angle = (p.angle or 0) + turn }
end

-- Checks that open and closed overlap, and the distance with its two points, agree with each other
-- and with the gap between the solids.
local function checkDecision(a, b)
  local gap = solid.gap(a.solid, b.solid)
  local nx, ny, depth = overlap(a, b)
  local closed = overlap(a, b, true)
  local d, ax, ay, bx, by = distance(a, b)
  assert((d > 0) == (closed == nil), "the distance does not fit to touching")
  assert(not nx or closed, "open, but not closed")
  if gap > EPS then
    assert(not closed, "overlap expected nil")
    assert(abs(d - gap) <= EPS, ("distance %.17g expected, got %.17g"):format(gap, d))
    assert(abs(sqrt((bx - ax) ^ 2 + (by - ay) ^ 2) - d) <= EPS, "points at another distance")
    assert(solid.rim(ax, ay, a.solid) <= EPS, "no point of the first's boundary")
    assert(solid.rim(bx, by, b.solid) <= EPS, "no point of the second's boundary")
    local back, px, py, qx, qy = distance(b, a)
    assert(abs(back - d) <= EPS and abs(sqrt((qx - px) ^ 2 + (qy - py) ^ 2) - d) <= EPS,
      "another distance the other way round")
  elseif gap < -EPS then
    assert(nx, "overlap expected")
    assert(abs(nx * nx + ny * ny - 1) <= 1e-12 and depth >= 0, "no unit vector")
    assert(ax == bx and ay == by, "distance 0 between two points")
    local point = solid.point(ax, ay)
    assert(solid.gap(point, a.solid) <= depth / 2 + EPS
      and solid.gap(point, b.solid) <= depth / 2 + EPS, "a common point far from both")
  end
  return nx, ny, depth
end

local function checkSwap(a, b, nx, ny, depth)
  local mx, my, back = overlap(b, a)
  assert((mx ~= nil) == (nx ~= nil), "only one of the two overlaps the other")
  if not nx then return end
  assert(abs(back - depth) <= EPS, ("depth %.17g, but %.17g swapped"):format(depth, back))
  assert(abs(mx + nx) + abs(my + ny) <= 1e-6, "not the reversed vector")
end

-- Checks that the answer stays the same when both shapes are moved, or turned about 0, 0.
local function checkInvariance(a, b, depth, rng)
  local dx, dy, turn = rng:float(-99, 99), rng:float(-99, 99), rng:float(-3, 3)
  for _, moved in ipairs { { zoo.moved(a, dx, dy), zoo.moved(b, dx, dy) },
    { rotated(a, turn), rotated(b, turn) } } do
    local _, _, again = overlap(moved[1], moved[2])
    assert(again or not depth or depth < EPS, "no overlap after moving both")
    assert(not again or abs(again - (depth or 0)) <= EPS, "another depth after moving both")
  end
end

-- Checks that for convex shapes the vector is the shortest way out.
local function checkExit(a, b, nx, ny, depth)
  if not nx then return end
  local want = solid.depth(a.solid[1], b.solid[1])
  assert(abs(depth - want) <= EPS, ("depth %.17g expected, got %.17g"):format(want, depth))
  local step = depth + EPS
  assert(not overlap(zoo.moved(a, nx * step, ny * step), b), "not separated")
  step = 0.99 * depth
  assert(depth < EPS or overlap(zoo.moved(a, nx * step, ny * step), b), "0.99 separates already")
end

-- Checks that for other shapes the vector is at least as long as the way out of the deepest two
-- parts.
local function checkParts(a, b, depth)
  if not depth then return end
  local least = 0
  for _, p in ipairs(a.parts) do
    for _, q in ipairs(b.parts) do
      local _, _, deep = overlap({ shape = p, x = a.x, y = a.y, angle = a.angle },
        { shape = q, x = b.x, y = b.y, angle = b.angle })
      if deep and deep > least then least = deep end
    end
  end
  assert(depth >= least - EPS, ("depth %.17g, but parts are %.17g deep"):format(depth, least))
end

-- Checks that polygons overlap if and only if they have an area in common.
local function checkArea(a, b, depth)
  local common = 0
  for _, part in ipairs(b.parts) do
    local points = { closed = true, r = 0 }
    for k, v in ipairs(part:points()) do points[k] = v end
    local ring = solid.placed({ points }, b.x, b.y, b.angle)[1]
    common = common + solid.commonArea(a.solid[1], ring)
  end
  if common > 1e-7 then assert(depth, "an area in common, but no overlap") end
  if depth and depth > 1e-4 then assert(common > 0, "an overlap, but no area in common") end
end

local FILLED = { rectangle = true, polygon = true, concave = true }

local function complain(i, a, b, what)
  error(("seed %d, pair %d, %s at (%.17g, %.17g, %.17g), %s at (%.17g, %.17g, %.17g): %s")
    :format(SEED, i, tostring(a.shape), a.x, a.y, a.angle or 0,
      tostring(b.shape), b.x, b.y, b.angle or 0, tostring(what)), 0)
end

local function checkPairs(one, two, pairsWanted, rng)
  local first, second, hits = herd(rng, one, 40), herd(rng, two, 40), 0
  for i = 1, pairsWanted do
    local p, q = rng:pick(first), rng:pick(second)
    local a = zoo.placed(rng, p.shape, p.body, FAR)
    local b = zoo.placed(rng, q.shape, q.body, FAR)
    a.parts, b.parts = a.shape:parts(), b.shape:parts()
    local ok, what = pcall(function()
      local nx, ny, depth = checkDecision(a, b)
      checkSwap(a, b, nx, ny, depth)
      checkInvariance(a, b, depth, rng)
      if zoo.CONVEX[one] and zoo.CONVEX[two] then
        checkExit(a, b, nx, ny, depth)
      else
        checkParts(a, b, depth)
      end
      if FILLED[one] and FILLED[two] then checkArea(a, b, depth) end
      if nx then hits = hits + 1 end
    end)
    if not ok then complain(i, a, b, what) end
  end
  assert(hits > pairsWanted / 50 and hits < pairsWanted * 0.9, hits .. " hits")
end

describe("overlap and distance (seed " .. SEED .. ")", function()
  local n = 0
  for i, one in ipairs(zoo.KINDS) do
    for k = i, #zoo.KINDS do
      local two = zoo.KINDS[k]
      n = n + 1
      local number = n
      it("hold for " .. one .. " and " .. two, function()
        checkPairs(one, two, PAIRS, random.new(100 * SEED + number))
      end)
    end
  end
end)

-- With integers it is known exactly which shapes only touch. Where corners touch at several points
-- and no edges cross, one shape may be wedged into the other: such pairs are left out.
local function checkTouching(i, a, b)
  local closed = solid.meet(a.solid, b.solid)
  local open = closed and solid.meetInside(a.solid, b.solid)
  local crossing, contacts = solid.contacts(a.solid, b.solid)
  for _, pair in ipairs { { a, b }, { b, a } } do
    local p, q = pair[1], pair[2]
    local nx, ny, depth = overlap(p, q, true)
    if (nx ~= nil) ~= closed then complain(i, p, q, "touching: not " .. tostring(closed)) end
    local _, _, inside = overlap(p, q)
    if (inside ~= nil) ~= open and (inside or crossing or contacts < 2) then
      complain(i, p, q, "not touching: not " .. tostring(open))
    end
    if (distance(p, q) == 0) ~= closed then complain(i, p, q, "distance " .. distance(p, q)) end
    if nx and not inside and depth ~= 0 then complain(i, p, q, "touching at depth " .. depth) end
    if inside and not (inside > 0 and inside <= depth + 1e-12) then
      complain(i, p, q, ("depths %g and %g"):format(inside, depth))
    end
    if nx and abs(nx * nx + ny * ny - 1) > 1e-12 then complain(i, p, q, "no unit vector") end
  end
  return closed and not open
end

describe("overlap of shapes with whole coordinates (seed " .. SEED .. ")", function()
  for i, one in ipairs(zoo.SHARP) do
    for k = i, #zoo.SHARP do
      local two = zoo.SHARP[k]
      it("is decided exactly for " .. one .. " and " .. two, function()
        local rng, touching = random.new(SEED + 10 * i + k), 0
        for n = 1, PAIRS do
          local p, body = zoo.whole(rng, one, 6)
          local q, other = zoo.whole(rng, two, 6)
          local a = { shape = p, x = rng:int(-5, 5), y = rng:int(-5, 5) }
          local b = { shape = q, x = rng:int(-5, 5), y = rng:int(-5, 5) }
          a.solid, b.solid = solid.placed(body, a.x, a.y), solid.placed(other, b.x, b.y)
          if checkTouching(n, a, b) then touching = touching + 1 end
        end
        assert(touching > PAIRS / 100, touching .. " touch")
      end)
    end
  end
end)

-- Checks pairs of shapes with the given sizes at places up to `far` from the origin.
local function checkScale(size, far, rng)
  local kinds = { "rectangle", "circle", "capsule", "segment", "polygon" }
  for i = 1, 20 * #kinds do
    local one, two = kinds[i % #kinds + 1], rng:pick(kinds)
    local p, body = zoo.shape(rng, one, size)
    local q, other = zoo.shape(rng, two, size)
    local a, b = zoo.placed(rng, p, body, size / 2), zoo.placed(rng, q, other, size / 2)
    local x, y = rng:float(-far, far), rng:float(-far, far)
    a, b = zoo.moved(a, x, y), zoo.moved(b, x, y)
    local nx, ny, depth = overlap(a, b)
    local eps = 1e-14 * (far + size)
    local want = solid.depth(solid.placed(body, a.x, a.y, a.angle)[1],
      solid.placed(other, b.x, b.y, b.angle)[1])
    if want > eps and not depth or want < -eps and depth then
      complain(i, a, b, "an overlap of " .. want)
    end
    if depth then
      if abs(depth - want) > eps then complain(i, a, b, "depth " .. depth .. " not " .. want) end
      local step = depth + eps
      if overlap(zoo.moved(a, nx * step, ny * step), b) then complain(i, a, b, "not separated") end
    else
      local d = distance(a, b)
      if abs(d + want) > eps then complain(i, a, b, "distance " .. d .. " not " .. -want) end
    end
  end
end

describe("overlap and distance at scale (seed " .. SEED .. ")", function()
  for _, scale in ipairs { { 0.01, 0.1 }, { 1, 100 }, { 10, 1000 }, { 1, 1e6 }, { 100, 1e6 },
    { 5000, 1e6 }, { 5000, 0 } } do
    it(("hold for sizes up to %g at places up to %g"):format(scale[1], scale[2]), function()
      checkScale(scale[1], scale[2], random.new(SEED))
    end)
  end
end)

describe("a world of shapes of every kind (seed " .. SEED .. ")", function()
  for _, broadphase in ipairs(broadphases) do
    it("finds the pairs that overlap (" .. broadphase .. ")", function()
      local rng = random.new(SEED)
      for _ = 1, 3 do
        local touching = rng:chance(0.5)
        local world = collide.newWorld { width = 240, height = 240, broadphase = broadphase,
          touching = touching }
        local actors = {}
        for i = 1, 120 do
          local p = zoo.placed(rng, zoo.any(rng, SIZE), nil, 120)
          p.x, p.y, p.name = p.x + 120, p.y + 120, i
          actors[i] = world:add(p)
        end
        for _ = 1, 3 do
          world:step()
          local want, got = {}, {}
          for i, a in ipairs(actors) do
            for k = i + 1, #actors do
              local nx, ny, depth = overlap(a, actors[k], touching)
              if nx then want[#want + 1] = { i, k, nx, ny, depth } end
            end
          end
          for a, b, nx, ny, depth in world:hits() do
            got[#got + 1] = { a.name, b.name, nx, ny, depth }
          end
          assert.same(want, got)
          assert(#want > 10, #want .. " hits")
          for _, a in ipairs(actors) do
            a.x, a.y = a.x + rng:float(-9, 9), a.y + rng:float(-9, 9)
            a.angle = (a.angle or 0) + rng:float(-1, 1)
          end
        end
      end
    end)
  end
end)
