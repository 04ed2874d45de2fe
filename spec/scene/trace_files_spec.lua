-- Traces of scenes: how they are recorded, written, read and compared, and the commands for that.
local cli = require "collide.scene.cli"
local collide = require "collide"
local files = require "collide.files"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"

local temporary = {}

local function name(extension)
  local path = os.tmpname()
  temporary[#temporary + 1] = path
  if not extension then return path end
  temporary[#temporary + 1] = path .. extension
  return path .. extension
end

local function file(text, extension)
  local path = name(extension)
  assert(files.write(path, text))
  return path
end

local function removeFiles()
  for _, path in ipairs(temporary) do os.remove(path) end
  temporary = {}
end

local function main(...)
  local function stream()
    return { text = "", flush = function() end, write = function(self, ...)
      self.text = self.text .. table.concat({ ... })
      return self
    end }
  end
  local out, err = stream(), stream()
  local code = cli.main({ ... }, { stdout = out, stderr = err })
  return code, out.text, err.text
end

-- Three balls: two run into each other and turn round, the third only passes by. `params.change`
-- names a change that is made in frame `params.frame`.
local GAME = [[
local collide = require "collide"
local function turn(self) self.vx = -self.vx end
return {
  name = "game", frames = 30, params = { change = "", frame = 12, by = 1e-9 },
  input = "3-5 right",
  setup = function(scene)
    local function ball(name, x, y, vx)
      return scene.world:add { name = name, group = "ball", x = x, y = y, vx = vx, enter = turn,
        shape = collide.circle(5),
        update = function(self, dt) self.x = self.x + self.vx * dt end }
    end
    scene.left, scene.right = ball("left", 0, 0, 60), ball("right", 30, 0, -60)
    scene.far = ball(nil, 0, 100, 0)
    scene.pool = scene.world:newBullets { capacity = 9, radius = 1,
      hit = function() end, expired = function() end, bounds = { -9, -9, 99, 99 } }
    scene.pool:spawn(0, 20, 60, -120)
  end,
  update = function(scene)
    if scene:down "right" then scene.far.x = scene.far.x + 1 end
    local p = scene.params
    if scene.frame ~= p.frame then return end
    if p.change == "move" then scene.far.x = scene.far.x + p.by end
    if p.change == "two" then scene.far.x, scene.left.x = 7, scene.left.x + p.by end
    if p.change == "deaf" then
      scene.right.enter = nil
      scene.world:refresh(scene.right)
    end
    if p.change == "raise" then error("no") end
  end,
}
]]

local function record(options, ...)
  local path, scene = name(), file(GAME, ".lua")
  local code, _, err = main("run", scene, "--trace", path, ...)
  assert.equal(options and options.code or 0, code, err)
  return path, scene
end

describe("a trace", function()
  after_each(removeFiles)

  it("has a line for each callback, and for each actor that has moved", function()
    local text = assert(files.read(record(nil, "--frames", "11")))
    local head, frame = text:match("^(.-)\nframe 1 "), text:match("\n(frame 10 .-)\nframe 11")
    assert.equal(("collide trace 1\nscene game\nversion collide %s, %s\nframes 11\nseed 1\n" ..
      "dt 0.016666666666666666\nset by=1e-09\nset change=\nset frame=12\n3-5 right\n"):format(
      collide._VERSION:match("%S+$"), _VERSION), head)
    assert.equal("at 1 10 0 0\nat 2 20 0 0",
      (frame:gsub("^[^\n]*\n", ""):gsub("(%d)%.%d+", "%1"):gsub("9 0 0", "10 0 0", 1)))
    local scene = scenes.load(file(GAME))
    scene:run(10)
    assert.equal(("frame 10 hits 0 hash %s"):format(scene.world:hash()), frame:match("^[^\n]*"))
    frame = text:match("\n(frame 11 .*)$")
    assert.matches("\nenter 1 2 -1 0 2\nenter 2 1 1 0 2\n", frame, 1, true)
    assert.matches('new 1 actor 1 "left" (group "ball")\n', text, 1, true)
    assert.matches("\nhit bullet 1 pool 1 actor 1 ", text, 1, true)
  end)

  it("is the same after it was written and read", function()
    local path = record()
    local read = assert(trace.read(path))
    assert.equal("game", read.scene)
    assert.equal(30, #read.frames)
    assert.same({ { from = 3, to = 5, key = "right" } }, read.lines)
    assert.equal(30, read.settings.frames)
    local again = name()
    assert(files.write(again, (assert(files.read(path)):gsub("\n", "\r\n"))))
    local crlf = assert(trace.read(again))
    crlf.path = path
    assert.same(read, crlf)
  end)

  it("names both bullets of a hit, and both pools", function()
    local path = name()
    local code, _, err = main("run", file([[
      return { name = "duel", frames = 20, world = { rules = { { "red", "blue" } } },
        setup = function(scene)
          for i = 1, 2 do
            local pool = scene.world:newBullets { capacity = 9, radius = 1, hitBullets = true,
              group = i == 1 and "red" or "blue", hit = function() end }
            pool:spawn(0, 50 * i, 0, 0)
            if i == 1 then pool:spawn(0, 0, 60, 0) else pool:spawn(20, 0, -60, 0) end
          end
        end }]], ".lua"), "--trace", path)
    assert.equal(0, code, err)
    local hits = {}
    for line in assert(files.read(path)):gmatch "\n(hit [^\n]*)" do
      hits[#hits + 1] = line:match "^hit bullet %d+ pool %d+ bullet %d+ pool %d+ %-?1 %-?0 "
    end
    assert.same({ "hit bullet 2 pool 1 bullet 4 pool 2 -1 0 ",
      "hit bullet 4 pool 2 bullet 2 pool 1 1 0 " }, hits)
  end)

  it("may have details of some frames, or of none", function()
    local some = assert(files.read((record(nil, "--details", "2-3"))))
    assert.matches("\ndetails 2-3\n", some, 1, true)
    assert.equal(0, select(2, some:match("\nframe 1 .-\nframe 2"):gsub("\nat ", "")))
    assert.equal(3, select(2, some:match("\nframe 2 .-\nframe 3"):gsub("\nat ", "")))
    assert.equal(0, select(2, some:match("\nframe 4 .*"):gsub("\nat ", "")))
    local none = assert(files.read((record(nil, "--details=none"))))
    assert.equal(0, select(2, none:gsub("\nat ", "")))
    assert.equal(30, select(2, none:gsub("\nframe ", "")))
  end)

  it("is written up to an error", function()
    local path = record({ code = 1 }, "--set", "change=raise")
    assert.equal(11, #assert(trace.read(path)).frames)
  end)

  it("is refused if it is damaged, and the error names the line", function()
    local function message(text)
      local path = file(text)
      local read, said = trace.read(path)
      assert.is_nil(read)
      return (said:gsub(path:gsub("%p", "%%%0"), "T"))
    end
    assert.equal('T: trace expected (a file that begins with "collide trace 1"), got string "x"',
      message "x\n\n")
    assert.matches("^T: trace expected", message "")
    assert.matches("^T: trace expected", message "collide trace 12\n\n")
    local head = "collide trace 1\nscene s\nseed 1\n"
    assert.equal('T:4: line expected ("from-to key" or "at key"), got string "huh"',
      message(head .. "huh\n\n"))
    assert.equal("T:3: line expected (seed and a whole number from 0 to 2^52 - 1), " ..
      'got string "seed x"', message "collide trace 1\nscene s\nseed x\n\n")
    assert.equal("T:5: line expected (frame 1, or an event of one), " ..
      'got string "at 1 2 3 0"', message(head .. "\nat 1 2 3 0\n"))
    assert.equal("T:6: line expected (frame 2, or an event of one), " ..
      'got string "frame 3 hits 0 hash 1"',
      message(head .. "\nframe 1 hits 0 hash 1\nframe 3 hits 0 hash 1\n"))
    assert.matches("^cannot read the trace: nowhere/x: ", select(2, trace.read "nowhere/x"))
  end)
end)

describe("collide run --against", function()
  after_each(removeFiles)

  -- The message about a change, with T in place of the trace's name.
  local function check(...)
    local path, scene = record()
    local code, _, err = main("run", scene, "--against", path, ...)
    return code, (err:gsub(path:gsub("%p", "%%%0"), "T"))
  end

  it("plays with the settings of the trace", function()
    local path, scene = record(nil, "--seed", "7", "--frames", "20", "--set", "frame=3")
    local code, out, err = main("run", scene, "--against", path)
    assert.equal("", err)
    assert.equal(0, code)
    assert.matches("^game, 20 frames of 0.016667 s, seed 7", out)
  end)

  it("finds the frame in which one actor has moved by 1e-9, and names the actor", function()
    local code, err = check("--set", "change=move")
    assert.equal(1, code)
    assert.equal('collide: frame 12: actor 3 (group "ball") is elsewhere\n' ..
      "  T: at 3, 100\n  now: at 3.000000001, 100\n", err)
  end)

  it("reports the number of other actors that are elsewhere", function()
    local _, err = check("--set", "change=two", "--set", "frame=2")
    assert.matches('^collide: frame 2: actor 1 "left" %(group "ball"%) and 1 more are elsewhere\n',
      err)
    _, err = check("--seed", "9", "--set", "frame=2", "--set", "change=two")
    assert.matches("frame 2: actor 1", err, 1, true)
  end)

  it("finds callbacks that are missing or go to others", function()
    local _, err = check("--set", "change=deaf", "--set", "frame=11")
    assert.matches("^collide: frame 11: event 2 differs\n" ..
      '  T: actor 2 "right" %(group "ball"%) enter actor 1 "left" %(group "ball"%), ' ..
      "way out 1, 0, depth 2%.?%d*\n  now: no call\n$", err)
  end)

  it("finds a different hash in frames without details", function()
    local path, scene = record(nil, "--details", "none")
    local code, _, err = main("run", scene, "--against", path, "--set", "change=move")
    assert.equal(1, code)
    assert.matches("^collide: frame 12: the world differs\n  %S+: hits 0 hash %d+\n" ..
      "  now: hits 0 hash %d+\n$", err)
  end)

  it("accepts other keys from --input", function()
    local code, err = check("--input", file "4 right\n")
    assert.equal(1, code)
    assert.matches("^collide: frame 3: actor 3 ", err)
  end)
end)

describe("collide diff", function()
  after_each(removeFiles)

  it("compares two traces", function()
    local a, b = record(), record(nil, "--set", "change=move")
    local code, out = main("diff", a, a)
    assert.equal("no difference\n", out)
    assert.equal(0, code)
    code, out = main("diff", a, b)
    assert.equal(("these are different runs\n  %s: change=\n  %s: change=move\n"):format(a, b), out)
    assert.equal(1, code)
    local text = assert(files.read(b)):gsub("change=move", "change=")
    local c = file(text)
    code, out = main("diff", a, c)
    assert.equal(('frame 12: actor 3 (group "ball") is elsewhere\n  %s: at 3, 100\n' ..
      "  %s: at 3.000000001, 100\n"):format(a, c), out)
    assert.equal(1, code)
    local d = record(nil, "--frames", "20")
    code, out = main("diff", a, d)
    assert.equal(("the same up to frame 20\n  %s: 30 frames\n  %s: 20 frames\n"):format(a, d), out)
    assert.equal(1, code)
  end)

  it("names bullets, their targets, and where they hit", function()
    local a = record()
    local text = assert(files.read(a))
    local before, numbers, after = text:match("^(.-\n)hit bullet 1 pool 1 actor 1 ([^\n]*)(.*)$")
    local nx, ny, t, x, y = numbers:match("^(%S+) (%S+) (%S+) (%S+) (%S+)$")
    local where = ("way out %s, %s, t %s, at %s, %s"):format(nx, ny, t, x, y)
    local _, out = main("diff", a, file(before .. "hit bullet 1 pool 1 bullet 7 pool 2 "
      .. numbers .. after))
    assert.equal(('bullet 1 of pool 1 hit actor 1 "left" (group "ball"), %s'):format(where),
      out:match "^[^\n]*\n  [^:]+: ([^\n]*)\n")
    assert.equal(("bullet 1 of pool 1 hit bullet 7 of pool 2, %s"):format(where),
      out:match "\n  [^\n]*\n  [^:]+: ([^\n]*)\n$")
  end)

  it("shows an incomplete place of a damaged trace unchanged", function()
    local a = record()
    local text, n = assert(files.read(a)):gsub("\nat 3 (%S+) %S+ %S+\n", "\nat 3 %1\n", 1)
    assert.equal(1, n)
    local code, out = main("diff", a, file(text))
    assert.matches('^frame %d+: actor 3 %(group "ball"%) is elsewhere\n' ..
      "  %S+: at [%d.]+, [%d.]+\n  %S+: at [%d.]+\n$", out)
    assert.equal(1, code)
  end)

  it("compares hashes if one trace has no details", function()
    local a, b = record(), record(nil, "--details", "none")
    assert.equal("no difference\n", select(2, main("diff", a, b)))
    assert.is_nil(trace.diff(trace.read(a), trace.read(b)))
  end)

  it("refuses files that are not traces", function()
    local a = record()
    local code, _, err = main("diff", a)
    assert.equal("collide: diff takes two traces or films: collide diff A B\n", err)
    assert.equal(2, code)
    code, _, err = main("diff", a, "nowhere")
    assert.matches("^collide: cannot read the trace: nowhere: ", err)
    assert.equal(1, code)
  end)
end)

describe("collide run --show A-B --actor NAME", function()
  after_each(removeFiles)

  local function stretch(...)
    local _, out, err = main("run", file(GAME), ...)
    return out:match("^(.-)\ngame, ") or err
  end

  it("prints each callback, with places before and after", function()
    local out = stretch("--show", "11-12", "--actor", "left")
    assert.equal('frame 11\n  actor 1 "left" (group "ball") at 11, 0\n' ..
      '  enter   actor 1 "left" (group "ball") at 11, 0; actor 2 "right" (group "ball") ' ..
      'at 19, 0; way out -1, 0, depth 2\n' ..
      '  enter   actor 2 "right" (group "ball") at 19, 0; actor 1 "left" (group "ball") ' ..
      'at 11, 0; way out 1, 0, depth 2\n' ..
      'frame 12\n  actor 1 "left" (group "ball") at 10, 0\n', out)
  end)

  it("accepts actors by number and group, and bullets", function()
    assert.matches('^frame 1\n  actor 3 %(group "ball"%) at 0, 100\nframe 2\n',
      stretch("--show", "1-2", "--actor", "3"))
    assert.equal(3, select(2, stretch("--show", "1-1", "--actor", "ball"):gsub(" at ", "")))
    assert.matches("hit     bullet 1; actor 1", stretch("--actor", "left"), 1, true)
    assert.matches("hit     bullet 1; actor 1", stretch("--show", "0-30"), 1, true)
  end)

  it("numbers actors by their position in world:actors()", function()
    local path = file [[
      local collide = require "collide"
      return { name = "game", frames = 3, setup = function(scene)
        for i = 1, 3 do
          scene.world:add { name = "abc", x = 50 * i, y = 0, shape = collide.circle(1) }
        end
      end, update = function(scene)
        if scene.frame == 2 then scene.world:remove(scene.world:actors()[1]) end
      end }]]
    local _, out = main("run", path, "--show", "1-3", "--actor", "2")
    assert.matches('^frame 1\n  actor 2 "abc" at 100, 0\nframe 2\n  actor 2 "abc" at 150, 0\n'
      .. 'frame 3\n  actor 2 "abc" at 150, 0\n', out)
  end)

  it("reports an error if no actor has that name", function()
    local code, _, err = main("run", file(GAME), "--actor", "nobody")
    assert.equal(1, code)
    assert.matches(": no actor is called nobody\n$", err)
  end)
end)

describe("collide test", function()
  after_each(removeFiles)

  it("tests the scenes of a folder, and reports as busted does", function()
    local folder = name()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local function put(path, text)
      temporary[#temporary + 1] = folder .. "/" .. path
      assert(files.write(temporary[#temporary], text))
    end
    put("a.lua", "return { frames = 3 }")
    put("b.lua", "return { frames = 1, check = function() return false, 'it rains' end }")
    put("c.lua", GAME)
    put("d.lua", "return { update = function() error('oh') end }")
    put("e.lua", GAME:gsub('change = ""', 'change = "move"'))
    put("f.lua", "return { width = -1 }")
    put("c.trace", assert(files.read((record()))))
    put("e.trace", (assert(files.read((record()))):gsub("set change=\n", "")))
    put("notes.txt", "none")
    local code, out = main("test", folder)
    assert.equal(1, code)
    assert.equal("+-+*-*\n2 successes / 2 failures / 2 errors / 0 pending : T seconds\n",
      (out:match("^.-\n.-\n"):gsub("%d+%.%d+", "T")))
    local quoted = folder:gsub("%p", "%%%0")
    assert.matches("\nFailure %-> " .. quoted .. "/b.lua\ncheck failed: it rains\n", out)
    assert.matches("\nError %-> " .. quoted .. "/d.lua\nframe 1, seed 1: [^\n]+oh\nstack", out)
    assert.matches("\nFailure %-> " .. quoted .. "/e.lua\nframe 12: actor 3 ", out)
    assert.matches("\nError %-> " .. quoted .. "/f.lua\n[^\n]+: width expected ", out)

    code, out = main("test", folder .. "/a.lua")
    assert.equal(0, code)
    assert.matches("^%+\n1 success / 0 failures / 0 errors / 0 pending : ", out)
    temporary[#temporary + 1] = folder
    removeFiles()
    os.remove(folder)
  end)

  it("refuses a folder without a scene", function()
    local code, _, err = main("test", "nowhere")
    assert.equal(1, code)
    assert.equal("collide: nowhere: there is no such folder\n", err)
    code, _, err = main "test"
    assert.equal(2, code)
    assert.equal("collide: test takes a folder or a scene: collide test DIR\n", err)
  end)
end)

describe("the text of a trace", function()
  after_each(removeFiles)

  local box = collide.rectangle(4, 4)

  -- The text of a scene's trace, and the trace that is read from it.
  local function recorded(scene)
    local recorder = trace.recorder(scene)
    recorder:play(scene.frames, recorder.keep)
    return recorder:text(), assert(trace.read(file(recorder:text())))
  end

  it("has no -0, since integers of Lua have none", function()
    local text = recorded(scenes.load { frames = 1, setup = function(scene)
      scene.world:add { x = -0.0 * 1, y = 0, shape = box, dir = -1,
        update = function(self) self.x = self.dir * 0.0 end }
    end })
    assert.is_truthy(text:find("at 1 0 0 0\n", 1, true))
    assert.equal("0", require("collide.scene.text").exact(-1 * 0.0))
  end)

  it("keeps any name on one line", function()
    local text, read = recorded(scenes.load { frames = 2, setup = function(scene)
      scene.world:add { x = 0, y = 0, shape = box, name = "a\nframe 2 hits 9 hash 1\nplace 1 9 9" }
      scene.world:add { x = 9, y = 0, shape = box, name = 'q" (group "x")' }
    end })
    assert.is_truthy(text:find('"a\\010frame 2 hits 9 hash 1\\010place 1 9 9"', 1, true))
    assert.is_truthy(text:find('"q\\034 (group \\034x\\034)"', 1, true))
    assert.equal(2, #read.frames)
  end)

  it("keeps params unchanged, and a scene's name on one line", function()
    local values = { "a\nseed 7", " blank at both ends ", '"quoted"', "back\\slash", "\239\191\190",
      "plain" }
    for _, value in ipairs(values) do
      local scene = scenes.load { frames = 1, name = "two\nlines\27[31m", params = { text = "" },
        setup = function() end }
      scene.params.text = value
      local text, read = recorded(scene)
      assert.is_nil(text:find("\27", 1, true))
      assert.equal("two lines\239\191\189[31m", read.scene)
      assert.same({ { key = "text", value = value } }, read.settings.set)
      assert.equal(1, read.settings.seed)
    end
  end)

  it("refuses params whose names do not fit on a line", function()
    for _, bad in ipairs { "a=b", "a\nb", " a", "a " } do
      local scene, message = scenes.open { params = { [bad] = 1 } }
      assert.is_nil(scene)
      assert.matches("name in params expected", message, nil, true)
    end
  end)
end)
