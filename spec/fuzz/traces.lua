-- Text that is read as a trace and as a script of keys: the result is one, or a message that begins
-- with the path and says what was expected. Traces can be compared, and scripts played.

local files = require "collide.files"
local input = require "collide.scene.input"
local trace = require "collide.scene.trace"

local PATH = "file.trace"
local text

-- Both read whole files.
function files.read() return text end

local function isMessage(message)
  return type(message) == "string" and message:find(PATH, 1, true) == 1
    and message:find(" expected (", 1, true) ~= nil
end

return function(bytes)
  text = bytes
  local read, message = trace.read(PATH)
  if read then
    assert(trace.diff(read, read) == nil, "a trace differs from itself")
    local other = { path = "other", scene = read.scene, settings = {}, frames = {} }
    for i = 2, #read.frames do other.frames[i - 1] = read.frames[i] end
    if #read.frames > 0 then assert(type(trace.diff(read, other)) == "string") end
  else
    assert(isMessage(message), message)
  end
  local lines, settings = input.read(PATH)
  if lines then
    local keys = input.scripted(lines)
    assert(keys and type(settings) == "table")
  else
    assert(isMessage(settings), settings)
  end
end
