-- Bad options of newBullets, and bad fields in the arguments of a pool's methods. Each error names
-- its field, and nothing changes. Bad arguments as such are tested in interface_spec.lua.
local collide = require "collide"
local expect = require "spec.support.expect"
local refuse = require "spec.support.refuse"

local NIL, WRONG = refuse.NIL, refuse.WRONG
local refuses = refuse.refuses

describe("bad options of world:newBullets:", function()
  local world = collide.newWorld { width = 10, height = 10 }

  local function bad(changes, ...)
    local options = { capacity = 5, radius = 2 }
    for name, v in pairs(changes) do
      if v == NIL then options[name] = nil else options[name] = v end
    end
    return expect.raises({ "world:newBullets: ", ... }, world.newBullets, world, options)
  end

  it("a value of a wrong type or range is refused", function()
    for name, values in pairs {
      group = { 7, {}, "*" }, bounds = { 7, "all", { 1, 2 }, { 0, 0, 0, 5 }, { 0, 0, 5, "5" } },
      margin = { -1, "3", 0 / 0 }, lifetime = { 0, -1, 1 / 0, "3", 0 / 0 },
      grazeRadius = { 2, 1, "3", 1 / 0 }, pierce = { 1, "yes" }, hitBullets = { 1, "yes" },
      hit = { 7, {} }, graze = { true }, expired = { "hit" },
    } do
      for _, v in ipairs(values) do bad({ [name] = v }, name, " expected (", "got ") end
    end
  end)

  it("an unknown one, no table, too many arguments, and a wrong self are refused", function()
    bad({ size = 3 }, "option expected (one of bounds, capacity", 'got string "size"')
    for _, v in ipairs(WRONG.table) do
      refuses("world:newBullets: options expected (", world.newBullets, { world, v[1] })
    end
    refuses("world:newBullets takes one table", world.newBullets,
      { world, { capacity = 1, radius = 1 }, 2 })
    refuses("world:newBullets: self expected (world), got table", world.newBullets, { {}, {} })
  end)

  it("errors have the caller's line", function()
    local message = expect.raises("radius", function()
      world:newBullets { capacity = 1, radius = "wide" }
    end)
    assert.is_truthy(message:find("errors_spec.lua:%d+: world:newBullets"))
  end)

  it("a group beyond the most that a world can have is refused", function()
    local full = collide.newWorld()
    for i = 1, 64 do full:newBullets { capacity = 1, radius = 1, group = "g" .. i } end
    expect.raises("world:newBullets: group expected (group in use, as a world has at most 64), got "
      .. 'string "one more"', full.newBullets, full,
      { capacity = 1, radius = 1, group = "one more" })
    full:update(1)
  end)
end)

