-- What the collector may and may not collect, and that a frame makes no garbage.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local gc = require "spec.support.gc"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

local function weak(mode)
  return setmetatable({}, { __mode = mode or "k" })
end

local function count(t)
  local n = 0
  for _ in pairs(t) do n = n + 1 end
  return n
end

describe("the collector", function()
  -- One world whose actors and callbacks refer to each other and to it.
  local function circle(worlds, actors, asleep)
    local world = collide.newWorld { width = 100, height = 100, hits = { { "default", "*" } } }
    local a, b
    a = world:add { x = 0, y = 0, shape = collide.rectangle(10, 10), world = world,
      enter = function() return a, b, world end,
      hit = function(self, other) self.last = other; return world end,
      leave = function() return a, b end, update = function() return world end }
    b = world:add { x = 5, y = 5, shape = collide.circle(10), other = a,
      hit = function(self, other) self.last = other; return a end }
    a.other = b
    world.mine = a
    world:update(1)
    if asleep then
      function b.hit() coroutine.yield(world) end
      local co = coroutine.create(function() world:step() end)
      assert(coroutine.resume(co))
      a.co = co
    end
    worlds[world] = true
    actors[a], actors[b] = true, true
  end

  local function allCollected(asleep)
    local worlds, actors = weak(), weak()
    gc.forgetTraces()
    gc.full()
    local before = collectgarbage("count")
    -- In a coroutine, so that no stack slot still refers to the last world.
    coroutine.wrap(function()
      for _ = 1, 1000 do circle(worlds, actors, asleep) end
    end)()
    gc.forgetTraces() -- a trace keeps the callbacks alive that it was recorded from
    gc.full()
    assert.equal(0, count(worlds))
    assert.equal(0, count(actors))
    worlds, actors = nil, nil -- luacheck: ignore
    gc.forgetTraces()
    gc.full()
    local grown = collectgarbage("count") - before
    assert(grown < 100, ("%.0f KB are left of 1000 worlds"):format(grown))
  end

  it("takes 1000 worlds whose actors and callbacks refer to each other", function()
    allCollected(false)
    allCollected(false)
  end)

  it("takes worlds whose dispatch never resumes", function()
    allCollected(true)
  end)

  it("takes removed actors that have had their last callback", function()
    local world, actors = collide.newWorld(), weak()
    for round = 1, 3 do
      for i = 1, 100 do
        actors[world:add { x = i, y = round, shape = box, hit = function() end,
          leave = function() end }] = true
      end
      world:step()
      world:clear()
      world:step()
      world:step()
    end
    gc.full()
    assert.equal(0, count(actors))
    assert.equal(0, world:count())
  end)

  it("takes other actors' shapes, but keeps those in use", function()
    local world, shapes = collide.newWorld(), weak()
    local function put(x)
      local shape = collide.rectangle(10, 10)
      shapes[shape] = true
      return world:add { x = x, y = 0, shape = shape }
    end
    local a, b = put(0), put(5)
    a.shape, b.shape = nil, nil
    gc.full()
    world:step()
    local n = 0
    for _ in world:hits() do n = n + 1 end
    assert.equal(1, n)
    world:clear()
    world:step()
    world, a, b = nil, nil, nil -- luacheck: ignore
    gc.full()
    assert.equal(0, count(shapes))
  end)

  it("keeps actors that only their world refers to", function()
    local world, actors = collide.newWorld(), weak()
    local n = 0
    for i = 1, 10 do
      actors[world:add { x = i, y = 0, shape = box, hit = function() n = n + 1 end }] = true
    end
    gc.full()
    world:step()
    assert.equal(10, count(actors))
    assert.equal(90, n)
  end)

  it("keeps a world that only its iterator refers to", function()
    local function iterator()
      local world = collide.newWorld()
      world:add { name = "a", x = 0, y = 0, shape = box }
      world:add { name = "b", x = 5, y = 0, shape = box }
      world:step()
      return world:hits()
    end
    local f, state, control = iterator()
    gc.full()
    local a, b = f(state, control)
    assert.same({ "a", "b" }, { a.name, b.name })
  end)

  it("may run finalizers that use a world collected with them", function()
    local results = {}
    local function drop()
      local world
      local early = gc.finalized(function()
        results[#results + 1] = { pcall(function()
          world:add { x = 0, y = 0, shape = box }
          world:step()
          world:remove(world.mine)
          world:hash()
          return world:count()
        end) }
      end)
      world = collide.newWorld()
      world.mine = world:add { x = 0, y = 0, shape = box }
      world.early = early
      world.late = gc.finalized(getmetatable(early).__gc)
      world:step()
    end
    for _ = 1, 20 do drop() end
    gc.full()
    assert.equal(40, #results)
    for _, result in ipairs(results) do
      assert.is_true(result[1] == true or type(result[2]) == "string")
    end
  end)
end)

