-- world:trace: which events it reports and when, what its function may do, and that a trace changes
-- no events.
local collide = require "collide"
local model = require "spec.support.model"
local play = require "spec.support.play"
local random = require "spec.support.random"
local recorder = require "spec.support.recorder"

local box = collide.rectangle(10, 10)
local far = 1000

describe("world:trace", function()
  local world, log, traced

  local function label(v)
    return type(v) == "table" and tostring(v.name or v) or v == nil and "-" or ("%.15g"):format(v)
  end

  local function line(...)
    local words = { ... }
    for i = 1, select("#", ...) do
      words[i] = type(words[i]) == "string" and words[i] or label(words[i])
    end
    return table.concat(words, " ", 1, select("#", ...))
  end

  local function note(...)
    traced[#traced + 1] = line(...)
  end

  before_each(function()
    world = collide.newWorld()
    log, traced = recorder.new(), {}
    world:trace(note)
  end)

  local function put(name, x, on, without)
    return world:add(log:actor(name, { x = x, y = 0, shape = box }, on, without))
  end

  local function take()
    local lines = table.concat(traced, ", ")
    traced = {}
    return lines
  end

  local function step()
    world:step()
    return take()
  end

  --   0    8 10   18
  -- 0 +----+-+----+
  --   | a  |.|  b |       a and b overlap by 2 on x
  -- 10+----+-+----+
  it("is called before each callback, with the step's number and the way out", function()
    local a = put("a", 0)
    put("b", 8)
    assert.equal("enter 1 a b -1 0 2, enter 1 b a 1 0 2, hit 1 a b -1 0 2, hit 1 b a 1 0 2", step())
    assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
    assert.equal("hit 2 a b -1 0 2, hit 2 b a 1 0 2", step())
    a.x = far
    assert.equal("leave 3 a b, leave 3 b a", step())
    assert.equal("", step())
  end)

  it("comes before its callback", function()
    put("a", 0, nil, { enter = true, leave = true })
    put("b", 8, nil, { enter = true, hit = true, leave = true })
    world:trace(function() log:note("traced") end)
    world:step()
    assert.equal("traced, a:hit b", log:take())
  end)

  it("is not called for actors without the callback", function()
    put("a", 0, nil, { enter = true, hit = true, leave = true })
    put("b", 8, nil, { enter = true, leave = true })
    assert.equal("hit 1 b a 1 0 2", step())
  end)

  it("ends with nil, even in a callback", function()
    put("a", 0, { enter = function() world:trace() end })
    put("b", 8)
    assert.equal("enter 1 a b -1 0 2", step())
    assert.equal("", step())
  end)

  it("set in a callback starts with the next step, or replaces an old one at once", function()
    local other
    put("a", 0, { enter = function() world:trace(other) end })
    put("b", 8)
    world:trace(nil)
    other = note
    assert.equal("", step())
    assert.equal("hit 2 a b -1 0 2, hit 2 b a 1 0 2", step())
    world:trace(function(event)
      traced[#traced + 1] = event
      world:trace(note)
    end)
    assert.equal("hit, hit 3 b a 1 0 2", step())
  end)

  it("may be anything that can be called", function()
    put("a", 0)
    put("b", 8)
    world:trace(setmetatable({}, { __call = function(_, ...) note(...) end }))
    world:step()
    take()
    assert.equal("hit 2 a b -1 0 2, hit 2 b a 1 0 2", step())
  end)

  it("that raises loses no enter or leave", function()
    local a = put("a", 0)
    put("b", 8)
    world:trace(function() error("stop", 0) end)
    assert.same({ false, "stop" }, { pcall(world.step, world) })
    assert.equal("", log:take())
    world:trace(note)
    step()
    assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
    a.x = far
    world:trace(function(_, _, who) if who.name == "b" then error("stop", 0) end end)
    assert.same({ false, "stop" }, { pcall(world.step, world) })
    assert.equal("a:leave b", log:take())
    world:trace(note)
    assert.equal("leave 4 b a", step())
  end)

  it("may yield, and continues where it was", function()
    put("a", 0)
    put("b", 8)
    world:trace(function(...)
      note(...)
      coroutine.yield()
    end)
    local co = coroutine.create(function() world:step() end)
    for i = 1, 5 do
      assert.is_true(coroutine.resume(co))
      assert.equal(math.min(i, 4), #traced)
    end
    assert.equal("dead", coroutine.status(co))
    assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
  end)

  it("that removes an actor before the first call of a pair ends that pair", function()
    put("a", 0)
    local b = put("b", 8)
    world:trace(function() world:remove(b) end)
    world:step()
    assert.equal("", log:take())
    world:step()
    assert.equal("", log:take())
  end)

  it("that removes an actor before its hit drops its calls", function()
    local a = put("a", 0, nil, { enter = true, leave = true })
    local b = put("b", 8, nil, { enter = true, leave = true })
    world:trace(function(_, _, who) if who == a then world:remove(b) end end)
    world:step()
    assert.equal("a:hit b", log:take())
    world:add(b)
    world:trace(function() world:remove(a) end)
    world:step()
    assert.equal("b:hit a", log:take())
  end)

  it("that steps the world ends the outer step", function()
    put("a", 0)
    put("b", 8)
    local inside
    world:trace(function(...)
      note(...)
      if not inside then
        inside = true
        world:step()
      end
    end)
    assert.equal("enter 1 a b -1 0 2, enter 2 a b -1 0 2, enter 2 b a 1 0 2, "
      .. "hit 2 a b -1 0 2, hit 2 b a 1 0 2", step())
    assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
  end)

  describe("of bullets", function()
    local pool

    local function calls(name)
      return function(_, bullet) log:note(("%s %d"):format(name, bullet)) end
    end

    before_each(function()
      pool = world:newBullets { capacity = 9, radius = 2, grazeRadius = 20, lifetime = 3,
        hit = calls "hit", graze = calls "graze", expired = calls "expired" }
      pool.name = "pool"
    end)

    local function update()
      world:update(1)
      return take()
    end

    it("has the pool, the actor, the normal, t, the bullet and its place", function()
      put("wall", 100, nil, { enter = true, hit = true, leave = true })
      pool:spawn(0, 5, 196, 0)
      assert.equal("graze 1 pool wall - - - 1 - - -, hit 1 pool wall -1 0 0.5 1 98 5 -", update())
      assert.equal("graze 1, hit 1", log:take())
      pool:spawn(0, 500, 1, 0)
      update()
      update()
      assert.equal("expired 4 pool - - - - 2 - - -", update())
    end)

    it("has the other pool and bullet", function()
      local other = world:newBullets { capacity = 9, radius = 2, hitBullets = true,
        hit = calls "other" }
      other.name = "other"
      local both = world:newBullets { capacity = 9, radius = 2, hitBullets = true,
        hit = calls "both" }
      both.name = "both"
      other:spawn(0, 0, 10, 0)
      both:spawn(24, 0, -10, 0)
      assert.equal("hit 1 other both -1 0 1 1 10 0 2, hit 1 both other 1 0 1 2 14 0 1", update())
      assert.equal("other 1, both 2", log:take())
    end)

    it("that removes the actor or pool, or kills the bullet, drops the call", function()
      local wall = put("wall", 100)
      pool.graze = nil
      pool:spawn(0, 5, 196, 0)
      world:trace(function(_, _, _, actor) world:remove(actor) end)
      update()
      assert.equal("", log:take())
      world:add(wall)
      pool:clear()
      pool:spawn(0, 5, 196, 0)
      world:trace(function(_, _, of, _, _, _, _, bullet) of:kill(bullet) end)
      update()
      assert.equal("", log:take())
      pool:spawn(0, 5, 196, 0)
      world:trace(function(_, _, of) of:remove() end)
      update()
      assert.equal("", log:take())
    end)

    it("that steps the world ends the outer step", function()
      put("wall", 100)
      pool.graze = nil
      pool:spawn(0, 5, 196, 0)
      pool:spawn(0, 6, 196, 0)
      local inside
      world:trace(function(...)
        note(...)
        if not inside then
          inside = true
          world:step()
        end
      end)
      assert.equal("hit 1 pool wall -1 0 0.5 1 98 5 -, hit 2 pool wall -1 0 0.5 2 98 6 -", update())
      assert.equal("hit 2", log:take())
    end)
  end)
end)

local SEED = random.seed()

describe("a traced world under random play", function()
  local count = random.rounds(6)

  -- Plays with a world whose trace fills `traced`.
  local function run(seed, traced)
    local api = setmetatable({}, { __index = collide })
    function api.newWorld(options)
      local world = collide.newWorld(options)
      world:trace(function(event, _, a, b, ...)
        traced[#traced + 1] = { line = ("%s %d %d"):format(event, a.id, b.id), ... }
      end)
      return world
    end
    return play.run(api, seed, 60)
  end

  it(("makes the calls of the model, and traces each of them (seeds %d to %d)")
    :format(SEED, SEED + count - 1), function()
    for seed = SEED, SEED + count - 1 do
      local where, traced, k = "seed " .. seed, {}, 0
      local got = run(seed, traced)
      assert.same(play.run(model, seed, 60).log, got.log, where)
      for i, line in ipairs(got.log) do
        if line:find("^%l+ %d+ %d+$") and (line:find "^enter" or line:find "^[hl]") then
          k = k + 1
          assert.equal(line, traced[k].line, where)
          local numbers = got.numbers[i] or {}
          for j = 1, 3 do assert.equal(numbers[j], traced[k][j], where) end
        end
      end
      assert.equal(k, #traced, where)
    end
  end)
end)
