-- Runs specs with busted on systems without the C modules that busted needs: it replaces the used
-- parts of lfs, system and term with Lua code.
--   lua spec/support/foreign.lua SPEC…

-- On some systems a folder can be opened like a file, but not read.
local function attributes(path, name)
  local file = io.open(path, "rb")
  if not file then return nil, path .. ": no such file" end
  local found = { mode = file:read(0) and "file" or "directory" }
  file:close()
  if name then return found[name] end
  return found
end

package.loaded.lfs = {
  attributes = attributes,
  symlinkattributes = attributes,
  currentdir = function() return "." end,
  chdir = function() return true end,
}
package.loaded.system = { gettime = os.time, monotime = os.clock, sleep = function() end }
package.loaded.term = { isatty = function() return false end }

require "busted.runner" { standalone = false }
