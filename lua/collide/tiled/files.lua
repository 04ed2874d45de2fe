-- The sources of a map: finds the files of maps and tilesets, runs them, and unpacks the tiles of
-- layers.

local require = require "collide.relative"
local check = require "collide.check"
local files = require "collide.files"
local read = require "collide.tiled.read"

local M = {}

-- Files ---------------------------------------------------------------------------

-- A module of LÖVE, if the program runs in it.
local function moduleOfLove(name)
  local love = rawget(_G, "love")
  return type(love) == "table" and love[name] or nil
end

-- The text of the file that `require` would find for a path without its extension.
local function readModule(stem)
  for template in package.path:gmatch "[^;]+" do
    local text = files.read((template:gsub("%?", (stem:gsub("%%", "%%%%")))))
    if text then return text end
  end
end

-- Runs a file with an empty environment, since a map is data. In errors, `fn` says what is loaded.
local function run(fn, path, text)
  if text:byte() == 27 then
    check.raise(("%s: %s is compiled; a map is text"):format(fn, path))
  end
  local chunk, message
  if setfenv then
    chunk, message = loadstring(text, "@" .. path)
    if chunk then setfenv(chunk, {}) end
  else
    chunk, message = load(text, "@" .. path, "t", {})
  end
  if not chunk then
    local isLarge = message:find " constants$" or message:find "constant table overflow"
    check.raise(("%s: %s%s"):format(fn, message, isLarge and "; it has more objects than this Lua "
      .. "can load from one file; divide it into several maps" or ""))
  end
  local ok, result = pcall(chunk)
  if not ok then
    check.raise(("%s: %s; a map is data, and runs without Lua's functions"):format(fn,
      tostring(result)))
  end
  return result
end

-- The extensions of Tiled's own files, which are XML or JSON.
local OTHER_FORMATS = { tmx = true, tmj = true, json = true, xml = true, tsx = true, tsj = true }

-- The result of the file at a path. In LÖVE it may be in the game's archive; otherwise it is found
-- like a module, or by its path. A function in package.preload is called as it is.
local function resultOf(fn, arg, path)
  if OTHER_FORMATS[(path:match "%.(%w+)$" or ""):lower()] then
    check.fail(fn, arg, "file that Tiled exports for Lua", path,
      "in Tiled, use File > Export As > Lua files")
  end
  local stem = path:gsub("%.lua$", ""):gsub("^%./", "")
  local name = stem:gsub("[/\\]", ".")
  if package.preload[name] then return package.preload[name](name) end
  local filesystem = moduleOfLove "filesystem"
  local text = filesystem and filesystem.read(path) or readModule(stem) or files.read(path)
  if not text then
    local orTable = arg == "source" and "table, or the " or ""
    check.fail(fn, arg, orTable .. "name of a file that exists", path)
  end
  return run(fn, path, text)
end

--- Returns the map in a file: a table. `load`, if given, reads the path in place of the file; it
--- returns the table, or a function that returns it. Error messages name the path `arg`.
function M.load(fn, arg, path, load)
  local result, message
  if load then
    result, message = load(path)
    if type(result) ~= "table" and check.isCallable(result) then result = result() end
  else
    result = resultOf(fn, arg, path)
  end
  if type(result) ~= "table" then
    check.fail(fn, path, "table that Tiled exports", result,
      type(message) == "string" and message or nil)
  end
  return result
end

--- The path of a file whose name is relative to the folder of another.
function M.beside(path, name)
  name = name:gsub("\\", "/")
  if name:find "^/" or name:find "^%a:" then return name end
  local folder = path:gsub("\\", "/"):match "^(.*/)" or ""
  local parts = {}
  for part in (folder .. name):gmatch "[^/]+" do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return (folder:match "^/" or "") .. table.concat(parts, "/")
end

--- The table of a tileset in a file of its own, if that is a Lua file. Its name is relative to the
--- map's path.
function M.tileset(where, set, path, load)
  local name, arg = set.exportfilename, "exportfilename"
  if name == nil and type(set.filename) == "string" and set.filename:find "%.lua$" then
    name, arg = set.filename, "filename"
  end
  if name == nil then return nil end
  local fn = ("%s: %s"):format(read.FN, where)
  check.string(fn, arg, name)
  return M.load(fn, arg, M.beside(path, name), load)
end

-- Tiles ---------------------------------------------------------------------------

