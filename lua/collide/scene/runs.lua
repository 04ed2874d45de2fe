-- Compares a run of a scene frame by frame: with another run, and with a trace.

local check = require "collide.check"
local arguments = require "collide.scene.arguments"
local input = require "collide.scene.input"
local run = require "collide.scene.run"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"
local who = require "collide.world.describe"

local M = {}

--- The scene of the argument `arg` of `fn`. A loaded scene goes on from its present frame; a path
--- or table is loaded, with the settings and keys of a trace if there is one.
---@param recorded? collide.Trace
---@return collide.Scene
function M.open(fn, arg, source, recorded)
  if scenes.isScene(source) then return source end
  if type(source) ~= "string" and type(source) ~= "table" then
    check.fail(fn, arg, "scene, or its path or table", source)
  end
  local scene, message = scenes.open(source,
    recorded and arguments.overrides({}, recorded.settings),
    recorded and input.scripted(recorded.lines))
  if not scene then check.raise(("%s: %s: %s"):format(fn, arg, message)) end
  return scene
end

local function text(v)
  return type(v) == "number" and ("%.17g"):format(v) or tostring(v)
end

-- The first difference of two actors, as a sentence, or nil.
local function differenceOf(worldA, worldB, a, b)
  for _, field in ipairs { "x", "y", "angle" } do
    local nameA, nameB = worldA._names[field], worldB._names[field]
    local valueA, valueB = nameA and a[nameA], nameB and b[nameB]
    if valueA ~= valueB then
      return ("%s has %s %s in one and %s in the other"):format(who.is(worldA, a), field,
        text(valueA), text(valueB))
    end
  end
end

-- The first difference of two worlds, as a sentence, and the actors that it is about; or nil.
local function difference(worldA, worldB)
  local actorsA, actorsB = worldA:actors(), worldB:actors()
  for i = 1, math.min(#actorsA, #actorsB) do
    local sentence = differenceOf(worldA, worldB, actorsA[i], actorsB[i])
    if sentence then return sentence, { actorsA[i] } end
  end
  if #actorsA ~= #actorsB then
    return ("there are %d actors in one and %d in the other"):format(#actorsA, #actorsB), {}
  end
  if worldA:hash() ~= worldB:hash() then return "hits or bullets differ", {} end
end

--- Plays two scenes until they differ, for at most `frames` frames.
---@return string? difference
---@return table[] actors the actors of the first scene that differ
function M.compare(a, b, frames)
  local sentence, actors = difference(a.world, b.world)
  for _ = 1, frames do
    if sentence then break end
    scenes.step(a)
    scenes.step(b)
    if a.world:hash() ~= b.world:hash() then sentence, actors = difference(a.world, b.world) end
  end
  return sentence, actors or {}
end

--- Reads the trace in a file, which is the argument `arg` of `fn`.
---@return collide.Trace
function M.trace(fn, arg, path)
  check.string(fn, arg, path)
  local recorded, message = trace.read(path)
  if not recorded then check.raise(("%s: %s: %s"):format(fn, arg, message)) end
  return recorded
end

--- Plays a scene until it differs from its trace.
---@return string? difference
function M.check(scene, recorded)
  local checker, different = run.checker(scene, recorded), nil
  scene.world:trace(function(...) checker:note(...) end)
  for _ = 1, #recorded.frames do
    scenes.step(scene)
    different = checker:finish()
    if different then break end
  end
  scene.world:trace(nil)
  return different
end

return M
