-- The replay page: packed numbers, and its data. `make test-page` plays the page in a browser.
local collide = require "collide"
local texts = require "collide.scene.text"
local replays = require "collide.scene.replay"
local page = require "collide.scene.page"
local scenes = require "collide.scene"

-- A reader like that of the page's script, but written independently.
local function reader(text)
  local value, at = {}, 1
  for i = 1, #replays.ALPHABET do value[replays.ALPHABET:sub(i, i)] = i - 1 end
  local self = {}
  function self.digit()
    at = at + 1
    return value[text:sub(at - 1, at - 1)]
  end
  function self.count()
    local n, d = 0, self.digit()
    while d >= 40 do n, d = 40 * n + d - 40, self.digit() end
    return 40 * n + d
  end
  function self.signed()
    local n = self.count()
    return n % 2 == 1 and -(n + 1) / 2 or n / 2
  end
  function self.block(n)
    local isEmpty, out = self.digit() == 0, {}
    for i = 1, n, 2 do
      local d = isEmpty and 40 or self.digit()
      if d == 80 then
        out[i] = self.signed()
        out[i + 1] = self.signed()
      else
        out[i], out[i + 1] = math.floor(d / 9) - 4, d % 9 - 4
      end
    end
    out[n + 1] = nil
    return out
  end
  function self.atEnd() return at == #text + 1 end
  return self
end

local function drawing(seed)
  local numbers = collide.newRandom(seed)
  return function(...) return numbers:random(...) end
end

