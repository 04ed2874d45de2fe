-- Rollback netcode: two copies of a small game that know each other's input late and with losses,
-- guess it, go back when the guess was wrong, and end on the same hash.
--
--   collide run examples/scenes/rollback.lua --set delay=0.3 --set loss=0.2 --svg rollback.svg
--   love examples/love rollback          arrow keys, x: shoot; without them it plays itself
--
-- delay, jitter: seconds that every packet takes, and that it may take in addition; loss: the
-- share of packets that never arrive; length: frames of the game, after which the last inputs
-- arrive.
--
-- Each copy has a world of its own. What both players see is also in the scene's world, side by
-- side, for pictures, traces and the page.

local bot = require "rollback.bot"
local duel = require "rollback.duel"
local link = require "rollback.link"
local peer = require "rollback.peer"

local GAP, TOP = 14, 40
local WIDTH, HEIGHT = 2 * duel.WIDTH + 3 * GAP, TOP + duel.HEIGHT + 178

-- The frames after the game in which the last inputs arrive.
local REST = 90

local NAMES = { "left", "right" }
local LEFT_EDGES = { GAP, 2 * GAP + duel.WIDTH }

-- The number of frames in the chart of rollbacks.
local CHARTED = 120

-- Playing -------------------------------------------------------------------------------

-- The keys that player 1 holds, or nil if none has been pressed yet.
local function keysOf(scene)
  local state = scene.state
  local dx = (scene:down "right" and 1 or 0) - (scene:down "left" and 1 or 0)
  local dy = (scene:down "down" and 1 or 0) - (scene:down "up" and 1 or 0)
  local fires = scene:down "x"
  state.isHuman = state.isHuman or dx ~= 0 or dy ~= 0 or fires
  return state.isHuman and duel.input(dx, dy, fires) or nil
end

-- A player's frame: receives packets, plays on, and sends a packet.
local function playFrame(scene, i, keys)
  local state, copy = scene.state, scene.peers[i]
  local log = copy.log
  for _, packet in ipairs(link.receive(state.links[3 - i], scene.frame)) do copy:receive(packet) end
  state.depths[i][scene.frame % CHARTED + 1] = copy:catchUp()
  if log.frame < scene.params.length then
    if copy:isReady() then
      copy:advance(keys or bot.input(state.minds[i], copy.game, i, scene))
    else
      log.waited = log.waited + 1
    end
  end
  link.send(state.links[i], scene.frame, copy:packet(), scene)
end

