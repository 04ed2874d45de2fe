// collide, MIT licence (see LICENSE)
//
// Moving actors of a world. Layer: lua.

#ifndef CL_LUA_MOVE_H
#define CL_LUA_MOVE_H

#include "lua/world_core.h"

/// A value of move_now's `group`: the actors that stop the mover by the rules of groups.
#define CLL_BY_RULES (-1)

/// Computes a move without a filter function, and commits it if it met nothing. Returns the number
/// of hits; -1 for a bad argument or when out of memory.
int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response);

/// Commits the last move. Returns how many actors were moved, or -1 when out of memory.
int32_t cll_move_commit(cll_world *c);

/// Adds the core's methods for moves to the table on top of the stack.
void cll_open_move(lua_State *L);

#endif