local DIGITS = {}
for i = 1, 64 do
  local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  DIGITS[digits:byte(i)] = i - 1
end

-- The bytes that a text in base64 stands for, or nil if it is not base64.
local function decoded(text)
  text = text:gsub("%s+", "")
  local padding = #text:match "=*$"
  if #text % 4 ~= 0 or padding > 2 then return nil end
  text = text:sub(1, #text - padding) .. ("A"):rep(padding)
  local bytes, floor, char = {}, math.floor, string.char
  for i = 1, #text, 4 do
    local a, b, c, d = text:byte(i, i + 3)
    a, b, c, d = DIGITS[a], DIGITS[b], DIGITS[c], DIGITS[d]
    if not (a and b and c and d) then return nil end
    local n = a * 262144 + b * 4096 + c * 64 + d
    bytes[#bytes + 1] = char(floor(n / 65536), floor(n / 256) % 256, n % 256)
  end
  local all = table.concat(bytes)
  return all:sub(1, #all - padding)
end

-- Where to choose another format of layers, for errors.
local FORMAT = "Tile Layer Format in the map's properties"

-- Decompresses bytes with love.data or the rock lua-zlib; nil if that fails.
local function inflated(where, packed)
  local data = moduleOfLove "data"
  local hasRock, rock = pcall(require, "zlib")
  if not (data or hasRock) then
    read.refuse(where, "its tiles are compressed, which takes love.data of LÖVE 11 or the rock "
      .. "lua-zlib; or choose CSV or Base64 (uncompressed) as " .. FORMAT)
  end
  local ok, bytes = pcall(function()
    local format = packed:byte() == 31 and "gzip" or "zlib"
    if data then return data.decompress("string", format, packed) end
    return (rock.inflate()(packed))
  end)
  return ok and bytes or nil
end

-- Bytes are unpacked only if there are no more than `size` incompressible bytes would take: then
-- the result is at most about a thousand times as large.
local function unpacked(where, packed, compression, size)
  if compression == "zstd" then
    read.refuse(where, "its tiles are compressed by zstd; choose zlib or gzip as " .. FORMAT)
  elseif compression ~= "zlib" and compression ~= "gzip" then
    read.fail(where, "compression", '"zlib" or "gzip"', compression)
  end
  local bytes = #packed <= size + size / 100 + 100 and inflated(where, packed)
  return bytes or read.refuse(where, ("its data is damaged: it cannot be unpacked by %s; export "
    .. "the map again"):format(compression))
end

-- The tile numbers in a text with four bytes for each.
local function fromText(where, source, text, count)
  local bytes = decoded(text)
  if not bytes then read.fail(where, "data", "text in base64", text) end
  local compression = source.compression
  if compression ~= nil and compression ~= "" then
    bytes = unpacked(where, bytes, compression, 4 * count)
  end
  if #bytes ~= 4 * count then
    read.fail(where, "data", ("text of %.0f tiles"):format(count), #bytes / 4)
  end
  local gids = {}
  for i = 1, count do
    local a, b, c, d = bytes:byte(4 * i - 3, 4 * i)
    gids[i] = a + b * 256 + c * 65536 + d * 16777216
  end
  return gids
end

--- The single piece of a layer that is not in chunks.
function M.piece(where, source)
  return { x = 0, y = 0, w = read.count(where, source, "width", 1),
    h = read.count(where, source, "height", 1), data = source.data }
end

--- The chunks of a layer in an infinite map. Places and sizes are in cells.
function M.chunks(where, source)
  local chunks = {}
  for i, chunk in ipairs(read.tables(where, source, "chunks")) do
    local at = ("%s, chunk %d"):format(where, i)
    local x, y = read.whole(at, chunk, "x"), read.whole(at, chunk, "y")
    chunks[i] = M.piece(at, chunk)
    chunks[i].x, chunks[i].y = x, y
  end
  return chunks
end

--- The numbers of the tiles in a piece of a layer, row by row.
function M.gids(where, source, piece)
  local data, count = piece.data, piece.w * piece.h
  if source.encoding == "base64" and type(data) == "string" then
    return fromText(where, source, data, count)
  elseif type(data) ~= "table" then
    read.fail(where, "data", "list of tiles", data)
  elseif #data ~= count then
    read.fail(where, "data", ("list of %d x %d tiles"):format(piece.w, piece.h), #data)
  end
  return data
end

return M
