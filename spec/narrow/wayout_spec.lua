-- The way out: nx, ny, depth frees the first shape from the whole of the second, and no
-- shorter way does. (10^5 more cases, with an oracle of hulls, are in spec/c/narrow_mtv.c.)
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local near = expect.near
local overlap = collide.overlap
local circle, polygon, rectangle = collide.circle, collide.polygon, collide.rectangle

local function at(shape, x, y, angle)
  return { shape = shape, x = x, y = y, angle = angle }
end

-- The largest depth that counts as no overlap: 2^-40 of the largest coordinate.
local function room(a, b)
  local most = 0
  for _, p in ipairs { a, b } do
    local x, y, w, h = p.shape:bounds(p.x, p.y, p.angle)
    most = math.max(most, math.abs(x), math.abs(y), math.abs(x + w), math.abs(y + h))
  end
  return most * 2 ^ -40
end

local function checkFrees(a, b, name)
  local nx, ny, depth = overlap(a, b)
  assert(nx, name)
  local _, _, left = overlap(at(a.shape, a.x + nx * depth, a.y + ny * depth, a.angle), b)
  if left and left > room(a, b) then
    error(("%s: by %g, %g, %g it is still %g deep"):format(name, nx, ny, depth, left), 2)
  end
  return nx, ny, depth
end

