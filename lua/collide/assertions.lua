-- Registers assertions about worlds and actors with luassert, which busted uses; see README.md.

require "collide.scene.assertions"
