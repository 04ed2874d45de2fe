// collide, MIT licence (see LICENSE)
//
// Moving actors of a world. Layer: lua.

#ifndef CL_LUA_MOVE_H
#define CL_LUA_MOVE_H

#include "lua/compat.h"

/// Adds the core's methods for moves to the table on top of the stack.
void cll_open_move(lua_State *L);

#endif
