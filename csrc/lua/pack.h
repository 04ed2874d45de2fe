// collide, MIT licence (see LICENSE)
//
// Snapshots as strings. Layer: lua.

#ifndef CL_LUA_PACK_H
#define CL_LUA_PACK_H

#include "lua/compat.h"

/// Puts pack, unpack and what goes with them into the table on top of the stack.
void cll_open_pack(lua_State *L);

#endif
