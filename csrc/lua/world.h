// collide, MIT licence (see LICENSE)
//
// The core userdata that a Lua World owns. Layer: lua.

#ifndef CL_LUA_WORLD_H
#define CL_LUA_WORLD_H

#include "lua/compat.h"
#include "world/world.h"

/// The accelerator reads and writes `io` and `told` through the userdata's address.
/// `told` is how far the telling has got, as cl_world_step takes it. `world` is
/// NULL until it is made and after it has been closed. `ignored` is queries.c's.
typedef struct cll_world {
  cl_io io;
  double told;
  cl_world *world;
  uint32_t *ignored;
  size_t ignored_room;
} cll_world;

/// The core that is the first argument; raises when it is none or closed.
cll_world *cll_check_world(lua_State *L);

/// The live slot that an argument counts from 1; raises when it is none.
uint32_t cll_check_live(lua_State *L, const cll_world *c, int index);

/// Puts newWorld into the table on top of the stack.
void cll_open_world(lua_State *L);

/// Put methods into the table on top: what a frame needs, what is asked of the
/// last step.
void cll_open_frame(lua_State *L);
void cll_open_answers(lua_State *L);

/// Puts what makes and moves bullets into the table on top.
void cll_open_bullets(lua_State *L);

/// Puts the methods that ask a world what lies where into the table on top.
void cll_open_queries(lua_State *L);

#endif
