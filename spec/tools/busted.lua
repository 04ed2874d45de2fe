-- Runs busted with the Lua that runs this file, wherever busted is installed: busted's own command
-- chooses a Lua itself.

-- A file of specs compiles more traces than a game. When LuaJIT's memory for them is full, it drops
-- them all and compiles them again, and each time changes the protection of pages, which is slow.
local jit = rawget(_G, "jit")
if jit then jit.opt.start("maxtrace=60000", "maxmcode=65536", "sizemcode=1024") end

require "busted.runner" { standalone = false }
