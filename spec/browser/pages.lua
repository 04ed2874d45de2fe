-- Writes pages that test themselves: a script at the end uses the page as people do, and prints its
-- results on the console. What it expects is computed here.
--   lua spec/browser/pages.lua FOLDER replay        two replay pages
--   lua spec/browser/pages.lua FOLDER playground PAGE AXE
--     the page for browsers, by day and by night, and as on a phone, upright and across

local collide = require "collide"
local files = require "collide.files"
local texts = require "collide.scene.text"
local page = require "collide.scene.page"
local readme = require "spec.support.readme"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"

local folder, kind, playground = arg[1], arg[2], arg[3]

-- Counts errors, and attempts to load something, from the beginning of the page on.
local ERRORS = [[
<script>
const errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", event => errors.push(event.blockedURI));
</script>
]]

local function script(name) return assert(files.read(("spec/browser/%s.js"):format(name))) end

-- Writes a page with the tests of `kind` at its end; `start` is more of that script.
local function write(name, text, expected, start)
  local after = ("<script>\nconst EXPECTED = %s;\n%s%s%s\n</script>\n"):format(
    texts.json(expected), script "findings", script(kind), start or "")
  text = text:gsub("<style>", function() return ERRORS .. "<style>" end, 1)
  -- Only the last one: the page for browsers has others in its texts.
  text = text:gsub("</body>\n</html>\n$", function() return after .. "</body>\n</html>\n" end)
  assert(files.write(("%s/%s.html"):format(folder, name), text))
end

-- How many actors hit, and how many pairs there are, in a frame of a trace. All actors have a
-- `hit`.
local function countHits(frame)
  local isTold, actors, tellings = {}, 0, 0
  for _, event in ipairs(frame.events) do
    local actor = event:match "^hit (%d+) %d+ "
    if actor then tellings = tellings + 1 end
    if actor and not isTold[actor] then isTold[actor], actors = true, actors + 1 end
  end
  assert(frame.sum:match "^hits (%d+) " == ("%d"):format(tellings / 2))
  return actors, tellings / 2
end

-- The field `aim` of all actors.
local function aimsOf(world)
  local aims = {}
  for i, actor in ipairs(world:actors()) do aims[i] = actor.aim or "none" end
  return aims
end

