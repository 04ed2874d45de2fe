-- The stage of examples/love, without a window: what keys, wheel and clicks do, and that stepping
-- back restores each frame.
local collide = require "collide"
local scenes = require "collide.scene"

local APP = "examples/love/app/"
local box = collide.rectangle(10, 10)

local nothing = setmetatable({}, { __index = function() return function() return 0 end end })

-- Loads a file of the app with mocks of LÖVE and of the modules that draw.
local function appFile(name)
  local before = rawget(_G, "love")
  rawset(_G, "love", { graphics = nothing })
  local stubs = {
    ["app.camera"] = dofile(APP .. "camera.lua"), ["app.details"] = dofile(APP .. "details.lua"),
    ["app.history"] = dofile(APP .. "history.lua"), ["app.meter"] = dofile(APP .. "meter.lua"),
    ["app.panel"] = nothing, ["app.theme"] = nothing,
  }
  for stub, value in pairs(stubs) do package.loaded[stub] = value end
  package.loaded["collide.love"] = nil
  local loaded = dofile(APP .. name .. ".lua")
  for stub in pairs(stubs) do package.loaded[stub] = nil end
  package.loaded["collide.love"] = nil
  rawset(_G, "love", before)
  return loaded
end

-- A scene of boxes that wander at random and turn round when they hit, a box that a key drives, and
-- a box that is added at a frame kept in `state`. With `secret` a coroutine moves the first box: no
-- snapshot can hold a coroutine.
local function scene(secret)
  return {
    name = "boxes", width = 200, height = 100,
    setup = function(self)
      self.state = { added = 0 }
      for i = 1, 6 do
        self.world:add { name = "box " .. i, x = self:uniform(0, 190), y = self:uniform(0, 90),
          shape = box, vx = self:uniform(-9, 9), hit = function(actor) actor.vx = -actor.vx end,
          update = function(actor)
            actor.x = actor.x + actor.vx + self:uniform(-1, 1)
            if i == 1 and self:down "d" then actor.x = actor.x + 5 end
          end }
      end
      if secret then
        self.state.co = coroutine.wrap(function()
          while true do
            self.world:actors()[1].y = self:uniform(0, 90)
            coroutine.yield()
          end
        end)
      end
    end,
    update = function(self)
      if self.state.co then self.state.co() end
      if self.frame % 10 == 0 and self.frame < 50 then
        self.state.added = self.state.added + 1
        self.world:add { x = self.state.added, y = 0, shape = box }
      end
    end,
  }
end

for _, secret in ipairs { false, true } do
  describe("a stage" .. (secret and " of a scene that keeps a coroutine" or ""), function()
    local stage
    local left

    local function new(options)
      options = options or { paused = true }
      options.settings = nil
      stage = appFile("stage").new(scene(secret), options, function() left = true end)
    end

    local function play(count)
      for _ = 1, count do stage:keypressed "s" end
    end

    before_each(function() new() end)

    it("steps back to each earlier frame, and forward again", function()
      local hashes = { [0] = stage.scene.world:hash() }
      for i = 1, 40 do
        if i == 20 then stage:keypressed "d" end
        if i == 30 then stage:keyreleased "d" end
        play(1)
        hashes[i] = stage.scene.world:hash()
      end
      for i = 39, 15, -1 do
        stage:keypressed("a", true)
        assert.equal(i, stage.scene.frame)
        assert.equal(hashes[i], stage.scene.world:hash())
      end
      for i = 16, 40 do
        stage:keypressed "right"
        assert.equal(hashes[i], stage.scene.world:hash())
      end
      for _ = 1, 50 do stage:keypressed "left" end
      assert.equal(0, stage.scene.frame)
      assert.is_true(stage.paused)
    end)

    it("continues from the frame that it was wound back to", function()
      play(20)
      stage:keypressed "d"
      play(20)
      local driven = stage.scene.world:hash()
      stage:keyreleased "d"
      play(1)
      for _ = 1, 21 do stage:keypressed "a" end
      assert.equal(20, stage.scene.frame)
      stage:keypressed "space"
      stage:keypressed "space"
      play(20)
      assert.equal(40, stage.scene.frame)
      assert.not_equal(driven, stage.scene.world:hash())
      local calm = stage.scene.world:hash()
      stage:keypressed "a"
      play(1)
      assert.equal(calm, stage.scene.world:hash())
    end)

    it("tells the scene's keys from its own, and always has a key for a pause", function()
      play(1)
      assert.same({ "d" }, stage:taken())
      assert.is_false(stage:isFree "d")
      stage.keys._asked.space, stage.keys._asked.tab = true, true
      stage:keypressed "space"
      assert.is_true(stage.paused)
      stage:keypressed "tab"
      assert.is_false(stage.paused)
      play(1)
      assert.is_nil(stage.keys._held.tab)
      assert.is_true(stage.keys._held.space)
    end)

    it("leaves on escape", function()
      stage:keypressed "escape"
      assert.is_true(left)
    end)
  end)
end

