-- The command `run`: plays a scene, and records, compares or prints it as the options say.

local core = require "collide.core"
local arguments = require "collide.scene.arguments"
local colors = require "collide.scene.colors"
local difference = require "collide.scene.difference"
local files = require "collide.scene.files"
local input = require "collide.scene.input"
local page = require "collide.scene.page"
local progress = require "collide.scene.progress"
local report = require "collide.scene.report"
local rewind = require "collide.scene.rewind"
local scenes = require "collide.scene"
local stretch = require "collide.scene.stretch"
local svg = require "collide.scene.svg"
local trace = require "collide.scene.trace"
local traceback = require "collide.scene.traceback"

local M = {}

M.OK, M.FAILED, M.MISUSED = 0, 1, 2

local function fail(streams, code, message, stack)
  streams.stderr:write(colors.paint(streams, streams.stderr, "red", "collide:"), " ", message, "\n")
  if stack and stack ~= "" then streams.stderr:write(stack, "\n") end
  return code
end

M.fail = fail

--- The picture of a scene in its present frame, as SVG.
---@param scene collide.Scene
---@return string
function M.picture(scene)
  local canvas = svg.canvas(scene.width, scene.height)
  scenes.draw(scene, canvas)
  return canvas:text()
end

-- Checking against a trace that was recorded ------------------------------------------

local Checker = {}
Checker.__index = Checker

--- Makes a checker, which compares a scene that is being played with a trace. It has the methods of
--- a recorder; its `finish` returns the difference, or nil.
---@param scene collide.Scene
---@param recorded collide.Trace
function M.checker(scene, recorded)
  return setmetatable({
    recorder = trace.recorder(scene, recorded.details), recorded = recorded,
    comparison = difference.new(recorded.path, "now", recorded.details, recorded.details),
  }, Checker)
end

function Checker:note(...)
  self.recorder:note(...)
end

---@return string? different
function Checker:finish()
  local frame = self.recorder:finish()
  local before = self.recorded.frames[frame.number]
  return before and self.comparison:frame(before, frame)
end

-- Playing --------------------------------------------------------------------------------

-- A function for world:trace that calls `note` of all watchers; nil without watchers.
local function noteOf(watchers)
  return #watchers > 0 and function(...)
    for _, watcher in ipairs(watchers) do watcher:note(...) end
  end or nil
end

