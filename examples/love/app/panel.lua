-- The column beside a scene: its figures, its switches, and the keys.

local details = require "app.details"
local meter = require "app.meter"
local theme = require "app.theme"

local graphics = love.graphics

local M = {}

local ROW = 20
local CHART = 56

-- Draws a row with a name on the left and a value on the right; returns the y of the next row.
local function row(name, value, x, y, width, color)
  theme.write(name, x, y, theme.MUTED, theme.NORMAL)
  theme.write(value, x, y, color or theme.TEXT, theme.NORMAL, width, "right")
  return y + ROW
end

local function milliseconds(value)
  return value and ("%.3f ms"):format(value) or "–"
end

-- 1, 2 or 5 times a power of ten, no less than `value`.
local function roundUp(value)
  local power = 10 ^ math.floor(math.log10(value))
  for _, digit in ipairs { 1, 2, 5 } do
    if digit * power >= value then return digit * power end
  end
  return 10 * power
end

-- Draws a bar for each of the last frames. A single slow frame would make all other bars flat, so
-- its bar is cut off.
local function drawChart(times, x, y, width)
  local frames, most = times:frames()
  graphics.setColor(theme.CHOSEN)
  graphics.rectangle("fill", x, y, width, CHART)
  if #frames == 0 then return end
  local sorted = {}
  for i, seconds in ipairs(frames) do sorted[i] = seconds end
  table.sort(sorted)
  local top = roundUp(1.2 * math.max(1e-6, sorted[math.ceil(0.9 * #sorted)]))
  local step = math.floor(width / most)
  graphics.setColor(theme.ACCENT[1], theme.ACCENT[2], theme.ACCENT[3], 0.75)
  for i, seconds in ipairs(frames) do
    local high = CHART * math.min(1, seconds / top)
    graphics.rectangle("fill", x + width - (#frames - i + 1) * step, y + CHART - high, step, high)
  end
  theme.write(("%g ms"):format(top * 1000), x + 6, y + 4, theme.MUTED, theme.SMALL)
end

local function drawNumbers(stage, x, y, width)
  local scene, stats, times = stage.scene, stage.stats, stage.meter
  y = row("frame", ("%d"):format(scene.frame), x, y, width)
  y = row("actors", ("%d"):format(scene.world:count()), x, y, width)
  y = row("hits", stats.hits and ("%d"):format(stats.hits) or "–", x, y, width)
  y = row("candidates", stats.candidates and ("%d"):format(stats.candidates) or "–", x, y, width)
  y = row("broad phase", scene.world:stats(stats).broadphase, x, y, width) + 12

  y = row("frame time", milliseconds(times:mean "frame"), x, y, width)
  for _, part in ipairs(meter.PARTS) do
    y = row("    " .. part, milliseconds(times:mean(part)), x, y, width)
  end
  drawChart(times, x, y + 6, width)
end

-- The names of keys, as far as the scene does not take them, or what the mouse does; and what that
-- does.
local KEYS = {
  { { "space", "tab" }, "pause" },
  { { "s", "right" }, "next frame" },
  { { "a", "left" }, "frame before" },
  { { "b" }, "broad phase" },
  { { "c" }, "cells" },
  { { "h" }, "hits" },
  { { "wheel" }, "zoom" },
  { { "z" }, "see all" },
  { { "click" }, "show actor" },
  { { "r" }, "restart" },
  { { "escape" }, "back" },
}

local function drawKey(stage, keys, effect, x, y, width)
  local on = { pause = stage.paused, cells = stage.cells, hits = stage.hits }
  local free = {}
  for _, key in ipairs(keys) do
    if stage:isFree(key) then free[#free + 1] = key end
  end
  local isOff = #free == 0
  theme.write(isOff and "–" or table.concat(free, ", "), x, y, theme.MUTED, theme.NORMAL)
  theme.write(effect, x + 84, y, on[effect] and theme.ACCENT or isOff and theme.MUTED or theme.TEXT,
    theme.NORMAL)
  if on[effect] ~= nil then
    theme.write(on[effect] and "on" or "off", x, y, on[effect] and theme.ACCENT or theme.MUTED,
      theme.NORMAL, width, "right")
  end
end

-- Draws the keys up from the bottom, and returns the top.
local function drawKeys(stage, x, bottom, width)
  local y = bottom - ROW * #KEYS
  for i, key in ipairs(KEYS) do drawKey(stage, key[1], key[2], x, y + ROW * (i - 1), width) end
  local taken = stage:taken()
  if #taken == 0 then return y end
  local text = table.concat(taken, ", ")
  local high = theme.height(text, theme.NORMAL, width - 84)
  y = y - high - 8
  theme.write("the scene's", x, y, theme.MUTED, theme.NORMAL)
  theme.write(text, x + 84, y, theme.TEXT, theme.NORMAL, width - 84)
  return y
end

-- Draws the details of the selected actor, with as many rows as there is room for.
local function drawDetails(stage, x, y, bottom, width)
  local title, rows = details.of(stage.scene.world, stage.chosen)
  theme.write(title, x, y, theme.ALARM, theme.NORMAL)
  local most = math.max(0, math.floor((bottom - y) / ROW) - 1)
  local shown = #rows > most and most - 1 or #rows
  for i = 1, shown do y = row(rows[i][1], rows[i][2], x, i == 1 and y + ROW or y, width) end
  if shown < #rows then
    theme.write(("%d more"):format(#rows - shown), x, y, theme.MUTED, theme.NORMAL)
  end
end

--- Draws the column for a stage into a rectangle.
function M.draw(stage, x, y, width, height)
  local name = stage.scene and stage.scene.name or stage.path:match("([^/\\]+)%.lua$") or stage.path
  theme.write(name, x, y - 4, theme.TEXT, theme.LARGE)
  local top = drawKeys(stage, x, y + height, width)
  if not stage.scene or stage.failure then return end
  if stage.chosen then
    local frame = row("frame", ("%d"):format(stage.scene.frame), x, y + 38, width)
    drawDetails(stage, x, frame + 12, top - 12, width)
  else
    drawNumbers(stage, x, y + 38, width)
  end
end

return M
