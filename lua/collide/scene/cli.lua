-- The command line: `collide run FILE` and its other commands.

local collide = require "collide"
local arguments = require "collide.scene.arguments"
local run = require "collide.scene.run"
local trace = require "collide.scene.trace"

local M = {}

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
  local different = trace.diff(traces[1], traces[2])
  streams.stdout:write(different or "no difference", "\n")
  return different and run.FAILED or run.OK
end

local COMMANDS = {
  run = { run.run, arguments.OPTIONS }, test = { run.test, {} }, diff = { diff, {} },
}

local HELPS = { help = true, ["--help"] = true, ["-h"] = true }

---@class collide.Streams
---@field stdout file*
---@field stderr file*
---@field terminal? boolean stderr is a terminal, and may show progress
---@field shown? boolean stdout is a terminal
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
    local options, message = arguments.parse(rest, known[2])
    if not options then return fail(streams, run.MISUSED, message) end
    return known[1](options, streams)
  end
  if HELPS[command] then
    if about and not COMMANDS[about] and not HELPS[about] then
      return fail(streams, run.MISUSED, ("no help about %s; there are %s"):format(about,
        arguments.COMMANDS))
    end
    streams.stdout:write(arguments.help(about))
    return run.OK
  end
  if command == "--version" then
    streams.stdout:write(("%s (%s)\n"):format(collide._VERSION, _VERSION))
    return run.OK
  end
  return fail(streams, run.MISUSED, command
    and ('unknown command "%s"; there are %s, help and --version'):format(command,
      arguments.COMMANDS)
    or "a command is missing: collide run FILE, or collide help")
end

return M
