-- Actors that run their own code while a world reads them, and the option `strict`.
local collide = require "collide"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)
local names = expect.pairNames

local function actor(name, x, fields)
  local a = fields or {}
  a.name, a.x, a.y, a.shape = name, x, 0, box
  return a
end

describe("an actor whose __index runs code", function()
  local world, a, trap

  before_each(function()
    world = collide.newWorld()
    trap = nil
    local values = { x = 0, y = 0, shape = box, name = "a" }
    a = setmetatable({}, { __index = function(_, key)
      if trap then trap(key) end
      return values[key]
    end })
    world:add(actor("first", 300))
    world:add(a)
    world:add(actor("b", 8))
    world:step()
    assert.equal("a-b", names(world))
  end)

  local function worksAgain()
    trap = nil
    assert.equal(3, world:count())
    world:step()
    assert.equal("a-b", names(world))
    world:update(1)
    world:refresh(a)
    world:remove(a)
    world:step()
    assert.equal("", names(world))
    world:add(a)
    world:step()
    assert.equal("b-a", names(world))
  end

  it("may raise: the step does not begin, and works once it no longer raises", function()
    local boom = {}
    trap = function(key) if key == "y" then error(boom) end end
    for _, method in ipairs { "step", "refresh" } do
      local ok, err = pcall(world[method], world)
      assert.is_false(ok)
      assert.equal(boom, err)
    end
    assert.equal("a-b", names(world))
    worksAgain()
  end)

  it("may raise in add: it is not added", function()
    world:remove(a)
    trap = function(key) if key == "shape" then error("no shape for you", 0) end end
    local ok, err = pcall(world.add, world, a)
    assert.is_false(ok)
    assert.equal("no shape for you", err)
    assert.is_false(world:has(a))
    trap = nil
    world:add(a)
    world:step()
    assert.equal("b-a", names(world))
  end)

  local stranger = actor("stranger", 0)
  local changes = {
    step = function(w) w:step() end,
    update = function(w) w:update(1) end,
    add = function(w) w:add(stranger) end,
    remove = function(w) w:remove(a) end,
    clear = function(w) w:clear() end,
    refresh = function(w) w:refresh() end,
    setRule = function(w) w:setRule("default", "default", false) end,
  }
  for name, change in pairs(changes) do
    it("cannot change its world while a step reads it (" .. name .. ")", function()
      local refused
      trap = function(key)
        if key == "x" then
          local ok, message = pcall(change, world)
          assert.is_false(ok)
          refused = message
        end
      end
      world:step()
      assert.equal("string", type(refused))
      assert.matches("world:", refused, 1, true)
      assert.equal("a-b", names(world))
      assert.is_false(world:has(stranger))
      trap = function(key) if key == "x" then change(world) end end
      assert.is_false(pcall(world.step, world))
      worksAgain()
    end)
  end

  it("may change another world meanwhile, and ask its own", function()
    local other = collide.newWorld()
    local asked
    trap = function(key)
      if key == "x" and other:count() < 2 then
        other:add(actor("p", 0))
        other:step()
        asked = world:count() + #world:actors() + (world:has(a) and 1 or 0)
      end
    end
    world:step()
    assert.equal(7, asked)
    assert.is_true(other:count() >= 1)
    worksAgain()
  end)

  it("leaves the world intact if it changes it while add or refresh reads it", function()
    local late = actor("late", 500)
    trap = function(key)
      if key == "shape" and not world:has(late) then
        trap = nil
        world:add(late)
      end
    end
    pcall(world.refresh, world, a)
    assert.equal(#world:actors(), world:count())
    world:remove(late)
    world:remove(a)
    trap = function(key)
      if key == "x" then
        trap = nil
        world:add(a)
      end
    end
    pcall(world.add, world, a)
    assert.equal(#world:actors(), world:count())
    world:remove(a)
    assert.equal(2, world:count())
    world:step()
    assert.equal("", names(world))
  end)

  for _, where in ipairs { "x", "shape", "hit", "leave", "update" } do
    it("does not lock the world if it yields and is never resumed (" .. where .. ")", function()
      for _, method in ipairs { "step", "update", "refresh" } do
        world:refresh(a)                -- so that its methods are to be read again
        trap = function(key) if key == where then coroutine.yield() end end
        coroutine.resume(coroutine.create(function()
          if method == "update" then world:update(1) else world[method](world) end
        end))
        trap = nil
        world:step()
      end
      worksAgain()
    end)
  end

  it("may collect garbage", function()
    trap = function() collectgarbage() end
    world:step()
    world:refresh()
    worksAgain()
  end)
end)

describe("a call that is suspended, and resumed while its world moves an actor", function()
  local world, mover, sleeper, trap

  -- Suspends f, and moves an actor. A filter function resumes f. Returns the results of f.
  local function wake(f)
    local co = coroutine.create(f)
    coroutine.resume(co)
    if coroutine.status(co) ~= "suspended" then return nil end -- Lua 5.1 has refused the yield
    trap = nil
    local results
    world:move(mover, 300, 0, function()
      if not results then
        results = { coroutine.resume(co) }
        assert.is_false((pcall(world.refresh, world)))
      end
      return true
    end)
    assert.same({ 40 - 4, 0 }, { mover.x, mover.y })
    world:refresh()
    return results
  end

  before_each(function()
    world, trap = collide.newWorld { strict = false }, nil
    for i = 1, 6 do
      world:add { x = 40 * i, y = -30, shape = collide.rectangle(10, 60), static = true }
    end
    mover = world:add { x = 0, y = 0, shape = collide.circle(4) }
    sleeper = world:add(setmetatable({ x = 0, y = 99, shape = collide.rectangle(5, 5) },
      { __index = function(_, key) if trap then trap(key) end end }))
  end)

  local function sleepsAtAngle()
    trap = function(key) if key == "angle" then coroutine.yield() end end
  end

  it("is refused if it is a move", function()
    sleepsAtAngle()
    local results = wake(function() return world:move(sleeper, 5, 0) end)
    if not results then return end
    assert.same({ false, 0 }, { results[1], sleeper.x })
    assert.matches("world:move: this world is moving an actor", results[2])
  end)

  it("is refused if it is the move of a character", function()
    local character = world:newCharacter(sleeper)
    character:move(0, 0, 1) -- measures its shape
    sleepsAtAngle()
    local results = wake(function() return character:move(5, 0, 1) end)
    if not results then return end
    assert.same({ false, 0 }, { results[1], sleeper.x })
    assert.matches("character:move: this world is moving an actor", results[2])
  end)

  it("makes its calls if it is a step", function()
    local calls = 0
    for i = 1, 3 do
      world:add { x = 1000, y = i, shape = collide.circle(5), enter = function()
        calls = calls + 1
        if calls == 1 then coroutine.yield() end
        if calls > 1 then assert.is_false((pcall(world.move, world, sleeper, 1, 0))) end
      end }
    end
    wake(function() world:step() end)
    assert.equal(6, calls)
  end)

  it("raises and does not step if it is an update", function()
    local slept
    world:add { x = 1000, y = 0, shape = collide.circle(5), update = function()
      if not slept then slept = true coroutine.yield() end
    end }
    local results = wake(function() world:update(1) end)
    assert.is_false(results[1])
    assert.matches("world:update: this world is moving an actor", results[2])
  end)
end)

describe("an actor whose __tostring runs code", function()
  it("does not run it in error messages", function()
    local world, asked = collide.newWorld { strict = true }, 0
    local a = setmetatable(actor("a", 0), { __tostring = function()
      asked = asked + 1
      return 5
    end })
    world:add(a)
    world:add(actor("b", 8))
    world:step()
    a.x = 0 / 0
    assert.is_false(pcall(world.step, world))
    assert.is_false(pcall(world.add, world, a))
    a.x, a.group = 0, "other"
    assert.is_false(pcall(world.step, world))
    a.group = nil
    assert.is_false(pcall(world.add, world, a))
    assert.equal(0, asked)
    assert.equal("a-b", names(world))
    world:step()
    assert.equal("a-b", names(world))
    world:remove(a)
    assert.is_false(pcall(world.refresh, world, a))
    assert.equal(0, asked)
  end)
end)

describe("the option strict", function()
  local changes = {
    shape = collide.circle(3), group = "other", static = true,
    hit = function() end, enter = function() end, leave = function() end,
  }

  for field, value in pairs(changes) do
    it("makes a step raise when " .. field .. " changed without refresh", function()
      local world = collide.newWorld { strict = true }
      local a = world:add(actor("a", 0))
      world:add(actor("b", 8))
      world:step()
      a[field] = value
      expect.raises({ 'world:step: actor 1 "a" (', field .. " was ",
        " after world:add; call world:refresh(actor)" }, world.step, world)
      expect.raises(field, world.step, world)
      world:refresh(a)
      world:step()
      world:step()
    end)
  end

  it("reports what has changed, and since when", function()
    local world = collide.newWorld { strict = true }
    local a = world:add(actor("a", 0))
    world:step()
    a.hit = print
    expect.raises("hit was added after world:add; call world:refresh(actor)", world.step, world)
    world:refresh(a)
    world:step()
    a.hit = nil
    expect.raises("hit was removed after world:refresh; call world:refresh(actor)", world.step,
      world)
    a.hit, a.shape = print, collide.circle(2)
    expect.raises("shape was changed from rectangle(0, 0, 10, 10) to circle(0, 0, 2) after",
      world.step, world)
  end)

  it("makes update raise if an update was added without refresh", function()
    local world = collide.newWorld { strict = true }
    local a = world:add(actor("a", 0))
    world:update(1)
    a.update = function() end
    expect.raises({ "update", "refresh" }, world.update, world, 1)
    world:refresh(a)
    world:update(1)
  end)

  it("makes a step raise if a method was removed", function()
    local world = collide.newWorld { strict = true }
    local a = world:add(actor("a", 0, { hit = function() end }))
    world:step()
    a.hit = nil
    expect.raises({ "world:step", "hit", "refresh" }, world.step, world)
    world:refresh(a)
    world:step()
  end)

  it("accepts a change that was undone, or a method that was replaced", function()
    local world = collide.newWorld { strict = true }
    local a = world:add(actor("a", 0, { hit = function() end }))
    world:step()
    a.shape = collide.circle(3)
    assert.is_false(pcall(world.step, world))
    a.shape = box
    a.hit = function() end
    world:step()
    a.x, a.y, a.angle = 50, 60, 1
    world:step()
  end)

  it("makes no callbacks in a step that raises", function()
    local world = collide.newWorld { strict = true }
    local n = 0
    world:add(actor("a", 0, { hit = function() n = n + 1 end }))
    local b = world:add(actor("b", 8))
    world:step()
    b.static = true
    assert.is_false(pcall(world.step, world))
    assert.equal(1, n)
  end)

  it("finds fields that differ only in the case of letters from those it reads", function()
    local world = collide.newWorld { strict = true, fields = { hit = "onHit", angle = false } }
    for key, field in pairs { oneway = "oneWay", Static = "static", OnHit = "onHit",
      UPDATE = "update", Shape = "shape", X = "x" } do
      local a = actor("a", 0)
      a[field], a[key] = nil, true
      local derived = setmetatable({}, { __index = setmetatable({}, { __index = a }) })
      for _, wrong in ipairs { a, derived } do
        expect.raises({ "world:add: actor", (": field expected (%s), got string %q; upper and "
          .. "lower case differ"):format(field, key) }, world.add, world, wrong)
        assert.is_false(world:has(wrong))
      end
    end
    local a = world:add(actor("a", 0, { X = 3, Hit = 4, Angle = 5, [1] = 6 }))
    a.Sensor = true
    expect.raises('world:refresh: actor 1 "a" (at 0, 0): field expected (sensor), got string',
      world.refresh, world, a)
    collide.newWorld():add(actor("b", 0, { Static = true }))
    collide.newWorld { strict = true, fields = { hit = "Hit", enter = "hit" } }
      :add(actor("c", 0, { Hit = print }))
  end)

  it("is off if it is false", function()
    local world = collide.newWorld { strict = false }
    local a = world:add(actor("a", 0))
    world:step()
    a.shape, a.group, a.hit = 5, 6, 7
    world:step()
  end)

  -- The number of the first step in which a change of the i-th of n actors raises.
  local function stepOf(n, i, change)
    local world, list = collide.newWorld(), {}
    for k = 1, n do list[k] = world:add(actor("a" .. k, 20 * k, { static = k % 3 == 0 })) end
    world:update(1)
    change(list[i])
    for s = 1, 10 do
      local ok, message = pcall(world.step, world)
      if not ok then
        assert.matches(("actor %d \"a%d\""):format(i, i), message, 1, true)
        assert.matches("call world:refresh(actor)", message, 1, true)
        assert.is_false(pcall(world.step, world)) -- the next step finds it, too
        world:refresh(list[i])
        world:step()
        return s
      end
    end
  end

  it("by default checks 32 actors per step, in the order of adding", function()
    local edits = {
      function(a) a.shape = collide.rectangle(9, 9) end,
      function(a) a.group = "other" end,
      function(a) a.static = not a.static end,
      function(a) a.sensor = true end,
      function(a) a.oneWay = true end,
      function(a) a.swept = true end,
      function(a) a.enter = print end,
      function(a) a.hit = print end,
      function(a) a.leave = print end,
      function(a) a.update = print end,
    }
    for _, edit in ipairs(edits) do
      assert.same({ 1, 1, 2, 3, 4 }, { stepOf(100, 33, edit), stepOf(100, 64, edit),
        stepOf(100, 65, edit), stepOf(100, 100, edit), stepOf(128, 1, edit) })
    end
    for _, field in ipairs { "x", "y", "angle" } do
      local function move(a) a[field] = (a[field] or 0) + 1 end
      assert.same({ 1, 3 }, { stepOf(100, 33, move), stepOf(100, 99, move) })
      assert.is_nil(stepOf(40, 1, move)) -- it is not static
    end
  end)

  it("by default continues where the last step ended, whatever is added and removed", function()
    local world, list = collide.newWorld(), {}
    for k = 1, 100 do list[k] = world:add(actor("a" .. k, 20 * k)) end
    world:step()
    for k = 1, 30 do
      world:remove(list[k])
      world:add(list[k])
    end
    world:step()
    list[90].hit, list[5].hit = print, print
    expect.raises('actor 60 "a90"', world.step, world)
    world:refresh(list[90])
    world:step()
    expect.raises('actor 75 "a5"', world.step, world)
  end)

  it("by default continues where a restored snapshot was, which no hash includes", function()
    local function newList()
      local list = {}
      for k = 1, 100 do list[k] = actor("a" .. k, 20 * k) end
      return list
    end
    local world, list = collide.newWorld(), newList()
    for k = 1, 100 do world:add(list[k]) end
    world:step()
    world:step()
    local snapshot, hash = world:snapshot(), world:hash()
    local packed, hashed = snapshot:pack(), snapshot:hash()
    for _ = 1, 2 do
      world:step()
      world:restore(snapshot)
      list[10].hit = print
      world:step() -- 65 to 96
      expect.raises('actor 10 "a10"', world.step, world)
      list[10].hit = nil
    end
    local other, made = collide.newWorld { strict = true }, newList()
    other:restore(packed, function(i) return made[i] end)
    assert.same({ hashed, hash }, { other:snapshot():hash(), other:hash() })
    other, made = collide.newWorld(), newList()
    other:restore(packed, function(i) return made[i] end)
    other:step()
    made[10].hit = print
    expect.raises('"a10" (at 200, 0): hit was added after world:restore', other.step, other)
  end)
end)
