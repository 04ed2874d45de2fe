-- Unpacks zlib and gzip, as in RFC 1950 to 1952, in place of LÖVE and of the rock lua-zlib.

-- The codes of symbols by their lengths, as a table by length and code.
local function codesOf(lengths)
  local counts, codes, code = {}, {}, 0
  for symbol = 0, #lengths do
    local n = lengths[symbol] or 0
    counts[n] = (counts[n] or 0) + 1
  end
  counts[0] = 0
  local start = {}
  for n = 1, 15 do
    code = (code + (counts[n - 1] or 0)) * 2
    start[n], codes[n] = code, {}
  end
  for symbol = 0, #lengths do
    local n = lengths[symbol] or 0
    if n > 0 then
      codes[n][start[n]] = symbol
      start[n] = start[n] + 1
    end
  end
  return codes
end

local LENGTHS, DISTANCES = {}, {}
do
  local length = 3
  for i = 0, 27 do
    local extra = i < 8 and 0 or math.floor(i / 4) - 1
    LENGTHS[257 + i] = { length, extra }
    length = length + 2 ^ extra
  end
  LENGTHS[285] = { 258, 0 }
  local distance = 1
  for i = 0, 29 do
    local extra = i < 4 and 0 or math.floor(i / 2) - 1
    DISTANCES[i] = { distance, extra }
    distance = distance + 2 ^ extra
  end
end

local ORDER = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }

local fixed = {}
for symbol = 0, 287 do
  fixed[symbol] = symbol < 144 and 8 or symbol < 256 and 9 or symbol < 280 and 7 or 8
end
local flat = {}
for symbol = 0, 29 do flat[symbol] = 5 end

local Stream = {}
Stream.__index = Stream

function Stream:bits(n)
  local value = 0
  for i = 0, n - 1 do
    if self.left == 0 then
      self.byte = self.text:byte(self.at) or error "the data ends early"
      self.at, self.left = self.at + 1, 8
    end
    local bit = self.byte % 2
    self.byte, self.left = (self.byte - bit) / 2, self.left - 1
    value = value + bit * 2 ^ i
  end
  return value
end

function Stream:symbol(codes)
  local code = 0
  for n = 1, 15 do
    code = code * 2 + self:bits(1)
    local symbol = codes[n][code]
    if symbol then return symbol end
  end
  error "no such code"
end

local function readLengths(stream)
  local literals, distances, most = stream:bits(5) + 257, stream:bits(5) + 1, stream:bits(4) + 4
  local lengths = {}
  for i = 0, 18 do lengths[i] = 0 end
  for i = 1, most do lengths[ORDER[i]] = stream:bits(3) end
  local codes, all = codesOf(lengths), {}
  while #all < literals + distances do
    local symbol = stream:symbol(codes)
    local value, times = symbol, 1
    if symbol == 16 then
      value, times = all[#all], 3 + stream:bits(2)
    elseif symbol == 17 then
      value, times = 0, 3 + stream:bits(3)
    elseif symbol == 18 then
      value, times = 0, 11 + stream:bits(7)
    end
    for _ = 1, times do all[#all + 1] = value end
  end
  local first, second = {}, {}
  for i = 1, literals do first[i - 1] = all[i] end
  for i = 1, distances do second[i - 1] = all[literals + i] end
  return codesOf(first), codesOf(second)
end

local function block(stream, out, literals, distances)
  while true do
    local symbol = stream:symbol(literals)
    if symbol == 256 then return end
    if symbol < 256 then
      out[#out + 1] = string.char(symbol)
    else
      local length = LENGTHS[symbol][1] + stream:bits(LENGTHS[symbol][2])
      local far = DISTANCES[stream:symbol(distances)]
      local from = #out - far[1] - stream:bits(far[2])
      if from < 0 then error "a distance is too far" end
      for i = 1, length do out[#out + 1] = out[from + i] end
    end
  end
end

--- The bytes that are packed in a text, or an error.
return function(text)
  local stream = setmetatable({ text = text, at = 3, byte = 0, left = 0 }, Stream)
  if text:sub(1, 3) == "\31\139\8" then
    if text:byte(4) ~= 0 then error "a header with more fields" end
    stream.at = 11
  elseif (text:byte(1) or 0) * 256 % 31 ~= (31 - (text:byte(2) or 1) % 31) % 31 then
    error "no header of zlib"
  end
  local out, last = {}, 0
  while last == 0 do
    last = stream:bits(1)
    local kind = stream:bits(2)
    if kind == 0 then
      stream.left = 0
      local n = stream:bits(16)
      stream:bits(16)
      for i = 1, n do out[#out + 1] = text:sub(stream.at + i - 1, stream.at + i - 1) end
      stream.at = stream.at + n
    elseif kind == 1 then
      block(stream, out, codesOf(fixed), codesOf(flat))
    elseif kind == 2 then
      block(stream, out, readLengths(stream))
    else
      error "no such kind of block"
    end
  end
  return table.concat(out)
end
