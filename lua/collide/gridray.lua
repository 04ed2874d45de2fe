-- collide.gridRay and gridRay3: the cells that a segment passes through, in order. The core finds
-- the cells in blocks; the iterators here return them one by one.

local core = require "collide.core"
local binding = require "collide.binding"
local check = require "collide.check"

---@class collide
local M = {}

local MAX = core.MAX_CELL
local COORDINATE = "finite number within ±2^50"

local OPTIONS = { corners = true }

local function coordinate(fn, name, v)
  if not (type(v) == "number" and v >= -MAX and v <= MAX) then
    core.checkDot(v, fn)
    check.fail(fn, name, COORDINATE, v)
  end
end

-- Checks the optional arguments. Returns whether only the diagonal cells of corners are wanted, and
-- the visitor.
local function checkMore(fn, takes, given, options, visit, ...)
  check.noMore(fn, takes, given + 2, ...)
  if check.isCallable(options) then
    if visit ~= nil then check.noMore(fn, takes, given + 1, visit) end
    options, visit = nil, options
  end
  if visit ~= nil and not check.isCallable(visit) then
    check.fail(fn, "visit", "function", visit)
  end
  if options == nil then return false, visit end
  check.table(fn, "options", options, 'table {corners = "all" or "diagonal"}, or a function')
  check.keys(fn, "option", options, OPTIONS)
  local corners = options.corners
  if corners ~= nil and corners ~= "all" and corners ~= "diagonal" then
    check.fail(fn, "corners", '"all" or "diagonal"', corners)
  end
  return corners == "diagonal", visit
end

-- Under LuaJIT, while its compiler is on, walks run through pointers to the core's functions and
-- blocks.
local jit = require "collide.ffi.frame"
local _, WalkPointer
if jit then
  _, WalkPointer = binding.struct("walk", {
    { "int32_t (*)(cll_walk *, int, int, double, double, double, double, double, double)", "set" },
    { "int32_t (*)(cll_walk *)", "fill" },
    { "const double *", "cells" },
    { "int32_t", "at", "stop" },
  })
end

-- Finished walks, to be used again, by dimension. Each use of a walk has a number, which is all
-- that scripts get: with the number of an earlier use, an iterator returns nil.
local idle = { [2] = {}, [3] = {} }

local function endWalk(walk)
  local list = idle[walk.dims]
  walk.use = walk.use + 1
  list[#list + 1] = walk
end

-- The iterators of walks. Scripts cannot reach the pointers in them.

local function flatIterator(walk, io)
  return function(use)
    if use ~= walk.use then return nil end
    if io.at == io.stop and io.fill(io) == 0 then return endWalk(walk) end
    local at = io.at
    io.at = at + 4
    local cell = io.cells + at
    return cell[0], cell[1], cell[2], cell[3]
  end
end

local function deepIterator(walk, io)
  return function(use)
    if use ~= walk.use then return nil end
    if io.at == io.stop and io.fill(io) == 0 then return endWalk(walk) end
    local at = io.at
    io.at = at + 5
    local cell = io.cells + at
    return cell[0], cell[1], cell[2], cell[3], cell[4]
  end
end

local function newWalk(dims)
  local io = binding.open(WalkPointer, core.gridWalk())
  local walk = { io = io, dims = dims, use = 1 }
  walk.iterate = (dims == 2 and flatIterator or deepIterator)(walk, io)
  return walk
end

local function startWalk(diagonal, dims, x1, y1, z1, x2, y2, z2)
  local list = idle[dims]
  local n = #list
  local walk = list[n]
  if walk then list[n] = nil else walk = newWalk(dims) end
  walk.io.set(walk.io, diagonal and 1 or 0, dims, x1, y1, z1, x2, y2, z2)
  return walk.iterate, walk.use, walk
end

-- The iterator and control value for a for loop over the cells; and the walk, if the caller has to
-- end it when it leaves the loop early.
local function flat(diagonal, x1, y1, x2, y2)
  if jit and jit.isOn() then
    return startWalk(diagonal, 2, x1, y1, 0, x2, y2, 0)
  end
  return core.gridCells(diagonal, x1, y1, x2, y2)
end

local function deep(diagonal, x1, y1, z1, x2, y2, z2)
  if jit and jit.isOn() then
    return startWalk(diagonal, 3, x1, y1, z1, x2, y2, z2)
  end
  return core.gridCells(diagonal, x1, y1, z1, x2, y2, z2)
end

---@class collide.GridRayOptions
---@field corners? "all"|"diagonal" which cells of a corner are reported; default "all"

--- Iterates over the cells that a segment passes through, in order:
---   for step, x, y, t in collide.gridRay(x1, y1, x2, y2) do
--- The cells at a corner share one step and t. With a function `visit(step, x, y, t)`, in place of
--- the options or after them, there is no loop: the function is called for each cell until it
--- returns true, and that cell is returned.
---@param x1 number in cells
---@param y1 number
---@param x2 number
---@param y2 number
---@param options? collide.GridRayOptions|collide.GridVisit
---@param visit? collide.GridVisit
---@return any ... an iterator; with a function, x and y of the cell where it returned true
function M.gridRay(x1, y1, x2, y2, options, visit, ...)
  local fn = "collide.gridRay"
  coordinate(fn, "x1", x1)
  coordinate(fn, "y1", y1)
  coordinate(fn, "x2", x2)
  coordinate(fn, "y2", y2)
  local diagonal
  diagonal, visit = checkMore(fn, "x1, y1, x2, y2, options and a function", 4, options, visit, ...)
  local iterate, use, walk = flat(diagonal, x1, y1, x2, y2)
  if not visit then return iterate, use end
  for step, x, y, t in iterate, use do
    if visit(step, x, y, t) then
      if walk and walk.use == use then endWalk(walk) end
      return x, y
    end
  end
end

--- As gridRay, in 3D: `for step, x, y, z, t in collide.gridRay3(x1, y1, z1, x2, y2, z2) do`.
---@param x1 number in cells
---@param y1 number
---@param z1 number
---@param x2 number
---@param y2 number
---@param z2 number
---@param options? collide.GridRayOptions|collide.GridVisit3
---@param visit? collide.GridVisit3
---@return any ...
function M.gridRay3(x1, y1, z1, x2, y2, z2, options, visit, ...)
  local fn = "collide.gridRay3"
  coordinate(fn, "x1", x1)
  coordinate(fn, "y1", y1)
  coordinate(fn, "z1", z1)
  coordinate(fn, "x2", x2)
  coordinate(fn, "y2", y2)
  coordinate(fn, "z2", z2)
  local diagonal
  diagonal, visit = checkMore(fn, "x1, y1, z1, x2, y2, z2, options and a function", 6, options,
    visit, ...)
  local iterate, use, walk = deep(diagonal, x1, y1, z1, x2, y2, z2)
  if not visit then return iterate, use end
  for step, x, y, z, t in iterate, use do
    if visit(step, x, y, z, t) then
      if walk and walk.use == use then endWalk(walk) end
      return x, y, z
    end
  end
end

return M
