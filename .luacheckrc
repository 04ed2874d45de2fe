-- Settings of luacheck: what every Lua from 5.1 to 5.5 and LuaJIT has, and lines of 100 columns.
std = "min"

-- What one Lua has and another has not, for code that asks which there is.
read_globals = { "loadstring", "setfenv", "unpack", table = { fields = { "unpack" } } }

max_line_length = 100
exclude_files = { "examples/game/map.lua", "spec/maps/*.lua" } -- as Tiled writes them
include_files = {
  "lua/**/*.lua", "spec/**/*.lua", "examples/**/*.lua", "rockspec/*.rockspec",
  ".luacheckrc", ".busted",
}

-- `not (x < y)` is not `x >= y`: nan is what it is written for.
ignore = { "581" }

files["spec/**/*_spec.lua"].std = "min+busted"
files["examples/game/spec/*_spec.lua"].std = "min+busted"

-- The only files that may name LÖVE, beside lua/collide/tiled/files.lua, which asks for modules.
files["lua/collide/love.lua"].std = "luajit+love"
files["examples/love"].std = "luajit+love"
files["examples/game/main.lua"].std = "luajit+love"
files["examples/game/conf.lua"].std = "luajit+love"
files["spec/tools/film.lua"].std = "luajit+love"
files["spec/bench/frame"].std = "luajit+love"

-- The accelerator runs on LuaJIT alone.
files["lua/collide/ffi/frame.lua"].std = "luajit"

-- Declarations for language servers: nothing in them is used, and a type has to stand in one line.
files["lua/collide/types"].ignore = { "211", "212", "241" }
files["lua/collide/types"].max_comment_line_length = false
