-- collide.distance: the distance, and the two nearest points.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local zoo = require "spec.support.zoo"

local near, distance = expect.near, collide.distance
local rectangle, circle, segment = collide.rectangle, collide.circle, collide.segment
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

describe("collide.distance", function()
  --   0   10        30
  --   +---+          +---+
  --   | a x----------x b |      20, between the sides
  --   +---+          +---+
  it("gives the distance and the nearest point of each", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 30, 20)
    near({ math.sqrt(500), 10, 10, 30, 20 }, { distance(a, b) })
    near({ math.sqrt(500), 30, 20, 10, 10 }, { distance(b, a) })
    b.y = 0
    local d, ax, ay, bx, by = distance(a, b)
    near({ 20, 10, 30 }, { d, ax, bx }, 0)
    assert(ay == by and ay >= 0 and ay <= 10)
  end)

  it("between two maps of tiles is that of their nearest cells", function()
    for seed = random.seed(), random.seed() + random.rounds(40) - 1 do
      local rng = random.new(seed)
      local function tiles()
        local cells, grid = {}, collide.newGrid(6, 5, { cell = 3 })
        for col = 0, 5 do
          for row = 0, 4 do
            if rng:chance(0.2) then
              grid:set(col, row, 1)
              cells[#cells + 1] = { 3 * col, 3 * row }
            end
          end
        end
        return at(collide.tiles(grid), rng:int(-30, 30), rng:int(-30, 30)), cells
      end
      local a, ofA = tiles()
      local b, ofB = tiles()
      local least = math.huge
      for _, p in ipairs(ofA) do
        for _, q in ipairs(ofB) do
          local dx = math.abs(a.x + p[1] - b.x - q[1]) - 3
          local dy = math.abs(a.y + p[2] - b.y - q[2]) - 3
          least = math.min(least, math.sqrt(math.max(dx, 0) ^ 2 + math.max(dy, 0) ^ 2))
        end
      end
      assert(math.abs(distance(a, b) - least) < 1e-12 or distance(a, b) == least, "seed " .. seed)
      assert.equal(distance(a, b), (distance(b, a)), "seed " .. seed)
    end
  end)

  it("is between circles along the line of centres", function()
    near({ 5, 3, 4, 6, 8 }, { distance(at(circle(5), 0, 0), at(circle(10), 12, 16)) })
  end)

  it("is from a circle to an edge or a corner", function()
    local box = at(rectangle(20, 20), 0, 0)
    near({ 3, 7, -3, 7, 0 }, { distance(at(circle(2), 7, -5), box) })
    near({ 5, 23, 24, 20, 20 }, { distance(at(circle(5), 26, 28), box) })
    near({ 5, 20, 20, 23, 24 }, { distance(box, at(circle(5), 26, 28)) })
  end)

  it("is between capsules, segments and polygons", function()
    near({ 6, 10, 2, 10, 8 },
      { distance(at(collide.capsule(0, 0, 10, 0, 2), 0, 0), at(segment(10, 8, 30, 8), 0, 0)) })
    near({ math.sqrt(2) * 5, 10, 0, 5, 5 },
      { distance(at(segment(10, 0, 20, -1), 0, 0), at(segment(0, 0, 8, 8), 0, 0)) })
    near({ 4, 5, 10, 5, 14 },
      { distance(at(collide.polygon(0, 0, 10, 0, 5, 10), 0, 0), at(rectangle(1, 9), 5, 14)) })
  end)

  it("is that to the nearest part of a shape of several", function()
    local L = at(collide.polygon(0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30), 0, 0)
    near({ 5, 18, 15, 18, 10 }, { distance(at(circle(2), 18, 17), L) })
    near({ 2, 12, 25, 10, 25 }, { distance(at(circle(1), 13, 25), L) })
    local room = at(collide.chain({ 0, 0, 100, 0, 100, 50, 0, 50 }, true), 0, 0)
    near({ 15 }, { (distance(at(circle(5), 80, 25), room)) })
    local pair = at(collide.compound(circle(-10, 0, 5), circle(10, 0, 5)), 0, 0)
    near({ 3, 2, 0, 5, 0 }, { distance(at(circle(1), 1, 0), pair) })
  end)

  it("is 0 for shapes that overlap or touch, at one point", function()
    local a = at(rectangle(10, 10), 0, 0)
    for _, b in ipairs { a, at(rectangle(10, 10), 10, 3), at(rectangle(10, 10), 10, 10),
      at(circle(1), 5, 5), at(circle(5), 13, 14), at(segment(10, 5, 20, 5), 0, 0),
      at(rectangle(100, 100), -20, -20) } do
      local d, ax, ay, bx, by = distance(a, b)
      assert.equal(0, d)
      near({ ax, ay }, { bx, by }, 0)
    end
    near({ 0, 10, 10, 10, 10 }, { distance(a, at(rectangle(10, 10), 10, 10)) })
    near({ 0, 10, 5, 10, 5 }, { distance(a, at(segment(10, 5, 20, 5), 0, 0)) })
  end)

  it("is above 0 for shapes that are barely apart", function()
    local a = at(rectangle(10, 10), 0, 0)
    for _, gap in ipairs { 1e-3, 1e-6, 1e-9, 2 ^ -40, 2 ^ -49 } do
      near({ gap }, { (distance(a, at(rectangle(10, 10), 10 + gap, 3))) }, 1e-15)
      near({ gap }, { (distance(a, at(circle(5), 15 + gap, 5))) }, 1e-14)
      assert((distance(a, at(rectangle(10, 10), 10 + gap, 3))) > 0)
    end
  end)

  it("works at sizes in metres and at sizes of a map in pixels", function()
    near({ 0.005 }, { (distance(at(circle(0.01), 0, 0), at(circle(0.01), 0.025, 0))) }, 1e-15)
    near({ 1e6 }, { (distance(at(circle(5000), 0, 0), at(circle(5000), 1010000, 0))) }, 1e-6)
    near({ 1e12 - 2 }, { (distance(at(circle(1), 0, 0), at(circle(1), 1e12, 0))) }, 1e-3)
    near({ 1 }, { (distance(at(rectangle(10, 10), 1e6, 1e6),
      at(rectangle(10, 10), 1e6 + 11, 1e6))) }, 1e-9)
  end)

  it("respects the angle, except for upright shapes", function()
    local bar = rectangle(30, 4)
    near({ 9 }, { (distance(at(bar, 0, 0, math.pi / 2), at(circle(1), 10, 20))) })
    near({ 15 }, { (distance(at(bar:upright(), 0, 0, math.pi / 2), at(circle(1), 10, 20))) })
  end)

  it("reads any tables with shape, x and y at the time of the call", function()
    local world = collide.newWorld()
    local a = world:add(at(circle(1), 0, 0))
    a.x = 50
    near({ 8 }, { (distance(a, at(circle(1), 60, 0))) })
    local class = { shape = circle(1), x = 0, y = 0 }
    class.__index = class
    near({ 8 }, { (distance(setmetatable({}, class), setmetatable({ x = 10 }, class))) })
  end)
end)

