-- Damaged strings of snapshots (flipped bits, cut short, or noise) with a correct checksum: either
-- a clear error and an unchanged world, or a world that can continue.
local collide = require "collide"
local expect = require "spec.support.expect"
local random = require "spec.support.random"
local saved_play = require "spec.support.saved_play"

-- `seal` gives a string the checksum of its present contents, `double` converts a number to bytes.
-- Both need integers of 64 bits.
local bytes = (loadstring or load) [[
  local function seal(text)
    local hash = 0xcbf29ce484222325
    for i = 21, #text do hash = (hash ~ text:byte(i)) * 0x100000001b3 end
    hash = (hash ~ hash >> 33) * 0xff51afd7ed558ccd
    hash = (hash ~ hash >> 33) * 0xc4ceb9fe1a85ec53
    return text:sub(1, 12) .. string.pack("<I8", hash ~ hash >> 33) .. text:sub(21)
  end
  return seal, function(number) return string.pack("<d", number) end]]
if not bytes then return end
local seal, double = bytes()

local ODD = { 0, -1, 1e300, 1e12, 2e12, 0.5, 3, 1 / 0, 0 / 0, 1e-320 }

local function nothing() end

local function splice(text, at, piece)
  return text:sub(1, at - 1) .. piece .. text:sub(at + #piece)
end

local function noise(rng, length)
  local list = {}
  for i = 1, length do list[i] = string.char(rng:int(0, 255)) end
  return table.concat(list)
end

local function flip(rng, text)
  for _ = 1, rng:int(3) do
    local at = rng:int(21, #text)
    local byte, bit = text:byte(at), 2 ^ rng:int(0, 7)
    text = splice(text, at, string.char(byte / bit % 2 < 1 and byte + bit or byte - bit))
  end
  return text
end

local damages = {
  flip, flip, flip, flip,
  function(rng, text) return text:sub(1, rng:int(20, #text)) end,
  function(rng, text) return text .. noise(rng, rng:int(40)) end,
  function(rng, text)
    local at = rng:int(21, #text)
    return splice(text, at, noise(rng, math.min(rng:int(40), #text - at + 1)))
  end,
  function(rng, text) return splice(text, rng:int(21, #text), string.char(rng:int(0, 3))) end,
  function(rng, text) return splice(text, rng:int(21, #text), "\255") end,
  function(rng, text)
    return splice(text, rng:int(21, #text - 8), double(rng:pick(ODD)))
  end,
}

-- A game that is not played any more, so nothing depends on the fields of its actors.
local function quiet(seed)
  local game = saved_play.new(collide, seed)
  game:play(8, 6, seed % 2 == 0 and 9 or nil)
  for _, pool in ipairs(game.world:pools()) do
    pool.hit, pool.graze, pool.expired = nothing, nothing, nothing
  end
  local grid = game.grid
  return game.world, game.taken:pack(), function(_, fields)
    local shape = fields.kind == "map" and collide.tiles(grid, { [2] = collide.polygon(0, 1, 1, 0,
      1, 1), [3] = false }) or game.shapes[fields.kind]
    return { shape = shape, enter = nothing, hit = nothing, leave = nothing,
      fromSnapshot = nothing }
  end
end

describe("world:restore from a damaged string", function()
  it("raises for a whole number beyond 2^53, which is never packed", function()
    local world, box = collide.newWorld(), collide.rectangle(1, 1)
    local actor = world:add { x = 0, y = 0, hp = 0.7, shape = box }
    local text = world:snapshot({ "hp" }):pack()
    for hp, isRight in pairs { [2 ^ 53] = true, [2 ^ 54] = false, [-1e300] = false } do
      local at = text:find(double(0.7), 1, true)
      local ok, message = pcall(world.restore, world, seal(splice(text, at, double(hp))),
        function() return { shape = box } end)
      assert.equal(isRight, ok, message)
    end
    expect.raises("got a damaged one", world.restore, world, seal(text .. "\0"), print)
    assert.equal(0.7, actor.hp)
  end)

  -- Each value begins with a byte for its type; a string also has its length.
  it("raises for groups that no world has", function()
    local world = collide.newWorld()
    for _, group in ipairs { "gold", "silver" } do
      world:add { x = 0, y = 0, group = group, shape = collide.rectangle(1, 1) }
    end
    local text, hash = world:snapshot():pack(), world:hash()
    local function refuses(old, new)
      local at = assert(text:find(old, 1, true))
      assert.equal(#old, #new)
      expect.raises("world:restore: snapshot expected (string that snapshot:pack gave), "
        .. "got a damaged one", world.restore, world, seal(splice(text, at, new)), print)
      assert.equal(hash, world:hash())
    end
    local count = "\3" .. double(2)
    refuses("\0" .. count, "\2" .. count)
    refuses("\0" .. count, "\0\3" .. double(3))
    refuses("\4\6\0\0\0silver", "\4\1\0\0\0*\4\0\0\0\0")
    local same = collide.newWorld()
    for _, group in ipairs { "lead", "gold" } do
      same:add { x = 0, y = 0, group = group, shape = collide.rectangle(1, 1) }
    end
    world, text, hash = same, same:snapshot():pack(), same:hash()
    refuses("gold", "lead")
  end)

  it("raises for an actor in a group that no world has", function()
    local function packed(...)
      local world = collide.newWorld()
      for _, group in ipairs { ... } do
        world:add { x = 0, y = 0, group = group, shape = collide.rectangle(1, 1) }
      end
      return world:snapshot():pack(), world
    end
    -- The first position at which two texts differ after their checksums.
    local function differ(a, b)
      local at = 21
      while a:byte(at) == b:byte(at) do at = at + 1 end
      return at
    end
    local text, world = packed("gold", "silver", "gold")
    local third = differ(text, (packed("gold", "silver", "silver")))
    local second = differ((packed("gold", "gold", "silver")), (packed("gold", "silver", "silver")))
    for _, at in ipairs { 2 * second - third, second, third } do
      assert.is_true(text:byte(at) < 2)
      expect.raises("got a damaged one", world.restore, world, seal(splice(text, at, "\2")), print)
    end
  end)

  it("raises for a number of checked actors that is larger than that of all actors", function()
    local world, shape = collide.newWorld(), collide.rectangle(1, 1)
    for i = 1, 2 do world:add { x = 5 * i, y = 0, shape = shape } end
    for _ = 1, 7 do world:step() end
    local text = world:snapshot():pack()
    local frame = "\3" .. double(7) .. "\3"
    local at = assert(text:find(frame .. double(2), 1, true)) + #frame
    for number, isRight in pairs { [0] = true, [1] = true, [2] = true, [3] = false,
      [2 ^ 53] = false, [0.5] = false, [-1] = false } do
      local ok, message = pcall(world.restore, world, seal(splice(text, at, double(number))),
        function() return { shape = shape } end)
      assert.equal(isRight, ok, message)
      if not ok then assert.matches("got a damaged one", message, 1, true) end
    end
  end)

  it("raises for places beyond the world in the actors' tables", function()
    local world, box = collide.newWorld(), collide.rectangle(1, 1)
    local actor = world:add { x = 0, y = 0, angle = 0, shape = box }
    actor.x, actor.y, actor.angle = 0.3, 0.6, 0.7
    local text = world:snapshot():pack()
    for old, most in pairs { [0.3] = 1e12, [0.6] = 1e12, [0.7] = 2 ^ 30 } do
      for new, isRight in pairs { [most] = true, [-most] = true, [most * 1.01] = false,
        [-1 / 0] = false, ["nan"] = false } do
        local piece = double(new == "nan" and 0 / 0 or new)
        local at = assert(text:find(double(old), 1, true))
        local ok, message = pcall(world.restore, world, seal(splice(text, at, piece)),
          function() return { shape = box } end)
        assert.equal(isRight, ok, message)
      end
    end
  end)

  local worlds, each = 10, random.rounds(1) > 1 and random.rounds(500) or 60

  it(("raises and changes nothing, or the world continues (seeds %d to %d)"):format(random.seed(),
    random.seed() + worlds - 1), function()
    local refused, taken = 0, 0
    for seed = random.seed(), random.seed() + worlds - 1 do
      local world, text, make = quiet(seed)
      local rng, snapshot = random.new(seed), world:snapshot()
      local hash, groups, whole = world:hash(), world._groupCount, snapshot:pack()
      for case = 1, each do
        local bad = seal(rng:pick(damages)(rng, text))
        local ok, message = pcall(world.restore, world, bad, make)
        local where = ("seed %d, case %d"):format(seed, case)
        if ok then
          taken = taken + 1
          for _ = 1, 2 do
            -- A static actor may have one place in its table and another in the world.
            ok, message = pcall(world.step, world)
            assert.is_true(ok or message:find("call world:refresh(actor)", 1, true) ~= nil, message)
          end
          for _ in world:hits() do where = where .. "." end
          assert.equal(#world:actors(), world:count(), where)
          world:snapshot():pack()
          world:restore(snapshot)
          groups, whole = world._groupCount, world:snapshot():pack() -- with the groups' names
        else
          refused = refused + 1
          assert.matches("world:restore: ", message, 1, true)
          assert.same({ hash, groups }, { world:hash(), world._groupCount }, where)
          assert.is_true(case % 10 > 0 or whole == world:snapshot():pack(), where)
        end
      end
    end
    assert.is_true(refused > 50 and taken > 50, refused .. " " .. taken)
  end)
end)
