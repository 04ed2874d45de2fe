// Draws what play.lua has put into numbers: a command, how many numbers follow, and these. The
// picture is kept, to be drawn again in another size.

const TURN = 2 * Math.PI;

// Text has the same size whatever the scale, but is smaller where all of the scene is small.
const FONT = 13, LINE_HEIGHT = 16, ASCENT = 12, SMALLEST = 0.7;
const textSize = scale => Math.min(1, Math.max(SMALLEST, scale)) / scale;
const utf8 = new TextDecoder();

const MOST_ZOOM = 32, MOST_COLORS = 4096;

const between = (least, value, most) => Math.max(least, Math.min(most, value));

const picture = {
  canvas: $("canvas"),
  left: 0, top: 0, width: 1, height: 1, numbers: new Float64Array(),
  zoom: 1, x: 0, y: 0, // the point of the scene in the middle of the canvas

  show({ left, top, width, height, drawing }) {
    const isOther = [left, top, width, height].join() !==
      [this.left, this.top, this.width, this.height].join();
    Object.assign(this, { left, top, width, height, numbers: drawing });
    if (isOther) this.reset(); else this.draw();
  },

  // Shows all of the scene.
  reset() {
    Object.assign(this, { zoom: 1, x: this.left + this.width / 2, y: this.top + this.height / 2 });
    this.draw();
  },

  scale() {
    const { canvas, width, height, zoom } = this;
    return zoom * Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
  },

  // The point of the scene under the mouse.
  pointAt(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect(), scale = this.scale();
    return [this.x + (event.clientX - left - width / 2) / scale,
      this.y + (event.clientY - top - height / 2) / scale];
  },

  // No more of what is around the scene comes into view than there was.
  moveTo(x, y) {
    const { canvas, left, top, width, height } = this, scale = this.scale();
    const w = Math.min(width, canvas.clientWidth / scale) / 2;
    const h = Math.min(height, canvas.clientHeight / scale) / 2;
    this.x = between(left + w, x, left + width - w);
    this.y = between(top + h, y, top + height - h);
    this.draw();
  },

  // The point x, y of the scene stays where it is.
  zoomBy(factor, x = this.x, y = this.y) {
    const before = this.zoom;
    this.zoom = between(1, before * factor, MOST_ZOOM);
    const kept = before / this.zoom;
    this.moveTo(x + (this.x - x) * kept, y + (this.y - y) * kept);
  },

  draw() {
    const { canvas, left, top, width, height, numbers } = this;
    const scale = this.scale(), pixels = scale * devicePixelRatio;
    if (!(pixels > 0)) return;
    const w = Math.round(canvas.clientWidth * devicePixelRatio);
    const h = Math.round(canvas.clientHeight * devicePixelRatio);
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const brush = canvas.getContext("2d");
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, w, h);
    brush.save();
    brush.setTransform(pixels, 0, 0, pixels, w / 2 - pixels * this.x, h / 2 - pixels * this.y);
    brush.beginPath();
    brush.rect(left, top, width, height);
    brush.clip();
    brush.lineWidth = 1 / scale;
    brush.lineJoin = brush.lineCap = "round";
    brush.font = `${FONT * textSize(scale)}px system-ui, sans-serif`;
    color.forget();
    for (let i = 0, end; i < numbers.length; i = end) {
      end = i + 2 + numbers[i + 1];
      COMMANDS[numbers[i]](brush, numbers, i + 2, end, scale);
    }
    brush.restore();
  },
};

const byte = part => Math.round(255 * Math.min(1, Math.max(0, part)));

