-- The monkey's journal: what it has seen, as text without addresses and times. It is the same on
-- every Lua, and its hash is compared.
local M = {}

local MOST_LENGTH, DEEPEST = 8, 2
local MODULUS = 2 ^ 31 - 1

function M.open(play)
  play.seen = { actors = {}, numbers = setmetatable({}, { __mode = "k" }), count = 0, hash = 0 }
end

--- Gives an actor its number in the journal.
function M.addActor(play, actor)
  local seen = play.seen
  seen.actors[#seen.actors + 1] = actor
  seen.numbers[actor] = "actor" .. #seen.actors
end

function M.isActor(play, value)
  local name = play.seen.numbers[value]
  return name ~= nil and name:find "^actor" ~= nil
end

-- A number as text, with all its bits. %.17g differs between Luas when the next digit is a 5.
local function number(play, v)
  if v ~= v then return "nan" end
  if v == math.huge then return "inf" end
  if v == -math.huge then return "-inf" end
  if play.readable then return ("%.14g"):format(v) end
  local shift = 0
  while v ~= math.floor(v) do
    v, shift = v * 65536, shift + 16
  end
  return ("%.0f/%d"):format(v, shift)
end

-- The name of an object of the library: its class, and a number in the order in which they were
-- met.
local function name(play, value)
  local seen = play.seen
  local meta = debug.getmetatable(value)
  local class = type(meta) == "table" and rawget(meta, "__name")
  if type(class) ~= "string" or not class:find "^collide%." then return nil end
  if not seen.numbers[value] then
    seen.count = seen.count + 1
    seen.numbers[value] = ("%s#%d"):format(class, seen.count)
  end
  return seen.numbers[value]
end

local text

local function list(play, t, depth)
  local parts, keys = {}, {}
  local length = 0 -- for lists with gaps, # differs between Luas
  for key in next, t do
    if type(key) == "string" then keys[#keys + 1] = key end
    if type(key) == "number" and key > length and key <= MOST_LENGTH then length = key end
  end
  for i = 1, length do parts[i] = text(play, rawget(t, i), depth + 1) end
  table.sort(keys)
  for i = 1, math.min(#keys, MOST_LENGTH) do
    parts[#parts + 1] = keys[i] .. "=" .. text(play, rawget(t, keys[i]), depth + 1)
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

--- A value as text.
function M.text(play, value)
  return text(play, value, 1)
end

function text(play, value, depth)
  local kind = type(value)
  if kind == "number" then return number(play, value) end
  if kind == "string" then
    return #value <= 60 and '"' .. value:gsub("[^ -~]", "?") .. '"' or "string of " .. #value
  end
  if kind == "nil" or kind == "boolean" then return tostring(value) end
  local known = play.seen.numbers[value] or kind ~= "function" and name(play, value)
  if known then return known end
  -- A table with methods may have addresses anywhere.
  if kind == "table" and depth <= DEEPEST and not debug.getmetatable(value) then
    return list(play, value, depth)
  end
  return kind
end

--- An error as text, without its position and the names of wrong keys: the Luas find them in
--- different orders.
function M.message(err)
  if type(err) ~= "string" then return type(err) end
  local sentence = err:gsub("^[^:]+:%d+: ", "")
  if sentence:find(": option expected", 1, true) or sentence:find(": key of ", 1, true) then
    sentence = sentence:gsub(", got .*$", "")
  end
  return sentence
end

local function lineOf(play, what, ...)
  local parts = { what }
  for i = 1, select("#", ...) do parts[i + 1] = M.text(play, (select(i, ...))) end
  return table.concat(parts, " ")
end

function M.note(play, what, ...)
  local line = lineOf(play, what, ...)
  local hash = play.seen.hash
  for i = 1, #line, 4 do
    local a, b, c, d = line:byte(i, i + 3)
    hash = (hash * 31 + a + (b or 7) * 256 + (c or 7) * 65536 + (d or 7) * 16777216) % MODULUS
  end
  play.seen.hash = hash
  if play.lines then
    play.readable = true
    play.lines[#play.lines + 1] = ("  "):rep(play.depth) .. lineOf(play, what, ...)
    play.readable = false
  end
end

function M.hash(play)
  return ("%d"):format(play.seen.hash)
end

return M
