-- Shared parts of pages that test themselves: scripts for the head and the end of the page.

local M = {}

--- Counts errors, and attempts to load something.
M.ERRORS = [[
<script>
const errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));
addEventListener("securitypolicyviolation", event => errors.push(event.blockedURI));
</script>
]]

--- Defines `found`, a list of lines that begin with ok or FAILED; `same`, which adds a line;
--- `checkContrasts`; and `checkEnd`.
M.FINDINGS = [==[
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

function checkEnd() {
  same("requests", performance.getEntriesByType("resource").length, 0);
  same("errors", errors.join("; "), "");
}
]==]

return M