-- Points along the boundary of a solid, `step` apart.
local function samples(body, step)
  local out = {}
  for _, o in ipairs(body) do
    local n = #o
    local edges = (o.closed and n or n - 2) / 2
    for i = 0, math.max(edges, 1) - 1 do
      local p, q = 2 * i + 1, (2 * i + 2) % n + 1
      local dx, dy = o[q] - o[p], o[q + 1] - o[p + 1]
      local count = math.ceil(math.sqrt(dx * dx + dy * dy) / step)
      for k = 0, count do
        local t = count > 0 and k / count or 0
        out[#out + 1] = { o[p] + t * dx, o[p + 1] + t * dy, o.r }
      end
    end
  end
  return out
end

describe("collide.distance against dense sampling (seed " .. SEED .. ")", function()
  for i, one in ipairs(zoo.KINDS) do
    it("is the smallest between points of " .. one .. " and any other", function()
      local rng, apart, step = random.new(SEED + i), 0, 0.25
      for n = 1, random.rounds(24) do
        local p, body = zoo.shape(rng, one, 10)
        local q, other = zoo.shape(rng, zoo.KINDS[(n - 1) % #zoo.KINDS + 1], 10)
        local a, b = zoo.placed(rng, p, body, 16), zoo.placed(rng, q, other, 16)
        local d = distance(a, b)
        if d > 0 then
          apart = apart + 1
          local least = math.huge
          local points = samples(b.solid, step)
          for _, v in ipairs(samples(a.solid, step)) do
            for _, w in ipairs(points) do
              local gap = math.sqrt((v[1] - w[1]) ^ 2 + (v[2] - w[2]) ^ 2) - v[3] - w[3]
              if gap < least then least = gap end
            end
          end
          assert(least >= d - 1e-9 and least <= d + step,
            ("pair %d: %s and %s: %.17g, sampled %.17g"):format(n, tostring(p), tostring(q), d,
              least))
        end
      end
      assert(apart > random.often(6), apart)
    end)
  end
end)
