-- The Lua part of the page: runs the text in the editor and plays the scene or the world that it
-- returns, or shows the last world that it has made. Each function that is returned here takes a
-- string from worker.js, and returns a string of JSON. Some of it is shared with the viewer.

local command = ...

package.path = "/lua/?.lua;/lua/?/init.lua;/examples/scenes/?.lua;/examples/love/?.lua;"
  .. package.path

local core = require "collide.core"
local canvas = require "collide.canvas"
local input = require "collide.scene.input"
local moves = require "collide.move"
local reader = require "collide.world.reader"
local scenes = require "collide.scene"
local texts = require "collide.scene.text"
local traceback = require "collide.scene.traceback"
local broadphases = require("collide.world").BROADPHASES
local details = require "app.details"
local histories = require "app.history"
local meters = require "app.meter"

local M = {}

-- The name of the editor's text in errors.
local NAME = "main.lua"

-- On a computer that is too slow for a scene, the scene slows down and does not fall behind more
-- and more.
local MOST_STEPS = 8

-- Drawing -----------------------------------------------------------------------

-- The commands, by their numbers in canvas.js; some take a mode.
local brush = {
  color = command(0), rectangle = command(1, true), circle = command(2, true),
  capsule = command(3, true), polygon = command(4, true), line = command(5),
  circles = command(6), text = command(7), beginArea = command(8), endArea = command(9),
}

local paper = canvas.new(brush)

-- Playing -----------------------------------------------------------------------

local definition -- what the text returned, if that is a scene
local scene
local held, last -- seconds that are not played yet; the last frame that was played
local history, meter, stats
local keys, isTyped = nil, false
local overrides = { params = {} }
local looks = { shapes = false, hits = false, cells = false }

-- All worlds, and the last one that was made.
local isWorld, newest = setmetatable({}, { __mode = "k" }), nil
local openMoves = moves.open
function moves.open(world)
  isWorld[world], newest = true, world
  openMoves(world)
end

-- The line of the editor that an error is about, if it names one.
local function lineOf(text)
  return tonumber(text:match("%f[%w]" .. NAME:gsub("%.", "%%.") .. ":(%d+)"))
end

local function failed(message, trace)
  return texts.json {
    failure = message, trace = trace, line = lineOf(message) or trace and lineOf(trace),
    frame = scene and scene.frame or nil,
  }
end

-- Calls f(argument), which may run the user's code. Returns its result or its error, as JSON.
local function guarded(f, argument)
  local ok, result = traceback.catch(f, argument)
  if ok then return texts.json(result) end
  -- The stack below this file is the page's own, and is cut off. It may have no frame above.
  local trace = result.trace:gsub("\n[^\n]*/examples/web/play%.lua.*", "")
  return failed(result.message, trace:find(":%d+: in ") and trace or nil)
end

-- The mouse -----------------------------------------------------------------------

-- What the mouse has done to actors, by frame, so that these frames can be played again: a list of
-- the actor, its place and its velocity.
local pokes = {}
local grip -- what the mouse holds: the actor, its place from the mouse, and where the mouse is
local chosen

-- Numbers in the fields vx and vy are taken to be velocities in pixels a second.
local function poke(actor, x, y, vx, vy)
  if not scene.world:has(actor) then return end
  scene.world:teleport(actor, x, y)
  if type(actor.vx) == "number" and type(actor.vy) == "number" then
    actor.vx, actor.vy = vx, vy
  end
end

-- Someone plays from here on: forgets the later frames.
local function touch()
  if scene.frame >= last then return end
  last = scene.frame
  history:forget(last)
  input.forget(keys, last)
  for frame in pairs(pokes) do
    if frame > last then pokes[frame] = nil end
  end
end

local function note(vx, vy)
  touch()
  pokes[scene.frame + 1] = { grip.actor, grip.x + grip.dx, grip.y + grip.dy, vx, vy }
end

-- Moves the actor that the mouse holds to the mouse, before each frame.
local function pull()
  if not scene.world:has(grip.actor) then
    grip = nil
    return
  end
  local share, dt = 0.3, scene.dt
  grip.vx = grip.vx + share * ((grip.x - grip.wasX) / dt - grip.vx)
  grip.vy = grip.vy + share * ((grip.y - grip.wasY) / dt - grip.vy)
  grip.wasX, grip.wasY = grip.x, grip.y
  note(0, 0)
