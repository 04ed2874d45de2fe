-- The Lua files and the core that they load: an incompatible pair is an error at loading. Under
-- LuaJIT, also the memory that pointers refer to: no script can free it.

local collide = require "collide"
local core = require "collide.core"
local gc = require "spec.support.gc"
local script = require "spec.support.script"

local unpack = table.unpack or unpack -- luacheck: ignore

local isJit = require "collide.ffi.frame" and true or false

-- Loads a module again; returns the error that it raises.
local function reload(name)
  local loaded = package.loaded[name]
  package.loaded[name] = nil
  local ok, message = pcall(require, name)
  package.loaded[name] = loaded
  return not ok and tostring(message) or nil
end

local function with(t, key, value, f)
  local was = t[key]
  t[key] = value
  local result = f()
  t[key] = was
  return result
end

describe("the binding", function()
  it("refuses a core of another version", function()
    for _, version in ipairs { core.BINDING - 1, core.BINDING + 1 } do
      local message = with(core, "BINDING", version, function() return reload "collide.binding" end)
      assert.matches("collide.core is of another version: its binding is " .. version, message, 1,
        true)
      assert.matches("have to be of one release", message, 1, true)
    end
  end)

  it("refuses a core without a version, whichever module is required first", function()
    for _, name in ipairs { "collide", "collide.scene", "collide.love", "collide.scene.svg",
      "collide.scene.cli" } do
      local said = script.run(([[
        local core = require "collide.core"
        local old = {}
        for _, name in ipairs { "rectangle", "circle", "newWorld", "describe", "sin", "cos" } do
          old[name] = core[name]
        end
        package.loaded["collide.core"] = old
        print(pcall(require, %q))
      ]]):format(name))
      assert.matches("collide.core is of another version: its binding is none", said, 1, true)
    end
  end)

  describe("refuses a core built for another Lua:", function()
    local ENTRIES = { "collide", "collide.binding", "collide.love", "collide.tiled", "collide.bump",
      "collide.scene", "collide.scene.svg", "collide.scene.cli", "collide.assertions" }

    -- The errors of these modules in a Lua whose loader of the core is `load`.
    local function raised(load)
      return script.run(([[
        package.preload["collide.core"] = %s
        for _, name in ipairs { %q, %q, %q, %q, %q, %q, %q, %q, %q } do
          for loaded in pairs(package.loaded) do
            if loaded:match "^collide" then package.loaded[loaded] = nil end
          end
          print(select(2, pcall(require, name)))
        end
      ]]):format(load, unpack(ENTRIES)))
    end

    local this = rawget(_G, "jit") and "LuaJIT" or _VERSION
    local goal = ({ LuaJIT = "luajit" })[this] or "lua" .. _VERSION:match "%d.*"
    local other = _VERSION == "Lua 5.3" and "Lua 5.4" or "Lua 5.3"
    local expected = ("collide.core was built for %s, and this is %s; build it with `make LUA=%s`, "
      .. "or get the library for %s"):format(other, this, goal, this)

    it("one that does not load, by the Lua that its file names", function()
      local path = os.tmpname()
      local file = assert(io.open(path, "wb"))
      file:write("\127ELF\0 collide.core for ", other, "\0")
      file:close()
      local text = raised(([[function()
        error("error loading module 'collide.core' from file '%s':\n\t%s: undefined symbol", 0)
      end]]):format(path, path))
      os.remove(path)
      assert.equal(("%s (%s)\n"):format(expected, path):rep(#ENTRIES), text)
    end)

    it("one that loads", function()
      local text = raised(([[function()
        return { BINDING = %d, BUILD = "collide.core for %s" }
      end]]):format(core.BINDING, other))
      assert.equal((expected .. "\n"):rep(#ENTRIES), text)
    end)
  end)

  -- The error in a Lua whose loader raises `text`.
  local function afterLoader(text)
    return with(package.loaded, "collide.core", nil, function()
      return with(package.preload, "collide.core", function() error(text, 0) end, function()
        return reload "collide.binding"
      end)
    end)
  end

  describe("refuses a core for another system or processor:", function()
    -- The beginnings of libraries, with the number of a processor, or several.
    local function elf(machine) return "\127ELF\2\1\1" .. ("\0"):rep(9) .. "\3\0" .. machine end
    local function pe(machine)
      return "MZ" .. ("\0"):rep(58) .. "\128\0\0\0" .. ("\0"):rep(64) .. "PE\0\0" .. machine
    end
    local function fat(...)
      local text = "\202\254\186\190\0\0\0" .. string.char(select("#", ...))
      for _, processor in ipairs { ... } do text = text .. processor .. ("\0"):rep(16) end
      return text
    end
    local LIBRARIES = {
      ["Linux x64"] = elf "\62\0", ["Linux ARM64"] = elf "\183\0", ["Linux ARM"] = elf "\40\0",
      ["Linux x86"] = elf "\3\0", ["Linux RISC-V"] = elf "\243\0",
      ["Linux s390x"] = "\127ELF\2\2\1" .. ("\0"):rep(9) .. "\0\3\0\22",
      ["Windows x64"] = pe "\100\134", ["Windows ARM64"] = pe "\100\170",
      ["Windows x86"] = pe "\76\1",
      ["macOS x64"] = "\207\250\237\254\7\0\0\1",
      ["macOS ARM64"] = "\207\250\237\254\12\0\0\1",
      ["macOS x64 and macOS ARM64"] = fat("\1\0\0\7", "\1\0\0\12"),
    }
    local folder = os.tmpname()

    setup(function()
      os.remove(folder)
      os.execute("mkdir " .. folder)
      os.execute("mkdir " .. folder .. "/collide")
    end)
    teardown(function() os.execute("rm -r " .. folder) end)

    local function placed(kind, library, f)
      local path = folder .. "/collide/core." .. kind
      local file = assert(io.open(path, "wb"))
      file:write(library, ("\0"):rep(100))
      file:close()
      local said = f(path)
      os.remove(path)
      return said
    end

    local function failure(path)
      local text = "error loading module 'collide.core' from file '%s':\n\t%s: no library"
      return text:format(path, path)
    end

    -- This system, as an error says.
    local function this()
      for _, name in ipairs { "Linux s390x", "macOS x64" } do
        local said = placed("so", LIBRARIES[name], function(path)
          return afterLoader(failure(path))
        end)
        local here = said:match "and this is (.-);"
        if here then return here end
      end
    end

    it("it knows the running system", function()
      local pipe = io.popen "uname -s -m"
      local said = pipe:read "*a"
      pipe:close()
      local expected = ({ ["Linux x86_64"] = "Linux x64", ["Linux aarch64"] = "Linux ARM64",
        ["Darwin arm64"] = "macOS ARM64" })[said:match "[^\n]*"]
      assert.equal(expected or this(), this())
    end)

    it("it knows the system without /proc, by a command if that can be run", function()
      if isJit then return end
      local here, open = this(), io.open
      local function hidden(path, ...)
        if path == "/proc/self/exe" then return nil end
        return open(path, ...)
      end
      with(io, "open", hidden, function()
        assert.equal(here, this())
        for _, popen in ipairs { function() error "'popen' not supported" end, function() end } do
          with(io, "popen", popen, function()
            placed("so", LIBRARIES["Linux s390x"], function(path)
              assert.equal(failure(path), afterLoader(failure(path)))
            end)
          end)
        end
      end)
    end)

    it("it knows Windows by the environment", function()
      if isJit then return end
      for processor, name in pairs { AMD64 = "Windows x64", ARM64 = "Windows ARM64" } do
        with(package, "config", "\\\n;\n?\n!\n-\n", function()
          with(os, "getenv", function(variable)
            return variable == "PROCESSOR_ARCHITECTURE" and processor or nil
          end, function()
            assert.equal(name, this())
          end)
        end)
      end
    end)

    for name, library in pairs(LIBRARIES) do
      it("one for " .. name, function()
        local here = this()
        placed("so", library, function(path)
          local text = failure(path)
          local expected = ("collide.core was built for %s, and this is %s; build it with `make "
            .. "LUA=%s`, or get the library for %s (%s)"):format(name, here,
            rawget(_G, "jit") and "luajit" or "lua" .. _VERSION:match "%d.*", here, path)
          assert.equal(name:find(here, 1, true) and text or expected, afterLoader(text))
        end)
      end)
    end

    it("one with another extension in a folder that Lua searches", function()
      local here = this()
      local kind, foreign, name = "dll", "so", "Windows x64"
      if here:find "Windows" then kind, foreign, name = "so", "dll", "Linux x64" end
      placed(kind, LIBRARIES[name], function(path)
        local said = afterLoader(("module 'collide.core' not found:\n\tno field package.preload"
          .. "['collide.core']\n\tno file '%s/collide/core.%s'"):format(folder, foreign))
        assert.matches(("built for %s, and this is %s;"):format(name, here), said, 1, true)
        assert.matches(("(%s)"):format(path), said, 1, true)
      end)
    end)

    it("but not a file that is no library, or one for an unknown processor", function()
      for _, text in ipairs { "", "MZ", "version 1 of a pointer to a large file", elf "\255\255",
        pe "\255\255", fat("\1\0\0\99"), "MZ" .. ("\255"):rep(100) } do
        placed("so", text, function(path)
          assert.equal(failure(path), afterLoader(failure(path)))
        end)
      end
    end)
  end)

  it("leaves other errors of the loader unchanged", function()
    local path = os.tmpname()
    local text = ("error loading module 'collide.core' from file '%s': too short"):format(path)
    assert.equal(text, afterLoader(text))
    os.remove(path)
    assert.equal(text, afterLoader(text))
  end)

  it("says what LÖVE needs, since LÖVE hides why a library does not load", function()
    local text = "module 'collide.core' not found:\n\tno 'collide/core' in LOVE game directories."
      .. "\n\tno file 'collide/core' in LOVE paths."
    local before = rawget(_G, "love")
    for system, where in pairs { Linux = "`collide/core.so` in the game's folder, or beside",
      ["OS X"] = "`collide/core.so` in the game's folder, or beside",
      Windows = "`collide/core.dll` in the game's folder, or beside",
      Android = "`lib/<abi>/libcollide.core.so` in the APK", iOS = "linked into LÖVE itself" } do
      rawset(_G, "love", { _os = system })
      local said = afterLoader(text)
      rawset(_G, "love", before)
      assert.equal(text, said:sub(-#text))
      assert.equal(1, said:find(("collide.core cannot be loaded; on %s, LÖVE needs it built for "
        .. "LuaJIT: %s"):format(system, where), 1, true), said)
    end
  end)

  if not isJit then return end

  local FILES = { world = "collide.ffi.frame", place = "collide.ffi.frame",
    pair = "collide.ffi.frame", hit = "collide.ffi.frame", move_hit = "collide.ffi.frame",
    bullets = "collide.ffi.frame", pool = "collide.ffi.frame", walk = "collide.grids",
    snapshot = "collide.ffi.fields", bump = "collide.ffi.bump", found = "collide.ffi.bump",
    bump_hit = "collide.ffi.bump" }

  it("knows every layout that the core has", function()
    for name in pairs(core.layouts) do assert.is_string(FILES[name]) end
  end)

  for name, file in pairs(FILES) do
    it("refuses layouts that differ from LuaJIT's: " .. name, function()
      local layout = core.layouts[name]
      assert.is_nil(reload(file))
      local function refuses(t, key, value, what)
        local message = with(t, key, value, function() return reload(file) end)
        assert.matches(("collide.core has %s at %d, LuaJIT has it at %d"):format(what, value,
          t[key]), message, 1, true)
        assert.matches("have to be of one release", message, 1, true)
      end
      for _, field in ipairs(layout) do
        refuses(field, "at", field.at + 4, name .. "." .. field.name)
      end
      if layout.size then refuses(layout, "size", layout.size + 8, "the end of " .. name) end
    end)
  end
end)

describe("the memory that a pointer refers to", function()
  -- Allocates so much that freed memory is reused.
  local function churn()
    for _ = 1, 3 do gc.full() end
    local junk = {}
    for i = 1, 2000 do junk[i] = collide.rectangle(i, i) end
    for i = 1, 50 do junk[i] = collide.newWorld():newBullets { capacity = 9, radius = 1 } end
    return junk
  end

  local function newPool()
    return collide.newWorld():newBullets { capacity = 100, radius = 1 }
  end

  it("is kept when a script removes the userdata from a pool", function()
    for _ = 1, 20 do
      local pool = newPool()
      pool[1] = nil
      local junk = churn()
      for i = 1, 50 do pcall(pool.spawn, pool, i, i, 0, 0, i) end
      for i = 1, 50 do assert.equal(0, junk[i]:count()) end
    end
  end)

  it("is kept when a script removes it from a world, or copies a pointer to another", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, shape = collide.circle(1) }
    local pool = newPool()
    pool._handle = newPool()._handle
    world._core = nil
    local junk = churn()
    assert.is_false(pcall(world.step, world))
    for i = 1, 50 do pcall(pool.spawn, pool, i, i, 0, 0, i) end
    for i = 1, 50 do assert.equal(0, junk[i]:count()) end
  end)

  it("is kept while a script holds only a ray's iterator", function()
    local iterate, state = collide.gridRay(0.5, 0.5, 5.5, 0.5)
    churn()
    for i = 0, 5 do
      local _, x = iterate(state)
      assert.equal(i, x)
    end
    assert.is_nil(iterate(state))
  end)

  it("cannot be reached by a script through a ray's iterator", function()
    if not isJit or not require("collide.ffi.frame").isOn() then return end
    local iterate, state = collide.gridRay3(0.5, 0.5, 0.5, 99.5, 0.5, 0.5)
    assert.equal("number", type(state))
    iterate(state)
    for guess = -3, 30 do
      local flat, own = collide.gridRay(0.5, 0.5, 80.5, 3.5)
      for _ = 1, 200 do flat(guess) end
      for _ = 1, 200 do flat(own) end
    end
  end)
end)

describe("objects of the library are refused as tables to fill:", function()
  local world = collide.newWorld()
  local pool = world:newBullets { capacity = 9, radius = 1 }
  pool:spawn(1, 2, 3, 4)
  local scene = require("collide.scene").load { name = "a scene" }
  local bitmap = collide.newBitmap(8, 8)
  bitmap:addCircle(4, 4, 4)

  for name, object in pairs { bullets = pool, world = world, scene = scene } do
    it(name, function()
      local before = object[1]
      for what, call in pairs {
        ["bitmap:testCircles: into expected (table"] =
          function() return bitmap:testCircles({ 4 }, { 4 }, 1, 1, object) end,
        ["pool:fill: target expected (table"] = function() return pool:fill(object) end,
        ["world:stats: into expected (table"] = function() return world:stats(object) end,
      } do
        local ok, message = pcall(call)
        assert.is_false(ok)
        assert.matches(what, message, 1, true)
        assert.matches("got " .. name, message, 1, true)
      end
      assert.equal(before, object[1])
      assert.equal(1, pool:count())
    end)
  end
end)
