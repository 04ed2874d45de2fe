-- Where games spend their time: moves that hit, functions that decide about them, characters, the
-- first query after a step, actors that cannot be freed, crowds that push, films. In microseconds
-- per move, query or frame. Each case runs in a process of its own, so that the traces of one do
-- not affect another.
--   lua main.lua CASE
-- If BUMP names a copy of bump.lua, it takes part.

local boxes = require "boxes"
local collide = require "collide"
local films = require "collide.film"
local level = require "level"
local turns = require "turns"

local MOVERS, MANY = { 200, 1000 }, { 100, 200, 500, 1000, 2000 }

local lua = rawget(_G, "jit") and "LuaJIT" or _VERSION

-- Walkers ------------------------------------------------------------------------

local function addTiles(world)
  local grid = collide.newGrid(level.WIDTH, level.HEIGHT, { cell = level.CELL })
  level.eachWall(function(x, y) grid:set(x, y, 1) end)
  world:add { x = 0, y = 0, shape = collide.tiles(grid), static = true, group = "wall" }
end

local function addWalls(world)
  local shape = collide.rectangle(level.CELL, level.CELL)
  level.eachWall(function(x, y)
    world:add { x = x * level.CELL, y = y * level.CELL, shape = shape, static = true,
      group = "wall" }
  end)
end

local W, H = level.W, level.H
local SHAPES = {
  boxes = collide.rectangle(W, H),
  circles = collide.circle(W / 2, H / 2, W / 2),
  capsules = collide.capsule(W / 2, W / 2, W / 2, H - W / 2, W / 2),
}

local function byHand(count)
  local list = level.newWalkers(count)
  return function()
    local found = 0
    for i = 1, count do found = found + level.moveByHand(list[i]) end
    return found
  end
end

local function newWorld(addLevel, count, shape)
  local world, list = collide.newWorld(), level.newWalkers(count)
  addLevel(world)
  for _, m in ipairs(list) do
    m.shape, m.group = shape, "walker"
    world:add(m)
  end
  return world, list
end

-- With `fills`, all moves fill one list.
local function byWorld(addLevel, count, shape, filter, response, fills)
  local world, list = newWorld(addLevel, count, shape)
  local into = fills and {} or nil
  return function()
    local found = 0
    for i = 1, count do
      local m = list[i]
      local dx, dy = level.fall(m)
      local _, _, hits, n = world:move(m, dx, dy, filter, response, into)
      for k = 1, n do level.meet(m, hits[k].nx, hits[k].ny) end
      found = found + n
    end
    return found
  end
end

local function byCharacter(addLevel, count, shape)
  local world, list = newWorld(addLevel, count, shape)
  local characters = {}
  for i, m in ipairs(list) do characters[i] = world:newCharacter(m, { filter = "wall" }) end
  return function()
    local found = 0
    for i = 1, count do
      local m, character = list[i], characters[i]
      level.fall(m)
      local _, vy = character:move(m.vx, m.vy, level.DT)
      m.vy = vy
      if character.wall then level.meet(m, character.wallNx, character.wallNy) end
      found = found + character.n
    end
    return found
  end
end

local function slideAtWalls(_, other)
  return other.isWall and "slide" or nil
end

local function byBump(bump, count)
  local world, list = bump.newWorld(2 * level.CELL), level.newWalkers(count)
  local cell = level.CELL
  level.eachWall(function(x, y)
    world:add({ isWall = true }, x * cell, y * cell, cell, cell)
  end)
  for _, m in ipairs(list) do world:add(m, m.x, m.y, W, H) end
  return function()
    local found = 0
    for i = 1, count do
      local m = list[i]
      local dx, dy = level.fall(m)
      local x, y, cols, n = world:move(m, m.x + dx, m.y + dy, slideAtWalls)
      m.x, m.y = x, y
      for k = 1, n do level.meet(m, cols[k].normal.x, cols[k].normal.y) end
      found = found + n
    end
    return found
  end
end

-- Runs contenders, { name, frame }, that make `count` moves a frame, and prints a row for each: the
-- time of a move, and what a move has found.
local function compare(case, count, contenders)
  local tasks = {}
  for i, one in ipairs(contenders) do
    local frame, task = one[2], { name = one[1], found = 0, frames = 0 }
    function task.frame()
      task.found, task.frames = task.found + (frame() or 0), task.frames + 1
    end
    tasks[i] = task
  end
  turns.run(tasks)
  for _, task in ipairs(tasks) do
    turns.row(("%s %s"):format(case, lua), task.name, count, task.time / count * 1e6, "us",
      tasks[1].time / count * 1e6, task.found / task.frames / count)
  end
