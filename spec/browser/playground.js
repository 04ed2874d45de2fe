// The tests of the page for browsers, which run in it, when it is wide and when it is as large as a
// phone: the scenes end with the hashes of their traces, the examples print the documented output,
// errors show their lines, and endless programs can be stopped.

async function until(what, condition, seconds = 30) {
  const end = performance.now() + 1000 * seconds;
  while (!condition()) {
    if (performance.now() > end) {
      found.push(`FAILED ${what}: not within ${seconds} s; the page says ${
        JSON.stringify([$("told").textContent, $("status").textContent, $("error").textContent])}`);
      return;
    }
    await sleep(5);
  }
}

const toldIs = text => until(text, () => $("told").textContent.startsWith(text));

function type(text) {
  $("code").focus();
  $("code").select();
  document.execCommand("insertText", false, text);
}

const press = (element, key, more) =>
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));

async function running(text, end = "done") {
  type(text);
  press($("code"), "Enter", { ctrlKey: true });
  await toldIs(end);
  return $("output").textContent;
}

function checkWidth(name) {
  const root = document.documentElement;
  same(`no sideways scroll: ${name}`, root.scrollWidth - root.clientWidth, 0);
}

async function openScene(name, frame) {
  $("error").textContent = "";
  location.hash = `#e=${name}&f=${frame}`;
  await until(name, () => player.scene?.name === name && player.scene.frame === frame
    || $("error").textContent !== "", 60);
}

async function checkAddress() {
  await until("the first example", () => player.scene?.name === FIRST && player.scene.frame > 5);
  same("the address of the first example", location.hash, "#e=" + FIRST);
  location.hash = "#e=nosuch";
  await until("no such example", () => $("error").textContent !== "");
  same("no such example: error", $("error").textContent, 'There is no example called "nosuch".');
  same("no such example: the text", editor.text, "");
  same("no such example: the scene", [player.scene, $("stage").hidden], [null, true]);
  const { name } = data.examples.find(example => example.group !== "Scenes");
  location.hash = "#e=" + name.replaceAll(" ", "%20");
  await until("a section", () => $("examples").value === name);
  same("a section: error", $("error").textContent, "");
}

async function checkScenes() {
  for (const { name, frame, hash } of EXPECTED.scenes) {
    await openScene(name, frame);
    same(`${name} after ${frame} frames`, $("status").textContent.match(/hash (\d+)$/)?.[1], hash);
    same(`${name}: error`, $("error").textContent, "");
    same(`${name}: address`, location.hash, `#e=${name}&f=${frame}`);
  }
}

async function checkExamples() {
  const examples = data.examples.filter(example => example.group !== "Scenes");
  same("examples", examples.length, EXPECTED.outputs.length);
  for (const [i, { name }] of examples.entries()) {
    $("examples").value = name;
    $("examples").dispatchEvent(new Event("change"));
    await until(name, () => ["done", "playing", "error"].includes($("told").textContent.split(" ")[0]));
    const words = $("output").textContent.trimEnd().split("\n").map(line => line.replaceAll("\t", " "));
    same(name, words.join("\n"), EXPECTED.outputs[i]);
    same(`${name}: error`, $("error").textContent, "");
  }
}

async function checkEditing() {
  $("examples").value = data.examples.find(example => example.group === "README.md").name;
  $("examples").dispatchEvent(new Event("change"));
  await toldIs("done");
  const before = $("output").textContent;
  same("edited", await running(editor.text.replaceAll("print(", 'print("edited", ')),
    before.replace(/^(?=.)/gm, "edited\t"));
  same("print", await running('io.write("a", "ö")\nprint(1, nil)\nio.stderr:write("b")'), "aö1\tnil\nb");
  same("much that is printed", (await running("for i = 1, 30000 do print(i) end")).slice(-6), "30000\n");
  const chosenName = () => $("examples").selectedOptions[0].text;
  same("the name of an edited text", chosenName().endsWith(" (edited)"), true);
  type(chosen.code);
  same("the name of the text as it was", chosenName(), chosen.title);
  type("if true then\n  x = 1");
  press($("code"), "Enter", { cancelable: true });
  same("a new line below the one before", editor.text, "if true then\n  x = 1\n  ");
}

