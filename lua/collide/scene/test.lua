-- The command `test`: plays scenes with their checks and traces, several at a time in processes of
-- their own, and reports on them: as busted does, as TAP, or in a file of JUnit's XML.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"
local files = require "collide.files"
local run = require "collide.scene.run"
local texts = require "collide.scene.text"
local trace = require "collide.scene.trace"
local traceback = require "collide.scene.traceback"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

-- Testing one file ----------------------------------------------------------------

---@class collide.Outcome
---@field path string
---@field kind "success"|"failure"|"error"|"none" none: the file returns no scene
---@field seconds number
---@field message string? what is wrong
---@field page string? the path of the page that shows it

local SUCCESS, FAILURE, ERROR, NONE = "success", "failure", "error", "none"

-- Makes the page of a scene that failed in its present frame. Returns its path, or why it has none.
local function pageOf(one, scene, recorded, message)
  local settings = { frames = scene.frame }
  for name, value in each.pairs(recorded and recorded.settings or {}) do
    settings[name] = settings[name] or value
  end
  local path, why = run.page(one.name, one.path, {}, { lines = recorded and recorded.lines,
    settings = settings }, message)
  return path or why and "none, " .. why
end

-- Opens a scene, and the trace beside it if there is one. Returns the scene and the trace, or nil,
-- the kind of outcome and a message.
local function open(one)
  local recorded, wrong
  local tracePath = one.path:gsub("%.lua$", "") .. ".trace"
  if files.exists(tracePath) then
    recorded, wrong = trace.read(tracePath)
    if not recorded then return nil, ERROR, wrong end
  end
  local opened, scene, mistake, isOther = traceback.catch(run.open, one.path, {}, recorded or {})
  if not opened then return nil, ERROR, traceback.text(scene) end
  if not scene then return nil, isOther and one.folder and NONE or ERROR, mistake end
  return scene, recorded
end

-- Tests a file. The text `before` is already on the line of the terminal.
local function try(one, streams, before)
  local start = core.clock()
  local outcome = { path = one.path, kind = SUCCESS }
  local scene, recorded, message = open(one)
  if scene then
    local bar = run.newProgress(streams.stderr, streams.terminal, scene.frames, before)
    local played, failure = run.trial(scene, recorded, bar)
    if failure then
      outcome.kind = played and FAILURE or ERROR
      outcome.message = played and failure or traceback.text(failure)
    end
    outcome.seconds = core.clock() - start
    if failure then outcome.page = pageOf(one, scene, recorded, outcome.message) end
  else
    outcome.kind, outcome.message, outcome.seconds = recorded, message, core.clock() - start
  end
  return outcome
end

-- A file that ends the program must not end the tests of others.
local function noExit()
  error("attempt to call os.exit in a test", 2)
end

-- Tests a file as if it were the only one: it gets its own copies of the modules beside it. For a
-- file that was found in a folder, `require` also searches that folder.
---@param one table its `path`, the `name` of its page, and the `folder` where it was found, if any
---@return collide.Outcome
local function outcomeOf(one, streams, before)
  local path, loaded = package.path, files.loadedModules()
  if one.folder then
    package.path = ("%s/?.lua;%s/?/init.lua;%s"):format(one.folder, one.folder, path)
  end
  local exit = os.exit
  os.exit = noExit -- luacheck: ignore
  local outcome = try(one, streams, before)
  os.exit = exit -- luacheck: ignore
  package.path = path
  files.unloadModules(loaded, one.path:match "^(.*)[/\\]" or ".")
  if one.folder then files.unloadModules(loaded, one.folder) end
  return outcome
end

-- Finding files -------------------------------------------------------------------

