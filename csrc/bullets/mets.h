// collide, MIT licence (see LICENSE)
//
// The memories of bullets: what they have grazed, and what they are inside. Layer: bullets.

#ifndef CL_BULLETS_METS_H
#define CL_BULLETS_METS_H

#include "bullets/state.h"

/// Appends to the fresh memories.
cl_status cl_pools_add_met(cl_pools *pools, const cl_met *met);
/// What a bullet remembers of another, as of the last step: flags, 0 for nothing.
uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other);
/// Clears a flag in a bullet's memory of a shot's actor, or of all; and sets it again.
void cl_pools_forget(cl_pools *pools, const cl_shot *shot, uint32_t flag);
void cl_pools_remember(cl_pools *pools, const cl_shot *shot, uint32_t flag);
void cl_pools_forget_all(cl_pools *pools, uint32_t pool, uint64_t number, uint32_t flag);
cl_status cl_pools_reserve_mets(cl_pools *pools);
/// At the end of a step the fresh memories join the others, and the others fade. Memory was
/// reserved.
void cl_pools_merge_mets(cl_pools *pools);
/// During the dispatch of a step they only join them.
cl_status cl_pools_reserve_fresh_mets(cl_pools *pools);
void cl_pools_insert_mets(cl_pools *pools);

#endif
