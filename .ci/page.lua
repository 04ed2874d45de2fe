-- Writes replay pages that test themselves, for .ci/page: a script at the end uses the page as
-- people do, and leaves its results as text. The expected values are computed here.
--   lua .ci/page.lua FOLDER

local browser = require "spec.support.browser"
local collide = require "collide"
local page = require "collide.scene.page"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"

local folder = arg[1]

local AFTER = [==[
<script>
%sconst told = name => document.body.dataset[name];
const press = (key, more) => dispatchEvent(new KeyboardEvent("keydown", { key, ...more }));
function scrub(frame) {
  $("scrub").value = frame;
  $("scrub").dispatchEvent(new Event("input"));
}
const picture = () => canvas.toDataURL();
const EXPECTED = %s, LAST = frames.length - 1;

const aim = data.fields.find(field => field.name === "aim");
for (const [frame, [marked, hits, actors, aims]] of Object.entries(EXPECTED)) {
  scrub(frame);
  same(`aims in frame ${frame}`,
    [...frames[now].who].map(who => aim && fieldAt(aim, who, now) || "none"), aims);
  same(`marked in frame ${frame}`, told("marked"), marked);
  same(`hits in frame ${frame}`, told("hits"), hits);
  same(`actors in frame ${frame}`, frames[now].n, actors);
}

scrub(20);
const before = picture();
scrub(LAST);
same("the last frame looks different", picture() !== before, true);
for (let f = LAST; f >= 0; f -= 7) scrub(f);
scrub(20);
same("the same picture after scrubbing", picture() === before, true);

press("ArrowRight");
same("right", told("frame"), 21);
press("ArrowLeft");
press("ArrowLeft");
same("left", told("frame"), 19);
press("ArrowRight", { shiftKey: true });
same("shift right", told("frame"), 29);
press("End");
same("end", told("frame"), LAST);
press("ArrowRight");
same("right at the end", told("frame"), LAST);
press("Home");
same("home", told("frame"), 0);
press("ArrowLeft");
same("left at the start", told("frame"), 0);
press("n");
same("n: a hit begins", frames[now].pairs.some(pair => pair.since === now), true);
const hit = now;
press("ArrowRight");
press("p");
same("p: the same hit", now, hit);
press("]");
press("]");
same("faster", $("speed").textContent, "4×");
press("[");
same("slower", $("speed").textContent, "2×");
const plain = picture();
press("+");
same("+ zooms", picture() !== plain, true);
press("d");
press("0");
same("0 shows all again", picture() === plain, true);
press("Tab");
same("tab chooses an actor", told("chosen") !== "", true);
same("and shows its fields", $("side").textContent.includes("Fields"), true);
const rows = [...$("side").querySelectorAll("dt")];
same("each once", new Set(rows.map(row => row.textContent)).size, rows.length);
for (const name of ["x", "y"]) {
  const shown = rows.find(row => row.textContent === name).nextSibling.textContent;
  const digits = (shown.split(".")[1] || "").length;
  same(`${name} to the digits that are true`, 10 ** digits <= data.units, true);
}
same("the seed", $("about").textContent.startsWith(`seed ${data.seed}`), true);
press("Escape");
same("escape", told("chosen"), "");
scrub(20);

// A click in the middle of the actor added last, whom nobody covers.
const last20 = frames[20].n - 1, box = canvas.getBoundingClientRect(), s = scale();
const at = { bubbles: true, clientX: box.left + canvas.clientWidth / 2 +
  (frames[20].x[last20] + CLICK_X - middleX) * s, clientY: box.top + canvas.clientHeight / 2 +
  (frames[20].y[last20] + CLICK_Y - middleY) * s };
canvas.dispatchEvent(new PointerEvent("pointerdown", at));
canvas.dispatchEvent(new PointerEvent("pointerup", at));
same("a click", told("chosen"), nameOf(frames[20].who[last20]));
const list = [...$("side").querySelectorAll("li button")].map(button => button.textContent);
const partners = frames[20].pairs.filter(p => p.a === chosen || p.b === chosen)
  .map(p => nameOf(p.a === chosen ? p.b : p.a));
same("its hits", list, partners);
press("Escape");

checkContrasts([["text", "ground", 4.5], ["muted", "ground", 4.5],
  ["accent", "ground", 4.5], ["text", "paper", 4.5], ["free", "paper", 3], ["static", "paper", 3],
  ["hit", "paper", 3], ["bullet", "paper", 3], ["chosen", "paper", 3]]);
same("scheme", luminance("ground") > 0.5 ? "light" : "dark", location.hash.slice(1));

press(" ");
same("space plays", told("playing"), "true");
const start = Number(told("frame"));
setTimeout(() => {
  same("time goes by", Number(told("frame")) > start, true);
  press(" ");
  same("space pauses", told("playing"), "false");
  checkEnd();
  const result = document.createElement("pre");
  result.textContent = "\n" + found.join("\n") + "\n";
  document.body.replaceChildren(result);
}, 1000);
</script>
]==]

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  assert(file:write(text))
  file:close()
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

-- The field `aim` of all actors, as a list in JavaScript.
local function aimsOf(world)
  local aims = {}
  for i, actor in ipairs(world:actors()) do aims[i] = ("%q"):format(actor.aim or "none") end
  return "[" .. table.concat(aims, ", ") .. "]"
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
      expected[#expected + 1] = ("%d: [%d, %d, %d, %s]"):format(frame, marked, hits,
        scene.world:count(), aimsOf(scene.world))
    end
  end
  local text = page.text(replay)
  print(("%s: %d bytes"):format(name, #text))
  assert(#text <= 1000 * 1000, "a page of more than 1 MB")
  local after = AFTER:format(browser.FINDINGS, "{ " .. table.concat(expected, ", ") .. " }")
    :gsub("CLICK_X", x):gsub("CLICK_Y", y)
  text = text:gsub("<style>", function() return browser.ERRORS .. "<style>" end)
    :gsub("</body>", function() return after .. "</body>" end)
  write(("%s/%s.html"):format(folder, name), text)
end

make("swarm", scenes.load "examples/scenes/swarm.lua", 300,
  { [0] = true, true, [137] = true, [300] = true }, "5", "5")

-- A scene with actors that are added and removed, turn, and change shape and group; with bullets
-- and a laser; with a grid that changes; with fields of every kind, and names with characters of
-- HTML.
local function hit() end
local shapes = {
  collide.rectangle(-12, -8, 24, 16), collide.circle(9), collide.capsule(-8, 0, 8, 0, 5),
  collide.polygon(-12, -8, 12, -8, 12, 8, 0, -2, -12, 8),
  collide.compound(collide.circle(-6, 0, 5), collide.circle(6, 0, 5)),
}
local scene = scenes.load {
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
        x = s.uniform(0, 400), y = s.uniform(0, 300), shape = shapes[i % #shapes + 1],
        life = i, odd = i % 2 == 1, mood = "calm", angle = 0, hit = hit,
        update = function(self, dt)
          self.x, self.angle = self.x + (i - 6) * 10 * dt, self.angle + dt
          self.life = self.life - dt
          if s.frame % 50 == 0 then self.odd, self.mood = not self.odd, "frame " .. s.frame end
          local turn = (s.frame + i) % 60 -- first no aim, then a number that counts, then a string
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
make("all", scene, 170, { [0] = true, true, [41] = true, [137] = true, [170] = true }, "0", "0")
