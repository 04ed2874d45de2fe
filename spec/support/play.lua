-- Random play: moves and disruptions, inside and outside callbacks, drawn from a seed. It runs on
-- any object with the methods of a world. As long as two worlds make the same calls in the same
-- order, they get the same play, so their logs are equal, or first differ where one of them is
-- wrong.
local maps = require "spec.support.maps"
local random = require "spec.support.random"

local M = {}

local Play = {}
Play.__index = Play

local GROUPS = { "red", "green", "blue" }
-- In a world with declared groups, the last one is not a group.
local FILTERS = { "red", { "green", "blue" }, { "default", "red" }, "*", "grey" }
local EVENTS = { "enter", "hit", "leave" }
local BOOM = { "an error that is a table" }

function Play:note(...)
  local n = #self.log + 1
  self.log[n] = table.concat({ ... }, " ")
  return n
end

local function idOf(actor)
  return actor and tostring(actor.id) or "nobody"
end

-- The kind of an error: the play's own or a world's. Any other error is a fault of the play, and is
-- raised again.
local function kindOf(err)
  if err == BOOM then return "boom" end
  if type(err) == "string" and err:find("world:", 1, true) then return "refused" end
  error(err, 0)
end

-- Calls f(…) and catches its error. Nothing inside yields, since Lua 5.1 cannot yield across a
-- pcall.
function Play:protected(f, ...)
  local before, inside = self.mayYield, self.inside
  self.mayYield = false
  local ok, err = pcall(f, ...)
  self.mayYield, self.inside = before, inside
  return ok and "ok" or kindOf(err)
end

