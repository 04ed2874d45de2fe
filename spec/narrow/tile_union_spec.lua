-- Tiles with shapes against the union of their polygons, which plain Lua cuts and measures
-- (spec/support/solid.lua), independently of the engine.
local collide = require "collide"
local maps = require "spec.support.maps"
local pieces = require "spec.support.pieces"
local random = require "spec.support.random"
local solid = require "spec.support.solid"

local SEED = random.seed()

-- A convex body with integer or half-integer coordinates: its shape, and its form in solid.lua.
local function randomBody(rng)
  local w, h = rng:int(1, 16) / 2, rng:int(1, 16) / 2
  local kind = rng:int(3)
  if kind == 1 then return collide.circle(w), solid.circle(0, 0, w) end
  if kind == 2 then return collide.rectangle(w, h), solid.rectangle(0, 0, w, h) end
  local x, y = rng:int(1, 16) / 2, rng:int(-16, 0) / 2
  return collide.polygon(0, 0, x, y, w, h),
    { { 0, 0, x, y, w, h, closed = true, filled = true, r = 0 } }
end

local function tilesOf(seed)
  local shape = maps.random(collide, random.new(seed))
  local outlines = {}
  for i, corners in ipairs(pieces.of((maps.random(pieces, random.new(seed))))) do
    outlines[i] = { closed = true, filled = true, r = 0 }
    for k, v in ipairs(corners) do outlines[i][k] = v end
  end
  return shape, outlines
end

-- How far a placed body overlaps the union: the common area, or for a round body its depth in a
-- polygon.
local function common(body, union)
  if body[1].r > 0 then return math.max(0, -solid.gap(body, union)) end
  local sum = 0
  for _, outline in ipairs(union) do sum = sum + solid.commonArea(body[1], outline) end
  return sum
end

local LEAST, CLOSE, WAYS = 1e-9, 1e-7, 16

-- Calls found(what, placed, at, tiles, union) for random places of bodies by random tiles.
local function each(rounds, found)
  local rng = random.new(SEED)
  for round = 1, rounds do
    local shape, union = tilesOf(1000 * SEED + round)
    local tiles = { shape = shape, x = 0, y = 0, static = true }
    for _ = 1, 10 do
      local body, flat = randomBody(rng)
      local placed = { shape = body, x = rng:int(-20, 50) / 2, y = rng:int(-20, 40) / 2 }
      found(("round %d: %s at %g, %g"):format(round, tostring(body), placed.x, placed.y), placed,
        flat, tiles, union, rng)
    end
  end
end

describe("tiles with shapes and the union of their polygons (seed " .. SEED .. ")", function()
  it("agree in overlap and the way out", function()
    local hits = 0
    each(random.rounds(40), function(what, placed, flat, tiles, union)
      local x, y = placed.x, placed.y
      local nx, ny, depth = collide.overlap(placed, tiles)
      assert.equal(common(solid.placed(flat, x, y), union) > LEAST, nx ~= nil, what)
      if not nx then return end
      hits = hits + 1
      assert(math.abs(nx * nx + ny * ny - 1) < LEAST, what)
      local out = solid.placed(flat, x + nx * depth, y + ny * depth)
      assert(common(out, union) < CLOSE, what .. ": the way out leads into others")
      local short = depth - 0.01
      for i = 1, short > 0 and WAYS or 0 do
        local angle = 2 * math.pi * i / WAYS
        local moved = solid.placed(flat, x + math.cos(angle) * short, y + math.sin(angle) * short)
        assert(common(moved, union) > LEAST, what .. ": there is a shorter way out")
      end
    end)
    assert(hits > random.often(40))
  end)

  it("agree in the distance", function()
    local apart = 0
    each(random.rounds(40), function(what, placed, flat, tiles, union)
      if #union == 0 then return end
      local gap = math.max(0, solid.gap(solid.placed(flat, placed.x, placed.y), union))
      assert(math.abs(gap - (collide.distance(placed, tiles))) < LEAST, what)
      if gap > 0 then apart = apart + 1 end
    end)
    assert(apart > random.often(40))
  end)

  it("agree about rays and moving shapes", function()
    local met, passed = 0, 0
    -- Where a hit is reported, the two touch, and not before; without a hit they never touch.
    local function compare(what, got, body, dx, dy, union)
      if not got then
        passed = passed + 1
        assert(not solid.cast(body, dx, dy, union), what .. ": passes")
        return
      end
      met = met + 1
      assert(solid.gap(solid.placed(body, got * dx, got * dy), union) < LEAST, what)
      for _, share in ipairs { 0.999, 0.9, 0.6, 0.3 } do
        local t = share * got
        assert(solid.gap(solid.placed(body, t * dx, t * dy), union) > 0, what .. ": met before")
      end
    end
    each(random.rounds(40), function(what, placed, flat, tiles, union, rng)
      local x, y, dx, dy = placed.x, placed.y, rng:int(-40, 40) / 2, rng:int(-40, 40) / 2
      what = ("%s by %g, %g"):format(what, dx, dy)
      local world = collide.newWorld()
      world:add { shape = tiles.shape, x = 0, y = 0, static = true }
      local start, point = solid.placed(flat, x, y), solid.point(x, y)
      if solid.gap(start, union) > LEAST then
        local _, _, _, _, _, t = world:shapeCast(placed, dx, dy)
        compare(what, t, start, dx, dy, union)
      end
      if solid.gap(point, union) > LEAST then
        local _, _, _, _, _, t = world:rayCast(x, y, x + dx, y + dy)
        compare(what .. ", a ray", t, point, dx, dy, union)
      end
    end)
    assert(met > random.often(40) and passed > random.often(40))
  end)
end)
