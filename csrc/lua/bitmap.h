// collide, MIT licence (see LICENSE)
//
// Bitmaps as Lua sees them. Layer: lua.

#ifndef CL_LUA_BITMAP_H
#define CL_LUA_BITMAP_H

#include "lua/compat.h"

/// Puts newBitmap into the table on top of the stack.
void cll_open_bitmap(lua_State *L);

#endif
