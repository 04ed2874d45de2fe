-- Random numbers: the generator is the published one, and gives the same bits on every Lua.
local collide = require "collide"
local random = require "collide.random"
local expect = require "spec.support.expect"

local unpack = table.unpack or unpack -- luacheck: ignore

local function exact(v)
  return ("%.17g"):format(v)
end

local function take(n, generator, ...)
  local out = {}
  for i = 1, n do out[i] = exact(generator:random(...)) end
  return table.concat(out, " ")
end

-- A generator whose state is six words, all of them `word`.
local function uniformState(word)
  local generator = random.empty()
  for i = 1, random.WORDS do generator[i] = word end
  return generator
end

describe("the generator", function()
  -- All six words 12345, as in the tables of L'Ecuyer's paper and of others' implementations.
  it("begins with the published numbers of MRG32k3a", function()
    local r = uniformState(12345)
    expect.near({ 0.127011122046577, 0.318527565396794, 0.309186015583270, 0.825846862927114,
      0.221629915782023 }, { r:random(), r:random(), r:random(), r:random(), r:random() }, 5e-16)
  end)

  it("gives the same numbers from floats and from integers", function()
    assert.equal(take(100, uniformState(12345)), take(100, uniformState(12345.0)))
  end)

  it("is still exact after a million numbers", function()
    local r, sum = uniformState(12345), 0
    for _ = 1, 1000000 do sum = sum + r:random() end
    assert.equal("499651.93695686", ("%.8f"):format(sum))
  end)
end)

describe("collide.newRandom", function()
  it("gives the same numbers on every Lua", function()
    for _, golden in ipairs {
      { 0, "0.4105343717129783 0.65769934416782661 0.5750944648449422", "6 5 2 2" },
      { 1, "0.11691977044551453 0.50089169880037043 0.77400712156516527", "6 4 4 5" },
      { 2, "0.08140885153157662 0.13511149913612563 0.005009429306248505", "3 1 4 6" },
      { 2 ^ 52 - 1, "0.22576991304758515 0.92346701842759271 0.80301498808598093", "2 5 1 3" },
    } do
      local r = collide.newRandom(golden[1])
      assert.equal(golden[2], take(3, r))
      assert.equal(golden[3], take(4, r, 6))
    end
    for _, golden in ipairs {
      { -1, "861066655449460 2274836667970858" },
      { 2 ^ 52, "8900258723628129 1407923180368274" },
      { 2 ^ 53, "7198666220167027 8034254161795091" },
      { -2 ^ 53, "7368099096518377 3265986525545664" },
    } do
      assert.equal(golden[2], ("%.0f %.0f"):format((function(r)
        return r:random(0, 2 ^ 53 - 1), r:random(0, 2 ^ 53 - 1)
      end)(collide.newRandom(golden[1]))))
    end
  end)

  it("draws random and uniform from one stream", function()
    local r, other = collide.newRandom(7), collide.newRandom(7)
    assert.equal(exact(other:random()), exact(r:random()))
    assert.equal(exact(-5 + 10 * other:random()), exact(r:uniform(-5, 5)))
    assert.equal(exact(other:random()), exact(r:random()))
  end)

  it("gives unrelated streams for neighbouring seeds, and for neighbouring blocks", function()
    -- 4096 seeds fall into 8 × 8 boxes, by their first number and that of the seed before.
    for _, between in ipairs { 1, 2 ^ 52 - 1, -2 ^ 52 } do
      local boxes = {}
      for i = 0, 63 do boxes[i] = 0 end
      for seed = 1, 4096 do
        local before = collide.newRandom(seed + between):random()
        local box = math.floor(before * 8) * 8 + math.floor(collide.newRandom(seed):random() * 8)
        boxes[box] = boxes[box] + 1
      end
      local chi = 0
      for i = 0, 63 do chi = chi + (boxes[i] - 64) ^ 2 / 64 end
      -- With 63 degrees of freedom, one value in a thousand is above 103, and one below 34.
      assert.is_true(chi > 34 and chi < 103, "chi² " .. chi)
    end
  end)

  it("takes whole numbers within ±2^53 as seeds, and needs one", function()
    for _, bad in ipairs { 0.5, 2 ^ 53 + 2, -2 ^ 53 - 2, 0 / 0, 1 / 0, "1", true } do
      expect.raises("collide.newRandom: seed expected (whole number within ±2^53), got ",
        collide.newRandom, bad)
    end
    expect.raises("got nil", collide.newRandom)
    assert.equal(take(1, collide.newRandom(0)), take(1, collide.newRandom(-0.0)))
  end)

  it("has a tostring with its state", function()
    assert.equal("random(1, 1, 1, 1, 1, 1)", tostring(uniformState(1)))
    expect.raises("random:random: self expected (random), got number 6; call it with a colon",
      collide.newRandom(1).random, 6)
  end)
end)

