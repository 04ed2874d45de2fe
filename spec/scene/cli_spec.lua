-- The command line: its output to each stream, and its exit codes.
local collide = require "collide"
local core = require "collide.core"
local input = require "collide.scene.input"
local cli = require "collide.scene.cli"
local scenes = require "collide.scene"

local SWARM = "examples/scenes/swarm.lua"

-- A file that collects what is written to it.
local function stream()
  return {
    text = "",
    write = function(self, ...)
      self.text = self.text .. table.concat({ ... })
      return self
    end,
    flush = function() end,
  }
end

local function main(args, terminal, colored)
  local out, err = stream(), stream()
  local code = cli.main(args, { stdout = out, stderr = err, terminal = terminal,
    shown = terminal, colors = { [out] = colored, [err] = colored } })
  return code, out.text, err.text
end

local temporary = {}

local function name()
  temporary[#temporary + 1] = os.tmpname()
  return temporary[#temporary]
end

-- A scene file with this text.
local function scene(text)
  local path = name()
  local out = assert(io.open(path, "wb"))
  out:write(text)
  out:close()
  return path
end

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local function removeFiles()
  for _, path in ipairs(temporary) do os.remove(path) end
  temporary = {}
end

-- Checks that a command fails with `code` and writes only this message, to stderr. "…" at the end
-- of `message` stands for any text.
local function fails(code, message, args)
  local got, out, err = main(args)
  assert.equal("", out)
  local start = message:match("^(.*)…$")
  if start then
    assert.equal("collide: " .. start, err:sub(1, #start + 9))
    assert.equal(1, select(2, err:gsub("\n", "")))
  else
    assert.equal("collide: " .. message .. "\n", err)
  end
  assert.equal(code, got)
end

describe("collide run", function()
  after_each(removeFiles)

  it("reports on a scene", function()
    local code, out, err = main { "run", SWARM, "--frames", "20", "--set", "count=200" }
    assert.equal("", err)
    assert.equal(0, code)
    local time = " +%d+%.%d%d%d%d"
    for _, pattern in ipairs {
      "^swarm, 20 frames of 0%.016667 s, seed 1, %a+, Lua[^\n]*\n",
      "\nactors 200\n", "\nhits %d+%.%d%d a frame\n", "\nms a frame +median +p99\n",
      "\nupdate" .. time .. time .. "\n", "\npull" .. time .. time .. "\n",
      "\nfind" .. time .. time .. "\n", "\ndispatch" .. time .. time .. "\n",
      "\nframe" .. time .. time .. "\n", "\nhash %d+\n$",
    } do
      assert.is_truthy(out:find(pattern), pattern)
    end
  end)

  it("prints the hits and the hash that the scene ends with", function()
    local _, out = main { "run", SWARM, "--frames", "10" }
    local run, hits = scenes.load(SWARM), 0
    for _ = 1, 10 do
      scenes.step(run)
      hits = hits + run.world:stats().hits
    end
    assert.equal(run.world:hash(), out:match("\nhash (%d+)\n"))
    assert.equal(("%.2f"):format(hits / 10), out:match("\nhits (%S+) "))
  end)

  local function hash(...)
    local code, out, err = main { "run", ... }
    assert.equal("", err)
    assert.equal(0, code)
    return out:match("\nhash (%d+)\n"), out
  end

  it("takes options before and after the file, and with =", function()
    local expected = hash(SWARM, "--seed", "2", "--frames", "5")
    assert.equal(expected, (hash("--seed=2", SWARM, "--frames=5")))
    assert.not_equal(expected, (hash(SWARM, "--frames", "5")))
    assert.equal(expected, (hash("--seed", "2", "--frames", "5", "--", SWARM)))
  end)

  it("passes all options to the scene", function()
    local path = scene [[
      return { params = { n = 1, s = "", b = true }, setup = function(scene)
        local p = scene.params
        scene.name = ("%g %s %s %s"):format(p.n, p.s, tostring(p.b), tostring(scene.dt))
      end }]]
    local _, out = hash(path, "--frames=3", "--dt=1/50", "--seed", "4503599627370495",
      "--broadphase", "brute", "--set", "n=2.5", "--set=s=a=b", "--set", "b=false")
    assert.equal("2.5 a=b false 0.02, 3 frames of 0.02 s, seed 4503599627370495, brute, ",
      out:match("^.*brute, "))
  end)

  it("gives the same result with every broad phase", function()
    local brute = hash(SWARM, "--frames", "30", "--broadphase", "brute")
    assert.equal(brute, (hash(SWARM, "--frames", "30", "--broadphase", "quadtree")))
  end)

  it("plays with the keys of a file, whose settings the command line overrides", function()
    local path = scene [[
      return { name = "keys", params = { n = 1 }, setup = function(scene)
        scene.actor = scene.world:add { x = 0, y = 0, shape = require("collide").circle(1) }
      end, update = function(scene)
        if scene:down "right" then scene.actor.x = scene.actor.x + scene.params.n end
      end, check = function(scene)
        return false, ("%g after %d, seed %d"):format(scene.actor.x, scene.frame, scene.seed)
      end }]]
    local keys = scene "# mine\nframes 5\nseed 4\nset n=10\n2-3 right\n5 right\n"
    local function told(...)
      local _, _, err = main { "run", path, "--input", keys, ... }
      return err:match("check failed: (.*)\n")
    end
    assert.equal("30 after 5, seed 4", told())
    assert.equal("6 after 6, seed 9", told("--frames", "6", "--seed=9", "--set", "n=2"))
    fails(1, "cannot read the input: nowhere.input: …", { "run", path, "--input", "nowhere.input" })
    local wrong = scene "right\n"
    fails(1,
      wrong .. ':1: line expected ("from-to key" or "at key"), got string "right"',
      { "run", path, "--input", wrong })
  end)

  it("can play no frames", function()
    local _, out = hash(SWARM, "--frames", "0")
    assert.is_truthy(out:find("hits 0.00 a frame", 1, true))
  end)

  describe("--svg", function()
    local function picture(...)
      local path = name()
      hash(SWARM, "--set", "count=3", "--svg", path, ...)
      return contents(path)
    end

    it("writes the last frame, or the one given by --at", function()
      local last = picture("--frames", "4")
      assert.equal(last, picture("--frames", "6", "--at", "4"))
      assert.not_equal(last, picture("--frames", "4", "--at", "3"))
      assert.not_equal(last, picture("--frames", "4", "--at", "0"))
      assert.equal([[<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"]],
        last:match("^<svg [^>]-height=%S+"))
      assert.equal(3, select(2, last:gsub('height="10" fill', "")))
    end)

    it("draws the scene, or its world if that has no draw", function()
      local path = name()
      hash(scene [[
        return { frames = 1, draw = function(_, canvas) canvas:print("mine", 1, 2) end }]],
        "--svg", path)
      assert.is_truthy(contents(path):find(">mine</text>", 1, true))
    end)

    it("reports that the file can't be written, after the other output", function()
      local code, out, err = main { "run", SWARM, "--frames=1", "--svg", "nowhere/none.svg" }
      assert.equal(1, code)
      assert.is_truthy(out:find("\nhash %d+\n$"))
      assert.is_truthy(err:find("^collide: cannot write the picture: nowhere/none.svg: [^\n]+\n$"))
    end)

    it("reports errors of draw", function()
      local path = scene "return { draw = function(_, canvas)\n  canvas:shape('oval')\nend }"
      local code, out, err = main { "run", path, "--frames=1", "--svg", name() }
      assert.equal(1, code)
      assert.equal("", out)
      local message = ':2: canvas:shape: mode expected ("fill" or "line"), got string "oval"\n'
      assert.is_truthy(err:find(message, 1, true))
    end)
  end)

  describe("--html", function()
    local function write(...)
      local path = name()
      local code = main { "run", "--html", path, ... }
      return contents(path), code
    end

    local function frames(text)
      local list = text:match('"frames":%[(.-")%],"height"')
      return 1 + select(2, list:gsub('","', ""))
    end

    it("writes a page of every frame", function()
      local text, code = write(SWARM, "--frames", "4", "--set", "count=3")
      assert.equal(0, code)
      assert.equal(5, frames(text))
      assert.is_truthy(text:find("<title>swarm</title>", 1, true))
      assert.is_nil(text:find("https?:"))
    end)

    it("opens the page at the frame given by --at", function()
      assert.equal("2", write(SWARM, "--frames", "4", "--at", "2"):match('"at":(%d+)'))
      assert.is_nil(write(SWARM, "--frames", "4"):match('"at":'))
    end)

    it("writes the frames before an error of the scene", function()
      local path = scene "return { update = function(s) if s.frame == 3 then error 'no' end end }"
      local text, code = write(path)
      assert.equal(1, code)
      assert.equal(3, frames(text))
    end)

    it("reports that the file can't be written", function()
      local code, _, err = main { "run", SWARM, "--frames=1", "--html", "nowhere/none.html" }
      assert.equal(1, code)
      assert.matches("^collide: cannot write the page: nowhere/none.html: [^\n]+\n$", err)
    end)
  end)

  describe("refuses", function()
    it("invalid command lines", function()
      fails(2, "run takes a file: collide run FILE", { "run" })
      fails(2, "run takes one file, got 2: a.lua, b.lua", { "run", "a.lua", "b.lua" })
      fails(2, "unknown option --fast; there are --actor, --against, --at, --broadphase, " ..
        "--details, --dt, --frames, --html, --input, --rewind, --seed, --set, --show, --svg, " ..
        "--trace",
        { "run", SWARM, "--fast" })
      fails(2, "unknown option -f; there are …", { "run", SWARM, "-f" })
      fails(2, "unknown option --hlep", { "diff", "--hlep" })
      fails(2, "--frames takes a value (whole number from 0 to 2^53)",
        { "run", SWARM, "--frames" })
      fails(2, "--svg takes a value (file)", { "run", SWARM, "--svg", "--at", "1" })
      fails(2, "--at says which picture --svg writes, or where --html opens: add one of them",
        { "run", SWARM, "--at", "3" })
    end)

    for _, case in ipairs {
      { "show", "9-3" }, { "show", "7" }, { "frames", "3-9" }, { "details", "3" },
      { "details", "all" }, { "frames", "ten" }, { "frames", "-1" },
      { "frames", "1.5" }, { "frames", "" },
      { "at", "x" }, { "dt", "0" }, { "dt", "-1" }, { "dt", "1/0" }, { "dt", "1/" },
      { "dt", "fast" }, { "dt", "inf" }, { "seed", "-1" }, { "seed", "0.5" }, { "seed", "1e16" },
      { "set", "count" }, { "set", "=3" }, { "svg", "" }, { "broadphase", "" },
    } do
      local option, value = case[1], case[2]
      it(("--%s=%s"):format(option, value), function()
        local code, out, err = main { "run", SWARM, ("--%s=%s"):format(option, value) }
        assert.equal("", out)
        assert.is_truthy(err:find(("^collide: %%-%%-%s expected %%(.+%%), got \"[^\n]*\"\n$")
          :format(option)), err)
        assert.equal(2, code)
      end)
    end

    it("pictures of a frame that is not played", function()
      fails(2, "--at expected (whole number from 0 to 5), got 6",
        { "run", SWARM, "--frames", "5", "--svg", "x.svg", "--at", "6" })
      fails(2, "--show expected (range of frames up to 5), got 4-6",
        { "run", SWARM, "--frames", "5", "--show", "4-6" })
    end)

    it("params that the scene does not have", function()
      fails(1, SWARM .. ': param expected (one of count, speed), got string "cuont"',
        { "run", SWARM, "--set", "cuont=3" })
      fails(1, SWARM .. ': params.count expected (finite number), got string "many"',
        { "run", SWARM, "--set", "count=many" })
    end)

    it("an unknown broad phase", function()
      fails(2, "--broadphase expected (auto, grid, quadtree, incremental, brute), got \"magic\"",
        { "run", SWARM, "--broadphase", "magic" })
    end)

    it("a missing file, or a file that is not a scene", function()
      fails(1, "nowhere/none.lua: cannot read it: …", { "run", "nowhere/none.lua" })
      local path = scene "return 5"
      fails(1, path .. ": a scene file returns a table {setup = …, update = …}, got number 5",
        { "run", path })
      path = scene "return {"
      local code, _, err = main { "run", path }
      assert.equal(1, code)
      assert.is_truthy(err:find("^collide: [^\n]+:1: [^\n]+\n$"))
      path = scene "return { width = -5 }"
      fails(1, path .. ": width expected (positive number up to 1e12), got -5", { "run", path })
    end)
  end)

  describe("shows an error of the scene with its stack", function()
    local RAISE = [[
      local function inner() error("the fuel is out") end
      local function raise() inner() return 1 end
      local here = "%s"
      if here == "file" then raise() end
      return { setup = here == "setup" and raise or nil, update = here == "update" and raise or nil,
        draw = here == "draw" and raise or nil, check = here == "check" and raise or nil }
    ]]
    for _, where in ipairs { "file", "setup", "update", "draw", "check" } do
      it("in " .. where, function()
        local path = scene(RAISE:format(where))
        local code, out, err = main { "run", path, "--frames", "2", "--svg", name() }
        assert.equal(1, code)
        assert.equal("", out)
        assert.is_truthy(err:find("^collide: [^\n]+:1: the fuel is out\nstack traceback:\n"), err)
        assert.equal(where ~= "file", err:find("^collide: frame %d, seed 1: ") ~= nil, err)
        assert.is_truthy(err:find("\n\t[^\n]+:2: in "), err)
        assert.is_nil(err:find("cli_spec", 1, true), err)
        assert.equal(1, select(2, err:gsub("stack traceback:", "")), err)
        assert.is_nil(err:find("lua/collide/", 1, true), err)
      end)
    end

    it("even when the error is not a string", function()
      local path = scene "return { update = function() error({}) end }"
      local code, _, err = main { "run", path }
      assert.equal(1, code)
      assert.is_truthy(err:find("^collide: frame 1, seed 1: table {}\nstack traceback:"), err)
    end)
  end)

  it("reports on a scene whose check fails, and exits with 1", function()
    local path = scene "return { check = function() return false, 'no one was hit' end }"
    local code, out, err = main { "run", path, "--frames", "1" }
    assert.equal(1, code)
    assert.is_truthy(out:find("\nhash %d+\n$"))
    assert.equal(("collide: %s: check failed: no one was hit\n"):format(path), err)
  end)

  it("reports an option that is missing, or a value that an option does not take", function()
    local path = scene "return { frames = 1 }"
    fails(2, "--details says what --trace writes: add --trace FILE",
      { "run", path, "--details", "none" })
    assert.same({ paused = true }, input.options({ "--paused" }, { paused = {} }))
    assert.same({ nil, "--paused takes no value" },
      { input.options({ "--paused=3" }, { paused = {} }) })
  end)

  describe("shows progress", function()
    -- The scene advances the clock itself, so that the bar is drawn after certain frames.
    local clock = core.clock
    before_each(function()
      local now = 0
      function core.clock(passed)
        now = now + (passed or 0)
        return now
      end
    end)
    after_each(function() core.clock = clock end)

    local SLOW = [[
      local core = require "collide.core"
      return { frames = 4, update = function(scene)
        core.clock(0.06)
        if scene.frame == %d then error("stop here") end
      end }
    ]]

    it("on a terminal, and erases it again", function()
      local code, out, err = main({ "run", scene(SLOW:format(0)) }, true)
      assert.equal(0, code)
      assert.is_truthy(err:find("^\r%[#+%-+%]  50%%  2 of 4"), err)
      assert.is_truthy(err:find("\r +\r$"))
      assert.is_nil(out:find("[\r#]"))
    end)

    it("of collide test after the signs for results, which stay", function()
      local good, slow = scene "return { frames = 1 }", scene(SLOW:format(0))
      local folder = good .. "-folder"
      assert(os.execute("mkdir " .. folder))
      os.rename(good, folder .. "/a.lua")
      os.rename(slow, folder .. "/b.lua")
      temporary = {}
      local code, out, err = main({ "test", folder }, true)
      os.execute("rm -r " .. folder)
      assert.equal(0, code)
      assert.matches("^%+%+\n2 successes", out)
      assert.matches("^\r%+%[#+%-+%]  50%%  2 of 4", err)
      assert.matches("\r%+ +\r%+$", err)
    end)

    it("and erases it before an error", function()
      local _, _, err = main({ "run", scene(SLOW:format(4)) }, true)
      assert.is_truthy(err:find("\r +\rcollide: [^\n]+stop here\n"))
    end)

    it("nowhere else", function()
      local _, _, err = main { "run", scene(SLOW:format(0)) }
      assert.equal("", err)
    end)
  end)
end)

describe("collide", function()
  it("prints help", function()
    for _, args in ipairs { { "help" }, { "--help" }, { "-h" } } do
      local code, out, err = main(args)
      assert.equal(0, code)
      assert.equal("", err)
      for _, text in ipairs { "run FILE", "--frames N", "--dt S", "--seed N", "--broadphase NAME",
        "--set KEY=VALUE", "--input FILE", "--svg FILE", "--html FILE", "--at K",
        "--version", "Examples:\n  collide run ", "\n  collide test ", "\n  collide fuzz ",
        "\n  collide diff ",
        "Exit codes: 0 " } do
        assert.is_truthy(out:find(text, 1, true), text)
      end
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 90, line) end
    end
  end)

  it("prints help for each command, with an example", function()
    for _, command in ipairs { "run", "test", "fuzz", "diff", "film" } do
      local code, out, err = main { "help", command }
      assert.same({ 0, "" }, { code, err })
      assert.matches("^collide " .. command .. " .*\nExamples?:\n  collide " .. command .. " ", out)
      assert.matches("Exit codes: 0 ", out, 1, true)
      for line in out:gmatch("[^\n]+") do assert.is_true(#line <= 100, line) end
      for _, args in ipairs { { command, "--help" }, { command, "x", "-h" }, { "-h", command } } do
        assert.equal(out, select(2, main(args)))
      end
    end
    fails(2, "no help about walk; there are run, test, fuzz, diff, film", { "help", "walk" })
    fails(2, "no help about walk; there are run, test, fuzz, diff, film", { "walk", "--help" })
  end)

  it("shows examples whose options exist", function()
    for example in select(2, main { "help" }):gmatch "\n  (collide %l+ [^\n]+)" do
      local args = {}
      for word in example:gsub("^collide ", ""):gmatch "%S+" do args[#args + 1] = word end
      local options = args[1] == "fuzz" and input.FUZZ_OPTIONS or input.OPTIONS
      assert.is_table(input.options(args, options), example)
    end
  end)

  it("writes colours to terminals that show them, and nowhere else", function()
    local red = "\27[31mcollide:\27[0m a command is missing: collide run FILE, or collide help\n"
    assert.equal(red, select(3, main({}, true, true)))
    fails(2, "a command is missing: collide run FILE, or collide help", {})
    local good = scene "return { frames = 1 }"
    local bad = scene "return { frames = 1, check = function() return false end }"
    os.rename(bad, bad .. ".lua")
    os.rename(good, good .. ".lua")
    temporary = { bad .. ".lua", good .. ".lua" }
    local _, out = main({ "test", good .. ".lua" }, true, true)
    assert.matches("^\27%[32m%+\27%[0m\n1 success / ", out)
    _, out = main({ "test", bad .. ".lua" }, true, true)
    assert.matches("^\27%[31m%-\27%[0m\n.*\n\27%[31mFailure\27%[0m %-> ", out)
    _, out = main({ "test", bad .. ".lua" }, true)
    assert.not_matches("\27", out, 1, true)
    removeFiles()
  end)

  it("writes no colours without a terminal, with NO_COLOR, and on a dumb terminal", function()
    local wanted = require("collide.scene.run").wantsColors
    local function set(variables) return function(key) return variables[key] end end
    assert.is_true(wanted(true, set { TERM = "xterm" }))
    assert.is_true(wanted(true, set { TERM = "xterm", NO_COLOR = "" }))
    assert.is_false(wanted(false, set { TERM = "xterm" }))
    assert.is_false(wanted(true, set { TERM = "xterm", NO_COLOR = "1" }))
    assert.is_false(wanted(true, set { TERM = "dumb" }))
    assert.is_false(wanted(true, set {}))
  end)

  it("prints its version", function()
    local code, out = main { "--version" }
    assert.equal(0, code)
    assert.equal(("%s (%s)\n"):format(collide._VERSION, _VERSION), out)
  end)

  it("refuses other commands", function()
    fails(2, 'unknown command "walk"; there are run, test, fuzz, diff, film, help and --version',
      { "walk" })
    fails(2, "a command is missing: collide run FILE, or collide help", {})
  end)
end)

-- The program itself; the script that runs the specs sets its path.
local program = os.getenv("COLLIDE")

if program then
  describe("the program " .. program, function()
    after_each(removeFiles)

    local function shell(arguments)
      local pipe = assert(io.popen(("%s %s 2>&1; echo \"code $?\""):format(program, arguments)))
      local text = pipe:read("*a")
      pipe:close()
      local output, code = text:match("^(.*)code (%d+)\n$")
      return tonumber(code), output
    end

    it("runs scenes, and shows no progress into a pipe", function()
      local code, out = shell("run " .. SWARM .. " --frames 3")
      assert.equal(0, code)
      assert.is_truthy(out:find("^swarm, [^\r]*\nhash %d+\n$"))
    end)

    it("exits with an exit code", function()
      assert.equal(2, (shell "run"))
      local code, out = shell("run nowhere/none.lua")
      assert.equal(1, code)
      assert.is_truthy(out:find("^collide: nowhere/none.lua: [^\n]+\n$"))
    end)
  end)
end

describe("core.isatty", function()
  it("answers for stdout and stderr", function()
    assert.equal("boolean", type(core.isatty("stdout")))
    assert.equal("boolean", type(core.isatty("stderr")))
  end)
end)

describe("mistakes in a command line", function()
  it("exit with 2 if a number of frames is too large", function()
    fails(2, '--frames expected (whole number from 0 to 2^53), got "1e99"',
      { "run", SWARM, "--frames", "1e99" })
    fails(2, '--at expected (whole number from 0 to 2^53), got "1e99"',
      { "run", SWARM, "--svg", "x.svg", "--at", "1e99" })
  end)

  it("are reported for folders that do not exist or have no scene", function()
    fails(1, "no/such folder: there is no such folder", { "test", "no/such folder" })
    fails(1, "examples/pictures: there is no scene in it", { "test", "examples/pictures" })
  end)
end)
