// collide, MIT licence (see LICENSE)
//
// Pools of bullets as the Lua side has them. Layer: lua.

#ifndef CL_LUA_BULLETS_H
#define CL_LUA_BULLETS_H

#include "lua/compat.h"

/// Puts what makes and moves bullets into the table on top.
void cll_open_bullets(lua_State *L);

#endif
