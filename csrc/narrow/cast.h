// collide, MIT licence (see LICENSE)
//
// Rays and moving shapes against a shape that stands still. Layer: narrow.

#ifndef CL_NARROW_CAST_H
#define CL_NARROW_CAST_H

#include "geom/placed.h"
#include "narrow/results.h"

/// Whether `a` (no tiles), moved along d (turning nothing), touches `b` before or at the end
/// of the way. Closed: a touch is enough, and whether there is one is decided
/// exactly for the placed vertices and the translation. What overlaps at the start
/// gives t = 0 and the normal 0, 0; what touches at the start hits only where it
/// moves inward. At t the two are apart or in one another by at most CL_CAST_ERROR
/// times (coordinates + length of the way). `out` is written only when true.
bool cl_cast_shape(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *out);

/// The same for a point that moves from x1, y1 to x2, y2.
bool cl_cast_ray(double x1, double y1, double x2, double y2, const cl_placed *b, cl_cast *out);

#endif
