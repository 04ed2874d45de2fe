// collide, MIT licence (see LICENSE)
//
// Methods of a world's core that every frame calls. Layer: lua.

#ifndef CL_LUA_FRAME_H
#define CL_LUA_FRAME_H

#include "lua/compat.h"

/// Adds the methods to the table on top of the stack.
void cll_open_frame(lua_State *L);

#endif
