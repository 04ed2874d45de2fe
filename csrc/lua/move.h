// collide, MIT licence (see LICENSE)
//
// Moving actors of a world. Layer: lua.

#ifndef CL_LUA_MOVE_H
#define CL_LUA_MOVE_H

#include "lua/world_core.h"

/// Of whom move_now's `group` speaks: those whom the rules of groups let stop the mover, in
/// place of a group's number.
#define CLL_BY_RULES (-1)

/// Computes a move that asks nobody, and commits it where it met nothing: how many hits there
/// are; -1 where one of the arguments is not as it should be, or there is no memory.
int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response);

/// Commits the last move: how many were moved, or -1 without memory.
int32_t cll_move_commit(cll_world *c);

/// Adds the core's methods for moves to the table on top of the stack.
void cll_open_move(lua_State *L);

#endif
