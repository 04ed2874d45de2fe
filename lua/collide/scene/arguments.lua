-- The options of a command line, and the texts that help with them. A mistake in an option is
-- returned as nil and a message.

local broadphases = require("collide.world").BROADPHASES
local each = require "collide.each"
local random = require "collide.scene.random"
local texts = require "collide.scene.text"

local M = {}

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

local function seed(text)
  local value = texts.number(text)
  if value and random.isSeed(value) then return value end
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

-- A number of frames, or the range of frames to print.
local function countOrRange(text)
  return whole(text) or range(text)
end

-- The frames with details in a trace.
local function details(text)
  if text == "none" then return { first = 1, last = 0 } end
  return range(text)
end

--- The options that take a value. `read` converts the text, or returns nil for a bad one; `what`
--- describes a good one. An option with `many` may be repeated, and its values become a list.
M.OPTIONS = {
  frames = { read = countOrRange, what = "whole number from 0 to 2^53, or a range such as 10-20" },
  dt = { read = seconds, what = "positive number of seconds, such as 0.02 or 1/60" },
  seed = { read = seed, what = "whole number from 0 to 2^52 - 1" },
  broadphase = { read = broadphase, what = table.concat(broadphases, ", ") },
  set = { read = assignment, what = "key=value", many = true },
  input = { read = anything, what = "file" },
  svg = { read = anything, what = "file" },
  trace = { read = anything, what = "file" },
  check = { read = anything, what = "file" },
  details = { read = details, what = "range of frames such as 10-20, or none" },
  rewind = { read = positive, what = "whole number from 1 to 2^53" },
  actor = { read = anything, what = "name, group or number" },
  html = { read = anything, what = "file" },
  frame = { read = whole, what = "whole number from 0 to 2^53" },
}

local function list(options)
  local names = {}
  for name in each.pairs(options) do names[#names + 1] = "--" .. name end
  table.sort(names)
  return table.concat(names, ", ")
end

--- Reads an option's text into `values`.
---@return boolean? stored
---@return string? message
function M.store(values, name, option, text)
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
  return next(options) and ("%s; there are %s"):format(text, list(options)) or text
end

--- Reads a list of arguments: `--name value`, `--name=value` and `--flag`. After `--` come no more
--- options. `options` has the form of M.OPTIONS; an option without `read` is a flag.
---@param args string[]
---@param options table
---@return table? values options by name; all other arguments in order, under 1, 2, …
---@return string? message
function M.parse(args, options)
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
        local stored, message = M.store(values, name, option, text)
        if not stored then return nil, message end
      end
    end
    i = i + 1
  end
  return values
end

--- The overrides of a scene from the results of `parse`.
---@param values table
---@param settings? table the settings in a file of input; the command line takes precedence
---@return collide.Overrides
function M.overrides(values, settings)
  local params, frames = {}, values.frames
  settings = settings or {}
  if type(frames) == "table" then frames = frames.last end
  for _, set in ipairs(settings.set or {}) do params[set.key] = set.value end
  for _, set in ipairs(values.set or {}) do params[set.key] = set.value end
  return {
    frames = frames or settings.frames, dt = values.dt or settings.dt,
    seed = values.seed or settings.seed,
    broadphase = values.broadphase, params = params,
  }
end

-- Help ---------------------------------------------------------------------------

--- The commands that have a help text.
M.COMMANDS = "run, test, diff"

local OVERVIEW = [[
collide run FILE [options]      run a scene and report on it
collide test DIR                run all scenes of a folder, with their checks and traces
collide diff A B                compare two traces
collide help [COMMAND]          this text, or that of a command (also COMMAND --help)
collide --version               the version
]]

local OPTIONS_TEXT = [[
FILE is a Lua file that returns a scene. Options of run:
  --frames N          how many frames to play
  --frames A-B        print the events of frames A to B, and stop there
  --actor NAME        only those of one actor: its name, group, or number
  --dt S              seconds a frame: 0.02, 1/60
  --seed N            the seed of the random numbers
  --broadphase NAME   ]] .. table.concat(broadphases, ", ") .. [[

  --set KEY=VALUE     a parameter of the scene; may be repeated
  --input FILE        the keys that are down: lines such as 10-80 right, 42 space
  --svg FILE          write a picture of the last frame
  --html FILE         write a page that plays the run; also of one that raised an error
  --trace FILE        write the events and the places of all actors in each frame
  --details A-B       only for frames A to B; hits and a hash for others ("none": for all)
  --check FILE        compare with such a trace; stop at the first difference
  --rewind N          wind each frame back by N, play again, and stop at a difference
  --frame K           the frame of the picture and of the page; 0: before the first
]]

local EXAMPLES = {
  run = [[
  collide run examples/scenes/swarm.lua --set count=500 --svg swarm.svg
]],
  test = [[
  collide test examples/scenes
]],
  diff = [[
  collide diff before.trace after.trace
]],
}

local MORE = {
  run = [[
collide run FILE [options]

Plays a scene without a window. Prints how many actors and hits there were, how long a frame
took, and the hash that the scene ended with.

]] .. OPTIONS_TEXT .. [[

Examples:
]] .. EXAMPLES.run .. [[
  collide run rain.lua --frames 200-210 --actor boss
  collide run rain.lua --trace rain.trace, and later
  collide run rain.lua --check rain.trace
]],
  test = [[
collide test DIR
collide test FILE

Runs every scene of a folder, or one, with its check. A scene with a trace beside it (rain.trace
beside rain.lua) is compared with that. A sign for each: + passed, - failed, * an error.

Example:
]] .. EXAMPLES.test,
  diff = [[
collide diff A B

Compares two traces that `collide run FILE --trace` has written, and prints the first difference.

Example:
]] .. EXAMPLES.diff,
}

local CODES = [[

Exit codes: 0 all went well; 1 a file can't be used, the scene raised an error, its check
failed, or there is a difference; 2 the command line is wrong.
]]

--- The help text of a command; without one, that of all commands.
---@param command? string
---@return string
function M.help(command)
  if MORE[command] then return MORE[command] .. CODES end
  return OVERVIEW .. "\nExamples:\n" .. EXAMPLES.run .. EXAMPLES.test .. EXAMPLES.diff .. "\n"
    .. OPTIONS_TEXT .. CODES
end

return M