describe("bad arguments of a pool's", function()
  local world, pool, bullet, before

  local function state()
    return { pool:count(), world:hash(), pool:get(bullet) }
  end

  before_each(function()
    world = collide.newWorld()
    pool = world:newBullets { capacity = 9, radius = 2 }
    bullet = pool:spawn(1, 2, 3, 4, 5)
    before = state()
  end)

  after_each(function() assert.same(before, state()) end)

  it("spawnLaser, if its grazes would reach too far", function()
    local grazer = collide.newWorld():newBullets { capacity = 1, radius = 1e11,
      grazeRadius = 8e11 }
    expect.raises("pool:spawnLaser: width expected (number up to 6e+11, since grazes of the pool "
      .. "reach 7e+11 further than hits, to 1e12 at most), got 700000000000", grazer.spawnLaser,
      grazer, { points = { 0, 0, 5, 5 }, width = 7e11 })
    assert.equal(1, grazer:spawnLaser { points = { 0, 0, 5, 5 }, width = 6e11 })
  end)

  it("set", function()
    local function bad(changes, ...)
      expect.raises({ "pool:set: ", ... }, pool.set, pool, bullet, changes)
    end
    for _, name in ipairs { "x", "y", "vx", "vy", "ax", "ay" } do
      bad({ [name] = "3" }, name .. " expected (", 'got string "3"')
      bad({ [name] = 0 / 0 }, name .. " expected (", "got nan")
    end
    bad({ radius = 0 }, "radius expected (", "got 0")
    bad({ tag = 1.5 }, "tag expected (", "got 1.5")
    bad({ speed = 1 }, "key of changes expected (one of ax, ay", 'got string "speed"')
    bad(nil, "changes expected (table", "got nil")
    refuses("pool:set: bullet expected (", pool.set, { pool, "first", {} })
    refuses("pool:set takes a bullet and a table, got 3", pool.set, { pool, bullet, {}, 1 })
  end)

  it("spawnLaser", function()
    local function bad(changes, ...)
      local laser = { points = { 0, 0, 5, 5 }, width = 2 }
      for name, v in pairs(changes) do
        if v == NIL then laser[name] = nil else laser[name] = v end
      end
      expect.raises({ "pool:spawnLaser: ", ... }, pool.spawnLaser, pool, laser)
    end
    bad({ points = NIL }, "points expected (list", "got nil")
    bad({ points = { 1, 2 } }, "points expected (list of two points or more), got 2 numbers")
    bad({ points = { 1, 2, 3, 4, 5 } }, "got 5 numbers")
    bad({ points = { 1, 2, 3, "4" } }, "points[4] expected (", 'got string "4"')
    bad({ points = { -1e12, 0, 1e12, 0 } }, "points expected (less than 1e12 apart)")
    bad({ width = 0 }, "width expected (", "got 0")
    bad({ warmup = -1 }, "warmup expected (", "got -1")
    bad({ lifetime = 0 }, "lifetime expected (", "got 0")
    bad({ tag = "red" }, "tag expected (", 'got string "red"')
    bad({ color = 1 }, "key of laser expected (one of lifetime", 'got string "color"')
    refuses("pool:spawnLaser: laser expected (table", pool.spawnLaser, { pool, 5 })
    refuses("pool:spawnLaser takes one table", pool.spawnLaser, { pool, {}, 5 })
  end)

  it("fill and each", function()
    local batch = { add = function() end }
    refuses("pool:fill: target expected (", pool.fill, { pool, 7 })
    refuses("pool:fill: target expected (", pool.fill, { pool, "list" })
    refuses("pool:fill: alpha expected (number from 0 to 1), got 2", pool.fill, { pool, {}, 2 })
    refuses("pool:fill: alpha expected (number from 0 to 1), got 2",
      pool.fill, { pool, batch, 2, {} })
    refuses("pool:fill: quads expected (table of quads by tag), got number 5",
      pool.fill, { pool, batch, 1, 5 })
    refuses("pool:fill takes a target, alpha and quads", pool.fill, { pool, {}, 1, false, 5 })
    refuses("pool:each: fn expected (function), got nil", pool.each, { pool })
    refuses("pool:each: alpha expected (number from 0 to 1), got -1", pool.each,
      { pool, print, -1 })
    refuses("pool:each takes a function and alpha, got 3", pool.each, { pool, print, 1, 2 })
    refuses("pool:each: self expected (pool)", pool.each, { {}, print })
  end)

  it("callbacks that are set later, before a step and during one", function()
    local function steps() world:update(1) end
    for _, name in ipairs { "hit", "graze", "expired" } do
      for _, wrong in ipairs { { 5, "number 5" }, { "x", 'string "x"' }, { {}, "table" },
        { io.stdout, "userdata" } } do
        pool[name] = wrong[1]
        local says = ("world:step: pool.%s expected (function), got %s"):format(name, wrong[2])
        local message = expect.raises(says, steps)
        assert.matches("^[^:]*errors_spec.lua:%d+: world:step", message)
        pool[name] = nil
        assert.same(before, state())
      end
    end
    local busy = collide.newWorld()
    busy:add { x = 5, y = 0, shape = collide.circle(9) }
    local told = 0
    local shots = busy:newBullets { capacity = 9, radius = 1, hit = function(self)
      told, self.hit = told + 1, 5
    end }
    for _ = 1, 3 do shots:spawn(0, 0, 1, 0) end
    expect.raises("pool.hit expected (function), got number 5", function() busy:update(1) end)
    assert.equal(1, told)
    shots.hit = setmetatable({}, { __call = function() told = told + 1 end })
    busy:update(1)
    assert.is_true(told > 1)
    shots.hit = false
    busy:update(1)
  end)

  it("hit, by its invalid results", function()
    local busy = collide.newWorld()
    busy:add { x = 5, y = 0, shape = collide.circle(9) }
    for _, wrong in ipairs { { true, "boolean true" },
      { 1, "number 1" }, { "bonce", 'string "bonce"' }, { {}, "table" } } do
      local shots = busy:newBullets { capacity = 1, radius = 1,
        hit = function() return wrong[1] end }
      shots:spawn(0, 0, 1, 0)
      local message = expect.raises('world:step: result of pool.hit expected ("pass", "bounce" or '
        .. "nothing), got " .. wrong[2], function() busy:update(1) end)
      assert.matches("^[^:]*errors_spec.lua:%d+: world:step", message)
      shots:remove()
    end
  end)

  it("targets of fill that are neither a list nor a batch", function()
    local proxy = rawget(_G, "newproxy")
    local opaque = { io.stdout, print, collide.circle(1), proxy and proxy() or true }
    for _, target in ipairs(opaque) do
      local function fill() pool:fill(target) end
      local message = expect.raises("pool:fill: target expected (", fill)
      assert.matches("^[^:]*errors_spec.lua:%d+: pool:fill", message)
    end
  end)

  it("name the caller's line, also on LuaJIT's compiled path", function()
    for _ = 1, 200 do
      local message = expect.raises("x expected", function() pool:spawn("here", 0, 0, 0) end)
      assert.is_truthy(message:find("errors_spec.lua:%d+: pool:spawn"), message)
    end
  end)
end)
