// collide, MIT licence (see LICENSE)
//
// Overlap of two convex parts. Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1; near 0 the exact
// decision.

#ifndef CL_NARROW_CONVEX_OVERLAP_H
#define CL_NARROW_CONVEX_OVERLAP_H

#include "narrow/convex.h"

/// cl_overlap for parts; the vector is how B gets free, like the normals of a point.
bool cl_convex_overlap(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out);

#endif
