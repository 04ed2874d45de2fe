-- The command `test`: runs every scene of a folder, calls its check, compares it with its trace,
-- and reports as busted does.

local core = require "collide.core"
local files = require "collide.scene.files"
local input = require "collide.scene.input"
local progress = require "collide.scene.progress"
local run = require "collide.scene.run"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"
local traceback = require "collide.scene.traceback"
local arguments = require "collide.scene.arguments"
local colors = require "collide.scene.colors"

local M = {}

local SUCCESS, FAILURE, ERROR = "success", "failure", "error"
local SIGNS = { [SUCCESS] = "+", [FAILURE] = "-", [ERROR] = "*" }
local COLORS = { [SUCCESS] = "green", [FAILURE] = "red", [ERROR] = "red" }

-- Plays a scene; returns the difference from its trace, or the message of its check.
local function play(scene, checker, bar)
  if checker then scene.world:trace(function(...) checker:note(...) end) end
  for frame = 1, scene.frames do
    scenes.step(scene)
    local different = checker and checker:finish()
    if different then return different end
    bar:show(frame)
  end
  local passed, message = scenes.verify(scene)
  return not passed and "check failed: " .. message or nil
end

-- Tests one scene, against the trace beside it if there is one. `signs` are the signs that are
-- already in the line of the terminal.
---@return string outcome
---@return string? message
local function test(path, streams, signs)
  local recorded, wrong
  local tracePath = path:gsub("%.lua$", "") .. ".trace"
  if files.exists(tracePath) then
    recorded, wrong = trace.read(tracePath)
    if not recorded then return ERROR, wrong end
  end
  local opened, scene, mistake = traceback.catch(scenes.open, path,
    arguments.overrides({}, recorded and recorded.settings),
    recorded and input.scripted(recorded.lines))
  if not opened then return ERROR, traceback.text(scene) end
  if not scene then return ERROR, mistake end
  local bar = progress.new(streams.stderr, streams.terminal, scene.frames, signs)
  local played, failure = traceback.catch(play, scene, recorded and run.checker(scene, recorded),
    bar)
  bar:clear()
  if not played then return ERROR, traceback.text(failure) end
  return failure and FAILURE or SUCCESS, failure
end

local function plural(count, one, more)
  return ("%d %s"):format(count, count == 1 and one or more)
end

--- Tests the scenes of a folder, or one scene.
---@param options table as arguments.parse returns them
---@param streams collide.Streams
---@return integer code the exit code
function M.run(options, streams)
  if #options ~= 1 then
    return run.fail(streams, run.MISUSED, "test takes a folder or a scene: collide test DIR")
  end
  local paths = { options[1] }
  if not options[1]:find("%.lua$") then paths = files.list(options[1], "lua") end
  if not paths then
    return run.fail(streams, run.FAILED, options[1] .. ": there is no such folder")
  end
  if #paths == 0 then
    return run.fail(streams, run.FAILED, options[1] .. ": there is no scene in it")
  end

  local out, counts, failures, start = streams.stdout, { success = 0, failure = 0, error = 0 }, {},
    core.clock()
  local signs = ""
  for _, path in ipairs(paths) do
    local outcome, message = test(path, streams, streams.shown and signs or "")
    local sign = colors.paint(streams, out, COLORS[outcome], SIGNS[outcome])
    counts[outcome] = counts[outcome] + 1
    signs = signs .. sign
    out:write(sign)
    out:flush()
    if message then
      local word = colors.paint(streams, out, "red", outcome == ERROR and "Error" or "Failure")
      failures[#failures + 1] = ("\n%s -> %s\n%s\n"):format(word, path, message)
    end
  end
  out:write(("\n%s / %s / %s / 0 pending : %.6f seconds\n"):format(
    plural(counts.success, "success", "successes"), plural(counts.failure, "failure", "failures"),
    plural(counts.error, "error", "errors"), core.clock() - start), table.concat(failures))
  return #failures == 0 and run.OK or run.FAILED
end

return M
