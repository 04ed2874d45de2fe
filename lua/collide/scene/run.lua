-- The command `run`: plays a scene, and records, compares, prints or reports on it as the options
-- say. Exit codes are 0, 1 and 2: all went well, something failed, the command is wrong.

local require = require "collide.relative"
local core = require "collide.core"
local files = require "collide.files"
local input = require "collide.scene.input"
local page = require "collide.scene.page"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"
local texts = require "collide.scene.text"
local trace = require "collide.scene.trace"
local traceback = require "collide.scene.traceback"
local reader = require "collide.world.reader"

local M = {}

-- Colours ------------------------------------------------------------------------

local CODES = { red = 31, green = 32 }

--- Wraps a text in the codes of a colour, if the stream shows colours.
---@param streams collide.Streams
---@param stream file* one of `streams`
---@param color "red"|"green"
---@param text string
---@return string
function M.paint(streams, stream, color, text)
  if not (streams.colors and streams.colors[stream]) then return text end
  return ("\27[%dm%s\27[0m"):format(CODES[color], text)
end

--- Whether to write to a stream in colours: only to a terminal that has colours, and not if
--- NO_COLOR is set to anything.
---@param isTerminal boolean
---@param environment fun(name: string): string? such as os.getenv
---@return boolean
function M.wantsColors(isTerminal, environment)
  local off, kind = environment "NO_COLOR", environment "TERM"
  return isTerminal and (off == nil or off == "") and kind ~= nil and kind ~= "dumb"
end

-- A progress bar -----------------------------------------------------------------

local WIDTH = 32
local INTERVAL = 0.1 -- seconds between two drawings

---@class collide.Progress
local Progress = {}
Progress.__index = Progress

--- Makes a bar, which is shown on a terminal only, after the text `before`.
local function newProgress(stream, terminal, total, before)
  return setmetatable({
    stream = terminal and total > 0 and stream or nil, before = before or "",
    total = total, drawn = 0, due = core.clock() + INTERVAL,
  }, Progress)
end

M.newProgress = newProgress

