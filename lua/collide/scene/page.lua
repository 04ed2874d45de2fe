-- Makes the replay page: one self-contained file that plays a run of a scene. Its script reads the
-- frames in the order in which replay.lua writes them, draws them, shows the chosen actor, and
-- handles keys, buttons and the mouse.

local require = require "collide.relative"
local texts = require "collide.scene.text"
local replay = require "collide.scene.replay"

local M = {}

--- The colours, for other pages, too.
M.COLORS = [==[
:root { color-scheme: light dark; --ground: #f4f2ee; --paper: #fdfbf7; --text: #23262b;
  --muted: #63666c; --edge: #c9c5bd; --accent: #1f5fae; --free: #3b78c9; --static: #85888f;
  --hit: #d0322a; --bullet: #b56a06; --chosen: #0f8a5f; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --paper: #1d2026; --text: #e4e6ea;
  --muted: #9aa0a9; --edge: #3a3f48; --accent: #7fb2f5; --free: #6aa2ee; --static: #8b9099;
  --hit: #ff6b60; --bullet: #f0ab45; --chosen: #4fd6a3; } }
]==]

local STYLE = M.COLORS .. [==[
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto 1fr auto / 1fr 17rem; background: var(--ground);
  color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / 3; padding: .6rem 1rem; border-bottom: 1px solid var(--edge);
  display: flex; gap: 1rem; align-items: baseline; }
h1 { font-size: 1.1rem; margin: 0; }
header span, .muted { color: var(--muted); }
#view { position: relative; min-height: 0; min-width: 0; background: var(--paper);
  overflow: hidden; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; }
aside { border-left: 1px solid var(--edge); padding: .8rem 1rem; overflow: auto; }
aside h2 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
aside h3 { font-size: .85rem; margin: .9rem 0 .2rem; color: var(--muted); font-weight: 600; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: 0; }
dt { color: var(--muted); } dd { margin: 0; text-align: right; overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; }
aside button { border: 0; background: none; color: var(--accent); padding: 0; font: inherit;
  cursor: pointer; text-align: left; }
footer { grid-column: 1 / 3; border-top: 1px solid var(--edge); padding: .5rem 1rem;
  display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
footer button { font: inherit; min-width: 2.2rem; padding: .25rem .5rem; color: var(--text);
  background: var(--paper); border: 1px solid var(--edge); border-radius: 4px; cursor: pointer; }
footer button:hover { border-color: var(--accent); }
#scrub { flex: 1; min-width: 8rem; accent-color: var(--accent); }
output { min-width: 7.5rem; text-align: right; font-variant-numeric: tabular-nums; }
kbd { font: 12px ui-monospace, monospace; border: 1px solid var(--edge); border-radius: 3px;
  padding: 0 .3em; background: var(--paper); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
]==]

local BODY = [==[
<header><h1 id="name"></h1><span id="about"></span></header>
<div id="view"><canvas id="canvas" tabindex="0" aria-label="the scene"></canvas></div>
<aside id="side" aria-live="polite"></aside>
<footer>
<button id="first" title="first frame (Home)">|◀</button>
<button id="back" title="one frame back (left)">‹</button>
<button id="play" title="play or pause (space)">▶</button>
<button id="next" title="one frame on (right)">›</button>
<button id="last" title="last frame (End)">▶|</button>
<input id="scrub" type="range" min="0" step="1" value="0" aria-label="frame">
<output id="frame"></output>
<button id="slower" title="slower ([)">−</button>
<span id="speed"></span>
<button id="faster" title="faster (])">+</button>
<button id="out" title="zoom out (-)">⊖</button>
<button id="in" title="zoom in (+)">⊕</button>
<button id="fit" title="all of it (0)">fit</button>
</footer>
]==]

local SCRIPT = [==[
"use strict";
const $ = id => document.getElementById(id);

// Reading ------------------------------------------------------------------------

const digit = new Int8Array(128);
for (let i = 0; i < data.alphabet.length; i++) digit[data.alphabet.charCodeAt(i)] = i;

class Reader {
  constructor(text) { this.text = text; this.at = 0; }
  digit() { return digit[this.text.charCodeAt(this.at++)]; }
  get ended() { return this.at >= this.text.length; }
  count() {
    let value = 0, d = this.digit();
    for (; d >= 40; d = this.digit()) value = value * 40 + d - 40;
    return value * 40 + d;
  }
  signed() { const v = this.count(); return v % 2 ? -(v + 1) / 2 : v / 2; }
  block(n) {
    const values = new Float64Array(n + 1);
    if (this.digit() === 0) return values;
    for (let i = 0; i < n; i += 2) {
      const d = this.digit();
      values[i] = d === 80 ? this.signed() : Math.floor(d / 9) - 4;
      values[i + 1] = d === 80 ? this.signed() : d % 9 - 4;
    }
    return values;
  }
  // What is left of a list, and how many values are to be added.
  list(old) {
    const gone = new Set();
    for (let i = this.count(), at = -1; i > 0; i--) gone.add(at += this.count() + 1);
    return [gone.size ? old.filter((_, i) => !gone.has(i)) : old.slice(), this.count()];
  }
}

const newTrack = () => ({ x: 0, y: 0, angle: 0, x2: 0, y2: 0, angle2: 0, shape: 0, radius: 0 });
function follow(track, name, rest) {
  const before = name + "2", value = rest + 2 * track[name] - track[before];
  track[before] = track.old ? track[name] : value;
  return track[name] = value;
}

function readActors(reader, state) {
  let [entries, added] = reader.list(state.entries);
  while (added-- > 0) entries.push(Object.assign(newTrack(), { number: state.actors++ }));
  const n = entries.length, [xs, ys, angles, shapes] = [1, 2, 3, 4].map(() => reader.block(n));
  const frame = { n, who: new Int32Array(n), x: new Float32Array(n), y: new Float32Array(n),
    angle: new Float32Array(n), shape: new Int32Array(n) };
  for (let i = 0; i < n; i++) {
    const entry = entries[i];
    frame.who[i] = entry.number;
    frame.x[i] = follow(entry, "x", xs[i]) / data.units;
    frame.y[i] = follow(entry, "y", ys[i]) / data.units;
    frame.angle[i] = follow(entry, "angle", angles[i]) / data.angleUnits;
    frame.shape[i] = entry.shape += shapes[i];
    entry.old = true;
  }
  state.entries = entries;
  return frame;
}

// Pairs are in the order of their first actor, then of their second.
function readHits(reader, state) {
  let [pairs, added] = reader.list(state.pairs), at = 0;
  for (; added > 0; added--) {
    at += reader.count();
    pairs.push({ a: at, b: at + reader.count() + 1, since: state.frame });
  }
  pairs.sort((p, q) => p.a - q.a || p.b - q.b);
  return state.pairs = pairs;
}

function readPool(reader, pool, radius) {
  const lasers = [];
  for (let i = reader.count(); i > 0; i--) {
    lasers.push({ shape: reader.count(), x: reader.signed() / data.units,
      y: reader.signed() / data.units, hot: reader.count() });
  }
  let added;
  [pool.bullets, added] = reader.list(pool.bullets);
  for (; added > 0; added--) pool.bullets.push(newTrack());
  const n = pool.bullets.length, [xs, ys, radii] = [1, 2, 3].map(() => reader.block(n));
  const x = new Float32Array(n), y = new Float32Array(n), r = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const track = pool.bullets[i];
    x[i] = follow(track, "x", xs[i]) / data.units;
    y[i] = follow(track, "y", ys[i]) / data.units;
    r[i] = radius + (track.radius += radii[i]) / data.units;
    track.old = true;
  }
  const tails = [];
  for (let i = reader.count(); i > 0; i--) {
    tails.push({ i: reader.count(), x: reader.signed() / data.units,
      y: reader.signed() / data.units });
  }
  return { n, x, y, r, lasers, tails };
}

function readFrames() {
  const pools = data.pools.map(() => ({ bullets: [] }));
  const state = { entries: [], actors: 0, pairs: [], frame: 0 };
  return data.frames.map((text, f) => {
    const reader = new Reader(text);
    state.frame = f;
    const frame = readActors(reader, state);
    frame.pairs = readHits(reader, state);
    frame.pools = [];
    for (let i = reader.count(); i > 0; i--) {
      const number = reader.count();
      frame.pools.push(readPool(reader, pools[number], data.pools[number].radius));
    }
    frame.marked = new Set();
    for (const { a, b } of frame.pairs) frame.marked.add(a).add(b);
    return frame;
  });
}

// The changes of a field: frame, actor, and its value from then on.
function readField(field) {
  const reader = new Reader(field.text), changes = [];
  let frame = -1;
  while (!reader.ended) {
    frame += reader.count() + 1;
    for (let i = reader.count(), at = -1; i > 0; i--) {
      changes.push([frame, at += reader.count() + 1, field.values[reader.count() - 1]]);
    }
  }
  return changes;
}

const frames = readFrames();
for (const field of data.fields) field.changes = readField(field);
data.fields.sort((f, g) => f.name < g.name ? -1 : 1);
const paths = data.shapes.map(([fill, line, turns]) =>
  ({ fill: new Path2D(fill), line: new Path2D(line || fill), turns }));

function fieldAt(field, who, frame) {
  let value = field.first[who];
  for (const [f, actor, now] of field.changes) {
    if (f > frame) break;
    if (actor === who) value = now;
  }
  return value;
}

// Drawing --------------------------------------------------------------------------

const canvas = $("canvas"), context = canvas.getContext("2d");
let now = 0, playing = false, speed = 1, chosen = -1, zoom = 1, middleX = 0, middleY = 0, held = 0;

function fit() {
  zoom = 1;
  middleX = data.width / 2;
  middleY = data.height / 2;
}

// Pixels of the screen per world unit, at this zoom.
const scale = () => zoom * 0.94 *
  Math.min(canvas.clientWidth / data.width, canvas.clientHeight / data.height);

function draw() {
  const ratio = devicePixelRatio || 1, frame = frames[now], s = scale() * ratio;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const style = getComputedStyle(document.documentElement);
  const color = name => style.getPropertyValue("--" + name);
  const colors = { free: color("free"), static: color("static"), hit: color("hit"),
    bullet: color("bullet"), chosen: color("chosen"), edge: color("edge") };
  const left = width / 2 - middleX * s, top = height / 2 - middleY * s;
  const place = (x, y, cos, sin) => context.setTransform(s * cos, s * sin, -s * sin, s * cos,
    left + s * x, top + s * y);
  function paint(path, hue, share) {
    context.fillStyle = context.strokeStyle = hue;
    context.globalAlpha = share;
    context.fill(path.fill);
    context.globalAlpha = 1;
    context.stroke(path.line);
  }

  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  context.strokeStyle = colors.edge;
  context.lineWidth = ratio;
  context.strokeRect(left, top, data.width * s, data.height * s);
  for (let i = 0; i < frame.n; i++) {
    const who = frame.who[i], path = paths[frame.shape[i] - 1];
    const angle = path.turns ? frame.angle[i] : 0;
    place(frame.x[i], frame.y[i], Math.cos(angle), Math.sin(angle));
    const isHit = frame.marked.has(who);
    context.lineWidth = (who === chosen ? 3 : 1) * ratio / s;
    paint(path, who === chosen ? colors.chosen : isHit ? colors.hit
      : data.actors[who][2] ? colors.static : colors.free, isHit || who === chosen ? 0.5 : 0.22);
  }
  for (const pool of frame.pools) {
    for (const laser of pool.lasers) {
      place(laser.x, laser.y, 1, 0);
      context.lineWidth = ratio / s;
      paint(paths[laser.shape - 1], colors.bullet, laser.hot ? 0.6 : 0.1);
    }
    place(0, 0, 1, 0);
    context.fillStyle = colors.bullet;
    context.beginPath();
    for (let i = 0; i < pool.n; i++) {
      context.moveTo(pool.x[i] + pool.r[i], pool.y[i]);
      context.arc(pool.x[i], pool.y[i], pool.r[i], 0, 7);
    }
    context.fill();
    context.strokeStyle = colors.bullet;
    context.lineCap = "round";
    for (const { i, x, y } of pool.tails) {
      context.lineWidth = 2 * pool.r[i];
      context.beginPath();
      context.moveTo(pool.x[i], pool.y[i]);
      context.lineTo(pool.x[i] + x, pool.y[i] + y);
      context.stroke();
    }
    context.lineCap = "butt";
  }
}

// Telling --------------------------------------------------------------------------

const nameOf = who => data.actors[who][0];
const rounded = (value, digits) => String(Number(value.toFixed(digits)));
const short = value => typeof value === "number" ? rounded(value, 3) : String(value);
// Places and depths are rounded to units, ways out to 1/40: only these digits are true.
const PLACE_DIGITS = Math.max(0, Math.floor(Math.log10(data.units))), WAY_DIGITS = 1;
const shortPlace = value => rounded(value, PLACE_DIGITS);

function element(tag, text, parent) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function row(list, name, value) {
  element("dt", name, list);
  element("dd", short(value), list);
}

function depthsOf(f) {
  if (!data.depths) return null;
  const reader = new Reader(data.depths[f]);
  return frames[f].pairs.map(() => [reader.signed() / 40, reader.signed() / 40,
    reader.signed() / data.units]);
}

function tellHits(side, frame, shown) {
  const depths = depthsOf(now), list = element("ul", "", side);
  frame.pairs.forEach(({ a, b, since }, i) => {
    if (a !== chosen && b !== chosen) return;
    const other = a === chosen ? b : a, sign = a === chosen ? 1 : -1;
    const item = element("li", "", list), button = element("button", nameOf(other), item);
    button.onclick = () => choose(other);
    const [nx, ny, depth] = depths ? depths[i] : [];
    const how = depths ? `, ${shortPlace(depth)} deep, way out ` +
      `${rounded(sign * nx, WAY_DIGITS)}, ${rounded(sign * ny, WAY_DIGITS)}` : "";
    element("span", (since === now && now > 0 ? " (new)" : "") + how, item).className = "muted";
    shown++;
  });
  if (!shown) element("li", "none", list).className = "muted";
}

const KEYS = [["space", "play, pause"], ["← →", "one frame"], ["shift ← →", "ten frames"],
  ["home end", "first, last"], ["p n", "hit before, next"], ["[ ]", "speed"],
  ["+ − 0", "zoom, all"], ["w a s d", "move the view"], ["tab", "next actor"], ["esc", "no actor"]];

function tell() {
  const side = $("side"), frame = frames[now];
  side.replaceChildren();
  const place = frame.who.indexOf(chosen);
  if (chosen < 0) {
    element("h2", "Click an actor", side);
    const list = element("dl", "", side);
    row(list, "actors", frame.n);
    row(list, "hits", frame.pairs.length);
    row(list, "actors that hit", frame.marked.size);
    if (data.pools.length) row(list, "bullets", frame.pools.reduce((n, pool) => n + pool.n, 0));
    element("h3", "Keys", side);
    const keys = element("dl", "", side);
    for (const [key, what] of KEYS) {
      element("kbd", key, element("dt", "", keys));
      element("dd", what, keys);
    }
    return;
  }
  element("h2", nameOf(chosen), side);
  const list = element("dl", "", side), [, group, isStatic] = data.actors[chosen];
  const values = new Map();
  for (const field of place < 0 ? [] : data.fields) {
    const value = fieldAt(field, chosen, now);
    if (value !== null && value !== undefined) values.set(field.name, value);
  }
  row(list, "number", chosen + 1);
  if (group && !values.has("group")) row(list, "group", group);
  if (isStatic && !values.has("static")) row(list, "static", true);
  if (place < 0) {
    element("p", "not in this frame", side).className = "muted";
    return;
  }
  row(list, "x", shortPlace(frame.x[place]));
  row(list, "y", shortPlace(frame.y[place]));
  row(list, "angle", frame.angle[place]);
  element("h3", "Hits in this frame", side);
  tellHits(side, frame, 0);
  element("h3", "Fields", side);
  const fields = element("dl", "", side);
  for (const [name, value] of values) row(fields, name, value);
  if (data.left.length) {
    element("p", "Not recorded, as they change too often: " + data.left.join(", "), side)
      .className = "muted";
  }
}

function show() {
  const frame = frames[now];
  $("scrub").value = now;
  $("frame").textContent = `frame ${data.start + now} of ${data.start + frames.length - 1}`;
  $("play").textContent = playing ? "❚❚" : "▶";
  $("speed").textContent = speed + "×";
  document.body.dataset.frame = data.start + now;
  document.body.dataset.marked = frame.marked.size;
  document.body.dataset.hits = frame.pairs.length;
  document.body.dataset.playing = playing;
  document.body.dataset.chosen = chosen < 0 ? "" : nameOf(chosen);
  draw();
  tell();
}

// Doing ----------------------------------------------------------------------------

function go(frame) {
  now = Math.max(0, Math.min(frames.length - 1, frame));
  show();
}

function step(by) {
  playing = false;
  go(now + by);
}

function choose(who) {
  chosen = who;
  show();
}

function toggle() {
  playing = !playing;
  held = 0;
  if (playing && now === frames.length - 1) now = 0;
  show();
}

function changeSpeed(factor) {
  speed = Math.max(1 / 16, Math.min(16, speed * factor));
  show();
}

function changeZoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const dx = x - canvas.clientWidth / 2, dy = y - canvas.clientHeight / 2, before = scale();
  zoom = Math.max(0.2, Math.min(200, zoom * factor));
  middleX += dx / before - dx / scale();
  middleY += dy / before - dy / scale();
  show();
}

function move(dx, dy) {
  middleX += dx / scale();
  middleY += dy / scale();
  show();
}

// The frame before or after in which a pair begins to hit: any, or one of the chosen actor's.
function seek(by) {
  const isNew = f => frames[f].pairs.some(p => p.since === f &&
    (chosen < 0 || p.a === chosen || p.b === chosen));
  for (let f = now + by; f >= 0 && f < frames.length; f += by) if (isNew(f)) return step(f - now);
}

// The actor at x, y of the canvas: of several, the one drawn last. A line may be some pixels away.
function actorAt(x, y) {
  const frame = frames[now], s = scale();
  const worldX = middleX + (x - canvas.clientWidth / 2) / s;
  const worldY = middleY + (y - canvas.clientHeight / 2) / s;
  context.setTransform(1, 0, 0, 1, 0, 0);
  for (const width of [0, 8]) {
    context.lineWidth = width / s;
    for (let i = frame.n - 1; i >= 0; i--) {
      const path = paths[frame.shape[i] - 1], angle = path.turns ? -frame.angle[i] : 0;
      const dx = worldX - frame.x[i], dy = worldY - frame.y[i];
      const px = dx * Math.cos(angle) - dy * Math.sin(angle);
      const py = dx * Math.sin(angle) + dy * Math.cos(angle);
      if (width ? context.isPointInStroke(path.line, px, py)
        : context.isPointInPath(path.fill, px, py)) return frame.who[i];
    }
  }
  return -1;
}

function nextActor(by) {
  const who = frames[now].who;
  if (who.length) choose(who[(who.indexOf(chosen) + by + who.length) % who.length]);
}

const keys = {
  " ": toggle, ArrowLeft: e => step(e.shiftKey ? -10 : -1),
  ArrowRight: e => step(e.shiftKey ? 10 : 1), Home: () => step(-frames.length),
  End: () => step(frames.length), p: () => seek(-1), n: () => seek(1),
  "[": () => changeSpeed(0.5), "]": () => changeSpeed(2), "+": () => changeZoom(1.25),
  "=": () => changeZoom(1.25), "-": () => changeZoom(0.8), "0": () => { fit(); show(); },
  w: () => move(0, -40), a: () => move(-40, 0), s: () => move(0, 40), d: () => move(40, 0),
  Tab: e => nextActor(e.shiftKey ? -1 : 1), Escape: () => choose(-1),
};
addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key](event);
});
const buttons = { first: () => step(-frames.length), back: () => step(-1), play: toggle,
  next: () => step(1), last: () => step(frames.length), slower: () => changeSpeed(0.5),
  faster: () => changeSpeed(2), out: () => changeZoom(0.8), in: () => changeZoom(1.25),
  fit: () => { fit(); show(); } };