describe("packing", function()
  it("returns every block of numbers unchanged", function()
    local draw = drawing(11)
    local sizes = { 0, 1, 1, 4, 40, 3280, 1e6, 2 ^ 50 }
    for round = 1, 300 do
      local n, usual = draw(0, 60), sizes[draw(#sizes)]
      local values, copy, out = {}, {}, {}
      for i = 1, n do
        local size = draw(9) == 1 and sizes[draw(#sizes)] or usual
        values[i] = math.floor((2 * draw() - 1) * size + 0.5)
        copy[i] = values[i]
      end
      replays.count(out, round)
      replays.block(out, values, n)
      replays.signed(out, -round)
      local read = reader(table.concat(out))
      assert.equal(round, read.count())
      local got = read.block(n)
      for i = 1, n do assert.equal(copy[i], got[i]) end
      assert.equal(-round, read.signed())
      assert.is_true(read.atEnd())
    end
  end)

  it("takes few characters for small numbers", function()
    local function size(value)
      local values, out = {}, {}
      for i = 1, 1000 do values[i] = i % 2 * value end
      replays.block(out, values, 1000)
      return #table.concat(out)
    end
    assert.same({ 1, 501, 501, 2001 }, { size(0), size(1), size(4), size(40) })
  end)

  it("uses no character that ends a string or a script", function()
    assert.equal(81, #replays.ALPHABET)
    assert.is_nil(replays.ALPHABET:find "[^\33-\126]")
    assert.is_nil(replays.ALPHABET:find('["\\<]'))
  end)
end)

describe("texts.json", function()
  it("writes JSON that JavaScript reads", function()
    assert.equal('{"a":[1,0.1,true,null],"b":"x\\"\\\\\\t\\u003c/ö","c":{},"d":[],"e":"inf"}',
      texts.json { a = { 1, 0.1, true, nil, n = 4 }, b = 'x"\\\t</ö', c = {}, d = { n = 0 },
        e = math.huge })
    assert.equal('"\239\191\189\239\191\189"', texts.json "\0\255")
    assert.equal('"a\\nb"', texts.json "a\nb")
  end)
end)

describe("the pictures of the page", function()
  it("are paths of SVG", function()
    local function same(fill, line, shape)
      assert.same({ fill, line }, { replays.pathOf(shape) })
    end
    same("M0 3A3 3 0 0 1 0 -3L20 -3A3 3 0 0 1 20 3z", "M0 3A3 3 0 0 1 0 -3L20 -3A3 3 0 0 1 20 3z",
      collide.capsule(0, 0, 20, 0, 3))
    same("", "M0 0 4 0 4 7", collide.chain(0, 0, 4, 0, 4, 7))
    same("M0 0 9 0 4 7z", "M0 0 9 0 4 7z", collide.polygon(0, 0, 9, 0, 4, 7))
  end)
end)

describe("the bullets of the page", function()
  it("include each laser, its place, and whether it is hot", function()
    local world = collide.newWorld()
    local pool = world:newBullets { capacity = 9, radius = 2, bounds = { -99, -99, 99, 99 } }
    local writer = replays.newPools(8, { list = {} })
    local fired = {}
    for frame = 1, 12 do
      if frame % 3 == 1 then
        local bullet = pool:spawnLaser { points = { frame, 2, 30, 40 }, width = 3, warmup = 0.25,
          lifetime = 0.9 }
        fired[#fired + 1] = { bullet = bullet, x = frame, age = 0 }
        pool:spawn(0, 0, 5, 5)
      end
      if frame == 8 then pool:set(fired[2].bullet, { x = 50 }) end
      if frame == 9 then pool:kill(fired[1].bullet) end
      local out, lasers = {}, {}
      replays.writePools(writer, out, world)
      local read = reader(table.concat(out))
      assert.same({ 1, 0 }, { read.count(), read.count() })
      for i = 1, read.count() do
        lasers[i] = { read.count(), read.signed() / 8, read.signed() / 8, read.count() }
      end
      local expected = {}
      for number, laser in ipairs(fired) do
        local x, y, _, _, _, _, _, _, age = pool:get(laser.bullet)
        if x then
          expected[#expected + 1] = { number, x, y, age >= 0.25 and 1 or 0 }
        end
      end
      assert.same(expected, lasers, "frame " .. frame)
      world:update(0.125)
    end
  end)

  it("include each bullet, its place, size and length", function()
    local world = collide.newWorld()
    local pool = world:newBullets { capacity = 40, radius = 2 }
    local writer = replays.newPools(8, { list = {} })
    local draw, kept = drawing(5), {}
    for frame = 1, 60 do
      for _ = 1, draw(0, 2) do
        pool:spawn(draw(-40, 40), draw(-40, 40), 8 * draw(-9, 9), 8 * draw(-9, 9))
      end
      local alive = {}
      pool:each(function(bullet) alive[#alive + 1] = bullet end)
      for _, bullet in ipairs(alive) do -- at the beginning, at the end, and in between
        if draw(1, 9) == 1 then pool:kill(bullet) end
        if draw(1, 9) == 1 then pool:set(bullet, { radius = draw(1, 9) / 4 }) end
        if draw(1, 9) == 1 then pool:set(bullet, { length = draw(0, 9) }) end
      end
      local out = {}
      replays.writePools(writer, out, world)
      local read = reader(table.concat(out))
      assert.same({ 1, 0, 0 }, { read.count(), read.count(), read.count() })
      local place = 0
      for _ = 1, read.count() do
        place = place + read.count() + 1
        kept[place].gone = true
      end
      local left = {}
      for _, track in ipairs(kept) do
        if not track.gone then left[#left + 1] = track end
      end
      kept = left
      for _ = 1, read.count() do kept[#kept + 1] = { radius = 16 } end
      local xs, ys, radii = read.block(#kept), read.block(#kept), read.block(#kept)
      local tails = {}
      for i = 1, read.count() do tails[i] = { read.count() + 1, read.signed(), read.signed() } end
      assert.is_true(read.atEnd())
      local shown, expected, long = {}, {}, {}
      for i, t in ipairs(kept) do
        -- The value written is the difference from straight flight.
        local x = xs[i] + (t.x and 2 * t.x - t.x2 or 0)
        local y = ys[i] + (t.y and 2 * t.y - t.y2 or 0)
        t.x, t.x2, t.y, t.y2, t.radius = x, t.x or x, y, t.y or y, t.radius + radii[i]
        shown[i] = { x / 8, y / 8, t.radius / 8 }
      end
      pool:each(function(_, x, y, _, _, radius, _, length, tailX, tailY)
        expected[#expected + 1] = { x, y, radius }
        if length then
          long[#long + 1] = { #expected, math.floor((tailX - x) * 8 + 0.5),
            math.floor((tailY - y) * 8 + 0.5) }
        end
      end)
      assert.same(expected, shown, "frame " .. frame)
      assert.same(long, tails, "frame " .. frame)
      world:update(0.125)
    end
  end)
end)

describe("the page", function()
  local function play(scene, frames)
    local replay = page.replay(scene)
    replay:add()
    for _ = 1, frames do
      scenes.step(scene)
      replay:add()
    end
    return replay
  end

  it("takes few characters for straight flights", function()
    local scene = scenes.load { setup = function(scene)
      for i = 1, 100 do
        scene.world:add { x = i, y = 7 * i, shape = collide.circle(1),
          update = function(self, dt) self.x, self.y = self.x + i * dt, self.y - 3 * dt end }
      end
    end, world = { rules = {} } }
    local replay = play(scene, 20)
    assert.is_true(#replay.frames[20] < 120, #replay.frames[20])
  end)

  -- The changes of a field: frame, actor and value of each, as text.
  local function changesOf(field)
    local read, changes, frame = reader(field.text), {}, -1
    while not read.atEnd() do
      frame = frame + read.count() + 1
      local actor = 0
      for _ = 1, read.count() do
        actor = actor + read.count() + 1
        changes[#changes + 1] = ("%d %d %s"):format(frame, actor,
          tostring(field.values[read.count()]))
      end
    end
    return changes
  end

  it("records the changes of a field to numbers, text, true, false and nil", function()
    local scene = scenes.load { setup = function(scene)
      scene.world:add { x = 0, y = 0, shape = collide.circle(1), mood = "calm" }
      scene.world:add { x = 9, y = 0, shape = collide.circle(1), mood = 1 }
    end, update = function(scene)
      local a, b = scene.world:actors()[1], scene.world:actors()[2]
      if scene.frame == 2 then a.mood, b.mood = "wild", false end
      if scene.frame == 3 then b.mood = 2.00049 end
      if scene.frame == 4 then a.mood = nil end
      if scene.frame == 5 then b.mood = true end
    end }
    local field = play(scene, 5):data().fields[1]
    assert.same({ "mood", "calm", 1 }, { field.name, field.first[1], field.first[2] })
    assert.equal(2, field.values[3])
    field.values[3] = "two"
    assert.same({ "2 1 wild", "2 2 false", "3 2 two", "4 1 nil", "5 2 true" }, changesOf(field))
  end)

  it("records a field that appears late, in the frames that it changes in", function()
    local scene = scenes.load { setup = function(scene)
      scene.world:add { x = 0, y = 0, shape = collide.circle(1) }
    end, update = function(scene)
      local actor = scene.world:actors()[1]
      if scene.frame >= 3 then actor.late = scene.frame == 5 and "9" or actor.late or "7" end
    end }
    local data = play(scene, 8):data()
    assert.same({ "late" }, { data.fields[1].name, data.fields[2] })
    assert.same({ n = 1 }, data.fields[1].first)
    assert.same({ "3 1 7", "5 1 9" }, changesOf(data.fields[1]))
  end)

  it("leaves out fields that take too many bytes, and names them", function()
    local scene = scenes.load { setup = function(scene)
      for i = 1, 400 do
        scene.world:add { x = 3 * i, y = 0, shape = collide.circle(1), calm = i, wild = 0,
          name = i == 1 and "</script>" or nil,
          update = function(self) self.wild = scene:uniform(-1e9, 1e9) end }
      end
    end }
    local text = page.text(play(scene, 90))
    assert.is_truthy(text:find('"left":["wild"]', 1, true))
    assert.is_truthy(text:find('"name":"calm"', 1, true))
    local _, ends = text:gsub("</script>", "")
    assert.equal(1, ends)
  end)
end)

describe("the title of a page", function()
  it("is one line, with characters that HTML allows", function()
    local scene = scenes.load { name = "two\nlines\239\191\190\27", setup = function() end }
    local text = page.text(page.replay(scene))
    assert.is_truthy(text:find("<title>two lines\239\191\189\239\191\189</title>", 1, true))
  end)
end)
