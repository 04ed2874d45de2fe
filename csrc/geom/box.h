// collide, MIT licence (see LICENSE)
//
// Axis-aligned boxes of doubles, as shapes have them. Those of floats: geom/fbox.h. Layer: geom.

#ifndef CL_GEOM_BOX_H
#define CL_GEOM_BOX_H

#include "base/tol.h"
#include "base/vec.h"

static inline cl_bounds cl_bounds_join(cl_bounds a, cl_bounds b) {
  return (cl_bounds){a.l < b.l ? a.l : b.l, a.t < b.t ? a.t : b.t, a.r > b.r ? a.r : b.r,
                     a.b > b.b ? a.b : b.b};
}

/// The box grown by `by` on each side.
static inline cl_bounds cl_bounds_grown(cl_bounds b, double by) {
  return (cl_bounds){b.l - by, b.t - by, b.r + by, b.b + by};
}

/// The largest absolute coordinate.
static inline double cl_bounds_largest(cl_bounds b) {
  return cl_max(cl_max(fabs(b.l), fabs(b.r)), cl_max(fabs(b.t), fabs(b.b)));
}

/// Whether the first box contains all of the second.
static inline bool cl_bounds_cover(cl_bounds a, cl_bounds b) {
  return (a.l <= b.l) & (a.t <= b.t) & (a.r >= b.r) & (a.b >= b.b);
}

static inline cl_bounds cl_bounds_moved(cl_bounds b, cl_vec by) {
  return (cl_bounds){b.l + by.x, b.t + by.y, b.r + by.x, b.b + by.y};
}

/// The bounds of a box that moves along `way`.
static inline cl_bounds cl_bounds_swept(cl_bounds b, cl_vec way) {
  return cl_bounds_join(b, cl_bounds_moved(b, way));
}

/// Whether the closed box contains a point.
static inline bool cl_bounds_hold(cl_bounds b, cl_vec x) {
  return x.x >= b.l && x.x <= b.r && x.y >= b.t && x.y <= b.b;
}

/// Whether the closed boxes share a point.
static inline bool cl_bounds_touch(cl_bounds a, cl_bounds b) {
  return a.l <= b.r && b.l <= a.r && a.t <= b.b && b.t <= a.b;
}

/// A lower bound of the distance between the contents of two boxes, with rounding: contents that
/// it places farther apart than some distance are certainly no nearer.
static inline double cl_bounds_gap(cl_bounds a, cl_bounds b) {
  double x = cl_max(0, cl_max(a.l - b.r, b.l - a.r));
  double y = cl_max(0, cl_max(a.t - b.b, b.t - a.b));
  return sqrt(x * x + y * y) * (1 - 4 * CL_ROUND);
}

#endif