// Each of these has an error in line 3, and the page must say so.
const WRONG = {
  error: 'local a = 1\n\nerror("no")',
  syntax: "local a = 1\n\nlocal = 2",
  "argument of collide": 'local collide = require "collide"\n\ncollide.circle(-1)',
  "scene's update": "return { update = function(scene)\n\n  scene.x.y = 1 end }",
  "scene's draw": "return { draw = function(scene, canvas)\n\n  canvas:circle() end }",
  "actor's update": 'return { setup = function(scene) scene.world:add { x = 1, y = 1,\n' +
    'shape = require("collide").circle(1), update = function()\nerror("no") end } end }',
  "deep recursion": "local function f()\n\n  return 1 + f() end f()",
};

async function checkErrors() {
  for (const [name, text] of Object.entries(WRONG)) {
    await running(text, "error");
    same(`${name}: told`, $("told").textContent, "error in line 3");
    same(`${name}: says the line`, $("error").textContent.includes("main.lua:3:"), true);
    same(`${name}: the stack`, $("error").textContent.match(/play\.lua|lua\/collide/), null);
    same(`${name}: marked`, [editor.marked, $("mark").hidden,
      $("numbers").querySelector("b")?.textContent], [3, false, 3]);
  }
  await running("local s = 'x' while true do s = s .. s end", "error");
  same("memory", $("error").textContent, "not enough memory");
  await running("return { check = function() return false, 'too bad' end, frames = 2 }", "error");
  same("a check", $("error").textContent.includes("check failed: too bad"), true);
  await running("return { update = function(s) if s.frame == 30 then error 'far' end end }", "error");
  same("the frame of an error", $("status").textContent, "failed in frame 30");
  await running("os.exit(1)");
  await running("local s = 'x' for _ = 1, 220 do s = '{' .. s .. '}' end load(s)\n" +
    "local function f(n) return n > 0 and pcall(f, n - 1) end print(f(150))");
  same("deep calls", $("error").textContent, "");
}

async function checkEndless() {
  for (const text of ["while true do end", "while true do print('again') end",
    "return { update = function() while true do end end }"]) {
    await running(text, "running for");
    $("stop").click();
    same(`${text}: stopped`, [$("told").textContent, $("stop").disabled], ["stopped", true]);
  }
  same("after that", await running("print(6 * 7)"), "42\n");
}

async function checkSharing() {
  const text = "-- ö, 円\nprint('shared')\n";
  await running(text);
  $("share").click();
  await until("shared", () => location.hash.startsWith("#c="));
  const link = location.hash;
  await openScene("swarm", 1);
  edited.clear(); // as in the browser of someone else
  location.hash = link;
  await until("shared text", () => editor.text === text);
  same("what is shared waits", $("told").textContent, "shared: Run runs it");
  same("what is shared has no other name", $("examples").selectedOptions[0].text, "shared");
  type(text + "\n");
  same("and is yours once you edit it", $("examples").selectedOptions[0].text, "your text");
  location.hash = "#t=" + toLetters(new TextEncoder().encode(text + text));
  await until("text as it is", () => editor.text === text + text);
  location.hash = "#c=AAAA";
  await until("a broken link", () => $("error").textContent.includes("cannot be read"));
}

// The colours in a part of the scene: red, green, blue and alpha of each pixel.
function pixelsOf(x, y, w, h) {
  const { canvas } = picture, scale = picture.scale() * devicePixelRatio;
  const copy = new OffscreenCanvas(canvas.width, canvas.height)
    .getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return copy.getImageData(canvas.width / 2 + (x - picture.x) * scale,
    canvas.height / 2 + (y - picture.y) * scale, Math.max(1, w * scale), Math.max(1, h * scale)).data;
}

