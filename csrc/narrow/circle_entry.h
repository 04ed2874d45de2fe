// collide, MIT licence (see LICENSE)
//
// Where a moving circle first enters a shape, for circles that have bounced off it: a touch that
// rounding makes too far or too near is still a touch. Layer: narrow.

#ifndef CL_NARROW_CIRCLE_ENTRY_H
#define CL_NARROW_CIRCLE_ENTRY_H

#include "geom/shape.h"

/// What a circle meets. CL_ENTRY_INSIDE: it is inside some part of the shape from the start.
typedef enum cl_entry {
  CL_ENTRY_NONE,
  CL_ENTRY_TOUCH,
  CL_ENTRY_INSIDE,
} cl_entry;

/// A circle of radius `r` > 0 about `from`, moved along `d` (both in finite world units). Surfaces
/// within CL_ENTRY_ERROR times the coordinates at the start count as touched: they are entered at t
/// = 0 if the motion leads inward, and otherwise passed. `own` is for a circle that has just
/// bounced off: it enters there only if that vector leads inward too. `t` and the outward normal
/// nx, ny of `out` are written for CL_ENTRY_TOUCH. At t the gap or overlap of the two is at most
/// CL_CAST_ERROR times the coordinates and the motion.
cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out);

/// 2^-40: some hundred times the rounding error between two that have touched.
#define CL_ENTRY_ERROR 9.094947017729282e-13

#endif
