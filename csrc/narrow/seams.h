// collide, MIT licence (see LICENSE)
//
// Overlaps that no pair of parts shows. Layer: narrow.

#ifndef CL_NARROW_SEAMS_H
#define CL_NARROW_SEAMS_H

#include "geom/placed.h"

/// For two shapes none of whose parts overlap: whether they do as wholes, since
/// cuts count as inside (a segment or point on one) and chains go on at their corners
/// (a crossing right at one). Exact.
bool cl_seams_overlap(const cl_placed *a, const cl_placed *b);

#endif
