-- The names of all broad phases, for what has to hold with each of them.
return require("collide.options").BROADPHASES
