-- The command `collide film`, and the comparison of two films by `collide diff`.

local require = require "collide.relative"
local core = require "collide.core"
local diff = require "collide.snapshot.diff"
local filmFile = require "collide.film.file"
local filmPage = require "collide.film.page"
local files = require "collide.files"
local input = require "collide.scene.input"
local reader = require "collide.world.reader"
local run = require "collide.scene.run"
local texts = require "collide.scene.text"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

M.OPTIONS = { html = input.OPTIONS.html, show = input.OPTIONS.show, actor = input.OPTIONS.actor }

--- Reads a film. Returns nil and a message if there is none.
---@param path string
---@return table? film
---@return string? message
function M.read(path)
  return filmFile.load(path, "cannot read the film: ")
end

--- Whether a file is a film, damaged or not.
function M.is(path)
  local text = files.read(path)
  return text ~= nil and text:sub(1, 8) == "colfilm\26"
end

-- What happens in a frame ----------------------------------------------------------

-- Reads a frame: the hits of the world, in order and by pairs of actors, and which actors the
-- option --actor names.
local function readFrame(world, called)
  local list, known, isCalled = {}, {}, {}
  for a, b, nx, ny, depth in world:hits() do
    list[#list + 1] = { a = a, b = b, nx = nx, ny = ny, depth = depth }
    known[a] = known[a] or {}
    known[a][b] = true
  end
  for number, actor in ipairs(world:actors()) do
    isCalled[actor] = called and run.isCalled(world, actor, number, called)
  end
  return { list = list, known = known, isCalled = isCalled }
end

local function has(known, a, b)
  return known[a] and known[a][b]
end

-- Prints the actors that --actor names, and the hits that begin, last and end.
local function printFrame(stage, called, before, stream)
  local world, found = stage.world, false
  local now = readFrame(world, called)
  stream:write(("frame %d\n"):format(stage.frame))
  for _, actor in ipairs(world:actors()) do
    if now.isCalled[actor] then
      found = true
      local _, _, _, angle = reader.placeOf(actor, world._names)
      stream:write(("  %s%s\n"):format(reader.describe(world, actor),
        angle ~= 0 and ", angle " .. core.describe(angle, true) or ""))
    end
  end
  local function line(event, hit, how)
    local isCalled = event == "leave" and before.isCalled or now.isCalled
    if called and not (isCalled[hit.a] or isCalled[hit.b]) then return end
    stream:write(("  %-6s %s; %s%s\n"):format(event, reader.describe(world, hit.a),
      reader.describe(world, hit.b), how))
  end
  for _, hit in ipairs(before.list) do
    if not has(now.known, hit.a, hit.b) then line("leave", hit, "") end
  end
  for _, hit in ipairs(now.list) do
    line(has(before.known, hit.a, hit.b) and "hit" or "enter", hit,
      ("; way out %s, %s, depth %s"):format(texts.short(hit.nx, 6), texts.short(hit.ny, 6),
        texts.short(hit.depth, 6)))
  end
  return now, found
end

local function show(film, options, stream)
  local stage, found = filmFile.stage(film), not options.actor
  local range = options.show or { first = 0, last = math.huge }
  local before = { list = {}, known = {}, isCalled = {} }
  for i, frame in ipairs(film.frames) do
    if frame.number >= range.first and frame.number <= range.last then
      if i > 1 and not stage.frame then
        stage:show(i - 1)
        before = readFrame(stage.world, options.actor)
      end
      stage:show(i)
      local isThere
      before, isThere = printFrame(stage, options.actor, before, stream)
      found = found or isThere
    end
  end
  return found
end

-- The command --------------------------------------------------------------------------

local function summary(film)
  local frames, stage = film.frames, filmFile.stage(film)
  if not frames[1] then return "no frames\n" end
  stage:show(#frames)
  return ("frames %d-%d\nactors %d\nhits %d\nhash %s\n%s"):format(frames[1].number,
    frames[#frames].number, stage.world:count(), #readFrame(stage.world).list, stage.world:hash(),
    film.keys and ("keys\n%s\n"):format(film.keys:gsub("^", "  "):gsub("\n", "\n  ")) or "")
end

--- `collide film FILE`.
---@param options table as input.options returns them
---@param streams collide.Streams
---@return integer code the exit code
function M.film(options, streams)
  if #options ~= 1 then
    return run.fail(streams, run.MISUSED, "film takes a file: collide film FILE")
  end
  local film, message = M.read(options[1])
  if not film then return run.fail(streams, run.FAILED, message) end
  local isShown = options.show or options.actor
  if isShown and not show(film, options, streams.stdout) then
    return run.fail(streams, run.FAILED, ("%s: no actor is called %s"):format(options[1],
      options.actor))
  end
  if not isShown then streams.stdout:write(summary(film)) end
  if not options.html then return run.OK end
  local name = options[1]:match "([^/\\]*)$"
  local written, why = files.write(options.html, (filmPage.make(film, { name = name })))
  if written then return run.OK end
  return run.fail(streams, run.FAILED, "cannot write the page: " .. why)
end

-- The indices in both lists of the frames that both have.
local function common(a, b)
  local pairs_, i, k = {}, 1, 1
  while a[i] and b[k] do
    if a[i].number == b[k].number then pairs_[#pairs_ + 1] = { i, k } end
    local isFirst, isSecond = a[i].number <= b[k].number, b[k].number <= a[i].number
    i, k = i + (isFirst and 1 or 0), k + (isSecond and 1 or 0)
  end
  return pairs_
end

-- The text for a name or another value, from core.describe.
local function plain(value)
  return (core.describe(value, true):gsub("^string ", ""))
end

-- A function that packs shapes without the cells of tiles: equal shapes become equal bytes.
local function packer()
  local known = {}
  return function(shape)
    known[shape] = known[shape] or core.packShape(shape)
    return known[shape]
  end
end

-- The first actor whose name or shape differs between two stages, as a sentence.
local function diffActors(one, other, pack)
  local names, others = one.world._names, other.world:actors()
  local otherNames = other.world._names
  for i, actor in ipairs(one.world:actors()) do
    local twin = others[i]
    if not twin then return nil end
    local name = names.name and actor[names.name] or nil
    local otherName = otherNames.name and twin[otherNames.name] or nil
    local shape, otherShape = actor[names.shape], twin[otherNames.shape]
    local what = name ~= otherName and { "name", plain(name), plain(otherName) }
      or pack(shape) ~= pack(otherShape) and { "shape", tostring(shape), tostring(otherShape) }
    if what then
      local called = name and " " .. plain(name) or ""
      return ("actor %d%s: %s is %s, in the other %s"):format(i, called, unpack(what))
    end
  end
end

--- The first difference between two films in a frame that both have, as a sentence. Without one,
--- nil and the numbers of the first and last such frame, or nil if there is none.
---@return string? difference
---@return integer? first
---@return integer? last
function M.diff(a, b)
  local both = common(a.frames, b.frames)
  local one, other, pack = filmFile.stage(a), filmFile.stage(b), packer()
  for _, at in ipairs(both) do
    one:show(at[1])
    other:show(at[2])
    local different = diffActors(one, other, pack)
      or diff.first(one.world:snapshot(a.fields), other.world:snapshot(b.fields))
    if different then return ("frame %d: %s"):format(one.frame, different) end
  end
  if both[1] then return nil, a.frames[both[1][1]].number, a.frames[both[#both][1]].number end
end

return M
