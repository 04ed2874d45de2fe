// collide, MIT licence (see LICENSE)
//
// Shapes as Lua sees them. Layer: lua.

#ifndef CL_LUA_SHAPE_H
#define CL_LUA_SHAPE_H

#include "geom/shape.h"
#include "lua/compat.h"

/// The shape at `index`, NULL when it is none. It lives as long as the value.
cl_shape *cll_to_shape(lua_State *L, int index);

/// The shape at `index`; raises when it is none.
cl_shape *cll_check_shape(lua_State *L, int index);

/// Puts the constructors, isShape and overlap into the table on top of the
/// stack.
void cll_open_shape(lua_State *L);

#endif
