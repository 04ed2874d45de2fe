// collide, MIT licence (see LICENSE)
//
// How far a shape can move before it would overlap one at rest. Layer: narrow.
//
// A cast finds when two shapes touch. A sweep finds only a touch after which one would go into the
// other by more than `skin`: a shape that slides along a row of others whose surfaces differ by
// less than the skin does not meet their sides.

#ifndef CL_NARROW_SWEEP_H
#define CL_NARROW_SWEEP_H

#include "narrow/convex_sweep.h"
#include "narrow/effort.h"

/// Distances below this share of the largest coordinate of both shapes, at both ends of the motion,
/// count as touching.
#define CL_TOUCH_SHARE 9.094947017729282e-13 // 2^-40

/// The distance, in world units, below which `a`, moved along `d`, touches `b`.
double cl_touch_distance(const cl_placed *a, cl_vec d, const cl_placed *b);

/// The box that contains bounds on the whole way, including the distance that counts as touching.
static inline cl_bounds cl_sweep_bounds(cl_bounds b, cl_vec way) {
  double length = fabs(way.x) + fabs(way.y);
  return cl_bounds_grown(cl_bounds_swept(b, way),
                         2 * CL_TOUCH_SHARE * (cl_bounds_largest(b) + length));
}

/// A set of tile values, one bit each.
typedef struct cl_values {
  uint64_t bits[4];
} cl_values;

static inline bool cl_values_have(const cl_values *values, unsigned value) {
  return values->bits[value >> 6] >> (value & 63) & 1;
}
static inline void cl_values_add(cl_values *values, unsigned value) {
  values->bits[value >> 6] |= UINT64_C(1) << (value & 63);
}

/// Whether the stretch of a face of q that p touches, relative to q's origin, as both are placed,
/// is covered by others.
typedef bool cl_is_covered(const void *context, const cl_convex *p, const cl_convex *q, cl_vec from,
                           cl_vec to);

/// A one-way shape stops only motion into faces within 60 degrees of `up`, a unit vector, where
/// these are not covered, and does not stop with parts that `start`, the moving shape where it
/// began, overlaps by more than the distance that counts as touching.
typedef struct cl_one_way {
  cl_vec up;
  const cl_placed *start;
  cl_is_covered *is_covered;
  const void *context;
} cl_one_way;

/// The cosine of 60 degrees, minus the possible rounding of a normal.
#define CL_ONE_WAY_COSINE (0.5 - 1e-9)

/// How a shape at rest stops motion. Distances below `touch` count as touching. Cells of tiles with
/// values in `passes`, which may be NULL, are ignored; `one_way` is NULL if it stops motion from
/// all sides. A sweep is given up after `most` steps of work.
typedef struct cl_stopper {
  double touch;
  long most;
  const cl_values *passes;
  const cl_one_way *one_way;
} cl_stopper;

/// Whether `a` (no tiles), moved along d (without turning), would go into `b` before or at the end
/// of the way. A surface touched at the start stops it at t = 0 if it would go in. A part that it
/// overlaps by more than the skin, a quarter of the distance that counts as touching, does not stop
/// it. Adds the steps of work to `spent`. `out` is written only if true. If the sweep is given up,
/// `out->given_up` is set, and nothing stops the shape before `out->t`.
bool cl_sweep_shape(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                    long *spent, cl_sweep *out);

/// Told of a touch.
typedef void cl_on_touch(void *context, const cl_touch *touch);

/// Tells how `a` (no tiles), where it is, touches the parts of `b` that would stop it. Where
/// closest points tie, the motion d decides. Adds the steps of work to `spent`; when there are more
/// than `how->most`, no more are told.
void cl_sweep_touches(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                      long *spent, cl_on_touch *tell, void *context);

/// Whether they overlap, by more than touching, and how `a` gets free, as cl_overlap_within reports
/// it. With `passes`, only out of the deepest cell; `value` gets the value of that cell, otherwise
/// -1. If none is found within the steps of the effort, it is given up.
bool cl_sweep_way_out(const cl_placed *a, const cl_placed *b, const cl_values *passes,
                      cl_effort *effort, cl_hit *out, int32_t *value);

/// How far `a` has to move along the unit vector `u` to leave all parts of `b` that it overlaps; 0
/// if there are none. If the work that the effort allows is done earlier, the part known so far.
double cl_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, const cl_values *passes,
                     cl_effort *effort);

#endif
