-- Makes the maps of spec/maps with Tiled's own exporter:
--   lua5.4 spec/tools/tiledmaps.lua
-- It needs Debian's packages tiled and gzip. It writes one map in each form that Tiled has.

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 0x80000000, 0x40000000, 0x20000000

local FOLDER = "spec/maps"
local PICTURE = "../../examples/game/tiles.png"

-- Tiles of a set: each has a class, properties and collision shapes.
local GROUND = [[
 <tile id="0"><properties><property name="collidable" type="bool" value="true"/></properties></tile>
 <tile id="1"><objectgroup><object id="1" x="0" y="16">
  <polygon points="0,0 16,-16 16,0"/></object></objectgroup></tile>
 <tile id="2" type="grass"><properties><property name="collidable" type="bool" value="false"/>
 </properties></tile>
 <tile id="3"><objectgroup><object id="1" x="0" y="10" width="16" height="6">
  <properties><property name="collidable" type="bool" value="true"/></properties></object>
  <object id="2" x="3" y="3"><point/></object></objectgroup></tile>
 <tile id="4" type="ice"><properties><property name="collidable" value="true"/>
  <property name="slip" type="float" value="0.5"/></properties></tile>
 <tile id="5"><objectgroup><object id="1" x="2" y="4" width="10" height="10">
  <ellipse/></object></objectgroup></tile>
 <tile id="6"><objectgroup><object id="1" x="-4" y="2" width="12" height="4" rotation="30"/>
 </objectgroup></tile>
 <tile id="7"><objectgroup><object id="1" width="16" height="4"/>
  <object id="2" width="4" height="16"/></objectgroup></tile>]]

-- Larger than a cell, and drawn beside it.
local TREES = [[
 <tileoffset x="-4" y="6"/>
 <tile id="0"><properties><property name="collidable" type="bool" value="true"/></properties>
  <objectgroup><object id="1" x="8" y="26" width="8" height="8"/></objectgroup></tile>
 <tile id="1"><properties><property name="collidable" type="bool" value="true"/></properties>
 </tile>]]

local function tileset(head, more, name, w, h, tiles)
  local offset = tiles:match "<tileoffset[^>]*>" or ""
  local columns, rows = math.floor(128 / w), math.floor(64 / h)
  return ('<tileset %s name="%s" tilewidth="%d" tileheight="%d" tilecount="%d" columns="%d">%s%s'
    .. '<image source="%s" width="128" height="64"/>%s</tileset>'):format(head, name, w, h,
    columns * rows, columns, more, offset, PICTURE, (tiles:gsub("<tileoffset[^>]*>", "")))
end

local OBJECTS = [[
 <objectgroup name="things" offsetx="3" offsety="-2">
  <object id="1" name="spawn" type="player" x="20" y="30"><point/></object>
  <object id="2" name="zone" type="area" x="10" y="20" width="40" height="30"/>
  <object id="3" name="click" x="70" y="20"/>
  <object id="4" name="wall" x="90" y="20" width="12" height="20" rotation="20">
   <properties><property name="collidable" type="bool" value="true"/></properties></object>
  <object id="5" name="hill" x="120" y="60"><properties><property name="collidable" value="true"/>
   </properties><polygon points="0,0 30,0 10,10 0,30"/></object>
  <object id="6" name="path" x="30" y="80"><polyline points="0,0 20,5 40,0"/></object>
  <object id="7" name="pond" x="60" y="70" width="30" height="16"><ellipse/></object>
  <object id="8" name="box" gid="4" x="100" y="120" width="16" height="16"/>
  <object id="9" name="mirrored" gid="2147483650" x="60" y="120" width="32" height="16"/>
  <object id="10" name="sign" x="5" y="5" width="50" height="12"><text>hello</text></object>
 </objectgroup>
 <objectgroup name="solid">
  <properties><property name="collidable" type="bool" value="true"/></properties>
  <object id="11" name="block" x="150" y="90" width="20" height="20"/>
  <object id="12" name="ghost" x="150" y="30" width="20" height="20">
   <properties><property name="collidable" type="bool" value="false"/></properties></object>
  <object id="13" name="mark" x="180" y="30"/>
  <object id="14" name="ball" x="170" y="60" width="14" height="14"><ellipse/></object>
 </objectgroup>]]

-- A layer of 12 x 9 cells: each tile in each of its eight orientations, and some trees.
local WIDTH, HEIGHT = 12, 9
local CELLS = {}
for id = 0, 7 do
  for turn = 0, 7 do
    CELLS[id * WIDTH + turn + 1] = id + 1 + (turn % 2 == 1 and FLIP_X or 0)
      + (turn % 4 >= 2 and FLIP_Y or 0) + (turn >= 4 and FLIP_DIAGONAL or 0)
  end
end
local TREE = 33
CELLS[3 * WIDTH + 10], CELLS[6 * WIDTH + 11] = TREE, TREE + 1
CELLS[8 * WIDTH + 11] = TREE + FLIP_X + FLIP_DIAGONAL
for i = 1, WIDTH * HEIGHT do CELLS[i] = CELLS[i] or 0 end