-- The parts of a run that `--svg`, `--html`, `--trace`, `--check` and `--frames` ask for.
local function jobsOf(scene, options, recorded, streams)
  local jobs, watchers = { pictured = options.svg and (options.frame or scene.frames) }, {}
  if options.html then jobs.replay = page.replay(scene) end
  if options.trace then
    jobs.recorder = trace.recorder(scene, options.details)
    jobs.writer = trace.writer(scene, options.details)
    watchers[#watchers + 1] = jobs.recorder
  end
  if recorded then
    jobs.checker = M.checker(scene, recorded)
    watchers[#watchers + 1] = jobs.checker
  end
  local shown = type(options.frames) == "table" and options.frames or nil
  if shown or options.actor then
    jobs.stretch = stretch.new(scene, shown, options.actor, streams.stdout)
    watchers[#watchers + 1] = jobs.stretch
  end
  if options.rewind then jobs.rewinder = rewind.new(scene, options.rewind) end
  jobs.note = noteOf(watchers)
  scene.world:trace(jobs.note)
  return jobs
end

-- Frames that are played again are not traced: their events have been noted already.
local function windBack(scene, jobs)
  scene.world:trace(nil)
  local different = jobs.rewinder:finish()
  scene.world:trace(jobs.note)
  return different
end

-- Does all jobs of a frame. Returns true when the run has to stop.
local function work(scene, jobs)
  if jobs.replay then jobs.replay:add() end
  if jobs.writer and scene.frame > 0 then jobs.writer.add(jobs.recorder:finish()) end
  if jobs.stretch and scene.frame > 0 then jobs.stretch:finish() end
  if scene.frame == jobs.pictured then jobs.picture = M.picture(scene) end
  if scene.frame == 0 then return false end
  jobs.different = jobs.checker and jobs.checker:finish()
    or jobs.rewinder and windBack(scene, jobs) or nil
  return jobs.different ~= nil
end

-- Plays the whole scene, then calls its check. Returns the message of a failed check, or nil.
local function play(scene, bar, jobs, numbers)
  local stats = {}
  work(scene, jobs)
  for frame = 1, scene.frames do
    local start = core.clock()
    scenes.step(scene)
    numbers:add(core.clock() - start, scene.world:stats(stats))
    if work(scene, jobs) then return nil end
    bar:show(frame)
  end
  bar:clear()
  local passed, message = scenes.verify(scene)
  return not passed and message or nil
end

-- Writes the files that the jobs have made. Returns a message if one cannot be written.
local function writeAll(options, jobs)
  local function write(what, path, text)
    local written, why = files.write(path, text)
    return not written and ("cannot write the %s: %s"):format(what, why) or nil
  end
  return jobs.picture and write("picture", options.svg, jobs.picture)
    or jobs.replay and write("page", options.html, page.text(jobs.replay, options.frame))
    or jobs.writer and write("trace", options.trace, jobs.writer.text())
end

-- Reads settings and keys from files. Those of `--input` take precedence over those in the trace of
-- `--check`.
local function readFiles(options)
  local lines, settings, recorded, message
  if options.check then
    recorded, message = trace.read(options.check)
    if not recorded then return nil, message end
    lines, settings = recorded.lines, recorded.settings
  end
  if options.input then
    local given, said = input.read(options.input)
    if not given then return nil, said end
    lines = given
    settings = said
  end
  return { lines = lines, settings = settings, recorded = recorded }
end

local function misuse(options)
  if #options ~= 1 then
    return #options == 0 and "run takes a file: collide run FILE"
      or ("run takes one file, got %d: %s"):format(#options, table.concat(options, ", "))
  elseif options.frame and not options.svg and not options.html then
    return "--frame says which picture --svg writes, or where --html opens: add one of them"
  elseif options.details and not options.trace then
    return "--details says what --trace writes: add --trace FILE"
  end
end

--- Runs the scene of a parsed command line.
---@param options table as arguments.parse returns them: the file is options[1]
---@param streams collide.Streams
---@return integer code the exit code
function M.run(options, streams)
  local wrong = misuse(options)
  if wrong then return fail(streams, M.MISUSED, wrong) end
  local read, problem = readFiles(options)
  if not read then return fail(streams, M.FAILED, problem) end
  local opened, scene, mistake = traceback.catch(scenes.open, options[1],
    arguments.overrides(options, read.settings), read.lines and input.scripted(read.lines))
  if not opened then return fail(streams, M.FAILED, scene.message, scene.trace) end
  if not scene then return fail(streams, M.FAILED, mistake) end
  if options.frame and options.frame > scene.frames then
    return fail(streams, M.MISUSED, ("--frame expected (whole number from 0 to %d), got %d"):format(
      scene.frames, options.frame))
  end

  local bar = progress.new(streams.stderr, streams.terminal, scene.frames)
  local begun, jobs = traceback.catch(jobsOf, scene, options, read.recorded, streams)
  if not begun then return fail(streams, M.FAILED, jobs.message, jobs.trace) end
  local numbers = report.new()
  local played, failure = traceback.catch(play, scene, bar, jobs, numbers)
  bar:clear()
  if not played then
    -- The page and the trace show the frames before the error.
    jobs.picture = nil
    writeAll(options, jobs)
    return fail(streams, M.FAILED, failure.message, failure.trace)
  end
  if jobs.stretch then streams.stdout:write("\n") end
  streams.stdout:write(numbers:text(scene))
  local unwritten = writeAll(options, jobs)
  if unwritten then return fail(streams, M.FAILED, unwritten) end
  if jobs.different then return fail(streams, M.FAILED, jobs.different) end
  if jobs.stretch and options.actor and not jobs.stretch.found then
    return fail(streams, M.FAILED, ("%s: no actor is called %s"):format(options[1], options.actor))
  end
  if failure then
    return fail(streams, M.FAILED, ("%s: check failed: %s"):format(options[1], failure))
  end
  return M.OK
end

return M
