-- The monkey's operations other than calls of the interface: functions of the play, by name.
local journal = require "spec.monkey.journal"
local mischief = require "spec.monkey.mischief"
local values = require "spec.monkey.values"
local watch = require "spec.monkey.watch"

local M = {}

local HERE = debug.getinfo(1, "S").short_src

function M.actor(self)
  self:keep("actor", mischief.newActor(self))
end

-- A function, since it may run a __newindex of mischief.lua.
local function assign(actor, name, value) actor[name] = value end

function M.change(self)
  local actor = self:actor()
  if not actor then return end
  local name, value = values.field(self, 0.9)
  journal.note(self, "change", actor, name, value)
  self:protected(assign, actor, name, value)
end

function M.collect(self)
  journal.note(self, "collect")
  if self.rng:chance(0.05) then collectgarbage() else collectgarbage("step", 50) end
end

function M.forget(self)
  local class = self.rng:pick(self.classNames)
  self:keep(class, nil)
  journal.note(self, "forget", class)
end

-- Resumes a coroutine. If it yields again, it may be resumed later.
local function resume(self, sleeper)
  local before = self.mayYield
  self.mayYield = true
  local ok, err = coroutine.resume(sleeper)
  self.mayYield = before
  if coroutine.status(sleeper) == "suspended" then
    journal.note(self, "asleep")
    self.asleep[#self.asleep + 1] = sleeper
    if #self.asleep > 3 then table.remove(self.asleep, 1) end -- never resumed
  elseif ok then
    journal.note(self, "finished")
  else
    journal.note(self, "ended by " .. journal.message(err))
    if not self:isClean(err, HERE) then self:fail("in a coroutine: %s", tostring(err)) end
  end
end

-- A call in a coroutine, in which callbacks may yield.
function M.asleep(self)
  local rng = self.rng
  local world = self:any "World"
  if not world then return end
  local sleeper = coroutine.create(function()
    if rng:chance(0.5) then world:step() else world:update(0.5) end
  end)
  resume(self, sleeper)
end

function M.wake(self)
  local sleeper = table.remove(self.asleep, self.rng:int(math.max(1, #self.asleep)))
  if sleeper then resume(self, sleeper) end
end

function M.look(self)
  local world = self:any "World"
  if world then watch.look(self, world) end
end

return M
