-- Colours, for streams that show them.

local M = {}

local CODES = { red = 31, green = 32 }

--- A text in a colour, if the stream shows any.
---@param streams collide.Streams
---@param stream file* one of these
---@param color "red"|"green"
---@param text string
---@return string
function M.paint(streams, stream, color, text)
  if not (streams.colors and streams.colors[stream]) then return text end
  return ("\27[%dm%s\27[0m"):format(CODES[color], text)
end

--- Whether a terminal is to be written to in colours: not if NO_COLOR is set to anything, or the
--- terminal has none.
---@param isTerminal boolean
---@param environment fun(name: string): string? such as os.getenv
---@return boolean
function M.areWanted(isTerminal, environment)
  local off, kind = environment "NO_COLOR", environment "TERM"
  return isTerminal and (off == nil or off == "") and kind ~= nil and kind ~= "dumb"
end

return M
