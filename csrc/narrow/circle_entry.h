// collide, MIT licence (see LICENSE)
//
// Where a circle on its way first goes into a shape, for what has bounced off it: a touch
// that rounding has made too far or too near is a touch all the same. Layer: narrow.

#ifndef CL_NARROW_CIRCLE_ENTRY_H
#define CL_NARROW_CIRCLE_ENTRY_H

#include "geom/placed.h"

/// What a circle meets: CL_ENTRY_INSIDE, it is in some part of the shape from the start.
typedef enum cl_entry {
  CL_ENTRY_NONE,
  CL_ENTRY_TOUCH,
  CL_ENTRY_INSIDE,
} cl_entry;

/// A circle of radius `r` > 0 about `from`, moved along `d` (both of finite world units). What
/// is within CL_ENTRY_ERROR times the coordinates of touching at the start counts as touched:
/// then it is gone into at t = 0 where the way leads inward, and otherwise passed. With `own`
/// it has just bounced off, and is gone into there only where that vector leads inward too.
/// `t` and the outward normal nx, ny of `out` are written for CL_ENTRY_TOUCH. At t the two
/// are apart, or in one another, by at most CL_CAST_ERROR times the coordinates and the way.
cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out);

/// 2^-40: some hundred times what rounding leaves between two that have touched.
#define CL_ENTRY_ERROR 9.094947017729282e-13

#endif
