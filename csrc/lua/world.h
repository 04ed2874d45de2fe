// collide, MIT licence (see LICENSE)
//
// The core userdata that a Lua World owns. Layer: lua.

#ifndef CL_LUA_WORLD_H
#define CL_LUA_WORLD_H

#include "lua/compat.h"
#include "world/world.h"

/// cl_io comes first: the accelerator takes the userdata's address for that of a
/// cl_io. `world` is NULL until it is made and after it has been closed.
typedef struct cll_world {
  cl_io io;
  cl_world *world;
} cll_world;

/// The core that is the first argument; raises when it is none or closed.
cll_world *cll_check_world(lua_State *L);

/// Puts newWorld into the table on top of the stack.
void cll_open_world(lua_State *L);

/// Puts the methods that ask a world what lies where into the table on top.
void cll_open_queries(lua_State *L);

#endif
