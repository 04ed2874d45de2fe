-- The command `fuzz`: plays a scene with random keys until something goes wrong, and cuts the keys
-- down to the fewest with which it still does.
--
-- It finds errors, failures of `always` and `check`, frames that do not end, crushed characters,
-- and fields that are nan. The keys are cut by delta debugging (Zeller and Hildebrandt, IEEE
-- Transactions on Software Engineering 28, 2002), which here also cuts out time and shortens the
-- remaining holds.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"
local files = require "collide.files"
local input = require "collide.scene.input"
local keys = require "collide.keys"
local random = require "collide.random"
local reader = require "collide.world.reader"
local run = require "collide.scene.run"
local scenes = require "collide.scene"
local texts = require "collide.scene.text"
local traceback = require "collide.scene.traceback"

local M = {}

-- Random keys ---------------------------------------------------------------------

-- A player has a finger on each key that the scene has asked for. A finger holds its key for a
-- while, then rests; short times are as likely as long ones. Each run draws new limits for holds
-- and rests, so that some runs consist of taps, others of long holds. In each run some keys are
-- not used.

local LONGEST_HOLD, SHORTEST_REST, LONGEST_REST = 6, 2, 7 -- powers of two, in frames
local IDLE = 4 -- one key in so many is not used
local FOLLOWS, SOON = 4, 8 -- one change in so many is followed by another within so many frames

-- A number of frames below 2^(power + 1): each range from 2^k to 2^(k + 1) - 1 is equally likely.
local function duration(generator, power)
  local least = 1
  for _ = 1, generator:random(0, power) do least = 2 * least end
  return generator:random(least, 2 * least - 1)
end

local function newFinger(generator)
  local hold, rest = generator:random(0, LONGEST_HOLD),
    generator:random(SHORTEST_REST, LONGEST_REST)
  local isIdle = generator:random(IDLE) == 1
  return { hold = hold, rest = rest, isHeld = false,
    left = isIdle and math.huge or duration(generator, rest) }
end

