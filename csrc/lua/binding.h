// collide, MIT licence (see LICENSE)
//
// What the Lua files of this library know of the core, for them to compare. Layer: lua.

#ifndef CL_LUA_BINDING_H
#define CL_LUA_BINDING_H

#include "lua/compat.h"

/// Puts BINDING, the constants and `layouts` into the table on top of the stack.
void cll_open_binding(lua_State *L);

#endif
