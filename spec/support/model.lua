-- A reference model of a world in plain Lua, written from the contract alone: rectangles, circles
-- and tiles at angle 0. It tests every pair, and follows the rules of a step literally. It
-- has the methods of a world that model_spec uses, so the same play can run on both.
--
-- A member stands for one membership of an actor: adding the actor again makes a new member. For
-- each direction between two members there is a record of the calls made.
local meetings = require "spec.support.meetings"
local oracle = require "spec.support.oracle"
local pieces = require "spec.support.pieces"

local World = {}
World.__index = World

local M = { rectangle = oracle.rectangle, circle = oracle.circle, newGrid = pieces.newGrid,
  polygon = pieces.polygon, tiles = pieces.tiles }

local EVENTS = { "enter", "hit", "leave" }
local homes = setmetatable({}, { __mode = "k" })

function M.newWorld(options)
  local self = setmetatable({
    members = {},       -- actor → member, the present ones
    all = {},           -- every member that there has been
    order = {},         -- members in the order of adding, absent ones until the next step
    nextId = 1,
    told = {},          -- "id:id" → { from =, to =, state = "told" or "ended" }
    pairsOfStep = {},
    dispatch = 0,       -- the number of the only dispatch that may still make calls
    restores = 0,
    touching = options.touching or false,
    rules = {},
    listed = options.rules ~= nil,
    declared = options.groups and { default = true },
  }, World)
  for _, name in ipairs(options.groups or {}) do self.declared[name] = true end
  for _, rule in ipairs(options.rules or {}) do self:setRule(rule[1], rule[2], rule[3] or true) end
  return self
end

local function number(actor, field)
  local v = actor[field]
  if type(v) ~= "number" or not (v >= -1e12 and v <= 1e12) then
    error("world: bad " .. field)
  end
  return v
end

local function checkGroup(self, name)
  if self.declared and not self.declared[name] then error("world: no such group") end
end

-- The fields that add and refresh read, checked before anything changes.
local function read(self, actor)
  local fields = { x = number(actor, "x"), y = number(actor, "y"), shape = actor.shape,
    group = actor.group or "default", static = actor.static or false,
    swept = actor.swept or false }
  if type(fields.shape) ~= "table" then error("world: bad shape") end
  if fields.shape.kind == "tiles" and fields.swept then error("world: tiles are not swept") end
  checkGroup(self, fields.group)
  return fields
end

local function assign(member, fields)
  for k, v in pairs(fields) do member[k] = v end
  member.fromX, member.fromY = member.x, member.y -- a jump: there was no way
  member.unread = true -- which of enter, hit, leave exist is read at the next step
  member.unreadUpdate = true
end