// The colour of what is drawn next. The browser reads the text of a colour whenever one is set,
// which takes longer than to fill a rectangle: so texts are kept, and set where one is used.
const color = {
  text: "", filled: "", stroked: "", // the last two: what the brush has
  texts: new Map(),

  forget() { this.text = this.filled = this.stroked = ""; },

  set(r, g, b, a) {
    const key = ((byte(r) * 256 + byte(g)) * 256 + byte(b)) * 2 + Math.min(1, Math.max(0, a));
    this.text = this.texts.get(key) ?? this.add(key, r, g, b, a);
  },

  // A scene may fade from one colour to another without end.
  add(key, r, g, b, a) {
    if (this.texts.size === MOST_COLORS) this.texts.clear();
    const text = `rgb(${byte(r)} ${byte(g)} ${byte(b)} / ${Math.min(1, Math.max(0, a))})`;
    this.texts.set(key, text);
    return text;
  },

  fill(brush) {
    if (this.filled !== this.text) brush.fillStyle = this.filled = this.text;
  },

  stroke(brush) {
    if (this.stroked !== this.text) brush.strokeStyle = this.stroked = this.text;
  },
};

// The parts of an area are one path, so that no seams show between them. All of them turn the same
// way.
let isArea = false;

function start(brush) {
  if (!isArea) brush.beginPath();
}

function finish(brush, isFilled) {
  if (isArea) return;
  if (isFilled) fill(brush); else stroke(brush);
}

function fill(brush) {
  color.fill(brush);
  brush.fill();
}

function stroke(brush) {
  color.stroke(brush);
  brush.stroke();
}

function trace(brush, numbers, at, end) {
  start(brush);
  brush.moveTo(numbers[at], numbers[at + 1]);
  for (let i = at + 2; i < end; i += 2) brush.lineTo(numbers[i], numbers[i + 1]);
}

// In play.lua's order. The numbers of a command are those from `at` to `end`, given one by one
// since a list of its own for each would be many.
const COMMANDS = [
  function setColor(brush, numbers, at) {
    color.set(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
  },
  function rectangle(brush, numbers, at) {
    const isFilled = numbers[at], l = numbers[at + 1], t = numbers[at + 2];
    const w = numbers[at + 3], h = numbers[at + 4];
    if (isFilled && !isArea) {
      color.fill(brush);
      brush.fillRect(l, t, w, h);
      return;
    }
    start(brush);
    brush.rect(l, t, w, h);
    finish(brush, isFilled);
  },
  function circle(brush, numbers, at) {
    const x = numbers[at + 1], y = numbers[at + 2], r = numbers[at + 3];
    start(brush);
    brush.moveTo(x + r, y);
    brush.arc(x, y, r, 0, TURN);
    finish(brush, numbers[at]);
  },
  function capsule(brush, numbers, at, end) {
    const [isFilled, x1, y1, x2, y2, r] = numbers.subarray(at, end);
    const side = Math.atan2(y2 - y1, x2 - x1) + TURN / 4;
    start(brush);
    brush.moveTo(x1 + r * Math.cos(side), y1 + r * Math.sin(side));
    brush.arc(x1, y1, r, side, side + TURN / 2);
    brush.arc(x2, y2, r, side + TURN / 2, side + TURN);
    brush.closePath();
    finish(brush, isFilled);
  },
  function polygon(brush, numbers, at, end) {
    trace(brush, numbers, at + 1, end);
    brush.closePath();
    finish(brush, numbers[at]);
  },
  function line(brush, numbers, at, end) {
    trace(brush, numbers, at, end);
    stroke(brush);
  },
  function circles(brush, numbers, at, end) {
    const last = end - 1, r = numbers[last];
    brush.beginPath();
    for (let i = at; i < last; i += 2) {
      brush.moveTo(numbers[i] + r, numbers[i + 1]);
      brush.arc(numbers[i], numbers[i + 1], r, 0, TURN);
    }
    fill(brush);
  },
  function text(brush, numbers, at, end, scale) {
    const x = numbers[end - 2], y = numbers[end - 1], bytes = numbers.subarray(at, end - 2);
    color.fill(brush);
    utf8.decode(Uint8Array.from(bytes)).split("\n").forEach((line, row) =>
      brush.fillText(line, x, y + (ASCENT + LINE_HEIGHT * row) * textSize(scale)));
  },
  function beginArea(brush) {
    brush.beginPath();
    isArea = true;
  },
  function endArea(brush) {
    isArea = false;
    fill(brush);
  },
];

new ResizeObserver(() => picture.draw()).observe(picture.canvas);
