-- Runs busted with the Lua that runs this file, wherever busted was installed:
-- its own command picks a Lua by itself.
require "busted.runner" { standalone = false }
