-- Films as files: a saved film is read again to the bit, and any other file is refused.
local collide = require "collide"
local core = require "collide.core"
local expect = require "spec.support.expect"
local file = require "collide.film.file"
local files = require "collide.files"
local films = require "collide.film"
local scenes = require "collide.scene"

local path = os.tmpname()
local ROUNDS = tonumber(os.getenv "COLLIDE_ROUNDS") or 1

local function filmOf(source, frames, overrides)
  local scene = scenes.load(source, overrides)
  local film = films.new(scene.world, { frames = frames })
  for _ = 1, frames do scenes.step(scene) end
  return film, scene
end

local function save(film)
  film:save(path)
  return assert(files.read(path))
end

-- The snapshots of a live film, in order.
local function shotsOf(film)
  local list = {}
  for i = 1, film._count do list[i] = film._shots[(film._first + i - 2) % film._most + 1] end
  return list
end

-- Compares each frame of a live film with the same one of a loaded film. Returns the stage that
-- shows the loaded film.
local function compare(film, loaded)
  local stage = file.stage(loaded._read)
  for i, shot in ipairs(shotsOf(film)) do
    stage:show(i)
    assert.equal(shot:pack(), stage.world:snapshot():pack())
  end
  return stage
end

local SCENES = { "bitmap", "boss", "danmaku", "movers", "pick", "planks", "polygons", "queries",
  "rollback", "swarm", "tank", "voxels" }

