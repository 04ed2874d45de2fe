-- collide.tiled on random maps, compared with their data point by point.
local maps = require "spec.support.tiledmaps"
local random = require "spec.support.random"
local tiled = require "collide.tiled"

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

-- Convex shapes of tiles in pixels, with their corners clockwise.
local LOOKS = {
  { 0, 16, 16, 0, 16, 16 }, { 0, 16, 16, 8, 16, 16 }, { 0, 8, 16, 0, 16, 16, 0, 16 },
  { 3, 2, 14, 5, 11, 16, 1, 9 }, { 0, 0, 16, 0, 16, 5, 0, 5 },
}

local function inside(points, x, y)
  local n = #points
  for i = 1, n, 2 do
    local k = (i + 1) % n + 1
    local x1, y1, x2, y2 = points[i], points[i + 1], points[k], points[k + 1]
    if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) < 0 then return false end
  end
  return true
end

local function polygonOf(points, angle, x, y)
  local corners = {}
  for i = 1, #points, 2 do
    corners[#corners + 1] = { x = points[i] - x, y = points[i + 1] - y }
  end
  return maps.object { shape = "polygon", x = x, y = y, rotation = angle, polygon = corners }
end

-- Whether a pixel of a cell with a tile is solid: undoes the flips, the last one first.
local function solid(gid, x, y)
  if gid >= FLIP_X then gid, x = gid - FLIP_X, 16 - x end
  if gid >= FLIP_Y then gid, y = gid - FLIP_Y, 16 - y end
  if gid >= FLIP_DIAGONAL then gid, x, y = gid - FLIP_DIAGONAL, y, x end
  return gid > 0 and (not LOOKS[gid] or inside(LOOKS[gid], x, y))
end

local function randomGid(r)
  if r:chance(0.4) then return 0 end
  return r:int(#LOOKS + 2) + (r:chance(0.4) and FLIP_X or 0) + (r:chance(0.4) and FLIP_Y or 0)
    + (r:chance(0.4) and FLIP_DIAGONAL or 0)
end

-- A layer of w × h cells that begins at column `left` and row `top`; in chunks if it is infinite.
local function randomLayer(r, cells, left, top, w, h, isInfinite)
  local layer = maps.tiles({}, { width = w, height = h, offsetx = r:int(-40, 40),
    offsety = r:int(-40, 40) })
  local side = isInfinite and r:int(1, 4) or math.max(w, h)
  local chunks = {}
  for y = 0, h - 1, side do
    for x = 0, w - 1, side do
      local chunk = { x = left + x, y = top + y, width = math.min(side, w - x),
        height = math.min(side, h - y), data = {} }
      for row = y, y + chunk.height - 1 do
        for column = x, x + chunk.width - 1 do
          chunk.data[#chunk.data + 1] = cells[row * w + column + 1]
        end
      end
      chunks[#chunks + 1] = chunk
    end
  end
  if isInfinite then layer.chunks, layer.data = chunks, nil else layer.data = chunks[1].data end
  return layer
end

describe("a random map of Tiled", function()
  local seed = random.seed()
  it(("is solid where its data is, from seed %d on"):format(seed), function()
    local shapes = {}
    for id, points in ipairs(LOOKS) do shapes[id - 1] = { polygonOf(points, 0, 0, 0) } end
    for round = 1, random.rounds(12) do
      local r = random.new(seed + round)
      local isInfinite = r:chance(0.5)
      local w, h = r:int(1, 9), r:int(1, 7)
      local left, top = isInfinite and r:int(-6, 6) or 0, isInfinite and r:int(-6, 6) or 0
      local cells = {}
      for i = 1, w * h do cells[i] = randomGid(r) end
      local layer = randomLayer(r, cells, left, top, w, h, isInfinite)
      local map = tiled.load(maps.map({ layer }, { tilesets = { maps.tileset(shapes) } }))
      assert.equal(left * 16, isInfinite and map.x or 0)
      for _ = 1, 60 do
        local x, y = r:float(-8, w * 16 + 8), r:float(-8, h * 16 + 8)
        local column, row = math.floor(x / 16), math.floor(y / 16)
        local isIn = column >= 0 and row >= 0 and column < w and row < h
        local want = isIn and solid(cells[row * w + column + 1], x % 16, y % 16) or false
        local got = #map.world:queryPoint(x + left * 16 + layer.offsetx,
          y + top * 16 + layer.offsety) == 1
        assert.equal(want, got, ("seed %d: at %g, %g"):format(seed + round, x, y))
      end
    end
  end)

  it(("has its objects where Tiled draws them, from seed %d on"):format(seed), function()
    for round = 1, random.rounds(20) do
      local r = random.new(seed + round)
      local points = r:pick(LOOKS)
      local angle, x, y = r:int(-400, 400), r:float(-99, 99), r:float(-99, 99)
      local gid, w, h = r:int(1, #LOOKS), r:int(4, 40), r:int(4, 40)
      local isTile = r:chance(0.5)
      local given = isTile and maps.object { gid = gid, x = x, y = y, width = w, height = h,
        rotation = angle } or polygonOf(points, angle, x, y)
      if not isTile then
        for _, p in ipairs(given.polygon) do p.x, p.y = p.x + x, p.y + y end
      end
      local map = tiled.load(maps.map({ maps.objects { given } }, {
        tilesets = { maps.tileset { [gid - 1] = { polygonOf(LOOKS[gid], 0, 0, 0) } } } }))
      local s, c = math.sin(math.rad(angle)), math.cos(math.rad(angle))
      for _ = 1, 40 do
        local dx, dy = r:float(-40, 40), r:float(-40, 40)
        local u, v = c * dx + s * dy, c * dy - s * dx -- turned back
        local want
        if isTile then
          want = inside(LOOKS[gid], u * 16 / w, (v + h) * 16 / h)
        else
          want = inside(points, u, v)
        end
        assert.equal(want, #map.world:queryPoint(x + dx, y + dy) == 1,
          ("seed %d: at %g, %g"):format(seed + round, dx, dy))
      end
    end
  end)
end)
