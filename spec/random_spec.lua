-- The scenes' random numbers: the generator is the published one, and gives the same bits on every
-- Lua that runs this spec.
local random = require "collide.scene.random"
local expect = require "spec.support.expect"

local function exact(v)
  return ("%.17g"):format(v)
end

local function take(n, f, ...)
  local out = {}
  for i = 1, n do out[i] = exact(f(...)) end
  return table.concat(out, " ")
end

describe("random.stream", function()
  -- All six words 12345, as in the tables of L'Ecuyer's paper and of others' implementations.
  local function standard()
    return random.stream(12345, 12345, 12345, 12345, 12345, 12345)
  end

  it("begins as MRG32k3a does", function()
    local next = standard()
    expect.near({ 0.127011122046577, 0.318527565396794, 0.309186015583270, 0.825846862927114,
      0.221629915782023 }, { next(), next(), next(), next(), next() }, 5e-16)
  end)

  it("gives the same from floats and from integers", function()
    local a, b = standard(), random.stream(12345.0, 12345.0, 12345.0, 12345.0, 12345.0, 12345.0)
    assert.equal(take(100, a), take(100, b))
  end)

  it("is still the same after a million numbers", function()
    local next, sum = standard(), 0
    for _ = 1, 1000000 do sum = sum + next() end
    assert.equal("499651.93695686", ("%.8f"):format(sum))
  end)
end)

describe("random.new", function()
  it("gives the same numbers on every Lua", function()
    for _, golden in ipairs {
      { 0, "0.4105343717129783 0.65769934416782661 0.5750944648449422", "6 5 2 2" },
      { 1, "0.11691977044551453 0.50089169880037043 0.77400712156516527", "6 4 4 5" },
      { 2, "0.08140885153157662 0.13511149913612563 0.005009429306248505", "3 1 4 6" },
      { random.MAXSEED, "0.22576991304758515 0.92346701842759271 0.80301498808598093", "2 5 1 3" },
    } do
      local draw = random.new(golden[1])
      assert.equal(golden[2], take(3, draw))
      assert.equal(golden[3], take(4, draw, 6))
    end
  end)

  it("draws random and uniform from one stream", function()
    local draw, uniform = random.new(7)
    local other = random.new(7)
    assert.equal(exact(other()), exact(draw()))
    assert.equal(exact(-5 + 10 * other()), exact(uniform(-5, 5)))
    assert.equal(exact(other()), exact(draw()))
  end)

  it("gives unrelated streams for neighbouring seeds", function()
    -- 4096 seeds fall into 8 × 8 boxes, by their first number and that of the seed before.
    local boxes, before = {}, 0
    for i = 0, 63 do boxes[i] = 0 end
    for seed = 1, 4096 do
      local value = random.new(seed)()
      local box = math.floor(before * 8) * 8 + math.floor(value * 8)
      boxes[box] = boxes[box] + 1
      before = value
    end
    local chi = 0
    for i = 0, 63 do chi = chi + (boxes[i] - 64) ^ 2 / 64 end
    -- With 63 degrees of freedom, one value in a thousand is above 103, and one below 34.
    assert.is_true(chi > 34 and chi < 103, "chi² " .. chi)
  end)

  it("takes whole numbers from 0 to 2^52 - 1 as seeds", function()
    for _, bad in ipairs { -1, 0.5, 2 ^ 52, 0 / 0, 1 / 0, "1", true } do
      expect.raises("random.new: seed expected (whole number from 0 to 2^52 - 1), got ",
        random.new, bad)
    end
    expect.raises("got nil", random.new)
  end)
end)

describe("scene.random", function()
  it("is like math.random without an argument", function()
    local draw = random.new(3)
    for _ = 1, 1000 do
      local v = draw()
      assert.is_true(v > 0 and v < 1)
    end
  end)

  it("is like math.random with one", function()
    local draw, seen = random.new(3), {}
    for _ = 1, 1000 do seen[draw(4)] = true end
    assert.same({ true, true, true, true }, seen)
    assert.equal(1, draw(1))
  end)

  it("is like math.random with two", function()
    local draw, seen = random.new(3), {}
    for _ = 1, 1000 do seen[draw(-2, 1)] = true end
    assert.same({ [-2] = true, [-1] = true, [0] = true, [1] = true }, seen)
    assert.equal(5, draw(5, 5))
  end)

  it("gives whole numbers that look like those of math.random", function()
    local draw = random.new(1)
    assert.equal("4", tostring(draw(4, 4)))
    assert.equal("4", tostring(draw(4.0, 4.0)))
  end)

  it("reaches both ends of the widest interval, evenly", function()
    local draw, below = random.new(1), 0
    for _ = 1, 1000 do
      local v = draw(0, 4294967086)
      assert.is_true(v >= 0 and v <= 4294967086 and v == math.floor(v))
      if v < 2147483543 then below = below + 1 end
    end
    assert.is_true(below > 440 and below < 560)
  end)

  it("says what is wrong with its arguments", function()
    local draw = random.new(1)
    expect.raises("scene.random: n expected (whole number from 1), got 0", draw, 0)
    expect.raises("scene.random: n expected (whole number from 1), got 2.5", draw, 2.5)
    expect.raises("scene.random: n expected (whole number from 1), got nan", draw, 0 / 0)
    expect.raises("scene.random: n expected (whole number from 1), got nil", draw, nil)
    expect.raises('scene.random: a expected (whole number), got string "1"', draw, "1", 2)
    expect.raises("scene.random: b expected (whole number from 3), got 2", draw, 3, 2)
    expect.raises("interval of at most 4294967087 numbers", draw, 2 ^ 32)
    expect.raises("scene.random takes 0 to 2 numbers, got 3 arguments", draw, 1, 2, 3)
  end)

  it("says so at the caller's line", function()
    local draw = random.new(1)
    expect.raises("random_spec.lua:", function() draw(0) end)
  end)
end)

describe("scene.uniform", function()
  it("gives numbers of [a, b)", function()
    local _, uniform = random.new(5)
    for _ = 1, 1000 do
      local v = uniform(-5, 5)
      assert.is_true(v >= -5 and v < 5)
    end
  end)

  it("never gives b, however narrow the interval", function()
    local _, uniform = random.new(5)
    local a, b = 1, 1 + 2 ^ -52
    for _ = 1, 100 do assert.equal(a, uniform(a, b)) end
    assert.equal(3, uniform(3, 3))
  end)

  it("says what is wrong with its arguments", function()
    local _, uniform = random.new(5)
    expect.raises("scene.uniform: a expected (finite number), got nan", uniform, 0 / 0, 1)
    expect.raises("scene.uniform: b expected (finite number from 2), got 1", uniform, 2, 1)
    expect.raises("scene.uniform: b expected (finite number from 2), got inf", uniform, 2, 1 / 0)
    expect.raises("scene.uniform: b expected (less than 1.8e308 above a)", uniform, -1e308, 1e308)
    expect.raises("scene.uniform takes 2 numbers, got 1 argument", uniform, 1)
  end)
end)
