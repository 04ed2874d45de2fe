// collide, MIT licence (see LICENSE)
//
// Worlds for the Lua side. Layer: lua.

#ifndef CL_LUA_WORLD_H
#define CL_LUA_WORLD_H

#include "lua/compat.h"

/// Puts newWorld into the table on top of the stack.
void cll_open_world(lua_State *L);

#endif