end

local mouse = {}

function mouse.down(x, y)
  chosen = details.at(scene.world, x, y)
  if not chosen then return end
  local _, atX, atY = reader.placeOf(chosen, scene.world._names)
  grip = { actor = chosen, dx = atX - x, dy = atY - y, x = x, y = y, wasX = x, wasY = y,
    vx = 0, vy = 0 }
end

function mouse.move(x, y)
  if not grip then return end
  grip.x, grip.y, grip.isMoved = x, y, true
  poke(grip.actor, x + grip.dx, y + grip.dy, 0, 0)
end

function mouse.up()
  if grip and grip.isMoved then note(grip.vx, grip.vy) end
  grip = nil
end

--- The mouse is pressed, moved or released: `down 10 20`, `move 12 20`, `up 12 20`.
function M.mouse(text)
  return guarded(function()
    local what, x, y = text:match "^(%a+) (%S+) (%S+)$"
    if scene then mouse[what](tonumber(x), tonumber(y)) end
    return grip ~= nil
  end)
end

-- Frames ------------------------------------------------------------------------

-- A scene checks itself after its last frame, as it does on the command line, unless someone has
-- had a hand in it.
local function verify()
  if scene.frame ~= scene.frames or next(pokes) or isTyped and scene.input then return end
  local passed, message = scenes.verify(scene)
  if not passed then error("check failed: " .. message, 0) end
end

-- Plays a frame, for the first time or again.
local function play(played)
  local poked = pokes[played.frame + 1]
  if poked then poke(poked[1], poked[2], poked[3], poked[4], poked[5]) end
  scenes.step(played)
end

local function step()
  if grip and grip.isMoved then pull() end
  local start = core.clock()
  play(scene)
  meter:add(core.clock() - start, scene.world:stats(stats))
  last = math.max(last, scene.frame)
  history:note(scene)
  verify()
end

local function drawScene()
  local color, world = canvas.PAPER, scene.world
  brush:color(color[1], color[2], color[3], 1)
  brush:rectangle("fill", scene.left, scene.top, scene.width, scene.height)
  brush:color(0, 0, 0, 1)
  local colors = looks.hits and canvas.hitColors(world) or {}
  if looks.shapes then
    canvas.drawWorld(brush, world, colors)
  else
    scenes.draw(scene, paper)
    for actor in pairs(colors) do
      if world:has(actor) then canvas.drawActor(brush, world, actor, canvas.MARKED) end
    end
  end
  if looks.cells then canvas.drawCells(brush, world) end
  if looks.hits then canvas.drawHits(brush, world, scene.width / 700) end
  if chosen and world:has(chosen) then
    brush:color(0.06, 0.54, 0.37, 1)
    canvas.drawShape(brush, "line", reader.placeOf(chosen, world._names))
  end
end

local function asked()
  local names = texts.names(keys._asked)
  names.n = #names
  return names
end

-- The numbers of the last frame, and the times of frames as means of a quarter of a second.
local function figures()
  local list = { broadphase = stats.broadphase, hits = stats.hits, candidates = stats.candidates }
  for _, part in ipairs { "frame", "update", "pull", "find", "dispatch" } do
    list[part] = meter:mean(part)
  end
  return list
end

-- Draws the scene, and returns its state.
local function show()
  drawScene()
  local title, rows
  if chosen then title, rows = details.of(scene.world, chosen) end
  for _, row in ipairs(rows or {}) do row.n = 2 end
  if rows then rows.n = #rows end
  return {
    name = scene.name, left = scene.left, top = scene.top, width = scene.width,
    height = scene.height, frame = scene.frame, last = last,
    -- A world whose actors cannot be saved does not go back.
    first = (definition or history.moments) and 0 or scene.frame,
    actors = scene.world:count(), figures = figures(), keys = asked(), isTyped = isTyped,
    isScripted = scene.input ~= nil, isHeld = grip ~= nil, chosen = title, rows = rows,
  }
end

-- Beginning -----------------------------------------------------------------------

-- The rectangle about the shapes of a world, with a margin; nil if there is nothing in it.
local function around(world)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, actor in ipairs(world:actors()) do
    local shape, x, y, angle = reader.placeOf(actor, world._names)
    local l, t, w, h = shape:bounds(x, y, angle)
    left, top = math.min(left, l), math.min(top, t)
    right, bottom = math.max(right, l + w), math.max(bottom, t + h)
  end
  if left > right then return nil end
  local margin = 0.1 * math.max(right - left, bottom - top, 10)
  return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin
end

-- A scene that plays a world.
local function sceneOf(world)
  local left, top, width, height = around(world)
  if not left then return nil end
  local made, message = scenes.open({ name = "world", width = width, height = height }, nil, keys)
  if not made then error(message, 0) end
  made.world, made.left, made.top = world, left, top
  return made
end

-- Opens what the text returned; before its first frame.
local function open()
  if not definition then return sceneOf(newest) end
  isTyped = isTyped or definition.input == nil
  keys = isTyped and input.typed() or nil
  local made, message = scenes.open(definition, overrides, keys)
  if not made then error(message, 0) end
  keys, made.left, made.top = made._keys, 0, 0
  return made
end

local function reopen()
  for key in pairs(keys._held) do keys._held[key] = nil end
  local made = scenes.open(definition, overrides, keys)
  made.left, made.top = 0, 0
  return made
end

local function start()
  grip, chosen, pokes = nil, nil, {}
  held, last, meter, stats = 0, 0, meter or meters.new(), {}
  scene = open()
  if not scene then return { done = true } end
  history = histories.new(scene, reopen, play)
  scene.world:stats(stats)
  return show()
end

-- Starts, and adds what can be set: with the usual value of each parameter.
local function startFirst()
  local state = start()
  if not scene then return state end
  -- A world has the broad phase that the text gave it.
  state.params, state.broadphases = { n = 0 }, definition and broadphases or { n = 0 }
  for i, name in ipairs(texts.names(scene.params)) do
    state.params.n = i
    state.params[i] = { name = name, value = scene.params[name], usual = definition.params[name] }
  end
  return state
end

local function begin(code)
  local chunk, message = load(code, "@" .. NAME, "t")
  if not chunk then error(message, 0) end
  newest = nil
  local result = chunk()
  if type(result) == "table" and not isWorld[result] then
    definition = result
    return startFirst()
  end
  keys = input.typed()
  if isWorld[result] then newest = result end
  local state = newest and startFirst() or {}
  state.done = not isWorld[result]
  return state
end

--- Runs a text, and sets up the scene that it returns.
function M.run(code) return guarded(begin, code) end

--- Opens the scene again, with other parameters or another broad phase.
function M.restart() return guarded(start) end

--- Lets the keyboard play the scene, even if it has a script of keys.
function M.typed()
  isTyped = true
  return "true"
end

--- Sets a parameter for the next start: `count=96`. "broadphase=grid" sets that.
function M.set(text)
  local name, value = text:match "^(.-)=(.*)$"
  if name == "broadphase" then overrides.broadphase = value else overrides.params[name] = value end
  return "true"
end

--- What is drawn: `hits=true`.
function M.look(text)
  local name, value = text:match "^(.-)=(.*)$"
  looks[name] = value == "true"
  return "true"
end

-- A scene with a script begins again after its end.
local function isOver()
  return scene.input and not isTyped and not next(pokes) and scene.frame >= scene.frames
    and scene.frames > 0
end

local function elapse(seconds)
  held = held + tonumber(seconds)
  for _ = 1, MOST_STEPS do
    if held < scene.dt then break end
    held = held - scene.dt
    if isOver() then start() end
    step()
  end
  if held >= scene.dt then held = 0 end
  meter:update(tonumber(seconds))
  return show()
end

--- Plays the frames for a number of seconds.
function M.play(seconds) return guarded(elapse, seconds) end

local function withHash(state)
  state.hash = scene.world:hash()
  return state
end

local function advance(frames)
  for _ = 1, tonumber(frames) do step() end
  return withHash(show())
end

--- Plays a number of frames, which may be 0.
function M.advance(frames) return guarded(advance, frames) end

local function go(frame)
  local before = scene
  scene = history:go(scene, math.max(0, math.min(last, tonumber(frame))))
  if scene ~= before then chosen = nil end
  scene.world:stats(stats)
  return withHash(show())
end

--- Goes to a frame that has been played.
function M.go(frame) return guarded(go, frame) end

--- A key goes down or up: `+left`, `-left`.
function M.key(change)
  local key = change:sub(2)
  touch()
  if change:sub(1, 1) == "+" then input.press(keys, key) else input.release(keys, key) end
  return "true"
end

return M
