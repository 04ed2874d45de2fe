// The page: the list of examples, the text and where it is kept, the address, and what is told.

// Of what is printed, the page shows the end.
const MOST_PRINTED = 100000;

let chosen;               // the example that is in the editor, or undefined
let printed = "", willShow = false;
let isShown = false;      // whether the text that runs has shown a scene

// What is told is read aloud to those who cannot see it, so only what is new.
const tell = text => setText("told", text);

function showPrinted() {
  willShow = false;
  $("output").textContent = printed;
  $("printed").scrollTop = $("printed").scrollHeight;
}

function print(text) {
  printed = (printed + text).slice(-MOST_PRINTED);
  if (willShow) return;
  willShow = true;
  requestAnimationFrame(showPrinted);
}

// The scene may have failed some frames after the one that is shown.
function fail({ failure, trace, line, frame }) {
  $("error").textContent = trace ? `${failure}\n${trace}` : failure;
  if (frame > 0) setText("status", `failed in frame ${frame}`);
  tell(line ? `error in line ${line}` : "error");
  editor.mark(line || 0);
}

function told(news) {
  if (news.text !== undefined) print(news.text);
  else if (news.busy !== undefined) tell(`running for ${news.busy} s`);
  else if (news.name !== undefined) {
    isShown = true;
    showScene(news);
    if (news.done) showPrinted();
    tell(news.done ? "done" : player.isPaused ? "paused" : "playing");
    if (player.isPaused) followSoon();
  } else {
    // A scene that failed stays in sight.
    $("stage").hidden = !isShown;
    showPrinted();
    if (news.done) tell("done"); else fail(news);
  }
  showButtons();
}

function showButtons() {
  $("stop").disabled = !player.worker;
  showBar();
}

// Clears what the last run has left.
function clear() {
  printed = $("error").textContent = $("status").textContent = "";
  isShown = false;
  showPrinted();
  editor.mark(0);
}

// `isNew`: the browser's button for the page before goes back to what was shown until now.
function run(frame = 0, isNew = false) {
  clear();
  tell("running");
  player.run(editor.text, frame, callsBefore(), told);
  showButtons();
  follow(isNew);
}

function stop() {
  if (!player.worker) return;
  player.stop();
  tell("stopped");
  showButtons();
}

// A scene that has a script for its keys is played by that, or by who sits before the page.
function switchKeys() {
  player.isTyped = !player.isTyped;
  run();
  $("canvas").focus();
}

// The address -----------------------------------------------------------------------

// Writes into the address what is shown.
async function follow(isNew = false) {
  const text = editor.text, isExample = chosen?.code === text, before = location.hash;
  const link = new URLSearchParams(isExample ? { e: chosen.name } : await linkOf(text));
  if (text !== editor.text || before !== location.hash) return;
  const frame = player.scene ? player.scene.frame : player.target;
  if (player.isPaused && frame > 0) link.set("f", frame);
  for (const [name, value] of settings) link.set("set." + name, value);
  const address = "#" + link;
  if (address === location.hash) return;
  if (isNew) history.pushState(null, "", address); else history.replaceState(null, "", address);
}

// Browsers refuse many changes in a short time.
let later;

function followSoon() {
  clearTimeout(later);
  later = setTimeout(follow, 300);
}

async function share() {
  await follow();
  try {
    await navigator.clipboard.writeText(location.href);
    tell("link copied");
  } catch {
    tell("the link is the page's address");
  }
}

// Texts -----------------------------------------------------------------------------

// What has been edited, by the name of the example, and under "" a text that is no example. It stays
// in this browser, where the browser lets it.
const edited = new Map();
const KEPT = "collide: edited";

try {
  Object.entries(JSON.parse(localStorage.getItem(KEPT)) ?? {}).forEach(
    ([name, text]) => edited.set(name, text));
} catch { /* then they stay in this page alone */ }

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(edited)));
  } catch { /* as above */ }
}

// The example that is shown when the address names none.
const FIRST = "platformer";

const other = new Option("", ""); // the list's name for a text that is no example
other.hidden = true;

const optionOf = example => [...$("examples").options].find(option => option.value === example.name);

function showTitle(example) {
  optionOf(example).text = edited.has(example.name) ? `${example.title} (edited)` : example.title;
  if (example === chosen) $("undo").hidden = !edited.has(example.name);
}

function keepEdited() {
  if (!chosen) {
    other.text = "your text";
    edited.set("", editor.text);
  } else {
    if (editor.text === chosen.code) edited.delete(chosen.name);
    else edited.set(chosen.name, editor.text);
    showTitle(chosen);
  }
  keep();
}

// Ends what runs, and shows a text that is no example, under a name.
function showOther(name, text) {
  stop();
  clear();
  $("stage").hidden = $("undo").hidden = true;
  chosen = undefined;
  other.text = name;
  $("examples").value = "";
  editor.text = text;
}

function choose(example, frame, isNew) {
  chosen = example;
  $("examples").value = example.name;
  editor.text = edited.get(example.name) ?? example.code;
  showTitle(example);
  player.isTyped = false;
  run(frame, isNew);
}

function undo() {
  edited.delete(chosen.name);
  keep();
  choose(chosen);
}

function listExamples() {
  const groups = new Map();
  for (const { group, name, title } of data.examples) {
    if (!groups.has(group)) {
      const element = document.createElement("optgroup");
      element.label = group;
      groups.set(group, element);
    }
    groups.get(group).append(new Option(title, name));
  }
  $("examples").append(other, ...groups.values());
  data.examples.forEach(showTitle);
}

const exampleNamed = name => data.examples.find(example => example.name === name);

// Where motion is not wanted, an example stops after its first frame.
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

// Shows a text of the address. What others have written waits until it is run.
function openText(text, frame) {
  const name = [...edited.keys()].find(name => edited.get(name) === text);
  const example = name && exampleNamed(name);
  if (example) return choose(example, frame);
  showOther(name === "" ? "your text" : "shared", text);
  if (name === "") run(frame); else tell("shared: Run runs it");
}

// Shows what the address asks for, behind its `#`.
async function open(hash) {
  const link = new URLSearchParams(hash.slice(1));
  const frame = Number(link.get("f")) || Number(isStill);
  settings.clear();
  for (const [name, value] of link) if (name.startsWith("set.")) settings.set(name.slice(4), value);
  let text;
  try {
    text = await textOf(link);
  } catch (error) {
    fail({ failure: `The text in the address cannot be read: ${error.message}` });
    return;
  }
  if (text !== undefined) {
    openText(text, frame);
    return;
  }
  const name = link.get("e") ?? FIRST, example = exampleNamed(name);
  if (example) {
    choose(example, frame);
  } else {
    showOther("your text", "");
    fail({ failure: `There is no example called "${name}".` });
  }
}

addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") stop();
});

$("run").addEventListener("click", () => run());
$("stop").addEventListener("click", stop);
$("undo").addEventListener("click", undo);
$("play").addEventListener("click", switchKeys);
$("share").addEventListener("click", share);
$("examples").addEventListener("change", event => {
  settings.clear();
  choose(exampleNamed(event.target.value), Number(isStill), true);
});
$("code").addEventListener("input", keepEdited);
// The page may have written another address since.
addEventListener("hashchange", event => open(new URL(event.newURL).hash));

listExamples();
// The browser needs a moment of this thread to begin the worker.
setTimeout(() => open(location.hash));
