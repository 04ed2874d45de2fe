// collide, MIT licence (see LICENSE)
//
// Whom the bullet that was told of last has been told of. Layer: bullets.

#ifndef CL_BULLETS_BOUNCER_H
#define CL_BULLETS_BOUNCER_H

#include "bullets/state.h"

/// Room for one bullet to be told of so many.
cl_status cl_bouncer_reserve(cl_bouncer *bouncer, const cl_alloc *alloc, size_t count);
/// A hit is being told.
void cl_bouncer_tell(cl_bouncer *bouncer, const cl_shot *shot);
void cl_bouncer_free(cl_bouncer *bouncer, const cl_alloc *alloc);
/// Whether a bullet has been told of another, as cl_met.other, in this step.
bool cl_pools_was_told(const cl_pools *pools, uint64_t number, uint64_t other);

#endif