-- A swarm that repeats itself: every actor swings, and hits begin and end.
local function swing(n, options)
  local world = collide.newWorld(options)
  local total = 0
  for i = 1, n do
    world:add { x = i * 8 % 200, y = i * 13 % 200, shape = box,
      v = i % 5 + 1, phase = i % 8, told = 0,
      update = function(self, dt)
        self.phase = (self.phase + 1) % 8
        self.x = self.x + (self.phase < 4 and self.v or -self.v) * dt
      end,
      enter = function(self) self.told = self.told + 1 end,
      hit = function(self, other) self.last = other; total = total + 1 end,
      leave = function(self) self.told = self.told - 1 end }
  end
  return world, function() return total end
end

describe("a frame in steady state", function()
  for _, broadphase in ipairs(broadphases) do
    it("allocates no Lua memory (" .. broadphase .. ")", function()
      local world, total = swing(120, { broadphase = broadphase })
      local grown = gc.growth(function() world:update(1) end)
      assert.is_true(total() > 5000)
      assert.equal(0, grown)
    end)
  end

  it("allocates none with a bare step, statics, groups and renamed fields", function()
    local world = collide.newWorld { fields = { hit = "onHit" }, hits = { { "a", "b" } } }
    local list = {}
    for i = 1, 60 do
      list[i] = world:add { x = i * 5, y = 0, shape = i % 3 == 0 and collide.circle(5) or box,
        group = i % 2 == 0 and "a" or "b", static = i % 4 == 0, onHit = function() end }
    end
    local t = 0
    local grown = gc.growth(function()
      t = (t + 1) % 8
      for i, actor in ipairs(list) do actor.y = t % i end
      world:step()
    end)
    assert.equal(0, grown)
  end)

  it("allocates none with advance, and stats into a table", function()
    local world = swing(40)
    local into = {}
    local grown = gc.growth(function()
      world:advance(0.5, 0.25)
      world:stats(into)
    end)
    assert.equal(0, grown)
  end)

  it("allocates none for hits() and for casts", function()
    local world = swing(60)
    local none = { x = 0, y = 0, shape = box }
    local function accepts(actor) return actor ~= none end
    local grown = gc.growth(function()
      world:update(1)
      for a in world:hits() do a.told = a.told + 0 end
      for a in world:hits((world:rayCast(0, 0, 200, 200))) do a.told = a.told + 0 end
      world:rayCast(0, 0, 200, 200, accepts)
      world:shapeCast(none, 200, 200, accepts)
      world:overlap(none, none)
    end)
    assert.equal(0, grown)
  end)

  it("keeps the memory of worlds constant while actors come and go", function()
    local world = collide.newWorld()
    local function frame(i)
      local list = {}
      for k = 1, 20 do
        list[k] = world:add { x = (i + k) % 50, y = k, shape = box, leave = function() end }
      end
      world:step()
      for k = 1, 20, 2 do world:remove(list[k]) end
      world:step()
      world:clear()
    end
    for i = 1, 300 do frame(i) end
    gc.full()
    local before = collectgarbage("count")
    for i = 1, 1000 do frame(i) end
    gc.full()
    local grown = collectgarbage("count") - before
    assert(grown < 20, grown .. " KB in 1000 frames")
  end)
end)

describe("a world under an aggressive collector", function()
  local function play()
    local hashes = {}
    for _, broadphase in ipairs(broadphases) do
      local world, total = swing(60, { broadphase = broadphase })
      for i = 1, 30 do
        world:update(1)
        if i % 7 == 0 then
          local all = world:actors()
          world:remove(all[i % #all + 1])
          world:add { x = i, y = i, shape = collide.circle(i),
            hit = function() collectgarbage() end }
        end
        for a in world:hits() do
          if a.told == 99 then error("never") end
        end
      end
      hashes[#hashes + 1] = world:hash() .. " " .. total()
    end
    for i = 2, #hashes do assert.equal(hashes[1], hashes[i]) end
    return hashes[1]
  end

  it("gives the same results as under the normal collector", function()
    local calm = play()
    assert.equal(calm, gc.aggressive(play))
    if gc.hasGenerational then assert.equal(calm, gc.generational(play)) end
  end)

  it("survives full collections in every callback", function()
    local world, n = collide.newWorld(), 0
    local function collect()
      collectgarbage()
      n = n + 1
    end
    for i = 1, 6 do
      world:add(setmetatable({ name = tostring(i), x = i, update = collect, enter = collect,
        hit = collect, leave = collect }, { __index = function(_, key)
        if key == "shape" then
          collectgarbage()
          return collide.rectangle(10, 10)
        end
        return key == "y" and 0 or nil
      end }))
    end
    world:update(1)
    assert.equal(6 + 30 + 30, n)
    world:clear()
    world:step()
    assert.equal(66 + 30, n)
    assert.equal("", expect.pairNames(world))
  end)
end)
