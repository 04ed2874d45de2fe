// collide, MIT licence (see LICENSE)
//
// The exact decision of whether two placed convex parts overlap. Layer: narrow.

#ifndef CL_NARROW_EXACT_OVERLAP_H
#define CL_NARROW_EXACT_OVERLAP_H

#include "geom/shape.h"

/// Whether the parts overlap, exactly: by the convex hulls of the placed vertices and the radii, in
/// their interiors or, with `touching`, as closed sets. `sweep` stretches a's part along a
/// translation (0, 0: none).
bool cl_exact_overlap(const cl_placed *a, const cl_part *part_a, cl_vec sweep, const cl_placed *b,
                      const cl_part *part_b, bool touching);

#endif
