-- Assertions about worlds and actors for luassert, which busted uses. The message of a failure says
-- when, who, where and why, and names the files that show it (film/failures.lua): a picture of the
-- world, and a page that plays the frames before.

local require = require((...):match "^(.-)[^./]*$" .. "relative")
if require.prefix .. "assertions" ~= ... then return require "collide.assertions" end

local luassert = require "luassert"
local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"
local explain = require "collide.world.hits"
local failures = require "collide.film.failures"
local files = require "collide.files"
local filters = require "collide.world.filters"
local reader = require "collide.world.reader"
local run = require "collide.scene.run"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"

local unpack = table.unpack or unpack -- luacheck: ignore
local type = type

-- Stands for the world of actors that are in none: fields have their default names.
local NO_WORLD = { _slots = {}, _touching = false, _names = { x = "x", y = "y", angle = "angle",
  shape = "shape", name = "name", group = "group" } }

local placeOf = reader.placeOf

-- Arguments -------------------------------------------------------------------

local function checkWorld(fn, name, v)
  check.world(fn, name, v)
  v._core:check()
end

local function checkActor(fn, name, v, world)
  if not (type(v) == "table" and world._slots[v] or reader.isActor(world, v)) then
    check.fail(fn, name, "actor", v)
  end
  reader.placed(fn, name, v, world._names)
end

-- An actor that is in the world.
local function checkMember(fn, name, v, world)
  reader.slotOf(world, fn, name, v)
end

-- Raises also in a world that is not strict: a group that has never had an actor is misspelled, and
-- a test of it would pass whatever the game does.
local function checkGroup(fn, name, v, world)
  check.string(fn, name, v)
  filters.checkDeclared(world, fn, name, v)
  if not world._groups[v] then
    check.fail(fn, name, "group that an actor or a rule has", v,
      "a group that has no actor yet goes into the `groups` of newWorld")
  end
end

-- Checks the filter of a query; its groups as checkGroup does.
local function checkFilter(fn, name, filter, world)
  filters.groups(world, fn, filter)
  if type(filter) == "string" then
    checkGroup(fn, name, filter, world)
  elseif type(filter) == "table" then
    for i = 1, check.length(fn, name, filter) do
      checkGroup(fn, name, rawget(filter, i), world)
    end
  end
end

local checkLength = check.optional(check.extent)
local checkFrames = check.optional(check.whole(0, 2 ^ 53))

local function checkSource(fn, name, v)
  if type(v) ~= "string" and type(v) ~= "table" then
    check.fail(fn, name, "scene, or its path or table", v)
  end
end

-- The arguments of each assertion: in words, then the name of each argument and its check, a
-- function(fn, name, value, world).
local TAKES = {
  hits = { "a world and two actors", "world", checkWorld, "a", checkActor, "b", checkActor },
  overlaps = { "two actors", "a", checkActor, "b", checkActor },
  apart = { "two actors and a distance", "a", checkActor, "b", checkActor,
    "distance", checkLength },
  keeps_out = { "a world, two groups and a tolerance", "world", checkWorld, "groupA", checkGroup,
    "groupB", checkGroup, "tolerance", checkLength },
  inside = { "an actor, x, y, w and h", "actor", checkActor, "x", check.coordinate,
    "y", check.coordinate, "w", check.size, "h", check.size },
  at = { "an actor, x, y and a tolerance", "actor", checkActor, "x", check.coordinate,
    "y", check.coordinate, "tolerance", checkLength },
  sees = { "a world, two actors and a filter", "world", checkWorld, "a", checkMember,
    "b", checkMember, "filter", checkFilter },
  always = { "a world, a number of frames and a function", "world", checkWorld,
    "frames", check.whole(0, 2 ^ 53), "fn", check.callable },
  eventually = { "a world, a number of frames and a function", "world", checkWorld,
    "frames", check.whole(0, 2 ^ 53), "fn", check.callable },
  same_run = { "two scenes and a number of frames", "sceneA", checkSource, "sceneB", checkSource,
    "frames", checkFrames },
  matches_trace = { "a scene and a file", "scene", checkSource, "file", check.string },
}

