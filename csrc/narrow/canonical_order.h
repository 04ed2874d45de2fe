// collide, MIT licence (see LICENSE)
//
// An order of placed shapes that depends on places and shapes alone: what is worked
// out for the first and the second and then turned round gives the same bits
// whichever the caller named first. Layer: narrow.

#ifndef CL_NARROW_CANONICAL_ORDER_H
#define CL_NARROW_CANONICAL_ORDER_H

#include "geom/placed.h"

/// Whether `a` comes before `b`, or is the same shape at the same place: smaller
/// x, then y, then bounds, rotation, vertices.
bool cl_comes_first(const cl_placed *a, const cl_placed *b);

#endif
