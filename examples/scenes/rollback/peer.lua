-- One player's copy of the game. It plays on with a guess of the other player's input. When the
-- real input arrives and differs, it goes back to the frame before, and plays again from there.
--
-- A frame is confirmed when both players' inputs for it have arrived.

local duel = require "rollback.duel"

local M = {}

-- How many frames a copy plays beyond the last known input of the other player before it waits.
local MOST_AHEAD = 24

-- How many snapshots are kept: of the last confirmed frame, and of all frames since.
local RING = MOST_AHEAD + 1

---@class rollback.Log
---@field me integer 1 or 2
---@field frame integer the last that was played
---@field mine integer[] own inputs by frame
---@field theirs integer[] the other's inputs by frame, as far as they have arrived
---@field known integer the last frame for which the other's input is known
---@field used integer[] by frame, the other's input with which it was played
---@field acknowledged integer the last frame for which the other knows our input
---@field wrong? integer the first frame that was played with a wrong guess
---@field hashes string[] of confirmed frames
---@field rollbacks integer how often it went back
---@field deepest integer the most frames that it went back
---@field replayed integer how many frames it played again
---@field waited integer how often it waited

---@class rollback.Peer
---@field game rollback.Game
---@field log rollback.Log plain data
---@field ring collide.Snapshot[] after each of the last frames, by frame % RING
local Peer = {}
Peer.__index = Peer

--- Makes the copy of player 1 or 2, before the first frame.
---@param me integer
---@param game rollback.Game a new one
---@return rollback.Peer
function M.new(me, game)
  return setmetatable({
    game = game, ring = { [0] = duel.snapshot(game) },
    log = { me = me, frame = 0, mine = {}, theirs = {}, known = 0, used = {}, acknowledged = 0,
      hashes = {}, rollbacks = 0, deepest = 0, replayed = 0, waited = 0 },
  }, Peer)
end

-- Plays a frame. An input that has not arrived is guessed to be the last one that has.
local function play(self, frame)
  local log, at = self.log, frame % RING
  local theirs = log.theirs[math.min(frame, log.known)] or duel.IDLE
  log.used[frame] = theirs
  if log.me == 1 then
    duel.step(self.game, log.mine[frame], theirs)
  else
    duel.step(self.game, theirs, log.mine[frame])
  end
  self.ring[at] = duel.snapshot(self.game, self.ring[at])
end

--- The last frame that is confirmed.
---@return integer
function Peer:confirmed()
  return math.min(self.log.frame, self.log.known)
end

--- Whether it may play on.
function Peer:isReady()
  return self.log.frame - self.log.known < MOST_AHEAD
end

--- Plays the next frame.
---@param input integer the player's
function Peer:advance(input)
  local log = self.log
  log.frame = log.frame + 1
  log.mine[log.frame] = input
  play(self, log.frame)
end

--- The packet that is sent in every frame: the last known input of the other, and all own inputs
--- that the other has not acknowledged. So a later packet replaces one that is lost.
---@return string
function Peer:packet()
  local log, letters = self.log, {}
  for frame = log.acknowledged + 1, log.frame do
    letters[#letters + 1] = string.char(65 + log.mine[frame])
  end
  return ("%d %d %s"):format(log.known, log.acknowledged, table.concat(letters))
end

--- Takes in a packet of the other.
---@param packet string
function Peer:receive(packet)
  local log = self.log
  local known, before, letters = packet:match("^(%d+) (%d+) (%u*)$")
  log.acknowledged = math.max(log.acknowledged, tonumber(known))
  for i = 1, #letters do
    local frame, input = tonumber(before) + i, letters:byte(i) - 65
    if frame == log.known + 1 then
      log.theirs[frame], log.known = input, frame
      if frame <= log.frame and log.used[frame] ~= input then log.wrong = log.wrong or frame end
    end
  end
end

--- If a guess was wrong, goes back to before the first wrong one, and plays up to the present
--- again. Then hashes the frames that are now confirmed.
---@return integer depth frames that were played again
function Peer:catchUp()
  local log, depth = self.log, 0
  if log.wrong then
    depth = log.frame - log.wrong + 1
    duel.restore(self.game, self.ring[(log.wrong - 1) % RING])
    for frame = log.wrong, log.frame do play(self, frame) end
    log.wrong = nil
    log.rollbacks, log.replayed = log.rollbacks + 1, log.replayed + depth
    log.deepest = math.max(log.deepest, depth)
  end
  for frame = #log.hashes + 1, self:confirmed() do
    log.hashes[frame] = self.ring[frame % RING]:hash()
  end
  return depth
end

--- The game as a string, for a save game: the last confirmed frame. The log has the rest.
---@return string
function Peer:save()
  return self.ring[self:confirmed() % RING]:pack()
end

--- Restores a string of `save`. The log must be that of the same moment.
---@param text string
function Peer:load(text)
  local first = self:confirmed()
  duel.restore(self.game, text)
  self.ring[first % RING] = duel.snapshot(self.game, self.ring[first % RING])
  for frame = first + 1, self.log.frame do play(self, frame) end
end

return M
