-- What a run of a scene is given: the options of a command line, and the keys that are held in each
-- frame, from a script or from the keyboard. A mistake in them is returned as nil and a message.
--
-- Keys are kept as lists of changes by frame, so that a scene that has been wound back gets the
-- same keys again. A script has a line for each time that a key is held: `10-80 right` is from
-- frame 10 to 80, both included, and `42 space` is frame 42 alone. Lines that begin with # are
-- comments. A file may also have the settings that are needed to play the same again, as on a
-- command line: `frames 300`, `seed 7`, `dt 1/60`, `set count=100`.

local require = require "collide.relative"
local core = require "collide.core"
local broadphases = require("collide.world").BROADPHASES
local check = require "collide.check"
local each = require "collide.each"
local files = require "collide.scene.files"
local texts = require "collide.scene.text"

local M = {}

-- Options -----------------------------------------------------------------------

local function whole(text)
  local value = texts.number(text)
  if value and value >= 0 and value <= 2 ^ 53 and value == math.floor(value) then return value end
end

local function positive(text)
  local value = whole(text)
  return value and value > 0 and value or nil
end

-- Also reads fractions such as 1/120, which has no finite decimal form.
local function seconds(text)
  local above, below = text:match("^(.-)/(.+)$")
  local value = texts.number(above or text)
  local divisor = below and texts.number(below) or 1
  if value and (not below or texts.number(below)) then value = value / divisor end
  if value and value > 0 and value < math.huge then return value end
end

--- What the seed of a scene may be, and whether a value is one.
M.SEED = "whole number from 0 to 2^52 - 1"

function M.isSeed(v)
  return type(v) == "number" and v >= 0 and v < 2 ^ 52 and v == math.floor(v)
end

local function seed(text)
  local value = texts.number(text)
  if value and M.isSeed(value) then return value end
end

local function anything(text)
  if text ~= "" then return text end
end

local function assignment(text)
  local key, value = text:match("^([^=]+)=(.*)$")
  if key then return { key = key, value = value } end
end

local function broadphase(text)
  for _, name in ipairs(broadphases) do
    if text == name then return text end
  end
end

local function range(text)
  local first, last = text:match("^(%d+)%-(%d+)$")
  first, last = whole(first or ""), whole(last or "")
  if first and last and last >= first then return { first = first, last = last } end
end

-- The frames with details in a trace.
local function details(text)
  if text == "none" then return { first = 1, last = 0 } end
  return range(text)
end

--- The options that take a value. `read` converts the text, or returns nil for a bad one; `what`
--- describes a good one. An option with `many` may be repeated, and its values become a list.
M.OPTIONS = {
  frames = { read = whole, what = "whole number from 0 to 2^53" },
  dt = { read = seconds, what = "positive number of seconds, such as 0.02 or 1/60" },
  seed = { read = seed, what = M.SEED },
  broadphase = { read = broadphase, what = table.concat(broadphases, ", ") },
  set = { read = assignment, what = "key=value", many = true },
  input = { read = anything, what = "file" },
  svg = { read = anything, what = "file" },
  trace = { read = anything, what = "file" },
  against = { read = anything, what = "file" },
  details = { read = details, what = "range of frames such as 10-20, or none" },
  rewind = { read = positive, what = "whole number from 1 to 2^53" },
  actor = { read = anything, what = "name, group or number" },
  html = { read = anything, what = "file" },
  show = { read = range, what = "range of frames such as 10-20" },
  at = { read = whole, what = "whole number from 0 to 2^53" },
}

-- Reads an option's text into `values`. Returns true, or nil and a message.
local function store(values, name, option, text)
  local value = option.read(text)
  if value == nil then
    return nil, ('--%s expected (%s), got "%s"'):format(name, option.what, text)
  end
  if not option.many then
    values[name] = value
  else
    values[name] = values[name] or {}
    table.insert(values[name], value)
  end
  return true
end

local function unknown(name, options)
  local text = "unknown option " .. name
  return next(options)
    and ("%s; there are --%s"):format(text, table.concat(texts.names(options), ", --")) or text
end