async function checkDrawing() {
  const RED = [255, 0, 0], PAPER = [252, 251, 247];
  await running(`local collide = require "collide"
return { width = 100, height = 80, draw = function(_, canvas)
  canvas:setColor(1, 0, 0)
  canvas:rectangle("fill", 0, 0, 10, 10)
  canvas:circle("fill", 30, 10, 8)
  canvas:shape("fill", collide.capsule(0, 0, 20, 0, 6), 50, 10)
  canvas:shape("fill", collide.polygon(0, 0, 20, 0, 0, 20), 0, 20, 0)
  canvas:circles({ 30, 30, 50, 30 }, 5)
  canvas:rectangle("line", 60, 25, 20, 20)
  for y = 60, 66, 1 / 32 do canvas:line(0, y, 20, y) end
  canvas:print("MMMM", 40, 60)
end }`, "playing");
  for (const [name, x, y, color] of [["rectangle", 5, 5, RED], ["beside it", 13, 5, PAPER],
    ["circle", 36, 10, RED], ["capsule's end", 45.5, 10, RED], ["capsule's middle", 60, 5, RED],
    ["beyond the capsule", 77, 10, PAPER], ["polygon", 5, 25, RED], ["beside it", 15, 35, PAPER],
    ["circles", 50, 33, RED], ["outline", 70, 35, PAPER], ["lines", 10, 63, RED]]) {
    const pixel = pixelsOf(x, y, 0, 0);
    same(`${name} at ${x}, ${y}`, color.every((part, i) => Math.abs(part - pixel[i]) < 16), true);
  }
  const dark = pixelsOf(40, 60, 30, 15).filter((part, i) => i % 4 === 1 && part < 100);
  same("text", dark.length > 20, true);
}

// A map of rectangles and slopes, in a translucent colour: no line shows where its cells meet.
async function checkSeams() {
  await running(`local collide = require "collide"
local grid = collide.newGrid({ "1212", "2121" }, { cell = 7.3, values = { ["1"] = 1, ["2"] = 2 } })
local map = collide.tiles(grid, { [2] = collide.polygon(0, 0, 1, 0, 1, 1, 0, 1) })
return { width = 33, height = 21, draw = function(_, canvas)
  canvas:setColor(0, 0, 1, 0.5)
  canvas:shape("fill", map, 2, 3)
end }`, "playing");
  const pixels = pixelsOf(4, 5, 25, 11);
  same("no seams", pixels.every((part, i) => Math.abs(part - pixels[i % 4]) <= 3), true);
}

const point = (name, x, y, more) => {
  const { canvas } = picture, { left, top } = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent(name, { pointerId: 1, bubbles: true, ...more,
    clientX: left + canvas.clientWidth / 2 + (x - picture.x) * picture.scale(),
    clientY: top + canvas.clientHeight / 2 + (y - picture.y) * picture.scale() }));
};

const BALL = `local collide = require "collide"
return { width = 200, height = 100, params = { speed = 0, name = "ball", big = true },
  setup = function(scene)
    scene.world:add { name = "wall", x = 150, y = 0, shape = collide.rectangle(10, 100), static = true }
    scene.world:add { name = scene.params.name, x = 50, y = 50, vx = scene.params.speed, vy = 0,
      shape = collide.circle(10), update = function(self, dt)
        self.x, self.y = self.x + self.vx * dt, self.y + self.vy * dt end,
      enter = function(_, other) print("meets " .. other.name, scene.params.big) end }
  end }`;

const rows = () => Object.fromEntries([...$("chosen").children].map((element, i, all) =>
  [element.textContent, all[i + 1]?.textContent]).filter((_, i) => i % 2 === 0));

