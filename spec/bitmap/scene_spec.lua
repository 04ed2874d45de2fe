-- The scene bitmap: all its methods pass its check, and the check detects errors.
local expect = require "spec.support.expect"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"

local function load(params)
  return scenes.load("examples/scenes/bitmap.lua", { seed = 3, params = params })
end

describe("the scene bitmap", function()
  for _, method in ipairs { "circle", "rectangle", "conservative", "naive", "world" } do
    it("passes its check by method " .. method, function()
      local scene = load { method = method }
      for _, frames in ipairs { 1, 9, 20 } do scene:run(frames) end
      local canvas = svg.canvas(scene.width, scene.height)
      scene:draw(canvas)
      assert.matches("by " .. method, canvas:text(), 1, true)
      load({ method = method, count = 700, radius = 4, cell = 3, samples = 2 }):run(3)
    end)
  end

  it("moves the same with every method", function()
    local hash = load({ method = "naive" }):run(10).world:hash()
    assert.equal(hash, load({ method = "conservative" }):run(10).world:hash())
  end)

  it("refuses unknown methods", function()
    expect.raises("method expected (circle, rectangle, conservative, naive or world), got guess",
      load, { method = "guess" })
  end)
end)

describe("the check of the scene bitmap", function()
  it("finds hits that the world misses", function()
    local scene = load():run(10)
    function scene.world.hits() return function() end end
    expect.raises("scene bitmap: check failed: ", scene.run, scene, 0)
  end)

  it("finds circles that have moved away from where they hit", function()
    local scene = load():run(10)
    for a, b in scene.world:hits() do a.x, a.y = (b.x + 240) % 480, (b.y + 320) % 640 end
    expect.raises("scene bitmap: check failed: ", scene.run, scene, 0)
  end)
end)
