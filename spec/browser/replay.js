// The tests of a replay page, which run in it, in light and in dark mode: it shows the run that was
// recorded, and its keys work. EXPECTED was computed where the page was made.

const told = name => document.body.dataset[name];
const press = (key, more) => dispatchEvent(new KeyboardEvent("keydown", { key, ...more }));
function scrub(frame) {
  $("scrub").value = frame;
  $("scrub").dispatchEvent(new Event("input"));
}
const picture = () => canvas.toDataURL();
const LAST = frames.length - 1;

function checkFrames() {
  const aim = data.fields.find(field => field.name === "aim");
  for (const [frame, [marked, hits, actors, aims]] of Object.entries(EXPECTED.frames)) {
    scrub(frame);
    same(`aims in frame ${frame}`,
      [...frames[now].who].map(who => aim && fieldAt(aim, who, now) || "none"), aims);
    same(`marked in frame ${frame}`, told("marked"), marked);
    same(`hits in frame ${frame}`, told("hits"), hits);
    same(`actors in frame ${frame}`, frames[now].n, actors);
  }
}

function checkScrubbing() {
  scrub(20);
  const before = picture();
  scrub(LAST);
  same("the last frame looks different", picture() !== before, true);
  for (let f = LAST; f >= 0; f -= 7) scrub(f);
  scrub(20);
  same("the same picture after scrubbing", picture() === before, true);
}

function checkKeys() {
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
}

function checkChosen() {
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
}

// Clicks at a place of the world.
function click(x, y) {
  const box = canvas.getBoundingClientRect(), s = scale();
  const at = { bubbles: true, clientX: box.left + canvas.clientWidth / 2 + (x - middleX) * s,
    clientY: box.top + canvas.clientHeight / 2 + (y - middleY) * s };
  canvas.dispatchEvent(new PointerEvent("pointerdown", at));
  canvas.dispatchEvent(new PointerEvent("pointerup", at));
}

function checkBullet() {
  const at = frames.findIndex(frame => frame.pools.some(pool => pool.n > 0));
  if (at < 0) return;
  scrub(at);
  const number = frames[at].pools.findIndex(pool => pool.n > 0), pool = frames[at].pools[number];
  click(pool.x[0], pool.y[0]);
  same("a click on a bullet", $("side").textContent.includes("Bulletpool" + (number + 1)), true);
  same("chooses no actor", told("chosen"), "");
  click(pool.x[0] - 1e4, pool.y[0]);
  same("a click on nothing", $("side").textContent.includes("Bullet"), false);
  scrub(20);
}

// A click in the middle of the actor added last, whom nobody covers.
function checkClick() {
  const last20 = frames[20].n - 1;
  click(frames[20].x[last20] + EXPECTED.click[0], frames[20].y[last20] + EXPECTED.click[1]);
  same("a click", told("chosen"), nameOf(frames[20].who[last20]));
  const list = [...$("side").querySelectorAll("li button")].map(button => button.textContent);
  const partners = frames[20].pairs.filter(p => p.a === chosen || p.b === chosen)
    .map(p => nameOf(p.a === chosen ? p.b : p.a));
  same("its hits", list, partners);
  press("Escape");
}

function checkColors() {
  checkContrasts([["text", "ground", 4.5], ["muted", "ground", 4.5],
    ["accent", "ground", 4.5], ["text", "paper", 4.5], ["free", "paper", 3], ["static", "paper", 3],
    ["hit", "paper", 3], ["g0", "paper", 3], ["g1", "paper", 3], ["g2", "paper", 3],
    ["g3", "paper", 3], ["g4", "paper", 3], ["g5", "paper", 3], ["bullet", "paper", 3], ["chosen", "paper", 3]]);
  same("scheme", luminance("ground") > 0.5 ? "light" : "dark", location.hash.slice(1));
}

async function checkPlaying() {
  press(" ");
  same("space plays", told("playing"), "true");
  const start = Number(told("frame"));
  await sleep(1000);
  same("time goes by", Number(told("frame")) > start, true);
  press(" ");
  same("space pauses", told("playing"), "false");
}

report([checkFrames, checkScrubbing, checkKeys, checkChosen, checkBullet, checkClick, checkColors,
  checkPlaying]);
