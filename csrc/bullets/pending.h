// collide, MIT licence (see LICENSE)
//
// What there is still to tell. Layer: bullets.

#ifndef CL_BULLETS_PENDING_H
#define CL_BULLETS_PENDING_H

#include "bullets/state.h"

/// Whether a shot's bullet is alive, and who it is about is where it was found to be met.
bool cl_pools_is_present(cl_pools *pools, const cl_shot *shot);

/// What was found while the last step was told, and has not been told, is put among the others.
cl_status cl_pools_fold_rest(cl_pools *pools);
/// Pending shots and the fresh ones become one list, of which nothing has been told.
void cl_pools_merge_shots(cl_pools *pools);

/// Drops what is still to be told of the bullet that is told of, as if it had not been found;
/// and back.
typedef struct cl_pending {
  size_t shots, rest;
} cl_pending;
cl_pending cl_pools_drop_shots(cl_pools *pools, uint32_t pool, uint64_t number);
void cl_pools_restore_shots(cl_pools *pools, cl_pending before);

#endif
