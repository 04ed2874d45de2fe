// collide, MIT licence (see LICENSE)
//
// Bullets that survive a hit. Layer: bullets.

#ifndef CL_BULLETS_BOUNCE_H
#define CL_BULLETS_BOUNCE_H

#include "bullets/state.h"

/// cl_pools_bounce reflects the bullet of the present hit and moves it the rest of its way.
/// cl_pools_pass lets it fly on.
cl_status cl_pools_bounce(cl_pools *pools);
cl_status cl_pools_pass(cl_pools *pools);

#endif
