// The engine in a worker of its own, so that the page can end it whatever it does. The page sends
// commands, and gets an answer to each; in between come pieces of what is printed. This text stands
// behind the engine's, which gives `createEngine`.

let engine;

// What is printed goes to the page in pieces, and waits where these come too fast: not even an
// endless loop that prints may keep the page from anything else. PAUSE and WAIT are milliseconds.
const PIECE = 1 << 16, PAUSE = 50, WAIT = 10;
const bytes = new Uint8Array(PIECE), decoder = new TextDecoder();
let printed = 0, sent = 0;

function send() {
  if (printed === 0) return;
  const text = decoder.decode(bytes.subarray(0, printed), { stream: true });
  printed = 0;
  sent = performance.now();
  postMessage({ text });
}

function print(byte) {
  if (byte === null) return;
  bytes[printed++] = byte;
  if (printed === PIECE) while (performance.now() - sent < WAIT);
  if (printed === PIECE || byte === 10 && performance.now() - sent > PAUSE) send();
}

// Calls a function of engine.c with texts; 0 when all went well.
function call(name, ...texts) {
  const pointers = texts.map(text => engine.allocateUTF8(text));
  const status = engine["_" + name](...pointers);
  pointers.forEach(pointer => engine._free(pointer));
  if (status !== 0) throw new Error(answer() || "not enough memory");
}

const answer = () => engine.UTF8ToString(engine._engine_answer());

function ask(name, text) {
  call("engine_call", name, text);
  return JSON.parse(answer());
}

async function begin({ module, files }) {
  engine = await createEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
    stdin: () => null, stdout: print, stderr: print,
  });
  for (const [path, text] of Object.entries(files)) {
    engine.FS.mkdirTree(path.replace(/[^/]*$/, ""));
    engine.FS.writeFile(path, text);
  }
  call("engine_open", "/examples/web/play.lua");
}

// `first` is a list of calls that come before it, each a name and a text. A text that is run is
// played up to a frame.
async function obey({ command, argument, first, frame, module, files }) {
  if (module) await begin({ module, files });
  first.forEach(([name, text]) => ask(name, text));
  const answer = ask(command, argument);
  if (!(frame > 0) || answer.name === undefined) return answer;
  return { ...answer, ...ask("advance", String(frame)) };
}

addEventListener("message", async ({ data }) => {
  let reply;
  try {
    reply = await obey(data);
    const start = engine._engine_drawn() / 8;
    reply.drawing = engine.HEAPF64.slice(start, start + engine._engine_drawn_count());
  } catch (error) {
    reply = error.name === "ExitStatus" ? { done: true } : { failure: error.message };
  }
  send();
  postMessage(reply, reply.drawing ? [reply.drawing.buffer] : []);
});
