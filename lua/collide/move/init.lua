-- Moving a World's actors. The core computes a move, and calls back whenever a filter function or
-- responder has to decide. A move is computed first, and then made: `check` only computes it.
-- Carries and characters use the same functions.

local require = require "collide.relative"
local core = require "collide.core"
local check = require "collide.check"
local lock = require "collide.world.lock"
local reader = require "collide.world.reader"
local filters = require "collide.world.filters"
local queries = require "collide.world.queries"
local accelerator = require "collide.ffi.frame"

local MAX = check.MAX_COORDINATE
-- Locals, so that traces look up no tables.
local locked, MOVING, record, drop = lock.locked, lock.MOVING, queries.record, queries.drop
local holderOf = reader.holder
local moveQuickly = accelerator and accelerator.move
local goOnQuickly = accelerator and accelerator.moveOn
local fillQuickly = accelerator and accelerator.fillHits
local commitQuickly = accelerator and accelerator.commitMove
local type, next, rawget, rawset, getmetatable = type, next, rawget, rawset, getmetatable
local select, pcall, protected = select, pcall, core.protected

local M = {}

-- A journal lists the places that actors had before a call moved them, and where they had come
-- from. If the call fails, they are put back.

--- Records the place of an actor of the world, for the method `fn`. A journal is a list of `n`
--- entries; tables after the n-th are spare ones.
function M.note(journal, world, actor, fn)
  local n, names = (journal.n or 0) + 1, world._names
  local was = journal[n]
  if not was then
    was = {}
    journal[n] = was
  end
  local holder = reader.holder(fn, world, actor)
  was.actor, was.x, was.y = actor, holder[names.x], holder[names.y]
  was.turned = names.angle and holder[names.angle]
  was[1], was[2], was[3], was[4], was[5], was[6], was[7], was[8], was[9], was[10] =
    world._core:whereabouts(world._slots[actor])
  journal.n = n -- last, since memory may run out above, and undo must not read half an entry
end

--- Forgets all entries: they keep no actor alive.
function M.clearJournal(journal)
  for i = 1, journal.n or 0 do journal[i].actor = false end
  journal.n = 0
end

--- Puts all actors back, in reverse order; only those after the first `kept` entries, if given.
function M.undo(journal, world, kept)
  local names = world._names
  for i = journal.n or 0, (kept or 0) + 1, -1 do
    local was = journal[i]
    local holder = was.actor
    if names.at then holder = holder[names.at] end
    if type(holder) == "table" then
      holder[names.x], holder[names.y] = was.x, was.y
      if names.angle and holder[names.angle] ~= was.turned then
        holder[names.angle] = was.turned
      end
    end
    world._core:putBack(world._slots[was.actor], was[1], was[2], was[3], was[4], was[5], was[6],
      was[7], was[8], was[9], was[10])
  end
end

--- An actor that a move met.
---@class collide.MoveHit
---@field actor collide.Actor
---@field nx number the surface's normal
---@field ny number
---@field x number the place of the mover at that moment
---@field y number
---@field px number the point where they touch
---@field py number
---@field t number the moment, as a share of the move's time
---@field response collide.Response
---@field column integer? of tiles: the cell and its value
---@field row integer?
---@field value integer?
---@field inside boolean? true if the mover started inside
---@field crushed boolean? true if it also could not be freed
---@field part (string|integer)? the part of its shape that was met

--- A hit. The fields that few hits have are named, too, so LuaJIT makes room for them.
---@param none nil
---@return collide.MoveHit
local function newHit(none)
  return { actor = false, nx = 0, ny = 0, x = 0, y = 0, px = 0, py = 0, t = 0, response = false,
    column = none, row = none, value = none, inside = none, crushed = none, part = none }
end
M.newHit = newHit

-- Numbers of responses, as in csrc/collide.h.
local NONE, SLIDE, CROSS, PUSH = 0, 1, 4, 5
local RESPONSES = { slide = SLIDE, touch = 2, bounce = 3, cross = CROSS, push = PUSH }
M.RESPONSES = RESPONSES
local BY_RULES, ALL = -1, core.MAX_GROUPS -- in place of a group, as in csrc/lua/move.c
local RESPONSE = '"slide", "touch", "bounce", "cross", "push" or function'
local ANSWER = '"slide", "touch", "bounce", "cross", "push" or nil'

