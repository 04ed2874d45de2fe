---@meta
-- The types that collide.tiled takes and returns, for language servers; nothing loads this file.

---@class collide.tiled.Options
---@field world? collide.World to which the actors are added; default: a new one of the map's size
---@field make? collide.tiled.Make
---@field load? collide.tiled.Loader

--- Called with each actor before it is added, and with its object or tile as Tiled exports it.
--- Returns the table to add, or nil or false to add none.
---@alias collide.tiled.Make fun(actor: collide.tiled.Actor, source: table, layer: collide.tiled.Layer): collide.Actor|false?

--- Loads a map's file: returns the map's table, or a function that returns it.
---@alias collide.tiled.Loader fun(path: string): any

--- A layer of a map.
---@class collide.tiled.Layer
---@field name string?
---@field type "tilelayer"|"objectgroup"|"imagelayer"|"group"
---@field class string?
---@field properties table<string, any>
---@field x number its offset in pixels, plus the offsets of the groups that it is in
---@field y number
---@field visible boolean whether it and the groups that it is in are visible
---@field actors collide.Actor[] the actors made of it
---@field source table the layer as Tiled exports it

--- A tile of a tileset in one of its eight orientations.
---@class collide.tiled.Tile
---@field gid integer its number in the map, with the bits for flips
---@field id integer its number in the tileset, from 0
---@field tileset table as Tiled exports it
---@field type string?
---@field properties table<string, any>
---@field flipX boolean
---@field flipY boolean
---@field flipDiagonal boolean x and y are swapped, before the other flips
---@field width number in pixels, not flipped
---@field height number
---@field shape collide.Shape? its shape in a cell of side 1; nil if it fills the cell

--- An actor made of a layer or an object.
---@class collide.tiled.Actor: collide.Actor
---@field type string? the class of the object, its tile or the layer
---@field properties table<string, any>
---@field layer collide.tiled.Layer
---@field object table? for an object: the object as Tiled exports it
---@field tile collide.tiled.Tile? for a tile object
---@field width number? for an object: in pixels, before it is rotated
---@field height number?
---@field grid collide.Grid? for a tile layer
---@field tiles collide.tiled.Tile[]? for a tile layer: by the value of a cell
