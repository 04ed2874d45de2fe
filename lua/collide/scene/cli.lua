-- The command line: `collide run FILE` and its other commands.

local require = require "collide.relative"
local collide = require "collide"
local films = require "collide.scene.film"
local broadphases = require("collide.world").BROADPHASES
local fuzz = require "collide.scene.fuzz"
local input = require "collide.scene.input"
local run = require "collide.scene.run"
local test = require "collide.scene.test"
local trace = require "collide.scene.trace"

local M = {}

local fail = run.fail

-- Reads both files of a command line. Returns them, or nil and the exit code.
local function readBoth(read, options, streams)
  local both = {}
  for i = 1, 2 do
    local message
    both[i], message = read(options[i])
    if not both[i] then return nil, fail(streams, run.FAILED, message) end
  end
  return both
end

local function diffFilms(options, streams)
  local both, code = readBoth(films.read, options, streams)
  if not both then return code end
  local different, first, last = films.diff(both[1], both[2])
  if not different and not first then
    return fail(streams, run.FAILED, "the films have no frame in common")
  end
  streams.stdout:write(different or ("no difference in frames %d-%d"):format(first, last), "\n")
  return different and run.FAILED or run.OK
end

-- `collide diff A B`.
local function diff(options, streams)
  if #options ~= 2 then
    return fail(streams, run.MISUSED, "diff takes two traces or films: collide diff A B")
  end
  if films.is(options[1]) then return diffFilms(options, streams) end
  local traces, code = readBoth(trace.read, options, streams)
  if not traces then return code end
  local different = trace.diff(traces[1], traces[2])
  streams.stdout:write(different or "no difference", "\n")
  return different and run.FAILED or run.OK
end

local COMMANDS = {
  run = { run.run, input.OPTIONS }, test = { test.test, input.TEST_OPTIONS },
  fuzz = { fuzz.fuzz, input.FUZZ_OPTIONS }, diff = { diff, {} },
  film = { films.film, films.OPTIONS },
}

local NAMES = "run, test, fuzz, diff, film"

-- Help ---------------------------------------------------------------------------

local OVERVIEW = [[
collide run FILE [options]      run a scene and report on it
collide test [DIR|FILE]...      run scenes and those of folders, with checks and traces
collide fuzz SCENE [options]    play a scene with random keys until something goes wrong
collide diff A B                compare two traces, or two films
collide film FILE               show a film that a game has saved
collide help [COMMAND]          this text, or that of a command (also COMMAND --help)
collide --version               the version
]]

local OPTIONS_TEXT = [[
FILE is a Lua file that returns a scene. Options of run:
  --frames N          how many frames to play
  --show A-B          print the events of frames A to B; without --frames, stop there
  --actor NAME        only the events of one actor: its name, group or number
  --dt S              seconds a frame: 0.02, 1/60
  --seed N            the seed of the random numbers
  --broadphase NAME   ]] .. table.concat(broadphases, ", ") .. [[

  --set KEY=VALUE     a parameter of the scene; may be repeated
  --input FILE        the keys that are down: lines such as 10-80 right, 42 space
  --svg FILE          write a picture of the last frame
  --html FILE         write a page that plays the run, even if it raised an error
  --trace FILE        write the events and the places of all actors in each frame
  --details A-B       only for frames A to B; hits and a hash for others ("none": for all)
  --against FILE      compare with such a trace; stop at the first difference
  --rewind N          wind each frame back by N, play again, and stop at a difference
  --at K              the frame of the picture and of the page; 0: before the first
]]

