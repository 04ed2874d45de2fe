-- The files that failed tests leave: for each of their worlds a page that plays its film, and a
-- picture of its last frame, in the folder of failures, with an index.html that lists them. Under
-- busted they have the name of the test, and are kept if it fails, by any assertion or error.
-- Elsewhere they have the name of the assertion of collide that has failed.
--
-- busted reloads all modules but luassert for each spec file, so luassert holds the state of a run.

local require = require "collide.relative"
local luassert = require "luassert"
local each = require "collide.each"
local files = require "collide.files"
local films = require "collide.film"
local filmFile = require "collide.film.file"
local filmPage = require "collide.film.page"
local page = require "collide.scene.page"
local steps = require "collide.world.step"
local texts = require "collide.scene.text"

local M = {}

---@class collide.FailureRun
---@field entries table[] one for each world that was made or stepped since the last test
---@field used table<string, boolean> the names that are taken
---@field left table[] the pages that were left: name, title, message
---@field all table[] the texts to print at the end: lines, and an ASCII picture
---@field serial integer counts the tests
---@field test? table the test that is running
---@field isShowing boolean pages are being made: the worlds of their stages are not filmed
local run = rawget(luassert, "_collide")
if not run then
  run = { entries = {}, used = {}, left = {}, all = {}, serial = 1, isShowing = false,
    isNew = true }
  rawset(luassert, "_collide", run)
end

-- Films of all worlds -------------------------------------------------------------------

local write

