-- collide.keys: scripted keys, keys of a keyboard, and the record of either. The syntax of scripts
-- is tested in input_spec.lua.
local expect = require "spec.support.expect"
local keys = require "collide.keys"

-- What a key is in the next frames: "." up, "a" down, "A" gone down in that frame.
local function play(player, frames, key)
  local out = {}
  for i = 1, frames do
    player:advance()
    out[i] = player:pressed(key) and "A" or player:down(key) and "a" or "."
  end
  return table.concat(out)
end

describe("keys.script", function()
  it("holds keys in the frames of its lines", function()
    assert.equal(".Aaa.A.", play(keys.script "2-4 left\n6 left\n3 right", 7, "left"))
    assert.equal("..A....", play(keys.script "2-4 left\n6 left\n3 right", 7, "right"))
  end)

  it("holds no keys before the first frame, and none that it does not name", function()
    local player = keys.script "1-3 left"
    assert.is_false(player:down "left")
    assert.is_false(player:pressed "left")
    assert.equal("...", play(player, 3, "right"))
  end)

  it("names the line that is wrong", function()
    expect.raises('keys.script: line 2 expected ("from-to key" or "at key"), got string "left"',
      keys.script, "1 left\nleft")
    expect.raises('keys.script: line 1 expected ("from-to key" or "at key"), ' ..
      'got string "seed 1"', keys.script, "seed 1")
  end)
end)

describe("keys.live", function()
  local isDown, asked, player
  before_each(function()
    isDown, asked = {}, {}
    player = keys.live(function(key)
      asked[#asked + 1] = key
      return isDown[key]
    end)
  end)

  it("holds the keys that are down when a frame begins", function()
    assert.equal(".", play(player, 1, "left"))
    isDown.left = 1
    assert.is_false(player:down "left")
    assert.equal("Aa", play(player, 2, "left"))
    isDown.left = false
    assert.equal("..", play(player, 2, "left"))
  end)

  it("reads a key at once when it is first used, and then once a frame", function()
    isDown.left, isDown.right = true, true
    assert.is_false(player:down "left")
    assert.same({}, asked)
    player:advance()
    assert.same({ "left" }, asked)
    assert.is_true(player:pressed "right")
    assert.is_true(player:down "right")
    assert.same({ "left", "right" }, asked)
    player:advance()
    assert.is_false(player:pressed "right")
    assert.same({ "left", "right", "left", "right" }, asked)
  end)

  it("changes nothing if the keyboard raises an error", function()
    local broken = true
    player = keys.live(function() return broken and error("no keyboard", 0) end)
    assert.is_false(player:down "left")
    expect.raises("no keyboard", player.advance, player)
    assert.equal("keys, frame 0", tostring(player))
    broken = false
    player:advance()
    broken = true
    expect.raises("no keyboard", player.down, player, "right")
    assert.equal("keys, frame 1", tostring(player))
  end)

  it("makes no garbage while nothing changes", function()
    play(player, 3, "left")
    asked = setmetatable({}, { __newindex = function() end })
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    for _ = 1, 500 do
      player:advance()
      player:down "left"
    end
    local grown = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(grown < 20, grown) -- compiled code of LuaJIT is among it
  end)
end)

describe("keys:text", function()
  it("contains the keys held up to the present frame", function()
    local text = "1-4 a\n2 b\n5-9 a\n7-8 c"
    local player = keys.script(text)
    assert.equal("", player:text())
    play(player, 6, "a")
    assert.equal("1-4 a\n2 b\n5-6 a", player:text())
    play(player, 3, "a")
    assert.equal(text, player:text())
  end)

  it("replays live keys, whenever each key was first used", function()
    local isDown, frame = {}, 0
    -- A game that reads the second key from frame 5 on, and the third now and then.
    local function log(player)
      local out = {}
      for i = 1, 60 do
        frame = i
        player:advance()
        for k, key in ipairs { "left", "space", "kp+" } do
          if k == 1 or k == 2 and i > 4 or i % 7 == 0 then
            out[#out + 1] = key .. tostring(player:down(key)) .. tostring(player:pressed(key))
          end
        end
      end
      return out
    end
    isDown.left = function() return frame % 9 < 5 end
    isDown.space = function() return frame % 4 == 1 end
    isDown["kp+"] = function() return frame > 20 and frame < 30 end
    local live = keys.live(function(key) return isDown[key]() end)
    local wanted = log(live)
    assert.same(wanted, log(keys.script(live:text())))
  end)
end)

describe("keys:down and keys:pressed", function()
  it("refuse a name that no script could have", function()
    for _, key in ipairs { "", "left shift", " a" } do
      expect.raises(('keys:down: key expected (name of a key, without blanks), got string "%s"')
        :format(key), function() keys.script(""):down(key) end)
    end
  end)
end)
