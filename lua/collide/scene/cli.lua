-- The command line: `collide run FILE` and what else there is to say.

local collide = require "collide"
local arguments = require "collide.scene.arguments"
local broadphases = require("collide.options").BROADPHASES
local difference = require "collide.scene.difference"
local run = require "collide.scene.run"
local testing = require "collide.scene.testing"
local trace = require "collide.scene.trace"

local M = {}

local HELP = [[
collide run FILE [options]      run a scene and report on it
collide test DIR                run all scenes there, with their checks and traces
collide diff A B                compare two traces
collide help                    this text (also --help)
collide --version               the version

FILE is a Lua file that returns a scene. Options of run:
  --frames N          how many frames to play
  --frames A-B        print what is told from frame A to B, and end there
  --actor NAME        of this one alone: its name, group, or number
  --dt S              seconds a frame: 0.02, 1/60
  --seed N            what the scene's random numbers start from
  --broadphase NAME   ]] .. table.concat(broadphases, ", ") .. [[

  --set KEY=VALUE     a parameter of the scene; may be repeated
  --input FILE        the keys that are held: lines such as 10-80 right, 42 space
  --svg FILE          write a picture of the last frame
  --html FILE         write a page that plays the run; also of one that raised an error
  --trace FILE        write what is told, and where everybody is, in each frame
  --details A-B       in frames A to B only; of others, hits and a hash ("none": of all)
  --check FILE        compare with such a trace; stop at the first difference
  --rewind N          wind each frame back by N, play again, and stop at a difference
  --frame K           of the picture, and where the page opens; 0 is before the first

Exit codes: 0 all went well; 1 a file can't be used, the scene raised an error, its check
failed, or there is a difference; 2 the command line is wrong.
]]

local fail = run.fail

M.run = run.run

-- `collide diff A B`.
local function diff(options, streams)
  if #options ~= 2 then
    return fail(streams, run.MISUSED, "diff takes two traces: collide diff A B")
  end
  local traces = {}
  for i = 1, 2 do
    local message
    traces[i], message = trace.read(options[i])
    if not traces[i] then return fail(streams, run.FAILED, message) end
  end
  local different = difference.traces(traces[1], traces[2])
  streams.stdout:write(different or "no difference", "\n")
  return different and run.FAILED or run.OK
end

local COMMANDS = {
  run = { run.run, arguments.OPTIONS }, test = { testing.run, {} }, diff = { diff, {} },
}

local HELPS = { help = true, ["--help"] = true, ["-h"] = true }

---@class collide.Streams
---@field stdout file*
---@field stderr file*
---@field terminal? boolean stderr is one, and may show progress

--- Runs a command line.
---@param args string[] without the program's name
---@param streams collide.Streams
---@return integer code  to exit with
function M.main(args, streams)
  local command, rest = args[1], {}
  for i = 2, #args do
    rest[i - 1] = args[i]
    if HELPS[args[i]] and args[i] ~= "help" then command = "help" end
  end
  local known = COMMANDS[command]
  if known then
    local options, message = arguments.parse(rest, known[2])
    if not options then return fail(streams, run.MISUSED, message) end
    return known[1](options, streams)
  end
  if HELPS[command] then
    streams.stdout:write(HELP)
    return run.OK
  end
  if command == "--version" then
    streams.stdout:write(("%s (%s)\n"):format(collide._VERSION, _VERSION))
    return run.OK
  end
  return fail(streams, run.MISUSED, command
    and ('unknown command "%s"; there are run, test, diff, help and --version'):format(command)
    or "a command is missing: collide run FILE, or collide help")
end

return M
