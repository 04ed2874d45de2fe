// collide, MIT licence (see LICENSE)
//
// Axis-aligned boxes: in double as shapes have them, in float as the broad phase
// compares them. Layer: geom.

#ifndef CL_GEOM_BOX_H
#define CL_GEOM_BOX_H

#include <math.h>
#include <stdbool.h>

#include "base/config.h"

/// Left, top, right, bottom (l <= r, t <= b), world units.
typedef struct cl_bounds {
  double l, t, r, b;
} cl_bounds;

static inline cl_bounds cl_bounds_join(cl_bounds a, cl_bounds b) {
  return (cl_bounds){a.l < b.l ? a.l : b.l, a.t < b.t ? a.t : b.t, a.r > b.r ? a.r : b.r,
                     a.b > b.b ? a.b : b.b};
}

/// Whether the closed boxes share a point.
static inline bool cl_bounds_touch(cl_bounds a, cl_bounds b) {
  return a.l <= b.r && b.l <= a.r && a.t <= b.b && b.t <= a.b;
}

/// A box in float that holds the one in double it was made from.
typedef struct cl_fbox {
  float x0, y0, x1, y1;
} cl_fbox;

/// How far a float is moved out when it lies on the wrong side: 0.75 units in
/// its last place, which rounds to the next float, plus the least normal float
/// for those at 0. No branch and no libm, so that loops over it are vectorised.
static inline float cl_float_step(float f) { return fabsf(f) * 8.940696716308594e-08f + FLT_MIN; }

/// The float at or just below `d` (|d| up to 1e38).
static inline float cl_float_down(double d) {
  float f = (float)d;
  return f - (float)((double)f > d) * cl_float_step(f);
}

/// The float at or just above `d`.
static inline float cl_float_up(double d) {
  float f = (float)d;
  return f + (float)((double)f < d) * cl_float_step(f);
}

/// Rounded outward from doubles; what floats can say exactly stays exact.
static inline cl_fbox cl_fbox_of(double l, double t, double r, double b) {
  return (cl_fbox){cl_float_down(l), cl_float_down(t), cl_float_up(r), cl_float_up(b)};
}

/// Whether the closed boxes share a point.
static inline bool cl_fbox_touch(cl_fbox a, cl_fbox b) {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

#endif