describe("a film as a file", function()
  teardown(function() os.remove(path) end)

  for _, name in ipairs(SCENES) do
    it("has every frame of the scene " .. name .. " to the bit", function()
      local film = filmOf(("examples/scenes/%s.lua"):format(name), 30)
      save(film)
      local loaded = films.load(path)
      assert.same({ film:range() }, { loaded:range() })
      assert.equal("film(30 frames)", tostring(loaded))
      local stage = compare(film, loaded)
      for _, i in ipairs { 7, 30, 1 } do
        stage:show(i)
        assert.equal(shotsOf(film)[i]:hash(), stage.world:snapshot():hash())
      end
    end)
  end

  it("has the places and hits of a scene with characters, and fields", function()
    local scene = scenes.load "examples/scenes/platformer.lua"
    local film = films.new(scene.world, { frames = 50, fields = { "vx", "name", "nothing" } })
    for _ = 1, 80 do scenes.step(scene) end
    save(film)
    local stage = file.stage(films.load(path)._read)
    stage:show(50)
    for i, actor in ipairs(scene.world:actors()) do
      local other = stage.world:actors()[i]
      for _, key in ipairs { "name", "x", "y", "angle", "group", "vx" } do
        assert.equal(actor[key], other[key])
      end
      assert.equal(actor.shape:kind(), other.shape:kind())
    end
    assert.equal(scene.world:hash(), stage.world:hash())
  end)

  it("has the hits of a step, though the actors have moved since", function()
    local world = collide.newWorld()
    world:add { x = 0, y = 0, shape = collide.circle(5) }
    world:add { x = 1, y = 0, shape = collide.circle(5),
      hit = function(self) world:teleport(self, self.x + 0.5, self.y) end }
    local film = films.new(world)
    for _ = 1, 5 do world:step() end
    save(film)
    compare(film, films.load(path))
  end)

  it("takes at most 5 MB for 600 frames of 1000 boxes of the swarm", function()
    local film = filmOf("examples/scenes/swarm.lua", 120)
    assert.is_true(#save(film) <= 5e6 / 600 * 120)
  end)

  it("identifies an actor in each frame, while others come and go", function()
    local world = collide.newWorld()
    local film = films.new(world, { frames = 1000 })
    local random, all, alive = collide.newRandom(5), {}, {}
    for frame = 1, 400 do
      if random:random() < 0.3 then
        all[#all + 1] = world:add { name = "n" .. #all, x = random:uniform(0, 90), y = 0,
          shape = random:random(2) == 1 and collide.circle(3) or collide.rectangle(4, 4) }
      end
      if #world:actors() > 5 then world:remove(world:actors()[random:random(5)]) end
      for _, actor in ipairs(world:actors()) do actor.y = actor.y + random:uniform(-1, 1) end
      world:step()
      alive[frame] = {}
      for i, actor in ipairs(world:actors()) do alive[frame][i] = actor.name end
    end
    save(film)
    local stage, tables = file.stage(films.load(path)._read), {}
    for frame = 1, 400 do
      stage:show(frame)
      for i, actor in ipairs(stage.world:actors()) do
        assert.equal(alive[frame][i], actor.name)
        assert.is_true(tables[actor.name] == nil or tables[actor.name] == actor)
        tables[actor.name] = actor
      end
      assert.equal(#alive[frame], stage.world:count())
    end
  end)

  it("has the pools of each frame, while pools come and go", function()
    local world = collide.newWorld()
    local film, pools = films.new(world), {}
    local function add(capacity, radius, lifetime)
      local pool = world:newBullets { capacity = capacity, radius = radius, lifetime = lifetime }
      pool:spawn(10 * capacity, 0, 1, 0)
      pools[#pools + 1] = pool
    end
    world:step()
    add(3, 1)
    add(4, 2, 9)
    add(5, 1)
    world:step()
    pools[2]:remove()
    world:step()
    add(4, 2)
    add(4, 2)
    world:step()
    pools[1]:remove()
    world:step()
    for _, pool in ipairs(world:pools()) do pool:remove() end
    world:step()
    save(film)
    local stage = compare(film, films.load(path))
    local function shown()
      local list = {}
      for i, pool in ipairs(stage.world:pools()) do
        list[i] = ("%d %d %s"):format(pool.capacity, pool.radius, tostring(pool.lifetime ~= nil))
      end
      return table.concat(list, ", ")
    end
    assert.equal("", shown())
    stage:show(5)
    assert.equal("5 1 false, 4 2 false, 4 2 false", shown())
    stage:show(2)
    assert.equal("3 1 false, 4 2 true, 5 1 false", shown())
  end)

  it("has shapes of every kind, maps that share a grid, and names of parts", function()
    local grid = collide.newGrid(7, 5, { cell = 8 })
    grid:set(3, 2, 1)
    grid:set(4, 2, 2)
    local looks = { [2] = { shape = collide.polygon { 0, 0, 1, 0, 0, 1 }, oneWay = { 3, -4 } },
      [3] = { sensor = true }, [4] = collide.circle(0.5, 0.5, 0.3) }
    local map = collide.tiles(grid, looks)
    local world = collide.newWorld { groups = { "a", "b" }, touching = true,
      fields = { x = "px", name = false } }
    local shapes = { map, map:translated(100, 3), collide.tiles(grid),
      collide.tiles(collide.newGrid(1, 1)),
      collide.polygon { 0, 0, 10, 0, 10, 10, 5, 3, 0, 10 }:rotated(0.3):scaled(1.1),
      collide.chain({ 0, 0, 9, 1, 4, 8 }, true):upright(), collide.segment(0, 1, 5, 2.5),
      collide.compound { head = collide.circle(0, -5, 2), body = collide.capsule(0, 0, 0, 9, 3) } }
    for i, shape in ipairs(shapes) do
      world:add { px = 20 * i, y = 0.1, shape = shape, group = i % 2 == 0 and "b" or nil,
        static = shape:kind() == "tiles" }
    end
    local film = films.new(world)
    world:step()
    grid:set(0, 0, 4)
    world:step()
    save(film)
    local stage = compare(film, films.load(path))
    for i, actor in ipairs(stage.world:actors()) do
      assert.equal(core.packShape(shapes[i]), core.packShape(actor.shape))
      assert.equal(tostring(shapes[i]), tostring(actor.shape))
    end
    assert.same({ "body", "head" }, core.partNames(stage.world:actors()[#shapes].shape))
  end)

  it("has damaged shapes unpacked to valid shapes or refused", function()
    local random, shapes = collide.newRandom(3), {
      collide.polygon { 0, 0, 10, 0, 10, 10, 5, 3, 0, 10 }, collide.rectangle(5, 6):upright(),
      collide.compound { collide.circle(3), collide.compound { a = collide.segment(0, 0, 1, 2) } },
      collide.tiles(collide.newGrid(7, 5), { [2] = { shape = collide.circle(0.5, 0.5, 0.3) } }),
    }
    for i = 1, 2000 * ROUNDS do
      local text = core.packShape(shapes[i % #shapes + 1])
      for _ = 1, random:random(3) do
        local at = random:random(#text)
        text = text:sub(1, at - 1) .. string.char(random:random(0, 255)) .. text:sub(at + 1)
      end
      local shape = core.unpackShape(text:sub(1, random:random(#text, #text + 9)), 1e4)
      if shape then
        assert.is_table(shape:points())
        core.overlap(shape, 0, 0, 0, shapes[1], 3, 2, 0, true)
        core.distance(shape, 0, 0, 0, shapes[3], 30, 2, 0)
      end
    end
  end)

  it("is the same bytes when it is loaded and saved again", function()
    local text = save(filmOf("examples/scenes/tank.lua", 30))
    films.load(path):save(path)
    assert.equal(text, files.read(path))
  end)

  it("cannot restore a frame after loading, since it has no world", function()
    save(filmOf("examples/scenes/tank.lua", 5))
    local loaded = films.load(path)
    loaded:stop()
    expect.raises("film:restore: attempt to go back in a film that was loaded: it has no world",
      function() loaded:restore(3) end)
  end)

  it("says which file cannot be read or written", function()
    local film = films.new(collide.newWorld())
    expect.raises({ "films.load: cannot read it: ", "nowhere.film" },
      function() films.load "nowhere.film" end)
    for _, method in ipairs { "save", "page" } do
      expect.raises("film:" .. method .. ": cannot write it: a\\0b: the name of a file has no zero "
        .. "bytes", function() film[method](film, "a\0b") end)
    end
    expect.raises("films.load: cannot read it: a\\0b: the name of a file has no zero bytes",
      function() films.load "a\0b" end)
    expect.raises({ "film:save: cannot write it: ", "nowhere/a.film" },
      function() film:save "nowhere/a.film" end)
    save(film)
    assert.is_nil(films.load(path):range())
  end)

  it("is refused if a byte is damaged, if it is cut short, or if it is no film", function()
    local text = save(filmOf("examples/scenes/boss.lua", 20))
    local random = collide.newRandom(11)
    local function refused(damaged, why)
      files.write(path, damaged)
      expect.raises(("films.load: %s: film expected, got %s"):format(path, why),
        function() films.load(path) end)
    end
    for i = 1, 1000 * ROUNDS do
      local at = i <= 40 and i or random:random(#text)
      local byte = (text:byte(at) + random:random(255)) % 256
      refused(text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1),
        at <= 8 and "something else" or at <= 12 and "" or "a damaged one")
    end
    for _ = 1, 100 do refused(text:sub(1, random:random(#text) - 1), "") end
    refused("", "something else")
    refused(text .. "x", "a damaged one")
    refused(collide.newWorld():snapshot():pack(), "something else")
  end)

  -- Damage that no checksum detects: random bytes of the values, with a correct sum.
  it("does not crash the reader if its values are damaged on purpose", function()
    local seed = tonumber(os.getenv "COLLIDE_SEED") or 7
    local random = collide.newRandom(seed)
    for _, name in ipairs { "tank", "planks", "boss" } do
      local text, nothing = save(filmOf(("examples/scenes/%s.lua"):format(name), 12)), {}
      for _ = 1, 60 * ROUNDS do
        local list = {}
        local n = core.unpackList(text, list, nothing)
        for _ = 1, random:random(3) do
          local i = random:random(n)
          if type(list[i]) == "string" and list[i] ~= "" then
            local at = random:random(#list[i])
            list[i] = list[i]:sub(1, at - 1) .. string.char(random:random(0, 255))
              .. list[i]:sub(at + 1)
          elseif type(list[i]) == "number" then
            list[i] = random:random(4) == 1 and 2 ^ random:random(0, 50) or random:random(0, 9)
          end
        end
        local read = file.read(core.packList(list, n, nothing))
        local ok, message = pcall(function()
          local stage = read and file.stage(read)
          for i = 1, read and #read.frames or 0 do stage:show(i) end
        end)
        assert.is_true(ok or type(message) == "string", "seed " .. seed)
      end
    end
  end)
end)
