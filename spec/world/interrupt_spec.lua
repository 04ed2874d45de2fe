-- A step that is interrupted by errors, by yields, or by steps inside it. No call is made twice,
-- and the next step makes the remaining ones.
local collide = require "collide"
local recorder = require "spec.support.recorder"

local box = collide.rectangle(10, 10)
local far = 1000

-- The calls when c, at 4 between a and b, first meets both.
local C_COMES = "a:enter c, c:enter a, a:hit c, c:hit a, b:enter c, c:enter b, b:hit c, c:hit b"
-- The calls of the three in later steps.
local HITS = "a:hit b, b:hit a, a:hit c, c:hit a, b:hit c, c:hit b"

describe("an interrupted step", function()
  local world, log

  before_each(function()
    world = collide.newWorld { strict = false }
    log = recorder.new()
  end)

  local function put(name, x, on, without)
    return world:add(log:actor(name, { x = x, y = 0, shape = box }, on, without))
  end

  local function step()
    world:step()
    return log:take()
  end

  -- A function that calls `what` only the first time.
  local function once(what)
    local done
    return function(...)
      if not done then
        done = true
        return what(...)
      end
    end
  end

  local function fails(message)
    return once(function() error(message, 0) end)
  end

  local function stepFails(message)
    local ok, err = pcall(world.step, world)
    assert.is_false(ok)
    assert.equal(message, err)
    return log:take()
  end

  describe("by an error", function()
    it("passes on any error value unchanged", function()
      local boom = {}
      put("a", 0, { hit = fails(boom) })
      put("b", 8)
      local ok, err = pcall(world.step, world)
      assert.is_false(ok)
      assert.equal(boom, err)
    end)

    it("has the callback in its traceback", function()
      local function somewhereDeep() error("boom") end
      put("a", 0, { hit = function() somewhereDeep() end })
      put("b", 8)
      local _, trace = xpcall(function() world:step() end, debug.traceback)
      assert.matches("boom", trace, 1, true)
      assert.matches("somewhereDeep", trace, 1, true)
    end)

    it("in hit makes no further calls; the next step makes them", function()
      put("a", 0, { hit = fails("boom") })
      put("b", 8)
      put("c", 4)
      assert.equal("a:enter b, b:enter a, a:hit b", stepFails("boom"))
      assert.equal("a:hit b, b:hit a, " .. C_COMES, step())
    end)

    it("in enter counts only that enter as made", function()
      put("a", 0, { enter = fails("boom") })
      put("b", 8)
      assert.equal("a:enter b", stepFails("boom"))
      assert.equal("b:enter a, a:hit b, b:hit a", step())
    end)

    it("in enter calls leave only after enters that were made", function()
      local a = put("a", 0, { enter = fails("boom") })
      put("b", 8)
      stepFails("boom")
      a.x = far
      assert.equal("a:leave b", step())
      assert.equal("", step())
    end)

    it("in leave counts that leave as made; the other is called in the next step", function()
      local a = put("a", 0, { leave = fails("boom") })
      put("b", 8)
      put("c", 5)
      step()
      a.x = far
      assert.equal("a:leave b", stepFails("boom"))
      assert.equal("b:leave a, a:leave c, c:leave a, b:hit c, c:hit b", step())
    end)

    it("in leave keeps the remaining leaves even if the pair overlaps again", function()
      local a = put("a", 0, { leave = fails("boom") })
      put("b", 8)
      step()
      a.x = far
      assert.equal("a:leave b", stepFails("boom"))
      a.x = 0
      assert.equal("b:leave a, a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("in leave keeps the remaining leaves of other pairs that overlap again", function()
      local a = put("a", 0, { leave = fails("boom") })
      put("b", 8)
      local c, d = put("c", 100), put("d", 108)
      step()
      a.x, c.x = far, 2 * far
      assert.equal("a:leave b", stepFails("boom"))
      c.x = 100
      assert.equal("b:leave a, c:leave d, d:leave c, "
        .. "c:enter d, d:enter c, c:hit d, d:hit c", step())
      d.x = far
      assert.equal("a:enter d, d:enter a, a:hit d, d:hit a", step():match("a:enter.*"))
    end)

    it("counts the enter of an actor without one only if the dispatch got past it", function()
      local a, b = put("a", 0, { hit = fails("boom") }), put("b", 8, nil, { enter = true })
      local c = put("c", 4, nil, { enter = true })
      assert.equal("a:enter b, a:hit b", stepFails("boom"))
      a.x, b.x, c.x = 0, far, 2 * far
      assert.equal("a:leave b, b:leave a", step())
    end)

    it("in update does not run the step", function()
      local a = put("a", 0)
      put("b", 8)
      a.update = fails("boom")
      local ok, err = pcall(world.update, world, 1)
      assert.is_false(ok)
      assert.equal("boom", err)
      assert.equal("", log:take())
      world:update(1)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", log:take())
    end)

    it("still has all its pairs in hits()", function()
      put("a", 0, { enter = fails("boom") })
      put("b", 8)
      put("c", 4)
      stepFails("boom")
      local n = 0
      for _ in world:hits() do n = n + 1 end
      assert.equal(3, n)
    end)
  end)

  -- Methods are looked up at each call, and that may run an __index.
  describe("where a method is looked up", function()
    local looked, stepped

    -- An actor whose method `event` is found by an __index. When a dispatch looks it up, but not
    -- when the step begins, the __index first does `what`, once.
    local function putLooked(name, x, event, what)
      local actor = put(name, x)
      local method = actor[event]
      local act = once(what)
      actor[event] = nil
      setmetatable(actor, { __index = function(_, key)
        if key ~= event then return nil end
        looked = looked + 1
        if stepped and looked > 1 then act(actor) end
        return method
      end })
      return actor
    end

    before_each(function() looked, stepped = 0, true end)

    local function boom() error("boom", 0) end

    it("an error loses no enter of the first of a pair", function()
      putLooked("a", 0, "enter", boom)
      put("b", 8)
      assert.equal("", stepFails("boom"))
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:hit b, b:hit a", step())
    end)

    it("an error loses no enter of the second of a pair", function()
      put("a", 0)
      putLooked("b", 8, "enter", boom)
      assert.equal("a:enter b", stepFails("boom"))
      assert.equal("b:enter a, a:hit b, b:hit a", step())
    end)

    it("an error leaves no leave to make for an enter that was not made", function()
      local a = putLooked("a", 0, "enter", boom)
      put("b", 8)
      assert.equal("", stepFails("boom"))
      a.x = far
      assert.equal("", step())
    end)

    for i, name in ipairs { "first", "second" } do
      it("an error loses no leave of the " .. name .. " of a pair", function()
        stepped = false
        local a = i == 1 and putLooked("a", 0, "leave", boom) or put("a", 0)
        if i == 1 then put("b", 8) else putLooked("b", 8, "leave", boom) end
        step()
        stepped = true
        a.x = far
        assert.equal(i == 1 and "" or "a:leave b", stepFails("boom"))
        assert.equal(i == 1 and "a:leave b, b:leave a" or "b:leave a", step())
        assert.equal("", step())
      end)

      it("an error loses no hit of the " .. name .. ", which the next step makes", function()
        if i == 1 then putLooked("a", 0, "hit", boom) else put("a", 0) end
        if i == 1 then put("b", 8) else putLooked("b", 8, "hit", boom) end
        assert.equal("a:enter b, b:enter a" .. (i == 1 and "" or ", a:hit b"), stepFails("boom"))
        assert.equal("a:hit b, b:hit a", step())
      end)
    end

    it("an error in update runs no step, and the next update reaches all", function()
      local a, b = put("a", 0), put("b", 8)
      function b.update() log:note("b:update") end
      local armed = false
      local function update() log:note("a:update") end
      setmetatable(a, { __index = function(_, key)
        if key ~= "update" then return nil end
        if armed then boom() end
        return update
      end })
      world:refresh()
      world:update(1)
      assert.equal("a:update, b:update, a:enter b, b:enter a, a:hit b, b:hit a", log:take())
      armed = true
      local ok, err = pcall(world.update, world, 1)
      assert.same({ false, "boom" }, { ok, err })
      armed = false
      assert.equal("", log:take())
      world:update(1)
      assert.equal("a:update, b:update, a:hit b, b:hit a", log:take())
    end)

    it("an error before the step begins leaves all calls to the next one", function()
      for _, event in ipairs { "enter", "hit", "leave", "update" } do
        world = collide.newWorld { strict = false }
        local a, armed = put("a", 0), true
        put("b", 8)
        setmetatable(a, { __index = function(_, key)
          if armed and key == event then boom() end
        end })
        a[event] = nil
        local ok, err = pcall(world.update, world, 1)
        assert.same({ false, "boom" }, { ok, err })
        assert.equal("", log:take())
        armed = false
        world:update(1)
        assert.equal((("a:enter b, b:enter a, a:hit b, b:hit a"):gsub("a:" .. event .. " b, ", "")),
          log:take())
      end
    end)

    it("a step makes that enter, and the outer one no more calls", function()
      putLooked("a", 0, "enter", function() world:step() end)
      put("b", 8)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:hit b, b:hit a", step())
    end)

    it("a step makes that leave, and the outer one no more calls", function()
      stepped = false
      local a = putLooked("a", 0, "leave", function() world:step() end)
      put("b", 8)
      step()
      stepped = true
      a.x = far
      assert.equal("a:leave b, b:leave a", step())
      assert.equal("", step())
    end)

    it("a removal of the first skips the pair: neither got a callback", function()
      local a
      a = putLooked("a", 0, "enter", function() world:remove(a) end)
      put("b", 8)
      assert.equal("", step())
      assert.equal("", step())
    end)

    it("a removal of the second before its callbacks finishes the pair for the first", function()
      local b
      put("a", 0)
      b = putLooked("b", 8, "enter", function() world:remove(b) end)
      assert.equal("a:enter b, a:hit b", step())
      assert.equal("a:leave b", step())
      assert.equal("", step())
    end)

    it("a removal by the second before any callback skips the pair", function()
      local a = put("a", 0, nil, { enter = true })
      putLooked("b", 8, "enter", function() world:remove(a) end)
      assert.equal("", step())
      assert.equal("", step())
    end)

    local function yieldsThroughIndex() -- Lua 5.1 does not
      return (pcall(coroutine.wrap(function()
        return setmetatable({}, { __index = function() coroutine.yield() end }).x
      end)))
    end

    for i, name in ipairs { "first", "second" } do
      it("a yield for the hit of the " .. name .. " continues where it was", function()
        if not yieldsThroughIndex() then return end
        local function pause() coroutine.yield() end
        if i == 1 then putLooked("a", 0, "hit", pause) else put("a", 0) end
        if i == 2 then putLooked("b", 8, "hit", pause) else put("b", 8) end
        stepped = false
        step()
        stepped = true
        local co = coroutine.create(function() world:step() end)
        assert.is_true(coroutine.resume(co))
        assert.equal(i == 1 and "" or "a:hit b", log:take())
        assert.is_true(coroutine.resume(co))
        assert.equal(i == 1 and "a:hit b, b:hit a" or "b:hit a", log:take())
        assert.equal("dead", coroutine.status(co))
      end)

      it("a step for the missing hit of the " .. name .. " ends the outer one", function()
        put("a", 0)
        put("b", 8)
        put("c", 16)
        step()
        local actor, armed = world:actors()[i], true
        actor.hit = nil
        setmetatable(actor, { __index = function(_, key)
          if key ~= "hit" or not armed then return nil end
          armed = false
          world:step()
        end })
        assert.equal(i == 1 and "b:hit a, b:hit c, c:hit b" or "a:hit b, a:hit b, c:hit b",
          step())
      end)
    end

    it("a yield that is never resumed leaves that enter to the next step", function()
      if not yieldsThroughIndex() then return end
      putLooked("a", 0, "enter", function() coroutine.yield() end)
      put("b", 8)
      local co = coroutine.create(function() world:step() end)
      assert.is_true(coroutine.resume(co))
      assert.equal("", log:take())
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.is_true(coroutine.resume(co))
      assert.equal("", log:take())
    end)
  end)

  describe("by a yield", function()
    local function sleeping()
      local co = coroutine.create(function() world:step() return "end of step" end)
      assert.is_true(coroutine.resume(co))
      assert.equal("suspended", coroutine.status(co))
      return co
    end

    it("continues where it was when resumed", function()
      put("a", 0, { hit = once(coroutine.yield) })
      put("b", 8)
      put("c", 4)
      local co = sleeping()
      assert.equal("a:enter b, b:enter a, a:hit b", log:take())
      local _, result = coroutine.resume(co)
      assert.equal("end of step", result)
      assert.equal("b:hit a, " .. C_COMES, log:take())
      assert.equal(HITS, step())
    end)

    it("passes values both ways through the step", function()
      local got
      put("a", 0, { hit = once(function() got = coroutine.yield("out") end) })
      put("b", 8)
      local co = coroutine.wrap(function() world:step() end)
      assert.equal("out", co())
      co("in")
      assert.equal("in", got)
    end)

    it("leaves the rest to the next step if never resumed", function()
      put("a", 0, { hit = once(coroutine.yield) })
      put("b", 8)
      put("c", 4)
      sleeping()
      log:take()
      assert.equal("a:hit b, b:hit a, " .. C_COMES, step())
      collectgarbage()
      collectgarbage()
      assert.equal(HITS, step())
    end)

    it("makes no further calls if resumed after another step", function()
      local woken
      put("a", 0, { enter = once(function()
        coroutine.yield()
        woken = true
      end) })
      put("b", 8)
      local co = sleeping()
      log:take()
      assert.equal("b:enter a, a:hit b, b:hit a", step())
      assert.is_true(coroutine.resume(co))
      assert.is_true(woken)
      assert.equal("dead", coroutine.status(co))
      assert.equal("", log:take())
      assert.equal("a:hit b, b:hit a", step())
    end)

    it("in leave keeps the other leaves for the next step", function()
      local a = put("a", 0, { leave = once(coroutine.yield) })
      put("b", 8)
      step()
      a.x = far
      sleeping()
      assert.equal("a:leave b", log:take())
      a.x = 0
      assert.equal("b:leave a, a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("ignores actors that were removed or added while it was suspended", function()
      put("a", 0, { hit = once(coroutine.yield) })
      local b = put("b", 8)
      put("c", 4)
      local co = sleeping()
      log:take()
      world:remove(b)
      put("d", 2)
      coroutine.resume(co)
      assert.equal("a:enter c, c:enter a, a:hit c, c:hit a", log:take())
      assert.equal("a:leave b, b:leave a, a:hit c, c:hit a, a:enter d, d:enter a, "
        .. "a:hit d, d:hit a, c:enter d, d:enter c, c:hit d, d:hit c", step())
    end)

    it("in update continues with the other updates and then steps", function()
      local a, b = put("a", 0), put("b", 8)
      a.update = once(coroutine.yield)
      function b.update() log:note("b:update") end
      local co = coroutine.create(function() world:update(1) end)
      coroutine.resume(co)
      assert.equal("", log:take())
      assert.is_true(coroutine.resume(co))
      assert.equal("b:update, a:enter b, b:enter a, a:hit b, b:hit a", log:take())
    end)

    it("survives many suspended dispatches, resumed in any order", function()
      put("a", 0, { hit = coroutine.yield })
      put("b", 8)
      local list = {}
      for i = 1, 20 do list[i] = sleeping() end
      assert.equal("a:enter b, b:enter a, a:hit b, a:hit b, a:hit b", log:take():sub(1, 47))
      for i = 1, 19 do
        local co = table.remove(list, (i * 7) % (#list - 1) + 1)
        assert.is_true(coroutine.resume(co))
        assert.equal("", log:take())
      end
      assert.is_true(coroutine.resume(list[1]))
      assert.equal("b:hit a", log:take())
    end)
  end)

  describe("by a step inside it", function()
    it("is ended by it", function()
      put("a", 0, { enter = once(function(_, _, _, _, _, w) w:step() end) })
      put("b", 8)
      put("c", 4)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a, " .. C_COMES, step())
    end)

    it("is ended by an update inside it too", function()
      local a = put("a", 0, { hit = once(function(_, _, _, _, _, w) w:update(1) end) })
      put("b", 8)
      function a.update() log:note("a:update") end
      assert.equal("a:enter b, b:enter a, a:hit b, a:update, a:hit b, b:hit a", step())
    end)

    it("leaves its remaining leaves to the inner one", function()
      local a = put("a", 0, { leave = once(function(_, _, w) w:step() end) })
      put("b", 8)
      put("c", 4)
      step()
      a.x = far
      assert.equal("a:leave b, b:leave a, a:leave c, c:leave a, b:hit c, c:hit b", step())
    end)

    it("sees in the inner one what the callback assigned", function()
      put("a", 0, { enter = once(function(self, _, _, _, _, w)
        self.x = far
        w:step()
      end) })
      put("b", 8)
      assert.equal("a:enter b, a:leave b", step())
      assert.equal("", step())
    end)

    it("ends even if the inner one raises an error", function()
      put("a", 0, { enter = once(function(_, _, _, _, _, w) pcall(w.step, w) end) })
      put("b", 8, { enter = fails("boom") })
      assert.equal("a:enter b, b:enter a", step())
      assert.equal("a:hit b, b:hit a", step())
    end)

    it("continues if the inner one raises while reading the actors, before it begins", function()
      local c
      put("a", 0, { enter = once(function(_, _, _, _, _, w)
        c.x = 0 / 0
        assert.is_false(pcall(w.step, w))
        c.x = 4
      end) })
      put("b", 8)
      c = put("c", 4)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a, " .. C_COMES, step())
    end)

    it("may be nested deeply", function()
      local depth = 0
      put("a", 0, { hit = function(_, _, _, _, _, w)
        depth = depth + 1
        if depth < 50 then w:step() end
      end })
      put("b", 8)
      step()
      assert.equal(50, depth)
      depth = 49
      assert.equal("a:hit b, b:hit a", step())
    end)
  end)
end)
