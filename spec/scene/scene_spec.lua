-- Scenes: what a file or table may contain, the methods of the scene object, and how a scene is
-- played.
local collide = require "collide"
local expect = require "spec.support.expect"
local input = require "collide.scene.input"
local scenes = require "collide.scene"

local load = scenes.load

local temporary = {}

-- A scene file with this text.
local function file(text)
  local path = os.tmpname()
  temporary[#temporary + 1] = path
  local out = assert(io.open(path, "wb"))
  out:write(text)
  out:close()
  return path
end

local function removeFiles()
  for _, path in ipairs(temporary) do os.remove(path) end
  temporary = {}
end

local function box(x, y)
  return { x = x, y = y, shape = collide.rectangle(10, 10) }
end

describe("scene.load", function()
  after_each(removeFiles)

  it("accepts a table, and completes it", function()
    local scene = load {}
    assert.same({ "scene", 800, 600, 300, 1, 0 },
      { scene.name, scene.width, scene.height, scene.frames, scene.seed, scene.frame })
    assert.equal(1 / 60, scene.dt)
    assert.same({}, scene.params)
    assert.equal(0, scene.world:count())
  end)

  it("accepts the path of a file", function()
    local scene = load(file 'return { width = 30, params = { path = ... } }')
    assert.equal(30, scene.width)
    assert.equal(temporary[1], scene.params.path)
  end)

  it("lets a file require modules beside it", function()
    local base = file ""
    local name = base:match("[^/\\]*$") .. "_part"
    local path = base:gsub("[^/\\]*$", "") .. name .. ".lua"
    temporary[#temporary + 1] = path
    local out = assert(io.open(path, "wb"))
    out:write "return { width = 70 }"
    out:close()
    local before = package.path
    assert.equal(70, load(file(("return require %q"):format(name))).width)
    assert.equal(before, package.path)
    package.loaded[name] = nil
    expect.raises("wrong", load, file(("require %q error 'wrong'"):format(name)))
    assert.equal(before, package.path)
    package.loaded[name] = nil
    assert.is_false(pcall(require, name))
    -- A change of package.path by the file itself stays.
    load(file "package.path = package.path .. ';more/?.lua' return {}")
    assert.equal(before .. ";more/?.lua", package.path)
    load(file "package.path = 'first/?.lua;' .. package.path return {}")
    assert.equal("first/?.lua;" .. before .. ";more/?.lua", package.path)
    package.path = before
  end)

  it("accepts any callable value for a function", function()
    local calls = {}
    local function callable(name, result)
      return setmetatable({}, { __call = function()
        calls[name] = true
        return result
      end })
    end
    local scene = load { setup = callable "setup", update = callable "update",
      draw = callable "draw", check = callable("check", true), save = callable("save", 1),
      load = callable "load", always = callable("always", true) }
    scene:run(1)
    scenes.restore(scene, scenes.snapshot(scene))
    scenes.draw(scene, {})
    scene.check(scene)
    assert.same({ setup = true, update = true, draw = true, check = true, save = true,
      load = true, always = true }, calls)
  end)

  it("names a scene after its file if it has no name", function()
    assert.equal("swarm", load("examples/scenes/swarm.lua", { count = 1 }).name)
  end)

  it("makes a world from width, height and the options of the scene", function()
    local scene = load { width = 30, height = 20, world = { touching = true, rules = {} } }
    assert.same({ 30, 20 }, { scene.world.width, scene.world.height })
    assert.is_not_nil(scene.world:overlap(box(0, 0), box(10, 0)))
    scene.world:add(box(0, 0))
    scene.world:add(box(0, 0))
    scene:run(1)
    assert.equal(0, scene.world:stats().hits)
  end)

  it("makes the world strict, unless the scene says otherwise", function()
    local function forget(scene)
      local actor = scene.world:add(box(0, 0))
      scene:run(1)
      actor.static = true
      scene:run(1)
    end
    expect.raises("world:refresh", forget, load {})
    forget(load { world = { strict = false } })
  end)

  it("sets the scene up, once and with its world, params and random numbers", function()
    local calls = 0
    local scene = load { params = { count = 3 }, setup = function(scene)
      calls = calls + 1
      for i = 1, scene.params.count do scene.world:add(box(scene:random(10), i)) end
    end }
    assert.equal(3, scene.world:count())
    scene:run(2)
    assert.equal(1, calls)
  end)

  it("leaves the table as it was, and makes a new object each time", function()
    local params, options = { count = 1 }, { touching = true }
    local given = { params = params, world = options, setup = function(scene)
      scene.params.count = 2
      scene.mine = true
    end }
    local a, b = load(given), load(given, { count = 7, broadphase = "brute" })
    assert.not_equal(a, b)
    assert.not_equal(a.world, b.world)
    assert.same({ count = 1 }, params)
    assert.same({ touching = true }, options)
    local fields = {}
    for name in pairs(given) do fields[#fields + 1] = name end
    table.sort(fields)
    assert.same({ "params", "setup", "world" }, fields)
  end)

  describe("with overrides", function()
    it("replaces fields of the scene", function()
      local scene = load({ frames = 5 }, { frames = 2, dt = 0.5, seed = 9, width = 7, height = 8 })
      assert.same({ 2, 0.5, 9, 7, 8 },
        { scene.frames, scene.dt, scene.seed, scene.width, scene.height })
      assert.equal(7, scene.world.width)
    end)

    it("replaces the broad phase, and adds to the world's options", function()
      local given = { world = { broadphase = "quadtree" } }
      assert.equal("brute", load(given, { broadphase = "brute" }).world:stats().broadphase)
      local scene = load(given, { world = { touching = true } })
      assert.equal("quadtree", scene.world:stats().broadphase)
      assert.is_not_nil(scene.world:overlap(box(0, 0), box(10, 0)))
    end)

    local PARAMS = { count = 10, speed = 0.5, mode = "fast", walls = false }

    it("replaces params, given by name or in a table `params`", function()
      local scene = load({ params = PARAMS }, { count = 3, params = { speed = 2 } })
      assert.same({ count = 3, speed = 2, mode = "fast", walls = false }, scene.params)
    end)

    it("converts text to the type of the default", function()
      local scene = load({ params = PARAMS }, { params = {
        count = "1e3", speed = ".25", mode = "12", walls = "true",
      } })
      assert.same({ count = 1000, speed = 0.25, mode = "12", walls = true }, scene.params)
      assert.equal("1000", tostring(scene.params.count))
    end)

    it("refuses text that cannot be converted to that type", function()
      for _, text in ipairs { "", "ten", "1x", "0x10", "inf", "nan", "1e999", "--1", "1 " } do
        expect.raises(("params.count expected (finite number), got string %q"):format(text),
          load, { params = PARAMS }, { params = { count = text } })
      end
      expect.raises('params.walls expected (true or false), got string "yes"',
        load, { params = PARAMS }, { walls = "yes" })
      expect.raises("params.mode expected (string), got number 1",
        load, { params = PARAMS }, { mode = 1 })
    end)

    it("refuses unknown overrides, and lists the existing ones", function()
      expect.raises(
        'param expected (one of count, mode, speed, walls), got string "cuont"',
        load, { params = PARAMS }, { params = { cuont = 3 } })
      expect.raises('param expected (none, as this scene has no params), got string "count"',
        load, {}, { params = { count = 3 } })
      expect.raises({ "override expected (one of broadphase, count, dt, frames, height, input, ",
        'got string "sede"' }, load, { params = PARAMS }, { sede = 3 })
      expect.raises("override expected", load, {}, { setup = print })
    end)

    it("refuses overrides of a wrong type", function()
      expect.raises("scene.load: overrides expected (table), got number 3", load, {}, 3)
      expect.raises("frames expected (whole number from 0), got -1", load, {}, { frames = -1 })
      expect.raises("world expected (table), got boolean true", load, {}, { world = true })
      expect.raises("params expected (table), got number 1", load, {}, { params = 1 })
      expect.raises({ "collide.newWorld: broadphase expected", "nonesuch" },
        load, {}, { broadphase = "nonesuch" })
    end)
  end)

  describe("refuses", function()
    it("anything but a scene", function()
      expect.raises("scene.load: source expected (path or table), got nil", load)
      expect.raises("scene.load: source expected (path or table), got number 3", load, 3)
      expect.raises("scene.load takes a path or table and overrides, got 3 arguments",
        load, {}, {}, 1)
    end)

    it("a field that scenes do not have", function()
      expect.raises({ "field expected (one of always, check, draw, dt, frames, height, input, load",
        'got string "udpate"' }, load, { udpate = print })
    end)

    for _, case in ipairs {
      { "name", 3, "string", "number 3" },
      { "width", -5, "positive number up to 1e12", "-5" },
      { "height", 0, "positive number up to 1e12", "0" },
      { "frames", 0.5, "whole number from 0", "0.5" },
      { "dt", 0, "positive number of seconds", "0" },
      { "dt", 1 / 0, "positive number of seconds", "inf" },
      { "seed", -1, "whole number from 0 to 2^52 - 1", "-1" },
      { "params", 1, "table of defaults", "number 1" },
      { "world", true, "table of newWorld's options", "boolean true" },
      { "setup", {}, "function", "table" },
      { "update", 1, "function", "number 1" },
      { "draw", "x", "function", 'string "x"' },
      { "check", true, "function", "boolean true" },
    } do
      local name, value, what, got = case[1], case[2], case[3], case[4]
      it(("%s = %s"):format(name, got), function()
        local expected = ("scene.load: %s expected (%s), got %s"):format(name, what, got)
        local message = expect.raises(expected, load, { [name] = value })
        assert.is_nil(message:find("lua/collide/", 1, true))
      end)
    end

    it("params of other types", function()
      expect.raises("params.list expected (finite number, string or boolean), got table",
        load, { params = { list = {} } })
      expect.raises("params.n expected (finite number, string or boolean), got nan",
        load, { params = { n = 0 / 0 } })
      expect.raises("name in params expected (string), got number 1", load, { params = { 5 } })
    end)

    it("bad options of the world", function()
      expect.raises("scene.load: collide.newWorld: depth expected", load, { world = { depth = 0 } })
    end)

    it("a missing file, with the reason", function()
      expect.raises("scene.load: nowhere/none.lua: cannot read it: ", load, "nowhere/none.lua")
      expect.raises("cannot read it", load, "examples")
    end)

    it("a misspelled file, with the one that was meant", function()
      for _, name in ipairs { "swram.lua", "swrm.lua", "swarmm", "zwarm", "swarm" } do
        expect.raises(name .. ": cannot read it: No such file or directory; did you mean "
          .. "examples/scenes/swarm.lua?", load, "examples/scenes/" .. name)
      end
      local _, message = pcall(load, "examples/scenes/hive.lua")
      assert.is_nil(message:find("did you mean", 1, true))
    end)

    it("a file that is not Lua, with its line", function()
      local path = file "return {\n  oops oops\n}"
      expect.raises(path:match("[^/\\]*$") .. ":2: ", load, path)
    end)

    it("a file that returns no table", function()
      local path = file "local x = 1"
      expect.raises({ path .. ": a scene file returns a table", "got nil" }, load, path)
    end)

    it("a mistake in a file, with the file", function()
      local path = file "return { width = -1 }"
      expect.raises("scene.load: " .. path .. ": width expected", load, path)
    end)
  end)

  it("passes on errors of the file and of setup, with their lines", function()
    local path = file "local x = nil\nreturn x.y"
    expect.raises(path:match("[^/\\]*$") .. ":2: attempt to index", load, path)
    local problem = {}
    local ok, err = pcall(load, { setup = function() error(problem) end })
    assert.is_false(ok)
    assert.equal(problem, err)
  end)
end)

-- For programs that play a scene more than once.
describe("scenes.again", function()
  it("opens a scene again, with its overrides, as it was before its first frame", function()
    local scene = scenes.open({ params = { n = 1 }, setup = function(scene)
      scene.world:add { name = "box", x = scene.params.n, y = 0, shape = collide.circle(1),
        update = function(self) self.x = self.x + 1 end }
    end }, { n = 7 })
    scene:run(3)
    local again = scenes.again(scene)
    assert.is_true(again ~= scene and again.world ~= scene.world)
    assert.same({ 0, 7 }, { again.frame, again.world:actors()[1].x })
    assert.same({ 3, 10 }, { scene.frame, scene.world:actors()[1].x })
    assert.equal(9, scenes.again(again):run(2).world:actors()[1].x)
  end)

  it("returns nil for a scene with keys of its own, and for one whose file is gone", function()
    assert.is_nil(scenes.again(scenes.open({}, nil, input.scripted {})))
    local path = file "return {}"
    local scene = scenes.open(path)
    assert.equal("table", type(scenes.again(scene)))
    removeFiles()
    assert.same({ n = 1 }, { n = select("#", scenes.again(scene)), scenes.again(scene) })
  end)
end)

describe("scene:run", function()
  it("plays the scene's number of frames, or the number given", function()
    local scene = load { frames = 4 }
    assert.equal(scene, scene:run())
    assert.equal(4, scene.frame)
    scene:run(3)
    assert.equal(7, scene.frame)
    scene:run(0)
    assert.equal(7, scene.frame)
  end)

  it("updates the scene, then the world", function()
    local log = {}
    local scene = load { dt = 0.25, update = function(scene, dt)
      log[#log + 1] = ("scene %d %g"):format(scene.frame, dt)
    end }
    local actor = box(0, 0)
    function actor.update(_, dt, world)
      log[#log + 1] = ("actor %g %s"):format(dt, tostring(world == scene.world))
    end
    scene.world:add(actor)
    scene:run(2)
    assert.same({ "scene 1 0.25", "actor 0.25 true", "scene 2 0.25", "actor 0.25 true" }, log)
  end)

  it("checks once, after the last frame", function()
    local frames = {}
    load({ frames = 3, check = function(scene) frames[#frames + 1] = scene.frame end }):run()
    assert.same({ 3 }, frames)
  end)

  it("raises when the check returns false, with its message", function()
    local function checked(...)
      local results = { n = select("#", ...), ... }
      return load { name = "s", frames = 0, check = function()
        return (table.unpack or unpack)(results, 1, results.n)
      end }
    end
    expect.raises("scene s: check failed: too few", function() checked(false, "too few"):run() end)
    expect.raises("scene s: check failed: too few", function() checked(nil, "too few"):run() end)
    expect.raises("scene s: check failed: it returned false", function() checked(false):run() end)
    checked(true):run()
    checked(nil):run()
    checked():run()
  end)

  it("raises after the first frame in which `always` fails, in the way of `check`", function()
    local frames = {}
    local scene = load { name = "s", frames = 5, always = function(scene)
      frames[#frames + 1] = scene.world:stats().actors .. "/" .. scene.frame
      return scene.frame < 3, "too late"
    end, setup = function(scene) scene.world:add(box(0, 0)) end }
    expect.raises("frame 3, seed 1: always failed: too late", function() scene:run() end)
    assert.same({ "1/1", "1/2", "1/3" }, frames)
    expect.raises("frame 1, seed 1: always failed: it returned false", function()
      load { always = function() return false end }:run(1)
    end)
    load { always = function() end }:run(2)
  end)

  it("prefixes errors of the scene's code and of its actors with frame and seed", function()
    local function raise() error "the fuel is out" end
    local function message(given, overrides)
      local _, err = pcall(function() load(given, overrides):run() end)
      return err
    end
    local here = "scene_spec%.lua:%d+: the fuel is out$"
    assert.matches("^frame 0, seed 1: [^ ]*" .. here, message { setup = raise })
    assert.matches("^frame 1, seed 7: [^ ]*" .. here, message({ update = raise }, { seed = 7 }))
    assert.matches("^frame 4, seed 1: [^ ]*" .. here, message { frames = 4, check = raise })
    local actor = box(0, 0)
    function actor.update(_, _, world) if world:stats().actors > 0 then raise() end end
    assert.matches("^frame 2, seed 1: [^ ]*" .. here, message { setup = function(scene)
      scene.world:add(actor)
    end })
    actor.update = function() actor.x = nil end
    assert.matches("^frame 1, seed 1: [^ ]*: world:step: actor 1 %(at nil, 0%): x expected",
      message { setup = function(scene)
        scene.world:remove(actor)
        actor = scene.world:add { x = 0, y = 0, shape = actor.shape, update = actor.update }
      end })
    assert.matches(": frame 2, seed 1: scene s: check failed: it is late$",
      message { name = "s", frames = 2, check = function() return false, "it is late" end })
  end)

  it("keeps errors of nested scenes apart", function()
    local inner = load { name = "inner", seed = 5, update = function() error "inside" end }
    local outer = load { name = "outer", update = function() inner:run(1) end }
    local _, err = pcall(outer.run, outer, 3)
    assert.matches("^frame 1, seed 1: frame 1, seed 5: ", err)
    local caught = load { update = function() assert.is_false(pcall(inner.run, inner, 1)) end,
      frames = 3 }
    caught:run()
    assert.equal(3, caught.frame)
  end)

  it("reports an error whose tostring fails", function()
    local untold = setmetatable({}, { __tostring = function(self) error(self) end })
    local scene = load { update = function() error(untold) end }
    local _, err = pcall(scenes.step, scene)
    assert.matches("^frame 1, seed 1: .", err)
  end)

  it("passes on errors that are not strings unchanged", function()
    local problem = {}
    local function raise() error(problem) end
    for _, where in ipairs { "update", "check" } do
      local ok, err = pcall(function() load({ frames = 1, [where] = raise }):run() end)
      assert.is_false(ok)
      assert.equal(problem, err)
    end
  end)

  it("says what is wrong with its argument", function()
    local scene = load {}
    expect.raises("scene:run: frames expected", function() scene:run(-1) end)
    expect.raises('got string "3"', function() scene:run("3") end)
    expect.raises("scene:run takes a number of frames, got 2 arguments",
      function() scene:run(1, 2) end)
  end)
end)

describe("scene:runUntil", function()
  local function falling()
    return load { frames = 50, setup = function(scene)
      scene.ball = scene.world:add(box(0, 0))
    end, update = function(scene) scene.ball.y = scene.ball.y + 2 end }
  end

  it("plays until the function returns true, and returns the frame", function()
    local scene = falling()
    assert.equal(5, scene:runUntil(function(s) return s.ball.y >= 9 end))
    assert.equal(5, scene.frame)
    assert.equal(5, scene:runUntil(function(s) return s == scene and s.ball.y >= 9 end))
    assert.equal(7, scene:runUntil(function(s) return s.ball.y >= 14 end, 2))
  end)

  it("raises if it never does", function()
    local scene = falling()
    local message = expect.raises("frame 3, seed 1: scene scene: what scene:runUntil waits for " ..
      "has not come within 3 frames", function() scene:runUntil(function() end, 3) end)
    assert.matches("scene_spec.lua", message, 1, true)
    expect.raises("frame 53, seed 1: scene scene: what scene:runUntil waits for has not come " ..
      "within 50 frames", function() scene:runUntil(function() end) end)
    expect.raises("within 0 frames", function() scene:runUntil(function() end, 0) end)
  end)

  it("prefixes errors of fn with the frame", function()
    local scene = falling()
    scene:run(4)
    expect.raises("frame 4, seed 1: ", function() scene:runUntil(function() error("no") end) end)
  end)
end)

describe("a scene", function()
  it("has random numbers that depend only on its seed", function()
    local function numbers(seed)
      local scene = load({}, { seed = seed })
      return ("%.17g %.17g %d"):format(scene:random(), scene:uniform(-1, 1), scene:random(100))
    end
    assert.equal(numbers(1), numbers(1))
    assert.not_equal(numbers(1), numbers(2))
    assert.equal("0.11691977044551453", ("%.17g"):format(load({}):random()))
  end)

  it("has the engine's sine and cosine", function()
    local scene = load {}
    assert.equal(collide.sin(1), scene:sin(1))
    assert.equal(collide.cos(1), scene:cos(1))
  end)

  it("has a tostring with its name and frame, and errors for a dot in place of a colon", function()
    local scene = load({ name = "pond" })
    scene:run(3)
    assert.equal("scene pond, frame 3", tostring(scene))
    expect.raises("scene:run: self expected (scene), got nil; call it with a colon", scene.run)
    for _, name in ipairs { "random", "uniform", "sin", "cos", "down", "pressed" } do
      expect.raises(("scene:%s: self expected (scene), got number 1; call it with a colon")
        :format(name), scene[name], 1, 6)
    end
    expect.raises("scene:random: n expected (whole number from 1), got 0", scene.random, scene, 0)
    expect.raises("scene:uniform: b expected (finite number from 2), got 1", scene.uniform, scene,
      2, 1)
    expect.raises("scene:sin: a expected (number of radians within ±2^30), got nil", scene.sin,
      scene)
    expect.raises("scene:cos takes an angle, got 2 arguments", scene.cos, scene, 1, 2)
    expect.raises("scene:runUntil: self expected (scene), got table; call it with a colon",
      scene.runUntil, {}, print)
  end)

  it("draws by its own draw, or else by those of its actors", function()
    local log = {}
    local canvas = {}
    local actor = box(0, 0)
    function actor.draw(_, on) log[#log + 1] = on == canvas and "actor" end
    local function scene(draw)
      return load { draw = draw, setup = function(s) s.world:add(actor) end }
    end
    local plain = scene(nil)
    plain:draw(canvas)
    plain.world:clear()
    scene(function(_, on) log[#log + 1] = on == canvas and "scene" end):draw(canvas)
    assert.same({ "actor", "scene" }, log)
  end)
end)

--    0   10   20   30   40   50   60
--  0 +-w-+---+                          a wall, a body that turns, a sensor, a bullet, one with a
-- 10 +---+ b |   (s)    .   l----l      length, a laser that is hot and one that warms up
-- 20               .----.   l----l
describe("a scene without any draw", function()
  local svg = require "collide.scene.svg"

  local function setup(scene)
    local world = scene.world
    world:add { x = 0, y = 0, shape = collide.rectangle(10, 10), static = true }
    world:add { x = 20, y = 0, angle = math.pi / 2, shape = collide.rectangle(10, 8) }
    world:add { x = 30, y = 8, shape = collide.circle(3), sensor = true }
    local pool = world:newBullets { capacity = 9, radius = 2, group = "none" }
    pool:spawn(40, 9, 0, 0)
    pool:spawn(40, 19, 1, 0, { length = 10 })
    pool:spawnLaser { points = { 50, 9, 60, 9 }, width = 4 }
    pool:spawnLaser { points = { 50, 19, 60, 19 }, width = 4, warmup = 9 }
  end

  local function drawn(scene)
    local canvas = svg.canvas(scene.width, scene.height)
    scenes.draw(scene, canvas)
    return canvas:text():match('xml:space="preserve">\n(.*)</g>\n</svg>\n$')
  end

  it("has its shapes drawn, sensors in outline, and its bullets", function()
    local free, static, shot = "#4085e6", "#80858f", "#db851a"
    local expected = [[
<rect x="0" y="0" width="10" height="10" fill="STATIC" fill-opacity="0.25"/>
<rect x="0" y="0" width="10" height="10" stroke="STATIC"/>
<polygon points="20 0 20 10 12 10 12 0" fill="FREE" fill-opacity="0.25"/>
<polygon points="20 0 20 10 12 10 12 0" stroke="FREE"/>
<circle cx="30" cy="8" r="3" stroke="FREE"/>
<path d="M50 11 A2 2 0 0 1 50 7 L60 7 A2 2 0 0 1 60 11 Z" fill="SHOT" fill-opacity="0.5"/>
<path d="M50 11 A2 2 0 0 1 50 7 L60 7 A2 2 0 0 1 60 11 Z" stroke="SHOT"/>
<path d="M50 21 A2 2 0 0 1 50 17 L60 17 A2 2 0 0 1 60 21 Z" stroke="SHOT"/>
<circle cx="40" cy="9" r="2" fill="SHOT"/>
<path d="M40 17 A2 2 0 0 1 40 21 L30 21 A2 2 0 0 1 30 17 Z" fill="SHOT"/>
]]
    expected = expected:gsub("STATIC", static):gsub("FREE", free):gsub("SHOT", shot)
    assert.equal(expected, drawn(load { setup = setup }:run(0)))
    -- Also if the world calls no draw.
    assert.equal(expected, drawn(load { setup = setup, world = { fields = { draw = false } } }))
  end)

  it("is not drawn by default if the scene or an actor has a draw", function()
    local scene = load { setup = setup }
    scene.world:add { x = 0, y = 0, shape = collide.circle(1),
      draw = function(_, canvas) canvas:line(1, 2, 3, 4) end }
    assert.equal('<polyline points="1 2 3 4" stroke="#000"/>\n', drawn(scene))
    assert.equal("", drawn(load { setup = setup, draw = function() end }))
  end)

  it("raises for an actor that it cannot draw, and without a canvas", function()
    local scene = load { setup = setup }
    expect.raises({ "scene:draw: self expected (canvas), got table" }, scene.draw, scene, {})
    scene.world:actors()[2].x = nil
    expect.raises({ "draw: actor 2 (at nil, 0): x expected (finite number within ±1e12), got nil" },
      drawn, scene)
    scene.world:actors()[1].shape = "round"
    expect.raises({ "draw: actor 1 (at 0, 0): shape expected (shape, such as "
      .. 'collide.rectangle(10, 10)), got string "round"' }, drawn, scene)
  end)

  -- Lua of the page in examples/web, with a mock of its commands.
  it("is drawn on the web page, too", function()
    if _VERSION == "Lua 5.1" then return end -- the page has Lua 5.4
    require "collide.scene.text"
    local commands, path = {}, package.path
    package.path = "examples/love/?.lua;" .. path
    local page = assert(loadfile "examples/web/play.lua")(function(number)
      return function(_, ...) commands[#commands + 1] = { number, ... } end
    end)
    package.path = path
    local reply = page.run [[
      local collide = require "collide"
      return { setup = function(scene)
        scene.world:add { x = 3, y = 4, shape = collide.circle(5) }
      end }]]
    assert.is_nil(reply:find("failure", 1, true), reply)
    local CIRCLE, filled, outline = 2, false, false
    for _, c in ipairs(commands) do
      if c[1] == CIRCLE and c[3] == 3 and c[4] == 4 and c[5] == 5 then
        filled, outline = filled or c[2] == "fill", outline or c[2] == "line"
      end
    end
    assert.is_true(filled and outline)
  end)
end)

describe("the swarm", function()
  local function swarm(overrides)
    return load("examples/scenes/swarm.lua", overrides)
  end

  it("has a thousand boxes that hit about 800 times a frame", function()
    local scene, hits = swarm(), 0
    assert.equal(1000, scene.world:count())
    for _ = 1, 20 do
      scenes.step(scene)
      hits = hits + scene.world:stats().hits
    end
    assert.is_true(hits > 20 * 700 and hits < 20 * 900, hits / 20 .. " hits a frame")
  end)

  it("passes its own check in every frame", function()
    local scene = swarm { count = 200, speed = 20 }
    for _ = 1, 100 do scene:run(1) end
  end)

  it("fails it if a box has the wrong colour, or has left the field", function()
    local scene = swarm({ count = 200 }):run(1)
    local actor = scene.world:actors()[7]
    actor.red = not actor.red
    expect.raises("scene swarm: check failed: box 7 is ", scene.run, scene, 0)
    actor.red = not actor.red
    actor.x, actor.red = -100, false
    expect.raises("box 7 has left the field", scene.run, scene, 0)
  end)

  it("ends the same with every broad phase", function()
    local function ending(broadphase)
      return swarm({ broadphase = broadphase, count = 300 }):run(60).world:hash()
    end
    assert.equal(ending "brute", ending "quadtree")
  end)

  it("moves the same distance per second, however long a frame is", function()
    local scene = swarm { count = 1, dt = 1 / 120 }
    local actor = scene.world:actors()[1]
    local x = actor.x
    scene:run(2)
    expect.near({ x + actor.vx / 60 }, { actor.x }, 1e-9)
    assert.is_true(math.abs(actor.vx / 60) <= 5)
  end)

  it("makes no garbage", function()
    local scene = swarm()
    scene:run(30)
    local least = math.huge
    for _ = 1, 6 do -- LuaJIT's compiler itself allocates now and then
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      for _ = 1, 50 do scenes.step(scene) end
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
    end
    assert.is_true(least < 4, least .. " KB in 50 frames")
  end)
end)
