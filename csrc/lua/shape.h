// collide, MIT licence (see LICENSE)
//
// Shapes for Lua. Layer: lua.

#ifndef CL_LUA_SHAPE_H
#define CL_LUA_SHAPE_H

#include "geom/shape.h"
#include "lua/compat.h"

/// The shape at `index`, NULL if it is none. It lives as long as the value.
cl_shape *cll_to_shape(lua_State *L, int index);

/// The place of the shape in a shape object, which has NULL after cll_push_shape; NULL if the value
/// at `index` is no shape object.
cl_shape **cll_to_shape_object(lua_State *L, int index);

/// The shape at `index`; raises if it is none.
cl_shape *cll_check_shape(lua_State *L, int index);

/// The placed shape of four arguments from `index` on: shape, x, y, angle.
cl_placed cll_check_placed(lua_State *L, int index);

/// Pushes an empty shape object, and returns the place for its shape. The object releases it.
cl_shape **cll_push_shape(lua_State *L);

/// The return value of a function that made the shape on top of the stack; raises if `status` is a
/// failure.
int cll_shape_made(lua_State *L, const char *function, cl_status status);

/// Puts isShape into the table on top of the stack.
void cll_open_shape(lua_State *L);

#endif