async function checkMouse() {
  $("canvas").setPointerCapture = () => {};
  await running(BALL, "playing");
  await until("stepped", () => player.scene.frame > 2);
  point("pointerdown", 50, 50);
  await until("held", () => player.scene.isHeld);
  for (let x = 50; x <= 80; x += 3) {
    point("pointermove", x, 50);
    await sleep(20);
  }
  point("lostpointercapture", 80, 50);
  await until("thrown at the wall", () => $("output").textContent === "meets wall\ttrue\n");
  same("what is shown of the actor", [rows().actor, rows().shape, Number(rows().vx) > 10],
    ["ball", "circle", true]);
  $("pause").click();
  await until("paused", () => player.scene.hash);
  const { frame, hash } = player.scene, x = Number(rows().x);
  $("time").value = 2;
  $("time").dispatchEvent(new Event("input"));
  await until("back to the beginning", () => player.scene.frame === 2);
  same("the place then", [rows().x, player.scene.last >= frame], ["50", true]);
  player.go(frame);
  await until("the same again", () => player.scene.frame === frame);
  same("the throw is played again", [player.scene.hash, Number(rows().x)], [hash, x]);
  $("back").click();
  await until("one frame back", () => player.scene.frame === frame - 1);
  const scale = picture.scale();
  $("canvas").dispatchEvent(new WheelEvent("wheel", { deltaY: -300, cancelable: true }));
  same("the wheel zooms", Math.abs(picture.scale() / scale - 2) < 1e-9, true);
  $("farther").click();
  $("farther").click();
  same("and all is seen again", [picture.zoom, picture.x, picture.y], [1, 100, 50]);
}

async function checkSettings() {
  await running(BALL, "playing");
  const [big, name, speed] = $("params").querySelectorAll("input");
  same("inputs", [big.type, name.type, speed.type], ["checkbox", "text", "range"]);
  speed.value = 1;
  speed.dispatchEvent(new Event("input"));
  $("broadphase").value = "quadtree";
  $("broadphase").dispatchEvent(new Event("change"));
  await until("the broad phase", () => player.scene.figures.broadphase === "quadtree");
  await until("the address", () => location.hash.endsWith("&set.speed=1&set.broadphase=quadtree"));
  same("the slider stays", [$("params").contains(speed), $("error").textContent], [true, ""]);
  await openScene("swarm", 3);
  for (const id of ["shapes", "hits", "cells"]) $(id).click();
  await until("drawn otherwise", () => $("cells").getAttribute("aria-pressed") === "true"
    && picture.numbers.length > 3000 && player.changes.length === 0 && !player.isBusy);
  same("no error", $("error").textContent, "");
  for (const id of ["shapes", "hits", "cells"]) $(id).click();
  location.hash = "#e=swarm&f=2&set.count=7";
  await until("a parameter in the address", () => player.scene?.actors === 7);
  same("its slider", $("params").querySelector("input").value, "7");
}

// A program is shown as it has left its world; one that returns a world, as it goes on.
async function checkWorlds() {
  const world = `local world = require("collide").newWorld()
world:add { x = 5, y = 7, shape = require("collide").circle(3),
  update = function(self) self.x = self.x + 1 end }\n`;
  same("prints", await running(world + "print(world:count())"), "1\n");
  same("its world", [player.scene?.actors, player.scene?.frame, $("stage").hidden], [1, 0, false]);
  same("its broad phase stays", $("broadphase").disabled, true);
  same("all of it is seen", [picture.x, picture.y, picture.width > 6], [5, 7, true]);
  $("step").click();
  await until("goes on", () => player.scene.frame === 1);
  await running(world + "return world", "playing");
  await until("plays", () => player.scene.frame > 3);
  await running("print(1)");
  same("no world", [player.scene, $("stage").hidden], [null, true]);
}

async function checkKept() {
  edited.clear();
  await openScene("swarm", 1);
  type(chosen.code + "\n-- kept");
  same("kept in the browser", JSON.parse(localStorage.getItem(KEPT)).swarm.endsWith("-- kept"), true);
  same("can be undone", $("undo").hidden, false);
  run();
  await until("the address of what is edited", () => location.hash.startsWith("#c="));
  const link = location.hash;
  location.hash = "#e=boss";
  await until("another", () => player.scene?.name === "boss");
  location.hash = link;
  await until("one's own runs at once", () => chosen?.name === "swarm" && player.scene);
  $("undo").click();
  same("as it was", [editor.text, edited.has("swarm"), $("undo").hidden], [chosen.code, false, true]);
  await until("a short address", () => location.hash === "#e=swarm");
}

