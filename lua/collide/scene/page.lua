-- Makes the replay page: one self-contained file that plays a run of a scene.

local texts = require "collide.scene.text"
local player = require "collide.scene.player"
local replay = require "collide.scene.replay"

local M = {}

--- The colours, for other pages, too.
M.COLORS = [==[
:root { color-scheme: light dark; --ground: #f4f2ee; --paper: #fdfbf7; --text: #23262b;
  --muted: #63666c; --edge: #c9c5bd; --accent: #1f5fae; --free: #3b78c9; --static: #85888f;
  --hit: #d0322a; --bullet: #b56a06; --chosen: #0f8a5f; }
@media (prefers-color-scheme: dark) { :root { --ground: #15171b; --paper: #1d2026; --text: #e4e6ea;
  --muted: #9aa0a9; --edge: #3a3f48; --accent: #7fb2f5; --free: #6aa2ee; --static: #8b9099;
  --hit: #ff6b60; --bullet: #f0ab45; --chosen: #4fd6a3; } }
]==]

local STYLE = M.COLORS .. [==[
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: auto 1fr auto / 1fr 17rem; background: var(--ground);
  color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / 3; padding: .6rem 1rem; border-bottom: 1px solid var(--edge);
  display: flex; gap: 1rem; align-items: baseline; }
h1 { font-size: 1.1rem; margin: 0; }
header span, .muted { color: var(--muted); }
#view { position: relative; min-height: 0; min-width: 0; background: var(--paper);
  overflow: hidden; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: crosshair; }
aside { border-left: 1px solid var(--edge); padding: .8rem 1rem; overflow: auto; }
aside h2 { font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
aside h3 { font-size: .85rem; margin: .9rem 0 .2rem; color: var(--muted); font-weight: 600; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: 0; }
dt { color: var(--muted); } dd { margin: 0; text-align: right; overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums; }
ul { list-style: none; margin: 0; padding: 0; }
aside button { border: 0; background: none; color: var(--accent); padding: 0; font: inherit;
  cursor: pointer; text-align: left; }
footer { grid-column: 1 / 3; border-top: 1px solid var(--edge); padding: .5rem 1rem;
  display: flex; gap: .4rem; align-items: center; flex-wrap: wrap; }
footer button { font: inherit; min-width: 2.2rem; padding: .25rem .5rem; color: var(--text);
  background: var(--paper); border: 1px solid var(--edge); border-radius: 4px; cursor: pointer; }
footer button:hover { border-color: var(--accent); }
#scrub { flex: 1; min-width: 8rem; accent-color: var(--accent); }
output { min-width: 7.5rem; text-align: right; font-variant-numeric: tabular-nums; }
kbd { font: 12px ui-monospace, monospace; border: 1px solid var(--edge); border-radius: 3px;
  padding: 0 .3em; background: var(--paper); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
]==]

local BODY = [==[
<header><h1 id="name"></h1><span id="about"></span></header>
<div id="view"><canvas id="canvas" tabindex="0" aria-label="the scene"></canvas></div>
<aside id="side" aria-live="polite"></aside>
<footer>
<button id="first" title="first frame (Home)">|◀</button>
<button id="back" title="one frame back (left)">‹</button>
<button id="play" title="play or pause (space)">▶</button>
<button id="next" title="one frame on (right)">›</button>
<button id="last" title="last frame (End)">▶|</button>
<input id="scrub" type="range" min="0" step="1" value="0" aria-label="frame">
<output id="frame"></output>
<button id="slower" title="slower ([)">−</button>
<span id="speed"></span>
<button id="faster" title="faster (])">+</button>
<button id="out" title="zoom out (-)">⊖</button>
<button id="in" title="zoom in (+)">⊕</button>
<button id="fit" title="all of it (0)">fit</button>
</footer>
]==]

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;" }

-- The policy in `meta` forbids the page to load anything.
local PAGE = [==[
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>%s</title>
<style>
%s</style>
</head>
<body>
%s<script>
const data = %s;
%s</script>
</body>
</html>
]==]

--- Makes a replay, which records a frame at each call of `replay:add()`.
---@param scene collide.Scene
---@return collide.Replay
M.replay = replay.new

--- The page of a replay.
---@param recorded collide.Replay
---@param at? integer the frame at which it opens, by default the first
---@param actor? table the actor that is selected then
---@return string
function M.text(recorded, at, actor)
  local data = recorded:data()
  data.at, data.chosen = at, recorded:numberOf(actor)
  return PAGE:format(texts.escape(data.name, ESCAPES), STYLE, BODY,
    texts.json(data), player)
end

return M
