// What the page's address says behind `#`: e, an example's name; or a text, in c compressed and in
// t as it is; f, a frame to stop at; set.NAME, the value of a parameter, or set.broadphase.

const toLetters = bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))
  .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

// By a loop, which is ten times as fast as Uint8Array.from.
function toBytes(letters) {
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// `through` is a CompressionStream or a DecompressionStream.
async function pass(bytes, through) {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const canCompress = typeof CompressionStream !== "undefined";

// What stands behind `#` for a text.
async function linkOf(text) {
  const bytes = new TextEncoder().encode(text);
  if (!canCompress) return "t=" + toLetters(bytes);
  return "c=" + toLetters(await pass(bytes, new CompressionStream("deflate-raw")));
}

// The text of an address, or undefined where it has none.
async function textOf(link) {
  const [plain, compressed] = [link.get("t"), link.get("c")];
  if (compressed !== null) {
    if (!canCompress) throw new Error("this browser cannot read a compressed link");
    return new TextDecoder().decode(
      await pass(toBytes(compressed), new DecompressionStream("deflate-raw")));
  }
  return plain === null ? undefined : new TextDecoder().decode(toBytes(plain));
}
