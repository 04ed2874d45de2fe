-- The scene rollback: its network, its two copies, and its check.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local input = require "collide.scene.input"
local run = require "collide.scene.run"
local scenes = require "collide.scene"

local SCENE = "examples/scenes/rollback.lua"

-- The number of frames played after the game, so that the last inputs arrive.
local REST = 90

local function load(frames, overrides)
  overrides = overrides or {}
  overrides.params = overrides.params or {}
  overrides.params.length = frames
  return scenes.load(SCENE, overrides)
end

-- A module of the scene; the scene must have been loaded.
local function module(name)
  return package.loaded["rollback." .. name]
end

-- The hash of a game that gets both players' inputs without a network.
local function straight(scene, frames)
  local duel = module "duel"
  local game, first, second = duel.new(), scene.peers[1].log.mine, scene.peers[2].log.mine
  assert.equal(frames, #first)
  assert.equal(frames, #second)
  for frame = 1, frames do duel.step(game, first[frame], second[frame]) end
  return duel.snapshot(game):hash(), game.world:hash()
end

describe("the network of the scene rollback", function()
  it("delivers each packet late, once, or never", function()
    load(0)
    local link, source = module "link", collide.newRandom(random.seed())
    local way, got = link.new(12, 3, 0.25), {}
    for frame = 1, 1000 do
      for _, text in ipairs(link.receive(way, frame)) do
        local late = frame - tonumber(text)
        assert(late >= 12 and late <= 15 and not got[text], text)
        got[text] = true
      end
      if frame <= 900 then link.send(way, frame, tostring(frame), source) end
    end
    local arrived = 0
    for _ in pairs(got) do arrived = arrived + 1 end
    assert.equal(900, way.sent)
    assert.equal(900 - way.lost, arrived)
    assert(math.abs(way.lost - 225) < 5 * math.sqrt(900 * 0.25 * 0.75), way.lost)
    assert.same({}, way.packets)
  end)
end)

describe("two copies that roll back", function()
  for seed = random.seed(), random.seed() + random.rounds(2) - 1 do
    it("end like a game without a network, seed " .. seed, function()
      local draw = random.new(seed)
      local scene = load(60, { seed = seed, params = {
        delay = draw:float(0, 0.3), jitter = draw:float(0, 0.2), loss = draw:float(0, 0.3),
      } })
      scene:run(60 + REST)
      local snapshot, world = straight(scene, 60)
      local duel = module "duel"
      for i = 1, 2 do
        local peer = scene.peers[i]
        assert.equal(60, peer:confirmed())
        assert.equal(snapshot, peer.log.hashes[60])
        assert.equal(snapshot, duel.snapshot(peer.game):hash())
        assert.equal(world, peer.game.world:hash())
      end
    end)
  end

  it("roll back after a wrong guess, by at least the network's delay", function()
    local scene = load(60):run(60 + REST)
    for i = 1, 2 do
      local log = scene.peers[i].log
      assert(log.rollbacks > 0 and log.deepest >= 12 and log.deepest < 24, log.deepest)
      assert(log.replayed <= log.rollbacks * log.deepest)
    end
  end)

  it("hardly roll back if nothing is late", function()
    local scene = load(40, { params = { delay = 0, jitter = 0, loss = 0 } }):run(40 + REST)
    -- Player 1 sends before player 2 plays the frame, so player 2 knows each input in time.
    assert(scene.peers[1].log.deepest <= 1)
    assert.equal(0, scene.peers[2].log.rollbacks)
  end)

  it("wait if they have heard nothing from the other for too long", function()
    local scene = load(60, { params = { loss = 1 } })
    scene:run(100)
    for i = 1, 2 do
      assert.equal(24, scene.peers[i].log.frame)
      assert.equal(76, scene.peers[i].log.waited)
      assert.equal(0, scene.peers[i]:confirmed())
    end
    expect.raises("only frame 0 of 60 is confirmed by both", scene.run, scene, 50)
  end)

  it("use the keys of the player", function()
    local scene = load(40, { input = "5-20 right\n12 x" }):run(40 + REST)
    local duel, mine = module "duel", scene.peers[1].log.mine
    assert.equal(duel.input(1, 0, false), mine[5])
    assert.equal(duel.input(1, 0, true), mine[12])
    assert.equal(duel.IDLE, mine[21])
    assert.same(mine, scene.peers[2].log.theirs)
  end)
end)

describe("the scene rollback", function()
  it("is replayed from its record, wherever that ends", function()
    local scene = scenes.load(SCENE, { input = "10-30 right\n12 x" })
    for _ = 1, 50 do scenes.step(scene) end
    local settings = {}
    local lines = input.parse(input.record(scene), "%d", settings)
    local again = scenes.open(SCENE, input.overrides({}, settings), input.scripted(lines))
    again:run()
    assert.equal(50, again.frame)
    assert.equal(scene.world:hash(), again.world:hash())
  end)
end)

describe("the picture of the scene rollback", function()
  it("shows both copies, and says whether they are the same", function()
    local scene = load(20)
    local first = run.picture(scene)
    assert.matches("the same up to frame 0", first, 1, true)
    assert.matches("frame 0, confirmed up to 0", first, 1, true)
    scene:run(20 + REST)
    local last = run.picture(scene)
    local hash = scene.peers[1].log.hashes[20]
    assert.matches("both ended on " .. hash, last, 1, true)
    for i = 1, 2 do
      local log = scene.peers[i].log
      assert.matches(("went back %d times, by %d at most"):format(log.rollbacks, log.deepest), last,
        1, true)
    end
    scene.state.fault = "a fault"
    assert.matches("a fault", run.picture(scene), 1, true)
  end)
end)

describe("the check of the scene rollback", function()
  it("detects a snapshot that leaves out a field", function()
    local scene, duel = load(60), module "duel"
    local snapshot = duel.snapshot
    function duel.snapshot(game, into) return game.world:snapshot({ "vx", "vy" }, into) end
    local ok, message = pcall(scene.run, scene, 60 + REST)
    duel.snapshot = snapshot
    assert.is_false(ok)
    assert.matches("check failed: frame %d+ is confirmed, with the hash %d+ on the left and " ..
      "%d+ on the right$", message)
  end)

  it("detects a copy that does not roll back", function()
    local scene = load(60)
    local catchUp = scene.peers[2].catchUp
    scene.peers[2].catchUp = function(peer)
      peer.log.wrong = nil
      return catchUp(peer)
    end
    expect.raises("is confirmed, with the hash", scene.run, scene, 60 + REST)
  end)

  it("detects two copies that are wrong in the same way", function()
    local scene, duel = load(20), module "duel"
    for i = 1, 2 do
      local peer = scene.peers[i]
      peer.game.ships[1].vx = 60
      peer.ring[0] = duel.snapshot(peer.game)
    end
    expect.raises("frame 1 differs from a game without a net", scene.run, scene, 20 + REST)
  end)
end)
