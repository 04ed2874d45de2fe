-- The swarm against all pairs tested in plain Lua, frame by frame.
-- The boxes are made here, so that this needs no scene.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local random = require "spec.support.random"

local SIZE = 10

-- n boxes that fly in a field and turn back at its edges, in a world.
local function swarm(n, width, height, seed, options)
  local rng = random.new(seed)
  local all = { width = width, height = height }
  for k, v in pairs(options or {}) do all[k] = v end
  local world, list = collide.newWorld(all), {}
  local box = collide.rectangle(SIZE, SIZE)
  local function update(self)
    local x, y = self.x + self.vx, self.y + self.vy
    if x < 0 or x + SIZE > width then self.vx = -self.vx end
    if y < 0 or y + SIZE > height then self.vy = -self.vy end
    self.x, self.y, self.red = x, y, false
  end
  local function hit(self, other)
    self.red = true
    self.count = self.count + 1
    self.sum = self.sum + other.id
  end
  for i = 1, n do
    list[i] = world:add { id = i, x = rng:float(0, width - SIZE), y = rng:float(0, height - SIZE),
      vx = rng:float(-5, 5), vy = rng:float(-5, 5), shape = box, count = 0, sum = 0,
      update = update, hit = hit }
  end
  return world, list
end

-- All pairs of boxes, tested each with each: calls found(i, j) in order.
local function allPairs(list, found)
  local xs, ys, n = {}, {}, #list
  for i = 1, n do xs[i], ys[i] = list[i].x, list[i].y end
  for i = 1, n do
    local x, y = xs[i], ys[i]
    local r, b = x + SIZE, y + SIZE
    for j = i + 1, n do
      local u = xs[j]
      if u < r and x < u + SIZE then
        local v = ys[j]
        if v < b and y < v + SIZE then found(i, j) end
      end
    end
  end
end

-- Runs `frames` frames and compares each: the pairs and their order in hits(),
-- and what the actors were told.
local function compare(world, list, frames, disturb)
  local total = 0
  for frame = 1, frames do
    for _, actor in ipairs(list) do actor.count, actor.sum = 0, 0 end
    if disturb then disturb(frame) end
    world:update(1)
    local counts, sums, flat, n = {}, {}, {}, 0
    for i = 1, #list do counts[i], sums[i] = 0, 0 end
    allPairs(list, function(i, j)
      counts[i], counts[j] = counts[i] + 1, counts[j] + 1
      sums[i], sums[j] = sums[i] + j, sums[j] + i
      flat[n + 1], flat[n + 2] = i, j
      n = n + 2
    end)
    local k = 0
    for a, b in world:hits() do
      if flat[k + 1] ~= a.id or flat[k + 2] ~= b.id then
        error(("frame %d, pair %d: %s-%s expected, got %d-%d"):format(frame, k / 2 + 1,
          tostring(flat[k + 1]), tostring(flat[k + 2]), a.id, b.id))
      end
      k = k + 2
    end
    if k ~= n then error(("frame %d: %d pairs expected, got %d"):format(frame, n / 2, k / 2)) end
    for i, actor in ipairs(list) do
      if actor.count ~= counts[i] or actor.sum ~= sums[i] or actor.red ~= (counts[i] > 0) then
        error(("frame %d: actor %d was not told the %d hits that it had")
          :format(frame, i, counts[i]))
      end
    end
    total = total + n / 2
  end
  return total
end

local SEED = random.seed()