--- Shows how many are done, unless the bar was drawn less than INTERVAL ago.
function Progress:show(done)
  if not self.stream or core.clock() < self.due then return end
  local filled = math.floor(WIDTH * done / self.total)
  local line = ("[%s%s] %3d%%  %d of %d"):format(("#"):rep(filled), ("-"):rep(WIDTH - filled),
    math.floor(100 * done / self.total), done, self.total)
  self.stream:write("\r", self.before, line, (" "):rep(self.drawn - #line))
  self.stream:flush()
  self.drawn = #line
  self.due = core.clock() + INTERVAL
end

--- Removes the bar from the line, so that other text can follow `before`.
function Progress:clear()
  if self.drawn == 0 then return end
  self.stream:write("\r", self.before, (" "):rep(self.drawn), "\r", self.before)
  self.stream:flush()
  self.drawn = 0
end

-- The figures of a run -----------------------------------------------------------

local PARTS = { "update", "pull", "find", "dispatch", "frame" }

---@class collide.Report
local Report = {}
Report.__index = Report

local function newReport()
  local self = setmetatable({ frames = 0, hits = 0 }, Report)
  for _, part in ipairs(PARTS) do self[part] = {} end
  return self
end

--- Adds a frame that took `seconds`. `stats` are those of its step, see world:stats.
function Report:add(seconds, stats)
  local n = self.frames + 1
  self.frames = n
  self.hits = self.hits + stats.hits
  self.pull[n], self.find[n], self.dispatch[n] = stats.pull, stats.find, stats.dispatch
  self.update[n] = math.max(0, seconds - stats.pull - stats.find - stats.dispatch)
  self.frame[n] = seconds
end

-- The quantile `share`, 0 to 1, of sorted times in seconds; the result is in milliseconds.
local function quantile(sorted, share)
  if #sorted == 0 then return 0 end
  return 1000 * sorted[math.max(1, math.ceil(share * #sorted))]
end

--- The report as lines of text. Call it after the last frame of the scene.
---@param scene collide.Scene
---@return string
function Report:text(scene)
  local jit = rawget(_G, "jit")
  local lines = {
    ("%s, %d frames of %s s, seed %.0f, %s, %s"):format(scene.name, self.frames,
      texts.short(scene.dt, 6), scene.seed, scene.world:stats().broadphase,
      jit and jit.version or _VERSION),
    ("actors %d"):format(scene.world:count()),
    ("hits %s a frame"):format(texts.fixed(self.hits / math.max(1, self.frames), 2)),
    "",
    "ms a frame    median       p99",
  }
  for _, part in ipairs(PARTS) do
    local times = self[part]
    table.sort(times)
    lines[#lines + 1] = ("%-10s%10s%10s"):format(part, texts.fixed(quantile(times, 0.5), 4),
      texts.fixed(quantile(times, 0.99), 4))
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "hash " .. scene.world:hash()
  return table.concat(lines, "\n") .. "\n"
end

-- Events in a range of frames ----------------------------------------------------

---@class collide.Stretch
local Stretch = {}
Stretch.__index = Stretch

--- Makes a printer of events.
local function newStretch(scene, range, actor, stream)
  return setmetatable({
    scene = scene, range = range, actor = actor, stream = stream, isCalled = {}, found = false,
  }, Stretch)
end

--- Whether the option --actor names an actor: by its name, group or number, which is its place in
--- world:actors(), as in errors.
---@param world collide.World
---@param actor table
---@param number integer
---@param called string
---@return boolean
function M.isCalled(world, actor, number, called)
  local names = world._names
  local name, group = names.name and actor[names.name], names.group and actor[names.group]
  return called == tostring(number) or name ~= nil and called == tostring(name) or called == group
end

-- Finds the actors that --actor names. A removed one stays, since its `leave` may come later.
local function findActors(self)
  for number, actor in ipairs(self.scene.world:actors()) do
    local isCalled = not self.actor or M.isCalled(self.scene.world, actor, number, self.actor)
    self.isCalled[actor], self.found = isCalled, self.found or isCalled
  end
end

local function placeOf(self, actor)
  local _, x, y, angle = reader.placeOf(actor, self.scene.world._names)
  local text = core.describe(x, true) .. ", " .. core.describe(y, true)
  return angle ~= 0 and ("%s, angle %s"):format(text, core.describe(angle, true)) or text
end

-- The description of an actor without its place, which is printed after it.
local function label(self, actor)
  return (reader.describe(self.scene.world, actor):gsub(",? ?%(?at [^()]-%)$", function(at)
    return at:sub(1, 1) == "," and ")" or ""
  end))
end

local function beginFrame(self)
  if self.begun then return end
  self.begun = true
  findActors(self)
  self.stream:write(("frame %d\n"):format(self.scene.frame))
  if not self.actor then return end
  for _, actor in ipairs(self.scene.world:actors()) do
    if self.isCalled[actor] then
      self.stream:write(("  %s at %s\n"):format(label(self, actor), placeOf(self, actor)))
    end
  end
end

local function nowAt(self, told)
  local after = placeOf(self, told.actor)
  return after == told.before and "at " .. after or ("at %s -> %s"):format(told.before, after)
end

-- Prints the last event, after its callback has returned.
local function finishEvent(self)
  local told = self.told
  if not told then return end
  self.told = nil
  local line = ("  %-7s %s"):format(told.event, told.subject)
  if told.actor then line = line .. " " .. nowAt(self, told) end
  if told.other then line = ("%s; %s %s"):format(line, label(self, told.other.actor),
    nowAt(self, told.other)) end
  self.stream:write(line, told.how, "\n")
end

local function shortened(value)
  return texts.short(value, 6)
end

--- Takes the arguments of a trace function, see world:trace.
function Stretch:note(event, _, a, b, nx, ny, depth, bullet, _, _, other)
  if not trace.hasDetails(self.range, self.scene.frame) then return end
  beginFrame(self)
  finishEvent(self)
  local isBullet = bullet ~= nil
  if not (isBullet and not self.actor or self.isCalled[a] or b and self.isCalled[b]) then return end
  local told = { event = event, how = "" }
  if isBullet then
    told.subject = ("bullet %d"):format(bullet)
    if other then told.how = ("; bullet %d"):format(other) end
  else
    told.subject, told.actor, told.before = label(self, a), a, placeOf(self, a)
  end
  if b and not other then told.other = { actor = b, before = placeOf(self, b) } end
  if nx then
    told.how = ("%s; way out %s, %s, %s %s"):format(told.how, shortened(nx), shortened(ny),
      isBullet and "t" or "depth", shortened(depth))
  end
  self.told = told
end

--- Ends a frame.
function Stretch:finish()
  if not trace.hasDetails(self.range, self.scene.frame) then return end
  beginFrame(self)
  finishEvent(self)
  self.begun = false
end

-- Winding back -------------------------------------------------------------------

---@class collide.Rewinder
local Rewinder = {}
Rewinder.__index = Rewinder

--- Makes a rewinder for a scene that is about to be played.
local function newRewinder(scene, count)
  return setmetatable({
    scene = scene, count = count, start = scene.frame,
    moments = { [scene.frame] = scenes.snapshot(scene) },
  }, Rewinder)
end

--- Call this after each frame: winds back, and plays again up to the same frame.
function Rewinder:finish()
  local scene, moments = self.scene, self.moments
  local last = scene.frame
  local first = math.max(self.start, last - self.count)
  moments[last], moments[first - 1] = scenes.snapshot(scene), nil
  scenes.restore(scene, moments[first])
  for frame = first + 1, last do
    scenes.step(scene)
    local again = scenes.snapshot(scene)
    local difference = moments[frame]:diff(again)
    if difference then
      return ("frame %d, played again from frame %d: %s"):format(frame, first, difference)
    end
    moments[frame] = again
  end
end

M.OK, M.FAILED, M.MISUSED = 0, 1, 2

local function fail(streams, code, message, stack)
  streams.stderr:write(M.paint(streams, streams.stderr, "red", "collide:"), " ", message, "\n")
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

-- Checking against a recorded trace ---------------------------------------------------

--- Compares a scene that is being played with a trace. Returns a recorder for the world's events,
--- and a function that ends a frame and returns the difference, or nil.
---@param scene collide.Scene
---@param recorded collide.Trace
---@return collide.TraceRecorder recorder
---@return fun(): string? finish
function M.checker(scene, recorded)
  local recorder = trace.recorder(scene, recorded.details)
  local comparison = trace.comparison(recorded.path, "now", recorded.details, recorded.details)
  return recorder, function()
    local frame = recorder:finish()
    local before = recorded.frames[frame.number]
    return before and comparison:frame(before, frame)
  end
end

-- Playing --------------------------------------------------------------------------------

-- A function for world:trace that calls `note` of all watchers; nil without watchers.
local function noteOf(watchers)
  return #watchers > 0 and function(...)
    for _, watcher in ipairs(watchers) do watcher:note(...) end
  end or nil
end

-- The parts of a run that `--svg`, `--html`, `--trace`, `--against` and `--show` ask for.
local function jobsOf(scene, options, recorded, streams)
  local jobs, watchers = { pictured = options.svg and (options.at or scene.frames) }, {}
  if options.html then jobs.replay = page.replay(scene) end
  if options.trace then
    jobs.recorder = trace.recorder(scene, options.details)
    watchers[#watchers + 1] = jobs.recorder
  end
  if recorded then watchers[#watchers + 1], jobs.check = M.checker(scene, recorded) end
  if options.show or options.actor then
    jobs.stretch = newStretch(scene, options.show, options.actor, streams.stdout)
    watchers[#watchers + 1] = jobs.stretch
  end
  if options.rewind then jobs.rewinder = newRewinder(scene, options.rewind) end
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
  jobs.frame = scene.frame
  if jobs.recorder and scene.frame > 0 then jobs.recorder:keep() end
  if jobs.stretch and scene.frame > 0 then jobs.stretch:finish() end
  if scene.frame == jobs.pictured then jobs.picture = M.picture(scene) end
  if scene.frame == 0 then return false end
  jobs.different = jobs.check and jobs.check()
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
    or jobs.replay and write("page", options.html, page.text(jobs.replay, { at = options.at }))
    or jobs.recorder and write("trace", options.trace, jobs.recorder:text())
end

-- Adds the frame of an error to the page if that was played to its end, as it is when `always`
-- fails.
local function showLast(scene, jobs)
  if not jobs.replay or jobs.frame == scene.frame or scene._played ~= scene.frame then return end
  jobs.replay:add()
  jobs.frame = scene.frame
end

-- Reads settings and keys from files. Those of `--input` take precedence over those in the trace of
-- `--against`. Returns them in the form of a trace, and that trace if there is one.
local function readFiles(options)
  local given, recorded = {}, nil
  if options.against then
    local read, message = trace.read(options.against)
    if not read then return nil, message end
    given, recorded = read, read
  end
  if options.input then
    local lines, settings = input.read(options.input)
    if not lines then return nil, settings end
    given = { lines = lines, settings = settings }
  end
  return given, recorded
end

--- Opens a scene for a run with some options, and with the settings and keys of a trace.
---@param source string|collide.SceneDefinition
---@param options table as input.options returns them
---@param given table with `lines` and `settings`, as in a trace; either may be nil
---@return collide.Scene? scene
---@return string? message
function M.open(source, options, given)
  return scenes.open(source, input.overrides(options, given.settings),
    given.lines and input.scripted(given.lines))
end

--- Plays a scene with its check, and compares it with a trace if there is one.
---@param scene collide.Scene
---@param recorded? collide.Trace
---@param bar collide.Progress
---@return boolean played false if it has raised an error
---@return string|collide.Failure|nil failure the fault, or the error
function M.trial(scene, recorded, bar)
  local jobs = jobsOf(scene, {}, recorded)
  local played, failure = traceback.catch(play, scene, bar, jobs, newReport())
  bar:clear()
  if not played then return false, failure end
  return true, jobs.different or failure and "check failed: " .. failure or nil
end

--- Plays a scene again up to its failure, and writes a page that opens there into the folder of
--- failures.
---@param name string of the page, without .html
---@param source string|collide.SceneDefinition
---@param options table as input.options returns them
---@param given table with `lines` and `settings`, as in a trace; either may be nil
---@param message string the message of the failure
---@return string? path nil if the scene cannot be played, or if the page cannot be written
---@return string? why it cannot be written
function M.page(name, source, options, given, message)
  local opened, scene = traceback.catch(M.open, source, options, given)
  if not opened or not scene then return nil end
  local jobs = { replay = page.replay(scene) }
  traceback.catch(play, scene, newProgress(nil, false, 0), jobs, newReport())
  showLast(scene, jobs)
  local path = ("%s/%s.html"):format(files.failures(), name)
  local written, why = files.write(path, page.text(jobs.replay, { at = jobs.frame,
    title = scene.name, message = message }))
  return written and path, why
end

local function misuse(options)
  if #options ~= 1 then
    return #options == 0 and "run takes a file: collide run FILE"
      or ("run takes one file, got %d: %s"):format(#options, table.concat(options, ", "))
  elseif options.at and not options.svg and not options.html then
    return "--at says which picture --svg writes, or where --html opens: add one of them"
  elseif options.details and not options.trace then
    return "--details says what --trace writes: add --trace FILE"
  end
end

-- The message if an option names a frame after the last one, or nil.
local function beyondEnd(options, last)
  if options.at and options.at > last then
    return ("--at expected (whole number from 0 to %d), got %d"):format(last, options.at)
  elseif options.show and options.show.last > last then
    return ("--show expected (range of frames up to %d), got %d-%d"):format(last,
      options.show.first, options.show.last)
  end
end

--- Runs the scene of a parsed command line.
---@param options table as input.options returns them: the file is options[1]
---@param streams collide.Streams
---@return integer code the exit code
function M.run(options, streams)
  local wrong = misuse(options)
  if wrong then return fail(streams, M.MISUSED, wrong) end
  local given, recorded = readFiles(options)
  if not given then return fail(streams, M.FAILED, recorded) end
  local opened, scene, mistake = traceback.catch(M.open, options[1], options, given)
  if not opened then return fail(streams, M.FAILED, scene.message, scene.trace) end
  if not scene then return fail(streams, M.FAILED, mistake) end
  local beyond = beyondEnd(options, scene.frames)
  if beyond then return fail(streams, M.MISUSED, beyond) end

  local bar = newProgress(streams.stderr, streams.terminal, scene.frames)
  local begun, jobs = traceback.catch(jobsOf, scene, options, recorded, streams)
  if not begun then return fail(streams, M.FAILED, jobs.message, jobs.trace) end
  local numbers = newReport()
  local played, failure = traceback.catch(play, scene, bar, jobs, numbers)
  bar:clear()
  if not played then
    -- The page and the trace show the frames before the error.
    jobs.picture = nil
    showLast(scene, jobs)
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
