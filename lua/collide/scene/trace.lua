-- Traces: the events of a run of a scene and the places of all actors, recorded frame by frame,
-- written to a file, and read from it.
--
-- A file begins with the settings and keys that play the same run again, see input.lua. Then each
-- frame has a line with its number, hits and hash. Frames with details also have lines for each new
-- actor, each actor that has moved, and each event. Actors are numbered in the order of adding.
-- Places are those that the step has read.

local require = require "collide.relative"
local collide = require "collide"
local core = require "collide.core"
local files = require "collide.files"
local input = require "collide.scene.input"
local scenes = require "collide.scene"
local texts = require "collide.scene.text"
local reader = require "collide.world.reader"

local M = {}

local exact = texts.exact

local TITLE = "collide trace 1"

---@class collide.TraceFrame
---@field number integer
---@field sum string the number of hits, and the world's hash
---@field actors string[] `12 actor 12 "boss" (group "foe")` for each new one with a name or group
---@field places string[] `12 10 20 0`: an actor's number, x, y and angle
---@field events string[] `hit 12 5 0 -1 2.5`: the event, its two actors, and its values

---@class collide.Details
---@field first integer
---@field last integer the last frame with details

---@class collide.Trace
---@field scene string its name
---@field settings table as input.options returns them
---@field lines collide.Held[] the input
---@field details collide.Details? nil if all frames have details
---@field frames collide.TraceFrame[]

--- Whether a trace has details of a frame.
---@param details collide.Details?
function M.hasDetails(details, frame)
  return not details or frame >= details.first and frame <= details.last
end

-- Recording -----------------------------------------------------------------------

---@class collide.TraceRecorder
local Recorder = {}
Recorder.__index = Recorder

--- Makes a recorder. The world's trace must call `note`; call `finish` after each frame.
---@param scene collide.Scene
---@param details? collide.Details
---@return collide.TraceRecorder
function M.recorder(scene, details)
  return setmetatable({
    scene = scene, details = details, kept = {}, numbers = {}, count = 0, last = {}, pools = {},
    poolCount = 0,
  }, Recorder)
end

-- A value on one line, quoted so that nothing in a name can be mistaken for something else.
local function quoted(value)
  local text = core.describe(value)
  local inside = text:match('^string "(.*)"$')
  return inside and ('"%s"'):format(inside:gsub('"', "\\034")) or text
end

-- The description of an actor with a name or group; nil for any other actor.
local function describe(actor, number, names)
  local name, group = names.name and actor[names.name], names.group and actor[names.group]
  if name == nil and group == nil then return nil end
  local text = "actor " .. number
  if type(name) == "string" or type(name) == "number" then text = text .. " " .. quoted(name) end
  if type(group) == "string" then text = ("%s (group %s)"):format(text, quoted(group)) end
  return text
end

-- Begins a frame: records the places of all actors as the step has read them, before any callback.
local function look(self)
  local names = self.scene.world._names
  local frame = { number = self.scene.frame, actors = {}, places = {}, events = {} }
  self.present = frame
  for _, actor in ipairs(self.scene.world:actors()) do
    local number = self.numbers[actor]
    if not number then
      self.count = self.count + 1
      number = self.count
      self.numbers[actor] = number
      local called = describe(actor, number, names)
      if called then table.insert(frame.actors, ("%d %s"):format(number, called)) end
    end
    local _, x, y, angle = reader.placeOf(actor, names)
    local place = ("%d %s %s %s"):format(number, exact(x), exact(y), exact(angle))
    if self.last[actor] ~= place then
      self.last[actor] = place
      table.insert(frame.places, place)
    end
  end
  return frame
end

local function poolNumber(self, pool)
  if not self.pools[pool] then
    self.poolCount = self.poolCount + 1
    self.pools[pool] = self.poolCount
  end
  return self.pools[pool]
end

