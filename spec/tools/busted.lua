-- Runs busted with the Lua that runs this file, wherever busted is installed: busted's own command
-- chooses a Lua itself.
require "busted.runner" { standalone = false }
