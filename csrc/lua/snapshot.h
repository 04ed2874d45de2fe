// collide, MIT licence (see LICENSE)
//
// The userdata of a snapshot: the core's part, and the differences of the actors' tables from it.
// Layer: lua.

#ifndef CL_LUA_SNAPSHOT_H
#define CL_LUA_SNAPSHOT_H

#include "lua/world_core.h"

/// The x, y and angle in an actor's table.
enum {
  CLL_ODD_PLACE = 1, ///< x and y other than the world's place: they are in `number`
  CLL_INTEGER_X = 2,
  CLL_INTEGER_Y = 4,
  CLL_HAS_ANGLE = 8, ///< it was not nil
  CLL_ODD_ANGLE = 16,
  CLL_INTEGER_ANGLE = 32,
};

/// `place` and `angle`, NULL without one, are the core's, by slot, and `flag` has an entry for
/// each; `number` has the values that differ, in the order of slots. The accelerator reads them.
typedef struct cll_snapshot {
  const cl_vec *place;
  const double *angle;
  uint8_t *flag;
  double *number;
  uint32_t slots, numbers, number_room;
  size_t flag_cap, number_cap;
  cl_snapshot *world;
  cl_bullets_snapshot *pools;
} cll_snapshot;

/// The snapshot at `index`; raises if there is none.
cll_snapshot *cll_check_snapshot(lua_State *L, int index);

/// Room for some more numbers; raises when out of memory.
void cll_snapshot_grow(lua_State *L, cll_snapshot *s);

/// Adds newSnapshot to the table on top of the stack; and the methods of a world's core for
/// snapshots.
void cll_open_snapshot(lua_State *L);
void cll_open_world_snapshot(lua_State *L);

#endif
