// collide, MIT licence (see LICENSE)
//
// The core userdata that a Lua World owns. Layer: lua.

#ifndef CL_LUA_WORLD_H
#define CL_LUA_WORLD_H

#include "lua/compat.h"
#include "narrow/cast.h"
#include "world/world.h"

/// Most actors that a ray of the accelerator's ignores. One that ignores more is cast by
/// the method.
#define CLL_RAY_IGNORED 64

/// The accelerator reads and writes `io` and `told`, and casts rays, through the
/// userdata's address. Whom a ray ignores it puts at `rays_ignore`, which is `few`.
/// `told` is how far the telling has got, as cl_world_step takes it. `world` is
/// NULL until it is made and after it has been closed. `steps` counts them. `ignored` is
/// queries.c's.
typedef struct cll_world cll_world;
struct cll_world {
  cl_io io;
  double told;
  int32_t (*ray_cast)(cll_world *, double low, double high, int32_t count, double x1, double y1,
                      double x2, double y2); ///< cll_ray_cast
  uint32_t *rays_ignore;
  cl_cast cast; ///< what ray_cast has found
  cl_world *world;
  uint32_t steps;
  uint32_t *ignored;
  size_t ignored_room;
  uint32_t few[CLL_RAY_IGNORED];
};

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

/// The first actor on a ray: its slot, counted from 1, and the rest in `c->cast`; 0 when
/// there is none, and -1 where only the method rayCast can tell what is wrong. The ray
/// ignores the `count` slots in `few`, counted from 0; the other arguments are the method's.
int32_t cll_ray_cast(cll_world *c, double low, double high, int32_t count, double x1, double y1,
                     double x2, double y2);

/// Puts the methods that ask a world what lies where into the table on top.
void cll_open_queries(lua_State *L);

#endif
