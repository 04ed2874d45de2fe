-- The program `collide`: runs cli.lua with the arguments and streams of the process.

local found, cli = pcall(require, "collide.scene.cli")
if not found then
  -- The first line names the missing module; the rest lists every place that was searched.
  io.stderr:write("collide: ", (tostring(cli):match("^[^\n]*")), "\n")
  os.exit(1)
end

local core = require "collide.core"
local run = require "collide.scene.run"

-- The interpreter, its options and this file.
local command, first = {}, 0
while arg[first - 1] do first = first - 1 end
for i = first, 0 do command[#command + 1] = arg[i] end

local isShown, isTerminal = core.isatty("stdout"), core.isatty("stderr")

os.exit(cli.main(arg, {
  command = command,
  stdout = io.stdout, stderr = io.stderr, terminal = isTerminal, shown = isShown,
  colors = {
    [io.stdout] = run.wantsColors(isShown, os.getenv),
    [io.stderr] = run.wantsColors(isTerminal, os.getenv),
  },
}))
