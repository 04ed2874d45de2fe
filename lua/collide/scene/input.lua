-- The input of a run of a scene: the options of a command line, and the keys that are held in each
-- frame, from a script or from the keyboard (see keys.lua). A mistake in them is returned as nil
-- and a message.
--
-- A file of keys may also have the settings that are needed to repeat the run, as on a command
-- line: `frames 300`, `seed 7`, `dt 1/60`, `set count=100`.

local require = require "collide.relative"
local broadphases = require("collide.world").BROADPHASES
local each = require "collide.each"
local keys = require "collide.keys"
local files = require "collide.files"
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

--- A description of the seeds that a scene may have, and a test for them.
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

local OPTIONS = M.OPTIONS

-- The number of instructions that a frame may take; Lua counts them in an int.
local function instructions(text)
  local number = whole(text)
  return number and number >= 1000 and number < 2 ^ 31 and number or nil
end

--- The options of `collide fuzz`.
M.FUZZ_OPTIONS = {
  frames = OPTIONS.frames, dt = OPTIONS.dt, seed = OPTIONS.seed, broadphase = OPTIONS.broadphase,
  set = OPTIONS.set,
  runs = { read = positive, what = "whole number from 1 to 2^53" },
  seconds = { read = seconds, what = "positive number of seconds" },
  instructions = { read = instructions, what = "whole number from 1000 to 2^31 - 1" },
  allow = { read = function(text) return text == "crushed" and text or nil end, what = "crushed",
    many = true },
}

-- A part of a list, such as 2/4: every fourth item from the second on.
local function part(text)
  local number, count = text:match "^(%d+)/(%d+)$"
  number, count = positive(number or ""), positive(count or "")
  if number and count and number <= count then return { number = number, count = count } end
end

--- The options of `collide test`.
M.TEST_OPTIONS = {
  junit = { read = anything, what = "file" },
  tap = {},
  jobs = { read = positive, what = "whole number from 1 to 2^53" },
  part = { read = part, what = "part of a list such as 2/4" },
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

--- Reads a list of arguments: `--name value`, `--name=value` and `--flag`. `--` ends the options.
--- `options` has the form of M.OPTIONS; an option without `read` is a flag.
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

local SETTINGS = {
  frames = OPTIONS.frames, seed = OPTIONS.seed, dt = OPTIONS.dt, set = OPTIONS.set,
}

-- Reads a line of a script into `settings`, if it is a setting. Returns true for a setting, and a
-- description of the expected line if it is wrong.
local function readSetting(settings, line)
  local name, value = line:match("^(%a+)%s+(.*)$")
  local option = SETTINGS[name]
  if not option then return false end
  local key, quoted = value:match '^([^=]+=)(".*")$'
  if option.many and key then value = key .. texts.unquote(quoted) end
  if store(settings, name, option, value) then return true end
  return true, ("%s and a %s"):format(name, option.what)
end

--- Reads a script.
---@param text string
---@param where string the name of a line in messages, with %d for its number
---@param settings? table filled with settings as M.options does; if nil, the script has none
---@return collide.Held[]? lines
---@return string? message
function M.parse(text, where, settings)
  return keys._parse(text, where, settings and function(line)
    return readSetting(settings, line)
  end)
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

--- Keys from the lines of a script.
M.scripted = keys._scripted

-- The changes that were typed since the last frame, or nil. A key that went down and up again is
-- held for this one frame; its later changes wait for the next frame.
local function take(self)
  local now, later, isDown, waits = {}, {}, {}, {}
  for i = 1, #self._typed, 2 do
    local key, isHeld = self._typed[i], self._typed[i + 1]
    if isDown[key] and not isHeld then waits[key] = true end
    keys._append(waits[key] and later or now, key, isHeld)
    isDown[key] = isHeld
  end
  self._typed = later
  return #now > 0 and now or nil
end

--- Keys from a keyboard, by calls of `press` and `release`. Even a key that is held only briefly is
--- held for a frame.
---@return collide.Keys
function M.typed()
  local self = keys._new(take)
  self._typed = {} -- changes that wait for the next frame
  return self
end

--- Records that a key of the keyboard went down. Does nothing for keys of a script.
---@param of collide.Keys
---@param key string
function M.press(of, key)
  if of._typed then keys._append(of._typed, key, true) end
end

--- Records that a key of the keyboard went up.
function M.release(of, key)
  if of._typed then keys._append(of._typed, key, false) end
end

--- Forgets the typed input after a frame: from there on the player types again.
function M.forget(of, frame)
  if not of._typed then return end
  of._latest = frame
  for later in each.pairs(of._changes) do
    if later > frame then of._changes[later] = nil end
  end
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
  for _, line in ipairs(scene._keys:_lines(scene.frame)) do out[#out + 1] = line end
  return table.concat(out, "\n") .. "\n"
end

--- The contents of a file of input with these lines.
function M.record(scene)
  return ("# %s, hash %s\n"):format(scene.name, scene.world:hash()) .. M.settings(scene)
end

return M
