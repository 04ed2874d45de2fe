-- Scenes that are rewound: what a moment holds, the values that it refuses, and the differences of
-- two moments.
local cli = require "collide.scene.cli"
local collide = require "collide"
local expect = require "spec.support.expect"
local files = require "collide.files"
local input = require "collide.scene.input"
local rounds = require("spec.support.random").rounds
local scenes = require "collide.scene"

local GAME = "spec/support/wound.lua"

local function game(overrides)
  return scenes.load(GAME, overrides)
end

local function ending(scene, frames)
  for _ = 1, frames do scenes.step(scene) end
  local out = { scene.world:hash(), scene.state.score, #scene.state.log, scene:random() }
  for _, actor in ipairs(scene.world:actors()) do out[#out + 1] = actor.x end
  return table.concat(out, " ")
end

describe("a scene that is rewound", function()
  it("ends the same from every frame", function()
    for seed = 1, 3 do
      local expected = ending(game { seed = seed }, 60)
      for at = 0, 60, 4 do
        local scene = game { seed = seed }
        for _ = 1, at do scenes.step(scene) end
        local past = scenes.snapshot(scene)
        for _ = 1, (seed * at) % 23 do scenes.step(scene) end
        scenes.restore(scene, past)
        assert.equal(at, scene.frame)
        assert.equal(expected, ending(scene, 60 - at), ("seed %d, frame %d"):format(seed, at))
      end
    end
  end)

  it("has the same tables with the same contents", function()
    local scene = game()
    local log, met = scene.state.log, scene.state[1].met
    log[1] = { frame = 0 }
    local first = log[1]
    local past = scenes.snapshot(scene)
    first.frame, first.more, log[2], met.x = 9, true, 1, 2
    scene.state = { other = true }
    scenes.restore(scene, past)
    assert.equal(log, scene.state.log)
    assert.equal(scene.state, scene.state.self)
    assert.same({ { frame = 0 } }, log)
    assert.equal(first, log[1])
    assert.same({}, met)
  end)

  it("can be rewound to the same moment many times", function()
    local scene = game()
    local past = scenes.snapshot(scene)
    local expected = ending(scene, 30)
    for _ = 1, 3 do
      scenes.restore(scene, past)
      assert.equal(expected, ending(scene, 30))
    end
  end)

  it("uses its own save and load for other data", function()
    local hidden, log = 1, {}
    local scene = scenes.load {
      update = function() hidden = hidden + 1 end,
      save = function(self)
        log[#log + 1] = "save " .. self.frame
        return { hidden = hidden }
      end,
      load = function(self, value)
        log[#log + 1] = "load " .. self.frame
        hidden, value.hidden = value.hidden, "spoilt"
      end,
    }
    scene:run(3)
    local past = scenes.snapshot(scene)
    for _ = 1, 2 do
      scene:run(2)
      scenes.restore(scene, past)
      assert.equal(4, hidden)
    end
    assert.same({ "save 3", "load 3", "load 3" }, log)
    expect.raises("load expected (function, since there is save), got nil",
      scenes.load, { save = print })
    expect.raises("save expected (function, since there is load), got nil",
      scenes.load, { load = print })
  end)

  it("holds the keys that were held then", function()
    local scene = scenes.load { input = "2-4 a" }
    scene:run(3)
    local past = scenes.snapshot(scene)
    scene:run(2)
    assert.is_false(scene:down "a")
    scenes.restore(scene, past)
    assert.is_true(scene:down "a")
    scene:run(2)
    assert.is_false(scene:down "a")
  end)
end)

-- The frames of each scene in a short run; with COLLIDE_ROUNDS all frames are played.
local FRAMES = { bitmap = 12, danmaku = 90, movers = 4, pick = 60, planks = 40, platformer = 60,
  polygons = 12, queries = 12, rollback = 40, swarm = 5, tank = 60, voxels = 100 }

describe("the example scenes", function()
  local paths = files.list("examples/scenes", "lua")
  assert(#paths > 0)
  for _, path in ipairs(paths) do
    local name = path:match "([^/]+)%.lua$"
    it("end the same if every frame is undone and repeated: " .. name, function()
      local straight, scene = scenes.load(path), scenes.load(path)
      local frames = rounds(1) > 1 and straight.frames or FRAMES[name] or 12
      for _ = 1, frames do scenes.step(straight) end
      for frame = 1, frames do
        local past = scenes.snapshot(scene)
        for _ = 0, frame % 3 do scenes.step(scene) end
        scenes.restore(scene, past)
        scenes.step(scene)
      end
      assert.equal(straight.world:hash(), scene.world:hash())
      assert.equal(straight:random(), scene:random())
    end)
  end
end)

describe("a moment refuses", function()
  local function refuses(message, change, given)
    local scene = scenes.load(given or {})
    change(scene)
    expect.raises(message, scenes.snapshot, scene)
  end
  local STATE = " expected (number, string, boolean, table, random, actor, character, pool or "
    .. "shape), got "

  it("values in a scene's state that may hide data, and names them", function()
    refuses("frame 0, seed 1: scene.state.think" .. STATE .. "function",
      function(scene) scene.state.think = print end)
    refuses("scene.state.list[2].co" .. STATE .. "thread", function(scene)
      scene.state.list = { 1, { co = coroutine.create(function() end) } }
    end)
    refuses("scene.state.grid" .. STATE .. "grid",
      function(scene) scene.state.grid = collide.newGrid(2, 2) end)
    refuses("scene.state.world" .. STATE .. "world",
      function(scene) scene.state.world = collide.newWorld() end)
    refuses("what scene.save returns.f" .. STATE .. "function", function() end,
      { save = function() return { f = print } end, load = print })
  end)

  it("a coroutine of an actor, unless the actor has a toSnapshot", function()
    local function setUp(scene)
      scene.world:add { name = "boss", x = 0, y = 0, shape = collide.circle(1), think = print,
        grid = collide.newGrid(2, 2), brain = { plan = coroutine.create(function() end) } }
    end
    refuses('actor 1 "boss" (at 0, 0): brain.plan expected (anything but a coroutine), got thread',
      setUp)
    local scene = scenes.load { setup = setUp }
    local boss = scene.world:actors()[1]
    function boss.toSnapshot() return 1 end
    function boss.fromSnapshot() end
    assert.has_no.errors(function() scenes.restore(scene, scenes.snapshot(scene)) end)
  end)

  it("no values that a world's snapshot can hold", function()
    local scene = scenes.load { setup = function(scene)
      local state = scene.state
      state.actor = scene.world:add { x = 0, y = 0, shape = collide.circle(1), scene = scene }
      state.character = scene.world:newCharacter(state.actor)
      state.pool = scene.world:newBullets { capacity = 1, radius = 1 }
      state.shape, state.world, state.params = collide.circle(2), scene.world, scene.params
    end }
    local past = scenes.snapshot(scene)
    assert.is_nil(past:diff(scenes.snapshot(scene)))
  end)
end)

describe("the difference of moments", function()
  local function told(change)
    local scene = game()
    local before = scenes.snapshot(scene)
    change(scene.state, scene)
    return before:diff(scenes.snapshot(scene))
  end

  it("names the field or actor", function()
    assert.is_nil(told(function() end))
    assert.equal("scene.state.score is 5, was 0", told(function(state) state.score = 5 end))
    assert.matches("^scene.state.log%[1%] is table, was nil$",
      told(function(state) state.log[1] = {} end))
    assert.matches('^actor 3 "ball 3" %(at [^)]+%): vx is 7, was %S+$',
      told(function(state) state[3].vx = 7 end))
    assert.equal("another count of random numbers was drawn",
      told(function(_, scene) scene:random() end))
    assert.equal("there are 7 actors, there were 8",
      told(function(state, scene) scene.world:remove(state[8]) end))
  end)

  it("is that of the worlds' snapshots, if the tables are equal", function()
    assert.equal("the rules of groups differ",
      told(function(_, scene) scene.world:setRule("default", "default", false) end))
    assert.matches("^the rest of advance is 0.00%d+, was 0$",
      told(function(_, scene) scene.world:advance(0.001) end))
    assert.equal('actor 2 "ball 2": swept is true, was false', told(function(state, scene)
      state[2].swept = true
      scene.world:refresh(state[2])
      state[2].swept = nil
    end))
    -- Of an actor with a toSnapshot, only the result of toSnapshot counts.
    local scene = scenes.load { setup = function(scene)
      scene.world:add { name = "boss", x = 0, y = 0, shape = collide.circle(1), life = 3, junk = {},
        toSnapshot = function(self) return self.life end, fromSnapshot = function() end }
    end }
    local before, boss = scenes.snapshot(scene), scene.world:actors()[1]
    boss.junk = {}
    assert.is_nil(before:diff(scenes.snapshot(scene)))
    boss.life = 4
    assert.equal('actor 1 "boss": what its toSnapshot returned is 4, was 3',
      before:diff(scenes.snapshot(scene)))
  end)

  it("names a key", function()
    local scene = scenes.load { input = "1-2 right\n2-3 left" }
    local before = scenes.snapshot(scene)
    scenes.step(scene)
    assert.equal('key "right" is held, was not held', before:diff(scenes.snapshot(scene)))
    before = scenes.snapshot(scene)
    scene:run(2)
    assert.equal('key "left" is held, was not held', before:diff(scenes.snapshot(scene)))
  end)

  -- Tables, actors, shapes, pools and a character are replaced by new ones with equal values.
  it("is nil if tables were replaced by equal ones", function()
    local function fill(scene, wrong)
      local world, state = scene.world, scene.state
      world:clear()
      for _, pool in ipairs(world:pools()) do pool:remove() end
      for i = 1, 3 do
        state[i] = world:add { number = i, x = 9 * i, y = 0, met = {},
          shape = collide.compound(collide.circle(3), collide.rectangle(i, 1, 1, 1),
            collide.rectangle(2, 4, 6, wrong == "shape" and i == 3 and 9 or 8)),
          toSnapshot = i == 2 and function() return 1 end or nil,
          fromSnapshot = i == 2 and print or nil }
      end
      local gone = { x = 1, y = 1, shape = collide.circle(1) }
      state[1].met[state[2]], state[1].met[state[3]] = 1, 2
      state.seen = { [gone] = { 1 }, [{ 7 }] = { 2 },
        [{ 8, { wrong == "key" and 10 or 9 } }] = { 3 } }
      state.first = { 5 }
      state.second = wrong == "split" and { 5 } or state.first
      state.mixed = wrong == "mixed" and state[2] or { 5 }
      if wrong == "swap" then state[1].met[state[2]], state[1].met[state[3]] = 2, 1 end
      state.pool = world:newBullets { capacity = 2, radius = wrong == "pool" and 2 or 1 }
      state.character = world:newCharacter(state[3], { snapLength = wrong == "snap" and 2 or 1 })
      return scenes.snapshot(scene)
    end
    local function diff(wrong)
      local scene = scenes.load {}
      local before = fill(scene)
      return before:diff(fill(scene, wrong))
    end
    assert.is_nil(diff())
    assert.matches("^actor 3 %(at 27, 0%): shape is compound%(.*%), was compound%(.*%)$",
      diff "shape")
    assert.matches("^scene.state.seen%[table%] is nil, was table$", diff "key")
    assert.matches("^actor 1 %(at 9, 0%): met%[actor 2%] is 2, was 1$", diff "swap")
    assert.matches("^scene.state%.%l+ is table, was table$", diff "split")
    assert.matches("^scene.state.mixed is table, was table$", diff "mixed")
    assert.equal("the pools of bullets differ", diff "pool")
    assert.equal("actor 3: its character's snapLength is 2, was 1", diff "snap")
  end)
end)

describe("a moment that is compared with one that was changed", function()
  local function moved(actor) actor.x = actor.x + 1e-9 end

  -- Each thing that may differ, and a function that changes it.
  local CHANGES = {
    ["a place"] = function(_, actor) moved(actor) end,
    ["a field"] = function(_, actor) actor.hp = 2 end,
    ["a field more"] = function(_, actor) actor.more = 1 end,
    ["a field less"] = function(_, actor) actor.hp = nil end,
    ["a field for another"] = function(_, actor) actor.hp, actor.mp = nil, 1 end,
    ["a field of a table"] = function(_, actor) actor.bag.coins = 1 end,
    ["the state"] = function(scene) scene.state.list[2] = nil end,
    ["another state"] = function(scene) scene.state = { list = { 1, 2 } } end,
    ["a key of the state"] = function(scene) scene.state.key.n = 2 end,
    ["a random number"] = function(scene) scene:random() end,
    ["a key of the keyboard"] = function(scene) scene._keys._held.a = true end,
    ["an actor more"] = function(scene, actor)
      scene.world:add { x = 0, y = 0, shape = actor.shape }
    end,
    ["an actor less"] = function(scene, actor) scene.world:remove(actor) end,
    ["a pool"] = function(scene) scene.world:newBullets { capacity = 1, radius = 1 } end,
    ["a bullet"] = function(scene) scene.pool:spawn(50, 0, 1, 0) end,
    ["a character"] = function(scene, actor) scene.world:newCharacter(actor) end,
    ["a group's rule"] = function(scene) scene.world:setRule("a", "b", false) end,
    ["a step"] = function(scene) scene.world:step() end,
  }

  local function open()
    local scene = scenes.load { setup = function(scene)
      local same = { __eq = function() return true end }
      scene.world:add { x = 0, y = 0, shape = collide.circle(3), hp = 1, bag = { coins = 0 },
        pair = setmetatable({}, same), group = "a" }
      scene.world:add { x = 90, y = 0, shape = collide.circle(3), group = "b" }
      scene.pool = scene.world:newBullets { capacity = 2, radius = 1 }
      local key = { n = 1 }
      scene.state = { list = { 1, 2 }, key = key, [key] = true }
    end }
    scene:run(3)
    return scene
  end

  it("is equal if nothing has changed, after rewinding, and with tables that are equal by __eq",
    function()
      local scene = open()
      local past = scenes.snapshot(scene)
      assert.is_nil(past:diff(scenes.snapshot(scene)))
      scene:run(2)
      assert.is_not_nil(past:diff(scenes.snapshot(scene)))
      scenes.restore(scene, past)
      local actor = scene.world:actors()[1]
      actor.pair = setmetatable({}, getmetatable(actor.pair))
      assert.is_nil(past:diff(scenes.snapshot(scene)))
    end)

  for name, change in pairs(CHANGES) do
    it("differs with " .. name .. " changed", function()
      local scene = open()
      local past = scenes.snapshot(scene)
      change(scene, scene.world:actors()[1])
      assert.is_not_nil(past:diff(scenes.snapshot(scene)))
    end)
  end
end)

describe("collide run --rewind", function()
  local function run(leak, ...)
    local text = ""
    local stream = { write = function(_, ...) text = text .. table.concat { ... } end }
    local code = cli.main({ "run", GAME, "--set", "leak=" .. leak, ... },
      { stdout = stream, stderr = stream })
    return code, text
  end

  it("ends with the hash of a run without it", function()
    local code, text = run("", "--rewind", "8")
    assert.equal(0, code, text)
    local scene = game()
    for _ = 1, 60 do scenes.step(scene) end
    assert.equal(scene.world:hash(), text:match "hash (%d+)\n$")
  end)

  it("stops at the first difference, and names it", function()
    local code, text = run("actor", "--rewind", "3")
    assert.equal(1, code)
    assert.matches('\ncollide: frame 1, played again from frame 0: actor 4 "ball 4" ' ..
      "%(at [^)]+%): y is 2, was 1\n$", text)
    code, text = run("state", "--rewind", "1")
    assert.equal(1, code)
    assert.matches("played again from frame 0: scene.state.log.count is 2, was 1\n$", text)
    code, text = run("random", "--rewind", "2")
    assert.equal(1, code)
    assert.matches("another count of random numbers was drawn\n$", text)
    code, text = run("rules", "--rewind", "3")
    assert.equal(1, code)
    assert.matches("\ncollide: frame 1, played again from frame 0: the rules of groups differ\n$",
      text)
    assert.equal(2, (run("", "--rewind", "0")))
  end)
end)

describe("generators of random numbers", function()
  it("are restored in the state and in fields of actors", function()
    local scene = scenes.load { setup = function(scene)
      scene.state.rain = collide.newRandom(1)
      scene.state.ball = scene.world:add { x = 0, y = 0, shape = collide.circle(1),
        mind = { numbers = collide.newRandom(-2) } }
    end }
    local past, rain, ball = scenes.snapshot(scene), scene.state.rain, scene.state.ball
    local function draw() return scene:random(), rain:random(), ball.mind.numbers:random() end
    local a, b, c = draw()
    scenes.restore(scene, past)
    assert.same({ a, b, c }, { draw() })
    assert.equal(rain, scene.state.rain)
    assert.matches("^actor 1 .*: mind%.numbers%[%d%] is %d+, was %d+$",
      past:diff(scenes.snapshot(scene)))
  end)
end)

describe("typed keys", function()
  it("are kept when frames are replayed", function()
    local out = {}
    local keys = input.typed()
    local scene = scenes.open({ update = function(scene)
      out[#out + 1] = scene:down "a" and "a" or "."
    end }, nil, keys)
    scene:run(1)
    local past = scenes.snapshot(scene)
    input.press(keys, "a")
    scene:run(2)
    scenes.restore(scene, past)
    scene:run(2)
    assert.equal(". a a a a", table.concat(out, " "))
  end)
end)
