// collide, MIT licence (see LICENSE)
//
// Keeping the hash of the last step what it is. Layer: world.

#ifndef CL_WORLD_HASH_H
#define CL_WORLD_HASH_H

#include "world/state.h"

/// A step has been made.
void cl_hash_begin_log(cl_world *world);
void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc);

/// To be called before a live actor is moved or removed. Where there is no room for a note, or
/// so many that working out the hash is no more work, that is done instead.
void cl_hash_note_actor(cl_world *world, uint32_t slot);

#endif
