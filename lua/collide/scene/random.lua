-- Random numbers that are the same on every Lua and every machine: L'Ecuyer's MRG32k3a
-- (Operations Research 47, 1999). Its two recurrences have products below 2^53, so doubles compute
-- them exactly, whether a Lua has integers or not.

local check = require "collide.check"

local floor = math.floor

local M = {}

-- The moduli, as floats: with integer constants some Luas would compute in integers.
local M1, M2 = 4294967087.0, 4294944443.0

local HALF = 67108864.0 -- 2^26
local SEEDS = HALF * HALF

--- The largest seed: 2^52 - 1.
M.MAXSEED = SEEDS - 1

--- Whether `seed` can start a generator: a whole number from 0 to 2^52 - 1.
---@param seed any
---@return boolean
function M.isSeed(seed)
  return type(seed) == "number" and seed >= 0 and seed < SEEDS and seed == floor(seed)
end

--- The bare generator, from the six words of state of the paper: the first three are below
--- 4294967087 and not all 0, the others below 4294944443 and not all 0.
---@return fun(): number next returns numbers strictly between 0 and 1, in steps of about 2^-32
---@return function state returns the six words; with six arguments it sets them first
function M.stream(s10, s11, s12, s20, s21, s22)
  local function next()
    -- The quotient may be rounded up to the next integer, hence the corrections.
    local p1 = 1403580.0 * s11 - 810728.0 * s10
    p1 = p1 - floor(p1 / M1) * M1
    if p1 < 0 then p1 = p1 + M1 end
    s10, s11, s12 = s11, s12, p1

    local p2 = 527612.0 * s22 - 1370589.0 * s20
    p2 = p2 - floor(p2 / M2) * M2
    if p2 < 0 then p2 = p2 + M2 end
    s20, s21, s22 = s21, s22, p2

    local z = p1 - p2
    if z <= 0 then z = z + M1 end
    return z / (M1 + 1)
  end

  local function state(...)
    if ... then s10, s11, s12, s20, s21, s22 = ... end
    return s10, s11, s12, s20, s21, s22
  end

  return next, state
end

-- Similar seeds, such as 1, 2, 3, would give a linear generator similar streams. So the two halves
-- of the seed go through a Feistel network with a middle square as round function, and six
-- consecutive halves are the state. Two consecutive halves determine the seed, so no two seeds
-- share a state.
local function words(seed)
  local left = floor(seed / HALF)
  local right = seed - left * HALF
  local out = {}
  for round = 1, 18 do
    local key = right + round * 40503473.0
    key = key - floor(key / HALF) * HALF
    local sum = left + floor(key * key / 8192)
    left, right = right, sum - floor(sum / HALF) * HALF
    out[round] = right + 1
  end
  return out[13], out[14], out[15], out[16], out[17], out[18]
end

local function isFinite(v)
  return type(v) == "number" and v - v == 0
end

local function isWhole(v, least)
  return isFinite(v) and v == floor(v) and v >= least and v <= 2 ^ 53
end

--- Makes the functions scene.random and scene.uniform of a scene, which draw from one stream.
---
--- `random()` is a float between 0 and 1, both excluded, `random(n)` an integer from 1 to n, and
--- `random(a, b)` an integer from a to b (at most 4294967087 different ones). `uniform(a, b)` is a
--- float in [a, b), or a if both are equal.
---@param seed number an integer from 0 to 2^52 - 1
---@return fun(a?: number, b?: number): number random
---@return fun(a: number, b: number): number uniform
---@return function state gets and sets the state of the stream, as that of `stream`
function M.new(seed)
  if not M.isSeed(seed) then
    check.fail("random.new", "seed", "whole number from 0 to 2^52 - 1", seed)
  end
  -- The words have 26 bits each; a few steps fill the 32 bits of the state's words.
  local draw, state = M.stream(words(seed + 0.0))
  for _ = 1, 8 do draw() end

  local function random(...)
    local fn, n = "scene.random", select("#", ...)
    if n == 0 then return draw() end
    local a, b = ...
    if n > 2 then check.noMore(fn, "0 to 2 numbers", 0, ...) end
    if n == 1 then
      if not isWhole(a, 1) then check.fail(fn, "n", "whole number from 1", a) end
      a, b = 1, a
    else
      if not isWhole(a, -2 ^ 53) then check.fail(fn, "a", "whole number", a) end
      if not isWhole(b, a) then check.fail(fn, "b", ("whole number from %.0f"):format(a), b) end
    end
    local count = b - a + 1
    if count > M1 then
      check.fail(fn, n == 1 and "n" or "b", "interval of at most 4294967087 numbers", b)
    end
    -- On Luas with integers, floor makes one even if a and b are floats.
    return floor(a) + floor(draw() * count)
  end

  local function uniform(...)
    local fn, n = "scene.uniform", select("#", ...)
    if n ~= 2 then
      check.raise(("%s takes 2 numbers, got %d argument%s"):format(fn, n, n == 1 and "" or "s"))
    end
    local a, b = ...
    if not isFinite(a) then check.fail(fn, "a", "finite number", a) end
    if not isFinite(b) or b < a then
      check.fail(fn, "b", ("finite number from %.14g"):format(a), b)
    end
    if not isFinite(b - a) then check.fail(fn, "b", "less than 1.8e308 above a", b) end
    local value = a + (b - a) * draw()
    -- In a narrow interval the sum can be rounded up to b.
    return value < b and value or a
  end

  return random, uniform, state
end

return M
