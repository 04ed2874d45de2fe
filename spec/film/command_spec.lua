-- The command `collide film`, `collide diff` of films, and the keys in a film.
local cli = require "collide.scene.cli"
local collide = require "collide"
local expect = require "spec.support.expect"
local files = require "collide.files"
local films = require "collide.film"
local keys = require "collide.keys"

local unpack = table.unpack or unpack -- luacheck: ignore

local paths = {}
for i = 1, 3 do paths[i] = os.tmpname() end

-- A stream that keeps what is written.
local function stream()
  local out = {}
  return { write = function(_, ...)
    for i = 1, select("#", ...) do out[#out + 1] = (select(i, ...)) end
  end, flush = function() end, text = function() return table.concat(out) end }
end

local function run(...)
  local out, err = stream(), stream()
  local code = cli.main({ ... }, { stdout = out, stderr = err })
  return code, out.text(), err.text()
end

-- A ball that rolls to the right into a wall and back out of it while its key is held, filmed.
local function play(path, script, odd)
  local world, held = collide.newWorld(), keys.script(script)
  local ball = world:add { name = "ball", group = "round", x = 0, y = 0, vx = 1,
    shape = collide.circle(5) }
  world:add { name = "wall", x = 10, y = -20, static = true, shape = collide.rectangle(4, 40) }
  local film = films.new(world, { fields = { "vx" }, frames = 15 })
  film:input(held)
  for i = 1, 20 do
    held:advance()
    if held:pressed "left" then ball.vx = -1 end
    ball.x = ball.x + ball.vx + (i == 12 and odd or 0)
    world:step()
  end
  film:save(path)
  return film
end

describe("collide film", function()
  teardown(function()
    for _, path in ipairs(paths) do os.remove(path) end
  end)
  before_each(function() play(paths[1], "8-9 left\n11 space") end)

  it("lists what is in a film", function()
    local code, said = run("film", paths[1])
    assert.equal(0, code)
    assert.matches("^frames 6%-20\nactors 2\nhits 0\nhash %d+\n"
      .. "keys\n  8%-9 left\n  11 space\n$", said)
  end)

  it("shows the hits of some frames", function()
    local code, said = run("film", paths[1], "--show", "6-13")
    local BALL, WALL = 'actor 1 "ball" (group "round", at %d, 0)', 'actor 2 "wall" (at 10, -20)'
    local function line(event, x, how)
      return ("  %-6s %s; %s%s\n"):format(event, BALL:format(x), WALL, how)
    end
    assert.equal(0, code)
    assert.equal("frame 6\n" .. line("enter", 6, "; way out -1, 0, depth 1")
      .. "frame 7\n" .. line("hit", 7, "; way out -1, 0, depth 2")
      .. "frame 8\n" .. line("hit", 6, "; way out -1, 0, depth 1")
      .. "frame 9\n" .. line("leave", 5, "")
      .. "frame 10\nframe 11\nframe 12\nframe 13\n", said)
  end)

  it("shows where an actor is, by name, group or number", function()
    for _, called in ipairs { "ball", "round", "1" } do
      local code, said = run("film", paths[1], "--show", "19-20", "--actor", called)
      assert.equal(0, code)
      assert.equal('frame 19\n  actor 1 "ball" (group "round", at -5, 0)\n'
        .. 'frame 20\n  actor 1 "ball" (group "round", at -6, 0)\n', said)
    end
    local code, _, why = run("film", paths[1], "--show", "19-20", "--actor", "nobody")
    assert.equal(1, code)
    assert.matches("no actor is called nobody", why)
  end)

  it("writes a page", function()
    assert.equal(0, (run("film", paths[1], "--html", paths[2])))
    local page = assert(files.read(paths[2]))
    assert.matches("^<!doctype html>.*</html>\n$", page)
    assert.matches('"start":6,', page, 1, true)
    films.load(paths[1]):page(paths[3])
    assert.matches('"start":6,', files.read(paths[3]), 1, true)
  end)

  it("refuses files that are not films", function()
    files.write(paths[2], "nothing")
    for _, wrong in ipairs { { 2, "film takes a file", "film" },
      { 2, "unknown option --frames", "film", paths[1], "--frames", "3" },
      { 1, "film expected, got something else", "film", paths[2] },
      { 1, "cannot read the film", "film", "nowhere.film" },
      { 1, "cannot write the page", "film", paths[1], "--html", "nowhere/x.html" } } do
      local code, _, why = run(unpack(wrong, 3))
      assert.equal(wrong[1], code)
      assert.matches(wrong[2], why, 1, true)
    end
  end)

  it("finds the first frame in which two films differ", function()
    play(paths[2], "8-9 left\n11 space", 0.125)
    local code, said = run("diff", paths[1], paths[2])
    assert.equal(1, code)
    assert.equal('frame 12: actor 1 "ball": x is 2, in the other 2.125\n', said)
    play(paths[2], "9 left")
    assert.equal('frame 8: actor 1 "ball": x is 6, in the other 8\n', (select(2, run("diff",
      paths[1], paths[2]))))
    play(paths[2], "8 left")
    code, said = run("diff", paths[1], paths[2])
    assert.equal(0, code)
    assert.equal("no difference in frames 6-20\n", said)
  end)

  it("finds names and shapes that differ, though nothing else does", function()
    local function save(path, name, shape)
      local world = collide.newWorld()
      local film = films.new(world)
      world:add { name = name, x = 0, y = 0, shape = shape }
      world:step()
      film:save(path)
    end
    local square = collide.rectangle(-3, -3, 6, 6)
    save(paths[1], "hero", square)
    for _, case in ipairs {
      { "boss", square, 'name is "hero", in the other "boss"' },
      { nil, square, 'name is "hero", in the other nil' },
      { "hero", collide.circle(3),
        "shape is rectangle(-3, -3, 6, 6), in the other circle(0, 0, 3)" },
      { "hero", collide.rectangle(-3, -3, 6, 7),
        "shape is rectangle(-3, -3, 6, 6), in the other rectangle(-3, -3, 6, 7)" },
    } do
      save(paths[2], case[1], case[2])
      local code, said = run("diff", paths[1], paths[2])
      assert.equal('frame 1: actor 1 "hero": ' .. case[3] .. "\n", said)
      assert.equal(1, code)
    end
    save(paths[2], "hero", collide.rectangle(-3, -3, 6, 6))
    assert.equal(0, (run("diff", paths[1], paths[2])))
  end)

  it("compares only frames that both films have", function()
    films.new(collide.newWorld()):save(paths[2])
    local code, _, why = run("diff", paths[1], paths[2])
    assert.equal(1, code)
    assert.matches("the films have no frame in common", why)
  end)
end)

describe("film:input", function()
  it("keeps the keys that were held while it was recorded, so that they can be replayed", function()
    local film = play(paths[1], "8-90 left\n11 space")
    assert.equal("8-20 left\n11 space", film:input())
    local loaded = films.load(paths[1])
    assert.equal("8-20 left\n11 space", loaded:input())
    play(paths[2], loaded:input())
    assert.equal(0, (run("diff", paths[1], paths[2])))
    expect.raises("film:input: attempt to change a film that was loaded",
      function() loaded:input(keys.script "") end)
    assert.is_nil(films.new(collide.newWorld()):input())
  end)
end)
