// collide, MIT licence (see LICENSE)
//
// The version, constants and layouts of the core, for the Lua files to compare. Layer: lua.

#ifndef CL_LUA_BINDING_H
#define CL_LUA_BINDING_H

#include "lua/compat.h"

/// Puts BINDING, BUILD, the constants and `layouts` into the table on top of the stack.
void cll_open_binding(lua_State *L);

#endif
