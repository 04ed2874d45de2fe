// The stage: the picture, its mouse, the bar below it, its switches, the sliders of its parameters,
// and the numbers of a frame.

const settings = new Map(); // what play.lua's `set` was told: parameters by name, and broadphase
const looks = new Set();    // what is drawn: shapes, hits, cells

// The calls that bring a new worker to where this page is.
const callsBefore = () => [...[...settings].map(([name, value]) => ["set", `${name}=${value}`]),
  ...[...looks].map(name => ["look", name + "=true"])];

function setText(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

// The bar ---------------------------------------------------------------------------

function pause() {
  player.pause();
  showBar();
}

function step() {
  player.step();
  showBar();
}

function go(frame) {
  player.go(frame);
  showBar();
}

const back = () => go((player.wanted ?? player.scene.frame) - 1);

function showBar() {
  const { scene, isPaused, isTyped } = player;
  for (const id of ["back", "pause", "step", "time"]) $(id).disabled = !scene;
  if (!scene) return;
  $("pause").setAttribute("aria-pressed", isPaused);
  $("pause").textContent = isPaused ? "▶" : "❚❚";
  $("back").disabled = scene.frame <= scene.first;
  $("play").hidden = !(scene.isScripted && scene.keys.length > 0);
  $("play").setAttribute("aria-pressed", isTyped);
}

$("pause").addEventListener("click", pause);
$("step").addEventListener("click", step);
$("back").addEventListener("click", back);
$("time").addEventListener("input", event => go(Number(event.target.value)));
$("speed").addEventListener("change", event => player.speed = Number(event.target.value));

// Switches and parameters -------------------------------------------------------------

for (const name of ["shapes", "hits", "cells"]) {
  $(name).addEventListener("click", () => {
    if (!looks.delete(name)) looks.add(name);
    $(name).setAttribute("aria-pressed", looks.has(name));
    player.call("look", `${name}=${looks.has(name)}`);
  });
}

function set(name, value) {
  settings.set(name, value);
  player.call("set", `${name}=${value}`);
  player.mustRestart = true;
  followSoon();
}

$("broadphase").addEventListener("change", event => set("broadphase", event.target.value));

// A number gets a slider up to four times its default.
function inputFor(value) {
  const input = document.createElement("input");
  if (typeof value === "boolean") Object.assign(input, { type: "checkbox", checked: value });
  else if (typeof value === "string") Object.assign(input, { type: "text", value, size: 12 });
  else {
    const most = Math.max(4 * Math.abs(value), 1), isWhole = Number.isInteger(value);
    Object.assign(input, { type: "range", min: value < 0 ? -most : 0, max: most,
      step: isWhole && value !== 0 ? 1 : most / 80, value });
  }
  return input;
}

function showParams(params) {
  $("params").replaceChildren(...params.map(({ name, value, usual }) => {
    const label = document.createElement("label"), shown = document.createElement("output");
    const input = inputFor(usual);
    if (input.type === "checkbox") input.checked = value; else input.value = value;
    const show = () => shown.textContent = input.type === "range" ? Number(input.value) : "";
    input.addEventListener(input.type === "text" ? "change" : "input", () => {
      show();
      set(name, input.type === "checkbox" ? input.checked : input.value);
    });
    show();
    label.append(name, input, shown);
    return label;
  }));
}

function showBroadphases(names) {
  $("broadphase").replaceChildren(...names.map(name => new Option(name)));
  $("broadphase").disabled = names.length === 0;
  $("broadphase").value = settings.get("broadphase") ?? names[0] ?? "";
}

function showKeys(names) {
  if ($("keys").dataset.names === names.join()) return;
  $("keys").dataset.names = names.join();
  $("keys").replaceChildren(...names.map(name => {
    const button = document.createElement("button");
    button.textContent = { left: "←", right: "→", up: "↑", down: "↓" }[name] || name;
    button.setAttribute("aria-label", `key ${name}`);
    button.addEventListener("pointerdown", event => {
      button.setPointerCapture(event.pointerId);
      player.press(name);
    });
    button.addEventListener("lostpointercapture", () => player.release(name));
    return button;
  }));
}

// Numbers ---------------------------------------------------------------------------

function rowsFor(rows) {
  return rows.flatMap(([name, value]) => {
    const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
    [term.textContent, detail.textContent] = [name, value];
    return [term, detail];
  });
}

const pictures = { count: 0, since: 0, rate: 0 };

function countPictures() {
  const now = performance.now();
  pictures.count++;
  if (now - pictures.since < 500) return;
  pictures.rate = Math.round(1000 * pictures.count / (now - pictures.since));
  Object.assign(pictures, { count: 0, since: now });
}

const inMs = value => value === undefined ? "–" : value.toFixed(2) + " ms";

function showFigures({ actors, figures }) {
  const values = { actors, hits: figures.hits, candidates: figures.candidates,
    phase: figures.broadphase, total: inMs(figures.frame), update: inMs(figures.update),
    pull: inMs(figures.pull), find: inMs(figures.find), dispatch: inMs(figures.dispatch),
    rate: player.isPaused ? "–" : pictures.rate };
  for (const [name, value] of Object.entries(values)) setText("n-" + name, String(value));
}

function showScene(scene) {
  $("stage").hidden = false;
  countPictures();
  if (scene.params) showParams(scene.params);
  if (scene.broadphases) showBroadphases(scene.broadphases);
  Object.assign($("time"), { min: scene.first, max: Math.max(1, scene.last) });
  if (player.wanted === null) $("time").value = scene.frame;
  setText("frame", String(scene.frame));
  setText("status", scene.hash ? `hash ${scene.hash}` : "");
  showFigures(scene);
  $("chosen").hidden = !scene.rows;
  if (scene.rows) $("chosen").replaceChildren(...rowsFor([["actor", scene.chosen], ...scene.rows]));
  showKeys(scene.isTyped ? scene.keys : []);
  showBar();
  picture.show(scene); // last, as the others may change its room
}

// The mouse -------------------------------------------------------------------------

// One pointer holds the actor that is there, or else moves the picture; two zoom.
const pointers = new Map();

const tellMouse = (what, [x, y]) => player.call("mouse", `${what} ${x} ${y}`);

function spread() {
  const [a, b] = [...pointers.values()];
  return { length: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
    clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
}

function movePicture(from, to) {
  const scale = picture.scale();
  picture.moveTo(picture.x + (from.clientX - to.clientX) / scale,
    picture.y + (from.clientY - to.clientY) / scale);
}

function pointerDown(event) {
  $("canvas").setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, event);
  if (pointers.size === 1) tellMouse("down", picture.pointAt(event));
  else tellMouse("up", picture.pointAt(event));
}

function pointerMove(event) {
  const from = pointers.get(event.pointerId);
  if (!from) return;
  const before = pointers.size === 2 && spread();
  pointers.set(event.pointerId, event);
  if (before) {
    const after = spread();
    movePicture(before, after);
    picture.zoomBy(after.length / before.length, ...picture.pointAt(after));
  } else if (player.scene?.isHeld) tellMouse("move", picture.pointAt(event));
  else movePicture(from, event);
}

function pointerUp(event) {
  if (pointers.delete(event.pointerId) && pointers.size === 0) {
    tellMouse("up", picture.pointAt(event));
  }
}

function wheel(event) {
  event.preventDefault();
  picture.zoomBy(2 ** (-event.deltaY / 300), ...picture.pointAt(event));
}

$("canvas").addEventListener("pointerdown", pointerDown);
$("canvas").addEventListener("pointermove", pointerMove);
$("canvas").addEventListener("lostpointercapture", pointerUp);
$("canvas").addEventListener("wheel", wheel, { passive: false });
$("closer").addEventListener("click", () => picture.zoomBy(1.5));
$("farther").addEventListener("click", () => picture.zoomBy(1 / 1.5));

// Keys ------------------------------------------------------------------------------

const NAMES = {
  " ": "space", Enter: "return", Escape: "escape", Backspace: "backspace", ArrowLeft: "left",
  ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Shift: "lshift", Control: "lctrl",
};

// A key's name in a scene.
const nameOf = key => NAMES[key] || key.toLowerCase();

const commands = { space: pause, left: back, right: step, "+": () => picture.zoomBy(1.5),
  "-": () => picture.zoomBy(1 / 1.5), 0: () => picture.reset() };

const down = new Set();

// A scene that the keyboard plays gets all keys. A key that it uses is not a command.
function keyDown(event) {
  const { scene } = player, name = nameOf(event.key);
  if (!scene || event.key === "Tab" || event.ctrlKey || event.metaKey) return;
  if (scene.isTyped) {
    event.preventDefault();
    if (!event.repeat) player.press(name);
    down.add(name);
  }
  if (!commands[name] || scene.isTyped && scene.keys.includes(name)) return;
  event.preventDefault();
  commands[name]();
}

function keyUp(event) {
  if (down.delete(nameOf(event.key))) player.release(nameOf(event.key));
}

function releaseAll() {
  down.forEach(key => player.release(key));
  down.clear();
}

$("canvas").addEventListener("keydown", keyDown);
$("canvas").addEventListener("keyup", keyUp);
$("canvas").addEventListener("blur", releaseAll);
