// Shared by the pages that test themselves: `found` is a list of lines that begin with ok or FAILED.

const found = [];
const same = (name, got, expected) => found.push(
  String(got) === String(expected) ? "ok " + name : `FAILED ${name}: got ${got}, not ${expected}`);

// Contrasts as WCAG has them: text 4.5 to 1, shapes 3 to 1.
function luminance(name) {
  const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function checkContrasts(list) {
  for (const [name, ground, least] of list) {
    const [low, high] = [luminance(name), luminance(ground)].sort((a, b) => a - b);
    same(`${name} on ${ground}`, (high + 0.05) / (low + 0.05) >= least, true);
  }
}

const sleep = ms => new Promise(done => setTimeout(done, ms));

// Runs checks one after the other, and prints what they found.
async function report(checks) {
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      found.push(`FAILED ${check.name}: ${error.stack}`);
    }
    found.splice(0).forEach(line => console.log(line.replaceAll("\n", "\\n")));
  }
  same("requests", performance.getEntriesByType("resource").length, 0);
  same("errors", errors.join("; "), "");
  [...found, "ok end"].forEach(line => console.log(line));
}
