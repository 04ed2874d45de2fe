-- The world against a reference model of the contract in plain Lua, under random play.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local gc = require "spec.support.gc"
local model = require "spec.support.model"
local oracle = require "spec.support.oracle"
local play = require "spec.support.play"
local random = require "spec.support.random"

local unpack = table.unpack or unpack -- luacheck: ignore
local SEED, FRAMES = random.seed(), 60

local function excerpt(log, i)
  local out = {}
  for k = math.max(1, i - 12), math.min(#log, i + 2) do
    out[#out + 1] = (k == i and "> " or "  ") .. log[k]
  end
  return table.concat(out, "\n")
end

local function compare(seed, want, got)
  for i = 1, math.max(#want.log, #got.log) do
    if want.log[i] ~= got.log[i] then
      error(("seed %d, call %d: the model says\n%s\nthe world says\n%s")
        :format(seed, i, excerpt(want.log, i), excerpt(got.log, i)), 0)
    end
    if got.numbers[i] then
      local ok, what = oracle.agrees(want.answers[i], unpack(got.numbers[i], 1, 4))
      if not ok then
        error(("seed %d, call %d: %s\n%s"):format(seed, i, what, excerpt(got.log, i)), 0)
      end
    end
  end
end

local function copyOf(t)
  local copy = {}
  for k, v in pairs(t) do copy[k] = v end
  return copy
end

-- Checks that each enter is followed by exactly one leave, for an actor that always has all
-- callbacks, as long as no snapshot has rewound the world.
local function matched(seed, got)
  local inside, kept = {}, {}
  for i, line in ipairs(got.log) do
    local what, snapshot = line:match("^(%l+) (%d) ok$")
    if what == "snapshot" then kept[snapshot] = copyOf(inside) end
    if what == "restore" then inside = copyOf(kept[snapshot]) end
    local event, a, b = line:match("^(%l+) (%d+) (%d+)$")
    if event and got.actors[tonumber(a)].complete then
      local key = a .. " " .. b
      local ok = true
      if event == "enter" then
        ok = not inside[key]
        inside[key] = true
      elseif event == "hit" then
        ok = inside[key]
      elseif event == "leave" then
        ok = inside[key]
        inside[key] = nil
      end
      if not ok then
        error(("seed %d, call %d does not fit:\n%s"):format(seed, i, excerpt(got.log, i)), 0)
      end
    end
  end
  local key = next(inside)
  if key then error(("seed %d: enter %s without a leave"):format(seed, key), 0) end
end

-- Plays the world and the model. `under` calls the world's play, in the way of pcall.
local function both(seed, frames, options, under)
  local want = play.run(model, seed, frames)
  for _, broadphase in ipairs(broadphases) do
    local loose = broadphase == "quadtree" and seed % 4 == 0
    local all = { broadphase = broadphase, loose = loose or nil }
    for k, v in pairs(options or {}) do all[k] = v end
    local got = (under or function(f, ...) return f(...) end)(play.run, collide, seed, frames, all)
    compare(seed, want, got)
    matched(seed, got)
  end
end

describe("a world under random play", function()
  local count, small = random.rounds(60), random.rounds(10)
  local aggressive, generational = random.rounds(2), random.rounds(5)

  it(("makes the same calls as the model, with every broad phase (seeds %d to %d)")
    :format(SEED, SEED + count - 1), function()
    for seed = SEED, SEED + count - 1 do both(seed, FRAMES) end
  end)

  it(("does so with a field size that most actors lie outside of (seeds %d to %d)")
    :format(SEED + 5000, SEED + 4999 + small), function()
    for seed = SEED + 5000, SEED + 4999 + small do both(seed, 40, { width = 7, height = 3 }) end
  end)

  it(("does so while the collector runs all the time (seeds %d to %d)")
    :format(SEED + 6000, SEED + 5999 + aggressive), function()
    for seed = SEED + 6000, SEED + 5999 + aggressive do both(seed, 10, nil, gc.aggressive) end
  end)

  if gc.hasGenerational then
    it(("does so under the generational collector (seeds %d to %d)")
      :format(SEED + 7000, SEED + 6999 + generational), function()
      for seed = SEED + 7000, SEED + 6999 + generational do both(seed, 30, nil, gc.generational) end
    end)
  end
end)

local WORDS = { "enter", "hit", "leave", "update", "remove", "add", "clear", "raise", "teleport",
  "refresh", "change", "setRule", "yield", "woken", "wake", "spoil", "pair", "asleep", "finished",
  "bare", "assign", "onesided", "query", "between", "snapshot", "restore", "on", "cell", "tiles",
  "tiles' edges", "tiles on the way" }

-- The first of the words that has not been seen often enough.
local function rarest(seen)
  for _, word in ipairs(WORDS) do
    if (seen[word] or 0) < 5 then return word end
  end
end

describe("the reference model", function()
  -- Twenty games play nearly everything; some seeds need more until the rarest case has occurred.
  it("plays every kind of call and interruption", function()
    local seen, seed = {}, SEED
    while seed < SEED + 20 or seed < SEED + 400 and rarest(seen) do
      local run = play.run(model, seed, FRAMES)
      matched(seed, run)
      seed = seed + 1
      for _, line in ipairs(run.log) do
        local word = line:match("^(%a+)")
        seen[word] = (seen[word] or 0) + 1
      end
      for _, answer in pairs(run.answers) do
        if answer and answer.pieces then
          local what = answer.t and "tiles on the way" or answer.open and "tiles" or "tiles' edges"
          seen[what] = (seen[what] or 0) + 1
        end
      end
    end
    local word = rarest(seen)
    assert.is_nil(word, (word or "") .. " happens too rarely")
  end)
end)
