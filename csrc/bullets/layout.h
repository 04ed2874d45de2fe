// collide, MIT licence (see LICENSE)
//
// Where a pool has what a host reaches through pointers. Layer: bullets.

#ifndef CL_BULLETS_LAYOUT_H
#define CL_BULLETS_LAYOUT_H

#include "base/layout.h"

extern const cl_field cl_bullets_layout[];

#endif
