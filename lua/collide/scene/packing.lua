-- Packs integers as text for a replay page; small ones take little. The page's script, in
-- playerreader.lua, reads it.
--
-- A digit is one of 81 characters. A count is written in base 40: its last digit is below 40, the
-- others have 40 added. A block of values begins with its kind, which says how many values share a
-- digit. Kind 0: all values are 0. 1: four values from -1 to 1. 2: two values from -4 to 4. 3: one
-- value from -40 to 40. 4: one value from -3280 to 3280 in two digits. Larger values are patches:
-- they are written as 0, and listed before the digits.

local floor = math.floor

local M = {}

-- None of these characters needs an escape in a script's string.
local DIGITS = {}
do
  local code = 35
  for digit = 0, 80 do
    while code == 60 or code == 92 do code = code + 1 end
    DIGITS[digit] = string.char(code)
    code = code + 1
  end
end

--- All digits in order.
M.ALPHABET = DIGITS[0] .. table.concat(DIGITS)

--- Appends a count to a list of texts.
---@param out string[]
---@param value integer 0 or more
function M.count(out, value)
  local n, text = #out + 1, DIGITS[value % 40]
  value = floor(value / 40)
  while value > 0 do
    text = DIGITS[40 + value % 40] .. text
    value = floor(value / 40)
  end
  out[n] = text
end

-- Maps integers to counts: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …
local function fold(value)
  return value < 0 and -2 * value - 1 or 2 * value
end

--- Appends an integer that may be negative.
function M.signed(out, value)
  M.count(out, fold(value))
end

-- By kind of block: the largest value, and how many values share a digit.
local LARGEST = { [0] = 0, 1, 4, 40, 3280 }
local SHARED = { 4, 2, 1, 0.5 }

local function digitsOf(count)
  local n = 1
  while count >= 40 do
    count = floor(count / 40)
    n = n + 1
  end
  return n
end

-- The kind of block that takes the fewest characters.
local function kindFor(values, n)
  local costs = { [0] = 0 }
  for kind = 1, #SHARED do costs[kind] = math.ceil(n / SHARED[kind]) end
  for i = 1, n do
    local value = values[i]
    if value ~= 0 then
      local size = value < 0 and -value or value
      local patch
      for kind = 0, #LARGEST do
        if size <= LARGEST[kind] then break end
        patch = patch or 1 + digitsOf(fold(value))
        costs[kind] = costs[kind] + patch
      end
    end
  end
  local best = 0
  for kind = 1, #LARGEST do
    if costs[kind] < costs[best] then best = kind end
  end
  return best
end

local function patches(out, values, n, largest)
  local at, count, list = 0, 0, {}
  for i = 1, n do
    local value = values[i]
    if value > largest or value < -largest then
      M.count(list, i - at - 1)
      M.signed(list, value)
      at, count = i, count + 1
      values[i] = 0
    end
  end
  M.count(out, count)
  out[#out + 1] = table.concat(list)
end

--- Appends a block of n values. Overwrites the list of values.
---@param out string[]
---@param values integer[]
---@param n integer
function M.block(out, values, n)
  local kind = kindFor(values, n)
  local largest, shared = LARGEST[kind], SHARED[kind]
  M.count(out, kind)
  patches(out, values, n, largest)
  if kind == 0 then return end
  for i = n + 1, n + 3 do values[i] = 0 end
  local k = #out
  if shared == 4 then
    for i = 1, n, 4 do
      k = k + 1
      out[k] = DIGITS[40 + 27 * values[i] + 9 * values[i + 1] + 3 * values[i + 2] + values[i + 3]]
    end
  elseif shared == 2 then
    for i = 1, n, 2 do
      k = k + 1
      out[k] = DIGITS[40 + 9 * values[i] + values[i + 1]]
    end
  elseif shared == 1 then
    for i = 1, n do out[k + i] = DIGITS[40 + values[i]] end
  else
    for i = 1, n do
      local folded = values[i] + 3280
      local high = floor(folded / 81)
      out[k + i] = DIGITS[high] .. DIGITS[folded - 81 * high]
    end
  end
end

--- Appends a change of a list: the gaps between the members that are gone, and how many are new.
---@param out string[]
---@param gone integer[] indices in the old list, ascending
---@param added integer
function M.list(out, gone, added)
  M.count(out, #gone)
  local at = 0
  for _, place in ipairs(gone) do
    M.count(out, place - at - 1)
    at = place
  end
  M.count(out, added)
end

--- A track: the last two places of an object. At first both are 0.
function M.newTrack()
  return { x = 0, y = 0, angle = 0, x2 = 0, y2 = 0, angle2 = 0, shape = 0 }
end

--- Moves a track to the next place of its object.
---@param track table
---@param name string "x", "y" or "angle"
---@param before string the same name with a 2
---@param value integer
---@return integer rest the difference from the place extrapolated from the two places before
function M.follow(track, name, before, value)
  local last = track[name]
  local rest = value - (2 * last - track[before])
  track[before] = track.isOld and last or value
  track[name] = value
  return rest
end

return M
