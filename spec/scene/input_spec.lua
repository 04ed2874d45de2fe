-- Keys of a scene: scripts of keys, typed keys, and the record of either.
local expect = require "spec.support.expect"
local input = require "collide.scene.input"
local scenes = require "collide.scene"

-- The keys that are held in each frame from `first` to `last`; "*" marks keys pressed in that
-- frame.
local function play(keys, first, last)
  local out = {}
  for frame = first, last do
    keys:_begin(frame)
    local names = {}
    for key in pairs(keys._held) do names[#names + 1] = key .. (keys._fresh[key] and "*" or "") end
    table.sort(names)
    out[#out + 1] = #names > 0 and table.concat(names, "+") or "."
  end
  return table.concat(out, " ")
end

local function scripted(text)
  return input.scripted((assert(input.parse(text, "line %d"))))
end

describe("a script of keys", function()
  it("holds a key from one frame to another, or for one frame", function()
    assert.equal(". a* a+b* a . c*", play(scripted "2-4 a\n3 b\n\n  # nothing\n6 c", 1, 6))
  end)

  it("presses a key again if one line directly follows another", function()
    assert.equal("a* a a* a .", play(scripted "1-2 a\n3-4 a", 1, 5))
  end)

  it("holds a key as long as any of its lines does", function()
    assert.equal("a* a* a a . a*", play(scripted "1-4 a\n2 a\n6 a", 1, 6))
  end)

  it("accepts keys of any name", function()
    for _, key in ipairs { "#", "-", "kp0", "42", "ö" } do
      assert.equal(key .. "* .", play(scripted("1 " .. key), 1, 2))
    end
  end)

  it("refuses invalid lines, and names their number", function()
    for line, expected in pairs {
      ["right"] = '"from-to key" or "at key"', ["1-2"] = '"from-to key" or "at key"',
      ["1-2 a b"] = '"from-to key" or "at key"', ["1.5 a"] = '"from-to key" or "at key"',
      ["frames 3"] = '"from-to key" or "at key"', ["0 a"] = "frames from 1",
      ["20-10 a"] = "the first frame, then the last",
    } do
      local lines, said = input.parse("1 b\n" .. line, "play:%d: line")
      assert.is_nil(lines)
      assert.equal(('play:2: line expected (%s), got string "%s"'):format(expected, line), said)
    end
  end)

  it("may have settings in a file", function()
    local settings = {}
    local lines = input.parse("frames 7\nseed 3\ndt 1/50\nset count=2\n1 a", "%d", settings)
    assert.same({ { from = 1, to = 1, key = "a" } }, lines)
    assert.same({ frames = 7, seed = 3, dt = 0.02, set = { { key = "count", value = "2" } } },
      settings)
    local _, message = input.parse("frames few", "line %d of it", {})
    assert.equal('line 1 of it expected (frames and a whole number from 0 to 2^53), ' ..
      'got string "frames few"', message)
  end)

  it("is written in the order of first frames, then of keys", function()
    local keys = scripted "3 b\n1-2 d\n3 a\n1-4 c\n3-5 e\n1 a"
    play(keys, 1, 5)
    assert.equal("1 a\n1-4 c\n1-2 d\n3 a\n3 b\n3-5 e", table.concat(keys:_lines(5), "\n"))
  end)

  it("is written as it was read, with a line for each time that a key is held", function()
    local text = "1-4 a\n2 b\n5-9 a\n7-8 c"
    local keys = scripted(text)
    play(keys, 1, 9)
    assert.equal(text, table.concat(keys:_lines(9), "\n"))
    assert.equal("1-4 a\n2 b\n5-6 a", table.concat(keys:_lines(6), "\n"))
  end)
end)

describe("keys that are typed", function()
  it("are held from the next frame until they are released", function()
    local keys = input.typed()
    assert.equal(". .", play(keys, 1, 2))
    input.press(keys, "a")
    assert.equal("a* a", play(keys, 3, 4))
    input.press(keys, "b")
    input.release(keys, "a")
    assert.equal("b* b", play(keys, 5, 6))
    assert.same({ "3-4 a", "5-6 b" }, keys:_lines(6))
  end)

  it("are held for a frame, however briefly they were pressed", function()
    local keys = input.typed()
    input.press(keys, "a")
    input.release(keys, "a")
    assert.equal("a* .", play(keys, 1, 2))
    for _ = 1, 2 do
      input.press(keys, "a")
      input.release(keys, "a")
    end
    assert.equal("a* a* .", play(keys, 3, 5))
    input.press(keys, "a")
    input.release(keys, "a")
    input.press(keys, "a")
    assert.equal("a* a* a", play(keys, 6, 8))
  end)

  it("are the same after rewinding, and new after forgetting them", function()
    local keys = input.typed()
    input.press(keys, "a")
    play(keys, 1, 2)
    input.release(keys, "a")
    input.press(keys, "b")
    play(keys, 3, 4)
    input.press(keys, "c")
    keys._held = { a = true }
    assert.equal("b* b", play(keys, 3, 4))
    input.forget(keys, 2)
    keys._held = { a = true }
    assert.equal("a+c* a+c", play(keys, 3, 4))
    assert.same({ "1-4 a", "3-4 c" }, keys:_lines(4))
  end)
end)

describe("scene:down and scene:pressed", function()
  local function log(scene)
    local out = {}
    scene.update = function(self)
      out[#out + 1] = (self:down "a" and "down" or "up") .. (self:pressed "a" and "!" or "")
    end
    return out
  end

  it("report the keys of the scene's input", function()
    local scene = scenes.load { frames = 5, input = "2-3 a\n5 a" }
    local out = log(scene)
    scene:run()
    assert.same({ "up", "down!", "down", "up", "down!" }, out)
    assert.is_true(scene._keys._asked.a)
  end)

  it("are false before the first frame, and without input", function()
    local scene = scenes.load { input = "1 a", setup = function(self)
      assert(not self:down "a" and not self:pressed "a")
    end }
    assert.is_false(scene:down "a")
    local out = log(scenes.load {}:run(1))
    assert.same({}, out)
  end)

  it("report the keys of an override, and of another source", function()
    local out = {}
    local given = { input = "1 a", frames = 2, update = function(self)
      out[#out + 1] = self:down "a"
    end }
    scenes.load(given, { input = "2 a" }):run()
    local keys = input.typed()
    local scene = scenes.open(given, nil, keys)
    scene:run(1)
    input.press(keys, "a")
    scene:run(1)
    assert.same({ false, true, false, true }, out)
  end)

  it("refuse anything but a key", function()
    local scene = scenes.load {}
    expect.raises("scene:down: key expected (string), got nil", function() scene:down() end)
    expect.raises("scene:pressed: key expected (string), got number 3",
      function() scene:pressed(3) end)
    expect.raises('scene:down: self expected (scene), got string "a"; call it with a colon',
      scene.down, "a")
    expect.raises("scene:down takes a key, got 2 arguments", function() scene:down("a", "b") end)
    expect.raises('line 2 of input expected ("from-to key" or "at key"), got string "x"',
      scenes.load, { input = "1 a\nx" })
    expect.raises("input expected (text of lines, such as 10-80 right), got number 1",
      scenes.load, { input = 1 })
  end)
end)

describe("input.record", function()
  it("plays back identically", function()
    local function load(overrides, keys)
      return (assert(scenes.open({ params = { n = 2, mode = "a b", fast = true },
        setup = function(scene)
          scene.x = 0
        end,
        update = function(scene)
          if scene:down "right" then scene.x = scene.x + scene.params.n * scene.dt end
          if scene:pressed "space" then scene.x = scene.x + scene:random() end
        end }, overrides, keys)))
    end
    local keys = input.typed()
    local first = load({ seed = 5, dt = 0.1, n = 3 }, keys)
    first:run(3)
    input.press(keys, "right")
    first:run(4)
    input.press(keys, "space")
    input.release(keys, "space")
    first:run(2)

    local settings = {}
    local text = input.record(first)
    local lines = assert(input.parse(text, "%d", settings))
    assert.equal(9, settings.frames)
    local params = {}
    for _, set in ipairs(settings.set) do params[set.key] = set.value end
    local again = load({ seed = settings.seed, dt = settings.dt, params = params },
      input.scripted(lines))
    again:run(settings.frames)
    assert.is_true(first.x > 1)
    assert.equal(first.x, again.x)
    assert.equal(text, input.record(again))
    assert.equal(("# scene, hash %s\nframes 9\nseed 5\ndt 0.1\nset fast=true\n" ..
      "set mode=a b\nset n=3\n4-9 right\n8 space\n"):format(first.world:hash()), text)
  end)
end)
