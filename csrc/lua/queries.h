// collide, MIT licence (see LICENSE)
//
// Methods of a world's core for queries. Layer: lua.

#ifndef CL_LUA_QUERIES_H
#define CL_LUA_QUERIES_H

#include "lua/world_core.h"

/// Adds the methods to the table on top of the stack.
void cll_open_queries(lua_State *L);

/// Groups from two numbers, a bit for each of 0 to 31 and of 32 to 63.
uint64_t cll_groups(double low, double high);

/// The groups of two arguments, from index `low` on.
uint64_t cll_check_groups(lua_State *L, int low);

/// The filter of a method that begins with core, actors, slots, low, high, ignored, asking. The
/// list of ignored actors is in memory of the core's, until the next filter is read.
cl_filter cll_read_filter(lua_State *L, cll_world *c, uint64_t groups);

/// Gives the list at `index` as many records of its own as `count`. `index` + 1 is a list of
/// records that no list holds; `index` + 2 maps each record to its list. The functions of the same
/// purpose in lua/collide/world/lists.lua say why. True if it made any, so that finalisers may have
/// run.
bool cll_fit_records(lua_State *L, int index, size_t count);

/// The first actor on a ray: its slot, counted from 1, and the rest in `c->cast`; 0 if there is
/// none, and -1 if only the method rayCast can report the error. The ray ignores the `count` slots
/// in `few`, counted from 0; the other arguments are the method's.
int32_t cll_ray_cast(cll_world *c, double low, double high, int32_t count, double x1, double y1,
                     double x2, double y2);

#endif
