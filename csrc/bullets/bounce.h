// collide, MIT licence (see LICENSE)
//
// Bullets that survive a hit. Layer: bullets.

#ifndef CL_BULLETS_BOUNCE_H
#define CL_BULLETS_BOUNCE_H

#include "bullets/state.h"

/// The bullet of the hit that is being told is reflected and goes the rest of its way; or it
/// flies on.
cl_status cl_pools_bounce(cl_pools *pools);
cl_status cl_pools_pass(cl_pools *pools);

#endif