describe("a stage", function()
  local stage
  local W, H = 960, 640 -- the window; the field in it is 652 × 326 pixels, from 24, 157

  local actor

  before_each(function()
    stage = appFile("stage").new(scene(), { paused = true }, function() end)
    actor = stage.scene.world:add { x = 90, y = 40, shape = box } -- above all others
    stage:keypressed "s"
  end)

  local function click(x, y)
    stage:mousepressed(x, y, W, H)
    stage:mousereleased(x, y, W, H)
  end

  -- The window's coordinates of a point of the field.
  local function onScreen(x, y)
    local left, top, scale = stage.camera:frame(24, 24, 960 - 236 - 72, 640 - 48)
    local cornerX, cornerY = stage.camera:corner()
    return left + (x - cornerX) * scale * stage.camera.zoom,
      top + (y - cornerY) * scale * stage.camera.zoom
  end

  it("selects the actor that is clicked, and none beside it", function()
    click(onScreen(actor.x + 5, actor.y + 5))
    assert.equal(actor, stage.chosen)
    click(900, 300) -- the column
    assert.equal(actor, stage.chosen)
    local x, y
    repeat
      x, y = math.random(0, 200), math.random(0, 100)
    until #stage.scene.world:queryCircle(x, y, 3) == 0
    click(onScreen(x, y))
    assert.is_nil(stage.chosen)
  end)

  it("zooms about the mouse, pans, and shows everything again", function()
    local x, y = onScreen(actor.x + 5, actor.y + 5)
    stage:mousemoved(x, y, W, H)
    stage:wheelmoved(0, 8, W, H)
    assert.equal(4, stage.camera.zoom)
    click(x, y)
    assert.equal(actor, stage.chosen)
    stage.chosen = nil
    local before = stage.camera.x
    stage.camera:moveBy(100 - before, 0)
    stage:mousepressed(300, 300, W, H)
    stage:mousemoved(340, 300, W, H)
    stage:mousereleased(340, 300, W, H)
    assert.is_true(stage.camera.x < 100)
    assert.is_nil(stage.chosen)
    stage:keypressed "z"
    assert.equal(1, stage.camera.zoom)
    assert.equal(100, stage.camera.x)
  end)

  it("never shows anything outside the field", function()
    local camera = stage.camera
    camera:zoomBy(2, 0, 0)
    camera:moveBy(-500, -500)
    assert.same({ 0, 0 }, { camera:corner() })
    camera:moveBy(1000, 1000)
    assert.same({ 100, 50 }, { camera:corner() })
    camera:zoomBy(1 / 8, 0, 0)
    assert.same({ 0, 0 }, { camera:corner() })
    camera:zoomBy(1e9, 50, 50)
    assert.equal(64, camera.zoom)
  end)

  it("draws the selected actor, also after its removal", function()
    stage.chosen = stage.scene.world:actors()[2]
    stage:draw(W, H)
    stage.scene.world:remove(stage.chosen)
    stage:draw(W, H)
    assert.is_nil(stage.failure)
  end)
end)

describe("a stage whose scene fails", function()
  -- The text that is written to the terminal while f is called.
  local function told(f)
    local before, parts = io.stderr, {}
    io.stderr = { write = function(_, ...) -- luacheck: ignore
      for i = 1, select("#", ...) do parts[#parts + 1] = (select(i, ...)) end
    end }
    local ok, err = pcall(f)
    io.stderr = before -- luacheck: ignore
    assert(ok, err)
    return table.concat(parts)
  end

  local function open(source)
    local stage
    local text = told(function() stage = appFile("stage").new(source, {}) end)
    return stage, text
  end

  it("prints to the terminal that it cannot be opened, and why", function()
    local stage, text = open "nowhere/nosuch.lua"
    assert.is_nil(stage.scene)
    assert.equal("collide: nowhere/nosuch.lua: cannot read it: No such file or directory\n", text)
    text = select(2, open { width = -1 })
    assert.matches("^collide: [^\n]*width expected [^\n]*, got %-1\n$", text)
  end)

  it("prints an error to the terminal once, with its stack", function()
    local stage, text = open { update = function() error "no fuel" end }
    assert.equal("", text)
    text = told(function() stage:step() end)
    assert.matches("^collide: frame 1, seed 1: [^\n]+: no fuel\nstack traceback:\n.*stage_spec",
      text)
    assert.equal("", told(function() stage:step() end))
  end)
end)

describe("the details of an actor", function()
  local details = dofile(APP .. "details.lua")

  it("are its place, shape, fields and hits", function()
    local world = collide.newWorld()
    local a = world:add { name = "a", x = 1, y = 2.5, angle = 0.5, shape = collide.circle(4),
      hp = 3, tired = false, hit = function() end, list = {} }
    local b = world:add { x = 7, y = 2.5, shape = collide.circle(4), static = true }
    world:step()
    local title, rows = details.of(world, a)
    assert.equal("a", title)
    assert.same({ { "x", "1" }, { "y", "2.5" }, { "angle", "0.5" }, { "shape", "circle" },
      { "hp", "3" }, { "tired", "false" }, { "hits actor 2", "2 deep, out -1, 0" } }, rows)
    assert.equal("actor 2", (details.of(world, b)))
    assert.equal(b, details.at(world, 9, 2.5))
    assert.is_nil(details.at(world, 90, 2.5))
    world:remove(a)
    title, rows = details.of(world, a)
    assert.equal("a", title)
    assert.same({ { "has been removed", "" } }, rows)
  end)
end)

describe("the history of a scene", function()
  it("keeps few moments for many frames", function()
    local history = dofile(APP .. "history.lua")
    local played = scenes.load(scene())
    local past = history.new(played, error)
    local hashes = {}
    for i = 1, 1100 do
      scenes.step(played)
      past:note(played)
      hashes[i] = played.world:hash()
    end
    assert.is_true(past.count <= 64)
    for _, frame in ipairs { 1099, 777, 64 } do
      assert.equal(played, past:go(played, frame))
      assert.equal(hashes[frame], played.world:hash())
    end
  end)
end)
