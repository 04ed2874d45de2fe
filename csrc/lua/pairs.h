// collide, MIT licence (see LICENSE)
//
// Functions about two placed shapes. Layer: lua.

#ifndef CL_LUA_PAIRS_H
#define CL_LUA_PAIRS_H

#include "lua/compat.h"

/// Adds overlap, contact and distance to the table on top of the stack.
void cll_open_pairs(lua_State *L);

#endif
