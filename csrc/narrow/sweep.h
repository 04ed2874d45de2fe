// collide, MIT licence (see LICENSE)
//
// How far a shape can move before it would overlap one that stands still. Layer: narrow.
//
// A cast answers when two shapes touch. A sweep answers when one would go into the other by
// more than `skin`, and from where on that cannot be undone: a shape that slides along a row
// of others whose surfaces differ by less than the skin does not meet their sides.

#ifndef CL_NARROW_SWEEP_H
#define CL_NARROW_SWEEP_H

#include "narrow/convex_sweep.h"

/// What is nearer than this share of the largest coordinate of both shapes, at both ends of
/// the way, counts as touched.
#define CL_TOUCH_SHARE 9.094947017729282e-13 // 2^-40

/// The distance, world units, below which `a`, moved along `d`, touches `b`.
double cl_touch_distance(const cl_placed *a, cl_vec d, const cl_placed *b);

/// The box that holds bounds on all of a way, and what they count as touching there.
cl_bounds cl_sweep_bounds(cl_bounds b, cl_vec way);

/// Values of tiles, a bit each.
typedef struct cl_values {
  uint64_t bits[4];
} cl_values;

static inline bool cl_values_have(const cl_values *values, unsigned value) {
  return values->bits[value >> 6] >> (value & 63) & 1;
}
static inline void cl_values_add(cl_values *values, unsigned value) {
  values->bits[value >> 6] |= UINT64_C(1) << (value & 63);
}

/// A shape that is one-way stops only with faces within 60 degrees of `up`, a unit vector, and
/// none of the parts that `start`, the moving shape where it began, overlaps by more than what
/// counts as touching.
typedef struct cl_one_way {
  cl_vec up;
  const cl_placed *start;
} cl_one_way;

/// The cosine of 60 degrees, less what rounding may do to a normal.
#define CL_ONE_WAY_COSINE (0.5 - 1e-9)

/// Whether `a` (no tiles), moved along d (turning nothing), would go into `b` before or at the
/// end of the way. What touches at the start stops at t = 0 where it would go in; what overlaps
/// by more than the skin, a quarter of `touch`, does not stop. Cells of tiles whose value is in
/// `passes`, which may be NULL, are not there; `one_way` is NULL for what stops from all sides.
/// `out` is written only when true.
bool cl_sweep_shape(const cl_placed *a, cl_vec d, const cl_placed *b, double touch,
                    const cl_values *passes, const cl_one_way *one_way, cl_sweep *out);

/// Whether they overlap, touching apart.
bool cl_sweep_overlaps(const cl_placed *a, const cl_placed *b, const cl_values *passes);

/// The same, and the way `a` gets free, as cl_overlap has it. With `passes` only out of the
/// deepest cell, whose value is in `value`, which is -1 otherwise.
bool cl_sweep_way_out(const cl_placed *a, const cl_placed *b, const cl_values *passes, cl_hit *out,
                      int32_t *value);

/// How far `a` has to go along the unit vector `u` to leave all parts of `b` that it overlaps;
/// 0 when there are none.
double cl_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, const cl_values *passes);

#endif