function Play:resume(co)
  local before, inside = self.mayYield, self.inside
  self.mayYield = true
  local ok, err = coroutine.resume(co)
  self.mayYield, self.inside = before, inside
  if coroutine.status(co) == "suspended" then
    self.asleep[#self.asleep + 1] = co
    if #self.asleep > 4 then table.remove(self.asleep, 1) end      -- never resumed
    self:note("asleep")
  elseif ok then
    self:note("finished")
  else
    self:note("ended by", kindOf(err))
  end
end

function Play:randomShape()
  local rng, api = self.rng, self.api
  if rng:chance(0.7) then
    return api.rectangle(rng:int(-4, 4), rng:int(-4, 4), rng:int(1, 14), rng:int(1, 14))
  end
  return api.circle(rng:int(-4, 4), rng:int(-4, 4), rng:int(1, 7))
end

-- Tiles with shapes, whose cells may be set later.
function Play:randomTiles()
  local tiles, map = maps.random(self.api, self.rng)
  self.grids[#self.grids + 1] = map
  return tiles
end

-- The disruptions, in a callback or between two frames.
local mischief = {}

local function drop(self, actor)
  self:note("remove", idOf(actor), tostring(self.world:remove(actor)))
end
mischief[1] = function(self, me) drop(self, me) end
mischief[2] = function(self, _, other) drop(self, other) end
mischief[3] = function(self) drop(self, self.rng:pick(self.actors)) end

local function join(self)
  local actor = self.rng:pick(self.actors)
  self:note("add", idOf(actor), self:protected(self.world.add, self.world, actor))
end
for i = 4, 6 do mischief[i] = join end

mischief[7] = function(self)
  if self.rng:chance(0.2) then
    self:note("clear")
    self.world:clear()
  end
end

mischief[8] = function(self, me)
  local actor = self.rng:chance(0.5) and me or self.rng:pick(self.actors)
  actor.x, actor.y = self.rng:int(-10, 40), self.rng:int(-10, 40)
  self:note("assign", idOf(actor))
end

mischief[25] = function(self, me)
  local actor = self.rng:chance(0.5) and me or self.rng:pick(self.actors)
  self:note("teleport", idOf(actor), self:protected(self.world.teleport, self.world, actor,
    self.rng:int(-10, 40), self.rng:int(-10, 40)))
end

-- Makes a query with a random filter and ignored actors; one table takes all answers.
local function ask(self)
  local rng, filter, ignore = self.rng, nil, nil
  if rng:chance(0.6) then filter = rng:pick(FILTERS) end
  if rng:chance(0.3) then
    ignore = rng:pick(self.actors)
  elseif rng:chance(0.5) then
    ignore = { rng:pick(self.actors), rng:pick(self.actors), rng:pick(self.actors) }
  end
  local into = rng:chance(0.7) and self.into or nil
  local x, y, w, h = rng:int(-10, 35), rng:int(-10, 35), rng:int(1, 20), rng:int(1, 20)
  local ids, answered = {}, self:protected(function()
    local list, n = self.world:queryRect(x, y, w, h, filter, ignore, into)
    if into and list ~= into or #list ~= n then error "not the table, or not only the answer" end
    for i = 1, n do self.answer[i] = idOf(list[i]) end
    for i = n + 1, #self.answer do self.answer[i] = nil end
  end)
  if answered == "ok" then ids = self.answer end
  self:note("query", answered, table.concat(ids, ","))
end
mischief[26], mischief[27] = ask, ask

local function refresh(self, actor)
  self:note("refresh", idOf(actor),
    self:protected(self.world.refresh, self.world, actor), tostring(self.world:count()))
end

-- Changes a field that is read only once; a refresh may follow.
local function change(self, actor, field, value)
  actor[field] = value
  self:note("change", field, idOf(actor))
  if self.rng:chance(0.6) then refresh(self, actor) end
end
mischief[9] = function(self)
  change(self, self.rng:pick(self.actors), "shape", self:randomShape())
end
mischief[31] = function(self)
  change(self, self.rng:pick(self.actors), "shape", self:randomTiles())
end
mischief[32] = function(self)
  if #self.grids == 0 then return end
  maps.setCell(self.rng:pick(self.grids), self.rng)
  self:note("cell")
end
mischief[10] = function(self)
  change(self, self.rng:pick(self.actors), "group",
    self.rng:chance(0.1) and "grey" or self.rng:pick(GROUPS))
end
mischief[11] = function(self)
  change(self, self.rng:pick(self.actors), "static", self.rng:chance(0.3))
end

local function toggleMethod(self)
  local actor, event = self.rng:pick(self.actors), self.rng:pick(EVENTS)
  if not actor.complete then
    change(self, actor, event, not actor[event] and self[event] or nil)
  end
end
mischief[30] = function(self)
  change(self, self.rng:pick(self.actors), "swept", self.rng:chance(0.5))
end

mischief[12], mischief[13] = toggleMethod, toggleMethod

mischief[14] = function(self) refresh(self) end

mischief[15] = function(self)
  local a, b, on = self.rng:pick(GROUPS), self.rng:pick(GROUPS), self.rng:chance(0.7)
  if self.rng:chance(0.2) then b = "*" end
  if self.rng:chance(0.4) then on = "first" end
  if self.rng:chance(0.3) then a, b = b, a end
  self.world:setRule(a, b, on)
  self:note(on == "first" and "onesided" or "setRule", a, b, tostring(on))
end

local function raise(self)
  if self.inside > 0 then
    self:note("raise")
    error(BOOM)
  end
end
mischief[16], mischief[17] = raise, raise

mischief[18] = function(self)
  self:note("step inside")
  self:note("step inside was", self:protected(self.world.step, self.world))
end
mischief[19] = function(self)
  if self.inside > 0 then
    self:note("bare step inside")
    self.world:step()
    self:note("bare step inside done")
  end
end

local function sleep(self)
  if self.mayYield then
    self:note("yield")
    coroutine.yield()
    self:note("woken")
  end
end
mischief[20], mischief[21], mischief[22] = sleep, sleep, sleep

mischief[23] = function(self)
  local co = table.remove(self.asleep, self.rng:int(math.max(1, #self.asleep)))
  if co then
    self:note("wake one")
    self:resume(co)
  end
end

mischief[24] = function(self)
  local actor = self.rng:pick(self.actors)
  actor[self.rng:chance(0.5) and "x" or "y"] = self.rng:pick { 0 / 0, 1 / 0, 1e13, "7", false }
  self:note("spoil", idOf(actor))
end

-- The fields in snapshots: a number, and an actor, which may have been removed when one is taken.
local HELD = { "score", "friend" }

local function describe(actor)
  return ("%s:%d:%s"):format(idOf(actor), actor.score, actor.friend and actor.friend.id or "-")
end

mischief[28] = function(self)
  local at, taken = self.rng:int(3), nil
  local how = self:protected(function()
    taken = self.world:snapshot(HELD, self.rng:chance(0.5) and self.snapshots[at] or nil)
  end)
  if how == "ok" then self.snapshots[at] = taken else self.snapshots[at] = nil end
  self:note("snapshot", at, how)
end

mischief[29] = function(self)
  local at = self.rng:int(3)
  if not self.snapshots[at] then return end
  self:note("restore", at, self:protected(self.world.restore, self.world, self.snapshots[at]))
  local list = {}
  for i, actor in ipairs(self.world:actors()) do
    list[i] = describe(actor) .. (" %s %s"):format(actor.x, actor.y)
  end
  self:note("restored", table.concat(list, ", "))
end

function Play:mischief(me, other)
  if self.budget <= 0 then return end
  self.budget = self.budget - 1
  mischief[self.rng:int(#mischief)](self, me, other)
end

-- The body of a callback: logs the call and its arguments, then may cause a disruption.
function Play:told(event, me, other, nx, ny, depth, t)
  local n = self:note(event, idOf(me), idOf(other))
  if nx then
    self.numbers[n] = { nx, ny, depth, t }
    self.answers[n] = self.world.answer or false
    if t then self:note("on the way") end
  end
  me.score = me.score + 1
  if self.rng:chance(0.1) then me.friend = self.rng:chance(0.7) and other or nil end
  local before = self.inside
  self.inside = before + 1
  if not self.calm and self.rng:chance(0.15) then self:mischief(me, other) end
  self.inside = before
end

local function newActors(self, count, area)
  local rng = self.rng
  for _, event in ipairs(EVENTS) do
    self[event] = function(me, other, nx, ny, depth, world, t)
      if event == "leave" then world = nx; nx = nil end
      if world ~= self.world then error("not given its world") end
      self:told(event, me, other, nx, ny, depth, t)
    end
  end
  local function update(me, dt)
    self:note("update", idOf(me), dt)
    me.x = me.x == me.x and type(me.x) == "number" and me.x + rng:int(-3, 3) or me.x
    local before = self.inside
    self.inside = before + 1
    if not self.calm and rng:chance(0.03) then self:mischief(me, rng:pick(self.actors)) end
    self.inside = before
  end
  for i = 1, count do
    local actor = { id = i, score = 0, x = rng:int(0, area), y = rng:int(0, area),
      shape = self:randomShape(),
      group = rng:chance(0.5) and rng:pick(GROUPS) or nil, static = rng:chance(0.15),
      swept = rng:chance(self.swept),
      complete = rng:chance(0.5), update = rng:chance(0.5) and update or nil }
    if rng:chance(self.mapped) then
      actor.shape, actor.static, actor.swept = self:randomTiles(), rng:chance(0.5), false
    end
    for _, event in ipairs(EVENTS) do
      if actor.complete or rng:chance(0.6) then actor[event] = self[event] end
    end
    self.actors[i] = actor
  end
end

-- Logs the answers of the world after a frame.
local function noteState(self)
  local list = {}
  for i, actor in ipairs(self.world:actors()) do list[i] = describe(actor) end
  self:note("actors", self.world:count(), table.concat(list, ","))
  for _, actor in ipairs(self.world:actors()) do
    if self.rng:chance(0.2) then
      self:note("between", idOf(actor), ("%.17g %.17g %.17g"):format(self.world:interpolate(actor,
        0.25)))
    end
  end
  ask(self)
  local whose = self.rng:chance(0.3) and self.world:actors()[1] or nil
  for a, b, nx, ny, depth, t in self.world:hits(whose) do
    local n = self:note("pair", idOf(a), idOf(b))
    self.numbers[n], self.answers[n] = { nx, ny, depth, t }, self.world.answer or false
  end
end

local function heal(self)
  for _, actor in ipairs(self.actors) do
    for _, field in ipairs { "x", "y" } do
      local v = actor[field]
      if type(v) ~= "number" or not (v >= -1e12 and v <= 1e12) then actor[field] = 20 end
    end
  end
end

local function frame(self)
  local rng, world = self.rng, self.world
  heal(self)
  self.budget, self.inside = 12, 0
  for _, actor in ipairs(self.actors) do
    if rng:chance(0.4) then
      actor.x = math.max(-10, math.min(40, actor.x + rng:int(-6, 6)))
      actor.y = math.max(-10, math.min(40, actor.y + rng:int(-6, 6)))
    end
  end
  if rng:chance(0.5) then join(self) end
  -- Many removals and additions, so that the slots of removed actors are used again.
  for _ = 1, self.churn do
    drop(self, rng:pick(self.actors))
    join(self)
  end
  for _ = 1, rng:int(0, 3) do self:mischief(rng:pick(self.actors), rng:pick(self.actors)) end
  local how = rng:int(10)
  if how <= 3 then
    self:note("step", self:protected(world.step, world))
  elseif how <= 5 then
    self:note("update", self:protected(world.update, world, 0.5))
  elseif how <= 8 then
    self:resume(coroutine.create(function() world:step() end))
  else
    self:resume(coroutine.create(function() world:update(0.25) end))
  end
  noteState(self)
end

--- Plays with a new world of `api` (`collide`, or the model). Returns the log (a list of strings),
--- numbers (by index in the log: {nx, ny, depth, t}), answers (by index: the model's answer), and
--- the actors.
function M.run(api, seed, frames, options)
  local rng = random.new(seed)
  local self = setmetatable({ api = api, rng = rng, log = {}, numbers = {}, answers = {},
    actors = {}, into = {}, answer = {}, asleep = {}, snapshots = {}, grids = {},
    mayYield = false, inside = 0, budget = 0,
    churn = rng:chance(0.4) and rng:int(8) or 0, swept = rng:pick { 0, 0, 0.3 },
    mapped = rng:pick { 0, 0, 0.2 } }, Play)
  local all = { touching = rng:chance(0.3), strict = false }
  if rng:chance(0.3) then
    all.rules = { { "red", "green" }, { "default", "*" }, { "blue", "red", "first" } }
  end
  if rng:chance(0.3) then all.groups = GROUPS end
  for k, v in pairs(options or {}) do all[k] = v end
  self.world = api.newWorld(all)
  -- Sometimes a crowd, with more pairs than one batch of events.
  local crowd = rng:chance(0.1)
  newActors(self, crowd and rng:int(25, 40) or rng:int(6, 18), crowd and 10 or 30)
  for _, actor in ipairs(self.actors) do
    if rng:chance(0.8) then self.world:add(actor) end
  end
  for i = 1, frames do
    self:note("frame", i)
    frame(self)
  end
  -- At the end, one quiet step makes all pending calls, then all actors are removed.
  self.calm = true
  heal(self)
  self.world:step()
  self:note("the end")
  self.world:clear()
  self.world:step()
  noteState(self)
  return self
end

return M
