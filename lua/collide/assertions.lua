-- Registers assertions about worlds and actors with luassert, which busted uses; see
-- examples/README.md.

require "collide.scene.assertions"