local function touch(entry)
  if not run.isSubscribed or entry.touched == run.serial then return end
  entry.touched = run.serial
  run.entries[#run.entries + 1] = entry
end

-- Films a world. An error while filming must not end a step: it ends the film.
local function watch(world)
  if run.isShowing then return end
  local film = films.new(world)
  local entry, add = { world = world, film = film }, film._watch
  film._isPlain = true
  steps.unwatch(world, add)
  film._watch = function()
    if not pcall(add) then film:stop() end
    touch(entry)
  end
  steps.watch(world, film._watch)
  entry.add, entry.write, world._filmed = add, write, entry
  touch(entry)
end

-- The files -----------------------------------------------------------------------------

local INDEX = [==[
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tests that failed</title>
<style>
%sbody { max-width: 60rem; margin: 1rem auto; padding: 0 1rem; background: var(--ground);
  color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
a { color: var(--accent); font-weight: 600; } img { max-width: 100%%; height: auto; }
p { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0 .6rem; }
li { margin-bottom: 1.5rem; }
</style>
</head>
<body>
<h1>Tests that failed: %d</h1>
<ul>
%s</ul>
</body>
</html>
]==]

local ITEM = [==[
<li><a href="%s.html">%s</a>
<p>%s</p>
<img src="%s.svg" alt="" loading="lazy"></li>
]==]

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", ['"'] = "&quot;", ["\n"] = "\n" }

local function writeIndex()
  local items = {}
  for i, one in ipairs(run.left) do
    items[i] = ITEM:format(one.name, texts.escape(one.title, ESCAPES),
      texts.escape(one.message, ESCAPES), one.name)
  end
  files.write(files.failures() .. "/index.html",
    INDEX:format(page.COLORS, #items, table.concat(items)))
end

-- Deletes the page and the picture of a name.
local function erase(name)
  os.remove(("%s/%s.html"):format(files.failures(), name))
  os.remove(("%s/%s.svg"):format(files.failures(), name))
end

-- Begins a run: deletes the files that the last run has left, which its index lists.
local function clear()
  run.isNew = false
  local index = files.read(files.failures() .. "/index.html")
  if not index or not index:find("<title>Tests that failed</title>", 1, true) then return end
  for name in index:gmatch '<li><a href="([%w%._-]+)%.html">' do erase(name) end
  writeIndex()
end

-- The most actors in all frames of a page: with more, it would take too long to make and to open.
local MOST_SHOWN, LEAST_FRAMES = 200000, 60

local PLAIN = { string = true, number = true, boolean = true }

-- Gives the actors of a stage the fields of the actors that they stand for.
local function fillFields(stage, actors)
  for number, actor in ipairs(actors) do
    local shown = stage.actors[number]
    for key, value in each.next, shown and actor or {} do
      if PLAIN[type(value)] and rawget(shown, key) == nil then shown[key] = value end
    end
  end
end

-- The page, the picture and the ASCII picture of a world in its current state.
local function make(entry, about)
  pcall(entry.add)
  local text, actors = films._textOf(entry.film)
  local film, marked = assert(filmFile.read(text)), {}
  for i, actor in ipairs(about.actors or {}) do
    for number, other in ipairs(actors) do
      if other == actor then marked[i] = number end
    end
  end
  local frames = math.max(LEAST_FRAMES, math.floor(MOST_SHOWN / math.max(1, entry.world:count())))
  return filmPage.make(film, { name = about.title, title = about.title, line = about.line,
    message = about.message, marked = marked, first = math.max(1, #film.frames - frames + 1),
    finish = function(stage) fillFields(stage, actors) end })
end

-- Writes page and picture under a name. Returns lines with their paths, and the ASCII picture.
function write(entry, name, about)
  if run.isNew then clear() end
  run.isShowing = true
  local made, html, picture, characters = pcall(make, entry, about)
  run.isShowing = false
  local function put(extension, text)
    if not made then return "none, " .. tostring(html) end
    local path = ("%s/%s.%s"):format(files.failures(), name, extension)
    local written, message = files.write(path, text)
    return written and path or "none, " .. message
  end
  local lines = ("\npicture: %s\npage: %s"):format(put("svg", picture), put("html", html))
  run.left[#run.left + 1] = { name = name, title = about.title, message = about.message }
  writeIndex()
  return lines, made and characters or nil
end

local function forget(name)
  erase(name)
  for i = #run.left, 1, -1 do
    if run.left[i].name == name then table.remove(run.left, i) end
  end
end

--- Writes the page and picture of a world in which an assertion has failed. Returns lines for its
--- message, with their paths and an ASCII picture.
---@param world collide.World
---@param assertion string its name
---@param message string
---@param actors table[] the actors that it is about
---@return string
function M.leave(world, assertion, message, actors)
  local entry = world._filmed
  if run.isShowing or not entry then return "" end
  local test = run.test
  local about = { title = test and test.title or "assert." .. assertion, message = message,
    actors = actors }
  if test then
    local at = debug.traceback("", 2):match("\n%s*([^\n]-" .. test.pattern .. ":%d+):")
    about.line = at
    entry.name = entry.name or files.nameOf(test.name, run.used)
  end
  if test and entry.written then forget(entry.name) end
  local name = test and entry.name or files.nameOf(("%s-frame-%d"):format(assertion,
    world._frame), run.used)
  local lines, characters = write(entry, name, about)
  entry.written = test and message
  return lines .. (characters and "\n" .. characters or "")
end

-- Under busted --------------------------------------------------------------------------

-- Describes a test: its title, a name for its files, and a pattern for its spec file.
local function describe(busted, element)
  local names, file, at = {}, nil, element
  while at do
    if at.descriptor == "file" then file = at.name end
    if at.name and at.descriptor ~= "file" then table.insert(names, 1, tostring(at.name)) end
    at = busted.parent(at)
  end
  local title, base = table.concat(names, " "), (file or ""):match "([^/\\]*)$"
  return { title = title, name = base:gsub("%.lua$", "") .. "-" .. title,
    pattern = base:gsub("%p", "%%%0") }
end

-- Ends a test: if it has failed, leaves the pages of its worlds; then forgets the worlds.
local function finish(status)
  local test, fault = run.test, run.fault
  for _, entry in ipairs(run.entries) do
    local hasFailed = test and (status == "failure" or status == "error")
    local isSaid = entry.written and fault and fault.message:find(entry.written, 1, true)
    if entry.written and not (hasFailed and isSaid) then
      forget(entry.name)
      writeIndex()
    end
    local isThere = entry.film:range() or pcall(entry.world.count, entry.world)
      and entry.world:count() > 0
    if hasFailed and not isSaid and isThere then
      entry.name = entry.name or files.nameOf(test.name, run.used)
      local lines, characters = entry.write(entry, entry.name, { title = test.title,
        message = fault and fault.message or status, line = fault and fault.line })
      run.all[#run.all + 1] = { test.title .. lines, characters }
    end
    entry.written, entry.name = nil, nil
  end
  run.entries, run.fault, run.test = {}, nil, nil
  run.serial = run.serial + 1
end

local function note(_, _, message, trace)
  run.fault = run.fault or { message = tostring(message),
    line = trace and ("%s:%d"):format(trace.short_src, trace.currentline) }
end

-- Prints pictures for tests that failed by other assertions, whose messages have none.
local function report()
  for _, one in ipairs(run.all) do
    io.stdout:write("\n", one[1], "\n", one[2] or "", "\n")
  end
end

local function subscribe(busted)
  busted.subscribe({ "test", "start" }, function(element)
    run.test = describe(busted, element)
    return nil, true
  end)
  busted.subscribe({ "failure", "it" }, note)
  busted.subscribe({ "error", "it" }, note)
  busted.subscribe({ "test", "end" }, function(_, _, status)
    finish(status)
    return nil, true
  end)
  busted.subscribe({ "error", "before_each" }, function(element, parent, message, trace)
    run.test = describe(busted, parent)
    note(element, parent, message, trace)
    finish "error"
  end)
  busted.subscribe({ "exit" }, report)
end

--- Films every world that is made from now on.
function M.begin()
  steps.onNew = watch
  local busted = package.loaded.busted
  if run.isSubscribed or type(busted) ~= "table" or not busted.subscribe then return end
  run.isSubscribed = true
  if run.isNew then clear() end
  subscribe(busted)
end

return M
