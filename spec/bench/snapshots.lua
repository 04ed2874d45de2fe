-- Snapshots of the swarm from Lua, in milliseconds: the time to take one with two fields of each
-- actor, refilled in a ring of eight; to restore one; of a frame with a snapshot; and of a frame
-- of a game with rollback, which goes back by eight frames, plays them again, and plays one more.
-- Also the garbage of a snapshot.

local boxes = require "boxes"
local collide = require "collide"
local turns = require "turns"

local COUNT, RING = 1000, 8
local FIELDS = { "vx", "vy" }

local case = "snapshots " .. (rawget(_G, "jit") and "LuaJIT" or _VERSION)

-- A swarm with the snapshots before each of its last frames.
local function open()
  local side = boxes.side(COUNT)
  local world, ring, frame = collide.newWorld { width = side, height = side }, {}, 0
  local shape = collide.rectangle(boxes.SIZE, boxes.SIZE)
  for _, box in ipairs(boxes.list(COUNT)) do
    box.shape = shape
    world:add(box)
  end
  local function take()
    frame = frame + 1
    ring[frame % RING] = world:snapshot(FIELDS, ring[frame % RING])
  end
  local function play()
    take()
    world:update(boxes.DT)
  end
  for _ = 1, RING do play() end
  local function rollBack()
    frame = frame - RING
    world:restore(ring[(frame + 1) % RING])
    for _ = 0, RING do play() end
  end
  return take, play, rollBack, function() world:restore(ring[frame % RING]) end, world
end

local take, _, _, restore = open()
local _, play = open()
local _, _, rollBack, _, world = open()

-- Rollback does not change the result.
local _, straight, _, _, other = open()
for _ = 1, 5 do
  straight()
  rollBack()
end
assert(world:hash() == other:hash(), "a game that is wound back ends otherwise")

local tasks = {
  { name = "taken", frame = take },
  { name = "restored", frame = restore },
  { name = "a frame with one", frame = play },
  { name = "a frame and eight again", frame = rollBack },
}
turns.run(tasks)
turns.header()
for _, task in ipairs(tasks) do
  turns.row(case, task.name, COUNT, task.time * 1e3, "ms", tasks[1].time * 1e3)
end

-- The least of several counts, since new traces of LuaJIT count too.
local made = math.huge
collectgarbage()
collectgarbage "stop"
for _ = 1, 5 do
  local before = collectgarbage "count"
  for _ = 1, 100 do take() end
  made = math.min(made, (collectgarbage "count" - before) * 1024 / 100)
end
collectgarbage "restart"
turns.row(case .. ": garbage", "taken", COUNT, made, "bytes")

local AIMS = { ["snapshots LuaJIT"] = 0.06, ["snapshots Lua 5.4"] = 0.2 }
if AIMS[case] then
  print(("a snapshot of %d with two fields: %.4f ms (aim: at most %.2f) and %.0f bytes of garbage "
    .. "(aim: 0)"):format(COUNT, tasks[1].time * 1e3, AIMS[case], made))
end