describe("random:random", function()
  it("is like math.random without an argument", function()
    local r = collide.newRandom(3)
    for _ = 1, 1000 do
      local v = r:random()
      assert.is_true(v > 0 and v < 1)
    end
  end)

  it("is like math.random with one argument", function()
    local r, seen = collide.newRandom(3), {}
    for _ = 1, 1000 do seen[r:random(4)] = true end
    assert.same({ true, true, true, true }, seen)
    assert.equal(1, r:random(1))
  end)

  it("is like math.random with two arguments", function()
    local r, seen = collide.newRandom(3), {}
    for _ = 1, 1000 do seen[r:random(-2, 1)] = true end
    assert.same({ [-2] = true, [-1] = true, [0] = true, [1] = true }, seen)
    assert.equal(5, r:random(5, 5))
  end)

  it("gives whole numbers of the same type as math.random", function()
    local r = collide.newRandom(1)
    assert.equal("4", tostring(r:random(4, 4)))
    assert.equal("4", tostring(r:random(4.0, 4.0)))
  end)

  it("is uniform over wide intervals", function()
    local r = collide.newRandom(1)
    for _, ends in ipairs { { 0, 4294967086 }, { 0, 4294967087 }, { 1, 3 * 2 ^ 32 },
      { -2 ^ 53, -2 }, { 0, 2 ^ 53 - 1 }, { -2 ^ 52, 2 ^ 52 - 1 } } do
      local m, n = unpack(ends)
      local below, odd = 0, 0
      for _ = 1, 1000 do
        local v = r:random(m, n)
        assert.is_true(v >= m and v <= n and v == math.floor(v))
        if v - m < (n - m) / 2 then below = below + 1 end
        if v % 2 == 1 then odd = odd + 1 end
      end
      assert.is_true(below > 440 and below < 560 and odd > 440 and odd < 560)
    end
  end)

  it("says what is wrong with its arguments, at the caller's line", function()
    local r = collide.newRandom(1)
    local function draw(...) return r:random(...) end
    for _, case in ipairs {
      { "n expected (whole number from 1), got 0", 0 },
      { "n expected (whole number from 1), got 2.5", 2.5 },
      { "n expected (whole number from 1), got nan", 0 / 0 },
      { 'm expected (whole number within ±2^53), got string "1"', "1", 2 },
      { "n expected (whole number from 3), got 2", 3, 2 },
      { "n expected (number less than 2^53 above m), got ", -1, 2 ^ 53 - 1 },
      { "n expected (number less than 2^53 above m), got ", -2 ^ 53, 2 ^ 53 },
    } do
      expect.raises("random:random: " .. case[1], draw, unpack(case, 2))
    end
    expect.raises("random:random: n expected (whole number from 1), got nil", draw, nil)
    expect.raises("random:random takes 0 to 2 numbers, got 3 arguments", draw, 1, 2, 3)
    expect.raises("random_spec.lua:", function() draw(0) end)
    assert.equal(1, r:random(1, 1))
  end)
end)

describe("random:uniform", function()
  it("gives numbers in [a, b)", function()
    local r = collide.newRandom(5)
    for _ = 1, 1000 do
      local v = r:uniform(-5, 5)
      assert.is_true(v >= -5 and v < 5)
    end
  end)

  it("never gives b, however narrow the interval", function()
    local r = collide.newRandom(5)
    local a, b = 1, 1 + 2 ^ -52
    for _ = 1, 100 do assert.equal(a, r:uniform(a, b)) end
    assert.equal(3, r:uniform(3, 3))
  end)

  it("says what is wrong with its arguments", function()
    local r = collide.newRandom(5)
    local function uniform(...) return r:uniform(...) end
    expect.raises("random:uniform: a expected (finite number), got nan", uniform, 0 / 0, 1)
    expect.raises("random:uniform: b expected (finite number from 2), got 1", uniform, 2, 1)
    expect.raises("random:uniform: b expected (finite number from 2), got inf", uniform, 2, 1 / 0)
    expect.raises("random:uniform: b expected (number less than 1.8e308 above a)", uniform, -1e308,
      1e308)
    expect.raises("random:uniform: b expected (finite number from 1), got nil", uniform, 1)
    expect.raises("random:uniform takes a and b, got 3 arguments", uniform, 1, 2, 3)
  end)
end)

describe("collide.sin, cos and atan2", function()
  it("agree with the C library, within a unit in the last place", function()
    local atan2 = math.atan2 or math.atan -- luacheck: ignore
    local r = collide.newRandom(1)
    for _ = 1, 1000 do
      local a, y, x = r:uniform(-100, 100), r:uniform(-1, 1), r:uniform(-1, 1)
      expect.near({ math.sin(a), math.cos(a), atan2(y, x) },
        { collide.sin(a), collide.cos(a), collide.atan2(y, x) }, 1e-15)
    end
    assert.equal(math.pi, collide.atan2(0, -1))
    assert.equal(-math.pi / 2, collide.atan2(-3, 0))
    local zero = 0.0 -- some Luas have no constant -0
    assert.equal(-1 / 0, 1 / collide.atan2(-zero, 5))
  end)
end)
