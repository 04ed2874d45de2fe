-- A field of actors of every kind of shape, the same in a world for each broad phase, and the
-- correct answers to queries of these worlds, by testing every actor in plain Lua
-- (spec/support/solid.lua). Queries see the world as of the last step, with later additions,
-- refreshes and removals: `seen` is that state.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local solid = require "spec.support.solid"
local zoo = require "spec.support.zoo"

local Field = {}
Field.__index = Field

local M = {}

local EPS = 1e-9
local GROUPS = { "default", "red", "green", "blue" }

-- Random fields for an actor's table, the same in every world; `seen` has copies of them.
local function newFields(self)
  local rng, fields = self.rng, {}
  fields.shape, fields.body = zoo.any(rng, self.size)
  fields.x, fields.y = rng:float(-self.far, self.far), rng:float(-self.far, self.far)
  fields.angle = rng:chance(0.7) and rng:float(-4, 4) or nil
  fields.group = rng:chance(0.7) and rng:pick(GROUPS) or nil
  fields.static = rng:chance(0.2) or nil
  return fields
end

local READ = { "x", "y", "angle", "shape", "group", "static" }

local function assign(self, id, fields)
  self.fields[id] = fields
  for _, actors in ipairs(self.actors) do
    for _, name in ipairs(READ) do actors[id][name] = fields[name] end
  end
end

local function look(self, id, placeOnly)
  local now, was = self.fields[id], self.seen[id]
  local from = placeOnly and was or now
  self.seen[id] = { x = now.x, y = now.y, angle = now.angle, shape = from.shape, body = from.body,
    reach = placeOnly and was.reach or solid.reach(from.body), group = from.group or "default",
    static = from.static }
end

--- A field of `n` actors of about `size`, up to `far` from 0, 0.
function M.new(rng, n, size, far)
  local self = setmetatable({ rng = rng, size = size, far = far, worlds = {}, actors = {},
    fields = {}, seen = {}, order = {}, count = 0 }, Field)
  for i, broadphase in ipairs(broadphases) do
    -- The hinted field covers only a part of the actors.
    self.worlds[i] = collide.newWorld { broadphase = broadphase, width = far, height = far,
      strict = false }
    self.actors[i] = {}
  end
  for _ = 1, n do self:add() end
  return self
end

function Field:add()
  local id = self.count + 1
  self.count = id
  for i, world in ipairs(self.worlds) do
    self.actors[i][id] = { id = id, world = world }
  end
  assign(self, id, newFields(self))
  self:enter(id)
end

