// collide, MIT licence (see LICENSE)
//
// The offsets in a pool of the fields that a host accesses through pointers. Layer: bullets.

#ifndef CL_BULLETS_LAYOUT_H
#define CL_BULLETS_LAYOUT_H

#include "base/layout.h"

extern const cl_field cl_bullets_layout[];

#endif