local function tiles(rows, cell)
  local grid = collide.newGrid(#rows[1], #rows, { cell = cell })
  for y, row in ipairs(rows) do
    for x = 1, #row do grid:set(x - 1, y - 1, row:sub(x, x) == "#" and 1 or 0) end
  end
  return at(collide.tiles(grid), 0, 0)
end

describe("the way out of the whole", function()
  --  \   o   /      the ball touches both sides of the notch; a bug left it 0.757 deep
  --    \   /
  it("of a ball in a notch", function()
    local notch = at(polygon(0, 0, 10, 10, 20, 0, 20, 20, 0, 20), 0, 0)
    local nx, ny, depth = checkFrees(at(circle(5), 10, 4), notch, "ball")
    near({ 0, -1, 4 - (10 - 5 * math.sqrt(2)) }, { nx, ny, depth })
  end)

  --  |  +--+
  --  |  |  |        sunk by 0.5 into floor and wall; a bug pushed it out of one only
  --  +-+|--|--
  it("of a box in floor and wall of an L", function()
    local l = at(polygon(0, 0, 10, 0, 10, 20, 30, 20, 30, 30, 0, 30), 0, 0)
    local box = at(rectangle(5, 5), 9.5, 15.5)
    local r = math.sqrt(0.5)
    near({ r, -r, r }, { checkFrees(box, l, "box") })
    local bl = at(collide.compound(rectangle(0, 0, 10, 30), rectangle(0, 20, 30, 10)), 0, 0)
    near({ r, -r, r }, { checkFrees(box, bl, "box of a compound") })
  end)

  --    O |--| O     a bug moved it by 2, and it was 3 deep
  it("of a bar between two circles", function()
    local pair = at(collide.compound(circle(-10, 0, 5), circle(10, 0, 5)), 0, 0)
    for width = 6, 30 do
      for y = -4, 4 do
        local bar = at(rectangle(-width, -1, 2 * width, 2), 1, y)
        checkFrees(bar, pair, ("a bar of %d at %d"):format(2 * width, y))
      end
    end
  end)

  it("of circles that exactly fit a gap of tiles", function()
    local first = tiles({ "#.##", "#.#.", "#.#.", "#..#", "...#", "..#." }, 2)
    local nx, ny, depth = checkFrees(at(circle(2), 5, 4), first, "radius 2")
    assert(depth < 5)
    assert(nx and ny)
    local second = tiles({ "#.#", ".##", "#.." }, 1)
    checkFrees(at(circle(1), 2.5, 1.5), second, "radius 1")
    --  ######
    --  #....#    exactly as high as the ball: it goes sideways
    --  ######
    local hall = tiles({ "######", "#....#", "######" }, 2)
    near({ 1, 0, 0.5 }, { checkFrees(at(circle(1), 2.5, 3), hall, "in the hall") })
    near({ 0, 1, 0.25 }, { checkFrees(at(circle(1), 6, 2.75), hall, "too high in the hall") })
  end)

  it("is also passed to callbacks of actors", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, static = true, shape = polygon(0, 0, 10, 10, 20, 0, 20, 20, 0, 20) }
    local ball = world:add { x = 10, y = 4, shape = circle(5), hit = function(self, _, nx, ny, d)
      self.x, self.y = self.x + nx * d, self.y + ny * d
    end }
    world:step()
    world:step()
    near({ 10, 10 - 5 * math.sqrt(2) }, { ball.x, ball.y })
    assert(world:stats().hits == 0 or select(3, world:overlap(ball, world:actors()[1])) < 1e-10)
  end)

  -- Whether any two parts overlap, each tested by itself, without a way out.
  local function anyMeet(as, bs, x, y)
    for _, a in ipairs(as) do
      a.x, a.y = a.fromX + x, a.fromY + y
      for _, b in ipairs(bs) do
        if overlap(a, b) then return true end
      end
    end
  end

  local function partsOf(p)
    local list = {}
    for i, shape in ipairs(p.shape:parts()) do
      list[i] = at(shape, p.x, p.y, p.angle)
      list[i].fromX, list[i].fromY = p.x, p.y
    end
    return list
  end

  local make = {}
  local function half(rng, a, b) return rng:int(2 * a, 2 * b) / 2 end

  function make.rectangle(rng)
    return rectangle(half(rng, -3, 3), half(rng, -3, 3), half(rng, 1, 4), half(rng, 1, 4))
  end
  function make.circle(rng) return circle(half(rng, -3, 3), half(rng, -3, 3), half(rng, 1, 3)) end
  function make.capsule(rng)
    return collide.capsule(half(rng, -3, 3), half(rng, -3, 3), half(rng, -3, 3), half(rng, -3, 3),
      half(rng, 1, 2))
  end
  function make.concave(rng)
    while true do
      local points = {}
      for i = 1, 2 * rng:int(4, 7) do points[i] = half(rng, -5, 5) end
      local ok, shape = pcall(polygon, points)
      if ok then return shape end
    end
  end
  function make.chain(rng)
    local points = { -4, half(rng, -4, 4) }
    for i = 1, rng:int(1, 5) do points[2 * i + 1], points[2 * i + 2] = i, half(rng, -4, 4) end
    return collide.chain(points)
  end
  function make.compound(rng)
    return collide.compound(make.rectangle(rng), make.circle(rng), make.concave(rng))
  end
  function make.tiles(rng)
    local w, h = rng:int(2, 6), rng:int(2, 6)
    local grid = collide.newGrid(w, h, { cell = half(rng, 0.5, 2), x = half(rng, -4, 0),
      y = half(rng, -4, 0) })
    for _ = 1, w * h / 2 do grid:set(rng:int(0, w - 1), rng:int(0, h - 1), rng:int(1, 5)) end
    if rng:chance(0.5) then return collide.tiles(grid) end
    return collide.tiles(grid, { [2] = polygon(0, 1, 1, 0, 1, 1), [4] = circle(0.5, 0.5, 0.5),
      [3] = polygon(0, 0, 1, 0.5, 1, 1, 0, 1), [5] = false })
  end
  local KINDS = { "rectangle", "circle", "capsule", "concave", "chain", "compound", "tiles" }

  local seed = random.seed()
  it(("frees, and none of 360 directions is shorter (seed %d)"):format(seed), function()
    local rng, checked = random.new(seed), 0
    while checked < random.rounds(1000) do
      local first, second = rng:pick(KINDS), rng:pick(KINDS)
      local turned = rng:chance(0.25)
      local a = at(make[first](rng), half(rng, -3, 3), half(rng, -3, 3))
      local b = at(make[second](rng), half(rng, -3, 3), half(rng, -3, 3))
      if turned and first ~= "tiles" then a.angle = rng:float(0, 6) end
      if overlap(a, b) then
        checked = checked + 1
        local name = ("case %d: %s, %s"):format(checked, first, second)
        local _, _, depth = checkFrees(a, b, name)
        local as, bs = partsOf(a), partsOf(b)
        -- A chain that moves along a cut or joint overlaps no single part. With this offset no
        -- direction is along one: their coordinates are integers or halves, or they are turned.
        local from = (first == "chain" or second == "chain") and 0.1234567 or 0
        for degree = 0, 359 do
          local angle = math.rad(degree + from)
          local d = depth * (1 - 1e-6) * math.sqrt(rng:float(0.01, 1)) - 1e-9
          if d > 0 and not anyMeet(as, bs, d * math.cos(angle), d * math.sin(angle)) then
            error(("%s: %g is not the shortest, %g along %d degrees suffices"):format(name, depth,
              d, degree))
          end
        end
      end
    end
  end)

  --      [  ]       two capsules on one line, with boxes to the right of them: between the boxes
  --    o  /[  ]     the shortest way is along the line, beyond the end of the Minkowski
  --   /  o          difference, which is as flat as the capsules
  it("leads along the line if two capsules lie on one", function()
    local mover = { x = 0, y = 0, shape = collide.capsule(1.5, 0.5, 2.5, 1.5, 0.5) }
    local other = { x = 0, y = 0, shape = collide.compound(
      collide.rectangle(3, -3, 1, 2), collide.rectangle(3, -1, 1, 2),
      collide.capsule(0.75, -0.25, 1.25, 0.25, 0.75), collide.polygon(4, 1, 6, 0, 6, 1)) }
    local nx, ny, depth = collide.overlap(mover, other)
    near({ math.sqrt(0.5), math.sqrt(0.5), 1.25 - 0.25 * math.sqrt(2) }, { nx, ny, depth })
  end)
end)
