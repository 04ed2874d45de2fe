// collide, MIT licence (see LICENSE)
//
// Rays against upright boxes where doubles can tell. Layer: narrow.

#ifndef CL_NARROW_RAY_BOX_H
#define CL_NARROW_RAY_BOX_H

#include "geom/box.h"

/// A ray from p along d: 1 is a hit, -1 none, and 0 that only exact arithmetic (cl_cast_ray)
/// can tell.
int cl_ray_box(cl_vec p, cl_vec d, cl_bounds box, cl_cast *out);

/// Where on its way along d, in t, a box may touch another: `in` beyond `out` for never.
void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out);

/// What a ray that begins inside of something says: `out`, and 1.
int cl_ray_inside(cl_vec p, cl_vec d, cl_cast *out);

#endif
