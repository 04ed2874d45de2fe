-- The keys that a game asks for, frame by frame: from a script, or from the keyboard. The keys that
-- were held are recorded, and can be played again as a script.
--
-- Keys are kept as lists of changes by frame, so that a game that has been rewound gets the same
-- keys again. A script has a line for each time that a key is held: `10-80 right` is from frame 10
-- to 80, both included, and `42 space` is frame 42 alone. Lines that begin with # are comments.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"

---@class collide.keys
local M = {}

-- Scripts -----------------------------------------------------------------------

---@class collide.Held
---@field from integer the first frame in which the key is held
---@field to integer the last one
---@field key string

-- Reads one line of a script. Returns a collide.Held, or nil and what was expected.
local function readHeld(line)
  local from, to, key = line:match("^(%d+)%-(%d+)%s+(%S+)$")
  if not from then
    from, key = line:match("^(%d+)%s+(%S+)$")
    to = from
  end
  if not from then return nil, '"from-to key" or "at key"' end
  local first, last = tonumber(from), tonumber(to)
  if first < 1 or last > 2 ^ 53 then return nil, "frames from 1" end
  if last < first then return nil, "the first frame, then the last" end
  return { from = first, to = last, key = key }
end

-- Reads a script. `where` is the name of a line in messages, with %d for its number. `other(line)`,
-- if it is given, is called first: it returns true for a line that it takes, and what it expected
-- if the line is wrong. Returns a list of collide.Held, or nil and a message.
function M._parse(text, where, other)
  local lines, number = {}, 0
  for untrimmed in (text .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local line = untrimmed:match("^%s*(.-)%s*$")
    local taken, expected
    if other then taken, expected = other(line) end
    if not taken and line ~= "" and line:sub(1, 1) ~= "#" then
      lines[#lines + 1], expected = readHeld(line)
    end
    if expected then
      return nil, ("%s expected (%s), got %s"):format(where:format(number), expected,
        core.describe(line))
    end
  end
  return lines
end

-- Keys --------------------------------------------------------------------------

---@class collide.Keys
local Keys = {}
Keys.__index = Keys
Keys.__name = "collide.Keys"

-- Makes keys. `take`, if it is given, returns their changes in each new frame.
function M._new(take)
  return setmetatable({
    _asked = {}, -- true for each key that the game has asked for
    _order = {}, -- the same keys in the order of asking
    _held = {}, -- true for each key that is held in the current frame
    _fresh = {}, -- true for each key that went down in it
    _changes = {}, -- by frame: a key, whether it is held from then on, and so on
    _take = take,
    _frame = 0, -- the current frame
    _latest = 0, -- the last frame that has been played
  }, Keys)
end

function Keys:__tostring()
  return ("keys, frame %d"):format(self._frame)
end

-- Appends a change to a list.
function M._append(list, key, isHeld)
  local n = #list
  list[n + 1], list[n + 2] = key, isHeld
end

local function add(changes, frame, key, isHeld)
  changes[frame] = changes[frame] or {}
  M._append(changes[frame], key, isHeld)
end

-- Keys from the lines of a script. A key counts as pressed in the first frame of each line, even if
-- an earlier line still holds it.
function M._scripted(lines)
  local self, order, ends = M._new(nil), {}, {}
  for i, line in ipairs(lines) do order[i] = line end
  table.sort(order, function(a, b) return a.from < b.from end)
  for _, line in ipairs(order) do
    local key, changes = line.key, self._changes
    if ends[key] and ends[key] < line.from - 1 then add(changes, ends[key] + 1, key, false) end
    add(changes, line.from, key, true)
    ends[key] = math.max(ends[key] or 0, line.to)
  end
  for key, last in each.pairs(ends) do add(self._changes, last + 1, key, false) end
  return self
end

--- Keys from a script, which has a line for each time that a key is held: `10-80 right` or
--- `42 space`.
---@param text string
---@return collide.Keys
function M.script(text, ...)
  check.string("keys.script", "text", text)
  check.noMore("keys.script", "a text", 1, ...)
  local lines, message = M._parse(text, "line %d")
  if not lines then check.raise("keys.script: " .. message) end
  return M._scripted(lines)
end

--- Keys from a keyboard: `isDown(key)` says whether a key is down. It is called once a frame for
--- each key that the game has asked for.
---@param isDown fun(key: string): any
---@return collide.Keys
function M.live(isDown, ...)
  check.callable("keys.live", "isDown", isDown)
  check.noMore("keys.live", "a function", 1, ...)
  local self = M._new(function(self)
    local changes
    for i = 1, #self._order do
      local key = self._order[i]
      local isHeld = isDown(key) and true or false
      if isHeld ~= (self._held[key] or false) then
        changes = changes or {}
        M._append(changes, key, isHeld)
      end
    end
    return changes
  end)
  self._isDown = isDown
  return self
end

-- Begins a frame: the next one, or the one after a frame that the game was rewound to.
function Keys:_begin(frame)
  local changes, held, fresh = self._changes, self._held, self._fresh
  if frame > self._latest then
    if self._take then changes[frame] = self._take(self) end
    self._latest = frame
  end
  self._frame = frame
  for key in each.pairs(fresh) do fresh[key] = nil end
  local list = changes[frame]
  for i = 1, list and #list or 0, 2 do
    local key, isHeld = list[i], list[i + 1]
    held[key], fresh[key] = isHeld or nil, isHeld or nil
  end
end

local checkKeys = check.receiver(Keys, "keys")

--- Begins the next frame. Call it once before each step.
function Keys:advance(...)
  checkKeys(self, "keys:advance", "no arguments", 0, ...)
  self:_begin(self._frame + 1)
end

-- Adds a key at its first use. A key of a keyboard is read at once. It counts as pressed in this
-- frame if it is down, since its state in the frame before is not known.
local function ask(self, fn, key)
  check.string(fn, "key", key)
  if key == "" or key:find "%s" then check.fail(fn, "key", "name of a key, without blanks", key) end
  local isDown = self._isDown and self._frame > 0 and self._frame == self._latest
    and self._isDown(key)
  self._asked[key] = true
  self._order[#self._order + 1] = key
  if not isDown then return end
  add(self._changes, self._frame, key, true)
  self._held[key], self._fresh[key] = true, true
end

-- The results of `down` and `pressed`; `fn` is the name of the method in messages.
function Keys:_down(fn, key, ...)
  if not self._asked[key] then ask(self, fn, key) end
  check.noMore(fn, "a key", 1, ...)
  return self._held[key] or false
end

function Keys:_pressed(fn, key, ...)
  if not self._asked[key] then ask(self, fn, key) end
  check.noMore(fn, "a key", 1, ...)
  return self._fresh[key] or false
end

--- Whether a key is down in this frame.
---@param key string
---@return boolean
function Keys:down(key, ...)
  checkKeys(self, "keys:down")
  return self:_down("keys:down", key, ...)
end

--- Whether a key went down in this frame.
---@param key string
---@return boolean
function Keys:pressed(key, ...)
  checkKeys(self, "keys:pressed")
  return self:_pressed("keys:pressed", key, ...)
end

-- The times that keys were held up to a frame, sorted by their first frame, then by key: a list of
-- collide.Held.
function Keys:_heldUpTo(last)
  local since, lines = {}, {}
  local function close(key, to)
    if since[key] then lines[#lines + 1] = { from = since[key], to = to, key = key } end
    since[key] = nil
  end
  for frame = 1, last do
    local list = self._changes[frame] or {}
    for i = 1, #list, 2 do
      close(list[i], frame - 1)
      if list[i + 1] then since[list[i]] = frame end
    end
  end
  for key, from in each.pairs(since) do
    lines[#lines + 1] = { from = from, to = last, key = key }
  end
  table.sort(lines, function(a, b)
    if a.from ~= b.from then return a.from < b.from end
    return a.key < b.key
  end)
  return lines
end

-- A line of a script.
function M._line(held)
  if held.from == held.to then return ("%d %s"):format(held.from, held.key) end
  return ("%d-%d %s"):format(held.from, held.to, held.key)
end

-- The script of the keys that were held up to a frame, as a list of lines.
function Keys:_lines(last)
  local lines = self:_heldUpTo(last)
  for i, held in ipairs(lines) do lines[i] = M._line(held) end
  return lines
end

--- The script of the keys that were held up to the current frame.
---@return string
function Keys:text(...)
  checkKeys(self, "keys:text", "no arguments", 0, ...)
  return table.concat(self:_lines(self._frame), "\n")
end

return M
