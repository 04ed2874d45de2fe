// collide, MIT licence (see LICENSE)
//
// Layer: lua.

#ifndef CL_LUA_HOST_H
#define CL_LUA_HOST_H

#include "lua/compat.h"

/// Adds clock and isatty to the table on top of the stack.
void cll_open_host(lua_State *L);

#endif
