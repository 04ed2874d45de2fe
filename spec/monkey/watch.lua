-- Checks the monkey's worlds: which actors are in them and in which order, which pairs hit (by
-- testing every pair), and that each enter has exactly one leave.
local collide = require "collide"
local journal = require "spec.monkey.journal"

local M = {}

--- Begins a play.
function M.open(play)
  -- When runs are compared no world may be collected, since its actors could then be added
  -- elsewhere.
  play.worlds = setmetatable({}, play.wild and { __mode = "k" } or nil)
  play.snapshots = setmetatable({}, { __mode = "k" })
  play.complete = setmetatable({}, { __mode = "k" })
end

--- Notes an actor. `complete`: it always has enter, hit and leave.
function M.addActor(play, actor, complete)
  play.complete[actor] = complete or nil
end

local function copy(list)
  local new = {}
  for key, value in pairs(list) do new[key] = value end
  return new
end

local function copyInside(inside)
  local new = {}
  for actor, others in pairs(inside) do new[actor] = copy(others) end
  return new
end

local function hasOneSided(hits)
  for _, rule in ipairs(type(hits) == "table" and hits or {}) do
    if type(rule) == "table" and rule[3] == "first" then return true end
  end
  return false
end

-- By name of a function: how a call that has returned changes the expected state.
local after = {}

after["collide.newWorld"] = function(play, args, results)
  local options = type(args[1]) == "table" and args[1] or {}
  play.worlds[results[1]] = { order = {}, inside = {}, tracked = true,
    oneSided = hasOneSided(options.rules) }
end