-- Checks the arguments of an assertion. Returns the world that it is about: the first argument, the
-- world of either actor, or NO_WORLD.
local function checkArguments(name, ...)
  local fn, takes, first, second = "assert." .. name, TAKES[name], ...
  local world = takes[2] == "world" and first or reader.worldOf[first] or reader.worldOf[second]
    or NO_WORLD
  for i = 2, #takes, 2 do takes[i + 1](fn, takes[i], (select(i / 2, ...)), world) end
  check.noMore(fn, takes[1], (#takes - 1) / 2, select((#takes + 1) / 2, ...))
  return world
end

-- Sentences -------------------------------------------------------------------

local function number(v)
  return ("%.6g"):format(v)
end

local function placed(world, actor)
  return reader.placed("assert", "actor", actor, world._names)
end

local function overlap(world, a, b, touching)
  local shapeA, xA, yA, angleA = placed(world, a)
  local shapeB, xB, yB, angleB = placed(world, b)
  return core.overlap(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, touching)
end

local function distance(world, a, b)
  local shapeA, xA, yA, angleA = placed(world, a)
  local shapeB, xB, yB, angleB = placed(world, b)
  return (core.distance(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB))
end

-- How one actor touches, overlaps or misses another; in a world also why they hit or do not.
local function relation(world, a, b)
  local _, _, depth = overlap(world, a, b, true)
  local how
  if depth == 0 then
    how = "touches it"
  elseif depth then
    how = ("overlaps it by %s"):format(number(depth))
  else
    how = ("is %s away from it"):format(number(distance(world, a, b)))
  end
  if world == NO_WORLD then return how end
  local _, why = explain.verdict(world, a, b)
  return how .. ": " .. why
end

local function sentence(world, a, should, b, but)
  return ("%s should %s %s, but %s"):format(reader.describe(world, a), should,
    reader.describe(world, b), but)
end

-- The assertions --------------------------------------------------------------

-- Each function takes the wanted result, true or false, the world, and the assertion's further
-- arguments, which have been checked. It returns the result and, if that is not the wanted one, a
-- sentence, the world, and the actors that it is about.
local find = {}

local function inList(actor, f, ...)
  for _, other in f(...) do
    if other == actor then return true end
  end
  return false
end

function find.hits(wanted, world, a, b)
  local passed = world:has(a) and world:has(b) and inList(b, world.hits, world, a)
  if passed == wanted then return passed end
  local how, now = relation(world, a, b), explain.verdict(world, a, b)
  if now ~= passed then
    how = ("%s in the last step; now it %s"):format(passed and "did" or "did not", how)
  end
  return passed, sentence(world, a, wanted and "hit" or "not hit", b, how), world, { a, b }
end

function find.overlaps(wanted, world, a, b)
  local passed = overlap(world, a, b, world._touching) ~= nil
  if passed == wanted then return passed end
  return passed, sentence(world, a, wanted and "overlap" or "not overlap", b,
    relation(world, a, b)), world, { a, b }
end

function find.apart(wanted, world, a, b, least)
  local passed, should
  if least == nil then
    passed = overlap(world, a, b, false) == nil
    should = wanted and "be apart from" or "not be apart from"
  else
    passed = distance(world, a, b) >= least
    should = ("be %s %s away from"):format(wanted and "at least" or "less than", number(least))
  end
  if passed == wanted then return passed end
  return passed, sentence(world, a, should, b, relation(world, a, b)), world, { a, b }
end

-- Whether a group is the one that an assertion has been given by name; "*" is the name of all.
local function hasName(world, group, name)
  return name == "*" or group == world._groups[name]
end

-- The actors of two groups with their boxes, sorted by the left edge; without one-way actors of
-- groupB, since an actor may overlap these while it comes from behind.
local function boxesOf(world, groupA, groupB)
  local boxes, oneWay = {}, world._names.oneWay
  for i, actor in ipairs(world:actors()) do
    local group = world._core:group(world._slots[actor])
    local isA, isB = hasName(world, group, groupA), hasName(world, group, groupB)
    if isB and oneWay and actor[oneWay] then isA, isB = false, false end
    if isA or isB then
      local shape, x, y, angle = placed(world, actor)
      local l, t, w, h = shape:bounds(x, y, angle)
      boxes[#boxes + 1] = { actor = actor, place = i, isA = isA, isB = isB, left = l, top = t,
        right = l + w, bottom = t + h }
    end
  end
  table.sort(boxes, function(a, b)
    if a.left ~= b.left then return a.left < b.left end
    return a.place < b.place
  end)
  return boxes
end

-- The actors of two boxes, the one of groupA first; nothing if they are not one of each group.
local function pairOf(a, b)
  if a.isA and b.isB and not (b.isA and a.isB and b.place < a.place) then
    return a.actor, b.actor
  elseif b.isA and a.isB then
    return b.actor, a.actor
  end
end

-- How deep an actor is in another or, if that is a map, in its walls; nil if it is not.
local function depthIn(world, a, b)
  local _, _, depth = overlap(world, a, b)
  if depth and reader.shapeOf(world, b):kind() == "tiles"
    and not world._core:inWalls(world._slots[b], placed(world, a)) then
    return nil
  end
  return depth
end

-- The deepest overlap of an actor of one group with an actor of the other: depth and both actors.
-- Source of the sweep along x: Ericson, Real-Time Collision Detection, 7.5.
local function deepest(world, groupA, groupB)
  local boxes, most, first, second = boxesOf(world, groupA, groupB), 0, nil, nil
  for i, box in ipairs(boxes) do
    local k = i + 1
    local other = boxes[k]
    while other and other.left <= box.right do
      local a, b = pairOf(box, other)
      if a and other.top <= box.bottom and box.top <= other.bottom then
        local depth = depthIn(world, a, b)
        if depth and depth > most then most, first, second = depth, a, b end
      end
      k = k + 1
      other = boxes[k]
    end
  end
  return most, first, second
end

function find.keeps_out(wanted, world, groupA, groupB, tolerance)
  tolerance = tolerance or 0
  local depth, a, b = deepest(world, groupA, groupB)
  local passed = depth <= tolerance
  if passed == wanted then return passed end
  if wanted then
    local should = tolerance == 0 and "keep out of"
      or ("be no deeper than %s in"):format(number(tolerance))
    return passed, sentence(world, a, should, b, relation(world, a, b)), world, { a, b }
  end
  local but = a and ("%s is only %s deep in %s"):format(reader.describe(world, a), number(depth),
    reader.describe(world, b)) or "no actor is in one at all"
  return passed, ("an actor of group %q should be deeper than %s in one of group %q, but %s")
    :format(groupA, number(tolerance), groupB, but), world, { a, b }
end

function find.inside(wanted, world, actor, x, y, w, h)
  local shape, atX, atY, angle = placed(world, actor)
  local l, t, width, height = shape:bounds(atX, atY, angle)
  local out, side = 0, nil
  for _, over in ipairs { { x - l, "left" }, { y - t, "top" }, { l + width - x - w, "right" },
    { t + height - y - h, "bottom" } } do
    if over[1] > out then out, side = over[1], over[2] end
  end
  local passed = out == 0
  if passed == wanted then return passed end
  return passed, ("%s should %sbe inside %s, %s, %s, %s, but %s"):format(
    reader.describe(world, actor), wanted and "" or "not ", number(x), number(y), number(w),
    number(h), wanted and ("sticks out by %s at the %s"):format(number(out), side) or "is"), world,
    { actor }
end

function find.at(wanted, world, actor, x, y, tolerance)
  tolerance = tolerance or 0
  local _, atX, atY = placed(world, actor)
  local dx, dy = atX - x, atY - y
  local away = math.sqrt(dx * dx + dy * dy)
  -- The squares may underflow to 0.
  local passed = dx == 0 and dy == 0 or tolerance > 0 and away <= tolerance
  if passed == wanted then return passed end
  return passed, ("%s should %sbe %s %s, %s, but is %s away from there"):format(
    reader.describe(world, actor), wanted and "" or "not ",
    tolerance == 0 and "at" or ("within %s of"):format(number(tolerance)), number(x), number(y),
    number(away)), world, { actor }
end

-- The centre of an actor's bounds at its place in the last step, where rays hit it.
local function middle(world, actor)
  local x, y, angle = world:interpolate(actor, 1)
  local l, t, w, h = placed(world, actor):bounds(x, y, angle)
  return l + w / 2, t + h / 2
end

function find.sees(wanted, world, a, b, filter)
  local x1, y1 = middle(world, a)
  local x2, y2 = middle(world, b)
  local between, x, y = world:rayCast(x1, y1, x2, y2, filter, a)
  local passed = between == nil or between == b
  if passed == wanted then return passed end
  local inTheWay = passed and "no actor is between them"
    or ("%s is between them at %s, %s"):format(reader.describe(world, between), number(x),
      number(y))
  return passed, ("%s should %ssee %s, %s away, but %s"):format(reader.describe(world, a),
    wanted and "" or "not ", reader.describe(world, b), number(distance(world, a, b)), inTheWay),
    world, { a, b, not passed and between or nil }
end

-- The scene of an argument. A loaded scene goes on from its current frame; a path or table is
-- loaded, with the settings and keys of a trace if there is one.
local function openScene(what, source, recorded)
  if scenes.isScene(source) then return source end
  local scene, message = run.open(source, {}, recorded or {})
  if not scene then check.raise(("assert.%s: %s"):format(what, message)) end
  return scene
end

local function digits(v)
  return type(v) == "number" and ("%.17g"):format(v) or tostring(v)
end

-- The first difference of two actors, as a sentence, or nil.
local function differenceOf(worldA, worldB, a, b)
  local placeA, placeB = { placeOf(a, worldA._names) }, { placeOf(b, worldB._names) }
  for i, field in ipairs { "shape", "x", "y", "angle" } do
    if i > 1 and placeA[i] ~= placeB[i] then
      return ("%s has %s %s in one and %s in the other"):format(reader.describe(worldA, a), field,
        digits(placeA[i]), digits(placeB[i]))
    end
  end
end

-- The first difference of two worlds, as a sentence, and the actors that it is about; or nil.
local function worldDifference(worldA, worldB)
  local actorsA, actorsB = worldA:actors(), worldB:actors()
  for i = 1, math.min(#actorsA, #actorsB) do
    local found = differenceOf(worldA, worldB, actorsA[i], actorsB[i])
    if found then return found, { actorsA[i] } end
  end
  if #actorsA ~= #actorsB then
    return ("there are %d actors in one and %d in the other"):format(#actorsA, #actorsB), {}
  end
  if worldA:hash() ~= worldB:hash() then return "hits or bullets differ", {} end
end

-- Plays two scenes until they differ, for at most `frames` frames.
local function compareRuns(a, b, frames)
  local found, actors = worldDifference(a.world, b.world)
  for _ = 1, frames do
    if found then break end
    scenes.step(a)
    scenes.step(b)
    if a.world:hash() ~= b.world:hash() then found, actors = worldDifference(a.world, b.world) end
  end
  return found, actors or {}
end

function find.same_run(wanted, _, a, b, frames)
  local sceneA, sceneB = openScene("same_run: sceneA", a), openScene("same_run: sceneB", b)
  frames = frames or sceneA.frames
  local difference, actors = compareRuns(sceneA, sceneB, frames)
  local passed = difference == nil
  if passed == wanted then return passed end
  return passed, ("the runs of %s and %s should %s"):format(sceneA.name, sceneB.name,
    wanted and "be the same, but " .. difference
    or ("differ within %d frames, but are the same"):format(frames)), sceneA.world, actors
end

-- Plays a frame of a world, or of its scene.
local function playFrame(world)
  local scene = scenes.of(world)
  if scene then scenes.step(scene) else world:update(1 / 60) end
end

-- The rest of a failure's message: the second result of the function.
local function reason(why)
  return why == nil and "" or ": " .. tostring(why)
end

function find.always(wanted, world, frames, fn)
  local passed, why = true, nil
  for _ = 1, frames do
    playFrame(world)
    passed, why = fn(world)
    if not passed then break end
  end
  passed = not not passed
  if passed == wanted then return passed end
  return passed, ("the condition should %shold in each of %d frames, but %s"):format(
    wanted and "" or "not ", frames, wanted and "does not in this one" .. reason(why) or "does"),
    world, {}
end

function find.eventually(wanted, world, frames, fn)
  local passed, why = fn(world)
  for _ = 1, frames do
    if passed then break end
    playFrame(world)
    passed, why = fn(world)
  end
  passed = not not passed
  if passed == wanted then return passed end
  return passed, ("the condition should %shold within %d frames, but %s"):format(
    wanted and "" or "not ", frames, wanted and "does not" .. reason(why) or "does"), world, {}
end

-- Plays a scene, and writes its trace to a file. If the file has a trace already, the new one is as
-- long, and has details of the same frames.
local function writeTrace(scene, file, recorded)
  local fn = "assert.matches_trace"
  if scene.frame > 0 then
    check.fail(fn, "scene", ("one without a frame, to write %s"):format(file), scene.frame)
  end
  local recorder = trace.recorder(scene, recorded and recorded.details)
  recorder:play(recorded and #recorded.frames or scene.frames, recorder.keep)
  local inside = file:match "^(.+)[/\\]"
  if inside then files.makeFolders(inside) end
  local written, message = files.write(file, recorder:text())
  if not written then check.raise(("%s: file: cannot write the trace: %s"):format(fn, message)) end
end

function find.matches_trace(wanted, _, given, file)
  local recorded, message = trace.read(file)
  if wanted and (os.getenv "COLLIDE_UPDATE" == "1" or not files.exists(file)) then
    writeTrace(openScene("matches_trace: scene", given, recorded), file, recorded)
    return true
  end
  if not recorded then check.raise("assert.matches_trace: file: " .. message) end
  local scene = openScene("matches_trace: scene", given, recorded)
  local recorder, finish = run.checker(scene, recorded)
  local difference = recorder:play(#recorded.frames, finish)
  local passed = difference == nil
  if passed == wanted then return passed end
  return passed, ("the run of %s should %s"):format(scene.name, wanted
    and ("match %s, but %s"):format(file, (difference:gsub("^frame %d+: ", "")))
    or ("not match %s, but does"):format(file)), scene.world, {}
end

-- Registering -----------------------------------------------------------------

-- The message of an error about an argument, without its position; false for any other error.
local function mistakeOf(name, err)
  return type(err) == "string" and err:match("assert%." .. name .. ":? .*$")
end

local function assertion(name, wanted, ...)
  local world = checkArguments(name, ...)
  if world == (...) then return find[name](wanted, ...) end
  return find[name](wanted, world, ...)
end

local function register(name)
  luassert:register("assertion", name, function(self, arguments, level)
    local ok, passed, said, world, actors =
      pcall(assertion, name, self.mod, unpack(arguments, 1, arguments.n))
    if not ok then
      local mistake = mistakeOf(name, passed)
      error(mistake or passed, mistake and level + 1 or 0)
    end
    arguments.nofmt = arguments.nofmt or {}
    for i = 1, arguments.n do arguments.nofmt[i] = true end -- a world is too large to print
    if passed ~= self.mod then
      local message = rawget(self, "failure_message")
      message = message and tostring(message) .. "\n" or ""
      if world ~= NO_WORLD then
        said = ("frame %d: %s"):format(world._frame, said)
        said = said .. failures.leave(world, name, said, actors)
      end
      self.failure_message = message .. said
    end
    return passed
  end)
end

for name in each.pairs(find) do register(name) end
failures.begin()