-- Lets another key change soon: many actions in games take two keys at about the same time.
local function hurry(self, generator)
  if generator:random(FOLLOWS) > 1 then return end
  local finger = self._fingers[self._order[generator:random(#self._order)]]
  if finger and finger.left < math.huge then
    finger.left = math.min(finger.left, generator:random(SOON))
  end
end

-- The changes of a frame, in the form of collide.keys.
local function take(self)
  local generator, changes = self._generator, {}
  for _, key in ipairs(self._order) do
    local finger = self._fingers[key] or newFinger(generator)
    self._fingers[key] = finger
    finger.left = finger.left - 1
    if finger.left <= 0 then
      finger.isHeld = not finger.isHeld
      finger.left = duration(generator, finger.isHeld and finger.hold or finger.rest)
      keys._append(changes, key, finger.isHeld)
      hurry(self, generator)
    end
  end
  return changes
end

-- Keys that are held at random. `known` are those that earlier runs have asked for.
local function newPlayer(generator, known)
  local self = keys._new(take)
  self._generator, self._fingers = generator, {}
  for i, key in ipairs(known) do self._order[i], self._asked[key] = key, true end
  return self
end

-- What goes wrong -----------------------------------------------------------------

---@class collide.Finding
---@field message string
---@field trace string the stack of an error, or ""
---@field frame integer
---@field isCheck? boolean whether the scene's check failed, which needs all its frames

-- The name of a table's field that is nan, the first in alphabetical order.
local function nanIn(values)
  local first
  for key, value in each.next, values do
    if value ~= value and not (first and first < tostring(key)) then first = tostring(key) end
  end
  return first
end

-- The fault after a frame that has raised no error, or nil.
local function wrongIn(fuzz, scene)
  local world = scene.world
  for _, actor in ipairs(world:actors()) do
    local character, field = world._characters[actor], nanIn(actor)
    if character and character.crushed and not fuzz.allowed.crushed then
      return reader.describe(world, actor) .. " is crushed"
    elseif field then
      return ("%s: %s is nan"):format(reader.describe(world, actor), field)
    end
  end
  local field = nanIn(scene.state)
  return field and ("scene.state.%s is nan"):format(field)
end

-- Plays a scene. Returns the fault, or nil, and whether the scene's check has found it.
local function play(fuzz, scene, frames)
  local function wrong(what)
    return ("frame %d, seed %.0f: %s"):format(scene.frame, scene.seed, what)
  end
  for _ = 1, frames do
    scenes.step(scene)
    local what = wrongIn(fuzz, scene)
    if what then return wrong(what) end
  end
  if frames < scene.frames then return nil end
  local passed, message = scenes.verify(scene)
  if not passed then return wrong("check failed: " .. message), true end
end

-- Opens the scene, and plays some frames with these keys. The modules beside it are reloaded, so
-- that their variables are as in a first run. Returns the Finding, or nil.
local function try(fuzz, held, frames)
  files.unloadModules(fuzz.loaded, fuzz.path:match "^(.*)[/\\]" or ".")
  local opened, scene, mistake = traceback.catch(scenes.open, fuzz.path, fuzz.overrides, held)
  if not opened then return { message = scene.message, trace = scene.trace, frame = 0 } end
  if not scene then return { message = mistake, trace = "", frame = 0 } end
  fuzz.played = fuzz.played + 1
  local ended, failure, isCheck = traceback.catch(play, fuzz, scene, frames)
  if ended and not failure then return nil end
  return {
    message = ended and failure or failure.message, trace = ended and "" or failure.trace,
    frame = scene.frame, isCheck = isCheck,
  }
end

-- Two findings of one kind differ only in numbers and addresses.
local function kindOf(finding)
  return (finding.message:gsub("0x%x+", "#"):gsub("%-?%d[%d.e+-]*", "#"))
end

-- Cutting down --------------------------------------------------------------------

-- A cut has `held`, a list of collide.Held; `frames`, how many are played; and `finding`, the fault
-- that then occurs. Each attempt has fewer keys, or as many in fewer frames, or shorter holds; so
-- this ends.

local function copyOf(held)
  return { from = held.from, to = held.to, key = held.key }
end

-- Copies of the items of a list for which keeps(held, i) is true.
local function filtered(list, keeps)
  local kept = {}
  for i, held in ipairs(list) do
    if keeps(held, i) then kept[#kept + 1] = copyOf(held) end
  end
  return kept
end

-- A copy of a list up to a frame.
local function upTo(list, frame)
  local kept = filtered(list, function(held) return held.from <= frame end)
  for _, held in ipairs(kept) do held.to = math.min(held.to, frame) end
  return kept
end

local function scriptOf(list)
  local lines = {}
  for i, held in ipairs(list) do lines[i] = keys._line(held) end
  return table.concat(lines, "\n")
end

-- Switches to fewer keys or frames if the same fault occurs with them. Returns true then.
local function attempt(fuzz, cut, list, frames)
  local text = frames .. "\n" .. scriptOf(list)
  if cut.tried[text] then return false end
  cut.tried[text] = true
  local finding = try(fuzz, input.scripted(list), frames)
  if not finding or kindOf(finding) ~= cut.kind then return false end
  cut.finding = finding
  -- A check needs all frames.
  cut.frames = cut.isCheck and frames or finding.frame
  cut.held = upTo(list, cut.frames)
  return true
end

-- Leaves out all holds of a key, for one key after the other.
local function dropKeys(fuzz, cut)
  local names = {}
  for _, held in ipairs(cut.held) do names[held.key] = true end
  for _, name in ipairs(texts.names(names)) do
    attempt(fuzz, cut, filtered(cut.held, function(held) return held.key ~= name end), cut.frames)
  end
end

-- Leaves out pieces of the list: halves, then quarters, down to single lines.
local function dropPieces(fuzz, cut)
  local size = math.max(1, math.floor(#cut.held / 2))
  while true do
    local first = 1
    while first <= #cut.held do
      local last = first + size - 1
      local without = filtered(cut.held, function(_, i) return i < first or i > last end)
      if not attempt(fuzz, cut, without, cut.frames) then first = last + 1 end
    end
    if size == 1 then return end
    size = math.floor(size / 2)
  end
end

-- Merges a hold of a key with its next one.
local function mergeHolds(fuzz, cut)
  local i = 1
  while i < #cut.held do
    local k = i + 1
    while cut.held[k] and cut.held[k].key ~= cut.held[i].key do k = k + 1 end
    local list = filtered(cut.held, function(_, j) return j ~= k end)
    if cut.held[k] then list[i].to = math.max(list[i].to, cut.held[k].to) end
    if not cut.held[k] or not attempt(fuzz, cut, list, cut.frames) then i = i + 1 end
  end
end

-- Takes away as much of `most` as possible. `without(amount)` leaves out an amount if it can, and
-- returns true then.
local function takeAway(most, without)
  local amount = most
  while amount >= 1 do
    if without(amount) then most = most - amount else amount = math.floor(amount / 2) end
    amount = math.min(amount, most)
  end
end

-- A list without some frames from `first` on; later holds come that much earlier.
local function withoutFrames(list, first, amount)
  local function moved(frame, least)
    return frame < first and frame or math.max(least, frame - amount)
  end
  local moves = filtered(list, function() return true end)
  for _, held in ipairs(moves) do
    held.from, held.to = moved(held.from, first), moved(held.to, first - 1)
  end
  return filtered(moves, function(held) return held.from <= held.to end)
end

-- The frames in which a key goes down or up, sorted, with the first frame and the one after the
-- last.
local function turnsOf(cut)
  local turns, isThere = {}, {}
  local function add(frame)
    if not isThere[frame] then turns[#turns + 1], isThere[frame] = frame, true end
  end
  add(1)
  add(cut.frames + 1)
  for _, held in ipairs(cut.held) do
    add(held.from)
    add(held.to + 1)
  end
  table.sort(turns)
  return turns
end

-- Leaves out frames between one turn and the next.
local function cutTime(fuzz, cut)
  local i = 1
  while true do
    local turns = turnsOf(cut)
    local first = turns[i]
    if not turns[i + 1] then return end
    takeAway(turns[i + 1] - first, function(amount)
      return amount < cut.frames and attempt(fuzz, cut, withoutFrames(cut.held, first, amount),
        cut.frames - amount)
    end)
    i = i + 1
  end
end

-- Releases keys earlier, and presses them later.
local function shortenHolds(fuzz, cut)
  for i = 1, #cut.held do
    for _, side in ipairs { "to", "from" } do
      local held = cut.held[i]
      takeAway(held and held.to - held.from or 0, function(amount)
        local list = filtered(cut.held, function() return true end)
        if not list[i] then return false end
        list[i][side] = list[i][side] + (side == "to" and -amount or amount)
        return list[i].from <= list[i].to and attempt(fuzz, cut, list, cut.frames)
      end)
    end
  end
end

local function byTime(a, b)
  if a.from ~= b.from then return a.from < b.from end
  return a.key < b.key
end

-- Cuts a run down. Returns the cut, or nil if the same keys do not find it again.
local function cutDown(fuzz, finding, list, frames)
  local cut = { tried = {}, kind = kindOf(finding), isCheck = finding.isCheck, held = list,
    frames = frames, finding = finding }
  if not attempt(fuzz, cut, list, frames) then return nil end
  local before
  repeat
    before = cut.frames .. scriptOf(cut.held)
    dropKeys(fuzz, cut)
    dropPieces(fuzz, cut)
    mergeHolds(fuzz, cut)
    if not cut.isCheck then cutTime(fuzz, cut) end
    shortenHolds(fuzz, cut)
  until cut.frames .. scriptOf(cut.held) == before
  table.sort(cut.held, byTime)
  return cut
end

-- The command ---------------------------------------------------------------------

local SECONDS = 30 -- the limit without --runs and --seconds

-- Plays until something goes wrong. The first run has no keys. Returns the Finding or nil, and the
-- keys of the last run.
local function search(fuzz, frames, options, streams)
  local start = core.clock()
  local seconds = options.seconds or not options.runs and SECONDS or math.huge
  local bar = run.newProgress(streams.stderr, streams.terminal, options.runs or seconds)
  local generator, held = random.new("fuzz", fuzz.seed), input.scripted {}
  local finding = try(fuzz, held, frames)
  while not finding and held._order[1] and fuzz.played < (options.runs or math.huge)
    and core.clock() - start < seconds do
    bar:show(options.runs and fuzz.played or math.floor(core.clock() - start))
    held = newPlayer(generator, held._order)
    finding = try(fuzz, held, frames)
  end
  bar:clear()
  return finding, held
end

-- Writes the keys as a file of input, and the page. Returns true, or nil and a message.
local function writeFiles(fuzz, scene, options, cut, out)
  scene.frame, options.frames = cut.frames, cut.frames
  local name = files.nameOf(fuzz.path) .. "-fuzz"
  local path = ("%s/%s.input"):format(files.failures(), name)
  local written, message = files.write(path, ("# %s\n%s%s\n"):format(
    texts.line(cut.finding.message), input.settings(scene), scriptOf(cut.held)))
  if not written then return nil, message end
  out:write("input: ", path, "\n")
  local page, why = run.page(name, fuzz.path, options, { lines = cut.held }, cut.finding.message)
  if not page then return why == nil, why end
  out:write("page: ", page, "\n")
  return true
end

-- Reports a finding, and cuts it down.
local function tell(fuzz, scene, options, finding, held, streams)
  local out, number = streams.stdout, fuzz.played
  local list = held:_heldUpTo(finding.frame)
  out:write(("run %d, %s in %s: %s\n"):format(number, texts.plural(#list, "key"),
    texts.plural(finding.frame, "frame"), finding.message))
  out:flush()
  local cut = cutDown(fuzz, finding, list, finding.isCheck and scene.frames or finding.frame)
  if cut then
    out:write(("cut to %s in %s by %s\n"):format(texts.plural(#cut.held, "key"),
      texts.plural(cut.frames, "frame"), texts.plural(fuzz.played - number, "run")))
    for _, one in ipairs(cut.held) do out:write("  ", keys._line(one), "\n") end
  else
    out:write("the same keys did not find it again: the scene depends on more than its keys\n")
    cut = { held = list, frames = finding.frame, finding = finding }
  end
  local written, message = writeFiles(fuzz, scene, options, cut, out)
  if not written then run.fail(streams, run.FAILED, "cannot write it: " .. message) end
  return run.fail(streams, run.FAILED, cut.finding.message, cut.finding.trace)
end

local function fuzzed(options, streams)
  local seed = options.seed or os.time()
  options.seed = nil -- it seeds the keys, not the scene
  local fuzz = { path = options[1], overrides = input.overrides(options), seed = seed, played = 0,
    allowed = {}, loaded = files.loadedModules() }
  for _, name in ipairs(options.allow or {}) do fuzz.allowed[name] = true end
  local opened, scene, mistake = traceback.catch(scenes.open, fuzz.path, fuzz.overrides,
    input.scripted {})
  if not opened then return run.fail(streams, run.FAILED, scene.message, scene.trace) end
  if not scene then return run.fail(streams, run.FAILED, mistake) end
  streams.stdout:write(("seed %.0f\n"):format(seed))
  streams.stdout:flush()
  local finding, held = search(fuzz, scene.frames, options, streams)
  if finding then return tell(fuzz, scene, options, finding, held, streams) end
  local asked = {}
  for i, key in ipairs(held._order) do asked[i] = key end
  table.sort(asked)
  streams.stdout:write(("nothing found in %s of %s; "):format(texts.plural(fuzz.played, "run"),
    texts.plural(scene.frames, "frame")), asked[1] and "keys: " .. table.concat(asked, ", ")
    or "the scene asks for no keys", "\n")
  return run.OK
end

local INSTRUCTIONS = 1e8 -- the default limit of a frame: half a second or more

--- Plays a scene with random keys.
---@param options table as input.options returns them: the file is options[1]
---@param streams collide.Streams
---@return integer code the exit code
function M.fuzz(options, streams)
  if #options ~= 1 then
    return run.fail(streams, run.MISUSED, "fuzz takes a scene: collide fuzz SCENE")
  end
  local jit = rawget(_G, "jit")
  local isCompiled = jit and jit.status()
  if isCompiled then
    jit.off()
    jit.flush()
  end
  scenes.limit = options.instructions or INSTRUCTIONS
  local ended, code = pcall(fuzzed, options, streams)
  scenes.limit = nil
  if isCompiled then jit.on() end
  if not ended then error(code, 0) end
  return code
end

return M
