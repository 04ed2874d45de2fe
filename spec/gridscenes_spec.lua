-- The scenes pick and voxels: their checks, and their pictures.
local expect = require "spec.support.expect"
local scenes = require "collide.scene"
local svg = require "collide.svg"

local function load(name, params)
  return scenes.load("examples/scenes/" .. name .. ".lua", { params = params })
end

local function picture(scene)
  local canvas = svg.canvas(scene.width, scene.height)
  scene:draw(canvas)
  return canvas:text()
end

for name, params in pairs { pick = { fine = 8, pace = 1 }, voxels = { columns = 40 } } do
  describe("the scene " .. name, function()
    it("passes its check after any number of frames", function()
      local scene = load(name, params)
      for _, frames in ipairs { 0, 1, 9, 150 } do scene:run(frames) end
      assert.equal(160, scene.frame)
    end)

    it("can be drawn before its first frame, and is drawn anew", function()
      local scene = load(name, params)
      local first = picture(scene)
      assert.is_truthy(first:find("</svg>\n$"))
      scene:run(30)
      assert.are_not.equal(first, picture(scene))
    end)

    it("finds that a cell was changed behind its back", function()
      local scene = load(name, params):run(90)
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
