-- `collide fuzz`: what it finds, how it shortens the input, and the files that it leaves.
local commandline = require "spec.support.commandline"
local random = require "spec.support.random"

local CORNER = "spec/support/corner.lua"

local temporary = {}

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

-- A scene file with this text.
local function write(text)
  local path = os.tmpname()
  temporary[#temporary + 1] = path
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

-- Fuzzes a file. Returns the exit code, the lines of the keys that are left, the rest of the
-- output, and the errors.
local function fuzz(path, ...)
  local code, out, err = commandline.run("fuzz", path, ...)
  for file in out:gmatch "\n%l+: ([^\n]*fuzz%.%l+)" do temporary[#temporary + 1] = file end
  local lines = {}
  for line in out:gmatch "\n  ([^\n]+)" do lines[#lines + 1] = line end
  return code, lines, out, err
end

local function removeFiles()
  for _, path in ipairs(temporary) do os.remove(path) end
  temporary = {}
end

describe("collide fuzz", function()
  after_each(removeFiles)

  for seed = 1, random.crowd(2) do
    it("finds a jump at a corner while dropping, seed " .. seed, function()
      local code, lines, out, err = fuzz(CORNER, "--seed", tostring(seed), "--runs", "200")
      assert.equal(1, code)
      assert.matches("^seed " .. seed .. "\nrun %d+, %d+ keys in %d+ frames: frame ", out)
      assert.is_true(#lines >= 4 and #lines <= 6, out)
      local frame = err:match "^collide: frame (%d+), seed 1: always failed: the hero has passed"
      assert.is_true(tonumber(frame) < 120, err)

      local given, page = out:match "\ninput: (%S+)\npage: (%S+)\n$"
      local played, _, said = commandline.run("run", CORNER, "--input", given)
      assert.same({ 1, err }, { played, said })
      assert.matches('"at":' .. frame .. ",", contents(page), 1, true)
      assert.matches("always failed: the hero has passed the wall", contents(page), 1, true)
    end)
  end

  it("finds and shortens the same input for the same seed and number of runs", function()
    local path = write [[
      return { frames = 60, update = function(scene)
        local state = scene.state
        if scene:down "a" and scene:pressed "b" then state.at = scene.frame end
        if scene:pressed "c" and state.at and scene.frame - state.at == 3 then error "found" end
      end }]]
    local first = { fuzz(path, "--seed", "5", "--runs", "100") }
    assert.equal(3, #first[2])
    assert.same(first, { fuzz(path, "--seed", "5", "--runs", "100") })
  end)

  it("finds nothing in a correct scene, and names the keys that it has pressed", function()
    local path = write [[
      return { frames = 9, update = function(scene)
        if scene:down "b" and scene:pressed "a" then scene.state.c = scene:down "c" end
      end }]]
    local code, lines, out, err = fuzz(path, "--seed=4", "--runs", "50")
    assert.same({ 0, {}, "" }, { code, lines, err })
    assert.equal("seed 4\nnothing found in 50 runs of 9 frames; keys: a, b, c\n", out)
  end)

  it("plays a scene that reads no keys once", function()
    local path = write "return { frames = 1 }"
    local _, _, out = fuzz(path, "--seed", "1")
    assert.equal("seed 1\nnothing found in 1 run of 1 frame; the scene asks for no keys\n", out)
  end)

  it("uses another seed each time, and stops after some seconds", function()
    local code, _, out = fuzz(write "return { frames = 1, update = function(s) s:down 'a' end }",
      "--seconds", "0.01")
    assert.equal(0, code)
    assert.matches("^seed %d+\nnothing found in %d+ runs? of 1 frame; keys: a\n$", out)
  end)

  -- Checks what is found in a scene, with the options of a run: the message, and the keys.
  local function finds(body, message, keys, ...)
    local path = write([[
      local collide = require "collide"
      return { frames = 40, params = { n = 1 }, setup = function(scene)
        scene.state.a = scene.world:add { name = "a", x = 0, y = 0, shape = collide.circle(1) }
      end, ]] .. body .. " }")
    local code, lines, out, err = fuzz(path, "--seed", "1", "--runs", "100", ...)
    assert.equal(1, code)
    assert.matches(message, err)
    assert.same(keys, lines)
    return out, err
  end

  it("finds errors, with their stacks", function()
    local _, err = finds([[update = function(scene)
        if scene:pressed "x" and scene.frame > 5 then error("the fuel is out") end
      end]], "^collide: frame 6, seed 1: [^\n]+: the fuel is out\n", { "6 x" })
    assert.matches("\nstack traceback:\n", err, 1, true)
  end)

  it("finds errors that are tables, and prints their fields", function()
    finds([[update = function(scene)
        if scene:down "x" then error { code = 3, what = "the fuel is out", [1] = true } end
      end]], '^collide: frame 1, seed 1: table {1 = true, code = 3, '
      .. 'what = "the fuel is out"}\n', { "1 x" })
    finds([[update = function(scene)
        if scene:down "x" then
          error(setmetatable({}, { __tostring = function() return "no fuel" end }))
        end
      end]], "^collide: frame 1, seed 1: no fuel\n", { "1 x" })
  end)

  local LIMIT = "no end within 20000 instructions of Lua %(%-%-instructions%)\n"

  it("stops frames that do not end, with and without pcall", function()
    for _, body in ipairs { "while true do end", "while true do pcall(function() end) end",
      "local function f() return f() end f()" } do
      local _, err = finds(("update = function(s) if s:down 'x' then %s end end"):format(body),
        "^collide: frame 1, seed 1: " .. LIMIT, { "1 x" }, "--instructions", "20000")
      assert.matches("\nstack traceback:\n", err, 1, true)
    end
    assert.is_nil((debug.gethook()))
    local code, _, _, err = fuzz(write "return { setup = function() while true do end end }",
      "--instructions=20000")
    assert.equal(1, code)
    assert.matches("^collide: frame 0, seed 1: " .. LIMIT, err)
    code, _, _, err = fuzz(write "while true do end", "--instructions=20000")
    assert.equal(1, code)
    assert.matches("^collide: " .. LIMIT, err)
  end)

  it("writes an input file without the scene's own input", function()
    local out = finds([[input = "1-9 y", update = function(scene)
        if scene:down "x" and not scene:down "y" then error "found" end
      end]], ": found\n", { "1 x" })
    local lines = contents(out:match "input: (%S+)")
    assert.matches("^# frame 1, seed 1: [^\n]+: found\nframes 1\nseed 1\ndt [%d.]+\nset n=1\n"
      .. "1 x\n$", lines)
  end)

  it("finds states that `check` refuses after all frames of the scene", function()
    local out = finds([[update = function(scene)
        if scene:down "x" then scene.state.count = (scene.state.count or 0) + 1 end
      end, check = function(scene) return (scene.state.count or 0) < 3, "three times" end]],
      "^collide: frame 30, seed 1: check failed: three times\n$", { "3-5 x" }, "--frames", "30")
    local given = out:match "input: (%S+)"
    local played, _, said = commandline.run("run", temporary[1], "--input", given)
    assert.equal(1, played)
    assert.matches("check failed: three times\n$", said)
  end)

  it("finds fields that are nan, of actors and of the state", function()
    finds([[update = function(scene)
        if scene:down "x" then scene.state.a.vx = 0 / 0 end
      end]], '^collide: frame 1, seed 1: actor 1 "a" %(at 0, 0%): vx is nan\n$', { "1 x" })
    finds([[update = function(scene)
        if scene:down "x" then scene.state.time = 0 / 0 end
      end]], "^collide: frame 1, seed 1: scene.state.time is nan\n$", { "1 x" })
  end)

  local CRUSH = [[update = function(scene)
      local a = scene.state.a
      if not a.character then a.character = scene.world:newCharacter(a, {}) end
      if scene:pressed "x" then
        for i = 1, 3 do
          scene.world:add { x = -50, y = -50, static = true, shape = collide.rectangle(99, 99) }
        end
      end
      a.character:move(0, 0, 1)
    end]]

  it("finds characters that are crushed, unless --allow permits it", function()
    local out = finds(CRUSH, "^collide: frame 1, seed 1: actor 1 \"a\" %(at [^()]+%) is crushed\n$",
      { "1 x" }, "--frames", "30")
    assert.matches('"at":1,', contents(out:match "page: (%S+)"), 1, true)
    assert.equal(0, (fuzz(temporary[1], "--seed=1", "--runs", "20", "--allow", "crushed")))
  end)

  it("shortens the input to the keys that matter, in the order of time", function()
    finds([[update = function(scene)
        local state = scene.state
        if scene:pressed "x" then state.x = scene.frame end
        if scene:down "y" and state.x and scene.frame - state.x == 4 then state.y = true end
        if state.y and scene:pressed "z" then error "found" end
      end]], "^collide: frame %d, seed 1: [^\n]+: found\n", { "1 x", "5 y", "6 z" })
  end)

  it("plays the same keys only once while it shortens them", function()
    local out = finds("update = function(scene) if scene:down 'x' then error 'found' end end",
      ": found\n", { "1 x" }, "--frames", "1")
    assert.matches("\ncut to 1 key in 1 frame by 2 runs\n", out, 1, true) -- with it and without
  end)

  it("goes on until the seconds are over", function()
    finds("update = function(scene) if scene:down 'x' then error 'found' end end", ": found\n",
      { "1 x" }, "--seconds", "60")
  end)

  it("plays with the options of a run, which it writes to the input file", function()
    local out, err = finds([[update = function(scene)
        if scene:down "x" then error(scene.params.n .. " " .. scene.dt) end
      end]], ": 7 0.5\n", { "1 x" }, "--set", "n=7", "--dt", "1/2")
    local _, _, said = commandline.run("run", temporary[1], "--input", out:match "input: (%S+)")
    assert.equal(err, said)
  end)

  it("reports that a scene did not repeat with the same keys", function()
    local path = write [[
      return { frames = 9, update = function(scene)
        if scene:down "x" and not package.loaded.once then
          package.loaded.once = true
          error "found"
        end
      end }]]
    local code, lines, out = fuzz(path, "--seed", "1", "--runs", "20")
    package.loaded.once = nil
    assert.same({ 1, {} }, { code, lines })
    assert.matches("\nthe same keys did not find it again: the scene depends on more than its "
      .. "keys\n", out, 1, true)
  end)

  it("reports an error that needs no keys", function()
    finds("always = function() return false end",
      "^collide: frame 1, seed 1: always failed: it returned false\n$", {})
  end)

  it("says what is wrong with a command line or a file", function()
    local function fails(code, message, ...)
      local got, out, err = commandline.run("fuzz", ...)
      assert.same({ code, "" }, { got, out })
      assert.matches("collide: " .. message, err, 1, true)
    end
    fails(2, "fuzz takes a scene: collide fuzz SCENE\n")
    fails(2, "fuzz takes a scene: collide fuzz SCENE\n", CORNER, CORNER)
    fails(2, '--allow expected (crushed), got "nan"\n', CORNER, "--allow", "nan")
    fails(2, '--runs expected (whole number from 1 to 2^53), got "0"\n', CORNER, "--runs", "0")
    fails(2, '--seconds expected (positive number of seconds), got "-1"\n', CORNER, "--seconds=-1")
    fails(1, "nowhere/none.lua: cannot read it: ", "nowhere/none.lua")
    fails(1, "frame 0, seed 1: ", write "return { setup = function() error 'no' end }")
  end)
end)
