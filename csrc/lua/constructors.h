// collide, MIT licence (see LICENSE)
//
// The constructors of shapes of all kinds. Layer: lua.

#ifndef CL_LUA_CONSTRUCTORS_H
#define CL_LUA_CONSTRUCTORS_H

#include "lua/compat.h"

/// Adds the constructors to the table on top of the stack.
void cll_open_constructors(lua_State *L);

#endif
