-- Pictures as SVG: a brush that writes all drawing as text, the same bytes on every Lua.

local require = require "collide.relative"
local canvas = require "collide.canvas"
local texts = require "collide.scene.text"

local M = {}

local floor = math.floor

-- The least and the largest size of a picture on the screen, in pixels. Scenes of other sizes are
-- scaled to USUAL.
local LEAST, MOST, USUAL = 160, 1600, 800
local FONT, ASCENT, LINE = 12, 11, 14

---@class collide.SvgBrush
local Brush = {}
Brush.__index = Brush

function Brush:write(...)
  local out, n = self.out, #self.out
  for i = 1, select("#", ...) do out[n + i] = (select(i, ...)) end
end

-- A number as text, with no more digits than are visible.
function Brush:number(v)
  return texts.short(v, self.digits)
end

function Brush:points(list, n)
  local out = {}
  for i = 1, n or #list do out[i] = self:number(list[i]) end
  return table.concat(out, " ")
end

local function channel(v)
  return floor(math.max(0, math.min(1, v)) * 255 + 0.5)
end

function Brush:color(r, g, b, a)
  local hex = ("#%02x%02x%02x"):format(channel(r), channel(g), channel(b))
  self.paint = hex:gsub("^#(%x)%1(%x)%2(%x)%3$", "#%1%2%3")
  self.opacity = math.max(0, math.min(1, a))
end

-- The attributes that set `what`, "fill" or "stroke", to the current colour.
function Brush:attributes(what)
  if self.opacity == 1 then return (' %s="%s"'):format(what, self.paint) end
  return (' %s="%s" %s-opacity="%s"'):format(what, self.paint, what,
    texts.short(self.opacity, 3))
end

function Brush:modeAttributes(mode)
  return self:attributes(mode == "fill" and "fill" or "stroke")
end

function Brush:rectangle(mode, l, t, w, h)
  self:write('<rect x="', self:number(l), '" y="', self:number(t), '" width="', self:number(w),
    '" height="', self:number(h), '"', self:modeAttributes(mode), "/>\n")
end

function Brush:circle(mode, x, y, r)
  self:write('<circle cx="', self:number(x), '" cy="', self:number(y), '" r="', self:number(r),
    '"', self:modeAttributes(mode), "/>\n")
end

function Brush:capsule(mode, x1, y1, x2, y2, r)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  local nx, ny = -dy / length * r, dx / length * r
  local arc = " A" .. self:points { r, r } .. " 0 0 1 "
  self:write('<path d="M', self:points { x1 + nx, y1 + ny }, arc, self:points { x1 - nx, y1 - ny },
    " L", self:points { x2 - nx, y2 - ny }, arc, self:points { x2 + nx, y2 + ny }, ' Z"',
    self:modeAttributes(mode), "/>\n")
end

function Brush:polygon(mode, points)
  self:write('<polygon points="', self:points(points), '"', self:modeAttributes(mode), "/>\n")
end

function Brush:line(points)
  self:write('<polyline points="', self:points(points), '"', self:attributes("stroke"), "/>\n")
end

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function Brush:text(text, x, y)
  local row = 0
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    if line ~= "" then
      self:write('<text x="', self:number(x), '" y="',
        self:number(y + (ASCENT + LINE * row) * self.pixel), '"', self:attributes("fill"), ">",
        texts.escape(line, ESCAPES), "</text>\n")
    end
    row = row + 1
  end
end

-- The factor by which a picture of this size is scaled on the screen.
local function scaleOf(width, height)
  local size = math.max(width, height)
  return size >= LEAST and size <= MOST and 1 or USUAL / size
end

---@class collide.SvgCanvas: collide.Canvas
---@field text fun(self): string the picture so far, a whole SVG file

--- Makes a canvas that covers a rectangle.
---@param width number
---@param height number
---@param left? number its corner, default 0
---@param top? number
---@param scale? number pixels of the screen per unit
---@return collide.SvgCanvas
function M.canvas(width, height, left, top, scale)
  left, top, scale = left or 0, top or 0, scale or scaleOf(width, height)
  local pixel = 1 / scale
  local digits, step = 0, 1
  while step > pixel / 50 and digits < 17 do
    digits, step = digits + 1, step / 10
  end
  local brush = setmetatable({ out = {}, digits = digits, pixel = pixel }, Brush)
  local function size(w, h)
    return ('width="%s" height="%s"'):format(brush:number(w), brush:number(h))
  end
  local paper = canvas.PAPER
  brush:color(paper[1], paper[2], paper[3], 1)
  brush:write('<svg xmlns="http://www.w3.org/2000/svg" ', size(width * scale, height * scale),
    ' viewBox="', brush:points { left, top, width, height }, '">\n')
  brush:write("<rect ", (left ~= 0 or top ~= 0) and ('x="%s" y="%s" '):format(brush:number(left),
    brush:number(top)) or "", size(width, height), brush:attributes("fill"), "/>\n")
  brush:write('<g fill="none" stroke-width="', brush:number(pixel),
    '" stroke-linecap="round" stroke-linejoin="round" font-family="sans-serif" font-size="',
    brush:number(FONT * pixel), '" xml:space="preserve">\n')
  brush:color(0, 0, 0, 1)

  local self = canvas.new(brush)
  function self.text()
    return table.concat(brush.out) .. "</g>\n</svg>\n"
  end
  return self
end

return M
