rockspec_format = "3.0"
package = "collide"
version = "scm-1"
source = {
  -- `luarocks make` takes the checkout it is run in; nothing is fetched.
  url = "git+file://.",
}
description = {
  summary = "Collision detection for Lua games, written in C",
  detailed = [[
    Actors are plain Lua tables, moved by assigning x, y and angle. Once a step, collide
    finds every pair that overlaps and calls the actors' enter, hit and leave.
  ]],
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
}
build = {
  type = "builtin",
  modules = {
    collide = "lua/collide/init.lua",
    ["collide.answers"] = "lua/collide/answers.lua",
    ["collide.arguments"] = "lua/collide/arguments.lua",
    ["collide.canvas"] = "lua/collide/canvas.lua",
    ["collide.check"] = "lua/collide/check.lua",
    ["collide.cli"] = "lua/collide/cli.lua",
    ["collide.definition"] = "lua/collide/definition.lua",
    ["collide.jit"] = "lua/collide/jit.lua",
    ["collide.love"] = "lua/collide/love.lua",
    ["collide.main"] = "lua/collide/main.lua",
    ["collide.numeral"] = "lua/collide/numeral.lua",
    ["collide.options"] = "lua/collide/options.lua",
    ["collide.outline"] = "lua/collide/outline.lua",
    ["collide.progress"] = "lua/collide/progress.lua",
    ["collide.queries"] = "lua/collide/queries.lua",
    ["collide.random"] = "lua/collide/random.lua",
    ["collide.reading"] = "lua/collide/reading.lua",
    ["collide.report"] = "lua/collide/report.lua",
    ["collide.scene"] = "lua/collide/scene.lua",
    ["collide.state"] = "lua/collide/state.lua",
    ["collide.step"] = "lua/collide/step.lua",
    ["collide.svg"] = "lua/collide/svg.lua",
    ["collide.trace"] = "lua/collide/trace.lua",
    ["collide.types"] = "lua/collide/types.lua",
    ["collide.world"] = "lua/collide/world.lua",
    ["collide.core"] = {
      sources = {
        "csrc/base/alloc.c",
        "csrc/base/exact.c",
        "csrc/base/sort.c",
        "csrc/base/trig.c",
        "csrc/broad/auto.c",
        "csrc/broad/brute.c",
        "csrc/broad/field.c",
        "csrc/broad/grid.c",
        "csrc/broad/index.c",
        "csrc/broad/lattice.c",
        "csrc/broad/loose.c",
        "csrc/broad/quadtree.c",
        "csrc/broad/tree.c",
        "csrc/geom/compound.c",
        "csrc/geom/cut.c",
        "csrc/geom/placed.c",
        "csrc/geom/polygon.c",
        "csrc/geom/shape.c",
        "csrc/geom/temp.c",
        "csrc/geom/transform.c",
        "csrc/lua/check.c",
        "csrc/lua/constructors.c",
        "csrc/lua/core.c",
        "csrc/lua/host.c",
        "csrc/lua/pairs.c",
        "csrc/lua/queries.c",
        "csrc/lua/shape.c",
        "csrc/lua/world.c",
        "csrc/narrow/cast.c",
        "csrc/narrow/closest.c",
        "csrc/narrow/contact.c",
        "csrc/narrow/convex.c",
        "csrc/narrow/decide.c",
        "csrc/narrow/distance.c",
        "csrc/narrow/exit.c",
        "csrc/narrow/joints.c",
        "csrc/narrow/order.c",
        "csrc/narrow/outline.c",
        "csrc/narrow/overlap.c",
        "csrc/narrow/parts.c",
        "csrc/world/actors.c",
        "csrc/world/answers.c",
        "csrc/world/find.c",
        "csrc/world/hash.c",
        "csrc/world/place.c",
        "csrc/world/queries.c",
        "csrc/world/told.c",
        "csrc/world/world.c",
      },
      incdirs = { "csrc" },
    },
  },
  install = {
    bin = { collide = "lua/collide/main.lua" },
  },
  platforms = {
    -- Windows has the mathematical functions in its C library.
    unix = {
      modules = { ["collide.core"] = { libraries = { "m" } } },
    },
  },
}