for _, broadphase in ipairs(broadphases) do
  describe(("the swarm (%s, seed %d)"):format(broadphase, SEED), function()
    local options = { broadphase = broadphase }

    local function run(n, frames, width, height, disturb)
      local world, list = swarm(n, width or 500, height or 500, SEED, options)
      return compare(world, list, frames, disturb), world
    end

    it("hits what all pairs say: 2 boxes", function()
      assert.is_true(run(2, 300, 40, 40) > 0)
    end)

    it("hits what all pairs say: 50 boxes", function()
      assert.is_true(run(50, 300, 120, 120) > 1000)
    end)

    it("hits what all pairs say: 1000 boxes", function()
      local hits = run(1000, 60)
      assert.is_true(hits > 60 * 650 and hits < 60 * 950, hits .. " hits")
    end)

    it("hits what all pairs say: 3000 boxes", function()
      assert.is_true(run(3000, 20) > 20 * 6000)
    end)

    it("hits what all pairs say in fields of odd sizes", function()
      for _, size in ipairs { { 13, 997 }, { 1000.5, 33.3 }, { 127, 129 }, { 11, 11 } } do
        run(60, 30, size[1], size[2])
      end
    end)

    it("hits what all pairs say when the hint is far too small or large", function()
      for _, hint in ipairs { { 1, 1 }, { 1e9, 3 }, { 1e12, 1e12 }, { 1e-3, 77 } } do
        local world, list = swarm(80, 200, 200, SEED,
          { broadphase = broadphase, width = hint[1], height = hint[2] })
        compare(world, list, 20)
      end
    end)

    it("hits what all pairs say at every depth of the tree", function()
      for depth = 1, 8 do
        local world, list = swarm(80, 200, 200, SEED, { broadphase = broadphase, depth = depth })
        compare(world, list, 10)
      end
    end)

    it("hits what all pairs say when the tree is loose", function()
      local world, list = swarm(300, 300, 300, SEED, { broadphase = broadphase, loose = true })
      assert.is_true(compare(world, list, 20) > 1000)
    end)

    it("hits what all pairs say with boxes of all sizes, from 1e-6 to 1e12", function()
      local rng = random.new(SEED + 3)
      for _, hint in ipairs { 0, 1, 1e6, 1e12 } do
        local world = collide.newWorld { broadphase = broadphase, width = hint > 0 and hint or nil,
          height = hint > 0 and hint or nil }
        local list = {}
        for i = 1, 120 do
          local w, h = 10 ^ rng:int(-6, 12), 10 ^ rng:int(-6, 12)
          local far = 10 ^ rng:int(-3, 11)
          list[i] = world:add { id = i, x = rng:float(-far, far), y = rng:float(-far, far), w = w,
            h = h, shape = collide.rectangle(w, h) }
        end
        world:step()
        local want, got = {}, {}
        for i, a in ipairs(list) do
          for j = i + 1, #list do
            local b = list[j]
            if a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h then
              want[#want + 1] = i .. "-" .. j
            end
          end
        end
        for a, b in world:hits() do got[#got + 1] = a.id .. "-" .. b.id end
        assert.is_true(#want > 100)
        assert.equal(table.concat(want, " "), table.concat(got, " "))
      end
    end)

    it("hits what all pairs say without a hint", function()
      local world = collide.newWorld(options)
      local _, list = swarm(200, 300, 300, SEED, options)
      for i, actor in ipairs(list) do
        list[i] = world:add { id = i, x = actor.x, y = actor.y, vx = actor.vx, vy = actor.vy,
          shape = actor.shape, count = 0, sum = 0, update = actor.update, hit = actor.hit }
      end
      assert.is_true(compare(world, list, 40) > 1000)
    end)

    it("hits what all pairs say with actors far outside", function()
      local rng = random.new(SEED + 1)
      local world, list = swarm(150, 200, 200, SEED, options)
      compare(world, list, 40, function(frame)
        for _ = 1, 10 do
          local actor = rng:pick(list)
          local far = rng:pick { 1e3, 1e6, 9e9, 9e11 }
          actor.x, actor.y = rng:pick { -far, 0, far }, rng:pick { -far, 100, far }
          if frame % 4 == 0 then actor.x = actor.x + rng:int(-9, 9) end
        end
      end)
    end)

    it("hits what all pairs say on a lattice of edges and centre lines", function()
      local world, list = swarm(200, 160, 160, SEED, options)
      local rng = random.new(SEED + 2)
      for _, actor in ipairs(list) do
        actor.x, actor.y = rng:int(-2, 18) * 10, rng:int(-2, 18) * 10
        actor.vx, actor.vy = rng:int(-1, 1) * 5, rng:int(-1, 1) * 5
      end
      assert.is_true(compare(world, list, 40) > 1000)
    end)
  end)
end

describe(("the swarm of 1000 over 300 frames (seed %d)"):format(SEED), function()
  local function play(broadphase)
    local world = swarm(1000, 500, 500, SEED, { broadphase = broadphase })
    local hits = {}
    for frame = 1, 300 do
      world:update(1)
      hits[frame] = world:stats().hits
    end
    return world:hash(), table.concat(hits, " ")
  end

  -- The hash of seed 1: the same on every Lua, compiler and optimisation level.
  -- It changes with this file's generator and with what world:hash() sums up.
  local GOLDEN = "1765793612964525642"

  it("has the same hash and hit counts with every broad phase, on every Lua", function()
    local hash, hits = play("brute")
    if SEED == 1 then assert.equal(GOLDEN, hash) end
    for _, broadphase in ipairs { "quadtree", "incremental", "grid", "auto" } do
      local otherHash, otherHits = play(broadphase)
      assert.equal(hits, otherHits)
      assert.equal(hash, otherHash)
    end
  end)
end)
