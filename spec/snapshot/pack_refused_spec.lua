-- Packed snapshots that restore refuses because of the tables that make returns.
local collide = require "collide"
local expect = require "spec.support.expect"

local box = collide.rectangle(10, 10)

describe("a packed snapshot", function()
  it("is restored only to actors with a fromSnapshot if they had a toSnapshot", function()
    local world = collide.newWorld()
    world:add { x = 3, y = 4, shape = box, toSnapshot = function() return 1 end,
      fromSnapshot = print, fuel = {} }
    local text = world:snapshot({ "fuel" }):pack()
    expect.raises("fromSnapshot expected (function, for what its toSnapshot returned), got nil",
      function()
        collide.newWorld():restore(text, function() return { shape = box } end)
      end)
  end)

  it("is restored only to pools whose grazes fit around its lasers", function()
    local function game(grazeRadius)
      local world = collide.newWorld()
      return world, world:newBullets { capacity = 4, radius = 1, grazeRadius = grazeRadius }
    end
    local world, pool = game()
    pool:spawnLaser { points = { 0, 0, 100, 0 }, width = 1e12 }
    local text = world:snapshot():pack()
    local other = game(6e11)
    local before = other:hash()
    expect.raises("snapshot expected (one of a world whose pools are alike), got another pool 1",
      other.restore, other, text, print)
    assert.equal(before, other:hash())
    local third, same = game(4e11)
    third:restore(text, print)
    assert.equal(1, same:count())
  end)

  it("is restored only to tiles with the same number of cells", function()
    local function map(columns, cell)
      return { x = 0, y = 0, static = true, shape = collide.tiles(collide.newGrid(columns,
        columns / 2, { cell = cell })) }
    end
    local world = collide.newWorld()
    world:add(map(2, 10))
    local text = world:snapshot():pack()
    local other = collide.newWorld()
    expect.raises("shape expected (shape with the bounds and cells of the one that was packed)",
      function() other:restore(text, function() return map(4, 5) end) end)
    assert.same({}, other:actors())
    other:restore(text, function() return map(2, 10) end)
    assert.equal(world:hash(), other:hash())
  end)

  it("raises an error that names the first actor with another number of cells", function()
    local grid = collide.newGrid(4, 2, { cell = 10 })
    local function map(name, cells)
      cells = cells or collide.newGrid(4, 2, { cell = 10 })
      return { name = name, x = 0, y = 0, static = true, shape = collide.tiles(cells) }
    end
    local function block(name)
      return { name = name, x = 0, y = 0, static = true, shape = collide.rectangle(40, 20) }
    end
    local function actors(third, last)
      return { block "block", map("one", grid), third or map "two", last or map("three", grid),
        block "end" }
    end
    local world, other = collide.newWorld(), collide.newWorld()
    for _, actor in ipairs(actors()) do world:add(actor) end
    local text = world:snapshot():pack()
    local function restore(...)
      local made = actors(...)
      other:restore(text, function(i) return made[i] end)
    end
    local function refuses(message, ...)
      expect.raises("world:restore: " .. message, restore, ...)
      assert.same({}, other:actors())
    end
    local fine = collide.newGrid(8, 4, { cell = 5 })
    local wrong = ": shape expected (shape with the bounds and cells of the one that was packed), "
      .. "got shape"
    refuses('actor "two" (at 0, 0)' .. wrong, map("two", fine))
    refuses('actor "three" (at 0, 0)' .. wrong, nil, map "three")
    local fewer = "snapshot expected (one of actors with as many grids of tiles), got one with more"
    refuses(fewer, map("two", grid))
    refuses(fewer, block "two")
    restore()
    assert.equal(world:hash(), other:hash())
  end)
end)