local NO_HITS = check.none "world:move"
M.NO_HITS = NO_HITS

-- By world: the fast path of its moves. A look-up is the fastest test whether a value is a world.
local worlds = setmetatable({}, { __mode = "k" })

--- As filters.groups. Raises for a filter that is the name of a response, unless a group has that
--- name; `hint` says where the response goes.
function M.filter(self, fn, filter, hint)
  if RESPONSES[filter] and not self._groups[filter] then
    check.fail(fn, "filter", filters.FILTER, filter, hint)
  end
  return filters.groups(self, fn, filter)
end

--- The number of a response; for a callable value, NONE and the value.
function M.response(fn, response)
  if response == nil then return SLIDE end
  local number = RESPONSES[response]
  if number then return number end
  if not check.isCallable(response) then check.fail(fn, "response", RESPONSE, response) end
  return NONE, response
end

local AFTER = "a response goes after the filter"
M.AFTER = AFTER

--- Raises for a bad value that a filter function, or else a responder, has returned.
local function refuse(fn, isFilter, v)
  if isFilter then check.fail(fn, "what filter returns", "true or false", v, AFTER) end
  check.fail(fn, "what response returns", ANSWER, v)
end

--- Whether a filter function lets a mover meet an actor.
local function passes(fn, accepts, met, mover)
  local passed = accepts(met, mover)
  if type(passed) == "string" then refuse(fn, true, passed) end
  return passed
end
M.passes = passes

-- Called by the core where a filter function or a responder has to decide about an actor that the
-- mover meets. Returns the number of the response. Where it can, csrc/lua/move.c does the same.
function M.decide(accepts, respond, number, actors, fn, other, mover, nx, ny, value, sensor)
  local met = actors[other]
  if accepts and not passes(fn, accepts, met, actors[mover]) then return NONE end
  if sensor then return CROSS end
  if not respond then return number end
  local response = respond(actors[mover], met, nx, ny, value)
  if response == nil then return NONE end
  number = RESPONSES[response]
  if not number then refuse(fn, false, response) end
  return number
end

--- Puts an actor at the place in its fields, at once.
function M.put(world, fn, actor)
  local x, y, angle = world._place(fn, world, actor)
  world._core:put(world._slots[actor], x, y, angle)
end

--- Whether an actor overlaps walls of a platform, which is at the place in its fields: no one-way
--- faces, and no sensors of a map.
function M.isInWalls(world, actor, platform)
  local x, y, angle = reader.place("world:carry", world, actor)
  return world._core:inWalls(world._slots[platform], reader.shapeOf(world, actor), x, y, angle)
end

--- The shortest way by which an actor gets free of another, at the places in their fields: nx, ny,
--- depth.
function M.wayOut(world, a, b)
  local x, y, angle = reader.place("world:carry", world, a)
  local ox, oy, turned = reader.place("world:carry", world, b)
  return core.overlap(reader.shapeOf(world, a), x, y, angle, reader.shapeOf(world, b), ox, oy,
    turned, false)
end

--- Whether an actor can be moved. Tiles cannot.
function M.isMovable(self, actor)
  return reader.shapeOf(self, actor):kind() ~= "tiles"
end

--- Raises for an actor that cannot be moved.
function M.checkMovable(self, fn, actor)
  if not M.isMovable(self, actor) then
    check.fail(fn, "actor." .. self._names.shape,
      "shape other than tiles; assign x and y, or call world:carry",
      reader.shapeOf(self, actor))
  end
end

-- A table `how` says how an actor moves: `fn`, the method that the game has called, for errors;
-- `filter` and `response`, as the game gave them; `into`, the list for the hits; optionally
-- `instead`, what the mover does where a response stops it, `through`, an actor whose one-way faces
-- do not stop it, and `journal`, which records the previous places. With `keeps`, it also caches
-- the core's form of filter and response, valid while `low` is set.

-- How the actor of world:move and world:check moves. A world keeps one such table. Once the move
-- has begun, it holds nothing of the game's.
local function howOf(self, fn, filter, response, into)
  local how = self._how
  how.fn, how.filter, how.response, how.into = fn, filter, response, into
  return how
end

-- Puts records for the hits of a move into a list. A list of the game's keeps its records.
local function makeHits(self, into, count)
  if not into then
    into = { newHit() } -- most moves have one
    for i = 2, count do into[i] = newHit() end
    return into
  end
  local spare = self._spareHits
  for i = 1, count do record(spare, into, i) end
  if rawget(into, count + 1) ~= nil then drop(spare, into, count) end
  return into
