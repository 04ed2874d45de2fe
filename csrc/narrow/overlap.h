// collide, MIT licence (see LICENSE)
//
// Overlap with a limit on the work for the way out. Layer: narrow.

#ifndef CL_NARROW_OVERLAP_H
#define CL_NARROW_OVERLAP_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// cl_overlap. If the effort does not suffice, the way out still frees, but
/// need not be the shortest.
bool cl_overlap_within(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                       cl_hit *out);

#endif
