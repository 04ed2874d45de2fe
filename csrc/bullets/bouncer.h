// collide, MIT licence (see LICENSE)
//
// The bullets that the last dispatched bullet has had events with. Layer: bullets.

#ifndef CL_BULLETS_BOUNCER_H
#define CL_BULLETS_BOUNCER_H

#include "bullets/state.h"

/// Reserves room for one bullet's events with `count` others.
cl_status cl_bouncer_reserve(cl_bouncer *bouncer, const cl_alloc *alloc, size_t count);
/// Called when a hit is dispatched.
void cl_bouncer_report(cl_bouncer *bouncer, const cl_shot *shot);
void cl_bouncer_free(cl_bouncer *bouncer, const cl_alloc *alloc);
/// Whether a bullet has had an event with another, as cl_met.other, in this step.
bool cl_pools_was_reported(const cl_pools *pools, uint64_t number, uint64_t other);

#endif