for (const id in buttons) $(id).onclick = buttons[id];
$("scrub").oninput = () => { playing = false; go(Number($("scrub").value)); };

let drag = null;
canvas.onpointerdown = e => { drag = { x: e.offsetX, y: e.offsetY, far: false }; };
canvas.onpointermove = e => {
  if (!drag || !e.buttons) return;
  const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y;
  if (!drag.far && Math.hypot(dx, dy) < 4) return;
  drag = { x: e.offsetX, y: e.offsetY, far: true };
  move(-dx, -dy);
};
canvas.onpointerup = e => {
  if (drag && !drag.far) choose(actorAt(e.offsetX, e.offsetY));
  drag = null;
};
canvas.onwheel = e => {
  e.preventDefault();
  changeZoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY);
};
addEventListener("resize", show);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);

let last = 0;
function tick(time) {
  const passed = Math.min(0.1, (time - last) / 1000);
  last = time;
  if (playing) {
    held += passed * speed / data.dt;
    const steps = Math.floor(held);
    held -= steps;
    if (now + steps >= frames.length - 1) playing = false;
    if (steps > 0) go(now + steps);
  }
  requestAnimationFrame(tick);
}

$("name").textContent = data.name;
const settings = Object.entries(data.params);
if (data.seed !== undefined) settings.unshift(["seed", data.seed]);
$("about").textContent = settings.map(([name, value]) => `${name} ${value}`).join(", ");
$("scrub").max = frames.length - 1;
fit();
const asked = new URLSearchParams(location.hash.slice(1));
chosen = asked.has("actor") ? data.actors.findIndex(([name]) => name === asked.get("actor"))
  : data.chosen ? data.chosen - 1 : -1;
go((asked.has("frame") ? Number(asked.get("frame")) : data.at || data.start) - data.start);
requestAnimationFrame(tick);
]==]

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;" }

-- The policy in `meta` forbids the page to load anything.
local PAGE = [==[
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>%s</title>
<style>
%s</style>
</head>
<body>
%s<script>
const data = %s;
%s</script>
</body>
</html>
]==]

--- Makes a replay, which records a frame at each call of `replay:add()`.
---@param scene collide.Scene
---@return collide.Replay
M.replay = replay.new

--- The page of a replay.
---@param recorded collide.Replay
---@param at? integer the frame at which it opens, by default the first
---@param actor? table the actor that is selected then
---@return string
function M.text(recorded, at, actor)
  local data = recorded:data()
  data.at, data.chosen = at, recorded:numberOf(actor)
  return PAGE:format(texts.escape(data.name, ESCAPES), STYLE, BODY,
    texts.json(data), SCRIPT)
end

return M