--- Reads a list of arguments: `--name value`, `--name=value` and `--flag`. After `--` come no more
--- options. `options` has the form of M.OPTIONS; an option without `read` is a flag.
---@param args string[]
---@param options table
---@return table? values options by name; all other arguments in order, under 1, 2, …
---@return string? message
function M.options(args, options)
  local values = {}
  local i, n = 1, #args
  while i <= n do
    local name, text = args[i]:match("^%-%-([^=]+)=?(.*)$")
    if args[i] == "--" then
      for k = i + 1, n do values[#values + 1] = args[k] end
      break
    elseif not name then
      if args[i]:find("^%-%a") then
        return nil, unknown(args[i], options)
      end
      values[#values + 1] = args[i]
    else
      local option = options[name]
      if not option then
        return nil, unknown("--" .. name, options)
      end
      local attached = args[i]:find("=", 1, true)
      if not option.read then
        if attached then return nil, ("--%s takes no value"):format(name) end
        values[name] = true
      else
        if not attached then
          i = i + 1
          text = args[i]
          if not text or text:find("^%-%-") then
            return nil, ("--%s takes a value (%s)"):format(name, option.what)
          end
        end
        local stored, message = store(values, name, option, text)
        if not stored then return nil, message end
      end
    end
    i = i + 1
  end
  return values
end

--- The overrides of a scene from the results of `M.options`.
---@param values table
---@param settings? table the settings in a file of input; the command line takes precedence
---@return collide.Overrides
function M.overrides(values, settings)
  local params, frames = {}, values.frames or values.show and values.show.last
  settings = settings or {}
  for _, set in ipairs(settings.set or {}) do params[set.key] = set.value end
  for _, set in ipairs(values.set or {}) do params[set.key] = set.value end
  return {
    frames = frames or settings.frames, dt = values.dt or settings.dt,
    seed = values.seed or settings.seed,
    broadphase = values.broadphase, params = params,
  }
end

-- Scripts of keys ---------------------------------------------------------------

local OPTIONS = M.OPTIONS
local SETTINGS = {
  frames = OPTIONS.frames, seed = OPTIONS.seed, dt = OPTIONS.dt, set = OPTIONS.set,
}

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

---@class collide.Held
---@field from integer the first frame in which the key is held
---@field to integer the last one
---@field key string

--- Reads a script.
---@param text string
---@param where string the name of a line in messages, with %d for its number
---@param settings? table filled with settings as M.options does; if nil, the script has none
---@return collide.Held[]? lines
---@return string? message
function M.parse(text, where, settings)
  local lines, number = {}, 0
  for untrimmed in (text .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local line = untrimmed:match("^%s*(.-)%s*$")
    local name, value = line:match("^(%a+)%s+(.*)$")
    local option, expected = settings and SETTINGS[name], nil
    if option then
      local key, quoted = value:match '^([^=]+=)(".*")$'
      if option.many and key then value = key .. texts.unquote(quoted) end
      if not store(settings, name, option, value) then
        expected = ("%s and a %s"):format(name, option.what)
      end
    elseif line ~= "" and line:sub(1, 1) ~= "#" then
      lines[#lines + 1], expected = readHeld(line)
    end
    if expected then
      return nil, ("%s expected (%s), got %s"):format(where:format(number), expected,
        core.describe(line))
    end
  end
  return lines
end

--- Reads a file.
---@param path string
---@return collide.Held[]? lines
---@return table|string settings the settings in the file, or a message
function M.read(path)
  local content, why = files.read(path)
  if not content then return nil, "cannot read the input: " .. why end
  local settings = {}
  local lines, message = M.parse(content, path:gsub("%%", "%%%%") .. ":%d: line", settings)
  if not lines then return nil, message end
  return lines, settings
end

-- Keys --------------------------------------------------------------------------

---@class collide.Keys
---@field asked table<string, boolean> keys that the scene has asked for
---@field held table<string, boolean> keys held in the present frame
---@field fresh table<string, boolean> keys that went down in the present frame
---@field changes table<integer, table> by frame: key, whether it is held from then on, …
---@field typed? table changes that wait for the next frame; nil if the keys come from a script
---@field latest integer the last frame that has been played
local Keys = {}
Keys.__index = Keys

local function new(typed)
  return setmetatable({
    asked = {}, held = {}, fresh = {}, changes = {}, typed = typed, latest = 0,
  }, Keys)
end

--- Keys from a keyboard, by calls of `press` and `release`.
---@return collide.Keys
function M.typed()
  return new({})
end

local function append(list, key, isHeld)
  local n = #list
  list[n + 1], list[n + 2] = key, isHeld
end

local function add(changes, frame, key, isHeld)
  changes[frame] = changes[frame] or {}
  append(changes[frame], key, isHeld)
end

--- Keys from a script. A key counts as pressed in the first frame of each line, even if an earlier
--- line still holds it.
---@param lines collide.Held[]
---@return collide.Keys
function M.scripted(lines)
  local self, order, ends = new(nil), {}, {}
  for i, line in ipairs(lines) do order[i] = line end
  table.sort(order, function(a, b) return a.from < b.from end)
  for _, line in ipairs(order) do
    local key = line.key
    if ends[key] and ends[key] < line.from - 1 then add(self.changes, ends[key] + 1, key, false) end
    add(self.changes, line.from, key, true)
    ends[key] = math.max(ends[key] or 0, line.to)
  end
  for key, last in each.pairs(ends) do add(self.changes, last + 1, key, false) end
  return self
end

--- Records that a key of the keyboard went down.
function Keys:press(key)
  if self.typed then append(self.typed, key, true) end
end

--- Records that a key of the keyboard went up.
function Keys:release(key)
  if self.typed then append(self.typed, key, false) end
end

-- The changes that were typed since the last frame, or nil. A key that went down and up again is
-- held for this one frame; its later changes wait for the next frame.
local function take(self)
  local now, later, isDown, waits = {}, {}, {}, {}
  for i = 1, #self.typed, 2 do
    local key, isHeld = self.typed[i], self.typed[i + 1]
    if isDown[key] and not isHeld then waits[key] = true end
    append(waits[key] and later or now, key, isHeld)
    isDown[key] = isHeld
  end
  self.typed = later
  return #now > 0 and now or nil
end

--- Begins a frame: the next one, or the one after a frame that the scene was wound back to.
function Keys:begin(frame)
  local changes = self.changes
  if frame > self.latest then
    self.latest = frame
    if self.typed then changes[frame] = take(self) end
  end
  for key in each.pairs(self.fresh) do self.fresh[key] = nil end
  local list = changes[frame]
  for i = 1, list and #list or 0, 2 do
    local key, isHeld = list[i], list[i + 1]
    self.held[key], self.fresh[key] = isHeld or nil, isHeld or nil
  end
end

--- Forgets the typed input after a frame: from there on the player types anew.
function Keys:forget(frame)
  if not self.typed then return end
  self.latest = frame
  for later in each.pairs(self.changes) do
    if later > frame then self.changes[later] = nil end
  end
end

--- The script of the keys that were held up to a frame.
---@param last integer
---@return string[] lines sorted by their first frame, then by key
function Keys:lines(last)
  local since, lines = {}, {}
  local function close(key, to)
    if since[key] then lines[#lines + 1] = { from = since[key], to = to, key = key } end
    since[key] = nil
  end
  for frame = 1, last do
    local list = self.changes[frame] or {}
    for i = 1, #list, 2 do
      close(list[i], frame - 1)
      if list[i + 1] then since[list[i]] = frame end
    end
  end
  for _, key in ipairs(texts.names(since)) do close(key, last) end
  table.sort(lines, function(a, b)
    if a.from ~= b.from then return a.from < b.from end
    return a.key < b.key
  end)
  for i, line in ipairs(lines) do
    lines[i] = (line.from == line.to and "%d %s" or "%d-%d %s"):format(line.from,
      line.from == line.to and line.key or line.to, line.key)
  end
  return lines
end

--- The settings and keys with which a scene can be played again up to its present frame, a line for
--- each.
---@param scene collide.Scene
---@return string
function M.settings(scene)
  local out = {
    ("frames %d"):format(scene.frame), ("seed %.0f"):format(scene.seed),
    "dt " .. texts.exact(scene.dt),
  }
  for _, name in ipairs(texts.names(scene.params)) do
    local value = scene.params[name]
    local text = type(value) == "number" and texts.exact(value) or tostring(value)
    if text:find('[%c\\]') or text:find '^["%s]' or text:find "%s$" then
      text = texts.quote(text)
    end
    out[#out + 1] = ("set %s=%s"):format(name, text)
  end
  for _, line in ipairs(scene._keys:lines(scene.frame)) do out[#out + 1] = line end
  return table.concat(out, "\n") .. "\n"
end

--- The contents of a file of input with these lines.
function M.record(scene)
  return ("# %s, hash %s\n"):format(scene.name, scene.world:hash()) .. M.settings(scene)
end

--- Whether a key is in `set`: the keys that are held, or those that went down in this frame. `fn`
--- is the function that asks.
function Keys:ask(fn, set, key, ...)
  if type(key) ~= "string" then check.fail(fn, "key", "string", key) end
  check.noMore(fn, "a key", 1, ...)
  self.asked[key] = true
  return set[key] or false
end

return M