-- The files of a command line, each once; nil and a message if there are none.
local function find(given)
  local list, isThere, used = {}, {}, {}
  local function add(path, folder)
    if isThere[path] then return end
    isThere[path] = true
    list[#list + 1] = { path = path, folder = folder, name = files.nameOf(path, used) }
  end
  for _, path in ipairs(given) do
    if path:find "%.lua$" then
      add(path, nil)
    else
      local paths = files.list(path, "lua", true)
      if not paths then return nil, path .. ": there is no such folder" end
      if not paths[1] then return nil, path .. ": there is no scene in it" end
      for _, inside in ipairs(paths) do add(inside, (path:gsub("[/\\]$", ""))) end
    end
  end
  return list
end

-- Processes -------------------------------------------------------------------------

-- Each process has a part of the list, every Nth file, and writes a line for each.

local LINE = "\30%s %s %.6f %s %s\n"
local READ = "^(.-)\30(\"[^\"]*\") (%l+) ([%d.]+) (\"[^\"]*\") (\"[^\"]*\")%s*$"

local function writePart(list, part, streams)
  for i = part.number, #list, part.count do
    local outcome = outcomeOf(list[i], { stderr = streams.stderr })
    streams.stdout:write(LINE:format(texts.quote(outcome.path), outcome.kind, outcome.seconds,
      texts.quote(outcome.message or ""), texts.quote(outcome.page or "")))
    streams.stdout:flush()
  end
  return run.OK
end

local function filled(text)
  return text ~= "" and text or nil
end

-- The next outcome that a process writes, for a file. Text that scenes print in between is printed.
local function readOutcome(process, path, stdout)
  for line in process:lines() do
    local before, quoted, kind, seconds, message, page = line:match(READ)
    if quoted and texts.unquote(quoted) == path then
      stdout:write(before)
      return { path = path, kind = kind, seconds = tonumber(seconds),
        message = filled(texts.unquote(message)), page = filled(texts.unquote(page)) }
    end
    stdout:write(line, "\n")
  end
  return { path = path, kind = ERROR, seconds = 0, message = "its process has ended early" }
end

-- A function that returns the outcome of the next file, from `count` processes.
local function inProcesses(list, count, options, streams)
  local processes = {}
  for number = 1, count do
    local words = { unpack(streams.command) }
    words[#words + 1], words[#words + 2] = "test", ("--part=%d/%d"):format(number, count)
    words[#words + 1] = "--"
    for _, path in ipairs(options) do words[#words + 1] = path end
    processes[number] = files.start(words)
  end
  local i = 0
  return function()
    i = i + 1
    local process = processes[(i - 1) % count + 1]
    if not list[i] then return nil end
    local outcome = readOutcome(process, list[i].path, streams.stdout)
    if i > #list - count then process:close() end
    return outcome
  end
end

-- Reports -------------------------------------------------------------------------

-- The message, followed by the page.
local function detailsOf(outcome)
  return outcome.page and ("%s\npage: %s"):format(outcome.message, outcome.page)
    or outcome.message
end

local TITLES = { [FAILURE] = "Failure", [ERROR] = "Error" }

---@class collide.Signs
local Signs = {}
Signs.__index = Signs

local SIGNS = { [SUCCESS] = "+", [FAILURE] = "-", [ERROR] = "*" }
local COLORS = { [SUCCESS] = "green", [FAILURE] = "red", [ERROR] = "red" }

-- A report like busted's: a sign for each scene, then the counts, then the failures.
local function newSigns(streams)
  return setmetatable({ streams = streams, line = "", failures = {} }, Signs)
end

function Signs:add(outcome)
  local streams, out = self.streams, self.streams.stdout
  local sign = run.paint(streams, out, COLORS[outcome.kind], SIGNS[outcome.kind])
  self.line = self.line .. (streams.shown and sign or "")
  out:write(sign)
  if not outcome.message then return end
  self.failures[#self.failures + 1] = ("\n%s -> %s\n%s\n"):format(
    run.paint(streams, out, "red", TITLES[outcome.kind]), outcome.path, detailsOf(outcome))
end

function Signs:finish(counts, seconds)
  self.streams.stdout:write(("\n%s / %s / %s / 0 pending : %.6f seconds\n"):format(
    texts.plural(counts.success, "success", "successes"), texts.plural(counts.failure, "failure"),
    texts.plural(counts.error, "error"), seconds), table.concat(self.failures))
end

---@class collide.Tap
local Tap = {}
Tap.__index = Tap

local TAP_ESCAPES = { ["#"] = "\\#", ["\\"] = "\\\\", ["\n"] = " ", ["\r"] = " ", ["\t"] = " " }

-- A report by the Test Anything Protocol, testanything.org.
local function newTap(streams)
  streams.stdout:write("TAP version 13\n")
  return setmetatable({ out = streams.stdout, count = 0, line = "" }, Tap)
end

function Tap:add(outcome)
  self.count = self.count + 1
  self.out:write(("%s %d - %s\n"):format(outcome.message and "not ok" or "ok", self.count,
    texts.escape(outcome.path, TAP_ESCAPES)))
  if not outcome.message then return end
  for line in (detailsOf(outcome) .. "\n"):gmatch "(.-)\n" do
    self.out:write("# ", texts.line(line), "\n")
  end
end

function Tap:finish()
  self.out:write(("1..%d\n"):format(self.count))
end

-- A line break within an attribute would be read as a blank.
local XML_ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;",
  ["\n"] = "&#10;", ["\t"] = "&#9;" }

local function escaped(text)
  return texts.escape(text, XML_ESCAPES)
end

local function caseOf(outcome)
  local path = outcome.path:gsub("\\", "/")
  local case = ('    <testcase classname="%s" name="%s" file="%s" time="%.6f"'):format(
    escaped(path:match "^(.*)/[^/]*$" or "."), escaped(path:match "([^/]*)%.lua$"), escaped(path),
    outcome.seconds)
  if not outcome.message then return case .. "/>\n" end
  return ('%s>\n      <%s message="%s">%s</%s>\n    </testcase>\n'):format(case, outcome.kind,
    escaped(outcome.message:match "^[^\n]*"), escaped(detailsOf(outcome)), outcome.kind)
end

-- The outcomes in the XML that JUnit's runner writes for Ant, which CI servers read.
local function junitOf(outcomes, counts, seconds)
  local cases = {}
  for i, outcome in ipairs(outcomes) do cases[i] = caseOf(outcome) end
  local figures = ('tests="%d" failures="%d" errors="%d" skipped="0" time="%.6f"'):format(
    #outcomes, counts.failure, counts.error, seconds)
  return ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites %s>\n  <testsuite name="collide" %s>'
    .. "\n%s  </testsuite>\n</testsuites>\n"):format(figures, figures, table.concat(cases))
end

-- The command ---------------------------------------------------------------------

-- A function that returns the outcome of the next file of a list. `report.line` stays before the
-- progress bar of a terminal.
local function outcomes(list, options, streams, report)
  local count = math.min(options.jobs or 1, #list)
  if count > 1 and streams.command then return inProcesses(list, count, options, streams) end
  local i = 0
  return function()
    i = i + 1
    return list[i] and outcomeOf(list[i], streams, report.line)
  end
end

--- Tests scenes, and those in folders.
---@param options table as input.options returns them
---@param streams collide.Streams
---@return integer code the exit code
function M.test(options, streams)
  if #options == 0 then
    return run.fail(streams, run.MISUSED, "test takes a folder or a scene: collide test DIR")
  end
  local list, wrong = find(options)
  if not list then return run.fail(streams, run.FAILED, wrong) end
  if options.part then return writePart(list, options.part, streams) end

  local start, found = core.clock(), {}
  local counts = { success = 0, failure = 0, error = 0 }
  local report = (options.tap and newTap or newSigns)(streams)
  for outcome in outcomes(list, options, streams, report) do
    if outcome.kind ~= NONE then
      found[#found + 1], counts[outcome.kind] = outcome, counts[outcome.kind] + 1
      report:add(outcome)
      streams.stdout:flush()
    end
  end
  local seconds = core.clock() - start
  report:finish(counts, seconds)
  if options.junit then
    local written, message = files.write(options.junit, junitOf(found, counts, seconds))
    if not written then
      return run.fail(streams, run.FAILED, "cannot write the report: " .. message)
    end
  end
  if not found[1] then
    return run.fail(streams, run.FAILED, ("%s: there is no scene in it"):format(
      table.concat(options, ", ")))
  end
  return counts.success == #found and run.OK or run.FAILED
end

return M