local EXAMPLES = {
  run = [[
  collide run examples/scenes/swarm.lua --set count=500 --svg swarm.svg
]],
  test = [[
  collide test examples/scenes
]],
  fuzz = [[
  collide fuzz examples/scenes/platformer.lua --seconds 60
]],
  diff = [[
  collide diff before.trace after.trace
]],
  film = [[
  collide film last.film --html last.html
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
  collide run rain.lua --show 200-210 --actor boss
  collide run rain.lua --trace rain.trace, and later
  collide run rain.lua --against rain.trace
]],
  test = [[
collide test [DIR|FILE]... [options]

Runs scenes, and every scene of folders and their subfolders, with its check. Files that return no
scene are left out. A scene with a trace beside it (rain.trace beside rain.lua) is compared with
that. A sign for each: + passed, - failed, * an error. What fails leaves a page in
$COLLIDE_FAILURES, or build/failures.

Options:
  --jobs N            play in N processes; the report has the order of files all the same
  --tap               report by the Test Anything Protocol
  --junit FILE        write a report in the XML of JUnit, too
  --part K/N          every Nth file from the Kth, a line for each; --jobs uses it

Examples:
  collide test examples/scenes --jobs 4 --junit build/scenes.xml
]] .. EXAMPLES.test,
  fuzz = [[
collide fuzz SCENE [options]

Plays a scene again and again with random presses of the keys that it asks for, until something goes
wrong: an error, always or check that fails, a frame that does not end, a character that is crushed,
a field that is nan. Then it cuts the keys down to the fewest, and writes them as a file for
run --input, with a page.

Options:
  --runs N            stop after so many runs; with the same seed, the result is the same
  --seconds S         begin no run after so many seconds; 30 if there is neither
  --seed N            the seed of the keys, by default the time; it is printed
  --allow crushed     a character may be crushed
  --instructions N    a frame may take so many instructions of Lua, by default 100000000
  --frames N, --dt S, --broadphase NAME, --set KEY=VALUE, as for run

Example:
]] .. EXAMPLES.fuzz,
  diff = [[
collide diff A B

Compares two traces that `collide run FILE --trace` has written, or two films in the frames that
both have, and prints the first difference.

Example:
]] .. EXAMPLES.diff,
  film = [[
collide film FILE [options]

Shows a film that film:save has written: which frames there are, and how the last one is.

  --html FILE         write a page that plays it
  --show A-B          print the hits of frames A to B that begin, last and end
  --actor NAME        only the hits and places of one actor: its name, group, or number

Example:
]] .. EXAMPLES.film,
}

local CODES = [[

Exit codes: 0 all went well; 1 a file can't be used, the scene raised an error, its check
failed, there is a difference, or fuzz has found something; 2 the command line is wrong.
]]

-- The help text of a command; without one, that of all commands.
local function help(command)
  if MORE[command] then return MORE[command] .. CODES end
  return OVERVIEW .. "\nExamples:\n" .. EXAMPLES.run .. EXAMPLES.test .. EXAMPLES.fuzz
    .. EXAMPLES.diff .. "\n"
    .. OPTIONS_TEXT .. CODES
end

-- Commands ---------------------------------------------------------------------

local HELPS = { help = true, ["--help"] = true, ["-h"] = true }

---@class collide.Streams
---@field stdout file*
---@field stderr file*
---@field terminal? boolean stderr is a terminal, and may show progress
---@field shown? boolean stdout is a terminal
---@field command? string[] the words that start this program; without them --jobs is ignored
---@field colors? table<file*, boolean> the streams that may be written to in colours

--- Runs a command line.
---@param args string[] without the program's name
---@param streams collide.Streams
---@return integer code the exit code
function M.main(args, streams)
  local command, rest = args[1], {}
  local about = HELPS[command] and args[2]
  for i = 2, #args do
    rest[i - 1] = args[i]
    if HELPS[args[i]] and args[i] ~= "help" then
      about, command = command, "help"
      break
    end
  end
  local known = COMMANDS[command]
  if known then
    local options, message = input.options(rest, known[2])
    if not options then return fail(streams, run.MISUSED, message) end
    return known[1](options, streams)
  end
  if HELPS[command] then
    if about and not COMMANDS[about] and not HELPS[about] then
      return fail(streams, run.MISUSED, ("no help about %s; there are %s"):format(about,
        NAMES))
    end
    streams.stdout:write(help(about))
    return run.OK
  end
  if command == "--version" then
    streams.stdout:write(("%s (%s)\n"):format(collide._VERSION, _VERSION))
    return run.OK
  end
  return fail(streams, run.MISUSED, command
    and ('unknown command "%s"; there are %s, help and --version'):format(command,
      NAMES)
    or "a command is missing: collide run FILE, or collide help")
end

return M