local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  assert(pipe:close(), command)
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local BYTES = os.tmpname()

-- Four bytes, the lowest first.
local function wordOf(n)
  local function byte(unit) return math.floor(n / unit) % 256 end
  return string.char(byte(1), byte(256), byte(65536), byte(16777216))
end

local function gzipped(bytes)
  write(BYTES, bytes)
  return output("gzip -nc9 " .. BYTES)
end

local function zlibbed(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return "\x78\xda" .. gzipped(bytes):sub(11, -9) .. wordOf(b * 65536 + a):reverse()
end

local function inBase64(bytes)
  write(BYTES, bytes)
  return output("base64 -w0 " .. BYTES)
end

local PACK = { gzip = gzipped, zlib = zlibbed }

-- Cells as the text of their element.
local function encoded(cells, encoding)
  if encoding == "csv" then return table.concat(cells, ",") end
  local bytes = {}
  for i, gid in ipairs(cells) do bytes[i] = wordOf(gid) end
  local all = table.concat(bytes)
  return inBase64(PACK[encoding] and PACK[encoding](all) or all)
end

local function data(encoding, isInfinite)
  local head = encoding == "csv" and 'encoding="csv"' or 'encoding="base64"'
  if PACK[encoding] then head = ('%s compression="%s"'):format(head, encoding) end
  if not isInfinite then return ("<data %s>%s</data>"):format(head, encoded(CELLS, encoding)) end
  local parts, side = {}, 16
  for left = -16, 0, side do
    local cells = {}
    for row = 0, side - 1 do
      for column = left, left + side - 1 do
        local x = column + 5 -- five columns lie left of 0
        local isIn = x >= 0 and x < WIDTH and row < HEIGHT
        cells[#cells + 1] = isIn and CELLS[row * WIDTH + x + 1] or 0
      end
    end
    parts[#parts + 1] = ('<chunk x="%d" y="0" width="16" height="16">%s</chunk>'):format(left,
      encoded(cells, encoding))
  end
  return ("<data %s>%s</data>"):format(head, table.concat(parts))
end

local function layer(name, properties, more, cells)
  return ('<layer name="%s" width="%d" height="%d" %s><properties>%s</properties>%s</layer>')
    :format(name, WIDTH, HEIGHT, more, properties, cells)
end

local MARK = '<property name="collidable" type="bool" value="true"/>'

local function map(form)
  local cells = data(form.encoding, form.isInfinite)
  local w, h = form.w or 16, form.h or 16
  local sets = tileset('firstgid="1"', "", "ground", 16, 16, GROUND)
    .. tileset('firstgid="33"', "", "trees", 24, 40, TREES)
  if form.isExternal then
    sets = '<tileset firstgid="1" source="ground.tsx"/>'
      .. '<tileset firstgid="33" source="trees.tsx"/>'
  end
  return ([[<?xml version="1.0" encoding="UTF-8"?>
<map version="1.8" orientation="orthogonal" renderorder="right-down" width="%d" height="%d"
 tilewidth="%d" tileheight="%d" infinite="%d">%s%s<group name="all" offsetx="7" offsety="5">%s
</group>%s</map>]]):format(WIDTH, HEIGHT, w, h,
    form.isInfinite and 1 or 0, sets, layer("deco", "", "", cells),
    layer("ground", MARK, 'offsetx="300"', cells), OBJECTS)
end

-- Tiled exports from its own files, which are beside the result meanwhile.
local function export(kind, path, ending, text)
  write(path .. ending, text)
  output(("QT_QPA_PLATFORM=offscreen tiled --export-%s lua %s%s %s.lua 2>/dev/null"):format(kind,
    path, ending, path))
end

output("mkdir -p " .. FOLDER)
for _, set in ipairs { { "ground", 16, 16, GROUND }, { "trees", 24, 40, TREES } } do
  local more = ('<editorsettings><export target="%s.lua" format="lua"/></editorsettings>')
    :format(set[1])
  export("tileset", FOLDER .. "/" .. set[1], ".tsx",
    tileset('version="1.8"', more, set[1], set[2], set[3], set[4]))
end
for name, form in pairs {
  csv = { encoding = "csv" }, base64 = { encoding = "base64" }, zlib = { encoding = "zlib" },
  gzip = { encoding = "gzip" }, wide = { encoding = "csv", w = 20, h = 12 },
  ["wide-gzip"] = { encoding = "gzip", w = 20, h = 12 },
  infinite = { encoding = "csv", isInfinite = true },
  ["infinite-base64"] = { encoding = "base64", isInfinite = true },
  ["infinite-zlib"] = { encoding = "zlib", isInfinite = true },
  external = { encoding = "zlib", isExternal = true },
} do
  export("map", FOLDER .. "/" .. name, ".tmx", map(form))
end
output(("rm %s/*.tmx %s/*.tsx %s"):format(FOLDER, FOLDER, BYTES))
