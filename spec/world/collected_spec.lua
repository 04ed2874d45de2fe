-- Finalisers can reach objects that have already been collected, during a program and at its end.
-- All calls of such an object raise, and nothing crashes. The classes and methods come from the
-- library itself.
local script = require "spec.support.script"

-- Objects that are created last are collected first, so the object whose finaliser calls all others
-- is created first.
local PROGRAM = [[
local collide = require "collide"
local unpack = table.unpack or unpack
local proxy = rawget(_G, "newproxy")

-- Under LuaJIT the core of a world is collected one cycle after the world, so a finaliser may still
-- find it alive, but not at the end of the program.
local late = {}

local function useAll(calls)
  for _, call in ipairs(calls) do
    local name, method, args = call[1], call[2], call[3]
    local class = name:match "%w+"
    local alive = COLLECTING and late[class] and pcall(late[class].count, late[class])
    local ok = not alive and pcall(method, unpack(args, 1, #args))
    if ok then print(name .. " with " .. #args - 1 .. " arguments has not raised") end
  end
  print(#calls > 1000 and "done" or #calls)
end

local function newHolder(calls)
  local function collected() useAll(calls) end
  if not proxy then return setmetatable({}, { __gc = collected }) end
  local holder = proxy(true)
  getmetatable(holder).__gc = collected
  return holder
end

local function methodsOf(object)
  local class, found = debug.getmetatable(object), {}
  assert(type(class.__index) == "table")
  for name, method in pairs(class.__index) do
    if type(method) == "function" then found[name] = method end
  end
  if type(object) == "table" then found.__tostring = class.__tostring end
  found.__gc = nil
  return found
end

local function fill(calls)
  local world = collide.newWorld()
  local actor = world:add { x = 0, y = 0, shape = collide.circle(5) }
  local pool = world:newBullets { capacity = 9, radius = 1 }
  pool:spawn(0, 0, 1, 1)
  world:step()
  local shape, grid = collide.rectangle(1, 2), collide.newGrid(4, 4)
  local points = { points = { 0, 0, 1, 1 }, width = 1 }
  local objects = {
    shape = shape, grid = grid, bitmap = collide.newBitmap(8, 8), world = world, pool = pool,
    core = world._core, tiles = collide.tiles(grid), grid3 = collide.newGrid(2, 2, 2),
    conservative = collide.newBitmap(8, 8, { mode = "conservative" }),
    compound = collide.compound(shape, collide.circle(1)),
  }
  local ARGUMENTS = {
    {}, { 1 }, { 1, 1 }, { 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1 },
    { 1, 1, 1, 1, 1, 1, 1 }, { actor }, { actor, actor }, { actor, 1, 1 }, { {} }, { 1, {} },
    { { 1 }, { 1 }, 1 }, { "a", "b", true }, { points }, { { capacity = 1, radius = 1 } },
    { print }, { ("x"):rep(16) }, { ("x"):rep(8) },
    { { x = 9, y = 9, shape = collide.circle(1) } },
  }
  late.world, late.pool, late.core = world, world, world
  for class, object in pairs(objects) do
    for name, method in pairs(methodsOf(object)) do
      for _, args in ipairs(ARGUMENTS) do
        calls[#calls + 1] = { class .. ":" .. name, method, { object, unpack(args) } }
      end
    end
  end
end

do
  local calls = {}
  HOLDER = newHolder(calls)
  fill(calls)
end
]]

describe("collected objects refuse every method", function()
  it("in a finaliser", function()
    local collect = "HOLDER, COLLECTING = nil, true; collectgarbage() collectgarbage()"
    assert.equal("done\n", script.run(PROGRAM .. collect))
  end)

  it("at the end of the program", function()
    assert.equal("done\n", script.run(PROGRAM, true))
  end)

  it("at the end of the program, where a finaliser resumes a step", function()
    local said = script.run([[
      local collide = require "collide"
      local proxy = rawget(_G, "newproxy")
      local thread
      local function resume()
        print(coroutine.status(thread), (coroutine.resume(thread)))
        print "done"
      end
      HOLDER = proxy and proxy(true) or setmetatable({}, { __gc = resume })
      if proxy then getmetatable(HOLDER).__gc = resume end
      local world = collide.newWorld()
      for i = 1, 3000 do
        world:add { x = i % 50, y = 0, shape = collide.circle(5),
          hit = function() coroutine.yield() end }
      end
      thread = coroutine.create(function() world:step() end)
      assert(coroutine.resume(thread))
    ]])
    assert.matches("^suspended\t%a+\ndone\n$", said)
  end)

  it("at the end of the program, in a finaliser that is older than the library", function()
    local older = [[
      local f = function() end
      local proxy = rawget(_G, "newproxy")
      OLD = proxy and proxy(true) or {}
      if proxy then getmetatable(OLD).__gc = function() f() end end
      setmetatable(proxy and {} or OLD, { __gc = function() f() end })
      local collide = require "collide"
      f = function() collide.rectangle(1, 2):centered() print "done" end
    ]]
    assert.equal("done\n", script.run(older, true))
  end)
end)
