// collide, MIT licence (see LICENSE)
//
// Updates lists when slots move or pools are removed. Layer: bullets.

#ifndef CL_BULLETS_FOLLOW_H
#define CL_BULLETS_FOLLOW_H

#include "bullets/state.h"

/// Called when pool number `gone` is removed: renumbers later ones in all lists.
void cl_pools_drop_pool(cl_pools *pools, uint32_t gone);

#endif
