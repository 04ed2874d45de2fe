// collide, MIT licence (see LICENSE)
//
// Snapshots as strings. Layer: lua.

#ifndef CL_LUA_PACK_H
#define CL_LUA_PACK_H

#include "lua/compat.h"

/// Adds pack, unpack and the functions that belong to them to the table on top of the stack.
void cll_open_pack(lua_State *L);

#endif
