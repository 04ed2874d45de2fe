// collide, MIT licence (see LICENSE)
//
// Lists of shots, the events of bullets. Layer: bullets.

#ifndef CL_BULLETS_SHOTS_H
#define CL_BULLETS_SHOTS_H

#include "bullets/state.h"

/// cl_pools_add_shot appends to the fresh shots. cl_pools_add_end appends the end of a bullet that
/// is out of the bounds or too old when the step ends.
cl_status cl_pools_add_shot(cl_pools *pools, const cl_shot *shot);
cl_status cl_pools_add_end(cl_pools *pools, const cl_bullets *pool, uint64_t number);

/// Below 0, 0 or above 0: the order of dispatch of two shots.
int cl_shot_order(const cl_shot *a, const cl_shot *b);
/// Sorts shots into the order of dispatch.
void cl_shots_sort(cl_shots *shots);
/// The first of sorted shots, from `from` on, of a bullet or of a later one.
size_t cl_shots_of(const cl_shots *shots, size_t from, uint32_t pool, uint64_t number);

/// A heap of shots. cl_rest_push needs reserved room. cl_rest_pop takes out the first in the order
/// of dispatch, and leaves it behind the heap's end until the next push; cl_rest_unpop puts it
/// back.
void cl_rest_push(cl_shots *rest, const cl_shot *shot);
cl_shot *cl_rest_pop(cl_shots *rest);
void cl_rest_unpop(cl_shots *rest);

/// Room for the end of a step.
cl_status cl_pools_reserve_shots(cl_pools *pools);
/// Lists the pending shots that have hit bullets; room for that was reserved.
void cl_pools_link_backs(cl_pools *pools);
/// When two bullets hit each other both get their event: the second gets it even if the first has
/// died. Sets `sure` in the shots of the second; returns whether there are any.
bool cl_pools_assure_back(cl_pools *pools, const cl_shot *shot);
/// The first pending shot of a bullet that has hit this other one; NULL if there is none.
const cl_shot *cl_pools_find_back(const cl_pools *pools, uint64_t number, uint64_t other);

#endif
