-- Makes the replay page: one self-contained file that plays a run of a scene. Its script reads the
-- frames in the order in which replay.lua writes them, draws them, shows the chosen actor, and
-- handles keys, buttons and the mouse.

local require = require "collide.relative"
local texts = require "collide.scene.text"
local replay = require "collide.scene.replay"

local M = {}

--- The colours, also for other pages. Those of groups differ by at least 25 units of CIELAB, also
--- for people who cannot see red, green or blue.
M.COLORS = [==[
:root { color-scheme: light dark; --ground: #f4f2ee; --paper: #fdfbf7; --text: #23262b;
  --muted: #63666c; --edge: #c9c5bd; --accent: #1f5fae; --free: #3b78c9; --static: #85888f;
  --hit: #d0322a; --bullet: #b56a06; --chosen: #0f8a5f; --g0: #3b78c9; --g1: #c48615;
  --g2: #9e32fa; --g3: #023318; --g4: #7e1a60; --g5: #524b0b; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --paper: #1d2026; --text: #e4e6ea;
  --muted: #9aa0a9; --edge: #3a3f48; --accent: #7fb2f5; --free: #6aa2ee; --static: #8b9099;
  --hit: #ff6b60; --bullet: #f0ab45; --chosen: #4fd6a3; --g0: #6aa2ee; --g1: #cb7c01;
  --g2: #9e35ec; --g3: #3afdb9; --g4: #df0944; --g5: #f7e772; } }
]==]

--- The colours of groups in light schemes, as lists of red, green and blue.
---@type number[][]
M.GROUPS = {}
for r, g, b in M.COLORS:match("^.-@media"):gmatch "%-%-g%d: #(%x%x)(%x%x)(%x%x)" do
  M.GROUPS[#M.GROUPS + 1] = { tonumber(r, 16) / 255, tonumber(g, 16) / 255, tonumber(b, 16) / 255 }
end

local STYLE = M.COLORS .. [==[
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) 17rem;
  background: var(--ground);
  color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / 3; padding: .6rem 1rem; border-bottom: 1px solid var(--edge);
  display: flex; gap: .2rem 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
#message { flex-basis: 100%; margin: 0; color: var(--hit); font: inherit; white-space: pre-wrap;
  overflow-wrap: anywhere; max-height: 8.7em; overflow: auto; }
#message:empty { display: none; }
header span, .muted { color: var(--muted); }
#view { position: relative; min-height: 0; min-width: 0; background: var(--paper);
  overflow: hidden; }
#canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; }
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
#line { flex: 1; min-width: 8rem; display: grid; }
#marks { width: 100%; height: 14px; }
#scrub { width: 100%; margin: 0; accent-color: var(--accent); }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border-radius: 2px; }
output { min-width: 7.5rem; text-align: right; font-variant-numeric: tabular-nums; }
kbd { font: 12px ui-monospace, monospace; border: 1px solid var(--edge); border-radius: 3px;
  padding: 0 .3em; background: var(--paper); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
@media (hover: none) { .keys { display: none; } }
@media (max-width: 699px) {
  html, body { height: auto; }
  body { grid-template: auto 60vh auto auto / minmax(0, 1fr); }
  header, footer { grid-column: 1; } footer { grid-row: 3; }
  aside { grid-row: 4; border: 0; overflow: visible; }
  #line { flex-basis: 100%; order: -1; }
}
]==]

