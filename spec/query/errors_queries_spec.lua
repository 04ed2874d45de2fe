-- Bad fields in the arguments of a world's queries, casts and contact. Each error names its field,
-- and nothing changes. Bad arguments as such are tested in interface_spec.lua.
local collide = require "collide"
local expect = require "spec.support.expect"
local refuse = require "spec.support.refuse"

local NIL, WRONG = refuse.NIL, refuse.WRONG
local refuses = refuse.refuses

describe("bad arguments of a world's", function()
  local world, before
  local placed = { x = 0, y = 0, shape = collide.circle(3) }

  local function state()
    local list, n = world:queryRect(-100, -100, 200, 200)
    return { world:hash(), world:count(), n, list[1], list[2], expect.pairNames(world) }
  end

  before_each(function()
    world = collide.newWorld()
    world:add { name = "a", x = 0, y = 0, shape = collide.rectangle(10, 10) }
    world:add { name = "b", x = 8, y = 0, shape = collide.circle(10) }
    world:step()
    before = state()
  end)

  after_each(function()
    assert.same(before, state())
    world:step()
    assert.same(before, state())
  end)

  local function checkPlaced(method, argument, ...)
    local name = "world:" .. method
    for field, kind in pairs { x = "coordinate", y = "coordinate", angle = "angle",
      shape = "shape" } do
      for _, wrong in ipairs(WRONG[kind]) do
        if not (field == "angle" and wrong[1] == NIL) then
          local one = { x = 0, y = 0, shape = placed.shape }
          one[field] = wrong[1] ~= NIL and wrong[1] or nil
          refuses({ ("%s: %s.%s expected ("):format(name, argument, field), "got " .. wrong[2] },
            world[method], { world, one, ... })
        end
      end
    end
  end

  it("queryShape are refused in the placed table", function()
    checkPlaced("queryShape", "placed")
  end)

  it("shapeCast are refused in the placed table", function()
    checkPlaced("shapeCast", "placed", 5, 5)
  end)

  it("contact are refused in the placed tables", function()
    checkPlaced("contacts", "a", placed)
    checkPlaced("partOverlaps", "a", placed)
  end)
end)
