// collide, MIT licence (see LICENSE)
//
// Files of traces and of inputs, which are part of traces. spec/fuzz/traces.lua reads them.

#include "lua_host.h"

FUZZ_LUA("spec/fuzz/traces.lua")
