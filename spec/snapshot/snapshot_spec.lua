-- world:snapshot and world:restore: what a snapshot holds and restores, and which calls raise.
local collide = require "collide"
local expect = require "spec.support.expect"
local recorder = require "spec.support.recorder"

local box, disc = collide.rectangle(10, 10), collide.circle(5)

local function add(world, name, x, more)
  local actor = { name = name, x = x, y = 0, shape = box }
  for key, value in pairs(more or {}) do actor[key] = value end
  return world:add(actor)
end

local function names(world)
  local list = {}
  for i, actor in ipairs(world:actors()) do list[i] = actor.name end
  return table.concat(list, " ")
end

describe("world:restore", function()
  it("removes actors added since, and puts back removed ones, in order", function()
    local world = collide.newWorld()
    local a, b = add(world, "a", 0), add(world, "b", 20)
    add(world, "c", 40)
    local snapshot = world:snapshot()
    world:remove(b)
    local d = add(world, "d", 60)
    world:remove(a)
    world:add(a)
    assert.equal("c d a", names(world))
    world:restore(snapshot)
    assert.equal("a b c", names(world))
    assert.is_false(world:has(d))
    collide.newWorld():add(d) -- it is in no world
    assert.equal(b, (world:queryPoint(25, 5))[1])
  end)

  it("writes x, y, angle and the fields named back into the same tables", function()
    local world = collide.newWorld()
    local a, b = add(world, "a", 3, { angle = 0.5, hp = 7, alive = true }), add(world, "b", 20)
    a.mate = b
    local snapshot = world:snapshot { "hp", "name", "alive", "mate", "mood" }
    a.x, a.y, a.angle, a.hp, a.name, a.alive, a.mate, a.mood = 1, 2, 3, 4, "z", nil, a, "bad"
    b.angle, b.hp, b.other = 1, 1, 1
    world:step()
    world:restore(snapshot)
    assert.same({ 3, 0, 0.5, 7, "a" }, { a.x, a.y, a.angle, a.hp, a.name })
    assert.same({ true, b }, { a.alive, a.mate })
    assert.is_nil(a.mood)
    assert.same({ 20, 0, nil, nil, 1 }, { b.x, b.y, b.angle, b.hp, b.other })
  end)

  it("keeps integers as integers, and the sign of zeros", function()
    local world = collide.newWorld()
    local a, b = add(world, "a", 3, { hp = 3 }), add(world, "b", 3.0, { angle = 0, hp = 3.0 })
    local c = add(world, "c", -0.0)
    local before = { tostring(a.x), tostring(b.x), tostring(a.hp), tostring(b.hp), 1 / c.x }
    local snapshot = world:snapshot { "hp" }
    a.x, b.x, c.x, a.hp, b.hp, b.angle = 1, 1, 1, 1, 1, 1
    world:restore(snapshot)
    assert.same(before, { tostring(a.x), tostring(b.x), tostring(a.hp), tostring(b.hp), 1 / c.x })
    assert.equal("0", tostring(b.angle))
  end)

  it("brings back angles that were assigned after the step", function()
    local world = collide.newWorld()
    local a, b, c = add(world, "a", 0), add(world, "b", 20), add(world, "c", 40)
    a.angle, b.angle = 0.25, 1
    world:step()
    a.angle, b.angle, c.angle = 0.1, nil, -0.7
    local snapshot = world:snapshot()
    world:step()
    a.angle, b.angle, c.angle = 2, 2, 2
    world:restore(snapshot)
    assert.same({ 0.1, nil, -0.7 }, { a.angle, b.angle, c.angle })
    local other, made = collide.newWorld(), {}
    other:restore(snapshot:pack(), function(i)
      made[i] = { shape = box }
      return made[i]
    end)
    assert.same({ 0.1, nil, -0.7 }, { made[1].angle, made[2].angle, made[3].angle })
    assert.equal(snapshot:pack(), other:snapshot():pack())
  end)

  it("restores the same places with LuaJIT's compiler on and off", function()
    local switch = rawget(_G, "jit")
    if not (switch and switch.status()) then return end
    local world, actors = collide.newWorld(), {}
    for i = 1, 9 do
      actors[i] = add(world, "actor " .. i, 10 * i)
      actors[i].angle = i % 3 > 0 and i / 7 or nil
    end
    world:step()
    for i, actor in ipairs(actors) do
      if i % 2 == 0 then actor.x, actor.y = actor.x + 0.3, -0 end
      if i % 4 > 1 then actor.angle = -i / 7 end
    end
    world:remove(actors[5])
    local places = {}
    for k, turn in ipairs { "on", "off", "on" } do
      local snapshot = world:snapshot()
      switch[turn]()
      local packed = world:snapshot():pack()
      for _, actor in ipairs(actors) do actor.x, actor.y, actor.angle = 1, 2, 3 end
      world:restore(snapshot)
      switch.on()
      places[k] = { packed }
      for i, actor in ipairs(actors) do
        places[k][i + 1] = ("%g %g %s"):format(actor.x, 1 / actor.y, tostring(actor.angle))
      end
    end
    assert.same(places[1], places[2])
    assert.same(places[1], places[3])
  end)

  it("brings back moves after the step, and all places before it", function()
    local world = collide.newWorld()
    local a, b = add(world, "a", 0), add(world, "b", 20)
    a.x, b.angle = 4, 1
    world:step()
    a.x = 100
    local snapshot = world:snapshot()
    world:step()
    b.angle = 2
    world:step()
    world:restore(snapshot)
    assert.equal(100, a.x)
    assert.same({ 2, 0, 0 }, { world:interpolate(a, 0.5) })
    assert.same({ 20, 0, 0.5 }, { world:interpolate(b, 0.5) })
    assert.equal(a, (world:queryPoint(5, 5))[1])
  end)

  it("brings back shape, group, static, sensor, oneWay and swept", function()
    local world = collide.newWorld { strict = true }
    local a = add(world, "a", 0, { group = "foe" })
    local b = add(world, "b", 0, { static = true, sensor = true, oneWay = true, swept = true })
    world:setRule("foe", "default", false)
    local snapshot = world:snapshot()
    a.shape, a.group, a.static, a.sensor, a.oneWay, a.swept = disc, "friend", true, true, true, true
    b.group, b.static, b.sensor, b.oneWay, b.swept = "foe", nil, false, nil, nil
    world:refresh()
    world:restore(snapshot)
    assert.is_true(a.shape == box and b.shape == box)
    assert.same({ "foe" }, { a.group, a.static, a.sensor, a.oneWay, a.swept })
    assert.same({ nil, true, true, true, true },
      { b.group, b.static, b.sensor, b.oneWay, b.swept })
    world:step() -- strict: raises unless the tables agree with the world
    assert.is_false(world:canHit(a, b))
  end)

  it("brings back statics that were moved in a strict world", function()
    local world = collide.newWorld { strict = true }
    local wall = add(world, "wall", 0, { static = true })
    for _, moved in ipairs { "move", "carry", "teleport" } do
      local snapshot = world:snapshot()
      world[moved](world, wall, 10, 5)
      world:step()
      local later = world:snapshot()
      world:restore(snapshot)
      assert.same({ 0, 0 }, { wall.x, wall.y })
      world:step() -- strict: raises unless the tables agree with the world
      world:restore(later)
      assert.same({ 10, 5 }, { wall.x, wall.y })
      world:step()
      world:restore(snapshot)
      world:step()
    end
  end)

  it("brings back such fields from each of several snapshots, refreshed or not", function()
    local world, snapshots, expected = collide.newWorld(), {}, {}
    local a, b = add(world, "a", 0), add(world, "b", 20, { static = true, group = "wall" })
    local function state()
      return { a.shape, a.group, a.static, a.swept, b.shape, b.group or "default", b.sensor }
    end
    local function change(i)
      a.shape, a.group, a.static = i % 2 == 0 and box or disc, "g" .. i, i % 3 == 0
      a.swept, b.sensor, b.group = i % 2 == 0, i % 2 == 1, nil
    end
    local function take(i)
      change(i)
      world:refresh()
      snapshots[i % 4] = world:snapshot(nil, snapshots[i % 4])
      expected[i % 4] = state()
    end
    for i = 1, 4 do take(i) end
    for round = 1, 12 do
      local i = round * 5 % 4
      if round > 6 then take(round) end
      change(round)
      world:restore(snapshots[i])
      assert.same(expected[i], state())
    end
  end)

  it("assigns fields as Lua does, through __newindex if there is one", function()
    local world, kept, written = collide.newWorld(), { x = 1, y = 2, shape = box, hp = 3 }, {}
    local a = world:add(setmetatable({}, { __index = kept, __newindex = function(_, key, value)
      written[#written + 1], kept[key] = key, value
    end }))
    local snapshot = world:snapshot { "hp", "mood" }
    a.x, a.hp, a.mood = 5, 9, "bad"
    written = {}
    world:restore(snapshot)
    assert.same({ x = 1, y = 2, shape = box, hp = 3 }, kept)
    assert.equal("x y hp mood", table.concat(written, " "))
    assert.is_nil(rawget(a, "x"))
  end)

  it("brings back the rules of groups, the rest of advance and the frame of the trace", function()
    local world, frames = collide.newWorld(), {}
    add(world, "a", 0)
    add(world, "b", 5, { hit = function() end })
    world:trace(function(_, frame) frames[#frames + 1] = frame end)
    world:setRule("x", "y", false)
    world:advance(0.25, 0.1)
    local snapshot = world:snapshot()
    world:setRule("x", "y", true)
    world:setRule("new", "*", false)
    world:advance(0.09, 0.1)
    world:restore(snapshot)
    assert.is_false(world:canHit("x", "y"))
    assert.is_true(world:canHit("x", "new"))
    local steps, alpha = world:advance(0, 0.1)
    expect.near({ 0, 0.5 }, { steps, alpha })
    world:step()
    assert.same({ 1, 2, 3, 3 }, frames)
  end)

  it("brings back hits() and hash() of the last step, but no candidates", function()
    local world = collide.newWorld()
    local a = add(world, "a", 0)
    add(world, "b", 8)
    world:step()
    local snapshot, hash = world:snapshot(), world:hash()
    a.x = 50
    world:step()
    world:restore(snapshot)
    assert.equal(hash, world:hash())
    assert.equal("a-b", expect.pairNames(world))
    assert.equal("a-b", expect.pairNames(world, a))
    assert.same({}, world:candidates())
  end)

  it("makes the callbacks that were pending when the snapshot was taken", function()
    local world, r = collide.newWorld(), recorder.new()
    local snapshot
    world:add(r:actor("a", { x = 0, y = 0, shape = box }, {
      enter = function() snapshot = snapshot or world:snapshot() end,
    }))
    local b = world:add(r:actor("b", { x = 5, y = 0, shape = box }))
    world:step()
    assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", r:take())
    world:remove(b)
    world:step()
    assert.equal("a:leave b, b:leave a", r:take())
    world:restore(snapshot)
    assert.equal("", r:take())
    world:step()
    assert.equal("b:enter a, a:hit b, b:hit a", r:take())
    world:remove(b)
    world:step()
    assert.equal("a:leave b, b:leave a", r:take())
  end)

  it("makes the leaves of actors that had been removed by then", function()
    local world, r = collide.newWorld(), recorder.new()
    world:add(r:actor("a", { x = 0, y = 0, shape = box }))
    local b = world:add(r:actor("b", { x = 5, y = 0, shape = box }))
    world:step()
    world:remove(b)
    r:take()
    local snapshot = world:snapshot()
    for _ = 1, 2 do
      world:step()
      assert.equal("a:leave b, b:leave a", r:take())
      world:restore(snapshot)
    end
  end)

  it("in a callback ends the step, and its remaining calls are dropped", function()
    local world, r = collide.newWorld(), recorder.new()
    local snapshot, done
    for i, name in ipairs { "a", "b", "c" } do
      world:add(r:actor(name, { x = i, y = 0, shape = box }, {
        hit = function()
          if not done then
            done = true
            world:restore(snapshot)
          end
        end,
      }, { enter = true, leave = true }))
    end
    snapshot = world:snapshot()
    world:step()
    assert.equal("a:hit b", r:take())
    world:step()
    assert.equal("a:hit b, b:hit a, a:hit c, c:hit a, b:hit c, c:hit b", r:take())
  end)

  it("in an update ends the whole update and advance", function()
    local world, log = collide.newWorld(), {}
    local snapshot, armed
    local function update(self)
      log[#log + 1] = self.name
      if armed and self.name == "b" then world:restore(snapshot) end
    end
    add(world, "a", 0, { update = update, hit = function() log[#log + 1] = "hit" end })
    add(world, "b", 5, { update = update })
    add(world, "c", 50, { update = update })
    world:advance(0.05, 0.1)
    snapshot, armed = world:snapshot(), true
    world:update(0.1)
    assert.equal("a b", table.concat(log, " "))
    log = {}
    local steps, alpha = world:advance(0.4, 0.1)
    assert.equal("a b", table.concat(log, " "))
    expect.near({ 1, 0.5 }, { steps, alpha })
  end)

  it("ends a suspended step and a suspended update", function()
    local world, log = collide.newWorld(), {}
    local function note(what)
      return function(self)
        log[#log + 1] = self.name .. what
        if self.name == "a" then coroutine.yield() end
      end
    end
    add(world, "a", 0, { hit = note "h", update = note "u" })
    add(world, "b", 5, { hit = note "h", update = note "u" })
    local snapshot = world:snapshot()
    for _, f in ipairs { world.step, function(self) self:update(1) end } do
      local sleeper = coroutine.create(f)
      assert(coroutine.resume(sleeper, world))
      world:restore(snapshot)
      assert(coroutine.resume(sleeper))
      assert.equal("dead", coroutine.status(sleeper))
    end
    assert.equal("ah au", table.concat(log, " "))
  end)

  it("brings back the cells of tiles", function()
    local world, grid = collide.newWorld(), collide.newGrid(4, 4, { cell = 10 })
    grid:fill(0, 3, 4, 1, 1)
    world:add { name = "map", x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local first = world:snapshot()
    local same = world:snapshot()
    grid:set(1, 3, 0)
    local second = world:snapshot()
    grid:fill(0, 0, 4, 4, 5)
    world:restore(second)
    assert.same({ 1, 0, nil }, { grid:get(0, 3), grid:get(1, 3), (grid:rayCast(5, 5, 25, 5)) })
    world:restore(first)
    assert.equal(1, grid:get(1, 3))
    world:restore(second)
    world:restore(same)
    assert.equal(1, grid:get(1, 3))
  end)

  it("works after another snapshot that shared its data is filled again", function()
    local world = collide.newWorld()
    local a = world:add { x = 0, y = 0, shape = collide.circle(5) }
    local first, second = world:snapshot(), world:snapshot()
    world:remove(a)
    local b = world:add { x = 50, y = 0, shape = collide.circle(5) }
    world:snapshot(nil, first)
    world:restore(second)
    assert.same({ 1, true, false }, { #world:actors(), world:has(a), world:has(b) })
    world:restore(first)
    assert.same({ 1, false, true }, { #world:actors(), world:has(a), world:has(b) })
  end)

  it("works any number of times, and with renamed fields", function()
    local world = collide.newWorld { fields = { x = "px", y = "py", angle = false,
      fromSnapshot = "thaw", toSnapshot = "freeze" } }
    local a = world:add { px = 1, py = 2, angle = 9, shape = box, freeze = function() return 5 end,
      thaw = function(self, value) self.thawed = value end }
    local snapshot = world:snapshot()
    for i = 1, 3 do
      a.px, a.angle, a.thawed = 50 * i, i, nil
      world:step()
      world:restore(snapshot)
      assert.same({ 1, 2, i, 5 }, { a.px, a.py, a.angle, a.thawed })
    end
  end)
end)

describe("world:snapshot", function()
  local function refuses(message, world, ...)
    local function take(...)
      local snapshot = world:snapshot(...)
      return snapshot
    end
    local got = expect.raises("world:snapshot", take, ...)
    assert.equal(message, (got:gsub("^[^ ]*spec/snapshot/snapshot_spec.lua:%d+: ", "", 1)))
  end

  it("raises for a field that it cannot hold, and names the actor and the field", function()
    local world = collide.newWorld()
    local a = add(world, "boss", 3, { group = "foe", items = {} })
    refuses('world:snapshot: actor 1 "boss" (group "foe", at 3, 0): items expected (number, '
      .. "string, boolean, nil, random or actor of this world), got table; methods toSnapshot and "
      .. "fromSnapshot of the actor could take it", world, { "items" })
    a.items = print
    refuses('world:snapshot: actor 1 "boss" (group "foe", at 3, 0): items expected (number, '
      .. "string, boolean, nil, random or actor of this world), got function; methods "
      .. "toSnapshot and fromSnapshot of the actor could take it", world, { "items" })
    a.items = collide.newWorld():add { x = 0, y = 0, shape = box }
    refuses('world:snapshot: actor 1 "boss" (group "foe", at 3, 0): items expected (number, '
      .. "string, boolean, nil, random or actor of this world), got table; methods toSnapshot and "
      .. "fromSnapshot of the actor could take it", world, { "items" })
    a.x = "3"
    refuses('world:snapshot: actor 1 "boss" (group "foe", at string "3", 0): x expected (finite '
      .. 'number within ±1e12), got string "3"', world)
  end)

  it("raises for an angle that no step accepts, and names the actor", function()
    local world = collide.newWorld()
    local a = add(world, "boss", 3)
    for angle, got in pairs { [false] = "boolean false", x = 'string "x"', [2 ^ 31] = "2147483648",
      [-2 ^ 31] = "-2147483648", [1 / 0] = "inf" } do
      a.angle = angle
      refuses('world:snapshot: actor 1 "boss" (at 3, 0): angle expected (number of radians within '
        .. "±2^30), got " .. got, world)
    end
    a.angle = 0.5
    assert.equal("snapshot(1 actor)", tostring(world:snapshot()))
  end)

  it("uses toSnapshot and fromSnapshot for values that it cannot hold", function()
    local world = collide.newWorld()
    local bag = { 1, 2 }
    local a = add(world, "a", 0, { items = bag, hp = 3,
      toSnapshot = function(self) return #self.items end,
      fromSnapshot = function(self, n) while #self.items > n do table.remove(self.items) end end })
    local snapshot = world:snapshot { "items", "hp" }
    a.items[3], a.hp = 3, 1
    world:restore(snapshot)
    assert.same({ 2, 3 }, { #a.items, a.hp })
    assert.equal(bag, a.items)
    a.fromSnapshot = nil
    refuses('world:snapshot: actor 1 "a" (at 0, 0): fromSnapshot expected (function, '
      .. "since it has toSnapshot), got nil", world)
    a.fromSnapshot, a.toSnapshot = print, function() return {} end
    refuses('world:snapshot: actor 1 "a" (at 0, 0): what toSnapshot returns expected (number, '
      .. "string, boolean, nil, random or actor of this world), got table", world)
  end)

  it("refills an old snapshot of any world, which then belongs to this one", function()
    local world, other = collide.newWorld(), collide.newWorld()
    local a = add(world, "a", 0)
    add(other, "b", 7)
    add(other, "c", 7)
    local snapshot = other:snapshot { "name" }
    assert.equal(snapshot, world:snapshot({}, snapshot))
    assert.equal("snapshot(1 actor)", tostring(snapshot))
    a.x = 5
    world:restore(snapshot)
    assert.equal(0, a.x)
    expect.raises("world:restore: snapshot expected (one of this world), got one of another world",
      other.restore, other, snapshot)
  end)

  it("raises for names of fields that are not strings", function()
    expect.raises("world:snapshot: fields[2] expected (string), got number 5",
      function() local _ = collide.newWorld():snapshot { "hp", 5 } end)
  end)

  it("makes no garbage if an old one is filled", function()
    local world = collide.newWorld()
    for i = 1, 40 do add(world, "a" .. i, i, { hp = i, hit = function(self) self.hp = 0 end }) end
    local fields, snapshots = { "hp", "name" }, {}
    for i = 1, 3 do snapshots[i] = world:snapshot(fields) end
    local function use(times)
      for i = 1, times do
        world:step()
        world:snapshot(fields, snapshots[i % 3 + 1])
      end
    end
    -- LuaJIT makes garbage until it has compiled the loops. About half of the ways in which it may
    -- compile them make 48 bytes per snapshot, so the compiler is reset now and then.
    local least, jit = math.huge, rawget(_G, "jit")
    for round = 1, 160 do
      if jit and round % 8 == 0 then jit.flush() end
      use(50)
      collectgarbage()
      collectgarbage("stop")
      use(1) -- Lua 5.2 and 5.3 have freed CallInfo records, and allocate new ones
      local before = collectgarbage("count")
      use(50)
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
      if least < 1 then break end
    end
    assert.is_true(least < 1, ("%g kB in 50 snapshots"):format(least))
  end)

  it("is not filled by a call that raises", function()
    local world = collide.newWorld()
    local a = add(world, "a", 0)
    local snapshot = world:snapshot()
    a.y = nil
    expect.raises("y expected", world.snapshot, world, nil, snapshot)
    expect.raises("world:restore: attempt to use a snapshot that was not completed", world.restore,
      world, snapshot)
    for _, name in ipairs { "pack", "hash" } do
      expect.raises(("snapshot:%s: attempt to use a snapshot that was not completed"):format(name),
        snapshot[name], snapshot)
    end
    assert.equal("snapshot(0 actors)", tostring(snapshot))
  end)

  it("is refused by restore if an actor is now in another world", function()
    local world, other = collide.newWorld(), collide.newWorld()
    local a = add(world, "a", 4)
    local snapshot = world:snapshot()
    world:remove(a)
    other:add(a)
    expect.raises('world:restore: actor 1 "a" (at 4, 0) is in another world now; remove it from '
      .. "that one first", world.restore, world, snapshot)
    assert.equal(0, world:count())
    other:remove(a)
    world:restore(snapshot)
    assert.is_true(world:has(a))
  end)
end)

-- A bug: it wrote `static = false` where the field was nil.
describe("world:restore leaves a field", function()
  local function changed(actor)
    local world = collide.newWorld()
    world:add(actor)
    local snapshot = world:snapshot()
    actor.static, actor.sensor, actor.oneWay, actor.swept = true, true, true, true
    actor.group = "foe"
    world:refresh(actor)
    world:restore(snapshot)
    world:restore(snapshot)
    return actor
  end
  local FLAGS = { "static", "sensor", "oneWay", "swept" }

  it("nil if it was nil", function()
    local actor = changed { x = 0, y = 0, shape = box }
    for _, flag in ipairs(FLAGS) do assert.is_nil(actor[flag]) end
    assert.is_nil(actor.group)
  end)

  it('false or "default" if it was', function()
    local actor = changed { x = 0, y = 0, shape = box, static = false, sensor = false,
      oneWay = false, swept = false, group = "default" }
    for _, flag in ipairs(FLAGS) do assert.is_false(actor[flag]) end
    assert.equal("default", actor.group)
  end)

  it("false even if its class has true", function()
    local class = { static = true, group = "foe" }
    local actor = changed(setmetatable({ x = 0, y = 0, shape = box, static = false,
      group = "default" }, { __index = class }))
    assert.is_false(actor.static)
    assert.equal("default", actor.group)
  end)
end)
