-- The adapter for LÖVE, with a mock of LÖVE that records all drawing.
local collide = require "collide"
local expect = require "spec.support.expect"

local log

-- A mock of the part of love.graphics that the adapter uses. `scale` is in pixels per unit.
local function graphics(scale)
  local self = {}
  local function note(name)
    self[name] = function(...)
      local words = { name }
      for i = 1, select("#", ...) do
        local v = (select(i, ...))
        if type(v) == "number" then v = ("%.4g"):format(v):gsub("^%-0$", "0") end
        if type(v) == "table" then
          local numbers = {}
          for k, number in ipairs(v) do numbers[k] = ("%.4g"):format(number):gsub("^%-0$", "0") end
          v = table.concat(numbers, ",")
        end
        words[#words + 1] = tostring(v)
      end
      log[#log + 1] = table.concat(words, " ")
    end
  end
  for _, name in ipairs {
    "setColor", "setLineWidth", "rectangle", "circle", "polygon", "line", "print", "push", "pop",
  } do
    note(name)
  end
  function self.transformPoint(x, y) return 100 + scale * x, 50 + scale * y end
  return self
end

-- Loads the adapter with a mock of LÖVE.
local function adapter(love)
  local before = rawget(_G, "love")
  rawset(_G, "love", love)
  package.loaded["collide.love"] = nil
  local view = require "collide.love"
  package.loaded["collide.love"] = nil
  rawset(_G, "love", before)
  return view
end

local function starting(with)
  local found = {}
  for _, line in ipairs(log) do
    if line:sub(1, #with) == with then found[#found + 1] = line end
  end
  return found
end

describe("collide.love", function()
  local view

  before_each(function()
    log = {}
    view = adapter { graphics = graphics(2) }
  end)

  describe("drawShape", function()
    it("draws as love.graphics does", function()
      view.drawShape("fill", collide.rectangle(20, 10))
      view.drawShape("line", collide.rectangle(20, 10), 5, 6)
      view.drawShape("fill", collide.rectangle(20, 10), 5, 6, math.pi / 2)
      view.drawShape("line", collide.circle(3), 5, 6, 1)
      assert.same({
        "rectangle fill 0 0 20 10", "rectangle line 5 6 20 10", "polygon fill 5,6,5,26,-5,26,-5,6",
        "circle line 5 6 3",
      }, log)
    end)

    it("fills a concave polygon in convex parts, and draws its outline in one piece", function()
      local arrow = collide.polygon(0, 0, 10, 0, 5, 5, 10, 10, 0, 10)
      view.drawShape("fill", arrow, 1, 0)
      view.drawShape("line", arrow, 1, 0)
      assert.same({ "polygon fill 1,0,11,0,6,5,1,10", "polygon fill 6,5,11,10,1,10",
        "polygon line 1,0,11,0,6,5,11,10,1,10" }, log)
    end)

    it("draws a capsule as one polygon", function()
      view.drawShape("fill", collide.capsule(10, 0, 20, 0, 2))
      assert.equal(1, #log)
      assert.is_truthy(log[1]:find("^polygon fill 10,2,.*,8.586,1.414,.*,8.586,%-1.414,"), log[1])
      assert.is_truthy(log[1]:find(",10,-2,20,-2,", 1, true), log[1])
      assert.is_truthy(log[1]:find(",21.41,%-1.414,.*,21.41,1.414,.*,20,2$"), log[1])
    end)

    it("draws segments, chains and compounds", function()
      local chain = collide.chain({ 0, 0, 9, 0, 9, 9 }, true)
      view.drawShape("fill", collide.segment(0, 0, 9, 0), 1, 0)
      view.drawShape("line", chain, 1, 0)
      view.drawShape("fill", collide.compound(collide.circle(3), chain), 1, 0)
      assert.same({ "line 1,0,10,0", "line 1,0,10,0,10,9,1,0", "circle fill 1 0 3", "line 1,0,10,0",
        "line 10,0,10,9", "line 10,9,1,0" }, log)
    end)

    it("says what is wrong with its arguments", function()
      expect.raises({ "love_spec.lua:", "love.drawShape: mode expected" },
        function() view.drawShape("full", collide.circle(1)) end)
      expect.raises("love.drawShape: shape expected", view.drawShape, "fill", {})
      expect.raises("love.drawShape: y expected", view.drawShape, "fill", collide.circle(1), 1, "2")
      expect.raises("love.drawShape takes mode, shape, x, y and angle, got 6 arguments",
        view.drawShape, "fill", collide.circle(1), 1, 2, 3, 4)
    end)
  end)

  describe("canvas", function()
    it("is the canvas of scenes", function()
      local canvas = view.canvas()
      canvas:setColor(1, 0.5, 0)
      canvas:setColor(1, 0.5, 0, 0.25)
      canvas:shape("fill", collide.circle(4), 1, 2)
      canvas:line(0, 0, 10, 0, 10, 10)
      canvas:setColor({ 1, 0.5, 0 }, 0.5)
      canvas:rectangle("line", 1, 2, 3, 4)
      canvas:circle("fill", 1, 2, 3)
      assert.same({
        "setColor 1 0.5 0 1", "setColor 1 0.5 0 0.25", "circle fill 1 2 4", "line 0,0,10,0,10,10",
        "setColor 1 0.5 0 0.5", "rectangle line 1 2 3 4", "circle fill 1 2 3",
      }, log)
    end)

    it("draws many circles as sprites of one disc", function()
      local love = { graphics = graphics(2), image = {} }
      local pixels, batches = {}, 0
      function love.image.newImageData(w, h)
        return { mapPixel = function(_, f)
          for _, at in ipairs { { 0, 0 }, { w / 2, h / 2 } } do
            pixels[#pixels + 1] = (select(4, f(at[1], at[2])))
          end
        end }
      end
      function love.graphics.newImage() return "disc" end
      function love.graphics.draw() log[#log + 1] = "draw" end
      function love.graphics.newSpriteBatch()
        batches = batches + 1
        return {
          clear = function() log[#log + 1] = "clear" end,
          add = function(_, x, y, _, sx, sy, ox, oy)
            log[#log + 1] = ("add %g %g %g %g"):format(x, y, sx * 2 * ox, sy * 2 * oy)
          end,
        }
      end
      local canvas = adapter(love).canvas()
      canvas:circles({ 1, 2, 4, 5 }, 3)
      canvas:circles({ 7, 8 }, 10)
      assert.same({ 0, 1 }, pixels)
      assert.equal(1, batches)
      assert.same({ "clear", "add 1 2 6 6", "add 4 5 6 6", "draw",
        "clear", "add 7 8 20 20", "draw" }, log)
      log = {}
      view.canvas():circles({ 1, 2 }, 3) -- without LÖVE's images
      assert.same({ "circle fill 1 2 3" }, log)
    end)

    it("prints text of the same size at any scale", function()
      view.canvas():print("text", 3, 4)
      assert.same({ "print text 3 4 0 0.5 0.5" }, log)
    end)

    it("checks its arguments like other canvases", function()
      expect.raises("canvas:print: text expected", function() view.canvas():print(nil, 1, 2) end)
    end)
  end)

  describe("draw", function()
    local function world(options)
      local w = collide.newWorld(options or {})
      local a = w:add { x = 0, y = 0, shape = collide.rectangle(10, 10) }
      local b = w:add { x = 6, y = 0, shape = collide.rectangle(10, 10) }
      local c = w:add { x = 50, y = 0, shape = collide.circle(3), static = true }
      w:step()
      return w, a, b, c
    end

    it("draws each actor's shape, and leaves LÖVE as it was", function()
      view.draw((world()))
      assert.equal("push all", log[1])
      assert.equal("setLineWidth 0.5", log[2])
      assert.equal("pop", log[#log])
      assert.same({ "rectangle fill 0 0 10 10", "rectangle line 0 0 10 10",
        "rectangle fill 6 0 10 10", "rectangle line 6 0 10 10" }, starting "rectangle")
      assert.same({ "circle fill 50 0 3", "circle line 50 0 3" }, starting "circle")
    end)

    it("draws sensors in outline", function()
      for _, field in ipairs { "sensor", "ghost", false } do
        local w = collide.newWorld { fields = { sensor = field } }
        w:add { x = 0, y = 0, shape = collide.circle(3), [field or "sensor"] = true }
        log = {}
        view.draw(w)
        assert.same({ field == false and "circle fill 0 0 3" or nil }, starting "circle fill")
        assert.same({ "circle line 0 0 3" }, starting "circle line")
      end
    end)

    it("shows free, static and hit actors in different colours", function()
      local w = world()
      local function colors(options)
        log = {}
        view.draw(w, options)
        local seen, count = {}, 0
        for _, line in ipairs(starting "setColor") do
          if not seen[line] then seen[line], count = true, count + 1 end
        end
        return count
      end
      assert.equal(4, colors()) -- two per kind: inside and outline
      assert.equal(4, colors { hits = true }) -- all free actors hit
      w:add { x = 90, y = 0, shape = collide.circle(3) }
      assert.equal(6, colors { hits = true })
    end)

    it("draws the way out of a hit from the point of contact", function()
      --   0    6  10   16
      -- 0 +----+--+----+
      --   | a  |..| b  |       a gets free to the left, by 4
      --10 +----+--+----+
      view.draw((world()), { hits = true })
      assert.same({ "line 8,5,4,5" }, starting "line")
      assert.same({ "circle fill 8 0 0.75", "circle fill 8 10 0.75" }, starting "circle fill 8")
    end)

    it("draws a hit between two actors that have moved apart since the step", function()
      local w, a = world()
      a.x = -20
      view.draw(w, { hits = true })
      assert.same({ "line -2,5,-6,5" }, starting "line")
    end)

    --    0    20   40   60
    --  0 o----o         .          two bullets, a laser that warms up with a corner in it,
    -- 10      +---------+          and a pool that is empty
    it("draws bullets and lasers", function()
      local w = collide.newWorld {}
      local pool = w:newBullets { capacity = 9, radius = 3 }
      w:newBullets { capacity = 9, radius = 3 }
      pool:spawn(0, 0, 60, 0)
      local large = pool:spawn(20, 0, 0, 0)
      pool:set(large, { radius = 5 })
      local laser = pool:spawnLaser { points = { 20, 10, 60, 10, 60, 0 }, width = 4, warmup = 0.5 }
      view.draw(w)
      assert.same({ "circle fill 0 0 3", "circle fill 20 0 5" }, starting "circle")
      assert.same({}, starting "polygon fill")
      assert.is_true(#starting "polygon line" + #starting "line" > 0)
      w:update(1)
      log = {}
      view.draw(w)
      assert.same({ "circle fill 60 0 3", "circle fill 20 0 5" }, starting "circle")
      assert.equal(2, #starting "polygon fill")
      pool:kill(laser)
      log = {}
      view.draw(w)
      assert.same({}, starting "polygon")
      assert.equal(2, #starting "circle")
    end)

    it("draws a pool's bullets as one batch of sprites, each with its radius", function()
      local love = { graphics = graphics(2), image = {} }
      function love.image.newImageData() return { mapPixel = function() end } end
      function love.graphics.newImage() return "disc" end
      function love.graphics.draw() log[#log + 1] = "draw" end
      function love.graphics.newSpriteBatch()
        return {
          clear = function() log[#log + 1] = "clear" end,
          add = function(_, x, y, _, sx, _, ox)
            log[#log + 1] = ("add %g %g %g"):format(x, y, sx * ox)
          end,
        }
      end
      local w = collide.newWorld {}
      local pool = w:newBullets { capacity = 9, radius = 3 }
      pool:spawn(1, 2, 60, 0)
      pool:set(pool:spawn(20, 0, 0, 0), { radius = 5 })
      adapter(love).draw(w)
      local sprites = {}
      for _, line in ipairs(log) do
        if line:find "^%l+$" or line:find "^add" then sprites[#sprites + 1] = line end
      end
      assert.same({ "clear", "add 1 2 3", "add 20 0 5", "draw", "pop" }, sprites)
    end)

    it("draws the cells of the broad phase", function()
      local w = world { width = 64, height = 64, broadphase = "quadtree" }
      local cells = w:cells()
      assert.is_true(#cells > 0)
      view.draw(w, { cells = true })
      local drawn = table.concat(log, "\n")
      for i = 1, #cells, 5 do
        local line = ("rectangle line %.4g %.4g %.4g %.4g"):format(cells[i], cells[i + 1],
          cells[i + 2], cells[i + 3])
        assert.is_truthy(drawn:find(line, 1, true), line)
      end
    end)

    it("reads actors by the field names of their world", function()
      local fields = { x = "left", y = "top", shape = "form", angle = false }
      local w = collide.newWorld { fields = fields }
      w:add { left = 3, top = 4, form = collide.rectangle(2, 1), angle = 1 }
      w:add { left = 4, top = 4, form = collide.rectangle(2, 1), angle = 1 }
      w:step()
      view.draw(w, { hits = true })
      assert.is_truthy(table.concat(log, "\n"):find("rectangle fill 3 4 2 1", 1, true))
      assert.equal(1, #starting "line")
    end)

    it("says what is wrong with its arguments", function()
      expect.raises("love.draw: world expected (world), got table", view.draw, {})
      expect.raises('love.draw: option expected (one of cells, hits), got string "hit"', view.draw,
        collide.newWorld {}, { hit = true })
      expect.raises("love.draw: options expected (table), got boolean true", view.draw,
        collide.newWorld {}, true)
      assert.same({}, log)
    end)
  end)

  it("draws a scene that has no draw on its canvas", function()
    local scenes = require "collide.scene"
    local scene = scenes.load { setup = function(scene)
      scene.world:add { x = 1, y = 2, shape = collide.circle(3) }
      scene.world:newBullets { capacity = 1, radius = 4, group = "none" }:spawn(50, 60, 0, 0)
    end }
    scene:draw(view.canvas())
    assert.same({ "circle fill 1 2 3", "circle line 1 2 3", "circle fill 50 60 4" },
      starting "circle")
    assert.same({}, starting "push")
  end)

  it("can be required without a window, and says so when it is used", function()
    for _, love in ipairs { {}, false } do
      local blind = adapter(love or nil)
      expect.raises("love.draw needs love.graphics, which is not there", blind.draw,
        collide.newWorld {})
      expect.raises("love.canvas needs love.graphics", blind.canvas)
      expect.raises("love.drawShape needs love.graphics", blind.drawShape)
    end
  end)
end)
