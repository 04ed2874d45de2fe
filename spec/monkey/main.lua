-- The monkey's command line: plays scripts, some of them twice, until so many operations have been
-- made.
--   lua spec/monkey/main.lua OPERATIONS SEED [FILE]
--   lua spec/monkey/main.lua crash SEED
-- FILE gets the seed of the script that is being played, in case the program itself ends; `crash`
-- then finds what ends it. Every fourth script is wild: its callbacks yield where not every Lua
-- can, and worlds may be collected at any time, so two runs may differ.
package.path = "./?.lua;" .. package.path

local play = require "spec.monkey.play"
local shrink = require "spec.monkey.shrink"
local tally = require "spec.monkey.tally"

local M = {}

local OPERATIONS_A_SCRIPT = 200
-- After so many operations each function must have returned once, and callbacks must have done
-- everything once.
local ENOUGH = 50000

local function isWild(seed) return seed % 4 == 0 end
local function isRepeated(seed) return seed % 4 == 1 end

-- The failure of a script, or nil; its hash; the number of its operations.
local function verdict(script, wild, again)
  local failure, hash, operations = play.run(script, wild)
  if failure or not again then return failure, hash, operations end
  local _, second = play.run(script, wild)
  if second ~= hash then failure = "a second run goes another way" end
  return failure, hash, operations
end

local function report(seed, failure, script, say)
  local wild, again = isWild(seed), isRepeated(seed)
  local least = shrink.shrink(script, function(shorter)
    return verdict(shorter, wild, again) ~= nil
  end)
  say(("seed %d: %s\n%s"):format(seed, failure, shrink.text(least, wild)))
end

local function note(file, seed)
  local out = assert(io.open(file, "w"))
  out:write(("%d\n"):format(seed))
  out:close()
end

--- Plays scripts from a seed on until `operations` have been made. Returns how many scripts failed,
--- the number of operations, and a hash of the hashes of all scripts that are not wild.
---@param operations integer
---@param seed integer
---@param file string? gets the seed of each script
---@param say fun(line: string)? called with each failure, default print
function M.run(operations, seed, file, say)
  local done, failed, hash = 0, 0, 0
  while done < operations do
    if file then note(file, seed) end
    local script = play.script(seed, OPERATIONS_A_SCRIPT)
    local failure, own, count = verdict(script, isWild(seed), isRepeated(seed))
    if failure then
      failed = failed + 1
      report(seed, failure, script, say or print)
    end
    if not isWild(seed) then hash = (hash * 31 + tonumber(own)) % (2 ^ 31 - 1) end
    done, seed = done + count, seed + 1
  end
  return failed, done, ("%d"):format(hash)
end

--- Plays one script and prints what happens.
function M.replay(script, wild)
  play.run(script, wild, setmetatable({}, { __newindex = function(_, _, line) print(line) end }))
  print((verdict(script, wild, not wild)) or "nothing is wrong")
end

-- Prints the shortest script that still ends the program, or does not end; tries scripts in
-- processes of their own.
local function afterCrash(seed)
  local function crashes(script)
    local file = os.tmpname()
    local out = assert(io.open(file, "w"))
    out:write(shrink.text(script, isWild(seed)))
    out:close()
    local ok = os.execute(("timeout 10 %s %s >/dev/null 2>&1"):format(arg[-1], file))
    os.remove(file)
    return not (ok == true or ok == 0)
  end
  print(("seed %d ends the program, or does not end:\n%s"):format(seed,
    shrink.text(shrink.shrink(play.script(seed, OPERATIONS_A_SCRIPT), crashes), isWild(seed))))
end

-- Prints what has never happened in that many operations, and returns how much.
local function untried(operations)
  local missing = operations >= ENOUGH and tally.missing(play.entries()) or {}
  for _, name in ipairs(missing) do print("this has never happened: " .. name) end
  return #missing
end

if arg and arg[0] and arg[0]:find "monkey/main%.lua$" then
  if arg[1] == "crash" then return afterCrash(tonumber(arg[2])) end
  local failed, done, hash = M.run(tonumber(arg[1]), tonumber(arg[2]), arg[3])
  failed = failed + untried(done)
  print(("monkey: %d operations, seed %s, hash %s, %d failed"):format(done, arg[2], hash, failed))
  os.exit(failed == 0 and 0 or 1)
end

return M
