// collide, MIT licence (see LICENSE)
//
// Whether two placed shapes overlap, and the shortest way out. Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1; the
// decision near 0 by exact predicates (base/exact.h).
//
// Two convex shapes overlap when 0, 0 lies inside the Minkowski difference
// second - first: in its interior, or with `touching` in the closed set. The
// decision is exact for the doubles of the placed vertices and radii, and so the
// same from either side. Depth is the distance from 0, 0 to the boundary, the
// vector the direction of the nearest point of it: the unit vector along which
// the first gets free. Both are good to CL_SEPARATION_ERROR times the coordinates.
//
// Shapes of several parts overlap where any parts do, or where a segment or point
// lies on a cut with area all round it, or chains cross right at a corner. The way out is
// the shortest that frees the first from the whole of the second (narrow/mtv.h).
//
// Swapping the shapes gives the reversed vector and the same depth to the bit,
// ties excepted. Of several directions with the same depth are taken:
//   upright rectangles   -x, then +x, then -y, then +y
//   a box in tiles       the same, then an inner corner, of several one of the
//                        nearest row, and there the one to the left
//   concentric circles   -x
//   anything else        the first edge in order, those of the shape with the
//                        smaller x, then y, before those of the other

#ifndef CL_NARROW_OVERLAP_H
#define CL_NARROW_OVERLAP_H

#include "geom/placed.h"
#include "narrow/primitives.h"

/// `out` (may not be NULL) is written only when the answer is true.
bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out);

/// Whether they overlap, or with `touching` touch: as cl_overlap, without the cost of a way
/// out.
bool cl_overlaps(const cl_placed *a, const cl_placed *b, bool touching);

#endif
