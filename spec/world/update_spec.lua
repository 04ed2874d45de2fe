-- world:update, advance and draw, which call a method of every actor once.
local collide = require "collide"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

describe("world:update", function()
  local world, log

  before_each(function()
    world = collide.newWorld { strict = false }
    log = {}
  end)

  local function put(name, update)
    return world:add { name = name, x = 0, y = 0, shape = box, update = function(...)
      log[#log + 1] = name
      if update then update(...) end
    end }
  end

  local function run()
    log = {}
    world:update(1)
    return table.concat(log, " ")
  end

  it("calls update in the order of adding, with dt and the world", function()
    local seen
    local a = put("a", function(...) seen = { ... } end)
    world:add { x = 50, y = 0, shape = box }
    put("b")
    assert.equal("a b", run())
    assert.equal(3, #seen)
    assert.equal(a, seen[1])
    assert.equal(1, seen[2])
    assert.equal(world, seen[3])
    assert.equal(0.5, (function() world:update(0.5) return seen[2] end)())
  end)

  it("steps after the updates, and sees their changes", function()
    local a = put("a", function(self) self.x = self.x + 8 end)
    local b = put("b", function(self) self.x = self.x + 50 end)
    local c = put("c", function(self) self.x = self.x + 15 end)
    function a.hit() log[#log + 1] = "a:hit" end
    function b.hit() log[#log + 1] = "b:hit" end
    function c.hit() log[#log + 1] = "c:hit" end
    assert.equal("a b c a:hit c:hit", run())
  end)

  it("accepts a dt of 0", function()
    put("a")
    world:update(0)
    assert.equal(1, #log)
  end)

  it("refuses to go back in time, and updates no actors then", function()
    put("a")
    expect.raises("world:update: dt expected (finite number of seconds, 0 or more), got -0.1",
      world.update, world, -0.1)
    assert.equal(0, #log)
  end)

  it("includes an actor added meanwhile in the step, and updates it in the next", function()
    local hits = 0
    local late = { x = 0, y = 0, shape = box, update = function() log[#log + 1] = "late" end,
      hit = function() hits = hits + 1 end }
    put("a", function() if not world:has(late) then world:add(late) end end)
    put("b")
    assert.equal("a b", run())
    assert.equal(2, hits)
    assert.equal("a b late", run())
  end)

  it("does the same after a restore, even if slots move meanwhile", function()
    local again, walls = nil, {}
    for i = 1, 100 do walls[i] = world:add { x = i, y = 0, shape = box } end
    put("first", function()
      if again then again() end
      again = nil
    end)
    local second = put "second"
    local snapshot = world:snapshot()
    world:remove(second)
    world:restore(snapshot)
    put "third"
    function again()
      for i = 1, 100 do world:remove(walls[i]) end
      put "late"
      world:step()
      world:step()
    end
    assert.equal("first second third", run())
    assert.equal("first second third late", run())
  end)

  it("neither updates nor steps an actor removed meanwhile", function()
    local b
    put("a", function() world:remove(b) end)
    b = put("b")
    function b.hit() log[#log + 1] = "b:hit" end
    put("c")
    assert.equal("a c", run())
    assert.equal("a c", run())
  end)

  it("continues if an actor removes itself", function()
    put("a", function(self) world:remove(self) end)
    put("b")
    assert.equal("a b", run())
    assert.equal("b", run())
  end)

  it("treats an actor removed and added again meanwhile as new", function()
    local b
    put("a", function()
      world:remove(b)
      world:add(b)
    end)
    b = put("b")
    put("c")
    assert.equal("a c", run())
    assert.equal(3, world:count())
  end)

  it("updates the others once if many are removed and an inner step moves slots", function()
    local list = {}
    for i = 1, 200 do
      list[i] = put(i, function()
        if i == 50 then
          for k = 1, 150 do world:remove(list[k]) end
          for k = 1, 20 do world:add(list[k]) end
          world:step()
        end
      end)
      list[i].x = i * 20
    end
    run()
    assert.equal(100, #log)
    for i = 1, 100 do assert.equal(i <= 50 and i or i + 100, log[i]) end
    run()
    assert.equal(70, #log)
    assert.same({ 151, 200, 1, 20 }, { log[1], log[50], log[51], log[70] })
  end)

  for _, name in ipairs { "update", "advance" } do
    it("and " .. name .. " refuse to run inside themselves, and work again after that", function()
      local a = put("a", function() world[name](world, 1) end)
      local says = ('world:%s: this world is updating actor 1 "a" (at 0, 0); update it afterwards')
        :format(name)
      for _ = 1, 2 do
        local message = expect.raises(says, world.update, world, 1)
        assert.matches("update_spec.lua:%d+: world:" .. name, message)
      end
      log, a.update = {}, nil
      put("b")
      assert.equal("b", run())
    end)
  end

  it("runs in a callback of a step, and in the update of another world's actor", function()
    local other = collide.newWorld()
    other:add { x = 0, y = 0, shape = box, update = function() world:update(1) end }
    local calls = 0
    put("a").enter = function()
      calls = calls + 1
      world:update(1)
    end
    put("b")
    log = {}
    other:update(1)
    assert.equal("a b a b", table.concat(log, " "))
    assert.equal(1, calls)
  end)

  it("runs after one that was ended by an error or never resumed", function()
    local stop = error
    put("a", function() if stop then stop() end end)
    assert.is_false(pcall(world.update, world, 1))
    stop = coroutine.yield
    assert.is_true(coroutine.resume(coroutine.create(function() world:update(1) end)))
    stop = nil
    assert.equal("a", run())
  end)

  it("ends at a clear, and steps an empty world", function()
    put("a", function() world:clear() end)
    put("b")
    assert.equal("a", run())
    assert.equal("", run())
  end)

  it("looks the method up at each call", function()
    local a = put("a")
    run()
    a.update = function() log[#log + 1] = "other" end
    assert.equal("other", run())
    a.update = nil
    assert.equal("", run())
  end)

  it("notices an update method that was added later at a refresh", function()
    local a = world:add { x = 0, y = 0, shape = box }
    run()
    function a.update() log[#log + 1] = "a" end
    world:refresh(a)
    assert.equal("a", run())
  end)

  it("finds update in classes", function()
    local Class = { shape = box, update = function() log[#log + 1] = "class" end }
    Class.__index = Class
    world:add(setmetatable({ x = 0, y = 0 }, Class))
    assert.equal("class", run())
  end)

  it("is not called in a bare step", function()
    put("a")
    world:step()
    assert.equal(0, #log)
  end)
end)

describe("world:advance", function()
  local world, a

  before_each(function()
    world = collide.newWorld()
    a = world:add { x = 0, y = 0, shape = box, dts = {}, update = function(self, dt)
      self.dts[#self.dts + 1] = dt
    end }
  end)

  it("refuses to go back in time, and keeps its rest", function()
    world:advance(0.125, 0.25)
    expect.raises("world:advance: dt expected (finite number of seconds, 0 or more), got -0.1",
      world.advance, world, -0.1, 0.25)
    expect.near({ 0, 0.5 }, { world:advance(0, 0.25) }, 0)
  end)

  it("runs as many fixed updates as the accumulated time holds", function()
    expect.near({ 2, 0 }, { world:advance(0.5, 0.25) }, 0)
    assert.same({ 0.25, 0.25 }, a.dts)
    expect.near({ 1, 0.5 }, { world:advance(0.375, 0.25) }, 0)
    expect.near({ 0, 0.75 }, { world:advance(0.0625, 0.25) }, 0)
    expect.near({ 1, 0 }, { world:advance(0.0625, 0.25) }, 0)
    assert.equal(4, #a.dts)
  end)

  it("uses 1/60 and 8 by default", function()
    assert.equal(1, (world:advance(1.5 / 60)))
    assert.same({ 1 / 60 }, a.dts)
    assert.equal(8, (world:advance(10)))
    assert.equal(9, #a.dts)
  end)

  it("runs at most max, drops whole steps beyond and keeps the fraction", function()
    expect.near({ 4, 0.5 }, { world:advance(10.125, 0.25, 4) }, 0)
    expect.near({ 0, 0.5 }, { world:advance(0, 0.25, 4) }, 0)
    expect.near({ 1, 0.5 }, { world:advance(0.25, 0.25, 4) }, 0)
    assert.equal(5, #a.dts)
  end)

  it("keeps alpha at least 0 and below 1", function()
    for i = 1, 500 do
      local steps, alpha = world:advance(i % 7 * 0.003, 0.01)
      assert.is_true(steps >= 0 and alpha >= 0 and alpha < 1)
    end
  end)

  it("keeps a separate time in every world", function()
    local other = collide.newWorld()
    world:advance(0.125, 0.25)
    assert.equal(0, (other:advance(0.125, 0.25)))
    assert.equal(1, (world:advance(0.125, 0.25)))
  end)

  it("passes on an error, and works after it", function()
    local update = a.update
    a.update = function() error("boom", 0) end
    local ok, err = pcall(world.advance, world, 0.25, 0.25)
    assert.is_false(ok)
    assert.equal("boom", err)
    a.update = update
    local steps = world:advance(1, 0.25)
    assert.is_true(steps >= 4)
  end)
end)

describe("world:draw", function()
  it("calls draw of each actor that has one, in order, with all arguments", function()
    local world, log = collide.newWorld(), {}
    local function draw(self, ...)
      log[#log + 1] = { self.name, select("#", ...), ... }
    end
    world:add { name = "a", x = 0, y = 0, shape = box, draw = draw }
    world:add { name = "b", x = 0, y = 0, shape = box }
    world:add { name = "c", x = 0, y = 0, shape = box, draw = draw }
    world:draw()
    world:draw("canvas", nil, 3, nil)
    assert.same({ { "a", 0 }, { "c", 0 } }, { log[1], log[2] })
    assert.same({ { "a", 4, "canvas", nil, 3 }, { "c", 4, "canvas", nil, 3 } }, { log[3], log[4] })
  end)

  it("skips actors removed meanwhile, and draws the others once", function()
    local world, log, list = collide.newWorld(), {}, {}
    for i = 1, 200 do
      list[i] = world:add { x = i * 20, y = 0, shape = box, draw = function()
        log[#log + 1] = i
        if i == 50 then
          for k = 1, 150 do world:remove(list[k]) end
          world:step()
        end
      end }
    end
    world:draw()
    assert.equal(100, #log)
    for i = 1, 100 do assert.equal(i <= 50 and i or i + 100, log[i]) end
  end)

  it("reads no fields and makes no callbacks", function()
    local world, told = collide.newWorld(), 0
    local a = world:add { x = 0, y = 0, shape = box, hit = function() told = told + 1 end }
    world:add { x = 0, y = 0, shape = box }
    a.x = 0 / 0
    world:draw()
    assert.equal(0, told)
  end)
end)
