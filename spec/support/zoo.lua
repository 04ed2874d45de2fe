-- Random shapes of every kind, each with its solid (spec/support/solid.lua).
local collide = require "collide"
local solid = require "spec.support.solid"

local unpack = table.unpack or unpack -- luacheck: ignore

local M = {}

--- The convex ones come first.
M.KINDS = { "rectangle", "circle", "capsule", "segment", "polygon", "concave", "chain",
  "compound" }
M.CONVEX = { rectangle = true, circle = true, capsule = true, segment = true, polygon = true }

local function reversed(ring)
  local out = {}
  for k = #ring - 1, 1, -2 do out[#out + 1], out[#out + 2] = ring[k], ring[k + 1] end
  return out
end

-- n points around x, y, in either direction: on an ellipse, and so convex, or with `rough` nearer
-- to its centre, and so star-shaped.
local function around(rng, n, x, y, w, h, rough)
  local ring = {}
  for i = 1, n do
    local angle = (i + rng:float(0, 0.8)) / n * 2 * math.pi
    local k = rng:float(1 - rough, 1)
    ring[2 * i - 1], ring[2 * i] = x + k * w * math.cos(angle), y + k * h * math.sin(angle)
  end
  return rng:chance(0.5) and ring or reversed(ring)
end

local function filled(ring)
  local outline = { closed = true, filled = true, r = 0 }
  for k, v in ipairs(ring) do outline[k] = v end
  return outline
end

local make = {}

function make.rectangle(_, x, y, w, h)
  return collide.rectangle(x, y, w, h), solid.rectangle(x, y, w, h)
end

function make.circle(_, x, y, w)
  return collide.circle(x, y, w / 2), solid.circle(x, y, w / 2)
end

function make.capsule(rng, x, y, w, h)
  local r = rng:float(0.2, 0.5) * w
  return collide.capsule(x, y, x - w, y + h, r), { { x, y, x - w, y + h, r = r } }
end

function make.segment(_, x, y, w, h)
  return collide.segment(x, y, x + w, y - h), { { x, y, x + w, y - h, r = 0 } }
end

function make.polygon(rng, x, y, w, h)
  local ring = around(rng, rng:int(3, 8), x, y, w / 2, h / 2, 0)
  return collide.polygon(ring), { filled(ring) }
end

function make.concave(rng, x, y, w, h)
  local ring = around(rng, rng:int(5, 10), x, y, w / 1.5, h / 1.5, 0.8)
  return collide.polygon(unpack(ring)), { filled(ring) }
end

function make.chain(rng, x, y, w, h)
  local list, closed = {}, rng:chance(0.5)
  local outline = { closed = closed, r = 0 }
  for i = 1, 2 * rng:int(3, 6) do
    list[i] = i % 2 == 1 and x + rng:float(-w, w) or y + rng:float(-h, h)
    outline[i] = list[i]
  end
  return collide.chain(list, closed), { outline }
end

function make.compound(rng, x, y, w, h)
  local members, outlines = {}, {}
  for i = 1, rng:int(1, 3) do
    local kind = M.KINDS[rng:int(#M.KINDS - 1)]
    local shape, list = make[kind](rng, x + rng:float(-w, w) / 2, y + rng:float(-h, h) / 2,
      w * rng:float(0.3, 0.7), h * rng:float(0.3, 0.7))
    members[i] = shape
    for _, outline in ipairs(list) do outlines[#outlines + 1] = outline end
  end
  return collide.compound(unpack(members)), outlines
end

--- A shape of a kind, with sides up to `size`, near 0, 0; and its solid.
function M.shape(rng, kind, size)
  local x, y = rng:float(-size, size) / 3, rng:float(-size, size) / 3
  return make[kind](rng, x, y, size * rng:float(0.1, 1), size * rng:float(0.1, 1))
end

--- The same of any kind.
function M.any(rng, size)
  return M.shape(rng, rng:pick(M.KINDS), size)
end

local whole = {}

local function points(rng, n, size)
  local list = {}
  for i = 1, 2 * n do list[i] = rng:int(-size, size) end
  return list
end

function whole.rectangle(rng, size)
  local x, y, w, h = rng:int(-size, size), rng:int(-size, size), rng:int(size), rng:int(size)
  return collide.rectangle(x, y, w, h), solid.rectangle(x, y, w, h)
end

function whole.segment(rng, size)
  local p = points(rng, 2, size)
  if p[1] == p[3] and p[2] == p[4] then p[1] = p[1] + 1 end
  p.r = 0
  return collide.segment(p[1], p[2], p[3], p[4]), { p }
end

local function wholePolygon(rng, size, least, most, convex)
  while true do
    local ring = points(rng, rng:int(least, most), size)
    local ok, shape = pcall(collide.polygon, ring)
    if ok and (#shape:parts() == 1) == convex then return shape, { filled(ring) } end
  end
end

function whole.polygon(rng, size) return wholePolygon(rng, size, 3, 4, true) end
function whole.concave(rng, size) return wholePolygon(rng, size, 4, 6, false) end

function whole.chain(rng, size)
  while true do
    local list, closed = points(rng, rng:int(3, 5), size), rng:chance(0.5)
    local ok, shape = pcall(collide.chain, list, closed)
    list.closed, list.r = closed, 0
    if ok then return shape, { list } end
  end
end

--- The kinds that have corners; and a shape of such a kind with integer coordinates up to `size`,
--- so that two of them often only touch, and its solid.
M.SHARP = { "rectangle", "segment", "polygon", "concave", "chain" }
function M.whole(rng, kind, size)
  return whole[kind](rng, size)
end

--- A placed table { shape =, x =, y =, angle =, solid = } at random, up to `far` from 0, 0.
function M.placed(rng, shape, body, far)
  local p = { shape = shape, x = rng:float(-far, far), y = rng:float(-far, far) }
  if rng:chance(0.8) then p.angle = rng:float(-4, 4) end
  if body then p.solid = solid.placed(body, p.x, p.y, p.angle) end
  return p
end

--- The same shape elsewhere.
function M.moved(p, dx, dy)
  return { shape = p.shape, x = p.x + dx, y = p.y + dy, angle = p.angle }
end

return M