end

-- Fills a list with the hits of the last move: `into`, or one of its own. The world is locked:
-- making records may run finalizers, which must not move actors.
local function fillHits(self, fn, into, count)
  if count == 0 and not into then return check.none(fn) end
  local inner, actors = self._core, self._actors
  into = makeHits(self, into, count)
  if self._isFast then
    fillQuickly(self, into, count)
  else
    for i = 1, count do
      local hit = rawget(into, i)
      local slot, part
      slot, hit.nx, hit.ny, hit.x, hit.y, hit.px, hit.py, hit.t, hit.response, hit.column, hit.row,
        hit.value, hit.inside, hit.crushed, part = inner:moveHit(i)
      hit.actor, hit.part = actors[slot], part and reader.part(self, slot, part)
    end
  end
  return into
end
M.fillHits = fillHits

--- Computes a move of a locked world without making it: where it would end, and its hits, in the
--- list `how.into` or, without it, in a new list.
---@param ignored table? an actor that does not stop it
---@return number x, number y, table hits, integer n
function M.compute(self, how, actor, dx, dy, ignored)
  local fn, filter, response, into = how.fn, how.filter, how.response, how.into
  if how == self._how then howOf(self) end
  local slot, inner = reader.slotOf(self, fn, "actor", actor), self._core
  local x, y, angle = self._place(fn, self, actor)
  local endX, endY = x + dx, y + dy
  if not (endX >= -MAX and endX <= MAX) then check.coordinate(fn, "x + dx", endX) end
  if not (endY >= -MAX and endY <= MAX) then check.coordinate(fn, "y + dy", endY) end
  local low, high, accepts, number, respond = how.low, how.high, how.accepts, how.number,
    how.respond
  if not low then
    low, high, accepts = M.filter(self, fn, filter, AFTER)
    number, respond = M.response(fn, response)
    if how.keeps then
      how.low, how.high, how.accepts, how.number, how.respond = low, high, accepts, number, respond
    end
  end
  local byRules, except = filter == nil, 0
  if ignored then except = self._slots[ignored]
  elseif how.through then
    except, how.through = -self._slots[how.through], nil -- for this move only
  end
  local instead = how.instead and RESPONSES[how.instead] or NONE
  local toX, toY, n = inner:move(slot, x, y, angle, dx, dy, low, high, byRules, number, instead,
    except, M.decide, accepts, respond, number, self._actors, fn)
  return toX, toY, fillHits(self, fn, into, n), n
end

-- Writes the new places of the first `count` actors that the last move has moved into their fields.
local function write(self, count)
  local names, actors, inner = self._names, self._actors, self._core
  for i = 1, count do
    local slot, toX, toY = inner:moved(i)
    local holder = reader.holder("world:move", self, actors[slot])
    holder[names.x] = toX -- first, as csrc/lua/move.c does
    holder[names.y] = toY
  end
end

-- The same without running the game's code; if it would run, returns false, with some written.
local function writeRaw(self, count, keyX, keyY)
  local actors, inner = self._actors, self._core
  if self._names.at then return false end
  for i = 1, count do
    local slot, toX, toY = inner:moved(i)
    local actor = actors[slot]
    if rawget(actor, keyX) == nil or rawget(actor, keyY) == nil then return false end
    rawset(actor, keyX, toX)
    rawset(actor, keyY, toY)
  end
  return true
end

-- Commits a move. Returns how many actors were moved.
local function commit(self)
  local moved = self._isFast and commitQuickly(self) or -1
  return moved >= 0 and moved or self._core:commitMove()
end

-- A move that calls a filter function or a responder, or that pushes through the C API.
local function moveAsked(self, into, actor, angle, dx, dy, group, number, accepts, respond)
  local names, slot = self._names, self._slots[actor]
  if not slot then return nil end
  local toX, toY, n = self._core:moveNow(holderOf("world:move", self, actor), names.x, names.y,
    slot, angle, dx, dy, group, number, M.decide, accepts, respond, number, self._actors,
    "world:move")
  if not toX then return nil end
  local moved, hits = 1, into or NO_HITS
  if n > 0 then
    hits = fillHits(self, "world:move", into, n)
    moved = commit(self)
  end
  if moved > 1 then
    write(self, moved)
  else
    local holder = holderOf("world:move", self, actor) -- it may have changed
    holder[names.x], holder[names.y] = toX, toY
  end
  return toX, toY, hits, n
