// collide, MIT licence (see LICENSE)
//
// Pools of bullets for the Lua side. Layer: lua.

#ifndef CL_LUA_BULLETS_H
#define CL_LUA_BULLETS_H

#include "lua/compat.h"

/// Adds the functions that make and move bullets to the table on top of the stack.
void cll_open_bullets(lua_State *L);

#endif