local BODY = [==[
<header>
<h1 id="name"></h1><span id="about"></span>
<p id="message"></p>
</header>
<div id="view"><canvas id="canvas" tabindex="0" aria-label="the scene"></canvas></div>
<aside id="side" aria-live="polite"></aside>
<footer>
<button id="first" title="first frame (Home)">|◀</button>
<button id="back" title="one frame back (left)">‹</button>
<button id="play" title="play or pause (space)">▶</button>
<button id="next" title="one frame on (right)">›</button>
<button id="last" title="last frame (End)">▶|</button>
<div id="line"><canvas id="marks" aria-hidden="true"></canvas>
<input id="scrub" type="range" min="0" step="1" value="0" aria-label="frame"></div>
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

let tracks = 0;
const newTrack = () => ({ id: tracks++, x: 0, y: 0, angle: 0, x2: 0, y2: 0, angle2: 0, shape: 0,
  radius: 0 });
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
  const x = new Float32Array(n), y = new Float32Array(n), r = new Float32Array(n), who = [];
  for (let i = 0; i < n; i++) {
    const track = pool.bullets[i];
    x[i] = follow(track, "x", xs[i]) / data.units;
    y[i] = follow(track, "y", ys[i]) / data.units;
    r[i] = radius + (track.radius += radii[i]) / data.units;
    track.old = true;
    who.push(track.id);
  }
  const tails = [];
  for (let i = reader.count(); i > 0; i--) {
    tails.push({ i: reader.count(), x: reader.signed() / data.units,
      y: reader.signed() / data.units });
  }
  return { n, x, y, r, who, lasers, tails };
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
const paths = data.shapes.map(([fill, line, turns, box]) =>
  ({ fill: new Path2D(fill), line: new Path2D(line || fill), turns, box }));

function fieldAt(field, who, frame) {
  let value = field.first[who];
  for (const [f, actor, now] of field.changes) {
    if (f > frame) break;
    if (actor === who) value = now;
  }
  return value;
}

// Groups have colours in the order of their names; static actors without a group are grey.
const groups = [...new Set(data.actors.map(actor => actor[1] || ""))].sort();
const hueOf = ([, group, isStatic]) => isStatic && !group ? "static"
  : "g" + groups.indexOf(group || "") % 6;

// Drawing --------------------------------------------------------------------------

const canvas = $("canvas"), context = canvas.getContext("2d");
let now = 0, playing = false, speed = 1, chosen = -1, bullet = -1, held = 0;
let zoom = 1, middleX = 0, middleY = 0, viewWidth = 1, viewHeight = 1;

// The bounds of the actors of a frame that are asked for, or of the field if there are none.
function boundsOf(frame, isAsked) {
  let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
  for (let i = 0; i < frame.n; i++) {
    if (!isAsked(frame.who[i])) continue;
    const { turns, box } = paths[frame.shape[i] - 1];
    const far = Math.hypot(Math.max(-box[0], box[2]), Math.max(-box[1], box[3]));
    const [dl, dt, dr, db] = turns && frame.angle[i] ? [-far, -far, far, far] : box;
    l = Math.min(l, frame.x[i] + dl), t = Math.min(t, frame.y[i] + dt);
    r = Math.max(r, frame.x[i] + dr), b = Math.max(b, frame.y[i] + db);
  }
  return l < r || t < b ? [l, t, r, b] : [0, 0, data.width, data.height];
}

// Shows the whole scene: the field and the actors that made a test fail, or all actors, if there is
// no field or nothing in it.
function fit() {
  let [l, t, r, b] = boundsOf(frames[now], () => true);
  if (data.field && l < data.width && t < data.height && r > 0 && b > 0) {
    const marked = new Set(data.mark ? data.mark.exact.map(([who]) => who) : []);
    [l, t, r, b] = boundsOf(frames[now], who => marked.has(who));
    [l, t] = [Math.min(l, 0), Math.min(t, 0)];
    [r, b] = [Math.max(r, data.width), Math.max(b, data.height)];
  }
  zoom = 1;
  middleX = (l + r) / 2;
  middleY = (t + b) / 2;
  viewWidth = Math.max(r - l, 1e-9 + 0.1 * (b - t));
  viewHeight = Math.max(b - t, 1e-9 + 0.1 * (r - l));
}

// Pixels of the screen per world unit, at this zoom.
const scale = () => zoom * 0.92 *
  Math.min(canvas.clientWidth / viewWidth, canvas.clientHeight / viewHeight);

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
  const colors = {};
  for (const name of ["static", "hit", "bullet", "chosen", "edge", "text", "paper", "g0", "g1",
    "g2", "g3", "g4", "g5"]) colors[name] = color(name);
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
  if (data.field) context.strokeRect(left, top, data.width * s, data.height * s);
  for (let i = 0; i < frame.n; i++) {
    const who = frame.who[i], path = paths[frame.shape[i] - 1];
    const angle = path.turns ? frame.angle[i] : 0;
    place(frame.x[i], frame.y[i], Math.cos(angle), Math.sin(angle));
    const isHit = frame.marked.has(who);
    context.lineWidth = ratio / s;
    paint(path, colors[hueOf(data.actors[who])], isHit || who === chosen ? 0.6 : 0.22);
    if (!isHit && who !== chosen) continue;
    context.strokeStyle = who === chosen ? colors.text : colors.hit;
    context.lineWidth = (who === chosen ? 3 : 2) * ratio / s;
    context.stroke(path.line);
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
    const at = pool.who.indexOf(bullet);
    if (at < 0) continue;
    context.strokeStyle = colors.chosen;
    context.lineWidth = 3 * ratio / s;
    context.beginPath();
    context.arc(pool.x[at], pool.y[at], pool.r[at] + 3 * ratio / s, 0, 7);
    context.stroke();
  }
  if (data.mark && now + data.start === data.at) drawMark(colors, ratio, s, left, top);
}

// What made a test fail: the parts of both actors, and the way out or gap with its length. An
// arrow has at least 24 pixels, so that it can be seen.
function drawMark(colors, ratio, s, left, top) {
  context.setTransform(s, 0, 0, s, left, top);
  context.strokeStyle = context.fillStyle = colors.text;
  context.lineWidth = ratio / s;
  context.setLineDash([4 * ratio / s, 3 * ratio / s]);
  context.stroke(new Path2D(data.mark.parts));
  context.setLineDash([]);
  if (!data.mark.way) return;
  const [x1, y1, dx, dy, length, text] = data.mark.way;
  const size = data.mark.gap ? length : Math.max(length, 24 * ratio / s);
  const x2 = x1 + dx * size, y2 = y1 + dy * size, head = 7 * ratio / s;
  context.lineWidth = 2.5 * ratio / s;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  for (const side of data.mark.gap ? [] : [-1, 1]) {
    context.moveTo(x2, y2);
    context.lineTo(x2 - head * (dx + side * dy * 0.6), y2 - head * (dy - side * dx * 0.6));
  }
  context.stroke();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  const x = left + (data.mark.gap ? (x1 + x2) / 2 : x2) * s + 8 * ratio;
  const y = top + (data.mark.gap ? (y1 + y2) / 2 : y2) * s + 18 * ratio;
  context.lineWidth = 4 * ratio;
  context.lineJoin = "round";
  context.strokeStyle = colors.paper;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

// The time line: where the test failed, and when the chosen actor enters, hits and leaves others.
function drawMarks() {
  const line = $("marks"), pen = line.getContext("2d"), ratio = devicePixelRatio || 1;
  const width = line.width = line.clientWidth * ratio, height = line.height = 14 * ratio;
  const style = getComputedStyle(document.documentElement), thumb = 8 * ratio;
  const at = f => thumb + (width - 2 * thumb) * f / Math.max(1, frames.length - 1);
  const mark = (f, name, y, h, w) => {
    pen.fillStyle = style.getPropertyValue("--" + name);
    pen.fillRect(at(f) - w * ratio / 2, y * ratio, w * ratio, h * ratio);
  };
  const isHis = p => p.a === chosen || p.b === chosen;
  let before = [];
  frames.forEach((frame, f) => {
    const pairs = chosen < 0 ? [] : frame.pairs.filter(isHis);
    const has = (list, p) => list.some(q => q.a === p.a && q.b === p.b);
    if (pairs.length) mark(f, "accent", 5, 4, Math.max(1, (at(1) - at(0)) / ratio));
    if (pairs.some(p => !has(before, p))) mark(f, "chosen", 0, 9, 2);
    if (before.some(p => !has(pairs, p))) mark(f, "muted", 5, 9, 2);
    before = pairs;
  });
  if (data.at && data.message) mark(data.at - data.start, "hit", 0, 14, 4);
}

// Text --------------------------------------------------------------------------

// An actor without a name is called by its place in the order of adding.
function nameOf(who) {
  const place = frames[now].who.indexOf(who);
  return data.actors[who][0] || (place < 0 ? "an actor" : "actor " + (place + 1));
}
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

function tellBullet(side, frame) {
  element("h3", "Bullet", side);
  const list = element("dl", "", side);
  frame.pools.forEach((pool, number) => {
    const i = pool.who.indexOf(bullet);
    if (i < 0) return;
    row(list, "pool", number + 1);
    row(list, "x", shortPlace(pool.x[i]));
    row(list, "y", shortPlace(pool.y[i]));
    row(list, "radius", shortPlace(pool.r[i]));
  });
  if (!list.firstChild) element("dt", "not in this frame", list);
}

function tellGroups(side, frame) {
  const counts = new Map();
  for (const who of frame.who) {
    const hue = hueOf(data.actors[who]), name = data.actors[who][1] || hue;
    const known = counts.get(name) || [hue, 0];
    counts.set(name, [hue, known[1] + 1]);
  }
  if (counts.size === 0) return;
  element("h3", "Groups", side);
  const list = element("dl", "", side);
  for (const [name, [hue, count]] of [...counts].sort()) {
    const term = element("dt", "", list), swatch = element("span", "", term);
    swatch.className = "swatch";
    swatch.style.background = `var(--${hue})`;
    term.append(name === "static" ? "static" : name === hue ? "no group" : name);
    element("dd", count, list);
  }
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
    if (bullet >= 0) tellBullet(side, frame);
    tellGroups(side, frame);
    element("h3", "Keys", side).className = "keys";
    const keys = element("dl", "", side);
    keys.className = "keys";
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
  if (place >= 0) row(list, "number", place + 1);
  if (group && !values.has("group")) row(list, "group", group);
  if (isStatic && !values.has("static")) row(list, "static", true);
  if (place < 0) {
    element("p", "not in this frame", side).className = "muted";
    return;
  }
  const isMarked = data.mark && now + data.start === data.at;
  const exact = isMarked && data.mark.exact.find(([who]) => who === chosen);
  row(list, "x", exact ? exact[1] : shortPlace(frame.x[place]));
  row(list, "y", exact ? exact[2] : shortPlace(frame.y[place]));
  row(list, "angle", exact ? exact[3] : frame.angle[place]);
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
  drawMarks();
  tell();
}

// Controls ----------------------------------------------------------------------------

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
  bullet = -1;
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

// The bullet at or near x, y of the canvas.
function bulletAt(x, y) {
  const s = scale(), worldX = middleX + (x - canvas.clientWidth / 2) / s;
  const worldY = middleY + (y - canvas.clientHeight / 2) / s;
  let found = -1, least = 6 / s;
  for (const pool of frames[now].pools) {
    pool.who.forEach((who, i) => {
      const away = Math.hypot(pool.x[i] - worldX, pool.y[i] - worldY) - pool.r[i];
      if (away < least) [found, least] = [who, away];
    });
  }
  return found;
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
  if (drag && !drag.far) {
    const who = bulletAt(e.offsetX, e.offsetY);
    choose(who < 0 ? actorAt(e.offsetX, e.offsetY) : -1);
    bullet = who;
    show();
  }
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

$("name").textContent = document.title = data.title || data.name;
$("message").textContent = data.message || "";
const settings = Object.entries(data.params);
if (data.seed !== undefined) settings.unshift(["seed", data.seed]);
$("about").textContent = data.line ||
  settings.map(([name, value]) => `${name} ${value}`).join(", ");
$("scrub").max = frames.length - 1;
fit();
const asked = new URLSearchParams(location.hash.slice(1));
chosen = asked.has("actor") ? data.actors.findIndex(([name]) => name === asked.get("actor"))
  : data.chosen ? data.chosen - 1 : -1;
go((asked.has("frame") ? Number(asked.get("frame")) : data.at || data.start) - data.start);
fit();
show();
requestAnimationFrame(tick);
]==]

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;" }

-- The policy in `meta` keeps the page from loading anything.
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

--- The actors that a failed test is about.
---@class collide.PageMark
---@field parts string path data of the parts of both actors, in the world
---@field way? table {x, y, dx, dy, length, text} of the way out, or of the gap
---@field gap? integer 1 for a gap
---@field exact table[] for each marked actor its number from 0, and its place with all digits

--- Options of a page: the frame at which it opens, by default the first, and the actor that is
--- selected then; for a failed test its name, its message, its line, and the actors it is about.
---@class collide.PageOptions
---@field at? integer
---@field actor? table
---@field title? string
---@field message? string
---@field line? string
---@field mark? collide.PageMark

--- The page of a replay.
---@param recorded collide.Replay
---@param options? collide.PageOptions
---@return string
function M.text(recorded, options)
  local data = recorded:data()
  options = options or {}
  data.at, data.chosen = options.at, recorded:numberOf(options.actor)
  data.title, data.message, data.line = options.title, options.message, options.line
  data.mark = options.mark
  return PAGE:format(texts.escape(data.title or data.name, ESCAPES), STYLE, BODY,
    texts.json(data), SCRIPT)
end

return M
