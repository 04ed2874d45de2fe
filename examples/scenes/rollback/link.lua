-- One direction of a bad network between the two players: packets arrive late, out of order, or
-- never. It is plain data, for scene.state.

local M = {}

---@class rollback.Packet
---@field text string
---@field sent integer the frame in which it was sent
---@field due integer the frame in which it arrives
---@field isLost boolean it does not arrive

---@class rollback.Link
---@field delay integer the least frames that a packet takes
---@field jitter integer the most further frames that it takes
---@field loss number the share of packets that are lost
---@field packets rollback.Packet[] on their way, in the order of sending
---@field sent integer how many were sent
---@field lost integer how many of them were lost

---@return rollback.Link
function M.new(delay, jitter, loss)
  return { delay = delay, jitter = jitter, loss = loss, packets = {}, sent = 0, lost = 0 }
end

--- Sends a packet.
---@param link rollback.Link
---@param now integer the frame
---@param text string
---@param source collide.Scene|collide.Random of random numbers
function M.send(link, now, text, source)
  local isLost = source:random() < link.loss
  local due = now + link.delay + source:random(link.jitter + 1) - 1
  table.insert(link.packets, { text = text, sent = now, due = due, isLost = isLost })
  link.sent = link.sent + 1
  if isLost then link.lost = link.lost + 1 end
end

--- The packets that arrive in a frame.
---@param link rollback.Link
---@param now integer
---@return string[] texts
function M.receive(link, now)
  local arrived, left = {}, {}
  for _, packet in ipairs(link.packets) do
    if packet.due > now then
      left[#left + 1] = packet
    elseif not packet.isLost then
      arrived[#arrived + 1] = packet.text
    end
  end
  link.packets = left
  return arrived
end

return M
