// The engine in a worker of its own, so that the page can end it whatever it does. The page sends
// the engine, then commands, and gets an answer to each of these; in between come pieces of what is
// printed. This text stands behind share.js and the engine's, which gives `createEngine`.

let engine, ready;

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

// What the page holds as letters, as a module and a list of files, which further workers need.
async function unpack({ engine, sources }) {
  const bytesOf = letters => pass(toBytes(letters), new DecompressionStream("gzip"));
  const [module, bytes] = await Promise.all([
    bytesOf(engine).then(bytes => WebAssembly.compile(bytes)), bytesOf(sources)]);
  const files = [];
  for (let at = 0; at < bytes.length;) {
    const start = bytes.indexOf(10, at) + 1;
    const [path, size] = decoder.decode(bytes.subarray(at, start)).split(" ");
    files.push([path, bytes.subarray(start, at = start + Number(size))]);
  }
  return { module, files };
}

async function begin(packed) {
  const unpacked = packed.module ? packed : await unpack(packed);
  if (unpacked !== packed) postMessage({ unpacked });
  engine = await createEngine({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(unpacked.module, imports).then(done);
      return {};
    },
    stdin: () => null, stdout: print, stderr: print,
  });
  const folders = new Set(unpacked.files.map(([path]) => path.replace(/[^/]*$/, "")));
  folders.forEach(folder => engine.FS.mkdirTree(folder));
  unpacked.files.forEach(([path, bytes]) => engine.FS.writeFile(path, bytes, { canOwn: true }));
  call("engine_open", "/examples/web/play.lua");
}

// `first` is a list of calls that come before it, each a name and a text. A text that is run is
// played up to a frame.
async function obey({ command, argument, first, frame }) {
  const problem = await ready;
  if (problem) throw new Error(`This browser cannot run it: ${problem}`);
  first.forEach(([name, text]) => ask(name, text));
  const answer = ask(command, argument);
  if (!(frame > 0) || answer.name === undefined) return answer;
  return { ...answer, ...ask("advance", String(frame)) };
}

addEventListener("message", async ({ data }) => {
  if (data.engine || data.module) {
    ready = begin(data).then(() => null, error => error.message);
    return;
  }
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
