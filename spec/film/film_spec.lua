-- collide.film: the last frames of a world.
local collide = require "collide"
local expect = require "spec.support.expect"
local films = require "collide.film"

-- A world with one actor that falls, and a floor that it bounces on.
local function newWorld()
  local world = collide.newWorld()
  local ball = world:add { name = "ball", x = 0, y = 0, vy = 0, shape = collide.circle(2),
    update = function(self) self.vy, self.y = self.vy + 0.3, self.y + self.vy end,
    hit = function(self, _, _, ny, depth)
      self.y, self.vy = self.y + ny * depth, -self.vy * 0.9
    end }
  world:add { name = "floor", x = -50, y = 20, static = true, shape = collide.rectangle(100, 9) }
  return world, ball
end

local function play(world, frames)
  local states = {}
  for i = 1, frames do
    world:update(1)
    states[i] = world:snapshot({ "vy" }):hash()
  end
  return states
end

describe("a film", function()
  local world, ball
  before_each(function() world, ball = newWorld() end)

  it("has a frame for each step after it was made", function()
    world:update(1)
    local film = films.new(world)
    assert.is_nil(film:range())
    assert.equal("film(0 frames)", tostring(film))
    world:update(1)
    world:step()
    assert.same({ 2, 3 }, { film:range() })
    assert.equal("film(2 frames)", tostring(film))
  end)

  it("goes back to any of its frames, from which everything repeats", function()
    local film = films.new(world, { fields = { "vy" } })
    local states = play(world, 40)
    for _, frame in ipairs { 39, 30, 12, 1 } do
      film:restore(frame)
      assert.same({ 1, frame }, { film:range() })
      assert.equal(states[frame], world:snapshot({ "vy" }):hash())
      local again = play(world, 40 - frame)
      for i, state in ipairs(again) do assert.equal(states[frame + i], state) end
      assert.same({ 1, 40 }, { film:range() })
    end
  end)

  it("is taken after the callbacks of a step", function()
    local film = films.new(world, { fields = { "vy" } })
    repeat world:update(1) until world:stats().hits > 0
    local _, last = film:range()
    local y, vy = ball.y, ball.vy
    world:update(1)
    film:restore(last)
    assert.same({ y, vy }, { ball.y, ball.vy })
  end)

  it("keeps the last frames", function()
    local film = films.new(world, { frames = 5 })
    for i = 1, 23 do
      world:update(1)
      assert.same({ math.max(1, i - 4), i }, { film:range() })
    end
    expect.raises("film:restore: frame expected (number of a frame of this film, from 19 to 23), "
      .. "got 18", function() film:restore(18) end)
    film:restore(19)
    assert.same({ 19, 19 }, { film:range() })
    play(world, 10)
    assert.same({ 25, 29 }, { film:range() })
  end)

  it("keeps no more bytes than it may, and the newest frame in any case", function()
    local film, small = films.new(world, { bytes = 20000 }), films.new(world, { bytes = 1 })
    play(world, 100)
    local first, last = film:range()
    assert.equal(100, last)
    assert.is_true(first > 2 and first < 99, first)
    assert.same({ 100, 100 }, { small:range() })
    -- More actors take more: fewer frames are left.
    for i = 1, 100 do world:add { x = 100 * i, y = 0, shape = collide.circle(1) } end
    play(world, 20)
    local first2, last2 = film:range()
    assert.is_true(last2 - first2 < last - first)
  end)

  it("counts the bytes of fields", function()
    for i = 1, 200 do world:add { x = 100 * i, y = 0, shape = collide.circle(1) } end
    local plain, full = films.new(world, { bytes = 300000 }),
      films.new(world, { bytes = 300000, fields = { "vy", "name", "hp" } })
    play(world, 60)
    assert.is_true(plain:range() < full:range())
  end)

  it("drops the frames that the game has rewound", function()
    local film = films.new(world)
    play(world, 5)
    local past = world:snapshot { "vy" }
    play(world, 5)
    world:restore(past)
    assert.same({ 1, 10 }, { film:range() })
    world:update(1)
    assert.same({ 1, 6 }, { film:range() })
  end)

  it("may be one of several of a world, and stops on its own", function()
    local one, two = films.new(world), films.new(world, { frames = 2 })
    play(world, 3)
    one:stop()
    one:stop()
    play(world, 3)
    assert.same({ 1, 3 }, { one:range() })
    assert.same({ 5, 6 }, { two:range() })
    one:restore(2)
    assert.equal(2, world._frame)
    world:update(1)
    assert.same({ 1, 2 }, { one:range() })
  end)

  it("may be started and stopped by a callback", function()
    local film, other
    ball.hit = function()
      film:stop()
      other = other or films.new(world)
    end
    film = films.new(world)
    repeat world:update(1) until other
    local _, last = other:range()
    assert.equal(last, other:range())
    assert.equal(last - 1, select(2, film:range()))
  end)

  it("has actors that come and go", function()
    local film = films.new(world)
    play(world, 3)
    local late = world:add { name = "late", x = 90, y = 0, shape = collide.circle(1) }
    play(world, 3)
    world:remove(ball)
    play(world, 3)
    film:restore(6)
    assert.is_true(world:has(ball))
    assert.is_true(world:has(late))
    film:restore(3)
    assert.is_false(world:has(late))
  end)

  it("raises where a field cannot be saved, and names it", function()
    local film = films.new(world, { fields = { "vy", "bag" } })
    play(world, 2)
    ball.bag = {}
    expect.raises({ 'actor 1 "ball"', "bag expected" }, function() world:update(1) end)
    assert.same({ 1, 2 }, { film:range() })
    ball.bag = nil
    world:update(1)
    assert.same({ 1, 4 }, { film:range() })
    expect.raises("frame expected (number of a frame of this film, from 1 to 4), got 3",
      function() film:restore(3) end)
    film:restore(2)
    assert.equal(2, world._frame)
  end)

  it("raises an error that says so if it has no frame", function()
    expect.raises("film:restore: frame expected (number of a frame; this film has none yet), got "
      .. "1", function() films.new(world):restore(1) end)
  end)

  it("does not keep a world alive that nothing else refers to", function()
    local watched = setmetatable({}, { __mode = "k" })
    do
      local other = newWorld()
      watched[other] = true
      watched[films.new(other)] = true
      play(other, 3)
    end
    for _ = 1, 4 do collectgarbage() end
    assert.is_nil(next(watched))
  end)

  it("makes no garbage once it is full", function()
    films.new(world, { frames = 20, fields = { "vy" } })
    ball.update, ball.hit = nil, nil
    world:refresh(ball)
    for _ = 1, 300 do world:step() end
    collectgarbage()
    collectgarbage "stop"
    local before = collectgarbage "count"
    for _ = 1, 300 do world:step() end
    local grown = collectgarbage "count" - before
    collectgarbage "restart"
    assert.is_true(grown < 20, grown) -- compiled code of LuaJIT is among it
  end)
end)
