-- Parts of shapes: their names, and which of them casts, moves, bullets and contacts report.
local collide = require "collide"
local expect = require "spec.support.expect"
local gc = require "spec.support.gc"

local raises = expect.raises
local rectangle, circle = collide.rectangle, collide.circle

--       (head)
--   +-----------+
--   |   body    |     the left arm is a segment, the right one of two boxes
-- --|           |[][]
--   +-----------+
local function figure()
  return collide.compound {
    head = circle(0, -18, 8), body = rectangle(-10, -10, 20, 20),
    ["left arm"] = collide.segment(-20, 0, -10, 0),
    right = collide.compound(rectangle(10, 0, 5, 5), rectangle(15, 0, 5, 5)),
  }
end

local function worldOf(shape, x, y)
  local world = collide.newWorld()
  return world, world:add { name = "boss", x = x or 0, y = y or 0, shape = shape,
    static = shape:kind() == "tiles" or nil }
end

local function part(...)
  return (select(7, ...))
end

describe("collide.compound with names", function()
  it("orders its members by the bytes of their names", function()
    local shape = collide.compound { b = circle(2), ["a b"] = circle(1), ["é"] = circle(4),
      a = circle(3), B = circle(5), [""] = circle(6), ["end"] = circle(7), ["a\0"] = circle(8) }
    assert.equal('compound({[""] = circle(0, 0, 6), B = circle(0, 0, 5), a = circle(0, 0, 3), '
      .. '["a\\000"] = circle(0, 0, 8), ["a b"] = circle(0, 0, 1), b = circle(0, 0, 2), '
      .. '["end"] = circle(0, 0, 7), ["é"] = circle(0, 0, 4)})', tostring(shape))
  end)

  it("shows names as keys of a table, in brackets unless Lua needs none", function()
    for name, key in pairs { a1 = "a1", Z_ = "Z_", _ = "_", ["1a"] = '["1a"]', ["a~"] = '["a~"]',
      ["a["] = '["a["]', ["a:"] = '["a:"]', ["a-"] = '["a-"]', ["while"] = '["while"]' } do
      assert.equal(("compound({%s = circle(0, 0, 1)})"):format(key),
        tostring(collide.compound { [name] = circle(1) }))
    end
  end)

  it("differs from one without names, and keeps its names when it is moved", function()
    local named, list = collide.compound { a = circle(1) }, collide.compound { circle(1) }
    assert.are_not.equal(tostring(named), tostring(list))
    assert.equal("compound({a = circle(2, 0, 1)})", tostring(named:translated(2, 0)))
    assert.equal("compound({a = circle(0, 0, 3)})", tostring(named:scaled(-3)))
    assert.equal("compound({a = circle(0, 0, 1)})", tostring(named:rotated(1):centered()))
    assert.equal("compound({a = circle(0, 0, 1):upright()}):upright()", tostring(named:upright()))
  end)

  it("refuses values other than shapes by name, or a list of shapes", function()
    local fn = "collide.compound: "
    raises(fn .. "shapes expected (a name for each, or a list), got names and numbers",
      collide.compound, { circle(1), a = circle(1) })
    raises(fn .. '["b"] expected (shape), got number 3', collide.compound, { a = circle(1), b = 3 })
    for _, wrong in ipairs { "a", "b", "c", "d" } do
      local shapes = { a = circle(1), b = circle(1), c = circle(1), d = circle(1) }
      shapes[wrong] = collide.tiles(collide.newGrid(1, 1))
      raises(('%s["%s"] expected (shape other'):format(fn, wrong), collide.compound, shapes)
    end
    raises(fn .. '["a\\010"] expected (shape), got boolean true', collide.compound,
      { ["a\n"] = true })
    raises(fn .. "key of shapes expected (name, or number in a list), got boolean true",
      collide.compound, { [true] = circle(1) })
    raises(fn .. "shape 1 expected (shape), got nil", collide.compound, {})
    raises(fn .. '["b"] expected (upright if and only if the first shape is', collide.compound,
      { a = circle(1), b = circle(1):upright() })
    raises(fn .. '["a"] expected (shape other than tiles', collide.compound,
      { a = collide.tiles(collide.newGrid(1, 1)) })
  end)

  -- A table of this size makes the collector run while memory for the shape is allocated.
  it("refuses a table that a finalizer changes in the meantime", function()
    local member = circle(1)
    local function isRefused(what)
      local shapes = {}
      for i = 1, 1000 do shapes["n" .. i] = member end
      gc.finalized(function()
        if what == "adds" then shapes.more = member
        elseif what == "removes" then shapes.n1 = nil end
      end)
      -- In Lua 5.1 and LuaJIT a step is now a whole cycle.
      if _VERSION == "Lua 5.1" then collectgarbage("setstepmul", 0) end
      local ok, message = pcall(collide.compound, shapes)
      what = nil
      if _VERSION == "Lua 5.1" then collectgarbage("setstepmul", 1000) end
      if ok then return end
      assert.matches("collide.compound: shapes expected (table that a finalizer leaves as it is), "
        .. "got changes", message, 1, true)
      return true
    end
    gc.aggressive(function()
      for _, what in ipairs { "adds", "removes" } do
        local rounds = 0
        repeat
          rounds = rounds + 1
        until isRefused(what) or rounds == 1000
        assert.is_true(rounds < 1000, what)
      end
    end)
  end)
end)

