-- The files that a failed assertion writes into the folder of failures: a picture of the world, and
-- a page that plays the frames before.

local core = require "collide.core"
local drawing = require "collide.canvas"
local files = require "collide.scene.files"
local page = require "collide.scene.page"
local reader = require "collide.world.reader"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"

local M = {}

-- The picture --------------------------------------------------------------------

local placeOf = reader.placeOf

-- The margin around marked actors: at least so many world units, or a multiple of their size.
local LEAST_AROUND, SIZES_AROUND = 50, 1.5

-- Widens a view { left, top, right, bottom } to some bounds.
local function include(view, l, t, w, h)
  view[1], view[2] = math.min(view[1], l), math.min(view[2], t)
  view[3], view[4] = math.max(view[3], l + w), math.max(view[4], t + h)
end

-- The view { left, top, right, bottom }: the field of the world if it has one and all marked actors
-- are in it; else the marked actors with a margin.
local function viewOf(world, marked)
  local view = { math.huge, math.huge, -math.huge, -math.huge }
  for _, actor in ipairs(marked) do
    local shape, x, y, angle = placeOf(actor, world._names)
    include(view, shape:bounds(x, y, angle))
  end
  local w, h = world.width, world.height
  local isInside = w and h
    and view[1] >= 0 and view[2] >= 0 and view[3] <= w and view[4] <= h
  if isInside or not marked[1] then return { 0, 0, w or 800, h or 600 } end
  local size = math.max(view[3] - view[1], view[4] - view[2])
  local around = math.max(LEAST_AROUND, SIZES_AROUND * size)
  return { view[1] - around, view[2] - around, view[3] + around, view[4] + around }
end

local function printName(canvas, world, actor)
  local names = world._names
  local name = names.name and actor[names.name]
  if type(name) ~= "string" and type(name) ~= "number" then return end
  local shape, x, y, angle = placeOf(actor, names)
  local l, t, w, h = shape:bounds(x, y, angle)
  canvas:setColor(0, 0, 0)
  canvas:print(name, l + w / 2, t + h / 2)
end

-- A picture of a world, as SVG.
--@param world collide.World
--@param marked table[] actors, of this world or with its fields, that are drawn in red
--@return string
local function pictureOf(world, marked)
  local view = viewOf(world, marked)
  local canvas = svg.canvas(view[3] - view[1], view[4] - view[2], view[1], view[2])
  local brush, colors = canvas._brush, {}
  for _, actor in ipairs(marked) do colors[actor] = false end -- drawn below, on top
  drawing.drawWorld(brush, world, colors)
  for _, actor in ipairs(marked) do
    drawing.drawActor(brush, world, actor, drawing.MARKED)
    printName(canvas, world, actor)
  end
  return canvas.text()
end

-- A scene with more frames is not played again, and the recording of a world starts anew after so
-- many. A larger world is not recorded: in tests that pass, that would take too long.
local MOST_FRAMES, MOST_ACTORS = 3000, 300

-- How often each name has been used by this process.
local used = {}

-- Replays ---------------------------------------------------------------------

-- The fields of a scene that a replay reads, for a world without a scene.
local function stageOf(world)
  local left, top, right, bottom = 0, 0, world.width or 0, world.height or 0
  local names = world._names
  for _, actor in ipairs(world:actors()) do
    local l, t, w, h = actor[names.shape]:bounds(actor[names.x], actor[names.y],
      names.angle and actor[names.angle] or 0)
    left, top = math.min(left, l), math.min(top, t)
    right, bottom = math.max(right, l + w), math.max(bottom, t + h)
  end
  return { name = "world", dt = 1 / 60, params = {}, world = world,
    frame = world._frame, width = world.width or math.max(right, 1),
    height = world.height or math.max(bottom, 1) }
end

-- Adds the frame that has just been stepped. If frames were missed before it, the recording starts
-- anew.
local function record(world)
  local recorded = world._replay
  if not recorded or world._frame ~= recorded.next or recorded.frames == MOST_FRAMES then
    recorded = { replay = page.replay(stageOf(world)), frames = 0 }
    world._replay = recorded
  end
  recorded.replay:add()
  recorded.next, recorded.frames = world._frame + 1, recorded.frames + 1
end

-- An error in recording must not end a step: it ends the recording.
local function watch(world)
  if not pcall(record, world) then world._watch, world._replay = nil, nil end
end

--- Records a world from now on. A world of a scene need not be recorded: the scene is played again.
---@param world collide.World
function M.watch(world)
  if world._watch or scenes.of(world) then return end
  if world:count() > MOST_ACTORS then return end
  world._watch = watch
  watch(world)
end

-- Plays a scene again from its beginning to its present frame, and returns a replay of it and the
-- new world; nil if it cannot be played again or ends with another hash.
local function playAgain(scene)
  local again = scene.frame <= MOST_FRAMES and scenes.again(scene)
  if not again then return nil end
  local replay = page.replay(again)
  replay:add()
  for _ = 1, scene.frame do
    scenes.step(again)
    replay:add()
  end
  if again.world:hash() ~= scene.world:hash() then return nil end
  return replay, again.world
end

-- The index of an actor in world:actors().
local function indexOf(world, actor)
  for i, other in ipairs(world:actors()) do
    if other == actor then return i end
  end
end

local function pageOf(world, actor)
  local scene = scenes.of(world)
  if scene then
    local made, replay, again = pcall(playAgain, scene)
    if made and replay then
      return page.text(replay, scene.frame, again:actors()[indexOf(world, actor)])
    end
  end
  if not world._replay then record(world) end
  return page.text(world._replay.replay, world._frame, actor)
end

-- Files -----------------------------------------------------------------------

local function folder()
  local path = os.getenv "COLLIDE_FAILURES"
  if not path or path == "" then path = "build/failures" end
  return path
end

-- Makes a folder and its parents. An error shows when a file is written.
local function makeFolders(path)
  for at in path:gmatch "()[/\\]" do
    if at > 1 then core.makeFolder(path:sub(1, at - 1)) end
  end
  core.makeFolder(path)
end

-- Writes the text that f(...) returns to a file. Returns the file's path, or why there is none.
local function write(name, extension, f, ...)
  local made, text = pcall(f, ...)
  if not made then return "none, " .. tostring(text) end
  local path = ("%s/%s.%s"):format(folder(), name, extension)
  local written, message = files.write(path, text)
  return written and path or "none, " .. message
end

-- True while a scene is played again: assertions that fail in it write no files.
local isShowing = false

--- Writes the files that show a world in which an assertion has failed.
---@param assertion string its name
---@param world collide.World
---@param marked table[] the actors that it is about
---@return string lines that name the files
function M.show(assertion, world, marked)
  if isShowing then return "" end
  isShowing = true
  makeFolders(folder())
  local name = ("%s-frame-%d"):format(assertion, world._frame)
  used[name] = (used[name] or 0) + 1
  if used[name] > 1 then name = ("%s-%d"):format(name, used[name]) end
  local lines = ("\npicture: %s\npage: %s"):format(write(name, "svg", pictureOf, world, marked),
    write(name, "html", pageOf, world, marked[1]))
  isShowing = false
  return lines
end

return M
