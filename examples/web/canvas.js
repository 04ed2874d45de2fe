// Draws what play.lua has put into numbers: a command, how many numbers follow, and these. The
// picture is kept, to be drawn again in another size.

const TURN = 2 * Math.PI;

// Text has the same size whatever the scale, but is smaller where all of the scene is small.
const FONT = 13, LINE_HEIGHT = 16, ASCENT = 12, SMALLEST = 0.7;
const textSize = scale => Math.min(1, Math.max(SMALLEST, scale)) / scale;
const utf8 = new TextDecoder();

const MOST_ZOOM = 32;

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
    for (let i = 0; i < numbers.length; i += 2 + numbers[i + 1]) {
      COMMANDS[numbers[i]](brush, numbers.subarray(i + 2, i + 2 + numbers[i + 1]), scale);
    }
    brush.restore();
  },
};

const byte = part => Math.round(255 * Math.min(1, Math.max(0, part)));

// The parts of an area are one path, so that no seams show between them. All of them turn the same
// way.
let isArea = false;

function start(brush) {
  if (!isArea) brush.beginPath();
}

function finish(brush, isFilled) {
  if (isArea) return;
  if (isFilled) brush.fill(); else brush.stroke();
}

function trace(brush, points, from) {
  start(brush);
  brush.moveTo(points[from], points[from + 1]);
  for (let i = from + 2; i < points.length; i += 2) brush.lineTo(points[i], points[i + 1]);
}

// In play.lua's order.
const COMMANDS = [
  function color(brush, [r, g, b, a]) {
    brush.fillStyle = brush.strokeStyle =
      `rgb(${byte(r)} ${byte(g)} ${byte(b)} / ${Math.min(1, Math.max(0, a))})`;
  },
  function rectangle(brush, [isFilled, l, t, w, h]) {
    if (isFilled && !isArea) return brush.fillRect(l, t, w, h);
    start(brush);
    brush.rect(l, t, w, h);
    finish(brush, isFilled);
  },
  function circle(brush, [isFilled, x, y, r]) {
    start(brush);
    brush.moveTo(x + r, y);
    brush.arc(x, y, r, 0, TURN);
    finish(brush, isFilled);
  },
  function capsule(brush, [isFilled, x1, y1, x2, y2, r]) {
    const side = Math.atan2(y2 - y1, x2 - x1) + TURN / 4;
    start(brush);
    brush.moveTo(x1 + r * Math.cos(side), y1 + r * Math.sin(side));
    brush.arc(x1, y1, r, side, side + TURN / 2);
    brush.arc(x2, y2, r, side + TURN / 2, side + TURN);
    brush.closePath();
    finish(brush, isFilled);
  },
  function polygon(brush, numbers) {
    trace(brush, numbers, 1);
    brush.closePath();
    finish(brush, numbers[0]);
  },
  function line(brush, points) {
    trace(brush, points, 0);
    brush.stroke();
  },
  function circles(brush, numbers) {
    const r = numbers[0];
    brush.beginPath();
    for (let i = 1; i < numbers.length; i += 2) {
      brush.moveTo(numbers[i] + r, numbers[i + 1]);
      brush.arc(numbers[i], numbers[i + 1], r, 0, TURN);
    }
    brush.fill();
  },
  function text(brush, [x, y, ...bytes], scale) {
    utf8.decode(Uint8Array.from(bytes)).split("\n").forEach((line, row) =>
      brush.fillText(line, x, y + (ASCENT + LINE_HEIGHT * row) * textSize(scale)));
  },
  function beginArea(brush) {
    brush.beginPath();
    isArea = true;
  },
  function endArea(brush) {
    isArea = false;
    brush.fill();
  },
];

new ResizeObserver(() => picture.draw()).observe(picture.canvas);