describe("parts are named by", function()
  it("rays and casts, after t", function()
    local world, boss = worldOf(figure(), 100, 100)
    assert.equal("head", part(world:rayCast(0, 82, 200, 82)))
    assert.equal("left arm", part(world:rayCast(85, 0, 85, 200)))
    assert.equal("right", part(world:rayCast(118, 0, 118, 200)))
    assert.equal("body", part(world:rayCast(100, 100, 200, 100))) -- it begins inside
    assert.equal("head", part(world:shapeCast({ x = 100, y = 0, shape = circle(30) }, 0, 90)))
    local function any() return true end
    assert.equal("head", part(world:rayCast(0, 82, 200, 82, any)))
    local ball = { x = 100, y = 200, shape = circle(3) }
    assert.equal("body", part(world:shapeCast(ball, 0, -90, any)))
    local list = world:rayCastAll(0, 82, 200, 82)
    assert.equal("head", list[1].part)
    world:rayCastAll(0, 102, 200, 102, nil, nil, list)
    assert.equal("body", list[1].part)
    boss.shape = rectangle(-10, -10, 20, 20)
    world:refresh(boss)
    assert.is_nil(part(world:rayCast(0, 100, 200, 100)))
    assert.is_nil(world:rayCastAll(0, 100, 200, 100, nil, nil, list)[1].part)
  end)

  it("numbers in lists and of segments in chains, and by values in tiles", function()
    local world = worldOf(collide.compound(circle(0, -18, 8), rectangle(-10, -10, 20, 20)))
    assert.equal(1, part(world:rayCast(-50, -18, 50, -18)))
    assert.equal(2, part(world:rayCast(-50, 0, 50, 0)))
    local hills = worldOf(collide.chain(0, 0, 0, 0, 10, 0, 20, 10, 30, 10))
    assert.equal(1, part(hills:rayCast(5, -5, 5, 5)))
    assert.equal(2, part(hills:rayCast(15, -5, 15, 25)))
    assert.equal(3, part(hills:rayCast(25, -5, 25, 25)))
    local grid = collide.newGrid({ "12", "21" }, { cell = 10, values = { ["1"] = 1, ["2"] = 200 } })
    local map = worldOf(collide.tiles(grid))
    assert.equal(1, part(map:rayCast(5, -5, 5, 25)))
    assert.equal(200, part(map:rayCast(15, -5, 15, 25)))
    assert.equal(200, part(map:rayCast(5, 25, 5, -5)))
    assert.equal(1, part(map:rayCast(5, 5, 50, 5)))
    assert.equal(1, part(map:rayCast(10, -5, 10, 25)))                   -- at a joint the first
  end)

  it("rays: the round member rather than a corner at the same point", function()
    for _, radius in ipairs { 0.25, 0.5, 4 } do
      local tip = collide.polygon(0, 1e-12, 1, 1, -1, 1) -- the ray comes to the circle first
      local world = worldOf(collide.compound(tip, circle(0, radius, radius)))
      assert.equal(2, part(world:rayCast(0, -10, 0, 10)))
    end
  end)

  it("rays: the outermost member of nested compounds, and no piece of a polygon", function()
    local inner = collide.compound { a = circle(0, 0, 5), b = circle(9, 0, 5) }
    local world = worldOf(collide.compound(inner, circle(30, 0, 5)))
    assert.equal(1, part(world:rayCast(9, -20, 9, 20)))
    assert.equal(2, part(world:rayCast(30, -20, 30, 20)))
    local U = worldOf(collide.polygon(0, 0, 10, 0, 10, 20, 30, 20, 30, 0, 40, 0, 40, 30, 0, 30))
    assert.is_nil(part(U:rayCast(35, -5, 35, 40)))
    assert.is_nil(part(worldOf(rectangle(5, 5)):rayCast(-5, 1, 20, 1)))
  end)

  it("moves and checks", function()
    local world = worldOf(figure(), 100, 100)
    local ball = world:add { x = 100, y = 20, shape = circle(4) }
    local _, _, hits = world:check(ball, 0, 60)
    assert.equal("head", hits[1].part)
    local into = {}
    world:move(ball, 0, 60, nil, "touch", into)
    assert.equal("head", into[1].part)
    world:teleport(ball, 100, 140)
    world:move(ball, 0, -60, nil, "touch", into)
    assert.equal("body", into[1].part)
    world:teleport(ball, 95, 95)
    local _, _, inside = world:move(ball, 1, 0)
    assert.is_true(inside[1].inside)
    assert.equal("body", inside[1].part)
    world:add { name = "wall", x = 200, y = 0, shape = rectangle(10, 200) }
    world:teleport(ball, 190, 50)
    world:move(ball, 20, 0, nil, nil, into)
    assert.is_nil(into[1].part)
  end)

  it("moves against maps and lists", function()
    local grid = collide.newGrid({ "..", "12" }, { cell = 10, values = { ["1"] = 1, ["2"] = 2 } })
    local world = worldOf(collide.compound(rectangle(30, 0, 5, 5), rectangle(40, 0, 5, 5)))
    world:add { x = 0, y = 0, static = true, shape = collide.tiles(grid) }
    local box = world:add { x = 2, y = 2, shape = rectangle(4, 4) }
    local _, _, hits = world:move(box, 0, 20)
    assert.equal(1, hits[1].part)
    assert.equal(1, hits[1].value)
    world:teleport(box, 41, -9)
    _, _, hits = world:move(box, 0, 20)
    assert.equal(2, hits[1].part)
  end)

  it("characters, in snapshots too", function()
    local world = worldOf(collide.compound { floor = rectangle(-50, 0, 100, 10),
      wall = rectangle(50, -50, 10, 60) })
    local hero = world:add { x = 0, y = -10, shape = rectangle(10, 10) }
    local character = world:newCharacter(hero)
    character:move(200, 50, 0.5)
    local told = {}
    for _, hit in ipairs(character.hits) do told[hit.part] = true end
    assert.same({ floor = true, wall = true }, told)
    local string = world:snapshot():pack()
    world:restore(string, function(i) return world:actors()[i] end)
    for _, hit in ipairs(character.hits) do assert.is_true(told[hit.part]) end
  end)

  it("bullets, as the last argument", function()
    local world, boss = worldOf(figure(), 100, 100)
    local told = {}
    local pool = world:newBullets { capacity = 9, radius = 1,
      hit = function(_, bullet, actor, _, _, _, _, _, other, which)
        assert.equal(boss, actor)
        assert.is_nil(other)
        told[bullet] = which
      end }
    local head, body = pool:spawn(0, 82, 6000, 0), pool:spawn(200, 95, -6000, 0)
    local arm = pool:spawnLaser { points = { 85, 0, 85, 99.5 }, width = 2 }
    world:update(1 / 60)
    assert.same({ [head] = "head", [body] = "body", [arm] = "left arm" }, told)
  end)

  it("bullets that have bounced, and of actors that move", function()
    local world = collide.newWorld()
    local told = {}
    world:add { name = "wall", x = 100, y = -50, shape = rectangle(10, 100), static = true }
    local tower = collide.compound { high = rectangle(-10, -30, 10, 20),
      low = rectangle(-10, -10, 10, 20) }
    world:add { name = "boss", x = 0, y = 0, shape = tower,
      update = function(self) self.y = self.y + 20 end }
    local pool = world:newBullets { capacity = 9, radius = 1,
      hit = function(_, _, actor, _, _, _, _, _, _, which)
        told[#told + 1] = actor.name .. " " .. tostring(which)
        return actor.name == "wall" and "bounce" or nil
      end }
    pool:spawn(50, 0, 12000, 0)
    world:update(1 / 60)
    assert.same({ "wall nil", "boss high" }, told) -- it came down by 20 meanwhile
  end)

  it("bullets only if they still exist", function()
    local world, boss = worldOf(figure(), 100, 100)
    local told = {}
    local pool = world:newBullets { capacity = 9, radius = 1,
      hit = function(_, _, _, _, _, _, _, _, _, which)
        told[#told + 1] = which or "none"
        boss.shape = collide.compound { body = rectangle(-10, -10, 20, 20), zero = circle(1) }
        world:refresh(boss)
      end }
    for _, y in ipairs { 82, 82, 95 } do pool:spawn(0, y, 6000, 0) end
    world:update(1 / 60)
    assert.same({ "head", "none", "body" }, told)
  end)

  it("bullets whose events are in a snapshot", function()
    local world = worldOf(figure(), 100, 100)
    local told, packed = {}, nil
    local pool = world:newBullets { capacity = 9, radius = 1,
      hit = function(_, _, _, _, _, _, _, _, _, which)
        told[#told + 1] = which
        packed = packed or world:snapshot():pack()
        error "stop"
      end }
    pool:spawn(0, 82, 6000, 0)
    pool:spawn(0, 95, 6000, 0)
    assert.is_false(pcall(world.update, world, 1 / 60))
    local boss = world:actors()[1]
    pool.hit = function(_, _, _, _, _, _, _, _, _, which) told[#told + 1] = which end
    world:restore(packed, function() return boss end)
    world:update(0)
    assert.same({ "head", "body" }, told)
  end)

  it("contacts, for both shapes", function()
    local world = worldOf(figure(), 100, 100)
    local sword = collide.compound { blade = rectangle(0, 0, 20, 4), grip = rectangle(20, 0, 5, 4) }
    local man, above = { x = 100, y = 100, shape = figure() }, { x = 88, y = 71, shape = sword }
    local point = world:contacts(above, man)
    assert.equal("blade", point[1].part)
    assert.equal("head", point[1].otherPart)
    local back = world:contacts(man, above)
    assert.equal("head", back[1].part)
    assert.equal("blade", back[1].otherPart)
    local grid = collide.newGrid({ "..", "12" }, { cell = 10, values = { ["1"] = 1, ["2"] = 2 } })
    local map = { x = 0, y = 0, shape = collide.tiles(grid) }
    local list = world:contacts({ x = 1, y = 8, shape = sword }, map)
    assert.equal(2, #list)
    for i, c in ipairs(list) do
      assert.equal("blade", c.part)
      assert.equal(i, c.otherPart)
    end
    local ball = circle(5)
    local plain = world:contacts({ x = 0, y = 0, shape = ball }, { x = 6, y = 0, shape = ball })
    assert.is_nil(plain[1].part)
    assert.is_nil(plain[1].otherPart)
  end)
end)

describe("world:partOverlaps", function()
  it("lists the pairs that overlap, the deepest first", function()
    local world, boss = worldOf(figure(), 100, 100)
    local blade = { x = 88, y = 80, shape = rectangle(20, 12) }
    assert.same({ { otherPart = "head", depth = 10 }, { otherPart = "body", depth = 2 } },
      world:partOverlaps(blade, boss))
    assert.same({ { part = "head", depth = 10 }, { part = "body", depth = 2 } },
      world:partOverlaps(boss, blade))
    assert.same({}, world:partOverlaps({ x = 0, y = 0, shape = circle(5) }, boss))
    assert.same({ { depth = 4 } }, world:partOverlaps({ x = 0, y = 0, shape = circle(5) },
      { x = 6, y = 0, shape = circle(5) }))
  end)

  it("puts pairs of the same depth in the order of their parts", function()
    local world = collide.newWorld()
    local two = collide.compound { b = rectangle(0, 0, 10, 10), a = rectangle(20, 0, 10, 10) }
    assert.same({ { part = "a", otherPart = "a", depth = 8 },
      { part = "b", otherPart = "b", depth = 8 } },
      world:partOverlaps({ x = 0, y = 0, shape = two }, { x = 2, y = 0, shape = two }))
  end)

  it("lists any number of pairs", function()
    local world, list = collide.newWorld(), {}
    for i = 1, 7 do list[i] = rectangle(0, i, 10, 20) end
    local seven = { x = 0, y = 0, shape = collide.compound(list) }
    local overlaps = world:partOverlaps(seven, { x = 4, y = 0, shape = seven.shape })
    assert.equal(49, #overlaps)
    for i, pair in ipairs(overlaps) do
      assert.same({ part = (i - 1 - (i - 1) % 7) / 7 + 1, otherPart = (i - 1) % 7 + 1, depth = 6 },
        pair)
    end
  end)

  it("refuses two maps", function()
    local map = { x = 0, y = 0, shape = collide.tiles(collide.newGrid(2, 2)) }
    raises("world:partOverlaps: b expected (shape other than tiles, if a has tiles), got shape",
      function() collide.newWorld():partOverlaps(map, map) end)
  end)

  it("treats the cells of a value as one part", function()
    local options = { cell = 10, values = { ["1"] = 1, ["2"] = 2 } }
    local grid = collide.newGrid({ "....", "1122" }, options)
    local world = collide.newWorld()
    local map = { x = 0, y = 0, shape = collide.tiles(grid) }
    local box = { x = 6, y = 3, shape = rectangle(20, 10) }
    assert.same({ { otherPart = 1, depth = 3 }, { otherPart = 2, depth = 3 } },
      world:partOverlaps(box, map))
    assert.same({ { part = 1, depth = 3 }, { part = 2, depth = 3 } }, world:partOverlaps(map, box))
  end)

  it("counts a touch in a world where touching hits", function()
    local box = rectangle(5, 5)
    local a, b = { x = 0, y = 0, shape = box }, { x = 5, y = 0, shape = collide.compound(box) }
    assert.same({}, collide.newWorld():partOverlaps(a, b))
    local closed = collide.newWorld { touching = true }
    assert.same({ { otherPart = 1, depth = 0 } }, closed:partOverlaps(a, b))
  end)
end)
