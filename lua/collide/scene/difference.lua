-- Finds the first difference of two traces: the frame, the actors, and both versions.

local trace = require "collide.scene.trace"

local M = {}

---@class collide.Comparison
local Comparison = {}
Comparison.__index = Comparison

--- Compares two runs frame by frame.
---@param first string the names of both runs in messages
---@param second string
---@param detailsOfFirst? collide.Details
---@param detailsOfSecond? collide.Details
function M.new(first, second, detailsOfFirst, detailsOfSecond)
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
local function place(self, side, frame, named)
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
  place(self, 1, a, named)
  place(self, 2, b, named)
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
  local both = trace.hasDetails(self.details[1], a.number)
    and trace.hasDetails(self.details[2], b.number)
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
function M.traces(a, b)
  local first, second = compareRuns(a, b)
  if first then
    return ("these are different runs\n  %s: %s\n  %s: %s"):format(a.path, first, b.path, second)
  end
  local comparison = M.new(a.path, b.path, a.details, b.details)
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
