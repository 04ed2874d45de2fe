// collide, MIT licence (see LICENSE)
//
// Axis-aligned boxes: of doubles, as shapes have them, and of floats, as the broad phase compares
// them. Layer: geom.

#ifndef CL_GEOM_BOX_H
#define CL_GEOM_BOX_H

#include "base/simd.h"
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

/// The least distance that a box has to move along an axis to leave another.
static inline double cl_bounds_exit(cl_bounds a, cl_bounds b) {
  return cl_min(cl_min(a.r - b.l, b.r - a.l), cl_min(a.b - b.t, b.b - a.t));
}

/// A lower bound of the distance between the contents of two boxes, including rounding.
static inline double cl_bounds_gap(cl_bounds a, cl_bounds b) {
  double x = cl_max(0, cl_max(a.l - b.r, b.l - a.r));
  double y = cl_max(0, cl_max(a.t - b.b, b.t - a.b));
  return sqrt(x * x + y * y) * (1 - 4 * CL_ROUND);
}

/// The bounding box of points that are added one by one, by vectors of two.
typedef struct cl_extent {
  cl_f64x2 least, most; ///< x and y
} cl_extent;

/// Of no points.
static inline cl_extent cl_extent_empty(void) {
  return (cl_extent){cl_f64x2_all(DBL_MAX), cl_f64x2_all(-DBL_MAX)};
}

static inline void cl_extent_add(cl_extent *e, cl_vec point) {
  cl_f64x2 at = cl_f64x2_set(point.x, point.y);
  e->least = cl_f64x2_min(e->least, at);
  e->most = cl_f64x2_max(e->most, at);
}

static inline cl_bounds cl_extent_bounds(const cl_extent *e) {
  double least[2], most[2];
  cl_f64x2_store(least, e->least);
  cl_f64x2_store(most, e->most);
  return (cl_bounds){least[0], least[1], most[0], most[1]};
}

/// A float box that contains the box of doubles (within ±1e38) from `near`, its left top corner, to
/// `far`.
static inline void cl_fbox_put(cl_fbox *box, cl_f64x2 near, cl_f64x2 far) {
  // With the far corner negated, all four are rounded down.
  cl_f32x4 f = cl_f32x4_down(near, cl_f64x2_neg(far));
  cl_f32x4_store(&box->x0, cl_f32x4_neg_high(f));
}

static inline cl_fbox cl_fbox_of(double l, double t, double r, double b) {
  cl_fbox box;
  cl_fbox_put(&box, cl_f64x2_set(l, t), cl_f64x2_set(r, b));
  return box;
}

static inline cl_fbox cl_fbox_join(cl_fbox a, cl_fbox b) {
  return (cl_fbox){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                   a.y1 > b.y1 ? a.y1 : b.y1};
}

/// The largest coordinate, by magnitude.
static inline double cl_fbox_largest(cl_fbox b) {
  return cl_max(cl_max(fabs(b.x0), fabs(b.x1)), cl_max(fabs(b.y0), fabs(b.y1)));
}

/// Whether the closed boxes share a point. Without branches, which are mispredicted for boxes
/// in no order.
static inline bool cl_fbox_touch(cl_fbox a, cl_fbox b) {
  return (a.x0 <= b.x1) & (b.x0 <= a.x1) & (a.y0 <= b.y1) & (b.y0 <= a.y1);
}

#endif
