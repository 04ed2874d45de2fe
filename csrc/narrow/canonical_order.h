// collide, MIT licence (see LICENSE)
//
// An order of placed shapes that depends on places and shapes alone. An answer computed for the
// first and the second, and then reversed if needed, has the same bits for either order of
// arguments. Layer: narrow.

#ifndef CL_NARROW_CANONICAL_ORDER_H
#define CL_NARROW_CANONICAL_ORDER_H

#include "geom/shape.h"

/// Whether `a` comes before `b`, or is the same shape at the same place. Compares what all images
/// of the two have in common, above all how far from 0, 0 they are along the farther axis; only
/// then x, y, bounds, rotation and vertices.
bool cl_comes_first(const cl_placed *a, const cl_placed *b);

#endif