-- Adds an actor (again): it comes last.
function Field:enter(id)
  for i, world in ipairs(self.worlds) do world:add(self.actors[i][id]) end
  self.order[#self.order + 1] = id
  look(self, id)
end

function Field:remove(id)
  for i, world in ipairs(self.worlds) do world:remove(self.actors[i][id]) end
  for k, other in ipairs(self.order) do
    if other == id then table.remove(self.order, k) break end
  end
  self.seen[id] = nil
end

function Field:refresh(id)
  for i, world in ipairs(self.worlds) do world:refresh(id and self.actors[i][id]) end
  for _, each in ipairs(id and { id } or self.order) do look(self, each) end
end

function Field:step()
  for _, world in ipairs(self.worlds) do world:step() end
  for _, id in ipairs(self.order) do
    if not self.seen[id].static then look(self, id, true) end
  end
end

--- Changes a fraction of everything, and steps now and then.
function Field:stir(share)
  local rng = self.rng
  for id = 1, self.count do
    if rng:chance(share) then
      local fields, what = newFields(self), rng:int(6)
      if what <= 3 then fields.shape, fields.body = self.fields[id].shape, self.fields[id].body end
      assign(self, id, fields)
      if what == 1 and self.seen[id] then self:refresh(id) end
      if what == 2 and self.seen[id] then self:remove(id) end
      if what == 3 and not self.seen[id] then self:enter(id) end
    end
  end
  for _ = 1, rng:int(3) do self:add() end
  if rng:chance(0.4) then self:step() end
  if rng:chance(0.1) then self:refresh() end
end

--- A random filter of any kind: the argument for a world, and an equivalent function of a record
--- and an id.
function Field:filter()
  local rng, what = self.rng, self.rng:int(7)
  if what == 1 then return nil, function() return true end end
  if what == 2 then return "*", function() return true end end
  if what == 3 then
    local name = rng:pick(GROUPS)
    return name, function(seen) return seen.group == name end
  end
  if what == 4 then
    local a, b = rng:pick(GROUPS), rng:pick(GROUPS)
    return { a, b }, function(seen) return seen.group == a or seen.group == b end
  end
  if what == 5 then
    return { "nobody" }, function() return false end
  end
  local odd = what == 6 and 1 or 0
  return function(actor) return actor.id % 2 == odd end,
    function(_, id) return id % 2 == odd end
end

--- The actors that a query ignores, as a set of ids: none, one or many.
function Field:ignored()
  local rng, set = self.rng, {}
  for _ = 1, rng:pick { 0, 0, 0, 1, 1, 3, 40 } do set[rng:int(self.count)] = true end
  return set
end

--- The same as an argument for a world whose actors have these ids.
function M.ignore(actors, ignored)
  local list = {}
  for id in pairs(ignored) do list[#list + 1] = actors[id] end
  if #list < 2 then return list[1] end
  return list
end

--- Calls found(id, record) for every actor that a query may find.
function Field:each(accepts, ignored, found)
  for _, id in ipairs(self.order) do
    local seen = self.seen[id]
    if not ignored[id] and accepts(seen, id) then found(id, seen) end
  end
end

local function solidOf(seen)
  seen.solid = seen.solid or solid.placed(seen.body, seen.x, seen.y, seen.angle)
  return seen.solid
end

--- The solid of an actor as queries see it, and a placed table.
function Field:bodyOf(id)
  return solidOf(self.seen[id])
end

function Field:seenPlaced(id)
  local seen = self.seen[id]
  return { shape = seen.shape, x = seen.x, y = seen.y, angle = seen.angle }
end

-- Whether a record may come within `room` of x, y.
local function mayReach(seen, x, y, room)
  local dx, dy, r = seen.x - x, seen.y - y, seen.reach + room + 1e-6
  return dx * dx + dy * dy <= r * r
end

--- The ids of all actors that overlap `what`, which reaches `room` from x, y; nil when one is too
--- near to touching to decide.
function Field:overlapping(what, x, y, room, accepts, ignored)
  local ids, undecided = {}, false
  self:each(accepts, ignored, function(id, seen)
    if not mayReach(seen, x, y, room) then return end
    local gap = solid.gap(what, solidOf(seen))
    if math.abs(gap) < EPS then undecided = true end
    if gap < 0 then ids[#ids + 1] = id end
  end)
  return not undecided and ids or nil
end

--- The k nearest actors, as a list of { id =, distance = }; nil when two distances are too close to
--- decide their order, or when not all are within `room`.
function Field:nearest(x, y, k, room, accepts, ignored)
  local list, point, undecided = {}, solid.point(x, y), false
  self:each(accepts, ignored, function(id, seen)
    if not mayReach(seen, x, y, room) then return end
    local gap = solid.gap(point, solidOf(seen))
    list[#list + 1] = { id = id, distance = math.max(0, gap), place = #list }
  end)
  table.sort(list, function(p, q)
    if p.distance ~= q.distance then return p.distance < q.distance end
    return p.place < q.place
  end)
  for i = 2, #list do
    local d = list[i].distance - list[i - 1].distance
    if d < EPS and list[i].distance > 0 then undecided = true end
  end
  while #list > k do list[#list] = nil end
  local enough = room == math.huge or #list == k and list[k].distance < room
  return enough and not undecided and list or nil
end

--- The actors that `mover` meets on its way, as a list of { id =, t =, inside = } by t; nil when
--- two are too close to decide their order, or one may only touch.
function Field:casts(mover, x, y, reach, dx, dy, accepts, ignored)
  local list, undecided = {}, false
  local length = math.sqrt(dx * dx + dy * dy)
  self:each(accepts, ignored, function(id, seen)
    if not mayReach(seen, x + dx / 2, y + dy / 2, length / 2 + reach) then return end
    local body = solidOf(seen)
    if math.abs(solid.gap(mover, body)) < EPS then undecided = true end
    local t, inside = solid.cast(mover, dx, dy, body)
    if t then
      list[#list + 1] = { id = id, t = t, inside = inside, place = #list }
      if t > 1 - EPS then undecided = true end
    end
  end)
  table.sort(list, function(p, q)
    if p.t ~= q.t then return p.t < q.t end
    return p.place < q.place
  end)
  for i = 2, #list do
    if list[i].t - list[i - 1].t < EPS and list[i].t > 0 then undecided = true end
  end
  return not undecided and list or nil
end

--- The ids of a list of actors. Checks that there are n.
function M.ids(list, n)
  local ids = {}
  for i = 1, n do ids[i] = list[i].id end
  assert(#list == n, ("a list of %d, but n is %d"):format(#list, n))
  return ids
end

--- Calls ask(world, actors, broad phase) for every world.
function Field:ask(ask)
  for i, world in ipairs(self.worlds) do ask(world, self.actors[i], broadphases[i]) end
end

return M
