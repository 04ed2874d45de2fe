// collide, MIT licence (see LICENSE)
//
// Rays against upright boxes, if doubles can decide. Layer: narrow.

#ifndef CL_NARROW_RAY_BOX_H
#define CL_NARROW_RAY_BOX_H

#include "geom/box.h"

/// A ray from p along d: 1 is a hit, -1 none, and 0 if only exact arithmetic (cl_cast_ray) can
/// decide.
int cl_ray_box(cl_vec p, cl_vec d, cl_bounds box, cl_cast *out);

/// When a box moving along d may touch another, as shares t: `in` greater than `out` if never.
void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out);

/// The answer for a ray that begins inside something: writes `out`, returns 1.
int cl_ray_inside(cl_vec p, cl_vec d, cl_cast *out);

#endif
