-- The scenes that come with collide pass their own checks, in the same way with every broad phase,
-- and the checks see what is wrong. (The swarm has its own specs.)
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
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

for _, name in ipairs { "bitmap", "danmaku", "polygons", "queries" } do
  describe("the scene " .. name, function()
    it("passes its check after any number of frames", function()
      local scene = load(name, { seed = 5 })
      for _, frames in ipairs { 0, 1, 9, 50 } do scene:run(frames) end
      assert.equal(60, scene.frame)
    end)

    it("ends alike, and looks alike, with every broad phase", function()
      local hash, drawn
      for _, broadphase in ipairs(broadphases) do
        local scene = load(name, { broadphase = broadphase }):run(40)
        hash, drawn = hash or scene.world:hash(), drawn or picture(scene)
        assert.equal(hash, scene.world:hash())
        assert.equal(drawn, picture(scene))
      end
    end)

    it("can be drawn before its first frame, empty, and full", function()
      for _, count in ipairs { 0, 1, 400 } do
        local scene = load(name, { params = { count = count } })
        assert.is_truthy(picture(scene):find("</svg>\n$"))
      end
    end)
  end)
end

describe("the check of polygons", function()
  it("finds a body that isn't where it hit", function()
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

  it("finds a ray that goes through somebody", function()
    fails("stops elsewhere", function(world)
      function world.rayCast() return nil end
    end)
  end)

  it("finds one that queryCircle leaves out", function()
    fails("queryCircle finds others", function(world)
      function world.queryCircle() return {}, 0 end
    end)
  end)

  it("finds those that are nearer", function()
    fails("there are nearer ones", function(world)
      local nearest = world.nearest
      function world.nearest(self, x, y, k) return nearest(self, x + 30, y, k) end
    end)
  end)

  it("finds a capsule that flies through somebody", function()
    fails("the capsule stops elsewhere", function(world)
      function world.shapeCast() return nil end
    end)
  end)
end)

describe("the scene movers", function()
  it("passes its check", function()
    load("movers", { params = { count = 120 } }):run(150)
  end)

  it("finds a mover in a rock, and a bouncer that has lost speed", function()
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

for name, params in pairs { pick = { fine = 8, pace = 1 }, voxels = { columns = 40 } } do
  describe("the scene " .. name, function()
    it("passes its check after any number of frames", function()
      local scene = load(name, { params = params })
      for _, frames in ipairs { 0, 1, 9, 150 } do scene:run(frames) end
      assert.equal(160, scene.frame)
    end)

    it("can be drawn before its first frame, and is drawn anew", function()
      local scene = load(name, { params = params })
      local first = picture(scene)
      assert.is_truthy(first:find("</svg>\n$"))
      scene:run(30)
      assert.are_not.equal(first, picture(scene))
    end)

    it("finds that the cell it picked was emptied behind its back", function()
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
