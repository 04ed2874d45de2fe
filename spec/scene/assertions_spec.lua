-- collide.assertions: each assertion passes when it should, and the exact text of its failure.
require "collide.assertions"
local collide = require "collide"
local files = require "collide.files"
local scenes = require "collide.scene"
local trace = require "collide.scene.trace"

local box = collide.rectangle(10, 10)

local function nothing() end

-- A folder of this process for the files that failures write.
local folder = os.tmpname()
os.remove(folder)
folder = folder .. "_failures/some"

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

describe("an assertion", function()
  local getenv = os.getenv
  local world, ball, wall

  setup(function()
    os.getenv = function(name) -- luacheck: ignore
      if name == "COLLIDE_FAILURES" then return folder end
      return getenv(name)
    end
  end)

  teardown(function()
    os.getenv = getenv -- luacheck: ignore
    os.execute(("rm -rf %s"):format(folder:gsub("/some$", "")))
  end)

  --   0        10   13.2     23.2
  -- 0 +--------+     +--------+
  --   |  ball  |     |  wall  |
  -- 10+--------+     +--------+
  before_each(function()
    world = collide.newWorld()
    ball = world:add { name = "ball", group = "enemy", x = 0, y = 0, shape = box, hit = nothing }
    wall = world:add { name = "wall", group = "wall", x = 13.2, y = 0, shape = box, static = true }
    world:remove(world:add { group = "cloud", x = 0, y = 0, shape = box })
    world:step()
  end)

  local BALL = 'actor 1 "ball" (group "enemy", at 0, 0)'
  local WALL = 'actor 2 "wall" (group "wall", at 13.2, 0)'
  local APART = "is 3.2 away from it: their boxes are apart by 3.2 on x"

  -- The whole message of a failing call, without the position.
  local function failure(f, ...)
    local ok, err = pcall(f, ...)
    assert.is_false(ok)
    return (tostring(err):gsub("^[^ ]+_spec%.lua:%d+: ", ""))
  end

  -- The same without the paths of picture and page; checks that the message has them.
  local function said(f, ...)
    local err = failure(f, ...)
    local text, picture, page = err:match "^(.-)\npicture: (%S+)\npage: (%S+)\n"
    if not text then return err end
    assert.equal(folder, picture:match "^(.*)/[^/]*$")
    assert.matches("^<svg .*</svg>\n$", contents(picture))
    assert.equal(picture:gsub("svg$", "html"), page)
    assert.matches("^<!doctype html>.*</html>\n$", contents(page))
    return text
  end

  local function fails(expected, f, ...)
    assert.equal(expected, (said(f, ...)))
  end

  local function frame(n, a, should, b, but)
    return ("frame %d: %s should %s %s, but %s"):format(n, a, should, b, but)
  end

  it("hits reports on the last step", function()
    fails(frame(1, BALL, "hit", WALL, APART), assert.hits, world, ball, wall)
    assert.is_not.hits(world, ball, wall)
    ball.x = 5
    local at5 = BALL:gsub("at 0", "at 5")
    fails(frame(1, at5, "hit", WALL, "did not in the last step; now it overlaps it by 1.8: "
      .. "depth 1.8, the first gets free along -1, 0"), assert.hits, world, ball, wall)
    world:step()
    assert.hits(world, ball, wall)
    assert.hits(world, wall, ball)
    fails(frame(2, at5, "not hit", WALL,
      "overlaps it by 1.8: depth 1.8, the first gets free along -1, 0"),
      assert.is_not.hits, world, ball, wall)
    ball.x = 0
    fails(frame(2, BALL, "not hit", WALL, "did in the last step; now it " .. APART),
      assert.is_not.hits, world, ball, wall)
    world:remove(wall)
    fails(frame(2, BALL, "hit", 'actor "wall" (group "wall", at 13.2, 0)',
      "is 3.2 away from it: the second is not in this world: removed, or never added"),
      assert.hits, world, ball, wall)
  end)

  it("overlaps reports on the present places, as world:overlap does", function()
    fails(frame(1, BALL, "overlap", WALL, APART), assert.overlaps, ball, wall)
    assert.is_not.overlaps(ball, wall)
    ball.x = 5
    assert.overlaps(ball, wall)
    fails(frame(1, BALL:gsub("at 0", "at 5"), "not overlap", WALL,
      "overlaps it by 1.8: depth 1.8, the first gets free along -1, 0"),
      assert.is_not.overlaps, ball, wall)
    local touching = collide.newWorld { touching = true }
    assert.overlaps(touching:add { x = 0, y = 0, shape = box },
      touching:add { x = 10, y = 0, shape = box })
  end)

  it("overlaps accepts tables that are in no world", function()
    local a, b = { x = 0, y = 0, shape = box, name = "a" }, { x = 15, y = 0, shape = box }
    assert.is_not.overlaps(a, b)
    fails('actor "a" (at 0, 0) should overlap actor (at 15, 0), but is 5 away from it',
      assert.overlaps, a, b)
    b.x = 10
    fails('actor "a" (at 0, 0) should overlap actor (at 10, 0), but touches it',
      assert.overlaps, a, b)
  end)

  it("apart accepts a distance", function()
    assert.apart(ball, wall)
    assert.apart(ball, wall, 3)
    assert.is_not.apart(ball, wall, 3.3)
    fails(frame(1, BALL, "be at least 5 away from", WALL, APART), assert.apart, ball, wall, 5)
    fails(frame(1, BALL, "be less than 3 away from", WALL, APART),
      assert.is_not.apart, ball, wall, 3)
    fails(frame(1, BALL, "not be apart from", WALL, APART), assert.is_not.apart, ball, wall)
    ball.x = 5
    fails(frame(1, BALL:gsub("at 0", "at 5"), "be apart from", WALL,
      "overlaps it by 1.8: depth 1.8, the first gets free along -1, 0"), assert.apart, ball, wall)
  end)

  it("keeps_out reports the deepest pair of two groups", function()
    world:add { name = "bat", group = "enemy", x = 15, y = 8.6, shape = box, hit = nothing }
    assert.keeps_out(world, "enemy", "wall", 1.5)
    assert.keeps_out(world, "wall", "cloud")
    local bat = 'actor 3 "bat" (group "enemy", at 15, 8.6)'
    local deep = "overlaps it by 1.4: depth 1.4, the first gets free along 0, 1"
    fails(frame(1, bat, "keep out of", WALL, deep), assert.keeps_out, world, "enemy", "wall")
    fails(frame(1, bat, "be no deeper than 1 in", WALL, deep),
      assert.keeps_out, world, "enemy", "wall", 1)
    ball.x = 5
    fails(frame(1, BALL:gsub("at 0", "at 5"), "keep out of", WALL,
      "overlaps it by 1.8: depth 1.8, the first gets free along -1, 0"),
      assert.keeps_out, world, "enemy", "wall")
    assert.is_not.keeps_out(world, "enemy", "wall")
    fails('frame 1: an actor of group "enemy" should be deeper than 2 in one of group "wall", but '
      .. BALL:gsub("at 0", "at 5") .. " is only 1.8 deep in " .. WALL,
      assert.is_not.keeps_out, world, "enemy", "wall", 2)
    fails('frame 1: an actor of group "wall" should be deeper than 0 in one of group "cloud", but '
      .. "no actor is in one at all", assert.is_not.keeps_out, world, "wall", "cloud")
  end)

  it("keeps_out ignores one-way actors of the second group, as world:fits does", function()
    local plate = world:add { name = "plate", group = "plate", x = 5, y = 5, shape = box,
      static = true, oneWay = true }
    assert.keeps_out(world, "enemy", "plate")
    assert.keeps_out(world, "plate", "plate")
    fails(frame(1, 'actor 3 "plate" (group "plate", at 5, 5)', "keep out of", BALL,
      "overlaps it by 5: depth 5, the first gets free along 1, 0; the first is one-way, and stops "
      .. "moving actors only with its upper side"), assert.keeps_out, world, "plate", "enemy")
    plate.oneWay = false
    world:refresh(plate)
    assert.is_not.keeps_out(world, "enemy", "plate")
    local renamed = collide.newWorld { fields = { oneWay = false } }
    renamed:add { group = "enemy", x = 0, y = 0, shape = box }
    renamed:add { group = "wall", x = 5, y = 0, shape = box, oneWay = true }
    assert.is_not.keeps_out(renamed, "enemy", "wall")
  end)

  it("keeps_out accepts * for all groups", function()
    assert.keeps_out(world, "enemy", "*")
    assert.keeps_out(world, "*", "*")
    wall.x = 8
    world:refresh(wall)
    local deep = "overlaps it by 2: depth 2, the first gets free along -1, 0"
    local at8 = WALL:gsub("13.2", "8")
    fails(frame(1, BALL, "keep out of", at8, deep), assert.keeps_out, world, "enemy", "*")
    fails(frame(1, BALL, "keep out of", at8, deep), assert.keeps_out, world, "*", "*")
  end)

  it("keeps_out accepts a single group", function()
    assert.keeps_out(world, "enemy", "enemy")
    world:add { name = "bat", group = "enemy", x = -8, y = 0, shape = box, hit = nothing }
    fails(frame(1, BALL, "keep out of", 'actor 3 "bat" (group "enemy", at -8, 0)',
      "overlaps it by 2: depth 2, the first gets free along 1, 0"),
      assert.keeps_out, world, "enemy", "enemy")
  end)

  it("keeps_out finds a squeeze of 2.1 in a game of 500 frames", function()
    -- A press comes down on an enemy, which is pushed into the floor.
    local game = collide.newWorld { width = 100, height = 100 }
    local floor = game:add { name = "floor", group = "wall", x = 0, y = 80, static = true,
      shape = collide.rectangle(100, 20) }
    local imp = game:add { name = "imp", group = "enemy", x = 40, y = 70, shape = box,
      hit = nothing }
    local press = { y = 0 }
    local frames = 0
    local err = said(function()
      for _ = 1, 500 do
        press.y = press.y + 0.35
        imp.y = math.max(70, press.y)
        game:update(1 / 60)
        frames = frames + 1
        assert.keeps_out(game, "enemy", "wall", 2)
      end
    end)
    assert.is_true(game:has(floor))
    assert.equal(206, frames)
    assert.equal('frame 206: actor 2 "imp" (group "enemy", at 40, 72.1) should be no deeper than 2 '
      .. 'in actor 1 "floor" (group "wall", at 0, 80), but overlaps it by 2.1: '
      .. "depth 2.1, the first gets free along 0, -1", err)
  end)

  it("always plays frames, and fails in the first in which its function is false", function()
    ball.update = function(self) self.x = self.x + 1 end
    world:refresh(ball)
    local function isApart() return ball.x < 3.2, "at " .. ball.x end
    assert.always(world, 3, isApart)
    assert.equal(4, world._frame)
    fails("frame 5: the condition should hold in each of 9 frames, but does not in this one: at 4",
      assert.always, world, 9, isApart)
    assert.is_not.always(world, 9, isApart)
    assert.equal(6, world._frame)
    fails("frame 8: the condition should not hold in each of 2 frames, but does",
      assert.is_not.always, world, 2, function() return 1 end)
    assert.always(world, 0, error)
  end)

  it("eventually plays frames until its function is true", function()
    ball.update = function(self) self.x = self.x + 1 end
    world:refresh(ball)
    local function isThere() return ball.x >= 3, ball.x < 3 and "at " .. ball.x or nil end
    fails("frame 3: the condition should hold within 2 frames, but does not: at 2",
      assert.eventually, world, 2, isThere)
    assert.eventually(world, 9, isThere)
    assert.equal(4, world._frame)
    assert.eventually(world, 9, isThere)
    assert.equal(4, world._frame)
    fails("frame 4: the condition should not hold within 9 frames, but does",
      assert.is_not.eventually, world, 9, isThere)
    assert.is_not.eventually(world, 2, function() return false end)
    assert.equal(6, world._frame)
  end)

  it("always and eventually play the scene of a world", function()
    local given = { dt = 1 / 4, update = function(scene, dt)
      scene.state.time = (scene.state.time or 0) + dt
    end }
    local scene = scenes.load(given)
    assert.eventually(scene.world, 9, function() return scene.state.time == 1 end)
    assert.equal(4, scene.frame)
    assert.always(scene.world, 4, function() return scene.state.time > 1 end)
    assert.equal(8, scene.frame)
  end)

  it("inside says how far an actor sticks out", function()
    assert.inside(ball, 0, 0, 10, 10)
    fails("frame 1: " .. BALL .. " should be inside 1, 2, 50, 50, but sticks out by 2 at the top",
      assert.inside, ball, 1, 2, 50, 50)
    fails("frame 1: " .. BALL .. " should be inside -1, 0, 8, 20, but sticks out by 3 at the right",
      assert.inside, ball, -1, 0, 8, 20)
    assert.is_not.inside(ball, 1, 2, 50, 50)
    fails("frame 1: " .. BALL .. " should not be inside 0, 0, 10, 10, but is",
      assert.is_not.inside, ball, 0, 0, 10, 10)
  end)

  it("at says how far away an actor is", function()
    assert.at(ball, 0, 0)
    assert.at(ball, 3, 4, 5)
    fails("frame 1: " .. BALL .. " should be at 3, 4, but is 5 away from there", assert.at, ball, 3,
      4)
    fails("frame 1: " .. BALL .. " should be within 4.9 of 3, 4, but is 5 away from there",
      assert.at, ball, 3, 4, 4.9)
    assert.is_not.at(ball, 3, 4)
    fails("frame 1: " .. BALL .. " should not be within 6 of 3, 4, but is 5 away from there",
      assert.is_not.at, ball, 3, 4, 6)
  end)

  it("sees names the actor in the way", function()
    assert.sees(world, ball, wall)
    fails("frame 1: " .. BALL .. " should not see " .. WALL
      .. ", 3.2 away, but no actor is between them", assert.is_not.sees, world, ball, wall)
    world:add { name = "post", group = "post", x = 11, y = 0, shape = collide.rectangle(1, 9) }
    fails("frame 1: " .. BALL .. " should see " .. WALL .. ', 3.2 away, but actor 3 "post" '
      .. '(group "post", at 11, 0) is between them at 11, 5', assert.sees, world, ball, wall)
    assert.is_not.sees(world, ball, wall)
    assert.sees(world, ball, wall, "wall")
    assert.sees(world, ball, wall, { "enemy", "cloud" })
  end)

  -- Balls that bounce; `planted` moves one of them a little at frame 37.
  local function scene(planted)
    return {
      name = "balls", frames = 60, width = 100, height = 100,
      setup = function(self)
        for i = 1, 5 do
          self.world:add { name = "ball " .. i, x = self:uniform(0, 100), y = 20 * i,
            shape = collide.circle(8), vx = self:uniform(-60, 60),
            hit = function(actor) actor.vx = -actor.vx end,
            update = function(actor, dt)
              actor.x = actor.x + actor.vx * dt
              if planted and self.frame == 37 and i == 3 then actor.x = actor.x + 1e-9 end
            end }
        end
      end,
    }
  end

  describe("same_run", function()
    it("passes for equal runs", function()
      assert.same_run(scene(), scene())
      assert.same_run(scene(), scene(true), 36)
      fails("frame 20: the runs of balls and balls should differ within 20 frames, but are the "
        .. "same", assert.is_not.same_run, scene(), scene(), 20)
    end)

    it("names the frame and the actor of the first difference", function()
      local text = said(assert.same_run, scene(), scene(true))
      assert.matches("^frame 37: the runs of balls and balls should be the same, but "
        .. 'actor 3 "ball 3" %(at [%d.]+, 60%) has x [%d.]+ in one and [%d.]+ in the other$', text)
      local one, other = text:match "has x (%S+) in one and (%S+) in"
      assert.is_true(math.abs(other - one - 1e-9) < 1e-12)
      assert.is_not.same_run(scene(), scene(true))
    end)

    it("counts the actors if one run has more", function()
      local more = scene()
      function more.update(self)
        if self.frame ~= 7 then return end
        self.world:add { name = "late", x = -500, y = 0, shape = collide.circle(1) }
      end
      assert.matches("^frame 7: the runs of balls and balls should be the same, but "
        .. "there are 5 actors in one and 6 in the other$", said(assert.same_run, scene(), more))
    end)

    it("takes loaded scenes and paths", function()
      local a, b = scenes.load(scene()), scenes.load(scene())
      a:run(5)
      assert.is_not.same_run(a, b, 0)
      b:run(5)
      assert.same_run(a, b, 5)
      assert.equal(10, a.frame)
      local file = "examples/scenes/swarm.lua"
      assert.same_run(file, file, 2)
      fails("assert.same_run: sceneB: examples/scenes/none.lua: cannot read it: "
        .. "No such file or directory", assert.same_run, file, "examples/scenes/none.lua")
    end)
  end)

  describe("matches_trace", function()
    local path

    setup(function()
      path = os.tmpname()
      local recorded = scenes.load(scene())
      local recorder = trace.recorder(recorded)
      recorder:play(60, recorder.keep)
      assert(files.write(path, recorder:text()))
    end)

    teardown(function() os.remove(path) end)

    it("passes for the recorded run", function()
      assert.matches_trace(scene(), path)
      assert.matches_trace(scenes.load(scene()), path)
      assert.is_not.matches_trace(scene(true), path)
      fails(("frame 60: the run of balls should not match %s, but does"):format(path),
        assert.is_not.matches_trace, scene(), path)
    end)

    it("names frame, actor and both versions of the first difference", function()
      local text = said(assert.matches_trace, scene(true), path)
      local was, is = text:match('^frame 37: the run of balls should match '
        .. path:gsub("%p", "%%%0") .. ', but actor 3 "ball 3" is elsewhere\n  '
        .. path:gsub("%p", "%%%0") .. ": at ([%d.]+), 60\n  now: at ([%d.]+), 60$")
      assert.is_truthy(was, text)
      assert.is_true(math.abs(is - was - 1e-9) < 1e-12)
    end)

    it("says what is wrong with a file", function()
      fails("assert.matches_trace: file: cannot read the trace: none.trace: "
        .. "No such file or directory", assert.is_not.matches_trace, scene(), "none.trace")
      local other = folder .. "/other.trace"
      assert.matches_trace(scene(), other)
      assert(files.write(other, "no trace"))
      assert.matches("^assert%.matches_trace: file: .*: trace expected %(a file that begins with",
        (said(assert.matches_trace, scene(), other)))
      fails("assert.matches_trace: file: cannot write the trace: " .. other
        .. "/x: Not a directory", assert.matches_trace, scene(), other .. "/x")
    end)

    it("writes a missing file, and creates its folder if that is missing, too", function()
      local new = folder .. "/traces/new.trace"
      assert.matches_trace(scene(), new)
      assert.equal(contents(path), contents(new))
      assert.matches_trace(scene(), new)
      assert.is_not.matches_trace(scene(true), new)
      local played = scenes.load(scene())
      played:run(1)
      fails(("assert.matches_trace: scene expected (one without a frame, to write %s/2), got "
        .. "number 1"):format(folder), assert.matches_trace, played, folder .. "/2")
    end)

    it("writes it again where COLLIDE_UPDATE is 1, for as many frames", function()
      local new = folder .. "/again.trace"
      assert(files.write(new, contents(path)))
      local before = os.getenv
      os.getenv = function(name) -- luacheck: ignore
        if name == "COLLIDE_UPDATE" then return "1" end
        return before(name)
      end
      local ok, message = pcall(assert.matches_trace, scene(true), new)
      os.getenv = before -- luacheck: ignore
      assert.is_true(ok, message)
      assert.matches_trace(scene(true), new)
      assert.is_not.matches_trace(scene(), new)
      assert.equal(60, #trace.read(new).frames)
    end)
  end)

  it("puts the test's message before its own", function()
    fails("the ball is stuck\n" .. frame(1, BALL, "hit", WALL, APART), function()
      assert.message("the ball is stuck").hits(world, ball, wall)
    end)
  end)

  it("names the line of the test", function()
    local _, err = pcall(function()
      assert.hits(world, ball, wall)
    end)
    local line = debug.getinfo(1, "l").currentline - 2
    assert.matches(("assertions_spec.lua:%d: frame 1: "):format(line), tostring(err), 1, true)
    _, err = pcall(function()
      assert.hits(world, ball, 5)
    end)
    assert.matches(("assertions_spec.lua:%d: assert.hits: b expected (actor), got number 5")
      :format(line + 5), err, 1, true)
  end)

  it("says when it cannot write a picture", function()
    local usual = folder
    folder = usual .. "/there/file"
    assert.matches("picture: " .. folder .. "/assertions_spec-an-assertion-says", failure(assert.at,
      ball, 7, 7), 1, true)
    local file = assert(io.open(usual .. "/file", "w"))
    file:close()
    folder = usual .. "/file"
    local none = failure(assert.at, ball, 7, 7)
    folder = usual
    assert.matches("picture: none, " .. usual .. "/file/assertions.*: %a.*page: none, ", none)
  end)

  -- The data in the page that an error names; the frames are a list of strings.
  local function pageOf(err)
    local text = contents(err:match "page: (%S+)"):gsub("\\.", "-")
    local count, at = 0, select(2, text:find '"frames":%[')
    repeat
      count = count + 1
      at = select(2, text:find('^"[^"]*"', at + 1)) + 1
    until text:sub(at, at) ~= ","
    return { seed = tonumber(text:match '"seed":(%d+)'), at = tonumber(text:match '"at":(%d+)'),
      start = tonumber(text:match '"start":(%d+)'), count = count,
      name = text:match "<title>(.-)</title>" }
  end

  it("leaves a page with the frames before", function()
    for _ = 1, 9 do
      ball.x = ball.x + 1
      world:step()
    end
    local name = "an assertion leaves a page with the frames before"
    assert.same({ name = name, start = 1, at = 10, count = 10 },
      pageOf(failure(assert.is_not.hits, world, ball, wall)))
    world:step()
    ball.x = 100
    assert.same({ name = name, start = 1, at = 11, count = 11 },
      pageOf(failure(assert.at, ball, 0, 0)))
  end)

  it("draws the two actors in red with their names, and all others", function()
    world:newBullets { capacity = 1, radius = 3 }:spawn(-20, 5, 0, 0)
    local thing = world:add { name = "thing", x = 40, y = 40, shape = box }
    local err = failure(assert.overlaps, ball, wall)
    local text = contents(err:match "picture: (%S+)")
    local _, red = text:gsub('stroke="#e63d33"', "")
    assert.equal(2, red)
    assert.matches(">ball<", text, 1, true)
    assert.matches(">wall<", text, 1, true)
    assert.is_nil(text:find(">thing<", 1, true))
    assert.matches('<circle [^>]* r="3" fill="#', text)
    assert.is_true(world:has(thing))
  end)
end)

describe("an assertion refuses", function()
  local world = collide.newWorld()
  local a, b = world:add { x = 0, y = 0, shape = box }, world:add { x = 9, y = 9, shape = box }

  for text, call in pairs {
    ["assert.hits: world expected (world), got number 5"] = { "hits", 5, a, b },
    ["assert.hits: a expected (actor), got nil"] = { "hits", world },
    ["assert.always takes a world, a number of frames and a function, got 4 arguments"] =
      { "always", world, 1, error, 1 },
    ["assert.always: frames expected (whole number from 0 to 9007199254740992), got 0.5"] =
      { "always", world, 0.5, error },
    ["assert.eventually: fn expected (function), got nil"] = { "eventually", world, 1 },
    ["assert.hits takes a world and two actors, got 4 arguments"] = { "hits", world, a, b, 1 },
    ["assert.overlaps: b expected (actor), got table"] = { "overlaps", a, {} },
    ["assert.overlaps: a.x expected (finite number within ±1e12), got nan"] =
      { "overlaps", { x = 0 / 0, y = 0, shape = box }, b },
    ["assert.apart: distance expected (number from 0 to 1e12), got -1"] = { "apart", a, b, -1 },
    ["assert.keeps_out: groupA expected (string), got number 5"] = { "keeps_out", world, 5, "b" },
    ["assert.keeps_out: tolerance expected (number from 0 to 1e12), got string \"b\""] =
      { "keeps_out", world, "default", "default", "b" },
    ["assert.inside: w expected (positive number up to 1e12), got 0"] = { "inside", a, 0, 0, 0, 1 },
    ["assert.at: y expected (finite number within ±1e12), got nil"] = { "at", a, 0 },
    ["assert.sees: b expected (actor of this world), got table"] = { "sees", world, a, {} },
    ["assert.sees: filter expected (group, list of groups or function), got number 5"] =
      { "sees", world, a, b, 5 },
    ["assert.same_run: sceneA expected (scene, or its path or table), got nil"] = { "same_run" },
    ["assert.matches_trace: file expected (string), got nil"] = { "matches_trace", {} },
    ["assert.same_run: frames expected (whole number from 0 to 9007199254740992), got -1"] =
      { "same_run", {}, {}, -1 },
  } do
    it(text, function()
      local ok, err = pcall(assert[call[1]], (table.unpack or unpack)(call, 2, 5)) -- luacheck: ignore
      assert.is_false(ok)
      assert.equal(text, err)
    end)
  end

  it("names of groups that the world does not have", function()
    world = collide.newWorld { groups = { "a" } }
    assert.has_error(function() assert.keeps_out(world, "a", "b") end,
      'assert.keeps_out: groupB expected (one of this world\'s groups: default, a), got string "b"')
    local game = collide.newWorld()
    local hero = game:add { group = "hero", x = 0, y = 0, shape = box }
    local rock = game:add { group = "rock", x = 20, y = 0, shape = box }
    local function refuses(argument, name, call, ...)
      local ok, err = pcall(call, game, ...)
      assert.is_false(ok)
      assert.equal(("%s expected (group that an actor or a rule has), got string %q; a group that "
        .. "has no actor yet goes into the `groups` of newWorld"):format(argument, name), err)
    end
    refuses("assert.keeps_out: groupA", "heor", assert.keeps_out, "heor", "rock")
    refuses("assert.keeps_out: groupB", "rok", assert.keeps_out, "hero", "rok")
    refuses("assert.keeps_out: groupB", "rok", assert.is_not.keeps_out, "hero", "rok")
    refuses("assert.sees: filter", "rok", assert.sees, hero, rock, "rok")
    refuses("assert.sees: filter", "rok", assert.sees, hero, rock, { "rock", "rok" })
    assert.sees(game, hero, rock, "*")
    game:remove(rock)
    assert.keeps_out(game, "hero", "rock")
    game:setRule("hero", "coin", true)
    assert.keeps_out(game, "hero", "coin")
  end)
end)