end

local cases = {}

function cases.boxes()
  local path = os.getenv "BUMP"
  for _, count in ipairs(MANY) do
    local contenders = {
      { "by hand", byHand(count) },
      { "tiles", byWorld(addTiles, count, SHAPES.boxes, "wall") },
      { "a wall each", byWorld(addWalls, count, SHAPES.boxes, "wall") },
      { "collide.bump", byBump(require "collide.bump", count) },
    }
    if path then contenders[5] = { "bump.lua", byBump(dofile(path), count) } end
    compare("walkers", count, contenders)
  end
end

local function others(shape)
  for _, count in ipairs(MOVERS) do
    compare("walkers: " .. shape, count, {
      { "tiles", byWorld(addTiles, count, SHAPES[shape], "wall") },
      { "a wall each", byWorld(addWalls, count, SHAPES[shape], "wall") },
    })
  end
end

-- The cost of a separate list for each move.
function cases.lists()
  compare("walkers: hits", 1000, {
    { "in lists of their own", byWorld(addTiles, 1000, SHAPES.boxes, "wall") },
    { "in one list", byWorld(addTiles, 1000, SHAPES.boxes, "wall", nil, true) },
  })
end

function cases.circles() others "circles" end
function cases.capsules() others "capsules" end

-- Functions that let walkers pass each other, as the filter "wall" does.
local function isWall(actor) return actor.group == "wall" end
local function slide(_, other) return other.group == "wall" and "slide" or nil end

function cases.functions()
  for _, count in ipairs(MOVERS) do
    compare("walkers: functions", count, {
      { "a group", byWorld(addTiles, count, SHAPES.boxes, "wall") },
      { "a filter", byWorld(addTiles, count, SHAPES.boxes, isWall) },
      { "a response", byWorld(addTiles, count, SHAPES.boxes, "wall", slide) },
      { "walls: a group", byWorld(addWalls, count, SHAPES.boxes, "wall") },
      { "walls: a filter", byWorld(addWalls, count, SHAPES.boxes, isWall) },
      { "walls: a response", byWorld(addWalls, count, SHAPES.boxes, "wall", slide) },
    })
  end
end

function cases.characters()
  for _, count in ipairs(MOVERS) do
    compare("characters", count, {
      { "tiles", byCharacter(addTiles, count, SHAPES.boxes) },
      { "a wall each", byCharacter(addWalls, count, SHAPES.boxes) },
      { "capsules on tiles", byCharacter(addTiles, count, SHAPES.capsules) },
    })
  end
end

-- Crushed, pushed, saved ---------------------------------------------------------

-- Actors in the middle of a block that is too large to leave. If `stirs`, something near each of
-- them moves before it does.
local function byCrushed(count, shape, stirs)
  local world, list, neighbours = collide.newWorld(), {}, {}
  local block, small = collide.rectangle(200, 200), collide.rectangle(2, 2)
  for i = 1, count do
    world:add { x = 300 * i, y = 0, shape = block, static = true }
    list[i] = world:add { x = 300 * i + 100, y = 90, shape = shape }
    neighbours[i] = world:add { x = 300 * i + 110, y = 105, shape = small }
  end
  world:step()
  local side = 1
  return function()
    local found = 0
    side = -side
    for i = 1, count do
      if stirs then world:teleport(neighbours[i], 300 * i + 110 + side, 105) end
      local _, _, _, n = world:move(list[i], 1, 1)
      found = found + n
    end
    return found
  end
end

function cases.crushed()
  compare("crushed", 20, {
    { "a box", byCrushed(20, SHAPES.boxes) },
    { "a circle", byCrushed(20, SHAPES.circles) },
    { "a box beside a moved one", byCrushed(20, SHAPES.boxes, true) },
    { "a circle beside a moved one", byCrushed(20, SHAPES.circles, true) },
  })
end