-- Notes the first confirmed frame in which the copies differ.
local function compare(scene)
  local state, first, second = scene.state, scene.peers[1].log.hashes, scene.peers[2].log.hashes
  for frame = state.agreed + 1, math.min(#first, #second) do
    if first[frame] ~= second[frame] then
      state.fault = state.fault
        or ("frame %d is confirmed, with the hash %s on the left and %s on the right"):format(frame,
          first[frame], second[frame])
    end
    state.agreed = frame
  end
end

-- Plays a game without a network that gets the same inputs. Returns a difference from it, or nil.
local function compareWithoutNet(scene)
  local game, snapshot = duel.new(), nil
  local first, second = scene.peers[1].log, scene.peers[2].log
  for frame = 1, scene.state.agreed do
    duel.step(game, first.mine[frame], second.mine[frame])
    snapshot = duel.snapshot(game, snapshot)
    if snapshot:hash() ~= first.hashes[frame] then
      return ("frame %d differs from a game without a net"):format(frame)
    end
  end
end

-- The screens ----------------------------------------------------------------------------

-- The fields that are copied from the game's actors to those on the screen.
local SHOWN = { "vx", "vy", "cooldown", "shield", "score" }

local function addScreen(scene, i)
  local screen = { seen = {}, shown = {} }
  for k, actor in ipairs(scene.peers[i].game.world:actors()) do
    screen.seen[k] = actor
    screen.shown[k] = scene.world:add { name = NAMES[i] .. ": " .. actor.name, group = actor.group,
      x = actor.x + LEFT_EDGES[i], y = actor.y + TOP, shape = actor.shape, static = actor.static }
  end
  screen.shots = scene.world:newBullets { capacity = 32, radius = 3, group = "shot", pierce = true }
  return screen
end

local function showScreen(scene, i)
  local screen = scene.screens[i]
  for k, actor in ipairs(screen.seen) do
    local shown = screen.shown[k]
    if not actor.static then
      shown.x, shown.y = actor.x + LEFT_EDGES[i], actor.y + TOP
      for _, name in ipairs(SHOWN) do shown[name] = actor[name] end
    end
  end
  screen.shots:clear()
  for _, ship in ipairs(scene.peers[i].game.ships) do
    ship.shots:each(function(_, x, y) screen.shots:spawn(x + LEFT_EDGES[i], y + TOP, 0, 0) end)
  end
end

-- Drawing --------------------------------------------------------------------------------

local INK, MUTED, FLOOR = { 0.14, 0.16, 0.22 }, { 0.45, 0.47, 0.52 }, { 0.93, 0.92, 0.88 }
local ROCK, WOOD = { 0.42, 0.44, 0.50 }, { 0.78, 0.60, 0.38 }
local PLAYERS = { { 0.12, 0.45, 0.70 }, { 0.82, 0.34, 0.16 } }
local RED, GREEN = { 0.78, 0.12, 0.16 }, { 0.16, 0.52, 0.28 }

local function drawShip(canvas, ship, i, dx, dy)
  local x, y = ship.x + dx, ship.y + dy
  if ship.shield > 0 then
    canvas:setColor(PLAYERS[i], 0.25)
    canvas:circle("fill", x, y, 15)
  end
  canvas:setColor(PLAYERS[i])
  canvas:shape("fill", ship.shape, x, y)
  canvas:setColor(INK)
  canvas:line(x, y, x + 14 * ship.aimX, y + 14 * ship.aimY)
end

local function drawArena(scene, canvas, i)
  local game, other, dx, dy = scene.peers[i].game, scene.peers[3 - i].game, LEFT_EDGES[i], TOP
  canvas:setColor(FLOOR)
  canvas:rectangle("fill", dx, dy, duel.WIDTH, duel.HEIGHT)
  for _, actor in ipairs(game.world:actors()) do
    if actor.group == "rock" or actor.group == "crate" then
      canvas:setColor(actor.group == "rock" and ROCK or WOOD)
      canvas:shape("fill", actor.shape, actor.x + dx, actor.y + dy)
    end
  end
  for k, ship in ipairs(game.ships) do
    canvas:setColor(PLAYERS[k])
    ship.shots:each(function(_, x, y) canvas:circle("fill", x + dx, y + dy, 3) end)
    drawShip(canvas, ship, k, dx, dy)
  end
  -- Where the other player sees its own ship now.
  local truth = other.ships[3 - i]
  canvas:setColor(PLAYERS[3 - i])
  canvas:circle("line", truth.x + dx, truth.y + dy, 9)
end

-- A bar for each of the last frames: how many were played again in it.
local function drawChart(scene, canvas, i, x, y)
  local depths = scene.state.depths[i]
  canvas:setColor(PLAYERS[i], 0.8)
  for k = 1, CHARTED do
    local depth = depths[(scene.frame + k) % CHARTED + 1] or 0
    if depth > 0 then canvas:rectangle("fill", x + 3 * (k - 1), y - 2 * depth, 2, 2 * depth) end
  end
  canvas:setColor(MUTED)
  canvas:line(x, y, x + 3 * CHARTED, y)
end

local function drawNumbers(scene, canvas, i)
  local log, x, y = scene.peers[i].log, LEFT_EDGES[i], TOP + duel.HEIGHT
  canvas:setColor(PLAYERS[i])
  canvas:print(("the %s player's copy"):format(NAMES[i]), x, 14)
  canvas:setColor(INK)
  local ships = scene.peers[i].game.ships
  canvas:print(("%d : %d"):format(ships[1].score, ships[2].score), x + duel.WIDTH - 40, 14)
  canvas:print(("frame %d, confirmed up to %d"):format(log.frame, scene.peers[i]:confirmed()), x,
    y + 60)
  canvas:print(("went back %d times, by %d at most"):format(log.rollbacks, log.deepest), x, y + 82)
  canvas:setColor(MUTED)
  canvas:print(("%d frames played again:"):format(log.replayed), x, y + 104)
  drawChart(scene, canvas, i, x, y + 170)
end

-- Packets on their way, from one copy to the other. Lost ones end halfway.
local function drawLink(scene, canvas, i)
  local from, to = LEFT_EDGES[1] + duel.WIDTH / 2, LEFT_EDGES[2] + duel.WIDTH / 2
  if i == 2 then from, to = to, from end
  local y = TOP + duel.HEIGHT + 18 + 14 * i
  canvas:setColor(PLAYERS[i], 0.35)
  canvas:line(from, y, to, y)
  for _, packet in ipairs(scene.state.links[i].packets) do
    local way = (scene.frame - packet.sent) / (packet.due - packet.sent + 1)
    if not packet.isLost or way < 0.5 then
      canvas:setColor(packet.isLost and RED or PLAYERS[i])
      canvas:circle("fill", from + way * (to - from), y, packet.isLost and 4 or 3)
    end
  end
end

local function drawVerdict(scene, canvas)
  local state, last = scene.state, scene.params.length
  local first, second = scene.peers[1].log.hashes, scene.peers[2].log.hashes
  local text
  if state.fault then
    text = state.fault
  elseif last > 0 and state.agreed == last then
    text = ("both ended on %s"):format(first[last])
  else
    text = ("the same up to frame %d"):format(math.min(#first, #second))
  end
  canvas:setColor(state.fault and RED or GREEN)
  canvas:print(text, WIDTH / 2 - 3.4 * #text, TOP + duel.HEIGHT + 4)
end

return {
  name = "rollback", width = WIDTH, height = HEIGHT, frames = 600 + REST, dt = duel.DT, seed = 1,
  params = { delay = 0.2, jitter = 0.05, loss = 0.05, length = 600 },

  setup = function(scene)
    local p, broadphase = scene.params, scene.world:stats().broadphase
    scene.peers = { peer.new(1, duel.new(broadphase)), peer.new(2, duel.new(broadphase)) }
    local delay, jitter = math.floor(p.delay / scene.dt), math.floor(p.jitter / scene.dt)
    scene.state = {
      logs = { scene.peers[1].log, scene.peers[2].log }, minds = { bot.new(), bot.new() },
      links = { link.new(delay, jitter, p.loss), link.new(delay, jitter, p.loss) },
      depths = { {}, {} }, agreed = 0,
    }
    scene.screens = { addScreen(scene, 1), addScreen(scene, 2) }
  end,

  update = function(scene)
    playFrame(scene, 1, keysOf(scene))
    playFrame(scene, 2, nil)
    compare(scene)
    showScreen(scene, 1)
    showScreen(scene, 2)
  end,

  draw = function(scene, canvas)
    for i = 1, 2 do
      drawArena(scene, canvas, i)
      drawNumbers(scene, canvas, i)
      drawLink(scene, canvas, i)
    end
    drawVerdict(scene, canvas)
  end,

  save = function(scene)
    return { scene.peers[1]:save(), scene.peers[2]:save() }
  end,

  load = function(scene, saved)
    scene.peers[1]:load(saved[1])
    scene.peers[2]:load(saved[2])
  end,

  -- Both copies, and a game without a network, have the same hash in every confirmed frame. In the
  -- end all frames are confirmed.
  check = function(scene)
    local state, last = scene.state, scene.params.length
    if state.fault then return false, state.fault end
    local fault = compareWithoutNet(scene)
    if fault then return false, fault end
    if scene.frame >= last + REST and state.agreed < last then
      return false, ("only frame %d of %d is confirmed by both"):format(state.agreed, last)
    end
    return true
  end,
}