local function values(out, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if value ~= nil then out[#out + 1] = exact(value) end
  end
  return table.concat(out, " ")
end

--- Takes the arguments of a trace function, see world:trace.
function Recorder:note(event, _, a, b, nx, ny, depth, bullet, x, y, other)
  if not M.hasDetails(self.details, self.scene.frame) then return end
  local frame = self.present or look(self)
  local text
  if not bullet then
    text = values({ event, self.numbers[a] or 0, self.numbers[b] or 0 }, nx, ny, depth)
  else
    local out = { event, "bullet", exact(bullet), "pool", poolNumber(self, a) }
    if other then
      out[6], out[7], out[8], out[9] = "bullet", exact(other), "pool", poolNumber(self, b)
    elseif b then
      out[6], out[7] = "actor", self.numbers[b] or 0
    end
    text = values(out, nx, ny, depth, x, y)
  end
  table.insert(frame.events, text)
end

--- Ends a frame.
---@return collide.TraceFrame
function Recorder:finish()
  local world = self.scene.world
  local frame = self.present
  if not frame and M.hasDetails(self.details, self.scene.frame) then frame = look(self) end
  frame = frame or { number = self.scene.frame, actors = {}, places = {}, events = {} }
  frame.sum = ("hits %d hash %s"):format(world:stats().hits or 0, world:hash())
  self.present = nil
  return frame
end

-- Writing ---------------------------------------------------------------------------

local function put(out, prefix, list)
  for _, text in ipairs(list) do out[#out + 1] = prefix .. text end
end

local function frameText(frame)
  local out = { ("frame %d %s"):format(frame.number, frame.sum) }
  put(out, "new ", frame.actors)
  put(out, "at ", frame.places)
  put(out, "", frame.events)
  return table.concat(out, "\n")
end

--- Ends a frame as `finish` does, and keeps it for the file.
function Recorder:keep()
  self.kept[#self.kept + 1] = frameText(self:finish())
end

--- The text of a file with the frames that were kept.
---@return string
function Recorder:text()
  local head = { TITLE, "scene " .. self.scene.name,
    ("version %s, %s"):format(collide._VERSION, _VERSION) }
  local details = self.details
  if details then head[4] = ("details %d-%d"):format(details.first, details.last) end
  return table.concat(head, "\n") .. "\n" .. input.settings(self.scene) .. "\n"
    .. table.concat(self.kept, "\n") .. "\n"
end

--- Plays frames of the scene, and calls `finish` after each. If that returns a true value, playing
--- ends, and the value is returned.
---@param frames integer
---@param finish fun(recorder: collide.TraceRecorder): any
function Recorder:play(frames, finish)
  local found
  self.scene.world:trace(function(...) self:note(...) end)
  for _ = 1, frames do
    scenes.step(self.scene)
    found = finish(self)
    if found then break end
  end
  self.scene.world:trace(nil)
  return found
end

-- Reading ----------------------------------------------------------------------------

local KEYS = { new = "actors", at = "places" }

local function readFrames(path, text, number)
  local frames, frame = {}, nil
  for line in text:gmatch("[^\n]+") do
    number = number + 1
    local word, rest = line:match("^(%a+) (.*)$")
    local isRead = frame and word
    if word == "frame" then
      local at, sum = rest:match("^(%d+) (hits %d+ hash %d+)$")
      frame = { number = #frames + 1, sum = sum, actors = {}, places = {}, events = {} }
      isRead = tonumber(at) == frame.number
      if isRead then frames[frame.number] = frame end
    elseif isRead then
      local key = KEYS[word]
      table.insert(key and frame[key] or frame.events, key and rest or line)
    end
    if not isRead then
      return nil, ("%s:%d: line expected (frame %d, or an event of one), got %s"):format(path,
        number, #frames + 1, core.describe(line))
    end
  end
  return frames
end

--- Reads a file.
---@param path string
---@return collide.Trace? trace
---@return string? message
function M.read(path)
  local text, why = files.read(path)
  if not text then return nil, "cannot read the trace: " .. why end
  text = text:gsub("\r\n", "\n")
  local head, body = text:match("^(.-\n)\n(.*)$")
  if not head or head:sub(1, #TITLE + 1) ~= TITLE .. "\n" then
    return nil, ("%s: trace expected (a file that begins with %q), got %s"):format(path, TITLE,
      core.describe(text:match("^[^\n]*")))
  end
  local trace = { path = path, scene = head:match("\nscene ([^\n]*)"), settings = {} }
  local first, last = head:match("\ndetails (%d+)%-(%d+)\n")
  if first then trace.details = { first = tonumber(first), last = tonumber(last) } end
  -- Lines that are not for input.lua become comments, so that its messages have the file's line
  -- numbers.
  local rest = ("\n" .. head):gsub("\n(%a+) ([^\n]*)", function(word)
    if word == "collide" or word == "scene" or word == "version" or word == "details" then
      return "\n#"
    end
  end):sub(2)
  local message
  trace.lines, message = input.parse(rest, path:gsub("%%", "%%%%") .. ":%d: line", trace.settings)
  if not trace.lines then return nil, message end
  local _, lines = head:gsub("\n", "")
  trace.frames, message = readFrames(path, body, lines + 1)
  if not trace.frames then return nil, message end
  return trace
end

-- Comparing two traces -----------------------------------------------------------

---@class collide.Comparison
local Comparison = {}
Comparison.__index = Comparison

--- Compares two runs frame by frame.
---@param first string the names of both runs in messages
---@param second string
---@param detailsOfFirst? collide.Details
---@param detailsOfSecond? collide.Details
function M.comparison(first, second, detailsOfFirst, detailsOfSecond)
  return setmetatable({
    names = { first, second }, details = { detailsOfFirst, detailsOfSecond },
    places = { {}, {} }, labels = {},
  }, Comparison)
end

local function labelOf(self, number)
  return self.labels[number] or "actor " .. number
end

-- A place as text, from "x y angle".
local function placeText(place)
  if not place then return "not there" end
  local x, y, angle = place:match("^(%S+) (%S+) (%S+)$")
  if not x then return "at " .. place end -- a damaged line
  return angle == "0" and ("at %s, %s"):format(x, y) or ("at %s, %s, angle %s"):format(x, y, angle)
end

local DEPTH = { hit = "depth", enter = "depth" }

-- An event as a sentence.
local function eventText(self, event)
  if not event then return "no call" end
  local what, a, b, rest = event:match("^(%a+) (%d+) (%d+)(.*)$")
  local numbers = {}
  local who
  if what then
    who = ("%s %s %s"):format(labelOf(self, tonumber(a)), what, labelOf(self, tonumber(b)))
  else
    local bullet, pool
    what, bullet, pool, rest = event:match("^(%a+) bullet (%d+) pool (%d+)(.*)$")
    who = ("bullet %s of pool %s %s"):format(bullet or "?", pool or "?", what or event)
    local other, otherPool, after = (rest or ""):match("^ bullet (%d+) pool (%d+)(.*)$")
    local actor, afterActor = (rest or ""):match("^ actor (%d+)(.*)$")
    if other then
      who, rest = ("%s bullet %s of pool %s"):format(who, other, otherPool), after
    elseif actor then
      who, rest = ("%s %s"):format(who, labelOf(self, tonumber(actor))), afterActor
    end
  end
  for number in (rest or ""):gmatch("%S+") do numbers[#numbers + 1] = number end
  if #numbers >= 2 then who = ("%s, way out %s, %s"):format(who, numbers[1], numbers[2]) end
  if #numbers == 3 and DEPTH[what] then who = who .. ", depth " .. numbers[3] end
  if #numbers > 3 then
    who = ("%s, t %s, at %s, %s"):format(who, numbers[3], numbers[4] or "?", numbers[5] or "?")
  end
  return who
end

-- Updates the places of one side from a frame, and appends the numbers of the actors in it to
-- `named`.
local function takePlaces(self, side, frame, named)
  for _, text in ipairs(frame.places) do
    local number, at = text:match("^(%d+) (.*)$")
    number = tonumber(number) or 0
    self.places[side][number] = at
    named[#named + 1] = number
  end
end

local function found(self, frame, headline, first, second)
  return ("frame %d: %s\n  %s: %s\n  %s: %s"):format(frame, headline, self.names[1], first,
    self.names[2], second)
end

local function comparePlaces(self, a, b)
  local named = {}
  takePlaces(self, 1, a, named)
  takePlaces(self, 2, b, named)
  table.sort(named)
  local concerned, which, last = 0, nil, nil
  for _, number in ipairs(named) do
    if number ~= last and self.places[1][number] ~= self.places[2][number] then
      concerned = concerned + 1
      which = which or number
    end
    last = number
  end
  if not which then return nil end
  local more = concerned > 1 and (" and %d more are elsewhere"):format(concerned - 1)
    or " is elsewhere"
  return found(self, a.number, labelOf(self, which) .. more,
    placeText(self.places[1][which]), placeText(self.places[2][which]))
end

local function compareEvents(self, a, b)
  for i = 1, math.max(#a.events, #b.events) do
    local first, second = a.events[i], b.events[i]
    if first ~= second then
      return found(self, a.number, ("event %d differs"):format(i),
        eventText(self, first), eventText(self, second))
    end
  end
end

local function nameActors(self, frame)
  for _, text in ipairs(frame.actors) do
    local number, label = text:match("^(%d+) (.*)$")
    self.labels[tonumber(number) or 0] = label
  end
end

--- Compares the next frame of both runs; returns nil, or the difference.
---@param a collide.TraceFrame
---@param b collide.TraceFrame
---@return string?
function Comparison:frame(a, b)
  nameActors(self, a)
  nameActors(self, b)
  local both = M.hasDetails(self.details[1], a.number)
    and M.hasDetails(self.details[2], b.number)
  local different = both and (comparePlaces(self, a, b) or compareEvents(self, a, b))
  if different then return different end
  if a.sum ~= b.sum then
    return found(self, a.number, "the world differs", a.sum, b.sum)
  end
end

local SETTINGS = { "seed", "dt" }

-- The first setting in which two runs differ: both values as text, or nil.
local function compareRuns(a, b)
  local function list(settings)
    local out = {}
    for _, name in ipairs(SETTINGS) do out[#out + 1] = name .. " " .. tostring(settings[name]) end
    local sets = {}
    for _, set in ipairs(settings.set or {}) do sets[#sets + 1] = set.key .. "=" .. set.value end
    table.sort(sets)
    for _, set in ipairs(sets) do out[#out + 1] = set end
    return out
  end
  if a.scene ~= b.scene then return "scene " .. a.scene, "scene " .. b.scene end
  local first, second = list(a.settings), list(b.settings)
  for i = 1, math.max(#first, #second) do
    if first[i] ~= second[i] then return first[i] or "nothing", second[i] or "nothing" end
  end
end

--- Compares two traces; returns nil, or the first difference.
---@param a collide.Trace
---@param b collide.Trace
---@return string?
function M.diff(a, b)
  local first, second = compareRuns(a, b)
  if first then
    return ("these are different runs\n  %s: %s\n  %s: %s"):format(a.path, first, b.path, second)
  end
  local comparison = M.comparison(a.path, b.path, a.details, b.details)
  for i = 1, math.min(#a.frames, #b.frames) do
    local different = comparison:frame(a.frames[i], b.frames[i])
    if different then return different end
  end
  if #a.frames ~= #b.frames then
    return ("the same up to frame %d\n  %s: %d frames\n  %s: %d frames"):format(
      math.min(#a.frames, #b.frames), a.path, #a.frames, b.path, #b.frames)
  end
end

return M
