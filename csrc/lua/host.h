// collide, MIT licence (see LICENSE)
//
// System functions that plain Lua lacks. Layer: lua.

#ifndef CL_LUA_HOST_H
#define CL_LUA_HOST_H

#include "lua/compat.h"

/// Adds clock, isatty and makeFolder to the table on top of the stack.
void cll_open_host(lua_State *L);

#endif
