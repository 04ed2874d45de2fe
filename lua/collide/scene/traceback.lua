-- Errors of a scene's own code, with the stack on which they were raised.

local require = require "collide.relative"
local core = require "collide.core"
local each = require "collide.each"

local M = {}

---@class collide.Failure
---@field message string
---@field err any the error value
---@field trace string the stack without this library's own frames, or "" if there is none

-- The folder of this library, as it appears in the names of its files.
local HOME = debug.getinfo(1, "S").source:match("^@(.*)scene[/\\]traceback%.lua$")

-- Whether a file of a traceback is this library's. Lua cuts off the beginning of a long name, and
-- writes "..." in its place.
local function isOwn(file)
  if not HOME then return false end
  if file:sub(1, #HOME) == HOME then return true end
  local rest = file:match "^%.%.%.(.*)$"
  if not rest then return false end
  for last in rest:gmatch "()[/\\]" do
    if HOME:sub(-last) == rest:sub(1, last) then return true end
  end
  return false
end

-- The lines of a traceback down to an xpcall, without the frames of this library. A line that names
-- no file, such as that of a C function, belongs to the frame that called it.
local function framesOf(text)
  local frames, waiting = {}, {}
  for line in text:gmatch "\n(\t[^\n]+)" do
    if line:find(" in %a+ 'xpcall'$") then break end
    waiting[#waiting + 1] = line
    local file = line:match "^\t(.-):%d+: in "
    if file then
      for _, frame in ipairs(isOwn(file) and {} or waiting) do frames[#frames + 1] = frame end
      waiting = {}
    end
  end
  return frames
end

local MOST = 8 -- the most fields of an error value that are shown

-- The message of an error value; for a table without a message of its own, its fields. Also returns
-- the error value, or the message in its place if __tostring fails.
local function messageOf(err)
  local told, text = pcall(tostring, err)
  if not told then
    text = "an error value whose __tostring fails"
    return text, text
  end
  if type(err) ~= "table" or not text:find "^table: [x%x]+$" then return text, err end
  local list = {}
  for key, value in each.next, err do
    list[#list + 1] = ("%s = %s"):format(type(key) == "string" and key or core.describe(key, true),
      (core.describe(value, true):gsub("^string ", ""):gsub("^boolean ", "")))
  end
  table.sort(list)
  if list[MOST + 1] then list[MOST + 1] = "…" end
  return ("table {%s}"):format(table.concat(list, ", ", 1, math.min(#list, MOST + 1))), err
end

-- The last error that was passed on, its message, and its stack.
local passed = {}

-- A handler for xpcall: makes a Failure of an error.
local function handler(err)
  local frames = framesOf(debug.traceback("", 2))
  local message
  if rawequal(err, passed.err) then
    if passed.trace ~= "" then table.insert(frames, 1, passed.trace) end
    message = passed.message
    passed.err, passed.message, passed.trace = nil, nil, nil
  elseif frames[1] then
    table.insert(frames, 1, "stack traceback:")
  end
  if not message then message, err = messageOf(err) end
  return { err = err, message = message, trace = table.concat(frames, "\n") }
end

M.handler = handler

-- When there is no memory or stack left for the handler, xpcall returns an error of its own.
local function settled(result)
  if type(result) == "table" and result.trace then return result end
  return { err = result, message = (messageOf(result)), trace = "" }
end

--- Raises the error that `handler` was given again, with a prefix if it is a string. An outer
--- `catch` reports its message with the prefix, and the stack of the first error.
---@param failure collide.Failure
---@param prefix string
function M.pass(failure, prefix)
  failure = settled(failure)
  local err = failure.err
  if type(err) == "string" then err = prefix .. err end
  passed.err, passed.message, passed.trace = err, prefix .. failure.message, failure.trace
  error(err, 0)
end

--- The message of a Failure, and below it the stack if there is one.
---@param failure collide.Failure
---@return string
function M.text(failure)
  if failure.trace == "" then return failure.message end
  return failure.message .. "\n" .. failure.trace
end

--- Calls f(...). Returns true and its first three results, or false and a Failure.
---@param f function
---@return boolean ok
---@return any|collide.Failure
function M.catch(f, ...)
  local n, args = select("#", ...), { ... }
  -- xpcall passes no arguments in Lua 5.1. This is not a tail call, since some Luas would leave the
  -- name xpcall out of the stack.
  local ok, first, second, third = xpcall(function()
    return f((table.unpack or unpack)(args, 1, n))
  end, handler)
  if not ok then return false, settled(first) end
  return true, first, second, third
end

return M
