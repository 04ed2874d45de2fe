-- Makes maps like those that Tiled exports for Lua; a spec gives only the parts that matter.
local M = {}

local function with(defaults, given)
  for key, value in pairs(given or {}) do defaults[key] = value end
  return defaults
end

--- A tileset of 16 x 16 tiles; `shapes` are its tiles' collision shapes, lists of objects by id.
function M.tileset(shapes, given)
  local tiles = {}
  for id, objects in pairs(shapes or {}) do
    tiles[#tiles + 1] = { id = id, objectGroup = { type = "objectgroup", objects = objects } }
  end
  return with({ name = "rocks", firstgid = 1, tilewidth = 16, tileheight = 16, tilecount = 1000,
    columns = 8, objectalignment = "unspecified", tileoffset = { x = 0, y = 0 }, tiles = tiles },
    given)
end

--- An object of a layer, or a tile's collision shape.
function M.object(given)
  return with({ id = 7, name = "", type = "", shape = "rectangle", x = 0, y = 0, width = 0,
    height = 0, rotation = 0, visible = true, properties = {} }, given)
end

--- A tile layer of rows of gids that collides.
function M.tiles(rows, given)
  local data = {}
  for _, row in ipairs(rows) do
    for _, gid in ipairs(row) do data[#data + 1] = gid end
  end
  return with({ type = "tilelayer", name = "ground", x = 0, y = 0, width = #(rows[1] or {}),
    height = #rows, visible = true, opacity = 1, offsetx = 0, offsety = 0, encoding = "lua",
    properties = { collidable = true }, data = data }, given)
end

--- A layer of objects that collide.
function M.objects(objects, given)
  return with({ type = "objectgroup", name = "things", visible = true, opacity = 1, offsetx = 0,
    offsety = 0, draworder = "topdown", properties = { collidable = true }, objects = objects },
    given)
end

--- A map of layers.
function M.map(layers, given)
  return with({ version = "1.5", orientation = "orthogonal", width = 10, height = 8, tilewidth = 16,
    tileheight = 16, properties = {}, tilesets = { M.tileset() }, layers = layers }, given)
end

return M
