-- A few of the scripts of `make monkey`: random calls of the whole public interface. A failure
-- prints its seed and the shortest list of operations that still fails.
local interface = require "spec.monkey.interface"
local main = require "spec.monkey.main"
local play = require "spec.monkey.play"
local random = require "spec.support.random"
local shrink = require "spec.monkey.shrink"

local SEED = random.seed()

describe("the monkey", function()
  it("finds every function and method, and their arguments", function()
    local found = {}
    for _, entry in ipairs(play.entries()) do found[entry.name] = entry end
    for _, module in ipairs(interface.MODULES) do
      for part, t in interface.parts(require(module)) do
        for name, f in pairs(t) do
          local full = module:match "%w+$" .. part .. name
          if type(f) == "function" then assert(found[full], full .. " is not played with") end
        end
      end
    end
    local arguments = {}
    for i, param in ipairs(found["world:move"]) do arguments[i] = param.name end
    assert.same({ "actor", "dx", "dy", "filter", "response", "into" }, arguments)
    for _, method in ipairs { "character:move", "snapshot:pack", "pool:spawn", "grid:set",
      "bitmap:clear", "shape:bounds" } do
      assert(found[method], method .. " is not played with")
    end
  end)

  it(("breaks nothing (seed %d)"):format(SEED), function()
    local lines = {}
    local failed = main.run(random.rounds(1000), SEED, nil, function(line)
      lines[#lines + 1] = line
    end)
    assert(failed == 0, table.concat(lines, "\n"))
  end)

  it("plays the same on every Lua", function()
    local _, _, hash = main.run(400, 1)
    local _, _, same = main.run(400, 1)
    assert.equal(hash, same)
  end)

  it("cuts a failing script down to the operations that make it fail", function()
    local script = play.script(7, 40)
    local function fails(operations)
      local seen = {}
      for _, operation in ipairs(operations) do seen[operation] = true end
      return seen[script[3]] and seen[script[29]] or false
    end
    assert.same({ script[3], script[29] }, shrink.shrink(script, fails))
  end)
end)
