// collide, MIT licence (see LICENSE)
//
// Questions about two placed shapes. Layer: lua.

#ifndef CL_LUA_PAIRS_H
#define CL_LUA_PAIRS_H

#include "lua/compat.h"

/// Puts overlap, contact and distance into the table on top of the stack.
void cll_open_pairs(lua_State *L);

#endif
