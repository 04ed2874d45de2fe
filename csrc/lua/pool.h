// collide, MIT licence (see LICENSE)
//
// The userdata of a pool of bullets, and the checks that all its functions begin with. Layer: lua.

#ifndef CL_LUA_POOL_H
#define CL_LUA_POOL_H

#include "lua/compat.h"

/// The userdata keeps the world's core alive, and so what `world` points to.
typedef struct cll_bullets {
  cl_bullets *pool;       ///< NULL if it has been removed
  cl_world *const *world; ///< points to NULL if the world has been closed
} cll_bullets;

/// The pool whose table is the first argument; raises if it is not a pool, or its world has
/// been closed. Upvalue 1 of the running function is the userdata's metatable.
cll_bullets *cll_check_pool(lua_State *L, const char *function);

#endif
