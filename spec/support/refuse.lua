-- Checks that calls are refused: with every wrong value of each argument in turn, and with too few
-- and too many arguments.
local expect = require "spec.support.expect"

local unpack = table.unpack or unpack -- luacheck: ignore
local nan, inf = 0 / 0, math.huge
local NIL = {}

local M = { NIL = NIL }                 -- stands for nil in lists of values

-- The wrong values for each kind of argument, and their names in messages.
local WRONG = {
  number = { { NIL, "nil" }, { "7", 'string "7"' }, { true, "boolean true" }, { {}, "table" },
    { print, "function" }, { nan, "nan" }, { inf, "inf" }, { -inf, "-inf" } },
  table = { { NIL, "nil" }, { 7, "number 7" }, { "box", 'string "box"' }, { print, "function" } },
  boolean = { { 7, "number 7" }, { "yes", 'string "yes"' }, { {}, "table" } },
  string = { { 7, "number 7" }, { {}, "table" }, { true, "boolean true" } },
}
local function join(...)
  local out = {}
  for _, list in ipairs { ... } do
    for _, item in ipairs(list) do out[#out + 1] = item end
  end
  return out
end
WRONG.coordinate = join(WRONG.number, { { 2e12, "2000000000000" }, { -2e12, "-2000000000000" } })
WRONG.size = join(WRONG.coordinate, { { 0, "0" }, { -5, "-5" } })
WRONG.angle = join(WRONG.number, { { 2 ^ 31, "" }, { -2 ^ 31, "" } })
WRONG.scale = join(WRONG.number, { { 0, "0" } })
WRONG.duration = join(WRONG.number, { { -1, "-1" } })
WRONG.positive = join(WRONG.duration, { { 0, "0" } })
WRONG.count = join(WRONG.positive, { { 1.5, "1.5" }, { 2 ^ 40, "" } })
WRONG.shape = { { NIL, "nil" }, { 7, "number 7" }, { "box", 'string "box"' }, { {}, "table" } }
WRONG.filter = { { 7, "number 7" }, { true, "boolean true" } }
M.WRONG = WRONG

--- Checks that f with `args` (NIL for nil) raises a message that contains all pieces.
function M.refuses(pieces, f, args)
  local real = {}
  for i, v in ipairs(args) do
    if v ~= NIL then real[i] = v end
  end
  return expect.raises(pieces, f, unpack(real, 1, #args))
end

--- Tries every wrong value of each argument in turn. `params` is a list of { name, kind, good
--- value[, optional] }.
function M.everyArgument(name, f, params, self)
  for i, param in ipairs(params) do
    for _, wrong in ipairs(WRONG[param[2]]) do
      if not (wrong[1] == NIL and param[4]) then
        local args = {}
        if self then args[1] = self end
        for _, p in ipairs(params) do args[#args + 1] = p[3] end
        args[i + (self and 1 or 0)] = wrong[1]
        M.refuses({ name .. ": " .. param[1] .. " expected (", "got " .. wrong[2] }, f, args)
      end
    end
  end
end

--- Tries the call with too few and with too many arguments.
function M.everyCount(name, f, good, counts, self)
  local allowed = {}
  for _, n in ipairs(counts) do allowed[n] = true end
  for n = 0, counts[#counts] + 2 do
    if not allowed[n] then
      local args = { self }
      for i = 1, n do args[#args + 1] = good[i] or good[#good] or 1 end
      M.refuses({ name, "got" }, f, args)
      if n > counts[#counts] then
        M.refuses({ name .. " takes", "got " .. n .. " argument" }, f, args)
      end
    end
  end
end

return M
