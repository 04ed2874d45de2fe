-- The monkey's actors and callbacks. When called, they may raise, yield, collect garbage or carry
-- out any operation, also on the same world.
local journal = require "spec.monkey.journal"
local tally = require "spec.monkey.tally"
local values = require "spec.monkey.values"
local watch = require "spec.monkey.watch"

local M = {}

local BOOM = { "an error that is a table" }
local WORD = "boom"
local RESPONSES = { "slide", "touch", "bounce", "cross", "push" }

--- Whether an error was raised by one of these callbacks.
function M.isOurs(err)
  return err == BOOM or err == WORD
end

-- `isEvent`: a callback that may yield on every Lua; `world`: the world that calls, if it is known.
local function happen(play, isEvent, world)
  local rng = play.rng
  if play.quiet or not rng:chance(0.3) then return end
  local way = rng:int(10)
  if way <= 2 then
    tally.count("raise", true)
    error(way == 1 and BOOM or WORD, 0)
  end
  if way == 3 then
    tally.count("collect", true)
    collectgarbage "step"
  elseif way <= 5 then
    if play.mayYield and (isEvent or play.wild) then
      journal.note(play, "yield")
      tally.count("yield", true)
      coroutine.yield()
      journal.note(play, "woken")
    end
  else
    play:inside(world)
  end
end

local answers = {}

function answers.filter(play)
  if play.rng:chance(0.02) then return values.wrong(play) end
  return play.rng:chance(0.6)
end

function answers.response(play)
  if play.rng:chance(0.05) then return values.wrong(play) end
  return play.rng:chance(0.8) and play.rng:pick(RESPONSES) or nil
end

function answers.bullet(play)
  if play.rng:chance(0.02) then return values.wrong(play) end
  return play.rng:pick { "pass", "bounce", false } or nil
end

function answers.visit(play) return play.rng:chance(0.15) end

function answers.make(play)
  local actor = M.newActor(play)
  if play.rng:chance(0.3) then play:keep("actor", actor) end
  return actor
end

--- A callback for an argument or option of that name.
function M.callback(play, kind)
  local answer = answers[kind]
  return function(...)
    if play.quiet then return nil end
    journal.note(play, "in " .. kind, ...)
    happen(play, kind == "bullet")
    return answer and answer(play)
  end
end

local function newMethods(play)
  local methods = {}
  for _, event in ipairs { "enter", "hit", "leave" } do
    methods[event] = function(me, other, ...)
      local world = select(event == "leave" and 1 or 4, ...)
      watch.told(play, event, me, other, world)
      if not play.quiet then journal.note(play, event, me, other, ...) end
      happen(play, true, world)
    end
  end
  function methods.update(me, dt, world)
    journal.note(play, "update", me, dt)
    if type(me.x) == "number" then me.x = me.x + play.rng:int(-3, 3) end
    happen(play, true, world)
  end
  function methods.draw(me)
    journal.note(play, "draw", me)
    happen(play)
  end
  return methods
end

local function saved(play, actor)
  function actor.toSnapshot(me)
    happen(play)
    return { me.score }
  end
  function actor.fromSnapshot(me, value)
    happen(play)
    me.score = type(value) == "table" and value[1] or nil
  end
end

--- A new actor: a plain table, or one whose fields are behind a metatable with code of its own.
function M.newActor(play)
  local rng = play.rng
  local fields = { x = values.coordinate(play), y = values.coordinate(play), score = 0,
    shape = play:any "Shape" or play.unit, group = rng:chance(0.5) and values.group(play) or nil,
    angle = rng:chance(0.2) and values.angle(play) or nil, static = rng:chance(0.15),
    swept = rng:chance(0.15), sensor = rng:chance(0.1), oneWay = values.oneWay(play),
    ignore = rng:chance(0.15) and values.named(play, "ignore") or nil }
  if fields.shape:kind() == "tiles" and rng:chance(0.9) then
    fields.swept, fields.angle = nil, nil
  end
  local complete = rng:chance(0.6)
  for name, method in pairs(newMethods(play)) do fields[name] = method end
  for _, name in ipairs { "update", "draw", "enter", "hit", "leave" } do
    local always = complete and name ~= "update" and name ~= "draw"
    if rng:chance(0.4) and not always then fields[name] = nil end
  end
  if rng:chance(0.1) then saved(play, fields) end
  local actor = fields
  if rng:chance(0.2) then
    actor = setmetatable({}, {
      __index = function(_, name)
        if (name == "x" or name == "shape") and rng:chance(0.1) then happen(play) end
        return fields[name]
      end,
      __newindex = function(_, name, value)
        if rng:chance(0.05) then happen(play) end
        fields[name] = value
      end,
    })
  end
  fields.me = actor -- in some worlds the field of the table with the place
  journal.addActor(play, actor)
  watch.addActor(play, actor, complete)
  journal.note(play, "new", actor)
  return actor
end

return M