end

-- Makes a move that was computed, and committed if it met nothing.
local function finish(self, into, holder, keyX, keyY, toX, toY, n)
  local moved, hits = 1, into or NO_HITS
  if n > 0 then
    hits = fillHits(self, "world:move", into, n)
    moved = commit(self)
  end
  if moved == 1 and rawget(holder, keyX) ~= nil and rawget(holder, keyY) ~= nil then
    holder[keyX], holder[keyY] = toX, toY
  elseif not writeRaw(self, moved, keyX, keyY) then
    locked(self, "world:move", write, moved) -- lets nothing yield
  end
  return toX, toY, hits, n
end

-- Any other usual move. LuaJIT compiles it. Of the game's code it runs finalizers, and what the
-- fields of a pushed actor may call. The mover's x and y are there, or else it returns nil: so they
-- are read and written without metamethods, which could yield. It returns false if it needs the
-- answer of a function: then goOn goes on.
local function moveNow(self, into, actor, angle, dx, dy, group, number, holder, keyX, keyY, asks)
  local slot = self._slots[actor] -- reading the fields may have changed it
  if not slot then return nil end
  local toX, toY, n
  if self._isFast then
    toX, toY, n = moveQuickly(self._io, slot, rawget(holder, keyX), rawget(holder, keyY), angle, dx,
      dy, group, number, asks)
  else
    toX, toY, n = self._core:moveNow(holder, keyX, keyY, slot, angle, dx, dy, group, number)
  end
  if not toX then return toX end
  return finish(self, into, holder, keyX, keyY, toX, toY, n)
end

local function goOn(self, into, holder, keyX, keyY, number, accepts, respond)
  return finish(self, into, holder, keyX, keyY,
    goOnQuickly(self, M.decide, accepts, respond, number))
end

-- Returns the fast path of world:move, for valid arguments, in worlds with these names. For any
-- other move it returns nil and does nothing. The names never change, so LuaJIT's compiler treats
-- them as constants.
local function newMover(keyX, keyY, keyAngle, keyAt)
  return function(self, actor, dx, dy, filter, response, into)
    if not self._slots[actor] or into ~= nil and (type(into) ~= "table" or getmetatable(into)) then
      return nil
    end
    local number = response == nil and SLIDE or RESPONSES[response]
    local group = filter == nil and BY_RULES or self._groups[filter]
    local accepts, respond
    if not group and type(filter) == "function" then group, accepts = ALL, filter end
    if not number and type(response) == "function" then number, respond = NONE, response end
    if not (number and group) then return nil end
    local holder = keyAt and holderOf("world:move", self, actor) or actor
    local angle = keyAngle and holder[keyAngle]
    if angle == nil or not keyAngle then angle = 0 end
    -- Not before: code that runs where a field is read may yield.
    if self._lock or next(NO_HITS) ~= nil then return nil end
    -- Before the move, since memory may run out here.
    if into and rawget(into, 1) ~= nil then drop(self._spareHits, into, 0) end
    local asks = accepts and 2 or respond and 1 or 0
    if asks > 0 and (keyAt or not self._isFast) or number == PUSH and not self._isFast then
      return locked(self, "world:move", moveAsked, into, actor, angle, dx, dy, group, number,
        accepts, respond)
    end
    self._lock = MOVING
    local ok, x, y, hits, n = pcall(moveNow, self, into, actor, angle, dx, dy, group, number,
      holder, keyX, keyY, asks)
    if ok and x == false then
      ok, x, y, hits, n = protected(lock.withStack, goOn, self, into, holder, keyX, keyY, number,
        accepts, respond)
    end
    self._lock = false
    if not ok then lock.passOn("world:move", x) end
    return x, y, hits, n
  end
end

local usual = newMover("x", "y", "angle")

--- Begins the moves of a new world.
function M.open(self)
  local names = self._names
  self._isFast = accelerator and accelerator.isOn()
  worlds[self] = reader.areUsual(names) and usual
    or newMover(names.x, names.y, names.angle, names.at)
end

-- Records the places of the actors that a move is about to change.
local function noteAll(self, journal, fn)
  local i, slot = 1, self._core:moved(1)
  while slot do
    M.note(journal, self, self._actors[slot], fn)
    i = i + 1
    slot = self._core:moved(i)
  end
