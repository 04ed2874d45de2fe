// The page: the list of examples, the buttons, the keys, and what is told.

// Of what is printed, the page shows the end.
const MOST_PRINTED = 100000;

const edited = new Map(); // the texts of examples that have been edited, by name
let chosen;               // the example that is in the editor, or undefined
let printed = "", willShow = false;
let isShown = false;      // whether the text that runs has shown a scene

// What is told is read aloud to those who cannot see it, so only what is new.
function tell(text) {
  if ($("told").textContent !== text) $("told").textContent = text;
}

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
  if (frame > 0) $("status").textContent = `failed in frame ${frame}`;
  tell(line ? `error in line ${line}` : "error");
  editor.mark(line || 0);
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

function showScene(scene) {
  $("stage").hidden = false;
  isShown = true;
  picture.show(scene.width, scene.height, scene.drawing);
  const actors = scene.actors === 1 ? "1 actor" : `${scene.actors} actors`;
  const hash = player.isPaused ? `, hash ${scene.hash}` : "";
  $("status").textContent = `frame ${scene.frame}, ${actors}${hash}`;
  $("play").hidden = !(scene.isScripted && scene.keys.length > 0);
  showKeys(scene.isTyped ? scene.keys : []);
  tell(player.isPaused ? "paused" : "playing");
}

function showButtons() {
  $("stop").disabled = !player.worker;
  $("pause").disabled = $("step").disabled = !player.scene;
  $("pause").setAttribute("aria-pressed", player.isPaused);
  $("play").setAttribute("aria-pressed", player.isTyped);
}

function told(news) {
  if (news.text !== undefined) print(news.text);
  else if (news.busy !== undefined) tell(`running for ${news.busy} s`);
  else if (news.name !== undefined) showScene(news);
  else {
    // A scene that failed stays in sight.
    $("stage").hidden = !isShown;
    showPrinted();
    if (news.done) tell("done"); else fail(news);
  }
  showButtons();
}

// Clears what the last run has left.
function clear() {
  printed = $("error").textContent = $("status").textContent = "";
  isShown = false;
  showPrinted();
  editor.mark(0);
}

function run(frame = 0) {
  clear();
  tell("running");
  player.run(editor.text, frame, told);
  showButtons();
}

function stop() {
  if (!player.worker) return;
  player.stop();
  tell("stopped");
  showButtons();
}

function pause() {
  player.isPaused = !player.isPaused;
  if (player.scene) showScene(player.scene);
  showButtons();
}

// A scene that has a script for its keys is played by that, or by who sits before the page.
function switchKeys() {
  player.isTyped = !player.isTyped;
  run();
  $("canvas").focus();
}

async function share() {
  history.replaceState(null, "", "#" + await linkOf(editor.text));
  try {
    await navigator.clipboard.writeText(location.href);
    tell("link copied");
  } catch {
    tell("the link is the page's address");
  }
}

// Examples ----------------------------------------------------------------------

// The example that is shown when the address names none.
const FIRST = "platformer";

const other = new Option("", ""); // the list's name for a text that is no example
other.hidden = true;

const optionOf = example => [...$("examples").options].find(option => option.value === example.name);

function keepEdited() {
  if (!chosen) {
    other.text = "your text";
    return;
  }
  const isEdited = editor.text !== chosen.code;
  if (isEdited) edited.set(chosen.name, editor.text); else edited.delete(chosen.name);
  optionOf(chosen).text = isEdited ? `${chosen.title} (edited)` : chosen.title;
}

// Ends what runs, and shows a text that is no example, under a name.
function showOther(name, text) {
  stop();
  clear();
  $("stage").hidden = true;
  chosen = undefined;
  other.text = name;
  $("examples").value = "";
  editor.text = text;
}

function choose(example, frame = 0) {
  chosen = example;
  $("examples").value = example.name;
  editor.text = edited.get(example.name) ?? example.code;
  player.isTyped = false;
  run(frame);
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
}

const exampleNamed = name => data.examples.find(example => example.name === name);

// Where motion is not wanted, an example stops after its first frame.
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;

// Shows what the address asks for. What others have written waits until it is run.
async function open() {
  const link = new URLSearchParams(location.hash.slice(1));
  let text;
  try {
    text = await textOf(link);
  } catch (error) {
    fail({ failure: `The text in the address cannot be read: ${error.message}` });
    return;
  }
  if (text !== undefined) {
    showOther("shared", text);
    tell("shared: Run runs it");
    return;
  }
  const name = link.get("e") ?? FIRST, example = exampleNamed(name);
  if (example) {
    choose(example, Number(link.get("f")) || Number(isStill));
  } else {
    showOther("your text", "");
    fail({ failure: `There is no example called "${name}".` });
  }
}

// Keys --------------------------------------------------------------------------

const NAMES = {
  " ": "space", Enter: "return", Escape: "escape", Backspace: "backspace", ArrowLeft: "left",
  ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Shift: "lshift", Control: "lctrl",
};

// A key's name in a scene.
const nameOf = key => NAMES[key] || key.toLowerCase();

const down = new Set();

function keyDown(event) {
  if (!player.scene?.isTyped || event.key === "Tab" || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const name = nameOf(event.key);
  if (!event.repeat) player.press(name);
  down.add(name);
}

function keyUp(event) {
  if (down.delete(nameOf(event.key))) player.release(nameOf(event.key));
}

function releaseAll() {
  down.forEach(key => player.release(key));
  down.clear();
}

addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") stop();
});
$("canvas").addEventListener("keydown", keyDown);
$("canvas").addEventListener("keyup", keyUp);
$("canvas").addEventListener("blur", releaseAll);

$("run").addEventListener("click", () => run());
$("stop").addEventListener("click", stop);
$("pause").addEventListener("click", pause);
$("step").addEventListener("click", () => { player.step(); showButtons(); });
$("play").addEventListener("click", switchKeys);
$("share").addEventListener("click", share);
$("examples").addEventListener("change", event => choose(exampleNamed(event.target.value)));
$("code").addEventListener("input", keepEdited);
addEventListener("hashchange", open);

listExamples();
open();
