// collide, MIT licence (see LICENSE)
//
// What the files about pools of bullets share. Layer: lua.

#ifndef CL_LUA_BULLETS_H
#define CL_LUA_BULLETS_H

#include "lua/world.h"
#include "world/bullets.h"

/// Known to spawn.lua too. The userdata keeps the world's core, and so what `world`
/// points to.
typedef struct cll_bullets {
  cl_bullets *pool;
  cl_world *const *world; ///< NULL stands there when the world has been closed
} cll_bullets;

/// Whole numbers up to this are exact as doubles: 2^53.
#define CLL_MOST_EXACT 9007199254740992.0

/// The pool whose table is the first argument; raises when it is none, or its world has
/// been closed. Upvalue 1 of the running function is the userdata's metatable.
cll_bullets *cll_check_pool(lua_State *L, const char *function);

/// A whole number from `least` to `most`, or an error that says what was expected.
double cll_check_whole(lua_State *L, const char *function, const char *name, int index,
                       double least, double most, const char *expected);

/// Methods of a pool that spawn, and functions that bullets.lua wraps; both end in
/// {NULL, NULL}.
extern const luaL_Reg cll_spawn_methods[], cll_spawn_functions[];

#endif
