// collide, MIT licence (see LICENSE)
//
// Walks along cells. Layer: lua.

#ifndef CL_LUA_GRIDRAY_H
#define CL_LUA_GRIDRAY_H

#include "base/layout.h"
#include "lua/compat.h"

/// The part of a walk that gridray.lua uses.
extern const cl_field cll_walk_layout[];

/// Puts gridCells and gridWalk into the table on top of the stack.
void cll_open_gridray(lua_State *L);

#endif
