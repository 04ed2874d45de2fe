-- Numbers to text and back, the same on every Lua.
local texts = require "collide.scene.text"

describe("texts.number", function()
  it("reads decimal numbers", function()
    for text, value in pairs {
      ["7"] = 7, ["-3"] = -3, ["+4"] = 4, ["0.25"] = 0.25, [".5"] = 0.5, ["5."] = 5, ["1e3"] = 1000,
      ["-2.5E-1"] = -0.25, ["007"] = 7, ["1e15"] = 1e15,
    } do
      assert.equal(value, texts.number(text), text)
    end
  end)

  it("returns whole numbers as integers", function()
    assert.equal("1000", tostring(texts.number("1e3")))
    assert.equal("2", tostring(texts.number("2.0")))
  end)

  it("reads nothing else", function()
    for _, text in ipairs {
      "", " ", "x", "1x", "0x10", "0b1", "inf", "nan", "-", ".", "1e", "e5", "1e999", "1 ", " 1",
      "--1", "1.2.3", "1e1.5",
    } do
      assert.is_nil(texts.number(text), text)
    end
  end)
end)

describe("texts.fixed", function()
  it("writes the given number of digits, with halves rounded away from 0", function()
    for _, case in ipairs {
      { 0.125, 2, "0.13" }, { -0.125, 2, "-0.13" }, { 0.375, 2, "0.38" }, { 2.5, 0, "3" },
      { 1.999, 2, "2.00" }, { -0.001, 2, "0.00" }, { 12, 2, "12.00" }, { 0.05, 4, "0.0500" },
      { 1e12, 3, "1000000000000.000" }, { 768.25, 2, "768.25" },
    } do
      assert.equal(case[3], texts.fixed(case[1], case[2]))
    end
  end)
end)

describe("texts.short", function()
  it("drops trailing zeros", function()
    for _, case in ipairs {
      { 0.5, 3, "0.5" }, { 100, 2, "100" }, { 100, 0, "100" }, { 0, 2, "0" }, { -0.0, 2, "0" },
      { 10.01, 2, "10.01" }, { 1 / 3, 2, "0.33" }, { -20, 1, "-20" },
    } do
      assert.equal(case[3], texts.short(case[1], case[2]))
    end
  end)
end)
