-- Makes the replay page: one self-contained file that plays a run of a scene.

local json = require "collide.scene.json"
local player = require "collide.scene.player"
local replay = require "collide.scene.replay"
local style = require "collide.scene.playerstyle"
local unicode = require "collide.scene.unicode"

local M = {}

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
  return PAGE:format(unicode.escape(data.name, ESCAPES), style.STYLE, style.BODY,
    json.encode(data), player)
end

return M
