-- The names of all broad phases, for tests of all of them.
return require("collide.world").BROADPHASES
