-- The exceptions in the reference: what answers depend on, and the fixed order of each. C tests
-- check that everything else is the same in each order of adding and in each image.
local bump = require "collide.bump"
local collide = require "collide"

local box, disc = collide.rectangle(10, 10), collide.circle(5)

describe("the order of adding decides", function()
  it("the order of callbacks and lists", function()
    for _, names in ipairs { { "a", "b", "c" }, { "c", "a", "b" } } do
      local world, called = collide.newWorld(), {}
      for i, name in ipairs(names) do
        world:add { name = name, x = 3 - i, y = 0, shape = box,
          enter = function(self, other) called[#called + 1] = self.name .. other.name end }
      end
      world:step()
      local x, y, z = names[1], names[2], names[3]
      assert.same({ x .. y, y .. x, x .. z, z .. x, y .. z, z .. y }, called)
      local found = {}
      for i, actor in ipairs((world:queryPoint(5, 5))) do found[i] = actor.name end
      assert.same(names, found)
    end
  end)

  it("which of several equal answers is returned", function()
    for _, names in ipairs { { "a", "b" }, { "b", "a" } } do
      local world = collide.newWorld()
      for _, name in ipairs(names) do
        world:add { name = name, x = 20, y = 0, shape = box, static = true }
      end
      local mover = world:add { x = 0, y = 0, shape = box }
      assert.equal(names[1], world:rayCast(15, 5, 30, 5).name)
      assert.equal(names[1], world:nearest(40, 5)[1].name)
      assert.equal(names[1], world:shapeCast(mover, 30, 0).name)
      local x, _, hits = world:move(mover, 30, 0)
      assert.same({ 10, names[1] }, { x, hits[1].actor.name })
    end
  end)
end)

local function wayOut(a, x, y, b)
  local nx, ny, depth = collide.overlap({ x = x, y = y, shape = a }, { x = 0, y = 0, shape = b })
  return { nx + 0, ny + 0, depth }
end

describe("of ways out of equal length,", function()
  it("one along x is preferred to one along y", function()
    assert.same({ 1, 0, 8 }, wayOut(box, 2, 2, box))
    assert.same({ -1, 0, 8 }, wayOut(box, -2, 2, box))
    assert.same({ 1, 0, 8 }, wayOut(box, 2, -2, box))
  end)

  it("one towards lower coordinates is preferred to its opposite", function()
    assert.same({ -1, 0, 10 }, wayOut(box, 0, 0, box))
    assert.same({ -1, 0, 10 }, wayOut(disc, 0, 0, disc))
  end)
end)

it("world:carry pushes actors that are equally far ahead in the order of x, then y", function()
  local function pushed(names, dx, dy)
    local world, list = collide.newWorld(), {}
    for name in names:gmatch "%a" do
      local second = name == "b" and 10 or 0
      world:add { name = name, shape = box, x = dx > 0 and 20 or second,
        y = dy > 0 and 20 or second }
    end
    local lift = world:add { x = 0, y = 0, static = true, shape = collide.rectangle(20, 20) }
    world:carry(lift, dx, dy, nil, function(actor) list[#list + 1] = actor.name end)
    return table.concat(list, "", 1, 2)
  end
  for _, names in ipairs { "ab", "ba" } do
    assert.same({ "ab", "ab" }, { pushed(names, 0, 9), pushed(names, 9, 0) })
  end
end)

describe("a border belongs", function()
  local function cells(...)
    local list = {}
    for step, x, y in collide.gridRay(...) do
      list[#list + 1] = ("%d: %d, %d"):format(step, x, y)
    end
    return list
  end

  it("to the cell with the higher coordinates, in which a ray from the border starts", function()
    assert.same({ "1: 1, 0" }, cells(1, 0.5, 1.5, 0.5))
    assert.same({ "1: -1, 0", "2: -2, 0" }, cells(-1, 0.5, -1.5, 0.5))
  end)

  it("at a corner of a ray to the cells along x, along y, then both", function()
    assert.same({ "1: 0, 0", "2: 1, 0", "2: 0, 1", "2: 1, 1" }, cells(0.5, 0.5, 1.5, 1.5))
    assert.same({ "1: 1, 1", "2: 0, 1", "2: 1, 0", "2: 0, 0" }, cells(1.5, 1.5, 0.5, 0.5))
  end)
end)

-- -5 +----+
--    |  /        the image under y -> -y is the same polygon, but its cut is not
--  0 | <
--    |  \
--  5 +----+
it("the cuts of a concave polygon depend on its corners", function()
  local arrow = collide.polygon(0, -5, 10, -5, 5, 0, 10, 5, 0, 5)
  local mirrored = collide.polygon(0, 5, 10, 5, 5, 0, 10, -5, 0, -5)
  local function parts(shape)
    local list = {}
    for i, part in ipairs(shape:parts()) do list[i] = part:points() end
    return list
  end
  assert.same({ 0, -5, 10, -5, 5, 0, 0, 5 }, parts(arrow)[1])
  assert.same(parts(arrow), parts(mirrored))
end)

it("collide.bump prefers y and higher coordinates, as bump.lua does", function()
  local world = bump.newWorld()
  world:add("a", 5, 5, 10, 10)
  world:add("b", 5, 5, 10, 10)
  local x, y = world:check("a", 5, 5, function() return "touch" end)
  assert.same({ 5, 15 }, { x, y })
end)

it("a bitmap begins at 0, 0, and has nothing of an image outside", function()
  local bitmap = collide.newBitmap(8, 8)
  bitmap:addCircle(-4, 4, 2)
  assert.is_false(bitmap:testCircle(-4, 4, 2))
  bitmap:addCircle(4, 4, 2)
  assert.is_true(bitmap:testCircle(4, 4, 2))
end)
