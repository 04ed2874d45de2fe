// collide, MIT licence (see LICENSE)
//
// What differs between two snapshots. Layer: lua.

#ifndef CL_LUA_DIFFER_H
#define CL_LUA_DIFFER_H

#include "lua/compat.h"

/// Adds differingHit, differingCell and differingBullet to the table on top of the stack.
void cll_open_differ(lua_State *L);

#endif
