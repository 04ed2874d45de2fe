-- A character on uneven ground must be where the profile of the ground says, however time is
-- divided into frames.
local collide = require "collide"
local random = require "spec.support.random"
local walker = require "spec.support.walker"

local GRAVITY, SIDE = walker.GRAVITY, 16

-- Functions that return the length of a frame in seconds, by its number.
local CUTS = {
  { "1/60", function() return 1 / 60 end },
  { "1/144", function() return 1 / 144 end },
  { "jittered", function(frame) return (1 + frame % 7) / 240 end },
  { "alternating with 0", function(frame) return frame % 2 == 0 and 0 or 1 / 60 end },
  { "0.25", function() return 0.25 end },
  { "1e-5", function() return 1e-5 end },
  { "1/30", function() return 1 / 30 end },
}

-- The points of a ground of flat stretches and slopes up to 45 degrees. Its ends are out of reach.
local function profile(rand)
  local xs, ys, x, y = { -1000 }, { 300 }, 0, 300
  while x < 1200 do
    xs[#xs + 1], ys[#ys + 1] = x, y
    local width = rand:int(1, 6) * 16
    local rise = rand:int(-2, 2) * width / 4
    if rand:int(3) == 1 or y + rise < 200 or y + rise > 400 then rise = 0 end
    if rand:int(6) == 1 and y - width > 200 then rise = -width end
    x, y = x + width, y + rise
  end
  xs[#xs + 1], ys[#ys + 1] = 3000, ys[#ys]
  return xs, ys
end

-- The y of the top left corner of a box that stands on the ground at x. The highest ground under
-- the box is at a corner of the profile or below a corner of the box.
local function standing(xs, ys, x)
  local top = math.huge
  for i = 1, #xs - 1 do
    local l, r = math.max(x, xs[i]), math.min(x + SIDE, xs[i + 1])
    if l <= r then
      local slope = (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i])
      top = math.min(top, ys[i] + slope * (l - xs[i]), ys[i] + slope * (r - xs[i]))
    end
  end
  return top - SIDE
end

local GROUNDS = {
  chain = function(world, xs, ys)
    local points = {}
    for i = #xs, 1, -1 do
      points[#points + 1] = xs[i]
      points[#points + 1] = ys[i]
    end
    world:add { x = 0, y = 0, static = true, shape = collide.chain(points) }
  end,
  blocks = function(world, xs, ys)
    for i = 1, #xs - 1 do
      world:add { x = 0, y = 0, static = true,
        shape = collide.polygon(xs[i], ys[i], xs[i + 1], ys[i + 1], xs[i + 1], 500, xs[i], 500) }
    end
  end,
}

describe("a character on uneven ground", function()
  for kind, build in pairs(GROUNDS) do
    it("has a floor in each frame, and is on the ground's profile: a " .. kind, function()
      for seed = random.seed(), random.seed() + random.rounds(2) - 1 do
        local rand = random.new(seed)
        for _, cut in ipairs(CUTS) do
          local seconds = cut[2]
          local world = collide.newWorld()
          local xs, ys = profile(rand)
          build(world, xs, ys)
          local hero = world:add { x = 600, y = standing(xs, ys, 600),
            shape = collide.rectangle(SIDE, SIDE) }
          local c = world:newCharacter(hero, { snapLength = 160 })
          local speed, vy = 0, select(2, c:move(0, 1, 1 / 60))
          for frame = 1, 350 do
            if frame % 50 == 1 then speed = rand:int(-300, 300) end
            local dt = seconds(frame)
            if hero.x < 100 then speed = 300 elseif hero.x > 1000 then speed = -300 end
            local pull = frame % 100 < 50 and GRAVITY * dt or 0
            local vx, left = c:move(speed, vy + pull, dt)
            if dt > 0 then vy = left end
            local off = hero.y - standing(xs, ys, hero.x)
            if not c.floor or math.abs(off) > 1e-6 or vx ~= speed then
              error(("seed %d, dt %s, frame %d: at %.17g, %.17g, %g off, vx %g of %g%s"):format(
                seed, cut[1], frame, hero.x, hero.y, off, vx, speed, c.floor and "" or ", flies"))
            end
          end
        end
      end
    end)
  end
end)

describe("a character that meets nothing", function()
  it("moves by its velocity in each of many frames, to the bit", function()
    local world = collide.newWorld()
    local hero = world:add { x = 341.25, y = -90000, shape = collide.rectangle(12, 14) }
    local c, dt, vy = world:newCharacter(hero), 1 / 60, 0
    for _ = 1, 300 do
      local x, y = hero.x, hero.y
      vy = vy + 10
      c:move(60, vy, dt)
      assert.equal(x + 60 * dt, hero.x)
      assert.equal(y + vy * dt, hero.y)
    end
  end)
end)
