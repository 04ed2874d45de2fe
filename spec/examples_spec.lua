-- The example scenes pass their own checks with every broad phase, with the same results, and the
-- checks detect errors. The swarm has its own spec.
require "collide.assertions"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"

local function load(name, overrides)
  return scenes.load("examples/scenes/" .. name .. ".lua", overrides)
end

local function picture(scene)
  local canvas = svg.canvas(scene.width, scene.height)
  scene:draw(canvas)
  return canvas:text()
end

for _, name in ipairs { "bitmap", "boss", "danmaku", "polygons", "queries" } do
  describe("the scene " .. name, function()
    it("passes its check after any number of frames", function()
      local scene = load(name, { seed = 5 })
      for _, frames in ipairs { 0, 1, 9, 50 } do scene:run(frames) end
      assert.equal(60, scene.frame)
    end)

    it("ends and looks the same with every broad phase", function()
      local hash, drawn
      for _, broadphase in ipairs(broadphases) do
        local scene = load(name, { broadphase = broadphase }):run(40)
        hash, drawn = hash or scene.world:hash(), drawn or picture(scene)
        assert.equal(hash, scene.world:hash())
        assert.equal(drawn, picture(scene))
      end
    end)

    it("can be drawn before its first frame, with no actors and with many", function()
      for _, count in ipairs { 0, 1, 400 } do
        local scene = load(name, { params = { count = count } })
        assert.is_truthy(picture(scene):find("</svg>\n$"))
      end
    end)
  end)
end

describe("the check of polygons", function()
  it("detects a body that has moved away from its hit", function()
    local scene = load("polygons"):run(20)
    for a, b in scene.world:hits() do
      if not a.static then
        a.x = b.x + 200
        break
      end
    end
    expect.raises("scene polygons: check failed: actor", scene.run, scene, 0)
  end)
end)

describe("the check of queries", function()
  local function fails(message, lie)
    local scene = load("queries"):run(20)
    lie(scene.world)
    expect.raises({ "scene queries: check failed: ", message }, scene.run, scene, 0)
  end

  it("detects a ray that passes through an actor", function()
    fails("stops elsewhere", function(world)
      function world.rayCast() return nil end
    end)
  end)

  it("detects an actor that queryCircle leaves out", function()
    fails("queryCircle finds others", function(world)
      function world.queryCircle() return {}, 0 end
    end)
  end)

  it("detects actors nearer than the result of nearest", function()
    fails("there are nearer ones", function(world)
      local nearest = world.nearest
      function world.nearest(self, x, y, k) return nearest(self, x + 30, y, k) end
    end)
  end)

  it("detects a capsule that passes through an actor", function()
    fails("the capsule stops elsewhere", function(world)
      function world.shapeCast() return nil end
    end)
  end)
end)

describe("the scene needles", function()
  it("is the same with every broad phase; needles hit the ship, and bombs burst", function()
    local hash
    for _, broadphase in ipairs(broadphases) do
      local scene = load("needles", { broadphase = broadphase }):run(400)
      hash = hash or scene.world:hash()
      assert.equal(hash, scene.world:hash())
      assert.is_true(scene.hits > 0 and scene.bursts > 2)
    end
  end)
end)

describe("the scene planks", function()
  it("passes its check, with every broad phase alike, and balls meet planks of all directions",
    function()
      local hash
      for _, broadphase in ipairs(broadphases) do
        local scene = load("planks", { broadphase = broadphase, params = { count = 60 } }):run(240)
        hash = hash or scene.world:hash()
        assert.equal(hash, scene.world:hash())
        for value = 2, 5 do assert.is_true(scene.planks[value] > 5, value) end
      end
    end)

  it("detects a rider that the raft has lost, and a ball in a wall", function()
    local scene = load("planks"):run(10)
    scene.rider.x = scene.rider.x + 1
    expect.raises("scene planks: check failed: the rider is at 57, 20 of the raft", scene.run,
      scene, 0)
    scene = load("planks"):run(10)
    local ball = scene.world:actors("ball")[3]
    ball.x, ball.y = 5, 5
    expect.raises("scene planks: check failed: ball 3 is in a wall", scene.run, scene, 0)
  end)
end)

