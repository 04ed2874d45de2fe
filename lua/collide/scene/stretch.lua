-- Prints the events in a range of frames, with the place of each actor before and after.

local core = require "collide.core"
local numeral = require "collide.scene.numeral"
local who = require "collide.world.describe"

local M = {}

---@class collide.Stretch
local Stretch = {}
Stretch.__index = Stretch

--- Makes a printer of events.
---@param scene collide.Scene
---@param range? collide.Details default: all frames
---@param actor? string a name, group, or number in the order of adding; default: all actors
---@param stream file*
---@return collide.Stretch
function M.new(scene, range, actor, stream)
  return setmetatable({
    scene = scene, range = range, actor = actor, stream = stream, numbers = {}, count = 0,
    isCalled = {}, found = false,
  }, Stretch)
end

local function isShown(self)
  local range, frame = self.range, self.scene.frame
  return not range or frame >= range.first and frame <= range.last
end

-- Gives numbers to actors that are new, in the order of adding.
local function number(self)
  local names = self.scene.world._names
  for _, actor in ipairs(self.scene.world:actors()) do
    if not self.numbers[actor] then
      self.count = self.count + 1
      self.numbers[actor] = self.count
      local name, group = names.name and actor[names.name], names.group and actor[names.group]
      self.isCalled[actor] = self.actor == nil or self.actor == tostring(self.count)
        or name ~= nil and self.actor == tostring(name) or self.actor == group
      self.found = self.found or self.isCalled[actor]
    end
  end
end

local function place(self, actor)
  local names = self.scene.world._names
  local angle = names.angle and actor[names.angle] or 0
  local text = core.describe(actor[names.x], true) .. ", " .. core.describe(actor[names.y], true)
  return angle ~= 0 and ("%s, angle %s"):format(text, core.describe(angle, true)) or text
end

-- The description of an actor without its place, which is printed after it.
local function label(self, actor)
  return (who.is(self.scene.world, actor):gsub(",? ?%(?at [^()]-%)$", function(at)
    return at:sub(1, 1) == "," and ")" or ""
  end))
end

local function begin(self)
  if self.begun then return end
  self.begun = true
  number(self)
  self.stream:write(("frame %d\n"):format(self.scene.frame))
  if not self.actor then return end
  for _, actor in ipairs(self.scene.world:actors()) do
    if self.isCalled[actor] then
      self.stream:write(("  %s at %s\n"):format(label(self, actor), place(self, actor)))
    end
  end
end

local function now(self, told)
  local after = place(self, told.actor)
  return after == told.before and "at " .. after or ("at %s -> %s"):format(told.before, after)
end

-- Prints the last event, after its callback has returned.
local function finish(self)
  local told = self.told
  if not told then return end
  self.told = nil
  local line = ("  %-7s %s"):format(told.event, told.subject)
  if told.actor then line = line .. " " .. now(self, told) end
  if told.other then line = ("%s; %s %s"):format(line, label(self, told.other.actor),
    now(self, told.other)) end
  self.stream:write(line, told.how, "\n")
end

local function short(value)
  return numeral.short(value, 6)
end

--- Takes the arguments of a trace function, see world:trace.
function Stretch:note(event, _, a, b, nx, ny, depth, bullet, _, _, other)
  if not isShown(self) then return end
  begin(self)
  finish(self)
  local isBullet = bullet ~= nil
  if not (isBullet and not self.actor or self.isCalled[a] or b and self.isCalled[b]) then return end
  local told = { event = event, how = "" }
  if isBullet then
    told.subject = ("bullet %d"):format(bullet)
    if other then told.how = ("; bullet %d"):format(other) end
  else
    told.subject, told.actor, told.before = label(self, a), a, place(self, a)
  end
  if b and not other then told.other = { actor = b, before = place(self, b) } end
  if nx then
    told.how = ("%s; way out %s, %s, %s %s"):format(told.how, short(nx), short(ny),
      isBullet and "t" or "depth", short(depth))
  end
  self.told = told
end

--- Ends a frame.
function Stretch:finish()
  if not isShown(self) then return end
  begin(self)
  finish(self)
  self.begun = false
end

return M