end

--- Makes a move of a locked world.
---@return number x, number y, table into, integer n
function M.make(self, how, actor, dx, dy, ignored)
  local x, y, into, n = M.compute(self, how, actor, dx, dy, ignored)
  local names, holder = self._names, reader.holder(how.fn or "world:move", self, actor)
  if how.journal then noteAll(self, how.journal, how.fn) end
  local count = self._core:commitMove()
  if count > 1 then write(self, count)
  else holder[names.x], holder[names.y] = x, y end
  return x, y, into, n
end

--- Checks the arguments of a move, or of a `carry`, which moves maps too.
function M.checkMove(self, fn, actor, dx, dy, into, carries)
  lock.checkOpen(self, fn)
  lock.checkIdle(self, fn)
  reader.slotOf(self, fn, "actor", actor)
  if not carries then M.checkMovable(self, fn, actor) end
  check.coordinate(fn, "dx", dx)
  check.coordinate(fn, "dy", dy)
  if into ~= nil then check.list(fn, "into", into, "table to fill") end
end

-- A move of world:move or world:check: M.make or M.compute.
local function moveOne(self, move, actor, dx, dy, ...)
  return move(self, howOf(self, ...), actor, dx, dy)
end

---@class collide.World
local World = lock.World

local TAKES = "an actor, dx, dy, filter, response and a table to fill"

--- Moves an actor by dx, dy, stopped by the actors that pass `filter`, and writes its new place
--- into its x and y. Without a filter, all actors that it can hit stop it.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)? default "slide"
---@param into table? a list to fill, in place of a new one
---@return number x
---@return number y
---@return collide.MoveHit[] hits in the order met; without any, one list for all such calls
---@return integer n
function World:move(actor, dx, dy, filter, response, into, ...)
  local mover = worlds[self]
  if mover and select("#", ...) == 0 then
    local x, y, hits, n = mover(self, actor, dx, dy, filter, response, into)
    if x then return x, y, hits, n end
  end
  local fn = "world:move"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  M.checkMove(self, fn, actor, dx, dy, into)
  return locked(self, fn, moveOne, M.make, actor, dx, dy, fn, filter, response, into)
end

--- As world:move, but nothing moves.
---@param actor collide.Actor of this world
---@param dx number world units
---@param dy number
---@param filter collide.Filter?
---@param response (collide.Response|collide.Responder)?
---@param into table?
---@return number x
---@return number y
---@return collide.MoveHit[] hits
---@return integer n
function World:check(actor, dx, dy, filter, response, into, ...)
  local fn = "world:check"
  if select("#", ...) > 0 then check.noMore(fn, TAKES, 6, ...) end
  M.checkMove(self, fn, actor, dx, dy, into)
  return locked(self, fn, moveOne, M.compute, actor, dx, dy, fn, filter, response, into)
end

--- Whether a placed table would overlap no actor. It may touch actors; sensors do not count.
---@param placed collide.Placed may be an actor of this world, which does not obstruct itself
---@param filter collide.Filter?
---@param ignore collide.Ignore?
---@return boolean
---@return collide.Actor? actor that it would overlap
function World:fits(placed, filter, ignore, ...)
  local fn = "world:fits"
  lock.checkWorld(self, fn)
  local shape, x, y, angle = reader.placed(fn, "placed", placed, self._names)
  local low, high, accepts = filters.groups(self, fn, filter)
  local ignored = filters.ignored(self, fn, ignore)
  if select("#", ...) > 0 then check.noMore(fn, "a placed table, filter and ignore", 3, ...) end
  local slot = self._slots[placed]
  if filter == nil and slot then low, high = self._core:hitGroups(slot) end
  local from = 1
  while true do
    local other = self._core:fits(self._actors, self._slots, low, high, ignored, slot or 0, shape,
      x, y, angle, from)
    if not other then return true end
    local actor = self._actors[other]
    if not accepts or accepts(actor) then return false, actor end
    from = other + 1
  end
end

-- LuaJIT is faster with the functions above.
if core.moveFront then
  local asked = core.moveAsked(false, NO_HITS, queries.listOf, refuse)
  World.move = core.moveFront(World.move, NO_HITS, queries.listOf, asked, MOVING, lock.withStack,
    lock.passOn)
  lock.ends[World.move] = true
end

return M
