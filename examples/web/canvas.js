// Draws what play.lua has put into numbers: a command, how many numbers follow, and these. The
// picture is kept, to be drawn again in another size.

const TURN = 2 * Math.PI;

// Text has the same size whatever the scale, but is smaller where all of the scene is small.
const FONT = 13, LINE_HEIGHT = 16, ASCENT = 12, SMALLEST = 0.7;
const textSize = scale => Math.min(1, Math.max(SMALLEST, scale)) / scale;
const utf8 = new TextDecoder();

const picture = {
  canvas: $("canvas"),
  width: 1, height: 1, numbers: new Float64Array(),

  show(width, height, numbers) {
    if (this.width !== width || this.height !== height) {
      this.canvas.style.aspectRatio = `${width} / ${height}`;
    }
    Object.assign(this, { width, height, numbers });
    this.draw();
  },

  draw() {
    const { canvas, width, height, numbers } = this;
    const scale = Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
    const pixels = scale * devicePixelRatio;
    if (!(pixels > 0)) return;
    // What it is as a picture of so many pixels; the page fits that into its box.
    const [w, h] = [Math.round(width * pixels), Math.round(height * pixels)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const brush = canvas.getContext("2d");
    brush.setTransform(pixels, 0, 0, pixels, 0, 0);
    brush.lineWidth = 1 / scale;
    brush.lineJoin = brush.lineCap = "round";
    brush.font = `${FONT * textSize(scale)}px system-ui, sans-serif`;
    for (let i = 0; i < numbers.length; i += 2 + numbers[i + 1]) {
      COMMANDS[numbers[i]](brush, numbers.subarray(i + 2, i + 2 + numbers[i + 1]), scale);
    }
  },
};

const byte = part => Math.round(255 * Math.min(1, Math.max(0, part)));

function finish(brush, isFilled) {
  if (isFilled) brush.fill(); else brush.stroke();
}

function trace(brush, points, from) {
  brush.beginPath();
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
    if (isFilled) brush.fillRect(l, t, w, h); else brush.strokeRect(l, t, w, h);
  },
  function circle(brush, [isFilled, x, y, r]) {
    brush.beginPath();
    brush.arc(x, y, r, 0, TURN);
    finish(brush, isFilled);
  },
  function capsule(brush, [isFilled, x1, y1, x2, y2, r]) {
    const side = Math.atan2(y2 - y1, x2 - x1) + TURN / 4;
    brush.beginPath();
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
];

new ResizeObserver(() => picture.draw()).observe(picture.canvas);
