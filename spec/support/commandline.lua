-- Runs command lines of collide in this process.
local cli = require "collide.scene.cli"

local M = {}

-- A file that collects what is written to it.
local function stream()
  return {
    text = "",
    write = function(self, ...) self.text = self.text .. table.concat({ ... }) end,
    flush = function() end,
  }
end

-- The words that start the command line in a process of its own.
local function command()
  local words, first = {}, 0
  while arg[first - 1] do first = first - 1 end
  for i = first, -1 do words[#words + 1] = arg[i] end
  words[#words + 1] = "lua/collide/scene/main.lua"
  return words
end

--- Runs a command line. Returns its exit code, its output, and its errors.
---@return integer, string, string
function M.run(...)
  local out, err = stream(), stream()
  local code = cli.main({ ... }, { stdout = out, stderr = err, command = command() })
  return code, out.text, err.text
end

return M
