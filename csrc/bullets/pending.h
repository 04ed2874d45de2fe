// collide, MIT licence (see LICENSE)
//
// The shots that are still to be dispatched. Layer: bullets.

#ifndef CL_BULLETS_PENDING_H
#define CL_BULLETS_PENDING_H

#include "bullets/state.h"

/// Whether a shot's bullet is alive, and its target still where the two were found to meet.
bool cl_pools_is_present(cl_pools *pools, const cl_shot *shot);

/// Merges the remaining shots that were found during the last dispatch into the others.
cl_status cl_pools_fold_rest(cl_pools *pools);
/// Makes one list of the pending and the fresh shots, none of them dispatched.
void cl_pools_merge_shots(cl_pools *pools);

/// Drops the remaining shots of the present bullet, as if they had not been found; and puts them
/// back.
typedef struct cl_pending {
  size_t shots, rest;
} cl_pending;
cl_pending cl_pools_drop_shots(cl_pools *pools, uint32_t pool, uint64_t number);
void cl_pools_restore_shots(cl_pools *pools, cl_pending before);

#endif