-- A crowd in a pen, in which each walker pushes the others out of its way.
local function byCrowd(count, shape)
  local world, list, side = collide.newWorld(), level.newWalkers(count), 24 * math.sqrt(count)
  for _, w in ipairs { { -9, -9, side + 18, 9 }, { -9, side, side + 18, 9 }, { -9, 0, 9, side },
    { side, 0, 9, side } } do
    world:add { x = w[1], y = w[2], shape = collide.rectangle(w[3], w[4]), static = true }
  end
  local columns = math.ceil(math.sqrt(count))
  for i, m in ipairs(list) do
    m.x, m.y = (i - 1) % columns * 20 + 4, math.floor((i - 1) / columns) * 20 + 4
    m.vy, m.shape = (i % 2 == 0 and -1 or 1) * 40, shape
    world:add(m)
  end
  return function()
    local found = 0
    for i = 1, count do
      local m = list[i]
      local _, _, hits, n = world:move(m, m.vx * level.DT, m.vy * level.DT, nil, "push")
      for k = 1, n do
        local hit = hits[k]
        if hit.nx * m.vx < 0 then m.vx = -m.vx end
        if hit.ny * m.vy < 0 then m.vy = -m.vy end
      end
      found = found + n
    end
    return found
  end
end

function cases.crowd()
  for _, count in ipairs(MOVERS) do
    compare("crowd that pushes", count, {
      { "boxes", byCrowd(count, SHAPES.boxes) },
      { "circles", byCrowd(count, SHAPES.circles) },
    })
  end
end

-- A step of a world alone, with a snapshot after it, and filmed.
function cases.films()
  local count, frames = 1000, 60
  local function stepping(takes, records)
    local world, list = newWorld(addTiles, count, SHAPES.boxes)
    local ring, frame = {}, 0
    if records then films.new(world, { frames = frames }) end
    return function()
      for i = 1, count do list[i].x = list[i].x + list[i].vx * level.DT end
      world:step()
      frame = frame % frames + 1
      if takes then ring[frame] = world:snapshot(nil, ring[frame]) end
    end
  end
  compare("an actor's share of a step", count, {
    { "alone", stepping(false, false) },
    { "with a snapshot", stepping(true, false) },
    { "filmed", stepping(false, true) },
  })
end

-- The swarm's frame, which looks for a forgotten refresh in all, some or none of the boxes.
function cases.strict()
  local count = 1000
  local function frame(strict)
    local side = boxes.side(count)
    local world = collide.newWorld { width = side, height = side, strict = strict }
    local shape = collide.rectangle(boxes.SIZE, boxes.SIZE)
    for _, box in ipairs(boxes.list(count)) do
      box.shape = shape
      world:add(box)
    end
    return function() world:update(boxes.DT) end
  end
  compare("a box of the swarm by strict", count, {
    { "false", frame(false) },
    { "nil", frame(nil) },
    { "true", frame(true) },
  })
end

-- Questions ----------------------------------------------------------------------

local function median(list)
  table.sort(list)
  return list[math.floor(#list / 2) + 1]
end

-- Asks after steps of moving circles: one question, and many.
local function ask(case, ray)
  local count, frames = 10000, 100
  local world, list, shape = collide.newWorld(), {}, collide.circle(3)
  local side, seed = 20 * math.sqrt(count), 1
  local function uniform(most)
    seed = seed * 48271 % 2147483647
    return most * (seed / 2147483647)
  end
  for i = 1, count do
    list[i] = world:add { x = uniform(side), y = uniform(side), vx = uniform(2) - 1,
      vy = uniform(2) - 1, shape = shape }
  end
  local function question()
    local x, y = side / 2, side / 2
    if ray then return world:rayCast(x, y, x + 100, y + 30) end
    return world:queryPoint(x, y)
  end
  -- The median time of a question, with this many questions after each step.
  local function timed(questions)
    local times = {}
    for frame = 1, frames do
      for i = 1, count do
        local m = list[i]
        m.x, m.y = m.x + m.vx, m.y + m.vy
      end
      world:step()
      local start = os.clock()
      for _ = 1, questions do question() end
      times[frame] = (os.clock() - start) / questions
    end
    return median(times)
  end
  local name = ("%s %s"):format(case, lua)
  turns.row(name, "the only one after a step", count, timed(1) * 1e6, "us")
  turns.row(name, "one of 1000", count, timed(1000) * 1e6, "us")
end

function cases.questions()
  ask("a ray", true)
  ask("a point", false)
end

turns.header()
cases[arg[1]]()
