-- Draws curves over two logarithmic axes as an SVG picture, on a background of its own. Each curve
-- has its name at its end.

local M = {}

local WIDTH, HEIGHT = 800, 480
local LEFT, TOP, BOTTOM = 70, 58, 54 -- margins; names stand in the right one
local LETTER = 7.5 -- the largest width of a name, per byte
local LINE = 17 -- between names

-- Colours that colour-blind people can tell apart (Okabe and Ito).
local COLORS = {
  "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a5195", "#555555", "#a0522d",
}

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function escape(text)
  return (text:gsub("[&<>]", ESCAPES))
end

local function log10(v)
  return math.log(v) / math.log(10)
end

-- A number of an axis: 0.001, 20, 10 000.
local function label(v)
  local text = ("%.10g"):format(v)
  if v >= 10000 then text = text:reverse():gsub("(%d%d%d)(%d)", "%1 %2"):reverse() end
  return text
end

-- An axis from `low` to `high`, on the screen from `from` to `to`.
local function newAxis(low, high, from, to)
  local axis = { low = low, high = high }
  local a, b = log10(low), log10(high)
  function axis.place(v)
    return from + (log10(v) - a) / (b - a) * (to - from)
  end
  return axis
end

-- The numbers from low to high that are one digit times a power of 10.
local function round(low, high)
  local list = {}
  for e = math.floor(log10(low)) - 1, math.ceil(log10(high)) do
    for digit = 1, 9 do
      local v = tonumber(digit .. "e" .. e)
      if v >= low * 0.9999 and v <= high * 1.0001 then
        list[#list + 1] = { value = v, digit = digit }
      end
    end
  end
  return list
end

-- Smallest and largest of coordinate `k` of all points.
local function range(series, k)
  local low, high = math.huge, -math.huge
  for _, curve in ipairs(series) do
    for _, point in ipairs(curve.points) do
      low, high = math.min(low, point[k]), math.max(high, point[k])
    end
  end
  return low, high
end

-- Moves names that would overlap apart, and keeps their order.
local function spread(names)
  table.sort(names, function(a, b) return a.y < b.y end)
  for _ = 1, 200 do
    for i = 2, #names do
      local short = LINE - (names[i].y - names[i - 1].y)
      if short > 0 then
        names[i].y = names[i].y + short / 2
        names[i - 1].y = names[i - 1].y - short / 2
      end
    end
  end
end

local Picture = {}
Picture.__index = Picture

function Picture:add(...)
  self[#self + 1] = (...):format(select(2, ...))
end

function Picture:text(x, y, anchor, text, more)
  self:add('<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>', x, y, anchor, more or "",
    escape(text))
end

function Picture:grid(x, y, chart, right)
  local bottom = HEIGHT - BOTTOM
  for _, tick in ipairs(round(x.low, x.high)) do
    local at = x.place(tick.value)
    self:add('<path d="M%.1f %d V%d" stroke="%s"/>', at, TOP, bottom,
      tick.digit == 1 and "#cfcfcf" or "#ececec")
    if tick.digit == 1 or (tick.digit == 2 or tick.digit == 5) and x.high / x.low < 1001 then
      self:text(at, bottom + 18, "middle", label(tick.value))
    end
  end
  for _, tick in ipairs(round(y.low, y.high)) do
    local at = y.place(tick.value)
    self:add('<path d="M%d %.1f H%d" stroke="%s"/>', LEFT, at, right,
      tick.digit == 1 and "#cfcfcf" or "#ececec")
    if tick.digit == 1 then self:text(LEFT - 8, at + 4, "end", label(tick.value)) end
  end
  self:add('<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>', LEFT, TOP,
    right - LEFT, bottom - TOP)
  self:text((LEFT + right) / 2, HEIGHT - 14, "middle", chart.x)
  self:add('<text transform="translate(20 %.1f) rotate(-90)" text-anchor="middle">%s</text>',
    (TOP + bottom) / 2, escape(chart.y))
end

function Picture:curves(x, y, series, edge)
  local names = {}
  for i, curve in ipairs(series) do
    local color = COLORS[(i - 1) % #COLORS + 1]
    local points, dots, at, level = {}, {}, 0, 0
    for k, point in ipairs(curve.points) do
      at, level = x.place(point[1]), y.place(point[2])
      points[k] = ("%.1f,%.1f"):format(at, level)
      dots[k] = ('<circle cx="%.1f" cy="%.1f" r="%s"/>'):format(at, level,
        curve.ours and "3.6" or "2.6")
    end
    self:add('<polyline points="%s" fill="none" stroke="%s" stroke-width="%s"%s/>',
      table.concat(points, " "), color, curve.ours and "3" or "1.6",
      curve.dashed and ' stroke-dasharray="6 4"' or "")
    if curve.mark then
      self:add('<circle cx="%.1f" cy="%.1f" r="6.5" fill="none" stroke="%s" stroke-width="2"/>',
        x.place(curve.mark[1]), y.place(curve.mark[2]), color)
    end
    self:add('<g fill="%s">%s</g>', color, table.concat(dots))
    names[i] = { y = level, level = level, x = at, name = curve.name, color = color,
      weight = curve.ours and ' font-weight="bold"' or "" }
  end
  spread(names)
  for _, name in ipairs(names) do
    self:add('<path d="M%.1f %.1f L%d %.1f" stroke="%s" stroke-dasharray="1 3"/>', name.x + 5,
      name.level, edge + 8, name.y, name.color)
    self:text(edge + 12, name.y + 4, "start", name.name,
      (' fill="%s"%s'):format(name.color, name.weight))
  end
end

---@class bench.Curve
---@field name string
---@field points number[][]  pairs of x and y, ascending by x; all above 0
---@field ours boolean?  drawn thick
---@field dashed boolean?
---@field mark number[]?  x and y of a ring

--- The picture as text.
---@param chart { title: string, subtitle: string, x: string, y: string, series: bench.Curve[] }
---@return string
function M.svg(chart)
  local lowX, highX = range(chart.series, 1)
  local lowY, highY = range(chart.series, 2)
  local longest = 0
  for _, curve in ipairs(chart.series) do longest = math.max(longest, #curve.name) end
  local right = math.floor(WIDTH - 16 - longest * LETTER)
  local x = newAxis(lowX / 1.15, highX * 1.15, LEFT, right)
  local y = newAxis(lowY / 1.5, highY * 1.5, HEIGHT - BOTTOM, TOP)
  local picture = setmetatable({}, Picture)
  picture:add('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">',
    WIDTH, HEIGHT, WIDTH, HEIGHT)
  picture:add('<rect width="%d" height="%d" rx="6" fill="#ffffff"/>', WIDTH, HEIGHT)
  picture:add('<g font-family="sans-serif" font-size="13" fill="#333333">')
  picture:text(LEFT, 26, "start", chart.title, ' font-size="17" font-weight="bold" fill="#111111"')
  picture:text(LEFT, 45, "start", chart.subtitle, ' font-size="12" fill="#666666"')
  picture:grid(x, y, chart, right)
  picture:curves(x, y, chart.series, right)
  picture:add("</g>\n</svg>\n")
  return table.concat(picture, "\n")
end

return M
