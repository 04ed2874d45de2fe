-- Finds the public interface: every function of the modules and every method of the objects that
-- they return, each with the names of its arguments and options. These are taken from error
-- messages, which name the wrong argument. So a new function is tested as soon as it exists.
local M = {}

--- The modules that are searched. collide.love needs a window, so it is not.
M.MODULES = { "collide", "collide.bump" }

local MOST_ARGUMENTS, MOST_TRIES = 10, 40
-- The rounds, and the calls in each: of a function, of one that makes an object, and of one that
-- adds something to an object.
local ROUNDS, CALLED, MADE, ADDED = 6, 3, 20, 10
local WRONG = coroutine.create(function() end) -- never a right argument

--- The name of an object's class, or nil. `names` gives names to classes that have none.
function M.classOf(value, names)
  local kind = type(value)
  if kind ~= "table" and kind ~= "userdata" then return nil end
  local meta = debug.getmetatable(value)
  if type(meta) ~= "table" or type(rawget(meta, "__index")) ~= "table" then return nil end
  local name = rawget(meta, "__name")
  if type(name) == "string" then return name:match("^collide%.(%u%w*)$") end
  return names[meta]
end

local function sortedNames(t)
  local list = {}
  for name, value in pairs(t) do
    if type(name) == "string" and not name:find "^_" and type(value) == "function" then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

--- A module's tables of functions: a list of { prefix of the names, table }.
function M.parts(module)
  local list = { { ".", module } }
  for name, value in pairs(module) do
    if type(value) == "table" then list[#list + 1] = { "." .. name .. ".", value } end
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local i = 0
  return function()
    i = i + 1
    if list[i] then return list[i][1], list[i][2] end
  end
end

-- The argument or option that the error of a call names.
local function complaint(play, f, args, n)
  local ok, message = play:try(f, args, n)
  if ok or type(message) ~= "string" then return nil end
  return message:match("^[^ ]+:%d+: [%w_.:]+: (.-) expected %("), message
end

-- The options of a table that is the n-th argument, by name, and which of them are required.
local function optionsOf(play, f, args, n)
  args[n] = { ["no such option"] = 1 }
  local _, message = complaint(play, f, args, n)
  local listed = message and message:match("expected %(one of (.-)%), got")
  if not listed then return nil end
  local options = { required = {} }
  for name in listed:gmatch "[^, ]+" do options[#options + 1] = name end
  args[n] = {}
  for _ = 1, #options do
    local missing = complaint(play, f, args, n)
    if not missing or args[n][missing] ~= nil then break end
    args[n][missing] = play:value(missing, true)
    options.required[missing] = true
  end
  return options
end

-- Whether a message is about an argument before the one that was meant to be wrong.
local function isEarlier(entry, name)
  for _, param in ipairs(entry) do
    local own = param.name
    if name == own or name:sub(1, #own + 1) == own .. "." or name:sub(1, #own + 1) == own .. "["
      or name:sub(-#own - 4) == " of " .. own then
      return true
    end
  end
  return false
end

-- The arguments of a function: each in turn is wrong, and those before it are right.
local function argumentsOf(play, entry)
  local before = entry.class and 1 or 0
  local function complaintAt(i)
    local args = { entry.class and play:any(entry.class) }
    play.world = args[1]
    for k = 1, i - 1 do args[before + k] = play:argument(entry, k) end
    args[before + i] = WRONG
    local name, message = complaint(play, entry.f, args, before + i)
    return name, message, args
  end
  for i = 1, MOST_ARGUMENTS do
    local name, message, args
    for _ = 1, MOST_TRIES do
      name, message, args = complaintAt(i)
      if not (name and isEarlier(entry, name)) then break end
    end
    -- If the error is about another, missing argument, this one takes any value.
    local isMeant = name and message:find "got thread"
    if not name or isEarlier(entry, name) and not (isMeant and i <= 4) then
      entry.anything = name ~= nil
      break
    end
    entry[i] = { name = isMeant and name or "anything", isWhole = message:find "whole number",
      options = isMeant and optionsOf(play, entry.f, args, before + i) }
  end
end

--- All entries, sorted by name: { name =, f =, class =, [i] = { name =, options = } }. `play` makes
--- the calls; their results lead to further classes.
function M.explore(play)
  local entries, best = nil, {}
  local function learn(prefix, t, class)
    for _, name in ipairs(sortedNames(t)) do
      local entry = { name = prefix .. name, f = t[name], class = class }
      argumentsOf(play, entry)
      -- A later round may have drawn no right argument where an earlier one has.
      if not best[entry.name] or #entry >= #best[entry.name] then best[entry.name] = entry end
      entries[#entries + 1] = best[entry.name]
    end
  end
  -- With more calls there are more objects, and so more right arguments.
  for _ = 1, ROUNDS do
    entries = {}
    for _, name in ipairs(M.MODULES) do
      local short = name:match "%w+$"
      for part, t in M.parts(require(name)) do learn(short .. part, t) end
    end
    for _, class in ipairs(play:classes()) do
      local object = play:any(class)
      if M.classOf(object, play.names) then
        local name = class == "Bullets" and "pool" or class:lower() -- as documents say
        learn(name .. ":", debug.getmetatable(object).__index, class)
      end
    end
    for i = 1, #entries do
      for _ = 1, CALLED do play:make(entries[i]) end
    end
    -- At last, since some of those calls have removed what others added.
    for i = 1, #entries do
      if entries[i].name:find ":add$" then
        play:each(entries[i].class, function(object)
          for _ = 1, ADDED do
            play:newActor()
            play:make(entries[i], object)
          end
        end)
      end
    end
    for i = 1, #entries do
      local name = entries[i].name
      if name:find ":new" or name:find ":snapshot$" then
        for _ = 1, MADE do play:make(entries[i]) end
      end
    end
  end
  table.sort(entries, function(a, b) return a.name < b.name end)
  return entries
end

return M
