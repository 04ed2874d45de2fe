// collide, MIT licence (see LICENSE)
//
// Shapes as Lua sees them. Layer: lua.

#ifndef CL_LUA_SHAPE_H
#define CL_LUA_SHAPE_H

#include "geom/placed.h"
#include "lua/compat.h"

/// The shape at `index`, NULL when it is none. It lives as long as the value.
cl_shape *cll_to_shape(lua_State *L, int index);

/// Where a shape object has its shape, which is NULL in one of cll_push_shape; NULL when the
/// value at `index` is none.
cl_shape **cll_to_shape_object(lua_State *L, int index);

/// The shape at `index`; raises when it is none.
cl_shape *cll_check_shape(lua_State *L, int index);

/// The placed shape that four arguments from `index` on are: shape, x, y, angle.
cl_placed cll_check_placed(lua_State *L, int index);

/// Pushes a shape that is none yet, and returns where to put it: what stands there
/// is released whatever happens next.
cl_shape **cll_push_shape(lua_State *L);

/// What a function returns that made the shape on top of the stack; raises when
/// `status` says that it could not.
int cll_shape_made(lua_State *L, const char *function, cl_status status);

/// Puts isShape into the table on top of the stack.
void cll_open_shape(lua_State *L);

#endif