after["world:add"] = function(play, args)
  local order = play.worlds[args[1]].order
  order[#order + 1] = args[2]
end

after["world:remove"] = function(play, args, results)
  local order = play.worlds[args[1]].order
  for i = #order, 1, -1 do
    if order[i] == args[2] then
      if not results[1] then play:fail "world:remove has not found an actor" end
      table.remove(order, i)
      return
    end
  end
  if results[1] then play:fail "world:remove has found somebody who was not there" end
end

after["world:clear"] = function(play, args) play.worlds[args[1]].order = {} end

after["world:setRule"] = function(play, args)
  if args[4] == "first" then play.worlds[args[1]].oneSided = true end
end

after["world:snapshot"] = function(play, args, results)
  local known = play.worlds[args[1]]
  play.snapshots[results[1]] = { order = copy(known.order), inside = copyInside(known.inside),
    tracked = known.tracked, world = args[1] }
end

after["world:restore"] = function(play, args)
  local known, snapshot = play.worlds[args[1]], play.snapshots[args[2]]
  if snapshot then
    known.order, known.inside = copy(snapshot.order), copyInside(snapshot.inside)
    known.tracked = snapshot.tracked
  else
    known.order, known.tracked = args[1]:actors(), false
  end
end

local function isSame(list, other)
  for i = 1, math.max(#list, #other) do
    if list[i] ~= other[i] then return false end
  end
  return true
end

-- Whether a call of restore that raised has restored the world: if an actor's code raises when its
-- fields are written back, the world has been restored already; from a pack, with other actors.
local function isRestored(play, args)
  local snapshot, now = play.snapshots[args[2]], args[1]:actors()
  if type(args[2]) == "string" then return not isSame(now, play.worlds[args[1]].order) end
  return snapshot and snapshot.world == args[1] and isSame(now, snapshot.order)
end

--- Notes a call: `results`, or nil if it has raised; `isOurs`: the error was raised by a callback.
function M.after(play, entry, args, results, isOurs)
  local isDone = results or isOurs and entry.name == "world:restore" and isRestored(play, args)
  if isDone and after[entry.name] then after[entry.name](play, args, results) end
end

--- Notes a callback of an actor about another.
function M.told(play, event, me, other, world)
  local known = play.worlds[world]
  if not known then return play:fail("%s was not given its world", event) end
  if play.quiet and event == "hit" then play.quiet = play.quiet + 1 end
  if not (known.tracked and play.complete[me]) then return end
  local inside = known.inside[me]
  if not inside then
    inside = {}
    known.inside[me] = inside
  end
  if event == "enter" then
    if inside[other] then play:fail "enter was called twice" end
    inside[other] = true
  elseif not inside[other] then
    play:fail("%s was called without enter", event)
  elseif event == "leave" then
    inside[other] = nil
  end
end

-- Checks that the parts of a world agree with each other, and with the expected state.
local function check(play, world)
  local known = play.worlds[world]
  local list, order = world:actors(), known.order
  if world:count() ~= #list then play:fail "count() is not the number of actors()" end
  for i = 1, math.max(#list, #order) do
    if list[i] ~= order[i] then
      return play:fail("place %d: %s expected, got %s", i, journal.text(play, order[i]),
        journal.text(play, list[i]))
    end
    if not world:has(list[i]) then play:fail "an actor is listed that the world has not" end
  end
end

--- Checks every world.
function M.all(play)
  for _, world in pairs(play.things.World or {}) do check(play, world) end
end

-- Gives an actor fields that any world can read.
local function heal(world, actor)
  local function isNumber(v, most) return type(v) == "number" and v >= -most and v <= most end
  for _, name in ipairs { "x", "y" } do
    if not isNumber(actor[name], 1e12) then actor[name] = 7 end
  end
  if actor.angle ~= nil and not isNumber(actor.angle, 2 ^ 30) then actor.angle = nil end
  for _, name in ipairs { "static", "sensor", "swept" } do
    if type(actor[name]) ~= "boolean" then actor[name] = nil end
  end
  if not pcall(collide.tiles, collide.newGrid(1, 1), { [1] = { oneWay = actor.oneWay } }) then
    actor.oneWay = nil
  end
  local group = actor.group
  if group ~= "red" and group ~= "green" and group ~= "blue" then actor.group = nil end
  if not pcall(collide.overlap, { x = 0, y = 0, shape = actor.shape },
    { x = 0, y = 0, shape = actor.shape }) then
    actor.shape = collide.rectangle(5, 5)
  end
  if actor.shape:kind() == "tiles" then actor.swept, actor.angle = nil, nil end
  if not pcall(world.queryPoint, world, 0, 0, nil, actor.ignore) then actor.ignore = nil end
end

local function sameWay(nx, ny, depth, wx, wy, wanted)
  return nx == wx and ny == wy and depth == wanted
end

-- Checks that the hits of the last step are exactly the pairs that overlap, with their ways out.
local function checkHits(play, world, order)
  local found, told = {}, 0
  for a, b, nx, ny, depth, t in world:hits() do
    found[a] = found[a] or {}
    found[a][b] = { nx, ny, depth, t }
    told = told + (a.hit and 1 or 0) + (b.hit and 1 or 0)
  end
  for i, a in ipairs(order) do
    for j = i + 1, #order do
      local b = order[j]
      local hit = found[a] and found[a][b]
      local nx, ny, depth = world:overlap(a, b)
      if not world:canHit(a, b) then nx = nil end
      local onTheWay = hit and hit[4]
      if nx and not (hit and sameWay(nx, ny, depth, hit[1], hit[2], hit[3])) then
        play:fail("%s and %s overlap by %.17g, the step says %s", journal.text(play, a),
          journal.text(play, b), depth, hit and ("%.17g"):format(hit[3]) or "nothing")
      elseif hit and not nx and not onTheWay then
        play:fail("%s and %s do not overlap, the step says by %.17g", journal.text(play, a),
          journal.text(play, b), hit[3])
      end
    end
  end
  return told
end

--- Makes a step in which the callbacks do nothing, and compares its hits and calls with a test of
--- every pair. Does nothing for a world that is reading or moving its actors.
function M.look(play, world)
  local known, before = play.worlds[world], play.quiet
  play.quiet = 0
  for _, actor in ipairs(known.order) do heal(world, actor) end
  local ok, err = pcall(world.refresh, world)
  if ok then
    local stepped, message = pcall(world.step, world)
    local heard = play.quiet
    local told = stepped and checkHits(play, world, known.order)
    if not stepped then
      play:fail("a step of good actors: %s", tostring(message))
    elseif not known.oneSided and heard ~= told then
      play:fail("hit was called %d times, not %d", heard, told)
    end
  elseif not tostring(err):find("this world is", 1, true) then
    play:fail("a refresh of good actors: %s", tostring(err))
  end
  play.quiet = before
end

--- Ends a play: removes every actor, and checks that each gets its leaves.
function M.finish(play)
  play.quiet = 0
  for _, world in pairs(play.things.World or {}) do
    if not play.failure then
      M.look(play, world)
      world:clear()
      play.worlds[world].order = {}
      local ok, err = pcall(world.step, world)
      if not ok then play:fail("a step of nobody: %s", tostring(err)) end
      check(play, world)
      for _, others in pairs(play.worlds[world].inside) do
        if play.worlds[world].tracked and next(others) then play:fail "enter without a leave" end
      end
    end
  end
end

return M
