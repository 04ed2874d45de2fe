// collide, MIT licence (see LICENSE)
//
// Casts: when a moving shape first touches one at rest. cl_cast_shape and cl_cast_ray are in
// collide.h. Layer: narrow.

#ifndef CL_NARROW_CAST_H
#define CL_NARROW_CAST_H

#include "geom/shape.h"

/// Whether `a` and `b` overlap, or with `touching` touch, at some moment while `a` moves along d
/// (without turning), but not at its start. Decided exactly for the placed vertices and the
/// translation. With b moved along -d the answer is the same to the bit, except that the normal is
/// a's. Two shapes of tiles do not meet. `out`, of which t and the outward normal nx, ny of the
/// shape that was met count, is written only if true.
bool cl_swept_overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      cl_cast *out);

/// What a circle meets. CL_ENTRY_INSIDE: it is inside some part of the shape from the start.
typedef enum cl_entry {
  CL_ENTRY_NONE,
  CL_ENTRY_TOUCH,
  CL_ENTRY_INSIDE,
} cl_entry;

/// Where a moving circle first enters a shape, for circles that have bounced off it: a touch that
/// rounding makes too far or too near is still a touch. The circle of radius `r` > 0 about `from`
/// moves along `d` (both in finite world units). Surfaces within CL_ENTRY_ERROR times the
/// coordinates at the start count as touched: they are entered at t = 0 if the motion leads inward,
/// and otherwise passed. `own` is for a circle that has just bounced off: it enters there only if
/// that vector leads inward too. `t` and the outward normal nx, ny of `out` are written for
/// CL_ENTRY_TOUCH. At t the gap or overlap of the two is at most CL_CAST_ERROR times the
/// coordinates and the motion.
cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out);

/// 2^-40: some hundred times the rounding error between two that have touched.
#define CL_ENTRY_ERROR 9.094947017729282e-13

#endif
