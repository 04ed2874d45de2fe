-- world:hash() belongs to the last step, even after later changes.
local collide = require "collide"
local random = require "spec.support.random"

local dot = collide.circle(5)

-- Two equal worlds after a step. The hash of the first is taken at once.
local function pair(options)
  local worlds = {}
  for i = 1, 2 do
    local world = collide.newWorld()
    local it = { world = world, actors = {}, pools = {} }
    for k = 1, 40 do it.actors[k] = world:add { x = 7 * k, y = k % 3, shape = dot } end
    for k = 1, options and 2 or 0 do
      it.pools[k] = world:newBullets { capacity = 200, radius = 1, hit = options.hit }
      it.pools[k]:spawnRing(100, 0, 100, 9, k)
      it.pools[k]:spawnLaser { points = { 0, 90 + k, 50, 90 }, width = 2 }
    end
    world:update(0.1)
    worlds[i] = it
  end
  return worlds, worlds[1].world:hash()
end

-- Makes a change in both worlds, and checks that both still have the first one's hash.
local function keeps(change, options)
  local worlds, before = pair(options)
  for _, it in ipairs(worlds) do change(it.world, it.actors, it.pools) end
  for _, it in ipairs(worlds) do assert.equal(before, it.world:hash()) end
  for _, it in ipairs(worlds) do it.world:update(0.1) end
  assert.equal(worlds[1].world:hash(), worlds[2].world:hash())
  assert.is_not.equal(before, worlds[1].world:hash())
end

describe("world:hash", function()
  it("is the same before the first step, whatever was added", function()
    local world, other = collide.newWorld(), collide.newWorld()
    world:add { x = 1, y = 2, shape = dot }
    world:newBullets { capacity = 5, radius = 1 }:spawn(1, 2, 3, 4)
    assert.equal(other:hash(), world:hash())
    world:step()
    assert.is_not.equal(other:hash(), world:hash())
  end)

  it("ignores actors added after the last step", function()
    keeps(function(world) world:add { x = 20, y = 0, shape = dot } end)
  end)

  it("ignores removals after the last step", function()
    keeps(function(world, actors) world:remove(actors[3]) end)
    keeps(function(world) world:clear() end)
  end)

  it("ignores moves, jumps and refreshes after the last step", function()
    keeps(function(world, actors)
      world:move(actors[1], 0, 100)
      world:move(actors[1], 0, 10)
      world:teleport(actors[2], 500, 0, 1)
      actors[3].x, actors[3].shape = 30, collide.rectangle(3, 3)
      world:refresh(actors[3])
      world:teleport(actors[1], 9, 9)
    end)
  end)

  it("ignores any series of changes after the last step", function()
    keeps(function(world, actors)
      for i = 1, 3 do
        for k, actor in ipairs(actors) do world:teleport(actor, k, 100 * i) end
      end
      for k = 1, 30 do world:remove(actors[k]) end
      for k = 1, 100 do world:add { x = k, y = 0, shape = dot } end -- in the slots of the removed
    end)
  end)

  it("is that of the step's result, also in callbacks that change the world", function()
    local seen = {}
    local function play(meddle)
      local world = collide.newWorld()
      local a = world:add { x = 0, y = 0, shape = dot }
      local b = world:add { x = 6, y = 0, shape = dot }
      a.hit = function()
        seen[#seen + 1] = world:hash()
        if meddle then world:remove(b) end
      end
      world:step()
      return world:hash()
    end
    local plain = play(false)
    assert.equal(plain, play(true))
    assert.same({ plain, plain }, seen)
  end)

  it("ignores what happens to bullets after the step", function()
    local options = {}
    keeps(function(_, _, pools) pools[1]:spawn(0, 0, 1, 1) end, options)
    keeps(function(_, _, pools)
      for bullet = 1, 200, 7 do pools[1]:kill(bullet) end
      for bullet = 1, 250, 5 do pools[2]:kill(bullet) end
    end, options)
    keeps(function(_, _, pools)
      for i = 1, 3 do
        for bullet = 1, 202 do
          pools[1]:set(bullet, { x = i, vx = 3 })
          pools[2]:set(bullet, { y = i })
        end
      end
    end, options)
    keeps(function(_, _, pools) pools[2]:killCircle(100, 0, 50) end, options)
    keeps(function(_, _, pools) pools[1]:clear() end, options)
    keeps(function(world, _, pools)
      pools[1]:remove()
      world:newBullets { capacity = 5, radius = 1 }
    end, options)
  end)

  it("depends on the last step alone after random changes", function()
    local first = random.seed()
    for seed = first, first + random.rounds(20) - 1 do
      local ok, message = pcall(keeps, function(world, actors, pools)
        local r = random.new(seed)
        for _ = 1, r:int(30) do
          local actor, pool = r:pick(actors), r:pick(pools)
          local what = r:int(7)
          if what == 1 then world:remove(actor)
          elseif what == 2 and world:has(actor) then world:teleport(actor, r:float(0, 99), 0)
          elseif what == 3 and world:has(actor) then world:move(actor, r:float(-9, 9), 1)
          elseif what == 4 then pool:kill(r:int(210))
          elseif what == 5 then pool:set(r:int(210), { x = r:float(0, 99) })
          elseif what == 6 then pool:spawn(1, 2, 3, 4)
          else actors[#actors + 1] = world:add { x = r:float(0, 99), y = 0, shape = dot } end
        end
      end, { hit = function() return "pass" end })
      assert(ok, ("seed %d: %s"):format(seed, tostring(message)))
    end
  end)
end)

describe("world:hits", function()
  it("are those of the last step, even if actors are added and moved after it", function()
    local world = collide.newWorld()
    local a, b = world:add { x = 0, y = 0, shape = dot }, world:add { x = 6, y = 0, shape = dot }
    world:step()
    world:add { x = 3, y = 0, shape = dot }
    world:teleport(a, 500, 0)
    b.x = -90
    world:refresh(b)
    local list = {}
    for p, q, nx, ny, depth in world:hits() do list[#list + 1] = { p, q, nx, ny, depth } end
    assert.same({ { a, b, -1, 0, 4 } }, list)
  end)
end)
