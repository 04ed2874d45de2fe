-- Registers assertions about worlds and actors with luassert, which busted uses; see
-- examples/README.md.

require "collide.binding" -- first: it says why a core cannot be loaded
require "collide.scene.assertions"
