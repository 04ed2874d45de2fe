// collide, MIT licence (see LICENSE)
//
// Overlaps that no pair of parts has. Layer: narrow.

#ifndef CL_NARROW_SEAMS_H
#define CL_NARROW_SEAMS_H

#include "geom/shape.h"

/// For two shapes none of whose parts overlap: whether they overlap as wholes, since cuts count as
/// inside (a segment or point on one) and chains continue at their corners (a crossing exactly at
/// one). Exact.
bool cl_seams_overlap(const cl_placed *a, const cl_placed *b);

#endif
