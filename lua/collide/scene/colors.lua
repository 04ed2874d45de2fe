-- Coloured text, for terminals that show colours.

local M = {}

local CODES = { red = 31, green = 32 }

--- Wraps a text in the codes of a colour, if the stream shows colours.
---@param streams collide.Streams
---@param stream file* one of `streams`
---@param color "red"|"green"
---@param text string
---@return string
function M.paint(streams, stream, color, text)
  if not (streams.colors and streams.colors[stream]) then return text end
  return ("\27[%dm%s\27[0m"):format(CODES[color], text)
end

--- Whether to write to a stream in colours: only to a terminal that has colours, and not if
--- NO_COLOR is set to anything.
---@param isTerminal boolean
---@param environment fun(name: string): string? such as os.getenv
---@return boolean
function M.areWanted(isTerminal, environment)
  local off, kind = environment "NO_COLOR", environment "TERM"
  return isTerminal and (off == nil or off == "") and kind ~= nil and kind ~= "dumb"
end

return M
