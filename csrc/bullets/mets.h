// collide, MIT licence (see LICENSE)
//
// What bullets remember: whom they have grazed, and whom they are in. Layer: bullets.

#ifndef CL_BULLETS_METS_H
#define CL_BULLETS_METS_H

#include "bullets/state.h"

/// Appends to the fresh memories.
cl_status cl_pools_add_met(cl_pools *pools, const cl_met *met);
/// What a bullet remembers of another, as of the last step: flags, 0 for nothing.
uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other);
/// Takes a flag from what a bullet remembers of a shot's actor, or of all; gives it back.
void cl_pools_forget(cl_pools *pools, const cl_shot *shot, uint32_t flag);
void cl_pools_remember(cl_pools *pools, const cl_shot *shot, uint32_t flag);
void cl_pools_forget_all(cl_pools *pools, uint32_t pool, uint64_t number, uint32_t flag);
cl_status cl_pools_reserve_mets(cl_pools *pools);
/// At the end of a step the fresh memories come to the others, and those fade. Memory was
/// reserved.
void cl_pools_merge_mets(cl_pools *pools);
/// While a step is told, they only come to them.
cl_status cl_pools_reserve_fresh_mets(cl_pools *pools);
void cl_pools_insert_mets(cl_pools *pools);

#endif
