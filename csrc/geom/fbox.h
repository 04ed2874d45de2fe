// collide, MIT licence (see LICENSE)
//
// Axis-aligned boxes of floats, as the broad phase compares them. Layer: geom.

#ifndef CL_GEOM_FBOX_H
#define CL_GEOM_FBOX_H

#include "base/f32x4.h"
#include "base/vec.h"

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
