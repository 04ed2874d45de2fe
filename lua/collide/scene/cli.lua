-- The command line: `collide run FILE` and what else there is to say.

local core = require "collide.core"
local collide = require "collide"
local arguments = require "collide.scene.arguments"
local broadphases = require("collide.options").BROADPHASES
local files = require "collide.scene.files"
local input = require "collide.scene.input"
local page = require "collide.scene.page"
local progress = require "collide.scene.progress"
local report = require "collide.scene.report"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"
local traceback = require "collide.scene.traceback"

local M = {}

local HELP = [[
collide run FILE [options]      run a scene and report on it
collide help                    this text (also --help)
collide --version               the version

FILE is a Lua file that returns a scene. Options of run:
  --frames N          how many frames to play
  --dt S              seconds a frame: 0.02, 1/60
  --seed N            what the scene's random numbers start from
  --broadphase NAME   ]] .. table.concat(broadphases, ", ") .. [[

  --set KEY=VALUE     a parameter of the scene; may be repeated
  --input FILE        the keys that are held: lines such as 10-80 right, 42 space
  --svg FILE          write a picture of the last frame
  --html FILE         write a page that plays the run; also of one that raised an error
  --frame K           of the picture, and where the page opens; 0 is before the first

Exit codes: 0 all went well; 1 the file can't be used, the scene raised an error, or its
check failed; 2 the command line is wrong.
]]

M.OK, M.FAILED, M.MISUSED = 0, 1, 2

local function picture(scene)
  local canvas = svg.canvas(scene.width, scene.height)
  scenes.draw(scene, canvas)
  return canvas:text()
end

-- Plays the whole scene, then checks; what it draws is taken at frame `pictured`, if any, and
-- every frame goes into the replay.
local function play(scene, bar, pictured, replay)
  if replay then replay:add() end
  local numbers, stats = report.new(), {}
  local drawing = pictured == 0 and picture(scene) or nil
  for frame = 1, scene.frames do
    local start = core.clock()
    scenes.step(scene)
    numbers:add(core.clock() - start, scene.world:stats(stats))
    if replay then replay:add() end
    if frame == pictured then drawing = picture(scene) end
    bar:show(frame)
  end
  bar:clear()
  local passed, message = scenes.verify(scene)
  return numbers, drawing, not passed and message or nil
end

local function fail(streams, code, message, stack)
  streams.stderr:write("collide: ", message, "\n")
  if stack then streams.stderr:write(stack, "\n") end
  return code
end

--- Runs the scene of a command line that has been read.
---@param options table as arguments.parse returns them: the file is options[1]
---@param streams collide.Streams
---@return integer code  to exit with
function M.run(options, streams)
  if #options ~= 1 then
    return fail(streams, M.MISUSED, #options == 0 and "run takes a file: collide run FILE"
      or ("run takes one file, got %d: %s"):format(#options, table.concat(options, ", ")))
  end
  if options.frame and not options.svg and not options.html then
    return fail(streams, M.MISUSED,
      "--frame says which picture --svg writes, or where --html opens: add one of them")
  end

  local lines, settings
  if options.input then
    lines, settings = input.read(options.input)
    if not lines then return fail(streams, M.FAILED, settings) end
  end
  local ran, scene, mistake = traceback.catch(scenes.open, options[1],
    arguments.overrides(options, settings), lines and input.scripted(lines))
  if not ran then return fail(streams, M.FAILED, scene.message, scene.trace) end
  if not scene then return fail(streams, M.FAILED, mistake) end
  if options.frame and options.frame > scene.frames then
    return fail(streams, M.MISUSED, ("--frame expected (whole number from 0 to %d), got %d"):format(
      scene.frames, options.frame))
  end

  local bar = progress.new(streams.stderr, streams.terminal, scene.frames)
  local pictured = options.svg and (options.frame or scene.frames)
  local replay = options.html and page.replay(scene)
  local played, numbers, drawing, failure = traceback.catch(play, scene, bar, pictured, replay)
  bar:clear()
  if replay then
    local written, why = files.write(options.html, page.text(replay, options.frame))
    if not written then return fail(streams, M.FAILED, "cannot write the page: " .. why) end
  end
  if not played then return fail(streams, M.FAILED, numbers.message, numbers.trace) end

  streams.stdout:write(numbers:text(scene))
  if drawing then
    local written, why = files.write(options.svg, drawing)
    if not written then return fail(streams, M.FAILED, "cannot write the picture: " .. why) end
  end
  if failure then
    return fail(streams, M.FAILED, ("%s: check failed: %s"):format(options[1], failure))
  end
  return M.OK
end

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
  if command == "run" then
    local options, message = arguments.parse(rest, arguments.OPTIONS)
    if not options then return fail(streams, M.MISUSED, message) end
    return M.run(options, streams)
  end
  if HELPS[command] then
    streams.stdout:write(HELP)
    return M.OK
  end
  if command == "--version" then
    streams.stdout:write(("%s (%s)\n"):format(collide._VERSION, _VERSION))
    return M.OK
  end
  return fail(streams, M.MISUSED, command
    and ('unknown command "%s"; there are run, help and --version'):format(command)
    or "a command is missing: collide run FILE, or collide help")
end

return M
