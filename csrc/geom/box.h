// collide, MIT licence (see LICENSE)
//
// Axis-aligned boxes: in double as shapes have them, in float as the broad phase
// compares them. Layer: geom.

#ifndef CL_GEOM_BOX_H
#define CL_GEOM_BOX_H

#include <math.h>
#include <stdbool.h>

#include "base/simd.h"
#include "base/tol.h"
#include "base/vec.h"

/// Left, top, right, bottom (l <= r, t <= b), world units.
typedef struct cl_bounds {
  double l, t, r, b;
} cl_bounds;

static inline cl_bounds cl_bounds_join(cl_bounds a, cl_bounds b) {
  return (cl_bounds){a.l < b.l ? a.l : b.l, a.t < b.t ? a.t : b.t, a.r > b.r ? a.r : b.r,
                     a.b > b.b ? a.b : b.b};
}

/// The box with as much more on each side.
static inline cl_bounds cl_bounds_grown(cl_bounds b, double by) {
  return (cl_bounds){b.l - by, b.t - by, b.r + by, b.b + by};
}

/// Whether the closed box holds a point.
static inline bool cl_bounds_hold(cl_bounds b, cl_vec x) {
  return x.x >= b.l && x.x <= b.r && x.y >= b.t && x.y <= b.b;
}

/// Whether the closed boxes share a point.
static inline bool cl_bounds_touch(cl_bounds a, cl_bounds b) {
  return a.l <= b.r && b.l <= a.r && a.t <= b.b && b.t <= a.b;
}

/// A lower bound of the distance between what two boxes hold, rounding taken in: what it
/// says is farther than something certainly is no nearer.
static inline double cl_bounds_gap(cl_bounds a, cl_bounds b) {
  double x = cl_max(0, cl_max(a.l - b.r, b.l - a.r));
  double y = cl_max(0, cl_max(a.t - b.b, b.t - a.b));
  return sqrt(x * x + y * y) * (1 - 4 * CL_ROUND);
}

/// A box in float that holds the one in double it was made from.
typedef struct cl_fbox {
  float x0, y0, x1, y1;
} cl_fbox;

/// A float on the wrong side of its double is moved out by 0.75 units in its last
/// place, which rounds to the next float, plus the least normal float for those
/// at 0: this share of itself.
#define CL_FLOAT_STEP 8.940696716308594e-08f

/// Rounded outward from doubles (within ±1e38); what floats can say exactly stays
/// exact. Without a branch, which would be mispredicted for every other number.
#if CL_HAS_SSE2
static inline void cl_fbox_put(cl_fbox *box, __m128d near, __m128d far) {
  // The far corner negated, all four are to be rounded down.
  const __m128d minus = _mm_set1_pd(-0.0);
  far = _mm_xor_pd(far, minus);
  __m128 near_f = _mm_cvtpd_ps(near), far_f = _mm_cvtpd_ps(far);
  __m128d near_off = _mm_cmpgt_pd(_mm_cvtps_pd(near_f), near);
  __m128d far_off = _mm_cmpgt_pd(_mm_cvtps_pd(far_f), far);
  __m128 f = _mm_movelh_ps(near_f, far_f);
  __m128 off = _mm_shuffle_ps(_mm_castpd_ps(near_off), _mm_castpd_ps(far_off), 0x88);
  __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
  __m128 step = _mm_add_ps(_mm_mul_ps(size, _mm_set1_ps(CL_FLOAT_STEP)), _mm_set1_ps(FLT_MIN));
  f = _mm_sub_ps(f, _mm_and_ps(off, step));
  _mm_storeu_ps(&box->x0, _mm_xor_ps(f, _mm_setr_ps(0, 0, -0.0f, -0.0f)));
}

static inline cl_fbox cl_fbox_of(double l, double t, double r, double b) {
  cl_fbox box;
  cl_fbox_put(&box, _mm_set_pd(t, l), _mm_set_pd(b, r));
  return box;
}
#else
static inline float cl_float_down(double d) {
  float f = (float)d;
  return (double)f > d ? f - (fabsf(f) * CL_FLOAT_STEP + FLT_MIN) : f;
}

static inline cl_fbox cl_fbox_of(double l, double t, double r, double b) {
  return (cl_fbox){cl_float_down(l), cl_float_down(t), -cl_float_down(-r), -cl_float_down(-b)};
}
#endif

/// Whether the closed boxes share a point. Without branches, which are mispredicted for boxes
/// in no order.
static inline bool cl_fbox_touch(cl_fbox a, cl_fbox b) {
  return (a.x0 <= b.x1) & (b.x0 <= a.x1) & (a.y0 <= b.y1) & (b.y0 <= a.y1);
}

#endif
