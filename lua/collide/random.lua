-- Random numbers that are the same on every Lua and every machine: L'Ecuyer's MRG32k3a
-- (Operations Research 47, 1999). Its two recurrences have products below 2^53, so doubles compute
-- them exactly, whether a Lua has integers or not.

local require = require "collide.relative"
local check = require "collide.check"

local floor = math.floor

--- A generator of random numbers. Its state is at indices 1 to 6, the six words of the paper:
--- the first three are below 4294967087 and not all 0, the others below 4294944443 and not all 0.
---@class collide.Random
local Random = {}
Random.__index = Random
Random.__name = "collide.Random"

local M = { class = Random, WORDS = 6 }

-- The moduli, as floats: with integer constants some Luas would compute in integers.
local M1, M2 = 4294967087.0, 4294944443.0

local HALF = 67108864.0 -- 2^26
local BLOCK, MOST = HALF * HALF, 2 ^ 53

local WHOLE = "whole number within ±2^53"

--- A state as text.
function M.textOf(words)
  return ("random(%.0f, %.0f, %.0f, %.0f, %.0f, %.0f)"):format(words[1], words[2], words[3],
    words[4], words[5], words[6])
end

Random.__tostring = M.textOf

function M.is(value)
  return getmetatable(value) == Random
end

-- The next whole number from 1 to M1.
local function step(self)
  -- The quotient may be rounded up to the next integer, hence the corrections.
  local p1 = 1403580.0 * self[2] - 810728.0 * self[1]
  p1 = p1 - floor(p1 / M1) * M1
  if p1 < 0 then p1 = p1 + M1 end
  self[1], self[2], self[3] = self[2], self[3], p1

  local p2 = 527612.0 * self[6] - 1370589.0 * self[4]
  p2 = p2 - floor(p2 / M2) * M2
  if p2 < 0 then p2 = p2 + M2 end
  self[4], self[5], self[6] = self[5], self[6], p2

  local z = p1 - p2
  return z <= 0 and z + M1 or z
end

-- The next number strictly between 0 and 1, in steps of about 2^-32.
local function draw(self)
  return step(self) / (M1 + 1)
end

-- A whole number from 0 to count - 1, for counts that are more than the values of one draw: two
-- draws are the digits of a number to the base M1. Numbers beyond `count` are drawn again, and so
-- are first digits that would make some numbers more frequent than others.
local function drawLarge(self, count)
  local firsts = math.ceil(count / M1)
  local each = floor(M1 / firsts)
  while true do
    local first = floor((step(self) - 1) / each)
    local value = first * M1 + (step(self) - 1)
    if first < firsts and value < count then return floor(value) end
  end
end

local function isWhole(v, least)
  return type(v) == "number" and v >= least and v <= MOST and v == floor(v)
end

--- Implements `random` of a generator, for the function `fn`.
function M.random(self, fn, ...)
  local n = select("#", ...)
  if n == 0 then return draw(self) end
  local from, to = ...
  if n > 2 then check.noMore(fn, "0 to 2 numbers", 0, ...) end
  if n == 1 then
    if not isWhole(from, 1) then check.fail(fn, "n", "whole number from 1", from) end
    from, to = 1, from
  else
    if not isWhole(from, -MOST) then check.fail(fn, "m", WHOLE, from) end
    if not isWhole(to, from) then
      check.fail(fn, "n", ("whole number from %.0f"):format(from), to)
    end
  end
  if to - from >= MOST then check.fail(fn, "n", "number less than 2^53 above m", to) end
  local count = to - from + 1
  -- On Luas with integers, floor makes one even if both are floats.
  return floor(from) + (count > M1 and drawLarge(self, count) or floor(draw(self) * count))
end

local function isFinite(v)
  return type(v) == "number" and v - v == 0
end

--- Implements `uniform` of a generator, for the function `fn`.
function M.uniform(self, fn, a, b, ...)
  if not isFinite(a) then check.fail(fn, "a", "finite number", a) end
  if not isFinite(b) or b < a then
    check.fail(fn, "b", ("finite number from %.14g"):format(a), b)
  end
  if not isFinite(b - a) then check.fail(fn, "b", "number less than 1.8e308 above a", b) end
  check.noMore(fn, "a and b", 2, ...)
  local value = a + (b - a) * draw(self)
  -- In a narrow interval the sum can be rounded up to b.
  return value < b and value or a
end

local function checkSelf(self, fn)
  if not M.is(self) then check.fail(fn, "self", "random", self, "call it with a colon") end
end

--- Like math.random: `random()` is a float between 0 and 1, both excluded, `random(n)` a whole
--- number from 1 to n, and `random(m, n)` one from m to n.
---@param ... integer
---@return number
function Random:random(...)
  checkSelf(self, "random:random")
  return M.random(self, "random:random", ...)
end

--- A float in [a, b), or a if both are equal.
---@param a number
---@param b number
---@return number
function Random:uniform(a, b, ...)
  checkSelf(self, "random:uniform")
  return M.uniform(self, "random:uniform", a, b, ...)
end

-- Similar seeds, such as 1, 2, 3, would give a linear generator similar streams. So the two halves
-- of a seed below 2^52 go through a Feistel network with a middle square as round function, and six
-- consecutive halves are the state. Two consecutive halves determine the seed, so no two seeds
-- share a state. Other seeds are such a seed and the number of their block of 2^52, which changes
-- the keys of the rounds and is added to the last word.
local function words(seed)
  local block = floor(seed / BLOCK)
  seed = seed - block * BLOCK
  local left = floor(seed / HALF)
  local right = seed - left * HALF
  local out = {}
  for round = 1, 18 do
    local key = right + (round + 18 * block) * 40503473.0
    key = key - floor(key / HALF) * HALF
    local sum = left + floor(key * key / 8192)
    left, right = right, sum - floor(sum / HALF) * HALF
    out[round] = right + 1
  end
  return { out[13], out[14], out[15], out[16], out[17], out[18] + block % 5 * HALF }
end

--- Whether values at `at` + 1, … in a list can be the state of a generator.
function M.isState(list, at)
  for i = 1, M.WORDS do
    local word = list[at + i]
    if not (isWhole(word, 0) and word < (i <= 3 and M1 or M2)) then return false end
  end
  return list[at + 1] + list[at + 2] + list[at + 3] > 0
    and list[at + 4] + list[at + 5] + list[at + 6] > 0
end

--- A generator that has no state yet.
function M.empty()
  return setmetatable({}, Random)
end

--- Makes a generator from a seed, for the function `fn`.
function M.new(fn, seed)
  if not isWhole(seed, -MOST) then check.fail(fn, "seed", WHOLE, seed) end
  -- The words have 26 bits each; a few steps fill the 32 bits of the state's words.
  local self = setmetatable(words(seed + 0.0), Random)
  for _ = 1, 8 do step(self) end
  return self
end

return M
