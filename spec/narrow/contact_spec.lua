-- world:contacts: where two shapes meet, and how deep.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local near, raises = expect.near, expect.raises
local rectangle, circle, segment = collide.rectangle, collide.circle, collide.segment
local SEED = random.seed()

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

-- The points sorted by x, then y, as one flat list.
local function flat(points)
  local sorted = {}
  for i, p in ipairs(points) do sorted[i] = p end
  table.sort(sorted, function(p, q)
    if math.abs(p.x - q.x) > 1e-9 then return p.x < q.x end
    return p.y < q.y
  end)
  local out = {}
  for _, p in ipairs(sorted) do
    out[#out + 1], out[#out + 2], out[#out + 3] = p.x, p.y, p.depth
  end
  return out
end

describe("world:contacts", function()
  local world, closed = collide.newWorld(), collide.newWorld { touching = true }

  it("is an empty list without overlap", function()
    assert.same({}, world:contacts(at(circle(5), 0, 0), at(circle(5), 11, 0)))
    assert.same({}, world:contacts(at(rectangle(9, 9), 0, 0), at(rectangle(9, 9), 9, 0)))
    assert.same({}, closed:contacts(at(rectangle(9, 9), 0, 0), at(rectangle(9, 9), 9.001, 0)))
  end)

  --   +------+
  --   |  +---|---+      1 deep where they overlap
  --   +--x---x   |
  --      +-------+
  it("is two points, the ends of the stretch that two edges share", function()
    local points = world:contacts(at(rectangle(20, 10), 0, 0), at(rectangle(20, 10), 5, 9))
    near({ 5, 9.5, 1, 20, 9.5, 1 }, flat(points))
    points = world:contacts(at(rectangle(10, 20), 0, 0), at(rectangle(10, 5), 8, 10))
    near({ 9, 10, 2, 9, 15, 2 }, flat(points))
  end)

  --    o
  --  +---+        one point, midway between the two surfaces
  it("is one point for a round shape", function()
    near({ 4, 0, 2 }, flat(world:contacts(at(circle(5), 0, 0), at(circle(5), 8, 0))))
    near({ 10, 0.5, 1 }, flat(world:contacts(at(circle(5), 10, -4), at(rectangle(20, 20), 0, 0))))
    near({ 10, 0.5, 1 }, flat(world:contacts(at(rectangle(20, 20), 0, 0), at(circle(5), 10, -4))))
  end)

  --     /\
  --    /  \       one point where a corner goes in, unless two go in equally far
  --  +--\/--+
  it("is one point for a corner", function()
    local tip = at(collide.polygon(0, 0, 5, -10, -5, -10), 10, 1)
    near({ 10, 0.5, 1 }, flat(world:contacts(tip, at(rectangle(20, 20), 0, 0))))
  end)

  it("has a different depth at each end if the edges are not parallel", function()
    local c, s = math.cos(0.02), math.sin(0.02)
    local box = at(rectangle(20, 10), 10, -9, 0.02)        -- its right lower corner is the lowest
    local points = world:contacts(box, at(rectangle(100, 20), 0, 0))
    assert.equal(2, #points)
    local got = flat(points)
    near({ -9 + 20 * s + 10 * c, -9 + 10 * c }, { got[6], got[3] }, 0.01)
    assert(got[6] > got[3] and got[1] < 11 and got[4] > 29)
    local _, _, depth = world:overlap(box, at(rectangle(100, 20), 0, 0))
    near({ depth }, { got[6] })
  end)

  it("is two points on the side of a capsule, one at its end", function()
    local flatly = at(collide.capsule(-5, 0, 5, 0, 2), 20, -1)
    near({ 15, 0.5, 1, 25, 0.5, 1 }, flat(world:contacts(flatly, at(rectangle(40, 20), 0, 0))))
    flatly.angle = math.pi / 2
    flatly.y = -6
    near({ 20, 0.5, 1 }, flat(world:contacts(flatly, at(rectangle(40, 20), 0, 0))))
  end)

  it("is the point where segments cross", function()
    local points = world:contacts(at(segment(0, 0, 20, 0), 0, 0), at(segment(10, -3, 10, 30), 0, 0))
    assert.equal(1, #points)
    near({ 10, 3 }, { points[1].x, points[1].depth })
    assert(points[1].y <= 0 and points[1].y >= -3)
  end)

  it("has depth 0 where shapes only touch, in a world with `touching`", function()
    local a, b = at(rectangle(10, 10), 0, 0), at(rectangle(10, 10), 10, 4)
    near({ 10, 4, 0, 10, 10, 0 }, flat(closed:contacts(a, b)))
    near({ 10, 10, 0 }, flat(closed:contacts(a, at(rectangle(5, 5), 10, 10))))
    near({ 3, 4, 0 }, flat(closed:contacts(at(circle(5), 0, 0), at(circle(5), 6, 8))))
  end)

  --       +--+
  --  +----|--|-+--------+     over a joint, or over a cut: still two points
  --       +--+
  it("is at most two points, also over joints and cuts", function()
    local box = at(rectangle(4, 6), 8, -5)
    local floors = { collide.chain { 0, 0, 10, 0, 20, 0 }, collide.chain { 0, 0, 9, 0, 10, 0, 11, 0,
      20, 0 } }
    for _, floor in ipairs(floors) do
      near({ 8, 0.5, 1, 12, 0.5, 1 }, flat(world:contacts(box, at(floor, 0, 0))), 0.5 + 1e-9)
    end
    local teeth = collide.polygon(0, 0, 20, 0, 20, 30, 15, 5, 10, 30, 5, 5, 0, 30)
    near({ 8, 0.5, 1, 12, 0.5, 1 }, flat(world:contacts(box, at(teeth, 0, 0))))
  end)

  it("is in the deepest member of a compound", function()
    local pair = collide.compound(circle(-10, 0, 5), circle(10, 2, 5))
    local points = world:contacts(at(pair, 0, 0), at(rectangle(100, 20), -50, 4))
    near({ 10, 5.5, 3 }, flat(points))
  end)

  it("reads any placed tables, by the field names of the world", function()
    local other = collide.newWorld { fields = { x = "left", shape = "collider" } }
    local points = other:contacts({ left = 0, y = 0, collider = circle(5) },
      { left = 8, y = 0, collider = circle(5) })
    near({ 4, 0, 2 }, flat(points))
    raises({ "world:contacts: a.collider expected (" }, other.contacts, other, at(circle(5), 0, 0),
      at(circle(5), 0, 0))
  end)

  it("returns new tables", function()
    local a, b = at(circle(5), 0, 0), at(circle(5), 8, 0)
    local one = world:contacts(a, b)
    one[1].x = 99
    near({ 4, 0, 2 }, flat(world:contacts(a, b)))
  end)

  it("works in a callback on its pair", function()
    local w, seen = collide.newWorld(), nil
    w:add(at(rectangle(20, 10), 0, 0)).name = "a"
    local b = at(rectangle(20, 10), 5, 9)
    b.hit = function(self, other, _, _, _, here) seen = here:contacts(self, other) end
    w:add(b)
    w:step()
    near({ 5, 9.5, 1, 20, 9.5, 1 }, flat(seen))
  end)

  for _, kind in ipairs(zoo.KINDS) do
    it("agrees with overlap, for " .. kind .. " and any other (seed " .. SEED .. ")", function()
      local rng, hits = random.new(SEED), 0
      for i = 1, random.rounds(200) do
        local p, body = zoo.shape(rng, kind, 20)
        local otherKind = rng:pick(zoo.KINDS)
        local q, other = zoo.shape(rng, otherKind, 20)
        local a, b = zoo.placed(rng, p, body, 10), zoo.placed(rng, q, other, 10)
        local points, swapped = world:contacts(a, b), world:contacts(b, a)
        local nx, _, depth = world:overlap(a, b)
        local what = ("pair %d: %s and %s"):format(i, tostring(p), tostring(q))
        assert((#points > 0) == (nx ~= nil), what)
        assert(#points <= 2, what)
        if nx then
          hits = hits + 1
          near(flat(points), flat(swapped), 1e-7)
          local most = 0
          for _, c in ipairs(points) do
            assert(c.depth >= 0 and c.depth <= depth + 1e-9, what)
            most = math.max(most, c.depth)
            if zoo.CONVEX[kind] and zoo.CONVEX[otherKind] then
              local point = solid.point(c.x, c.y)
              assert(solid.gap(point, a.solid) <= c.depth / 2 + 1e-9, what)
              assert(solid.gap(point, b.solid) <= c.depth / 2 + 1e-9, what)
            end
          end
          if zoo.CONVEX[kind] and zoo.CONVEX[otherKind] then near({ depth }, { most }) end
        end
      end
      assert(hits > random.often(20), hits)
    end)
  end
end)