-- Plays a scene and writes its page; `x`, `y` is the middle of its last actor. The frames of
-- `looks` in the page are compared with the trace, and the trace with the one beside the scene.
local function make(name, scene, frames, looks, x, y)
  local replay, recorder, expected = page.replay(scene), trace.recorder(scene), {}
  local recorded = trace.read(("examples/scenes/%s.trace"):format(name))
  scene.world:trace(function(...) recorder:note(...) end)
  replay:add()
  local marked, hits = 0, 0 -- before the first step
  for frame = 0, frames do
    if frame > 0 then
      scenes.step(scene)
      replay:add()
      local told = recorder:finish()
      assert(not recorded or recorded.frames[frame].sum == told.sum)
      marked, hits = countHits(told)
    end
    if looks[frame] then
      expected[("%d"):format(frame)] = { marked, hits, scene.world:count(), aimsOf(scene.world) }
    end
  end
  local text = page.text(replay)
  print(("%s: %d bytes"):format(name, #text))
  assert(#text <= 1000 * 1000, "a page of more than 1 MB")
  write(name, text, { frames = expected, click = { x, y } })
end

-- A scene with actors that are added and removed, turn, and change shape and group; with bullets
-- and a laser; with a grid that changes; with fields of every kind, and names with characters of
-- HTML.
local function everything()
  local function hit() end
  local shapes = {
    collide.rectangle(-12, -8, 24, 16), collide.circle(9), collide.capsule(-8, 0, 8, 0, 5),
    collide.polygon(-12, -8, 12, -8, 12, 8, 0, -2, -12, 8),
    collide.compound(collide.circle(-6, 0, 5), collide.circle(6, 0, 5)),
  }
  return scenes.load {
    name = "<all> & \"more\"", width = 400, height = 300, seed = 3,
    setup = function(s)
      s.grid = collide.newGrid(10, 3, { cell = 16 })
      s.grid:fill(0, 2, 10, 1, 1)
      s.world:add { name = "map", x = 20, y = 220, static = true, hit = hit,
        shape = collide.tiles(s.grid) }
      s.pool = s.world:newBullets { capacity = 100, radius = 2, bounds = { 0, 0, 400, 300 } }
      s.pool:spawnLaser { points = { 0, 20, 390, 40 }, width = 6, warmup = 0.5, lifetime = 1.5 }
      for i = 1, 12 do
        s.world:add { name = i > 1 and "<b>" .. i or nil, group = i % 2 == 0 and "even" or "odd",
          x = s:uniform(0, 400), y = s:uniform(0, 300), shape = shapes[i % #shapes + 1],
          life = i, odd = i % 2 == 1, mood = "calm", angle = 0, hit = hit,
          update = function(self, dt)
            self.x, self.angle = self.x + (i - 6) * 10 * dt, self.angle + dt
            self.life = self.life - dt
            if s.frame % 50 == 0 then self.odd, self.mood = not self.odd, "frame " .. s.frame end
            -- First no aim, then a number that counts, then a string.
            local turn = (s.frame + i) % 60
            self.aim = turn >= 50 and "a" .. i or turn >= 20 and turn + i or nil
          end }
      end
    end,
    update = function(s)
      local actors = s.world:actors()
      if s.frame % 40 == 0 then
        s.world:remove(actors[3])
        s.world:add { x = 50 + s.frame / 2, y = 150, shape = shapes[1], hit = hit }
        s.world:add(actors[3])
        s.grid:set(s.frame / 40, 1, 1)
      end
      if s.frame == 90 then
        actors[5].shape = collide.circle(30)
        s.world:refresh(actors[5])
      end
      s.pool:spawnRing(200, 100, 1 + s.frame % 2, 90, s.frame)
      s.world:teleport(actors[#actors], 300, 30)
    end,
  }
end

-- The last frame of each scene's trace, and its hash.
local function traces()
  local list = {}
  for _, path in ipairs(files.list("examples/scenes", "trace")) do
    local frame, hash
    for line in io.lines(path) do
      local at, digits = line:match("^frame (%d+) .*hash (%d+)$")
      if at then frame, hash = tonumber(at), digits end
    end
    local name = path:match("([^/]+)%.trace$")
    if files.exists(("examples/scenes/%s.lua"):format(name)) then
      list[#list + 1] = { name = name, frame = frame, hash = hash }
    end
  end
  return list
end

-- The expected output of the runnable examples, in the page's order.
local function outputs()
  local list = {}
  for _, path in ipairs(readme.DOCUMENTS) do
    for _, example in ipairs(readme.examples(path)) do
      list[#list + 1] = table.concat(readme.expected(example), "\n")
    end
  end
  return list
end

if kind == "replay" then
  make("swarm", scenes.load "examples/scenes/swarm.lua", 300,
    { [0] = true, true, [137] = true, [300] = true }, 5, 5)
  make("all", everything(), 170,
    { [0] = true, true, [41] = true, [137] = true, [170] = true }, 0, 0)
else
  -- A window cannot be as small as a phone, so those pages are in frames.
  for name, size in pairs { upright = { 390, 844 }, across = { 844, 390 } } do
    assert(files.write(("%s/phone-%s.html"):format(folder, name), ([[
<!doctype html>
<meta name="color-scheme" content="light dark">
<iframe src="%s.html" style="width: %dpx; height: %dpx; border: 0"></iframe>
]]):format(name, size[1], size[2])))
  end
  local text, axe = assert(files.read(playground)), files.read(arg[4]) or ""
  text = text:gsub("</body>\n</html>\n$", function()
    return ("<script>%s</script>\n</body>\n</html>\n"):format(axe)
  end)
  for _, name in ipairs { "wide", "night", "upright", "across" } do
    write(name, text, { scenes = traces(), outputs = outputs() }, name .. "();")
  end
end