function World:add(actor)
  if homes[actor] then error("world: already in one") end
  local fields = read(self, actor)
  local member = { actor = actor, id = self.nextId, present = true, hears = {} }
  self.nextId = self.nextId + 1
  assign(member, fields)
  homes[actor] = self
  self.members[actor] = member
  self.order[#self.order + 1] = member
  self.all[#self.all + 1] = member
  return actor
end

function World:remove(actor)
  local member = self.members[actor]
  if not member then return false end
  member.present = false
  self.members[actor] = nil
  homes[actor] = nil
  return true
end

function World:clear()
  for _, actor in ipairs(self:actors()) do self:remove(actor) end
end

function World:has(actor)
  return self.members[actor] ~= nil
end

function World:actors()
  local list = {}
  for _, member in ipairs(self.order) do
    if member.present then list[#list + 1] = member.actor end
  end
  return list
end

function World:count()
  return #self:actors()
end

function World:refresh(actor)
  local list = actor and { actor } or self:actors()
  local fields = {}
  for i, each in ipairs(list) do
    if not self.members[each] then error("world: not in this one") end
    fields[i] = read(self, each)
  end
  for i, each in ipairs(list) do assign(self.members[each], fields[i]) end
end

function World:teleport(actor, x, y)
  local member = self.members[actor]
  if not member then error("world: not in this one") end
  actor.x, actor.y = x, y
  member.x, member.y, member.fromX, member.fromY = x, y, x, y
end

function World:interpolate(actor, alpha)
  local member = self.members[actor]
  if self.spoilt then return member.x, member.y, 0 end
  return member.fromX + (member.x - member.fromX) * alpha,
    member.fromY + (member.y - member.fromY) * alpha, 0
end

-- The actors whose shapes overlap or touch a rectangle at the place that was read last: of one
-- group or of several, without the ignored ones.
function World:queryRect(x, y, w, h, filter, ignore, into)
  local list, groups = into or {}, type(filter) == "string" and { filter } or filter
  for i = #list, 1, -1 do list[i] = nil end
  for _, name in ipairs(groups or {}) do
    if name ~= "*" then checkGroup(self, name) end
  end
  local shape = M.rectangle(x, y, w, h)
  for _, member in ipairs(self.order) do
    local meant = not groups
    for _, name in ipairs(groups or {}) do
      meant = meant or name == "*" or name == member.group
    end
    for _, actor in ipairs(ignore or {}) do meant = meant and actor ~= member.actor end
    if member.present and meant and ignore ~= member.actor
      and oracle.overlap(shape, 0, 0, member.shape, member.x, member.y, true) then
      list[#list + 1] = member.actor
    end
  end
  return list, #list
end

function World:setRule(a, b, on)
  for _, name in ipairs { a, b } do
    if name ~= "*" then checkGroup(self, name) end
  end
  self.rules[#self.rules + 1] = { a = a, b = b, on = on }
end

local function matches(rule, x, y)
  return (rule.a == "*" or rule.a == x) and (rule.b == "*" or rule.b == y)
end

-- The last rule about both groups decides.
local function ruleOf(self, a, b)
  for i = #self.rules, 1, -1 do
    local rule = self.rules[i]
    if matches(rule, a, b) or matches(rule, b, a) then return rule end
  end
end

local function groupsHit(self, a, b)
  local rule = ruleOf(self, a, b)
  if rule then return rule.on and true end
  return not self.listed
end

-- Whether an actor of group a gets callbacks about one of group b.
local function isTold(self, a, b)
  local rule = ruleOf(self, a, b)
  return not rule or rule.on ~= "first" or matches(rule, a, b)
end

-- Two statics, or two maps, never hit each other.
local function mayHit(self, a, b)
  return not (a.static and b.static or a.shape.kind == "tiles" and b.shape.kind == "tiles")
    and groupsHit(self, a.group, b.group)
end

function World:canHit(a, b)
  if type(a) == "string" then
    checkGroup(self, a)
    checkGroup(self, b)
    return groupsHit(self, a, b)
  end
  local first, second = self.members[a], self.members[b]
  return mayHit(self, first, second)
end

-- Reads the positions of all moving actors, and which methods actors have. If it raises an error,
-- nothing has changed.
local function pull(self)
  local moved = {}
  for _, member in ipairs(self.order) do
    if member.present and not member.static then
      self.spoilt = true -- until all have been read
      moved[#moved + 1] = { member, number(member.actor, "x"), number(member.actor, "y") }
    end
  end
  self.spoilt = false
  for _, m in ipairs(moved) do
    m[1].fromX, m[1].fromY = m[1].x, m[1].y
    m[1].x, m[1].y = m[2], m[3]
  end
  local order = {}
  for _, member in ipairs(self.order) do
    if member.present then
      order[#order + 1] = member
      if member.unread then
        member.unread = false
        for _, event in ipairs(EVENTS) do member.hears[event] = member.actor[event] and true end
      end
    end
  end
  self.order = order
end

-- How a gets free of b at their current places, or else where they met on their way.
local function meet(self, a, b)
  local hit = oracle.overlap(a.shape, a.x, a.y, b.shape, b.x, b.y, self.touching)
  if hit or not (a.swept or b.swept) then return hit end
  local fromX, fromY = a.fromX - b.fromX, a.fromY - b.fromY
  return meetings.meet(a.shape, b.shape, fromX, fromY, a.x - b.x - fromX, a.y - b.y - fromY,
    self.touching)
end

local function find(self)
  local found, isHit = {}, {}
  for i, a in ipairs(self.order) do
    for j = i + 1, #self.order do
      local b = self.order[j]
      if mayHit(self, a, b) then
        local hit = meet(self, a, b)
        if hit then
          local pair = { a = a, b = b, hit = hit, back = oracle.reversed(hit),
            tellA = isTold(self, a.group, b.group), tellB = isTold(self, b.group, a.group) }
          found[#found + 1] = pair
          isHit[a.id .. ":" .. b.id] = pair.tellA
          isHit[b.id .. ":" .. a.id] = pair.tellB
        end
      end
    end
  end
  return found, isHit
end

-- The directions that are due a leave, since their pair has ended or no longer gets callbacks,
-- whatever the next steps find. Sorted by first, then second; that of the first comes before.
local function ended(self, isHit)
  local list = {}
  for key, record in pairs(self.told) do
    if not isHit[key] then record.state = "ended" end
    if record.state == "ended" then list[#list + 1] = record end
  end
  local function place(record)
    local a, b = record.from.id, record.to.id
    return math.min(a, b), math.max(a, b), a
  end
  table.sort(list, function(p, q)
    local p1, p2, p3 = place(p)
    local q1, q2, q3 = place(q)
    if p1 ~= q1 then return p1 < q1 end
    if p2 ~= q2 then return p2 < q2 end
    return p3 < q3
  end)
  return list
end

local function call(self, member, event, other, hit)
  local method = member.hears[event] and member.actor[event]
  if not method then return end
  self.answer = hit        -- for the play: which directions are equally right
  if hit then
    method(member.actor, other.actor, hit.nx, hit.ny, hit.depth, self, hit.t)
  else
    method(member.actor, other.actor, self)
  end
end

local function enter(self, from, to, hit)
  local key = from.id .. ":" .. to.id
  if self.told[key] then return end
  self.told[key] = { from = from, to = to, state = "told" }
  call(self, from, "enter", to, hit)
end

function World:step()
  pull(self)
  self.dispatch = self.dispatch + 1
  local mine = self.dispatch
  local found, isHit = find(self)
  self.pairsOfStep = found
  for _, record in ipairs(ended(self, isHit)) do
    self.told[record.from.id .. ":" .. record.to.id] = nil
    call(self, record.from, "leave", record.to)
    if self.dispatch ~= mine then return end
  end
  for _, pair in ipairs(found) do
    local a, b = pair.a, pair.b
    if a.present and b.present then
      local calls = { { enter, a, b, pair.hit }, { enter, b, a, pair.back },
        { call, a, "hit", b, pair.hit }, { call, b, "hit", a, pair.back } }
      for _, c in ipairs(calls) do
        if c[2].present and (c[2] == a and pair.tellA or c[2] == b and pair.tellB) then
          c[1](self, c[2], c[3], c[4], c[5])
          if self.dispatch ~= mine then return end
        end
      end
    end
  end
end

function World:update(dt)
  local pass = {}
  for _, member in ipairs(self.order) do
    if member.present then
      pass[#pass + 1] = member
      if member.unreadUpdate then
        member.unreadUpdate = false
        member.hears.update = member.actor.update and true
      end
    end
  end
  local restores = self.restores
  for _, member in ipairs(pass) do
    if member.present and member.hears.update and member.actor.update then
      member.actor:update(dt, self)
      if self.restores ~= restores then return end
    end
  end
  self:step()
end

local function copyOf(t)
  local copy = {}
  for k, v in pairs(t) do copy[k] = v end
  return copy
end

local READ_ONCE = { "shape", "group", "static", "swept" }

local function isValue(self, v)
  local kind = type(v)
  return v == nil or kind == "number" or kind == "string" or kind == "boolean"
    or self.members[v] ~= nil
end

function World:snapshot(fields)
  local s = { members = copyOf(self.members), order = copyOf(self.order), told = {}, values = {},
    pairsOfStep = self.pairsOfStep, rules = copyOf(self.rules), spoilt = self.spoilt, states = {},
    cells = {} }
  for actor in pairs(self.members) do
    local values = { x = number(actor, "x"), y = number(actor, "y") }
    for _, name in ipairs(fields) do
      if not isValue(self, actor[name]) then error("world: bad " .. name) end
      values[name] = actor[name]
    end
    s.values[actor] = values
  end
  for key, record in pairs(self.told) do s.told[key] = copyOf(record) end
  -- All members ever, since a removed one may be waiting for a leave.
  for _, member in ipairs(self.all) do
    local state = copyOf(member)
    state.hears = copyOf(member.hears)
    s.states[member] = state
  end
  for _, member in pairs(self.members) do
    local grid = member.shape.grid
    if grid then s.cells[grid] = copyOf(grid.values) end
  end
  s.fields = fields
  return s
end

function World:restore(s)
  for actor in pairs(self.members) do homes[actor] = nil end
  self.members, self.order, self.told = copyOf(s.members), copyOf(s.order), {}
  for key, record in pairs(s.told) do self.told[key] = copyOf(record) end
  self.pairsOfStep, self.rules, self.spoilt = s.pairsOfStep, copyOf(s.rules), s.spoilt
  for grid, values in pairs(s.cells) do grid:load(copyOf(values)) end
  for member, state in pairs(s.states) do
    for k, v in pairs(state) do member[k] = v end
    member.hears = copyOf(state.hears)
  end
  for actor, member in pairs(self.members) do
    homes[actor] = self
    actor.x, actor.y = s.values[actor].x, s.values[actor].y
    for _, name in ipairs(s.fields) do actor[name] = s.values[actor][name] end
    for _, name in ipairs(READ_ONCE) do actor[name] = member[name] end
  end
  self.dispatch, self.restores = self.dispatch + 1, self.restores + 1
end

function World:hits(actor)
  local list, i = {}, 0
  for _, pair in ipairs(self.pairsOfStep) do
    if not actor or pair.a.actor == actor then
      list[#list + 1] = { pair.a, pair.b, pair.hit }
    elseif pair.b.actor == actor then
      list[#list + 1] = { pair.b, pair.a, pair.back }
    end
  end
  return function()
    repeat
      i = i + 1
      local entry = list[i]
      if not entry then return nil end
      if entry[1].present and entry[2].present then
        local hit = entry[3]
        self.answer = hit
        return entry[1].actor, entry[2].actor, hit.nx, hit.ny, hit.depth, hit.t
      end
    until false
  end
end

return M