async function checkPlaying() {
  await openScene("swarm", 10);
  same("paused", $("pause").getAttribute("aria-pressed"), "true");
  await sleep(200);
  same("stays paused", player.scene.frame, 10);
  $("step").click();
  await until("one frame on", () => player.scene.frame === 11);
  $("pause").click();
  await until("plays", () => player.scene.frame > 20);
  await running(`return { update = function(scene)
  if scene:pressed "left" then print("left in", scene.frame > 0) end end }`, "playing");
  await until("the keys that it asks for", () => $("keys").children.length === 1);
  press($("canvas"), "ArrowLeft");
  await until("a key", () => $("output").textContent === "left in\ttrue\n");
  await openScene("platformer", 1);
  $("pause").click();
  await until("its keys", () => !$("play").hidden);
  $("play").click();
  await until("the keyboard's turn", () => player.scene?.isTyped && $("keys").children.length > 0);
  same("the canvas has the focus", document.activeElement, $("canvas"));
  same("buttons for keys", [...$("keys").children].every(button => button.offsetHeight > 30), true);
  press($("code"), "Escape");
  same("escape stops", $("told").textContent, "stopped");
}

function checkScheme(scheme) {
  same("scheme", luminance("ground") > 0.5, scheme === "light");
  checkContrasts([["text", "ground", 4.5], ["text", "paper", 4.5], ["muted", "ground", 4.5],
    ["muted", "paper", 4.5], ["accent", "paper", 4.5], ["accent", "ground", 4.5],
    ["hit-text", "ground", 4.5], ["hit-text", "paper", 4.5], ["comment", "paper", 4.5],
    ["word", "paper", 4.5], ["string", "paper", 4.5], ["number", "paper", 4.5]]);
}

// What axe-core finds wrong for those who use a screen reader, a keyboard or weak eyes.
async function checkAccess() {
  if (typeof axe === "undefined") return;
  const { violations } = await axe.run({ iframes: false, preload: false });
  same("violations", violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(node => node.target).join(", ")}`).join("; "), "");
}

async function checkAccessOfErrors() {
  await running("error 'no'", "error");
  await checkAccess();
}

const wide = () => report([() => checkScheme("light"), checkAddress, checkAccess, checkScenes,
  checkExamples, checkEditing, checkErrors, checkEndless, checkSharing, checkDrawing, checkSeams,
  checkMouse, checkSettings, checkWorlds, checkKept, checkPlaying, checkAccessOfErrors]);

const night = () => report([() => checkScheme("dark"), checkAddress, checkAccess,
  checkAccessOfErrors]);

async function checkPhone(width) {
  same("a phone's width", innerWidth, width);
  await until("the first example", () => player.scene);
  checkWidth("at first");
  const { top, bottom } = $("canvas").getBoundingClientRect();
  same("the picture is seen at first", top >= 0 && bottom <= innerHeight + 90, true);
  await checkAccess();
  await openScene("voxels", 1);
  checkWidth("a wide scene");
  await running(`print(("a long line "):rep(50), ("x"):rep(300)) -- ${"x".repeat(300)}`);
  checkWidth("long lines");
  await running(`error(("x"):rep(300))`, "error");
  checkWidth("an error");
  await openScene("platformer", 1);
  $("play").click();
  await until("buttons for keys", () => $("keys").children.length > 0);
  checkWidth("keys");
  await checkAccess();
  const small = [...document.querySelectorAll("button, select")]
    .filter(element => element.offsetHeight > 0 && element.offsetHeight < 34);
  same("buttons that are too small", small.map(element => element.id), "");
}

const upright = () => report([() => checkScheme("dark"), () => checkPhone(390)]);
const across = () => report([() => checkScheme("light"), () => checkPhone(844)]);
