-- The part of the page's script that reads a replay, in the order in which replay.lua and
-- packing.lua write it.

return [==[
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
    const kind = this.count(), patches = [];
    for (let i = this.count(), at = -1; i > 0; i--) {
      at += this.count() + 1;
      patches.push(at, this.signed());
    }
    const values = new Float64Array(n);
    const shared = [0, 4, 2, 1, 0.5][kind];
    if (shared === 0.5) {
      for (let i = 0; i < n; i++) values[i] = 81 * this.digit() + this.digit() - 3280;
    } else if (shared) {
      const base = shared === 4 ? 3 : shared === 2 ? 9 : 81;
      for (let i = 0; i < n; i += shared) {
        for (let k = shared - 1, d = this.digit(); k >= 0; k--) {
          if (i + k < n) values[i + k] = d % base - (base - 1) / 2;
          d = Math.floor(d / base);
        }
      }
    }
    for (let i = 0; i < patches.length; i += 2) values[patches[i]] = patches[i + 1];
    return values;
  }
  // What is left of a list, and how many are new.
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

// Between actors of equal first, pairs stand by the second.
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
  let added;
  [pool.lasers, added] = reader.list(pool.lasers);
  for (; added > 0; added--) {
    pool.lasers.push({ shape: reader.count(), x: reader.signed() / data.units,
      y: reader.signed() / data.units, hot: reader.count() });
  }
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
  return { n, x, y, r, lasers: pool.lasers };
}

function readFrames() {
  const pools = data.pools.map(() => ({ bullets: [], lasers: [] }));
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

// The changes of a field, without those that are listed one by one: frame, actor, and whether it is
// toggled or by how much it grows.
function readField(field) {
  const reader = new Reader(field.text), changes = [];
  let frame = -1;
  while (!reader.ended) {
    frame += reader.count() + 1;
    for (let i = reader.count(), at = -1; i > 0; i--) {
      changes.push([frame, at += reader.count() + 1, "toggle"]);
    }
    for (let i = reader.count(), at = -1; i > 0; i--) {
      changes.push([frame, at += reader.count() + 1, reader.signed()]);
    }
  }
  return changes;
}

const frames = readFrames();
const fieldsByName = new Map();
for (const field of data.fields) {
  field.changes = readField(field);
  fieldsByName.set(field.name, field);
}
// A number that grows may have been another value before, and may be one afterwards.
for (const [frame, actor, name, now] of data.others) {
  const field = fieldsByName.get(name);
  if (field) field.changes.push([frame, actor - 1, "set", now]);
}
for (const field of data.fields) field.changes.sort((a, b) => a[0] - b[0]);
data.fields.sort((f, g) => f.name < g.name ? -1 : 1);
const paths = data.shapes.map(([fill, line, turns]) =>
  ({ fill: new Path2D(fill), line: new Path2D(line || fill), turns }));

function fieldAt(field, who, frame) {
  let value = field.first[who];
  for (const [f, actor, change, now] of field.changes) {
    if (f > frame) break;
    if (actor !== who) continue;
    if (change === "set") value = now;
    else value = change === "toggle" ? !value : value + change / data.fieldUnits;
  }
  return value;
}

]==]
