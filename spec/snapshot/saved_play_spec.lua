-- Random play that continues from a snapshot: in the same world, and from a string in another
-- world.
local collide = require "collide"
local random = require "spec.support.random"
local saved_play = require "spec.support.saved_play"

local FRAMES = 16

-- The lines of a log after the n-th.
local function rest(log, n)
  return table.concat(log, "\n", n + 1)
end

local function excerpt(want, got)
  local i, lines, others = 1, {}, {}
  for line in want:gmatch "[^\n]+" do lines[#lines + 1] = line end
  for line in got:gmatch "[^\n]+" do others[#others + 1] = line end
  while lines[i] == others[i] and lines[i] do i = i + 1 end
  return ("line %d after the snapshot is\n  %s\nand should be\n  %s\nafter\n  %s"):format(i,
    tostring(others[i]), tostring(lines[i]), table.concat(lines, "\n  ", math.max(1, i - 8), i - 1))
end

local function same(what, want, got)
  if want ~= got then error(("%s: %s"):format(what, excerpt(want, got)), 0) end
end

describe("random play", function()
  local count = random.rounds(1) > 1 and random.rounds(50) or 12

  it(("repeats exactly from a snapshot (seeds %d to %d)"):format(random.seed(),
    random.seed() + count - 1), function()
    for seed = random.seed(), random.seed() + count - 1 do
      local rng = random.new(seed)
      local at, inside = rng:int(FRAMES - 4), rng:chance(0.5) and rng:int(12) or nil
      local game = saved_play.new(collide, seed)
      game:play(FRAMES, at, inside)
      local want, ending = rest(game.log, game.takenAt), game:pack()
      local packed = game.taken:pack()
      game:rewind()
      game:play(FRAMES - at)
      same(("seed %d, in the same world"):format(seed), want, rest(game.log, game.takenAt))
      assert.equal(ending, game:pack())
      local twin = saved_play.unpack(collide, seed, packed)
      twin:play(FRAMES - at)
      same(("seed %d, in another world"):format(seed), want, rest(twin.log, 0))
      assert.equal(ending, twin:pack())
    end
  end)
end)
