// collide, MIT licence (see LICENSE)
//
// What the last compaction did to the slots. Layer: world.

#ifndef CL_WORLD_MOVES_H
#define CL_WORLD_MOVES_H

#include "base/alloc.h"

/// `moved`: the new slot of each of `moved_count` old ones; 0 of them if all slots are as they
/// were. `released`: slots of removed actors that no event will name any more.
typedef struct cl_moves {
  int32_t *moved;
  size_t moved_cap;
  uint32_t moved_count;
  uint32_t *released;
  size_t released_cap;
  uint32_t released_count;
} cl_moves;

static inline void cl_moves_free(cl_moves *moves, const cl_alloc *alloc) {
  CL_FREE(alloc, moves->moved, moves->moved_cap);
  CL_FREE(alloc, moves->released, moves->released_cap);
}

#endif
