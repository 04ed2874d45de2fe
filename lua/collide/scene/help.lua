-- The texts of `collide help` and `collide COMMAND --help`.

local broadphases = require("collide.world").BROADPHASES

local M = {}

--- The commands that have a help text.
M.COMMANDS = "run, test, diff"

local OVERVIEW = [[
collide run FILE [options]      run a scene and report on it
collide test DIR                run all scenes of a folder, with their checks and traces
collide diff A B                compare two traces
collide help [COMMAND]          this text, or that of a command (also COMMAND --help)
collide --version               the version
]]

local OPTIONS = [[
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

]] .. OPTIONS .. [[

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
function M.text(command)
  if MORE[command] then return MORE[command] .. CODES end
  return OVERVIEW .. "\nExamples:\n" .. EXAMPLES.run .. EXAMPLES.test .. EXAMPLES.diff .. "\n"
    .. OPTIONS .. CODES
end

return M
