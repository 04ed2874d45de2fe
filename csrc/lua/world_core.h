// collide, MIT licence (see LICENSE)
//
// The userdata that a Lua World owns, and the checks that all its methods begin with. Layer: lua.

#ifndef CL_LUA_WORLD_CORE_H
#define CL_LUA_WORLD_CORE_H

#include "lua/compat.h"

/// Its class.
#define CLL_WORLD "collide.core.world"

/// How many actors a ray of the accelerator's may ignore. With more, the method casts it.
#define CLL_RAY_IGNORED 64

/// The accelerator reads and writes `io` and `dispatched`, casts rays and moves actors, through the
/// userdata's address. It writes the slots that a ray ignores to `rays_ignore`, which is `few`.
/// `dispatched` is the progress of the dispatch, as for cl_world_step. `world` is NULL until it is
/// made and after it has been closed. `ignored` belongs to queries.c.
typedef struct cll_world cll_world;
struct cll_world {
  cl_io io;
  double dispatched;
  int32_t (*ray_cast)(cll_world *, double low, double high, int32_t count, double x1, double y1,
                      double x2, double y2); ///< cll_ray_cast
  uint32_t *rays_ignore;
  cl_cast cast; ///< the result of ray_cast
  int32_t (*move_now)(cll_world *, double slot, double x, double y, double angle, double dx,
                      double dy, double group, double response); ///< cll_move_now
  int32_t (*move_commit)(cll_world *);                           ///< cll_move_commit
  cl_vec moved;                                                  ///< the result of move_now
  const cl_move_hit *move_hit;
  cl_world *world;
  cl_pools *pools; ///< of bullets in that world
  uint32_t *ignored;
  size_t ignored_room;
  uint32_t few[CLL_RAY_IGNORED];
  cl_move_ask ask;       ///< for move.c: the last question of a move,
  uint32_t move_ignores; ///< and the slot that it ignores
};

/// The core in the first argument; raises if it is none or closed.
cll_world *cll_check_world(lua_State *L);

/// The live slot that an argument counts from 1; raises if it is none.
uint32_t cll_check_live(lua_State *L, const cll_world *c, int index);

#endif
