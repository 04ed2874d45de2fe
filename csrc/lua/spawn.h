// collide, MIT licence (see LICENSE)
//
// Functions that spawn bullets. Layer: lua.

#ifndef CL_LUA_SPAWN_H
#define CL_LUA_SPAWN_H

#include "lua/compat.h"

/// Methods of a pool that spawn, and functions that bullets.lua wraps; both lists end in {NULL,
/// NULL}.
extern const luaL_Reg cll_spawn_methods[], cll_spawn_functions[];

#endif
