-- The library in another folder of a game, and under several names at once: all are one library.

local script = require "spec.support.script"

-- The first file that exists for a module in a list of templates.
local function find(templates, name)
  for template in templates:gmatch "[^;]+" do
    local path = template:gsub("%?", name)
    local file = io.open(path, "rb")
    if file then
      file:close()
      return path
    end
  end
end

local here = find(package.path, "collide/init"):match "^(.*)/init%.lua$"
local library = find(package.cpath, "collide/core")

describe("a folder of a game", function()
  local game = os.tmpname()

  setup(function()
    os.remove(game)
    os.execute(("mkdir -p %s/lib/collide %s/other"):format(game, game))
    os.execute(("cp -R %s/* %s/lib/collide"):format(here, game))
    os.execute(("cp %s %s/lib/collide"):format(library, game))
    os.execute(("cp -R %s/lib/collide %s/lib/renamed"):format(game, game))
    os.execute(("cp -R %s %s/other/collide"):format(here, game))
  end)
  teardown(function() os.execute("rm -r " .. game) end)

  -- The output of a program that finds modules only in this folder and in `more`.
  local function run(program, more)
    return script.run(([[
      package.path, package.cpath = "%s/?.lua;%s/?/init.lua;%s", "%s/?.%s;nowhere/?"
      local path, cpath = package.path, package.cpath
      %s
      assert(path == package.path and cpath == package.cpath)
    ]]):format(game, game, more or "", game, library:match "%a+$", program))
  end

  it("finds the library, whichever module is required first", function()
    for _, name in ipairs { "", ".love", ".tiled", ".bump", ".scene" } do
      assert.equal("true\ttrue\ttrue\n", run(([[
        local first = require "lib.collide%s"
        local collide, core = require "lib.collide", package.loaded["collide.core"]
        local box = collide.rectangle(10, 10)
        local world = collide.newWorld()
        for x = 1, 2 do world:add { x = x, y = 0, shape = box } end
        local hits = 0
        world:step()
        for _ in world:hits() do hits = hits + 1 end
        print(type(first) == "table", hits == 1, core.isShape(box))
      ]]):format(name)))
    end
  end)

  it("may be renamed, and required by several spellings", function()
    assert.equal("true\ttrue\ttrue\ttrue\n", run [[
      local collide, bump = require "lib.renamed", require "lib.renamed.bump"
      collide.newWorld():step()
      print(collide == require "lib/renamed", collide == require "lib.renamed.init",
        bump == require "lib/renamed/bump", collide == require "lib/renamed/init")
    ]])
  end)

  it("is the same library under another prefix", function()
    for _, first in ipairs { "lib.collide", "other.collide", "collide" } do
      assert.equal(("true "):rep(5) .. "\n", run(([[
        local P = { "lib.collide", "other.collide", "collide" }
        package.preload["collide.core"] = package.loadlib(%q, "luaopen_collide_core")
        require(%q)
        for _, name in ipairs { "", ".love", ".tiled", ".bump", ".scene" } do
          local one = require(P[1] .. name)
          io.write(tostring(one == require(P[2] .. name) and one == require(P[3] .. name)), " ")
        end
        print()
      ]]):format(library, first), ("%s/../?.lua;%s/../?/init.lua"):format(here, here)))
    end
  end)

  it("uses a core that was loaded or preloaded", function()
    assert.equal("true\n", run [[
      local core = require "lib.collide" and package.loaded["collide.core"]
      for name in pairs(package.loaded) do
        if name:find "collide" then package.loaded[name] = nil end
      end
      package.preload["collide.core"] = function() return core end
      print(core == (require "other.collide" and package.loaded["collide.core"]))
    ]])
  end)

  it("raises the usual error without a core", function()
    local said = run [[
      print(pcall(require, "other.collide"))
      print(package.cpath == cpath)
    ]]
    assert.matches("^false\tmodule 'collide.core' not found:", said)
    assert.matches("no file '" .. game .. "/other/collide/core.", said, 1, true)
    assert.matches("true\n$", said)
  end)
end)