describe("the scene movers", function()
  it("passes its check, and can be drawn again", function()
    local scene = load("movers", { params = { count = 120 } })
    local first = picture(scene)
    scene:run(150)
    assert.are_not.equal(first, picture(scene))
  end)

  it("detects a mover that was in a rock in an earlier frame", function()
    local scene = load("movers", { params = { count = 30 } }):run(10)
    local actors, frame = scene.world:actors(), 0
    local mover = actors[#actors]
    local update = mover.update
    function mover.update(self, dt, world)
      frame = frame + 1
      if frame == 5 then
        self.x, self.y = 60, 30
      else
        update(self, dt, world)
      end
    end
    expect.raises("inside a rock", scene.run, scene, 60)
    assert.is_not.overlaps(mover, scene.rocks[1])
  end)

  it("detects a mover in a rock, and a bouncer with a wrong speed", function()
    for message, lie in pairs {
      ["inside a rock"] = function(mover) mover.x, mover.y = 5, 5 end,
      ["fast"] = function(mover) mover.vx = mover.vx * 1.01 end,
    } do
      local scene = load("movers", { params = { count = 30 } }):run(10)
      for _, actor in ipairs(scene.world:actors()) do
        if actor.response == "bounce" then lie(actor) end
      end
      expect.raises({ "scene movers: check failed: ", message }, scene.run, scene, 0)
    end
  end)
end)

describe("the scene platformer", function()
  local ROUND = 1260

  -- What the hero stands on from a frame of a round on.
  local JOURNEY = {
    { 1, "rock" }, { 228, "lift" }, { 262 }, { 303, "crate" }, { 475, "rock" }, { 540 },
    { 575, "plates" }, { 585 }, { 620, "plates" }, { 625 }, { 644, "plates" }, { 650 },
    { 685, "plates" }, { 714 }, { 755, "board 1" }, { 935 }, { 978, "rock" },
  }

  -- The keys of one round, repeated for `rounds` rounds.
  local function keysOf(rounds)
    local lines = {}
    for round = 0, rounds - 1 do
      for line in load("platformer").input:gmatch "[^\n]+" do
        lines[#lines + 1] = line:gsub("%d+", function(frame)
          return ("%d"):format(tonumber(frame) + round * ROUND)
        end)
      end
    end
    return table.concat(lines, "\n")
  end

  it("has a hero on the expected floor in each frame, who is crushed in the end", function()
    local rounds = math.min(random.rounds(1), 8)
    local scene = load("platformer", { input = keysOf(rounds) })
    local at
    for frame = 1, rounds * ROUND do
      local t = (frame - 1) % ROUND + 1
      scenes.step(scene)
      if t == 1 then at = 1 elseif JOURNEY[at + 1] and JOURNEY[at + 1][1] == t then at = at + 1 end
      local floor = scene.character.floor
      local name = floor and floor.name
      if name ~= JOURNEY[at][2] then
        error(("frame %d: on %s, not %s"):format(frame, name, JOURNEY[at][2]))
      end
      if scene.character.crushed ~= (t >= 1146 and t < 1203) then
        error(("frame %d: crushed is %s"):format(frame, tostring(scene.character.crushed)))
      end
    end
    scene:run(0)
    assert.same({ 504, 392 }, { scene.crate.x, scene.crate.y })
  end)

  -- Plays up to a frame of a round, and calls `lie` after each of the character's moves.
  local function fails(message, last, lie)
    local scene = load("platformer")
    local move = scene.character.move
    function scene.character.move(self, vx, vy, dt)
      vx, vy = move(self, vx, vy, dt)
      lie(scene.frame, scene.hero, self)
      return vx, vy
    end
    expect.raises({ "scene platformer: check failed: frame ", message }, scene.run, scene, last)
  end

  it("detects a hero in a wall, a floor that flickers, and a rider that drifts", function()
    fails("hero is inside rock", 60, function(frame, hero)
      if frame == 30 then hero.y = hero.y + 1e-9 end
    end)
    fails("the floor flickers", 60, function(frame, _, character)
      if frame == 30 then character.floor = nil end
    end)
    fails("the hero drifts on crate", 330, function(frame, hero)
      if frame > 300 then hero.x = hero.x - 1e-10 end
    end)
  end)

  it("can be drawn, and drawn again", function()
    local scene = load("platformer")
    local first = picture(scene)
    assert.is_truthy(first:find("</svg>\n$"))
    assert.are_not.equal(first, picture(scene:run(30)))
  end)
end)

for name, params in pairs { pick = { fine = 8, pace = 1 }, voxels = { columns = 40 } } do
  describe("the scene " .. name, function()
    it("passes its check after any number of frames", function()
      local scene = load(name, { params = params })
      for _, frames in ipairs { 0, 1, 9, 150 } do scene:run(frames) end
      assert.equal(160, scene.frame)
    end)

    it("can be drawn before its first frame, and again", function()
      local scene = load(name, { params = params })
      local first = picture(scene)
      assert.is_truthy(first:find("</svg>\n$"))
      scene:run(30)
      assert.are_not.equal(first, picture(scene))
    end)

    it("detects that the cell it picked was emptied by others", function()
      local scene = load(name, { params = params }):run(90)
      for _ = 1, 400 do
        if scene.picked or scene.ray and scene.ray.stop then break end
        scene:run(1)
      end
      local cell = scene.picked or scene.ray.stop
      if cell.z then
        scene.grid:set(cell.x, cell.y, cell.z, 0)
      else
        scene.grid:set(cell.x, cell.y, 0)
      end
      expect.raises("scene " .. name .. ": check failed", scene.run, scene, 0)
    end)
  end)
end
